//! Game: the thread that owns an engine and works off the jobs of its pages.
//!
//! The thread takes a job, else lets the engine move, else analyzes, else waits. So the engine
//! never works while a page waits for it, with two exceptions. A search for a move goes on until a
//! command ends it. Jobs of guests that change nothing come behind the engine, a few after each
//! search.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::clock::Clocks;
use super::front::Front;
use super::game::Start;
use super::hub::{Handle, Hub, Opening, PATIENCE};
use super::message::{Analyze, error, refused};
use super::players::{self, Player};
use super::question::Question;
use super::queue::{Job, Queue, Sender};
use super::scoring::Scoring;
use super::socket::{GAME_ENDED, Outbox, PROGRAM_ENDED};
use super::tree::Tree;
use super::{board, state};
use crate::color::Color;
use crate::engine::{Engine, Options, TimeSettings};
use crate::gtp::Session;
use crate::points::Points;
use crate::vertex::Move;

/// Longest wait for a job before the next look at the clocks and pages, in a game with clocks.
const TICK: Duration = Duration::from_millis(100);
/// The same in a game without clocks, and after its end.
const REST: Duration = Duration::from_secs(1);
/// Maximum number of guests' jobs from one search to the next.
const MOST_OF_GUESTS: usize = 8;

/// Part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Play,
    /// Players agree on dead stones.
    Score,
    Over,
}

impl Phase {
    pub(super) fn name(self) -> &'static str {
        match self {
            Phase::Play => "play",
            Phase::Score => "score",
            Phase::Over => "over",
        }
    }
}

/// Start and variations of a game.
pub(super) struct Record {
    pub(super) start: Start,
    pub(super) tree: Tree,
    /// Result in the file that was read, and its node.
    pub(super) result: Option<(u32, String)>,
}

/// End of a game at a node.
#[derive(Clone, Default)]
pub(super) struct Ended {
    pub(super) scoring: Option<Scoring>,
    /// True once the players have agreed, or need not agree.
    pub(super) settled: bool,
    pub(super) result: Option<String>,
    pub(super) scores: Option<Vec<Points>>,
    /// Color that lost without a count, and how, as in [`players::loss`].
    pub(super) lost: Option<(Color, &'static str)>,
}

/// Live analysis.
#[derive(Clone)]
pub(super) struct Analysis {
    pub(super) outbox: Outbox,
    pub(super) id: Value,
    pub(super) interval: Duration,
    pub(super) ownership: bool,
    pub(super) moves: usize,
}

/// Game with its engine.
pub(super) struct Room {
    pub(super) hub: Arc<Hub>,
    pub(super) queue: Arc<Queue>,
    pub(super) front: Front,
    pub(super) record: Record,
    pub(super) session: Session,
    pub(super) players: Vec<Player>,
    pub(super) clocks: Option<Clocks>,
    /// Ends of the game, by node.
    pub(super) ends: BTreeMap<u32, Ended>,
    /// True if the engine moves by itself when it is its turn.
    pub(super) engine_moves: bool,
    /// True if the engine moves once for the color to move.
    pub(super) moves_once: bool,
    /// Color for which the engine searches a move.
    pub(super) thinking: Option<Color>,
    pub(super) analysis: Option<Analysis>,
    pub(super) question: Arc<Question>,
    /// Player and memory for which the engine was set last; `None` is the analysis.
    pub(super) tuned: Option<(Option<Player>, usize)>,
    ends_now: bool,
    /// True if the whole program ends.
    program_ends: bool,
}

impl Room {
    /// Returns a new game like the first one of the server.
    ///
    /// # Errors
    /// One line, if the rules cannot be played on the board, or a move is illegal.
    pub(super) fn open(hub: Arc<Hub>, handle: &Handle) -> Result<Room, String> {
        let start = hub.opening.start.clone();
        let engine = start.engine(hub.options()).map_err(|e| e.to_string())?;
        let mut room = Room {
            front: Front::new(handle.number, hub.links(), hub.is_local),
            players: players::usual(start.rules.colors, hub.opening.level),
            record: Record {
                start,
                tree: Tree::new(),
                result: None,
            },
            session: Session::new(engine, true),
            queue: Arc::clone(&handle.queue),
            question: Arc::clone(&handle.question),
            hub,
            clocks: None,
            ends: BTreeMap::new(),
            engine_moves: true,
            moves_once: false,
            thinking: None,
            analysis: None,
            tuned: None,
            ends_now: false,
            program_ends: false,
        };
        let Opening { start, moves, .. } = &room.hub.opening;
        let (start, moves) = (start.clone(), moves.clone());
        room.replace(start, &moves, moves.is_empty())?;
        Ok(room)
    }

