//! Mango sets: weights, and the threshold that decides which sums give life.

use std::fmt;

use crate::color::Color;
use crate::points::Points;

/// The sums that give life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Those above this number.
    Above(Points),
    /// This number and those above.
    AtLeast(Points),
    /// Odd whole numbers.
    Odd,
    /// Those in one of these intervals, both ends included.
    Within(Box<[(Points, Points)]>),
}

impl Threshold {
    /// Whether the sum `z` gives life.
    pub fn holds(&self, z: Points) -> bool {
        match self {
            Threshold::Above(least) => z > *least,
            Threshold::AtLeast(least) => z >= *least,
            Threshold::Odd => z.is_odd(),
            Threshold::Within(intervals) => intervals
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&z)),
        }
    }
}

impl fmt::Display for Threshold {
    /// The form of a Mango file, without the quotes around words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threshold::Above(number) => write!(f, ">{number}"),
            Threshold::AtLeast(number) => write!(f, ">={number}"),
            Threshold::Odd => f.write_str("odd"),
            Threshold::Within(intervals) => {
                let interval = |(low, high): &(Points, Points)| format!("[{low},{high}]");
                let intervals: Vec<String> = intervals.iter().map(interval).collect();
                write!(f, "[{}]", intervals.join(","))
            }
        }
    }
}

/// What a Mango set has beside its graph and its starting position: the functions F and T, initial scores, and who moves
/// first.
///
/// ```
/// use omnigo::graph::mango::{Mango, Threshold};
/// use omnigo::points::Points;
///
/// let weights = ["1", "0.5", "-0.25"].map(|w| w.parse().unwrap());
/// let mango = Mango::new(&weights, Threshold::Above(Points::ZERO), [Points::ZERO; 2], None).unwrap();
/// assert_eq!(mango.unit().to_string(), "0.01");
/// assert_eq!(mango.weights(), [100, 50, -25]);
/// assert!(!mango.is_plain());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mango {
    unit: Points,
    weights: Box<[i64]>,
    threshold: Threshold,
    scores: [Points; 2],
    first: Option<Color>,
}

/// The weights are too large, or too fine, to be added up exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights add up to more than 2^60 in their last decimal")]
pub struct WeightsError;

impl Mango {
    /// The greatest sum of weights, signs aside, in units: twice the difference of two scores still fits 64 bits.
    const MOST: i64 = 1 << 60;

    /// Vertices times (vertices and twice the edges) of a set that is played literally.
    pub const MAX_WORK: usize = 3_000_000;

    /// Weights of the points in index order, a threshold, initial scores of Black and White, and who moves first.
    ///
    /// # Errors
    /// When sums of weights could leave 64 bits.
    pub fn new(
        weights: &[Points],
        threshold: Threshold,
        scores: [Points; 2],
        first: Option<Color>,
    ) -> Result<Mango, WeightsError> {
        let decimals = weights.iter().map(|w| w.decimals()).max().unwrap_or(0);
        let unit = Points::last_of(decimals);
        let mut left = Self::MOST;
        let mut counts = Vec::with_capacity(weights.len());
        for weight in weights {
            let count = weight.in_units(unit).ok_or(WeightsError)?;
            left = count
                .checked_abs()
                .and_then(|size| left.checked_sub(size))
                .filter(|left| *left >= 0)
                .ok_or(WeightsError)?;
            counts.push(count);
        }
        Ok(Mango {
            unit,
            weights: counts.into_boxed_slice(),
            threshold,
            scores,
            first,
        })
    }

    /// Whether a set of so many vertices and edges is small enough to be played literally, which looks at the whole board
    /// for each move.
    pub fn is_playable(vertices: usize, edges: usize) -> bool {
        vertices.saturating_mul(vertices + 2 * edges) <= Self::MAX_WORK
    }

    /// What one unit of weight is worth: one in the last decimal that occurs.
    pub fn unit(&self) -> Points {
        self.unit
    }

    /// The weights F in index order, in units.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// Whether a stone lives whose reachable empty points weigh so many units: the function T.
    pub fn gives_life(&self, units: i64) -> bool {
        self.threshold.holds(self.unit * units)
    }

    /// The sums that give life.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Initial scores of Black and White.
    pub fn scores(&self) -> [Points; 2] {
        self.scores
    }

    /// Who moves first, where that was agreed.
    pub fn first(&self) -> Option<Color> {
        self.first
    }

    /// Whether this is ordinary Go: every point weighs 1, and a stone lives exactly where it reaches an empty point.
    pub fn is_plain(&self) -> bool {
        let one = Points::whole(1);
        self.unit == one
            && self.weights.iter().all(|&weight| weight == 1)
            && (0..self.weights.len() as i64).all(|z| self.gives_life(z) == (z > 0))
    }
}

impl fmt::Debug for Mango {
    /// Without the weights, of which there may be thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Mango({} points, {:?})",
            self.weights.len(),
            self.threshold
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(texts: &[&str]) -> Vec<Points> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn mango(weights: &[&str], threshold: Threshold) -> Mango {
        Mango::new(&points(weights), threshold, [Points::ZERO; 2], None).unwrap()
    }

    #[test]
    fn ordinary_go_is_recognised_by_what_its_threshold_does() {
        let one = Points::whole(1);
        let ones = ["1", "1.0", "1"];
        assert!(mango(&ones, Threshold::Above(Points::ZERO)).is_plain());
        assert!(mango(&ones, Threshold::AtLeast(one)).is_plain());
        assert!(mango(&ones, Threshold::Above("0.5".parse().unwrap())).is_plain());
        let within = |low, high| Threshold::Within([(low, high)].into());
        assert!(mango(&ones, within(one, Points::whole(2))).is_plain());
        assert!(!mango(&ones, within(one, one)).is_plain());
        assert!(!mango(&ones, Threshold::Odd).is_plain());
        assert!(!mango(&ones, Threshold::AtLeast(Points::ZERO)).is_plain());
        assert!(!mango(&["1", "2"], Threshold::Above(Points::ZERO)).is_plain());
        assert!(mango(&[], Threshold::Odd).is_plain());
    }

    #[test]
    fn sums_that_would_not_fit_are_refused() {
        let new = |texts: &[&str]| {
            Mango::new(&points(texts), Threshold::Odd, [Points::ZERO; 2], None).is_ok()
        };
        assert!(new(&["1.000000000000000000", "0.5"]));
        assert!(new(&["1", "0.000000000000000001"]));
        assert!(!new(&["2", "0.000000000000000001"]));
        assert!(!new(&["-1", "0.5", "-0.6", "0.000000000000000001"]));
    }

    #[test]
    fn odd_numbers() {
        for (text, odd) in [
            ("1", true),
            ("-1", true),
            ("0", false),
            ("-3", true),
            ("2", false),
            ("1.5", false),
        ] {
            assert_eq!(Threshold::Odd.holds(text.parse().unwrap()), odd, "{text}");
        }
    }
}
