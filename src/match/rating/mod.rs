//! Ratings of all engines in a set of recorded games. Each board with its rules, komi, and handicap
//! has a separate fit.
//!
//! The model is Bradley and Terry's on the Elo scale, with a draw as half a win. Each rating has a
//! normal prior centered on the anchor. The prior is wide, so a few games outweigh it. It keeps the
//! ratings of engines that won or lost every game finite. The output is the mode of the posterior,
//! found by Newton's method. The 95 % intervals come from its curvature (Laplace's approximation).

mod fit;
mod names;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::MatchError;
use super::record::GameLine;
use super::side::Side;
use super::statistics::Z95;
use crate::files;
use crate::system::tell;
use crate::text::{counted, printable};
use fit::{SCALE, fit, linked};
use names::{Contender, names};

/// Maximum size of a record in bytes, because some devices never end. A longer one is refused.
const MOST_BYTES: u64 = 1 << 30;
/// Maximum number of engines per board. The fit solves a system of as many equations.
const MOST_PLAYERS: usize = 500;

/// Options of `omnigo rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Records of matches, as written by `omnigo match --out`.
    #[arg(required = true, value_name = "FILE.jsonl")]
    pub records: Vec<PathBuf>,
    /// Engine with a known rating: its name in the table, or a part of its name, its command, or
    /// its reported name and version.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "gnugo",
        allow_hyphen_values = true
    )]
    pub anchor: String,
    /// Rating of the anchor.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 1800.0,
        value_parser = finite
    )]
    pub elo: f64,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

fn finite(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err("expected a finite number".into())
    }
}

/// Rating of one engine on one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Command of the engine. Its program is shortened to the fewest folders that make it unique.
    pub engine: String,
    /// Mode of the rating.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for the anchor.
    pub error: f64,
    /// Number of games.
    pub games: u32,
    /// Points in these games, with a draw as half a point.
    pub points: f64,
    /// True if games connect the engine to the anchor, directly or through others. If false, only
    /// the prior determines its rating.
    pub linked: bool,
}

/// Ratings of the engines that played under the same conditions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingTable {
    /// The board.
    pub graph: String,
    /// The referee's rules.
    pub ruleset: String,
    /// Komi, `even` or `even:light`.
    pub komi: String,
    /// Black's handicap stones.
    pub handicap: u32,
    /// True if the anchor played here. If false, the first engine gets its rating.
    pub anchored: bool,
    /// Engines that match the anchor, if there are several. None of them is the anchor then.
    pub ambiguous: Vec<String>,
    /// Number of games left out because they repeat the moves of an earlier game between the same
    /// engines with the same colors.
    pub repeated: u32,
    /// Number of games left out because an engine played against itself.
    pub mirrored: u32,
    /// Ratings, the strongest first.
    pub ratings: Vec<Rating>,
}

/// Game as input of the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Names of the engines.
    pub engines: [String; 2],
    /// Points of the first engine: 1, ½ or 0.
    pub points: f64,
}

/// Reads records and returns the text of the ratings.
///
/// # Errors
/// If a file cannot be read, a line is not a game, or there are no games.
pub fn run(args: &RateArgs) -> Result<String, MatchError> {
    let mut games = Vec::new();
    for path in &args.records {
        games.extend(read(path)?);
    }
    if games.is_empty() {
        return Err(MatchError::Options("no games in these records"));
    }
    let tables: Vec<RatingTable> = by_conditions(games)
        .into_iter()
        .map(|(conditions, games)| table(&conditions, &games, args))
        .collect::<Result<_, MatchError>>()?;
    if args.json {
        return Ok(serde_json::to_string_pretty(&tables)?);
    }
    Ok(tables.iter().map(written).collect::<Vec<_>>().join("\n"))
}

/// Returns the games of a record. Skips an incomplete last line, as a match that resumes from the
/// record does.
fn read(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    let text = files::text(path, MOST_BYTES).map_err(|problem| MatchError::File {
        path: path.to_owned(),
        problem,
    })?;
    let mut games = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(game) => games.push(game),
            Err(_) if !line.ends_with('\n') => {
                tell::warn(format_args!(
                    "the last line of '{}' was cut short and is ignored",
                    printable(&path.display().to_string())
                ));
            }
            Err(problem) => {
                return Err(MatchError::Line {
                    path: path.to_owned(),
                    line: number + 1,
                    problem,
                });
            }
        }
    }
    Ok(games)
}

/// Conditions under which ratings are comparable: board, rules, komi, and handicap.
type Conditions = (String, String, String, u32);

fn by_conditions(games: Vec<GameLine>) -> BTreeMap<Conditions, Vec<GameLine>> {
    let mut groups: BTreeMap<Conditions, Vec<GameLine>> = BTreeMap::new();
    for game in games {
        let of = &game.settings;
        let conditions = (
            of.graph.clone(),
            of.ruleset.clone(),
            of.komi.clone(),
            of.handicap,
        );
        groups.entry(conditions).or_default().push(game);
    }
    groups
}

