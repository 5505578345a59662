"""Results of pieces: the check of one piece, and the merge of all in the order of the pieces.

A merged match is a record of `omnigo match`. Merged self-play and labels are folders of `omnigo
selfplay` and `omnigo label`, which have the same form. Games are numbered through, and the seed is
that of the job. The seeds of the pieces are in `job.json`.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

from cluster.errors import JobError, quoted
from cluster.piece import Piece, read_folder

GAMES = "games.jsonl"
# Format of rows, as in src/training/format.rs: a header with a mark and the size of a row.
HEADER = 16
MARK = b"omnigoTR"

Files = dict[str, bytes]
Places = Sequence[tuple[Piece, str]]
Line = dict[str, Any]


class Flaw(Exception):
    """Reason why files are no complete result of a piece."""


def lines_of(files: Files) -> list[Line]:
    """Returns the JSON objects of a piece's file of games."""
    if GAMES not in files:
        raise Flaw(f"no file {GAMES}")
    lines = []
    for number, text in enumerate(files[GAMES].splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError:
            line = None
        if not isinstance(line, dict):
            raise Flaw(f"{GAMES} line {number} is not a JSON object")
        lines.append(line)
    return lines


def check_numbers(games: Iterable[Line], expected: int) -> None:
    numbers = sorted(str(game.get("game")) for game in games)
    if numbers != sorted(map(str, range(1, expected + 1))):
        raise Flaw(f"{GAMES} has {len(numbers)} games, expected games 1 to {expected}")


def parse_match(piece: Piece, files: Files) -> list[Line]:
    """Returns the games of a piece in their order."""
    games = lines_of(files)
    check_numbers(games, piece.games)
    if not all(isinstance(game.get("settings"), dict) for game in games):
        raise Flaw(f"{GAMES} has a game without settings")
    return sorted(games, key=lambda game: int(game["game"]))


def parse_selfplay(piece: Piece, files: Files) -> tuple[Line, list[Line]]:
    """Returns the settings and the games of a piece. Checks that its files have all rows."""
    settings, *games = lines_of(files) or [{}]
    check_numbers(games, piece.games)
    counts: dict[str, int] = {}
    for game in games:
        name = f"{game.get('board')}.rows"
        if not isinstance(game.get("rows"), int):
            raise Flaw(f"{GAMES} has a game without rows")
        counts[name] = counts.get(name, 0) + game["rows"]
    for name, count in counts.items():
        data = files.get(name, b"")
        size = int.from_bytes(data[12:HEADER], "little")
        if not data.startswith(MARK) or len(data) != HEADER + count * size:
            raise Flaw(f"{name} lacks some of {count} rows")
    return settings, games


def parse_review(_: Piece, files: Files) -> tuple[str, bytes]:
    """Returns the ending and the content of a review."""
    if len(files) != 1 or not all(files.values()):
        raise Flaw(f"{len(files)} files, expected one review that is not empty")
    ((name, data),) = files.items()
    return os.path.splitext(name)[1], data


def checker(parse: Callable[[Piece, Files], Any]) -> Callable[[Piece, Files], str]:
    """Returns a check that gives the reason why `parse` refuses a piece."""

    def check(piece: Piece, files: Files) -> str:
        try:
            parse(piece, files)
        except Flaw as error:
            return str(error)
        return ""

    return check


check_match = checker(parse_match)
check_selfplay = checker(parse_selfplay)
check_review = checker(parse_review)


def flaw(folder: str, problem: object) -> JobError:
    """Returns the error for a finished piece that cannot be merged."""
    advice = "remove the folder, and the same command runs the piece again"
    return JobError(f"{quoted(os.path.basename(folder))}: {problem}; {advice}", 1)


def parsed(parse: Callable[[Piece, Files], Any], piece: Piece, folder: str) -> Any:
    """Returns a finished piece."""
    try:
        return parse(piece, read_folder(folder))
    except (Flaw, OSError) as error:
        raise flaw(folder, error) from None


class Settings:
    """Settings of all pieces, which differ in nothing but the seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.first: Line | None = None

    def common(self, settings: Line, folder: str) -> Line:
        """Returns the settings with the seed of the job."""
        changed = {**settings, "seed": self.seed}
        self.first = self.first or changed
        if changed != self.first:
            raise flaw(folder, "it has other settings than the first piece")
        return changed


def line_bytes(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def merge_match(places: Places, out: str, seed: int) -> None:
    """Writes the record of all games."""
    settings, before = Settings(seed), 0
    with open(os.path.join(out, GAMES), "wb") as file:
        for piece, folder in places:
            for game in parsed(parse_match, piece, folder):
                number = game["game"] + before
                common = settings.common(game["settings"], folder)
                file.write(line_bytes({**game, "game": number, "settings": common}))
            before += piece.games


def merge_selfplay(places: Places, out: str, seed: int) -> None:
    """Writes the file of games, and a file of rows for each size."""
    settings, before = Settings(seed), 0
    headers: dict[str, bytes] = {}
    with open(os.path.join(out, GAMES), "wb") as file:
        for piece, folder in places:
            given, games = parsed(parse_selfplay, piece, folder)
            common = settings.common(given, folder)
            if not before:
                file.write(line_bytes(common))
            numbered = ({**game, "game": game["game"] + before} for game in games)
            file.writelines(map(line_bytes, numbered))
            for name, data in read_folder(folder).items():
                if name != GAMES and len(data) > HEADER:
                    header = headers.setdefault(name, data[:HEADER])
                    if data[:HEADER] != header:
                        raise flaw(folder, f"{name} has rows of another form than the first piece")
                    append(os.path.join(out, name), header, data[HEADER:])
            before += piece.games


def append(path: str, header: bytes, rows: bytes) -> None:
    """Appends rows to a file, which begins with a header."""
    file: BinaryIO
    with open(path, "ab") as file:
        if not file.tell():
            file.write(header)
        file.write(rows)


def merge_review(places: Places, out: str, seed: int) -> None:
    """Writes each review under the name of its file."""
    for piece, folder in places:
        ending, data = parsed(parse_review, piece, folder)
        path = os.path.join(out, os.path.splitext(piece.name)[0] + ending)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)


def tell_games(folder: str) -> str:
    """Returns the number of games and rows."""
    games, rows = 0, 0
    with open(os.path.join(folder, GAMES), "rb") as file:
        for text in file:
            line = json.loads(text)
            games += "game" in line
            rows += int(line.get("rows", 0)) if "game" in line else 0
    return f"{counted(games, 'game')}, {counted(rows, 'row')}"


def tell_review(folder: str) -> str:
    """Returns the number of reviews."""
    return counted(sum(len(names) for _, _, names in os.walk(folder)), "review")


def counted(number: int, what: str) -> str:
    """Returns a number with a word, which gets an s unless the number is 1."""
    return f"{number} {what}{'' if number == 1 else 's'}"
