//! Counts of positions, games, and moves, checked against published numbers, formulas, and brute
//! force.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::naive::game::NaiveGame;
use crate::naive::random::Random;
use crate::naive::spec::{edges_text, goban, graph_of};
use crate::naive::{Coloring, Naive};
use num_bigint::{BigInt, BigUint};
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::exact::count::{
    Budget, CountError, Games, GamesError, Unfinished, bounds, games, polynomial, positions,
    statistics,
};
use omnigo::graph::Graph;
use omnigo::rules::{Points, RulesetText};

fn with_budget<R>(count: impl FnOnce(&Budget<'_>) -> R) -> R {
    count(&budget(&AtomicBool::new(false)))
}

/// Returns a budget with ample memory and no limit but the stop signal.
fn budget(stop: &AtomicBool) -> Budget<'_> {
    Budget {
        memory: 1 << 30,
        stop,
        deadline: None,
        progress: None,
    }
}

fn on_25_points() -> Engine {
    let rules = "tromp-taylor".parse::<RulesetText>().unwrap().rules;
    Engine::new(goban("grid:5"), rules, Points::ZERO, Options::default()).unwrap()
}

fn count(spec: &str, colors: u32) -> String {
    let graph = goban(spec).graph;
    with_budget(|budget| positions(&graph, colors, budget))
        .unwrap()
        .to_string()
}

/// Returns the number of legal positions, counted one by one.
fn brute(graph: &Graph, colors: usize) -> u64 {
    let edges: Vec<(usize, usize)> = graph.pairs().collect();
    let mut board = Naive::new(graph.vertices(), &edges);
    let mut legal = 0;
    loop {
        let lives = (0..graph.vertices())
            .all(|v| board.cells[v].is_none() || !board.liberties(&board.chain(v)).is_empty());
        legal += u64::from(lives);
        let next = board.cells.iter_mut().find_map(|cell| {
            let after = cell.map_or(0, |color| color.index() + 1);
            *cell = (after < colors).then(|| Color::from_index(after)).flatten();
            cell.map(|_| ())
        });
        if next.is_none() {
            return legal;
        }
    }
}

#[test]
fn position_counts_agree_with_brute_force() {
    let mut random = Random::new(7);
    for round in 0..250 {
        let colors = 1 + round % 3;
        let vertices = random.below([11, 9, 7][colors - 1]);
        let percent = 15 + random.below(70);
        let edges = random.edges(vertices, percent);
        let graph = graph_of(vertices, &edges);
        let counted = with_budget(|budget| positions(&graph, colors as u32, budget)).unwrap();
        let expected = brute(&graph, colors);
        let text = edges_text(vertices, &edges);
        assert_eq!(
            counted,
            BigUint::from(expected),
            "{colors} colors on {text}"
        );
        let (lower, upper) = bounds(&graph, colors as u32);
        assert!(lower <= counted && counted <= upper, "{text}");
    }
}

/// Returns the counts of these specs, in order.
fn counts(specs: impl Iterator<Item = String>) -> Vec<String> {
    specs.map(|spec| count(&spec, 2)).collect()
}

#[test]
fn position_counts_equal_published_values() {
    // OEIS A094777: squares.
    let squares = [
        "1",
        "57",
        "12675",
        "24318165",
        "414295148741",
        "62567386502084877",
        "83677847847984287628595",
    ];
    assert_eq!(counts((1..=7).map(|n| format!("grid:{n}"))), squares);
    // OEIS A102620: paths. Tromp and Farnebäck give the recurrence too.
    let paths = [
        "1",
        "5",
        "15",
        "41",
        "113",
        "313",
        "867",
        "2401",
        "6649",
        "18413",
        "50991",
        "141209",
        "391049",
        "1082929",
        "2998947",
        "8304961",
        "22998865",
        "63690581",
        "176377839",
        "488441801",
    ];
    assert_eq!(counts((1..=20).map(|n| format!("path:{n}"))), paths);
    // OEIS A266278: two rows.
    let two_rows = [
        "5",
        "57",
        "489",
        "4125",
        "35117",
        "299681",
        "2557605",
        "21826045",
        "186255781",
        "1589441093",
        "13563736693",
        "115748216413",
        "987755062201",
        "8429158472781",
        "71931509371765",
        "613838505628281",
        "5238284505542721",
        "44701699729693429",
        "381468772192258129",
        "3255321946095461785",
    ];
    assert_eq!(counts((1..=20).map(|n| format!("grid:2x{n}"))), two_rows);
}

