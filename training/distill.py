"""Teach a student: label positions by a teacher, train, export, and measure the student.

    python training/distill.py --work WORK --omnigo omnigo --teacher TEACHER.bin.gz --records games.txt
    python training/distill.py --work WORK --omnigo omnigo --teacher TEACHER.bin.gz --smoke --device cpu

The second command is a tiny run of all steps, in a minute or two. The defaults of the first one are
the figures in docs/experiments.md#student-of-a-transformer. The steps are:

- held: `omnigo label` labels games that are never learned from, in WORK/held.
- labels: it labels other games, in WORK/labels.
- train: train.py trains a student of some blocks and channels on them, in WORK/8x96.
- export: export.py writes its weights, WORK/8x96.bin.
- measure: `omnigo accuracy` compares it with the teacher on the held-out games, in WORK/8x96.json.

The same command continues after any interruption. WORK/state.json lists the finished steps with
their settings. A finished step is skipped, and an unfinished one continues where it was stopped.
Other --blocks or --channels train another student on the same labels. More --games add labels, and
more --positions train on. Further options go to train.py, such as --start, --rate, or --threads.
With other ones than before, a finished student is not trained on.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys

import work
from export import sides, unpack
from model import shape_flaw
from rows import HEADER
from work import TIED, lock, run, unpacked

HERE = os.path.dirname(os.path.abspath(__file__))
BOARDS = "9:600,13:180,19:150,7:80,5:30,11:60,15:25,17:20,13x9:40,19x13:15"
# Settings of a training that may change before it goes on: the labels, which only grow, and the end.
GROWING = {"labels", "positions"}
SMOKE = dict(
    boards="5:2,7:1", games=16, held_boards="5,7", held_games=6, parallel=16, blocks=2, channels=32, positions=6000,
    batch_points=1600, sides="5-7",
)  # fmt: skip


def arguments() -> tuple[argparse.Namespace, list[str]]:
    """Returns the options, and those for train.py."""
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], allow_abbrev=False, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--work", required=True, help="folder of everything that comes out")
    parser.add_argument("--omnigo", required=True, help="the program")
    parser.add_argument("--teacher", required=True, help="network of KataGo")
    parser.add_argument("--records", help="game records that labeled games on 19x19 start from, one a line, as text or .gz")
    parser.add_argument("--player", help="network of the student that plays in the labeled games, instead of the built-in one")
    parser.add_argument("--smoke", action="store_true", help="tiny settings")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="of teacher and training")
    parser.add_argument("--evaluator", help="program that computes the teacher, or `none` for the engine itself, instead of teacher.py")
    parser.add_argument("--parallel", type=int, default=4096, help="games that are played at once")
    parser.add_argument("--boards", default=BOARDS, help="of the labeled games, with their weights")
    parser.add_argument("--games", type=int, default=11059, help="labeled games")
    parser.add_argument("--seed", type=int, default=7, help="of the labeled games")
    parser.add_argument("--random-moves", type=int, default=12, help="maximum number at the start of a game")
    parser.add_argument("--recorded", type=float, default=1.0, help="fraction of positions that are labeled")
    parser.add_argument("--even", type=float, default=0.0, help="`omnigo label --even` of the labeled games, except those held out")
    parser.add_argument("--label-options", default="", help="further options of `omnigo label`, except for games held out, such as --label-options='--decided 0.4'")
    parser.add_argument("--held-boards", default="9:4,13:2,19:1", help="of the held-out games")
    parser.add_argument("--held-games", type=int, default=700, help="held-out games")
    parser.add_argument("--held-seed", type=int, default=999, help="of the held-out games")
    parser.add_argument("--held-recorded", type=float, default=0.2, help="fraction of their positions that are labeled")
    parser.add_argument("--blocks", type=int, default=8, help="of the student")
    parser.add_argument("--channels", type=int, default=96, help="of the student")
    parser.add_argument("--start", help="weights that the training begins with, of the same shape")
    parser.add_argument("--positions", type=int, default=23_800_000, help="positions to train on")
    parser.add_argument("--batch-points", type=int, default=180_000, help="points of all boards of a step")
    parser.add_argument("--sides", default="9-19", help="sides of boards on which and between which the engine uses the student")
    a, more = parser.parse_known_args()
    if a.smoke:
        parser.set_defaults(**SMOKE)
        a, more = parser.parse_known_args()
    try:
        shlex.split(a.label_options)
    except ValueError as error:
        parser.error(f"argument --label-options: '{a.label_options}': {error}")
    if a.seed == a.held_seed:
        parser.error(f"argument --held-seed: '{a.held_seed}', expected another one than --seed")
    if a.positions < 1:
        parser.error(f"argument --positions: '{a.positions}', expected 1 or more")
    if flaw := shape_flaw(a.blocks, a.channels):
        raise SystemExit(f"no network: {flaw}")
    if not shutil.which(a.omnigo):
        raise SystemExit(f"no program '{a.omnigo}', expected --omnigo PATH")
    if a.label_options:
        # Labeling with them begins only after the held-out games. Options may not be repeated.
        known = ["--teacher", "x", "--out", "x", "--boards", "9", "--games", "1", "--seed", "1", "--recorded", "1", "--random-moves", "0"]
        command = [a.omnigo, "label", *known, *shlex.split(a.label_options), "--help"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            told = done.stderr.partition("\n")[0].removeprefix("error: ")
            parser.error(f"argument --label-options: {told}")
    sides(a.sides)
    return a, more


def content(path: str | None) -> str | None:
    """Returns a hash of a file, if there is one."""
    return None if path is None else work.content(path)


class Distillation:
    def __init__(self, a: argparse.Namespace, more: list[str]):
        self.a, self.more, self.name = a, more, f"{a.blocks}x{a.channels}"
        self.network, self.result = self.path(f"{self.name}.bin"), self.path(f"{self.name}.json")
        self.state = {"steps": {}}
        if os.path.exists(self.path("state.json")):
            self.state = work.load(self.path("state.json"))
        if not isinstance(self.state.get("steps"), dict):
            raise SystemExit(f"'{self.path('state.json')}' is damaged, expected its steps")

    def path(self, *parts: str) -> str:
        return os.path.join(self.a.work, *parts)

    def steps(self):
        """Yields name, result, settings, and function of each step. The settings decide its result,
        so they exclude the machine."""
        a = self.a
        teacher = {"teacher": content(a.teacher), "player": content(a.player)}
        held = {"boards": a.held_boards, "games": a.held_games, "seed": a.held_seed, "recorded": a.held_recorded}
        labels = {"boards": a.boards, "games": a.games, "seed": a.seed, "recorded": a.recorded}
        moves = {"random-moves": a.random_moves}
        # Without it, the settings are those of earlier folders.
        labels |= {"even": a.even} if a.even else {}
        labels |= {"options": shlex.split(a.label_options)} if a.label_options else {}
        yield "held", self.path("held"), held | moves | teacher, lambda: self.label("held", held | moves)
        records = {"records": content(a.records)}
        yield "labels", self.path("labels"), labels | moves | teacher | records, lambda: self.label("labels", labels | moves, a.records)
        training = {"labels": self.state["steps"].get("labels"), "positions": a.positions, "batch-points": a.batch_points}
        training |= {"start": content(a.start), "options": self.more}
        yield f"train {self.name}", self.path(self.name), training, lambda: self.train(training)
        export = {"train": training, "sides": a.sides}
        yield f"export {self.name}", self.network, export, self.export
        measure = {"export": export, "held": self.state["steps"].get("held")}
        yield f"measure {self.name}", self.result, measure, self.measure

    def label(self, folder: str, options: dict, records: str | None = None):
        a = self.a
        command = [a.omnigo, "label", "--teacher", a.teacher, "--out", self.path(folder), "--parallel", a.parallel]
        teacher = shlex.join([sys.executable, os.path.join(HERE, "teacher.py"), "--device", a.device])
        if a.evaluator != "none":
            command += ["--evaluator", a.evaluator or teacher]
        if a.player:
            command += ["--student", a.player]
        if records:
            command += ["--from-records", unpacked(records, a.work)]
        for name, value in options.items():
            command += value if name == "options" else [f"--{name}", value]
        run(*command)

    def held(self) -> list[str]:
        """Returns the files of held-out rows. Few games may leave a board without rows."""
        names = sorted(name for name in os.listdir(self.path("held")) if name.endswith(".rows"))
        files = [path for name in names if os.path.getsize(path := self.path("held", name)) > HEADER]
        if not files:
            raise SystemExit(f"no rows in '{self.path('held')}', expected more --held-games")
        return files

    def refuse_changes(self, training: dict):
        """Stops if the student was trained with other settings. Training would go on from its
        checkpoint, so they would not describe the result."""
        before = self.state["steps"].get(f"train {self.name}")
        if not before or not os.path.exists(self.path(self.name, "checkpoint.pt")):
            return
        before, now = ({k: v for k, v in part.items() if k not in GROWING} for part in (before, training))
        if before != now:
            raise SystemExit(
                f"'{self.path(self.name)}' was trained with other options, expected the same ones "
                "(except --positions and --games) or another --work"
            )

    def train(self, training: dict):
        self.refuse_changes(training)
        a, first = self.a, 0
        start = ["--start", a.start] if a.start else []
        if a.start:
            try:
                first = unpack(a.start)[1]
            except (ValueError, OSError) as error:
                raise SystemExit(str(error)) from None
        options = ["--work", self.path(self.name), "--data", self.path("labels"), "--held", *self.held()]
        # All rows are in use, and calls after an interruption share one schedule.
        options += ["--window", 1 << 40, "--positions", first + a.positions, "--since", first, *start]
        options += ["--blocks", a.blocks, "--channels", a.channels, "--batch-points", a.batch_points]
        options += ["--device", a.device, "--minutes", 1]
        run(sys.executable, os.path.join(HERE, "train.py"), *options, *self.more)

    def export(self):
        checkpoint = self.path(self.name, "checkpoint.pt")
        run(sys.executable, os.path.join(HERE, "export.py"), checkpoint, self.network, "--sides", self.a.sides)

    def measure(self):
        found = {}
        for path in self.held():
            command = [*TIED, self.a.omnigo, "accuracy", path, "--net", self.network, "--json"]
            done = subprocess.run(command, stdout=subprocess.PIPE)
            if done.returncode != 0:
                raise SystemExit(f"stopped: {os.path.basename(self.a.omnigo)} accuracy failed")
            board = os.path.basename(path).removesuffix(".rows")
            found[board] = json.loads(done.stdout)
            print(f"{board}: the teacher's best move in {found[board]['top1']:.1%} of {found[board]['rows']} positions", flush=True)
        work.save(self.result, found)

    def run(self):
        for name, result, settings, step in self.steps():
            # JSON turns tuples into lists, so compare what a file would have.
            settings = json.loads(json.dumps(settings))
            if self.state["steps"].get(name) == settings and os.path.exists(result):
                print(f"{name}: finished before", flush=True)
                continue
            print(name, flush=True)
            step()
            self.state["steps"][name] = settings
            work.save(self.path("state.json"), self.state)


def main():
    a, more = arguments()
    lock(a.work)
    try:
        Distillation(a, more).run()
    except KeyboardInterrupt:
        raise SystemExit("interrupted; the same command goes on from there") from None
    except OSError as error:
        raise SystemExit(f"cannot use '{error.filename}': {error.strerror}") from None


if __name__ == "__main__":
    main()
