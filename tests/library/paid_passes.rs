//! `conway-prisoners` and `famine`: laws of games in which a pass costs one of the player's passes.

use crate::naive::Coloring;
use crate::naive::random::Random;
use crate::naive::random_games;
use crate::naive::solve::{Known, reaches_with};
use crate::naive::spec::{graph_board, graph_of};
use omnigo::board::graph::GraphBoard;
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::rules::{Passing, Points, Ruleset, RulesetText};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

const BOTH: [Color; 2] = [Color::BLACK, Color::WHITE];
const CASES: usize = 1000;

type Edges = Vec<(usize, usize)>;

fn rules(text: &str) -> Ruleset {
    text.parse::<RulesetText>().unwrap().rules
}

/// Returns `conway-prisoners` with these passes in hand, in halves.
fn prisoners(black: i64, white: i64) -> Ruleset {
    Ruleset {
        black_passes: Points::from_halves(black),
        white_passes: Points::from_halves(white),
        ..rules("conway-prisoners")
    }
}

fn game_on(n: usize, edges: &Edges, rules: &Ruleset, komi: Points) -> Game<GraphBoard> {
    let board = graph_board(&graph_of(n, edges), 2, &Zobrist::new(n, 2));
    Game::new(board, rules.clone(), komi, rules.first)
}

fn counters(game: &Game<GraphBoard>) -> [i64; 2] {
    BOTH.map(|color| game.counter(color).halves())
}

/// Plays one random game in both and compares them move by move. `image` maps moves of the first
/// game to the second.
fn same_game(
    first: &mut Game<GraphBoard>,
    second: &mut Game<GraphBoard>,
    random: &mut Random,
    image: impl Fn(Color, Move) -> (Color, Move),
) {
    let of = |color| image(color, Move::Pass).0;
    let compare = |first: &Game<GraphBoard>, second: &Game<GraphBoard>| {
        for color in BOTH {
            assert_eq!(first.is_stuck(color), second.is_stuck(of(color)), "{color}");
        }
        let winner = |game: &Game<GraphBoard>| game.outcome(&[]).ok().and_then(|o| o.winner());
        assert_eq!(winner(first).map(of), winner(second));
    };
    random_games::same_game(first, second, 40, random, &image, compare);
}

fn graph(random: &mut Random, most: usize) -> (usize, Edges) {
    let n = 1 + random.below(most);
    let percent = random.pick(&[20, 50, 80]);
    (n, random.edges(n, percent))
}

/// Returns the passes that a komi or a share, in halves, gives to Black and White.
fn shares(halves: i64) -> [i64; 2] {
    [(-halves).max(0), halves.max(0)]
}

#[test]
fn famine_equals_conway_prisoners_with_the_komi_as_passes() {
    let mut random = Random::new(1);
    for _ in 0..CASES {
        let (n, edges) = graph(&mut random, 8);
        let komi = random.below(17) as i64 - 8;
        let [black, white] = shares(komi);
        let mut famine = game_on(n, &edges, &rules("famine"), Points::from_halves(komi));
        let mut paid = game_on(n, &edges, &prisoners(black, white), Points::ZERO);
        same_game(&mut famine, &mut paid, &mut random, |c, mv| (c, mv));
    }
}

#[test]
fn renaming_vertices_changes_nothing() {
    let mut random = Random::new(2);
    for round in 0..CASES {
        let (n, edges) = graph(&mut random, 8);
        let name = random.order(n);
        let renamed: Edges = edges.iter().map(|&(a, b)| (name[b], name[a])).collect();
        let start = random.coloring(n, 2, [0, 50][round % 2]);
        let mut moved = vec![None; n];
        start.iter().zip(&name).for_each(|(&c, &v)| moved[v] = c);
        let (rules, komi) = system(&mut random);
        let mut first = game_on(n, &edges, &rules, komi);
        let mut second = game_on(n, &renamed, &rules, komi);
        first.restart(&start, rules.first);
        second.restart(&moved, rules.first);
        same_game(&mut first, &mut second, &mut random, |c, mv| match mv {
            Move::Pass => (c, mv),
            Move::Place(v) => (c, Move::Place(Vertex::at(name[v.index()]))),
        });
    }
}

