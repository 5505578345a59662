//! Tests on random networks: the reader, the passes, the inputs, and every refusal.

use std::io::{Cursor, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::execute::{Executor, Plan, Raw};
use super::inputs::History;
use super::read::Model;
use super::{Evaluator, LeelaZero, POINTS, SIDE, reference};
use crate::evaluator::Evaluation;
use crate::features::board_reference::Random;
use crate::katago::ModelError;
use crate::kernels::Kernel;
use crate::kernels::products::checks::tolerance;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::grid::{Grid, GridBoard};
use omnigo_core::game::{Game, Line};
use omnigo_core::rules::presets;

/// Sizes of a network: channels, blocks, channels of both heads, and hidden values.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    channels: usize,
    blocks: usize,
    policy: usize,
    value: usize,
    hidden: usize,
}

const SMALL: Sizes = Sizes {
    channels: 3,
    blocks: 2,
    policy: 2,
    value: 1,
    hidden: 6,
};

/// Returns the lines of a random network after the version.
fn sample(sizes: Sizes, seed: u64) -> Vec<Vec<f32>> {
    let mut dice = Random::new(seed);
    let mut lines = Vec::new();
    let mut line = |count: usize, middle: f32, spread: f32| {
        let mut number = || middle + spread * (dice.below(2001) as f32 / 1000.0 - 1.0);
        lines.push((0..count).map(|_| number()).collect());
    };
    let Sizes { channels, .. } = sizes;
    let mut layers = vec![(18, channels, 9)];
    layers.extend(vec![(channels, channels, 9); 2 * sizes.blocks]);
    layers.extend([(channels, sizes.policy, 1), (channels, sizes.value, 1)]);
    let last = layers.len() - 1;
    for (number, (inputs, outputs, taps)) in layers.into_iter().enumerate() {
        let spread = (3.0 / (inputs * taps) as f32).sqrt();
        line(inputs * outputs * taps, 0.0, spread);
        line(outputs, 0.0, 0.3);
        line(outputs, 0.1, 0.3);
        line(outputs, 1.0, 0.5);
        if number == last - 1 {
            let inputs = POINTS * sizes.policy;
            line(inputs * (POINTS + 1), 0.0, (3.0 / inputs as f32).sqrt());
            line(POINTS + 1, 0.0, 0.3);
        }
    }
    let inputs = POINTS * sizes.value;
    line(inputs * sizes.hidden, 0.0, (3.0 / inputs as f32).sqrt());
    line(sizes.hidden, 0.0, 0.3);
    line(sizes.hidden, 0.0, 0.5);
    line(1, 0.0, 0.3);
    lines
}

