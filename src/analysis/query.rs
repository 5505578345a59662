//! Query: a game, the turns to analyze, and the requested data.

use std::collections::HashSet;
use std::str::FromStr;

use serde_json::{Map, Value};

use super::Defaults;
use super::field::{PLAYED, color, get, played, position, restrictions, turns};
use super::problem::{FieldWarning, QueryError};
use super::settings::Settings;
use crate::color::Color;
use crate::engine::{Engine, Options, Restriction};
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::rules::{Bonus, Points, Ruleset, RulesetText, kata};
use crate::text::quote;
use crate::vertex::Move;

/// Perspective of the reported values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// Fixed color.
    Of(Color),
    /// Player to move.
    ToMove,
}

impl Perspective {
    /// Words that name a perspective, in any case.
    pub const WORDS: &str = "BLACK, WHITE or SIDETOMOVE";
}

/// Error: the text does not name a perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Perspective::WORDS)]
pub struct ParsePerspectiveError;

impl FromStr for Perspective {
    type Err = ParsePerspectiveError;

    fn from_str(text: &str) -> Result<Perspective, ParsePerspectiveError> {
        match text.to_ascii_uppercase().as_str() {
            "BLACK" => Ok(Perspective::Of(Color::BLACK)),
            "WHITE" => Ok(Perspective::Of(Color::WHITE)),
            "SIDETOMOVE" => Ok(Perspective::ToMove),
            _ => Err(ParsePerspectiveError),
        }
    }
}

/// Cache of the latest board. Most queries use the same board, and all of them share it.
#[derive(Debug, Default)]
pub struct Boards {
    latest: Option<Goban>,
}

impl Boards {
    /// Returns the board of a specification, and the approximate number of bytes that the query
    /// adds in memory. A shared board adds little.
    fn find(&mut self, spec: Spec) -> Result<(Goban, usize), QueryError> {
        let text = spec.text();
        let known = self.latest.as_ref().filter(|goban| goban.spec == text);
        // Read files again, because they may have changed.
        if let Some(goban) = known.filter(|_| !spec.reads_files()) {
            return Ok((goban.clone(), goban.points()));
        }
        let built = spec.build();
        let goban = built.map_err(|error| QueryError::field("graph", &error.to_string()))?;
        let bytes = goban.points() * 64 + goban.graph.vertices() * 64 + goban.graph.edges() * 16;
        self.latest = Some(goban.clone());
        Ok((goban, bytes))
    }
}

/// Valid query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Id, which every answer repeats.
    pub id: Value,
    /// Approximate memory of the query, in bytes.
    pub bytes: usize,
    goban: Goban,
    rules: Ruleset,
    komi: Points,
    start: Start,
    moves: Vec<(Color, Move)>,
    options: Options,
    /// Turns to analyze, each with its priority.
    pub turns: Vec<(usize, i64)>,
    /// Maximum number of playouts per turn.
    pub playouts: u64,
    /// Maximum seconds per turn, or `None` without a limit.
    pub seconds: Option<f64>,
    /// Seconds between reports during a search.
    pub report_every: Option<f64>,
    /// Perspective of the reported values.
    pub perspective: Perspective,
    /// Excluded moves.
    pub restrictions: Vec<Restriction>,
    /// True if answers include the ownership.
    pub ownership: bool,
    /// True if answers include the ownership after each move.
    pub moves_ownership: bool,
    /// True if answers include the standard deviation of the ownership.
    pub ownership_deviation: bool,
    /// True if answers include the visits of variations.
    pub pv_visits: bool,
    /// True if answers include the policy.
    pub policy: bool,
}

/// Maximum seconds between reports, and per search. Larger values are reduced to it.
pub(super) const LONGEST: f64 = 1e8;
/// Fields that omnigo uses, or ignores without a warning because they do not matter.
const KNOWN: &[&str] = &[
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "ruleset",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "graph",
    "analyzeTurns",
    "maxVisits",
    "includeOwnership",
    "includeMovesOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "includePolicy",
    "avoidMoves",
    "allowMoves",
    "priority",
    "priorities",
    "reportDuringSearchEvery",
    "overrideSettings",
];

