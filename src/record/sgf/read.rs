//! Conversion of text to records.

use std::collections::HashMap;
use std::path::Path;

use sgf_parse::Color as SgfColor;
use sgf_parse::go::{Move as SgfMove, Point, Prop};

use super::super::file;
use super::outline::{self, Warnings};
use super::{GameRecord, LONGEST, SgfError, Step, corrections, encoding, komi, letters};
use crate::color::Color;
use crate::graph::handicap;
use crate::rules::Points;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// Reads a file.
///
/// # Errors
/// If there is no such file, if it is too large, or if it holds no game.
pub fn read(path: &Path) -> Result<GameRecord, SgfError> {
    decode(file::contents(path)?).map(|(game, _)| game)
}

/// Reads the bytes of a file, and returns its game and its text. If the encoding is unknown, the
/// one in which most properties are found is used.
///
/// # Errors
/// If the bytes hold no game.
pub fn decode(bytes: Vec<u8>) -> Result<(GameRecord, String), SgfError> {
    with_likeliest_encoding(bytes, |text| {
        parse_counted(text).map(|counted| ((counted.record, text.to_string()), counted.found))
    })
}

/// Reads the bytes of a file by a function that also measures how much it found. If the encoding is
/// unknown, the one in which most is found is used. In a wrong encoding, the `]` that ends a
/// comment can become part of a character. The text after it then counts as comment, and fewer
/// properties are found.
pub(super) fn with_likeliest_encoding<T>(
    bytes: Vec<u8>,
    mut read: impl FnMut(&str) -> Result<(T, usize), SgfError>,
) -> Result<T, SgfError> {
    let mut best = Err(SgfError::NoGame);
    let mut most = 0;
    for text in encoding::readings(bytes) {
        match (read(&text), &best) {
            (Ok((game, found)), _) if found > most => (best, most) = (Ok(game), found),
            (Err(error), Err(SgfError::NoGame)) => best = Err(error),
            (Ok(_) | Err(_), _) => {}
        }
    }
    best
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
/// If the text holds no game.
pub fn parse(text: &str) -> Result<GameRecord, SgfError> {
    parse_counted(text).map(|counted| counted.record)
}

/// Game of a text, and how it was read.
pub(super) struct Counted {
    pub(super) record: GameRecord,
    /// Twice the number of nodes and properties in the main line, plus 1 if the game is complete,
    /// so that completeness breaks ties.
    pub(super) found: usize,
    /// Number of steps of the record up to the end of each node.
    pub(super) steps: Vec<usize>,
}

/// Reads the text of a game, and measures how much was found.
pub(super) fn parse_counted(text: &str) -> Result<Counted, SgfError> {
    let mut game = Reader::new();
    let mut steps = Vec::new();
    let mut found = 0;
    let mut warnings = Warnings::default();
    let complete = outline::main_line(text, &mut warnings, |node, warnings| {
        let number = steps.len() + 1;
        let properties = corrections::properties(node.text, number, warnings)?;
        found += 1 + properties.len();
        game.node(number, properties, warnings)?;
        steps.push(game.record.steps.len());
        Ok(())
    })?;
    if steps.is_empty() {
        return Err(SgfError::NoGame);
    }
    let mut record = game.finish(&mut warnings);
    record.warnings = warnings.lines;
    Ok(Counted {
        record,
        found: 2 * found + usize::from(complete),
        steps,
    })
}

/// Side of a board without a size.
const USUAL: usize = 19;
/// Returns the komi of a text, with a warning if it is not a plain number of half points. Some
/// programs write an empty komi if they know none.
fn komi_of(text: &str, warnings: &mut Warnings) -> Option<Points> {
    let Some((taken, odd)) = komi::read(text) else {
        if !text.is_empty() {
            let line = format!("komi {} is not a number, ignored", quote(text));
            warnings.tell("KM", line);
        }
        return None;
    };
    if odd {
        let line = format!("komi {} is read as {taken}", quote(text));
        warnings.tell("KM", line);
    }
    Some(taken)
}

/// Returns the player of a `PL` property that the library rejects, as older programs write it. Adds
/// a warning if it names none.
fn player(node: usize, values: &[String], warnings: &mut Warnings) -> Option<Color> {
    let value = values.first().map_or("", |value| value.trim());
    match value.to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Color::BLACK),
        "w" | "white" | "2" => Some(Color::WHITE),
        _ => {
            let value = quote(value);
            let line = format!("node {node}: PL[{value}] is not a player, ignored");
            warnings.tell("PL", line);
            None
        }
    }
}

/// Returns a vertex that a node sets up in two ways, and its first and last content.
fn set_up_twice(points: &[(Vertex, Option<Color>)]) -> Option<(Vertex, [Option<Color>; 2])> {
    let mut known: HashMap<Vertex, Option<Color>> = HashMap::new();
    points.iter().find_map(|&(vertex, point)| {
        let before = known.insert(vertex, point)?;
        (before != point).then_some((vertex, [before, point]))
    })
}

