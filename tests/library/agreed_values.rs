//! Solver values under rules in which players agree about dead stones: bounds that hold for every
//! agreement.

use std::sync::atomic::AtomicBool;

use crate::naive::random::Random;
use crate::naive::spec::{graph_board, graph_of};
use omnigo::board::graph::GraphBoard;
use omnigo::board::life::{Vital, stone_without_liberty, unconditional_life};
use omnigo::board::{BareBoard, Chains};
use omnigo::color::Color;
use omnigo::exact::{Answer, Limits, Wish, solve};
use omnigo::game::{Agreement, Game, Outcome};
use omnigo::rules::{Points, RulesetText, Suicide};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

/// Returns a game in which both players have passed.
fn ended(edges: &[(usize, usize)], ruleset: &str, position: &[Option<Color>]) -> Game<GraphBoard> {
    let vertices = position.len();
    let keys = Zobrist::new(vertices, 2);
    let mut board = graph_board(&graph_of(vertices, edges), 2, &keys);
    board.set_position(position);
    let rules = ruleset.parse::<RulesetText>().unwrap().rules;
    let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
    game.play(Color::BLACK, Move::Pass).unwrap();
    game.play(Color::WHITE, Move::Pass).unwrap();
    game
}

fn answer(game: &Game<GraphBoard>) -> Answer {
    let stop = AtomicBool::new(false);
    let limits = Limits::new(&stop);
    solve(game, game.to_move(), &limits, Wish::default()).unwrap()
}

/// Returns Black's score lead.
fn margin(outcome: Outcome) -> Points {
    match outcome {
        Outcome::By(Color::BLACK, points) => points,
        Outcome::By(_, points) => Points::ZERO - points,
        Outcome::LastMover(_) | Outcome::Tie => Points::ZERO,
    }
}

fn stones(text: &str) -> Vec<Option<Color>> {
    text.chars().map(Color::from_symbol).collect()
}

/// Returns Black's least and greatest score lead over all agreements that remove no unconditionally
/// alive chain.
fn oracle(game: &Game<GraphBoard>) -> (Points, Points) {
    let board = game.board();
    let vital = match game.rules().suicide {
        Suicide::Allowed => Vital::EveryPoint,
        Suicide::Forbidden => Vital::EmptyPoints,
    };
    let mut open: Vec<Vec<Vertex>> = Vec::new();
    for color in [Color::BLACK, Color::WHITE] {
        let lives = match stone_without_liberty(board) {
            None => unconditional_life(board, color, vital).chains.concat(),
            Some(_) => Vec::new(),
        };
        for at in (0..board.points()).map(Vertex::at) {
            if board.at(at) == Some(color) && board.chain(at) == at && !lives.contains(&at) {
                let mut chain = Vec::new();
                board.for_chain(at, |stone| chain.push(stone));
                open.push(chain);
            }
        }
    }
    let margins = (0..1u32 << open.len()).map(|chosen| {
        let taken = open
            .iter()
            .zip(0..)
            .filter(|(_, bit)| chosen >> bit & 1 == 1);
        let dead = taken.flat_map(|(chain, _)| chain).copied().collect();
        let seki = Vec::new();
        margin(game.agreed_outcome(&Agreement { dead, seki }).unwrap())
    });
    let margins: Vec<Points> = margins.collect();
    (
        margins.iter().copied().min().unwrap(),
        margins.into_iter().max().unwrap(),
    )
}

#[test]
fn solver_bounds_are_the_extremes_over_all_agreements() {
    const RULES: [&str; 3] = [
        "japanese tax=none ko=positional",
        "japanese tax=none ko=situational suicide=yes",
        "chinese ko=positional",
    ];
    let mut random = Random::new(31);
    let mut apart = 0;
    for round in 0..600 {
        let vertices = 2 + random.below(6);
        let edges = random.edges(vertices, 40);
        let position: Vec<Option<Color>> = (0..vertices)
            .map(|_| [None, Some(Color::BLACK), Some(Color::WHITE)][random.below(3)])
            .collect();
        let ruleset = RULES[round % RULES.len()];
        let game = ended(&edges, ruleset, &position);
        let bounds = answer(&game).bounds;
        let found = (margin(bounds.lower), margin(bounds.upper));
        let expected = oracle(&game);
        assert_eq!(
            found, expected,
            "{ruleset} on {vertices} {edges:?}, {position:?}"
        );
        apart += usize::from(found.0 < found.1);
    }
    assert!(apart > 100, "only {apart} positions left something open");
}

/// A stone with two eyes, and next to it a stone that is not unconditionally alive. In the first
/// case both have the same color. In the second, the neighbor has eyes on its other side and shares
/// one point. Removed, it is a prisoner and leaves a point.
#[test]
fn a_dead_stone_is_a_prisoner() {
    let rules = "japanese tax=none ko=positional";
    let bounds = |edges, position| {
        let bounds = answer(&ended(edges, rules, &stones(position))).bounds;
        (bounds.lower.to_string(), bounds.upper.to_string())
    };
    let one = bounds(&[(0, 1), (2, 1), (1, 3), (3, 4)], ".X..X");
    assert_eq!(one, ("B+3".to_owned(), "B+3".to_owned()));
    let edges = [(0, 1), (2, 1), (1, 3), (3, 4), (3, 5), (4, 6), (4, 7)];
    let both = bounds(&edges, ".X..OX..");
    assert_eq!(both, ("W+1".to_owned(), "0".to_owned()));
}
