"""Compares board families with networkx up to isomorphism, at several sizes.

Random families differ for every seed, so only properties that do not depend on chance are compared.

Usage: families.py PATH_OF_OMNIGO. Prints a line for each graph and exits with 1 if one differs.
"""
import subprocess
import sys

import networkx as nx
from networkx.algorithms.isomorphism import GraphMatcher


def board(omnigo, spec):
    """Returns the graph of a board, read over GTP."""
    commands = f"set_graph {spec}\nlist_vertices\n"
    first = subprocess.run([omnigo], input=commands + "quit\n", capture_output=True, text=True, check=True).stdout
    answers = first.split("\n\n")
    if not answers[0].startswith("="):
        raise ValueError(f"{spec}: {answers[0]}")
    aliases = [line.split()[0] for line in answers[1].lstrip("= ").splitlines()]
    asks = "".join(f"list_neighbors {alias}\n" for alias in aliases)
    second = subprocess.run(
        [omnigo], input=f"set_graph {spec}\n{asks}quit\n", capture_output=True, text=True, check=True
    ).stdout
    graph = nx.Graph()
    graph.add_nodes_from(aliases)
    for alias, answer in zip(aliases, second.split("\n\n")[1:]):
        for other in answer.lstrip("= ").split():
            graph.add_edge(alias, other)
    return graph


def prism(n):
    return nx.circular_ladder_graph(n)


def gpetersen(n, k):
    graph = nx.Graph()
    for i in range(n):
        graph.add_edge(("o", i), ("o", (i + 1) % n))
        graph.add_edge(("o", i), ("i", i))
        graph.add_edge(("i", i), ("i", (i + k) % n))
    return graph


def wheel(n):
    return nx.wheel_graph(n + 1)


def king(w, h):
    return nx.strong_product(nx.path_graph(w), nx.path_graph(h))


def subdivided(n):
    graph = nx.Graph()
    for a, b in nx.complete_graph(n).edges():
        graph.add_edges_from([(a, (a, b)), ((a, b), b)])
    return graph


def without(vertex):
    graph = nx.petersen_graph()
    graph.remove_node(vertex)
    return graph


CASES = [
    ("path:{}", nx.path_graph, [1, 2, 9]),
    ("cycle:{}", nx.cycle_graph, [3, 4, 11]),
    ("complete:{}", nx.complete_graph, [1, 4, 9]),
    ("bipartite:{}x{}", nx.complete_bipartite_graph, [(1, 3), (3, 4), (5, 5)]),
    ("star:{}", nx.star_graph, [1, 5, 9]),
    ("wheel:{}", wheel, [3, 6, 10]),
    ("tree:{},{}", nx.balanced_tree, [(2, 4), (3, 2), (1, 5)]),
    ("hypercube:{}", nx.hypercube_graph, [1, 3, 5]),
    ("grid:{}x{}", nx.grid_2d_graph, [(1, 1), (3, 5), (9, 9)]),
    ("torus:{}x{}", lambda w, h: nx.grid_2d_graph(w, h, periodic=True), [(3, 3), (4, 5), (7, 9)]),
    ("cylinder:{}x{}", lambda w, h: nx.grid_2d_graph(w, h, periodic=(True, False)), [(3, 1), (4, 5), (9, 5)]),
    ("king:{}x{}", king, [(1, 4), (3, 3), (7, 5)]),
    ("grid3d:{}x{}x{}", lambda *sides: nx.grid_graph(sides), [(1, 2, 3), (3, 3, 3), (4, 2, 5)]),
    ("petersen", nx.petersen_graph, [()]),
    ("gpetersen:{},{}", gpetersen, [(5, 2), (7, 2), (10, 3)]),
    ("prism:{}", prism, [3, 4, 6]),
    ("circulant:{},{},{}", lambda n, a, b: nx.circulant_graph(n, [a, b]), [(12, 1, 3), (9, 2, 4), (8, 1, 4)]),
    ("tetrahedron", nx.tetrahedral_graph, [()]),
    ("cube", nx.cubical_graph, [()]),
    ("octahedron", nx.octahedral_graph, [()]),
    ("dodecahedron", nx.dodecahedral_graph, [()]),
    ("icosahedron", nx.icosahedral_graph, [()]),
    ("truncatedtetrahedron", nx.truncated_tetrahedron_graph, [()]),
    ("truncatedcube", nx.truncated_cube_graph, [()]),
    # networkx counts the rows of triangles, and the triangles per row.
    ("triangular:{}x{}", lambda w, h: nx.triangular_lattice_graph(h - 1, 2 * w - 2), [(3, 3), (4, 6), (7, 5)]),
    # networkx leaves out two corners that have one neighbor.
    ("remove(brick:6x3,F1,A3)", lambda: nx.hexagonal_lattice_graph(2, 2), [()]),
    ("remove(brick:6x4,F1,F4)", lambda: nx.hexagonal_lattice_graph(2, 3), [()]),
    ("remove(brick:10x5,K1,A5)", lambda: nx.hexagonal_lattice_graph(4, 4), [()]),
    ("honeycomb:{}", lambda n: nx.cycle_graph(6), [1]),
    ("smallworld:{},{},0", lambda n, k: nx.watts_strogatz_graph(n, k, 0), [(10, 4), (15, 6), (8, 2)]),
    ("gnp:{},1", nx.complete_graph, [2, 5, 9]),
    ("line(petersen)", lambda: nx.line_graph(nx.petersen_graph()), [()]),
    ("line(complete:{})", lambda n: nx.line_graph(nx.complete_graph(n)), [3, 4, 6]),
    ("complement(cycle:{})", lambda n: nx.complement(nx.cycle_graph(n)), [5, 6, 9]),
    ("product(path:{},cycle:{})", lambda n, k: nx.cartesian_product(nx.path_graph(n), nx.cycle_graph(k)), [(2, 3), (3, 5), (4, 4)]),
    ("strong(path:{},cycle:{})", lambda n, k: nx.strong_product(nx.path_graph(n), nx.cycle_graph(k)), [(2, 4), (3, 5), (4, 6)]),
    (
        "lexicographic(path:{},cycle:{})",
        lambda n, k: nx.lexicographic_product(nx.path_graph(n), nx.cycle_graph(k)),
        [(2, 4), (3, 5), (4, 3)],
    ),
    ("subdivide(complete:{})", subdivided, [3, 4, 5]),
    ("dual(cube)", nx.octahedral_graph, [()]),
    ("dual(dodecahedron)", nx.icosahedral_graph, [()]),
    ("remove(petersen,{})", without, [0, 3, 9]),
    ("remove(cycle:{},0-1)", nx.path_graph, [3, 7, 12]),
    ("quotient(path:{},0={})", lambda n, k: nx.cycle_graph(n - 1), [(4, 3), (6, 5), (10, 9)]),
    ("path:{}+cycle:{}", lambda n, k: nx.disjoint_union(nx.path_graph(n), nx.cycle_graph(k)), [(1, 3), (4, 4), (2, 9)]),
]


