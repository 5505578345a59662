//! Variations of a file, taken into the tree of a game.

use super::room::Room;
use crate::record::tree::TreeNode;

/// Number of parts of a file that the tree does not contain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    /// Nodes whose move is illegal, that set up stones, or that are too many.
    nodes: usize,
    /// Names and comments beyond the limits.
    texts: usize,
}

impl LeftOut {
    /// Returns one line for each kind.
    pub(super) fn warnings(self) -> impl Iterator<Item = String> {
        let line = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one} and was left out")),
            _ => Some(format!("{count} {many} and were left out")),
        };
        let nodes = line(
            self.nodes,
            "node cannot be played here",
            "nodes cannot be played here",
        );
        let texts = line(
            self.texts,
            "name or comment is too long",
            "names and comments are too long",
        );
        nodes.into_iter().chain(texts)
    }
}

impl Room {
    /// Adds the nodes of a file to the tree, with their names and comments. One line of moves is in
    /// the tree already, and its end stays the current node. Returns the number of nodes and texts
    /// that were left out.
    ///
    /// # Errors
    /// One line, if the engine cannot return to the current node.
    pub(super) fn plant(&mut self, nodes: &[TreeNode]) -> Result<LeftOut, String> {
        let mut left_out = LeftOut::default();
        if nodes.is_empty() {
            return Ok(left_out);
        }
        let end = self.record.tree.current();
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
            let place = parent
                .and_then(|parent| self.plant_node(&mut path, parent, node, &mut left_out.texts));
            left_out.nodes += usize::from(place.is_none());
            places.push(place);
        }
        while path.len() > 1 && path.pop().is_some() {
            self.session.engine.undo();
        }
        self.record.tree.go(0);
        self.record.tree.arrange(&places);
        self.record.tree.forget_visits();
        self.go(end)?;
        Ok(left_out)
    }

    /// Adds one node below `parent`, and returns its number. `None` if it is left out. Nodes come
    /// in the order of the file, so the parent is on the path. Counts its texts that are left out.
    fn plant_node(
        &mut self,
        path: &mut Vec<u32>,
        parent: u32,
        node: &TreeNode,
        texts_left: &mut usize,
    ) -> Option<u32> {
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
            let written = self.record.tree.write(place, joined, is_name);
            *texts_left += usize::from(written.is_err());
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_left_out_are_told_in_one_line_for_each_kind() {
        let lines = |nodes, texts| LeftOut { nodes, texts }.warnings().collect::<Vec<_>>();
        assert!(lines(0, 0).is_empty());
        assert_eq!(
            lines(2, 1),
            [
                "2 nodes cannot be played here and were left out",
                "1 name or comment is too long and was left out",
            ]
        );
    }
}
