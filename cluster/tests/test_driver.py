"""Jobs without Ray, with a program that stands for omnigo."""

import json
import os
import signal
import sys
import time

from cluster.tests.support import PATIENCE, JobCase


class Survival(JobCase):
    """A job survives the end of its processes."""

    def test_a_job_merges_in_the_order_of_its_pieces(self) -> None:
        out, said = self.play("job", "--workers", "3", "--local")
        self.assert_complete("job")
        self.assertIn("7 games, 7 rows in", out)
        self.assertEqual(said.count(" done, "), 4)
        self.assertEqual(sorted(self.log()), [0, 1, 2, 3])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_killed_piece_is_run_again(self) -> None:
        _, said = self.play("job", "--trouble", "kill-piece")
        self.assertIn("piece 2 of 4 failed (killed by signal 9), attempt 2 of 4 follows\n", said)
        self.assertEqual(sorted(self.log()), [0, 1, 1, 2, 3])
        self.assert_complete("job")

    def test_a_killed_driver_loses_no_finished_piece(self) -> None:
        # The parent of a piece is the driver here.
        self.play("job", "--trouble", "kill-worker", status=-signal.SIGKILL)
        self.assertEqual(self.log(), [0, 1])
        self.assertFalse(os.path.exists(self.path("job", "result")))
        _, said = self.play("job", "--trouble", "kill-worker")
        self.assertIn("pieces finished before: 1 of 4\n", said)
        self.assertEqual(self.log(), [0, 1, 1, 2, 3])
        self.assert_complete("job")

    def test_a_finished_job_runs_nothing_again(self) -> None:
        first = self.play("job")[0]
        self.assertEqual(self.play("job"), (first, ""))
        self.assertEqual(len(self.log()), 4)

    def test_an_interrupt_ends_the_pieces(self) -> None:
        words = ["selfplay", "--out", self.path("job"), "--games", "4", "--piece", "2", "--local"]
        words += ["--omnigo", self.fake, "--trouble", "sleep"]
        process = self.start(*words)
        self.addCleanup(process.kill)
        end = time.monotonic() + PATIENCE
        while not os.path.exists(self.path("pid")) or not self.read("pid"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertTrue(said.endswith("interrupted; the same command continues\n"), said)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(self.read("pid")), 0)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.drive(*words)
        self.assertEqual(self.log(), [0, 1, 1])

    def test_a_slow_piece_is_ended_and_run_again(self) -> None:
        _, said = self.play("job", "--trouble", "sleep", "--limit", "2")
        self.assertIn("piece 2 of 4 failed (not finished after 2 seconds), attempt 2", said)
        self.assert_complete("job")

    def test_incomplete_results_are_not_kept(self) -> None:
        _, said = self.play("empty", "--trouble", "empty")
        self.assertIn("failed (no file games.jsonl), attempt 2", said)
        self.assert_complete("empty")
        os.remove(self.path("once"))
        _, said = self.play("few", "--trouble", "few")
        self.assertIn("failed (5x5.rows lacks some of 2 rows), attempt 2", said)
        self.assert_complete("few")

    def test_attempts_end(self) -> None:
        _, said = self.play("job", "--trouble", "never", "--retries", "1", status=1)
        self.assertIn("piece 2 of 4 failed (no luck), attempt 2 of 2 follows\n", said)
        self.assertIn("piece 2 of 4 failed (no luck) in the last of 2 attempts\n", said)
        self.assertIn("1 of 4 pieces failed; the same command tries them again\n", said)
        # The other pieces are finished.
        self.assertEqual(sorted(self.log()), [0, 1, 1, 2, 3])
        self.assertFalse(os.path.exists(self.path("job", "result")))
        self.play("job", "--trouble", "never", "--retries", "0", status=1)
        self.assertEqual(sorted(self.log()), [0, 1, 1, 1, 2, 3])

    def test_half_written_pieces_are_removed(self) -> None:
        self.play("job", "--trouble", "never", "--retries", "0", status=1)
        self.write("job/piece-0001.new/games.jsonl", "half")
        self.write("job/result.new/games.jsonl", "half")
        self.write("job/job.json.new", "half")
        _, said = self.play("job", "--trouble", "never", "--retries", "0", status=1)
        self.assertEqual(
            [name for name in os.listdir(self.path("job")) if name.endswith(".new")], []
        )
        self.assertIn("pieces finished before: 3 of 4", said)

    def test_a_damaged_piece_is_named(self) -> None:
        job = ["selfplay", "--out", self.path("job"), "--games", "4", "--piece", "2", "--local"]
        job += ["--omnigo", self.fake]
        self.drive(*job)
        os.rename(self.path("job", "result"), self.path("first"))
        os.remove(self.path("job", "piece-0001", "5x5.rows"))
        said = self.refuse(*job, status=1)
        self.assertIn("'piece-0001': 5x5.rows lacks some of 2 rows; remove the folder", said)


