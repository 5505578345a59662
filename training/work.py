"""Lock of a work folder: one process uses it at a time, and its child processes end with it."""

import fcntl
import os
import shutil
import time

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
