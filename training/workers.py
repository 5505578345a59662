"""Self-play: by threads of the program on this machine, or in pieces by the workers of a Ray
cluster.

Workers need only Python with Ray. The program and the network reach them through Ray's object
store. The games return the same way, so no folder is shared. A returned piece is kept, and a lost
piece is played again.
"""

import os
import shutil
import subprocess
import sys
import tempfile

# Files of a piece: bytes by file name.
Piece = dict[str, bytes]
# Input files of the games: bytes by the option that names them.
Given = dict[str, bytes]


def play_here(omnigo: str, out: str, games: int, seed: int, threads: int, options: list[str], before: list[str] = []):
    """Plays the games that a folder lacks, on `threads` threads. `before` is a prefix of the
    command."""
    command = [*before, omnigo, "selfplay", "--out", out, "--games", str(games), "--seed", str(seed), "--parallel", str(threads)]
    subprocess.run([*command, *options], check=True)


def play_piece(program: bytes, given: Given, games: int, seed: int, options: list[str]) -> Piece:
    """Plays a piece on one core of the worker's machine."""
    with tempfile.TemporaryDirectory() as folder:
        omnigo, out = (os.path.join(folder, name) for name in ("omnigo", "games"))
        with open(omnigo, "wb") as file:
            file.write(program)
        os.chmod(omnigo, 0o755)
        for option, data in given.items():
            path = os.path.join(folder, option.strip("-"))
            with open(path, "wb") as file:
                file.write(data)
            options = [option, path, *options]
        play_here(omnigo, out, games, seed, 1, options)
        return {name: read(os.path.join(out, name)) for name in os.listdir(out)}


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def keep(piece: Piece, folder: str):
    """Writes a piece as a folder, which exists completely or not at all."""
    shutil.rmtree(folder + ".new", ignore_errors=True)
    os.makedirs(folder + ".new")
    for name, data in piece.items():
        with open(os.path.join(folder + ".new", name), "wb") as file:
            file.write(data)
    os.rename(folder + ".new", folder)


def play_on_ray(
    address: str,
    omnigo: str,
    files: dict[str, str],
    out: str,
    games: int,
    seed: int,
    piece: int,
    cores: int,
    options: list[str],
):
    """Plays the games that a folder lacks on the Ray cluster at `address`, in pieces of `piece`
    games. The address `local` starts a cluster with `cores` cores on this machine. `files` are
    paths by the options that name them."""
    import ray

    folders = {number: os.path.join(out, f"piece-{number:04}") for number in range(-(-games // piece))}
    missing = [number for number, folder in folders.items() if not os.path.exists(folder)]
    if not missing:
        return
    if not ray.is_initialized():
        here = {"num_cpus": cores, "include_dashboard": False} if address == "local" else {"address": address}
        ray.init(**here, log_to_driver=False)
    # Workers do not have this file, so send them its functions.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    program = ray.put(read(omnigo))
    given = ray.put({option: read(path) for option, path in files.items()})
    task = ray.remote(num_cpus=1, max_retries=3)(play_piece)
    waiting = {}
    for number in missing:
        # Pieces are separate collections, so each has its own seed.
        count = min(piece, games - number * piece)
        waiting[task.remote(program, given, count, seed * 1_000_003 + number, options)] = number
    while waiting:
        ready, _ = ray.wait(list(waiting))
        for done in ready:
            number = waiting.pop(done)
            keep(ray.get(done), folders[number])
            print(f"piece {number + 1} of {len(folders)}, {len(waiting)} to come", flush=True)
