"""Reader of network files of KataGo, model versions 8 to 17, as `crates/net/src/katago/read.rs`.

A file is text, packed by gzip or not. Arrays of weights are decimals, or `@BIN@` followed by
little-endian floats. Memory grows only with data that was read, never with a size that a file
claims. Every flaw ends as a `ValueError` of one line.
"""

import gzip
import math
import os
import re
import zlib
from dataclasses import dataclass, field

import numpy as np

PLANES, GLOBALS = 22, 19
MOST_CHANNELS = 1 << 13
MOST_SIDE = 9
# Numbers of blocks in a row, inside each other, and in all.
MOST_BLOCKS, MOST_DEPTH, MOST_IN_ALL = 1024, 8, 4096
MOST_LETTERS = 128
CHUNK = 1 << 20
# A file may unpack to 4 GiB, to this number of times its size, and to 32 MiB more. Weights hardly
# compress, so a larger file was made to exhaust the memory.
MOST_BYTES, EXPANSION, FREE_BYTES = 4 << 30, 16, 32 << 20
SPACE = b" \t\n\x0c\r"
WORD_END = re.compile(rb"[ \t\n\x0c\r]")
ACTIVATIONS = ("IDENTITY", "RELU", "MISH", "SILU")


class Unreadable(ValueError):
    """The file cannot be unpacked, or unpacks to too much."""


@dataclass
class Norm:
    """A factor and an offset per channel, then an activation."""

    scale: np.ndarray
    offset: np.ndarray
    activation: str


@dataclass
class Bias:
    """Offsets after a dense layer, then an activation."""

    offset: np.ndarray
    activation: str


@dataclass
class Ordinary:
    """Two convolutions, `[row][column][input][output]`."""

    first: Norm
    inner: np.ndarray
    second: Norm
    outer: np.ndarray


@dataclass
class Pooling:
    """Two convolutions with values pooled over the whole board between them."""

    first: Norm
    inner: np.ndarray
    pooled: np.ndarray
    pool: Norm
    to_bias: np.ndarray
    second: Norm
    outer: np.ndarray


@dataclass
class Bottleneck:
    """Blocks of fewer channels between two convolutions."""

    first: Norm
    down: np.ndarray
    blocks: list
    second: Norm
    up: np.ndarray


@dataclass
class RmsNorm:
    """Division by the root mean square of a point's channels, then a factor per channel."""

    epsilon: float
    scale: np.ndarray


@dataclass
class Attention:
    """Attention between all points. Matrices are `[input][output]`. `base` is that of fixed
    frequencies, `frequencies` are learned ones, `[group][pair][x, y]`; without both, nothing turns.
    """

    heads: int
    groups: int
    key_size: int
    value_size: int
    norm: RmsNorm
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    out: np.ndarray
    base: float | None
    frequencies: np.ndarray | None


@dataclass
class FeedForward:
    """`out(silu(inner(x)) * gate(x))` for each point."""

    norm: RmsNorm
    inner: np.ndarray
    gate: np.ndarray
    out: np.ndarray


@dataclass
class RmsTip:
    """Last normalization of the trunk by the mean square of the whole board, or of each point."""

    epsilon: float
    spatial: bool
    norm: Norm


@dataclass
class PolicyHead:
    """Layers from the trunk to the policy. `pass_more` is a bias and a matrix, or `None`."""

    inner: np.ndarray
    pooled: np.ndarray
    pool: Norm
    to_bias: np.ndarray
    norm: Norm
    out: np.ndarray
    passing: np.ndarray
    pass_more: tuple[Bias, np.ndarray] | None


@dataclass
class ValueHead:
    """Layers from the trunk to the outcome, the scores and the ownership."""

    inner: np.ndarray
    norm: Norm
    hidden: np.ndarray
    hidden_bias: Bias
    outcome: np.ndarray
    outcome_bias: np.ndarray
    scores: np.ndarray
    scores_bias: np.ndarray
    ownership: np.ndarray


