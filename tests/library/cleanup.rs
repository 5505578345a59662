//! Ends of games: the engine captures dead stones before it passes, status lists agree with scores,
//! and passing is safe.

use omnigo::board::grid::{Grid, GridBoard};
use omnigo::board::{BareBoard, Chains};
use omnigo::color::Color;
use omnigo::engine::{AnalysisRequest, Choice, Engine, Options, Status};
use omnigo::game::Game;
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, RulesetText};
use omnigo::vertex::{Move, Vertex};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

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
    // Rows go from the top down, as in diagrams.
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let cells = rows.iter().rev().flat_map(|row| row.chars());
    let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
    engine.set_position(&position, Some(to_move));
}

/// Black owns the left, White the right. Each has a dead stone on the other side.
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

/// Lets the engine play `color` against an opponent who always passes. Returns its moves up to its
/// first pass.
fn until_pass(engine: &mut Engine, color: Color, cleanup: bool) -> Vec<Move> {
    let mut moves = Vec::new();
    for _ in 0..60 {
        let choice = if cleanup {
            engine.genmove_cleanup(&AnalysisRequest::for_color(color), &mut |_, _| {})
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
fn captures_dead_stones_before_passing_without_agreement() {
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
fn cleanup_captures_the_stones_that_agreement_removes() {
    for rules in ["chinese", "aga", "chinese score=territory"] {
        let mut engine = engine("grid:9", rules);
        set(&mut engine, DEAD, Color::BLACK);
        let agreed = engine.outcome().unwrap();
        // With agreement about dead stones, no move is left.
        assert_eq!(
            engine.choose(Color::BLACK),
            Choice::Move(Move::Pass),
            "{rules}"
        );
        engine.play(Color::BLACK, Move::Pass).unwrap();
        engine.play(Color::WHITE, Move::Pass).unwrap();
        assert!(engine.is_over());
        // The game continues after both have passed.
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

/// Returns the engine's view of the position: the score, and the stones of each status.
fn judgement(engine: &Engine) -> (String, [Vec<Vertex>; 3]) {
    let stones = |status| {
        let mut stones = engine.chains_with_status(status).concat();
        stones.sort_unstable();
        stones
    };
    let score = engine.outcome().unwrap().to_string();
    let by_status = [Status::Alive, Status::Seki, Status::Dead].map(stones);
    (score, by_status)
}

#[test]
fn undo_restores_the_score_and_the_status_lists() {
    let mut chance = SmallRng::seed_from_u64(5);
    for spec in ["grid:5", "grid:9", "hexhex:3", "space:(path:5),edges,pairs"] {
        let mut engine = engine(spec, "chinese komi=0");
        for _ in 0..8 {
            engine.clear_board();
            let play = |engine: &mut Engine, chance: &mut SmallRng, most: usize| {
                for _ in 0..most {
                    let color = engine.to_move();
                    let mut moves = engine.legal_moves(color);
                    moves.retain(|&mv| mv != Move::Pass);
                    let Some(&mv) = moves.choose(chance) else {
                        break;
                    };
                    engine.play(color, mv).unwrap();
                }
                engine.moves().len()
            };
            let many = engine.legal_moves(Color::BLACK).len();
            let before = play(&mut engine, &mut chance, many / 3);
            let judged = judgement(&engine);
            let after = play(&mut engine, &mut chance, 6);
            for _ in before..after {
                assert!(engine.undo());
            }
            assert_eq!(judgement(&engine), judged, "{spec} {:?}", engine.moves());
        }
    }
}

#[test]
fn each_stone_of_a_space_has_one_status() {
    let mut engine = engine("space:(path:5),edges,pairs", "chinese komi=0");
    let mut several = false;
    for text in ["OO.......", "XXX.OO...", "X.XOO.O..", "O.OX....X"] {
        let position: Vec<Option<Color>> = text.chars().map(Color::from_symbol).collect();
        engine.set_position(&position, None);
        let (_, [alive, seki, dead]) = judgement(&engine);
        let mut judged = [alive, seki, dead].concat();
        judged.sort_unstable();
        let space = engine.goban().space().unwrap();
        let is_stone = |&at: &Vertex| {
            let points = space.placement(at.index());
            let first = position[points[0].index()];
            first.is_some() && points.iter().all(|p| position[p.index()] == first)
        };
        let stones: Vec<Vertex> = (0..space.placements())
            .map(Vertex::at)
            .filter(is_stone)
            .collect();
        several |= stones
            .iter()
            .any(|at| space.placement(at.index()).len() > 1);
        assert_eq!(judged, stones, "{text}");
    }
    assert!(several, "a stone of two points is among them");
}

#[test]
fn undo_restores_the_ko_point() {
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
