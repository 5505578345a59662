//! Parsing of command arguments.

use std::num::IntErrorKind;
use std::str::FromStr;

use super::failure::Failure;
use super::parse::Request;
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::notation::{label_suggestion, read_move, vertex, vertex_problem};
use crate::text::{one_of, quote};
use crate::vertex::{Move, Vertex};

/// Arguments of a command, read from left to right. Commands ignore arguments that they do not
/// read; clients rely on this.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    words: &'a [&'a str],
    /// Unread arguments as written, or empty if only the words are known.
    text: &'a str,
}

impl<'a> Arguments<'a> {
    /// Returns a reader for these words, without their original text.
    pub fn new(words: &'a [&'a str]) -> Arguments<'a> {
        Arguments { words, text: "" }
    }

    /// Returns a reader for the arguments of a command.
    pub fn of(request: &'a Request<'a>) -> Arguments<'a> {
        Arguments {
            words: &request.arguments,
            text: request.text,
        }
    }

    /// Returns the next argument, or `None` after the last.
    pub fn optional(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        let text = self.text.trim_start();
        self.text = text.strip_prefix(first).unwrap_or(text);
        Some(first)
    }

    /// Returns the next argument without reading it.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.first().copied()
    }

    /// Returns the unread arguments as written.
    pub fn text(&self) -> &'a str {
        self.text.trim()
    }

    /// Returns the unread arguments as one file name, or `None` if there is none.
    ///
    /// # Errors
    /// If a quote is not closed, or text follows the closing quote.
    pub fn file(&self) -> Result<Option<String>, Failure> {
        let (name, rest) = file(self.text(), |_| true)?;
        if !rest.trim().is_empty() {
            const EXPECTED: &str = "nothing after the file name";
            return Err(Failure::expected("argument", rest.trim(), EXPECTED));
        }
        Ok((!name.is_empty()).then_some(name))
    }

    /// Returns a file name and, if the last argument is a number, that number. A file name that
    /// ends in a space and a number must be quoted. After a quoted name, all remaining text is
    /// returned as the number, unchecked.
    ///
    /// # Errors
    /// If there is no name, or a quote is not closed.
    pub fn file_and_number(&self, expected: &str) -> Result<(String, Option<&'a str>), Failure> {
        let text = self.text();
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
        let (name, number) = if text.starts_with('"') {
            file(text, |_| true)?
        } else {
            match text.rsplit_once(' ') {
                Some((name, last)) if is_number(last) => (file(name.trim(), |_| true)?.0, last),
                _ => (file(text, |_| true)?.0, ""),
            }
        };
        if name.is_empty() {
            return Err(Failure::missing("file", expected));
        }
        Ok((
            name,
            Some(number.trim()).filter(|number| !number.is_empty()),
        ))
    }

    /// Returns a file name and the words after it. A name with spaces must be quoted or escape each
    /// space as `\ `.
    ///
    /// # Errors
    /// If there is no name, or a quote is not closed.
    pub fn file_and_words(&self, expected: &str) -> Result<(String, Vec<&'a str>), Failure> {
        let (name, rest) = file(self.text(), |c| c != ' ')?;
        if name.is_empty() {
            return Err(Failure::missing("file", expected));
        }
        Ok((
            name,
            rest.split(' ').filter(|word| !word.is_empty()).collect(),
        ))
    }

    /// Returns all unread arguments.
    pub fn rest(&mut self) -> &'a [&'a str] {
        std::mem::take(&mut self.words)
    }

    /// Returns true if all arguments have been read.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the next argument, or an error if it is missing.
    pub fn word(&mut self, what: &str, expected: &str) -> Result<&'a str, Failure> {
        self.optional()
            .ok_or_else(|| Failure::missing(what, expected))
    }

    /// Returns the next argument as a number of type `T`.
    pub fn number<T: FromStr>(&mut self, what: &str, expected: &str) -> Result<T, Failure> {
        let text = self.word(what, expected)?;
        text.parse()
            .map_err(|_| Failure::expected(what, text, expected))
    }

    /// Returns the next argument as a count. A number above [`u32::MAX`] becomes [`u32::MAX`].
    pub fn count(&mut self, what: &str) -> Result<u32, Failure> {
        const EXPECTED: &str = "a whole number, 0 or more";
        let text = self.word(what, EXPECTED)?;
        match text.parse() {
            Ok(count) => Ok(count),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u32::MAX),
            Err(_) => Err(Failure::expected(what, text, EXPECTED)),
        }
    }

    /// Returns the next argument as seconds, at least 0, with decimals allowed.
    pub fn seconds(&mut self, what: &str) -> Result<f64, Failure> {
        const EXPECTED: &str = "seconds, 0 or more";
        let text = self.word(what, EXPECTED)?;
        match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
            _ => Err(Failure::expected(what, text, EXPECTED)),
        }
    }

    /// Returns the next argument as the color of one of `colors` players.
    pub fn color(&mut self, colors: usize) -> Result<Color, Failure> {
        let expected = one_of(Color::all(colors).map(|color| color.to_string()));
        let text = self.word("color", &expected)?;
        playing_color(text, colors).ok_or_else(|| Failure::expected("color", text, &expected))
    }

    /// Returns the next argument as a vertex, given as an alias or a label.
    pub fn vertex(&mut self, goban: &Goban) -> Result<Vertex, Failure> {
        let text = self.word("vertex", "a vertex like A1")?;
        vertex(goban, text).ok_or_else(|| no_vertex(goban, text, ""))
    }

    /// Returns the next argument as a move: a vertex or a pass.
    pub fn mv(&mut self, goban: &Goban) -> Result<Move, Failure> {
        let text = self.word("vertex", "a vertex like A1 or pass")?;
        read_move(goban, text).ok_or_else(|| no_vertex(goban, text, " or pass"))
    }
}

