//! The end of games: dead stones come off before a pass, status lists agree with scores, passing is safe.

use omnigo::board::Board;
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options, Status};
use omnigo::game::Game;
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, RulesetText};
use omnigo::vertex::{Move, Vertex};

fn engine(spec: &str, rules: &str) -> Engine {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let rules = rules.parse::<RulesetText>().unwrap().rules;
    let options = Options {
        playouts: Some(400),
        ..Options::default()
    };
    Engine::new(goban, rules, Points::from_halves(15), options).unwrap()
}

fn set(engine: &mut Engine, rows: &str, to_move: Color) {
    // Written from the top row down, as people see boards.
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let cells = rows.iter().rev().flat_map(|row| row.chars());
    let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
    engine.set_position(&position, Some(to_move));
}

/// Black has the left, White the right, and each has a dead stone on the other side.
const DEAD: &str = "
    .X..XO...
    .X..XO...
    .XO.XO..O
    .X..XO..O
    .XXXXOOOO
    .X..XO..O
    .X..XO.XO
    .X..XO..O
    .X..XO...";

/// The engine plays `color`, the other side passes; the moves until the engine passes.
fn until_pass(engine: &mut Engine, color: Color, cleanup: bool) -> Vec<Move> {
    let mut moves = Vec::new();
    for _ in 0..60 {
        let choice = if cleanup {
            engine.genmove_cleanup(color)
        } else {
            engine.genmove(color)
        };
        let Choice::Move(mv) = choice else {
            panic!("resigned");
        };
        if mv == Move::Pass {
            return moves;
        }
        moves.push(mv);
        engine.play(color.other(), Move::Pass).unwrap();
    }
    panic!("never passed");
}

#[test]
fn everything_dead_is_captured_before_a_pass_where_nobody_agrees() {
    for (rules, color) in [
        ("cgos", Color::BLACK),
        ("cgos", Color::WHITE),
        ("tromp-taylor", Color::BLACK),
    ] {
        let mut engine = engine("grid:9", rules);
        set(&mut engine, DEAD, color);
        let moves = until_pass(&mut engine, color, false);
        assert_eq!(engine.captured()[color.index()], 1, "{rules} {color}");
        assert!(moves.len() <= 6, "{rules} {color}: {moves:?}");
    }
}

#[test]
fn cleanup_captures_what_agreement_would_take_off() {
    for rules in ["chinese", "aga", "chinese score=territory"] {
        let mut engine = engine("grid:9", rules);
        set(&mut engine, DEAD, Color::BLACK);
        let agreed = engine.outcome().unwrap();
        // With agreement there is nothing left to do.
        assert_eq!(
            engine.choose(Color::BLACK),
            Choice::Move(Move::Pass),
            "{rules}"
        );
        engine.play(Color::BLACK, Move::Pass).unwrap();
        engine.play(Color::WHITE, Move::Pass).unwrap();
        assert!(engine.is_over());
        // The game goes on after both have passed.
        until_pass(&mut engine, Color::BLACK, true);
        assert_eq!(engine.captured()[0], 1, "{rules}");
        assert_eq!(engine.rules().to_string(), rules, "the rules are back");
        if !rules.contains("territory") {
            assert_eq!(engine.outcome().unwrap(), agreed, "{rules}");
        }
    }
}

#[test]
fn status_lists_agree_with_the_score() {
    let mut engine = engine("grid:9", "chinese komi=0");
    set(&mut engine, DEAD, Color::BLACK);
    let dead: Vec<_> = engine.chains_with_status(Status::Dead).concat();
    assert_eq!(dead.len(), 2);
    let agreed = engine.outcome().unwrap();
    let mut position = engine.position();
    for stone in &dead {
        position[stone.index()] = None;
    }
    engine.set_position(&position, None);
    assert!(engine.chains_with_status(Status::Dead).is_empty());
    assert_eq!(engine.outcome().unwrap(), agreed);
    let stones: usize = [Status::Alive, Status::Seki]
        .into_iter()
        .map(|status| engine.chains_with_status(status).concat().len())
        .sum();
    assert_eq!(stones, position.iter().flatten().count());
}

#[test]
fn the_ko_of_the_playouts_comes_back_with_undo() {
    let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
    let rules = "tromp-taylor".parse::<RulesetText>().unwrap().rules;
    let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
    let at = |column: usize, row: usize| Move::Place(Vertex::at(column + 5 * row));
    let stones = [
        (1, 1),
        (2, 1),
        (0, 2),
        (3, 2),
        (1, 3),
        (2, 3),
        (4, 4),
        (1, 2),
    ];
    for (turn, (column, row)) in stones.into_iter().enumerate() {
        let color = [Color::BLACK, Color::WHITE][turn % 2];
        game.play(color, at(column, row)).unwrap();
    }
    game.play(Color::BLACK, at(2, 2)).unwrap();
    let ko = game.board().ko_point();
    assert_eq!(ko, at(1, 2).vertex());
    game.play(Color::WHITE, at(4, 0)).unwrap();
    assert_eq!(game.board().ko_point(), None);
    assert!(game.undo());
    assert_eq!(game.board().ko_point(), ko);
    let position = game.board().position();
    game.play(Color::WHITE, Move::Pass).unwrap();
    game.play(Color::BLACK, at(0, 0)).unwrap();
    assert!(game.undo());
    assert_eq!(game.board().ko_point(), ko);
    assert_eq!(game.board().position(), position);
    while game.undo() {}
    assert_eq!(game.board().ko_point(), None);
    assert!(game.board().position().iter().all(Option::is_none));
}
