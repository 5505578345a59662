//! Search tree: nodes in an arena that several threads extend and read without locks.
//!
//! A node represents the move that leads to it. The children of a node are adjacent in memory. The
//! one thread that claims the node writes its children, then publishes them. All statistics are
//! atomics. Readers may see a visit before its result; virtual loss requires that anyway.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::collections::VecDeque;
use std::ptr::slice_from_raw_parts_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

use super::arena::Arena;
use super::bias::Corrections;
use super::moments::Moments;
pub use super::proof::Proof;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::policy::Prior;

/// Result of a won playout, in the unit of a node's sum of results.
pub const WIN: u64 = 1000;

/// Number of nodes in a chunk of the arena. The children of a node must fit into one chunk, even on
/// the largest board.
const CHUNK: usize = 1 << 16;

const UNEXPANDED: u8 = 0;
const EXPANDING: u8 = 1;
const EXPANDED: u8 = 2;
/// Expanded, and urgent moves among the children have their minimum probability.
const REVIEWED: u8 = 3;

/// Index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

/// A move with its statistics, from the view of the player who makes it.
#[derive(Debug, Default)]
pub struct Node {
    /// Sum of results, 0…[`WIN`] each.
    wins: AtomicU64,
    pub(super) visits: AtomicU32,
    /// Sum of results of playouts in which the same player made this move later (all moves as
    /// first: RAVE), 0…[`WIN`] / [`AMAF_GRAIN`] each. In trees with moments, the number of the
    /// node's moments, or 0 if it has none.
    pub(super) amaf_wins: AtomicU32,
    amaf_visits: AtomicU32,
    children: AtomicU32,
    count: AtomicU32,
    /// Virtual playouts of the prior. In guided searches, 1 if the move is urgent, else 0.
    prior_visits: AtomicU16,
    /// Wins of the prior, times [`Prior::UNIT`]. In guided searches, the probability of the move,
    /// times [`Prior::CERTAIN`].
    prior_wins: AtomicU16,
    /// Index of the vertex, or [`Vertex::NONE`] for a pass.
    mv: AtomicU16,
    state: AtomicU8,
    proof: AtomicU8,
}

impl Node {
    /// Returns the move.
    pub fn mv(&self) -> Move {
        match self.mv.load(Relaxed) as usize {
            Vertex::LIMIT => Move::Pass,
            index => Move::Place(Vertex::at(index)),
        }
    }

    /// Returns the index of the move's vertex, or [`Vertex::LIMIT`] for a pass.
    #[inline(always)]
    pub fn index(&self) -> usize {
        self.mv.load(Relaxed) as usize
    }

    /// Returns the number of playouts through this node, including running ones.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Returns the mean result for the player of the move, 0…1, or 0.5 without visits.
    pub fn mean(&self) -> f64 {
        self.mean_without(0).0
    }

    /// Returns the mean result of the visits without `running` ones, and their number. The mean is
    /// 0.5 without visits.
    pub fn mean_without(&self, running: u32) -> (f64, u32) {
        match self.visits().saturating_sub(running) {
            0 => (0.5, 0),
            ended => {
                let mean = self.wins.load(Relaxed) as f64 / (WIN as f64 * f64::from(ended));
                // Another thread may end a visit between these reads.
                (mean.min(1.0), ended)
            }
        }
    }

