//! Reading of the arguments of a command.

use std::num::IntErrorKind;
use std::str::FromStr;

use super::failure::Failure;
use super::parse::Request;
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// The arguments of a command, read from the left. What a command does not read is ignored, as clients rely on.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    words: &'a [&'a str],
    /// The words as they were written, where that is known.
    text: &'a str,
}

impl<'a> Arguments<'a> {
    /// The arguments in order.
    pub fn new(words: &'a [&'a str]) -> Arguments<'a> {
        Arguments { words, text: "" }
    }

    /// The arguments of a command.
    pub fn of(request: &'a Request<'a>) -> Arguments<'a> {
        Arguments {
            words: &request.arguments,
            text: request.text,
        }
    }

    /// The next argument, if there is one.
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

    /// The rest of the arguments as it was written.
    pub fn text(&self) -> &'a str {
        self.text.trim()
    }

    /// The rest of the arguments as the name of a file, `None` where there is none.
    ///
    /// # Errors
    /// When a quote is not closed, or something follows the closing one.
    pub fn file(&self) -> Result<Option<String>, Failure> {
        let (name, rest) = file(self.text(), |_| true)?;
        if !rest.trim().is_empty() {
            const EXPECTED: &str = "nothing after the name of a file";
            return Err(Failure::expected("argument", rest.trim(), EXPECTED));
        }
        Ok((!name.is_empty()).then_some(name))
    }

    /// The name of a file and, where the last argument is a number, that; a file of such a name stands in quotes.
    ///
    /// # Errors
    /// When there is no name, a quote is not closed, or more than one word follows the closing one.
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

    /// The name of a file, which stands in quotes where it has blanks, and the words after it.
    ///
    /// # Errors
    /// When there is no name, or a quote is not closed.
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

    /// All arguments that were not read yet.
    pub fn rest(&mut self) -> &'a [&'a str] {
        std::mem::take(&mut self.words)
    }

    /// Whether every argument was read.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The next argument, which must be there.
    pub fn word(&mut self, what: &str, expected: &str) -> Result<&'a str, Failure> {
        self.optional()
            .ok_or_else(|| Failure::missing(what, expected))
    }

    /// The next argument as a number of this type.
    pub fn number<T: FromStr>(&mut self, what: &str, expected: &str) -> Result<T, Failure> {
        let text = self.word(what, expected)?;
        text.parse()
            .map_err(|_| Failure::expected(what, text, expected))
    }

    /// The next argument as how many there are of something; more than a number can tell are taken as the most it can.
    pub fn count(&mut self, what: &str) -> Result<u32, Failure> {
        const EXPECTED: &str = "a whole number, 0 or more";
        let text = self.word(what, EXPECTED)?;
        match text.parse() {
            Ok(count) => Ok(count),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u32::MAX),
            Err(_) => Err(Failure::expected(what, text, EXPECTED)),
        }
    }

    /// The next argument as seconds, at least 0; decimals are allowed.
    pub fn seconds(&mut self, what: &str) -> Result<f64, Failure> {
        const EXPECTED: &str = "seconds, 0 or more";
        let text = self.word(what, EXPECTED)?;
        match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
            _ => Err(Failure::expected(what, text, EXPECTED)),
        }
    }

    /// The next argument as the color of one of `colors` players.
    pub fn color(&mut self, colors: usize) -> Result<Color, Failure> {
        let expected = one_of(Color::all(colors).map(|color| color.to_string()));
        let text = self.word("color", &expected)?;
        let color = text
            .parse::<Color>()
            .ok()
            .filter(|color| color.index() < colors);
        color.ok_or_else(|| Failure::expected("color", text, &expected))
    }

    /// The next argument as a vertex: an alias or a label.
    pub fn vertex(&mut self, goban: &Goban) -> Result<Vertex, Failure> {
        let text = self.word("vertex", "a vertex like A1")?;
        vertex(goban, text).ok_or_else(|| no_vertex(goban, text, ""))
    }

    /// The next argument as a vertex or a pass.
    pub fn mv(&mut self, goban: &Goban) -> Result<Move, Failure> {
        let text = self.word("vertex", "a vertex like A1 or pass")?;
        read_move(goban, text).ok_or_else(|| no_vertex(goban, text, " or pass"))
    }
}

/// The name of a file at the beginning of a text, and what follows. In quotes, as GoGui writes names with blanks, `\"` and
/// `\\` are one sign each; otherwise the name ends where `belongs` says so, and `\ ` is a blank. Other backslashes are
/// those of Windows.
///
/// # Errors
/// When a quote is not closed, or a word touches the closing one.
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
                    return Err(Failure::expected("argument", text, "a blank after a quote"));
                }
                return Ok((name, rest));
            }
            _ if quoted.is_none() && !belongs(sign) => return Ok((name, rest_from(at))),
            _ => name.push(sign),
        }
    }
    match quoted {
        Some(_) => Err(Failure::expected("argument", text, "a quote at the end")),
        None => Ok((name, "")),
    }
}

