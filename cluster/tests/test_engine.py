"""Jobs with the real program, named by OMNIGO: merged results equal those of direct runs."""

import json
import os
import signal
import subprocess
import time
import unittest
from typing import Any

from cluster.job import SEEDS
from cluster.tests.support import HAS_RAY, PATIENCE, JobCase

OMNIGO = os.path.abspath(os.environ["OMNIGO"]) if os.environ.get("OMNIGO") else ""
# A network of KataGo, to label positions of small games.
TEACHER = os.path.abspath(os.environ["TEACHER"]) if os.environ.get("TEACHER") else ""
BLACK = "omnigo --net none --threads 1 --playouts 20 --seed 1"
WHITE = "omnigo --net none --threads 1 --playouts 10 --seed 2"
MATCH = [
    "--black",
    BLACK,
    "--white",
    WHITE,
    "--graph",
    "grid:5",
    "--openings",
    "2",
    "--komi",
    "-2.5",
]
SELFPLAY = ["--boards", "5:2,6x5:1", "--net", "none", "--playouts", "20", "--quick-playouts", "8"]
SLOW = [*SELFPLAY[:-4], "--playouts", "800", "--quick-playouts", "400"]
HEADER = 16


def without_times(game: dict[str, Any]) -> dict[str, Any]:
    """Returns a game without what differs between two runs."""
    return {name: value for name, value in game.items() if name not in ("seconds", "total_seconds")}


