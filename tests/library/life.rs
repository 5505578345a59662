//! Unconditional life, compared with its definition: attackers move as they like, and the defender
//! always passes.

use std::collections::HashSet;

use crate::naive::random::Random;
use crate::naive::spec::{edges_text, goban, graph_board, graph_of};
use crate::naive::{Coloring, Naive, coloring};
use omnigo::board::BareBoard;
use omnigo::board::life::{Vital, stone_without_liberty, unconditional_life};
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::rules::{Points, RulesetText};
use omnigo::zobrist::Zobrist;

/// Returns the defender's stones that stand in every position that attackers can reach, without
/// superko. Without `suicide`, no move may remove stones of its own color.
fn uncapturable(start: &Naive, defender: Color, colors: usize, suicide: bool) -> Vec<usize> {
    let mut standing: Vec<bool> = start.cells.iter().map(|&c| c == Some(defender)).collect();
    let mut seen: HashSet<Coloring> = HashSet::from([start.cells.clone()]);
    let mut open = vec![start.clone()];
    while let Some(board) = open.pop() {
        for attacker in Color::all(colors).filter(|&c| c != defender) {
            for v in board.vacant() {
                let mut next = board.clone();
                let removed = next.place(attacker, v);
                if !suicide && removed.iter().any(|&(_, stone)| stone == attacker) {
                    continue;
                }
                for &(stone, color) in &removed {
                    if color == defender {
                        standing[stone] = false;
                    }
                }
                if seen.insert(next.cells.clone()) {
                    open.push(next);
                }
            }
        }
    }
    (0..standing.len()).filter(|&v| standing[v]).collect()
}

fn by_benson(
    board: &Naive,
    keys: &Zobrist,
    colors: usize,
    color: Color,
    vital: Vital,
) -> Option<Vec<usize>> {
    let mut edges = Vec::new();
    for (v, near) in board.neighbors.iter().enumerate() {
        edges.extend(near.iter().map(|&u| (v, u)));
    }
    let graph = graph_of(board.cells.len(), &edges);
    let mut own = graph_board(&graph, colors, keys);
    own.set_position(&board.cells);
    if stone_without_liberty(&own).is_some() {
        return None;
    }
    let chains = unconditional_life(&own, color, vital).chains;
    let mut stones: Vec<usize> = chains.into_iter().flatten().map(|v| v.index()).collect();
    stones.sort_unstable();
    Some(stones)
}

#[test]
fn without_suicide_exactly_the_uncapturable_stones_are_alive() {
    let mut random = Random::new(1);
    let keys = Zobrist::new(9, 2);
    let (mut living, mut judged) = (0, 0);
    for _ in 0..4000 {
        let vertices = 3 + random.below(6);
        let edges = random.edges(vertices, 40);
        let mut board = Naive::new(vertices, &edges);
        board.cells = random.coloring(vertices, 2, 60);
        let found = by_benson(&board, &keys, 2, Color::BLACK, Vital::EmptyPoints);
        let Some(found) = found else { continue };
        let expected = uncapturable(&board, Color::BLACK, 2, false);
        assert_eq!(
            found,
            expected,
            "{} {:?}",
            edges_text(vertices, &edges),
            board.cells
        );
        living += usize::from(!found.is_empty());
        judged += 1;
    }
    assert!(living > 50 && judged > 500, "{living} of {judged}");
}

#[test]
fn with_suicide_no_stone_reported_alive_can_be_captured() {
    let mut random = Random::new(2);
    let (mut living, mut textbook_wrong) = (0, 0);
    for round in 0..4000 {
        let colors = 2 + round % 2;
        let vertices = 3 + random.below(if colors == 2 { 5 } else { 4 });
        let edges = random.edges(vertices, 40);
        let mut board = Naive::new(vertices, &edges);
        board.cells = random.coloring(vertices, colors, 55);
        let keys = Zobrist::new(vertices, colors);
        let found = by_benson(&board, &keys, colors, Color::BLACK, Vital::EveryPoint);
        let Some(found) = found else { continue };
        let expected = uncapturable(&board, Color::BLACK, colors, true);
        let text = || format!("{} {:?}", edges_text(vertices, &edges), board.cells);
        assert!(found.iter().all(|v| expected.contains(v)), "{}", text());
        living += usize::from(!found.is_empty());
        let textbook = by_benson(&board, &keys, colors, Color::BLACK, Vital::EmptyPoints);
        textbook_wrong += usize::from(textbook.unwrap().iter().any(|v| !expected.contains(v)));
    }
    assert!(living > 50, "{living}");
    assert!(textbook_wrong > 0, "the two forms should differ somewhere");
}

fn life(spec: &str, ruleset: &str, position: &str, color: Color) -> Result<Vec<String>, String> {
    let rules = ruleset.parse::<RulesetText>().unwrap().rules;
    let goban = goban(spec);
    let names = goban.names.clone();
    let mut engine = Engine::new(goban, rules, Points::ZERO, Options::default()).unwrap();
    engine.set_position(&coloring(position), None);
    let chains = engine
        .unconditional_life(color)
        .map_err(|e| e.to_string())?;
    let text = |chain: Vec<_>| {
        chain
            .into_iter()
            .map(|v| names.alias(v))
            .collect::<Vec<_>>()
            .join(" ")
    };
    Ok(chains.into_iter().map(text).collect())
}

#[test]
fn life_is_correct_in_worked_cases() {
    let black = Color::BLACK;
    // A counterexample to the textbook form: White fills an eye, is captured, fills again, and
    // captures.
    assert_eq!(
        life("path:4", "tromp-taylor", ".X.O", black).unwrap(),
        [""; 0]
    );
    assert_eq!(
        life("path:4", "tromp-taylor,suicide=no", ".X.O", black).unwrap(),
        ["B1"]
    );
    // Two chains that live together: each has its own eye, and they share another.
    assert_eq!(
        life("path:5", "tromp-taylor", ".X.X.", black).unwrap(),
        ["B1", "A2"]
    );
    assert_eq!(
        life("path:5", "tromp-taylor", ".X...", black).unwrap(),
        [""; 0]
    );
    // The hub of a star lives by two empty leaves.
    assert_eq!(life("star:3", "ggg", "X.X.", black).unwrap(), ["A1 A2"]);
    assert!(life("star:3", "ggg", "X.O.", black).is_err());
    let square = "XXXXX X.X.X XXXXX OOOOO .O.O.";
    assert_eq!(
        life("grid:5x5", "tromp-taylor", square, black)
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        life("grid:5x5", "tromp-taylor", square, Color::WHITE)
            .unwrap()
            .len(),
        1
    );
    let dead = life("path:4", "ggg", "XX.O", black).map(|chains| chains.len());
    assert_eq!(dead, Ok(0));
    assert!(
        life("path:4", "ggg", "OX..", black)
            .unwrap_err()
            .contains("has no liberty")
    );
    assert!(life("space:(path:3),edges", "topo-primitive", ".....", black).is_err());
}
