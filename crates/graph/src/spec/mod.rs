//! Board specs: `family`, `family:arguments`, and `a+b` for the disjoint union.
//!
//! ```text
//! spec    = operand *( "+" operand )
//! operand = family [ ":" arguments ] | operator "(" arguments ")" | "file:" rest
//! ```
//!
//! Families and the forms of their arguments are rows of [`families`]. Parsing checks the
//! limits of a board. It predicts sizes from the text, so it builds nothing large to find out. Some
//! sizes, such as those of a `file:` or of an operator, are known only when [`Spec::build`] builds
//! the board. The same limits apply then.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod error;
pub mod families;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_while1};
use nom::character::complete::char;
use nom::combinator::{all_consuming, consumed, opt, peek, rest};
use nom::multi::separated_list1;
use nom::sequence::{preceded, separated_pair};
use nom::{Finish, IResult, Parser};

use crate::Graph;
use crate::formats::{self, Format, Reading};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::goban::{Goban, SpecText, Surface};
pub use error::SpecError;
use families::{Family, Recipe};
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Description of a board in words. Its text is canonical: parsing that text returns the same spec.
///
/// ```
/// use omnigo_graph::spec::Spec;
/// let spec: Spec = "Torus:9+edges:a-b,b-c,c-a".parse().unwrap();
/// assert_eq!(spec.to_string(), "torus:9x9+edges:a-b,b-c,c-a");
/// assert_eq!(spec.build().unwrap().graph.vertices(), 84);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Spec {
    /// At least one operand.
    operands: Vec<Operand>,
    /// Options for reading the files among the operands; not part of the text.
    reading: Reading,
}

/// One family with its arguments.
#[derive(Clone)]
struct Operand {
    family: &'static Family,
    recipe: Recipe,
}

impl Spec {
    /// Maximum length of a text, in bytes.
    pub const MAX_TEXT: usize = 1 << 20;
    /// Maximum nesting of parentheses, which is also the depth of the recursion when parsing.
    pub const MAX_DEPTH: usize = 6;
    /// Maximum number of parenthesis pairs. Limits the work, because each pair may be an operator
    /// that builds a large graph and discards it.
    pub const MAX_PARENTHESES: usize = 16;

    /// Returns the plain rectangle `grid:WxH`, or an error if it has no vertices or too many.
    pub fn grid(width: usize, height: usize) -> Result<Spec, SpecError> {
        format!("grid:{width}x{height}").parse()
    }

    /// Parses the words of a command: one complete spec, or a family and its arguments as separate
    /// words, as in `torus 9 9`.
    ///
    /// ```
    /// use omnigo_graph::spec::Spec;
    /// for words in [&["torus:9x7"][..], &["torus", "9x7"], &["torus", "9", "7"]] {
    ///     assert_eq!(Spec::from_words(words).unwrap().to_string(), "torus:9x7");
    /// }
    /// ```
    pub fn from_words(words: &[&str]) -> Result<Spec, SpecError> {
        match words {
            [] => Err(SpecError::Empty),
            [spec] => spec.parse(),
            // The path of a file may contain spaces. It extends to the end, or to the end of the
            // parentheses around it.
            [first, ..] if first.split(['+', '(', ',']).any(opens_file) => words.join(" ").parse(),
            [first, arguments @ ..] => match families::find(first) {
                Some(family) if family.operator => {
                    format!("{first}({})", arguments.join(family.joint)).parse()
                }
                Some(family) => format!("{first}:{}", arguments.join(family.joint)).parse(),
                None if first.contains([':', '+']) => Err(SpecError::Syntax {
                    text: quote(&words.join(" ")),
                    at: quote(&format!(" {}", arguments.join(" "))),
                }),
                None => Err(SpecError::UnknownFamily(quote(first))),
            },
        }
    }

    /// Returns this spec with these options for reading files.
    pub fn reading(self, reading: Reading) -> Spec {
        Spec { reading, ..self }
    }

    /// Returns the canonical text with the options for reading files.
    pub fn text(&self) -> SpecText {
        SpecText::new(&self.to_string(), self.reading.clone())
    }

    /// Returns true if building the board opens files.
    pub fn reads_files(&self) -> bool {
        self.text().reads_files()
    }

