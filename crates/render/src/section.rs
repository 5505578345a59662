//! Section of a game: a position with the numbers of the moves that led to it.

use std::collections::HashMap;

use super::svg::{Frame, Position};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_graph::goban::Goban;
use omnigo_graph::handicap::star_points;

/// Maximum number of positions of a game if no distance between them is given.
pub const POSITIONS: usize = 12;
/// Maximum number of remarks below a position, about moves that are not visible on it.
const REMARKS: usize = 6;

/// Moves between two positions.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Number and move of each.
    pub moves: Vec<(usize, Move)>,
}

impl Section {
    /// Returns the position with the numbers of these moves. The caption lists moves that are not
    /// visible on it.
    pub fn frame(&self, goban: &Goban, points: Vec<Option<Color>>) -> Frame {
        // The first move at a point gives the number, as in books. Later moves go to the caption.
        let mut first: HashMap<Vertex, usize> = HashMap::new();
        let mut remarks = Vec::new();
        for run in self
            .moves
            .chunk_by(|a, b| a.1 == Move::Pass && b.1 == Move::Pass)
        {
            let Some(&(number, mv)) = run.first() else {
                continue;
            };
            let Move::Place(vertex) = mv else {
                remarks.push(match run {
                    [.., (last, _)] if *last > number => format!("{number}-{last} pass"),
                    _ => format!("{number} pass"),
                });
                continue;
            };
            let covered = goban.covered(vertex);
            let stands = |point: &Vertex| points.get(point.index()).is_some_and(Option::is_some);
            let mut free = covered.clone();
            free.retain(|point| stands(point) && !first.contains_key(point));
            let before = match covered.as_slice() {
                [point] => first.get(point),
                _ => None,
            };
            match before {
                _ if !free.is_empty() => {
                    first.extend(free.into_iter().map(|point| (point, number)))
                }
                Some(before) => remarks.push(format!("{number} at {before}")),
                None => remarks.push(format!("{number} at {}", goban.names.alias(vertex))),
            }
        }
        if let Some(more) = remarks.len().checked_sub(REMARKS).filter(|&more| more > 0) {
            remarks.truncate(REMARKS);
            remarks.push(format!("and {more} more"));
        }
        let span = match (self.moves.first(), self.moves.last()) {
            (Some((from, _)), Some((to, _))) if from == to => format!("move {from}"),
            (Some((from, _)), Some((to, _))) => format!("moves {from}-{to}"),
            _ => "start".to_string(),
        };
        let last = self.moves.last().and_then(|(_, mv)| mv.vertex());
        let last = last.map_or_else(Vec::new, |vertex| goban.covered(vertex));
        let mut numbers: Vec<(Vertex, usize)> = first.into_iter().collect();
        numbers.sort_unstable();
        remarks.insert(0, span);
        Frame {
            caption: remarks.join(", "),
            position: Position {
                points,
                stars: star_points(goban),
                last,
                numbers,
                ..Position::default()
            },
        }
    }
}
