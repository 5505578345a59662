//! Written boards are read back, and corrupted files are refused or read as boards.

use proptest::prelude::*;

use super::*;
use crate::model::drawing::Drawing;

/// Returns three flags of a format: it holds labels, coordinates, and other attributes.
fn holds(name: &str) -> (bool, bool, bool) {
    let labels = ["edgelist", "adjlist", "graphml", "gml", "dot", "json"].contains(&name);
    let notes = ["graphml", "gml", "dot", "json"].contains(&name);
    (labels, notes || name == "off", notes)
}

fn check_round_trip(goban: &Goban, format: &Format) {
    let name = format.name;
    if format.write.is_none() {
        return;
    }
    let Ok((text, _)) = format.write(goban) else {
        assert!(
            ["edgelist", "adjlist"].contains(&name),
            "{name} is not written"
        );
        return;
    };
    let back = match read_as(name, &text) {
        Ok(back) => back,
        Err(problem) => panic!("{name}: {problem}\n{text}"),
    };
    assert_eq!(back.graph, goban.graph, "{name}\n{text}");
    let (holds_labels, holds_places, holds_notes) = holds(name);
    if holds_labels {
        assert_eq!(labels(&back), labels(goban), "{name}\n{text}");
    }
    if holds_places {
        let places = |goban: &Goban| {
            let drawing = goban.drawing.clone()?;
            Some((drawing.solid, drawing.places))
        };
        assert_eq!(places(&back), places(goban), "{name}\n{text}");
    }
    if holds_notes {
        assert_eq!(back.start, goban.start, "{name}\n{text}");
        assert_eq!(back.notes, goban.notes, "{name}\n{text}");
    }
    if name == "edgelist" {
        assert_eq!(
            back.notes.edge_weights, goban.notes.edge_weights,
            "{name}\n{text}"
        );
    }
    let again = format.write(&back).unwrap().0;
    if holds_labels || !text.contains('"') {
        assert_eq!(again, text, "{name} is written otherwise the second time");
    }
    if name != "metis" && name != "graph6" && goban.graph.vertices() > 0 {
        let told = recognized(&text, "graph");
        assert!(
            told == name || (name == "edgelist" && told == "adjlist"),
            "{name} reads as {told}\n{text}"
        );
    }
}

