//! Random games under every named ruleset, on graphs, go-spaces, and Mango sets. Each game ends
//! within the bound that its superko rule gives, and no counter goes below its limit. A small
//! sample always runs; `--ignored` runs ten thousand games of each ruleset.

use crate::naive;

use std::sync::Arc;

use crate::naive::random::Random;
use crate::naive::random_games;
use crate::naive::spec::{graph_board, graph_of};
use omnigo::board::mango::MangoBoard;
use omnigo::board::space::SpaceBoard;
use omnigo::board::{Board, flood_census};
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::graph::mango::{Mango, Threshold};
use omnigo::graph::space::{Space, Topology};
use omnigo::playout::{self, Begin, Style, last_mover, scored};
use omnigo::points::Points;
use omnigo::rules::{End, Ko, Passing, Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

/// Number of turns after which a game under simple ko counts as endless, because no superko bounds
/// it.
const ENDLESS: usize = 20_000;

/// Returns every named ruleset, and variants with other parameters.
fn systems() -> Vec<Ruleset> {
    let named = presets::all().iter().map(|preset| preset.rules.clone());
    let varied = [
        "conway-prisoners black-passes=1.5 white-passes=2",
        "conway-prisoners stuck=move-only white-passes=2",
        "famine first=white suicide=no",
        "conway ko=situational suicide=no",
        "ggg ko=situational first=white",
        "topo-stone ko=situational",
    ];
    let read = |text: &str| text.parse::<RulesetText>().unwrap().rules;
    named.chain(varied.map(read)).collect()
}

/// Returns a random graph board, mostly empty at the start.
fn on_graph(random: &mut Random, colors: usize) -> impl Board {
    let n = 1 + random.below(if colors > 2 { 4 } else { 5 });
    let percent = random.pick(&[20, 50, 80]);
    let graph = graph_of(n, &random.edges(n, percent));
    let mut board = graph_board(&graph, colors, &Zobrist::new(n, colors));
    set_up(&mut board, random, colors);
    board
}

/// Returns a random go-space: any topology, with any open sets as placements.
fn on_space(random: &mut Random, colors: usize) -> impl Board {
    let points = 1 + random.below(5);
    let percent = random.pick(&[10, 30, 60]);
    let mut order = Vec::new();
    for x in 0..points {
        for y in 0..points {
            if x != y && random.percent(percent) {
                order.push((x, y));
            }
        }
    }
    // The smallest open sets are the transitive closure of the order. Their unions are open.
    let mut min_open: Vec<Vec<bool>> = (0..points)
        .map(|x| {
            (0..points)
                .map(|y| x == y || order.contains(&(x, y)))
                .collect()
        })
        .collect();
    for via in 0..points {
        for x in 0..points {
            for y in 0..points {
                min_open[x][y] |= min_open[x][via] && min_open[via][y];
            }
        }
    }
    let mut placements: Vec<Vec<usize>> = Vec::new();
    for _ in 0..random.below(7) {
        let parts: Vec<usize> = (0..1 + random.below(2))
            .map(|_| random.below(points))
            .collect();
        let open = |&y: &usize| parts.iter().any(|&x| min_open[x][y]);
        let open: Vec<usize> = (0..points).filter(open).collect();
        if !placements.contains(&open) {
            placements.push(open);
        }
    }
    let space = Space::new(points, &Topology::Order(order), &placements).unwrap();
    let mut board = SpaceBoard::new(Arc::new(space), colors).unwrap();
    set_up(&mut board, random, colors);
    board
}

/// Returns a random Mango set: weights of either sign, and any kind of threshold.
fn on_mango(random: &mut Random, colors: usize) -> impl Board {
    let n = 1 + random.below(5);
    let percent = random.pick(&[20, 50, 80]);
    let graph = graph_of(n, &random.edges(n, percent));
    let mut halves = |from: i64, most: usize| Points::from_halves(from + random.below(most) as i64);
    let weights: Vec<Points> = (0..n).map(|_| halves(-2, 7)).collect();
    let (low, width) = (halves(-3, 8), halves(0, 5));
    let threshold = match random.below(4) {
        0 => Threshold::Above(low),
        1 => Threshold::AtLeast(low),
        2 => Threshold::Odd,
        _ => Threshold::Within([(low, low + width)].into()),
    };
    let mango = Mango::new(&weights, threshold, [Points::ZERO; 2], None).unwrap();
    let mut board = MangoBoard::new(graph, Arc::new(mango), colors).unwrap();
    set_up(&mut board, random, colors);
    board
}

fn set_up(board: &mut impl Board, random: &mut Random, colors: usize) {
    let percent = random.pick(&[0, 0, 0, 50]);
    board.set_position(&random.coloring(board.points(), colors, percent));
}

/// Returns the maximum number of turns of a game.
fn bound(game: &Game<impl Board>) -> usize {
    let rules = game.rules();
    let colorings = (rules.colors + 1).pow(game.board().points() as u32);
    let placements = match rules.ko {
        // Every placement makes a new position.
        Ko::Positional => colorings,
        Ko::Situational => colorings * rules.colors,
        Ko::Simple => return ENDLESS,
    };
    // A placement or the end of the game follows every pass. If passes are paid, each costs one
    // pass in hand or one captured stone. At most as many stones are captured as were placed or set
    // up.
    let in_hand: Points = Color::all(rules.colors)
        .map(|c| game.counter(c))
        .fold(Points::ZERO, |a, b| a + b);
    let set_up = game.board().points();
    match rules.passing {
        Passing::Never => placements,
        Passing::Free => (placements + 1) * rules.colors + 1,
        Passing::Prisoners => 2 * placements + set_up + in_hand.halves() as usize + 2,
    }
}

/// Plays a random game to the end and returns the number of turns.
fn to_the_end<B: Board>(board: B, rules: &Ruleset, random: &mut Random) -> usize {
    let komi = Points::from_halves(random.below(9) as i64 - 4);
    let mut game = Game::new(board, rules.clone(), komi, rules.first);
    let most = bound(&game);
    let shares: Vec<Points> = Color::all(rules.colors).map(|c| game.counter(c)).collect();
    let turns = random_games::to_the_end(&mut game, most, random, |game| {
        for (color, share) in Color::all(rules.colors).zip(&shares) {
            // Half a point buys a whole pass, so the counter may drop to -1/2.
            let least = -(share.halves() % 2);
            assert!(game.counter(color).halves() >= least, "{rules}: {color}");
        }
    });
    let outcome = game.outcome(&[]).unwrap();
    match rules.end {
        End::Stuck => assert_eq!(outcome.winner(), Some(game.to_move().other())),
        End::Passes => assert_eq!(game.scores(&[]).unwrap().len(), rules.colors),
    }
    turns
}

/// Plays a playout of the search from the same kind of board. It must stop at its move cap and
/// leave a consistent board.
fn played_out<B: Board>(mut board: B, rules: &Ruleset, seed: u64) {
    let cap = playout::move_cap(&board);
    let begin = Begin {
        colors: rules.colors,
        ..Begin::FRESH
    };
    let (mut random, mut trace) = (playout::Random::new(seed), Vec::new());
    match rules.end {
        End::Passes => {
            let style = Style::Tactical.on(&board);
            scored::play(&mut board, begin, style, &mut random, &mut trace, || false);
        }
        End::Stuck => {
            let paid = rules.passing == Passing::Prisoners;
            let mut terms = last_mover::Terms {
                passes: paid.then_some([2; Color::MAX]),
                suicide: rules.suicide,
            };
            let mut seen = last_mover::Seen::default();
            last_mover::play(
                &mut board,
                begin,
                &mut terms,
                &mut seen,
                &mut random,
                &mut trace,
                || false,
            );
            let turns = trace.windows(2).all(|pair| pair[0].0 != pair[1].0);
            assert!(
                paid || turns,
                "{rules}: a turn without a stone in {trace:?}"
            );
            let left = terms.passes.unwrap_or_default();
            assert!(left.iter().all(|&left| left >= 0), "{rules}: {left:?}");
        }
    }
    assert!(trace.len() <= cap, "{rules}: {} of {cap}", trace.len());
    if board.has_chains() {
        assert_eq!(board.census(), flood_census(&board));
    }
}

/// Plays `number` games of every ruleset, alternating among the kinds of boards that support it.
fn games(number: usize) {
    let mut random = Random::new(1);
    for rules in systems() {
        let mut longest = 0;
        for round in 0..number {
            let turns = match (round % 3, rules.passing) {
                // The rules do not define who is paid for a point under several stones, so
                // go-spaces have no paid passes.
                (0, Passing::Free | Passing::Never) => {
                    let board = on_space(&mut random, 2);
                    played_out(board.clone(), &rules, round as u64);
                    to_the_end(board, &rules, &mut random)
                }
                (1, _) => {
                    let board = on_mango(&mut random, 2);
                    played_out(board.clone(), &rules, round as u64);
                    to_the_end(board, &rules, &mut random)
                }
                (_, _) => {
                    let board = on_graph(&mut random, 2);
                    played_out(board.clone(), &rules, round as u64);
                    to_the_end(board, &rules, &mut random)
                }
            };
            longest = longest.max(turns);
        }
        assert!(longest > 5, "{rules}: {longest}");
    }
}

/// Plays `number` games of every ruleset that more than two colors can play.
fn games_of_many(number: usize) {
    let mut random = Random::new(2);
    let open = |rules: &Ruleset| rules.passing == Passing::Free;
    for rules in systems().into_iter().filter(open) {
        for round in 0..number {
            let colors = 3 + round % 6;
            let rules = Ruleset {
                colors,
                ..rules.clone()
            };
            assert_eq!(rules.flaw(), None);
            let board = on_graph(&mut random, colors);
            played_out(board.clone(), &rules, round as u64);
            to_the_end(board, &rules, &mut random);
        }
    }
}

#[test]
fn games_end() {
    games(300);
}

#[test]
fn games_of_many_colors_end() {
    games_of_many(60);
}

#[test]
#[ignore = "a minute"]
fn ten_thousand_games_of_every_system_end() {
    games(10_000);
    games_of_many(10_000);
}

/// Map from the moves of one game to those of another, with renamed placements and possibly swapped
/// colors.
struct Image {
    placements: Vec<usize>,
    swapped: bool,
}

impl Image {
    fn of(&self, mv: Move) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Place(at) => Move::Place(Vertex::at(self.placements[at.index()])),
        }
    }

    fn color(&self, color: Color) -> Color {
        if self.swapped { color.other() } else { color }
    }
}

