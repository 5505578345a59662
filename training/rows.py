"""Training rows, as written by `omnigo rows` and `omnigo selfplay`, and pools of them.
`src/training/format.rs` describes the format.

PyTorch decodes the rows on the training device. The processor of a machine with a GPU then only
copies bytes.
"""

import functools
import os
import time
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from model import KOMI_PLANE, PLANES

HEADER = 16
SHARES = 32
HELD_OUT = 50  # the last 1/50 of the rows of a file is held out
LOOK = 30  # seconds between searches of a pool for new files


class Batch(NamedTuple):
    """Positions of one board size, all from the view of the player to move."""

    x: torch.Tensor  # [N, 32, H, W]: input planes
    policy: torch.Tensor  # [N, H W + 1]: move probabilities, the pass last
    target: torch.Tensor  # [N]: the move played
    winner: torch.Tensor  # [N]: 1, -1, 0 unknown
    score: torch.Tensor  # [N]: tens of points
    scored: torch.Tensor  # [N]: 1 where the score is known
    owner: torch.Tensor  # [N, H W]: 1 own, -1 the opponent's
    owned: torch.Tensor  # [N]: 1 where the ownership is known


class Rows:
    """A memory-mapped file of rows. An incomplete last row is left out: it is being written, or its
    writer was killed."""

    def __init__(self, path: str):
        with open(path, "rb") as file:
            header = np.frombuffer(file.read(HEADER), dtype=np.uint8)
        version = int(header[8:10].view("<u2")[0]) if len(header) == HEADER else 0
        if header[:8].tobytes() != b"omnigoTR" or version not in (1, 2):
            raise ValueError(f"'{path}' holds no rows of version 1 or 2")
        self.width, self.height, self.version = int(header[10]), int(header[11]), version
        self.size = int(header[12:16].view("<u4")[0])
        if not self.size:
            raise ValueError(f"'{path}' holds rows of no size")
        count = (os.path.getsize(path) - HEADER) // self.size
        self.data = np.memmap(path, dtype=np.uint8, mode="r", offset=HEADER, shape=(count, self.size)) if count else []

    def __len__(self) -> int:
        return len(self.data)

    def batch(self, start: int, count: int, rng=None, device="cpu") -> Batch:
        """Returns rows start..start+count. `rng` draws a symmetry for each quarter of them."""
        return self.decode(np.array(self.data[start : start + count]), rng, device)

    def batches(self, most: int, size: int, device="cpu"):
        """Yields the first `most` rows in batches."""
        most = min(most, len(self))
        for start in range(0, most, size):
            yield self.batch(start, min(size, most - start), device=device)

    def decode(self, raw: np.ndarray, rng=None, device="cpu") -> Batch:
        w, h, n = self.width, self.height, self.width * self.height
        raw = torch.from_numpy(raw)
        # A copy from memory that is not pinned would wait for all earlier work of the GPU.
        raw = raw.pin_memory().to(device, non_blocking=True) if str(device).startswith("cuda") else raw.to(device)
        count = len(raw)

        def field(start, end, kind):
            return raw[:, start:end].contiguous().view(kind)

        bits = field(0, 4 * n, torch.int32)
        komi = field(4 * n, 4 * n + 4, torch.float32)[:, 0]
        target = field(4 * n + 4, 4 * n + 6, torch.int16)[:, 0].long()
        winner = field(4 * n + 6, 4 * n + 7, torch.int8)[:, 0].float()
        flags = raw[:, 4 * n + 7].long()
        score = field(4 * n + 8, 4 * n + 10, torch.int16)[:, 0].float() / 20  # half points to tens of points
        owner = field(4 * n + 12, 5 * n + 12, torch.int8).float() / 100
        policy = torch.zeros(count, n + 1, device=device)
        if self.version == 1:
            policy.scatter_(1, target[:, None], 1.0)
        else:
            tail = field(self.size - 4 * SHARES, self.size, torch.int16).view(count, SHARES, 2).long() & 0xFFFF
            policy.scatter_add_(1, tail[:, :, 0].clamp(max=n), tail[:, :, 1].float())
            policy /= policy.sum(1, keepdim=True).clamp(min=1)
        if rng is not None:
            step = max(1, count // 4)
            for at in range(0, count, step):
                moved, back = symmetry(w, h, int(rng.integers(8 if w == h else 4)), device)
                part = slice(at, at + step)
                bits[part], owner[part] = bits[part][:, moved], owner[part][:, moved]
                policy[part, :n] = policy[part, :n][:, moved]
                target[part] = back[target[part]]
        # Expand eight planes at a time.
        planes = F.embedding(bits.view(torch.uint8).int(), bits_of_bytes(device)).view(count, h, w, PLANES)
        planes[..., KOMI_PLANE] = komi.to(torch.bfloat16)[:, None, None]
        return Batch(
            planes.permute(0, 3, 1, 2),  # channels last in memory
            policy,
            target,
            winner,
            score,
            (flags & 1).float(),
            owner,
            (flags >> 1 & 1).float(),
        )


@functools.cache
def bits_of_bytes(device) -> torch.Tensor:
    return (torch.arange(256)[:, None] >> torch.arange(8) & 1).to(device, torch.bfloat16)


@functools.cache
def symmetry(w: int, h: int, turn: int, device) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the old point of each new point, and the new point of each old one (the pass stays).
    """
    index = np.arange(w * h).reshape(h, w)
    if w == h:
        moved = np.rot90(index, turn & 3)
        moved = moved.T if turn & 4 else moved
    else:
        moved = index[:: 1 - 2 * (turn & 1), :: 1 - (turn & 2)]
    moved = moved.reshape(-1).copy()
    back = np.append(np.argsort(moved), w * h)
    return torch.from_numpy(moved).to(device), torch.from_numpy(back).to(device)


class Pool:
    """The latest rows in some paths, which are files of rows or folders of them. Keeps about
    `window` rows, newest names first. New and longer files are found periodically. The last rows of
    each file, which are of other games, are held out unless `hold_out` is false."""

    def __init__(self, paths: list[str], window: int, device="cpu", hold_out=True):
        self.paths, self.window, self.device, self.hold_out = paths, window, device, hold_out
        self.found: list[tuple[str, int]] = []
        self.rows = 0
        self.look()
        if not self.rows:
            raise ValueError(f"no rows in {', '.join(paths)}")

    def files(self) -> list[tuple[str, int]]:
        """Returns the files that have a header and their sizes in bytes, newest names first."""
        names = []
        for path in self.paths:
            if os.path.isdir(path):
                for folder, _, files in os.walk(path):
                    names += [os.path.join(folder, name) for name in files if name.endswith(".rows")]
            else:
                names.append(path)
        names.sort(key=lambda path: (os.path.dirname(path), path), reverse=True)
        return [(path, size) for path in names if (size := os.path.getsize(path)) >= HEADER]

    def look(self):
        """Opens the current files."""
        self.looked, files = time.monotonic(), self.files()
        if files == self.found:
            return
        sizes, total, oldest = {}, 0, None
        for path, _ in files:
            folder = os.path.dirname(path)
            if total >= self.window and folder != oldest:
                break
            try:
                rows = Rows(path)
            except (ValueError, OSError):
                if not self.found:
                    raise
                continue  # another file that has appeared or disappeared meanwhile
            if len(rows):
                sizes.setdefault((rows.width, rows.height, rows.version), []).append(rows)
                total += len(rows)
                oldest = folder
        self.found, self.sizes, self.rows = files, sizes, total
        self.keys = sorted(sizes)
        self.ends = {key: np.cumsum([len(r) - self.tail(r) for r in sizes[key]]) for key in self.keys}
        weights = np.array([self.ends[key][-1] for key in self.keys], dtype=float)
        self.weights = weights / weights.sum()

    def tail(self, rows: Rows) -> int:
        return len(rows) // HELD_OUT if self.hold_out else 0

    def batch(self, count: int, rng) -> Batch:
        """Returns random rows of one size. Sizes are drawn in proportion to their rows."""
        if time.monotonic() - self.looked > LOOK:
            self.look()
        key = self.keys[rng.choice(len(self.keys), p=self.weights)]
        ends, files = self.ends[key], self.sizes[key]
        drawn = np.sort(rng.integers(ends[-1], size=count))
        places = np.searchsorted(ends, drawn, side="right")
        begins = np.append(0, ends[:-1])
        raw = [files[f].data[drawn[places == f] - begins[f]] for f in np.unique(places)]
        raw = np.concatenate(raw)
        rng.shuffle(raw)
        return files[0].decode(raw, rng, self.device)

    def held(self, most: int, size: int):
        """Yields about `most` held-out rows in batches."""
        share = most // sum(len(files) for files in self.sizes.values()) + 1
        for files in self.sizes.values():
            for rows in files:
                first = max(len(rows) - self.tail(rows), len(rows) - share)
                for start in range(first, len(rows), size):
                    yield rows.batch(start, size, device=self.device)
