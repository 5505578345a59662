"""A job: its kind, the kit of all pieces, and a list of independent pieces."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cluster import piece
from cluster.errors import JobError, quoted
from cluster.kinds import Kind
from cluster.piece import Kit, Piece, Task

# Factor of the job's seed in the seeds of its pieces, so that jobs with different seeds share none.
SEEDS = 1_000_003
# Number of seeds that omnigo accepts.
ALL_SEEDS = 1 << 64
# Maximum number of pieces of a job.
MOST_PIECES = 100_000
# Name of an input file in the folder of a piece.
GAME = "game.sgf"
# Seconds for an answer to `--help`.
HELP_SECONDS = 60


@dataclass(frozen=True)
class Program:
    """A program and its place: sent from here, or installed on each node."""

    path: str
    installed: bool = False


@dataclass(frozen=True)
class Job:
    """A job. `identity` is what makes two jobs the same: JSON values by name."""

    kind: Kind
    kit: Kit
    pieces: Sequence[Piece]
    identity: Mapping[str, Any]
    seed: int = 0
    # Options of omnigo that all pieces have, and those of the merge alone.
    options: Sequence[str] = ()
    finish: Sequence[str] = ()


@dataclass(frozen=True)
class Request:
    """A job as users describe it."""

    kind: Kind
    program: Program
    # Options of omnigo.
    options: Sequence[str] = ()
    seed: int = 1
    games: int = 0
    # Games of a piece.
    piece: int = 0
    # Input files: paths by their names in the collection.
    inputs: Mapping[str, str] = field(default_factory=dict)
    to: str = "sgf"
    # Further files that are sent.
    send: Sequence[str] = ()
    # False if another program may finish the job, as in training.
    same_program: bool = True


def read(path: str) -> bytes:
    """Returns the content of a file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise JobError(f"cannot read {quoted(path)}: {error.strerror}") from None