/// Returns the id, which every query must have.
pub(super) fn id_of(object: &Map<String, Value>) -> Result<Value, QueryError> {
    match object.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => Ok(id.clone()),
        Some(other) => Err(QueryError::field(
            "id",
            &format!(
                "{}, expected a string or a number",
                quote(&other.to_string())
            ),
        )),
        None => Err(QueryError::field(
            "id",
            "missing, expected a string or a number",
        )),
    }
}

/// Returns a warning about each unknown field.
fn unknown_fields(object: &Map<String, Value>) -> Vec<FieldWarning> {
    let names = object.keys();
    let unknown = names.filter(|name| !KNOWN.contains(&name.as_str()));
    unknown
        .map(|name| FieldWarning::new(&quote(name), "unknown, ignored".to_string()))
        .collect()
}

/// Position before the first move.
#[derive(Clone, Debug)]
struct Start {
    /// `None` for the start of the board.
    position: Option<Vec<Option<Color>>>,
    /// Number of Black's stones in the position that are a handicap.
    handicap: u32,
    /// `None` for the first player of the rules.
    first: Option<Color>,
}

impl Start {
    /// Reads the fields of the start. Two or more stones of Black alone are a handicap, unless the
    /// query names another player than White.
    fn read(
        goban: &Goban,
        colors: usize,
        object: &Map<String, Value>,
        moves: &[(Color, Move)],
    ) -> Result<Start, QueryError> {
        let stones = played(goban, colors, object, "initialStones")?;
        let player = get(object, "initialPlayer", "B or W", |value| {
            color(value.as_str()?, colors)
        })?;
        let only_black = |stones: &&[(Color, Move)]| {
            !stones.is_empty() && stones.iter().all(|(color, _)| *color == Color::BLACK)
        };
        let given = stones.as_deref().filter(only_black);
        let to_white = player.is_none_or(|player| player == Color::WHITE);
        let handicap = given.map(<[_]>::len);
        let handicap = handicap.filter(|&stones| stones > 1 && to_white);
        let position = match &stones {
            Some(stones) => Some(position(goban, stones)?),
            None => None,
        };
        Ok(Start {
            position,
            handicap: handicap.map_or(0, |stones| u32::try_from(stones).unwrap_or(u32::MAX)),
            first: player
                .or_else(|| moves.first().map(|&(color, _)| color))
                .or_else(|| given.map(|_| Color::WHITE)),
        })
    }

    /// Sets the start of a new engine.
    fn set(&self, engine: &mut Engine) {
        if self.position.is_some() || self.first.is_some() {
            let empty = engine.position();
            let position = self.position.as_deref().unwrap_or(&empty);
            engine.set_start(position, self.first, self.handicap);
        }
    }
}

