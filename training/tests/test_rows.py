"""Rows of all versions, and pools of them."""

import argparse
import json
import math
import os
import random

from training.tests.support import Row, TrainingCase, file_bytes, labeled

import numpy as np
import torch

from rows import DamagedRows, Pool, Rows


class Decoding(TrainingCase):
    def test_labels_have_soft_targets(self) -> None:
        row = Row(6)
        row.planes, row.komi, row.target = [1, 3, 5, 1, 1, 1 << 31], -0.5, 3
        row.score, row.win = -72, 16384
        row.ownership = [-100, -50, 0, 25, 50, 100]
        row.shares = [(3, 30000), (6, 10000), (0, 10000)]
        unknown = Row(6)
        unknown.shares = [(6, 1)]
        rows = Rows(self.write("3x2.rows", file_bytes(3, 2, 3, [row, unknown])))
        self.assertEqual((rows.width, rows.height, rows.version, len(rows)), (3, 2, 3, 2))
        batch = rows.batch(0, 2, kind=torch.float32)
        self.assertEqual(batch.x.shape, (2, 32, 2, 3))
        self.assertEqual(batch.x[0, :3].flatten(1).tolist(), [[1, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]])
        self.assertEqual(batch.x[0, 31].unique().tolist(), [-0.5])
        for found, expected in zip(batch.policy[0].tolist(), [0.2, 0, 0, 0.6, 0, 0, 0.2]):
            self.assertAlmostEqual(found, expected, places=6)
        self.assertEqual(batch.target.tolist(), [3, 6])
        self.assertAlmostEqual(batch.win[0].item(), 16384 / 65535, places=6)
        self.assertEqual(batch.known.tolist(), [1, 1])
        self.assertAlmostEqual(batch.score[0].item(), -0.45, places=6)  # 4.5 points behind
        self.assertEqual(batch.scored.tolist(), [1, 0])
        self.assertEqual(batch.owner[0].tolist(), [-1, -0.5, 0, 0.25, 0.5, 1])
        self.assertEqual(batch.owned.tolist(), [1, 0])

    def test_the_largest_win_probability_and_score_fit(self) -> None:
        low, high = Row(6), Row(6)
        low.win, low.score, high.win, high.score = 0, -(1 << 15), 65535, (1 << 15) - 1
        batch = Rows(self.write("3x2.rows", file_bytes(3, 2, 3, [low, high]))).batch(0, 2)
        self.assertEqual(batch.win.tolist(), [0, 1])
        self.assertAlmostEqual(batch.score[0].item(), -204.8, places=4)

    def test_games_have_winners(self) -> None:
        for version in (1, 2):
            rows = [Row(6) for _ in range(3)]
            for row, winner in zip(rows, (1, -1, 0)):
                row.winner, row.score, row.target = winner, 7, 2
                row.shares = [(2, 40000), (6, 20000)]
            batch = Rows(self.write(f"{version}.rows", file_bytes(3, 2, version, rows))).batch(0, 3)
            self.assertEqual(batch.win.tolist(), [1, 0, 0])
            self.assertEqual(batch.known.tolist(), [1, 1, 0])
            self.assertAlmostEqual(batch.score[0].item(), 0.35, places=6)
            share = 1 if version == 1 else 2 / 3
            self.assertAlmostEqual(batch.policy[0, 2].item(), share, places=6)
            self.assertAlmostEqual(batch.policy[0].sum().item(), 1, places=6)

    def test_symmetries_move_everything_alike(self) -> None:
        draw = random.Random(3)
        for width, height in ((5, 5), (5, 4)):
            rows = Rows(self.write("x.rows", file_bytes(width, height, 3, [labeled(draw, width, height) for _ in range(16)])))
            plain = rows.batch(0, 16)
            moved = rows.batch(0, 16, np.random.default_rng(2))
            self.assertFalse(torch.equal(plain.x, moved.x))
            for batch in (plain, moved):
                points = width * height
                marks = batch.x[:, 3].flatten(1).argmax(1)
                self.assertEqual(batch.target.tolist(), marks.tolist())
                self.assertEqual(batch.policy.argmax(1).tolist(), marks.tolist())
                self.assertTrue((batch.policy[:, points] > 0.05).all())
                stones = (batch.x[:, 1] - batch.x[:, 2]).flatten(1)
                self.assertEqual(batch.owner.tolist(), stones.float().tolist())

    def test_damaged_rows_are_refused(self) -> None:
        for name, wrong in (("target", 7), ("target", 65535), ("komi", math.nan), ("komi", math.inf)):
            rows = [Row(6) for _ in range(60)]
            setattr(rows[40], name, wrong)
            path = self.write("x.rows", file_bytes(3, 2, 3, rows))
            self.assertEqual(len(Rows(path).batch(0, 40).x), 40)
            pool = Pool([path], 100, lambda points: 1000, hold_out=False)
            for read in (lambda: Rows(path).batch(40, 1), lambda: pool.batch(np.random.default_rng(1))):
                with self.assertRaisesRegex(DamagedRows, "x.rows' has a damaged row, expected moves from 0 to 6"):
                    read()

    def test_a_pool_keeps_rows_whose_files_are_gone(self) -> None:
        path = self.write("rows/x.rows", file_bytes(3, 2, 3, [Row(6) for _ in range(60)]))
        pool = Pool([self.path("rows")], 100, lambda points: 8)
        os.remove(path)
        pool.look()
        self.assertEqual(len(pool.batch(np.random.default_rng(1)).x), 8)
        # A file may disappear between its listing and its use.
        self.assertEqual(Pool.files(argparse.Namespace(paths=[path])), [])

    def test_other_files_are_refused_and_cut_rows_left_out(self) -> None:
        good = file_bytes(3, 2, 3, [Row(6), Row(6)])
        self.assertEqual(len(Rows(self.write("cut.rows", good[:-1]))), 1)
        self.assertEqual(len(Rows(self.write("none.rows", good[:16]))), 0)
        for name, data in (("mark", b"x" + good[1:]), ("version", good[:8] + b"\4" + good[9:]), ("short", good[:15])):
            with self.assertRaisesRegex(ValueError, "has no rows of version 1 to 3"):
                Rows(self.write(name, data))
        with self.assertRaisesRegex(ValueError, "has rows of 0 bytes, expected 172"):
            Rows(self.write("size", good[:12] + bytes(4) + good[16:]))