#[test]
fn large_counts_satisfy_published_recurrences() {
    // Tromp and Farnebäck: L(1, n) = 3 L(1, n-1) - L(1, n-2) + L(1, n-3).
    let path = |n: u32| count(&format!("path:{n}"), 2).parse::<BigUint>().unwrap();
    assert_eq!(path(300) + path(298), path(299) * 3u32 + path(297));
    // L(2, n) has a recurrence of order seven.
    let rows = |n: u32| count(&format!("grid:2x{n}"), 2).parse::<BigUint>().unwrap();
    let sum = rows(199) * 10u32 + rows(197) * 31u32 + rows(195) * 20u32 + rows(194) * 2u32;
    let rest = rows(198) * 16u32 + rows(196) * 13u32 + rows(193);
    assert_eq!(rows(200) + rest, sum);
}

#[test]
#[ignore = "half a minute"]
fn counts_of_grids_8_and_9_equal_published_values() {
    // OEIS A094777.
    assert_eq!(count("grid:8", 2), "990966953618170260281935463385");
    assert_eq!(
        count("grid:9", 2),
        "103919148791293834318983090438798793469"
    );
}

#[test]
fn polynomials_agree_with_counts() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        let vertices = random.below(9);
        let edges = random.edges(vertices, 40);
        let graph = graph_of(vertices, &edges);
        let polynomial = with_budget(|budget| polynomial(&graph, budget)).unwrap();
        for k in 0..6u32 {
            let value = polynomial.iter().rev();
            let value = value.fold(BigInt::ZERO, |sum, c| sum * k + c);
            let counted = with_budget(|budget| positions(&graph, k, budget)).unwrap();
            assert_eq!(
                value,
                BigInt::from(counted),
                "{}",
                edges_text(vertices, &edges)
            );
        }
    }
    let of = |spec: &str| {
        let graph = goban(spec).graph;
        let coefficients = with_budget(|budget| polynomial(&graph, budget)).unwrap();
        coefficients
            .iter()
            .map(BigInt::to_string)
            .collect::<Vec<_>>()
    };
    // Complete graphs: (k+1)^4 - k^4.
    assert_eq!(of("complete:4"), ["1", "4", "6", "4"]);
    // Computed by hand: P2 has 2k + 1 positions. The graph without edges has only the empty
    // position.
    assert_eq!(of("path:2"), ["1", "2"]);
    assert_eq!(of("edges:a,b"), ["1"]);
}