/// Rates the engines of games under the same conditions.
fn table(
    conditions: &Conditions,
    lines: &[GameLine],
    args: &RateArgs,
) -> Result<RatingTable, MatchError> {
    let contender = |line: &GameLine, side| Contender::of(line, side);
    // A game of an engine against itself tells nothing about its rating.
    let (mirrored, lines): (Vec<&GameLine>, Vec<&GameLine>) = lines
        .iter()
        .partition(|line| contender(line, Side::Black) == contender(line, Side::White));
    let engines: BTreeSet<Contender> = lines
        .iter()
        .flat_map(|line| Side::ALL.map(|side| contender(line, side)))
        .collect();
    // Check the limit before naming, which compares all pairs of engines.
    need_few(engines.len())?;
    let names = names(&engines);
    let name = |line: &GameLine, side| {
        names
            .get(&contender(line, side))
            .cloned()
            .unwrap_or_default()
    };
    let mut seen = HashSet::new();
    let mut repeated = 0;
    let mut games = Vec::new();
    for line in lines {
        let engines = Side::ALL.map(|side| name(line, side));
        // Compare by color, so that a match with exchanged options counts as the same.
        let colors = if line.swapped {
            [&engines[1], &engines[0]].map(String::clone)
        } else {
            engines.clone()
        };
        if !seen.insert((colors, line.content())) {
            repeated += 1;
            continue;
        }
        let points = match line.winner {
            Some(Side::Black) => 1.0,
            Some(Side::White) => 0.0,
            None => 0.5,
        };
        games.push(Played { engines, points });
    }
    let candidates = anchors(&names, &args.anchor);
    let anchor = match candidates[..] {
        [one] => Some(one),
        _ => None,
    };
    let (graph, ruleset, komi, handicap) = conditions.clone();
    Ok(RatingTable {
        graph,
        ruleset,
        komi,
        handicap,
        anchored: anchor.is_some(),
        ambiguous: candidates
            .into_iter()
            .skip(usize::from(anchor.is_some()))
            .map(str::to_owned)
            .collect(),
        repeated,
        mirrored: u32::try_from(mirrored.len()).unwrap_or(u32::MAX),
        ratings: rate(&games, anchor, args.elo)?,
    })
}

/// Returns the engines that match the anchor. An exact name gives one engine. Otherwise, the anchor
/// must be a part of the name, the command, or the answer to `name` and `version`.
fn anchors<'n>(names: &'n BTreeMap<Contender, String>, anchor: &str) -> Vec<&'n str> {
    let exact = names.values().find(|name| *name == anchor);
    let matching = names
        .iter()
        .filter(|(contender, name)| {
            let texts = [*name, &contender.command, &contender.about];
            texts.into_iter().any(|text| text.contains(anchor))
        })
        .map(|(_, name)| name);
    let found: BTreeSet<&str> = match exact {
        Some(name) => BTreeSet::from([name.as_str()]),
        None => matching.map(String::as_str).collect(),
    };
    found.into_iter().collect()
}

fn need_few(engines: usize) -> Result<(), MatchError> {
    if engines > MOST_PLAYERS {
        return Err(MatchError::Options(
            "too many engines on one board, expected at most 500",
        ));
    }
    Ok(())
}

