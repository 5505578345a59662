//! Tests of reading and writing in every format.

mod counts;
mod foreign;
mod lists;
mod mango_and_spaces;
mod meshes;
mod neighbors;
mod problems;
mod round_trip;
mod tables;
mod xml;

use super::*;
use crate::model::board_parts::Labels;
use crate::model::notes::Notes;
use crate::spec::Spec;
use omnigo_base::color::Color;
use omnigo_base::points::Points;

/// Returns the bytes as a gzip file.
fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

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

/// Reads a text as a file with this path.
fn read_file(path: &str, text: &str) -> Result<Goban, String> {
    read(text.as_bytes(), path, "'graph'", &Reading::default()).map(board)
}

/// Returns all edges, as the labels of both ends.
fn named_edges(goban: &Goban) -> Vec<String> {
    let labels = labels(goban);
    let pairs = goban.graph.pairs();
    pairs
        .map(|(a, b)| format!("{}-{}", labels[a], labels[b]))
        .collect()
}

fn places(goban: &Goban) -> Vec<[f64; 2]> {
    goban.drawing.as_ref().unwrap().places.to_vec()
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
