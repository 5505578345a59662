//! Guidance of a search by a network. Move probabilities of the network replace priors, and its
//! values replace most playout results (`leaf_evaluation.rs`).
//!
//! A network of KataGo or Leela Zero takes the place of the program's own on the boards and rules
//! that it knows. It sees each position in a random symmetry. By default, playouts do not correct
//! its values. Networks of Leela Zero are an exception: if komi is not that of their games,
//! playouts count beside them. Passes that end the game have a minimum probability with every
//! network. `select.rs` has the choice of moves, and `utility.rs` the utilities of estimates.

use std::sync::Arc;

use super::cache::Known;
use super::evaluated_position::EvaluatedPosition;
use super::tree::WIN;
use super::utility::ValueEstimate;
use crate::estimate::results::{MARGIN, Results};
use crate::parameters::Parameters;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::playout::Random;
use omnigo_core::policy::Prior;
use omnigo_core::rules::{End, Scoring};
use omnigo_net::katago::{self, Batches, Collector, KataGo, Profile, SYMMETRIES};
use omnigo_net::kernels::Kernel;
use omnigo_net::layout::BoardLayout;
use omnigo_net::leela::{self, LeelaZero};
use omnigo_net::{Evaluation, Evaluator, Weights, bonus};

/// Network that guides searches, and the boards on which it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Guidance {
    /// The network.
    pub network: Weights,
    /// Kernel that computes the network.
    pub kernel: Kernel,
    /// True to use the network on every board that it can evaluate. If false, it is used only on
    /// board sizes and with kernels for which matches show that it helps.
    pub everywhere: bool,
    /// Players whom the network imitates. A network of this kind guides no search without a
    /// profile, and others ignore it.
    pub profile: Option<Profile>,
    /// Parameters of the search.
    pub parameters: Parameters,
    /// Maximum number of positions of a pass of a network of KataGo. Each thread then searches that
    /// many lines at once. Other networks ignore it.
    pub batch: usize,
}

impl Guidance {
    /// Returns the guidance by a network, with the parameters for its kind.
    pub fn new(network: Weights, kernel: Kernel, everywhere: bool) -> Guidance {
        let parameters = match &network {
            Weights::Omnigo(_) => Parameters::omnigo(),
            Weights::KataGo(_) => Parameters::katago(),
            Weights::LeelaZero(_) => Parameters::leela_zero(),
        };
        Guidance {
            network,
            kernel,
            everywhere,
            profile: None,
            parameters,
            batch: 1,
        }
    }

    /// Returns true if the network can evaluate several positions at once.
    pub fn knows_batches(&self) -> bool {
        match &self.network {
            Weights::KataGo(_) => true,
            Weights::Omnigo(_) | Weights::LeelaZero(_) => false,
        }
    }

    /// Returns true if the network estimates score and ownership. Otherwise, only playouts do.
    pub(crate) fn knows_score(&self) -> bool {
        match &self.network {
            Weights::Omnigo(_) | Weights::KataGo(_) => true,
            Weights::LeelaZero(_) => false,
        }
    }

    /// Returns true if the network takes a difference in strength into account.
    pub(crate) fn knows_advantage(&self) -> bool {
        match &self.network {
            Weights::KataGo(_) => true,
            Weights::Omnigo(_) | Weights::LeelaZero(_) => false,
        }
    }

    /// Returns the number of lines that each thread searches at once.
    pub(crate) fn lines_per_thread(&self) -> usize {
        match self.knows_batches() {
            true => self.batch.clamp(1, Batches::MOST),
            false => 1,
        }
    }

    /// Returns the batches of a search on `board` with this number of threads and of lines. `None`
    /// if threads evaluate their positions one by one.
    pub(crate) fn batches<B: Board>(
        &self,
        board: &B,
        threads: usize,
        lines: usize,
    ) -> Option<Arc<Batches>> {
        let sides = board.rectangle()?;
        let most = self.batch.min(lines / threads.max(1));
        match &self.network {
            Weights::KataGo(network) if most > 1 => {
                let network = Arc::clone(network);
                let batches = Batches::new(network, self.kernel, sides, most, threads);
                Some(Arc::new(batches))
            }
            Weights::KataGo(_) | Weights::Omnigo(_) | Weights::LeelaZero(_) => None,
        }
    }