@dataclass
class Network:
    """A network as its file describes it."""

    name: str
    version: int
    stem: np.ndarray
    globals: np.ndarray
    tip: Norm | RmsTip
    policy: PolicyHead
    value: ValueHead
    blocks: list = field(default_factory=list)

    @property
    def policies(self) -> int:
        """Number of outputs per move: 1, 2 or 4."""
        return self.policy.out.shape[3]

    @property
    def scores(self) -> int:
        """Number of scores: 4 or 6."""
        return self.value.scores.shape[1]


def read(path: str) -> Network:
    """Returns the network in a file. Raises `OSError` if the file cannot be read, and `ValueError`
    if it is not a network that this program can use."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        packed = file.peek(2)[:2] == b"\x1f\x8b"
        if packed:
            with gzip.GzipFile(fileobj=file) as unpacked:
                return Reader(unpacked, size).network()
        return Reader(file, size).network()


class Reader:
    """Reader of one file, layer by layer."""

    def __init__(self, file, size: int):
        self.file, self.buffer, self.at = file, b"", 0
        self.limit = self.left = min(MOST_BYTES, FREE_BYTES + EXPANSION * size)
        self.layer, self.version, self.blocks = "start", 0, 0

    # Words and numbers

    def more(self) -> bool:
        """Appends a chunk of the file to the buffer. Returns false at the end."""
        try:
            chunk = self.file.read(CHUNK)
        except (OSError, EOFError, zlib.error) as error:
            line = " ".join(str(error).split())
            raise Unreadable(f"layer '{self.layer}': cannot unpack the file: {line}") from None
        self.left -= len(chunk)
        if self.left < 0:
            raise Unreadable(f"the file unpacks to more than {self.limit >> 20} MiB, expected less")
        self.buffer, self.at = self.buffer[self.at :] + chunk, 0
        return bool(chunk)

    def flaw(self, text: str) -> ValueError:
        return ValueError(f"layer '{self.layer}': {text}")

    def unexpected(self, found, expected: str) -> ValueError:
        return self.flaw(f"'{found}', expected {expected}")

    def short(self) -> ValueError:
        return self.flaw("the file ends here, expected more data")

    def skip_space(self) -> bool:
        """Skips white space. Returns false at the end of the file."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in SPACE:
                    return True
                self.at += 1
            if not self.more():
                return False

    def word(self) -> str:
        if not self.skip_space():
            raise self.short()
        while True:
            window = self.buffer[self.at : self.at + MOST_LETTERS + 1]
            end = WORD_END.search(window)
            if end or len(window) > MOST_LETTERS or not self.more():
                break
        letters = self.buffer[self.at : self.at + (end.start() if end else len(window))]
        if len(letters) > MOST_LETTERS or not all(32 < letter < 127 for letter in letters):
            start = re.match(rb"[!-~]*", letters[:MOST_LETTERS]).group().decode()
            raise self.unexpected(start, "a word of at most 128 letters")
        self.at += len(letters)
        return letters.decode()

    def name(self) -> None:
        self.layer = self.word()

    def whole(self, least: int, most: int, what: str) -> int:
        word = self.word()
        if not re.fullmatch(r"\+?[0-9]+", word) or not least <= int(word) <= most:
            raise self.unexpected(word, f"{what} from {least} to {most}")
        return int(word)

    def zeros(self, count: int) -> None:
        for _ in range(count):
            word = self.word()
            if not re.fullmatch("[+-]?0+", word):
                raise self.unexpected(word, "0 for an option without a meaning")

    def switch(self, what: str = "a switch") -> bool:
        return self.whole(0, 1, what) == 1

    def positive(self, what: str) -> float:
        word = self.word()
        try:
            with np.errstate(over="ignore"):
                number = float(np.float32(float(word)))
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number <= 0:
            raise self.unexpected(word, f"{what} above 0")
        return number

    def floats(self, *shape: int) -> np.ndarray:
        """Reads an array of weights."""
        count = math.prod(shape)
        if not self.skip_space():
            raise self.short()
        binary = self.buffer[self.at] == ord("@")
        found = self.binary(count) if binary else self.decimals(count)
        if not np.isfinite(found).all():
            raise self.flaw("a weight is not a finite number")
        return found.reshape(shape)

    def binary(self, count: int) -> np.ndarray:
        mark = self.take(5)
        if mark != b"@BIN@":
            raise self.unexpected(mark.decode("ascii", "replace"), "a number or @BIN@")
        data = bytearray()
        while len(data) < 4 * count:
            data += self.take(min(4 * count - len(data), CHUNK))
        return np.frombuffer(data, "<f4").astype(np.float32, copy=False)

    def take(self, count: int) -> bytes:
        """Reads at most `CHUNK` bytes."""
        while len(self.buffer) - self.at < count:
            if not self.more():
                raise self.short()
        self.at += count
        return self.buffer[self.at - count : self.at]

    def decimals(self, count: int) -> np.ndarray:
        parts, left = [], count
        while left:
            # The last word may go on beyond the buffer.
            window = self.buffer[self.at : self.at + CHUNK]
            end = max(window.rfind(bytes([letter])) for letter in SPACE) + 1
            words = window[:end].split(None, left)
            if words:
                self.at += end - (len(words[left]) if len(words) > left else 0)
            else:
                words = [self.word().encode()]
            words = words[:left]
            with np.errstate(over="ignore"):
                parts.append(np.array([self.number(word) for word in words]).astype(np.float32))
            left -= len(words)
        return np.concatenate(parts)

    def number(self, word: bytes) -> float:
        try:
            return float(word)
        except ValueError:
            text = re.match(rb"[!-~]*", word[:MOST_LETTERS]).group().decode()
            raise self.unexpected(text, "a number or @BIN@") from None

    # Layers

    def fits(self, found: int, expected: int) -> None:
        if found != expected:
            raise self.flaw(f"{found} channels, expected {expected}")

    def channels(self) -> int:
        return self.whole(1, MOST_CHANNELS, "a number of channels")

    def channels_of(self, expected: int) -> None:
        self.fits(self.channels(), expected)

    def conv(self, inputs: int | None = None) -> np.ndarray:
        self.name()
        sides = []
        for _ in range(2):
            sides.append(self.whole(1, MOST_SIDE, "an odd side"))
            if sides[-1] % 2 == 0:
                raise self.unexpected(sides[-1], "an odd side of a filter")
        found, outputs = self.channels(), self.channels()
        for _ in range(2):
            self.whole(1, 1, "a dilation")
        # Before the weights, so that a wrong size is not reported as a file that ends.
        if inputs is not None:
            self.fits(found, inputs)
        return self.floats(*sides, found, outputs)

    def activation(self) -> str:
        self.name()
        if self.version < 11:
            return "RELU"
        word = self.word()
        if word.removeprefix("ACTIVATION_") not in ACTIVATIONS or not word.startswith("ACTIVATION_"):
            raise self.unexpected(word, "ACTIVATION_ and IDENTITY, RELU, MISH or SILU")
        return word.removeprefix("ACTIVATION_")

    def norm(self, channels: int) -> Norm:
        self.name()
        self.channels_of(channels)
        epsilon = self.positive("an epsilon")
        has_scale, has_offset = self.switch(), self.switch()
        mean, variance = self.floats(channels), self.floats(channels)
        scale = self.floats(channels) if has_scale else np.ones(channels, np.float32)
        offset = self.floats(channels) if has_offset else np.zeros(channels, np.float32)
        with np.errstate(all="ignore"):
            scale = scale / np.sqrt(variance + np.float32(epsilon))
            offset = offset - scale * mean
        if not (np.isfinite(scale).all() and np.isfinite(offset).all()):
            raise self.flaw("a weight is not a finite number")
        return Norm(scale, offset, self.activation())

    def matrix(self, inputs: int, outputs: int | None = None) -> np.ndarray:
        self.name()
        found, width = self.channels(), self.channels()
        self.fits(found, inputs)
        if outputs is not None:
            self.fits(width, outputs)
        return self.floats(inputs, width)

    def offsets(self, channels: int) -> np.ndarray:
        self.name()
        self.channels_of(channels)
        return self.floats(channels)

    def bias(self, channels: int) -> Bias:
        return Bias(self.offsets(channels), self.activation())

    def rms_norm(self, channels: int) -> RmsNorm:
        self.name()
        self.channels_of(channels)
        return RmsNorm(self.positive("an epsilon"), self.floats(channels))

    # Parts of a network

    def network(self) -> Network:
        try:
            name = self.word()
            self.version = self.whole(0, 9999, "a version")
        except Unreadable:
            raise
        except ValueError:
            text = "not a network of KataGo, expected a name and a model version at its start"
            raise ValueError(text) from None
        if not 8 <= self.version <= 17:
            raise ValueError(f"KataGo model version {self.version}, expected 8 to 17")
        self.whole(PLANES, PLANES, "a number of input planes")
        self.whole(GLOBALS, GLOBALS, "a number of global inputs")
        if self.version >= 13:
            for _ in range(7):
                self.positive("a factor of the outputs")
        if self.version >= 15:
            if self.switch("a version of the encoder"):
                text = "a network without an encoder: human-style networks are not supported"
                raise self.unexpected(1, text)
            self.switch()
            self.zeros(6)
        stem, globals_, blocks, tip = self.trunk()
        channels = stem.shape[3]
        network = Network(
            name, self.version, stem, globals_, tip, self.policy(channels), self.value(channels), blocks
        )
        if self.skip_space():
            raise ValueError("data after the last layer, expected the end of the file")
        return network

    def trunk(self):
        self.name()
        count = self.whole(1, MOST_BLOCKS, "a number of blocks")
        channels = self.channels()
        # Sizes of the blocks, which each block repeats.
        for _ in range(4):
            self.whole(0, MOST_CHANNELS, "a number of channels")
        rms = False
        if self.version >= 15:
            rms = self.switch("a kind of normalization")
            self.zeros(5)
        stem = self.conv(PLANES)
        self.fits(stem.shape[3], channels)
        globals_ = self.matrix(GLOBALS, channels)
        blocks = [self.block(channels, MOST_DEPTH) for _ in range(count)]
        return stem, globals_, blocks, self.rms_tip(channels) if rms else self.norm(channels)

    def rms_tip(self, channels: int) -> RmsTip:
        self.name()
        self.channels_of(channels)
        epsilon = self.positive("an epsilon")
        spatial = self.switch()
        self.zeros(1)
        scale, offset = self.floats(channels), self.floats(channels)
        return RmsTip(epsilon, spatial, Norm(scale, offset, self.activation()))

    def block(self, channels: int, depth: int):
        kind = self.word()
        self.name()
        self.blocks += 1
        if self.blocks > MOST_IN_ALL:
            raise self.flaw(f"more than {MOST_IN_ALL} blocks, expected fewer")
        if kind == "ordinary_block":
            first = self.norm(channels)
            inner = self.conv(channels)
            second = self.norm(inner.shape[3])
            block = Ordinary(first, inner, second, self.conv(inner.shape[3]))
            self.fits(block.outer.shape[3], channels)
        elif kind == "gpool_block":
            first = self.norm(channels)
            inner = self.conv(channels)
            pooled = self.conv(channels)
            pool = self.norm(pooled.shape[3])
            to_bias = self.matrix(3 * pooled.shape[3], inner.shape[3])
            second = self.norm(inner.shape[3])
            block = Pooling(first, inner, pooled, pool, to_bias, second, self.conv(inner.shape[3]))
            self.fits(block.outer.shape[3], channels)
        elif kind == "nested_bottleneck_block":
            count = self.whole(1, MOST_BLOCKS, "a number of blocks")
            if depth == 0:
                raise self.unexpected(kind, "at most 8 blocks inside each other")
            first = self.norm(channels)
            down = self.conv(channels)
            blocks = [self.block(down.shape[3], depth - 1) for _ in range(count)]
            second = self.norm(down.shape[3])
            block = Bottleneck(first, down, blocks, second, self.conv(down.shape[3]))
            self.fits(block.up.shape[3], channels)
        elif kind == "transformer_attention_block":
            block = self.attention(channels)
        elif kind == "transformer_ffn_block":
            self.channels_of(channels)
            hidden = self.channels()
            self.whole(1, 1, "a switch of the gate")
            norm = self.rms_norm(channels)
            inner, gate = self.matrix(channels, hidden), self.matrix(channels, hidden)
            block = FeedForward(norm, inner, gate, self.matrix(hidden, channels))
        else:
            raise self.unexpected(kind, "a known kind of block, such as ordinary_block or gpool_block")
        return block

    def attention(self, channels: int) -> Attention:
        heads, groups, key_size, value_size = [self.channels() for _ in range(4)]
        rotates, learned = self.switch(), self.switch()
        if heads % groups:
            raise self.unexpected(groups, "a divisor of the number of heads")
        if rotates and key_size % 2:
            raise self.unexpected(key_size, "an even size of rotated keys")
        norm = self.rms_norm(channels)
        query = self.matrix(channels, heads * key_size)
        key = self.matrix(channels, groups * key_size)
        value = self.matrix(channels, groups * value_size)
        out = self.matrix(heads * value_size, channels)
        base = frequencies = None
        if rotates:
            self.name()
        if rotates and learned:
            for expected in (groups, key_size // 2, 2):
                self.channels_of(expected)
            frequencies = self.floats(groups, key_size // 2, 2)
        elif rotates:
            base = self.positive("a base of frequencies")
        return Attention(heads, groups, key_size, value_size, norm, query, key, value, out, base, frequencies)

    def policy(self, channels: int) -> PolicyHead:
        self.name()
        policies = {16: 4}.get(self.version, 1 if self.version < 12 else 2)
        if self.version >= 17:
            policies = self.whole(2, 4, "2 or 4 policy channels,")
            if policies == 3:
                raise self.unexpected(3, "2 or 4 policy channels")
            self.zeros(3)
        inner, pooled = self.conv(channels), self.conv(channels)
        pool = self.norm(pooled.shape[3])
        to_bias = self.matrix(3 * pooled.shape[3], inner.shape[3])
        norm = self.norm(inner.shape[3])
        out = self.conv(inner.shape[3])
        self.fits(out.shape[3], policies)
        passing = self.matrix(3 * pooled.shape[3])
        pass_more = None
        if self.version >= 15:
            bias = self.bias(passing.shape[1])
            pass_more = bias, self.matrix(passing.shape[1], policies)
        else:
            self.fits(passing.shape[1], policies)
        return PolicyHead(inner, pooled, pool, to_bias, norm, out, passing, pass_more)

    def value(self, channels: int) -> ValueHead:
        self.name()
        if self.version >= 17:
            self.zeros(3)
        scores = 6 if self.version >= 9 else 4
        inner = self.conv(channels)
        norm = self.norm(inner.shape[3])
        hidden = self.matrix(3 * inner.shape[3])
        width = hidden.shape[1]
        head = ValueHead(
            inner=inner,
            norm=norm,
            hidden=hidden,
            hidden_bias=self.bias(width),
            outcome=self.matrix(width, 3),
            outcome_bias=self.offsets(3),
            scores=self.matrix(width, scores),
            scores_bias=self.offsets(scores),
            ownership=self.conv(inner.shape[3]),
        )
        self.fits(head.ownership.shape[3], 1)
        return head
