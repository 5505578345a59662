//! Graphs as JSON objects: networkx's node-link form (with `edges` or `links`) and its adjacency form, and boards of
//! `coordinates` with an `adjacencyList`. Go-spaces and Mango sets say in `kind` what they are.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::draft::{Draft, Excess};
use super::fault::Fault;
use super::notes::WEIGHT;
use super::words::weight;
use super::{Input, View};
use crate::graph::families::mango;
use crate::graph::goban::{Goban, Surface};
use crate::graph::json::{Coordinates, List, Object, message, offset, place, refusal};
use crate::graph::part::Part;
use crate::graph::space;
use crate::text::quote;

/// What a file says that it is.
const KINDS: &str = "\"space\" or \"mango\"";
const KEYS: &str = "kind, or nodes with edges or links, or nodes with adjacency, or coordinates with adjacencyList";
const NODES: &str = "a list of objects such as {\"id\": 0}";
const LINKS: &str = "a list of objects such as {\"source\": 0, \"target\": 1}";
const ROWS: &str = "a list of neighbours for each node, such as [[{\"id\": 1}], [{\"id\": 0}]]";
const LISTS: &str = "a list of neighbours for each vertex, such as [[1], [0]]";
const PLACES: &str = "a list of places such as [[0, 0], [1, 0]]";

/// Reads an object of any of these forms.
pub(super) fn read(input: &Input<'_>) -> Result<Part, String> {
    let fail = |fault: Fault| fault.to_string();
    let mut object = Object::read(input.text).map_err(fail)?;
    if object.has("kind") {
        let kind: String = object.need("kind", KINDS).map_err(fail)?;
        let part = match kind.as_str() {
            "space" => space::file::read(object),
            "mango" => mango::part(object, input.source),
            _ => Err(object.wrong("kind", &[], refusal("kind", &kind, KINDS))),
        };
        return part.map_err(fail);
    }
    let draft = if object.has("adjacencyList") {
        board(input, object)
    } else if object.has("adjacency") {
        adjacency(input, object)
    } else if object.has("nodes") {
        node_link(input, object)
    } else {
        let problem = format!("a JSON object without keys of a graph, expected {KEYS}");
        return Err(fail(Fault::at(input.text, 0, problem)));
    };
    draft.map_err(fail)?.part(input.source)
}

/// An edge of the node-link form.
#[derive(Deserialize)]
struct Link<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(borrow)]
    target: &'a RawValue,
    #[serde(borrow, default)]
    weight: Option<&'a RawValue>,
    #[serde(borrow, default)]
    value: Option<&'a RawValue>,
}

/// A neighbour of the adjacency form.
#[derive(Deserialize)]
struct Neighbor<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow, default)]
    weight: Option<&'a RawValue>,
}

fn node_link(input: &Input<'_>, mut object: Object<'_>) -> Result<Draft, Fault> {
    let text = input.text;
    let mut draft = Draft::default();
    head(input, &mut object, &mut draft)?;
    let edges = match raw(&mut object, "edges")? {
        Some(edges) => Some(edges),
        None => raw(&mut object, "links")?,
    };
    let edges = edges.ok_or_else(|| {
        Fault::at(
            text,
            0,
            format!("no edges, expected edges or links, {LINKS}"),
        )
    })?;
    nodes(text, &mut object, &mut draft)?;
    each(text, edges, LINKS, |link: Link<'_>| {
        let [a, b] = [link.source, link.target].map(|end| find(&draft, end));
        let value = link.weight.or(link.value).and_then(|raw| weight(raw.get()));
        draft
            .edge(a?, b?, value)
            .map_err(|excess| excess.to_string())
    })?;
    Ok(draft)
}

fn adjacency(input: &Input<'_>, mut object: Object<'_>) -> Result<Draft, Fault> {
    let text = input.text;
    let mut draft = Draft::default();
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
            let value = neighbor.weight.and_then(|raw| weight(raw.get()));
            draft
                .edge(from, to, value)
                .map_err(|excess| excess.to_string())
        });
        each.map_err(|fault| fault.problem)
    })?;
    Ok(draft)
}

