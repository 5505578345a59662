//! Chains kept move by move: the engine room of both paths.
//!
//! Each chain knows its pseudo-liberties, pairs of a stone and an empty point beside it: how many, the sum of their points'
//! numbers and the sum of the squares. No pair is left exactly when the chain has no liberty, and all pairs name the same
//! point exactly when `count · squares = sum²` (the variance is 0), which is how atari shows without listing liberties
//! (after libEGo's pseudo-liberties and an idea on the computer-go list, 2007). A placement costs its degree plus the
//! degrees of the stones it removes; chains are joined by relabelling the smaller one.

use std::sync::Arc;

use super::{Board, Census, Preview};
use crate::color::Color;
use crate::vertex::Vertex;
use crate::zobrist::Zobrist;

/// What a cell holds: the index of a colour, or one of these two.
const EMPTY: u8 = 8;
/// The marker that stands for neighbours beyond the edge.
const EDGE: u8 = 9;

/// The shape under a [`ChainBoard`]: who neighbours whom, and what is faster because of it.
pub trait Topology: Sized + Send + Sync + 'static {
    /// What the board keeps beside its chains.
    type Mirror: Mirror;

    /// Number of points.
    fn vertices(&self) -> usize;

    /// The neighbours of a point; `vertices()` may stand for neighbours that are not there.
    fn cells_around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_;

    /// Number of neighbours of a point.
    fn degree(&self, point: Vertex) -> usize;

    /// Whether `at`, all of whose neighbours are stones of `color`, is an eye.
    fn eye_shape(board: &ChainBoard<Self>, color: Color, at: Vertex) -> bool;

    /// The most colours that such a board tells apart.
    fn max_colors(&self) -> usize;

    /// The census, by whatever way is fastest here.
    fn census(board: &ChainBoard<Self>) -> Census;
}

/// Something that follows the stones beside the chains.
pub trait Mirror: Clone + Default + Send + Sync + 'static {
    /// A stone was put on a point.
    fn put(&mut self, color: Color, at: Vertex);
    /// A stone left a point.
    fn lift(&mut self, color: Color, at: Vertex);
}

/// The pseudo-liberties of a chain, and its size. Kept at the chain's head.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    /// Pairs of a stone and a liberty beside it.
    pairs: u32,
    /// Stones.
    size: u32,
    /// Sum of the liberties' indices over the pairs.
    sum: u64,
    /// Sum of the squares of the liberties' indices over the pairs.
    squares: u64,
}

impl Chain {
    #[inline(always)]
    fn gain(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pairs += 1;
        self.sum += index;
        self.squares += index * index;
    }

    #[inline(always)]
    fn lose(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pairs -= 1;
        self.sum -= index;
        self.squares -= index * index;
    }

    /// Whether `liberty`, which is one, is the only one.
    #[inline(always)]
    fn hangs_on(&self, liberty: Vertex) -> bool {
        let (pairs, index) = (u64::from(self.pairs), liberty.index() as u64);
        self.sum == pairs * index && self.squares == pairs * index * index
    }

    /// Whether there is exactly one liberty.
    #[inline(always)]
    fn in_atari(&self) -> bool {
        let (sum, pairs) = (u128::from(self.sum), u128::from(self.pairs));
        self.pairs != 0 && pairs * u128::from(self.squares) == sum * sum
    }
}

/// A position whose groups are chains of adjacent stones.
#[derive(Debug)]
pub struct ChainBoard<T: Topology> {
    topology: Arc<T>,
    zobrist: Zobrist,
    colors: usize,
    /// Content of each cell; the last one is the edge.
    cells: Box<[u8]>,
    /// Head of the chain of each stone.
    heads: Box<[Vertex]>,
    /// Next stone of the same chain, in a circle.
    links: Box<[Vertex]>,
    /// Chain data, valid at heads.
    chains: Box<[Chain]>,
    /// Empty neighbours of each cell.
    airs: Box<[u16]>,
    /// The empty points, in no order.
    vacant: Vec<Vertex>,
    /// Where each empty point stands in `vacant`.
    slots: Box<[u16]>,
    mirror: T::Mirror,
    hash: u64,
    ko: Vertex,
    /// Whether some group may be without liberty: only in positions from outside.
    unsettled: bool,
    /// Heads of chains to remove, kept to save allocations.
    doomed: Vec<Vertex>,
}

