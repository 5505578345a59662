//! Queue of a game: jobs from all pages, for the thread that owns the engine.
//!
//! Jobs that change nothing, such as questions of guests, come behind all others and behind the
//! engine's turn. So guests cannot keep the owner or the engine waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::access::Role;
use super::message::{Command, Effect, Hello, Message, refused};
use super::socket::Outbox;

/// Maximum number of jobs that wait.
const MOST_WAITING: usize = 1000;
/// Maximum number of guests' commands and arrivals among them. So guests cannot fill the queue.
const MOST_OF_GUESTS: usize = 500;

/// Page that sent a job.
#[derive(Clone)]
pub(super) struct Sender {
    pub(super) outbox: Outbox,
    pub(super) role: Role,
}

/// Job for a game.
pub(super) enum Job {
    /// A page joins the game.
    Join(Sender, Box<Hello>, Value),
    /// A page is gone.
    Leave(Outbox),
    /// A command of a page.
    Command(Sender, Box<Message>),
    /// A command that has made the engine play at once, and was answered. Its id is kept against
    /// repetition.
    Hurried(Sender, Value),
    /// The share of the memory has changed.
    Share,
    /// The program ends.
    End,
}

/// Running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Running {
    /// Analysis: any job ends it, some only after a report.
    Analysis,
    /// Search for a move.
    Decision,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    running: Option<Running>,
    /// Revision of the game at the start of the running search.
    rev: u64,
    /// True if the running search for a move must not be played.
    discards: bool,
    closed: bool,
}

/// Jobs of a game. Some of them end the running search.
pub(super) struct Queue {
    state: Mutex<State>,
    arrived: Condvar,
    stop: Arc<AtomicBool>,
}

