//! State of a solver for one game: its positions, fixed points, and proofs, and the bounds they
//! give.

mod backward;
mod forward;
mod moves;
mod proofs;
mod simple_ko;
#[cfg(test)]
mod tests;

use backward::Backward;
use forward::{FIRST, Forward};

use super::answer::Bounds;
use super::bounds::{Forbidden, HeldStates, Links};
use super::history::HistoryTable;
use super::limits::{Limits, Meter, Stopped};
use super::positions::Positions;
use super::proof::Bits;
use super::solver_rules::{CounterUse, ScoredPosition, SolverRules, State};
use super::symmetry::symmetries;
use super::theorem;
use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::board::life::stone_without_liberty;
use omnigo_core::game::Game;

/// Number of nodes per goal before other goals are tried.
const PATIENCE: u64 = 1 << 12;

/// Number of nodes of forward proofs per node of the search with histories.
const FORWARD: u64 = 64;

/// Maximum number of nodes per goal of forward proofs after the other methods ran out of memory.
const MOST_FORWARD: u64 = 1 << 24;

/// Maximum number of points at which symmetric positions keep separate numbers. On larger boards
/// they share numbers, so that the fixed points cover everything. In return, the search with
/// histories cannot use the fixed points there.
const FEW_POINTS: usize = 10;
/// Maximum number of points at which all positions are numbered in advance. Beyond it, 3ⁿ positions
/// are too many.
const MOST_EXPLORED: usize = 16;

/// Positions, fixed points, and proofs of one game and its continuations.
pub(crate) struct Solver<'a, B: BareBoard> {
    solver_rules: SolverRules,
    positions: Positions<B>,
    /// Separate positions for searches with histories, if symmetric positions share numbers in
    /// `positions`.
    plain: Option<Positions<B>>,
    links: Option<Links>,
    /// Possible final margins in ascending order, once the positions are explored.
    margins: Vec<i64>,
    table: HistoryTable,
    meter: Meter<'a>,
    scored_position: ScoredPosition,
    /// Forward proofs, once they are needed.
    forward: Option<Forward>,
    /// Retrograde analysis, once it is needed.
    backward: Backward,
}

/// Bounds of Black's margin in units, inclusive.
type Interval = (i64, i64);

/// A situation to be solved.
struct Present {
    state: State,
    seen: Bits,
    /// Situations that neither player can restore. If positions share numbers, only numbers of a
    /// single position are included.
    gone: Bits,
    /// The position before the latest move.
    before: Option<u32>,
}

impl Present {
    fn forbidden(&self) -> Forbidden<'_> {
        Forbidden {
            to_holder: &self.seen,
            to_opponent: &self.gone,
        }
    }
}

