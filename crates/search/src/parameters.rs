//! Parameters of searches that a network guides, under KataGo's names where it has them.
//!
//! A utility is the value of a result: [`Parameters::win_loss_utility_factor`] for a certain win,
//! its negative for a certain loss, plus the value of the score. Parameters that compare values are
//! in units of utility, and the others name their unit. The formulas follow KataGo's source
//! (`searchparams.cpp`, `searchexplorehelpers.cpp`, `searchhelpers.cpp`, `searchresults.cpp`).
//! [`Parameters::katago`] has the values that its program uses for play (`setup.cpp`), with three
//! exceptions. [`Parameters::omnigo`] has those of the program's own networks, and
//! [`Parameters::leela_zero`] those of Leela Zero's.

mod by_name;

pub use by_name::Parameter;

use crate::estimate::advantage::Advantage;
use crate::estimate::results::MARGIN;
use crate::grow::tree::WIN;
use omnigo_base::color::Color;

/// Parameters of a search that a network guides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// `winLossUtilityFactor`: utility of a certain win.
    pub win_loss_utility_factor: f64,
    /// `staticScoreUtilityFactor`: greatest utility of the score. It is `2/π·atan(s/(2·√points))`
    /// for a score of `s`, averaged over the distribution of the score.
    pub static_score_utility_factor: f64,
    /// `dynamicScoreUtilityFactor`: as the static one, but relative to a score near that expected
    /// at the root, and with [`Self::dynamic_score_center_scale`] instead of 2.
    pub dynamic_score_utility_factor: f64,
    /// `dynamicScoreCenterZeroWeight`: share by which that score is moved from the expected score
    /// toward 0.
    pub dynamic_score_center_zero_weight: f64,
    /// `dynamicScoreCenterScale`: width of the dynamic score utility, in square roots of the number
    /// of points.
    pub dynamic_score_center_scale: f64,
    /// `cpuctExploration`: weight of move probabilities against utilities.
    pub cpuct_exploration: f64,
    /// `cpuctExplorationLog`: growth of that weight, times `ln((n + base) / base)` after `n`
    /// visits.
    pub cpuct_exploration_log: f64,
    /// `cpuctExplorationBase`: number of visits that scales the growth.
    pub cpuct_exploration_base: f64,
    /// `cpuctUtilityStdevPrior`: standard deviation of utilities below a node for which exploration
    /// is unchanged.
    pub cpuct_utility_stdev_prior: f64,
    /// `cpuctUtilityStdevPriorWeight`: weight of that value, in visits.
    pub cpuct_utility_stdev_prior_weight: f64,
    /// `cpuctUtilityStdevScale`: share of exploration in proportion to the standard deviation.
    pub cpuct_utility_stdev_scale: f64,
    /// `fpuReductionMax`: a move without visits counts as worse than its parent by this times √p.
    /// Here p is the total probability of the visited moves.
    pub fpu_reduction_max: f64,
    /// `rootFpuReductionMax`: the same at the root.
    pub root_fpu_reduction_max: f64,
    /// `fpuParentWeightByVisitedPolicy`: true if such a move is compared with a mixture of the
    /// parent's mean utility and of the network's first estimate about the parent. The mean has
    /// weight pᵉ, with e from the next parameter.
    pub fpu_parent_weight_by_visited_policy: bool,
    /// `fpuParentWeightByVisitedPolicyPow`: the exponent of that weight.
    pub fpu_parent_weight_by_visited_policy_pow: f64,
    /// `policyOptimism`: weight of the optimistic policy below the root, if the network has one.
    pub policy_optimism: f64,
    /// `rootPolicyOptimism`: the same at the root.
    pub root_policy_optimism: f64,
    /// `nnPolicyTemperature`: probabilities are raised to the power of 1 divided by this.
    pub nn_policy_temperature: f64,
    /// `rootPolicyTemperature`: the same at the root, in addition.
    pub root_policy_temperature: f64,
    /// `wideRootNoise`: standard deviation of the random draws whose positive values are added to
    /// the utilities of moves at the root. It also makes their probabilities more equal there.
    pub wide_root_noise: f64,
    /// `analysisWideRootNoise`: the same in searches that choose no move, if it is larger.
    pub analysis_wide_root_noise: f64,
    /// `rootNumSymmetriesToSample`: number of symmetries in which the network sees the root, at
    /// most 8. Their results are averaged.
    pub root_num_symmetries_to_sample: u32,
    /// `useLcbForSelection`: true if the move with the best lower confidence bound is played,
    /// instead of the most visited one.
    pub use_lcb_for_selection: bool,
    /// `lcbStdevs`: distance of the bound from the mean, in standard errors.
    pub lcb_stdevs: f64,
    /// `minVisitPropForLCB`: share of the most visited move's weight that the move needs.
    pub min_visit_prop_for_lcb: f64,
    /// `valueWeightExponent`: children with low utilities count less in the mean of their parent.
    /// Their weight is multiplied by a share, raised to this power.
    pub value_weight_exponent: f64,
    /// `useNoisePruning`: true if a child with much more weight than its probability suggests
    /// counts less, unless it is better than likelier ones.
    pub use_noise_pruning: bool,
    /// `noisePruneUtilityScale`: difference of utilities at which most of that excess is removed.
    pub noise_prune_utility_scale: f64,
    /// `useUncertainty`: true if positions count more if the network expects a small error.
    /// Networks predict the error from model version 9 on.
    pub use_uncertainty: bool,
    /// `uncertaintyCoeff`: expected error of the utility at which a position counts once, about.
    pub uncertainty_coeff: f64,
    /// `uncertaintyExponent`: power of the error to which the weight is inversely proportional.
    pub uncertainty_exponent: f64,
    /// `uncertaintyMaxWeight`: greatest weight of a position, and the weight of a finished game.
    pub uncertainty_max_weight: f64,
    /// `subtreeValueBiasFactor`: share of the mean error in similar positions by which the value of
    /// a position is corrected. 0 corrects nothing.
    pub subtree_value_bias_factor: f64,
    /// `subtreeValueBiasWeightExponent`: in that mean, an error counts as the weight of the moves
    /// that showed it, raised to this power.
    pub subtree_value_bias_weight_exponent: f64,
    /// `rootSymmetryPruning`: true if the search tries only one of several moves at the root that
    /// the symmetries of the position map to each other.
    pub root_symmetry_pruning: bool,
    /// `playoutDoublingAdvantage`: the network assumes that a player is stronger than the opponent,
    /// by this number of doublings of playouts. Negative if the player is weaker.
    pub playout_doubling_advantage: f64,
    /// `playoutDoublingAdvantagePla`: that player. `None` for the player for whom the search works.
    pub playout_doubling_advantage_pla: Option<Color>,
    /// `dynamicPlayoutDoublingAdvantageCapPerOppLead`: in handicap games, moves are chosen with an
    /// advantage of the player behind. Each point of handicap raises its limit by this number of
    /// doublings on 19×19, and by more on smaller boards. 0 for no such advantage. It counts only
    /// if [`Self::playout_doubling_advantage`] is 0.
    pub dynamic_playout_doubling_advantage_cap_per_opp_lead: f64,
    /// `playoutWeight`: share of a playout in the result of a visit, if playouts and network agree
    /// (`grow/blend.rs`).
    pub playout_weight: f64,
    /// `playoutAgreement`: difference of the two averages over a search up to which they agree, in
    /// win probability. Some difference is normal, because playouts tend toward a half.
    pub playout_agreement: f64,
    /// `playoutWeightGrowth`: increase of the share of playouts per unit of difference beyond
    /// [`Self::playout_agreement`], up to a share of 0.85.
    pub playout_weight_growth: f64,
    /// `urgentMovePolicy`: minimum probability of an urgent move at the root (`grow/urgent.rs`).
    pub urgent_move_policy: f64,
    /// Greatest utility of the score in proportion to the number of points, 0 in KataGo.
    pub linear_score_utility_factor: f64,
    /// The count that exploration grows with. KataGo's is that of the moves.
    pub explores_by: ExploresBy,
}

