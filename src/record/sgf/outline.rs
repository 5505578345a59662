//! Outline of a file: where its games, nodes, properties, and values begin and end.
//!
//! Many programs write files that the format forbids. If the meaning is clear, such a file is read,
//! with one warning for each kind of violation.

use std::ops::Range;

use super::SgfError;
use super::properties::without_name;

/// Warnings about a file, one for each kind.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    kinds: Vec<&'static str>,
    /// One-line warnings.
    pub(super) lines: Vec<String>,
}

impl Warnings {
    /// Adds a warning, unless there is one of this kind.
    pub(super) fn tell(&mut self, kind: &'static str, line: String) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
            self.lines.push(line);
        }
    }
}

/// Parenthesis or semicolon outside of values, which gives a game its structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    /// Position in the text, in bytes.
    pub(super) at: usize,
    /// The character.
    pub(super) byte: u8,
    /// Number of open parentheses, including the one at a parenthesis.
    pub(super) depth: usize,
}

/// Iterator over the signs of all games of a text.
pub(super) struct Signs<'a> {
    bytes: &'a [u8],
    next: usize,
    escaped: bool,
    /// Start of the value that contains the latest character, if any.
    value: Option<usize>,
    /// Number of open parentheses.
    pub(super) depth: usize,
    /// Number of games that have begun.
    games: usize,
}

impl<'a> Signs<'a> {
    pub(super) fn of(text: &'a str) -> Signs<'a> {
        Signs {
            bytes: text.as_bytes(),
            next: 0,
            escaped: false,
            value: None,
            depth: 0,
            games: 0,
        }
    }

    /// Returns the end of the part that can be read: the start of a value without an end, or the
    /// end of the text. Meaningful after the last sign.
    pub(super) fn end(&self) -> usize {
        self.value.unwrap_or(self.bytes.len())
    }
}

impl Iterator for Signs<'_> {
    type Item = Sign;

    fn next(&mut self) -> Option<Sign> {
        while let Some(&byte) = self.bytes.get(self.next) {
            let at = self.next;
            self.next += 1;
            if self.value.is_some() {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b']' => self.value = None,
                    _ => {}
                }
                continue;
            }
            let depth = match byte {
                // Other text may precede the first game.
                b'[' if self.depth > 0 => {
                    self.value = Some(at);
                    continue;
                }
                b'(' if self.depth > 0 || begins_game(self.bytes, at + 1, self.games == 0) => {
                    self.games += usize::from(self.depth == 0);
                    self.depth += 1;
                    self.depth
                }
                b')' if self.depth > 0 => {
                    self.depth -= 1;
                    self.depth + 1
                }
                b';' if self.depth > 0 => self.depth,
                _ => continue,
            };
            return Some(Sign { at, byte, depth });
        }
        None
    }
}

/// Returns the bytes of each game of a text. A game without an end reaches to the end of the text.
pub(super) fn games(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for sign in Signs::of(text).filter(|sign| sign.depth == 1) {
        match (sign.byte, found.last_mut()) {
            (b'(', _) => found.push(sign.at..text.len()),
            (b')', Some(game)) => game.end = sign.at + 1,
            _ => {}
        }
    }
    found
}

/// Node of the main line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// Text without its semicolon.
    pub(super) text: &'a str,
    /// Position of this text, in bytes.
    pub(super) at: usize,
    /// Number of open parentheses.
    pub(super) depth: usize,
}

