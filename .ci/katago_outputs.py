"""Compares what omnigo and KataGo compute for the same positions with the same network.

Both programs get the same games by GTP. Games have random sizes, rules, komi, handicap, and
differences in strength. Their moves are drawn from the network's policy. In single precision every
number of `kata-raw-nn` must be equal up to rounding, so every input is equal too. For the other
kernels, positions with the same best move are counted. Without KataGo's program, only the kernels
are compared.
"""

import argparse
import json
import math
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

# Allowed differences of probabilities and ownership, of points, and of the mean square of the score,
# as a share of one plus its value.
PROBABILITY, POINTS, SQUARE = 1e-4, 0.02, 1e-3
# Allowed difference of the expected error of the win probability, which has three digits.
ERROR = 1.5e-3
# Minimum share of positions in which a kernel must prefer the same move.
SAME_MOVE = {"avx2int16": 0.99, "avx2vnni": 0.99, "avx512int16": 0.99}
OTHER_KERNELS = 0.98
# Share of positions of a game that are compared, and the largest number of its moves, as a share
# of the points.
COMPARED, LONGEST = 0.125, 1.1
# Share of moves that are drawn from all legal moves instead of the policy.
RANDOM_MOVES = 0.08
KO = ["SIMPLE", "POSITIONAL", "SITUATIONAL"]
TAX = ["NONE", "SEKI", "ALL"]
BONUS = ["0", "N", "N-1"]
# KataGo's configuration. No move is searched.
CONFIG = """logAllGTPCommunication = false
logSearchInfo = false
rules = tromp-taylor
maxVisits = 1
numSearchThreads = 1
"""
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Refused(Exception):
    """An engine answered with an error."""


class Engine:
    """A program that speaks GTP."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, line):
        lines = []
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Refused(f"{self.name} ended before '{line}'") from None
        while True:
            reply = self.process.stdout.readline()
            if not reply:
                raise Refused(f"{self.name} ended after '{line}'")
            if not reply.strip():
                if lines:
                    break
                continue
            lines.append(reply.rstrip())
        if not lines[0].startswith("="):
            raise Refused(f"{self.name}: {line}: {' '.join(lines)}")
        lines[0] = lines[0][1:].strip()
        return lines

    def output(self, symmetry, width, height):
        """Returns the network's numbers: single ones by name, and two lists for the points."""
        numbers = {}
        lists = {"policy": [], "whiteOwnership": []}
        target = None
        for line in self.ask(f"kata-raw-nn {symmetry}"):
            words = line.split()
            if words[0] in lists:
                target = lists[words[0]]
            elif words[0][0].isalpha() and words[0] != "NAN":
                numbers[words[0]] = float(words[1])
            else:
                target.extend(map(float, words))
        for name, values in lists.items():
            if len(values) != width * height:
                raise Refused(f"{self.name}: {name} has {len(values)} numbers")
        lists["policy"].append(numbers.pop("policyPass"))
        return numbers, lists


def random_rules(dice):
    territory = dice.random() < 0.4
    return {
        "friendlyPassOk": dice.random() < 0.5,
        "hasButton": not territory and dice.random() < 0.25,
        "ko": dice.choice(KO),
        "scoring": "TERRITORY" if territory else "AREA",
        "suicide": dice.random() < 0.5,
        "tax": dice.choice(TAX),
        "whiteHandicapBonus": dice.choice(BONUS),
    }


def random_sides(dice):
    if dice.random() < 0.7:
        return (dice.choice([5, 7, 9, 9, 11, 13, 13, 15, 19, 19]),) * 2
    return dice.randint(4, 19), dice.randint(4, 19)


def random_komi(dice, points):
    usual = dice.choice([0, 0.5, 5.5, 6, 6.5, 7, 7.5])
    return usual if dice.random() < 0.7 else dice.randint(-points, points) / 2


def name_of(index, width, height):
    if index == width * height:
        return "pass"
    return f"{COLUMNS[index % width]}{height - index // width}"


def drawn(dice, policy, may_pass):
    """Draws a move from the policy, or now and then from all legal moves."""
    legal = [at for at, chance in enumerate(policy) if not math.isnan(chance)]
    points = len(policy) - 1
    if not may_pass:
        legal.remove(points)
    if not legal:
        return None
    if dice.random() < RANDOM_MOVES:
        return dice.choice(legal)
    return dice.choices(legal, [policy[at] + 1e-6 for at in legal])[0]


def best(policy):
    known = [at for at, chance in enumerate(policy) if not math.isnan(chance)]
    return max(known, key=lambda at: policy[at])


def allowed(name, value):
    if name in ("whiteLead", "whiteScoreSelfplay", "shorttermScoreError", "varTimeLeft"):
        return POINTS
    if name == "shorttermWinlossError":
        return ERROR
    return SQUARE * (1 + value) if name == "whiteScoreSelfplaySq" else PROBABILITY


