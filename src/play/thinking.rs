//! Searches for a move, and the live analysis.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::access::Role;
use super::clock::Clocks;
use super::commands::Fault;
use super::front::Front;
use super::hub::PATIENCE;
use super::message::{Command, Message, error, refused};
use super::players::{Player, is_away};
use super::queue::{Job, Queue, Running, Sender};
use super::room::{Analysis as Wish, Record, Room};
use super::socket::Outbox;
use super::tree::Figures;
use crate::color::Color;
use crate::engine::{Analysis, AnalysisRequest, Choice};
use crate::notation::move_text;
use crate::text::four_decimals;

/// Time between two looks at the jobs while the engine searches for a move.
const LOOK: Duration = Duration::from_millis(100);
/// Maximum number of jobs that are served at one look.
const MOST_LIGHT: usize = 4;
/// Number of reports from one ownership to the next.
const OWNERSHIP_EVERY: u64 = 5;
/// Minimum number of visits of an analysis that is kept in the tree.
const LEAST_VISITS: u32 = 10;
/// Maximum length of a line of play in a report, in moves.
const MOST_LINE: usize = 12;

impl Room {
    /// Searches a move for the color to move, and plays it.
    pub(super) fn think(&mut self) {
        let color = self.engine().to_move();
        let player = self.players.get(color.index()).cloned();
        self.tune(Some(player.unwrap_or_default()));
        if let Some((left, count)) = self.clocks.as_ref().and_then(|clocks| clocks.left(color)) {
            self.session.engine.time_left(color, left, count);
        }
        if !self.queue.begin(Running::Decision, self.front.rev) {
            // A job came first. The search starts after it.
            return;
        }
        // Pages hear of the search only now, so their commands find it running.
        self.thinking = Some(color);
        self.publish(false);
        let inquiry = AnalysisRequest {
            interval: Some(LOOK),
            ..AnalysisRequest::for_color(color)
        };
        let mut gone = Vec::new();
        let colors = self.players.len();
        let Room {
            session,
            queue,
            front,
            record,
            clocks,
            players,
            ..
        } = self;
        let stop = queue.stop_signal();
        let mut seen = None;
        let mut look = |analysis: &Analysis<'_>, _: bool| {
            seen = figures(analysis, colors);
            // The search goes on between these jobs, however many arrive.
            for _ in 0..MOST_LIGHT {
                let Some(job) = queue.take_light() else {
                    break;
                };
                let room = Served {
                    front,
                    record,
                    players,
                    queue,
                    clocks: clocks.as_ref(),
                };
                if let Some(job) = room.serve(job, &mut gone) {
                    queue.discard_for(Some(job));
                }
            }
            let alone = front.alone();
            if alone.is_some_and(|since| since.elapsed() >= PATIENCE) {
                // The game is released, however long its searches are.
                queue.discard_for(None);
            }
            if let Some(clocks) = clocks.as_mut() {
                clocks.pause_if(|color| is_away(front, players, color));
            }
            let fallen = clocks.as_ref().and_then(Clocks::fallen);
            if fallen.is_some() {
                stop.store(true, Ordering::Release);
            }
        };
        let choice = session.engine.choose_watched(&inquiry, &mut look);
        let plays = self.queue.end();
        self.thinking = None;
        self.note(seen);
        for outbox in &gone {
            // The page may have joined again in the meantime, and then stays.
            self.forget(outbox);
        }
        let fallen = self.clocks.as_ref().and_then(Clocks::fallen);
        if !plays || fallen.is_some() {
            // The command that ended the search decides whether the engine goes on. If it is
            // refused, the engine searches again.
            self.publish(false);
            return;
        }
        match choice {
            Choice::Move(mv) => {
                if let Err(line) = self.apply(color, mv) {
                    self.engine_moves = false;
                    self.moves_once = false;
                    self.front.tell(&error(&Value::Null, &line));
                }
            }
            Choice::Resign => {
                self.moves_once = false;
                self.lose(color, "R");
            }
        }
        self.publish(true);
    }

    /// Analyzes the current position until a job arrives.
    pub(super) fn analyze(&mut self) {
        let Some(wish) = self.analysis.clone() else {
            return;
        };
        self.tune(None);
        if !self.queue.begin(Running::Analysis, self.front.rev) {
            return;
        }
        let color = self.engine().to_move();
        let node = self.record.tree.current();
        let inquiry = AnalysisRequest {
            interval: Some(wish.interval),
            endless: true,
            ownership: wish.ownership,
            ..AnalysisRequest::for_color(color)
        };
        let (game, since) = (self.front.number, self.hub.since);
        let colors = self.players.len();
        let stop = self.queue.stop_signal();
        let Room {
            session,
            clocks,
            queue,
            ..
        } = self;
        let (mut seq, mut best, mut sent) = (0u64, None, 0);
        let mut report = |analysis: &Analysis<'_>, last: bool| {
            if clocks.as_ref().and_then(Clocks::fallen).is_some() {
                stop.store(true, Ordering::Release);
            }
            best = figures(analysis, colors).or(best);
            let visits = analysis.root().visits;
            // A finished search has nothing new.
            if last || visits == sent && seq > 0 {
                return queue.rest();
            }
            sent = visits;
            let mut message = describe(analysis, &wish, seq % OWNERSHIP_EVERY == 0);
            let time = since.elapsed().as_millis();
            message.extend([
                ("type".to_string(), json!("analysis")),
                ("id".to_string(), wish.id.clone()),
                ("game".to_string(), json!(game)),
                ("node".to_string(), json!(node)),
                ("seq".to_string(), json!(seq)),
                (
                    "time".to_string(),
                    json!(u64::try_from(time).unwrap_or(u64::MAX)),
                ),
            ]);
            wish.outbox.report(&Value::Object(message));
            queue.rest();
            seq += 1;
        };
        session.engine.analyze(&inquiry, &mut report);
        self.queue.end();
        if !self.queue.keeps_position() {
            wish.outbox.drop_report();
        }
        self.note(best);
    }

    /// Keeps an analysis of the current node in the tree.
    fn note(&mut self, figures: Option<Figures>) {
        let node = self.record.tree.current();
        let Some(figures) = figures.filter(|figures| figures.visits >= LEAST_VISITS) else {
            return;
        };
        if self.record.tree.note(node, figures) {
            self.front.tell_figures(&self.record, node);
        }
    }
}

