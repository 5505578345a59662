//! Generated positions of kinds that networks misjudge: dead groups, sekis, kos, semeais, ladders.
//!
//! Games reach such positions too rarely for a network to learn them. Here, one fight decides the
//! game, and the rest of the board is settled. Reading all moves of the fight proves its kind.
//! Boards with ladders are open instead.
//!
//! Reading order: `kinds`, `draft` (the board around a fight), `shapes` (random fights), `reader`
//! (the proof), and `ladders`.

mod draft;
mod kinds;
mod ladders;
mod reader;
mod shapes;

pub use kinds::{Kind, Kinds, KindsError};

use serde::{Deserialize, Serialize};

use super::boards::Size;
use crate::board::BareBoard;
use crate::board::grid::GridBoard;
use crate::color::Color;
use crate::playout::Random;
use crate::points::Points;
use crate::symmetry::{AXES, SYMMETRIES, turned};
use reader::{Goal, Reader};
use shapes::Drawn;

/// Maximum number of positions that are drawn for a problem. Of the rarest kinds, one in a thousand
/// fits.
const TRIES: usize = 12_000;
/// Minimum number of stones of the prey, and of both groups of a semeai.
const GROUP: usize = 3;
/// Minimum number of the opponent's stones inside a group with a bent four.
const INSIDE: usize = 2;
/// Greatest distance of the komi from the fair komi in a ladder problem, in half points.
const SPREAD: usize = 12;

/// A generated position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub kind: Kind,
    /// The stones in index order.
    pub stones: Vec<Option<Color>>,
    /// The player who moves first.
    pub to_move: Color,
    /// Komi between the results of the fight, and near the fair komi in ladders. It includes all
    /// other points that White gets.
    pub komi: Points,
}

/// A generated position in the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemLine {
    /// The kind.
    pub kind: Kind,
    /// The stones in the form of the GTP command `set_position_string`.
    pub position: String,
    /// The player who moves first.
    pub first: String,
}

impl ProblemLine {
    /// Returns the line of a generated position.
    pub fn of(problem: &Problem) -> ProblemLine {
        let symbol = |stone: &Option<Color>| stone.map_or('.', Color::symbol);
        ProblemLine {
            kind: problem.kind,
            position: problem.stones.iter().map(symbol).collect(),
            first: problem.to_move.to_string(),
        }
    }
}

/// Draws a problem on a board of this size, of another kind if the drawn one does not fit. `None`
/// if no kind fits.
pub fn draw_any(kinds: &Kinds, size: Size, random: &mut Random) -> Option<Problem> {
    let mut kinds = kinds.clone();
    while let Some(kind) = kinds.draw(random) {
        if let Some(problem) = generate(kind, size, random) {
            return Some(problem);
        }
        kinds.remove(kind);
    }
    None
}

/// Draws a problem of a kind on a board of this size. `None` if the board is too small for it, or
/// if no draw fits.
pub fn generate(kind: Kind, size: Size, random: &mut Random) -> Option<Problem> {
    let symmetry = random.below(SYMMETRIES);
    let Size { width, height } = size;
    let drawn_size = match symmetry & AXES {
        0 => size,
        _ => Size {
            width: height,
            height: width,
        },
    };
    let defender = [Color::BLACK, Color::WHITE][random.below(2)];
    let found = (0..TRIES).find_map(|_| draw(kind, drawn_size, defender, random));
    let (board, to_move, komi) = found?;
    let mut stones = vec![None; width * height];
    for (point, stone) in board.position().into_iter().enumerate() {
        let place = [point % drawn_size.width, point / drawn_size.width];
        stones[turned(place, [drawn_size.width, drawn_size.height], symmetry)] = stone;
    }
    Some(Problem {
        kind,
        stones,
        to_move,
        komi,
    })
}

/// Draws a position once. Returns its board, the player to move, and the komi, if the position is
/// of the kind.
fn draw(
    kind: Kind,
    size: Size,
    defender: Color,
    random: &mut Random,
) -> Option<(GridBoard, Color, Points)> {
    if kind == Kind::Ladder {
        let (board, to_move) = ladders::draw(size, defender, random)?;
        let shift = random.below(2 * SPREAD + 1) as i64 - SPREAD as i64;
        return Some((
            board,
            to_move,
            size.fair_komi() + Points::from_halves(shift),
        ));
    }
    let drawn = match kind {
        Kind::BentFour => shapes::eye(size, defender, true, random),
        Kind::Unsettled => shapes::eye(size, defender, false, random),
        Kind::Semeai => shapes::strip(size, defender, random),
        _ if random.percent(50) => shapes::eye(size, defender, false, random),
        _ => shapes::strip(size, defender, random),
    };
    let drawn = drawn?;
    let to_move = [defender, defender.other()][random.below(2)];
    is_of_kind(kind, &drawn, to_move)?.then(|| {
        let komi = komi(&drawn, random);
        (drawn.board, to_move, komi)
    })
}

/// Returns true if reading proves that a fight is of the kind. `None` if reading takes too long.
fn is_of_kind(kind: Kind, drawn: &Drawn, to_move: Color) -> Option<bool> {
    let Drawn { board, fight, .. } = drawn;
    let defender = fight.defender;
    let hunter = defender.other();
    let reach = |goal, first, favored| Reader::new(fight, favored).reaches(board, goal, first);
    let captures = |first, favored| reach(Goal::Capture, first, favored);
    if drawn.chains[0] < GROUP {
        return Some(false);
    }
    let found = match kind {
        Kind::Dead => captures(defender, defender)?,
        Kind::Unsettled => captures(hunter, defender)? && !captures(defender, hunter)?,
        Kind::Ko => captures(to_move, hunter)? && !captures(to_move, defender)?,
        Kind::BentFour => {
            let inside = fight
                .area
                .iter()
                .filter(|&&at| board.at(at) == Some(hunter));
            inside.count() >= INSIDE
                && captures(defender, hunter)?
                && !captures(hunter, defender)?
                && loses_by_moving(drawn)?
        }
        Kind::Seki => {
            fight.inside.is_some()
                && !reach(Goal::Break, hunter, hunter)?
                && !reach(Goal::Clear, defender, defender)?
        }
        Kind::Semeai => {
            drawn.chains[1] >= GROUP
                && captures(hunter, defender)?
                && reach(Goal::Take, defender, hunter)?
        }
        Kind::Ladder => false,
    };
    Some(found)
}

/// Returns true if each placement of the prey in the fight loses it, even if it wins every ko.
/// `None` if reading takes too long.
fn loses_by_moving(drawn: &Drawn) -> Option<bool> {
    let Drawn { board, fight, .. } = drawn;
    let defender = fight.defender;
    for &at in fight.area.iter().filter(|&&at| board.at(at).is_none()) {
        let after = board.clone().with_trial_move(defender, at, |next| {
            Reader::new(fight, defender).reaches(next, Goal::Capture, defender.other())
        });
        // Suicide is no placement.
        if let Some(captured) = after
            && !captured?
        {
            return Some(false);
        }
    }
    Some(true)
}

/// Draws a komi between the results of the fight.
fn komi(drawn: &Drawn, random: &mut Random) -> Points {
    let count = |color| drawn.owners.iter().filter(|&&owner| owner == color).count();
    let [black, white] = [Color::BLACK, Color::WHITE].map(|color| count(Some(color)) as i64);
    let contested = count(None);
    let shift = random.below(4 * contested + 1) as i64 - 2 * contested as i64;
    Points::whole(black - white) + Points::from_halves(shift)
}

#[cfg(test)]
mod tests;
