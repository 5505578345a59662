"""Networks, checkpoints, and small parts of the training."""

import gzip
import io
import math
import os
import random
import struct
import time
from unittest import mock

from training.tests.support import TrainingCase

import torch

import checkpoint
import export
import loop
import work
from model import Net, pooling_blocks, shape_flaw
from moment import moment
from optimizer import Optimizer, orthogonal


def network(blocks: int = 2, channels: int = 32) -> Net:
    torch.manual_seed(1)
    return Net(blocks, channels, pooling_blocks(blocks))


class Networks(TrainingCase):
    def packed(self) -> bytes:
        net = network()
        return export.pack(net, dict(net.named_parameters()), [9, 13], 12345)

    def test_a_network_file_round_trips(self) -> None:
        data = self.packed()
        net, positions = export.unpack(self.write("net.bin", data))
        self.assertEqual((positions, net.blocks, net.channels, net.pooling), (12345, 2, 32, [0, 1]))
        self.assertEqual(export.pack(net, dict(net.named_parameters()), [9, 13], 12345), data)
        # Convolutions are rounded to bf16, everything else is exact.
        for (name, ours), theirs in zip(network().named_parameters(), net.parameters()):
            error = (ours - theirs).abs().max().item()
            self.assertLess(error, 0.01 if ours.dim() == 4 else 1e-5, name)

    def test_the_mean_of_two_networks_has_the_mean_of_their_weights(self) -> None:
        first, path = network(), self.path("mean.bin")
        torch.manual_seed(2)
        second = Net(2, 32, pooling_blocks(2))
        files = [
            self.write(name, export.pack(net, dict(net.named_parameters()), [9], positions))
            for name, net, positions in (("first.bin", first, 100), ("second.bin", second, 300))
        ]

        def written(*options: str) -> Net:
            with mock.patch("sys.argv", ["export.py", files[1], path, "--sides", "9", *options]):
                export.main()
            net, positions = export.unpack(path)
            self.assertEqual(positions, 300)
            return net

        for share in (0.0, 0.25, 1.0):
            mixed = written("--earlier", files[0], "--share", str(share))
            for name, values in mixed.named_parameters():
                pair = [dict(net.named_parameters())[name] for net in (first, second)]
                error = ((1 - share) * pair[0] + share * pair[1] - values).abs().max().item()
                self.assertLess(error, 0.01 if values.dim() == 4 else 1e-5, f"{share} {name}")
        written()
        with open(path, "rb") as mine, open(files[1], "rb") as theirs:
            self.assertEqual(mine.read(), theirs.read(), "without --earlier, it is a copy")
        other = network(3)
        wide = self.write("wide.bin", export.pack(other, dict(other.named_parameters()), [9], 1))
        with self.assertRaisesRegex(SystemExit, "wide.bin' has another shape, expected 2 blocks of 32"):
            written("--earlier", wide)
        with mock.patch("sys.stderr", io.StringIO()) as said, self.assertRaises(SystemExit):
            written("--earlier", files[0], "--share", "1.5")
        self.assertIn("'1.5', expected from 0 to 1", said.getvalue())

    def test_damaged_network_files_are_refused(self) -> None:
        data = self.packed()
        longer = data + bytes(4)
        longer = longer[:12] + struct.pack("<Q", export.fnv(longer[20:])) + longer[20:]
        for name, wrong, expected in (
            ("short", data[:45], "it has 45 bytes"),
            ("mark", b"x" + data[1:], "is no network of version 1"),
            ("hash", data[:-1] + bytes([data[-1] ^ 1]), "does not match its hash"),
            ("length", longer, f"has {len(longer)} bytes, expected {len(data)}"),
        ):
            with self.assertRaisesRegex(ValueError, expected):
                export.unpack(self.write(name, wrong))

    def test_sides_are_lists_and_ranges(self) -> None:
        self.assertEqual(export.sides("9,13-15,19"), [9, 13, 14, 15, 19])
        for text in ("", "4", "9-20", "x", "9,"):
            with self.assertRaisesRegex(SystemExit, "expected such as 9,13,19 or 9-19"):
                export.sides(text)

    def test_shapes_that_the_engine_rejects_are_named(self) -> None:
        self.assertIsNone(shape_flaw(6, 64))
        for blocks, channels in ((0, 64), (65, 64), (6, 48), (6, 544), (64, 512)):
            self.assertIn(f"{blocks} blocks of {channels} channels", shape_flaw(blocks, channels) or "")


class Checkpoints(TrainingCase):
    def test_a_checkpoint_keeps_everything_and_the_one_before(self) -> None:
        net, path = network(), self.path("checkpoint.pt")
        optimizer = Optimizer(net, network())
        for seen in (100, 200):
            for parameter in net.parameters():
                parameter.grad = torch.ones_like(parameter)
            optimizer.step(1e-3, 0.02)
            checkpoint.write(path, net, optimizer.state(), seen, 3, 7)
        saved, fresh = checkpoint.read(path)
        self.assertEqual([saved[name] for name in ("seen", "seed", "place")], [200, 3, 7])
        again = Optimizer(fresh, fresh)
        again.load(saved["optimizer"])
        for name, values in optimizer.master.items():
            self.assertTrue(torch.equal(values, again.master[name]), name)
        self.assertEqual(again.steps, 2)
        self.assertEqual(checkpoint.read(checkpoint.previous(path))[0]["seen"], 100)

    def test_a_damaged_checkpoint_is_refused_and_the_one_before_named(self) -> None:
        net, path = network(), self.path("checkpoint.pt")
        for _ in range(2):
            checkpoint.write(path, net, Optimizer(net, network()).state(), 1, 1, 0)
        self.write("checkpoint.pt", b"damaged")
        with self.assertRaisesRegex(SystemExit, "no checkpoint; the one before is '.*prev.pt'"):
            checkpoint.read(path)
        os.remove(checkpoint.previous(path))
        with self.assertRaisesRegex(SystemExit, "or no checkpoint$"):
            checkpoint.read(path)
        with self.assertRaisesRegex(SystemExit, "cannot read"):
            checkpoint.read(self.path("absent.pt"))


