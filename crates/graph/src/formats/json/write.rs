//! Boards as JSON: graphs in node-link form, go-spaces and Mango sets in their own forms.

use super::{mango, space};
use crate::formats::View;
use crate::formats::notes::WEIGHT;
use crate::model::goban::{Goban, Surface};

/// Writes graphs in node-link form, and go-spaces and Mango sets in their own forms.
pub(in crate::formats) fn write(goban: &Goban) -> Result<String, String> {
    match &goban.surface {
        Surface::Graph => Ok(write_graph(goban)),
        Surface::Mango(set) => Ok(mango::write(goban, set)),
        Surface::Space { space: set, labels } => Ok(space::write(goban, set, labels.as_deref())),
    }
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns all labels as a JSON list.
pub(super) fn label_list(goban: &Goban) -> String {
    let labels = goban.graph.all().map(|v| quoted(&goban.names.label(v)));
    format!("[{}]", labels.collect::<Vec<_>>().join(","))
}

/// Returns the end of the object of a go-space or Mango set: its coordinates, if it has a drawing,
/// and the closing brace.
pub(super) fn end(goban: &Goban) -> String {
    match place_list(goban) {
        Some(places) => format!(",\n\"coordinates\":{places}}}\n"),
        None => "}\n".to_string(),
    }
}

/// Returns the coordinates of all vertices as a JSON list, or `None` without a drawing.
fn place_list(goban: &Goban) -> Option<String> {
    let view = View::of(goban);
    let places: Option<Vec<String>> = goban
        .graph
        .all()
        .map(|v| {
            let place: Vec<String> = view.place(v)?.iter().map(f64::to_string).collect();
            Some(format!("[{}]", place.join(",")))
        })
        .collect();
    places
        .filter(|_| view.has_coordinates())
        .map(|places| format!("[{}]", places.join(",")))
}

fn write_graph(goban: &Goban) -> String {
    let view = View::of(goban);
    let by_index = goban
        .graph
        .all()
        .all(|v| *goban.names.label(v) == *v.index().to_string());
    let id = |vertex: usize| match by_index {
        true => vertex.to_string(),
        false => quoted(&view.label(vertex)),
    };
    let mut out =
        String::from("{\"directed\": false, \"multigraph\": false, \"graph\": {},\n\"nodes\": [");
    let mut joint = "\n";
    for vertex in goban.graph.all() {
        out.push_str(&format!("{joint}{{\"id\": {}", id(vertex.index())));
        for (key, value) in view.vertex_notes(vertex) {
            let value = match key {
                "x" | "y" | "z" | WEIGHT => value,
                _ => quoted(&value),
            };
            out.push_str(&format!(", \"{key}\": {value}"));
        }
        out.push('}');
        joint = ",\n";
    }
    out.push_str("],\n\"edges\": [");
    joint = "\n";
    for (a, b) in view.edges() {
        out.push_str(&format!(
            "{joint}{{\"source\": {}, \"target\": {}",
            id(a),
            id(b)
        ));
        if let Some(weight) = view.edge_weight(a, b) {
            out.push_str(&format!(", \"{WEIGHT}\": {weight}"));
        }
        out.push('}');
        joint = ",\n";
    }
    out.push_str("]}\n");
    out
}