/// Generates boards of up to nine vertices with everything that a file can hold.
fn boards() -> impl Strategy<Value = Goban> {
    let word = "[a-zA-Z0-9_.é\"'\\\\<&>:,(){}%;=+*\\[\\]-]{1,5}";
    (0usize..10).prop_flat_map(move |n| {
        let ends = 0..n.max(1) as u16;
        let edges = proptest::collection::vec(
            (ends.clone(), ends, proptest::option::of(-9.5f64..9.5)),
            0..20,
        );
        let labels = proptest::option::of(proptest::collection::hash_set(word, n));
        let stones = proptest::collection::vec(proptest::option::of(0usize..8), n);
        let weights = proptest::collection::vec(proptest::option::of(-500i64..500), n);
        let places = proptest::option::of(proptest::collection::vec(
            (-1e3..1e3f64, -1e-3..1e-3f64, -2..3i8),
            n,
        ));
        (edges, labels, stones, weights, places, any::<[bool; 3]>()).prop_map(
            move |(edges, labels, stones, weights, places, with)| {
                let mut part = BoardParts::new(n, []);
                let mut seen = std::collections::HashSet::new();
                for (a, b, weight) in edges {
                    let edge = (a.min(b), a.max(b));
                    if a == b || n == 0 || !seen.insert(edge) {
                        continue;
                    }
                    part.edges.push(edge);
                    part.notes
                        .edge_weights
                        .extend(weight.filter(|_| with[0]).map(|w| (edge, w)));
                }
                part.notes.edge_weights.sort_by_key(|(edge, _)| *edge);
                if let Some(labels) = labels {
                    let mut labels: Vec<String> = labels.into_iter().collect();
                    labels.sort();
                    if labels
                        .iter()
                        .all(|label| crate::model::names::is_label(label))
                        && labels.iter().any(|label| label.parse::<usize>().is_err())
                    {
                        part.labels = Labels::Own(labels);
                    }
                }
                if with[1] {
                    part.start = stones
                        .iter()
                        .map(|stone| stone.and_then(Color::from_index))
                        .collect();
                }
                let weights: Vec<Option<Points>> = weights
                    .iter()
                    .map(|weight| weight.map(|weight| Points::last_of(3) * weight))
                    .collect();
                if with[2] && weights.iter().any(Option::is_some) {
                    part.notes.weights = Some(weights);
                }
                let drawing = places.and_then(|places| {
                    let point = |&(x, y, z): &(f64, f64, i8)| [x, y, f64::from(z)];
                    let points: Vec<[f64; 3]> = places.iter().map(point).collect();
                    Drawing::of_points(&points).ok().flatten()
                });
                board(match drawing {
                    Some(drawing) => part.drawn(drawing),
                    None => part,
                })
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn written_boards_are_read_back(goban in boards()) {
        for format in FORMATS {
            check_round_trip(&goban, format);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        for format in FORMATS {
            let reading = Reading { from: Some(format), symmetrize: true, ..Reading::default() };
            let _ = read(&bytes, "x", "'x'", &reading);
        }
        let _ = read(&bytes, "x", "'x'", &Reading::default());
    }

    #[test]
    fn damaged_files_give_a_board_or_one_line(
        goban in boards(),
        spoil in proptest::collection::vec((any::<prop::sample::Index>(), "[ -~\n]{0,3}", 0usize..6), 1..4),
    ) {
        for format in FORMATS {
            let Ok((mut text, _)) = format.write(&goban) else { continue };
            for (place, piece, taken) in &spoil {
                let start = place.index(text.len() + 1);
                let end = (start + taken).min(text.len());
                if text.is_char_boundary(start) && text.is_char_boundary(end) {
                    text.replace_range(start..end, piece);
                }
            }
            if let Err(problem) = read_as(format.name, &text) {
                prop_assert_eq!(problem.lines().count(), 1, "{}", problem);
            }
            let _ = read(text.as_bytes(), "x", "'x'", &Reading { symmetrize: true, ..Reading::default() });
        }
    }
}

/// Without a first comment, the first and the last of these lists would be read as matrices.
#[test]
fn lists_in_the_shape_of_a_matrix_are_read_back() {
    for text in [
        "0 1 2\n1 2 3\n2 3 5\n0\n",
        "x a\na 5\n",
        "10\n11\n",
        "10\n11\n10\n",
    ] {
        let goban = read_as("edgelist", text).unwrap();
        check_round_trip(&goban, named("edgelist"));
    }
}

#[test]
fn edge_lists_that_begin_like_other_files_are_read_back() {
    for edges in [
        [["source", "target"], ["target", "x"]],
        [["from", "to"], ["to", "x"]],
        [["id", "label"], ["label", "x"]],
        [["OFF", "ON"], ["ON", "x"]],
        [["//a", "b"], ["b", "c"]],
        [["*vertices", "2"], ["2", "c"]],
        [["\u{feff}a", "b"], ["b", "c"]],
        [["a;b", "c"], ["c", "d;e"]],
    ] {
        let [[a, b], [c, d]] = edges;
        let text = format!("graph {{ \"{a}\" -- \"{b}\"; \"{c}\" -- \"{d}\"; }}");
        let goban = read_as("dot", &text).unwrap();
        let (list, _) = named("edgelist").write(&goban).unwrap();
        let back = read(list.as_bytes(), "list.txt", "'list'", &Reading::default());
        let back = board(back.unwrap_or_else(|problem| panic!("{list}{problem}")));
        assert_eq!(labels(&back), labels(&goban), "{list}");
        assert_eq!(back.graph, goban.graph, "{list}");
    }
    let plain = "path:3".parse::<Spec>().unwrap().build().unwrap();
    assert_eq!(named("edgelist").write(&plain).unwrap().0, "0 1\n1 2\n");
}

#[test]
fn boards_of_families_are_read_back() {
    for spec in [
        "grid:5x3",
        "torus:4x4",
        "petersen",
        "komipath:5",
        "edges:",
        "edges:a,b-c",
        "hexhex:3",
        "grid3d:3x2x2",
        "grid:2x2+star:4",
    ] {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        for format in FORMATS.iter().filter(|format| format.write.is_some()) {
            let written = format.write(&goban);
            // An empty edge list would be the same as an empty file.
            if goban.graph.vertices() == 0 && format.name == "edgelist" {
                assert!(written.is_err());
                continue;
            }
            let (text, _) = written.unwrap();
            let back = read_as(format.name, &text).unwrap();
            assert_eq!(back.graph, goban.graph, "{spec} {}", format.name);
            let (holds_labels, _, holds_stones) = holds(format.name);
            if holds_labels {
                assert_eq!(labels(&back), labels(&goban), "{spec} {}", format.name);
            }
            if holds_stones {
                assert_eq!(back.start, goban.start, "{spec} {}", format.name);
            }
        }
    }
}
