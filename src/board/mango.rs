//! Mango boards: a stone lives by the sum of the weights of all empty points that it reaches through its own color and
//! empty points.
//!
//! For each color the points that are empty or of that color fall into *realms*, the components that they induce. All
//! stones of a realm reach the same empty points and so live or die together, far from the move that kills them as well.
//! A [`Survey`] finds the realms by depth-first search and keeps what it takes to tell how a realm falls apart when one of
//! its empty points is taken (the lowpoints of Hopcroft and Tarjan 1973): most placements can then be judged without being
//! played.

use std::sync::Arc;

use super::{Board, Preview};
use crate::color::Color;
use crate::graph::Graph;
use crate::graph::mango::Mango;
use crate::vertex::Vertex;
use crate::zobrist::Zobrist;

/// No realm, no parent, not yet reached.
const NONE: u32 = u32::MAX;

/// Weight of the empty points, and number of stones, of a realm or of a piece of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    /// Sum of the weights of the empty points, in units.
    sum: i64,
    stones: u32,
}

impl Share {
    fn add(&mut self, other: Share) {
        self.sum += other.sum;
        self.stones += other.stones;
    }

    fn less(self, other: Share) -> Share {
        Share {
            sum: self.sum - other.sum,
            stones: self.stones - other.stones,
        }
    }

    /// Whether no stone in it is dead.
    fn lives(self, mango: &Mango) -> bool {
        self.stones == 0 || mango.gives_life(self.sum)
    }
}

/// The realms of one color in a position.
#[derive(Clone, Debug)]
struct Survey {
    realms: Vec<Share>,
    /// Realms with dead stones.
    dead: usize,
    /// The realm of each point.
    realm: Box<[u32]>,
    /// When the search reached each point.
    order: Box<[u32]>,
    /// From where.
    parent: Box<[u32]>,
    /// The earliest point that an edge from the subtree of each point leads to.
    low: Box<[u32]>,
    /// What the subtree of each point holds.
    below: Box<[Share]>,
    /// The points in the order in which they were reached, kept to save allocations.
    walk: Vec<Vertex>,
    /// The next neighbour to look at from each point.
    next: Box<[u32]>,
}

impl Survey {
    fn new(points: usize) -> Survey {
        let none = || vec![NONE; points].into_boxed_slice();
        Survey {
            realms: Vec::new(),
            dead: 0,
            realm: none(),
            order: none(),
            parent: none(),
            low: none(),
            below: vec![Share::default(); points].into_boxed_slice(),
            walk: Vec::with_capacity(points),
            next: none(),
        }
    }

    /// Finds the realms of `color`.
    fn take(&mut self, color: Color, cells: &[Option<Color>], graph: &Graph, mango: &Mango) {
        let open = |v: Vertex| cells[v.index()].is_none_or(|stone| stone == color);
        self.realms.clear();
        self.walk.clear();
        self.order.fill(NONE);
        self.parent.fill(NONE);
        self.realm.fill(NONE);
        for root in graph.all() {
            if !open(root) || self.order[root.index()] != NONE {
                continue;
            }
            let number = self.realms.len() as u32;
            let from = self.walk.len();
            self.reach(root);
            let mut at = root.index();
            loop {
                let neighbors = graph.neighbors(Vertex::at(at));
                if let Some(&near) = neighbors.get(self.next[at] as usize) {
                    self.next[at] += 1;
                    if open(near) && self.order[near.index()] == NONE {
                        self.reach(near);
                        self.parent[near.index()] = at as u32;
                        at = near.index();
                    }
                } else if self.parent[at] != NONE {
                    at = self.parent[at] as usize;
                } else {
                    break;
                }
            }
            let mut whole = Share::default();
            for place in (from..self.walk.len()).rev() {
                let v = self.walk[place];
                let share = match cells[v.index()] {
                    Some(_) => Share { sum: 0, stones: 1 },
                    None => Share {
                        sum: mango.weights()[v.index()],
                        stones: 0,
                    },
                };
                whole.add(share);
                self.realm[v.index()] = number;
                self.sum_up(v, share, graph, open);
            }
            self.realms.push(whole);
        }
        self.dead = self.realms.iter().filter(|r| !r.lives(mango)).count();
    }

    fn reach(&mut self, v: Vertex) {
        let i = v.index();
        self.order[i] = self.walk.len() as u32;
        self.next[i] = 0;
        self.walk.push(v);
    }

