"""Random networks in KataGo's format, and a slow definition of their layers in double precision.

Values of points are `[H, W, C]`. Each layer is written as its definition, without the layouts of
`training/katago.py`.
"""

import itertools
import struct
from dataclasses import dataclass

import numpy as np

from katago_file import Attention, Bottleneck, FeedForward, Network, Norm, Ordinary, Pooling, RmsTip


@dataclass
class Recipe:
    """A network to write. Blocks are names, or `(heads, groups, rotation)` of attention, where the
    rotation is 0 for none, 1 for fixed, and 2 for learned frequencies."""

    version: int = 8
    blocks: tuple = ("ordinary", "pooling")
    channels: int = 12
    activation: str = "RELU"
    tip: bool | None = None  # None for a norm per channel, otherwise true for the whole board
    encodes: bool = False
    binary: bool = True
    sides: tuple[int, int, int] = (1, 1, 1)  # of the first filters of the heads
    name: str = "sample"
    steps: int = 0  # Weights are multiples of its reciprocal, or any floats if it is 0.

    def bytes(self, seed: int = 1) -> bytes:
        return Writer(self, seed).data


class Writer:
    def __init__(self, recipe: Recipe, seed: int):
        self.recipe, self.dice = recipe, np.random.default_rng(seed)
        self.data, self.number = b"", itertools.count(1)
        self.words(recipe.name, recipe.version, 22, 19)
        if recipe.version >= 13:
            self.words(20, 19, 18, 17, 40, 0.25, 30)
        if recipe.version >= 15:
            self.words(int(recipe.encodes), *[0] * 7)
        self.trunk()
        self.policy()
        self.value()

    def words(self, *words) -> None:
        self.data += (" ".join(map(str, words)) + "\n").encode()

    def layer(self, *words) -> None:
        self.words(f"layer{next(self.number)}", *words)

    def floats(self, count: int, middle: float, spread: float) -> None:
        values = middle + spread * self.dice.uniform(-1, 1, count)
        if self.recipe.steps:
            values = np.round(values * self.recipe.steps) / self.recipe.steps
        values = values.astype(np.float32)
        if self.recipe.binary:
            self.data += b"@BIN@" + values.tobytes() + b"\n"
        else:
            self.words(*map(repr, values.tolist()))

    def conv(self, side: int, inputs: int, outputs: int) -> None:
        self.layer(side, side, inputs, outputs, 1, 1)
        count = side * side * inputs
        self.floats(count * outputs, 0.0, (3.0 / count) ** 0.5)

    def matrix(self, inputs: int, outputs: int) -> None:
        self.layer(inputs, outputs)
        self.floats(inputs * outputs, 0.0, (3.0 / inputs) ** 0.5)

    def offsets(self, channels: int) -> None:
        self.layer(channels)
        self.floats(channels, 0.0, 0.3)

    def activation(self) -> None:
        known = self.recipe.version >= 11
        self.layer(*[f"ACTIVATION_{self.recipe.activation}"] * known)

    def bias(self, channels: int) -> None:
        self.offsets(channels)
        self.activation()

    def norm(self, channels: int) -> None:
        self.layer(channels, 0.0001, 1, 1)
        for middle, spread in ((0.1, 0.3), (1.0, 0.5), (1.0, 0.4), (0.0, 0.3)):
            self.floats(channels, middle, spread)
        self.activation()

    def rms(self, channels: int) -> None:
        self.layer(channels, 0.00001)
        self.floats(channels, 1.0, 0.4)

    def block(self, kind, channels: int) -> None:
        match kind:
            case "ordinary":
                self.words("ordinary_block block")
                self.norm(channels)
                self.conv(3, channels, channels + 1)
                self.norm(channels + 1)
                self.conv(3, channels + 1, channels)
            case "pooling":
                self.words("gpool_block block")
                self.norm(channels)
                self.conv(3, channels, 7)
                self.conv(3, channels, 5)
                self.norm(5)
                self.matrix(15, 7)
                self.norm(7)
                self.conv(3, 7, channels)
            case "bottleneck":
                inner = channels // 2
                self.words("nested_bottleneck_block block", 3)
                self.norm(channels)
                self.conv(1, channels, inner)
                for each in ("ordinary", "pooling", (2, 1, 2)):
                    self.block(each, inner)
                self.norm(inner)
                self.conv(1, inner, channels)
            case "feed-forward":
                self.words("transformer_ffn_block block", channels, 20, 1)
                self.rms(channels)
                self.matrix(channels, 20)
                self.matrix(channels, 20)
                self.matrix(20, channels)
            case heads, groups, rotation:
                size, own = 6, 5
                self.words("transformer_attention_block block")
                self.words(heads, groups, size, own, min(rotation, 1), rotation // 2)
                self.rms(channels)
                self.matrix(channels, heads * size)
                self.matrix(channels, groups * size)
                self.matrix(channels, groups * own)
                self.matrix(heads * own, channels)
                if rotation == 1:
                    self.words("base", 100)
                elif rotation == 2:
                    self.words("frequencies", groups, size // 2, 2)
                    self.floats(groups * size, 0.0, 0.5)

    def trunk(self) -> None:
        recipe, channels = self.recipe, self.recipe.channels
        self.words("trunk", len(recipe.blocks), channels, 9, 9, 0, 5)
        if recipe.version >= 15:
            self.words(int(recipe.tip is not None), 0, 0, 0, 0, 0)
        self.conv(5, 22, channels)
        self.matrix(19, channels)
        for kind in recipe.blocks:
            self.block(kind, channels)
        if recipe.tip is None:
            self.norm(channels)
        else:
            self.layer(channels, 0.00001, int(recipe.tip), 0)
            self.floats(channels, 1.0, 0.4)
            self.floats(channels, 0.0, 0.3)
            self.activation()

    def policy(self) -> None:
        version, channels = self.recipe.version, self.recipe.channels
        policies = 1 if version < 12 else 2 if version < 16 else 4
        self.words("policy", *[4, 0, 0, 0] * (version >= 17))
        self.conv(self.recipe.sides[0], channels, 6)
        self.conv(self.recipe.sides[1], channels, 5)
        self.norm(5)
        self.matrix(15, 6)
        self.norm(6)
        self.conv(1, 6, policies)
        if version >= 15:
            self.matrix(15, 6)
            self.bias(6)
            self.matrix(6, policies)
        else:
            self.matrix(15, policies)

    def value(self) -> None:
        version = self.recipe.version
        self.words("value", *[0, 0, 0] * (version >= 17))
        self.conv(self.recipe.sides[2], self.recipe.channels, 8)
        self.norm(8)
        self.matrix(24, 10)
        self.bias(10)
        self.matrix(10, 3)
        self.offsets(3)
        scores = 6 if version >= 9 else 4
        self.matrix(10, scores)
        self.offsets(scores)
        self.conv(1, 8, 1)


def activate(name: str, x: np.ndarray) -> np.ndarray:
    match name:
        case "RELU":
            return np.maximum(x, 0.0)
        case "MISH":
            return x * np.tanh(np.log1p(np.exp(x)))
        case "SILU":
            return x / (1.0 + np.exp(-x))
    return x


def conv(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    (height, width, _), (rows, columns, _, outputs) = x.shape, weights.shape
    result = np.zeros((height, width, outputs))
    for y, x0, row, column in itertools.product(*map(range, (height, width, rows, columns))):
        v, u = y + row - rows // 2, x0 + column - columns // 2
        if 0 <= v < height and 0 <= u < width:
            result[y, x0] += x[v, u] @ weights[row, column].astype(np.float64)
    return result


def norm(x: np.ndarray, layer: Norm) -> np.ndarray:
    return activate(layer.activation, x * layer.scale + layer.offset)


def rms(x: np.ndarray, layer) -> np.ndarray:
    return x / np.sqrt((x * x).mean(2, keepdims=True) + layer.epsilon) * layer.scale


def pool(x: np.ndarray, maxima: bool) -> np.ndarray:
    size = (x.shape[0] * x.shape[1]) ** 0.5 - 14.0
    means = x.mean((0, 1))
    last = x.max((0, 1)) if maxima else means * (size * size / 100.0 - 0.1)
    return np.concatenate([means, means * size / 10.0, last])


def angle(layer: Attention, group: int, pair: int, x: int, y: int) -> float:
    pairs = layer.key_size // 2
    if layer.frequencies is not None:
        across, down = layer.frequencies[group, pair].astype(np.float64)
        return x * across + y * down
    if layer.base is None:
        return 0.0
    turns_down = pair < pairs // 2
    number = pair if turns_down else pair - pairs // 2
    return layer.base ** (-2.0 * number / pairs) * (y if turns_down else x)


def attention(x: np.ndarray, layer: Attention) -> np.ndarray:
    height, width, _ = x.shape
    queries, keys, values = (x @ each.astype(np.float64) for each in (layer.query, layer.key, layer.value))

    def turned(field: np.ndarray, head: int, group: int) -> np.ndarray:
        """Returns the rotated channels of a head, `[H W, key size]`."""
        result = field[..., head * layer.key_size :][..., : layer.key_size].copy()
        pairs = range(layer.key_size // 2)
        for y, x0, pair in itertools.product(range(height), range(width), pairs):
            turn = angle(layer, group, pair, x0, y)
            one, two = result[y, x0, 2 * pair : 2 * pair + 2]
            result[y, x0, 2 * pair] = one * np.cos(turn) - two * np.sin(turn)
            result[y, x0, 2 * pair + 1] = one * np.sin(turn) + two * np.cos(turn)
        return result.reshape(height * width, -1)

    found = []
    for head in range(layer.heads):
        group = head * layer.groups // layer.heads
        powers = np.exp(turned(queries, head, group) @ turned(keys, group, group).T / layer.key_size**0.5)
        own = values[..., group * layer.value_size :][..., : layer.value_size]
        found.append(powers / powers.sum(1, keepdims=True) @ own.reshape(height * width, -1))
    mixed = np.concatenate(found, 1) @ layer.out.astype(np.float64)
    return mixed.reshape(height, width, -1)


def block(x: np.ndarray, layers) -> np.ndarray:
    match layers:
        case Ordinary():
            change = conv(norm(conv(norm(x, layers.first), layers.inner), layers.second), layers.outer)
        case Pooling():
            seen = norm(x, layers.first)
            bias = pool(norm(conv(seen, layers.pooled), layers.pool), True) @ layers.to_bias
            change = conv(norm(conv(seen, layers.inner) + bias, layers.second), layers.outer)
        case Bottleneck():
            inner = conv(norm(x, layers.first), layers.down)
            for each in layers.blocks:
                inner = block(inner, each)
            change = conv(norm(inner, layers.second), layers.up)
        case Attention():
            change = attention(rms(x, layers.norm), layers)
        case FeedForward():
            seen = rms(x, layers.norm)
            change = activate("SILU", seen @ layers.inner) * (seen @ layers.gate) @ layers.out
    return x + change


def reference(network: Network, planes: np.ndarray, globals: np.ndarray) -> list[np.ndarray]:
    """Returns the outputs for one position: `planes [H, W, 22]` and `globals [19]`."""
    x = conv(planes.astype(np.float64), network.stem) + globals.astype(np.float64) @ network.globals
    for layers in network.blocks:
        x = block(x, layers)
    tip = network.tip
    if isinstance(tip, RmsTip):
        squares = (x * x).mean() if tip.spatial else (x * x).mean(2, keepdims=True)
        x, tip = x / np.sqrt(squares + tip.epsilon), tip.norm
    x = norm(x, tip)
    head = network.policy
    pooled = pool(norm(conv(x, head.pooled), head.pool), True)
    policy = conv(norm(conv(x, head.inner) + pooled @ head.to_bias, head.norm), head.out)
    passing = pooled @ head.passing
    if head.pass_more:
        bias, matrix = head.pass_more
        passing = activate(bias.activation, passing + bias.offset) @ matrix
    head = network.value
    inner = norm(conv(x, head.inner), head.norm)
    hidden = pool(inner, False) @ head.hidden + head.hidden_bias.offset
    hidden = activate(head.hidden_bias.activation, hidden)
    outcome, scores = hidden @ head.outcome + head.outcome_bias, hidden @ head.scores + head.scores_bias
    points = planes.shape[0] * planes.shape[1]
    return [policy.reshape(points, -1), passing, outcome, scores, conv(inner, head.ownership).reshape(points)]


def answer(outputs: list[np.ndarray]) -> np.ndarray:
    """Returns the outputs in the order of a teacher's answer."""
    return np.concatenate([output.ravel() for output in outputs])


def header(width: int, height: int, count: int) -> bytes:
    return struct.pack("<III", width, height, count)
