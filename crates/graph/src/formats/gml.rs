//! GML: keys with values, which are numbers, texts in double quotes, or lists in brackets. A node's
//! label is its name. Its coordinates are `x`, `y`, and `z`. y points up, but down inside
//! `graphics`, as in drawing programs.

use std::collections::HashMap;
use std::sync::LazyLock;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::char;
use nom::sequence::delimited;
use nom::{IResult, Parser};
use quick_xml::escape::unescape_with;

use super::Input;
use super::notes::is_edge_weight;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, weight_or_nan};
use crate::model::goban::Goban;

/// Maximum nesting depth of lists; no known graph nests deeper.
const DEEPEST: usize = 64;
/// Maximum length of the name of an entity, in bytes, such as `#1114111`.
const LONGEST_ENTITY: usize = 10;
/// Key under which `y` of `graphics` is kept, because it points down.
const DOWNWARD: &str = "graphics y";
const KEY: &str = "a key, such as node";
const VALUE: &str = "a number, a text in double quotes or a list in brackets";

/// Token of the text; texts come without their quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Text(&'a str),
    Open(&'a str),
    Close(&'a str),
}

/// Subject of an open list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Graph,
    Node,
    Edge,
    /// Graphics of a node.
    Graphics,
    Other,
}

/// Node or edge that is being read.
#[derive(Default)]
struct Item<'a> {
    id: Option<&'a str>,
    label: Option<&'a str>,
    name: Option<&'a str>,
    source: Option<&'a str>,
    target: Option<&'a str>,
    weight: Option<f64>,
    notes: Vec<(&'a str, &'a str)>,
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut rest = text;
    let mut draft = RawGraph::default();
    let mut open: Vec<List> = Vec::new();
    let mut item = Item::default();
    let mut graphs = 0usize;
    // Edges that came before their ends.
    let mut late: Vec<(Item<'_>, &str)> = Vec::new();
    loop {
        let (after, found) = next(rest);
        rest = after;
        let Some(found) = found else { break };
        let key = match found {
            Token::Word(key) => key,
            Token::Close(at) => {
                let Some(list) = open.pop() else {
                    return Err(ParseError::found(text, at, KEY));
                };
                match list {
                    List::Node if graphs == input.wanted() => {
                        std::mem::take(&mut item).node(&mut draft, text, at)?;
                    }
                    List::Edge if graphs == input.wanted() => {
                        let item = std::mem::take(&mut item);
                        let ends = [item.source, item.target];
                        match ends
                            .into_iter()
                            .flatten()
                            .all(|id| draft.find(id).is_some())
                        {
                            true => item.edge(&mut draft, text, at)?,
                            false => late.push((item, at)),
                        }
                    }
                    List::Node | List::Edge | List::Graph | List::Graphics | List::Other => {}
                }
                continue;
            }
            Token::Text(at) | Token::Open(at) => return Err(ParseError::found(text, at, KEY)),
        };
        let (after, value) = next(rest);
        rest = after;
        let parent = open.last().copied();
        match value {
            None => return Err(ParseError::found(text, end(text), VALUE)),
            Some(Token::Close(at)) => return Err(ParseError::found(text, at, VALUE)),
            Some(Token::Open(at)) => {
                if open.len() == DEEPEST {
                    return Err(ParseError::found(
                        text,
                        at,
                        &format!("lists nested at most {DEEPEST} deep"),
                    ));
                }
                let list = List::of(parent, key);
                graphs += usize::from(list == List::Graph);
                if matches!(list, List::Node | List::Edge) {
                    item = Item::default();
                }
                open.push(list);
            }
            Some(Token::Word(value) | Token::Text(value)) => match parent {
                Some(List::Graph) if graphs == input.wanted() => match key {
                    "directed" if value != "0" => {
                        input.directed(key)?;
                        draft.allow_both_ends();
                    }
                    _ => draft.mango.take(key, &plain(value)),
                },
                Some(list) => item.note(list, key, value),
                None => {}
            },
        }
    }
    if !rest.is_empty() {
        return Err(ParseError::found(text, rest, "a closing quote"));
    }
    if !open.is_empty() {
        return Err(ParseError::found(text, end(text), "]"));
    }
    for (item, at) in late {
        item.edge(&mut draft, text, at)?;
    }
    match graphs {
        0 => return Err(ParseError::found(text, end(text), "graph [")),
        graphs if graphs < input.wanted() => return Err(input.missing(graphs)),
        1 => {}
        graphs => draft.warnings.extend(input.several(graphs)),
    }
    Ok(draft)
}

impl List {
    /// Returns the kind of a list with this key inside a list of kind `parent`.
    fn of(parent: Option<List>, key: &str) -> List {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        match parent {
            None if is("graph") => List::Graph,
            Some(List::Graph) if is("node") => List::Node,
            Some(List::Graph) if is("edge") => List::Edge,
            Some(List::Node) if is("graphics") => List::Graphics,
            _ => List::Other,
        }
    }
}

impl<'a> Item<'a> {
    /// Keeps a value of a node, its graphics or an edge.
    fn note(&mut self, list: List, key: &'a str, value: &'a str) {
        match (list, key) {
            (List::Node, "id") => self.id = Some(value),
            (List::Node, "label") => self.label = Some(value),
            // igraph writes names instead of labels.
            (List::Node, "name") => self.name = Some(value),
            (List::Node, _) => self.notes.push((key, value)),
            (List::Graphics, "y") => self.notes.push((DOWNWARD, value)),
            (List::Graphics, _) => self.notes.push((key, value)),
            (List::Edge, "source") => self.source = Some(value),
            (List::Edge, "target") => self.target = Some(value),
            (List::Edge, _) if is_edge_weight(key) => {
                let known = self.weight.filter(|weight| weight.is_finite());
                self.weight = known.or_else(|| weight_or_nan(&plain(value)));
            }
            (List::Edge | List::Graph | List::Other, _) => {}
        }
    }
}

