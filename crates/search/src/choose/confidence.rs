//! Order of the moves of a search that a network guides: by visits, or by lower confidence bound.
//!
//! The most visited move is not always the best: a move may look better only late in a search. The
//! lower confidence bound of a move is its mean utility minus some standard errors. The formulas
//! are KataGo's (`getPlaySelectionValues` in `searchresults.cpp`, and `searchhelpers.cpp`).

use crate::grow::moments::Sums;
use crate::grow::select::Selection;
use crate::grow::tree::{Node, Tree};
use crate::parameters::Parameters;

/// Least variance of utilities.
const LEAST_VARIANCE: f64 = 1e-8;
/// Minimum ratio of two radii. It limits the factor on the weight of the best bound to 1/0.2² = 25.
const LEAST_SHARE: f64 = 0.2;
/// Weight of the probability of a move in the search for the most explored one.
const PROBABILITY_WEIGHT: f64 = 2.0;

/// Mean utility of a move minus a radius, and the radius.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    lower: f64,
    radius: f64,
}

impl Bound {
    /// Returns the bound for a move with these sums. Without any, the bound is below all others.
    fn of(sums: Option<Sums>, parameters: &Parameters) -> Bound {
        let reach = parameters.utility_radius();
        let Some(sums) = sums else {
            let radius = 2.0 * reach * parameters.lcb_stdevs;
            return Bound {
                lower: -radius,
                radius,
            };
        };
        let (mean, weight) = (sums.mean(), sums.weight);
        // A small sample can have no variance by chance. So some weight with the largest
        // variance is added. It shrinks as the number of samples grows.
        let samples = weight * weight / sums.weight_square;
        let added = weight / (samples * samples * samples);
        let square = sums.mean_square().max(mean * mean + LEAST_VARIANCE);
        let variance = square + reach * reach * added / (weight + added) - mean * mean;
        let samples = (weight + added) * (weight + added) / (sums.weight_square + added * added);
        let radius = (variance / samples).sqrt() * parameters.lcb_stdevs;
        Bound {
            lower: mean - radius,
            radius,
        }
    }
}

/// Returns a value for each move at the root. The greatest belongs to the move to play. `visits`
/// has the number of ended visits of each.
///
/// Values are visits. If the parameters choose by lower confidence bound, they are the weights that
/// the search would give by its present knowledge. The move with the best bound then gets more.
pub(super) fn selection_values(
    tree: &Tree,
    visits: &[u32],
    parameters: Option<&Parameters>,
) -> Vec<f64> {
    let children = tree.children(tree.root());
    let Some(parameters) = parameters.filter(|p| p.use_lcb_for_selection && tree.has_moments())
    else {
        return visits.iter().copied().map(f64::from).collect();
    };
    let known: Vec<Option<Sums>> = children.iter().map(|child| tree.sums(child)).collect();
    let Some(best) = most_explored(children, &known) else {
        return visits.iter().copied().map(f64::from).collect();
    };
    let mut values = wanted_weights(tree, children, &known, best, parameters);
    let bounds = known.iter().map(|&sums| Bound::of(sums, parameters));
    let bounds: Vec<Bound> = bounds.collect();
    let least = parameters.min_visit_prop_for_lcb * values[best];
    let eligible = (0..values.len()).filter(|&i| values[i] > 0.0 && values[i] >= least);
    let safest = eligible.reduce(|a, b| {
        if bounds[b].lower > bounds[a].lower {
            b
        } else {
            a
        }
    });
    if let Some(safest) = safest {
        let others = (0..values.len()).filter(|&i| i != safest);
        let raised = others.filter_map(|i| {
            let excess = bounds[safest].lower - bounds[i].lower;
            // A move with too few visits can have a better bound. It then says nothing.
            (excess >= 0.0).then(|| {
                let radius = bounds[i].radius;
                // How much wider would the radius have to be for equal bounds? Radii shrink with
                // the square root of the weight.
                let factor = (radius + excess) / (radius + LEAST_SHARE * excess);
                factor * factor * values[i]
            })
        });
        values[safest] = raised.fold(values[safest], f64::max);
    }
    values
}

/// Returns the index of the most explored move, or `None` if no visit is complete.
fn most_explored(children: &[Node], known: &[Option<Sums>]) -> Option<usize> {
    let explored = known.iter().zip(children).enumerate();
    let explored = explored.filter_map(|(number, (sums, child))| {
        let sums = (*sums)?;
        // The latest visit may have far more weight than others.
        let visits = f64::from(sums.completed.max(1));
        let weight = sums.weight * (visits - 1.0) / visits;
        let probability = f64::from(child.probability());
        Some((number, weight + PROBABILITY_WEIGHT * probability))
    });
    let best = explored.reduce(|a, b| if b.1 > a.1 { b } else { a });
    best.map(|(number, _)| number)
}

