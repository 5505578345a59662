//! A position as text: the alias grid with its letters and numbers.

use crate::color::Color;
use crate::graph::goban::Goban;
use crate::graph::names::column_letters;
use crate::graph::space::Space;
use crate::vertex::Vertex;

/// The position on the alias grid of its board, every line with an LF: `X` and `O` are stones, `.` is an empty vertex,
/// `+` one of `stars`. Row 1 is at the bottom; a last row that is shorter than the others ends early, and where the aliases
/// follow a drawing, cells without a vertex stay blank. `position` holds a
/// point a vertex in index order. The cost is one pass.
///
/// ```
/// use omnigo::color::Color;
/// use omnigo::graph::spec::Spec;
/// use omnigo::render::text::diagram;
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
    let names = &goban.names;
    let (width, height) = (names.width(), names.height());
    let margin = height.to_string().len();
    let cell = column_letters(width.saturating_sub(1)).len();
    let mut starred = vec![false; position.len()];
    for star in stars {
        if let Some(starred) = starred.get_mut(star.index()) {
            *starred = true;
        }
    }

    let mut letters = " ".repeat(margin);
    for column in 0..width {
        letters.push_str(&format!(" {:>cell$}", column_letters(column)));
    }
    letters.push('\n');
    let mut diagram = String::with_capacity((height + 2) * (letters.len() + margin + 1));
    diagram.push_str(&letters);
    for row in (0..height).rev() {
        diagram.push_str(&format!("{:>margin$}", row + 1));
        for column in 0..width {
            let vertex = names.vertex_at(column, row);
            // A last row by index ends early; on a drawing there are cells without a vertex.
            if vertex.is_none() && !names.follow_a_drawing() {
                break;
            }
            for _ in 0..cell {
                diagram.push(' ');
            }
            diagram.push(vertex.map_or(' ', |vertex| {
                let star = starred.get(vertex.index()).copied().unwrap_or(false);
                let stone = position.get(vertex.index()).copied().flatten();
                stone.map_or(if star { '+' } else { '.' }, Color::symbol)
            }));
        }
        diagram.push_str(&format!(" {}\n", row + 1));
    }
    diagram.push_str(&letters);
    diagram
}

/// The placements of a go-space on the alias grid, as in [`diagram`], then its points where a placement is not simply one:
/// `X` and `O` are stones, `.` is a legal placement, `+` one that has no room and is no stone.
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
            mixed.push(Vertex::at(number));
        }
    }
    let mut text = diagram(goban, &stones, &mixed);
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
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::spec::Spec;

    fn empty(spec: &str) -> String {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        diagram(&goban, &vec![None; goban.graph.vertices()], &[])
    }

    #[test]
    fn a_short_last_row_and_wide_columns() {
        assert_eq!(
            empty("path:7"),
            "  A B C\n3 . 3\n2 . . . 2\n1 . . . 1\n  A B C\n"
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
    fn stars_show_where_no_stone_stands() {
        let goban = "grid:2".parse::<Spec>().unwrap().build().unwrap();
        let position = [Some(Color::WHITE), None, None, None];
        let stars = [Vertex::at(0), Vertex::at(1)];
        assert_eq!(
            diagram(&goban, &position, &stars),
            "  A B\n2 . . 2\n1 O + 1\n  A B\n"
        );
    }
}
