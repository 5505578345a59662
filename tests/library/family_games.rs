//! The engine finishes games on a small board of every family, under several rulesets.

#[path = "../../crates/graph/src/spec/families/test_boards.rs"]
mod test_boards;

use std::collections::BTreeSet;

use omnigo::engine::{Choice, Engine, Options};
use omnigo::graph::families;
use omnigo::graph::goban::Goban;
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, RulesetText};

/// Boards of text-based families, and of operators.
const MADE: &[&str] = &[
    "edges:a-b,b-c,c-a,c-d,e",
    "graph6:IsP@OkWHG",
    "sparse6::Fa@x^",
    "file:gtp-tests/rules/mango/m6-path.json",
    "space:(path:3),edges",
    "space:(cycle:4),pairs",
    "line(tetrahedron)",
    "complement(cycle:7)",
    "dual(cube)",
    "subdivide(complete:4)",
    "product(path:3,cycle:4)",
    "strong(path:3,path:4)",
    "lexicographic(path:3,path:2)",
    "remove(grid:4,B2,C3-D3)",
    "quotient(path:9,0=8)",
    "komi(grid:3,3)",
    "symmetrize(path:4)",
    "pick(file:gtp-tests/boards/square.txt,1)",
    "grid:3+cycle:5",
];

/// Rulesets that end games in different ways. Boards take them in turn.
const SYSTEMS: &[&str] = &["tromp-taylor", "conway", "famine", "ggg"];
/// Rulesets for go-spaces.
const OF_SPACES: &[&str] = &["topo-stone", "topo-primitive"];

/// Maximum number of vertices of a board that is always played. Each family plays one larger board.
const TINY: usize = 5;
/// Maximum number of vertices of a board on which the engine looks for proofs, which takes longer
/// than a game.
const PROVED: usize = 10;

/// Plays until the game is over or one side resigns. Returns the number of moves, or `None` if
/// there are more than a game of this size needs.
fn finished(goban: &Goban, rules: &str) -> Option<usize> {
    let most = 40 * goban.graph.vertices() + 100;
    let rules = rules.parse::<RulesetText>().unwrap().rules;
    let options = Options {
        playouts: Some(2),
        memory_mib: 1,
        ..Options::default()
    };
    let mut engine = Engine::new(goban.clone(), rules, Points::ZERO, options).unwrap();
    for number in 0..most {
        if engine.is_over() {
            return Some(number);
        }
        let color = engine.to_move();
        let legal = engine.legal_moves(color);
        match engine.genmove(color) {
            Choice::Resign => return Some(number),
            Choice::Move(mv) => assert!(legal.contains(&mv), "{}: {mv:?}", goban.spec),
        }
    }
    None
}

#[test]
fn games_finish_on_every_family() {
    let mut played = BTreeSet::new();
    let boards = test_boards::SMALL.iter().chain(MADE);
    // Play tiny boards first, then those too large for proofs. A family that has one of these can
    // skip the rest.
    let mut boards: Vec<(usize, &str, Goban)> = boards
        .map(|spec| {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            (goban.graph.vertices(), *spec, goban)
        })
        .collect();
    boards.sort_by_key(|(n, ..)| ((TINY + 1..=PROVED).contains(n), *n));
    for (number, (vertices, spec, goban)) in boards.iter().enumerate() {
        let family = spec.split([':', '(']).next().unwrap();
        let is_tiny = *vertices <= TINY;
        let has_tiny = played.contains(&(family, true));
        let is_spared = !is_tiny && *vertices <= PROVED && has_tiny;
        if is_spared || !played.insert((family, is_tiny)) && !is_tiny {
            continue;
        }
        let systems = match goban.space() {
            Some(_) => OF_SPACES,
            None if is_tiny => SYSTEMS,
            // Games that end when a player is stuck under paid passes are long.
            None => &SYSTEMS[..2],
        };
        let rules = systems[number % systems.len()];
        let moves = finished(goban, rules);
        assert!(moves.is_some(), "{spec} under {rules}");
    }
    let all: BTreeSet<&str> = families::list().map(|(name, ..)| name).collect();
    let played: BTreeSet<&str> = played.into_iter().map(|(family, _)| family).collect();
    assert_eq!(all, played, "every family is played");
}