impl<T: Topology> Clone for ChainBoard<T> {
    fn clone(&self) -> Self {
        ChainBoard {
            topology: Arc::clone(&self.topology),
            zobrist: self.zobrist.clone(),
            colors: self.colors,
            cells: self.cells.clone(),
            heads: self.heads.clone(),
            links: self.links.clone(),
            chains: self.chains.clone(),
            airs: self.airs.clone(),
            vacant: self.vacant.clone(),
            slots: self.slots.clone(),
            mirror: self.mirror.clone(),
            hash: self.hash,
            ko: self.ko,
            unsettled: self.unsettled,
            doomed: Vec::new(),
        }
    }

    /// Copies without allocating where the sizes agree: playouts start with this.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.topology, &source.topology) {
            self.topology = Arc::clone(&source.topology);
            self.zobrist = source.zobrist.clone();
        }
        self.colors = source.colors;
        self.cells.clone_from(&source.cells);
        self.heads.clone_from(&source.heads);
        self.links.clone_from(&source.links);
        self.chains.clone_from(&source.chains);
        self.airs.clone_from(&source.airs);
        self.vacant.clone_from(&source.vacant);
        self.slots.clone_from(&source.slots);
        self.mirror.clone_from(&source.mirror);
        self.hash = source.hash;
        self.ko = source.ko;
        self.unsettled = source.unsettled;
    }
}

impl<T: Topology> ChainBoard<T> {
    /// The empty board of this shape for `colors` colours, or `None` where the shape tells fewer apart.
    pub fn new(topology: T, colors: usize) -> Option<ChainBoard<T>> {
        let zobrist = Zobrist::new(topology.vertices(), colors);
        Self::with_keys(topology, colors, zobrist)
    }

    /// As [`ChainBoard::new`], with keys of one's own: tests make them collide.
    pub fn with_keys(topology: T, colors: usize, zobrist: Zobrist) -> Option<ChainBoard<T>> {
        if !(1..=topology.max_colors()).contains(&colors) {
            return None;
        }
        let points = topology.vertices();
        assert!(points <= Vertex::LIMIT, "{points} points");
        let mut cells = vec![EMPTY; points + 1].into_boxed_slice();
        cells[points] = EDGE;
        let mut airs = vec![0u16; points + 1].into_boxed_slice();
        for (i, air) in airs.iter_mut().enumerate().take(points) {
            *air = topology
                .cells_around(Vertex::at(i))
                .filter(|u| u.index() < points)
                .count() as u16;
        }
        let mut board = ChainBoard {
            topology: Arc::new(topology),
            zobrist,
            colors,
            cells,
            heads: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            links: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            chains: vec![Chain::default(); points + 1].into_boxed_slice(),
            airs,
            vacant: (0..points).map(Vertex::at).collect(),
            slots: (0..points as u32 + 1).map(|i| i as u16).collect(),
            mirror: T::Mirror::default(),
            hash: 0,
            ko: Vertex::NONE,
            unsettled: false,
            doomed: Vec::new(),
        };
        board.vacant.shrink_to_fit();
        Some(board)
    }

    /// The shape.
    pub fn topology(&self) -> &T {
        &self.topology
    }

    /// What follows the stones beside the chains.
    pub(super) fn mirror(&self) -> &T::Mirror {
        &self.mirror
    }

    /// Whether the cell holds a stone of `color`; the edge is nobody's.
    #[inline(always)]
    pub(super) fn holds(&self, cell: Vertex, color: Color) -> bool {
        self.cells[cell.index()] == color.index() as u8
    }

    /// Whether the cell holds a stone of another colour.
    #[inline(always)]
    pub(super) fn holds_other(&self, cell: Vertex, color: Color) -> bool {
        let content = self.cells[cell.index()];
        content < EMPTY && content != color.index() as u8
    }

    /// Whether the cell is beyond the edge.
    #[inline(always)]
    pub(super) fn is_edge(&self, cell: Vertex) -> bool {
        self.cells[cell.index()] == EDGE
    }

    /// The head of the chain of a stone.
    #[inline(always)]
    pub(super) fn head(&self, stone: Vertex) -> Vertex {
        self.heads[stone.index()]
    }

