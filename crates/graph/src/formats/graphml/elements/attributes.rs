//! Attributes of GraphML and GEXF: their keys, their default values, and their values in nodes.

use quick_xml::events::BytesStart;

use super::{File, Name, Owner};
use crate::formats::notes::{STONE, WEIGHT, is_edge_weight};
use crate::formats::parse_error::ParseError;
use crate::formats::words::weight_or_nan;

/// Kind of the elements that a key is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Graph,
    Node,
    Edge,
    All,
}

/// Default value of an attribute.
pub(super) struct KeyDefault {
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

impl File<'_> {
    /// Reads the declaration of an attribute in GraphML.
    pub(super) fn key(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
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
        Ok(Owner::Other)
    }

    /// Begins a list of attributes in GEXF.
    pub(super) fn attribute_list(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        let class = self.attribute(element, "class")?;
        self.of_edges = class.as_deref() == Some("edge");
        Ok(Owner::Other)
    }

    /// Reads the declaration of an attribute in GEXF.
    pub(super) fn gexf_key(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
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
        Ok(Owner::Other)
    }

    /// Keeps a value of GEXF.
    pub(super) fn value(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        let id = self.attribute(element, "for")?;
        let value = self.attribute(element, "value")?;
        if let Some(edge) = &mut self.edge {
            let key = id.and_then(|id| self.edge_keys.get(&id));
            if key.is_some_and(|key| is_edge_weight(key)) {
                let known = edge.weight.filter(|weight| weight.is_finite());
                edge.weight = known.or(value.and_then(|text| weight_or_nan(&text)));
            }
            return Ok(Owner::Other);
        }
        let key = id.and_then(|id| self.keys.get(&id).cloned());
        if let (Some(key), Some(value), Some(vertex)) = (key, value, self.node()) {
            self.note(vertex, &key, &value)?;
        }
        Ok(Owner::Other)
    }

    pub(super) fn note(&mut self, vertex: u16, key: &str, value: &str) -> Result<(), ParseError> {
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

    /// Keeps a default value if its attribute is read. The first one counts.
    pub(super) fn keep_default(&mut self, name: String, text: String) {
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

    /// Gives the graph and the nodes the defaults of the attributes that they do not have.
    pub(super) fn complete(&mut self) -> Result<(), ParseError> {
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

    /// Returns the default weight of edges, or `None`.
    pub(super) fn default_edge_weight(&self) -> Option<f64> {
        let defaults = self.defaults.iter();
        let mut weights =
            defaults.filter(|default| default.is_for(Kind::Edge) && is_edge_weight(&default.name));
        weights.find_map(|default| weight_or_nan(&default.text))
    }
}
