//! Grid of GTP aliases that resembles a drawing. Each vertex has its own cell. Columns count from
//! left to right, rows from the bottom up.

use std::sync::Arc;

use super::drawing::Drawing;
use super::names::Names;
use omnigo_base::hash::FastMap;
use omnigo_base::vertex::Vertex;

/// Maximum number of grid cells per vertex. A sparser grid is mostly empty and does not resemble
/// the drawing.
const SPARSE: usize = 6;

/// Side lengths of alias grids that GTP controllers can show. The first is used if the board fits,
/// otherwise the second.
const SIDES: [usize; 2] = [25, 52];

/// Distinct cells of all vertices on a rectangle. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    width: usize,
    height: usize,
    /// Column and row of each vertex.
    of: Arc<[(u32, u32)]>,
    at: Arc<FastMap<(u32, u32), Vertex>>,
}

impl Cells {
    /// Returns a grid of these cells. The caller guarantees that they are distinct.
    fn new(of: Vec<(u32, u32)>) -> Cells {
        let side = |of: fn(&(u32, u32)) -> u32, cells: &[(u32, u32)]| {
            cells
                .iter()
                .map(of)
                .max()
                .map_or(0, |most| most as usize + 1)
        };
        Cells {
            width: side(|cell| cell.0, &of).max(1),
            height: side(|cell| cell.1, &of),
            at: Arc::new(
                of.iter()
                    .enumerate()
                    .map(|(v, &cell)| (cell, Vertex::at(v)))
                    .collect(),
            ),
            of: of.into(),
        }
    }

    /// Returns cells row by row from the bottom, with `width` columns per row.
    pub(crate) fn rows(vertices: usize, width: usize) -> Cells {
        let width = width.max(1);
        Cells::new(
            (0..vertices)
                .map(|v| ((v % width) as u32, (v / width) as u32))
                .collect(),
        )
    }

    /// Returns the cells that `vertices` have among the names of a board.
    pub(crate) fn of_names(names: &Names, vertices: impl Iterator<Item = Vertex>) -> Cells {
        let cell = |v| {
            let (column, row) = names.cell(v);
            (column as u32, row as u32)
        };
        Cells::new(vertices.map(cell).collect())
    }

