//! Tests of reading and writing in every format.

mod foreign;
mod lists;
mod meshes;
mod round_trip;

use super::*;
use crate::model::board_parts::Labels;
use crate::model::notes::Notes;
use crate::spec::Spec;
use omnigo_base::color::Color;
use omnigo_base::points::Points;

fn named(name: &str) -> &'static Format {
    Format::find(name).unwrap()
}

fn board(part: BoardParts) -> Goban {
    "edges:".parse::<Spec>().unwrap().assemble(part)
}

fn read_as(name: &str, text: &str) -> Result<Goban, String> {
    let reading = Reading {
        from: Some(named(name)),
        ..Reading::default()
    };
    read(text.as_bytes(), "graph", "'graph'", &reading).map(board)
}

fn recognized(text: &str, path: &str) -> &'static str {
    recognize::format(text, path).unwrap().name
}

fn labels(goban: &Goban) -> Vec<String> {
    let labels = goban.graph.all().map(|v| goban.names.label(v).into_owned());
    labels.collect()
}

#[test]
fn coordinates_are_two_or_three_per_vertex() {
    for list in ["0", "0,0,0,0", "0,0,0,0,0,0,0,0"] {
        for text in [
            format!("{{\"coordinates\":[[{list}],[1,1]],\"adjacencyList\":[[1],[0]]}}"),
            format!(
                "{{\"kind\":\"mango\",\"vertices\":1,\"edges\":[],\"coordinates\":[[{list}]]}}"
            ),
            format!(
                "{{\"kind\":\"space\",\"points\":1,\"min_open\":[[ 0 ]],\"placements\":[[ 0 ]],\"coordinates\":[[{list}]]}}"
            ),
        ] {
            let told = read_as("json", &text).expect_err(&text);
            let blamed = ["coordinates", "places"]
                .iter()
                .any(|word| told.contains(word));
            assert!(blamed, "{told}");
            let sound = text.replacen(&format!("[[{list}]"), "[[0,0]", 1);
            assert!(read_as("json", &sound).is_ok(), "{sound}");
        }
    }
}

#[test]
fn pajek_files_are_not_read_as_edge_lists() {
    let told = read_as("edgelist", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n");
    assert!(told.is_err_and(|problem| problem.contains("--from pajek")));
    let starred = read_as("edgelist", "*a b\n*vertex c\n").unwrap();
    assert_eq!(labels(&starred), ["*a", "b", "*vertex", "c"]);
}

#[test]
fn nested_elements_in_data_do_not_hide_later_elements() {
    let text = r#"<graphml><key id="w" for="edge" attr.name="weight"/><key id="s" for="node" attr.name="stone"/>
        <graph edgedefault="undirected"><node id="a"><data key="d"><y:Shape>x<y:Fill/></y:Shape></data><data key="s">black</data></node>
        <node id="b"/><edge source="a" target="b"><data key="d"><y:PolyLineEdge/></data><data key="w">3</data></edge></graph></graphml>"#;
    let goban = read_as("graphml", text).unwrap();
    assert_eq!(goban.graph.edges(), 1);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(3.0));
    assert_eq!(goban.start[0], Some(Color::BLACK));
}

#[test]
fn mango_sets_and_go_spaces_round_trip() {
    let text = r#"{"kind":"mango","vertices":3,"edges":[[0,1],[1,2]],"weights":[1,-0.50,0.125],"threshold":[[-1.5,0],[2,2]],
        "black":[2],"white":[0],"scores":[0,5.5],"first":"white","labels":["a","b","c"],"coordinates":[[0,0],[1,0],[1,1]]}"#;
    let set = read_as("json", text).unwrap();
    for name in ["json", "graphml", "gml", "dot"] {
        let (text, _) = named(name).write(&set).unwrap();
        let back = read_as(name, &text).unwrap();
        let (Surface::Mango(a), Surface::Mango(b)) = (&set.surface, &back.surface) else {
            panic!("{name}: {text}")
        };
        assert!(a == b, "{name}: {text}");
        assert_eq!((&back.graph, &back.start), (&set.graph, &set.start));
        assert_eq!(back.drawing, set.drawing, "{name}: {text}");
    }
    assert!(
        named("graph6")
            .write(&set)
            .unwrap_err()
            .contains("cannot store weights")
    );
    let space = "space:(grid:2),edges"
        .parse::<Spec>()
        .unwrap()
        .build()
        .unwrap();
    let (text, _) = named("json").write(&space).unwrap();
    let back = read_as("json", &text).unwrap();
    let (Some(a), Some(b)) = (space.space(), back.space()) else {
        panic!("{text}")
    };
    assert_eq!((a.points(), a.placements()), (b.points(), b.placements()));
    assert_eq!(back.graph, space.graph);
    assert_eq!(labels(&back), labels(&space));
    assert!(
        named("gml")
            .write(&space)
            .unwrap_err()
            .contains("expected json")
    );
}

