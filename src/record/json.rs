//! Games on any board as JSON: `{"kind":"game","graph":"torus:9x9","ruleset":"tromp-taylor","komi":0,…,"moves":[["black","C7"]]}`.
//!
//! A record stands by itself: where its board came from a file, the board is in the record, so that reading a game never
//! opens a file that nobody named.

use std::path::Path;
use std::str::FromStr;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::file::{self, FileError};
use crate::color::Color;
use crate::graph::formats::Format;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::points::Points;
use crate::rules::{Ruleset, RulesetText};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// What the key `kind` says.
const KIND: &str = "game";

/// A game: where it began, and its moves.
#[derive(Clone, Debug)]
pub struct GraphGame {
    /// The board.
    pub goban: Goban,
    /// The rules, for as many colors as play.
    pub rules: Ruleset,
    /// Points added to White's score.
    pub komi: Points,
    /// The position before the first move, in index order.
    pub start: Vec<Option<Color>>,
    /// How many of Black's stones in it are a handicap.
    pub handicap: u32,
    /// Who moves first.
    pub first: Color,
    /// The moves in order.
    pub moves: Vec<(Color, Move)>,
    /// The result, where the game is over.
    pub result: Option<String>,
    /// One line each: what was read in another way than it was written.
    pub warnings: Vec<String>,
}

/// How the engine was set that played or watched, for whoever reads the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// Name of the engine.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Most playouts a move.
    pub playouts: Option<u64>,
    /// Most seconds a move.
    pub seconds: Option<f64>,
    /// Threads of its search.
    pub threads: usize,
    /// Seed of all chance.
    pub seed: u64,
    /// The chance below which it resigns.
    pub resign_below: f64,
    /// Memory of its search tree in MiB.
    pub memory_mib: usize,
}

/// A file holds no game that can be read here.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] FileError),
    /// The text is no record.
    #[error("it is no game in JSON, {0}")]
    Json(String),
    /// A key has a value that makes no sense.
    #[error("key '{key}' is '{value}', expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: String,
    },
}

/// The keys of a record.
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
    #[serde(default)]
    result: Option<String>,
}

/// The keys that tell a record from a game of a match.
#[derive(Deserialize)]
struct Shape {
    #[serde(default)]
    kind: Option<IgnoredAny>,
    #[serde(default)]
    settings: Option<IgnoredAny>,
}

/// The keys of a game of a match, a line of its file.
#[derive(Deserialize)]
struct MatchKeys {
    settings: MatchSettings,
    first: String,
    /// Where each opening has its own.
    #[serde(default)]
    komi: Option<f64>,
    moves: Vec<String>,
    result: String,
}

#[derive(Deserialize)]
struct MatchSettings {
    graph: String,
    ruleset: String,
    komi: String,
    #[serde(default)]
    handicap: u32,
}

/// Reads a file: a record, or the first game of a match.
///
/// `present` is the board that the user has named already: it stands for the board of the same spec.
///
/// # Errors
/// When there is no such file, or it holds no game.
pub fn read(path: &Path, present: Option<&Goban>) -> Result<GraphGame, GameError> {
    let bytes = file::contents(path)?;
    let text =
        std::str::from_utf8(&bytes).map_err(|_| GameError::Json("not valid UTF-8".into()))?;
    parse(text, present)
}

/// Reads the text of a file.
///
/// # Errors
/// When the text holds no game.
pub fn parse(text: &str, present: Option<&Goban>) -> Result<GraphGame, GameError> {
    const RECORD: &str = "kind, graph, ruleset and moves, such as save_game writes";
    const MATCH: &str = "settings, first, moves and result, such as omnigo match writes";
    let problem = |expected: &'static str| {
        move |error: serde_json::Error| {
            let error = quote(&error.to_string());
            GameError::Json(format!("{error}; expected an object with {expected}"))
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Matches have a game a line.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let first = values.next().transpose().map_err(problem(RECORD))?;
    let first = first.map_or("", RawValue::get);
    let more = values.next().is_some();
    let shape: Shape = serde_json::from_str(first).map_err(problem(RECORD))?;
    let mut game = if shape.settings.is_some() && shape.kind.is_none() {
        let keys = serde_json::from_str::<MatchKeys>(first).map_err(problem(MATCH))?;
        keys.game(present)?
    } else {
        let keys = serde_json::from_str::<Keys<'_>>(first).map_err(problem(RECORD))?;
        keys.game(present)?
    };
    if more {
        game.warnings
            .push("several games, the first is taken".to_string());
    }
    Ok(game)
}

fn wrong(key: &'static str, value: &str, expected: impl Into<String>) -> GameError {
    GameError::Value {
        key,
        value: quote(value),
        expected: expected.into(),
    }
}

/// The board of a spec: the present one where that has the same, else that in the record, else what the spec makes. No spec in
/// a record opens a file.
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
                "this board to be set before, or the key board with what the file holds",
            ));
        }
        (_, None) => spec.build(),
    };
    built.map_err(|error| wrong("graph", text, format!("a board: {error}")))
}

