//! Logs of a session: every line as text, as JSON lines, or both.

use std::time::{Instant, SystemTime};

use serde::Serialize;

use super::last_search::LastSearch;
use super::warning_file::WarningFile;
use crate::engine::Figures;
use crate::graph::goban::Goban;
use crate::notation::move_label;
use crate::text::four_decimals;

/// Maximum number of moves of a principal variation in an entry.
const VARIATION: usize = 12;

/// Returns the present time, in UTC and to the millisecond: `2026-01-31T12:00:00.000Z`.
pub(super) fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

/// Logs of a session.
#[derive(Debug, Default)]
pub struct SessionLog {
    text: Option<WarningFile>,
    json: Option<WarningFile>,
    /// Latest command, and the time at which the session took it.
    command: Option<(String, Instant)>,
    search: Option<SearchFigures>,
}

/// Figures of a search for a move, from the view of the player to move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SearchFigures {
    color: String,
    visits: u32,
    winrate: f64,
    lead: f64,
    /// Expected moves by label, at most [`VARIATION`].
    variation: Vec<String>,
}

impl SearchFigures {
    /// Returns the figures of a search on this board.
    pub(super) fn of(search: &LastSearch, goban: &Goban) -> SearchFigures {
        let Figures {
            visits,
            winrate,
            lead,
            ..
        } = search.root;
        let moves = search.variation().iter().take(VARIATION);
        SearchFigures {
            color: search.color.to_string(),
            visits,
            winrate: four_decimals(winrate),
            lead: four_decimals(lead),
            variation: moves.map(|&mv| move_label(&goban.names, mv)).collect(),
        }
    }
}

/// Line of the JSON log.
#[derive(Serialize)]
struct Entry<'a> {
    time: String,
    pid: u32,
    /// `in` for input, `out` for output, `note` for an event.
    direction: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    /// Line that the command writes before its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<&'a str>,
    /// Answer with its first character, `=` or `?`.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<&'a SearchFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Entry<'_> {
    fn new(direction: &'static str) -> Entry<'static> {
        Entry {
            time: now(),
            pid: std::process::id(),
            direction,
            command: None,
            line: None,
            answer: None,
            ms: None,
            search: None,
            note: None,
        }
    }
}

impl SessionLog {
    /// Returns a log that writes to these files.
    pub fn new(text: Option<WarningFile>, json: Option<WarningFile>) -> SessionLog {
        SessionLog {
            text,
            json,
            ..SessionLog::default()
        }
    }

    /// Logs an input line, in the text after `> `.
    pub(super) fn received(&mut self, line: &str) {
        self.write_text('>', line);
        if let Some(json) = &mut self.json {
            json.append_json(&Entry {
                command: Some(line),
                ..Entry::new("in")
            });
            self.command = Some((line.to_string(), Instant::now()));
            self.search = None;
        }
    }

    /// Logs output as it was written, in the text after `< `. Only the text log contains it.
    pub(super) fn sent(&mut self, output: &str) {
        let output = output.trim_end();
        if !output.is_empty() {
            self.write_text('<', output);
        }
    }

    /// Logs a line that a command writes before its answer.
    pub(super) fn line(&mut self, line: &str) {
        let command = self.command.as_ref();
        if let Some(json) = self.json.as_mut().filter(|_| !line.trim().is_empty()) {
            json.append_json(&Entry {
                command: command.map(|(command, _)| command.as_str()),
                line: Some(line.trim()),
                ..Entry::new("out")
            });
        }
    }

    /// Stores the figures of the search, for the answer that follows.
    pub(super) fn searched(&mut self, figures: SearchFigures) {
        self.search = self.json.is_some().then_some(figures);
    }

    /// Logs an answer and its time since the command was taken.
    pub(super) fn answered(&mut self, result: Result<&str, &str>) {
        let Some(json) = &mut self.json else { return };
        let command = self.command.take();
        let ms = command
            .as_ref()
            .map(|(_, since)| (since.elapsed().as_secs_f64() * 1e6).round() / 1e3);
        json.append_json(&Entry {
            command: command.as_ref().map(|(command, _)| command.as_str()),
            answer: Some(match result {
                Ok(text) => format!("= {}", text.trim()),
                Err(text) => format!("? {}", text.trim()),
            }),
            ms,
            search: self.search.as_ref(),
            ..Entry::new("out")
        });
        self.search = None;
    }

    /// Logs an event, such as the end of the session. Only the JSON log contains it.
    pub(super) fn note(&mut self, note: &str) {
        if let Some(json) = &mut self.json {
            json.append_json(&Entry {
                note: Some(note),
                ..Entry::new("note")
            });
        }
    }

    fn write_text(&mut self, mark: char, text: &str) {
        let Some(file) = &mut self.text else { return };
        let mut entry = String::with_capacity(text.len() + 3);
        for line in text.split('\n') {
            entry.push(mark);
            entry.push(' ');
            entry.push_str(line);
            entry.push('\n');
        }
        file.append(&entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_logs_hold_the_same_commands() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["text", "json"].map(|name| folder.path().join(name));
        let files = paths.each_ref().map(|path| {
            let file = WarningFile::new("--log", path, None);
            Some(file)
        });
        let [text, json] = files;
        let mut log = SessionLog::new(text, json);
        log.note("start");
        log.received("7 name");
        log.sent("=7 omnigo\n\n");
        log.answered(Ok("omnigo"));
        log.received("foo");
        log.line("info");
        log.answered(Err("unknown command"));
        let [text, json] = paths.map(|path| std::fs::read_to_string(path).unwrap());
        assert_eq!(text, "> 7 name\n< =7 omnigo\n> foo\n");
        let entries: Vec<serde_json::Value> = json
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(entries.len(), 6);
        assert_eq!(entries[0]["note"], "start");
        assert_eq!(entries[1]["direction"], "in");
        assert_eq!(entries[2]["command"], "7 name");
        assert_eq!(entries[2]["answer"], "= omnigo");
        assert!(entries[2]["ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(entries[4]["line"], "info");
        assert_eq!(entries[5]["answer"], "? unknown command");
        let time = entries[5]["time"].as_str().unwrap();
        assert!(time.ends_with('Z') && time.len() == 24, "{time}");
    }
}
