//! Command for vertices that the engine avoids, as a point list that GoGui can edit. A pass stays
//! allowed. If no other move remains, the engine ignores the list.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::{AnalysisRequest, Restriction};
use crate::gtp::arguments::Arguments;
use crate::gtp::session::Avoided;
use crate::vertex::Move;

pub(super) const COMMAND: Command = Command::new(
    "omnigo-avoid",
    "[show|VERTEX …]",
    "Sets the vertices of this board on which the engine does not play. Without arguments, clears them. `show` lists them.",
    avoid,
);

/// Returns an analysis request for the move of `color` that excludes the avoided vertices.
pub(super) fn analysis_request(session: &Session, color: Color) -> AnalysisRequest {
    let mut analysis_request = AnalysisRequest::for_color(color);
    analysis_request
        .restrictions
        .extend(restriction(session, color));
    analysis_request
}

/// Returns the restriction that excludes the avoided vertices of this board for `color`, or `None`
/// without any.
pub(super) fn restriction(session: &Session, color: Color) -> Option<Restriction> {
    let vertices = session.avoided.on(session.engine.goban());
    let moves: Vec<Move> = vertices.iter().copied().map(Move::Place).collect();
    (!moves.is_empty()).then(|| Restriction::new(color, moves, false, usize::MAX))
}

fn avoid(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let mut words = arguments.clone();
    if words.optional() == Some("show") && words.is_empty() {
        let names = session.avoided.on(goban).iter();
        let names: Vec<String> = names.map(|&at| goban.names.alias(at)).collect();
        return Ok(names.join(" "));
    }
    let mut vertices = Vec::new();
    while !arguments.is_empty() {
        vertices.push(arguments.vertex(goban)?);
    }
    vertices.sort_unstable();
    vertices.dedup();
    session.avoided = Avoided {
        board: goban.spec.to_string(),
        vertices,
    };
    Ok(String::new())
}
