//! Graph under construction, as a file describes it: vertices by name or number, edges one by one,
//! and the attributes of both.

use std::collections::HashMap;
use std::sync::Arc;

use super::announced::Announced;
use super::json::mango;
use super::labels::labels;
use super::notes::MangoTexts;
use crate::Graph;
use crate::model::board_parts::{BoardParts, Labels};
use crate::model::drawing::Drawing;
use crate::model::goban::Surface;
use crate::model::names::index;
use crate::model::notes::Notes;
use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Error: a graph exceeds a limit of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Excess {
    /// One vertex too many.
    #[error("too many vertices, expected at most {most}", most = Vertex::LIMIT)]
    Vertices,
    /// One edge too many.
    #[error("too many edges, expected at most {most}", most = Graph::MAX_EDGES)]
    Edges,
}

/// Maximum number of edges held before repetitions are merged. Bounds the memory for files that
/// repeat edges.
const MOST_GATHERED: usize = 3 * Graph::MAX_EDGES;

/// Maximum number of edges read, repetitions included. Bounds the time for a short text that stands
/// for many edges.
const MOST_READ: usize = 1 << 25;

/// Graph that grows. The limits of boards bound its memory, even if a file repeats edges.
#[derive(Default)]
pub(super) struct RawGraph {
    /// Names in order of appearance. Shorter than `vertices` if the vertices are numbered.
    names: Vec<String>,
    indices: HashMap<String, u16>,
    vertices: usize,
    edges: Vec<(u16, u16)>,
    /// Weights of `edges`, in the same order. Empty if no edge has a weight; NaN for single edges
    /// without one.
    edge_weights: Vec<f64>,
    /// Coordinates of the vertices, NaN on axes not given so far.
    coordinates: Vec<Option<[f64; 3]>>,
    stones: Vec<Option<Color>>,
    weights: Vec<Option<Points>>,
    loops: Omitted,
    merged: usize,
    both_ways: bool,
    /// Number of edges read, repetitions included.
    read: usize,
    /// Number of vertex weights that are not decimal numbers.
    pub(super) unread_weights: usize,
    /// Number of edge weights dropped because they are infinite or not a number.
    endless: usize,
    /// Number of edges that have a second weight, which differs from the first.
    two_weights: usize,
    /// Number of nodes that a file lists again, and the first of them.
    listed_again: (usize, Option<String>),
    /// Number of edges that the file announces.
    announced: Option<Announced>,
    /// Attributes of the whole graph.
    pub(super) mango: MangoTexts,
    /// One-line warnings about content of the file that a board cannot hold.
    pub(super) warnings: Vec<String>,
}

/// Edges omitted because a simple graph cannot have them.
#[derive(Default)]
struct Omitted {
    count: usize,
    first: Option<(u16, u16)>,
}

impl RawGraph {
    /// Returns a graph of `vertices` vertices, named by their indices. Fails above the limit of
    /// boards.
    pub(super) fn numbered(vertices: usize) -> Result<RawGraph, Excess> {
        if vertices > Vertex::LIMIT {
            return Err(Excess::Vertices);
        }
        Ok(RawGraph {
            vertices,
            ..RawGraph::default()
        })
    }

    /// Names the numbered vertices by their numbers from 1, so that they can be renamed.
    pub(super) fn name_all(&mut self) {
        self.names = (1..=self.vertices)
            .map(|number| number.to_string())
            .collect();
    }

    /// Lets each edge appear once from either end without counting as a repetition.
    pub(super) fn allow_both_ends(&mut self) {
        self.both_ways = true;
    }

    /// Returns the number of vertices.
    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns true if there is an edge between different vertices.
    pub(super) fn has_edges(&self) -> bool {
        self.read > 0
    }

    /// Adds a vertex without a name and returns its index.
    pub(super) fn add(&mut self) -> Result<u16, Excess> {
        let vertex = Vertex::from_index(self.vertices).ok_or(Excess::Vertices)?;
        self.vertices += 1;
        Ok(vertex.index() as u16)
    }

