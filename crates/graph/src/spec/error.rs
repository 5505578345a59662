//! Errors of board specs.

use super::{Spec, families};
use crate::Graph;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Error: a text is not a board spec, or its board cannot be built. Messages have one line each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text is empty.
    #[error("empty board spec, expected one such as grid:9x9")]
    Empty,
    /// The text is longer than any board needs.
    #[error("board spec of {0} bytes, expected at most {most}", most = Spec::MAX_TEXT)]
    TooLong(usize),
    /// The text is not a list of operands.
    #[error(
        "invalid board spec '{text}' at '{at}', expected family or family:arguments, joined by + without spaces{near}",
        near = families::suggestion_of_file(text)
    )]
    Syntax {
        /// The whole text.
        text: String,
        /// The part that could not be parsed.
        at: String,
    },
    /// No family has this name.
    #[error(
        "unknown graph family '{0}', expected one of {names}{near}",
        names = families::names(),
        near = families::suggestion(.0)
    )]
    UnknownFamily(String),
    /// The family does not accept these arguments.
    #[error("invalid board spec '{text}', expected {expected}")]
    Arguments {
        /// The operand.
        text: String,
        /// The form of the arguments.
        expected: String,
    },
    /// An item in a list of edges is neither an edge nor a name.
    #[error(
        "invalid edge '{0}', expected two names such as a-b, or one name for an isolated vertex"
    )]
    Edge(String),
    /// A vertex cannot have this name.
    #[error(
        "invalid vertex name '{0}', expected letters, digits, _ . or ', and neither pass nor resign"
    )]
    Name(String),
    /// The text is not valid graph6.
    #[error("invalid graph6 '{text}': {problem}")]
    Graph6 {
        /// The text.
        text: String,
        /// Description of the error, and the expected form.
        problem: String,
    },
    /// The text is not valid sparse6.
    #[error("invalid sparse6 '{text}': {problem}")]
    Sparse6 {
        /// The text.
        text: String,
        /// Description of the error, and the expected form.
        problem: String,
    },
    /// The file cannot be read or contains no graph.
    #[error("invalid file '{path}': {problem}")]
    File {
        /// The path as given.
        path: String,
        /// Description of the error, and the expected form.
        problem: String,
    },
    /// The board would have more vertices than [`Vertex::LIMIT`].
    #[error("too many vertices in '{0}', expected at most {most}", most = Vertex::LIMIT)]
    TooManyVertices(String),
    /// The board would have more edges than [`Graph::MAX_EDGES`].
    #[error("too many edges in '{0}', expected at most {most}", most = Graph::MAX_EDGES)]
    TooManyEdges(String),
    /// The go-space of the graph cannot be played.
    #[error("invalid board spec '{text}': {problem}")]
    Space {
        /// The operand.
        text: String,
        /// Description of the error, and the expected form.
        problem: String,
    },
    /// The board, or an operand of it, is larger than the reader accepts.
    #[error(
        "'{text}' is too large, expected at most {vertices} vertices and {edges} edges, also in operands"
    )]
    Limited {
        /// The spec.
        text: String,
        /// Maximum number of vertices.
        vertices: u64,
        /// Maximum number of edges.
        edges: u64,
    },
    /// A union contains a board with its own rules of life (a go-space or a Mango board).
    #[error("invalid board spec '{0}', expected a go-space or a Mango board alone, without +")]
    Alone(String),
    /// An operator does not accept its operand.
    #[error("invalid board spec '{text}': {problem}")]
    Operand {
        /// The operator with its operands.
        text: String,
        /// Description of the error, and the expected form.
        problem: String,
    },
    /// Too many operators, or operators nested too deeply.
    #[error(
        "parentheses {0} in board spec, expected at most {most} pairs, nested at most {deep} deep",
        most = Spec::MAX_PARENTHESES, deep = Spec::MAX_DEPTH
    )]
    Nested(String),
    /// More operands than a board can have vertices.
    #[error("board spec of {0} operands, expected at most {most}", most = Vertex::LIMIT)]
    TooManyOperands(usize),
}

impl SpecError {
    /// Returns the error with the operand as `typed`, if it quotes `given`, the same operand with
    /// the name of its family.
    pub(super) fn quoting(self, given: &str, typed: &str) -> SpecError {
        match self {
            SpecError::Arguments { text, expected } if text == quote(given) => {
                let text = quote(typed);
                SpecError::Arguments { text, expected }
            }
            other => other,
        }
    }
}
