//! Change of White's handicap bonus during the game to be solved.
//!
//! Black's placements before White's first count as handicap stones. The methods of the solver
//! count the bonus at the root, and this module widens their bounds by what it may change.

use super::answer::{Answer, Bounds};
use super::limits::Stopped;
use super::theorem::most_stones;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::BareBoard;
use omnigo_core::board::region::flood;
use omnigo_core::game::{Game, Outcome};
use omnigo_core::rules::{Points, Scoring};

/// Maximum change of White's handicap bonus, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BonusChange {
    /// Maximum growth.
    more: Points,
    /// Maximum decrease, which needs two turns of White in a row.
    less: Points,
    /// True if the value of a pass does not change.
    passes_stay: bool,
    /// True if a pass now is best, because it ends the game with all points for Black.
    pass_is_best: bool,
}

/// Returns the maximum change of the bonus if `next` moves now and the players then alternate.
/// `None` if the bonus is settled or the game is over.
pub(super) fn bonus_change<B: BareBoard>(game: &Game<B>, next: Color) -> Option<BonusChange> {
    let rules = game.rules();
    if rules.scoring == Scoring::None || game.is_over() {
        return None;
    }
    let placed = game.open_handicap(next)?;
    let now = game.handicap_bonus();
    let start = rules.handicap_bonus(game.handicap());
    let stones = game.board().position().iter().flatten().count() as i64;
    let ends_best = passes_end_best(game);
    let further = match (ends_best, next) {
        (true, Color::BLACK) => 1,
        (true, _) => 0,
        (false, _) => {
            // Without stones of White and without suicide, each placement of Black adds a stone.
            let most = most_stones(game.board()).unwrap_or(game.board().points() as i64);
            u32::try_from(most - stones).unwrap_or(0)
        }
    };
    let placed = match placed.saturating_add(further) {
        // A single move of Black is the first move of an even game.
        0 | 1 => 0,
        placed => placed,
    };
    let alternates = game.to_move() == next;
    let passes_stay = ends_best && alternates;
    let change = BonusChange {
        more: rules.handicap_bonus(game.handicap().saturating_add(placed)) - now,
        less: match alternates {
            true => Points::ZERO,
            false => now - start,
        },
        passes_stay,
        pass_is_best: passes_stay && stones > 0 && game.pass_would_end(next),
    };
    (change.more > Points::ZERO || change.less > Points::ZERO).then_some(change)
}

/// Returns true if White gains nothing by passing before its first stone. Black then passes too,
/// and the game ends with all points for Black. White could not have kept any by further passes.
/// Only Black's placements before that pass count for the bonus.
///
/// Under agreement on dead stones, this takes for granted that stones are alive while the opponent
/// has none.
fn passes_end_best<B: BareBoard>(game: &Game<B>) -> bool {
    let (board, rules) = (game.board(), game.rules());
    if rules.scoring != Scoring::Area || rules.first_pass().is_some() || board.points() == 0 {
        return false;
    }
    let (mut reached, mut seen) = (Vec::new(), vec![false; board.points()]);
    flood(
        board,
        Vertex::at(0),
        &mut reached,
        &mut seen,
        |_| true,
        |_| {},
    );
    let is_connected = reached.len() == board.points();
    is_connected && reached.iter().all(|&point| board.weight(point) >= 0)
}

impl BonusChange {
    /// Returns the answer with the bounds widened by the change. `answer` counts the present bonus.
    pub(super) fn widen(self, answer: Answer) -> Answer {
        let widened = |bounds: Bounds| Bounds {
            lower: moved(bounds.lower, -self.more),
            upper: moved(bounds.upper, self.less),
        };
        let stays = |mv: Move| mv == Move::Pass && self.passes_stay;
        let moves = answer.moves.iter();
        let moves = moves.map(|&(mv, bounds)| match stays(mv) {
            true => (mv, bounds),
            false => (mv, widened(bounds)),
        });
        let is_proved = self.pass_is_best && answer.bounds.value().is_some();
        Answer {
            bounds: match self.pass_is_best {
                true => answer.bounds,
                false => widened(answer.bounds),
            },
            pv: is_proved.then_some(Move::Pass).into_iter().collect(),
            pv_ends: is_proved,
            moves: moves.collect(),
            stopped: answer.stopped.or((!is_proved).then_some(Stopped::Bonus)),
            theorem: None,
            nodes: answer.nodes,
        }
    }
}

/// Returns an answer whose line ends with a pass before a second stone of Black would raise the
/// bonus. The methods of the solver do not see that such a stone costs points.
pub(super) fn with_settled_line<B: BareBoard>(
    game: &Game<B>,
    color: Color,
    mut answer: Answer,
) -> Answer {
    let (mut game, mut color) = (game.clone(), color);
    for (place, mv) in answer.pv.clone().into_iter().enumerate() {
        if let Some(change) = bonus_change(&game, color) {
            answer.pv.truncate(place);
            answer.pv_ends = change.pass_is_best;
            answer.pv.extend(change.pass_is_best.then_some(Move::Pass));
            break;
        }
        if game.play(color, mv).is_err() {
            break;
        }
        color = color.other();
    }
    answer
}

