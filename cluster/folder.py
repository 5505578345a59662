"""The folder of a job: its description in `job.json`, a folder for each finished piece, and the
merged result. Each of these exists completely or not at all."""

import fcntl
import json
import os
import re
import shutil
from typing import Any

from cluster.errors import JobError, quoted
from cluster.job import Job

MANIFEST = "job.json"
RESULT = "result"
# Ending of a folder or file that is being written.
NEW = ".new"
# Version of the folder's layout.
FORMAT = 1
PIECE = re.compile(r"piece-\d{4,}(\.new)?")


class Folder:
    """Folder of a job, locked until it is closed."""

    def __init__(self, path: str, job: Job) -> None:
        self.path = os.path.abspath(path)
        self.given, self.shown = path, quoted(path)
        self.job = job
        try:
            os.makedirs(self.path, exist_ok=True)
            self.held = os.open(self.path, os.O_RDONLY)
        except OSError as error:
            raise JobError(f"cannot use {self.shown}: {error.strerror}") from None
        try:
            self.lock()
            self.begin()
        except OSError as error:
            self.close()
            raise JobError(f"cannot use {self.shown}: {error.strerror}") from None
        except JobError:
            self.close()
            raise

    def close(self) -> None:
        os.close(self.held)

    def lock(self) -> None:
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JobError(f"{self.shown} is in use by another job", 1) from None

    def begin(self) -> None:
        """Refuses the folder of another job, and removes what a killed driver left incomplete."""
        names = os.listdir(self.path)
        known = {MANIFEST, MANIFEST + NEW, RESULT, RESULT + NEW}
        foreign = [
            name for name in sorted(names) if name not in known and not PIECE.fullmatch(name)
        ]
        kept = [
            name
            for name in names
            if name == RESULT or PIECE.fullmatch(name) and not name.endswith(NEW)
        ]
        if MANIFEST not in names and (foreign or kept):
            name = (foreign or kept)[0]
            raise JobError(f"{self.shown} has {quoted(name)} and no job, expected an empty folder")
        for name in names:
            if name.endswith(NEW) and name not in foreign:
                remove(os.path.join(self.path, name))
        if MANIFEST in names:
            difference = self.difference()
            # Without results, nothing is lost if another job takes the folder.
            if difference and kept:
                raise JobError(
                    f"{self.shown} has another job: {difference}; expected the same command"
                )
            if not difference:
                return
        self.write_manifest()

    def difference(self) -> str:
        """Returns the first difference to the folder's job, or an empty text."""
        try:
            with open(os.path.join(self.path, MANIFEST), encoding="utf-8") as file:
                manifest = json.load(file)
            there = manifest["job"] if manifest["format"] == FORMAT else {}
            if not isinstance(there, dict):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            return f"{MANIFEST} cannot be read"
        here: dict[str, Any] = json.loads(json.dumps(dict(self.job.identity)))
        for name in [*here, *there]:
            if there.get(name) != here.get(name):
                return describe(name, there.get(name), here.get(name))
        return ""

    def write_manifest(self) -> None:
        pieces = [{"seed": p.seed, "arguments": p.arguments} for p in self.job.pieces]
        text = json.dumps(
            {"format": FORMAT, "job": dict(self.job.identity), "pieces": pieces}, indent=1
        )
        self.write_file(os.path.join(self.path, MANIFEST + NEW), text.encode())
        os.replace(os.path.join(self.path, MANIFEST + NEW), os.path.join(self.path, MANIFEST))
        os.fsync(self.held)

    def write_file(self, path: str, data: bytes) -> None:
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def piece(self, number: int) -> str:
        """Returns the folder of a finished piece."""
        return os.path.join(self.path, f"piece-{number:04}")

    def missing(self) -> list[int]:
        """Returns the numbers of the unfinished pieces."""
        if os.path.exists(self.result()):
            return []
        return [p.number for p in self.job.pieces if not os.path.exists(self.piece(p.number))]

    def keep(self, number: int, files: dict[str, bytes]) -> None:
        """Writes the files of a finished piece."""
        place = self.piece(number)
        try:
            remove(place + NEW)
            os.makedirs(place + NEW)
            for name, data in files.items():
                self.write_file(os.path.join(place + NEW, name), data)
            os.rename(place + NEW, place)
            os.fsync(self.held)
        except OSError as error:
            raise JobError(f"cannot write into {self.shown}: {error.strerror}", 1) from None

    def result(self) -> str:
        """Returns the folder of the merged result."""
        return os.path.join(self.path, RESULT)

    def new_result(self) -> str:
        """Creates the folder in which the result is merged."""
        remove(self.result() + NEW)
        os.makedirs(self.result() + NEW)
        return self.result() + NEW

    def finish(self) -> None:
        """Renames the merged result, after its bytes have reached the disk."""
        for place, _, names in os.walk(self.result() + NEW):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    os.fsync(file.fileno())
        os.rename(self.result() + NEW, self.result())
        os.fsync(self.held)


def remove(path: str) -> None:
    """Removes a file or a folder, if it exists."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def describe(name: str, there: Any, here: Any) -> str:
    """Returns a difference as text. Lists and tables are too long to quote, so their first
    different item is quoted."""
    if isinstance(there, list) and isinstance(here, list):
        size = max(len(there), len(here))
        padded = zip(there + [None] * (size - len(there)), here + [None] * (size - len(here)))
        there, here = next((a, b) for a, b in padded if a != b)
    elif isinstance(there, dict) and isinstance(here, dict):
        item = next(item for item in [*here, *there] if there.get(item) != here.get(item))
        return f"{name}: {quoted(item)} differs"
    if isinstance(there, str) and isinstance(here, str) and len(there) == len(here) == 64:
        return f"another {name}"
    words = ["none" if value is None else quoted(str(value)) for value in (there, here)]
    return f"{name} {words[0]} there, {words[1]} here"
