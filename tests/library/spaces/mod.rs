//! Go-spaces, compared with the definitions of Topological Go. The definitions are implemented
//! literally on spaces of a few points. Closures and connectedness use the list of all open sets.
//! Strings use all sets of stones.

mod definitions;
mod graphs;
use crate::naive;
mod play;

use std::sync::Arc;

use crate::naive::random::Random;
use crate::naive::{color, text};
use omnigo::board::flood_census;
use omnigo::board::graph::{Adjacency, GraphBoard};
use omnigo::board::space::SpaceBoard;
use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options};
use omnigo::game::Game;
use omnigo::graph::goban::Goban;
use omnigo::graph::space::{Space, Topology};
use omnigo::rules::{Points, Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};

/// A set of points, one bit each.
type Set = u32;

/// A go-space by the definitions: every open set, and the placements.
struct Literal {
    points: usize,
    opens: Vec<Set>,
    placements: Vec<Set>,
    /// For every set: whether it is connected, and its closure.
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
            // A set is connected if no proper non-empty part is both open and closed in the induced
            // topology.
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

    /// Definition 3: the stones of a color.
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

    /// Definition 8: the points to clear. A stone that is in no go-connected set is judged by
    /// itself.
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

    /// Definition 9, with the colors black and white as sets.
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

/// Returns a random space of at most six points, given by a random kind of topology, and its
/// literal version.
fn random_space(random: &mut Random) -> (Space, Literal) {
    let points = 1 + random.below(6);
    let all: Set = (1 << points) - 1;
    let mut min_open: Vec<Set> = (0..points).map(|x| 1 << x).collect();
    let percent = [10, 20, 35, 60][random.below(4)];
    for (x, around) in min_open.iter_mut().enumerate() {
        for y in 0..points {
            if x != y && random.percent(percent) {
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
    let topology = match random.below(5) {
        0 => Topology::MinOpen(lists(&min_open)),
        1 => Topology::Base(lists(&min_open)),
        2 => Topology::Subbase(lists(&opens)),
        3 => Topology::Order(pairs),
        _ => Topology::Opens(lists(&opens)),
    };
    let mut placements: Vec<Set> = opens.iter().copied().filter(|&open| open != 0).collect();
    while placements.len() > 7 || (placements.len() > 1 && random.percent(25)) {
        placements.remove(random.below(placements.len()));
    }
    let space = Space::new(points, &topology, &lists(&placements)).unwrap();
    (space, Literal::new(points, opens, placements))
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

/// Returns the literal board of a goban.
fn literal_board(goban: &Goban) -> SpaceBoard {
    SpaceBoard::new(Arc::clone(goban.space().unwrap()), 2).unwrap()
}

fn rules(name: &str) -> Ruleset {
    presets::find(name).unwrap().rules.clone()
}