    /// Returns cells that keep left and right, and above and below, of the drawing as well as the
    /// grid allows. The grid has at most 25×25 cells, or 52×52 if that is too small, or else as
    /// many rows as needed.
    ///
    /// If the coordinates form a lattice, they become columns and rows directly. Other drawings are
    /// scaled onto the smallest grid on which no two vertices share a cell. If there is no such
    /// grid, vertices move to the nearest free cell.
    pub(crate) fn of_drawing(drawing: &Drawing) -> Cells {
        let places = &drawing.places;
        let n = places.len();
        let xs = ranks(places.iter().map(|place| place[0]).collect());
        let ys = ranks(places.iter().map(|place| place[1]).collect());
        let lattice: Vec<(u32, u32)> = xs.of.iter().copied().zip(ys.of.iter().copied()).collect();
        let distinct = {
            let mut sorted = lattice.clone();
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| pair.first() != pair.last())
        };
        let most = if n <= SIDES[0] * SIDES[0] {
            SIDES[0]
        } else {
            SIDES[1]
        };
        let dense = xs.count * ys.count <= SPARSE * n;
        if distinct && dense && (xs.count.max(ys.count) <= most || n > SIDES[1] * SIDES[1]) {
            return Cells::new(lattice);
        }
        let scaled = SIDES.iter().find_map(|&side| scaled(drawing, side));
        Cells::new(scaled.unwrap_or_else(|| in_rows(drawing)))
    }

    /// Places grids side by side, from left to right and then upward, with an empty row or column
    /// between them. The first grid keeps its cells. Vertices are numbered through in the order of
    /// the grids. Returns `None` if the result is large and mostly empty.
    pub(crate) fn beside(grids: &[Cells]) -> Option<Cells> {
        let mut of = Vec::with_capacity(grids.iter().map(|grid| grid.of.len()).sum());
        let widest = grids
            .iter()
            .map(|grid| grid.width)
            .max()
            .unwrap_or(0)
            .max(SIDES[0]);
        let (mut left, mut bottom, mut top) = (0, 0, 0);
        for grid in grids.iter().filter(|grid| grid.height > 0) {
            if left > 0 && left + grid.width > widest {
                (left, bottom) = (0, top + 1);
            }
            let shift = |&(x, y): &(u32, u32)| (x + left as u32, y + bottom as u32);
            of.extend(grid.of.iter().map(shift));
            left += grid.width + 1;
            top = top.max(bottom + grid.height);
        }
        let n = of.len();
        let cells = Cells::new(of);
        // A sparse grid is acceptable while the whole board is small.
        const SMALL: usize = 10_000;
        (cells.width.saturating_mul(cells.height) <= SMALL + SPARSE * n).then_some(cells)
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// Returns the column and row of the vertex, from 0.
    pub(crate) fn cell(&self, vertex: Vertex) -> Option<(usize, usize)> {
        let &(column, row) = self.of.get(vertex.index())?;
        Some((column as usize, row as usize))
    }

    /// Returns the vertex in this column and row, or `None` if the cell is empty.
    pub(crate) fn vertex(&self, column: usize, row: usize) -> Option<Vertex> {
        let cell = (u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        self.at.get(&cell).copied()
    }
}

/// Rank of each coordinate in sorted order. Coordinates that are equal up to rounding errors have
/// equal ranks.
struct Ranks {
    of: Vec<u32>,
    count: usize,
}

fn ranks(coordinates: Vec<f64>) -> Ranks {
    let mut order: Vec<usize> = (0..coordinates.len()).collect();
    let at = |i: usize| coordinates.get(i).copied().unwrap_or(0.0);
    order.sort_by(|&a, &b| at(a).total_cmp(&at(b)));
    let span = order
        .first()
        .zip(order.last())
        .map_or(0.0, |(&a, &b)| at(b) - at(a));
    let same = span * 1e-9;
    let mut of = vec![0u32; coordinates.len()];
    let mut rank = 0usize;
    for pair in order.windows(2) {
        let &[before, after] = pair else { continue };
        rank += usize::from(at(after) - at(before) > same);
        if let Some(of) = of.get_mut(after) {
            *of = rank as u32;
        }
    }
    Ranks {
        count: if coordinates.is_empty() { 0 } else { rank + 1 },
        of,
    }
}

/// Scales the drawing onto the smallest grid, up to `side`, on which each vertex has its own cell.
/// If there is none, uses the grid of `side` and moves colliding vertices to free cells nearby.
/// Returns `None` if that would fill more than half of the cells.
fn scaled(drawing: &Drawing, side: usize) -> Option<Vec<(u32, u32)>> {
    let n = drawing.places.len();
    let [low, high] = drawing.bounds()?;
    let span = (high[0] - low[0]).max(high[1] - low[1]);
    let on = |side: usize| -> Vec<(u32, u32)> {
        let scale = if span > 0.0 {
            (side - 1) as f64 / span
        } else {
            0.0
        };
        // Round to six digits first, so that the last digit of a math library cannot change the
        // cell.
        let cell = |x: f64| ((x * scale * 1e6).round() / 1e6).round() as u32;
        let places = drawing.places.iter();
        places
            .map(|place| (cell(place[0] - low[0]), cell(place[1] - low[1])))
            .collect()
    };
    let least = n.isqrt().max(1);
    for side in least..=side {
        let cells = on(side);
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        if sorted.windows(2).all(|pair| pair.first() != pair.last()) {
            return Some(cells);
        }
    }
    if 2 * n > side * side {
        return None;
    }
    let mut taken = FastMap::default();
    let mut cells = on(side);
    for cell in &mut cells {
        let free = spiral(*cell, side).find(|near| !taken.contains_key(near))?;
        taken.insert(free, ());
        *cell = free;
    }
    Some(cells)
}

/// Returns the cells of a square grid, ordered by distance from the given cell.
fn spiral((x, y): (u32, u32), side: usize) -> impl Iterator<Item = (u32, u32)> {
    let (x, y, side) = (x as i32, y as i32, side as i32);
    (0..side).flat_map(move |reach| {
        let ring = (-reach..=reach).flat_map(move |dy| {
            let whole_row = dy.abs() == reach;
            let step = if whole_row { 1 } else { 2 * reach as usize };
            (-reach..=reach)
                .step_by(step.max(1))
                .map(move |dx| (dx, dy))
        });
        ring.map(move |(dx, dy)| (x + dx, y + dy))
            .filter(move |&(x, y)| (0..side).contains(&x) && (0..side).contains(&y))
            .map(|(x, y)| (x as u32, y as u32))
    })
}

/// Returns cells in rows of equal length from the bottom up, each filled from left to right.
fn in_rows(drawing: &Drawing) -> Vec<(u32, u32)> {
    let places = &drawing.places;
    let n = places.len();
    let at = |v: usize, axis: usize| {
        places
            .get(v)
            .and_then(|place| place.get(axis))
            .copied()
            .unwrap_or(0.0)
    };
    let width = n.isqrt() + usize::from(n.isqrt().pow(2) < n);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| {
        at(a, 1)
            .total_cmp(&at(b, 1))
            .then(at(a, 0).total_cmp(&at(b, 0)))
    });
    let mut cells = vec![(0, 0); n];
    for (row, vertices) in order.chunks_mut(width.max(1)).enumerate() {
        vertices.sort_by(|&a, &b| at(a, 0).total_cmp(&at(b, 0)).then(a.cmp(&b)));
        for (column, &v) in vertices.iter().enumerate() {
            if let Some(cell) = cells.get_mut(v) {
                *cell = (column as u32, row as u32);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(places: &[[f64; 2]]) -> Vec<(usize, usize)> {
        let cells = Cells::of_drawing(&Drawing::new(places.to_vec()));
        (0..places.len())
            .map(|v| cells.cell(Vertex::at(v)).unwrap())
            .collect()
    }

    #[test]
    fn lattices_keep_their_columns_and_rows() {
        let third = 1.0 / 3.0;
        let found = cells(&[
            [0.0, 0.0],
            [third, 1.0],
            [third + third, 0.0],
            [1.0 - third, 5.0],
        ]);
        assert_eq!(found, [(0, 0), (1, 1), (2, 0), (2, 2)]);
        assert!(cells(&[]).is_empty());
    }

    #[test]
    fn all_vertices_have_different_cells() {
        // A set of points that is dense in one corner, with sizes on both sides of every limit.
        for n in [
            1usize, 2, 10, 100, 312, 313, 625, 626, 1352, 1353, 2704, 2705, 5000,
        ] {
            let place = |v: usize| {
                let (x, y) = ((v * 7919 % 1009) as f64, (v * 104_729 % 997) as f64);
                [x * x * x, y * y]
            };
            let drawing = Drawing::new((0..n).map(place).collect());
            let cells = Cells::of_drawing(&drawing);
            assert_eq!(cells.at.len(), n, "{n}");
            let most = match n {
                ..=312 => 25,
                313..=2704 => 52,
                _ => 71,
            };
            assert!(
                cells.width.max(cells.height) <= most,
                "{n}: {}x{}",
                cells.width,
                cells.height
            );
            for v in (0..n).map(Vertex::at) {
                let (column, row) = cells.cell(v).unwrap();
                assert_eq!(cells.vertex(column, row), Some(v));
            }
        }
    }

    #[test]
    fn components_get_separate_cells() {
        let grids = [Cells::rows(361, 19), Cells::rows(4, 4), Cells::rows(3, 3)];
        let cells = Cells::beside(&grids).unwrap();
        assert_eq!((cells.width(), cells.height()), (24, 21));
        assert_eq!(cells.cell(Vertex::at(20)), Some((1, 1)));
        assert_eq!(cells.cell(Vertex::at(361)), Some((20, 0)));
        assert_eq!(cells.cell(Vertex::at(365)), Some((0, 20)));
        let cross = [Cells::rows(60_000, 60_000), Cells::rows(5_000, 1)];
        assert!(Cells::beside(&cross).is_none());
    }
}