    /// Returns true if the network guides searches of this game. Such a game has two colors, a
    /// rectangular board, area or territory scoring, and an end by passes.
    pub(crate) fn guides<B: Board>(&self, game: &Game<B>) -> bool {
        let rules = game.rules();
        let counted = match rules.scoring {
            Scoring::Area | Scoring::Territory => true,
            Scoring::Stones | Scoring::None => false,
        };
        let ends = match rules.end {
            End::Passes => true,
            End::Stuck => false,
        };
        let sides = game.board().rectangle();
        let known = sides.is_some_and(|(width, height)| match &self.network {
            Weights::Omnigo(network) => {
                let helps = network.sides().span(width, height) && self.kernel.is_quick();
                BoardLayout::supports(width, height) && (self.everywhere || helps)
            }
            Weights::KataGo(network) => {
                let has_inputs = self.profile.is_some() || !network.imitates();
                has_inputs && KataGo::plays_on(width, height) && KataGo::knows(rules)
            }
            Weights::LeelaZero(_) => LeelaZero::plays_on(width, height) && LeelaZero::knows(rules),
        });
        counted && ends && known && rules.colors == 2
    }
}

/// The least probability of a pass that would end the game.
const ENDING: f32 = 0.2;

/// First model version of KataGo whose networks predict their own errors.
const TELLS_ERRORS: usize = 9;

/// Evaluator of a network of any kind.
enum Expert<B: Board> {
    Omnigo(Box<Evaluator<B>>),
    KataGo(Box<katago::Evaluator<B>>, Box<Collector<B>>),
    LeelaZero(Box<leela::Evaluator<B>>),
}

/// Network of one thread, with its latest evaluation.
pub(super) struct Guide<B: Board> {
    expert: Expert<B>,
    evaluation: Evaluation,
    /// True if results of playouts may count beside values of the network.
    is_blended: bool,
    estimate: ValueEstimate,
    /// Mean ownership over several symmetries. Empty after an evaluation in one.
    ownership: Vec<f32>,
    /// Earlier evaluation of the position, if the network did not compute this one.
    recalled: Option<Arc<Known>>,
    parameters: Parameters,
    /// True if the network predicts its own errors.
    has_errors: bool,
    /// True if the evaluation belongs to the end of the present line.
    fresh: bool,
}

impl<B: Board> Guide<B> {
    /// Creates the network for this game. With `batches`, its positions are evaluated together with
    /// those of other threads. `None` without a network, or if it does not guide searches of the
    /// game or cannot evaluate the board.
    pub(super) fn new(
        guidance: Option<&Guidance>,
        batches: Option<&Arc<Batches>>,
        game: &Game<B>,
    ) -> Option<Guide<B>> {
        let guidance = guidance.filter(|guidance| guidance.guides(game))?;
        let (board, kernel) = (game.board(), guidance.kernel);
        let expert = match &guidance.network {
            Weights::Omnigo(network) => {
                let evaluator = Evaluator::new(Arc::clone(network), board, kernel)?;
                Expert::Omnigo(Box::new(evaluator))
            }
            Weights::KataGo(network) => {
                let (network, profile) = (Arc::clone(network), guidance.profile.as_ref());
                let evaluator = match batches {
                    Some(batches) => katago::Evaluator::with_batches(batches, board, profile)?,
                    None => katago::Evaluator::new(network, board, kernel, profile)?,
                };
                Expert::KataGo(Box::new(evaluator), Box::new(Collector::new(game)))
            }
            Weights::LeelaZero(network) => {
                let evaluator = leela::Evaluator::new(Arc::clone(network), game, kernel)?;
                Expert::LeelaZero(Box::new(evaluator))
            }
        };
        let can_blend = match &expert {
            Expert::Omnigo(_) | Expert::KataGo(..) => true,
            Expert::LeelaZero(_) => bonus(&Line::new(game, game.to_move())) != LeelaZero::KOMI,
        };
        let has_errors = match &guidance.network {
            Weights::Omnigo(_) | Weights::LeelaZero(_) => false,
            Weights::KataGo(network) => network.version() >= TELLS_ERRORS,
        };
        Some(Guide {
            is_blended: can_blend && guidance.parameters.blends(),
            expert,
            evaluation: Evaluation::default(),
            estimate: ValueEstimate::default(),
            ownership: Vec::new(),
            recalled: None,
            parameters: guidance.parameters,
            has_errors,
            fresh: false,
        })
    }

