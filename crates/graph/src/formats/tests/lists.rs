//! Lists and tables: SIF, LGL, DL, details of CSV and matrices, and weights that are no numbers.

use super::*;

#[test]
fn sif_is_read() {
    let goban = read_file("n.sif", "a pp b c\nb pd d\nlone\n\n").unwrap();
    assert_eq!(named_edges(&goban), ["a-b", "a-c", "b-d"]);
    assert_eq!(labels(&goban), ["a", "b", "c", "d", "lone"]);
    let tabs = read_file("n.sif", "New York\tis near\tBoston\t\nNew York\n").unwrap();
    assert_eq!(named_edges(&tabs), ["New_York-Boston"]);
    let problem = read_file("n.sif", "a pp\n").unwrap_err();
    assert!(problem.contains("line 1, column 5"), "{problem}");
    assert!(read_file("n.sif", "\n").is_err());
}

#[test]
fn lgl_is_read() {
    let goban = read_file("n.lgl", "# a\nb 2.5\nc\n#b\nc nan\n# d\n").unwrap();
    assert_eq!(named_edges(&goban), ["a-b", "a-c", "b-c"]);
    assert_eq!(labels(&goban), ["a", "b", "c", "d"]);
    assert_eq!(goban.notes.edge_weights, [((0, 1), 2.5)]);
    assert!(
        goban.warnings[0].contains("not finite"),
        "{:?}",
        goban.warnings
    );
    for (text, part) in [
        ("a b\n", "'a', expected # and the name"),
        ("#\na\n", "expected # and the name"),
        ("# a\nb x\n", "'x', expected the weight"),
        ("# a b\n", "'b', expected the end of the line"),
        ("# a\nb 1 2\n", "'2', expected the end of the line"),
        ("", "the end of the text"),
    ] {
        let problem = read_file("n.lgl", text).unwrap_err();
        assert!(problem.contains(part), "{text}: {problem}");
    }
}

#[test]
fn dl_is_read() {
    let path = ["0-1", "1-2"];
    let named = ["a_b-c", "c-d"];
    for (text, edges) in [
        ("dl\nn=3\nformat=edgelist1\ndata:\n1 2 1\n2 3 1\n", path),
        ("DL N = 3, FORMAT = NODELIST1\nDATA:\n1 2\n2 1 3\n", path),
        ("dl n=3 data: 0 1 0 1 0 1\n0 1 0\n", path),
        ("dl n=3 diagonal=absent data:\n1 0\n1 1\n0 1\n", path),
        ("dl n=3 format=lowerhalf data:\n0\n1 0\n0 1 0\n", path),
        (
            "dl n=3 format=upperhalf diagonal absent data:\n1 0\n1\n",
            path,
        ),
        (
            "dl n=3 format=el1\nlabels:\n\"a b\",c,d\ndata:\n1 2\n2 3\n",
            named,
        ),
        (
            "dl n=3 format=el1\nrow labels:\n\"a b\"\nc\nd\ncol labels: \"a b\" c d\ndata:\n1 2\n2 3\n",
            named,
        ),
        (
            "dl n=3 format=el1 labels embedded\ndata:\n\"a b\" c 2\nc d\n",
            named,
        ),
        (
            "dl n=3 labels embedded\ndata:\n  \"a b\" c d\n\"a b\" 0 1 0\nc 1 0 1\nd 0 1 0\n",
            named,
        ),
    ] {
        for path in ["x.dl", "x.txt", "x"] {
            let goban = read_file(path, text).unwrap_or_else(|problem| panic!("{text}{problem}"));
            assert_eq!(named_edges(&goban), edges, "{text}");
            // A blank in a name is replaced.
            let quoted = usize::from(text.contains('"'));
            assert_eq!(goban.warnings.len(), quoted, "{text}");
        }
    }
    let weighed = read_file("x.dl", "dl n=2 format=el1 data:\n1 2 0.5\n").unwrap();
    assert_eq!(weighed.notes.edge_weights, [((0, 1), 0.5)]);
    for (text, part) in [
        (
            "dl n=3 data:\n0 1 0\n0 0 0\n0 0 0\n",
            "expected an undirected graph",
        ),
        ("dl nr=3 nc=2 data:\n", "'nr', expected n="),
        ("dl n=3 nm=2 data:\n", "'2', expected nm=1"),
        ("dl n=99999999999 data:\n", "too many vertices"),
        (
            "dl n=65535 data:\n0 1\n",
            "the end of the text, expected a number for row 1",
        ),
        (
            "dl n=3 format=edgelist2 data:\n",
            "'edgelist2', expected fullmatrix",
        ),
        (
            "dl n=3 format=el1 data:\n1 4\n",
            "'4', expected the number of a vertex from 1 to 3",
        ),
        (
            "dl n=3 labels: a b\n",
            "the end of the text, expected 3 labels",
        ),
        ("dl data:\n", "'data', expected n="),
        ("dl n=2 colour=red data:\n", "'colour', expected n, format"),
        ("dl n=3", "the end of the text, expected n, format"),
        (
            "dl n=1 format=el1 labels embedded data:\na b\n",
            "'b', expected one of at most 1",
        ),
    ] {
        let problem = read_file("x.dl", text).unwrap_err();
        assert!(problem.contains(part), "{text}: {problem}");
    }
    // An edge list may have a vertex dl.
    assert_eq!(read_file("x.txt", "dl n\nn x\n").unwrap().graph.edges(), 2);
}