    /// The census when every empty point has only stones around it, as at the end of a playout.
    pub(super) fn point_census(&self) -> Option<Census> {
        let mut census = Census::default();
        for &point in &self.vacant {
            if self.airs[point.index()] != 0 {
                return None;
            }
            let mut touched = 0u16;
            for u in self.topology.cells_around(point) {
                touched |= 1 << self.cells[u.index()];
            }
            touched &= (1 << EMPTY) - 1;
            match touched.count_ones() {
                0 => census.untouched += 1,
                1 => census.enclosed[touched.trailing_zeros() as usize] += 1,
                _ => {}
            }
        }
        let mut contents = [0i64; 16];
        for &cell in &self.cells {
            contents[(cell & 15) as usize] += 1;
        }
        census.stones.copy_from_slice(&contents[..Color::MAX]);
        Some(census)
    }

    #[inline(always)]
    fn content(&self, cell: Vertex) -> Option<Color> {
        let content = self.cells[cell.index()];
        if content < EMPTY {
            Color::from_index(content as usize)
        } else {
            None
        }
    }

    /// Puts a stone on an empty point and joins it to its chain. Captures are the caller's.
    #[inline(always)]
    fn put(&mut self, color: Color, at: Vertex) -> bool {
        let i = at.index();
        let own = color.index() as u8;
        let slot = self.slots[i] as usize;
        self.vacant.swap_remove(slot);
        if let Some(&moved) = self.vacant.get(slot) {
            self.slots[moved.index()] = slot as u16;
        }
        self.cells[i] = own;
        self.hash ^= self.zobrist.key(color, at);
        self.mirror.put(color, at);

        let mut chain = Chain {
            size: 1,
            ..Chain::default()
        };
        let mut friends = false;
        let mut doomed = false;
        for u in self.topology.cells_around(at) {
            let j = u.index();
            let content = self.cells[j];
            self.airs[j] = self.airs[j].wrapping_sub(1);
            if content == EMPTY {
                chain.gain(u);
            } else if content < EMPTY {
                let other = &mut self.chains[self.heads[j].index()];
                other.lose(at);
                friends |= content == own;
                doomed |= content != own && other.pairs == 0;
            }
        }
        self.heads[i] = at;
        self.links[i] = at;
        self.chains[i] = chain;
        if friends {
            self.join(own, at);
        }
        doomed
    }

    /// Joins the stone just put to the chains of its colour around it.
    fn join(&mut self, own: u8, at: Vertex) {
        for u in self.topology.cells_around(at) {
            if self.cells[u.index()] != own {
                continue;
            }
            let (mut kept, mut lost) = (self.heads[u.index()], self.heads[at.index()]);
            if kept == lost {
                continue;
            }
            if self.chains[kept.index()].size < self.chains[lost.index()].size {
                (kept, lost) = (lost, kept);
            }
            let gone = self.chains[lost.index()];
            let chain = &mut self.chains[kept.index()];
            chain.pairs += gone.pairs;
            chain.size += gone.size;
            chain.sum += gone.sum;
            chain.squares += gone.squares;
            let mut stone = lost;
            loop {
                self.heads[stone.index()] = kept;
                stone = self.links[stone.index()];
                if stone == lost {
                    break;
                }
            }
            self.links.swap(kept.index(), lost.index());
        }
    }

    /// Takes a chain off the board.
    fn lift(&mut self, head: Vertex, removed: &mut impl FnMut(Vertex, Color)) {
        let Some(color) = self.content(head) else {
            return;
        };
        let mut stone = head;
        loop {
            let i = stone.index();
            self.cells[i] = EMPTY;
            self.slots[i] = self.vacant.len() as u16;
            self.vacant.push(stone);
            self.hash ^= self.zobrist.key(color, stone);
            self.mirror.lift(color, stone);
            for u in self.topology.cells_around(stone) {
                let j = u.index();
                self.airs[j] = self.airs[j].wrapping_add(1);
                if self.cells[j] < EMPTY {
                    // The chain's own stones gain too: nobody reads them again.
                    self.chains[self.heads[j].index()].gain(stone);
                }
            }
            removed(stone, color);
            stone = self.links[i];
            if stone == head {
                break;
            }
        }
    }

