//! Coordinates at which the vertices of a board are drawn. Lattices, solids, and files with
//! coordinates have them.

use std::sync::Arc;

use super::{Graph, pack};
use omnigo_base::vertex::Vertex;

/// Location in the plane: x grows to the right, y upward.
pub type Place = [f64; 2];

/// Locations of all vertices. The unit is the length of a typical edge of the family, or the unit
/// of a file; only proportions matter. Every coordinate is finite. Cloning is cheap.
///
/// ```
/// use omnigo_graph::spec::Spec;
/// let ring = "torus:3x1".parse::<Spec>().unwrap().build().unwrap();
/// let drawing = ring.drawing.unwrap();
/// assert_eq!(*drawing.places, [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
/// assert_eq!(drawing.wraps[0].beside, [[3.0, 0.0], [-1.0, 0.0]]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// One location per vertex, in index order. All are different.
    pub places: Arc<[Place]>,
    /// Locations in space if the board is a solid or a three-dimensional lattice; `places` is their
    /// projection.
    pub solid: Option<Arc<[[f64; 3]]>>,
    /// Edges that leave the drawing on one side and enter it on another. They are not drawn as
    /// straight lines.
    pub wraps: Arc<[Wrap]>,
    /// True if straight edges between the locations are known to cross neither each other nor a
    /// vertex. False for locations from a source, even if nothing crosses.
    pub planar: bool,
}

/// Edge across a side of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// The two vertices that the edge joins.
    pub ends: [Vertex; 2],
    /// Apparent location of the other end, for each end. `beside[0]` is next to `ends[0]`, where
    /// `ends[1]` seems to be. A picture draws half of the edge from each end.
    pub beside: [Place; 2],
}

impl Drawing {
    /// Returns a drawing with straight edges that may cross.
    pub fn new(places: Vec<Place>) -> Drawing {
        Drawing {
            places: places.into(),
            solid: None,
            wraps: Arc::new([]),
            planar: false,
        }
    }

    /// Returns a drawing with straight edges that do not cross.
    pub fn planar(places: Vec<Place>) -> Drawing {
        Drawing {
            planar: true,
            ..Drawing::new(places)
        }
    }

    /// Returns a drawing of points with two or three coordinates from a source, or `None` without
    /// points. If every third coordinate is 0, the points lie in the plane and `solid` is `None`.
    ///
    /// # Errors
    /// If a point has another number of coordinates, or a coordinate that is not a usable number.
    /// Also if two points would be drawn at the same location.
    pub(crate) fn of_points<P: AsRef<[f64]>>(points: &[P]) -> Result<Option<Drawing>, String> {
        let mut solid = Vec::with_capacity(points.len());
        for (vertex, point) in points.iter().enumerate() {
            let (x, y, z) = match *point.as_ref() {
                [x, y] => (x, y, 0.0),
                [x, y, z] => (x, y, if z.is_nan() { 0.0 } else { z }),
                _ => {
                    return Err(format!(
                        "vertex {vertex} has {} coordinates, expected 2 or 3",
                        point.as_ref().len()
                    ));
                }
            };
            // Pictures compute sums and squares of coordinates, which must not overflow.
            if [x, y, z]
                .iter()
                .any(|axis| !axis.is_finite() || axis.abs() > 1e100)
            {
                return Err(format!(
                    "the coordinates of vertex {vertex} are not usable, expected numbers such as 0.5"
                ));
            }
            // Adding 0.0 turns -0.0 into 0.0.
            solid.push([x + 0.0, y + 0.0, z + 0.0]);
        }
        if solid.is_empty() {
            return Ok(None);
        }
        let drawing = match solid.iter().all(|point| point.last() == Some(&0.0)) {
            true => Drawing::new(solid.iter().map(|&[x, y, _]| [x, y]).collect()),
            false => Drawing::in_space(solid),
        };
        let mut places: Vec<(usize, Place)> = drawing.places.iter().copied().enumerate().collect();
        places.sort_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let pairs = places.iter().zip(places.iter().skip(1));
        match pairs.into_iter().find(|((_, a), (_, b))| a == b) {
            Some(((a, _), (b, _))) => Err(format!(
                "vertices {a} and {b} are drawn at the same point, expected different points"
            )),
            None => Ok(Some(drawing)),
        }
    }

