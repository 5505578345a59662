//! Files that a page sends, and files for a page. The server itself opens none.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::commands::Done;
use super::game::{LIMITS, Start, is_within};
use super::message::Export;
use super::room::Room;
use crate::engine::Options;
use crate::graph::formats::{Format, Reading};
use crate::graph::goban::Goban;
use crate::graph::handicap::star_points;
use crate::graph::spec::Spec;
use crate::record::{json as record, sgf};
use crate::render::png::{png, png_of_width};
use crate::render::svg::{Labels, Position, Style, fits_png, of_width, picture};
use crate::replay;
use crate::rules::{RulesetText, kata};
use crate::text::quote;
use crate::vertex::Move;

/// Widths of a picture, in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=4000;
/// Maximum number of vertices of a PNG, which takes long to draw.
const MOST_PNG: usize = 2000;

impl Room {
    /// Reads a file and replaces the game.
    ///
    /// # Errors
    /// One line, if the file holds no game and no board.
    pub(super) fn import(
        &mut self,
        name: &str,
        text: Option<String>,
        base64: Option<String>,
    ) -> Result<Done, String> {
        let bytes = match (text, base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(coded)) => BASE64
                .decode(coded.as_bytes())
                .map_err(|_| "base64, expected a file in this coding".to_string())?,
            _ => return Err("expected text or base64".to_string()),
        };
        let fail = |problem: String| format!("'{}': {problem}", quote(name));
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_ascii_lowercase());
        let read = match ending.as_deref() {
            Some("sgf") => self.sgf(&bytes),
            _ if is_game(&bytes) => self.game(&bytes),
            _ => self.graph(name, &bytes),
        };
        let (start, moves, warnings) = read.map_err(fail)?;
        let moves: Vec<_> = moves
            .into_iter()
            .map(|(color, mv)| (Some(color), mv))
            .collect();
        // The engine waits until a person has looked at the game.
        self.replace(start, &moves, moves.is_empty())
            .map_err(fail)?;
        Ok(Done::Result(json!({"warnings": warnings})))
    }

    fn sgf(&self, bytes: &[u8]) -> Result<Read, String> {
        let text = String::from_utf8_lossy(bytes);
        let record = sgf::parse(&text).map_err(|e| e.to_string())?;
        let goban = Spec::grid(record.width, record.height)
            .and_then(|spec| spec.build())
            .map_err(|e| e.to_string())?;
        let mut warnings = record.warnings.clone();
        let named = record.rules.as_deref().and_then(|text| {
            let kata = kata::from_text(text).ok();
            kata.or_else(|| Some(text.parse::<RulesetText>().ok()?.rules))
        });
        if let (Some(text), None) = (&record.rules, &named) {
            warnings.push(format!("RU[{}] is unknown, the ruleset stays", quote(text)));
        }
        let mut rules = named.unwrap_or_else(|| self.record.start.rules.clone());
        rules.colors = 2;
        let start = Start::new(goban.clone(), rules, self.record.start.komi);
        let mut engine = start.engine(small()).map_err(|e| e.to_string())?;
        warnings.extend(replay::put_sgf_on(&mut engine, goban, &record, usize::MAX)?);
        Ok((Start::of(&engine), engine.moves(), warnings))
    }

    fn game(&self, bytes: &[u8]) -> Result<Read, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "not valid UTF-8".to_string())?;
        let present = named_board(text)?;
        let game = record::parse(text, present.as_ref()).map_err(|e| e.to_string())?;
        within(&game.goban)?;
        let engine = replay::engine(&game, usize::MAX, small())?;
        Ok((Start::of(&engine), engine.moves(), game.warnings))
    }

    fn graph(&self, name: &str, bytes: &[u8]) -> Result<Read, String> {
        let name: String = name
            .chars()
            .rev()
            .take_while(|c| !['/', '\\'].contains(c))
            .filter(|c| !c.is_control())
            .take(100)
            .collect();
        let name: String = name.chars().rev().collect();
        let named: Result<Spec, _> = format!("file:{name}").parse();
        let spec = named.map_err(|e| e.to_string())?.reading(Reading {
            limits: Some(LIMITS),
            ..Reading::default()
        });
        let source = format!("'{}'", quote(&name));
        let goban = spec
            .with_file(bytes, &name, &source)
            .map_err(|e| e.to_string())?;
        if goban.graph.vertices() == 0 {
            return Err("the graph has no vertices".to_string());
        }
        let warnings = goban.warnings.clone();
        let before = &self.record.start;
        let start = Start::new(goban, before.rules.clone(), before.komi);
        Ok((start, Vec::new(), warnings))
    }

    /// Returns a file for the page.
    ///
    /// # Errors
    /// One line, if the game or board cannot be written in that format.
    pub(super) fn export(&self, wish: &Export) -> Result<Value, String> {
        let pictures = ["svg", "png"].contains(&wish.format.as_str());
        match (wish.what.as_str(), wish.format.as_str()) {
            ("position", _) if pictures => self.drawn(wish, true),
            ("graph", _) if pictures => self.drawn(wish, false),
            ("graph", name) => {
                let format = Format::find(name)
                    .ok_or_else(|| format!("format '{}', expected one of formats", quote(name)))?;
                let (text, left_out) = format.write(self.engine().goban())?;
                let ending = format.endings.first().copied().unwrap_or(name);
                Ok(json!({
                    "name": format!("board.{ending}"), "media": "text/plain", "text": text,
                    "warnings": left_out,
                }))
            }
            ("game", "sgf") => {
                let engine = self.engine();
                let (width, height) = match engine.goban().rectangle {
                    Some(sides) if engine.rules().colors == 2 => sides,
                    Some(_) | None => {
                        return Err("SGF holds games of two colors on rectangles, expected json"
                            .to_string());
                    }
                };
                let mut game = replay::sgf(engine, width, height);
                game.result = self.result();
                let text = game.write().map_err(|e| e.to_string())?;
                let media = "application/x-go-sgf";
                Ok(json!({"name": "game.sgf", "media": media, "text": text + "\n"}))
            }
            ("game", "json") => {
                let engine = self.engine();
                let mut game = replay::game(engine);
                game.result = self.result();
                let text = game.write(&replay::played(engine))?;
                let media = "application/json";
                Ok(json!({"name": "game.json", "media": media, "text": text + "\n"}))
            }
            (what, format) => Err(format!(
                "{} as {}, expected position, game or graph in a format of docs/play-protocol.md",
                quote(what),
                quote(format)
            )),
        }
    }

    fn result(&self) -> Option<String> {
        self.ended().and_then(|ended| ended.result.clone())
    }

    fn drawn(&self, wish: &Export, with_stones: bool) -> Result<Value, String> {
        let engine = self.engine();
        let goban = engine.goban();
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
        let last = engine.last_move().and_then(|(_, mv)| mv.vertex());
        let position = match with_stones {
            true => Position {
                points: engine.position(),
                stars: star_points(goban),
                last: last.map(|v| goban.covered(v)).unwrap_or_default(),
                ..Position::default()
            },
            false => Position {
                points: goban.start.clone(),
                ..Position::default()
            },
        };
        let name = if with_stones { "position" } else { "board" };
        if wish.format == "png" {
            fits_png(goban, 1).map_err(|e| e.to_string())?;
            if goban.graph.vertices() > MOST_PNG {
                return Err(format!(
                    "PNG of more than {MOST_PNG} vertices, expected svg"
                ));
            }
        }
        let svg = picture(goban, &position, style).map_err(|e| e.to_string())?;
        if wish.format == "png" {
            let drawn = wish
                .width
                .map_or_else(|| png(&svg), |width| png_of_width(&svg, width));
            let bytes = drawn.map_err(|e| e.to_string())?;
            let coded = BASE64.encode(&bytes);
            return Ok(json!({
                "name": format!("{name}.png"), "media": "image/png", "base64": coded,
            }));
        }
        let svg = wish
            .width
            .map_or_else(|| svg.clone(), |width| of_width(&svg, width));
        Ok(json!({"name": format!("{name}.svg"), "media": "image/svg+xml", "text": svg}))
    }
}

