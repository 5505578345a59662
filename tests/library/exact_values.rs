//! Solver values, checked against exhaustive search of the naive game and against published values.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::naive::game::NaiveGame;
use crate::naive::random::Random;
use crate::naive::random_games;
use crate::naive::solve::{Play, reaches};
use crate::naive::spec::{goban, graph_board, graph_of};
use crate::naive::{Coloring, Naive};
use omnigo::board::graph::GraphBoard;
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::exact::{Answer, Limits, Wish, komi_parameter, solve};
use omnigo::game::{Game, Outcome};
use omnigo::rules::{Passing, Points, Ruleset, RulesetText, Scoring};
use omnigo::vertex::Move;
use omnigo::zobrist::Zobrist;

const BLACK: Color = Color::BLACK;
const ALL: Wish = Wish {
    pv: true,
    moves: true,
};

fn rules(text: &str) -> Ruleset {
    let read = text.parse::<RulesetText>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).rules
}

/// Returns a game of the crate and the same game of the reference implementation.
fn games(
    vertices: usize,
    edges: &[(usize, usize)],
    rules: &Ruleset,
) -> (Game<GraphBoard>, NaiveGame) {
    let keys = Zobrist::new(vertices, 2);
    let board = graph_board(&graph_of(vertices, edges), 2, &keys);
    let first = rules.first;
    let game = Game::new(board, rules.clone(), Points::ZERO, first);
    let naive = Naive::new(vertices, edges);
    (
        game,
        NaiveGame::new(naive, rules.clone(), Points::ZERO, first),
    )
}

fn answer(game: &Game<GraphBoard>, wish: Wish) -> Answer {
    let stop = AtomicBool::new(false);
    solve(game, game.to_move(), &Limits::new(&stop), wish).unwrap()
}

/// Returns Black's score lead in half points, or 1 or -1 for the last mover.
fn halves(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::By(color, points) => [1, -1][color.index()] * points.halves(),
        Outcome::LastMover(color) => [1, -1][color.index()],
        Outcome::Tie => 0,
    }
}

/// Returns the value by exhaustive search of the reference implementation. Every key contains all
/// situations so far.
fn exhaustive(game: &NaiveGame, known: &mut HashMap<Vec<(Coloring, usize)>, i64>) -> i64 {
    let moves = game.legal_moves(NaiveGame::to_move(game));
    if moves.is_empty() {
        return game.margin_at_end();
    }
    let mut key: Vec<(Coloring, usize)> = game
        .situations
        .iter()
        .map(|(cells, to_move)| (cells.clone(), to_move.index()))
        .collect();
    let present = key[key.len() - 1].clone();
    key.sort();
    key.dedup();
    key.push(present);
    key.push((
        Vec::new(),
        usize::from(game.latest.is_some_and(|(_, mv)| mv == Move::Pass)),
    ));
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let values = moves.into_iter().map(|mv| {
        let mut next = game.clone();
        Play::play(&mut next, mv);
        exhaustive(&next, known)
    });
    let value = if NaiveGame::to_move(game) == BLACK {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    };
    known.insert(key, value);
    value
}

trait AtEnd {
    fn margin_at_end(&self) -> i64;
}

impl AtEnd for NaiveGame {
    fn margin_at_end(&self) -> i64 {
        Play::margin(self)
    }
}

/// Plays up to `moves` random legal moves in both games. Stops early if none is legal.
fn play_on(game: &mut Game<GraphBoard>, naive: &mut NaiveGame, moves: usize, random: &mut Random) {
    for _ in 0..moves {
        let Some((color, mv)) = random_games::turn(game, random) else {
            return;
        };
        game.play(color, mv).unwrap();
        NaiveGame::play(naive, color, mv);
    }
}

const POSITIONAL: [&str; 9] = [
    "tromp-taylor",
    "ggg suicide=no",
    "formal first=white",
    "conway",
    "conway suicide=no",
    "topo-stone",
    "conway-prisoners black-passes=1 white-passes=1",
    "conway-prisoners white-passes=2",
    "conway-prisoners stuck=move-only black-passes=1 white-passes=1",
];

