//! Tests on random networks: the reader, the passes, and every refusal.

use std::io::{Cursor, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::execute::{Executor, PassInputs, Raw};
use super::inputs::{Extractor, GLOBALS, Inputs, PLANES};
use super::model::{Block, Model};
use super::plan::Plan;
use super::profile::FACTS;
use super::sample::{Kind, Recipe};
use super::scan::ModelError;
use super::{Collector, Evaluator, KataGo, Profile, reference};
use crate::features::board_reference::Random;
use crate::kernels::Kernel;
use crate::kernels::products::checks::tolerance;
use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::grid::{Grid, GridBoard};
use omnigo_core::game::{Game, Line};
use omnigo_core::rules::presets;

pub(super) fn read(bytes: &[u8]) -> Result<Model, ModelError> {
    Model::read(Cursor::new(bytes), bytes.len() as u64)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Networks that contain every kind of block, activation, normalization, and head.
pub(super) fn recipes() -> Vec<Recipe> {
    let convolutional = Recipe::default();
    let mut all = vec![
        Recipe {
            stem: 5,
            ..convolutional.clone()
        },
        Recipe {
            version: 10,
            channels: 33,
            ..convolutional.clone()
        },
        Recipe {
            version: 11,
            activation: "IDENTITY",
            ..convolutional.clone()
        },
        Recipe {
            version: 14,
            activation: "MISH",
            blocks: vec![Kind::Bottleneck, Kind::Ordinary],
            ..convolutional.clone()
        },
        Recipe {
            version: 15,
            activation: "SILU",
            encodes: true,
            ..convolutional.clone()
        },
    ];
    for version in [9, 12, 13] {
        all.push(Recipe {
            version,
            ..convolutional.clone()
        });
    }
    for (version, tip, rotation) in [(15, Some(true), 1), (16, Some(false), 2), (17, None, 0)] {
        all.push(Recipe {
            version,
            activation: "MISH",
            tip,
            blocks: vec![
                Kind::Attention(4, 2, rotation),
                Kind::FeedForward,
                Kind::Pooling,
                Kind::Attention(3, 3, rotation),
            ],
            ..convolutional.clone()
        });
    }
    all
}

/// Returns random planes of each point, random global inputs, and random facts.
pub(super) fn inputs(dice: &mut Random, points: usize) -> (Vec<u32>, [f32; GLOBALS], Vec<f32>) {
    let planes = (0..points).map(|_| dice.below(1 << PLANES) as u32 | 1);
    let planes = planes.collect();
    let globals = std::array::from_fn(|_| dice.below(200) as f32 / 100.0 - 1.0);
    let facts = (0..FACTS).map(|_| dice.below(200) as f32 / 100.0 - 1.0);
    (planes, globals, facts.collect())
}

/// Computes the outputs for one position.
pub(super) fn one_pass(
    executor: &mut Executor,
    plan: &Plan,
    (planes, globals, facts): (&[u32], &[f32; GLOBALS], Option<&[f32]>),
    raw: &mut Raw,
) {
    let inputs = PassInputs {
        planes,
        globals,
        facts,
    };
    executor.pass(plan, &[inputs], std::slice::from_mut(raw));
}

fn assert_near(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let allowed = tolerance * expected.abs().max(1.0);
        let gap = (found - expected).abs();
        assert!(gap <= allowed, "{what} {i}: {found}, expected {expected}");
    }
}

/// Compares all outputs with the expected ones.
pub(super) fn assert_same(found: &Raw, expected: &Raw, tolerance: f32, what: &str) {
    for (name, found, expected) in [
        ("policy", &found.policy, &expected.policy),
        ("pass", &found.pass, &expected.pass),
        ("outcome", &found.outcome, &expected.outcome),
        ("scores", &found.scores, &expected.scores),
        ("ownership", &found.ownership, &expected.ownership),
    ] {
        assert_near(found, expected, tolerance, &format!("{what} {name}"));
    }
}

#[test]
fn passes_agree_with_the_reference_implementation() {
    let mut dice = Random::new(3);
    for (number, recipe) in recipes().iter().enumerate() {
        let model = read(&recipe.write(number as u64 + 1)).unwrap();
        for sides in [[9, 9], [3, 3], [5, 7], [7, 4], [19, 13], [25, 4]] {
            let points = sides[0] * sides[1];
            let (planes, globals, facts) = inputs(&mut dice, points);
            let facts = recipe.encodes.then_some(&facts[..]);
            let expected = reference::pass(&model, sides, &planes, &globals, facts);
            for kernel in Kernel::available() {
                let plan = model.clone().plan();
                let mut executor = Executor::new(&plan, kernel, sides[0], sides[1]);
                let mut raw = Raw::default();
                // The first pass leaves numbers that the second one must not use.
                let wrong = [f32::NAN; GLOBALS];
                one_pass(&mut executor, &plan, (&planes, &wrong, facts), &mut raw);
                for _ in 0..2 {
                    one_pass(&mut executor, &plan, (&planes, &globals, facts), &mut raw);
                    let what = format!("{number} {sides:?} {kernel}");
                    assert_same(&raw, &expected, tolerance(kernel), &what);
                }
            }
        }
    }
}

#[test]
fn blocks_without_an_effect_change_nothing() {
    let sides = [7, 7];
    let (planes, globals, _) = inputs(&mut Random::new(8), 49);
    let all = [
        Kind::Ordinary,
        Kind::Pooling,
        Kind::Bottleneck,
        Kind::Attention(2, 1, 2),
        Kind::FeedForward,
    ];
    for kind in all {
        let recipe = Recipe {
            version: 15,
            blocks: vec![kind],
            strength: 0.0,
            ..Recipe::default()
        };
        let model = read(&recipe.write(5)).unwrap();
        let mut bare = model.clone();
        bare.trunk.blocks.clear();
        let pass = |model: &Model| {
            let plan = model.clone().plan();
            let mut executor = Executor::new(&plan, Kernel::best(), sides[0], sides[1]);
            let mut raw = Raw::default();
            one_pass(&mut executor, &plan, (&planes, &globals, None), &mut raw);
            raw
        };
        assert_eq!(pass(&model), pass(&bare), "{kind:?}");
    }
}

#[test]
fn text_and_binary_packed_and_unpacked_are_the_same_network() {
    for recipe in recipes() {
        let text = Recipe {
            binary: false,
            ..recipe.clone()
        };
        let (binary, text) = (recipe.write(7), text.write(7));
        let model = read(&binary).unwrap();
        assert_eq!(read(&text).unwrap(), model);
        assert_eq!(read(&packed(&binary)).unwrap(), model);
        assert_eq!(read(&packed(&text)).unwrap(), model);
        assert_eq!(model.version, recipe.version);
        assert_eq!(model.channels(), recipe.channels);
    }
}

#[test]
fn archives_of_several_members_are_one_file() {
    let bytes = Recipe::default().write(1);
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let archive = [packed(first), packed(second)].concat();
    assert_eq!(read(&archive), read(&bytes));
    // Bytes after the last member are no part of an archive.
    for rest in [&b"rest"[..], &[0x1f, 0x8b, 8]] {
        assert!(read(&[&packed(&bytes), rest].concat()).is_err());
    }
}

/// Returns the message about a file with the first occurrence of `from` replaced.
fn message(recipe: &Recipe, from: &str, to: &str) -> String {
    let bytes = recipe.write(1);
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let at = bytes.windows(from.len()).position(|part| part == from);
    let at = at.unwrap();
    let changed = [&bytes[..at], to, &bytes[at + from.len()..]].concat();
    read(&changed).unwrap_err().to_string()
}

#[test]
fn unknown_parts_are_refused_by_name() {
    let plain = Recipe {
        version: 17,
        binary: false,
        blocks: vec![Kind::Ordinary, Kind::Attention(2, 2, 1), Kind::FeedForward],
        ..Recipe::default()
    };
    let cases = [
        (
            "sample 17",
            "sample 18",
            "KataGo model version 18, expected 8 to 17",
        ),
        (
            "sample 17",
            "sample 7",
            "KataGo model version 7, expected 8 to 17",
        ),
        (
            "22 19",
            "23 19",
            "layer 'start': '23', expected a number of input planes from 22 to 22",
        ),
        (
            "0 0 0 0 0 0 0 0",
            "0 2 0 0 0 0 0 0",
            "layer 'start': '2', expected a switch from 0 to 1",
        ),
        (
            "0 0 0 0 0 0 0 0",
            "0 0 0 0 5 0 0 0",
            "layer 'start': '5', expected 0 for an option without a meaning",
        ),
        (
            "ordinary_block",
            "dilated_block",
            "layer 'block': 'dilated_block', expected a known kind of block, such as ordinary_block \
             or gpool_block",
        ),
        (
            "ACTIVATION_RELU",
            "ACTIVATION_GELU",
            "layer 'layer4': 'ACTIVATION_GELU', expected ACTIVATION_ and IDENTITY, RELU, MISH or SILU",
        ),
        (
            "12 0.0001",
            "11 0.0001",
            "layer 'layer3': 11 channels, expected 12",
        ),
        (
            "12 0.0001",
            "12 nan",
            "layer 'layer3': 'nan', expected an epsilon above 0",
        ),
        (
            "3 3 12",
            "2 3 12",
            "layer 'layer5': '2', expected an odd side of a filter",
        ),
        (
            "3 3 12",
            "9 9 8000",
            "layer 'layer5': '648000', expected a filter of at most 32768 inputs",
        ),
        (
            "13 1 1",
            "13 2 1",
            "layer 'layer5': '2', expected a dilation from 1 to 1",
        ),
        (
            "12 20 1",
            "12 20 0",
            "layer 'block': '0', expected a switch of the gate from 1 to 1",
        ),
        (
            "2 2 6 5",
            "2 3 6 5",
            "layer 'block': '3', expected a divisor of the number of heads",
        ),
        (
            "2 2 6 5",
            "2 2 7 5",
            "layer 'block': '7', expected an even size of rotated keys",
        ),
        (
            "4 0 0 0",
            "3 0 0 0",
            "layer 'policy': '3', expected 2 or 4 policy channels",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(message(&plain, from, to), expected, "{from} -> {to}");
    }
}

#[test]
fn damaged_files_are_refused_in_one_line() {
    let recipe = Recipe::default();
    let bytes = recipe.write(2);
    let mut long = bytes.clone();
    long.extend_from_slice(b"more");
    assert_eq!(read(&long), Err(ModelError::Long));
    let mut broken = bytes.clone();
    let at = bytes.windows(5).position(|part| part == b"@BIN@").unwrap() + 5;
    for value in [f32::NAN, f32::INFINITY] {
        broken[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert_eq!(read(&broken), Err(ModelError::Weight("layer1".into())));
    }
    for kept in (0..bytes.len() - 2).step_by(97) {
        let line = read(&bytes[..kept]).unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
    }
    let archive = packed(&bytes);
    for kept in (0..archive.len()).step_by(97) {
        let line = read(&archive[..kept]).unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
    }
    let mut archive = archive;
    let last = archive.len() - 6;
    archive[last] ^= 1;
    assert!(matches!(read(&archive), Err(ModelError::Unpack(..))));
    for other in [
        &b"omnigo06\0\0"[..],
        b"",
        b"{\"a\": 1}",
        b"1\n0.25 0.5\n",
        b"PK\x03\x04",
    ] {
        assert_eq!(read(other), Err(ModelError::Kind));
    }
}

#[test]
fn small_files_cannot_fill_the_memory() {
    // A stem of zeros that claims 9 · 9 · 22 · 8192 weights in a file of a few hundred bytes.
    let head = "sample 8 22 19\ntrunk 1 8192 9 9 0 5\nstem 9 9 22 8192 1 1\n";
    assert_eq!(
        read(format!("{head}@BIN@").as_bytes()),
        Err(ModelError::Short("stem".into()))
    );
    let bomb = [format!("{head}@BIN@").as_bytes(), &vec![0; 48 << 20]].concat();
    let bomb = packed(&bomb);
    assert!(bomb.len() < 1 << 20);
    let limit = (32 << 20) + 16 * bomb.len() as u64;
    assert_eq!(read(&bomb), Err(ModelError::Size(limit >> 20)));
    let endless = [b"sample 8 22 ".to_vec(), vec![b' '; 60 << 20]].concat();
    assert!(matches!(read(&packed(&endless)), Err(ModelError::Size(_))));
    let word = vec![b'7'; 1 << 20];
    assert_eq!(read(&word), Err(ModelError::Kind));
    let deep = "nested_bottleneck_block b 1 n 1 0.1 0 0 1 1 a c 1 1 1 1 1 1 1 ".repeat(9);
    let deep = format!(
        "sample 8 22 19 trunk 1 1 9 9 0 5 stem 1 1 22 1 1 1 {}g 19 1 {}{deep}",
        "1 ".repeat(22),
        "1 ".repeat(19)
    );
    let line = read(deep.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        line,
        "layer 'b': 'nested_bottleneck_block', expected at most 8 blocks inside each other"
    );
}

#[test]
fn many_tiny_layers_cannot_fill_the_memory() {
    // Layers of one channel take those of 32, so 900 blocks take 300 MiB.
    let recipe = Recipe {
        blocks: vec![Kind::Ordinary; 900],
        channels: 1,
        ..Recipe::default()
    };
    let archive = packed(&recipe.write(1));
    let found = KataGo::read(Cursor::new(&archive), archive.len() as u64);
    let limit = (256 << 20) + 64 * archive.len() as u64;
    assert_eq!(found.err(), Some(ModelError::Memory(limit >> 20)));
}

#[test]
fn rotations_of_attention_count_as_memory() {
    let size = |rotation: usize| {
        let recipe = Recipe {
            version: 17,
            blocks: vec![Kind::Attention(4, 2, rotation)],
            ..Recipe::default()
        };
        let model = read(&recipe.write(1)).unwrap();
        let Block::Attention(attention) = &model.trunk.blocks[0] else {
            panic!("{:?}", model.trunk.blocks);
        };
        (model.planned_size(), attention.key_size as u64)
    };
    let [(none, channels), (fixed, _), (learned, _)] = [0, 1, 2].map(size);
    let table = channels * 625 * 4;
    assert_eq!([fixed - none, learned - none], [table, 2 * table]);
}

/// Facts of the player to move reach the encoder, and only the plain policy counts.
#[test]
fn evaluators_fill_the_facts_of_their_profile_in() {
    const SIDE: usize = 7;
    let recipe = Recipe {
        version: 15,
        activation: "MISH",
        encodes: true,
        ..Recipe::default()
    };
    let bytes = recipe.write(4);
    let model = read(&bytes).unwrap();
    let network = KataGo::read(Cursor::new(&bytes), bytes.len() as u64).unwrap();
    assert!(network.imitates());
    let network = Arc::new(network);
    let board = GridBoard::new(Grid::new(SIDE, SIDE).unwrap(), 2).unwrap();
    let kernel = Kernel::Portable;
    let evaluator = |profile| Evaluator::new(Arc::clone(&network), &board, kernel, profile);
    assert!(evaluator(None).is_none());
    let rules = presets::find("tromp-taylor").unwrap().rules.clone();
    let mut game = Game::new(board.clone(), rules, Points::whole(7), Color::BLACK);
    let profile: Profile = "rank_2d_15k".parse().unwrap();
    let mut evaluator = evaluator(Some(&profile)).unwrap();
    for at in [9, 24] {
        let line = Line::new(&game, game.to_move());
        let legal: Vec<_> = line.placements().collect();
        let mut collector = Collector::new(&game);
        let facts = collector.collect(&line, &[], &legal);
        let mut inputs = Inputs::default();
        Extractor::new(false).extract(&facts, &mut inputs);
        // The network counts rows from the top.
        let rows = inputs.planes.chunks(SIDE).rev();
        let planes: Vec<u32> = rows.flatten().copied().collect();
        let players = profile.facts(game.to_move(), SIDE * SIDE);
        let globals = &inputs.globals;
        let expected = reference::pass(&model, [SIDE; 2], &planes, globals, Some(&players));
        let output = evaluator.run(&facts, 0, 1.0);
        let plain: Vec<f32> = expected.policy.iter().step_by(2).copied().collect();
        let mut expected_rows: Vec<f32> = plain.chunks(SIDE).rev().flatten().copied().collect();
        expected_rows.push(expected.pass[0]);
        assert_near(&output.policy, &expected_rows, 2e-4, "policy");
        let mv = Move::Place(Vertex::at(at));
        game.play(game.to_move(), mv).unwrap();
    }
    // The profile makes a difference.
    let line = Line::new(&game, game.to_move());
    let legal: Vec<_> = line.placements().collect();
    let mut collector = Collector::new(&game);
    let facts = collector.collect(&line, &[], &legal);
    let first = evaluator.run(&facts, 0, 0.0).policy.clone();
    let other: Profile = "proyear_1900".parse().unwrap();
    let network = Arc::clone(&network);
    let mut evaluator = Evaluator::new(network, &board, kernel, Some(&other)).unwrap();
    assert_ne!(evaluator.run(&facts, 0, 0.0).policy, first);
}

/// Network of the tests that need a file. `OMNIGO_BLESS=1` writes it anew.
#[test]
fn the_sample_file_is_current() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/katago.bin");
    let bytes = Recipe::default().write(1);
    if std::env::var_os("OMNIGO_BLESS").is_some() {
        std::fs::write(file, &bytes).unwrap();
    }
    assert!(std::fs::read(file).unwrap() == bytes, "{file}");
}
