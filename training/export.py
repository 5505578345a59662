"""Write a checkpoint's moving average as a file that the engine reads (format: `src/net/file.rs`).

    python training/export.py WORK/checkpoint.pt src/net/weights.bin --sides 19
"""

import argparse
import struct

import torch

from model import DENSE_SCALE, Net

VERSION = 1
FEATURES = 1


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def convolution(weights, name):
    w = weights[name + ".weight"]  # [output][input][3][3]
    taps = w.permute(2, 3, 1, 0).flatten(0, 1)  # [tap][input][output]
    return taps.contiguous().to(torch.bfloat16).view(torch.int16).numpy().tobytes() + floats(weights[name + ".bias"])


def floats(tensor):
    return tensor.contiguous().float().numpy().astype("<f4").tobytes()


def dense(weights, name):
    return floats(weights[name + ".weight"].flatten(1)) + floats(weights[name + ".bias"])


def pack(net, weights, sides, positions):
    mask = sum(1 << side for side in sides)
    pooling = sum(1 << block for block in net.pooling)
    scaled = weights["dense.weight"].clone()
    scaled[:, :128] *= DENSE_SCALE
    weights = dict(weights, **{"dense.weight": scaled})
    content = struct.pack("<HHHIQQ", net.blocks, net.channels, FEATURES, mask, pooling, positions)
    content += convolution(weights, "stem")
    for i, block in enumerate(net.trunk):
        content += convolution(weights, f"trunk.{i}.first") + convolution(weights, f"trunk.{i}.second")
        if block.pool is not None:
            content += dense(weights, f"trunk.{i}.pool")
    content += convolution(weights, "head")
    for name in ("policy_bias", "policy", "ownership", "dense", "outcome"):
        content += dense(weights, name)
    return b"omnigoNN" + struct.pack("<IQ", VERSION, fnv(content)) + content


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--sides", default="19", help="sides of boards that the engine uses it on: 9,13,19 or 9-19")
    a = parser.parse_args()
    saved = torch.load(a.checkpoint, weights_only=True)
    blocks, channels = saved["shape"]
    net = Net(blocks, channels, {1, blocks - 2})
    sides = []
    for part in a.sides.split(","):
        low, _, high = part.partition("-")
        sides += range(int(low), int(high or low) + 1)
    data = pack(net, saved["optimizer"]["average"], sides, saved["seen"])
    with open(a.out, "wb") as file:
        file.write(data)
    print(f"{a.out}: {len(data)} bytes, {saved['seen']} positions")


if __name__ == "__main__":
    main()
