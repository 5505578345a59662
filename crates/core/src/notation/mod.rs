//! Text of moves, vertices, and positions, as commands, subcommands, and queries read and write it.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod position;

use omnigo_base::text::{did_you_mean, quote};
use omnigo_base::vertex::{Move, Vertex};
use omnigo_graph::goban::Goban;
use omnigo_graph::names::Names;

pub use position::{PositionError, expected_position, read_position};

/// Reads a vertex or `pass`. `None` if the text is neither.
pub fn read_move(goban: &Goban, text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    vertex(goban, text).map(Move::Place)
}

/// Returns the vertex with this alias or label, or `None`.
pub fn vertex(goban: &Goban, text: &str) -> Option<Vertex> {
    goban.names.find(text)
}

/// Returns the text of a move in answers.
pub fn move_text(goban: &Goban, mv: Move) -> String {
    move_alias(&goban.names, mv)
}

/// Returns the text of a move: the alias of its vertex, or `pass`.
pub fn move_alias(names: &Names, mv: Move) -> String {
    match mv {
        Move::Place(vertex) => names.alias(vertex),
        Move::Pass => "pass".to_string(),
    }
}

/// Returns the text of a move for people: the alias of its vertex with a given label that differs,
/// as in `A1 (hub)`, or `pass`.
pub fn move_for_people(names: &Names, mv: Move) -> String {
    match mv {
        Move::Place(vertex) => names.for_people(vertex),
        Move::Pass => "pass".to_string(),
    }
}

/// Returns the text of a move in files: the label of its vertex, or `pass`.
pub fn move_label(names: &Names, mv: Move) -> String {
    match mv {
        Move::Place(vertex) => names.label(vertex).into_owned(),
        Move::Pass => "pass".to_string(),
    }
}

/// Returns the aliases of these vertices, separated by spaces.
pub fn vertex_list(goban: &Goban, vertices: impl IntoIterator<Item = Vertex>) -> String {
    let mut list = String::new();
    for vertex in vertices {
        if !list.is_empty() {
            list.push(' ');
        }
        list.push_str(&goban.names.alias(vertex));
    }
    list
}

/// Returns the end of a message about a name that is no vertex: the most similar label that the
/// board was given, or empty text.
pub fn label_suggestion(goban: &Goban, text: &str) -> String {
    /// Maximum number of labels that are compared, which bounds the time.
    const MOST: usize = 2000;
    let names = &goban.names;
    if !names.are_given() || names.vertices() > MOST {
        return String::new();
    }
    let vertices = (0..names.vertices()).filter_map(Vertex::from_index);
    let labels = vertices.map(|vertex| (vertex, names.label(vertex)));
    // A label that reads like the alias of another vertex would lead there.
    let usable = labels.filter(|(vertex, label)| names.find(label) == Some(*vertex));
    let labels: Vec<_> = usable.map(|(_, label)| label).collect();
    did_you_mean(text, labels.iter().map(AsRef::as_ref))
}

/// Explains that `text` is not a vertex of this board, and says which are.
pub fn vertex_problem(goban: &Goban, text: &str) -> String {
    /// Maximum number of vertices that are listed.
    const MOST: usize = 12;
    let place = |vertex: &Vertex| goban.names.cell(*vertex);
    let mut vertices: Vec<Vertex> = (0..goban.graph.vertices())
        .filter_map(Vertex::from_index)
        .collect();
    vertices.sort_unstable_by_key(place);
    let problem = format!("vertex '{}' is not on this board", quote(text));
    let (Some(first), Some(last)) = (vertices.first(), vertices.last()) else {
        return format!("{problem}, which has no vertices");
    };
    // The first and the last vertex describe a rectangle, and no other set of cells.
    let ((left, low), (right, high)) = (place(first), place(last));
    let is_rectangle = low <= high && vertices.len() == (right - left + 1) * (high - low + 1);
    if is_rectangle {
        let [first, last] = [first, last].map(|vertex| goban.names.alias(*vertex));
        return format!("{problem}, expected one of {first} to {last}");
    }
    let more = if vertices.len() > MOST { " …" } else { "" };
    let list = vertex_list(goban, vertices.into_iter().take(MOST));
    format!("{problem}, expected one of {list}{more}")
}
