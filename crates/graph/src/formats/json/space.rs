//! JSON format of go-spaces.

use std::collections::HashSet;

use super::object::{Coordinates, List, Lists, Object};
use super::stones;
use super::write::{end, label_list, quoted};
use crate::formats::parse_error::ParseError;
use crate::model::board_parts::{BoardParts, Labels};
use crate::model::drawing::Drawing;
use crate::model::goban::Goban;
use crate::model::names::is_label;
use crate::model::space::{Space, SpaceError, Topology};
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Keys that define a topology.
const TOPOLOGIES: &str = "one of min_open, base, subbase, order and opens";

/// Maximum number of sets of one kind together with their points. Larger spaces are not played.
const MOST_SETS: usize = 2_000_000;

/// List with at most one item per point or placement.
type PerPoint<T> = List<T, { Vertex::LIMIT }>;

/// Reads the rest of an object of kind `space`. An error gives the location, describes the problem,
/// and names the set. Warnings name `source`.
pub(super) fn read(mut object: Object<'_>, source: &str) -> Result<BoardParts, ParseError> {
    const PAIRS: &str = "a list of pairs of points, numbered from 0";
    const NAMES: &str = "a list of names";
    let points = object.need(
        "points",
        "the number of points (only finite spaces are supported)",
    )?;
    let order: Option<List<(usize, usize), MOST_SETS>> = object.take("order", PAIRS)?;
    let given: Vec<(&str, Topology)> = [
        (
            "min_open",
            sets(&mut object, "min_open")?.map(Topology::MinOpen),
        ),
        ("base", sets(&mut object, "base")?.map(Topology::Base)),
        (
            "subbase",
            sets(&mut object, "subbase")?.map(Topology::Subbase),
        ),
        ("order", order.map(|List(pairs)| Topology::Order(pairs))),
        ("opens", sets(&mut object, "opens")?.map(Topology::Opens)),
    ]
    .into_iter()
    .filter_map(|(key, topology)| Some((key, topology?)))
    .collect();
    let [(key, topology)] = given.as_slice() else {
        let second = given.get(1).map_or("points", |(key, _)| key);
        let problem = format!("{} topologies, expected {TOPOLOGIES}", given.len());
        return Err(object.wrong(second, &[], problem));
    };
    let placements = match sets(&mut object, "placements")? {
        Some(placements) => placements,
        None => object.need("placements", SETS)?,
    };
    let labels: Option<PerPoint<String>> = object.take("labels", NAMES)?;
    let point_labels: Option<PerPoint<String>> = object.take("point_labels", NAMES)?;
    let places: Option<PerPoint<Coordinates>> =
        object.take("coordinates", "a list of coordinates such as [0, 1]")?;
    let labels = labels.map(|List(labels)| labels);
    let point_labels = point_labels.map(|List(labels)| labels);
    let space =
        Space::new(points, topology, &placements).map_err(|error| located(&object, key, &error))?;
    let start = stones::read(&mut object, space.points(), "point")?;
    object.finish(&format!(
        "kind, points, {TOPOLOGIES}, placements, labels, point_labels, a color or coordinates"
    ))?;
    check_labels(&object, "labels", labels.as_deref(), space.placements())?;
    check_labels(
        &object,
        "point_labels",
        point_labels.as_deref(),
        space.points(),
    )?;
    let (drawing, moved) = match places {
        Some(List(places)) => {
            let problem = match places.len() == space.placements() {
                true => Drawing::of_source(&places, source),
                false => Err(format!(
                    "wrong number of coordinates, expected {}, one for each placement",
                    space.placements()
                )),
            };
            problem.map_err(|problem| {
                object.wrong("coordinates", &[], format!("key 'coordinates': {problem}"))
            })?
        }
        None => (None, None),
    };
    let labels = labels.map_or(Labels::Index, Labels::Own);
    let mut part = BoardParts::of_space(space, labels, point_labels)
        .map_err(|problem| object.wrong("placements", &[], problem))?;
    part.start = start;
    part.warnings.extend(moved);
    Ok(match drawing {
        Some(drawing) => part.drawn(drawing),
        None => part,
    })
}