/// Returns the file name at the beginning of a text, and the text after it.
///
/// In quotes, as GoGui writes names with spaces, `\"` stands for `"` and `\\` for `\`. Without
/// quotes, `\ ` stands for a space, and the name ends before the first character for which
/// `belongs` is false. Other backslashes stay, because Windows paths contain them.
///
/// # Errors
/// If a quote is not closed, or a word directly follows the closing quote.
pub fn file(text: &str, belongs: impl Fn(char) -> bool) -> Result<(String, &str), Failure> {
    let quoted = text.strip_prefix('"');
    let mut name = String::new();
    let mut signs = quoted.unwrap_or(text).char_indices().peekable();
    let rest_from = |at: usize| quoted.unwrap_or(text).get(at..).unwrap_or_default();
    while let Some((at, sign)) = signs.next() {
        let escaped = |next: char| match quoted {
            Some(_) => matches!(next, '"' | '\\'),
            None => next == ' ',
        };
        match sign {
            '\\' => match signs.next_if(|&(_, next)| escaped(next)) {
                Some((_, next)) => name.push(next),
                None => name.push(sign),
            },
            '"' if quoted.is_some() => {
                let rest = rest_from(at + 1);
                if !rest.is_empty() && !rest.starts_with(' ') {
                    return Err(Failure::expected(
                        "argument",
                        text,
                        "a space after the closing quote",
                    ));
                }
                return Ok((name, rest));
            }
            _ if quoted.is_none() && !belongs(sign) => return Ok((name, rest_from(at))),
            _ => name.push(sign),
        }
    }
    match quoted {
        Some(_) => Err(Failure::expected("argument", text, "a closing quote")),
        None => Ok((name, "")),
    }
}