/// Count that exploration grows with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExploresBy {
    /// Visits of the node, with its own evaluation and the running visit.
    Node,
    /// Visits of the moves, weighted by uncertainty.
    Moves,
}

impl Parameters {
    /// Returns the size of the wide noise at the root. A search that `analyzes` chooses no move,
    /// and may have more noise.
    pub(crate) fn noise_at_root(&self, analyzes: bool) -> f64 {
        match analyzes {
            true => self.wide_root_noise.max(self.analysis_wide_root_noise),
            false => self.wide_root_noise,
        }
    }

    /// Returns the advantage of analyses, for a search that works for `player`.
    pub(crate) fn advantage(&self, player: Color) -> Advantage {
        let player = self.playout_doubling_advantage_pla.unwrap_or(player);
        Advantage::of(player, self.playout_doubling_advantage)
    }

    /// Returns the parameters of the program's own networks. Utilities are then the results of
    /// visits.
    pub fn omnigo() -> Parameters {
        let linear = MARGIN as f64 / WIN as f64;
        Parameters {
            win_loss_utility_factor: 1.0 - linear,
            static_score_utility_factor: 0.0,
            dynamic_score_utility_factor: 0.0,
            cpuct_exploration: 1.1,
            cpuct_exploration_log: 0.5,
            cpuct_utility_stdev_scale: 0.0,
            fpu_reduction_max: 0.5,
            root_fpu_reduction_max: 0.5,
            fpu_parent_weight_by_visited_policy: false,
            policy_optimism: 0.0,
            root_policy_optimism: 0.0,
            use_lcb_for_selection: false,
            value_weight_exponent: 0.0,
            use_noise_pruning: false,
            use_uncertainty: false,
            playout_weight_growth: 2.0,
            urgent_move_policy: 0.025,
            linear_score_utility_factor: linear,
            explores_by: ExploresBy::Node,
            ..Parameters::katago()
        }
    }

