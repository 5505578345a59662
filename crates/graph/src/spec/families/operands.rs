//! Text of the operands of operators: enclosed in parentheses and separated by commas.

use super::Family;
use crate::spec::{Spec, SpecError};

/// Returns the text within the parentheses that enclose all of it, or an error.
pub(super) fn enclosed<'a>(family: &Family, text: &'a str) -> Result<&'a str, SpecError> {
    inside(text).ok_or_else(|| family.refuse(text, "with its operands in parentheses"))
}

fn inside(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0i64;
    for c in inner.chars() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(inner)
}

/// Returns an operand without its own parentheses.
pub(super) fn bare(text: &str) -> &str {
    inside(text).unwrap_or(text)
}

/// Returns an operand as written before or after a comma.
pub(super) fn operand(spec: &Spec) -> String {
    let text = spec.to_string();
    if commas(&text).next().is_some() {
        format!("({text})")
    } else {
        text
    }
}

/// Returns an operand as written before a comma and `words`. With several words, the arguments of
/// the operand could include the first of them, unless it has parentheses.
pub(super) fn operand_before(spec: &Spec, words: &[String]) -> String {
    match operand(spec) {
        text if words.len() > 1 && !text.starts_with('(') && spec.takes_more_words() => {
            format!("({text})")
        }
        text => text,
    }
}

/// Returns the byte offsets of the commas outside of parentheses.
fn commas(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0i64;
    text.char_indices().filter_map(move |(place, c)| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        (c == ',' && depth == 0).then_some(place)
    })
}

/// Splits the text into a spec, a comma, and something that `rest` can parse. Returns an error
/// unless there is exactly one way.
pub(super) fn split<T>(
    family: &Family,
    text: &str,
    rest: impl Fn(&str) -> Option<T>,
) -> Result<(Spec, T), SpecError> {
    /// Maximum number of commas to try.
    const MOST: usize = 64;
    let text = enclosed(family, text)?;
    let refuse = |also| Err(family.refuse(&format!("({text})"), also));
    if commas(text).nth(MOST).is_some() && !text.starts_with('(') {
        return refuse("with the first operand in its own parentheses");
    }
    let mut found = None;
    for place in commas(text).take(MOST) {
        let (first, second) = text.split_at(place);
        let second = second.get(1..).unwrap_or_default();
        let Ok(spec) = bare(first).parse::<Spec>() else {
            continue;
        };
        let Some(value) = rest(second) else { continue };
        if found.is_some() {
            return refuse(
                "with parentheses around an operand that contains a comma, because this can be read in two ways",
            );
        }
        found = Some((spec, value));
        if first.starts_with('(') {
            break;
        }
    }
    match found {
        Some(found) => Ok(found),
        None => refuse(""),
    }
}
