"""Improve the network by self-play: play, train, export, match, keep or drop, repeat.

    python training/loop.py --work WORK --omnigo target/release/omnigo --start crates/net/src/weights.bin
    python training/loop.py --work WORK            continues from the step where it was stopped
    python training/loop.py --work WORK --smoke    a tiny run of all steps in a minute or two

Each round plays games with the best network so far, trains on the latest rows, and exports a
candidate. The candidate then plays a match against the best network, decided by a sequential test.
If it wins, it becomes the best network. All results are in WORK. state.json lists the finished
steps, and each step continues where it was stopped. Without --start, the engine plays the first
games without a network.

Settings given later apply from the next round on. Settings of where things run (--omnigo,
--parallel, --device, --train) apply at once. With `--ray local` or `--ray ADDRESS`, workers of a
Ray cluster play the games (pip install ray, docs/cluster.md).
"""

import argparse
import dataclasses
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

import plot
from moment import moment
from work import TIED, load, lock, save

HERE = os.path.dirname(os.path.abspath(__file__))
# The folder `cluster` is beside this one.
sys.path.insert(1, os.path.dirname(HERE))
from cluster import workers
from cluster.errors import JobError


@dataclasses.dataclass
class Settings:
    """Settings of a round. Each is an option of the same name."""

    omnigo: str = "target/release/omnigo"
    # Games.
    boards: str = "9:6,13:2,19:1"
    games: int = 1000
    playouts: int = 200
    quick_playouts: int = 40
    from_records: str = ""  # game records that games on 19x19 start from
    selfplay: str = ""  # further options of `omnigo selfplay`
    parallel: int = 1
    ray: str = ""  # address of a Ray cluster, or `local`
    piece: int = 25  # games per task of a worker
    # Training.
    blocks: int = 6
    channels: int = 64
    samples: float = 4.0  # how often a row is used, on average
    window: int = 500_000
    batch: int = 128
    device: str = "cpu"
    records: str = ""  # game records to train on, in addition to self-play games
    mixture: float = 0.25  # fraction of batches from those records
    rate: float = 3e-4
    muon: float = 0.005
    train: str = ""  # further options of train.py
    # Gate.
    gate_boards: str = "9"  # one match on each of these boards
    gate_games: int = 400
    gate_playouts: int = 400
    gate_komi: str = "7"
    sprt: str = "0,30"

# Settings of where things run. They do not affect the training itself.
AT_ONCE = ("omnigo", "parallel", "device", "train")
SMOKE = dict(
    boards="5:1,6:1,7:1", games=24, playouts=24, quick_playouts=8, piece=6, blocks=2, channels=32, samples=8.0, batch=32,
    rate=1e-3, muon=0.02, gate_boards="6", gate_games=12, gate_playouts=24, gate_komi="4", sprt="-100,100",
)  # fmt: skip


def elo_sum(gates: list[dict]) -> tuple[float, float]:
    """Returns the mean Elo difference of the matches and its error. A match without losses or
    without wins counts 400."""

    def bounded(value, sign):
        return max(-400.0, min(400.0, value)) if value is not None else 400.0 * sign

    differences = [bounded(g["elo"], 1 if g["wins"] > g["losses"] else -1) for g in gates]
    errors = [bounded(g["elo_error"], 1) for g in gates]
    return sum(differences) / len(gates), sum(e * e for e in errors) ** 0.5 / len(gates)


