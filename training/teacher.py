"""Evaluate positions with a network of KataGo for `omnigo label`, on a GPU if there is one.

    python training/teacher.py [--device cpu|cuda] [--precision PRECISION] [--threads N] FILE

The program answers requests on standard input until its end. All numbers are little-endian:

- The greeting is `omnigoTE` and three u32: version 1, the policy channels P, and the scores S.
- A request is three u32 (width, height, and count), 19 f32 of each position, and then a u32 for
  each point of each position. Its bit i is plane i. Points come row by row from the top.
- The answer has for each position, in f32: the policy `[H W][P]`, the pass `[P]`, the outcome
  `[3]`, the scores `[S]`, and the ownership `[H W]`, as `crates/net/src/katago/execute.rs` has them.
"""

import argparse
import os
import signal
import struct
import sys

# An interrupt ends the program at once, even while PyTorch is being loaded.
signal.signal(signal.SIGINT, signal.SIG_DFL)

import torch

import katago
from katago_file import GLOBALS, PLANES

VERSION = 1
SIDES = range(3, 26)
MOST_POSITIONS = 65536
# Maximum number of points that are computed at once, which bounds the memory of a pass.
MOST_POINTS = {"cuda": 400_000, "cpu": 16_384}
PRECISIONS = {name: getattr(torch, name) for name in ("float32", "float16", "bfloat16")}


class Store:
    """Memory for bytes that only grows, and from which a GPU copies fast."""

    def __init__(self, device: str):
        self.pinned = device == "cuda"
        self.bytes = torch.empty(0, dtype=torch.uint8)

    def take(self, size: int) -> torch.Tensor:
        """Returns the first `size` bytes. Their content is arbitrary."""
        if len(self.bytes) < size:
            self.bytes = torch.empty(size, dtype=torch.uint8, pin_memory=self.pinned)
        return self.bytes[:size]


