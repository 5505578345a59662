//! Pages that look at a game, and the latest messages for pages that join.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::access::Role;
use super::game::LIMITS;
use super::message::{Hello, Message, refused};
use super::queue::Sender;
use super::room::Record;
use super::socket::{MOST_MESSAGE, Outbox};
use super::{MOST_GAMES, PROTOCOL, tree};
use crate::color::Color;
use crate::engine::Level;

/// Number of command ids of each page that are kept.
const IDS: usize = 64;
/// Number of pages whose ids are kept.
const PAGES: usize = 32;
/// Maximum length of the name of a page, in bytes.
const MOST_NAME: usize = 64;

/// Page that looks at the game.
struct Viewer {
    outbox: Outbox,
    role: Role,
    page: Option<String>,
}

/// Side of a game that faces the pages.
pub(super) struct Front {
    /// Number of the game.
    pub(super) number: u64,
    /// Number of changes.
    pub(super) rev: u64,
    /// Keys of `board`, without game and revision.
    pub(super) board: serde_json::Map<String, Value>,
    /// Latest `state`.
    state: Arc<str>,
    viewers: Vec<Viewer>,
    /// Paths of the pages for other people.
    links: Value,
    /// True if the owner's page may end the program.
    may_quit: bool,
    /// Colors that a page of their own has played.
    seated: Vec<Color>,
    /// Latest commands of each page.
    seen: VecDeque<(String, VecDeque<Value>)>,
    /// Time when the last page left, or `None` while a page looks.
    alone: Option<Instant>,
    /// Revision at which figures of nodes have changed without a new one.
    figures: Option<u64>,
}

impl Front {
    /// Returns the front of a game that no page looks at.
    pub(super) fn new(number: u64, links: Value, may_quit: bool) -> Front {
        Front {
            number,
            rev: 0,
            board: serde_json::Map::new(),
            state: "".into(),
            viewers: Vec::new(),
            links,
            may_quit,
            seated: Vec::new(),
            seen: VecDeque::new(),
            alone: Some(Instant::now()),
            figures: None,
        }
    }

    /// Returns the time when the last page left, or `None` while a page looks at the game.
    pub(super) fn alone(&self) -> Option<Instant> {
        self.alone
    }

    /// Adds a page and sends it everything that it needs.
    pub(super) fn join(&mut self, sender: &Sender, hello: &Hello, id: &Value, record: &Record) {
        let page = hello.page.clone().filter(|page| page.len() <= MOST_NAME);
        self.viewers.push(Viewer {
            outbox: sender.outbox.clone(),
            role: sender.role,
            page,
        });
        if let Role::Player(color) = sender.role {
            self.unseat(color);
            self.seated.push(color);
        }
        self.alone = None;
        let outbox = &sender.outbox;
        let role = sender.role;
        let [vertices, edges] = LIMITS;
        outbox.send(&json!({
            "type": "welcome",
            "id": id,
            "protocol": PROTOCOL,
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.number,
            "role": role.name(),
            "color": role.color().map(|color| color.to_string()),
            "limits": {
                "message": MOST_MESSAGE, "games": MOST_GAMES, "vertices": vertices, "edges": edges,
                "nodes": tree::MOST_NODES, "comment": tree::MOST_COMMENT,
            },
            "levels": Level::MOST,
            "links": if role == Role::Owner { self.links.clone() } else { Value::Null },
            "quit": role == Role::Owner && self.may_quit,
        }));
        let known = hello.game.as_u64() == Some(self.number)
            && hello.since == Some(self.rev)
            && self.figures != Some(self.rev);
        if !known {
            outbox.send_text(self.board_text());
            outbox.send_text(self.tree_text(record));
        }
        outbox.send_text(Arc::clone(&self.state));
    }

    /// Removes a page.
    pub(super) fn leave(&mut self, outbox: &Outbox) {
        self.viewers.retain(|viewer| !viewer.outbox.is(outbox));
        if self.viewers.is_empty() {
            self.alone.get_or_insert_with(Instant::now);
        }
    }

    /// Sets the time when the last page left.
    #[cfg(test)]
    pub(super) fn leave_alone_since(&mut self, since: Instant) {
        self.alone = Some(since);
    }

    /// Returns true if a page of its own has played a color, and is gone.
    pub(super) fn is_away(&self, color: Color) -> bool {
        let own = Role::Player(color);
        let mut viewers = self.viewers.iter();
        self.seated.contains(&color) && !viewers.any(|viewer| viewer.role == own)
    }

    /// Forgets that a page of its own has played a color.
    pub(super) fn unseat(&mut self, color: Color) {
        self.seated.retain(|&seated| seated != color);
    }

    /// Forgets that pages of their own have played colors, for another game.
    pub(super) fn unseat_all(&mut self) {
        let present = |color: &Color| {
            let own = Role::Player(*color);
            self.viewers.iter().any(|viewer| viewer.role == own)
        };
        let seated = std::mem::take(&mut self.seated);
        self.seated = seated.into_iter().filter(present).collect();
    }

