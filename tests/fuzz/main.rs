//! Runs the targets of `fuzz/` on mutated seeds with a fixed random seed. `OMNIGO_FUZZ_SECONDS`
//! sets the time per target.

#[path = "../../fuzz/targets.rs"]
mod targets;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Default number of seconds per target.
const SECONDS: u64 = 2;

/// Returns a seed with bytes changed, cut out, repeated and mixed with another seed.
fn mutate(seeds: &[&str], chance: &mut SmallRng) -> Vec<u8> {
    let pick = |chance: &mut SmallRng| {
        seeds[chance.random_range(0..seeds.len())]
            .as_bytes()
            .to_vec()
    };
    let mut data = pick(chance);
    for _ in 0..chance.random_range(0..6) {
        let at = chance.random_range(0..=data.len());
        match chance.random_range(0..6) {
            0 if at < data.len() => data[at] = chance.random(),
            1 if at < data.len() => data[at] ^= 1 << chance.random_range(0..8),
            2 => data.truncate(at),
            3 => {
                let end = (at + chance.random_range(0..12)).min(data.len());
                let piece = data[at..end].to_vec();
                let to = chance.random_range(0..=data.len());
                data.splice(to..to, piece);
            }
            4 => {
                let end = (at + chance.random_range(0..12)).min(data.len());
                data.drain(at..end);
            }
            _ => {
                let other = pick(chance);
                let from = chance.random_range(0..=other.len());
                data.truncate(at);
                data.extend_from_slice(&other[from..]);
            }
        }
    }
    data
}

fn run(name: &str) {
    let target = targets::TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap();
    let seconds = std::env::var("OMNIGO_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(SECONDS));
    for seed in target.seeds {
        (target.run)(seed.as_bytes());
    }
    let mut chance = SmallRng::seed_from_u64(36);
    let mut inputs = 0;
    while Instant::now() < end {
        let data = mutate(target.seeds, &mut chance);
        let begun = Instant::now();
        (target.run)(&data);
        let took = begun.elapsed();
        assert!(
            took < Duration::from_secs(30),
            "{took:?} for {:?}",
            String::from_utf8_lossy(&data)
        );
        inputs += 1;
    }
    assert!(inputs > 0);
}

#[test]
fn gtp_lines_are_answered() {
    run("gtp");
}

#[test]
fn graph_files_are_read_or_refused() {
    run("graphs");
}

#[test]
fn sgf_is_read_or_refused() {
    run("sgf");
}

#[test]
fn json_is_read_or_refused() {
    run("json");
}

#[test]
fn specs_are_read_or_refused() {
    run("specs");
}

#[test]
fn games_are_undone_and_replayed() {
    run("games");
}

#[test]
fn networks_are_read_or_refused() {
    run("networks");
}

#[test]
fn networks_of_katago_are_read_or_refused() {
    run("katago");
}

#[test]
fn networks_of_leela_zero_are_read_or_refused() {
    run("leela");
}

#[test]
fn every_target_has_a_test_and_a_binary() {
    for target in targets::TARGETS {
        let path = format!(
            "{}/fuzz/fuzz_targets/{}.rs",
            env!("CARGO_MANIFEST_DIR"),
            target.name
        );
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&format!("\"{}\"", target.name)));
        let own = include_str!("main.rs");
        assert!(
            own.contains(&format!("run(\"{}\")", target.name)),
            "{}",
            target.name
        );
    }
}