    /// Returns the parameters of the search.
    pub(super) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns true if the network predicts its own errors.
    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Returns the estimate of the evaluated position, for the player to move there.
    pub(super) fn estimate(&self) -> ValueEstimate {
        self.estimate
    }

    /// Marks the evaluation as outdated, because a new line begins.
    pub(super) fn begin(&mut self) {
        self.fresh = false;
    }

    /// Evaluates the position at the end of the line. `path` holds the moves of the line, from the
    /// latest back. Networks of KataGo and Leela Zero see it in a random symmetry. Those of KataGo
    /// may see the root in several, and see the assumed `advantage` of the player to move.
    pub(super) fn judge(
        &mut self,
        line: &Line<'_, B>,
        path: impl Iterator<Item = Option<Vertex>>,
        legal: &[Vertex],
        can_pass: bool,
        advantage: f32,
        random: &mut Random,
    ) {
        self.fresh = true;
        self.recalled = None;
        let path: Vec<Option<Vertex>> = path.collect();
        let position = EvaluatedPosition {
            line,
            path: &path,
            legal,
            can_pass,
            advantage,
        };
        let (parameters, evaluation) = (&self.parameters, &mut self.evaluation);
        self.estimate = match &mut self.expert {
            Expert::Omnigo(evaluator) => position.evaluate_omnigo(evaluator, evaluation),
            Expert::KataGo(evaluator, collector) => {
                let views = position.views(parameters, random);
                let ownership = &mut self.ownership;
                position.evaluate_katago(evaluator, collector, views, evaluation, ownership)
            }
            Expert::LeelaZero(evaluator) => {
                position.evaluate_leela(evaluator, random.below(SYMMETRIES), evaluation)
            }
        };
        let temperature = match position.is_root() {
            true => parameters.nn_policy_temperature * parameters.root_policy_temperature,
            false => parameters.nn_policy_temperature,
        };
        temper(evaluation, temperature);
    }

    /// Returns true if results of playouts may count beside values of the network.
    pub(super) fn is_blended(&self) -> bool {
        self.is_blended
    }

    /// Returns true if the position at the end of the line has been evaluated.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Stores the probabilities of the legal placements of the evaluated position in `priors`, in
    /// their order.
    pub(super) fn priors(&self, priors: &mut Vec<Prior>) {
        priors.clear();
        let probabilities = self.evaluation.priors.iter();
        priors.extend(probabilities.map(|&probability| Prior::probability(probability)));
    }

    /// Returns the probability of a pass in the evaluated position. A pass that would end the game
    /// gets a minimum, so that the search tries it soon: its result is exact.
    pub(super) fn pass(&self, would_end: bool) -> Prior {
        let least = if would_end { ENDING } else { 0.0 };
        Prior::probability(self.evaluation.pass.max(least))
    }

    /// Returns the result of the evaluated position for each color, with `to_move` to move on a
    /// board of `points` points.
    pub(super) fn results(&self, to_move: Color, points: usize) -> Results {
        let span = points.max(1) as f32;
        let margin = self.evaluation.score.clamp(-span, span);
        // The score lead has the same weight as in playout results, because the two are blended.
        let worth = MARGIN as f32 / WIN as f32;
        let value = (1.0 - worth) * self.evaluation.win + worth * (margin + span) / (2.0 * span);
        let own = ((value * WIN as f32) as u64).min(WIN);
        let mut results = [0; Color::MAX];
        results[to_move.index()] = own;
        results[to_move.other().index()] = WIN - own;
        results
    }

