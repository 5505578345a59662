//! Komi as written by programs, servers, and people.

use crate::rules::Points;

/// Returns the points in a text, and true if they were not written as a plain number of half
/// points. `None` if the text is not a komi.
pub(super) fn read(text: &str) -> Option<(Points, bool)> {
    let text = text.trim();
    let (written, plain) = match text.parse::<f64>() {
        Ok(written) => (written, true),
        Err(_) => (in_words(text)?, false),
    };
    let points = in_points(written);
    let (taken, rounded) = Points::round_from(points)?;
    Some((taken, rounded || !plain || points != written))
}

/// Parses a number with a decimal comma, a fraction, or words after it: `6,5`, `6 1/2`, `5½`,
/// `7目半`, `6.5 points`.
fn in_words(text: &str) -> Option<f64> {
    const FRACTIONS: [(f64, &[&str]); 3] = [
        (0.5, &["1/2", "½", "半"]),
        (0.75, &["3/4", "¾"]),
        (0.25, &["1/4", "¼"]),
    ];
    const NUMERALS: &str = "一二两三四五六七八九十";
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (-1.0, text),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (mut number, mut rest) = text.split_at_checked(end)?;
    // The text is a fraction alone.
    if rest.starts_with('/') {
        (number, rest) = ("", text);
    }
    let rest = rest.trim_start();
    let is_there = |signs: &&str| rest.contains(*signs);
    let fraction = FRACTIONS
        .iter()
        .find(|(_, signs)| signs.iter().any(&is_there));
    let whole = match number {
        "" => None,
        number => Some(number.replace(',', ".").parse::<f64>().ok()?),
    };
    match (whole, fraction) {
        (None, None) => None,
        // A numeral before the fraction, such as `六`, is not read.
        (None, Some((fraction, signs))) => {
            let before = signs.iter().find_map(|sign| rest.split_once(sign));
            let is_numeral = |c: char| c.is_ascii_digit() || NUMERALS.contains(c);
            let is_alone = before.is_none_or(|(before, _)| !before.contains(is_numeral));
            is_alone.then_some(sign * fraction)
        }
        (Some(whole), Some(_)) if whole.fract() != 0.0 => None,
        (Some(whole), Some((fraction, _))) => Some(sign * (whole + fraction)),
        (Some(whole), None) => {
            let is_word = rest.chars().next().is_none_or(char::is_alphabetic);
            is_word.then_some(sign * whole)
        }
    }
}

/// Converts a written komi to points. Under Chinese rules, some files count stones, each of which
/// is two points. The Fox server writes points or stones times 100. Only the usual values are
/// converted.
fn in_points(komi: f64) -> f64 {
    const OF_STONES: [f64; 3] = [2.75, 3.25, 3.75];
    const OF_POINTS: [f64; 3] = [550.0, 650.0, 750.0];
    if OF_STONES.contains(&komi) {
        komi * 2.0
    } else if OF_STONES.contains(&(komi / 100.0)) {
        komi / 50.0
    } else if OF_POINTS.contains(&komi) {
        komi / 100.0
    } else {
        komi
    }
}
