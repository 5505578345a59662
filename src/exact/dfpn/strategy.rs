//! What a proof says to do, written out, and whether superko allows it.
//!
//! A proof from the search is a strategy for a game in which simple ko alone forbids repetition, whose rank, the moves that
//! it still takes, descends with every move. Positional and situational superko forbid the other player more, which does not
//! matter, and the holder as well, which does: none of its placements may bring back stones that lay on the board before.
//! So the strategy is written out as a graph, and for each of the holder's placements its ancestors are searched for the
//! same stones. Most proofs pass: stones that come back do so by a capture of several kos in turn.

use super::search::Worker;
use super::shape::{Shape, State};
use super::table::INFINITE;
use crate::hash::FastMap;

/// A state of the strategy.
struct Node {
    stones: u64,
    /// Whether a placement of the holder leads here.
    placed: bool,
    /// Moves to the end at most.
    height: u32,
    /// Where the strategy goes from here, or where the other can go.
    next: Vec<u32>,
}

/// The strategy from a state as a graph without circles.
pub(super) struct Strategy {
    nodes: Vec<Node>,
    /// Numbers of states by key; `None` while a state is on the line.
    numbers: FastMap<u64, Option<u32>>,
    most: usize,
}

impl Strategy {
    /// Writes the strategy out, `None` where that fails: more than `most` states, the search stopped, or a circle.
    pub(super) fn of(
        worker: &mut Worker<'_>,
        shape: &Shape,
        root: &State,
        most: usize,
    ) -> Option<Strategy> {
        let mut strategy = Strategy {
            nodes: Vec::new(),
            numbers: FastMap::default(),
            most,
        };
        strategy.walk(worker, shape, root, shape.canonical(root))?;
        Some(strategy)
    }

    fn walk(
        &mut self,
        worker: &mut Worker<'_>,
        shape: &Shape,
        state: &State,
        key: u64,
    ) -> Option<u32> {
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        if self.numbers.len() >= self.most || worker.stopped {
            return None;
        }
        self.numbers.insert(key, None);
        let mut kids = worker.kids(state);
        let proved = |kids: &[super::search::Kid]| {
            if state.turn {
                kids.iter().any(|kid| kid.entry.proof == 0)
            } else {
                kids.iter().all(|kid| kid.entry.proof == 0)
            }
        };
        if !proved(&kids) {
            // The table forgot: prove it again.
            worker.work(state, key, INFINITE, INFINITE);
            kids = worker.kids(state);
            if !proved(&kids) && state.turn {
                return None;
            }
        }
        let mut next = Vec::new();
        if state.turn {
            kids.retain(|kid| kid.entry.proof == 0);
            kids.sort_by_key(|kid| kid.entry.height);
            let chosen = kids.iter().find_map(|kid| self.follow(worker, shape, kid));
            next.push(chosen?);
        } else {
            for kid in &kids {
                next.push(self.follow(worker, shape, kid)?);
            }
        }
        next.retain(|&number| number != WON);
        let heights = next.iter().filter_map(|&n| self.nodes.get(n as usize));
        let height = 1 + heights.map(|node| node.height).max().unwrap_or(0);
        if state.turn {
            // The only one: did the holder place a stone to get there?
            for &number in &next {
                if let Some(node) = self.nodes.get_mut(number as usize) {
                    node.placed |= node.stones != shape.stones_key(state);
                }
            }
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            stones: shape.stones_key(state),
            placed: false,
            height,
            next,
        });
        self.numbers.insert(key, Some(number));
        Some(number)
    }

    fn follow(
        &mut self,
        worker: &mut Worker<'_>,
        shape: &Shape,
        kid: &super::search::Kid,
    ) -> Option<u32> {
        if kid.entry.proof == 0 && kid.entry.height == 0 {
            return Some(WON);
        }
        self.walk(worker, shape, &kid.state, kid.key)
    }

    /// Whether no placement of the holder brings back, up to symmetry, stones that lay on the board before.
    pub(super) fn is_new(&self, over: &dyn Fn() -> bool) -> bool {
        let mut same: FastMap<u64, Vec<u32>> = FastMap::default();
        for (number, node) in (0..).zip(&self.nodes) {
            same.entry(node.stones).or_default().push(number);
        }
        let mut met = vec![0u32; self.nodes.len()];
        let mut round = 0;
        for group in same.values() {
            for &late in group {
                let Some(target) = self.nodes.get(late as usize).filter(|node| node.placed) else {
                    continue;
                };
                for &early in group.iter().filter(|&&early| early != late) {
                    round += 1;
                    if over() || self.leads(early, late, target.height, &mut met, round) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether play can come from one state to another of this height.
    fn leads(&self, from: u32, to: u32, height: u32, met: &mut [u32], round: u32) -> bool {
        let mut open = vec![from];
        while let Some(number) = open.pop() {
            if number == to {
                return true;
            }
            let (Some(node), Some(mark)) = (
                self.nodes.get(number as usize),
                met.get_mut(number as usize),
            ) else {
                continue;
            };
            // Ranks descend.
            if node.height > height && *mark != round {
                *mark = round;
                open.extend(&node.next);
            }
        }
        false
    }
}

/// Stands for states that are won without looking ahead.
const WON: u32 = u32::MAX;
