//! Variations of a file, taken into the tree of a game.

use super::room::Room;
use crate::record::sgf::TreeNode;

impl Room {
    /// Adds the nodes of a file to the tree, with their names and comments. The main line is in the
    /// tree already, and its end stays the current node. Returns the number of nodes that were left
    /// out, because a move is illegal, stones are set up, or the tree is full.
    ///
    /// # Errors
    /// One line, if the engine cannot return to the current node.
    pub(super) fn plant(&mut self, nodes: &[TreeNode]) -> Result<usize, String> {
        if nodes.is_empty() {
            return Ok(0);
        }
        let end = self.record.tree.current();
        let mut left_out = 0;
        // Node of the tree for each node of the file.
        let mut places: Vec<Option<u32>> = Vec::with_capacity(nodes.len());
        self.go(0)?;
        // Nodes from the root to the position of the engine.
        let mut path = vec![0];
        for node in nodes {
            let parent = match node.parent {
                None => Some(0),
                Some(parent) => places.get(parent).copied().flatten(),
            };
            let place = parent.and_then(|parent| self.plant_node(&mut path, parent, node));
            left_out += usize::from(place.is_none());
            places.push(place);
        }
        while path.len() > 1 && path.pop().is_some() {
            self.session.engine.undo();
        }
        self.record.tree.go(0);
        self.record.tree.forget_visits();
        self.go(end)?;
        Ok(left_out)
    }

    /// Adds one node below `parent`, and returns its number. `None` if it is left out. Nodes come
    /// in the order of the file, so the parent is on the path.
    fn plant_node(&mut self, path: &mut Vec<u32>, parent: u32, node: &TreeNode) -> Option<u32> {
        while path.last() != Some(&parent) {
            if path.len() < 2 || !self.session.engine.undo() {
                return None;
            }
            path.pop();
        }
        if node.is_odd {
            return None;
        }
        let mut place = parent;
        if let Some((color, mv)) = node.mv {
            self.session.engine.play(color, mv).ok()?;
            self.record.tree.go(parent);
            let Ok((child, _)) = self.record.tree.play(color, mv) else {
                self.session.engine.undo();
                return None;
            };
            place = child;
            path.push(child);
        }
        for (text, is_name) in [(&node.comment, false), (&node.name, true)] {
            if text.is_empty() {
                continue;
            }
            // Nodes without a move add their texts to those of their parent.
            let before = self.record.tree.text(place, is_name);
            let joined = match before.is_empty() {
                true => text.clone(),
                false => format!("{before}\n{text}"),
            };
            // A text beyond the limits is left out, and its node stays.
            let _ = self.record.tree.write(place, joined, is_name);
        }
        Some(place)
    }
}
