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
mod edges;
mod file;
mod graph6;
mod grids;
mod komi;
mod mango;
mod sizes;
mod space;

use std::sync::Arc;

use super::part::{Part, Size};
use super::spec::SpecError;
use crate::text::quote;
use sizes::{sides, sizes};

/// A row of the table.
pub struct Family {
    /// The name in specs, lower case.
    pub name: &'static str,
    /// The form of the arguments, empty where there are none.
    pub arguments: &'static str,
    /// What the graph is.
    pub sentence: &'static str,
    /// What joins arguments that come as separate words.
    pub(super) joint: &'static str,
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

/// Builds one operand.
type Builder = Arc<dyn Fn() -> Result<Part, SpecError> + Send + Sync>;

/// Every family, in the order of `list_graphs`.
const FAMILIES: &[Family] = &[
    Family {
        name: "grid",
        arguments: "WxH",
        sentence: "The rectangular board of width W and height H; N alone is NxN.",
        joint: "x",
        read: |family, text| sides(family, text, grids::size, grids::grid),
    },
    Family {
        name: "torus",
        arguments: "WxH",
        sentence: "A grid whose width and height both wrap around.",
        joint: "x",
        read: |family, text| sides(family, text, grids::size, grids::torus),
    },
    Family {
        name: "cylinder",
        arguments: "WxH",
        sentence: "A grid whose width wraps around.",
        joint: "x",
        read: |family, text| sides(family, text, grids::size, grids::cylinder),
    },
    Family {
        name: "king",
        arguments: "WxH",
        sentence: "A grid whose diagonal neighbours are adjacent too.",
        joint: "x",
        read: |family, text| sides(family, text, grids::king_size, grids::king),
    },
    Family {
        name: "path",
        arguments: "N",
        sentence: "N vertices in a row.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::path_size, basic::path),
    },
    Family {
        name: "cycle",
        arguments: "N",
        sentence: "N vertices in a ring.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::cycle_size, basic::cycle),
    },
    Family {
        name: "complete",
        arguments: "N",
        sentence: "N vertices, all adjacent to each other.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::complete_size, basic::complete),
    },
    Family {
        name: "bipartite",
        arguments: "AxB",
        sentence: "A vertices, then B vertices, each adjacent to all of the other side.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::bipartite_size, basic::bipartite),
    },
    Family {
        name: "star",
        arguments: "N",
        sentence: "A hub, vertex 0, and N leaves.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::star_size, basic::star),
    },
    Family {
        name: "wheel",
        arguments: "N",
        sentence: "A hub, vertex 0, joined to a ring of N vertices.",
        joint: "x",
        read: |family, text| sizes(family, text, 1, basic::wheel_size, basic::wheel),
    },
    Family {
        name: "hypercube",
        arguments: "D",
        sentence: "The corners of the cube of D dimensions; neighbours differ in one bit of the index.",
        joint: "x",
        read: |family, text| sizes(family, text, 0, basic::hypercube_size, basic::hypercube),
    },
    Family {
        name: "grid3d",
        arguments: "AxBxC",
        sentence: "The cubic lattice, first side fastest; N alone is NxNxN.",
        joint: "x",
        read: |family, text| sides(family, text, grids::grid3d_size, grids::grid3d),
    },
    Family {
        name: "petersen",
        arguments: "",
        sentence: "The Petersen graph, outer ring first: 10 vertices, 15 edges.",
        joint: "x",
        read: |family, text| {
            if text.is_empty() {
                Ok(Recipe::sure(String::new(), basic::petersen()))
            } else {
                Err(family.refuse(text, "without arguments"))
            }
        },
    },
    Family {
        name: "edges",
        arguments: "A-B,C,...",
        sentence: "Edges between named vertices; a name alone is an isolated vertex.",
        joint: ",",
        read: edges::read,
    },
    Family {
        name: "graph6",
        arguments: "TEXT",
        sentence: "A graph in the graph6 format.",
        joint: "",
        read: graph6::read,
    },
    Family {
        name: "file",
        arguments: "PATH",
        sentence: "A file with an edge list, two names a line, or with a go-space or Mango set in JSON; the path runs to the end of the spec.",
        joint: " ",
        read: file::read,
    },
    Family {
        name: "space",
        arguments: "(SPEC)[,edges][,pairs]",
        sentence: "The go-space of a graph: points are vertices and edges, placements vertices, edges with their ends, pairs of ends.",
        joint: ",",
        read: space::read,
    },
    Family {
        name: "komipath",
        arguments: "N",
        sentence: "The komi gadget: N vertices in a row, both ends empty, white stones between.",
        joint: "x",
        read: |family, text| sizes(family, text, 2, basic::path_size, komi::komipath),
    },
];

/// Name, arguments and sentence of every family.
pub fn list() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FAMILIES
        .iter()
        .map(|family| (family.name, family.arguments, family.sentence))
}

/// The names of all families, for messages.
pub(super) fn names() -> String {
    let names: Vec<&str> = list().map(|(name, ..)| name).collect();
    names.join(", ")
}

/// The family of this name, in any case.
pub(super) fn find(name: &str) -> Option<&'static Family> {
    FAMILIES
        .iter()
        .find(|family| family.name.eq_ignore_ascii_case(name))
}

impl Family {
    /// The arguments `text` are not of this family's form; `also` says more than the form does.
    fn refuse(&self, text: &str, also: &str) -> SpecError {
        let form = if self.arguments.is_empty() {
            String::new()
        } else {
            format!(":{}", self.arguments)
        };
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(" {also}")
        };
        let given = if text.is_empty() {
            self.name.to_string()
        } else {
            format!("{}:{text}", self.name)
        };
        SpecError::Arguments {
            text: quote(&given),
            expected: format!("{}{form}{also}", self.name),
        }
    }
}

impl Recipe {
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
            build: Arc::new(move || Ok(Part::clone(&part))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (i, family) in FAMILIES.iter().enumerate() {
            assert_eq!(family.name, family.name.to_ascii_lowercase());
            assert!(family.sentence.ends_with('.'), "{}", family.name);
            assert!(
                FAMILIES
                    .iter()
                    .skip(i + 1)
                    .all(|other| other.name != family.name),
                "{}",
                family.name
            );
        }
        assert_eq!(list().count(), FAMILIES.len());
    }
}
