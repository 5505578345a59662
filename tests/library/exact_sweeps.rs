//! Values of every small go-space and every small Mango set, checked against exhaustive search of
//! the same games.
//!
//! `cargo test` takes a sample. All of them: `cargo test --release --test library exact_sweeps --
//! --ignored`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::naive::solve::{Known, reaches_with};
use crate::naive::spec::graph_of;
use omnigo::board::Board;
use omnigo::board::mango::MangoBoard;
use omnigo::board::space::SpaceBoard;
use omnigo::color::Color;
use omnigo::exact::{Limits, Wish, solve};
use omnigo::game::{Game, Outcome};
use omnigo::graph::mango::{Mango, Threshold};
use omnigo::graph::space::{Space, Topology};
use omnigo::points::Points;
use omnigo::rules::presets;

type Set = u32;

fn bits(set: Set) -> Vec<usize> {
    (0..32).filter(|x| set >> x & 1 == 1).collect()
}

/// Returns all permutations of `points` points.
fn orders(points: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for next in 0..points {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    orders
}

/// Returns every go-space on `points` points with at most four placements, as its minimal open sets
/// and placements. Isomorphic spaces are listed once.
fn spaces(points: usize) -> Vec<(Vec<Set>, Vec<Set>)> {
    let pairs: Vec<(usize, usize)> = (0..points)
        .flat_map(|x| (0..points).map(move |y| (x, y)))
        .filter(|(x, y)| x != y)
        .collect();
    let orders = orders(points);
    let mut found = BTreeSet::new();
    for choice in 0u32..1 << pairs.len() {
        let mut min_open: Vec<Set> = (0..points).map(|x| 1 << x).collect();
        for (i, &(x, y)) in pairs.iter().enumerate() {
            min_open[x] |= (choice >> i & 1) << y;
        }
        // If y is in U_x, then U_y is a subset of U_x.
        let nested = |x: usize| {
            bits(min_open[x])
                .iter()
                .all(|&y| min_open[y] & !min_open[x] == 0)
        };
        if !(0..points).all(nested) {
            continue;
        }
        let opens: Vec<Set> = (1u32..1 << points)
            .filter(|&open| bits(open).iter().all(|&x| min_open[x] & !open == 0))
            .collect();
        let families = (0u32..1 << opens.len()).filter(|family| family.count_ones() <= 4);
        for family in families {
            let placements: Vec<Set> = bits(family).into_iter().map(|i| opens[i]).collect();
            // The least image represents all isomorphic spaces.
            let image = |order: &Vec<usize>| {
                let set = |set: Set| bits(set).iter().fold(0, |image, &x| image | 1 << order[x]);
                let mut around = vec![0; points];
                (0..points).for_each(|x| around[order[x]] = set(min_open[x]));
                let mut placed: Vec<Set> = placements.iter().map(|&p| set(p)).collect();
                placed.sort_unstable();
                (around, placed)
            };
            found.extend(orders.iter().map(image).min());
        }
    }
    found.into_iter().collect()
}

/// Returns Black's score lead in half points, or 1 or -1 for the last mover.
fn halves(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::By(color, points) => [1, -1][color.index()] * points.halves(),
        Outcome::LastMover(color) => [1, -1][color.index()],
        Outcome::Tie => 0,
    }
}

/// Returns the value that the solver proves for the empty board, in half points. With `compare`,
/// exhaustive search must confirm it.
fn check<B: Board>(board: B, ruleset: &str, compare: bool, shown: &str) -> i64 {
    let rules = presets::find(ruleset).unwrap().rules.clone();
    let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
    let stop = AtomicBool::new(false);
    let answer = solve(&game, Color::BLACK, &Limits::new(&stop), Wish::default()).unwrap();
    let value = answer.bounds.value();
    let value = halves(value.unwrap_or_else(|| panic!("{ruleset} {shown}: {answer:?}")));
    if compare {
        assert!(
            reaches_with(&game, value, &mut Known::new()),
            "{value} is too much: {ruleset} {shown}"
        );
        assert!(
            !reaches_with(&game, value + 1, &mut Known::new()),
            "{value} is too little: {ruleset} {shown}"
        );
    }
    value
}