impl Query {
    /// Reads a query from an object of `length` bytes of text. Returns warnings about unknown
    /// fields and rounded values.
    ///
    /// # Errors
    /// Names the wrong field.
    pub fn read(
        defaults: &Defaults,
        boards: &mut Boards,
        object: &Map<String, Value>,
        length: usize,
    ) -> Result<(Query, Vec<FieldWarning>), QueryError> {
        let id = id_of(object)?;
        let mut warnings = unknown_fields(object);
        let (goban, own) = boards.find(board(defaults, object)?)?;
        let (rules, mut komi) = rules(defaults, object, &mut warnings)?;
        if let Some(points) = komi_of(object, &mut warnings)? {
            komi = points;
        }
        let colors = rules.colors;
        let moves = played(&goban, colors, object, "moves")?;
        let moves = moves
            .ok_or_else(|| QueryError::field("moves", &format!("missing, expected {PLAYED}")))?;
        let start = Start::read(&goban, colors, object, &moves)?;
        let settings = get(object, "overrideSettings", "an object", |value| {
            value.as_object().cloned()
        })?;
        let settings = Settings::read(&settings.unwrap_or_default(), &mut warnings)?;
        // Numbers that do not fit become the maximum.
        let whole = |number: f64| (number.fract() == 0.0 && number > 0.0).then_some(number as u64);
        let positive = |value: &Value| match value.as_u64() {
            Some(number) => (number > 0).then_some(number),
            None => value.as_f64().and_then(whole),
        };
        let visits = get(object, "maxVisits", "a number above 0", positive)?;
        let yes = |name| Ok(get(object, name, "true or false", Value::as_bool)?.unwrap_or(false));
        let seconds = |value: &Value| {
            let seconds = value.as_f64().filter(|&s| s > 0.0);
            seconds.map(|s| s.min(LONGEST))
        };
        let query = Query {
            id,
            // A parsed query takes a few times the memory of its text.
            bytes: own + 4 * length,
            turns: turns(object, moves.len())?,
            restrictions: restrictions(&goban, colors, object, &mut warnings)?,
            goban,
            rules,
            komi,
            start,
            moves,
            options: settings.options(defaults)?,
            playouts: settings.most_playouts(visits, defaults),
            seconds: settings.seconds,
            report_every: get(
                object,
                "reportDuringSearchEvery",
                "seconds above 0",
                seconds,
            )?,
            perspective: settings.perspective.unwrap_or(defaults.perspective),
            ownership: yes("includeOwnership")?,
            moves_ownership: yes("includeMovesOwnership")?,
            ownership_deviation: yes("includeOwnershipStdev")?,
            pv_visits: yes("includePVVisits")?,
            policy: yes("includePolicy")?,
        };
        warnings.extend(query.check()?);
        Ok((query, warnings))
    }

    /// Plays the game, so that errors in it are reported only once. Returns a warning if the
    /// restrictions exclude all moves at a turn to analyze.
    fn check(&self) -> Result<Option<FieldWarning>, QueryError> {
        let mut warning = None;
        let mut restricted: HashSet<usize> = HashSet::new();
        if !self.restrictions.is_empty() {
            restricted.extend(self.turns.iter().map(|&(turn, _)| turn));
        }
        self.replay(self.moves.len(), |turn, engine| {
            let color = engine.to_move();
            if warning.is_none()
                && restricted.contains(&turn)
                && Restriction::exclude_all(&self.restrictions, color, &engine.legal_moves(color))
            {
                let only = self.restrictions.iter().any(Restriction::admits_only);
                let name = if only { "allowMoves" } else { "avoidMoves" };
                let problem = format!("excludes all legal moves of turn {turn}, ignored there");
                warning = Some(FieldWarning::new(name, problem));
            }
        })?;
        Ok(warning)
    }

    /// Returns an engine in the position after `turn` moves.
    ///
    /// # Errors
    /// If the rules cannot be played on the board or a move is illegal.
    pub fn engine(&self, turn: usize) -> Result<Engine, QueryError> {
        self.replay(turn, |_, _| {})
    }

    /// Returns an engine in the position after `turn` moves. Calls `visit` with each turn up to it
    /// and the engine there.
    fn replay(
        &self,
        turn: usize,
        mut visit: impl FnMut(usize, &Engine),
    ) -> Result<Engine, QueryError> {
        let (goban, rules) = (self.goban.clone(), self.rules.clone());
        let mut engine = Engine::new(goban, rules, self.komi, self.options.clone())
            .map_err(|error| QueryError::field("rules", &error.to_string()))?;
        self.start.set(&mut engine);
        visit(0, &engine);
        for (number, &(color, mv)) in self.moves.iter().take(turn).enumerate() {
            engine.play(color, mv).map_err(|reason| {
                QueryError::field("moves", &format!("Illegal move number {number}: {reason}"))
            })?;
            visit(number + 1, &engine);
        }
        Ok(engine)
    }
}

