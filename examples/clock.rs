//! Measures the time of `genmove` under `time_settings 0 1 1`, which is one second per move.
//!
//! `cargo run --release --example clock -- 500 grid:19 torus:40x50` plays 500 moves on each board.
//! It prints the mean and the longest time of a move.

use std::time::Instant;

use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options};
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, presets};
use omnigo::vertex::Move;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let moves: usize = arguments.next().unwrap_or_else(|| "100".into()).parse()?;
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        specs = vec!["grid:19".into(), "torus:40x50".into()];
    }
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let rules = &presets::find("tromp-taylor")
        .ok_or("no such ruleset")?
        .rules;
    for spec in specs {
        let goban = spec.parse::<Spec>()?.build()?;
        let options = Options {
            threads,
            resign_below: 0.0,
            ..Options::default()
        };
        let mut engine = Engine::new(goban, rules.clone(), Points::ZERO, options)?;
        engine.time_settings(0.0, 1.0, 1);
        let (mut longest, mut total, mut passes) = (0f64, 0f64, 0);
        for number in 0..moves {
            let start = Instant::now();
            let choice = engine.genmove(if number % 2 == 0 {
                Color::BLACK
            } else {
                Color::WHITE
            });
            let spent = start.elapsed().as_secs_f64();
            longest = longest.max(spent);
            total += spent;
            passes = if choice == Choice::Move(Move::Pass) {
                passes + 1
            } else {
                0
            };
            if passes == 2 {
                engine.clear_board();
                passes = 0;
            }
        }
        println!(
            "{spec}: {moves} moves, mean {:.3} s, longest {longest:.3} s",
            total / moves as f64
        );
    }
    Ok(())
}