    /// Returns the vertex of this name, which is added if it is new.
    pub(super) fn vertex(&mut self, name: &str) -> Result<u16, Excess> {
        if let Some(&index) = self.indices.get(name) {
            return Ok(index);
        }
        let index = self.add()?;
        self.names.push(name.to_string());
        self.indices.insert(name.to_string(), index);
        Ok(index)
    }

    /// Returns the vertex of this name, or `None` if there is none.
    pub(super) fn find(&self, name: &str) -> Option<u16> {
        self.indices.get(name).copied()
    }

    /// Sets the final name of a vertex. [`RawGraph::find`] keeps using the original name.
    pub(super) fn rename(&mut self, vertex: u16, name: String) {
        if let Some(old) = self.names.get_mut(usize::from(vertex)) {
            *old = name;
        }
    }

    /// Adds an edge between two existing vertices. A self-loop is only counted, and so is a weight
    /// that is not finite.
    pub(super) fn edge(&mut self, a: u16, b: u16, weight: Option<f64>) -> Result<(), Excess> {
        let noted = weight.filter(|weight| weight.is_finite());
        self.endless += usize::from(noted != weight);
        let weight = noted;
        if a == b {
            self.loops.first = self.loops.first.or(Some((a, b)));
            self.loops.count += 1;
            return Ok(());
        }
        self.read += 1;
        if self.read > MOST_READ {
            return Err(Excess::Edges);
        }
        if self.edges.len() == MOST_GATHERED {
            self.merge();
            if self.edges.len() > Graph::MAX_EDGES {
                return Err(Excess::Edges);
            }
        }
        if weight.is_some() && self.edge_weights.is_empty() {
            self.edge_weights = vec![f64::NAN; self.edges.len()];
        }
        if weight.is_some() || !self.edge_weights.is_empty() {
            self.edge_weights.push(weight.unwrap_or(f64::NAN));
        }
        self.edges.push((a, b));
        Ok(())
    }

    /// Sets the number of edges that the file announces. A warning reports another number.
    pub(super) fn announce(&mut self, edges: Announced) {
        self.announced = Some(edges);
    }

    /// Counts a node that the file lists again.
    pub(super) fn list_again(&mut self, name: &str) {
        let (count, first) = &mut self.listed_again;
        *count += 1;
        first.get_or_insert_with(|| name.to_string());
    }

    /// Keeps the weight of an edge at `kept` that occurs again at `place`, or takes it from there.
    /// Returns true if they differ.
    fn join_weights(&mut self, kept: usize, place: usize) -> bool {
        let weight = |at: usize| self.edge_weights.get(at).copied().unwrap_or(f64::NAN);
        let (first, second) = (weight(kept), weight(place));
        if first.is_nan()
            && let Some(weight) = self.edge_weights.get_mut(kept)
        {
            *weight = second;
        }
        first.is_finite() && second.is_finite() && first != second
    }

    /// Keeps only the first occurrence of each edge. Returns the first repetition, if any.
    fn merge(&mut self) -> Option<(u16, u16)> {
        let key = |&(a, b): &(u16, u16)| u64::from(a.min(b)) << 16 | u64::from(a.max(b));
        let mut order: Vec<u64> = (0u64..)
            .zip(&self.edges)
            .map(|(place, edge)| key(edge) << 32 | place)
            .collect();
        order.sort_unstable();
        let mut again: Option<usize> = None;
        let mut kept: Vec<usize> = Vec::with_capacity(order.len());
        // The current edge, and which of its directions have been seen: upward and downward.
        let mut present = (u64::MAX, [false; 2]);
        let mut is_counted = false;
        for entry in order {
            let place = entry as u32 as usize;
            let Some(&(a, b)) = self.edges.get(place) else {
                continue;
            };
            let new = present.0 != entry >> 32;
            if new {
                present = (entry >> 32, [false; 2]);
                kept.push(place);
                is_counted = false;
            } else if let Some(&kept) = kept.last()
                && self.join_weights(kept, place)
            {
                self.two_weights += usize::from(!std::mem::replace(&mut is_counted, true));
            }
            let direction = usize::from(self.both_ways && a > b);
            let seen = present
                .1
                .get_mut(direction)
                .map(|seen| std::mem::replace(seen, true));
            if seen == Some(true) {
                self.merged += 1;
                again = Some(again.map_or(place, |first| first.min(place)));
            }
        }
        let first = again.and_then(|place| self.edges.get(place).copied());
        self.edges = pick(&self.edges, &kept);
        self.edge_weights = pick(&self.edge_weights, &kept);
        first
    }