    /// Returns the parameters of networks of Leela Zero, which predict no score and know one komi.
    /// They learned from games that were played to their end, so nothing corrects their
    /// probabilities.
    pub fn leela_zero() -> Parameters {
        Parameters {
            urgent_move_policy: 0.0,
            ..Parameters::omnigo().with_playouts()
        }
    }

    /// Returns these parameters with a playout in every visit.
    fn with_playouts(self) -> Parameters {
        Parameters {
            playout_weight: 0.2,
            playout_agreement: 0.25,
            playout_weight_growth: 1.5,
            ..self
        }
    }

    /// Returns these parameters with a playout in every visit, if playouts may count at all.
    /// Judgments of dead stones count these playouts. Their searches are too short to try each
    /// urgent move, and assume players of equal strength.
    pub(crate) fn judging(self) -> Parameters {
        let even = Parameters {
            playout_doubling_advantage: 0.0,
            dynamic_playout_doubling_advantage_cap_per_opp_lead: 0.0,
            ..self
        };
        if !self.blends() {
            return even;
        }
        let judging = even.with_playouts();
        Parameters {
            playout_weight: judging.playout_weight.max(self.playout_weight),
            urgent_move_policy: 0.0,
            ..judging
        }
    }

    /// Returns the values that KataGo uses for play, without its corrections by observed errors,
    /// its pruning of symmetric moves, and its advantage in handicap games. KataGo's own values
    /// for these are 0.45, true, and 0.045.
    pub fn katago() -> Parameters {
        Parameters {
            win_loss_utility_factor: 1.0,
            static_score_utility_factor: 0.1,
            dynamic_score_utility_factor: 0.3,
            dynamic_score_center_zero_weight: 0.2,
            dynamic_score_center_scale: 0.75,
            cpuct_exploration: 1.0,
            cpuct_exploration_log: 0.45,
            cpuct_exploration_base: 500.0,
            cpuct_utility_stdev_prior: 0.4,
            cpuct_utility_stdev_prior_weight: 2.0,
            cpuct_utility_stdev_scale: 0.85,
            fpu_reduction_max: 0.2,
            root_fpu_reduction_max: 0.1,
            fpu_parent_weight_by_visited_policy: true,
            fpu_parent_weight_by_visited_policy_pow: 2.0,
            policy_optimism: 1.0,
            root_policy_optimism: 0.2,
            nn_policy_temperature: 1.0,
            root_policy_temperature: 1.0,
            wide_root_noise: 0.0,
            analysis_wide_root_noise: 0.0,
            root_num_symmetries_to_sample: 1,
            use_lcb_for_selection: true,
            lcb_stdevs: 5.0,
            min_visit_prop_for_lcb: 0.15,
            value_weight_exponent: 0.25,
            use_noise_pruning: true,
            noise_prune_utility_scale: 0.15,
            use_uncertainty: true,
            uncertainty_coeff: 0.25,
            uncertainty_exponent: 1.0,
            uncertainty_max_weight: 8.0,
            subtree_value_bias_factor: 0.0,
            subtree_value_bias_weight_exponent: 0.85,
            root_symmetry_pruning: false,
            playout_doubling_advantage: 0.0,
            playout_doubling_advantage_pla: None,
            dynamic_playout_doubling_advantage_cap_per_opp_lead: 0.0,
            playout_weight: 0.0,
            playout_agreement: 0.4,
            playout_weight_growth: 0.0,
            urgent_move_policy: 0.0,
            linear_score_utility_factor: 0.0,
            explores_by: ExploresBy::Moves,
        }
    }

