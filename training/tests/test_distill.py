"""All steps from a teacher to a student, with a small engine of this file and with the real one."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

from training.tests.support import ROOT, TRAINING, TrainingCase

import distill
import export
import work
from training.tests.katago_sample import Recipe

OMNIGO = os.environ.get("OMNIGO", "")
TINY = ["--device", "cpu", "--smoke", "--threads", "1"]
SHAPE = "2x32"
STEPS = ["held", "labels", *(f"{step} {SHAPE}" for step in ("train", "export", "measure"))]
# A program that has `label` and `accuracy`. It notes its calls, and fails while there is a file `fail`.
ENGINE = """#!{python}
import json, os, shutil, sys
folder = {folder!r}
if "--help" in sys.argv:
    sys.exit("error: unexpected argument '--wrong' found" if "--wrong" in sys.argv else 0)
with open(folder + "/calls", "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if os.path.exists(folder + "/fail"):
    sys.exit("error: the evaluator ended before it had answered")
if sys.argv[1] == "label":
    out = sys.argv[sys.argv.index("--out") + 1]
    shutil.copytree(folder + "/ready", out, dirs_exist_ok=True)
else:
    print(json.dumps({{"rows": 20, "top1": 0.5}}))
"""


class DistillCase(TrainingCase):
    def command(self, omnigo: str, *words: str) -> list[str]:
        script = [sys.executable, "-B", os.path.join(TRAINING, "distill.py"), "--work", self.path("work")]
        return [*script, "--omnigo", omnigo, "--teacher", self.path("teacher.bin"), *TINY, *words]

    def distill(self, omnigo: str, *words: str, status: int = 0) -> list[str]:
        """Returns the lines that the run prints."""
        done = subprocess.run(self.command(omnigo, *words), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return (done.stdout + done.stderr).splitlines()

    def steps(self) -> list[str]:
        return list(work.load(self.path("work", "state.json"))["steps"])


class Steps(DistillCase):
    def setUp(self) -> None:
        super().setUp()
        self.write("teacher.bin", b"a teacher")
        self.label("ready", 5, [20] * 30)
        script = ENGINE.format(python=sys.executable, folder=self.folder)
        self.engine = self.write("engine", script.encode())
        os.chmod(self.engine, 0o755)

    def calls(self) -> list[list[str]]:
        with open(self.path("calls")) as file:
            return [json.loads(line) for line in file]

    def test_finished_steps_are_skipped(self) -> None:
        self.distill(self.engine)
        self.assertEqual(self.steps(), STEPS)
        held, labels, accuracy = self.calls()
        for call, seed in ((held, "999"), (labels, "7")):
            self.assertEqual(call[0], "label")
            self.assertEqual(call[call.index("--seed") + 1], seed)
            self.assertIn(os.path.join(TRAINING, "teacher.py"), call[call.index("--evaluator") + 1])
        self.assertEqual(accuracy[0], "accuracy")
        with open(self.path("work", f"{SHAPE}.json")) as file:
            self.assertEqual(json.load(file), {"5x5": {"rows": 20, "top1": 0.5}})
        self.assertEqual(self.distill(self.engine), [f"{step}: finished before" for step in STEPS])
        self.assertEqual(len(self.calls()), 3)
        # More positions train on, and do not label again.
        said = self.distill(self.engine, "--positions", "7000")
        self.assertIn("labels: finished before", said)
        self.assertTrue(any(line.startswith("going on after 60") for line in said), said)
        self.assertEqual([call[0] for call in self.calls()[3:]], ["accuracy"])
        # So does a missing result.
        os.remove(self.path("work", f"{SHAPE}.bin"))
        self.assertIn(f"export {SHAPE}", self.distill(self.engine, "--positions", "7000"))
        # Another teacher needs other labels.
        said = self.distill(self.engine, "--rate", "0.001", status=1)
        self.assertRegex(said[-1], f"^'.*{SHAPE}' was trained with other options, expected the same ones .*--work$")
        self.write("teacher.bin", b"another teacher")
        self.assertIn("labels", self.distill(self.engine, "--positions", "7000"))

    def test_an_even_komi_is_for_games_that_are_learned_from(self) -> None:
        self.distill(self.engine, "--even", "0.5")
        held, labels, _ = self.calls()
        self.assertNotIn("--even", held)
        self.assertEqual(labels[labels.index("--even") + 1], "0.5")
        self.assertIn("labels", self.distill(self.engine))

    def test_further_options_are_for_games_that_are_learned_from(self) -> None:
        options = "--searched 0.2 --decided 0.4"
        self.distill(self.engine, "--label-options", options)
        held, labels, _ = self.calls()
        self.assertNotIn("--searched", held)
        self.assertIn(options, " ".join(labels))
        said = self.distill(self.engine, "--label-options", options)
        self.assertIn("labels: finished before", said)
        # Other options need other labels.
        self.assertIn("labels", self.distill(self.engine, "--label-options", "--decided 0.5"))

    def test_a_failed_step_is_done_again(self) -> None:
        self.write("fail", b"")
        said = self.distill(self.engine, status=1)
        self.assertEqual(said[-1], "stopped: engine failed")
        self.assertFalse(os.path.exists(self.path("work", "state.json")))
        os.remove(self.path("fail"))
        said = self.distill(self.engine, "--precision", "int8", status=1)
        self.assertEqual((said[-1], self.steps()), ("stopped: train.py failed", STEPS[:2]))
        said = self.distill(self.engine)
        self.assertEqual(said[:3], ["held: finished before", "labels: finished before", STEPS[2]])
        self.assertEqual(self.steps(), STEPS)

    def test_a_killed_run_continues(self) -> None:
        with subprocess.Popen(self.command(self.engine, "--minutes", "0"), stdout=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                if " positions, " in line:
                    run.send_signal(signal.SIGKILL)
                    break
        self.assertEqual((run.returncode, self.steps()), (-signal.SIGKILL, STEPS[:2]))
        said = self.distill(self.engine, "--minutes", "0")
        self.assertEqual(said[1], "labels: finished before")
        self.assertTrue(any(line.startswith("going on after ") for line in said), said)
        net, positions = export.unpack(self.path("work", f"{SHAPE}.bin"))
        self.assertEqual((net.blocks, net.channels), (2, 32))
        self.assertGreaterEqual(positions, 6000)

    def test_wrong_options_and_files_get_one_line(self) -> None:
        def flaw(*words: str) -> str:
            """Returns the line that ends a run before or in its first step."""
            command = self.command(self.engine, *words)
            told = io.StringIO()
            with mock.patch("sys.argv", command[2:]), contextlib.redirect_stderr(told):
                with self.assertRaises(SystemExit) as caught:
                    distillation = distill.Distillation(*distill.arguments())
                    list(distillation.steps())
                    distillation.train({})
            if isinstance(caught.exception.code, str):
                self.assertNotIn("\n", caught.exception.code)
                return caught.exception.code
            return told.getvalue().splitlines()[-1]

        os.makedirs(self.path("work", "held"))
        for words, expected in (
            (["--held-seed", "7"], "argument --held-seed: '7', expected another one than --seed"),
            (["--positions", "0"], "argument --positions: '0', expected 1 or more"),
            ([], "no rows in "),
            (["--label-options", "'"], "argument --label-options: ''': No closing quotation"),
            (["--label-options", "--wrong 1"], "argument --label-options: unexpected argument '--wrong' found"),
            (["--blocks", "0"], "no network: 0 blocks of 32 channels"),
            (["--sides", "4"], "no sides: '4'"),
            (["--omnigo", self.path("absent")], "no program"),
            (["--teacher", self.path("absent")], "cannot read"),
            (["--records", self.path("absent")], "cannot read"),
            (["--start", self.path("teacher.bin")], "is no network: it has 9 bytes"),
        ):
            self.assertIn(expected, flaw(*words))
        for damaged in (b"", b"{", b"[]", b'{"steps": 1}'):
            self.write("work/state.json", damaged)
            self.assertIn("state.json' is damaged, expected ", flaw())


@unittest.skipUnless(OMNIGO, "OMNIGO names no engine")
class Engine(DistillCase):
    def test_a_student_learns_from_a_small_random_teacher(self) -> None:
        blocks = ((4, 2, 1), "feed-forward", "pooling")
        recipe = Recipe(version=15, tip=True, activation="SILU", blocks=blocks)
        self.write("teacher.bin", recipe.bytes())
        engine = os.path.abspath(os.path.join(ROOT, OMNIGO))
        said = self.distill(engine, "--label-options", "--decided 7", status=2)
        self.assertIn("argument --label-options: invalid value '7' for '--decided <P>'", said[-1])
        said = self.distill(engine, "--label-options", "--seed 3", status=2)
        self.assertIn("argument --label-options: the argument '--seed <N>' cannot be used multiple times", said[-1])
        # The first call labels, and the second one goes on with the training.
        self.distill(engine, "--precision", "int8", status=1)
        self.assertEqual(self.steps(), STEPS[:2])
        said = self.distill(engine)
        self.assertEqual(said[:3], ["held: finished before", "labels: finished before", STEPS[2]])
        with open(self.path("work", f"{SHAPE}.json")) as file:
            found = json.load(file)
        self.assertEqual(list(found), ["5x5", "7x7"])
        for board, accuracy in found.items():
            # A network that knows nothing names one of about 20 moves.
            self.assertGreater(accuracy["top1"], 0.3, board)
            self.assertGreater(accuracy["rows"], 10, board)
        play = [engine, "--net", self.path("work", f"{SHAPE}.bin"), "--threads", "1", "--playouts", "5"]
        lines = "boardsize 7\nreg_genmove b\nquit\n"
        done = subprocess.run(play, input=lines, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.count("=")), (0, 3), done.stderr)
