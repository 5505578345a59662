//! Positions as text: the alias grid with its letters and numbers.

use std::iter::once;

use anstyle::{Ansi256Color, Style};

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
    let sheet = rows(goban, &edges, symbols(position, stars), None);
    plain(&sheet) + &lattice::unseen(goban, &edges)
}

/// Returns a [`diagram`] for a terminal: the stone of the `last` move stands in parentheses. With
/// `colors`, stones are discs on a wooden board, drawn with escape sequences for 256 colors.
///
/// ```
/// use omnigo_base::color::Color;
/// use omnigo_graph::spec::Spec;
/// use omnigo_render::text::diagram_for_people;
/// use omnigo_base::vertex::Vertex;
/// let goban = "grid:3x1".parse::<Spec>().unwrap().build().unwrap();
/// let position = [None, Some(Color::BLACK), None];
/// assert_eq!(
///     diagram_for_people(&goban, &position, &[], Some(Vertex::at(1)), false),
///     "  A B C\n1 .(X). 1\n  A B C\n"
/// );
/// ```
pub fn diagram_for_people(
    goban: &Goban,
    position: &[Option<Color>],
    stars: &[Vertex],
    last: Option<Vertex>,
    colors: bool,
) -> String {
    let edges = lattice::edges(goban);
    let sheet = rows(goban, &edges, symbols(position, stars), last);
    let drawn = match colors {
        true => painted(&sheet),
        false => plain(&sheet),
    };
    drawn + &lattice::unseen(goban, &edges)
}

/// Returns the character and the ink of each vertex of a position.
fn symbols<'a>(
    position: &'a [Option<Color>],
    stars: &[Vertex],
) -> impl Fn(Vertex) -> Sign + use<'a> {
    let mut starred = vec![false; position.len()];
    for star in stars {
        if let Some(starred) = starred.get_mut(star.index()) {
            *starred = true;
        }
    }
    move |vertex: Vertex| {
        let star = starred.get(vertex.index()).copied().unwrap_or(false);
        match position.get(vertex.index()).copied().flatten() {
            Some(color) => (color.symbol(), Ink::Stone(color)),
            None if star => ('+', Ink::Line),
            None => ('.', Ink::Line),
        }
    }
}

/// Part of a diagram that a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    /// Letters and numbers around the board.
    Frame,
    /// Empty vertices, edges, and gaps.
    Line,
    /// Stone of this color.
    Stone(Color),
    /// Parentheses around the last move.
    Mark,
}

/// Character of a diagram and its part.
type Sign = (char, Ink);

/// Returns the alias grid with these characters and, on lattices, strokes between them. The vertex
/// `last` stands in parentheses.
fn rows(
    goban: &Goban,
    edges: &Edges,
    symbol: impl Fn(Vertex) -> Sign,
    last: Option<Vertex>,
) -> Vec<Vec<Sign>> {
    let names = &goban.names;
    let (width, height) = (names.width(), names.height());
    let margin = height.to_string().len();
    let cell = column_letters(width.saturating_sub(1)).len();
    let strokes = |line: usize| match edges {
        Edges::Drawn(canvas) => canvas.get(line).map(Vec::as_slice).unwrap_or_default(),
        Edges::Familiar | Edges::Hidden => &[],
    };
    let frame = |text: String| text.chars().map(|c| (c, Ink::Frame)).collect::<Vec<Sign>>();
    let mut letters = " ".repeat(margin);
    for column in 0..width {
        letters.push_str(&format!(" {:>cell$}", column_letters(column)));
    }
    let mut sheet = Vec::with_capacity(height + 2);
    sheet.push(frame(letters.clone()));
    for row in (0..height).rev() {
        let between = strokes(2 * row + 1);
        if row + 1 < height && between.iter().any(|c| !c.is_whitespace()) {
            let mut line = frame(" ".repeat(margin));
            // A blank on each side, as wide as the rows of vertices.
            let padded = once(' ').chain(between.iter().copied()).chain(once(' '));
            line.extend(padded.map(|c| (c, Ink::Line)));
            sheet.push(line);
        }
        let mut line = frame(format!("{:>margin$}", row + 1));
        let drawn = strokes(2 * row);
        let stroke = |x: Option<usize>| x.and_then(|x| drawn.get(x)).copied().unwrap_or(' ');
        let mut closes = false;
        for column in 0..width {
            let vertex = names.vertex_at(column, row);
            // A last row by index ends early; on a drawing, cells without a vertex occur anywhere.
            if vertex.is_none() && !names.follow_a_drawing() {
                break;
            }
            let opens = vertex.is_some() && vertex == last;
            for place in 1..=cell {
                line.push(match (place == cell && opens, place == 1 && closes) {
                    (true, _) => ('(', Ink::Mark),
                    (false, true) => (')', Ink::Mark),
                    (false, false) if place == cell => {
                        (stroke((2 * column).checked_sub(1)), Ink::Line)
                    }
                    (false, false) => (' ', Ink::Line),
                });
            }
            line.push(vertex.map_or_else(|| (stroke(Some(2 * column)), Ink::Line), &symbol));
            closes = opens;
        }
        line.push(if closes {
            (')', Ink::Mark)
        } else {
            (' ', Ink::Line)
        });
        line.extend(frame((row + 1).to_string()));
        sheet.push(line);
    }
    sheet.push(frame(letters));
    sheet
}

