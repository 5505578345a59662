//! Commands of the pages of a game.

use serde_json::{Value, json};

use super::access::Role;
use super::clock::{self, Clocks};
use super::game::{self, Start};
use super::link;
use super::message::{self, Command, Message, New, error, result};
use super::queue::Sender;
use super::room::{Phase, Room};
use super::state::reason;
use super::tree::TreeError;
use super::{console, players};
use crate::color::Color;
use crate::notation::{read_move, read_position, vertex_problem};
use crate::rules::Sides;
use crate::vertex::Move;

/// Failure of a command that changed nothing.
pub(super) enum Fault {
    /// The message is wrong.
    Wrong(String),
    /// The game does not allow it: a word and a sentence.
    Refused(&'static str, String),
}

impl From<String> for Fault {
    fn from(line: String) -> Fault {
        Fault::Wrong(line)
    }
}

impl From<TreeError> for Fault {
    fn from(problem: TreeError) -> Fault {
        match problem {
            TreeError::Unknown => Fault::Wrong("node, expected one of the tree".to_string()),
            TreeError::Root => Fault::Wrong("node 0 is the start, expected another".to_string()),
            TreeError::Full => Fault::Refused(
                "limit",
                "the tree or the text would be too large".to_string(),
            ),
        }
    }
}

impl Fault {
    /// Returns the answer to the command with this id, at a revision of the game.
    pub(super) fn answer(&self, id: &Value, rev: u64) -> Value {
        match self {
            Fault::Wrong(line) => error(id, line),
            Fault::Refused(reason, text) => message::refused(id, Some(rev), reason, text),
        }
    }
}

pub(super) fn refused(reason: &'static str, text: &str) -> Fault {
    Fault::Refused(reason, text.to_string())
}

/// Answer to a command that succeeded.
pub(super) enum Done {
    /// The game has changed.
    Changed,
    /// Nothing that pages see has changed.
    Quiet,
    /// Only the state without a new revision.
    Shown,
    /// A result for the sender.
    Result(Value),
    /// The answer comes later, from another thread.
    Later,
}

impl Room {
    /// Carries out a command and answers it.
    pub(super) fn command(&mut self, sender: &Sender, message: Message) {
        if !message.command.is_open_to(sender.role) {
            let text = "your role does not allow this";
            return self.refuse(sender, &message.id, "not-yours", text);
        }
        if self.front.answer_old(&sender.outbox, &message) {
            return;
        }
        let Message { id, command, .. } = message;
        let counts = command.changes() && !id.is_null();
        let tool = command.name();
        let answer = |outbox: &super::socket::Outbox| {
            if !id.is_null() {
                outbox.send(&json!({"type": "done", "id": id}));
            }
        };
        let done = self.carry_out(sender, &id, command);
        if counts && done.is_ok() {
            self.front.keep_id(&sender.outbox, &id);
        }
        match done {
            Ok(Done::Changed) => {
                answer(&sender.outbox);
                self.publish(true);
            }
            Ok(Done::Shown) => {
                answer(&sender.outbox);
                self.publish(false);
            }
            Ok(Done::Quiet) => answer(&sender.outbox),
            Ok(Done::Later) => {}
            Ok(Done::Result(answer)) => sender.outbox.send(&result(&id, tool, answer)),
            Err(fault) => sender.outbox.send(&fault.answer(&id, self.front.rev)),
        }
    }

