//! Reasons for failed commands: the error texts after `?`.

use crate::notation::PositionError;
use crate::text::quote;

/// Failure of a command that changed nothing. The texts start with the wording of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No command has this name.
    #[error("unknown command")]
    UnknownCommand,
    /// No command has this name, but the given command has a similar one. Only people are told:
    /// clients may compare the whole text of [`Failure::UnknownCommand`].
    #[error("unknown command; did you mean '{0}'?")]
    Misspelled(&'static str),
    /// An argument is missing or cannot be read.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// No board has this size, or the session does not allow it.
    #[error("unacceptable size: {0}")]
    Size(String),
    /// The rules forbid the move.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// There is no move to undo.
    #[error("cannot undo")]
    CannotUndo,
    /// The position has no score yet.
    #[error("cannot score")]
    CannotScore,
    /// A file cannot be read or contains no game.
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    /// A file cannot be written.
    #[error("cannot save file: {0}")]
    CannotSave(String),
    /// The number of handicap stones is invalid.
    #[error("invalid number of stones: {0}")]
    NumberOfStones(String),
    /// The board is not empty, which handicap stones require.
    #[error("board not empty")]
    BoardNotEmpty,
    /// Handicap stones are on invalid or repeated vertices.
    #[error("bad vertex list: {0}")]
    VertexList(String),
    /// The engine refuses the request, for example a board or a ruleset.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    /// Returns the failure for an argument that cannot be read.
    pub fn expected(what: &str, text: &str, expected: &str) -> Failure {
        Failure::Syntax(format!("{what} '{}', expected {expected}", quote(text)))
    }

    /// Returns the failure for a missing argument.
    pub fn missing(what: &str, expected: &str) -> Failure {
        Failure::Syntax(format!("missing {what}, expected {expected}"))
    }

    /// Returns the failure for a text that is not a position.
    pub fn position(error: PositionError) -> Failure {
        match error {
            PositionError::Syntax(problem) => Failure::Syntax(problem),
            PositionError::Uncovered(problem) => Failure::Refused(problem),
        }
    }
}
