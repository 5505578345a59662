//! The network: kernels agree, input planes follow reflections and color swaps, files are checked,
//! and guided searches obey the rules.

use std::sync::Arc;

use omnigo::board::grid::{Grid, GridBoard};
use omnigo::board::{BareBoard, Playouts};
use omnigo::color::Color;
use omnigo::engine::{Candidate, Choice, Engine, Guidance, Options};
use omnigo::graph::spec::Spec;
use omnigo::net::features::{Extractor, LADDER, LADDER_START, Situation};
use omnigo::net::kernels::Kernel;
use omnigo::net::{Evaluator, NetError, Network, Weights};
use omnigo::playout::Random;
use omnigo::points::Points;
use omnigo::rules::presets;
use omnigo::search::Parameters;
use omnigo::tactics::ladder::Ladders;
use omnigo::vertex::{Move, Vertex};

use crate::process::{self, text};

fn built_in() -> Arc<Network> {
    Network::built_in().expect("the program has a network")
}

/// Returns a board after some random moves, the player to move, and its legal moves.
fn position(
    width: usize,
    height: usize,
    moves: usize,
    seed: u64,
) -> (GridBoard, Color, Vec<Vertex>) {
    let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
    let mut random = Random::new(seed);
    let mut color = Color::BLACK;
    for _ in 0..moves {
        let at = board.vacant()[random.below(board.vacant().len())];
        if board.playable(color, at) {
            board.place(color, at, |_, _| {});
        }
        color = color.other();
    }
    let legal = legal(&board, color);
    (board, color, legal)
}

fn legal(board: &GridBoard, color: Color) -> Vec<Vertex> {
    let mut legal = board.vacant().to_vec();
    legal.retain(|&at| !board.preview(color, at).suicide);
    legal.sort_unstable();
    legal
}

fn deviation(values: &[f32]) -> f32 {
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    let squares: f32 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / count).sqrt()
}

#[test]
fn kernels_agree_with_the_portable_kernel() {
    let positions = [
        (5, 5, 8, 3),
        (9, 9, 30, 3),
        (13, 6, 30, 3),
        (19, 19, 120, 1),
        (19, 19, 120, 3),
    ];
    for (width, height, moves, seed) in positions {
        let (board, to_move, legal) = position(width, height, moves, seed);
        let situation = Situation {
            to_move,
            recent: &[Some(legal[0]), None],
            legal: &legal,
        };
        let komi = Points::from_halves(13);
        let run = |kernel| {
            let mut evaluator = Evaluator::new(built_in(), &board, kernel).unwrap();
            // Run twice, so that the second run starts with leftover data of the first.
            evaluator.run(&board, situation, -komi);
            evaluator.run(&board, situation, komi).clone()
        };
        let expected = run(Kernel::Portable);
        assert_eq!(expected.policy.len(), width * height + 1);
        for kernel in Kernel::available() {
            let found = run(kernel);
            let within = |most: f32, a: f32, b: f32, what: &str| {
                let error = (a - b).abs() / a.abs().max(1.0);
                assert!(error < most, "{kernel} {width}x{height} {what}: {a} {b}");
            };
            let close = |a, b, what| within(0.1, a, b, what);
            // This kernel also rounds the transformed values of Winograd's filtering to bf16, so
            // small probabilities have larger errors.
            let (most, mean) = match kernel {
                Kernel::Avx512Bf16 => (0.12, 0.02),
                _ => (0.06, 0.01),
            };
            close(expected.value, found.value, "value");
            // The last position is balanced. There a relative bound is too strict for this kernel,
            // which is wrong by 0.18 points of a lead of 1.4.
            match (kernel, width, seed) {
                (Kernel::Avx512Bf16, 19, 3) => {
                    let error = (expected.score - found.score).abs();
                    assert!(error < 0.2, "{kernel} score: {error} points");
                }
                _ => close(expected.score, found.score, "score"),
            }
            // The unit of these errors is the standard deviation of the logits, because rounding
            // errors grow with the logits.
            let unit = deviation(&expected.policy);
            let mut errors = 0.0;
            for (a, b) in expected.policy.iter().zip(&found.policy) {
                within(most, *a / unit, *b / unit, "policy");
                errors += (a - b).abs() / unit;
            }
            let error = errors / expected.policy.len() as f32;
            assert!(error < mean, "{kernel}: {error}");
            for (a, b) in expected.ownership.iter().zip(&found.ownership) {
                close(*a, *b, "ownership");
            }
        }
    }
}

