"""Train for a limited time on a GPU: from game records to a network and a checkpoint.

    python training/gpu.py --work WORK --games games.txt.gz --omnigo omnigo --until +0.45

Processes on half of the cores write rows of the records while the GPU trains on them. At the end,
WORK/network.bin is exported and measured on held-out games. train.py continues from
WORK/checkpoint.pt, on this machine or another. If that file exists at the start, training continues
from it. Further options go to train.py, such as --start, --blocks, --writers, or --compile. A
rehearsal of two minutes: `--device cpu --batch 32 --rows 500 --until +0.03`.
"""

import argparse
import os
import sys
import time

from export import sides
from moment import moment
from work import content, run, unpacked, whole

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument("--work", required=True, help="folder of everything that comes out")
    parser.add_argument("--games", required=True, help="game records, one a line, as text or .gz")
    parser.add_argument("--omnigo", required=True, help="the program")
    parser.add_argument("--until", required=True, help="HH:MM (UTC) or +HOURS, when the training ends; the rest takes seconds")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--batch", default="1024")
    parser.add_argument("--window", default="4000000", help="rows that are kept in use, 1.8 kB each")
    parser.add_argument("--sides", default="9,13,19", help="sides of boards on which and between which the engine uses the network")
    a, more = parser.parse_known_args()
    end = moment(a.until)
    sides(a.sides)
    os.makedirs(a.work, exist_ok=True)
    games, network = unpacked(a.games, a.work), os.path.join(a.work, "network.bin")
    rows = [a.omnigo, "rows", games, "--held-out", "--out"]
    # Other records have other held-out games.
    held = whole(os.path.join(a.work, f"held-{content(games)[:16]}.rows"), lambda out: run(*rows, out))
    options = ["--work", a.work, "--games", games, "--omnigo", a.omnigo, "--held", held]
    # Pass on the remaining time, because the steps so far took some of it.
    options += ["--until", f"+{max(0.0, end - time.time()) / 3600:.4f}"]
    options += ["--device", a.device, "--batch", a.batch, "--window", a.window, "--minutes", "2"]
    run(sys.executable, os.path.join(HERE, "train.py"), *options, *more)
    run(sys.executable, os.path.join(HERE, "export.py"), os.path.join(a.work, "checkpoint.pt"), network, "--sides", a.sides)
    run(a.omnigo, "accuracy", held, "--net", network)


if __name__ == "__main__":
    main()
