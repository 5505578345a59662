//! A review as texts and variations in the tree of a record.

use super::game::Game;
use super::notes::notes;
use super::walk::Review;
use crate::record::tree::{Growth, TreeNode};

/// Returns the tree of a game without set-ups and illegal moves. It holds everything of the file,
/// the moves, and the notes of the review. A second review adds no text twice.
pub(super) fn tree(game: &Game, review: &Review) -> Vec<TreeNode> {
    let mut tree = Growth::default();
    tree.add(&game.nodes());
    let line = tree.line(0, &game.moves());
    for note in notes(game, review) {
        let before = |step: usize| match step.checked_sub(1) {
            Some(step) => line.get(step).copied(),
            None => Some(0),
        };
        let (place, parent) = match note.step {
            None => (Some(0), None),
            Some(step) => (line.get(step).copied(), before(step)),
        };
        let mut texts = vec![(place, note.comment)];
        if let (Some(parent), Some(variation)) = (parent, note.variation) {
            let ends = tree.line(parent, &variation.moves);
            texts.push((ends.first().copied(), variation.comment));
        }
        for (place, text) in texts {
            if let Some(place) = place.filter(|&place| !tree.comment(place).contains(&text)) {
                tree.write(place, "", &text);
            }
        }
    }
    tree.nodes()
}