#[test]
fn values_agree_with_exhaustive_search_after_any_history() {
    let mut random = Random::new(7);
    for round in 0..160 {
        let ruleset = rules(POSITIONAL[round % POSITIONAL.len()]);
        let paid = ruleset.passing == Passing::Prisoners;
        // The reference search is slow, so four vertices occur only late in games without paid
        // passes.
        let vertices = 2 + random.below(if paid { 2 } else { 3 });
        let edges = random.edges(vertices, 70);
        let (mut game, mut naive) = games(vertices, &edges, &ruleset);
        let moves = if vertices == 4 {
            9 + random.below(9)
        } else {
            random.below(7)
        };
        play_on(&mut game, &mut naive, moves, &mut random);
        let answer = answer(&game, ALL);
        let value = answer.bounds.value().map(halves).unwrap();
        let shown = || format!("{ruleset} on {vertices} {edges:?}, {:?}", naive.situations);
        assert!(reaches(&naive, value), "{value} is too much: {}", shown());
        assert!(
            !reaches(&naive, value + 1),
            "{value} is too little: {}",
            shown()
        );
        let moves = answer.moves.iter().map(|(_, b)| halves(b.value().unwrap()));
        let best = if game.to_move() == BLACK {
            moves.max()
        } else {
            moves.min()
        };
        assert!(
            best.is_none_or(|best| best == value),
            "{best:?} of moves: {}",
            shown()
        );
    }
}

#[test]
fn situational_superko_agrees_with_exhaustive_search() {
    let mut random = Random::new(9);
    for round in 0..60 {
        let text = [
            "aga dead=none",
            "new-zealand dead=none",
            "conway ko=situational",
        ][round % 3];
        let ruleset = rules(text);
        let vertices = 2 + random.below(2);
        let edges = random.edges(vertices, 70);
        let (mut game, mut naive) = games(vertices, &edges, &ruleset);
        play_on(&mut game, &mut naive, random.below(6), &mut random);
        let value = answer(&game, ALL).bounds.value().map(halves).unwrap();
        let expected = exhaustive(&naive, &mut HashMap::new());
        assert_eq!(
            value, expected,
            "{ruleset} on {vertices} {edges:?}, {:?}",
            naive.situations
        );
    }
}

#[test]
fn the_principal_variation_is_legal_and_keeps_the_value() {
    for (spec, ruleset) in [
        ("cycle:4", "tromp-taylor"),
        ("complete:4", "ggg"),
        ("path:5", "conway"),
        ("path:5", "formal"),
        ("grid:2x3", "conway"),
        ("path:2", "conway-prisoners,black-passes=1,white-passes=1"),
        ("cycle:4", "famine,komi=1"),
        ("grid:3", "aga dead=none"),
    ] {
        let goban = goban(spec);
        let keys = Zobrist::new(goban.graph.vertices(), 2);
        let board = graph_board(&goban.graph, 2, &keys);
        let mut game = Game::new(board, rules(ruleset), Points::ZERO, BLACK);
        let found = answer(&game, ALL);
        for &mv in &found.pv {
            let color = game.to_move();
            assert!(game.check(color, mv).is_ok(), "{mv:?} of {:?}", found.pv);
            game.play(color, mv).unwrap();
        }
        assert!(game.is_over(), "{spec} {ruleset}: {:?}", found.pv);
        assert_eq!(
            game.outcome(&[]).ok(),
            found.bounds.value(),
            "{spec} {ruleset}"
        );
    }
}

/// The value of an empty board.
fn value(spec: &str, ruleset: &str) -> String {
    let goban = goban(spec);
    let keys = Zobrist::new(goban.graph.vertices(), 2);
    let mut board = graph_board(&goban.graph, 2, &keys);
    omnigo::board::BareBoard::set_position(&mut board, &goban.start);
    let game = Game::new(board, rules(ruleset), Points::ZERO, BLACK);
    answer(&game, Wish::default())
        .bounds
        .value()
        .unwrap()
        .to_string()
}

