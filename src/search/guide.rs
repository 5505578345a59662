//! A network's part in a search: chances of moves in place of priors, its judgement in place of a playout.
//!
//! Moves are selected by PUCT (Silver et al. 2017): the mean result of a move, and its chance shrinking with its visits. A move
//! without visits counts as a little worse than its siblings so far (first play urgency, with the reduction of Leela Zero).

use std::sync::Arc;

use super::results::{MARGIN, Results};
use super::tree::{Node, Proof, WIN};
use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::features::{RECENT_MOVES, Situation};
use crate::net::kernels::Kernel;
use crate::net::{Evaluation, Evaluator, Network};
use crate::policy::Prior;
use crate::rules::{End, Scoring};
use crate::vertex::Vertex;

/// A network that searches ask, and where.
#[derive(Clone, Debug)]
pub struct Guidance {
    /// The network.
    pub network: Arc<Network>,
    /// What it is computed with.
    pub kernel: Kernel,
    /// On every board that it can see, not only where it is known to help when computed so.
    pub everywhere: bool,
}

impl Guidance {
    /// Whether it is asked about this game: two colors on a rectangle, and the points decide.
    pub(super) fn suits<B: Board>(&self, game: &Game<B>) -> bool {
        let rules = game.rules();
        let counted = match rules.scoring {
            Scoring::Area | Scoring::Territory => true,
            Scoring::Stones | Scoring::None => false,
        };
        let ends = match rules.end {
            End::Passes => true,
            End::Stuck => false,
        };
        let known = game.board().rectangle().is_some_and(|(width, height)| {
            self.everywhere || (self.network.sides().span(width, height) && self.kernel.is_quick())
        });
        counted && ends && known && rules.colors == 2
    }
}

/// How much chances count against results, and how that grows with visits.
const EXPLORATION: f32 = 0.55;
const EXPLORATION_GROWTH: f32 = 0.25;
const EXPLORATION_BASE: f32 = 500.0;
/// How much worse a move without visits is than its parent when all chances but its own have been tried.
const REDUCTION: f32 = 0.25;
/// The same for urgent moves. The search then tries them early, whatever their probability.
const URGENT_REDUCTION: f32 = 0.0;
/// The least chance of a pass that would end the game.
const ENDING: f32 = 0.2;

/// A thread's network.
pub(super) struct Guide<B: Board> {
    evaluator: Evaluator<B>,
    evaluation: Evaluation,
    /// Whether the evaluation is of the position at the end of the present line.
    fresh: bool,
}

impl<B: Board> Guide<B> {
    /// The network for this game, where it suits.
    pub(super) fn new(guidance: Option<&Guidance>, game: &Game<B>) -> Option<Guide<B>> {
        let guidance = guidance.filter(|guidance| guidance.suits(game))?;
        let network = Arc::clone(&guidance.network);
        Some(Guide {
            evaluator: Evaluator::new(network, game.board(), guidance.kernel)?,
            evaluation: Evaluation::default(),
            fresh: false,
        })
    }

    /// A new line begins.
    pub(super) fn begin(&mut self) {
        self.fresh = false;
    }

    /// Judges the position at the end of the line; `path` are the moves of the line, the latest first.
    pub(super) fn judge(
        &mut self,
        line: &Line<'_, B>,
        path: impl Iterator<Item = Option<Vertex>>,
        legal: &[Vertex],
        can_pass: bool,
    ) {
        let mut recent = [None; RECENT_MOVES];
        let mut count = 0;
        let game = line.game();
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
        self.evaluator.evaluate(
            line.board(),
            situation,
            game.rules().scored_komi(game.komi()) + game.handicap_bonus(),
            can_pass,
            &mut self.evaluation,
        );
        self.fresh = true;
    }

    /// Whether the position at the end of the line has been judged.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The chances of the legal moves of the judged position, in their order.
    pub(super) fn priors(&self, priors: &mut Vec<Prior>) {
        priors.clear();
        let chances = self.evaluation.priors.iter();
        priors.extend(chances.map(|&chance| Prior::chance(chance)));
    }

    /// The chance of a pass there; one that would end the game is soon tried, as what it is worth is then known exactly.
    pub(super) fn pass(&self, would_end: bool) -> Prior {
        let least = if would_end { ENDING } else { 0.0 };
        Prior::chance(self.evaluation.pass.max(least))
    }

    /// What the judged position, with `to_move` to move, is worth to each color.
    pub(super) fn results(&self, to_move: Color, points: usize) -> Results {
        let span = points.max(1) as f32;
        let margin = self.evaluation.score.clamp(-span, span);
        // As much as margins of playouts are, with which these results are mixed.
        let worth = MARGIN as f32 / WIN as f32;
        let value = (1.0 - worth) * self.evaluation.win + worth * (margin + span) / (2.0 * span);
        let own = ((value * WIN as f32) as u64).min(WIN);
        let mut results = [0; Color::MAX];
        results[to_move.index()] = own;
        results[to_move.other().index()] = WIN - own;
        results
    }

    /// Who owns each point of the judged position, as the player to move there sees it: 1 … −1.
    pub(super) fn ownership(&self) -> &[f32] {
        self.evaluator.ownership()
    }

    /// By how many half points the player to move there wins.
    pub(super) fn margin(&self) -> i64 {
        (self.evaluation.score * 2.0) as i64
    }
}

/// The number of the child to visit next; `own` is the mean result so far of the player to move, and `visits` how many
/// there were.
pub(super) fn select(children: &[Node], own: f32, visits: u32) -> usize {
    let tried: f32 = children
        .iter()
        .filter(|child| child.visits() > 0)
        .map(Node::chance)
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
            (Proof::Open, 0) if child.is_urgent() => own - URGENT_REDUCTION * tried.sqrt(),
            (Proof::Open, 0) => untried,
            (Proof::Open, _) => child.mean() as f32,
        };
        let urgency = value + weight * child.chance() / (1.0 + visits as f32);
        if urgency > best.0 {
            best = (urgency, number);
        }
    }
    best.1
}
