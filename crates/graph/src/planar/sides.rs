//! Phase 2 of the left-right test: chooses the side of the tree on which each back edge passes.

use super::{NONE, Search};

/// Back edges that pass on one side, from the lowest to the highest; both `NONE` if there are none.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    low: u32,
    high: u32,
}

const EMPTY: Interval = Interval {
    low: NONE,
    high: NONE,
};

impl Interval {
    fn is_empty(self) -> bool {
        self.low == NONE && self.high == NONE
    }
}

/// Two intervals that must pass on different sides.
#[derive(Clone, Copy)]
struct Pair {
    left: Interval,
    right: Interval,
}

impl Pair {
    fn swapped(self) -> Pair {
        Pair {
            left: self.right,
            right: self.left,
        }
    }
}

pub(super) struct Sides {
    stack: Vec<Pair>,
    /// Size of the stack when an edge was entered, plus 1; 0 before.
    bottom: Vec<usize>,
    /// The back edge of an edge that returns to the lowest vertex.
    lowest_return: Vec<u32>,
    /// Edge relative to which the side of this edge is defined.
    reference: Vec<u32>,
    /// True if the side is that of the reference or, without a reference, the right side.
    same: Vec<bool>,
}

impl Sides {
    pub(super) fn new(search: &Search) -> Sides {
        let m = search.from.len();
        Sides {
            stack: Vec::new(),
            bottom: vec![0; m],
            lowest_return: vec![NONE; m],
            reference: vec![NONE; m],
            same: vec![true; m],
        }
    }

