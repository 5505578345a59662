//! DOT, the language of Graphviz: `graph { a -- b -- c; d [pos="1,2!"] }`. A subgraph at the end of
//! an edge stands for all its vertices. `node [weight=2]` and `edge [weight=5]` set defaults. They
//! apply to nodes and edges that first appear below them in the same graph or subgraph.

use super::notes::{STONE, WEIGHT, is_edge_weight};
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, weight_or_nan};
use super::{Input, Reading};
use crate::model::goban::Goban;
use token::{Token, Tokens};

mod token;

/// Maximum nesting depth of subgraphs; no known graph nests deeper.
const DEEPEST: usize = 64;

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    // Graphs before the selected one may be directed, even without `--symmetrize`.
    let lenient = Reading {
        symmetrize: true,
        ..input.reading.clone()
    };
    let before = Input {
        reading: &lenient,
        ..*input
    };
    let mut parser = Parser {
        input: &before,
        tokens: Tokens::new(input.text),
        draft: RawGraph::default(),
        directed: false,
        named: std::collections::HashMap::new(),
        members: 0,
        defaults: Defaults::default(),
    };
    for number in 1..input.wanted() {
        parser.graph()?;
        if parser.tokens.peek()?.is_none() {
            return Err(input.missing(number));
        }
        parser.forget();
    }
    parser.input = input;
    parser.graph()?;
    let mut draft = parser.forget();
    parser.input = &before;
    let source = input.source;
    // The rest of the file need not be DOT, so it causes only a warning.
    let rest = match input.reading.number {
        None => parser.rest(),
        Some(_) if parser.is_at_graph() => Rest::Graphs(0),
        Some(_) => parser.rest(),
    };
    draft.warnings.extend(match rest {
        Rest::Graphs(0) => None,
        Rest::Graphs(more) => input.several(more + 1),
        Rest::Text => Some(format!("text after the graph in {source} is ignored")),
    });
    Ok(draft)
}

/// Content of a file after the graph that is read.
enum Rest {
    /// Number of further graphs.
    Graphs(usize),
    /// Other text.
    Text,
}

/// Attributes of vertices that can have a default.
const DEFAULTS: [&str; 6] = ["x", "y", "z", "pos", STONE, WEIGHT];
/// Maximum length of a default value, in bytes. Longer ones are ignored. Bounds the time, because
/// each vertex reads its defaults.
const LONGEST_DEFAULT: usize = 256;

/// Default attributes at a place of the text.
#[derive(Clone, Default)]
struct Defaults<'a> {
    /// Keys and values for vertices, and the places of the values.
    vertex: Vec<(String, String, &'a str)>,
    /// Weight of edges.
    weight: Option<f64>,
}

impl<'a> Defaults<'a> {
    /// Sets a default for vertices.
    fn set(&mut self, key: String, value: String, place: &'a str) {
        if DEFAULTS.contains(&key.as_str()) && value.len() <= LONGEST_DEFAULT {
            self.vertex.retain(|(known, ..)| *known != key);
            self.vertex.push((key, value, place));
        }
    }
}

struct Parser<'a> {
    input: &'a Input<'a>,
    tokens: Tokens<'a>,
    draft: RawGraph,
    directed: bool,
    /// Vertices of each named subgraph.
    named: std::collections::HashMap<String, Vec<u16>>,
    /// Sum of the sizes of named subgraphs, counted at each definition and at each reference.
    members: usize,
    /// Defaults in the current graph or subgraph.
    defaults: Defaults<'a>,
}

/// Maximum of `Parser::members`, in vertices. Stops files that refer to named subgraphs again and
/// again.
const MOST_MEMBERS: usize = 1 << 24;

impl<'a> Parser<'a> {
    fn wrong(&self, found: Option<Token<'a>>, expected: &str) -> ParseError {
        let text = self.input.text;
        ParseError::found(
            text,
            found.map_or(end(text), |token| token.place()),
            expected,
        )
    }

    fn take(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        self.tokens.take()
    }

