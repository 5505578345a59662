"""Measures network evaluations a second of omnigo and KataGo in turn, on one thread each.

The table has medians of all rounds, and in parentheses the median of the ratios of rounds to KataGo.
"""

import argparse
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

# KataGo's configuration for `katago benchmark`.
CONFIG = "logDir = {folder}\nmaxVisits = 1000000\nnumSearchThreads = 1\nrules = tromp-taylor\n"


def ours(options, net):
    """Returns evaluations a second of each board and kernel."""
    command = [options.omnigo, "bench", "net", "--net", net, "--time", str(options.seconds), "--json"]
    command += ["--net-kernel", ",".join(options.kernels)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = json.loads(output)["evaluations"]
    return {(int(row["board"].split("x")[-1]), row["kernel"]): row["per_second"] for row in rows}


def theirs(options, net, config, board, visits):
    """Returns KataGo's evaluations a second on a board, in searches of this many visits."""
    command = [*shlex.split(options.katago), "benchmark", "-model", net, "-config", config, "-t", "1"]
    command += ["-v", str(visits), "-n", "3", "-boardsize", str(board)]
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.findall(r"nnEvals/s = ([\d.]+)", output.stdout + output.stderr)
    if not found:
        raise SystemExit("KataGo printed no speed")
    return float(found[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--omnigo", required=True)
    parser.add_argument("--katago", required=True, help="command of KataGo, such as '.ci/cpu flush katago'")
    parser.add_argument("--net", required=True, nargs="+", help="files of networks of KataGo")
    parser.add_argument("--kernels", nargs="+", default=["avx2", "avx2int16"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.8, help="seconds per figure of omnigo")
    parser.add_argument("--katago-seconds", type=float, default=3, help="seconds of each of KataGo's three searches")
    options = parser.parse_args()
    print("| network | board | KataGo |", *(f"`{kernel}` |" for kernel in options.kernels))
    print("|---" * (3 + len(options.kernels)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "katago.cfg")
        config.write_text(CONFIG.format(folder=folder))
        for net in options.net:
            rates, found, visits = {}, {}, {}
            for _ in range(options.rounds):
                for board in (9, 13, 19):
                    if board not in visits:
                        # Short searches look slower than they are.
                        rate = theirs(options, net, str(config), board, 20)
                        visits[board] = max(20, int(rate * options.katago_seconds))
                    rate = theirs(options, net, str(config), board, visits[board])
                    rates.setdefault(board, []).append(rate)
                for place, rate in ours(options, net).items():
                    found.setdefault(place, []).append(rate)
            name = pathlib.Path(net).name.split("-s")[0].removesuffix(".bin.gz")
            for board, katago in rates.items():
                cells = [f"`{name}`", f"{board}×{board}", f"{statistics.median(katago):,.1f}"]
                for kernel in options.kernels:
                    own = found[board, kernel]
                    ratio = statistics.median(a / b for a, b in zip(own, katago))
                    cells.append(f"{statistics.median(own):,.1f} ({ratio:.1f})")
                print("|", " | ".join(cells), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
