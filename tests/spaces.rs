//! Go-spaces against the definitions of Topological Go, taken literally on spaces of a few points: closures and connectedness
//! from the list of all open sets, strings from all sets of stones.

mod naive;

use std::sync::Arc;

use naive::chance::Chance;
use naive::{color, text};
use omnigo::board::graph::{Adjacency, GraphBoard};
use omnigo::board::space::SpaceBoard;
use omnigo::board::{Board, flood_census};
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options};
use omnigo::game::Game;
use omnigo::graph::goban::Goban;
use omnigo::graph::space::{Space, Topology};
use omnigo::rules::{Points, Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};

/// A set of points, a bit each.
type Set = u32;

/// A go-space by the definitions: every open set, and the placements.
struct Literal {
    points: usize,
    opens: Vec<Set>,
    placements: Vec<Set>,
    /// For every set whether it is connected, and its closure.
    connected: Vec<bool>,
    closure: Vec<Set>,
}

impl Literal {
    fn new(points: usize, opens: Vec<Set>, placements: Vec<Set>) -> Literal {
        let all: Set = (1 << points) - 1;
        let mut literal = Literal {
            points,
            opens,
            placements,
            connected: Vec::new(),
            closure: Vec::new(),
        };
        for set in 0..=all {
            // The closure is the intersection of all closed sets around the set.
            let closed = literal.opens.iter().map(|open| all & !open);
            let closure = closed.filter(|c| c & set == set).fold(all, |a, c| a & c);
            literal.closure.push(closure);
            // Connected: no part but nothing and everything is open and closed in the induced topology.
            let induced: Vec<Set> = literal.opens.iter().map(|open| open & set).collect();
            let clopen =
                |&&part: &&Set| part != 0 && part != set && induced.contains(&(set & !part));
            literal
                .connected
                .push(!induced.iter().any(|part| clopen(&part)));
        }
        literal
    }

    /// Definition 5.
    fn go_connected(&self, stones: &[Set]) -> bool {
        let union = stones.iter().fold(0, |a, s| a | s);
        self.connected[self.closure[union as usize] as usize]
    }

    /// Definition 3: the stones of a colour.
    fn stones(&self, own: Set) -> Vec<Set> {
        let stones = self.placements.iter();
        stones.copied().filter(|s| s & own == *s).collect()
    }

    /// Definition 6.
    fn has_liberty(&self, group: &[Set], empty: Set) -> bool {
        self.stones(empty).into_iter().any(|e| {
            let mut with = group.to_vec();
            with.push(e);
            self.go_connected(&with)
        })
    }

    /// Definition 7.
    fn string(&self, stone: Set, own: Set) -> Vec<Set> {
        let stones = self.stones(own);
        let mut string = vec![false; stones.len()];
        for choice in 0u32..1 << stones.len() {
            let chosen = |i: &usize| choice & 1 << i != 0;
            let set: Vec<Set> = (0..stones.len())
                .filter(chosen)
                .map(|i| stones[i])
                .collect();
            if set.contains(&stone) && self.go_connected(&set) {
                (0..stones.len())
                    .filter(chosen)
                    .for_each(|i| string[i] = true);
            }
        }
        (0..stones.len())
            .filter(|&i| string[i])
            .map(|i| stones[i])
            .collect()
    }

    /// Definition 8: the elements to colour empty. A stone that is in no go-connected set is judged by itself.
    fn cleared(&self, own: Set, empty: Set) -> Set {
        let mut dead = own;
        for stone in self.stones(own) {
            let mut string = self.string(stone, own);
            if string.is_empty() {
                string.push(stone);
            }
            if self.has_liberty(&string, empty) {
                dead &= !stone;
            }
        }
        dead
    }

    /// Definition 9, with the colours black and white as sets.
    fn play(&self, colors: [Set; 2], player: usize, placement: Set) -> [Set; 2] {
        let all: Set = (1 << self.points) - 1;
        let mut after = colors;
        after[player] |= placement;
        after[1 - player] &= !self.cleared(after[1 - player], all & !(after[0] | after[1]));
        after[player] &= !self.cleared(after[player], all & !(after[0] | after[1]));
        after
    }

