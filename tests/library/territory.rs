//! Games under territory rules: they end by passes, settled territory stays empty, and scores match
//! the status lists.

use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options, Status};
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, RulesetText};
use omnigo::vertex::{Move, Vertex};

fn engine(spec: &str, rules: &str, seed: u64) -> Engine {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let rules = rules.parse::<RulesetText>().unwrap().rules;
    let options = Options {
        playouts: Some(300),
        resign_below: 0.0,
        seed,
        ..Options::default()
    };
    Engine::new(goban, rules, Points::ZERO, options).unwrap()
}

/// Returns territory plus prisoners, counted from the statuses of chains. A region belongs to a
/// color if it touches only living chains of that color and none in seki. A dead stone is a
/// prisoner.
fn counted(engine: &Engine) -> [i64; 2] {
    let mut position = engine.position();
    let mut in_seki = vec![false; position.len()];
    let mut scores = [0; 2];
    for (color, points) in engine.prisoners().into_iter().enumerate() {
        scores[color] += points.halves() / 2;
    }
    for chain in engine.chains_with_status(Status::Dead) {
        for stone in chain {
            let color = position[stone.index()].take().unwrap();
            scores[color.other().index()] += 1;
        }
    }
    for chain in engine.chains_with_status(Status::Seki) {
        for stone in chain {
            in_seki[stone.index()] = true;
        }
    }
    let graph = &engine.goban().graph;
    let mut seen = vec![false; position.len()];
    for start in graph.all() {
        if position[start.index()].is_some() || seen[start.index()] {
            continue;
        }
        let (mut region, mut border): (Vec<Vertex>, Vec<Vertex>) = (vec![start], Vec::new());
        seen[start.index()] = true;
        let mut next = 0;
        while next < region.len() {
            for &near in graph.neighbors(region[next]) {
                if position[near.index()].is_some() {
                    border.push(near);
                } else if !seen[near.index()] {
                    seen[near.index()] = true;
                    region.push(near);
                }
            }
            next += 1;
        }
        let owner = border.first().and_then(|stone| position[stone.index()]);
        let whole = border
            .iter()
            .all(|stone| position[stone.index()] == owner && !in_seki[stone.index()]);
        if let (Some(color), true) = (owner, whole) {
            scores[color.index()] += region.len() as i64;
        }
    }
    scores
}

#[test]
fn games_end_and_scores_match_the_status_lists() {
    for (spec, seed) in [
        ("grid:5", 1),
        ("grid:6", 2),
        ("torus:5x5", 3),
        ("cycle:12", 2),
        ("cycle:12", 4),
        ("hypercube:4", 5),
    ] {
        let mut engine = engine(spec, "japanese", seed);
        let points = engine.position().len();
        let mut color = Color::BLACK;
        let mut moves = 0;
        while !engine.is_over() {
            engine.genmove(color);
            color = color.other();
            moves += 1;
            assert!(moves < 4 * points + 20, "{spec}: no end");
        }
        let scores: Vec<i64> = engine
            .scores()
            .unwrap()
            .iter()
            .map(|s| s.halves() / 2)
            .collect();
        assert_eq!(scores, counted(&engine), "{spec}");
    }
}

/// Returns a position with White's wall and its four eyes at the top, and Black's at the bottom.
/// `rows` are Black's two highest rows.
fn walls(rows: [&str; 2]) -> String {
    let mut all = [
        ".O.O.O.", "OOOOOOO", "OOOOOOO", rows[0], rows[1], "XXXXXXX", ".X.X.X.",
    ];
    // Points count from the lowest row.
    all.reverse();
    all.concat()
}

fn choice(position: &str, rules: &str, color: Color) -> Choice {
    let mut engine = engine("grid:7", rules, 1);
    let symbols = position.chars().map(Color::from_symbol);
    engine.set_position(&symbols.collect::<Vec<_>>(), Some(color));
    engine.choose(color)
}

#[test]
fn does_not_fill_settled_territory() {
    let settled = walls(["XXXXXXX", "XXXXXXX"]);
    for rules in ["japanese", "ancient-territory", "korean ko=positional"] {
        for color in [Color::BLACK, Color::WHITE] {
            let choice = choice(&settled, rules, color);
            assert_eq!(choice, Choice::Move(Move::Pass), "{rules} {color}");
        }
    }
}

#[test]
fn takes_the_last_point() {
    // With G4, Black encloses G3 as a point. White at G4 prevents that.
    let open = walls(["XXXXXX.", "XXXXXX."]);
    let names = engine("grid:7", "japanese", 1).goban().names.clone();
    let point = Choice::Move(Move::Place(names.find("G4").unwrap()));
    for color in [Color::BLACK, Color::WHITE] {
        assert_eq!(choice(&open, "japanese", color), point, "{color}");
    }
}
