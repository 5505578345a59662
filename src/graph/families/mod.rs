//! The graph families of board specs, one row each.
//!
//! A row names a family, says how its arguments look and what it is, and reads the arguments into a recipe: canonical
//! text, predicted size, and a function that builds the graph. A new family is a new row.
//!
//! Sizes are written `WxH`, vertices are numbered row by row from A1. A wrapped side of 1 or 2 gives loops or parallel
//! edges; they collapse without a warning, since the family is meant so: `torus:2x2` is a 4-cycle, `cycle:2` one edge,
//! `cycle:1` one vertex.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod basic;
mod chance;
mod edges;
mod file;
mod geometric;
mod graph6;
mod grids;
mod komi;
mod lattices;
pub(super) mod mango;
mod named;
mod operands;
mod operators;
mod penrose;
mod products;
mod random;
mod sizes;
#[cfg(test)]
mod small;
mod solids;
mod space;
mod surfaces;
pub mod synonyms;
mod tilings;

use std::sync::Arc;

use super::formats::Reading;
use super::part::{Part, Size};
use super::spec::SpecError;
use crate::text::quote;

/// A row of the table.
pub struct Family {
    /// The name in specs, lower case.
    pub name: &'static str,
    /// The form of the arguments, empty where there are none.
    pub arguments: &'static str,
    /// What the graph is.
    pub sentence: &'static str,
    /// What joins arguments, in a spec and where they come as separate words.
    pub(super) joint: &'static str,
    /// Whether it makes a graph of graphs, which stand in parentheses behind the name.
    pub(super) operator: bool,
    /// Reads the arguments; what it refuses is one line.
    pub(super) read: fn(&Family, &str) -> Result<Recipe, SpecError>,
}

/// What a family makes of its arguments.
#[derive(Clone)]
pub(super) struct Recipe {
    /// The arguments in canonical form.
    pub(super) arguments: String,
    /// Predicted size; zero where only building can tell.
    pub(super) size: Size,
    /// Called only while the sizes of all operands together are within the limits.
    pub(super) build: Builder,
}

/// Builds one operand; files that it names are read in this way.
type Builder = Arc<dyn Fn(&Reading) -> Result<Part, SpecError> + Send + Sync>;

/// Every family, in the order of `list_graphs`.
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

/// Graphs that are written out, and what is made of them.
const LITERAL: &[Family] = &[
    Family::row(
        "edges",
        "A-B,C,C@X/Y,...",
        "Edges between named vertices; a name alone is an isolated vertex, @X/Y its place, with y upward.",
        edges::read,
    )
    .joined_by(","),
    Family::row(
        "graph6",
        "TEXT",
        "A graph in the graph6 format.",
        graph6::read,
    )
    .joined_by(""),
    Family::row(
        "sparse6",
        "TEXT",
        "A graph in the sparse6 format.",
        graph6::read_sparse,
    )
    .joined_by(""),
    Family::row(
        "file",
        "PATH",
        "A graph, go-space or Mango set from a file in any format of docs/formats.md; the path runs to the end of the spec.",
        file::read,
    )
    .joined_by(" "),
    Family::row(
        "space",
        "(SPEC)[,edges][,pairs]",
        "The go-space of a graph: points are vertices and edges, placements vertices, edges with their ends, pairs of ends.",
        space::read,
    )
    .joined_by(","),
];

/// Every row.
fn table() -> impl Iterator<Item = &'static Family> {
    TABLES.iter().copied().flatten()
}

/// Name, arguments and sentence of every family.
pub fn list() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    table().map(|family| (family.name, family.arguments, family.sentence))
}

/// The form of the spec, the sentence and the other names of every family.
pub fn forms() -> impl Iterator<Item = (String, &'static str, Vec<&'static str>)> {
    table().map(|family| {
        let others = synonyms::of(family.name).collect();
        (family.spec(family.arguments), family.sentence, others)
    })
}

/// The names of all families, for messages.
pub(super) fn names() -> String {
    /// A line of names; `list_graphs` has all.
    const SHOWN: usize = 24;
    let names: Vec<&str> = list().map(|(name, ..)| name).take(SHOWN).collect();
    format!("{}, … (list_graphs names all)", names.join(", "))
}

/// The family of this name or of a synonym, in any case.
pub(super) fn find(name: &str) -> Option<&'static Family> {
    if let Some(family) = table().find(|family| family.name.eq_ignore_ascii_case(name)) {
        return Some(family);
    }
    // What is written out has one name only, by which a spec that opens a file is known.
    let is_literal = |name: &str| LITERAL.iter().any(|family| family.name == name);
    let known = |name: &str| {
        let name = synonyms::family(name);
        table().find(|family| family.name == name && !is_literal(name))
    };
    let plain = synonyms::plain(name);
    known(&plain).or_else(|| known(plain.strip_suffix("graph")?))
}

impl Family {
    /// A row whose arguments are joined by `x`.
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

    /// The same row with arguments joined otherwise.
    const fn joined_by(self, joint: &'static str) -> Family {
        Family { joint, ..self }
    }

    /// The same row as an operator.
    const fn operator(self) -> Family {
        Family {
            joint: ",",
            operator: true,
            ..self
        }
    }

    /// Name and arguments as a spec holds them.
    pub(super) fn spec(&self, arguments: &str) -> String {
        match (self.arguments.is_empty(), self.operator) {
            (true, _) => self.name.to_string(),
            (false, true) => format!("{}{arguments}", self.name),
            (false, false) => format!("{}:{arguments}", self.name),
        }
    }

    /// Reads the arguments of a family that has none.
    fn alone(&self, text: &str, part: fn() -> Part) -> Result<Recipe, SpecError> {
        if text.is_empty() {
            Ok(Recipe::sure(String::new(), part()))
        } else {
            Err(self.refuse(text, "without arguments"))
        }
    }

    /// The arguments `text` are not of this family's form; `also` says more than the form does.
    fn refuse(&self, text: &str, also: &str) -> SpecError {
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(" {also}")
        };
        let given = match (text.is_empty(), self.operator) {
            (true, _) => self.name.to_string(),
            (false, true) => format!("{}{text}", self.name),
            (false, false) => format!("{}:{text}", self.name),
        };
        SpecError::Arguments {
            text: quote(&given),
            expected: format!("{}{also}", self.spec(self.arguments)),
        }
    }
}

impl Recipe {
    /// A graph of this size that is made when it is needed.
    fn new(
        arguments: String,
        size: Size,
        build: impl Fn() -> Result<Part, SpecError> + Send + Sync + 'static,
    ) -> Recipe {
        Recipe {
            arguments,
            size,
            build: Arc::new(move |_| build()),
        }
    }

    /// A graph of this size that is made of others, whose files are read in the way that is asked for.
    fn of_others(
        arguments: String,
        size: Size,
        build: impl Fn(&Reading) -> Result<Part, SpecError> + Send + Sync + 'static,
    ) -> Recipe {
        Recipe {
            arguments,
            size,
            build: Arc::new(build),
        }
    }

    /// A graph that reading the arguments has already given, which is no larger than a constant times the text.
    fn sure(arguments: String, part: Part) -> Recipe {
        let size = Size {
            vertices: part.vertices as u64,
            edges: part.edges.len() as u64,
        };
        let part = Arc::new(part);
        Recipe {
            arguments,
            size,
            build: Arc::new(move |_| Ok(Part::clone(&part))),
        }
    }
}

#[cfg(test)]
mod tests;