    fn coloring(&self, colors: [Set; 2]) -> Vec<Option<Color>> {
        (0..self.points)
            .map(|x| (0..2).find(|&c| colors[c] & 1 << x != 0).map(color))
            .collect()
    }
}

fn list(set: Set) -> Vec<usize> {
    (0..32).filter(|x| set & 1 << x != 0).collect()
}

fn set(points: &[Vertex]) -> Set {
    points.iter().fold(0, |set, x| set | 1 << x.index())
}

/// A random space of at most six points, given in a random way, with its literal twin.
fn random_space(chance: &mut Chance) -> (Space, Literal) {
    let points = 1 + chance.below(6);
    let all: Set = (1 << points) - 1;
    let mut min_open: Vec<Set> = (0..points).map(|x| 1 << x).collect();
    let percent = [10, 20, 35, 60][chance.below(4)];
    for (x, around) in min_open.iter_mut().enumerate() {
        for y in 0..points {
            if x != y && chance.percent(percent) {
                *around |= 1 << y;
            }
        }
    }
    let pairs = list(all)
        .into_iter()
        .flat_map(|x| list(min_open[x]).into_iter().map(move |y| (x, y)))
        .collect();
    for _ in 0..points {
        for x in 0..points {
            min_open[x] = list(min_open[x]).iter().fold(0, |a, &y| a | min_open[y]);
        }
    }
    let opens: Vec<Set> = (0..=all)
        .filter(|&a| list(a).iter().all(|&x| min_open[x] & a == min_open[x]))
        .collect();
    let lists = |sets: &[Set]| sets.iter().map(|&s| list(s)).collect::<Vec<_>>();
    let topology = match chance.below(5) {
        0 => Topology::MinOpen(lists(&min_open)),
        1 => Topology::Base(lists(&min_open)),
        2 => Topology::Subbase(lists(&opens)),
        3 => Topology::Order(pairs),
        _ => Topology::Opens(lists(&opens)),
    };
    let mut placements: Vec<Set> = opens.iter().copied().filter(|&open| open != 0).collect();
    while placements.len() > 7 || (placements.len() > 1 && chance.percent(25)) {
        placements.remove(chance.below(placements.len()));
    }
    let space = Space::new(points, &topology, &lists(&placements)).unwrap();
    (space, Literal::new(points, opens, placements))
}

#[test]
fn closures_connectedness_and_neighbours_are_those_of_the_definitions() {
    let mut chance = Chance::new(1);
    for _ in 0..1500 {
        let (space, literal) = random_space(&mut chance);
        for subset in 0..1 << literal.points {
            let members: Vec<Vertex> = list(subset).into_iter().map(Vertex::at).collect();
            assert_eq!(
                set(&space.closure(&members)),
                literal.closure[subset as usize]
            );
            assert_eq!(
                space.is_connected(&members),
                literal.connected[subset as usize]
            );
        }
        let mut expected = Vec::new();
        for (b, &second) in literal.placements.iter().enumerate() {
            for (a, &first) in literal.placements[..b].iter().enumerate() {
                let joined = literal.go_connected(&[first, second]);
                assert_eq!(space.joined(a, b), joined);
                if joined {
                    expected.push((a as u16, b as u16));
                }
            }
        }
        let mut pairs = space.pairs(100).unwrap();
        pairs.sort_unstable();
        expected.sort_unstable();
        assert_eq!(pairs, expected);
    }
}

