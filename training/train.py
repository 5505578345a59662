"""Train the network on game records, on games of the engine against itself, or on both; stop and start at will.

    python training/train.py --work WORK --games games.txt --omnigo target/release/omnigo --until 11:00
    python training/train.py --work WORK --data GAMES_OF_THE_ENGINE --positions 2000000 --start src/net/weights.bin

Everything needed to go on is in WORK. Rows of game records come from `omnigo rows`, which draws one position of each game in a
new order for every seed, while the training runs; other rows are files that `omnigo selfplay` or `omnigo rows` has written
(--data, files or folders, the latest --window of them); where there are both, --mixture says how many come from the records.

It ends at a time of day or after some hours (--until HH:MM in UTC, or +H), or after so many positions (--positions, those of
earlier calls included). The learning rate is constant and falls linearly to zero over the last part (--fall); a later call goes
on from the last checkpoint with a schedule of its own. Progress goes to WORK/curve.csv (`plot.py` draws it). On a GPU: --device
cuda --batch 1024, with rows written beforehand as --data.
"""

import argparse
import csv
import os
import subprocess
import time

import numpy as np
import torch
import torch.nn.functional as F

from export import unpack
from model import Net
from moment import moment
from optimizer import Optimizer
from rows import Batch, Pool, Rows

LOSSES = ["policy", "value", "score", "owner", "top1", "winner"]
COLUMNS = ["time", "positions", "rate", "per_second", "source", *LOSSES]


def losses(net, batch: Batch) -> torch.Tensor:
    """Losses of policy, value, score and ownership, and how often the move and the winner are named."""
    policy, value, lead, owners = net(batch.x)
    policy = policy.float()
    taken = (batch.x[:, 1] + batch.x[:, 2]).flatten(1) > 0
    policy = torch.cat([policy[:, :-1].masked_fill(taken, -1e4), policy[:, -1:]], 1)
    p = F.cross_entropy(policy, batch.policy)
    known, won = (batch.winner != 0).float(), (batch.winner > 0).float()
    v = (F.binary_cross_entropy_with_logits(value.float(), won, reduction="none") * known).mean()
    s = (F.huber_loss(lead.float(), batch.score, reduction="none") * batch.scored).mean()
    o = (F.mse_loss(torch.tanh(owners.float()), batch.owner, reduction="none").mean(1) * batch.owned).mean()
    hit = (policy.argmax(1) == batch.target).float().mean()
    right = (((value > 0).float() == won).float() * known).sum() / known.sum().clamp(min=1)
    return torch.stack([p, v, s, o, hit, right])


@torch.no_grad()
def evaluate(net, batches) -> list[float] | None:
    found, n = torch.zeros(len(LOSSES)), 0
    for batch in batches:
        found += losses(net, batch).float().cpu() * len(batch.x)
        n += len(batch.x)
    return (found / n).tolist() if n else None


