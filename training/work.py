"""A work folder belongs to one process at a time, and what that process starts ends with it."""

import fcntl
import os
import shutil
import time

# Put before a command, it has the system end the command when this process is gone, `kill -9` included (Linux).
TIED = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []


def lock(folder: str):
    """Makes a folder if need be, and holds it until this process ends. A process that is just being ended is waited for."""
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
