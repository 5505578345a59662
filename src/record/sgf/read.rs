//! From text to a record.

use std::path::Path;

use sgf_parse::Color as SgfColor;
use sgf_parse::go::{Move as SgfMove, Point, Prop};

use super::super::file;
use super::{GameRecord, LONGEST, SgfError, Step, encoding, letters};
use crate::color::Color;
use crate::graph::handicap;
use crate::rules::Points;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// Reads a file.
///
/// # Errors
/// When there is no such file, or it is too large, or holds no game.
pub fn read(path: &Path) -> Result<GameRecord, SgfError> {
    decoded(file::contents(path)?)
}

/// Reads the bytes of a file. Where it does not say how they are to be read, what finds most properties is right: other readings
/// take the end of a comment for a letter, and what follows for the comment.
pub(super) fn decoded(bytes: Vec<u8>) -> Result<GameRecord, SgfError> {
    let mut best = Err(SgfError::NoGame);
    let mut most = 0;
    for text in encoding::readings(bytes) {
        match (counted(&text), &best) {
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
/// When the text holds no game.
pub fn parse(text: &str) -> Result<GameRecord, SgfError> {
    counted(text).map(|(game, _)| game)
}

/// The game of a text, and the properties of its main line with their nodes.
fn counted(text: &str) -> Result<(GameRecord, usize), SgfError> {
    let mut game: Option<Reader> = None;
    let (mut node, mut found) = (0, 0);
    main_line(text, |text| {
        node += 1;
        let properties = properties(text, node)?;
        found += 1 + properties.len();
        match &mut game {
            None => game = Some(Reader::root(properties)?),
            Some(game) => game.node(node, properties)?,
        }
        Ok(())
    })?;
    let game = game.map(Reader::finish).ok_or(SgfError::NoGame)?;
    Ok((game, found))
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
    Err(if depth > 0 {
        SgfError::CutShort
    } else {
        SgfError::NoGame
    })
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

/// Komi in points. The server Fox writes hundredths: of points, or under Chinese rules of stones, each of which is two points.
fn in_points(komi: f64) -> f64 {
    const OF_STONES: [f64; 3] = [275.0, 325.0, 375.0];
    const OF_POINTS: [f64; 3] = [550.0, 650.0, 750.0];
    if OF_STONES.contains(&komi) {
        komi / 50.0
    } else if OF_POINTS.contains(&komi) {
        komi / 100.0
    } else {
        komi
    }
}

/// A record that grows node by node.
struct Reader {
    record: GameRecord,
    /// The stones of handicap that the root tells of.
    told: i64,
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
        let mut warnings = Vec::new();
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
                Prop::KM(written) => {
                    let points = in_points(*written);
                    let (taken, rounded) = Points::round_from(points)
                        .ok_or_else(|| bad("KM", written.to_string(), "a number of points"))?;
                    if rounded || points != *written {
                        warnings.push(format!("komi {written:?} is taken as {taken}"));
                    }
                    komi = Some(taken);
                }
                Prop::RU(name) => rules = Some(name.text.clone()),
                Prop::HA(stones) => handicap = *stones,
                Prop::Invalid(name, values) => {
                    let value = quote(&values.join("]["));
                    match name.as_str() {
                        "SZ" => return Err(bad("SZ", value, SIZES)),
                        // The library knows no handicap of one stone.
                        "HA" => handicap = value.trim().parse().unwrap_or(0),
                        // Programs write an empty komi where they know none.
                        "KM" if value.trim().is_empty() => {}
                        "KM" => {
                            // Some programs write a decimal comma.
                            let points = value.trim().replace(',', ".").parse();
                            let read = points.ok().and_then(Points::round_from);
                            if let Some((taken, _)) = read {
                                warnings.push(format!("komi {value} is taken as {taken}"));
                                komi = Some(taken);
                                continue;
                            }
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
            handicap: 0,
            to_move: (handicap >= 2).then_some(Color::WHITE),
            steps: Vec::new(),
            warnings,
        };
        let told = handicap;
        let mut reader = Reader { record, told };
        reader.node(1, properties)?;
        Ok(reader)
    }

    /// The record, when all nodes are read.
    fn finish(mut self) -> GameRecord {
        // Some programs count stones that Black places as moves.
        let told = u32::try_from(self.told).unwrap_or(0);
        self.record.handicap = handicap::held(&self.record.start, told);
        self.record
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
