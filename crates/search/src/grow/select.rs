//! Choice of the move to visit next, in a search that a network guides.
//!
//! Moves are selected by PUCT (Silver et al. 2017): the mean value of a move, plus a bonus. The
//! bonus grows with the probability of the move and shrinks with its visits. A move without visits
//! counts as slightly worse than its parent. This is first-play urgency, with the reduction of
//! Leela Zero. With [`ExploresBy::Moves`], the formulas are KataGo's (`searchexplorehelpers.cpp`).
//!
//! An analysis may add noise at the root, so that more moves get visits (KataGo's wide root noise).
//!
//! A value is a mean result, 0…1, or the mean utility on that scale if the tree has moments. So
//! the parameters, which are in units of utilities, are halved.

use rand_distr::{Distribution, StandardNormal};

use omnigo_core::playout::Random;

use super::moments::Sums;
use super::tree::{Node, NodeId, Proof, Tree};
use crate::parameters::{ExploresBy, Parameters};

/// Exploration after n visits of the moves grows with √(n + 0.01). It is positive without visits.
const OFFSET: f32 = 0.01;
/// Minimum weight of the completed visits that virtual losses are compared with.
const LEAST_WEIGHT: f64 = 0.25;

/// Returns the index of the child to visit next. The node must have children. `noise` is the size
/// of the wide noise at the root.
pub(super) fn select(
    tree: &Tree,
    id: NodeId,
    is_root: bool,
    parameters: &Parameters,
    noise: f64,
    random: &mut Random,
) -> usize {
    let selection = Selection::new(tree, id, is_root, parameters);
    let mut best = (f32::NEG_INFINITY, 0);
    for (number, child) in tree.children(id).iter().enumerate() {
        let urgency = match is_root && noise > 0.0 {
            true => selection.noisy_urgency(child, noise, random),
            false => selection.urgency(child),
        };
        if urgency > best.0 {
            best = (urgency, number);
        }
    }
    best.1
}

/// Returns a utility on the scale of results.
fn as_result(utility: f64) -> f32 {
    (0.5 + 0.5 * utility) as f32
}

/// State of a node from which its children are compared.
pub(crate) struct Selection<'t> {
    tree: &'t Tree,
    /// Greatest utility.
    radius: f64,
    /// Weight of move probabilities.
    pub(crate) exploration: f32,
    /// Value of the node for the player to move there.
    own: f32,
    /// Value of a move without visits.
    untried: f32,
}

impl<'t> Selection<'t> {
    pub(crate) fn new(
        tree: &'t Tree,
        id: NodeId,
        is_root: bool,
        parameters: &Parameters,
    ) -> Selection<'t> {
        let (node, children) = (tree.node(id), tree.children(id));
        let sums = tree.sums(node);
        let tried: f32 = children
            .iter()
            .filter(|child| child.visits() > 0)
            .map(Node::probability)
            .sum();
        let (visits, root) = match parameters.explores_by {
            ExploresBy::Node => {
                let visits = node.visits() as f32;
                (visits, visits.max(1.0).sqrt())
            }
            ExploresBy::Moves => {
                let weights = children.iter().map(|child| settled_weight(tree, child));
                let visits = weights.sum::<f64>() as f32;
                (visits, (visits + OFFSET).sqrt())
            }
        };
        let halved = |parameter: f64| (0.5 * parameter) as f32;
        let base = parameters.cpuct_exploration_base as f32;
        let growth = halved(parameters.cpuct_exploration_log) * ((visits + base) / base).ln();
        let spread = spread(parameters, sums);
        let exploration = (halved(parameters.cpuct_exploration) + growth) * root * spread;
        // Means are those of the player of the node's move, or at the root of the player to move.
        let seen = |mean: f32| if is_root { mean } else { 1.0 - mean };
        let own = seen(match sums {
            Some(sums) => as_result(sums.mean()),
            None => node.settled_mean() as f32,
        });
        let compared = match sums {
            Some(sums) if parameters.fpu_parent_weight_by_visited_policy => {
                let power = parameters.fpu_parent_weight_by_visited_policy_pow;
                let share = tried.powf(power as f32).min(1.0);
                share * own + (1.0 - share) * seen(as_result(sums.first))
            }
            _ => own,
        };
        let reduction = halved(match is_root {
            true => parameters.root_fpu_reduction_max,
            false => parameters.fpu_reduction_max,
        });
        Selection {
            tree,
            radius: parameters.utility_radius(),
            exploration,
            own,
            untried: compared - reduction * tried.sqrt(),
        }
    }

    /// Returns the value by which children are compared. The greatest is visited.
    fn urgency(&self, child: &Node) -> f32 {
        self.urgency_of(child, child.probability())
    }

    /// Returns the urgency of a child of the root with wide root noise. The noise makes
    /// probabilities more equal, and adds a random bonus in half of the draws.
    fn noisy_urgency(&self, child: &Node, noise: f64, random: &mut Random) -> f32 {
        let probability = child.probability().powf(1.0 / (1.0 + 4.0 * noise as f32));
        let draw: f64 = StandardNormal.sample(random.generator());
        // Values are half of utilities.
        let bonus = 0.5 * noise * draw.max(0.0);
        self.urgency_of(child, probability) + bonus as f32
    }

    /// Returns the value of a child as if it had this probability.
    fn urgency_of(&self, child: &Node, probability: f32) -> f32 {
        let (value, weight) = match (child.proof(), child.visits()) {
            (Proof::Win, visits) => (f32::INFINITY, visits as f32),
            (Proof::Loss, visits) => (-1.0, visits as f32),
            (Proof::Open, 0) if child.is_urgent() => (self.own, 0.0),
            (Proof::Open, 0) => (self.untried, 0.0),
            (Proof::Open, visits) => self.value_and_weight(child, visits),
        };
        value + self.exploration * probability / (1.0 + weight)
    }

    /// Returns the mean value of a child with visits, and their weight. A running visit counts as a
    /// loss (virtual loss).
    fn value_and_weight(&self, child: &Node, visits: u32) -> (f32, f32) {
        let Some(sums) = self.tree.sums(child) else {
            return (child.mean() as f32, visits as f32);
        };
        let running = f64::from(visits.saturating_sub(sums.completed));
        let share = running / (running + sums.weight.max(LEAST_WEIGHT));
        let utility = sums.mean() * (1.0 - share) - self.radius * share;
        (as_result(utility), (sums.weight + running) as f32)
    }
}