    /// Returns true if all back edges can be assigned to a side.
    pub(super) fn test(&mut self, search: &Search) -> bool {
        let mut next = vec![0; search.vertices()];
        for &root in &search.roots {
            let mut stack = vec![root as usize];
            'vertices: while let Some(&v) = stack.last() {
                while let Some(&edge) = search.out(v).get(next[v]) {
                    let edge = edge as usize;
                    // A tree edge is visited twice: when it is entered, and after its subtree.
                    if self.lowest_return[edge] == NONE && self.bottom[edge] == 0 {
                        self.bottom[edge] = self.stack.len() + 1;
                        if search.is_tree(edge) {
                            stack.push(search.to[edge] as usize);
                            continue 'vertices;
                        }
                        self.lowest_return[edge] = edge as u32;
                        let one = Interval {
                            low: edge as u32,
                            high: edge as u32,
                        };
                        self.stack.push(Pair {
                            left: EMPTY,
                            right: one,
                        });
                    }
                    if search.low[edge] < search.height[v] {
                        let parent = search.parent[v] as usize;
                        if next[v] == 0 {
                            self.lowest_return[parent] = self.lowest_return[edge];
                        } else if !self.constrain(search, edge, parent) {
                            return false;
                        }
                    }
                    next[v] += 1;
                }
                stack.pop();
                let parent = search.parent[v];
                if parent != NONE {
                    self.leave(search, parent as usize);
                }
            }
        }
        true
    }

    /// Finishes the subtree of a tree edge: back edges to the start of this edge end here.
    fn leave(&mut self, search: &Search, edge: usize) {
        let u = search.from[edge];
        self.trim(search, u);
        if search.low[edge] < search.height[u as usize]
            && let Some(top) = self.stack.last()
        {
            let (left, right) = (top.left.high, top.right.high);
            let lower = |a: u32, b: u32| search.low[a as usize] > search.low[b as usize];
            let on_left = left != NONE && (right == NONE || lower(left, right));
            self.reference[edge] = if on_left { left } else { right };
        }
    }

    fn conflicts(&self, search: &Search, interval: Interval, edge: usize) -> bool {
        !interval.is_empty() && search.low[interval.high as usize] > search.low[edge]
    }

    /// Returns the lowest height to which the pair returns.
    fn lowest(&self, search: &Search, pair: &Pair) -> u32 {
        let low = |interval: Interval| {
            if interval.is_empty() {
                NONE
            } else {
                search.low[interval.low as usize]
            }
        };
        low(pair.left).min(low(pair.right))
    }

    fn refer(&mut self, edge: u32, to: u32) {
        if edge != NONE {
            self.reference[edge as usize] = to;
        }
    }

    /// Merges the back edges of `edge` with those of its earlier siblings below `parent`. Returns
    /// false if they conflict.
    fn constrain(&mut self, search: &Search, edge: usize, parent: usize) -> bool {
        let mut joined = Pair {
            left: EMPTY,
            right: EMPTY,
        };
        // All back edges of the edge pass on one side.
        while self.stack.len() >= self.bottom[edge] {
            let Some(mut pair) = self.stack.pop() else {
                break;
            };
            if !pair.left.is_empty() {
                pair = pair.swapped();
            }
            if !pair.left.is_empty() {
                return false;
            }
            if search.low[pair.right.low as usize] > search.low[parent] {
                if joined.right.is_empty() {
                    joined.right.high = pair.right.high;
                } else {
                    self.refer(joined.right.low, pair.right.high);
                }
                joined.right.low = pair.right.low;
            } else {
                self.refer(pair.right.low, self.lowest_return[parent]);
            }
        }
        // Back edges of earlier siblings that end above the lowpoint of this edge pass on the other
        // side.
        while let Some(&top) = self.stack.last()
            && (self.conflicts(search, top.left, edge) || self.conflicts(search, top.right, edge))
        {
            self.stack.pop();
            let mut pair = top;
            if self.conflicts(search, pair.right, edge) {
                pair = pair.swapped();
            }
            if self.conflicts(search, pair.right, edge) {
                return false;
            }
            self.refer(joined.right.low, pair.right.high);
            if pair.right.low != NONE {
                joined.right.low = pair.right.low;
            }
            if joined.left.is_empty() {
                joined.left.high = pair.left.high;
            } else {
                self.refer(joined.left.low, pair.left.high);
            }
            joined.left.low = pair.left.low;
        }
        if !(joined.left.is_empty() && joined.right.is_empty()) {
            self.stack.push(joined);
        }
        true
    }

    /// Removes back edges that end at `u`.
    fn trim(&mut self, search: &Search, u: u32) {
        let height = search.height[u as usize];
        while let Some(top) = self.stack.last()
            && self.lowest(search, top) == height
        {
            let left = top.left.low;
            if left != NONE {
                self.same[left as usize] = false;
            }
            self.stack.pop();
        }
        if let Some(mut pair) = self.stack.pop() {
            pair.left = self.trimmed(search, pair.left, pair.right.low, u);
            pair.right = self.trimmed(search, pair.right, pair.left.low, u);
            self.stack.push(pair);
        }
    }

    fn trimmed(&mut self, search: &Search, mut side: Interval, other: u32, u: u32) -> Interval {
        while side.high != NONE && search.to[side.high as usize] == u {
            side.high = self.reference[side.high as usize];
        }
        if side.high == NONE && side.low != NONE {
            self.reference[side.low as usize] = other;
            self.same[side.low as usize] = false;
            side.low = NONE;
        }
        side
    }

    /// Returns, for each edge, true if it passes on the right, after following references to their
    /// ends.
    pub(super) fn signs(&self) -> Vec<bool> {
        let mut signs: Vec<Option<bool>> = vec![None; self.same.len()];
        let mut path = Vec::new();
        for edge in 0..signs.len() {
            let mut at = edge;
            while signs[at].is_none() {
                path.push(at);
                match self.reference[at] {
                    NONE => break,
                    next => at = next as usize,
                }
            }
            while let Some(at) = path.pop() {
                let base = match self.reference[at] {
                    NONE => true,
                    next => signs[next as usize].unwrap_or(true),
                };
                signs[at] = Some(base == self.same[at]);
            }
        }
        signs.into_iter().map(|sign| sign.unwrap_or(true)).collect()
    }
}
