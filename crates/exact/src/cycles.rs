//! Bounds under simple ko, where a game may never end.
//!
//! Only one earlier position matters: the one before the opponent's move, and only if a placement
//! could restore it. So the number of states is finite. A state is a position, the player to move,
//! whether a pass ends the game, and that position.
//!
//! A least fixed point finds the states in which a player is sure to reach a goal. Infinite play
//! counts as failure for that player. If the bounds of both players are equal, the value does not
//! depend on what infinite play is worth. Otherwise there is no value.
//!
//! Cost: linear in the number of states and moves, per goal.

use super::limits::{Meter, Stopped};
use super::positions::Positions;
use super::solver_rules::{SolverRules, State};
use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;
use omnigo_core::board::BareBoard;

/// A state, which determines the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    state: State,
    /// Position that must not be restored by the next move.
    ko: Option<u32>,
}

/// All states that can follow the root, which is state 0.
pub(super) struct Cycles {
    movers: Vec<Color>,
    /// Position to be counted, if a pass in this state ends the game.
    ends: Vec<Option<u32>>,
    starts: Vec<u32>,
    next: Vec<u32>,
    back_starts: Vec<u32>,
    back: Vec<u32>,
}

impl Cycles {
    /// Finds every state that can follow `root`. `before` is the position before the opponent's
    /// move.
    pub(super) fn of<B: BareBoard>(
        positions: &mut Positions<B>,
        solver_rules: &SolverRules,
        root: &State,
        before: Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<Cycles, Stopped> {
        let mut found = Cycles {
            movers: Vec::new(),
            ends: Vec::new(),
            starts: vec![0],
            next: Vec::new(),
            back_starts: Vec::new(),
            back: Vec::new(),
        };
        let mut numbers: FastMap<Node, u32> = FastMap::default();
        let mut nodes = vec![Node {
            state: *root,
            ko: before,
        }];
        numbers.insert(nodes[0], 0);
        let mut done = 0;
        while let Some(&Node { state, ko }) = nodes.get(done) {
            done += 1;
            meter.tick()?;
            let bytes = nodes.len() * 96 + found.next.len() * 8;
            if bytes + positions.bytes() > meter.memory() {
                return Err(Stopped::Memory);
            }
            let mut reach = |node: Node, found: &mut Cycles| {
                let fresh = nodes.len() as u32;
                let number = *numbers.entry(node).or_insert(fresh);
                if number == fresh {
                    nodes.push(node);
                }
                found.next.push(number);
            };
            let steps = positions.steps(state.number, state.to_move).to_vec();
            let mut can_place = false;
            for step in steps.iter().filter(|step| ko != Some(step.to)) {
                can_place = true;
                let next = solver_rules.after_step(&state, step);
                let replies = positions.steps(next.number, next.to_move);
                let recaptures = replies.iter().any(|reply| reply.to == state.number);
                let ko = recaptures.then_some(state.number);
                reach(Node { state: next, ko }, &mut found);
            }
            let passes = solver_rules.can_pass(&state, can_place);
            let ends = passes && solver_rules.pass_ends(&state);
            if passes && !ends {
                let state = solver_rules.after_pass(&state);
                reach(Node { state, ko: None }, &mut found);
            }
            found.movers.push(state.to_move);
            found.ends.push(ends.then_some(state.number));
            found.starts.push(found.next.len() as u32);
        }
        found.turn_around();
        Ok(found)
    }

    fn turn_around(&mut self) {
        let count = self.movers.len();
        let mut starts = vec![0u32; count + 1];
        for &to in &self.next {
            starts[to as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut end = starts.clone();
        let mut back = vec![0u32; self.next.len()];
        for from in 0..count {
            for &to in &self.next[self.starts[from] as usize..self.starts[from + 1] as usize] {
                back[end[to as usize] as usize] = from as u32;
                end[to as usize] += 1;
            }
        }
        (self.back_starts, self.back) = (starts, back);
    }

    /// Returns true if `holder` can force the game to end from the root. If passes end it, the
    /// final position must satisfy `good`.
    pub(super) fn wins(&self, holder: Color, good: impl Fn(u32) -> bool) -> bool {
        let count = self.movers.len();
        let mut open: Vec<u32> = (0..count)
            .map(|i| self.starts[i + 1] - self.starts[i])
            .collect();
        let mut won = vec![false; count];
        let mut queue = Vec::new();
        let spoiled: Vec<bool> = self
            .ends
            .iter()
            .map(|end| end.is_some_and(|n| !good(n)))
            .collect();
        for i in 0..count {
            let own = self.movers[i] == holder;
            let ended_well = self.ends[i].is_some() && !spoiled[i];
            // A player without any move loses.
            if (own && ended_well) || (!own && open[i] == 0 && !spoiled[i]) {
                won[i] = true;
                queue.push(i);
            }
        }
        while let Some(to) = queue.pop() {
            let (start, end) = (
                self.back_starts[to] as usize,
                self.back_starts[to + 1] as usize,
            );
            for &from in &self.back[start..end] {
                let from = from as usize;
                open[from] = open[from].saturating_sub(1);
                let own = self.movers[from] == holder;
                if !won[from] && (own || (open[from] == 0 && !spoiled[from])) {
                    won[from] = true;
                    queue.push(from);
                }
            }
        }
        won.first() == Some(&true)
    }
}
