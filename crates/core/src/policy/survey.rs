//! Survey of the whole board: distances and ladders, computed once before single moves are
//! evaluated.

use super::chases::{Chase, Chases};
use crate::board::Board;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Maximum common-fate distance that is measured, in steps. Steps inside a chain are free.
pub(super) const FATE: u8 = 3;
/// Cap on plain graph distances, in steps. Larger distances count as 9.
pub(super) const FAR: u8 = 9;
/// Points within 3 steps of a stone do not belong to an empty area.
const AREA: u8 = 3;

/// Survey of a board, with its working space.
#[derive(Clone, Debug)]
pub struct Survey<B: Board> {
    recent: [Option<Vertex>; 2],
    /// Common-fate distance from the latest placement, up to [`FATE`]. 255 stands for more.
    fate: Vec<u8>,
    /// Distance from the nearest stone, up to [`AREA`]. 255 stands for more.
    reach: Vec<u8>,
    /// Plain distances from the two latest placements, capped at [`FAR`].
    steps: [Vec<u8>; 2],
    chases: Chases<B>,
    queue: Vec<Vertex>,
}

impl<B: Board> Default for Survey<B> {
    fn default() -> Self {
        Survey {
            recent: [None; 2],
            fate: Vec::new(),
            reach: Vec::new(),
            steps: [Vec::new(), Vec::new()],
            chases: Chases::default(),
            queue: Vec::new(),
        }
    }
}

impl<B: Board> Survey<B> {
    /// Surveys the board for the player to move, `color`. `recent` holds the two latest moves, the
    /// latest first, as far as they are placements.
    pub fn look(&mut self, board: &B, color: Color, recent: [Option<Vertex>; 2]) {
        self.recent = recent;
        if let Some(last) = recent[0] {
            self.find_fate(board, last);
        }
        self.find_reach(board);
        for (which, from) in recent.into_iter().enumerate() {
            if let Some(from) = from {
                self.find_steps(board, which, from);
            }
        }
        // A ladder has two players.
        if board.colors() == 2 {
            self.chases.read(board, color);
        } else {
            self.chases.clear();
        }
    }

    /// Returns the latest move if it was a placement.
    pub(super) fn last(&self) -> Option<Vertex> {
        self.recent[0]
    }

    /// Returns the common-fate distance from the latest placement to `at`. Returns `None` if the
    /// latest move was no placement or the distance exceeds [`FATE`].
    pub(super) fn fate(&self, at: Vertex) -> Option<u8> {
        self.recent[0]?;
        Some(self.fate[at.index()]).filter(|&steps| steps <= FATE)
    }

    /// Returns the plain distance to `at`, at most [`FAR`], from the latest move (`which` 0) or the
    /// one before (`which` 1). Returns `None` if that move was no placement.
    pub(super) fn steps(&self, which: usize, at: Vertex) -> Option<u8> {
        self.recent[which]?;
        Some(self.steps[which][at.index()])
    }

    /// Returns true if no stone is within [`AREA`] steps.
    pub(super) fn is_quiet(&self, at: Vertex) -> bool {
        self.reach[at.index()] > AREA
    }

    /// Returns the role of the placement on `at` in ladders.
    pub(super) fn chase(&self, at: Vertex) -> Chase {
        self.chases.of(at)
    }

    fn find_fate(&mut self, board: &B, from: Vertex) {
        let Survey { fate, queue, .. } = self;
        fate.clear();
        fate.resize(board.points(), u8::MAX);
        queue.clear();
        fate[from.index()] = 0;
        queue.push(from);
        board.for_chain(from, |stone| {
            if stone != from {
                fate[stone.index()] = 0;
                queue.push(stone);
            }
        });
        let mut next = 0;
        while let Some(&v) = queue.get(next) {
            next += 1;
            let step = fate[v.index()] + 1;
            if step > FATE {
                continue;
            }
            for u in board.around(v) {
                if fate[u.index()] != u8::MAX {
                    continue;
                }
                if board.at(u).is_some() {
                    board.for_chain(u, |stone| {
                        fate[stone.index()] = step;
                        queue.push(stone);
                    });
                } else {
                    fate[u.index()] = step;
                    queue.push(u);
                }
            }
        }
    }

    fn find_reach(&mut self, board: &B) {
        let Survey { reach, queue, .. } = self;
        reach.clear();
        reach.resize(board.points(), u8::MAX);
        queue.clear();
        for (i, steps) in reach.iter_mut().enumerate() {
            if board.at(Vertex::at(i)).is_some() {
                *steps = 0;
                queue.push(Vertex::at(i));
            }
        }
        spread(board, reach, queue, AREA);
    }

    fn find_steps(&mut self, board: &B, which: usize, from: Vertex) {
        let steps = &mut self.steps[which];
        steps.clear();
        steps.resize(board.points(), u8::MAX);
        steps[from.index()] = 0;
        self.queue.clear();
        self.queue.push(from);
        spread(board, steps, &mut self.queue, FAR - 1);
        for steps in steps {
            *steps = (*steps).min(FAR);
        }
    }
}

/// Extends the distances of the points in the queue to their surroundings, up to `most` steps.
fn spread<B: Board>(board: &B, steps: &mut [u8], queue: &mut Vec<Vertex>, most: u8) {
    let mut next = 0;
    while let Some(&v) = queue.get(next) {
        next += 1;
        let step = steps[v.index()] + 1;
        if step > most {
            break;
        }
        for u in board.around(v) {
            if steps[u.index()] == u8::MAX {
                steps[u.index()] = step;
                queue.push(u);
            }
        }
    }
}