    /// Counts a visit. It counts as a loss until its result is added (virtual loss).
    #[inline(always)]
    pub fn begin_visit(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// Adds the result of a visit that has begun, 0…[`WIN`].
    #[inline(always)]
    pub fn end_visit(&self, result: u64) {
        self.wins.fetch_add(result, Relaxed);
    }

    /// Adds a result to the all-moves-as-first statistics. Of two simultaneous additions, one may
    /// be lost, which does not matter.
    #[inline(always)]
    pub fn add_amaf(&self, result: u64) {
        // A quarter of the resolution suffices, and 32 bits hold seventeen million wins. After
        // that, nothing is added.
        let wins = self.amaf_wins.load(Relaxed);
        if wins > u32::MAX - (WIN / AMAF_GRAIN) as u32 {
            return;
        }
        self.amaf_wins
            .store(wins + (result / AMAF_GRAIN) as u32, Relaxed);
        self.amaf_visits
            .store(self.amaf_visits.load(Relaxed) + 1, Relaxed);
    }

    /// Returns the value by which a search without a network selects a child.
    ///
    /// It combines results and priors with all-moves-as-first results, which are more reliable
    /// while visits are few (Gelly and Silver 2007). The weights follow Silver's schedule, with the
    /// bias expressed as an equivalence.
    #[inline(always)]
    pub fn urgency(&self) -> f32 {
        /// Approximate number of visits at which both have the same weight.
        const EQUIVALENCE: f32 = 3500.0;
        let visits = self.visits.load(Relaxed) as f32 + f32::from(self.prior_visits.load(Relaxed));
        let wins = self.wins.load(Relaxed) as f32 / WIN as f32
            + f32::from(self.prior_wins.load(Relaxed)) / Prior::UNIT as f32;
        let value = if visits > 0.0 { wins / visits } else { 0.5 };
        let amaf_visits = self.amaf_visits.load(Relaxed) as f32;
        if amaf_visits == 0.0 {
            return value;
        }
        let amaf = self.amaf_wins.load(Relaxed) as f32 / (amaf_visits * (WIN / AMAF_GRAIN) as f32);
        let beta = amaf_visits / (amaf_visits + visits + visits * amaf_visits / EQUIVALENCE);
        beta * amaf + (1.0 - beta) * value
    }

    /// Returns the number of won virtual playouts of the prior. Compare it only between siblings.
    pub fn prior(&self) -> f64 {
        f64::from(self.prior_wins.load(Relaxed)) / f64::from(Prior::UNIT)
    }

    /// Returns the probability that a network gave the move, 0…1, or the latest value of
    /// [`Node::set_probability`].
    #[inline(always)]
    pub fn probability(&self) -> f32 {
        f32::from(self.prior_wins.load(Relaxed)) / Prior::CERTAIN as f32
    }

    /// Returns the mean result of the completed visits while one visit is running, or 0.5 if there
    /// are none.
    #[inline(always)]
    pub fn settled_mean(&self) -> f64 {
        match self.visits() {
            0 | 1 => 0.5,
            visits => self.wins.load(Relaxed) as f64 / (WIN as f64 * f64::from(visits - 1)),
        }
    }

    /// Returns the proven result of the move.
    #[inline(always)]
    pub fn proof(&self) -> Proof {
        match self.proof.load(Relaxed) {
            1 => Proof::Win,
            2 => Proof::Loss,
            _ => Proof::Open,
        }
    }

    /// Stores a proven result of the move.
    pub fn prove(&self, proof: Proof) {
        let code = match proof {
            Proof::Open => 0,
            Proof::Win => 1,
            Proof::Loss => 2,
        };
        self.proof.store(code, Relaxed);
    }

    /// Returns true if the node has been expanded.
    #[inline(always)]
    pub fn is_expanded(&self) -> bool {
        self.state.load(Acquire) >= EXPANDED
    }

    /// Claims the right to expand this node. Returns true for only one thread.
    pub fn claim(&self) -> bool {
        self.state
            .compare_exchange(UNEXPANDED, EXPANDING, AcqRel, Relaxed)
            .is_ok()
    }

    /// Claims the right to raise the probabilities of urgent moves among this node's children.
    /// Returns true only if the node is expanded, and then for one thread, once.
    pub fn claim_review(&self) -> bool {
        self.state
            .compare_exchange(EXPANDED, REVIEWED, AcqRel, Relaxed)
            .is_ok()
    }

    /// Marks the move as urgent. The mark is stored as the visits of the prior, which guided
    /// searches do not use.
    pub fn mark_urgent(&self) {
        self.prior_visits.store(1, Relaxed);
    }

    /// Returns true if the move was marked by [`Node::mark_urgent`].
    #[inline(always)]
    pub fn is_urgent(&self) -> bool {
        self.prior_visits.load(Relaxed) > 0
    }

    /// Replaces the probability of the move. Call this only in guided searches: other searches
    /// store the wins of the prior in the same field.
    pub fn set_probability(&self, probability: f32) {
        self.prior_wins
            .store(Prior::probability(probability).wins as u16, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Node) {
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.amaf_wins.store(other.amaf_wins.load(Relaxed), Relaxed);
        self.amaf_visits
            .store(other.amaf_visits.load(Relaxed), Relaxed);
        self.prior_visits
            .store(other.prior_visits.load(Relaxed), Relaxed);
        self.prior_wins
            .store(other.prior_wins.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }
}

/// Divisor of results in all-moves-as-first sums, which keeps them within 32 bits.
const AMAF_GRAIN: u64 = 4;

/// Returns a chunk of fresh nodes. The system supplies its memory as zeros, so a small tree touches
/// only the part that it uses.
fn fresh_chunk() -> Box<[Node]> {
    let layout = Layout::new::<[Node; CHUNK]>();
    // SAFETY: the layout is not empty. A node of zero bytes is valid and equals `Node::default()`,
    // because its fields are atomic integers. The box takes over the allocation and frees it with
    // the same layout.
    unsafe {
        let memory = alloc_zeroed(layout).cast::<Node>();
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        Box::from_raw(slice_from_raw_parts_mut(memory, CHUNK))
    }
}

/// Size of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes, including the root, that can be reached from the root.
    pub nodes: usize,
    /// Memory of the nodes in bytes, including gaps between them.
    pub bytes: usize,
}

/// A tree. Its nodes do not move in memory until it is dropped.
#[derive(Debug)]
pub struct Tree {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    /// Number of nodes allocated so far.
    next: AtomicU64,
    capacity: u64,
    /// Sums of utilities, in searches that need them.
    pub(super) arena: Option<Arena<Moments>>,
    /// Corrections of the network's values, in searches that correct them.
    pub(super) corrections: Option<Corrections>,
}

impl Tree {
    /// Creates a tree with only a root. It uses at most `bytes` of memory, but at least one chunk.
    pub fn new(bytes: usize) -> Tree {
        let chunks = (bytes / (CHUNK * size_of::<Node>())).clamp(1, (u32::MAX as usize) / CHUNK);
        Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            next: AtomicU64::new(1),
            capacity: (chunks * CHUNK) as u64,
            arena: None,
            corrections: None,
        }
    }

    /// Returns the root: the node of the move that led to the searched position.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns the node with this index.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        let index = id.0 as usize;
        &self.chunk(index / CHUNK)[index % CHUNK]
    }

