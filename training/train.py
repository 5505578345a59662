"""Train the network on game records; stop and start at will: everything needed to go on is in the work folder.

    python training/train.py --work WORK --games games.txt --omnigo target/release/omnigo --until 11:00

Rows come from `omnigo rows`, which draws one position each of games in a new order for every seed, while the training runs. The learning
rate is constant and falls linearly to zero over the last part of the time given. `--until` is a time of day (UTC) or `+H`
hours; a later call goes on from the last checkpoint with a schedule of its own. Progress goes to WORK/log.csv.
"""

import argparse
import csv
import datetime
import math
import os
import subprocess
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import Net
from rows import Rows


def orthogonal(g, steps=5):
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
    """Muon for the convolutions of trunk and stem, Adam for the rest, on f32 copies of the bf16 parameters; and their
    moving average, which is what is exported."""

    def __init__(self, net, decay=0.999):
        self.net, self.decay, self.steps = net, decay, 0
        self.master = {k: p.detach().float().clone() for k, p in net.named_parameters()}
        self.average = {k: p.clone() for k, p in self.master.items()}
        self.first = {k: torch.zeros_like(p) for k, p in self.master.items()}
        self.second = {k: torch.zeros_like(p) for k, p in self.master.items() if not self.is_muon(k)}

    def is_muon(self, name):
        return name.endswith("weight") and self.master[name].dim() == 4 and self.master[name].shape[2] == 3

    @torch.no_grad()
    def step(self, rate, muon, weight_decay=1e-4):
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

    def state(self):
        return {k: getattr(self, k) for k in ("steps", "master", "average", "first", "second")}

    def load(self, state):
        for k, v in state.items():
            setattr(self, k, v)
        with torch.no_grad():
            for name, p in self.net.named_parameters():
                p.copy_(self.master[name])


def losses(net, batch):
    x, target, winner, score, scored, owner, owned = batch
    policy, value, lead, owners = net(x)
    policy = policy.float()
    taken = (x[:, 1] + x[:, 2]).flatten(1) > 0
    policy = torch.cat([policy[:, :-1].masked_fill(taken, -1e4), policy[:, -1:]], 1)
    p = F.cross_entropy(policy, target)
    known = (winner != 0).float()
    won = (winner > 0).float()
    v = (F.binary_cross_entropy_with_logits(value.float(), won, reduction="none") * known).mean()
    s = (F.huber_loss(lead.float(), score, reduction="none") * scored).mean()
    o = (F.mse_loss(torch.tanh(owners.float()), owner, reduction="none").mean(1) * owned).mean()
    hit = (policy.argmax(1) == target).float().mean()
    right = (((value > 0).float() == won).float() * known).sum() / known.sum().clamp(min=1)
    return p, v, s, o, hit, right


@torch.no_grad()
def evaluate(net, rows, most, size=128):
    sums, n = None, 0
    for start in range(0, min(len(rows), most), size):
        batch = rows.batch(start, min(size, most - start))
        found = torch.stack([t.float() for t in losses(net, batch)]) * len(batch[0])
        sums = found if sums is None else sums + found
        n += len(batch[0])
    return (sums / n).tolist()


