//! Quoting of text from outside the program, and lists of words in messages.

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
