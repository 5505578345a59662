"""Turns `loadsgf` into commands that every engine has. omnigo reads the record."""

from suites.engine import Answer, Engine, Lost

# Commands of omnigo that a reader needs.
NEEDED = ("loadsgf", "get_graph", "get_komi", "move_history", "gg-undo", "list_stones")
# Komi before a record is read, in points. It stays if the record has none.
NO_KOMI = "299.5"


class Unreadable(Exception):
    """A record cannot be read, or has a board that other engines do not have."""


class Reader:
    """Reads records with omnigo, which starts at the first of them."""

    def __init__(self, command: str, folder: str, seconds: float) -> None:
        """Takes omnigo's command line, its folder, and the seconds for each answer."""
        self.command, self.folder, self.seconds = command, folder, seconds
        self.engine: Engine | None = None

    def commands(self, words: list[str]) -> list[str]:
        """Returns commands for the position of `loadsgf` with these arguments.

        They place the stones of the set-up and play the moves. No order of the stones captures any,
        if each chain of the set-up has a liberty. Engines refuse other set-ups. Raises `Unreadable`.
        """
        try:
            return self.read(words)
        except Lost as error:
            self.close()
            raise Unreadable(f"the reader {error}") from None

    def read(self, words: list[str]) -> list[str]:
        self.ask(f"komi {NO_KOMI}")
        self.ask(" ".join(["loadsgf", *words]))
        family, _, size = self.ask("get_graph").text.partition(":")
        width, _, height = size.partition("x")
        if family != "grid" or width != height:
            raise Unreadable(f"a board {family}:{size}, expected a square")
        lines = [f"boardsize {width}", "clear_board"]
        komi = self.ask("get_komi").text
        if komi != NO_KOMI:
            lines.append(f"komi {komi}")
        moves = left = self.ask("move_history").text.splitlines()
        while left:
            # A resignation is undone like a move, but is not in the history.
            self.ask(f"gg-undo {len(left)}")
            left = self.ask("move_history").text.splitlines()
        for color in ("black", "white"):
            stones = self.ask(f"list_stones {color}").text.split()
            lines += [f"play {color} {stone}" for stone in stones]
        return lines + [f"play {move}" for move in reversed(moves)]

    def ask(self, line: str) -> Answer:
        """Returns omnigo's answer. Raises `Unreadable` if it is an error."""
        if not self.engine:
            self.engine = Engine(self.command, self.folder, self.seconds)
        if not all(self.engine.has(word) for word in NEEDED):
            raise Unreadable("the reader is not omnigo")
        answer = self.engine.ask(line)
        if not answer.fine:
            raise Unreadable(answer.text)
        return answer

    def close(self) -> None:
        """Ends omnigo."""
        if self.engine:
            self.engine.close()
            self.engine = None
