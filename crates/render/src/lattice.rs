//! Edges in text diagrams: lattices drawn with their edges, and lists of the edges that a diagram
//! cannot show.

use std::collections::HashSet;

use omnigo_base::vertex::Vertex;
use omnigo_graph::drawing::Drawing;
use omnigo_graph::goban::Goban;

/// Maximum width and height of a lattice that is drawn with its edges. Up to 25, each column has a
/// name of one letter.
const MOST_SIDE: usize = 25;
/// Maximum number of edges that are listed one by one; of more edges, only the number is shown.
const MOST_LISTED: usize = 60;
/// Number of edges per line of a list.
const IN_A_LINE: usize = 10;

/// Relation between the edges of a board and its alias grid, the grid of vertex names.
pub(super) enum Edges {
    /// A grid whose edges join all neighbors in a row or column, and no other vertices except
    /// across its sides.
    Familiar,
    /// Each edge runs along a row, a column, or a short diagonal. The strokes lie between the rows
    /// and columns of the grid: `2h - 1` rows of `2w - 1` characters, the lowest row first.
    Drawn(Vec<Vec<char>>),
    /// Some edges do not follow the grid, the grid is too large, or there is no drawing.
    Hidden,
}

/// Returns the edges that are not across a side.
fn straight(goban: &Goban) -> Vec<(Vertex, Vertex)> {
    let across: HashSet<(Vertex, Vertex)> = wraps(goban).into_iter().collect();
    let pairs = goban.graph.pairs();
    let edges = pairs.map(|(a, b)| (Vertex::at(a), Vertex::at(b)));
    edges.filter(|edge| !across.contains(edge)).collect()
}

/// Returns the edges across a side of the drawing, such as those of a torus, each once, the lower
/// vertex first. Across two sides, a small drawing joins the same vertices twice.
fn wraps(goban: &Goban) -> Vec<(Vertex, Vertex)> {
    let ends = |drawing: &Drawing| {
        let mut listed = HashSet::new();
        let wraps = drawing.wraps.iter().map(|wrap| {
            let [a, b] = wrap.ends;
            (a.min(b), a.max(b))
        });
        wraps.filter(|&edge| listed.insert(edge)).collect()
    };
    goban.drawing.as_ref().map(ends).unwrap_or_default()
}

/// Returns the relation between the edges of a board and its alias grid.
pub(super) fn edges(goban: &Goban) -> Edges {
    if goban.rectangle.is_some() {
        return Edges::Familiar;
    }
    let names = &goban.names;
    let (width, height) = (names.width(), names.height());
    let vertices = goban.graph.vertices();
    let steps: Vec<[(usize, usize); 2]> = straight(goban)
        .into_iter()
        .map(|(a, b)| {
            let (a, b) = (names.cell(a), names.cell(b));
            if (a.1, a.0) <= (b.1, b.0) {
                [a, b]
            } else {
                [b, a]
            }
        })
        .collect();
    let is_unit = |[a, b]: &[(usize, usize); 2]| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    // Without a drawing, the rows follow the index, so neighboring cells mean nothing, even if they
    // match the edges.
    let follows = goban.drawing.is_some();
    // Every edge is listed once, so unit steps are all steps of the grid if there are as many.
    let full = (2 * width * height).saturating_sub(width + height);
    let is_full = width * height == vertices && steps.len() == full;
    if follows && is_full && steps.iter().all(is_unit) {
        return Edges::Familiar;
    }
    if !follows || width > MOST_SIDE || height > MOST_SIDE || vertices == 0 {
        return Edges::Hidden;
    }
    let mut canvas = vec![vec![' '; 2 * width - 1]; 2 * height - 1];
    for [a, b] in steps {
        if stroke(goban, &mut canvas, a, b).is_none() {
            return Edges::Hidden;
        }
    }
    Edges::Drawn(canvas)
}

/// Draws an edge from the lower cell to the higher one, and from left to right in a row. Returns
/// `None` if no stroke can show it.
fn stroke(
    goban: &Goban,
    canvas: &mut [Vec<char>],
    (column, row): (usize, usize),
    (to_column, to_row): (usize, usize),
) -> Option<()> {
    let empty = |column, row| goban.names.vertex_at(column, row).is_none();
    let mut put = |x: usize, y: usize, stroke: char| {
        let cell = canvas.get_mut(y)?.get_mut(x)?;
        *cell = match (*cell, stroke) {
            ('/', '\\') | ('\\', '/') => 'X',
            _ => stroke,
        };
        Some(())
    };
    if row == to_row {
        let (left, right) = (column.min(to_column), column.max(to_column));
        if !(left + 1..right).all(|column| empty(column, row)) {
            return None;
        }
        return (2 * left + 1..2 * right).try_for_each(|x| put(x, 2 * row, '-'));
    }
    if column == to_column {
        if !(row + 1..to_row).all(|row| empty(column, row)) {
            return None;
        }
        return (2 * row + 1..2 * to_row).try_for_each(|y| put(2 * column, y, '|'));
    }
    if to_row != row + 1 {
        return None;
    }
    if to_column == column + 1 {
        put(2 * column + 1, 2 * row + 1, '/')
    } else if to_column + 1 == column {
        put(2 * to_column + 1, 2 * row + 1, '\\')
    } else {
        None
    }
}

/// Lists the edges that a diagram does not show: those across sides, and all others if none are
/// drawn.
pub(super) fn unseen(goban: &Goban, edges: &Edges) -> String {
    let mut text = list(goban, "across the sides", &wraps(goban));
    match edges {
        Edges::Familiar | Edges::Drawn(_) => {}
        Edges::Hidden => text.push_str(&list(goban, "edges", &straight(goban))),
    }
    text
}

/// Lists edges by the aliases of their ends, in lines after `what`. Above [`MOST_LISTED`], gives
/// only their number.
fn list(goban: &Goban, what: &str, edges: &[(Vertex, Vertex)]) -> String {
    if edges.is_empty() {
        return String::new();
    }
    if edges.len() > MOST_LISTED {
        let count = edges.len();
        return format!("{what}: {count} (shown by list_neighbors VERTEX)\n");
    }
    let mut text = String::new();
    for (number, line) in edges.chunks(IN_A_LINE).enumerate() {
        if number == 0 {
            text.push_str(what);
            text.push(':');
        } else {
            text.push_str(&" ".repeat(what.len() + 1));
        }
        for &(a, b) in line {
            text.push_str(&format!(
                " {}-{}",
                goban.names.alias(a),
                goban.names.alias(b)
            ));
        }
        text.push('\n');
    }
    text
}
