"""Compare the speed of omnigo with OpenVINO and ONNX Runtime on networks of KataGo.

    python training/compare_runtimes.py --omnigo target/release/omnigo --net FILE [FILE ...]

The script exports each network by `katago_onnx.py` for one position on each board. It first checks
that the outputs of each runtime equal those of `katago.py`. Then all programs evaluate in turn, on
one thread each, and medians are printed. A rate is evaluations per second of processor
time, so other work on the machine changes it little. A ratio is the median of the ratios of rounds.

omnigo computes `kata-raw-nn` for a midgame position, including the inputs and the answer as text.
The runtimes get their inputs ready made. Kernels of AVX2 compare with OpenVINO in a process that
sees no newer instructions (`.ci/cpu`), matrix tiles with OpenVINO in bf16, and other kernels
with the fastest OpenVINO of single precision.
"""

import argparse
import glob
import importlib.util
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = ("numpy", "torch", "onnx", "onnxscript")
# Maximum difference from the outputs of `katago.py`, as a share of one plus the value.
TOLERANCE = 1e-4
# The same for OpenVINO in bf16, whose rounding is large.
ROUNDED = 0.5
# Kernels of omnigo to measure, if the machine has them.
KERNELS = ("neon", "avx2", "avx512", "avx2int16", "avx2vnni", "avx512int16", "amx")
# Command prefix that hides all instruction sets after AVX2.
AS_AVX2 = [os.path.join(HERE, os.pardir, ".ci", "cpu"), "avx2"]
# Runtimes with the module that they need, and the command before their program.
RUNTIMES = {
    "openvino": ("openvino", []),
    "openvino-avx2": ("openvino", AS_AVX2),
    "openvino-bf16": ("openvino", []),
    "onnxruntime": ("onnxruntime", []),
}
# Opponent of a kernel. Other kernels compare with `openvino`.
RIVALS = {
    "avx2": "openvino-avx2",
    "avx2int16": "openvino-avx2",
    "avx2vnni": "openvino-avx2",
    "amx": "openvino-bf16",
}
# Share of the points with stones in the measured position.
STONES = 1 / 3
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Failed(Exception):
    """A program ended or answered with an error."""


# Workers: this script with one runtime in a process of its own, because a runtime reads variables
# of the environment only once.


def openvino(model: str, precision: str):
    from openvino import Core, properties

    hints = properties.hint
    options = {
        properties.inference_num_threads: 1,
        properties.num_streams: 1,
        hints.inference_precision: precision,
        hints.performance_mode: hints.PerformanceMode.LATENCY,
    }
    request = Core().compile_model(model, "CPU", options).create_infer_request()

    def run(inputs: dict) -> list:
        request.infer(inputs, share_inputs=True, share_outputs=True)
        return [tensor.data for tensor in request.output_tensors]

    return run


def onnxruntime(model: str):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 3
    # Some weights are subnormal. OpenVINO sets them to zero by default.
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
    return lambda inputs: session.run(None, inputs)


def gap(found: list, expected: list) -> float:
    """Returns the largest difference, as a share of one plus the value. It is infinite if an output
    has another shape or is not finite."""
    import numpy as np

    if [x.shape for x in found] != [y.shape for y in expected]:
        return float("inf")
    gaps = [float((np.abs(x - y) / (1.0 + np.abs(y))).max()) for x, y in zip(found, expected)]
    return max(gaps) if all(np.isfinite(gaps)) else float("inf")


def work(runtime: str, folder: str, sides: list[int]) -> None:
    """Prints the gaps of a runtime for all boards, then answers requests: a side and seconds."""
    import numpy as np

    runs, gaps = {}, {}
    for side in sides:
        model = os.path.join(folder, f"{side}.onnx")
        if runtime == "onnxruntime":
            run = onnxruntime(model)
        else:
            run = openvino(model, "bf16" if runtime == "openvino-bf16" else "f32")
        with np.load(os.path.join(folder, f"{side}.npz")) as file:
            inputs = {name: file[name] for name in ("planes", "globals")}
            expected = [file[f"output{i}"] for i in range(5)]
        gaps[side] = gap(run(inputs), expected)
        runs[side] = run, inputs
    print(json.dumps(gaps), flush=True)
    for line in sys.stdin:
        side, seconds = line.split()
        run, inputs = runs[int(side)]
        run(inputs)
        calls, start, cpu = 0, time.perf_counter(), time.process_time()
        while not calls or time.perf_counter() - start < float(seconds):
            run(inputs)
            calls += 1
        print(json.dumps(calls / (time.process_time() - cpu)), flush=True)