    /// Prepares a new engine for this game.
    fn seat(&mut self) {
        let stop = self.queue.stop_signal();
        self.session.engine.set_stop_signal(stop);
        let settings = self.clocks.as_ref().map(Clocks::settings);
        self.session
            .engine
            .set_time(settings.unwrap_or(TimeSettings::None));
        self.tuned = None;
    }

    /// Works until the game is released.
    pub(super) fn run(&mut self) {
        while !self.ends_now {
            if let Some(job) = self.queue.take() {
                self.guarded(|room| room.work(job));
            } else if self.is_due() {
                self.guarded(Room::think);
                self.serve_guests();
            } else if self.analysis.is_some() && self.phase() == Phase::Play {
                self.guarded(Room::analyze);
                self.serve_guests();
            } else {
                let patience = match self.clocks.is_some() && self.phase() == Phase::Play {
                    true => TICK,
                    false => REST,
                };
                if let Some(job) = self.queue.wait(patience) {
                    self.guarded(|room| room.work(job));
                }
            }
            self.guarded(Room::tick);
        }
        self.close(match self.program_ends {
            true => "omnigo has ended",
            false => "the game was released",
        });
    }

    /// Works off a few jobs that come behind the engine.
    fn serve_guests(&mut self) {
        for _ in 0..MOST_OF_GUESTS {
            let Some(job) = self.queue.take_last() else {
                return;
            };
            self.guarded(|room| room.work(job));
        }
    }

    /// Closes all pages with one line, and forgets the game.
    pub(super) fn close(&mut self, line: &str) {
        let code = match self.program_ends {
            true => PROGRAM_ENDED,
            false => GAME_ENDED,
        };
        self.question.stop();
        self.front.close(code, line);
        self.hub.remove(self.front.number);
        self.queue.close(code, line);
    }

    /// Runs a step. After a panic, says so in one line and continues the game with a new engine.
    fn guarded(&mut self, step: impl FnOnce(&mut Room)) {
        if catch_unwind(AssertUnwindSafe(|| step(self))).is_ok() {
            return;
        }
        self.queue.end();
        self.analysis = None;
        self.thinking = None;
        self.engine_moves = false;
        self.moves_once = false;
        let rebuilt = catch_unwind(AssertUnwindSafe(|| self.rebuild()));
        let line = match rebuilt {
            Ok(Ok(())) => "the engine failed and was started again; the game is kept",
            Ok(Err(_)) | Err(_) => {
                self.ends_now = true;
                "the engine failed, and the position cannot be restored"
            }
        };
        self.front.tell(&error(&Value::Null, line));
        self.publish(true);
    }

    /// Replaces the engine by a new one in the current position.
    pub(super) fn rebuild(&mut self) -> Result<(), String> {
        let line = self.record.tree.line(self.record.tree.current());
        let engine = self.record.start.engine(self.hub.options());
        self.session = Session::new(engine.map_err(|e| e.to_string())?, true);
        self.seat();
        for (color, mv) in line {
            let played = self.session.engine.play(color, mv);
            played.map_err(|illegal| illegal.to_string())?;
        }
        Ok(())
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Join(sender, hello, id) => self.front.join(&sender, &hello, &id, &self.record),
            Job::Leave(outbox) => self.leave(&outbox),
            Job::Command(sender, message) => self.command(&sender, *message),
            Job::Hurried(sender, id) if !id.is_null() => self.front.keep_id(&sender.outbox, &id),
            Job::Hurried(..) => {}
            Job::Share => self.share(),
            Job::End => {
                self.program_ends = true;
                self.ends_now = true;
            }
        }
    }

    /// Returns memory beyond the present share of the game. A larger share counts at the next
    /// search.
    fn share(&mut self) {
        let memory_mib = self.hub.options().memory_mib;
        let options = self.engine().options();
        if options.memory_mib > memory_mib {
            let options = Options {
                memory_mib,
                ..options.clone()
            };
            self.session.engine.set_options(options);
        }
        self.tuned = None;
    }

    /// Removes a page, with its analysis and its question.
    pub(super) fn leave(&mut self, outbox: &Outbox) {
        self.front.leave(outbox);
        self.forget(outbox);
    }

