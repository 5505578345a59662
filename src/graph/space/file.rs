//! Go-spaces as JSON.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Space, Topology};
use crate::graph::Graph;
use crate::graph::drawing::Drawing;
use crate::graph::formats::json;
use crate::graph::goban::{Goban, Surface};
use crate::graph::json::Object;
use crate::graph::names::is_label;
use crate::graph::part::{Labels, Part};
use crate::text::quote;
use crate::vertex::Vertex;

/// The keys that give a topology.
const TOPOLOGIES: &str = "one of min_open, base, subbase, order and opens";

/// Reads the rest of an object of kind `space`; a refusal says what is wrong and names the set.
pub(in crate::graph) fn read(mut object: Object<'_>) -> Result<Part, String> {
    const SETS: &str = "a list of lists of points, which are numbered from 0";
    const PAIRS: &str = "a list of pairs of points, which are numbered from 0";
    const NAMES: &str = "a list of names";
    let points = object.need(
        "points",
        "the number of points: only finite spaces are played",
    )?;
    let given: Vec<Topology> = [
        object.take("min_open", SETS)?.map(Topology::MinOpen),
        object.take("base", SETS)?.map(Topology::Base),
        object.take("subbase", SETS)?.map(Topology::Subbase),
        object.take("order", PAIRS)?.map(Topology::Order),
        object.take("opens", SETS)?.map(Topology::Opens),
    ]
    .into_iter()
    .flatten()
    .collect();
    let [topology] = given.as_slice() else {
        return Err(format!("{} topologies, expected {TOPOLOGIES}", given.len()));
    };
    let placements: Vec<Vec<usize>> = object.need("placements", SETS)?;
    let labels: Option<Vec<String>> = object.take("labels", NAMES)?;
    let point_labels: Option<Vec<String>> = object.take("point_labels", NAMES)?;
    let places: Option<Vec<Vec<f64>>> =
        object.take("coordinates", "a list of places such as [0, 1]")?;
    object.finish(&format!(
        "kind, points, {TOPOLOGIES}, placements, labels, point_labels or coordinates"
    ))?;
    let space = Space::new(points, topology, &placements).map_err(|error| error.to_string())?;
    check_labels("labels", labels.as_deref(), space.placements())?;
    check_labels("point_labels", point_labels.as_deref(), space.points())?;
    if places
        .as_ref()
        .is_some_and(|places| places.len() != space.placements())
    {
        return Err(format!(
            "coordinates has another length than placements, expected {}",
            space.placements()
        ));
    }
    let drawing = match places {
        Some(places) => Drawing::of_points(&places)
            .map_err(|problem| format!("key 'coordinates': {problem}"))?,
        None => None,
    };
    let part = part(
        space,
        labels.map_or(Labels::Index, Labels::Own),
        point_labels,
    )?;
    Ok(match drawing {
        Some(drawing) => part.drawn(drawing),
        None => part,
    })
}

/// A go-space as a file of its kind.
pub(in crate::graph) fn write(
    goban: &Goban,
    space: &Space,
    point_labels: Option<&[String]>,
) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let set = |set: &[Vertex]| list(set.iter().map(|point| point.index().to_string()).collect());
    let min_open = (0..space.points()).map(|point| set(space.min_open(Vertex::at(point))));
    let placements = (0..space.placements()).map(|number| set(space.placement(number)));
    let mut out = format!(
        "{{\"kind\":\"space\",\"points\":{},\n\"min_open\":{},\n\"placements\":{},\n\"labels\":{}",
        space.points(),
        list(min_open.collect()),
        list(placements.collect()),
        json::label_list(goban),
    );
    if let Some(labels) = point_labels {
        let labels = labels.iter().map(|label| json::quoted(label)).collect();
        out.push_str(&format!(",\n\"point_labels\":{}", list(labels)));
    }
    if let Some(places) = json::place_list(goban) {
        out.push_str(&format!(",\n\"coordinates\":{places}"));
    }
    out.push_str("}\n");
    out
}

/// The part of a board that a space is: its placements are the vertices, and pairs that touch the edges.
pub(in crate::graph) fn part(
    space: Space,
    labels: Labels,
    point_labels: Option<Vec<String>>,
) -> Result<Part, String> {
    let edges = space
        .pairs(Graph::MAX_EDGES)
        .map_err(|error| error.to_string())?;
    if !space.is_graph() && !space.is_light() {
        return Err(format!(
            "a go-space of {} placements and {} points, too large to play with stones that overlap",
            space.placements(),
            space.points()
        ));
    }
    let mut part = Part::new(space.placements(), []);
    part.edges = edges;
    part.labels = labels;
    part.surface = Surface::Space {
        space: Arc::new(space),
        labels: point_labels.map(Arc::from),
    };
    Ok(part)
}

fn check_labels(key: &str, labels: Option<&[String]>, count: usize) -> Result<(), String> {
    let Some(labels) = labels else { return Ok(()) };
    if labels.len() != count {
        return Err(format!(
            "{key} has {} names, expected {count}",
            labels.len()
        ));
    }
    let mut known = HashSet::with_capacity(labels.len());
    for label in labels {
        if !is_label(label) {
            return Err(format!(
                "invalid name '{}' in {key}, expected a printable word, and neither pass nor resign",
                quote(label)
            ));
        }
        if !known.insert(label) {
            return Err(format!(
                "name '{}' twice in {key}, expected different names",
                quote(label)
            ));
        }
    }
    Ok(())
}
