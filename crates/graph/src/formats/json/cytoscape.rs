//! Graphs of Cytoscape: nodes and edges as `elements`, each with its `data`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::node_link::{Link, add};
use super::object::{Object, message, offset, place};
use super::{each, head, node, plain, raw};
use crate::formats::Input;
use crate::formats::parse_error::ParseError;
use crate::formats::raw_graph::RawGraph;

/// Node or edge of Cytoscape.
#[derive(Deserialize)]
struct Element<'a> {
    #[serde(borrow)]
    data: &'a RawValue,
    #[serde(borrow, default)]
    position: Option<&'a RawValue>,
    #[serde(borrow, default)]
    group: Option<&'a RawValue>,
}

/// Node list and edge list of Cytoscape.
#[derive(Deserialize)]
struct Elements<'a> {
    #[serde(borrow, default)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow, default)]
    edges: Option<&'a RawValue>,
}

/// Node without an id of its own. It may have one in its `data`.
#[derive(Deserialize)]
struct Bare<'a> {
    #[serde(borrow)]
    data: &'a RawValue,
    #[serde(borrow, default, alias = "key")]
    id: Option<&'a RawValue>,
}

/// Returns true if all items of a list of nodes have their id in `data`.
pub(super) fn has_data(nodes: &RawValue) -> bool {
    let nodes: Vec<Bare<'_>> = serde_json::from_str(nodes.get()).unwrap_or_default();
    let is_bare = |node: &Bare<'_>| node.id.is_none() && node.data.get().starts_with('{');
    !nodes.is_empty() && nodes.iter().all(is_bare)
}

/// Reads `{"elements": {"nodes": [{"data": {"id": "a"}}], "edges": …}}`, or both kinds in one list.
/// The key `elements` may be left out. The name is `label` or `name`, and y points down.
pub(super) fn cytoscape(input: &Input<'_>, mut object: Object<'_>) -> Result<RawGraph, ParseError> {
    const ELEMENTS: &str = "a list of objects such as {\"data\": {\"id\": \"a\"}}";
    let text = input.text;
    let mut draft = RawGraph::default();
    head(input, &mut object, &mut draft)?;
    let elements = raw(&mut object, "elements")?;
    let lists: Elements<'_> = match elements {
        None => Elements {
            nodes: raw(&mut object, "nodes")?,
            edges: raw(&mut object, "edges")?,
        },
        Some(elements) if elements.get().starts_with('[') => Elements {
            nodes: Some(elements),
            edges: Some(elements),
        },
        Some(elements) => serde_json::from_str(elements.get()).map_err(|error| {
            let place = offset(text, elements.get()) + place(elements.get(), &error);
            let problem = format!("{}, expected nodes and edges", message(&error));
            ParseError::at(text, place, problem)
        })?,
    };
    let is_edge = |element: &Element<'_>| {
        let ends = serde_json::from_str::<Link<'_>>(element.data.get()).is_ok();
        let group = element.group.map(plain);
        group.map_or(ends, |group| group == "edges")
    };
    if let Some(nodes) = lists.nodes {
        each(text, nodes, ELEMENTS, |element: Element<'_>| {
            if is_edge(&element) {
                return Ok(());
            }
            let data: Object<'_> = serde_json::from_str(element.data.get())
                .map_err(|error| format!("{}, expected an object", message(&error)))?;
            let vertex = node(&mut draft, data)?;
            let place = element.position.map(|place| place.get());
            let place = place.and_then(|place| serde_json::from_str::<Position>(place).ok());
            if let Some(Position { x, y }) = place {
                draft.place(vertex, [x, -y, 0.0]);
            }
            Ok(())
        })?;
    }
    if let Some(edges) = lists.edges {
        each(text, edges, ELEMENTS, |element: Element<'_>| {
            if !is_edge(&element) {
                return Ok(());
            }
            let link: Link<'_> = serde_json::from_str(element.data.get())
                .map_err(|error| format!("{}, expected source and target", message(&error)))?;
            add(&mut draft, &link)
        })?;
    }
    Ok(draft)
}

/// Coordinates of Cytoscape.
#[derive(Deserialize)]
struct Position {
    x: f64,
    y: f64,
}