    /// Ends the analysis and the question of a page that has left.
    pub(super) fn forget(&mut self, outbox: &Outbox) {
        self.question.leave(outbox);
        if self.analysis.as_ref().is_some_and(|a| a.outbox.is(outbox)) {
            self.analysis = None;
            self.publish(false);
        }
    }

    /// Ends a game by time, and releases one that no page looks at. A clock waits for a player
    /// whose connection is cut off, and for the command that lets the engine move.
    fn tick(&mut self) {
        if self.pause_clocks() {
            self.publish(false);
        }
        let fallen = self.clocks.as_ref().and_then(Clocks::fallen);
        if let Some(color) = fallen.filter(|_| self.phase() == Phase::Play) {
            self.lose(color, "T");
            self.publish(true);
        }
        let alone = self.front.alone();
        if alone.is_some_and(|since| since.elapsed() >= PATIENCE) {
            self.ends_now = true;
        }
    }

    /// Returns the end of the game at the current node.
    pub(super) fn ended(&self) -> Option<&Ended> {
        self.ends.get(&self.record.tree.current())
    }

    /// Returns the part of the game at the current node.
    pub(super) fn phase(&self) -> Phase {
        match self.ended() {
            None => Phase::Play,
            Some(ended) if ended.settled => Phase::Over,
            Some(_) => Phase::Score,
        }
    }

    /// Returns true if the engine plays a color.
    pub(super) fn is_engine(&self, color: Color) -> bool {
        let player = self.players.get(color.index());
        player.is_some_and(|player| player.is_engine)
    }

    /// Returns true if the engine has to move now.
    pub(super) fn is_due(&self) -> bool {
        let own = self.engine_moves && self.is_engine(self.engine().to_move());
        // A game that no page looks at waits.
        (own || self.moves_once) && self.phase() == Phase::Play && self.front.alone().is_none()
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.session.engine
    }

    /// Sets the engine for a player, or for the analysis.
    pub(super) fn tune(&mut self, player: Option<Player>) {
        let options = self.hub.options();
        let wanted = (player, options.memory_mib);
        if self.tuned.as_ref() == Some(&wanted) {
            return;
        }
        let options = match &wanted.0 {
            Some(player) => player.options(options),
            None => Options {
                playouts: None,
                seconds: None,
                ..options
            },
        };
        self.session.engine.set_options(options);
        self.tuned = Some(wanted);
    }

    /// Sends the state to all pages; a change of the game raises the revision.
    pub(super) fn publish(&mut self, is_change: bool) {
        if is_change {
            self.front.rev += 1;
        }
        let state = state::describe(self);
        self.front.tell_state(&state);
    }

    /// Plays a move that has been checked, adds it to the tree, and ends the game if it is over.
    ///
    /// # Errors
    /// One line, if the tree is full or the engine refuses the move.
    pub(super) fn apply(&mut self, color: Color, mv: Move) -> Result<(), String> {
        let before = self.record.tree.current();
        let (node, is_new) = self
            .record
            .tree
            .play(color, mv)
            .map_err(|_| "the game has too many nodes".to_string())?;
        if let Err(illegal) = self.session.engine.play(color, mv) {
            if is_new {
                // The node exists and is no root.
                let _ = self.record.tree.delete(node);
            }
            self.record.tree.go(before);
            return Err(illegal.to_string());
        }
        if is_new {
            self.front.tell_node(&self.record, node);
        }
        let next = self.engine().to_move();
        if let Some(clocks) = &mut self.clocks {
            clocks.switch(Some(next));
        }
        self.arrive();
        Ok(())
    }

    /// Settles the end of the game if the current node is one.
    pub(super) fn arrive(&mut self) {
        self.moves_once = false;
        if self.ended().is_none() && self.engine().is_over() {
            self.finish();
        }
        if self.phase() != Phase::Play {
            self.stop_clocks();
        }
    }

    /// Keeps the settings of an analysis for a page.
    pub(super) fn watch(&mut self, sender: &Sender, id: &Value, wish: &Analyze) {
        const SHORTEST: u64 = 100;
        const LONGEST: u64 = 5000;
        const USUAL: u64 = 200;
        let interval = wish.interval.unwrap_or(USUAL).clamp(SHORTEST, LONGEST);
        self.analysis = wish.on.unwrap_or(true).then(|| Analysis {
            outbox: sender.outbox.clone(),
            id: id.clone(),
            interval: Duration::from_millis(interval),
            ownership: wish.ownership,
            moves: wish.moves.unwrap_or(8).clamp(1, 100),
        });
    }

