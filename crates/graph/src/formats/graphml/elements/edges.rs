//! Edges of GraphML and GEXF: their ends, their weights, and their directions.

use quick_xml::events::BytesStart;

use super::{File, Owner};
use crate::formats::arcs_refused;
use crate::formats::parse_error::ParseError;
use crate::formats::words::weight_or_nan;

/// Edge that is being read.
pub(super) struct Edge {
    ends: [String; 2],
    pub(super) weight: Option<f64>,
    /// True for an arc, false for an undirected edge, `None` if the file does not say which.
    directed: Option<bool>,
    at: usize,
}

impl File<'_> {
    /// Reads the attributes of an edge.
    pub(super) fn edge_of(&self, element: &BytesStart<'_>) -> Result<Edge, ParseError> {
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
            weight: weighed.and_then(|word| weight_or_nan(&word)),
            directed,
            at: self.offset,
        })
    }

    /// Notes that an edge of yEd has no arrows.
    pub(super) fn arrows(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
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

    /// Adds an edge, or keeps it until all nodes are read. With `last`, an unknown end is an error.
    pub(super) fn add(&mut self, edge: Edge, last: bool) -> Result<(), ParseError> {
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

    fn directed(&mut self, at: usize, found: &str) -> Result<(), ParseError> {
        self.draft.allow_both_ends();
        match self.input.refuses_arcs() {
            true => Err(self.fault_at(at, arcs_refused(found))),
            false => Ok(()),
        }
    }
}
