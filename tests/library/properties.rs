//! Laws that hold on every board: renamed vertices, swapped colors, vertices and edges without
//! effect, and known numbers of positions.

use crate::naive;
use crate::naive::Coloring;
use crate::naive::random::Random;
use crate::naive::random_games;
use crate::naive::spec::{edges_text, goban, graph_board, graph_of};
use omnigo::board::graph::GraphBoard;
use omnigo::board::{BareBoard, Chains};
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::rules::{Points, Ruleset, RulesetText};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

const BOTH: [Color; 2] = [Color::BLACK, Color::WHITE];
/// Number of random cases per law.
const CASES: usize = 1000;

fn rules(text: &str) -> Ruleset {
    text.parse::<RulesetText>().unwrap().rules
}

const RULESETS: [&str; 6] = [
    "ggg",
    "formal",
    "formal ko=situational suicide=no",
    "formal ko=simple score=stones",
    "conway",
    "conway pass=prisoners black-passes=1 white-passes=1",
];

fn game_on(n: usize, edges: &[(usize, usize)], rules: &Ruleset) -> Game<GraphBoard> {
    let board = graph_board(&graph_of(n, edges), 2, &Zobrist::new(n, 2));
    Game::new(board, rules.clone(), Points::ZERO, rules.first)
}

/// Plays one random game in both. `image` maps moves of the first game to the second.
fn play_both(
    first: &mut Game<GraphBoard>,
    second: &mut Game<GraphBoard>,
    random: &mut Random,
    image: impl Fn(Color, Move) -> (Color, Move),
) {
    let compare = |first: &Game<GraphBoard>, second: &Game<GraphBoard>| {
        for color in BOTH {
            let (other, _) = image(color, Move::Pass);
            if let (Ok(mine), Ok(theirs)) = (first.scores(&[]), second.scores(&[])) {
                assert_eq!(mine[color.index()], theirs[other.index()]);
            }
        }
        assert_eq!(first.is_over(), second.is_over());
    };
    random_games::same_game(first, second, 30, random, &image, compare);
}

/// Returns a random graph and a random start.
fn random_start(random: &mut Random) -> (usize, Vec<(usize, usize)>, Coloring) {
    let n = 1 + random.below(9);
    let percent = random.pick(&[15, 40, 80]);
    let edges = random.edges(n, percent);
    let stones = random.pick(&[0, 0, 60]);
    let start = random.coloring(n, 2, stones);
    (n, edges, start)
}

#[test]
fn renaming_vertices_changes_nothing() {
    let mut random = Random::new(1);
    for round in 0..CASES {
        let (n, edges, start) = random_start(&mut random);
        let name = random.order(n);
        let renamed: Vec<(usize, usize)> = edges.iter().map(|&(a, b)| (name[b], name[a])).collect();
        let mut moved = vec![None; n];
        start.iter().zip(&name).for_each(|(&c, &v)| moved[v] = c);
        let rules = rules(RULESETS[round % RULESETS.len()]);
        let mut first = game_on(n, &edges, &rules);
        let mut second = game_on(n, &renamed, &rules);
        first.restart(&start, rules.first);
        second.restart(&moved, rules.first);
        play_both(&mut first, &mut second, &mut random, |color, mv| match mv {
            Move::Pass => (color, mv),
            Move::Place(v) => (color, Move::Place(Vertex::at(name[v.index()]))),
        });
    }
}

#[test]
fn swapping_colors_changes_nothing() {
    let mut random = Random::new(2);
    for round in 0..CASES {
        let (n, edges, start) = random_start(&mut random);
        let swapped: Coloring = start.iter().map(|c| c.map(Color::other)).collect();
        let rules = rules(RULESETS[round % RULESETS.len()]);
        let mut first = game_on(n, &edges, &rules);
        let mut second = game_on(n, &edges, &rules);
        first.restart(&start, Color::BLACK);
        second.restart(&swapped, Color::WHITE);
        play_both(&mut first, &mut second, &mut random, |color, mv| {
            (color.other(), mv)
        });
    }
}

