//! Tree of a game: its moves and variations with their names and comments.

use std::collections::HashMap;

use crate::color::Color;
use crate::vertex::Move;

/// Node of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// Index of the parent in the list of nodes. The parent comes earlier. `None` at the root.
    pub parent: Option<usize>,
    /// Move of the node.
    pub mv: Option<(Color, Move)>,
    /// Name of the node.
    pub name: String,
    /// Comment on the position after the move.
    pub comment: String,
    /// True if the node also adds or removes stones, or if its move cannot be read.
    pub is_odd: bool,
}

/// Tree that grows by lines of moves and by the nodes of other trees.
///
/// A position has one child for each move, so equal variations become one.
///
/// ```
/// use omnigo::color::Color;
/// use omnigo::record::tree::Growth;
/// use omnigo::vertex::{Move, Vertex};
/// let play = |color, index| (color, Move::Place(Vertex::at(index)));
/// let mut tree = Growth::default();
/// tree.line(0, &[play(Color::BLACK, 0), play(Color::WHITE, 1)]);
/// let other = tree.line(0, &[play(Color::BLACK, 0), play(Color::WHITE, 2)]);
/// tree.write(other[1], "", "also possible");
/// let parents: Vec<_> = tree.nodes().iter().map(|node| node.parent).collect();
/// assert_eq!(parents, [None, Some(0), Some(1), Some(1)]);
/// ```
#[derive(Clone, Debug)]
pub struct Growth {
    nodes: Vec<TreeNode>,
    /// Children of each node, in the order in which they were added.
    children: Vec<Vec<usize>>,
    /// Child of a node for a move.
    known: HashMap<(usize, (Color, Move)), usize>,
}

impl Default for Growth {
    /// Returns a tree with the root only, whose index is 0.
    fn default() -> Growth {
        Growth {
            nodes: vec![TreeNode::default()],
            children: vec![Vec::new()],
            known: HashMap::new(),
        }
    }
}

impl Growth {
    /// Adds a line of moves below a node. Returns the index of the node after each move.
    pub fn line(&mut self, from: usize, moves: &[(Color, Move)]) -> Vec<usize> {
        let mut at = from;
        let follow = moves.iter().map(|&mv| {
            at = self.child(at, mv);
            at
        });
        follow.collect()
    }

    /// Adds the nodes of a tree, which come after their parents. A node without a move adds its
    /// texts to its parent. Odd nodes are left out with everything below them.
    pub fn add(&mut self, nodes: &[TreeNode]) {
        // Index here for each node of the other tree.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let parent = match node.parent {
                None => Some(0),
                Some(parent) => places.get(parent).copied().flatten(),
            };
            let place = parent
                .filter(|_| !node.is_odd)
                .map(|parent| node.mv.map_or(parent, |mv| self.child(parent, mv)));
            if let Some(place) = place {
                self.write(place, &node.name, &node.comment);
            }
            places.push(place);
        }
    }

    /// Adds texts to those of a node, each on a new line.
    pub fn write(&mut self, place: usize, name: &str, comment: &str) {
        let Some(node) = self.nodes.get_mut(place) else {
            return;
        };
        for (own, text) in [(&mut node.name, name), (&mut node.comment, comment)] {
            if !own.is_empty() && !text.is_empty() {
                own.push('\n');
            }
            own.push_str(text);
        }
    }

    /// Returns the comment of a node, or an empty text.
    pub fn comment(&self, place: usize) -> &str {
        let node = self.nodes.get(place);
        node.map_or("", |node| node.comment.as_str())
    }

    /// Returns all nodes: each before its children, first children first.
    pub fn nodes(&self) -> Vec<TreeNode> {
        let mut all: Vec<TreeNode> = Vec::with_capacity(self.nodes.len());
        let mut open = vec![(0, None)];
        while let Some((place, parent)) = open.pop() {
            let Some(node) = self.nodes.get(place) else {
                continue;
            };
            let own = all.len();
            all.push(TreeNode {
                parent,
                ..node.clone()
            });
            let children = self.children.get(place).into_iter().flatten().rev();
            open.extend(children.map(|&child| (child, Some(own))));
        }
        all
    }

    /// Returns the child of a node for a move, and adds it if it is new.
    fn child(&mut self, parent: usize, mv: (Color, Move)) -> usize {
        if let Some(&child) = self.known.get(&(parent, mv)) {
            return child;
        }
        let child = self.nodes.len();
        self.nodes.push(TreeNode {
            parent: Some(parent),
            mv: Some(mv),
            ..TreeNode::default()
        });
        self.children.push(Vec::new());
        if let Some(siblings) = self.children.get_mut(parent) {
            siblings.push(child);
        }
        self.known.insert((parent, mv), child);
        child
    }
}

