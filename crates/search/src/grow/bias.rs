//! Corrections of the network's values by errors that the search observed in similar positions.
//!
//! A network may misjudge a local sequence in every branch of the tree. Once the search has read
//! it in one branch, the others can use the result. Nodes share a bucket if they have the same
//! player, the same two latest moves, and the same stones around the latest one. A bucket averages
//! the difference between the subtrees of its nodes and their own values. The own value of each
//! node is moved by a share of that mean. The method and the formulas are KataGo's (subtree value
//! bias, `searchupdatehelpers.cpp`).
//!
//! Nothing is locked. Each node remembers its part of the sums of its bucket, and exchanges it
//! atomically. So a bucket always holds the sums of the latest parts.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use super::arena::Arena;
use super::moments::add;
use super::tree::{Node, Tree};
use crate::parameters::Parameters;
use omnigo_base::color::Color;
use omnigo_base::hash::scatter;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;

/// The corrections may use 1/8 of the memory of a tree that corrects values.
const SHARE: usize = 8;
/// Number of places of the index that are tried for a bucket. Without a free one, a node has none.
const PROBES: usize = 16;
/// Part of the sums of a node that leaves its bucket when a kept tree loses the node.
const FREED: f64 = 0.8;
/// Least weight of a bucket that corrects values.
const LEAST_WEIGHT: f64 = 0.001;
/// Number of a bucket that does not exist.
const NO_BUCKET: u32 = u32::MAX;
/// Distance, in rows and columns, of the farthest stones around a move that matter.
const REACH: isize = 2;

/// Observed errors of similar positions, from the view of the player of their latest move.
#[derive(Debug, Default)]
struct Bucket {
    key: AtomicU64,
    /// Sums of weight · error and of weights, as the bits of an `f64`.
    error: AtomicU64,
    weight: AtomicU64,
}

impl Bucket {
    fn add(&self, error: f64, weight: f64) {
        add(&self.error, error);
        add(&self.weight, weight);
    }

    /// Returns the sum of weight · error, and the sum of weights.
    fn sums(&self) -> [f64; 2] {
        [&self.error, &self.weight].map(|sum| f64::from_bits(sum.load(Relaxed)))
    }

    /// Returns the mean error, 0 if almost nothing has been observed.
    fn mean(&self) -> f64 {
        let [error, weight] = self.sums();
        match weight > LEAST_WEIGHT {
            true => error / weight,
            false => 0.0,
        }
    }
}

/// Part of a node in the sums of its bucket.
#[derive(Debug, Default)]
struct Part {
    /// Number of the bucket, 0 before one is known.
    bucket: AtomicU32,
    /// Weight · error and weight, as the bits of an `f32`.
    error: AtomicU32,
    weight: AtomicU32,
}

/// Replaces a number, stored as its bits, and returns the difference.
fn exchange(place: &AtomicU32, number: f32) -> f64 {
    let old = f32::from_bits(place.swap(number.to_bits(), Relaxed));
    f64::from(number) - f64::from(old)
}

/// Buckets of a tree, and the parts of its nodes.
#[derive(Debug)]
pub(super) struct Corrections {
    buckets: Arena<Bucket>,
    /// Numbers of buckets by hash, with linear probing; 0 where there is none.
    index: Box<[AtomicU32]>,
    /// Parts of nodes, numbered as their moments.
    parts: Arena<Part>,
}

impl Corrections {
    /// Creates corrections without buckets for a tree with at most `nodes` moments.
    fn new(nodes: usize) -> Corrections {
        let buckets: Arena<Bucket> = Arena::new(nodes * size_of::<Bucket>());
        let places = buckets.capacity().next_power_of_two();
        Corrections {
            index: (0..places).map(|_| AtomicU32::new(0)).collect(),
            buckets,
            parts: Arena::new(nodes * size_of::<Part>()),
        }
    }