/// Plays a random game from a random start on two boards at once, one the image of the other, under
/// the ruleset `name`. Returns the number of turns.
fn same_game<B: Board>(
    [mut first, mut second]: [B; 2],
    points: &[usize],
    image: &Image,
    name: &str,
    random: &mut Random,
) -> usize {
    let full = random.pick(&[0, 0, 50]);
    let start = random.coloring(points.len(), 2, full);
    first.set_position(&start);
    second.set_position(&moved(&start, points, image));
    let rules = presets::find(name).unwrap().rules.clone();
    let mut first = Game::new(first, rules.clone(), Points::ZERO, Color::BLACK);
    let mut second = Game::new(
        second,
        rules.clone(),
        Points::ZERO,
        image.color(Color::BLACK),
    );
    let compare = |first: &Game<B>, second: &Game<B>| {
        let mut expected = vec![None; points.len()];
        for (cell, &point) in first.board().position().into_iter().zip(points) {
            expected[point] = cell.map(|color| image.color(color));
        }
        assert_eq!(second.board().position(), expected, "{rules}");
        if let (Ok(mine), Ok(theirs)) = (first.scores(&[]), second.scores(&[])) {
            for color in [Color::BLACK, Color::WHITE] {
                assert_eq!(
                    mine[color.index()],
                    theirs[image.color(color).index()],
                    "{rules}"
                );
            }
        }
    };
    let image_of = |color, mv| (image.color(color), image.of(mv));
    random_games::same_game(&mut first, &mut second, 30, random, image_of, compare)
}

