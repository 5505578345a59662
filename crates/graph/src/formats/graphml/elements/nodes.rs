//! Nodes of GraphML and GEXF: their names and their coordinates.

use quick_xml::events::BytesStart;

use super::{File, Owner};
use crate::formats::parse_error::ParseError;
use crate::formats::words::finite;

/// Source of a node's name. Later variants have priority.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Attribute,
    Label,
    Shape,
}

impl File<'_> {
    /// Sets a name of a node, unless it has a better one.
    pub(super) fn call(&mut self, vertex: u16, source: Name, name: &str) {
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

    /// Reads the coordinates of the node that contains this element.
    pub(super) fn position(&mut self, element: &BytesStart<'_>) -> Result<Owner, ParseError> {
        if let Some(vertex) = self.node().filter(|_| self.is_wanted_graph()) {
            self.put(element, vertex)?;
        }
        Ok(Owner::Other)
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
}
