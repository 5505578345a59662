"""Checkpoints of train.py: shape of the network, its weights, and the progress of the training.

The previous checkpoint is kept as checkpoint.prev.pt.
"""

import io
import os

import torch

import work
from model import Net

FIELDS = {"shape", "optimizer", "seen", "seed", "place"}


def previous(path: str) -> str:
    return path.removesuffix(".pt") + ".prev.pt"


def read(path: str) -> tuple[dict, Net]:
    """Returns a checkpoint, and a network of its architecture."""
    try:
        saved = torch.load(path, weights_only=True, map_location="cpu")
        if not isinstance(saved, dict) or not FIELDS <= saved.keys():
            raise ValueError
        # Older checkpoints do not store the pooling blocks, so find them by their weights.
        blocks, channels = saved["shape"]
        weights = saved["optimizer"]["master"]
        pooling = saved.get("pooling", [i for i in range(blocks) if f"trunk.{i}.pool.weight" in weights])
        net = Net(blocks, channels, pooling)
        shapes = {k: p.shape for k, p in net.named_parameters()}
        for kind in ("master", "average"):
            if shapes != {k: p.shape for k, p in saved["optimizer"][kind].items()}:
                raise ValueError
    except OSError as error:
        raise SystemExit(f"cannot read '{path}': {error.strerror}") from None
    except Exception:  # a damaged file can raise any exception
        hint = f"; the one before is '{previous(path)}'" if os.path.exists(previous(path)) else ""
        raise SystemExit(f"'{path}' is damaged, or no checkpoint{hint}") from None
    return saved, net


def write(path: str, net: Net, optimizer: dict, seen: int, seed: int, place: int):
    """Writes a checkpoint and keeps the old one as the previous one. A complete checkpoint exists
    at any time."""
    state = {"shape": [net.blocks, net.channels], "pooling": net.pooling, "optimizer": optimizer}
    data = io.BytesIO()
    torch.save(state | {"seen": seen, "seed": seed, "place": place}, data)
    if os.path.exists(path):
        with open(path, "rb") as file:
            work.replace(previous(path), file.read())
    work.replace(path, data.getvalue())
