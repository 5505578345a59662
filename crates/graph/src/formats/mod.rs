//! Graphs in files: the formats that are read and written, and their recognition.
//!
//! Each row of [`FORMATS`] is a format: its name, its file extensions, and a function for each
//! direction. A file is recognized by its first words if the format has typical ones, else by its
//! extension. Otherwise the format is guessed; the default is an edge list.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod adjlist;
mod announced;
mod arcs;
mod columns;
mod dimacs;
mod dl;
mod dot;
mod edgelist;
mod encoding;
mod gml;
pub(super) mod graph6;
mod graphml;
pub mod gzip;
mod input;
mod json;
mod labels;
mod lgl;
mod matrix;
mod mesh;
mod metis;
mod mtx;
mod notes;
mod obj;
mod off;
mod pajek;
pub(super) mod parse_error;
mod ply;
mod raw_graph;
mod recognize;
mod rows;
mod separator;
mod sif;
mod stl;
#[cfg(test)]
mod tests;
mod tgf;
mod view;
mod words;

use std::borrow::Cow;
use std::fmt;

use super::Graph;
use crate::model::board_parts::BoardParts;
use crate::model::goban::{Goban, Surface};
use input::{Input, arcs_refused};
use parse_error::ParseError;
use view::View;

/// Problem of a file that holds a game.
const GAME: &str = "it holds a game, expected a board; load_game, omnigo record, omnigo review, and the page of omnigo play read games";

/// Maximum size of a file that is read or written, in bytes.
pub(super) const MOST: u64 = 256 << 20;

/// Returns a graph as graph6 text.
///
/// ```
/// use omnigo_graph::connected::connected_graphs;
/// use omnigo_graph::formats::graph6;
/// assert_eq!(graph6(&connected_graphs(3)[1]), "Bw");
/// ```
pub fn graph6(graph: &Graph) -> String {
    graph6::encode(graph)
}

/// Options for reading files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Format of the file, or `None` to recognize it.
    pub from: Option<&'static Format>,
    /// True to read arcs of directed graphs as edges.
    pub symmetrize: bool,
    /// Number of the graph to read if a file has several, from 1. `None` reads the first, with a
    /// warning. A format of one graph per file refuses other numbers than 1.
    pub number: Option<usize>,
    /// Maximum numbers of vertices and edges of every board that is built, operands included.
    /// `None` leaves the limits of all boards.
    pub limits: Option<[u64; 2]>,
}

/// Writes a board as text, or says why the format cannot hold it.
type Write = fn(&Goban) -> Result<String, String>;

