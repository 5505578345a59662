//! Pajek networks: `*Vertices N`, lines `NUMBER "NAME" X Y Z`, then edges under `*Edges`,
//! `*Edgeslist`, `*Arcs`, `*Arcslist`, or `*Matrix`. y points down; `%` starts a comment. A file
//! may hold several networks, and other data such as partitions.

use super::Input;
use super::arcs::Arcs;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{
    end, excess, finite, number, plain_words, vertex, weight, weight_or_nan, words,
};

const VERTICES: &str = "*Vertices, then their number";

/// Content of the current lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Vertices,
    Pairs { arcs: bool },
    Lists { arcs: bool },
    Matrix,
}

impl Section {
    /// Returns the section of edges with this heading.
    fn of(head: &str) -> Option<Section> {
        Some(match head.to_ascii_lowercase().as_str() {
            "*edges" => Section::Pairs { arcs: false },
            "*arcs" => Section::Pairs { arcs: true },
            "*edgeslist" => Section::Lists { arcs: false },
            "*arcslist" => Section::Lists { arcs: true },
            "*matrix" => Section::Matrix,
            _ => return None,
        })
    }
}

/// Networks and other content of a file.
struct Outline<'a> {
    /// The wanted network, from its line `*Vertices`, or the whole text if there is none.
    network: &'a str,
    /// Number of networks.
    networks: usize,
    /// First heading of content that is not a network.
    other: Option<&'a str>,
}

impl<'a> Outline<'a> {
    fn of(text: &'a str, wanted: usize) -> Outline<'a> {
        let (mut start, mut stop) = (None, text.len());
        let mut networks = 0;
        let mut other: Option<&str> = None;
        // Partitions and vectors have a line `*Vertices`, too.
        let mut in_other = false;
        for line in text.lines() {
            let Some(head) = plain_words(line)
                .next()
                .filter(|word| word.starts_with('*'))
            else {
                continue;
            };
            let is = |name: &str| head.eq_ignore_ascii_case(name);
            let begins = is("*vertices") && !in_other;
            if Section::of(head).is_some() || is("*vertices") && in_other {
                continue;
            }
            in_other = !begins && !is("*network");
            if in_other {
                other = other.or(Some(head));
            }
            let place = (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            if start.is_some() {
                stop = stop.min(place);
            }
            if begins {
                networks += 1;
                if networks == wanted {
                    start = Some(place);
                }
            }
        }
        let network = start.and_then(|start| text.get(start..stop));
        Outline {
            network: network.unwrap_or(text),
            networks,
            other,
        }
    }
}

impl Outline<'_> {
    /// Returns warnings about the content that is not read.
    fn warnings(&self, input: &Input<'_>) -> Vec<String> {
        let networks = Some(self.networks).filter(|&networks| networks > 1);
        let several = networks.and_then(|networks| input.several(networks));
        // Partitions and vectors do not concern a board.
        let other = self.other.map(|head| {
            let (source, head) = (input.source, omnigo_base::text::quote(head));
            format!("'{head}' of {source} is ignored, because it is not a network")
        });
        several.into_iter().chain(other).collect()
    }
}

/// Reads the line `*Vertices N`.
fn begin(text: &str, line: &str) -> Result<RawGraph, ParseError> {
    let mut words = plain_words(line).skip(1);
    let word = words.next().unwrap_or(end(line));
    let vertices: usize = number(text, word, VERTICES)?;
    if words.next().is_some() {
        let expected = "a network with one kind of vertices";
        return Err(ParseError::found(text, line.trim(), expected));
    }
    let mut draft = RawGraph::numbered(vertices).map_err(|e| excess(text, word, e))?;
    draft.name_all();
    Ok(draft)
}

/// Reads a row of the matrix. Its cells are added to `arcs`.
fn matrix_row(
    text: &str,
    line: &str,
    row: u16,
    draft: &mut RawGraph,
    arcs: &mut Arcs,
) -> Result<(), ParseError> {
    draft.allow_both_ends();
    let n = draft.vertices();
    let mut cells = plain_words(line);
    for column in 0..n {
        let word = cells.next().unwrap_or(end(line));
        let value = weight(word).ok_or_else(|| {
            ParseError::found(text, word, &format!("{n} numbers, one for each vertex"))
        })?;
        let (a, b) = (row, column as u16);
        if value != 0.0 {
            arcs.add(a, b);
            let added = draft.edge(a, b, Some(value));
            added.map_err(|e| excess(text, word, e))?;
        }
    }
    Ok(())
}

/// Returns true if a line is the first one of a Pajek file, apart from comments.
pub(super) fn begins(line: &str) -> bool {
    let mut words = plain_words(line);
    let word = words.next().unwrap_or_default();
    match words.next() {
        Some(count) if word.eq_ignore_ascii_case("*vertices") => count.parse::<u64>().is_ok(),
        _ => word.eq_ignore_ascii_case("*network"),
    }
}

/// Returns the value of a line. `None` for a word that begins a parameter such as `c Blue`, or a
/// time interval. NaN for other words.
fn line_value(word: &str) -> Option<f64> {
    let begins = |c: char| c.is_alphabetic() || c == '[';
    weight(word).or_else(|| weight_or_nan(word).filter(|_| !word.starts_with(begins)))
}

/// Names without a closing quote: their number, and the first of them.
#[derive(Default)]
struct Unclosed {
    count: usize,
    first: String,
}

impl Unclosed {
    fn add(&mut self, name: &str) {
        if self.count == 0 {
            self.first = name.to_string();
        }
        self.count += 1;
    }