    #[inline(always)]
    fn chunk(&self, chunk: usize) -> &[Node] {
        self.chunks[chunk].get_or_init(fresh_chunk)
    }

    /// Returns the children of a node. Empty if it is not expanded.
    #[inline(always)]
    pub fn children(&self, id: NodeId) -> &[Node] {
        let node = self.node(id);
        if !node.is_expanded() {
            return &[];
        }
        let (first, count) = (
            node.children.load(Relaxed) as usize,
            node.count.load(Relaxed) as usize,
        );
        if count == 0 {
            return &[];
        }
        &self.chunk(first / CHUNK)[first % CHUNK..first % CHUNK + count]
    }

    /// Returns the index of a node's child. `number` counts children from 0.
    #[inline(always)]
    pub fn child(&self, id: NodeId, number: usize) -> NodeId {
        NodeId(self.node(id).children.load(Relaxed) + number as u32)
    }

    /// Gives a claimed node its children. If memory is used up, returns false, and the node stays a
    /// leaf.
    pub fn expand(&self, id: NodeId, moves: impl ExactSizeIterator<Item = (Move, Prior)>) -> bool {
        let node = self.node(id);
        let Some(first) = self.allocate(moves.len()) else {
            node.state.store(UNEXPANDED, Release);
            return false;
        };
        let count = moves.len();
        let block = &self.chunk(first / CHUNK)[first % CHUNK..];
        for (child, (mv, prior)) in block.iter().zip(moves) {
            let index = mv.vertex().unwrap_or(Vertex::NONE).index();
            child.mv.store(index as u16, Relaxed);
            child
                .prior_visits
                .store(prior.visits.min(u32::from(u16::MAX)) as u16, Relaxed);
            child
                .prior_wins
                .store(prior.wins.min(u32::from(u16::MAX)) as u16, Relaxed);
        }
        node.children.store(first as u32, Relaxed);
        node.count.store(count as u32, Relaxed);
        node.state.store(EXPANDED, Release);
        true
    }