/// Returns true if a tree is a part of one line of moves from the start, without texts.
pub fn is_bare(nodes: &[TreeNode], line: &[(Color, Move)]) -> bool {
    let known = std::iter::once(None).chain(line.iter().copied().map(Some));
    nodes.len() <= line.len() + 1
        && nodes
            .iter()
            .zip(known)
            .enumerate()
            .all(|(index, (node, mv))| {
                let silent = node.name.is_empty() && node.comment.is_empty();
                silent && node.mv == mv && node.parent == index.checked_sub(1)
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::Vertex;

    fn place(color: Color, index: usize) -> (Color, Move) {
        (color, Move::Place(Vertex::at(index)))
    }

    fn node(parent: usize, mv: Option<(Color, Move)>, comment: &str) -> TreeNode {
        TreeNode {
            parent: Some(parent),
            mv,
            comment: comment.to_string(),
            ..TreeNode::default()
        }
    }

    #[test]
    fn trees_are_joined_and_odd_nodes_left_out() {
        let (a, b, c) = (
            place(Color::BLACK, 0),
            place(Color::WHITE, 1),
            place(Color::WHITE, 2),
        );
        let mut tree = Growth::default();
        let line = tree.line(0, &[a, b]);
        assert_eq!(line, [1, 2]);
        let odd = TreeNode {
            is_odd: true,
            ..node(1, Some(c), "odd")
        };
        tree.add(&[
            TreeNode::default(),
            node(0, Some(a), "first"),
            node(1, None, "more"),
            odd,
            node(3, Some(b), "below an odd node"),
            node(2, Some(c), "other"),
            node(77, Some(c), "no parent"),
        ]);
        let nodes = tree.nodes();
        let found: Vec<_> = nodes
            .iter()
            .map(|node| (node.parent, node.mv, node.comment.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (None, None, ""),
                (Some(0), Some(a), "first\nmore"),
                (Some(1), Some(b), ""),
                (Some(1), Some(c), "other"),
            ]
        );
        let mut again = Growth::default();
        again.add(&nodes);
        assert_eq!(again.nodes(), nodes);
    }

    #[test]
    fn a_line_without_texts_is_bare() {
        let line = [place(Color::BLACK, 0), place(Color::WHITE, 1)];
        let mut tree = Growth::default();
        assert!(is_bare(&tree.nodes(), &[]) && is_bare(&[], &line));
        let ends = tree.line(0, &line);
        assert!(is_bare(&tree.nodes(), &line));
        assert!(!is_bare(&tree.nodes(), &line[..1]), "it goes on");
        tree.write(ends[1], "", "text");
        assert!(!is_bare(&tree.nodes(), &line));
    }

    #[test]
    fn trees_of_any_depth_are_listed() {
        let line: Vec<_> = (0..100_000)
            .map(|index| {
                (
                    Color::BLACK,
                    [Move::Pass, place(Color::BLACK, 1).1][index % 2],
                )
            })
            .collect();
        let mut tree = Growth::default();
        tree.line(0, &line);
        assert!(is_bare(&tree.nodes(), &line));
    }
}