class Records:
    """Rows of game records, a file at a time; the next one is written while this one is used."""

    def __init__(self, a, seed: int, place: int):
        self.a, self.seed, self.place = a, seed, place
        self.held_out = self.take(self.order("held.rows", 1, "--held-out"), "held.rows")
        self.now = self.take(self.order("train.rows", seed, *self.most()), "train.rows")
        self.coming = self.order("train.rows", seed + 1, *self.most())

    def most(self) -> list[str]:
        return ["--most", str(self.a.rows)]

    def order(self, name: str, seed: int, *more: str):
        """Has a file of rows written beside the training."""
        out = os.path.join(self.a.work, name)
        return subprocess.Popen(["nice", self.a.omnigo, "rows", self.a.games, "--seed", str(seed), "--out", out, *more])

    def take(self, writer, name: str) -> Rows:
        """The rows of a file that was ordered."""
        if writer.wait() != 0:
            raise SystemExit(f"{self.a.omnigo} rows failed")
        path = os.path.join(self.a.work, name)
        os.replace(path, path + ".now")
        return Rows(path + ".now")

    def batch(self, count: int, rng) -> Batch:
        if self.place + count > len(self.now):
            self.seed, self.place = self.seed + 1, 0
            self.now = self.take(self.coming, "train.rows")
            self.coming = self.order("train.rows", self.seed + 1, *self.most())
        self.place += count
        return self.now.batch(self.place - count, count, rng, self.a.device)

    def held(self, most: int, size: int):
        for start in range(0, min(len(self.held_out), most), size):
            yield self.held_out.batch(start, min(size, most - start), device=self.a.device)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True, help="folder of the checkpoint and the curve")
    parser.add_argument("--games", help="game records, one a line")
    parser.add_argument("--omnigo", help="the program, which writes rows of game records")
    parser.add_argument("--data", nargs="+", default=[], help="files of rows, or folders of them")
    parser.add_argument("--window", type=int, default=500_000, help="rows of --data that are used, the latest ones")
    parser.add_argument("--mixture", type=float, default=0.5, help="share of batches from --games where there is --data")
    parser.add_argument("--until", help="HH:MM (UTC) or +HOURS")
    parser.add_argument("--positions", type=int, help="positions after which it ends")
    parser.add_argument("--start", help="weights to begin with, as the engine reads them")
    parser.add_argument("--blocks", type=int, default=6, help="of a new network")
    parser.add_argument("--channels", type=int, default=64, help="of a new network")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--muon", type=float, default=0.02)
    parser.add_argument("--fall", type=float, default=0.4, help="part of the time in which the rate falls to zero")
    parser.add_argument("--minutes", type=float, default=4, help="between checkpoints")
    parser.add_argument("--rows", type=int, default=30000, help="positions of records that are drawn at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="fuse operations by torch.compile (needs a C++ compiler)")
    a = parser.parse_args()
    if (a.until is None) == (a.positions is None):
        parser.error("expected --until or --positions")
    if not a.games and not a.data or a.games and not a.omnigo:
        parser.error("expected --games with --omnigo, or --data")
    return a


class Curve:
    """WORK/curve.csv: a line for the positions trained on, and one for the held-out ones of each source."""

    def __init__(self, path: str):
        fresh = not os.path.exists(path)
        self.file = open(path, "a", newline="")
        self.writer = csv.writer(self.file)
        if fresh:
            self.writer.writerow(COLUMNS)

    def add(self, seen: int, rate: float, pace: float, found: dict[str, list[float] | None]):
        for source, values in found.items():
            if values:
                numbers = [f"{x:.5g}" for x in (rate, pace)], [f"{x:.5g}" for x in values]
                self.writer.writerow([int(time.time()), seen, *numbers[0], source, *numbers[1]])
        self.file.flush()
        told = [f"{s} policy {v[0]:.3f} value {v[1]:.3f} top-1 {v[4]:.3f}" for s, v in found.items() if v]
        print(f"{seen} positions, {pace:.0f}/s: " + "; ".join(told), flush=True)


def main():
    a = arguments()
    os.makedirs(a.work, exist_ok=True)
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    checkpoint = os.path.join(a.work, "checkpoint.pt")
    saved = torch.load(checkpoint, weights_only=True, map_location="cpu") if os.path.exists(checkpoint) else None
    fresh = Net(a.blocks, a.channels, {1, a.blocks - 2})
    seen, seed, place = 0, 1, 0
    if saved:
        fresh = Net(*saved["shape"], {1, saved["shape"][0] - 2})
    elif a.start:
        fresh, seen = unpack(a.start)
    shape = [fresh.blocks, fresh.channels]
    # On the device in bf16; a second copy shows the moving average.
    net, judge = (Net(*shape, fresh.pooling).to(a.device, torch.bfloat16, memory_format=torch.channels_last) for _ in "ab")
    optimizer = Optimizer(net, fresh)
    run = torch.compile(net) if a.compile else net
    if saved:
        optimizer.load(saved["optimizer"])
        seen, seed, place = saved["seen"], saved["seed"], saved["place"]
        print(f"going on after {seen} positions", flush=True)
    begin, first = time.time(), seen
    end = moment(a.until) if a.until else None
    if a.positions is not None and seen >= a.positions:
        print(f"{seen} positions were trained on before", flush=True)
        return
    records = Records(a, seed, place) if a.games else None
    pool = Pool(a.data, a.window, a.device) if a.data else None
    rng = np.random.default_rng([seed, place, seen])
    curve = Curve(os.path.join(a.work, "curve.csv"))
    last, window, since = time.time(), [], seen

    def save():
        at = (records.seed, records.place) if records else (seed, place)
        state = {"shape": shape, "optimizer": optimizer.state(), "seen": seen, "seed": at[0], "place": at[1]}
        torch.save(state, checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)

    def show(rate: float, pace: float):
        optimizer.show(optimizer.average, judge)
        found = {"train": torch.stack(window).mean(0).tolist()}
        for name, source in (("records", records), ("selfplay", pool)):
            if source:
                found[name] = evaluate(judge, source.held(1024, 128))
        curve.add(seen, rate, pace, found)

    while True:
        now = time.time()
        left = (end - now) / (end - begin) if end else (a.positions - seen) / (a.positions - first)
        if left <= 0:
            break
        rate = min(1.0, left / a.fall if a.fall > 0 else 1.0, (optimizer.steps + 1) / 100)
        source = records if records and (pool is None or rng.random() < a.mixture) else pool
        found = losses(run, source.batch(a.batch, rng))
        for q in net.parameters():
            q.grad = None
        p, v, s, o = found[:4].unbind()
        (p + 0.7 * v + 0.1 * s + o).backward()
        optimizer.step(a.rate * rate, a.muon * rate)
        seen += a.batch
        window.append(found.detach().float().cpu() if a.device == "cpu" else found.detach().float())
        if now - last > a.minutes * 60 or len(window) >= 2000:
            save()
            show(rate, (seen - since) / (now - last))
            last, window, since = time.time(), [], seen
    if records:
        records.coming.kill()
    save()
    if window:
        show(0.0, (seen - since) / max(time.time() - last, 1e-3))
    print(f"done after {seen} positions", flush=True)


if __name__ == "__main__":
    main()
