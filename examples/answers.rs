//! Response times of commands that do not search, on 19x19 and on a graph of 10,000 vertices.
//!
//! `cargo run --release --example answers` plays 600 random moves on each board. Then it prints the
//! median time of 21 runs of every command, in milliseconds.

use std::time::Instant;

use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::graph::spec::Spec;
use omnigo::gtp::{Session, parse};
use omnigo::playout::Random;
use omnigo::rules::{Points, presets};
use omnigo::vertex::{Move, Vertex};

const COMMANDS: &[&str] = &[
    "legal_moves b",
    "is_legal b A1",
    "list_vertices",
    "list_neighbors A1",
    "position",
    "showboard",
    "scores",
    "final_score",
    "list_commands",
    "help",
    "play b pass",
    "undo",
    "set_ruleset chinese",
    "final_status_list dead",
    "set_ruleset tromp-taylor",
    "clear_board",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = &presets::find("tromp-taylor")
        .ok_or("no such ruleset")?
        .rules;
    for spec in ["grid:19", "torus:100x100"] {
        let mut times = vec![Vec::new(); COMMANDS.len()];
        for _ in 0..21 {
            let goban = spec.parse::<Spec>()?.build()?;
            let points = goban.graph.vertices();
            let mut engine = Engine::new(goban, rules.clone(), Points::ZERO, Options::default())?;
            let mut random = Random::new(1);
            for number in 0..600 {
                let color = if number % 2 == 0 {
                    Color::BLACK
                } else {
                    Color::WHITE
                };
                let _ = engine.play(color, Move::Place(Vertex::at(random.below(points))));
            }
            let mut session = Session::new(engine, false);
            for (command, times) in COMMANDS.iter().zip(&mut times) {
                let request = parse::request(command).ok_or("no command")?;
                let start = Instant::now();
                session
                    .run(&request)
                    .map_err(|failure| failure.to_string())?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        println!("{spec}");
        for (command, times) in COMMANDS.iter().zip(&mut times) {
            times.sort_by(f64::total_cmp);
            println!("  {command:<24} {:8.3} ms", times[times.len() / 2]);
        }
    }
    Ok(())
}
