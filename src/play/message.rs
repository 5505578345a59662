//! Messages from pages. `docs/play-protocol.md` describes them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::access::Role;
use crate::text::quote;

/// Maximum depth of arrays and objects in a message.
const MOST_DEPTH: usize = 32;
/// Maximum length of an id, in bytes.
const MOST_ID: usize = 64;

/// Message with the keys that every command may have.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Number or text chosen by the page, or null.
    pub(super) id: Value,
    /// Revision that the page saw.
    pub(super) rev: Option<u64>,
    /// The command.
    pub(super) command: Command,
}

/// Command of a page, named by the key `type`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Command {
    Hello(Hello),
    New(Box<New>),
    Play {
        vertex: String,
        color: Option<String>,
    },
    Pass {
        color: Option<String>,
    },
    Resign {
        color: Option<String>,
    },
    Genmove,
    Stop {
        job: Option<Value>,
    },
    Undo,
    Redo,
    Goto {
        node: u32,
    },
    Comment {
        node: u32,
        text: String,
    },
    Name {
        node: u32,
        text: String,
    },
    Promote {
        node: u32,
    },
    Delete {
        node: u32,
    },
    Setup {
        stones: String,
        to_move: Option<String>,
    },
    Players {
        players: BTreeMap<String, PlayerText>,
    },
    Why {
        vertex: String,
    },
    Score,
    Dead {
        vertex: String,
        dead: Option<bool>,
        #[serde(default)]
        alone: bool,
    },
    Accept {
        color: Option<String>,
    },
    Resume,
    Analyze(Analyze),
    Solve {
        seconds: Option<f64>,
    },
    Komi {
        seconds: Option<f64>,
    },
    Count {
        seconds: Option<f64>,
    },
    Life,
    Gallery,
    Rules,
    Formats,
    Validate {
        spec: String,
        ruleset: Option<String>,
    },
    Thumbnail {
        spec: String,
        width: Option<u32>,
        theme: Option<String>,
    },
    Preview {
        spec: String,
    },
    Import {
        name: String,
        text: Option<String>,
        base64: Option<String>,
    },
    Export(Export),
    Console {
        line: String,
    },
    Quit,
}

/// First message of a page.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Hello {
    pub(super) protocol: u64,
    /// Number of a game, or `new`.
    #[serde(default)]
    pub(super) game: Value,
    pub(super) page: Option<String>,
    pub(super) since: Option<u64>,
    pub(super) link: Option<String>,
}

/// New game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct New {
    pub(super) spec: Option<String>,
    pub(super) ruleset: Option<String>,
    pub(super) komi: Option<f64>,
    pub(super) colors: Option<usize>,
    pub(super) handicap: Option<usize>,
    pub(super) start: Option<String>,
    pub(super) to_move: Option<String>,
    pub(super) players: Option<BTreeMap<String, PlayerText>>,
    pub(super) clock: Option<ClockText>,
    pub(super) moves: Vec<MoveText>,
    pub(super) link: Option<String>,
}

/// Player of a color.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PlayerText {
    pub(super) kind: String,
    pub(super) level: Option<usize>,
    pub(super) playouts: Option<u64>,
    pub(super) seconds: Option<f64>,
    pub(super) name: Option<String>,
    pub(super) team: Option<u8>,
}

/// Clock of a game, in seconds.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClockText {
    pub(super) main: f64,
    pub(super) increment: Option<f64>,
    pub(super) period: Option<f64>,
    pub(super) periods: Option<u32>,
    pub(super) stones: Option<u32>,
}

/// Move of a new game: a vertex or pass, with or without a color.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum MoveText {
    Plain(String),
    Colored(String, String),
}

/// Start or end of the analysis.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Analyze {
    pub(super) on: Option<bool>,
    pub(super) interval: Option<u64>,
    #[serde(default)]
    pub(super) ownership: bool,
    pub(super) moves: Option<usize>,
}

/// Request for a file.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Export {
    pub(super) what: String,
    pub(super) format: String,
    pub(super) theme: Option<String>,
    pub(super) labels: Option<String>,
    pub(super) width: Option<u32>,
    /// Number of moves from one position of a game to the next.
    pub(super) every: Option<u32>,
}

impl Message {
    /// Returns true if the page saw this revision, or names none.
    pub(super) fn is_present(&self, rev: u64) -> bool {
        self.rev.is_none_or(|seen| seen == rev)
    }