    /// Finishes a point whose subtree is finished.
    fn sum_up(&mut self, v: Vertex, own: Share, graph: &Graph, open: impl Fn(Vertex) -> bool) {
        let i = v.index();
        let mut below = own;
        let mut low = self.order[i];
        for &near in graph.neighbors(v).iter().filter(|&&near| open(near)) {
            let j = near.index();
            if self.parent[j] == i as u32 {
                below.add(self.below[j]);
                low = low.min(self.low[j]);
            } else if self.parent[i] != j as u32 {
                low = low.min(self.order[j]);
            }
        }
        self.below[i] = below;
        self.low[i] = low;
    }

    /// Whether every stone still lives when a stone of this color has been put on the empty point `at`.
    fn lives_with(&self, at: Vertex, mango: &Mango) -> bool {
        let realm = self.realms[self.realm[at.index()] as usize];
        let others = self.dead - usize::from(!realm.lives(mango));
        others == 0 && mango.gives_life(realm.sum - mango.weights()[at.index()])
    }

    /// Whether every stone still lives when a stone of another color has been put on the empty point `at`.
    fn lives_without(&self, at: Vertex, graph: &Graph, mango: &Mango) -> bool {
        let i = at.index();
        let realm = self.realms[self.realm[i] as usize];
        if self.dead > usize::from(!realm.lives(mango)) {
            return false;
        }
        let mut rest = Share {
            sum: realm.sum - mango.weights()[i],
            ..realm
        };
        for near in graph.neighbors(at) {
            let j = near.index();
            if self.parent[j] == i as u32 && self.low[j] >= self.order[i] {
                // This subtree hung on the point alone.
                if !self.below[j].lives(mango) {
                    return false;
                }
                rest = rest.less(self.below[j]);
            }
        }
        rest.lives(mango)
    }
}

/// A position on a Mango set.
#[derive(Clone, Debug)]
pub struct MangoBoard {
    graph: Arc<Graph>,
    mango: Arc<Mango>,
    zobrist: Zobrist,
    cells: Box<[Option<Color>]>,
    vacant: Vec<Vertex>,
    /// Where each empty point stands in `vacant`.
    slots: Box<[u32]>,
    hash: u64,
    /// One for each color, of the present position.
    surveys: Box<[Survey]>,
}

impl MangoBoard {
    /// The empty board for `colors` colors, or `None` where there are no or too many, or where the weights are not those
    /// of the graph's vertices.
    pub fn new(graph: Arc<Graph>, mango: Arc<Mango>, colors: usize) -> Option<MangoBoard> {
        let points = graph.vertices();
        if !(1..=Color::MAX).contains(&colors) || mango.weights().len() != points {
            return None;
        }
        let mut board = MangoBoard {
            zobrist: Zobrist::new(points, colors),
            cells: vec![None; points].into_boxed_slice(),
            vacant: Vec::new(),
            slots: vec![NONE; points].into_boxed_slice(),
            hash: 0,
            surveys: (0..colors).map(|_| Survey::new(points)).collect(),
            graph,
            mango,
        };
        board.set_position(&vec![None; points]);
        Some(board)
    }

    fn survey(&mut self, color: Color) {
        self.surveys[color.index()].take(color, &self.cells, &self.graph, &self.mango);
    }

    fn put(&mut self, color: Color, at: Vertex) {
        let slot = self.slots[at.index()] as usize;
        self.vacant.swap_remove(slot);
        if let Some(moved) = self.vacant.get(slot) {
            self.slots[moved.index()] = slot as u32;
        }
        self.cells[at.index()] = Some(color);
        self.hash ^= self.zobrist.key(color, at);
    }

    /// Takes off all dead stones of the colors that `wanted` picks, which have been surveyed; whether there were any.
    fn clear(
        &mut self,
        wanted: impl Fn(Color) -> bool,
        removed: &mut impl FnMut(Vertex, Color),
    ) -> bool {
        let dead = |survey: &Survey, at: usize| {
            let realm = survey.realms.get(survey.realm[at] as usize);
            realm.is_some_and(|realm| !realm.lives(&self.mango))
        };
        let doomed: Vec<(Vertex, Color)> = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(i, cell)| cell.filter(|&color| wanted(color)).map(|color| (i, color)))
            .filter(|&(i, color)| dead(&self.surveys[color.index()], i))
            .map(|(i, color)| (Vertex::at(i), color))
            .collect();
        for &(at, color) in &doomed {
            self.cells[at.index()] = None;
            self.slots[at.index()] = self.vacant.len() as u32;
            self.vacant.push(at);
            self.hash ^= self.zobrist.key(color, at);
            removed(at, color);
        }
        !doomed.is_empty()
    }

    /// The connected stones of one color around a stone; none around an empty point.
    fn chain_of(&self, point: Vertex) -> Vec<Vertex> {
        let Some(color) = self.at(point) else {
            return Vec::new();
        };
        let mut seen = vec![false; self.points()];
        let mut chain = vec![point];
        seen[point.index()] = true;
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            next += 1;
            for &near in self.graph.neighbors(stone) {
                if self.at(near) == Some(color) && !std::mem::replace(&mut seen[near.index()], true)
                {
                    chain.push(near);
                }
            }
        }
        chain
    }
}

