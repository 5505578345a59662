//! The value of a position, from any history, under any ruleset of two colors.
//!
//! First the goals are bounded without histories ([`super::bounds`]), by bisection over the scores that occur. Where the two
//! bounds differ, the search with histories ([`super::history`]) decides the goals between them.

use std::panic::resume_unwind;
use std::thread;

use super::answer::{Answer, Unsolvable};
use super::limits::Limits;
use super::positions::Positions;
use super::solver::Solver;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::rules::{DeadStones, End, Ko, Passing, Scoring, Stuck};

/// What to find besides the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Moves of perfect play.
    pub pv: bool,
    /// The value of every move.
    pub moves: bool,
}

/// The most points where prisoners count.
const MOST_TERRITORY: usize = 36;
/// Stack of the search in bytes: lines under superko can be as long as there are positions.
const STACK: usize = 1 << 28;
/// The value of the present position of `game` with `color` to move, history included.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use omnigo::board::grid::{Grid, GridBoard};
/// use omnigo::color::Color;
/// use omnigo::exact::{Limits, Wish, solve};
/// use omnigo::game::Game;
/// use omnigo::rules::{Points, presets};
///
/// let board = GridBoard::new(Grid::new(3, 1).unwrap(), 2).unwrap();
/// let rules = presets::find("tromp-taylor").unwrap().rules.clone();
/// let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
/// let stop = AtomicBool::new(false);
/// let answer = solve(&game, Color::BLACK, &Limits::new(&stop), Wish::default()).unwrap();
/// assert_eq!(answer.bounds.value().unwrap().to_string(), "B+3");
/// ```
///
/// # Errors
/// When the rules leave the value open, or the board has more points than the solver can number.
pub fn solve<B: Board>(
    game: &Game<B>,
    color: Color,
    limits: &Limits<'_>,
    wish: Wish,
) -> Result<Answer, Unsolvable> {
    admit(game)?;
    let work = || {
        let mut solver = Solver::new(game, limits);
        solver.answer(game, color, wish)
    };
    in_deep_thread(work)
}

/// Whether positions of this game have values.
pub(super) fn admit<B: Board>(game: &Game<B>) -> Result<(), Unsolvable> {
    let rules = game.rules();
    if rules.colors != 2 {
        return Err(Unsolvable::Players(rules.colors));
    }
    let points = game.board().points();
    let most = match rules.scoring {
        Scoring::Area | Scoring::Stones | Scoring::None => Positions::<B>::MOST_POINTS,
        // As many prisoners as positions have to be counted.
        Scoring::Territory => MOST_TERRITORY,
    };
    if points > most {
        return Err(Unsolvable::TooLarge { points, most });
    }
    match rules.dead {
        DeadStones::None => {}
        DeadStones::Agreed => {
            return Err(Unsolvable::Rules(
                "dead stones are taken off by agreement, which has no value: expected dead=none",
            ));
        }
    }
    match rules.ko {
        Ko::Simple => {
            return Err(Unsolvable::Rules(
                "under ko=simple a game need not end, so that it has no value: expected ko=positional or ko=situational",
            ));
        }
        Ko::Positional | Ko::Situational => {}
    }
    match (rules.end, rules.passing, rules.stuck) {
        (End::Passes, Passing::Prisoners, _) => Err(Unsolvable::Rules(
            "with pass=prisoners end=passes a player can be left without a turn, expected end=stuck",
        )),
        (End::Passes, Passing::Free | Passing::Never, Stuck::MoveOnly) => Err(Unsolvable::Rules(
            "with stuck=move-only end=passes a player can be left without a turn, expected stuck=move-or-pass",
        )),
        (End::Passes, Passing::Free | Passing::Never, Stuck::MoveOrPass) | (End::Stuck, _, _) => {
            Ok(())
        }
    }
}

/// Runs a search where lines can be as long as there are positions.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn in_deep_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Unsolvable> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name("solver".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|_| Unsolvable::Thread)?;
        Ok(worker.join().unwrap_or_else(|fault| resume_unwind(fault)))
    })
}