/// Returns the rating of each engine, the strongest first. Without an anchor, the first engine gets
/// its rating.
///
/// # Errors
/// If there are too many engines.
pub fn rate(games: &[Played], anchor: Option<&str>, elo: f64) -> Result<Vec<Rating>, MatchError> {
    let mut names: Vec<&str> = games
        .iter()
        .flat_map(|game| game.engines.iter().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    need_few(names.len())?;
    let anchored = names.iter().position(|name| Some(*name) == anchor);
    let fixed = anchored.unwrap_or(0);
    let place = |name: &str| names.binary_search(&name).unwrap_or(fixed);
    let pairs: Vec<(usize, usize, f64)> = games
        .iter()
        .map(|game| {
            let [one, other] = &game.engines;
            (place(one), place(other), game.points)
        })
        .collect();
    let (values, errors) = fit(names.len(), fixed, &pairs);
    let linked = linked(names.len(), fixed, &pairs);
    let mut ratings: Vec<Rating> = names
        .iter()
        .zip(values.iter().zip(&errors))
        .enumerate()
        .map(|(player, (name, (value, error)))| {
            let of = |&(one, other, points): &(usize, usize, f64)| {
                f64::from(u8::from(one == player)) * points
                    + f64::from(u8::from(other == player)) * (1.0 - points)
            };
            let played = pairs
                .iter()
                .filter(|pair| pair.0 == player || pair.1 == player);
            Rating {
                engine: (*name).to_owned(),
                elo: elo + SCALE * value,
                error: Z95 * SCALE * error,
                games: u32::try_from(played.count()).unwrap_or(u32::MAX),
                points: pairs.iter().map(of).sum(),
                linked: linked.contains(&player),
            }
        })
        .collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Ok(ratings)
}

fn written(table: &RatingTable) -> String {
    let mut text = format!(
        "{}, {}, komi {}",
        printable(&table.graph),
        printable(&table.ruleset),
        printable(&table.komi)
    );
    if table.handicap > 0 {
        text += &format!(", {} handicap stones", table.handicap);
    }
    text.push('\n');
    if !table.ambiguous.is_empty() {
        text += &format!(
            "(the anchor is ambiguous, it may be any of: {})\n",
            table.ambiguous.join("; ")
        );
    } else if !table.anchored {
        text += "(the anchor did not play here: only rating differences are meaningful)\n";
    }
    if table.repeated > 0 {
        let games = counted(table.repeated.into(), "repeated game");
        text += &format!("(ignored: {games})\n");
    }
    if table.mirrored > 0 {
        let games = counted(table.mirrored.into(), "game");
        text += &format!("(ignored: {games} of an engine against itself)\n");
    }
    text += &format!(
        "{:>6} {:>6} {:>6} {:>7}  {}\n",
        "elo", "± 95%", "games", "score", "engine"
    );
    for rating in &table.ratings {
        text += &format!(
            "{:>6.0} {:>6.0} {:>6} {:>6.1}%  {}\n",
            rating.elo,
            rating.error,
            rating.games,
            100.0 * rating.points / f64::from(rating.games.max(1)),
            rating.engine
        );
    }
    let apart = table.ratings.iter().filter(|rating| !rating.linked);
    if apart.clone().next().is_some() {
        let apart: Vec<&str> = apart.map(|rating| rating.engine.as_str()).collect();
        text += &format!("(no games connect to the others: {})\n", apart.join("; "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(one: &str, other: &str, wins: usize, losses: usize) -> Vec<Played> {
        let game = |points| Played {
            engines: [one.to_owned(), other.to_owned()],
            points,
        };
        let won = (0..wins).map(|_| game(1.0));
        won.chain((0..losses).map(|_| game(0.0))).collect()
    }

    fn elo(ratings: &[Rating], engine: &str) -> f64 {
        ratings.iter().find(|r| r.engine == engine).unwrap().elo
    }

    #[test]
    fn too_many_engines_are_rejected() {
        let against_all: Vec<Played> = (0..MOST_PLAYERS)
            .flat_map(|number| games("one", &format!("engine {number}"), 1, 1))
            .collect();
        assert!(rate(&against_all, None, 0.0).is_err());
        assert!(need_few(MOST_PLAYERS).is_ok() && need_few(MOST_PLAYERS + 1).is_err());
    }

    #[test]
    fn one_pairing_gives_the_elo_of_its_score() {
        let ratings = rate(&games("a", "gnugo", 750, 250), Some("gnugo"), 1800.0).unwrap();
        assert_eq!(elo(&ratings, "gnugo"), 1800.0);
        // 400 log10 3, and 95 % of a binomial distribution with 1000 games.
        assert!((elo(&ratings, "a") - 1990.8).abs() < 1.0, "{ratings:?}");
        let error = Z95 * SCALE / (1000.0f64 * 0.75 * 0.25).sqrt();
        assert!((ratings[0].error - error).abs() < 0.3, "{ratings:?}");
    }

    #[test]
    fn ratings_add_up_along_chains_and_stay_finite() {
        let mut all = games("gnugo", "a", 100, 300);
        all.extend(games("b", "a", 300, 100));
        all.extend(games("c", "b", 20, 0));
        let ratings = rate(&all, Some("gnugo"), 0.0).unwrap();
        let (a, b, c) = (elo(&ratings, "a"), elo(&ratings, "b"), elo(&ratings, "c"));
        assert!(
            (a - 190.8).abs() < 6.0 && (b - a - 190.8).abs() < 6.0,
            "{ratings:?}"
        );
        assert!(c > b + 300.0 && c < 3000.0, "{ratings:?}");
        let order: Vec<&str> = ratings.iter().map(|r| r.engine.as_str()).collect();
        assert_eq!(order, ["c", "b", "a", "gnugo"]);
    }

    #[test]
    fn without_an_anchor_the_mean_is_fixed() {
        let ratings = rate(&games("x", "y", 1, 1), None, 1800.0).unwrap();
        assert!(ratings.iter().all(|r| (r.elo - 1800.0).abs() < 1e-6));
        assert!(rate(&[], None, 0.0).unwrap().is_empty());
    }

    #[test]
    fn engines_not_linked_to_the_anchor_are_marked() {
        let mut all = games("gnugo", "a", 3, 1);
        all.extend(games("b", "c", 3, 1));
        let ratings = rate(&all, Some("gnugo"), 1800.0).unwrap();
        let linked = |engine| ratings.iter().find(|r| r.engine == engine).unwrap().linked;
        assert_eq!(
            ["gnugo", "a", "b", "c"].map(linked),
            [true, true, false, false]
        );
    }
}