    fn board_text(&self) -> Arc<str> {
        let mut board = self.board.clone();
        board.insert("type".to_string(), json!("board"));
        board.insert("game".to_string(), json!(self.number));
        board.insert("rev".to_string(), json!(self.rev));
        Value::Object(board).to_string().into()
    }

    fn tree_text(&self, record: &Record) -> Arc<str> {
        let nodes = record.tree.describe_all(&record.start.goban.names);
        let tree = json!({
            "type": "tree", "game": self.number, "rev": self.rev, "root": 0, "nodes": nodes,
        });
        tree.to_string().into()
    }

    /// Sends a message to all pages.
    pub(super) fn tell(&self, message: &Value) {
        self.tell_text(&message.to_string().into());
    }

    fn tell_text(&self, text: &Arc<str>) {
        for viewer in &self.viewers {
            viewer.outbox.send_text(Arc::clone(text));
        }
    }

    /// Sends the board of a new game to all pages.
    pub(super) fn tell_board(&self) {
        self.tell_text(&self.board_text());
    }

    /// Sends the whole tree to all pages.
    pub(super) fn tell_tree(&self, record: &Record) {
        self.tell_text(&self.tree_text(record));
    }

    /// Sends one node to all pages.
    pub(super) fn tell_node(&self, record: &Record, node: u32) {
        let node = record.tree.describe(node, &record.start.goban.names);
        self.tell(&json!({"type": "node", "game": self.number, "rev": self.rev, "node": node}));
    }

    /// Sends one node with new figures to all pages. They are no change of the game, so the
    /// revision stays.
    pub(super) fn tell_figures(&mut self, record: &Record, node: u32) {
        self.figures = Some(self.rev);
        self.tell_node(record, node);
    }

    /// Raises the revision while the engine searches, and sends the latest state again. Only its
    /// revision and clocks are new.
    pub(super) fn raise(&mut self, clocks: Value) {
        self.rev += 1;
        let mut state: Value = serde_json::from_str(&self.state).unwrap_or_default();
        if let Some(keys) = state.as_object_mut() {
            keys.insert("rev".to_string(), json!(self.rev));
            keys.insert("clocks".to_string(), clocks);
        }
        self.tell_state(&state);
    }

    /// Sends a new state to all pages.
    pub(super) fn tell_state(&mut self, state: &Value) {
        self.state = state.to_string().into();
        self.tell_text(&Arc::clone(&self.state));
    }

    /// Returns the name of the page behind an outbox, if it gave one.
    fn page_name(&self, outbox: &Outbox) -> Option<&String> {
        let mut viewers = self.viewers.iter();
        viewers
            .find(|viewer| viewer.outbox.is(outbox))
            .and_then(|viewer| viewer.page.as_ref())
    }

    /// Answers a command that was carried out before, or that saw another revision of the game.
    /// Returns false for any other command.
    pub(super) fn answer_old(&self, outbox: &Outbox, message: &Message) -> bool {
        let Message { id, command, .. } = message;
        if !command.changes() {
            return false;
        }
        // A repeated command was carried out, so the game has changed since its revision.
        if !id.is_null() && self.is_repeated(outbox, id) {
            outbox.send(&json!({"type": "done", "id": id, "repeated": true}));
            return true;
        }
        if message.is_present(self.rev) {
            return false;
        }
        outbox.send(&refused(
            id,
            Some(self.rev),
            "stale",
            "the game has changed",
        ));
        outbox.send_text(Arc::clone(&self.state));
        true
    }

    /// Returns true if a command with this id of the same page was carried out before.
    fn is_repeated(&self, outbox: &Outbox, id: &Value) -> bool {
        let page = self.page_name(outbox);
        page.is_some_and(|page| {
            let mut seen = self.seen.iter();
            seen.any(|(name, ids)| name == page && ids.contains(id))
        })
    }

    /// Keeps the id of a command that was carried out.
    pub(super) fn keep_id(&mut self, outbox: &Outbox, id: &Value) {
        let Some(page) = self.page_name(outbox).cloned() else {
            return;
        };
        let place = self.seen.iter().position(|(name, _)| *name == page);
        let (name, mut ids) = place
            .and_then(|place| self.seen.remove(place))
            .unwrap_or((page, VecDeque::new()));
        ids.push_back(id.clone());
        if ids.len() > IDS {
            ids.pop_front();
        }
        self.seen.push_back((name, ids));
        if self.seen.len() > PAGES {
            self.seen.pop_front();
        }
    }

    /// Closes all pages with this code and one line.
    pub(super) fn close(&mut self, code: u16, line: &str) {
        for viewer in self.viewers.drain(..) {
            viewer.outbox.close(code, line);
        }
    }
}