#[test]
fn input_planes_follow_reflections_and_color_swaps() {
    let gives_up = |board: &GridBoard, at: Vertex| {
        let mut ladders = Ladders::default();
        ladders.set_board(board);
        let lost = ladders.is_lost(at);
        let gave_up = ladders.gave_up();
        gave_up || {
            ladders.capture(at);
            !lost && ladders.gave_up()
        }
    };
    let mut read = 0;
    for seed in 1..20 {
        let (width, height) = (7, 6);
        let (board, to_move, legal_here) = position(width, height, 20 + seed as usize, seed);
        let last = legal_here[0];
        let extract = |board: &GridBoard, to_move, last| {
            let legal = legal(board, to_move);
            let situation = Situation {
                to_move,
                recent: &[Some(last)],
                legal: &legal,
            };
            let mut planes = Vec::new();
            Extractor::default().extract(board, situation, &mut planes);
            planes
        };
        let expected = extract(&board, to_move, last);
        // The mirror image, left to right, with swapped colors.
        let mirror = |i: usize| i / width * width + (width - 1 - i % width);
        let mirrored: Vec<Option<Color>> = (0..width * height)
            .map(|i| board.at(Vertex::at(mirror(i))).map(Color::other))
            .collect();
        let mut turned = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        turned.set_position(&mirrored);
        let found = extract(&turned, to_move.other(), Vertex::at(mirror(last.index())));
        for (i, &bits) in found.iter().enumerate() {
            // Only the first of two ataris that start a ladder is marked, so ignore that plane. A
            // ladder reading that reaches its limit may have a different partial result in the
            // mirror image.
            let at = Vertex::at(i);
            let there = Vertex::at(mirror(i));
            let given_up = gives_up(&turned, at) || gives_up(&board, there);
            read += usize::from(!given_up && bits >> LADDER & 1 != 0);
            let hidden = u32::from(given_up) << LADDER | 1 << LADDER_START;
            let told = |bits: u32| bits & !hidden;
            assert_eq!(
                told(bits),
                told(expected[mirror(i)]),
                "seed {seed}, point {i}"
            );
        }
    }
    assert!(read > 20, "{read} ladders read out");
}

#[test]
fn damaged_files_are_rejected_with_a_reason() {
    let bytes = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/net/src/weights.bin"
    ))
    .unwrap();
    assert_eq!(Network::from_bytes(&bytes).unwrap(), *built_in());
    assert!(bytes.len() < 8 << 20, "{} bytes", bytes.len());
    assert_eq!(Network::from_bytes(b"").unwrap_err(), NetError::Kind);
    assert_eq!(
        Network::from_bytes(&bytes[..7]).unwrap_err(),
        NetError::Kind
    );
    for length in [12, 20, 30, 50, bytes.len() - 1] {
        assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    let mut other = bytes.clone();
    other[bytes.len() / 2] ^= 1;
    assert_eq!(Network::from_bytes(&other).unwrap_err(), NetError::Hash);
    let mut other = bytes.clone();
    other[8] = 9;
    assert_eq!(
        Network::from_bytes(&other).unwrap_err(),
        NetError::Version(9)
    );
    // A header that announces more data than the file has must not allocate memory.
    let mut other = bytes.clone();
    other[20] += 1;
    assert!(matches!(
        Network::from_bytes(&other),
        Err(NetError::Size(..))
    ));
    // A header that exceeds the limit for files must not either, and the error must name the size.
    (other[20], other[22], other[23]) = (64, 0, 2);
    assert_eq!(
        Network::from_bytes(&other).unwrap_err(),
        NetError::Shape(64, 512)
    );
    let mut other = bytes;
    other[22] = 33;
    assert!(matches!(
        Network::from_bytes(&other),
        Err(NetError::Shape(_, 33))
    ));
}

