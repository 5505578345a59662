//! Superko check of a proof: writes its strategy out as a graph and searches for repetitions.
//!
//! A proof from the search is a strategy for a game in which only simple ko forbids repetition. Its
//! rank, the maximum number of moves left, descends with every move. Positional and situational
//! superko forbid more. For the other player this does not matter. For the holder it does: none of
//! its placements may restore stones that were on the board before.
//!
//! The strategy is therefore written out as a graph. For each placement of the holder, its
//! ancestors are searched for the same stones. Most proofs pass this check, because only captures
//! of several kos in turn restore stones.

use super::search::Worker;
use super::small_graph::{SmallGraph, State};
use super::table::INFINITE;
use omnigo_base::hash::{FastMap, FastSet};

/// A state of the strategy.
struct Node {
    key: u64,
    stones: u64,
    /// The state after the strategy's move, if the holder is to move and the move is a placement.
    places: Option<u32>,
    /// Maximum number of moves to the end.
    height: u32,
    /// The states after the strategy's move, or after all moves of the other player.
    next: Vec<u32>,
}

/// The strategy from a state as an acyclic graph.
pub(super) struct Strategy {
    nodes: Vec<Node>,
    /// Numbers of states by key; `None` while a state is on the current line.
    numbers: FastMap<u64, Option<u32>>,
    /// Forbidden moves, by the keys of the states before and after.
    avoided: FastSet<(u64, u64)>,
    most: usize,
}

/// Maximum number of times a strategy is repaired.
const MOST_ROUNDS: usize = 64;
/// Disproof number up to which other moves are searched after a move was forbidden.
const EFFORT: u32 = 2000;

impl Strategy {
    /// Returns true if a strategy that superko allows was found. Writes the strategy out, checks
    /// it, and repairs it where it restores stones. Gives up above `most` states.
    pub(super) fn is_found(
        worker: &mut Worker<'_>,
        graph: &SmallGraph,
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
            let key = graph.canonical(root);
            if strategy.walk(worker, graph, root, key).is_none() {
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
        graph: &SmallGraph,
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
            // The table has lost the proof: search again.
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
            let chosen = kids.iter().find_map(|kid| self.follow(worker, graph, kid));
            next.push(chosen?);
        } else {
            for kid in &kids {
                next.push(self.follow(worker, graph, kid)?);
            }
        }
        next.retain(|&number| number != WON);
        let heights = next.iter().filter_map(|&n| self.nodes.get(n as usize));
        let height = 1 + heights.map(|node| node.height).max().unwrap_or(0);
        let stones = graph.stones_key(state);
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
        graph: &SmallGraph,
        kid: &super::search::Kid,
    ) -> Option<u32> {
        if kid.entry.proof == 0 && kid.entry.height == 0 {
            return Some(WON);
        }
        self.walk(worker, graph, &kid.state, kid.key)
    }

    /// Returns the holder's placements that restore earlier stones, up to symmetry. Returns `None`
    /// if time is up.
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

    /// Returns true if play can lead from one state to another, which has this height.
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
            // Heights descend along the way.
            if node.height > height && *mark != round {
                *mark = round;
                open.extend(&node.next);
            }
        }
        false
    }
}

/// Marks states that are won without search.
const WON: u32 = u32::MAX;
