//! Problems of broken, directed, and hostile files.

use super::*;

#[test]
fn errors_have_line_column_and_expectation() {
    for (name, text, start) in [
        (
            "edgelist",
            "a b\nc d e",
            "line 2, column 5: 'e', expected a weight",
        ),
        (
            "edgelist",
            "a b 1 2",
            "line 1, column 7: '2', expected the end of the line",
        ),
        (
            "edgelist",
            "x\n a-b",
            "line 2, column 2: 'a-b', expected two names",
        ),
        (
            "edgelist",
            "a pass",
            "line 1, column 3: 'pass', expected a printable word",
        ),
        (
            "dimacs",
            "c\np edge 2 1\ne 1 3\n",
            "line 3, column 5: '3', expected the number of a vertex from 1 to 2",
        ),
        (
            "dimacs",
            "p edge 65536 0\n",
            "line 1, column 8: too many vertices, expected at most 65535",
        ),
        (
            "dimacs",
            "e 1 2\n",
            "line 1, column 1: 'e', expected p edge",
        ),
        (
            "metis",
            "3 1\n2\n1\n",
            "line 4, column 1: 2 lines of neighbors, expected 3",
        ),
        (
            "metis",
            "2 1\n2\n5\n",
            "line 3, column 1: '5', expected the number of a vertex",
        ),
        ("mtx", "%%MatrixMarket vector\n", "line 1, column 1: "),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 3 0\n",
            "line 2, column 3: '3', expected a square matrix",
        ),
        (
            "off",
            "OFF\n2 1 0\n0 0 0\n0 0 x\n",
            "line 4, column 5: 'x', expected three coordinates",
        ),
        (
            "off",
            "OFF\n1 1 0\n0 0 0\n2 0 1\n",
            "line 4, column 5: '1', expected 2 corners from 0 to 0",
        ),
        (
            "graphml",
            "<graphml>\n<graph>\n<edge source='a' target='b'/></graph></graphml>",
            "line 3, column 1: source 'a', expected the id of a node",
        ),
        ("graphml", "<graphml><graph></graphml>", "line 1, column "),
        (
            "graphml",
            "<graphml><graph><node id='a'><data key='k'>&lol;</data>",
            "line 1, column ",
        ),
        (
            "gml",
            "graph [\n node [ id 0 ]\n edge [ source 0 target 7 ] ]",
            "line 3, column 25: '7', expected the id of a node",
        ),
        (
            "gml",
            "graph [ node [ id 0 ]",
            "line 1, column 22: the end of the text, expected ]",
        ),
        (
            "dot",
            "graph {\n a -> b }",
            "line 2, column 4: '->', expected --",
        ),
        (
            "dot",
            "graph { a -- }",
            "line 1, column 14: '}', expected a vertex",
        ),
        (
            "json",
            "{\"nodes\":[{\"id\":0}],\n\"edges\":[{\"source\":0,\"target\":1}]}",
            "line 2, column ",
        ),
        (
            "json",
            "{\"nodes\":[]}",
            "line 1, column 1: no edges, expected edges or links",
        ),
        ("graph6", "Cw\u{7f}\n", "line 1, column 3: character"),
        ("sparse6", ":C w\n", "line 1, column 3: character ' '"),
    ] {
        let problem = read_as(name, text).unwrap_err();
        assert!(problem.starts_with(start), "{name}: {problem}");
        assert!(problem.contains("expected"), "{problem}");
    }
    let reading = Reading::default();
    let problem = read(b"a b\nc \xff\n", "x", "'x'", &reading).unwrap_err();
    assert_eq!(problem, "line 2, column 3: not valid UTF-8, expected text");
    let many: String = (0..=u16::MAX).map(|v| format!("{v}\n")).collect();
    let problem = read_as("edgelist", &many).unwrap_err();
    assert_eq!(
        problem,
        "line 65536, column 1: too many vertices, expected at most 65535"
    );
}

#[test]
fn directed_input_is_rejected_unless_symmetrized() {
    for (name, text) in [
        ("dot", "digraph { a -> b -> a }"),
        (
            "gml",
            "graph [ directed 1 node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] edge [ source 0 target 1 ] ]",
        ),
        (
            "graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>",
        ),
        (
            "json",
            "{\"directed\":true,\"nodes\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"links\":[{\"source\":\"a\",\"target\":\"b\"},{\"source\":\"b\",\"target\":\"a\"}]}",
        ),
        (
            "json",
            "{\"coordinates\":[[0,0],[1,1]],\"adjacencyList\":[[1],[]]}",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n",
        ),
        ("dimacs", "p sp 2 1\na 1 2 7\n"),
        ("graph6", "&AO\n"),
    ] {
        let problem = read_as(name, text).unwrap_err();
        assert!(
            problem.contains("expected an undirected graph; --symmetrize"),
            "{name}: {problem}"
        );
        assert!(problem.starts_with("line "), "{name}: {problem}");
        let reading = Reading {
            from: Some(named(name)),
            symmetrize: true,
            ..Reading::default()
        };
        let part = read(text.as_bytes(), "x", "'x'", &reading).unwrap();
        assert_eq!((part.vertices, part.edges.len()), (2, 1), "{name}");
        assert_eq!(part.warnings, [""; 0], "{name}");
    }
}

#[test]
fn deeply_nested_and_expanding_text_is_rejected() {
    let deep = |open: &str, count: usize| open.repeat(count);
    for (name, text) in [
        ("dot", format!("graph {}", deep("{", 100_000))),
        ("gml", deep("a [ ", 100_000)),
        ("graphml", deep("<graph>", 100_000)),
        ("json", format!("{{\"nodes\":{}", deep("[", 100_000))),
        (
            "dot",
            format!(
                "graph {{ subgraph a {{ {} }} {} }}",
                (0..5000).map(|v| format!("{v};")).collect::<String>(),
                deep("subgraph a -- subgraph a;", 10)
            ),
        ),
    ] {
        assert!(read_as(name, &text).is_err(), "{name}");
    }
}

#[test]
fn pajek_files_are_not_read_as_edge_lists() {
    let told = read_as("edgelist", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n");
    assert!(told.is_err_and(|problem| problem.contains("--from pajek")));
    let starred = read_as("edgelist", "*a b\n*vertex c\n").unwrap();
    assert_eq!(labels(&starred), ["*a", "b", "*vertex", "c"]);
}
