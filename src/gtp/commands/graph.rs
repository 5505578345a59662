//! Commands for the graph of the board.

use super::{Command, Failure, Session};
use crate::graph::families::{self, synonyms};
use crate::graph::spec::Spec;
use crate::gtp::arguments::{Arguments, file};
use crate::notation::vertex_list;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_graph",
        "SPEC | FAMILY ARGUMENT …",
        "Starts a new game on another board, such as `torus:9x9`, and answers its size. Ruleset and komi stay.",
        set_graph,
    ),
    Command::new(
        "get_graph",
        "",
        "Spec of the board, in the form that set_graph reads.",
        get_graph,
    ),
    Command::new(
        "list_graphs",
        "",
        "Families of boards with their arguments, one per line.",
        list_graphs,
    ),
    Command::new(
        "list_vertices",
        "",
        "Alias and label of every vertex in index order, one vertex per line.",
        list_vertices,
    ),
    Command::new(
        "list_neighbors",
        "VERTEX",
        "Neighbors of this vertex.",
        list_neighbors,
    ),
];

fn set_graph(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let text = unquoted(arguments.text())?;
    let words = match &text {
        Some(spec) => vec![spec.as_str()],
        None => arguments.rest().to_vec(),
    };
    if words.is_empty() {
        return Err(Failure::missing(
            "graph",
            "a board such as grid:9x9 or edges:a-b,b-c",
        ));
    }
    let reading = session.reading.clone();
    let read = || Spec::from_words(&words)?.reading(reading).build();
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

/// Returns the specification of a board from a file, with quotes and escapes in its path removed.
/// `file:a  b.gml`, `file:"a b.gml"`, and `"file:a b.gml"` all name files with spaces, also within
/// an operator such as `pick(file:"a b.g6",2)`. `None` if the text has no such form.
fn unquoted(text: &str) -> Result<Option<String>, Failure> {
    let is_file = |text: &str| {
        text.split(['+', '(', ','])
            .any(|part| part.trim().starts_with("file:"))
    };
    if text.starts_with('"') {
        let (spec, rest) = file(text, |_| true)?;
        return Ok((is_file(&spec) && rest.trim().is_empty()).then_some(spec));
    }
    // The path extends to the end of the text.
    match text.split_once("file:") {
        Some((before, path)) if is_file(text) && !before.contains(' ') => {
            // The end of an operator may follow the quotes.
            let (path, end) = match path.rsplit_once('"') {
                Some((quoted, end)) if before.contains('(') && path.starts_with('"') => {
                    (format!("{quoted}\""), end)
                }
                _ => (path.to_string(), ""),
            };
            let (path, rest) = file(&path, |_| true)?;
            Ok(rest
                .trim()
                .is_empty()
                .then(|| format!("{before}file:{path}{end}")))
        }
        _ => Ok(None),
    }
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
