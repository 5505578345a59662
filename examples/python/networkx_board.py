"""Plays and solves Go on graphs of networkx.

Usage: python3 networkx_board.py [OMNIGO]

Needs networkx (`pip install networkx`). OMNIGO is the path of the program, `omnigo` by default.
"""

import os
import sys
import tempfile

import networkx as nx

from game import Engine


def spec(graph):
    """Returns the board spec of a small graph. Its names must be numbers or plain words."""
    isolated = [str(vertex) for vertex in nx.isolates(graph)]
    return "edges:" + ",".join([f"{a}-{b}" for a, b in graph.edges] + isolated)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "omnigo"
    with Engine("--playouts", "100", "--threads", "1", program=program) as omnigo:
        # A small graph fits into one line.
        bull = nx.bull_graph()
        print("bull:", omnigo.ask("set_graph " + spec(bull)))
        print("value:", omnigo.ask("solve"))

        # A file suits larger graphs, and keeps names of all kinds.
        florence = nx.florentine_families_graph()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "florence.graphml")
            nx.write_graphml(florence, path)
            print("families:", omnigo.ask(f"set_graph file:{path}"))

        # Commands accept the names of the graph. `list_vertices` maps aliases to names.
        omnigo.ask("play black Medici")
        names = dict(line.split(" ", 1) for line in omnigo.ask("list_vertices").splitlines())
        around = {names[alias] for alias in omnigo.ask("list_neighbors Medici").split()}
        assert around == set(florence["Medici"]), around
        print("neighbors of Medici:", ", ".join(sorted(around)))
        move = omnigo.ask("genmove white")
        print("White answers at", names.get(move, move))


if __name__ == "__main__":
    main()
