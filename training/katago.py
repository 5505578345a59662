"""Networks of KataGo on a GPU: the layers of `crates/net/src/katago/` as modules of PyTorch.

Values of points are `[N, H, W, C]`, which a convolution sees as channels_last memory, and a dense
layer as rows. Layers of one tap are dense layers. Normalizations that follow a convolution are part
of its weights. Blocks add to their input in place, so the modules only compute, and learn nothing.
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from katago_file import (
    Attention,
    Bias,
    Bottleneck,
    FeedForward,
    Network,
    Norm,
    Ordinary,
    PolicyHead,
    Pooling,
    RmsNorm,
    RmsTip,
    read,
)

# Maximum number of board sizes whose rotations stay in memory.
MOST_SIZES = 16


def load(path: str) -> "Twin":
    """Returns the network in a file, in float32. Raises `OSError` or `ValueError`."""
    return Twin(read(path))


def tensor(values) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32))


def activate(name: str, x: torch.Tensor) -> torch.Tensor:
    """Applies an activation in place."""
    match name:
        case "RELU":
            return F.relu(x, inplace=True)
        case "MISH":
            return F.mish(x, inplace=True)
        case "SILU":
            return F.silu(x, inplace=True)
    return x


def pooled(x: torch.Tensor, maxima: bool) -> torch.Tensor:
    """Returns means and maxima over the board, `[N, 3 C]`, in float32."""
    size = (x.shape[1] * x.shape[2]) ** 0.5 - 14.0
    means = x.mean((1, 2), dtype=torch.float32)
    last = x.amax((1, 2)).float() if maxima else means * (size * size / 100.0 - 0.1)
    return torch.cat([means, means * (size / 10.0), last], 1)


def scaled(weights: np.ndarray, norm: Norm) -> np.ndarray:
    """Returns weights with the factors of a normalization of their outputs."""
    return weights.astype(np.float64) * norm.scale


class Conv(nn.Module):
    """Convolution. Points off the board count as zero. `weights` are `[row][column][in][out]`."""

    def __init__(self, weights: np.ndarray, offset: np.ndarray | None = None):
        super().__init__()
        height, width, self.inputs, self.outputs = weights.shape
        self.padding = (height // 2, width // 2)
        self.dense = height == width == 1
        if self.dense:
            weight = tensor(weights[0, 0].T)
        else:
            weight = tensor(weights.transpose(3, 0, 1, 2)).permute(0, 3, 1, 2)
        self.register_buffer("weight", weight)
        self.register_buffer("bias", None if offset is None else tensor(offset))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.dense:
            return F.linear(x, self.weight, self.bias)
        y = F.conv2d(x.permute(0, 3, 1, 2), self.weight, self.bias, padding=self.padding)
        return y.permute(0, 2, 3, 1).contiguous()

    def add(self, to: torch.Tensor, x: torch.Tensor) -> None:
        """Adds the result for `x` to `to`, without the bias."""
        if self.dense:
            rows = to.view(-1, self.outputs)
            rows.addmm_(x.reshape(-1, self.inputs), self.weight.t())
        else:
            to.add_(self(x))


class Shared(nn.Module):
    """Convolutions of one input, whose results follow each other. One convolution computes all of
    them if their filters have the same sides. `offset` is that of all."""

    def __init__(self, convs: list[np.ndarray], offset: np.ndarray):
        super().__init__()
        if len({conv.shape[:2] for conv in convs}) == 1:
            convs = [np.concatenate(convs, 3)]
        starts = np.cumsum([conv.shape[3] for conv in convs])[:-1]
        self.convs = nn.ModuleList(map(Conv, convs, np.split(offset, starts)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if len(self.convs) == 1:
            return self.convs[0](x)
        return torch.cat([conv(x) for conv in self.convs], 3)


class Dense(nn.Module):
    """Matrix `[in][out]` with an optional bias and activation."""

    def __init__(self, matrix: np.ndarray, bias: Bias | np.ndarray | None = None):
        super().__init__()
        self.activation = bias.activation if isinstance(bias, Bias) else "IDENTITY"
        offset = bias.offset if isinstance(bias, Bias) else bias
        self.register_buffer("weight", tensor(matrix.T))
        self.register_buffer("bias", None if offset is None else tensor(offset))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return activate(self.activation, F.linear(x, self.weight, self.bias))


class Scale(nn.Module):
    """A factor and an offset per channel, then an activation."""

    def __init__(self, norm: Norm):
        super().__init__()
        self.activation = norm.activation
        self.register_buffer("scale", tensor(norm.scale))
        self.register_buffer("offset", tensor(norm.offset))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return activate(self.activation, torch.addcmul(self.offset, x, self.scale))


class Rms(nn.Module):
    """Division by the root mean square of a point's channels, then a factor per channel."""

    def __init__(self, norm: RmsNorm):
        super().__init__()
        self.epsilon = norm.epsilon
        self.register_buffer("scale", tensor(norm.scale))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(x, self.scale.shape, self.scale, self.epsilon)


