//! JSON format of Mango sets:
//! `{"kind":"mango","vertices":3,"edges":[[0,1],[1,2]],"weights":[1,0.5,1],"threshold":">0",…}`.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::object::{Coordinates, Decimal, List, Object, refusal};
use super::stones;
use super::write::{end, label_list};
use crate::Graph;
use crate::formats::parse_error::ParseError;
use crate::model::board_parts::{BoardParts, Labels};
use crate::model::drawing::Drawing;
use crate::model::goban::{Goban, Surface};
use crate::model::mango::{Mango, Threshold};
use crate::model::names::is_label;
use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

const KEYS: &str = "kind, vertices, edges, weights, threshold, black, white, another color, scores, first, labels or coordinates";
const VERTICES: &str =
    "a number of vertices up to 65535 (use a finite window of an infinite board)";
const EDGES: &str = "pairs of vertices such as [[0,1],[1,2]], at most 4000000";
const WEIGHTS: &str = "a decimal such as 0.25 for each vertex, with at most 9 digits before the point and 18 after it";
const THRESHOLD: &str =
    "\">r\", \">=r\", \"odd\" or a list of at most 1024 closed intervals such as [[1,2],[5,9]]";
const SCORES: &str = "two decimals, for Black and White";
const FIRST: &str = "\"black\" or \"white\"";
const PLACES: &str = "coordinates such as [0, 1] for each vertex";
const LABELS: &str = "a unique name for each vertex, a printable word, and neither pass nor resign";

/// Maximum number of intervals in a threshold. Each sum is compared to all of them.
const MOST_INTERVALS: usize = 1024;

/// List with at most one item per vertex.
type PerVertex<T> = List<T, { Vertex::LIMIT }>;

/// Reads the rest of an object of this kind. Errors name the key.
pub(super) fn read(mut object: Object<'_>, source: &str) -> Result<BoardParts, ParseError> {
    if object.take::<&RawValue>("infinite", "")?.is_some() {
        return Err(object.wrong(
            "infinite",
            &[],
            "key 'infinite': infinite boards are not supported, expected a finite window such as \
             examples/mango/window-9x9.json",
        ));
    }
    let vertices: usize = object.need("vertices", VERTICES)?;
    if vertices > Vertex::LIMIT {
        let problem = refusal("vertices", &vertices.to_string(), VERTICES);
        return Err(object.wrong("vertices", &[], problem));
    }
    let edges: List<(usize, usize), { Graph::MAX_EDGES }> = object.need("edges", EDGES)?;
    let edges = simple(&object, edges.0, vertices)?;
    let weights = match object.take::<PerVertex<Decimal>>("weights", WEIGHTS)? {
        Some(List(weights)) => counted(&object, "weights", weights, vertices, WEIGHTS)?,
        None => (0..vertices).map(|_| Decimal(Points::whole(1))).collect(),
    };
    let weights: Vec<Points> = weights.into_iter().map(|Decimal(weight)| weight).collect();
    let start = stones::read(&mut object, vertices, "vertex")?;
    let mango = rules(&mut object, &weights)?;
    let labels = labels(&mut object, vertices)?;
    let (drawing, moved) = drawing(&mut object, vertices, source)?;
    object.finish(KEYS)?;
    let mut part = BoardParts::new(vertices, edges);
    part.warnings.extend(moved);
    let (_, dropped) = Graph::from_edges(vertices, &part.edges);
    if dropped.parallels > 0 {
        let warning = format!("parallel edges merged from {source}: {}", dropped.parallels);
        part.warnings.push(warning);
    }
    let edges = part.edges.len() - dropped.parallels;
    check_size(&mango, vertices, edges)
        .map_err(|problem| object.wrong("vertices", &[], problem))?;
    part.labels = labels;
    part.start = start;
    part.surface = Surface::Mango(Arc::new(mango));
    Ok(match drawing {
        Some(drawing) => part.drawn(drawing),
        None => part,
    })
}

/// Reads the threshold, the initial scores, and the first player.
pub(crate) fn rules(object: &mut Object<'_>, weights: &[Points]) -> Result<Mango, ParseError> {
    let threshold = threshold(object)?;
    let scores = object.take::<[Decimal; 2]>("scores", SCORES)?;
    let scores = scores.map_or([Points::ZERO; 2], |scores| {
        scores.map(|Decimal(score)| score)
    });
    let first = first(object)?;
    Mango::new(weights, threshold, scores, first).map_err(|error| {
        let problem = format!("key 'weights': {error}, expected smaller weights or fewer decimals");
        object.wrong("weights", &[], problem)
    })
}