/// Expected value of a key with sets.
const SETS: &str =
    "a list of lists of points, numbered from 0, with at most 2000000 lists and points together";

/// Reads the sets of a key. More than a valid space can have are rejected before they take memory.
fn sets(object: &mut Object<'_>, key: &str) -> Result<Option<Vec<Vec<usize>>>, ParseError> {
    let sets: Option<Lists<MOST_SETS>> = object.take(key, SETS)?;
    Ok(sets.map(|Lists(sets)| sets))
}

/// Returns an error located at the set that `error` is about. `key` is the key that defines the
/// topology.
fn located(object: &Object<'_>, key: &str, error: &SpaceError) -> ParseError {
    let in_placements = [
        "placements",
        "the placements",
        "the closures of the placements",
    ];
    let (key, number) = match error {
        SpaceError::TooMany(_, what) => (*what, None),
        SpaceError::TooLarge(what) if in_placements.contains(what) => ("placements", None),
        SpaceError::TooLarge(_) | SpaceError::SetCount { .. } => (key, None),
        SpaceError::NoPoint { set, number, .. } if set.starts_with("placement") => {
            ("placements", Some(*number))
        }
        SpaceError::NoPoint { number, .. } => (key, Some(*number)),
        SpaceError::Lacks { point, .. } | SpaceError::NotInside { point, .. } => {
            (key, Some(*point))
        }
        SpaceError::NoBase { .. } | SpaceError::NotListed { .. } => (key, None),
        SpaceError::EmptyPlacement(number) => ("placements", Some(*number)),
        SpaceError::NotOpen { placement, .. } => ("placements", Some(*placement)),
        SpaceError::Twice(_, second, _) => ("placements", Some(*second)),
    };
    object.wrong(key, number.as_slice(), error.to_string())
}

/// Returns the text of a go-space file.
pub(super) fn write(goban: &Goban, space: &Space, point_labels: Option<&[String]>) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let set = |set: &[Vertex]| list(set.iter().map(|point| point.index().to_string()).collect());
    let min_open = (0..space.points()).map(|point| set(space.min_open(Vertex::at(point))));
    let placements = (0..space.placements()).map(|number| set(space.placement(number)));
    let mut out = format!(
        "{{\"kind\":\"space\",\"points\":{},\n\"min_open\":{},\n\"placements\":{},\n\"labels\":{}",
        space.points(),
        list(min_open.collect()),
        list(placements.collect()),
        label_list(goban),
    );
    if let Some(labels) = point_labels {
        let labels = labels.iter().map(|label| quoted(label)).collect();
        out.push_str(&format!(",\n\"point_labels\":{}", list(labels)));
    }
    out.push_str(&stones::write(&goban.start, 0));
    out.push_str(&end(goban));
    out
}

fn check_labels(
    object: &Object<'_>,
    key: &str,
    labels: Option<&[String]>,
    count: usize,
) -> Result<(), ParseError> {
    let Some(labels) = labels else { return Ok(()) };
    if labels.len() != count {
        let problem = format!("{key} has {} names, expected {count}", labels.len());
        return Err(object.wrong(key, &[], problem));
    }
    let mut known = HashSet::with_capacity(labels.len());
    for (number, label) in labels.iter().enumerate() {
        let problem = if !is_label(label) {
            format!(
                "invalid name '{}' in {key}, expected a printable word, and neither pass nor resign",
                quote(label)
            )
        } else if !known.insert(label) {
            format!(
                "duplicate name '{}' in {key}, expected unique names",
                quote(label)
            )
        } else {
            continue;
        };
        return Err(object.wrong(key, &[number], problem));
    }
    Ok(())
}
