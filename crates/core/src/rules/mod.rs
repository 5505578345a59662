//! Rules as data. A [`Ruleset`] has one value per axis; each named ruleset is a row of [`presets`].
//!
//! A ruleset does not depend on a board. In [`crate::game`], the legality check uses repetition and
//! suicide, turns use passing and the end, and the score uses scoring.

pub mod kata;
pub mod presets;
mod sides;
mod text;

pub use omnigo_base::points::{ParsePointsError, Points};
pub use sides::{ParseSidesError, Sides};
pub use text::{AxisText, ParseRulesetError, RulesetText};

use omnigo_base::color::Color;

/// Repetition that a placement may not cause. Passes are never checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// The position before the last move of an opponent may not recur at once. Passes of other
    /// opponents after that move do not count.
    Simple,
    /// No earlier position may recur (positional superko).
    Positional,
    /// No earlier position may recur with the same player to move (situational superko).
    Situational,
}

/// Legality of moves that remove stones of their own color. Suicide of a single stone changes
/// nothing and is never legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// A move that leaves its own chain without liberties removes the chain.
    Allowed,
    /// Such a move is illegal.
    Forbidden,
}

/// Cost of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// Passing is free.
    Free,
    /// A pass costs one of the player's passes. Captures and the initial allotment provide them.
    Prisoners,
    /// There is no pass.
    Never,
}

/// Condition that ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Consecutive passes, one by each color.
    Passes,
    /// The player to move can neither place a stone nor pass. That player loses if no points are
    /// counted. Otherwise the score of the position decides.
    Stuck,
}

/// Points counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones, and empty regions that touch only one color.
    Area,
    /// Stones only.
    Stones,
    /// Empty regions that touch only one color, and captured stones.
    Territory,
    /// Nothing. The last mover wins.
    None,
}

/// Owner of an empty region that touches no stone, under area and territory scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neutral {
    /// Every player.
    Both,
    /// No player.
    None,
}

/// Points that living groups lose from the empty points they enclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// No tax.
    None,
    /// Empty points enclosed by groups in seki do not count.
    Seki,
    /// As `Seki`. In addition, every other living group pays up to two points for its two eyes.
    All,
}

/// Points for White as compensation for Black's handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// No points.
    None,
    /// One point per stone except the first.
    AllButOne,
    /// One point per stone.
    All,
}

/// Value of the first pass of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    /// There is no button.
    None,
    /// The first player to pass takes the button. It is worth half a point, and that pass does not
    /// count toward the end.
    HalfPoint,
}

/// Treatment of illegal moves by the `play` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Referee {
    /// Every illegal move is rejected.
    Strict,
    /// Repetition and suicide of several stones are accepted, as game servers expect.
    Tolerant,
}

/// Treatment of dead stones before counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadStones {
    /// Stones that the engine considers dead are removed.
    Agreed,
    /// All stones count as they are on the board.
    None,
}

/// Options of which a player needs one to avoid being stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// A legal placement or an affordable pass.
    MoveOrPass,
    /// A legal placement.
    MoveOnly,
}

/// Use of komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KomiUse {
    /// Added to White's score.
    Score,
    /// White's initial number of passes, or Black's if komi is negative.
    Passes,
    /// Ignored.
    Ignored,
}

/// A complete set of rules: one value for each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Name of the preset that this set is based on.
    pub name: &'static str,
    /// Forbidden repetition.
    pub ko: Ko,
    /// Suicide of several stones.
    pub suicide: Suicide,
    /// Cost of a pass.
    pub passing: Passing,
    /// End of the game.
    pub end: End,
    /// Points counted at the end.
    pub scoring: Scoring,
    /// Regions that touch no stone.
    pub neutral: Neutral,
    /// Taxed groups.
    pub tax: Tax,
    /// White's points for a handicap.
    pub bonus: Bonus,
    /// Value of the first pass.
    pub button: Button,
    /// Treatment of illegal moves by `play`.
    pub referee: Referee,
    /// Treatment of dead stones.
    pub dead: DeadStones,
    /// Meaning of being stuck.
    pub stuck: Stuck,
    /// Use of komi.
    pub komi_use: KomiUse,
    /// The color that moves first.
    pub first: Color,
    /// Number of passes that Black has at the start, if passes are paid.
    pub black_passes: Points,
    /// Number of passes that White has at the start, if passes are paid.
    pub white_passes: Points,
    /// Number of colors.
    pub colors: usize,
    /// Colors that win together, among more than two.
    pub sides: Sides,
}

