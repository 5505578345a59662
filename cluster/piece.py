"""One piece of a job: runs a command line of omnigo in a temporary folder, and returns its files.

Ray sends this module to its workers by value, so it uses only the standard library.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field

# Name of the program in the folder of a piece. Engine commands of a match can use it.
PROGRAM = "omnigo"
# Folder of the result files, in the folder of a piece.
OUT = "out"
# File of the messages, in the folder of a piece.
MESSAGES = "messages"
# Names in the folder of a piece that no sent file can have.
RESERVED = (PROGRAM, OUT, MESSAGES)
# Maximum number of bytes read from the end of the messages.
LAST_BYTES = 8192
# Beginnings of messages about errors.
MARKS = ("error: ", "omnigo: ")
# Beginning of a message about something that does not end the program.
WARNING = "warning: "
# Maximum number of characters of a reason.
REASON = 240
# Seconds for an answer to `--version`.
VERSION_SECONDS = 60


@dataclass(frozen=True)
class Piece:
    """A piece of a job: number from 0, arguments of omnigo, seed and number of games, or an input
    file."""

    number: int
    arguments: tuple[str, ...]
    seed: int = 0
    games: int = 0
    # Path of an input file, and its name in the collection.
    name: str = ""
    path: str = ""


@dataclass(frozen=True)
class Kit:
    """Files that all pieces of a job need, by name. Without the program among them, the node's own
    program `installed` is used, and it must answer `version` to `--version`."""

    files: dict[str, bytes]
    programs: frozenset[str] = frozenset()
    installed: str = ""
    version: str = ""


@dataclass(frozen=True)
class Task:
    """Arguments of omnigo, the piece's own input files by name, and its seconds (0: no limit)."""

    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    limit: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """Result files by name with warnings, or the reason of a failure. A failure is final if the
    arguments are wrong, so that all other pieces would fail too."""

    files: dict[str, bytes]
    reason: str = ""
    final: bool = False
    warnings: tuple[str, ...] = ()


def unpack(kit: Kit, place: str) -> None:
    """Writes the files of a kit into a folder."""
    for name, data in kit.files.items():
        path = os.path.join(place, name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o700 if name in kit.programs else 0o600)


def run_alone(kit: Kit, task: Task) -> Outcome:
    """Unpacks the kit and runs the piece: the task of a Ray worker."""
    with tempfile.TemporaryDirectory(prefix="omnigo-kit-") as place:
        unpack(kit, place)
        return run(kit, place, task)


def run(
    kit: Kit,
    place: str,
    task: Task,
    started: Callable[[subprocess.Popen[bytes]], None] | None = None,
) -> Outcome:
    """Runs a piece with the kit in the folder `place`. Calls `started` with its process."""
    with tempfile.TemporaryDirectory(prefix="omnigo-piece-") as folder:
        try:
            for name in kit.files:
                os.symlink(os.path.join(place, name), os.path.join(folder, name))
            program = os.path.join(folder, PROGRAM)
            if kit.installed:
                flaw = link_installed(kit, program)
                if flaw:
                    return Outcome({}, flaw)
            for name, data in task.files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            os.mkdir(os.path.join(folder, OUT))
            return run_in(folder, [program, *task.arguments], task.limit, started)
        except OSError as error:
            return Outcome({}, short(f"cannot run the piece: {error}"))


def link_installed(kit: Kit, program: str) -> str:
    """Links the node's own program into the folder of a piece. Returns the reason if it cannot be
    used."""
    path = shutil.which(kit.installed)
    if not path:
        return short(f"the node has no program '{kit.installed}'")
    os.symlink(os.path.abspath(path), program)
    version = version_of(program)
    if version != kit.version:
        return short(f"the node's program is '{version}', expected '{kit.version}'")
    return ""


def version_of(program: str) -> str:
    """Returns the answer to `--version`; empty if there is none."""
    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""


def run_in(
    folder: str,
    command: list[str],
    limit: float,
    started: Callable[[subprocess.Popen[bytes]], None] | None,
) -> Outcome:
    """Runs the command in the folder. The system ends it when the worker is gone, even after
    `kill -9` (Linux with `setpriv`)."""
    tied = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    # Engine commands of a match find the program and sent programs by their names.
    path = folder + os.pathsep + os.environ.get("PATH", os.defpath)
    with open(os.path.join(folder, MESSAGES), "wb") as messages:
        process = subprocess.Popen(
            [*tied, *command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,
        )
    try:
        if started:
            started(process)
        status = process.wait(limit or None)
    except subprocess.TimeoutExpired:
        return Outcome({}, f"not finished after {limit:g} seconds")
    finally:
        end(process)
    lines = last_lines(os.path.join(folder, MESSAGES))
    if status == 0:
        warnings = tuple(short(line) for line in lines if line.startswith(WARNING))
        return Outcome(read_folder(os.path.join(folder, OUT)), warnings=warnings)
    if status < 0:
        return Outcome({}, f"killed by signal {-status}")
    said = last_message(lines)
    return Outcome({}, short(said or f"exit status {status} without a message"), final=status == 2)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kills what is left of a process and its children, unless it has ended well."""
    if process.poll() != 0:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def read_folder(folder: str) -> dict[str, bytes]:
    """Returns the files of a folder by name."""
    files: dict[str, bytes] = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    return files


def last_lines(path: str) -> list[str]:
    """Returns the last lines of the messages."""
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - LAST_BYTES))
        return [line.strip() for line in file.read().decode(errors="replace").splitlines()]


def last_message(lines: list[str]) -> str:
    """Returns the last message that names an error, or the last line."""
    marked = [number for number, line in enumerate(lines) if line.startswith(MARKS)]
    if not marked:
        return ([line for line in lines if line] or [""])[-1]
    message = lines[marked[-1] :]
    if message[0].endswith(":"):
        # A list of missing arguments follows, up to an empty line.
        message = message[: message.index("")] if "" in message else message
    else:
        message = message[:1]
    return " ".join(message).partition(": ")[2]


def short(text: str) -> str:
    """Returns a reason on one line of bounded length."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= REASON else plain[: REASON - 3] + "..."
