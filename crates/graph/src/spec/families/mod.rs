//! The graph families of board specs, one table row each.
//!
//! A row names a family and describes the graph and the form of its arguments. It parses the
//! arguments into a recipe: canonical text, predicted size, and a function that builds the graph. A
//! new family is a new row.
//!
//! Sizes are written `WxH`; vertices are numbered row by row from A1. A wrapped side of 1 or 2
//! gives loops or parallel edges. They are dropped without a warning, because these families are
//! defined that way. For example, `torus:2x2` is a 4-cycle, `cycle:2` is one edge, and `cycle:1` is
//! one vertex.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod arguments;
mod basic;
mod edges;
mod file;
pub mod gallery;
mod geometric;
mod graph6;
mod grids;
mod komi;
mod lattices;
mod named;
mod operands;
mod operation;
mod operators;
mod penrose;
mod products;
mod random;
mod readings;
mod rng;
mod sizes;
mod solids;
mod space;
mod surfaces;
pub mod synonyms;
#[cfg(test)]
mod test_boards;
mod tilings;

use std::sync::Arc;

use super::SpecError;
use crate::formats::{Format, Reading};
use crate::model::board_parts::{BoardParts, Size};
use omnigo_base::text::{did_you_mean, quote};
use omnigo_base::vertex::Vertex;

/// Table row of a graph family.
pub struct Family {
    /// Name in specs, in lower case.
    pub name: &'static str,
    /// Form of the arguments; empty if the family has none.
    pub arguments: &'static str,
    /// Description of the graph.
    pub sentence: &'static str,
    /// Separator that joins arguments, both in a spec and when they come as separate words.
    pub(super) joint: &'static str,
    /// True if the family makes a graph from other graphs, which follow its name in parentheses.
    pub(super) operator: bool,
    /// Parses the arguments. Error messages have one line.
    pub(super) read: fn(&Family, &str) -> Result<Recipe, SpecError>,
}

/// Parsed arguments of a family.
#[derive(Clone)]
pub(super) struct Recipe {
    /// The arguments in canonical form.
    pub(super) arguments: String,
    /// Predicted size; zero if only building determines it.
    pub(super) size: Size,
    /// Builds the graph. Called only if the total size of all operands is within the limits.
    pub(super) build: Builder,
}

/// Builds one operand. The argument says how to read files that it names.
type Builder = Arc<dyn Fn(&Reading) -> Result<BoardParts, SpecError> + Send + Sync>;

/// All families, in the order of `list_graphs`.
const TABLES: &[&[Family]] = &[
    grids::FAMILIES,
    basic::FAMILIES,
    named::FAMILIES,
    solids::FAMILIES,
    lattices::FAMILIES,
    tilings::FAMILIES,
    surfaces::FAMILIES,
    penrose::FAMILIES,
    geometric::FAMILIES,
    random::FAMILIES,
    LITERAL,
    komi::FAMILIES,
    operators::FAMILIES,
];

/// Graphs given explicitly, as text or as a file, and their go-spaces.
const LITERAL: &[Family] = &[
    Family::row(
        "edges",
        "A-B,C,C@X/Y,...",
        "Edges between named vertices. A name alone is an isolated vertex. @X/Y sets its coordinates, with y upward.",
        edges::read,
    )
    .joined_by(","),
    Family::row(
        "graph6",
        "TEXT",
        "Graph in the graph6 format.",
        graph6::read,
    )
    .joined_by(""),
    Family::row(
        "sparse6",
        "TEXT",
        "Graph in the sparse6 format.",
        graph6::read_sparse,
    )
    .joined_by(""),
    Family::row(
        "file",
        "PATH",
        "Graph, go-space, or Mango set from a file in any format of docs/formats.md. The path extends to the end of the spec.",
        file::read,
    )
    .joined_by(" "),
    Family::row(
        "space",
        "(SPEC)[,edges][,pairs]",
        "Go-space of a graph: points are its vertices and edges, placements are its vertices. `edges` adds edges with their ends, `pairs` adds pairs of ends.",
        space::read,
    )
    .joined_by(","),
];

/// Returns every row.
fn table() -> impl Iterator<Item = &'static Family> {
    TABLES.iter().copied().flatten()
}

/// Returns the name, arguments, and description of every family.
pub fn list() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    table().map(|family| (family.name, family.arguments, family.sentence))
}

/// Returns the form of the spec, the description, and the synonyms of every family.
pub fn forms() -> impl Iterator<Item = (String, &'static str, Vec<&'static str>)> {
    table().map(|family| {
        let others = synonyms::of(family.name).collect();
        (family.spec(family.arguments), family.sentence, others)
    })
}

/// Returns the names of the families for messages.
pub(super) fn names() -> String {
    /// Number of names shown, about one line; `list_graphs` shows all.
    const SHOWN: usize = 24;
    let names: Vec<&str> = list().map(|(name, ..)| name).take(SHOWN).collect();
    format!("{}, … (list_graphs names all)", names.join(", "))
}