    /// Returns the graph that was read, and prepares for the next one.
    fn forget(&mut self) -> RawGraph {
        self.directed = false;
        self.named.clear();
        std::mem::take(&mut self.draft)
    }

    fn is_at_graph(&mut self) -> bool {
        let next = self.tokens.peek().ok().flatten();
        let begins = |word: &&str| next.as_ref().is_some_and(|token| token.is_keyword(word));
        ["strict", "graph", "digraph"].iter().any(begins)
    }

    /// Counts the graphs up to the end of the text. A graph that cannot be read is the last one.
    fn rest(&mut self) -> Rest {
        let mut graphs = 0;
        while self.is_at_graph() {
            graphs += 1;
            let read = self.graph();
            self.forget();
            if read.is_err() {
                return Rest::Graphs(graphs);
            }
        }
        match self.tokens.peek() {
            Ok(None) => Rest::Graphs(graphs),
            _ if graphs > 0 => Rest::Graphs(graphs),
            _ => Rest::Text,
        }
    }

    fn graph(&mut self) -> Result<(), ParseError> {
        const HEAD: &str = "graph or digraph, then {";
        let mut token = self.take()?;
        if token
            .as_ref()
            .is_some_and(|token| token.is_keyword("strict"))
        {
            token = self.take()?;
        }
        match &token {
            Some(token) if token.is_keyword("graph") => {}
            Some(token) if token.is_keyword("digraph") => {
                self.input.directed(token.place())?;
                self.directed = true;
                self.draft.allow_both_ends();
            }
            _ => return Err(self.wrong(token, HEAD)),
        }
        let mut token = self.take()?;
        if let Some(Token::Id { .. }) = token {
            token = self.take()?;
        }
        match token {
            Some(Token::Sign("{", _)) => {
                self.defaults = Defaults::default();
                self.statements(0).map(|_| ())
            }
            other => Err(self.wrong(other, "{")),
        }
    }

    /// Reads statements up to the closing brace. Returns the vertices named in them, each once.
    fn statements(&mut self, depth: usize) -> Result<Vec<u16>, ParseError> {
        let mut members = Vec::new();
        let outer = self.defaults.clone();
        loop {
            match self.take()? {
                Some(Token::Sign("}", _)) => break,
                Some(Token::Sign(";" | ",", _)) => {}
                Some(token @ Token::Id { .. })
                    if ["graph", "node", "edge"]
                        .iter()
                        .any(|word| token.is_keyword(word)) =>
                {
                    for (key, value, place) in self.attributes()? {
                        if token.is_keyword("node") {
                            self.defaults.set(key, value, place);
                        } else if token.is_keyword("edge") {
                            if is_edge_weight(&key) {
                                self.defaults.weight = weight_or_nan(&value);
                            }
                        } else if depth == 0 {
                            self.draft.mango.take(&key, &value);
                        }
                    }
                }
                Some(token) => self.chain(token, depth, &mut members)?,
                None => return Err(self.wrong(None, "}")),
            }
        }
        self.defaults = outer;
        members.sort_unstable();
        members.dedup();
        Ok(members)
    }

    /// Reads the statement that begins with token `first`: a node, an edge with any number of ends,
    /// or an attribute of the graph.
    fn chain(
        &mut self,
        first: Token<'a>,
        depth: usize,
        members: &mut Vec<u16>,
    ) -> Result<(), ParseError> {
        if let (Token::Id { text, .. }, Some(Token::Sign("=", _))) = (&first, self.tokens.peek()?) {
            self.take()?;
            return match self.take()? {
                Some(Token::Id { text: value, .. }) => {
                    if depth == 0 {
                        self.draft.mango.take(text, &value);
                    }
                    Ok(())
                }
                other => Err(self.wrong(other, "a value")),
            };
        }
        let place = first.place();
        let is_node = matches!(first, Token::Id { .. }) && !first.is_keyword("subgraph");
        let mut ends = vec![self.list(first, depth)?];
        while let Some(Token::Sign(sign @ ("--" | "->"), _)) = self.tokens.peek()? {
            let expected = if self.directed { "->" } else { "--" };
            let token = self.take()?;
            if sign != expected {
                return Err(self.wrong(token, expected));
            }
            match self.take()? {
                Some(token) => ends.push(self.list(token, depth)?),
                None => return Err(self.wrong(None, "a vertex")),
            }
        }
        let attributes = self.attributes()?;
        if ends.len() == 1 && is_node {
            for &vertex in ends.iter().flatten() {
                for (key, value, place) in &attributes {
                    let noted = self.draft.note(vertex, key, value);
                    noted
                        .map_err(|expected| ParseError::found(self.input.text, place, expected))?;
                }
            }
        }
        let weight = attributes
            .iter()
            .find(|(key, ..)| is_edge_weight(key))
            .map_or(self.defaults.weight, |(_, value, _)| weight_or_nan(value));
        for pair in ends.windows(2) {
            if let [from, to] = pair {
                for &a in from {
                    for &b in to {
                        let added = self.draft.edge(a, b, weight);
                        added.map_err(|e| excess(self.input.text, place, e))?;
                    }
                }
            }
        }
        members.extend(ends.into_iter().flatten());
        Ok(())
    }

