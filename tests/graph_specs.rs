//! Board specs: the graphs they mean, the text they print, and what they refuse.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use omnigo::color::Color;
use omnigo::graph::Graph;
use omnigo::graph::families;
use omnigo::graph::goban::Goban;
use omnigo::graph::spec::{Spec, SpecError};
use omnigo::vertex::Vertex;
use proptest::prelude::*;

fn goban(text: &str) -> Goban {
    text.parse::<Spec>()
        .and_then(|spec| spec.build())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    match text.parse::<Spec>().and_then(|spec| spec.build()) {
        Ok(goban) => panic!("{text} gives {} vertices", goban.graph.vertices()),
        Err(error) => error.to_string(),
    }
}

/// Vertices, edges, least and greatest degree.
fn shape(text: &str) -> (usize, usize, usize, usize) {
    let graph = goban(text).graph;
    let degrees: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
    let least = degrees.iter().min().copied().unwrap_or(0);
    (
        graph.vertices(),
        graph.edges(),
        least,
        degrees.into_iter().max().unwrap_or(0),
    )
}

fn edges(text: &str) -> Vec<(usize, usize)> {
    let graph = goban(text).graph;
    let rows = graph.all().flat_map(|a| {
        graph
            .neighbors(a)
            .iter()
            .map(move |&b| (a.index(), b.index()))
    });
    rows.filter(|(a, b)| a < b).collect()
}

fn labels(goban: &Goban) -> Vec<String> {
    goban
        .graph
        .all()
        .map(|v| goban.names.label(v).into_owned())
        .collect()
}

/// Length of the shortest cycle: over every vertex, the first edge that closes one in a breadth-first search.
fn girth(graph: &Graph) -> usize {
    let mut shortest = usize::MAX;
    for root in graph.all() {
        let mut distance = vec![usize::MAX; graph.vertices()];
        let mut parent = vec![Vertex::NONE; graph.vertices()];
        distance[root.index()] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(v) = queue.pop_front() {
            for &w in graph.neighbors(v) {
                if distance[w.index()] == usize::MAX {
                    distance[w.index()] = distance[v.index()] + 1;
                    parent[w.index()] = v;
                    queue.push_back(w);
                } else if parent[v.index()] != w {
                    shortest = shortest.min(distance[v.index()] + distance[w.index()] + 1);
                }
            }
        }
    }
    shortest
}

