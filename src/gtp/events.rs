//! Commands that matter to the parts of a session that follow its games: the record of results, and
//! greetings.

use super::arguments::playing_color;
use super::parse::Request;
use crate::color::Color;
use crate::engine::Engine;
use crate::vertex::Move;

/// Returns true for a command that plays a move of the engine.
pub(super) fn is_genmove(name: &str) -> bool {
    name.contains("genmove") && name != "reg_genmove"
}

/// Returns true for a command by which a server reports the end of a game.
pub(super) fn is_over(name: &str) -> bool {
    matches!(name, "kgs-game_over" | "cgos-gameover")
}

/// Returns the color for which a search command searches: its first argument if that is one of
/// `colors` colors, and `to_move` otherwise.
pub(super) fn mover(request: &Request<'_>, colors: usize, to_move: Color) -> Color {
    let named = request.arguments.first();
    let named = named.and_then(|word| playing_color(word, colors));
    named.unwrap_or(to_move)
}

/// Board, start, and moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moves {
    pub(super) board: String,
    start: Vec<Option<Color>>,
    pub(super) moves: Vec<(Color, Move)>,
}

impl Moves {
    /// Returns those of the game on the board.
    pub(super) fn of(engine: &Engine) -> Moves {
        Moves {
            board: engine.goban().spec.to_string(),
            start: engine.start_position(),
            moves: engine.moves(),
        }
    }

    /// Returns true if `later` is this game with more moves.
    pub(super) fn go_on_in(&self, later: &Moves) -> bool {
        self.board == later.board
            && self.start == later.start
            && later.moves.starts_with(&self.moves)
    }

    /// Returns true if a command has turned this game into `later`, by more moves or an undo. A
    /// board without moves is a new game, except after an undo.
    pub(super) fn became(&self, later: &Moves, command: &str) -> bool {
        let undone = matches!(command, "undo" | "gg-undo");
        let shorter = later.moves.is_empty() && !self.moves.is_empty();
        let cleared = command == "clear_board" || shorter && !undone;
        !cleared && (self.go_on_in(later) || later.go_on_in(self))
    }
}