/// Returns the outcome with Black's margin raised by `points`.
fn moved(outcome: Outcome, points: Points) -> Outcome {
    let margin = match outcome {
        Outcome::By(Color::BLACK, margin) => margin,
        Outcome::By(_, margin) => -margin,
        Outcome::Tie => Points::ZERO,
        Outcome::LastMover(_) => return outcome,
    };
    Outcome::of_scores(&[margin + points, Points::ZERO])
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::limits::Limits;
    use crate::solve::{Wish, keepers, solve};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::RulesetText;

    /// Returns a game on the path of three points after these moves: indices, or `None` for a pass.
    fn game(rules: &str, moves: &[(Color, Option<usize>)]) -> Game<GridBoard> {
        let rules: RulesetText = rules.parse().unwrap();
        let board = GridBoard::new(Grid::new(3, 1).unwrap(), 2).unwrap();
        let mut game = Game::new(board, rules.rules, Points::ZERO, Color::BLACK);
        for &(color, at) in moves {
            let mv = at.map_or(Move::Pass, |at| Move::Place(Vertex::at(at)));
            game.play(color, mv).unwrap();
        }
        game
    }

    fn margin(outcome: Outcome) -> Points {
        match outcome {
            Outcome::By(Color::BLACK, points) => points,
            Outcome::By(_, points) => -points,
            Outcome::Tie | Outcome::LastMover(_) => Points::ZERO,
        }
    }

    /// Returns Black's margin by exhaustive search.
    fn exhaustive(game: &Game<GridBoard>, color: Color) -> Points {
        if game.is_over() {
            return margin(game.outcome(&[]).unwrap());
        }
        let results = game.legal_moves(color).into_iter().map(|mv| {
            let mut next = game.clone();
            next.play(color, mv).unwrap();
            exhaustive(&next, color.other())
        });
        match color {
            Color::BLACK => results.max().unwrap(),
            _ => results.min().unwrap(),
        }
    }

    fn answer(game: &Game<GridBoard>, color: Color) -> Answer {
        let stop = AtomicBool::new(false);
        let wish = Wish {
            pv: true,
            moves: true,
        };
        solve(game, color, &Limits::new(&stop), wish).unwrap()
    }

    #[test]
    fn bounds_hold_for_every_handicap() {
        const B: Color = Color::BLACK;
        const W: Color = Color::WHITE;
        let lines: [&[(Color, Option<usize>)]; 7] = [
            &[],
            &[(B, Some(1)), (W, None), (B, None)],
            &[(B, Some(1))],
            &[(B, Some(1)), (W, None)],
            &[(B, Some(0)), (W, None), (B, Some(1))],
            &[(B, Some(0)), (W, Some(2))],
            &[(B, Some(0)), (W, None), (B, Some(2)), (W, Some(1))],
        ];
        let mut settled = 0;
        for bonus in ["n", "n-1"] {
            let rules = format!("tromp-taylor,suicide=no,bonus={bonus}");
            for line in lines {
                let game = game(&rules, line);
                let mut movers = vec![game.to_move()];
                movers.extend(line.last().map(|&(color, _)| color));
                for color in movers {
                    let exact = exhaustive(&game, color);
                    let answer = answer(&game, color);
                    let (low, high) = (margin(answer.bounds.lower), margin(answer.bounds.upper));
                    assert!(low <= exact && exact <= high, "{line:?} {color}: {exact}");
                    let open = bonus_change(&game, color).is_some_and(|found| !found.pass_is_best);
                    assert_eq!(answer.stopped, open.then_some(Stopped::Bonus), "{line:?}");
                    if !open {
                        settled += 1;
                        assert_eq!(low, high, "{line:?} {color}");
                        assert_eq!(answer.pv.is_empty(), game.is_over(), "{line:?} {color}");
                    }
                    for (mv, bounds) in answer.moves {
                        let mut next = game.clone();
                        next.play(color, mv).unwrap();
                        let exact = exhaustive(&next, color.other());
                        let (low, high) = (margin(bounds.lower), margin(bounds.upper));
                        assert!(low <= exact && exact <= high, "{line:?} {color} {mv:?}");
                    }
                }
            }
        }
        assert!(settled >= 12, "{settled}");
    }

    #[test]
    fn no_move_is_proved_while_the_bonus_is_open() {
        let stop = AtomicBool::new(false);
        let found = |rules: &str| {
            let game = game(rules, &[(Color::BLACK, Some(1)), (Color::WHITE, None)]);
            keepers(&game, Color::BLACK, &Limits::new(&stop)).unwrap()
        };
        assert_eq!(found("tromp-taylor,suicide=no,bonus=n"), None);
        assert!(found("tromp-taylor,suicide=no").is_some());
    }
}
