//! Exhaustive search of tiny games, for the naive game and the crate's game.

use std::collections::HashMap;

use omnigo::board::Board;
use omnigo::color::Color;
use omnigo::game::{Game, Outcome};
use omnigo::vertex::Move;

use super::Coloring;
use super::game::NaiveGame;

/// The part of a game that a search needs.
pub trait Play: Clone {
    fn cells(&self) -> Coloring;
    fn to_move(&self) -> Color;
    /// Returns the legal moves of the player to move, none after the end.
    fn moves(&self) -> Vec<Move>;
    fn play(&mut self, mv: Move);
    /// Returns the result of a finished game: Black's score lead in half points, or 1 or -1 for the
    /// last mover.
    fn margin(&self) -> i64;
    /// Returns the counters in halves.
    fn counters(&self) -> [i64; 2];
}

impl Play for NaiveGame {
    fn cells(&self) -> Coloring {
        self.board.cells.clone()
    }

    fn to_move(&self) -> Color {
        NaiveGame::to_move(self)
    }

    fn moves(&self) -> Vec<Move> {
        self.legal_moves(NaiveGame::to_move(self))
    }

    fn play(&mut self, mv: Move) {
        NaiveGame::play(self, NaiveGame::to_move(self), mv);
    }

    fn margin(&self) -> i64 {
        if self.ended_by_passes() {
            return NaiveGame::margin(self);
        }
        [-1, 1][NaiveGame::to_move(self).index()]
    }

    fn counters(&self) -> [i64; 2] {
        [Color::BLACK, Color::WHITE].map(|c| self.counter(c))
    }
}

impl<B: Board> Play for Game<B> {
    fn cells(&self) -> Coloring {
        self.board().position()
    }

    fn to_move(&self) -> Color {
        Game::to_move(self)
    }

    fn moves(&self) -> Vec<Move> {
        self.legal_moves(Game::to_move(self))
    }

    fn play(&mut self, mv: Move) {
        let color = Game::to_move(self);
        Game::play(self, color, mv).unwrap();
    }

    fn margin(&self) -> i64 {
        assert!(self.is_over());
        match self.outcome(&[]).unwrap() {
            Outcome::Tie => 0,
            Outcome::LastMover(color) => [1, -1][color.index()],
            Outcome::By(color, points) => [1, -1][color.index()] * points.halves(),
        }
    }

    fn counters(&self) -> [i64; 2] {
        [Color::BLACK, Color::WHITE].map(|c| self.counter(c).halves())
    }
}

/// Set of the seen positions of at most five vertices, one bit each.
type Seen = [u64; 4];

/// Everything that the rest of a game can depend on under positional superko.
type Key = (usize, Color, bool, [i64; 2], Seen);

/// Results of searches of games on the same board and under the same rules, for one target.
pub type Known = HashMap<Key, bool>;

fn number(cells: &Coloring) -> usize {
    assert!(cells.len() <= 5, "{} vertices", cells.len());
    let digit = |c: &Option<Color>| c.map_or(0, |c| c.index() + 1);
    cells.iter().fold(0, |n, c| 3 * n + digit(c))
}

fn with(mut seen: Seen, number: usize) -> Seen {
    seen[number / 64] |= 1 << (number % 64);
    seen
}

/// Returns true if Black reaches at least this score lead, in half points, against every defense.
pub fn reaches<G: Play>(game: &G, target: i64) -> bool {
    reaches_with(game, target, &mut Known::new())
}

/// Like [`reaches`], but reuses results of earlier searches. The games may differ only in their
/// counters.
pub fn reaches_with<G: Play>(game: &G, target: i64, known: &mut Known) -> bool {
    let seen = with(Seen::default(), number(&game.cells()));
    search(game, target, seen, false, known)
}

fn search<G: Play>(
    game: &G,
    target: i64,
    seen: Seen,
    passed: bool,
    known: &mut HashMap<Key, bool>,
) -> bool {
    let mut moves = game.moves();
    if moves.is_empty() {
        return game.margin() >= target;
    }
    let mover = game.to_move();
    let key = (number(&game.cells()), mover, passed, game.counters(), seen);
    if let Some(&answer) = known.get(&key) {
        return answer;
    }
    // Passes come last in the list. Tried first, they decide most positions at once.
    moves.reverse();
    let black = mover == Color::BLACK;
    let found = moves.into_iter().any(|mv| {
        let mut next = game.clone();
        next.play(mv);
        let seen = with(seen, number(&next.cells()));
        search(&next, target, seen, mv == Move::Pass, known) == black
    });
    known.insert(key, found == black);
    found == black
}