/// Reads komi, rounded to an allowed value with a warning.
fn komi_of(
    object: &Map<String, Value>,
    warnings: &mut Vec<FieldWarning>,
) -> Result<Option<Points>, QueryError> {
    let Some(value) = get(object, "komi", "a number", Value::as_f64)? else {
        return Ok(None);
    };
    let (points, rounded) = Points::round_from(value)
        .ok_or_else(|| QueryError::field("komi", "not finite, expected a number"))?;
    if rounded {
        warnings.push(rounded_komi("komi", value, points));
    }
    Ok(Some(points))
}

/// Returns the warning about a komi in a field that was rounded.
fn rounded_komi(name: &str, value: impl std::fmt::Debug, points: Points) -> FieldWarning {
    let problem = format!("{value:?} was rounded to {points}, the nearest allowed value");
    FieldWarning::new(name, problem)
}

/// Returns the specification of the query's board.
fn board(defaults: &Defaults, object: &Map<String, Value>) -> Result<Spec, QueryError> {
    let size = |name: &str| {
        let side = |value: &Value| value.as_u64().filter(|side| (1..=52).contains(side));
        get(object, name, "a number from 1 to 52", side)
    };
    match get(object, "graph", "the spec of a board", |v| {
        v.as_str().map(str::to_string)
    })? {
        Some(text) => text
            .parse::<Spec>()
            .map_err(|error| QueryError::field("graph", &error.to_string())),
        None => match (size("boardXSize")?, size("boardYSize")?, &defaults.graph) {
            (None, None, Some(spec)) => Ok(spec.clone()),
            (Some(width), Some(height), _) => Spec::grid(width as usize, height as usize)
                .map_err(|error| QueryError::field("boardXSize", &error.to_string())),
            (width, _, _) => {
                let missing = if width.is_some() {
                    "boardYSize"
                } else {
                    "boardXSize"
                };
                Err(QueryError::field(
                    missing,
                    "missing, expected a number from 1 to 52",
                ))
            }
        },
    }
}

/// Returns the rules of the query, and their komi. Adds warnings about values that were changed.
fn rules(
    defaults: &Defaults,
    object: &Map<String, Value>,
    warnings: &mut Vec<FieldWarning>,
) -> Result<(Ruleset, Points), QueryError> {
    let (mut rules, mut komi) = (defaults.rules.clone(), defaults.komi);
    if let Some(value) = object.get("rules").filter(|value| !value.is_null()) {
        let mut value = value.clone();
        let wrong = |error: kata::UnknownRules| QueryError::field("rules", &error.to_string());
        let given = value.get("komi").and_then(Value::as_f64);
        if let Some((points, rounded)) = kata::take_komi(&mut value).map_err(wrong)? {
            if rounded {
                warnings.push(rounded_komi("rules", given.unwrap_or_default(), points));
            }
            komi = points;
        }
        rules = kata::from_json(&value).map_err(wrong)?;
    }
    if let Some(text) = get(object, "ruleset", "a ruleset", |v| {
        v.as_str().map(str::to_string)
    })? {
        let read = text.parse::<RulesetText>();
        let read = read.map_err(|error| QueryError::field("ruleset", &error.to_string()))?;
        let changed = read.warnings.into_iter();
        warnings.extend(changed.map(|warning| FieldWarning::new("ruleset", warning)));
        rules = read.rules;
        komi = read.komi.unwrap_or(komi);
    }
    let bonus = get(object, "whiteHandicapBonus", "0, N-1 or N", |value| {
        let word = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_ascii_uppercase);
        match word.as_str() {
            "0" => Some(Bonus::None),
            "N-1" => Some(Bonus::AllButOne),
            "N" => Some(Bonus::All),
            _ => None,
        }
    })?;
    rules.bonus = bonus.unwrap_or(rules.bonus);
    Ok((rules, komi))
}
