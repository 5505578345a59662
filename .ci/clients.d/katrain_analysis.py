"""Drives `omnigo analysis` with KaTrain's own engine class and game nodes, like KaTrain without its
window.

The arguments are the engine and its options. A stand-in replaces KaTrain's GUI toolkit, which is
not needed.
"""

import sys
import time
import types


def stand_in(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module


class Anything:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **kwargs):
        return Anything()


stand_in("kivy", __path__=[])
stand_in("kivy.utils", platform="linux")
stand_in("kivy._event", Observable=Anything)
stand_in("katrain.gui", __path__=[])
stand_in("katrain.gui.theme", Theme=Anything())

from katrain.core import engine as engine_module  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game_node import GameNode  # noqa: E402
from pysgf import Move  # noqa: E402

logged = []


class KaTrain:
    """The parts of the KaTrain program that the engine class uses."""

    def log(self, message, level=0):
        logged.append((level, str(message)))

    def __call__(self, *args, **kwargs):
        raise AssertionError(f"KaTrain would open a window: {args}")


def main():
    # KaTrain passes the command to a shell. With `exec`, the process that KaTrain ends is the
    # engine itself.
    command = " ".join(["exec", sys.argv[1], "analysis", *sys.argv[2:]])
    config = {"backend": "custom", "altcommand": command, "max_visits": 100, "fast_visits": 20, "max_time": 60.0,
              "wide_root_noise": 0.04, "_enable_ownership": True, "katago": "", "threads": 2, "allow_recovery": False}
    engine = KataGoEngine(KaTrain(), config)
    root = GameNode(properties={"SZ": 9, "KM": 6.5, "RU": "japanese", "AB": ["cg", "gc"], "PL": "W"})
    node = root
    nodes = [root]
    for player, place in [("W", "E5"), ("B", "E3"), ("W", "pass")]:
        node = GameNode(parent=node, move=Move.from_gtp(place, player))
        nodes.append(node)
    for each in nodes:
        each.analyze(engine)
    wait(engine, lambda: all(each.analysis["completed"] for each in nodes))
    for each in nodes:
        analysis = each.analysis
        assert analysis["root"]["visits"] >= 50, analysis["root"]
        assert len(analysis["ownership"]) == 81 and len(analysis["policy"]) == 82
        best = each.candidate_moves[0]
        assert best["order"] == 0 and best["pv"][0] == best["move"], best
        assert len(best["ownership"]) == 81
    # The variations that KaTrain offers: other moves, a region, a single move, and an illegal one.
    listed = set(root.analysis["moves"])
    root.analyze(engine, find_alternatives=True)
    nodes[1].analyze(engine, region_of_interest=[0, 3, 0, 3])
    root.analyze(engine, refine_move=Move.from_gtp("A1", "W"))
    root.analyze(engine, refine_move=Move.from_gtp("C3", "W"))
    wait(engine, engine.is_idle)
    assert set(root.analysis["moves"]) > listed, "other moves and A1"
    # Ponder until the user continues.
    nodes[2].analyze(engine, ponder=True)
    time.sleep(1.0)
    engine.stop_pondering()
    wait(engine, engine.is_idle)
    engine.on_new_game()
    engine.shutdown(finish=False)
    errors = [text for level, text in logged if level == engine_module.OUTPUT_ERROR]
    assert not errors, errors
    print(f"katrain: {len(nodes)} positions, other moves, a region, single moves, pondering; {root.analysis['root']['visits']} visits at the root")


def wait(engine, done):
    for _ in range(1200):
        if done():
            return
        assert engine.check_alive(), logged[-5:]
        time.sleep(0.1)
    raise AssertionError(f"no end: {logged[-5:]}")


main()