def degrees(graph):
    return sorted(degree for _, degree in graph.degree())


# Random families with the same name in both programs but different random numbers. The columns are:
# spec, networkx function, sizes, whether degrees are fixed, and whether the graph must be
# connected.
DRAWN = [
    ("gnm:{},{}", nx.gnm_random_graph, [(9, 0), (12, 30), (40, 80)], False, False),
    ("regular:{},{}", lambda n, k: nx.random_regular_graph(k, n), [(8, 3), (30, 4), (40, 5)], True, False),
    ("barabasi:{},{}", nx.barabasi_albert_graph, [(5, 1), (20, 3), (60, 2)], False, True),
    ("randomtree:{}", nx.random_labeled_tree, [2, 9, 40], False, True),
    ("smallworld:{},{},0.3", lambda n, k: nx.watts_strogatz_graph(n, k, 0.3), [(10, 4), (20, 6), (50, 4)], False, False),
]


def alike(ours, theirs, regular, connected):
    """Returns true if two graphs agree in the properties that do not depend on chance."""
    return (
        ours.number_of_nodes() == theirs.number_of_nodes()
        and ours.number_of_edges() == theirs.number_of_edges()
        and (not regular or degrees(ours) == degrees(theirs))
        and (not connected or nx.is_connected(ours) and nx.is_connected(theirs))
    )


def main():
    omnigo = sys.argv[1]
    wrong = 0
    for spec, make, sizes, regular, connected in DRAWN:
        for size in sizes:
            size = size if isinstance(size, tuple) else (size,)
            for seed in (1, 2, 3):
                text = f"{spec.format(*size)},{seed}"
                ours, theirs = board(omnigo, text), make(*size)
                same = alike(ours, theirs, regular, connected)
                wrong += not same
                print(f"{'alike' if same else 'DIFFERS'}  {text}: {ours.number_of_nodes()} vertices {ours.number_of_edges()} edges")
    for spec, make, sizes in CASES:
        for size in sizes:
            size = size if isinstance(size, tuple) else (size,)
            text = spec.format(*size)
            ours, theirs = board(omnigo, text), make(*size)
            theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
            same = GraphMatcher(ours, nx.Graph(theirs)).is_isomorphic()
            wrong += not same
            print(f"{'equal' if same else 'DIFFERS'}  {text}: {ours.number_of_nodes()} vertices {ours.number_of_edges()} edges")
    print(f"networkx {nx.__version__}: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
