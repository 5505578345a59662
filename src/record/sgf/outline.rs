//! Outline of a file: where its games, nodes, properties, and values begin and end.
//!
//! Many programs write files that the format forbids. If the meaning is clear, such a file is read,
//! with one warning for each kind of violation.

use super::SgfError;
use crate::text::quote;

/// Warnings about a file, one for each kind.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kinds: Vec<&'static str>,
    /// One-line warnings.
    pub(super) lines: Vec<String>,
}

impl Notes {
    /// Adds a warning, unless there is one of this kind.
    pub(super) fn tell(&mut self, kind: &'static str, line: String) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
            self.lines.push(line);
        }
    }
}

/// Visits the text of each node of the main line of the first game, without its semicolon. Returns
/// true if the game is complete.
pub(super) fn main_line<'a>(
    text: &'a str,
    notes: &mut Notes,
    mut visit: impl FnMut(&'a str, &mut Notes) -> Result<(), SgfError>,
) -> Result<bool, SgfError> {
    let mut node: Option<Start> = None;
    let mut depth = 0usize;
    let (mut ended, mut games) = (false, 0usize);
    let (mut value, mut escaped) = (None, false);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if value.is_some() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => value = None,
                _ => {}
            }
            continue;
        }
        if matches!(byte, b'(' | b')' | b';')
            && let Some(start) = node.take()
            && let Some(text) = start.node(text, at, notes)
        {
            visit(text, notes)?;
        }
        match byte {
            // Other text may precede the first game.
            b'[' if depth > 0 => value = Some(at),
            b'(' if depth > 0 || begins_game(bytes, at + 1, games == 0) => {
                games += usize::from(depth == 0);
                depth += 1;
                if !ended {
                    node = Some(Start {
                        at: at + 1,
                        bare: true,
                    });
                }
            }
            b')' if depth > 0 => {
                // The first variation that ends is that of the main line.
                ended = true;
                depth -= 1;
            }
            b';' if depth > 0 && !ended => {
                node = Some(Start {
                    at: at + 1,
                    bare: false,
                })
            }
            _ => {}
        }
    }
    if games > 1 {
        notes.tell("games", format!("{games} games, only the first is read"));
        return Ok(true);
    }
    if depth == 0 {
        return Ok(true);
    }
    // The end of the file closes the game. An incomplete value is dropped, and so is a property
    // without a value.
    let until = value.unwrap_or(text.len());
    let node = node.and_then(|start| start.node(text, until, notes));
    let cut = node.map(|text| {
        let text = text.trim_end();
        text.trim_end_matches(|c: char| c.is_ascii_alphanumeric())
    });
    let named = node.is_some_and(|text| Some(text.trim_end()) != cut);
    let line = match value {
        Some(_) => "the file ends inside a value, which is ignored",
        None if named => "the file ends inside a property, which is ignored",
        None => "the file ends inside the game, a parenthesis is missing",
    };
    notes.tell("end", line.to_string());
    if let Some(text) = cut {
        visit(text, notes)?;
    }
    Ok(false)
}

/// Returns the texts of all nodes of the first game, without their semicolons, each with the index
/// of its parent. A parent comes before its children, and the main line before other variations.
pub(super) fn nodes(text: &str) -> Vec<(Option<usize>, &str)> {
    let mut found: Vec<(Option<usize>, &str)> = Vec::new();
    // The reader of the main line has told about all of these.
    let mut notes = Notes::default();
    let mut node: Option<Start> = None;
    // Latest node before each open parenthesis.
    let mut forks: Vec<Option<usize>> = Vec::new();
    let mut parent = None;
    let (mut value, mut escaped) = (None, false);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if value.is_some() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => value = None,
                _ => {}
            }
            continue;
        }
        if matches!(byte, b'(' | b')' | b';')
            && let Some(start) = node.take()
            && let Some(text) = start.node(text, at, &mut notes)
        {
            found.push((parent, text));
            parent = Some(found.len() - 1);
        }
        match byte {
            b'[' if !forks.is_empty() => value = Some(at),
            b'(' if !forks.is_empty() || begins_game(bytes, at + 1, true) => {
                forks.push(parent);
                node = Some(Start {
                    at: at + 1,
                    bare: true,
                });
            }
            b')' => match forks.pop() {
                Some(_) if forks.is_empty() => break,
                Some(fork) => parent = fork,
                None => {}
            },
            b';' if !forks.is_empty() => {
                node = Some(Start {
                    at: at + 1,
                    bare: false,
                })
            }
            _ => {}
        }
    }
    let until = value.unwrap_or(text.len());
    if let Some(text) = node.and_then(|start| start.node(text, until, &mut notes)) {
        let text = text.trim_end();
        found.push((
            parent,
            text.trim_end_matches(|c: char| c.is_ascii_alphanumeric()),
        ));
    }
    found
}

