//! Bounds without histories: goals that a player can reach even if infinite play counts as failure.
//!
//! The positions form a finite graph on which both players move. A least fixed point over it finds
//! the states in which a player *holds* a goal. There the player, called the holder, has a strategy
//! that reaches the goal in a bounded number of moves. Each held state has a rank, its place in the
//! order of discovery. The strategy always moves to a lower rank.
//!
//! Two conditions make such a strategy sound after a history:
//!
//! - Situations of the history are removed from the graph, because no placement may lead to them.
//! - A placement of the holder leads only to a position in which the holder's own turn is held
//!   too, at a lower rank.
//!
//! Play descends in rank, so neither situation of that position has occurred since the start of the
//! strategy. The placement is therefore new under positional and under situational superko. Under
//! situational superko, a weaker condition is enough: the same situation after a pass is held at a
//! lower rank. The opponent may make every move of the graph, which is more than the rules allow.
//!
//! Cost: linear in the number of steps, per goal.

use super::limits::{Meter, Stopped};
use super::positions::Positions;
use super::proof::{Bits, Proof};
use super::solver_rules::{Seen, SolverRules, State};
use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::rules::Passing;

/// Reversed steps: for each position and color, the positions from which a placement of that color
/// leads to it.
pub(super) struct Links {
    starts: [Vec<u32>; 2],
    from: [Vec<u32>; 2],
}

impl Links {
    /// Reverses the steps of explored positions.
    pub(super) fn of<B: BareBoard>(positions: &Positions<B>) -> Links {
        let count = positions.len();
        let numbers = 0..count as u32;
        let turned = [Color::BLACK, Color::WHITE].map(|color| {
            let mut starts = vec![0u32; count + 1];
            for number in numbers.clone() {
                for step in positions.known_steps(number, color) {
                    starts[step.to as usize + 1] += 1;
                }
            }
            for i in 0..count {
                starts[i + 1] += starts[i];
            }
            let mut end = starts.clone();
            let mut from = vec![0u32; starts[count] as usize];
            for number in numbers.clone() {
                for step in positions.known_steps(number, color) {
                    let place = &mut end[step.to as usize];
                    from[*place as usize] = number;
                    *place += 1;
                }
            }
            (starts, from)
        });
        let [(black_starts, black), (white_starts, white)] = turned;
        Links {
            starts: [black_starts, white_starts],
            from: [black, white],
        }
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.starts.iter().chain(&self.from);
        lists.map(|list| list.capacity() * size_of::<u32>()).sum()
    }

    fn to(&self, number: u32, color: Color) -> &[u32] {
        let starts = &self.starts[color.index()];
        let (start, end) = (starts[number as usize], starts[number as usize + 1]);
        &self.from[color.index()][start as usize..end as usize]
    }
}

/// The states in which a player holds a goal.
pub(super) struct HeldStates {
    holder: Color,
    /// Rank by state: its place in the order of discovery, or 0 if the goal is not held.
    ranks: Vec<u32>,
}

/// Returns the index of a state. The counts of passes and prisoners are ignored.
fn index(number: u32, to_move: Color, passed: bool) -> usize {
    number as usize * 4 + to_move.index() * 2 + usize::from(passed)
}

/// Situations removed from the graph. If positions share a number, the number is closed to the
/// holder as soon as one of its positions has been seen. It is closed to the opponent once all of
/// them have been seen.
#[derive(Clone, Copy)]
pub(super) struct Forbidden<'a> {
    pub(super) to_holder: &'a Bits,
    pub(super) to_opponent: &'a Bits,
}

/// A fixed point during its computation.
struct Growth<'a> {
    solver_rules: &'a SolverRules,
    links: &'a Links,
    seen: Forbidden<'a>,
    holder: Color,
    free: bool,
    /// By position: true if its score satisfies the goal.
    good: &'a [bool],
    /// By position: the number of the opponent's steps that do not lead to a held state yet.
    open: Vec<u32>,
    ranks: Vec<u32>,
    queue: Vec<(u32, Color, bool)>,
}

