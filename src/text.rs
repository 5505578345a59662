//! Quoting of text from outside the program.

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
