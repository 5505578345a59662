//! Quoting of text from outside the program, lists of words in messages, similar words, line
//! breaks, and rounding of numbers.

/// Returns `text` with each control character replaced, so that it fits on one line.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// Returns at most 60 characters of `text`, with each control character replaced. Longer text ends
/// in `…`. Error messages can therefore quote any input.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let kept: String = text.chars().take(MOST).collect();
    let mut quoted = printable(&kept);
    if text.chars().nth(MOST).is_some() {
        quoted.push('…');
    }
    quoted
}

/// Joins words into a choice: `a, b or c`.
pub fn one_of(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the candidate most similar to a misspelled word, ignoring case, or `None` if none is
/// close. Close means at most one edit per three characters, at least 1 and at most 3. An edit
/// inserts, removes, or changes a character, or swaps two neighbors.
///
/// ```
/// use omnigo_base::text::nearest;
/// assert_eq!(nearest("tours", ["grid", "torus"]), Some("torus"));
/// assert_eq!(nearest("xyz", ["grid", "torus"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Maximum number of characters of a word that is compared, which bounds the time.
    const LONGEST: usize = 60;
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let close = (length / 3).clamp(1, 3);
    let near = candidates.into_iter().filter_map(|candidate| {
        let edits = strsim::osa_distance(&word, &candidate.to_lowercase());
        // A change of every character keeps nothing of the word.
        (edits <= close && edits < length).then_some((edits, candidate))
    });
    let best = near.min_by_key(|&(edits, _)| edits);
    best.map(|(_, candidate)| candidate)
}

/// Returns the end of a message about a misspelled word: `; did you mean 'torus'?`, or empty text
/// if no candidate is close.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// Joins words into lines of at most `width` characters, each after `indent` spaces. A longer word
/// has a line of its own.
///
/// ```
/// use omnigo_base::text::wrap;
/// assert_eq!(wrap(["play", "undo", "quit"], 12, 2), "  play undo\n  quit");
/// ```
pub fn wrap<'a>(words: impl IntoIterator<Item = &'a str>, width: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length <= width {
            lines.push(' ');
            column += 1 + length;
        } else {
            if column > 0 {
                lines.push('\n');
            }
            lines.push_str(&" ".repeat(indent));
            column = indent + length;
        }
        lines.push_str(word);
    }
    lines
}

/// Returns a number and a regular noun, in the plural unless the number is 1.
///
/// ```
/// use omnigo_base::text::counted;
/// assert_eq!(counted(1, "game"), "1 game");
/// assert_eq!(counted(0, "game"), "0 games");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Rounds a number for display or JSON to four decimals, and turns -0 into 0.
///
/// ```
/// use omnigo_base::text::four_decimals;
/// assert_eq!(four_decimals(0.123_46), 0.1235);
/// assert_eq!(four_decimals(-0.000_01).to_string(), "0");
/// ```
pub fn four_decimals(value: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (value * 1e4).round() / 1e4 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_close_words() {
        let names = ["grid", "torus", "path", "petersen", "genmove"];
        for (word, near) in [
            ("tours", Some("torus")),
            ("Petersson", Some("petersen")),
            ("gird", Some("grid")),
            ("pth", Some("path")),
            ("genmoves", Some("genmove")),
            ("x", None),
            ("", None),
            ("pat-or-grid", None),
            ("grid", Some("grid")),
        ] {
            assert_eq!(nearest(word, names), near, "{word}");
        }
        assert_eq!(nearest(&"g".repeat(1_000_000), names), None);
        assert_eq!(did_you_mean("gird", names), "; did you mean 'grid'?");
        assert_eq!(did_you_mean("chess", names), "");
    }

    #[test]
    fn lines_keep_the_width() {
        assert_eq!(wrap([], 10, 2), "");
        assert_eq!(wrap(["a", "b", "c"], 3, 0), "a b\nc");
        assert_eq!(wrap(["long-word", "b"], 4, 1), " long-word\n b");
    }
}
