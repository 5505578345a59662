//! Tests of the library: boards, rules, search, and proofs against naive oracles and published
//! numbers.

mod advantage;
mod agreed_values;
mod agreement;
mod cleanup;
mod counting;
#[cfg(unix)]
mod evaluator;
mod every_system;
mod exact_sweeps;
mod exact_values;
mod family_games;
mod graph_specs;
mod katago;
mod katago_inputs;
mod label;
mod legality;
mod life;
mod mango;
mod many_colors;
mod naive;
mod paid_passes;
mod properties;
mod search;
mod selfplay;
mod spaces;
mod territory;
mod training_folder;
mod worked_cases;

/// A small network in KataGo's format.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/samples/katago.bin");
