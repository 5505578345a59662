"""Compares the network speed of builds of omnigo, which run in turn on one thread.

Entries are the first build's shortest pass of all rounds divided by that of another build. Numbers
above 1 mean that the other build is faster. Other work on the machine lengthens most passes, and
the shortest ones least.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def passes(build, net, options):
    """Returns the shortest pass in microseconds for each kernel and board."""
    command = [build, "bench", "net", "--time", str(options.seconds), "--json"]
    command += ["--net", net] if net else []
    command += ["--net-kernel", ",".join(options.kernels)] if options.kernels else []
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = json.loads(output)["evaluations"]
    return {(row["kernel"], row["board"]): row["shortest_pass_us"] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--builds", required=True, nargs="+", help="programs; the first is the base")
    parser.add_argument("--net", nargs="*", default=[], help="files of networks; none for the built-in one")
    parser.add_argument("--kernels", nargs="*", default=[], help="none for all kernels of the machine")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds per figure")
    options = parser.parse_args()
    if len(options.builds) < 2:
        parser.error("--builds needs two or more programs")
    print("| network | build | kernel | 9×9 | 13×13 | 19×19 |")
    print("|---|---|---|---|---|---|")
    for net in options.net or [None]:
        found = {}
        for _ in range(options.rounds):
            for build in options.builds:
                for place, time in passes(build, net, options).items():
                    found[build, *place] = min(time, found.get((build, *place), time))
        name = pathlib.Path(net).name.split("-s")[0].removesuffix(".bin.gz") if net else "built-in"
        base = options.builds[0]
        kernels = dict.fromkeys(kernel for build, kernel, _ in found if build == base)
        boards = dict.fromkeys(board for _, _, board in found)
        for build in options.builds[1:]:
            for kernel in kernels:
                if (build, kernel, next(iter(boards))) not in found:
                    continue
                ratios = [found[base, kernel, board] / found[build, kernel, board] for board in boards]
                print("|", " | ".join([name, build, kernel, *(f"{r:.2f}" for r in ratios)]), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