/// Returns the characters, with an LF after every line.
fn plain(sheet: &[Vec<Sign>]) -> String {
    let mut text = String::with_capacity(sheet.iter().map(|line| line.len() + 1).sum());
    for line in sheet {
        let start = text.len();
        text.extend(line.iter().map(|(c, _)| c));
        let end = text.trim_end_matches(' ').len();
        text.truncate(end.max(start));
        text.push('\n');
    }
    text
}

/// Colors of the 256-color palette: the board, its lines, the mark of the last move.
const WOOD: Ansi256Color = Ansi256Color(179);
const LINES: Ansi256Color = Ansi256Color(94);
const MARK: Ansi256Color = Ansi256Color(88);
/// Colors of the 256-color palette for the stones of each player, Black first.
const STONES: [Ansi256Color; Color::MAX] = [
    Ansi256Color(16),
    Ansi256Color(231),
    Ansi256Color(160),
    Ansi256Color(20),
    Ansi256Color(28),
    Ansi256Color(226),
    Ansi256Color(90),
    Ansi256Color(202),
];

/// Returns the characters with escape sequences for colors, and an LF after every line.
fn painted(sheet: &[Vec<Sign>]) -> String {
    let mut text = String::new();
    for line in sheet {
        for run in line.chunk_by(|a, b| a.1 == b.1) {
            let Some(&(_, ink)) = run.first() else {
                continue;
            };
            let color = match ink {
                Ink::Frame => None,
                Ink::Line => Some(LINES),
                Ink::Mark => Some(MARK),
                Ink::Stone(color) => Some(STONES.get(color.index()).copied().unwrap_or(LINES)),
            };
            let characters = run.iter().map(|&(c, ink)| match (c, ink) {
                (_, Ink::Stone(_)) => '●',
                ('.', Ink::Line) => '·',
                (c, _) => c,
            });
            let Some(color) = color else {
                text.extend(characters);
                continue;
            };
            let style = Style::new()
                .fg_color(Some(color.into()))
                .bg_color(Some(WOOD.into()));
            text.push_str(&style.render().to_string());
            text.extend(characters);
            text.push_str(&style.render_reset().to_string());
        }
        text.push('\n');
    }
    text
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
    let symbol = |vertex: Vertex| {
        let number = vertex.index();
        let stone = stones.get(number).copied().flatten();
        let room = !no_room.get(number).copied().unwrap_or(false);
        let sign = stone.map_or(if room { '.' } else { '-' }, Color::symbol);
        (sign, Ink::Line)
    };
    let mut text = plain(&rows(goban, &Edges::Familiar, symbol, None));
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
    fn missing_edges_of_a_grid_are_not_drawn() {
        let cut = concat!("  A B\n", "2 .-. 2\n", "  | |\n", "1 . . 1\n", "  A B\n",);
        assert_eq!(empty("remove(grid:2,A1-B1)"), cut);
        assert_eq!(empty("brick:3x2").lines().nth(2), Some("  |   |"));
        assert!(empty("remove(torus:4,B2-B3)").contains('|'));
        assert!(empty("remove(torus:4,A1-D1)").lines().nth(1) == Some("4 . . . . 4"));
        let projective = empty("projective:2x2");
        assert!(
            projective.ends_with("across the sides: B1-A2 A1-B2\n"),
            "{projective}"
        );
    }

    #[test]
    fn the_last_move_stands_in_parentheses() {
        let marked = |spec: &str, last: &str| {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            let last = goban.names.find(last).unwrap();
            let mut position = vec![None; goban.graph.vertices()];
            position[last.index()] = Some(Color::WHITE);
            diagram_for_people(&goban, &position, &[], Some(last), false)
        };
        let line = |text: String, number: usize| text.lines().nth(number).unwrap().to_string();
        assert_eq!(line(marked("grid:2", "A1"), 2), "1(O). 1");
        assert_eq!(line(marked("grid:2", "B1"), 2), "1 .(O)1");
        assert!(line(marked("grid:27x1", "B1"), 1).starts_with("1  . (O) .  ."));
        assert!(marked("hexhex:2", "C2").contains(".--(O)--."));
    }

    #[test]
    fn colors_change_no_text() {
        for spec in ["grid:3", "hexhex:2", "path:7", "torus:3x3"] {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            let position = vec![None; goban.graph.vertices()];
            let drawn = |colors| diagram_for_people(&goban, &position, &[], None, colors);
            let stripped = anstream::adapter::strip_str(&drawn(true)).to_string();
            let lines = stripped
                .lines()
                .map(|line| line.trim_end().replace('·', "."));
            assert!(lines.eq(drawn(false).lines()), "{spec}: {stripped}");
        }
        let goban = "grid:2".parse::<Spec>().unwrap().build().unwrap();
        let position = [Some(Color::BLACK), None, None, None];
        let painted = diagram_for_people(&goban, &position, &[], None, true);
        assert!(
            painted.contains("\u{1b}[38;5;16m\u{1b}[48;5;179m●"),
            "{painted:?}"
        );
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
