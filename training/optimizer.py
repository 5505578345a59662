"""The optimizer: Muon for the 3x3 convolutions, Adam for the other parameters. It also keeps the
moving average that is exported.

All values of a kind are in one buffer, where parameters of the same shape are adjacent. A step is
then a few dozen operations for any number of layers. With one operation per layer, a GPU would
spend most of a step waiting.
"""

import torch


def orthogonal(g: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """Returns the nearest matrices with equal singular values, by Newton-Schulz iteration (the Muon
    optimizer, Jordan et al. 2024). `g` is a batch of matrices."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (torch.linalg.matrix_norm(g)[:, None, None] + 1e-7)
    turned = x.shape[1] > x.shape[2]
    x = x.mT if turned else x
    for _ in range(steps):
        s = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(s, s, s, beta=b, alpha=c), x, beta=a)
    return x.mT if turned else x


class Optimizer:
    """Works on f32 copies of the bf16 parameters of `net`. `fresh` has their initial values."""

    def __init__(self, net: torch.nn.Module, fresh: torch.nn.Module, decay: float = 0.999):
        self.net, self.decay, self.steps = net, decay, 0
        named = dict(net.named_parameters())
        # Adam's parameters come first, then one run for each shape of Muon's parameters.
        self.names = sorted(named, key=lambda k: (is_muon(k, named[k]), tuple(named[k].shape)))
        self.parameters = [named[k] for k in self.names]
        self.groups, start = [], 0  # start and end in the buffers, number of matrices, their shape
        for name, p in zip(self.names, self.parameters):
            if is_muon(name, p):
                if self.groups and self.groups[-1][3] == p.shape:
                    begin, _, count, _ = self.groups.pop()
                    self.groups.append((begin, start + p.numel(), count + 1, p.shape))
                else:
                    self.groups.append((start, start + p.numel(), 1, p.shape))
            start += p.numel()
        self.adam = self.groups[0][0] if self.groups else start
        device = self.parameters[0].device
        self.flat = {k: torch.zeros(start, device=device) for k in ("gradient", "master", "average", "first")}
        self.flat["second"] = torch.zeros(self.adam, device=device)
        self.views = {kind: self.named(flat) for kind, flat in self.flat.items()}
        first = dict(fresh.named_parameters())
        for kind in ("master", "average"):
            self.fill(kind, first)
        self.show(self.master, net)

    def named(self, flat: torch.Tensor) -> dict[str, torch.Tensor]:
        """Returns views of a buffer with the memory layout of the parameters, so that all are
        copied at once."""
        views, start = {}, 0
        for name, p in zip(self.names, self.parameters):
            if start < len(flat):
                views[name] = flat.as_strided(p.shape, p.stride(), start)
            start += p.numel()
        return views

    @property
    def master(self) -> dict[str, torch.Tensor]:
        return self.views["master"]

    @property
    def average(self) -> dict[str, torch.Tensor]:
        return self.views["average"]

    @torch.no_grad()
    def fill(self, kind: str, values: dict[str, torch.Tensor]):
        for name, view in self.views[kind].items():
            view.copy_(values[name])

    @torch.no_grad()
    def step(self, rate: float, muon: float, weight_decay: float = 1e-4):
        self.steps += 1
        gradient, w, m = (self.flat[k] for k in ("gradient", "master", "first"))
        torch._foreach_copy_(list(self.views["gradient"].values()), [p.grad for p in self.parameters])
        self.step_adam(*(x[: self.adam] for x in (gradient, w, m)), self.flat["second"], rate, weight_decay)
        for begin, end, count, shape in self.groups:
            self.step_muon(*(x[begin:end].view(count, shape[0], -1) for x in (gradient, w, m)), muon)
        keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
        self.flat["average"].lerp_(w, 1 - keep)
        torch._foreach_copy_(self.parameters, list(self.master.values()))

    def step_adam(self, g, w, m, v, rate: float, weight_decay: float):
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.99).addcmul_(g, g, value=0.01)
        size = (v / (1 - 0.99**self.steps)).sqrt_().add_(1e-8)
        w.mul_(1 - rate * weight_decay).addcdiv_(m, size, value=-rate / (1 - 0.9**self.steps))

    def step_muon(self, g, w, m, rate: float):
        m.mul_(0.95).add_(g, alpha=0.05)
        update = orthogonal(g.lerp(m, 0.95))
        w.mul_(1 - rate * 0.01).add_(update, alpha=-rate * max(1, g.shape[1] / g.shape[2]) ** 0.5)

    @torch.no_grad()
    def show(self, weights: dict[str, torch.Tensor], net: torch.nn.Module):
        """Copies these weights into a network."""
        named = dict(net.named_parameters())
        torch._foreach_copy_([named[k] for k in weights], list(weights.values()))

    def state(self) -> dict:
        def copied(kind):
            return {k: v.to("cpu", copy=True, memory_format=torch.contiguous_format) for k, v in self.views[kind].items()}

        return {"steps": self.steps} | {kind: copied(kind) for kind in ("master", "average", "first", "second")}

    def load(self, state: dict):
        self.steps = state["steps"]
        for kind in ("master", "average", "first", "second"):
            self.fill(kind, state[kind])
        self.show(self.master, self.net)

    def is_finite(self) -> bool:
        """Returns true if all weights are finite numbers."""
        return bool(torch.isfinite(self.flat["master"]).all() and torch.isfinite(self.flat["average"]).all())


def is_muon(name: str, p: torch.Tensor) -> bool:
    return name.endswith("weight") and p.dim() == 4 and p.shape[2] == 3
