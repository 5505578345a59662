//! Tree of the variations of a game.

use serde_json::{Map, Value, json};

use crate::color::Color;
use crate::graph::names::Names;
use crate::notation::move_alias;
use crate::record::tree::TreeNode;
use crate::text::four_decimals;
use crate::vertex::Move;

/// Maximum number of nodes, with deleted ones, whose numbers stay taken.
pub(super) const MOST_NODES: usize = 50_000;
/// Maximum length of a comment, in bytes.
pub(super) const MOST_COMMENT: usize = 64 << 10;
/// Maximum length of all comments and names, in bytes.
const MOST_TEXT: usize = 16 << 20;

/// Best analysis of a position, from Black's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) winrate: f64,
    pub(super) lead: f64,
    pub(super) visits: u32,
}

/// Position of a game: the move to it, and its children.
#[derive(Clone, Debug, Default)]
struct Node {
    parent: Option<u32>,
    /// Move to this position; `None` at the root.
    mv: Option<(Color, Move)>,
    children: Vec<u32>,
    /// Child that was visited last.
    visited: Option<u32>,
    name: String,
    comment: String,
    figures: Option<Figures>,
}

/// Tree with a current node. The root has number 0, and numbers are never used twice.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Option<Node>>,
    current: u32,
    /// Bytes of all names and comments.
    text: usize,
}

/// Reason why a tree cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeError {
    /// No node has this number.
    Unknown,
    /// The tree or a text is full.
    Full,
    /// The root cannot be deleted or promoted.
    Root,
}