class OrdinaryBlock(nn.Module):
    def __init__(self, block: Ordinary):
        super().__init__()
        self.first = Scale(block.first)
        self.inner = Conv(scaled(block.inner, block.second), block.second.offset)
        self.activation = block.second.activation
        self.outer = Conv(block.outer)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.outer.add(x, activate(self.activation, self.inner(self.first(x))))
        return x


class PooledBias(nn.Module):
    """The part after two convolutions of one input. The second one is pooled and gives a bias of
    the first."""

    def __init__(self, layers: Pooling | PolicyHead, norm: Norm):
        super().__init__()
        self.split = layers.inner.shape[3]
        self.activations = norm.activation, layers.pool.activation
        self.to_bias = Dense(scaled(layers.to_bias, norm), norm.offset)

    def forward(self, both: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the first result, activated, and the pooled values."""
        pool = pooled(activate(self.activations[1], both[..., self.split :]), True)
        bias = self.to_bias(pool).to(both.dtype)[:, None, None]
        return activate(self.activations[0], both[..., : self.split] + bias), pool


def pooled_convs(layers: Pooling | PolicyHead, norm: Norm) -> tuple[list[np.ndarray], np.ndarray]:
    """Returns the two convolutions before a `PooledBias`, and their offsets."""
    convs = [scaled(layers.inner, norm), scaled(layers.pooled, layers.pool)]
    return convs, np.concatenate([np.zeros(layers.inner.shape[3]), layers.pool.offset])


class PoolingBlock(nn.Module):
    def __init__(self, block: Pooling):
        super().__init__()
        self.first = Scale(block.first)
        self.both = Shared(*pooled_convs(block, block.second))
        self.pool = PooledBias(block, block.second)
        self.outer = Conv(block.outer)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner, _ = self.pool(self.both(self.first(x)))
        self.outer.add(x, inner)
        return x


class BottleneckBlock(nn.Module):
    def __init__(self, block: Bottleneck):
        super().__init__()
        self.first, self.second = Scale(block.first), Scale(block.second)
        self.down, self.up = Conv(block.down), Conv(block.up)
        self.blocks = nn.ModuleList(map(module, block.blocks))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.down(self.first(x))
        for block in self.blocks:
            y = block(y)
        self.up.add(x, self.second(y))
        return x


class AttentionBlock(nn.Module):
    """Attention. Rotated queries and keys have the first values of all pairs before the second
    ones, which changes no product of a query and a key."""

    def __init__(self, block: Attention):
        super().__init__()
        self.heads, self.groups = block.heads, block.groups
        self.key_size, self.value_size = block.key_size, block.value_size
        self.base, self.frequencies = block.base, block.frequencies
        self.turns_by_size: dict = {}
        query, key = block.query, block.key
        if self.rotates:
            query, key = (self.parted(weights) for weights in (query, key))
        self.norm = Rms(block.norm)
        self.product = Dense(np.concatenate([query, key, block.value], 1))
        self.out = Conv(block.out[None, None])

    @property
    def rotates(self) -> bool:
        return self.base is not None or self.frequencies is not None

    def parted(self, weights: np.ndarray) -> np.ndarray:
        pairs = weights.reshape(len(weights), -1, self.key_size // 2, 2)
        return pairs.swapaxes(2, 3).reshape(weights.shape)

    def angles(self, width: int, height: int) -> np.ndarray:
        """Returns the angle of each point, head or group, and pair: `[H W, heads + groups or 1,
        pairs]`."""
        y, x = np.divmod(np.arange(width * height), width)
        pairs = self.key_size // 2
        if self.frequencies is not None:
            each = self.frequencies.astype(np.float64)
            each = np.concatenate([each.repeat(self.heads // self.groups, 0), each])
            return x[:, None, None] * each[..., 0] + y[:, None, None] * each[..., 1]
        number = np.arange(pairs)
        down = number < pairs // 2
        power = 2.0 * np.where(down, number, number - pairs // 2) / max(pairs, 1)
        frequency = float(self.base) ** -power
        return (np.where(down, y[:, None], x[:, None]) * frequency)[:, None]

    def turns(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns cosines and sines for boards of this size."""
        key = (x.shape[2], x.shape[1], x.device, x.dtype)
        if key not in self.turns_by_size:
            if len(self.turns_by_size) == MOST_SIZES:
                self.turns_by_size.clear()
            angles = self.angles(*key[:2])
            both = (tensor(f(angles)).to(x.device, x.dtype) for f in (np.cos, np.sin))
            self.turns_by_size[key] = tuple(both)
        return self.turns_by_size[key]

    def rotated(self, x: torch.Tensor, turns: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """Turns queries and keys, `[N, H W, heads + groups, key size]`."""
        cosine, sine = turns
        first, second = x.chunk(2, 3)
        result = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        one, two = result.chunk(2, 3)
        torch.mul(first, cosine, out=one).addcmul_(second, sine, value=-1.0)
        torch.mul(first, sine, out=two).addcmul_(second, cosine)
        return result

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        count, points = x.shape[0], x.shape[1] * x.shape[2]
        found = self.product(self.norm(x)).view(count, points, -1)
        keys = (self.heads + self.groups) * self.key_size
        both = found[..., :keys].unflatten(2, (-1, self.key_size))
        if self.rotates:
            both = self.rotated(both, self.turns(x))
        values = found[..., keys:].unflatten(2, (-1, self.value_size))
        query, key = both[:, :, : self.heads], both[:, :, self.heads :]
        mixed = F.scaled_dot_product_attention(
            query.transpose(1, 2),
            key.transpose(1, 2),
            values.transpose(1, 2),
            enable_gqa=self.heads != self.groups,
        )
        self.out.add(x, mixed.transpose(1, 2))
        return x


class FeedForwardBlock(nn.Module):
    def __init__(self, block: FeedForward):
        super().__init__()
        self.norm = Rms(block.norm)
        self.product = Dense(np.concatenate([block.inner, block.gate], 1))
        self.out = Conv(block.out[None, None])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner, gate = self.product(self.norm(x)).chunk(2, 3)
        self.out.add(x, F.silu(inner).mul_(gate))
        return x


class SpatialScale(nn.Module):
    """Last normalization by the root mean square of the whole board, or of each point."""

    def __init__(self, tip: RmsTip):
        super().__init__()
        self.epsilon = tip.epsilon
        self.axes = (1, 2, 3) if tip.spatial else (3,)
        self.scale = Scale(tip.norm)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        squares = x.float().square().mean(self.axes, keepdim=True)
        # The quotient has the size of a normalized value, which suits a small float.
        return self.scale((x * (squares + self.epsilon).rsqrt()).to(x.dtype))


def module(block) -> nn.Module:
    """Returns the module of a block."""
    kinds = {
        Ordinary: OrdinaryBlock,
        Pooling: PoolingBlock,
        Bottleneck: BottleneckBlock,
        Attention: AttentionBlock,
        FeedForward: FeedForwardBlock,
    }
    return kinds[type(block)](block)


class Heads(nn.Module):
    """Layers from the trunk to the outputs, in float32 except for the first product."""

    def __init__(self, network: Network):
        super().__init__()
        policy, value = network.policy, network.value
        self.policy = PooledBias(policy, policy.norm)
        self.split = policy.inner.shape[3] + policy.pooled.shape[3]
        self.points = Conv(policy.out)
        more = policy.pass_more
        self.passing = Dense(policy.passing, more and more[0])
        self.pass_more = Dense(more[1]) if more else None
        self.activation = value.norm.activation
        self.hidden = Dense(value.hidden, value.hidden_bias)
        self.outcome = Dense(value.outcome, value.outcome_bias)
        self.scores = Dense(value.scores, value.scores_bias)
        self.ownership = Conv(value.ownership)

    def forward(self, first: torch.Tensor) -> tuple[torch.Tensor, ...]:
        first = first.float()
        inner, pool = self.policy(first[..., : self.split])
        policy = self.points(inner).flatten(1, 2)
        passing = self.passing(pool)
        if self.pass_more is not None:
            passing = self.pass_more(passing)
        inner = activate(self.activation, first[..., self.split :])
        hidden = self.hidden(pooled(inner, False))
        ownership = self.ownership(inner).flatten(1)
        return policy, passing, self.outcome(hidden), self.scores(hidden), ownership


class Twin(nn.Module):
    """A network of KataGo. All boards of a batch have the same size."""

    def __init__(self, network: Network):
        super().__init__()
        self.policies, self.score_count = network.policies, network.scores
        self.globals = Dense(network.globals)
        self.trunk = nn.Module()
        self.trunk.stem = Conv(network.stem)
        self.trunk.blocks = nn.ModuleList(map(module, network.blocks))
        tip = network.tip
        self.trunk.tip = SpatialScale(tip) if isinstance(tip, RmsTip) else Scale(tip)
        self.heads = Heads(network)
        convs, offset = pooled_convs(network.policy, network.policy.norm)
        value = network.value
        convs.append(scaled(value.inner, value.norm))
        self.trunk.heads = Shared(convs, np.concatenate([offset, value.norm.offset]))

    def at(self, device: torch.device | str, precision: torch.dtype) -> "Twin":
        """Moves the network to a device and converts its trunk to a precision. Pooling and dense
        layers of the heads stay in float32. Returns the network."""
        self.to(device)
        self.trunk.to(precision)
        for layer in self.trunk.modules():
            if isinstance(layer, PooledBias):
                layer.float()
        return self

    def forward(self, planes: torch.Tensor, globals: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Returns the outputs before they become probabilities and points, in float32.

        Inputs are `planes [N, 22, H, W]`, row by row from the top, and `globals [N, 19]`. Outputs
        are `policy [N, H W, P]`, `pass [N, P]`, `outcome [N, 3]`, `scores [N, S]`, and
        `ownership [N, H W]` before tanh.
        """
        precision = self.trunk.stem.weight.dtype
        bias = self.globals(globals.float()).to(precision)
        x = self.trunk.stem(planes.to(precision).permute(0, 2, 3, 1).contiguous())
        x += bias[:, None, None]
        for block in self.trunk.blocks:
            x = block(x)
        return self.heads(self.trunk.heads(self.trunk.tip(x)))