class Teacher:
    """A network on a device, with its working space."""

    def __init__(self, path: str, device: str, precision: str):
        self.device = device
        self.net = katago.load(path).at(device, PRECISIONS[precision])
        self.precision = precision
        self.shifts = torch.arange(PLANES, dtype=torch.int32, device=device)
        self.store, self.results = Store(device), Store(device)

    def size(self, points: int) -> int:
        """Returns how many numbers an answer has for a board of so many points."""
        policies, scores = self.net.policies, self.net.score_count
        return points * (policies + 1) + policies + 3 + scores

    def run(self, globals: torch.Tensor, bits: torch.Tensor) -> torch.Tensor:
        """Returns the answers, `[N, size]` on the device. Inputs are `globals [N, 19]` and
        `bits [N, H, W]`. Raises `ValueError` if an output is not finite."""
        globals = globals.to(self.device, non_blocking=True)
        bits = bits.to(self.device, non_blocking=True)
        planes = ((bits[..., None] >> self.shifts) & 1).to(PRECISIONS[self.precision])
        outputs = self.net(planes.permute(0, 3, 1, 2), globals)
        found = torch.cat([output.flatten(1) for output in outputs], 1)
        if not torch.isfinite(found).all():
            other = "float32" if self.precision == "bfloat16" else "bfloat16"
            raise ValueError(f"an output is not finite in {self.precision}, try --precision {other}")
        return found

    def answer(self, data: torch.Tensor, width: int, height: int, count: int):
        """Yields the bytes of the answer to a request, part by part."""
        points = width * height
        globals = data[: 4 * GLOBALS * count].view(torch.float32).view(count, GLOBALS)
        bits = data[4 * GLOBALS * count :].view(torch.int32).view(count, height, width)
        most = max(1, MOST_POINTS[self.device] // points)
        for first in range(0, count, most):
            part = slice(first, min(first + most, count))
            found = self.run(globals[part], bits[part])
            result = self.results.take(4 * found.numel())
            result.view(torch.float32).view(found.shape).copy_(found)
            yield memoryview(result.numpy())


def fill(file, view: memoryview) -> int:
    """Reads until the view is full or the file ends. Returns the number of bytes."""
    size = 0
    while size < len(view):
        found = file.readinto(view[size:])
        if not found:
            break
        size += found
    return size


def write(file, view) -> None:
    """Writes all bytes, also to a pipe that takes only a part of them at once."""
    view = memoryview(view)
    while view:
        view = view[file.write(view) :]


def serve(teacher: Teacher, source, out) -> None:
    """Answers requests until the source ends. Raises `ValueError` for a broken request."""
    write(out, b"omnigoTE" + struct.pack("<III", VERSION, teacher.net.policies, teacher.net.score_count))
    head = bytearray(12)
    while size := fill(source, memoryview(head)):
        if size < len(head):
            raise ValueError(f"a request ends after {size} bytes, expected 12 bytes at its start")
        width, height, count = struct.unpack("<III", head)
        if width not in SIDES or height not in SIDES:
            raise ValueError(f"a request for a board of {width}x{height}, expected sides from 3 to 25")
        if not 1 <= count <= MOST_POSITIONS:
            raise ValueError(f"a request of {count} positions, expected 1 to {MOST_POSITIONS}")
        length = 4 * count * (GLOBALS + width * height)
        data = teacher.store.take(length)
        size = fill(source, memoryview(data.numpy()))
        if size < length:
            raise ValueError(f"a request ends after {size} bytes, expected {length} bytes")
        for part in teacher.answer(data, width, height, count):
            write(out, part)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Evaluate positions with a network of KataGo, as the evaluator of omnigo label.",
        allow_abbrev=False,
    )
    parser.add_argument("--device", choices=MOST_POINTS, help="[default: cuda if there is a GPU]")
    parser.add_argument("--precision", choices=PRECISIONS, help="[default: float16 on cuda, float32 on cpu]")
    parser.add_argument("--threads", type=int, metavar="N", help="threads on a CPU [default: one per core]")
    parser.add_argument("file", metavar="FILE", help="network of KataGo")
    a = parser.parse_args()
    a.device = a.device or ("cuda" if torch.cuda.is_available() else "cpu")
    a.precision = a.precision or ("float16" if a.device == "cuda" else "float32")
    if a.threads is not None and not 1 <= a.threads <= 1024:
        parser.error(f"argument --threads: '{a.threads}', expected 1 to 1024")
    if a.device == "cuda" and not torch.cuda.is_available():
        parser.error("argument --device: there is no GPU that this PyTorch can use")
    return a


def line(error: Exception) -> str:
    """Returns an error in one line."""
    text = getattr(error, "strerror", None) or str(error)
    return next((line for line in text.splitlines() if line.strip()), type(error).__name__)


def main() -> None:
    # Only answers may reach standard output, whatever a library prints.
    out = open(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    a = arguments()
    if a.threads:
        torch.set_num_threads(a.threads)
    # In float32, convolutions would otherwise round their operands to 10 bits.
    torch.backends.cudnn.allow_tf32 = False
    with torch.inference_mode():
        try:
            teacher = Teacher(a.file, a.device, a.precision)
            if a.device == "cuda":
                teacher.run(torch.zeros(8, GLOBALS), torch.ones(8, 9, 9, dtype=torch.int32))
        except (ValueError, OSError, RuntimeError, MemoryError) as error:
            raise SystemExit(f"teacher.py: '{a.file}': {line(error)}") from None
        try:
            with open(0, "rb", buffering=0, closefd=False) as source:
                serve(teacher, source, out)
        except BrokenPipeError:
            raise SystemExit("teacher.py: nobody reads the answers") from None
        except (ValueError, OSError, RuntimeError, MemoryError) as error:
            raise SystemExit(f"teacher.py: {line(error)}") from None


if __name__ == "__main__":
    main()
