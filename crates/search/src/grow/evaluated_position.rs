//! Evaluation of one position by a network of any kind. A network of KataGo may see the position in
//! several symmetries, and the evaluations are then averaged.

use super::utility::ValueEstimate;
use crate::parameters::Parameters;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::Line;
use omnigo_core::playout::Random;
use omnigo_net::features::{RECENT_MOVES, Situation};
use omnigo_net::katago::inputs::Facts;
use omnigo_net::katago::{self, Collector, Output, SYMMETRIES, View};
use omnigo_net::leela;
use omnigo_net::{Evaluation, Evaluator, bonus};

/// Position at the end of a line, with all that a network needs to evaluate it. Each function
/// `evaluate_…` stores the evaluation and returns the estimate, both for the player to move.
pub(super) struct EvaluatedPosition<'a, B: Board> {
    pub(super) line: &'a Line<'a, B>,
    /// Moves of the line, from the latest back.
    pub(super) path: &'a [Option<Vertex>],
    pub(super) legal: &'a [Vertex],
    pub(super) can_pass: bool,
    /// Assumed advantage in strength of the player to move, in doublings of playouts.
    pub(super) advantage: f32,
}

impl<B: Board> EvaluatedPosition<'_, B> {
    /// Returns true if the line has no moves.
    pub(super) fn is_root(&self) -> bool {
        self.path.is_empty()
    }

    /// Evaluates the position by one of omnigo's own networks.
    pub(super) fn evaluate_omnigo(
        &self,
        evaluator: &mut Evaluator<B>,
        evaluation: &mut Evaluation,
    ) -> ValueEstimate {
        let (line, can_pass) = (self.line, self.can_pass);
        let mut recent = [None; RECENT_MOVES];
        let mut count = 0;
        let earlier = line.game().moves().rev().map(|(_, mv)| mv.vertex());
        let moves = self.path.iter().copied().chain(earlier);
        for (place, mv) in recent.iter_mut().zip(moves) {
            *place = mv;
            count += 1;
        }
        let situation = Situation {
            to_move: line.to_move(),
            recent: &recent[..count],
            legal: self.legal,
        };
        evaluator.evaluate(line.board(), situation, bonus(line), can_pass, evaluation);
        let score = f64::from(evaluation.score);
        ValueEstimate {
            win_loss: win_loss(evaluation),
            score,
            score_square: score * score,
            errors: None,
        }
    }

    /// Returns the views in which a network of KataGo sees the position.
    pub(super) fn views(
        &self,
        parameters: &Parameters,
        random: &mut Random,
    ) -> impl Iterator<Item = View> {
        let (optimism, count) = match self.is_root() {
            true => (
                parameters.root_policy_optimism,
                parameters.root_num_symmetries_to_sample,
            ),
            false => (parameters.policy_optimism, 1),
        };
        symmetries(count as usize, random).map(move |symmetry| View {
            symmetry,
            optimism: optimism as f32,
        })
    }

    /// Evaluates the position by a network of KataGo: the mean over the views. Stores the mean
    /// ownership of several views in `ownership`, and clears it for one view.
    pub(super) fn evaluate_katago(
        &self,
        evaluator: &mut katago::Evaluator<B>,
        collector: &mut Collector<B>,
        views: impl Iterator<Item = View>,
        evaluation: &mut Evaluation,
        ownership: &mut Vec<f32>,
    ) -> ValueEstimate {
        let facts = Facts {
            advantage: self.advantage,
            ..collector.collect(self.line, self.path, self.legal)
        };
        let mut mean = Mean::default();
        for view in views {
            evaluator.evaluate(&facts, self.legal, self.can_pass, view, evaluation);
            let output = evaluator.output();
            mean.add(evaluation, value_estimate_of(output), &output.ownership);
        }
        mean.finish(evaluation, ownership)
    }

    /// Evaluates the position by a network of Leela Zero, in one symmetry.
    pub(super) fn evaluate_leela(
        &self,
        evaluator: &mut leela::Evaluator<B>,
        symmetry: usize,
        evaluation: &mut Evaluation,
    ) -> ValueEstimate {
        let (legal, can_pass) = (self.legal, self.can_pass);
        evaluator.evaluate(self.line, self.path, legal, can_pass, symmetry, evaluation);
        ValueEstimate {
            win_loss: win_loss(evaluation),
            ..ValueEstimate::default()
        }
    }
}

/// Returns the win probability as a value from −1, a loss, to 1.
fn win_loss(evaluation: &Evaluation) -> f64 {
    2.0 * f64::from(evaluation.win) - 1.0
}

