//! Quoting of text that came from outside.

/// At most 60 characters of `text` on one line, control characters replaced, so that an error message can quote anything.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let mut quoted: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        quoted.push('…');
    }
    quoted
}