class Program:
    """A process that answers lines. Its error output appears only if it fails."""

    def __init__(self, name: str, command: list[str]):
        self.name = name
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    def line(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            self.errors.seek(0)
            told = self.errors.read().strip().splitlines() or ["no reason"]
            raise Failed(f"{self.name} ended: {told[-1]}")
        return line

    def send(self, line: str) -> None:
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.line()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Runtime(Program):
    def __init__(self, name: str, folder: str, sides: list[int]):
        command = [*RUNTIMES[name][1], sys.executable, "-B", os.path.abspath(__file__)]
        command += ["--worker", name]
        command += ["--folder", folder, "--sides", ",".join(map(str, sides))]
        super().__init__(name, command)

    def rate(self, side: int, seconds: float) -> float:
        self.send(f"{side} {seconds}")
        return json.loads(self.line())


class Omnigo(Program):
    """omnigo with a kernel. The side of its board changes only if it has to."""

    def __init__(self, engine: str, net: str, kernel: str):
        command = [engine, "--threads", "1", "--net", net, "--net-kernel", kernel]
        super().__init__(kernel, command)
        self.side = 0
        self.symmetries = itertools.cycle(range(8))

    def ask(self, line: str, may_fail: bool = False) -> None:
        self.send(line)
        answer = self.line()
        while self.line().strip():
            pass
        if not answer.startswith("=") and not may_fail:
            raise Failed(f"{self.name}: {line}: {answer.strip()}")

    def place(self, side: int) -> None:
        """Plays the same random moves as every other kernel."""
        self.ask(f"boardsize {side}")
        self.ask("kata-set-rules tromp-taylor")
        self.ask("komi 6.5")
        points = [f"{COLUMNS[x]}{y + 1}" for x in range(side) for y in range(side)]
        moves = random.Random(side).sample(points, round(STONES * len(points)))
        for color, point in zip(itertools.cycle("bw"), moves):
            # Random moves may be suicide.
            self.ask(f"play {color} {point}", may_fail=True)
        self.side = side

    def processor_time(self) -> float:
        """Returns the seconds of processor time of all threads."""
        total = 0
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            with open(path) as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def evaluate(self) -> None:
        self.ask(f"kata-raw-nn {next(self.symmetries)}")

    def rate(self, side: int, seconds: float) -> float:
        if side != self.side:
            self.place(side)
        self.evaluate()
        calls, start, cpu = 0, time.perf_counter(), self.processor_time()
        while not calls or time.perf_counter() - start < seconds:
            self.evaluate()
            calls += 1
        return calls / (self.processor_time() - cpu)


def prepare(net: str, folder: str, sides: list[int]) -> None:
    """Writes the models, and inputs with the outputs of `katago.py`."""
    import numpy as np
    import torch

    sys.path.insert(0, HERE)
    import katago
    import katago_onnx

    twin = katago.load(net)
    for side in sides:
        katago_onnx.export(twin, side, side, os.path.join(folder, f"{side}.onnx"))
        dice = np.random.default_rng(side)
        planes = (dice.random((1, 22, side, side)) < 0.2).astype(np.float32)
        planes[:, 0] = 1
        globals = dice.uniform(-1, 1, (1, 19)).astype(np.float32)
        with torch.inference_mode():
            outputs = twin(torch.from_numpy(planes), torch.from_numpy(globals))
        named = {f"output{i}": output.numpy() for i, output in enumerate(outputs)}
        path = os.path.join(folder, f"{side}.npz")
        np.savez(path, planes=planes, globals=globals, **named)


def rival(name: str, runtimes: list[str]) -> str | None:
    """Returns the runtime that a kernel or runtime compares with."""
    wanted = RIVALS.get(name)
    wanted = wanted if wanted in runtimes else "openvino"
    return wanted if wanted in runtimes and wanted != name else None


def ratio(rates: list[float], others: list[float]) -> float:
    return median(one / other for one, other in zip(rates, others))


def shown(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.1f}"


def table(rates: dict[str, dict[int, list[float]]], runtimes: list[str]) -> str:
    """Returns the medians as a table of Markdown. `rates` are those of each program and side, by
    round."""
    sides = list(next(iter(rates.values())))
    lines = ["| program | " + " | ".join(f"{side}×{side}" for side in sides) + " | ratio to |"]
    lines.append("|---" * (len(sides) + 2) + "|")
    for name, found in rates.items():
        other = rival(name, runtimes)
        cells = []
        for side, values in found.items():
            cell = shown(median(values))
            if other:
                cell += f" ({ratio(values, rates[other][side]):.2f})"
            cells.append(cell)
        title = f"`{name}`" if name in runtimes else f"omnigo, `{name}`"
        lines.append(f"| {title} | {' | '.join(cells)} | {f'`{other}`' if other else '–'} |")
    return "\n".join(lines)


def check(runtime: Runtime) -> None:
    """Waits for a runtime and prints its largest difference. Raises `Failed` if that is too much."""
    found = max(json.loads(runtime.line()).values())
    print(f"{runtime.name}: largest difference from PyTorch {found:.1e}", flush=True)
    if found > (ROUNDED if runtime.name == "openvino-bf16" else TOLERANCE):
        raise Failed(f"{runtime.name} computes other outputs than PyTorch")


def available(engine: str, kernel: str) -> bool:
    command = [engine, "--net-kernel", kernel]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def why_not_avx2() -> str | None:
    """Returns the reason if no process can be made to see AVX2 only."""
    try:
        done = subprocess.run([*AS_AVX2, "true"], capture_output=True, text=True)
    except OSError as error:
        return str(error)
    if done.returncode == 0 and not done.stderr:
        return None
    return (done.stderr.strip().splitlines() or ["it failed"])[-1]


def compare(options: argparse.Namespace, net: str, names: list[str], kernels: list[str]) -> None:
    print(f"\n{os.path.basename(net)}:", flush=True)
    programs: list[Runtime | Omnigo] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            prepare(net, folder, options.sides)
            for name in names:
                programs.append(Runtime(name, folder, options.sides))
                check(programs[-1])
            programs += [Omnigo(options.omnigo, net, kernel) for kernel in kernels]
            rates = {each.name: {side: [] for side in options.sides} for each in programs}
            for side in options.sides:
                for number in range(options.rounds):
                    # Each round begins with another program.
                    turn = number % len(programs)
                    for program in programs[turn:] + programs[:turn]:
                        rate = program.rate(side, options.seconds)
                        rates[program.name][side].append(rate)
        finally:
            for program in programs:
                program.end()
    print(table(rates, names), flush=True)


def sides(text: str) -> list[int]:
    """Parses sides of boards."""
    found = [int(part) if part.isdecimal() else 0 for part in text.split(",")]
    if not all(3 <= side <= 25 for side in found) or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"'{text}', expected different sides from 3 to 25")
    return found


