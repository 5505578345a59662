//! Graphs as JSON objects: node-link and adjacency forms of networkx, and boards of `coordinates`
//! with an `adjacencyList`. The node-link form has `edges` or `links`. Cytoscape, graphology,
//! vis.js, and objects of neighbor lists are read too. The key `kind` identifies go-spaces and
//! Mango sets.

mod cytoscape;
pub(super) mod mango;
mod node_link;
pub(super) mod object;
mod python;
mod space;
mod stones;
mod write;

use cytoscape::{cytoscape, has_data};
use node_link::{json_weight, node_link};
pub(super) use write::write;

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Input;
use super::arcs::Arcs;
use super::parse_error::ParseError;
use super::raw_graph::{Excess, RawGraph};
use crate::model::board_parts::BoardParts;
use object::{Coordinates, List, Object, message, offset, place, refusal};
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

const NAMES: &str = "a list of names such as [\"a\", \"b\"]";
/// Values of the key `kind`.
const KINDS: &str = "\"space\" or \"mango\"";
/// Keys that identify a form.
const FORMS: [&str; 5] = ["kind", "adjacencyList", "adjacency", "elements", "nodes"];
const KEYS: &str = "kind, or nodes with edges or links, or nodes with adjacency, or coordinates with adjacencyList";
const NODES: &str = "a list of objects such as {\"id\": 0}";
const LINKS: &str = "a list of objects such as {\"source\": 0, \"target\": 1}";
const ROWS: &str = "a list of neighbors for each node, such as [[{\"id\": 1}], [{\"id\": 0}]]";
const LISTS: &str = "a list of neighbors for each vertex, such as [[1], [0]]";
const PLACES: &str = "a list of coordinates such as [[0, 0], [1, 0]]";

/// Reads an object of any of these forms. Python writes numbers that JSON does not have, such as
/// `NaN`; these are ignored with a warning.
pub(super) fn read(input: &Input<'_>) -> Result<BoardParts, String> {
    let (text, count) = python::without_non_finite(input.text);
    if count == 0 {
        return forms(input);
    }
    let mut part = forms(&Input {
        text: &text,
        ..*input
    })?;
    let source = input.source;
    let warning = format!("values NaN and Infinity ignored in {source}: {count}");
    part.warnings.push(warning);
    Ok(part)
}

fn forms(input: &Input<'_>) -> Result<BoardParts, String> {
    let fail = |fault: ParseError| fault.to_string();
    let mut object = match Object::read(input.text) {
        Ok(object) if FORMS.iter().any(|key| object.has(key)) => object,
        other => match (rows(input.text), other) {
            (Some(rows), _) => return neighbors(input, &rows).map_err(fail)?.part(input.source),
            (None, other) => other.map_err(fail)?,
        },
    };
    if object.has("kind") {
        let kind: String = object.need("kind", KINDS).map_err(fail)?;
        let part = match kind.as_str() {
            "space" => space::read(object, input.source),
            "mango" => mango::read(object, input.source),
            "game" => return Err(super::GAME.to_string()),
            _ => Err(object.wrong("kind", &[], refusal("kind", &kind, KINDS))),
        };
        return part.map_err(fail);
    }
    let draft = if object.has("adjacencyList") {
        board(input, object)
    } else if object.has("adjacency") {
        adjacency(input, object)
    } else if object.has("elements") || object.peek("nodes").is_some_and(has_data) {
        cytoscape(input, object)
    } else if object.has("nodes") {
        node_link(input, object)
    } else {
        let problem = format!("a JSON object without the keys of a graph, expected {KEYS}");
        return Err(fail(ParseError::at(input.text, 0, problem)));
    };
    draft.map_err(fail)?.part(input.source)
}

/// Returns the keys of an object whose values are all lists. `None` for other values, no keys, or
/// too many.
fn rows(text: &str) -> Option<Vec<(String, &RawValue)>> {
    struct Rows<'a>(Vec<(String, &'a RawValue)>);

    impl<'de: 'a, 'a> Deserialize<'de> for Rows<'a> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Pairs<'a>(PhantomData<&'a str>);

            impl<'de: 'a, 'a> Visitor<'de> for Pairs<'a> {
                type Value = Rows<'a>;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }

                fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Rows<'a>, M::Error> {
                    let mut rows = Vec::new();
                    while let Some((key, list)) = map.next_entry::<String, &'de RawValue>()? {
                        if !list.get().starts_with('[') || rows.len() > Vertex::LIMIT {
                            return Err(M::Error::custom("no list of neighbors"));
                        }
                        rows.push((key, list));
                    }
                    Ok(Rows(rows))
                }
            }

            deserializer.deserialize_map(Pairs(PhantomData))
        }
    }

    let Rows(rows) = serde_json::from_str(text).ok()?;
    (!rows.is_empty()).then_some(rows)
}

