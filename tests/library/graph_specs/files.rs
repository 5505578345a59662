//! Specs of files, the list of families, and random text.

use super::*;

/// A file in a folder of its own, which is removed at the end of the test.
struct TemporaryFile {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl TemporaryFile {
    fn new(name: &str, bytes: &[u8]) -> TemporaryFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        TemporaryFile {
            path,
            _folder: folder,
        }
    }

    fn spec(&self) -> String {
        format!("file:{}", self.path.display())
    }
}

#[test]
fn file_specs_read_lists_and_reject_bad_files() {
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
            .starts_with("invalid file 'no such file': it cannot be read: ")
    );
    let folder = format!("file:{}", std::env::temp_dir().display());
    assert!(refusal(&folder).ends_with("it is not a regular file, expected a graph"));
}

#[test]
fn truncated_files_are_rejected() {
    let board = goban("torus:4x4");
    // The other formats have no end mark, and do not state the number of edges or state it in a
    // form that is not checked.
    for name in ["graph6", "graphml", "gml", "dot", "json", "metis", "mtx"] {
        let format = Format::find(name).unwrap();
        let (text, _) = format.write(&board).unwrap();
        let text = text.trim_end();
        let ending = format.endings[0];
        let whole = TemporaryFile::new(&format!("whole.{ending}"), text.as_bytes());
        assert_eq!(goban(&whole.spec()).graph.edges(), 32, "{name}");
        for quarters in 1..4 {
            let part = &text.as_bytes()[..text.len() * quarters / 4];
            let file = TemporaryFile::new(&format!("part{quarters}.{ending}"), part);
            let told = refusal(&file.spec());
            assert!(told.starts_with("invalid file '"), "{name}: {told}");
        }
    }
}

#[test]
fn operators_choose_how_files_are_read() {
    let arcs = TemporaryFile::new("arcs.dot", b"digraph { a -> b -> c [weight=2] }");
    assert!(refusal(&arcs.spec()).contains("symmetrize(...)"));
    let board = goban(&format!("symmetrize({})", arcs.spec()));
    assert_eq!(
        (labels(&board), board.graph.edges()),
        (vec!["a".into(), "b".into(), "c".into()], 2)
    );
    assert_eq!(
        board.spec.to_string(),
        format!("symmetrize({})", arcs.spec())
    );
    assert_eq!(board.notes.edge_weight(1, 2), Some(2.0));

    let several = [
        ("several.g6", "A_\nBw\nCR\n"),
        (
            "several.dot",
            "digraph { a -> b } graph { a -- b -- c -- a } graph { x }",
        ),
        (
            "several.gml",
            "graph [ directed 1 node [ id 0 ] ] graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 2 target 0 ] ] graph [ ]",
        ),
        (
            "several.graphml",
            "<graphml><graph edgedefault='directed'><node id='0'/></graph><graph edgedefault='undirected'><node id='0'/><node id='1'/><node id='2'/><edge source='0' target='1'/><edge source='1' target='2'/><edge source='2' target='0'/></graph><graph/></graphml>",
        ),
    ];
    for (name, text) in several {
        let file = TemporaryFile::new(name, text.as_bytes());
        let spec = format!("pick({},2)", file.spec());
        let board = goban(&spec);
        assert_eq!(
            (board.graph.vertices(), board.graph.edges()),
            (3, 3),
            "{name}"
        );
        assert_eq!(board.warnings, [""; 0], "{name}");
        assert_eq!(board.spec.to_string(), spec);
        let told = refusal(&format!("pick({},4)", file.spec()));
        assert!(
            told.contains("3 graphs, expected number 4"),
            "{name}: {told}"
        );
    }
    let list = TemporaryFile::new("one.edgelist", b"a b\n");
    assert!(refusal(&format!("pick({},2)", list.spec())).contains("holds one graph"));
    assert!(refusal("pick(path:3,1)").contains("with a file"));
}

#[test]
fn edges_specs_accept_coordinates() {
    let board = goban("edges:a-b,b-c,a@0/0,b@1/0.50,c@-2/0");
    assert_eq!(board.spec.to_string(), "edges:a-b,b-c,a@0/0,b@1/0.5,c@-2/0");
    let drawing = board.drawing.as_ref().unwrap();
    assert_eq!(*drawing.places, [[0.0, 0.0], [1.0, 0.5], [-2.0, 0.0]]);
    let numbers = goban("edges:1@1/0,0@0/0,0-1");
    assert_eq!(
        *numbers.drawing.as_ref().unwrap().places,
        [[0.0, 0.0], [1.0, 0.0]]
    );
    let partly = goban("edges:a-b,a@0/0");
    assert!(partly.drawing.is_none());
    assert!(partly.warnings[0].contains("some vertices have none"));
    for spec in [
        "edges:a@0",
        "edges:a@x/0",
        "edges:a@0/0,a@1/1",
        "edges:a-b@0/0",
        "edges:@0/0",
        "edges:a@inf/0",
    ] {
        assert!(spec.parse::<Spec>().is_err(), "{spec}");
    }
}

#[test]
fn the_family_list_has_the_basic_families() {
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

/// Generates the text of one operand within the limits.
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

/// Generates text that resembles a spec.
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
    fn every_vertex_has_unique_names(operands in prop::collection::vec(operand(), 1..5)) {
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
    fn a_union_consists_of_its_parts(a in operand(), b in operand()) {
        let (first, second, both) = (goban(&a), goban(&b), goban(&format!("{a}+{b}")));
        prop_assert_eq!(both.graph.vertices(), first.graph.vertices() + second.graph.vertices());
        prop_assert_eq!(both.graph.edges(), first.graph.edges() + second.graph.edges());
        for v in first.graph.all() {
            prop_assert_eq!(both.graph.neighbors(v), first.graph.neighbors(v));
        }
    }

    #[test]
    fn garbage_is_rejected_with_one_line(text in garbage()) {
        // A path in the text would read an arbitrary file.
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
