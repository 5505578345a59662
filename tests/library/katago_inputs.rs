//! Inputs of KataGo's networks, compared with those that KataGo prints in its own tests.
//!
//! The texts are no part of the repository. `OMNIGO_KATAGO_NETS` names `cpp/tests/models` in a copy
//! of KataGo, and `.ci/katago-networks` fetches it.

use std::path::PathBuf;

use omnigo::board::BareBoard;
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::color::Color;
use omnigo::game::{Game, Line};
use omnigo::net::katago::Collector;
use omnigo::net::katago::inputs::{Extractor, GLOBALS, Inputs};
use omnigo::rules::{Points, Ruleset, kata, presets};
use omnigo::vertex::{Move, Vertex};

/// Returns KataGo's test program and the output of its tests.
fn texts() -> Option<[String; 2]> {
    let Some(folder) = std::env::var_os("OMNIGO_KATAGO_NETS") else {
        println!("skipped: OMNIGO_KATAGO_NETS does not name cpp/tests/models of KataGo");
        return None;
    };
    let tests = PathBuf::from(folder).join("..");
    let files = ["testnninputs.cpp", "results/runOutputTests.txt"].map(|name| tests.join(name));
    Some(files.map(|file| {
        let text = std::fs::read_to_string(&file);
        text.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }))
}

/// Planes and global inputs that KataGo printed. A plane has a row per line, from the top.
#[derive(Default)]
struct Dump {
    planes: Vec<(usize, Vec<Vec<bool>>)>,
    globals: Vec<(usize, f32)>,
    /// Stones of the position in the printed board, row by row from the top.
    board: Vec<Vec<Option<Color>>>,
}

impl Dump {
    fn read(text: &str) -> Dump {
        let mut dump = Dump::default();
        let mut open = false;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("Channel: ") {
                let mut words = rest.split(": ");
                let number = words.next().unwrap().trim().parse().unwrap();
                open = false;
                match words.next() {
                    Some(value) => dump.globals.push((number, value.parse().unwrap())),
                    None => {
                        dump.planes.push((number, Vec::new()));
                        dump.board.clear();
                        open = true;
                    }
                }
                continue;
            }
            let Some((bits, board)) = line.split_once("  ").filter(|_| open) else {
                open = false;
                continue;
            };
            let bits = bits.split(' ').map(|bit| bit == "1").collect();
            dump.planes.last_mut().unwrap().1.push(bits);
            // A stone may be followed by the number of its move.
            let stones = board.chars().step_by(2).map(Color::from_symbol);
            dump.board.push(stones.collect());
        }
        dump
    }

    fn assert_agrees(&self, game: &Game<GridBoard>, what: &str) {
        let line = Line::new(game, game.to_move());
        let mut legal: Vec<_> = line.placements().collect();
        legal.sort_unstable();
        let mut collector = Collector::new(game);
        let facts = collector.collect(&line, &[], &legal);
        let mut inputs = Inputs::default();
        Extractor::new(false).extract(&facts, &mut inputs);
        let (width, height) = game.board().rectangle().unwrap();
        assert!(!self.planes.is_empty() || !self.globals.is_empty());
        for (plane, rows) in &self.planes {
            for (y, row) in rows.iter().enumerate().take(height) {
                for (x, &bit) in row.iter().enumerate().take(width) {
                    let found = inputs.planes[(height - 1 - y) * width + x] >> plane & 1 == 1;
                    assert_eq!(found, bit, "{what}: plane {plane}, row {y}, column {x}");
                }
            }
        }
        for &(number, value) in &self.globals {
            assert!(number < GLOBALS);
            let gap = (inputs.globals[number] - value).abs();
            let found = inputs.globals[number];
            assert!(
                gap < 1e-5,
                "{what}: number {number}: {found}, expected {value}"
            );
        }
    }
}

/// Returns the part of a text between the first occurrence of a text and the next one of another.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.split_once(from).unwrap().1;
    start.split_once(to).map_or(start, |(part, _)| part)
}