impl Item<'_> {
    fn node(self, draft: &mut RawGraph, text: &str, at: &str) -> Result<(), ParseError> {
        let id = self
            .id
            .ok_or_else(|| ParseError::found(text, at, "the id of the node"))?;
        let known = draft.vertices();
        let vertex = draft.vertex(id).map_err(|e| excess(text, at, e))?;
        if draft.vertices() == known {
            return Err(ParseError::found(text, id, "a unique id"));
        }
        let mut names = [self.label, self.name].into_iter().flatten();
        if let Some(label) = names.find(|name| !name.trim().is_empty()) {
            draft.rename(vertex, plain(label));
        }
        for (key, value) in self.notes {
            if key == DOWNWARD {
                if let Ok(y) = value.parse::<f64>() {
                    draft.place_on(vertex, 1, -y);
                }
                continue;
            }
            let noted = draft.note(vertex, key, &plain(value));
            noted.map_err(|expected| ParseError::found(text, value, expected))?;
        }
        Ok(())
    }

    fn edge(self, draft: &mut RawGraph, text: &str, at: &str) -> Result<(), ParseError> {
        let mut ends = [0; 2];
        for (end, (name, id)) in ends
            .iter_mut()
            .zip([("source", self.source), ("target", self.target)])
        {
            let id =
                id.ok_or_else(|| ParseError::found(text, at, &format!("the {name} of the edge")))?;
            let vertex = draft.find(id);
            *end = vertex.ok_or_else(|| ParseError::found(text, id, "the id of a node"))?;
        }
        let [a, b] = ends;
        draft
            .edge(a, b, self.weight)
            .map_err(|e| excess(text, at, e))
    }
}

/// Returns the remaining text and the next token. The token is `None` at the end, and for a text
/// without a closing quote.
fn next(input: &str) -> (&str, Option<Token<'_>>) {
    let mut rest = input.trim_start();
    while rest.starts_with('#') {
        let line_end = rest.find('\n').unwrap_or(rest.len());
        rest = rest.get(line_end..).unwrap_or_default().trim_start();
    }
    let token: IResult<&str, Token<'_>> = alt((
        tag("[").map(Token::Open),
        tag("]").map(Token::Close),
        delimited(char('"'), take_while(|c| c != '"'), char('"')).map(Token::Text),
        take_while1(|c: char| !c.is_whitespace() && !matches!(c, '[' | ']' | '"')).map(Token::Word),
    ))
    .parse(rest);
    match token {
        Ok((rest, token)) => (rest, Some(token)),
        Err(_) => (rest, None),
    }
}

/// Returns a text with its entities decoded. The format writes non-ASCII characters as entities.
/// Unknown entities and other `&` stay.
fn plain(text: &str) -> String {
    let entity = |name: &str| {
        let known = quick_xml::escape::resolve_predefined_entity(name);
        known.or_else(|| latin(name))
    };
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let named = piece.split_once(';').filter(|(name, _)| {
            let is_sign = |c: char| c == '#' || c.is_ascii_alphanumeric();
            (1..=LONGEST_ENTITY).contains(&name.len()) && name.chars().all(is_sign)
        });
        let decoded = named.and_then(|(name, rest)| {
            let entity = unescape_with(&format!("&{name};"), entity)
                .ok()?
                .into_owned();
            Some((entity, rest))
        });
        match decoded {
            Some((decoded, rest)) => {
                plain.push_str(&decoded);
                plain.push_str(rest);
            }
            None => {
                plain.push('&');
                plain.push_str(piece);
            }
        }
    }
    plain
}

/// Returns the Latin-1 character of this entity name, or `None`.
fn latin(name: &str) -> Option<&'static str> {
    const CHARS: &str = "\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
    const NAMES: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
         sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
         Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
         times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
         egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
         uacute ucirc uuml yacute thorn yuml";
    static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let chars = CHARS.split_inclusive(|_: char| true);
        NAMES.split_whitespace().zip(chars).collect()
    });
    TABLE.get(name).copied()
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_string(),
            '"' => "&quot;".to_string(),
            c if c.is_ascii() => c.to_string(),
            c => format!("&#{};", c as u32),
        })
        .collect()
}

pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let view = super::View::of(goban);
    let mut out = String::from("graph [\n");
    for (key, value) in view.mango() {
        out.push_str(&format!("  {key} \"{}\"\n", escaped(&value)));
    }
    for vertex in goban.graph.all() {
        let label = escaped(&goban.names.label(vertex));
        out.push_str(&format!(
            "  node [\n    id {}\n    label \"{label}\"\n",
            vertex.index()
        ));
        for (key, value) in view.vertex_notes(vertex) {
            let quote = if value.parse::<f64>().is_ok() {
                ""
            } else {
                "\""
            };
            out.push_str(&format!("    {key} {quote}{value}{quote}\n"));
        }
        out.push_str("  ]\n");
    }
    for (a, b) in view.edges() {
        out.push_str(&format!("  edge [\n    source {a}\n    target {b}\n"));
        if let Some(weight) = view.edge_weight(a, b) {
            out.push_str(&format!("    weight {weight}\n"));
        }
        out.push_str("  ]\n");
    }
    out.push_str("]\n");
    Ok(out)
}
