//! `omnigo fit`: weights of move features, fitted to games of strong players on 19x19 and to
//! matches on graphs.
//!
//! The fit maximizes the likelihood of the played moves by stochastic gradient ascent. Each weight
//! has its own rate (AdaGrad: Duchi, Hazan and Singer 2011). Games of players give both sets of
//! weights. Matches, such as the engine's games against itself, then refine the set without shapes.
//! Boards that do not look like a square lattice use that set.

mod climb;
mod matches;
mod neighborhoods;
mod reader;

use std::cmp::Reverse;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf, absolute};

use clap::Args;

use super::Watch;
use super::games::{Record, SIDE};
use crate::arguments::whole;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::files::{probe, replace};
use crate::game::Game;
use crate::hash::FastMap;
use crate::patterns;
use crate::playout::Random;
use crate::points::Points;
use crate::policy::learned::Weights;
use crate::policy::learned::features::{FEATURES, GROUPS, SHAPELESS, SHAPELESS_GROUPS};
use crate::policy::learned::patterns::Patterns;
use crate::rules::presets;
use climb::{Climb, Measure};
use matches::{Matches, NoMatches};
use reader::Reader;

/// Arguments of `omnigo fit`.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Game records, one per line: result, tab, moves in SGF letters [default: start from the
    /// built-in weights].
    #[arg(
        value_name = "GAMES",
        required_unless_present = "matches",
        requires = "out"
    )]
    games: Option<PathBuf>,
    /// Records of matches on graphs written by `omnigo match --out`, for the weights without
    /// shapes.
    #[arg(long, value_name = "FILE.jsonl", num_args = 1..)]
    matches: Vec<PathBuf>,
    /// Output file for the weights of moves.
    #[arg(
        long,
        visible_alias = "output",
        value_name = "FILE",
        required_unless_present = "answers"
    )]
    out: Option<PathBuf>,
    /// Output file for the weights of playout answers, fitted to all games of the matches.
    #[arg(long, value_name = "FILE.txt", requires = "matches")]
    answers: Option<PathBuf>,
    /// Maximum number of games to learn from; matches are always used completely, three times.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "games", value_parser = whole::<usize>(..))]
    most: usize,
    /// Number of positions to use per game of players; matches use all positions.
    #[arg(long, value_name = "N", default_value_t = 12, requires = "games", value_parser = whole::<usize>(..))]
    positions: usize,
    /// Maximum number of large shapes to learn from games of players: those played most often.
    #[arg(long, value_name = "N", default_value_t = 40_000, requires = "games",
        value_parser = whole::<u32>(..=Patterns::MOST as u64))]
    patterns: u32,
    /// Seed for the choice and the order of games and positions, for the weights of moves.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out", value_parser = whole::<u64>(..))]
    seed: u64,
}

/// Reason why weights could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Error in the games of players.
    #[error(transparent)]
    Rows(#[from] super::RowsError),
    /// Error in the matches.
    #[error(transparent)]
    Matches(#[from] NoMatches),
    /// Both kinds of weights have the same output file.
    #[error("'{0}' is named for both kinds of weights, expected two different files")]
    OneFile(PathBuf),
    /// The program has no built-in weights to start from.
    #[error("this build has no built-in weights, expected a file of games")]
    Nothing,
    /// No move of the games can be learned.
    #[error(
        "'{0}' has no moves to learn from, expected games with legal moves, and --most and --positions above 0"
    )]
    Empty(PathBuf),
}

impl FitError {
    /// Returns true if the arguments are wrong, whatever the files contain.
    pub fn is_of_arguments(&self) -> bool {
        matches!(self, FitError::OneFile(_))
    }
}

/// Result of a fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// Accuracy with shapes, on held-out games of players.
    shaped: Measure,
    /// Accuracy without shapes, on the same games.
    shapeless: Measure,
    /// Accuracy without shapes on held-out matches, before and after the fit to matches.
    matches: [Measure; 2],
    /// Number of positions to which the weights of answers were fitted.
    answers: usize,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            ("with shapes", self.shaped),
            ("without shapes", self.shapeless),
            ("without shapes, matches before", self.matches[0]),
            ("without shapes, matches after", self.matches[1]),
        ];
        let lines = lines.iter().filter(|(_, measure)| measure.positions > 0);
        let mut lines: Vec<String> = lines
            .map(|(what, found)| format!("{what}: {found}"))
            .collect();
        if self.answers > 0 {
            let positions = self.answers;
            lines.push(format!("answers in playouts: from {positions} positions"));
        }
        f.write_str(&lines.join("\n"))
    }
}

