//! A network of KataGo as a teacher of positions.

use std::sync::Arc;

use super::remote::{Remote, RemoteError};
use crate::board::Board;
use crate::game::{Game, Line};
use crate::net::katago::{Collector, Evaluator, Frame, KataGo, SYMMETRIES};
use crate::net::kernels::Kernel;
use crate::net::layout::BoardLayout;
use crate::playout::Random;
use crate::vertex::{Move, Vertex};

/// Outputs of the teacher for a position, from the point of view of the player to move.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// Probabilities of the legal moves. They add up to 1.
    pub policy: Vec<(Move, f32)>,
    /// Win probability. A game without a result counts as half a win.
    pub win: f32,
    /// Score lead in points, komi included.
    pub lead: f32,
    /// Ownership of each point, in index order: from 1 (the player to move) to −1.
    pub ownership: Vec<f32>,
}

impl Label {
    fn is_finite(&self) -> bool {
        let shares = self.policy.iter().map(|(_, share)| share);
        let values = [&self.win, &self.lead];
        let mut all = shares.chain(&self.ownership).chain(values);
        all.all(|value| value.is_finite())
    }
}

/// Evaluator of one game's positions.
pub struct Teacher<B: Board> {
    way: Way<B>,
}

/// Place where the network is computed.
enum Way<B: Board> {
    /// On this thread.
    Here(Box<Evaluator<B>>),
    /// In another program.
    There(Box<Frame<B>>, Arc<Remote>),
}

impl<B: Board> Teacher<B> {
    /// Returns a teacher for boards like `board`, which `remote` computes if there is one. `None`
    /// if the network cannot evaluate them, or if it imitates players.
    pub fn new(
        network: &Arc<KataGo>,
        board: &B,
        kernel: Kernel,
        remote: Option<&Arc<Remote>>,
    ) -> Option<Teacher<B>> {
        let (width, height) = board.rectangle()?;
        BoardLayout::new(width, height)?;
        let network = Arc::clone(network);
        let way = match remote {
            Some(remote) => Way::There(Box::new(Frame::new(network, board)?), Arc::clone(remote)),
            None => Way::Here(Box::new(Evaluator::new(network, board, kernel, None)?)),
        };
        Some(Teacher { way })
    }

    /// Labels the present position of a game, in a random symmetry. `moves` are the legal moves.
    ///
    /// # Errors
    /// If the other program fails, or an output is not a finite number.
    pub fn label(
        &mut self,
        game: &Game<B>,
        moves: &[Move],
        random: &mut Random,
    ) -> Result<Label, RemoteError> {
        let line = Line::new(game, game.to_move());
        let legal: Vec<Vertex> = moves.iter().filter_map(|mv| mv.vertex()).collect();
        let mut collector = Collector::new(game);
        let facts = collector.collect(&line, &[], &legal);
        let symmetry = random.below(SYMMETRIES);
        let output = match &mut self.way {
            Way::Here(evaluator) => evaluator.run(&facts, symmetry, 0.0),
            Way::There(frame, remote) => {
                frame.extract(&facts);
                let raw = remote.pass(&frame.turn(symmetry))?;
                frame.finish(&raw, facts.rules, symmetry, 0.0)
            }
        };
        let label = Label {
            policy: distribution(&output.policy, moves, 1.0),
            win: output.win + 0.5 * output.no_result,
            lead: output.lead,
            ownership: output.ownership.clone(),
        };
        match label.is_finite() {
            true => Ok(label),
            false => Err(RemoteError::NotFinite),
        }
    }
}

/// Returns the probabilities of these moves at a temperature. `logits` are those of each point in
/// index order, then of the pass.
pub fn distribution(logits: &[f32], moves: &[Move], temperature: f32) -> Vec<(Move, f32)> {
    let pass = logits.len().saturating_sub(1);
    let logit = |mv: Move| {
        let at = mv.vertex().map_or(pass, Vertex::index);
        logits.get(at).copied().unwrap_or(f32::MIN)
    };
    let most = moves.iter().map(|&mv| logit(mv)).fold(f32::MIN, f32::max);
    let weight = |mv: Move| ((logit(mv) - most) / temperature).exp();
    let sum: f32 = moves.iter().map(|&mv| weight(mv)).sum();
    moves.iter().map(|&mv| (mv, weight(mv) / sum)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_follow_the_logits_of_legal_moves() {
        let moves = [Move::Place(Vertex::at(1)), Move::Pass];
        let logits = [9.0, 1.0, 5.0, 1.0 + 3f32.ln()];
        let found = distribution(&logits, &moves, 1.0);
        assert!((found[0].1 - 0.25).abs() < 1e-6 && (found[1].1 - 0.75).abs() < 1e-6);
        let cold = distribution(&logits, &moves, 0.5);
        assert!((cold[1].1 - 0.9).abs() < 1e-6, "{cold:?}");
    }
}