    /// Sets the coordinates of a vertex, in three dimensions.
    pub(super) fn place(&mut self, vertex: u16, at: [f64; 3]) {
        set(&mut self.coordinates, vertex, at);
    }

    /// Sets one coordinate of a vertex; axis 0 is x.
    pub(super) fn place_on(&mut self, vertex: u16, axis: usize, number: f64) {
        let known = self.coordinates.get(usize::from(vertex)).copied().flatten();
        let mut at = known.unwrap_or([f64::NAN; 3]);
        if let Some(place) = at.get_mut(axis) {
            *place = number;
        }
        self.place(vertex, at);
    }

    /// Puts a stone on a vertex.
    pub(super) fn stone(&mut self, vertex: u16, color: Color) {
        set(&mut self.stones, vertex, color);
    }

    /// Removes the stone of a vertex, if any.
    pub(super) fn clear(&mut self, vertex: u16) {
        if let Some(stone) = self.stones.get_mut(usize::from(vertex)) {
            *stone = None;
        }
    }

    /// Sets the weight of a vertex.
    pub(super) fn weight(&mut self, vertex: u16, weight: Points) {
        set(&mut self.weights, vertex, weight);
    }

    fn name(&self, vertex: u16) -> String {
        self.names
            .get(usize::from(vertex))
            .map_or_else(|| vertex.to_string(), String::clone)
    }