impl Ruleset {
    /// Returns the reason why games with these rules cannot be played or decided, or `None` if they
    /// can.
    pub fn flaw(&self) -> Option<&'static str> {
        match (self.colors, self.passing, self.end) {
            (0 | 1, _, _) => return Some("a game needs at least 2 colors"),
            (2, _, _) => {}
            (3..=Color::MAX, Passing::Prisoners, _) => {
                return Some("pass=prisoners is defined only for 2 colors");
            }
            (3..=Color::MAX, Passing::Free | Passing::Never, End::Stuck) => {
                return Some("end=stuck is defined only for 2 colors");
            }
            (3..=Color::MAX, Passing::Free | Passing::Never, End::Passes) => {
                let mut colors = Color::all(self.colors);
                if colors.all(|color| self.are_allies(color, Color::BLACK)) {
                    return Some("all colors are on one side, so no color can win");
                }
            }
            (_, _, _) => return Some("a game has at most 8 colors"),
        }
        match (self.passing, self.end, self.scoring) {
            (Passing::Never, End::Passes, _) => Some("pass=never with end=passes never ends"),
            (Passing::Free, End::Stuck, _) => Some("pass=free with end=stuck never ends"),
            (_, End::Passes, Scoring::None) => Some("score=none with end=passes has no winner"),
            _ => None,
        }
    }

    /// Returns the first color of the side of `color`. Between two colors, each plays alone.
    pub fn leader(&self, color: Color) -> Color {
        match self.colors {
            0..=2 => color,
            _ => self.sides.leader(color),
        }
    }

    /// Returns true if two colors win together, as a color does with itself.
    pub fn are_allies(&self, one: Color, other: Color) -> bool {
        self.leader(one) == self.leader(other)
    }

    /// Returns true if a player who can pay for a pass may pass. Under `stuck=move-only`, the
    /// player also needs a legal placement (`can_place`).
    pub fn allows_pass(&self, can_place: bool) -> bool {
        match self.stuck {
            Stuck::MoveOrPass => true,
            Stuck::MoveOnly => can_place,
        }
    }

    /// Returns true if the game ends once these colors have passed since the latest placement.
    /// `passed` has one bit per color.
    pub fn ends_after(&self, passed: u8) -> bool {
        match self.end {
            End::Passes => passed.count_ones() as usize >= self.colors,
            End::Stuck => false,
        }
    }

    /// Returns the passes that `color` may spend at the start with this komi, if passes are paid.
    pub fn initial_passes(&self, color: Color, komi: Points) -> Points {
        let own = match color {
            Color::BLACK => self.black_passes,
            Color::WHITE => self.white_passes,
            _ => Points::ZERO,
        };
        let share = match self.komi_use {
            KomiUse::Score | KomiUse::Ignored => Points::ZERO,
            KomiUse::Passes if color == Color::WHITE => komi.max(Points::ZERO),
            KomiUse::Passes if color == Color::BLACK => (-komi).max(Points::ZERO),
            KomiUse::Passes => Points::ZERO,
        };
        own + share
    }

    /// Returns the points that White gets for this number of handicap stones.
    pub fn handicap_bonus(&self, stones: u32) -> Points {
        let stones = i64::from(stones);
        Points::whole(match self.bonus {
            Bonus::None => 0,
            Bonus::AllButOne => (stones - 1).max(0),
            Bonus::All => stones,
        })
    }

    /// Returns the value of the first pass of a game, or `None` if it is an ordinary pass.
    pub fn first_pass(&self) -> Option<Points> {
        match self.button {
            Button::None => None,
            Button::HalfPoint => Some(Points::from_halves(1)),
        }
    }

    /// Returns the komi that White's score includes.
    pub fn scored_komi(&self, komi: Points) -> Points {
        match self.komi_use {
            KomiUse::Score => komi,
            KomiUse::Passes | KomiUse::Ignored => Points::ZERO,
        }
    }
}
