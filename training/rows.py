"""Training rows, as written by `omnigo rows`, `omnigo selfplay`, and `omnigo label`, and pools of
them. `src/training/format.rs` describes the format.

PyTorch decodes the rows on the training device. The processor of a machine with a GPU then only
copies bytes.
"""

import functools
import json
import mmap
import os
import time
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from model import KOMI_PLANE, PLANES

HEADER = 16
SHARES = 32
GAMES = "games.jsonl"
LABELS = 3  # version of rows from a teacher
HELD_OUT = 50  # about the last 1/50 of the rows of a file is held out
LOOK = 30  # seconds between searches of a pool for new files


class DamagedRows(ValueError):
    """A file of rows has content that `omnigo` never writes, or became shorter while in use."""


class Batch(NamedTuple):
    """Positions of one board size, all from the view of the player to move."""

    x: torch.Tensor  # [N, 32, H, W]: input planes
    policy: torch.Tensor  # [N, H W + 1]: move probabilities, the pass last
    target: torch.Tensor  # [N]: the move played, or the teacher's best move
    win: torch.Tensor  # [N]: probability to win, 1 or 0 without a teacher
    known: torch.Tensor  # [N]: 1 where that is known
    score: torch.Tensor  # [N]: tens of points
    scored: torch.Tensor  # [N]: 1 where the score is known
    owner: torch.Tensor  # [N, H W]: 1 own, -1 the opponent's
    owned: torch.Tensor  # [N]: 1 where the ownership is known


