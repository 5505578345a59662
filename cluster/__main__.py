"""Run a job of omnigo in pieces, on this machine or on a Ray cluster.

    python -m cluster match --out DIR --games 40 --workers 2 --black omnigo --white "gnugo --mode gtp"
    python -m cluster selfplay --out DIR --games 100 --workers 2 --boards 9
    python -m cluster label --out DIR --games 100 --workers 2 --teacher NETWORK
    python -m cluster review GAMES --out DIR --workers 2

All other options go to omnigo. A second run of the same command skips finished pieces.
docs/cluster.md describes folders, retries, and limits.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NoReturn

from cluster.driver import Driver, merge, say
from cluster.errors import JobError, quoted
from cluster.folder import Folder
from cluster.job import ALL_SEEDS, Job, Program, Request, make, split
from cluster.kinds import KINDS, Kind
from cluster.piece import Kit
from cluster.pools import LocalPool, Pool, RayPool

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Program that is sent if no other is given, as `cargo build --release` makes it.
BUILT = os.path.join(ROOT, "target", "release", "omnigo")
# Maximum number of workers, of cores of a piece, and of attempts.
MOST = 10_000
# Maximum number of games, as in omnigo.
MOST_GAMES = 10_000_000
# Maximum number of seconds for a piece.
MOST_SECONDS = 1e7


class Parser(argparse.ArgumentParser):
    """Parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise JobError(message)


def whole(least: int, most: int) -> Callable[[str], int]:
    """Returns a parser of whole numbers in a range."""

    def parse(text: str) -> int:
        if not (
            text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) <= most
        ):
            expected = f"expected a whole number from {least} to {most}"
            raise argparse.ArgumentTypeError(f"{quoted(text)}, {expected}")
        return int(text)

    return parse


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{quoted(text)}, expected seconds, 0 or more")
    return value


def options_of(kind: Kind) -> dict[str, dict[str, Any]]:
    """Returns the options of the driver, with their arguments for argparse."""
    count = whole(1, MOST)
    options: dict[str, dict[str, Any]] = {
        "--out": {
            "metavar": "DIR",
            "required": True,
            "help": "folder of the job; continued if it exists",
        },
        "--workers": {
            "metavar": "N",
            "type": count,
            "help": "pieces at a time [default: 1, or all that fit into the cluster of --address]",
        },
        "--address": {
            "metavar": "ADDRESS",
            "default": "",
            "help": "Ray cluster to join, such as auto or HOST:PORT [default: start Ray here]",
        },
        "--local": {"action": "store_true", "help": "run pieces on this machine without Ray"},
        "--omnigo": {
            "metavar": "PATH",
            "help": "program to send [default: target/release/omnigo or omnigo]",
        },
        "--installed": {
            "metavar": "PATH",
            "help": "program of each node, which has the version of that here",
        },
        "--send": {
            "metavar": "FILE",
            "action": "append",
            "default": [],
            "help": "file that pieces find under its name in their folder; can be repeated",
        },
        "--cores": {
            "metavar": "N",
            "type": count,
            "help": "cores of a piece [default: --parallel, or 1]",
        },
        "--retries": {
            "metavar": "N",
            "type": whole(0, MOST),
            "default": 3,
            "help": "further attempts for a piece that failed [default: 3]",
        },
        "--limit": {
            "metavar": "SECONDS",
            "type": seconds,
            "default": 0.0,
            "help": "time after which a piece has failed; 0 for none [default: 0]",
        },
    }
    if kind.games:
        options["--games"] = {
            "metavar": "N",
            "type": whole(1, MOST_GAMES),
            "required": True,
            "help": "games",
        }
        options["--piece"] = {
            "metavar": "N",
            "type": whole(1, MOST_GAMES),
            "help": f"games of a piece [default: an eighth of all, at most {kind.games}]",
        }
        options["--seed"] = {
            "metavar": "N",
            "type": whole(0, ALL_SEEDS - 1),
            "default": 1,
            "help": "seed, from which each piece derives its own [default: 1]",
        }
    else:
        options["--to"] = {
            "choices": ("sgf", "json"),
            "default": "sgf",
            "help": "form of results [default: sgf]",
        }
        options["--skip-failed"] = {
            "action": "store_true",
            "help": "merge without the files that failed",
        }
    return options