    /// Goes to a node of the tree.
    ///
    /// # Errors
    /// One line, if the engine cannot follow.
    pub(super) fn go(&mut self, node: u32) -> Result<(), String> {
        if !self.record.tree.go(node) {
            return Err(format!("node {node} does not exist"));
        }
        let line = self.record.tree.line(node);
        let moves = self.engine().moves();
        let common = line.iter().zip(&moves).take_while(|(a, b)| a == b).count();
        let engine = &mut self.session.engine;
        let mut sound = (common..moves.len()).all(|_| engine.undo());
        for &(color, mv) in line.iter().skip(common) {
            sound = sound && engine.play(color, mv).is_ok();
        }
        if !sound || self.engine().moves() != line {
            self.rebuild()?;
        }
        let next = self.engine().to_move();
        // A look at earlier moves costs no time. The next move starts the clock again.
        let runs = self.engine().turns() > 0 && !self.record.tree.has_next();
        if let Some(clocks) = &mut self.clocks {
            clocks.switch(runs.then_some(next));
        }
        self.arrive();
        Ok(())
    }

    /// Replaces the game.
    pub(super) fn restart(&mut self, start: Start, engine: Engine) {
        let colors = start.rules.colors;
        self.question.stop();
        self.session = Session::new(engine, true);
        self.record = Record {
            start,
            tree: Tree::new(),
            result: None,
        };
        self.ends.clear();
        if self.players.len() != colors {
            self.players = players::usual(colors, self.hub.opening.level);
        }
        players::take_teams(&mut self.players, &self.record.start.rules);
        self.engine_moves = true;
        self.moves_once = false;
        self.seat();
        self.front.unseat_all();
        self.front.board = board::describe(&self.record.start);
    }

    /// Sends board, tree, and state of a new game to all pages.
    pub(super) fn publish_all(&mut self) {
        self.front.rev += 1;
        self.front.tell_board();
        self.front.tell_tree(&self.record);
        self.publish(false);
    }

    /// Refuses a command.
    pub(super) fn refuse(&self, sender: &Sender, id: &Value, reason: &str, text: &str) {
        let answer = refused(id, Some(self.front.rev), reason, text);
        sender.outbox.send(&answer);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::graph::spec::Spec;
    use crate::play::access::Access;
    use crate::play::access::Role;
    use crate::play::desk::Desk;
    use crate::play::message::{Hello, Message};
    use crate::rules::presets;
    use crate::vertex::Vertex;

    fn hub() -> Arc<Hub> {
        Arc::new(hub_of_petersen())
    }

    fn hub_of_petersen() -> Hub {
        hub_of("petersen", 0.1)
    }

    /// Returns a hub of games on a board, with a time for each move.
    fn hub_of(spec: &str, seconds: f64) -> Hub {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let opening = Opening {
            start: Start::new(goban, rules, Points::ZERO),
            moves: Vec::new(),
            level: Some(3),
        };
        let options = Options {
            memory_mib: 100,
            seconds: Some(seconds),
            threads: 1,
            ..Options::default()
        };
        let access = Access::new("127.0.0.1".parse().unwrap(), "127.0.0.1", 1).unwrap();
        Hub::new(access, opening, options, true, Desk::default())
    }

    fn handle() -> Handle {
        Handle {
            number: 1,
            queue: Arc::new(Queue::new()),
            question: Arc::new(Question::default()),
        }
    }

    #[test]
    fn a_failing_engine_keeps_the_game() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let place = |index: usize| Move::Place(Vertex::at(index));
        room.apply(Color::BLACK, place(0)).unwrap();
        room.apply(Color::WHITE, place(5)).unwrap();
        let (moves, rev) = (room.engine().moves(), room.front.rev);
        room.guarded(|_| panic!("a failure on purpose"));
        assert_eq!(room.engine().moves(), moves);
        assert_eq!(room.front.rev, rev + 1);
        assert!(!room.ends_now && !room.engine_moves);
    }

    #[test]
    fn games_that_end_close_the_pages_that_wait() {
        let mut wrong = hub_of_petersen();
        wrong.opening.moves = vec![(None, Move::Place(Vertex::at(3))); 2];
        let wrong = Arc::new(wrong);
        assert!(wrong.open().is_err(), "the second move is on a stone");
        assert!(wrong.find(None).is_none());
        let mut room = Room::open(hub(), &handle()).unwrap();
        let outbox = Outbox::default();
        let sender = Sender {
            outbox: outbox.clone(),
            role: Role::Owner,
        };
        assert!(room.queue.push(Job::Hurried(sender, Value::Null)));
        room.close("the game failed");
        assert_eq!(outbox.closing().as_deref(), Some("the game failed"));
    }

