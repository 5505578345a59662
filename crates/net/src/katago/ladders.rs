//! Ladders as KataGo's networks see them.
//!
//! The attacker only plays ataris. The defender extends or captures a chain in atari next to the
//! chased one. A ladder that leaves a ko open counts as failed, and so does one that needs more
//! than [`NODES`] trial moves.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Maximum number of trial moves per question.
const NODES: usize = 25_000;
/// Maximum number of liberties that are counted.
const MOST: usize = 3;

/// A chain that is captured in a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Captured {
    /// The point that represents the chain.
    pub(super) chain: Vertex,
    /// The attacker's moves that start the ladder; none if the chain is in atari.
    pub(super) starts: Vec<Vertex>,
}

/// Reader of ladders with its working board.
#[derive(Clone, Debug)]
pub(super) struct Ladders<B: Board> {
    board: Option<B>,
    search: Search,
}

#[derive(Clone, Debug, Default)]
struct Search {
    nodes: usize,
    depth: usize,
    gave_up: bool,
}

impl<B: Board> Default for Ladders<B> {
    fn default() -> Self {
        Ladders {
            board: None,
            search: Search::default(),
        }
    }
}

impl<B: Board> Ladders<B> {
    /// Returns the chains that are captured in a ladder. The defender moves first if they are in
    /// atari, and the attacker if they have two liberties. `ko` is the point where neither side may
    /// recapture at once.
    pub(super) fn all(&mut self, board: &B, ko: Option<Vertex>) -> Vec<Captured> {
        let copy = match &mut self.board {
            Some(copy) => {
                copy.clone_from(board);
                copy
            }
            None => self.board.insert(board.clone()),
        };
        let mut found = Vec::new();
        for i in 0..board.points() {
            let prey = Vertex::at(i);
            let Some(color) = board.at(prey) else {
                continue;
            };
            if board.chain(prey) != prey {
                continue;
            }
            let mut free = [Vertex::NONE; 8];
            let mut starts = Vec::new();
            match board.liberties(prey, MOST, &mut free) {
                1 => {
                    if !self.search.is_captured(copy, prey, color) {
                        continue;
                    }
                }
                2 => {
                    let search = &mut self.search;
                    for &at in free[..2].iter().filter(|&&at| Some(at) != ko) {
                        let then = |next: &mut B| search.is_captured(next, prey, color);
                        if copy.with_trial_move(color.other(), at, then) == Some(true) {
                            starts.push(at);
                        }
                    }
                    if starts.is_empty() {
                        continue;
                    }
                }
                _ => continue,
            }
            found.push(Captured {
                chain: prey,
                starts,
            });
        }
        found
    }
}

impl Search {
    /// Returns true if the chain of `color` on `prey` is captured even though its owner moves first
    /// and may take any ko.
    fn is_captured<B: Board>(&mut self, board: &mut B, prey: Vertex, color: Color) -> bool {
        self.nodes = NODES;
        self.depth = board.points() * 3 / 2;
        self.gave_up = false;
        let captured = self.defend(board, prey, color, None);
        captured && !self.gave_up
    }

    /// Plays a trial move and returns the result of `then`, or `None` if the move is suicide or the
    /// search has given up.
    fn after<B: Board>(
        &mut self,
        board: &mut B,
        color: Color,
        at: Vertex,
        then: impl FnOnce(&mut Search, &mut B) -> bool,
    ) -> Option<bool> {
        if self.nodes == 0 {
            self.gave_up = true;
            return None;
        }
        if self.depth == 0 {
            return Some(true);
        }
        let found = board.with_trial_move(color, at, |next| {
            self.nodes -= 1;
            self.depth -= 1;
            let found = then(self, next);
            self.depth += 1;
            found
        });
        found.filter(|_| !self.gave_up)
    }

    /// Returns true if the chain is captured with the defender to move.
    fn defend<B: Board>(
        &mut self,
        board: &mut B,
        prey: Vertex,
        color: Color,
        ko: Option<Vertex>,
    ) -> bool {
        let Some(liberty) = board.sole_liberty(prey) else {
            return false;
        };
        if ko.is_some() {
            return false;
        }
        let mut moves = captures(board, prey, color);
        if !moves.contains(&liberty) {
            moves.push(liberty);
            let (least, most) = liberties_after(board, liberty, color);
            if least >= MOST {
                return false;
            }
            if moves.len() == 1 && most <= 1 {
                return true;
            }
        }
        for at in moves {
            let held = self.after(board, color, at, |search, next| {
                let ko = next.ko_point();
                search.attack(next, prey, color, ko)
            });
            if self.gave_up || held == Some(false) {
                return false;
            }
        }
        true
    }