class Refusals(JobCase):
    """Wrong input gets one line and changes nothing."""

    def job(self, *words: str) -> list[str]:
        job = ["selfplay", "--out", self.path("job"), "--omnigo", self.fake, "--local"]
        return [*job, *(() if "--games" in words else ("--games", "2")), *words]

    def test_a_folder_of_another_job_is_refused(self) -> None:
        self.drive(*self.job())
        before = self.read("job", "job.json")
        for words, difference in (
            (("--games", "4"), "games '2' there, '4' here"),
            (("--seed", "7"), "seed '1' there, '7' here"),
            (("--piece", "2"), "games of a piece '1' there, '2' here"),
            (("--boards", "5"), "options none there, '--boards' here"),
            (("--send", self.fake), "sent: 'fake' differs"),
        ):
            said = self.refuse(*self.job(*words))
            self.assertIn(f"has another job: {difference}; expected the same command", said)
        with open(self.fake, "a", encoding="utf-8") as file:
            file.write("# another version\n")
        self.assertIn("has another job: another program;", self.refuse(*self.job()))
        self.assertEqual(self.read("job", "job.json"), before)

    def test_wrong_arguments_end_the_job_at_once(self) -> None:
        said = self.refuse(*self.job("--games", "100", "--piece", "2", "--wrong"))
        self.assertEqual(said, "error: piece 1 of 50: unexpected argument '--wrong' found\n")
        # No piece was finished, so the corrected command may use the folder.
        self.drive(*self.job())

    def test_foreign_folders_are_refused(self) -> None:
        self.write("job/notes.txt", "mine")
        self.assertIn(
            "has 'notes.txt' and no job, expected an empty folder", self.refuse(*self.job())
        )
        self.assertEqual(os.listdir(self.path("job")), ["notes.txt"])
        self.write("file", "")
        self.assertIn(
            "cannot use", self.refuse("selfplay", *self.job()[1:], "--out", self.path("file"))
        )

    def test_an_unreadable_description_is_refused(self) -> None:
        self.drive(*self.job())
        for text in ("{", "[]", '{"format": 1, "job": 3}', '{"format": 2, "job": {}}'):
            self.write("job/job.json", text)
            self.assertIn("has another job: ", self.refuse(*self.job()))

    def test_a_folder_in_use_is_refused(self) -> None:
        import fcntl

        os.mkdir(self.path("job"))
        held = os.open(self.path("job"), os.O_RDONLY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)
        self.assertIn("is in use by another job", self.refuse(*self.job(), status=1))

    def test_wrong_options_get_one_line(self) -> None:
        for words, expected in (
            (["selfpaly"], "no job 'selfpaly', expected match or selfplay or label or review"),
            (["selfplay", "--games", "2"], "the following arguments are required: --out"),
            (self.job("--workers", "0"), "--workers: '0', expected a whole number from 1 to 10000"),
            (self.job("--games", "x\ny"), "--games: 'x?y', expected a whole number from 1"),
            (self.job("--seed"), "--seed: expected a value"),
            (self.job("--limit", "nan"), "--limit: 'nan', expected seconds, 0 or more"),
            (self.job("--address", "auto"), "--local and --address exclude each other"),
            (self.job("--installed", "x"), "--omnigo and --installed exclude each other"),
            (self.job("--omnigo", "/no/such"), "no program '/no/such', expected a path or a name"),
            (self.job("--omnigo", "true"), "'true' has no such command 'selfplay'"),
            (self.job("--net", "/no/such"), "cannot read '/no/such': No such file or directory"),
            (self.job("--send", self.path("tmp")), "Is a directory"),
            (self.job("--send", self.write("x/omnigo", "")), "cannot be sent as 'omnigo'"),
            (self.job("--games", "9999999", "--piece", "1"), "expected 1 to 100000 pieces"),
            (
                ["match", *self.job()[1:]],
                "has no such command 'match', expected an omnigo that has",
            ),
        ):
            with self.subTest(expected):
                self.assertIn(expected, self.refuse(*words))
        self.assertFalse(os.path.exists(self.path("job")))

    def test_a_missing_ray_is_named(self) -> None:
        code = "import sys, runpy; sys.modules['ray'] = None; sys.argv[0] = 'cluster'"
        words = [word for word in self.job() if word != "--local"]
        process = self.start(
            *words, before=("-c", f"{code}; runpy.run_module('cluster', run_name='__main__')")
        )
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2)
        expected = "Ray is not installed: expected `pip install ray` first, or --local without it"
        self.assertEqual(said, f"error: {expected}\n")

    def test_the_training_loop_finds_its_workers(self) -> None:
        process = self.start("--help", before=(os.path.join("training", "loop.py"),))
        out, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("--ray", out)

    def test_help_lists_the_kinds(self) -> None:
        out, _ = self.drive("--help")
        for kind in ("match", "selfplay", "label", "review"):
            self.assertIn(f"\n    {kind} ", out)
            self.assertIn("--out DIR", self.drive(kind, "--help")[0])


