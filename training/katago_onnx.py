"""Export a network of KataGo as an ONNX model of one position on one board size.

    python training/katago_onnx.py FILE MODEL.onnx [--board WIDTHxHEIGHT]

The graph computes what `training/katago.py` computes, with its weights. It has no operation in
place, which ONNX lacks. Values of points are `[1, C, H, W]` in blocks of convolutions, as other
programs expect them, and `[1, H W, C]` elsewhere. The names of inputs and outputs are those of
`Twin.forward`. Every point of the board is in use, so there is no mask.
"""

import argparse
import contextlib
import logging
import os
import sys
import warnings

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import katago
from katago_file import GLOBALS, PLANES

INPUTS = ["planes", "globals"]
OUTPUTS = ["policy", "pass", "outcome", "scores", "ownership"]
SIDES = range(3, 26)


def activate(name: str, x: torch.Tensor) -> torch.Tensor:
    match name:
        case "RELU":
            return F.relu(x)
        case "MISH":
            return F.mish(x)
        case "SILU":
            return F.silu(x)
    return x


def dense(layer: katago.Dense, x: torch.Tensor) -> torch.Tensor:
    return activate(layer.activation, F.linear(x, layer.weight, layer.bias))


class Graph(nn.Module):
    """A network for one position on a board of `width` and `height`."""

    def __init__(self, twin: katago.Twin, width: int, height: int):
        super().__init__()
        self.twin, self.width, self.height = twin, width, height
        kinds = (katago.OrdinaryBlock, katago.PoolingBlock)
        self.has_convs = any(isinstance(layer, kinds) for layer in twin.modules())
        self.turns = nn.ParameterDict()
        for name, layer in twin.named_modules():
            if isinstance(layer, katago.AttentionBlock) and layer.rotates:
                self.turns[name.replace(".", "_")] = self.turns_of(layer)
        self.names = {layer: name.replace(".", "_") for name, layer in twin.named_modules()}

    def turns_of(self, layer: katago.AttentionBlock) -> nn.Parameter:
        """Returns cosines and sines of an attention, `[2, H W, heads + groups, pairs]`. Those of
        queries have the factor of the products."""
        angles = layer.angles(self.width, self.height)
        factors = np.ones((layer.heads + layer.groups, 1))
        factors[: layer.heads] = layer.key_size**-0.5
        both = np.stack([np.cos(angles), np.sin(angles)]) * factors
        return nn.Parameter(katago.tensor(both), requires_grad=False)

    # Layouts. Planes have four dimensions and rows three.

    def planes(self, x: torch.Tensor) -> torch.Tensor:
        return x if x.dim() == 4 else x.transpose(1, 2).unflatten(2, (self.height, self.width))

    def rows(self, x: torch.Tensor) -> torch.Tensor:
        return x if x.dim() == 3 else x.flatten(2).transpose(1, 2)

    @staticmethod
    def channels(x: torch.Tensor) -> int:
        """Returns the dimension of the channels."""
        return 1 if x.dim() == 4 else 2

    @staticmethod
    def each(values: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """Returns values of channels in a shape that fits `x`."""
        return values[..., None, None] if x.dim() == 4 else values.unsqueeze(-2)

    # Layers

    def conv(self, layer: katago.Conv, x: torch.Tensor) -> torch.Tensor:
        if layer.dense and x.dim() == 3:
            return F.linear(x, layer.weight, layer.bias)
        weight = layer.weight[..., None, None] if layer.dense else layer.weight
        y = F.conv2d(self.planes(x), weight.contiguous(), layer.bias, padding=layer.padding)
        return y if x.dim() == 4 else self.rows(y)

    def shared(self, layer: katago.Shared, x: torch.Tensor) -> torch.Tensor:
        found = [self.conv(conv, x) for conv in layer.convs]
        return torch.cat(found, self.channels(x)) if len(found) > 1 else found[0]

    def scale(self, layer: katago.Scale, x: torch.Tensor) -> torch.Tensor:
        scaled = x * self.each(layer.scale, x) + self.each(layer.offset, x)
        return activate(layer.activation, scaled)

    def pooled(self, x: torch.Tensor, maxima: bool) -> torch.Tensor:
        """Returns `[1, 3 C]`."""
        size = (self.width * self.height) ** 0.5 - 14.0
        points = (2, 3) if x.dim() == 4 else (1,)
        means = x.mean(points)
        last = x.amax(points) if maxima else means * (size * size / 100.0 - 0.1)
        return torch.cat([means, means * (size / 10.0), last], 1)

    def pooled_bias(self, layer: katago.PooledBias, both: torch.Tensor):
        """Returns the first result, activated, and the pooled values."""
        axis = self.channels(both)
        first, second = both.split([layer.split, both.shape[axis] - layer.split], axis)
        pool = self.pooled(activate(layer.activations[1], second), True)
        biased = first + self.each(dense(layer.to_bias, pool), both)
        return activate(layer.activations[0], biased), pool

    def rms(self, layer: katago.Rms, x: torch.Tensor) -> torch.Tensor:
        means = x.square().mean(-1, keepdim=True)
        return x / (means + layer.epsilon).sqrt() * layer.scale

    def tip(self, layer: katago.SpatialScale | katago.Scale, x: torch.Tensor) -> torch.Tensor:
        if isinstance(layer, katago.Scale):
            return self.scale(layer, x)
        axes = tuple(range(1, x.dim())) if len(layer.axes) > 1 else (self.channels(x),)
        squares = x.square().mean(axes, keepdim=True)
        return self.scale(layer.scale, x / (squares + layer.epsilon).sqrt())

    # Blocks

    def attention(self, block: katago.AttentionBlock, x: torch.Tensor) -> torch.Tensor:
        points, heads, groups = x.shape[1], block.heads, block.groups
        found = dense(block.product, self.rms(block.norm, x))
        keys = (heads + groups) * block.key_size
        both, values = found.split([keys, groups * block.value_size], 2)
        both = both.view(points, heads + groups, block.key_size)
        if block.rotates:
            cosine, sine = self.turns[self.names[block]]
            first, second = both.chunk(2, 2)
            turned = [first * cosine - second * sine, first * sine + second * cosine]
            both = torch.cat(turned, 2)
        query, key = both.split([heads, groups], 1)
        if not block.rotates:
            query = query * block.key_size**-0.5
        # Heads of a group follow each other.
        query = query.view(points, groups, heads // groups, -1).permute(1, 2, 0, 3)
        key = key.permute(1, 2, 0)[:, None]
        values = values.view(points, groups, 1, block.value_size).permute(1, 2, 0, 3)
        mixed = (query @ key).softmax(3) @ values
        mixed = mixed.permute(2, 0, 1, 3).reshape(1, points, heads * block.value_size)
        return self.conv(block.out, mixed)

    def change(self, block: nn.Module, x: torch.Tensor) -> torch.Tensor:
        """Returns what a block adds to its input, in the layout of the input."""
        match block:
            case katago.OrdinaryBlock():
                inner = self.conv(block.inner, self.scale(block.first, x))
                return self.conv(block.outer, activate(block.activation, inner))
            case katago.PoolingBlock():
                both = self.shared(block.both, self.scale(block.first, x))
                return self.conv(block.outer, self.pooled_bias(block.pool, both)[0])
            case katago.BottleneckBlock():
                y = self.conv(block.down, self.scale(block.first, x))
                for inner in block.blocks:
                    y = self.block(inner, y)
                y = self.planes(y) if x.dim() == 4 else self.rows(y)
                return self.conv(block.up, self.scale(block.second, y))
            case katago.AttentionBlock():
                return self.attention(block, x)
            case katago.FeedForwardBlock():
                found = dense(block.product, self.rms(block.norm, x))
                inner, gate = found.chunk(2, 2)
                return self.conv(block.out, F.silu(inner) * gate)
        raise TypeError(f"no graph for a {type(block).__name__}")

    def block(self, block: nn.Module, x: torch.Tensor) -> torch.Tensor:
        match block:
            case katago.OrdinaryBlock() | katago.PoolingBlock():
                x = self.planes(x)
            case katago.AttentionBlock() | katago.FeedForwardBlock():
                x = self.rows(x)
        return x + self.change(block, x)

    def forward(self, planes: torch.Tensor, globals: torch.Tensor) -> tuple[torch.Tensor, ...]:
        twin, trunk, heads = self.twin, self.twin.trunk, self.twin.heads
        x = self.conv(trunk.stem, planes)
        x = x + self.each(dense(twin.globals, globals), x)
        if not self.has_convs:
            x = self.rows(x)
        for block in trunk.blocks:
            x = self.block(block, x)
        first = self.shared(trunk.heads, self.tip(trunk.tip, x))
        axis = self.channels(first)
        inner, rest = first.split([heads.split, first.shape[axis] - heads.split], axis)
        inner, pool = self.pooled_bias(heads.policy, inner)
        policy = self.rows(self.conv(heads.points, inner))
        passing = dense(heads.passing, pool)
        if heads.pass_more is not None:
            passing = dense(heads.pass_more, passing)
        inner = activate(heads.activation, rest)
        hidden = dense(heads.hidden, self.pooled(inner, False))
        ownership = self.rows(self.conv(heads.ownership, inner)).flatten(1)
        return policy, passing, dense(heads.outcome, hidden), dense(heads.scores, hidden), ownership


def export(twin: katago.Twin, width: int, height: int, path: str) -> None:
    """Writes a network in float32 as an ONNX model."""
    graph = Graph(twin, width, height).eval()
    inputs = torch.zeros(1, PLANES, height, width), torch.zeros(1, GLOBALS)
    # The exporter reports packages that these networks do not need, and its progress.
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), contextlib.redirect_stdout(None), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            graph, inputs, input_names=INPUTS, output_names=OUTPUTS, dynamo=True, verbose=False
        )
        program.save(path)


def board(text: str) -> tuple[int, int]:
    """Parses a board size."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and {int(width), int(height)} <= set(SIDES)):
        raise argparse.ArgumentTypeError(f"'{text}', expected WIDTHxHEIGHT with sides from 3 to 25")
    return int(width), int(height)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", metavar="FILE", help="network of KataGo")
    parser.add_argument("model", metavar="MODEL.onnx", help="file to write")
    parser.add_argument("--board", type=board, default=(19, 19), metavar="WIDTHxHEIGHT")
    options = parser.parse_args()
    try:
        export(katago.load(options.net), *options.board, options.model)
    except (OSError, ValueError) as error:
        print(f"{os.path.basename(sys.argv[0])}: '{options.net}': {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
