//! Coordinates of everything in a picture of a board, in pixels, with y pointing down.

use std::collections::HashMap;

use super::apart::{Work, push_apart};
use super::bent::bends;
use super::nearest::nearest_distances;
use omnigo_graph::layout::Place;

/// Board as points and lines, from which a picture is drawn.
pub(super) struct Sketch {
    /// Location of each point, with y pointing up, in any unit.
    pub(super) places: Vec<Place>,
    /// Edges drawn as lines.
    pub(super) edges: Vec<(usize, usize)>,
    /// Edges across a side: the two ends, and the location at which each end shows the other.
    pub(super) wraps: Vec<([usize; 2], [Place; 2])>,
    /// Distance of each point from the viewer, from 0 (nearest) to 1 (farthest), on boards of three
    /// dimensions.
    pub(super) depth: Option<Vec<f64>>,
}

/// Sketch on its canvas, in pixels.
pub(super) struct Geometry {
    pub(super) places: Vec<Place>,
    pub(super) edges: Vec<(usize, usize)>,
    /// Control points of the edges that are curves.
    pub(super) bends: HashMap<(usize, usize), Place>,
    pub(super) wraps: Vec<([usize; 2], [Place; 2])>,
    pub(super) depth: Option<Vec<f64>>,
    /// Radius of a stone.
    pub(super) radius: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Distance from the outermost points to the border of the background.
    pub(super) margin: f64,
}

/// Maximum length of the longer side of a picture without margins and names, in pixels. With them,
/// it has at most 4000 pixels.
const LONGEST: f64 = 3300.0;
/// Maximum number of times that points are pushed apart. Each time makes edges longer, and the goal
/// with them.
const TIMES: usize = 3;
/// Minimum factor by which pushing must enlarge stones; else the drawing stays as it was.
const WORTH: f64 = 1.2;
/// Radius of a stone on lattices, as a fraction of the distance between points. Stones almost
/// touch.
const TOUCHING: f64 = 0.48;
/// Radius of a stone on other boards, as a fraction of that distance. Edges stay visible between
/// stones.
const APART: f64 = 0.34;
/// Minimum radius of a stone on crowded boards with enough room, as a fraction of the typical edge
/// length.
const LEAST: f64 = 0.21;

impl Geometry {
    /// Scales a sketch so that stones are easy to see and the picture can be printed. `coordinates`
    /// reserves space around the board.
    pub(super) fn new(sketch: Sketch, coordinates: bool) -> Geometry {
        let Sketch {
            places,
            edges,
            wraps,
            depth,
        } = roomy(sketch);
        let lengths = lengths(&places, &edges, &wraps);
        let typical = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
        let uniform = match (lengths.first(), lengths.last()) {
            (Some(shortest), Some(longest)) => longest < &(shortest * 1.05),
            _ => true,
        };
        let mut near = nearest_distances(&places, typical);
        near.sort_unstable_by(f64::total_cmp);
        // A few close vertices must not shrink all other stones, so take the 5th percentile.
        let room = near.get(near.len() / 20).copied().unwrap_or(typical);
        let share = if uniform && room > 0.9 * typical {
            TOUCHING
        } else {
            APART
        };
        // No stone may hide another.
        let least = near.first().copied().unwrap_or(typical);
        let wanted = (share * room.min(typical)).max(LEAST * typical);
        let radius = wanted.min(TOUCHING * least);

        let n = places.len();
        let pixels = match n {
            0..=130 => 19.0,
            131..=1000 => 15.0,
            1001..=4000 => 10.0,
            _ => 6.0,
        };
        let mut low = [f64::MAX; 2];
        let mut high = [f64::MIN; 2];
        for place in &places {
            for (axis, &x) in place.iter().enumerate() {
                if let (Some(low), Some(high)) = (low.get_mut(axis), high.get_mut(axis)) {
                    *low = low.min(x);
                    *high = high.max(x);
                }
            }
        }
        if n == 0 {
            (low, high) = ([0.0; 2], [0.0; 2]);
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]);
        let scale = (pixels / radius.max(1e-9)).min(LONGEST / side.max(1e-9));
        let radius = radius * scale;
        let around = if wraps.is_empty() { 1.6 } else { 2.6 };
        let margin = radius * (around + if coordinates { 0.9 } else { 0.0 });
        let (width, height) = (
            (high[0] - low[0]) * scale + 2.0 * margin,
            (high[1] - low[1]) * scale + 2.0 * margin,
        );
        let place = |&[x, y]: &Place| {
            [
                margin + (x - low[0]) * scale,
                height - margin - (y - low[1]) * scale,
            ]
        };
        let places: Vec<Place> = places.iter().map(place).collect();
        Geometry {
            bends: bends(&places, &edges, radius),
            wraps: wraps
                .iter()
                .map(|&(ends, beside)| (ends, beside.map(|at| place(&at))))
                .collect(),
            places,
            edges,
            depth,
            radius,
            width,
            height,
            margin,
        }
    }

    /// Enlarges the picture to the rectangle from `low` to `high`, which contains it. Everything
    /// moves, so that `low` becomes the upper left corner.
    pub(super) fn grow(&mut self, low: Place, high: Place) {
        let move_by = |place: &mut Place| *place = [place[0] - low[0], place[1] - low[1]];
        self.places.iter_mut().for_each(move_by);
        self.bends.values_mut().for_each(move_by);
        let wraps = self.wraps.iter_mut();
        wraps.flat_map(|(_, beside)| beside).for_each(move_by);
        self.width = high[0] - low[0];
        self.height = high[1] - low[1];
    }

    /// Returns the location of a point, or the corner of the picture if there is no such point.
    pub(super) fn at(&self, index: usize) -> Place {
        self.places.get(index).copied().unwrap_or([0.0, 0.0])
    }
}