class Programs(JobCase):
    """Programs and files reach the pieces."""

    def test_networks_are_sent(self) -> None:
        self.play("job", "--net", self.write("best.bin", "AB"))
        self.assertIn(b'"net":"4142"', self.read("job", "result", "games.jsonl"))
        # The word `none` is no file, so no file of this name is in the folder of a piece.
        _, said = self.play("none", "--net=none", "--retries", "0", status=1)
        self.assertIn("No such file or directory: 'none'", said)

    def test_installed_programs_have_the_same_version(self) -> None:
        os.mkdir(self.path("bin"))
        os.symlink(self.fake, self.path("bin", "engine"))
        path = os.environ["PATH"]
        os.environ["PATH"] = self.path("bin") + os.pathsep + path
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        job = [
            "selfplay",
            "--out",
            self.path("job"),
            "--games",
            "2",
            "--local",
            "--installed",
            "engine",
        ]
        self.drive(*job)
        self.assertIn(b'"program": "omnigo 7"', self.read("job", "job.json"))

    def test_other_versions_are_refused(self) -> None:
        from cluster import piece

        kit = piece.Kit({}, installed=self.fake, version="omnigo 8")
        outcome = piece.run(kit, self.folder, piece.Task(("selfplay",)))
        self.assertEqual(outcome.reason, "the node's program is 'omnigo 7', expected 'omnigo 8'")
        kit = piece.Kit({}, installed="/no/such", version="omnigo 8")
        outcome = piece.run(kit, self.folder, piece.Task(("selfplay",)))
        self.assertEqual(outcome.reason, "the node has no program '/no/such'")

    def test_small_jobs_have_pieces_for_all_workers(self) -> None:
        from cluster.__main__ import default_piece
        from cluster.kinds import KINDS

        sizes = [default_piece(KINDS["selfplay"], games) for games in (1, 10, 40, 1000)]
        self.assertEqual(sizes, [1, 1, 5, 25])
        sizes = [default_piece(KINDS["match"], games) for games in (1, 10, 41, 1000)]
        self.assertEqual(sizes, [2, 2, 4, 10])

    def test_options_keep_their_order_and_values(self) -> None:
        from cluster.job import split

        words = [
            "--komi",
            "-7.5",
            "--out=x",
            "--black",
            "omnigo --seed 3",
            "--seed",
            "-1",
            "--json",
        ]
        found, rest = split(words, {"--out": True, "--seed": True, "--json": False})
        self.assertEqual(found, [("--out", "x"), ("--seed", "-1"), ("--json", "")])
        self.assertEqual(rest, ["--komi", "-7.5", "--black", "omnigo --seed 3"])


