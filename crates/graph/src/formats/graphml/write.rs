//! Boards as GraphML.

use quick_xml::escape::escape;

use crate::formats::{View, notes};
use crate::model::goban::Goban;

pub(in crate::formats) fn write(goban: &Goban) -> Result<String, String> {
    let view = View::of(goban);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let mut keys: Vec<(&str, &str, &str)> = Vec::new();
    if view.has_coordinates() {
        keys.extend([("node", "x", "double"), ("node", "y", "double")]);
        if view.is_solid() {
            keys.push(("node", "z", "double"));
        }
    }
    if view.has_stones() {
        keys.push(("node", notes::STONE, "string"));
    }
    if view.has_weights() {
        keys.push(("node", notes::WEIGHT, "double"));
    }
    if view.has_edge_weights() {
        keys.push(("edge", notes::WEIGHT, "double"));
    }
    let mango = view.mango();
    keys.extend(mango.iter().map(|(key, _)| ("graph", *key, "string")));
    for (number, (domain, name, kind)) in keys.iter().enumerate() {
        out.push_str(&format!(
            "  <key id=\"d{number}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n"
        ));
    }
    let data = |indent: &str, of: &str, name: &str, value: &str| {
        let number = keys
            .iter()
            .position(|(domain, key, _)| (*domain, *key) == (of, name));
        let (number, value) = (number.unwrap_or_default(), escape(value));
        format!("{indent}<data key=\"d{number}\">{value}</data>\n")
    };
    out.push_str("  <graph edgedefault=\"undirected\">\n");
    for (key, value) in &mango {
        out.push_str(&data("    ", "graph", key, value));
    }
    for vertex in goban.graph.all() {
        let label = goban.names.label(vertex);
        let notes = view.vertex_notes(vertex);
        if notes.is_empty() {
            out.push_str(&format!("    <node id=\"{}\"/>\n", escape(label)));
            continue;
        }
        out.push_str(&format!("    <node id=\"{}\">\n", escape(label)));
        for (key, value) in notes {
            out.push_str(&data("      ", "node", key, &value));
        }
        out.push_str("    </node>\n");
    }
    for (a, b) in view.edges() {
        let ends = format!(
            "source=\"{}\" target=\"{}\"",
            escape(view.label(a)),
            escape(view.label(b))
        );
        match view.edge_weight(a, b) {
            None => out.push_str(&format!("    <edge {ends}/>\n")),
            Some(weight) => {
                let data = data("      ", "edge", notes::WEIGHT, &weight.to_string());
                out.push_str(&format!("    <edge {ends}>\n{data}    </edge>\n"));
            }
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    Ok(out)
}
