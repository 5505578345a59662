//! Lists of neighbors, and other texts that are no edge lists, under extensions of edge lists.

use super::*;

#[test]
fn lines_with_one_neighbor_after_a_colon_are_lists_of_neighbors() {
    for (text, edges) in [
        ("Ann: Bob\nCid: Dan\n", &["Ann-Bob", "Cid-Dan"][..]),
        ("hub: a b c\n", &["hub-a", "hub-b", "hub-c"]),
        ("a: b c\nd: e\nf:\n", &["a-b", "a-c", "d-e"]),
        (
            "0: 3 4\n1: 3 4\n2: 3 4\n",
            &["0-3", "0-4", "1-3", "1-4", "2-3", "2-4"],
        ),
        ("\"New York\": Boston\n", &["New_York-Boston"]),
    ] {
        for path in ["g.txt", "g.edgelist", "g.csv", "g"] {
            let goban = read_file(path, text).unwrap_or_else(|e| panic!("{text}{e}"));
            assert_eq!(named_edges(&goban), edges, "{path} {text}");
        }
    }
    let goban = read_file("g.txt", "a: b 3\nc: d 2\n").unwrap();
    let told = &goban.warnings[0];
    assert!(told.contains("--from adjlist"), "{told}");
}

#[test]
fn networkx_adjacency_lists_are_recognized_by_their_lines() {
    let head = "#write.py\n# GMT Sat Nov 28 10:00:00 2026\n#\n";
    for (text, edges) in [
        ("0 1 2\n1 2\n2\n", &["0-1", "0-2", "1-2"][..]),
        ("a b c\nb c\nc\n", &["a-b", "a-c", "b-c"]),
        ("0 1 2 3\n1\n2\n3\n", &["0-1", "0-2", "0-3"]),
        // Each edge stands at both of its ends.
        ("0 1\n1 0 2\n2 1\n", &["0-1", "1-2"]),
    ] {
        for path in ["g.txt", "g.edgelist", "g"] {
            let goban = read_file(path, &format!("{head}{text}")).unwrap();
            assert_eq!(named_edges(&goban), edges, "{path} {text}");
            assert_eq!(goban.warnings.len(), 1, "{text}");
            let told = &goban.warnings[0];
            assert!(told.contains("--from edgelist"), "{told}");
        }
        let goban = read_file("g.adjlist", text).unwrap();
        assert_eq!(goban.warnings, [""; 0], "{text}");
    }
}

#[test]
fn unclear_lists_are_rejected_and_edges_with_weights_are_not() {
    let problem = read_file("g.txt", "0 1 2\n1 3\n2\n").unwrap_err();
    for part in ["--from edgelist", "--from adjlist"] {
        assert!(problem.contains(part), "{problem}");
    }
    for text in [
        "a b 2\nb c\nd\n",
        "0 1 2\n1 2 1\n3\n",
        "a\nb\nc\na b 2\nb c 3\n",
        "a b 2\nb\n",
        "0 1 2\n1 0 2\n2 0 1\n",
        "1 2 {'weight': 3}\n2\n",
        "4\n3\n0 1 7\n1 2 8\n2 3 9\n",
    ] {
        let goban = read_file("g.txt", text).unwrap_or_else(|e| panic!("{text}{e}"));
        let told = goban.warnings.join("; ");
        assert!(!told.contains("list of neighbors"), "{text}{told}");
        let weighted = !goban.notes.edge_weights.is_empty();
        assert!(weighted, "{text}");
    }
}

#[test]
fn yaml_and_trees_are_rejected_by_name() {
    for (path, text, name) in [
        ("g.yml", "a: [b, c]\nb: [c]\n", "YAML"),
        ("g.yaml", "a:\n  - b\n", "YAML"),
        ("g.txt", "a: [b, c]\nb: [c]\n", "YAML"),
        ("g.txt", "a:\n  - b\n  - c\n", "YAML"),
        ("g", "---\nedges:\n", "YAML"),
        ("g.nwk", "(A,(B,C));\n", "Newick"),
        ("g.newick", "(A,(B,C));\n", "Newick"),
        ("g.txt", "(A,(B,C));\n", "Newick"),
        ("g.txt", "(A:0.1,(B:0.2,\nC:0.3)D:0.4);\n(A,B);\n", "Newick"),
        ("g.txt", "#NEXUS\nbegin trees;\n", "NEXUS"),
        ("g.nex", "begin trees;\n", "NEXUS"),
    ] {
        let problem = read_file(path, text).expect_err(text);
        assert!(problem.contains(name), "{text}: {problem}");
        assert!(problem.contains("--from"), "{text}: {problem}");
    }
    for text in ["(0, 1);(1, 1)\n", "(0, 1) (1, 1)\n", "a -b\n"] {
        assert_eq!(read_file("g.txt", text).unwrap().graph.edges(), 1, "{text}");
    }
}

#[test]
fn quotes_in_lists_of_neighbors_end_on_their_line() {
    for text in ["a \"b\n", "\"a b\n", "a: \"b c\n"] {
        let problem = read_file("q.adjlist", text).expect_err(text);
        assert!(problem.contains("a closing quote"), "{text}: {problem}");
    }
}
