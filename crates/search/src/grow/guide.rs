//! Guidance of a search by a network. Move probabilities of the network replace priors, and its
//! values are blended with playout results (`leaf_evaluation.rs`).
//!
//! Moves are selected by PUCT (Silver et al. 2017): the mean result of a move, plus a bonus. The
//! bonus grows with the probability of the move and shrinks with its visits. A move without visits
//! counts as slightly worse than the mean result of its parent. (This is first play urgency, with
//! the reduction of Leela Zero.)
//!
//! A network of KataGo or Leela Zero takes the place of the program's own on the boards and rules
//! that it knows. It sees each position in a random symmetry, and nothing corrects it. Only the
//! values of Leela Zero are blended with playouts if komi is not that of its games.

use std::sync::Arc;

use super::tree::{Node, Proof, WIN};
use crate::estimate::results::{MARGIN, Results};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::playout::Random;
use omnigo_core::policy::Prior;
use omnigo_core::rules::{End, Scoring};
use omnigo_net::features::{RECENT_MOVES, Situation};
use omnigo_net::katago::{self, Collector, KataGo, Profile, SYMMETRIES, View};
use omnigo_net::kernels::Kernel;
use omnigo_net::leela::{self, LeelaZero};
use omnigo_net::{Evaluation, Evaluator, Weights};

/// Network that guides searches, and the boards on which it does.
#[derive(Clone, Debug)]
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
}

impl Guidance {
    /// Returns true if the network guides searches of this game. Such a game has two colors, a
    /// rectangular board, area or territory scoring, and an end by passes.
    pub(crate) fn suits<B: Board>(&self, game: &Game<B>) -> bool {
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
                self.everywhere || helps
            }
            Weights::KataGo(network) => {
                let has_inputs = self.profile.is_some() || !network.imitates();
                has_inputs && KataGo::plays_on(width, height) && KataGo::knows(rules)
            }
            Weights::LeelaZero(_) => LeelaZero::plays_on(width, height) && LeelaZero::knows(rules),
        });
        counted && ends && known && rules.colors == 2
    }

    /// Returns true if playouts and learned weights correct the values and the probabilities of the
    /// network. Networks of KataGo learned from games that were played to their end, and in matches
    /// the corrections gained nothing. Those of Leela Zero did so too.
    pub(crate) fn is_corrected(&self) -> bool {
        match &self.network {
            Weights::Omnigo(_) => true,
            Weights::KataGo(_) | Weights::LeelaZero(_) => false,
        }
    }
}

/// Weight of move probabilities against results at a node with few visits.
const EXPLORATION: f32 = 0.55;
/// The weight grows by this times ln((visits + [`EXPLORATION_BASE`]) / [`EXPLORATION_BASE`]).
const EXPLORATION_GROWTH: f32 = 0.25;
/// Number of visits that scales the growth of the weight.
const EXPLORATION_BASE: f32 = 500.0;
/// A move without visits counts as worse than its parent by this times √p. Here p is the total
/// probability of the visited moves.
const REDUCTION: f32 = 0.25;
/// The least probability of a pass that would end the game.
const ENDING: f32 = 0.2;

/// Weight of the optimistic policy of a network of KataGo at the root and below it, as in KataGo.
const OPTIMISM: [f32; 2] = [0.2, 1.0];

/// Evaluator of a network of any kind.
enum Expert<B: Board> {
    Omnigo(Box<Evaluator<B>>),
    KataGo(Box<katago::Evaluator<B>>, Box<Collector<B>>),
    LeelaZero(Box<leela::Evaluator<B>>),
}

/// Network of one thread, with its latest evaluation.
pub(super) struct Guide<B: Board> {
    expert: Expert<B>,
    /// True if the search corrects the network, as [`Guidance::is_corrected`] decides.
    pub(super) is_corrected: bool,
    evaluation: Evaluation,
    /// True if values of the network are blended with results of playouts.
    is_blended: bool,
    /// True if the evaluation belongs to the end of the present line.
    fresh: bool,
}

impl<B: Board> Guide<B> {
    /// Creates the network for this game. `None` without a network, or if it does not suit the game
    /// or cannot evaluate the board.
    pub(super) fn new(guidance: Option<&Guidance>, game: &Game<B>) -> Option<Guide<B>> {
        let guidance = guidance.filter(|guidance| guidance.suits(game))?;
        let (board, kernel) = (game.board(), guidance.kernel);
        let expert = match &guidance.network {
            Weights::Omnigo(network) => {
                let evaluator = Evaluator::new(Arc::clone(network), board, kernel)?;
                Expert::Omnigo(Box::new(evaluator))
            }
            Weights::KataGo(network) => {
                let (network, profile) = (Arc::clone(network), guidance.profile.as_ref());
                let evaluator = katago::Evaluator::new(network, board, kernel, profile)?;
                Expert::KataGo(Box::new(evaluator), Box::new(Collector::new(game)))
            }
            Weights::LeelaZero(network) => {
                let evaluator = leela::Evaluator::new(Arc::clone(network), game, kernel)?;
                Expert::LeelaZero(Box::new(evaluator))
            }
        };
        let is_blended = match &expert {
            Expert::Omnigo(_) => true,
            Expert::KataGo(..) => false,
            Expert::LeelaZero(_) => {
                game.rules().scored_komi(game.komi()) + game.handicap_bonus() != LeelaZero::KOMI
            }
        };
        Some(Guide {
            is_blended,
            expert,
            is_corrected: guidance.is_corrected(),
            evaluation: Evaluation::default(),
            fresh: false,
        })
    }