#[test]
fn every_placement_is_as_in_the_definitions() {
    let mut chance = Chance::new(2);
    let (mut placed, mut taken, mut suicides, mut eyes) = (0, 0, 0, 0);
    for case in 0..3000 {
        let (space, literal) = random_space(&mut chance);
        let mut board = SpaceBoard::new(Arc::new(space), 2).unwrap();
        let mut colors = [0; 2];
        // Every other game starts from a set-up, with elements in no stone and groups without liberty.
        let set_up = case % 2 == 1;
        if set_up {
            for x in 0..literal.points {
                if chance.percent(50) {
                    colors[chance.below(2)] |= 1 << x;
                }
            }
            board.set_position(&literal.coloring(colors));
        }
        for turn in 0..20 {
            let all: Set = (1 << literal.points) - 1;
            let empty = all & !(colors[0] | colors[1]);
            let legal: Vec<usize> = (0..literal.placements.len())
                .filter(|&i| literal.placements[i] & empty == literal.placements[i])
                .collect();
            let vacant: Vec<usize> = board.vacant().iter().map(|at| at.index()).collect();
            assert_eq!(vacant, legal);
            if legal.is_empty() {
                break;
            }
            let (player, number) = (chance.below(2), chance.pick(&legal));
            let at = Vertex::at(number);
            let then = literal.play(colors, player, literal.placements[number]);
            let preview = board.preview(color(player), at);
            let plays = board.playable(color(player), at);
            let eye = board.is_eye(color(player), at);
            let mut gone = [0; 2];
            board.place(color(player), at, |x, c| gone[c.index()] |= 1 << x.index());
            assert_eq!(
                text(&board.position()),
                text(&literal.coloring(then)),
                "{literal:?} {colors:?} {player} {number}"
            );
            assert_eq!(board.hash(), preview.hash);
            assert_eq!(gone[1 - player], colors[1 - player] & !then[1 - player]);
            assert_eq!(
                gone[player],
                (colors[player] | literal.placements[number]) & !then[player]
            );
            assert_eq!(preview.captured, gone[1 - player].count_ones() as usize);
            assert_eq!(preview.lost, gone[player].count_ones() as usize);
            // A playout lets be what loses the stone, and what nobody else can play while nothing is taken there.
            let theirs = literal.play(colors, 1 - player, literal.placements[number]);
            let takes = |then: [Set; 2], who: usize| then[1 - who] != colors[1 - who];
            let closed =
                theirs[1 - player] & literal.placements[number] == 0 && !takes(theirs, 1 - player);
            assert_eq!(eye, closed && !takes(then, player));
            let stays = then[player] & literal.placements[number] != 0;
            assert_eq!(plays, then != colors && stays && !eye);
            eyes += usize::from(eye);
            let mut fresh = board.clone();
            fresh.set_position(&board.position());
            assert_eq!(fresh.hash(), board.hash());
            placed += 1;
            taken += usize::from(preview.captured > 0);
            suicides += usize::from(preview.suicide);
            colors = then;
            // Proposition 2: after a turn every coloured element is in a stone. The first turn sees to that after a set-up too.
            for (c, own) in colors.iter().enumerate() {
                let inside = literal.stones(*own).iter().fold(0, |a, s| a | s);
                assert_eq!(inside, *own, "turn {turn}, color {c}");
            }
            // Proposition 3: strings are go-connected.
            for own in colors {
                for stone in literal.stones(own) {
                    let string = literal.string(stone, own);
                    assert!(literal.go_connected(&string));
                }
            }
        }
    }
    assert!(
        placed > 10_000 && taken > 500 && suicides > 500 && eyes > 100,
        "{placed} {taken} {suicides} {eyes}"
    );
}

impl std::fmt::Debug for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lists = |sets: &[Set]| sets.iter().map(|&s| list(s)).collect::<Vec<_>>();
        write!(
            f,
            "opens {:?} placements {:?}",
            lists(&self.opens),
            lists(&self.placements)
        )
    }
}

fn goban(spec: &str) -> Goban {
    naive::spec::goban(spec)
}

/// The literal board of a goban.
fn literal_board(goban: &Goban) -> SpaceBoard {
    SpaceBoard::new(Arc::clone(goban.space().unwrap()), 2).unwrap()
}

fn rules(name: &str) -> Ruleset {
    presets::find(name).unwrap().rules.clone()
}

/// All graphs on `n` labelled vertices as specs.
fn graphs(n: usize) -> impl Iterator<Item = String> {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    (0..1u32 << pairs.len()).map(move |choice| {
        let chosen = (0..pairs.len()).filter(|i| choice & 1 << i != 0);
        let edges: Vec<(usize, usize)> = chosen.map(|i| pairs[i]).collect();
        naive::spec::edges_text(n, &edges)
    })
}