/// A vertex or `pass`.
pub fn read_move(goban: &Goban, text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    vertex(goban, text).map(Move::Place)
}

/// These words as a choice: `a, b or c`.
pub fn one_of(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What a position of so many colors looks like on this board.
pub fn expected_position(goban: &Goban, colors: usize) -> String {
    let symbols: Vec<String> = Color::all(colors)
        .map(|color| color.symbol().to_string())
        .collect();
    let (points, symbols) = (goban.points(), symbols.join(", "));
    format!("{points} of the characters {symbols} and .")
}

/// The position of a text, a character a point in index order.
pub fn read_position(
    goban: &Goban,
    colors: usize,
    text: &str,
) -> Result<Vec<Option<Color>>, Failure> {
    let points = goban.points();
    let mut position = Vec::with_capacity(points);
    for symbol in text.chars() {
        let point = match symbol {
            '.' => None,
            symbol => match Color::from_symbol(symbol) {
                Some(color) if color.index() < colors => Some(color),
                _ => {
                    let symbols = Color::all(colors).map(|color| color.symbol().to_string());
                    let expected = one_of(symbols.chain([".".to_string()]));
                    let problem = format!(
                        "character '{symbol}' in position '{}', expected {expected}",
                        quote(text)
                    );
                    return Err(Failure::Syntax(problem));
                }
            },
        };
        position.push(point);
    }
    if position.len() != points {
        let problem = format!(
            "position '{}' of {} characters, expected {}",
            quote(text),
            position.len(),
            expected_position(goban, colors)
        );
        return Err(Failure::Syntax(problem));
    }
    if let Some(space) = goban.space()
        && !space.is_light()
        && let Some(index) = (0..points)
            .filter(|&index| position.get(index).is_some_and(Option::is_some))
            .find(|&index| !space.is_covered(Vertex::at(index)))
    {
        return Err(Failure::Refused(format!(
            "point {index} of position '{}' is in no placement, expected . there on a go-space as large as this",
            quote(text)
        )));
    }
    Ok(position)
}

/// The vertex of this alias or label.
pub fn vertex(goban: &Goban, text: &str) -> Option<Vertex> {
    goban.names.find(text)
}

/// The rest of the arguments as stones, each a color and a vertex; stones that overlap are refused.
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
                    "vertex '{}' twice, expected stones apart",
                    quote(text)
                )));
            }
        }
        stones.push((color, vertex));
    }
    Ok(stones)
}

/// How a move is written in answers.
pub fn move_text(goban: &Goban, mv: Move) -> String {
    match mv {
        Move::Place(vertex) => goban.names.alias(vertex),
        Move::Pass => "pass".to_string(),
    }
}

/// These vertices as aliases, separated by spaces.
pub fn vertex_list(goban: &Goban, vertices: impl IntoIterator<Item = Vertex>) -> String {
    let mut list = String::new();
    for vertex in vertices {
        if !list.is_empty() {
            list.push(' ');
        }
        list.push_str(&goban.names.alias(vertex));
    }
    list
}

/// The size that the board has for clients that know only squares: the larger side of its alias grid.
pub fn advertised(goban: &Goban) -> usize {
    goban.names.width().max(goban.names.height())
}

/// A square of words, one for each place of the [`advertised`] board from the top row down; `none` stands where there is
/// no vertex.
///
/// # Errors
/// Where most of a large square would be empty: a long narrow board does not get the memory of a wide one.
pub fn alias_rows(
    goban: &Goban,
    none: &str,
    word: impl Fn(Vertex) -> String,
) -> Result<String, Failure> {
    const WIDEST: usize = 256;
    let side = advertised(goban);
    if side > WIDEST {
        return Err(Failure::Refused(format!(
            "a board {side} wide, expected at most {WIDEST} to show it as a square"
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

/// Why `text` is no vertex here, with an example of what is one.
pub fn vertex_problem(goban: &Goban, text: &str) -> String {
    let last = goban
        .graph
        .vertices()
        .checked_sub(1)
        .and_then(Vertex::from_index);
    match last {
        Some(last) => format!(
            "vertex '{}' is not on this board, expected one of {} to {}",
            quote(text),
            goban.names.alias(Vertex::at(0)),
            goban.names.alias(last),
        ),
        None => format!(
            "vertex '{}' is not on this board, which has none",
            quote(text)
        ),
    }
}

fn no_vertex(goban: &Goban, text: &str, or: &str) -> Failure {
    Failure::Syntax(vertex_problem(goban, text) + or)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::parse::{clean, request};

    #[test]
    fn names_of_files_may_have_blanks() {
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
