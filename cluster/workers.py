"""Self-play for `training/loop.py`: by threads of the program on this machine, or in pieces by the
workers of a Ray cluster."""

import subprocess
from collections.abc import Mapping, Sequence

from cluster.driver import Driver
from cluster.errors import JobError
from cluster.folder import Folder
from cluster.job import Program, Request, make
from cluster.kinds import KINDS
from cluster.piece import Kit
from cluster.pools import Pool, RayPool

# Further attempts for a piece that failed.
RETRIES = 3


def play_here(
    omnigo: str,
    out: str,
    games: int,
    seed: int,
    threads: int,
    options: Sequence[str],
    before: Sequence[str] = (),
) -> None:
    """Plays the games that a folder lacks, on `threads` threads. `before` is a prefix of the
    command."""
    command = [
        *before,
        omnigo,
        "selfplay",
        "--out",
        out,
        "--games",
        str(games),
        "--seed",
        str(seed),
    ]
    subprocess.run([*command, "--parallel", str(threads), *options], check=True)


def play_on_ray(
    address: str,
    omnigo: str,
    files: Mapping[str, str],
    out: str,
    games: int,
    seed: int,
    piece: int,
    cores: int,
    options: Sequence[str],
) -> None:
    """Plays the games that a folder lacks on the Ray cluster at `address`, in pieces of `piece`
    games. The address `local` starts a cluster with `cores` cores on this machine. `files` are
    paths by the options that name them. The pieces stay apart, because training reads all folders
    of games."""
    words = [*options, *(word for pair in files.items() for word in pair)]
    here = address == "local"

    def pool(kit: Kit) -> Pool:
        return RayPool(kit, "" if here else address, cores if here else None, 1)

    request = Request(
        KINDS["selfplay"], Program(omnigo), words, seed, games, piece, same_program=False
    )
    job = make(request)
    folder = Folder(out, job)
    try:
        failed = Driver(job, folder, pool, RETRIES, 0.0).play()
    finally:
        folder.close()
    if failed:
        raise JobError(f"{len(failed)} of {len(job.pieces)} pieces of self-play failed", 1)