    fn carry_out(&mut self, sender: &Sender, id: &Value, command: Command) -> Result<Done, Fault> {
        match command {
            Command::New(new) => self.begin(&new),
            Command::Play { vertex, color } => {
                let goban = self.engine().goban();
                let mv = read_move(goban, &vertex).ok_or_else(|| vertex_problem(goban, &vertex))?;
                self.play(sender.role, color.as_deref(), mv)
            }
            Command::Pass { color } => self.play(sender.role, color.as_deref(), Move::Pass),
            Command::Resign { color } => self.resign(sender.role, color.as_deref()),
            Command::Genmove => self.move_now(),
            Command::Stop { .. } => {
                self.engine_moves = false;
                self.moves_once = false;
                self.analysis = None;
                Ok(Done::Shown)
            }
            Command::Undo => self.undo(),
            Command::Redo => {
                let next = self.record.tree.next();
                self.travel(next.ok_or_else(|| refused("nothing", "there is no later move"))?)
            }
            Command::Goto { node } if self.record.tree.has(node) => self.travel(node),
            Command::Goto { node } => Err(format!("node {node}, expected one of the tree").into()),
            Command::Comment { node, text } => self.write(node, text, false),
            Command::Name { node, text } => self.write(node, text, true),
            Command::Promote { node } => {
                self.record.tree.promote(node)?;
                self.front.tell_tree(&self.record);
                Ok(Done::Changed)
            }
            Command::Delete { node } => self.delete(node),
            Command::Setup { stones, to_move } => self.set_up(&stones, to_move.as_deref()),
            Command::Players { players } => self.seat_players(&players),
            Command::Why { vertex } => self.why(&vertex).map_err(Fault::Wrong),
            Command::Score => Ok(Done::Result(self.estimate()?)),
            Command::Dead {
                vertex,
                dead,
                alone,
            } => {
                // A player marks stones only while a person plays the own color.
                self.color(sender.role, None)?;
                let goban = self.engine().goban();
                let found = crate::notation::vertex(goban, &vertex);
                let vertex = found.ok_or_else(|| vertex_problem(goban, &vertex))?;
                match self.phase() {
                    Phase::Score if self.mark(vertex, dead, alone) => Ok(Done::Changed),
                    Phase::Score => Err(refused("phase", "no stone here can be marked")),
                    Phase::Play | Phase::Over => {
                        Err(refused("phase", "the stones are not marked now"))
                    }
                }
            }
            Command::Accept { color } => self.agree(sender.role, color.as_deref()),
            Command::Resume => self.resume(),
            Command::Analyze(wish) => {
                self.watch(sender, id, &wish);
                Ok(Done::Shown)
            }
            Command::Solve { seconds } => {
                self.ask(sender, id, super::question::Kind::Solve, seconds)
            }
            Command::Komi { seconds } => self.ask(sender, id, super::question::Kind::Komi, seconds),
            Command::Count { seconds } => {
                self.ask(sender, id, super::question::Kind::Count, seconds)
            }
            Command::Life => self.ask(sender, id, super::question::Kind::Life, None),
            Command::Import { name, text, base64 } => {
                self.import(&name, text, base64).map_err(Fault::Wrong)
            }
            Command::Export(wish) => Ok(self.export(sender, id, &wish)?),
            Command::Console { line } => Ok(Done::Result(console::run(&mut self.session, &line))),
            // The connection answers these.
            Command::Hello(_)
            | Command::Gallery
            | Command::Rules
            | Command::Formats
            | Command::Validate { .. }
            | Command::Thumbnail { .. }
            | Command::Preview { .. }
            | Command::Quit => Ok(Done::Quiet),
        }
    }

    /// Returns the color for which a page acts.
    pub(super) fn color(&self, role: Role, color: Option<&str>) -> Result<Color, Fault> {
        let to_move = self.engine().to_move();
        let named = match color {
            Some(text) => Some(game::color(text, self.players.len())?),
            None => None,
        };
        match role {
            Role::Player(own) => {
                let plays = named.is_none_or(|named| named == own);
                match plays && own.index() < self.players.len() && !self.is_engine(own) {
                    true => Ok(own),
                    false => Err(refused("not-yours", "another player has this color")),
                }
            }
            Role::Owner | Role::Watch => Ok(named.unwrap_or(to_move)),
        }
    }