#[test]
fn a_graph_as_space_is_the_graph_from_every_position() {
    let mut eyes = 0;
    for n in 1..=4 {
        for spec in graphs(n) {
            let goban = goban(&format!("space:({spec})"));
            let mut graph = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), 2).unwrap();
            let mut space = literal_board(&goban);
            for number in 0..3usize.pow(n as u32) {
                let mut points: Vec<Option<Color>> = (0..n)
                    .map(|v| {
                        Color::from_index(number / 3usize.pow(v as u32) % 3)
                            .filter(|c| c.index() < 2)
                    })
                    .collect();
                graph.set_position(&points);
                points.resize(goban.points(), None);
                space.set_position(&points);
                assert_eq!(
                    space.census(),
                    flood_census(&graph),
                    "{spec} {}",
                    text(&points)
                );
                let vacant: Vec<Vertex> = space.vacant().to_vec();
                for at in vacant {
                    for player in [Color::BLACK, Color::WHITE] {
                        let (own, theirs) =
                            (graph.preview(player, at), graph.preview(player.other(), at));
                        let eye = theirs.suicide && theirs.captured == 0 && own.captured == 0;
                        assert_eq!(space.is_eye(player, at), eye, "{spec} {}", text(&points));
                        eyes += usize::from(eye && !own.suicide);
                        let (mut a, mut b) = (graph.clone(), space.clone());
                        let (mut left, mut gone) = (Vec::new(), Vec::new());
                        assert_eq!(
                            graph.preview(player, at).lost,
                            space.preview(player, at).lost
                        );
                        a.place(player, at, |v, c| left.push((v, c)));
                        b.place(player, at, |v, c| gone.push((v, c)));
                        assert_eq!(a.position(), b.position()[..n], "{spec} {at:?}");
                        left.sort_unstable();
                        gone.sort_unstable();
                        assert_eq!(left, gone);
                    }
                }
            }
        }
    }
    assert!(eyes > 100, "{eyes}");
}

#[test]
fn the_recognised_and_the_literal_board_agree_in_games() {
    let mut chance = Chance::new(3);
    let mut turns = 0;
    for game in 0..1200 {
        let n = 2 + chance.below(7);
        let percent = 20 + chance.below(60);
        let edges = chance.edges(n, percent);
        let spec = format!("space:({})", naive::spec::edges_text(n, &edges));
        let goban = goban(&spec);
        assert!(goban.space().unwrap().is_graph());
        let name = ["topo-primitive", "topo-stone", "formal", "ggg"][game % 4];
        let options = Options::default();
        let mut engine = Engine::new(goban.clone(), rules(name), Points::ZERO, options).unwrap();
        let mut literal = Game::new(
            literal_board(&goban),
            rules(name),
            Points::ZERO,
            Color::BLACK,
        );
        // The same ruleset on the graph itself.
        let plain = match name {
            "topo-primitive" => "conway",
            other => other,
        };
        let adjacency = Adjacency::new(Arc::clone(&goban.graph));
        let board = GraphBoard::new(adjacency, 2).unwrap();
        let mut graph = Game::new(board, rules(plain), Points::ZERO, Color::BLACK);
        for _ in 0..40 {
            let player = literal.to_move();
            let moves = literal.legal_moves(player);
            assert_eq!(engine.legal_moves(player), moves, "{spec}");
            assert_eq!(graph.legal_moves(player), moves, "{spec}");
            assert_eq!(engine.outcome().ok(), literal.outcome(&[]).ok());
            assert_eq!(graph.outcome(&[]).ok(), literal.outcome(&[]).ok());
            assert_eq!(engine.scores().ok(), literal.scores(&[]).ok());
            let placements: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| *mv != Move::Pass)
                .collect();
            let Some(&mv) = [&placements, &moves]
                .into_iter()
                .find_map(|list| match list.len() {
                    0 => None,
                    many => list.get(chance.below(many)),
                })
            else {
                break;
            };
            engine.play(player, mv).unwrap();
            literal.play(player, mv).unwrap();
            graph.play(player, mv).unwrap();
            assert_eq!(engine.position(), literal.board().position());
            assert_eq!(
                engine.prisoners(),
                [Color::BLACK, Color::WHITE].map(|c| literal.counter(c))
            );
            turns += 1;
        }
        while engine.undo() {
            assert!(literal.undo());
            assert_eq!(engine.position(), literal.board().position());
        }
    }
    assert!(turns > 3000, "{turns}");
}