/// `{coordinates, adjacencyList}`: an edge that only one end knows is directed.
fn board(input: &Input<'_>, mut object: Object<'_>) -> Result<Draft, Fault> {
    let text = input.text;
    let mut draft = Draft::default();
    draft.allow_both_ends();
    let Some(lists) = raw(&mut object, "adjacencyList")? else {
        return Ok(draft);
    };
    // Rows are counted first, since a neighbour may come before its own row.
    each(text, lists, LISTS, |_: &RawValue| {
        draft.add().map(|_| ()).map_err(|excess| excess.to_string())
    })?;
    let vertices = draft.vertices();
    let mut arcs = std::collections::HashSet::new();
    let mut row = 0usize;
    each(text, lists, LISTS, |list: &RawValue| {
        let from = row as u16;
        row += 1;
        let each = each(text, list, LISTS, |to: u64| {
            let expected = || format!("neighbour {to}, expected an index below {vertices}");
            let to = usize::try_from(to)
                .ok()
                .filter(|&to| to < vertices)
                .ok_or_else(expected)? as u16;
            if from != to && !arcs.remove(&(to, from)) {
                arcs.insert((from, to));
            }
            draft
                .edge(from, to, None)
                .map_err(|excess| excess.to_string())
        });
        each.map_err(|fault| fault.problem)
    })?;
    if let Some((from, to)) = arcs.iter().min()
        && input.refuses_arcs()
    {
        let place = offset(text, lists.get());
        let found = format!("adjacencyList with {to} beside {from} but not the other way round");
        return Err(Fault::at(text, place, super::arcs_refused(&found)));
    }
    let Some(places) = raw(&mut object, "coordinates")? else {
        return Ok(draft);
    };
    let mut vertex = 0usize;
    each(text, places, PLACES, |List(place): Coordinates| {
        if vertex >= vertices || !(2..=3).contains(&place.len()) {
            return Err(format!(
                "expected {vertices} places of two or three coordinates"
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

/// Takes what the form says of the whole graph.
fn head(input: &Input<'_>, object: &mut Object<'_>, draft: &mut Draft) -> Result<(), Fault> {
    let text = input.text;
    if let Some(directed) = raw(object, "directed")?
        && directed.get() != "false"
    {
        draft.allow_both_ends();
        if input.refuses_arcs() {
            let place = offset(text, directed.get());
            let problem = super::arcs_refused(&format!("directed: {}", quote(directed.get())));
            return Err(Fault::at(text, place, problem));
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

fn nodes(text: &str, object: &mut Object<'_>, draft: &mut Draft) -> Result<(), Fault> {
    let Some(list) = raw(object, "nodes")? else {
        return Ok(());
    };
    each(text, list, NODES, |node: Object<'_>| {
        let pairs = node.into_pairs();
        let known = draft.vertices();
        let id = pairs.iter().find(|(key, _)| key == "id");
        let id = id.map_or_else(|| known.to_string(), |(_, id)| plain(id));
        let vertex = draft
            .vertex(&id)
            .map_err(|excess: Excess| excess.to_string())?;
        if draft.vertices() == known {
            return Err(format!("id '{}' again, expected different ids", quote(&id)));
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
        Ok(())
    })
}

fn find(draft: &Draft, id: &RawValue) -> Result<u16, String> {
    let id = plain(id);
    let found = draft.find(&id);
    found.ok_or_else(|| format!("'{}', expected the id of a node", quote(&id)))
}

/// A value as a word: a text without its quotes, a list as a tuple.
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

fn raw<'a>(object: &mut Object<'a>, key: &str) -> Result<Option<&'a RawValue>, Fault> {
    object.take(key, "")
}

/// Visits the items of a list one by one; a problem gets the place of its item.
fn each<'a, T: Deserialize<'a>>(
    text: &str,
    list: &'a RawValue,
    expected: &str,
    visit: impl FnMut(T) -> Result<(), String>,
) -> Result<(), Fault> {
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
        Fault::at(text, place, problem)
    })
}

/// Graphs in node-link form, go-spaces and Mango sets in their own.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    match &goban.surface {
        Surface::Graph => Ok(write_graph(goban)),
        Surface::Mango(set) => Ok(mango::write(goban, set)),
        Surface::Space { space, labels } => Ok(space::file::write(goban, space, labels.as_deref())),
    }
}

/// A text as JSON has it.
pub(in crate::graph) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A list of labels.
pub(in crate::graph) fn label_list(goban: &Goban) -> String {
    let labels = goban.graph.all().map(|v| quoted(&goban.names.label(v)));
    format!("[{}]", labels.collect::<Vec<_>>().join(","))
}

/// The places of all vertices as a list, where there are some.
pub(in crate::graph) fn place_list(goban: &Goban) -> Option<String> {
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