#[test]
fn shapes() {
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
fn numbering() {
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
fn girths() {
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
fn the_hypercube_is_the_torus_of_four() {
    // x and y in Gray code turn the bits of an index into the coordinates of a wrapped square of side 4.
    let (cube, torus) = (goban("hypercube:4").graph, goban("torus:4").graph);
    let gray = [0, 1, 3, 2];
    let place = |v: Vertex| Vertex::at(gray[v.index() % 4] + 4 * gray[v.index() / 4]);
    for (a, b) in torus.all().flat_map(|a| torus.all().map(move |b| (a, b))) {
        assert_eq!(torus.adjacent(a, b), cube.adjacent(place(a), place(b)));
    }
}

#[test]
fn names_of_vertices() {
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
fn names_of_unions() {
    let union = goban("path:2+path:3+path:1");
    assert_eq!(labels(&union), ["0", "1", "0'", "1'", "2", "0''"]);
    assert_eq!((union.rectangle, union.names.width()), (None, 3));
    let union = goban("grid:2+edges:A1-x");
    assert_eq!(labels(&union), ["A1", "B1", "A2", "B2", "A1'", "x"]);
    assert_eq!(union.rectangle, None);
    assert_eq!(
        union.warnings,
        ["labels 'A2', 'B2' read like the aliases of other vertices, the alias wins"]
    );
    assert_eq!(goban("grid:2+edges:").rectangle, None);
    // A spec that would fill the memory with primes.
    let many = goban(&["path:1"; 65535].join("+"));
    assert_eq!(many.names.find("0'65534"), Some(Vertex::at(65534)));
}

#[test]
fn starting_stones() {
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
fn canonical_text() {
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
fn words_of_a_command() {
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
fn what_a_simple_graph_has_no_place_for() {
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
        (9, "warnings left out: 4992")
    );
}

#[test]
fn refusals() {
    for (text, line) in [
        ("", "empty board spec, expected one such as grid:9x9"),
        (
            "grid",
            "invalid board spec 'grid', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:",
            "invalid board spec 'grid', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:0",
            "invalid board spec 'grid:0', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:-3x4",
            "invalid board spec 'grid:-3x4', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:3x4x5",
            "invalid board spec 'grid:3x4x5', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:9.5",
            "invalid board spec 'grid:9.5', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:9 x9",
            "invalid board spec 'grid:9 x9', expected grid:WxH with numbers from 1",
        ),
        (
            "grid3d:2x2",
            "invalid board spec 'grid3d:2x2', expected grid3d:AxBxC with numbers from 1",
        ),
        (
            "bipartite:3",
            "invalid board spec 'bipartite:3', expected bipartite:AxB with numbers from 1",
        ),
        (
            "path:0",
            "invalid board spec 'path:0', expected path:N with numbers from 1",
        ),
        (
            "komipath:1",
            "invalid board spec 'komipath:1', expected komipath:N with numbers from 2",
        ),
        (
            "petersen:3",
            "invalid board spec 'petersen:3', expected petersen without arguments",
        ),
        (
            "edges:a-b,,c",
            "invalid edge '', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a-",
            "invalid edge 'a-', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a-b-c",
            "invalid edge 'a-b-c', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a/b-c",
            "invalid vertex name 'a/b', expected letters, digits, _ . or ', and neither pass nor resign",
        ),
        (
            "edges:a-Pass",
            "invalid vertex name 'Pass', expected letters, digits, _ . or ', and neither pass nor resign",
        ),
        (
            "graph6:",
            "invalid board spec 'graph6', expected graph6:TEXT such as graph6:IsP@OkWHG",
        ),
        (
            "graph6:IsP@OkW",
            "invalid graph6 'IsP@OkW': 6 characters after the number of vertices, expected 8 for 10",
        ),
        (
            "file:",
            "invalid board spec 'file', expected file:PATH with the path of a file",
        ),
        (
            "grid:9+",
            "invalid board spec 'grid:9+' at '+', expected family or family:arguments, joined by + without spaces",
        ),
        (
            " grid:9",
            "invalid board spec ' grid:9' at ' grid:9', expected family or family:arguments, joined by + without spaces",
        ),
        (
            "grid:99999999999x2",
            "too many vertices in 'grid:99999999999x2', expected at most 65535",
        ),
        (
            "grid:256",
            "too many vertices in 'grid:256x256', expected at most 65535",
        ),
        (
            "path:99999999999999999999999",
            "too many vertices in 'path:99999999999999999999999', expected at most 65535",
        ),
        (
            "grid3d:60000x60000x60000",
            "too many vertices in 'grid3d:60000x60000x60000', expected at most 65535",
        ),
        (
            "complete:60000",
            "too many edges in 'complete:60000', expected at most 4000000",
        ),
        (
            "complete:2829",
            "too many edges in 'complete:2829', expected at most 4000000",
        ),
        (
            "bipartite:3000x3000",
            "too many edges in 'bipartite:3000x3000', expected at most 4000000",
        ),
        (
            "hypercube:16",
            "too many vertices in 'hypercube:16', expected at most 65535",
        ),
        (
            "hypercube:40",
            "too many vertices in 'hypercube:40', expected at most 65535",
        ),
        (
            "hypercube:64",
            "too many vertices in 'hypercube:64', expected at most 65535",
        ),
        (
            "star:65535",
            "too many vertices in 'star:65535', expected at most 65535",
        ),
        (
            "path:40000+path:40000",
            "too many vertices in 'path:40000+path:40000', expected at most 65535",
        ),
        (
            "complete:2800+complete:500",
            "too many edges in 'complete:2800+complete:500', expected at most 4000000",
        ),
    ] {
        assert_eq!(refusal(text), line, "{text}");
    }
    let line = refusal("gird:9");
    assert!(
        line.starts_with("unknown graph family 'gird', expected one of grid, torus, cylinder, "),
        "{line}"
    );
    let nested = format!("{}grid:9{}", "(".repeat(400_000), ")".repeat(400_000));
    assert!(refusal(&nested).starts_with("parentheses 400000 deep in board spec, "));
    assert_eq!(
        refusal(&"x".repeat(2_000_000)),
        "board spec of 2000000 bytes, expected at most 1048576"
    );
    let operands = ["edges"; 70_000].join("+");
    assert_eq!(
        refusal(&operands),
        "board spec of 70000 operands, expected at most 65535"
    );
    assert_eq!(
        Spec::grid(0, 9).unwrap_err().to_string(),
        refusal("grid:0x9")
    );
}

#[test]
fn the_largest_boards() {
    assert_eq!(shape("complete:2828").1, 3_997_378);
    assert_eq!(shape("hypercube:15").0, 32_768);
    assert_eq!(shape("king:255x257").0, 65_535);
}

/// A file that is removed when the test ends.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, bytes: &[u8]) -> TemporaryFile {
        let path =
            std::env::temp_dir().join(format!("omnigo_graph_specs_{}_{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        TemporaryFile(path)
    }

    fn spec(&self) -> String {
        format!("file:{}", self.0.display())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn files() {
    let file = TemporaryFile::new(
        "square+tail.txt",
        b"# square\r\na b\r\nb c\r\nc d\r\nd a\r\n",
    );
    let board = goban(&format!("path:2+{}", file.spec()));
    assert_eq!(labels(&board), ["0", "1", "a", "b", "c", "d"]);
    assert_eq!(board.graph.edges(), 5);
    assert_eq!(board.spec.to_string(), format!("path:2+{}", file.spec()));

    let file = TemporaryFile::new("latin1", b"a b\nc \xe9\n");
    assert!(refusal(&file.spec()).ends_with(": line 2, column 3: not valid UTF-8, expected text"));
    let file = TemporaryFile::new(
        "many",
        (0..40_000)
            .map(|v| format!("{v}\n"))
            .collect::<String>()
            .as_bytes(),
    );
    assert!(
        refusal(&format!("path:40000+{}", file.spec()))
            .starts_with("too many vertices in 'path:40000+file:")
    );
    assert!(
        refusal("file:no such file")
            .starts_with("invalid file 'no such file': it cannot be read, ")
    );
    let folder = format!("file:{}", std::env::temp_dir().display());
    assert!(refusal(&folder).ends_with("it is no regular file, expected a graph"));
}

#[test]
fn the_list_of_families() {
    let names: Vec<&str> = families::list().map(|(name, ..)| name).collect();
    for name in [
        "grid",
        "torus",
        "cylinder",
        "king",
        "path",
        "cycle",
        "complete",
        "bipartite",
        "star",
        "wheel",
        "hypercube",
        "grid3d",
        "petersen",
        "edges",
        "graph6",
        "komipath",
        "file",
    ] {
        assert!(names.contains(&name), "{name}");
    }
}

/// Text of one operand that is within the limits.
fn operand() -> impl Strategy<Value = String> {
    let side = 1..12usize;
    prop_oneof![
        (
            "grid|torus|cylinder|king|bipartite",
            side.clone(),
            side.clone()
        )
            .prop_map(|(f, w, h)| format!("{f}:{w}x{h}")),
        (
            "grid|torus|cylinder|king|path|cycle|complete|star|wheel|grid3d",
            side.clone()
        )
            .prop_map(|(f, n)| format!("{f}:{n}")),
        (side.clone(), side.clone(), side).prop_map(|(a, b, c)| format!("grid3d:{a}x{b}x{c}")),
        (0..8usize).prop_map(|d| format!("hypercube:{d}")),
        (2..30usize).prop_map(|n| format!("komipath:{n}")),
        Just("petersen".to_string()),
        prop::collection::vec("[a-c0-3]'?|[a-d0-3]-[a-d0-3]", 0..12)
            .prop_map(|items| format!("edges:{}", items.join(","))),
        "[?@]|A[?_~]".prop_map(|text| format!("graph6:{text}")),
        "D[?-~]{2}".prop_map(|text| format!("graph6:{text}")),
        "I[?-~]{8}".prop_map(|text| format!("graph6:{text}")),
    ]
}

/// Text that is nearly a spec.
fn garbage() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        operand(),
        Just("+".to_string()),
        "[a-z0-9]{1,9}",
        "(grid|torus|hypercube|complete|graph6|edges|komipath|petersen|grid3d):[0-9x,+~?&:-]{0,12}",
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn specs_round_trip(operands in prop::collection::vec(operand(), 1..5)) {
        let text = operands.join("+");
        let spec: Spec = text.parse().unwrap();
        let canonical = spec.to_string();
        let again: Spec = canonical.parse().unwrap();
        prop_assert_eq!(&again, &spec);
        prop_assert_eq!(again.to_string(), canonical);

        let (board, same) = (spec.build().unwrap(), again.build().unwrap());
        prop_assert_eq!(&board.graph, &same.graph);
        prop_assert_eq!(&board.start, &same.start);
        prop_assert_eq!(labels(&board), labels(&same));
        prop_assert_eq!(board.start.len(), board.graph.vertices());
        prop_assert_eq!(board.names.vertices(), board.graph.vertices());
    }

    #[test]
    fn every_vertex_has_names_of_its_own(operands in prop::collection::vec(operand(), 1..5)) {
        let board = goban(&operands.join("+"));
        let mut labels = labels(&board);
        for v in board.graph.all() {
            prop_assert_eq!(board.names.find(&board.names.alias(v)), Some(v));
            let label = board.names.label(v);
            prop_assert!(board.names.find(&label) == Some(v) || board.names.clash().is_some());
        }
        labels.sort_unstable();
        labels.dedup();
        prop_assert_eq!(labels.len(), board.graph.vertices());
    }

    #[test]
    fn a_union_is_its_parts(a in operand(), b in operand()) {
        let (first, second, both) = (goban(&a), goban(&b), goban(&format!("{a}+{b}")));
        prop_assert_eq!(both.graph.vertices(), first.graph.vertices() + second.graph.vertices());
        prop_assert_eq!(both.graph.edges(), first.graph.edges() + second.graph.edges());
        for v in first.graph.all() {
            prop_assert_eq!(both.graph.neighbors(v), first.graph.neighbors(v));
        }
    }

    #[test]
    fn garbage_is_refused_in_one_line(text in garbage()) {
        // A path in the text would read whatever lies there.
        prop_assume!(!text.to_ascii_lowercase().contains("file:"));
        let words: Vec<&str> = text.split_whitespace().collect();
        for spec in [text.parse::<Spec>(), Spec::from_words(&words)] {
            match spec {
                Ok(spec) => prop_assert_eq!(&spec.to_string().parse::<Spec>().unwrap(), &spec),
                Err(error) => {
                    let line = error.to_string();
                    prop_assert!(!line.is_empty() && !line.contains(['\n', '\r']), "{:?}", line);
                }
            }
        }
    }
}
