"""The kinds of jobs: one row each, with the subcommand of omnigo, its pieces, and their results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cluster import merge
from cluster.piece import Piece

# Returns the reason why the files of a piece are no complete result, or an empty text.
Check = Callable[[Piece, dict[str, bytes]], str]
# Merges pieces, each with its folder, into another folder, under the seed of the job.
Merge = Callable[[Sequence[tuple[Piece, str]], str, int], None]
# Returns the contents of a merged folder in a few words.
Tell = Callable[[str], str]


@dataclass(frozen=True)
class Kind:
    """A kind of job, called by the subcommand that runs a piece."""

    name: str
    about: str
    # Arguments that name the result of a piece, in the folder `out`. `{to}` is the value of --to.
    output: tuple[str, str]
    check: Check
    merge: Merge
    tell: Tell
    # Maximum games of a piece by default. A job without it has a piece for each input file.
    games: int | None = None
    # Reason why a piece has an even number of games, or an empty text.
    even: str = ""
    # Options whose value is a file that is sent. The value `none` is not a file.
    sent: tuple[str, ...] = ()
    # Options of the merge, and true if they take a value.
    finish: Mapping[str, bool] = field(default_factory=dict)
    # Options with a value that pieces cannot have.
    refused: tuple[str, ...] = ()
    # Merged file that the subcommand sums up when it finds no game missing, or an empty text.
    summary: str = ""


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "match",
            "a match between two GTP engines",
            output=("--out", "games.jsonl"),
            check=merge.check_match,
            merge=merge.merge_match,
            tell=merge.tell_games,
            games=10,
            even="games 1 and 2 of a piece share an opening, with colors exchanged",
            finish={"--json": False, "--sgf": True},
            # A test over the whole match cannot end pieces that other machines play.
            refused=("--sprt",),
            summary="games.jsonl",
        ),
        Kind(
            "selfplay",
            "games of the engine against itself, as training data",
            output=("--out", "."),
            check=merge.check_selfplay,
            merge=merge.merge_selfplay,
            tell=merge.tell_games,
            games=25,
            sent=("--net", "--from-records"),
        ),
        Kind(
            "label",
            "games of the engine with the outputs of a teacher, as training data",
            output=("--out", "."),
            check=merge.check_selfplay,
            merge=merge.merge_selfplay,
            tell=merge.tell_games,
            games=25,
            sent=("--teacher", "--student", "--from-records"),
        ),
        Kind(
            "review",
            "reviews of the games in SGF files",
            output=("--output", "review.{to}"),
            check=merge.check_review,
            merge=merge.merge_review,
            tell=merge.tell_review,
            sent=("--net",),
        ),
    )
}
