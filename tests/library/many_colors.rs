//! Games of more than two colors, from the first move to the scores.

use crate::naive::random::Random;
use crate::naive::spec::{goban, graph_board, graph_of, naive};
use crate::naive::{Naive, color, coloring};
use omnigo::board::BareBoard;
use omnigo::board::graph::GraphBoard;
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options, Status};
use omnigo::game::{Game, Outcome};
use omnigo::rules::{Points, Ruleset, RulesetText};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

fn rules(text: &str, colors: usize) -> Ruleset {
    Ruleset {
        colors,
        ..text.parse::<RulesetText>().unwrap().rules
    }
}

fn game_on(n: usize, edges: &[(usize, usize)], rules: &Ruleset) -> Game<GraphBoard> {
    let colors = rules.colors;
    let board = graph_board(&graph_of(n, edges), colors, &Zobrist::new(n, colors));
    Game::new(board, rules.clone(), Points::ZERO, rules.first)
}

fn engine(spec: &str, ruleset: &str, colors: usize) -> Engine {
    let options = Options {
        playouts: Some(60),
        resign_below: 0.0,
        ..Options::default()
    };
    let mut engine = Engine::new(goban(spec), rules(ruleset, 2), Points::ZERO, options).unwrap();
    engine.set_players(colors).unwrap();
    engine
}

/// Returns the score of a color by the naive count.
fn score(board: &Naive, rules: &Ruleset, color: Color) -> i64 {
    let census = board.census();
    let i = color.index();
    let shared = if rules.name == "ggg" {
        census.untouched
    } else {
        0
    };
    census.stones[i] + census.enclosed[i] + shared
}

#[test]
fn random_games_end_and_scores_agree_with_the_naive_board() {
    let mut random = Random::new(1);
    for round in 0..1000 {
        let n = 1 + random.below(7);
        let edges = random.edges(n, 40);
        let colors = 3 + round % 6;
        let rules = rules(["ggg", "formal", "formal suicide=no"][round % 3], colors);
        let mut game = game_on(n, &edges, &rules);
        let mut plain = Naive::new(n, &edges);
        let mut seen = vec![plain.cells.clone()];
        let mut passes = 0;
        for turn in 0.. {
            let mover = game.to_move();
            assert_eq!(mover, color(turn % colors));
            let moves = game.legal_moves(mover);
            if moves.is_empty() {
                assert_eq!(passes, colors);
                break;
            }
            assert!(passes < colors);
            let mv = if turn > 200 {
                Move::Pass
            } else {
                random.pick(&moves)
            };
            game.play(mover, mv).unwrap();
            match mv {
                Move::Pass => passes += 1,
                Move::Place(at) => {
                    passes = 0;
                    plain.place(mover, at.index());
                    assert!(!seen.contains(&plain.cells), "superko");
                    seen.push(plain.cells.clone());
                }
            }
            assert_eq!(game.board().position(), plain.cells);
        }
        let scores = game.scores(&[]).unwrap();
        let expected: Vec<i64> = Color::all(colors)
            .map(|c| score(&plain, &rules, c))
            .collect();
        let halves: Vec<i64> = scores.iter().map(|s| s.halves()).collect();
        assert_eq!(halves, expected.iter().map(|s| 2 * s).collect::<Vec<_>>());
        let best = expected.iter().max().unwrap();
        let winners: Vec<usize> = (0..colors).filter(|&c| expected[c] == *best).collect();
        let winner = match winners[..] {
            [only] => Some(color(only)),
            _ => None,
        };
        assert_eq!(game.outcome(&[]).unwrap().winner(), winner);
    }
}

#[test]
fn undo_restores_captures_of_several_colors() {
    let mut game = game_on(4, &[(0, 1), (0, 2), (0, 3)], &rules("formal", 4));
    game.restart(&coloring(".O34"), Color::BLACK);
    game.play(Color::BLACK, Move::Place(Vertex::at(0))).unwrap();
    assert_eq!(game.board().position(), coloring("X..."));
    assert_eq!(game.counter(Color::BLACK), Points::whole(3));
    assert_eq!(game.to_move(), Color::WHITE);
    assert!(game.undo());
    assert_eq!(game.board().position(), coloring(".O34"));
    assert_eq!(game.counter(Color::BLACK), Points::ZERO);
}

#[test]
fn only_a_unique_maximum_wins() {
    let mut game = game_on(5, &[(0, 1), (1, 2), (2, 3), (3, 4)], &rules("formal", 3));
    game.restart(&coloring("XX.OO"), Color::BLACK);
    assert_eq!(game.outcome(&[]).unwrap(), Outcome::Tie);
    game.restart(&coloring("X.33O"), Color::BLACK);
    let won = Outcome::By(color(2), Points::whole(1));
    assert_eq!(game.outcome(&[]).unwrap(), won);
    assert_eq!(won.to_string(), "red+1");
}