    /// Same as [`Drawing::of_points`], but points at the location of another are moved aside. Also
    /// returns a warning about such points, which names `source`.
    pub(crate) fn of_source<P: AsRef<[f64]>>(
        points: &[P],
        source: &str,
    ) -> Result<(Option<Drawing>, Option<String>), String> {
        let in_space = |point: &P| match *point.as_ref() {
            [x, y] => Some([x, y, 0.0]),
            [x, y, z] => Some([x, y, z]),
            _ => None,
        };
        let Some(mut apart) = points.iter().map(in_space).collect::<Option<Vec<_>>>() else {
            return Ok((Drawing::of_points(points)?, None));
        };
        let warning = Drawing::set_apart(&mut apart).map(|(count, (a, b))| {
            format!(
                "coordinates moved apart in {source}: {count}, the first are those of vertex {b}, equal to those of vertex {a}"
            )
        });
        Ok((Drawing::of_points(&apart)?, warning))
    }

    /// Returns a drawing of computed locations with straight edges that may cross. Moves each
    /// location that equals another. Returns `None` if that is impossible.
    pub(crate) fn derived(places: impl IntoIterator<Item = Place>) -> Option<Drawing> {
        let mut points: Vec<[f64; 3]> = places.into_iter().map(|[x, y]| [x, y, 0.0]).collect();
        Drawing::set_apart(&mut points);
        Drawing::of_points(&points).ok().flatten()
    }

    /// Moves each point that would be drawn at the location of an earlier point. Returns the number
    /// of such points and the first pair. Returns `None` and changes nothing if all locations
    /// differ, if all are the same, or if a coordinate is not a usable number.
    fn set_apart(points: &mut [[f64; 3]]) -> Option<(usize, (usize, usize))> {
        let sound = |point: &[f64; 3]| {
            let [x, y, z] = *point;
            x.is_finite() && y.is_finite() && !z.is_infinite() && x.abs().max(y.abs()) < 1e100
        };
        if !points.iter().all(sound) {
            return None;
        }
        let seen = |&[x, y, z]: &[f64; 3]| {
            let z = if z.is_nan() { 0.0 } else { z };
            // Adding 0.0 turns -0.0 into 0.0.
            [x + Self::ASIDE * z + 0.0, y + Self::UPWARD * z + 0.0]
        };
        let key = |place: Place| place.map(f64::to_bits);
        let places: Vec<Place> = points.iter().map(seen).collect();
        let mut taken: omnigo_base::hash::FastMap<[u64; 2], usize> =
            omnigo_base::hash::FastMap::default();
        let mut doubled: Vec<(usize, usize)> = Vec::new();
        for (vertex, &place) in places.iter().enumerate() {
            match taken.get(&key(place)) {
                Some(&other) => doubled.push((other, vertex)),
                None => {
                    taken.insert(key(place), vertex);
                }
            }
        }
        let first = *doubled.first()?;
        let spread = |axis: usize| {
            let numbers = places.iter().filter_map(|place| place.get(axis));
            let (low, high) = numbers.fold((f64::MAX, f64::MIN), |(low, high), &number| {
                (low.min(number), high.max(number))
            });
            high - low
        };
        let extent = spread(0).max(spread(1));
        if extent <= 0.0 {
            return None;
        }
        // A fifth of the distance between evenly spread points.
        let step = 0.2 * extent / (points.len() as f64).sqrt();
        let mut moved = 0;
        for &(_, vertex) in &doubled {
            let Some(point) = points.get_mut(vertex) else {
                continue;
            };
            let [x, y, z] = *point;
            // Move outward on a spiral until the location is free.
            let mut turns = 0u32;
            loop {
                turns += 1;
                moved += 1;
                let (angle, length) = (f64::from(moved as u32) * 2.4, step * f64::from(turns));
                let aside = [x + length * angle.cos(), y + length * angle.sin(), z];
                let free = key(seen(&aside));
                if let std::collections::hash_map::Entry::Vacant(entry) = taken.entry(free) {
                    entry.insert(vertex);
                    *point = aside;
                    break;
                }
                if turns == 64 {
                    break;
                }
            }
        }
        Some((doubled.len(), first))
    }

    /// Shift to the right and upward per unit of depth in projections. No small lattice has such
    /// multiples, so no two of its vertices share a location.
    const ASIDE: f64 = 0.437;
    const UPWARD: f64 = 0.291;

    /// Returns a drawing of points in space, seen from the front, slightly from the left and above.
    pub fn in_space(points: Vec<[f64; 3]>) -> Drawing {
        let seen = |&[x, y, z]: &[f64; 3]| [x + Self::ASIDE * z, y + Self::UPWARD * z];
        Drawing {
            solid: Some(points.as_slice().into()),
            ..Drawing::new(points.iter().map(seen).collect())
        }
    }

    /// Returns the least and greatest coordinates (the lower left and upper right corners), or
    /// `None` without vertices.
    pub fn bounds(&self) -> Option<[Place; 2]> {
        bounds(&self.places)
    }