    /// Returns the types and reasons of the answers to these commands of the owner.
    fn answers(room: &mut Room, commands: &[&str]) -> Vec<String> {
        let sender = Sender {
            outbox: Outbox::default(),
            role: Role::Owner,
        };
        for text in commands {
            let message = Message::read(text).unwrap();
            room.work(Job::Command(sender.clone(), Box::new(message)));
        }
        let read = |text: &Arc<str>| {
            let answer: Value = serde_json::from_str(text).unwrap();
            let reason = answer.get("reason").unwrap_or(&answer["type"]);
            reason.as_str().unwrap().to_string()
        };
        sender.outbox.waiting().iter().map(read).collect()
    }

    #[test]
    fn clocks_wait_while_the_engine_waits_for_a_command() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        room.clocks = Some(Clocks::new(TimeSettings::Absolute { main: 600.0 }));
        let hello: Hello = serde_json::from_str(r#"{"protocol":1}"#).unwrap();
        let owner = Sender {
            outbox: Outbox::default(),
            role: Role::Owner,
        };
        room.work(Job::Join(owner, Box::new(hello), Value::Null));
        room.apply(Color::BLACK, Move::Place(Vertex::at(0)))
            .unwrap();
        let runs = |room: &mut Room| {
            room.tick();
            room.clocks.as_ref().unwrap().describe(2)[1]["running"] == true
        };
        assert!(runs(&mut room), "the engine moves");
        answers(&mut room, &[r#"{"type":"stop"}"#]);
        assert!(!runs(&mut room), "the engine waits");
        answers(&mut room, &[r#"{"type":"genmove"}"#]);
        assert!(runs(&mut room));
        let file = r#"{"type":"import","name":"a.sgf","text":"(;SZ[9];B[ee];W[ec];B[ce])"}"#;
        answers(&mut room, &[file]);
        assert!(!runs(&mut room), "a file starts no clock");
    }

    #[test]
    fn the_engine_accepts_for_its_own_colors() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let persons = r#"{"black":{},"white":{}}"#;
        let new = format!(r#"{{"type":"new","ruleset":"chinese","players":{persons}}}"#);
        let pass = r#"{"type":"pass"}"#;
        answers(&mut room, &[&new, pass, pass]);
        assert_eq!(room.phase(), Phase::Score);
        let engine = |color: &str| {
            format!(r#"{{"type":"players","players":{{"{color}":{{"kind":"engine"}}}}}}"#)
        };
        let accept = r#"{"type":"accept","id":1,"color":"white"}"#;
        let told = answers(&mut room, &[&engine("white"), accept]);
        assert_eq!(
            (told.as_slice(), room.phase()),
            (&["not-yours".to_string()][..], Phase::Score)
        );
        answers(&mut room, &[&engine("black")]);
        assert_eq!(room.phase(), Phase::Over, "no person is left to agree");
    }

    #[test]
    fn a_loss_on_time_stays_and_a_resignation_can_be_taken_back() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let resume = r#"{"type":"resume","id":1}"#;
        room.lose(Color::BLACK, "T");
        assert_eq!(answers(&mut room, &[resume]), ["game-over"]);
        assert_eq!(room.phase(), Phase::Over);
        room.lose(Color::BLACK, "R");
        assert_eq!(answers(&mut room, &[resume]), ["done"]);
        assert_eq!(room.phase(), Phase::Play);
    }

    #[test]
    fn a_game_of_two_colors_has_no_teams() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let team = r#"{"black":{"team":1},"white":{"team":1},"red":{"team":2}}"#;
        let three = format!(r#"{{"type":"new","colors":3,"players":{team}}}"#);
        answers(&mut room, &[&three]);
        assert_eq!(room.engine().rules().sides.to_string(), "11");
        let two = r#"{"type":"new","colors":2,"players":{"white":{"team":1},"black":{"team":1}}}"#;
        answers(&mut room, &[two]);
        assert_eq!(room.engine().rules().sides.to_string(), "0");
        let teams = players::describe(&room.players);
        assert!(
            teams[0]["team"].is_null() && teams[1]["team"].is_null(),
            "{teams}"
        );
    }

    #[test]
    fn new_figures_bring_the_tree_again() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let trees = |room: &mut Room| {
            let owner = Sender {
                outbox: Outbox::default(),
                role: Role::Owner,
            };
            let text = format!(r#"{{"protocol":1,"game":1,"since":{}}}"#, room.front.rev);
            let hello: Hello = serde_json::from_str(&text).unwrap();
            let outbox = owner.outbox.clone();
            room.work(Job::Join(owner, Box::new(hello), Value::Null));
            let waiting = outbox.waiting();
            waiting
                .iter()
                .filter(|text| text.contains(r#""type":"tree""#))
                .count()
        };
        assert_eq!(trees(&mut room), 0);
        let Room { front, record, .. } = &mut room;
        front.tell_figures(record, 0);
        assert_eq!(trees(&mut room), 1);
        room.publish(true);
        assert_eq!(trees(&mut room), 0);
    }

    #[test]
    fn clocks_wait_for_players_who_are_cut_off() {
        let mut room = Room::open(hub(), &handle()).unwrap();
        let settings = TimeSettings::Absolute { main: 600.0 };
        room.clocks = Some(Clocks::new(settings));
        room.players[1] = Player::default();
        let join = |room: &mut Room, role: Role| {
            let sender = Sender {
                outbox: Outbox::default(),
                role,
            };
            let hello: Hello = serde_json::from_str(r#"{"protocol":1}"#).unwrap();
            let outbox = sender.outbox.clone();
            room.work(Job::Join(sender, Box::new(hello), Value::Null));
            outbox
        };
        let running = |room: &mut Room| {
            room.tick();
            let clocks = room.clocks.as_ref().unwrap().describe(2);
            [0, 1].map(|color| clocks[color]["running"] == true)
        };
        let owner = join(&mut room, Role::Owner);
        room.apply(Color::BLACK, Move::Place(Vertex::at(0)))
            .unwrap();
        assert_eq!(running(&mut room), [false, true]);
        room.leave(&owner);
        assert_eq!(running(&mut room), [false, false], "no page is left");
        join(&mut room, Role::Owner);
        assert_eq!(running(&mut room), [false, true]);
        let white = join(&mut room, Role::Player(Color::WHITE));
        room.leave(&white);
        assert_eq!(running(&mut room), [false, false], "White is away");
        join(&mut room, Role::Player(Color::WHITE));
        assert_eq!(running(&mut room), [false, true]);
        room.apply(Color::WHITE, Move::Place(Vertex::at(5)))
            .unwrap();
        assert_eq!(running(&mut room), [true, false]);
    }

    #[test]
    fn a_search_ends_once_no_page_has_looked_for_the_whole_patience() {
        let hub = Arc::new(hub_of("grid:9", 3600.0));
        let mut room = Room::open(hub, &handle()).unwrap();
        let start = Instant::now();
        room.front
            .leave_alone_since(start.checked_sub(PATIENCE).unwrap());
        room.think();
        assert!(start.elapsed() < Duration::from_secs(60));
        assert_eq!((room.engine().turns(), room.thinking), (0, None));
        room.tick();
        assert!(room.ends_now);
    }

    #[test]
    fn idle_games_return_memory_to_new_ones() {
        let hub = hub();
        let mut room = Room::open(Arc::clone(&hub), &handle()).unwrap();
        assert_eq!(room.engine().options().memory_mib, 100);
        hub.open().unwrap();
        hub.open().unwrap();
        room.work(Job::Share);
        assert_eq!(room.engine().options().memory_mib, 50);
        hub.quit();
        hub.wait_for_end(Duration::from_secs(60));
        assert!(hub.find(None).is_none());
        assert!(hub.open().is_err(), "the program ends");
        room.work(Job::Share);
        assert_eq!(
            room.engine().options().memory_mib,
            50,
            "until the next search"
        );
        room.tune(None);
        assert_eq!(room.engine().options().memory_mib, 100);
    }

    #[test]
    fn games_share_the_memory_and_are_released() {
        let hub = hub();
        assert_eq!(hub.options().memory_mib, 100);
        let games: Vec<Handle> = (0..8).map(|_| hub.open().unwrap()).collect();
        assert!(hub.open().is_err(), "the limit");
        assert_eq!(hub.options().memory_mib, 16, "the minimum");
        for game in games.iter().skip(2) {
            game.queue.push(Job::End);
        }
        while hub.options().memory_mib != 50 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sender = Sender {
            outbox: Outbox::default(),
            role: Role::Owner,
        };
        let undo = Message::read(r#"{"type":"undo"}"#).unwrap();
        while games[7]
            .queue
            .push(Job::Command(sender.clone(), Box::new(undo.clone())))
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        hub.quit();
    }
}
