//! Graphs given edge by edge between named vertices. Locations are optional, as in
//! `a-b,a@0/0,b@1/0.5`.
//!
//! If the names are exactly the numbers 0…n−1, they are the indices. Otherwise, vertices are
//! numbered by first appearance.

use std::collections::{HashMap, HashSet};

use nom::bytes::complete::take_while1;
use nom::character::complete::char;
use nom::combinator::{all_consuming, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::{Family, Recipe};
use crate::Graph;
use crate::model::board_parts::{BoardParts, Labels};
use crate::model::drawing::Drawing;
use crate::model::names::{index, is_name};
use crate::spec::SpecError;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Parses `a-b,b-c,d,a@0/1`. The canonical text keeps the vertices in order of first appearance and
/// omits redundant items.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let mut graph = NamedGraph::default();
    let mut canonical: Vec<String> = Vec::new();
    let mut places: HashMap<u16, [f64; 2]> = HashMap::new();
    let items = text.split(',').filter(|_| !text.is_empty());
    for item in items {
        let unread = || SpecError::Edge(quote(item));
        let placed = item.split_once('@');
        let (a, b) = match placed {
            Some((name, _)) => (name, None),
            None => edge(item).map_err(|_| unread())?.1,
        };
        let known = graph.names.len();
        let added = graph.add(a, b).map_err(|refusal| match refusal {
            Refusal::Name(name) => SpecError::Name(name),
            Refusal::Vertices => {
                SpecError::TooManyVertices(quote(&format!("{}:{text}", family.name)))
            }
            Refusal::Edges => SpecError::TooManyEdges(quote(&format!("{}:{text}", family.name))),
        })?;
        if let Some((name, place)) = placed {
            let place = decimals(place).ok_or_else(unread)?;
            let vertex = graph.vertex(name).map_err(|_| unread())?;
            if places.insert(vertex, place).is_some() {
                return Err(unread());
            }
            let [x, y] = place;
            canonical.push(format!("{name}@{x}/{y}"));
            continue;
        }
        match b {
            Some(b) if added => canonical.push(format!("{a}-{b}")),
            _ if graph.names.len() > known => canonical.push(a.to_string()),
            _ => {}
        }
    }
    Ok(Recipe::sure(
        canonical.join(","),
        graph.part("edges", &places),
    ))
}

/// Parses `X/Y`, two decimals.
fn decimals(text: &str) -> Option<[f64; 2]> {
    let (x, y) = text.split_once('/')?;
    let number = |word: &str| {
        let plain = word
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
        let number: f64 = word.parse().ok().filter(|_| plain)?;
        // Adding 0.0 turns -0.0 into 0.0.
        (number.abs() <= 1e15).then_some(number + 0.0)
    };
    Some([number(x)?, number(y)?])
}

/// Parses `a-b`, or one name. Names are checked later, which gives a better error message.
fn edge(item: &str) -> IResult<&str, (&str, Option<&str>)> {
    let name = || take_while1(|c| c != '-');
    all_consuming((name(), opt(preceded(char('-'), name())))).parse(item)
}

/// Graph that grows by edges between names.
#[derive(Default)]
pub(super) struct NamedGraph {
    names: Vec<String>,
    indices: HashMap<String, u16>,
    edges: HashSet<(u16, u16)>,
    loops: Omitted,
    parallels: Omitted,
}

/// Loops or parallel edges that a simple graph cannot hold.
#[derive(Default)]
struct Omitted {
    count: usize,
    first: String,
}

/// Reason for not adding a vertex or an edge.
pub(super) enum Refusal {
    /// A vertex cannot have this name (already quoted).
    Name(String),
    /// Too many vertices.
    Vertices,
    /// Too many edges.
    Edges,
}

impl NamedGraph {
    /// Adds an edge, or the vertex `a` alone. Returns false if the set of edges did not change.
    pub(super) fn add(&mut self, a: &str, b: Option<&str>) -> Result<bool, Refusal> {
        let from = self.vertex(a)?;
        let Some(b) = b else { return Ok(false) };
        let to = self.vertex(b)?;
        if from == to {
            self.loops.note(a, b);
            return Ok(false);
        }
        if !self.edges.insert((from.min(to), from.max(to))) {
            self.parallels.note(a, b);
            return Ok(false);
        }
        if self.edges.len() > Graph::MAX_EDGES {
            Err(Refusal::Edges)
        } else {
            Ok(true)
        }
    }

    fn vertex(&mut self, name: &str) -> Result<u16, Refusal> {
        if let Some(&index) = self.indices.get(name) {
            return Ok(index);
        }
        if !is_name(name) {
            return Err(Refusal::Name(quote(name)));
        }
        let vertex = Vertex::from_index(self.names.len()).ok_or(Refusal::Vertices)?;
        let index = vertex.index() as u16;
        self.names.push(name.to_string());
        self.indices.insert(name.to_string(), index);
        Ok(index)
    }

    /// Returns the finished graph. Warnings mention `source`.
    fn part(self, source: &str, places: &HashMap<u16, [f64; 2]>) -> BoardParts {
        let vertices = self.names.len();
        // n different numbers below n are all of 0…n−1.
        let numbers: Option<Vec<usize>> = self
            .names
            .iter()
            .map(|name| index(name).filter(|&index| index < vertices))
            .collect();
        let place = |vertex: u16| {
            let vertex = usize::from(vertex);
            numbers
                .as_ref()
                .and_then(|numbers| numbers.get(vertex))
                .copied()
                .unwrap_or(vertex)
        };
        let mut part = BoardParts::new(
            vertices,
            self.edges.iter().map(|&(a, b)| (place(a), place(b))),
        );
        part.warnings
            .extend(self.loops.line("self-loops dropped", source));
        part.warnings
            .extend(self.parallels.line("parallel edges merged", source));
        let mut points = vec![[f64::NAN; 3]; vertices];
        for (&vertex, &[x, y]) in places {
            if let Some(point) = points.get_mut(place(vertex)) {
                *point = [x, y, 0.0];
            }
        }
        if numbers.is_none() {
            part.labels = Labels::Own(self.names);
        }
        if places.is_empty() {
            return part;
        }
        if places.len() < vertices {
            let problem = format!("coordinates ignored in {source}: some vertices have none");
            part.warnings.push(problem);
            return part;
        }
        match Drawing::of_source(&points, source) {
            Ok((drawing, moved)) => {
                part.warnings.extend(moved);
                match drawing {
                    Some(drawing) => part.drawn(drawing),
                    None => part,
                }
            }
            Err(problem) => {
                part.warnings
                    .push(format!("coordinates ignored in {source}: {problem}"));
                part
            }
        }
    }
}

impl Omitted {
    fn note(&mut self, a: &str, b: &str) {
        if self.count == 0 {
            self.first = quote(&format!("{a}-{b}"));
        }
        self.count += 1;
    }

    fn line(&self, what: &str, source: &str) -> Option<String> {
        let Omitted { count, first } = self;
        (*count > 0).then(|| format!("{what} from {source}: {count}, the first is '{first}'"))
    }
}