impl Tree {
    /// Returns a tree with the root only.
    pub(super) fn new() -> Tree {
        Tree {
            nodes: vec![Some(Node::default())],
            current: 0,
            text: 0,
        }
    }

    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)?.as_ref()
    }

    fn node_mut(&mut self, number: u32) -> Option<&mut Node> {
        self.nodes.get_mut(number as usize)?.as_mut()
    }

    /// Returns the number of the current node.
    pub(super) fn current(&self) -> u32 {
        self.current
    }

    /// Returns true if a node has this number.
    pub(super) fn has(&self, number: u32) -> bool {
        self.node(number).is_some()
    }

    /// Returns the parent of a node.
    pub(super) fn parent(&self, number: u32) -> Option<u32> {
        self.node(number)?.parent
    }

    /// Returns the move to a node.
    pub(super) fn mv(&self, number: u32) -> Option<(Color, Move)> {
        self.node(number)?.mv
    }

    /// Returns the child that was visited last, or the first one.
    pub(super) fn next(&self) -> Option<u32> {
        let node = self.node(self.current)?;
        let visited = node.visited.filter(|child| node.children.contains(child));
        visited.or_else(|| node.children.first().copied())
    }

    /// Returns true if the current node has a child.
    pub(super) fn has_next(&self) -> bool {
        self.next().is_some()
    }

    /// Returns the comment or the name of a node, or an empty text.
    pub(super) fn text(&self, number: u32, name: bool) -> &str {
        let node = self.node(number);
        node.map_or("", |node| if name { &node.name } else { &node.comment })
    }

    /// Returns the last node of the main line, which follows the first children.
    pub(super) fn end(&self) -> u32 {
        let mut at = 0;
        while let Some(&child) = self.node(at).and_then(|node| node.children.first()) {
            at = child;
        }
        at
    }

    /// Returns all nodes for a record: each before its children, first children first.
    pub(super) fn record_nodes(&self) -> Vec<TreeNode> {
        let mut all: Vec<TreeNode> = Vec::new();
        let mut open = vec![(0, None)];
        while let Some((number, parent)) = open.pop() {
            let Some(node) = self.node(number) else {
                continue;
            };
            let own = all.len();
            all.push(TreeNode {
                parent,
                mv: node.mv,
                name: node.name.clone(),
                comment: node.comment.clone(),
                is_odd: false,
            });
            let children = node.children.iter().rev();
            open.extend(children.map(|&child| (child, Some(own))));
        }
        all
    }

    /// Puts the children of every node in the order of their first places in this list. Children
    /// that it leaves out come last.
    pub(super) fn arrange(&mut self, order: &[Option<u32>]) {
        let mut ranks = vec![usize::MAX; self.nodes.len()];
        for (rank, number) in order.iter().enumerate() {
            let slot = number.and_then(|number| ranks.get_mut(number as usize));
            if let Some(slot) = slot {
                *slot = rank.min(*slot);
            }
        }
        for node in self.nodes.iter_mut().flatten() {
            let rank = |child: &u32| ranks.get(*child as usize).copied();
            node.children.sort_by_key(rank);
        }
    }

    /// Forgets which children were visited, so that [`Tree::next`] follows the main line.
    pub(super) fn forget_visits(&mut self) {
        for node in self.nodes.iter_mut().flatten() {
            node.visited = None;
        }
    }

    /// Returns the moves from the root to a node.
    pub(super) fn line(&self, number: u32) -> Vec<(Color, Move)> {
        let mut line = Vec::new();
        let mut at = Some(number);
        while let Some(node) = at.and_then(|number| self.node(number)) {
            line.extend(node.mv);
            at = node.parent;
        }
        line.reverse();
        line
    }

    /// Goes to a node. Returns false if there is none.
    pub(super) fn go(&mut self, number: u32) -> bool {
        let Some(parent) = self.node(number).map(|node| node.parent) else {
            return false;
        };
        self.current = number;
        if let Some(parent) = parent.and_then(|parent| self.node_mut(parent)) {
            parent.visited = Some(number);
        }
        true
    }

    /// Goes to the child for a move, and adds it if it is new. Returns its number, and true if it
    /// is new.
    ///
    /// # Errors
    /// If the tree is full.
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(u32, bool), TreeError> {
        let node = self.node(self.current).ok_or(TreeError::Unknown)?;
        let same = |&child: &u32| self.mv(child) == Some((color, mv));
        if let Some(child) = node.children.iter().copied().find(same) {
            self.go(child);
            return Ok((child, false));
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(TreeError::Full);
        }
        let number = u32::try_from(self.nodes.len()).map_err(|_| TreeError::Full)?;
        self.nodes.push(Some(Node {
            parent: Some(self.current),
            mv: Some((color, mv)),
            ..Node::default()
        }));
        let current = self.current;
        if let Some(node) = self.node_mut(current) {
            node.children.push(number);
        }
        self.go(number);
        Ok((number, true))
    }

    /// Sets the comment or the name of a node.
    ///
    /// # Errors
    /// If there is no such node, or the text is too long.
    pub(super) fn write(&mut self, number: u32, text: String, name: bool) -> Result<(), TreeError> {
        let node = self.node(number).ok_or(TreeError::Unknown)?;
        let before = if name {
            node.name.len()
        } else {
            node.comment.len()
        };
        let total = self.text - before + text.len();
        if text.len() > MOST_COMMENT || total > MOST_TEXT {
            return Err(TreeError::Full);
        }
        self.text = total;
        if let Some(node) = self.node_mut(number) {
            match name {
                true => node.name = text,
                false => node.comment = text,
            }
        }
        Ok(())
    }

    /// Keeps an analysis of a node. Returns false if a better one is known.
    pub(super) fn note(&mut self, number: u32, figures: Figures) -> bool {
        match self.node_mut(number) {
            Some(node) if node.figures.is_none_or(|old| old.visits < figures.visits) => {
                node.figures = Some(figures);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Makes a node the first child of its parent.
    ///
    /// # Errors
    /// If there is no such node, or it is the root.
    pub(super) fn promote(&mut self, number: u32) -> Result<(), TreeError> {
        let node = self.node(number).ok_or(TreeError::Unknown)?;
        let parent = node.parent.ok_or(TreeError::Root)?;
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|&child| child != number);
            parent.children.insert(0, number);
        }
        Ok(())
    }

    /// Deletes a node and everything below it. If the current node is among them, its parent
    /// becomes the current node.
    ///
    /// # Errors
    /// If there is no such node, or it is the root.
    pub(super) fn delete(&mut self, number: u32) -> Result<(), TreeError> {
        let node = self.node(number).ok_or(TreeError::Unknown)?;
        let parent = node.parent.ok_or(TreeError::Root)?;
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|&child| child != number);
        }
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            let slot = self.nodes.get_mut(number as usize);
            if let Some(node) = slot.and_then(Option::take) {
                self.text -= node.name.len() + node.comment.len();
                open.extend(node.children);
            }
            if self.current == number {
                self.current = parent;
            }
        }
        Ok(())
    }

    /// Returns the message that describes one node.
    pub(super) fn describe(&self, number: u32, names: &Names) -> Option<Value> {
        let node = self.node(number)?;
        let mut object = Map::new();
        object.insert("id".to_string(), json!(number));
        object.insert("parent".to_string(), json!(node.parent));
        if let Some((color, mv)) = node.mv {
            object.insert("color".to_string(), json!(color.to_string()));
            object.insert("vertex".to_string(), json!(move_alias(names, mv)));
        }
        for (key, text) in [("name", &node.name), ("comment", &node.comment)] {
            if !text.is_empty() {
                object.insert(key.to_string(), json!(text));
            }
        }
        if let Some(figures) = node.figures {
            object.insert("winrate".to_string(), json!(four_decimals(figures.winrate)));
            object.insert("lead".to_string(), json!(four_decimals(figures.lead)));
            object.insert("visits".to_string(), json!(figures.visits));
        }
        Some(Value::Object(object))
    }

    /// Returns the descriptions of all nodes: each before its children, first children first.
    pub(super) fn describe_all(&self, names: &Names) -> Vec<Value> {
        let mut all = Vec::new();
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            all.extend(self.describe(number, names));
            if let Some(node) = self.node(number) {
                open.extend(node.children.iter().rev());
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::Vertex;

    fn place(index: usize) -> Move {
        Move::Place(Vertex::at(index))
    }

    #[test]
    fn variations_share_their_beginning() {
        let mut tree = Tree::new();
        let (first, _) = tree.play(Color::BLACK, place(0)).unwrap();
        let (second, _) = tree.play(Color::WHITE, place(1)).unwrap();
        assert!(tree.go(first));
        assert_eq!(tree.play(Color::WHITE, place(1)), Ok((second, false)));
        tree.go(first);
        let (other, new) = tree.play(Color::WHITE, place(2)).unwrap();
        assert!(new);
        assert_eq!(tree.line(other).len(), 2);
        tree.go(first);
        assert_eq!(tree.next(), Some(other), "the child visited last");
        tree.promote(other).unwrap();
        let names = Names::coordinates(3, 3);
        let order: Vec<u64> = tree
            .describe_all(&names)
            .iter()
            .map(|node| node["id"].as_u64().unwrap())
            .collect();
        assert_eq!(order, [0, 1, 3, 2]);
        assert_eq!(tree.end(), other, "the promoted child");
        let parents: Vec<_> = tree.record_nodes().iter().map(|one| one.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(1)]);
        tree.arrange(&[Some(0), Some(second), None, Some(other), Some(second)]);
        assert_eq!(tree.end(), second, "the first of the list");
        tree.arrange(&[Some(other)]);
        assert_eq!(tree.end(), other, "before a child that is left out");
    }

    #[test]
    fn deleting_a_branch_moves_the_current_node_out_of_it() {
        let mut tree = Tree::new();
        let (first, _) = tree.play(Color::BLACK, place(0)).unwrap();
        tree.play(Color::WHITE, place(1)).unwrap();
        tree.write(first, "text".to_string(), false).unwrap();
        tree.delete(first).unwrap();
        assert_eq!((tree.current(), tree.text), (0, 0));
        assert_eq!(tree.delete(first), Err(TreeError::Unknown));
        assert_eq!(tree.delete(0), Err(TreeError::Root));
    }

    #[test]
    fn trees_and_texts_are_bounded() {
        let mut tree = Tree::new();
        for _ in 1..MOST_NODES {
            tree.play(Color::BLACK, Move::Pass).unwrap();
        }
        assert_eq!(tree.play(Color::BLACK, Move::Pass), Err(TreeError::Full));
        let long = "x".repeat(MOST_COMMENT + 1);
        assert_eq!(tree.write(0, long, false), Err(TreeError::Full));
        let most = "x".repeat(MOST_COMMENT);
        let filled = (0..).find(|&node| tree.write(node, most.clone(), false).is_err());
        assert_eq!(filled, Some((MOST_TEXT / MOST_COMMENT) as u32));
    }
}