def task(work: Piece, limit: float) -> Task:
    """Returns a piece in the form that workers get."""
    return Task(work.arguments, {GAME: read(work.path)} if work.path else {}, limit)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def split(
    options: Sequence[str], taken: Mapping[str, bool]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Separates options by name. `taken` says which of them take a value. Accepts `--a b` and
    `--a=b`. Returns the taken options with their values, and all other words."""
    found: list[tuple[str, str]] = []
    rest: list[str] = []
    words = iter(options)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in taken:
            rest.append(word)
        elif not taken[name]:
            found.append((name, ""))
        else:
            found.append((name, value if equals else value_of(name, words)))
    return found, rest


def value_of(name: str, words: Iterator[str]) -> str:
    value = next(words, None)
    if value is None:
        raise JobError(f"{name}: expected a value")
    return value


def make(request: Request) -> Job:
    """Returns the job of a request."""
    kind = request.kind
    for option, _ in split(request.options, dict.fromkeys(kind.refused, True))[0]:
        raise JobError(f"{option} cannot be used: a piece does not see the games of the others")
    for option, _ in split(request.options, {kind.output[0]: True})[0]:
        raise JobError(f"{option} cannot be used: the driver names the results of pieces")
    finish, options = split(request.options, kind.finish)
    files: dict[str, bytes] = {}
    options = send_values(kind, options, files)
    programs = set()
    for path in request.send:
        name = add(files, path)
        if os.access(path, os.X_OK):
            programs.add(name)
    identity: dict[str, Any] = {
        "kind": kind.name,
        "options": options,
        "sent": {name: digest(data) for name, data in files.items()},
    }
    kit = make_kit(request.program, kind, files, programs)
    if request.same_program:
        sent = kit.files.get(piece.PROGRAM)
        identity["program"] = kit.version if sent is None else digest(sent)
    if kind.games:
        identity |= {
            "seed": request.seed,
            "games": request.games,
            "games of a piece": request.piece,
        }
        pieces = game_pieces(request, options)
    else:
        inputs = request.inputs.items()
        identity |= {
            "to": request.to,
            "inputs": {name: digest(read(path)) for name, path in inputs},
        }
        pieces = file_pieces(request, options)
    if not 0 < len(pieces) <= MOST_PIECES:
        raise JobError(f"{len(pieces)} pieces, expected 1 to {MOST_PIECES}")
    words = [word for option, value in finish for word in finishing(option, value)]
    return Job(kind, kit, pieces, identity, request.seed, options, words)


def finishing(option: str, value: str) -> list[str]:
    """Returns an option of the merge. Its value is a path, and the merge runs elsewhere."""
    return [option, os.path.abspath(value)] if value else [option]


def send_values(kind: Kind, options: Sequence[str], files: dict[str, bytes]) -> list[str]:
    """Adds the files that options name to `files`. Returns the options with the names that the
    files have in the folder of a piece."""
    found, rest = split(options, dict.fromkeys(kind.sent, True))
    for option, value in found:
        if value != "none":
            value = add(files, value, option.strip("-"))
        rest += [option, value]
    return rest


def add(files: dict[str, bytes], path: str, name: str = "") -> str:
    """Adds a file that is sent, and returns its name there."""
    name = name or os.path.basename(os.path.abspath(path))
    if name in files or name in piece.RESERVED or name == GAME:
        raise JobError(f"{quoted(path)} cannot be sent as {quoted(name)}: expected another name")
    files[name] = read(path)
    return name


def make_kit(program: Program, kind: Kind, files: dict[str, bytes], programs: set[str]) -> Kit:
    """Returns the kit of a job after asking the program for the subcommand."""
    path = find(program)
    try:
        asked = [path, kind.name, "--help"]
        told = subprocess.run(
            asked,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=HELP_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JobError(f"cannot run {quoted(program.path)}: {piece.short(str(error))}") from None
    if told.returncode != 0 or kind.output[0].encode() not in told.stdout:
        expected = f"expected an omnigo that has {kind.name} with {kind.output[0]}"
        raise JobError(
            f"{quoted(program.path)} has no such command {quoted(kind.name)}, {expected}"
        )
    if not program.installed:
        sent = {**files, piece.PROGRAM: read(path)}
        return Kit(sent, frozenset({*programs, piece.PROGRAM}))
    version = piece.version_of(path)
    if not version:
        raise JobError(f"{quoted(program.path)} does not answer --version")
    return Kit(files, frozenset(programs), program.path, version)


def find(program: Program) -> str:
    """Returns the absolute path of a program."""
    path = shutil.which(program.path)
    if not path:
        raise JobError(f"no program {quoted(program.path)}, expected a path or a name on the PATH")
    return os.path.abspath(path)


def output(request: Request) -> list[str]:
    """Returns the arguments that name the result of a piece."""
    option, name = request.kind.output
    return [option, os.path.normpath(os.path.join(piece.OUT, name.format(to=request.to)))]


def game_pieces(request: Request, options: Sequence[str]) -> list[Piece]:
    """Returns the pieces of a job of games. Pieces have their own seeds and numbers of games."""
    kind, size = request.kind, request.piece
    if kind.even and size % 2 and size < request.games:
        raise JobError(f"--piece {size}: expected an even number, because {kind.even}")
    # Check the number first, because the list needs memory.
    if size < 1 or not 0 < request.games <= size * MOST_PIECES:
        raise JobError(
            f"--games {request.games} --piece {size}: expected 1 to {MOST_PIECES} pieces"
        )
    pieces = []
    for number, start in enumerate(range(0, request.games, size)):
        games = min(size, request.games - start)
        seed = (request.seed * SEEDS + number) % ALL_SEEDS
        words = [kind.name, *options, "--games", str(games), "--seed", str(seed), *output(request)]
        pieces.append(Piece(number, tuple(words), seed, games))
    return pieces


def file_pieces(request: Request, options: Sequence[str]) -> list[Piece]:
    """Returns a piece for each input file."""
    words = (request.kind.name, GAME, *options, *output(request))
    inputs = enumerate(request.inputs.items())
    return [Piece(number, words, name=name, path=path) for number, (name, path) in inputs]
