//! Quoting of text that came from outside.

/// `text` on one line, control characters replaced.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// At most 60 characters of `text` on one line, control characters replaced, so that an error message can quote anything.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let kept: String = text.chars().take(MOST).collect();
    let mut quoted = printable(&kept);
    if text.chars().nth(MOST).is_some() {
        quoted.push('…');
    }
    quoted
}