#[test]
fn colors_of_a_side_win_together() {
    let path: Vec<(usize, usize)> = (0..8).map(|v| (v, v + 1)).collect();
    for (sides, winner) in [
        ("0", Outcome::By(color(2), Points::whole(1))),
        ("101", Outcome::By(Color::BLACK, Points::whole(2))),
        ("011", Outcome::By(Color::WHITE, Points::whole(2))),
        ("110", Outcome::Tie),
    ] {
        let rules = rules(&format!("formal sides={sides}"), 3);
        let mut game = game_on(9, &path, &rules);
        game.restart(&coloring("X.O....3."), Color::BLACK);
        assert_eq!(game.outcome(&[]).unwrap(), winner, "{sides}");
    }
    let error = engine("petersen", "ggg sides=111", 2).set_players(3);
    assert!(error.unwrap_err().to_string().contains("one side"));
}

#[test]
fn the_engine_aims_at_the_win_of_its_side() {
    // Three stars, whose stones in the middle live. Point v lies between Black and Red, point x
    // between White and Red. Red needs the one that an opponent could take: the ally leaves the
    // other one to the side.
    let stars = |black: usize, white: usize| {
        let star = |name: char, leaves: usize| -> String {
            (0..leaves).map(|n| format!("{name}-{name}{n},")).collect()
        };
        let (b, w, r) = (star('b', black), star('w', white), star('r', 2));
        let leaves = |count: usize| ".".repeat(count);
        let position = format!("X{}O{}3....", leaves(black), leaves(white));
        (format!("edges:{b}{w}{r}b-v,v-r,w-x,x-r"), position)
    };
    for (sides, leaves, needed) in [("011", (6, 2), "v"), ("101", (2, 6), "x")] {
        let (spec, position) = stars(leaves.0, leaves.1);
        let mut engine = engine(&spec, &format!("formal sides={sides}"), 3);
        engine.set_options(Options {
            playouts: Some(500),
            ..engine.options().clone()
        });
        engine.set_position(&coloring(&position), Some(color(2)));
        let needed = engine.goban().names.find_label(needed).unwrap();
        assert_eq!(
            engine.choose(color(2)),
            Choice::Move(Move::Place(needed)),
            "{sides}"
        );
    }
}

#[test]
fn resignation_needs_two_players() {
    let mut three = engine("petersen", "ggg", 3);
    let refused = three.resign(Color::WHITE).unwrap_err().to_string();
    assert_eq!(refused, "resignation needs a game of two players");
    assert!(!three.is_over());
    let mut two = engine("petersen", "ggg", 2);
    two.resign(Color::WHITE).unwrap();
    // Strict rules stay over: the winner passes, the loser resigns.
    assert_eq!(two.genmove(Color::BLACK), Choice::Move(Move::Pass));
    assert_eq!(two.genmove(Color::WHITE), Choice::Resign);
    assert_eq!(two.result().unwrap(), "B+R");
}

#[test]
fn the_engine_plays_games_of_many_colors_to_the_end() {
    for (spec, colors) in [
        ("path:6", 3),
        ("grid:3x3", 3),
        ("petersen", 4),
        ("cycle:5", 8),
    ] {
        let mut engine = engine(spec, "tromp-taylor", colors);
        let cap = 40 * engine.goban().graph.vertices();
        let mut moves = 0;
        while !engine.is_over() {
            let color = engine.to_move();
            assert!(matches!(engine.genmove(color), Choice::Move(_)));
            moves += 1;
            assert!(moves < cap, "{spec}");
        }
        let scores = engine.scores().unwrap();
        assert_eq!(scores.len(), colors);
        assert_eq!(engine.outcome().unwrap(), Outcome::of_scores(&scores));
        assert_eq!(engine.prisoners().len(), colors);
    }
}