/// Start, moves, and warnings of a file.
type Read = (Start, Vec<(crate::color::Color, Move)>, Vec<String>);

/// Returns options of an engine that only replays moves.
fn small() -> Options {
    Options {
        threads: 1,
        memory_mib: 16,
        ..Options::default()
    }
}

/// Checks that a board is within the limits of pages.
fn within(goban: &Goban) -> Result<(), String> {
    let [vertices, edges] = LIMITS;
    match is_within(goban) {
        true => Ok(()),
        false => Err(format!(
            "the board is too large, expected at most {vertices} vertices and {edges} edges"
        )),
    }
}

/// Returns the board that a record names, built within the limits of pages. `None` if the record
/// holds its board.
fn named_board(text: &str) -> Result<Option<Goban>, String> {
    // A match file has one game per line, of which the first is read.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let Some(Ok(keys)) = values.next() else {
        return Ok(None);
    };
    let present = |key: &str| keys.get(key).filter(|value| !value.is_null());
    // As in `record::parse`: a game of a match has settings and no kind.
    let named = match (present("kind"), present("settings")) {
        (None, Some(settings)) => settings.get("graph"),
        _ => keys.get("graph"),
    };
    match (named, present("board")) {
        (Some(Value::String(spec)), None) => super::game::board(spec).map(Some),
        _ => Ok(None),
    }
}

/// Returns true if a JSON text is a game, and not a board.
fn is_game(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let is_object = crate::record::is_json(bytes);
    is_object && text.contains("\"moves\"") && text.contains("\"ruleset\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_records_name_are_within_the_limits() {
        for text in [
            r#"{"kind":"game","graph":"grid:250"}"#,
            r#"{"kind":"game","graph":"grid:250","board":null}"#,
            r#"{"graph":"grid:3","settings":{"graph":"grid:250"}}"#,
        ] {
            assert!(named_board(text).is_err(), "{text}");
        }
        let small = r#"{"kind":"game","graph":"grid:3","settings":{"graph":"grid:250"}}"#;
        assert!(named_board(small).is_ok_and(|board| board.is_some()));
    }
}
