//! Outputs of KataGo's test network, compared with those that KataGo publishes.
//!
//! The network is no part of the repository. `OMNIGO_KATAGO_NETS` names a folder with KataGo's
//! `cpp/tests/models`, and `.ci/katago-networks` fetches it.

use std::path::{Path, PathBuf};

use omnigo::arguments::guidance;
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options, Parameter, RawOutput};
use omnigo::graph::spec::Spec;
use omnigo::net::kernels::Kernel;
use omnigo::notation::{read_move, vertex};
use omnigo::playout::Random;
use omnigo::points::Points;
use omnigo::rules::presets;
use omnigo::vertex::{Move, Vertex};

/// Six residual blocks of 96 channels, model version 8.
const NETWORK: &str = "g170-b6c96-s175395328-d26788732.bin.gz";

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("OMNIGO_KATAGO_NETS");
    if folder.is_none() {
        println!("skipped: OMNIGO_KATAGO_NETS does not name a folder with networks of KataGo");
    }
    folder.map(PathBuf::from)
}

/// A position, and the symmetry in which the network sees it.
struct Case {
    spec: &'static str,
    rules: &'static str,
    komi: &'static str,
    /// Stones placed first, as `b C3 w D4`.
    stones: &'static str,
    /// Color that moves first.
    first: Color,
    moves: &'static str,
    symmetry: usize,
}

fn engine(network: &Path, kernel: Kernel, case: &Case) -> Engine {
    let goban = case.spec.parse::<Spec>().unwrap().build().unwrap();
    let rules = presets::find(case.rules).unwrap().rules.clone();
    let options = Options {
        guidance: guidance(Some(network), Some(kernel)).unwrap(),
        ..Options::default()
    };
    let mut engine = Engine::new(goban, rules, case.komi.parse().unwrap(), options).unwrap();
    let mut position = vec![None; engine.goban().graph.vertices()];
    let words: Vec<&str> = case.stones.split_whitespace().collect();
    for pair in words.chunks_exact(2) {
        let at = vertex(engine.goban(), pair[1]).unwrap();
        position[at.index()] = Some(pair[0].parse().unwrap());
    }
    engine.set_position(&position, Some(case.first));
    let mut color = case.first;
    for word in case.moves.split_whitespace() {
        let mv = read_move(engine.goban(), word).unwrap();
        engine.play(color, mv).unwrap();
        color = color.other();
    }
    engine
}

/// Returns the fastest kernel of this machine that computes in single precision.
fn precise() -> Kernel {
    let kernels = Kernel::available().filter(|kernel| kernel.is_precise());
    kernels.last().unwrap_or(Kernel::Portable)
}

/// Calls `check` with the output for a case by every kernel of single precision.
fn each_kernel(case: &Case, check: impl Fn(&Engine, &RawOutput)) {
    let Some(folder) = folder() else { return };
    for kernel in Kernel::available().filter(|kernel| kernel.is_precise()) {
        let engine = engine(&folder.join(NETWORK), kernel, case);
        check(&engine, &engine.raw_output(case.symmetry, None).unwrap());
    }
}

fn near(found: f32, expected: f32, allowed: f32) {
    assert!((found - expected).abs() <= allowed, "{found} {expected}");
}

/// Returns the policy of a move.
fn chance(engine: &Engine, raw: &RawOutput, text: &str) -> f32 {
    raw.policy[vertex(engine.goban(), text).unwrap().index()].unwrap()
}

// Sources: `cpp/tests/results` of KataGo 1.17.2. They were computed on a GPU whose products keep
// about ten bits, so they differ from single precision in the fourth digit.

/// Allowed gap of probabilities, and relative gap of the policy.
const PROBABILITY: f32 = 1e-3;
/// Allowed gap of points.
const POINTS: f32 = 0.02;

fn near_share(found: f32, expected: f32) {
    near(found, expected, 0.02 * expected + 6e-4);
}

