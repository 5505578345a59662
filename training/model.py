"""The network: plain residual blocks without normalization, with global pooling in some blocks. Its
heads give policy, value, score, and ownership.

Input `[N, 32, H, W]`: the planes of `crates/net/src/features.rs`. The network works for any board size,
because sums over the board are means and maxima. It uses only layers that `crates/net/src/` computes: 3x3
and 1x1 convolutions with bias, ReLU, and small dense layers.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

PLANES = 32
KOMI_PLANE = 31
DENSE_SCALE = 0.05
LEAD_UNIT = 1 / 16


class Block(nn.Module):
    """x + conv(relu(conv(x))), then ReLU. A pooling block adds a bias to the second convolution,
    pooled from the whole board."""

    def __init__(self, channels, pools):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels) if pools else None

    def forward(self, x):
        h = F.relu(self.first(x))
        y = self.second(h)
        if self.pool is not None:
            y = y + self.pool(pooled(h))[:, :, None, None]
        return F.relu(x + y)


def pooled(h):
    """Returns mean and maximum over the board, `[N, 2 C]`."""
    return torch.cat([h.mean((2, 3)), h.amax((2, 3))], 1)


def pooling_blocks(blocks: int) -> set[int]:
    """Returns the pooling blocks of a new network: the second and the last but one, if they exist.
    """
    return {1, blocks - 2} & set(range(blocks))


class Net(nn.Module):
    """The network. `forward` returns policy logits `[N, H W + 1]`, value logit, score (tens of
    points), and ownership."""

    def __init__(self, blocks, channels, pooling):
        super().__init__()
        self.blocks, self.channels, self.pooling = blocks, channels, sorted(pooling)
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.trunk = nn.ModuleList(Block(channels, i in pooling) for i in range(blocks))
        self.head = nn.Conv2d(channels, 64, 1)  # 32 channels for the policy, 32 for ownership
        self.policy_bias = nn.Linear(128, 32)
        self.policy = nn.Conv2d(32, 1, 1)
        self.ownership = nn.Conv2d(32, 1, 1)
        self.dense = nn.Linear(130, 64)
        self.outcome = nn.Linear(66, 3)  # pass, value, score
        self.initialise()

    def initialise(self):
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
                nn.init.zeros_(m.bias)
        with torch.no_grad():
            for block in self.trunk:
                block.second.weight.mul_(0.3 / self.blocks**0.5)
                if block.pool is not None:
                    block.pool.weight.mul_(0.1)
            for layer in (self.policy, self.ownership, self.outcome, self.policy_bias):
                layer.weight.mul_(0.1)
            # Initially, the score is the sum of ownership and komi.
            self.outcome.weight[1:, 64:] = torch.tensor([[1.0, 1.0], [1.6, 1.6]])

    def forward(self, x):
        # All boards of a batch have the same size, so no point is off the board.
        h = F.relu(self.stem(x))
        for block in self.trunk:
            h = block(h)
        raw = self.head(h)
        pool = pooled(F.relu(raw))
        p = F.relu(raw[:, :32] + self.policy_bias(pool)[:, :, None, None])
        points = self.policy(p).flatten(1)
        owner = self.ownership(F.relu(raw[:, 32:])).flatten(1)
        # Summed ownership and komi, which determine most of the outcome.
        sums = torch.tanh(owner).sum(1) * LEAD_UNIT
        extra = torch.stack([sums, x[:, KOMI_PLANE, 0, 0]], 1)
        # Scaled down, because large activations would push units of this layer into permanent
        # saturation. The export includes the factor in the weights.
        hidden = F.relu(self.dense(torch.cat([DENSE_SCALE * pool, extra], 1)))
        last, value, score = self.outcome(torch.cat([hidden, extra], 1)).unbind(1)
        return torch.cat([points, last[:, None]], 1), value, score, owner


def shape_flaw(blocks: int, channels: int) -> str | None:
    """Returns the problem of a shape that the engine rejects, or `None`."""
    weights = 44 * blocks * channels**2 + 4096 * channels  # approximate number of bytes
    if 1 <= blocks <= 64 and 32 <= channels <= 512 and channels % 32 == 0 and weights <= 64 << 20:
        return None
    return f"{blocks} blocks of {channels} channels, expected 1 to 64 blocks, a multiple of 32 channels up to 512, and at most 64 MiB of weights"
