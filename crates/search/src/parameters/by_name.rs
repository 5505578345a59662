//! Parameters that users can read and set by name.

use super::Parameters;
use omnigo_base::color::Color;

/// Place of a parameter, with its allowed values.
#[derive(Debug)]
enum Field {
    Number(fn(&mut Parameters) -> &mut f64, f64, f64),
    Whole(fn(&mut Parameters) -> &mut u32, u32, u32),
    Switch(fn(&mut Parameters) -> &mut bool),
    Player(fn(&mut Parameters) -> &mut Option<Color>),
}

/// A parameter that users can read and set.
#[derive(Debug)]
pub struct Parameter {
    /// Name, as in KataGo if it has the parameter.
    pub name: &'static str,
    field: Field,
}

impl Parameter {
    /// Returns the parameter with this name, or `None` if there is none.
    pub fn find(name: &str) -> Option<&'static Parameter> {
        PARAMETERS.iter().find(|parameter| parameter.name == name)
    }

    /// Returns all parameters.
    pub fn all() -> &'static [Parameter] {
        PARAMETERS
    }

    /// Returns the value as text.
    pub fn get(&self, parameters: &Parameters) -> String {
        let mut copy = *parameters;
        match self.field {
            Field::Number(at, ..) => at(&mut copy).to_string(),
            Field::Whole(at, ..) => at(&mut copy).to_string(),
            Field::Switch(at) => at(&mut copy).to_string(),
            // KataGo's letters.
            Field::Player(at) => match *at(&mut copy) {
                Some(Color::BLACK) => "B",
                Some(_) => "W",
                None => "E",
            }
            .to_string(),
        }
    }

    /// Sets the value.
    ///
    /// # Errors
    /// A description of the allowed values, if the text is none of them. Nothing changes then.
    pub fn set(&self, parameters: &mut Parameters, text: &str) -> Result<(), String> {
        let done = match self.field {
            Field::Number(at, least, most) => {
                let number = text.parse().ok();
                let number = number.filter(|number| (least..=most).contains(number));
                number.map(|number| *at(parameters) = number)
            }
            Field::Whole(at, least, most) => {
                let number = text.parse().ok();
                let number = number.filter(|number| (least..=most).contains(number));
                number.map(|number| *at(parameters) = number)
            }
            Field::Switch(at) => {
                let value = text.to_ascii_lowercase().parse().ok();
                value.map(|value| *at(parameters) = value)
            }
            Field::Player(at) => {
                let value = match text.to_ascii_lowercase().as_str() {
                    "b" | "black" => Some(Some(Color::BLACK)),
                    "w" | "white" => Some(Some(Color::WHITE)),
                    "e" | "empty" => Some(None),
                    _ => None,
                };
                value.map(|value| *at(parameters) = value)
            }
        };
        done.ok_or_else(|| self.expected())
    }

    /// Returns a description of the allowed values.
    pub fn expected(&self) -> String {
        match self.field {
            Field::Number(_, least, most) => format!("a number from {least} to {most}"),
            Field::Whole(_, least, most) => format!("a whole number from {least} to {most}"),
            Field::Switch(_) => "true or false".to_string(),
            Field::Player(_) => "BLACK, WHITE, or EMPTY".to_string(),
        }
    }
}

const fn number(
    name: &'static str,
    least: f64,
    most: f64,
    at: fn(&mut Parameters) -> &mut f64,
) -> Parameter {
    Parameter {
        name,
        field: Field::Number(at, least, most),
    }
}

const fn switch(name: &'static str, at: fn(&mut Parameters) -> &mut bool) -> Parameter {
    Parameter {
        name,
        field: Field::Switch(at),
    }
}

