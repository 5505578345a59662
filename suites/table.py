"""Counts of outcomes, and a table of pass rates in Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from suites.play import LOST, RIGHT, SKIPPED, WRONG, Result


@dataclass
class Count:
    """Outcomes of an engine in a suite."""

    outcomes: Counter[str] = field(default_factory=Counter)
    # Reasons of checks that were lost or skipped, without their details.
    reasons: Counter[str] = field(default_factory=Counter)
    # Checks that the program of the suite fails, and those of them that are right.
    known: int = 0
    solved: int = 0

    def add(self, result: Result) -> None:
        self.outcomes[result.outcome] += 1
        if result.outcome in (LOST, SKIPPED):
            reason = result.answer.rpartition(": ")[2] or result.answer
            self.reasons[f"{result.outcome}: {reason}"] += 1
        elif result.step.known:
            self.known += 1
            self.solved += result.outcome == RIGHT

    @property
    def played(self) -> int:
        """Number of checks that count: a check without an answer is failed."""
        return sum(self.outcomes[outcome] for outcome in (RIGHT, WRONG, LOST))

    def cell(self) -> str:
        """Returns the number of passed checks and the pass rate."""
        right, played = self.outcomes[RIGHT], self.played
        return f"{right} of {played}, {100 * right / played:.0f} %" if played else "–"


def total(counts: Sequence[Count]) -> Count:
    """Returns the sum of counts."""
    whole = Count()
    for count in counts:
        whole.outcomes += count.outcomes
        whole.reasons += count.reasons
        whole.known += count.known
        whole.solved += count.solved
    return whole


def table(counts: Mapping[str, Mapping[str, Count]], engines: Sequence[str]) -> str:
    """Returns the table of counts by suite and engine. Suites in which no engine has a check that
    counts are left out."""
    lines = [f"| suite | {' | '.join(engines)} |", "|---|" + "---|" * len(engines)]
    for suite in sorted(counts):
        row = [counts[suite].get(engine, Count()) for engine in engines]
        if any(count.played for count in row):
            lines.append(f"| {suite} | {' | '.join(count.cell() for count in row)} |")
    sums = {
        engine: total([row[engine] for row in counts.values() if engine in row])
        for engine in engines
    }
    lines.append(f"| **all** | {' | '.join(sums[engine].cell() for engine in engines)} |")
    return "\n".join([*lines, "", *(line for item in sums.items() for line in notes(*item))])


def notes(engine: str, count: Count) -> list[str]:
    """Returns lines about an engine's checks that the table does not show."""
    lines = []
    if count.known:
        lines.append(
            f"{engine}: {count.solved} of {count.known} that the suite's program fails are right"
        )
    for outcome, word in ((LOST, "without an answer"), (SKIPPED, "skipped")):
        if count.outcomes[outcome]:
            found = [(reason, n) for reason, n in count.reasons.most_common() if outcome in reason]
            told = ", ".join(f"{reason.partition(': ')[2]} {n}" for reason, n in found[:5])
            more = f", {len(found) - 5} other reasons" if len(found) > 5 else ""
            lines.append(f"{engine}: {count.outcomes[outcome]} {word} ({told}{more})")
    return lines
