//! Points in a picture of a board: the vertices of a graph, or the points of a go-space.

use std::collections::{HashMap, HashSet};

use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;
use omnigo_graph::drawing::{Drawing, Place};
use omnigo_graph::goban::{Goban, Surface};
use omnigo_graph::space::Space;

/// Maximum number of steps for finding the order of a go-space, as estimated beforehand.
const MOST_WORK: usize = 20_000_000;

/// Returns the order of the points of a space as a graph. An edge joins two points if the minimal
/// open set of one contains the other, with no third point between them.
pub(super) fn order(space: &Space) -> Graph {
    // For large open sets, draw all pairs instead, without checking for points between them.
    let work = |x| space.min_open(Vertex::at(x)).len().saturating_pow(3);
    let total = (0..space.points()).fold(0usize, |sum, x| sum.saturating_add(work(x)));
    let is_large = total > MOST_WORK;
    let mut edges = Vec::new();
    for x in (0..space.points()).map(Vertex::at) {
        let inner = space.min_open(x);
        let below = |&y: &Vertex| y != x && !space.min_open(y).contains(&x);
        for &y in inner.iter().filter(|y| **y != x) {
            let between = |&z: &Vertex| {
                z != y && space.min_open(z).contains(&y) && !space.min_open(y).contains(&z)
            };
            let equal = space.min_open(y).contains(&x);
            if is_large || equal || !inner.iter().filter(|z| below(z)).any(between) {
                edges.push((x.index() as u16, y.index() as u16));
            }
        }
    }
    Graph::from_edges(space.points(), &edges).0
}

/// Returns the locations of the points if the board has a drawing of its placements. Each point
/// lies at the smallest placement around it. `None` if a point has no placement or location of its
/// own.
pub(super) fn places(space: &Space, drawing: &Drawing) -> Option<Vec<Place>> {
    let mut taken = HashSet::new();
    let mut places = Vec::with_capacity(space.points());
    for owner in owners(space) {
        let place = *drawing.places.get(owner?)?;
        if !taken.insert(place.map(f64::to_bits)) {
            return None;
        }
        places.push(place);
    }
    Some(places)
}

/// Returns the smallest placement around each point, or `None` if it is also the smallest for
/// another point.
pub(super) fn owners(space: &Space) -> Vec<Option<usize>> {
    let mut smallest: Vec<Option<usize>> = vec![None; space.points()];
    for number in 0..space.placements() {
        let points = space.placement(number);
        for point in points {
            if let Some(best) = smallest.get_mut(point.index()) {
                let is_smaller = best.is_none_or(|best| points.len() < space.placement(best).len());
                if is_smaller {
                    *best = Some(number);
                }
            }
        }
    }
    let mut claims = vec![0usize; space.placements()];
    for &owner in smallest.iter().flatten() {
        if let Some(claims) = claims.get_mut(owner) {
            *claims += 1;
        }
    }
    let alone = |owner: &usize| claims.get(*owner) == Some(&1);
    smallest
        .into_iter()
        .map(|owner| owner.filter(alone))
        .collect()
}

/// Maps each placement of a go-space to the point that represents it: the point whose smallest
/// placement it is. Returns `None` for other boards.
pub(super) fn points_of(goban: &Goban) -> Option<HashMap<usize, usize>> {
    let owners = owners(goban.space()?).into_iter().enumerate();
    Some(
        owners
            .filter_map(|(point, owner)| Some((owner?, point)))
            .collect(),
    )
}

/// Returns the location of each vertex. A placement of a go-space is at the point that represents
/// it. Without such a point, it is in the middle of its points. Placements in one location move
/// aside.
pub(super) fn middles(goban: &Goban, places: &[Place], radius: f64) -> Vec<Place> {
    let Some(points) = points_of(goban) else {
        return places.to_vec();
    };
    let mut taken: HashMap<[i64; 2], usize> = HashMap::new();
    let middle = |vertex: Vertex| {
        if let Some(place) = points
            .get(&vertex.index())
            .and_then(|&point| places.get(point))
        {
            return *place;
        }
        let covered = goban.covered(vertex);
        let located = covered.iter().filter_map(|point| places.get(point.index()));
        let sum = located.fold([0.0, 0.0], |[x, y], place| [x + place[0], y + place[1]]);
        let count = covered.len().max(1) as f64;
        [sum[0] / count, sum[1] / count]
    };
    let middles = goban.graph.all().map(middle);
    middles
        .map(|[x, y]| {
            let cell = [x / radius, y / radius].map(|side| side.round() as i64);
            let before = taken.entry(cell).or_default();
            let turn = *before as f64;
            *before += 1;
            // A spiral, so that no two of the placements coincide.
            let (angle, length) = (turn * 2.4, 0.9 * radius * turn.sqrt());
            [x + length * angle.cos(), y + length * angle.sin()]
        })
        .collect()
}

/// Returns true if the board is ruled: its vertices fill columns and rows and are named after them.
/// Coordinates around such a board name all vertices.
pub(super) fn is_ruled(goban: &Goban) -> bool {
    let names = &goban.names;
    let in_rows = |drawing: &Drawing| {
        goban.graph.all().all(|v| {
            let (column, row) = names.cell(v);
            drawing.places.get(v.index()) == Some(&[column as f64, row as f64])
                && names.label(v) == names.alias(v).as_str()
        })
    };
    let vertices = goban.graph.vertices();
    let full = vertices > 0 && names.width() * names.height() == vertices;
    match &goban.surface {
        Surface::Graph => full && goban.drawing.as_ref().is_some_and(in_rows),
        Surface::Space { .. } | Surface::Mango(_) => false,
    }
}
