//! The game to review, from SGF or from omnigo's JSON.

use std::fmt;
use std::str;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::color::Color;
use crate::engine::{Engine, EngineError, Options};
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::move_text;
use crate::record::is_json;
use crate::record::json::{self, GameError, GraphGame};
use crate::record::sgf::{GameRecord, GameText, LONGEST, SgfError, Step};
use crate::record::tree::{Growth, TreeNode};
use crate::replay::{self, carry_out, change_position, start_sgf};
use crate::rules::{Points, Ruleset, RulesetText, Scoring, kata, presets};
use crate::text::quote;
use crate::vertex::Move;

/// Ruleset of SGF files that name none. People remove dead stones at the end, so it does too.
const USUAL_RULES: &str = "chinese";

/// Choices that replace what a file says.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Number of the game in the file, from 1.
    pub game: Option<usize>,
    /// Ruleset, and possibly a komi.
    pub ruleset: Option<RulesetText>,
    /// Komi.
    pub komi: Option<Points>,
}

/// Error: a file holds no game that can be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is not an SGF file that can be read.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// The file is not a JSON file that can be read.
    #[error(transparent)]
    Json(#[from] GameError),
    /// The rules cannot be played on the board.
    #[error(transparent)]
    Rules(#[from] EngineError),
    /// The board cannot be built.
    #[error("{0}")]
    Board(String),
    /// A move cannot be played.
    #[error("{0}")]
    Move(String),
    /// The game has more than two colors.
    #[error("a game of {0} colors, expected 2: win rates are those of Black against White")]
    Colors(usize),
}

/// Keys of a record in JSON with the text of their values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(pub(super) Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Keys, M::Error> {
                let mut keys = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    keys.push(entry);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Game to review.
#[derive(Clone, Debug)]
pub struct Game {
    /// Board.
    pub goban: Goban,
    /// Rules of the review.
    pub rules: Ruleset,
    /// Komi of the review.
    pub komi: Points,
    /// Number of games in the file.
    pub games: usize,
    /// Result in the file.
    pub result: Option<String>,
    /// One-line warnings about the file.
    pub warnings: Vec<String>,
    /// The game as SGF. `None` if the board is not a rectangle.
    pub(super) sgf: Option<GameText>,
    /// The game as omnigo's JSON with the keys of its file. `None` if the file is SGF.
    pub(super) json: Option<(GraphGame, Keys)>,
}

impl Game {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If the file holds no game of two colors that can be played.
    pub fn read(bytes: Vec<u8>, choices: &Choices) -> Result<Game, ReadError> {
        let number = choices.game.unwrap_or(1);
        let mut game = match is_json(&bytes) {
            true => Game::of_json(&bytes, number, choices)?,
            false => Game::of_sgf(GameText::read(bytes, number)?, choices)?,
        };
        if let Some(ruleset) = &choices.ruleset {
            game.warnings.extend(ruleset.warnings.iter().cloned());
        }
        let games = game.games;
        if games > 1 && choices.game.is_none() {
            let line = format!("{games} games, the first is reviewed; --game picks another one");
            game.warnings.push(line);
        }
        Ok(game)
    }

    fn of_sgf(text: GameText, choices: &Choices) -> Result<Game, ReadError> {
        let record = &text.record;
        let board = |error: &dyn fmt::Display| ReadError::Board(error.to_string());
        let spec = Spec::grid(record.width, record.height).map_err(|error| board(&error))?;
        let goban = spec.build().map_err(|error| board(&error))?;
        let mut warnings = record.warnings.clone();
        let chosen = choices.ruleset.clone();
        let named = match chosen {
            Some(ruleset) => ruleset,
            None => rules_of(record, &mut warnings)?,
        };
        let own = choices
            .komi
            .or(choices.ruleset.as_ref().and_then(|r| r.komi));
        let komi = own.or(record.komi).or(named.komi).unwrap_or_else(|| {
            warnings.push("the file has no komi, 0 is used".to_string());
            Points::ZERO
        });
        if named.rules.colors != 2 {
            return Err(ReadError::Colors(named.rules.colors));
        }
        Ok(Game {
            goban,
            rules: named.rules,
            komi,
            games: text.games,
            result: record.result.clone(),
            warnings,
            sgf: Some(text),
            json: None,
        })
    }

    fn of_json(bytes: &[u8], number: usize, choices: &Choices) -> Result<Game, ReadError> {
        let text = str::from_utf8(bytes).map_err(|_| GameError::Json("not valid UTF-8".into()))?;
        let (text, games) = json::nth(text, number)?;
        let mut game = json::parse(text, None)?;
        let keys: Keys = serde_json::from_str(text)
            .map_err(|error| GameError::Json(quote(&error.to_string())))?;
        if let Some(ruleset) = &choices.ruleset {
            game.rules = Ruleset {
                colors: game.rules.colors,
                ..ruleset.rules.clone()
            };
            game.komi = ruleset.komi.unwrap_or(game.komi);
        }
        game.komi = choices.komi.unwrap_or(game.komi);
        if game.rules.colors != 2 {
            return Err(ReadError::Colors(game.rules.colors));
        }
        // Report an illegal move before the first search.
        let played =
            replay::engine(&game, usize::MAX, Options::replaying()).map_err(ReadError::Move)?;
        let sides = game.goban.rectangle;
        let sides = sides.filter(|&(width, height)| width.max(height) <= LONGEST);
        let sgf = match sides {
            Some((width, height)) => {
                let mut record = replay::sgf(&played, width, height);
                record.result = game.result.clone();
                let mut tree = Growth::default();
                // The moves are the main line of the file, also if the tree has another one.
                tree.line(0, &game.moves);
                tree.add(&game.tree);
                Some(GameText::of(&record, &tree.nodes())?)
            }
            None => None,
        };
        Ok(Game {
            goban: game.goban.clone(),
            rules: game.rules.clone(),
            komi: game.komi,
            games,
            result: game.result.clone(),
            warnings: game.warnings.clone(),
            sgf,
            json: Some((game, keys)),
        })
    }

    /// Returns true if the rules count points.
    pub fn counts_points(&self) -> bool {
        self.rules.scoring != Scoring::None
    }

    /// Returns true if the file is JSON.
    pub fn is_json(&self) -> bool {
        self.json.is_some()
    }

    /// Returns true if the game can be written as SGF.
    pub fn is_rectangle(&self) -> bool {
        self.sgf.is_some()
    }

    /// Returns an engine at the start of the game.
    ///
    /// # Errors
    /// If the rules cannot be played on the board.
    pub fn engine(&self, options: Options) -> Result<Engine, ReadError> {
        let (goban, rules) = (self.goban.clone(), self.rules.clone());
        let mut engine = Engine::new(goban, rules, self.komi, options)?;
        match (&self.json, &self.sgf) {
            (Some((game, _)), _) => {
                engine.set_start(&game.start, Some(game.first), game.handicap);
            }
            (None, Some(text)) => start_sgf(&mut engine, &text.record),
            (None, None) => {}
        }
        Ok(engine)
    }

    /// Returns the moves and set-ups of the main line.
    pub fn steps(&self) -> Vec<Step> {
        match (&self.json, &self.sgf) {
            (Some((game, _)), _) => {
                let moves = game.moves.iter();
                moves.map(|&(color, mv)| Step::Play(color, mv)).collect()
            }
            (None, Some(text)) => text.record.steps.clone(),
            (None, None) => Vec::new(),
        }
    }

    /// Returns the moves of the main line.
    pub(super) fn moves(&self) -> Vec<(Color, Move)> {
        let steps = self.steps();
        let moves = steps.iter().filter_map(|step| match step {
            Step::Play(color, mv) => Some((*color, *mv)),
            Step::Setup { .. } => None,
        });
        moves.collect()
    }

    /// Returns the tree of the file, or no node.
    pub(super) fn nodes(&self) -> Vec<TreeNode> {
        match (&self.json, &self.sgf) {
            (Some((game, _)), _) => game.tree.clone(),
            (None, Some(text)) => text.tree(),
            (None, None) => Vec::new(),
        }
    }

    /// Plays a move on an engine. SGF requires that illegal moves are carried out; the reason is
    /// returned then.
    ///
    /// # Errors
    /// One line, if the move of a game in JSON is illegal.
    pub(super) fn play(
        &self,
        engine: &mut Engine,
        color: Color,
        mv: Move,
    ) -> Result<Option<String>, ReadError> {
        if self.json.is_none() {
            return Ok(carry_out(engine, color, mv));
        }
        engine.play(color, mv).map_err(|illegal| {
            let mv = move_text(&self.goban, mv);
            ReadError::Move(format!("{color} {mv}: {illegal}"))
        })?;
        Ok(None)
    }

    /// Changes the position of an engine as a step of an SGF file says.
    pub(super) fn set_up(&self, engine: &mut Engine, step: &Step) {
        if let (Step::Setup { points, to_move }, Some(text)) = (step, &self.sgf) {
            change_position(engine, &text.record, points, *to_move);
        }
    }
}

/// Returns the rules that an SGF file names, or [`USUAL_RULES`] with a warning.
fn rules_of(record: &GameRecord, warnings: &mut Vec<String>) -> Result<RulesetText, ReadError> {
    let named = record
        .rules
        .as_deref()
        .filter(|name| !name.trim().is_empty());
    if let Some(name) = named {
        if let Ok(read) = name.parse::<RulesetText>() {
            return Ok(read);
        }
        if let Ok(rules) = kata::from_text(name) {
            let (komi, warnings) = (None, Vec::new());
            return Ok(RulesetText {
                rules,
                komi,
                warnings,
            });
        }
    }
    warnings.push(match named {
        Some(name) => format!("RU[{}] is unknown, {USUAL_RULES} is used", quote(name)),
        None => format!("the file names no rules, {USUAL_RULES} is used"),
    });
    let usual = presets::find(USUAL_RULES);
    usual
        .map(|preset| RulesetText {
            rules: preset.rules.clone(),
            komi: None,
            warnings: Vec::new(),
        })
        .ok_or_else(|| ReadError::Board(format!("no ruleset {USUAL_RULES}")))
}
