//! The message `board`: everything that no move changes.

use serde_json::{Map, Value, json};

use super::game::{Start, is_within};
use super::state::number;
use crate::graph::goban::{Goban, Surface};
use crate::graph::handicap;
use crate::render::svg::{Outline, outline};
use crate::rules::{DeadStones, KomiUse, Passing, Ruleset, Scoring};
use crate::text::four_decimals;
use crate::vertex::Vertex;

/// Maximum number of handicap stones offered.
const MOST_HANDICAP: usize = 9;

/// Returns the keys that describe a game's board and rules.
pub(super) fn describe(start: &Start) -> Map<String, Value> {
    let goban = &start.goban;
    let mut board = shape(goban);
    board.insert("handicap".to_string(), json!(most_handicap(goban)));
    board.insert(
        "ruleset".to_string(),
        json!(start.rules.to_string().replace(' ', ",")),
    );
    board.insert("rules".to_string(), rules(&start.rules));
    board.insert("komi".to_string(), number(start.komi));
    board
}

/// Returns the largest number of handicap stones on a board, or 0.
pub(super) fn most_handicap(goban: &Goban) -> usize {
    let given = |&stones: &usize| handicap::given(goban, stones).is_some();
    (2..=MOST_HANDICAP).rev().find(given).unwrap_or(0)
}

/// Returns the properties of a ruleset that decide what a page shows.
pub(super) fn rules(rules: &Ruleset) -> Value {
    json!({
        "colors": rules.colors,
        "dead": asks(rules),
        "passes": rules.passing != Passing::Never,
        "scoring": match rules.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
            Scoring::Stones => "stones",
            Scoring::None => "none",
        },
        "komi": rules.komi_use != KomiUse::Ignored,
    })
}

/// Returns true if players agree on dead stones at the end.
pub(super) fn asks(rules: &Ruleset) -> bool {
    rules.dead == DeadStones::Agreed && rules.scoring != Scoring::None
}

/// Returns the keys that describe the vertices and edges of a board.
pub(super) fn shape(goban: &Goban) -> Map<String, Value> {
    let mut board = Map::new();
    let mut set = |key: &str, value: Value| board.insert(key.to_string(), value);
    let aliases = goban.graph.all().map(|v| goban.names.alias(v));
    let labels = goban.graph.all().map(|v| goban.names.label(v).into_owned());
    set("spec", json!(goban.spec.to_string()));
    set("alias", aliases.collect());
    set("label", labels.collect());
    set("warnings", json!(goban.warnings));
    let stars = handicap::star_points(goban).into_iter();
    set("stars", stars.map(|v| json!(v.index())).collect());
    let outline = is_within(goban).then(|| outline(goban).ok()).flatten();
    set("drawable", json!(outline.is_some()));
    set("view", view(goban));
    match &goban.surface {
        Surface::Graph => {}
        Surface::Space { space, labels } => {
            let covers = goban.graph.all().map(|v| indices(&goban.covered(v)));
            let label = |point: usize| {
                let own = labels.as_ref().and_then(|own| own.get(point));
                own.map_or_else(|| point.to_string(), String::clone)
            };
            let labels: Vec<String> = (0..space.points()).map(label).collect();
            let mut points = json!({"covers": covers.collect::<Value>(), "label": labels});
            if let (Some(outline), Value::Object(points)) = (&outline, &mut points) {
                points.insert("x".to_string(), axis(&outline.places, 0));
                points.insert("y".to_string(), axis(&outline.places, 1));
                points.insert("edges".to_string(), json!(outline.edges));
            }
            set("points", points);
        }
        Surface::Mango(mango) => {
            let unit = number(mango.unit()).as_f64().unwrap_or(1.0);
            let weights = mango.weights().iter();
            let weights = weights.map(|&weight| json!(four_decimals(weight as f64 * unit)));
            set("weights", weights.collect());
            set("threshold", json!(mango.threshold().to_string()));
        }
    }
    if let Some(outline) = outline {
        let drawn = drawing(goban, &outline);
        board.extend(drawn);
    }
    board
}

/// Returns the coordinates and edges.
fn drawing(goban: &Goban, outline: &Outline) -> Map<String, Value> {
    let mut drawing = Map::new();
    let mut set = |key: &str, value: Value| drawing.insert(key.to_string(), value);
    set("x", axis(&outline.vertices, 0));
    set("y", axis(&outline.vertices, 1));
    set("radius", json!(four_decimals(outline.radius)));
    set(
        "edges",
        goban.graph.pairs().map(|(a, b)| json!([a, b])).collect(),
    );
    let wraps = match goban.surface {
        Surface::Graph | Surface::Mango(_) => outline.wraps.as_slice(),
        Surface::Space { .. } => &[],
    };
    let wraps = wraps.iter().map(|(ends, beside)| {
        let beside = beside.map(|place| place.map(four_decimals));
        json!({"ends": ends, "beside": beside})
    });
    set("wraps", wraps.collect());
    if let Some(solid) = goban
        .drawing
        .as_ref()
        .and_then(|drawing| drawing.solid.as_ref())
    {
        for (key, at) in [("sx", 0usize), ("sy", 1), ("z", 2)] {
            let numbers = solid.iter().filter_map(|point| point.get(at));
            set(
                key,
                numbers
                    .map(|&number| json!(four_decimals(number)))
                    .collect(),
            );
        }
    }
    drawing
}