/// Returns the points of a property of a game record, in which rows count from the top.
fn points(record: &str, key: &str, height: usize, width: usize) -> Vec<Move> {
    let Some((_, rest)) = record.split_once(key) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for value in rest.split('[').skip(1) {
        let Some((point, after)) = value.split_once(']') else {
            break;
        };
        found.push(match point.as_bytes() {
            [x, y] => {
                let (x, y) = (usize::from(x - b'a'), usize::from(y - b'a'));
                Move::Place(Vertex::at((height - 1 - y) * width + x))
            }
            _ => Move::Pass,
        });
        if !after.is_empty() {
            break;
        }
    }
    found
}

/// Plays a record of KataGo's tests up to a number of moves.
fn game(record: &str, side: usize, rules: &Ruleset, komi: &str, most: usize) -> Game<GridBoard> {
    let board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
    let komi: Points = komi.parse().unwrap();
    let mut game = Game::new(board, rules.clone(), komi, Color::BLACK);
    let mut position = vec![None; side * side];
    for mv in points(record, "AB", side, side) {
        position[mv.vertex().unwrap().index()] = Some(Color::BLACK);
    }
    let mut moves = Vec::new();
    for node in record.split(';').skip(2) {
        let color = match node.as_bytes().first() {
            Some(b'B') => Color::BLACK,
            _ => Color::WHITE,
        };
        moves.push((color, points(node, "", side, side)[0]));
    }
    game.restart(&position, moves[0].0);
    for &(color, mv) in moves.iter().take(most) {
        game.play(color, mv).unwrap();
    }
    game
}

#[test]
#[ignore = "needs KataGo's tests"]
fn records_agree() {
    let Some([program, output]) = texts() else {
        return;
    };
    let tromp = &presets::find("tromp-taylor").unwrap().rules;
    let mut strict = tromp.clone();
    strict.suicide = omnigo::rules::Suicide::Forbidden;
    let cases = [
        ("NN Inputs V3V4V5V6 Basic", 19, tromp, "7.5", usize::MAX),
        ("NN Inputs V3V4V5V6 Ko", 19, tromp, "0.5", usize::MAX),
        ("NN Inputs V3V4V5V6 7x7", 7, tromp, "-4.5", usize::MAX),
        (
            "NN Inputs V3V4V6 some other test positions",
            13,
            &strict,
            "7.5",
            164,
        ),
    ];
    for (name, side, rules, komi, most) in cases {
        let record = between(&program, &format!("\"{name}\""), "\";");
        let record = record.split_once("sgfStr = \"").unwrap().1;
        let dump = between(&output, &format!("\n{name}\n"), "\nNN Inputs");
        let dump = between(dump, "VERSION 7\n", "\n---");
        let game = game(record, side, rules, komi, most);
        Dump::read(dump).assert_agrees(&game, name);
    }
}

#[test]
#[ignore = "needs KataGo's tests"]
fn areas_agree_under_every_tax() {
    let Some([_, output]) = texts() else { return };
    let dump = between(
        &output,
        "\nNN Inputs V6 Area Feature and Komi\n",
        "\nNN Inputs",
    );
    let mut seen = 0;
    for part in dump
        .split("VERSION 7")
        .nth(1)
        .unwrap()
        .split("Rules: ")
        .skip(1)
    {
        let text = part.lines().next().unwrap().split("komi").next().unwrap();
        if !text.contains("AREA") || !part.contains("Encore phase: 0") {
            continue;
        }
        let found = Dump::read(part);
        let (height, width) = (found.board.len(), found.board[0].len());
        let board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let rules = kata::from_text(text).unwrap();
        // The komi of the player to move tells who that is.
        let first = match found.globals[0].1 > 0.0 {
            true => Color::WHITE,
            false => Color::BLACK,
        };
        let mut game = Game::new(board, rules, "6.5".parse().unwrap(), first);
        let position: Vec<_> = found.board.iter().rev().flatten().copied().collect();
        game.restart(&position, first);
        found.assert_agrees(&game, part);
        seen += 1;
    }
    assert!(seen > 8, "{seen} positions");
}
