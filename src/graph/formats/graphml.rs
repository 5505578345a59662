//! GraphML: XML in which `key` elements declare attributes, and `data` elements within nodes and edges give their values.

use std::collections::HashMap;

use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::Input;
use super::draft::Draft;
use super::fault::Fault;
use super::notes::{self, is_edge_weight};
use super::words::weight;
use crate::graph::goban::Goban;

/// Elements within elements, beyond which nobody has written a graph.
const DEEPEST: usize = 64;

pub(super) fn read(input: &Input<'_>) -> Result<Draft, Fault> {
    let mut file = File {
        input,
        offset: 0,
        draft: Draft::default(),
        keys: HashMap::new(),
        graphs: 0,
        owner: Vec::new(),
        edge: None,
        data: None,
    };
    let mut reader = Reader::from_str(input.text);
    loop {
        file.offset = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let offset = reader.error_position() as usize;
            Fault::at(
                input.text,
                offset,
                format!("{}, expected GraphML", super::one_line(&error.to_string())),
            )
        })?;
        match event {
            Event::Start(element) => {
                file.start(&element)?;
                if file.owner.len() > DEEPEST {
                    return Err(file.fault(format!(
                        "elements nested more than {DEEPEST} deep, expected fewer"
                    )));
                }
            }
            Event::Empty(element) => {
                file.start(&element)?;
                file.end()?;
            }
            Event::End(_) => file.end()?,
            Event::Text(text) => {
                let piece = text.xml10_content();
                file.text(&piece);
            }
            Event::CData(text) => file.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let whole = format!("&{name};");
                match quick_xml::escape::unescape(&whole) {
                    Ok(piece) => file.text(&piece),
                    // No file may define words that grow when they are read.
                    Err(_) => {
                        return Err(file.fault(format!(
                            "'{}', expected a predefined entity",
                            crate::text::quote(&whole)
                        )));
                    }
                }
            }
            Event::Eof if file.owner.is_empty() => break,
            Event::Eof => return Err(file.fault("the end, expected </graphml>".to_string())),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if file.graphs == 0 {
        return Err(Fault::at(
            input.text,
            input.text.len(),
            "no graph, expected GraphML with <graph>",
        ));
    }
    if file.graphs > 1 {
        let (count, source) = (file.graphs, input.source);
        file.draft
            .warnings
            .push(format!("{count} graphs in {source}, the first is taken"));
    }
    Ok(file.draft)
}

/// What `data` within an open element speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Graph,
    Node(u16),
    Edge,
    /// `data` itself: what lies within speaks of nothing.
    Data,
    Other,
}

/// A file as far as it has been read.
struct File<'a> {
    input: &'a Input<'a>,
    /// Where the present piece of XML begins.
    offset: usize,
    draft: Draft,
    /// Names of attributes by the ids of their keys.
    keys: HashMap<String, String>,
    /// How many graphs have begun outside of nodes.
    graphs: usize,
    /// The open elements.
    owner: Vec<Owner>,
    /// The open edge, with its weight where that has come.
    edge: Option<(u16, u16, Option<f64>)>,
    /// The open `data`: name of its attribute and text.
    data: Option<(String, String)>,
}

