//! Means of nodes from the weights of their children, without those that exploration spent on bad
//! moves.
//!
//! A plain mean counts every visit, so exploration of bad moves makes a node look worse. Here a
//! child counts less if its utility is below that of the others. The formulas are KataGo's
//! (`downweightBadChildrenAndNormalizeWeight` and `pruneNoiseWeight` in `searchupdatehelpers.cpp`).

use std::f64::consts::PI;

use super::moments::Sums;
use super::tree::{Node, NodeId, Tree};
use crate::parameters::Parameters;

/// A child may have twice the weight that its probability suggests, compared with likelier ones.
const LENIENCE: f64 = 2.0;
/// The precision of a utility is this times the square root of its weight.
const PRECISION: f64 = 1.5;
/// Least variance of a utility.
const LEAST_VARIANCE: f64 = 1e-8;
/// Least share of a child's weight, before the power of `valueWeightExponent`.
const LEAST_SHARE: f64 = 1e-4;

/// A child with completed visits. Utilities are those for the player to move at the node.
struct Child {
    sums: Sums,
    probability: f64,
    weight: f64,
}

impl Tree {
    /// Adds a visit below a node with children, whose sums then follow those of the children. The
    /// visit has this utility for the player of the node's move, and this weight.
    pub(super) fn add_below(
        &self,
        id: NodeId,
        is_root: bool,
        parameters: &Parameters,
        utility: f64,
        weight: f64,
    ) {
        let node = self.node(id);
        let recomputes = parameters.reweighs() || self.corrections.is_some();
        let recomputes = recomputes && !self.is_out_of_moments();
        let known = self.sums(node).filter(|_| recomputes);
        let mut children = match known {
            Some(_) => self.visited(id),
            None => Vec::new(),
        };
        match known {
            Some(own) if !children.is_empty() => {
                children.sort_by(|a, b| b.probability.total_cmp(&a.probability));
                let weight = children.iter().map(|child| child.weight).sum();
                reweigh(&mut children, parameters);
                let mut own = own;
                if self.corrections.is_some() {
                    let error = error_of(&own, &children, is_root);
                    self.observe(node, error, weight, parameters);
                    own.first = self.corrected(node, own.first, parameters);
                }
                self.replace_utilities(node, mean_of(&own, &children, is_root));
            }
            // Without all sums of the children, the node adds up its visits.
            _ => self.add_utility(node, utility, weight),
        }
    }

    /// Returns the children of a node with completed visits.
    fn visited(&self, id: NodeId) -> Vec<Child> {
        let child = |child: &Node| {
            let sums = self.sums(child)?;
            Some(Child {
                sums,
                probability: f64::from(child.probability()),
                weight: sums.weight,
            })
        };
        self.children(id).iter().filter_map(child).collect()
    }
}

/// Reduces the weights of children with low utilities. They must be sorted by probability.
fn reweigh(children: &mut [Child], parameters: &Parameters) {
    if parameters.use_noise_pruning {
        prune(children, parameters.noise_prune_utility_scale);
    }
    let total: f64 = children.iter().map(|child| child.weight).sum();
    let utility = children
        .iter()
        .map(|child| child.weight * child.sums.mean());
    let mean = utility.sum::<f64>() / total;
    for child in children.iter_mut() {
        let precision = PRECISION * child.weight.sqrt();
        let deviation = (LEAST_VARIANCE + 1.0 / precision).sqrt();
        let share = student((child.sums.mean() - mean) / deviation) + LEAST_SHARE;
        child.weight *= share.powf(parameters.value_weight_exponent);
    }
    // The sum of weights stays.
    let kept: f64 = children.iter().map(|child| child.weight).sum();
    for child in children {
        child.weight *= total / kept;
    }
}

/// Reduces the weights of children that have much more than their probabilities suggest, but lower
/// utilities than likelier children. `scale` is the difference of utilities that matters.
fn prune(children: &mut [Child], scale: f64) {
    let (mut utility, mut weight, mut probability) = (0.0, 0.0, 0.0);
    for child in children {
        let own = child.probability.max(1e-30);
        if weight > 0.0 {
            let gap = utility / weight - child.sums.mean();
            let excess = child.weight - LENIENCE * weight * own / probability;
            if gap > 0.0 && excess > 0.0 {
                child.weight -= excess * (1.0 - (-gap / scale).exp());
            }
        }
        utility += child.weight * child.sums.mean();
        weight += child.weight;
        probability += own;
    }
}

/// Returns the distribution function of Student's distribution with three degrees of freedom.
fn student(z: f64) -> f64 {
    let root = z / 3.0f64.sqrt();
    0.5 + (root / (1.0 + root * root) + root.atan()) / PI
}

