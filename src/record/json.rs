//! Games on any board as JSON: `{"kind":"game", "graph":"torus:9x9", "ruleset":"tromp-taylor",
//! "komi":0, …, "moves":[["black","C7"]]}`.
//!
//! The optional key `tree` holds variations and comments.
//!
//! A record is self-contained. If its board came from a file, the record holds the board. So
//! reading a game never opens another file, which the user did not name.

use std::path::Path;
use std::str::FromStr;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::file;
use super::tree::{TreeNode, is_bare};
use crate::color::Color;
use crate::contents::ReadError;
use crate::graph::formats::Format;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::notation::move_label;
use crate::points::Points;
use crate::rules::{Ruleset, RulesetText};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

mod of_match;
mod tree;

use of_match::MatchKeys;
pub use tree::write as write_tree;

/// Value of the key `kind`.
const KIND: &str = "game";

/// Game: its start and its moves.
#[derive(Clone, Debug)]
pub struct GraphGame {
    /// Board.
    pub goban: Goban,
    /// Rules, for the number of colors that play.
    pub rules: Ruleset,
    /// Points added to White's score.
    pub komi: Points,
    /// Position before the first move, in index order.
    pub start: Vec<Option<Color>>,
    /// Number of Black's stones in `start` that are a handicap.
    pub handicap: u32,
    /// Color that moves first.
    pub first: Color,
    /// Moves in order.
    pub moves: Vec<(Color, Move)>,
    /// Moves and variations with their texts, or no node. Each node but the first, the start, has a
    /// move. The tree may leave out `moves`, and its own main line may be another.
    pub tree: Vec<TreeNode>,
    /// Result, if the game is over.
    pub result: Option<String>,
    /// One-line warnings about values that were read differently than written.
    pub warnings: Vec<String>,
}

/// Settings of the engine that played or watched, as information for readers of the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// Name of the engine.
    pub name: String,
    /// Version of the engine.
    pub version: String,
    /// Maximum number of playouts per move.
    pub playouts: Option<u64>,
    /// Maximum time per move, in seconds.
    pub seconds: Option<f64>,
    /// Number of threads of the search.
    pub threads: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// Win probability below which the engine resigns.
    pub resign_below: f64,
    /// Memory of the search tree, in MiB.
    pub memory_mib: usize,
}

/// Error: a file holds no game that can be read.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] ReadError),
    /// The text is not a record.
    #[error("not a game in JSON: {0}")]
    Json(String),
    /// There are fewer games.
    #[error("no game {number}, expected a number from 1 to {games}")]
    Missing {
        /// Number of the game, from 1.
        number: usize,
        /// Number of games in the file.
        games: usize,
    },
    /// A key has an invalid value.
    #[error("key '{key}' is '{value}', expected {expected}")]
    Value {
        /// Name of the key.
        key: &'static str,
        /// Value of the key.
        value: String,
        /// Expected value.
        expected: String,
    },
    /// A node of the tree is invalid.
    #[error("node {number} of key 'tree' is '{value}', expected {expected}")]
    Node {
        /// Index of the node, from 0.
        number: usize,
        /// Text of the node.
        value: String,
        /// Expected node.
        expected: String,
    },
}

/// Keys of a record.
#[derive(Deserialize)]
struct Keys<'a> {
    kind: String,
    graph: String,
    #[serde(borrow, default)]
    board: Option<&'a RawValue>,
    ruleset: String,
    #[serde(borrow, default)]
    komi: Option<&'a RawValue>,
    #[serde(default)]
    players: Option<usize>,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    handicap: u32,
    #[serde(default)]
    first: Option<String>,
    moves: Vec<(String, String)>,
    #[serde(borrow, default)]
    tree: Option<&'a RawValue>,
    #[serde(default)]
    result: Option<String>,
}

/// Keys that distinguish a record from a game of a match.
#[derive(Deserialize)]
struct RecordKeys {
    #[serde(default)]
    kind: Option<IgnoredAny>,
    #[serde(default)]
    settings: Option<IgnoredAny>,
}

/// Reads a file: a record, or the first game of a match.
///
/// `present` is the board that the user has set. A record without a board uses it if the specs are
/// equal.
///
/// # Errors
/// If there is no such file, or if it holds no game.
pub fn read(path: &Path, present: Option<&Goban>) -> Result<GraphGame, GameError> {
    let bytes = file::contents(path)?;
    let text =
        std::str::from_utf8(&bytes).map_err(|_| GameError::Json("not valid UTF-8".into()))?;
    parse(text, present)
}