/// Returns the weight of the completed visits of a child.
fn settled_weight(tree: &Tree, child: &Node) -> f64 {
    match (child.visits(), tree.sums(child)) {
        (0, _) => 0.0,
        (_, Some(sums)) => sums.weight,
        (visits, None) => f64::from(visits),
    }
}

/// Returns the factor of exploration by the variance of utilities below a node.
fn spread(parameters: &Parameters, sums: Option<Sums>) -> f32 {
    let scale = parameters.cpuct_utility_stdev_scale;
    let prior = parameters.cpuct_utility_stdev_prior;
    // The variance of a single visit is unknown.
    let Some(sums) = sums.filter(|sums| scale > 0.0 && sums.weight > 1.0) else {
        return 1.0;
    };
    let square = sums.mean() * sums.mean();
    let added = parameters.cpuct_utility_stdev_prior_weight;
    let total = (square + prior * prior) * added + sums.mean_square() * sums.weight;
    let variance = total / (added + sums.weight - 1.0) - square;
    (1.0 + scale * (variance.max(0.0).sqrt() / prior - 1.0)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::{Move, Vertex};
    use omnigo_core::policy::Prior;

    use crate::grow::tree::WIN;

    /// Returns a tree whose root has moves of these probabilities and one visit of its own.
    fn tree(moments: bool, probabilities: &[f32], own: f64) -> Tree {
        let tree = Tree::for_search(1, moments);
        let moves = probabilities.iter().enumerate();
        let moves = moves.map(|(at, &p)| (Move::Place(Vertex::at(at)), Prior::probability(p)));
        assert!(tree.node(tree.root()).claim() && tree.expand(tree.root(), moves));
        visit(&tree, tree.node(tree.root()), own, 1.0);
        tree
    }

    fn visit(tree: &Tree, node: &Node, utility: f64, weight: f64) {
        node.begin_visit();
        node.end_visit(((utility + 1.0) / 2.0 * WIN as f64) as u64);
        tree.add_utility(node, utility, weight);
    }

    fn near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 2e-4, "{found} {expected}");
    }

    #[test]
    fn own_networks_keep_their_formula() {
        let parameters = Parameters::omnigo();
        let tree = tree(false, &[0.5, 0.25], 0.2);
        let moves = tree.children(tree.root());
        visit(&tree, &moves[0], -0.2, 1.0);
        tree.node(tree.root()).begin_visit();
        tree.node(tree.root()).end_visit(600);
        // A third visit is running.
        tree.node(tree.root()).begin_visit();
        let found = Selection::new(&tree, tree.root(), true, &parameters);
        let weight = (0.55 + 0.25 * (503.0f32 / 500.0).ln()) * 3.0f32.sqrt();
        let own = tree.node(tree.root()).settled_mean() as f32;
        let tried = moves[0].probability();
        assert_eq!(found.exploration, weight);
        assert_eq!(found.own, own);
        assert_eq!(found.untried, own - 0.25 * tried.sqrt());
        let first = moves[0].mean() as f32 + weight * tried / 2.0;
        assert_eq!(found.urgency(&moves[0]), first);
        let second = own - 0.25 * tried.sqrt() + weight * moves[1].probability();
        assert_eq!(found.urgency(&moves[1]), second);
    }

    #[test]
    fn noise_spreads_the_visits_of_the_root() {
        let visited = |noise: f64| {
            let parameters = Parameters::omnigo();
            let tree = tree(false, &[0.97, 0.01, 0.01, 0.01], 0.0);
            let moves = tree.children(tree.root());
            let mut random = Random::new(1);
            for _ in 0..200 {
                let next = select(&tree, tree.root(), true, &parameters, noise, &mut random);
                visit(&tree, &moves[next], 0.0, 1.0);
                visit(&tree, tree.node(tree.root()), 0.0, 1.0);
            }
            [1, 2, 3].map(|number: usize| moves[number].visits())
        };
        let (plain, noisy) = (visited(0.0), visited(0.5));
        assert!(plain.iter().sum::<u32>() < 12, "{plain:?}");
        assert!(noisy.iter().all(|&visits| visits >= 12), "{noisy:?}");
    }

    #[test]
    fn utilities_and_weights_replace_results_and_visits() {
        let parameters = Parameters {
            cpuct_utility_stdev_scale: 0.0,
            ..Parameters::katago()
        };
        let tree = tree(true, &[0.5, 0.25, 0.25], 0.4);
        let moves = tree.children(tree.root());
        visit(&tree, &moves[0], 0.8, 3.0);
        visit(&tree, tree.node(tree.root()), 0.8, 3.0);
        let found = Selection::new(&tree, tree.root(), true, &parameters);
        // The only visit of a move has weight 3.
        let growth = 0.45 * (503.0f32 / 500.0).ln();
        near(
            found.exploration,
            0.5 * (1.0 + growth) * (3.0 + OFFSET).sqrt(),
        );
        // The mean utility is (0.4 + 3 · 0.8) / 4 = 0.7. Its weight is 0.5², the rest has 0.4.
        let compared = 0.25 * 0.7 + 0.75 * 0.4;
        near(found.untried, 0.5 + 0.5 * (compared - 0.1 * 0.5f32.sqrt()));
        let urgency = 0.9 + found.exploration * 0.5 / 4.0;
        near(found.urgency(&moves[0]), urgency);
        near(
            found.urgency(&moves[1]),
            found.untried + found.exploration * 0.25,
        );
    }

    #[test]
    fn below_the_root_the_other_player_chooses() {
        let parameters = Parameters {
            fpu_reduction_max: 0.0,
            ..Parameters::katago()
        };
        let tree = tree(true, &[1.0], 0.5);
        let root = Selection::new(&tree, tree.root(), true, &parameters);
        let below = Selection::new(&tree, tree.root(), false, &parameters);
        near(root.own, 0.75);
        near(below.own, 0.25);
        near(below.untried, 0.25);
    }

    #[test]
    fn a_running_visit_counts_as_a_loss() {
        let tree = tree(true, &[0.5, 0.5], 0.0);
        let moves = tree.children(tree.root());
        visit(&tree, &moves[0], 0.4, 1.0);
        moves[0].begin_visit();
        let found = Selection::new(&tree, tree.root(), true, &Parameters::katago());
        // Utilities reach from −1.4 to 1.4.
        let (value, weight) = found.value_and_weight(&moves[0], 2);
        near(value, 0.5 + 0.5 * (0.4 - 1.4) / 2.0);
        near(weight, 2.0);
        // The first visit of a move.
        moves[1].begin_visit();
        let (value, weight) = found.value_and_weight(&moves[1], 1);
        assert_eq!((value, weight), (0.0, 1.0));
    }

    #[test]
    fn exploration_grows_with_the_variance_of_utilities() {
        let parameters = Parameters::katago();
        let explored = |utilities: [f64; 4]| {
            let tree = tree(true, &[1.0], utilities[0]);
            for utility in &utilities[1..] {
                visit(&tree, tree.node(tree.root()), *utility, 1.0);
            }
            spread(&parameters, tree.sums(tree.node(tree.root())))
        };
        // The variance is 2 · 0.16 / 5 = 0.064, so the factor is 1 + 0.85 · (√0.4 − 1).
        near(explored([0.0; 4]), 1.0 + 0.85 * (0.4f32.sqrt() - 1.0));
        // The variance is (2 · 0.16 + 4 · 0.64) / 5 = 0.576.
        near(
            explored([0.8, -0.8, 0.8, -0.8]),
            1.0 + 0.85 * (3.6f32.sqrt() - 1.0),
        );
        assert_eq!(spread(&parameters, None), 1.0);
    }

    #[test]
    fn first_play_urgency_and_exploration_change_the_move() {
        let tree = tree(true, &[0.55, 0.45], 0.0);
        let moves = tree.children(tree.root());
        for _ in 0..4 {
            visit(&tree, &moves[0], 0.0, 1.0);
            visit(&tree, tree.node(tree.root()), 0.0, 1.0);
        }
        let mut random = Random::new(1);
        let mut chosen = |parameters: Parameters| {
            select(&tree, tree.root(), true, &parameters, 0.0, &mut random)
        };
        let katago = Parameters::katago();
        assert_eq!(chosen(katago), 1);
        let bold = Parameters {
            root_fpu_reduction_max: 2.0,
            ..katago
        };
        assert_eq!(chosen(bold), 0);
        let greedy = Parameters {
            cpuct_exploration: 0.0,
            cpuct_exploration_log: 0.0,
            ..katago
        };
        assert_eq!(chosen(greedy), 0);
    }
}
