//! `omnigo count`: counts positions, games, and move sequences.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use num_bigint::{BigInt, BigUint, Sign};
use serde_json::{Map, Value, json};

use super::args::{board, engine_for};
use super::end::{CliError, Report, Status};
use crate::engine::NotOrdinary;
use crate::exact::count::{
    Budget, GamesError, MoveStatistics, Progress, bounds, games, polynomial, positions, statistics,
};
use crate::files::ReadingArgs;
use crate::graph::Graph;
use crate::graph::goban::Goban;
use crate::graph::spec::{Spec, SpecError};
use crate::progress::Task;
use crate::rules::RulesetText;
use crate::system::ctrl_c::raise_on_ctrl_c;
use crate::system::tell;
use crate::text::{nearest, quote};

/// Arguments of `omnigo count`.
#[derive(Debug, Args)]
pub struct CountArgs {
    /// Board, for example grid:9 or edges:a-b,b-c, and the quantity to count: positions, games,
    /// perft, polynomial or moves. With --graph, only the quantity.
    #[arg(value_names = ["SPEC", "WHAT"], required = true, num_args = 1..=2, value_parser = word)]
    words: Vec<Word>,
    /// Board; only WHAT follows.
    #[arg(long, help_heading = "Board", value_name = "SPEC")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Number of stone colors: 2 for games and moves, 2 to 8 for perft.
    #[arg(
        long,
        value_name = "K",
        default_value_t = 2,
        value_parser = crate::arguments::whole::<u32>(..)
    )]
    colors: u32,
    /// Number of moves per sequence, for perft.
    #[arg(long, value_name = "D", value_parser = crate::arguments::whole::<u32>(..))]
    depth: Option<u32>,
    /// Maximum number of games, for games; stop if there are more.
    #[arg(long, value_name = "N", value_parser = crate::arguments::limit)]
    limit: Option<u128>,
    /// Ruleset, for perft [default: tromp-taylor].
    #[arg(long, alias = "rules", value_name = "NAME")]
    ruleset: Option<RulesetText>,
    /// Stones at the start, for perft: X black, O white, . empty [default: the starting stones of
    /// the board].
    #[arg(long, value_name = "XO.")]
    position: Option<String>,
    /// Maximum seconds for the whole task [default: unlimited].
    #[arg(long, help_heading = "Limits", value_name = "S", value_parser = crate::arguments::seconds)]
    seconds: Option<f64>,
    /// Maximum memory of the tables in MiB.
    #[arg(long, help_heading = "Limits", value_name = "MIB", default_value_t = 4096, value_parser = crate::arguments::whole::<u32>(16..=1_048_576))]
    memory: u32,
    /// Print one JSON object instead of the number.
    #[arg(long)]
    json: bool,
}

/// Quantities that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Legal positions with stones of --colors colors.
    Positions,
    /// Games under positional superko: simple paths from the empty position in the game graph.
    Games,
    /// Sequences of --depth moves from the start under --ruleset.
    Perft,
    /// The Go polynomial: legal positions for every number k of colors.
    Polynomial,
    /// Statistics of the game graph: positions and the moves between them.
    Moves,
}

impl What {
    fn names() -> impl Iterator<Item = &'static str> {
        What::value_variants().iter().map(|what| what.name())
    }

    /// Returns all names for a message.
    fn listed() -> String {
        format!("one of {}", What::names().collect::<Vec<_>>().join(", "))
    }

    fn name(self) -> &'static str {
        match self {
            What::Positions => "positions",
            What::Games => "games",
            What::Perft => "perft",
            What::Polynomial => "polynomial",
            What::Moves => "moves",
        }
    }
}

/// Positional argument: the quantity or the board.
#[derive(Clone, Debug)]
enum Word {
    What(What),
    Board(Spec),
}

