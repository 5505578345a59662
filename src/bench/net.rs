//! `omnigo bench net`: network evaluations per second with each kernel.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::duration;
use crate::board::grid::{Grid, GridBoard};
use crate::board::{BareBoard, Playouts};
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::features::{Situation, komi_input};
use crate::net::katago::{self, Collector, KataGo, Profile, View};
use crate::net::kernels::Kernel;
use crate::net::leela::{self, LeelaZero};
use crate::net::{Evaluation, Evaluator, Network, Weights};
use crate::playout::{Random, Style, Trace, scored};
use crate::points::Points;
use crate::rules::Ruleset;
use crate::vertex::{Move, Vertex};

/// Komi of the positions: 6½ points.
const KOMI: Points = Points::from_halves(13);

/// Measurements of a network.
#[derive(Debug, Serialize)]
pub struct NetReport {
    /// Hash of the weights, or the name of a network of KataGo.
    pub network: String,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of channels of the trunk.
    pub channels: usize,
    /// Board sides on which the network is used by default.
    pub sides: String,
    /// One entry per board and kernel.
    pub evaluations: Vec<NetSpeed>,
}

/// Speed of evaluating midgame positions one at a time on one core.
#[derive(Debug, Serialize)]
pub struct NetSpeed {
    /// Canonical spec.
    pub board: String,
    /// Kernel.
    pub kernel: String,
    /// Evaluations per second, including the input planes.
    pub per_second: f64,
    /// Microseconds per evaluation, including the input planes.
    pub us: f64,
    /// Microseconds per computation of the input planes alone.
    pub features_us: f64,
    /// Forward passes per second with input planes already computed.
    pub passes_per_second: f64,
    /// Microseconds of the shortest forward pass. Other work on the machine affects it least.
    pub shortest_pass_us: f64,
}

/// Times of the calls of one benchmark, in microseconds.
#[derive(Clone, Copy)]
struct CallTimes {
    mean: f64,
    shortest: f64,
}

/// Times of a kernel.
struct Times {
    evaluation: CallTimes,
    features: CallTimes,
    pass: CallTimes,
}

/// Measures a network with these kernels, for `seconds` seconds per figure; the input planes take a
/// quarter of that. `rules` are those of the positions that a network of KataGo sees.
pub fn run(network: &Weights, rules: &Ruleset, kernels: &[Kernel], seconds: f64) -> NetReport {
    let mut report = match network {
        Weights::Omnigo(network) => NetReport {
            network: format!("{:016x}", network.hash()),
            blocks: network.blocks(),
            channels: network.channels(),
            sides: network.sides().to_string(),
            evaluations: Vec::new(),
        },
        Weights::KataGo(network) => NetReport {
            network: network.name().to_string(),
            blocks: network.blocks(),
            channels: network.channels(),
            sides: KataGo::sides(),
            evaluations: Vec::new(),
        },
        Weights::LeelaZero(network) => NetReport {
            network: network.name(),
            blocks: network.blocks(),
            channels: network.channels(),
            sides: "19".to_string(),
            evaluations: Vec::new(),
        },
    };
    for side in [9, 13, 19] {
        let Some(board) = Grid::new(side, side).and_then(|grid| GridBoard::new(grid, 2)) else {
            continue;
        };
        for &kernel in kernels {
            let times = match network {
                Weights::Omnigo(network) => measure(network, &board, kernel, seconds),
                Weights::KataGo(network) => measure_katago(network, &board, rules, kernel, seconds),
                Weights::LeelaZero(network) => {
                    measure_leela(network, &board, rules, kernel, seconds)
                }
            };
            let Some(times) = times else { continue };
            report.evaluations.push(NetSpeed {
                board: format!("grid:{side}x{side}"),
                kernel: kernel.to_string(),
                per_second: 1e6 / times.evaluation.mean,
                us: times.evaluation.mean,
                features_us: times.features.mean,
                passes_per_second: 1e6 / times.pass.mean,
                shortest_pass_us: times.pass.shortest,
            });
        }
    }
    report
}