    /// Returns the vertices at one end of an edge: vertices separated by commas, or a subgraph.
    fn list(&mut self, first: Token<'a>, depth: usize) -> Result<Vec<u16>, ParseError> {
        let is_node =
            |token: &Token<'a>| matches!(token, Token::Id { .. }) && !token.is_keyword("subgraph");
        let listed = is_node(&first);
        let mut vertices = self.vertices(first, depth)?;
        while listed && let Some(Token::Sign(",", _)) = self.tokens.peek()? {
            self.take()?;
            // Accept a comma at the end of a statement, as earlier versions did.
            match self.tokens.peek()? {
                Some(token) if is_node(&token) => {
                    self.take()?;
                    vertices.extend(self.vertices(token, depth)?);
                }
                _ => break,
            }
        }
        Ok(vertices)
    }

    /// Returns the vertices that a vertex or a subgraph stands for.
    fn vertices(&mut self, first: Token<'a>, depth: usize) -> Result<Vec<u16>, ParseError> {
        match first {
            Token::Sign("{", place) => self.subgraph(None, place, depth),
            Token::Id { place, .. } if first.is_keyword("subgraph") => {
                let name = match self.tokens.peek()? {
                    Some(Token::Id { text, .. }) => {
                        let name = text.into_owned();
                        self.take()?;
                        Some(name)
                    }
                    _ => None,
                };
                match (self.tokens.peek()?, name) {
                    (Some(Token::Sign("{", _)), name) => {
                        self.take()?;
                        self.subgraph(name, place, depth)
                    }
                    (_, Some(name)) => {
                        let known = self.named.get(&name).cloned();
                        let known = known.ok_or_else(|| {
                            ParseError::found(self.input.text, place, "a subgraph with {")
                        })?;
                        self.count(known.len(), place)?;
                        Ok(known)
                    }
                    (other, None) => Err(self.wrong(other, "{ or the name of a subgraph")),
                }
            }
            Token::Id { text, place, .. } => {
                let vertex = self.vertex(&text, place)?;
                // Skip a port and the compass point after it.
                while let Some(Token::Sign(":", _)) = self.tokens.peek()? {
                    self.take()?;
                    match self.take()? {
                        Some(Token::Id { .. }) => {}
                        other => return Err(self.wrong(other, "a port")),
                    }
                }
                Ok(vec![vertex])
            }
            Token::Sign(..) => Err(self.wrong(Some(first), "a vertex, an edge or }")),
        }
    }

    /// Returns the vertex of this name. A new one gets the defaults.
    fn vertex(&mut self, name: &str, place: &'a str) -> Result<u16, ParseError> {
        let text = self.input.text;
        let known = self.draft.vertices();
        let vertex = self.draft.vertex(name);
        let vertex = vertex.map_err(|e| excess(text, place, e))?;
        if self.draft.vertices() > known {
            for (key, value, place) in &self.defaults.vertex {
                let noted = self.draft.note(vertex, key, value);
                noted.map_err(|expected| ParseError::found(text, place, expected))?;
            }
        }
        Ok(vertex)
    }

