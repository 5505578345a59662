"""Driver of a job: starts missing pieces, retries failed ones, keeps results, and merges them."""

import os
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Container, Sequence

from cluster import piece
from cluster.errors import JobError, quoted
from cluster.folder import RESULT, Folder
from cluster.job import Job, Program, find, task
from cluster.piece import Kit, Outcome
from cluster.pools import Pool

# Creates the workers of a job, if any piece is missing.
MakePool = Callable[[Kit], Pool]


def say(text: str) -> None:
    """Prints a line of progress. Standard output is for results."""
    print(text, file=sys.stderr, flush=True)


class Driver:
    """Plays the pieces of a job. Failed pieces are retried `retries` times."""

    def __init__(
        self, job: Job, folder: Folder, make_pool: MakePool, retries: int, limit: float
    ) -> None:
        self.job, self.folder, self.make_pool = job, folder, make_pool
        self.retries, self.limit = retries, limit
        self.waiting = deque(folder.missing())
        self.left = len(self.waiting)
        self.attempts: Counter[int] = Counter()
        self.given_up: dict[int, str] = {}
        # Warnings that were told, each with the input file of its piece.
        self.told: set[tuple[str, str]] = set()

    def play(self) -> dict[int, str]:
        """Runs the missing pieces. Returns the reasons of those that failed too often."""
        if not self.waiting:
            return {}
        total = len(self.job.pieces)
        if self.left < total:
            say(f"pieces finished before: {total - self.left} of {total}")
        pool = self.make_pool(self.job.kit)
        running = 0
        try:
            while self.waiting or running:
                while self.waiting and running < pool.slots:
                    number = self.waiting.popleft()
                    self.attempts[number] += 1
                    pool.start(number, task(self.job.pieces[number], self.limit))
                    running += 1
                for number, outcome in pool.wait():
                    running -= 1
                    self.take(number, outcome)
        finally:
            pool.close()
        return self.given_up

    def take(self, number: int, outcome: Outcome) -> None:
        """Keeps the result of a piece, or decides about another attempt."""
        name = self.name(number)
        reason = outcome.reason
        if not reason:
            reason = piece.short(self.job.kind.check(self.job.pieces[number], outcome.files))
        if not reason:
            self.folder.keep(number, outcome.files)
            self.left -= 1
            self.warn(number, outcome.warnings)
            say(f"{name} done, {self.left} left")
        elif outcome.final:
            raise JobError(f"{name}: {reason}")
        elif self.attempts[number] > self.retries:
            self.given_up[number] = reason
            self.left -= 1
            say(f"{name} failed ({reason}) in the last of {self.attempts[number]} attempts")
        else:
            again = f"attempt {self.attempts[number] + 1} of {self.retries + 1} follows"
            say(f"{name} failed ({reason}), {again}")
            self.waiting.append(number)

    def warn(self, number: int, warnings: Sequence[str]) -> None:
        """Prints the warnings of a piece. Pieces without an input file share their warnings, so
        each of these is printed once."""
        file = self.job.pieces[number].name
        for warning in warnings:
            if (file, warning) not in self.told:
                self.told.add((file, warning))
                say(f"{self.name(number)}: {warning}")

    def name(self, number: int) -> str:
        file = self.job.pieces[number].name
        name = f"piece {number + 1} of {len(self.job.pieces)}"
        return f"{name} ({piece.short(file)})" if file else name


def merge(job: Job, folder: Folder, skipped: Container[int] = ()) -> str:
    """Merges the results of all pieces that are not skipped, unless an earlier run has done so.
    Returns the summary."""
    if not os.path.exists(folder.result()):
        places = [(p, folder.piece(p.number)) for p in job.pieces if p.number not in skipped]
        try:
            job.kind.merge(places, folder.new_result(), job.seed)
            folder.finish()
        except OSError as error:
            raise JobError(f"cannot write into {folder.shown}: {error.strerror}", 1) from None
    if job.kind.summary:
        return summarize(job, os.path.join(folder.result(), job.kind.summary))
    told = job.kind.tell(folder.result())
    return f"{told} in {quoted(os.path.join(folder.given, RESULT))}"


def summarize(job: Job, record: str) -> str:
    """Runs omnigo on the merged record, which lacks no game, and returns the summary."""
    games = sum(work.games for work in job.pieces)
    words = [job.kind.name, *job.options, "--games", str(games), "--seed", str(job.seed)]
    words += [job.kind.output[0], record, *job.finish]
    with tempfile.TemporaryDirectory(prefix="omnigo-kit-") as place:
        piece.unpack(job.kit, place)
        installed = job.kit.installed
        program = find(Program(installed)) if installed else os.path.join(place, piece.PROGRAM)
        done = subprocess.run(
            [program, *words],
            cwd=place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    if done.returncode != 0:
        said = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise JobError(f"the pieces are finished, but their summary failed: {piece.short(said)}", 1)
    return done.stdout.decode(errors="replace").strip()
