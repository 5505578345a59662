//! Exact counts, and what is certain to live.

use super::{Command, Failure, Session};
use crate::gtp::arguments::{Arguments, vertex_list};

pub(super) const COMMANDS: &[Command] = &[Command::new(
    "unconditional_life",
    "COLOR",
    "The chains of this color that cannot be captured even if it always passes, one a line.",
    unconditional_life,
)];

fn unconditional_life(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let engine = &session.engine;
    let chains = engine
        .unconditional_life(color)
        .map_err(|error| Failure::Refused(engine.life_problem(error)))?;
    let lines = chains
        .into_iter()
        .map(|chain| vertex_list(engine.goban(), chain));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