def moment(text):
    if text.startswith("+"):
        return time.time() + float(text[1:]) * 3600
    hour, minute = map(int, text.split(":"))
    now = datetime.datetime.now(datetime.timezone.utc)
    then = now.replace(hour=hour, minute=minute, second=0)
    if then < now:
        then += datetime.timedelta(days=1)
    return then.timestamp()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--omnigo", required=True)
    parser.add_argument("--until", required=True, help="HH:MM (UTC) or +HOURS")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--muon", type=float, default=0.02)
    parser.add_argument("--fall", type=float, default=0.4, help="part of the time in which the rate falls to zero")
    parser.add_argument("--minutes", type=float, default=4, help="between checkpoints")
    parser.add_argument("--rows", type=int, default=30000, help="positions that are drawn at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="fuse operations by torch.compile (needs a C++ compiler)")
    a = parser.parse_args()
    os.makedirs(a.work, exist_ok=True)
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    path = lambda name: os.path.join(a.work, name)

    def order(name, seed, *more):
        """Has a file of rows written beside the training."""
        command = ["nice", a.omnigo, "rows", a.games, "--seed", str(seed), "--out", path(name), *more]
        return subprocess.Popen(command)

    def take(writer, name):
        """The rows of a file that was ordered."""
        if writer.wait() != 0:
            raise SystemExit(f"{a.omnigo} rows failed")
        os.replace(path(name), path(name + ".now"))
        return Rows(path(name + ".now"))

    pooling = {1, a.blocks - 2}
    net = Net(a.blocks, a.channels, pooling).to(torch.bfloat16).to(memory_format=torch.channels_last)
    # A second copy, for the moving average.
    judge = Net(a.blocks, a.channels, pooling).to(torch.bfloat16).to(memory_format=torch.channels_last)
    with torch.no_grad():
        torch.manual_seed(a.seed)
        fresh = Net(a.blocks, a.channels, pooling)
    net.load_state_dict({k: v.to(torch.bfloat16) for k, v in fresh.state_dict().items()})
    optimizer = Optimizer(net)
    optimizer.master = {k: p.detach().clone().float() for k, p in fresh.named_parameters()}
    run = torch.compile(net) if a.compile else net
    seen, seed, place = 0, 1, 0
    if os.path.exists(path("checkpoint.pt")):
        saved = torch.load(path("checkpoint.pt"), weights_only=True)
        if saved["shape"] != [a.blocks, a.channels]:
            raise SystemExit(f"the checkpoint is of shape {saved['shape']}")
        optimizer.load(saved["optimizer"])
        seen, seed, place = saved["seen"], saved["seed"], saved["place"]
        print(f"going on after {seen} positions", flush=True)
    most = ["--most", str(a.rows)]
    held = take(order("held.rows", 1, "--held-out"), "held.rows")
    data = take(order("train.rows", seed, *most), "train.rows")
    coming = order("train.rows", seed + 1, *most)
    log = open(path("log.csv"), "a", newline="")
    log_line = csv.writer(log)
    begin, end = time.time(), moment(a.until)
    rng = np.random.default_rng(seed * 1000003 + place)
    last, window, since = time.time(), [], seen

    def save():
        saved = {
            "shape": [a.blocks, a.channels],
            "optimizer": optimizer.state(),
            "seen": seen,
            "seed": seed,
            "place": place,
        }
        torch.save(saved, path("checkpoint.new"))
        os.replace(path("checkpoint.new"), path("checkpoint.pt"))

    while True:
        now = time.time()
        rate = min(1.0, (end - now) / (a.fall * (end - begin)), (optimizer.steps + 1) / 100)
        if rate <= 0:
            break
        if place + a.batch > len(data):
            seed, place = seed + 1, 0
            data = take(coming, "train.rows")
            coming = order("train.rows", seed + 1, *most)
        batch = data.batch(place, a.batch, rng)
        place += a.batch
        p, v, s, o, hit, right = losses(run, batch)
        for q in net.parameters():
            q.grad = None
        (p + 0.7 * v + 0.1 * s + o).backward()
        optimizer.step(a.rate * rate, a.muon * rate)
        seen += a.batch
        window.append([p.item(), v.item(), hit.item(), right.item()])
        if now - last > a.minutes * 60 or len(window) >= 2000:
            save()
            with torch.no_grad():
                for name, q in judge.named_parameters():
                    q.copy_(optimizer.average[name])
            found = evaluate(judge, held, 1024)
            train = np.mean(window, 0)
            line = [seen, rate, (seen - since) / (now - last), *train, *found]
            log_line.writerow([f"{x:.5g}" for x in line])
            log.flush()
            print(
                f"{seen} positions, {line[2]:.0f}/s, train policy {train[0]:.3f} top-1 {train[2]:.3f},"
                f" held out policy {found[0]:.3f} value {found[1]:.3f} top-1 {found[4]:.3f} winner {found[5]:.3f}",
                flush=True,
            )
            last, window, since = time.time(), [], seen
    coming.kill()
    save()
    print(f"done after {seen} positions", flush=True)


if __name__ == "__main__":
    main()
