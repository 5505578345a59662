//! Output of a network of KataGo for a game's present position, without a search.

use std::sync::Arc;

use super::grow::guide::Guidance;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_net::Weights;
use omnigo_net::katago::inputs::Facts;
use omnigo_net::katago::{Collector, Evaluator, Output};

/// Output of a network for a position.
#[derive(Clone, Debug)]
pub struct RawOutput {
    /// Player to move. The output is from this player's point of view.
    pub to_move: Color,
    /// Outputs of the network.
    pub output: Output,
    /// Policy of each point in index order, then of the pass. `None` if the move is illegal.
    pub policy: Vec<Option<f32>>,
}

/// Reason why a network has no output for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOutput {
    /// There is no network of KataGo.
    #[error("no network of KataGo, expected the option --net FILE at the start")]
    Network,
    /// The network does not know the board or the rules.
    #[error("the network does not know this board or these rules")]
    Game,
    /// The weights of the network are too large.
    #[error("the outputs of the network are not finite numbers, expected another network")]
    NotFinite,
}

/// Returns the output of the network for the present position, turned by a symmetry of KataGo. The
/// optimistic policy has the weight `optimism`, 0…1, by default that at the root of a search.
///
/// # Errors
/// If there is no network of KataGo, if it does not know the board or the rules, or if its outputs
/// are not finite.
pub fn raw_output<B: Board>(
    guidance: Option<&Guidance>,
    game: &Game<B>,
    symmetry: usize,
    optimism: Option<f32>,
) -> Result<RawOutput, NoOutput> {
    let guidance = guidance.ok_or(NoOutput::Network)?;
    let Weights::KataGo(network) = &guidance.network else {
        return Err(NoOutput::Network);
    };
    if !guidance.guides(game) {
        return Err(NoOutput::Game);
    }
    let (board, profile) = (game.board(), guidance.profile.as_ref());
    let evaluator = Evaluator::new(Arc::clone(network), board, guidance.kernel, profile);
    let mut evaluator = evaluator.ok_or(NoOutput::Game)?;
    let to_move = game.to_move();
    let line = Line::new(game, to_move);
    let moves = game.legal_moves(to_move);
    let legal: Vec<_> = moves.iter().filter_map(|mv| mv.vertex()).collect();
    let mut collector = Collector::new(game);
    let facts = Facts {
        advantage: guidance.parameters.advantage(to_move).for_color(to_move),
        ..collector.collect(&line, &[], &legal)
    };
    let optimism = optimism.unwrap_or(guidance.parameters.root_policy_optimism as f32);
    let output = evaluator.run(&facts, symmetry, optimism).clone();
    if !output.is_finite() {
        return Err(NoOutput::NotFinite);
    }
    let mut is_legal = vec![false; game.board().points() + 1];
    for mv in moves {
        let at = match mv {
            Move::Place(at) => at.index(),
            Move::Pass => game.board().points(),
        };
        if let Some(is_legal) = is_legal.get_mut(at) {
            *is_legal = true;
        }
    }
    let logits = || output.policy.iter().zip(&is_legal);
    let legal = || logits().filter(|&(_, &is_legal)| is_legal);
    let most = legal().map(|(&logit, _)| logit).fold(f32::MIN, f32::max);
    let sum: f32 = legal().map(|(&logit, _)| (logit - most).exp()).sum();
    let policy = logits()
        .map(|(&logit, &is_legal)| is_legal.then(|| (logit - most).exp() / sum))
        .collect();
    Ok(RawOutput {
        to_move,
        policy,
        output,
    })
}