/// Reads `{"a": ["b", "c"], "b": ["a"]}`, a list of neighbors for each name. An edge may be listed
/// at one end or at both.
fn neighbors(input: &Input<'_>, rows: &[(String, &RawValue)]) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    draft.allow_both_ends();
    // Names with lists come first, in their order.
    for (name, list) in rows {
        let vertex = draft.vertex(name);
        vertex
            .map_err(|excess| ParseError::at(text, offset(text, list.get()), excess.to_string()))?;
    }
    for (name, list) in rows {
        each(text, list, NAMES, |to: &RawValue| {
            if to.get().starts_with(['{', '[']) {
                return Err(format!("'{}', expected a name", quote(to.get())));
            }
            let excess = |excess: Excess| excess.to_string();
            let from = draft.vertex(name).map_err(excess)?;
            let to = draft.vertex(&plain(to)).map_err(excess)?;
            draft.edge(from, to, None).map_err(excess)
        })?;
    }
    Ok(draft)
}

/// Neighbor in the adjacency form.
#[derive(Deserialize)]
struct Neighbor<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow, default)]
    weight: Option<&'a RawValue>,
}

fn adjacency(input: &Input<'_>, mut object: Object<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    head(input, &mut object, &mut draft)?;
    draft.allow_both_ends();
    nodes(text, &mut object, &mut draft)?;
    let Some(rows) = raw(&mut object, "adjacency")? else {
        return Ok(draft);
    };
    let mut row = 0usize;
    each(text, rows, ROWS, |neighbors: &RawValue| {
        if row >= draft.vertices() {
            return Err(format!(
                "more rows than nodes, expected {}",
                draft.vertices()
            ));
        }
        let from = row as u16;
        row += 1;
        let each = each(text, neighbors, ROWS, |neighbor: Neighbor<'_>| {
            let to = find(&draft, neighbor.id)?;
            let value = neighbor.weight.and_then(json_weight);
            draft
                .edge(from, to, value)
                .map_err(|excess| excess.to_string())
        });
        each.map_err(|fault| fault.problem)
    })?;
    Ok(draft)
}

/// Reads `{coordinates, adjacencyList}`. An edge listed at only one end is directed.
fn board(input: &Input<'_>, mut object: Object<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    draft.allow_both_ends();
    let Some(lists) = raw(&mut object, "adjacencyList")? else {
        return Ok(draft);
    };
    // Count the rows first, because a neighbor may come before its own row.
    each(text, lists, LISTS, |_: &RawValue| {
        draft.add().map(|_| ()).map_err(|excess| excess.to_string())
    })?;
    let vertices = draft.vertices();
    let mut arcs = Arcs::default();
    let mut row = 0usize;
    each(text, lists, LISTS, |list: &RawValue| {
        let from = row as u16;
        row += 1;
        let each = each(text, list, LISTS, |to: u64| {
            let expected = || format!("neighbor {to}, expected an index below {vertices}");
            let to = usize::try_from(to)
                .ok()
                .filter(|&to| to < vertices)
                .ok_or_else(expected)? as u16;
            arcs.add(from, to);
            draft
                .edge(from, to, None)
                .map_err(|excess| excess.to_string())
        });
        each.map_err(|fault| fault.problem)
    })?;
    if let Some((from, to)) = arcs.without_reverse()
        && input.refuses_arcs()
    {
        let place = offset(text, lists.get());
        let found = format!(
            "adjacencyList has {to} as a neighbor of {from}, but not {from} as a neighbor of {to}"
        );
        return Err(ParseError::at(text, place, super::arcs_refused(&found)));
    }
    let Some(places) = raw(&mut object, "coordinates")? else {
        return Ok(draft);
    };
    let mut vertex = 0usize;
    each(text, places, PLACES, |List(place): Coordinates| {
        if vertex >= vertices || !(2..=3).contains(&place.len()) {
            return Err(format!(
                "expected two or three coordinates for each of {vertices} vertices"
            ));
        }
        for (axis, &number) in place.iter().enumerate() {
            draft.place_on(vertex as u16, axis, number);
        }
        vertex += 1;
        Ok(())
    })?;
    Ok(draft)
}

