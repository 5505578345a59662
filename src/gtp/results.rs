//! Record of finished games: one line of JSON for each.
//!
//! GTP has no command for the end of a game, and bridges send a whole game again after a
//! disconnection. Therefore the record compares the game before and after each command. A game
//! that goes on where an earlier one stopped is the same game.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::log::now;
use super::parse::Request;
use super::session::Session;
use super::warning_file::WarningFile;
use crate::color::Color;
use crate::engine::Engine;
use crate::notation::move_label;
use crate::text::quote;
use crate::vertex::Move;

/// Record of the games of a session.
#[derive(Debug)]
pub struct Results {
    file: WarningFile,
    /// Game on the board.
    current: Option<Played>,
    /// Unfinished game that was left. The next search shows whether the game goes on.
    left: Option<Played>,
}

/// Event that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    /// Passes, or a player who cannot move.
    Passes,
    /// A resignation.
    Resignation,
    /// A message of the server.
    Server,
    /// Nothing: the client left the game. Its result is unknown.
    Left,
}

/// Game as far as the session knows it.
#[derive(Clone, Debug)]
struct Played {
    board: String,
    start: Vec<Option<Color>>,
    moves: Vec<(Color, Move)>,
    line: ResultLine,
}

/// Line of the record.
#[derive(Clone, Debug, Serialize)]
struct ResultLine {
    /// End of the game, in UTC.
    date: String,
    board: String,
    ruleset: String,
    komi: f64,
    handicap: u32,
    /// Colors for which the engine searched, and the seconds that it took.
    seconds: BTreeMap<String, f64>,
    opponent: Option<String>,
    /// Result such as `B+3.5`, or `None` if it is unknown.
    result: Option<String>,
    end: End,
    /// Color and label of each move.
    moves: Vec<(String, String)>,
}

impl Played {
    /// Returns the game on the board, before the engine has searched.
    fn of(engine: &Engine) -> Played {
        let mut played = Played {
            board: engine.goban().spec.to_string(),
            start: engine.start_position(),
            moves: Vec::new(),
            line: ResultLine {
                date: String::new(),
                board: engine.goban().spec.to_string(),
                ruleset: String::new(),
                komi: 0.0,
                handicap: 0,
                seconds: BTreeMap::new(),
                opponent: None,
                result: None,
                end: End::Left,
                moves: Vec::new(),
            },
        };
        played.update(engine);
        played
    }

    fn update(&mut self, engine: &Engine) {
        self.moves = engine.moves();
        self.line.ruleset = engine.rules().to_string();
        // Points are decimal numbers, which JSON holds as numbers.
        self.line.komi = engine.komi().to_string().parse().unwrap_or_default();
        self.line.handicap = engine.handicap_stones();
        let names = &engine.goban().names;
        let text = |&(color, mv): &(Color, Move)| (color.to_string(), move_label(names, mv));
        self.line.moves = self.moves.iter().map(text).collect();
    }

    /// Returns true if the engine has searched in this game.
    fn is_ours(&self) -> bool {
        !self.line.seconds.is_empty()
    }

    /// Returns true if `later` is this game with more moves.
    fn goes_on_in(&self, later: &Played) -> bool {
        self.board == later.board
            && self.start == later.start
            && later.moves.starts_with(&self.moves)
    }

    /// Returns true if the engine still has this game on its board, after more moves or an undo. An
    /// empty board is a new game.
    fn is_on(&self, engine: &Engine) -> bool {
        let moves = engine.moves();
        let related = moves.starts_with(&self.moves) || self.moves.starts_with(&moves);
        let cleared = moves.is_empty() && !self.moves.is_empty();
        related
            && !cleared
            && self.board == engine.goban().spec.to_string()
            && self.start == engine.start_position()
    }

    /// Adds what is known only from the time before the game was sent again.
    fn inherit(&mut self, earlier: Played) {
        for (color, seconds) in earlier.line.seconds {
            *self.line.seconds.entry(color).or_default() += seconds;
        }
        let opponent = self.line.opponent.take();
        self.line.opponent = opponent.or(earlier.line.opponent);
    }

