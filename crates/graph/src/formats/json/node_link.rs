//! Node-link form of networkx, graphology, and vis.js: a list of nodes and a list of edges.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::object::Object;
use super::{LINKS, each, find, head, nodes, plain, raw};
use crate::formats::Input;
use crate::formats::arcs_refused;
use crate::formats::notes::WEIGHT;
use crate::formats::parse_error::ParseError;
use crate::formats::raw_graph::RawGraph;
use crate::formats::words::weight_or_nan;

/// Edge of the node-link form; vis.js writes `from` and `to`.
#[derive(Deserialize)]
pub(super) struct Link<'a> {
    #[serde(borrow, alias = "from")]
    source: &'a RawValue,
    #[serde(borrow, alias = "to")]
    target: &'a RawValue,
    #[serde(borrow, default)]
    weight: Option<&'a RawValue>,
    #[serde(borrow, default)]
    value: Option<&'a RawValue>,
    /// vis.js: the ends with an arrow.
    #[serde(borrow, default)]
    arrows: Option<&'a RawValue>,
    /// graphology: true for an undirected edge in a directed graph.
    #[serde(borrow, default)]
    undirected: Option<&'a RawValue>,
    /// graphology: attributes of the edge.
    #[serde(borrow, default)]
    attributes: Option<&'a RawValue>,
}

pub(super) fn node_link(input: &Input<'_>, mut object: Object<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    head(input, &mut object, &mut draft)?;
    let is_given = |list: &&RawValue| list.get() != "null";
    let edges = raw(&mut object, "edges")?.filter(is_given);
    // Beside edges, links may have another meaning, such as addresses.
    let has_ends = |list: &&RawValue| serde_json::from_str::<Vec<Link<'_>>>(list.get()).is_ok();
    let links = raw(&mut object, "links")?.filter(is_given);
    let lists = [
        edges,
        links.filter(|list| edges.is_none() || has_ends(list)),
    ];
    if lists.iter().all(Option::is_none) {
        let problem = format!("no edges, expected edges or links, {LINKS}");
        return Err(ParseError::at(text, 0, problem));
    }
    nodes(text, &mut object, &mut draft)?;
    // In graphology, an edge of a `directed` or `mixed` graph is an arc unless it is marked as
    // undirected.
    let arcs = match raw(&mut object, "options")? {
        Some(options) => serde_json::from_str::<Object<'_>>(options.get()).is_ok_and(|options| {
            let kind = |(key, value): &(String, &RawValue)| {
                key == "type" && ["directed", "mixed"].contains(&plain(value).as_str())
            };
            options.into_pairs().iter().any(kind)
        }),
        None => false,
    };
    for edges in lists.into_iter().flatten() {
        each(text, edges, LINKS, |link: Link<'_>| {
            let arc = if arcs && link.undirected.is_none_or(|yes| yes.get() != "true") {
                Some("an edge without undirected: true")
            } else if link.arrows.is_some_and(points_one_way) {
                Some("an edge with an arrow at one end")
            } else {
                None
            };
            if let Some(arc) = arc {
                draft.allow_both_ends();
                if input.refuses_arcs() {
                    return Err(arcs_refused(arc));
                }
            }
            add(&mut draft, &link)
        })?;
    }
    Ok(draft)
}

/// Returns true if `arrows` of vis.js has an arrow at one end only: `"to"`, `"from"`, or an object
/// with one of these keys.
fn points_one_way(arrows: &RawValue) -> bool {
    let ends: Vec<String> = match serde_json::from_str(arrows.get()) {
        Ok(Value::Object(ends)) => {
            let is_on = |value: &Value| match value {
                Value::Object(end) => end.get("enabled") != Some(&Value::Bool(false)),
                value => value != &Value::Bool(false),
            };
            let on = ends.into_iter().filter(|(_, value)| is_on(value));
            on.map(|(key, _)| key).collect()
        }
        _ => plain(arrows)
            .split(|c: char| !c.is_alphabetic())
            .map(str::to_string)
            .collect(),
    };
    let has = |end: &str| ends.iter().any(|word| word == end);
    has("to") != has("from")
}

pub(super) fn add(draft: &mut RawGraph, link: &Link<'_>) -> Result<(), String> {
    let [a, b] = [link.source, link.target].map(|end| find(draft, end));
    let attribute = || {
        let attributes: Object<'_> = serde_json::from_str(link.attributes?.get()).ok()?;
        let mut pairs = attributes.into_pairs().into_iter();
        let (_, value) = pairs.find(|(key, _)| key == WEIGHT)?;
        json_weight(value)
    };
    let own = [link.weight, link.value].map(|value| value.and_then(json_weight));
    // A word that is no number does not hide a number elsewhere.
    let weights: Vec<f64> = own.into_iter().chain([attribute()]).flatten().collect();
    let number = weights.iter().find(|weight| weight.is_finite());
    let value = number.or(weights.first()).copied();
    draft
        .edge(a?, b?, value)
        .map_err(|excess| excess.to_string())
}

/// Returns the weight of an edge, a number or its text. NaN for other values, which
/// [`RawGraph::edge`] drops with a warning.
pub(super) fn json_weight(value: &RawValue) -> Option<f64> {
    match value.get() {
        "null" => None,
        _ => weight_or_nan(&plain(value)),
    }
}