    /// Returns the number of the bucket with this key, which is created if there is none. Also
    /// returns true if this call has created it. `None` if memory is used up.
    fn find(&self, key: u64) -> Option<(u32, bool)> {
        let mut spare = None;
        for step in 0..PROBES {
            let place = (key as usize).wrapping_add(step) % self.index.len();
            let mut number = self.index[place].load(Acquire);
            if number == 0 {
                let new = match spare {
                    Some(new) => new,
                    None => self.buckets.allocate()?,
                };
                self.buckets.get(new)?.key.store(key, Relaxed);
                match self.index[place].compare_exchange(0, new, AcqRel, Acquire) {
                    Ok(_) => return Some((new, true)),
                    // Another thread was faster. The new bucket may fit in the next place.
                    Err(theirs) => (number, spare) = (theirs, Some(new)),
                }
            }
            if self.buckets.get(number)?.key.load(Relaxed) == key {
                return Some((number, false));
            }
        }
        None
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn bytes(&self, nodes: usize) -> usize {
        self.buckets.used() * size_of::<Bucket>()
            + nodes * size_of::<Part>()
            + size_of_val(&*self.index)
    }
}

impl Tree {
    /// Creates a tree with only a root, for a search with these parameters. Without a network,
    /// there are none.
    pub(crate) fn guided_by(parameters: Option<&Parameters>, bytes: usize) -> Tree {
        match parameters {
            Some(parameters) if parameters.corrects() => Tree::correcting(bytes),
            Some(parameters) => Tree::for_search(bytes, parameters.needs_moments()),
            None => Tree::new(bytes),
        }
    }

    /// Creates a tree with only a root, whose nodes correct their values.
    pub(super) fn correcting(bytes: usize) -> Tree {
        let own = bytes / SHARE;
        let mut tree = Tree::for_search(bytes - own, true);
        // A node takes a part and at most one bucket, with one or two places of the index.
        let taken = size_of::<Part>() + size_of::<Bucket>() + 2 * size_of::<AtomicU32>();
        let moments = tree.arena.as_ref().map_or(0, Arena::capacity);
        tree.corrections = Some(Corrections::new(moments.min(own / taken)));
        tree
    }

    /// Returns true if the node may get a bucket, and has none yet.
    pub(super) fn lacks_bucket(&self, node: &Node) -> bool {
        let (Some(arena), Some(corrections)) = (&self.arena, &self.corrections) else {
            return false;
        };
        match node.amaf_wins.load(Relaxed) {
            0 => !arena.is_full(),
            number => {
                let part = corrections.parts.get(number);
                part.is_some_and(|part| part.bucket.load(Relaxed) == 0)
            }
        }
    }

    /// Gives the node the bucket with this key. Every thread gives it the same.
    pub(super) fn set_bucket(&self, node: &Node, key: u64) {
        let (Some(arena), Some(corrections)) = (&self.arena, &self.corrections) else {
            return;
        };
        if let Some(number) = arena.number(&node.amaf_wins)
            && let Some(part) = corrections.parts.get(number)
        {
            let bucket = corrections.find(key).map_or(NO_BUCKET, |found| found.0);
            part.bucket.store(bucket, Relaxed);
        }
    }

    /// Returns the part of a node and its bucket. `None` if it has none.
    fn part(&self, node: &Node) -> Option<(&Part, &Bucket)> {
        let corrections = self.corrections.as_ref()?;
        let part = corrections.parts.get(node.amaf_wins.load(Relaxed))?;
        let bucket = corrections.buckets.get(part.bucket.load(Relaxed))?;
        Some((part, bucket))
    }

    /// Returns the own utility of a node, moved by the errors that its bucket knows.
    pub(super) fn corrected(&self, node: &Node, utility: f64, parameters: &Parameters) -> f64 {
        let Some((_, bucket)) = self.part(node) else {
            return utility;
        };
        let moved = utility + parameters.subtree_value_bias_factor * bucket.mean();
        let most = parameters.utility_radius();
        moved.clamp(-most, most)
    }

    /// Tells the bucket of a node that the mean utility of its moves exceeds its own by `error`.
    /// The moves have this total weight.
    pub(super) fn observe(&self, node: &Node, error: f64, weight: f64, parameters: &Parameters) {
        let Some((part, bucket)) = self.part(node) else {
            return;
        };
        let weight = weight.powf(parameters.subtree_value_bias_weight_exponent);
        let sums = [weight * error, weight].map(|sum| sum as f32);
        bucket.add(
            exchange(&part.error, sums[0]),
            exchange(&part.weight, sums[1]),
        );
    }

    /// Adds the utility of a position that the network has evaluated, corrected. The node keeps the
    /// original one as that of its first visit. Returns the corrected utility.
    pub(super) fn add_evaluation(
        &self,
        node: &Node,
        utility: f64,
        weight: f64,
        parameters: &Parameters,
    ) -> f64 {
        let corrected = self.corrected(node, utility, parameters);
        if let Some(arena) = &self.arena {
            arena.add(&node.amaf_wins, utility, corrected, weight);
        }
        corrected
    }