/// Returns the property that sets up this content of a vertex.
fn set_up_property(point: Option<Color>) -> &'static str {
    match point {
        Some(Color::BLACK) => "AB",
        Some(_) => "AW",
        None => "AE",
    }
}

/// Record that grows node by node.
struct Reader {
    record: GameRecord,
    /// Number of handicap stones that the file gives, if it gives one.
    declared_handicap: Option<u32>,
    /// Names of the properties that have described the game.
    given: Vec<&'static str>,
}

/// Returns the name of a property that describes the game, or `None` for another one.
fn described(property: &Prop) -> Option<&'static str> {
    match property {
        Prop::SZ(_) => Some("SZ"),
        Prop::RU(_) => Some("RU"),
        Prop::RE(_) => Some("RE"),
        Prop::HA(_) => Some("HA"),
        Prop::Unknown(name, _) | Prop::Invalid(name, _) => {
            let names = ["SZ", "KM", "HA", "RU", "RE"];
            names.into_iter().find(|known| known == name)
        }
        _ => None,
    }
}

impl Reader {
    fn new() -> Reader {
        let record = GameRecord {
            width: USUAL,
            height: USUAL,
            komi: None,
            rules: None,
            result: None,
            start: vec![None; USUAL * USUAL],
            handicap: None,
            to_move: None,
            steps: Vec::new(),
            warnings: Vec::new(),
        };
        Reader {
            record,
            declared_handicap: None,
            given: Vec::new(),
        }
    }