/// Parts of a game that are free while its engine searches for a move.
struct Served<'a> {
    front: &'a mut Front,
    record: &'a mut Record,
    players: &'a [Player],
    queue: &'a Queue,
    clocks: Option<&'a Clocks>,
}

impl Served<'_> {
    /// Answers a job that needs no engine. Returns a resignation that ends the search. `gone`
    /// collects the pages that have left.
    fn serve(self, job: Job, gone: &mut Vec<Outbox>) -> Option<Job> {
        match job {
            Job::Join(sender, hello, id) => self.front.join(&sender, &hello, &id, self.record),
            Job::Hurried(..) => {}
            Job::Leave(outbox) => {
                self.front.leave(&outbox);
                gone.push(outbox);
            }
            Job::Command(sender, message) => {
                if !self.front.answer_old(&sender.outbox, &message) {
                    return self.command(sender, message);
                }
            }
            Job::Share | Job::End => {}
        }
        None
    }

    /// Answers a command of the present revision.
    fn command(self, sender: Sender, message: Box<Message>) -> Option<Job> {
        let reason = match (&message.command, sender.role) {
            (Command::Comment { node, text }, Role::Owner) => {
                self.write(&sender, &message.id, (*node, text, false));
                return None;
            }
            (Command::Name { node, text }, Role::Owner) => {
                self.write(&sender, &message.id, (*node, text, true));
                return None;
            }
            (Command::Resign { color }, Role::Player(own)) => {
                let player = self.players.get(own.index());
                let is_own = color.as_ref().is_none_or(|name| name.parse() == Ok(own));
                if self.players.len() != 2 {
                    ("no-resignation", "resignation needs a game of two players")
                } else if is_own && player.is_some_and(|player| !player.is_engine) {
                    return Some(Job::Command(sender, message));
                } else {
                    ("not-yours", "another player has this color")
                }
            }
            _ => ("not-yours", "the engine thinks"),
        };
        let answer = refused(&message.id, Some(self.front.rev), reason.0, reason.1);
        sender.outbox.send(&answer);
        None
    }

    /// Sets the comment or name of a node, and raises the revision.
    fn write(self, sender: &Sender, id: &Value, (node, text, is_name): (u32, &str, bool)) {
        let (front, outbox) = (self.front, &sender.outbox);
        if let Err(problem) = self.record.tree.write(node, text.to_string(), is_name) {
            return outbox.send(&Fault::from(problem).answer(id, front.rev));
        }
        front.tell_node(self.record, node);
        if !id.is_null() {
            outbox.send(&json!({"type": "done", "id": id}));
            front.keep_id(outbox, id);
        }
        // Pages answer to the new revision as soon as they see it.
        self.queue.raise(front.rev + 1);
        let clocks = self
            .clocks
            .map(|clocks| clocks.describe(self.players.len()));
        front.raise(clocks.unwrap_or_default());
    }
}

