//! Ownership of each point: counts from the ends of playouts, and estimates of a network.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Returns the owner of a point in a played-out position: the color of its stone, or the color of
/// all its neighbors. Returns `None` if the point is empty and its neighbors do not all have one
/// color.
pub(crate) fn owner<B: Board>(board: &B, point: Vertex) -> Option<Color> {
    board.at(point).or_else(|| {
        let mut around = board.around(point).map(|u| board.at(u));
        let first = around.next().flatten()?;
        around.all(|c| c == Some(first)).then_some(first)
    })
}

/// Number of playouts in which each color owned each point, and the network's ownership estimates.
#[derive(Clone, Debug)]
pub struct Ownership {
    colors: usize,
    samples: u32,
    /// Number of samples in which a color owned a point, as `counts[point * colors + color]`.
    counts: Box<[u32]>,
    /// Number of network estimates.
    estimates: u32,
    /// Sum of the network estimates for each point: 1 if the first of two colors owns it, −1 if the
    /// other does. Empty until the first estimate.
    judged: Vec<f64>,
    /// Weight of playouts against network estimates, in percent, as of the latest estimate.
    playout_percent: u64,
}

impl Ownership {
    /// Creates an ownership without samples.
    pub fn new(points: usize, colors: usize) -> Ownership {
        Ownership {
            colors,
            samples: 0,
            counts: vec![0; points * colors].into_boxed_slice(),
            estimates: 0,
            judged: Vec::new(),
            playout_percent: 0,
        }
    }

    /// Creates the ownership of points whose owners are known, in index order.
    pub(crate) fn of_owners(owners: &[Option<Color>], colors: usize) -> Ownership {
        let mut known = Ownership::new(owners.len(), colors);
        known.samples = 1;
        for (i, owner) in owners.iter().enumerate() {
            if let Some(color) = owner {
                known.give(Vertex::at(i), *color);
            }
        }
        known
    }

    /// Adds the final position of a playout.
    pub fn add<B: Board>(&mut self, board: &B) {
        self.samples += 1;
        for i in 0..board.points() {
            let point = Vertex::at(i);
            if let Some(color) = owner(board, point) {
                self.counts[i * self.colors + color.index()] += 1;
            }
        }
    }

    /// Adds a network's ownership estimate of a position, from the view of `color`, one of two:
    /// from 1 for its own points to −1. From now on, playouts have a weight of `playout_percent`
    /// percent.
    pub fn judge(&mut self, judged: &[f32], color: Color, playout_percent: u64) {
        let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
        self.estimates += 1;
        self.playout_percent = playout_percent;
        self.judged.resize(self.counts.len() / self.colors, 0.0);
        for (sum, &point) in self.judged.iter_mut().zip(judged) {
            *sum += sign * f64::from(point);
        }
    }

    /// Adds the samples and estimates of another ownership of the same board.
    pub fn merge(&mut self, other: &Ownership) {
        self.samples += other.samples;
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
        self.estimates += other.estimates;
        if other.estimates > 0 {
            self.playout_percent = other.playout_percent;
        }
        self.judged
            .resize(self.judged.len().max(other.judged.len()), 0.0);
        for (sum, judged) in self.judged.iter_mut().zip(&other.judged) {
            *sum += judged;
        }
    }

    /// Assigns a point to a color in all samples and estimates, because its owner is certain.
    pub fn give(&mut self, point: Vertex, color: Color) {
        let start = point.index() * self.colors;
        if let Some(counts) = self.counts.get_mut(start..start + self.colors) {
            counts.fill(0);
            counts[color.index()] = self.samples;
        }
        if let Some(judged) = self.judged.get_mut(point.index()) {
            let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
            *judged = sign * f64::from(self.estimates);
        }
    }

    /// Removes all samples and estimates.
    pub fn clear(&mut self) {
        self.samples = 0;
        self.counts.fill(0);
        self.estimates = 0;
        self.judged.fill(0.0);
    }

    /// Returns the number of positions added.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Returns the number of positions added, or that of network estimates if it is larger.
    pub(crate) fn updates(&self) -> u32 {
        self.samples.max(self.estimates)
    }

    /// Returns the fraction of the samples in which `color` owned the point, 0…1. Returns 0 without
    /// samples.
    pub fn share(&self, point: Vertex, color: Color) -> f64 {
        let count = self.counts[point.index() * self.colors + color.index()];
        f64::from(count) / f64::from(self.samples().max(1))
    }

    /// Returns the mean of [`Ownership::share`] over the stones of a chain of `color`. Returns 0
    /// without stones.
    pub(crate) fn mean_share(&self, stones: &[Vertex], color: Color) -> f64 {
        let shares = stones.iter().map(|&stone| self.share(stone, color));
        shares.sum::<f64>() / stones.len().max(1) as f64
    }

    /// Returns the probability that `color` will own the point, 0…1. Playouts and network estimates
    /// have the weights of the latest results. Without network estimates, only playouts count.
    pub fn expected(&self, point: Vertex, color: Color) -> f64 {
        let played = self.share(point, color);
        match self.judged.get(point.index()) {
            Some(sum) if self.estimates > 0 => {
                let mean = sum / f64::from(self.estimates);
                let own = if color == Color::BLACK { mean } else { -mean };
                let say = self.playout_percent as f64 / 100.0;
                say * played + (1.0 - say) * (1.0 + own.clamp(-1.0, 1.0)) / 2.0
            }
            _ => played,
        }
    }

    /// Returns the fraction of the samples in which no color owned the point.
    pub fn nobody(&self, point: Vertex) -> f64 {
        1.0 - Color::all(self.colors)
            .map(|color| self.share(point, color))
            .sum::<f64>()
    }

    /// Returns the probability that no color will own the point, 0…1.
    pub fn nobody_expected(&self, point: Vertex) -> f64 {
        let colors = Color::all(self.colors);
        let somebody: f64 = colors.map(|color| self.expected(point, color)).sum();
        (1.0 - somebody).max(0.0)
    }

    /// Returns the color that owned the point in at least a fraction `share` of the samples, or
    /// `None` if there is no such color.
    pub fn owner(&self, point: Vertex, share: f64) -> Option<Color> {
        Color::all(self.colors).find(|&color| self.share(point, color) >= share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_values_and_playouts_are_mixed_by_weight() {
        let mut all = Ownership::new(2, 2);
        let mut one = Ownership::new(2, 2);
        one.samples = 4;
        // Black owned the first point in three of four playouts, White in none. Neither color owned
        // the second point.
        one.counts[0] = 3;
        one.judge(&[1.0, -0.5], Color::BLACK, 50);
        one.judge(&[0.0, -0.5], Color::WHITE, 20);
        all.merge(&one);
        let at = Vertex::at;
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}");
        near(all.share(at(0), Color::BLACK), 0.75);
        // The network's means are 0.5 and 0 for Black.
        near(all.expected(at(0), Color::BLACK), 0.2 * 0.75 + 0.8 * 0.75);
        near(all.expected(at(0), Color::WHITE), 0.8 * 0.25);
        near(all.nobody_expected(at(0)), 0.2 * 0.25);
        near(all.expected(at(1), Color::WHITE), 0.8 * 0.5);
        near(all.nobody_expected(at(1)), 0.2);
        all.give(at(1), Color::WHITE);
        near(all.expected(at(1), Color::WHITE), 1.0);
        near(all.nobody_expected(at(1)), 0.0);
        all.clear();
        near(all.expected(at(1), Color::WHITE), 0.0);
        all.merge(&one);
        near(all.expected(at(0), Color::BLACK), 0.2 * 0.75 + 0.8 * 0.75);
    }
}