/// Visits each node of the main line of the first game. Returns true if the game is complete.
pub(super) fn main_line<'a>(
    text: &'a str,
    warnings: &mut Warnings,
    mut visit: impl FnMut(Node<'a>, &mut Warnings) -> Result<(), SgfError>,
) -> Result<bool, SgfError> {
    let mut node: Option<Start> = None;
    let mut ended = false;
    let mut after = text.len();
    let mut signs = Signs::of(text);
    for Sign { at, byte, depth } in signs.by_ref() {
        if byte == b')' && depth == 1 {
            after = at + 1;
        }
        if let Some(start) = node.take()
            && let Some(node) = start.node(text, at, warnings)
        {
            visit(node, warnings)?;
        }
        match byte {
            // The first variation that ends is that of the main line.
            b')' => ended = true,
            _ if ended => {}
            sign => {
                node = Some(Start {
                    at: at + 1,
                    depth,
                    bare: sign == b'(',
                });
            }
        }
    }
    if signs.games > 1 {
        let games = signs.games;
        warnings.tell("games", format!("{games} games, only the first is read"));
        return Ok(true);
    }
    if signs.depth == 0 {
        // Properties show that a parenthesis too many has ended the game.
        let rest = text.as_bytes().get(after..).unwrap_or_default();
        let begins = |pair: &[u8]| matches!(pair, [b'A'..=b'Z', b'[']);
        if rest.windows(2).any(begins) {
            let line = "nodes after the end of the game are ignored".to_string();
            warnings.tell("after", line);
        }
        return Ok(true);
    }
    // The end of the file closes the game. An incomplete value is dropped, and so is a property
    // without a value.
    let node = node.and_then(|start| start.node(text, signs.end(), warnings));
    let cut = node.map(|node| Node {
        text: without_name(node.text),
        ..node
    });
    let named = node.is_some_and(|node| node.text.trim_end() != without_name(node.text));
    let line = match signs.value {
        Some(_) => "the file ends inside a value, which is ignored",
        None if named => "the file ends inside a property, which is ignored",
        None => "the file ends inside the game, a parenthesis is missing",
    };
    warnings.tell("end", line.to_string());
    if let Some(node) = cut {
        visit(node, warnings)?;
    }
    Ok(false)
}

/// Returns the texts of all nodes of the first game, without their semicolons, each with the index
/// of its parent. A parent comes before its children, and the main line before other variations.
pub(super) fn nodes(text: &str) -> Vec<(Option<usize>, &str)> {
    let mut found: Vec<(Option<usize>, &str)> = Vec::new();
    // The reader of the main line has told about all of these.
    let mut warnings = Warnings::default();
    let mut node: Option<Start> = None;
    // Latest node before each open parenthesis.
    let mut forks: Vec<Option<usize>> = Vec::new();
    let mut parent = None;
    let mut signs = Signs::of(text);
    for Sign { at, byte, depth } in signs.by_ref() {
        if let Some(start) = node.take()
            && let Some(node) = start.node(text, at, &mut warnings)
        {
            found.push((parent, node.text));
            parent = Some(found.len() - 1);
        }
        match byte {
            b')' => {
                parent = forks.pop().flatten();
                if depth == 1 {
                    return found;
                }
            }
            sign => {
                let bare = sign == b'(';
                if bare {
                    forks.push(parent);
                }
                node = Some(Start {
                    at: at + 1,
                    depth,
                    bare,
                });
            }
        }
    }
    if let Some(node) = node.and_then(|start| start.node(text, signs.end(), &mut warnings)) {
        found.push((parent, without_name(node.text)));
    }
    found
}

/// Start of the text of a node.
struct Start {
    at: usize,
    /// Number of open parentheses.
    depth: usize,
    /// True for a node directly after a parenthesis, without a semicolon.
    bare: bool,
}

impl Start {
    /// Returns the node, or `None` if it is not a node.
    fn node<'a>(&self, text: &'a str, until: usize, warnings: &mut Warnings) -> Option<Node<'a>> {
        let text = text.get(self.at..until).unwrap_or_default();
        if self.bare {
            if !text.contains('[') {
                return None;
            }
            let line = "a variation that starts without ; is read as if it had one";
            warnings.tell("semicolon", line.to_string());
        }
        Some(Node {
            text,
            at: self.at,
            depth: self.depth,
        })
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
