//! Elements of GraphML and GEXF, and the graph that they add up to.

mod attributes;
mod edges;
mod nodes;

use std::collections::{HashMap, HashSet};

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use crate::formats::Input;
use crate::formats::notes::is_edge_weight;
use crate::formats::parse_error::ParseError;
use crate::formats::raw_graph::RawGraph;
use crate::formats::words::weight_or_nan;
use attributes::{KeyDefault, Kind};
use edges::Edge;
use nodes::Name;

/// Kind of an open element, to which a `data` element inside it refers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Graph,
    Node(u16),
    Edge,
    /// Default value of a key.
    Default,
    /// `data` itself. Elements inside it are ignored, except for the shapes of yEd.
    Data,
    /// The name that yEd writes into a shape.
    Name,
    Other,
}

/// File that is being read.
pub(super) struct File<'a> {
    input: &'a Input<'a>,
    /// Name of the outermost element.
    root: &'static str,
    /// Offset of the `graph` element that makes edges arcs by default, if any.
    arcs: Option<usize>,
    /// Edges that came before their ends.
    late: Vec<Edge>,
    /// Best known name of each node, apart from its id.
    names: Vec<Option<(Name, String)>>,
    /// True for nodes with coordinates from a shape. Of several shapes, the first counts.
    placed: Vec<bool>,
    /// Text so far of an open name inside a shape.
    name: Option<String>,
    /// Offset of the current piece of XML.
    pub(super) offset: usize,
    pub(super) draft: RawGraph,
    /// Names of attributes by the ids of their keys.
    keys: HashMap<String, String>,
    /// In GEXF, the same for edges, whose attributes may have the ids of those of nodes.
    edge_keys: HashMap<String, String>,
    /// True if the latest list of attributes in GEXF is about edges.
    of_edges: bool,
    /// Number of graphs so far, without those inside nodes.
    pub(super) graphs: usize,
    /// Stack of open elements.
    pub(super) owner: Vec<Owner>,
    /// Open edge.
    edge: Option<Edge>,
    /// Open `data` or `default` element: name of its attribute, and text so far.
    data: Option<(String, String)>,
    /// Latest key: the name of its attribute, and the kind of its elements.
    key: Option<(String, Kind)>,
    /// Default values of attributes that are read.
    defaults: Vec<KeyDefault>,
    /// Nodes that have a value of their own of an attribute with a default.
    given: HashSet<(u16, String)>,
}

impl<'a> File<'a> {
    pub(super) fn new(input: &'a Input<'a>, root: &'static str) -> File<'a> {
        File {
            input,
            root,
            arcs: None,
            late: Vec::new(),
            names: Vec::new(),
            placed: Vec::new(),
            name: None,
            offset: 0,
            draft: RawGraph::default(),
            keys: HashMap::new(),
            edge_keys: HashMap::new(),
            of_edges: false,
            graphs: 0,
            owner: Vec::new(),
            edge: None,
            data: None,
            key: None,
            defaults: Vec::new(),
            given: HashSet::new(),
        }
    }
}

impl File<'_> {
    pub(super) fn fault(&self, problem: String) -> ParseError {
        self.fault_at(self.offset, problem)
    }

    fn fault_at(&self, offset: usize, problem: String) -> ParseError {
        // The offset includes white space before the element.
        let piece = self.input.text.get(offset..).unwrap_or_default();
        let gap = piece.len() - piece.trim_start().len();
        ParseError::at(self.input.text, offset + gap, problem)
    }

    pub(super) fn finish(mut self) -> Result<RawGraph, ParseError> {
        for edge in std::mem::take(&mut self.late) {
            self.add(edge, true)?;
        }
        self.complete()?;
        for (vertex, name) in (0..).zip(std::mem::take(&mut self.names)) {
            if let Some((_, name)) = name {
                self.draft.rename(vertex, name);
            }
        }
        Ok(self.draft)
    }

    fn is_gexf(&self) -> bool {
        self.root == "gexf"
    }

    /// Returns the node that contains the current element, or `None`.
    fn node(&self) -> Option<u16> {
        let open = self.owner.iter().rev();
        open.copied().find_map(|owner| match owner {
            Owner::Node(vertex) => Some(vertex),
            _ => None,
        })
    }

