"""Networks of KataGo: their files, their outputs, and the server that computes them."""

import gzip
import os
import struct
import subprocess
import sys

from training.tests.support import ROOT, TRAINING, TrainingCase

import numpy as np
import torch

import katago
import katago_file
from training.tests.katago_sample import Recipe, answer, header, reference
from training.tests.samples import planes

SAMPLE = os.path.join(ROOT, "crates", "net", "samples", "katago.bin")
KINDS = ((15, True, 1), (16, False, 2), (17, None, 0))
RECIPES = [
    Recipe(),
    Recipe(version=10, channels=33, sides=(3, 1, 5)),
    Recipe(version=11, activation="IDENTITY"),
    Recipe(version=14, activation="MISH", blocks=("bottleneck", "ordinary")),
    *(
        Recipe(
            version=version,
            activation="SILU" if tip else "MISH",
            tip=tip,
            blocks=((4, 2, rotation), "feed-forward", "pooling", (3, 3, rotation)),
        )
        for version, tip, rotation in KINDS
    ),
]


def positions(count: int, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns random planes of each point as bits, and random global inputs."""
    dice = np.random.default_rng(width * height)
    bits = dice.integers(0, 1 << 22, (count, height, width)).astype("<u4") | 1
    return bits, dice.uniform(-1, 1, (count, 19)).astype("<f4")


class Networks(TrainingCase):
    def network(self, data: bytes) -> katago_file.Network:
        return katago_file.read(self.write("net.bin", data))

    def flaw(self, data: bytes) -> str:
        with self.assertRaises(ValueError) as caught:
            self.network(data)
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        return text

    def assert_same(self, one, two) -> None:
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, two)
        elif hasattr(one, "__dict__"):
            self.assert_same(list(vars(one).values()), list(vars(two).values()))
        elif isinstance(one, (list, tuple)):
            self.assertEqual(len(one), len(two))
            for pair in zip(one, two):
                self.assert_same(*pair)
        else:
            self.assertEqual(one, two)

    def test_outputs_agree_with_the_reference_implementation(self) -> None:
        with open(SAMPLE, "rb") as file:
            files = [file.read(), *(recipe.bytes() for recipe in RECIPES)]
        for number, data in enumerate(files):
            network = self.network(data)
            twin = katago.Twin(network)
            for width, height in ((5, 7), (3, 3)):
                bits, globals = positions(2, width, height)
                inputs = torch.from_numpy(planes(bits).astype(np.float32)).permute(0, 3, 1, 2)
                with torch.inference_mode():
                    outputs = twin(inputs, torch.from_numpy(globals))
                for i in range(2):
                    found = answer([output[i].numpy() for output in outputs])
                    expected = answer(reference(network, planes(bits[i]), globals[i]))
                    gap = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
                    self.assertLess(gap.max(), 2e-4, f"network {number}, {width}x{height}")

    def test_outputs_agree_with_the_engine(self) -> None:
        # kata-raw-nn for the sample, on an empty board of 7x7 with Tromp-Taylor rules and komi 7.
        top = [0.019493, 0.024784, 0.025739, 0.026394, 0.026247, 0.024093, 0.026696]
        bottom = [0.013402, 0.013822, 0.013825, 0.013897, 0.014084, 0.013562, 0.016032]
        owners = [0.0863277, 0.1482333, 0.1578425, 0.1636225, 0.1635376, 0.1532696, 0.1742430]
        twin = katago.load(SAMPLE)
        inputs = torch.zeros(1, 22, 7, 7)
        inputs[:, 0] = 1
        globals = torch.zeros(1, 19)
        globals[0, 5:9] = torch.tensor([-0.35, 1.0, 0.5, 1.0])
        with torch.inference_mode():
            policy, passing, outcome, scores, ownership = twin(inputs, globals)
        shares = torch.cat([policy[0, :, 0], passing[0]]).softmax(0)
        self.assertAlmostEqual(outcome[0, :2].softmax(0)[1].item(), 0.532934, places=5)
        self.assertAlmostEqual(-20 * scores[0, 2].item(), -3.348, places=2)
        for row, expected in ((0, top), (6, bottom)):
            np.testing.assert_allclose(shares[7 * row : 7 * row + 7], expected, atol=2e-6)
        self.assertAlmostEqual(shares[-1].item(), 0.007826, places=5)
        np.testing.assert_allclose(-torch.tanh(ownership[0, :7]), owners, atol=1e-5)

    def test_small_floats_come_close(self) -> None:
        recipe = RECIPES[4]
        bits, globals = positions(2, 5, 5)
        inputs = torch.from_numpy(planes(bits).astype(np.float32)).permute(0, 3, 1, 2)
        path = self.write("net.bin", recipe.bytes())
        with torch.inference_mode():
            exact = katago.load(path)(inputs, torch.from_numpy(globals))
            twin = katago.load(path).at("cpu", torch.bfloat16)
            for found, expected in zip(twin(inputs, torch.from_numpy(globals)), exact):
                self.assertEqual(found.dtype, torch.float32)
                self.assertLess((found - expected).abs().max(), 0.1 * max(1.0, expected.abs().max()))

    def test_text_and_binary_packed_and_unpacked_are_the_same_network(self) -> None:
        for recipe in RECIPES:
            data = recipe.bytes()
            network = self.network(data)
            recipe = Recipe(**{**vars(recipe), "binary": False})
            for other in (recipe.bytes(), gzip.compress(data), gzip.compress(recipe.bytes())):
                self.assert_same(self.network(other), network)

    def test_unknown_parts_are_refused_by_name(self) -> None:
        recipe = Recipe(version=17, binary=False, blocks=("ordinary", (2, 2, 1), "feed-forward"))
        text = recipe.bytes()
        for old, new, expected in (
            ("sample 17", "sample 18", "KataGo model version 18, expected 8 to 17"),
            ("sample 17", "sample x", "not a network of KataGo, expected a name and a model version at its start"),
            ("22 19", "23 19", "layer 'start': '23', expected a number of input planes from 22 to 22"),
            ("0 0 0 0 0 0 0 0", "0 0 0 0 5 0 0 0", "layer 'start': '5', expected 0 for an option without a meaning"),
            ("ordinary_block", "dilated_block", "layer 'block': 'dilated_block', expected a known kind of block, such as ordinary_block or gpool_block"),
            ("ACTIVATION_RELU", "ACTIVATION_GELU", "layer 'layer4': 'ACTIVATION_GELU', expected ACTIVATION_ and IDENTITY, RELU, MISH or SILU"),
            ("12 0.0001", "11 0.0001", "layer 'layer3': 11 channels, expected 12"),
            ("12 0.0001", "12 nan", "layer 'layer3': 'nan', expected an epsilon above 0"),
            ("3 3 12", "2 3 12", "layer 'layer5': '2', expected an odd side of a filter"),
            ("2 2 6 5", "2 3 6 5", "layer 'block': '3', expected a divisor of the number of heads"),
            ("2 2 6 5", "2 2 7 5", "layer 'block': '7', expected an even size of rotated keys"),
            ("4 0 0 0", "3 0 0 0", "layer 'policy': '3', expected 2 or 4 policy channels"),
        ):
            changed = text.replace(old.encode(), new.encode(), 1)
            self.assertEqual(self.flaw(changed), expected)
        human = Recipe(version=15, encodes=True).bytes()
        self.assertIn("human-style networks are not supported", self.flaw(human))

    def test_damaged_files_are_refused_in_one_line(self) -> None:
        for recipe in (Recipe(), Recipe(binary=False)):
            data = recipe.bytes()
            packed = gzip.compress(data, 1)
            for cut in range(0, len(data) - 2, 997):
                self.flaw(data[:cut])
                self.flaw(packed[: cut * len(packed) // len(data)])
            self.assertIn("data after the last layer", self.flaw(data + b"more"))
            wrong = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
            self.assertIn("cannot unpack the file", self.flaw(wrong))
        start = Recipe().bytes()
        at = start.index(b"@BIN@") + 5
        for value in (float("nan"), float("inf")):
            broken = start[:at] + struct.pack("<f", value) + start[at + 4 :]
            self.assertEqual(self.flaw(broken), "layer 'layer1': a weight is not a finite number")
        text = Recipe(binary=False).bytes().replace(b" 1 1\n0.", b" 1 1\n0,", 1).replace(b" 1 1\n-0.", b" 1 1\n-0,", 1)
        self.assertIn("expected a number or @BIN@", self.flaw(text))

    def test_small_files_cannot_fill_the_memory(self) -> None:
        head = b"sample 8 22 19\ntrunk 1 8192 9 9 0 5\nstem 9 9 22 8192 1 1\n@BIN@"
        self.assertEqual(self.flaw(head), "layer 'stem': the file ends here, expected more data")
        bomb = gzip.compress(head + bytes(48 << 20))
        self.assertIn("unpacks to more than 32 MiB", self.flaw(bomb))
        spaces = gzip.compress(b"sample 8 22 " + b" " * (60 << 20))
        self.assertIn("unpacks to more than", self.flaw(spaces))
        self.assertIn("not a network of KataGo", self.flaw(b"7" * (1 << 20)))
        deep = b"nested_bottleneck_block b 1 n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 " * 9
        start = b"sample 8 22 19 trunk 1 1 9 9 0 5 stem 1 1 22 1 1 1 %sg 19 1 %s" % (b"1 " * 22, b"1 " * 19)
        self.assertIn("expected at most 8 blocks inside each other", self.flaw(start + deep))
        wide = Recipe(blocks=("bottleneck",) * 1024, channels=2).bytes()
        self.assertEqual(len(self.network(wide).blocks), 1024)
        more = b"nested_bottleneck_block b 1024 n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 "
        flat = b"nested_bottleneck_block b 1 n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 "
        end = b"n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 "
        leaf = b"ordinary_block b n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 "
        many = start + more + (flat + flat + flat + leaf + 3 * end) * 1024
        self.assertEqual(self.flaw(many), "layer 'b': more than 4096 blocks, expected fewer")


class Servers(TrainingCase):
    def serve(self, data: bytes, *options: str, file: str = SAMPLE) -> subprocess.CompletedProcess:
        command = [sys.executable, "-B", os.path.join(TRAINING, "teacher.py"), "--device", "cpu", "--threads", "1"]
        return subprocess.run([*command, *options, file], input=data, capture_output=True, timeout=300)

    def test_requests_of_different_sizes_are_answered_in_order(self) -> None:
        network = katago_file.read(SAMPLE)
        data, expected = b"", []
        # The second request has more points than a pass takes.
        for width, height, count in ((5, 3, 2), (3, 3, 1900), (4, 6, 1)):
            bits, globals = positions(count, width, height)
            data += header(width, height, count) + globals.tobytes() + bits.tobytes()
            known = [0, count - 1]
            expected.append((width * height, count, {i: (bits[i], globals[i]) for i in known}))
        done = self.serve(data)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout[:20], b"omnigoTE" + struct.pack("<III", 1, 1, 4))
        numbers, at = np.frombuffer(done.stdout[20:], "<f4"), 0
        for points, count, known in expected:
            size = points * 2 + 1 + 3 + 4
            found = numbers[at : at + count * size].reshape(count, size)
            at += count * size
            for i, (bits, globals) in known.items():
                wanted = answer(reference(network, planes(bits), globals))
                np.testing.assert_allclose(found[i], wanted, rtol=2e-4, atol=2e-4)
        self.assertEqual(at, len(numbers))

    def test_broken_requests_end_the_server_with_one_line(self) -> None:
        good = header(3, 3, 1) + bytes(4 * 28)
        for data, expected in (
            (good + header(2, 9, 1), "teacher.py: a request for a board of 2x9, expected sides from 3 to 25"),
            (header(9, 26, 1), "teacher.py: a request for a board of 9x26, expected sides from 3 to 25"),
            (header(9, 9, 0), "teacher.py: a request of 0 positions, expected 1 to 65536"),
            (header(9, 9, 65537), "teacher.py: a request of 65537 positions, expected 1 to 65536"),
            (header(9, 9, 1)[:7], "teacher.py: a request ends after 7 bytes, expected 12 bytes at its start"),
            (good[:-1], "teacher.py: a request ends after 111 bytes, expected 112 bytes"),
        ):
            done = self.serve(data)
            self.assertEqual((done.returncode, done.stderr.decode()), (1, expected + "\n"))

    def test_files_without_a_network_end_the_server_with_one_line(self) -> None:
        human = self.write("human.bin", Recipe(version=15, encodes=True).bytes())
        for file, expected in (
            (human, "human-style networks are not supported"),
            (self.write("other.bin", b"omnigo06"), "not a network of KataGo"),
            (self.path("missing.bin"), "No such file"),
        ):
            done = self.serve(b"", file=file)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            line = done.stderr.decode()
            self.assertEqual(line.count("\n"), 1)
            self.assertTrue(line.startswith(f"teacher.py: '{file}': "), line)
            self.assertIn(expected, line)

    def test_overflows_are_reported(self) -> None:
        # Weights of the stem that float16 cannot hold.
        data = Recipe().bytes()
        at = data.index(b"@BIN@") + 5
        file = self.write("large.bin", data[:at] + struct.pack("<f", 1e6) + data[at + 4 :])
        bits, globals = positions(1, 3, 3)
        request = header(3, 3, 1) + globals.tobytes() + bits.tobytes()
        done = self.serve(request, "--precision", "float16", file=file)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "teacher.py: an output is not finite in float16, try --precision bfloat16\n")