    /// Returns the finished graph, whose warnings name `source`. Fails if there are too many edges
    /// or if attributes of a Mango set are invalid.
    pub(super) fn part(mut self, source: &str) -> Result<BoardParts, String> {
        let repeated = self.merge();
        if self.edges.len() > Graph::MAX_EDGES {
            return Err(Excess::Edges.to_string());
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        let mut left_out = |what: &str, count: usize, first: Option<(u16, u16)>| {
            if count > 0 {
                let first = first.map_or(String::new(), |(a, b)| {
                    let edge = format!("{}-{}", self.name(a), self.name(b));
                    format!(", the first is '{}'", quote(&edge))
                });
                warnings.push(format!("{what} from {source}: {count}{first}"));
            }
        };
        left_out("self-loops dropped", self.loops.count, self.loops.first);
        left_out("parallel edges merged", self.merged, repeated);
        let (edges, loops) = (self.edges.len() as u64, self.loops.count as u64);
        let lines = self.read as u64 + loops;
        let announced = self.announced;
        warnings.extend(announced.and_then(|count| count.warning(source, edges, loops, lines)));
        let n = self.vertices;
        let places = self.indices_among_names();
        let place = |vertex: usize| match &places {
            Some(places) => places.get(vertex).copied().unwrap_or(vertex),
            None => vertex,
        };
        let mut part = BoardParts::new(
            n,
            self.edges
                .iter()
                .map(|&(a, b)| (place(usize::from(a)), place(usize::from(b)))),
        );
        part.start = sorted(&self.stones, n, place);
        let weights = sorted(&self.weights, n, place);
        part.notes = Notes {
            weights: Some(weights.clone()).filter(|weights| weights.iter().any(Option::is_some)),
            edge_weights: part
                .edges
                .iter()
                .zip(&self.edge_weights)
                .filter(|(_, weight)| weight.is_finite())
                .map(|(&(a, b), &weight)| ((a.min(b), a.max(b)), weight))
                .collect(),
        };
        part.notes
            .edge_weights
            .sort_unstable_by_key(|(edge, _)| *edge);
        if self.mango.is_some() {
            if self.unread_weights > 0 {
                return Err(format!(
                    "{} vertex weights in {source} are not decimals, expected numbers such as 0.25",
                    self.unread_weights
                ));
            }
            let mango = self.mango.rules(&weights, n)?;
            mango::check_size(&mango, n, part.edges.len())?;
            part.surface = Surface::Mango(Arc::new(mango));
            part.notes.weights = None;
        } else if self.unread_weights > 0 {
            let count = self.unread_weights;
            warnings.push(format!(
                "vertex weights ignored in {source}, because they are not decimals: {count}"
            ));
        }
        let endless = "edge weights ignored in {}, because they are not finite numbers";
        let two = "edges with two weights in {}, of which the first is used";
        for (count, warning) in [(self.endless, endless), (self.two_weights, two)] {
            if count > 0 {
                warnings.push(format!("{}: {count}", warning.replace("{}", source)));
            }
        }
        if let (count, Some(first)) = &self.listed_again {
            let first = quote(first);
            warnings.push(format!(
                "nodes listed again in {source}: {count}, the first is '{first}'"
            ));
        }
        if places.is_none() && !self.names.is_empty() {
            let (labels, changed) = labels(std::mem::take(&mut self.names));
            if let Some((count, old, new)) = changed {
                warnings.push(format!(
                    "names changed in {source}: {count}, the first is '{}', now '{new}'",
                    quote(&old)
                ));
            }
            part.labels = Labels::Own(labels);
        }
        let points: Vec<Option<[f64; 3]>> = sorted(&self.coordinates, n, place);
        let drawing = self.drawing(points, source, &mut warnings);
        part.warnings = warnings;
        Ok(match drawing {
            Some(drawing) => part.drawn(drawing),
            None => part,
        })
    }

    /// Returns the drawing of these coordinates, if all vertices have some. Warns about changed and
    /// ignored ones.
    fn drawing(
        &self,
        points: Vec<Option<[f64; 3]>>,
        source: &str,
        warnings: &mut Vec<String>,
    ) -> Option<Drawing> {
        let Some(points) = all(points) else {
            if !self.coordinates.is_empty() {
                warnings.push(format!(
                    "coordinates ignored in {source}: some vertices have none"
                ));
            }
            return None;
        };
        match Drawing::of_source(&points, source) {
            Ok((drawing, moved)) => {
                warnings.extend(moved);
                drawing
            }
            Err(problem) => {
                warnings.push(format!("coordinates ignored in {source}: {problem}"));
                None
            }
        }
    }

    /// Returns the index of each vertex if the names are exactly the numbers 0…n−1, else `None`.
    fn indices_among_names(&self) -> Option<Vec<usize>> {
        if self.names.is_empty() {
            return None;
        }
        // n different numbers below n are all of 0…n−1. Check that they differ, because renamed
        // vertices may have equal names.
        let mut seen = vec![false; self.vertices];
        self.names
            .iter()
            .map(|name| {
                let index = index(name)?;
                let seen = seen.get_mut(index)?;
                (!std::mem::replace(seen, true)).then_some(index)
            })
            .collect()
    }
}

fn pick<T: Copy>(items: &[T], kept: &[usize]) -> Vec<T> {
    let items = kept.iter().filter_map(|&place| items.get(place).copied());
    items.collect()
}

fn set<T>(list: &mut Vec<Option<T>>, vertex: u16, item: T) {
    let vertex = usize::from(vertex);
    if list.len() <= vertex {
        list.resize_with(vertex + 1, || None);
    }
    if let Some(place) = list.get_mut(vertex) {
        *place = Some(item);
    }
}

/// Returns per-vertex attributes in index order; `place` maps a vertex to its index.
fn sorted<T: Copy>(
    list: &[Option<T>],
    vertices: usize,
    place: impl Fn(usize) -> usize,
) -> Vec<Option<T>> {
    if list.is_empty() {
        return Vec::new();
    }
    let mut sorted = vec![None; vertices];
    for (vertex, &item) in list.iter().enumerate() {
        if let Some(entry) = sorted.get_mut(place(vertex)) {
            *entry = item;
        }
    }
    sorted
}

/// Returns all items, or `None` if the list is empty or an item is missing.
fn all<T>(list: Vec<Option<T>>) -> Option<Vec<T>> {
    if list.is_empty() {
        return None;
    }
    list.into_iter().collect()
}
