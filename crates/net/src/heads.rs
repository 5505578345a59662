//! Output heads: policy, ownership, and outcomes, computed from the heads' common layer.

use super::functions::tanh;
use super::kernels::Job;
use super::layer::dot;
use super::layout::BoardLayout;
use super::network::{DENSE, EXTRA, HEAD, Network, Output};

/// Scale of the summed ownership (in points) when it enters the outcome head.
const LEAD_UNIT: f32 = 1.0 / 16.0;
/// Points of score lead per unit of the network's score output.
const SCORE_UNIT: f32 = 10.0;

/// Job that computes everything after the heads' common layer.
pub(super) struct OutputHeads<'a> {
    pub(super) network: &'a Network,
    pub(super) layout: &'a BoardLayout,
    /// The common layer before its ReLU: `[computed cell][64]`.
    pub(super) raw: &'a [f32],
    /// Working space.
    pub(super) pooled: &'a mut Vec<f32>,
    pub(super) komi: f32,
    pub(super) output: &'a mut Output,
}

impl Job for OutputHeads<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let OutputHeads {
            network,
            layout,
            raw,
            pooled,
            komi,
            output,
        } = self;
        let points = layout.points();
        let cells = raw.as_chunks::<{ 2 * HEAD }>().0;
        let (means, maxima) = pool(layout, cells);
        pooled.clear();
        pooled.extend_from_slice(&means);
        pooled.extend_from_slice(&maxima);

        let mut bias = [0.0; 2 * HEAD];
        network.policy_bias.add_to(pooled, &mut bias[..HEAD]);
        output.policy.clear();
        output.ownership.clear();
        for point in 0..points {
            let mut cell = cells[layout.cell(point)];
            for (value, bias) in cell.iter_mut().zip(&bias) {
                *value = (*value + bias).max(0.0);
            }
            let (policy, owner) = cell.split_at(HEAD);
            let policy = dot(&network.policy.weights, policy);
            output.policy.push(network.policy.bias[0] + policy);
            let owner = dot(&network.ownership.weights, owner);
            output.ownership.push(network.ownership.bias[0] + owner);
        }
        for owner in &mut output.ownership {
            *owner = tanh(*owner);
        }
        pooled.extend([output.ownership.iter().sum::<f32>() * LEAD_UNIT, komi]);
        let mut hidden = [0.0; DENSE + EXTRA];
        network.dense.add_to(pooled, &mut hidden[..DENSE]);
        hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        hidden[DENSE..].copy_from_slice(&pooled[4 * HEAD..]);
        let mut outcome = [0.0; 3];
        network.outcome.add_to(&hidden, &mut outcome);
        let [pass, value, score] = outcome;
        output.policy.push(pass);
        output.value = value;
        output.score = score * SCORE_UNIT;
    }
}

/// Returns the mean and the maximum of each channel over the board's points, after ReLU.
#[inline(always)]
fn pool(layout: &BoardLayout, cells: &[[f32; 2 * HEAD]]) -> ([f32; 2 * HEAD], [f32; 2 * HEAD]) {
    let (mut sums, mut maxima) = ([0.0f32; 2 * HEAD], [0.0f32; 2 * HEAD]);
    for point in 0..layout.points() {
        let cell = &cells[layout.cell(point)];
        for channel in 0..2 * HEAD {
            sums[channel] += cell[channel].max(0.0);
            maxima[channel] = maxima[channel].max(cell[channel]);
        }
    }
    let share = 1.0 / layout.points() as f32;
    (sums.map(|sum| sum * share), maxima)
}
