//! Bounds under simple ko.

use super::{Interval, Present, Solver};
use crate::cycles::Cycles;
use crate::limits::Stopped;
use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;

impl<B: BareBoard> Solver<'_, B> {
    /// Finds the states that can follow under simple ko.
    pub(super) fn cycles(&mut self, present: &Present) -> Result<Cycles, Stopped> {
        self.meter.hold(self.bytes() - self.positions.bytes());
        let (positions, solver_rules) = (&mut self.positions, &self.solver_rules);
        Cycles::of(
            positions,
            solver_rules,
            &present.state,
            present.before,
            &mut self.meter,
        )
    }

    /// Returns true if `holder` is sure of its result for the goal, with infinite play counted
    /// against it. Black's result is that the goal is reached, White's that it is not.
    pub(super) fn is_sure_of(&mut self, cycles: &Cycles, holder: Color, goal: i64) -> bool {
        let positions = &mut self.positions;
        let margins: Vec<bool> = (0..positions.len() as u32)
            .map(|number| positions.margin(number) >= goal)
            .collect();
        let black = holder == Color::BLACK;
        cycles.wins(holder, |number| {
            margins.get(number as usize) == Some(&black)
        })
    }

    /// Computes the bounds under simple ko.
    pub(super) fn bound_under_simple_ko(
        &mut self,
        game: &Game<B>,
        present: &Present,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        let cycles = self.cycles(present)?;
        self.margins = self.positions.margins();
        let goals = if self.solver_rules.is_last_mover() {
            vec![1]
        } else {
            self.margins.clone()
        };
        if let (false, Some(&least), Some(&most)) = (
            self.solver_rules.is_last_mover(),
            goals.first(),
            goals.last(),
        ) {
            *interval = (least, most);
        }
        for goal in goals {
            self.meter.check()?;
            if self.is_sure_of(&cycles, Color::BLACK, goal) {
                self.settle(game, true, goal, interval);
            } else if goal <= interval.1 && self.is_sure_of(&cycles, Color::WHITE, goal) {
                self.settle(game, false, goal, interval);
            }
        }
        Ok(())
    }
}