#[test]
fn swapping_colors_and_passes_changes_nothing() {
    let mut random = Random::new(3);
    for round in 0..CASES {
        let (n, edges) = graph(&mut random, 8);
        let start = random.coloring(n, 2, [0, 50][round % 2]);
        let swapped: Coloring = start.iter().map(|c| c.map(Color::other)).collect();
        let (mine, komi) = system(&mut random);
        let theirs = Ruleset {
            black_passes: mine.white_passes,
            white_passes: mine.black_passes,
            ..mine.clone()
        };
        let mut first = game_on(n, &edges, &mine, komi);
        let mut second = game_on(n, &edges, &theirs, -komi);
        first.restart(&start, Color::BLACK);
        second.restart(&swapped, Color::WHITE);
        same_game(&mut first, &mut second, &mut random, |c, mv| {
            (c.other(), mv)
        });
    }
}

/// Returns one of the rulesets with random passes in hand.
fn system(random: &mut Random) -> (Ruleset, Points) {
    let komi = Points::from_halves(random.below(9) as i64 - 4);
    let mut own = || random.below(4) as i64;
    let (black, white) = (own(), own());
    let rules = match random.below(3) {
        0 => rules("famine"),
        1 => prisoners(black, white),
        _ => Ruleset {
            black_passes: Points::from_halves(black),
            white_passes: Points::from_halves(white),
            ..rules("conway-prisoners stuck=move-only")
        },
    };
    (rules, komi)
}

#[test]
fn a_new_komi_changes_the_counters_by_its_shares() {
    let mut random = Random::new(4);
    for _ in 0..CASES {
        let (n, edges) = graph(&mut random, 6);
        let before = random.below(13) as i64 - 6;
        let after = random.below(13) as i64 - 6;
        let mut game = game_on(n, &edges, &rules("famine"), Points::from_halves(before));
        for _ in 0..random.below(12) {
            if let Some((color, mv)) = random_games::turn(&game, &mut random) {
                game.play(color, mv).unwrap();
            }
        }
        let old = counters(&game);
        game.set_komi(Points::from_halves(after));
        let new = counters(&game);
        for i in 0..2 {
            assert_eq!(new[i] - old[i], shares(after)[i] - shares(before)[i]);
        }
    }
}

/// Plays random games to the end. No player spends a pass that it does not have, and superko bounds
/// the placements.
#[test]
fn ten_thousand_games_of_each_system_end() {
    let mut random = Random::new(5);
    let systems = [
        "conway",
        "conway-prisoners",
        "conway-prisoners black-passes=1.5 white-passes=2",
        "conway-prisoners stuck=move-only white-passes=2",
        "famine",
        "ggg",
        "formal",
    ];
    for name in systems {
        let rules = rules(name);
        for _ in 0..10_000 {
            let (n, edges) = graph(&mut random, 4);
            let komi = random.below(9) as i64 - 4;
            let mut game = game_on(n, &edges, &rules, Points::from_halves(komi));
            let in_hand: i64 = match rules.passing {
                Passing::Prisoners => counters(&game).into_iter().sum(),
                Passing::Free | Passing::Never => 0,
            };
            // Each placement makes a new position. A pass costs one in hand or a captured stone, or
            // a placement or the end of the game follows it.
            let placements = 3usize.pow(n as u32) - 1;
            let cap = placements * 3 + in_hand as usize + 2;
            let shares = BOTH.map(|color| rules.initial_passes(color, game.komi()).halves() % 2);
            random_games::to_the_end(&mut game, cap, &mut random, |game| {
                for (color, half) in BOTH.into_iter().zip(shares) {
                    // Half a point buys a whole pass, so the counter may drop to -1/2.
                    let left = game.counter(color).halves();
                    assert!(left >= -1 && (half != 0 || left >= 0), "{name} {edges:?}");
                }
            });
            assert!(game.outcome(&[]).is_ok());
        }
    }
}