#[test]
fn tiny_boards_have_the_values_computed_by_hand() {
    for (spec, area, stones, conway) in [
        ("path:1", "0", "0", "W+"),
        ("path:2", "0", "0", "W+"),
        ("path:3", "B+3", "B+1", "B+"),
        ("complete:3", "0", "0", "W+"),
        ("path:4", "B+4", "B+2", "B+"),
        ("cycle:4", "B+1", "B+1", "B+"),
    ] {
        for ruleset in ["tromp-taylor", "formal", "ggg"] {
            assert_eq!(value(spec, ruleset), area, "{spec} {ruleset}");
        }
        assert_eq!(value(spec, "topo-stone"), stones, "{spec}");
        assert_eq!(value(spec, "conway"), conway, "{spec}");
    }
    assert_eq!(value("complete:4", "formal"), "B+1");
    assert_eq!(value("path:5", "formal"), "0");
    assert_eq!(value("path:5", "conway"), "B+");
    // Two copies of K2: White answers in the other copy.
    assert_eq!(value("path:2+path:2", "conway"), "W+");
    // The last board of van der Werf's first table, and Tromp's 2x2.
    assert_eq!(value("grid:3", "tromp-taylor"), "B+9");
    assert_eq!(value("grid:2", "tromp-taylor"), "B+1");
}

#[test]
fn komi_parameters_equal_those_computed_by_hand() {
    for (spec, komi) in [
        ("path:1", -1),
        ("path:2", -1),
        ("complete:3", -1),
        ("path:3", 0),
        ("path:4", 1),
        ("star:3", 1),
        ("cycle:4", 0),
    ] {
        let goban = goban(spec);
        let keys = Zobrist::new(goban.graph.vertices(), 2);
        let board = graph_board(&goban.graph, 2, &keys);
        let stop = AtomicBool::new(false);
        let found = komi_parameter(&board, &Limits::new(&stop)).unwrap();
        assert_eq!(found.value(), Some(komi), "{spec}");
    }
}

#[test]
fn a_stopped_solver_returns_valid_bounds() {
    let stop = AtomicBool::new(true);
    let goban = goban("grid:3");
    let keys = Zobrist::new(9, 2);
    let board = graph_board(&goban.graph, 2, &keys);
    let game = Game::new(board, rules("tromp-taylor"), Points::ZERO, BLACK);
    let found = solve(&game, BLACK, &Limits::new(&stop), ALL).unwrap();
    assert!(found.stopped.is_some() && found.bounds.value().is_none());
    assert!(halves(found.bounds.lower) <= 18 && halves(found.bounds.upper) >= 18);
    assert_eq!(game.rules().scoring, Scoring::Area);
}

/// Returns true if Black reaches a score lead, in half points, against every line of play. Does not
/// merge positions, because prisoners depend on the past moves.
fn reaches_by_every_line(game: &Game<GraphBoard>, target: i64) -> bool {
    let moves = Play::moves(game);
    if moves.is_empty() {
        return Play::margin(game) >= target;
    }
    let black = game.to_move() == BLACK;
    let found = moves.into_iter().rev().any(|mv| {
        let mut next = game.clone();
        Play::play(&mut next, mv);
        reaches_by_every_line(&next, target) == black
    });
    found == black
}

#[test]
fn territory_values_agree_with_every_line_of_play() {
    let rules = [
        "tromp-taylor,score=territory",
        "tromp-taylor,score=territory,suicide=no",
    ];
    let mut random = Random::new(11);
    for round in 0..40 {
        let ruleset = self::rules(rules[round % 2]);
        let vertices = 2 + random.below(2);
        let edges = random.edges(vertices, 80);
        let (mut game, mut naive) = games(vertices, &edges, &ruleset);
        play_on(&mut game, &mut naive, random.below(4), &mut random);
        let value = answer(&game, Wish::default())
            .bounds
            .value()
            .map(halves)
            .unwrap();
        let shown = format!("{ruleset} on {vertices} {edges:?}, {:?}", naive.situations);
        assert!(
            reaches_by_every_line(&game, value),
            "{value} is too much: {shown}"
        );
        assert!(
            !reaches_by_every_line(&game, value + 1),
            "{value} is too little: {shown}"
        );
    }
    // The center of three points also owns both ends. Filling an own point costs a point.
    assert_eq!(value("path:3", "tromp-taylor,score=territory"), "B+2");
    assert_eq!(value("path:1", "tromp-taylor,score=territory"), "0");
}