/// Returns the sketch with close points pushed apart. The outer ends of edges across a side move
/// with their points.
fn roomy(mut sketch: Sketch) -> Sketch {
    let before = sketch.places.clone();
    let (median, first) = stone_room(&sketch);
    let (mut best, mut length) = (first, median);
    let mut work = Work::default();
    for _ in 0..TIMES {
        let mut places = sketch.places.clone();
        push_apart(&mut places, &sketch.edges, length, &mut work);
        let kept = std::mem::replace(&mut sketch.places, places);
        let (longer, room) = stone_room(&sketch);
        if room <= best {
            sketch.places = kept;
            break;
        }
        (best, length) = (room, longer);
    }
    // Keep the original drawing if stones would be hardly larger, because it is tidier.
    if best < WORTH * first {
        sketch.places = before;
        return sketch;
    }
    let shift = |v: usize| match (before.get(v), sketch.places.get(v)) {
        (Some(from), Some(to)) => [to[0] - from[0], to[1] - from[1]],
        _ => [0.0, 0.0],
    };
    for ([a, b], beside) in &mut sketch.wraps {
        for (at, end) in beside.iter_mut().zip([*b, *a]) {
            let by = shift(end);
            *at = [at[0] + by[0], at[1] + by[1]];
        }
    }
    sketch
}

/// Returns the median edge length, and the minimum distance between two points as a fraction of it.
fn stone_room(sketch: &Sketch) -> (f64, f64) {
    let lengths = lengths(&sketch.places, &sketch.edges, &sketch.wraps);
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
    let near = nearest_distances(&sketch.places, median);
    (
        median,
        near.into_iter().fold(median, f64::min) / median.max(1e-9),
    )
}

/// Returns the lengths of all edges, ascending.
fn lengths(
    places: &[Place],
    edges: &[(usize, usize)],
    wraps: &[([usize; 2], [Place; 2])],
) -> Vec<f64> {
    let length = |a: Place, b: Place| (a[0] - b[0]).hypot(a[1] - b[1]);
    let straight = edges
        .iter()
        .filter_map(|&(a, b)| Some(length(*places.get(a)?, *places.get(b)?)));
    let across = wraps.iter().filter_map(|(ends, beside)| {
        let [from, _] = ends;
        Some(length(*places.get(*from)?, beside[0]))
    });
    let mut lengths: Vec<f64> = straight.chain(across).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    lengths
}
