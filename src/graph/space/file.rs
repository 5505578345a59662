//! Go-spaces as JSON.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Space, Topology};
use crate::graph::Graph;
use crate::graph::goban::Surface;
use crate::graph::json::Object;
use crate::graph::names::is_label;
use crate::graph::part::{Labels, Part};
use crate::text::quote;

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
    object.finish(&format!(
        "kind, points, {TOPOLOGIES}, placements, labels or point_labels"
    ))?;
    let space = Space::new(points, topology, &placements).map_err(|error| error.to_string())?;
    check_labels("labels", labels.as_deref(), space.placements())?;
    check_labels("point_labels", point_labels.as_deref(), space.points())?;
    part(
        space,
        labels.map_or(Labels::Index, Labels::Own),
        point_labels,
    )
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