/// Measures a kernel. `None` if the network cannot evaluate the board.
fn measure(
    network: &Arc<Network>,
    board: &GridBoard,
    kernel: Kernel,
    seconds: f64,
) -> Option<Times> {
    let positions = midgames(board);
    let mut evaluator = Evaluator::new(Arc::clone(network), board, kernel)?;
    let mut evaluation = Evaluation::default();
    let us = time(seconds, &positions, |(board, legal)| {
        evaluator.evaluate(board, situation(legal), KOMI, true, &mut evaluation);
    });
    let features = time(seconds / 4.0, &positions, |(board, legal)| {
        evaluator.extract(board, situation(legal));
    });
    let planes: Vec<Vec<u32>> = positions
        .iter()
        .map(|(board, legal)| evaluator.extract(board, situation(legal)).to_vec())
        .collect();
    let pass = time(seconds, &planes, |planes| {
        evaluator.pass(planes, komi_input(KOMI, Color::BLACK));
    });
    Some(Times {
        evaluation: us,
        features,
        pass,
    })
}

/// Measures a kernel with a network of KataGo. `None` if it cannot evaluate the board.
fn measure_katago(
    network: &Arc<KataGo>,
    board: &GridBoard,
    rules: &Ruleset,
    kernel: Kernel,
    seconds: f64,
) -> Option<Times> {
    let games = games(board, rules);
    let (network, profile) = (Arc::clone(network), Some(&Profile::ANY));
    let mut evaluator = katago::Evaluator::new(network, board, kernel, profile)?;
    let mut evaluation = Evaluation::default();
    let mut positions: Vec<_> = games
        .iter()
        .map(|game| {
            let line = Line::new(game, game.to_move());
            (line, legal_placements(game), Collector::new(game))
        })
        .collect();
    let us = time_mut(seconds, &mut positions, |(line, legal, collector)| {
        let facts = collector.collect(line, &[], legal);
        evaluator.evaluate(&facts, legal, true, View::default(), &mut evaluation);
    });
    let features = time_mut(seconds / 4.0, &mut positions, |(line, legal, collector)| {
        evaluator.extract(&collector.collect(line, &[], legal));
    });
    let (line, legal, collector) = positions.first_mut()?;
    let facts = collector.collect(line, &[], legal);
    evaluator.extract(&facts);
    let pass = time(seconds, &[()], |()| {
        evaluator.pass(&facts, 0, 0.0);
    });
    Some(Times {
        evaluation: us,
        features,
        pass,
    })
}

/// Measures a kernel with a network of Leela Zero. `None` if it cannot evaluate the board.
fn measure_leela(
    network: &Arc<LeelaZero>,
    board: &GridBoard,
    rules: &Ruleset,
    kernel: Kernel,
    seconds: f64,
) -> Option<Times> {
    let games = games(board, rules);
    let mut evaluation = Evaluation::default();
    let evaluators = games.iter().map(|game| {
        let evaluator = leela::Evaluator::new(Arc::clone(network), game, kernel)?;
        let line = Line::new(game, game.to_move());
        Some((line, legal_placements(game), evaluator))
    });
    let mut positions: Vec<_> = evaluators.collect::<Option<_>>()?;
    let us = time_mut(seconds, &mut positions, |(line, legal, evaluator)| {
        evaluator.evaluate(line, &[], legal, true, 0, &mut evaluation);
    });
    let features = time_mut(seconds / 4.0, &mut positions, |(line, _, evaluator)| {
        evaluator.extract(line, &[]);
    });
    let pass = time_mut(seconds, &mut positions, |(_, _, evaluator)| {
        evaluator.pass()
    });
    Some(Times {
        evaluation: us,
        features,
        pass,
    })
}

/// Returns games after a third of a playout.
fn games(board: &GridBoard, rules: &Ruleset) -> Vec<Game<GridBoard>> {
    let mut random = Random::new(5);
    let play = |_| {
        let (mut end, mut trace) = (board.clone(), Trace::new());
        scored::from_start(board, &mut end, Style::Tactical, &mut random, &mut trace);
        let mut game = Game::new(board.clone(), rules.clone(), KOMI, Color::BLACK);
        for &(color, at) in &trace[..trace.len() / 3] {
            if game.play(color, Move::Place(at)).is_err() {
                break;
            }
        }
        game
    };
    (0..16).map(play).collect()
}

