//! Graphs given as graph6 or sparse6 text within a spec.

use super::{Family, Recipe};
use crate::Graph;
use crate::formats::graph6;
use crate::model::board_parts::BoardParts;
use crate::spec::SpecError;
use omnigo_base::text::quote;

/// Parses graph6 text with or without its header. The canonical text is encoded anew.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let body = text.strip_prefix(graph6::HEADER).unwrap_or(text);
    if body.is_empty() {
        return Err(family.refuse(text, "such as graph6:IsP@OkWHG"));
    }
    let part = graph6::decode(body).map_err(|(_, problem)| SpecError::Graph6 {
        text: quote(text),
        problem,
    })?;
    Ok(Recipe::sure(graph6::encode(&graph(&part)), part))
}

/// Parses sparse6 text with or without its header and its colon. The canonical text is encoded
/// anew, with its colon.
pub(super) fn read_sparse(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let body = text.strip_prefix(graph6::SPARSE_HEADER).unwrap_or(text);
    if body.is_empty() {
        return Err(family.refuse(text, "such as sparse6::Fa@x^"));
    }
    let colon = if body.starts_with(graph6::SPARSE) {
        ""
    } else {
        ":"
    };
    let part = graph6::decode_sparse(&format!("{colon}{body}")).map_err(|(_, problem)| {
        SpecError::Sparse6 {
            text: quote(text),
            problem,
        }
    })?;
    Ok(Recipe::sure(graph6::encode_sparse(&graph(&part)), part))
}

fn graph(part: &BoardParts) -> Graph {
    Graph::from_edges(part.vertices, &part.edges).0
}
