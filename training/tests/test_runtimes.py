"""ONNX models of networks of KataGo, and the comparison with other runtimes. Tests with a runtime
need onnx, onnxscript, and onnxruntime or openvino. OMNIGO names the engine's binary."""

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import unittest
from unittest import mock

from training.tests.support import ROOT, TRAINING, TrainingCase

import numpy as np
import torch

import compare_runtimes
import katago
import katago_onnx
from training.tests.katago_sample import Recipe

OMNIGO = os.environ.get("OMNIGO", "")
EXPORTS = all(map(importlib.util.find_spec, compare_runtimes.NEEDED))
# Functions that load a model, of the installed runtimes.
RUNTIMES = []
if importlib.util.find_spec("onnxruntime"):
    RUNTIMES.append(compare_runtimes.onnxruntime)
if importlib.util.find_spec("openvino"):
    RUNTIMES.append(lambda path: compare_runtimes.openvino(path, "f32"))
# True on Linux on x86-64 with a processor that `.ci/cpu avx2` can use.
TRAPS = sys.platform == "linux" and "cpuid_fault" in open("/proc/cpuinfo").read()
SAMPLE = os.path.join(ROOT, "crates", "net", "samples", "katago.bin")
RECIPES = [
    Recipe(),
    Recipe(version=10, channels=33, sides=(3, 1, 5)),
    Recipe(version=14, activation="MISH", blocks=("bottleneck", "ordinary")),
    Recipe(version=15, tip=True, activation="SILU", blocks=((4, 2, 1), "feed-forward", "pooling")),
    Recipe(version=16, tip=False, blocks=((3, 3, 2), "feed-forward", (4, 2, 0))),
    Recipe(version=17, blocks=((2, 1, 2), "feed-forward")),
]


