//! Slow reference implementation of a pass, in double precision. Each layer is written as its
//! definition, without the layouts of the kernels.

use super::execute::Raw;
use super::inputs::{GLOBALS, PLANES};
use super::model::{
    Activation, Attention, Bias, Block, Conv, Matrix, Model, Norm, RmsNorm, Rotation, Tip,
};

/// Values of each channel at each point, row by row from the top.
#[derive(Clone)]
struct Field {
    width: usize,
    height: usize,
    channels: Vec<Vec<f64>>,
}

impl Field {
    fn points(&self) -> usize {
        self.width * self.height
    }

    fn with(&self, channels: Vec<Vec<f64>>) -> Field {
        Field { channels, ..*self }
    }

    fn at(&self, channel: usize, x: isize, y: isize) -> f64 {
        let inside =
            (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
        if inside {
            self.channels[channel][y as usize * self.width + x as usize]
        } else {
            0.0
        }
    }

    fn map(&self, f: impl Fn(usize, f64) -> f64) -> Field {
        let channels = self.channels.iter().enumerate();
        self.with(
            channels
                .map(|(c, values)| values.iter().map(|&x| f(c, x)).collect())
                .collect(),
        )
    }

    fn conv(&self, conv: &Conv) -> Field {
        let (middle_x, middle_y) = (conv.width as isize / 2, conv.height as isize / 2);
        let mut outputs = vec![vec![0.0; self.points()]; conv.outputs];
        for (number, &weight) in conv.weights.iter().enumerate() {
            let (output, rest) = (number % conv.outputs, number / conv.outputs);
            let (input, tap) = (rest % conv.inputs, rest / conv.inputs);
            let dx = (tap % conv.width) as isize - middle_x;
            let dy = (tap / conv.width) as isize - middle_y;
            for y in 0..self.height as isize {
                for x in 0..self.width as isize {
                    outputs[output][y as usize * self.width + x as usize] +=
                        f64::from(weight) * self.at(input, x + dx, y + dy);
                }
            }
        }
        self.with(outputs)
    }

    fn norm(&self, norm: &Norm) -> Field {
        self.map(|c, x| {
            let moved = x * f64::from(norm.scale[c]) + f64::from(norm.offset[c]);
            activate(norm.activation, moved)
        })
    }

    fn plus(&self, other: &Field) -> Field {
        let mut sum = self.clone();
        for (to, from) in sum.channels.iter_mut().zip(&other.channels) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
        sum
    }

    fn plus_bias(&self, bias: &[f64]) -> Field {
        self.map(|c, x| x + bias[c])
    }

    fn pool(&self, maxima: bool) -> Vec<f64> {
        let area = self.points() as f64;
        let size = area.sqrt() - 14.0;
        let means = self.channels.iter().map(|v| v.iter().sum::<f64>() / area);
        let means: Vec<f64> = means.collect();
        let mut pooled = means.clone();
        pooled.extend(means.iter().map(|mean| mean * size / 10.0));
        if maxima {
            let most = |v: &Vec<f64>| v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            pooled.extend(self.channels.iter().map(most));
        } else {
            pooled.extend(means.iter().map(|mean| mean * (size * size / 100.0 - 0.1)));
        }
        pooled
    }

    /// Mean of the squares of all channels at a point.
    fn mean_square(&self, point: usize) -> f64 {
        let squares = self.channels.iter().map(|v| v[point] * v[point]);
        squares.sum::<f64>() / self.channels.len() as f64
    }

    fn rms(&self, norm: &RmsNorm) -> Field {
        let mut found = self.clone();
        for point in 0..self.points() {
            let size = (self.mean_square(point) + f64::from(norm.epsilon)).sqrt();
            for (values, &scale) in found.channels.iter_mut().zip(&norm.scale) {
                values[point] *= f64::from(scale) / size;
            }
        }
        found
    }
}

fn activate(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Mish => x * x.exp().ln_1p().tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

fn product(matrix: &Matrix, inputs: &[f64]) -> Vec<f64> {
    (0..matrix.outputs)
        .map(|output| {
            let terms = inputs.iter().enumerate();
            terms
                .map(|(i, x)| x * f64::from(matrix.weights[i * matrix.outputs + output]))
                .sum()
        })
        .collect()
}

fn with_bias(bias: &Bias, values: Vec<f64>) -> Vec<f64> {
    let values = values.iter().zip(&bias.offset);
    values
        .map(|(x, &offset)| activate(bias.activation, x + f64::from(offset)))
        .collect()
}

fn plus_offsets(values: Vec<f64>, offsets: &[f32]) -> Vec<f32> {
    let values = values.iter().zip(offsets);
    values.map(|(x, &o)| (x + f64::from(o)) as f32).collect()
}

fn block(layers: &Block<Conv>, here: &Field) -> Field {
    let change = match layers {
        Block::Ordinary {
            first,
            inner,
            second,
            outer,
        } => here.norm(first).conv(inner).norm(second).conv(outer),
        Block::Pooling(b) => {
            let seen = here.norm(&b.first);
            let pooled = seen.conv(&b.pooled).norm(&b.pool).pool(true);
            let bias = product(&b.to_bias, &pooled);
            let inner = seen.conv(&b.inner).plus_bias(&bias);
            inner.norm(&b.second).conv(&b.outer)
        }
        Block::Bottleneck {
            first,
            down,
            blocks,
            second,
            up,
        } => {
            let inner = here.norm(first).conv(down);
            let inner = blocks.iter().fold(inner, |inner, b| block(b, &inner));
            inner.norm(second).conv(up)
        }
        Block::Attention(b) => attention(b, &here.rms(&b.norm)),
        Block::FeedForward(b) => {
            let seen = here.rms(&b.norm);
            let mut hidden = seen.conv(&b.inner);
            let gate = seen.conv(&b.gate);
            for (values, gate) in hidden.channels.iter_mut().zip(&gate.channels) {
                for (value, gate) in values.iter_mut().zip(gate) {
                    *value = activate(Activation::Silu, *value) * gate;
                }
            }
            hidden.conv(&b.out)
        }
    };
    here.plus(&change)
}

/// Angle by which a pair of channels turns at a point.
fn angle(b: &Attention<Conv>, group: usize, pair: usize, x: usize, y: usize) -> f64 {
    let (x, y) = (x as f64, y as f64);
    let pairs = b.key_size / 2;
    match &b.rotation {
        Rotation::None => 0.0,
        Rotation::Learned(frequencies) => {
            let at = (group * pairs + pair) * 2;
            x * f64::from(frequencies[at]) + y * f64::from(frequencies[at + 1])
        }
        Rotation::Fixed(base) => {
            let down = pair < pairs / 2;
            let number = if down { pair } else { pair - pairs / 2 };
            let power = 2.0 * number as f64 / pairs as f64;
            let frequency = f64::from(*base).powf(-power);
            frequency * if down { y } else { x }
        }
    }
}

fn attention(b: &Attention<Conv>, seen: &Field) -> Field {
    let [queries, keys, values] = [&b.query, &b.key, &b.value].map(|conv| seen.conv(conv));
    let points = seen.points();
    let turned = |field: &Field, first: usize, group: usize, point: usize| {
        let (x, y) = (point % field.width, point / field.width);
        let mut channels: Vec<f64> = (0..b.key_size)
            .map(|c| field.channels[first + c][point])
            .collect();
        for pair in 0..b.key_size / 2 {
            let (sine, cosine) = angle(b, group, pair, x, y).sin_cos();
            let (one, two) = (channels[2 * pair], channels[2 * pair + 1]);
            channels[2 * pair] = one * cosine - two * sine;
            channels[2 * pair + 1] = one * sine + two * cosine;
        }
        channels
    };
    let mut found = vec![vec![0.0; points]; b.heads * b.value_size];
    for head in 0..b.heads {
        let group = head * b.groups / b.heads;
        for point in 0..points {
            let query = turned(&queries, head * b.key_size, group, point);
            let powers: Vec<f64> = (0..points)
                .map(|other| {
                    let key = turned(&keys, group * b.key_size, group, other);
                    let dot: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                    (dot / (b.key_size as f64).sqrt()).exp()
                })
                .collect();
            let sum: f64 = powers.iter().sum();
            let own = &mut found[head * b.value_size..][..b.value_size];
            let values = &values.channels[group * b.value_size..];
            for (found, values) in own.iter_mut().zip(values) {
                let mixed: f64 = powers.iter().zip(values).map(|(p, v)| p * v).sum();
                found[point] = mixed / sum;
            }
        }
    }
    seen.with(found).conv(&b.out)
}

fn tip(tip: &Tip, here: &Field) -> Field {
    match tip {
        Tip::Batch(norm) => here.norm(norm),
        Tip::Rms {
            epsilon,
            spatial,
            norm,
        } => {
            let points = here.points();
            let squares: Vec<f64> = (0..points).map(|p| here.mean_square(p)).collect();
            let whole = squares.iter().sum::<f64>() / points as f64;
            let mut scaled = here.clone();
            for values in &mut scaled.channels {
                for (value, square) in values.iter_mut().zip(&squares) {
                    let square = if *spatial { whole } else { *square };
                    *value /= (square + f64::from(*epsilon)).sqrt();
                }
            }
            scaled.norm(norm)
        }
    }
}

/// Computes the outputs for a position, as `Executor::pass` does.
pub(super) fn pass(
    model: &Model,
    [width, height]: [usize; 2],
    planes: &[u32],
    globals: &[f32; GLOBALS],
    facts: Option<&[f32]>,
) -> Raw {
    let channels = (0..PLANES).map(|plane| {
        let bits = planes.iter().map(|bits| f64::from(bits >> plane & 1));
        bits.collect()
    });
    let input = Field {
        width,
        height,
        channels: channels.collect(),
    };
    let trunk = &model.trunk;
    let numbers = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
    let mut bias = product(&trunk.globals, &numbers(globals));
    if let Some((encoder, facts)) = trunk.encoder.as_ref().zip(facts) {
        let first = with_bias(
            &encoder.first_bias,
            product(&encoder.first, &numbers(facts)),
        );
        let second = with_bias(&encoder.second_bias, product(&encoder.second, &first));
        for (bias, more) in bias.iter_mut().zip(product(&encoder.last, &second)) {
            *bias += more;
        }
    }
    let stem = input.conv(&trunk.stem).plus_bias(&bias);
    let end = trunk.blocks.iter().fold(stem, |here, b| block(b, &here));
    let end = tip(&trunk.tip, &end);

    let head = &model.policy;
    let pooled = end.conv(&head.pooled).norm(&head.pool).pool(true);
    let inner = end.conv(&head.inner);
    let inner = inner.plus_bias(&product(&head.to_bias, &pooled));
    let policy = inner.norm(&head.norm).conv(&head.out);
    let mut pass = product(&head.pass, &pooled);
    if let Some((bias, matrix)) = &head.pass_more {
        pass = product(matrix, &with_bias(bias, pass));
    }

    let head = &model.value;
    let inner = end.conv(&head.inner).norm(&head.norm);
    let hidden = product(&head.hidden, &inner.pool(false));
    let hidden = with_bias(&head.hidden_bias, hidden);
    let ownership = inner.conv(&head.ownership);
    let points = 0..width * height;
    Raw {
        policy: points
            .flat_map(|point| policy.channels.iter().map(move |v| v[point] as f32))
            .collect(),
        pass: pass.iter().map(|&x| x as f32).collect(),
        outcome: plus_offsets(product(&head.outcome, &hidden), &head.outcome_bias),
        scores: plus_offsets(product(&head.scores, &hidden), &head.scores_bias),
        ownership: ownership.channels[0].iter().map(|&x| x as f32).collect(),
    }
}
