//! Union-find: a partition of elements into disjoint sets.

/// Partition of the elements `0..n`: union-find with path halving (R. E. Tarjan and J. van Leeuwen,
/// 1984).
#[derive(Clone, Debug)]
pub struct UnionFind {
    /// Parent of each element. A root, which represents its set, is its own parent.
    parent: Vec<u32>,
}

impl UnionFind {
    /// Returns `elements` elements, fewer than 2³², each in a set of its own.
    pub fn new(elements: usize) -> UnionFind {
        UnionFind {
            parent: (0..elements as u32).collect(),
        }
    }

    /// Puts each element back in a set of its own.
    pub fn reset(&mut self) {
        for (parent, element) in self.parent.iter_mut().zip(0..) {
            *parent = element;
        }
    }

    /// Returns the representative of the element's set.
    pub fn top(&mut self, mut element: usize) -> usize {
        while self.parent[element] as usize != element {
            let parent = self.parent[element] as usize;
            self.parent[element] = self.parent[parent];
            element = parent;
        }
        element
    }

    /// Merges the sets of two elements and keeps the representative of `a`. Returns true if the
    /// sets were different.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.top(a), self.top(b));
        self.parent[b] = a as u32;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with labels that are all rewritten at each join.
        #[test]
        fn sets_agree_with_relabeling(pairs in prop::collection::vec((0usize..20, 0usize..20), 0..40)) {
            let mut sets = UnionFind::new(20);
            let mut labels: Vec<usize> = (0..20).collect();
            for (a, b) in pairs {
                let (top, from, to) = (sets.top(a), labels[b], labels[a]);
                prop_assert_eq!(sets.join(a, b), from != to);
                prop_assert_eq!(sets.top(b), top);
                labels.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
                for (x, y) in (0..20).zip(1..20) {
                    prop_assert_eq!(sets.top(x) == sets.top(y), labels[x] == labels[y]);
                }
            }
            sets.reset();
            prop_assert!((0..20).all(|element| sets.top(element) == element));
        }
    }
}