/// Reads the text of a file.
///
/// # Errors
/// If the text holds no game.
pub fn parse(text: &str, present: Option<&Goban>) -> Result<GraphGame, GameError> {
    const RECORD: &str = "kind, graph, ruleset and moves, as written by save_game";
    const MATCH: &str = "settings, first, moves and result, as written by omnigo match";
    let problem = |expected: &'static str| {
        move |error: serde_json::Error| {
            let error = quote(&error.to_string());
            GameError::Json(format!("{error}; a game is an object with {expected}"))
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Match files have one game per line.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let first = values.next().transpose().map_err(problem(RECORD))?;
    let first = first.map_or("", RawValue::get);
    let more = values.next().is_some();
    let shape: RecordKeys = serde_json::from_str(first).map_err(problem(RECORD))?;
    let mut game = if shape.settings.is_some() && shape.kind.is_none() {
        let keys = serde_json::from_str::<MatchKeys<'_>>(first).map_err(problem(MATCH))?;
        keys.game(present)?
    } else {
        let keys = serde_json::from_str::<Keys<'_>>(first).map_err(problem(RECORD))?;
        keys.game(present)?
    };
    if more {
        game.warnings
            .push("several games, only the first is read".to_string());
    }
    Ok(game)
}

/// Returns the text of a game in the text of a file, counted from 1, and the number of games.
///
/// # Errors
/// If there is no such game, or if the text before it is not JSON.
pub fn nth(text: &str, number: usize) -> Result<(&str, usize), GameError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let index = number.wrapping_sub(1);
    let mut games = 0;
    let mut found = None;
    for value in values {
        match value {
            Ok(value) if games == index => found = Some(value.get()),
            Ok(_) => {}
            // Text after the game has no effect on it.
            Err(_) if found.is_some() => break,
            Err(error) => return Err(GameError::Json(quote(&error.to_string()))),
        }
        games += 1;
    }
    match found {
        Some(game) => Ok((game, games)),
        None => Err(GameError::Missing { number, games }),
    }
}

fn wrong(key: &'static str, value: &str, expected: impl Into<String>) -> GameError {
    GameError::Value {
        key,
        value: quote(value),
        expected: expected.into(),
    }
}

/// Returns the board of a spec. This is the board in the record, if any, else `present`, if it has
/// the same spec. Otherwise it is built from the spec. No spec in a record opens a file.
fn goban(
    text: &str,
    board: Option<&RawValue>,
    present: Option<&Goban>,
) -> Result<Goban, GameError> {
    let spec: Spec = text
        .parse()
        .map_err(|error| wrong("graph", text, format!("a board spec: {error}")))?;
    let built = match (present, board) {
        (_, Some(board)) => spec.with_contents(board.get()),
        (Some(present), None) if present.spec.to_string() == spec.to_string() => {
            Ok(present.clone())
        }
        (_, None) if spec.reads_files() => {
            return Err(wrong(
                "graph",
                text,
                "this board to be set first, or the key board with the content of the file",
            ));
        }
        (_, None) => spec.build(),
    };
    built.map_err(|error| wrong("graph", text, format!("a board: {error}")))
}

/// Returns the rules of a text for a number of colors, and the komi if the text has it.
fn rules(
    text: &str,
    players: Option<usize>,
    warnings: &mut Vec<String>,
) -> Result<(Ruleset, Option<Points>), GameError> {
    let read = RulesetText::from_str(text)
        .map_err(|error| wrong("ruleset", text, format!("a ruleset: {error}")))?;
    warnings.extend(read.warnings);
    let mut rules = read.rules;
    if let Some(players) = players {
        if !(2..=Color::MAX).contains(&players) {
            return Err(wrong(
                "players",
                &players.to_string(),
                "a number of colors from 2 to 8",
            ));
        }
        rules.colors = players;
    }
    Ok((rules, read.komi))
}

fn komi(text: &str) -> Result<Points, GameError> {
    let points = text.trim_matches('"').parse().ok();
    let halves = points.filter(|points: &Points| Points::from_halves(points.halves()) == *points);
    halves.ok_or_else(|| {
        wrong(
            "komi",
            text,
            "a number of points in steps of 0.5, such as 6.5",
        )
    })
}

fn color(key: &'static str, text: &str, rules: &Ruleset) -> Result<Color, GameError> {
    let color = text
        .parse()
        .ok()
        .filter(|color: &Color| color.index() < rules.colors);
    color.ok_or_else(|| {
        wrong(
            key,
            text,
            format!(
                "one of the {} colors of the game, such as black",
                rules.colors
            ),
        )
    })
}