/// Reads the attributes of the whole graph.
fn head(
    input: &Input<'_>,
    object: &mut Object<'_>,
    draft: &mut RawGraph,
) -> Result<(), ParseError> {
    let text = input.text;
    if let Some(directed) = raw(object, "directed")?
        && directed.get() != "false"
    {
        draft.allow_both_ends();
        if input.refuses_arcs() {
            let place = offset(text, directed.get());
            let problem = super::arcs_refused(&format!("directed: {}", quote(directed.get())));
            return Err(ParseError::at(text, place, problem));
        }
    }
    if let Some(graph) = raw(object, "graph")?
        && let Ok(attributes) = serde_json::from_str::<Object<'_>>(graph.get())
    {
        for (key, value) in attributes.into_pairs() {
            draft.mango.take(&key, &plain(value));
        }
    }
    Ok(())
}

fn nodes(text: &str, object: &mut Object<'_>, draft: &mut RawGraph) -> Result<(), ParseError> {
    let Some(list) = raw(object, "nodes")? else {
        return Ok(());
    };
    each(text, list, NODES, |pairs: Object<'_>| {
        node(draft, pairs).map(|_| ())
    })
}

/// Adds a node with its attributes. Fails if its id is not new.
fn node(draft: &mut RawGraph, node: Object<'_>) -> Result<u16, String> {
    let mut pairs = node.into_pairs();
    let known = draft.vertices();
    let id = |wanted: &str| pairs.iter().find(|(key, _)| key == wanted);
    let id = id("id").or_else(|| id("key"));
    let id = id.map_or_else(|| known.to_string(), |(_, id)| plain(id));
    let vertex = draft
        .vertex(&id)
        .map_err(|excess: Excess| excess.to_string())?;
    if draft.vertices() == known {
        return Err(format!(
            "duplicate id '{}', expected unique ids",
            quote(&id)
        ));
    }
    // graphology stores the attributes of a node in an object of its own.
    if let Some((_, attributes)) = pairs.iter().find(|(key, _)| key == "attributes")
        && let Ok(attributes) = serde_json::from_str::<Object<'_>>(attributes.get())
    {
        pairs.extend(attributes.into_pairs());
    }
    let text = |wanted: &str| {
        let (_, value) = pairs.iter().find(|(key, _)| key == wanted)?;
        let name = plain(value);
        (value.get() != "null" && !name.trim().is_empty()).then_some(name)
    };
    if let Some(name) = text("label").or_else(|| text("name")) {
        draft.rename(vertex, name);
    }
    for (key, value) in pairs {
        let noted = draft.note(vertex, &key, &plain(value));
        noted.map_err(|expected| {
            format!(
                "{} '{}', expected {expected}",
                quote(&key),
                quote(value.get())
            )
        })?;
    }
    Ok(vertex)
}

fn find(draft: &RawGraph, id: &RawValue) -> Result<u16, String> {
    let id = plain(id);
    let found = draft.find(&id);
    found.ok_or_else(|| format!("'{}', expected the id of a node", quote(&id)))
}

/// Returns a value as a word: a text without its quotes, a list as a tuple.
fn plain(value: &RawValue) -> String {
    let text = value.get();
    if let Ok(text) = serde_json::from_str::<String>(text) {
        return text;
    }
    let bare = |text: &str| {
        text.chars()
            .filter(|c| !c.is_whitespace() && *c != '"')
            .collect()
    };
    match text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
    {
        Some(list) => format!("({})", bare(list) as String),
        None => bare(text),
    }
}

fn raw<'a>(object: &mut Object<'a>, key: &str) -> Result<Option<&'a RawValue>, ParseError> {
    object.take(key, "")
}

/// Visits the items of a list one by one. An error gets the location of its item.
fn each<'a, T: Deserialize<'a>>(
    text: &str,
    list: &'a RawValue,
    expected: &str,
    visit: impl FnMut(T) -> Result<(), String>,
) -> Result<(), ParseError> {
    struct Items<'p, T, F>(F, &'p mut Option<String>, PhantomData<T>);

    impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> Visitor<'de> for Items<'_, T, F> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<S: SeqAccess<'de>>(mut self, mut seq: S) -> Result<(), S::Error> {
            while let Some(item) = seq.next_element()? {
                if let Err(problem) = (self.0)(item) {
                    *self.1 = Some(problem);
                    return Err(S::Error::custom("refused"));
                }
            }
            Ok(())
        }
    }

    let mut problem = None;
    let mut deserializer = serde_json::Deserializer::from_str(list.get());
    let visited = deserializer.deserialize_seq(Items(visit, &mut problem, PhantomData));
    visited.map_err(|error| {
        let place = offset(text, list.get()) + place(list.get(), &error);
        let problem = problem
            .take()
            .unwrap_or_else(|| format!("{}, expected {expected}", message(&error)));
        ParseError::at(text, place, problem)
    })
}
