//! Go-spaces: boards whose stones cover several points, overlap, or have several pieces.
//!
//! Only the position is kept from move to move. Each placement is evaluated from scratch, because
//! correctness matters more here than speed.
//!
//! The closure of a union is the union of the closures. Closed sets have a connected union exactly
//! if their connected pieces are linked by common points. A *string*, the chain of a go-space, is a
//! largest go-connected set of stones of one color (see `docs/rules.md`). The strings of a color
//! are found by joining the points of each piece of each stone's closure. A stone whose pieces
//! remain in different sets belongs to no string and is taken out. This repeats until no such stone
//! is left.
//!
//! One evaluation costs the total size of all pieces of the stones of one color and of the legal
//! placements.

use std::sync::Arc;

use super::{BareBoard, Census, Chains, Playouts, Preview, Shapes, flood_census};
use omnigo_base::color::Color;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;
use omnigo_base::zobrist::Zobrist;
use omnigo_graph::space::Space;

/// A position on a go-space. Its points are those of the space, its vertices the placements.
#[derive(Clone, Debug)]
pub struct SpaceBoard {
    space: Arc<Space>,
    zobrist: Zobrist,
    colors: usize,
    cells: Box<[Option<Color>]>,
    /// The legal placements, in ascending order.
    vacant: Vec<Vertex>,
    hash: u64,
}

/// The position after a placement.
struct After {
    cells: Box<[Option<Color>]>,
    /// The removed points, those of other colors first.
    removed: Vec<(Vertex, Color)>,
}

impl SpaceBoard {
    /// Returns the empty board, or `None` if `colors` is 0 or above [`Color::MAX`].
    pub fn new(space: Arc<Space>, colors: usize) -> Option<SpaceBoard> {
        if !(1..=Color::MAX).contains(&colors) {
            return None;
        }
        let points = space.points();
        let mut board = SpaceBoard {
            zobrist: Zobrist::new(points, colors),
            colors,
            cells: vec![None; points].into_boxed_slice(),
            vacant: Vec::new(),
            hash: 0,
            space,
        };
        board.vacant = legal_placements(&board.space, &board.cells);
        Some(board)
    }

    /// Returns the space.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// Returns the position after `color` plays at `at`.
    fn outcome(&self, color: Color, at: Vertex) -> After {
        let mut cells = self.cells.clone();
        let mut removed = Vec::new();
        for &point in self.space.placement(at.index()) {
            cells[point.index()] = Some(color);
        }
        let mut legal = legal_placements(&self.space, &cells);
        for other in Color::all(self.colors).filter(|&other| other != color) {
            let dead = dead_points(&self.space, &cells, &legal, other);
            removed.extend(dead.into_iter().map(|point| (point, other)));
        }
        for &(point, _) in &removed {
            cells[point.index()] = None;
        }
        if !removed.is_empty() {
            legal = legal_placements(&self.space, &cells);
        }
        for point in dead_points(&self.space, &cells, &legal, color) {
            cells[point.index()] = None;
            removed.push((point, color));
        }
        After { cells, removed }
    }

    /// Returns true if every other color would lose a stone played at `at` and capture nothing
    /// there.
    fn is_closed(&self, color: Color, at: Vertex) -> bool {
        let mut others = Color::all(self.colors).filter(|&other| other != color);
        others.all(|other| {
            let After { cells, removed } = self.outcome(other, at);
            let stays = |point: &Vertex| cells[point.index()] == Some(other);
            !self.space.placement(at.index()).iter().any(stays)
                && removed.iter().all(|&(_, c)| c == other)
        })
    }

    /// Returns the hash of the position after `color` plays at `at` and the points in `removed`
    /// become empty.
    fn hash_after(&self, color: Color, at: Vertex, removed: &[(Vertex, Color)]) -> u64 {
        let placed = self.space.placement(at.index());
        let placed = placed.iter().map(|&point| self.zobrist.key(color, point));
        let removed = removed.iter().map(|&(v, c)| self.zobrist.key(c, v));
        placed
            .chain(removed)
            .fold(self.hash, |hash, key| hash ^ key)
    }
}

/// Returns the placements whose points are all empty, in ascending order.
fn legal_placements(space: &Space, cells: &[Option<Color>]) -> Vec<Vertex> {
    (0..space.placements())
        .filter(|&number| {
            let points = space.placement(number);
            points.iter().all(|point| cells[point.index()].is_none())
        })
        .map(Vertex::at)
        .collect()
}

/// Returns the points of `color` that lie in no stone whose string has a liberty.
fn dead_points(
    space: &Space,
    cells: &[Option<Color>],
    legal: &[Vertex],
    color: Color,
) -> Vec<Vertex> {
    let own = |point: &Vertex| cells[point.index()] == Some(color);
    let colored: Vec<Vertex> = (0..cells.len()).map(Vertex::at).filter(own).collect();
    if colored.is_empty() {
        return colored;
    }
    let stones: Vec<usize> = (0..space.placements())
        .filter(|&number| space.placement(number).iter().all(own))
        .collect();
    let mut links = Links::new(cells.len());
    // Stones whose pieces lie in different sets belong to no string. Without them, other stones may
    // fall apart too, so the check repeats.
    let mut whole = stones.clone();
    loop {
        links.clear();
        for &stone in &whole {
            space.pieces(stone).for_each(|piece| links.join(piece));
        }
        let before = whole.len();
        whole.retain(|&stone| {
            let mut tops = space.pieces(stone).map(|piece| links.top(piece));
            let first = tops.next().flatten();
            tops.all(|top| top == first)
        });
        if whole.len() == before {
            break;
        }
    }
    let mut free = vec![false; cells.len()];
    for at in legal {
        links.touched_by(space.pieces(at.index()), |top| free[top] = true);
    }
    let mut safe = vec![false; cells.len()];
    let mut in_string = whole.iter().copied().peekable();
    for &stone in &stones {
        let lives = if in_string.next_if_eq(&stone).is_some() {
            let top = space
                .pieces(stone)
                .next()
                .and_then(|piece| links.top(piece));
            top.is_some_and(|top| free[top])
        } else {
            // The stone is a string of its own, so one placement must touch all its pieces.
            space
                .partners(stone)
                .iter()
                .any(|at| legal.binary_search(at).is_ok())
        };
        if lives {
            for point in space.placement(stone) {
                safe[point.index()] = true;
            }
        }
    }
    colored
        .into_iter()
        .filter(|point| !safe[point.index()])
        .collect()
}

