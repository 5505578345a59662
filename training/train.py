"""Train the network on game records, on self-play games, or on both; can be stopped and continued.

    python training/train.py --work WORK --games games.txt --omnigo omnigo --until 11:00
    python training/train.py --work WORK --data ROWS --positions 2000000 --start crates/net/src/weights.bin
    python training/train.py --work WORK --data LABELS --batch-points 10368 --until +6

WORK contains everything that a later call needs to continue. `omnigo rows` draws rows of game
records during the training, in --writers processes. For every seed, it draws one position of each
game in a new order. Other rows are files written by `omnigo selfplay`, `omnigo label`, or `omnigo
rows` (--data). These are files or folders, and the latest --window rows are used. New files are
found during the training. With both sources, --mixture is the fraction of batches from the records.

Rows of `omnigo label` (--data) have the outputs of a teacher as targets. The kl column of the curve
is the divergence of the move probabilities from those of the teacher.

Held-out figures use games that `omnigo rows` never draws, and the last rows of each file of --data.
Files drawn from the same games share positions, so for these give --held FILE, written by `omnigo
rows --held-out`. Then all held-out figures use only the files given there, one line for each. Give
files of another run of `omnigo label` for the same reason: `--held HELD/9x9.rows HELD/19x19.rows`.

Training ends at a time of day or after some hours (--until HH:MM in UTC, or +H). With --positions,
it ends after that number of positions, including those of earlier calls. The learning rate is
constant and falls linearly to zero over the last part (--fall). A later call continues from the
last checkpoint with its own schedule. With --since, several calls share a schedule. The previous
checkpoint is kept next to it. No checkpoint is written if a loss or a weight is not a finite number.
Progress is written to WORK/curve.csv (`plot.py` draws it). On a GPU, use `gpu.py`.
"""

import argparse
import csv
import os
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

import checkpoint
from export import unpack
from model import Net, pooling_blocks, shape_flaw
from moment import moment
from optimizer import Optimizer
from records import Records
from rows import LABELS, Batch, DamagedRows, Pool, Rows
from work import lock

LOSSES = ["policy", "value", "score", "owner", "top1", "winner", "kl"]
# Weights of the losses in their sum.
WEIGHTS = {"policy": 1.0, "value": 0.7, "score": 0.1, "ownership": 1.0}
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
COLUMNS = ["time", "positions", "rate", "per_second", "source", *LOSSES]


def losses(net, batch: Batch) -> torch.Tensor:
    """Returns the losses of policy, value, score, and ownership, the accuracy of the move and of
    the winner, and the divergence of the policy from its target (Kullback and Leibler, in nats)."""
    policy, value, lead, owners = net(batch.x)
    policy = policy.float()
    taken = (batch.x[:, 1] + batch.x[:, 2]).flatten(1) > 0
    policy = torch.cat([policy[:, :-1].masked_fill(taken, -1e4), policy[:, -1:]], 1)
    p = F.cross_entropy(policy, batch.policy)
    v = (F.binary_cross_entropy_with_logits(value.float(), batch.win, reduction="none") * batch.known).mean()
    s = (F.huber_loss(lead.float(), batch.score, reduction="none") * batch.scored).mean()
    o = (F.mse_loss(torch.tanh(owners.float()), batch.owner, reduction="none").mean(1) * batch.owned).mean()
    hit = (policy.argmax(1) == batch.target).float().mean()
    right = (((value > 0) == (batch.win > 0.5)).float() * batch.known).sum() / batch.known.sum().clamp(min=1)
    divergence = p - torch.special.entr(batch.policy).sum(1).mean()
    return torch.stack([p, v, s, o, hit, right, divergence])