#[test]
fn a_colored_edge_is_played_literally_and_forgotten_again() {
    let goban = goban("space:path:3");
    let options = Options::default();
    let mut engine = Engine::new(goban, rules("topo-stone"), Points::ZERO, options).unwrap();
    let white = Some(Color::WHITE);
    engine.set_position(&[None, None, None, white, white], None);
    assert_eq!(engine.outcome().unwrap().to_string(), "W+2");
    engine
        .play(Color::BLACK, Move::Place(Vertex::at(1)))
        .unwrap();
    assert_eq!(text(&engine.position()), ".X...");
    assert!(engine.undo());
    assert_eq!(text(&engine.position()), "...OO");
    engine.clear_board();
    assert_eq!(text(&engine.position()), ".....");
    engine
        .play(Color::BLACK, Move::Place(Vertex::at(0)))
        .unwrap();
    assert_eq!(text(&engine.position()), "X....");
}

#[test]
fn paid_passes_are_refused_and_change_nothing() {
    let engine = |spec: &str, name: &str| {
        Engine::new(goban(spec), rules(name), Points::ZERO, Options::default())
    };
    assert!(engine("space:path:3", "famine").is_err());
    let mut space = engine("space:path:3", "topo-primitive").unwrap();
    assert!(space.set_rules(rules("conway-prisoners")).is_err());
    assert_eq!(space.rules().name, "topo-primitive");
    let mut path = engine("path:3", "famine").unwrap();
    assert!(path.set_goban(goban("space:(path:3),edges")).is_err());
    assert_eq!(path.goban().spec.to_string(), "path:3");
}

#[test]
fn the_engine_plays_games_on_spaces_to_their_end() {
    for (seed, spec) in [
        "space:petersen",
        "space:(path:5),edges",
        "space:(cycle:5),pairs",
        "space:(grid:3x3),edges,pairs",
        "space:(star:4),edges",
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["topo-primitive", "topo-stone"] {
            let options = Options {
                playouts: Some(40),
                seed: seed as u64,
                memory_mib: 16,
                ..Options::default()
            };
            let mut engine = Engine::new(goban(spec), rules(name), Points::ZERO, options).unwrap();
            let (mut passes, mut turns) = (0, 0);
            while passes < 2 {
                match engine.genmove(engine.to_move()) {
                    Choice::Resign => break,
                    Choice::Move(Move::Pass) => passes += 1,
                    Choice::Move(Move::Place(_)) => passes = 0,
                }
                turns += 1;
                assert!(turns < 400, "{spec} {name}");
            }
            assert!(engine.outcome().is_ok() || passes < 2, "{spec} {name}");
        }
    }
}

/// The greatest difference that Black, to move first, can be sure of: every line of play under superko, with bounds.
fn value(
    space: &Literal,
    seen: &mut Vec<[Set; 2]>,
    player: usize,
    passed: bool,
    (mut low, high): (i32, i32),
) -> i32 {
    let now = seen[seen.len() - 1];
    let count = |c: usize| now[c].count_ones() as i32;
    let score = count(player) - count(1 - player);
    let all: Set = (1 << space.points) - 1;
    // Passing first cuts most where the mover is ahead.
    let pass = if passed {
        score
    } else {
        -value(space, seen, 1 - player, true, (-high, -low))
    };
    low = low.max(pass);
    for &placement in &space.placements {
        if low >= high {
            break;
        }
        if placement & (now[0] | now[1]) & all != 0 {
            continue;
        }
        let then = space.play(now, player, placement);
        if !seen.contains(&then) {
            seen.push(then);
            low = low.max(-value(space, seen, 1 - player, false, (-high, -low)));
            seen.pop();
        }
    }
    low
}

/// Whether the player to move wins without passes.
fn wins(space: &Literal, seen: &mut Vec<[Set; 2]>, player: usize) -> bool {
    let now = seen[seen.len() - 1];
    space.placements.iter().any(|&placement| {
        if placement & (now[0] | now[1]) != 0 {
            return false;
        }
        let then = space.play(now, player, placement);
        if seen.contains(&then) {
            return false;
        }
        seen.push(then);
        let loses = !wins(space, seen, 1 - player);
        seen.pop();
        loses
    })
}