impl File<'_> {
    fn fault(&self, problem: String) -> Fault {
        // White space before an element is part of what was read with it.
        let piece = self.input.text.get(self.offset..).unwrap_or_default();
        let gap = piece.len() - piece.trim_start().len();
        Fault::at(self.input.text, self.offset + gap, problem)
    }

    fn attribute(&self, element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Fault> {
        let broken = || self.fault(format!("a broken attribute, expected {name}=\"…\""));
        match element.try_get_attribute(name) {
            Ok(None) => Ok(None),
            Ok(Some(attribute)) => match attribute.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => Ok(Some(value.into_owned())),
                Err(_) => Err(broken()),
            },
            Err(_) => Err(broken()),
        }
    }

    fn need(&self, element: &BytesStart<'_>, name: &str, of: &str) -> Result<String, Fault> {
        self.attribute(element, name)?
            .ok_or_else(|| self.fault(format!("{of} without {name}, expected {name}=\"…\"")))
    }

    fn is_first_graph(&self) -> bool {
        self.graphs <= 1
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), Fault> {
        let local = element.local_name();
        let owner = match local.as_ref() {
            "graph" => {
                if !self
                    .owner
                    .iter()
                    .any(|owner| matches!(owner, Owner::Node(_)))
                {
                    self.graphs += 1;
                }
                if self.is_first_graph() {
                    let direction = self.attribute(element, "edgedefault")?;
                    if direction.as_deref() == Some("directed") {
                        self.directed("edgedefault=\"directed\"")?;
                    }
                }
                Owner::Graph
            }
            "key" => {
                let id = self.need(element, "id", "a key")?;
                if let Some(name) = self.attribute(element, "attr.name")? {
                    self.keys.insert(id, name);
                }
                Owner::Other
            }
            "node" if self.is_first_graph() => {
                let id = self.need(element, "id", "a node")?;
                let vertex = self.draft.vertex(&id);
                Owner::Node(vertex.map_err(|excess| self.fault(excess.to_string()))?)
            }
            "edge" if self.is_first_graph() => {
                if self.attribute(element, "directed")?.as_deref() == Some("true") {
                    self.directed("directed=\"true\"")?;
                }
                let mut ends = [0; 2];
                for (end, name) in ends.iter_mut().zip(["source", "target"]) {
                    let id = self.need(element, name, "an edge")?;
                    *end = self.draft.find(&id).ok_or_else(|| {
                        let id = crate::text::quote(&id);
                        self.fault(format!("{name} '{id}', expected the id of a node before"))
                    })?;
                }
                self.edge = Some((ends[0], ends[1], None));
                Owner::Edge
            }
            "hyperedge" => {
                return Err(self.fault("a hyperedge, expected edges of two ends".to_string()));
            }
            "data" => {
                let key = self.need(element, "key", "data")?;
                let name = self.keys.get(&key).cloned().unwrap_or(key);
                self.data = Some((name, String::new()));
                Owner::Data
            }
            _ => Owner::Other,
        };
        self.owner.push(owner);
        Ok(())
    }

    fn directed(&mut self, found: &str) -> Result<(), Fault> {
        self.draft.allow_both_ends();
        match self.input.refuses_arcs() {
            true => Err(self.fault(super::arcs_refused(found))),
            false => Ok(()),
        }
    }

    fn text(&mut self, piece: &str) {
        if let Some((_, text)) = &mut self.data {
            text.push_str(piece);
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        let owner = self.owner.pop().unwrap_or(Owner::Other);
        if owner == Owner::Data {
            // Elements within it, such as shapes, are no text of its.
            let Some((name, text)) = self.data.take() else {
                return Ok(());
            };
            match self.owner.last().copied().unwrap_or(Owner::Other) {
                _ if !self.is_first_graph() => {}
                Owner::Graph => self.draft.mango.take(&name, text.trim()),
                Owner::Node(vertex) => {
                    let noted = self.draft.note(vertex, &name, &text);
                    noted.map_err(|expected| {
                        self.fault(format!(
                            "{name} '{}', expected {expected}",
                            crate::text::quote(&text)
                        ))
                    })?;
                }
                Owner::Edge if is_edge_weight(&name) => {
                    if let Some((_, _, place)) = &mut self.edge {
                        *place = weight(text.trim());
                    }
                }
                Owner::Edge | Owner::Data | Owner::Other => {}
            }
            return Ok(());
        }
        if owner == Owner::Edge
            && let Some((a, b, weight)) = self.edge.take()
        {
            let added = self.draft.edge(a, b, weight);
            added.map_err(|excess| self.fault(excess.to_string()))?;
        }
        Ok(())
    }
}

pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let view = super::View::of(goban);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let mut keys: Vec<(&str, &str, &str)> = Vec::new();
    if view.has_coordinates() {
        keys.extend([("node", "x", "double"), ("node", "y", "double")]);
        if view.is_solid() {
            keys.push(("node", "z", "double"));
        }
    }
    if view.has_stones() {
        keys.push(("node", notes::STONE, "string"));
    }
    if view.has_weights() {
        keys.push(("node", notes::WEIGHT, "double"));
    }
    if view.has_edge_weights() {
        keys.push(("edge", notes::WEIGHT, "double"));
    }
    let mango = view.mango();
    keys.extend(mango.iter().map(|(key, _)| ("graph", *key, "string")));
    for (number, (domain, name, kind)) in keys.iter().enumerate() {
        out.push_str(&format!(
            "  <key id=\"d{number}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n"
        ));
    }
    let data = |indent: &str, of: &str, name: &str, value: &str| {
        let number = keys
            .iter()
            .position(|(domain, key, _)| (*domain, *key) == (of, name));
        let (number, value) = (number.unwrap_or_default(), escape(value));
        format!("{indent}<data key=\"d{number}\">{value}</data>\n")
    };
    out.push_str("  <graph edgedefault=\"undirected\">\n");
    for (key, value) in &mango {
        out.push_str(&data("    ", "graph", key, value));
    }
    for vertex in goban.graph.all() {
        let label = goban.names.label(vertex);
        let notes = view.vertex_notes(vertex);
        if notes.is_empty() {
            out.push_str(&format!("    <node id=\"{}\"/>\n", escape(label)));
            continue;
        }
        out.push_str(&format!("    <node id=\"{}\">\n", escape(label)));
        for (key, value) in notes {
            out.push_str(&data("      ", "node", key, &value));
        }
        out.push_str("    </node>\n");
    }
    for (a, b) in view.edges() {
        let ends = format!(
            "source=\"{}\" target=\"{}\"",
            escape(view.label(a)),
            escape(view.label(b))
        );
        match view.edge_weight(a, b) {
            None => out.push_str(&format!("    <edge {ends}/>\n")),
            Some(weight) => {
                let data = data("      ", "edge", notes::WEIGHT, &weight.to_string());
                out.push_str(&format!("    <edge {ends}>\n{data}    </edge>\n"));
            }
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    Ok(out)
}