@torch.no_grad()
def evaluate(net, batches) -> list[float] | None:
    found, n = torch.zeros(len(LOSSES)), 0
    for batch in batches:
        found += losses(net, batch).float().cpu() * len(batch.x)
        n += len(batch.x)
    return (found / n).tolist() if n else None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True, help="folder of the checkpoint and the curve")
    parser.add_argument("--games", help="game records, one a line")
    parser.add_argument("--omnigo", help="the program, which writes rows of game records")
    parser.add_argument("--data", nargs="+", default=[], help="files of rows, or folders of them")
    parser.add_argument("--held", nargs="+", default=[], metavar="FILE", help="rows that held-out figures are of, from `omnigo rows --held-out` or another `omnigo label`")
    parser.add_argument("--window", type=int, default=500_000, help="rows that are kept in use, the latest ones")
    parser.add_argument("--mixture", type=float, default=0.5, help="share of batches from --games where there is --data")
    parser.add_argument("--until", help="HH:MM (UTC) or +HOURS")
    parser.add_argument("--positions", type=int, help="positions after which it ends")
    parser.add_argument("--since", type=int, help="positions at which the schedule of --positions began [default: those before this call]")
    parser.add_argument("--start", help="weights to begin with, as the engine reads them")
    parser.add_argument("--blocks", type=int, default=6, help="of a new network")
    parser.add_argument("--channels", type=int, default=64, help="of a new network")
    parser.add_argument("--batch", type=int, default=128, help="positions of a step")
    parser.add_argument("--batch-points", type=int, help="points of all boards of a step, in place of --batch")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--muon", type=float, default=0.02)
    for name, weight in WEIGHTS.items():
        parser.add_argument(f"--{name}-weight", type=float, default=weight, help=f"of the {name} loss [default: {weight}]")
    parser.add_argument("--fall", type=float, default=0.4, help="part of the time in which the rate falls to zero")
    parser.add_argument("--minutes", type=float, default=4, help="between checkpoints")
    parser.add_argument("--rows", type=int, default=30000, help="positions of records that a writer draws at a time")
    parser.add_argument("--writers", type=int, help="processes that draw them [default: 1, with cuda half the cores]")
    parser.add_argument("--precision", choices=PRECISIONS, help="of the network [default: the faster one on the device]")
    parser.add_argument("--evaluate", type=int, help="held-out positions of a report [default: 1024, with cuda 16384]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="fuse operations by torch.compile (needs a C++ compiler)")
    a = parser.parse_args()
    if (a.until is None) == (a.positions is None):
        parser.error("expected --until or --positions")
    if a.since is not None and (a.positions is None or not 0 <= a.since < a.positions):
        parser.error("expected --since of 0 or more, and below --positions")
    if not a.games and not a.data or a.games and not a.omnigo:
        parser.error("expected --games with --omnigo, or --data")
    if a.batch < 1 or a.batch_points is not None and a.batch_points < 1:
        parser.error("expected --batch and --batch-points of 1 or more")
    if flaw := shape_flaw(a.blocks, a.channels):
        raise SystemExit(f"no network: {flaw}")
    try:
        torch.zeros(1, device=a.device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).split("\n")[0].split(". ")[0]
        raise SystemExit(f"PyTorch cannot use --device {a.device} here: {reason}") from None
    if a.writers is None:
        a.writers = max(1, (os.cpu_count() or 1) // 2) if a.device.startswith("cuda") else 1
    a.kind = PRECISIONS[a.precision or faster(a.device)]
    a.amount = lambda points: max(1, a.batch_points // points) if a.batch_points else a.batch
    a.writers, a.end = max(1, a.writers), moment(a.until) if a.until else None
    for path in filter(None, (a.games, a.start, *a.held, *a.data)):
        if not os.path.exists(path):
            raise SystemExit(f"no file '{path}'")
    return a


def faster(device: str) -> str:
    """Returns the name of the precision that trains faster. Without instructions for bf16, a
    processor emulates it."""
    native = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    has = any(getattr(torch.cpu, name, bool)() for name in native)
    return "float32" if device == "cpu" and not has else "bfloat16"


def held_name(rows: Rows) -> str:
    """Returns the name of a file of held-out rows in the curve. Labels are told apart by board."""
    return f"labels {rows.width}x{rows.height}" if rows.version == LABELS else "records"


class Curve:
    """WORK/curve.csv: a line for the training positions, and one for the held-out positions of each
    source. A file of an earlier version keeps its columns."""

    def __init__(self, path: str):
        with open(path, "ab+") as file:
            file.seek(0)
            data = file.read()
            # A full disk or an interruption may have cut the last line.
            file.truncate(data.rfind(b"\n") + 1)
        with open(path, newline="") as file:
            columns = next(csv.reader(file), None)
        self.file = open(path, "a", newline="")
        self.writer = csv.DictWriter(self.file, columns or COLUMNS, extrasaction="ignore")
        if not columns:
            self.writer.writeheader()

    def add(self, seen: int, rate: float, pace: float, found: dict[str, list[float] | None]):
        for source, values in found.items():
            if values:
                numbers = [f"{x:.5g}" for x in (rate, pace)], [f"{x:.5g}" for x in values]
                self.writer.writerow(dict(zip(COLUMNS, [int(time.time()), seen, *numbers[0], source, *numbers[1]])))
        self.file.flush()
        told = [f"{s} policy {v[0]:.3f} kl {v[6]:.3f} value {v[1]:.3f} top-1 {v[4]:.3f}" for s, v in found.items() if v]
        print(f"{seen} positions, {pace:.0f}/s: " + "; ".join(told), flush=True)


class Training:
    """A network on its device, its optimizer, and the progress of the training."""

    def __init__(self, a):
        self.a, self.path = a, os.path.join(a.work, "checkpoint.pt")
        self.seen, self.seed, self.place, self.written = 0, 1, 0, None
        saved = None
        if os.path.exists(self.path):
            saved, fresh = checkpoint.read(self.path)
        elif a.start:
            fresh, self.seen = unpack(a.start)
        else:
            fresh = Net(a.blocks, a.channels, pooling_blocks(a.blocks))
        shape = fresh.blocks, fresh.channels, fresh.pooling
        # Both networks are on the device. The second one evaluates the moving average.
        self.net, self.judge = (Net(*shape).to(a.device, a.kind, memory_format=torch.channels_last) for _ in "ab")
        self.optimizer = Optimizer(self.net, fresh)
        self.run = torch.compile(self.net) if a.compile else self.net
        self.weights = torch.tensor([getattr(a, f"{name}_weight") for name in WEIGHTS], device=a.device)
        if saved:
            self.optimizer.load(saved["optimizer"])
            self.seen, self.seed, self.place = (saved[k] for k in ("seen", "seed", "place"))
            self.written = self.seen
            print(f"going on after {self.seen} positions", flush=True)

    def step(self, batch: Batch, rate: float) -> torch.Tensor:
        """Trains on a batch and returns the losses."""
        found = losses(self.run, batch)
        for q in self.net.parameters():
            q.grad = None
        (found[:4] * self.weights).sum().backward()
        self.optimizer.step(self.a.rate * rate, self.a.muon * rate)
        self.seen += len(batch.x)
        return found.detach().float()

    def save(self, records: Records | None, losses: torch.Tensor):
        """Writes a checkpoint. Stops if a loss or a weight is not a finite number."""
        if not (self.optimizer.is_finite() and torch.isfinite(losses).all()):
            left = "no checkpoint was written" if self.written is None else f"the checkpoint is of {self.written} positions"
            raise SystemExit(f"stopped: within {self.seen} positions a loss or a weight became infinite or no number; {left}")
        if records:
            self.seed, self.place = records.seed, records.place
        checkpoint.write(self.path, self.net, self.optimizer.state(), self.seen, self.seed, self.place)
        self.written = self.seen


def train(a, t: Training, records: Records | None, pool: Pool | None, held: dict[str, Callable]):
    """Trains until the end. `held` has the held-out batches of each source."""
    curve = Curve(os.path.join(a.work, "curve.csv"))
    rng = np.random.default_rng([t.seed, t.place, t.seen])
    begin, first = time.time(), t.seen if a.since is None else a.since
    last, since, window = begin, t.seen, []

    def report(rate: float):
        nonlocal last, since, window
        now, found = time.time(), torch.stack(window)
        t.save(records, found)
        t.optimizer.show(t.optimizer.average, t.judge)
        shown = {"train": found.mean(0).tolist()} | {name: evaluate(t.judge, batches()) for name, batches in held.items()}
        curve.add(t.seen, rate, (t.seen - since) / max(now - last, 1e-3), shown)
        last, since, window = time.time(), t.seen, []

    while True:
        now = time.time()
        left = (a.end - now) / max(a.end - begin, 1e-9) if a.end else (a.positions - t.seen) / (a.positions - first)
        if left <= 0:
            break
        rate = min(1.0, left / a.fall if a.fall > 0 else 1.0, (t.optimizer.steps + 1) / 100)
        source = records if records and (pool is None or rng.random() < a.mixture) else pool
        window.append(t.step(source.batch(rng), rate))
        if now - last > a.minutes * 60 or len(window) >= 2000:
            report(rate)
    if window:
        report(0.0)
    print(f"done after {t.seen} positions", flush=True)


def main():
    a = arguments()
    lock(a.work)
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    records = None
    try:
        t = Training(a)
        if a.positions is not None and t.seen >= a.positions:
            return print(f"{t.seen} positions were trained on before", flush=True)
        pool = Pool(a.data, a.window, a.amount, a.device, a.kind, hold_out=not a.held) if a.data else None
        known = [Rows(path) for path in a.held]
        records = Records(a, t.seed, t.place, a.amount, a.kind) if a.games else None
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from None
    # On a CPU, a thousand held-out positions must be enough.
    most, size = (1024, 128) if a.device == "cpu" else (1 << 14, 1024)
    most = a.evaluate or most
    sources = {"records": records, "labels" if pool and pool.teaches() else "selfplay": pool}
    held = {name: partial(source.held, most, size) for name, source in sources.items() if source}
    if known:
        held = {held_name(rows): partial(rows.batches, most, size, a.device, a.kind) for rows in known}
    try:
        train(a, t, records, pool, held)
    except KeyboardInterrupt:
        raise SystemExit("interrupted; the next call goes on from the last checkpoint") from None
    except DamagedRows as error:
        raise SystemExit(str(error)) from None
    except OSError as error:
        raise SystemExit(f"stopped: {error.strerror}; the next call goes on from the last checkpoint") from None
    finally:
        if records:
            records.close()


if __name__ == "__main__":
    main()
