//! Meaning of specs: shapes, vertex numbers, names, and canonical text.

use super::*;

#[test]
fn specs_have_the_expected_shapes() {
    for (text, expected) in [
        ("grid:1", (1, 0, 0, 0)),
        ("grid:9", (81, 144, 2, 4)),
        ("grid:9x7", (63, 110, 2, 4)),
        ("grid:65535x1", (65535, 65534, 1, 2)),
        ("cylinder:9x5", (45, 81, 3, 4)),
        ("cylinder:2x3", (6, 7, 2, 3)),
        ("cylinder:1x3", (3, 2, 1, 2)),
        ("torus:4x4", (16, 32, 4, 4)),
        ("torus:2x2", (4, 4, 2, 2)),
        ("torus:1x5", (5, 5, 2, 2)),
        ("torus:1x1", (1, 0, 0, 0)),
        ("king:3x3", (9, 20, 3, 8)),
        ("king:7x7", (49, 156, 3, 8)),
        ("path:7", (7, 6, 1, 2)),
        ("cycle:12", (12, 12, 2, 2)),
        ("cycle:1", (1, 0, 0, 0)),
        ("cycle:2", (2, 1, 1, 1)),
        ("complete:5", (5, 10, 4, 4)),
        ("bipartite:3x4", (7, 12, 3, 4)),
        ("star:5", (6, 5, 1, 5)),
        ("wheel:6", (7, 12, 3, 6)),
        ("wheel:1", (2, 1, 1, 1)),
        ("hypercube:0", (1, 0, 0, 0)),
        ("hypercube:4", (16, 32, 4, 4)),
        ("grid3d:4x4x4", (64, 144, 3, 6)),
        ("grid3d:2x3x4", (24, 46, 3, 5)),
        ("petersen", (10, 15, 3, 3)),
        ("graph6:IsP@OkWHG", (10, 15, 3, 3)),
        ("graph6:?", (0, 0, 0, 0)),
        ("edges:0-1,1-2,2-0,5", (4, 3, 0, 2)),
        ("edges:", (0, 0, 0, 0)),
        ("edges", (0, 0, 0, 0)),
        ("komipath:7", (7, 6, 1, 2)),
        ("path:2+cycle:3+petersen", (15, 19, 1, 3)),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn vertex_numbers_follow_the_families() {
    assert_eq!(
        edges("grid:3x2"),
        [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]
    );
    assert_eq!(
        edges("cylinder:3x2"),
        [
            (0, 1),
            (0, 2),
            (0, 3),
            (1, 2),
            (1, 4),
            (2, 5),
            (3, 4),
            (3, 5),
            (4, 5)
        ]
    );
    assert_eq!(edges("bipartite:1x2"), [(0, 1), (0, 2)]);
    assert_eq!(
        edges("wheel:3"),
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    );
    assert_eq!(edges("hypercube:2"), [(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(edges("grid3d:2x1x2"), [(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(edges("edges:2-0,1-2"), [(0, 2), (1, 2)]);
    assert_eq!(
        edges("edges:2-0,3-2"),
        [(0, 1), (0, 2)],
        "2, 0 and 3 are no indices"
    );
    assert_eq!(edges("path:2+path:2"), [(0, 1), (2, 3)]);
}

#[test]
fn graphs_have_the_expected_girths() {
    for (text, expected) in [
        ("petersen", 5),
        ("graph6:IsP@OkWHG", 5),
        ("hypercube:4", 4),
        ("torus:4x4", 4),
        ("torus:3x7", 3),
        ("cycle:9", 9),
        ("path:5", usize::MAX),
    ] {
        assert_eq!(girth(&goban(text).graph), expected, "{text}");
    }
}

#[test]
fn hypercube_4_is_isomorphic_to_torus_4() {
    // x and y in Gray code turn the bits of an index into coordinates on a torus of side 4.
    let (cube, torus) = (goban("hypercube:4").graph, goban("torus:4").graph);
    let gray = [0, 1, 3, 2];
    let place = |v: Vertex| Vertex::at(gray[v.index() % 4] + 4 * gray[v.index() / 4]);
    for (a, b) in torus.all().flat_map(|a| torus.all().map(move |b| (a, b))) {
        assert_eq!(torus.adjacent(a, b), cube.adjacent(place(a), place(b)));
    }
}

#[test]
fn vertices_have_labels_and_aliases() {
    let torus = goban("torus:3x2");
    assert_eq!(labels(&torus), ["A1", "B1", "C1", "A2", "B2", "C2"]);
    assert_eq!(
        (torus.names.width(), torus.names.height(), torus.rectangle),
        (3, 2, None)
    );
    assert_eq!(goban("grid:3x2").rectangle, Some((3, 2)));

    let path = goban("path:5");
    assert_eq!(labels(&path), ["0", "1", "2", "3", "4"]);
    assert_eq!((path.names.width(), path.names.height()), (3, 2));
    assert_eq!(path.names.find("4"), path.names.find("b2"));

    let named = goban("edges:a-b,b-c,c-d,d-a");
    assert_eq!(labels(&named), ["a", "b", "c", "d"]);
    assert_eq!(named.names.find("c"), named.names.find("A2"));
    assert_eq!(labels(&goban("edges:1-2,2-3")), ["1", "2", "3"]);
    assert_eq!(labels(&goban("edges:2-1,1-0")), ["0", "1", "2"]);
}

#[test]
fn labels_in_unions_are_unique() {
    let union = goban("path:2+path:3+path:1");
    assert_eq!(labels(&union), ["0", "1", "0'", "1'", "2", "0''"]);
    assert_eq!((union.rectangle, union.names.width()), (None, 3));
    let union = goban("grid:2+edges:A1-x");
    assert_eq!(labels(&union), ["A1", "B1", "A2", "B2", "A1'", "x"]);
    assert_eq!(union.rectangle, None);
    assert_eq!(
        union.warnings,
        ["labels 'A2', 'B2' match the aliases of other vertices, the aliases take precedence"]
    );
    assert_eq!(goban("grid:2+edges:").rectangle, None);
    // With this many operands, writing every prime sign would fill the memory.
    let many = goban(&["path:1"; 65535].join("+"));
    assert_eq!(many.names.find("0'65534"), Some(Vertex::at(65534)));
}

#[test]
fn komipath_starts_with_white_stones() {
    let white = Some(Color::WHITE);
    assert_eq!(goban("komipath:5").start, [None, white, white, white, None]);
    assert_eq!(goban("komipath:2").start, [None, None]);
    assert_eq!(
        goban("path:1+komipath:3+path:1").start,
        [None, None, white, None, None]
    );
    assert_eq!(goban("grid:2").start, [None; 4]);
}

#[test]
fn specs_print_in_canonical_form() {
    for (text, canonical) in [
        ("grid:9", "grid:9x9"),
        ("GRID:09X7", "grid:9x7"),
        ("torus:3", "torus:3x3"),
        ("cylinder:3", "cylinder:3x3"),
        ("king:3", "king:3x3"),
        ("grid3d:3", "grid3d:3x3x3"),
        ("petersen:", "petersen"),
        ("edges", "edges:"),
        ("edges:a-b,b-a,c-c,c,b-c,d", "edges:a-b,c,b-c,d"),
        ("graph6:>>graph6<<DQc", "graph6:DQc"),
        ("graph6:~??DQc", "graph6:DQc"),
        ("path:1+grid:2+path:1", "path:1+grid:2x2+path:1"),
        ("path:1+FILE:a+b c.txt ", "path:1+file:a+b c.txt "),
    ] {
        let spec: Spec = text.parse().unwrap();
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(canonical.parse::<Spec>().unwrap(), spec);
    }
}

#[test]
fn command_words_form_a_spec() {
    for (words, canonical) in [
        (&["torus:9x9"][..], "torus:9x9"),
        (&["torus", "9", "7"], "torus:9x7"),
        (&["torus", "9x7"], "torus:9x7"),
        (&["Torus", "9"], "torus:9x9"),
        (&["petersen"], "petersen"),
        (&["bipartite", "3", "4"], "bipartite:3x4"),
        (&["grid3d", "2", "3", "4"], "grid3d:2x3x4"),
        (&["edges", "0-1", "1-2"], "edges:0-1,1-2"),
        (&["file", "my", "graph"], "file:my graph"),
        (&["path:2+file:my", "graph"], "path:2+file:my graph"),
    ] {
        assert_eq!(Spec::from_words(words).unwrap().to_string(), canonical);
    }
    for (words, line) in [
        (&[][..], "empty board spec, expected one such as grid:9x9"),
        (
            &["torus:9", "9"],
            "invalid board spec 'torus:9 9' at ' 9', expected family or family:arguments, joined by + without spaces",
        ),
        (
            &["petersen", "3"],
            "invalid board spec 'petersen:3', expected petersen without arguments",
        ),
    ] {
        assert_eq!(Spec::from_words(words).unwrap_err().to_string(), line);
    }
    assert!(
        matches!(Spec::from_words(&["tours", "9"]), Err(SpecError::UnknownFamily(name)) if name == "tours")
    );
}

#[test]
fn loops_and_parallel_edges_are_dropped_with_warnings() {
    let dropped = goban("edges:a-b,b-a,a-a,a-b");
    assert_eq!(
        dropped.warnings,
        [
            "self-loops dropped from edges: 1, the first is 'a-a'",
            "parallel edges merged from edges: 2, the first is 'b-a'"
        ]
    );
    assert_eq!(dropped.graph.edges(), 1);
    assert!(goban("torus:1x2").warnings.is_empty());
    let many = goban(&["edges:a-a"; 5000].join("+")).warnings;
    assert_eq!(
        (many.len(), many[8].as_str()),
        (9, "further warnings omitted: 4992")
    );
}