def default_piece(kind: Kind, games: int) -> int:
    """Returns the number of games of a piece, so that small jobs have eight pieces too. It depends
    on the job alone, because a continued job must have the same pieces."""
    size = min(kind.games or 1, max(1, games // 8))
    return max(2, size - size % 2) if kind.even else size


def request(kind: Kind, words: Sequence[str]) -> tuple[argparse.Namespace, Request]:
    """Returns the driver's options, and the job that the words describe."""
    files = [] if kind.games else list(takewhile(lambda word: not word.startswith("-"), words))
    options = options_of(kind)
    form = kind.name if kind.games else f"{kind.name} FILE..."
    usage = f"python -m cluster {form} [OPTIONS] [OPTIONS OF OMNIGO]"
    parser = Parser(usage=usage, description=f"Run {kind.about} in pieces.", allow_abbrev=False)
    for name, settings in options.items():
        parser.add_argument(name, **settings)
    flags = {
        name: "action" not in given or given["action"] == "append"
        for name, given in options.items()
    }
    own, rest = split(words[len(files) :], {**flags, "-h": False, "--help": False})
    a = parser.parse_args([f"{name}={value}" if flags.get(name) else name for name, value in own])
    if a.local and a.address:
        raise JobError("--local and --address exclude each other")
    if a.omnigo and a.installed:
        raise JobError("--omnigo and --installed exclude each other")
    built = BUILT if os.path.exists(BUILT) else "omnigo"
    program = Program(a.installed or a.omnigo or built, bool(a.installed))
    made = Request(kind, program, rest, send=a.send)
    if kind.games:
        size = a.piece or default_piece(kind, a.games)
        return a, replace(made, seed=a.seed, games=a.games, piece=size)
    return a, replace(made, inputs=collection(files), to=a.to)


def collection(paths: Sequence[str]) -> dict[str, str]:
    """Returns the SGF files of a collection by name. A file has its own name, and a file of a
    folder its path there."""
    if not paths:
        raise JobError("no files, expected SGF files or folders of them before the first option")
    found: dict[str, str] = {}
    stems: set[str] = set()
    for path in paths:
        if not os.path.exists(path):
            raise JobError(f"no file {quoted(path)}")
        for name, place in (
            files_in(path) if os.path.isdir(path) else [(os.path.basename(path), path)]
        ):
            stem = os.path.splitext(name)[0]
            if stem in stems:
                raise JobError(
                    f"two files are called {quoted(stem)}, expected different names or a folder"
                )
            stems.add(stem)
            found[name] = place
    if not found:
        raise JobError(f"no SGF files in {quoted(paths[0])}")
    return found


def files_in(folder: str) -> list[tuple[str, str]]:
    """Returns the SGF files of a folder, by their paths in it."""
    paths = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    sgf = sorted(path for path in paths if path.lower().endswith(".sgf"))
    return [(os.path.relpath(path, folder), path) for path in sgf]


def cores_of(a: argparse.Namespace, job: Job) -> int:
    """Returns the number of cores of a piece: that of the games it plays in parallel."""
    parallel = [value for _, value in split(job.options, {"--parallel": True})[0]]
    given = parallel[-1] if parallel else "1"
    return int(
        a.cores or (given if given.isascii() and given.isdigit() and 0 < int(given) <= MOST else 1)
    )


def run(words: Sequence[str]) -> int:
    """Runs a command line, and returns the exit status."""
    if not words or words[0] in ("-h", "--help"):
        kinds = "\n".join(f"    {kind.name:10}{kind.about}" for kind in KINDS.values())
        print(f"{(__doc__ or '').strip()}\n\nKinds of jobs, each with its own --help:\n\n{kinds}")
        return 0
    if words[0] not in KINDS:
        raise JobError(f"no job {quoted(words[0])}, expected {' or '.join(KINDS)}")
    a, asked = request(KINDS[words[0]], words[1:])
    job = make(asked)

    def pool(kit: Kit) -> Pool:
        if a.local:
            return LocalPool(kit, a.workers or 1)
        return RayPool(kit, a.address, a.workers, cores_of(a, job))

    count = len(job.pieces)
    folder = Folder(a.out, job)
    try:
        failed = Driver(job, folder, pool, a.retries, a.limit).play()
        skips = bool(failed) and not job.kind.games and a.skip_failed and len(failed) < count
        if failed and not skips:
            say(f"{len(failed)} of {count} pieces failed; the same command tries them again")
            return 1
        print(merge(job, folder, failed))
        if failed:
            say(f"{len(failed)} of {count} files are left out")
        return 1 if failed else 0
    finally:
        folder.close()


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(sys.argv[1:])
    except JobError as error:
        say(f"error: {error}")
        return error.status
    except KeyboardInterrupt:
        say("interrupted; the same command continues")
        return 1
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
