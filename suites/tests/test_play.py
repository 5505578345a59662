"""Files of suites on an engine that makes trouble."""

import shlex
import unittest

from suites.engine import Engine, Lost
from suites.play import LOST, RIGHT, SKIPPED, WRONG, Player
from suites.script import read
from suites.tests.support import OMNIGO, SuiteCase


class Playing(SuiteCase):
    def play(self, text: str, gone: str = "-", limit: float = 20.0) -> list[tuple[str, str, str]]:
        """Runs a file, and returns number, outcome, and answer of each check. The engine lacks the
        commands `gone`."""
        script = read(self.write("suite.tst", text), self.folder)
        player = Player(script, f"{self.fake} {gone}", limit, ("echo begin",))
        results = player.run(set(script.checks()))
        return [(result.step.name, result.outcome, result.answer) for result in results]

    def test_checks_see_the_position_of_the_file(self) -> None:
        self.write("a.sgf", "")
        text = "loadsgf a.sgf 5\nplay black C3\n1 reg_genmove white\n#? [A2]\nundo\n"
        text += "2 reg_genmove white\n#? [A7]\n3 final_score\n#? [!B.*]\nreg_genmove white\n"
        expected = [("1", RIGHT, "A2"), ("2", WRONG, "A1"), ("3", RIGHT, "W+0.5")]
        self.assertEqual(self.play(text), expected)
        # A search without a check is left out.
        self.assertEqual(self.log()[-1], "final_score")
        self.assertEqual(self.log().count("start"), 1)

    def test_a_lost_engine_is_started_again_in_the_position(self) -> None:
        for word, reason in (
            ("crash", "ended"),
            ("hang", "timeout"),
            ("babble", "answered without"),
        ):
            text = (
                "boardsize 9\nclear_board\nkomi 5.5\nplay b A1\nplay w A2\nundo\n1 echo x\n#? [x]\n"
            )
            text += f"2 {word}\n#? [0]\n3 reg_genmove w\n#? [A2]\n"
            limit = 2.0 if word == "hang" else 20.0
            first, second, third = self.play(text, limit=limit)
            self.assertEqual((first, third), (("1", RIGHT, "x"), ("3", RIGHT, "A2")))
            self.assertEqual(second[:2], ("2", LOST))
            self.assertIn(reason, second[2])
            again = self.log()[len(self.log()) - self.log()[::-1].index("start") :]
            moves = ["boardsize 9", "clear_board", "komi 5.5", "play b A1", "play w A2", "undo"]
            self.assertEqual(again[:1], ["echo begin"])
            self.assertEqual([line for line in again if line in moves][-6:], moves)

    def test_a_crash_in_the_setup_loses_the_checks_of_the_position(self) -> None:
        text = "boardsize 9\n1 echo a\n#? [a]\ncrash\n2 echo b\n#? [b]\nboardsize 9\n3 echo c\n#? [c]\n"
        expected = [("1", RIGHT, "a"), ("2", LOST, "crash: ended"), ("3", RIGHT, "c")]
        self.assertEqual(self.play(text), expected)

    def test_missing_commands_and_positions_are_skipped(self) -> None:
        text = (
            "uct_param_player max_games 5\nboardsize 9\n1 owl_attack A1\n#? [0]\n2 echo a\n#? [a]\n"
        )
        text += "loadsgf no.sgf\nplay b A1\n3 echo b\n#? [b]\nboardsize 9\nplay b z99\n4 echo c\n#? [c]\n"
        text += "clear_board\n5 echo d\n#? [d]\n"
        found = self.play(text)
        self.assertEqual(
            [outcome for _, outcome, _ in found], [SKIPPED, RIGHT, SKIPPED, SKIPPED, RIGHT]
        )
        self.assertEqual(found[0][2], "no command owl_attack")
        self.assertEqual(found[2][2], "loadsgf no.sgf: cannot load file")
        self.assertEqual(found[3][2], "play b z99: illegal move")
        self.assertNotIn("uct_param_player max_games 5", self.log())

    def test_commands_of_gnu_go_are_translated(self) -> None:
        text = "boardsize 9\ntrymove black A1\nwhite A2\n1 reg_genmove black\n#? [A3]\npopgo\n"
        text += "2 reg_genmove black\n#? [A2]\n3 restricted_genmove white B1 C2\n#? [C2]\n"
        self.assertEqual([outcome for _, outcome, _ in self.play(text)], [RIGHT] * 3)
        self.assertIn("kata-search white allow white B1,C2 1", self.log())

    @unittest.skipUnless(OMNIGO, "OMNIGO does not name the engine's binary")
    def test_engines_without_loadsgf_get_stones_and_moves(self) -> None:
        self.write("a.sgf", "(;SZ[9]KM[5.5]RE[B+R]AB[aa][ba]AW[ab];W[bb];B[ca];W[];B[cb])")
        self.write("b.sgf", "(;SZ[13];B[aa])")
        self.write("c.sgf", "(;SZ[13:9];B[aa])")
        text = "loadsgf a.sgf 3\n1 reg_genmove white\n#? [A6]\n"
        text += "loadsgf b.sgf\n2 reg_genmove white\n#? [A2]\n"
        text += "loadsgf c.sgf\n3 reg_genmove white\n#? [A2]\n"
        text += "loadsgf d.sgf\n4 reg_genmove white\n#? [A2]\n"
        text += "loadsgf a.sgf\n5 crash\n#? [0]\n6 reg_genmove white\n#? [A8]\n"
        reader = shlex.join([OMNIGO, "gtp", "--net", "none"])
        script = read(self.write("suite.tst", text), self.folder)
        player = Player(script, f"{self.fake} loadsgf", 20.0, ("komi 6",), reader)
        results = list(player.run(set(script.checks())))
        self.assertEqual(
            [result.outcome for result in results], [RIGHT, RIGHT, SKIPPED, SKIPPED, LOST, RIGHT]
        )
        told = "loadsgf c.sgf: a board grid:13x9, expected a square"
        self.assertEqual(results[2].answer, told)
        self.assertIn("loadsgf d.sgf: cannot load file", results[3].answer)
        first = ["boardsize 9", "clear_board", "komi 5.5", "play black A9", "play black B9"]
        first += ["play white A8", "play white B8", "play black C9"]
        log = self.log()[2:]
        self.assertEqual(log[: len(first)], first)
        second = ["reg_genmove white", "boardsize 13", "clear_board", "play black A13"]
        self.assertEqual(log[len(first) : len(first) + 4], second)
        # The stones of a resigned game are placed once.
        whole = ["reg_genmove white", *first, "play white pass", "play black C8", "crash"]
        end = log.index("crash") + 1
        self.assertEqual(log[end - len(whole) : end], whole)

    @unittest.skipUnless(OMNIGO, "OMNIGO does not name the engine's binary")
    def test_readers_that_die_or_are_not_omnigo_skip_their_records(self) -> None:
        self.write("a.sgf", "(;SZ[9]KM[x];B[aa])")
        self.write("b.sgf", "(;SZ[9];B[bb])")
        omnigo = shlex.join([OMNIGO, "gtp", "--net", "none"])
        text = "loadsgf a.sgf\n1 reg_genmove white\n#? [A2]\nloadsgf b.sgf\n"
        text += "2 reg_genmove white\n#? [A2]\n"
        script = read(self.write("suite.tst", text), self.folder)
        for reader, outcomes in (
            (omnigo, [RIGHT, RIGHT]),
            ("true", [SKIPPED, SKIPPED]),
            (f"{self.fake} -", [SKIPPED, SKIPPED]),
        ):
            player = Player(script, f"{self.fake} loadsgf", 20.0, (), reader)
            results = list(player.run(set(script.checks())))
            self.assertEqual([result.outcome for result in results], outcomes, reader)

    def test_engines_without_reg_genmove_take_their_move_back(self) -> None:
        text = "boardsize 9\n1 reg_genmove black\n#? [A1]\n2 reg_genmove black\n#? [A1]\n"
        self.assertEqual([outcome for _, outcome, _ in self.play(text, "reg_genmove")], [RIGHT] * 2)
        self.assertEqual(self.log().count("undo"), 2)
        # Without `undo` too, the engine is started again.
        found = self.play(text, "reg_genmove,undo")
        self.assertEqual([outcome for _, outcome, _ in found], [RIGHT] * 2)

    def test_an_engine_that_never_starts_is_given_up(self) -> None:
        script = read(self.write("a.tst", "1 echo a\n#? [a]\n" * 5), self.folder)
        player = Player(script, "true", 5.0)
        results = list(player.run(set(script.checks())))
        self.assertEqual([result.outcome for result in results], [LOST] * 5)
        self.assertEqual(results[-1].answer, "given up")
        with self.assertRaisesRegex(Lost, "cannot start"):
            Engine("/no/such", self.folder, 1.0)