#[test]
fn mango_sets_keep_all_labels_and_colors() {
    let text = r#"graph [ threshold "odd" node [ id 0 label "(0,1)" stone "red" ] node [ id 1 label "b-c" ] edge [ source 0 target 1 ] ]"#;
    let set = read_as("gml", text).unwrap();
    let (text, _) = named("json").write(&set).unwrap();
    let back = read_as("json", &text).unwrap();
    assert_eq!(labels(&back), ["(0,1)", "b-c"]);
    assert_eq!(back.start, set.start);
    assert_eq!(back.start[0].unwrap().to_string(), "red");
}

#[test]
fn boards_with_computed_drawings_are_read_again() {
    for spec in [
        "space:(king:2),edges",
        "space:(king:2),pairs",
        "space:(torus:3),edges,pairs",
        "space:(komipath:4)",
        "subdivide(wheel:2)",
        "subdivide(edges:a-b,c,a@0/0,b@2/0,c@1/0)",
        "product((edges:a-b,a@0/0,b@0.5/0),(edges:0-1,1-2,2-3,3-0,0@0/0,1@1/0,2@1/1,3@0/1))",
    ] {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        let (text, left_out) = named("json").write(&goban).unwrap();
        assert_eq!(left_out, [""; 0], "{spec}");
        let back = read_as("json", &text).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(back.start, goban.start, "{spec}");
        let places = |goban: &Goban| goban.drawing.as_ref().map(|drawing| drawing.places.clone());
        assert_eq!(places(&back), places(&goban), "{spec}");
    }
}

