//! Ratings of all engines in a set of recorded games: one fit for each board.
//!
//! The model is Bradley and Terry's with the Elo scale, a draw being half a win. Each rating has a normal prior around the
//! anchor, so wide that a few games outweigh it; it keeps engines that won or lost everything finite. What is printed is the
//! mode of the posterior, found by Newton's method, with 95 % intervals from its curvature (Laplace's approximation).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::MatchError;
use super::record::GameLine;
use super::side::Side;

/// Standard deviation of the prior in Elo.
const PRIOR: f64 = 1000.0;
/// Elo points of a natural logarithm of odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviations on either side that hold 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;
/// Steps of Newton's method; the posterior is concave, so that few are needed.
const STEPS: usize = 100;
/// Engines on one board: the fit solves equations of that many unknowns.
const MOST_PLAYERS: usize = 500;

/// Options of `omnigo rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Records of matches, as `omnigo match --out` writes them.
    #[arg(required = true, value_name = "FILE.jsonl")]
    pub records: Vec<PathBuf>,
    /// The engine whose rating is given: a part of its name or command.
    #[arg(long, value_name = "TEXT", default_value = "gnugo")]
    pub anchor: String,
    /// Its rating.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 1800.0,
        allow_negative_numbers = true
    )]
    pub elo: f64,
    /// One JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

/// What one engine is worth on one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The engine's command, its program without folders.
    pub engine: String,
    /// The mode of its rating.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for the anchor.
    pub error: f64,
    /// Games it played.
    pub games: u32,
    /// Points it made, a draw half a point.
    pub points: f64,
}

/// Ratings on one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The board.
    pub graph: String,
    /// Whether the anchor played there; where it did not, the first engine has its rating.
    pub anchored: bool,
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
/// When a file cannot be read or a line is no game.
pub fn run(args: &RateArgs) -> Result<String, MatchError> {
    let mut boards: BTreeMap<String, Vec<Played>> = BTreeMap::new();
    for path in &args.records {
        for (graph, game) in games(path)? {
            boards.entry(graph).or_default().push(game);
        }
    }
    let tables: Vec<Table> = boards
        .into_iter()
        .map(|(graph, games)| {
            let (anchored, ratings) = rate(&games, &args.anchor, args.elo)?;
            Ok(Table {
                graph,
                anchored,
                ratings,
            })
        })
        .collect::<Result<_, MatchError>>()?;
    if args.json {
        return Ok(serde_json::to_string_pretty(&tables)?);
    }
    Ok(tables.iter().map(written).collect::<Vec<_>>().join("\n"))
}

fn games(path: &Path) -> Result<Vec<(String, Played)>, MatchError> {
    let text = fs::read_to_string(path).map_err(|problem| MatchError::File {
        path: path.to_owned(),
        problem,
    })?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let game: GameLine =
                serde_json::from_str(line).map_err(|problem| MatchError::Line {
                    path: path.to_owned(),
                    line: number + 1,
                    problem,
                })?;
            let points = match game.winner {
                Some(Side::Black) => 1.0,
                Some(Side::White) => 0.0,
                None => 0.5,
            };
            let engines = [&game.settings.black, &game.settings.white].map(|c| short(c));
            Ok((game.settings.graph, Played { engines, points }))
        })
        .collect()
}

/// A command with its program's folders left out.
fn short(command: &str) -> String {
    let (program, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    format!("{name} {arguments}").trim().to_owned()
}

/// Whether the anchor is among the engines, and the rating of each, the strongest first.
///
/// # Errors
/// When there are too many engines for the equations.
pub fn rate(games: &[Played], anchor: &str, elo: f64) -> Result<(bool, Vec<Rating>), MatchError> {
    let mut names: Vec<&str> = games
        .iter()
        .flat_map(|game| game.engines.iter().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > MOST_PLAYERS {
        return Err(MatchError::Options(
            "more than 500 engines on one board, expected fewer",
        ));
    }
    let anchored = names.iter().position(|name| name.contains(anchor));
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
            }
        })
        .collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Ok((anchored.is_some(), ratings))
}