    /// Marks the evaluation as outdated, because a new line begins.
    pub(super) fn begin(&mut self) {
        self.fresh = false;
    }

    /// Evaluates the position at the end of the line. `path` holds the moves of the line, from the
    /// latest back. A network of KataGo sees it in a random symmetry.
    pub(super) fn judge(
        &mut self,
        line: &Line<'_, B>,
        path: impl Iterator<Item = Option<Vertex>>,
        legal: &[Vertex],
        can_pass: bool,
        random: &mut Random,
    ) {
        let game = line.game();
        let evaluation = &mut self.evaluation;
        let evaluator = match &mut self.expert {
            Expert::Omnigo(evaluator) => evaluator,
            Expert::KataGo(evaluator, collector) => {
                let path: Vec<Option<Vertex>> = path.collect();
                let view = View {
                    symmetry: random.below(SYMMETRIES),
                    optimism: OPTIMISM[usize::from(!path.is_empty())],
                };
                let facts = collector.collect(line, &path, legal);
                evaluator.evaluate(&facts, legal, can_pass, view, evaluation);
                self.fresh = true;
                return;
            }
            Expert::LeelaZero(evaluator) => {
                let path: Vec<Option<Vertex>> = path.collect();
                let symmetry = random.below(SYMMETRIES);
                evaluator.evaluate(line, &path, legal, can_pass, symmetry, evaluation);
                self.fresh = true;
                return;
            }
        };
        let mut recent = [None; RECENT_MOVES];
        let mut count = 0;
        let earlier = game.moves().rev().map(|(_, mv)| mv.vertex());
        for (place, mv) in recent.iter_mut().zip(path.chain(earlier)) {
            *place = mv;
            count += 1;
        }
        let situation = Situation {
            to_move: line.to_move(),
            recent: &recent[..count],
            legal,
        };
        evaluator.evaluate(
            line.board(),
            situation,
            game.rules().scored_komi(game.komi()) + game.handicap_bonus(),
            can_pass,
            evaluation,
        );
        self.fresh = true;
    }

    /// Returns true if values of the network are blended with results of playouts.
    pub(super) fn is_blended(&self) -> bool {
        self.is_blended
    }

    /// Returns true if the network estimates score and ownership. Otherwise, only playouts do.
    pub(super) fn knows_score(&self) -> bool {
        match &self.expert {
            Expert::Omnigo(_) | Expert::KataGo(..) => true,
            Expert::LeelaZero(_) => false,
        }
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
        match &self.expert {
            Expert::Omnigo(evaluator) => evaluator.ownership(),
            Expert::KataGo(evaluator, _) => &evaluator.output().ownership,
            Expert::LeelaZero(_) => &[],
        }
    }

    /// Returns the score lead of the player to move in the evaluated position, in half points. An
    /// unknown score is 0.
    pub(super) fn margin(&self) -> i64 {
        (self.evaluation.score * 2.0) as i64
    }
}

/// Returns the index of the child to visit next. `own` is the mean result of the parent for the
/// player to move there, and `visits` is its number of visits.
pub(super) fn select(children: &[Node], own: f32, visits: u32) -> usize {
    let tried: f32 = children
        .iter()
        .filter(|child| child.visits() > 0)
        .map(Node::probability)
        .sum();
    let n = visits as f32;
    let growth = EXPLORATION_GROWTH * ((n + EXPLORATION_BASE) / EXPLORATION_BASE).ln();
    let weight = (EXPLORATION + growth) * n.max(1.0).sqrt();
    let untried = own - REDUCTION * tried.sqrt();
    let mut best = (f32::NEG_INFINITY, 0);
    for (number, child) in children.iter().enumerate() {
        let visits = child.visits();
        let value = match (child.proof(), visits) {
            (Proof::Win, _) => f32::INFINITY,
            (Proof::Loss, _) => -1.0,
            (Proof::Open, 0) if child.is_urgent() => own,
            (Proof::Open, 0) => untried,
            (Proof::Open, _) => child.mean() as f32,
        };
        let urgency = value + weight * child.probability() / (1.0 + visits as f32);
        if urgency > best.0 {
            best = (urgency, number);
        }
    }
    best.1
}