#[test]
fn the_network_covers_sides_from_its_smallest_to_its_largest() {
    let sides = built_in().sides();
    assert_eq!(sides.to_string(), "9,10,11,12,13,14,15,16,17,18,19");
    for (width, height) in [(9, 9), (11, 11), (9, 19), (16, 10), (19, 19)] {
        assert!(sides.span(width, height), "{width}x{height}");
    }
    for (width, height) in [(8, 9), (9, 7), (5, 5), (20, 19), (25, 25)] {
        assert!(!sides.span(width, height), "{width}x{height}");
    }
    // The error for a file that is not a network names the file and the problem.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = Weights::read(std::path::Path::new(path)).unwrap_err();
    assert!(matches!(error, NetError::Content(..)));
    assert!(
        error.to_string().contains("': not a network file"),
        "{error}"
    );
    let empty = tempfile::NamedTempFile::new().unwrap();
    let error = Weights::read(empty.path()).unwrap_err().to_string();
    assert!(error.contains("': an empty file"), "{error}");
}

fn engine(spec: &str, rules: &str, playouts: u64, threads: usize, guided: bool) -> Engine {
    let network = Weights::Omnigo(built_in());
    let guidance = guided.then(|| Guidance::new(network, Kernel::best(), true));
    engine_with(spec, rules, playouts, threads, guidance)
}

fn engine_with(
    spec: &str,
    rules: &str,
    playouts: u64,
    threads: usize,
    guidance: Option<Guidance>,
) -> Engine {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let rules = presets::find(rules).unwrap().rules.clone();
    let options = Options {
        playouts: Some(playouts),
        threads,
        guidance,
        ..Options::default()
    };
    Engine::new(goban, rules, Points::from_halves(13), options).unwrap()
}

#[test]
fn a_guided_game_ends_and_is_legal() {
    for (spec, rules, threads) in [("grid:5x5", "tromp-taylor", 1), ("grid:7x5", "chinese", 2)] {
        let mut engine = engine(spec, rules, 40, threads, true);
        for turn in 0.. {
            assert!(turn < 300, "{spec} does not end");
            let color = engine.to_move();
            match engine.genmove(color) {
                Choice::Move(_) => {}
                Choice::Resign => break,
            }
            let moves = engine.moves();
            if moves.len() >= 2 && moves[moves.len() - 2..].iter().all(|m| m.1 == Move::Pass) {
                break;
            }
        }
        assert!(engine.moves().len() > 10, "{spec}");
    }
}

#[test]
fn a_guided_search_respects_its_playouts_and_captures_stones_in_atari() {
    let mut engine = engine("grid:9x9", "chinese", 60, 1, true);
    // Ten white stones in atari at A9's end of the board. Any reading finds the capture.
    let rows = [
        "OOOOO....",
        "OOOOO....",
        "XXXXX.X..",
        ".........",
        "..X...X..",
        ".........",
        ".........",
        "..X...X..",
        ".........",
    ];
    let mut position: Vec<Option<Color>> = rows
        .iter()
        .rev()
        .flat_map(|row| row.chars().map(Color::from_symbol))
        .collect();
    // Black on F8 leaves F9 as the last liberty.
    position[7 * 9 + 5] = Some(Color::BLACK);
    engine.set_position(&position, Some(Color::BLACK));
    let decision = engine.think(Color::BLACK);
    assert!(decision.result.visits <= 60);
    assert_eq!(
        decision.choice,
        Choice::Move(Move::Place(Vertex::at(8 * 9 + 5)))
    );
}

