"""Write a checkpoint's moving average as a network file for the engine, or check such a file.

    python training/export.py WORK/checkpoint.pt crates/net/src/weights.bin --sides 9,13,19
    python training/export.py network.bin mean.bin --sides 9-19 --earlier before.bin --share 0.5
    python training/export.py crates/net/src/weights.bin --check

The second command writes the mean of two networks, one of which began with the weights of the
other. After a short training on special positions, the mean keeps more of what the network knew.

`crates/net/src/file.rs` describes the format.
"""

import argparse
import struct

import numpy as np
import torch

import checkpoint
import work
from model import DENSE_SCALE, Net, shape_flaw

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
    taps = taps.detach()
    return taps.contiguous().to(torch.bfloat16).view(torch.int16).numpy().tobytes() + floats(weights[name + ".bias"])


def floats(tensor):
    return tensor.detach().contiguous().float().numpy().astype("<f4").tobytes()


def dense(weights, name):
    return floats(weights[name + ".weight"].flatten(1)) + floats(weights[name + ".bias"])


def pack(net, weights, sides, positions):
    mask = sum(1 << side for side in set(sides))
    pooling = sum(1 << block for block in net.pooling)
    scaled = weights["dense.weight"].detach().clone()
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


def unpack(path: str) -> tuple[Net, int]:
    """Returns the network in a file, and the number of positions that it was trained on."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 46:
        raise ValueError(f"'{path}' is no network: it has {len(data)} bytes")
    if data[:8] != b"omnigoNN" or struct.unpack("<I", data[8:12])[0] != VERSION:
        raise ValueError(f"'{path}' is no network of version {VERSION}")
    if fnv(data[20:]) != struct.unpack("<Q", data[12:20])[0]:
        raise ValueError(f"'{path}' is damaged: its content does not match its hash")
    blocks, channels, features, _, pooling, positions = struct.unpack("<HHHIQQ", data[20:46])
    if features != FEATURES:
        raise ValueError(f"'{path}' was trained on features of version {features}, expected {FEATURES}")
    if flaw := shape_flaw(blocks, channels):
        raise ValueError(f"'{path}' is no network: {flaw}")
    net = Net(blocks, channels, {block for block in range(blocks) if pooling >> block & 1})
    at = 46

    def take(tensor, kind):
        nonlocal at
        values = np.frombuffer(data, kind, tensor.numel(), at)
        at += values.nbytes
        if kind == "<u2":  # bf16 is the upper half of f32
            values = (values.astype("<u4") << 16).view("<f4")
        return torch.from_numpy(values.copy())

    def convolution(layer):
        out, into, h, w = layer.weight.shape
        layer.weight.copy_(take(layer.weight, "<u2").view(h, w, into, out).permute(3, 2, 0, 1))
        layer.bias.copy_(take(layer.bias, "<f4"))

    def dense(layer):
        layer.weight.copy_(take(layer.weight, "<f4").view_as(layer.weight))
        layer.bias.copy_(take(layer.bias, "<f4"))

    with torch.no_grad():
        convolution(net.stem)
        for block in net.trunk:
            convolution(block.first)
            convolution(block.second)
            if block.pool is not None:
                dense(block.pool)
        convolution(net.head)
        for name in ("policy_bias", "policy", "ownership", "dense", "outcome"):
            dense(getattr(net, name))
        net.dense.weight[:, :128] /= DENSE_SCALE
    if at != len(data):
        raise ValueError(f"'{path}' has {len(data)} bytes, expected {at}")
    return net, positions


def check(path: str):
    """Prints the content of a file, and whether reading and writing it gives the same bytes."""
    net, positions = unpack(path)
    with open(path, "rb") as file:
        data = file.read()
    mask = struct.unpack("<I", data[26:30])[0]
    again = pack(net, dict(net.named_parameters()), [s for s in range(32) if mask >> s & 1], positions)
    differ = sum(a != b for a, b in zip(data[20:], again[20:]))
    print(f"{path}: {net.blocks} blocks of {net.channels} channels, {positions} positions, hash {fnv(data[20:]):016x}")
    print(f"written again, {differ} of {len(data)} bytes differ" if differ else "written again, it is the same")


def weights_of(path: str) -> tuple[Net, dict, int]:
    """Returns network, weights, and number of positions of a checkpoint or a network file."""
    with open(path, "rb") as file:
        is_network = file.read(8) == b"omnigoNN"
    if is_network:
        net, seen = unpack(path)
        return net, dict(net.named_parameters()), seen
    saved, net = checkpoint.read(path)
    return net, saved["optimizer"]["average"], saved["seen"]


def mean(net: Net, weights: dict, earlier: str, share: float) -> dict:
    """Returns the mean of these weights and those in a file."""
    other, _ = unpack(earlier)
    if (other.blocks, other.channels, other.pooling) != (net.blocks, net.channels, net.pooling):
        raise ValueError(f"'{earlier}' has another shape, expected {net.blocks} blocks of {net.channels} channels")
    before = dict(other.named_parameters())
    return {name: (1 - share) * before[name] + share * values for name, values in weights.items()}


def sides(text: str) -> list[int]:
    """Returns the sides in a list such as 9,13,19 or 9-19."""
    found = []
    try:
        for part in text.split(","):
            low, _, high = part.partition("-")
            found += range(int(low), int(high or low) + 1)
    except ValueError:
        found = []
    if not found or not all(5 <= side <= 19 for side in found):
        raise SystemExit(f"no sides: '{text}', expected such as 9,13,19 or 9-19, from 5 to 19")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoint", help="what train.py has written, or a network")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--check", action="store_true", help="read a network, say what it is")
    parser.add_argument("--sides", default="19", help="sides of boards on which and between which the engine uses it: 9,13,19")
    parser.add_argument("--earlier", metavar="FILE", help="network whose weights are mixed in")
    parser.add_argument("--share", type=float, default=0.5, help="of the new weights in the mean with --earlier, from 0 to 1")
    a = parser.parse_args()
    if not 0 <= a.share <= 1:
        parser.error(f"argument --share: '{a.share}', expected from 0 to 1")
    if a.check:
        try:
            return check(a.checkpoint)
        except (ValueError, OSError) as error:
            raise SystemExit(str(error)) from None
    if a.out is None:
        parser.error("expected a file to write")
    try:
        net, weights, seen = weights_of(a.checkpoint)
        if a.earlier is not None:
            weights = mean(net, weights, a.earlier, a.share)
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from None
    for name, values in weights.items():
        if not torch.isfinite(values.to(torch.bfloat16)).all():
            raise SystemExit(f"'{a.checkpoint}' is not exported: a weight of {name} is infinite or no number")
    data = pack(net, weights, sides(a.sides), seen)
    work.replace(a.out, data)
    print(f"{a.out}: {len(data)} bytes, {seen} positions")


if __name__ == "__main__":
    main()