/// Parameters with KataGo's names and ranges. The last four are omnigo's own.
static PARAMETERS: &[Parameter] = &[
    number("winLossUtilityFactor", 0.0, 1.0, |p| {
        &mut p.win_loss_utility_factor
    }),
    number("staticScoreUtilityFactor", 0.0, 1.0, |p| {
        &mut p.static_score_utility_factor
    }),
    number("dynamicScoreUtilityFactor", 0.0, 1.0, |p| {
        &mut p.dynamic_score_utility_factor
    }),
    number("dynamicScoreCenterZeroWeight", 0.0, 1.0, |p| {
        &mut p.dynamic_score_center_zero_weight
    }),
    number("dynamicScoreCenterScale", 0.2, 5.0, |p| {
        &mut p.dynamic_score_center_scale
    }),
    number("cpuctExploration", 0.0, 10.0, |p| &mut p.cpuct_exploration),
    number("cpuctExplorationLog", 0.0, 10.0, |p| {
        &mut p.cpuct_exploration_log
    }),
    number("cpuctExplorationBase", 10.0, 100_000.0, |p| {
        &mut p.cpuct_exploration_base
    }),
    number("cpuctUtilityStdevPrior", 1e-8, 10.0, |p| {
        &mut p.cpuct_utility_stdev_prior
    }),
    number("cpuctUtilityStdevPriorWeight", 0.0, 100.0, |p| {
        &mut p.cpuct_utility_stdev_prior_weight
    }),
    number("cpuctUtilityStdevScale", 0.0, 1.0, |p| {
        &mut p.cpuct_utility_stdev_scale
    }),
    number("fpuReductionMax", 0.0, 2.0, |p| &mut p.fpu_reduction_max),
    number("rootFpuReductionMax", 0.0, 2.0, |p| {
        &mut p.root_fpu_reduction_max
    }),
    switch("fpuParentWeightByVisitedPolicy", |p| {
        &mut p.fpu_parent_weight_by_visited_policy
    }),
    number("fpuParentWeightByVisitedPolicyPow", 0.0, 5.0, |p| {
        &mut p.fpu_parent_weight_by_visited_policy_pow
    }),
    number("policyOptimism", 0.0, 1.0, |p| &mut p.policy_optimism),
    number("rootPolicyOptimism", 0.0, 1.0, |p| {
        &mut p.root_policy_optimism
    }),
    number("nnPolicyTemperature", 0.01, 5.0, |p| {
        &mut p.nn_policy_temperature
    }),
    number("rootPolicyTemperature", 0.01, 100.0, |p| {
        &mut p.root_policy_temperature
    }),
    number("wideRootNoise", 0.0, 5.0, |p| &mut p.wide_root_noise),
    number("analysisWideRootNoise", 0.0, 5.0, |p| {
        &mut p.analysis_wide_root_noise
    }),
    Parameter {
        name: "rootNumSymmetriesToSample",
        field: Field::Whole(|p| &mut p.root_num_symmetries_to_sample, 1, 8),
    },
    switch("useLcbForSelection", |p| &mut p.use_lcb_for_selection),
    number("lcbStdevs", 1.0, 12.0, |p| &mut p.lcb_stdevs),
    number("minVisitPropForLCB", 0.0, 1.0, |p| {
        &mut p.min_visit_prop_for_lcb
    }),
    number("valueWeightExponent", 0.0, 1.0, |p| {
        &mut p.value_weight_exponent
    }),
    switch("useNoisePruning", |p| &mut p.use_noise_pruning),
    number("noisePruneUtilityScale", 0.001, 10.0, |p| {
        &mut p.noise_prune_utility_scale
    }),
    switch("useUncertainty", |p| &mut p.use_uncertainty),
    number("uncertaintyCoeff", 0.0001, 1.0, |p| {
        &mut p.uncertainty_coeff
    }),
    number("uncertaintyExponent", 0.0, 2.0, |p| {
        &mut p.uncertainty_exponent
    }),
    number("uncertaintyMaxWeight", 1.0, 100.0, |p| {
        &mut p.uncertainty_max_weight
    }),
    number("subtreeValueBiasFactor", 0.0, 1.0, |p| {
        &mut p.subtree_value_bias_factor
    }),
    number("subtreeValueBiasWeightExponent", 0.0, 1.0, |p| {
        &mut p.subtree_value_bias_weight_exponent
    }),
    switch("rootSymmetryPruning", |p| &mut p.root_symmetry_pruning),
    number("playoutDoublingAdvantage", -3.0, 3.0, |p| {
        &mut p.playout_doubling_advantage
    }),
    Parameter {
        name: "playoutDoublingAdvantagePla",
        field: Field::Player(|p| &mut p.playout_doubling_advantage_pla),
    },
    number(
        "dynamicPlayoutDoublingAdvantageCapPerOppLead",
        0.0,
        0.5,
        |p| &mut p.dynamic_playout_doubling_advantage_cap_per_opp_lead,
    ),
    number("playoutWeight", 0.0, 1.0, |p| &mut p.playout_weight),
    number("playoutAgreement", 0.0, 1.0, |p| &mut p.playout_agreement),
    number("playoutWeightGrowth", 0.0, 10.0, |p| {
        &mut p.playout_weight_growth
    }),
    number("urgentMovePolicy", 0.0, 1.0, |p| &mut p.urgent_move_policy),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_read_and_set() {
        for parameter in Parameter::all() {
            let mut parameters = Parameters::katago();
            let before = parameter.get(&parameters);
            let other = match parameter.field {
                Field::Number(_, _, most) => most.to_string(),
                Field::Whole(_, _, most) => most.to_string(),
                Field::Switch(_) => (before != "true").to_string(),
                Field::Player(_) => "B".to_string(),
            };
            parameter.set(&mut parameters, &before).unwrap();
            assert_eq!(parameters, Parameters::katago(), "{}", parameter.name);
            parameter.set(&mut parameters, &other).unwrap();
            assert_eq!(parameter.get(&parameters), other, "{}", parameter.name);
            let same = Parameter::all().iter();
            let changed = same.filter(|one| {
                one.get(&parameters) != one.get(&Parameters::katago()) && one.name != parameter.name
            });
            assert_eq!(changed.count(), 0, "{}", parameter.name);
            for wrong in ["", "x", "NaN", "-4", "1e9"] {
                let kept = parameters;
                let expected = parameter.set(&mut parameters, wrong).unwrap_err();
                assert_eq!(expected, parameter.expected());
                assert_eq!(parameters, kept, "{} '{wrong}'", parameter.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_errors_name_the_range() {
        for parameter in Parameter::all() {
            let same = Parameter::all().iter();
            assert_eq!(same.filter(|one| one.name == parameter.name).count(), 1);
        }
        let range = Parameter::find("cpuctExploration").unwrap().expected();
        assert_eq!(range, "a number from 0 to 10");
        assert!(Parameter::find("cpuctexploration").is_none());
    }
}
