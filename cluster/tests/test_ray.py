"""Jobs on Ray, with a program that stands for omnigo."""

import os
import time
import unittest

from cluster.tests.support import HAS_RAY, PATIENCE, JobCase


@unittest.skipUnless(HAS_RAY, "Ray is not installed")
class OnRay(JobCase):
    def test_a_killed_worker_loses_nothing(self) -> None:
        # The parent of a piece is the Ray worker here.
        _, said = self.play("job", "--workers", "2", "--trouble", "kill-worker")
        self.assertIn("piece 2 of 4 failed (the Ray worker is lost: WorkerCrashedError", said)
        self.assertIn(", attempt 2 of 4 follows\n", said)
        self.assertEqual(sorted(self.log()), [0, 1, 1, 2, 3])
        self.assert_complete("job")

    def test_a_killed_piece_is_run_again(self) -> None:
        _, said = self.play("job", "--workers", "2", "--trouble", "kill-piece")
        self.assertIn("piece 2 of 4 failed (killed by signal 9), attempt 2 of 4 follows\n", said)
        self.assert_complete("job")

    def test_a_job_continues_in_another_pool(self) -> None:
        self.play("job", "--trouble", "kill-piece", "--retries", "0", status=1)
        _, said = self.play("job", "--workers", "1", "--trouble", "kill-piece")
        self.assertIn("pieces finished before: 3 of 4\n", said)
        self.assertEqual(sorted(self.log()), [0, 1, 1, 2, 3])
        self.assert_complete("job")

    def test_self_play_for_training_keeps_its_pieces_apart(self) -> None:
        net, out = self.write("best.bin", "A"), self.path("games")
        given = ("local", self.fake, {"--net": net}, out, 3, 1, 2, 1, ["--boards", "5"])
        code = f"from cluster.workers import play_on_ray as play; play(*{given!r})"
        for _ in range(2):
            process = self.start(before=("-c", code))
            _, said = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0, said)
        # The second call has found the games.
        self.assertEqual(sorted(self.log()), [0, 1])
        self.assertEqual(sorted(os.listdir(out)), ["job.json", "piece-0000", "piece-0001"])
        for piece, games in (("piece-0000", 2), ("piece-0001", 1)):
            self.assertEqual(self.read("games", piece, "games.jsonl").count(b"\n"), games + 1)
            self.assertIn(b'"net": "41"', self.read("games", piece, "games.jsonl"))

    def test_an_absent_cluster_is_named(self) -> None:
        job = ["selfplay", "--out", self.path("job"), "--games", "2", "--omnigo", self.fake]
        said = self.refuse(*job, "--address", "127.0.0.1:1", status=1)
        self.assertIn("error: Ray at '127.0.0.1:1' cannot be used: ", said)

    def test_a_lost_node_of_a_cluster_loses_nothing(self) -> None:
        from ray.cluster_utils import Cluster

        # The head runs no pieces, so every piece needs one of the nodes.
        os.mkdir(self.path("tmp"))
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = self.path("tmp")
        if before:
            self.addCleanup(os.environ.__setitem__, "TMPDIR", before)
        else:
            self.addCleanup(os.environ.__delitem__, "TMPDIR")
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self.addCleanup(cluster.shutdown)
        node = cluster.add_node(num_cpus=1)
        words = ["selfplay", "--out", self.path("job"), "--games", "7", "--piece", "2"]
        words += ["--omnigo", self.fake, "--trouble", "sleep", "--address", cluster.address]
        process = self.start(*words)
        end = time.monotonic() + PATIENCE
        while not os.path.exists(self.path("pid")):
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(process.poll())
            time.sleep(0.1)
        cluster.remove_node(node)
        cluster.add_node(num_cpus=1)
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("failed (the Ray worker is lost: ", said)
        self.assert_complete("job")
