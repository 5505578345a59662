"""Measure the speed of one worker and of two on this machine: `python -m cluster.speedup OMNIGO`.

Prints seconds and their ratio for the same self-play job, without the time in which Ray starts.
Other work on the machine distorts the ratio.
"""

import contextlib
import importlib.util
import io
import os
import sys
import tempfile
import time

from cluster.driver import Driver
from cluster.errors import JobError
from cluster.folder import Folder
from cluster.job import Job, Program, Request, make
from cluster.kinds import KINDS
from cluster.piece import Kit, Task
from cluster.pools import LocalPool, Pool, RayPool

# Games of the job, and of each piece. One worker needs about 25 seconds: in a job of a few seconds,
# the start of Ray's workers hides the speed of the second one.
GAMES, PIECE = 144, 6
OPTIONS = ["--boards", "7", "--net", "none", "--playouts", "400", "--quick-playouts", "200"]


def job_of(omnigo: str) -> Job:
    request = Request(KINDS["selfplay"], Program(omnigo), OPTIONS, games=GAMES, piece=PIECE)
    return make(request)


def seconds(job: Job, workers: int, on_ray: bool) -> float:
    """Returns the seconds from the first piece until the pool is closed."""
    began = 0.0

    def pool(kit: Kit) -> Pool:
        nonlocal began
        made: Pool = RayPool(kit, "", workers, 1) if on_ray else LocalPool(kit, workers)
        # Start the processes of the workers with a task that ends at once.
        for number in range(workers):
            made.start(-number - 1, Task(("--version",)))
        for _ in range(workers):
            made.wait()
        began = time.monotonic()
        return made

    with tempfile.TemporaryDirectory() as place:
        folder = Folder(place, job)
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                failed = Driver(job, folder, pool, 0, 0.0).play()
        finally:
            folder.close()
    if failed:
        raise JobError(f"{len(failed)} of {len(job.pieces)} pieces failed", 1)
    return time.monotonic() - began


def main() -> int:
    on_ray = importlib.util.find_spec("ray") is not None
    try:
        job = job_of(sys.argv[1] if len(sys.argv) > 1 else "omnigo")
        one, two = (seconds(job, workers, on_ray) for workers in (1, 2))
    except JobError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.status
    place = "Ray" if on_ray else "processes without Ray"
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    measured = f"{one / two:.2f} ({one:.1f} s, {two:.1f} s; {load})"
    print(f"speed of two workers over one, {place}: {measured}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