/// From `runNNOnTinyBoardTest.txt`.
#[test]
#[ignore = "needs a network of KataGo"]
fn the_tiny_board_agrees() {
    let case = Case {
        spec: "grid:5x5",
        rules: "tromp-taylor",
        komi: "7.5",
        stones: "b D4 w C3 b B2 b C2 w D2",
        first: Color::WHITE,
        moves: "",
        symmetry: 3,
    };
    each_kernel(&case, |engine, raw| {
        near(raw.output.win, 0.9025, PROBABILITY);
        near(raw.output.score, 9.37, POINTS);
        near(raw.output.score_square, 242.9, 0.5);
        near(raw.output.lead, 7.87, POINTS);
        near_share(chance(engine, raw, "D3"), 0.607);
        near_share(chance(engine, raw, "B3"), 0.237);
        near_share(chance(engine, raw, "C4"), 0.150);
        let at = vertex(engine.goban(), "A5").unwrap().index();
        near(raw.output.ownership[at], -0.021, 2e-3);
        let at = vertex(engine.goban(), "D2").unwrap().index();
        near(raw.output.ownership[at], 0.559, 2e-3);
    });
}

/// From `gtp/rawnn.txt.stdout`. White's values; Black is to move.
#[test]
#[ignore = "needs a network of KataGo"]
fn chinese_rules_on_nine_by_nine_agree() {
    let published = [
        (
            1,
            0.532_987,
            0.000_062,
            0.577,
            0.427,
            224.101,
            0.295_184,
            0.293_648_7,
        ),
        (
            4, 0.525_422, 0.000_055, 0.408, 0.366, 209.486, 0.283_258, 0.192_471,
        ),
        (
            6, 0.549_882, 0.000_052, 1.019, 1.026, 223.759, 0.336_074, 0.232_97,
        ),
    ];
    for (symmetry, win, none, lead, score, square, f6, a9) in published {
        let case = Case {
            spec: "grid:9x9",
            rules: "chinese",
            komi: "7.5",
            stones: "",
            first: Color::BLACK,
            moves: "C3 C6",
            symmetry,
        };
        each_kernel(&case, |engine, raw| {
            near(raw.output.loss, win, PROBABILITY);
            near(raw.output.no_result, none, 1e-5);
            near(-raw.output.lead, lead, POINTS);
            near(-raw.output.score, score, POINTS);
            near(raw.output.score_square, square, 0.5);
            near_share(chance(engine, raw, "F6"), f6);
            let at = vertex(engine.goban(), "A9").unwrap().index();
            near(-raw.output.ownership[at], a9, 2e-3);
        });
    }
}

/// From `gtp/rawnn.txt.stdout`, on seven columns and ten rows. White is to move.
#[test]
#[ignore = "needs a network of KataGo"]
fn superko_on_a_rectangle_agrees() {
    let published = [
        (0, 0.690_885, 1.975, 2.600, 150.641),
        (1, 0.718_946, 2.582, 3.477, f32::NAN),
    ];
    for (symmetry, win, lead, score, square) in published {
        let case = Case {
            spec: "grid:7x10",
            rules: "new-zealand",
            komi: "7.5",
            stones: "",
            first: Color::BLACK,
            moves: "C3 C7 F7",
            symmetry,
        };
        each_kernel(&case, |engine, raw| {
            near(raw.output.win, win, PROBABILITY);
            near(raw.output.lead, lead, POINTS);
            near(raw.output.score, score, POINTS);
            if square.is_finite() {
                near(raw.output.score_square, square, 0.5);
                near_share(chance(engine, raw, "D4"), 0.553_230);
                near_share(chance(engine, raw, "E8"), 0.219_546);
            }
        });
    }
}