/// Returns the estimates for the position from Black's view. With more than two colors, only
/// Black's own turns have one: White's chances do not tell those of Black.
fn figures(analysis: &Analysis<'_>, colors: usize) -> Option<Figures> {
    let root = analysis.root();
    let (winrate, lead) = match analysis.color {
        Color::BLACK => (root.winrate, root.lead),
        Color::WHITE if colors == 2 => (1.0 - root.winrate, -root.lead),
        _ => return None,
    };
    Some(Figures {
        winrate,
        lead,
        visits: root.visits,
    })
}

/// Returns the keys of a report.
fn describe(analysis: &Analysis<'_>, wish: &Wish, owned: bool) -> Map<String, Value> {
    let goban = analysis.goban;
    let root = analysis.root();
    let listed = analysis.moves(1, wish.moves);
    let moves = listed.iter().enumerate().map(|(order, listed)| {
        let line = listed.variation.iter().take(MOST_LINE);
        let line: Vec<String> = line.map(|&(mv, _)| move_text(goban, mv)).collect();
        json!({
            "vertex": move_text(goban, listed.mv),
            "winrate": four_decimals(listed.figures.winrate),
            "lead": four_decimals(listed.figures.lead),
            "visits": listed.figures.visits,
            "prior": four_decimals(listed.prior),
            "order": order,
            "best": order == 0,
            "pv": if line.is_empty() { vec![move_text(goban, listed.mv)] } else { line },
        })
    });
    let mut report = Map::from_iter([
        ("color".to_string(), json!(analysis.color.to_string())),
        (
            "root".to_string(),
            json!({
                "winrate": four_decimals(root.winrate), "lead": four_decimals(root.lead),
                "visits": root.visits,
            }),
        ),
        ("moves".to_string(), moves.collect()),
    ]);
    if wish.ownership && owned {
        let percent = |mean: f64| json!((mean * 100.0).round() as i64);
        let owned = analysis.ownership();
        let owned = owned.iter().map(|owned| percent(owned.mean)).collect();
        report.insert("ownership".to_string(), owned);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::spec::Spec;
    use crate::play::game::Start;
    use crate::play::tree::Tree;
    use crate::points::Points;
    use crate::rules::presets;

    #[test]
    fn comments_are_kept_while_the_engine_thinks() {
        let goban = "grid:3".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let mut record = Record {
            start: Start::new(goban, rules, Points::ZERO),
            tree: Tree::new(),
            result: None,
        };
        let mut front = Front::new(1, Value::Null, false);
        front.tell_state(&json!({"type": "state", "rev": 0, "clocks": null}));
        let queue = Queue::new();
        assert!(queue.begin(Running::Decision, 0));
        let sender = Sender {
            outbox: Outbox::default(),
            role: Role::Owner,
        };
        for text in [
            r#"{"type":"comment","id":1,"rev":0,"node":0,"text":"a"}"#,
            r#"{"type":"name","id":2,"rev":0,"node":0,"text":"b"}"#,
            r#"{"type":"name","id":3,"rev":1,"node":0,"text":"c"}"#,
            r#"{"type":"name","id":4,"rev":2,"node":7,"text":"d"}"#,
        ] {
            let message = Box::new(Message::read(text).unwrap());
            assert!(queue.push(Job::Command(sender.clone(), message)));
        }
        while let Some(job) = queue.take_light() {
            let served = Served {
                front: &mut front,
                record: &mut record,
                players: &[],
                queue: &queue,
                clocks: None,
            };
            assert!(served.serve(job, &mut Vec::new()).is_none());
        }
        assert_eq!(
            (record.tree.text(0, false), record.tree.text(0, true)),
            ("a", "c")
        );
        let told = sender.outbox.waiting();
        let kinds = ["done", "stale", "\"state\"", "done", "error"];
        assert_eq!(told.len(), kinds.len());
        for (text, kind) in told.iter().zip(kinds) {
            assert!(text.contains(kind), "{text}");
        }
        assert_eq!(front.rev, 2);
        let genmove = Message::read(r#"{"type":"genmove","rev":2}"#).unwrap();
        queue.push(Job::Command(sender, Box::new(genmove)));
        assert!(
            queue.stop_signal().load(Ordering::Acquire),
            "the queue knows the revision"
        );
    }
}