/// File format, a row of [`FORMATS`].
pub struct Format {
    /// Name in options, in lower case.
    pub name: &'static str,
    /// File extensions, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// Description in one sentence.
    pub sentence: &'static str,
    read: fn(&Input<'_>) -> Result<BoardParts, String>,
    /// `None` if the format is only read.
    write: Option<Write>,
    /// True if the format holds weights of vertices and thresholds.
    holds_mango: bool,
}

/// All formats, in the order in which they are listed.
pub const FORMATS: &[Format] = &[
    Format {
        name: "graph6",
        endings: &["g6", "graph6", "d6", "digraph6"],
        sentence: "Adjacency matrix as bits in printable characters, the format of nauty.",
        read: |input| input.draft(graph6::read),
        write: Some(graph6::write),
        holds_mango: false,
    },
    Format {
        name: "sparse6",
        endings: &["s6", "sparse6"],
        sentence: "Edge list in printable characters, the format of nauty.",
        read: |input| input.draft(graph6::read),
        write: Some(graph6::write_sparse),
        holds_mango: false,
    },
    Format {
        name: "edgelist",
        endings: &["edgelist", "edges", "el", "ncol", "txt", "csv", "tsv"],
        sentence: "Two names and an optional weight per line. A name alone is an isolated vertex.",
        read: |input| input.draft(edgelist::read),
        write: Some(edgelist::write),
        holds_mango: false,
    },
    Format {
        name: "adjlist",
        endings: &["adjlist", "adj"],
        sentence: "One vertex and its neighbors per line.",
        read: |input| input.draft(adjlist::read),
        write: Some(adjlist::write),
        holds_mango: false,
    },
    Format {
        name: "dimacs",
        endings: &["dimacs", "col", "clq", "gr"],
        sentence: "Format of the DIMACS challenges: p edge N M, then one e U V per line.",
        read: |input| input.draft(dimacs::read),
        write: Some(dimacs::write),
        holds_mango: false,
    },
    Format {
        name: "graphml",
        endings: &["graphml", "xml"],
        sentence: "XML with coordinates, stones, and weights.",
        read: |input| input.draft(graphml::read),
        write: Some(graphml::write),
        holds_mango: true,
    },
    Format {
        name: "gexf",
        endings: &["gexf"],
        sentence: "XML of Gephi with coordinates, stones, and weights. Cannot be written.",
        read: |input| input.draft(graphml::read_gexf),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "gml",
        endings: &["gml"],
        sentence: "Keys and values in brackets, with coordinates, stones, and weights.",
        read: |input| input.draft(gml::read),
        write: Some(gml::write),
        holds_mango: true,
    },
    Format {
        name: "dot",
        endings: &["dot", "gv"],
        sentence: "Language of Graphviz, with coordinates, stones, and weights.",
        read: |input| input.draft(dot::read),
        write: Some(dot::write),
        holds_mango: true,
    },
    Format {
        name: "json",
        endings: &["json"],
        sentence: "Nodes and links in the form of networkx, with coordinates, stones, and weights. Go-spaces and Mango sets have their own forms.",
        read: json::read,
        write: Some(json::write),
        holds_mango: true,
    },
    Format {
        name: "metis",
        endings: &["metis", "graph"],
        sentence: "Numbers of vertices and edges, then one line of neighbors for each vertex.",
        read: |input| input.draft(metis::read),
        write: Some(metis::write),
        holds_mango: false,
    },
    Format {
        name: "mtx",
        endings: &["mtx"],
        sentence: "Adjacency matrix in the Matrix Market format.",
        read: |input| input.draft(mtx::read),
        write: Some(mtx::write),
        holds_mango: false,
    },
    Format {
        name: "pajek",
        endings: &["net", "paj"],
        sentence: "Format of Pajek, with names, coordinates, and weights. Cannot be written.",
        read: |input| input.draft(pajek::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "tgf",
        endings: &["tgf"],
        sentence: "Vertices and their names, one per line, then #, then edges. Cannot be written.",
        read: |input| input.draft(tgf::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "off",
        endings: &["off"],
        sentence: "Corners of a polyhedron with coordinates, then its faces.",
        read: |input| input.draft(off::read),
        write: Some(off::write),
        holds_mango: false,
    },
    Format {
        name: "obj",
        endings: &["obj"],
        sentence: "Wavefront OBJ: vertices with coordinates, faces, and polylines. Cannot be written.",
        read: |input| input.draft(obj::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "ply",
        endings: &["ply"],
        sentence: "Vertices with coordinates, faces, and edges, as text or binary. Cannot be written.",
        read: |input| input.draft(ply::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "stl",
        endings: &["stl"],
        sentence: "Triangles with coordinates, as text or binary. Cannot be written.",
        read: |input| match input.binary {
            Some(bytes) => stl::read_binary(bytes)?.part(input.source),
            None => input.draft(stl::read),
        },
        write: None,
        holds_mango: false,
    },
    Format {
        name: "sif",
        endings: &["sif"],
        sentence: "Simple format of Cytoscape: a name, a relation, and names. Cannot be written.",
        read: |input| input.draft(sif::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "lgl",
        endings: &["lgl"],
        sentence: "One line # and a name for each vertex, then its neighbors. Cannot be written.",
        read: |input| input.draft(lgl::read),
        write: None,
        holds_mango: false,
    },
    Format {
        name: "dl",
        endings: &["dl"],
        sentence: "Matrices and lists of UCINET, with names and weights. Cannot be written.",
        read: |input| input.draft(dl::read),
        write: None,
        holds_mango: false,
    },
];

impl Format {
    /// Returns the format of this name, in any case, or `None`.
    pub fn find(name: &str) -> Option<&'static Format> {
        FORMATS
            .iter()
            .find(|format| format.name.eq_ignore_ascii_case(name))
    }

    /// Returns the format of files with the extension of this path, or `None`.
    pub fn of_path(path: &str) -> Option<&'static Format> {
        let (_, ending) = path.rsplit_once('.')?;
        let has = |format: &&Format| {
            format
                .endings
                .iter()
                .any(|own| own.eq_ignore_ascii_case(ending))
        };
        FORMATS.iter().find(has)
    }

    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|format| format.name)
    }

    /// Returns true if boards can be written in this format.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }

    /// Reads a file, or one of its graphs.
    fn part(&self, input: &Input<'_>) -> Result<BoardParts, String> {
        const OF_SEVERAL: [&str; 7] = [
            "graph6", "sparse6", "graphml", "gexf", "gml", "dot", "pajek",
        ];
        let number = input.reading.number;
        if number.is_some_and(|number| number != 1) && !OF_SEVERAL.contains(&self.name) {
            return Err(format!(
                "{} holds one graph per file, expected number 1, or {}",
                self.name,
                OF_SEVERAL.join(", ")
            ));
        }
        (self.read)(input)
    }

    /// Returns the text of a board in this format, and one line for each kind of content that it
    /// cannot hold.
    ///
    /// # Errors
    /// If the format cannot hold such a board, or is only read.
    pub fn write(&self, goban: &Goban) -> Result<(String, Vec<String>), String> {
        match &goban.surface {
            Surface::Space { .. } if self.name != "json" => {
                return Err(format!(
                    "{} cannot store go-spaces, expected json",
                    self.name
                ));
            }
            Surface::Mango(mango) if !self.holds_mango && !mango.is_plain() => {
                return Err(format!(
                    "{} cannot store weights and thresholds of Mango, expected graphml, gml, dot or json",
                    self.name
                ));
            }
            Surface::Graph | Surface::Mango(_) | Surface::Space { .. } => {}
        }
        let write = self.write.ok_or_else(|| {
            let written = FORMATS.iter().filter(|format| format.is_written());
            let names: Vec<&str> = written.map(|format| format.name).collect();
            format!(
                "{} cannot be written, expected {}",
                self.name,
                names.join(", ")
            )
        })?;
        let text = write(goban)?;
        let mut left_out = Vec::new();
        if !self.holds_mango && goban.start.iter().any(Option::is_some) {
            left_out.push(format!(
                "{} cannot store starting stones, they are omitted",
                self.name
            ));
        }
        Ok((text, left_out))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

/// Returns the message of a library on one line.
fn one_line(message: &str) -> String {
    omnigo_base::text::quote(message)
}

/// Reads a file of any format. The extension of `path` may identify the format; warnings name
/// `source`.
pub(super) fn read(
    bytes: &[u8],
    path: &str,
    source: &str,
    reading: &Reading,
) -> Result<BoardParts, String> {
    let mut part = unpack_and_read(bytes, path, source, reading)?;
    if part.vertices == 0 {
        part.warnings.push(format!("{source} has no vertices"));
    }
    Ok(part)
}

fn unpack_and_read(
    bytes: &[u8],
    path: &str,
    source: &str,
    reading: &Reading,
) -> Result<BoardParts, String> {
    let unpacked = gzip::unpack(bytes, MOST).map_err(|error| error.to_string())?;
    let bytes = unpacked.as_deref().unwrap_or(bytes);
    // The extension before `.gz` identifies the format.
    let path = match unpacked {
        Some(_) => path.strip_suffix(".gz").unwrap_or(path),
        None => path,
    };
    gzip::refuse_others(bytes, unpacked.is_some())?;
    if let Some((format, text, body)) = recognize::binary(bytes, path, reading.from) {
        return format.part(&Input {
            text: &text,
            binary: Some(body),
            source,
            is_guessed: false,
            reading,
        });
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let decoded = encoding::decode(bytes, path, reading);
    let bytes = decoded.as_ref().map_or(bytes, String::as_bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let sound = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let sound = std::str::from_utf8(sound).unwrap_or_default();
        ParseError::at(sound, sound.len(), "not valid UTF-8, expected text").to_string()
    })?;
    let text = with_line_feeds(text);
    let text = text.as_ref();
    let format = match reading.from {
        Some(format) => format,
        None => recognize::format(text, path)?,
    };
    format.part(&Input {
        text,
        binary: None,
        source,
        is_guessed: reading.from.is_none() && Format::of_path(path) != Some(format),
        reading,
    })
}

/// Returns a text whose lines end in LF or CR LF. Old programs end all lines in CR alone.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains('\r') && !text.contains('\n') {
        true => text.replace('\r', "\n").into(),
        false => text.into(),
    }
}