/// Returns `count` different symmetries in random order, at least one and at most [`SYMMETRIES`].
fn symmetries(count: usize, random: &mut Random) -> impl Iterator<Item = usize> {
    let mut all: [usize; SYMMETRIES] = std::array::from_fn(|symmetry| symmetry);
    let count = count.clamp(1, SYMMETRIES);
    for place in 0..count {
        all.swap(place, place + random.below(SYMMETRIES - place));
    }
    all.into_iter().take(count)
}

/// Returns the estimate in the output of a network of KataGo.
fn value_estimate_of(output: &Output) -> ValueEstimate {
    let errors = output.value_error.zip(output.score_error);
    ValueEstimate {
        win_loss: f64::from(output.win) - f64::from(output.loss),
        score: output.score.into(),
        score_square: output.score_square.into(),
        errors: errors.map(|(value, score)| [value.into(), score.into()]),
    }
}

/// Sum of the evaluations of a position in several symmetries.
#[derive(Default)]
struct Mean {
    evaluation: Evaluation,
    estimate: ValueEstimate,
    ownership: Vec<f32>,
    count: f32,
}

impl Mean {
    fn add(&mut self, evaluation: &Evaluation, estimate: ValueEstimate, ownership: &[f32]) {
        let sum = &mut self.evaluation;
        sum.priors.resize(evaluation.priors.len(), 0.0);
        for (sum, one) in sum.priors.iter_mut().zip(&evaluation.priors) {
            *sum += one;
        }
        sum.pass += evaluation.pass;
        sum.win += evaluation.win;
        sum.score += evaluation.score;
        let sum = &mut self.estimate;
        sum.win_loss += estimate.win_loss;
        sum.score += estimate.score;
        sum.score_square += estimate.score_square;
        sum.errors = estimate.errors.map(|[value, score]| {
            let [values, scores] = sum.errors.unwrap_or_default();
            [values + value, scores + score]
        });
        self.ownership.resize(ownership.len(), 0.0);
        for (sum, one) in self.ownership.iter_mut().zip(ownership) {
            *sum += one;
        }
        self.count += 1.0;
    }

    /// Stores the mean in `evaluation` and `ownership`, and returns the mean estimate. Leaves
    /// `ownership` empty after one evaluation.
    fn finish(self, evaluation: &mut Evaluation, ownership: &mut Vec<f32>) -> ValueEstimate {
        ownership.clear();
        // The mean of one is exact.
        if self.count > 1.0 {
            let count = self.count;
            let sum = self.evaluation;
            evaluation.priors.clear();
            let priors = sum.priors.iter().map(|prior| prior / count);
            evaluation.priors.extend(priors);
            evaluation.pass = sum.pass / count;
            evaluation.win = sum.win / count;
            evaluation.score = sum.score / count;
            ownership.extend(self.ownership.iter().map(|owner| owner / count));
        }
        let (sum, count) = (self.estimate, f64::from(self.count));
        ValueEstimate {
            win_loss: sum.win_loss / count,
            score: sum.score / count,
            score_square: sum.score_square / count,
            errors: sum.errors.map(|sums| sums.map(|sum| sum / count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_different_and_one_takes_one_random_number() {
        let mut random = Random::new(1);
        let mut all: Vec<usize> = symmetries(SYMMETRIES, &mut random).collect();
        all.sort_unstable();
        assert_eq!(all, (0..SYMMETRIES).collect::<Vec<_>>());
        let (mut one, mut other) = (Random::new(3), Random::new(3));
        for _ in 0..20 {
            let drawn: Vec<usize> = symmetries(1, &mut one).collect();
            assert_eq!(drawn, [other.below(SYMMETRIES)]);
        }
        assert_eq!(symmetries(0, &mut one).count(), 1);
    }

    #[test]
    fn evaluations_of_several_symmetries_are_averaged() {
        let evaluation = |first: f32, win: f32| Evaluation {
            priors: vec![first, 0.5],
            pass: 0.5 - first,
            win,
            score: 10.0 * win,
        };
        let estimate = |win_loss: f64| ValueEstimate {
            win_loss,
            score: 4.0,
            score_square: 20.0,
            errors: Some([win_loss, 1.0]),
        };
        let mut mean = Mean::default();
        mean.add(&evaluation(0.25, 0.5), estimate(0.0), &[1.0, -1.0]);
        let mut last = evaluation(0.5, 1.0);
        mean.add(&last, estimate(1.0), &[0.5, 0.0]);
        let mut ownership = Vec::new();
        let found = mean.finish(&mut last, &mut ownership);
        assert_eq!(ownership, [0.75, -0.5]);
        assert_eq!(last.priors, [0.375, 0.5]);
        assert_eq!((last.pass, last.win, last.score), (0.125, 0.75, 7.5));
        assert_eq!((found.win_loss, found.score), (0.5, 4.0));
        assert_eq!(found.errors, Some([0.5, 1.0]));
    }
}