#[test]
fn loops_and_parallel_edges_change_nothing() {
    let mut random = Random::new(3);
    for round in 0..CASES {
        let (n, edges, start) = random_start(&mut random);
        let mut more = edges.clone();
        more.push((0, 0));
        more.extend(edges.iter().map(|&(a, b)| (b, a)));
        let mut simple: Vec<(usize, usize)> = edges
            .iter()
            .filter(|(a, b)| a != b)
            .map(|&(a, b)| (a.min(b), a.max(b)))
            .collect();
        simple.sort_unstable();
        simple.dedup();
        let (plain, loaded) = (goban(&edges_text(n, &simple)), goban(&edges_text(n, &more)));
        assert_eq!(plain.graph, loaded.graph);
        assert!(plain.warnings.is_empty() && !loaded.warnings.is_empty());
        let rules = rules(RULESETS[round % RULESETS.len()]);
        let mut first = game_on(n, &simple, &rules);
        let mut second = game_on(n, &more, &rules);
        first.restart(&start, rules.first);
        second.restart(&start, rules.first);
        play_both(&mut first, &mut second, &mut random, |color, mv| {
            (color, mv)
        });
    }
}

/// If all chains have liberties, an additional vertex without edges gives no player a move. It adds
/// one point to both players, but only under `ggg`.
#[test]
fn an_isolated_vertex_changes_no_result() {
    let mut random = Random::new(4);
    for round in 0..CASES {
        let (n, edges, _) = random_start(&mut random);
        let rules = rules(RULESETS[round % RULESETS.len()]);
        let mut first = game_on(n, &edges, &rules);
        let mut second = game_on(n + 1, &edges, &rules);
        for _ in 0..30 {
            for color in BOTH {
                assert_eq!(first.legal_moves(color), second.legal_moves(color));
            }
            if let (Ok(mine), Ok(theirs)) = (first.scores(&[]), second.scores(&[])) {
                let extra = Points::whole(i64::from(rules.name == "ggg"));
                let expected: Vec<Points> = mine.iter().map(|&points| points + extra).collect();
                assert_eq!(theirs, expected, "{rules}");
            }
            assert_eq!(first.outcome(&[]), second.outcome(&[]));
            let Some((color, mv)) = random_games::turn(&first, &mut random) else {
                break;
            };
            first.play(color, mv).unwrap();
            second.play(color, mv).unwrap();
        }
    }
}

/// Both readings of neutral regions give the same score difference. A placement leaves no chain
/// without liberties.
#[test]
fn score_differences_agree_and_chains_have_liberties() {
    let mut random = Random::new(5);
    for _ in 0..CASES {
        let (n, edges, start) = random_start(&mut random);
        let mut game = game_on(n, &edges, &rules("ggg"));
        game.restart(&start, Color::BLACK);
        for _ in 0..30 {
            let mut formal = game.clone();
            formal.set_rules(rules("formal"));
            let both = game.scores(&[]).unwrap();
            let nobody = formal.scores(&[]).unwrap();
            assert_eq!(both[0] - both[1], nobody[0] - nobody[1]);
            let mut moves = game.legal_moves(game.to_move());
            moves.retain(|mv| *mv != Move::Pass);
            if moves.is_empty() {
                break;
            }
            let color = game.to_move();
            game.play(color, random.pick(&moves)).unwrap();
            assert_eq!(dead(game.board()), 0);
        }
    }
}

/// The komi of `famine` is a number of passes in hand.
#[test]
fn famine_equals_prisoners_with_the_komi_as_passes() {
    let paid = rules("conway pass=prisoners");
    let famine = Ruleset {
        komi_use: omnigo::rules::KomiUse::Passes,
        ..paid.clone()
    };
    let mut random = Random::new(6);
    for round in 0..CASES {
        let (n, edges, _) = random_start(&mut random);
        let komi = (round % 9) as i64 - 4;
        let prisoners = Ruleset {
            black_passes: Points::whole((-komi).max(0)),
            white_passes: Points::whole(komi.max(0)),
            ..paid.clone()
        };
        let mut first = game_on(n, &edges, &famine);
        first.set_komi(Points::whole(komi));
        let mut second = game_on(n, &edges, &prisoners);
        second.set_komi(Points::whole(77));
        play_both(&mut first, &mut second, &mut random, |color, mv| {
            (color, mv)
        });
    }
}

