//! Query: a game, the turns to analyze, and the requested data.

use serde_json::{Map, Value};

use super::Defaults;
use super::field::{PLAYED, color, get, played, position, restrictions, turns};
use super::problem::{Field, QueryError};
use crate::color::Color;
use crate::engine::{Engine, Guidance, Options, Parameter, Parameters, Restriction};
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::net::katago::{ParseProfileError, Profile};
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
    start: Option<Vec<Option<Color>>>,
    handicap: u32,
    first: Option<Color>,
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
const LONGEST: f64 = 1e8;
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
    ) -> Result<(Query, Vec<Field>), QueryError> {
        let id = id_of(object)?;
        let mut warnings: Vec<Field> = object
            .keys()
            .filter(|name| !KNOWN.contains(&name.as_str()))
            .map(|name| Field {
                name: quote(name),
                problem: "unknown, ignored".to_string(),
            })
            .collect();
        let (goban, own) = boards.find(board(defaults, object)?)?;
        let (rules, mut komi) = rules(defaults, object)?;
        if let Some(points) = komi_of(object, &mut warnings)? {
            komi = points;
        }
        let colors = rules.colors;
        let moves = played(&goban, colors, object, "moves")?;
        let moves = moves
            .ok_or_else(|| QueryError::field("moves", &format!("missing, expected {PLAYED}")))?;
        let stones = played(&goban, colors, object, "initialStones")?;
        let player = get(object, "initialPlayer", "B or W", |value| {
            color(value.as_str()?, colors)
        })?;
        let only_black = |stones: &[(Color, Move)]| {
            !stones.is_empty() && stones.iter().all(|(color, _)| *color == Color::BLACK)
        };
        let start = match &stones {
            Some(stones) => Some(position(&goban, stones)?),
            None => None,
        };
        let given = stones.as_deref().filter(|stones| only_black(stones));
        let to_white = player.is_none_or(|player| player == Color::WHITE);
        let handicap = given.map(<[_]>::len);
        let handicap = handicap.filter(|&stones| stones > 1 && to_white);
        let first = player
            .or_else(|| moves.first().map(|&(color, _)| color))
            .or_else(|| given.map(|_| Color::WHITE));
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
        let playouts = get(object, "maxVisits", "a number above 0", positive)?;
        let yes = |name| Ok(get(object, name, "true or false", Value::as_bool)?.unwrap_or(false));
        let seconds = |value: &Value| {
            let seconds = value.as_f64().filter(|&s| s > 0.0);
            seconds.map(|s| s.min(LONGEST))
        };
        let query = Query {
            id,
            // A parsed query takes a few times the memory of its text.
            bytes: own + 4 * length,
            handicap: handicap.map_or(0, |stones| u32::try_from(stones).unwrap_or(u32::MAX)),
            turns: turns(object, moves.len())?,
            restrictions: restrictions(&goban, colors, object)?,
            goban,
            rules,
            komi,
            start,
            first,
            moves,
            options: settings.options(defaults)?,
            playouts: playouts.or(settings.playouts).unwrap_or(defaults.playouts),
            seconds: settings.seconds,
            report_every: get(
                object,
                "reportDuringSearchEvery",
                "seconds above 0",
                seconds,
            )?,
            perspective: settings.perspective,
            ownership: yes("includeOwnership")?,
            moves_ownership: yes("includeMovesOwnership")?,
            ownership_deviation: yes("includeOwnershipStdev")?,
            pv_visits: yes("includePVVisits")?,
            policy: yes("includePolicy")?,
        };
        // Report errors in the game now, only once.
        query.engine(query.moves.len())?;
        Ok((query, warnings))
    }

    /// Returns an engine in the position after `turn` moves.
    ///
    /// # Errors
    /// If the rules cannot be played on the board or a move is illegal.
    pub fn engine(&self, turn: usize) -> Result<Engine, QueryError> {
        let (goban, rules) = (self.goban.clone(), self.rules.clone());
        let mut engine = Engine::new(goban, rules, self.komi, self.options.clone())
            .map_err(|error| QueryError::field("rules", &error.to_string()))?;
        if self.start.is_some() || self.first.is_some() {
            let empty = engine.position();
            let start = self.start.as_deref().unwrap_or(&empty);
            engine.set_start(start, self.first, self.handicap);
        }
        for (number, &(color, mv)) in self.moves.iter().take(turn).enumerate() {
            engine.play(color, mv).map_err(|reason| {
                QueryError::field("moves", &format!("Illegal move number {number}: {reason}"))
            })?;
        }
        Ok(engine)
    }
}

/// Supported settings of `overrideSettings`.
struct Settings {
    playouts: Option<u64>,
    seconds: Option<f64>,
    perspective: Perspective,
    handicap_moves: Option<bool>,
    profile: Option<Profile>,
    /// Parameters of searches that a network guides, with valid values.
    parameters: Vec<(&'static Parameter, String)>,
}

impl Settings {
    /// Returns the guidance with the parameters of the query.
    fn guidance(&self, guidance: Option<&Guidance>) -> Option<Guidance> {
        let mut guidance = guidance?.clone();
        for (parameter, value) in &self.parameters {
            // The value has been checked.
            let _ = parameter.set(&mut guidance.parameters, value);
        }
        Some(guidance)
    }