/// Returns the image of a position.
fn moved(start: &[Option<Color>], points: &[usize], image: &Image) -> naive::Coloring {
    let mut moved = vec![None; start.len()];
    for (cell, &point) in start.iter().zip(points) {
        moved[point] = cell.map(|color| image.color(color));
    }
    moved
}

#[test]
fn renamed_and_swapped_mango_sets_play_alike() {
    let mut random = Random::new(3);
    let mut turns = 0;
    for case in 0..3000 {
        let n = 1 + random.below(6);
        let percent = random.pick(&[20, 50, 80]);
        let edges = random.edges(n, percent);
        let points = random.order(n);
        let renamed: Vec<(usize, usize)> =
            edges.iter().map(|&(a, b)| (points[b], points[a])).collect();
        let weights: Vec<Points> = (0..n)
            .map(|_| Points::from_halves(random.below(7) as i64 - 2))
            .collect();
        let mut there = weights.clone();
        weights
            .iter()
            .zip(&points)
            .for_each(|(&w, &v)| there[v] = w);
        let low = Points::from_halves(random.below(8) as i64 - 3);
        let threshold = match random.below(4) {
            0 => Threshold::Above(low),
            1 => Threshold::AtLeast(low),
            2 => Threshold::Odd,
            _ => Threshold::Within([(low, low + Points::whole(1))].into()),
        };
        let set = |edges: &[(usize, usize)], weights: &[Points]| {
            let mango = Mango::new(weights, threshold.clone(), [Points::ZERO; 2], None).unwrap();
            MangoBoard::new(graph_of(n, edges), Arc::new(mango), 2).unwrap()
        };
        let boards = [set(&edges, &weights), set(&renamed, &there)];
        let image = Image {
            placements: points.clone(),
            swapped: case % 2 == 0,
        };
        let name = ["mango", "conway", "ggg", "famine"][case % 4];
        turns += same_game(boards, &points, &image, name, &mut random);
    }
    assert!(turns > 4000, "{turns}");
}