    fn end(&mut self, end: End, result: Option<String>) {
        self.line.end = end;
        self.line.result = result;
    }
}

impl Results {
    /// Returns a record that appends to this file.
    pub fn new(path: &Path) -> Results {
        Results {
            file: WarningFile::new("--results", path, None),
            current: None,
            left: None,
        }
    }

    /// Follows a command that has been answered successfully after `elapsed`.
    pub(super) fn follow(
        &mut self,
        session: &Session,
        request: &Request<'_>,
        answer: &str,
        elapsed: Duration,
    ) {
        let engine = &session.engine;
        if self
            .current
            .as_ref()
            .is_some_and(|game| !game.is_on(engine))
        {
            self.leave();
        }
        let searched = is_genmove(request.name);
        let mut game = self.current.take().unwrap_or_else(|| Played::of(engine));
        if game.moves.len() != engine.turns() || searched {
            game.end(End::Left, None);
        }
        game.update(engine);
        if let Some(name) = opponent(session, request) {
            game.line.opponent.get_or_insert(name);
        }
        self.merge(&mut game);
        if searched {
            let color = request.arguments.first().and_then(|word| word.parse().ok());
            let color: Color = color.unwrap_or_else(|| engine.to_move());
            let seconds = game.line.seconds.entry(color.to_string()).or_default();
            // Milliseconds are exact enough.
            *seconds = ((*seconds + elapsed.as_secs_f64()) * 1e3).round() / 1e3;
            if let Some(other) = self.left.take() {
                self.write(other);
            }
            if answer.split_whitespace().last() == Some("resign") {
                game.end(End::Resignation, lost_by(color, engine));
            }
        }
        if let Some(color) = engine.resigned() {
            game.end(End::Resignation, lost_by(color, engine));
        } else if engine.is_over() && game.line.end == End::Left && game.is_ours() {
            let outcome = engine.outcome().ok();
            game.end(End::Passes, outcome.map(|outcome| outcome.to_string()));
        }
        if is_over(request.name) {
            let told = request.arguments.first().map(|result| quote(result));
            if told.is_some() || game.line.end == End::Left {
                game.end(End::Server, told);
            }
            self.write(game);
        } else {
            self.current = Some(game);
        }
    }

    /// Writes the games that have not been written: the session ends.
    pub(super) fn close(&mut self) {
        self.leave();
        if let Some(game) = self.left.take() {
            self.write(game);
        }
    }

    /// Records that the game on the board was left.
    fn leave(&mut self) {
        let Some(game) = self.current.take().filter(Played::is_ours) else {
            return;
        };
        if let Some(earlier) = self.left.take() {
            self.write(earlier);
        }
        if game.line.end == End::Left {
            self.left = Some(game);
        } else {
            self.write(game);
        }
    }

    /// Joins the game that was left to `game`, if that is the same game.
    fn merge(&mut self, game: &mut Played) {
        if let Some(earlier) = self.left.take_if(|earlier| earlier.goes_on_in(game)) {
            game.inherit(earlier);
        }
    }

    fn write(&mut self, mut game: Played) {
        if game.is_ours() {
            game.line.date = now();
            self.file.append_json(&game.line);
        }
    }
}

/// Returns true for a command that plays a move of the engine.
pub(super) fn is_genmove(name: &str) -> bool {
    name.contains("genmove") && name != "reg_genmove"
}

/// Returns true for a command by which a server reports the end of a game.
pub(super) fn is_over(name: &str) -> bool {
    matches!(name, "kgs-game_over" | "cgos-gameover")
}

/// Returns the opponent's name, if the server or a message in the game's chat has given it.
fn opponent(session: &Session, request: &Request<'_>) -> Option<String> {
    let chats = request.name == "kgs-chat" && request.arguments.first() == Some(&"game");
    let chatting = request.arguments.get(1).filter(|_| chats);
    let chatting = chatting.map(|name| quote(name));
    session.opponent.name.clone().or(chatting)
}

