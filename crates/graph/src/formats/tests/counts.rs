//! Files that are incomplete or empty: wrong numbers of edges, and graphs without vertices.

use super::*;

#[test]
fn other_numbers_of_edges_than_announced_cause_a_warning() {
    for (path, text, announced, edges) in [
        ("g.col", "p edge 4 3\ne 1 2\ne 2 3\n", 3, 2),
        ("g.gr", "p tw 4 3\n1 2\n", 3, 1),
        ("g.metis", "4 9\n2\n1 3\n2 4\n3\n", 9, 3),
        ("g.metis", "3 4\n2\n1 3\n2\n", 4, 2),
    ] {
        let goban = read_file(path, text).unwrap();
        let expected = format!("'graph' announces {announced} edges, but {edges} were read");
        assert_eq!(goban.warnings, [expected], "{text}");
        assert_eq!(goban.graph.edges(), edges, "{text}");
    }
    for (path, text) in [
        // Lines, edges, or both directions of each edge.
        ("g.col", "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
        ("g.col", "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
        ("g.col", "p edge 3 4\ne 1 2\ne 2 3\n"),
        ("g.col", "p edge 3\ne 1 2\ne 2 3\n"),
        ("g.metis", "3 2\n2\n1 3\n2\n"),
    ] {
        let goban = read_file(path, text).unwrap();
        assert_eq!(goban.warnings, [""; 0], "{text}");
        assert_eq!(goban.graph.edges(), 2, "{text}");
    }
    // A self-loop has its own warning.
    let loops = read_file("g.col", "p edge 2 2\ne 1 2\ne 1 1\n").unwrap();
    assert_eq!(loops.warnings.len(), 1, "{:?}", loops.warnings);
}

#[test]
fn graphs_without_vertices_cause_a_warning() {
    for (path, text) in [
        ("g.json", "{\"nodes\":[],\"links\":[]}"),
        ("g.dot", "graph { }"),
        ("g.gml", "graph [ ]"),
        ("g.net", "*Vertices 0\n"),
        ("g.col", "p edge 0 0\n"),
        ("g.metis", "0 0\n"),
        ("g.g6", "?\n"),
        ("g.adjlist", "# adjacency list\n"),
        (
            "g.graphml",
            "<graphml><graph edgedefault='undirected'/></graphml>",
        ),
    ] {
        let goban = read_file(path, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(goban.warnings, ["'graph' has no vertices"], "{text}");
    }
}

#[test]
fn names_without_a_closing_quote_cause_a_warning_in_pajek() {
    let text = "*Vertices 3\n1 \"a\"\n2 \"b\n3 \"c 0.5 0.5\n*Edges\n1 2\n2 3\n";
    let goban = read_file("g.net", text).unwrap();
    assert_eq!(labels(&goban), ["a", "b", "c"]);
    assert_eq!(
        goban.warnings[0],
        "names without a closing quote in 'graph': 2, the first is 'b'"
    );
}

#[test]
fn cytoscape_nodes_need_no_elements() {
    let text = r#"{"nodes":[{"data":{"id":"a","label":"A"},"position":{"x":1,"y":2}},
        {"data":{"id":"b","label":"B"},"position":{"x":3,"y":4}}],
        "edges":[{"data":{"source":"a","target":"b","weight":2.5}}]}"#;
    let goban = read_file("g.json", text).unwrap();
    assert_eq!(named_edges(&goban), ["A-B"]);
    assert_eq!(goban.notes.edge_weights, [((0, 1), 2.5)]);
    assert_eq!(places(&goban), [[1.0, -2.0], [3.0, -4.0]]);
    // A node with its own id may have other data.
    let text = r#"{"nodes":[{"id":"a","data":{"id":"x"}},{"id":"b","data":{}}],
        "edges":[{"source":"a","target":"b"}]}"#;
    assert_eq!(named_edges(&read_file("g.json", text).unwrap()), ["a-b"]);
}

#[test]
fn a_column_w_holds_weights() {
    for text in ["source,target,w\na,b,2\n", "u v w\n1 2 3\n2 4 5\n"] {
        let goban = read_file("g.csv", text).unwrap();
        assert!(!goban.notes.edge_weights.is_empty(), "{text}");
        assert_eq!(goban.warnings, [""; 0], "{text}");
    }
}

#[test]
fn documents_and_doubly_packed_files_are_rejected_by_name() {
    for (path, bytes, part) in [
        ("g.txt.gz", packed(&packed(b"a b\n")), "gzip twice"),
        ("g.txt", b"%PDF-1.7\n%\xe2\xe3\n".to_vec(), "PDF"),
        ("g.pdf", b"%PDF-1.7\n1 0 obj\n".to_vec(), "PDF"),
        ("g", packed(b"%PDF-1.7\n1 0 obj\n"), "PDF"),
        ("g.png", b"\x89PNG\r\n\x1a\n".to_vec(), "PNG"),
    ] {
        let problem = read(&bytes, path, "'g'", &Reading::default());
        let problem = problem.map(board).unwrap_err();
        assert!(problem.contains(part), "{problem}");
    }
}
