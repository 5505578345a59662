"""The command line, the table, and a run of the real engine."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from suites.tests.support import OMNIGO, ROOT, SuiteCase

# A position with stones of both colors.
STONES = "(;GM[1]SZ[5]KM[0.5]AB[ab][bb][cb][da][ec][ed]AW[aa][ba][dc][dd])"


class Command(SuiteCase):
    def start(self, *words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "suites", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)

    def run_suites(self, *words: str, status: int = 0) -> tuple[str, str]:
        process = self.start(*words)
        out, said = process.communicate(timeout=240)
        self.assertEqual(process.returncode, status, said)
        return out, said

    def suites(self) -> str:
        """Writes two suites, and returns their folder."""
        one = "boardsize 9\n1 reg_genmove b\n#? [A1]\n2 reg_genmove b\n#? [A2]*\n3 crash\n#? [0]\n"
        two = "boardsize 9\n1 final_score\n#? [W.*]*\n2 owl_attack A1\n#? [0]\n"
        self.write("suites/one.tst", one)
        self.write("suites/two.tst", two)
        self.write("suites/none.tst", "1 owl_attack A1\n#? [0]\n")
        return self.path("suites")

    def test_a_table_has_the_pass_rates_of_each_engine(self) -> None:
        engines = ["--engine", f"full={self.fake} -", "--engine", f"other={self.fake} final_score"]
        out, said = self.run_suites(self.suites(), *engines, "--out", self.path("out.jsonl"))
        self.assertEqual(
            out.splitlines(),
            [
                "| suite | full | other |",
                "|---|---|---|",
                "| one | 1 of 3, 33 % | 1 of 3, 33 % |",
                "| two | 1 of 1, 100 % | – |",
                "| **all** | 2 of 4, 50 % | 1 of 3, 33 % |",
                "",
                "full: 1 of 2 that the suite's program fails are right",
                "full: 1 without an answer (ended 1)",
                "full: 2 skipped (no command owl_attack 2)",
                "other: 0 of 1 that the suite's program fails are right",
                "other: 1 without an answer (ended 1)",
                "other: 3 skipped (no command owl_attack 2, no command final_score 1)",
            ],
        )
        with open(self.path("out.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(len(lines), 12)
        first = lines[2]
        self.assertEqual(
            (first["engine"], first["suite"], first["outcome"]), ("full", "one", "right")
        )
        self.assertEqual((first["expected"], first["answer"], first["line"]), ("A1", "A1", 2))
        self.assertIn("one: full 1 of 3, 33 %\n", said)

    def test_checks_can_be_chosen(self) -> None:
        words = [self.suites(), "--engine", f"fake={self.fake} -"]
        out, _ = self.run_suites(*words, "--commands", "final_score")
        self.assertIn("| **all** | 1 of 1, 100 % |", out)
        self.assertNotIn("| one |", out)
        out, _ = self.run_suites(*words, "--most", "1")
        self.assertIn("| one | 1 of 1, 100 % |", out)

    def test_two_folders_keep_their_names(self) -> None:
        text = "1 final_score\n#? [W.*]\n"
        folders = [os.path.dirname(self.write(f"{name}/same.tst", text)) for name in ("a", "b")]
        out, _ = self.run_suites(*folders, "--engine", f"fake={self.fake} -")
        for folder in folders:
            self.assertIn(f"| {folder}/same | 1 of 1, 100 % |", out)

    def test_an_interrupt_prints_the_table(self) -> None:
        self.write("suites/a.tst", "1 final_score\n#? [W.*]\n2 hang\n#? [0]\n")
        process = self.start(self.path("suites"), "--engine", f"fake={self.fake} -")
        end = time.monotonic() + 60
        while not os.path.exists(self.path("log")) or "hang" not in self.log():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("| a | 1 of 1, 100 % |", out)
        self.assertTrue(said.endswith("interrupted\n"), said)

    def test_wrong_command_lines_get_one_line(self) -> None:
        folder, empty = self.suites(), os.path.dirname(self.write("empty/a.txt", ""))
        engine = ["--engine", f"fake={self.fake} -"]
        for words, expected in (
            ([], "the following arguments are required: FOLDER"),
            (["/no/such", *engine], "no file '/no/such'"),
            ([empty, *engine], "no checks in"),
            ([folder, "--engine", "fake"], "expected NAME=COMMAND with a new name"),
            ([folder, *engine, *engine], "expected NAME=COMMAND with a new name"),
            ([folder, "--engine", "x=/no/such"], "x: no program '/no/such'"),
            ([folder, "--engine", "x=true"], "does not speak GTP: ended"),
            ([folder, "--omnigo", "/no/such"], "omnigo: no program '/no/such'"),
            ([folder, *engine, "--playouts", "0"], "expected a whole number, 1 or more"),
            ([folder, *engine, "--timeout", "nan"], "expected seconds above 0"),
        ):
            with self.subTest(expected):
                out, said = self.run_suites(*words, status=2)
                self.assertEqual((out, said.count("\n")), ("", 1), said)
                self.assertIn(expected, said)

    @unittest.skipUnless(OMNIGO, "OMNIGO does not name the engine's binary")
    def test_omnigo_answers_checks(self) -> None:
        self.write("suites/games/a.sgf", STONES)
        text = "loadsgf games/a.sgf\n10 reg_genmove black\n#? [[A-E][1-5]]\n20 is_legal black A5\n#? [0]\n"
        text += "30 restricted_genmove white E5 E1\n#? [E5|E1]\ntrymove white E5\n40 is_legal black E5\n"
        text += "#? [0]\npopgo\n50 is_legal black E5\n#? [1]\n60 owl_attack A5\n#? [0]\n"
        self.write("suites/basics.tst", text)
        words = ["--omnigo", OMNIGO, "--playouts", "50", "--out", self.path("out.jsonl")]
        out, _ = self.run_suites(self.path("suites"), *words)
        self.assertIn("| basics | 5 of 5, 100 % |", out)
        self.assertTrue(re.search(r"omnigo: 1 skipped \(no command owl_attack 1\)", out), out)
