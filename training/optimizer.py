"""The optimizer: Muon for the 3x3 convolutions, Adam for the rest, and the moving average that is exported."""

import torch


def orthogonal(g: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """The nearest matrix of equal singular values, by Newton-Schulz iteration (the Muon optimizer, Jordan et al. 2024)."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (g.norm() + 1e-7)
    turned = x.shape[0] > x.shape[1]
    x = x.T if turned else x
    for _ in range(steps):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x.T if turned else x


class Optimizer:
    """Works on f32 copies of the bf16 parameters of `net`; `fresh` has their first values."""

    def __init__(self, net: torch.nn.Module, fresh: torch.nn.Module, decay: float = 0.999):
        self.net, self.decay, self.steps = net, decay, 0
        device = next(net.parameters()).device
        self.master = {k: p.detach().clone().float().to(device) for k, p in fresh.named_parameters()}
        self.average = {k: p.clone() for k, p in self.master.items()}
        self.first = {k: torch.zeros_like(p) for k, p in self.master.items()}
        self.second = {k: torch.zeros_like(p) for k, p in self.master.items() if not self.is_muon(k)}
        self.show(self.master, net)

    def is_muon(self, name: str) -> bool:
        return name.endswith("weight") and self.master[name].dim() == 4 and self.master[name].shape[2] == 3

    @torch.no_grad()
    def step(self, rate: float, muon: float, weight_decay: float = 1e-4):
        self.steps += 1
        for name, p in self.net.named_parameters():
            g, w, m = p.grad.float(), self.master[name], self.first[name]
            if self.is_muon(name):
                m.mul_(0.95).add_(g, alpha=0.05)
                flat = g.lerp(m, 0.95).flatten(1)
                update = orthogonal(flat) * max(1, flat.shape[0] / flat.shape[1]) ** 0.5
                w.mul_(1 - muon * 0.01).add_(update.view_as(w), alpha=-muon)
            else:
                v = self.second[name]
                m.mul_(0.9).add_(g, alpha=0.1)
                v.mul_(0.99).addcmul_(g, g, value=0.01)
                mean, size = m / (1 - 0.9**self.steps), (v / (1 - 0.99**self.steps)).sqrt()
                w.mul_(1 - rate * weight_decay).sub_(rate * mean / (size + 1e-8))
            keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
            self.average[name].lerp_(w, 1 - keep)
            p.copy_(w)

    @torch.no_grad()
    def show(self, weights: dict[str, torch.Tensor], net: torch.nn.Module):
        """Gives a network these weights."""
        for name, p in net.named_parameters():
            p.copy_(weights[name])

    def state(self) -> dict:
        return {k: getattr(self, k) for k in ("steps", "master", "average", "first", "second")}

    def load(self, state: dict):
        device = next(self.net.parameters()).device
        for k, v in state.items():
            setattr(self, k, {name: p.to(device) for name, p in v.items()} if isinstance(v, dict) else v)
        self.show(self.master, self.net)
