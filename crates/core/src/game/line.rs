//! A continuation of a game that a search plays and discards.

use super::Game;
use super::handicap::is_second_turn;
use super::tally::Tally;
use crate::board::BareBoard;
use crate::rules::{DeadStones, Ko, Passing, Points, Stuck, Suicide};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};

/// A copy of a game's current state that records the moves made from there.
///
/// A line detects repetitions by hash alone. A collision of 64-bit hashes could hide a move from a
/// search, but never from a player.
#[derive(Clone, Debug)]
pub struct Line<'g, B: BareBoard> {
    game: &'g Game<B>,
    board: B,
    /// Player to move at the start of the line.
    first_to_move: Color,
    to_move: Color,
    /// Hash and player to move after each move of the line.
    path: Vec<(u64, Color)>,
    /// Tally of the game and the line together.
    tally: Tally,
    /// Number of placements since the game's current position, by color.
    placed: [u32; Color::MAX],
    /// Index in `path` of the pass that took the button in this line, or `None`. Superko compares
    /// no earlier position.
    button_taken: Option<usize>,
    /// Index in the game's history of the first situation that superko compares.
    first_compared: usize,
    /// White's handicap bonus at the start of the line.
    first_bonus: HandicapBonus,
    /// White's handicap bonus at the end of the line.
    bonus: HandicapBonus,
}

/// White's bonus for Black's handicap, which Black's moves before White's first can raise.
#[derive(Clone, Copy, Debug)]
struct HandicapBonus {
    points: Points,
    /// Number of Black's placements so far. `None` if the bonus is settled.
    open: Option<u32>,
}

impl<'g, B: BareBoard> Line<'g, B> {
    /// Returns a line without moves, with `to_move` to play.
    pub fn new(game: &'g Game<B>, to_move: Color) -> Line<'g, B> {
        let bonus = HandicapBonus {
            points: game.handicap_bonus(),
            open: game.open_handicap(to_move),
        };
        Line {
            game,
            board: game.board.clone(),
            first_to_move: to_move,
            to_move,
            path: Vec::new(),
            tally: open(game),
            placed: [0; Color::MAX],
            button_taken: None,
            first_compared: game.first_compared(),
            first_bonus: bonus,
            bonus,
        }
    }

    /// Returns to the game's current position, with `to_move` to play.
    pub fn reset(&mut self, to_move: Color) {
        if to_move != self.first_to_move {
            *self = Line::new(self.game, to_move);
            return;
        }
        self.board.clone_from(&self.game.board);
        self.to_move = to_move;
        self.path.clear();
        self.tally = open(self.game);
        self.placed = [0; Color::MAX];
        self.button_taken = None;
        self.bonus = self.first_bonus;
    }

    /// Returns the game that the line continues.
    pub fn game(&self) -> &'g Game<B> {
        self.game
    }

    /// Returns the position at the end of the line.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Returns the position for a playout. Call `reset` afterward.
    pub fn board_mut(&mut self) -> &mut B {
        &mut self.board
    }

    /// Returns the player to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the number of moves of the line.
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// Returns true if the line has no moves.
    pub fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns the number of placements of `color` in the line.
    pub fn placed(&self, color: Color) -> u32 {
        self.placed[color.index()]
    }

    /// Returns the points that White gets for Black's handicap at the end of the line.
    pub fn handicap_bonus(&self) -> Points {
        self.bonus.points
    }

    /// Returns true if passes have ended the game.
    pub fn ended_by_passes(&self) -> bool {
        self.tally.ended_by_passes(&self.game.rules)
    }

    /// Returns true if a pass by the player to move would end the game.
    pub fn pass_would_end(&self) -> bool {
        self.tally.pass_would_end(&self.game.rules, self.to_move)
    }

    /// Returns the color that has taken the button and the button's value, or `None`.
    pub fn button(&self) -> Option<(Color, Points)> {
        self.tally.button(&self.game.rules)
    }

    /// Returns the counter of `color`. If passes are paid, this is the number of passes that it may
    /// still spend. Otherwise it is the number of stones credited to it.
    pub fn counter(&self, color: Color) -> Points {
        let (rules, komi) = (&self.game.rules, self.game.komi);
        self.tally.counter(rules, komi, color)
    }