    /// Removes the chains of other colours next to `at` that have no liberty; judged before anything is removed.
    fn capture(&mut self, color: Color, at: Vertex, removed: &mut impl FnMut(Vertex, Color)) {
        let mut doomed = std::mem::take(&mut self.doomed);
        doomed.clear();
        for u in self.topology.cells_around(at) {
            if self.holds_other(u, color) && self.chains[self.heads[u.index()].index()].pairs == 0 {
                doomed.push(self.heads[u.index()]);
            }
        }
        if doomed.len() > 1 {
            doomed.sort_unstable();
            doomed.dedup();
        }
        for &head in &doomed {
            self.lift(head, removed);
        }
        self.doomed = doomed;
    }

    /// Clears every chain without liberty whose colour is, or is not, `color`; judged before anything is removed.
    fn clear_all(&mut self, color: Color, own: bool, removed: &mut impl FnMut(Vertex, Color)) {
        let mut doomed = std::mem::take(&mut self.doomed);
        doomed.clear();
        for i in 0..self.points() {
            let point = Vertex::at(i);
            if let Some(found) = self.content(point)
                && (found == color) == own
                && self.heads[i] == point
                && self.chains[i].pairs == 0
            {
                doomed.push(point);
            }
        }
        for &head in &doomed {
            self.lift(head, removed);
        }
        self.doomed = doomed;
    }

    /// What the stones' keys of a chain amount to.
    fn chain_hash(&self, head: Vertex, color: Color) -> u64 {
        let mut hash = 0;
        let mut stone = head;
        loop {
            hash ^= self.zobrist.key(color, stone);
            stone = self.links[stone.index()];
            if stone == head {
                return hash;
            }
        }
    }

    /// The heads of the chains around `at` that `wanted` picks, each once.
    fn heads_around(&self, at: Vertex, wanted: impl Fn(&Self, Vertex) -> bool) -> Vec<Vertex> {
        let mut heads: Vec<Vertex> = self
            .topology
            .cells_around(at)
            .filter(|&u| self.cells[u.index()] < EMPTY && wanted(self, u))
            .map(|u| self.heads[u.index()])
            .collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Whether the chain of the stone on `stone` has no liberty but `at`.
    #[inline(always)]
    fn hangs(&self, stone: Vertex, at: Vertex) -> bool {
        self.chains[self.heads[stone.index()].index()].hangs_on(at)
    }
}

impl<T: Topology> Board for ChainBoard<T> {
    fn points(&self) -> usize {
        self.cells.len() - 1
    }

    fn colors(&self) -> usize {
        self.colors
    }

