//! What a look over the whole board says about moves, before any single one is looked at.

use super::chases::{Chase, Chases};
use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// Steps by common fate are counted up to so many.
pub(super) const FATE: u8 = 3;
/// Plain steps are counted to less than this.
pub(super) const FAR: u8 = 9;
/// Points within so many steps of a stone are no empty area.
const AREA: u8 = 3;

/// A look over a board, and the working space for it.
#[derive(Clone, Debug)]
pub struct Survey<B: Board> {
    recent: [Option<Vertex>; 2],
    /// Steps from the latest placement, free inside chains, up to [`FATE`]; more reads 255.
    fate: Vec<u8>,
    /// Steps from the nearest stone, up to [`AREA`]; more reads 255.
    reach: Vec<u8>,
    /// Plain steps from the two latest placements, less than [`FAR`]; more reads `FAR`.
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
    /// Looks over the board for a player to move of this color; `recent` are the two latest moves, the latest first, where they
    /// are placements.
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
        // A ladder is an affair of two.
        if board.colors() == 2 {
            self.chases.read(board, color);
        } else {
            self.chases.clear();
        }
    }

    /// The latest move, where it was a placement.
    pub(super) fn last(&self) -> Option<Vertex> {
        self.recent[0]
    }

    /// Steps from the latest placement to `at`, free inside chains, where there was one and they are at most [`FATE`].
    pub(super) fn fate(&self, at: Vertex) -> Option<u8> {
        self.recent[0]?;
        Some(self.fate[at.index()]).filter(|&steps| steps <= FATE)
    }

    /// Steps from the latest placement, or the one before, to `at`, at most [`FAR`]; `None` where there was none.
    pub(super) fn steps(&self, which: usize, at: Vertex) -> Option<u8> {
        self.recent[which]?;
        Some(self.steps[which][at.index()])
    }

    /// Whether no stone is near.
    pub(super) fn is_quiet(&self, at: Vertex) -> bool {
        self.reach[at.index()] > AREA
    }

    /// What ladders say about the placement on `at`.
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

/// Goes on from the points in the queue, whose steps are known, to others, up to `most` steps.
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
