//! Elements of GraphML and GEXF, and the graph that they add up to.

use std::collections::{HashMap, HashSet};

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use crate::formats::notes::{STONE, WEIGHT, is_edge_weight};
use crate::formats::parse_error::ParseError;
use crate::formats::raw_graph::RawGraph;
use crate::formats::words::{finite, weight};
use crate::formats::{Input, arcs_refused};

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

/// Edge that is being read.
struct Edge {
    ends: [String; 2],
    weight: Option<f64>,
    /// True for an arc, false for an undirected edge, `None` if the file does not say which.
    directed: Option<bool>,
    at: usize,
}

/// Source of a node's name. Later variants have priority.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Attribute,
    Label,
    Shape,
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

/// Default value of an attribute.
struct KeyDefault {
    kind: Kind,
    /// Name of the attribute.
    name: String,
    text: String,
    /// Offset of the end of the element.
    at: usize,
}

impl KeyDefault {
    fn is_for(&self, kind: Kind) -> bool {
        self.kind == kind || self.kind == Kind::All
    }
}

/// Kind of the elements that a key is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Graph,
    Node,
    Edge,
    All,
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

    /// Adds an edge, or keeps it until all nodes are read. With `last`, an unknown end is an error.
    fn add(&mut self, edge: Edge, last: bool) -> Result<(), ParseError> {
        let mut ends = [0; 2];
        let names = ["source", "target"];
        for (end, (id, name)) in ends.iter_mut().zip(edge.ends.iter().zip(names)) {
            match self.draft.find(id) {
                Some(vertex) => *end = vertex,
                None if last => {
                    let id = omnigo_base::text::quote(id);
                    let problem = format!("{name} '{id}', expected the id of a node");
                    return Err(self.fault_at(edge.at, problem));
                }
                None => {
                    self.late.push(edge);
                    return Ok(());
                }
            }
        }
        match (edge.directed, self.arcs) {
            (Some(true), _) => self.directed(edge.at, "an arc")?,
            (None, Some(at)) => {
                let key = if self.is_gexf() {
                    "defaultedgetype"
                } else {
                    "edgedefault"
                };
                self.directed(at, &format!("{key}=\"directed\""))?;
            }
            (Some(false), _) | (None, None) => {}
        }
        let [a, b] = ends;
        let added = self.draft.edge(a, b, edge.weight);
        added.map_err(|excess| self.fault_at(edge.at, excess.to_string()))
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

    /// Gives the graph and the nodes the defaults of the attributes that they do not have.
    fn complete(&mut self) -> Result<(), ParseError> {
        let given = std::mem::take(&mut self.given);
        for default in std::mem::take(&mut self.defaults) {
            let KeyDefault { name, text, .. } = &default;
            if default.is_for(Kind::Graph) {
                self.draft.mango.complete(name, text);
            }
            if default.is_for(Kind::Node) {
                self.offset = default.at;
                for vertex in (0..).take(self.draft.vertices()) {
                    if !given.contains(&(vertex, name.clone())) {
                        self.note(vertex, name, text)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps a default value if its attribute is read. The first one counts.
    fn keep_default(&mut self, name: String, text: String) {
        const READ: [&str; 12] = [
            "x",
            "y",
            "z",
            "pos",
            STONE,
            WEIGHT,
            "value",
            "label",
            "name",
            "threshold",
            "scores",
            "first",
        ];
        let Some((_, kind)) = self.key.take() else {
            return;
        };
        let is_known = |other: &KeyDefault| (other.kind, &other.name) == (kind, &name);
        if READ.contains(&name.as_str()) && !self.defaults.iter().any(is_known) {
            let at = self.offset;
            self.defaults.push(KeyDefault {
                kind,
                name,
                text,
                at,
            });
        }
    }

    /// Sets a name of a node, unless it has a better one.
    fn call(&mut self, vertex: u16, source: Name, name: &str) {
        let name = name.trim();
        let place = usize::from(vertex);
        if self.names.len() <= place {
            self.names.resize_with(place + 1, || None);
        }
        if let Some(known) = self.names.get_mut(place)
            && !name.is_empty()
            && known.as_ref().is_none_or(|(old, _)| *old < source)
        {
            *known = Some((source, name.to_string()));
        }
    }

    /// Sets the coordinates of a node from the attributes of an element, if it has both x and y.
    fn put(&mut self, element: &BytesStart<'_>, vertex: u16) -> Result<(), ParseError> {
        let axes = ["x", "y", "z", "width", "height"];
        let mut numbers = [None; 5];
        for (number, axis) in numbers.iter_mut().zip(axes) {
            *number = self
                .attribute(element, axis)?
                .and_then(|text| finite(&text));
        }
        let [x, y, z, width, height] = numbers;
        let (Some(x), Some(y)) = (x, y) else {
            return Ok(());
        };
        let place = usize::from(vertex);
        if self.placed.len() <= place {
            self.placed.resize(place + 1, false);
        }
        let placed = self.placed.get_mut(place);
        if placed.is_none_or(|placed| std::mem::replace(placed, true)) {
            return Ok(());
        }
        match self.is_gexf() {
            true => self.draft.place(vertex, [x, y, z.unwrap_or(0.0)]),
            // yEd gives the upper left corner, and y points down.
            false => {
                let middle =
                    |corner: f64, length: Option<f64>| corner + length.unwrap_or(0.0) / 2.0;
                self.draft
                    .place(vertex, [middle(x, width), -middle(y, height), 0.0]);
            }
        }
        Ok(())
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
            "Geometry" if in_data => {
                if let Some(vertex) = self.node().filter(|_| self.is_wanted_graph()) {
                    self.put(element, vertex)?;
                }
                Owner::Other
            }
            "Arrows" if in_data => self.arrows(element)?,
            "position" if self.is_gexf() => {
                if let Some(vertex) = self.node().filter(|_| self.is_wanted_graph()) {
                    self.put(element, vertex)?;
                }
                Owner::Other
            }
            "attributes" if self.is_gexf() => {
                let class = self.attribute(element, "class")?;
                self.of_edges = class.as_deref() == Some("edge");
                Owner::Other
            }
            "attribute" if self.is_gexf() => {
                let id = self.need(element, "id", "an attribute")?;
                if let Some(title) = self.attribute(element, "title")? {
                    let kind = if self.of_edges {
                        Kind::Edge
                    } else {
                        Kind::Node
                    };
                    self.key = Some((title.clone(), kind));
                    let keys = match self.of_edges {
                        true => &mut self.edge_keys,
                        false => &mut self.keys,
                    };
                    // The first attribute of an id counts.
                    keys.entry(id).or_insert(title);
                }
                Owner::Other
            }
            "attvalue" if self.is_gexf() && self.is_wanted_graph() => self.value(element)?,
            "graph" => self.graph(element)?,
            "key" => {
                let id = self.need(element, "id", "a key")?;
                let kind = match self.attribute(element, "for")?.as_deref() {
                    Some("graph") => Some(Kind::Graph),
                    Some("node") => Some(Kind::Node),
                    Some("edge") => Some(Kind::Edge),
                    Some("all") | None => Some(Kind::All),
                    Some(_) => None,
                };
                let name = self.attribute(element, "attr.name")?;
                self.key = kind.map(|kind| (name.clone().unwrap_or_else(|| id.clone()), kind));
                if let Some(name) = name {
                    self.keys.insert(id, name);
                }
                Owner::Other
            }
            "default" if self.data.is_none() && self.key.is_some() => {
                let name = self.key.as_ref().map(|(name, _)| name.clone());
                self.data = name.map(|name| (name, String::new()));
                Owner::Default
            }
            "node" if self.is_wanted_graph() => {
                let id = self.need(element, "id", "a node")?;
                let vertex = self.draft.vertex(&id);
                let vertex = vertex.map_err(|excess| self.fault(excess.to_string()))?;
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

    /// Notes that an edge of yEd has no arrows.
    fn arrows(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        let none = |end: Option<String>| end.as_deref() == Some("none");
        let ends = [
            self.attribute(element, "source")?,
            self.attribute(element, "target")?,
        ];
        // yEd marks every graph as directed, and draws undirected edges as lines without arrows.
        if ends.into_iter().all(none)
            && let Some(edge) = &mut self.edge
        {
            edge.directed = Some(false);
        }
        Ok(Owner::Other)
    }

    /// Keeps a value of GEXF.
    fn value(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        let id = self.attribute(element, "for")?;
        let value = self.attribute(element, "value")?;
        if let Some(edge) = &mut self.edge {
            let key = id.and_then(|id| self.edge_keys.get(&id));
            if key.is_some_and(|key| is_edge_weight(key)) {
                edge.weight = edge.weight.or(value.and_then(|text| weight(text.trim())));
            }
            return Ok(Owner::Other);
        }
        let key = id.and_then(|id| self.keys.get(&id).cloned());
        if let (Some(key), Some(value), Some(vertex)) = (key, value, self.node()) {
            self.note(vertex, &key, &value)?;
        }
        Ok(Owner::Other)
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

    /// Reads the attributes of an edge.
    fn edge_of(&self, element: &BytesStart<'_>) -> Result<Edge, ParseError> {
        let directed = match self.is_gexf() {
            true => self
                .attribute(element, "type")?
                .map(|kind| kind == "directed"),
            false => self
                .attribute(element, "directed")?
                .map(|yes| yes == "true" || yes == "1"),
        };
        let weighed = match self.is_gexf() {
            true => self.attribute(element, "weight")?,
            false => None,
        };
        Ok(Edge {
            ends: [
                self.need(element, "source", "an edge")?,
                self.need(element, "target", "an edge")?,
            ],
            weight: weighed.and_then(|word| weight(word.trim())),
            directed,
            at: self.offset,
        })
    }

    fn directed(&mut self, at: usize, found: &str) -> Result<(), ParseError> {
        self.draft.allow_both_ends();
        match self.input.refuses_arcs() {
            true => Err(self.fault_at(at, arcs_refused(found))),
            false => Ok(()),
        }
    }

    fn note(&mut self, vertex: u16, key: &str, value: &str) -> Result<(), ParseError> {
        match key {
            "label" => self.call(vertex, Name::Label, value),
            "name" => self.call(vertex, Name::Attribute, value),
            _ => {}
        }
        if self.defaults.iter().any(|default| default.name == key) {
            self.given.insert((vertex, key.to_string()));
        }
        let noted = self.draft.note(vertex, key, value);
        noted.map_err(|expected| {
            let value = omnigo_base::text::quote(value);
            self.fault(format!("{key} '{value}', expected {expected}"))
        })
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
                        edge.weight = weight(text.trim());
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
                let defaults = self.defaults.iter();
                let mut weights = defaults
                    .filter(|default| default.is_for(Kind::Edge) && is_edge_weight(&default.name));
                edge.weight = weights.find_map(|default| weight(default.text.trim()));
            }
            self.add(edge, false)?;
        }
        Ok(())
    }
}