    /// Builds the board from a JSON text instead of the sources that the spec names. The board
    /// keeps this spec as its name.
    ///
    /// # Errors
    /// If the text contains no valid board.
    pub fn with_contents(&self, json: &str) -> Result<Goban, SpecError> {
        let reading = Reading {
            from: Format::find("json"),
            ..Reading::default()
        };
        self.clone()
            .reading(reading)
            .with_file(json.as_bytes(), "", "the record")
    }

    /// Builds the board from the content of a file instead of the sources that the spec names. The
    /// extension of `path` may identify the format; warnings name `source`. The board keeps this
    /// spec as its name.
    ///
    /// # Errors
    /// If the content is no valid board.
    pub fn with_file(&self, bytes: &[u8], path: &str, source: &str) -> Result<Goban, SpecError> {
        let part = formats::read(bytes, path, source, &self.reading);
        let part = part.map_err(|problem| SpecError::File {
            path: quote(&self.to_string()),
            problem,
        })?;
        self.check(Size {
            vertices: part.vertices as u64,
            edges: part.edges.len() as u64,
        })?;
        Ok(self.assemble(part))
    }

    /// Builds the board.
    ///
    /// # Errors
    /// If a file cannot be read, or if an operator or `space:` rejects its operand. Also if a union
    /// contains a go-space or a Mango board. Also if the board exceeds a limit that could not be
    /// checked from the text.
    pub fn build(&self) -> Result<Goban, SpecError> {
        let mut parts = Vec::with_capacity(self.operands.len());
        let mut size = Size::default();
        // The text was checked against the limits of all boards, not against those of the reader.
        self.check(self.size())?;
        for operand in &self.operands {
            let part = (operand.recipe.build)(&self.reading)?;
            size = size.plus(Size {
                vertices: part.vertices as u64,
                edges: part.edges.len() as u64,
            });
            self.check(size)?;
            // The topology or threshold of one operand is undefined for the others.
            match part.surface {
                Surface::Graph => {}
                Surface::Space { .. } | Surface::Mango(_) if self.operands.len() == 1 => {}
                Surface::Space { .. } | Surface::Mango(_) => {
                    return Err(SpecError::Alone(quote(&self.to_string())));
                }
            }
            parts.push(part);
        }
        Ok(self.assemble(match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => BoardParts::union(parts.into_iter().chain(last).collect()),
        }))
    }

    /// Returns the board of the finished part.
    pub(super) fn assemble(&self, mut part: BoardParts) -> Goban {
        let names = part.names();
        let BoardParts {
            vertices,
            edges,
            mut start,
            mut warnings,
            rectangle,
            surface,
            drawing,
            notes,
            ..
        } = part;
        limit(&mut warnings);
        // An operator takes over the warnings of its operand, which may have the same names.
        warnings.extend(names.clash().filter(|clash| !warnings.contains(clash)));
        let points = match &surface {
            Surface::Graph | Surface::Mango(_) => vertices,
            Surface::Space { space, .. } => space.points(),
        };
        start.resize(points, None);
        let (graph, _) = Graph::from_edges(vertices, &edges);
        Goban {
            spec: self.text(),
            graph: Arc::new(graph),
            names,
            surface,
            start,
            drawing,
            notes,
            rectangle,
            warnings,
        }
    }

    /// Returns true if a comma and more text after this spec could be part of its last operand.
    pub(super) fn takes_more_words(&self) -> bool {
        let last = self.operands.last();
        last.is_some_and(|last| !last.family.operator && matches!(last.family.joint, "," | " "))
    }

    /// Returns the size as predicted from the text.
    pub(super) fn size(&self) -> Size {
        self.operands.iter().fold(Size::default(), |size, operand| {
            size.plus(operand.recipe.size)
        })
    }

    fn check(&self, size: Size) -> Result<(), SpecError> {
        if let Some([vertices, edges]) = self.reading.limits
            && (size.vertices > vertices || size.edges > edges)
        {
            return Err(SpecError::Limited {
                text: quote(&self.to_string()),
                vertices,
                edges,
            });
        }
        if size.vertices > Vertex::LIMIT as u64 {
            Err(SpecError::TooManyVertices(quote(&self.to_string())))
        } else if size.edges > Graph::MAX_EDGES as u64 {
            Err(SpecError::TooManyEdges(quote(&self.to_string())))
        } else {
            Ok(())
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        if text.is_empty() {
            return Err(SpecError::Empty);
        }
        within_limits(text)?;
        let (_, found) = operands(text).finish().map_err(|error| SpecError::Syntax {
            text: quote(text),
            at: quote(error.input),
        })?;
        if found.len() > Vertex::LIMIT {
            return Err(SpecError::TooManyOperands(found.len()));
        }
        let mut operands = Vec::with_capacity(found.len());
        let mut size = Size::default();
        for (typed, (name, arguments)) in found {
            let family =
                families::find(name).ok_or_else(|| SpecError::UnknownFamily(quote(name)))?;
            let recipe = (family.read)(family, arguments)
                .map_err(|error| error.quoting(&family.given(arguments), typed))?;
            size = size.plus(recipe.size);
            operands.push(Operand { family, recipe });
        }
        let spec = Spec {
            operands,
            reading: Reading::default(),
        };
        spec.check(size)?;
        // The canonical text may have more parentheses, and it must be readable too.
        within_limits(&spec.to_string())?;
        Ok(spec)
    }
}