/// Disjoint sets of joined points. Some points are in no set.
struct Links {
    sets: UnionFind,
    /// True for points that are in a set.
    linked: Vec<bool>,
}

impl Links {
    fn new(points: usize) -> Links {
        Links {
            sets: UnionFind::new(points),
            linked: vec![false; points],
        }
    }

    fn clear(&mut self) {
        self.sets.reset();
        self.linked.fill(false);
    }

    /// Joins the points of a piece.
    fn join(&mut self, piece: &[Vertex]) {
        let Some(first) = piece.first() else { return };
        for point in piece {
            self.linked[point.index()] = true;
            self.sets.join(first.index(), point.index());
        }
    }

    /// Returns the representative of the set that contains a joined piece, or `None` if the piece
    /// is empty.
    fn top(&mut self, piece: &[Vertex]) -> Option<usize> {
        piece.first().map(|point| self.sets.top(point.index()))
    }

    /// Calls `visit` for the representative of each set that all these pieces meet.
    fn touched_by<'a>(
        &mut self,
        mut pieces: impl Iterator<Item = &'a [Vertex]>,
        mut visit: impl FnMut(usize),
    ) {
        let mut met = |piece: &[Vertex]| {
            let mut tops: Vec<usize> = Vec::new();
            for point in piece.iter().map(|point| point.index()) {
                if self.linked[point] {
                    let top = self.sets.top(point);
                    if !tops.contains(&top) {
                        tops.push(top);
                    }
                }
            }
            tops
        };
        let Some(first) = pieces.next() else { return };
        let mut common = met(first);
        for piece in pieces {
            let tops = met(piece);
            common.retain(|top| tops.contains(top));
        }
        common.into_iter().for_each(&mut visit);
    }
}

impl BareBoard for SpaceBoard {
    fn points(&self) -> usize {
        self.space.points()
    }

    fn placements(&self) -> usize {
        self.space.placements()
    }

    fn has_room(&self, at: Vertex) -> bool {
        self.vacant.binary_search(&at).is_ok()
    }

    fn covered(&self, at: Vertex, visit: impl FnMut(Vertex)) {
        let points = self.space.placement(at.index());
        points.iter().copied().for_each(visit);
    }

    fn has_chains(&self) -> bool {
        false
    }

    fn colors(&self) -> usize {
        self.colors
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
        let After { removed, .. } = self.outcome(color, at);
        let lost = removed.iter().filter(|&&(_, c)| c == color).count();
        Preview {
            hash: self.hash_after(color, at, &removed),
            captured: removed.len() - lost,
            lost,
            // A placement may take the last liberty of stones that it does not touch. That is
            // suicide too.
            suicide: lost > 0,
        }
    }

    fn place(&mut self, color: Color, at: Vertex, mut removed: impl FnMut(Vertex, Color)) {
        let After {
            cells,
            removed: gone,
        } = self.outcome(color, at);
        self.hash = self.hash_after(color, at, &gone);
        self.cells = cells;
        self.vacant = legal_placements(&self.space, &self.cells);
        gone.into_iter().for_each(|(point, c)| removed(point, c));
    }

    fn set_position(&mut self, position: &[Option<Color>]) {
        self.cells.copy_from_slice(position);
        self.hash = self.zobrist.hash(&self.cells);
        self.vacant = legal_placements(&self.space, &self.cells);
    }

    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.space.comparable(point).iter().copied()
    }

    /// Stones count as colored points. An empty point counts only if some placement covers it,
    /// because other points can never be played.
    fn weight(&self, point: Vertex) -> i64 {
        i64::from(self.at(point).is_some() || self.space.is_covered(point))
    }

    fn census(&self) -> Census {
        flood_census(self)
    }
}

impl Chains for SpaceBoard {}

impl Shapes for SpaceBoard {}

impl Playouts for SpaceBoard {
    /// Each placement inspects all pieces, more than once.
    fn playout_work(&self) -> usize {
        let pieces = |number| {
            self.space
                .pieces(number)
                .map(<[Vertex]>::len)
                .sum::<usize>()
        };
        let all: usize = (0..self.placements())
            .map(|number| 1 + pieces(number))
            .sum();
        self.placements().saturating_mul(all) / 2
    }

    fn playable(&self, color: Color, at: Vertex) -> bool {
        let After { cells, removed } = self.outcome(color, at);
        let stays = |point: &Vertex| cells[point.index()] == Some(color);
        let captures = || removed.iter().any(|&(_, c)| c != color);
        self.hash_after(color, at, &removed) != self.hash
            && self.space.placement(at.index()).iter().any(stays)
            && (captures() || !self.is_closed(color, at))
    }

    /// Returns true if `color` would capture nothing at `at` and no other color's stone would
    /// survive there.
    fn is_eye(&self, color: Color, at: Vertex) -> bool {
        let captures = || {
            let After { removed, .. } = self.outcome(color, at);
            removed.iter().any(|&(_, c)| c != color)
        };
        self.is_closed(color, at) && !captures()
    }
}
