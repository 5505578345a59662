//! Input of a format: the text of a file, the options for reading it, and problems of both.

use super::Reading;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use crate::model::board_parts::BoardParts;

/// Text of a file, and the options for reading it.
pub(super) struct Input<'a> {
    /// Text of the file. If it is binary, only the part of it that is text.
    pub(super) text: &'a str,
    /// Bytes of a binary file after its text, or `None`.
    pub(super) binary: Option<&'a [u8]>,
    /// Name of the file in warnings.
    pub(super) source: &'a str,
    /// True if neither the user nor the extension says the format.
    pub(super) is_guessed: bool,
    pub(super) reading: &'a Reading,
}

impl Input<'_> {
    pub(super) fn draft(
        &self,
        read: fn(&Input<'_>) -> Result<RawGraph, ParseError>,
    ) -> Result<BoardParts, String> {
        let draft = read(self).map_err(|fault| fault.to_string())?;
        draft.part(self.source)
    }

    /// Returns the number of the graph to read, from 1.
    pub(super) fn wanted(&self) -> usize {
        self.reading.number.unwrap_or(1)
    }

    /// Reports that the text has only `graphs` graphs.
    pub(super) fn missing(&self, graphs: usize) -> ParseError {
        let wanted = self.wanted();
        let problem = format!("the file ends after {graphs} graphs, expected number {wanted}");
        ParseError::at(self.text, self.text.len(), problem)
    }

    /// Returns a warning about the graphs that are not read, or `None` if the user selected one.
    pub(super) fn several(&self, graphs: usize) -> Option<String> {
        if self.reading.number.is_some() {
            return None;
        }
        Some(format!(
            "{graphs} graphs in {}, only the first is read",
            self.source
        ))
    }

    pub(super) fn refuses_arcs(&self) -> bool {
        !self.reading.symmetrize
    }

    /// Reports that the text is directed, unless arcs are read as edges. `found` is the slice that
    /// shows it.
    pub(super) fn directed(&self, found: &str) -> Result<(), ParseError> {
        if self.refuses_arcs() {
            let offset = (found.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
            let found = format!("'{}'", omnigo_base::text::quote(found));
            return Err(ParseError::at(self.text, offset, arcs_refused(&found)));
        }
        Ok(())
    }
}

pub(super) fn arcs_refused(found: &str) -> String {
    format!(
        "{found}, expected an undirected graph; --symmetrize on the command line, or symmetrize(...) around a board, reads arcs as edges"
    )
}
