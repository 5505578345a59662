//! Why a command fails: the texts that follow `?`.

use crate::text::quote;

/// A command that failed and changed nothing. The texts begin as the protocol has them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No command has this name.
    #[error("unknown command")]
    UnknownCommand,
    /// An argument is missing or cannot be read.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// There is no board of this size, or not in this session.
    #[error("unacceptable size: {0}")]
    Size(String),
    /// The rules forbid the move.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// No move can be taken back.
    #[error("cannot undo")]
    CannotUndo,
    /// The position has no score yet.
    #[error("cannot score")]
    CannotScore,
    /// A file cannot be read or does not hold a game.
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    /// A file cannot be written.
    #[error("cannot save file: {0}")]
    CannotSave(String),
    /// A handicap that cannot be placed.
    #[error("invalid number of stones: {0}")]
    NumberOfStones(String),
    /// Handicap stones need an empty board.
    #[error("board not empty")]
    BoardNotEmpty,
    /// Handicap stones at wrong or repeated vertices.
    #[error("bad vertex list: {0}")]
    VertexList(String),
    /// A board or ruleset that the engine refuses.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    /// An argument that reads as nothing expected.
    pub fn expected(what: &str, text: &str, expected: &str) -> Failure {
        Failure::Syntax(format!("{what} '{}', expected {expected}", quote(text)))
    }

    /// An argument that is not there.
    pub fn missing(what: &str, expected: &str) -> Failure {
        Failure::Syntax(format!("missing {what}, expected {expected}"))
    }
}
