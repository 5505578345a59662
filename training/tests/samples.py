"""Small random networks in KataGo's format, with the outputs that PyTorch computes for them.

`python3 -m training.tests.samples` writes them to `crates/net/samples/twin/`, where tests of the
engine read them: `NAME.bin.gz` is a network, and `NAME.txt` has positions with their outputs.
"""

import gzip
import os

from training.tests.support import ROOT

import numpy as np
import torch

import katago
from training.tests.katago_sample import Recipe

FOLDER = os.path.join(ROOT, "crates", "net", "samples", "twin")
# Boards of the positions, width and height.
BOARDS = ((9, 9), (5, 7))
# Names of the outputs, in the order of `katago.Twin`.
OUTPUTS = ("policy", "pass", "outcome", "scores", "ownership")
# Reciprocal of the unit of all weights. Round weights make small archives.
STEPS = 64


def transformer(version: int, activation: str, tip: bool | None, rotation: int) -> Recipe:
    blocks = ((4, 2, rotation), "feed-forward", "pooling", (3, 3, rotation))
    return recipe(version=version, activation=activation, tip=tip, blocks=blocks)


def recipe(**changes) -> Recipe:
    return Recipe(channels=8, steps=STEPS, **changes)


SAMPLES = {
    "ordinary-8": recipe(),
    "bottleneck-14": recipe(version=14, activation="MISH", blocks=("bottleneck", "ordinary")),
    "spatial-15": transformer(15, "SILU", True, 1),
    "pointwise-16": transformer(16, "MISH", False, 2),
    "unrotated-17": transformer(17, "MISH", None, 0),
}


def planes(bits: np.ndarray) -> np.ndarray:
    """Returns the 22 planes of each point: `[..., 22]`."""
    return bits[..., None] >> np.arange(22, dtype=np.uint32) & 1


def outputs(twin: katago.Twin, bits: np.ndarray, globals: np.ndarray) -> list[np.ndarray]:
    """Returns the outputs for one position: `bits [H, W]` and `globals [19]`."""
    inputs = torch.from_numpy(planes(bits).astype(np.float32)).permute(2, 0, 1)
    with torch.inference_mode():
        return [x[0].numpy() for x in twin(inputs[None], torch.from_numpy(globals)[None])]


def words(values: np.ndarray) -> str:
    return " ".join(map(str, values.ravel()))


def positions(path: str) -> str:
    """Returns random positions and their outputs by the network in a file, a line for each array."""
    twin, dice, lines = katago.load(path), np.random.default_rng(7), []
    for width, height in BOARDS:
        bits = dice.integers(0, 1 << 22, (height, width)).astype("<u4") | 1
        globals = dice.uniform(-1, 1, 19).round(2).astype("<f4")
        lines += [f"board {width} {height}", f"planes {words(bits)}", f"globals {words(globals)}"]
        for name, found in zip(OUTPUTS, outputs(twin, bits, globals)):
            lines.append(f"{name} {words(found)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    os.makedirs(FOLDER, exist_ok=True)
    for seed, (name, sample) in enumerate(SAMPLES.items(), 1):
        path = os.path.join(FOLDER, name)
        with open(f"{path}.bin.gz", "wb") as file:
            file.write(gzip.compress(sample.bytes(seed), mtime=0))
        with open(f"{path}.txt", "w") as file:
            file.write(positions(f"{path}.bin.gz"))
        print(f"{path}.bin.gz")


if __name__ == "__main__":
    main()