impl Growth<'_> {
    fn win(&mut self, number: u32, to_move: Color, passed: bool) {
        let rank = &mut self.ranks[index(number, to_move, passed)];
        if *rank == 0 {
            self.queue.push((number, to_move, passed));
            *rank = self.queue.len() as u32;
        }
    }

    fn is_won(&self, number: u32, to_move: Color, passed: bool) -> bool {
        self.ranks[index(number, to_move, passed)] != 0
    }

    /// Handles a position in which all placements of the opponent lead to held states. Only its
    /// pass is left.
    fn closed(&mut self, number: u32) {
        let opponent = self.holder.other();
        if !self.free {
            self.win(number, opponent, false);
            return;
        }
        if self.good[number as usize] {
            self.win(number, opponent, true);
        }
        if self.is_won(number, self.holder, true) {
            self.win(number, opponent, false);
        }
    }

    /// Marks the states from which the holder's placements lead to this position, if these
    /// placements are sound by now.
    fn arrive(&mut self, number: u32) {
        let (holder, opponent) = (self.holder, self.holder.other());
        let fresh = self.is_won(number, holder, false)
            || (self.solver_rules.superko == Some(Seen::Situations)
                && self.free
                && self.is_won(number, opponent, true));
        let unseen = !self
            .seen
            .to_holder
            .contains(self.solver_rules.key(number, opponent));
        if fresh && unseen && self.is_won(number, opponent, false) {
            for &from in self.links.to(number, holder) {
                self.win(from, holder, false);
                if self.free {
                    self.win(from, holder, true);
                }
            }
        }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let mut next = 0;
        while let Some(&(number, to_move, passed)) = self.queue.get(next) {
            next += 1;
            if next.is_multiple_of(4096) {
                meter.check()?;
            }
            let opponent = self.holder.other();
            match (to_move == self.holder, passed) {
                (true, false) => {
                    // The opponent's steps to seen situations were never counted in `open`.
                    if !self
                        .seen
                        .to_opponent
                        .contains(self.solver_rules.key(number, self.holder))
                    {
                        for &from in self.links.to(number, opponent) {
                            let open = &mut self.open[from as usize];
                            *open -= 1;
                            if *open == 0 {
                                self.closed(from);
                            }
                        }
                    }
                    self.arrive(number);
                }
                (true, true) => {
                    if self.open[number as usize] == 0 {
                        self.win(number, opponent, false);
                    }
                }
                (false, false) => self.arrive(number),
                (false, true) => {
                    self.win(number, self.holder, false);
                    self.arrive(number);
                }
            }
        }
        Ok(())
    }
}

impl HeldStates {
    /// Returns true if this method supports the rules. It needs superko, without paid passes or
    /// counted prisoners. Games end by two free passes or by being stuck.
    pub(super) fn applies(solver_rules: &SolverRules) -> bool {
        let plain = match solver_rules.counters {
            super::solver_rules::CounterUse::Unused => true,
            super::solver_rules::CounterUse::Passes | super::solver_rules::CounterUse::Points => {
                false
            }
        };
        plain && solver_rules.superko.is_some()
    }

