//! Mango sets: vertex weights, and the threshold that decides which sums of weights keep a chain
//! alive.

use std::fmt;

use omnigo_base::color::Color;
use omnigo_base::points::Points;

/// Set of sums that keep a chain alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Sums above this number.
    Above(Points),
    /// This number and sums above it.
    AtLeast(Points),
    /// Odd whole numbers.
    Odd,
    /// Sums within one of these intervals, both ends included.
    Within(Box<[(Points, Points)]>),
}

impl Threshold {
    /// Returns true if the sum `z` keeps a chain alive.
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
    /// Writes the form used in Mango files, without the quotes around words.
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

/// Properties of a Mango set in addition to its graph and its starting position: the functions F
/// and T, initial scores, and the first player.
///
/// ```
/// use omnigo_graph::mango::{Mango, Threshold};
/// use omnigo_base::points::Points;
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

/// Error: the weights are too large, or have too many decimals, to be added exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights add up to more than 2^60 units of their last decimal")]
pub struct WeightsError;

impl Mango {
    /// Maximum sum of the absolute weights, in units. Twice the difference of two scores then still
    /// fits into 64 bits.
    const MOST: i64 = 1 << 60;

    /// Maximum of vertices × (vertices + 2 × edges) for a set that is played literally.
    pub const MAX_WORK: usize = 3_000_000;

    /// Returns a set with these weights of the points in index order, threshold, initial scores of
    /// Black and White, and first player.
    ///
    /// # Errors
    /// If sums of weights could exceed 64 bits.
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

    /// Returns true if a set of this size is small enough to be played literally. Literal play
    /// scans the whole board for each move.
    pub fn is_playable(vertices: usize, edges: usize) -> bool {
        vertices.saturating_mul(vertices + 2 * edges) <= Self::MAX_WORK
    }

    /// Returns the value of one unit of weight: 1 in the last decimal that occurs.
    pub fn unit(&self) -> Points {
        self.unit
    }

    /// Returns the weights F in index order, in units.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// The function T: returns true if a stone lives whose reachable empty points weigh `units`
    /// units in total.
    pub fn gives_life(&self, units: i64) -> bool {
        self.threshold.holds(self.unit * units)
    }

    /// Returns the sums that keep a chain alive.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Returns the initial scores of Black and White.
    pub fn scores(&self) -> [Points; 2] {
        self.scores
    }

    /// Returns the player who moves first, or `None` if not specified.
    pub fn first(&self) -> Option<Color> {
        self.first
    }

    /// Returns true if this is ordinary Go: every point weighs 1, and a stone lives exactly if it
    /// reaches an empty point.
    pub fn is_plain(&self) -> bool {
        let one = Points::whole(1);
        self.unit == one
            && self.weights.iter().all(|&weight| weight == 1)
            && (0..self.weights.len() as i64).all(|z| self.gives_life(z) == (z > 0))
    }
}

impl fmt::Debug for Mango {
    /// Omits the weights, of which there may be thousands.
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
    fn recognizes_ordinary_go_by_the_effect_of_the_threshold() {
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
    fn rejects_weights_whose_sums_overflow() {
        let new = |texts: &[&str]| {
            Mango::new(&points(texts), Threshold::Odd, [Points::ZERO; 2], None).is_ok()
        };
        assert!(new(&["1.000000000000000000", "0.5"]));
        assert!(new(&["1", "0.000000000000000001"]));
        assert!(!new(&["2", "0.000000000000000001"]));
        assert!(!new(&["-1", "0.5", "-0.6", "0.000000000000000001"]));
    }

    #[test]
    fn the_odd_threshold_holds_for_odd_integers() {
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
