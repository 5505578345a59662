//! Who owns each point at the end of playouts, and what a network says about it.

use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// Who owns a point of a played out position: whose stone is there, or whose stones are all around.
pub(super) fn owner<B: Board>(board: &B, point: Vertex) -> Option<Color> {
    board.at(point).or_else(|| {
        let mut around = board.around(point).map(|u| board.at(u));
        let first = around.next().flatten()?;
        around.all(|c| c == Some(first)).then_some(first)
    })
}

/// Counts of how often each color owned each point, and beside them what a network judged.
#[derive(Clone, Debug)]
pub struct Ownership {
    colors: usize,
    samples: u32,
    /// `counts[point * colors + color]`
    counts: Box<[u32]>,
    judgements: u32,
    /// Sums over the judgements for each point, 1 where the first color of two owns it and −1 where the other does; empty
    /// until there is one.
    judged: Vec<f64>,
    /// How much playouts count beside judgements, in hundredths, at the latest of them.
    playout_percent: u64,
}

impl Ownership {
    /// No samples yet.
    pub fn new(points: usize, colors: usize) -> Ownership {
        Ownership {
            colors,
            samples: 0,
            counts: vec![0; points * colors].into_boxed_slice(),
            judgements: 0,
            judged: Vec::new(),
            playout_percent: 0,
        }
    }

    /// Adds a played out position.
    pub fn add<B: Board>(&mut self, board: &B) {
        self.samples += 1;
        for i in 0..board.points() {
            let point = Vertex::at(i);
            if let Some(color) = owner(board, point) {
                self.counts[i * self.colors + color.index()] += 1;
            }
        }
    }

    /// Adds a network's judgement of a position: for each point 1 … −1, as `color`, one of two, sees it. From now on playouts
    /// count `playout_percent` hundredths beside it.
    pub fn judge(&mut self, judged: &[f32], color: Color, playout_percent: u64) {
        let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
        self.judgements += 1;
        self.playout_percent = playout_percent;
        self.judged.resize(self.counts.len() / self.colors, 0.0);
        for (sum, &point) in self.judged.iter_mut().zip(judged) {
            *sum += sign * f64::from(point);
        }
    }

    /// Adds another's samples and judgements of the same board.
    pub fn merge(&mut self, other: &Ownership) {
        self.samples += other.samples;
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
        self.judgements += other.judgements;
        if other.judgements > 0 {
            self.playout_percent = other.playout_percent;
        }
        self.judged
            .resize(self.judged.len().max(other.judged.len()), 0.0);
        for (sum, judged) in self.judged.iter_mut().zip(&other.judged) {
            *sum += judged;
        }
    }

    /// Gives a point to a color in all samples: it is certain to be its.
    pub fn give(&mut self, point: Vertex, color: Color) {
        let start = point.index() * self.colors;
        if let Some(counts) = self.counts.get_mut(start..start + self.colors) {
            counts.fill(0);
            counts[color.index()] = self.samples;
        }
        if let Some(judged) = self.judged.get_mut(point.index()) {
            let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
            *judged = sign * f64::from(self.judgements);
        }
    }

    /// Forgets all samples and judgements.
    pub fn clear(&mut self) {
        self.samples = 0;
        self.counts.fill(0);
        self.judgements = 0;
        self.judged.fill(0.0);
    }

    /// How many positions were added.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// How often `color` owned the point, 0…1; 0 without samples.
    pub fn share(&self, point: Vertex, color: Color) -> f64 {
        let count = self.counts[point.index() * self.colors + color.index()];
        f64::from(count) / f64::from(self.samples().max(1))
    }

    /// How likely `color` is to own the point, 0…1: playouts, and a network where it judged, with the say that they had in
    /// results at last.
    pub fn expected(&self, point: Vertex, color: Color) -> f64 {
        let played = self.share(point, color);
        match self.judged.get(point.index()) {
            Some(sum) if self.judgements > 0 => {
                let mean = sum / f64::from(self.judgements);
                let own = if color == Color::BLACK { mean } else { -mean };
                let say = self.playout_percent as f64 / 100.0;
                say * played + (1.0 - say) * (1.0 + own.clamp(-1.0, 1.0)) / 2.0
            }
            _ => played,
        }
    }

    /// How often nobody owned the point.
    pub fn nobody(&self, point: Vertex) -> f64 {
        1.0 - Color::all(self.colors)
            .map(|color| self.share(point, color))
            .sum::<f64>()
    }

    /// How likely nobody is to own the point, 0…1.
    pub fn nobody_expected(&self, point: Vertex) -> f64 {
        let colors = Color::all(self.colors);
        let somebody: f64 = colors.map(|color| self.expected(point, color)).sum();
        (1.0 - somebody).max(0.0)
    }

    /// The color that owned the point at least `share` of the time.
    pub fn owner(&self, point: Vertex, share: f64) -> Option<Color> {
        Color::all(self.colors).find(|&color| self.share(point, color) >= share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_and_playouts_are_weighed() {
        let mut all = Ownership::new(2, 2);
        let mut one = Ownership::new(2, 2);
        one.samples = 4;
        // Black owned the first point in three of four playouts, White in none, nobody owned the second.
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