@unittest.skipUnless(OMNIGO, "OMNIGO does not name the engine's binary")
class Engine(JobCase):
    def setUp(self) -> None:
        super().setUp()
        os.mkdir(self.path("bin"))
        os.symlink(OMNIGO, self.path("bin", "omnigo"))

    def direct(self, *words: str) -> str:
        """Runs omnigo itself, with `omnigo` on the PATH."""
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        done = subprocess.run(
            ["omnigo", *words],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def lines(self, *names: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.read(*names).splitlines()]

    def job(self, kind: str, out: str, *words: str) -> tuple[str, str]:
        job = [kind, "--out", self.path(out), "--omnigo", OMNIGO, "--local", "--workers", "2"]
        return self.drive(*job, *words)

    def test_a_match_equals_direct_runs_with_the_seeds_of_its_pieces(self) -> None:
        out, _ = self.job("match", "job", "--games", "5", "--piece", "2", "--seed", "3", *MATCH)
        merged = self.lines("job", "result", "games.jsonl")
        expected: list[dict[str, Any]] = []
        for number, games in enumerate((2, 2, 1)):
            seed, file = 3 * SEEDS + number, f"direct-{number}.jsonl"
            words = ["--games", str(games), "--seed", str(seed), "--out", self.path(file)]
            self.direct("match", *MATCH, *words)
            for game in self.lines(file):
                game["settings"]["seed"] = 3
                expected.append({**game, "game": game["game"] + 2 * number})
        self.assertEqual(list(map(without_times, merged)), list(map(without_times, expected)))
        # omnigo finds no game missing, and prints the summary that the driver printed.
        words = ["--games", "5", "--seed", "3", "--out", self.path("job", "result", "games.jsonl")]
        self.assertEqual(self.direct("match", *MATCH, *words), out)
        self.assertIn("\nElo ", out)
        wins = sum(game["winner"] == "black" for game in merged)
        self.assertIn(f"\n5 games: {wins} won, ", out)

    def test_a_match_in_one_piece_has_the_summary_of_the_direct_run(self) -> None:
        words = ["--games", "4", "--json", *MATCH]
        out, _ = self.job("match", "job", *words, "--piece", "4", "--sgf", self.path("sgf"))
        summary = json.loads(out)
        direct = json.loads(self.direct("match", *words, "--seed", str(SEEDS)))
        for name in (
            "games",
            "wins",
            "losses",
            "draws",
            "elo",
            "elo_error",
            "los",
            "faults",
            "planned",
        ):
            self.assertEqual(summary[name], direct[name], name)
        self.assertEqual(len(os.listdir(self.path("sgf"))), 4)

    def test_selfplay_equals_direct_runs_with_the_seeds_of_its_pieces(self) -> None:
        names = self.compare_with_direct_runs("selfplay", SELFPLAY)
        self.assertEqual(names, {"5x5.rows", "6x5.rows"})

    @unittest.skipUnless(TEACHER, "TEACHER names no network")
    def test_labels_equal_direct_runs_with_the_seeds_of_their_pieces(self) -> None:
        options = ["--teacher", TEACHER, "--boards", "7:2,9x7:1"]
        self.assertTrue(self.compare_with_direct_runs("label", options))

    def compare_with_direct_runs(self, kind: str, options: list[str]) -> set[str]:
        """Plays a job of 8 games, and the same games directly. Returns the names of their rows."""
        self.job(kind, "job", "--games", "8", "--piece", "3", *options)
        expected: dict[str, bytes] = {}
        games = []
        for number, count in enumerate((3, 3, 2)):
            place = f"direct-{number}"
            words = [
                "--games",
                str(count),
                "--seed",
                str(SEEDS + number),
                "--out",
                self.path(place),
            ]
            self.direct(kind, *options, *words)
            games += self.lines(place, "games.jsonl")[1:]
            for name in os.listdir(self.path(place)):
                rows = self.read(place, name)
                if name.endswith(".rows") and len(rows) > HEADER:
                    expected[name] = expected.get(name, rows[:HEADER]) + rows[HEADER:]
        for name, rows in expected.items():
            self.assertEqual(self.read("job", "result", name), rows, name)
        merged = self.lines("job", "result", "games.jsonl")
        self.assertEqual([game["game"] for game in merged[1:]], list(range(1, 9)))
        for name in ("board", "rows", "moves"):
            both = [[game.get(name) for game in lines] for lines in (merged[1:], games)]
            self.assertEqual(both[0], both[1], name)
        # omnigo accepts the merged folder, and finds no game missing.
        self.direct(kind, *options, "--games", "8", "--out", self.path("job", "result"))
        for name, rows in expected.items():
            self.assertEqual(self.read("job", "result", name), rows, name)
        return set(expected)

    def test_an_engine_killed_from_outside_loses_nothing(self) -> None:
        if not os.path.isdir("/proc/self"):
            self.skipTest("processes are found in /proc")
        self.job("selfplay", "quiet", "--games", "8", "--piece", "4", *SLOW)
        words = [
            "--out",
            self.path("job"),
            "--omnigo",
            OMNIGO,
            "--local",
            "--games",
            "8",
            "--piece",
            "4",
        ]
        process = self.start("selfplay", *words, *SLOW)
        victim = self.wait_for_engine()
        os.kill(victim, signal.SIGKILL)
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("failed (killed by signal 9), attempt 2 of 4 follows\n", said)
        for name in ("5x5.rows", "6x5.rows"):
            self.assertEqual(
                self.read("job", "result", name), self.read("quiet", "result", name), name
            )

    @unittest.skipUnless(HAS_RAY, "Ray is not installed")
    def test_a_ray_worker_killed_from_outside_loses_nothing(self) -> None:
        if not os.path.isdir("/proc/self"):
            self.skipTest("processes are found in /proc")
        self.job("selfplay", "quiet", "--games", "8", "--piece", "4", *SLOW)
        words = ["--out", self.path("job"), "--omnigo", OMNIGO, "--workers", "2"]
        process = self.start("selfplay", *words, "--games", "8", "--piece", "4", *SLOW)
        engine = self.wait_for_engine()
        with open(f"/proc/{engine}/stat", encoding="ascii") as file:
            worker = int(file.read().rpartition(")")[2].split()[1])
        os.kill(worker, signal.SIGKILL)
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("failed (the Ray worker is lost: ", said)
        for name in ("5x5.rows", "6x5.rows"):
            self.assertEqual(self.read("job", "result", name), self.read("quiet", "result", name))

    def wait_for_engine(self) -> int:
        """Returns the process of a piece of this test: its program is in the test's folder."""
        mark = self.path("tmp").encode()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{name}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                except OSError:
                    continue
                if words[0].startswith(mark) and words[1:2] == [b"selfplay"] and b"--seed" in words:
                    return int(name)
            time.sleep(0.01)
        raise AssertionError("no piece has started")

    def test_sent_programs_play(self) -> None:
        # The opponent is a script that no PATH has.
        other = self.write(
            "other", f"#!/bin/sh\nexec {OMNIGO} --net none --threads 1 --playouts 5\n"
        )
        os.chmod(other, 0o755)
        words = [
            "--games",
            "2",
            "--send",
            other,
            "--black",
            BLACK,
            "--white",
            "other",
            "--graph",
            "grid:5",
        ]
        out, _ = self.job("match", "job", *words)
        self.assertIn("2 games: ", out)
        self.assertEqual(out.count("no faults"), 2)

    def test_wrong_matches_get_one_line(self) -> None:
        job = ["match", "--out", self.path("job"), "--omnigo", OMNIGO, "--local", "--games", "8"]
        for words, expected in (
            ([*MATCH, "--piece", "3"], "--piece 3: expected an even number, because games 1 and 2"),
            ([*MATCH, "--sprt=0,10"], "--sprt cannot be used: a piece does not see the games"),
            ([*MATCH, "--graf", "grid:5"], "unexpected argument '--graf' found"),
            (["--black", BLACK], "required arguments were not provided: --white <CMD>"),
        ):
            with self.subTest(expected):
                self.assertIn(expected, self.refuse(*job, *words))