/// Reads a positional argument. A word that is no quantity is a board.
fn word(text: &str) -> Result<Word, String> {
    if let Ok(what) = What::from_str(text, false) {
        return Ok(Word::What(what));
    }
    text.parse().map(Word::Board).map_err(|error: SpecError| {
        let quantities = What::names();
        let near = match error {
            SpecError::UnknownFamily(_) => nearest(text, quantities),
            _ => None,
        };
        // A misspelled quantity reads like an unknown family.
        near.map_or_else(
            || error.to_string(),
            |near| {
                let all = What::listed();
                let text = quote(text);
                format!("unknown quantity '{text}', expected {all}; did you mean '{near}'?")
            },
        )
    })
}

impl CountArgs {
    /// Returns the quantity and the board, whatever their order.
    fn parts(&self) -> Result<(What, &Spec), CliError> {
        let problem = |problem: &str| {
            let problem = format!("{problem}, expected SPEC WHAT or --graph SPEC WHAT");
            Err(CliError::Arguments(problem))
        };
        let parts = match (&self.graph, self.words.as_slice()) {
            (Some(board), [Word::What(what)])
            | (
                None,
                [Word::Board(board), Word::What(what)] | [Word::What(what), Word::Board(board)],
            ) => (*what, board),
            (None, [Word::What(_)]) => return problem("missing board"),
            (_, [Word::Board(_)]) => {
                let all = What::listed();
                return problem(&format!("missing quantity ({all})"));
            }
            _ => return problem("wrong number of boards or quantities"),
        };
        if parts.0 == What::Perft && self.depth.is_none() {
            return Err(CliError::arguments(
                "missing depth for perft, expected --depth D",
            ));
        }
        self.check_options(parts.0)?;
        Ok(parts)
    }

    /// Warns about options that do not affect this quantity, and checks the number of colors.
    fn check_options(&self, what: What) -> Result<(), CliError> {
        let options = [
            ("--depth", self.depth.is_some(), What::Perft),
            ("--ruleset", self.ruleset.is_some(), What::Perft),
            ("--position", self.position.is_some(), What::Perft),
            ("--limit", self.limit.is_some(), What::Games),
        ];
        for (option, given, only) in options {
            if given && only != what {
                let only = only.name();
                tell::warn(format!(
                    "{option} has an effect only with {only}, not with {}",
                    what.name()
                ));
            }
        }
        let problem = |expected: &str| {
            let (colors, what) = (self.colors, what.name());
            let problem = format!("--colors {colors}, expected {expected} for {what}");
            Err(CliError::Arguments(problem))
        };
        match (what, self.colors) {
            (What::Games | What::Moves, colors) if colors != 2 => problem("2"),
            (What::Perft, colors) if !(2..=8).contains(&colors) => problem("2 to 8"),
            (What::Positions | What::Polynomial | What::Games | What::Moves | What::Perft, _) => {
                Ok(())
            }
        }
    }
}

