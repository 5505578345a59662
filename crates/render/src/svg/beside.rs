//! Places of names beside their points. Each name takes the direction with the most room: away from
//! the edges of its point, other names, and stones.
//!
//! A raster counts the edges, stones, and names in each cell. The cost of a direction is the sum of
//! the cells under the name. The work is linear in the number of names.

use std::f64::consts::{PI, TAU};

use super::bent::on_curve;
use super::geometry::Geometry;
use omnigo_graph::layout::Place;

/// Number of directions that are tried.
const DIRECTIONS: usize = 16;
/// Number of times that each name may move again, on boards of at most [`MANY`] names.
const ROUNDS: usize = 4;
/// Maximum number of names that may move again.
const MANY: usize = 3_000;
/// Side of a cell of the raster, in pixels.
const CELL: f64 = 4.0;
/// Maximum number of steps in which edges are entered. On boards with longer edges in total, the
/// steps are longer.
const STEPS: f64 = 2e6;
/// Space between a stone and its name, in pixels.
const GAP: f64 = 3.0;
/// Cost per cell of an edge, a stone, another name, and the border outside the picture.
const EDGE: f32 = 1.0;
const STONE: f32 = 4.0;
const NAME: f32 = 8.0;
const OUTSIDE: f32 = 0.15;
/// Cost of a direction along an edge of the point itself. Opposite to all edges it is 0.
const ALONG: f32 = 14.0;
/// Cost of a name above or below its point; names at the side are easier to read.
const UPRIGHT: f32 = 2.0;

/// Returns the middle of each name. `sizes` has the width and height of each name; points without a
/// name have `None`.
pub(super) fn places(geometry: &Geometry, sizes: &[Option<[f64; 2]>]) -> Vec<Place> {
    let widest = sizes
        .iter()
        .flatten()
        .map(|size| size[0])
        .fold(0.0, f64::max);
    let mut raster = Raster::new(geometry, widest + 2.0 * geometry.radius);
    raster.enter_edges(geometry);
    for &[x, y] in &geometry.places {
        raster.enter_stone([x, y], geometry.radius);
    }
    let angles = edge_angles(geometry);
    let mut chosen: Vec<Option<usize>> = vec![None; sizes.len()];
    let rounds = if sizes.iter().flatten().count() > MANY {
        1
    } else {
        ROUNDS
    };
    let reach = geometry.radius + GAP;
    for _ in 0..rounds {
        let mut moved = false;
        for (v, size) in sizes.iter().enumerate() {
            let Some(size) = *size else { continue };
            let own = angles.get(v).map_or(&[][..], Vec::as_slice);
            let at = |number: usize| beside(geometry.at(v), size, number, reach);
            let before = chosen.get(v).copied().flatten();
            if let Some(number) = before {
                raster.add(at(number), size, -NAME);
            }
            let cost = |number: usize| raster.sum(at(number), size) + turn_cost(own, number);
            let costs = (0..DIRECTIONS).map(|number| (cost(number), number));
            let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
            let number = best.map_or(0, |(_, number)| number);
            raster.add(at(number), size, NAME);
            moved |= before != Some(number);
            if let Some(chosen) = chosen.get_mut(v) {
                *chosen = Some(number);
            }
        }
        if !moved {
            break;
        }
    }
    let place = |(v, number): (usize, &Option<usize>)| {
        let here = geometry.at(v);
        match (sizes.get(v).copied().flatten(), number) {
            (Some(size), Some(number)) => beside(here, size, *number, reach),
            _ => here,
        }
    };
    chosen.iter().enumerate().map(place).collect()
}

/// Returns the angle of a direction, counterclockwise from the right.
fn angle(number: usize) -> f64 {
    TAU * number as f64 / DIRECTIONS as f64
}

/// Returns the middle of a box in this direction that just clears a circle around the point.
fn beside(here: Place, [width, height]: [f64; 2], number: usize, reach: f64) -> Place {
    let (sin, cos) = angle(number).sin_cos();
    let (mut low, mut high) = (0.0, reach + width + height);
    for _ in 0..16 {
        let middle = (low + high) / 2.0;
        let x = ((middle * cos).abs() - width / 2.0).max(0.0);
        let y = ((middle * sin).abs() - height / 2.0).max(0.0);
        if x * x + y * y < reach * reach {
            low = middle;
        } else {
            high = middle;
        }
    }
    [here[0] + high * cos, here[1] - high * sin]
}

/// Returns the cost of a direction by itself: near to edges of the point, or upright.
fn turn_cost(edges: &[f64], number: usize) -> f32 {
    let here = angle(number);
    let apart = |edge: &f64| {
        let turn = (here - edge).rem_euclid(TAU);
        turn.min(TAU - turn)
    };
    let room = edges.iter().map(apart).fold(PI, f64::min);
    ALONG * (1.0 - room / PI) as f32 + UPRIGHT * here.sin().abs() as f32
}