def inputs(width: int, height: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns random planes and global inputs of one position."""
    dice = torch.Generator().manual_seed(width)
    planes = (torch.rand(1, 22, height, width, generator=dice) < 0.3).float()
    return planes, torch.rand(1, 19, generator=dice) * 2 - 1


class Graphs(TrainingCase):
    def twin(self, recipe: Recipe) -> katago.Twin:
        return katago.load(self.write("net.bin", recipe.bytes()))

    def expected(self, twin: katago.Twin, width: int, height: int) -> tuple[dict, list]:
        """Returns inputs by name and the outputs of the twin."""
        given = inputs(width, height)
        with torch.inference_mode():
            outputs = [output.numpy() for output in twin(*given)]
        return {name: x.numpy() for name, x in zip(katago_onnx.INPUTS, given)}, outputs

    def test_graphs_compute_the_outputs_of_the_twin(self) -> None:
        for recipe in RECIPES:
            twin = self.twin(recipe)
            for width, height in ((5, 4), (3, 3)):
                expected = self.expected(twin, width, height)[1]
                with torch.inference_mode():
                    outputs = katago_onnx.Graph(twin, width, height)(*inputs(width, height))
                found = [output.numpy() for output in outputs]
                self.assertLess(compare_runtimes.gap(found, expected), 1e-5, recipe)

    @unittest.skipUnless(EXPORTS and RUNTIMES, "no runtime or onnxscript")
    def test_models_compute_the_outputs_of_the_twin(self) -> None:
        for number in (0, 3):
            twin = self.twin(RECIPES[number])
            path = self.path(f"{number}.onnx")
            katago_onnx.export(twin, 5, 4, path)
            given, expected = self.expected(twin, 5, 4)
            for load in RUNTIMES:
                found = load(path)(given)
                self.assertLess(compare_runtimes.gap(found, expected), 1e-4, RECIPES[number])

    def test_flaws_of_a_network_are_one_line(self) -> None:
        file = self.write("other.bin", b"omnigo06")
        script = os.path.join(TRAINING, "katago_onnx.py")
        command = [sys.executable, "-B", script, file, self.path("net.onnx")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
        self.assertIn("not a network of KataGo", done.stderr)


class Comparisons(unittest.TestCase):
    def test_gaps_are_shares_of_one_plus_the_value(self) -> None:
        one, other = [np.array([[9.0, 0.0]])], [np.array([[9.1, 0.005]])]
        self.assertAlmostEqual(compare_runtimes.gap(other, one), 0.01)
        for wrong in (np.zeros((1, 3)), np.array([[9.0, np.nan]])):
            self.assertEqual(compare_runtimes.gap([wrong], one), float("inf"))

    def test_tables_have_medians_of_rates_and_of_ratios(self) -> None:
        rates = {
            "openvino": {9: [100.0, 200.0, 400.0]},
            "openvino-avx2": {9: [50.0, 100.0, 100.0]},
            "avx2": {9: [100.0, 150.0, 150.0]},
            "avx512": {9: [300.0, 400.0, 1000.0]},
        }
        lines = compare_runtimes.table(rates, ["openvino", "openvino-avx2"]).splitlines()
        self.assertEqual(
            lines[2:],
            [
                "| `openvino` | 200 | – |",
                "| `openvino-avx2` | 100 (0.50) | `openvino` |",
                "| omnigo, `avx2` | 150 (1.50) | `openvino-avx2` |",
                "| omnigo, `avx512` | 400 (2.50) | `openvino` |",
            ],
        )

    def test_kernels_compare_with_all_instructions_if_none_can_be_hidden(self) -> None:
        for command, reason in (
            (["true"], None),
            (["false"], "it failed"),
            (["sh", "-c", "echo cannot trap >&2; exit 2"], "cannot trap"),
            (["/absent/program"], "[Errno 2] No such file or directory: '/absent/program'"),
        ):
            with mock.patch("compare_runtimes.AS_AVX2", command):
                self.assertEqual(compare_runtimes.why_not_avx2(), reason)
        self.assertEqual(compare_runtimes.rival("avx2int16", ["openvino"]), "openvino")
        runtimes = ["openvino", "openvino-avx2"]
        self.assertEqual(compare_runtimes.rival("avx2int16", runtimes), "openvino-avx2")
        self.assertEqual(compare_runtimes.rival("avx512int16", runtimes), "openvino")

    @unittest.skipUnless(OMNIGO and TRAPS, "OMNIGO names no engine, or the processor traps no cpuid")
    def test_newer_instructions_can_be_hidden(self) -> None:
        self.assertIsNone(compare_runtimes.why_not_avx2())
        engine = os.path.abspath(os.path.join(ROOT, OMNIGO))
        for kernel in ("avx2", "avx2int16", "avx2vnni", "avx512", "amx"):
            if compare_runtimes.available(engine, kernel):
                command = [*compare_runtimes.AS_AVX2, engine, "--net-kernel", kernel]
                done = subprocess.run(command, input="", capture_output=True)
                self.assertEqual(done.returncode == 0, kernel in ("avx2", "avx2int16"), kernel)
        # Python's handler of faults does not replace the one that answers cpuid.
        command = [*compare_runtimes.AS_AVX2, sys.executable, "-X", "faulthandler", "-c", "import numpy"]
        self.assertEqual(subprocess.run(command).returncode, 0)

    @unittest.skipUnless(TRAPS, "the processor traps no cpuid")
    def test_subnormal_numbers_can_be_zero(self) -> None:
        code = "import numpy; print(numpy.float32(1e-30) * numpy.float32(1e-10) == 0)"
        for command, expected in (([], "False"), ([compare_runtimes.AS_AVX2[0], "flush"], "True")):
            done = subprocess.run([*command, sys.executable, "-c", code], capture_output=True, text=True)
            self.assertEqual(done.stdout.strip(), expected)

    def test_a_missing_runtime_skips_the_comparison_in_one_line(self) -> None:
        modules = (*compare_runtimes.NEEDED, "openvino", "onnxruntime")
        for missing, told in (
            (("torch", "onnx"), "has no torch, onnx\n"),
            (("openvino", "onnxruntime"), "has no openvino or onnxruntime\n"),
        ):
            words = ["compare_runtimes.py", "--net", "net.bin"]
            found, out = set(modules).difference(missing), io.StringIO()
            with (
                mock.patch("sys.argv", words),
                mock.patch("sys.platform", "linux"),
                mock.patch("importlib.util.find_spec", found.__contains__),
                contextlib.redirect_stdout(out),
            ):
                self.assertEqual(compare_runtimes.main(), 0)
            line = out.getvalue()
            self.assertEqual(line.count("\n"), 1)
            self.assertTrue(line.startswith("skipped: comparison of runtimes: "), line)
            self.assertTrue(line.endswith(told), line)

    @unittest.skipUnless(
        OMNIGO and EXPORTS and RUNTIMES and sys.platform.startswith("linux"),
        "OMNIGO names no engine, or no runtime or onnxscript",
    )
    def test_all_programs_are_measured(self) -> None:
        command = [sys.executable, "-B", os.path.join(TRAINING, "compare_runtimes.py")]
        command += ["--omnigo", OMNIGO, "--net", SAMPLE, "--sides", "5", "--kernels", "portable"]
        command += ["--rounds", "2", "--seconds", "0.01"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(": largest difference from PyTorch ", done.stdout)
        self.assertIn("| program | 5×5 | ratio to |", done.stdout)
        self.assertIn("\n| omnigo, `portable` | ", done.stdout)
