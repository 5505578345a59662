//! Game records in SGF, file formats 3 and 4.
//!
//! Properties are read and written by the crate `sgf-parse`. It holds a game as nodes inside nodes, which a file of
//! millions of nodes would turn into as deep a recursion; therefore the outline of the file (brackets and semicolons) is
//! read here, and only the main line of the first game goes to the library, node by node.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sgf_parse::go::{Move as SgfMove, Point, Prop};
use sgf_parse::{Color as SgfColor, SgfNode, SgfProp};

use crate::color::Color;
use crate::rules::Points;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// The longest side of a board that SGF has letters for.
pub const LONGEST: usize = 52;
/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// The main line of a game on a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Points for White, rounded to halves, where the record tells.
    pub komi: Option<Points>,
    /// Name of the rules, where the record tells.
    pub rules: Option<String>,
    /// The position before the first move, in index order, row by row from A1.
    pub start: Vec<Option<Color>>,
    /// The player of the first move, where the record tells.
    pub to_move: Option<Color>,
    /// What follows.
    pub steps: Vec<Step>,
}

/// One thing that happens in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move.
    Play(Color, Move),
    /// Stones are put or taken outside of play: a new position starts here.
    Setup {
        /// The vertices that change.
        points: Vec<(Vertex, Option<Color>)>,
        /// The next player, where the record tells.
        to_move: Option<Color>,
    },
}

/// A file is no record of a game that can be read here.
#[derive(Debug, thiserror::Error)]
pub enum SgfError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
    /// Not a file with an end.
    #[error("not a regular file")]
    NotAFile,
    /// More than [`MAX_FILE`] bytes.
    #[error("more than {} MiB", MAX_FILE >> 20)]
    TooLarge,
    /// There is no game.
    #[error("no game, expected text that begins with (;")]
    NoGame,
    /// The file ends inside a game.
    #[error("the file ends inside a game")]
    CutShort,
    /// A node that the library cannot read.
    #[error("node {node}: {problem}")]
    Node {
        /// Number of the node in the main line, from 1.
        node: usize,
        /// What the library says.
        problem: String,
    },
    /// A property with a value that makes no sense.
    #[error("node {node}: {property}[{value}], expected {expected}")]
    Value {
        /// Number of the node in the main line, from 1.
        node: usize,
        /// The property.
        property: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: String,
    },
}

/// Reads a file.
///
/// # Errors
/// When there is no such file, or it is too large, or holds no game.
pub fn read(path: &Path) -> Result<GameRecord, SgfError> {
    if !fs::metadata(path)?.is_file() {
        return Err(SgfError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(SgfError::TooLarge);
    }
    // Moves are ASCII in every encoding that is in use; only comments suffer, which nobody reads here.
    parse(&String::from_utf8_lossy(&bytes))
}

/// Reads the text of a file.
///
/// ```
/// use omnigo::record::sgf::{Step, parse};
/// let game = parse("(;SZ[9]KM[6.5];B[ee];W[cc](;B[])(;B[gg]))").unwrap();
/// assert_eq!((game.width, game.height, game.steps.len()), (9, 9, 3));
/// assert!(parse("(;SZ[60];B[ee])").is_err());
/// ```
///
/// # Errors
/// When the text holds no game.
pub fn parse(text: &str) -> Result<GameRecord, SgfError> {
    let mut game: Option<Reader> = None;
    let mut node = 0;
    main_line(text, |text| {
        node += 1;
        let properties = properties(text, node)?;
        match &mut game {
            None => game = Some(Reader::root(properties)?),
            Some(game) => game.node(node, properties)?,
        }
        Ok(())
    })?;
    game.map(|game| game.record).ok_or(SgfError::NoGame)
}

/// Visits the text of each node of the main line of the first game, without its semicolon.
fn main_line(
    text: &str,
    mut visit: impl FnMut(&str) -> Result<(), SgfError>,
) -> Result<(), SgfError> {
    let mut start: Option<usize> = None;
    let mut depth = 0usize;
    let mut ended = false;
    let (mut in_value, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_value {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => in_value = false,
                _ => {}
            }
            continue;
        }
        if matches!(byte, b'(' | b')' | b';')
            && let Some(start) = start.take()
        {
            visit(text.get(start..at).unwrap_or_default())?;
        }
        match byte {
            // Other text may stand before the first game.
            b'[' if depth > 0 => in_value = true,
            b'(' => depth += 1,
            b')' if depth > 0 => {
                // The first variation that ends is the main line's.
                ended = true;
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
            b';' if depth > 0 && !ended => start = Some(at + 1),
            _ => {}
        }
    }
    Err(if depth > 0 { SgfError::CutShort } else { SgfError::NoGame })
}

/// The properties of a node.
fn properties(text: &str, node: usize) -> Result<Vec<Prop>, SgfError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let problem = |problem: String| SgfError::Node { node, problem };
    let games =
        sgf_parse::go::parse(&format!("(;{text})")).map_err(|error| problem(error.to_string()))?;
    let game = games
        .into_iter()
        .next()
        .ok_or_else(|| problem("empty".to_string()))?;
    Ok(game.properties)
}