    /// Returns true if the chain is captured with the attacker to move.
    fn attack<B: Board>(
        &mut self,
        board: &mut B,
        prey: Vertex,
        color: Color,
        ko: Option<Vertex>,
    ) -> bool {
        let mut free = [Vertex::NONE; 8];
        match board.liberties(prey, MOST, &mut free) {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        let [mut first, mut second] = [free[0], free[1]];
        let empty = |at| around_empty(board, at);
        let (mut firsts, mut seconds) = (empty(first), empty(second));
        if firsts == 0 && seconds == 0 && is_double_ko(board, prey, color, [first, second]) {
            return true;
        }
        let adjacent = board.around(first).any(|near| near == second);
        let mut moves = 2;
        if !adjacent {
            match (firsts >= MOST, seconds >= MOST) {
                (true, true) => return false,
                (true, false) => moves = 1,
                (false, true) => {
                    (first, moves) = (second, 1);
                }
                (false, false) => {}
            }
        }
        if moves == 2 {
            firsts = 2 * firsts + connections(board, first, color);
            seconds = 2 * seconds + connections(board, second, color);
            if seconds > firsts {
                (first, second) = (second, first);
            }
        }
        for at in [first, second].into_iter().take(moves) {
            if Some(at) == ko {
                continue;
            }
            let held = self.after(board, color.other(), at, |search, next| {
                let ko = next.ko_point();
                search.defend(next, prey, color, ko)
            });
            if self.gave_up {
                return false;
            }
            if held == Some(true) {
                return true;
            }
        }
        false
    }
}

/// Returns the number of empty points around a point.
fn around_empty<B: Board>(board: &B, at: Vertex) -> usize {
    board.around(at).filter(|&u| board.at(u).is_none()).count()
}

/// Returns the number of liberties of a chain, up to 8.
fn liberties<B: Board>(board: &B, stone: Vertex) -> usize {
    board.liberties(stone, 8, &mut [Vertex::NONE; 8])
}

/// Returns the moves of `color` that capture a chain next to the one on `prey`.
fn captures<B: Board>(board: &B, prey: Vertex, color: Color) -> Vec<Vertex> {
    let mut moves = Vec::new();
    board.for_chain(prey, |stone| {
        for near in board.around(stone) {
            if board.at(near).is_some_and(|other| other != color)
                && let Some(take) = board.sole_liberty(near)
                && !moves.contains(&take)
            {
                moves.push(take);
            }
        }
    });
    moves
}

/// Returns bounds of the number of liberties of a stone of `color` on the empty point `at`.
fn liberties_after<B: Board>(board: &B, at: Vertex, color: Color) -> (usize, usize) {
    let (mut empty, mut captured, mut freed, mut joined, mut longest) = (0, 0, 0, 0, 0);
    for near in board.around(at) {
        match board.at(near) {
            None => empty += 1,
            Some(stone) if stone == color => {
                let more = liberties(board, near).saturating_sub(1);
                joined += more;
                longest = longest.max(more);
            }
            Some(_) => {
                if board.sole_liberty(near).is_some() {
                    captured += 1;
                    freed += board.chain_size(near);
                }
            }
        }
    }
    (captured + empty.max(longest), empty + freed + joined)
}

/// Returns the number of liberties that `color` may gain by connecting at `at`, doubled, less 3 for
/// each connection.
fn connections<B: Board>(board: &B, at: Vertex, color: Color) -> usize {
    let own = board.around(at).filter(|&u| board.at(u) == Some(color));
    own.map(|u| (2 * liberties(board, u)).saturating_sub(3))
        .sum()
}

/// Returns true if both liberties of the chain of `color` are mouths of kos that its owner cannot
/// win. Neither connecting nor capturing helps.
fn is_double_ko<B: Board>(board: &mut B, prey: Vertex, color: Color, mouths: [Vertex; 2]) -> bool {
    mouths
        .iter()
        .all(|&at| would_take_ko(board, at, color.other()))
        && mouths.iter().all(|&at| {
            let after = |next: &mut B| next.liberties(at, MOST, &mut [Vertex::NONE; 8]);
            board.with_trial_move(color, at, after).unwrap_or(0) <= 2
        })
        && captures(board, prey, color).is_empty()
}

/// Returns true if a stone of `color` on the empty point `at` would capture a single stone. It must
/// stand alone between stones of the other color.
fn would_take_ko<B: Board>(board: &B, at: Vertex, color: Color) -> bool {
    let mut taken = None;
    for near in board.around(at) {
        if board.at(near) != Some(color.other()) {
            return false;
        }
        if board.sole_liberty(near).is_some() && taken.replace(near).is_some() {
            return false;
        }
    }
    taken.is_some_and(|stone| board.chain_size(stone) == 1)
}
