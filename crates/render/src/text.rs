//! Positions as text: the alias grid with its letters and numbers.

use super::lattice::{self, Edges};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::goban::Goban;
use omnigo_graph::names::column_letters;
use omnigo_graph::space::Space;

/// Returns a position on the alias grid of its board, with an LF after every line. `X` and `O` are
/// stones, `.` is an empty vertex, and `+` is an empty one of `stars`. Row 1 is at the bottom. If
/// the last row is shorter than the others, it ends early. If the aliases follow a drawing, cells
/// without a vertex stay blank. On lattices, strokes join neighbors. Edges across sides, and edges
/// that no stroke shows, are listed below. `position` holds one point per vertex in index order.
/// The cost is one pass.
///
/// ```
/// use omnigo_base::color::Color;
/// use omnigo_graph::spec::Spec;
/// use omnigo_render::text::diagram;
/// let goban = "grid:3x2".parse::<Spec>().unwrap().build().unwrap();
/// let mut position = vec![None; 6];
/// position[1] = Some(Color::BLACK);
/// position[3] = Some(Color::WHITE);
/// assert_eq!(
///     diagram(&goban, &position, &[]),
///     concat!(
///         "  A B C\n",
///         "2 O . . 2\n",
///         "1 . X . 1\n",
///         "  A B C\n",
///     )
/// );
/// ```
pub fn diagram(goban: &Goban, position: &[Option<Color>], stars: &[Vertex]) -> String {
    let edges = lattice::edges(goban);
    let mut starred = vec![false; position.len()];
    for star in stars {
        if let Some(starred) = starred.get_mut(star.index()) {
            *starred = true;
        }
    }
    let symbol = |vertex: Vertex| {
        let star = starred.get(vertex.index()).copied().unwrap_or(false);
        let stone = position.get(vertex.index()).copied().flatten();
        stone.map_or(if star { '+' } else { '.' }, Color::symbol)
    };
    rows(goban, &edges, symbol) + &lattice::unseen(goban, &edges)
}

/// Returns the alias grid with these characters and, on lattices, strokes between them.
fn rows(goban: &Goban, edges: &Edges, symbol: impl Fn(Vertex) -> char) -> String {
    let names = &goban.names;
    let (width, height) = (names.width(), names.height());
    let margin = height.to_string().len();
    let cell = column_letters(width.saturating_sub(1)).len();
    let strokes = |line: usize| match edges {
        Edges::Drawn(canvas) => canvas.get(line).map(Vec::as_slice).unwrap_or_default(),
        Edges::Familiar | Edges::Hidden => &[],
    };
    let mut letters = " ".repeat(margin);
    for column in 0..width {
        letters.push_str(&format!(" {:>cell$}", column_letters(column)));
    }
    letters.push('\n');
    let mut diagram = String::with_capacity((height + 2) * (letters.len() + margin + 1));
    diagram.push_str(&letters);
    for row in (0..height).rev() {
        let between: String = strokes(2 * row + 1).iter().collect();
        if row + 1 < height && !between.trim().is_empty() {
            diagram.push_str(&format!("{:margin$} {}\n", "", between.trim_end()));
        }
        diagram.push_str(&format!("{:>margin$}", row + 1));
        let line = strokes(2 * row);
        let stroke = |x: Option<usize>| x.and_then(|x| line.get(x)).copied().unwrap_or(' ');
        for column in 0..width {
            let vertex = names.vertex_at(column, row);
            // A last row by index ends early; on a drawing, cells without a vertex occur anywhere.
            if vertex.is_none() && !names.follow_a_drawing() {
                break;
            }
            diagram.push_str(&" ".repeat(cell - 1));
            diagram.push(stroke((2 * column).checked_sub(1)));
            diagram.push(vertex.map_or(stroke(Some(2 * column)), &symbol));
        }
        diagram.push_str(&format!(" {}\n", row + 1));
    }
    diagram.push_str(&letters);
    diagram
}