/// Returns the guidance of the built-in network with parameters that `change` may change.
fn guidance_with(change: impl FnOnce(&mut Parameters)) -> Guidance {
    let mut guidance = Guidance::new(Weights::Omnigo(built_in()), Kernel::best(), true);
    change(&mut guidance.parameters);
    guidance
}

/// Returns Black's win rate in a game that Black lost, after a search with parameters that `change`
/// may change. Black's stones in the middle are dead. Earlier weights took them for alive.
fn win_rate_of_a_lost_game(change: impl FnOnce(&mut Parameters)) -> f64 {
    let moves = "\
        C7 A6 C4 D16 Q4 O3 R6 Q2 Q17 C6 D6 D7 C5 B6 C8 Q15 E7 O16 R15 Q16 R16 R14 S14 D8 C9 R17 S17 R18 S18 Q18 R13 \
        Q14 E8 D9 D10 E9 F9 E10 D11 F10 G9 G10 H10 H9 E6 H8 G7 F12 J10 H7 H6 J6 H5 J5 J4 K4 K3 H4 J3 G6 G5 F8 F6 G8 O4 \
        N4 P3 O5 P4 L4 N5 N3 L3 P2 N6 M4 C14 Q13 R12 Q12 R11 Q11 R10 Q10 Q9 P9 Q8 P8 P7 H16 C17 C16 D17 E16 E17 F17 \
        F18 G17 G18 H18 J17 H17 J18 G19 E18 B17 B18 B16 D13 A18 C18 J15 M17 N18 M15 L16 M16 L15 M14 L13 L14 K14 M13 \
        L12 N11 N10 M11 M10 L11 O7 O6 P6 Q7 N7 M6 M12 N12 N13 O13 O14 O15 P14 N14 L17 M18 L18 L19 P17 R3 K13 M2 N2 R2 \
        K7 M7 L8 M8 O10 L10 D19 L9 M9 K8 L7 J8 J7 J12 H11 J11 J9 K9 O11 B4 K19 M19 O18 J19 K18 H19 H12";
    let mut engine = engine_with("grid:19x19", "cgos", 150, 1, Some(guidance_with(change)));
    for (number, word) in moves.split_whitespace().enumerate() {
        let color = if number % 2 == 0 {
            Color::BLACK
        } else {
            Color::WHITE
        };
        let at = engine.goban().names.find(word).unwrap();
        engine.play(color, Move::Place(at)).unwrap();
    }
    engine.think(Color::BLACK).result.value
}

#[test]
fn a_guided_search_knows_a_large_dead_chain() {
    let found = win_rate_of_a_lost_game(|_| {});
    assert!(found < 0.6, "{found}");
}

#[test]
fn playouts_count_by_their_weight() {
    let network = win_rate_of_a_lost_game(|parameters| parameters.playout_weight_growth = 0.0);
    let playouts = win_rate_of_a_lost_game(|parameters| parameters.playout_weight = 1.0);
    // The averages differ by less than 40 points here, so playouts do not count.
    assert!(
        (0.03..0.4).contains(&(playouts - network)),
        "{network} {playouts}"
    );
    assert_eq!(win_rate_of_a_lost_game(|_| {}), network);
    let mixed = win_rate_of_a_lost_game(|parameters| parameters.playout_weight = 0.5);
    let share = (mixed - network) / (playouts - network);
    assert!((0.15..1.0).contains(&share), "{network} {playouts} {mixed}");
}