    fn play(&mut self, role: Role, color: Option<&str>, mv: Move) -> Result<Done, Fault> {
        let color = self.color(role, color)?;
        match self.phase() {
            Phase::Play => {}
            Phase::Score => return Err(refused("phase", "the players agree on dead stones now")),
            Phase::Over => return Err(refused("game-over", "the game is over")),
        }
        if color != self.engine().to_move() {
            return Err(refused("not-yours", "it is another color's turn"));
        }
        if self.is_engine(color) && self.engine_moves {
            return Err(refused("not-yours", "it is the engine's turn"));
        }
        self.engine()
            .check(color, mv)
            .map_err(|illegal| Fault::Refused(reason(illegal), illegal.to_string()))?;
        self.apply(color, mv)
            .map_err(|line| Fault::Refused("limit", line))?;
        if role == Role::Owner {
            // The owner plays for this color, so its clock no longer waits for another page.
            self.front.unseat(color);
        }
        self.engine_moves = true;
        Ok(Done::Changed)
    }

    fn move_now(&mut self) -> Result<Done, Fault> {
        match self.phase() {
            Phase::Play => {
                // If the engine has just moved by itself, this command came too late for that move.
                self.moves_once = true;
                self.engine_moves = true;
                Ok(Done::Shown)
            }
            Phase::Score | Phase::Over => Err(refused("game-over", "the game is over")),
        }
    }

    pub(super) fn travel(&mut self, node: u32) -> Result<Done, Fault> {
        self.engine_moves = false;
        self.moves_once = false;
        self.go(node)?;
        Ok(Done::Changed)
    }

    fn undo(&mut self) -> Result<Done, Fault> {
        let tree = &self.record.tree;
        let mut node = tree
            .parent(tree.current())
            .ok_or_else(|| refused("nothing", "there is no move to undo"))?;
        let mixed = Color::all(self.players.len()).any(|color| self.is_engine(color))
            && !Color::all(self.players.len()).all(|color| self.is_engine(color));
        if mixed {
            // Against the engine, go back to a turn of a person.
            let engines = |node: u32| {
                let next = self.mover_after(node);
                self.is_engine(next)
            };
            while engines(node)
                && let Some(parent) = tree.parent(node)
            {
                node = parent;
            }
        }
        self.travel(node)
    }

    /// Returns the color that moves at a node.
    fn mover_after(&self, node: u32) -> Color {
        match self.record.tree.mv(node) {
            Some((color, _)) => color.next(self.players.len()),
            None => self.record.start.first,
        }
    }

    fn write(&mut self, node: u32, text: String, name: bool) -> Result<Done, Fault> {
        self.record.tree.write(node, text, name)?;
        self.front.tell_node(&self.record, node);
        Ok(Done::Changed)
    }

    fn delete(&mut self, node: u32) -> Result<Done, Fault> {
        let before = self.record.tree.current();
        self.record.tree.delete(node)?;
        let tree = &self.record.tree;
        self.ends.retain(|node, _| tree.has(*node));
        if !self.record.tree.has(before) {
            let current = self.record.tree.current();
            self.travel(current)?;
        }
        self.front.tell_tree(&self.record);
        Ok(Done::Changed)
    }

    fn set_up(&mut self, stones: &str, to_move: Option<&str>) -> Result<Done, Fault> {
        let start = &self.record.start;
        let colors = start.rules.colors;
        let position = read_position(&start.goban, colors, stones).map_err(|e| e.to_string())?;
        if let Some(stone) = self.engine().stone_without_liberty(&position) {
            let name = start.goban.names.alias(stone);
            return Err(format!("the stone at {name} has no liberty, expected one").into());
        }
        let first = match to_move {
            Some(text) => game::color(text, colors)?,
            None => self.engine().to_move(),
        };
        let start = Start {
            position,
            first,
            handicap: 0,
            ..start.clone()
        };
        self.replace(start, &[], true)?;
        Ok(Done::Quiet)
    }