    /// Returns the ownership of each point of the evaluated position, from 1 to −1. Points of the
    /// player to move there are positive. Empty if the network does not estimate them.
    pub(super) fn ownership(&self) -> &[f32] {
        match (&self.recalled, &self.expert) {
            (Some(known), _) => &known.ownership,
            (None, Expert::Omnigo(evaluator)) => evaluator.ownership(),
            (None, Expert::KataGo(..)) if !self.ownership.is_empty() => &self.ownership,
            (None, Expert::KataGo(evaluator, _)) => &evaluator.output().ownership,
            (None, Expert::LeelaZero(_)) => &[],
        }
    }

    /// Returns the evaluation of the position, to be recalled later.
    pub(super) fn known(&self) -> Known {
        Known {
            evaluation: self.evaluation.clone(),
            estimate: self.estimate,
            ownership: self.ownership().to_vec(),
        }
    }

    /// Takes an earlier evaluation of the position at the end of the line.
    pub(super) fn recall(&mut self, known: Arc<Known>) {
        self.fresh = true;
        self.evaluation.clone_from(&known.evaluation);
        self.estimate = known.estimate;
        self.recalled = Some(known);
    }

    /// Returns the score lead of the player to move in the evaluated position, in half points. An
    /// unknown score is 0. Sums of absurd leads stay far from overflow, because they are cut off.
    pub(super) fn margin(&self) -> i64 {
        ((self.evaluation.score * 2.0) as i32).into()
    }
}

/// Raises the probabilities to the power of 1/temperature, so that they still add up to 1.
fn temper(evaluation: &mut Evaluation, temperature: f64) {
    if temperature == 1.0 {
        return;
    }
    let all = || evaluation.priors.iter().chain([&evaluation.pass]);
    let most = all().copied().fold(f32::MIN_POSITIVE, f32::max);
    let power = |prior: f32| (prior / most).powf((1.0 / temperature) as f32);
    let sum: f32 = all().map(|&prior| power(prior)).sum();
    if sum.is_finite() && sum > 0.0 {
        for prior in &mut evaluation.priors {
            *prior = power(*prior) / sum;
        }
        evaluation.pass = power(evaluation.pass) / sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};
    use omnigo_net::Network;

    #[test]
    fn own_networks_guide_only_on_boards_that_they_can_evaluate() {
        let Some(network) = Network::built_in() else {
            return;
        };
        let guidance = Guidance::new(Weights::Omnigo(network), Kernel::Portable, true);
        for (width, height, expected) in [(5, 19, true), (4, 9, false), (20, 20, false)] {
            let board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
            let rules = presets::find("chinese").unwrap().rules.clone();
            let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
            assert_eq!(guidance.guides(&game), expected, "{width}x{height}");
            assert_eq!(Guide::new(Some(&guidance), None, &game).is_some(), expected);
        }
    }

    #[test]
    fn temperatures_flatten_or_sharpen_probabilities() {
        let tempered = |temperature| {
            let mut evaluation = Evaluation {
                priors: vec![0.64, 0.32],
                pass: 0.04,
                ..Evaluation::default()
            };
            temper(&mut evaluation, temperature);
            [evaluation.priors[0], evaluation.priors[1], evaluation.pass]
        };
        assert_eq!(tempered(1.0), [0.64, 0.32, 0.04]);
        // The roots of 0.64, 0.32, and 0.04 are 0.8, 0.565685, and 0.2.
        let flat = tempered(2.0);
        for (found, root) in flat.into_iter().zip([0.8, 0.565_685, 0.2]) {
            assert!((found - root / 1.565_685).abs() < 1e-5, "{flat:?}");
        }
        let sharp = tempered(0.01);
        assert!(sharp[0] > 0.9999 && sharp.iter().all(|p| p.is_finite()));
        assert!(tempered(500.0).iter().all(|p| (p - 1.0 / 3.0).abs() < 0.01));
    }
}
