"""Files of test suites: regression files of GNU Go and Fuego (.tst), and tests of Pachi (.gtp).

A regression file has GTP commands. A command with a number is a check if a line such as
`#? [C3|D4]` follows. The bracket has a regular expression for the whole answer, and `!` at its start
negates it. `*` after the bracket marks a check that the program of the suite fails.

A test of Pachi has GTP commands and `tunit genmove COLOR POINT...`, where one of the points is
expected. `!POINT` is a wrong move.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

# Maximum number of bytes of a file.
MOST_BYTES = 16 << 20
NUMBERED = re.compile(r"(\d+)\s+(\S.*)")
EXPECTED = re.compile(r"#\?\s*\[(.*)\]\s*([*&]*)\s*(?:#.*)?$")
# Folder of Pachi's tests that it fails.
FAILING = "tofix"


class BadFile(Exception):
    """A file cannot be read."""


@dataclass(frozen=True)
class Step:
    """A command, and the answer that a check expects."""

    line: int
    command: str
    # Number of the check in the file, or an empty text.
    name: str = ""
    # Expression for the answer, and true if the answer must differ. `None` without a check.
    pattern: str | None = None
    negated: bool = False
    # True if the program of the suite fails.
    known: bool = False

    @property
    def word(self) -> str:
        """The name of the command."""
        return self.command.split()[0].lower()

    @property
    def words(self) -> list[str]:
        """The arguments of the command."""
        return self.command.split()[1:]

    def accepts(self, answer: str) -> bool:
        """Returns true if the answer passes the check."""
        answer, pattern = " ".join(answer.split()), self.pattern or ""
        try:
            hit = re.fullmatch(f"(?:{pattern})", answer, re.IGNORECASE) is not None
        except (re.error, RecursionError, OverflowError):
            hit = pattern == answer
        return hit != self.negated


@dataclass(frozen=True)
class Script:
    """A file of a suite."""

    suite: str
    path: str
    steps: tuple[Step, ...]

    @property
    def folder(self) -> str:
        """The folder that paths in the file begin in."""
        return os.path.dirname(os.path.abspath(self.path))

    def checks(self) -> list[Step]:
        """Returns the steps with an expected answer."""
        return [step for step in self.steps if step.pattern is not None]


def read_lines(path: str) -> list[str]:
    """Returns the lines of a file without blanks around them."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadFile(f"cannot read '{path}': {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise BadFile(f"'{path}' has more than {MOST_BYTES} bytes")
    return [line.strip() for line in data.decode("latin-1").splitlines()]


def expect(step: Step, bracket: str, marks: str) -> Step:
    """Returns a step with its expected answer."""
    negated = bracket.startswith("!")
    pattern = bracket[1:] if negated else bracket
    return Step(step.line, step.command, step.name, pattern, negated, "*" in marks)


def regression(lines: Iterable[str]) -> list[Step]:
    """Returns the steps of a regression file."""
    steps: list[Step] = []
    open_check = False
    for number, line in enumerate(lines, 1):
        expected = EXPECTED.match(line)
        if expected and open_check:
            steps[-1] = expect(steps[-1], *expected.groups())
            open_check = False
        command = line.partition("#")[0].strip()
        if not command:
            continue
        numbered = NUMBERED.match(command)
        name, command = numbered.groups() if numbered else ("", command)
        steps.append(Step(number, command, name))
        open_check = bool(name)
    return steps


def pachi(lines: Iterable[str], name: str, known: bool) -> list[Step]:
    """Returns the steps of a test of Pachi, which has one name for all its checks."""
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        command = line.partition("#")[0].strip()
        words = command.split()
        if words[:2] == ["tunit", "genmove"] and len(words) > 3:
            right = [re.escape(word) for word in words[3:] if not word.startswith("!")]
            wrong = [re.escape(word[1:]) for word in words[3:] if word.startswith("!")]
            moves = "|".join(right or wrong)
            steps.append(Step(number, f"reg_genmove {words[2]}", name, moves, not right, known))
        elif command and words[0] != "tunit":
            steps.append(Step(number, command))
    return steps


def read(path: str, root: str) -> Script:
    """Returns a file below the folder `root`. Files of Pachi in sibling folders are one suite.

    Raises `BadFile` if the file cannot be read.
    """
    place, ending = os.path.splitext(os.path.relpath(path, root))
    lines = read_lines(path)
    if ending == ".tst":
        return Script(place, path, tuple(regression(lines)))
    parts = place.split(os.sep)
    name, suite = os.sep.join(parts[-2:]), os.sep.join(parts[:-2])
    steps = pachi(lines, name, FAILING in os.path.abspath(path).split(os.sep))
    return Script(suite or os.path.basename(os.path.abspath(root)), path, tuple(steps))


def find(folder: str) -> tuple[list[Script], list[str]]:
    """Returns the files with checks below a folder, and messages on those that cannot be read."""
    scripts, told = [], []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".tst", ".gtp")):
                try:
                    scripts.append(read(os.path.join(place, name), folder))
                except BadFile as error:
                    told.append(str(error))
    return [script for script in scripts if script.checks()], told