/// Draws positions of a game, as sorted move numbers without duplicates.
fn chosen(record: &Record, positions: usize, random: &mut Random) -> Vec<usize> {
    let count = record.moves.len();
    let mut chosen: Vec<usize> = (0..positions.min(count))
        .map(|_| random.below(count))
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Every 4th game is searched for large shapes.
const LOOKED_THROUGH: usize = 4;

/// Returns the keys of the large shapes that were played most often. Equally frequent shapes are
/// sorted by size, smallest first, so that the inner part of a known shape is known too.
fn most_played<'a>(
    reader: &Reader<GridBoard>,
    games: impl Iterator<Item = &'a Record>,
    most: usize,
) -> Vec<u32> {
    let mut counts: FastMap<u32, (u32, usize)> = FastMap::default();
    for record in games {
        reader.keys(&record.moves, |key, size| {
            counts.entry(key).or_insert((0, size)).0 += 1;
        });
    }
    // Ignore shapes that were played only once: they do not predict the next game.
    let mut played: Vec<(Reverse<u32>, usize, u32)> = counts
        .into_iter()
        .filter(|&(_, (count, _))| count > 1)
        .map(|(key, (count, size))| (Reverse(count), size, key))
        .collect();
    played.sort_unstable();
    played.into_iter().take(most).map(|(.., key)| key).collect()
}

/// Fits both sets of weights to games of players.
fn fit_records(
    arguments: &FitArgs,
    path: &Path,
    fit: &mut Fit,
    watch: Watch<'_>,
) -> Result<Option<Weights>, FitError> {
    let (games, held_out) = super::read_games(path, &super::games_text(path)?)?;
    let mut random = Random::new(arguments.seed);
    let board = Grid::new(SIDE, SIDE).and_then(|grid| GridBoard::new(grid, 2));
    let (Some(board), Some(preset)) = (board, presets::find("chinese")) else {
        return Ok(None);
    };
    let komi = Points::from_halves(15);
    let start = Game::new(board, preset.rules.clone(), komi, Color::BLACK);
    let mut reader = Reader::new(start);
    let drawn: Vec<&Record> = (0..arguments.most.min(games.len()))
        .map(|_| &games[random.below(games.len())])
        .collect();
    let mut learned = 0usize;
    let looked_through = drawn.iter().copied().step_by(LOOKED_THROUGH);
    let keys = most_played(&reader, looked_through, arguments.patterns as usize);
    let patterns = Patterns::new(keys.iter().copied());
    let mut shaped = Climb::new(vec![0.0; FEATURES + keys.len()], GROUPS);
    let mut shapeless = Climb::new(vec![0.0; SHAPELESS], SHAPELESS_GROUPS);
    let of = drawn.len();
    for (number, record) in drawn.into_iter().enumerate() {
        watch(number, of);
        let positions = chosen(record, arguments.positions, &mut random);
        reader.read(&record.moves, &positions, &patterns, |moves, played| {
            learned += 1;
            for climb in [&mut shaped, &mut shapeless] {
                climb.step(moves, played);
            }
        });
    }
    if learned == 0 {
        return Err(FitError::Empty(path.to_owned()));
    }
    for record in held_out.iter().take(arguments.most / 10) {
        let positions = chosen(record, 4, &mut random);
        reader.read(&record.moves, &positions, &patterns, |moves, played| {
            shaped.measure(moves, played, &mut fit.shaped);
            shapeless.measure(moves, played, &mut fit.shapeless);
        });
    }
    Ok(Some(Weights {
        shaped: shaped.weights,
        shapeless: shapeless.weights,
        patterns,
        keys,
    }))
}

/// Number of passes over the matches.
const PASSES: usize = 3;

/// Refines the weights without shapes on matches.
fn fit_matches(
    all: &mut [Matches],
    weights: &mut Weights,
    random: &mut Random,
    fit: &mut Fit,
    watch: Watch<'_>,
) -> Result<(), NoMatches> {
    let mut learned = 0usize;
    let mut climb = Climb::new(weights.shapeless.clone(), SHAPELESS_GROUPS);
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (board, matches) in all.iter().enumerate() {
        order.extend((0..matches.games.len()).map(|game| (board, game)));
    }
    // The first and the last pass only measure held-out games.
    for pass in 0..PASSES + 2 {
        random.shuffle(&mut order);
        for (number, &(board, game)) in order.iter().enumerate() {
            let done = pass * order.len() + number;
            watch(done, (PASSES + 2) * order.len());
            let Matches { reader, games } = &mut all[board];
            let game = &games[game];
            let positions: Vec<usize> = (game.opening..game.moves.len()).collect();
            let measured = match pass {
                0 => Some(0),
                pass if pass > PASSES => Some(1),
                _ => None,
            };
            reader.read(
                &game.moves,
                &positions,
                &Patterns::default(),
                |moves, played| match (game.held_out, measured) {
                    (true, Some(at)) => climb.measure(moves, played, &mut fit.matches[at]),
                    (false, None) => {
                        learned += 1;
                        climb.step(moves, played);
                    }
                    _ => {}
                },
            );
        }
    }
    if learned == 0 {
        return Err(NoMatches::Empty);
    }
    weights.shapeless = climb.weights;
    Ok(())
}