/// Returns the graphs with `n` vertices, one per isomorphism class.
fn shapes(n: usize) -> Vec<Edges> {
    let pairs: Edges = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let mut orders = vec![vec![]];
    for _ in 0..n {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..n)
                    .filter(|v| !order.contains(v))
                    .map(|v| [order.as_slice(), &[v]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let chosen = |mask: usize| {
        pairs
            .iter()
            .enumerate()
            .filter(move |(i, _)| mask >> i & 1 == 1)
    };
    let renamed = |mask: usize, order: &Vec<usize>| {
        let number = |&(a, b): &(usize, usize)| {
            let (a, b) = (order[a].min(order[b]), order[a].max(order[b]));
            pairs.iter().position(|&pair| pair == (a, b)).unwrap()
        };
        chosen(mask)
            .map(|(_, pair)| 1 << number(pair))
            .sum::<usize>()
    };
    (0..1 << pairs.len())
        .filter(|&mask| orders.iter().all(|order| renamed(mask, order) >= mask))
        .map(|mask| chosen(mask).map(|(_, &pair)| pair).collect())
        .collect()
}

#[test]
fn shapes_lists_each_graph_once() {
    assert_eq!([1, 2, 3, 4].map(|n| shapes(n).len()), [1, 2, 4, 11]);
}

/// Returns the graphs of at most four vertices. The `large` ones have four vertices and at least
/// four edges. Their games are so numerous that an exhaustive search takes minutes.
fn small_graphs(large: bool) -> impl Iterator<Item = (usize, Edges)> {
    let all = (1..=4).flat_map(|n| shapes(n).into_iter().map(move |edges| (n, edges)));
    all.filter(move |(n, edges)| (*n == 4 && edges.len() >= 4) == large)
}

fn staircases(large: bool) {
    for (n, edges) in small_graphs(large) {
        let mut known = Known::new();
        let mut wins = |black: i64, white: i64| {
            let rules = prisoners(2 * black, 2 * white);
            reaches_with(&game_on(n, &edges, &rules, Points::ZERO), 1, &mut known)
        };
        let table: Vec<Vec<bool>> = (0..=2)
            .map(|black| (0..=2).map(|white| wins(black, white)).collect())
            .collect();
        for black in 0..3 {
            for white in 0..3 {
                let won = table[black][white];
                let richer = table.get(black + 1).is_none_or(|row| row[white]);
                assert!(!won || richer, "{n} {edges:?}: {table:?}");
                let poorer = table[black].get(white + 1).is_none_or(|&won| !won);
                assert!(won || poorer, "{n} {edges:?}: {table:?}");
            }
        }
    }
}

#[test]
fn more_passes_never_hurt_their_owner() {
    staircases(false);
}

#[test]
#[ignore = "minutes"]
fn more_passes_never_hurt_their_owner_on_all_graphs_of_four() {
    staircases(true);
}

fn halves(large: bool) {
    for (n, edges) in small_graphs(large) {
        let mut known = Known::new();
        let mut wins = |halves: i64| {
            let komi = Points::from_halves(halves);
            let game = game_on(n, &edges, &rules("famine"), komi);
            reaches_with(&game, 1, &mut known)
        };
        let mut before = true;
        for komi in -2..=2i64 {
            let won = wins(2 * komi);
            // Komi K - 1/2 plays like K above 0, and K + 1/2 like K below 0.
            if komi != 0 {
                assert_eq!(wins(2 * komi - komi.signum()), won, "{n} {edges:?} {komi}");
            }
            assert!(before || !won, "{n} {edges:?}: komi {komi} helps Black");
            before = won;
        }
    }
}

#[test]
fn half_a_pass_is_worth_a_whole_one() {
    halves(false);
}

#[test]
#[ignore = "minutes"]
fn half_a_pass_is_worth_a_whole_one_on_all_graphs_of_four() {
    halves(true);
}