    fn begin(&mut self, new: &New) -> Result<Done, Fault> {
        let (mut start, moves) = match &new.link {
            Some(text) => link::open(text)?,
            None => {
                let start = game::begin(new, &self.record.start)?;
                let moves = game::moves(&start, &new.moves)?;
                (start, moves)
            }
        };
        let mut seats = match start.rules.colors == self.players.len() {
            true => self.players.clone(),
            false => players::usual(start.rules.colors, self.hub.opening.level),
        };
        if let Some(texts) = &new.players {
            // Only the teams of the message count, not those of the game before.
            players::forget_teams(&mut seats);
            players::change(&mut seats, texts)?;
            let sides = players::sides(&seats);
            if sides != Sides::ALONE {
                start.rules.sides = sides;
            }
        }
        if start.rules.colors == 2 {
            // Teams need a third color. Those of the game before end here.
            players::forget_teams(&mut seats);
            start.rules.sides = Sides::ALONE;
        }
        let clocks = match &new.clock {
            Some(text) => Some(Clocks::new(clock::settings(text)?)),
            None => None,
        };
        let clocks = std::mem::replace(&mut self.clocks, clocks);
        let seats = std::mem::replace(&mut self.players, seats);
        // A link shows a position, and the engine waits.
        let moves_on = new.link.is_none() || moves.is_empty();
        if let Err(line) = self.replace(start, &moves, moves_on) {
            (self.clocks, self.players) = (clocks, seats);
            return Err(line.into());
        }
        Ok(Done::Quiet)
    }

    /// Replaces the game by one with these moves, and tells all pages. If `moves_on` is false, the
    /// engine waits for a command.
    ///
    /// # Errors
    /// One line, if the rules do not fit the board or a move is illegal. Nothing changes then.
    pub(super) fn replace(
        &mut self,
        start: Start,
        moves: &[(Option<Color>, Move)],
        moves_on: bool,
    ) -> Result<(), String> {
        self.put(start, moves, moves_on)?;
        self.publish_all();
        Ok(())
    }

    /// Replaces the game as [`Room::replace`] does, without telling the pages.
    ///
    /// # Errors
    /// Those of [`Room::replace`].
    pub(super) fn put(
        &mut self,
        start: Start,
        moves: &[(Option<Color>, Move)],
        moves_on: bool,
    ) -> Result<(), String> {
        let mut engine = start
            .engine(self.hub.options())
            .map_err(|e| e.to_string())?;
        let mut line = Vec::with_capacity(moves.len());
        for (number, &(color, mv)) in (1usize..).zip(moves) {
            let color = color.unwrap_or(engine.to_move());
            engine.play(color, mv).map_err(|illegal| {
                let mv = crate::notation::move_text(&start.goban, mv);
                format!("move {number}, {color} {mv}: {illegal}")
            })?;
            line.push((color, mv));
        }
        if line.len() >= super::tree::MOST_NODES {
            return Err("the game has too many moves".to_string());
        }
        self.restart(start, engine);
        for (color, mv) in line {
            // The number of nodes was checked.
            let _ = self.record.tree.play(color, mv);
        }
        self.clocks = self.clocks.as_ref().map(Clocks::again);
        self.engine_moves = moves_on;
        self.arrive();
        Ok(())
    }

    fn why(&self, text: &str) -> Result<Done, String> {
        let engine = self.engine();
        let goban = engine.goban();
        let mv = read_move(goban, text).ok_or_else(|| vertex_problem(goban, text))?;
        let color = engine.to_move();
        let answer = match (self.phase(), engine.check(color, mv)) {
            (Phase::Play, Ok(())) => json!({"legal": true}),
            (Phase::Play, Err(illegal)) => {
                json!({"legal": false, "reason": reason(illegal), "text": illegal.to_string()})
            }
            (Phase::Score | Phase::Over, _) => {
                json!({"legal": false, "reason": "game-over", "text": "the game is over"})
            }
        };
        Ok(Done::Result(answer))
    }
}