    fn attribute(
        &self,
        element: &BytesStart<'_>,
        name: &str,
    ) -> Result<Option<String>, ParseError> {
        let broken = || self.fault(format!("a malformed attribute, expected {name}=\"…\""));
        match element.try_get_attribute(name) {
            Ok(None) => Ok(None),
            Ok(Some(attribute)) => match attribute.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => Ok(Some(value.into_owned())),
                Err(_) => Err(broken()),
            },
            Err(_) => Err(broken()),
        }
    }

    fn need(&self, element: &BytesStart<'_>, name: &str, of: &str) -> Result<String, ParseError> {
        self.attribute(element, name)?
            .ok_or_else(|| self.fault(format!("{of} without {name}, expected {name}=\"…\"")))
    }

    fn is_wanted_graph(&self) -> bool {
        self.graphs.max(1) == self.input.wanted()
    }

    pub(super) fn start(&mut self, element: &BytesStart<'_>) -> Result<(), ParseError> {
        let local = element.local_name();
        let local = local.as_ref();
        if self.owner.is_empty() && local != self.root {
            let found = match local {
                "graph" => "<graph> of XGMML".to_string(),
                other => format!("<{}>", omnigo_base::text::quote(other)),
            };
            return Err(self.fault(format!("{found}, expected <{}>", self.root)));
        }
        let in_data = self.owner.contains(&Owner::Data);
        let owner = match local {
            "NodeLabel" if in_data && self.name.is_none() => {
                self.name = Some(String::new());
                Owner::Name
            }
            "Geometry" if in_data => self.position(element)?,
            "Arrows" if in_data => self.arrows(element)?,
            "position" if self.is_gexf() => self.position(element)?,
            "attributes" if self.is_gexf() => self.attribute_list(element)?,
            "attribute" if self.is_gexf() => self.gexf_key(element)?,
            "attvalue" if self.is_gexf() && self.is_wanted_graph() => self.value(element)?,
            "graph" => self.graph(element)?,
            "key" => self.key(element)?,
            "default" if self.data.is_none() && self.key.is_some() => {
                let name = self.key.as_ref().map(|(name, _)| name.clone());
                self.data = name.map(|name| (name, String::new()));
                Owner::Default
            }
            "node" if self.is_wanted_graph() => {
                let id = self.need(element, "id", "a node")?;
                let known = self.draft.vertices();
                let vertex = self.draft.vertex(&id);
                let vertex = vertex.map_err(|excess| self.fault(excess.to_string()))?;
                if self.draft.vertices() == known {
                    self.draft.list_again(&id);
                }
                if let Some(label) = self.attribute(element, "label")? {
                    self.call(vertex, Name::Label, &label);
                }
                Owner::Node(vertex)
            }
            "edge" if self.is_wanted_graph() => {
                self.edge = Some(self.edge_of(element)?);
                Owner::Edge
            }
            "hyperedge" => {
                return Err(self.fault("a hyperedge, expected edges with two ends".to_string()));
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

    /// Begins a graph. One inside a node belongs to the graph of that node.
    fn graph(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        if !self
            .owner
            .iter()
            .any(|owner| matches!(owner, Owner::Node(_)))
        {
            self.graphs += 1;
        }
        if self.is_wanted_graph() {
            let key = if self.is_gexf() {
                "defaultedgetype"
            } else {
                "edgedefault"
            };
            let direction = self.attribute(element, key)?;
            if direction.as_deref() == Some("directed") {
                self.arcs = Some(self.offset);
            }
        }
        Ok(Owner::Graph)
    }

    pub(super) fn text(&mut self, piece: &str) {
        if let Some(name) = &mut self.name {
            name.push_str(piece);
        } else if let Some((_, text)) = &mut self.data {
            text.push_str(piece);
        }
    }

    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        let owner = self.owner.pop().unwrap_or(Owner::Other);
        if owner == Owner::Default {
            if let Some((name, text)) = self.data.take() {
                self.keep_default(name, text);
            }
            return Ok(());
        }
        if owner == Owner::Data {
            // `None` if a `data` element inside this one has taken the text.
            let Some((name, text)) = self.data.take() else {
                return Ok(());
            };
            match self.owner.last().copied().unwrap_or(Owner::Other) {
                _ if !self.is_wanted_graph() => {}
                Owner::Graph => self.draft.mango.take(&name, text.trim()),
                Owner::Node(vertex) => self.note(vertex, &name, &text)?,
                Owner::Edge if is_edge_weight(&name) => {
                    if let Some(edge) = &mut self.edge {
                        edge.weight = weight_or_nan(&text);
                    }
                }
                Owner::Edge | Owner::Default | Owner::Data | Owner::Name | Owner::Other => {}
            }
            return Ok(());
        }
        if owner == Owner::Name
            && let (Some(name), Some(vertex)) = (self.name.take(), self.node())
            && self.is_wanted_graph()
        {
            self.call(vertex, Name::Shape, &name);
        }
        if owner == Owner::Edge
            && let Some(mut edge) = self.edge.take()
        {
            if edge.weight.is_none() {
                edge.weight = self.default_edge_weight();
            }
            self.add(edge, false)?;
        }
        Ok(())
    }
}