    fn subgraph(
        &mut self,
        name: Option<String>,
        place: &'a str,
        depth: usize,
    ) -> Result<Vec<u16>, ParseError> {
        if depth == DEEPEST {
            let expected = format!("subgraphs nested at most {DEEPEST} deep");
            return Err(ParseError::found(self.input.text, place, &expected));
        }
        let members = self.statements(depth + 1)?;
        if let Some(name) = name {
            self.count(members.len(), place)?;
            self.named.insert(name, members.clone());
        }
        Ok(members)
    }

    fn count(&mut self, members: usize, place: &str) -> Result<(), ParseError> {
        self.members += members;
        match self.members > MOST_MEMBERS {
            true => Err(ParseError::found(
                self.input.text,
                place,
                "subgraphs with fewer vertices",
            )),
            false => Ok(()),
        }
    }

    /// Reads any number of attribute lists `[key=value, …]`.
    fn attributes(&mut self) -> Result<Vec<(String, String, &'a str)>, ParseError> {
        let mut attributes = Vec::new();
        while let Some(Token::Sign("[", _)) = self.tokens.peek()? {
            self.take()?;
            loop {
                match self.take()? {
                    Some(Token::Sign("]", _)) => break,
                    Some(Token::Sign(";" | ",", _)) => {}
                    Some(Token::Id { text: key, .. }) => {
                        // Ignore a key without a value; some programs write it to mean true.
                        let Some(Token::Sign("=", _)) = self.tokens.peek()? else {
                            continue;
                        };
                        self.take()?;
                        match self.take()? {
                            Some(Token::Id { text, place, .. }) => {
                                attributes.push((key.into_owned(), text.into_owned(), place));
                            }
                            other => return Err(self.wrong(other, "the value of an attribute")),
                        }
                    }
                    other => return Err(self.wrong(other, "an attribute or ]")),
                }
            }
        }
        Ok(attributes)
    }
}

/// Returns a name in DOT syntax: bare if it is an identifier or an index, else in quotes.
fn id(name: &str) -> String {
    const KEYWORDS: [&str; 6] = ["graph", "digraph", "subgraph", "node", "edge", "strict"];
    let identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !KEYWORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    let index = crate::model::names::index(name).is_some();
    if !name.is_empty() && (identifier || index) {
        name.to_string()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let view = super::View::of(goban);
    let mut out = String::from("graph {\n");
    for (key, value) in view.mango() {
        out.push_str(&format!("  {key}={};\n", id(&value)));
    }
    for vertex in goban.graph.all() {
        let mut attributes: Vec<String> = Vec::new();
        // Write all coordinates as one attribute. The exclamation mark keeps programs from moving
        // the vertex.
        if let Some(place) = view.place(vertex) {
            let place: Vec<String> = place.iter().map(f64::to_string).collect();
            attributes.push(format!("pos=\"{}!\"", place.join(",")));
        }
        attributes.extend(
            view.vertex_notes(vertex)
                .into_iter()
                .filter(|(key, _)| !matches!(*key, "x" | "y" | "z"))
                .map(|(key, value)| format!("{key}={}", id(&value))),
        );
        out.push_str(&format!("  {}", id(&goban.names.label(vertex))));
        if !attributes.is_empty() {
            out.push_str(&format!(" [{}]", attributes.join(", ")));
        }
        out.push_str(";\n");
    }
    for (a, b) in view.edges() {
        out.push_str(&format!(
            "  {} -- {}",
            id(&view.label(a)),
            id(&view.label(b))
        ));
        if let Some(weight) = view.edge_weight(a, b) {
            out.push_str(&format!(" [weight={}]", id(&weight.to_string())));
        }
        out.push_str(";\n");
    }
    out.push_str("}\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_if_needed() {
        for (name, written) in [
            ("a_1", "a_1"),
            ("12", "12"),
            ("012", "\"012\""),
            ("1a", "\"1a\""),
            ("Node", "\"Node\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("é", "\"é\""),
        ] {
            assert_eq!(id(name), written);
        }
    }
}
