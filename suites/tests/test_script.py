"""Files of suites."""

import os

from suites.script import BadFile, find, read
from suites.tests.support import SuiteCase

REGRESSION = """# A comment, with a number:
# 5 reg_genmove black
loadsgf games/a.sgf 12

10 reg_genmove white   # the only move
# Explains the check.
#? [D4|E5]*
popgo
20 owl_attack C3
#? [!1 (B2|C2)]
30 play black A1
undo
#? [D9]
40 attack A1
#? [0]&
50 attack A2
#? [1 ((]
60 final_score
#? [undecided
"""


class Reading(SuiteCase):
    def test_a_regression_file_has_steps_and_checks(self) -> None:
        script = read(self.write("x/semeai.tst", REGRESSION), self.folder)
        self.assertEqual(script.suite, os.path.join("x", "semeai"))
        self.assertEqual(script.folder, self.path("x"))
        commands = [step.command for step in script.steps]
        self.assertEqual(
            commands[:4], ["loadsgf games/a.sgf 12", "reg_genmove white", "popgo", "owl_attack C3"]
        )
        self.assertEqual([step.name for step in script.checks()], ["10", "20", "40", "50"])
        self.assertEqual([step.known for step in script.checks()], [True, False, False, False])
        self.assertEqual(script.checks()[0].line, 5)

    def test_patterns_match_whole_answers(self) -> None:
        first, second, third, broken = read(self.write("a.tst", REGRESSION), self.folder).checks()
        self.assertTrue(first.accepts("E5") and first.accepts("d4"))
        self.assertFalse(first.accepts("D44") or first.accepts("PASS") or first.accepts(""))
        self.assertTrue(second.accepts("1 D2") and second.accepts("0"))
        self.assertFalse(second.accepts("1  B2"))
        self.assertTrue(third.accepts("0"))
        self.assertFalse(broken.accepts("1"))

    def test_tests_of_pachi_are_checks_of_one_suite(self) -> None:
        text = "boardsize 9\nclear_board\nplay B c3\n# tunit genmove W A1\ntunit genmove W {}\n"
        self.write("t-regress/fixed/ladder/foo.gtp", text.format(" C4 D4"))
        self.write("t-regress/tofix/seki/foo.gtp", text.format("!pass"))
        self.write("t-regress/other/plain/foo.gtp", "genmove b\n")
        scripts, told = find(self.folder)
        self.assertEqual(told, [])
        suites = [os.path.join("t-regress", name) for name in ("fixed", "tofix")]
        self.assertEqual([script.suite for script in scripts], suites)
        fixed, tofix = (script.checks()[0] for script in scripts)
        self.assertEqual((fixed.command, fixed.known), ("reg_genmove W", False))
        self.assertEqual(fixed.name, os.path.join("ladder", "foo"))
        self.assertTrue(fixed.accepts("D4") and not fixed.accepts("pass"))
        self.assertTrue(tofix.known and tofix.accepts("A1") and not tofix.accepts("PASS"))

    def test_damaged_files_are_read_as_far_as_possible(self) -> None:
        path = self.path("bytes.tst")
        with open(path, "wb") as file:
            file.write(b"\xff\xfe\0\n10 reg_genmove black\r\n#? [C3]\r\n\n20")
        self.assertEqual([step.name for step in read(path, self.folder).checks()], ["10"])
        os.symlink("/no/such", self.path("gone.tst"))
        scripts, told = find(self.folder)
        self.assertEqual(len(scripts), 1)
        self.assertIn("cannot read", told[0])
        with self.assertRaises(BadFile):
            read(self.path("gone.tst"), self.folder)