    /// Reads a parameter of searches that a network guides.
    fn read_parameter(
        &mut self,
        parameter: &'static Parameter,
        value: &Value,
    ) -> Result<(), QueryError> {
        // KataGo takes the values as strings too.
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let checked = parameter.set(&mut Parameters::katago(), &text);
        checked.map_err(|expected| {
            let problem = format!("{} {}, expected {expected}", parameter.name, quote(&text));
            QueryError::field("overrideSettings", &problem)
        })?;
        self.parameters.push((parameter, text));
        Ok(())
    }

    fn read(
        settings: &Map<String, Value>,
        warnings: &mut Vec<Field>,
    ) -> Result<Settings, QueryError> {
        let mut read = Settings {
            playouts: None,
            seconds: None,
            perspective: Perspective::Of(Color::BLACK),
            handicap_moves: None,
            profile: None,
            parameters: Vec::new(),
        };
        let number = |name, value: &Value| {
            let number = value.as_f64().filter(|&number| number > 0.0);
            let value = quote(&value.to_string());
            let problem = format!("{name} {value}, expected a number above 0");
            number.ok_or_else(|| QueryError::field("overrideSettings", &problem))
        };
        for (name, value) in settings {
            match name.as_str() {
                "maxVisits" | "maxPlayouts" => {
                    read.playouts = Some(number(name, value)?.max(1.0) as u64)
                }
                "maxTime" => read.seconds = Some(number(name, value)?.min(LONGEST)),
                "assumeMultipleStartingBlackMovesAreHandicap" => {
                    let Some(count) = value.as_bool() else {
                        let problem = format!("{name} {value}, expected true or false");
                        return Err(QueryError::field("overrideSettings", &problem));
                    };
                    read.handicap_moves = Some(count);
                }
                "humanSLProfile" => {
                    let profile = value.as_str().unwrap_or_default().parse();
                    let profile = profile.map_err(|problem: ParseProfileError| {
                        QueryError::field("overrideSettings", &problem.to_string())
                    });
                    read.profile = Some(profile?);
                }
                "reportAnalysisWinratesAs" => {
                    let word = value.as_str().unwrap_or_default().to_ascii_uppercase();
                    read.perspective = match word.as_str() {
                        "BLACK" => Perspective::Of(Color::BLACK),
                        "WHITE" => Perspective::Of(Color::WHITE),
                        "SIDETOMOVE" => Perspective::ToMove,
                        _ => {
                            let value = quote(&value.to_string());
                            let problem =
                                format!("{name} {value}, expected BLACK, WHITE or SIDETOMOVE");
                            return Err(QueryError::field("overrideSettings", &problem));
                        }
                    };
                }
                _ => match Parameter::find(name) {
                    Some(parameter) => read.read_parameter(parameter, value)?,
                    None => warnings.push(Field {
                        name: "overrideSettings".to_string(),
                        problem: format!("{} is unknown, ignored", quote(name)),
                    }),
                },
            }
        }
        Ok(read)
    }

    /// Returns the options of the query's searches.
    ///
    /// # Errors
    /// If there is a profile, but no human-style network.
    fn options(&self, defaults: &Defaults) -> Result<Options, QueryError> {
        let mut options = Options {
            resign_below: 0.0,
            handicap_moves: self
                .handicap_moves
                .unwrap_or(defaults.options.handicap_moves),
            guidance: self.guidance(defaults.options.guidance.as_ref()),
            memory_mib: (defaults.options.memory_mib / defaults.positions.max(1)).max(16),
            ..defaults.options.clone()
        };
        if let Some(profile) = self.profile {
            let guidance = options.guidance.as_mut();
            let Some(guidance) = guidance.filter(|guidance| guidance.network.imitates()) else {
                let problem =
                    format!("humanSLProfile {profile}, expected --net with a human-style network");
                return Err(QueryError::field("overrideSettings", &problem));
            };
            guidance.profile = Some(profile);
        }
        Ok(options)
    }
}

/// Reads komi, rounded to an allowed value with a warning.
fn komi_of(
    object: &Map<String, Value>,
    warnings: &mut Vec<Field>,
) -> Result<Option<Points>, QueryError> {
    let Some(value) = get(object, "komi", "a number", Value::as_f64)? else {
        return Ok(None);
    };
    let (points, rounded) = Points::round_from(value)
        .ok_or_else(|| QueryError::field("komi", "not finite, expected a number"))?;
    if rounded {
        warnings.push(Field {
            name: "komi".to_string(),
            problem: format!("{value:?} was rounded to {points}, the nearest allowed value"),
        });
    }
    Ok(Some(points))
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

fn rules(
    defaults: &Defaults,
    object: &Map<String, Value>,
) -> Result<(Ruleset, Points), QueryError> {
    let (mut rules, mut komi) = (defaults.rules.clone(), defaults.komi);
    if let Some(value) = object.get("rules").filter(|value| !value.is_null()) {
        let mut value = value.clone();
        let wrong = |error: kata::UnknownRules| QueryError::field("rules", &error.to_string());
        if let Some((points, _)) = kata::take_komi(&mut value).map_err(wrong)? {
            komi = points;
        }
        rules = kata::from_json(&value).map_err(wrong)?;
    }
    if let Some(text) = get(object, "ruleset", "a ruleset", |v| {
        v.as_str().map(str::to_string)
    })? {
        let read = text.parse::<RulesetText>();
        let read = read.map_err(|error| QueryError::field("ruleset", &error.to_string()))?;
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