    /// Returns this drawing, scaled by `scale` and then moved by `by`.
    pub fn moved(&self, scale: f64, by: Place) -> Drawing {
        let move_to = |&[x, y]: &Place| [scale * x + by[0], scale * y + by[1]];
        Drawing {
            places: self.places.iter().map(move_to).collect(),
            solid: self.solid.clone(),
            wraps: self
                .wraps
                .iter()
                .map(|wrap| Wrap {
                    beside: wrap.beside.each_ref().map(move_to),
                    ..*wrap
                })
                .collect(),
            planar: self.planar,
        }
    }

    /// Places drawings side by side, in the order of their vertices, from left to right. Drawings
    /// that would form a long strip stand in rows, from the lower left. The result has no
    /// coordinates in space.
    pub(super) fn beside(drawings: &[Drawing]) -> Drawing {
        /// Space between drawings, in the unit of their coordinates. Lines that wrap need half of
        /// it.
        const GAP: f64 = 2.0;
        /// Largest ratio of width to height at which all drawings form one row.
        const STRIP: f64 = 4.0;
        let boxes: Vec<(&Drawing, [Place; 2])> = drawings
            .iter()
            .filter_map(|drawing| Some((drawing, drawing.bounds()?)))
            .collect();
        let size = |[low, high]: [Place; 2]| [high[0] - low[0] + GAP, high[1] - low[1] + GAP];
        let sizes: Vec<Place> = boxes.iter().map(|&(_, bounds)| size(bounds)).collect();
        let strip: f64 = sizes.iter().map(|[w, _]| w).sum();
        let highest = sizes.iter().map(|&[_, h]| h).fold(0.0, f64::max);
        let width = if strip <= STRIP * highest {
            strip
        } else {
            pack::page_width(&sizes)
        };
        let mut places = Vec::with_capacity(drawings.iter().map(|d| d.places.len()).sum());
        let mut wraps = Vec::new();
        for (&(drawing, [low, _]), corner) in boxes.iter().zip(pack::corners(&sizes, width)) {
            let first = places.len();
            let drawing = drawing.moved(1.0, [corner[0] - low[0], corner[1] - low[1]]);
            places.extend_from_slice(&drawing.places);
            wraps.extend(drawing.wraps.iter().map(|wrap| Wrap {
                ends: wrap.ends.map(|end| Vertex::at(first + end.index())),
                ..*wrap
            }));
        }
        Drawing {
            wraps: wraps.into(),
            planar: boxes.iter().all(|(drawing, _)| drawing.planar),
            ..Drawing::new(places)
        }
    }

    /// Returns the neighbors of each vertex counterclockwise, starting on the left. This is an
    /// embedding if the drawing is planar.
    pub fn rotation(&self, graph: &Graph) -> Vec<Vec<Vertex>> {
        let around = |v: Vertex| {
            let mut neighbors: Vec<Vertex> = graph.neighbors(v).to_vec();
            let angle = |u: &Vertex| match (self.places.get(u.index()), self.places.get(v.index()))
            {
                (Some(to), Some(from)) => (to[1] - from[1]).atan2(to[0] - from[0]),
                _ => 0.0,
            };
            neighbors.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            neighbors
        };
        graph.all().map(around).collect()
    }
}

/// Returns the least and greatest coordinates (the lower left and upper right corners), or `None`
/// without places.
pub(crate) fn bounds(places: &[Place]) -> Option<[Place; 2]> {
    let (&first, others) = places.split_first()?;
    Some(others.iter().fold([first, first], |[low, high], &[x, y]| {
        [
            [low[0].min(x), low[1].min(y)],
            [high[0].max(x), high[1].max(y)],
        ]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_listed_counterclockwise() {
        let edges = [(0, 1), (0, 2), (0, 3), (0, 4)];
        let (star, _) = Graph::from_edges(5, &edges);
        let places = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.5], [0.0, -1.0]];
        let around = Drawing::planar(places).rotation(&star);
        assert_eq!(around[0], [4, 2, 1, 3].map(Vertex::at));
        assert_eq!(around[1], [Vertex::at(0)]);
    }

    #[test]
    fn drawings_are_placed_side_by_side() {
        let one = Drawing::planar(vec![[5.0, 5.0], [6.0, 7.0]]);
        let both = Drawing::beside(&[one.clone(), Drawing::planar(Vec::new()), one]);
        assert_eq!(
            *both.places,
            [[0.0, 0.0], [1.0, 2.0], [3.0, 0.0], [4.0, 2.0]]
        );
        assert!(both.planar);
    }

    #[test]
    fn many_drawings_stand_in_rows() {
        let square = Drawing::planar(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let [low, high] = Drawing::beside(&vec![square; 40]).bounds().unwrap();
        let shape = (high[0] - low[0]) / (high[1] - low[1]);
        assert!((1.0..2.0).contains(&shape), "{low:?} {high:?}");
    }
}
