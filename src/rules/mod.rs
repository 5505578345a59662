//! Rules as data: a [`Ruleset`] is a product of axes, a named ruleset is a row of [`presets`].
//!
//! A ruleset knows no board. Each axis is read in one place: repetition and suicide in [`crate::game`]'s legality,
//! passing and the end in its turn, scoring in [`crate::game`]'s score.

pub mod kata;
pub mod presets;
mod text;

pub use crate::points::{ParsePointsError, Points};
pub use text::{AxisText, ParseRulesetError, RulesetText};

use crate::color::Color;

/// Which repetition a placement may not make. Passes are never checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// The colouring before the opponent's last move may not come back at once.
    Simple,
    /// No earlier colouring may come back (positional superko).
    Positional,
    /// No earlier colouring may come back with the same player to move (situational superko).
    Situational,
}

/// Whether a move may remove stones of its own colour. Suicide of a single stone changes nothing and is never legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// A move that leaves its own chain without liberty removes the chain.
    Allowed,
    /// Such a move is illegal.
    Forbidden,
}

/// What a pass costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// Nothing.
    Free,
    /// One of the player's passes, which captures and the initial shares provide.
    Prisoners,
    /// There is no pass.
    Never,
}

/// When the game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// After as many passes in a row, each by another colour, as there are colours.
    Passes,
    /// When the player to move can do nothing; that player loses.
    Stuck,
}

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones, and empty regions that touch no other colour.
    Area,
    /// Stones alone.
    Stones,
    /// Empty regions of one colour, and stones captured.
    Territory,
    /// Nothing: the last mover wins.
    None,
}

/// Who gets an empty region that touches no stone at all, under area scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neutral {
    /// Every player.
    Both,
    /// Nobody.
    None,
}

/// What living groups have to give up of what they enclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// Nothing.
    None,
    /// What groups in seki enclose counts for nobody.
    Seki,
    /// That, and two points of every other living group: its two eyes.
    All,
}

/// What White gets for Black's handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Nothing.
    None,
    /// A point for each stone but the first.
    AllButOne,
    /// A point for each stone.
    All,
}

/// Whether the first pass of a game is worth something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    /// There is none.
    None,
    /// Whoever passes first takes it: half a point, and the pass does not count towards the end.
    HalfPoint,
}

/// How the `play` command treats moves that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Referee {
    /// Every illegal move is refused.
    Strict,
    /// Repetition and suicide of several stones are let through, as game servers expect.
    Tolerant,
}

/// What happens to dead stones before counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadStones {
    /// Stones that the engine judges dead are removed.
    Agreed,
    /// Everything counts as it stands.
    None,
}

/// What a player needs so as not to be stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// A legal placement or an affordable pass.
    MoveOrPass,
    /// A legal placement.
    MoveOnly,
}

/// What komi is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KomiUse {
    /// It is added to White's score.
    Score,
    /// It is White's initial number of passes, or Black's where it is negative.
    Passes,
    /// Nothing.
    Ignored,
}

/// A complete set of rules: one value for each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Name of the preset that this set started from.
    pub name: &'static str,
    /// Forbidden repetition.
    pub ko: Ko,
    /// Suicide of several stones.
    pub suicide: Suicide,
    /// Cost of a pass.
    pub passing: Passing,
    /// End of the game.
    pub end: End,
    /// What is counted.
    pub scoring: Scoring,
    /// Regions that touch no stone.
    pub neutral: Neutral,
    /// Taxed groups.
    pub tax: Tax,
    /// White's points for a handicap.
    pub bonus: Bonus,
    /// What the first pass is worth.
    pub button: Button,
    /// Treatment of illegal moves by `play`.
    pub referee: Referee,
    /// Treatment of dead stones.
    pub dead: DeadStones,
    /// Meaning of being stuck.
    pub stuck: Stuck,
    /// Use of komi.
    pub komi_use: KomiUse,
    /// Who moves first.
    pub first: Color,
    /// Passes that Black has at the start, where passes are paid.
    pub black_passes: Points,
    /// Passes that White has at the start, where passes are paid.
    pub white_passes: Points,
    /// Number of colours that play.
    pub colors: usize,
}

impl Ruleset {
    /// Why no game can be played or decided under this combination, if so.
    pub fn flaw(&self) -> Option<&'static str> {
        match (self.colors, self.passing, self.end) {
            (0 | 1, _, _) => return Some("a game needs at least 2 colors"),
            (2, _, _) => {}
            (3..=Color::MAX, Passing::Prisoners, _) => {
                return Some("pass=prisoners says who is paid among 2 colors, not among more");
            }
            (3..=Color::MAX, Passing::Free | Passing::Never, End::Stuck) => {
                return Some("end=stuck says who wins among 2 colors, not among more");
            }
            (3..=Color::MAX, Passing::Free | Passing::Never, End::Passes) => {}
            (_, _, _) => return Some("at most 8 colors play"),
        }
        match (self.passing, self.end, self.scoring) {
            (Passing::Never, End::Passes, _) => Some("pass=never with end=passes never ends"),
            (Passing::Free, End::Stuck, _) => Some("pass=free with end=stuck never ends"),
            (_, End::Passes, Scoring::None) => Some("score=none with end=passes has no winner"),
            _ => None,
        }
    }

    /// Whether a player who `can_place` or cannot may pass where passing is possible at all.
    pub fn may_wait(&self, can_place: bool) -> bool {
        match self.stuck {
            Stuck::MoveOrPass => true,
            Stuck::MoveOnly => can_place,
        }
    }

    /// Whether the game ends once these colours, a bit each, have passed since the latest placement.
    pub fn ends_after(&self, passed: u8) -> bool {
        match self.end {
            End::Passes => passed.count_ones() as usize >= self.colors,
            End::Stuck => false,
        }
    }

    /// The passes that `color` may spend at the start under this komi, where passes are paid.
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

    /// The points that White gets for so many handicap stones.
    pub fn handicap_bonus(&self, stones: u32) -> Points {
        let stones = i64::from(stones);
        Points::whole(match self.bonus {
            Bonus::None => 0,
            Bonus::AllButOne => (stones - 1).max(0),
            Bonus::All => stones,
        })
    }

    /// What the first pass of a game is worth; `None` where it is a pass like others.
    pub fn first_pass(&self) -> Option<Points> {
        match self.button {
            Button::None => None,
            Button::HalfPoint => Some(Points::from_halves(1)),
        }
    }

    /// The komi that the score of White includes.
    pub fn scored_komi(&self, komi: Points) -> Points {
        match self.komi_use {
            KomiUse::Score => komi,
            KomiUse::Passes | KomiUse::Ignored => Points::ZERO,
        }
    }
}