/// Reads all unread arguments as stones, each given as a color and a vertex.
///
/// # Errors
/// If a color or vertex cannot be read, or stones overlap.
pub fn stones(
    arguments: &mut Arguments<'_>,
    goban: &Goban,
    colors: usize,
) -> Result<Vec<(Color, Vertex)>, Failure> {
    let mut stones = Vec::new();
    let mut taken = vec![false; goban.points()];
    while !arguments.is_empty() {
        let color = arguments.color(colors)?;
        let text = arguments.words.first().copied().unwrap_or_default();
        let vertex = arguments.vertex(goban)?;
        for point in goban.covered(vertex) {
            let taken = taken.get_mut(point.index());
            if taken.is_some_and(|taken| std::mem::replace(taken, true)) {
                return Err(Failure::Syntax(format!(
                    "vertex '{}' is already covered, expected stones that do not overlap",
                    quote(text)
                )));
            }
        }
        stones.push((color, vertex));
    }
    Ok(stones)
}

/// Returns the board size for clients that support only square boards. This is the larger side of
/// the alias grid, the rectangle of vertex aliases such as `A1`.
pub fn advertised(goban: &Goban) -> usize {
    goban.names.width().max(goban.names.height())
}

/// Returns one word for each point of the [`advertised`] square board, in rows from the top. `none`
/// is the word for a point without a vertex.
///
/// # Errors
/// If the side is above 256. Most of a large square would be empty for a long narrow board, at a
/// high memory cost.
pub fn alias_rows(
    goban: &Goban,
    none: &str,
    word: impl Fn(Vertex) -> String,
) -> Result<String, Failure> {
    const WIDEST: usize = 256;
    let side = advertised(goban);
    if side > WIDEST {
        return Err(Failure::Refused(format!(
            "the board is {side} points wide, expected at most {WIDEST} to show it as a square"
        )));
    }
    let place = |row: usize, column: usize| {
        let vertex = goban.names.vertex_at(column, row);
        vertex.map_or_else(|| none.to_string(), &word)
    };
    let rows = (0..side).rev().map(|row| {
        let words: Vec<String> = (0..side).map(|column| place(row, column)).collect();
        words.join(" ")
    });
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

/// Returns the color that `word` names, or `None` if it names none of the first `colors` colors.
pub fn playing_color(word: &str, colors: usize) -> Option<Color> {
    let color = word.parse::<Color>().ok()?;
    (color.index() < colors).then_some(color)
}

fn no_vertex(goban: &Goban, text: &str, or: &str) -> Failure {
    let near = label_suggestion(goban, text);
    Failure::Syntax(vertex_problem(goban, text) + or + &near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::parse::{clean, request};

    #[test]
    fn file_names_may_contain_blanks() {
        for (line, name, number) in [
            ("loadsgf a.sgf", "a.sgf", None),
            ("loadsgf a.sgf 7", "a.sgf", Some("7")),
            ("loadsgf my  game.sgf", "my  game.sgf", None),
            ("loadsgf my game.sgf 7", "my game.sgf", Some("7")),
            (r#"loadsgf "my game 7""#, "my game 7", None),
            (r#"loadsgf "my game.sgf" 7"#, "my game.sgf", Some("7")),
            (r#"loadsgf "a.sgf" x"#, "a.sgf", Some("x")),
            (r#"loadsgf "a\"b\\ c""#, r#"a"b\ c"#, None),
            (r"loadsgf my\ game.sgf", "my game.sgf", None),
            (r"loadsgf C:\games\a.sgf", r"C:\games\a.sgf", None),
            (r#"loadsgf "C:\my games\a.sgf""#, r"C:\my games\a.sgf", None),
            ("loadsgf 7", "7", None),
        ] {
            let line = clean(line.as_bytes());
            let request = request(&line).unwrap();
            let read = Arguments::of(&request).file_and_number("a file").unwrap();
            assert_eq!(read, (name.to_string(), number), "{line}");
        }
        for line in ["printsgf \"a", r#"printsgf "a"b"#, r#"printsgf "a" b"#] {
            let request = request(line).unwrap();
            assert!(Arguments::of(&request).file().is_err(), "{line}");
        }
        let request = request(r#"write_svg "q r.svg" theme=dark"#).unwrap();
        let read = Arguments::of(&request).file_and_words("a file").unwrap();
        assert_eq!(read, ("q r.svg".to_string(), vec!["theme=dark"]));
    }
}
