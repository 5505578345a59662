//! Effects of moves other than the position: passes, the button, and credited stones.

use crate::rules::{Passing, Points, Ruleset};
use omnigo_base::color::Color;

/// Passes, button, and credited stones of a game, or of a line that continues a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Colors whose passes since the latest placement count toward the end, one bit each. Taking
    /// the button does not count.
    pub(super) passed: u8,
    /// The color that made the first pass, if that pass has a value.
    pub(super) button: Option<Color>,
    /// Number of stones credited to each color: stones of other colors that its moves removed, and
    /// stones that the opponent lost by suicide.
    pub(super) won: [i64; Color::MAX],
    /// Number of passes made by each color, without repeated passes of one color.
    pub(super) passes: [i64; Color::MAX],
}

impl Tally {
    /// Returns true if passes have ended the game.
    pub(super) fn ended_by_passes(&self, rules: &Ruleset) -> bool {
        rules.ends_after(self.passed)
    }

    /// Returns true if a pass by `color` would end the game.
    pub(super) fn pass_would_end(&self, rules: &Ruleset, color: Color) -> bool {
        !self.button_is_free(rules) && rules.ends_after(self.passed | 1 << color.index())
    }

    /// Returns true if the next pass takes the button.
    fn button_is_free(&self, rules: &Ruleset) -> bool {
        self.button.is_none() && rules.first_pass().is_some()
    }

    /// Returns the color that has taken the button and the button's value, or `None`.
    pub(super) fn button(&self, rules: &Ruleset) -> Option<(Color, Points)> {
        self.button.zip(rules.first_pass())
    }

    /// Returns the counter of `color`. If passes are paid, this is the number of passes that it may
    /// still spend. Otherwise it is the number of stones credited to it.
    pub(super) fn counter(&self, rules: &Ruleset, komi: Points, color: Color) -> Points {
        let won = Points::whole(self.won[color.index()]);
        match rules.passing {
            Passing::Free | Passing::Never => won,
            Passing::Prisoners => {
                rules.initial_passes(color, komi) + won - Points::whole(self.passes[color.index()])
            }
        }
    }

    /// Returns true if `color` may pass and can pay for it.
    pub(super) fn can_pass(&self, rules: &Ruleset, komi: Points, color: Color) -> bool {
        match rules.passing {
            Passing::Free => true,
            Passing::Never => false,
            Passing::Prisoners => self.counter(rules, komi, color) > Points::ZERO,
        }
    }

    /// Records a placement.
    pub(super) fn place(&mut self) {
        self.passed = 0;
    }

    /// Records a pass. The first pass takes the button, if there is one.
    pub(super) fn pass(&mut self, rules: &Ruleset, color: Color) {
        if self.button_is_free(rules) {
            self.button = Some(color);
        } else {
            self.passed |= 1 << color.index();
        }
        self.passes[color.index()] += 1;
    }

    /// Undoes the latest pass, except for `passed`.
    pub(super) fn take_pass_back(&mut self, color: Color) {
        self.passes[color.index()] -= 1;
        if self.passes == [0; Color::MAX] {
            self.button = None;
        }
    }

    /// Credits a removed stone. A stone of another color goes to the mover, an own stone to the
    /// opponent. With more than two colors, own stones go to no one.
    #[inline]
    pub(super) fn remove(&mut self, rules: &Ruleset, mover: Color, stone: Color) {
        if let Some(color) = credited(rules, mover, stone) {
            self.won[color.index()] += 1;
        }
    }

    /// Undoes the credit for a removed stone.
    pub(super) fn restore(&mut self, rules: &Ruleset, mover: Color, stone: Color) {
        if let Some(color) = credited(rules, mover, stone) {
            self.won[color.index()] -= 1;
        }
    }
}

/// Returns the color that is credited with a stone removed by a move of `mover`, or `None`.
#[inline]
fn credited(rules: &Ruleset, mover: Color, stone: Color) -> Option<Color> {
    if stone != mover {
        Some(mover)
    } else {
        (rules.colors == 2).then(|| mover.other())
    }
}
