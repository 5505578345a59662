"""Checks that PyTorch, which trains the network, and the engine compute the same network.

Usage: network.py ENGINE. Plays a tiny round of the loop in a temporary folder. On the rows of that
round, PyTorch evaluates two networks: the one of that round and the one in the repository. The
results are compared with those of `omnigo accuracy`.
"""

import atexit
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRAINING = os.path.join(ROOT, "training")
sys.path.insert(0, TRAINING)

import torch

from export import unpack
from rows import Rows

# Input planes of points where the mover cannot play: own stones, opposing stones, forbidden points.
CLOSED = [1, 2, 6]
# Maximum differences. The engine rounds activations to bf16, so an almost equal move may rank
# first.
TOLERANCE = {"policy_loss": 0.01, "value_error": 0.003, "top1": 0.02, "winner": 0.02}


@torch.no_grad()
def measured(net, path):
    """Returns the figures of `omnigo accuracy`, computed by PyTorch in 32 bits."""
    rows = Rows(path)
    batch = rows.batch(0, len(rows))
    x = batch.x.float()
    logits, value, _, _ = net(x)
    closed = x[:, CLOSED].sum(1).flatten(1) > 0
    chosen = logits.gather(1, batch.target[:, None])[:, 0]
    logits = torch.cat([logits[:, :-1].masked_fill(closed, -torch.inf), logits[:, -1:]], 1)
    known, won = batch.known > 0, batch.win > 0.5
    return {
        "rows": len(rows),
        "policy_loss": (logits.logsumexp(1) - chosen).mean().item(),
        "value_error": (torch.sigmoid(value) - won.float())[known].square().mean().item(),
        "top1": (logits.argmax(1) == batch.target).float().mean().item(),
        "winner": ((value > 0) == won)[known].float().mean().item(),
    }


def main():
    engine = sys.argv[1]
    torch.set_num_threads(1)
    work = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, work, ignore_errors=True)
    loop = [sys.executable, os.path.join(TRAINING, "loop.py"), "--work", work, "--omnigo", engine, "--smoke"]
    done = subprocess.run(loop, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    print("network: a round of games, training, export and match")
    nets = [os.path.join(work, "networks/0001.bin"), os.path.join(ROOT, "crates/net/src/weights.bin")]
    for path in nets:
        net, total, apart = unpack(path)[0], 0, dict.fromkeys(TOLERANCE, 0.0)
        for rows in sorted(glob.glob(os.path.join(glob.escape(work), "games/*/*.rows"))):
            command = [engine, "accuracy", rows, "--net", path, "--json"]
            theirs = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            ours = measured(net, rows)
            assert ours["rows"] == theirs["rows"], (ours, theirs)
            total += ours["rows"]
            for name in TOLERANCE:
                apart[name] += ours["rows"] * abs(ours[name] - theirs[name])
        apart = {name: difference / max(total, 1) for name, difference in apart.items()}
        told = ", ".join(f"{name} {difference:.4f}" for name, difference in apart.items())
        print(f"network: {os.path.basename(path)}, {total} rows on three sizes, mean differences: {told}")
        assert total > 200, total
        assert all(apart[name] <= most for name, most in TOLERANCE.items()), TOLERANCE


if __name__ == "__main__":
    main()