/// Returns the result after `loser` has resigned, or `None` with more than two colors.
fn lost_by(loser: Color, engine: &Engine) -> Option<String> {
    let result = match loser {
        Color::BLACK => "W+R",
        _ => "B+R",
    };
    (engine.rules().colors == 2).then(|| result.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::graph::spec::Spec;
    use crate::gtp::parse::request;
    use crate::rules::{Points, presets};
    use serde_json::Value;

    /// Returns the lines of the record after these commands. In a command, `$` stands for the
    /// latest move of the engine.
    fn record(commands: &[&str]) -> Vec<Value> {
        let goban = "grid:5".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let options = Options {
            playouts: Some(10),
            resign_below: 0.0,
            ..Options::default()
        };
        let engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
        let mut session = Session::new(engine, false);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let mut results = Results::new(&path);
        let mut latest = String::new();
        for command in commands {
            let command = command.replace('$', &latest);
            let request = request(&command).unwrap();
            let answer = session.run(&request).unwrap();
            if is_genmove(request.name) {
                latest.clone_from(&answer);
            }
            results.follow(&session, &request, &answer, Duration::from_millis(1500));
        }
        results.close();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }

    #[test]
    fn a_game_that_ends_by_passes_has_its_score() {
        let lines = record(&["genmove b", "play w pass", "play b pass", "clear_board"]);
        assert_eq!(lines.len(), 1);
        let line = &lines[0];
        assert_eq!(
            (&line["end"], &line["result"]),
            (&"passes".into(), &"B+25".into())
        );
        assert_eq!(line["board"], "grid:5x5");
        assert_eq!(line["ruleset"], "tromp-taylor");
        assert_eq!(line["seconds"]["black"], 1.5);
        assert_eq!(line["moves"].as_array().unwrap().len(), 3);
        assert_eq!(line["moves"][1][1], "pass");
    }

    #[test]
    fn a_game_that_is_sent_again_is_one_game() {
        let lines = record(&[
            "play b b2",
            "genmove w",
            "clear_board",
            "play b b2",
            "play w $",
            "play b pass",
            "genmove w",
            "kgs-chat game visitor hello",
            "kgs-game_over",
            "clear_board",
        ]);
        assert_eq!(lines.len(), 1, "{lines:?}");
        let line = &lines[0];
        assert_eq!(line["moves"].as_array().unwrap().len(), 4);
        assert_eq!(line["opponent"], "visitor");
        assert_eq!(line["seconds"]["white"], 3.0);
    }

    #[test]
    fn a_game_that_ends_while_it_is_sent_again_has_its_score() {
        let game = ["genmove b", "clear_board", "play b $", "play w pass"];
        let lines = record(&[&game[..], &["play b pass", "quit"]].concat());
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(
            (&lines[0]["end"], &lines[0]["result"]),
            (&"passes".into(), &"B+25".into())
        );
    }

    #[test]
    fn the_server_tells_the_result() {
        let lines = record(&[
            "cgos-opponent_name them",
            "genmove b",
            "cgos-gameover W+Time",
        ]);
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (&lines[0]["end"], &lines[0]["result"]),
            (&"server".into(), &"W+Time".into())
        );
        assert_eq!(lines[0]["opponent"], "them");
    }

    #[test]
    fn a_resignation_of_the_opponent_ends_a_game() {
        let lines = record(&["genmove b", "play w resign", "quit"]);
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (&lines[0]["end"], &lines[0]["result"]),
            (&"resignation".into(), &"B+R".into())
        );
    }

    #[test]
    fn an_unfinished_game_is_marked_and_an_analysis_is_no_game() {
        let lines = record(&["play b b2", "genmove w", "clear_board", "genmove b"]);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line["end"] == "left"));
        assert!(record(&["play b b2", "reg_genmove w", "clear_board"]).is_empty());
    }
}
