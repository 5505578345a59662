"""A folder for a test, and files of rows that are written here as src/training/format.rs says."""

import json
import os
import random
import shutil
import struct
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRAINING = os.path.join(ROOT, "training")
# The scripts import each other as modules of this folder.
sys.path.insert(0, TRAINING)

SHARES = 32


class Row:
    """A row of any version. Everything is from the view of the player to move."""

    def __init__(self, points: int):
        self.planes = [1] * points
        self.komi = 0.0
        self.target = points
        self.winner = 0
        self.score: int | None = None  # in half points, or in 1/16 points in version 3
        self.win = 0  # in units of 1/65535, only in version 3
        self.ownership: list[int] | None = None
        self.shares: list[tuple[int, int]] = []

    def bytes(self, version: int) -> bytes:
        points = len(self.planes)
        flags = (self.score is not None) | (self.ownership is not None) << 1
        data = struct.pack(f"<{points}IfHbBhH", *self.planes, self.komi, self.target, self.winner, flags, self.score or 0, self.win)
        data += struct.pack(f"{points}b", *(self.ownership or [0] * points))
        data += bytes(-len(data) % 4)
        if version > 1:
            for move, share in self.shares + [(0, 0)] * (SHARES - len(self.shares)):
                data += struct.pack("<HH", move, share)
        return data


def file_bytes(width: int, height: int, version: int, rows: list[Row]) -> bytes:
    size = len(Row(width * height).bytes(version))
    header = b"omnigoTR" + struct.pack("<HBBI", version, width, height, size)
    return header + b"".join(row.bytes(version) for row in rows)


def labeled(draw: random.Random, width: int, height: int) -> Row:
    """Returns a row of a teacher that likes the point with the own stone in its neighborhood: a
    rule that a network can learn."""
    points = width * height
    row = Row(points)
    mark = draw.randrange(points)
    own, opponent = 1 << 1, 1 << 2
    row.planes = [1 | draw.choice((0, 0, own, opponent)) for _ in range(points)]
    row.planes[mark] = 1 | 1 << 3
    row.komi = draw.uniform(-1, 1)
    row.target = mark
    row.shares = [(mark, 60000), (points, 5000)]
    row.score = round(16 * sum((bits >> 1 & 1) - (bits >> 2 & 1) for bits in row.planes))
    row.win = 64000 if row.score > 0 else 1500
    row.ownership = [100 * ((bits >> 1 & 1) - (bits >> 2 & 1)) for bits in row.planes]
    return row


class TrainingCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="omnigo-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def write(self, name: str, data: bytes) -> str:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def label(self, folder: str, side: int, games: list[int], seed: int = 1) -> str:
        """Writes a folder as `omnigo label` does, with a game of each of these numbers of rows on
        this board. Each row tells its game by its komi."""
        draw = random.Random(seed)
        rows, lines = [], [json.dumps({"teacher": "none", "seed": seed})]
        for number, count in enumerate(games, 1):
            lines.append(json.dumps({"game": number, "board": f"{side}x{side}", "rows": count}))
            for _ in range(count):
                row = labeled(draw, side, side)
                row.komi = float(number)
                rows.append(row)
        self.write(f"{folder}/games.jsonl", ("\n".join(lines) + "\n").encode())
        return self.write(f"{folder}/{side}x{side}.rows", file_bytes(side, side, 3, rows))

    def cut_last_line(self, folder: str, left: int) -> None:
        """Leaves this many bytes of the last line of the file of games, or all but as many."""
        with open(self.path(folder, "games.jsonl"), "rb") as file:
            lines = file.read().splitlines(keepends=True)
        self.write(f"{folder}/games.jsonl", b"".join(lines[:-1]) + lines[-1][:left])
