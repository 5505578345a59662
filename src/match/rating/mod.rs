//! Ratings of all engines in a set of recorded games: one fit for each board, with its rules, komi and handicap.
//!
//! The model is Bradley and Terry's with the Elo scale, a draw being half a win. Each rating has a normal prior around the
//! anchor, so wide that a few games outweigh it; it keeps engines that won or lost everything finite. What is printed is the
//! mode of the posterior, found by Newton's method, with 95 % intervals from its curvature (Laplace's approximation).

mod fit;
mod names;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::MatchError;
use super::record::GameLine;
use super::side::Side;
use super::statistics::Z95;
use crate::text::printable;
use fit::{SCALE, fit, linked};
use names::{Contender, names};

/// Of a record no more is read: some devices never end.
const MOST_BYTES: u64 = 1 << 30;
/// Engines on one board: the fit solves equations of that many unknowns.
const MOST_PLAYERS: usize = 500;

/// Options of `omnigo rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Records of matches, as `omnigo match --out` writes them.
    #[arg(required = true, value_name = "FILE.jsonl")]
    pub records: Vec<PathBuf>,
    /// The engine whose rating is given: its name in the table, or a part of that, of its command or of what it calls itself.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "gnugo",
        allow_hyphen_values = true
    )]
    pub anchor: String,
    /// Its rating.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 1800.0,
        allow_negative_numbers = true,
        value_parser = finite
    )]
    pub elo: f64,
    /// One JSON object instead of tables.
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

/// What one engine is worth on one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The engine's command, its program with no more folders than tell it from others.
    pub engine: String,
    /// The mode of its rating.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for the anchor.
    pub error: f64,
    /// Games it played.
    pub games: u32,
    /// Points it made, a draw half a point.
    pub points: f64,
    /// Whether games tie it to the anchor, through other engines or not; if not, only the prior places it.
    pub linked: bool,
}

/// Ratings of the engines that played under the same conditions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The board.
    pub graph: String,
    /// The referee's rules.
    pub ruleset: String,
    /// Komi, `even` or `even:light`.
    pub komi: String,
    /// Black's handicap stones.
    pub handicap: u32,
    /// Whether the anchor played there; where it did not, the first engine has its rating.
    pub anchored: bool,
    /// The engines that the anchor may be, where there are several: then none of them is.
    pub ambiguous: Vec<String>,
    /// Games left out because their moves are those of an earlier game of the same engines with the same colors.
    pub repeated: u32,
    /// The strongest first.
    pub ratings: Vec<Rating>,
}

/// One game as the fit sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Engines by name.
    pub engines: [String; 2],
    /// Points of the first: 1, ½ or 0.
    pub points: f64,
}

/// Reads records and prints the ratings.
///
/// # Errors
/// When a file cannot be read, a line is no game, or there is none.
pub fn run(args: &RateArgs) -> Result<String, MatchError> {
    let mut games = Vec::new();
    for path in &args.records {
        games.extend(read(path)?);
    }
    if games.is_empty() {
        return Err(MatchError::Options("no games in these records"));
    }
    let tables: Vec<Table> = by_conditions(games)
        .into_iter()
        .map(|(conditions, games)| table(&conditions, &games, args))
        .collect::<Result<_, MatchError>>()?;
    if args.json {
        return Ok(serde_json::to_string_pretty(&tables)?);
    }
    Ok(tables.iter().map(written).collect::<Vec<_>>().join("\n"))
}

/// The games of a record; a last line that was cut short is left out, as a match does that goes on with the record.
fn read(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|problem| MatchError::File {
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
                eprintln!(
                    "warning: the last line of '{}' was cut short and is left out",
                    path.display()
                );
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

/// What has to be the same for games to be about the same strengths: board, rules, komi, handicap.
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

/// Rates the engines of games that were played under the same conditions.
fn table(
    conditions: &Conditions,
    lines: &[GameLine],
    args: &RateArgs,
) -> Result<Table, MatchError> {
    let contender = |line: &GameLine, side| Contender::of(line, side);
    let engines: BTreeSet<Contender> = lines
        .iter()
        .flat_map(|line| Side::ALL.map(|side| contender(line, side)))
        .collect();
    // Before they are named, for which each is compared with the others.
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
        // By color, so that a match with the engines' options exchanged counts as the same.
        let colors = if line.swapped {
            [&engines[1], &engines[0]].map(String::clone)
        } else {
            engines.clone()
        };
        // A fault says something each time, whatever was played before; when it was played tells it from its copy.
        let when = line.fault.map(|_| line.total_seconds.to_bits());
        let komi = line.komi.map(f64::to_bits);
        if !seen.insert((colors, &line.moves, komi, when)) {
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
    Ok(Table {
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
        ratings: rate(&games, anchor, args.elo)?,
    })
}

/// The engines that an anchor may be: the one of that very name, or all that have it as a part of their name, their command or
/// what they call themselves.
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
            "more than 500 engines on one board, expected fewer",
        ));
    }
    Ok(())
}

/// The rating of each engine, the strongest first; where there is no anchor, the first engine has its rating.
///
/// # Errors
/// When there are too many engines for the equations.
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

fn written(table: &Table) -> String {
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
            "(the anchor may be any of: {})\n",
            table.ambiguous.join("; ")
        );
    } else if !table.anchored {
        text += "(the anchor did not play here: only differences mean something)\n";
    }
    if table.repeated > 0 {
        text += &format!(
            "({} games that repeat another are left out)\n",
            table.repeated
        );
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
        text += &format!("(no games tie to the others: {})\n", apart.join("; "));
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
    fn too_many_engines_are_refused() {
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
        // 400 log10 3, and 95 % of a binomial with 1000 games.
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
    fn nobody_is_the_anchor() {
        let ratings = rate(&games("x", "y", 1, 1), None, 1800.0).unwrap();
        assert!(ratings.iter().all(|r| (r.elo - 1800.0).abs() < 1e-6));
        assert!(rate(&[], None, 0.0).unwrap().is_empty());
    }

    #[test]
    fn engines_that_no_game_ties_to_the_anchor_are_told() {
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