/// From `analysis/basic.txt.stdout`. Black's values. The analysis hides the history.
#[test]
#[ignore = "needs a network of KataGo"]
fn a_full_board_and_territory_rules_agree() {
    let opening = Case {
        spec: "grid:19x19",
        rules: "tromp-taylor",
        komi: "7.5",
        stones: "b Q4 b C4 w P5 b P6",
        first: Color::WHITE,
        moves: "",
        symmetry: 0,
    };
    each_kernel(&opening, |_, raw| {
        near(raw.output.loss, 0.640_169_26, PROBABILITY);
        near(-raw.output.lead, 7.737_34, POINTS);
        near(-raw.output.score, 8.221_56, POINTS);
    });
    let Some(folder) = folder() else { return };
    let endgame = Case {
        spec: "grid:9x9",
        rules: "japanese",
        komi: "6",
        stones: "",
        first: Color::BLACK,
        moves: "E5 E3 F7 C6 D4 G4 D3 D7 H5 D2 B5 F6 F5 E6 G6 G7 C2 E2 G8 H7 E8 E7 F8 H8 G5 H3 D8 \
                C8 H9 D9 J7 G9 F9 J6 H6 J8 J5 C9 J7 C5 B4 J6 H2 J2 G2 G3 J7 B6 H1 B2 C3 C1 B1 A1 \
                B3 F4 J3 J4 F2 F1 E4 F3 H4 J3 D1 G1 E1 F1 D1 G1 E1 F1",
        symmetry: 0,
    };
    let mut engine = engine(&folder.join(NETWORK), precise(), &endgame);
    // The position alone hides the history. Both colors made as many moves, but as a set-up each
    // stone costs a point, so komi makes up for the difference.
    let position = engine.position();
    let stones = |color: Color| position.iter().filter(|&&at| at == Some(color)).count() as i64;
    engine.set_position(&position, Some(Color::BLACK));
    engine.set_komi(Points::whole(
        6 + stones(Color::WHITE) - stones(Color::BLACK),
    ));
    let raw = engine.raw_output(0, None).unwrap();
    near(raw.output.no_result, 0.002_557_97, 1e-5);
    near(raw.output.lead, -6.620_79, POINTS);
    near(raw.output.score, -4.376_96, POINTS);
    near_share(chance(&engine, &raw, "J9"), 0.179_644);
}

/// Two transformers of KataGo's tests, for which no outputs are published. All symmetries must give
/// nearly the same opinion.
#[test]
#[ignore = "needs networks of KataGo"]
fn transformers_agree_with_themselves() {
    let case = Case {
        spec: "grid:9x9",
        rules: "chinese",
        komi: "7.5",
        stones: "",
        first: Color::BLACK,
        moves: "C3 C6",
        symmetry: 0,
    };
    let Some(folder) = folder() else { return };
    for name in [
        "b7c96h3tfrs-test5-cnorm.bin.gz",
        "b7c96h6kv3qk32v16tflrs-fson-bnh.bin.gz",
    ] {
        let engine = engine(&folder.join(name), precise(), &case);
        let first = engine.raw_output(0, None).unwrap().output;
        for symmetry in 1..8 {
            let other = engine.raw_output(symmetry, None).unwrap().output;
            near(other.win, first.win, 0.03);
            near(other.lead, first.lead, 0.5);
        }
    }
}

/// Returns the win probabilities and the choices of two searches in a row.
fn two_searches(
    network: &Path,
    setting: Option<(&str, &str)>,
    threads: usize,
) -> [(f64, Choice); 2] {
    let case = Case {
        spec: "grid:9x9",
        rules: "chinese",
        komi: "7",
        stones: "",
        first: Color::BLACK,
        moves: "E5 C3",
        symmetry: 0,
    };
    let mut engine = engine(network, Kernel::best(), &case);
    let mut options = Options {
        playouts: Some(60),
        threads,
        ..engine.options().clone()
    };
    let parameters = &mut options.guidance.as_mut().unwrap().parameters;
    if let Some((name, value)) = setting {
        let parameter = Parameter::find(name).unwrap();
        parameter.set(parameters, value).unwrap();
    }
    engine.set_options(options);
    [(); 2].map(|()| {
        let color = engine.to_move();
        let decision = engine.think(color);
        if let Choice::Move(mv) = decision.choice {
            engine.play(color, mv).unwrap();
        }
        (decision.result.value, decision.choice)
    })
}