/// Solves every `stride`th space of `points` points and returns the number of spaces up to
/// isomorphism.
fn sweep_spaces(points: usize, stride: usize, compare: bool) -> usize {
    let spaces = spaces(points);
    for (min_open, placements) in spaces.iter().step_by(stride) {
        let lists = |sets: &[Set]| sets.iter().map(|&set| bits(set)).collect::<Vec<_>>();
        let topology = Topology::MinOpen(lists(min_open));
        let space = Arc::new(Space::new(points, &topology, &lists(placements)).unwrap());
        let shown = format!("{min_open:?} {placements:?}");
        for ruleset in ["topo-primitive", "topo-stone"] {
            let board = SpaceBoard::new(Arc::clone(&space), 2).unwrap();
            let value = check(board, ruleset, compare, &shown);
            // The first player can pass, so it gets at least as much as the second.
            assert!(
                ruleset == "topo-primitive" || value >= 0,
                "{value}: {shown}"
            );
        }
    }
    spaces.len()
}

/// Solves Mango with F = 1 and every T, on every `stride`th connected graph of `vertices` vertices.
fn sweep_mango(vertices: usize, stride: usize, compare: bool) -> usize {
    let mut count = 0;
    for graph in omnigo::graph::connected::connected_graphs(vertices) {
        let edges: Vec<(usize, usize)> = graph.pairs().collect();
        for truth in 0u32..1 << (vertices + 1) {
            count += 1;
            if count % stride != 0 {
                continue;
            }
            let point = |z: usize| Points::whole(z as i64);
            let t = Threshold::Within(bits(truth).iter().map(|&z| (point(z), point(z))).collect());
            let weights = vec![Points::whole(1); vertices];
            let mango = Arc::new(Mango::new(&weights, t, [Points::ZERO; 2], None).unwrap());
            let board = MangoBoard::new(graph_of(vertices, &edges), mango, 2).unwrap();
            let shown = format!("{edges:?} T={truth:b}");
            let value = check(board, "mango", compare, &shown);
            assert!(value >= 0, "{value}: {shown}");
        }
    }
    count
}

#[test]
fn sampled_small_spaces_and_mango_sets_have_correct_values() {
    // The number of topologies on 1 to 4 points up to homeomorphism is 1, 3, 9, 33 (OEIS A001930).
    // Each occurs here as a space without placements.
    let bare = |points: usize| {
        let spaces = spaces(points);
        spaces
            .iter()
            .filter(|(_, placed)| placed.is_empty())
            .count()
    };
    assert_eq!([1, 2, 3].map(bare), [1, 3, 9]);
    assert_eq!(sweep_spaces(1, 1, true), 2);
    sweep_spaces(2, 1, true);
    sweep_spaces(3, 29, true);
    sweep_mango(2, 1, true);
    sweep_mango(3, 5, true);
}

#[test]
#[ignore = "minutes"]
fn spaces_of_at_most_four_points_and_four_placements_have_correct_values() {
    let counts: Vec<usize> = (1..=3)
        .map(|points| sweep_spaces(points, 1, true))
        .collect();
    // Exhaustive search of four points takes long, so only some are compared with it.
    let all = sweep_spaces(4, 1, false);
    sweep_spaces(4, 997, true);
    println!("{counts:?} and {all} spaces");
}

#[test]
#[ignore = "minutes"]
fn mango_sets_of_at_most_four_vertices_have_correct_values() {
    let counts: Vec<usize> = (1..=3).map(|n| sweep_mango(n, 1, true)).collect();
    let all = sweep_mango(4, 1, false);
    println!("{counts:?} and {all} Mango sets");
}
