"""Work folders: a lock for one process at a time, files that are never there in part, and child
processes that end with this one."""

import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable

# Prefix of commands: the system ends the command when this process is gone, even after `kill -9`
# (Linux).
TIED = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []


def lock(folder: str):
    """Creates a folder if needed, and locks it until this process ends. Waits up to 3 seconds for
    another process to end."""
    try:
        os.makedirs(folder, exist_ok=True)
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise SystemExit(f"cannot use '{folder}': {error.strerror}") from None
    for patience in reversed(range(30)):
        try:
            return fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not patience:
                raise SystemExit(f"'{folder}' is in use by another process") from None
            time.sleep(0.1)


def run(*command):
    """Runs a command that ends with this process. Stops if it fails."""
    words = [*map(str, command)]
    if subprocess.run([*TIED, *words]).returncode != 0:
        raise SystemExit(f"stopped: {os.path.basename(words[words[0] == sys.executable])} failed")


def whole(path: str, write: Callable[[str], None]) -> str:
    """Calls `write` unless the file exists. The file never exists under its name in part."""
    if not os.path.exists(path):
        write(path + ".new")
        os.replace(path + ".new", path)
    return path


def content(path: str) -> str:
    """Returns a hash of a file, which tells it from other files."""
    found = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    except OSError as error:
        raise SystemExit(f"cannot read '{path}': {error.strerror}") from None
    return found.hexdigest()


def unpacked(path: str, work: str) -> str:
    """Returns the path of game records as text, unpacked into the work folder if needed. The name
    there has a hash of the records, so that others of the same name are unpacked too."""
    if not path.endswith(".gz"):
        return path

    def write(out: str):
        with gzip.open(path) as packed, open(out, "wb") as file:
            shutil.copyfileobj(packed, file)

    try:
        name, ending = os.path.splitext(os.path.basename(path)[:-3])
        return whole(os.path.join(work, f"{name}-{content(path)[:16]}{ending}"), write)
    except (OSError, EOFError, zlib.error) as error:  # a damaged file raises any of them
        raise SystemExit(f"cannot unpack '{path}': {error}") from None


def replace(path: str, data: bytes):
    """Replaces a file. A full disk or a loss of power leaves the old one. Stops if that fails."""
    try:
        with open(path + ".new", "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(path + ".new")
        raise SystemExit(f"cannot write '{path}': {error.strerror}") from None


def save(path: str, state: dict):
    """Replaces a file of JSON."""
    replace(path, (json.dumps(state, indent=1) + "\n").encode())


def load(path: str) -> dict:
    """Returns the content of a file that `save` has written."""
    try:
        with open(path, "rb") as file:
            state = json.load(file)
        if isinstance(state, dict):
            return state
    except OSError as error:
        raise SystemExit(f"cannot read '{path}': {error.strerror}") from None
    except ValueError:
        pass
    raise SystemExit(f"'{path}' is damaged, expected an object of JSON")
