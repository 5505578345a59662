"""Run the test suites of other Go programs on GTP engines, and print a table of pass rates.

    python -m suites FOLDER --omnigo target/release/omnigo --playouts 2000
    python -m suites gnugo/regression/{seki,semeai}.tst --engine "gnugo=gnugo --mode gtp"

FOLDER has regression files of GNU Go or Fuego (.tst), or tests of Pachi (.gtp). Each file gets an
engine of its own in the folder of the file. The engine is started again if it ends or hangs.
Engines without loadsgf get the stones and moves of a record one by one, as omnigo reads them.

A check passes if the whole answer matches. An engine without an answer fails the check. Checks are
skipped if the engine does not have the command or the position.
"""

import argparse
import json
import os
import shlex
import shutil
import sys
from dataclasses import replace
from typing import IO

from suites.engine import Engine, Lost
from suites.play import Player, Result
from suites.script import BadFile, Script, Step, find, read
from suites.table import Count, table

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Program that runs if no engine is given, as `cargo build --release` makes it.
BUILT = os.path.join(ROOT, "target", "release", "omnigo")
# Maximum numbers of seconds and of playouts.
MOST_SECONDS = 1e6
MOST_PLAYOUTS = 1_000_000_000


class Wrong(Exception):
    """The command line is wrong."""


class Parser(argparse.ArgumentParser):
    """Parser whose errors are one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise Wrong(" ".join(message.split()))


def count(text: str) -> int:
    """Parses a number of checks or playouts."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:12]) <= MOST_PLAYOUTS):
        raise argparse.ArgumentTypeError(f"'{text}', expected a whole number, 1 or more")
    return int(text)


def seconds(text: str) -> float:
    """Parses a time limit."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"'{text}', expected seconds above 0")
    return value


def arguments(words: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="python -m suites",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="FOLDER", help="folder of suites, or a file")
    parser.add_argument("--omnigo", metavar="PATH", help="the program [default: as built]")
    parser.add_argument(
        "--playouts", type=count, default=2000, help="of omnigo for each move [default: 2000]"
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="another engine; each has a column of the table",
    )
    parser.add_argument(
        "--before",
        action="append",
        default=[],
        metavar="COMMAND",
        help="GTP command after each start, such as 'set_ruleset japanese'",
    )
    parser.add_argument(
        "--commands",
        metavar="LIST",
        help="run only checks with these commands, such as reg_genmove,final_score",
    )
    parser.add_argument(
        "--most", type=count, metavar="N", help="run at most N checks of a file, evenly spaced"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=120.0, help="seconds for each answer [default: 120]"
    )
    parser.add_argument("--out", metavar="FILE", help="write a JSON line for each check")
    return parser.parse_args(words)


def program(a: argparse.Namespace) -> str:
    """Returns the path or name of omnigo."""
    return a.omnigo or (BUILT if os.path.exists(BUILT) else "omnigo")


def reader(a: argparse.Namespace) -> str:
    """Returns omnigo's command line for reading records. Empty if there is no omnigo."""
    path = shutil.which(program(a))
    words = [os.path.abspath(path), "gtp", "--threads", "1", "--net", "none"] if path else []
    return shlex.join(words)


def engines(a: argparse.Namespace) -> dict[str, str]:
    """Returns the command lines of the engines by name. Without --engine, omnigo runs."""
    found = {}
    if a.omnigo or not a.engine:
        words = [program(a), "gtp", "--threads", "1", "--playouts", str(a.playouts)]
        found["omnigo"] = shlex.join(words)
    for text in a.engine:
        name, equals, command = text.partition("=")
        if not equals or not name or not command.strip() or name in found:
            raise Wrong(f"--engine: '{text}', expected NAME=COMMAND with a new name")
        found[name] = command
    return {name: absolute(name, command) for name, command in found.items()}


def absolute(name: str, command: str) -> str:
    """Returns a command line with the absolute path of its program."""
    try:
        program, *words = shlex.split(command)
    except ValueError:
        raise Wrong(f"{name}: '{command}' is not a command line") from None
    path = shutil.which(program)
    if not path:
        raise Wrong(f"{name}: no program '{program}', expected a path or a name on the PATH")
    return shlex.join([os.path.abspath(path), *words])


def scripts(paths: list[str]) -> list[Script]:
    """Returns the files of all paths. Files that cannot be read get a line."""
    found: list[Script] = []
    for path in paths:
        if not os.path.exists(path):
            raise Wrong(f"no file '{path}'")
        if os.path.isdir(path):
            more, told = find(path)
            for line in told:
                say(line)
            if len(paths) > 1:
                # Suites of two folders may have the same name.
                more = [replace(one, suite=os.path.join(path, one.suite)) for one in more]
            found += more
        else:
            try:
                found.append(read(path, os.path.dirname(path) or "."))
            except BadFile as error:
                raise Wrong(str(error)) from None
    return found


def choose(script: Script, a: argparse.Namespace) -> set[Step]:
    """Returns the checks of a file that are run."""
    checks = script.checks()
    if a.commands:
        wanted = {word.strip().lower() for word in a.commands.split(",")}
        checks = [step for step in checks if step.word in wanted]
    if a.most and len(checks) > a.most:
        checks = [checks[i * len(checks) // a.most] for i in range(a.most)]
    return set(checks)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def write(out: IO[str], engine: str, script: Script, result: Result) -> None:
    """Writes the line of a check."""
    step = result.step
    line = {
        "engine": engine,
        "suite": script.suite,
        "check": step.name,
        "line": step.line,
        "command": step.command,
        "expected": ("!" if step.negated else "") + (step.pattern or ""),
        "known": step.known,
        "outcome": result.outcome,
        "answer": result.answer,
        "seconds": round(result.seconds, 3),
    }
    out.write(json.dumps(line, ensure_ascii=False) + "\n")
    out.flush()


def start(name: str, command: str, limit: float) -> None:
    """Starts an engine once, so that a wrong command line ends the run at once."""
    try:
        Engine(command, os.getcwd(), limit).close()
    except Lost as error:
        raise Wrong(f"{name}: '{command}' does not speak GTP: {error}") from None


def run(a: argparse.Namespace) -> str:
    """Runs everything and returns the table. After Ctrl-C, it is that of the finished checks."""
    commands = engines(a)
    todo = [(script, chosen) for script in scripts(a.paths) if (chosen := choose(script, a))]
    if not todo:
        raise Wrong(f"no checks in '{a.paths[0]}', expected .tst files or tests of Pachi")
    for name, command in commands.items():
        start(name, command, a.timeout)
    counts: dict[str, dict[str, Count]] = {}
    before, records = tuple(a.before), reader(a)
    with open(a.out or os.devnull, "w", encoding="utf-8") as out:
        try:
            for number, (script, chosen) in enumerate(todo, 1):
                for name, command in commands.items():
                    row = counts.setdefault(script.suite, {}).setdefault(name, Count())
                    player = Player(script, command, a.timeout, before, records)
                    for result in player.run(chosen):
                        row.add(result)
                        write(out, name, script, result)
                    if number == len(todo) or todo[number][0].suite != script.suite:
                        say(f"{script.suite}: {name} {row.cell()}")
        except KeyboardInterrupt:
            say("interrupted")
    return table(counts, list(commands))


def main() -> int:
    try:
        print(run(arguments(sys.argv[1:])))
    except Wrong as error:
        say(f"error: {error}")
        return 2
    except OSError as error:
        say(f"error: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
