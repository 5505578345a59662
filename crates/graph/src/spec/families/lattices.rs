//! Pieces of the triangular and hexagonal lattices. Vertices are numbered row by row from the
//! bottom, each row from the left.

use super::Family;
use super::sizes::{sides, sizes};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::Drawing;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "hexhex",
        "N",
        "Triangular lattice in the shape of a hexagon with N vertices per side.",
        |family, text| sizes(family, text, 1, hexhex_size, hexhex),
    ),
    Family::row(
        "triangle",
        "N",
        "Triangular lattice in the shape of a triangle with N vertices per side.",
        |family, text| sizes(family, text, 1, triangle_size, triangle),
    ),
    Family::row(
        "triangular",
        "WxH",
        "Triangular lattice in the shape of a rectangle: H rows of W vertices, every second row half a step to the right.",
        |family, text| sides(family, text, triangular_size, triangular_rows),
    ),
    Family::row(
        "rhombus",
        "WxH",
        "Triangular lattice in the shape of a rhombus, like the cells of a Hex board.",
        |family, text| {
            sides(family, text, triangular_size, |[w, h]| {
                triangular([w, h], |row| row)
            })
        },
    ),
    Family::row(
        "honeycomb",
        "N",
        "Corners of hexagonal cells in the shape of a hexagon with N cells per side: 6 N² vertices.",
        |family, text| sizes(family, text, 1, honeycomb_size, honeycomb),
    ),
    Family::row(
        "brick",
        "WxH",
        "Brick wall: a grid without every second vertical edge, which is a honeycomb in the shape of a rectangle.",
        |family, text| sides(family, text, brick_size, brick),
    ),
];

/// Row of lattice vertices with integer coordinates, listed from the left. Rows are listed from the
/// bottom up.
struct Row {
    y: i64,
    from: i64,
    count: usize,
}

/// Height of an equilateral triangle with side 1.
const HEIGHT: f64 = 0.866_025_403_784_438_6;

/// Builds the graph on rows of vertices. Neighbors within a row have coordinates two apart.
/// Adjacent rows are shifted by one. Each vertex is adjacent to those one step to its left and to
/// its right in the row below.
fn triangles(rows: &[Row]) -> BoardParts {
    let mut edges = Vec::new();
    let mut places = Vec::new();
    let mut below: Option<(&Row, usize)> = None;
    for row in rows {
        let first = places.len();
        for i in 0..row.count {
            let x = row.from + 2 * i as i64;
            if i > 0 {
                edges.push((first + i - 1, first + i));
            }
            if let Some((lower, start)) = below {
                for x in [x - 1, x + 1] {
                    let place = usize::try_from(x - lower.from).ok().map(|gap| gap / 2);
                    if let Some(place) = place.filter(|&place| place < lower.count) {
                        edges.push((start + place, first + i));
                    }
                }
            }
            places.push([x as f64 / 2.0, row.y as f64 * HEIGHT]);
        }
        below = Some((row, first));
    }
    BoardParts::new(places.len(), edges).drawn(Drawing::planar(places))
}

fn hexhex_size([n]: [u64; 1]) -> Size {
    let vertices = 3 * n * (n - 1) + 1;
    Size {
        vertices,
        edges: 3 * vertices - 3 * (2 * n - 1),
    }
}

fn hexhex([n]: [usize; 1]) -> BoardParts {
    let n = n as i64;
    let row = |y: i64| Row {
        y,
        from: (n - 1 - y).abs(),
        count: (2 * n - 1 - (n - 1 - y).abs()) as usize,
    };
    triangles(&(0..2 * n - 1).map(row).collect::<Vec<_>>())
}

fn triangle_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n * (n + 1) / 2,
        edges: 3 * n * (n - 1) / 2,
    }
}

fn triangle([n]: [usize; 1]) -> BoardParts {
    let row = |y: usize| Row {
        y: y as i64,
        from: y as i64,
        count: n - y,
    };
    triangles(&(0..n).map(row).collect::<Vec<_>>())
}

fn triangular_size([width, height]: [u64; 2]) -> Size {
    let vertices = width * height;
    Size {
        vertices,
        edges: height * (width - 1) + (height - 1) * (2 * width - 1),
    }
}

/// Builds the board `triangular:WxH`.
pub(super) fn triangular_rows(sides: [usize; 2]) -> BoardParts {
    triangular(sides, |row| row % 2)
}

fn triangular([width, height]: [usize; 2], shift: fn(usize) -> usize) -> BoardParts {
    let row = |y: usize| Row {
        y: y as i64,
        from: shift(y) as i64,
        count: width,
    };
    triangles(&(0..height).map(row).collect::<Vec<_>>())
}

fn honeycomb_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: 6 * n * n,
        edges: 9 * n * n - 3 * n,
    }
}

