//! First lines of lists and tables: headers, counts, and edges that look like them.

use super::*;

#[test]
fn an_edge_that_looks_like_a_header_stays() {
    for (text, edges) in [
        (
            "node1 node2\nnode2 node3\nnode3 node1\n",
            &["node1-node2", "node2-node3", "node1-node3"][..],
        ),
        ("u v 3\nv w 2\nu w 7\n", &["u-v", "v-w", "u-w"]),
        ("u v 3.0\na b 2.0\n", &["u-v", "a-b"]),
        (
            "vertex1,vertex2,5\nvertex2,vertex3,1\n",
            &["vertex1-vertex2", "vertex2-vertex3"],
        ),
        ("start end 5\nstart a 2\n", &["start-end", "start-a"]),
        (
            "node1 node2 {}\nnode3 node4 {}\n",
            &["node1-node2", "node3-node4"],
        ),
        (
            "source target 1\na b 1\nb target 2\n",
            &["source-target", "a-b", "target-b"],
        ),
    ] {
        let goban = read_file("g.txt", text).unwrap();
        let mut found = named_edges(&goban);
        let mut expected: Vec<String> = edges.iter().map(|edge| edge.to_string()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
        assert_eq!(goban.warnings, [""; 0], "{text}");
    }
    let goban = read_file("g.txt", "u v 3\nv w 2\nu w 7\n").unwrap();
    assert_eq!(
        goban.notes.edge_weights,
        [((0, 1), 3.0), ((0, 2), 7.0), ((1, 2), 2.0)]
    );
}

#[test]
fn doubtful_first_lines_cause_a_warning() {
    for (text, edges, part) in [
        (
            "node1 node2\na b\n",
            &["a-b"][..],
            "is read as the header of a table",
        ),
        (
            "source,target,2019\nA,B,5\n",
            &["A-B"],
            "is read as the header of a table",
        ),
        (
            "from to\nto be\n",
            &["to-be"],
            "is read as the header of a table",
        ),
        (
            "id_1,id_2\n0,1\n",
            &["id_1-id_2", "0-1"],
            "is read as an edge",
        ),
        (
            "4 3\n1 2\n1 3\n1 4\n",
            &["4-3", "1-2", "3-1", "4-1"],
            "'4 3' at the beginning",
        ),
        (
            "4\n2\n0 1\n1 2\n",
            &["0-1", "2-1"],
            "'4' and '2' at the beginning",
        ),
    ] {
        let goban = read_file("g.txt", text).unwrap();
        assert_eq!(
            goban.graph.edges(),
            edges.len(),
            "{text}: {:?}",
            named_edges(&goban)
        );
        assert_eq!(goban.warnings.len(), 1, "{text}: {:?}", goban.warnings);
        assert!(
            goban.warnings[0].contains(part),
            "{text}: {:?}",
            goban.warnings
        );
    }
    // Other columns, and numbers below a header, leave no doubt. Neither do vertices above edges.
    for text in [
        "node1,node2,weight\nnode1,node2,3\nnode2,node3,1\n",
        "u,v,w\nu,x,3\nx,v,1\n",
        "Source,Dest,Type\nA,B,x\n",
        "node1,node2\n0,1\n",
        "u v w\n1 2 3\n",
        "7\n8\n0 1\n1 2\n2 3\n",
    ] {
        assert_eq!(
            read_file("g.txt", text).unwrap().warnings,
            [""; 0],
            "{text}"
        );
    }
}

#[test]
fn quotes_end_on_their_line() {
    for text in ["\"a\nb\",c\nd,e\n", "\"a\n", "a \"b\n"] {
        let problem = read_file("q.csv", text).unwrap_err();
        assert!(
            problem.contains("expected a closing quote"),
            "{text}: {problem}"
        );
    }
}

#[test]
fn texts_of_other_formats_are_rejected_under_any_extension() {
    for (text, name) in [
        ("*node data\nid\n1\n*tie data\nfrom to\n1 2\n", "VNA"),
        (
            "nodedef>name VARCHAR,label VARCHAR\na,A\nedgedef>node1 VARCHAR,node2 VARCHAR\n",
            "GDF",
        ),
        ("LEDA.GRAPH\nstring\nint\n-1\n2\n", "LEDA"),
    ] {
        let problem = read_file("g.txt", text).unwrap_err();
        assert!(problem.contains(name), "{text}: {problem}");
    }
}

#[test]
fn tgf_is_told_under_another_extension() {
    let text = "1 2\n2 3\n3 1\n#\n1 3\n";
    let goban = read_file("t.txt", text).unwrap();
    assert!(
        goban.warnings[0].contains("is read as TGF"),
        "{:?}",
        goban.warnings
    );
    assert_eq!(read_file("t.tgf", text).unwrap().warnings, [""; 0]);
    let names = "1 A big label\n2 B\n#\n1 2 x\n";
    let goban = read_file("t.txt", names).unwrap();
    let told = goban.warnings.iter().any(|line| line.contains("TGF"));
    assert!(!told, "{:?}", goban.warnings);
}

#[test]
fn matrices_may_have_decimal_commas() {
    let goban = read_file("m.csv", "0;1,5;0\n1,5;0;2\n0;2;0\n").unwrap();
    assert_eq!(goban.notes.edge_weights, [((0, 1), 1.5), ((1, 2), 2.0)]);
    let goban = read_file("m.txt", "0,\t1,\t0\n1,\t0,\t1\n0,\t1,\t0\n").unwrap();
    assert_eq!(named_edges(&goban), ["0-1", "1-2"]);
    for text in ["2\n0 0\n0 0\n", "00\n00\n"] {
        let zeros = read_file("z.txt", text).unwrap();
        assert_eq!(
            (zeros.graph.vertices(), zeros.graph.edges()),
            (2, 0),
            "{text}"
        );
    }
    // Two lines of zeros alone are loops.
    let zeros = read_file("z.txt", "0 0\n0 0\n").unwrap();
    assert!(
        !zeros.warnings.iter().any(|line| line.contains("matrix")),
        "{:?}",
        zeros.warnings
    );
}

#[test]
fn gml_keeps_what_it_cannot_decode() {
    let text = "graph [ node [ id 0 label \"R&D caf&eacute; & &euro;&#233;\" ] ]";
    assert_eq!(
        labels(&read_file("h.gml", text).unwrap()),
        ["R&D_caf\u{e9}_&_&euro;\u{e9}"]
    );
    let capitals = "GRAPH [ NODE [ ID 1 ] NODE [ ID 2 ] EDGE [ SOURCE 1 TARGET 2 ] ]";
    let problem = read_file("up.gml", capitals).unwrap_err();
    assert!(problem.contains("the id of the node"), "{problem}");
}