    /// Reads a message.
    ///
    /// # Errors
    /// The message `error` for the page.
    pub(super) fn read(text: &str) -> Result<Message, Value> {
        let fail = |id: &Value, line: String| error(id, &line);
        if depth(text) > MOST_DEPTH {
            let line = format!("message nested too deeply, expected at most {MOST_DEPTH} levels");
            return Err(fail(&Value::Null, line));
        }
        let value: Value = serde_json::from_str(text).map_err(|problem| {
            let problem = quote(&problem.to_string());
            fail(&Value::Null, format!("not JSON: {problem}"))
        })?;
        let Value::Object(object) = &value else {
            let line = format!("message '{}', expected a JSON object", quote(text));
            return Err(fail(&Value::Null, line));
        };
        let id = object.get("id").cloned().unwrap_or_default();
        let sound = match &id {
            Value::Null | Value::Number(_) => true,
            Value::String(text) => text.len() <= MOST_ID,
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        };
        if !sound {
            let line = format!(
                "id '{}', expected a number or a short text",
                quote(&id.to_string())
            );
            return Err(fail(&Value::Null, line));
        }
        let rev = match object.get("rev") {
            None | Some(Value::Null) => None,
            Some(rev) => Some(rev.as_u64().ok_or_else(|| {
                let rev = quote(&rev.to_string());
                fail(
                    &id,
                    format!("rev '{rev}', expected a whole number, 0 or more"),
                )
            })?),
        };
        let kind = object.get("type").cloned().unwrap_or_default();
        let Value::String(kind) = kind else {
            let line = format!("type '{}', expected a text", quote(&kind.to_string()));
            return Err(fail(&id, line));
        };
        match serde_json::from_value(value) {
            Ok(command) => Ok(Message { id, rev, command }),
            Err(problem) => {
                let problem = problem.to_string();
                let line = match problem.starts_with("unknown variant") {
                    true => format!(
                        "unknown type '{}', expected one of docs/play-protocol.md",
                        quote(&kind)
                    ),
                    false => format!("{}: {}", quote(&kind), quote(&problem)),
                };
                Err(fail(&id, line))
            }
        }
    }
}

/// Returns the message for a wrong command.
pub(super) fn error(id: &Value, line: &str) -> Value {
    json!({"type": "error", "id": id, "line": crate::text::printable(line)})
}

/// Returns the message for a command that the game or the server does not allow. `rev` is the
/// revision of the game, if there is one.
pub(super) fn refused(id: &Value, rev: Option<u64>, reason: &str, text: &str) -> Value {
    json!({"type": "refused", "id": id, "rev": rev, "reason": reason, "text": text})
}

/// Returns the message with the answer of a question: these keys, the id, and the name of the
/// command.
pub(super) fn result(id: &Value, tool: &str, mut answer: Value) -> Value {
    if let Value::Object(keys) = &mut answer {
        keys.insert("type".to_string(), json!("result"));
        keys.insert("id".to_string(), id.clone());
        keys.insert("tool".to_string(), json!(tool));
    }
    answer
}

/// Returns the depth of the brackets outside of strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Effect of a command on the engine's search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The search goes on, and the command waits.
    Waits,
    /// The engine plays at once.
    Plays,
    /// The search ends without a move.
    Discards,
}

impl Command {
    /// Returns the effect on a running search for a move.
    pub(super) fn effect(&self) -> Effect {
        match self {
            Command::Genmove => Effect::Plays,
            Command::New(_)
            | Command::Stop { .. }
            | Command::Undo
            | Command::Redo
            | Command::Goto { .. }
            | Command::Delete { .. }
            | Command::Setup { .. }
            | Command::Players { .. }
            | Command::Resign { .. }
            | Command::Import { .. } => Effect::Discards,
            _ => Effect::Waits,
        }
    }

    /// Returns true if the command changes the game.
    pub(super) fn changes(&self) -> bool {
        matches!(
            self,
            Command::New(_)
                | Command::Play { .. }
                | Command::Pass { .. }
                | Command::Resign { .. }
                | Command::Genmove
                | Command::Undo
                | Command::Redo
                | Command::Goto { .. }
                | Command::Comment { .. }
                | Command::Name { .. }
                | Command::Promote { .. }
                | Command::Delete { .. }
                | Command::Setup { .. }
                | Command::Players { .. }
                | Command::Dead { .. }
                | Command::Accept { .. }
                | Command::Resume
                | Command::Import { .. }
        )
    }