/// Returns the text of a file.
fn text(version: &str, lines: &[Vec<f32>]) -> String {
    let mut text = format!("{version}\n");
    for line in lines {
        let words: Vec<String> = line.iter().map(f32::to_string).collect();
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    text
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Model, ModelError> {
    Model::read(Cursor::new(bytes), bytes.len() as u64)
}

fn network(version: &str, lines: &[Vec<f32>]) -> Arc<LeelaZero> {
    let text = text(version, lines);
    let read = LeelaZero::read(Cursor::new(&text), text.len() as u64);
    Arc::new(read.unwrap())
}

fn assert_near(found: f32, expected: f32, tolerance: f32, what: &str) {
    let allowed = tolerance * expected.abs().max(1.0);
    let gap = (found - expected).abs();
    assert!(gap <= allowed, "{what}: {found}, expected {expected}");
}

#[test]
fn passes_agree_with_the_reference_implementation() {
    let mut dice = Random::new(3);
    let wide = Sizes {
        channels: 33,
        blocks: 1,
        policy: 3,
        value: 2,
        hidden: 40,
    };
    let bare = Sizes { blocks: 0, ..SMALL };
    for (seed, sizes) in (1..).zip([SMALL, wide, bare]) {
        let lines = sample(sizes, seed);
        let plan = Plan::new(read(text("1", &lines).as_bytes()).unwrap());
        let planes: Vec<u32> = (0..POINTS).map(|_| dice.below(1 << 18) as u32).collect();
        let (policy, value) = reference::pass(&lines, sizes.blocks, &planes);
        for kernel in Kernel::available() {
            let tolerance = tolerance(kernel);
            let mut executor = Executor::new(kernel);
            let mut raw = Raw::default();
            // The second pass shows that no value of the first one is left behind.
            for _ in 0..2 {
                executor.pass(&plan, &planes, &mut raw);
                let what = format!("{sizes:?} {kernel}");
                assert_eq!(raw.policy.len(), policy.len());
                for (found, expected) in raw.policy.iter().zip(&policy) {
                    assert_near(*found, *expected, tolerance, &what);
                }
                assert_near(raw.value, value, tolerance, &what);
            }
        }
    }
}

#[test]
fn packed_files_and_other_line_ends_are_the_same_network() {
    let text = text("1", &sample(SMALL, 1));
    let model = read(text.as_bytes()).unwrap();
    assert_eq!(model.blocks.len(), 2);
    assert_eq!(model.version, 1);
    for other in [
        packed(text.as_bytes()),
        text.replace('\n', "\r\n").into_bytes(),
        text.replace('\n', " \n\n").into_bytes(),
        text.trim_end().as_bytes().to_vec(),
    ] {
        assert_eq!(read(&other).unwrap(), model);
        assert!(LeelaZero::is_start_of_file(&other));
    }
    for other in [
        "name\n8\n22\n19\n",
        "1\n8\n22\n19\n",
        "1 8 22 19\n",
        "omnigoNN",
        "",
        "1",
        "12345\n1 2\n",
    ] {
        assert!(!LeelaZero::is_start_of_file(other.as_bytes()), "{other}");
        assert!(!LeelaZero::is_start_of_file(&packed(other.as_bytes())));
    }
}

/// Returns the message about a file whose line is replaced. The first line has number 1.
fn message(lines: &[Vec<f32>], number: usize, line: &str) -> String {
    let text = text("1", lines);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[number - 1] = line;
    read(lines.join("\n").as_bytes()).unwrap_err().to_string()
}

#[test]
fn wrong_lines_are_refused_by_number() {
    let lines = sample(SMALL, 1);
    let cases = [
        (1, "3", "Leela Zero format version 3, expected 1 or 2"),
        (1, "0.5", "Leela Zero format version 0.5, expected 1 or 2"),
        (
            2,
            "1 2 3",
            "layer 'line 2': '3 numbers', expected a multiple of 162, up to 2048 times, for 18 \
             input planes",
        ),
        (
            3,
            "1 2",
            "layer 'line 3': '2 numbers', expected 3 for the biases of the layer",
        ),
        (
            4,
            "1 2 3 4",
            "layer 'line 4': 'more than 3 numbers', expected 3 for the means of the layer",
        ),
        (4, "1 2 x3", "layer 'line 4': 'x3', expected a number"),
        (
            5,
            "1 -2 3",
            "layer 'line 5': a weight is not a finite number",
        ),
        (
            5,
            "1 NaN 3",
            "layer 'line 5': a weight is not a finite number",
        ),
        (
            5,
            "1 1e99 3",
            "layer 'line 5': a weight is not a finite number",
        ),
        (
            5,
            "1 -inf 3",
            "layer 'line 5': a weight is not a finite number",
        ),
        (
            6,
            "1 2 3 4",
            "layer 'line 6': '4 numbers', expected 81 for a block, or a multiple of 3, up to 8 \
             times, for the policy",
        ),
        (
            10,
            "1 2 3",
            "layer 'line 10': '3 numbers', expected 81 for the second layer of a block",
        ),
        (
            26,
            "1 2 3",
            "layer 'line 26': '3 numbers', expected 261364 for the policy of 19x19 points",
        ),
        (
            32,
            "1 2 3",
            "layer 'line 32': '3 numbers', expected a multiple of 361, up to 4096 times, for the \
             value of 19x19 points",
        ),
        (
            35,
            "1 2",
            "layer 'line 35': 'more than 1 numbers', expected 1 for the value",
        ),
    ];
    for (number, line, expected) in cases {
        assert_eq!(message(&lines, number, line), expected, "line {number}");
    }
    let long = text("1", &lines) + "1\n";
    assert_eq!(read(long.as_bytes()), Err(ModelError::Long));
}

#[test]
fn files_without_their_last_lines_are_refused_by_number() {
    let text = text("2", &sample(SMALL, 2));
    let lines: Vec<&str> = text.lines().collect();
    for kept in 0..lines.len() {
        let line = read(lines[..kept].join("\n").as_bytes()).unwrap_err();
        let expected = format!("line {}", kept + 1);
        assert_eq!(line, ModelError::Short(expected));
    }
}

/// Number of bytes between the ends of truncated files.
const STEP: usize = 4_999;

#[test]
fn truncated_text_is_refused_in_one_line() {
    let text = text("2", &sample(SMALL, 2));
    let last = text.lines().last().unwrap().len();
    for kept in (0..text.len() - last - 1).step_by(STEP) {
        let line = read(&text.as_bytes()[..kept]).unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
    }
}

#[test]
fn truncated_and_damaged_archives_are_refused_in_one_line() {
    let archive = packed(text("2", &sample(SMALL, 2)).as_bytes());
    for kept in (0..archive.len()).step_by(STEP) {
        let line = read(&archive[..kept]).unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
    }
    let mut damaged = archive;
    let last = damaged.len() - 6;
    damaged[last] ^= 1;
    assert!(matches!(read(&damaged), Err(ModelError::Unpack(..))));
}

#[test]
fn small_files_cannot_fill_the_memory() {
    let endless = ["1\n".as_bytes(), &b"0 ".repeat(40 << 20)].concat();
    let found = read(&packed(&endless)).unwrap_err().to_string();
    assert!(found.contains("more than 331776 numbers"), "{found}");
    let blank = ["1\n".as_bytes(), &b"\n".repeat(80 << 20)].concat();
    assert!(matches!(read(&packed(&blank)), Err(ModelError::Size(_))));
    let word = ["1\n".as_bytes(), &vec![b'7'; 1 << 20]].concat();
    assert!(matches!(read(&word), Err(ModelError::Word(..))));
    let sizes = Sizes {
        channels: 1,
        blocks: 257,
        ..SMALL
    };
    let many = read(text("1", &sample(sizes, 1)).as_bytes()).unwrap_err();
    let many = many.to_string();
    assert!(many.ends_with("expected at most 256 blocks"), "{many}");
}

fn game(side: usize) -> Game<GridBoard> {
    let board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
    let rules = presets::find("tromp-taylor").unwrap().rules.clone();
    Game::new(board, rules, LeelaZero::KOMI, Color::BLACK)
}

fn play(game: &mut Game<GridBoard>, moves: &[Option<usize>]) {
    for mv in moves {
        let mv = mv.map_or(Move::Pass, |at| Move::Place(Vertex::at(at)));
        game.play(game.to_move(), mv).unwrap();
    }
}

/// Returns the planes after the moves, the last `searched` of them in a search.
fn planes(moves: &[Option<usize>], searched: usize) -> Vec<u32> {
    let mut game = game(SIDE);
    let (played, line_moves) = moves.split_at(moves.len() - searched);
    play(&mut game, played);
    let mut line = Line::new(&game, game.to_move());
    let mut path = Vec::new();
    for mv in line_moves {
        let at = mv.map(Vertex::at);
        line.play(at.map_or(Move::Pass, Move::Place));
        path.insert(0, at);
    }
    let mut planes = Vec::new();
    History::new(&game).extract(&line, &path, &mut planes);
    planes
}

#[test]
fn planes_show_eight_positions_and_the_color() {
    // The third move takes the white stone at 0, and the fourth is a pass.
    let found = planes(&[Some(1), Some(0), Some(19), None], 0);
    let set = |plane: u32| -> Vec<usize> {
        (0..POINTS)
            .filter(|&p| found[p] >> plane & 1 == 1)
            .collect()
    };
    // Own stones after four, three, two, and one moves, and at the start.
    assert_eq!([set(0), set(1)], [[1, 19], [1, 19]]);
    assert_eq!([set(2), set(3)], [[1], [1]]);
    assert!(set(4).is_empty());
    assert!(set(8).is_empty() && set(9).is_empty() && set(11).is_empty());
    assert_eq!(set(10), [0]);
    assert_eq!([set(16).len(), set(17).len()], [POINTS, 0]);
    let white = planes(&[Some(60)], 0);
    assert_eq!(white[60], 1 << 17 | 1 << 8);
    assert_eq!(white[61], 1 << 17);
}

#[test]
fn planes_of_a_search_are_those_of_the_game() {
    let mut moves: Vec<_> = [1, 0, 19, 40, 2, 0, 41, 60, 80, 81].map(Some).to_vec();
    moves.insert(4, None);
    let all = planes(&moves, 0);
    for searched in 1..=moves.len() {
        assert_eq!(planes(&moves, searched), all, "{searched}");
    }
}

/// Evaluates the present position of a game in a symmetry.
fn evaluate(
    network: &Arc<LeelaZero>,
    game: &Game<GridBoard>,
    symmetry: usize,
) -> (Vec<Vertex>, Evaluation) {
    let mut evaluator = Evaluator::new(Arc::clone(network), game, Kernel::Portable).unwrap();
    let line = Line::new(game, game.to_move());
    let mut legal: Vec<_> = line.placements().collect();
    legal.sort_unstable();
    let mut evaluation = Evaluation::default();
    evaluator.evaluate(&line, &[], &legal, true, symmetry, &mut evaluation);
    (legal, evaluation)
}

#[test]
fn symmetries_turn_the_board() {
    let network = network("1", &sample(SMALL, 5));
    let moves = [60, 300, 45, 97];
    let mut plain = game(SIDE);
    play(&mut plain, &moves.map(Some));
    let last = SIDE - 1;
    for symmetry in 0..8 {
        let turn = |at: usize| {
            let (mut x, mut y) = (at % SIDE, at / SIDE);
            y = if symmetry & 1 != 0 { last - y } else { y };
            x = if symmetry & 2 != 0 { last - x } else { x };
            if symmetry & 4 != 0 {
                x * SIDE + y
            } else {
                y * SIDE + x
            }
        };
        let mut turned = game(SIDE);
        play(&mut turned, &moves.map(|at| Some(turn(at))));
        let (legal, found) = evaluate(&network, &plain, symmetry);
        let (turned_legal, expected) = evaluate(&network, &turned, 0);
        assert_eq!(found.win, expected.win);
        assert_near(found.pass, expected.pass, 1e-6, "pass");
        for (at, prior) in legal.iter().zip(&found.priors) {
            let at = Vertex::at(turn(at.index()));
            let place = turned_legal.binary_search(&at).unwrap();
            assert_near(*prior, expected.priors[place], 1e-6, "prior");
        }
    }
}

#[test]
fn version_2_gives_the_value_of_black() {
    let lines = sample(SMALL, 6);
    let [one, two] = ["1", "2"].map(|version| network(version, &lines));
    assert_eq!([one.version(), two.version()], [1, 2]);
    let mut game = game(SIDE);
    let values = |game: &_| [&one, &two].map(|network| evaluate(network, game, 0).1.win);
    let [own, black] = values(&game);
    assert_eq!(own, black);
    assert!((0.0..=1.0).contains(&own) && own != 0.5);
    play(&mut game, &[Some(60)]);
    let [own, black] = values(&game);
    assert_eq!(black, 1.0 - own);
}

#[test]
fn extreme_weights_give_a_neutral_evaluation() {
    let mut lines = sample(SMALL, 7);
    let count = lines.len();
    for line in [0, 4, count - 4, count - 2, count - 10] {
        lines[line].fill(f32::MAX);
    }
    let network = network("1", &lines);
    let (_, found) = evaluate(&network, &game(SIDE), 0);
    assert!((0.0..=1.0).contains(&found.win), "{}", found.win);
    let sum: f32 = found.priors.iter().sum::<f32>() + found.pass;
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
}

#[test]
fn an_infinite_value_gives_a_neutral_evaluation() {
    let mut lines = sample(SMALL, 7);
    let count = lines.len();
    // Biases of the hidden values, and their weights.
    lines[count - 3].fill(10.0);
    lines[count - 2].fill(f32::MAX);
    let network = network("1", &lines);
    let (_, found) = evaluate(&network, &game(SIDE), 0);
    assert_eq!(found.win, 0.5);
    for prior in found.priors.iter().chain([&found.pass]) {
        assert_near(*prior, 1.0 / (POINTS + 1) as f32, 1e-6, "prior");
    }
}

#[test]
fn only_area_rules_on_nineteen_lines_are_known() {
    let network = network("1", &sample(SMALL, 8));
    let small = game(13);
    assert!(Evaluator::new(Arc::clone(&network), &small, Kernel::Portable).is_none());
    let knows = |name: &str| LeelaZero::knows(&presets::find(name).unwrap().rules);
    assert!(knows("tromp-taylor") && knows("chinese") && knows("new-zealand"));
    assert!(!knows("japanese") && !knows("ggg"));
    assert!(network.name().starts_with("leela-zero-"));
    assert_eq!([network.blocks(), network.channels()], [2, 3]);
}
