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
use crate::hash::{FastMap, FastSet};

/// A state of the strategy.
struct Node {
    key: u64,
    stones: u64,
    /// Where a placement of the holder leads from here, if that is what the strategy says.
    places: Option<u32>,
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
    /// Moves that are not to be made, by the keys of the states before and after.
    avoided: FastSet<(u64, u64)>,
    most: usize,
}

/// How often a strategy is mended before it is given up.
const MOST_ROUNDS: usize = 64;
/// How hard other moves are tried, in disproof numbers, where one had to be avoided.
const EFFORT: u32 = 2000;

impl Strategy {
    /// Whether a strategy that superko allows was found: written out, looked through and mended where it brings stones back.
    /// Gives up beyond `most` states.
    pub(super) fn is_found(
        worker: &mut Worker<'_>,
        shape: &Shape,
        root: &State,
        most: usize,
        over: &dyn Fn() -> bool,
    ) -> bool {
        let mut strategy = Strategy {
            nodes: Vec::new(),
            numbers: FastMap::default(),
            avoided: FastSet::default(),
            most,
        };
        for _ in 0..MOST_ROUNDS {
            strategy.nodes.clear();
            strategy.numbers.clear();
            let key = shape.canonical(root);
            if strategy.walk(worker, shape, root, key).is_none() {
                return false;
            }
            match strategy.repetitions(over) {
                None => return false,
                Some(again) if again.is_empty() => return true,
                Some(again) => strategy.avoided.extend(again),
            }
        }
        false
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
            kids.retain(|kid| !self.avoided.contains(&(key, kid.key)));
            if kids.iter().all(|kid| kid.entry.proof != 0) {
                for kid in kids.iter_mut().filter(|kid| kid.entry.disproof != 0) {
                    kid.entry = worker.work(&kid.state, kid.key, INFINITE, EFFORT);
                }
            }
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
        let stones = shape.stones_key(state);
        let place = |&number: &u32| {
            let node = self.nodes.get(number as usize);
            node.is_some_and(|node| node.stones != stones)
        };
        let places = next.first().copied().filter(|_| state.turn).filter(place);
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            key,
            stones,
            places,
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

    /// The holder's placements that bring back, up to symmetry, stones that lay on the board before; `None` where time is up.
    fn repetitions(&self, over: &dyn Fn() -> bool) -> Option<Vec<(u64, u64)>> {
        let mut same: FastMap<u64, Vec<u32>> = FastMap::default();
        for (number, node) in (0..).zip(&self.nodes) {
            same.entry(node.stones).or_default().push(number);
        }
        let mut met = vec![0u32; self.nodes.len()];
        let (mut round, mut again) = (0, Vec::new());
        for (number, node) in (0..).zip(&self.nodes) {
            let Some(placed) = node.places.and_then(|to| self.nodes.get(to as usize)) else {
                continue;
            };
            for &early in same.get(&placed.stones).into_iter().flatten() {
                round += 1;
                if over() {
                    return None;
                }
                if self.leads(early, number, node.height, &mut met, round) {
                    again.push((node.key, placed.key));
                }
            }
        }
        Some(again)
    }

    /// Whether play can come from one state to another, of this height.
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
            // Heights descend.
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