    #[inline]
    fn at(&self, point: Vertex) -> Option<Color> {
        self.content(point)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    fn vacant(&self) -> &[Vertex] {
        &self.vacant
    }

    fn preview(&self, color: Color, at: Vertex) -> Preview {
        let mut preview = Preview {
            hash: self.hash ^ self.zobrist.key(color, at),
            captured: 0,
            lost: 0,
            suicide: false,
        };
        if self.unsettled {
            let mut board = self.clone();
            board.place(color, at, |_, removed| {
                if removed == color {
                    preview.lost += 1
                } else {
                    preview.captured += 1
                }
            });
            preview.hash = board.hash;
            preview.suicide = board.at(at).is_none();
            return preview;
        }
        let mut lives = self.airs[at.index()] != 0;
        let mut captures = false;
        for u in self.topology.cells_around(at) {
            if self.holds(u, color) {
                lives |= !self.hangs(u, at);
            } else if self.holds_other(u, color) {
                captures |= self.hangs(u, at);
            }
        }
        if captures {
            for head in self.heads_around(at, |b, u| b.holds_other(u, color) && b.hangs(u, at)) {
                if let Some(other) = self.content(head) {
                    preview.captured += self.chains[head.index()].size as usize;
                    preview.hash ^= self.chain_hash(head, other);
                }
            }
        } else if !lives {
            preview.hash = self.hash;
            preview.lost = 1;
            preview.suicide = true;
            for head in self.heads_around(at, |b, u| b.holds(u, color)) {
                preview.lost += self.chains[head.index()].size as usize;
                preview.hash ^= self.chain_hash(head, color);
            }
        }
        preview
    }

    #[inline]
    fn place(&mut self, color: Color, at: Vertex, mut removed: impl FnMut(Vertex, Color)) {
        assert!(
            self.cells[at.index()] == EMPTY && color.index() < self.colors,
            "{color} on occupied {at:?}"
        );
        let doomed = self.put(color, at);
        self.ko = Vertex::NONE;
        if self.unsettled {
            self.clear_all(color, false, &mut removed);
            self.clear_all(color, true, &mut removed);
            self.unsettled = false;
            return;
        }
        if doomed {
            let before = self.vacant.len();
            self.capture(color, at, &mut removed);
            let chain = &self.chains[self.heads[at.index()].index()];
            // One stone against one stone, and nothing but its point to breathe: the shape that recaptures itself.
            if self.vacant.len() == before + 1 && chain.size == 1 && chain.pairs == 1 {
                self.ko = self.vacant[before];
            }
        } else {
            let head = self.heads[at.index()];
            if self.chains[head.index()].pairs == 0 {
                self.lift(head, &mut removed);
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
        for i in 0..points {
            let at = Vertex::at(i);
            self.cells[i] = EMPTY;
            self.slots[i] = i as u16;
            self.airs[i] = self
                .topology
                .cells_around(at)
                .filter(|u| u.index() < points)
                .count() as u16;
        }
        self.vacant.clear();
        self.vacant.extend((0..points).map(Vertex::at));
        self.mirror = T::Mirror::default();
        self.hash = 0;
        self.ko = Vertex::NONE;
        for (i, color) in position.iter().enumerate() {
            if let Some(color) = *color {
                self.put(color, Vertex::at(i));
            }
        }
        self.unsettled = (0..points)
            .any(|i| self.cells[i] < EMPTY && self.chains[self.heads[i].index()].pairs == 0);
    }

    #[inline]
    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let points = self.points();
        self.topology
            .cells_around(point)
            .filter(move |u| u.index() < points)
    }

    #[inline(always)]
    fn degree(&self, point: Vertex) -> usize {
        self.topology.degree(point)
    }

    #[inline(always)]
    fn playable(&self, color: Color, at: Vertex) -> bool {
        if self.airs[at.index()] != 0 {
            return true;
        }
        let mut lives = false;
        let mut walled = true;
        for u in self.topology.cells_around(at) {
            if self.holds(u, color) {
                lives |= !self.hangs(u, at);
            } else if !self.is_edge(u) {
                if self.hangs(u, at) {
                    return true;
                }
                walled = false;
            }
        }
        lives && !(walled && T::eye_shape(self, color, at))
    }

    fn is_eye(&self, color: Color, at: Vertex) -> bool {
        self.airs[at.index()] == 0
            && self.around(at).next().is_some()
            && self.around(at).all(|u| self.holds(u, color))
            && T::eye_shape(self, color, at)
    }

    #[inline]
    fn ko_point(&self) -> Option<Vertex> {
        (self.ko != Vertex::NONE).then_some(self.ko)
    }

    #[inline]
    fn sole_liberty(&self, point: Vertex) -> Option<Vertex> {
        self.content(point)?;
        let chain = &self.chains[self.heads[point.index()].index()];
        chain
            .in_atari()
            .then(|| Vertex::at((chain.sum / u64::from(chain.pairs)) as usize))
    }

    fn chain_size(&self, point: Vertex) -> usize {
        self.content(point).map_or(0, |_| {
            self.chains[self.heads[point.index()].index()].size as usize
        })
    }

    #[inline]
    fn chain(&self, point: Vertex) -> Vertex {
        self.heads[point.index()]
    }

    fn for_chain(&self, point: Vertex, mut visit: impl FnMut(Vertex)) {
        if self.content(point).is_none() {
            return;
        }
        let mut stone = point;
        loop {
            visit(stone);
            stone = self.links[stone.index()];
            if stone == point {
                break;
            }
        }
    }

    fn liberties(&self, point: Vertex, most: usize, found: &mut [Vertex; 8]) -> usize {
        let most = most.min(found.len());
        let mut count = 0;
        if self.content(point).is_none() {
            return 0;
        }
        let mut stone = point;
        loop {
            if self.airs[stone.index()] != 0 {
                for u in self.topology.cells_around(stone) {
                    if self.cells[u.index()] == EMPTY && !found[..count].contains(&u) {
                        found[count] = u;
                        count += 1;
                        if count == most {
                            return count;
                        }
                    }
                }
            }
            stone = self.links[stone.index()];
            if stone == point {
                return count;
            }
        }
    }

    fn census(&self) -> Census {
        T::census(self)
    }
}
