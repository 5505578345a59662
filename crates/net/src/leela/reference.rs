//! Slow reference implementation of a pass, in double precision. It reads the lines of a file in
//! their own order.

use super::{POINTS, SIDE};

/// Values of each channel at each point.
type Field = Vec<Vec<f64>>;

/// Computes a convolution with a square filter and its normalization, without activation. `lines`
/// begins with its four lines.
fn layer(lines: &[Vec<f32>], side: usize, input: &Field) -> Field {
    let [weights, biases, means, variances] = [0, 1, 2, 3].map(|i| &lines[i]);
    let middle = side as isize / 2;
    let number = |value: f32| f64::from(value);
    let outputs = biases.iter().enumerate().map(|(output, &bias)| {
        let points = (0..POINTS).map(|point| {
            let (x, y) = ((point % SIDE) as isize, (point / SIDE) as isize);
            let mut sum = number(bias);
            for (i, channel) in input.iter().enumerate() {
                for tap in 0..side * side {
                    let row = y + (tap / side) as isize - middle;
                    let column = x + (tap % side) as isize - middle;
                    let inside = 0..SIDE as isize;
                    if inside.contains(&row) && inside.contains(&column) {
                        let weight = weights[(output * input.len() + i) * side * side + tap];
                        sum += number(weight) * channel[row as usize * SIDE + column as usize];
                    }
                }
            }
            (sum - number(means[output])) / (number(variances[output]) + 1e-5).sqrt()
        });
        points.collect()
    });
    outputs.collect()
}

fn relu(field: Field) -> Field {
    let channels = field.into_iter();
    channels
        .map(|values| values.into_iter().map(|x| x.max(0.0)).collect())
        .collect()
}

/// Computes a dense layer. `lines` begins with its weights, `[output][input]`, and its biases.
fn dense(lines: &[Vec<f32>], input: &[f64]) -> Vec<f64> {
    let rows = lines[0].chunks_exact(input.len()).zip(&lines[1]);
    rows.map(|(row, &bias)| {
        let terms = row
            .iter()
            .zip(input)
            .map(|(&weight, x)| f64::from(weight) * x);
        f64::from(bias) + terms.sum::<f64>()
    })
    .collect()
}

/// Returns the logits and the value before `tanh`. `lines` are those of a file after the version.
pub(super) fn pass(lines: &[Vec<f32>], blocks: usize, planes: &[u32]) -> (Vec<f32>, f32) {
    let channels = (0..18).map(|plane| {
        let bits = planes.iter().map(|bits| f64::from(bits >> plane & 1));
        bits.collect()
    });
    let mut here = relu(layer(lines, 3, &channels.collect()));
    for block in 0..blocks {
        let lines = &lines[4 + 8 * block..];
        let inner = relu(layer(lines, 3, &here));
        let mut change = layer(&lines[4..], 3, &inner);
        for (change, here) in change.iter_mut().flatten().zip(here.iter().flatten()) {
            *change += here;
        }
        here = relu(change);
    }
    let lines = &lines[4 + 8 * blocks..];
    let policy = relu(layer(lines, 1, &here)).concat();
    let policy = dense(&lines[4..], &policy);
    let value = relu(layer(&lines[6..], 1, &here)).concat();
    let hidden = dense(&lines[10..], &value);
    let hidden: Vec<f64> = hidden.into_iter().map(|x| x.max(0.0)).collect();
    let value = dense(&lines[12..], &hidden);
    (policy.iter().map(|&x| x as f32).collect(), value[0] as f32)
}
