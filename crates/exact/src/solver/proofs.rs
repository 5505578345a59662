//! Two ways to settle a goal: strategies that need no history, and a search with histories.

use super::{Interval, Present, Solver};
use crate::bounds::HeldStates;
use crate::history::{Hints, Search};
use crate::limits::Stopped;
use crate::proof::Bits;
use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;

/// Maximum depth of a search with histories, in moves.
const MOST_DEPTH: u32 = 1 << 16;

impl<B: BareBoard> Solver<'_, B> {
    /// Computes bounds by strategies that need no history, by bisection over the possible margins.
    pub(super) fn narrow_by_wins(
        &mut self,
        game: &Game<B>,
        present: &Present,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        if self.links.is_none() {
            return Ok(());
        }
        let goals = if self.solver_rules.is_last_mover() {
            vec![1]
        } else {
            self.margins.clone()
        };
        for holder in [Color::BLACK, Color::WHITE] {
            // For this holder, goals before index `low` are reached and those from `high` on are
            // not.
            let (mut low, mut high) = (0, goals.len());
            while let Some(&goal) = goals.get((low + high) / 2).filter(|_| low < high) {
                self.meter.check()?;
                let held = self.find_held(holder, goal, present)?;
                let is_won = held.is_some_and(|held| held.rank(&present.state) != 0);
                if is_won {
                    self.settle(game, holder == Color::BLACK, goal, interval);
                }
                if is_won == (holder == Color::BLACK) {
                    low = (low + high) / 2 + 1;
                } else {
                    high = (low + high) / 2;
                }
            }
        }
        Ok(())
    }

    /// Computes the states in which `holder` holds the goal. White's goal is that Black does not
    /// reach it.
    pub(super) fn find_held(
        &mut self,
        holder: Color,
        goal: i64,
        present: &Present,
    ) -> Result<Option<HeldStates>, Stopped> {
        let Some(links) = &self.links else {
            return Ok(None);
        };
        let positions = &mut self.positions;
        let count = positions.len() as u32;
        let good: Vec<bool> = (0..count)
            .map(|number| (positions.margin(number) >= goal) == (holder == Color::BLACK))
            .collect();
        let (solver_rules, meter) = (&self.solver_rules, &mut self.meter);
        HeldStates::find(
            positions,
            links,
            solver_rules,
            holder,
            &good,
            present.forbidden(),
            meter,
        )
        .map(Some)
    }

    /// Decides whether Black reaches a goal by a search with histories. Returns `None` if
    /// `patience` nodes are not enough.
    pub(super) fn search(
        &mut self,
        game: &Game<B>,
        present: &Present,
        goal: i64,
        patience: u64,
    ) -> Result<Option<bool>, Stopped> {
        let (mut state, mut seen) = (present.state, present.seen.clone());
        let (mut black, mut white) = (None, None);
        if let Some(plain) = &mut self.plain {
            seen = Bits::default();
            for (position, to_move) in game.situations() {
                seen.insert(self.solver_rules.key(plain.number(&position), to_move));
            }
            state.number = plain.number(&game.board().position());
            seen.insert(self.solver_rules.key(state.number, state.to_move));
        } else {
            black = self.find_held(Color::BLACK, goal, present)?;
            white = self.find_held(Color::WHITE, goal, present)?;
        }
        let base = seen.clone();
        let hints = match (&black, &white) {
            (Some(black), Some(white)) => Some(Hints {
                black,
                white,
                seen: &base,
            }),
            _ => None,
        };
        let own = self.plain.as_ref().unwrap_or(&self.positions).bytes() + self.table.bytes();
        let hints_bytes = [&black, &white]
            .into_iter()
            .flatten()
            .map(HeldStates::bytes)
            .sum::<usize>();
        self.meter.hold(self.bytes() - own + hints_bytes);
        let patience = self.meter.nodes().saturating_add(patience);
        let mut search = Search {
            positions: self.plain.as_mut().unwrap_or(&mut self.positions),
            solver_rules: &self.solver_rules,
            table: &mut self.table,
            meter: &mut self.meter,
            hints,
            goal,
            seen,
            patience,
            written: Bits::default(),
        };
        let mut depth = 4;
        while depth <= MOST_DEPTH {
            match search.prove(&state, depth)? {
                Some((reached, _)) => return Ok(Some(reached)),
                None if search.is_tired() => return Ok(None),
                None => depth += depth / 2,
            }
        }
        Ok(None)
    }
}