/// A result: its text, the number (`None` if unknown), and more fields for JSON.
struct CountResult {
    text: String,
    count: Option<String>,
    more: Vec<(&'static str, Value)>,
    status: Status,
}

/// Counts, and reports the result.
pub fn run(arguments: &CountArgs) -> Result<Report, CliError> {
    let begun = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    raise_on_ctrl_c(Arc::clone(&stop));
    let (what, spec) = arguments.parts()?;
    let goban = board(spec, &arguments.reading)?;
    let spec = goban.spec.to_string();
    let limit = arguments
        .seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let task = match what {
        What::Positions | What::Polynomial => Task::of_steps(),
        What::Games | What::Perft | What::Moves => Task::open(limit),
    };
    let tell = |Progress { done, of, states }: Progress| {
        task.step(done, of);
        task.note(format!("{states} states"));
    };
    let budget = Budget {
        memory: (arguments.memory as usize) << 20,
        stop: &stop,
        deadline: limit.and_then(|time| begun.checked_add(time)),
        progress: task.is_shown().then_some(&tell),
    };
    let found = count(arguments, what, goban, &budget);
    drop(task);
    let found = found?;
    if !arguments.json {
        return Ok(Report {
            text: found.text,
            status: found.status,
        });
    }
    let mut object = Map::new();
    object.insert("graph".to_string(), json!(spec));
    object.insert("what".to_string(), json!(what.name()));
    object.insert("colors".to_string(), json!(arguments.colors));
    object.insert("count".to_string(), json!(found.count));
    for (key, value) in found.more {
        object.insert(key.to_string(), value);
    }
    let seconds = begun.elapsed().as_secs_f64();
    object.insert("seconds".to_string(), json!(seconds));
    Ok(Report {
        text: Value::Object(object).to_string(),
        status: found.status,
    })
}

fn count(
    arguments: &CountArgs,
    what: What,
    goban: Goban,
    budget: &Budget<'_>,
) -> Result<CountResult, CliError> {
    let graph = match what {
        What::Perft => return sequences(arguments, goban, budget),
        What::Positions | What::Games | What::Polynomial | What::Moves => ordinary(&goban)?,
    };
    match what {
        What::Positions => count_positions(&graph, arguments.colors, budget),
        What::Games => count_games(&graph, arguments.limit, budget),
        What::Polynomial => find_polynomial(&graph, arguments.colors, budget),
        What::Moves => describe_moves(&graph, budget),
        What::Perft => unreachable!("counted above"),
    }
}

fn ordinary(goban: &Goban) -> Result<Arc<Graph>, CliError> {
    let graph = goban.ordinary_graph().cloned();
    graph.ok_or_else(|| CliError::arguments(NotOrdinary::new(goban)))
}

impl CountResult {
    fn exactly(count: impl ToString) -> CountResult {
        CountResult {
            text: count.to_string(),
            count: Some(count.to_string()),
            more: Vec::new(),
            status: Status::Complete,
        }
    }

