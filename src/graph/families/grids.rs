//! Rectangles, plain and wrapped, and the cubic lattice. Index `x + width * y`, from A1.

use crate::graph::part::{Labels, Part, Size};

/// Size of the grid and of its wrapped forms.
pub(super) fn size([width, height]: [u64; 2]) -> Size {
    Size {
        vertices: width * height,
        edges: 2 * width * height,
    }
}

pub(super) fn king_size([width, height]: [u64; 2]) -> Size {
    Size {
        vertices: width * height,
        edges: 4 * width * height,
    }
}

pub(super) fn grid3d_size([a, b, c]: [u64; 3]) -> Size {
    let vertices = a * b * c;
    Size {
        vertices,
        edges: 3 * vertices,
    }
}

/// Nothing wraps.
pub(super) fn grid(sides: [usize; 2]) -> Part {
    Part {
        rectangle: Some(sides.into()),
        ..rectangle(sides, &[Step::new(1, 0), Step::new(0, 1)])
    }
}

/// The width wraps.
pub(super) fn cylinder(sides: [usize; 2]) -> Part {
    rectangle(
        sides,
        &[
            Step {
                wraps: true,
                ..Step::new(1, 0)
            },
            Step::new(0, 1),
        ],
    )
}

/// Both sides wrap.
pub(super) fn torus(sides: [usize; 2]) -> Part {
    rectangle(
        sides,
        &[
            Step {
                wraps: true,
                ..Step::new(1, 0)
            },
            Step {
                wraps: true,
                ..Step::new(0, 1)
            },
        ],
    )
}

/// A vertex touches all eight around it, as a chess king moves.
pub(super) fn king(sides: [usize; 2]) -> Part {
    rectangle(
        sides,
        &[
            Step::new(1, 0),
            Step::new(0, 1),
            Step::new(1, 1),
            Step::new(-1, 1),
        ],
    )
}

/// From a vertex to a neighbour.
#[derive(Clone, Copy)]
struct Step {
    x: isize,
    y: isize,
    wraps: bool,
}

impl Step {
    fn new(x: isize, y: isize) -> Step {
        Step { x, y, wraps: false }
    }

    /// Where the step leads, if it stays on the board.
    fn from(self, x: usize, y: usize, [width, height]: [usize; 2]) -> Option<(usize, usize)> {
        let inside = |at: usize, step: isize, side: usize| {
            let to = at.checked_add_signed(step)?;
            if to < side {
                Some(to)
            } else if self.wraps {
                Some(0)
            } else {
                None
            }
        };
        Some((inside(x, self.x, width)?, inside(y, self.y, height)?))
    }
}

/// The graph in which every vertex has an edge along each step.
fn rectangle(sides: [usize; 2], steps: &[Step]) -> Part {
    let [width, height] = sides;
    let vertices = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let edges = vertices.flat_map(|(x, y)| {
        let targets = steps.iter().filter_map(move |step| step.from(x, y, sides));
        targets.map(move |(to_x, to_y)| (x + width * y, to_x + width * to_y))
    });
    Part {
        labels: Labels::Coordinates(width),
        ..Part::new(width * height, edges)
    }
}

/// Index `x + a * (y + b * z)`; each vertex is followed along its three axes.
pub(super) fn grid3d([a, b, c]: [usize; 3]) -> Part {
    let vertices = a * b * c;
    let edges = (0..vertices).flat_map(|v| {
        let along = [(v % a, a, 1), (v / a % b, b, a), (v / (a * b), c, a * b)];
        along
            .into_iter()
            .filter(|&(at, side, _)| at + 1 < side)
            .map(move |(_, _, step)| (v, v + step))
    });
    Part::new(vertices, edges)
}