    /// Copies the part of a node to its copy in another tree. A new bucket there begins with
    /// the part of the old sums that stays if no node is copied.
    pub(super) fn copy_part(&self, from: &Node, copy: &Tree, to: &Node) {
        let (Some(new), Some((part, bucket))) = (&copy.corrections, self.part(from)) else {
            return;
        };
        let Some(copied) = new.parts.get(to.amaf_wins.load(Relaxed)) else {
            return;
        };
        let Some((number, is_new)) = new.find(bucket.key.load(Relaxed)) else {
            return;
        };
        let Some(target) = new.buckets.get(number) else {
            return;
        };
        if is_new {
            let [error, weight] = bucket.sums().map(|sum| (1.0 - FREED) * sum);
            target.add(error, weight);
        }
        copied.bucket.store(number, Relaxed);
        for (from, to) in [(&part.error, &copied.error), (&part.weight, &copied.weight)] {
            to.store(from.load(Relaxed), Relaxed);
        }
        let sums = [&part.error, &part.weight];
        let [error, weight] = sums.map(|sum| f64::from(f32::from_bits(sum.load(Relaxed))));
        target.add(FREED * error, FREED * weight);
    }
}

/// Returns the key of the bucket of a position after `color` plays `mv` on this board, with the
/// move before it. `None` if the board is no rectangle.
pub(super) fn key<B: Board>(
    board: &B,
    color: Color,
    mv: Move,
    previous: Option<Vertex>,
) -> Option<u64> {
    let (width, height) = board.rectangle()?;
    let at = |at: Option<Vertex>| at.map_or(Vertex::LIMIT, Vertex::index) as u64;
    let moves = [at(mv.vertex()), at(previous), at(board.ko_point())];
    let head = moves.into_iter().fold(color.index() as u64, |head, at| {
        head * (Vertex::LIMIT as u64 + 1) + at
    });
    let around = mv.vertex().map_or(0, |at| {
        let (x, y) = (at.index() % width, at.index() / width);
        let column = |apart| x.checked_add_signed(apart).filter(|&x| x < width);
        let row = |apart| y.checked_add_signed(apart).filter(|&y| y < height);
        let rows = (-REACH..=REACH).flat_map(|up| (-REACH..=REACH).map(move |right| (up, right)));
        rows.fold(0, |pattern: u128, (up, right)| {
            let point = row(up).zip(column(right));
            let point = point.map(|(y, x)| Vertex::at(y * width + x));
            pattern << 3 | u128::from(point.map_or(0, |point| content(board, point)))
        })
    });
    let parts = [head, around as u64, (around >> 64) as u64];
    Some(parts.into_iter().fold(0, |hash, part| {
        scatter(hash ^ scatter(part.wrapping_add(1)))
    }))
}

/// Returns a number for the content of a point, 1…5: empty, or a stone, in atari or not.
fn content<B: Board>(board: &B, point: Vertex) -> u8 {
    match board.at(point) {
        None => 1,
        Some(color) => {
            let is_in_atari = board.sole_liberty(point).is_some();
            2 + 2 * (color.index() as u8 & 1) + u8::from(is_in_atari)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grow::arena::CHUNK;
    use crate::grow::tree::NodeId;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::policy::Prior;

    fn parameters() -> Parameters {
        Parameters {
            subtree_value_bias_factor: 0.5,
            subtree_value_bias_weight_exponent: 0.5,
            ..Parameters::omnigo()
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }

    fn expand(tree: &Tree, id: NodeId, moves: usize) {
        let moves = (0..moves).map(|at| (Move::Place(Vertex::at(at)), Prior::probability(0.25)));
        assert!(tree.node(id).claim() && tree.expand(id, moves));
    }

    /// Returns a tree whose first move has one reply. The move is in the bucket 7. Its own utility
    /// is 0.4, and that of the reply 0.2 with weight 4, each for its player.
    fn tree() -> Tree {
        let tree = Tree::correcting(1);
        expand(&tree, tree.root(), 4);
        let first = tree.child(tree.root(), 0);
        tree.set_bucket(tree.node(first), 7);
        let corrected = tree.add_evaluation(tree.node(first), 0.4, 1.0, &parameters());
        near(corrected, 0.4);
        expand(&tree, first, 1);
        let reply = tree.child(first, 0);
        tree.add_utility(tree.node(reply), 0.2, 4.0);
        tree.add_below(first, false, &parameters(), -0.2, 4.0);
        tree
    }

    fn sums(tree: &Tree, key: u64) -> [f64; 2] {
        let corrections = tree.corrections.as_ref().unwrap();
        let (number, is_new) = corrections.find(key).unwrap();
        assert!(!is_new);
        corrections.buckets.get(number).unwrap().sums()
    }

    #[test]
    fn values_move_by_a_share_of_the_mean_error_of_their_bucket() {
        let tree = tree();
        let moves = tree.children(tree.root());
        // The reply is worth −0.2 to the player of the move, so the error is −0.2 − 0.4 = −0.6. Its
        // weight is √4.
        let [error, weight] = sums(&tree, 7);
        near(error, -1.2);
        near(weight, 2.0);
        // The own value becomes 0.4 − 0.5 · 0.6 = 0.1, and the mean (0.1 − 4 · 0.2) / 5.
        let found = tree.sums(&moves[0]).unwrap();
        near(found.mean(), -0.14);
        assert!((found.first - 0.4).abs() < 1e-6);
        // A move of the same bucket is overrated too, others are not.
        for (number, key, expected) in [(1, 7, 0.0), (2, 8, 0.3)] {
            let node = &moves[number];
            assert!(tree.lacks_bucket(node));
            tree.set_bucket(node, key);
            assert!(!tree.lacks_bucket(node));
            near(tree.add_evaluation(node, 0.3, 1.0, &parameters()), expected);
            near(tree.sums(node).unwrap().mean(), expected);
            near(tree.sums(node).unwrap().first, f64::from(0.3f32));
        }
    }

    #[test]
    fn later_errors_of_a_node_replace_its_earlier_ones() {
        let tree = tree();
        let first = tree.child(tree.root(), 0);
        let reply = tree.child(first, 0);
        tree.add_utility(tree.node(reply), -0.6, 12.0);
        tree.add_below(first, false, &parameters(), 0.6, 12.0);
        // The reply now has the mean (4 · 0.2 − 12 · 0.6) / 16 = −0.4: its opponent gains nothing.
        let [error, weight] = sums(&tree, 7);
        near(error, 0.0);
        near(weight, 4.0);
        near(tree.sums(tree.node(first)).unwrap().mean(), 0.4);
    }

    #[test]
    fn corrected_utilities_stay_in_their_range() {
        let tree = tree();
        let node = &tree.children(tree.root())[1];
        tree.set_bucket(node, 7);
        let bold = Parameters {
            subtree_value_bias_factor: 1.0,
            ..parameters()
        };
        near(tree.corrected(node, -0.9, &bold), -1.0);
        near(tree.corrected(node, 0.9, &bold), 0.3);
    }

    #[test]
    fn threads_lose_no_part_of_a_bucket() {
        let tree = Tree::correcting(1);
        expand(&tree, tree.root(), 2);
        let moves = tree.children(tree.root());
        let parameters = Parameters {
            subtree_value_bias_weight_exponent: 1.0,
            ..parameters()
        };
        let work = || {
            for round in 0..2000 {
                for node in moves {
                    tree.set_bucket(node, 5);
                    let weight = f64::from(1 + round % 8);
                    tree.observe(node, 0.25, weight, &parameters);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(work);
            }
        });
        // All threads end with weight 8.
        let [error, weight] = sums(&tree, 5);
        let parts = moves.iter().map(|node| tree.part(node).unwrap().0);
        let latest = |at: fn(&Part) -> &AtomicU32| {
            let latest = parts.clone();
            let values = latest.map(|part| f32::from_bits(at(part).load(Relaxed)));
            values.map(f64::from).sum::<f64>()
        };
        assert_eq!(error, latest(|part| &part.error));
        assert_eq!(weight, latest(|part| &part.weight));
        assert_eq!(tree.corrections.as_ref().unwrap().buckets.used(), 1);
    }

    #[test]
    fn copies_keep_their_parts_and_a_fifth_of_the_others() {
        let tree = tree();
        let moves = tree.children(tree.root());
        tree.set_bucket(&moves[1], 7);
        tree.add_evaluation(&moves[1], 0.3, 1.0, &parameters());
        let second = tree.child(tree.root(), 1);
        expand(&tree, second, 1);
        let leaf = tree.child(second, 0);
        tree.set_bucket(tree.node(leaf), 7);
        tree.add_evaluation(tree.node(leaf), 0.5, 1.0, &parameters());
        tree.observe(tree.node(leaf), 0.5, 1.0, &parameters());
        // The bucket has the parts −1.2 / 2 and 0.5 / 1.
        let copy = tree.subtree(second, 1, || false);
        let [error, weight] = sums(&copy, 7);
        near(error, -1.2 * 0.2 + 0.5);
        near(weight, 2.0 * 0.2 + 1.0);
        let kept = copy.child(copy.root(), 0);
        assert!(!copy.lacks_bucket(copy.node(kept)));
        // The kept node still replaces its own part.
        copy.observe(copy.node(kept), 0.0, 1.0, &parameters());
        let [error, weight] = sums(&copy, 7);
        near(error, -1.2 * 0.2);
        near(weight, 2.0 * 0.2 + 1.0);
    }

    #[test]
    fn buckets_take_bounded_memory() {
        let corrections = Corrections::new(1);
        let keys = || (1..=4 * CHUNK as u64).map(scatter);
        let found = keys().filter(|&key| corrections.find(key).is_some());
        let count = found.count();
        assert!((CHUNK / 2..=CHUNK).contains(&count), "{count}");
        let again = keys().filter(|&key| corrections.find(key).is_some_and(|found| !found.1));
        assert_eq!(again.count(), count);
        assert!(corrections.buckets.used() <= CHUNK);
        // A node without a bucket keeps its value and is not asked again.
        let tree = Tree::correcting(1);
        expand(&tree, tree.root(), 1);
        let node = &tree.children(tree.root())[0];
        for key in keys() {
            tree.corrections.as_ref().unwrap().find(key);
        }
        let missing = keys().find(|&key| tree.corrections.as_ref().unwrap().find(key).is_none());
        tree.set_bucket(node, missing.unwrap());
        assert!(!tree.lacks_bucket(node));
        near(tree.add_evaluation(node, 0.5, 1.0, &parameters()), 0.5);
        tree.observe(node, 0.5, 1.0, &parameters());
        near(tree.corrected(node, 0.5, &parameters()), 0.5);
    }

    #[test]
    fn sizes_of_buckets_and_parts_are_those_of_the_docs() {
        assert_eq!((size_of::<Bucket>(), size_of::<Part>()), (24, 12));
    }

    #[test]
    fn keys_depend_on_moves_and_on_the_stones_around_the_latest() {
        let place = |x: usize, y: usize| Vertex::at(y * 9 + x);
        let board = |stones: &[(usize, usize, Color)]| {
            let mut board = GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap();
            for &(x, y, color) in stones {
                board.place(color, place(x, y), |_, _| {});
            }
            board
        };
        let (black, white) = (Color::BLACK, Color::WHITE);
        let center = Move::Place(place(4, 4));
        let of = |stones: &[(usize, usize, Color)]| {
            key(&board(stones), black, center, Some(place(0, 0))).unwrap()
        };
        let empty = of(&[]);
        // Two rows and columns apart is near, three is far.
        assert_ne!(of(&[(6, 6, black)]), empty);
        assert_ne!(of(&[(6, 6, black)]), of(&[(6, 6, white)]));
        assert_eq!(of(&[(7, 4, black), (4, 1, white)]), empty);
        // A stone in atari by a stone that is far away.
        let far = [(2, 2, black), (1, 2, white), (2, 1, white)];
        let near = [(2, 2, black), (0, 2, white), (2, 1, white)];
        assert_eq!(of(&near), of(&far[..1]));
        let in_atari = [(2, 2, black), (1, 2, white), (2, 1, white), (3, 2, white)];
        let free = [(2, 2, black), (3, 2, white)];
        assert_ne!(of(&in_atari), of(&free));
        let of = |color, mv, previous| key(&board(&[]), color, mv, previous).unwrap();
        assert_ne!(of(white, center, Some(place(0, 0))), empty);
        assert_ne!(of(black, center, None), empty);
        assert_ne!(of(black, center, Some(place(1, 0))), empty);
        assert_ne!(of(black, Move::Pass, Some(place(0, 0))), empty);
        // The edge of the board is near.
        let corner = |x, y| of(black, Move::Place(place(x, y)), None);
        assert_ne!(corner(0, 0), corner(8, 0));
    }
}