impl Keys<'_> {
    fn game(self, present: Option<&Goban>) -> Result<GraphGame, GameError> {
        if self.kind != KIND {
            return Err(wrong("kind", &self.kind, format!("\"{KIND}\"")));
        }
        let mut warnings = Vec::new();
        let goban = goban(&self.graph, self.board, present)?;
        let (rules, usual) = rules(&self.ruleset, self.players, &mut warnings)?;
        let komi = match self.komi {
            Some(komi) => self::komi(komi.get())?,
            None => usual.unwrap_or(Points::ZERO),
        };
        let start = match &self.start {
            None => goban.start.clone(),
            Some(text) => position(&goban, &rules, text)?,
        };
        if handicap::held(&start, self.handicap) != self.handicap {
            let expected = "at most the number of black stones in start";
            return Err(wrong("handicap", &self.handicap.to_string(), expected));
        }
        let moves: Vec<(Color, Move)> = self
            .moves
            .iter()
            .map(|(player, word)| {
                let mv = by_label(&goban, word).ok_or_else(|| no_vertex(word))?;
                Ok((color("moves", player, &rules)?, mv))
            })
            .collect::<Result<_, GameError>>()?;
        let first = match &self.first {
            Some(first) => color("first", first, &rules)?,
            None => moves.first().map_or(rules.first, |(color, _)| *color),
        };
        Ok(GraphGame {
            tree: read_tree(self.tree, &goban, &rules)?,
            goban,
            rules,
            komi,
            start,
            handicap: self.handicap,
            first,
            moves,
            result: self.result,
            warnings,
        })
    }
}

fn position(goban: &Goban, rules: &Ruleset, text: &str) -> Result<Vec<Option<Color>>, GameError> {
    let expected = || {
        format!(
            "a character for each of {} points, X O or .",
            goban.points()
        )
    };
    let point = |symbol: char| match symbol {
        '.' => Ok(None),
        symbol => match Color::from_symbol(symbol).filter(|color| color.index() < rules.colors) {
            Some(color) => Ok(Some(color)),
            None => Err(wrong("start", text, expected())),
        },
    };
    let position: Vec<Option<Color>> = text.chars().map(point).collect::<Result<_, _>>()?;
    let uncovered = goban
        .space()
        .filter(|space| !space.is_light())
        .is_some_and(|space| {
            (0..).zip(&position).any(|(index, point)| {
                point.is_some()
                    && Vertex::from_index(index).is_none_or(|point| !space.is_covered(point))
            })
        });
    match position.len() == goban.points() && !uncovered {
        true => Ok(position),
        false => Err(wrong("start", text, expected())),
    }
}

fn no_vertex(word: &str) -> GameError {
    wrong("moves", word, "the label of a vertex, or pass")
}

/// Returns the move that a word names. Labels have priority over aliases, unlike in commands.
fn by_label(goban: &Goban, word: &str) -> Option<Move> {
    if word == "pass" {
        return Some(Move::Pass);
    }
    let names = &goban.names;
    let found = names.find_label(word).or_else(|| names.find(word));
    found.map(Move::Place)
}

fn read_tree(
    raw: Option<&RawValue>,
    goban: &Goban,
    rules: &Ruleset,
) -> Result<Vec<TreeNode>, GameError> {
    raw.map_or(Ok(Vec::new()), |raw| tree::read(raw, goban, rules))
}

impl GraphGame {
    /// Returns the game as the text of a file, with one key per line and without blank lines. A
    /// tree that has only the moves and no text is left out.
    ///
    /// # Errors
    /// If the board came from a file and cannot be written into the record.
    pub fn write(&self, played: &Played) -> Result<String, String> {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let mut out = format!(
            "{{\"kind\":\"{KIND}\",\n\"graph\":{},\n",
            text(&self.goban.spec.to_string())
        );
        if self.goban.spec.reads_files() {
            let json = Format::find("json").ok_or("no such format")?;
            let (board, _) = json.write(&self.goban)?;
            out.push_str(&format!("\"board\":{},\n", board.trim_end()));
        }
        let symbol = |point: &Option<Color>| point.map_or('.', Color::symbol);
        let start: String = self.start.iter().map(symbol).collect();
        let handicap = match self.handicap {
            0 => String::new(),
            stones => format!("\"handicap\":{stones},\n"),
        };
        out.push_str(&format!(
            "\"ruleset\":{},\n\"komi\":{},\n\"players\":{},\n\"start\":\"{start}\",\n{handicap}\"first\":\"{}\",\n\"moves\":[",
            text(&self.rules.to_string()),
            self.komi,
            self.rules.colors,
            self.first,
        ));
        for (place, (color, mv)) in self.moves.iter().enumerate() {
            let joint = if place == 0 { "" } else { "," };
            let word = move_label(&self.goban.names, *mv);
            out.push_str(&format!("{joint}[\"{color}\",{}]", text(&word)));
        }
        out.push_str("],\n");
        if !is_bare(&self.tree, &self.moves) {
            let tree = write_tree(&self.tree, &self.goban.names);
            out.push_str(&format!("\"tree\":{tree},\n"));
        }
        let result = self.result.as_deref().map_or("null".to_string(), text);
        let played = serde_json::to_string(played).map_err(|error| error.to_string())?;
        out.push_str(&format!("\"result\":{result},\n\"engine\":{played}}}"));
        Ok(out)
    }
}

#[cfg(test)]
mod tests;