    /// Returns true if `count` more nodes may fit.
    pub fn has_room(&self, count: usize) -> bool {
        self.next.load(Relaxed).saturating_add(count as u64) <= self.capacity
    }

    /// Allocates `count` adjacent nodes in one chunk. Returns the index of the first, or `None` if
    /// memory is used up.
    fn allocate(&self, count: usize) -> Option<usize> {
        let count = count as u64;
        let chunk = CHUNK as u64;
        let start = |next: u64| {
            if next / chunk == (next + count.max(1) - 1) / chunk {
                next
            } else {
                next.div_ceil(chunk) * chunk
            }
        };
        let claim = |next: u64| {
            Some(start(next) + count).filter(|&end| end <= self.capacity && count <= chunk)
        };
        self.next
            .fetch_update(Relaxed, Relaxed, claim)
            .ok()
            .map(|next| start(next) as usize)
    }

    /// Returns a copy of the subtree under `id`, which becomes the root.
    ///
    /// The copy is made breadth first. It ends once `enough` returns true or memory is used up, so
    /// only the deepest nodes are left out. The root's moves are always copied.
    pub fn subtree(&self, id: NodeId, bytes: usize, enough: impl Fn() -> bool) -> Tree {
        self.subtree_without(id, bytes, |_| false, enough)
    }

    /// Returns a copy as [`Self::subtree`] does, without some moves of the root.
    pub(crate) fn subtree_without(
        &self,
        id: NodeId,
        bytes: usize,
        leaves_out: impl Fn(Move) -> bool,
        enough: impl Fn() -> bool,
    ) -> Tree {
        let copy = match self.corrections {
            Some(_) => Tree::correcting(bytes),
            None => Tree::for_search(bytes, self.has_moments()),
        };
        self.copy_node(self.node(id), &copy, copy.node(copy.root()));
        let mut pending = VecDeque::from([(id, copy.root())]);
        while let Some((from, to)) = pending.pop_front() {
            let is_left_out = |child: &Node| from == id && leaves_out(child.mv());
            let children: Vec<(usize, &Node)> = self
                .children(from)
                .iter()
                .enumerate()
                .filter(|(_, child)| !is_left_out(child))
                .collect();
            if !self.node(from).is_expanded() || !copy.node(to).claim() {
                continue;
            }
            let moves = children.iter();
            let moves = moves.map(|(_, child)| (child.mv(), Prior::default()));
            if !copy.expand(to, moves) {
                continue;
            }
            let state = self.node(from).state.load(Relaxed);
            copy.node(to).state.store(state, Release);
            for (place, &(number, child)) in children.iter().enumerate() {
                let place = copy.child(to, place);
                self.copy_node(child, &copy, copy.node(place));
                self.copy_part(child, &copy, copy.node(place));
                if child.is_expanded() {
                    pending.push_back((self.child(from, number), place));
                }
            }
            if enough() {
                break;
            }
        }
        let left_out = self.children(id).iter();
        let left_out = left_out.filter(|child| leaves_out(child.mv()));
        copy.forget_visits(left_out.map(Node::visits).sum());
        copy.turn_root();
        copy
    }

