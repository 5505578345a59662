//! The graph that is played on.

use super::{Command, Failure, Session};
use crate::graph::families::{self, synonyms};
use crate::graph::spec::Spec;
use crate::gtp::arguments::{Arguments, vertex_list};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_graph",
        "SPEC | FAMILY ARGUMENT …",
        "Starts a game on another board, such as `torus:9x9`, and answers its size; ruleset and komi stay.",
        set_graph,
    ),
    Command::new(
        "get_graph",
        "",
        "The board as set_graph takes it.",
        get_graph,
    ),
    Command::new(
        "list_graphs",
        "",
        "The families of boards with their arguments, one a line.",
        list_graphs,
    ),
    Command::new(
        "list_vertices",
        "",
        "Alias and label of every vertex, one a line in index order.",
        list_vertices,
    ),
    Command::new(
        "list_neighbors",
        "VERTEX",
        "The vertices that touch this one.",
        list_neighbors,
    ),
];

fn set_graph(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let words = arguments.rest();
    if words.is_empty() {
        return Err(Failure::missing(
            "graph",
            "a board such as grid:9x9 or edges:a-b,b-c",
        ));
    }
    let reading = session.reading.clone();
    let read = || Spec::from_words(words)?.reading(reading).build();
    let goban = read().map_err(|error| Failure::Syntax(error.to_string()))?;
    let answer = format!(
        "{} vertices {} edges",
        goban.graph.vertices(),
        goban.graph.edges()
    );
    let warnings = goban.warnings.clone();
    session
        .engine
        .set_goban(goban)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    session.pinned = false;
    for warning in &warnings {
        session.warn(warning);
    }
    Ok(answer)
}

fn get_graph(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.goban().spec.to_string())
}

fn list_graphs(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let line = |(name, arguments, sentence): (&str, &str, &str)| {
        let gap = if arguments.is_empty() { "" } else { " " };
        let others: Vec<&str> = synonyms::of(name).collect();
        let also = match others.as_slice() {
            [] => String::new(),
            names => format!(" Also {}.", names.join(", ")),
        };
        format!("{name}{gap}{arguments} - {sentence}{also}")
    };
    Ok(families::list().map(line).collect::<Vec<_>>().join("\n"))
}

fn list_vertices(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let line = |vertex| {
        format!(
            "{} {}",
            goban.names.alias(vertex),
            goban.names.label(vertex)
        )
    };
    Ok(goban.graph.all().map(line).collect::<Vec<_>>().join("\n"))
}

fn list_neighbors(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let vertex = arguments.vertex(goban)?;
    Ok(vertex_list(
        goban,
        goban.graph.neighbors(vertex).iter().copied(),
    ))
}
