//! Words of a line, and numbers among them.

use std::borrow::Cow;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while};
use nom::character::complete::char;
use nom::combinator::{opt, recognize};
use nom::multi::{many0_count, many1_count};
use nom::sequence::delimited;
use nom::{IResult, Parser};

use super::parse_error::ParseError;
use super::raw_graph::Excess;
use omnigo_base::text::quote;

/// Returns the words of a line, separated by white space or commas; each is a slice of the line. A
/// word in double quotes or parentheses may contain both. The quotes are removed. Doubled quotes
/// within quotes stay; [`unquoted`] decodes them.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (after, word) = word(rest).ok()?;
        rest = after;
        Some(word)
    })
}

fn word(input: &str) -> IResult<&str, &str> {
    let gap = |c: char| c.is_whitespace() || c == ',';
    let (input, _) = take_while(gap).parse(input)?;
    let inner = alt((is_not("\""), tag("\"\"")));
    let quoted = delimited(char('"'), recognize(many1_count(inner)), char('"'));
    let tuple = recognize((char('('), many0_count(is_not("()")), char(')')));
    let plain = nom::bytes::complete::take_while1(|c: char| !gap(c));
    let (rest, found) = alt((quoted, tuple, plain)).parse(input)?;
    // Text directly after a closing quote or parenthesis belongs to the word.
    let (rest, tail) = opt(nom::bytes::complete::take_while1(|c: char| !gap(c))).parse(rest)?;
    match tail {
        None => Ok((rest, found)),
        Some(_) => {
            let length = input.len() - rest.len();
            let (whole, rest) = input.split_at(length);
            Ok((rest, whole))
        }
    }
}

/// Returns a word of `text` as a name. Within quotes, tables write a quote as two.
pub(super) fn unquoted<'a>(text: &str, word: &'a str) -> Cow<'a, str> {
    let offset = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.get(..offset).unwrap_or_default();
    match before.ends_with('"') && word.contains("\"\"") {
        true => word.replace("\"\"", "\"").into(),
        false => word.into(),
    }
}

/// Returns a label as one of the [`words`] of a line, in double quotes if it would be split. A lone
/// `%` or `#` starts a comment, and a brace starts attributes.
///
/// # Errors
/// If even quotes cannot keep the label in one word.
pub(super) fn as_word(label: &str) -> Result<String, String> {
    let holds = |text: &str| {
        let mut words = words(text);
        words.next() == Some(label) && words.next().is_none()
    };
    let safe = !label.contains(['"', '{', '}', '#', ':']) && !label.starts_with('%');
    let quoted = format!("\"{label}\"");
    // The next word could close an open parenthesis. A `<` at the start of a file would read as
    // GraphML.
    let whole = (!label.starts_with('(') || label.ends_with(')')) && !label.starts_with('<');
    match safe {
        true if whole && holds(label) => Ok(label.to_string()),
        true if holds(&quoted) => Ok(quoted),
        _ => Err(format!(
            "label '{}' cannot be written in a list, expected one without \" {{ }} # : and without % at the start, or another format",
            quote(label)
        )),
    }
}

/// Returns the words of a line, separated by white space only.
pub(super) fn plain_words(line: &str) -> std::str::SplitWhitespace<'_> {
    line.split_whitespace()
}

/// Returns the empty slice after a text, which marks where something is missing.
pub(super) fn end(text: &str) -> &str {
    text.split_at(text.len()).1
}

/// Parses a word as a number of this type.
pub(super) fn number<T: FromStr>(text: &str, word: &str, expected: &str) -> Result<T, ParseError> {
    word.parse()
        .map_err(|_| ParseError::found(text, word, expected))
}

/// Returns the index of the vertex that a word names by its number, 1 to `vertices`.
pub(super) fn vertex(text: &str, word: &str, vertices: usize) -> Result<u16, ParseError> {
    let expected = || format!("the number of a vertex from 1 to {vertices}");
    let number: usize = number(text, word, &expected())?;
    match number.checked_sub(1).filter(|&index| index < vertices) {
        Some(index) => Ok(index as u16),
        None => Err(ParseError::found(text, word, &expected())),
    }
}

/// Parses the weight of an edge, which may be any number; `None` for other words.
/// [`RawGraph::edge`] drops weights such as `inf`, `nan`, and `1e310` with a warning.
///
/// [`RawGraph::edge`]: super::raw_graph::RawGraph::edge
pub(super) fn weight(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// Parses the weight of an edge where a file may have any text; `None` for blanks. Other words give
/// NaN, which [`RawGraph::edge`] drops with a warning.
///
/// [`RawGraph::edge`]: super::raw_graph::RawGraph::edge
pub(super) fn weight_or_nan(word: &str) -> Option<f64> {
    let word = word.trim();
    (!word.is_empty()).then(|| weight(word).unwrap_or(f64::NAN))
}

/// Parses a finite decimal number, such as a coordinate; `None` for other words.
pub(super) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Reports one vertex or edge too many at this slice of a text.
pub(super) fn excess(text: &str, at: &str, excess: Excess) -> ParseError {
    let offset = (at.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    ParseError::at(text, offset, excess.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_parentheses_hold_words_together() {
        let list = |line| words(line).collect::<Vec<_>>();
        assert_eq!(list(" a b,c , d\t0.5 "), ["a", "b", "c", "d", "0.5"]);
        assert_eq!(
            list("\"New York\" (0, 1) (1, 1)"),
            ["New York", "(0, 1)", "(1, 1)"]
        );
        assert_eq!(list("a( \"b (c"), ["a(", "\"b", "(c"]);
        assert_eq!(list("(a)b \"c\"d"), ["(a)b", "\"c\"d"]);
        assert_eq!(list(""), [""; 0]);
        assert_eq!(list("\"\" ()"), ["\"\"", "()"]);
        let line = "a,\"c \"\"q\"\"\",b\"\"";
        let names: Vec<_> = words(line).map(|word| unquoted(line, word)).collect();
        assert_eq!(names, ["a", "c \"q\"", "b\"\""]);
    }

    #[test]
    fn ambiguous_labels_are_quoted() {
        for (label, expected) in [("a<b", "a<b"), ("<a>", "\"<a>\""), ("(a", "\"(a\"")] {
            assert_eq!(as_word(label).unwrap(), expected);
        }
        assert!(as_word("a#b").is_err());
    }
}
