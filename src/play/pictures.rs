//! Pictures of boards, positions, and games for a page. They are drawn outside of the game's
//! thread, with a deadline, because a large one takes seconds.

use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::commands::Done;
use super::desk::Task;
use super::message::Export;
use super::queue::Sender;
use super::room::Room;
use crate::engine::Options;
use crate::graph::goban::Goban;
use crate::graph::handicap::star_points;
use crate::render::format::PictureFormat;
use crate::render::section::Sections;
use crate::render::svg::{Frame, Labels, Position, Style, picture, strip};
use crate::text::quote;

/// Widths of a picture, in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=4000;
/// Maximum number of vertices of all positions of a PNG or PDF, which take long to draw.
const MOST_DRAWN: usize = 10_000;
/// Number of positions in a row of a picture of a game.
const COLUMNS: usize = 3;
/// Maximum time of a picture.
const DEADLINE: Duration = Duration::from_secs(10);

/// Subject of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The empty board.
    Graph,
    /// The current position.
    Position,
    /// The moves to the current position, as several positions.
    Game,
}

/// Picture that waits to be drawn.
struct Wanted {
    goban: Goban,
    frames: Vec<Frame>,
    is_strip: bool,
    name: &'static str,
    style: Style,
    format: PictureFormat,
    width: Option<u32>,
}

impl Room {
    /// Starts drawing a picture for a page, which gets it as the result.
    ///
    /// # Errors
    /// One line, if the board is too large or a value is wrong.
    pub(super) fn draw(
        &self,
        sender: &Sender,
        id: &Value,
        wish: &Export,
        (subject, format): (Subject, PictureFormat),
    ) -> Result<Done, String> {
        let goban = self.engine().goban();
        let style = Style {
            theme: wish.theme.as_deref().unwrap_or("light").parse()?,
            labels: match wish.labels.as_deref() {
                Some(labels) => labels.parse()?,
                None => Labels::of(goban),
            },
        };
        if let Some(width) = wish.width.filter(|width| !WIDTHS.contains(width)) {
            let (least, most) = (WIDTHS.start(), WIDTHS.end());
            return Err(format!("width {width}, expected {least} to {most}"));
        }
        let (frames, name) = match subject {
            Subject::Graph => (vec![self.empty()], "board"),
            Subject::Position => (vec![self.position()], "position"),
            Subject::Game => (self.frames(wish.every)?, "game"),
        };
        if format != PictureFormat::Svg {
            let fits = format.fits(goban, frames.len());
            fits.map_err(|e| e.to_string())?;
            let drawn = goban.graph.vertices().saturating_mul(frames.len());
            if drawn > MOST_DRAWN {
                return Err(format!(
                    "{} of {drawn} vertices, expected at most {MOST_DRAWN}, or svg",
                    quote(&wish.format)
                ));
            }
        }
        let wanted = Wanted {
            goban: goban.clone(),
            frames,
            is_strip: subject == Subject::Game,
            name,
            style,
            format,
            width: wish.width,
        };
        let task = Task {
            id: id.clone(),
            tool: "export",
            sender: sender.clone(),
            deadline: DEADLINE,
            run: Box::new(move || wanted.file()),
        };
        match self.hub.desk.push(task) {
            true => Ok(Done::Later),
            false => Err("too many requests wait: try again later".to_string()),
        }
    }

    fn empty(&self) -> Frame {
        let goban = self.engine().goban();
        Frame {
            position: Position {
                points: goban.start.clone(),
                ..Position::default()
            },
            caption: String::new(),
        }
    }

    fn position(&self) -> Frame {
        let engine = self.engine();
        let goban = engine.goban();
        let last = engine.last_move().and_then(|(_, mv)| mv.vertex());
        Frame {
            position: Position {
                points: engine.position(),
                stars: star_points(goban),
                last: last.map(|v| goban.covered(v)).unwrap_or_default(),
                ..Position::default()
            },
            caption: String::new(),
        }
    }

    /// Returns the positions after every `every` moves, and the last one.
    fn frames(&self, every: Option<u32>) -> Result<Vec<Frame>, String> {
        let mut engine = self
            .record
            .start
            .engine(Options::replaying())
            .map_err(|e| e.to_string())?;
        let moves = self.engine().moves();
        if every == Some(0) {
            return Err("every 0, expected 1 or more moves".to_string());
        }
        let mut sections = Sections::new(moves.len(), every.map(|every| every as usize));
        for &(color, mv) in &moves {
            engine
                .play(color, mv)
                .map_err(|illegal| illegal.to_string())?;
            sections.add(engine.goban(), mv, || engine.position());
        }
        Ok(sections.finish(engine.goban(), || engine.position()))
    }
}

impl Wanted {
    /// Returns the keys of the result.
    fn file(&self) -> Result<Value, String> {
        let Wanted { goban, frames, .. } = self;
        let svg = match frames.first() {
            Some(frame) if !self.is_strip => picture(goban, &frame.position, self.style),
            _ => strip(goban, frames, COLUMNS, self.style),
        };
        let svg = svg.map_err(|e| e.to_string())?;
        let name = format!("{}.{}", self.name, self.format.name());
        let bytes = self.format.encode(&svg, self.width);
        let bytes = bytes.map_err(|e| e.to_string())?;
        let mut keys = json!({"name": name, "media": self.format.media()});
        let (key, content) = match self.format.is_text() {
            true => ("text", String::from_utf8_lossy(&bytes).into_owned()),
            false => ("base64", BASE64.encode(&bytes)),
        };
        if let Some(keys) = keys.as_object_mut() {
            keys.insert(key.to_string(), json!(content));
        }
        Ok(keys)
    }
}
