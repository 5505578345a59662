"""Labels of a real teacher: OMNIGO names the engine's binary, and TEACHER a network of KataGo."""

import json
import os
import subprocess
import sys
import unittest

from training.tests.support import TRAINING, TrainingCase

import torch

from rows import Rows

OMNIGO, TEACHER = os.environ.get("OMNIGO", ""), os.environ.get("TEACHER", "")


@unittest.skipUnless(OMNIGO and TEACHER, "OMNIGO and TEACHER name no engine and no network")
class Labels(TrainingCase):
    def run_command(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_script(self, name: str, *words: str) -> str:
        return self.run_command(sys.executable, os.path.join(TRAINING, name), *words)

    def test_labels_are_of_the_player_to_move_and_can_be_learned(self) -> None:
        labels, work, net = self.path("labels"), self.path("work"), self.path("net.bin")
        self.run_command(OMNIGO, "label", "--teacher", TEACHER, "--out", labels, "--games", "8", "--boards", "9")
        rows = Rows(os.path.join(labels, "9x9.rows"))
        with open(os.path.join(labels, "games.jsonl")) as file:
            counts = [json.loads(line)["rows"] for line in list(file)[1:]]
        self.assertEqual((rows.version, len(rows), len(counts)), (3, sum(counts), 8))
        self.assertIn(rows.held_out(), [sum(counts[:games]) for games in range(9)])
        batch = rows.batch(0, len(rows), kind=torch.float32)
        stones = (batch.x[:, 1] - batch.x[:, 2]).flatten(1)
        # The best move has the largest probability, and no stone is there.
        self.assertEqual(batch.policy.argmax(1).tolist(), batch.target.tolist())
        self.assertEqual((batch.policy[:, :-1] * stones.abs()).max().item(), 0)
        # Most points with a stone belong to its owner.
        self.assertGreater((batch.owner * stones).sum().item(), 0.3 * stones.abs().sum().item())
        # Who leads usually wins, and ownership and komi are most of the lead.
        sums = batch.owner.sum(1) / 10 + batch.x[:, 31, 0, 0]
        for other in (batch.win, sums):
            self.assertGreater(torch.corrcoef(torch.stack([batch.score, other]))[0, 1].item(), 0.4)
        words = ["--work", work, "--data", labels, "--blocks", "2", "--channels", "32", "--batch", "32"]
        self.assertIn("done after ", self.run_script("train.py", *words, "--positions", "640"))
        self.run_script("export.py", os.path.join(work, "checkpoint.pt"), net, "--sides", "9")
        play, lines = [OMNIGO, "--net", net, "--threads", "1", "--playouts", "5"], "boardsize 9\nreg_genmove b\nquit\n"
        done = subprocess.run(play, input=lines, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.count("=")), (0, 3), done.stderr)
