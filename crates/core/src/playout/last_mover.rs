//! Playouts of games that end when a player is stuck.

use super::{ASK_EVERY, Begin, Random, Trace, move_cap};
use crate::board::Board;
use crate::rules::Suicide;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Maximum number of placements of a board on which playouts fill eyes. On larger boards, playouts
/// end when only eyes are left, because filling them takes too long.
const ENDGAME: usize = 400;
/// Number of slots in the table of seen positions. A new position overwrites an older one in its
/// slot.
const TABLE: usize = 1024;
/// Content of an empty slot. The hash of the empty board is 0, so 0 would count it as seen.
const EMPTY: u64 = u64::MAX;

/// Hashes of positions seen in a playout, in a table of fixed size. Newer entries overwrite older
/// ones.
#[derive(Clone, Debug)]
pub struct Seen(Box<[u64]>);

impl Default for Seen {
    fn default() -> Seen {
        Seen(vec![EMPTY; TABLE].into_boxed_slice())
    }
}

impl Seen {
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.fill(EMPTY);
    }

    /// Stores a position.
    pub fn insert(&mut self, hash: u64) {
        self.0[hash as usize % TABLE] = hash;
    }

    fn contains(&self, hash: u64) -> bool {
        self.0[hash as usize % TABLE] == hash
    }
}

/// Parts of the rules that a playout follows.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Number of passes that each color may still spend; captures add to it. `None` if a player who
    /// cannot place a stone may not pass.
    pub passes: Option<[i64; Color::MAX]>,
    /// Legality of suicide.
    pub suicide: Suicide,
}

/// Plays on from `board` until the player to move is stuck, and returns that player, who loses.
///
/// Returns `None` if the playout stops earlier: at the move limit, because `cut` returns true, or
/// on a large board with only eyes left. `terms` then has the passes that are left.
pub fn play<B: Board>(
    board: &mut B,
    begin: Begin,
    terms: &mut Terms,
    seen: &mut Seen,
    random: &mut Random,
    trace: &mut Trace,
    cut: impl Fn() -> bool,
) -> Option<Color> {
    let Begin {
        mut to_move,
        colors,
        ..
    } = begin;
    let endgame = board.placements() <= ENDGAME;
    seen.insert(board.hash());
    for number in 1..=move_cap(board) {
        if number % ASK_EVERY == 0 && cut() {
            return None;
        }
        match choose(board, to_move, endgame, terms.suicide, seen, random) {
            Some(at) => {
                board.place(to_move, at, |_, stone| {
                    let gainer = if stone == to_move {
                        to_move.other()
                    } else {
                        to_move
                    };
                    if let Some(passes) = &mut terms.passes {
                        passes[gainer.index() % Color::MAX] += 1;
                    }
                });
                seen.insert(board.hash());
                trace.push((to_move, at));
            }
            None => match &mut terms.passes {
                Some(passes) if passes[to_move.index()] > 0 => passes[to_move.index()] -= 1,
                Some(_) | None => return endgame.then_some(to_move),
            },
        }
        to_move = to_move.next(colors);
    }
    None
}

/// Returns a legal move that fills no eye and does not repeat a position of `seen`.
///
/// If there is none and `endgame` is true, returns a legal move that does not repeat a position,
/// even in an eye. It prefers points whose adjacent own chains have many liberties: the weakest
/// chain decides, and at most 4 liberties count. Otherwise returns `None`.
fn choose<B: Board>(
    board: &B,
    color: Color,
    endgame: bool,
    suicide: Suicide,
    seen: &Seen,
    random: &mut Random,
) -> Option<Vertex> {
    let fresh = |at: Vertex| {
        let preview = board.preview(color, at);
        let is_allowed = !preview.suicide || suicide == Suicide::Allowed;
        is_allowed && preview.hash != board.hash() && !seen.contains(preview.hash)
    };
    let vacant = board.vacant();
    let start = random.below(vacant.len());
    let (before, after) = vacant.split_at(start);
    let order = || after.iter().chain(before).copied();
    if let Some(at) = order().find(|&at| board.playable(color, at) && fresh(at)) {
        return Some(at);
    }
    if !endgame {
        return None;
    }
    let mut best: Option<(usize, Vertex)> = None;
    for at in order().filter(|&at| fresh(at)) {
        let mut found = [Vertex::NONE; 8];
        let air = board
            .around(at)
            .filter(|&near| board.at(near) == Some(color))
            .map(|near| board.liberties(near, 4, &mut found))
            .min()
            .unwrap_or(0);
        if best.is_none_or(|(most, _)| air > most) {
            best = Some((air, at));
        }
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BareBoard;
    use crate::board::grid::{Grid, GridBoard};

    /// On a path of three points, Black can only fill its own eye. That empties the board.
    #[test]
    fn playouts_choose_suicide_only_where_the_rules_allow_it() {
        let position: Vec<Option<Color>> = "X.X".chars().map(Color::from_symbol).collect();
        let mut board = GridBoard::new(Grid::new(3, 1).unwrap(), 2).unwrap();
        board.set_position(&position);
        for (suicide, moves) in [(Suicide::Allowed, true), (Suicide::Forbidden, false)] {
            let seen = Seen::default();
            let mut random = Random::new(1);
            let at = choose(&board, Color::BLACK, true, suicide, &seen, &mut random);
            assert_eq!(at.is_some(), moves, "{suicide:?}");
        }
    }
}
