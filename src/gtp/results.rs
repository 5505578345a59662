//! Record of finished games: one line of JSON for each.
//!
//! GTP has no command for the end of a game, and bridges send a whole game again after a
//! disconnection. Therefore the record compares the game before and after each command. A game
//! that goes on where an earlier one stopped is the same game.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::events::{Moves, is_genmove, is_over, mover};
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
    game: Moves,
    /// Color for which the engine has resigned in its latest answer.
    gave_up: Option<Color>,
    /// True if the result is that of the present moves and settings.
    is_judged: bool,
    line: ResultLine,
}

/// Line of the record.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ResultLine {
    /// Time at which the game ended or was left, in UTC.
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
        let game = Moves::of(engine);
        let line = ResultLine {
            date: String::new(),
            board: game.board.clone(),
            ruleset: String::new(),
            komi: 0.0,
            handicap: 0,
            seconds: BTreeMap::new(),
            opponent: None,
            result: None,
            end: End::Left,
            moves: Vec::new(),
        };
        let mut played = Played {
            game: game.clone(),
            gave_up: None,
            is_judged: false,
            line,
        };
        played.update(engine, game);
        played
    }

    /// Takes the moves and settings of the game on the board.
    fn update(&mut self, engine: &Engine, game: Moves) {
        let names = &engine.goban().names;
        let text = |&(color, mv): &(Color, Move)| (color.to_string(), move_label(names, mv));
        let line = ResultLine {
            ruleset: engine.rules().to_string(),
            // Points are decimal numbers, which JSON holds as numbers.
            komi: engine.komi().to_string().parse().unwrap_or_default(),
            handicap: engine.handicap_stones(),
            moves: game.moves.iter().map(text).collect(),
            ..self.line.clone()
        };
        if game.moves != self.game.moves {
            self.gave_up = None;
        }
        self.is_judged &= line == self.line;
        self.line = line;
        self.game = game;
    }

    /// Returns true if the engine has searched in this game.
    fn is_ours(&self) -> bool {
        !self.line.seconds.is_empty()
    }

    /// Returns true if the engine has searched, and something of the game is left after undos.
    fn counts(&self) -> bool {
        self.is_ours() && (self.line.end != End::Left || !self.line.moves.is_empty())
    }

    /// Adds what is known only from the time before the game was sent again.
    fn inherit(&mut self, earlier: Played) {
        for (color, seconds) in earlier.line.seconds {
            *self.line.seconds.entry(color).or_default() += seconds;
        }
        let opponent = self.line.opponent.take();
        self.line.opponent = opponent.or(earlier.line.opponent);
    }

    /// Adds a search for a move of `color`, with its answer.
    fn searched(&mut self, color: Color, answer: &str, elapsed: Duration) {
        let seconds = self.line.seconds.entry(color.to_string()).or_default();
        // Milliseconds are exact enough.
        *seconds = ((*seconds + elapsed.as_secs_f64()) * 1e3).round() / 1e3;
        let resigns = answer.split_whitespace().last() == Some("resign");
        self.gave_up = resigns.then_some(color);
    }

    /// Finds the end of the game, if the position or a resignation has ended it.
    fn settle(&mut self, engine: &Engine) {
        if let Some(loser) = self.gave_up.or(engine.resigned()) {
            self.end(End::Resignation, lost_by(loser, engine));
        } else if !engine.is_over() {
            self.end(End::Left, None);
        } else if self.is_ours() && !(self.is_judged && self.line.end == End::Passes) {
            // Judging takes time, so it is not repeated for the same game.
            let outcome = engine.outcome().ok();
            self.end(End::Passes, outcome.map(|outcome| outcome.to_string()));
            self.is_judged = true;
        }
    }

    /// Sets the end. Its date is the time at which an end became known.
    fn end(&mut self, end: End, result: Option<String>) {
        if self.line.end == End::Left {
            self.line.date = now();
        }
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

    /// Follows a command that has been answered successfully after `elapsed`. `to_move` was the
    /// color to move before it.
    pub(super) fn follow(
        &mut self,
        session: &Session,
        request: &Request<'_>,
        to_move: Color,
        answer: &str,
        elapsed: Duration,
    ) {
        let engine = &session.engine;
        let mut game = self.game_on_board(engine, request.name);
        if let Some(name) = opponent(session, request) {
            game.line.opponent.get_or_insert(name);
        }
        if is_genmove(request.name) {
            let color = mover(request, engine.rules().colors, to_move);
            game.searched(color, answer, elapsed);
            // The engine plays on, and not in the game that was left.
            if let Some(other) = self.left.take() {
                self.write(other);
            }
        }
        game.settle(engine);
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

    /// Returns the game on the board after a command. It may go on with the current game or with
    /// the one that was left.
    fn game_on_board(&mut self, engine: &Engine, command: &str) -> Played {
        let now = Moves::of(engine);
        let goes_on = |game: &Played| game.game.became(&now, command);
        if !self.current.as_ref().is_some_and(goes_on) {
            self.leave();
        }
        let mut game = self.current.take().unwrap_or_else(|| Played::of(engine));
        game.update(engine, now);
        let same = |earlier: &mut Played| earlier.game.go_on_in(&game.game);
        if let Some(earlier) = self.left.take_if(same) {
            game.inherit(earlier);
        }
        game
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
        let Some(mut game) = self.current.take().filter(Played::counts) else {
            return;
        };
        if let Some(earlier) = self.left.take() {
            self.write(earlier);
        }
        if game.line.end == End::Left {
            game.line.date = now();
            self.left = Some(game);
        } else {
            self.write(game);
        }
    }

    fn write(&mut self, game: Played) {
        if game.counts() {
            self.file.append_json(&game.line);
        }
    }
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
            let to_move = session.engine.to_move();
            let answer = session.run(&request).unwrap();
            if is_genmove(request.name) {
                latest.clone_from(&answer);
            }
            results.follow(
                &session,
                &request,
                to_move,
                &answer,
                Duration::from_millis(1500),
            );
        }
        results.close();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }

    /// Checks that the record has one game, with this end and result.
    fn assert_end(lines: &[Value], end: &str, result: impl Into<Value>) {
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0]["end"], end);
        assert_eq!(lines[0]["result"], result.into());
    }

    #[test]
    fn a_game_that_ends_by_passes_has_its_score() {
        let lines = record(&["genmove b", "play w pass", "play b pass", "clear_board"]);
        assert_end(&lines, "passes", "B+25");
        let line = &lines[0];
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
        assert_end(&lines, "passes", "B+25");
    }

    #[test]
    fn the_server_tells_the_result() {
        let lines = record(&[
            "cgos-opponent_name them",
            "genmove b",
            "cgos-gameover W+Time",
        ]);
        assert_end(&lines, "server", "W+Time");
        assert_eq!(lines[0]["opponent"], "them");
    }

    #[test]
    fn a_resignation_of_the_opponent_ends_a_game() {
        let lines = record(&["genmove b", "play w resign", "quit"]);
        assert_end(&lines, "resignation", "B+R");
    }

    #[test]
    fn an_unfinished_game_is_marked_and_an_analysis_is_no_game() {
        let lines = record(&["play b b2", "genmove w", "clear_board", "genmove b"]);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line["end"] == "left"));
        assert!(record(&["play b b2", "reg_genmove w", "clear_board"]).is_empty());
    }

    #[test]
    fn a_search_without_a_color_counts_for_the_color_to_move() {
        let lines = record(&["lz-genmove_analyze", "kata-genmove_analyze 50", "quit"]);
        let seconds = &lines[0]["seconds"];
        assert_eq!(
            (&seconds["black"], &seconds["white"]),
            (&1.5.into(), &1.5.into())
        );
    }

    #[test]
    fn an_undone_end_is_no_end() {
        let lines = record(&["genmove b", "play w resign", "undo", "quit"]);
        assert_end(&lines, "left", Value::Null);
        assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 1);
        let passes = ["genmove b", "play w pass", "play b pass"];
        let lines = record(&[&passes[..], &["gg-undo 2", "play w resign", "quit"]].concat());
        assert_end(&lines, "resignation", "B+R");
    }

    #[test]
    fn the_result_follows_the_komi() {
        let passes = ["genmove b", "play w pass", "play b pass"];
        let lines = record(&[&passes[..], &["komi 50", "final_score", "quit"]].concat());
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (&lines[0]["komi"], &lines[0]["result"]),
            (&50.0.into(), &"W+25".into())
        );
    }

    #[test]
    fn undone_moves_leave_no_game_behind() {
        let lines = record(&["genmove b", "undo", "play b a1", "genmove w", "quit"]);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 2);
        assert_eq!(lines[0]["seconds"]["black"], 1.5);
        assert!(record(&["genmove b", "undo", "quit"]).is_empty());
    }

    #[test]
    fn the_date_is_that_of_the_end() {
        let goban = "grid:5".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let engine = Engine::new(goban, rules, Points::ZERO, Options::default()).unwrap();
        let mut game = Played::of(&engine);
        game.end(End::Resignation, None);
        assert!(game.line.date.ends_with('Z'));
        game.line.date = "earlier".to_string();
        game.end(End::Server, None);
        assert_eq!(game.line.date, "earlier");
        // The end was taken back.
        game.end(End::Left, None);
        game.end(End::Resignation, None);
        assert_ne!(game.line.date, "earlier");
    }
}