fn rules(
    text: &str,
    players: Option<usize>,
    warnings: &mut Vec<String>,
) -> Result<Ruleset, GameError> {
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
    Ok(rules)
}

fn komi(text: &str) -> Result<Points, GameError> {
    let points = text.trim_matches('"').parse().ok();
    let halves = points.filter(|points: &Points| Points::from_halves(points.halves()) == *points);
    halves.ok_or_else(|| wrong("komi", text, "a number of points in halves, such as 6.5"))
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
                "one of the {} colors that play, such as black",
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
        let rules = rules(&self.ruleset, self.players, &mut warnings)?;
        let komi = self
            .komi
            .map_or(Ok(Points::ZERO), |komi| self::komi(komi.get()))?;
        let start = match &self.start {
            None => goban.start.clone(),
            Some(text) => position(&goban, &rules, text)?,
        };
        if handicap::held(&start, self.handicap) != self.handicap {
            let expected = "no more than the black stones of start";
            return Err(wrong("handicap", &self.handicap.to_string(), expected));
        }
        let moves: Vec<(Color, Move)> = self
            .moves
            .iter()
            .map(|(player, word)| Ok((color("moves", player, &rules)?, by_label(&goban, word)?)))
            .collect::<Result<_, GameError>>()?;
        let first = match &self.first {
            Some(first) => color("first", first, &rules)?,
            None => moves.first().map_or(rules.first, |(color, _)| *color),
        };
        let result = self.result;
        Ok(GraphGame {
            goban,
            rules,
            komi,
            start,
            handicap: self.handicap,
            first,
            moves,
            result,
            warnings,
        })
    }
}

impl MatchKeys {
    fn game(self, present: Option<&Goban>) -> Result<GraphGame, GameError> {
        let mut warnings = Vec::new();
        let goban = goban(&self.settings.graph, None, present)?;
        let rules = rules(&self.settings.ruleset, None, &mut warnings)?;
        let first = color("first", &self.first, &rules)?;
        let mut player = first;
        let mut moves = Vec::with_capacity(self.moves.len());
        for word in &self.moves {
            let mv = if word == "pass" {
                Some(Move::Pass)
            } else {
                goban.names.find(word).map(Move::Place)
            };
            moves.push((player, mv.ok_or_else(|| no_vertex(word))?));
            player = player.next(rules.colors);
        }
        let komi = match self.komi {
            Some(points) => komi(&points.to_string())?,
            None => komi(&self.settings.komi)?,
        };
        let stones = self.settings.handicap;
        let places = handicap::given(&goban, stones as usize).ok_or_else(|| {
            wrong(
                "handicap",
                &stones.to_string(),
                "as many stones as there is room for",
            )
        })?;
        Ok(GraphGame {
            komi,
            start: handicap::start(&goban, &places),
            handicap: stones,
            goban,
            rules,
            first,
            moves,
            result: Some(self.result),
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

/// The move of this word: a label first, unlike in commands.
fn by_label(goban: &Goban, word: &str) -> Result<Move, GameError> {
    if word == "pass" {
        return Ok(Move::Pass);
    }
    let found = goban
        .names
        .find_label(word)
        .or_else(|| goban.names.find(word));
    found.map(Move::Place).ok_or_else(|| no_vertex(word))
}

impl GraphGame {
    /// The game as the text of a file, a key a line; no line is blank.
    ///
    /// # Errors
    /// When the board came from a file and cannot be written into the record.
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
            let word = match mv {
                Move::Pass => "pass".into(),
                Move::Place(vertex) => self.goban.names.label(*vertex),
            };
            out.push_str(&format!("{joint}[\"{color}\",{}]", text(&word)));
        }
        let result = self.result.as_deref().map_or("null".to_string(), text);
        let played = serde_json::to_string(played).map_err(|error| error.to_string())?;
        out.push_str(&format!("],\n\"result\":{result},\n\"engine\":{played}}}"));
        Ok(out)
    }
}

#[cfg(test)]
mod tests;