/// Ratings in natural units, that of `fixed` being 0, and their standard deviations.
fn fit(players: usize, fixed: usize, pairs: &[(usize, usize, f64)]) -> (Vec<f64>, Vec<f64>) {
    let prior = (SCALE / PRIOR).powi(2);
    let mut values = vec![0.0; players];
    let mut inverse = Vec::new();
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = values.iter().map(|value| -prior * value).collect();
        let mut curve = vec![vec![0.0; players]; players];
        for (player, row) in curve.iter_mut().enumerate() {
            add(row, player, prior);
        }
        for &(one, other, points) in pairs {
            if one == other {
                continue;
            }
            let (a, b) = (value(&values, one), value(&values, other));
            let expected = 1.0 / (1.0 + (b - a).exp());
            add(&mut slope, one, points - expected);
            add(&mut slope, other, expected - points);
            let weight = expected * (1.0 - expected);
            for (row, column, sign) in [
                (one, one, 1.0),
                (other, other, 1.0),
                (one, other, -1.0),
                (other, one, -1.0),
            ] {
                if let Some(row) = curve.get_mut(row) {
                    add(row, column, sign * weight);
                }
            }
        }
        // The anchor does not move.
        for (player, row) in curve.iter_mut().enumerate() {
            if player == fixed {
                row.fill(0.0);
                add(row, fixed, 1.0);
            } else if let Some(cell) = row.get_mut(fixed) {
                *cell = 0.0;
            }
        }
        if let Some(cell) = slope.get_mut(fixed) {
            *cell = 0.0;
        }
        inverse = inverted(curve);
        let mut largest: f64 = 0.0;
        for (value, row) in values.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            // Far from the mode the parabola leads too far.
            let step = step.clamp(-2.0, 2.0);
            *value += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let errors = inverse
        .iter()
        .enumerate()
        .map(|(player, row)| {
            if player == fixed {
                0.0
            } else {
                value(row, player).max(0.0).sqrt()
            }
        })
        .collect();
    (values, errors)
}

fn value(values: &[f64], place: usize) -> f64 {
    values.get(place).copied().unwrap_or(0.0)
}

fn add(values: &mut [f64], place: usize, what: f64) {
    if let Some(cell) = values.get_mut(place) {
        *cell += what;
    }
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (place, row) in matrix.iter_mut().enumerate() {
        row.resize(2 * size, 0.0);
        add(row, size + place, 1.0);
    }
    for pivot in 0..size {
        let Some(mut row) = matrix.get_mut(pivot).map(std::mem::take) else {
            break;
        };
        let scale = value(&row, pivot);
        row.iter_mut().for_each(|cell| *cell /= scale);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = value(other, pivot);
            for (cell, by) in other.iter_mut().zip(&row) {
                *cell -= factor * by;
            }
        }
        if let Some(place) = matrix.get_mut(pivot) {
            *place = row;
        }
    }
    matrix
        .into_iter()
        .map(|row| row.into_iter().skip(size).collect())
        .collect()
}

fn written(table: &Table) -> String {
    let mut text = format!("{}\n", table.graph);
    if !table.anchored {
        text += "(the anchor did not play here: only differences mean something)\n";
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
    fn one_pairing_gives_the_elo_of_its_score() {
        let (anchored, ratings) = rate(&games("a", "gnugo", 750, 250), "gnugo", 1800.0).unwrap();
        assert!(anchored);
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
        let (_, ratings) = rate(&all, "gnugo", 0.0).unwrap();
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
        let (anchored, ratings) = rate(&games("x", "y", 1, 1), "gnugo", 1800.0).unwrap();
        assert!(!anchored);
        assert!(ratings.iter().all(|r| (r.elo - 1800.0).abs() < 1e-6));
        assert!(rate(&[], "gnugo", 0.0).unwrap().1.is_empty());
    }

    #[test]
    fn commands_lose_their_folders() {
        assert_eq!(short("/usr/games/gnugo --level 10"), "gnugo --level 10");
        assert_eq!(short("omnigo"), "omnigo");
    }
}
