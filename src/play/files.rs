//! Files that a page sends, and files for a page. The server itself opens none.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::commands::Done;
use super::game::{LIMITS, Start, is_within};
use super::message::Export;
use super::pictures::Subject;
use super::queue::Sender;
use super::room::Room;
use crate::engine::Options;
use crate::graph::formats::{Format, Reading};
use crate::graph::goban::{Goban, Surface};
use crate::graph::names::is_name;
use crate::graph::spec::Spec;
use crate::record::tree::TreeNode;
use crate::record::{file, json as record, sgf};
use crate::render::format::PictureFormat;
use crate::render::svg::outline;
use crate::replay;
use crate::rules::{RulesetText, kata};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// Maximum length of a spec with all vertices and edges, in bytes. A longer one makes links that
/// browsers and programs cut.
const MOST_SPEC: usize = 16 << 10;

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
        let plain = |bytes| file::plain(bytes).map_err(|error| fail(error.to_string()));
        let read = match ending.as_deref() {
            Some("sgf") => self.sgf(plain(bytes)?),
            _ if is_game(&bytes) => self.game(&bytes),
            _ => self.graph(name, &bytes),
        };
        let Read {
            start,
            moves,
            nodes,
            result,
            mut warnings,
        } = read.map_err(fail)?;
        let moves: Vec<_> = moves
            .into_iter()
            .map(|(color, mv)| (Some(color), mv))
            .collect();
        // The engine waits until a person has looked at the game.
        self.put(start, &moves, moves.is_empty()).map_err(fail)?;
        warnings.extend(self.plant(&nodes)?.warnings());
        // The clock starts with the next move, as in a game without variations.
        self.stop_clocks();
        self.record.result = result.map(|result| (self.record.tree.current(), result));
        self.publish_all();
        Ok(Done::Result(json!({"warnings": warnings})))
    }

    fn sgf(&self, bytes: Vec<u8>) -> Result<Read, String> {
        let (record, text) = sgf::decode(bytes).map_err(|e| e.to_string())?;
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
        let mut engine = start
            .engine(Options::replaying())
            .map_err(|e| e.to_string())?;
        let restarts = replay::put_sgf_on(&mut engine, goban, &record, usize::MAX)?;
        let is_plain = record
            .steps
            .iter()
            .all(|step| matches!(step, sgf::Step::Play(..)));
        // A game that restarts within has no common start for its variations.
        let nodes = match restarts.is_none() && is_plain {
            true => sgf::tree(&text, &record),
            false => {
                let line = "only the latest part of the main line is read, without comments";
                warnings.push(line.to_string());
                Vec::new()
            }
        };
        warnings.extend(restarts);
        Ok(Read {
            start: Start::of(&engine),
            moves: engine.moves(),
            nodes,
            result: engine.result(),
            warnings,
        })
    }

    fn game(&self, bytes: &[u8]) -> Result<Read, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "not valid UTF-8".to_string())?;
        let present = named_board(text)?;
        let game = record::parse(text, present.as_ref()).map_err(|e| e.to_string())?;
        within(&game.goban)?;
        let engine = replay::engine(&game, usize::MAX, Options::replaying())?;
        Ok(Read {
            start: Start::of(&engine),
            moves: engine.moves(),
            nodes: game.tree,
            result: engine.result(),
            warnings: game.warnings,
        })
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
        let stones = goban.start.clone();
        let goban = with_edges(&goban).unwrap_or(goban);
        let mut start = Start::new(goban, before.rules.clone(), before.komi);
        start.first = start.goban.first(&stones).unwrap_or(start.rules.first);
        start.position = stones;
        Ok(Read {
            start,
            moves: Vec::new(),
            nodes: Vec::new(),
            result: None,
            warnings,
        })
    }

    /// Returns a file for the page.
    ///
    /// # Errors
    /// One line, if the game or board cannot be written in that format.
    pub(super) fn export(
        &self,
        sender: &Sender,
        id: &Value,
        wish: &Export,
    ) -> Result<Done, String> {
        let drawn = PictureFormat::find(&wish.format);
        let subject = match wish.what.as_str() {
            "position" => Some(Subject::Position),
            "graph" => Some(Subject::Graph),
            "game" => Some(Subject::Game),
            _ => None,
        };
        match (subject, drawn) {
            (Some(subject), Some(format)) => self.draw(sender, id, wish, (subject, format)),
            _ => self.written(wish).map(Done::Result),
        }
    }

    /// Returns a file that is no picture.
    fn written(&self, wish: &Export) -> Result<Value, String> {
        match (wish.what.as_str(), wish.format.as_str()) {
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
                game.result = self.result(self.record.tree.end());
                let nodes = self.record.tree.record_nodes();
                let text = game.write_tree(&nodes).map_err(|e| e.to_string())?;
                let media = "application/x-go-sgf";
                Ok(json!({"name": "game.sgf", "media": media, "text": text + "\n"}))
            }
            ("game", "json") => {
                let engine = self.engine();
                let mut game = replay::game(engine);
                game.result = self.result(self.record.tree.current());
                game.tree = self.record.tree.record_nodes();
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

    /// Returns the result at a node: that of the game, or else that of its file.
    fn result(&self, node: u32) -> Option<String> {
        let ended = self.ends.get(&node).and_then(|ended| ended.result.clone());
        let read = self.record.result.as_ref();
        ended.or_else(|| {
            read.filter(|read| read.0 == node)
                .map(|read| read.1.clone())
        })
    }
}

/// Content of a file.
struct Read {
    start: Start,
    moves: Vec<(crate::color::Color, Move)>,
    /// All nodes of a file with variations, or none.
    nodes: Vec<TreeNode>,
    /// Result at the end of the moves.
    result: Option<String>,
    warnings: Vec<String>,
}

/// Returns the same board with a spec that lists its vertices, places, and edges, so that a link
/// can hold it. `None` if that would lose a name or the places in space, or be too long.
fn with_edges(goban: &Goban) -> Option<Goban> {
    let drawing = goban.drawing.as_ref();
    let flat = drawing.is_none_or(|drawing| drawing.solid.is_none() && drawing.wraps.is_empty());
    if !matches!(goban.surface, Surface::Graph) || !flat {
        return None;
    }
    let outline = outline(goban).ok()?;
    let label = |index: usize| goban.names.label(Vertex::at(index)).into_owned();
    let unit = outline.radius.max(1e-9);
    let short = |value: f64| (value / unit * 100.0).round() / 100.0 + 0.0;
    let mut text = "edges:".to_string();
    for (index, [x, y]) in outline.vertices.iter().enumerate() {
        let name = label(index);
        if !is_name(&name) || text.len() > MOST_SPEC {
            return None;
        }
        text += &format!("{name}@{}/{},", short(*x), short(*y));
    }
    for (a, b) in goban.graph.pairs() {
        text += &format!("{}-{},", label(a), label(b));
        if text.len() > MOST_SPEC {
            return None;
        }
    }
    let spec: Spec = text.trim_end_matches(',').parse().ok()?;
    let built = spec.build().ok()?;
    let names = |goban: &Goban| -> Vec<String> {
        let labels = goban.graph.all().map(|v| goban.names.label(v).into_owned());
        labels.collect()
    };
    let same = names(&built) == names(goban) && built.graph.pairs().eq(goban.graph.pairs());
    same.then_some(built)
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
    fn graphs_from_files_get_a_spec_that_a_link_can_hold() {
        let read = |name: &str, text: &str| {
            let spec: Spec = format!("file:{name}").parse().unwrap();
            spec.with_file(text.as_bytes(), name, name).unwrap()
        };
        let square = read("a.edgelist", "a b\nb c\nc d\nd a\n");
        let built = with_edges(&square).unwrap();
        assert!(!built.spec.reads_files());
        assert!(
            built.spec.to_string().starts_with("edges:a@"),
            "{}",
            built.spec
        );
        assert!(built.graph.pairs().eq(square.graph.pairs()));
        let again = built.spec.to_string().parse::<Spec>().unwrap();
        assert_eq!(
            again.build().unwrap().spec.to_string(),
            built.spec.to_string()
        );
        // Names that a spec cannot hold, and places in space, stay in the file.
        assert!(with_edges(&read("b.dot", "graph { \"ä\" -- b }")).is_none());
        let solid = "dodecahedron".parse::<Spec>().unwrap().build().unwrap();
        assert!(with_edges(&solid).is_none());
        let large = "grid:60".parse::<Spec>().unwrap().build().unwrap();
        assert!(with_edges(&large).is_none(), "too long");
    }

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