#[test]
fn renamed_and_swapped_spaces_play_alike() {
    let mut random = Random::new(4);
    let mut turns = 0;
    for case in 0..3000 {
        let number = 1 + random.below(6);
        let percent = random.pick(&[10, 30, 60]);
        let mut base = vec![(0..number).collect::<Vec<usize>>()];
        for _ in 0..2 * number {
            let set: Vec<usize> = (0..number).filter(|_| random.percent(percent)).collect();
            base.push(set);
        }
        let space = Topology::Subbase(base.clone());
        // Intersections of members of a subbase are open.
        let mut placements: Vec<Vec<usize>> = Vec::new();
        for _ in 0..1 + random.below(6) {
            let (a, b) = (random.below(base.len()), random.below(base.len()));
            let open: Vec<usize> = base[a]
                .iter()
                .copied()
                .filter(|x| base[b].contains(x))
                .collect();
            if !open.is_empty() && !placements.contains(&open) {
                placements.push(open);
            }
        }
        let points = random.order(number);
        let order = random.order(placements.len());
        let sent = |set: &Vec<usize>| set.iter().map(|&x| points[x]).collect::<Vec<usize>>();
        let mut there = placements.clone();
        placements
            .iter()
            .zip(&order)
            .for_each(|(set, &at)| there[at] = sent(set));
        let topology = Topology::Subbase(base.iter().map(sent).collect());
        let board = |topology: &Topology, placements: &[Vec<usize>]| {
            let space = Space::new(number, topology, placements).unwrap();
            SpaceBoard::new(Arc::new(space), 2).unwrap()
        };
        let boards = [board(&space, &placements), board(&topology, &there)];
        let image = Image {
            placements: order,
            swapped: case % 2 == 0,
        };
        let name = ["topo-primitive", "topo-stone", "ggg", "formal"][case % 4];
        turns += same_game(boards, &points, &image, name, &mut random);
    }
    assert!(turns > 4000, "{turns}");
}