#[test]
fn equal_coordinates_of_spaces_and_mango_sets_are_set_apart() {
    let places = r#""coordinates":[[0,0],[1,0],[1,0]]"#;
    for text in [
        format!(r#"{{"kind":"mango","vertices":3,"edges":[],{places}}}"#),
        format!(
            r#"{{"kind":"space","points":3,"min_open":[[0],[1],[2]],"placements":[[0],[1],[2]],{places}}}"#
        ),
    ] {
        let goban = read_as("json", &text).unwrap();
        assert_eq!(
            goban.warnings,
            [
                "coordinates moved apart in 'graph': 1, the first are those of vertex 2, equal to those of vertex 1"
            ]
        );
    }
}

#[test]
fn operators_of_files_take_any_board() {
    let path = std::env::temp_dir().join(format!("omnigo-any-board-{}.json", std::process::id()));
    for text in [
        r#"{"kind":"mango","vertices":2,"edges":[[0,1]],"threshold":"odd","red":[1],"labels":["a","b"]}"#,
        r#"{"kind":"space","points":2,"min_open":[[0],[0,1]],"placements":[[0,1]],"white":[1],"point_labels":["p","q"]}"#,
    ] {
        std::fs::write(&path, text).unwrap();
        let file = format!("file:{}", path.display());
        let plain = file.parse::<Spec>().unwrap().build().unwrap();
        let json = |goban: &Goban| named("json").write(goban).unwrap().0;
        for operator in [format!("symmetrize({file})"), format!("pick({file},1)")] {
            let goban = operator.parse::<Spec>().unwrap().build().unwrap();
            assert_eq!(json(&goban), json(&plain));
        }
        let line = format!("line(symmetrize({file}))")
            .parse::<Spec>()
            .unwrap()
            .build();
        assert!(
            line.unwrap_err()
                .to_string()
                .contains("expected the spec of a graph")
        );
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn equivalent_texts_give_the_same_graph() {
    let forms = [
        ("edgelist", "# c\n0 1 {'weight': 2.5}\n1 2 {}\n0 2\n3\n"),
        ("adjlist", "#x\n0 1 2\n1 2\n2\n3\n"),
        ("adjlist", "0: 1 2\n1: 0 2\n2: 0 1\n3:\n"),
        (
            "dimacs",
            "c x\np col 4 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n",
        ),
        (
            "graphml",
            "<?xml version='1.0' encoding='utf-8'?><graphml><graph edgedefault='undirected'><node id='0'/><node id='1'/><node id='2'/><node id='3'/><edge source='0' target='1'/><edge source='1' target='2'/><edge source='2' target='0'/></graph></graphml>",
        ),
        (
            "gml",
            "Creator \"x\"\ngraph [ directed 0 node [ id 5 label \"0\" ] node [ id 6 label \"1\" ] node [ id 7 label \"2\" ] node [ id 8 label \"3\" ]\n edge [ source 5 target 6 value 2 ] edge [ source 6 target 7 ] edge [ source 7 target 5 ] ]",
        ),
        (
            "dot",
            "strict graph \"G\" { node [shape=box]; 0 -- {1 2}; 1:n -- 2 [color=red] 3 }",
        ),
        (
            "dot",
            "graph { subgraph cluster_a { 0; 1 }; 0 -- 1 -- 2 -- 0; 3; label=\"x\" }",
        ),
        (
            "json",
            "{\"directed\":false,\"multigraph\":false,\"graph\":{},\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2},{\"id\":3}],\"links\":[{\"source\":0,\"target\":1},{\"source\":1,\"target\":2},{\"source\":0,\"target\":2}]}",
        ),
        (
            "json",
            "{\"edges\":[{\"source\":0,\"target\":1},{\"source\":1,\"target\":2},{\"source\":0,\"target\":2}],\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2},{\"id\":3}]}",
        ),
        (
            "json",
            "{\"directed\":false,\"multigraph\":false,\"graph\":[],\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2},{\"id\":3}],\"adjacency\":[[{\"id\":1},{\"id\":2}],[{\"id\":0},{\"id\":2}],[{\"id\":0},{\"id\":1}],[]]}",
        ),
        (
            "json",
            "{\"type\":\"custom\",\"coordinates\":[[0,0],[1,0],[0,1],[5,5]],\"adjacencyList\":[[1,2],[0,2],[0,1],[]]}",
        ),
        ("metis", "% x\n4 3 001\n2 7 3 1\n1 7 3 2\n1 1 2 2\n\n"),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate real general\n%x\n4 4 6\n1 2 1\n2 1 1\n1 3 2\n3 1 2\n2 3 1\n3 2 1\n",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix array integer symmetric\n4 4\n0\n1\n1\n0\n0\n1\n0\n0\n0\n0\n",
        ),
        (
            "off",
            "OFF # x\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n1 1 5\n3 0 1 2 255 0 0\n",
        ),
        ("graph6", ">>graph6<<Cw\n"),
        ("sparse6", ">>sparse6<<:CcJ\n"),
    ];
    for (name, text) in forms {
        let goban =
            read_as(name, text).unwrap_or_else(|problem| panic!("{name}: {problem}\n{text}"));
        let pairs: Vec<(usize, usize)> = goban.graph.pairs().collect();
        assert_eq!(
            (goban.graph.vertices(), pairs),
            (4, vec![(0, 1), (0, 2), (1, 2)]),
            "{text}"
        );
        assert_eq!(labels(&goban), ["0", "1", "2", "3"], "{text}");
        assert_eq!(goban.warnings, [""; 0], "{text}");
        if name != "metis" {
            assert_eq!(
                recognized(text, &format!("x.{}", named(name).endings[0])),
                name,
                "{text}"
            );
        }
    }
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
fn repeated_entries_are_parallel_edges() {
    for (name, text) in [
        ("json", r#"{"adjacencyList":[[1,1],[0,0]]}"#),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern general\n2 2 4\n1 2\n1 2\n2 1\n2 1\n",
        ),
    ] {
        let goban = read_as(name, text).unwrap();
        assert_eq!(goban.graph.edges(), 1, "{name}");
        let warning = &goban.warnings[0];
        assert!(
            warning.starts_with("parallel edges merged from 'graph': 2"),
            "{warning}"
        );
    }
    let arc = read_as("json", r#"{"adjacencyList":[[1,1],[]]}"#).unwrap_err();
    assert!(arc.contains("has 1 as a neighbor of 0, but not"), "{arc}");
}

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
fn names_become_labels() {
    let text = "graph { \"New York\"; \"New_York\"; \"pass\"; \"a#b\"; \"\"; }";
    let goban = read_as("dot", text).unwrap();
    assert_eq!(
        labels(&goban),
        ["New_York'", "New_York", "pass_", "a_b", "_"]
    );
    assert_eq!(
        goban.warnings,
        ["names changed in 'graph': 4, the first is 'New York', now 'New_York''"]
    );
    let tuples = read_as("edgelist", "(0, 0) (0, 1) {}\n(0, 0) (1, 0) {}\n").unwrap();
    assert_eq!(labels(&tuples), ["(0,0)", "(0,1)", "(1,0)"]);
    let lists = read_as("json", "{\"nodes\":[{\"id\":[0, 0]},{\"id\":[0, 1]}],\"edges\":[{\"source\":[0,0],\"target\":[0,1]}]}").unwrap();
    assert_eq!(labels(&lists), ["(0,0)", "(0,1)"]);
}

#[test]
fn reads_coordinates_stones_and_weights_of_other_programs() {
    let dot = read_as(
        "dot",
        "graph { a [pos=\"1,2!\", stone=white]; b [pos=\"3,4\" weight=0.50] a -- b [weight=7] }",
    )
    .unwrap();
    let json = read_as("json", "{\"nodes\":[{\"id\":\"a\",\"pos\":[1.0, 2],\"stone\":\"W\"},{\"id\":\"b\",\"x\":3,\"y\":4,\"weight\":0.5}],\"edges\":[{\"source\":\"a\",\"target\":\"b\",\"weight\":7}]}").unwrap();
    let gml = read_as("gml", "graph [ node [ id 1 label \"a\" graphics [ x 1 y -2.0 ] stone \"white\" ] node [ id 2 label \"b\" x 3 y 4 weight 0.5 ] edge [ source 1 target 2 value 7 ] ]").unwrap();
    let notes = Notes {
        weights: Some(vec![None, Some("0.5".parse().unwrap())]),
        edge_weights: vec![((0, 1), 7.0)],
    };
    for goban in [dot, json, gml] {
        assert_eq!(
            *goban.drawing.as_ref().unwrap().places,
            [[1.0, 2.0], [3.0, 4.0]]
        );
        assert_eq!(goban.start, [Some(Color::WHITE), None]);
        assert_eq!(goban.notes, notes);
    }
    let partly = read_as("dot", "graph { a [pos=\"1,2\"]; b }").unwrap();
    assert_eq!(partly.drawing, None);
    assert_eq!(
        partly.warnings,
        ["coordinates ignored in 'graph': some vertices have none"]
    );
}

#[test]
fn content_determines_the_format_before_the_file_ending() {
    for (text, path, name) in [
        ("a b\n", "x.txt", "edgelist"),
        ("2 1\n2\n1\n", "x.graph", "metis"),
        ("a b c\n", "x.adjlist", "adjlist"),
        ("a: b c\n", "x", "adjlist"),
        ("{}", "x.txt", "json"),
        ("\n<graphml>", "x.txt", "graphml"),
        ("c x\nc\np edge 1 0\n", "x.txt", "dimacs"),
        ("# x\nstrict digraph\n{", "x.txt", "dot"),
        ("// x\ngraph g{}", "x", "dot"),
        ("graph\n[\n", "x", "gml"),
        ("Version 1\ngraph [", "x", "gml"),
        ("# x\nOFF\n", "x", "off"),
        ("DQc\n", "x.g6", "graph6"),
        ("IsP@OkWHG\n", "x", "graph6"),
        (":Fa@x^\n", "x", "sparse6"),
        ("graph a\n", "x", "edgelist"),
        ("p q 3\n", "x", "edgelist"),
        ("", "x", "edgelist"),
    ] {
        assert_eq!(recognized(text, path), name, "{text} {path}");
    }
}