/// Returns the vertices where the player to move may place a stone.
fn legal_placements(game: &Game<GridBoard>) -> Vec<Vertex> {
    let moves = game.legal_moves(game.to_move());
    moves.iter().filter_map(|mv| mv.vertex()).collect()
}

/// Returns positions after a third of a playout, with their legal moves.
fn midgames(board: &GridBoard) -> Vec<(GridBoard, Vec<Vertex>)> {
    let mut random = Random::new(5);
    (0..16)
        .map(|_| {
            let (mut end, mut trace) = (board.clone(), Trace::new());
            scored::from_start(board, &mut end, Style::Tactical, &mut random, &mut trace);
            let mut position = board.clone();
            for &(color, at) in &trace[..trace.len() / 3] {
                position.place(color, at, |_, _| {});
            }
            let mut legal = position.vacant().to_vec();
            legal.retain(|&at| position.playable(Color::BLACK, at));
            (position, legal)
        })
        .collect()
}

/// Returns a situation with Black to move and no known earlier moves.
fn situation(legal: &[Vertex]) -> Situation<'_> {
    Situation {
        to_move: Color::BLACK,
        recent: &[],
        legal,
    }
}

/// Measures calls.
fn time<T>(seconds: f64, inputs: &[T], mut call: impl FnMut(&T)) -> CallTimes {
    let mut inputs: Vec<&T> = inputs.iter().collect();
    time_mut(seconds, &mut inputs, |input| call(input))
}

/// Measures calls that change their input, after one that is not counted: the first call of a
/// kernel converts the weights. Slow calls may not reach all inputs.
fn time_mut<T>(seconds: f64, inputs: &mut [T], mut call: impl FnMut(&mut T)) -> CallTimes {
    inputs.first_mut().into_iter().for_each(&mut call);
    let (start, mut calls) = (Instant::now(), 0usize);
    let (limit, mut shortest) = (duration(seconds), f64::INFINITY);
    let (count, mut latest) = (inputs.len().max(1), start);
    while calls == 0 || latest.duration_since(start) < limit {
        if let Some(input) = inputs.get_mut(calls % count) {
            call(input);
        }
        calls += 1;
        let now = Instant::now();
        shortest = shortest.min(now.duration_since(latest).as_secs_f64());
        latest = now;
    }
    CallTimes {
        mean: latest.duration_since(start).as_secs_f64() * 1e6 / calls as f64,
        shortest: shortest * 1e6,
    }
}

/// Returns the first and the last of a list of sides, such as `9 to 19`. A network is used on all
/// sides between them too.
fn span(sides: &str) -> String {
    match sides.split_once(',') {
        Some((first, rest)) => {
            let last = rest.rsplit(',').next().unwrap_or(rest);
            format!("{first} to {last}")
        }
        None => sides.to_owned(),
    }
}

impl fmt::Display for NetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "network {}, {} blocks of {} channels, used on sides {}",
            self.network,
            self.blocks,
            self.channels,
            span(&self.sides)
        )?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<12} {:<11} {:>9} {:>9} {:>12} {:>16} {:>17}",
            "board", "kernel", "per s", "us", "features us", "passes/s", "shortest pass us"
        )?;
        for speed in &self.evaluations {
            let (rate, us, features) = (speed.per_second, speed.us, speed.features_us);
            let (passes, shortest) = (speed.passes_per_second, speed.shortest_pass_us);
            writeln!(
                f,
                "{:<12} {:<11} {rate:>9.0} {us:>9.1} {features:>12.1} {passes:>16.0} {shortest:>17.1}",
                speed.board, speed.kernel
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_a_span() {
        assert_eq!(span("9,10,13"), "9 to 13");
        assert_eq!(span("9,19"), "9 to 19");
        for single in ["19", "3 to 25", "none"] {
            assert_eq!(span(single), single);
        }
    }
}
