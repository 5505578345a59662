//! `omnigo bench net`: network evaluations per second with every kernel of this machine.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::Board;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::net::features::{Situation, komi_input};
use crate::net::kernels::Kernel;
use crate::net::{Evaluation, Evaluator, Network};
use crate::playout::{Random, Style, Trace, scored};
use crate::points::Points;
use crate::vertex::Vertex;

/// Measurements of a network.
#[derive(Debug, Serialize)]
pub struct NetReport {
    /// Hash of the weights.
    pub network: String,
    /// Number of residual blocks.
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
}

/// Measures a network, for `seconds` seconds per figure; the input planes take a quarter of that.
pub fn run(network: &Arc<Network>, seconds: f64) -> NetReport {
    let mut report = NetReport {
        network: format!("{:016x}", network.hash()),
        blocks: network.blocks(),
        channels: network.channels(),
        sides: network.sides().to_string(),
        evaluations: Vec::new(),
    };
    for side in [9, 13, 19] {
        let Some(board) = Grid::new(side, side).and_then(|grid| GridBoard::new(grid, 2)) else {
            continue;
        };
        let positions = midgames(&board);
        for kernel in Kernel::available() {
            let Some(mut evaluator) = Evaluator::new(Arc::clone(network), &board, kernel) else {
                continue;
            };
            let komi = Points::from_halves(13);
            let mut evaluation = Evaluation::default();
            let us = time(seconds, &positions, |(board, legal)| {
                evaluator.evaluate(board, situation(legal), komi, true, &mut evaluation);
            });
            let features_us = time(seconds / 4.0, &positions, |(board, legal)| {
                evaluator.extract(board, situation(legal));
            });
            let planes: Vec<Vec<u32>> = positions
                .iter()
                .map(|(board, legal)| evaluator.extract(board, situation(legal)).to_vec())
                .collect();
            let pass_us = time(seconds, &planes, |planes| {
                evaluator.pass(planes, komi_input(komi, Color::BLACK));
            });
            report.evaluations.push(NetSpeed {
                board: format!("grid:{side}x{side}"),
                kernel: kernel.to_string(),
                per_second: 1e6 / us,
                us,
                features_us,
                passes_per_second: 1e6 / pass_us,
            });
        }
    }
    report
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

/// Measures the time of a call, in microseconds.
fn time<T>(seconds: f64, inputs: &[T], mut call: impl FnMut(&T)) -> f64 {
    let (start, mut calls) = (Instant::now(), 0u32);
    let limit = Duration::from_secs_f64(seconds);
    while start.elapsed() < limit {
        for input in inputs {
            call(input);
            calls += 1;
        }
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}

impl fmt::Display for NetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "network {}, {} blocks of {} channels, used on and between sides {}",
            self.network, self.blocks, self.channels, self.sides
        )?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<12} {:<10} {:>9} {:>9} {:>12} {:>16}",
            "board", "kernel", "per s", "us", "features us", "passes/s"
        )?;
        for speed in &self.evaluations {
            let (rate, us, features) = (speed.per_second, speed.us, speed.features_us);
            let passes = speed.passes_per_second;
            writeln!(
                f,
                "{:<12} {:<10} {rate:>9.0} {us:>9.1} {features:>12.1} {passes:>16.0}",
                speed.board, speed.kernel
            )?;
        }
        Ok(())
    }
}