    /// Returns the passes that each color may still spend. Returns `None` if passes are not paid,
    /// or if they do not help a player who cannot place a stone.
    pub fn passes_of_the_stuck(&self) -> Option<[i64; Color::MAX]> {
        let rules = &self.game.rules;
        match (rules.passing, rules.stuck) {
            (Passing::Prisoners, Stuck::MoveOrPass) => {
                let mut passes = [0; Color::MAX];
                for color in Color::all(rules.colors) {
                    // A counter of half a point still pays for a pass.
                    passes[color.index()] = (self.counter(color).halves() + 1).div_euclid(2);
                }
                Some(passes)
            }
            (Passing::Prisoners, Stuck::MoveOnly) | (Passing::Free | Passing::Never, _) => None,
        }
    }

    /// Returns the stones captured by each color, including those of the game before the line.
    pub fn prisoners(&self) -> &[i64; Color::MAX] {
        &self.tally.won
    }

    /// Returns true if the player to move may pass.
    pub fn can_pass(&self) -> bool {
        let (rules, komi) = (&self.game.rules, self.game.komi);
        self.tally.can_pass(rules, komi, self.to_move)
    }

    /// Returns the vacant vertices on which a search lets the player to move place a stone, in the
    /// order of the board.
    pub fn placements(&self) -> impl Iterator<Item = Vertex> + '_ {
        let vacant = self.board.vacant().iter().copied();
        vacant.filter(|&at| self.is_legal(at))
    }

    /// Returns true if a search lets the player to move place a stone on the vacant vertex `at`.
    pub fn is_legal(&self, at: Vertex) -> bool {
        let rules = &self.game.rules;
        let preview = self.board.preview(self.to_move, at);
        // A suicide of one stone leaves the board unchanged.
        if preview.hash == self.board.hash()
            || (preview.suicide && rules.suicide == Suicide::Forbidden)
        {
            return false;
        }
        let next = self.to_move.next(rules.colors);
        match rules.ko {
            // Simple ko allows longer cycles, so a game might never end. A search avoids them,
            // although the rules allow them.
            Ko::Simple | Ko::Positional => !self.seen(preview.hash, None),
            Ko::Situational => !self.seen(preview.hash, Some(next)),
        }
    }

    /// Returns true if superko compares a situation with this hash. With `to_move`, that player
    /// must also be the one to move there.
    fn seen(&self, hash: u64, to_move: Option<Color>) -> bool {
        let matches = |&(h, color): &(u64, Color)| h == hash && to_move.is_none_or(|c| c == color);
        let path = self.path.get(self.button_taken.unwrap_or(0)..);
        if path.is_some_and(|path| path.iter().any(matches)) {
            return true;
        }
        let latest = self.game.history.seen(hash, to_move).next();
        self.button_taken.is_none() && latest.is_some_and(|index| index >= self.first_compared)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let color = self.to_move;
        let rules = &self.game.rules;
        let latest = || self.game.moves().next_back();
        let is_second = || latest().is_some_and(|latest| is_second_turn(latest, (color, mv)));
        if self.bonus.open.is_some() && self.path.is_empty() && color != Color::BLACK && is_second()
        {
            // Moves that White answers by two turns set up a position.
            self.bonus = HandicapBonus {
                points: self.game.bonus_for_moves(0),
                open: None,
            };
        }
        match mv {
            Move::Place(at) => {
                self.board
                    .place(color, at, |_, stone| self.tally.remove(rules, color, stone));
                self.placed[color.index()] += 1;
                self.tally.place();
                self.bonus = match (self.bonus.open, color) {
                    (None, _) => self.bonus,
                    (Some(placed), Color::BLACK) => HandicapBonus {
                        points: self.game.bonus_for_moves(placed + 1),
                        open: Some(placed + 1),
                    },
                    // White's first placement settles the bonus.
                    (Some(_), _) => HandicapBonus {
                        open: None,
                        ..self.bonus
                    },
                };
            }
            Move::Pass => {
                let was_free = self.tally.button.is_none();
                self.tally.pass(rules, color);
                if was_free && self.tally.button.is_some() {
                    self.button_taken = Some(self.path.len());
                }
            }
        }
        self.to_move = color.next(rules.colors);
        self.path.push((self.board.hash(), self.to_move));
    }
}

/// Returns the tally at the start of lines: that of the game, but with no open passes if players
/// agree on dead stones.
///
/// In that case, a search must not rely on a pass to end the game. An opponent who passed too
/// early, by mistake or as a handicap, can still continue to play.
fn open<B: BareBoard>(game: &Game<B>) -> Tally {
    let ended = game.ended_by_passes();
    match game.rules.dead {
        DeadStones::Agreed if !ended => Tally {
            passed: 0,
            ..game.tally
        },
        DeadStones::Agreed | DeadStones::None => game.tally,
    }
}