/// The corners lie in 4 n rows: pairs of rows form zigzags, which are joined by upright edges.
fn honeycomb([n]: [usize; 1]) -> BoardParts {
    // Row c of the 2n−1 rows of cells has 2n−1−|n−1−c| cells. Below each row of cells is a zigzag.
    // Its lower and its upper corners form one row of vertices each.
    let n = n as i64;
    let mut edges = Vec::new();
    let mut places: Vec<[f64; 2]> = Vec::new();
    // Leftmost column, number, and first index of the upper corners of the last zigzag.
    let mut last: Option<(i64, i64, usize)> = None;
    for zigzag in 0..2 * n {
        // Columns are half cells. The zigzag spans the cells below and above it.
        let reach = |cells: i64| (2 * n - 1) - (n - 1 - cells).abs();
        let (low_cells, high_cells) = (
            if zigzag > 0 { reach(zigzag - 1) } else { 0 },
            if zigzag < 2 * n - 1 { reach(zigzag) } else { 0 },
        );
        // If the row of cells above is longer, each of its cells has one lower corner. The upper
        // corners start its upright edges, one more than it has cells. Otherwise, the lower corners
        // end the upright edges of the row below, and each cell of that row has one upper corner.
        let downs = if high_cells > low_cells {
            high_cells
        } else {
            low_cells + 1
        };
        let ups = if high_cells > low_cells {
            high_cells + 1
        } else {
            low_cells
        };
        let (from_down, from_up) = (1 - downs, 1 - ups);
        let y = 1.5 * zigzag as f64;
        let first_down = places.len();
        places.extend((0..downs).map(|i| [(from_down + 2 * i) as f64 * HEIGHT, y]));
        let first_up = places.len();
        places.extend((0..ups).map(|i| [(from_up + 2 * i) as f64 * HEIGHT, y + 0.5]));
        for i in 0..downs {
            let column = from_down + 2 * i;
            for beside in [column - 1, column + 1] {
                let up = (beside - from_up).div_euclid(2);
                if (0..ups).contains(&up) {
                    edges.push((first_down + i as usize, first_up + up as usize));
                }
            }
            if let Some((from, count, first)) = last {
                let below = (column - from).div_euclid(2);
                if (0..count).contains(&below) {
                    edges.push((first + below as usize, first_down + i as usize));
                }
            }
        }
        last = Some((from_up, ups, first_up));
    }
    BoardParts::new(places.len(), edges).drawn(Drawing::planar(places))
}

fn brick_size([width, height]: [u64; 2]) -> Size {
    let upright = |row: u64| (width + row % 2) / 2;
    let pairs = (height - 1) / 2;
    let uprights = pairs * width + if height % 2 == 0 { upright(1) } else { 0 };
    Size {
        vertices: width * height,
        edges: height * (width - 1) + uprights,
    }
}

/// An upward edge starts at every vertex whose coordinates have an even sum.
fn brick([width, height]: [usize; 2]) -> BoardParts {
    let vertices = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let edges = vertices.clone().flat_map(|(x, y)| {
        let v = x + width * y;
        let along = (x + 1 < width).then_some((v, v + 1));
        let up = (y + 1 < height && (x + y) % 2 == 0).then_some((v, v + width));
        along.into_iter().chain(up)
    });
    let places = vertices.map(|(x, y)| [x as f64, y as f64]);
    BoardParts::new(width * height, edges).drawn(Drawing::planar(places.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    #[test]
    fn predicted_sizes_are_exact() {
        let check = |part: BoardParts, size: Size, text: String| {
            let (graph, dropped) = Graph::from_edges(part.vertices, &part.edges);
            assert_eq!(dropped.loops + dropped.parallels, 0, "{text}");
            let found = (graph.vertices() as u64, graph.edges() as u64);
            assert_eq!(found, (size.vertices, size.edges), "{text}");
        };
        for n in 1..6usize {
            let m = n as u64;
            check(hexhex([n]), hexhex_size([m]), format!("hexhex:{n}"));
            check(triangle([n]), triangle_size([m]), format!("triangle:{n}"));
            check(
                honeycomb([n]),
                honeycomb_size([m]),
                format!("honeycomb:{n}"),
            );
            for (w, k) in (1..6usize).zip(1u64..) {
                let (sides, size) = ([w, n], [k, m]);
                check(
                    triangular(sides, |y| y % 2),
                    triangular_size(size),
                    format!("triangular:{w}x{n}"),
                );
                check(
                    triangular(sides, |y| y),
                    triangular_size(size),
                    format!("rhombus:{w}x{n}"),
                );
                check(brick(sides), brick_size(size), format!("brick:{w}x{n}"));
            }
        }
    }
}
