//! Exact numbers of points: decimal fractions stored as integers.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

/// Number of points, exact to 18 decimals. Used for komi, weights, scores, and pass counters. On
/// ordinary boards all of these are whole or half numbers.
///
/// ```
/// use omnigo_base::points::Points;
/// assert_eq!(Points::from_halves(13).to_string(), "6.5");
/// assert_eq!((Points::whole(3) - Points::from_halves(7)).to_string(), "-0.5");
/// assert_eq!("0.00390625".parse::<Points>().unwrap().to_string(), "0.00390625");
/// assert_eq!(Points::round_from(6.3).unwrap().0.to_string(), "6.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i128);

/// Number of stored units per point.
const POINT: i128 = 1_000_000_000_000_000_000;
/// Number of decimals of a stored unit.
const DECIMALS: usize = 18;

impl Points {
    /// Zero points.
    pub const ZERO: Points = Points(0);
    /// Largest absolute komi, in points. Larger values are clamped.
    const MAX_KOMI: f64 = 1e6;

    /// Returns `halves` half points.
    pub const fn from_halves(halves: i64) -> Points {
        Points(halves as i128 * (POINT / 2))
    }

    /// Returns `points` whole points.
    pub const fn whole(points: i64) -> Points {
        Points(points as i128 * POINT)
    }

    /// Returns the number of half points, rounded toward zero.
    pub const fn halves(self) -> i64 {
        (self.0 / (POINT / 2)) as i64
    }

    /// Returns the number of decimals needed to write the number exactly.
    pub fn decimals(self) -> u32 {
        let mut decimals = DECIMALS as u32;
        let mut units = self.0;
        while decimals > 0 && units % 10 == 0 {
            units /= 10;
            decimals -= 1;
        }
        decimals
    }

    /// Returns one unit in the last of `decimals` decimals, at most 18. For 2 decimals it is
    /// `0.01`.
    pub fn last_of(decimals: u32) -> Points {
        Points(POINT / 10i128.pow(decimals.min(DECIMALS as u32)))
    }

    /// Returns the number divided by `unit`, or `None` if the quotient is not a 64-bit integer.
    pub fn in_units(self, unit: Points) -> Option<i64> {
        let exact = unit.0 != 0 && self.0 % unit.0 == 0;
        exact.then(|| i64::try_from(self.0 / unit.0).ok()).flatten()
    }

    /// Returns true if the number is an odd integer.
    pub fn is_odd(self) -> bool {
        (self.0 - POINT) % (2 * POINT) == 0
    }

    /// Returns the nearest half point within ±10⁶, and true if it differs from `value`. `None` for
    /// NaN and infinities.
    pub fn round_from(value: f64) -> Option<(Points, bool)> {
        if !value.is_finite() {
            return None;
        }
        let halves = (value.clamp(-Self::MAX_KOMI, Self::MAX_KOMI) * 2.0).round();
        Some((Points::from_halves(halves as i64), halves / 2.0 != value))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (
            self.0.unsigned_abs() / POINT as u128,
            self.0.unsigned_abs() % POINT as u128,
        );
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let decimals = format!("{part:0width$}", width = DECIMALS);
        write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
    }
}

/// Error for a text that is not a decimal number with at most nine digits before the point and
/// eighteen after it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid number '{0}', expected a decimal such as -1.25, with at most 9 digits before the point and 18 after it"
)]
pub struct ParsePointsError(String);

impl FromStr for Points {
    type Err = ParsePointsError;

    fn from_str(text: &str) -> Result<Points, ParsePointsError> {
        let error = || ParsePointsError(crate::text::quote(text));
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let sound = |d: &str, most: usize| d.len() <= most && d.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && part.is_empty()) || !sound(whole, 9) || !sound(part, DECIMALS) {
            return Err(error());
        }
        let units = format!("{whole}{part:0<width$}", width = DECIMALS)
            .parse::<i128>()
            .map_err(|_| error())?;
        Ok(Points(if negative { -units } else { units }))
    }
}

impl Mul<i64> for Points {
    type Output = Points;
    fn mul(self, times: i64) -> Points {
        Points(self.0 * i128::from(times))
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