/// Returns the weight that the search would give each move by its present knowledge, at most its
/// own weight. `best` is the most explored move, which keeps its weight.
fn wanted_weights(
    tree: &Tree,
    children: &[Node],
    known: &[Option<Sums>],
    best: usize,
    parameters: &Parameters,
) -> Vec<f64> {
    let selection = Selection::new(tree, tree.root(), true, parameters);
    let exploration = f64::from(selection.exploration);
    let value = |sums: &Sums| 0.5 + 0.5 * sums.mean();
    let bonus = |number: usize| exploration * f64::from(children[number].probability());
    let urgency = known[best].map_or(0.0, |sums| value(&sums) + bonus(best) / (1.0 + sums.weight));
    let wanted = known.iter().enumerate().map(|(number, sums)| match sums {
        None => 0.0,
        Some(sums) if number == best => sums.weight,
        Some(sums) => {
            let missing = urgency - value(sums);
            let wanted = match missing > 0.0 {
                true => (bonus(number) / missing - 1.0).max(0.0),
                false => f64::INFINITY,
            };
            wanted.min(sums.weight).ceil()
        }
    });
    wanted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::{Move, Vertex};
    use omnigo_core::policy::Prior;

    use crate::choose::search_result::SearchResult;
    use crate::estimate::ownership::Ownership;
    use crate::estimate::results::ScorePart;
    use crate::estimate::root_record::RootRecord;

    /// Returns a tree whose root has moves with a probability and the utilities of their visits.
    fn tree(moves: &[(f32, Vec<f64>)]) -> Tree {
        let tree = Tree::for_search(1, true);
        let priors = moves.iter().enumerate();
        let priors =
            priors.map(|(at, (p, _))| (Move::Place(Vertex::at(at)), Prior::probability(*p)));
        let root = tree.root();
        assert!(tree.node(root).claim() && tree.expand(root, priors));
        for (child, (_, utilities)) in tree.children(root).iter().zip(moves) {
            for &utility in utilities {
                for node in [tree.node(root), child] {
                    node.begin_visit();
                    node.end_visit(((1.0 + utility) * 500.0) as u64);
                    tree.add_utility(node, utility, 1.0);
                }
            }
        }
        tree
    }

    /// Returns the order of the moves in the result of a search.
    fn order(tree: &Tree, parameters: Option<&Parameters>) -> Vec<usize> {
        let result = SearchResult::of(
            tree,
            Ownership::new(9, 2),
            &RootRecord::new(9, 9),
            ScorePart::No,
            parameters,
        );
        let moves = result.candidates.iter();
        moves.map(|c| c.mv.vertex().unwrap().index()).collect()
    }

    /// Two moves: many visits of changing utility, and fewer visits of a better one.
    fn late_discovery() -> Tree {
        let wavering = (0..60).map(|i| if i % 2 == 0 { 0.5 } else { -0.5 });
        tree(&[
            (0.5, wavering.collect()),
            (0.3, vec![0.4; 40]),
            (0.1, vec![0.9; 2]),
            (0.1, Vec::new()),
        ])
    }

    #[test]
    fn the_move_with_the_best_lower_bound_is_first() {
        let tree = late_discovery();
        let katago = Parameters::katago();
        assert_eq!(order(&tree, Some(&katago))[0], 1);
        let visits = Parameters {
            use_lcb_for_selection: false,
            ..katago
        };
        assert_eq!(order(&tree, Some(&visits)), [0, 1, 2, 3]);
        assert_eq!(order(&tree, None), [0, 1, 2, 3]);
        // Only moves with a share of the visits take part.
        let strict = Parameters {
            min_visit_prop_for_lcb: 0.9,
            ..katago
        };
        assert_eq!(order(&tree, Some(&strict))[0], 0);
    }

    #[test]
    fn bounds_agree_with_values_computed_by_hand() {
        let parameters = Parameters::katago();
        let sums = |weight: f64, mean: f64, square: f64| Sums {
            utility: weight * mean,
            square: weight * square,
            weight,
            weight_square: weight,
            completed: weight as u32,
            first: mean,
            first_weight: 1.0,
        };
        // Ten visits add a weight of 10 / 1000 with the greatest variance, 1.4².
        let bound = Bound::of(Some(sums(10.0, 0.2, 0.29)), &parameters);
        let variance: f64 = 0.25 + 1.96 * 0.01 / 10.01;
        let samples = 10.01 * 10.01 / 10.0001;
        let radius = 5.0 * (variance / samples).sqrt();
        assert!((bound.radius - radius).abs() < 1e-9, "{bound:?}");
        assert!((bound.lower - (0.2 - radius)).abs() < 1e-9, "{bound:?}");
        // A single visit is half of the weight.
        let bound = Bound::of(Some(sums(1.0, 0.0, 0.0)), &parameters);
        assert!((bound.radius - 3.5).abs() < 1e-6, "{bound:?}");
        assert!((Bound::of(None, &parameters).lower + 14.0).abs() < 1e-9);
    }

    #[test]
    fn visits_that_exploration_cost_do_not_count() {
        // The second move turned out to be much worse than the first.
        let tree = tree(&[(0.5, vec![0.5; 50]), (0.5, vec![-0.5; 30])]);
        let visits: Vec<u32> = tree
            .children(tree.root())
            .iter()
            .map(Node::visits)
            .collect();
        let values = selection_values(&tree, &visits, Some(&Parameters::katago()));
        assert!(values[0] >= 50.0, "{values:?}");
        assert!(values[1] < 10.0, "{values:?}");
    }
}