#[test]
fn the_network_input_includes_the_compensation_for_handicap() {
    let stones = [20, 24, 56, 60];
    let mut position = vec![None; 81];
    stones
        .iter()
        .for_each(|&at| position[at] = Some(Color::BLACK));
    let priors = |rules: &str, halves: i64| {
        let mut engine = engine("grid:9x9", rules, 20, 1, true);
        engine.set_komi(Points::from_halves(halves));
        engine.set_handicap(&position, 4);
        let told = engine.think(Color::WHITE).result.candidates;
        let mut priors: Vec<_> = told.iter().map(|c| (c.mv.vertex(), c.prior)).collect();
        priors.sort_by_key(|&(at, _)| at);
        priors
    };
    // Four points for four stones.
    assert_eq!(priors("chinese", 41), priors("tromp-taylor", 49));
    assert_ne!(priors("chinese", 41), priors("tromp-taylor", 41));
}

/// The network gives the vital point E5, and the points around it, almost no probability.
#[test]
fn a_guided_search_visits_vital_points() {
    let inside = |playouts, change: fn(&mut Parameters)| {
        let rows = [
            ".........",
            "...XXX...",
            "..XOOOX..",
            ".XOO.OOX.",
            ".XO...OX.",
            ".XOO.OOX.",
            "XXXOOOXXX",
            "OOOXXXOOO",
            ".........",
        ];
        let candidates = candidates(rows, Color::WHITE, playouts, change);
        [40, 31, 39, 41, 49].map(|at| find(&candidates, at))
    };
    let (raw, searched) = (inside(1, |_| {}), inside(400, |_| {}));
    assert!(raw.iter().all(|&(_, prior)| prior < 0.01), "{raw:?}");
    // All have the minimum. It is 0.025, before the priors are scaled to a sum of 1.
    let least = searched[0].1;
    let visited = |&(visits, prior): &(u32, f64)| visits > 0 && prior == least;
    assert!(
        least > 0.015 && searched.iter().all(visited),
        "{searched:?}"
    );
    let plain = inside(400, |parameters| parameters.urgent_move_policy = 0.0);
    assert_eq!(
        plain.map(|(_, prior)| prior),
        raw.map(|(_, prior)| prior),
        "{plain:?}"
    );
}

/// The network gives almost no probability to D7, the last liberty of a stone that cannot be saved.
#[test]
fn a_guided_search_visits_last_liberties() {
    let told = |playouts| {
        let rows = [
            ".........",
            "..X......",
            ".XO.X....",
            "..X......",
            "XXXXXXXXX",
            "OOOOOOOOO",
            "......O..",
            "..O......",
            ".........",
        ];
        find(&candidates(rows, Color::WHITE, playouts, |_| {}), 57)
    };
    assert!(told(1).1 < 0.01, "{:?}", told(1));
    let (visits, prior) = told(400);
    // The minimum is 0.025, before the priors are scaled to a sum of 1.
    assert!(visits > 0 && prior >= 0.0199, "{visits} {prior}");
}

/// Returns the candidates of a search on 9x9, from the top row to the bottom row, with parameters
/// that `change` may change.
fn candidates(
    rows: [&str; 9],
    to_move: Color,
    playouts: u64,
    change: impl FnOnce(&mut Parameters),
) -> Vec<Candidate> {
    let position: Vec<Option<Color>> = rows
        .iter()
        .rev()
        .flat_map(|row| row.chars().map(Color::from_symbol))
        .collect();
    let mut engine = engine_with(
        "grid:9x9",
        "tromp-taylor",
        playouts,
        1,
        Some(guidance_with(change)),
    );
    engine.set_position(&position, Some(to_move));
    engine.think(to_move).result.candidates
}

/// Returns visits and prior of the move at a point.
fn find(candidates: &[Candidate], at: usize) -> (u32, f64) {
    let mv = Move::Place(Vertex::at(at));
    let told = candidates.iter().find(|told| told.mv == mv).unwrap();
    (told.visits, told.prior)
}