    /// Returns the greatest utility.
    pub(crate) fn utility_radius(&self) -> f64 {
        self.win_loss_utility_factor
            + self.static_score_utility_factor
            + self.dynamic_score_utility_factor
            + self.linear_score_utility_factor
    }

    /// Returns true if results alone do not suffice to select moves, so that the tree must store
    /// moments of utilities.
    pub(crate) fn needs_moments(&self) -> bool {
        let own = Parameters::omnigo();
        self.win_loss_utility_factor != own.win_loss_utility_factor
            || self.linear_score_utility_factor != own.linear_score_utility_factor
            || self.static_score_utility_factor > 0.0
            || self.dynamic_score_utility_factor > 0.0
            || self.cpuct_utility_stdev_scale > 0.0
            || self.fpu_parent_weight_by_visited_policy
            || self.use_lcb_for_selection
            || self.use_uncertainty
            || self.reweighs()
            || self.corrects()
    }

    /// Returns true if bad children count less in the mean of their parent.
    pub(crate) fn reweighs(&self) -> bool {
        self.use_noise_pruning || self.value_weight_exponent > 0.0
    }

    /// Returns true if observed errors correct the values of the network.
    pub(crate) fn corrects(&self) -> bool {
        self.subtree_value_bias_factor > 0.0
    }

    /// Returns true if results of playouts may count beside values of the network.
    pub(crate) fn blends(&self) -> bool {
        self.playout_weight > 0.0 || self.playout_weight_growth > 0.0
    }

    /// Returns true if the network must evaluate a root whose moves an earlier search has found.
    pub(crate) fn needs_root(&self) -> bool {
        self.dynamic_score_utility_factor > 0.0
            || self.root_policy_optimism != self.policy_optimism
            || self.root_policy_temperature != 1.0
            || self.root_num_symmetries_to_sample > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgments_count_a_playout_in_every_visit_if_playouts_may_count() {
        let own = Parameters::omnigo();
        assert_eq!(own.playout_weight, 0.0);
        assert_eq!(own.judging().playout_weight, 0.2);
        let heavier = Parameters {
            playout_weight: 0.5,
            ..own
        };
        assert_eq!(heavier.judging().playout_weight, 0.5);
        let uneven = Parameters {
            playout_doubling_advantage: 1.0,
            dynamic_playout_doubling_advantage_cap_per_opp_lead: 0.045,
            ..Parameters::katago()
        };
        for parameters in [uneven, Parameters::katago()] {
            assert_eq!(parameters.judging(), Parameters::katago());
        }
    }

    #[test]
    fn own_networks_need_neither_moments_nor_another_evaluation() {
        let own = Parameters::omnigo();
        assert!(!own.needs_moments() && !own.needs_root());
        assert!(Parameters::katago().needs_moments() && Parameters::katago().needs_root());
        for (name, value) in [
            ("useLcbForSelection", "true"),
            ("winLossUtilityFactor", "1"),
            ("staticScoreUtilityFactor", "0.1"),
            ("dynamicScoreUtilityFactor", "0.1"),
            ("fpuParentWeightByVisitedPolicy", "true"),
            ("useUncertainty", "true"),
            ("useNoisePruning", "true"),
            ("valueWeightExponent", "0.25"),
            ("cpuctUtilityStdevScale", "0.5"),
            ("subtreeValueBiasFactor", "0.35"),
        ] {
            let mut parameters = own;
            let parameter = Parameter::find(name).unwrap();
            parameter.set(&mut parameters, value).unwrap();
            assert!(parameters.needs_moments(), "{name}");
        }
    }
}
