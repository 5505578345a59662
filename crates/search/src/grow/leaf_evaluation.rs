//! Leaf evaluation of a search that a network guides, and probabilities of urgent moves.

use super::cache::Key;
use super::guide::{Guidance, Guide};
use super::limits::Budget;
use super::tree::NodeId;
use super::utility::{Utilities, ValueEstimate, Worth, center};
use super::worker::{OWNERSHIP_EVERY, Worker};
use crate::estimate::results::Results;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::policy::Prior;

/// Number of visits of the root after which urgent moves get their minimum probability. The search
/// tries each of them at least once, and large boards have many. Shorter searches have no visits to
/// spare for that.
const REVIEW_AT: u32 = 256;
/// Number of first visits of a search that have a playout, even if playouts have no weight.
/// Ownership and the gap between network and playouts need some.
const SAMPLED: u64 = 64;

/// Minimum weight of playouts in ownership, in percent, if results of playouts may count at all.
/// The network alone sometimes expects the loss of stones that are alive.
const OWNED: u64 = 20;

impl<B: Board> Worker<'_, B> {
    /// Evaluates the position at the end of the line with the network. `legal` must hold the legal
    /// placements, and `pass` must be true if a pass is legal. Does nothing without a network.
    pub(super) fn run_network(&mut self, pass: bool) {
        self.judge(pass);
        if self.path.is_empty()
            && let Some(center) = self.center()
        {
            // The first evaluation counts. Threads that share the root agree on it.
            self.shared.center.get_or_init(|| center);
        }
    }

    /// Evaluates the position at the end of the line, as [`Self::run_network`] does. Takes an
    /// earlier evaluation if there is one, except at the root, where parameters differ.
    fn judge(&mut self, pass: bool) {
        let Some(guide) = &mut self.guide else { return };
        let cache = self.shared.cache;
        let advantage = self.shared.advantage.for_color(self.line.to_move());
        let last = self.path.last().map(|&(id, _)| self.tree.node(id).mv());
        let key = last.map(|last| Key::of(&self.line, last.vertex(), &self.legal, pass, advantage));
        if let Some(known) = key.and_then(|key| cache.find(key)) {
            guide.recall(known);
            return;
        }
        let path = self.path.iter().rev();
        let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
        let (legal, random) = (&self.legal, &mut self.random);
        guide.judge(&self.line, moves, legal, pass, advantage, random);
        if let Some(key) = key {
            cache.keep(key, self.line.board().points(), || guide.known());
        }
    }

    /// Returns the score at which the dynamic score utility is 0, if the evaluated position is the
    /// root. `None` without a network.
    fn center(&self) -> Option<f64> {
        let guide = self.guide.as_ref()?;
        let points = self.game.board().points();
        Some(center(guide.parameters(), points, guide.estimate().score))
    }

    /// Evaluates the root of a tree that an earlier search left, if the search needs that. The
    /// probabilities of its moves become those of a root. Other threads wait.
    pub(super) fn prepare_root(&mut self) {
        let root = self.tree.root();
        let needs_root = |guide: &Guide<B>| guide.parameters().needs_root();
        if !self.guide.as_ref().is_some_and(needs_root) || !self.tree.node(root).is_expanded() {
            return;
        }
        let shared = self.shared;
        shared.center.get_or_init(|| {
            self.line.reset(self.to_move);
            self.path.clear();
            let pass = self.find_legal();
            self.judge(pass);
            self.renew_probabilities(root);
            if self.is_review_due(root) {
                // An earlier correction was replaced too, and its claim stays.
                let _ = self.tree.node(root).claim_review();
                self.review(root);
            }
            self.center().unwrap_or_default()
        });
    }

    /// Replaces the probabilities of a node's moves by those of the evaluated position.
    fn renew_probabilities(&mut self, id: NodeId) {
        let Some(guide) = &self.guide else { return };
        let mut priors = Vec::new();
        guide.priors(&mut priors);
        for child in self.tree.children(id) {
            let prior = match child.mv() {
                Move::Pass => Some(guide.pass(self.line.pass_would_end())),
                // Legal placements are sorted.
                Move::Place(at) => {
                    let number = self.legal.binary_search(&at).ok();
                    number.and_then(|number| priors.get(number).copied())
                }
            };
            if let Some(prior) = prior {
                child.set_probability(prior.wins as f32 / Prior::CERTAIN as f32);
            }
        }
    }

    /// Returns the utilities of this search. `None` if the tree has no moments.
    fn utilities<'g>(&self, guide: &'g Guide<B>) -> Option<Utilities<'g>> {
        let center = self.shared.center.get().copied().unwrap_or_default();
        let points = self.game.board().points();
        let known = self.tree.has_moments();
        known.then(|| Utilities::new(guide.parameters(), points, center))
    }

    /// Sets the utility of a game that has been counted.
    pub(super) fn value_end(&mut self) {
        let Some(guide) = &self.guide else { return };
        let utilities = self.utilities(guide);
        self.worth = utilities.zip(self.margin).map(|(utilities, margin)| Worth {
            utility: utilities.utility(ValueEstimate::counted(margin)),
            weight: utilities.weight_of_end(guide.has_errors()),
            is_final: true,
        });
    }

    /// Returns the utility of the evaluated position with `to_move` to move, mixed with that of the
    /// latest playout. The playout has a weight of `percent`.
    fn worth_of_leaf(&self, guide: &Guide<B>, to_move: Color, percent: u64) -> Option<Worth> {
        let utilities = self.utilities(guide)?;
        let estimate = match to_move == self.to_move {
            true => guide.estimate(),
            false => guide.estimate().turned(),
        };
        let judged = utilities.utility(estimate);
        let share = percent as f64 / 100.0;
        let played = match self.margin.filter(|_| percent > 0) {
            Some(margin) => utilities.utility(ValueEstimate::counted(margin)),
            None => judged,
        };
        Some(Worth {
            utility: (1.0 - share) * judged + share * played,
            weight: utilities.weight(estimate),
            is_final: false,
        })
    }

    /// Returns true if this node, at the end of the line, is the root and urgent moves are due. The
    /// parameters must ask for them, the root must have [`REVIEW_AT`] visits, and the search must
    /// have no noise.
    pub(super) fn is_review_due(&self, id: NodeId) -> bool {
        let parameters = self.guide.as_ref().map(Guide::parameters);
        let raises_urgent = parameters.is_some_and(|found| found.urgent_move_policy > 0.0);
        let is_root = self.path.is_empty() && self.shared.noise.is_none();
        raises_urgent && is_root && self.tree.node(id).visits() >= REVIEW_AT
    }

    /// Gives the urgent moves of the root, at the end of the line, their minimum probability.
    pub(super) fn review(&mut self, root: NodeId) {
        let parameters = self.guide.as_ref().map(Guide::parameters);
        let least = parameters.map_or(0.0, |found| found.urgent_move_policy as f32);
        let (board, color) = (self.line.board(), self.line.to_move());
        self.urgent.find(board);
        for child in self.tree.children(root) {
            let urgent = |at| self.urgent.has(at) && !board.is_eye(color, at);
            if child.mv().vertex().is_some_and(urgent) {
                child.mark_urgent();
                child.set_probability(child.probability().max(least));
            }
        }
    }

    /// Returns the result of the network, mixed with that of a playout if playouts have a weight.
    /// While they have none, most visits have no playout. The others sample ownership and the gap
    /// between network and playouts. `number` is the number of the visit in the search.
    pub(super) fn evaluate_leaf(&mut self, number: u64, budget: &Budget) -> Results {
        if self.guide.as_ref().is_some_and(|guide| !guide.is_fresh()) {
            // `expand` did not run: another thread is expanding the node, or memory is used up.
            let pass = self.find_legal();
            self.run_network(pass);
        }
        let to_move = self.line.to_move();
        let Some(guide) = &self.guide else {
            return [0; Color::MAX];
        };
        let judged = guide.results(to_move, self.game.board().points());
        let margin = if to_move == self.to_move {
            guide.margin()
        } else {
            -guide.margin()
        };
        let percent = match guide.is_blended() {
            true => self.shared.blend.playout_percent(),
            false => 0,
        };
        // Without estimates of the network, playouts alone give score and ownership.
        let knows_score = self.shared.guidance.is_some_and(Guidance::knows_score);
        let share = match knows_score {
            true => percent,
            false => 100,
        };
        if knows_score {
            let owned = match guide.is_blended() {
                true => percent.max(OWNED),
                false => 0,
            };
            self.ownership.judge(guide.ownership(), to_move, owned);
        }
        if share == 0 && number >= SAMPLED && !number.is_multiple_of(OWNERSHIP_EVERY) {
            self.margin = Some(margin);
            self.worth = self.worth_of_leaf(guide, to_move, 0);
            return judged;
        }
        let played = self.play_out(true, budget);
        let Some(guide) = &self.guide else {
            return played;
        };
        self.worth = self.worth_of_leaf(guide, to_move, percent);
        let root = self.to_move.index();
        self.shared.blend.add(judged[root], played[root]);
        if let Some(counted) = &mut self.margin {
            let share = share as i64;
            *counted = (margin * (100 - share) + *counted * share) / 100;
        }
        std::array::from_fn(|color| {
            (judged[color] * (100 - percent) + played[color] * percent) / 100
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::{Guidance, Limits, Parameters, SearchResult, Searcher, Settings};
    use omnigo_base::vertex::Vertex;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::playout::Style;
    use omnigo_core::rules::{Points, presets};
    use omnigo_net::Weights;
    use omnigo_net::kernels::Kernel;

    fn game() -> Game<GridBoard> {
        game_on(5)
    }

    fn game_on(side: usize) -> Game<GridBoard> {
        let board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
        let rules = presets::find("cgos").unwrap().rules.clone();
        Game::new(board, rules, Points::from_halves(13), Color::BLACK)
    }

    /// Returns a searcher with the built-in network and these parameters. Evaluations are in single
    /// precision, which is nearly the same on all machines.
    fn searcher(parameters: Parameters, threads: usize) -> Searcher {
        let network = Weights::built_in().unwrap();
        let kernels = Kernel::available().filter(|kernel| kernel.is_precise());
        let kernel = kernels.last().unwrap_or(Kernel::Portable);
        let guidance = Guidance {
            parameters,
            ..Guidance::new(network, kernel, true)
        };
        Searcher::new(Settings {
            threads,
            seed: 1,
            memory: 1 << 26,
            style: Style::Tactical,
            guidance: Some(guidance),
        })
    }

    fn search(searcher: &mut Searcher, game: &Game<GridBoard>) -> SearchResult {
        let limits = Limits {
            playouts: Some(40),
            ..Limits::default()
        };
        let stop = AtomicBool::new(false);
        searcher.think(game, game.to_move(), limits, &stop, Instant::now())
    }

    /// Returns the visits of each move, in index order.
    fn visits(result: &SearchResult) -> Vec<(usize, u32)> {
        let moves = result.candidates.iter();
        let mut visits: Vec<(usize, u32)> = moves
            .map(|c| (c.mv.vertex().map_or(usize::MAX, |at| at.index()), c.visits))
            .collect();
        visits.sort_unstable();
        visits
    }

    #[test]
    fn every_visit_of_a_tree_with_moments_has_a_utility() {
        let plain = Parameters {
            policy_optimism: 0.0,
            ..Parameters::katago()
        };
        let corrected = Parameters {
            subtree_value_bias_factor: 0.5,
            ..plain
        };
        for (threads, parameters) in [(1, plain), (2, plain), (1, corrected), (2, corrected)] {
            let (mut game, mut searcher) = (game(), searcher(parameters, threads));
            // The second search keeps a part of the tree.
            for _ in 0..2 {
                let result = search(&mut searcher, &game);
                let tree = &searcher.kept_tree.as_ref().unwrap().tree;
                let mut pending = vec![tree.root()];
                while let Some(id) = pending.pop() {
                    let node = tree.node(id);
                    let sums = tree.sums(node);
                    let completed = sums.map_or(0, |sums| sums.completed);
                    assert_eq!(completed, node.visits());
                    let reach = parameters.utility_radius() + 1e-9;
                    assert!(sums.is_none_or(|sums| sums.mean().abs() <= reach));
                    let children = tree.children(id).len();
                    pending.extend((0..children).map(|number| tree.child(id, number)));
                }
                let best = result.best().unwrap();
                game.play(game.to_move(), best.mv).unwrap();
            }
        }
    }

    #[test]
    fn moments_of_results_do_not_change_the_search() {
        let own = Parameters {
            playout_weight: 0.2,
            ..Parameters::omnigo()
        };
        let with_moments = Parameters {
            use_lcb_for_selection: true,
            ..own
        };
        let (mut plain, mut summed) = (searcher(own, 1), searcher(with_moments, 1));
        let results = [&mut plain, &mut summed].map(|one| search(one, &game()));
        assert!(!plain.kept_tree.as_ref().unwrap().tree.has_moments());
        let tree = &summed.kept_tree.as_ref().unwrap().tree;
        let root = tree.node(tree.root());
        let utility = tree.sums(root).unwrap().mean();
        // Results are rounded down to thousandths, once for each part.
        assert!((0.5 + 0.5 * utility - root.mean()).abs() < 0.005);
        assert!((results[0].value - results[1].value).abs() < 0.2);
        let [plain, summed] = results.map(|result| visits(&result));
        let of = |found: &[(usize, u32)], mv| found.iter().find(|one| one.0 == mv).unwrap().1;
        let moved = plain
            .iter()
            .map(|&(mv, visits)| of(&summed, mv).abs_diff(visits));
        // Rounding may decide between equal moves.
        assert!(moved.sum::<u32>() <= 8, "{plain:?}, {summed:?}");
    }

    #[test]
    fn ownership_counts_playouts_that_do_not_count_as_results() {
        let plain = Parameters::omnigo();
        let without = Parameters {
            playout_weight_growth: 0.0,
            ..plain
        };
        assert_eq!(plain.playout_weight, 0.0);
        let [mixed, judged] = [plain, without].map(|own| search(&mut searcher(own, 1), &game()));
        assert_eq!(visits(&mixed), visits(&judged));
        let mut most = 0.0;
        for at in (0..25).map(Vertex::at) {
            let share = |found: &SearchResult| found.ownership.expected(at, Color::BLACK);
            let gap = (share(&mixed) - share(&judged)).abs();
            // Playouts have the weight OWNED.
            assert!(gap <= OWNED as f64 / 100.0 + 1e-9, "{gap}");
            most = gap.max(most);
        }
        assert!(most > 0.001, "{most}");
    }

    #[test]
    fn parameters_change_the_search_and_defaults_do_not() {
        let own = Parameters::omnigo();
        // After the best first move, several answers are about equally good.
        let mut game = game();
        game.play(Color::BLACK, Move::Place(Vertex::at(12)))
            .unwrap();
        let found = |parameters| visits(&search(&mut searcher(parameters, 1), &game));
        assert_eq!(found(own), found(Parameters::omnigo()));
        for other in [
            Parameters {
                cpuct_exploration: 4.0,
                ..own
            },
            Parameters {
                root_policy_temperature: 5.0,
                ..own
            },
            Parameters {
                root_fpu_reduction_max: 0.0,
                ..own
            },
            Parameters {
                explores_by: crate::ExploresBy::Moves,
                ..own
            },
            Parameters {
                playout_weight: 0.2,
                ..own
            },
            Parameters {
                playout_agreement: 0.0,
                ..own
            },
        ] {
            assert_ne!(found(own), found(other), "{other:?}");
        }
    }

    #[test]
    fn observed_errors_change_the_search_only_with_a_factor() {
        let mut game = game();
        game.play(Color::BLACK, Move::Place(Vertex::at(12)))
            .unwrap();
        for own in [Parameters::omnigo(), Parameters::katago()] {
            let found = |factor, exponent| {
                let parameters = Parameters {
                    subtree_value_bias_factor: factor,
                    subtree_value_bias_weight_exponent: exponent,
                    ..own
                };
                let mut searcher = searcher(parameters, 1);
                let result = search(&mut searcher, &game);
                // The second search continues the tree of the first one.
                (visits(&result), visits(&search(&mut searcher, &game)))
            };
            let plain = {
                let mut searcher = searcher(own, 1);
                let result = search(&mut searcher, &game);
                (visits(&result), visits(&search(&mut searcher, &game)))
            };
            assert_eq!(plain, found(0.0, 0.2));
            assert_ne!(plain, found(1.0, 0.85));
            assert_eq!(found(1.0, 0.85), found(1.0, 0.85));
        }
    }

    #[test]
    fn only_one_of_several_equivalent_moves_is_searched() {
        let pruned = Parameters {
            root_symmetry_pruning: true,
            ..Parameters::omnigo()
        };
        for threads in [1, 2] {
            let (mut game, mut one) = (game_on(9), searcher(pruned, threads));
            let result = search(&mut one, &game);
            // 15 points stay of 81, and the pass.
            assert_eq!(result.candidates.len(), 16);
            // Several threads may visit the root before it has moves.
            let has_own_visit = |result: &SearchResult| {
                let sum: u32 = result.candidates.iter().map(|c| c.visits).sum();
                let own = result.visits.checked_sub(sum);
                own.is_some_and(|own| own == 1 || own > 0 && threads > 1)
            };
            assert!(result.visits == 40 && has_own_visit(&result));
            // Black keeps the upper right eighth of the board.
            for candidate in &result.candidates {
                let at = candidate.mv.vertex().map(Vertex::index);
                assert!(at.is_none_or(|at| at % 9 >= at / 9 && at / 9 >= 4));
            }
            // All moves of the kept tree were below the root, and some have visits.
            game.play(Color::BLACK, Move::Place(Vertex::at(40)))
                .unwrap();
            let result = search(&mut one, &game);
            assert_eq!(result.candidates.len(), 15);
            assert!(has_own_visit(&result));
        }
        let all = search(&mut searcher(Parameters::omnigo(), 1), &game_on(9));
        assert_eq!(all.candidates.len(), 82);
    }

    #[test]
    fn a_position_is_evaluated_once() {
        for parameters in [Parameters::omnigo(), Parameters::katago()] {
            let (game, mut searcher) = (game(), searcher(parameters, 1));
            let first = visits(&search(&mut searcher, &game));
            let known = searcher.cache.len();
            // Without their trees, searches need mostly the same positions again. Their playouts
            // differ, so a single search may need more new ones.
            for _ in 0..8 {
                searcher.forget_tree();
                search(&mut searcher, &game);
            }
            let new = searcher.cache.len() - known;
            assert!(known > 20 && new < 3 * known, "{known}, then {new} more");
            searcher.renew();
            assert_eq!(searcher.cache.len(), 0);
            assert_eq!(visits(&search(&mut searcher, &game)), first);
            assert_eq!(searcher.cache.len(), known);
        }
    }

    #[test]
    fn a_kept_root_gets_the_probabilities_of_a_root() {
        let parameters = Parameters {
            root_policy_temperature: 50.0,
            ..Parameters::omnigo()
        };
        let (mut game, mut searcher) = (game(), searcher(parameters, 1));
        for _ in 0..2 {
            let result = search(&mut searcher, &game);
            let priors = result.candidates.iter().map(|c| c.prior);
            // A temperature of 50 makes all probabilities nearly equal.
            let least = priors.fold(1.0, f64::min);
            assert!(least > 0.2 / result.candidates.len() as f64, "{least}");
            let best = result.best().unwrap();
            game.play(game.to_move(), best.mv).unwrap();
        }
    }
}
