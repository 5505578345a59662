//! The komi parameter of a graph, from *Go on Graphs*. It is the greatest whole komi with which
//! Black, moving first on the empty board, still wins under the famine rules. More passes never
//! hurt their owner, so Black wins with every komi up to the parameter.
//!
//! The parameter is at least -1, because a komi of -1 gives Black one pass. If the first player
//! wins with komi 0, Black plays the same moves. Otherwise Black passes and wins as the second
//! player.

use super::admit::admit;
use super::answer::Unsolvable;
use super::limits::{Limits, Stopped};
use super::solve::in_deep_thread;
use super::solver::Solver;
use super::solver_rules::ScoredPosition;
use super::theorem::{Theorem, most_stones};
use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;
use omnigo_core::rules::{Ko, KomiUse, Passing, Points, Ruleset, Scoring, Stuck, Suicide, presets};

/// The komi parameter of a board, or proven bounds for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KomiParameter {
    /// Greatest komi for which a win of Black is proved, in points.
    pub lower: i64,
    /// Black loses with any greater komi. `None` if this bound exceeds 64 bits.
    pub upper: Option<i64>,
    /// Number of situations searched.
    pub nodes: u64,
    /// Reason why the search ended early, if it did.
    pub stopped: Option<Stopped>,
    /// Theorem that gives the upper bound without a search, if one does.
    pub theorem: Option<Theorem>,
}

impl KomiParameter {
    /// Returns the parameter if both bounds agree, else `None`.
    pub fn value(&self) -> Option<i64> {
        self.upper.filter(|&upper| self.lower == upper)
    }
}

/// Returns an upper bound of the komi parameter, and true if [`Theorem::Passes`] gives it.
///
/// The bound is `None` if it exceeds 64 bits. The theorem holds for graphs. On other boards, let
/// White only pass, so that all stones are black. Apart from the empty position, at most 2ⁿ - 1
/// positions of black stones exist. White wins with one pass for each of them.
fn most<B: BareBoard>(board: &B) -> (Option<i64>, bool) {
    if let Some(stones) = most_stones(board) {
        return (Some(stones - 1), true);
    }
    let points = board.points();
    let powers = 1i64.checked_shl(points as u32);
    let powers = powers.filter(|power| points < 63 && *power > 0);
    (powers.map(|power| power - 2), false)
}

/// Returns the famine rules, under which the komi parameter is defined.
///
/// # Errors
/// There is no preset with this name, which does not occur.
pub fn famine() -> Result<Ruleset, Unsolvable> {
    let preset = presets::find("famine");
    let preset = preset.ok_or_else(|| Unsolvable::Rules("there is no ruleset famine".to_owned()));
    preset.map(|preset| preset.rules.clone())
}

/// Checks that the komi parameter is defined under these rules, and that its bounds hold.
fn check(rules: &Ruleset) -> Result<(), Unsolvable> {
    let expected = |fits: bool, expected| fits.then_some(()).ok_or(Unsolvable::Komi(expected));
    expected(rules.scoring == Scoring::None, "score=none")?;
    expected(rules.passing == Passing::Prisoners, "pass=prisoners")?;
    expected(rules.komi_use == KomiUse::Passes, "the ruleset famine")?;
    // The bounds count komi as the only passes at the start, and they let Black move first.
    let passes = [rules.black_passes, rules.white_passes];
    let expected_passes = "black-passes=0 and white-passes=0";
    expected(passes == [Points::ZERO; 2], expected_passes)?;
    expected(rules.first == Color::BLACK, "first=black")?;
    // White answers each move by a pass.
    expected(rules.stuck == Stuck::MoveOrPass, "stuck=move-or-pass")?;
    // Black passes to become the second player. Under situational superko, this pass would forbid
    // that suicide brings back the empty board.
    let same = rules.ko != Ko::Situational || rules.suicide == Suicide::Forbidden;
    expected(same, "ko=positional or suicide=no")
}

/// Computes the komi parameter of the empty board with the points of `board`.
///
/// # Errors
/// The board is too large for the solver.
pub fn komi_parameter<B: BareBoard>(
    board: &B,
    limits: &Limits<'_>,
) -> Result<KomiParameter, Unsolvable> {
    komi_parameter_watched(board, &famine()?, limits, &|_| {})
}

/// Computes the komi parameter under a variant of the famine rules. Calls `watch` with each new
/// bound.
///
/// # Errors
/// As for [`komi_parameter`], or the komi parameter is not defined under `rules`.
pub fn komi_parameter_watched<B: BareBoard>(
    board: &B,
    rules: &Ruleset,
    limits: &Limits<'_>,
    watch: &(dyn Fn(&KomiParameter) + Sync),
) -> Result<KomiParameter, Unsolvable> {
    check(rules)?;
    let mut empty = board.clone();
    empty.set_position(&vec![None; board.points()]);
    let mut game = Game::new(empty, rules.clone(), Points::ZERO, Color::BLACK);
    admit(&game)?;
    let work = || {
        let mut solver = Solver::new(&game, limits, ScoredPosition::Stands);
        let (upper, by_theorem) = most(game.board());
        let mut found = KomiParameter {
            lower: -1,
            upper,
            nodes: 0,
            stopped: None,
            theorem: None,
        };
        let mut komi = 0;
        while found.value().is_none() {
            found.nodes = solver.nodes();
            watch(&found);
            game.set_komi(Points::whole(komi));
            solver.look_at(&game);
            match solver.reaches(&game, Color::BLACK, 1) {
                Ok(true) => {
                    found.lower = komi;
                    komi += 1;
                }
                Ok(false) => {
                    komi -= 1;
                    found.upper = Some(komi);
                }
                Err(stopped) => {
                    found.stopped = Some(stopped);
                    break;
                }
            }
        }
        found.nodes = solver.nodes();
        found.theorem = (by_theorem && found.upper == upper).then_some(Theorem::Passes);
        found
    };
    in_deep_thread(work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::rules::RulesetText;

    #[test]
    fn refuses_rules_without_the_theorems() {
        let checked = |text: &str| {
            let rules: RulesetText = text.parse().unwrap();
            check(&rules.rules)
        };
        for (text, expected) in [
            ("conway", "pass=prisoners"),
            ("conway-prisoners", "the ruleset famine"),
            ("famine,white-passes=3", "black-passes=0 and white-passes=0"),
            ("famine,first=white", "first=black"),
            ("famine,stuck=move-only", "stuck=move-or-pass"),
            ("famine,ko=situational", "ko=positional or suicide=no"),
        ] {
            assert_eq!(checked(text), Err(Unsolvable::Komi(expected)), "{text}");
        }
        for text in [
            "famine",
            "famine,suicide=no",
            "famine,suicide=no,ko=situational",
        ] {
            assert_eq!(checked(text), Ok(()), "{text}");
        }
    }
}
