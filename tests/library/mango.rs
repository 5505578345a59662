//! Mango, compared with a literal implementation of its definition (paths included), with the
//! formal game, and through the engine.

use crate::naive;

use std::path::PathBuf;
use std::sync::Arc;

use crate::naive::random::Random;
use crate::naive::random_games;
use crate::naive::spec::{goban, graph_board, graph_of};
use crate::naive::{Coloring, Naive, color, text};
use omnigo::board::mango::MangoBoard;
use omnigo::board::{BareBoard, Preview};
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options};
use omnigo::game::Game;
use omnigo::graph::goban::Surface;
use omnigo::graph::mango::{Mango, Threshold};
use omnigo::points::Points;
use omnigo::rules::{Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

fn rules(name: &str) -> Ruleset {
    presets::find(name).unwrap().rules.clone()
}

/// Returns `n` quarter points.
fn quarters(n: i64) -> Points {
    let quarter: Points = "0.25".parse().unwrap();
    quarter * n
}

/// The threshold T, in quarter points.
#[derive(Clone, Debug)]
enum T {
    Above(i64),
    AtLeast(i64),
    Odd,
    Within(Vec<(i64, i64)>),
}

impl T {
    fn random(random: &mut Random) -> T {
        let number = |random: &mut Random| random.below(25) as i64 - 8;
        match random.below(4) {
            0 => T::Above([0, number(random)][random.below(2)]),
            1 => T::AtLeast(number(random)),
            2 => T::Odd,
            _ => T::Within(
                (0..random.below(4))
                    .map(|_| {
                        let low = number(random);
                        (low, low + random.below(9) as i64)
                    })
                    .collect(),
            ),
        }
    }

    fn holds(&self, z: i64) -> bool {
        match self {
            T::Above(r) => z > *r,
            T::AtLeast(r) => z >= *r,
            T::Odd => z % 4 == 0 && (z / 4) % 2 != 0,
            T::Within(intervals) => intervals.iter().any(|&(a, b)| a <= z && z <= b),
        }
    }

    fn threshold(&self) -> Threshold {
        match self {
            T::Above(r) => Threshold::Above(quarters(*r)),
            T::AtLeast(r) => Threshold::AtLeast(quarters(*r)),
            T::Odd => Threshold::Odd,
            T::Within(intervals) => Threshold::Within(
                intervals
                    .iter()
                    .map(|&(a, b)| (quarters(a), quarters(b)))
                    .collect(),
            ),
        }
    }
}

/// A configuration (E, B, W) on a Mango set, as in the definition.
#[derive(Clone, Debug)]
struct Text {
    neighbors: Vec<Vec<usize>>,
    /// F, in quarter points.
    f: Vec<i64>,
    t: T,
    cells: Coloring,
}

impl Text {
    /// Returns true if a path joins these endpoints with all interior points `inside`. Tries every
    /// simple path.
    fn path(&self, from: usize, to: usize, inside: &dyn Fn(usize) -> bool) -> bool {
        fn go(
            set: &Text,
            at: usize,
            to: usize,
            inside: &dyn Fn(usize) -> bool,
            used: &mut Vec<usize>,
        ) -> bool {
            set.neighbors[at].iter().any(|&next| {
                if next == to {
                    return true;
                }
                if used.contains(&next) || !inside(next) {
                    return false;
                }
                used.push(next);
                let found = go(set, next, to, inside, used);
                used.pop();
                found
            })
        }
        from != to && go(self, from, to, inside, &mut vec![from])
    }

    fn alive(&self, s: usize) -> bool {
        let inside = |u: usize| self.cells[u].is_none() || self.cells[u] == self.cells[s];
        let z: i64 = (0..self.cells.len())
            .filter(|&e| self.cells[e].is_none() && self.path(s, e, &inside))
            .map(|e| self.f[e])
            .sum();
        self.t.holds(z)
    }

    fn clear(&mut self, dies: Color) {
        let dead: Vec<usize> = (0..self.cells.len())
            .filter(|&s| self.cells[s] == Some(dies) && !self.alive(s))
            .collect();
        for s in dead {
            self.cells[s] = None;
        }
    }

    fn play(&mut self, mover: Color, n: usize) {
        self.cells[n] = Some(mover);
        self.clear(mover.other());
        self.clear(mover);
    }

    /// Returns the score of M in quarter points, without initial scores.
    fn score(&self, m: Color) -> i64 {
        let h = m.other();
        let points = 0..self.cells.len();
        points
            .clone()
            .filter(|&n| match self.cells[n] {
                Some(stone) => stone == m,
                None => {
                    let to = |c: Color, inside: &dyn Fn(usize) -> bool| {
                        points
                            .clone()
                            .any(|u| self.cells[u] == Some(c) && self.path(n, u, inside))
                    };
                    to(m, &|u| self.cells[u] != Some(h)) && !to(h, &|u| self.cells[u] != Some(m))
                }
            })
            .map(|n| self.f[n])
            .sum()
    }
}

/// Returns a random set of few points and its board.
fn random_set(random: &mut Random, most: usize) -> (Text, MangoBoard) {
    let n = 1 + random.below(most);
    let percent = [20, 40, 60, 90][random.below(4)];
    let edges: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .filter(|_| random.percent(percent))
        .collect();
    let f: Vec<i64> = match random.below(3) {
        0 => vec![4; n],
        1 => (0..n).map(|_| 4 * (random.below(5) as i64 - 1)).collect(),
        _ => (0..n).map(|_| random.below(17) as i64 - 6).collect(),
    };
    let t = T::random(random);
    let weights: Vec<Points> = f.iter().map(|&w| quarters(w)).collect();
    let mango = Mango::new(&weights, t.threshold(), [Points::ZERO; 2], None).unwrap();
    let board = MangoBoard::new(graph_of(n, &edges), Arc::new(mango), 2).unwrap();
    let naive = Naive::new(n, &edges);
    let set = Text {
        neighbors: naive.neighbors,
        f,
        t,
        cells: naive.cells,
    };
    (set, board)
}

#[test]
fn games_follow_the_definition() {
    let mut random = Random::new(1);
    let mut moves = 0;
    for number in 0..2500 {
        let (mut set, mut board) = random_set(&mut random, 6);
        let n = set.cells.len();
        let percent = [0, 0, 30, 70][random.below(4)];
        set.cells = random.coloring(n, 2, percent);
        board.set_position(&set.cells);
        let komi = Points::from_halves(random.below(9) as i64 - 4);
        let initial = [0, 1].map(|_| random.below(9) as i64 - 4);
        let mut scores = [Points::ZERO; Color::MAX];
        scores[0] = quarters(initial[0]);
        scores[1] = quarters(initial[1]);
        let mut game = Game::new(board, rules("mango"), komi, Color::BLACK);
        game.set_initial_scores(scores);
        let mut seen = vec![set.cells.clone()];
        for ply in 0..10 {
            let expected = [Color::BLACK, Color::WHITE].map(|c| quarters(set.score(c)));
            let found = game.scores(&[]).unwrap();
            assert_eq!(
                found,
                [expected[0] + scores[0], expected[1] + scores[1] + komi],
                "set {number}: {set:?}"
            );
            let mover = color(random.below(2));
            for side in [Color::BLACK, Color::WHITE] {
                let mut legal: Vec<Move> = (0..n)
                    .filter(|&v| set.cells[v].is_none())
                    .filter(|&v| {
                        let mut after = set.clone();
                        after.play(side, v);
                        !seen.contains(&after.cells)
                    })
                    .map(|v| Move::Place(Vertex::at(v)))
                    .collect();
                legal.push(Move::Pass);
                assert_eq!(
                    game.legal_moves(side),
                    legal,
                    "set {number}, ply {ply}, {side}: {set:?}"
                );
            }
            let options = game.legal_moves(mover);
            let mv = random.pick(&options);
            let Move::Place(at) = mv else { continue };
            game.play(mover, mv).unwrap();
            set.play(mover, at.index());
            assert_eq!(
                text(&game.board().position()),
                text(&set.cells),
                "set {number}, ply {ply}, {mover} {at:?}: {set:?}"
            );
            seen.push(set.cells.clone());
            moves += 1;
        }
        while game.undo() {}
        assert_eq!(game.board().position(), seen[0]);
    }
    assert!(moves > 3000, "{moves}");
}

/// Most previews are computed without playing the move. Compare them with the effect of the
/// placement.
#[test]
fn previews_equal_the_effect_of_placements() {
    let mut random = Random::new(2);
    for number in 0..1500 {
        let n = 1 + random.below(14);
        let colors = 2 + random.below(3);
        let percent = [10, 20, 30][random.below(3)];
        let edges = random.edges(n, percent);
        let t = T::random(&mut random);
        let weights: Vec<Points> = (0..n)
            .map(|_| quarters(4 * (random.below(4) as i64 - i64::from(number % 3 == 0))))
            .collect();
        let mango = Mango::new(&weights, t.threshold(), [Points::ZERO; 2], None).unwrap();
        let mut board = MangoBoard::new(graph_of(n, &edges), Arc::new(mango), colors).unwrap();
        let full = [0, 20, 50][random.below(3)];
        board.set_position(&random.coloring(n, colors, full));
        for _ in 0..n {
            if board.vacant().is_empty() {
                break;
            }
            for &at in board.vacant() {
                for mover in Color::all(colors) {
                    let mut after = board.clone();
                    let (mut captured, mut lost) = (0, 0);
                    after.place(mover, at, |_, stone| {
                        if stone == mover {
                            lost += 1;
                        } else {
                            captured += 1;
                        }
                    });
                    let position = after.position();
                    let done = Preview {
                        hash: Zobrist::new(n, colors).hash(&position),
                        captured,
                        lost,
                        suicide: after.at(at).is_none(),
                    };
                    assert_eq!(after.hash(), done.hash);
                    assert_eq!(board.preview(mover, at), done, "{number}: {mover} {at:?}");
                    // The state that the board keeps must equal the state of a board that is set up
                    // again.
                    let mut anew = after.clone();
                    anew.set_position(&position);
                    for &next in after.vacant() {
                        assert_eq!(after.preview(mover, next), anew.preview(mover, next));
                    }
                }
            }
            let at = random.pick(board.vacant());
            board.place(color(random.below(colors)), at, |_, _| {});
        }
    }
}

#[test]
fn unit_weights_give_the_formal_game() {
    let mut random = Random::new(3);
    let mut positions = 0;
    for _ in 0..1000 {
        let n = 1 + random.below(12);
        let percent = [15, 30, 50][random.below(3)];
        let edges = random.edges(n, percent);
        let graph = graph_of(n, &edges);
        let one = vec![Points::whole(1); n];
        let positive = Threshold::Above(Points::ZERO);
        let mango = Mango::new(&one, positive, [Points::ZERO; 2], None).unwrap();
        assert!(mango.is_plain());
        let mut literal = MangoBoard::new(Arc::clone(&graph), Arc::new(mango), 2).unwrap();
        let mut ordinary = graph_board(&graph, 2, &Zobrist::new(n, 2));
        let full = [0, 0, 40, 80][random.below(4)];
        let start = random.coloring(n, 2, full);
        literal.set_position(&start);
        ordinary.set_position(&start);
        let mut mango = Game::new(literal, rules("mango"), Points::ZERO, Color::BLACK);
        let mut formal = Game::new(ordinary, rules("formal"), Points::ZERO, Color::BLACK);
        for _ in 0..2 * n {
            let mover = formal.to_move();
            assert_eq!(mango.board().position(), formal.board().position());
            assert_eq!(mango.board().hash(), formal.board().hash());
            assert_eq!(mango.board().census(), formal.board().census());
            assert_eq!(mango.scores(&[]), formal.scores(&[]));
            for side in [Color::BLACK, Color::WHITE] {
                assert_eq!(mango.legal_moves(side), formal.legal_moves(side));
            }
            for &at in formal.board().vacant() {
                let same = (
                    mango.board().preview(mover, at),
                    formal.board().preview(mover, at),
                );
                assert_eq!(same.0, same.1);
            }
            positions += 1;
            let Some((_, mv)) = random_games::turn(&formal, &mut random) else {
                break;
            };
            mango.play(mover, mv).unwrap();
            formal.play(mover, mv).unwrap();
        }
    }
    assert!(positions > 1000, "{positions}");
}

/// A path of five with Black on its second and fourth point. The other points are Black's eyes.
#[test]
fn the_group_tax_is_two_points_for_any_weights() {
    for (weights, area, taxed) in [
        (["1"; 5], "5", "3"),
        (["5", "0.5", "5", "0.5", "5"], "16", "14"),
    ] {
        let weights = weights.map(|weight| weight.parse::<Points>().unwrap());
        let threshold = T::Above(0).threshold();
        let mango = Mango::new(&weights, threshold, [Points::ZERO; 2], None).unwrap();
        let path = graph_of(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        let mut board = MangoBoard::new(path, Arc::new(mango), 2).unwrap();
        let black = |v| (v % 2 == 1).then_some(Color::BLACK);
        board.set_position(&(0..5).map(black).collect::<Vec<_>>());
        for (tax, expected) in [("none", area), ("all", taxed)] {
            let rules = format!("tromp-taylor tax={tax}").parse::<RulesetText>();
            let game = Game::new(
                board.clone(),
                rules.unwrap().rules,
                Points::ZERO,
                Color::BLACK,
            );
            // Two chains with an eye each and one between them form one group.
            assert_eq!(game.scores(&[]).unwrap()[0].to_string(), expected);
        }
    }
}

fn file(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    format!("file:{}", root.join(name).display())
}

fn engine(spec: &str, ruleset: &str) -> Engine {
    let options = Options {
        playouts: Some(30),
        ..Options::default()
    };
    Engine::new(goban(spec), rules(ruleset), Points::ZERO, options).unwrap()
}

/// M1 is recognized as a plain graph and played on a graph board, including its initial scores. The
/// literal Mango board must agree.
#[test]
fn recognized_and_literal_boards_agree() {
    let spec = file("gtp-tests/rules/mango/m1-path.json");
    let board = goban(&spec);
    let Surface::Mango(mango) = &board.surface else {
        panic!("no Mango set")
    };
    assert!(mango.is_plain());
    let literal = MangoBoard::new(Arc::clone(&board.graph), Arc::clone(mango), 2).unwrap();
    let mut random = Random::new(4);
    for _ in 0..1000 {
        let mut recognised = engine(&spec, "mango");
        let mut game = Game::new(literal.clone(), rules("mango"), Points::ZERO, Color::BLACK);
        game.set_initial_scores(board.initial_scores());
        for _ in 0..12 {
            assert_eq!(recognised.position(), game.board().position());
            assert_eq!(recognised.scores(), game.scores(&[]));
            let mover = game.to_move();
            assert_eq!(recognised.legal_moves(mover), game.legal_moves(mover));
            let Some((_, mv)) = random_games::turn(&game, &mut random) else {
                break;
            };
            game.play(mover, mv).unwrap();
            recognised.play(mover, mv).unwrap();
        }
    }
}

#[test]
fn the_first_player_of_a_file_moves_first_at_its_start() {
    let mut engine = engine(&file("gtp-tests/rules/mango/start.json"), "mango");
    assert_eq!(engine.to_move(), Color::WHITE);
    engine
        .play(Color::WHITE, Move::Place(Vertex::at(2)))
        .unwrap();
    assert_eq!(engine.to_move(), Color::BLACK);
    engine.clear_board();
    assert_eq!(engine.to_move(), Color::WHITE);
    engine.set_rules(rules("conway")).unwrap();
    assert_eq!(engine.to_move(), Color::WHITE);
    engine.set_position(&naive::coloring("X...."), None);
    assert_eq!(engine.to_move(), Color::BLACK);
    engine.set_position(&naive::coloring(".X.O."), None);
    assert_eq!(engine.to_move(), Color::WHITE);
}

/// The engine plays the first moves of each kind of set under several rulesets.
#[test]
fn the_engine_plays_on_mango_sets() {
    let sets = [
        "examples/mango/window-9x9.json",
        "gtp-tests/rules/mango/m6-path.json",
        "gtp-tests/rules/mango/m8-path.json",
        "gtp-tests/rules/mango/d24-cycle.json",
        "gtp-tests/rules/mango/start.json",
    ];
    for set in sets {
        for ruleset in ["mango", "conway", "chinese", "famine"] {
            let mut engine = engine(&file(set), ruleset);
            for _ in 0..12 {
                let mover = engine.to_move();
                match engine.genmove(mover) {
                    Choice::Move(mv) => assert_eq!(engine.moves().last(), Some(&(mover, mv))),
                    Choice::Resign => break,
                }
                if engine.is_over() {
                    break;
                }
            }
            assert_eq!(
                engine.scores().is_ok(),
                ruleset == "mango" || ruleset == "chinese"
            );
        }
    }
}

/// The engine takes the center of the heavier of two equal paths.
#[test]
fn the_engine_prefers_the_heavier_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heavy.json");
    let set = r#"{"kind":"mango","vertices":6,"edges":[[0,1],[1,2],[3,4],[4,5]],
        "weights":[1,1,1,9,9,9]}"#;
    std::fs::write(&path, set).unwrap();
    let options = Options {
        playouts: Some(1000),
        ..Options::default()
    };
    let spec = format!("file:{}", path.display());
    let mut engine = Engine::new(goban(&spec), rules("mango"), Points::ZERO, options).unwrap();
    let choice = engine.choose(Color::BLACK);
    assert_eq!(choice, Choice::Move(Move::Place(Vertex::at(4))));
}