class Rows:
    """A memory-mapped file of rows. An incomplete last row is left out: it is being written, or its
    writer was killed. Rows of games without a line in the file of games are left out too. The next
    writer cuts them off, and reading them then would kill the process by SIGBUS."""

    def __init__(self, path: str):
        with open(path, "rb") as file:
            header = np.frombuffer(file.read(HEADER), dtype=np.uint8)
        version = int(header[8:10].view("<u2")[0]) if len(header) == HEADER else 0
        if header[:8].tobytes() != b"omnigoTR" or version not in (1, 2, LABELS):
            raise ValueError(f"'{path}' has no rows of version 1 to {LABELS}")
        self.path, self.width, self.height, self.version = path, int(header[10]), int(header[11]), version
        self.size = int(header[12:16].view("<u4")[0])
        expected = row_size(self.width, self.height, version)
        if self.size != expected:
            raise ValueError(f"'{path}' has rows of {self.size} bytes, expected {expected}")
        # A game's line follows its rows, so the lines are read before the size of the file.
        self.starts = self.game_starts()
        self.map, count = None, 0
        with open(path, "rb") as file:
            found = (os.fstat(file.fileno()).st_size - HEADER) // self.size
            count = found if self.starts is None else min(found, self.starts[-1])
            if count:
                self.map = mmap.mmap(file.fileno(), HEADER + count * self.size, access=mmap.ACCESS_READ)
        bytes = np.frombuffer(self.map, np.uint8, offset=HEADER) if self.map else np.empty(0, np.uint8)
        self.data = bytes.reshape(count, self.size)

    def __len__(self) -> int:
        return len(self.data)

    @property
    def points(self) -> int:
        return self.width * self.height

    def batch(self, start: int, count: int, rng=None, device="cpu", kind=torch.bfloat16) -> Batch:
        """Returns rows start..start+count. `rng` draws a symmetry for each quarter of them."""
        return self.decode(self.take(slice(start, start + count)), rng, device, kind)

    def take(self, places) -> np.ndarray:
        """Returns a copy of the bytes of some rows. Raises `DamagedRows` for a move that is off the
        board, which would stop a GPU, for an infinite komi, and for a file that was cut."""
        if self.map is not None and self.map.size() < len(self.map):
            raise DamagedRows(f"'{self.path}' became shorter while its rows were in use, expected that only `omnigo` changes it")
        raw, n = np.array(self.data[places]), self.points
        komi = raw[:, 4 * n : 4 * n + 4].copy().view("<f4")
        moves = raw[:, 4 * n + 4 : 4 * n + 6].copy().view("<u2")
        if (moves > n).any() or not np.isfinite(komi).all():
            raise DamagedRows(f"'{self.path}' has a damaged row, expected moves from 0 to {n} and a finite komi")
        return raw

    def batches(self, most: int, size: int, device="cpu", kind=torch.bfloat16):
        """Yields the first `most` rows in batches."""
        most = min(most, len(self))
        for start in range(0, most, size):
            yield self.batch(start, min(size, most - start), None, device, kind)

    def held_out(self) -> int:
        """Returns the number of the first held-out row. About the last 1/50 of the rows is held
        out. In a folder with a file of games, these are whole games. Few games may be too many to
        hold one of them out."""
        first = len(self) - len(self) // HELD_OUT
        if self.starts is None or first == len(self):
            return first
        begin = max(start for start in self.starts if start <= first)
        return begin if begin >= len(self) / 2 else len(self)

    def game_starts(self) -> list[int] | None:
        """Returns the first row of each game, then the end of their rows, from the file of games in
        the same folder. `None` without such a file, or if it is of other games."""
        starts, begin, numbers, is_folder = [], 0, set(), False
        board = os.path.basename(self.path).removesuffix(".rows")
        try:
            with open(os.path.join(os.path.dirname(self.path), GAMES), "rb") as file:
                for text in file:
                    if not text.endswith(b"\n"):
                        break  # it is being written, or its writer was killed
                    line = json.loads(text)
                    # The first line has the settings of a run, and among them its boards.
                    is_folder |= "boards" in line
                    if line.get("board") == board and line["game"] not in numbers:
                        numbers.add(line["game"])
                        starts.append(begin)
                        begin += int(line["rows"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            pass  # no such file, or not one of `omnigo`
        return [*starts, begin] if starts or is_folder else None

    def decode(self, raw: np.ndarray, rng=None, device="cpu", kind=torch.bfloat16) -> Batch:
        """Returns rows of the file from their bytes, with input planes of the type `kind`."""
        w, h, n = self.width, self.height, self.width * self.height
        raw = torch.from_numpy(raw)
        # A copy from memory that is not pinned would wait for all earlier work of the GPU.
        raw = raw.pin_memory().to(device, non_blocking=True) if str(device).startswith("cuda") else raw.to(device)
        count = len(raw)

        def field(start, end, type):
            return raw[:, start:end].contiguous().view(type)

        bits = field(0, 4 * n, torch.int32)
        komi = field(4 * n, 4 * n + 4, torch.float32)[:, 0]
        target = field(4 * n + 4, 4 * n + 6, torch.int16)[:, 0].long()
        winner = field(4 * n + 6, 4 * n + 7, torch.int8)[:, 0].float()
        flags = raw[:, 4 * n + 7].long()
        score = field(4 * n + 8, 4 * n + 10, torch.int16)[:, 0].float()
        if self.version == LABELS:
            score /= 160  # 1/16 points to tens of points
            win = (field(4 * n + 10, 4 * n + 12, torch.int16)[:, 0].long() & 0xFFFF).float() / 0xFFFF
            known = torch.ones_like(win)
        else:
            score /= 20  # half points to tens of points
            win, known = (winner > 0).float(), (winner != 0).float()
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
        planes = F.embedding(bits.view(torch.uint8).int(), bits_of_bytes(device, kind)).view(count, h, w, PLANES)
        # The engine rounds the input to bf16.
        planes[..., KOMI_PLANE] = komi.to(torch.bfloat16).to(kind)[:, None, None]
        return Batch(
            planes.permute(0, 3, 1, 2),  # channels last in memory
            policy,
            target,
            win,
            known,
            score,
            (flags & 1).float(),
            owner,
            (flags >> 1 & 1).float(),
        )


def size_of(path: str) -> int:
    """Returns the size of a file in bytes, 0 if it is gone."""
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def row_size(width: int, height: int, version: int) -> int:
    """Returns the number of bytes of a row."""
    return (5 * width * height + 12 + 3) // 4 * 4 + (4 * SHARES if version > 1 else 0)


@functools.cache
def bits_of_bytes(device, kind) -> torch.Tensor:
    return (torch.arange(256)[:, None] >> torch.arange(8) & 1).to(device, kind)


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
    each file, which are of other games, are held out unless `hold_out` is false. `amount` gives the
    number of positions in a batch of boards with this number of points."""

    def __init__(self, paths: list[str], window: int, amount, device="cpu", kind=torch.bfloat16, hold_out=True):
        self.paths, self.window, self.device, self.kind, self.hold_out = paths, window, device, kind, hold_out
        self.amount = amount
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
        return [(path, size) for path in names if (size := size_of(path)) >= HEADER]

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
        if self.found and not total:
            return  # the files are gone, but those in use stay open
        self.found, self.sizes, self.rows = files, sizes, total
        self.keys = sorted(sizes)
        self.ends = {key: np.cumsum([self.first_held(r) for r in sizes[key]]) for key in self.keys}
        # Sizes get positions in proportion to their rows, whatever the size of their batches.
        weights = np.array([self.ends[key][-1] / self.amount(key[0] * key[1]) for key in self.keys])
        self.weights = weights / weights.sum()

    def teaches(self) -> bool:
        """Returns true if all rows come from a teacher."""
        return all(version == LABELS for _, _, version in self.keys)

    def first_held(self, rows: Rows) -> int:
        return rows.held_out() if self.hold_out else len(rows)

    def batch(self, rng) -> Batch:
        """Returns random rows of one size."""
        if time.monotonic() - self.looked > LOOK:
            self.look()
        key = self.keys[rng.choice(len(self.keys), p=self.weights)]
        ends, files, count = self.ends[key], self.sizes[key], self.amount(key[0] * key[1])
        drawn = rng.integers(ends[-1], size=count)
        places = np.searchsorted(ends, drawn, side="right")
        begins = np.append(0, ends[:-1])
        raw = np.empty((count, files[0].size), np.uint8)
        for f in np.unique(places):
            raw[places == f] = files[f].take(drawn[places == f] - begins[f])
        return files[0].decode(raw, rng, self.device, self.kind)

    def held(self, most: int, size: int):
        """Yields about `most` held-out rows in batches, evenly spaced in the held-out games."""
        tails = [(rows, first) for key in self.keys for rows, first in self.tails(key) if first < len(rows)]
        share = most // max(1, len(tails)) + 1
        for rows, first in tails:
            places = np.unique(np.linspace(first, len(rows) - 1, share).astype(int))
            for start in range(0, len(places), size):
                yield rows.decode(rows.take(places[start : start + size]), None, self.device, self.kind)

    def tails(self, key):
        """Returns the files of a size, each with its first held-out row."""
        firsts = np.diff(self.ends[key], prepend=0)
        return zip(self.sizes[key], firsts)
