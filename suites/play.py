"""Runs the files of suites on an engine.

An engine that ends or hangs loses its current check. It is started again, and gets the commands
that lead to the current position.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from suites.engine import Answer, Engine, Lost
from suites.record import Reader, Unreadable
from suites.script import Script, Step

# Outcomes of a check. A check is skipped if the engine does not have its command or position.
RIGHT, WRONG, LOST, SKIPPED = "right", "wrong", "lost", "skipped"
# Commands that start a new position.
RESETS = frozenset({"loadsgf", "boardsize", "clear_board"})
# Commands that change the position, so that later checks need them.
MOVES = frozenset(
    {"play", "genmove", "undo", "fixed_handicap", "place_free_handicap", "set_free_handicap"}
)
# Commands that must be repeated in their order after another start. `komi` is a setting too.
CHANGES = RESETS | MOVES | {"komi"}
# Commands of GNU Go and their names in the protocol.
SAME = {
    "trymove": "play",
    "popgo": "undo",
    "black": "play black",
    "white": "play white",
    "gg_genmove": "genmove",
}
# Commands without effect on the position that cost time.
SEARCHES = frozenset({"reg_genmove", "restricted_genmove"})
# Number of starts in a row after which an engine is given up in a file.
MOST_STARTS = 3


@dataclass(frozen=True)
class Result:
    """Outcome of a check, with the answer or the reason."""

    step: Step
    outcome: str
    answer: str
    seconds: float = 0.0


def translate(step: Step, engine: Engine) -> str:
    """Returns the command in words that the engine has, if there are some."""
    word, words = step.word, step.words
    if engine.has(word):
        return step.command
    if word in SAME:
        return " ".join([SAME[word], *words])
    if word == "restricted_genmove" and engine.has("kata-search") and len(words) > 1:
        return f"kata-search {words[0]} allow {words[0]} {','.join(words[1:])} 1"
    return step.command


class Player:
    """Runs one file. `missing` is the outcome of checks while the current position is missing, with
    the reason."""

    def __init__(
        self,
        script: Script,
        command: str,
        seconds: float,
        before: tuple[str, ...] = (),
        reader: str = "",
    ) -> None:
        """Takes the engine's command line and seconds for each answer. `before` has commands after
        each start. `reader` is a command line of omnigo, which reads records for engines without
        `loadsgf`."""
        self.script, self.command, self.seconds, self.before = script, command, seconds, before
        self.reader = Reader(reader, script.folder, seconds) if reader else None
        self.engine: Engine | None = None
        self.starts = 0
        self.missing: tuple[str, str] | None = None
        # Commands of the current position, and the last ones of other settings.
        self.position: list[str] = []
        self.settings: dict[str, str] = {}

    def run(self, chosen: set[Step]) -> Iterator[Result]:
        """Yields the results of the chosen checks in the order of the file."""
        try:
            for step in self.script.steps:
                if step.pattern is None:
                    self.prepare(step)
                elif step in chosen:
                    start = time.monotonic()
                    outcome, answer = self.check(step)
                    yield Result(step, outcome, answer, time.monotonic() - start)
                elif step.word not in SEARCHES:
                    self.prepare(step)
        finally:
            self.close()
            if self.reader:
                self.reader.close()

    def close(self) -> None:
        """Ends the engine."""
        if self.engine:
            self.engine.close()
            self.engine = None

    def started(self) -> Engine:
        """Returns the engine in the current position. Raises `Lost` if there is none."""
        if self.engine:
            return self.engine
        if self.starts >= MOST_STARTS:
            raise Lost("given up")
        self.starts += 1
        engine = Engine(self.command, self.script.folder, self.seconds)
        try:
            for line in (*self.before, *self.settings.values(), *self.position):
                engine.ask(line)
        except Lost:
            engine.close()
            raise
        self.engine, self.starts = engine, 0
        return engine

    def ask(self, engine: Engine, line: str, setting: bool = False) -> Answer:
        """Returns the answer to a command, and remembers what it does to the position. `setting` is
        true for a command that is no check."""
        try:
            answer = engine.ask(line)
        except Lost:
            self.close()
            raise
        word, *words = line.split()
        if word in RESETS:
            # The size of the board remains when the board is cleared.
            sizes = [old for old in self.position if old.startswith("boardsize")]
            self.position = sizes[-1:] if word == "clear_board" else []
        if word in CHANGES and answer.fine:
            # A generated move must be the same after another start.
            move = word == "genmove" and answer.text.lower() != "resign"
            self.position.append(f"play {words[0]} {answer.text}" if move else line)
        if setting and word not in RESETS | MOVES:
            self.settings[word] = line
        return answer

    def prepare(self, step: Step) -> None:
        """Runs a command that is no check. A refused setting changes nothing, a refused move makes
        the position unusable."""
        if step.word in SEARCHES:
            return
        try:
            engine = self.started()
            if step.word == "loadsgf" and self.reader and not engine.has(step.word):
                self.load(engine, self.reader, step)
                return
            line = translate(step, engine)
            word = line.split()[0]
            changes = word in RESETS | MOVES
            if engine.has(word):
                answer = self.ask(engine, line, step.pattern is None)
            else:
                answer = Answer(False, f"no command {word}")
        except Lost as error:
            self.missing = self.missing or (LOST, f"{step.command}: {error}")
            return
        if word in RESETS and answer.fine:
            self.missing = None
        elif changes and not answer.fine:
            self.missing = self.missing or (SKIPPED, f"{line}: {answer.text}")

    def load(self, engine: Engine, reader: Reader, step: Step) -> None:
        """Runs the commands that lead to the position of a record."""
        try:
            lines = reader.commands(step.words)
        except Unreadable as error:
            self.missing = (SKIPPED, f"{step.command}: {error}")
            return
        self.missing = None
        for line in lines:
            answer = self.ask(engine, line)
            if not answer.fine and not line.startswith("komi"):
                self.missing = (SKIPPED, f"{step.command}: {line}: {answer.text}")
                return

    def check(self, step: Step) -> tuple[str, str]:
        """Returns the outcome of a check, and the answer or the reason."""
        if self.missing:
            return self.missing
        try:
            engine = self.started()
            line = translate(step, engine)
            if step.word == "reg_genmove" and not engine.has(step.word):
                answer = self.generate(engine, step)
            elif engine.has(line.split()[0]):
                answer = self.ask(engine, line)
            else:
                return SKIPPED, f"no command {step.word}"
        except Lost as error:
            return LOST, str(error)
        if answer.unknown:
            return SKIPPED, answer.text
        if not answer.fine:
            return WRONG, f"? {answer.text}"
        return (RIGHT if step.accepts(answer.text) else WRONG), answer.text

    def generate(self, engine: Engine, step: Step) -> Answer:
        """Returns the move of an engine without `reg_genmove`, which plays the move."""
        kept = list(self.position)
        answer = self.ask(engine, f"genmove {' '.join(step.words)}")
        played = answer.fine and answer.text.lower() != "resign"
        if played and not self.ask(engine, "undo").fine:
            self.close()  # the next command starts it again without the move
        self.position = kept
        return answer
