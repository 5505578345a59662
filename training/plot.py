"""Draw the curves of a training run as SVG: its losses, and the strength of a loop's networks.

    python training/plot.py WORK

WORK is the folder of train.py (curve.csv becomes curve.svg) or of loop.py (state.json becomes
elo.svg as well). Needs matplotlib.
"""

import argparse
import collections
import csv
import os

from work import load

PANELS = [("policy", "policy loss"), ("value", "value loss"), ("score", "score loss"), ("owner", "ownership loss")]
NOTHING = dict.fromkeys(("Date", "Creator", "Format", "Type"))
# Only labels have probabilities of a teacher.
TAUGHT = [("kl", "divergence from the teacher")]
SHARES = [("top1", "names the move, %"), ("winner", "names the winner, %")]


def drawing():
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "omnigo", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    # Keep text as text. Drawn letters would triple the size.
    matplotlib.rcParams.update({"svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans", "Verdana"]})
    from matplotlib import pyplot

    return pyplot


def label_positions(axis):
    """Labels positions along the bottom as 250 k or 1.5 M."""
    from matplotlib.ticker import EngFormatter, MaxNLocator

    axis.xaxis.set_major_locator(MaxNLocator(5))
    axis.xaxis.set_major_formatter(EngFormatter())
    axis.set_xlabel("positions learned from")


def read_curve(table: str) -> dict[str, list[dict[str, float]]]:
    """Returns the lines of each source. Leaves out those with other content than numbers, such as a
    line that is being written."""
    lines = collections.defaultdict(list)
    with open(table, newline="", errors="replace") as file:
        for row in csv.DictReader(file):
            try:
                numbers = {k: float(v) for k, v in row.items() if k != "source" and v}
                numbers["positions"]
                lines[row["source"]].append(numbers)
            except (ValueError, TypeError, KeyError):
                continue
    return lines


def draw_curve(table: str, out: str) -> bool:
    """Draws the losses and accuracies of a curve.csv, one line for each source. Returns false if
    there are none."""
    lines = read_curve(table)
    if not lines:
        return False
    pyplot = drawing()
    panels = PANELS + SHARES + (TAUGHT if "labels" in lines else [])
    columns = (len(panels) + 1) // 2
    figure, axes = pyplot.subplots(2, columns, figsize=(10 * columns / 3, 5.4), layout="constrained")
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, (column, title) in zip(axes.flat, panels):
        for source, rows in sorted(lines.items()):
            scale = 100 if column in ("top1", "winner") else 1
            # Lines of earlier versions lack some columns.
            rows = [row for row in rows if row.get(column) is not None]
            points = [row["positions"] for row in rows], [row[column] * scale for row in rows]
            label = source if source == "train" else f"{source}, held out"
            axis.plot(*points, label=label, marker="o" if len(rows) < 30 else None, markersize=2.5, linewidth=1.2)
        axis.set_title(title, loc="left")
        axis.grid(alpha=0.3)
        label_positions(axis)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(lines), frameon=False)
    figure.savefig(out, metadata=NOTHING)
    pyplot.close(figure)
    return True


def draw_elo(state: str, out: str) -> bool:
    """Draws the strength of the kept networks, summed over the gate matches, and of the dropped
    ones. Returns false without a finished round."""
    history = load(state).get("history")
    if not history:
        return False
    pyplot = drawing()
    figure, axis = pyplot.subplots(figsize=(7, 3.8), layout="constrained")
    kept = [(0, 0.0)] + [(h["positions"], h["elo"]) for h in history if h["kept"]]
    kept.append((history[-1]["positions"], kept[-1][1]))
    axis.step(*zip(*kept), where="post", color="tab:blue", alpha=0.4, linewidth=1.4, label="best network")
    for name, color in (("kept", "tab:blue"), ("dropped", "tab:red")):
        rounds = [h for h in history if h["kept"] == (name == "kept")]
        if rounds:
            x, y = [h["positions"] for h in rounds], [h["elo"] for h in rounds]
            axis.errorbar(x, y, [h["elo_error"] for h in rounds], fmt="o", color=color, markersize=4, capsize=2, label=name)
    label_positions(axis)
    axis.set_ylabel("Elo, sum of gate matches")
    axis.grid(alpha=0.3)
    axis.legend(frameon=False, loc="lower right")
    figure.savefig(out, metadata=NOTHING)
    pyplot.close(figure)
    return True


def draw(work: str) -> list[str]:
    """Draws the curves of a folder and returns the files that were written."""
    written = []
    for name, draws, out in (
        ("curve.csv", draw_curve, "curve.svg"),
        ("training/curve.csv", draw_curve, "curve.svg"),
        ("state.json", draw_elo, "elo.svg"),
    ):
        source, out = os.path.join(work, name), os.path.join(work, out)
        if os.path.exists(source) and draws(source, out):
            written.append(out)
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work")
    written = draw(parser.parse_args().work)
    print("\n".join(written) or "nothing to draw yet")


if __name__ == "__main__":
    main()