/// Returns the angles of the edges at each point.
fn edge_angles(geometry: &Geometry) -> Vec<Vec<f64>> {
    let mut angles = vec![Vec::new(); geometry.places.len()];
    let mut enter = |v: usize, to: Place| {
        let from = geometry.at(v);
        if let Some(angles) = angles.get_mut(v) {
            angles.push((from[1] - to[1]).atan2(to[0] - from[0]));
        }
    };
    for &(a, b) in &geometry.edges {
        let bend = geometry.bends.get(&(a, b)).copied();
        enter(a, bend.unwrap_or(geometry.at(b)));
        enter(b, bend.unwrap_or(geometry.at(a)));
    }
    for &([a, b], [to, from]) in &geometry.wraps {
        enter(a, to);
        enter(b, from);
    }
    angles
}

/// Cells over the picture and the border around it.
struct Raster {
    columns: usize,
    rows: usize,
    /// Upper left corner.
    corner: Place,
    side: f64,
    cells: Vec<f32>,
}

impl Raster {
    fn new(geometry: &Geometry, border: f64) -> Raster {
        let (width, height) = (
            geometry.width + 2.0 * border,
            geometry.height + 2.0 * border,
        );
        let cells = |side: f64| (side / CELL).ceil().max(1.0) as usize;
        let (columns, rows) = (cells(width), cells(height));
        let mut raster = Raster {
            columns,
            rows,
            corner: [-border, -border],
            side: CELL,
            cells: vec![OUTSIDE; columns * rows],
        };
        let middle = [geometry.width / 2.0, geometry.height / 2.0];
        raster.add(middle, [geometry.width, geometry.height], -OUTSIDE);
        raster
    }

    /// Returns the cell of a location, at most `most`.
    fn cell(&self, x: f64, axis: usize, most: usize) -> usize {
        let corner = self.corner.get(axis).copied().unwrap_or(0.0);
        (((x - corner) / self.side).max(0.0) as usize).min(most)
    }

    /// Returns the columns and rows of a box.
    fn span(
        &self,
        [x, y]: Place,
        [width, height]: [f64; 2],
    ) -> [std::ops::RangeInclusive<usize>; 2] {
        let last = [self.columns.saturating_sub(1), self.rows.saturating_sub(1)];
        let column = |x: f64| self.cell(x, 0, last[0]);
        let row = |y: f64| self.cell(y, 1, last[1]);
        [
            column(x - width / 2.0)..=column(x + width / 2.0),
            row(y - height / 2.0)..=row(y + height / 2.0),
        ]
    }

    fn sum(&self, at: Place, size: [f64; 2]) -> f32 {
        let [columns, rows] = self.span(at, size);
        let row = |row: usize| {
            let from = row * self.columns + columns.start();
            let cells = self.cells.get(from..=row * self.columns + columns.end());
            cells.map_or(0.0, |cells| cells.iter().sum::<f32>())
        };
        rows.map(row).sum()
    }

    fn add(&mut self, at: Place, size: [f64; 2], amount: f32) {
        let [columns, rows] = self.span(at, size);
        for row in rows {
            let from = row * self.columns + columns.start();
            let to = row * self.columns + columns.end();
            for cell in self.cells.get_mut(from..=to).into_iter().flatten() {
                *cell += amount;
            }
        }
    }

    fn enter_stone(&mut self, [x, y]: Place, radius: f64) {
        // Three boxes are close enough to a disc.
        for (width, height) in [(0.6, 1.8), (1.4, 1.4), (1.8, 0.6)] {
            self.add([x, y], [width * radius, height * radius], STONE / 3.0);
        }
    }

    fn enter_edges(&mut self, geometry: &Geometry) {
        let length = |&(a, b): &(usize, usize)| {
            let (a, b) = (geometry.at(a), geometry.at(b));
            (a[0] - b[0]).hypot(a[1] - b[1])
        };
        let total: f64 = geometry.edges.iter().map(length).sum();
        let step = self.side.max(total / STEPS);
        for edge in &geometry.edges {
            let (from, to) = (geometry.at(edge.0), geometry.at(edge.1));
            let bend = geometry.bends.get(edge).copied();
            let control = bend.unwrap_or([(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0]);
            let steps = (length(edge) / step).ceil().clamp(1.0, 1e5) as usize;
            for number in 0..=steps {
                let on = on_curve(from, control, to, number as f64 / steps as f64);
                self.add(on, [0.0, 0.0], EDGE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_clear_their_points() {
        for number in 0..DIRECTIONS {
            let [x, y] = beside([0.0, 0.0], [60.0, 10.0], number, 20.0);
            let gap = (x.abs() - 30.0).max(0.0).hypot((y.abs() - 5.0).max(0.0));
            assert!((19.9..=20.1).contains(&gap), "{number}: {gap}");
        }
    }

    #[test]
    fn names_turn_away_from_edges() {
        let cost = |number: usize| turn_cost(&[0.0], number);
        let best = (0..DIRECTIONS).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        assert_eq!(best, Some(DIRECTIONS / 2));
    }
}