#[test]
fn without_a_suitable_network_the_search_is_unguided() {
    for (spec, rules) in [
        ("torus:5x5", "tromp-taylor"),
        ("grid:5x5", "conway"),
        ("grid:3x5", "chinese"),
    ] {
        let choose = |guided| {
            let mut engine = engine(spec, rules, 200, 1, guided);
            (0..6)
                .map(|_| engine.genmove(engine.to_move()))
                .collect::<Vec<_>>()
        };
        assert_eq!(choose(true), choose(false), "{spec} {rules}");
    }
}

fn omnigo(arguments: &[&str]) -> (bool, String, String) {
    let output = process::omnigo(arguments);
    (
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn rows_are_written_from_games_and_their_accuracy_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let line = "B+R\tpdddqpdpcnfqkqnpjd\n";
    std::fs::write(path("games.txt"), line.repeat(60)).unwrap();
    let (games, rows) = (path("games.txt"), path("rows"));
    let (done, _, told) = omnigo(&["rows", &games, "--out", &rows]);
    assert!(done, "{told}");
    assert_eq!(told.trim(), "59 rows");
    let (done, found, told) = omnigo(&["accuracy", &rows, "--json"]);
    assert!(done, "{told}");
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["rows"], 59);
    // A trained network has a lower loss than a guess among 361 points.
    assert!(found["policy_loss"].as_f64().unwrap() < 5.0, "{found}");
    let (done, _, told) = omnigo(&["accuracy", &rows, "--open"]);
    assert!(
        !done && told.contains("has no labels of open positions"),
        "{told}"
    );
    let (done, _, told) = omnigo(&["rows", &games, "--held-out", "--out", &rows]);
    assert!(done);
    assert_eq!(told.trim(), "1 row");
    std::fs::write(path("games.txt"), "B+R\tzz\n").unwrap();
    let (done, _, told) = omnigo(&["rows", &games, "--out", &rows]);
    assert!(!done);
    assert_eq!(
        told.trim(),
        format!("error: '{games}' line 1: invalid move 'zz', expected two letters a to s, or tt")
    );
    std::fs::write(path("rows"), "omnigoTR").unwrap();
    assert!(!omnigo(&["accuracy", &rows]).0);
}

#[test]
fn an_unusable_network_gives_a_one_line_error() {
    let (done, _, told) = omnigo(&["--net", "no such file"]);
    assert!(!done);
    assert!(
        told.starts_with("error: cannot read 'no such file'"),
        "{told}"
    );
    assert_eq!(told.lines().count(), 1, "{told}");
    let (done, _, told) = omnigo(&["--net", "Cargo.toml"]);
    assert!(!done);
    assert!(told.contains("expected the header 'omnigoNN'"), "{told}");
    let (done, _, told) = omnigo(&["--net-kernel", "abacus"]);
    assert!(!done);
    assert!(told.contains("invalid kernel 'abacus'"), "{told}");
}

#[test]
fn the_benchmark_recommends_options() {
    let run = |arguments: &[&str]| {
        let output = process::omnigo(&[&["benchmark"], arguments].concat());
        (output.status, text(&output.stdout), text(&output.stderr))
    };
    let short = ["--time", "0.05", "--threads", "1"];
    let (status, text, _) = run(&[&["grid:9", "--net", "none"], &short[..]].concat());
    assert!(status.success());
    assert!(text.starts_with("board grid:9x9, network none\n"), "{text}");
    assert!(text.contains("recommended: --threads 1\n"), "{text}");
    assert!(text.contains(" 5 s a move: --visits "), "{text}");
    let guided = ["--graph", "grid:9", "--net-kernel", "portable", "--json"];
    let (status, text, _) = run(&[&guided, &short[..]].concat());
    assert!(status.success());
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    // A kernel that the user names is used even if it is slow.
    assert_eq!(report["threads"], 1);
    assert!(report["per_second"].as_f64().unwrap() > 0.0, "{report}");
    let (status, _, problem) = run(&["grid:99999999"]);
    assert!(!status.success());
    assert!(problem.contains("too many vertices"), "{problem}");
}
