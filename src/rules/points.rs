//! Exact points: half points as integers.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A number of points in halves, exact. Komi, scores and pass counters are such numbers.
///
/// ```
/// use omnigo::rules::Points;
/// assert_eq!(Points::from_halves(13).to_string(), "6.5");
/// assert_eq!((Points::whole(3) - Points::from_halves(7)).to_string(), "-0.5");
/// assert_eq!(Points::round_from(6.3).unwrap().0.to_string(), "6.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);
    /// The greatest komi that is taken as it is.
    const MAX_KOMI: f64 = 1e6;

    /// `halves` half points.
    pub const fn from_halves(halves: i64) -> Points {
        Points(halves)
    }

    /// `points` whole points.
    pub const fn whole(points: i64) -> Points {
        Points(2 * points)
    }

    /// The number of half points.
    pub const fn halves(self) -> i64 {
        self.0
    }

    /// The nearest half point within ±10⁶, and whether that differs from `value`; `None` for NaN and infinities.
    pub fn round_from(value: f64) -> Option<(Points, bool)> {
        if !value.is_finite() {
            return None;
        }
        let halves = (value.clamp(-Self::MAX_KOMI, Self::MAX_KOMI) * 2.0).round();
        Some((Points(halves as i64), halves / 2.0 != value))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{half}", self.0.unsigned_abs() / 2)
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        self.0 += other.0;
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, other: Points) {
        self.0 -= other.0;
    }
}