/// Returns an error if the set is too large to be played.
pub(crate) fn check_size(mango: &Mango, vertices: usize, edges: usize) -> Result<(), String> {
    if !mango.is_plain() && !Mango::is_playable(vertices, edges) {
        return Err(format!(
            "key 'vertices': {vertices} vertices and {edges} edges, expected vertices * (vertices + \
             2 * edges) to be at most {} unless every weight is 1 and the threshold >0",
            Mango::MAX_WORK
        ));
    }
    Ok(())
}

/// Reads the locations of the vertices. Also returns a warning if some of them were equal.
fn drawing(
    object: &mut Object<'_>,
    vertices: usize,
    source: &str,
) -> Result<(Option<Drawing>, Option<String>), ParseError> {
    let Some(places) = object.take::<PerVertex<Coordinates>>("coordinates", PLACES)? else {
        return Ok((None, None));
    };
    let places = counted(object, "coordinates", places.0, vertices, PLACES)?;
    Drawing::of_source(&places, source).map_err(|problem| {
        let problem = format!("key 'coordinates': {problem}");
        object.wrong("coordinates", &[], problem)
    })
}

/// Returns the text of a Mango file.
pub(super) fn write(goban: &Goban, mango: &Mango) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let graph = &goban.graph;
    let edges = graph.pairs().map(|(a, b)| format!("[{a},{b}]")).collect();
    let unit = mango.unit();
    let weights = mango
        .weights()
        .iter()
        .map(|&units| (unit * units).to_string());
    let threshold = match mango.threshold() {
        Threshold::Above(_) | Threshold::AtLeast(_) | Threshold::Odd => {
            format!("\"{}\"", mango.threshold())
        }
        Threshold::Within(_) => mango.threshold().to_string(),
    };
    let mut out = format!(
        "{{\"kind\":\"mango\",\"vertices\":{},\n\"edges\":{},\n\"weights\":{},\n\"threshold\":{threshold}",
        graph.vertices(),
        list(edges),
        list(weights.collect()),
    );
    out.push_str(&stones::write(&goban.start, 2));
    let scores = mango.scores().map(|score| score.to_string()).to_vec();
    out.push_str(&format!(",\n\"scores\":{}", list(scores)));
    if let Some(first) = mango.first() {
        out.push_str(&format!(",\n\"first\":\"{first}\""));
    }
    out.push_str(&format!(",\n\"labels\":{}", label_list(goban)));
    out.push_str(&end(goban));
    out
}

/// Checks that each edge joins two different vertices. The definition requires an edge to be a set
/// of two elements.
fn simple(
    object: &Object<'_>,
    edges: Vec<(usize, usize)>,
    vertices: usize,
) -> Result<Vec<(usize, usize)>, ParseError> {
    for (number, &(a, b)) in edges.iter().enumerate() {
        let problem = if a.max(b) >= vertices {
            no_vertex("edges", a.max(b), vertices)
        } else if a == b {
            format!(
                "key 'edges' contains [{a},{b}], expected two different vertices: a Mango set has no \
                 self-loops"
            )
        } else {
            continue;
        };
        return Err(object.wrong("edges", &[number], problem));
    }
    Ok(edges)
}

fn no_vertex(key: &str, vertex: usize, vertices: usize) -> String {
    format!("key '{key}' contains {vertex}, expected a vertex below {vertices}")
}

fn counted<T>(
    object: &Object<'_>,
    key: &str,
    items: Vec<T>,
    vertices: usize,
    expected: &str,
) -> Result<Vec<T>, ParseError> {
    let count = items.len();
    if count == vertices {
        Ok(items)
    } else {
        let problem = format!(
            "key '{key}' contains {count} items for {vertices} vertices, expected {expected}"
        );
        Err(object.wrong(key, &[], problem))
    }
}

fn threshold(object: &mut Object<'_>) -> Result<Threshold, ParseError> {
    let Some(raw) = object.take::<&RawValue>("threshold", THRESHOLD)? else {
        return Ok(Threshold::Above(Points::ZERO));
    };
    let wrong = || {
        let problem = refusal("threshold", raw.get(), THRESHOLD);
        object.wrong("threshold", &[], problem)
    };
    if let Ok(word) = serde_json::from_str::<String>(raw.get()) {
        let number = |text: &str| text.trim().parse::<Points>().map_err(|_| wrong());
        return if word.eq_ignore_ascii_case("odd") {
            Ok(Threshold::Odd)
        } else if let Some(least) = word.strip_prefix(">=") {
            number(least).map(Threshold::AtLeast)
        } else if let Some(least) = word.strip_prefix('>') {
            number(least).map(Threshold::Above)
        } else {
            Err(wrong())
        };
    }
    let intervals: List<(Decimal, Decimal), MOST_INTERVALS> =
        serde_json::from_str(raw.get()).map_err(|_| wrong())?;
    let mut within = Vec::with_capacity(intervals.0.len());
    for (number, (Decimal(low), Decimal(high))) in intervals.0.into_iter().enumerate() {
        if low > high {
            let problem =
                format!("key 'threshold' contains [{low},{high}], expected the lower end first");
            return Err(object.wrong("threshold", &[number], problem));
        }
        within.push((low, high));
    }
    Ok(Threshold::Within(within.into_boxed_slice()))
}