#[test]
fn the_engine_takes_a_sure_win() {
    // Black and White have one point each. A red stone in the middle of the other points makes them
    // Red's.
    let mut engine = engine("path:7", "formal", 3);
    engine.set_position(&coloring("X.O...."), Some(color(2)));
    match engine.choose(color(2)) {
        Choice::Move(Move::Place(at)) => assert!(at.index() > 2, "{at:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unsupported_settings_are_rejected_and_change_nothing() {
    let mut engine = engine("petersen", "ggg", 3);
    for colors in [0, 1, 9, 100] {
        assert!(engine.set_players(colors).is_err());
    }
    for ruleset in ["conway", "conway-prisoners", "famine", "ggg pass=prisoners"] {
        let error = engine.set_rules(rules(ruleset, 2)).unwrap_err();
        assert!(error.to_string().contains("2 colors"), "{error}");
    }
    assert_eq!((engine.rules().name, engine.rules().colors), ("ggg", 3));
    engine.set_rules(rules("formal", 2)).unwrap();
    assert_eq!(engine.rules().colors, 3);
    engine.clear_board();
    assert_eq!(engine.rules().colors, 3);
    engine.set_goban(goban("grid:4")).unwrap();
    assert_eq!(
        (
            engine.rules().colors,
            naive(&engine.goban().graph).cells.len()
        ),
        (3, 16)
    );
    let before = engine.goban().spec.to_string();
    assert!(engine.set_goban(goban("space:path:3")).is_err());
    assert_eq!(engine.goban().spec.to_string(), before);
}

/// Red and Black are alive with two eyes each. White's stone in Red's territory is dead.
const THREE: &str = "3333XX. 3.O3XXX 3..3X.X 3333XXX .3.3X.X";

#[test]
fn agreement_among_three_colors_removes_dead_stones() {
    let points = |engine: &Engine| {
        let scores = engine.scores().unwrap();
        assert_eq!(engine.outcome().unwrap(), Outcome::of_scores(&scores));
        scores.iter().map(|s| s.halves() / 2).collect::<Vec<_>>()
    };
    let mut engine = engine("grid:7x5", "chinese", 3);
    for (ruleset, scores, result) in [
        ("chinese", [15, 0, 20], "red+5"),
        ("aga", [15, 0, 20], "red+5"),
        // Under these rules, a stone that is dead by agreement among three players is not a
        // prisoner of any of them.
        ("japanese", [3, 0, 6], "red+3"),
        // Without agreement, the region around the white stone has no owner.
        ("tromp-taylor", [15, 1, 16], "red+1"),
    ] {
        engine.set_rules(rules(ruleset, 2)).unwrap();
        engine.set_position(&coloring(THREE), None);
        assert_eq!(points(&engine), scores, "{ruleset}");
        assert_eq!(engine.outcome().unwrap().to_string(), result, "{ruleset}");
        let dead = engine.chains_with_status(Status::Dead).concat();
        assert_eq!(dead, [Vertex::at(9)], "{ruleset}");
    }
    // If the colors rotate, the result rotates with them.
    let turned = |c: Option<Color>| c.map(|c| color((c.index() + 1) % 3));
    for result in ["B+5", "W+5", "red+5"] {
        let position: Vec<Option<Color>> = engine.position().into_iter().map(turned).collect();
        engine.set_rules(rules("chinese", 2)).unwrap();
        engine.set_position(&position, None);
        assert_eq!(engine.outcome().unwrap().to_string(), result);
    }
}

#[test]
fn rejects_boards_with_stones_of_unused_colors() {
    let text =
        r#"{"nodes":[{"id":"a","stone":"red"},{"id":"b"}],"links":[{"source":"a","target":"b"}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("red.json");
    std::fs::write(&file, text).unwrap();
    let spec = format!("file:{}", file.display());
    let board = goban(&spec);
    let begun = Engine::new(
        board.clone(),
        rules("formal", 2),
        Points::ZERO,
        Options::default(),
    );
    let told = begun.err().unwrap().to_string();
    assert!(
        told.starts_with("the starting position has a stone of red"),
        "{told}"
    );
    let mut engine = engine("path:2", "formal", 3);
    engine.set_goban(board).unwrap();
    assert!(engine.set_players(2).is_err());
    assert_eq!(engine.rules().colors, 3);
    assert_eq!(engine.position(), [Some(color(2)), None]);
}

#[test]
fn the_first_player_follows_the_rules_after_undo_too() {
    let mut game = game_on(3, &[(0, 1), (1, 2)], &rules("formal", 2));
    game.play(Color::BLACK, Move::Place(Vertex::at(1))).unwrap();
    game.set_rules(rules("formal first=white", 2));
    assert_eq!(game.to_move(), Color::WHITE);
    assert!(game.undo());
    assert_eq!(game.to_move(), Color::WHITE);
    game.set_rules(rules("formal", 2));
    assert_eq!(game.to_move(), Color::BLACK);
    game.restart(&[None; 3], Color::WHITE);
    game.set_rules(rules("formal suicide=no", 2));
    assert_eq!(game.to_move(), Color::WHITE, "as it was set up");
}
