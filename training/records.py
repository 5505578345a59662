"""Rows of game records, written by `omnigo rows` during training: one position of each game per
seed."""

import os
import shutil
import subprocess

from rows import Batch, Pool, Rows
from work import TIED


class Records:
    """Each of `writers` processes writes the file of one seed. Rows are used in the order of the
    seeds, once each. While the next file is incomplete, rows of the latest `window` are drawn
    again, so that a GPU does not wait."""

    def __init__(self, a, seed: int, place: int, amount, kind):
        self.a, self.seed, self.place, self.amount, self.kind = a, seed, place, amount, kind
        self.folder = os.path.join(a.work, "rows")
        # Delete the files of an earlier call, including those that a surviving writer may still be
        # writing.
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.coming: dict[str, subprocess.Popen] = {}
        self.kept: list[tuple[str, int]] = []
        self.pool = None
        self.order_ahead(seed)
        if not a.held:
            self.order("held", 1, "--held-out")
            self.held_out = Rows(self.take("held"))
        self.now = self.open()

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name + ".rows")

    def order(self, name: str, seed: int, *more: str):
        """Starts the writing of a file of rows."""
        command = [*TIED, "nice", self.a.omnigo, "rows", self.a.games, "--seed", str(seed), "--out", self.path(name) + ".part"]
        self.coming[name] = subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def order_ahead(self, first: int):
        """Starts the writing of the files of the next seeds, each by its own process."""
        for seed in range(first, first + self.a.writers):
            if number(seed) not in self.coming:
                self.order(number(seed), seed, "--most", str(self.a.rows))

    def take(self, name: str) -> str:
        """Waits for an ordered file and returns its path."""
        writer = self.coming.pop(name)
        _, told = writer.communicate()
        if writer.returncode != 0:
            raise SystemExit(f"'{self.a.omnigo} rows' failed on '{self.a.games}': {told.strip() or writer.returncode}")
        os.replace(self.path(name) + ".part", self.path(name))
        return self.path(name)

    def open(self) -> Rows:
        """Opens the file of the current seed. Deletes the files that are beyond the window."""
        path = self.take(number(self.seed))
        rows = Rows(path)
        if not len(rows):
            raise SystemExit(f"no rows come from '{self.a.games}'")
        self.order_ahead(self.seed + 1)
        self.kept.append((path, len(rows)))
        while sum(n for _, n in self.kept[1:]) >= self.a.window:
            os.remove(self.kept.pop(0)[0])
        self.pool = None
        return rows

    def batch(self, rng) -> Batch:
        count = self.amount(self.now.points)
        if self.place + count > len(self.now):
            if self.coming[number(self.seed + 1)].poll() is None:
                self.pool = self.pool or self.draw_again()
                return self.pool.batch(rng)
            self.seed, self.place = self.seed + 1, 0
            self.now = self.open()
        self.place += count
        return self.now.batch(self.place - count, count, rng, self.a.device, self.kind)

    def draw_again(self) -> Pool:
        """Returns a pool of the files of the window."""
        paths = [path for path, _ in self.kept]
        return Pool(paths, self.a.window, self.amount, self.a.device, self.kind, hold_out=False)

    def held(self, most: int, size: int):
        return self.held_out.batches(most, size, self.a.device, self.kind)

    def close(self):
        for writer in self.coming.values():
            writer.kill()
            writer.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


def number(seed: int) -> str:
    return f"{seed:08}"