/// Returns the number of stones in chains without liberties.
fn dead(board: &GraphBoard) -> usize {
    let all = (0..board.points()).map(Vertex::at);
    all.filter(|&v| board.at(v).is_some())
        .filter(|&v| board.liberties(v, 1, &mut [Vertex::NONE; 8]) == 0)
        .count()
}

/// Returns every position in which all chains have liberties.
fn legal_positions(spec: &str, colors: usize) -> Vec<GraphBoard> {
    let graph = goban(spec).graph;
    let n = graph.vertices();
    let mut board = graph_board(&graph, colors, &Zobrist::new(n, colors));
    let mut found = Vec::new();
    for number in 0..(colors + 1).pow(n as u32) {
        let digit = |v: usize| number / (colors + 1).pow(v as u32) % (colors + 1);
        let cells: Coloring = (0..n)
            .map(|v| digit(v).checked_sub(1).map(naive::color))
            .collect();
        board.set_position(&cells);
        if dead(&board) == 0 {
            found.push(board.clone());
        }
    }
    found
}

/// Published numbers of legal positions: Tromp's for rectangles (OEIS A094777, A102620, A266278),
/// closed forms for other graphs.
#[test]
fn counts_of_legal_positions_equal_published_values() {
    let count = |spec: &str, colors: usize| legal_positions(spec, colors).len();
    for (spec, number) in [
        ("grid:1x1", 1),
        ("grid:1x2", 5),
        ("grid:1x3", 15),
        ("grid:1x4", 41),
        ("grid:1x5", 113),
        ("grid:1x6", 313),
        ("grid:2x2", 57),
        ("grid:2x3", 489),
        ("grid:2x4", 4125),
        ("grid:3x3", 12675),
    ] {
        assert_eq!(count(spec, 2), number, "{spec}");
    }
    for (spec, colors) in [("complete:5", 2), ("complete:4", 3), ("complete:3", 8)] {
        let (k, n) = (colors, goban(spec).graph.vertices() as u32);
        assert_eq!(count(spec, k), (k + 1).pow(n) - k.pow(n), "{spec}");
    }
    for (leaves, colors) in [(1, 2), (4, 2), (6, 2), (4, 3), (3, 5usize)] {
        let (k, m): (usize, u32) = (colors, leaves);
        let number = (k + 1).pow(m) + k * (2usize.pow(m) - 1);
        assert_eq!(
            count(&format!("star:{leaves}"), k),
            number,
            "{leaves} leaves"
        );
    }
    for spec in ["path:6", "petersen", "cycle:7", "grid3d:2x2x2"] {
        let n = goban(spec).graph.vertices() as u32;
        assert_eq!(count(spec, 1), 2usize.pow(n) - 1, "{spec}");
    }
    assert_eq!(count("path:3+cycle:4", 2), 15 * 57, "unions multiply");
    assert_eq!(count("torus:4x2", 2), count("hypercube:3", 2));
}

/// Nodes and edges of the graph of all games (Tromp and Farnebäck): moves of either color that
/// change the position.
#[test]
fn game_graphs_of_one_row_have_the_published_sizes() {
    for (spec, nodes, edges) in [("grid:1x2", 5, 12), ("grid:1x3", 15, 42)] {
        let positions = legal_positions(spec, 2);
        assert_eq!(positions.len(), nodes);
        let moves = positions.iter().flat_map(|board| {
            let vacant = board.vacant().iter();
            vacant.flat_map(move |&v| BOTH.map(|c| (board, board.preview(c, v))))
        });
        let changes = moves.filter(|(board, preview)| preview.hash != board.hash());
        assert_eq!(changes.count(), edges, "{spec}");
    }
}