impl Queue {
    /// Returns an empty queue.
    pub(super) fn new() -> Queue {
        Queue {
            state: Mutex::default(),
            arrived: Condvar::new(),
            stop: Arc::new(AtomicBool::new(false)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the signal that ends searches.
    pub(super) fn stop_signal(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Adds a job. Returns false if the queue is full or closed.
    pub(super) fn push(&self, job: Job) -> bool {
        let mut state = self.lock();
        let leaves = matches!(job, Job::Leave(_) | Job::End);
        if state.closed || state.jobs.len() >= MOST_WAITING && !leaves {
            return false;
        }
        let guests = || state.jobs.iter().filter(|job| is_of_guest(job)).count();
        if is_of_guest(&job) && guests() >= MOST_OF_GUESTS {
            return false;
        }
        if let Job::Leave(outbox) = &job
            && state.drop_join(outbox)
        {
            // The page never came, so nothing has to be removed.
            return true;
        }
        let effect = match &job {
            // A command of an older revision is refused, and one of a player may be. Neither ends a
            // search before that is known.
            Job::Command(sender, message)
                if sender.role == Role::Owner && message.is_present(state.rev) =>
            {
                message.command.effect()
            }
            Job::End => Effect::Discards,
            Job::Join(..) | Job::Leave(_) | Job::Command(..) | Job::Hurried(..) | Job::Share => {
                Effect::Waits
            }
        };
        match (state.running, effect) {
            // The next report comes first, so guests cannot suppress it by questions or visits.
            (Some(Running::Analysis), _) if comes_last(&job) => {}
            (Some(Running::Analysis), _) => self.stop.store(true, Ordering::Release),
            (Some(Running::Decision), Effect::Plays) => {
                // Another command may have ended the search without a move.
                if let Job::Command(sender, message) = &job
                    && !state.discards
                {
                    self.stop.store(true, Ordering::Release);
                    if !message.id.is_null() {
                        let answer = json!({"type": "done", "id": message.id});
                        sender.outbox.send(&answer);
                    }
                    let hurried = Job::Hurried(sender.clone(), message.id.clone());
                    state.jobs.push_back(hurried);
                    self.arrived.notify_all();
                    return true;
                }
            }
            (Some(Running::Decision), Effect::Discards) => {
                state.discards = true;
                self.stop.store(true, Ordering::Release);
            }
            (Some(Running::Decision), Effect::Waits) | (None, _) => {}
        }
        state.jobs.push_back(job);
        self.arrived.notify_all();
        true
    }

    /// Returns true if a job waits, and every one that does leaves the position as it is.
    pub(super) fn keeps_position(&self) -> bool {
        let state = self.lock();
        !state.jobs.is_empty() && state.jobs.iter().all(comes_last)
    }

    /// Ends an analysis that has sent a report, if a job waits.
    pub(super) fn rest(&self) {
        if !self.lock().jobs.is_empty() {
            self.stop.store(true, Ordering::Release);
        }
    }

    /// Returns the next job that comes before a search, or `None` if there is none.
    pub(super) fn take(&self) -> Option<Job> {
        self.lock().take_first()
    }

    /// Returns the next job that comes behind all others, or `None` if there is none or another
    /// job waits.
    pub(super) fn take_last(&self) -> Option<Job> {
        let mut state = self.lock();
        match state.jobs.iter().all(comes_last) {
            true => state.jobs.pop_front(),
            false => None,
        }
    }

    /// Returns the next job, or `None` if none arrives in time.
    pub(super) fn wait(&self, time: Duration) -> Option<Job> {
        let deadline = Instant::now() + time;
        let mut state = self.lock();
        loop {
            if let Some(job) = state.take_first() {
                return Some(job);
            }
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let woken = self.arrived.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Marks the start of a search at a revision of the game. Returns false, and starts nothing, if
    /// a job waits that comes before a search.
    pub(super) fn begin(&self, running: Running, rev: u64) -> bool {
        let mut state = self.lock();
        if !state.jobs.iter().all(comes_last) {
            return false;
        }
        state.running = Some(running);
        state.rev = rev;
        state.discards = false;
        self.stop.store(false, Ordering::Release);
        true
    }

    /// Marks the end of a search. Returns false if its move must not be played.
    pub(super) fn end(&self) -> bool {
        let mut state = self.lock();
        state.running = None;
        self.stop.store(false, Ordering::Release);
        !std::mem::take(&mut state.discards)
    }

    /// Marks that a job has raised the revision during the search.
    pub(super) fn raise(&self, rev: u64) {
        self.lock().rev = rev;
    }

    /// Takes a job that the game can handle while its engine searches for a move. These are pages
    /// that come or go, moves out of turn, comments and names, and commands of older revisions,
    /// which are refused. Pages of guests that come or go are last.
    pub(super) fn take_light(&self) -> Option<Job> {
        let mut state = self.lock();
        if state.discards {
            return None;
        }
        // A job behind any other that waits must not overtake it. Guests' questions change nothing.
        let first = state.jobs.iter().position(|job| !comes_last(job));
        let is_light = |job: &Job| match job {
            Job::Join(..) | Job::Leave(_) => true,
            Job::Command(sender, message) => match message.command {
                Command::Play { .. } | Command::Pass { .. } => true,
                Command::Comment { .. } | Command::Name { .. } => true,
                Command::Resign { .. } if sender.role != Role::Owner => true,
                _ => message.command.changes() && !message.is_present(state.rev),
            },
            Job::Hurried(..) | Job::Share | Job::End => false,
        };
        if first
            .and_then(|at| state.jobs.get(at))
            .is_some_and(is_light)
        {
            return state.take_first();
        }
        let is_visit = |job: &Job| matches!(job, Job::Join(..) | Job::Leave(_));
        let visit = state
            .jobs
            .iter()
            .position(|job| comes_last(job) && is_visit(job));
        state.jobs.remove(visit?)
    }

    /// Ends the search for a move without a move. The given job comes next.
    pub(super) fn discard_for(&self, next: Option<Job>) {
        let mut state = self.lock();
        if let Some(job) = next {
            state.jobs.push_front(job);
        }
        state.discards = true;
        self.stop.store(true, Ordering::Release);
    }

    /// Refuses all further jobs, and closes the pages of those that wait with one line.
    pub(super) fn close(&self, code: u16, line: &str) {
        let jobs: Vec<Job> = {
            let mut state = self.lock();
            state.closed = true;
            state.jobs.drain(..).collect()
        };
        for job in jobs {
            if let Job::Join(sender, ..) | Job::Command(sender, _) | Job::Hurried(sender, _) = job {
                sender.outbox.close(code, line);
            }
        }
    }
}

impl State {
    /// Takes the first job that comes before a search. If its page still has to leave or join, that
    /// comes first.
    fn take_first(&mut self) -> Option<Job> {
        let at = self.jobs.iter().position(|job| !comes_last(job))?;
        let (Job::Join(sender, ..) | Job::Command(sender, _)) = self.jobs.get(at)? else {
            return self.jobs.remove(at);
        };
        let is_visit = |job: &Job| match job {
            Job::Join(own, ..) => own.outbox.is(&sender.outbox),
            Job::Leave(own) => own.is(&sender.outbox),
            Job::Command(..) | Job::Hurried(..) | Job::Share | Job::End => false,
        };
        let visit = self.jobs.iter().take(at).position(is_visit);
        self.jobs.remove(visit.unwrap_or(at))
    }

    /// Drops the waiting arrival of a page, and answers its `hello`. Returns false if none waits.
    fn drop_join(&mut self, outbox: &Outbox) -> bool {
        let joins = |job: &Job| matches!(job, Job::Join(own, ..) if own.outbox.is(outbox));
        let at = self.jobs.iter().position(joins);
        let Some(Job::Join(_, _, id)) = at.and_then(|at| self.jobs.remove(at)) else {
            return false;
        };
        let text = "the page left before the game welcomed it";
        outbox.send(&refused(&id, None, "busy", text));
        true
    }
}

/// Returns true for a job that leaves the position as it is and comes behind all others. In such a
/// job a guest asks or comes, or any page goes.
fn comes_last(job: &Job) -> bool {
    match job {
        Job::Join(sender, ..) => sender.role != Role::Owner,
        Job::Leave(_) => true,
        Job::Command(sender, message) => sender.role != Role::Owner && !message.command.changes(),
        Job::Hurried(..) | Job::Share | Job::End => false,
    }
}

/// Returns true for a command or the arrival of a guest.
fn is_of_guest(job: &Job) -> bool {
    matches!(job, Job::Join(sender, ..) | Job::Command(sender, _) if sender.role != Role::Owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, role: Role) -> Job {
        let sender = Sender {
            outbox: Outbox::default(),
            role,
        };
        Job::Command(sender, Box::new(Message::read(text).unwrap()))
    }

    /// Takes all jobs.
    fn drain(queue: &Queue) {
        while queue.take().or_else(|| queue.take_last()).is_some() {}
    }

    #[test]
    fn guests_cannot_fill_the_queue() {
        let queue = Queue::new();
        let why = || command(r#"{"type":"why","vertex":"A1"}"#, Role::Watch);
        let taken = (0..MOST_WAITING).filter(|_| queue.push(why())).count();
        assert_eq!(taken, MOST_OF_GUESTS);
        assert!(!queue.push(join(&Outbox::default(), Role::Watch)));
        assert!(queue.push(command(r#"{"type":"undo"}"#, Role::Owner)));
        assert!(queue.push(join(&Outbox::default(), Role::Owner)));
    }

    fn join(outbox: &Outbox, role: Role) -> Job {
        let sender = Sender {
            outbox: outbox.clone(),
            role,
        };
        let hello = serde_json::from_str(r#"{"protocol":1}"#).unwrap();
        Job::Join(sender, Box::new(hello), json!("h"))
    }

    #[test]
    fn a_page_that_comes_again_and_again_waits_once() {
        let (queue, outbox) = (Queue::new(), Outbox::default());
        for _ in 0..20 {
            queue.push(Job::Leave(outbox.clone()));
            assert!(queue.push(join(&outbox, Role::Watch)));
        }
        assert_eq!(outbox.waiting().len(), 19, "each hello gets an answer");
        let waiting = queue.lock().jobs.len();
        assert_eq!(waiting, 2, "one visit, after the first leave");
    }

    #[test]
    fn a_page_leaves_before_it_comes_again() {
        for role in [Role::Owner, Role::Watch] {
            let (queue, outbox) = (Queue::new(), Outbox::default());
            queue.push(Job::Leave(outbox.clone()));
            queue.push(join(&outbox, role));
            let next = || queue.take().or_else(|| queue.take_last());
            assert!(matches!(next(), Some(Job::Leave(_))));
            assert!(matches!(next(), Some(Job::Join(..))));
        }
    }

    #[test]
    fn guests_come_behind_the_owner_and_the_engine() {
        let queue = Queue::new();
        let black = Role::Player(crate::color::Color::BLACK);
        let (guest, player) = (Outbox::default(), Outbox::default());
        queue.push(join(&guest, Role::Watch));
        queue.push(command(r#"{"type":"why","vertex":"A1"}"#, Role::Watch));
        assert!(queue.begin(Running::Decision, 0), "the engine moves first");
        queue.end();
        queue.push(join(&player, black));
        let sender = Sender {
            outbox: player,
            role: black,
        };
        let pass = Message::read(r#"{"type":"pass"}"#).unwrap();
        queue.push(Job::Command(sender, Box::new(pass)));
        assert!(!queue.begin(Running::Decision, 0), "a move waits");
        assert!(queue.take_last().is_none(), "a move waits");
        assert!(matches!(queue.take(), Some(Job::Join(page, ..)) if page.role == black));
        assert!(matches!(queue.take(), Some(Job::Command(..))));
        assert!(queue.take().is_none());
        assert!(matches!(queue.take_last(), Some(Job::Join(page, ..)) if page.outbox.is(&guest)));
        assert!(queue.keeps_position(), "the question is left");
    }

    #[test]
    fn jobs_end_searches_by_their_kind() {
        let undo = || command(r#"{"type":"undo"}"#, Role::Owner);
        let queue = Queue::new();
        assert!(queue.begin(Running::Decision, 0));
        queue.push(command(r#"{"type":"score"}"#, Role::Owner));
        assert!(!queue.stop.load(Ordering::Acquire));
        queue.push(command(r#"{"type":"undo"}"#, Role::Watch));
        assert!(!queue.stop.load(Ordering::Acquire), "not allowed");
        queue.push(command(r#"{"type":"genmove"}"#, Role::Owner));
        assert!(queue.stop.load(Ordering::Acquire));
        assert!(queue.end(), "the engine plays at once");
        assert!(!queue.begin(Running::Decision, 0), "jobs wait");
        drain(&queue);
        assert!(queue.begin(Running::Decision, 0));
        queue.push(undo());
        assert!(!queue.end(), "no move");
        drain(&queue);
        assert!(queue.begin(Running::Analysis, 0));
        queue.push(command(r#"{"type":"why","vertex":"A1"}"#, Role::Watch));
        assert!(!queue.stop.load(Ordering::Acquire), "a report comes first");
        queue.rest();
        assert!(queue.stop.load(Ordering::Acquire));
        queue.end();
        drain(&queue);
        for role in [Role::Owner, Role::Player(crate::color::Color::BLACK)] {
            assert!(queue.begin(Running::Analysis, 0));
            queue.rest();
            assert!(!queue.stop.load(Ordering::Acquire));
            queue.push(command(r#"{"type":"play","vertex":"A1"}"#, role));
            assert!(queue.stop.load(Ordering::Acquire), "a move ends it at once");
            queue.end();
            drain(&queue);
        }
    }

    #[test]
    fn only_a_present_genmove_ends_the_search_with_a_move() {
        let genmove = |rev: u64| {
            let text = format!(r#"{{"type":"genmove","id":1,"rev":{rev}}}"#);
            command(&text, Role::Owner)
        };
        let queue = Queue::new();
        assert!(queue.begin(Running::Decision, 7));
        queue.push(genmove(6));
        assert!(!queue.stop.load(Ordering::Acquire), "an old revision");
        assert!(
            matches!(queue.take(), Some(Job::Command(..))),
            "it is refused in its turn"
        );
        queue.push(genmove(7));
        assert!(queue.stop.load(Ordering::Acquire));
        assert!(
            matches!(queue.take(), Some(Job::Hurried(..))),
            "it has nothing left to do"
        );
        assert!(queue.end());
        // After an undo, the engine has to move anew.
        assert!(queue.begin(Running::Decision, 7));
        queue.push(command(r#"{"type":"undo"}"#, Role::Owner));
        queue.push(genmove(7));
        assert!(!queue.end());
        assert!(matches!(queue.take(), Some(Job::Command(..))));
        assert!(matches!(queue.take(), Some(Job::Command(..))));
    }

    #[test]
    fn commands_that_will_be_refused_end_no_search() {
        let queue = Queue::new();
        let stops = |job: Job| {
            queue.push(job);
            queue.stop.load(Ordering::Acquire)
        };
        assert!(queue.begin(Running::Decision, 7));
        let white = Role::Player(crate::color::Color::WHITE);
        assert!(!stops(command(r#"{"type":"undo","rev":6}"#, Role::Owner)));
        assert!(!stops(command(r#"{"type":"resign"}"#, white)));
        assert!(!stops(command(
            r#"{"type":"promote","node":0}"#,
            Role::Owner
        )));
        assert!(!stops(command(r#"{"type":"pass"}"#, white)));
        // The first two can be answered during the search. What is behind another job waits.
        assert!(queue.take_light().is_some());
        let resignation = queue.take_light();
        assert!(resignation.is_some() && queue.take_light().is_none());
        queue.discard_for(resignation);
        assert!(queue.stop.load(Ordering::Acquire));
        assert!(queue.take_light().is_none(), "the search ends");
        assert!(!queue.end(), "no move");
        assert!(matches!(
            queue.take(),
            Some(Job::Command(_, message)) if matches!(message.command, Command::Resign { .. })
        ));
    }

    #[test]
    fn the_queue_is_bounded() {
        let queue = Queue::new();
        let score = || command(r#"{"type":"score"}"#, Role::Owner);
        let taken = (0..2 * MOST_WAITING)
            .filter(|_| queue.push(score()))
            .count();
        assert_eq!(taken, MOST_WAITING);
        let outbox = Outbox::default();
        let sender = Sender {
            outbox: outbox.clone(),
            role: Role::Owner,
        };
        queue.take();
        assert!(queue.push(Job::Hurried(sender, Value::Null)));
        queue.close(1001, "closed");
        assert_eq!(outbox.closing().as_deref(), Some("closed"));
        assert!(!queue.push(score()));
    }
}