    fn warning(&self, source: &str) -> Option<String> {
        let first = omnigo_base::text::quote(&self.first);
        let count = self.count;
        let told = || {
            format!("names without a closing quote in {source}: {count}, the first is '{first}'")
        };
        (count > 0).then(told)
    }
}

/// Names a vertex by its line, and returns its coordinates there, if any.
/// Counts it in `unclosed` if its name lacks a closing quote.
fn name_and_place(
    line: &str,
    at: u16,
    draft: &mut RawGraph,
    unclosed: &mut Unclosed,
) -> Option<[f64; 3]> {
    let mut words = words(line).skip(1);
    if let Some(name) = words.next() {
        // A quote without its counterpart does not belong to the name.
        let open = name.strip_prefix('"').filter(|rest| !rest.contains('"'));
        if let Some(rest) = open {
            unclosed.add(rest);
        }
        draft.rename(at, open.unwrap_or(name).to_string());
    }
    let axes: Vec<f64> = words.map_while(finite).take(3).collect();
    let &[x, y, ref rest @ ..] = axes.as_slice() else {
        return None;
    };
    Some([x, -y, rest.first().copied().unwrap_or_default()])
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let outline = Outline::of(text, input.wanted());
    if (1..input.wanted()).contains(&outline.networks) {
        return Err(input.missing(outline.networks));
    }
    let mut draft: Option<RawGraph> = None;
    let mut listed = Vec::new();
    let mut section = Section::Vertices;
    let mut row = 0usize;
    let mut arcs = Arcs::default();
    let mut matrix = text;
    let mut flat: Option<f64> = None;
    let mut unclosed = Unclosed::default();
    let mut solid: Vec<(u16, [f64; 3])> = Vec::new();
    for line in outline.network.lines() {
        let mut plain = plain_words(line);
        let Some(head) = plain.next().filter(|word| !word.starts_with('%')) else {
            continue;
        };
        if head.starts_with('*') {
            let is = |name: &str| head.eq_ignore_ascii_case(name);
            if is("*network") && draft.is_none() {
                continue;
            } else if is("*vertices") && draft.is_none() {
                let begun = begin(text, line)?;
                listed = vec![false; begun.vertices()];
                draft = Some(begun);
                section = Section::Vertices;
            } else if let Some(next) = Section::of(head) {
                section = next;
                if section == Section::Matrix {
                    matrix = head;
                }
            } else {
                return Err(ParseError::found(text, head, VERTICES));
            }
            continue;
        }
        let Some(draft) = &mut draft else {
            return Err(ParseError::found(text, head, VERTICES));
        };
        let n = draft.vertices();
        match section {
            Section::Vertices => {
                let at = vertex(text, head, n)?;
                let listed = listed.get_mut(usize::from(at));
                if listed.is_some_and(|listed| std::mem::replace(listed, true)) {
                    draft.list_again(head);
                }
                if let Some([x, y, z]) = name_and_place(line, at, draft, &mut unclosed) {
                    solid.push((at, [x, y, z]));
                    flat = flat
                        .filter(|known| *known == z)
                        .or(solid.get(1).is_none().then_some(z));
                }
            }
            Section::Pairs { arcs } => {
                if arcs {
                    input.directed(head)?;
                    draft.allow_both_ends();
                }
                let a = vertex(text, head, n)?;
                let b = vertex(text, plain.next().unwrap_or(end(line)), n)?;
                let noted = plain.next().and_then(line_value);
                draft.edge(a, b, noted).map_err(|e| excess(text, head, e))?;
            }
            Section::Lists { arcs } => {
                if arcs {
                    input.directed(head)?;
                    draft.allow_both_ends();
                }
                let a = vertex(text, head, n)?;
                for word in plain {
                    let b = vertex(text, word, n)?;
                    draft.edge(a, b, None).map_err(|e| excess(text, word, e))?;
                }
            }
            Section::Matrix => {
                if row == n {
                    let expected = format!("{n} rows of the matrix");
                    return Err(ParseError::found(text, head, &expected));
                }
                matrix_row(text, line, row as u16, draft, &mut arcs)?;
                row += 1;
            }
        }
    }
    let mut draft = draft.ok_or_else(|| ParseError::found(text, end(text), VERTICES))?;
    draft.warnings.extend(outline.warnings(input));
    draft.warnings.extend(unclosed.warning(input.source));
    if arcs.without_reverse().is_some() {
        input.directed(matrix)?;
    }
    // A drawing in the plane gives all vertices the same z; replace it by 0.
    for (vertex, [x, y, z]) in solid {
        draft.place(vertex, [x, y, if flat.is_some() { 0.0 } else { z }]);
    }
    Ok(draft)
}