/// Start of the text of a node.
struct Start {
    at: usize,
    /// True for a node directly after a parenthesis, without a semicolon.
    bare: bool,
}

impl Start {
    /// Returns the text of the node, or `None` if it is not a node.
    fn node<'a>(&self, text: &'a str, until: usize, notes: &mut Notes) -> Option<&'a str> {
        let text = text.get(self.at..until).unwrap_or_default();
        if self.bare {
            if !text.contains('[') {
                return None;
            }
            let line = "a variation that starts without ; is read as if it had one";
            notes.tell("semicolon", line.to_string());
        }
        Some(text)
    }
}

/// Returns true if a game begins after a parenthesis, that is, with a semicolon. The first game may
/// also begin with a property, because some programs omit that semicolon.
fn begins_game(bytes: &[u8], at: usize, first: bool) -> bool {
    const LONGEST_NAME: usize = 32;
    let rest = bytes.get(at..).unwrap_or_default().trim_ascii_start();
    if rest.first() == Some(&b';') {
        return true;
    }
    let name = rest.iter().take(LONGEST_NAME);
    let letters = name.take_while(|byte| byte.is_ascii_alphabetic()).count();
    first && rest.first().is_some_and(u8::is_ascii_uppercase) && rest.get(letters) == Some(&b'[')
}

/// Returns the properties of a node: names and values.
pub(super) fn properties(
    text: &str,
    node: usize,
    notes: &mut Notes,
) -> Result<Vec<(String, Vec<String>)>, SgfError> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut rest = text;
    loop {
        let (before, after) = match rest.split_once('[') {
            Some((before, after)) => (before.trim(), Some(after)),
            None => (rest.trim(), None),
        };
        // A bracket without a name holds another value of the previous property.
        if !before.is_empty() || after.is_some() && found.is_empty() {
            let name_at = match after {
                Some(_) => before
                    .trim_end_matches(|c: char| c.is_ascii_alphanumeric())
                    .len(),
                None => before.len(),
            };
            let (other, name) = before.split_at_checked(name_at).unwrap_or((before, ""));
            left_out(other, node, notes)?;
            // Format 3 has longer names, of which only the capitals count.
            let name = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
            found.push((name, Vec::new()));
        }
        let Some(after) = after else {
            break;
        };
        let (value, behind) = value(after);
        if let Some((_, values)) = found.last_mut() {
            values.push(value);
        }
        rest = behind;
    }
    found.retain(|(name, values)| !name.is_empty() && !values.is_empty());
    Ok(found)
}

/// Adds a warning about text that belongs to no property. A move without a value is an error.
fn left_out(text: &str, node: usize, notes: &mut Notes) -> Result<(), SgfError> {
    let text = text.trim();
    if let Some(name) = text
        .split_whitespace()
        .find(|word| matches!(*word, "B" | "W"))
    {
        let problem = format!("{name} without a value");
        return Err(SgfError::Node { node, problem });
    }
    if !text.is_empty() {
        let line = format!(
            "node {node}: '{}' does not belong to a property, ignored",
            quote(text)
        );
        notes.tell("text", line);
    }
    Ok(())
}

/// Returns the value at the beginning of a text, and the text after its bracket.
fn value(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut escaped = false;
    for (at, sign) in text.char_indices() {
        match sign {
            ']' if !escaped => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' if !escaped => escaped = true,
            // An escaped line break stands for none.
            '\n' | '\r' if escaped => escaped = false,
            sign => {
                escaped = false;
                value.push(sign);
            }
        }
    }
    (value, "")
}
