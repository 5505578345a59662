//! Files of other programs: read completely, or refused with the name of their format.

use super::*;

#[test]
fn a_lone_name_must_not_contain_signs_of_other_formats() {
    for text in ["*Edges\n", "data:\n", "a:b\n", "[x]\n", "Hello!\n", "a-b\n"] {
        let problem = read_as("edgelist", text).expect_err(text);
        assert!(problem.contains("expected two names, or one"), "{problem}");
    }
    let sound = read_as("edgelist", "K\u{f6}ln\nv_1.2'\n\"a;b\"\n").unwrap();
    assert_eq!(labels(&sound), ["K\u{f6}ln", "v_1.2'", "a;b"]);
}

#[test]
fn unsupported_formats_are_rejected_by_name() {
    for (path, name) in [("g.stp", "SteinLib"), ("G.GW", "LEDA"), ("g.vna", "VNA")] {
        let problem = read_file(path, "1 2\n2 3\n").expect_err(path);
        assert!(problem.contains(name), "{problem}");
    }
}

#[test]
fn lists_without_vertices_are_rejected() {
    for (path, text) in [("e.txt", ""), ("e.csv", "# nothing\n"), ("e.adj", "")] {
        let problem = read_file(path, text).expect_err(path);
        assert!(problem.contains("the end of the text"), "{problem}");
    }
}

#[test]
fn gzip_is_unpacked() {
    let reading = Reading::default();
    let list = packed(b"a b c\n");
    let goban = read(&list, "x.adjlist.gz", "'x'", &reading).map(board);
    assert_eq!(named_edges(&goban.unwrap()), ["a-b", "a-c"]);
    let problem = read(&list[..list.len() - 9], "x.gz", "'x'", &reading).map(board);
    assert!(problem.unwrap_err().contains("gzip"));
}

#[test]
fn dot_edges_may_connect_comma_separated_lists() {
    let goban = read_as(
        "dot",
        "graph { a -- b, c; d, e -- f, g -- h; i, j [stone=black], }",
    );
    let goban = goban.unwrap();
    let mut edges = named_edges(&goban);
    edges.sort_unstable();
    let expected = ["a-b", "a-c", "d-f", "d-g", "e-f", "e-g", "f-h", "g-h"];
    assert_eq!(edges, expected);
    assert_eq!(goban.start[8..], [Some(Color::BLACK); 2]);
}

#[test]
fn text_after_a_dot_graph_is_ignored_with_a_warning() {
    for (text, word) in [
        ("@ x\n", "text after"),
        ("graph { c }", "2 graphs in 'graph', only the first"),
        ("digraph { c -> d } strict graph { e }\n@", "3 graphs"),
        ("graph { c } graph { e -> f", "3 graphs"),
    ] {
        let goban = read_as("dot", &format!("graph {{ a -- b }}\n{text}")).unwrap();
        assert_eq!(named_edges(&goban), ["a-b"]);
        assert!(goban.warnings[0].contains(word), "{:?}", goban.warnings);
        assert_eq!(goban.warnings.len(), 1, "{text}");
    }
}

#[test]
fn dot_defaults_apply_to_later_nodes_and_edges_of_their_graph() {
    let text = "graph { a -- b; edge [weight=5]; node [stone=black, weight=2]; b -- c; \
        subgraph { edge [weight=7] node [stone=white] c -- d; d -- e [weight=1] } \
        e -- f; f -- g [weight=\"\"]; g [stone=empty] }";
    let goban = read_as("dot", text).unwrap();
    let weights = [((1, 2), 5.0), ((2, 3), 7.0), ((3, 4), 1.0), ((4, 5), 5.0)];
    assert_eq!(goban.notes.edge_weights, weights);
    let (black, white) = (Some(Color::BLACK), Some(Color::WHITE));
    assert_eq!(goban.start, [None, None, black, white, white, black, None]);
    let two = Some(Points::whole(2));
    let known = [None, None, two, two, two, two, two];
    assert_eq!(goban.notes.weights, Some(known.to_vec()));
    let problem = read_as("dot", "graph { node [stone=red1] a }").unwrap_err();
    assert!(
        problem.starts_with("line 1, column 21: 'red1'"),
        "{problem}"
    );
    // Defaults end with their graph.
    let reading = Reading {
        from: Some(named("dot")),
        number: Some(2),
        ..Reading::default()
    };
    let text = "graph { edge [weight=5] a -- b } graph { c -- d } graph { e }";
    let second = board(read(text.as_bytes(), "", "'graph'", &reading).unwrap());
    assert_eq!(
        (named_edges(&second), second.notes.edge_weights),
        (vec!["c-d".to_string()], vec![])
    );
    assert_eq!(second.warnings, [""; 0]);
}