/// Returns the result of the engine's game against itself from the empty board.
fn own_game(spec: &str, ruleset: &str) -> String {
    let options = Options {
        playouts: Some(8),
        resign_below: 0.0,
        memory_mib: 64,
        ..Options::default()
    };
    let mut engine = Engine::new(goban(spec), rules(ruleset), Points::ZERO, options).unwrap();
    for _ in 0..200 {
        let color = engine.to_move();
        if engine.is_over() {
            break;
        }
        engine.genmove(color);
    }
    engine.outcome().unwrap().to_string()
}

#[test]
fn the_engine_keeps_proven_results_on_small_boards() {
    // With eight playouts per move, the search alone would lose these results.
    for (spec, ruleset, result) in [
        ("grid:3", "tromp-taylor", "B+9"),
        ("grid:2x4", "tromp-taylor", "B+8"),
        ("cycle:8", "formal", "0"),
        ("complete:4", "ggg", "B+1"),
        ("path:5", "conway", "B+"),
        ("path:5", "topo-stone", "0"),
        ("cycle:6", "conway", "W+"),
    ] {
        assert_eq!(own_game(spec, ruleset), result, "{spec} under {ruleset}");
    }
}

/// Returns the best score lead that Black can guarantee within `turns` turns, in half points. Games
/// that are cut off there count `cut`.
fn within(
    game: &NaiveGame,
    turns: usize,
    cut: i64,
    known: &mut HashMap<(Coloring, Coloring, usize, bool, usize), i64>,
) -> i64 {
    let moves = game.legal_moves(NaiveGame::to_move(game));
    if moves.is_empty() {
        return Play::margin(game);
    }
    if turns == 0 {
        return cut;
    }
    let n = game.situations.len();
    let before = n
        .checked_sub(2)
        .map_or(Vec::new(), |i| game.situations[i].0.clone());
    let passed = game.latest.is_some_and(|(_, mv)| mv == Move::Pass);
    let (cells, to_move) = game.situations[n - 1].clone();
    let key = (cells, before, to_move.index(), passed, turns);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let values = moves.into_iter().map(|mv| {
        let mut next = game.clone();
        Play::play(&mut next, mv);
        within(&next, turns - 1, cut, known)
    });
    let value = if to_move == BLACK {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    };
    known.insert(key, value);
    value
}

#[test]
fn simple_ko_has_a_value_exactly_if_endless_play_does_not_matter() {
    let mut random = Random::new(11);
    let mut open = 0;
    for round in 0..40 {
        let text = [
            "tromp-taylor ko=simple",
            "cgos ko=simple",
            "conway ko=simple",
        ][round % 3];
        let ruleset = rules(text);
        let vertices = 2 + random.below(2);
        let edges = random.edges(vertices, 80);
        let (mut game, mut naive) = games(vertices, &edges, &ruleset);
        play_on(&mut game, &mut naive, random.below(5), &mut random);
        let bounds = answer(&game, Wish::default()).bounds;
        let most = if ruleset.scoring == Scoring::None {
            1
        } else {
            2 * vertices as i64
        };
        let lower = within(&naive, 30, -most, &mut HashMap::new());
        let upper = within(&naive, 30, most, &mut HashMap::new());
        let found = (halves(bounds.lower), halves(bounds.upper));
        assert_eq!(
            found,
            (lower, upper),
            "{text} on {vertices} {edges:?}, {:?}",
            naive.situations
        );
        open += usize::from(lower < upper);
    }
    assert!(open > 0, "no cycle in the sample");
}

#[test]
fn agreement_keeps_chains_that_are_alive() {
    for ruleset in ["chinese", "aga", "new-zealand", "chinese-ogs"] {
        assert_eq!(value("grid:3", ruleset), "B+9", "{ruleset}");
        assert_eq!(value("path:1", ruleset), "0", "{ruleset}");
    }
}

#[test]
fn solves_eleven_points_by_merging_symmetric_positions() {
    // A star and a wheel of 11 points. Their values follow by hand.
    assert_eq!(value("star:10", "tromp-taylor"), "B+11");
    assert_eq!(value("wheel:10", "tromp-taylor"), "B+11");
}