    /// Returns true if a page with this role may send the command.
    pub(super) fn is_open_to(&self, role: Role) -> bool {
        let anybody = matches!(
            self,
            Command::Hello(_)
                | Command::Why { .. }
                | Command::Export(_)
                | Command::Gallery
                | Command::Rules
                | Command::Formats
                | Command::Validate { .. }
                | Command::Thumbnail { .. }
                | Command::Preview { .. }
        );
        let player = matches!(
            self,
            Command::Play { .. }
                | Command::Pass { .. }
                | Command::Resign { .. }
                | Command::Dead { .. }
                | Command::Accept { .. }
        );
        match role {
            Role::Owner => true,
            Role::Player(_) => anybody || player,
            Role::Watch => anybody,
        }
    }

    /// Returns the value of the key `type`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Command::Hello(_) => "hello",
            Command::New(_) => "new",
            Command::Play { .. } => "play",
            Command::Pass { .. } => "pass",
            Command::Resign { .. } => "resign",
            Command::Genmove => "genmove",
            Command::Stop { .. } => "stop",
            Command::Undo => "undo",
            Command::Redo => "redo",
            Command::Goto { .. } => "goto",
            Command::Comment { .. } => "comment",
            Command::Name { .. } => "name",
            Command::Promote { .. } => "promote",
            Command::Delete { .. } => "delete",
            Command::Setup { .. } => "setup",
            Command::Players { .. } => "players",
            Command::Why { .. } => "why",
            Command::Score => "score",
            Command::Dead { .. } => "dead",
            Command::Accept { .. } => "accept",
            Command::Resume => "resume",
            Command::Analyze(_) => "analyze",
            Command::Solve { .. } => "solve",
            Command::Komi { .. } => "komi",
            Command::Count { .. } => "count",
            Command::Life => "life",
            Command::Gallery => "gallery",
            Command::Rules => "rules",
            Command::Formats => "formats",
            Command::Validate { .. } => "validate",
            Command::Thumbnail { .. } => "thumbnail",
            Command::Preview { .. } => "preview",
            Command::Import { .. } => "import",
            Command::Export(_) => "export",
            Command::Console { .. } => "console",
            Command::Quit => "quit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_messages_get_one_line() {
        let deep = format!("{{\"type\":{}1{}}}", "[".repeat(40), "]".repeat(40));
        for text in [
            "",
            "null",
            "[]",
            "7",
            "{",
            "{}",
            r#"{"type":7}"#,
            r#"{"type":"nonsense"}"#,
            r#"{"type":"play"}"#,
            r#"{"type":"play","vertex":7}"#,
            r#"{"type":"goto","node":-1}"#,
            r#"{"type":"goto","node":99999999999}"#,
            r#"{"type":"goto","node":1.5}"#,
            r#"{"type":"undo","rev":"x"}"#,
            r#"{"type":"undo","id":{"a":1}}"#,
            r#"{"type":"new","komi":NaN}"#,
            r#"{"type":"new","komi":1e999}"#,
            r#"{"type":"play","vertex":"\ud800"}"#,
            "{\"type\":\"un\u{7}do\"}",
            &deep,
        ] {
            let problem = Message::read(text).unwrap_err();
            assert_eq!(problem["type"], "error", "{text}");
            let line = problem["line"].as_str().unwrap();
            assert!(!line.is_empty() && !line.contains('\n'), "{text}");
            assert!(line.len() < 300, "{line}");
        }
    }

    #[test]
    fn roles_limit_commands() {
        let command = |text: &str| Message::read(text).unwrap().command;
        let play = command(r#"{"type":"play","vertex":"D4"}"#);
        let solve = command(r#"{"type":"solve"}"#);
        let why = command(r#"{"type":"why","vertex":"D4"}"#);
        let player = Role::Player(crate::color::Color::BLACK);
        let table = [
            (&play, [true, true, false]),
            (&solve, [true, false, false]),
            (&why, [true, true, true]),
        ];
        for (command, expected) in table {
            let found = [Role::Owner, player, Role::Watch].map(|role| command.is_open_to(role));
            assert_eq!(found, expected, "{}", command.name());
        }
    }
}