def rounds(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}', expected a whole number, 1 or more")
    return int(text)


def skip(reason: str) -> None:
    print(f"skipped: comparison of runtimes: {reason}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--omnigo", default="omnigo", help="engine to measure")
    parser.add_argument("--net", nargs="+", metavar="FILE", help="networks of KataGo")
    parser.add_argument("--sides", type=sides, default=[9, 13, 19], help="default 9,13,19")
    parser.add_argument("--rounds", type=rounds, default=9, help="default %(default)s")
    help = "seconds of each program in a round, default %(default)s"
    parser.add_argument("--seconds", type=float, default=0.3, help=help)
    parser.add_argument("--kernels", nargs="+", help="default: those of this machine")
    parser.add_argument("--bf16", action="store_true", help="measure OpenVINO in bf16 too")
    parser.add_argument("--worker", choices=RUNTIMES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, options.folder, options.sides)
        return 0
    if not options.net:
        parser.error("expected --net FILE")
    if not sys.platform.startswith("linux"):
        skip("processor time of other programs needs Linux")
        return 0
    missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
    if missing:
        skip(f"'{sys.executable}' has no {', '.join(missing)}")
        return 0
    names = [name for name, (module, _) in RUNTIMES.items() if importlib.util.find_spec(module)]
    if not names:
        skip(f"'{sys.executable}' has no openvino or onnxruntime")
        return 0
    for module in ("openvino", "onnxruntime"):
        if module not in names:
            skip(f"'{sys.executable}' has no {module}")
    if "openvino-avx2" in names and (reason := why_not_avx2()):
        print(f"skipped: OpenVINO limited to AVX2: {reason}", flush=True)
        names.remove("openvino-avx2")
    if not options.bf16:
        names = [name for name in names if name != "openvino-bf16"]
    try:
        kernels = options.kernels or [each for each in KERNELS if available(options.omnigo, each)]
        for net in options.net:
            compare(options, net, names, kernels)
    except (Failed, OSError, ValueError) as error:
        print(f"{os.path.basename(__file__)}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