#[test]
fn tables_of_nodes_are_rejected_and_quotes_are_decoded() {
    for text in [
        "Id;Label\n1;a\n2;b\n",
        "id,label,timeset\n1,a,\n",
        "Label\tId\na\t1\n",
    ] {
        let problem = read_file("n.csv", text).unwrap_err();
        assert!(problem.contains("not of nodes"), "{text}{problem}");
    }
    for text in [
        "a,\"c \"\"q\"\"\"\n",
        "a;\"c \"\"q\"\"\"\n",
        "source,target\na,\"c \"\"q\"\"\"\n",
        "a \"c \"\"q\"\"\"\n",
    ] {
        let goban = read_file("q.csv", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(labels(&goban), ["a", "c_\"q\""], "{text}");
    }
}

#[test]
fn small_symmetric_squares_are_matrices() {
    for (text, edges, part) in [
        (
            "1 1 0\n1 1 1\n0 1 1\n",
            vec!["0-1", "1-2"],
            "self-loops dropped",
        ),
        (
            "0 0.5 0\n0.5 0 2\n0 2 0\n",
            vec!["0-1", "1-2"],
            "begin with source target weight",
        ),
        (
            "4\n0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n",
            vec!["0-1", "0-3", "1-2", "2-3"],
            "matrix",
        ),
        ("3\n011\n101\n110\n", vec!["0-1", "0-2", "1-2"], "matrix"),
        ("0,1,0,\n1,0,1,\n0,1,0,\n", vec!["0-1", "1-2"], "matrix"),
        ("[0 1 0;\n 1 0 1;\n 0 1 0]\n", vec!["0-1", "1-2"], "matrix"),
        (
            "[[0, 1, 0],\n [1, 0, 1],\n [0, 1, 0]]\n",
            vec!["0-1", "1-2"],
            "matrix",
        ),
    ] {
        let goban = read_file("m.txt", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(named_edges(&goban), edges, "{text}");
        let told = goban.warnings.join("; ");
        assert!(
            told.contains(part) && told.contains("matrix"),
            "{text}{told}"
        );
    }
    let weighed = read_file("m.txt", "0 0.5 0\n0.5 0 2\n0 2 0\n").unwrap();
    assert_eq!(weighed.notes.edge_weights, [((0, 1), 0.5), ((1, 2), 2.0)]);
    // Otherwise three numbers are an edge with its weight.
    for text in [
        "0 1 0.5\n1 2 0.5\n2 3 1\n",
        "0,1,0.5\n1,2,0.5\n2,3,1\n",
        "1,2\n2,3\n",
        "x a\na 5\n",
    ] {
        let list = read_file("m.csv", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(list.warnings, [""; 0], "{text}");
        assert_eq!(list.graph.edges(), list.graph.vertices() - 1, "{text}");
    }
}

#[test]
fn one_separator_parts_all_lines_of_a_table() {
    for (text, expected) in [
        (
            "Ann\tBob\nSmith, John\tDoe\nAlice\tRoom 5\n",
            &["Ann", "Bob", "Smith,John", "Doe", "Alice", "Room_5"][..],
        ),
        ("A,B#1,5\nA,B\n", &["A", "B_1", "B"]),
        ("source,target\n\"C\",\"C#\"\n", &["C", "C_"]),
        ("\"C\" \"C#\" # a remark\n", &["C", "C_"]),
        ("Meier AG;Roth, Sohn;2,5\n", &["Meier_AG", "Roth,Sohn"]),
    ] {
        let goban = read_file("m.csv", text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(labels(&goban), expected, "{text}");
    }
    let table = read_file("m.csv", "source,target,weight\na,b,many\nb,c,2\nc,d,\n").unwrap();
    assert_eq!(
        table.warnings,
        ["edge weights ignored in 'graph', because they are not numbers: 1"]
    );
}

#[test]
fn weights_that_are_not_finite_are_dropped() {
    for (name, text) in [
        ("edgelist", "a b inf\nb c nan\nc d 1e310\na d 2\n"),
        (
            "edgelist",
            "source,target,weight\na,b,inf\nb,c,-inf\nc,d,NaN\na,d,2\n",
        ),
        (
            "edgelist",
            "a b {'weight': inf}\nb c {'weight': nan}\nc d {'weight': 1e310}\na d {'weight': 2}\n",
        ),
        (
            "gml",
            "graph [ node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] node [ id 3 label \"c\" ] node [ id 4 label \"d\" ]\n\
             edge [ source 1 target 2 weight INF ] edge [ source 2 target 3 weight nan ] edge [ source 3 target 4 weight 1e310 ]\n\
             edge [ source 1 target 4 weight 2 ] ]",
        ),
        (
            "dot",
            "graph { a; b; c; d; a -- b [weight=inf] b -- c [weight=nan] c -- d [weight=\"1e310\"] a -- d [weight=2] }",
        ),
    ] {
        let goban = read_as(name, text).unwrap_or_else(|problem| panic!("{text}{problem}"));
        assert_eq!(goban.graph.edges(), 4, "{text}");
        assert_eq!(goban.notes.edge_weights, [((0, 3), 2.0)], "{text}");
        assert_eq!(goban.warnings.len(), 1, "{text}{:?}", goban.warnings);
        assert!(
            goban.warnings[0].contains("not finite numbers: 3"),
            "{:?}",
            goban.warnings
        );
    }
    let text = r#"{"nodes":[{"id":"NaN","x":0},{"id":"b"},{"id":"c"}],"links":[{"source":"NaN","target":"b","weight":NaN},
        {"source":"b","target":"c","weight":-Infinity},{"source":"c","target":"NaN","weight":1e310}]}"#;
    let goban = read_file("g.json", text).unwrap();
    assert_eq!(
        (labels(&goban)[0].as_str(), goban.graph.edges()),
        ("NaN", 3)
    );
    assert!(goban.notes.edge_weights.is_empty());
    assert!(
        goban
            .warnings
            .iter()
            .any(|line| line.ends_with("NaN and Infinity ignored in 'graph': 2")),
        "{:?}",
        goban.warnings
    );
    let array = "%%MatrixMarket matrix array real symmetric\n2 2\n0\ninf\n0\n";
    assert_eq!(read_as("mtx", array).unwrap().graph.edges(), 1);
}

#[test]
fn other_compressed_files_are_rejected_by_name() {
    for (bytes, name) in [
        (&b"BZh91AY&SY\0\0"[..], "bzip2"),
        (b"\xfd7zXZ\0\0\0", "xz"),
        (b"\x28\xb5\x2f\xfd\0", "zstd"),
        (b"PK\x03\x04\0", "zip"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
    ] {
        let problem = read(bytes, "g.graphml", "'g'", &Reading::default())
            .map(board)
            .unwrap_err();
        assert!(
            problem.contains(&format!("compressed with {name},")),
            "{problem}"
        );
        assert!(problem.contains("gzip"), "{problem}");
    }
    assert_eq!(labels(&read_file("g", "BZh9 b\n").unwrap()), ["BZh9", "b"]);
}

#[test]
fn gexf_attributes_of_edges_do_not_hide_those_of_nodes() {
    let text = r#"<gexf><graph><attributes class="edge"><attribute id="0" title="weight"/></attributes>
        <attributes class="node"><attribute id="0" title="stone"/></attributes>
        <nodes><node id="a"><attvalues><attvalue for="0" value="black"/></attvalues></node><node id="b"/></nodes>
        <edges><edge source="a" target="b"><attvalues><attvalue for="0" value="2.5"/></attvalues></edge></edges></graph></gexf>"#;
    let goban = read_file("g.gexf", text).unwrap();
    assert_eq!(goban.start, [Some(Color::BLACK), None]);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(2.5));
}

#[test]
fn pajek_files_may_hold_several_networks() {
    let text = "*Network one\n*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\n2\n\
        *Network two\n*Vertices 3\n*Edges\n1 2\n2 3\n*Vector v\n*Vertices 3\n0.5\n1\n2\n";
    let numbered = |number: Option<usize>| {
        let reading = Reading {
            number,
            ..Reading::default()
        };
        read(text.as_bytes(), "p.paj", "'p'", &reading).map(board)
    };
    let first = numbered(None).unwrap();
    assert_eq!(named_edges(&first), ["a-b"]);
    assert!(
        first.warnings[0].contains("2 graphs"),
        "{:?}",
        first.warnings
    );
    assert!(
        first.warnings[1].contains("'*Partition'"),
        "{:?}",
        first.warnings
    );
    assert_eq!(numbered(Some(2)).unwrap().graph.vertices(), 3);
    let problem = numbered(Some(3)).unwrap_err();
    assert!(
        problem.contains("ends after 2 graphs, expected number 3"),
        "{problem}"
    );
    let plain = read_file("p.net", "*Vertices 2\n*Edges\n1 2\n*Vertices 1\n").unwrap();
    assert_eq!(plain.graph.vertices(), 2);
}

/// Reads a file and returns its board, which has these edges and one warning with this part.
fn warned(path: &str, text: &str, edges: &[&str], part: &str) -> Goban {
    let goban = read_file(path, text).unwrap();
    assert_eq!(named_edges(&goban), edges, "{text}");
    let warning = goban.warnings.join("; ");
    assert_eq!(goban.warnings.len(), 1, "{text}: {warning}");
    assert!(warning.contains(part), "{text}: {warning}");
    goban
}

#[test]
fn weights_that_are_not_numbers_cause_a_warning() {
    let part = "edge weights ignored in";
    for (path, text) in [
        (
            "g.json",
            r#"{"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b","weight":"x"}]}"#,
        ),
        (
            "g.gexf",
            r#"<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b" weight="2,5"/></edges></graph></gexf>"#,
        ),
        (
            "g.graphml",
            r#"<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"><data key="weight">x</data></edge></graph></graphml>"#,
        ),
        (
            "g.gml",
            r#"graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 weight "x" ] ]"#,
        ),
        ("g.dot", r#"graph { a -- b [weight="x"] }"#),
        ("g.net", "*Vertices 2\n1 a\n2 b\n*Edges\n1 2 2,5\n"),
    ] {
        let goban = warned(path, text, &["a-b"], part);
        assert_eq!(goban.notes.edge_weights, [], "{text}");
    }
    let quoted =
        r#"{"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b","weight":"2.5"}]}"#;
    let goban = read_file("g.json", quoted).unwrap();
    assert_eq!(goban.notes.edge_weights, [((0, 1), 2.5)]);
    assert_eq!(goban.warnings, [""; 0]);
}

#[test]
fn of_two_weights_of_an_edge_the_first_is_used() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 5\n";
    let goban = warned("g.mtx", text, &["0-1"], "edges with two weights in");
    assert_eq!(goban.notes.edge_weights, [((0, 1), 1.0)]);
}

#[test]
fn edges_and_links_of_json_are_both_read() {
    let nodes = r#"{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}]"#;
    let ab = r#"[{"source":"a","target":"b"}]"#;
    let bc = r#"[{"source":"b","target":"c"}]"#;
    for (edges, links, found) in [
        (ab, bc, &["a-b", "b-c"][..]),
        ("[]", bc, &["b-c"]),
        (ab, "[]", &["a-b"]),
    ] {
        let text = format!("{nodes},\"edges\":{edges},\"links\":{links}}}");
        let goban = read_file("g.json", &text).unwrap();
        assert_eq!(named_edges(&goban), found);
        assert_eq!(goban.warnings, [""; 0]);
    }
}

#[test]
fn arrows_of_vis_js_at_one_end_are_arcs() {
    let text = |arrows: &str| {
        let nodes = r#"{"nodes":[{"id":"a"},{"id":"b"}]"#;
        format!("{nodes},\"edges\":[{{\"from\":\"a\",\"to\":\"b\",\"arrows\":{arrows}}}]}}")
    };
    for arrows in [
        r#""to""#,
        r#""from""#,
        r#""middle, to""#,
        r#"{"to":{"enabled":true}}"#,
        r#"{"to":true}"#,
    ] {
        let problem = read_file("g.json", &text(arrows)).unwrap_err();
        assert!(
            problem.contains("an edge with an arrow at one end"),
            "{problem}"
        );
    }
    for arrows in [
        r#""""#,
        r#""to, from""#,
        r#""middle""#,
        r#"{"to":{"enabled":false}}"#,
        r#"{"to":false}"#,
    ] {
        let goban = read_file("g.json", &text(arrows)).unwrap();
        assert_eq!(named_edges(&goban), ["a-b"]);
    }
}

#[test]
fn neighbors_after_colons_are_no_edge_list() {
    for path in ["g.txt", "g.csv", "g"] {
        let goban = read_file(path, "# three\n1: 2 3\n2: 1\n3: 1\n").unwrap();
        assert_eq!(named_edges(&goban), ["1-2", "1-3"], "{path}");
    }
}

#[test]
fn names_may_end_in_colons() {
    let goban = read_file("g.txt", "a: b 3\nc: d 2\n").unwrap();
    assert_eq!(named_edges(&goban), ["a:-b", "c:-d"]);
}

#[test]
fn what_is_no_weight_causes_no_warning() {
    let pajek = "*Vertices 2\n1 a\n2 b\n*Edges\n1 2 c Blue\n";
    let json = |edge: &str, more: &str| {
        format!(
            r#"{{"nodes":[{{"id":"a"}},{{"id":"b"}}],"edges":[{{"source":"a","target":"b"{edge}}}]{more}}}"#
        )
    };
    for (path, text) in [
        ("g.net", pajek.to_string()),
        ("g.json", json(r#","attributes":{"weight":null}"#, "")),
        ("g.json", json("", r#","links":null"#)),
        ("g.json", json("", r#","links":{"self":"x"}"#)),
        ("g.json", json("", r#","links":[{"rel":"self"}]"#)),
    ] {
        let goban = read_file(path, &text).unwrap();
        assert_eq!(named_edges(&goban), ["a-b"], "{text}");
        assert_eq!(goban.warnings, [""; 0], "{text}");
    }
    let goban = read_file("g.json", &json(r#","weight":"strong","value":3"#, "")).unwrap();
    assert_eq!(goban.notes.edge_weights, [((0, 1), 3.0)]);
}

#[test]
fn names_of_igraph_in_gml_are_labels() {
    let text = r#"graph [ node [ id 0 name "Mr Hi" ] node [ id 1 name "Bo" label "b" ] edge [ source 1 target 0 ] ]"#;
    let goban = read_file("g.gml", text).unwrap();
    assert_eq!(labels(&goban), ["Mr_Hi", "b"]);
}

#[test]
fn nodes_that_are_listed_again_cause_a_warning() {
    let part = "nodes listed again in";
    let gexf =
        r#"<gexf><graph><nodes><node id="a"/><node id="a" label="b"/></nodes></graph></gexf>"#;
    warned("g.gexf", gexf, &[], part);
    let graphml = r#"<graphml><graph><node id="a"/><node id="b"/><node id="a"/><edge source="a" target="b"/></graph></graphml>"#;
    warned("g.graphml", graphml, &["a-b"], part);
    let pajek = "*Vertices 2\n1 a\n1 c\n2 b\n*Edges\n1 2\n";
    warned("g.net", pajek, &["c-b"], part);
}

#[test]
fn planar_code_is_rejected_by_name() {
    let problem = read_file("g.pc", ">>planar_code<<\u{4}\u{2}\u{3}\u{4}\0").unwrap_err();
    assert!(problem.contains("planar_code"), "{problem}");
}