/// A path of so many vertices with its edges, and these placements; each names vertices, and two neighbours take their edge
/// along where `edges` says so.
fn path(vertices: usize, placements: &[&[usize]], edges: bool) -> Literal {
    let points = 2 * vertices - 1;
    let opens = (0..1 << points)
        .filter(|set: &Set| {
            (0..vertices - 1).all(|e| set & 1 << (vertices + e) == 0 || (set >> e) & 3 == 3)
        })
        .collect();
    let placements = placements.iter().map(|list| {
        let ends = list.iter().fold(0, |set, v| set | 1 << v);
        let with = |e: usize| Set::from(edges && (ends >> e) & 3 == 3) << (vertices + e);
        (0..vertices - 1).fold(ends, |set, e| set | with(e))
    });
    Literal::new(points, opens, placements.collect())
}

#[test]
fn values_of_the_tiny_cases() {
    let stone = |space: &Literal| value(space, &mut vec![[0, 0]], 0, false, (-9, 9));
    let primitive = |space: &Literal| wins(space, &mut vec![[0, 0]], 0);
    let singles: &[&[usize]] = &[&[0], &[1], &[2], &[3]];
    // T1: as conway. T4: White wins. T5: Black may colour both ends in one turn.
    assert!(!primitive(&path(1, &singles[..1], false)));
    assert!(!primitive(&path(2, &singles[..2], false)));
    assert!(primitive(&path(3, &singles[..3], false)));
    assert!(primitive(&path(4, singles, false)));
    assert!(!primitive(&path(3, &[&[0, 2], &[1]], false)));
    let ends = path(3, &[&[0], &[1], &[2], &[0, 2]], false);
    assert_eq!(ends.play([0, 0], 0, 0b101), [0b101, 0]);
    // The pinned reading of 4.13.
    let far = path(4, &[&[0, 3], &[1], &[2]], false);
    assert_eq!(far.play([0b10, 0], 0, 0b1001), [0b10, 0]);
    // U1, U2, U3, U4, U5.
    assert_eq!(stone(&path(3, &singles[..3], false)), 1);
    assert_eq!(stone(&path(4, singles, false)), 2);
    assert_eq!(stone(&path(1, &singles[..1], false)), 0);
    assert_eq!(stone(&path(3, &[&[0, 1], &[1, 2]], true)), 0);
    assert_eq!(
        stone(&path(3, &[&[0], &[1], &[2], &[0, 1], &[1, 2]], true)),
        2
    );
}

#[test]
fn rulesets_are_conway_and_stones_only() {
    let strip = |name: &str| Ruleset {
        name: "",
        ..rules(name)
    };
    assert_eq!(strip("topo-primitive"), strip("conway"));
    let stones: RulesetText = "formal score=stones".parse().unwrap();
    assert_eq!(
        strip("topo-stone"),
        Ruleset {
            name: "",
            ..stones.rules
        }
    );
}

/// Without any playout behind it, the move that takes a stone is what the search expects first, or the one that saves it.
#[test]
fn the_search_expects_captures_and_rescues() {
    for (spec, points) in [
        ("space:(grid:3x3),edges", 21),
        ("space:(grid:3x3),pairs", 21),
    ] {
        let options = Options {
            playouts: Some(20),
            ..Options::default()
        };
        let mut engine =
            Engine::new(goban(spec), rules("topo-stone"), Points::ZERO, options).unwrap();
        let mut position = vec![None; points];
        // A black stone in the corner with a white one beside it.
        (position[0], position[1]) = (Some(Color::BLACK), Some(Color::WHITE));
        for color in [Color::WHITE, Color::BLACK] {
            engine.set_position(&position, Some(color));
            let candidates = engine.think(color).verdict.candidates;
            let first = candidates
                .iter()
                .max_by(|a, b| a.prior.total_cmp(&b.prior))
                .unwrap();
            let even = 1.0 / candidates.len() as f64;
            assert!(first.prior > 1.2 * even, "{spec} {color}: {first:?}");
            let Move::Place(at) = first.mv else {
                panic!("{spec}: a pass")
            };
            let covered = engine.goban().covered(at);
            assert!(
                covered.contains(&Vertex::at(3)),
                "{spec} {color}: {first:?}"
            );
        }
    }
}
