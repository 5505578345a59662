//! Go-spaces that are equivalent to ordinary Go on a graph. The engine plays on the graph, and
//! users see the points of the go-space.

use std::sync::Arc;

use omnigo_base::color::Color;
use omnigo_graph::goban::Goban;
use omnigo_graph::space::Space;

/// Relation between the positions of the engine's internal game and of the goban.
#[derive(Clone, Debug)]
pub(super) enum PointMap {
    /// Both have the same positions.
    Same,
    /// The game stores only the placements of this go-space, each as a single point.
    Placements(Arc<Space>),
}

impl PointMap {
    /// Returns the relation for a game from this position of the goban. A stone on a point that no
    /// placement covers cannot be represented on a graph.
    pub(super) fn of(goban: &Goban, position: &[Option<Color>]) -> PointMap {
        let fits = |space: &&Arc<Space>| {
            let mut points = (0..).map(omnigo_base::vertex::Vertex::at).zip(position);
            space.is_graph() && points.all(|(v, point)| point.is_none() || space.is_covered(v))
        };
        match goban.space().filter(fits) {
            Some(space) => PointMap::Placements(Arc::clone(space)),
            None => PointMap::Same,
        }
    }

    /// Returns true if the same type of board plays both.
    pub(super) fn is_like(&self, other: &PointMap) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Converts a position of the goban to one of the internal game.
    pub(super) fn to_game(&self, position: &[Option<Color>]) -> Vec<Option<Color>> {
        match self {
            PointMap::Same => position.to_vec(),
            PointMap::Placements(space) => (0..space.placements())
                .map(|number| {
                    let point = space.placement(number).first()?;
                    position.get(point.index()).copied().flatten()
                })
                .collect(),
        }
    }

    /// Converts a position of the internal game to one of the goban.
    pub(super) fn to_goban(&self, position: Vec<Option<Color>>) -> Vec<Option<Color>> {
        match self {
            PointMap::Same => position,
            PointMap::Placements(space) => {
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