    /// Converts the root's results from the player of its move to the player to move. The new sum
    /// is the mean result of its moves, times its visits. Games with utilities have two players.
    fn turn_root(&self) {
        let root = self.node(self.root());
        self.turn_utilities(root);
        let (mut visits, mut wins) = (0u128, 0u128);
        for child in self.children(self.root()) {
            visits += u128::from(child.visits());
            wins += u128::from(child.wins.load(Relaxed));
        }
        let all = u128::from(root.visits());
        let turned = (wins * all).checked_div(visits);
        let turned = turned.unwrap_or(all * u128::from(WIN) / 2);
        root.wins
            .store(u64::try_from(turned).unwrap_or(u64::MAX), Relaxed);
    }

    /// Returns the size of the tree. Inspects every node.
    pub fn size(&self) -> Size {
        let mut nodes = 1;
        let mut pending = vec![self.root()];
        while let Some(id) = pending.pop() {
            let children = self.children(id).len();
            nodes += children;
            pending.extend((0..children).map(|number| self.child(id, number)));
        }
        Size {
            nodes,
            bytes: self.len() * size_of::<Node>() + self.bytes_of_utilities(),
        }
    }

    /// Returns the number of allocated nodes, including gaps.
    pub fn len(&self) -> usize {
        self.next.load(Relaxed) as usize
    }

