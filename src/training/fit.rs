//! `omnigo fit`: weights of the features of moves, from games of strong players.
//!
//! The likelihood of the moves played is climbed by stochastic gradients, each weight with its own rate (AdaGrad: Duchi, Hazan
//! and Singer 2011).

use std::fmt;
use std::path::PathBuf;

use clap::Args;

use super::games::{Record, SIDE};
use crate::board::Board;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::game::{Game, Line};
use crate::playout::Chance;
use crate::points::Points;
use crate::policy::learned::features::{self, FEATURES, Features, GROUPS, SHAPELESS};
use crate::policy::learned::{Weights, normalize};
use crate::policy::{Survey, Terrain};
use crate::rules::presets;
use crate::vertex::{Move, Vertex};

/// Arguments of `omnigo fit`.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Game records, one a line: result, tab, moves in SGF letters.
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games to learn from at most.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    most: usize,
    /// Positions to take from each game.
    #[arg(long, value_name = "N", default_value_t = 12)]
    positions: usize,
    /// Which games and positions, and in what order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// How well weights name the moves of games that they were not fitted to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    positions: usize,
    first: usize,
    loss: f64,
}

/// What came of a fit: with shapes, and without.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    shaped: Measure,
    shapeless: Measure,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |x: f64| x / self.positions.max(1) as f64;
        write!(
            f,
            "{:.1} % of {} held-out moves named, loss {:.3}",
            100.0 * share(self.first as f64),
            self.positions,
            share(self.loss)
        )
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "with shapes: {}", self.shaped)?;
        write!(f, "without: {}", self.shapeless)
    }
}

/// The first step of a weight, and what is added to the sum of its squared gradients.
const RATE: f32 = 0.15;
const CALM: f32 = 1.0;

/// A set of weights on the climb.
struct Climb {
    weights: Vec<f32>,
    squares: Vec<f32>,
    groups: usize,
}

impl Climb {
    fn new(features: usize, groups: usize) -> Climb {
        Climb {
            weights: vec![0.0; features],
            squares: vec![CALM; features],
            groups,
        }
    }

    /// Chances of the moves.
    fn judge(&self, moves: &[Features], sums: &mut Vec<f32>) {
        sums.clear();
        sums.extend(moves.iter().map(|features| {
            let of = |&feature: &u16| self.weights[usize::from(feature)];
            features[..self.groups].iter().map(of).sum::<f32>()
        }));
        normalize(sums);
    }

    /// One step towards `played`; `gradient` is all zeros before and after.
    fn step(
        &mut self,
        moves: &[Features],
        played: usize,
        sums: &[f32],
        gradient: &mut [f32],
        touched: &mut Vec<u16>,
    ) {
        touched.clear();
        for (number, (features, chance)) in moves.iter().zip(sums).enumerate() {
            let pull = f32::from(u8::from(number == played)) - chance;
            for &feature in &features[..self.groups] {
                let sum = &mut gradient[usize::from(feature)];
                if *sum == 0.0 {
                    touched.push(feature);
                }
                *sum += pull;
            }
        }
        for &feature in touched.iter() {
            let at = usize::from(feature);
            let slope = std::mem::take(&mut gradient[at]);
            if slope != 0.0 {
                self.squares[at] += slope * slope;
                self.weights[at] += RATE * slope / self.squares[at].sqrt();
            }
        }
    }
}

/// Positions of a game: which moves.
fn chosen(record: &Record, positions: usize, chance: &mut Chance) -> Vec<usize> {
    let count = record.moves.len();
    let mut chosen: Vec<usize> = (0..positions.min(count))
        .map(|_| chance.below(count))
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Goes through games and shows the chosen positions: the legal moves' features and which was played.
struct Reader {
    start: Game<GridBoard>,
    terrain: Terrain,
    survey: Survey<GridBoard>,
    features: Vec<Features>,
    legal: Vec<Vertex>,
}

impl Reader {
    fn new() -> Option<Reader> {
        let board = GridBoard::new(Grid::new(SIDE, SIDE)?, 2)?;
        let terrain = Terrain::of(&board);
        let rules = presets::find("chinese")?.rules.clone();
        let start = Game::new(board, rules, Points::from_halves(15), Color::BLACK);
        Some(Reader {
            start,
            terrain,
            survey: Survey::default(),
            features: Vec::new(),
            legal: Vec::new(),
        })
    }

    fn read(
        &mut self,
        record: &Record,
        positions: &[usize],
        mut show: impl FnMut(&[Features], usize),
    ) {
        let mut line = Line::new(&self.start, Color::BLACK);
        let mut recent = [None; 2];
        for (number, &mv) in record.moves.iter().enumerate() {
            let Move::Place(at) = mv else {
                line.play(mv);
                recent = [None, recent[0]];
                continue;
            };
            if line.board().at(at).is_some() || !line.is_legal(at) {
                return;
            }
            if positions.binary_search(&number).is_ok() {
                let board = line.board();
                self.legal.clear();
                self.legal.extend(line.placements());
                if let Some(played) = self.legal.iter().position(|&legal| legal == at) {
                    self.survey.look(board, line.to_move(), recent);
                    self.features.clear();
                    self.features.extend(self.legal.iter().map(|&at| {
                        features::of(board, line.to_move(), at, &self.terrain, &self.survey)
                    }));
                    show(&self.features, played);
                }
            }
            line.play(mv);
            recent = [Some(at), recent[0]];
        }
    }
}

/// Fits weights and writes them.
///
/// # Errors
/// When a file cannot be used or a line is no game.
pub fn run(arguments: &FitArgs) -> Result<Fit, super::RowsError> {
    let (games, held_out) = super::read_games(&arguments.games)?;
    let mut chance = Chance::new(arguments.seed);
    let mut shaped = Climb::new(FEATURES, GROUPS);
    let mut shapeless = Climb::new(SHAPELESS, GROUPS - 1);
    let mut fit = Fit::default();
    let Some(mut reader) = Reader::new() else {
        return Ok(fit);
    };
    let (mut sums, mut touched) = (Vec::new(), Vec::new());
    let mut gradient = vec![0.0; FEATURES];
    for _ in 0..arguments.most.min(games.len()) {
        let record = &games[chance.below(games.len())];
        let positions = chosen(record, arguments.positions, &mut chance);
        reader.read(record, &positions, |moves, played| {
            for climb in [&mut shaped, &mut shapeless] {
                climb.judge(moves, &mut sums);
                climb.step(moves, played, &sums, &mut gradient, &mut touched);
            }
        });
    }
    let weights = Weights {
        shaped: shaped.weights.clone(),
        shapeless: shapeless.weights.clone(),
    };
    for record in held_out.iter().take(arguments.most / 10) {
        let positions = chosen(record, 4, &mut chance);
        reader.read(record, &positions, |moves, played| {
            for (climb, measure) in [(&shaped, &mut fit.shaped), (&shapeless, &mut fit.shapeless)] {
                climb.judge(moves, &mut sums);
                let best = sums.iter().copied().fold(0.0, f32::max);
                measure.positions += 1;
                measure.first += usize::from(sums[played] >= best);
                measure.loss -= f64::from(sums[played].max(1e-9)).ln();
            }
        });
    }
    std::fs::write(&arguments.out, weights.to_bytes()).map_err(|error| super::RowsError::File {
        path: arguments.out.clone(),
        error,
    })?;
    Ok(fit)
}