/// Returns the end of a message about an unknown family: the grid of this size, or the most similar
/// name or synonym, if any.
pub(super) fn suggestion(name: &str) -> String {
    /// Maximum number of digits of a side that people mean as one.
    const DIGITS: usize = 3;
    let is_side = |side: &str| {
        let is_number = side.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (1..=DIGITS).contains(&side.len()) && !side.starts_with('0')
    };
    let mut sides = name.split(['x', 'X']);
    if sides.clone().count() <= 2 && sides.all(is_side) {
        return format!("; did you mean 'grid:{name}'?");
    }
    let synonyms = table().flat_map(|family| synonyms::of(family.name));
    did_you_mean(name, list().map(|(name, ..)| name).chain(synonyms))
}

/// Returns the end of a message about a text that is no spec. It proposes the file if the text is a
/// path with a known extension, or the commands that read it if it is a game.
pub(super) fn suggestion_of_file(text: &str) -> String {
    if text.to_ascii_lowercase().ends_with(".sgf") {
        return "; load_game, omnigo record, omnigo review, and the page of omnigo play read games"
            .to_string();
    }
    let is_path = !text.contains([':', '+', '(']) && Format::of_path(text).is_some();
    match is_path {
        true => format!("; did you mean 'file:{text}'?"),
        false => String::new(),
    }
}

/// Returns the family with this name or synonym, in any case, or `None`.
pub(super) fn find(name: &str) -> Option<&'static Family> {
    if let Some(family) = table().find(|family| family.name.eq_ignore_ascii_case(name)) {
        return Some(family);
    }
    // Families of explicit graphs have no synonyms, because a spec that opens a file is recognized
    // by the name.
    let is_literal = |name: &str| LITERAL.iter().any(|family| family.name == name);
    let known = |name: &str| {
        let name = synonyms::family(name);
        table().find(|family| family.name == name && !is_literal(name))
    };
    let plain = synonyms::plain(name);
    known(&plain).or_else(|| known(plain.strip_suffix("graph")?))
}

impl Family {
    /// Returns a row whose arguments are joined by `x`.
    const fn row(
        name: &'static str,
        arguments: &'static str,
        sentence: &'static str,
        read: fn(&Family, &str) -> Result<Recipe, SpecError>,
    ) -> Family {
        Family {
            name,
            arguments,
            sentence,
            joint: "x",
            operator: false,
            read,
        }
    }

    /// Returns this row with another separator.
    const fn joined_by(self, joint: &'static str) -> Family {
        Family { joint, ..self }
    }

    /// Returns this row as an operator.
    const fn operator(self) -> Family {
        Family {
            joint: ",",
            operator: true,
            ..self
        }
    }

    /// Returns name and arguments as written in a spec.
    pub(super) fn spec(&self, arguments: &str) -> String {
        match (self.arguments.is_empty(), self.operator) {
            (true, _) => self.name.to_string(),
            (false, true) => format!("{}{arguments}", self.name),
            (false, false) => format!("{}:{arguments}", self.name),
        }
    }

    /// Parses the (empty) arguments of a family without arguments.
    fn alone(&self, text: &str, part: fn() -> BoardParts) -> Result<Recipe, SpecError> {
        if text.is_empty() {
            Ok(Recipe::sure(String::new(), part()))
        } else {
            Err(self.refuse(text, "without arguments"))
        }
    }

    /// Returns an error if the arguments `text` ask for more vertices than a board may have. Call
    /// this before computations that could overflow.
    fn limit(&self, text: &str, vertices: u64) -> Result<(), SpecError> {
        if vertices > Vertex::LIMIT as u64 {
            let whole = quote(&format!("{}:{text}", self.name));
            return Err(SpecError::TooManyVertices(whole));
        }
        Ok(())
    }

    /// Returns the error for arguments `text` of the wrong form. `also` adds conditions to the
    /// form.
    fn refuse(&self, text: &str, also: &str) -> SpecError {
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(" {also}")
        };
        SpecError::Arguments {
            text: quote(&self.given(text)),
            expected: format!("{}{also}", self.spec(self.arguments)),
        }
    }

    /// Returns the family's name with the arguments `text`, which may have the wrong form.
    pub(super) fn given(&self, text: &str) -> String {
        match (text.is_empty(), self.operator) {
            (true, _) => self.name.to_string(),
            (false, true) => format!("{}{text}", self.name),
            (false, false) => format!("{}:{text}", self.name),
        }
    }
}

impl Recipe {
    /// Returns a recipe for a graph of this size, built on demand.
    fn new(
        arguments: String,
        size: Size,
        build: impl Fn() -> Result<BoardParts, SpecError> + Send + Sync + 'static,
    ) -> Recipe {
        Recipe {
            arguments,
            size,
            build: Arc::new(move |_| build()),
        }
    }

    /// Returns a recipe for a graph of this size made from other graphs. `build` receives the
    /// options for reading files.
    fn of_others(
        arguments: String,
        size: Size,
        build: impl Fn(&Reading) -> Result<BoardParts, SpecError> + Send + Sync + 'static,
    ) -> Recipe {
        Recipe {
            arguments,
            size,
            build: Arc::new(build),
        }
    }

    /// Returns a recipe for a graph that parsing has already built. Its size is at most a constant
    /// times the length of the text.
    fn sure(arguments: String, part: BoardParts) -> Recipe {
        let size = Size {
            vertices: part.vertices as u64,
            edges: part.edges.len() as u64,
        };
        let part = Arc::new(part);
        Recipe {
            arguments,
            size,
            build: Arc::new(move |_| Ok(BoardParts::clone(&part))),
        }
    }
}

#[cfg(test)]
mod tests;
