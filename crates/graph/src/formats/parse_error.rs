//! Parse errors: the location, the text found there, and what was expected.

use omnigo_base::text::quote;

/// Error message about a text, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ParseError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Problem at this location, and what was expected.
    pub problem: String,
}

impl ParseError {
    /// Reports a problem at this byte offset of a text.
    pub(crate) fn at(text: &str, offset: usize, problem: impl Into<String>) -> ParseError {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(..end).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |place| place + 1);
        ParseError {
            line: 1 + before.bytes().filter(|&c| c == b'\n').count(),
            column: 1 + before.get(start..).map_or(0, |line| line.chars().count()),
            problem: problem.into(),
        }
    }

    /// Reports that `found` stands where something else was expected. `found` is a slice of `text`.
    pub(super) fn found(text: &str, found: &str, expected: &str) -> ParseError {
        let offset = (found.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let problem = if offset >= text.len() {
            format!("the end of the text, expected {expected}")
        } else {
            format!("'{}', expected {expected}", quote(found))
        };
        ParseError::at(text, offset, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "ab\né x\n";
        for (offset, place) in [
            (0, (1, 1)),
            (2, (1, 3)),
            (3, (2, 1)),
            (4, (2, 1)),
            (6, (2, 3)),
            (8, (3, 1)),
            (99, (3, 1)),
        ] {
            let fault = ParseError::at(text, offset, "");
            assert_eq!((fault.line, fault.column), place, "{offset}");
        }
        assert_eq!(
            ParseError::found(text, &text[6..7], "y").to_string(),
            "line 2, column 3: 'x', expected y"
        );
        assert_eq!(
            ParseError::found(text, &text[8..], "more").to_string(),
            "line 3, column 1: the end of the text, expected more"
        );
    }
}
