//! Format of an answer.
//!
//! An answer is `=` or `?`, the id, always one space, the text, and an empty line. Clients treat a
//! blank line as the end of an answer, so the text must not contain one. Only the first line may
//! have no text, because the status mark makes it visible.

/// Returns an answer ready to be written.
///
/// ```
/// use omnigo::gtp::response::frame;
/// assert_eq!(frame(None, Ok("")), "= \n\n");
/// assert_eq!(frame(Some("12"), Ok("A1 B1\n\n \nC1\n")), "=12 A1 B1\nC1\n\n");
/// assert_eq!(frame(Some("3"), Err("illegal move")), "?3 illegal move\n\n");
/// ```
pub fn frame(id: Option<&str>, result: Result<&str, &str>) -> String {
    let (mark, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = id.unwrap_or_default();
    let mut answer = String::with_capacity(text.len() + id.len() + 4);
    answer.push(mark);
    answer.push_str(id);
    answer.push(' ');
    match result {
        Ok(text) => push_lines(&mut answer, text),
        Err(text) => push_one_line(&mut answer, text),
    }
    answer.push_str("\n\n");
    answer
}

/// Appends the lines of `text`, without blank lines after the first.
pub(super) fn push_lines(answer: &mut String, text: &str) {
    for (number, line) in text.split('\n').enumerate() {
        let before = answer.len();
        if number > 0 {
            answer.push('\n');
        }
        let start = answer.len();
        push_visible(answer, line.trim_end());
        let blank = answer
            .get(start..)
            .is_none_or(|line| line.trim().is_empty());
        if blank {
            answer.truncate(before);
            // After an empty first line, the next line adds the line feed.
        }
    }
}

/// Appends `text` on one line, as GTP requires for errors.
fn push_one_line(answer: &mut String, text: &str) {
    for (number, line) in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .enumerate()
    {
        if number > 0 {
            answer.push(' ');
        }
        push_visible(answer, line);
    }
}

/// Appends `line` without control characters, which GTP forbids in answers. Tabs become spaces.
fn push_visible(answer: &mut String, line: &str) {
    answer.extend(
        line.chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_always_follows_the_sign() {
        assert_eq!(frame(None, Ok("2")), "= 2\n\n");
        assert_eq!(frame(Some("7"), Ok("")), "=7 \n\n");
        assert_eq!(frame(None, Err("")), "? \n\n");
    }

    #[test]
    fn responses_contain_no_blank_lines() {
        assert_eq!(frame(None, Ok("a\n\n\nb\n \n\t\nc\n\n")), "= a\nb\nc\n\n");
        assert_eq!(frame(None, Ok("\n  A B\n1 . .\n")), "= \n  A B\n1 . .\n\n");
        assert_eq!(frame(None, Ok("\n\n")), "= \n\n");
        assert_eq!(frame(None, Ok("a\n\u{1}\nb")), "= a\nb\n\n");
    }

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(frame(None, Ok("a\tb\u{1}c\r\nd")), "= a bc\nd\n\n");
    }

    #[test]
    fn failures_are_one_line() {
        assert_eq!(
            frame(Some("1"), Err("first\n\n second\r\n")),
            "?1 first second\n\n"
        );
    }
}
