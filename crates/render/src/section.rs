//! Sections of a game: positions with the numbers of the moves that led to them.

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

/// Positions of a game: one after every few moves, and the last one.
///
/// ```
/// use omnigo_base::vertex::Move;
/// use omnigo_graph::spec::Spec;
/// use omnigo_render::section::Sections;
/// let goban = "path:3".parse::<Spec>().unwrap().build().unwrap();
/// let mut sections = Sections::new(3, Some(2));
/// for _ in 0..3 {
///     sections.add(&goban, Move::Pass, || vec![None; 3]);
/// }
/// let frames = sections.finish(&goban, || vec![None; 3]);
/// assert_eq!(frames[0].caption, "moves 1-2, 1-2 pass");
/// assert_eq!(frames[1].caption, "move 3, 3 pass");
/// ```
#[derive(Clone, Debug)]
pub struct Sections {
    /// Number of moves from one position to the next.
    every: usize,
    /// Number of moves added.
    moves: usize,
    section: Section,
    frames: Vec<Frame>,
}

impl Sections {
    /// Returns the beginning of a game of `moves` moves, with a position after `every` moves.
    /// Without `every`, there are at most [`POSITIONS`] positions.
    pub fn new(moves: usize, every: Option<usize>) -> Sections {
        Sections {
            every: every.unwrap_or(moves.div_ceil(POSITIONS)).max(1),
            moves: 0,
            section: Section::default(),
            frames: Vec::new(),
        }
    }

    /// Adds the position before the first move.
    pub fn start(&mut self, goban: &Goban, points: Vec<Option<Color>>) {
        self.frames.push(self.section.frame(goban, points));
    }

    /// Adds the next move. `points` returns the position after it.
    pub fn add(&mut self, goban: &Goban, mv: Move, points: impl FnOnce() -> Vec<Option<Color>>) {
        self.moves += 1;
        self.section.moves.push((self.moves, mv));
        if self.section.moves.len() == self.every {
            let section = std::mem::take(&mut self.section);
            self.frames.push(section.frame(goban, points()));
        }
    }

    /// Returns all positions. `points` returns the last one.
    pub fn finish(
        mut self,
        goban: &Goban,
        points: impl FnOnce() -> Vec<Option<Color>>,
    ) -> Vec<Frame> {
        if !self.section.moves.is_empty() || self.frames.is_empty() {
            self.frames.push(self.section.frame(goban, points()));
        }
        self.frames
    }
}

/// Moves between two positions.
#[derive(Clone, Debug, Default)]
struct Section {
    /// Number and move of each.
    moves: Vec<(usize, Move)>,
}

impl Section {
    /// Returns the position with the numbers of these moves. The caption lists moves that are not
    /// visible on it.
    fn frame(&self, goban: &Goban, points: Vec<Option<Color>>) -> Frame {
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