/// Returns an error if the text is too long, or if it has too many or too deeply nested
/// parentheses. Parentheses within a path count too.
fn within_limits(text: &str) -> Result<(), SpecError> {
    if text.len() > Spec::MAX_TEXT {
        return Err(SpecError::TooLong(text.len()));
    }
    let (mut count, mut depth, mut deepest) = (0usize, 0usize, 0usize);
    for c in text.bytes() {
        if c == b'(' {
            count += 1;
            depth += 1;
            deepest = deepest.max(depth);
        } else if c == b')' {
            depth = depth.saturating_sub(1);
        }
    }
    if deepest > Spec::MAX_DEPTH {
        Err(SpecError::Nested(format!("{deepest} deep")))
    } else if count > Spec::MAX_PARENTHESES {
        Err(SpecError::Nested(format!("{count} times")))
    } else {
        Ok(())
    }
}

/// Text of an operand, with its name and its arguments.
type Found<'a> = (&'a str, (&'a str, &'a str));

/// Parses the operands of a spec. Uses repetition instead of recursion, so that long texts cannot
/// overflow the stack.
fn operands(input: &str) -> IResult<&str, Vec<Found<'_>>> {
    all_consuming(separated_list1(char('+'), consumed(alt((file, operand))))).parse(input)
}

/// A path may contain any character, including `+`.
fn file(input: &str) -> IResult<&str, (&str, &str)> {
    separated_pair(tag_no_case("file"), char(':'), rest).parse(input)
}

fn operand(input: &str) -> IResult<&str, (&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let after_colon = preceded(char(':'), arguments);
    let in_parentheses = preceded(peek(char('(')), arguments);
    let arguments = opt(alt((after_colon, in_parentheses)));
    (name, arguments.map(Option::unwrap_or_default)).parse(input)
}

/// Parses everything up to a `+` outside of parentheses.
fn arguments(input: &str) -> IResult<&str, &str> {
    let mut depth = 0usize;
    let end = input.char_indices().find(|&(_, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == '+'
    });
    let (arguments, rest) = input.split_at(end.map_or(input.len(), |(place, _)| place));
    Ok((rest, arguments))
}

/// Returns the family names, as written, in a text that may be a spec. Empty if it cannot be
/// parsed.
pub(super) fn family_names(text: &str) -> impl Iterator<Item = &str> {
    let read = operands(text).map(|(_, found)| found).unwrap_or_default();
    read.into_iter().map(|(_, (name, _))| name)
}

/// Limits the number of warnings to 8, so that a union of thousands of faulty operands does not
/// print thousands of lines.
fn limit(warnings: &mut Vec<String>) {
    const MOST: usize = 8;
    if let Some(more) = warnings.len().checked_sub(MOST).filter(|&more| more > 0) {
        warnings.truncate(MOST);
        warnings.push(format!("further warnings omitted: {more}"));
    }
}

fn opens_file(operand: &str) -> bool {
    operand
        .get(.."file:".len())
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, operand) in self.operands.iter().enumerate() {
            if i > 0 {
                f.write_str("+")?;
            }
            f.write_str(&operand.family.spec(&operand.recipe.arguments))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({self})")
    }
}

impl PartialEq for Operand {
    fn eq(&self, other: &Operand) -> bool {
        (self.family.name, &self.recipe.arguments) == (other.family.name, &other.recipe.arguments)
    }
}

impl Eq for Operand {}
