"""Losses, and training on labels."""

import argparse
import contextlib
import csv
import importlib.util
import io
import math
import os
import random
import subprocess
import sys
import unittest
from unittest import mock

from training.tests.support import TRAINING, Row, TrainingCase, file_bytes, labeled

import torch

import plot
import train
from rows import Rows


class Fixed(torch.nn.Module):
    """Stands for the network: gives the same outputs for every position."""

    def __init__(self, policy, value, lead, owners):
        super().__init__()
        self.outputs = policy, value, lead, owners

    def forward(self, x):
        return tuple(torch.tensor(values, dtype=torch.float32).expand(len(x), *torch.tensor(values).shape) for values in self.outputs)


class Losses(TrainingCase):
    def test_labels_are_compared_with_probabilities(self) -> None:
        row = Row(4)
        row.planes = [1, 1, 1, 3]  # the last point has an own stone
        row.target, row.win, row.score = 1, 49151, 16 * 20
        row.ownership = [100, 100, -100, 0]
        row.shares = [(1, 30000), (4, 10000)]
        batch = Rows(self.write("2x2.rows", file_bytes(2, 2, 3, [row]))).batch(0, 1)
        # Three points and the pass are equally likely. The stone's point does not count.
        net = Fixed([0.0, 0.1, 0.0, 50.0, 0.0], 0.0, 0.0, [0.0] * 4)
        found = dict(zip(train.LOSSES, train.losses(net, batch).tolist()))
        total = math.log(3 + math.exp(0.1))
        self.assertAlmostEqual(found["policy"], total - 0.75 * 0.1, places=5)
        entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
        self.assertAlmostEqual(found["kl"], found["policy"] - entropy, places=5)
        self.assertAlmostEqual(found["value"], math.log(2), places=5)
        self.assertAlmostEqual(found["score"], 1.5, places=5)  # 2 tens of points
        self.assertAlmostEqual(found["owner"], 0.75, places=5)
        self.assertEqual((found["top1"], found["winner"]), (1, 0))

    def test_the_best_value_is_the_probability_of_the_teacher(self) -> None:
        row = Row(4)
        row.win = 49151
        batch = Rows(self.write("2x2.rows", file_bytes(2, 2, 3, [row]))).batch(0, 1)
        best = math.log(0.75 / 0.25)
        value = {at: train.losses(Fixed([0.0] * 5, at, 0.0, [0.0] * 4), batch)[1].item() for at in (best - 0.2, best, best + 0.2)}
        self.assertEqual(min(value, key=value.get), best)

    def test_unknown_results_have_no_loss(self) -> None:
        batch = Rows(self.write("2x2.rows", file_bytes(2, 2, 2, [Row(4)]))).batch(0, 1)
        found = train.losses(Fixed([0.0] * 5, 3.0, 2.0, [1.0] * 4), batch)
        self.assertEqual(found[1:4].tolist(), [0, 0, 0])


class Stopped(Exception):
    """A training that is killed."""


class Stub:
    """A training that notes its learning rates, and stops at some position. It stands for its own
    optimizer, its source of batches, and its network."""

    def __init__(self, a, seen: int, stop: int):
        self.a, self.seen, self.stop, self.rates = a, seen, stop, {}
        self.seed, self.place, self.steps = 1, 0, 1000
        self.optimizer = self
        self.average = self.judge = None

    def batch(self, rng) -> None:
        return None

    def show(self, *_) -> None:
        pass

    save = show

    def step(self, batch, rate: float) -> torch.Tensor:
        if self.seen >= self.stop:
            raise Stopped
        self.rates[self.seen] = rate
        self.seen += 10
        return torch.zeros(7)


class Schedules(TrainingCase):
    def rates(self, since: int | None, seen: int, stop: int) -> dict[int, float]:
        a = argparse.Namespace(work=self.folder, end=None, positions=1200, since=since, fall=0.5, minutes=4)
        stub = Stub(a, seen, stop)
        with mock.patch("train.Curve"), contextlib.suppress(Stopped), contextlib.redirect_stdout(io.StringIO()):
            train.train(a, stub, None, stub, {})
        return stub.rates

    def test_calls_can_share_a_schedule(self) -> None:
        whole = self.rates(None, 200, 1200)
        self.assertEqual((whole[700], whole[710]), (1, 0.98))
        parts = self.rates(200, 200, 900) | self.rates(200, 900, 1200)
        self.assertEqual(parts, whole)
        # Otherwise, a later call begins with the full rate.
        self.assertEqual(self.rates(None, 900, 1200)[900], 1)