fn first(object: &mut Object<'_>) -> Result<Option<Color>, ParseError> {
    let Some(word) = object.take::<String>("first", FIRST)? else {
        return Ok(None);
    };
    match word.parse() {
        Ok(color @ (Color::BLACK | Color::WHITE)) => Ok(Some(color)),
        _ => Err(object.wrong("first", &[], refusal("first", &word, FIRST))),
    }
}

fn labels(object: &mut Object<'_>, vertices: usize) -> Result<Labels, ParseError> {
    let Some(List(labels)) = object.take::<PerVertex<String>>("labels", LABELS)? else {
        return Ok(Labels::Index);
    };
    let labels = counted(object, "labels", labels, vertices, LABELS)?;
    let mut seen = std::collections::HashSet::with_capacity(labels.len());
    let mut numbered = labels.iter().enumerate();
    match numbered.find(|(_, label)| !is_label(label) || !seen.insert(label.as_str())) {
        Some((number, label)) => {
            let problem = format!(
                "key 'labels' contains '{}', expected {LABELS}",
                quote(label)
            );
            Err(object.wrong("labels", &[number], problem))
        }
        None => Ok(Labels::Own(labels)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BoardParts, String> {
        let mut object = Object::read(text).unwrap();
        object.need::<String>("kind", "").unwrap();
        super::read(object, "'set'").map_err(|fault| fault.to_string())
    }

    #[test]
    fn reads_every_key() {
        let set = read(
            r#"{"kind":"mango","vertices":3,"edges":[[0,1],[2,1],[1,0]],"weights":[1,-0.50,0.125],
                "threshold":[[-1.5,0],[2,2]],"black":[2],"white":[0],"scores":[0,5.5],
                "first":"white","labels":["a","b","c"]}"#,
        )
        .unwrap();
        let Surface::Mango(mango) = &set.surface else {
            panic!("no Mango set")
        };
        assert_eq!(mango.weights(), [1000, -500, 125]);
        assert_eq!(mango.scores().map(|s| s.to_string()), ["0", "5.5"]);
        assert_eq!(mango.first(), Some(Color::WHITE));
        assert_eq!(
            [-1501, -1500, 0, 1, 2000].map(|z| mango.gives_life(z)),
            [false, true, true, false, true]
        );
        assert_eq!(set.start, [Some(Color::WHITE), None, Some(Color::BLACK)]);
        assert_eq!(set.warnings, ["parallel edges merged from 'set': 1"]);
    }

    #[test]
    fn missing_keys_default_to_ordinary_go() {
        let set = read(r#"{"kind":"mango","vertices":2,"edges":[[0,1]]}"#).unwrap();
        let Surface::Mango(mango) = &set.surface else {
            panic!("no Mango set")
        };
        assert!(mango.is_plain());
        assert_eq!(mango.first(), None);
    }

    #[test]
    fn a_threshold_has_at_most_1024_intervals() {
        // Every second number from 0 gives life, one interval per number.
        let text = |count: usize| {
            let intervals: Vec<String> = (0..count)
                .map(|i| format!("[{},{}]", 2 * i, 2 * i))
                .collect();
            let list = intervals.join(",");
            format!(r#"{{"kind":"mango","vertices":1,"edges":[],"threshold":[{list}]}}"#)
        };
        for count in [0, 1, 1023, 1024] {
            let set = read(&text(count)).unwrap();
            let Surface::Mango(mango) = &set.surface else {
                panic!("no Mango set")
            };
            let Threshold::Within(intervals) = mango.threshold() else {
                panic!("no intervals")
            };
            assert_eq!(intervals.len(), count);
            assert!((0..count as i64).all(|i| mango.gives_life(2 * i)));
            assert!((0..count as i64).all(|i| !mango.gives_life(2 * i + 1)));
            assert!(
                ![-2, -1, 2 * count as i64]
                    .iter()
                    .any(|&z| mango.gives_life(z))
            );
        }
        let problem = read(&text(1025)).err().unwrap();
        assert!(
            problem.contains("key 'threshold' is '[[0,0],[2,2],"),
            "{problem}"
        );
        assert!(
            problem.contains("a list of at most 1024 closed intervals"),
            "{problem}"
        );
    }

    /// The definition allows any function to 0 and 1. Files have bounded closed intervals alone.
    #[test]
    fn rejects_open_and_endless_thresholds() {
        for threshold in [
            "[[null,1]]",
            "[[1,null]]",
            "[[1]]",
            "[[1,2,3]]",
            "[1,2]",
            "[[0,1e3]]",
            "\"<3\"",
            "\"<=3\"",
            "\"=3\"",
            "\"even\"",
            "\">\"",
            "\"\"",
            "null",
            "true",
        ] {
            let text =
                format!(r#"{{"kind":"mango","vertices":1,"edges":[],"threshold":{threshold}}}"#);
            let problem = read(&text).err().unwrap_or_default();
            assert!(
                problem.contains("key 'threshold' is "),
                "{threshold}: {problem}"
            );
            assert!(
                problem.contains("expected \">r\", "),
                "{threshold}: {problem}"
            );
        }
    }

    #[test]
    fn errors_name_the_line_and_column() {
        let text = "{\"kind\":\"mango\",\n\"vertices\":3,\n\"edges\":[[0,1],\n [1,5]]}";
        assert_eq!(
            read(text).err().unwrap(),
            "line 4, column 2: key 'edges' contains 5, expected a vertex below 3"
        );
    }

    #[test]
    fn errors_name_the_key() {
        let error = |rest: &str| {
            read(&format!(r#"{{"kind":"mango",{rest}}}"#))
                .err()
                .unwrap_or_else(|| panic!("{rest} is accepted"))
        };
        let with = |rest: &str| error(&format!(r#""vertices":2,"edges":[[0,1]],{rest}"#));
        for (given, said) in [
            (error(r#""edges":[]"#), "key 'vertices' is missing, "),
            (
                error(r#""vertices":"Z^2","edges":[]"#),
                "key 'vertices' is '\"Z^2\"', ",
            ),
            (
                error(r#""vertices":65536,"edges":[]"#),
                "key 'vertices' is '65536', ",
            ),
            (
                error(r#""vertices":2000,"edges":[],"threshold":"odd""#),
                "key 'vertices': 2000 vertices and 0 edges, ",
            ),
            (
                error(r#""infinite":true"#),
                "key 'infinite': infinite boards ",
            ),
            (
                error(r#""vertices":2,"edges":[[0]]"#),
                "key 'edges' is '[[0]]', ",
            ),
            (
                error(r#""vertices":2,"edges":[[0,2]]"#),
                "key 'edges' contains 2, ",
            ),
            (
                error(r#""vertices":2,"edges":[[1,1]]"#),
                "key 'edges' contains [1,1], ",
            ),
            (
                with(r#""weights":[1]"#),
                "key 'weights' contains 1 items for 2 vertices, ",
            ),
            (with(r#""weights":[1,1e3]"#), "key 'weights' is '[1,1e3]', "),
            (with(r#""weights":[1,"1"]"#), "key 'weights' is "),
            (
                with(r#""weights":[999999999,0.000000000000000001]"#),
                "key 'weights': ",
            ),
            (with(r#""threshold":"<3""#), "key 'threshold' is '\"<3\"', "),
            (with(r#""threshold":">x""#), "key 'threshold' is '\">x\"', "),
            (
                with(r#""threshold":[[2,1]]"#),
                "key 'threshold' contains [2,1], ",
            ),
            (with(r#""threshold":7"#), "key 'threshold' is '7', "),
            (with(r#""black":[2]"#), "key 'black' contains 2, "),
            (
                with(r#""black":[0],"white":[0]"#),
                "key 'white' contains the duplicate vertex 0, ",
            ),
            (with(r#""black":[-1]"#), "key 'black' is '[-1]', "),
            (with(r#""scores":[1]"#), "key 'scores' is '[1]', "),
            (with(r#""first":"red""#), "key 'first' is 'red', "),
            (with(r#""labels":["a","a"]"#), "key 'labels' contains 'a', "),
            (
                with(r#""labels":["a","pass"]"#),
                "key 'labels' contains 'pass', ",
            ),
            (with(r#""wights":[1,1]"#), "unknown key 'wights', "),
        ] {
            let (place, problem) = given.split_once(": ").unwrap();
            assert!(place.starts_with("line 1, column "), "{given}");
            assert!(problem.starts_with(said), "{given}");
            assert!(given.contains("expected "), "{given}");
        }
    }
}