class Resumed(TrainingCase):
    def test_rows_that_a_resumed_writer_cuts_off_are_never_in_use(self) -> None:
        # A killed writer leaves rows without a line, or with a line that lacks its end.
        for left in (0, 20, -1):
            path = self.label("job", 5, [30, 90])
            self.cut_last_line("job", left)
            rows, size = Rows(path), os.path.getsize(path)
            self.assertEqual(len(rows), 30)
            os.truncate(path, size - 90 * rows.size)
            self.assertEqual(rows.batch(0, len(rows)).x[:, 31, 0, 0].tolist(), [1] * 30)

    def test_rows_of_the_first_game_are_not_in_use_before_its_line(self) -> None:
        path = self.write("job/5x5.rows", file_bytes(5, 5, 3, [Row(25)] * 90))
        self.write("job/games.jsonl", b'{"rows":3,"boards":"5x5:1"}\n')
        self.assertEqual(len(Rows(path)), 0)
        with self.assertRaisesRegex(ValueError, "no rows in "):
            Pool([self.path("job")], 100, lambda points: 8)

    def test_a_file_that_becomes_shorter_ends_the_training_in_one_line(self) -> None:
        path = self.write("x.rows", file_bytes(5, 5, 3, [Row(25)] * 120))
        rows = Rows(path)
        os.truncate(path, os.path.getsize(path) - 90 * rows.size)
        with self.assertRaisesRegex(DamagedRows, "x.rows' became shorter while its rows were in use"):
            rows.batch(0, 120)


class HeldOut(TrainingCase):
    def test_labels_hold_out_whole_games(self) -> None:
        rows = Rows(self.label("whole", 5, [30] * 10))
        self.assertEqual(rows.held_out(), 270)
        self.assertEqual(Rows(self.label("many", 5, [10] * 100)).held_out(), 980)
        # A game that is being written has rows, but no line yet.
        path = self.label("more", 5, [30] * 10 + [20])
        self.cut_last_line("more", 20)
        self.assertEqual((len(Rows(path)), Rows(path).held_out()), (300, 270))

    def test_other_boards_of_the_folder_do_not_count(self) -> None:
        rows = Rows(self.label("job", 5, [30] * 10))
        games = [{"game": 20 + n, "board": "7x7", "rows": 7} for n in range(9)]
        with open(self.path("job", "games.jsonl"), "a") as file:
            file.write("".join(json.dumps(game) + "\n" for game in games))
        self.assertEqual(rows.held_out(), 270)

    def test_files_without_games_hold_out_the_last_rows(self) -> None:
        path = self.write("alone/5x5.rows", file_bytes(5, 5, 3, [Row(25)] * 120))
        self.assertEqual(Rows(path).held_out(), 118)
        self.write("alone/games.jsonl", b"{}\n")
        self.assertEqual(Rows(path).held_out(), 118)

    def test_too_few_games_hold_out_nothing(self) -> None:
        self.assertEqual(Rows(self.label("one", 5, [200])).held_out(), 200)
        self.assertEqual(Rows(self.label("two", 5, [60, 140])).held_out(), 200)
        self.assertEqual(Rows(self.label("short", 5, [20, 20])).held_out(), 40)

    def test_a_pool_never_trains_on_held_out_games(self) -> None:
        self.label("job", 5, [30] * 10)
        pool = Pool([self.path("job")], 10**6, lambda points: 64)
        rng = np.random.default_rng(1)
        trained = {game for _ in range(60) for game in pool.batch(rng).x[:, 31, 0, 0].tolist()}
        self.assertEqual(trained, set(range(1, 10)))
        held = [game for batch in pool.held(1000, 16) for game in batch.x[:, 31, 0, 0].tolist()]
        self.assertEqual(held, [10] * 30)
        self.assertTrue(pool.teaches())
        whole = Pool([self.path("job")], 10**6, lambda points: 64, hold_out=False)
        self.assertEqual(list(whole.held(1000, 16)), [])


class Sizes(TrainingCase):
    def test_batches_of_points_draw_sizes_by_their_rows(self) -> None:
        self.label("small", 5, [300])
        self.label("large", 10, [100])
        pool = Pool([self.folder], 10**6, lambda points: max(1, 800 // points), hold_out=False)
        rng = np.random.default_rng(5)
        seen = {25: 0, 100: 0}
        for _ in range(600):
            batch = pool.batch(rng)
            points = batch.x.shape[2] * batch.x.shape[3]
            self.assertEqual(len(batch.x), 800 // points)
            seen[points] += len(batch.x)
        share = seen[25] / sum(seen.values())
        # 600 batches, 3 of 7 small: the share has a standard deviation of about 0.02.
        self.assertTrue(math.isclose(share, 0.75, abs_tol=0.08), share)