/// Fits the weights of moves.
fn fit_moves(
    arguments: &FitArgs,
    matches: &mut [Matches],
    fit: &mut Fit,
    watch: Watch<'_>,
) -> Result<Weights, FitError> {
    let fitted = match &arguments.games {
        Some(games) => fit_records(arguments, games, fit, watch)?,
        None => Weights::built_in().cloned(),
    };
    let mut weights = fitted.ok_or(FitError::Nothing)?;
    if !matches.is_empty() {
        let mut random = Random::new(arguments.seed);
        fit_matches(matches, &mut weights, &mut random, fit, watch)?;
    }
    Ok(weights)
}

/// Returns the error of a file that cannot be written.
fn unwritable(path: &Path, error: io::Error) -> FitError {
    let path = path.to_owned();
    super::RowsError::File { path, error }.into()
}

/// Fits weights and writes them. `watch` receives the number of games done.
///
/// # Errors
/// If a file cannot be used, a line is not a game, or no move can be learned. Then no file changes.
pub fn run(arguments: &FitArgs, watch: Watch<'_>) -> Result<Fit, FitError> {
    let FitArgs { out, answers, .. } = arguments;
    if let (Some(out), Some(answers)) = (out, answers)
        && let (Ok(one), Ok(other)) = (absolute(out), absolute(answers))
        && one == other
    {
        return Err(FitError::OneFile(out.clone()));
    }
    for read in arguments.games.iter().chain(&arguments.matches) {
        for written in out.iter().chain(answers) {
            super::spare(read, written)?;
        }
    }
    for written in out.iter().chain(answers) {
        probe(written).map_err(|error| unwritable(written, error))?;
    }
    let mut fit = Fit::default();
    let mut matches = matches::read(&arguments.matches)?;
    if !arguments.matches.is_empty() && matches.iter().all(|found| found.games.is_empty()) {
        return Err(NoMatches::None.into());
    }
    let mut files: Vec<(&Path, Vec<u8>)> = Vec::new();
    if let Some(out) = out {
        let weights = fit_moves(arguments, &mut matches, &mut fit, watch)?;
        files.push((out, weights.to_bytes()));
    }
    if let Some(answers) = answers {
        let contests = neighborhoods::contests(&matches);
        if contests.is_empty() {
            return Err(NoMatches::NoAnswers.into());
        }
        fit.answers = contests.len();
        let text = patterns::neighborhoods::write(&neighborhoods::fit(&contests));
        files.push((answers, text.into_bytes()));
    }
    for (path, content) in files {
        replace(path, content).map_err(|error| unwritable(path, error))?;
    }
    Ok(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_learns_shapes_of_all_sizes_from_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (games, out) = (path("games.txt"), path("weights.bin"));
        let line = "B+R\tpdddqpdpcnfqkqnpjdqfpfpgqgqerfofpepcmcocndnc\n";
        std::fs::write(&games, line.repeat(100)).unwrap();
        let learn = |patterns: u32| {
            let arguments = FitArgs {
                games: Some(games.clone()),
                matches: Vec::new(),
                out: Some(out.clone()),
                answers: None,
                most: 98,
                positions: 12,
                patterns,
                seed: 1,
            };
            let mut steps = 0;
            let fit = run(&arguments, &mut |_, of| steps = of).unwrap();
            assert_eq!(steps, 98, "games are reported");
            let weights = Weights::read(&std::fs::read(&out).unwrap()).unwrap();
            assert_eq!(weights.shaped.len(), FEATURES + weights.keys.len());
            (fit, weights)
        };
        let (fit, weights) = learn(200);
        // All games are equal, so shapes of some size predict almost every move.
        assert!(fit.shaped.named() > 0.7, "{fit}");
        assert!(fit.shaped.named() > fit.shapeless.named(), "{fit}");
        // Six sizes for 22 moves; some shapes are equal.
        assert!((80..22 * 6).contains(&weights.keys.len()));
        let (fewer, weights) = learn(10);
        assert_eq!(weights.keys.len(), 10);
        assert!(fewer.shaped.loss() > fit.shaped.loss(), "{fewer}");
        assert_eq!(fewer.shapeless.loss(), fit.shapeless.loss());
        let (_, weights) = learn(0);
        assert!(weights.keys.is_empty());
    }
}