impl<'a, B: BareBoard> Solver<'a, B> {
    pub(crate) fn new(
        game: &Game<B>,
        limits: &Limits<'a>,
        scored_position: ScoredPosition,
    ) -> Solver<'a, B> {
        let solver_rules = SolverRules::of(game);
        let points = game.board().points();
        let mut positions = Positions::new(game.board(), game.rules(), scored_position);
        let mut plain = None;
        if points > FEW_POINTS && points <= MOST_EXPLORED && HeldStates::applies(&solver_rules) {
            plain = Some(Positions::new(game.board(), game.rules(), scored_position));
            positions.fold(symmetries(game.board()));
        }
        Solver {
            solver_rules,
            positions,
            plain,
            links: None,
            margins: Vec::new(),
            table: HistoryTable::default(),
            meter: Meter::new(limits, points),
            scored_position,
            forward: None,
            backward: Backward::Unasked,
        }
    }

    /// Returns true if any stone has no liberty, which occurs only in positions that were set up.
    /// The next placement removes such stones everywhere on the board. Methods that only look
    /// around a placement cannot handle this.
    fn is_unsettled(game: &Game<B>) -> bool {
        game.board().has_chains() && stone_without_liberty(game.board()).is_some()
    }

    /// Takes passes, prisoners, komi, and rules from `game`, which must have the same board.
    pub(crate) fn look_at(&mut self, game: &Game<B>) {
        self.solver_rules = SolverRules::of(game);
    }

    /// Returns the number of situations searched so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Returns the approximate size of all tables in bytes.
    fn bytes(&self) -> usize {
        self.positions.bytes()
            + self.plain.as_ref().map_or(0, Positions::bytes)
            + self.links.as_ref().map_or(0, Links::bytes)
            + self.table.bytes()
            + self.forward.as_ref().map_or(0, Forward::bytes)
            + self.backward.bytes()
    }

    fn bounds(&self, (lower, upper): Interval) -> Bounds {
        Bounds {
            lower: self.solver_rules.outcome(lower),
            upper: self.solver_rules.outcome(upper),
        }
    }

    /// Returns bounds that hold without search.
    fn trivial(&self, game: &Game<B>) -> Interval {
        if self.solver_rules.is_last_mover() {
            return (-1, 1);
        }
        let most = self.positions.most_margin();
        match self.solver_rules.counters {
            CounterUse::Passes | CounterUse::Unused => (-most, most),
            CounterUse::Points => {
                // Every placement leads to a new situation. Every prisoner was placed or was on the
                // board from the start.
                let situations = 2 * 3i64.saturating_pow(game.board().points() as u32);
                let [black, white] = self.solver_rules.counters_of(game).map(i64::from);
                let most = most + situations;
                (black - white - most, black - white + most)
            }
        }
    }

    /// Returns the value of the current position of `game` with `color` to move, in units.
    /// Otherwise returns bounds and the reason why they differ.
    pub(crate) fn value(&mut self, game: &Game<B>, color: Color) -> (Interval, Option<Stopped>) {
        let mut interval = self.trivial(game);
        if let Some(((low, high), _)) =
            theorem::bounds(game, &self.solver_rules, self.scored_position, color)
        {
            interval = (interval.0.max(low), interval.1.min(high));
            if interval.0 == interval.1 {
                return (interval, None);
            }
        }
        let mut stopped = self.narrow(game, color, &mut interval).err();
        if stopped == Some(Stopped::Memory) {
            stopped = self.narrow_forward(game, color, &mut interval).err();
        }
        (interval, stopped)
    }

    /// Continues with forward proofs alone, after the other methods ran out of memory. The size of
    /// their table is fixed.
    fn narrow_forward(
        &mut self,
        game: &Game<B>,
        color: Color,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        let mut budget = FIRST << 3;
        while interval.0 < interval.1 {
            if self.forward.is_none() || budget > MOST_FORWARD {
                return Err(Stopped::Memory);
            }
            budget <<= 3;
            self.step_forward(game, color, budget, interval)?;
        }
        Ok(())
    }

    fn narrow(
        &mut self,
        game: &Game<B>,
        color: Color,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        if !game.ended_by_passes() {
            self.ready_forward(game);
            for budget in [FIRST, FIRST << 3] {
                self.step_forward(game, color, budget, interval)?;
                if interval.0 == interval.1 {
                    return Ok(());
                }
            }
            if game.board().points() > FEW_POINTS {
                self.step_backward(game, color, interval)?;
                if interval.0 == interval.1 {
                    return Ok(());
                }
            }
        }
        let proved = *interval;
        let present = self.present(game, color)?;
        if game.ended_by_passes() {
            let state = &present.state;
            let margin = self.positions.margin(state.number) + self.solver_rules.prisoners(state);
            *interval = (margin, margin);
            return Ok(());
        }
        if let (Some(&least), Some(&most)) = (self.margins.first(), self.margins.last())
            && !self.solver_rules.is_last_mover()
        {
            *interval = (least.max(proved.0), most.min(proved.1));
        }
        if self.solver_rules.superko.is_none() {
            self.bound_under_simple_ko(game, &present, interval)?;
            *interval = (interval.0.max(proved.0), interval.1.min(proved.1));
            return if interval.0 < interval.1 {
                Err(Stopped::Cycles)
            } else {
                Ok(())
            };
        }
        self.narrow_by_wins(game, &present, interval)?;
        self.report(*interval);
        if interval.0 < interval.1 && game.board().points() <= FEW_POINTS {
            self.step_backward(game, color, interval)?;
        }
        let mut patience = PATIENCE;
        while interval.0 < interval.1 {
            self.meter.check()?;
            for goal in self.open_goals(&present.state, *interval) {
                if goal <= interval.0 || goal > interval.1 {
                    continue;
                }
                if let Some(reached) = self.search(game, &present, goal, patience)? {
                    self.settle(game, reached, goal, interval);
                    self.report(*interval);
                }
            }
            patience *= 4;
            self.step_forward(game, color, patience.saturating_mul(FORWARD), interval)?;
        }
        Ok(())
    }

    /// Decides whether Black reaches a goal from the current position of `game` with `color` to
    /// move.
    pub(crate) fn reaches(
        &mut self,
        game: &Game<B>,
        color: Color,
        goal: i64,
    ) -> Result<bool, Stopped> {
        if !game.ended_by_passes()
            && game.board().points() > FEW_POINTS
            && let Some(reached) = self.decide_backward(game, color, goal)?
        {
            return Ok(reached);
        }
        let present = self.present(game, color)?;
        if game.ended_by_passes() {
            let state = &present.state;
            let margin = self.positions.margin(state.number) + self.solver_rules.prisoners(state);
            return Ok(margin >= goal);
        }
        let (least, most) = self.trivial(game);
        if goal <= least || goal > most {
            return Ok(goal <= least);
        }
        if self.solver_rules.superko.is_none() {
            let cycles = self.cycles(&present)?;
            return if self.is_sure_of(&cycles, Color::BLACK, goal) {
                Ok(true)
            } else if self.is_sure_of(&cycles, Color::WHITE, goal) {
                Ok(false)
            } else {
                Err(Stopped::Cycles)
            };
        }
        if self.links.is_some() {
            for holder in [Color::BLACK, Color::WHITE] {
                let held = self.find_held(holder, goal, &present)?;
                if held.is_some_and(|held| held.rank(&present.state) != 0) {
                    return Ok(holder == Color::BLACK);
                }
            }
        }
        if let Some(reached) = self.decide_backward(game, color, goal)? {
            return Ok(reached);
        }
        let mut patience = PATIENCE;
        loop {
            if let Some(reached) = self.search(game, &present, goal, patience)? {
                return Ok(reached);
            }
            patience *= 4;
        }
    }

    fn present(&mut self, game: &Game<B>, color: Color) -> Result<Present, Stopped> {
        let state = State {
            number: self.positions.number(&game.board().position()),
            to_move: color,
            passed: game.pass_would_end(color),
            counters: self.solver_rules.counters_of(game),
        };
        let (mut seen, mut gone) = (Bits::default(), Bits::default());
        let mut past = Vec::new();
        let situations = game.situations();
        // If `color` moves out of turn, the current position with `color` to move counts as seen
        // too.
        let present = situations
            .last()
            .map(|(position, _)| (position.clone(), color));
        for (position, to_move) in situations.into_iter().chain(present) {
            let number = self.positions.number(&position);
            past.push(number);
            seen.insert(self.solver_rules.key(number, to_move));
            if self.positions.is_single(number) {
                gone.insert(self.solver_rules.key(number, to_move));
            }
        }
        // The current position is in the list twice.
        let before = past.len().checked_sub(3).and_then(|i| past.get(i)).copied();
        let few = game.board().points() <= MOST_EXPLORED;
        if self.links.is_none() && few && HeldStates::applies(&self.solver_rules) {
            self.meter.hold(self.bytes() - self.positions.bytes());
            self.positions.explore(&mut self.meter)?;
            self.links = Some(Links::of(&self.positions));
            self.margins = self.positions.margins();
        }
        Ok(Present {
            state,
            seen,
            gone,
            before,
        })
    }

    fn report(&self, interval: Interval) {
        let bounds = self.bounds(interval);
        self.meter.report(bounds.lower, bounds.upper);
    }

    /// Returns the greatest value below a goal: Black's maximum if it does not reach the goal.
    fn below(&self, game: &Game<B>, goal: i64) -> i64 {
        if self.solver_rules.is_last_mover() {
            return -1;
        }
        let less = self.margins.partition_point(|&margin| margin < goal);
        match less.checked_sub(1).and_then(|last| self.margins.get(last)) {
            Some(&margin) => margin,
            None => (goal - 1).max(self.trivial(game).0),
        }
    }

    /// Returns the least possible value above `value`.
    fn above(&self, game: &Game<B>, value: i64) -> i64 {
        if self.solver_rules.is_last_mover() {
            return value + 2;
        }
        let more = self.margins.partition_point(|&margin| margin <= value);
        match self.margins.get(more) {
            Some(&margin) => margin,
            None => (value + 1).min(self.trivial(game).1 + 1),
        }
    }

    /// Updates the bounds with the result for a goal.
    fn settle(&self, game: &Game<B>, reached: bool, goal: i64, interval: &mut Interval) {
        if reached {
            interval.0 = interval.0.max(goal);
        } else {
            interval.1 = interval.1.min(self.below(game, goal));
        }
    }

    /// Returns the goals in the interval that are worth trying now, the most informative first.
    fn open_goals(&self, state: &State, (low, high): Interval) -> Vec<i64> {
        if self.solver_rules.is_last_mover() {
            return vec![1];
        }
        let goals: Vec<i64> = match self.solver_rules.counters {
            CounterUse::Passes | CounterUse::Unused if self.margins.is_empty() => {
                (low + 1..=high).collect()
            }
            CounterUse::Passes | CounterUse::Unused => {
                let open = self.margins.iter().copied();
                open.filter(|&goal| low < goal && goal <= high).collect()
            }
            CounterUse::Points => {
                // The range is very large, but the value is usually near the current prisoner
                // difference. Try the goals within 64 points of it.
                let center = self.solver_rules.prisoners(state);
                let near = (center - 64).max(low + 1)..=(center + 64).min(high);
                let mut near: Vec<i64> = near.collect();
                if near.is_empty() {
                    near = vec![low + 1, high];
                }
                near
            }
        };
        let middle = goals.get(goals.len() / 2).copied();
        middle.into_iter().chain(goals).collect()
    }
}