impl Board for MangoBoard {
    fn points(&self) -> usize {
        self.cells.len()
    }

    fn weight(&self, point: Vertex) -> i64 {
        self.mango.weights()[point.index()]
    }

    fn unit(&self) -> crate::points::Points {
        self.mango.unit()
    }

    fn has_chains(&self) -> bool {
        false
    }

    fn colors(&self) -> usize {
        self.surveys.len()
    }

    fn at(&self, point: Vertex) -> Option<Color> {
        self.cells[point.index()]
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn vacant(&self) -> &[Vertex] {
        &self.vacant
    }

    fn preview(&self, color: Color, at: Vertex) -> Preview {
        let all_live = self.surveys.iter().enumerate().all(|(i, survey)| {
            if i == color.index() {
                survey.lives_with(at, &self.mango)
            } else {
                survey.lives_without(at, &self.graph, &self.mango)
            }
        });
        let mut preview = Preview {
            hash: self.hash ^ self.zobrist.key(color, at),
            captured: 0,
            lost: 0,
            suicide: false,
        };
        if !all_live {
            let mut board = self.clone();
            board.place(color, at, |_, removed| {
                if removed == color {
                    preview.lost += 1;
                } else {
                    preview.captured += 1;
                }
            });
            preview.hash = board.hash;
            preview.suicide = board.at(at).is_none();
        }
        preview
    }

    fn place(&mut self, color: Color, at: Vertex, mut removed: impl FnMut(Vertex, Color)) {
        assert!(
            self.at(at).is_none() && color.index() < self.colors(),
            "{color} on occupied {at:?}"
        );
        self.put(color, at);
        let colors = self.colors();
        for other in Color::all(colors).filter(|&other| other != color) {
            self.survey(other);
        }
        let captured = self.clear(|stone| stone != color, &mut removed);
        self.survey(color);
        let lost = self.clear(|stone| stone == color, &mut removed);
        // A survey is of no use once stones have gone that it did not see go.
        for seen in Color::all(colors) {
            if lost || (captured && seen != color) {
                self.survey(seen);
            }
        }
    }

    fn set_position(&mut self, position: &[Option<Color>]) {
        let points = self.points();
        assert!(
            position.len() == points,
            "{} characters for {points} points",
            position.len()
        );
        self.cells.copy_from_slice(position);
        self.hash = self.zobrist.hash(position);
        self.vacant.clear();
        for (i, cell) in position.iter().enumerate() {
            if cell.is_none() {
                self.slots[i] = self.vacant.len() as u32;
                self.vacant.push(Vertex::at(i));
            }
        }
        for color in Color::all(self.colors()) {
            self.survey(color);
        }
    }

    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.graph.neighbors(point).iter().copied()
    }

    /// Enclosing a point gives it to its owner already: filling it can only take away from the sum that lives on it.
    fn playable(&self, color: Color, at: Vertex) -> bool {
        !self.is_eye(color, at) && !self.preview(color, at).suicide
    }

    fn is_eye(&self, color: Color, at: Vertex) -> bool {
        let around = self.graph.neighbors(at);
        !around.is_empty() && around.iter().all(|&near| self.at(near) == Some(color))
    }

    fn ko_point(&self) -> Option<Vertex> {
        None
    }

    fn sole_liberty(&self, _point: Vertex) -> Option<Vertex> {
        None
    }

    fn chain_size(&self, point: Vertex) -> usize {
        self.chain_of(point).len()
    }

    fn chain(&self, point: Vertex) -> Vertex {
        self.chain_of(point).into_iter().min().unwrap_or(point)
    }

    fn for_chain(&self, point: Vertex, visit: impl FnMut(Vertex)) {
        self.chain_of(point).into_iter().for_each(visit);
    }

    fn liberties(&self, point: Vertex, most: usize, found: &mut [Vertex; 8]) -> usize {
        let most = most.min(found.len());
        let mut count = 0;
        for stone in self.chain_of(point) {
            for near in self.around(stone) {
                if count < most && self.at(near).is_none() && !found[..count].contains(&near) {
                    found[count] = near;
                    count += 1;
                }
            }
        }
        count
    }
}
