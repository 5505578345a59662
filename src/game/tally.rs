//! What moves leave behind beside the position.

use crate::color::Color;
use crate::rules::{Passing, Points, Ruleset};

/// Passes, the button, and stones won: of a game, or of a line that continues one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Colours that passed since the latest placement, a bit each.
    pub(super) passed: u8,
    /// Who made the first pass, where that is worth something.
    pub(super) button: Option<Color>,
    /// Stones of other colours that each colour's moves removed, and own stones that the others' suicides gave away.
    pub(super) won: [i64; Color::MAX],
    /// Passes made by each colour.
    pub(super) passes: [i64; Color::MAX],
}

impl Tally {
    /// Whether passes have ended the game.
    pub(super) fn ended_by_passes(&self, rules: &Ruleset) -> bool {
        rules.ends_after(self.passed)
    }

    /// Whether a pass by `color` would end the game.
    pub(super) fn pass_would_end(&self, rules: &Ruleset, color: Color) -> bool {
        !self.button_is_free(rules) && rules.ends_after(self.passed | 1 << color.index())
    }

    /// Whether the next pass is worth something.
    fn button_is_free(&self, rules: &Ruleset) -> bool {
        self.button.is_none() && rules.first_pass().is_some()
    }

    /// Who has taken the button, and what it is worth.
    pub(super) fn button(&self, rules: &Ruleset) -> Option<(Color, Points)> {
        self.button.zip(rules.first_pass())
    }

    /// Passes that `color` may still spend where passes are paid, else stones that it has captured.
    pub(super) fn counter(&self, rules: &Ruleset, komi: Points, color: Color) -> Points {
        let won = Points::whole(self.won[color.index()]);
        match rules.passing {
            Passing::Free | Passing::Never => won,
            Passing::Prisoners => {
                rules.initial_passes(color, komi) + won - Points::whole(self.passes[color.index()])
            }
        }
    }

    /// Whether a pass by `color` is allowed and paid for.
    pub(super) fn can_pass(&self, rules: &Ruleset, komi: Points, color: Color) -> bool {
        match rules.passing {
            Passing::Free => true,
            Passing::Never => false,
            Passing::Prisoners => self.counter(rules, komi, color) > Points::ZERO,
        }
    }

    /// Takes note of a placement.
    pub(super) fn place(&mut self) {
        self.passed = 0;
    }

    /// Takes note of a pass: the first takes the button, where there is one.
    pub(super) fn pass(&mut self, rules: &Ruleset, color: Color) {
        if self.button_is_free(rules) {
            self.button = Some(color);
        } else {
            self.passed |= 1 << color.index();
        }
        self.passes[color.index()] += 1;
    }

    /// Takes the latest pass back, all but who had passed before it.
    pub(super) fn take_pass_back(&mut self, color: Color) {
        self.passes[color.index()] -= 1;
        if self.passes == [0; Color::MAX] {
            self.button = None;
        }
    }

    /// Credits a removed stone: another colour's to the mover, an own one to the opponent (to nobody among more than two).
    #[inline]
    pub(super) fn remove(&mut self, rules: &Ruleset, mover: Color, stone: Color) {
        if let Some(color) = credited(rules, mover, stone) {
            self.won[color.index()] += 1;
        }
    }

    /// Takes back the credit for a removed stone.
    pub(super) fn restore(&mut self, rules: &Ruleset, mover: Color, stone: Color) {
        if let Some(color) = credited(rules, mover, stone) {
            self.won[color.index()] -= 1;
        }
    }
}

/// Who is credited with a stone that a move of `mover` removes.
#[inline]
fn credited(rules: &Ruleset, mover: Color, stone: Color) -> Option<Color> {
    if stone != mover {
        Some(mover)
    } else {
        (rules.colors == 2).then(|| mover.other())
    }
}