class Loop:
    def __init__(self, work: str, given: dict, start: str | None, smoke: bool):
        # Use absolute paths: the commands of a match are part of its record and must not change
        # later.
        self.work = os.path.abspath(work)
        start = os.path.abspath(start) if start else None
        if os.path.exists(self.path("state.json")):
            self.state = load(self.path("state.json"))
            if start not in (None, self.state["start"]):
                raise SystemExit(f"'{work}' began with {self.state['start']}: take another --work to begin with '{start}'")
        else:
            settings = dataclasses.asdict(Settings()) | (SMOKE if smoke else {})
            settings["omnigo"] = os.path.abspath(settings["omnigo"])
            best = start or "none"
            self.state = {"round": 1, "step": "play", "best": best, "start": best, "positions": 0, "elo": 0.0}
            self.state |= {"settings": settings, "now": settings, "history": []}
        self.state["settings"].update(given)
        if self.state["step"] == "play" and not os.path.exists(self.games()):
            self.state["now"] = dict(self.state["settings"])
        self.state["now"].update({k: self.state["settings"][k] for k in AT_ONCE if k in self.state["settings"]})
        self.now = Settings(**self.state["now"])

    def begin(self):
        """Saves the settings after checking that they are usable."""
        if not shutil.which(self.now.omnigo):
            raise SystemExit(f"no program '{self.now.omnigo}', expected --omnigo PATH")
        if self.state["best"] != "none":
            # Let the engine read the network, as it would for a game.
            said = subprocess.run([self.now.omnigo, "--net", self.state["best"]], input="quit\n", capture_output=True, text=True)
            if said.returncode != 0:
                raise SystemExit(f"cannot play with '{self.state['best']}': {said.stderr.strip()}")
        os.makedirs(self.path("networks"), exist_ok=True)
        self.save()

    def path(self, *parts: str) -> str:
        return os.path.join(self.work, *parts)

    def games(self) -> str:
        return self.path("games", f"{self.state['round']:04}")

    def candidate(self) -> str:
        return self.path("networks", f"{self.state['round']:04}.bin")

    def save(self):
        save(self.path("state.json"), self.state)

    def run_python(self, script: str, *options):
        subprocess.run([*TIED, sys.executable, os.path.join(HERE, script), *map(str, options)], check=True)

    def play(self):
        now = self.now
        options = ["--boards", now.boards, "--playouts", str(now.playouts), "--quick-playouts", str(now.quick_playouts)]
        options += shlex.split(now.selfplay)
        best, seed = self.state["best"], self.state["round"]
        files = {"--from-records": now.from_records} if now.from_records else {}
        if best == "none":
            options += ["--net", "none"]
        else:
            files["--net"] = best
        if now.ray:
            cores = now.parallel
            workers.play_on_ray(now.ray, now.omnigo, files, self.games(), now.games, seed, now.piece, cores, options)
        else:
            for option, path in files.items():
                options += [option, path]
            workers.play_here(now.omnigo, self.games(), now.games, seed, now.parallel, options, TIED)

    def train(self):
        now = self.now
        if "target" not in self.state:
            self.state["rows"] = count_rows(self.games())
            self.state["target"] = self.state["positions"] + int(self.state["rows"] * now.samples)
            self.save()
        options = ["--work", self.path("training"), "--data", self.path("games"), "--window", now.window]
        options += ["--positions", self.base() + self.state["target"], "--fall", 0, "--batch", now.batch, "--device", now.device]
        options += ["--blocks", now.blocks, "--channels", now.channels, "--rate", now.rate, "--muon", now.muon]
        options += ["--start", self.state["start"]] if self.state["start"] != "none" else []
        if now.records:
            options += ["--games", now.records, "--omnigo", now.omnigo, "--mixture", now.mixture]
        self.run_python("train.py", *options, "--threads", now.parallel, *shlex.split(now.train))

    def base(self) -> int:
        """Returns the number of positions that the initial network was trained on."""
        if "base" not in self.state:
            from export import unpack

            self.state["base"] = unpack(self.state["start"])[1] if self.state["start"] != "none" else 0
            self.save()
        return self.state["base"]

    def export(self):
        self.run_python("export.py", self.path("training", "checkpoint.pt"), self.candidate(), "--sides", "5-19")

    def match(self):
        """Plays a match on each board, until the test decides or all games are played. If the test
        is undecided, more wins than losses are enough to keep the candidate."""
        now, gates, kept = self.now, [], True
        os.makedirs(self.path("gates"), exist_ok=True)
        if "referee" not in self.state:
            self.state["referee"] = now.omnigo  # fixed for all games of this gate match
            self.save()
        omnigo = self.state["referee"]
        for board in now.gate_boards.split(","):
            engine = f"{shlex.quote(omnigo)} --threads 1 --playouts {now.gate_playouts} --ruleset cgos --net "
            out = self.path("gates", f"{self.state['round']:04}-{board}.jsonl")
            command = [omnigo, "match", "--black", engine + shlex.quote(self.candidate())]
            command += ["--white", engine + shlex.quote(self.state["best"]), "--graph", f"grid:{board}"]
            command += ["--ruleset", "cgos", "--komi", now.gate_komi, "--games", now.gate_games, "--openings", "2"]
            command += ["--seed", self.state["round"], f"--sprt={now.sprt}", "--parallel", now.parallel, "--out", out, "--json"]
            done = subprocess.run([*TIED, *map(str, command)], check=True, stdout=subprocess.PIPE, text=True)
            gate = json.loads(done.stdout)
            gates.append({k: gate[k] for k in ("games", "wins", "losses", "draws", "elo", "elo_error")})
            gates[-1] |= {"board": board, "sprt": gate["sprt"]["state"]}
            verdict = gates[-1]["sprt"]
            kept = kept and (verdict == "accept-h1" or verdict == "continue" and gate["wins"] > gate["losses"])
            if not kept:
                break
        self.conclude(gates, kept)

    def conclude(self, gates: list[dict], kept: bool):
        state = self.state
        del state["referee"]
        difference, error = elo_sum(gates)
        entry = {"round": state["round"], "rows": state["rows"], "positions": state["target"], "kept": kept}
        entry |= {"elo": state["elo"] + difference, "elo_error": error, "gates": gates, "time": int(time.time())}
        state["history"].append(entry)
        if kept:
            state["best"], state["elo"] = os.path.abspath(self.candidate()), entry["elo"]
        state["positions"] = state.pop("target")
        state["round"] += 1
        state["now"] = dict(state["settings"])
        self.now = Settings(**state["now"])
        word = "kept" if kept else "dropped"
        print(f"round {entry['round']}: {word}, {difference:+.0f} ± {error:.0f} Elo, {gates}", flush=True)

    STEPS = {"play": "train", "train": "export", "export": "match", "match": "play"}

    def step(self) -> bool:
        """Runs the next step. Returns true if it ended a round."""
        step = self.state["step"]
        print(f"round {self.state['round']}: {step}", flush=True)
        getattr(self, step)()
        self.state["step"] = self.STEPS[step]
        self.save()
        return step == "match"