    /// A lower bound, and an upper bound if known.
    fn at_least(lower: impl ToString, upper: Option<String>, why: impl ToString) -> CountResult {
        let lower = lower.to_string();
        CountResult {
            text: match &upper {
                Some(upper) => format!("unsolved {lower}..{upper}"),
                None => format!("unsolved {lower}.."),
            },
            count: None,
            more: vec![("lower", json!(lower)), ("upper", json!(upper))],
            status: Status::Unfinished(why.to_string()),
        }
    }
}

fn count_positions(
    graph: &Graph,
    colors: u32,
    budget: &Budget<'_>,
) -> Result<CountResult, CliError> {
    match positions(graph, colors, budget) {
        Ok(count) => Ok(CountResult::exactly(count)),
        Err(error) => {
            let (lower, upper) = bounds(graph, colors);
            Ok(CountResult::at_least(lower, Some(upper.to_string()), error))
        }
    }
}

fn count_games(
    graph: &Arc<Graph>,
    limit: Option<u128>,
    budget: &Budget<'_>,
) -> Result<CountResult, CliError> {
    match games(graph, limit, budget) {
        Ok(games) => Ok(CountResult {
            more: vec![("longest", json!(games.longest))],
            ..CountResult::exactly(games.count)
        }),
        Err(error @ GamesError::More(limit)) => Ok(CountResult {
            text: String::new(),
            ..CountResult::at_least(BigUint::from(limit) + 1u32, None, error)
        }),
        Err(error @ (GamesError::Stopped(lower) | GamesError::Memory(lower))) => {
            Ok(CountResult::at_least(lower, None, error))
        }
        Err(error @ GamesError::Overflow) => Ok(CountResult::at_least(
            BigUint::from(2u32).pow(128),
            None,
            error,
        )),
        Err(error @ GamesError::Large { .. }) => {
            // Every position ends at least one game of its own.
            let (lower, _) = bounds(graph, 2);
            Ok(CountResult::at_least(lower, None, error))
        }
    }
}

fn sequences(
    arguments: &CountArgs,
    goban: Goban,
    budget: &Budget<'_>,
) -> Result<CountResult, CliError> {
    let position = arguments.position.as_deref();
    let ruleset = match &arguments.ruleset {
        Some(ruleset) => Ok(ruleset.clone()),
        None => "tromp-taylor".parse(),
    };
    let mut ruleset: RulesetText = ruleset.map_err(CliError::arguments)?;
    ruleset.rules.colors = arguments.colors as usize;
    let engine = engine_for(goban, ruleset, position)?;
    let depth = arguments.depth.unwrap_or(0);
    let found = match engine.perft(depth, budget) {
        Ok(count) => CountResult::exactly(count),
        Err(error) => {
            let placements = engine.goban().graph.vertices() as u64;
            let most = BigUint::from(placements + 1).pow(depth.min(10_000));
            let upper = (depth <= 10_000).then(|| most.to_string());
            CountResult::at_least(error.0, upper, error)
        }
    };
    let mut more = vec![
        ("depth", json!(depth)),
        ("ruleset", json!(engine.rules().to_string())),
    ];
    more.extend(found.more);
    Ok(CountResult { more, ..found })
}

fn find_polynomial(
    graph: &Graph,
    colors: u32,
    budget: &Budget<'_>,
) -> Result<CountResult, CliError> {
    let coefficients = match polynomial(graph, budget) {
        Ok(coefficients) => coefficients,
        Err(error) => {
            // The polynomial itself is unknown, and only its value has bounds.
            let (lower, upper) = bounds(graph, colors);
            return Ok(CountResult {
                text: String::new(),
                ..CountResult::at_least(lower, Some(upper.to_string()), error)
            });
        }
    };
    let at = BigInt::from(colors);
    let terms = coefficients.iter().rev();
    let value = terms.fold(BigInt::ZERO, |sum, c| sum * &at + c);
    let listed: Vec<String> = coefficients.iter().map(BigInt::to_string).collect();
    Ok(CountResult {
        text: polynomial_text(&coefficients),
        more: vec![("coefficients", json!(listed))],
        ..CountResult::exactly(value)
    })
}

/// Formats a polynomial in k, with the highest power first: `2k^2 - k + 1`.
fn polynomial_text(coefficients: &[BigInt]) -> String {
    let mut text = String::new();
    for (power, coefficient) in coefficients.iter().enumerate().rev() {
        if coefficient.sign() == Sign::NoSign {
            continue;
        }
        let negative = coefficient.sign() == Sign::Minus;
        text.push_str(match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        let size = coefficient.magnitude().to_string();
        if size != "1" || power == 0 {
            text.push_str(&size);
        }
        match power {
            0 => {}
            1 => text.push('k'),
            power => text.push_str(&format!("k^{power}")),
        }
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

fn describe_moves(graph: &Arc<Graph>, budget: &Budget<'_>) -> Result<CountResult, CliError> {
    let found = match statistics(graph, budget) {
        Ok(found) => found,
        Err(error) => {
            return Ok(CountResult {
                text: String::new(),
                count: None,
                more: Vec::new(),
                status: Status::Unfinished(error.to_string()),
            });
        }
    };
    let MoveStatistics {
        positions,
        moves,
        idle,
        captures,
        suicides,
        by_moves,
    } = &found;
    let lines = [
        ("positions", positions.to_string()),
        ("moves", moves.to_string()),
        ("moves per position", average(*moves, *positions)),
        ("captures", captures.to_string()),
        ("suicides of several stones", suicides.to_string()),
        ("suicides of single stones (not moves)", idle.to_string()),
    ];
    let mut text: Vec<String> = lines.map(|(name, value)| format!("{name}: {value}")).into();
    let histogram = by_moves.iter().enumerate().filter(|&(_, &count)| count > 0);
    for (moves, count) in histogram {
        text.push(format!("positions with {moves} moves: {count}"));
    }
    Ok(CountResult {
        text: text.join("\n"),
        count: Some(moves.to_string()),
        more: vec![
            ("positions", json!(positions.to_string())),
            ("captures", json!(captures.to_string())),
            ("suicides", json!(suicides.to_string())),
            ("idle", json!(idle.to_string())),
            ("by_moves", json!(by_moves)),
        ],
        status: Status::Complete,
    })
}

/// Formats a quotient with four decimals.
fn average(sum: u64, number: u64) -> String {
    let scaled = u128::from(sum) * 10_000 / u128::from(number.max(1));
    format!("{}.{:04}", scaled / 10_000, scaled % 10_000)
}