    /// Returns true if there is only the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_node_is_reviewed_once_and_its_copy_never() {
        let tree = Tree::new(1);
        let moves = [Move::Place(Vertex::at(3)), Move::Pass];
        let moves = moves.into_iter().map(|mv| (mv, Prior::probability(0.5)));
        assert!(!tree.node(tree.root()).claim_review());
        assert!(tree.node(tree.root()).claim() && tree.expand(tree.root(), moves));
        assert!(tree.node(tree.root()).claim_review());
        assert!(!tree.node(tree.root()).claim_review());
        tree.children(tree.root())[1].set_probability(0.25);
        let copy = tree.subtree(tree.root(), 1, || false);
        assert!(!copy.node(copy.root()).claim_review());
        let probabilities = copy.children(copy.root()).iter().map(Node::probability);
        let probabilities: Vec<f32> = probabilities
            .map(|probability| (probability * 100.0).round())
            .collect();
        assert_eq!(probabilities, [50.0, 25.0]);
    }

    #[test]
    fn full_statistics_do_not_change() {
        let tree = Tree::new(1);
        let node = tree.node(tree.root());
        node.amaf_wins.store(u32::MAX - 100, Relaxed);
        node.add_amaf(0);
        node.add_amaf(WIN);
        assert_eq!(node.amaf_visits.load(Relaxed), 0);
    }

    #[test]
    fn a_truncated_copy_keeps_the_moves_and_the_top_of_the_tree() {
        let tree = Tree::new(1);
        let moves = || {
            let moves = [1, 2].map(|vertex| Move::Place(Vertex::at(vertex)));
            moves.into_iter().map(|mv| (mv, Prior::default()))
        };
        // Three levels are expanded: the root, its two moves, and their two replies each.
        let mut level = vec![tree.root()];
        for _ in 0..3 {
            for &id in &level {
                assert!(tree.node(id).claim() && tree.expand(id, moves()));
            }
            let children = |&id: &NodeId| [tree.child(id, 0), tree.child(id, 1)];
            level = level.iter().flat_map(children).collect();
        }
        let expanded = |enough_after: usize| {
            let looks = Cell::new(0);
            let enough = || looks.replace(looks.get() + 1) >= enough_after;
            let copy = tree.subtree(tree.root(), 1, enough);
            let answers = copy.children(copy.root()).iter();
            let second = answers.filter(|child| child.is_expanded()).count();
            (copy.children(copy.root()).len(), second, copy.size().nodes)
        };
        assert_eq!(expanded(0), (2, 0, 3));
        assert_eq!(expanded(2), (2, 2, 7));
        assert_eq!(expanded(3), (2, 2, 9));
        assert_eq!(expanded(usize::MAX), (2, 2, 15));
    }

    #[test]
    fn copies_keep_utilities_and_turn_those_of_the_root() {
        let moves = || {
            let moves = [Move::Place(Vertex::at(1)), Move::Pass];
            moves.into_iter().map(|mv| (mv, Prior::default()))
        };
        let tree = Tree::for_search(1, true);
        assert!(tree.node(tree.root()).claim() && tree.expand(tree.root(), moves()));
        let child = tree.child(tree.root(), 1);
        assert!(tree.node(child).claim() && tree.expand(child, moves()));
        let leaf = tree.child(child, 0);
        for (id, utility) in [(tree.root(), 0.75), (child, 0.25), (leaf, -0.5)] {
            tree.node(id).begin_visit();
            tree.node(id).end_visit(0);
            tree.add_utility(tree.node(id), utility, 2.0);
        }
        let copy = tree.subtree(child, 1, || false);
        assert!(copy.has_moments());
        let mean = |id| copy.sums(copy.node(id)).map(|sums| sums.mean());
        assert_eq!(mean(copy.root()), Some(-0.25));
        assert_eq!(mean(copy.child(copy.root(), 0)), Some(-0.5));
        assert_eq!(mean(copy.child(copy.root(), 1)), None);
        assert!(copy.size().bytes > copy.len() * size_of::<Node>());
        // A tree without moments ignores utilities.
        let plain = Tree::new(1);
        plain.add_utility(plain.node(plain.root()), 0.5, 1.0);
        assert_eq!(plain.sums(plain.node(plain.root())), None);
        assert!(!plain.subtree(plain.root(), 1, || false).has_moments());
    }

    #[test]
    fn a_copy_without_some_moves_has_only_the_visits_of_the_others() {
        let tree = Tree::for_search(1, true);
        let moves = [1, 2, 3].map(|vertex| Move::Place(Vertex::at(vertex)));
        let moves = moves.into_iter().map(|mv| (mv, Prior::default()));
        let root = tree.root();
        assert!(tree.node(root).claim() && tree.expand(root, moves));
        let visit = |id, times: u32, result: u64| {
            for _ in 0..times {
                tree.node(id).begin_visit();
                tree.node(id).end_visit(result);
                tree.add_utility(tree.node(id), 0.5, 1.0);
            }
        };
        // One visit of the root's own, and eight of its moves.
        visit(root, 9, 0);
        for (number, times, result) in [(0, 3, WIN), (1, 4, WIN), (2, 1, 0)] {
            visit(tree.child(root, number), times, result);
        }
        let leaves_out = |mv| mv == Move::Place(Vertex::at(2));
        let copy = tree.subtree_without(root, 1, leaves_out, || false);
        let kept: Vec<(usize, u32)> = copy
            .children(copy.root())
            .iter()
            .map(|child| (child.index(), child.visits()))
            .collect();
        assert_eq!(kept, [(1, 3), (3, 1)]);
        let copied = copy.node(copy.root());
        assert_eq!((copied.visits(), copied.mean()), (5, 0.75));
        let sums = copy.sums(copied).unwrap();
        assert_eq!((sums.completed, sums.weight, sums.mean()), (5, 5.0, -0.5));
    }

    #[test]
    fn a_node_takes_forty_bytes() {
        assert_eq!(size_of::<Node>(), 40);
    }

    #[test]
    fn running_visits_can_be_left_out() {
        let tree = Tree::new(1 << 20);
        let root = tree.node(tree.root());
        assert_eq!(root.mean_without(0), (0.5, 0));
        root.begin_visit();
        assert_eq!(root.mean_without(1), (0.5, 0));
        root.end_visit(WIN);
        root.begin_visit();
        assert_eq!(root.mean_without(1), (1.0, 1));
        assert_eq!(root.mean_without(0), (0.5, 2));
    }

    #[test]
    fn zeroed_memory_is_a_valid_fresh_node() {
        let chunk = fresh_chunk();
        assert_eq!(chunk.len(), CHUNK);
        let fresh = format!("{:?}", Node::default());
        for node in [&chunk[0], &chunk[CHUNK / 2], &chunk[CHUNK - 1]] {
            assert_eq!(format!("{node:?}"), fresh);
        }
    }
}
