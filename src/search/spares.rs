//! Chunks of nodes that trees have given back, for the trees after them.
//!
//! A tree follows every move, and the one before it is dropped. What allocators make of that differs: pieces of old trees stay
//! behind in the heaps of several threads, and a process that plays for weeks is now large and now small. Chunks that
//! are used again are as many as the largest two trees had, and no more.

use std::sync::{Arc, Mutex, PoisonError};

use super::tree::{CHUNK, Node};

/// Chunks that nobody uses; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Spares(Arc<Mutex<Vec<Box<[Node]>>>>);

impl Spares {
    /// A chunk of [`CHUNK`] fresh nodes.
    pub(super) fn take(&self) -> Box<[Node]> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match spare {
            Some(mut chunk) => {
                chunk.fill_with(Node::default);
                chunk
            }
            None => (0..CHUNK).map(|_| Node::default()).collect(),
        }
    }

    /// Keeps a chunk for later.
    pub(super) fn give(&self, chunk: Box<[Node]>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(chunk);
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Prior;
    use crate::search::tree::Tree;
    use crate::vertex::{Move, Vertex};

    #[test]
    fn trees_that_follow_one_another_share_their_chunks() {
        let spares = Spares::default();
        let moves = || (0..3).map(|i| (Move::Place(Vertex::at(i)), Prior::default()));
        let mut tree = Tree::new(1 << 20, &spares);
        for _ in 0..20 {
            assert!(tree.node(tree.root()).claim());
            assert!(tree.expand(tree.root(), moves()));
            // The old tree and the new one are there at the same time, and one chunk is enough for each.
            tree = tree.subtree(tree.child(tree.root(), 1), 1 << 20);
            assert_eq!(spares.len(), 1);
            // What is used again is as new.
            assert!(!tree.node(tree.root()).is_expanded());
            assert!(tree.children(tree.root()).is_empty());
        }
        drop(tree);
        assert_eq!(spares.len(), 2);
        let tree = Tree::new(1 << 20, &spares);
        assert_eq!(tree.node(tree.root()).visits(), 0);
        assert_eq!(spares.len(), 1);
    }
}
