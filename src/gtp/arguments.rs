//! Reading of the arguments of a command.

use std::num::IntErrorKind;
use std::str::FromStr;

use super::failure::Failure;
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// The arguments of a command, read from the left. What a command does not read is ignored, as clients rely on.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    words: &'a [&'a str],
}

impl<'a> Arguments<'a> {
    /// The arguments in order.
    pub fn new(words: &'a [&'a str]) -> Arguments<'a> {
        Arguments { words }
    }

    /// The next argument, if there is one.
    pub fn optional(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Returns the next argument without reading it.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.first().copied()
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