#[test]
fn tables_may_have_headers_and_any_common_separator() {
    for text in [
        "source,target\na,b\nb,c\n",
        "Source,Target,Type,Weight\na,b,Undirected,1\nb,c,Undirected,1\n",
        "\"a\";\"b\"\n\"b\";\"c\"\n",
        "a;b\nb;c\n",
        "Id;From;To;Label\n1;a;b;x y\n2;b;c;\n",
        "from\tto\na\tb\nb\tc\n",
        "from to\na b\nb c\n",
        "to,from,weight\nb,a,2\nc,b,1\n",
    ] {
        let goban = read_file("g.csv", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        let mut labels = labels(&goban);
        labels.sort_unstable();
        assert_eq!(
            (labels, goban.graph.edges()),
            (vec!["a".into(), "b".into(), "c".into()], 2),
            "{text}"
        );
        assert_eq!(goban.warnings, [""; 0], "{text}");
    }
    let weighed = read_file("g.csv", "source,target,weight\na,b,2.5\nc,a,\n").unwrap();
    assert_eq!(weighed.notes.edge_weights, [((0, 1), 2.5)]);
    let problem = read_file("g.csv", "Source,Target,Type\na,b,Directed\n").unwrap_err();
    assert!(
        problem.contains("expected an undirected graph"),
        "{problem}"
    );
    let problem = read_file("g.csv", "source,target\na\n").unwrap_err();
    assert!(problem.contains("both ends"), "{problem}");
}

#[test]
fn a_first_line_of_counts_causes_a_warning() {
    let goban = read_file("n.txt", "4 3\n1 2\n1 3\n1 4\n").unwrap();
    assert!(
        goban.warnings[0].contains("'4 3' at the beginning"),
        "{:?}",
        goban.warnings
    );
}

#[test]
fn adjacency_matrices_are_read() {
    for (text, edges) in [
        ("0 1 0\n1 0 1\n0 1 0\n", vec!["0-1", "1-2"]),
        ("011\n101\n110\n", vec!["0-1", "0-2", "1-2"]),
        (";a;b;c\na;0;1;0\nb;1;0;1\nc;0;1;0\n", vec!["a-b", "b-c"]),
        ("0,1,0\n1,0,1\n0,1,0\n", vec!["0-1", "1-2"]),
        ("0 2 0 0\n2 0 0 0\n0 0 0 1\n0 0 1 0\n", vec!["0-1", "2-3"]),
    ] {
        let goban = read_file("m.csv", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(named_edges(&goban), edges, "{text}");
        assert!(goban.warnings[0].contains("matrix"), "{:?}", goban.warnings);
    }
    let arcs = read_file("m.txt", "0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n").unwrap_err();
    assert!(arcs.contains("expected an undirected graph"), "{arcs}");
    let edges = read_file("e.txt", "1 2\n2 3\n").unwrap();
    assert_eq!(edges.graph.vertices(), 3);
    let weighed = read_file("e.txt", "0 1 5\n1 2 7\n2 3 1\n").unwrap();
    assert_eq!(weighed.graph.vertices(), 4);
}

#[test]
fn edges_may_come_before_their_nodes() {
    for (path, text) in [
        (
            "e.gml",
            "graph [ edge [ source 1 target 2 ] node [ id 1 ] node [ id 2 ] ]",
        ),
        (
            "e.gml",
            "Graph [ node [ id 1 label \"\" ] edge [ source 1 target 2 ] node [ id 2 ] ]",
        ),
        (
            "e.graphml",
            "<graphml><graph edgedefault='undirected'><edge source='1' target='2'/><node id='1'/><node id='2'/></graph></graphml>",
        ),
    ] {
        let goban = read_file(path, text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(named_edges(&goban), ["1-2"], "{text}");
    }
}

#[test]
fn gml_flips_screen_coordinates_and_decodes_entities() {
    let text = "Creator \"yFiles\" graph [ node [ id 0 label \"caf&eacute; &#233;\" graphics [ x 0 y 10 ] ] node [ id 1 x 5 y 10 ] ]";
    let goban = read_file("u.gml", text).unwrap();
    assert_eq!(labels(&goban), ["caf\u{e9}_\u{e9}", "1"]);
    assert_eq!(places(&goban), [[0.0, -10.0], [5.0, 10.0]]);
}

#[test]
fn declared_encodings_are_decoded() {
    let reading = Reading::default();
    for (path, bytes) in [
        (
            "l.graphml",
            &b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph edgedefault=\"undirected\"><node id=\"M\xfcn\"/></graph></graphml>"[..],
        ),
        ("l.dot", &b"graph { charset=latin1; \"M\xfcn\" }"[..]),
        ("l.gml", &b"graph [ node [ id 0 label \"M\xfcn\" ] ]"[..]),
        ("l.txt", &b"\xff\xfeM\0\xfc\0n\0"[..]),
    ] {
        let goban = read(bytes, path, "'x'", &reading).map(board);
        assert_eq!(labels(&goban.unwrap()), ["M\u{fc}n"], "{path}");
    }
}

#[test]
fn json_of_other_programs_keeps_names_and_coordinates() {
    for (text, names) in [
        (
            r#"{"nodes":[{"name":"Ann"},{"name":"Bob"}],"links":[{"source":0,"target":1}]}"#,
            ["Ann", "Bob"],
        ),
        (
            r#"{"nodes":[{"id":7,"label":"Ann"},{"id":9,"label":""}],"edges":[{"from":7,"to":9}]}"#,
            ["Ann", "9"],
        ),
        (
            r#"{"attributes":{},"options":{"type":"undirected"},"nodes":[{"key":"a","attributes":{"x":1,"y":2}},{"key":"b","attributes":{"x":3,"y":4}}],
            "edges":[{"key":"e","source":"a","target":"b","attributes":{"weight":2}}]}"#,
            ["a", "b"],
        ),
        (
            r#"{"elements":{"nodes":[{"data":{"id":"a","label":"A"},"position":{"x":1,"y":-2}},{"data":{"id":"b"},"position":{"x":3,"y":-4}}],
            "edges":[{"data":{"source":"a","target":"b","weight":2}}]}}"#,
            ["A", "b"],
        ),
        (
            r#"{"elements":[{"group":"edges","data":{"source":"a","target":"b"}},{"data":{"id":"a"}},{"data":{"id":"b"}}]}"#,
            ["a", "b"],
        ),
        (r#"{"a": ["b"], "b": ["a"]}"#, ["a", "b"]),
    ] {
        let goban = read_file("g.json", text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(
            (labels(&goban).as_slice(), goban.graph.edges()),
            (&names.map(String::from)[..], 1),
            "{text}"
        );
        assert_eq!(goban.warnings, [""; 0]);
        if text.contains("weight") {
            assert_eq!(places(&goban), [[1.0, 2.0], [3.0, 4.0]], "{text}");
            assert_eq!(goban.notes.edge_weight(0, 1), Some(2.0), "{text}");
        }
    }
    let mixed = r#"{"options":{"type":"mixed"},"nodes":[{"key":"a"},{"key":"b"}],"edges":[{"source":"a","target":"b"}]}"#;
    assert!(
        read_file("g.json", mixed)
            .unwrap_err()
            .contains("expected an undirected graph")
    );
    let sound = mixed.replace("\"target\"", "\"undirected\":true,\"target\"");
    assert_eq!(read_file("g.json", &sound).unwrap().graph.edges(), 1);
    let lists: Vec<String> = (0..100)
        .map(|v| format!("\"{v}\":[{}]", (v + 1) % 100))
        .collect();
    let ring = read_file("ring.json", &format!("{{{}}}", lists.join(","))).unwrap();
    assert_eq!((ring.graph.vertices(), ring.graph.edges()), (100, 100));
}

#[test]
fn pajek_is_read() {
    let text = "% c\n*Network x\n*Vertices 3\n1 \"a b\" 0.1 0.2 0.5\n2 \"b\" 0.3 0.4 0.5 box\n3 \"c\" 0.5 0.6 0.5\n*Edges\n1 2 2.5\n*Edgeslist\n2 3\n";
    for path in ["p.net", "p.txt", "p"] {
        let goban = read_file(path, text).unwrap();
        assert_eq!(named_edges(&goban), ["a_b-b", "b-c"], "{path}");
        assert_eq!(goban.notes.edge_weight(0, 1), Some(2.5));
        assert_eq!(places(&goban), [[0.1, -0.2], [0.3, -0.4], [0.5, -0.6]]);
    }
    let arcs = read_file("p.net", "*vertices 2\n*arcs\n1 2\n").unwrap_err();
    assert!(arcs.contains("expected an undirected graph"), "{arcs}");
    let matrix = read_file("p.net", "*Vertices 3\n*Matrix\n0 1 0\n1 0 1\n0 1 0\n").unwrap();
    assert_eq!(named_edges(&matrix), ["1-2", "2-3"]);
    let problem = read_file("p.net", "*Vertices 2\n*Edges\n1 3\n").unwrap_err();
    assert!(problem.starts_with("line 3, column 3: '3'"), "{problem}");
    let more = read_file(
        "p.net",
        "*Vertices 2\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\n2\n",
    )
    .unwrap();
    assert!(
        more.warnings[0].contains("'*Partition'"),
        "{:?}",
        more.warnings
    );
}

#[test]
fn tgf_is_read() {
    for path in ["t.tgf", "t.txt", "t"] {
        let goban = read_file(path, "1 a\n2 New York\n3\n#\n1 2\n2 3 x\n").unwrap();
        assert_eq!(named_edges(&goban), ["a-New_York", "New_York-3"], "{path}");
    }
    let mesh = read_file("m.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n").unwrap();
    assert_eq!(places(&mesh), [[0.0, 0.0], [1.0, 0.0]]);
    let list = read_file("t.txt", "a b\n#\nb c\n").unwrap();
    assert_eq!(named_edges(&list), ["a-b", "b-c"]);
    assert!(
        read_file("t.tgf", "1 a\n2 b\n")
            .unwrap_err()
            .contains("a line #")
    );
}

#[test]
fn lists_of_pace_networkx_and_konect_are_read() {
    let pace = read_file("p.gr", "c x\np tw 3 2\n1 2\n2 3\n").unwrap();
    assert_eq!(named_edges(&pace), ["0-1", "1-2"]);
    let lines = "#x\n#\na 2\nb {'weight': 3}\nc {}\nb 1\nc {}\nc 0\n";
    for path in ["m.adjlist", "m.txt"] {
        let goban = read_file(path, lines).unwrap();
        assert_eq!(named_edges(&goban), ["a-b", "a-c", "b-c"], "{path}");
        assert_eq!(goban.notes.edge_weight(0, 1), Some(3.0));
    }
    let konect = read_file(
        "out.name",
        "% sym unweighted\n% 2 3 3\n1 2 1 99\n2 3 1 98\n",
    )
    .unwrap();
    assert_eq!(konect.graph.edges(), 2);
    assert!(read_file("out.name", "% asym unweighted\n1 2\n").is_err());
    assert!(read_file("out.name", "% bip unweighted\n1 1\n").is_err());
}

#[test]
fn off_faces_may_span_lines_and_vertices_may_have_more_numbers() {
    let face = read_file(
        "f.off",
        "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0\n1\n2\n3\n",
    )
    .unwrap();
    assert_eq!(face.graph.edges(), 4);
    for magic in ["NOFF", "CNOFF", "STOFF", "COFF", "STCNOFF"] {
        let text = format!("{magic}\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n3 0 1 2\n");
        let goban = read_file("x", &text).unwrap_or_else(|problem| panic!("{magic}: {problem}"));
        assert_eq!(goban.graph.edges(), 3);
    }
    assert!(read_file("x.off", "4OFF\n1 0 0\n0 0 0 0\n").is_err());
}

#[test]
fn a_doubled_point_is_moved_aside() {
    let text = "OFF\n5 2 0\n0 0 0\n1 0 0\n0 1 0\n0 1 0\n1 1 1\n3 0 1 2\n3 1 3 4\n";
    let goban = read_file("d.off", text).unwrap();
    let drawing = goban.drawing.as_ref().unwrap();
    assert_eq!(drawing.places[2], [0.0, 1.0]);
    assert_ne!(drawing.places[3], [0.0, 1.0]);
    assert!(
        goban.warnings[0].contains("moved apart"),
        "{:?}",
        goban.warnings
    );
}

#[test]
fn matrix_zeros_cause_a_warning_and_weights_may_be_infinite() {
    let text =
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 inf\n3 1 0\n3 2 1e310\n";
    let goban = read_file("z.mtx", text).unwrap();
    assert_eq!(named_edges(&goban), ["0-1", "1-2"]);
    assert!(goban.warnings[0].contains("zero"), "{:?}", goban.warnings);
}

#[test]
fn complex_matrix_entries_are_edges_without_weights() {
    for text in [
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0 -3\n",
        "%%MatrixMarket matrix array complex hermitian\n2 2\n0 0\n0 -3\n0 0\n",
    ] {
        let goban = read_file("c.mtx", text).unwrap();
        assert_eq!(named_edges(&goban), ["0-1"], "{text}");
        assert_eq!(goban.notes.edge_weights, [], "{text}");
        assert_eq!(
            goban.warnings,
            ["edge weights ignored in 'graph', because they are complex numbers"],
            "{text}"
        );
    }
    let both = "%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 3 4\n";
    let goban = read_file("c.mtx", both).unwrap();
    assert_eq!(
        (goban.graph.edges(), goban.notes.edge_weights.len()),
        (1, 0)
    );
    let half = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1\n";
    let problem = read_file("c.mtx", half).unwrap_err();
    assert!(problem.contains("line 3, column 6"), "{problem}");
}

#[test]
fn lines_may_end_in_carriage_returns() {
    let text = "source,target\ra,b\rb,c\r";
    assert_eq!(
        named_edges(&read_file("m.csv", text).unwrap()),
        ["a-b", "b-c"]
    );
    let text = "graph { \"a\\\r\nb\" -- c }";
    assert_eq!(named_edges(&read_file("m.gv", text).unwrap()), ["ab-c"]);
    let text = "\n\n%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n";
    assert_eq!(read_file("m.mtx", text).unwrap().graph.edges(), 1);
}

#[test]
fn games_are_named_as_such() {
    for (path, text) in [
        ("game.sgf", "(;GM[1]SZ[9];B[aa])"),
        (
            "game.json",
            r#"{"kind":"game","graph":"torus:4x3","moves":[]}"#,
        ),
    ] {
        let problem = read_file(path, text).unwrap_err();
        assert!(
            problem.starts_with("it holds a game, expected a board; load_game"),
            "{problem}"
        );
    }
    let problem = "game.sgf".parse::<Spec>().unwrap_err().to_string();
    assert!(problem.ends_with("omnigo play read games"), "{problem}");
    let written = named("gexf")
        .write(&read_as("edgelist", "a b\n").unwrap())
        .unwrap_err();
    assert!(
        written.starts_with("gexf cannot be written, expected graph6, sparse6, "),
        "{written}"
    );
}