/// Returns the mean utility of the reweighed children minus that of the first visit, for the player
/// of the node's move.
fn error_of(own: &Sums, children: &[Child], is_root: bool) -> f64 {
    let sign = if is_root { 1.0 } else { -1.0 };
    let weight: f64 = children.iter().map(|child| child.weight).sum();
    let utilities = children.iter().map(|c| c.weight * c.sums.mean());
    sign * utilities.sum::<f64>() / weight - own.first
}

/// Returns the sums of a node from its first visit and its reweighed children.
fn mean_of(own: &Sums, children: &[Child], is_root: bool) -> Sums {
    // The root is seen by the player who chooses among the children, other nodes by the opponent.
    let sign = if is_root { 1.0 } else { -1.0 };
    let mut sums = Sums {
        utility: own.first * own.first_weight,
        square: own.first * own.first * own.first_weight,
        weight: own.first_weight,
        weight_square: own.first_weight * own.first_weight,
        ..*own
    };
    for child in children {
        let scale = child.weight / child.sums.weight;
        sums.utility += sign * child.weight * child.sums.mean();
        sums.square += child.weight * child.sums.mean_square();
        sums.weight += child.weight;
        sums.weight_square += scale * scale * child.sums.weight_square;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::{Move, Vertex};
    use omnigo_core::policy::Prior;

    fn child(probability: f64, utility: f64, weight: f64) -> Child {
        Child {
            sums: Sums {
                utility: utility * weight,
                square: utility * utility * weight,
                weight,
                weight_square: weight,
                completed: weight as u32,
                first: utility,
                first_weight: 1.0,
            },
            probability,
            weight,
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }

    #[test]
    fn noise_pruning_removes_excess_weight_of_bad_moves() {
        // The second move may have 2 · 10 · 0.4 / 0.6 = 13.33. Of the excess, e^(−1/0.15) stays.
        let mut children = [child(0.6, 0.5, 10.0), child(0.4, -0.5, 20.0)];
        prune(&mut children, 0.15);
        near(children[0].weight, 10.0);
        near(children[1].weight, 13.341_818);
        // A better move keeps its weight.
        let mut children = [child(0.9, 0.1, 10.0), child(0.1, 0.5, 90.0)];
        prune(&mut children, 0.15);
        near(children[1].weight, 90.0);
    }

    #[test]
    fn weights_fall_with_utilities_and_keep_their_sum() {
        let parameters = Parameters {
            use_noise_pruning: false,
            ..Parameters::katago()
        };
        let mut children = [child(0.5, 0.5, 16.0), child(0.5, -0.5, 16.0)];
        reweigh(&mut children, &parameters);
        near(children[0].weight + children[1].weight, 32.0);
        // z is ±1.2247, and the distribution function 0.84597 and 0.15403.
        near(children[0].weight, 19.355_037);
        near(student(0.0), 0.5);
        near(student(1.0) + student(-1.0), 1.0);
        // From tables of Student's distribution: 95 % at 2.3534.
        near(student(2.3534), 0.95);
    }

    #[test]
    fn a_node_combines_its_first_visit_with_its_children() {
        let own = Sums {
            first: 0.25,
            first_weight: 2.0,
            completed: 7,
            ..Sums::default()
        };
        let mut children = [child(0.5, 0.5, 4.0)];
        children[0].weight = 2.0;
        let sums = mean_of(&own, &children, true);
        near(sums.utility, 0.25 * 2.0 + 0.5 * 2.0);
        near(sums.square, 0.0625 * 2.0 + 0.25 * 2.0);
        near(sums.weight, 4.0);
        near(sums.weight_square, 4.0 + 0.25 * 4.0);
        near(mean_of(&own, &children, false).utility, 0.5 - 1.0);
        assert_eq!(sums.completed, 7);
    }

    #[test]
    fn without_reweighing_visits_add_up() {
        let plain = Parameters {
            use_noise_pruning: false,
            value_weight_exponent: 0.0,
            ..Parameters::katago()
        };
        for (parameters, mean) in [(plain, 0.2), (Parameters::katago(), 0.5)] {
            let tree = Tree::for_search(1, true);
            let root = tree.root();
            let moves = [Move::Place(Vertex::at(0)), Move::Pass];
            let moves = moves.into_iter().map(|mv| (mv, Prior::probability(0.5)));
            assert!(tree.node(root).claim() && tree.expand(root, moves));
            tree.add_utility(tree.node(root), 0.4, 1.0);
            tree.add_utility(&tree.children(root)[0], 0.6, 1.0);
            // The utility of the visit differs from that of the child, to tell both apart.
            tree.add_below(root, true, &parameters, 0.0, 1.0);
            let sums = tree.sums(tree.node(root)).unwrap();
            near(sums.mean(), mean);
            near(sums.weight, 2.0);
            assert_eq!(sums.completed, 2);
        }
    }
}