/// Returns the placements of a go-space on the alias grid, as in [`diagram`], and then its points.
/// `X` and `O` are stones. `.` is a placement that has room, because its points are empty. `-` is a
/// placement without room that is not a stone: its points differ. The last line explains the two
/// signs.
pub fn space_diagram(goban: &Goban, space: &Space, position: &[Option<Color>]) -> String {
    let content = |point: &Vertex| position.get(point.index()).copied().flatten();
    let mut stones = Vec::with_capacity(space.placements());
    let mut mixed = Vec::new();
    for number in 0..space.placements() {
        let points = space.placement(number);
        let first = points.first().and_then(content);
        let uniform = points.iter().all(|point| content(point) == first);
        stones.push(first.filter(|_| uniform));
        if !uniform {
            mixed.push(number);
        }
    }
    let mut no_room = vec![false; space.placements()];
    for number in mixed {
        if let Some(no_room) = no_room.get_mut(number) {
            *no_room = true;
        }
    }
    // On a go-space, points are adjacent, not placements. The points come below.
    let mut text = rows(goban, &Edges::Familiar, |vertex: Vertex| {
        let number = vertex.index();
        let stone = stones.get(number).copied().flatten();
        let room = !no_room.get(number).copied().unwrap_or(false);
        stone.map_or(if room { '.' } else { '-' }, Color::symbol)
    });
    // Blocks of five, so that a point can be found by counting.
    const BLOCK: usize = 5;
    for (row, line) in position.chunks(10 * BLOCK).enumerate() {
        text.push_str(if row == 0 { "points" } else { "      " });
        for block in line.chunks(BLOCK) {
            text.push(' ');
            text.extend(block.iter().map(|point| point.map_or('.', Color::symbol)));
        }
        text.push('\n');
    }
    text.push_str("above, placements: . has room, - has none\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_graph::spec::Spec;

    fn empty(spec: &str) -> String {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        diagram(&goban, &vec![None; goban.graph.vertices()], &[])
    }

    #[test]
    fn handles_a_short_last_row_and_wide_columns() {
        assert_eq!(
            empty("path:7"),
            concat!(
                "  A B C\n3 . 3\n2 . . . 2\n1 . . . 1\n  A B C\n",
                "edges: A1-B1 B1-C1 C1-A2 A2-B2 B2-C2 C2-A3\n"
            )
        );
        let wide = empty("grid:27x2");
        let first = wide.lines().next().unwrap();
        assert!(
            first.starts_with("   A  B") && first.ends_with(" Z AA AB"),
            "{first}"
        );
        assert!(wide.lines().nth(1).unwrap().starts_with("2  .  ."));
    }

    #[test]
    fn every_line_has_a_visible_character() {
        for spec in ["grid:1", "grid:9", "grid:11x2", "star:5", "hypercube:0"] {
            assert!(
                empty(spec).lines().all(|line| !line.trim().is_empty()),
                "{spec}"
            );
        }
        let wide = empty("grid:100x100");
        assert_eq!(wide.lines().count(), 102);
    }

    #[test]
    fn lattices_are_drawn_with_their_edges() {
        assert_eq!(
            empty("hexhex:2"),
            concat!(
                "  A B C D E\n",
                "3   .---.   3\n",
                "   / \\ / \\\n",
                "2 .---.---. 2\n",
                "   \\ / \\ /\n",
                "1   .---.   1\n",
                "  A B C D E\n",
            )
        );
        let king = empty("king:3x2");
        assert_eq!(king.lines().nth(2), Some("  |X|X|"));
        let torus = empty("torus:3x3");
        assert!(torus.contains("across the sides: "), "{torus}");
        let petersen = empty("petersen");
        assert!(petersen.contains("edges: A1-B1 "), "{petersen}");
        let large = empty("torus:40x40");
        assert!(large.contains("across the sides: 80 (shown"), "{large}");
    }

    #[test]
    fn star_points_show_only_on_empty_points() {
        let goban = "grid:2".parse::<Spec>().unwrap().build().unwrap();
        let position = [Some(Color::WHITE), None, None, None];
        let stars = [Vertex::at(0), Vertex::at(1)];
        assert_eq!(
            diagram(&goban, &position, &stars),
            "  A B\n2 . . 2\n1 O + 1\n  A B\n"
        );
    }
}