/// Searches without a feature, or with an unusual value, must stay near the usual win probability.
/// The transformer tells expected errors, and the other network does not.
#[test]
#[ignore = "needs networks of KataGo"]
fn every_parameter_gives_plausible_searches() {
    let Some(folder) = folder() else { return };
    for name in [NETWORK, "b7c96h3tfrs-test5-cnorm.bin.gz"] {
        let network = folder.join(name);
        let usual = two_searches(&network, None, 1);
        assert_eq!(two_searches(&network, None, 1), usual, "equal seeds");
        for setting in [
            ("useLcbForSelection", "false"),
            ("useUncertainty", "false"),
            ("useNoisePruning", "false"),
            ("valueWeightExponent", "0"),
            ("uncertaintyExponent", "0"),
            ("staticScoreUtilityFactor", "0"),
            ("dynamicScoreUtilityFactor", "0"),
            ("fpuParentWeightByVisitedPolicy", "false"),
            ("cpuctUtilityStdevScale", "0"),
            ("policyOptimism", "0"),
            ("rootNumSymmetriesToSample", "8"),
            ("rootPolicyTemperature", "1.5"),
            ("nnPolicyTemperature", "0.8"),
        ] {
            for threads in [1, 2] {
                let found = two_searches(&network, Some(setting), threads);
                for ((mean, choice), (expected, _)) in found.into_iter().zip(usual) {
                    assert!(
                        (mean - expected).abs() < 0.2,
                        "{setting:?}: {mean} {expected}"
                    );
                    assert!(
                        matches!(choice, Choice::Move(Move::Place(_))),
                        "{setting:?}"
                    );
                }
            }
        }
    }
}

/// Number of games whose positions compare kernels, for each board and ruleset.
const GAMES: usize = 4;
/// Number of moves of such a game, as a share of the points.
const MOVES: f64 = 0.7;

/// Plays games by the policy in single precision. Returns the number of positions, and the number
/// of those in which the other kernel prefers the same move.
fn agreement(network: &Path, kernel: Kernel, spec: &'static str, rules: &'static str) -> [u32; 2] {
    let case = Case {
        spec,
        rules,
        komi: "6.5",
        stones: "",
        first: Color::BLACK,
        moves: "",
        symmetry: 0,
    };
    let mut dice = Random::new(1);
    let (mut positions, mut same) = (0, 0);
    for _ in 0..GAMES {
        let mut engines = [precise(), kernel].map(|kernel| engine(network, kernel, &case));
        let points = engines[0].goban().graph.vertices();
        for _ in 0..(points as f64 * MOVES) as usize {
            let raw = engines
                .each_ref()
                .map(|engine| engine.raw_output(0, None).unwrap());
            let best = raw.each_ref().map(|raw| {
                let chances = raw.policy.iter().enumerate();
                let known = chances.filter_map(|(at, &chance)| Some((at, chance?)));
                known.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
            });
            positions += 1;
            same += u32::from(best[0] == best[1]);
            // Sample a move, so that the games differ.
            let mut left = dice.below(1 << 24) as f32 / (1 << 24) as f32;
            let chances = raw[0].policy.iter().enumerate();
            let sampled = chances
                .filter_map(|(at, &chance)| Some((at, chance?)))
                .find(|&(_, chance)| {
                    left -= chance;
                    left < 0.0
                });
            let at = sampled.map_or(best[0], |(at, _)| at);
            let mv = if at < points {
                Move::Place(Vertex::at(at))
            } else {
                Move::Pass
            };
            let color = engines[0].to_move();
            for engine in &mut engines {
                engine.play(color, mv).unwrap();
            }
        }
    }
    [positions, same]
}

/// 16-bit integers must prefer the same move as single precision in 99 % of all positions, with
/// every kernel that has them.
#[test]
#[ignore = "needs a network of KataGo"]
fn kernels_that_round_keep_the_best_move() {
    let Some(folder) = folder() else { return };
    // Minimum share of positions with the same best move, in percent.
    for (kernel, least) in [
        (Kernel::Avx2Int16, 99),
        (Kernel::Avx2Vnni, 99),
        (Kernel::Avx512Int16, 99),
        (Kernel::Amx, 98),
    ] {
        if !kernel.is_available() {
            println!("skipped: this machine cannot run the kernel {kernel}");
            continue;
        }
        let (mut positions, mut same) = (0, 0);
        for (spec, rules) in [
            ("grid:7x7", "tromp-taylor"),
            ("grid:9x9", "japanese"),
            ("grid:13x13", "chinese"),
            ("grid:19x19", "tromp-taylor"),
        ] {
            let [all, equal] = agreement(&folder.join(NETWORK), kernel, spec, rules);
            println!("{kernel} {spec} {rules}: {equal} of {all}");
            positions += all;
            same += equal;
        }
        assert!(positions >= 1000, "{kernel}: {positions}");
        assert!(
            same * 100 >= positions * least,
            "{kernel}: {same} of {positions}"
        );
    }
}
