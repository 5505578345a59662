//! Positions of a go-space that is ordinary Go on a graph: the engine plays on the graph, users speak of the points.

use std::sync::Arc;

use crate::color::Color;
use crate::graph::goban::Goban;
use crate::graph::space::Space;

/// How the positions of a table relate to those of its goban.
#[derive(Clone, Debug)]
pub(super) enum Folding {
    /// They are the same.
    Same,
    /// The table holds the placements of this space alone, each a single point.
    Placements(Arc<Space>),
}

impl Folding {
    /// How to play from this position of the goban. A colored point that no placement covers has no place on a graph.
    pub(super) fn of(goban: &Goban, position: &[Option<Color>]) -> Folding {
        let fits = |space: &&Arc<Space>| {
            let mut points = (0..).map(crate::vertex::Vertex::at).zip(position);
            space.is_graph() && points.all(|(v, point)| point.is_none() || space.is_covered(v))
        };
        match goban.space().filter(fits) {
            Some(space) => Folding::Placements(Arc::clone(space)),
            None => Folding::Same,
        }
    }

    /// Whether the same board plays both.
    pub(super) fn is_like(&self, other: &Folding) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// A position of the goban as the table has it.
    pub(super) fn fold(&self, position: &[Option<Color>]) -> Vec<Option<Color>> {
        match self {
            Folding::Same => position.to_vec(),
            Folding::Placements(space) => (0..space.placements())
                .map(|number| {
                    let point = space.placement(number).first()?;
                    position.get(point.index()).copied().flatten()
                })
                .collect(),
        }
    }

    /// A position of the table as the goban has it.
    pub(super) fn unfold(&self, position: Vec<Option<Color>>) -> Vec<Option<Color>> {
        match self {
            Folding::Same => position,
            Folding::Placements(space) => {
                let mut points = vec![None; space.points()];
                for (number, &color) in position.iter().enumerate() {
                    for point in space.placement(number) {
                        points[point.index()] = color;
                    }
                }
                points
            }
        }
    }
}