    /// Finds the states in which `holder` holds the goal. `good` marks the final positions that
    /// satisfy it, and `seen` contains the situations to avoid.
    pub(super) fn find<B: BareBoard>(
        positions: &Positions<B>,
        links: &Links,
        solver_rules: &SolverRules,
        holder: Color,
        good: &[bool],
        seen: Forbidden<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<HeldStates, Stopped> {
        let opponent = holder.other();
        let free = match solver_rules.rules.passing {
            Passing::Free => true,
            Passing::Never | Passing::Prisoners => false,
        };
        let count = positions.len() as u32;
        let open: Vec<u32> = (0..count)
            .map(|number| {
                let steps = positions.known_steps(number, opponent).iter();
                steps
                    .filter(|step| !seen.to_opponent.contains(solver_rules.key(step.to, holder)))
                    .count() as u32
            })
            .collect();
        let mut growth = Growth {
            solver_rules,
            links,
            seen,
            holder,
            free,
            good,
            open,
            ranks: vec![0; count as usize * 4],
            queue: Vec::new(),
        };
        for number in 0..count {
            if free && good[number as usize] {
                growth.win(number, holder, true);
            }
            if growth.open[number as usize] == 0 {
                growth.closed(number);
            }
        }
        growth.run(meter)?;
        Ok(HeldStates {
            holder,
            ranks: growth.ranks,
        })
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.ranks.len() * size_of::<u32>()
    }

    /// Returns the rank of a state, or 0 if the goal is not held.
    pub(super) fn rank(&self, state: &State) -> u32 {
        self.ranks[index(state.number, state.to_move, state.passed)]
    }

    /// Returns the conditions under which the strategy from `state` is valid, where `seen` contains
    /// the situations removed from the graph. `None` if the strategy has more than `most` states.
    pub(super) fn proof<B: BareBoard>(
        &self,
        positions: &Positions<B>,
        solver_rules: &SolverRules,
        state: &State,
        seen: &Bits,
        most: usize,
    ) -> Option<Proof> {
        let mut proof = Proof::default();
        let mut reached = Bits::default();
        let mut open = vec![*state];
        let mut count = 0;
        while let Some(state) = open.pop() {
            let place = index(state.number, state.to_move, state.passed);
            if reached.contains(place) {
                continue;
            }
            reached.insert(place);
            count += 1;
            if count > most {
                return None;
            }
            let steps = positions.known_steps(state.number, state.to_move);
            let passes = solver_rules.can_pass(&state, true);
            if state.to_move == self.holder {
                if let Some(next) = self.strategy(solver_rules, &state, steps, passes, seen) {
                    if next.number != state.number {
                        proof
                            .absent
                            .insert(solver_rules.key(next.number, next.to_move));
                    }
                    open.push(next);
                }
                continue;
            }
            for step in steps {
                let next = solver_rules.after_step(&state, step);
                let key = solver_rules.key(next.number, next.to_move);
                if seen.contains(key) {
                    proof.present.insert(key);
                } else {
                    open.push(next);
                }
            }
            if passes && !solver_rules.pass_ends(&state) {
                open.push(solver_rules.after_pass(&state));
            }
        }
        proof.trim();
        Some(proof)
    }

    /// Returns the state that the holder moves to: the one of lowest rank. `None` if its pass ends
    /// the game.
    fn strategy(
        &self,
        solver_rules: &SolverRules,
        state: &State,
        steps: &[super::positions::Step],
        passes: bool,
        seen: &Bits,
    ) -> Option<State> {
        let own = self.rank(state);
        let lower = |rank: u32| rank != 0 && rank < own;
        let mut best: Option<(u32, State)> = None;
        let mut offer = |rank: u32, next: State| {
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, next));
            }
        };
        if passes && !solver_rules.pass_ends(state) {
            let next = solver_rules.after_pass(state);
            if lower(self.rank(&next)) {
                offer(self.rank(&next), next);
            }
        }
        for step in steps {
            let next = solver_rules.after_step(state, step);
            let back = State {
                to_move: self.holder,
                ..next
            };
            let again = State {
                passed: true,
                ..next
            };
            let fresh = lower(self.rank(&back))
                || (solver_rules.superko == Some(Seen::Situations) && lower(self.rank(&again)));
            let unseen = !seen.contains(solver_rules.key(next.number, next.to_move));
            if unseen && fresh && lower(self.rank(&next)) {
                offer(self.rank(&next), next);
            }
        }
        best.map(|(_, next)| next)
    }
}