def count_rows(folder: str) -> int:
    """Returns the number of rows of the games in a folder and its subfolders."""
    rows = 0
    for place, _, names in os.walk(folder):
        if "games.jsonl" in names:
            with open(os.path.join(place, "games.jsonl")) as file:
                rows += sum(json.loads(line).get("rows", 0) for line in list(file)[1:])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True, help="folder of everything")
    parser.add_argument("--start", help="weights to begin with")
    parser.add_argument("--smoke", action="store_true", help="begin with tiny settings, and end after one round")
    parser.add_argument("--once", action="store_true", help="end after a round")
    parser.add_argument("--rounds", type=int, help="end after so many rounds, those of earlier calls included")
    parser.add_argument("--until", help="begin no step after HH:MM (UTC) or +HOURS")
    for field in dataclasses.fields(Settings):
        parser.add_argument("--" + field.name.replace("_", "-"), type=field.type, help=f"[default: {field.default}]")
    a = parser.parse_args()
    given = {f.name: getattr(a, f.name) for f in dataclasses.fields(Settings) if getattr(a, f.name) is not None}
    for name in ("omnigo", "records", "from_records"):
        if given.get(name):
            given[name] = os.path.abspath(given[name])
    for name, path in (("start", a.start), ("records", given.get("records")), ("from-records", given.get("from_records"))):
        if path and not os.path.exists(path):
            raise SystemExit(f"--{name}: no file '{path}'")
    end = moment(a.until) if a.until else None
    fresh = not os.path.exists(a.work)
    lock(a.work)
    try:
        loop = Loop(a.work, given, a.start, a.smoke)
        loop.begin()
    except SystemExit:
        if fresh:
            os.rmdir(a.work)
        raise
    while a.rounds is None or loop.state["round"] <= a.rounds:
        if end and time.time() >= end:
            break
        try:
            ended = loop.step()
        except subprocess.CalledProcessError as error:
            name = next(os.path.basename(part) for part in error.cmd if part not in (*TIED, sys.executable))
            raise SystemExit(f"{name} failed in round {loop.state['round']}, the next call goes on from there") from None
        except JobError as error:
            raise SystemExit(f"{error} in round {loop.state['round']}, the next call goes on from there") from None
        except KeyboardInterrupt:
            raise SystemExit("interrupted; the next call goes on from there") from None
        if ended:
            try:
                print("drawn: " + " ".join(plot.draw(a.work)), flush=True)
            except ImportError:
                print("no pictures: pip install matplotlib", flush=True)
            if a.once or a.smoke:
                break


if __name__ == "__main__":
    main()
