//! Greeting and farewell of a bot, in the ways that bridges take them from an engine.
//!
//! gtp2ogs posts lines of standard error that begin with `DISCUSSION:`. kgsGtp sends the answer to
//! `kgs-chat`. CGOS keeps the comments of `cgos-genmove_analyze` in its game records.

use super::events::{Moves, is_genmove, is_over, mover};
use super::parse::Request;
use crate::color::Color;
use crate::engine::{Choice, Engine};
use crate::system::tell;
use crate::vertex::Move;

/// Words of a bot at the beginning and at the end of each game. Without words it is silent.
#[derive(Clone, Debug, Default)]
pub struct Greetings {
    greeting: Option<String>,
    farewell: Option<String>,
    /// True if the present command makes the engine's first move of this game.
    due: bool,
    /// Game on the board after the latest command.
    game: Option<Moves>,
    /// True if the greeting of this game was said.
    greeted: bool,
    /// True if the engine has moved in this game.
    played: bool,
    /// True if this game has ended.
    parted: bool,
}

impl Greetings {
    /// Maximum number of characters of a text. All three servers accept messages of this length.
    pub const LONGEST: usize = 200;

    /// Returns the words of a bot.
    pub fn new(greeting: Option<String>, farewell: Option<String>) -> Greetings {
        Greetings {
            greeting,
            farewell,
            ..Greetings::default()
        }
    }

    /// Greets if the command makes the engine's first move of the game.
    pub(super) fn before(&mut self, engine: &Engine, request: &Request<'_>) {
        self.due = false;
        if self.greeted || self.played || !is_genmove(request.name) {
            return;
        }
        let color = mover(request, engine.rules().colors, engine.to_move());
        self.due = is_first(color, &engine.moves());
        if self.due {
            self.greeted = true;
            discuss(self.greeting.as_deref());
        }
    }

    /// Says farewell if a command has ended the game. `answer` is the answer to the command, which
    /// has not been written yet.
    pub(super) fn after(&mut self, engine: &Engine, request: &Request<'_>, answer: &str) {
        if self.farewell.is_none() && self.greeting.is_none() {
            return;
        }
        self.follow(engine, request);
        let searches = is_genmove(request.name);
        self.played |= searches;
        let resigns = searches && answer.split_whitespace().last() == Some("resign");
        let ended = resigns || engine.resigned().is_some() || engine.is_over();
        // A game that is only watched gets no words.
        if !self.parted && self.played && (ended || is_over(request.name)) {
            self.parted = true;
            discuss(self.farewell.as_deref());
        }
    }

    /// Notes whether a command has brought another game to the board.
    fn follow(&mut self, engine: &Engine, request: &Request<'_>) {
        let now = Moves::of(engine);
        let goes_on = |game: &Moves| game.became(&now, request.name);
        if self.game.as_ref().is_some_and(|game| !goes_on(game)) {
            (self.greeted, self.played, self.parted) = (false, false, false);
        }
        self.game = Some(now);
    }

    /// Returns the words for a chat message: the greeting, or the farewell after the end.
    pub(super) fn reply(&self) -> Option<&str> {
        let words = if self.parted {
            &self.farewell
        } else {
            &self.greeting
        };
        words.as_deref()
    }

    /// Returns the comment for a move that the engine has just made.
    pub(super) fn comment(&self, engine: &Engine, choice: Choice) -> Option<String> {
        if choice == Choice::Resign || engine.is_over() {
            return self.farewell.clone();
        }
        self.greeting.clone().filter(|_| self.due)
    }
}

/// Writes a line that gtp2ogs posts in the chat of the game.
fn discuss(words: Option<&str>) {
    if let Some(words) = words {
        tell!("DISCUSSION:{words}");
    }
}

/// Returns true if `color` has not moved yet. Its handicap stones count as no moves: two or more
/// moves before the first move of another color.
fn is_first(color: Color, moves: &[(Color, Move)]) -> bool {
    let start = moves
        .iter()
        .take_while(|(mover, _)| *mover == color)
        .count();
    let rest = moves.iter().skip(start);
    let later = rest.filter(|(mover, _)| *mover == color).count();
    later == 0 && (start == 0 || start >= 2 && moves.len() > start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::graph::spec::Spec;
    use crate::gtp::parse::request;
    use crate::gtp::session::Session;
    use crate::rules::{Points, presets};

    fn moves(colors: &str) -> Vec<(Color, Move)> {
        let color = |c| if c == 'b' { Color::BLACK } else { Color::WHITE };
        colors.chars().map(|c| (color(c), Move::Pass)).collect()
    }

    #[test]
    fn the_first_move_is_the_first_after_a_handicap() {
        for (black, colors) in [
            (true, ""),
            (true, "bbw"),
            (false, "b"),
            (false, "bb"),
            (false, ""),
        ] {
            let color = if black { Color::BLACK } else { Color::WHITE };
            assert!(is_first(color, &moves(colors)), "{colors}");
        }
        for (black, colors) in [(true, "bw"), (false, "bwb"), (true, "bbwbw"), (true, "bb")] {
            let color = if black { Color::BLACK } else { Color::WHITE };
            assert!(!is_first(color, &moves(colors)), "{colors}");
        }
    }

    /// Returns the numbers of the commands before which the bot greets.
    fn greeted(commands: &[&str]) -> Vec<usize> {
        let goban = "grid:5".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let options = Options {
            playouts: Some(2),
            ..Options::default()
        };
        let engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
        let mut session = Session::new(engine, false);
        let mut greetings = Greetings::new(Some("hello".to_string()), None);
        let mut greeted = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            let request = request(command).unwrap();
            greetings.before(&session.engine, &request);
            greeted.extend(greetings.due.then_some(number));
            let answer = session.run(&request).unwrap();
            greetings.after(&session.engine, &request, &answer);
        }
        greeted
    }

    #[test]
    fn each_game_gets_one_greeting() {
        assert_eq!(greeted(&["genmove b", "undo", "genmove b"]), [0]);
        assert_eq!(greeted(&["genmove b", "clear_board", "genmove b"]), [0, 2]);
        let undone = ["genmove b", "undo", "clear_board", "genmove b"];
        assert_eq!(greeted(&undone), [0, 3]);
        assert_eq!(greeted(&["play b a1", "kata-genmove_analyze"]), [1]);
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.sgf");
        std::fs::write(&game, "(;SZ[5];B[aa])").unwrap();
        let load = format!("loadsgf {}", game.display());
        assert_eq!(greeted(&["genmove b", &load, "genmove w"]), [0, 2]);
    }
}
