"""Training rows as `omnigo rows` writes them (format: `src/training/rows.rs`)."""

import numpy as np
import torch

from model import KOMI_PLANE, PLANES

VERSION = 1


class Rows:
    """A file of rows, mapped; `batch` decodes some of them, each turned or mirrored at random."""

    def __init__(self, path):
        header = np.fromfile(path, dtype=np.uint8, count=16)
        if header[:8].tobytes() != b"omnigoTR" or header[8:10].view("<u2")[0] != VERSION:
            raise ValueError(f"'{path}' holds no rows of version {VERSION}")
        self.width, self.height = int(header[10]), int(header[11])
        self.size = int(header[12:16].view("<u4")[0])
        self.data = np.memmap(path, dtype=np.uint8, mode="r", offset=16).reshape(-1, self.size)

    def __len__(self):
        return len(self.data)

    def batch(self, start, count, rng=None):
        """Rows start..start+count as tensors; `rng` draws a symmetry for each quarter of them."""
        w, h = self.width, self.height
        n = w * h
        raw = np.array(self.data[start : start + count])
        count = len(raw)
        bits = np.unpackbits(raw[:, : 4 * n].reshape(count, n, 4), axis=2, bitorder="little")
        tail = raw[:, 4 * n : 4 * n + 12]
        komi = tail[:, :4].copy().view("<f4")[:, 0]
        target = tail[:, 4:6].copy().view("<u2")[:, 0].astype(np.int64)
        winner = tail[:, 6].view(np.int8).astype(np.float32)
        flags = tail[:, 7]
        score = tail[:, 8:10].copy().view("<i2")[:, 0].astype(np.float32) / 20  # half points to tens of points
        owner = raw[:, 4 * n + 12 : 5 * n + 12].view(np.int8).astype(np.float32) / 100
        planes = bits.reshape(count, h, w, PLANES)
        if rng is not None:
            planes, owner = planes.copy(), owner.copy()
            index = np.arange(n).reshape(h, w)
            step = max(1, count // 4)
            for at in range(0, count, step):
                turn = int(rng.integers(8 if w == h else 4))
                if w == h:
                    moved = np.rot90(index, turn & 3)
                    moved = moved.T if turn & 4 else moved
                else:
                    moved = index[:: 1 - 2 * (turn & 1), :: 1 - (turn & 2)]
                moved = moved.reshape(-1)  # the new point i shows the old point moved[i]
                part = slice(at, at + step)
                planes[part] = planes[part].reshape(-1, n, PLANES)[:, moved].reshape(planes[part].shape)
                owner[part] = owner[part][:, moved]
                back = np.append(np.argsort(moved), n)
                target[part] = back[target[part]]
        x = torch.from_numpy(np.ascontiguousarray(planes)).to(torch.bfloat16)
        x[..., KOMI_PLANE] = torch.from_numpy(komi.copy()).to(torch.bfloat16)[:, None, None]
        return (
            x.permute(0, 3, 1, 2),  # channels last in memory
            torch.from_numpy(target),
            torch.from_numpy(winner),
            torch.from_numpy(score),
            torch.from_numpy((flags & 1).astype(np.float32)),
            torch.from_numpy(owner),
            torch.from_numpy((flags >> 1 & 1).astype(np.float32)),
        )