#[test]
fn refuses_counts_that_exceed_the_memory_limit() {
    let graph = goban("grid:19").graph;
    let error = with_budget(|budget| positions(&graph, 2, budget)).unwrap_err();
    assert!(
        matches!(error, CountError::Costly { limit: 1024, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("MiB"), "{error}");
    // The estimate lets this count start; the tables then exceed the memory limit.
    let stop = AtomicBool::new(false);
    let small = Budget {
        memory: 1 << 20,
        stop: &stop,
        deadline: None,
        progress: None,
    };
    let error = positions(&goban("grid:7").graph, 2, &small).unwrap_err();
    assert!(matches!(error, CountError::Memory { .. }), "{error}");
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = positions(&goban("grid:7").graph, 2, &small).unwrap_err();
    assert_eq!(error, CountError::Stopped);
}

fn games_of(spec: &str, limit: Option<u128>) -> Result<Games, GamesError> {
    let graph = goban(spec).graph;
    with_budget(|budget| games(&graph, limit, budget))
}

#[test]
fn game_counts_equal_published_values() {
    // Tromp and Farnebäck: games on 1x1, 1x2, and 1x3. The longest game on 1x3 visits every
    // position.
    for (spec, count, longest) in [("grid:1", 1, 0), ("path:2", 9, 2), ("path:3", 907, 14)] {
        assert_eq!(games_of(spec, None), Ok(Games { count, longest }));
    }
    assert_eq!(games_of("path:2+edges:a,b,c", None).unwrap().count, 9);
    assert_eq!(games_of("edges:a,b,c", None).unwrap().count, 1);
    assert_eq!(games_of("path:3", Some(907)).unwrap().count, 907);
    assert_eq!(games_of("path:3", Some(906)), Err(GamesError::More(906)));
    assert_eq!(games_of("path:5", Some(1000)), Err(GamesError::More(1000)));
    assert_eq!(
        games_of("grid:3", Some(30_000)),
        Err(GamesError::More(30_000))
    );
    assert_eq!(
        games_of("grid:19", Some(1 << 90)),
        Err(GamesError::More(1 << 90))
    );
    assert!(matches!(
        games_of("grid:3", None),
        Err(GamesError::Large { vertices: 9, .. })
    ));
}

#[test]
#[ignore = "some minutes"]
fn game_counts_of_four_points_equal_published_values() {
    // Tromp and Farnebäck.
    assert_eq!(games_of("path:4", None).unwrap().count, 2_098_407_841);
    assert_eq!(games_of("grid:2", None).unwrap().count, 386_356_909_593);
}

/// Returns the number of games, found by playing them: placements of either color that repeat no
/// position.
fn played_games(board: &Naive, seen: &mut Vec<Coloring>) -> u128 {
    let mut count = 1;
    for color in Color::all(2) {
        for v in board.vacant() {
            let mut next = board.clone();
            next.place(color, v);
            if !seen.contains(&next.cells) {
                seen.push(next.cells.clone());
                count += played_games(&next, seen);
                seen.pop();
            }
        }
    }
    count
}

#[test]
fn game_counts_agree_with_playing_all_games() {
    for edges in [&[(0, 1)][..], &[(0, 1), (1, 2)], &[(0, 1), (1, 2), (0, 2)]] {
        let vertices = edges.iter().map(|e| e.1).max().unwrap() + 1;
        let board = Naive::new(vertices, edges);
        let played = played_games(&board, &mut vec![board.cells.clone()]);
        let graph = graph_of(vertices, edges);
        let counted = with_budget(|budget| games(&graph, None, budget)).unwrap();
        assert_eq!(counted.count, played, "{edges:?}");
    }
}

#[test]
fn game_graphs_have_the_published_sizes() {
    let found = |spec: &str| {
        let graph = goban(spec).graph;
        with_budget(|budget| statistics(&graph, budget)).unwrap()
    };
    // Tromp and Farnebäck: G(1,2) has 5 nodes and 12 edges, G(1,3) has 15 and 42.
    assert_eq!((found("path:2").positions, found("path:2").moves), (5, 12));
    assert_eq!((found("path:3").positions, found("path:3").moves), (15, 42));
    assert_eq!(found("grid:3").positions, 12_675);
    assert_eq!(found("edges:a,b").moves, 0);
    let cube = found("cycle:4");
    let by_moves = cube.by_moves.iter().enumerate();
    assert_eq!(
        by_moves.map(|(n, count)| n as u64 * count).sum::<u64>(),
        cube.moves
    );
    let large = goban("grid:5").graph;
    assert!(with_budget(|budget| statistics(&large, budget)).is_err());
}

/// Returns the number of move sequences of length `depth` by the naive rules.
fn played_turns(game: &NaiveGame, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    let color = game.to_move();
    let mut count = 0;
    for mv in game.legal_moves(color) {
        let mut next = game.clone();
        next.play(color, mv);
        count += played_turns(&next, depth - 1);
    }
    count
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    let mut random = Random::new(3);
    for preset in [
        "tromp-taylor",
        "chinese",
        "cgos",
        "conway",
        "famine",
        "conway-prisoners",
    ] {
        let rules = preset.parse::<RulesetText>().unwrap().rules;
        for (spec, depth) in [("path:2", 6), ("path:4", 5), ("grid:2x3", 4), ("star:3", 4)] {
            let goban = goban(spec);
            let graph = &goban.graph;
            let edges: Vec<(usize, usize)> = graph.pairs().collect();
            let mut board = Naive::new(graph.vertices(), &edges);
            if random.percent(50) {
                board.cells[0] = Some(Color::WHITE);
            }
            let komi = Points::whole(2);
            let cells = board.cells.clone();
            let mut engine =
                Engine::new(goban.clone(), rules.clone(), komi, Options::default()).unwrap();
            engine.set_position(&cells, Some(Color::BLACK));
            let game = NaiveGame::new(board, rules.clone(), komi, Color::BLACK);
            for depth in 0..=depth {
                let counted = with_budget(|budget| engine.perft(depth, budget)).unwrap();
                assert_eq!(
                    counted,
                    played_turns(&game, depth),
                    "{preset} {spec} {depth}"
                );
            }
        }
    }
}

#[test]
fn deep_perft_does_not_overflow_the_stack() {
    let stop = AtomicBool::new(false);
    let a_second = Budget {
        deadline: Some(Instant::now() + Duration::from_secs(1)),
        ..budget(&stop)
    };
    assert!(on_25_points().perft(u32::MAX, &a_second).is_err());
}

/// Under simple ko a sequence of moves can continue forever, so an unlimited depth would exhaust
/// the memory.
#[test]
fn perft_respects_its_memory_limit() {
    let rules = "chinese".parse::<RulesetText>().unwrap().rules;
    let options = Options::default();
    let engine = Engine::new(goban("grid:2"), rules, Points::ZERO, options).unwrap();
    let stop = AtomicBool::new(false);
    let little = Budget {
        memory: 1 << 20,
        ..budget(&stop)
    };
    assert!(engine.perft(1_000_000_000, &little).is_err());
    assert!(engine.perft(6, &little).is_ok());
}

#[test]
fn a_stopped_perft_returns_its_partial_count() {
    let engine = on_25_points();
    assert_eq!(with_budget(|budget| engine.perft(1, budget)), Ok(26));
    // Stop the count early, with growing delays until it has counted something. The partial count
    // must not exceed the total.
    let seen_within = |milliseconds| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(milliseconds));
                stop.store(true, Ordering::Relaxed);
            });
            engine.perft(8, &budget(&stop))
        })
    };
    let mut seen = (0..10).map(|doublings| seen_within(50 << doublings));
    let seen = seen.find(|seen| *seen != Err(Unfinished(0)));
    let Some(Err(Unfinished(seen))) = seen else {
        panic!("25 points have too many sequences of eight turns for that: {seen:?}");
    };
    assert!(seen < 26u128.pow(8), "{seen}");
}

#[test]
fn counts_agree_with_formulas() {
    for k in 1..=4u32 {
        for n in 1..=30u32 {
            let (k1, k0) = (BigUint::from(k + 1), BigUint::from(k));
            let complete = (k1.pow(n) - k0.pow(n)).to_string();
            assert_eq!(count(&format!("complete:{n}"), k), complete);
            let two = BigUint::from(2u32);
            let star = (k1.pow(n) + k0 * (two.pow(n) - 1u32)).to_string();
            assert_eq!(count(&format!("star:{n}"), k), star);
            let one = (two.pow(n) - 1u32).to_string();
            assert_eq!(count(&format!("path:{n}"), 1), one);
        }
    }
    assert_eq!(count("torus:4x4", 2), count("hypercube:4", 2));
    assert_eq!(count("grid:3+path:3", 2), (12675u32 * 15).to_string());
    assert_eq!(count("edges:a,b,c", 2), "1");
    assert_eq!(count("petersen", 0), "1");
}
