//! Mango boards: the life of a stone depends on a sum of weights. The sum covers all empty points
//! that the stone reaches through its own color and empty points.
//!
//! For each color, the points that are empty or of that color form *realms*, the components of
//! their induced subgraph. All stones of a realm reach the same empty points, so they live or die
//! together. The move that kills them may be far away.
//!
//! A `Survey` finds the realms by depth-first search. It stores the lowpoints of Hopcroft and
//! Tarjan (1973), which show how a realm splits when one of its empty points is filled. So most
//! placements can be evaluated without being played.

mod survey;

use std::sync::Arc;

use super::{BareBoard, Chains, Playouts, Preview, Shapes};
use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;
use omnigo_base::zobrist::Zobrist;
use omnigo_graph::Graph;
use omnigo_graph::mango::Mango;
use survey::{Losses, Survey};

/// A position on a Mango set.
#[derive(Clone, Debug)]
pub struct MangoBoard {
    graph: Arc<Graph>,
    mango: Arc<Mango>,
    zobrist: Zobrist,
    cells: Box<[Option<Color>]>,
    vacant: Vec<Vertex>,
    /// Index of each empty point in `vacant`.
    slots: Box<[u32]>,
    hash: u64,
    /// One survey per color, up to date with the current position.
    surveys: Box<[Survey]>,
}

impl MangoBoard {
    /// Returns the empty board for `colors` colors. Returns `None` if `colors` is 0 or above
    /// [`Color::MAX`], or if the number of weights differs from the number of vertices.
    pub fn new(graph: Arc<Graph>, mango: Arc<Mango>, colors: usize) -> Option<MangoBoard> {
        let points = graph.vertices();
        if !(1..=Color::MAX).contains(&colors) || mango.weights().len() != points {
            return None;
        }
        let mut board = MangoBoard {
            zobrist: Zobrist::new(points, colors),
            cells: vec![None; points].into_boxed_slice(),
            vacant: Vec::new(),
            slots: vec![0; points].into_boxed_slice(),
            hash: 0,
            surveys: (0..colors).map(|_| Survey::new(points)).collect(),
            graph,
            mango,
        };
        board.set_position(&vec![None; points]);
        Some(board)
    }

    fn survey(&mut self, color: Color) {
        let (graph, mango) = (&self.graph, &self.mango);
        self.surveys[color.index()].update(color, &self.cells, &self.zobrist, graph, mango);
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

    /// Removes all dead stones of the colors that `wanted` selects. These colors must have
    /// up-to-date surveys. Returns true if any stone was removed.
    fn clear(
        &mut self,
        wanted: impl Fn(Color) -> bool,
        removed: &mut impl FnMut(Vertex, Color),
    ) -> bool {
        let dead_stones: Vec<(Vertex, Color)> = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(i, cell)| {
                cell.filter(|&color| wanted(color))
                    .map(|color| (Vertex::at(i), color))
            })
            .filter(|&(at, color)| self.surveys[color.index()].is_dead(at, &self.mango))
            .collect();
        for &(at, color) in &dead_stones {
            self.cells[at.index()] = None;
            self.slots[at.index()] = self.vacant.len() as u32;
            self.vacant.push(at);
            self.hash ^= self.zobrist.key(color, at);
            removed(at, color);
        }
        !dead_stones.is_empty()
    }

    /// Returns the connected stones of one color around a stone. Empty if the point is empty.
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

impl BareBoard for MangoBoard {
    fn points(&self) -> usize {
        self.cells.len()
    }

    fn weight(&self, point: Vertex) -> i64 {
        self.mango.weights()[point.index()]
    }

    fn unit(&self) -> Points {
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
        let key = self.zobrist.key(color, at);
        let mut preview = Preview {
            hash: self.hash ^ key,
            captured: 0,
            lost: 0,
            suicide: false,
        };
        let mut others = Color::all(self.colors()).filter(|&other| other != color);
        let survive = others
            .all(|other| self.surveys[other.index()].lives_without(at, &self.graph, &self.mango));
        let losses = self.surveys[color.index()].losses(at, &self.mango);
        match losses {
            Losses::None if survive => {}
            Losses::Realm(realm) if survive => {
                preview.hash ^= key ^ realm.hash;
                preview.lost = realm.stones as usize + 1;
                preview.suicide = true;
            }
            Losses::None | Losses::Realm(_) | Losses::Elsewhere => {
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
        // Repeat the surveys that were made before stones were removed.
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
}

impl Chains for MangoBoard {
    fn chain_size(&self, point: Vertex) -> usize {
        self.chain_of(point).len()
    }

    fn chain(&self, point: Vertex) -> Vertex {
        self.chain_of(point).into_iter().min().unwrap_or(point)
    }

    fn for_chain(&self, point: Vertex, visit: impl FnMut(Vertex)) {
        self.chain_of(point).into_iter().for_each(visit);
    }

    fn liberties(&self, point: Vertex, limit: usize, found: &mut [Vertex; 8]) -> usize {
        let limit = limit.min(found.len());
        let mut count = 0;
        for stone in self.chain_of(point) {
            for near in self.around(stone) {
                if count < limit && self.at(near).is_none() && !found[..count].contains(&near) {
                    found[count] = near;
                    count += 1;
                }
            }
        }
        count
    }
}

impl Shapes for MangoBoard {}

impl Playouts for MangoBoard {
    /// Each placement visits the whole board.
    fn playout_work(&self) -> usize {
        let points = self.points();
        points.saturating_mul(points + 2 * self.graph.edges())
    }

    /// Filling a point that the player already encloses can only reduce the sum on which the
    /// player's stones live.
    fn playable(&self, color: Color, at: Vertex) -> bool {
        !self.is_eye(color, at) && !self.preview(color, at).suicide
    }

    /// Returns true if all neighbors are own stones. Also returns true if no other color's stone
    /// would live there and `color` would capture nothing. In both cases the weight of the point
    /// counts for the owner.
    fn is_eye(&self, color: Color, at: Vertex) -> bool {
        let around = self.graph.neighbors(at);
        let ringed = !around.is_empty() && around.iter().all(|&near| self.at(near) == Some(color));
        let mut others = Color::all(self.colors()).filter(|&other| other != color);
        let closed = |other| {
            let theirs = self.preview(other, at);
            theirs.suicide && theirs.captured == 0
        };
        ringed || (others.all(closed) && self.preview(color, at).captured == 0)
    }
}