class Labels(JobCase):
    """Labels are folders like those of self-play, with a teacher that is sent."""

    def test_a_teacher_is_sent_and_labels_are_merged(self) -> None:
        teacher = self.write("teachers/b6.bin.gz", "AB")
        out, _ = self.play("job", "--teacher", teacher, kind="label")
        self.assert_complete("job")
        self.assertIn("7 games, 7 rows in", out)
        self.assertIn(b'"net":"4142"', self.read("job", "result", "games.jsonl"))
        # Pieces have the arguments of omnigo, their own seeds, and folders.
        job = json.loads(self.read("job", "job.json"))["job"]
        self.assertEqual((job["kind"], job["options"]), ("label", ["--teacher", "teacher"]))

    def test_students_and_records_are_sent_too(self) -> None:
        words = ["--teacher", self.write("b6.bin.gz", "AB")]
        words += ["--student", self.write("own.bin", "C")]
        words += ["--from-records", self.write("games.txt", "D")]
        self.play("job", *words, kind="label")
        job = json.loads(self.read("job", "job.json"))["job"]
        self.assertEqual(sorted(job["sent"]), ["from-records", "student", "teacher"])

    def test_a_killed_piece_is_run_again(self) -> None:
        teacher = self.write("b6.bin.gz", "AB")
        words = ["--teacher", teacher, "--trouble", "kill-piece"]
        _, said = self.play("job", *words, kind="label")
        self.assertIn("piece 2 of 4 failed (killed by signal 9), attempt 2 of 4 follows\n", said)
        self.assert_complete("job")

    def test_labels_of_another_teacher_are_another_job(self) -> None:
        teacher = self.write("b6.bin.gz", "AB")
        self.play("job", "--teacher", teacher, kind="label")
        self.write("b6.bin.gz", "CD")
        _, said = self.play("job", "--teacher", teacher, kind="label", status=2)
        self.assertIn("has another job: sent: 'teacher' differs", said)
        _, said = self.play("job", "--net", teacher, status=2)
        self.assertIn("has another job: kind 'label' there, 'selfplay' here", said)

    def test_an_absent_teacher_is_named(self) -> None:
        said = self.play("job", "--teacher", "/no/such", kind="label", status=2)[1]
        self.assertEqual(said, "error: cannot read '/no/such': No such file or directory\n")
        self.assertFalse(os.path.exists(self.path("job")))


class Reviews(JobCase):
    """A review has a piece for each file of a collection."""

    def review(self, *words: str, status: int = 0) -> tuple[str, str]:
        job = ["--out", self.path("job"), "--omnigo", self.fake, "--local", "--retries", "0"]
        return self.drive("review", *words, *job, status=status)

    def test_a_folder_keeps_its_names(self) -> None:
        self.write("games/a.sgf", "A")
        self.write("games/deep/a.SGF", "B")
        self.write("games/readme.txt", "no game")
        out, _ = self.review(self.path("games"), "--to", "json")
        self.assertIn("2 reviews in", out)
        self.assertEqual(self.read("job", "result", "a.json"), b"reviewed A")
        self.assertEqual(self.read("job", "result", "deep", "a.json"), b"reviewed B")

    def test_warnings_name_their_file(self) -> None:
        self.write("games/a.sgf", "several")
        self.write("games/b.sgf", "several")
        _, said = self.review(self.path("games"))
        for name in ("1 of 2 (a.sgf)", "2 of 2 (b.sgf)"):
            self.assertIn(f"piece {name}: warning: 3 games, the first is reviewed\n", said)

    def test_a_broken_file_can_be_left_out(self) -> None:
        self.write("games/a.sgf", "A")
        self.write("games/b.sgf", "broken")
        _, said = self.review(self.path("games"), status=1)
        self.assertIn("piece 2 of 2 (b.sgf) failed (no game) in the last of 1 attempts\n", said)
        self.assertFalse(os.path.exists(self.path("job", "result")))
        out, said = self.review(self.path("games"), "--skip-failed", status=1)
        self.assertIn("1 review in", out)
        self.assertTrue(said.endswith("1 of 2 files are left out\n"), said)
        self.assertEqual(os.listdir(self.path("job", "result")), ["a.sgf"])

    def test_wrong_collections_get_one_line(self) -> None:
        one, two = self.write("x/a.sgf", "A"), self.write("y/a.sgf", "B")
        os.mkdir(self.path("empty"))
        job = ["--out", self.path("job"), "--omnigo", self.fake, "--local"]
        for files, expected in (
            ([], "no files, expected SGF files or folders"),
            (["/no/such.sgf"], "no file '/no/such.sgf'"),
            ([self.path("empty")], "no SGF files in"),
            ([one, two], "two files are called 'a'"),
        ):
            with self.subTest(expected):
                self.assertIn(expected, self.refuse("review", *files, *job))

    def test_a_changed_file_is_another_job(self) -> None:
        game = self.write("a.sgf", "A")
        self.review(game)
        self.write("a.sgf", "B")
        self.assertIn("inputs: 'a.sgf' differs", self.review(game, status=2)[1])

    def test_programs_without_the_command_are_refused(self) -> None:
        game = self.write("a.sgf", "A")
        old = self.write("old", f"#!{sys.executable}\nimport sys\nsys.exit(2)\n")
        os.chmod(old, 0o755)
        said = self.refuse("review", game, "--out", self.path("job"), "--omnigo", old, "--local")
        self.assertIn(
            "has no such command 'review', expected an omnigo that has review with --output", said
        )