class FullDisks(TrainingCase):
    """`/dev/full` takes no byte, like a file on a full disk."""

    def fill(self, name: str) -> None:
        os.symlink("/dev/full", self.path(name))

    def test_a_full_disk_keeps_the_checkpoints(self) -> None:
        net, path = network(), self.path("checkpoint.pt")

        def write(seen: int) -> None:
            checkpoint.write(path, net, Optimizer(net, network()).state(), seen, 1, 0)

        write(100)
        write(200)
        for name in ("checkpoint.pt.new", "checkpoint.prev.pt.new"):
            self.fill(name)
            with self.assertRaisesRegex(SystemExit, "^cannot write '.*pt': No space left on device$"):
                write(300)
            self.assertEqual(checkpoint.read(path)[0]["seen"], 200)
            self.assertIn(checkpoint.read(checkpoint.previous(path))[0]["seen"], (100, 200))
        # The part is gone, so the next call can write again.
        write(300)
        self.assertEqual(checkpoint.read(path)[0]["seen"], 300)

    def test_a_full_disk_keeps_the_network(self) -> None:
        net, path, out = network(), self.path("checkpoint.pt"), self.write("net.bin", b"old")
        checkpoint.write(path, net, Optimizer(net, network()).state(), 1, 1, 0)
        self.fill("net.bin.new")
        with mock.patch("sys.argv", ["export.py", path, out]):
            with self.assertRaisesRegex(SystemExit, "^cannot write '.*net.bin': No space left on device$"):
                export.main()
        with open(out, "rb") as file:
            self.assertEqual(file.read(), b"old")


class WorkFolders(TrainingCase):
    def test_damaged_states_are_refused_in_one_line(self) -> None:
        for data in (b"", b"{", b"[]", b"\xff"):
            self.write("state.json", data)
            for read in (lambda: work.load(self.path("state.json")), lambda: loop.Loop(self.folder, {}, None, False)):
                with self.assertRaisesRegex(SystemExit, "^'.*state.json' is damaged, expected an object of JSON$"):
                    read()
        work.save(self.path("state.json"), {"steps": {}})
        self.assertEqual(work.load(self.path("state.json")), {"steps": {}})

    def test_damaged_packed_records_are_refused_and_good_ones_unpacked(self) -> None:
        os.makedirs(self.path("work"))
        data = random.Random(1).randbytes(1 << 12)
        packed = gzip.compress(data)
        at = len(packed) // 2
        for wrong in (packed[:at], packed[:at] + bytes(40) + packed[at + 40 :], b"\x1f\x8b\x08" + b"\xff" * 40, b"text"):
            with self.assertRaisesRegex(SystemExit, "^cannot unpack '.*games.txt.gz': .+$"):
                work.unpacked(self.write("games.txt.gz", wrong), self.path("work"))
            self.assertEqual([name for name in os.listdir(self.path("work")) if not name.endswith(".new")], [])
        for text in (data, data[:9]):  # other records of the same name
            with open(work.unpacked(self.write("games.txt.gz", gzip.compress(text)), self.path("work")), "rb") as file:
                self.assertEqual(file.read(), text)


class Parts(TrainingCase):
    def test_orthogonal_matrices_have_equal_singular_values(self) -> None:
        torch.manual_seed(2)
        for shape in ((3, 16, 40), (2, 40, 16)):
            values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
            self.assertTrue(((values > 0.6) & (values < 1.3)).all(), values)

    def test_steps_follow_the_gradient(self) -> None:
        net = network()
        optimizer = Optimizer(net, network())
        before = {name: values.clone() for name, values in optimizer.master.items()}
        for parameter in net.parameters():
            parameter.grad = parameter.detach().clone()
        optimizer.step(1e-3, 0.02)
        for name, values in optimizer.master.items():
            slope = ((values - before[name]) * before[name]).sum().item()
            self.assertTrue(slope < 0 or not before[name].any(), name)
        self.assertTrue(optimizer.is_finite())

    def test_times_are_of_the_day_or_from_now(self) -> None:
        self.assertTrue(math.isclose(moment("+0.5"), time.time() + 1800, abs_tol=60))
        later = moment("11:00")
        self.assertTrue(0 <= later - time.time() <= 86460, later)
        self.assertEqual(time.gmtime(later)[3:5], (11, 0))
        for text in ("", "25:00", "+x", "noon"):
            with self.assertRaisesRegex(SystemExit, "expected HH:MM or \\+HOURS"):
                moment(text)