fn axis(places: &[[f64; 2]], at: usize) -> Value {
    let numbers = places.iter().filter_map(|place| place.get(at));
    numbers
        .map(|&number| json!(four_decimals(number)))
        .collect()
}

fn indices(vertices: &[Vertex]) -> Value {
    vertices.iter().map(|v| json!(v.index())).collect()
}

/// Returns the best view of a board: flat, endless, or in space.
fn view(goban: &Goban) -> Value {
    let spec = goban.spec.to_string();
    let sides = |text: &str| {
        let (width, height) = text.split_once('x')?;
        Some((width.parse::<i64>().ok()?, height.parse::<i64>().ok()?))
    };
    let wrapped = spec.split_once(':').and_then(|(family, text)| {
        let (w, h) = sides(text)?;
        // Each map takes the board one step to the right, or one step up.
        let (straight, turned) = ([1, 0, w, 0, 1, 0], [1, 0, w, 0, -1, h - 1]);
        let (up, turned_up) = ([1, 0, 0, 0, 1, h], [-1, 0, w - 1, 0, 1, h]);
        let generators = match family {
            "cylinder" => vec![straight],
            "torus" => vec![straight, up],
            "mobius" => vec![turned],
            "klein" => vec![turned, up],
            "projective" => vec![turned, turned_up],
            _ => return None,
        };
        Some(json!({
            "kind": "wrap", "surface": family, "width": w, "height": h, "generators": generators,
        }))
    });
    let solid = goban
        .drawing
        .as_ref()
        .is_some_and(|drawing| drawing.solid.is_some());
    match (wrapped, solid) {
        (Some(view), _) => view,
        (None, true) => json!({"kind": "space"}),
        (None, false) => json!({"kind": "flat"}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::spec::Spec;

    fn build(spec: &str) -> Goban {
        spec.parse::<Spec>().unwrap().build().unwrap()
    }

    /// Applies a map to a lattice point.
    fn image(map: &Value, [x, y]: [i64; 2]) -> [i64; 2] {
        let at = |i: usize| map[i].as_i64().unwrap();
        [at(0) * x + at(1) * y + at(2), at(3) * x + at(4) * y + at(5)]
    }

    /// The generators join each side with the neighbors that the graph has there.
    #[test]
    fn generators_lead_to_the_neighbors_across_each_side() {
        for spec in [
            "torus:5x4",
            "cylinder:5x4",
            "mobius:5x4",
            "klein:5x4",
            "projective:5x4",
        ] {
            let goban = build(spec);
            let view = view(&goban);
            assert_eq!(view["kind"], "wrap", "{spec}");
            let mut crossed = 0;
            for map in view["generators"].as_array().unwrap() {
                for v in goban.graph.all() {
                    let [x, y] = image(map, [v.index() as i64 % 5, v.index() as i64 / 5]);
                    // The image lies just beyond the right or the upper side.
                    let beside = match (x, y) {
                        (5, 0..4) => [4, y],
                        (0..5, 4) => [x, 3],
                        _ => continue,
                    };
                    let other = Vertex::at((beside[0] + 5 * beside[1]) as usize);
                    assert!(goban.graph.neighbors(v).contains(&other), "{spec} {v:?}");
                    crossed += 1;
                }
            }
            assert!(crossed >= 4, "{spec}");
        }
    }

    #[test]
    fn points_of_go_spaces_always_have_labels() {
        let text = r#"{"kind":"space","points":2,"min_open":[[0],[1]],"placements":[[0],[1]]}"#;
        let spec: Spec = "file:a.json".parse().unwrap();
        let goban = spec.with_file(text.as_bytes(), "a.json", "a").unwrap();
        assert_eq!(shape(&goban)["points"]["label"], json!(["0", "1"]));
    }

    #[test]
    fn every_kind_of_board_has_coordinates() {
        for (spec, kind, points) in [
            ("grid:9", "flat", false),
            ("petersen", "flat", false),
            ("dodecahedron", "space", false),
            ("grid3d:3x3x3", "space", false),
            ("space:(grid:3),edges", "flat", true),
        ] {
            let goban = build(spec);
            let board = shape(&goban);
            let n = goban.graph.vertices();
            for key in ["alias", "label", "x", "y"] {
                assert_eq!(board[key].as_array().unwrap().len(), n, "{spec} {key}");
            }
            assert_eq!(
                board["edges"].as_array().unwrap().len(),
                goban.graph.edges()
            );
            assert_eq!(board["view"]["kind"], kind, "{spec}");
            assert_eq!(board.contains_key("points"), points, "{spec}");
            assert_eq!(board.contains_key("z"), kind == "space", "{spec}");
            let place = |v: usize| (board["x"][v].to_string(), board["y"][v].to_string());
            let mut places: Vec<_> = (0..n).map(place).collect();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), n, "{spec}: two vertices at one place");
        }
    }
}
