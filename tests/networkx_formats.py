"""Compares the readers and writers of graphs with those of networkx, in both directions.

usage: networkx_formats.py OMNIGO FOLDER
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import networkx as nx

OMNIGO, FOLDER = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])


def convert(source, name, *more):
    """The text of a board in a format."""
    command = [OMNIGO, "graph", source, "--to", name, *more]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_refused(source):
    """Whether the program refuses a board in one line."""
    command = [OMNIGO, "graph", source, "--to", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1


def plain(graph):
    """The same graph with words for vertices, without loops, directions and attributes."""
    word = lambda v: str(v).replace(", ", ",")
    bare = nx.Graph()
    bare.add_nodes_from(word(v) for v in graph)
    bare.add_edges_from((word(a), word(b)) for a, b in graph.edges() if a != b)
    return bare


def edges(graph):
    return sorted(tuple(sorted(edge)) for edge in graph.edges())


def same(found, expected, isolated=True):
    found, expected = plain(found), plain(expected)
    if not isolated:
        expected.remove_nodes_from([v for v, degree in expected.degree() if degree == 0])
    return sorted(found) == sorted(expected) and edges(found) == edges(expected)


def by_number(graph):
    """Vertices by their place, as formats without names have them."""
    return nx.convert_node_labels_to_integers(graph)


# How networkx reads a text, and whether it keeps isolated vertices.
READERS = {
    "graph6": lambda text: nx.from_graph6_bytes(text.strip().encode()),
    "sparse6": lambda text: nx.from_sparse6_bytes(text.strip().encode()),
    "edgelist": lambda text: nx.parse_edgelist(text.splitlines(), data=False),
    "adjlist": lambda text: nx.parse_adjlist(text.splitlines()),
    "graphml": lambda text: nx.parse_graphml(text),
    "gml": lambda text: nx.parse_gml(text),
    "json": lambda text: nx.node_link_graph(json.loads(text), edges="edges"),
}
# Formats of which a graph is written by networkx: ending, text, and whether names survive.
WRITERS = {
    "graph6": ("g6", lambda g: nx.to_graph6_bytes(by_number(g)).decode(), False),
    "sparse6": ("s6", lambda g: nx.to_sparse6_bytes(by_number(g)).decode(), False),
    "edgelist": ("edgelist", lambda g: "\n".join(nx.generate_edgelist(g)), True),
    "adjlist": ("adjlist", lambda g: "\n".join(nx.generate_adjlist(by_number(g))), False),
    "graphml": ("graphml", lambda g: "\n".join(nx.generate_graphml(g)), True),
    "gml": ("gml", lambda g: "\n".join(nx.generate_gml(g, stringizer=str)), True),
    "links": ("json", lambda g: json.dumps(nx.node_link_data(g, edges="links")), True),
    "edges": ("json", lambda g: json.dumps(nx.node_link_data(g, edges="edges")), True),
    "adjacency": ("json", lambda g: json.dumps(nx.adjacency_data(g)), True),
}

random.seed(1)
GRAPHS = {
    "petersen": nx.petersen_graph(),
    "grid": nx.grid_2d_graph(3, 4),
    "karate": nx.karate_club_graph(),
    "miserables": nx.les_miserables_graph(),
    "florence": nx.florentine_families_graph(),
    "single": nx.path_graph(1),
    "pair": nx.path_graph(2),
    "apart": nx.empty_graph(5),
    **{f"random{n}": nx.gnp_random_graph(n, 0.3, seed=n) for n in (3, 4, 8, 16, 40, 62, 63, 64, 100)},
}
SPECS = ["grid:5x4", "torus:4x5", "petersen", "komipath:6", "edges:a-b,b-c,d", "path:1", "complete:70", "hexhex:3"]

failed = 0


def check(what, sound):
    global failed
    if not sound:
        failed += 1
        print(f"differs: {what}")


checks = 0
for name, (ending, write, names) in WRITERS.items():
    for title, graph in GRAPHS.items():
        path = FOLDER / f"{title}-{name}.{ending}"
        text = write(graph)
        path.write_text(text)
        checks += 1
        if not text:
            # An edge list of a graph without edges is empty, so nothing tells the format.
            check(f"omnigo refuses an empty {name} of {title}", is_refused(f"file:{path}"))
            continue
        found = nx.node_link_graph(json.loads(convert(f"file:{path}", "json")), edges="edges")
        expected = graph if names else by_number(graph)
        check(f"omnigo reads {name} of {title}", same(found, expected, isolated=name != "edgelist"))
for spec in SPECS:
    dump = json.loads(convert(spec, "json"))
    expected = nx.node_link_graph(dump, edges="edges")
    for name, read in READERS.items():
        found = read(convert(spec, name))
        if name in ("graph6", "sparse6"):
            check(f"networkx reads {name} of {spec}", same(found, by_number(expected)))
        else:
            check(f"networkx reads {name} of {spec}", same(found, expected, isolated=name != "edgelist"))
        checks += 1
print(f"{checks} conversions compared with networkx {nx.__version__}, {failed} differ")
sys.exit(failed > 0)
