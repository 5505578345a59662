//! Go-spaces of graphs: the points are the vertices and the edges.
//!
//! The smallest open set of a vertex is the vertex alone; that of an edge u-v is {u, u-v, v}. If
//! the placements are single vertices, this is ordinary Go on the graph. Stones that cover an edge
//! with both ends, or two ends without their edge, give other games.

use std::sync::Arc;

use super::{Family, Recipe};
use crate::model::board_parts::{Aliases, BoardParts, Labels, Size};
use crate::model::drawing::Drawing;
use crate::model::goban::{Goban, Surface};
use crate::model::space::{Space, Topology};
use crate::spec::{Spec, SpecError, family_names};
use omnigo_base::text::quote;

/// Placements in addition to the single vertices.
#[derive(Clone, Copy, Default)]
struct Stones {
    /// {u, u-v, v} for each edge.
    edges: bool,
    /// {u, v} for each edge.
    pairs: bool,
}

/// Parses `(SPEC)`, `(SPEC),edges`, `(SPEC),pairs`, or `(SPEC),edges,pairs`. A spec without options
/// needs no parentheses.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let also =
        "with the spec of a graph in parentheses, followed by edges, pairs, both, or neither";
    let refuse = || family.refuse(text, also);
    let (inner, options) = match text.strip_prefix('(') {
        Some(rest) => rest.rsplit_once(')').ok_or_else(refuse)?,
        None => (text, ""),
    };
    let mut stones = Stones::default();
    for (place, option) in options.split(',').enumerate() {
        match option {
            "" if place == 0 => {}
            _ if place == 0 => return Err(refuse()),
            "edges" => stones.edges = true,
            "pairs" => stones.pairs = true,
            _ => return Err(refuse()),
        }
    }
    // Check this before parsing the spec, so that go-spaces are never nested.
    if family_names(inner).any(|name| name.eq_ignore_ascii_case(family.name)) {
        return Err(family.refuse(text, "with the spec of a graph, not of a go-space"));
    }
    let inner: Spec = inner.parse()?;
    let size = inner.size();
    let kinds = 1 + u64::from(stones.edges) + u64::from(stones.pairs);
    let size = Size {
        vertices: size.vertices + size.edges * (kinds - 1).max(1),
        edges: size.edges,
    };
    let mut arguments = format!("({inner})");
    for (option, wanted) in [("edges", stones.edges), ("pairs", stones.pairs)] {
        if wanted {
            arguments.push(',');
            arguments.push_str(option);
        }
    }
    let whole = quote(&format!("{}:{arguments}", family.name));
    let refused = family.refuse(
        text,
        "with the spec of a graph, not of another kind of board",
    );
    Ok(Recipe {
        arguments,
        size,
        build: Arc::new(move |reading| {
            let goban = inner.clone().reading(reading.clone()).build()?;
            match goban.surface {
                Surface::Graph => {}
                Surface::Space { .. } | Surface::Mango(_) => return Err(refused.clone()),
            }
            build(&goban, stones, &whole)
        }),
    })
}

fn build(goban: &Goban, stones: Stones, whole: &str) -> Result<BoardParts, SpecError> {
    let graph = &goban.graph;
    let n = graph.vertices();
    let edges: Vec<(usize, usize)> = graph.pairs().collect();
    let problem = |problem: String| SpecError::Space {
        text: whole.to_string(),
        problem,
    };
    let mut min_open: Vec<Vec<usize>> = (0..n).map(|v| vec![v]).collect();
    let mut placements = min_open.clone();
    for (number, &(u, v)) in edges.iter().enumerate() {
        min_open.push(vec![u, v, n + number]);
    }
    if stones.edges {
        placements.extend(min_open.iter().skip(n).cloned());
    }
    if stones.pairs {
        placements.extend(edges.iter().map(|&(u, v)| vec![u, v]));
    }
    let points = min_open.len();
    let space = Space::new(points, &Topology::MinOpen(min_open), &placements);
    let space = space.map_err(|error| problem(error.to_string()))?;

    let vertices: Vec<String> = graph
        .all()
        .map(|vertex| goban.names.label(vertex).into_owned())
        .collect();
    let joined = |with: char| {
        let vertices = &vertices;
        edges.iter().map(move |&(u, v)| {
            let name = |v: usize| vertices.get(v).map_or("", String::as_str);
            format!("{}{with}{}", name(u), name(v))
        })
    };
    let point_labels: Vec<String> = vertices.iter().cloned().chain(joined('-')).collect();
    let mut labels = vertices.clone();
    if stones.edges {
        labels.extend(joined('-'));
    }
    if stones.pairs {
        labels.extend(joined('+'));
    }
    // Vertices keep the coordinates of the graph, if it has them.
    let coordinates = graph
        .all()
        .all(|vertex| goban.names.label(vertex) == goban.names.alias(vertex));
    let columns = (coordinates && n > 0).then(|| goban.names.width());
    let labels = match columns {
        Some(width) if labels.len() == n => Labels::Coordinates(width),
        _ => Labels::Own(labels),
    };
    let mut part = BoardParts::of_space(space, labels, Some(point_labels)).map_err(problem)?;
    part.start = goban.start.clone();
    part.drawing = drawing(goban, &edges, stones);
    part.aliases = match columns {
        Some(columns) => Aliases::Columns(columns),
        None if goban.names.follow_a_drawing() => Aliases::Drawing,
        None => Aliases::Index,
    };
    part.warnings = goban.warnings.clone();
    Ok(part)
}

/// Draws the vertices as in the graph. Stones on an edge are drawn at its midpoint, pairs slightly
/// beside it. Midpoints may coincide, such as those of the diagonals of a square.
fn drawing(goban: &Goban, edges: &[(usize, usize)], stones: Stones) -> Option<Drawing> {
    const ASIDE: f64 = 0.1;
    let drawing = goban.drawing.as_ref()?;
    if !stones.edges && !stones.pairs {
        return Some(drawing.clone());
    }
    let between = |aside: f64| {
        edges.iter().map(move |&(u, v)| {
            let (&[ux, uy], &[vx, vy]) = (drawing.places.get(u)?, drawing.places.get(v)?);
            let (dx, dy) = (vx - ux, vy - uy);
            Some([(ux + vx) / 2.0 - aside * dy, (uy + vy) / 2.0 + aside * dx])
        })
    };
    let mut places: Vec<_> = drawing.places.iter().copied().map(Some).collect();
    if stones.edges {
        places.extend(between(0.0));
    }
    if stones.pairs {
        places.extend(between(ASIDE));
    }
    Drawing::derived(places.into_iter().collect::<Option<Vec<_>>>()?)
}