class Training(TrainingCase):
    def train(self, *words: str, status: int = 0) -> str:
        command = [sys.executable, os.path.join(TRAINING, "train.py"), "--work", self.path("work"), "--blocks", "2", "--channels", "32"]
        done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def curve(self) -> dict[str, list[dict[str, str]]]:
        """Returns the lines of the curve for each source."""
        lines: dict[str, list[dict[str, str]]] = {}
        with open(self.path("work", "curve.csv"), newline="") as file:
            for line in csv.DictReader(file):
                lines.setdefault(line["source"], []).append(line)
        return lines

    def test_a_network_learns_from_labels(self) -> None:
        self.label("labels", 5, [20] * 60)
        self.label("labels-7", 7, [20] * 60, seed=2)
        words = ["--data", self.path("labels"), self.path("labels-7"), "--batch-points", "800", "--fall", "0"]
        # Each call ends with a report.
        said = self.train(*words, "--positions", "400")
        self.train(*words, "--positions", "6000")
        self.assertIn("; labels policy ", said)
        held = self.curve()["labels"]
        first, last = held[0], held[-1]
        self.assertLess(float(last["kl"]), 0.7 * float(first["kl"]))
        self.assertGreater(float(last["top1"]), 0.5)
        self.assertGreaterEqual(float(last["kl"]), 0)
        # A later call continues from the checkpoint.
        self.assertIn("going on after ", self.train(*words, "--positions", "6400"))

    def test_a_weight_of_zero_switches_a_loss_off(self) -> None:
        self.label("labels", 5, [20] * 20)
        words = ["--data", self.path("labels"), "--batch", "32", "--fall", "0", "--policy-weight", "0"]
        words += ["--value-weight", "0", "--ownership-weight", "0", "--score-weight", "1"]
        for positions in ("64", "1600"):
            self.train(*words, "--positions", positions)
        lines = self.curve()["labels"]
        self.assertLess(float(lines[-1]["score"]), float(lines[0]["score"]))
        # Nothing pulls the policy toward the marked point.
        self.assertLess(float(lines[-1]["top1"]), 0.5)

    def test_a_curve_of_an_earlier_version_keeps_its_columns(self) -> None:
        old = [name for name in train.COLUMNS if name != "kl"]
        self.write("curve.csv", (",".join(old) + "\r\n").encode())
        curve = train.Curve(self.path("curve.csv"))
        self.addCleanup(curve.file.close)
        curve.add(5, 0.5, 10, {"train": [1.0, 2, 3, 4, 5, 6, 7], "labels": None})
        with open(self.path("curve.csv"), newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual((lines[0], len(lines)), (old, 2))
        self.assertEqual(lines[1][1:], ["5", "0.5", "10", "train", "1", "2", "3", "4", "5", "6"])

    def test_a_line_of_a_curve_that_was_cut_is_left_out(self) -> None:
        path = self.path("curve.csv")
        for cut in (0, 3, 40):
            with contextlib.suppress(FileNotFoundError):
                os.truncate(path, os.path.getsize(path) - cut)
            curve = train.Curve(path)
            curve.add(5, 0.5, 10, {"train": [1.0, 2, 3, 4, 5, 6, 7]})
            curve.file.close()
            # Each cut loses one line, and each call adds one.
            self.assertEqual([line["kl"] for line in self.lines(path)], ["7"])
        curve.file = open(path, "a")
        with curve.file as file:
            file.write("1,2,x,4,train\r\n1,2")
        self.assertEqual([line["kl"] for line in plot.read_curve(path)["train"]], [7])

    def lines(self, path: str) -> list[dict[str, str]]:
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    def test_damaged_rows_end_the_training_with_one_line(self) -> None:
        draw = random.Random(1)
        rows = [labeled(draw, 5, 5) for _ in range(100)]
        rows[90].target = 26
        path = self.write("rows/5x5.rows", file_bytes(5, 5, 3, rows))
        said = self.train("--data", path, "--batch", "128", "--positions", "4000", status=1)
        self.assertEqual(said.splitlines()[-1], f"'{path}' has a damaged row, expected moves from 0 to 25 and a finite komi")
        self.assertNotIn("Traceback", said)

    def test_wrong_options_get_one_line(self) -> None:
        self.label("labels", 5, [20] * 20)
        data = ["--data", self.path("labels"), "--positions", "10"]
        for words, expected in (
            ([*data, "--batch-points", "0"], "expected --batch and --batch-points of 1 or more"),
            ([*data, "--precision", "int8"], "invalid choice"),
            ([*data, "--since", "10"], "expected --since of 0 or more, and below --positions"),
            (["--data", self.path("absent"), "--positions", "10"], "no file"),
        ):
            said = self.train(*words, status=1 if expected == "no file" else 2)
            self.assertIn(expected, said)

    def test_the_precision_can_be_chosen(self) -> None:
        draw = random.Random(1)
        path = self.write("rows/5x5.rows", file_bytes(5, 5, 3, [labeled(draw, 5, 5) for _ in range(100)]))
        for precision in ("float32", "bfloat16"):
            said = self.train("--data", path, "--batch", "8", "--positions", "8", "--precision", precision)
            self.assertIn("done after ", said)
            os.rename(self.path("work"), self.path(precision))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Plots(TrainingCase):
    def test_labels_have_a_panel_of_their_divergence(self) -> None:
        for source, panels in (("selfplay", 6), ("labels", 7)):
            os.makedirs(self.path(source))
            curve = train.Curve(self.path(source, "curve.csv"))
            for seen in (100, 200):
                curve.add(seen, 0.5, 10, {"train": [1.0] * 7, source: [2.0] * 7})
            curve.file.close()
            drawn = plot.draw(self.path(source))
            self.assertEqual(drawn, [self.path(source, "curve.svg")])
            with open(drawn[0]) as file:
                text = file.read()
            self.assertEqual(text.count("positions learned from"), panels)
            self.assertEqual("divergence from the teacher" in text, source == "labels")
            self.assertIn(f"{source}, held out", text)