class Comparison:
    """Counts of positions, largest differences, and positions in which each kernel prefers the same
    move."""

    def __init__(self, kernels):
        self.positions = 0
        self.largest = {}
        self.same = dict.fromkeys(kernels, 0)
        self.faults = []

    def add(self, ours, theirs, place):
        """Compares all numbers with those of KataGo."""
        gaps = {name: abs(ours[0].get(name, math.inf) - value) for name, value in theirs[0].items()}
        for name, values in theirs[1].items():
            mine = ours[1][name]
            if [math.isnan(x) for x in mine] != [math.isnan(x) for x in values]:
                self.faults.append(f"{place}: {name} lacks other points")
            pairs = [(x, y) for x, y in zip(mine, values) if not math.isnan(x + y)]
            gaps[name] = max(abs(x - y) for x, y in pairs)
        for name, gap in gaps.items():
            self.largest[name] = max(gap, self.largest.get(name, 0))
            # A difference from NaN is NaN, and no limit allows it.
            if not gap <= allowed(name, theirs[0].get(name, 0)):
                self.faults.append(f"{place}: {name} differs by {gap:.6f}")

    def print(self):
        print(f"{self.positions} positions{'; largest differences:' if self.largest else ''}")
        for name, gap in self.largest.items():
            print(f"  {name:22} {gap:.6f}")
        for kernel, same in self.same.items():
            print(f"same best move with {kernel}: {same} of {self.positions}")
            if same < SAME_MOVE.get(kernel, OTHER_KERNELS) * self.positions:
                self.faults.append(f"{kernel} prefers too many other moves")
        for fault in self.faults[:20]:
            print(fault)
        if len(self.faults) > 20:
            print(f"and {len(self.faults) - 20} more")


def play(dice, precise, katago, others, comparison, target):
    """Plays one game and compares some of its positions. `precise` is omnigo in single precision,
    `katago` is None without KataGo, and `others` are the other kernels."""
    engines = [engine for engine in (precise, katago, *others) if engine]
    width, height = random_sides(dice)
    rules = random_rules(dice)
    komi = random_komi(dice, width * height)
    start = [f"rectangular_boardsize {width} {height}", f"kata-set-rules {json.dumps(rules)}"]
    start += [f"komi {komi}", "clear_board"]
    # A third of the games assume a difference in strength.
    doublings, player = dice.choice([0, 0, round(dice.uniform(-3, 3), 2)]), dice.choice(["BLACK", "WHITE"])
    start.append(f"kata-set-param playoutDoublingAdvantagePla {player}")
    start.append(f"kata-set-param playoutDoublingAdvantage {doublings}")
    for engine in engines:
        for line in start:
            engine.ask(line)
    color = "b"
    moves = []
    handicap = dice.choice([0, 0, 0, 2, 3, 4])
    longest = dice.randint(1, max(2, int(LONGEST * width * height)))
    for number in range(longest):
        symmetry = dice.randrange(8) if width == height else dice.randrange(4)
        # The last kernel is the fastest one.
        fastest = others[-1] if others else precise
        policy = fastest.output(symmetry, width, height)[1]["policy"]
        if dice.random() < COMPARED:
            comparison.positions += 1
            ours = precise.output(symmetry, width, height)
            place = f"{width}x{height} komi {komi} {json.dumps(rules)} {player} {doublings} moves {' '.join(moves)}"
            if katago:
                theirs = katago.output(symmetry, width, height)
                comparison.add(ours, theirs, f"{place} symmetry {symmetry}")
            for kernel, engine in zip(comparison.same, others):
                other = engine.output(symmetry, width, height)
                comparison.same[kernel] += best(other[1]["policy"]) == best(ours[1]["policy"])
            if comparison.positions == target:
                return
        passed = bool(moves) and moves[-1].endswith("pass")
        move = drawn(dice, policy, not passed and number >= handicap)
        if move is None:
            return
        moves.append(f"{color} {name_of(move, width, height)}")
        for engine in engines:
            engine.ask(f"play {moves[-1]}")
        # The first moves of a game with handicap are all Black's.
        if number + 1 >= handicap:
            color = "w" if color == "b" else "b"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--omnigo", required=True)
    parser.add_argument("--katago", help="command of KataGo, such as '.ci/cpu flush katago'")
    parser.add_argument("--net", required=True, help="file of a network of KataGo")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--kernels", nargs="*", default=[], help="other kernels to compare")
    parser.add_argument("--precise", default="avx2", help="kernel of single precision")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    omnigo = [options.omnigo, "--threads", "1", "--net", options.net, "--net-kernel"]
    comparison = Comparison(options.kernels)
    with tempfile.TemporaryDirectory() as folder:
        precise = Engine("omnigo", [*omnigo, options.precise])
        others = [Engine(kernel, [*omnigo, kernel]) for kernel in options.kernels]
        katago = None
        if options.katago:
            config = pathlib.Path(folder, "katago.cfg")
            config.write_text(CONFIG)
            command = [*shlex.split(options.katago), "gtp", "-model", options.net, "-config", str(config)]
            katago = Engine("KataGo", command)
        try:
            while comparison.positions < options.positions:
                play(dice, precise, katago, others, comparison, options.positions)
        except Refused as refusal:
            comparison.faults.append(str(refusal))
        for engine in filter(None, (precise, katago, *others)):
            engine.process.kill()
            engine.process.wait()
    comparison.print()
    return 1 if comparison.faults else 0


if __name__ == "__main__":
    sys.exit(main())