/// A record that grows node by node.
struct Reader {
    record: GameRecord,
}

impl Reader {
    fn root(properties: Vec<Prop>) -> Result<Reader, SgfError> {
        let bad = |property: &str, value: String, expected: &str| SgfError::Value {
            node: 1,
            property: property.to_string(),
            value,
            expected: expected.to_string(),
        };
        const SIZES: &str = "a size from 1 to 52 or WIDTH:HEIGHT";
        let (mut width, mut height) = (19, 19);
        let mut komi = None;
        let mut rules = None;
        let mut handicap = 0;
        for property in &properties {
            match property {
                Prop::SZ((w, h)) => {
                    (width, height) = (usize::from(*w), usize::from(*h));
                    if ![width, height]
                        .iter()
                        .all(|side| (1..=LONGEST).contains(side))
                    {
                        return Err(bad("SZ", format!("{width}:{height}"), SIZES));
                    }
                }
                Prop::KM(points) => {
                    let (points, _) = Points::round_from(*points)
                        .ok_or_else(|| bad("KM", points.to_string(), "a number of points"))?;
                    komi = Some(points);
                }
                Prop::RU(name) => rules = Some(name.text.clone()),
                Prop::HA(stones) => handicap = *stones,
                Prop::Invalid(name, values) => {
                    let value = quote(&values.join("]["));
                    match name.as_str() {
                        "SZ" => return Err(bad("SZ", value, SIZES)),
                        // Programs write an empty komi where they know none.
                        "KM" if !value.trim().is_empty() => {
                            return Err(bad("KM", value, "a number of points"));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let record = GameRecord {
            width,
            height,
            komi,
            rules,
            start: vec![None; width * height],
            to_move: (handicap >= 2).then_some(Color::WHITE),
            steps: Vec::new(),
        };
        let mut reader = Reader { record };
        reader.node(1, properties)?;
        Ok(reader)
    }

    fn node(&mut self, node: usize, properties: Vec<Prop>) -> Result<(), SgfError> {
        // Some programs put set-up and a move into one node, in any order; set-up comes first then.
        let mut points = Vec::new();
        let mut to_move = None;
        let mut moves = Vec::new();
        for property in properties {
            match property {
                Prop::AB(list) => self.setup(&mut points, list, Some(Color::BLACK), "AB", node)?,
                Prop::AW(list) => self.setup(&mut points, list, Some(Color::WHITE), "AW", node)?,
                Prop::AE(list) => self.setup(&mut points, list, None, "AE", node)?,
                Prop::PL(SgfColor::Black) => to_move = Some(Color::BLACK),
                Prop::PL(SgfColor::White) => to_move = Some(Color::WHITE),
                Prop::B(mv) => moves.push((Color::BLACK, self.mv(mv, "B", node)?)),
                Prop::W(mv) => moves.push((Color::WHITE, self.mv(mv, "W", node)?)),
                Prop::Invalid(name, values) => {
                    let expected = match name.as_str() {
                        "B" | "W" => "a vertex of two letters or nothing",
                        "AB" | "AW" | "AE" => "vertices of two letters",
                        // Older programs write numbers or words.
                        "PL" => {
                            to_move = match values.first().and_then(|v| v.bytes().next()) {
                                Some(b'B' | b'b' | b'1') => Some(Color::BLACK),
                                Some(b'W' | b'w' | b'2') => Some(Color::WHITE),
                                _ => to_move,
                            };
                            continue;
                        }
                        _ => continue,
                    };
                    let value = quote(&values.join("]["));
                    return Err(SgfError::Value {
                        node,
                        property: name,
                        value,
                        expected: expected.to_string(),
                    });
                }
                _ => {}
            }
        }
        self.set_up(points, to_move);
        self.record
            .steps
            .extend(moves.into_iter().map(|(color, mv)| Step::Play(color, mv)));
        Ok(())
    }

    /// Before the first move set-up changes the start, later it is a step.
    fn set_up(&mut self, points: Vec<(Vertex, Option<Color>)>, to_move: Option<Color>) {
        if self.record.steps.is_empty() {
            for (vertex, point) in points {
                if let Some(place) = self.record.start.get_mut(vertex.index()) {
                    *place = point;
                }
            }
            self.record.to_move = to_move.or(self.record.to_move);
        } else if !points.is_empty() || to_move.is_some() {
            self.record.steps.push(Step::Setup { points, to_move });
        }
    }

    fn setup(
        &self,
        points: &mut Vec<(Vertex, Option<Color>)>,
        list: impl IntoIterator<Item = Point>,
        color: Option<Color>,
        property: &str,
        node: usize,
    ) -> Result<(), SgfError> {
        for point in list {
            points.push((self.vertex(point, property, node)?, color));
        }
        Ok(())
    }

    fn mv(&self, mv: SgfMove, property: &str, node: usize) -> Result<Move, SgfError> {
        match mv {
            SgfMove::Pass => Ok(Move::Pass),
            // File format 3 has no empty move: `tt` is the pass of boards that end before t.
            SgfMove::Move(Point { x: 19, y: 19 })
                if self.record.width <= 19 && self.record.height <= 19 =>
            {
                Ok(Move::Pass)
            }
            SgfMove::Move(point) => self.vertex(point, property, node).map(Move::Place),
        }
    }

    fn vertex(&self, point: Point, property: &str, node: usize) -> Result<Vertex, SgfError> {
        let (column, row) = (usize::from(point.x), usize::from(point.y));
        let (width, height) = (self.record.width, self.record.height);
        if column >= width || row >= height {
            return Err(SgfError::Value {
                node,
                property: property.to_string(),
                value: letters(point),
                expected: format!("a vertex of a {width}x{height} board"),
            });
        }
        Ok(Vertex::at((height - 1 - row) * width + column))
    }
}

/// A point as SGF writes it.
fn letters(point: Point) -> String {
    let letter = |side: u8| {
        if side < 26 {
            char::from(b'a' + side)
        } else {
            char::from(b'A' + side % 26)
        }
    };
    format!("{}{}", letter(point.x), letter(point.y))
}

impl GameRecord {
    /// The point of a vertex, `None` outside of the board.
    fn point(&self, vertex: Vertex) -> Option<Point> {
        let row = vertex
            .index()
            .checked_div(self.width)
            .filter(|&row| row < self.height)?;
        let x = u8::try_from(vertex.index() % self.width).ok()?;
        let y = u8::try_from(self.height - 1 - row).ok()?;
        Some(Point { x, y })
    }

    /// The record as the text of a file in format 4, a node a line; no line is blank.
    ///
    /// # Errors
    /// When a side is longer than [`LONGEST`] or zero.
    pub fn write(&self) -> Result<String, SgfError> {
        if ![self.width, self.height]
            .iter()
            .all(|side| (1..=LONGEST).contains(side))
        {
            return Err(SgfError::Value {
                node: 1,
                property: "SZ".to_string(),
                value: format!("{}:{}", self.width, self.height),
                expected: "sides from 1 to 52".to_string(),
            });
        }
        let size = if self.width == self.height {
            self.width.to_string()
        } else {
            format!("{}:{}", self.width, self.height)
        };
        let one = |name: &str, value: String| Prop::new(name.to_string(), vec![value]);
        let mut root = vec![
            one("GM", "1".to_string()),
            one("FF", "4".to_string()),
            one("CA", "UTF-8".to_string()),
            one(
                "AP",
                concat!("omnigo:", env!("CARGO_PKG_VERSION")).to_string(),
            ),
            // The library writes a square as WIDTH:HEIGHT, which the format forbids.
            Prop::Unknown("SZ".to_string(), vec![size]),
        ];
        root.extend(self.komi.map(|komi| one("KM", komi.to_string())));
        root.extend(
            self.rules
                .as_ref()
                .map(|rules| Prop::RU(rules.as_str().into())),
        );
        let setup = self
            .start
            .iter()
            .enumerate()
            .map(|(index, &point)| (Vertex::at(index), point));
        root.extend(self.setup_properties(setup.filter(|(_, point)| point.is_some())));
        root.extend(self.to_move.and_then(player));
        let mut text = format!("({}", node(root));
        for step in &self.steps {
            let properties: Vec<Prop> = match step {
                Step::Play(color, mv) => {
                    let value = match mv {
                        Move::Pass => String::new(),
                        Move::Place(vertex) => self.point(*vertex).map(letters).unwrap_or_default(),
                    };
                    vec![one(if *color == Color::BLACK { "B" } else { "W" }, value)]
                }
                Step::Setup { points, to_move } => self
                    .setup_properties(points.iter().copied())
                    .chain(to_move.and_then(player))
                    .collect(),
            };
            text.push('\n');
            text.push_str(&node(properties));
        }
        text.push(')');
        Ok(text)
    }

    /// One property for each color that occurs, its points in index order.
    fn setup_properties(
        &self,
        points: impl Iterator<Item = (Vertex, Option<Color>)>,
    ) -> impl Iterator<Item = Prop> {
        let mut lists = [("AB", Vec::new()), ("AW", Vec::new()), ("AE", Vec::new())];
        for (vertex, point) in points {
            let place = match point {
                Some(Color::BLACK) => 0,
                Some(_) => 1,
                None => 2,
            };
            if let (Some((_, list)), Some(point)) = (lists.get_mut(place), self.point(vertex)) {
                list.push(letters(point));
            }
        }
        // The library would sort the points of a known property by chance; as text they stay in order.
        lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| Prop::Unknown(name.to_string(), list))
    }
}

fn player(color: Color) -> Option<Prop> {
    match color {
        Color::BLACK => Some(Prop::PL(SgfColor::Black)),
        Color::WHITE => Some(Prop::PL(SgfColor::White)),
        _ => None,
    }
}

/// A node with its semicolon.
fn node(properties: Vec<Prop>) -> String {
    SgfNode::new(properties, Vec::new(), false).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(game: &GameRecord, column: usize, row_from_top: usize) -> Move {
        Move::Place(Vertex::at(
            (game.height - 1 - row_from_top) * game.width + column,
        ))
    }

    #[test]
    fn the_main_line_of_the_first_game() {
        let text = "garbage [not a value\n(;FF[4]GM[1]SZ[9:7]KM[0.5]RU[Chinese]C[(;\\];B[aa\\\\\\](no)]AB[aa][ba:bb]PL[W]\n\
                    ;W[ig](;B[tt];W[])(;B[cc]))(;SZ[19];B[aa])";
        let game = parse(text).unwrap();
        assert_eq!((game.width, game.height), (9, 7));
        assert_eq!(game.komi, Some(Points::from_halves(1)));
        assert_eq!(game.rules.as_deref(), Some("Chinese"));
        assert_eq!(game.to_move, Some(Color::WHITE));
        let stones: Vec<usize> = (0..63).filter(|&i| game.start[i].is_some()).collect();
        assert_eq!(stones, [46, 54, 55], "B6, A7, B7");
        assert_eq!(
            game.steps,
            [
                Step::Play(Color::WHITE, place(&game, 8, 6)),
                Step::Play(Color::BLACK, Move::Pass),
                Step::Play(Color::WHITE, Move::Pass),
            ]
        );
    }

    #[test]
    fn old_files_and_small_liberties() {
        let game =
            parse("(;GaMe[1]SiZe[19]KoMi[]HA[2]AddBlack[dd][pp];White[tt];Black[qd])").unwrap();
        assert_eq!(game.komi, None);
        assert_eq!(game.to_move, Some(Color::WHITE));
        assert_eq!(game.start.iter().flatten().count(), 2);
        assert_eq!(
            game.steps,
            [
                Step::Play(Color::WHITE, Move::Pass),
                Step::Play(Color::BLACK, place(&game, 16, 3))
            ]
        );
        let game = parse("(;PL[white];B[aa])").unwrap();
        assert_eq!((game.width, game.to_move), (19, Some(Color::WHITE)));
        let game = parse("(;SZ[21];B[tt])").unwrap();
        assert_eq!(game.steps, [Step::Play(Color::BLACK, place(&game, 19, 19))]);
        let game = parse("(;SZ[52];B[ZZ])").unwrap();
        assert_eq!(game.steps, [Step::Play(Color::BLACK, place(&game, 51, 51))]);
    }

    #[test]
    fn set_up_within_a_game_is_a_step() {
        let game = parse("(;SZ[5];B[aa];AE[aa]AW[bb]PL[B];B[cc])").unwrap();
        let points = vec![(Vertex::at(20), None), (Vertex::at(16), Some(Color::WHITE))];
        let Step::Setup {
            points: read,
            to_move,
        } = &game.steps[1]
        else {
            panic!("{:?}", game.steps)
        };
        assert_eq!((read, to_move), (&points, &Some(Color::BLACK)));
        assert_eq!(game.steps.len(), 3);
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        for (text, part) in [
            ("", "no game"),
            ("B[aa]", "no game"),
            ("()", "no game"),
            ("(;SZ[9];B[aa]", "ends inside"),
            ("(;SZ[9];B[aa", "ends inside"),
            ("(;SZ[0])", "SZ[0:0]"),
            ("(;SZ[53])", "SZ[53:53]"),
            ("(;SZ[9:60])", "SZ[9:60]"),
            ("(;SZ[300])", "SZ[300]"),
            ("(;SZ[x\ny])", "SZ[x"),
            ("(;KM[nan])", "KM[NaN]"),
            ("(;KM[six])", "KM[six]"),
            (
                "(;SZ[9];B[jj])",
                "node 2: B[jj], expected a vertex of a 9x9 board",
            ),
            ("(;SZ[9];B[e5x])", "B[e5x]"),
            ("(;SZ[9]AB[])", "AB[]"),
            ("(;GM[2])", "node 1"),
            ("(;SZ[9];B)", "node 2"),
            ("(;SZ[9];é[aa])", "node 2"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn hostile_files_take_no_deep_recursion() {
        assert!(parse(&format!("({})", ";".repeat(1_000_000))).is_ok());
        assert!(parse(&"(;".repeat(500_000)).is_err());
        let nested = format!("{}{}", "(;".repeat(500_000), ")".repeat(500_000));
        assert!(parse(&nested).is_ok());
    }

    #[test]
    fn records_read_back_as_written() {
        let game =
            parse("(;SZ[9:7]KM[-3.5]RU[a:b\\]]AB[aa][ba]AW[cc]PL[W];W[dd];B[];AE[aa]PL[W];W[aa])")
                .unwrap();
        let text = game.write().unwrap();
        assert!(text.starts_with("(;GM[1]FF[4]"), "{text}");
        assert!(
            text.contains("SZ[9:7]") && text.contains(";B[]\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| !line.trim().is_empty()));
        assert_eq!(parse(&text).unwrap(), game);
        let square = parse("(;SZ[9])").unwrap().write().unwrap();
        assert!(square.contains("SZ[9]"), "{square}");
    }
}