    /// Reads the properties of a node that describe the game. Some programs write them behind the
    /// root. After the first move they are ignored with a warning.
    fn describe(
        &mut self,
        node: usize,
        properties: &[Prop],
        warnings: &mut Warnings,
    ) -> Result<(), SgfError> {
        for property in properties {
            let Some(name) = described(property) else {
                continue;
            };
            let ignored = if !self.record.steps.is_empty() {
                let line = format!("node {node}: {name} after the first move, ignored");
                Some(("late", line))
            } else if self.given.contains(&name) {
                let line = format!("node {node}: duplicate {name}, the first one counts");
                Some(("duplicate", line))
            } else if name == "SZ" && self.record.start.iter().any(Option::is_some) {
                let line = format!("node {node}: SZ after stones, ignored");
                Some(("SZ", line))
            } else {
                None
            };
            match ignored {
                Some((kind, line)) => warnings.tell(kind, line),
                None => {
                    self.given.push(name);
                    self.take(node, property, warnings)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the value of a property that describes the game.
    fn take(
        &mut self,
        node: usize,
        property: &Prop,
        warnings: &mut Warnings,
    ) -> Result<(), SgfError> {
        let wrong_size = |value: String| SgfError::Value {
            node,
            property: "SZ".to_string(),
            value,
            expected: "a size from 1 to 52 or WIDTH:HEIGHT".to_string(),
        };
        match property {
            Prop::SZ((width, height)) => {
                let (width, height) = (usize::from(*width), usize::from(*height));
                let mut sides = [width, height].into_iter();
                if !sides.all(|side| (1..=LONGEST).contains(&side)) {
                    return Err(wrong_size(format!("{width}:{height}")));
                }
                (self.record.width, self.record.height) = (width, height);
                self.record.start = vec![None; width * height];
            }
            Prop::Unknown(_, values) => {
                let text = values.first().map_or("", |value| value.trim());
                self.record.komi = komi_of(text, warnings);
            }
            Prop::RU(name) => self.record.rules = Some(name.text.clone()),
            Prop::RE(text) => self.record.result = Some(text.text.clone()),
            Prop::HA(stones) => self.declared_handicap = u32::try_from(*stones).ok(),
            Prop::Invalid(name, values) => {
                let value = quote(&values.join("]["));
                match name.as_str() {
                    "SZ" => return Err(wrong_size(value)),
                    // The library rejects a handicap below two stones.
                    "HA" => {
                        self.declared_handicap = value.trim().parse().ok();
                        if self.declared_handicap.is_none() && !value.trim().is_empty() {
                            let line = format!(
                                "node {node}: HA[{value}] is not a number of stones, ignored"
                            );
                            warnings.tell("HA", line);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if self.record.to_move.is_none() && self.declared_handicap >= Some(2) {
            self.record.to_move = Some(Color::WHITE);
        }
        Ok(())
    }

    /// Returns the record after all nodes have been read.
    fn finish(mut self, warnings: &mut Warnings) -> GameRecord {
        // Some programs count handicap stones that Black places as moves. Set the handicap to 0 if
        // the start has fewer black stones.
        let start = &self.record.start;
        self.record.handicap = self
            .declared_handicap
            .map(|stones| handicap::held(start, stones));
        let black = start
            .iter()
            .flatten()
            .filter(|&&color| color == Color::BLACK);
        let black = black.count();
        // HA[0] may stand above a position, and HA[1] above a game in which Black moves first.
        if let (Some(stones @ 2..), Some(held)) = (self.declared_handicap, self.record.handicap)
            && black != stones as usize
        {
            let line = format!(
                "HA[{stones}] differs from the number of black stones at the start, {black}: the handicap is {held}"
            );
            warnings.tell("stones", line);
        }
        self.record
    }

    fn node(
        &mut self,
        node: usize,
        properties: Vec<Prop>,
        warnings: &mut Warnings,
    ) -> Result<(), SgfError> {
        self.describe(node, &properties, warnings)?;
        // Some programs put a setup and a move into one node, in any order. The setup comes first
        // then.
        let mut points = Vec::new();
        let mut to_move = None;
        let mut moves = Vec::new();
        for property in properties {
            match property {
                Prop::AB(list) => {
                    self.collect_points(&mut points, list, Some(Color::BLACK), "AB", node)?
                }
                Prop::AW(list) => {
                    self.collect_points(&mut points, list, Some(Color::WHITE), "AW", node)?
                }
                Prop::AE(list) => self.collect_points(&mut points, list, None, "AE", node)?,
                Prop::PL(SgfColor::Black) => to_move = Some(Color::BLACK),
                Prop::PL(SgfColor::White) => to_move = Some(Color::WHITE),
                Prop::B(mv) => moves.push((Color::BLACK, self.record.mv(mv, "B", node, warnings)?)),
                Prop::W(mv) => moves.push((Color::WHITE, self.record.mv(mv, "W", node, warnings)?)),
                Prop::Invalid(name, values) => {
                    let expected = match name.as_str() {
                        "B" | "W" => "a vertex of two letters or nothing",
                        "AB" | "AW" | "AE" => "vertices of two letters",
                        // Older programs write numbers or words.
                        "PL" => {
                            to_move = player(node, &values, warnings).or(to_move);
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
        if let Some((vertex, colors)) = set_up_twice(&points) {
            let point = self.record.letters_of(vertex);
            let [first, last] = colors.map(set_up_property);
            let line =
                format!("node {node}: {last}[{point}] after {first}[{point}], the last one counts");
            warnings.tell("twice", line);
        }
        if moves.len() > 1 {
            let count = moves.len();
            let line =
                format!("node {node}: {count} moves in one node are played one after another");
            warnings.tell("moves", line);
        }
        if self.apply_setup(points, to_move) {
            let line = format!(
                "node {node}: the position is changed after the first move, and the game restarts there"
            );
            warnings.tell("setup", line);
        }
        self.record
            .steps
            .extend(moves.into_iter().map(|(color, mv)| Step::Play(color, mv)));
        Ok(())
    }

    /// Before the first move, a setup changes the start. Later it is an event of its own. Returns
    /// true for such an event.
    fn apply_setup(
        &mut self,
        points: Vec<(Vertex, Option<Color>)>,
        to_move: Option<Color>,
    ) -> bool {
        if self.record.steps.is_empty() {
            super::set_up(&mut self.record.start, &points);
            self.record.to_move = to_move.or(self.record.to_move);
        } else if !points.is_empty() || to_move.is_some() {
            self.record.steps.push(Step::Setup { points, to_move });
            return true;
        }
        false
    }

    /// Adds the points of a setup property to `points`, each with its color.
    fn collect_points(
        &self,
        points: &mut Vec<(Vertex, Option<Color>)>,
        list: impl IntoIterator<Item = Point>,
        color: Option<Color>,
        property: &str,
        node: usize,
    ) -> Result<(), SgfError> {
        for point in list {
            points.push((self.record.vertex(point, property, node)?, color));
        }
        Ok(())
    }
}

impl GameRecord {
    /// Returns a move of the library as a move on this board.
    pub(super) fn mv(
        &self,
        mv: SgfMove,
        property: &str,
        node: usize,
        warnings: &mut Warnings,
    ) -> Result<Move, SgfError> {
        match mv {
            SgfMove::Pass => Ok(Move::Pass),
            // File format 3 has no empty move: `tt` is the pass on boards up to 19x19.
            SgfMove::Move(Point { x: 19, y: 19 }) if self.width <= 19 && self.height <= 19 => {
                Ok(Move::Pass)
            }
            // On 18x18, LizzieYzy wrote the corner after the last point as a pass.
            SgfMove::Move(Point { x: 18, y: 18 }) if self.width == 18 && self.height == 18 => {
                let line = format!("node {node}: {property}[ss] is read as a pass");
                warnings.tell("ss", line);
                Ok(Move::Pass)
            }
            SgfMove::Move(point) => self.vertex(point, property, node).map(Move::Place),
        }
    }

    /// Returns a vertex in the letters of SGF.
    fn letters_of(&self, vertex: Vertex) -> String {
        let (column, row) = (vertex.index() % self.width, vertex.index() / self.width);
        letters(Point {
            x: column as u8,
            y: (self.height - 1 - row) as u8,
        })
    }

    fn vertex(&self, point: Point, property: &str, node: usize) -> Result<Vertex, SgfError> {
        let (column, row) = (usize::from(point.x), usize::from(point.y));
        let (width, height) = (self.width, self.height);
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
