//! Separators of the columns of an edge list. A whole file has one separator, found in its first
//! line of data. A name may then contain the others.

use super::words::words;

/// Maximum number of columns read per line. Bounds the work per line.
const MOST_FIELDS: usize = 256;

/// Separator of the columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// This character. In tables, `#` within a line belongs to a name.
    Sign(char),
    /// White space or commas. `#` outside of quotes starts a comment.
    Gap,
}

impl Separator {
    /// Returns the separator of a text: the first of tab, semicolon, and comma that parts its first
    /// line of data, else white space. Signs in quotes or parentheses do not count. White space
    /// between numbers is always the separator.
    pub(super) fn of(text: &str) -> Separator {
        let mut lines = text.lines().filter(|line| !is_comment(line));
        let line = lines
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        let line = without_remark(line);
        let parts = |sign: &char| {
            let bare = outside(line).any(|(_, c)| c == *sign);
            let fields = || fields_at(line, *sign).take(MOST_FIELDS);
            let parts = fields().filter(|field| !field.is_empty()).nth(1).is_some();
            bare && parts && !fields().any(has_several_numbers)
        };
        let sign = ['\t', ';', ','].into_iter().find(parts);
        sign.map_or(Separator::Gap, Separator::Sign)
    }

    /// Returns a line without its comment. `is_table` is true below a header.
    pub(super) fn content(self, line: &str, is_table: bool) -> &str {
        match self {
            _ if is_comment(line) => "",
            Separator::Sign(_) if is_table => line,
            Separator::Sign(_) => without_remark(line),
            Separator::Gap => {
                let sign = outside(line).find(|&(_, c)| c == '#');
                sign.map_or(line, |(place, _)| line.split_at(place).0)
            }
        }
    }

    /// Returns the fields of a line, without their quotes. White space leaves no empty fields.
    pub(super) fn fields(self, line: &str) -> Vec<&str> {
        match self {
            Separator::Sign(sign) => fields_at(line, sign).take(MOST_FIELDS).collect(),
            Separator::Gap => words(line).take(MOST_FIELDS).collect(),
        }
    }

    /// Parses the weight of an edge. A comma in it may be its decimal sign: commas do not separate
    /// the columns then, or the weight stood in quotes.
    pub(super) fn weight(self, word: &str) -> Option<f64> {
        let is_decimal = matches!(self, Separator::Sign(_));
        let decimal = is_decimal.then(|| word.replace(',', "."));
        super::words::weight(decimal.as_deref().unwrap_or(word))
    }
}

fn has_several_numbers(field: &str) -> bool {
    let mut words = field.split_whitespace();
    words.clone().nth(1).is_some() && words.all(|word| word.parse::<f64>().is_ok())
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', '%'])
}

/// Returns a line up to a `#` after white space, which begins a comment.
fn without_remark(line: &str) -> &str {
    let is_remark = |place: usize| {
        line.get(..place)
            .is_some_and(|before| before.ends_with([' ', '\t']))
    };
    let sign = outside(line).find(|&(place, c)| c == '#' && is_remark(place));
    sign.map_or(line, |(place, _)| line.split_at(place).0)
}

/// Returns the characters outside of double quotes and parentheses, with their offsets. A quote or
/// a parenthesis without its counterpart encloses nothing.
fn outside(line: &str) -> impl Iterator<Item = (usize, char)> {
    let pairs = |open: char, close: char| {
        let count = |sign: char| line.matches(sign).count();
        match open == close {
            true => count(open) % 2 == 0,
            false => count(open) == count(close),
        }
    };
    let (quotes, tuples) = (pairs('"', '"'), pairs('(', ')'));
    let (mut quoted, mut depth) = (false, 0usize);
    line.char_indices().filter(move |&(_, c)| {
        quoted ^= quotes && c == '"';
        if tuples && !quoted {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        !quoted && depth == 0
    })
}

/// Returns the fields between these signs, without white space around them and without their
/// quotes. Doubled quotes within quotes stay. A field may begin with a part in quotes or
/// parentheses that contains the sign.
fn fields_at(line: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut left = Some(line);
    std::iter::from_fn(move || {
        let rest = left?;
        let start = rest.trim_start_matches(|c: char| c.is_whitespace() && c != sign);
        let enclosed = enclosed(start);
        let after = start.get(enclosed..).unwrap_or_default();
        let (length, next) = match after.split_once(sign) {
            Some((tail, next)) => (enclosed + tail.len(), Some(next)),
            None => (start.len(), None),
        };
        left = next;
        let field = start.get(..length).unwrap_or_default().trim_end();
        let is_quoted = field.starts_with('"') && field.len() == enclosed;
        let inner = field.get(1..field.len().saturating_sub(1));
        Some(inner.filter(|_| is_quoted).unwrap_or(field))
    })
}

/// Returns the length of the part in quotes or parentheses at the start of a text; 0 if there is
/// none.
fn enclosed(text: &str) -> usize {
    let mut signs = text.char_indices();
    match signs.next() {
        Some((_, '(')) => text.find(')').map_or(0, |end| end + 1),
        Some((_, '"')) => {
            let mut open = true;
            let end = signs.find(|&(place, c)| {
                // Two quotes within quotes are one quote of the text.
                open ^= c == '"';
                let next = text.get(place + 1..).and_then(|rest| rest.chars().next());
                !open && c == '"' && next != Some('"')
            });
            end.map_or(0, |(place, _)| place + 1)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_data_determines_the_separator() {
        for (text, fields) in [
            ("# a,b\na b\n", &["a", "b"][..]),
            ("Smith, John\tDoe\n", &["Smith, John", "Doe"]),
            ("a b;c, d;2,5\n", &["a b", "c, d", "2,5"]),
            ("A,B#1,5\n", &["A", "B#1", "5"]),
            ("\"a,\"\"b\"\"\" , c\n", &["a,\"\"b\"\"", "c"]),
            ("(0, 1),(1, 1)\n", &["(0, 1)", "(1, 1)"]),
            ("(0, 1) (1, 1)\n", &["(0, 1)", "(1, 1)"]),
            ("a b # c, d\n", &["a", "b"]),
            ("\"C\" \"C#\"\n", &["C", "C#"]),
            ("a b;\n", &["a", "b;"]),
            ("a,,b\n", &["a", "", "b"]),
            ("a,b # remark\n", &["a", "b"]),
            ("0 1\t0.5\n", &["0", "1", "0.5"]),
            ("1,2 3\n", &["1", "2", "3"]),
            ("Room 5\tAnn Lee\n", &["Room 5", "Ann Lee"]),
        ] {
            let separator = Separator::of(text);
            let line = text.lines().last().unwrap();
            let content = separator.content(line, false);
            assert_eq!(separator.fields(content), fields, "{text}");
        }
    }
}
