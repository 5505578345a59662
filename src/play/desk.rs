//! Work for pages that needs no game, such as pictures: two threads and a deadline.
//!
//! Tasks of the owner come first, and guests use one thread at most. So the owner never waits for
//! the work of guests. Pages of one rank take turns.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::access::Role;
use super::message::{error, result};
use super::queue::Sender;
use super::socket::Outbox;

/// Number of threads.
const THREADS: usize = 2;
/// Maximum number of tasks that wait, and of those of one page. So no page can fill the queue.
const MOST_WAITING: usize = 400;
const MOST_OF_PAGE: usize = 32;
/// Usual maximum time of a task from its start. Its page gets an error then, and the answer is
/// dropped.
pub(super) const DEADLINE: Duration = Duration::from_secs(2);

/// Request of a page.
pub(super) struct Task {
    pub(super) id: Value,
    pub(super) tool: &'static str,
    pub(super) sender: Sender,
    /// Maximum time.
    pub(super) deadline: Duration,
    /// Returns the keys of the result, or one line.
    pub(super) run: Box<dyn FnOnce() -> Result<Value, String> + Send>,
}

/// Running task, for the supervisor.
struct Running {
    number: u64,
    since: Instant,
    deadline: Duration,
    id: Value,
    outbox: Outbox,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    running: Vec<Running>,
    next: u64,
    /// Number of guests' tasks that occupy a thread, late ones included.
    guests: usize,
}

impl State {
    /// Takes the next task, or returns `None` if none may start now. The other tasks of its page go
    /// to the end.
    fn take(&mut self) -> Option<Task> {
        let is_of_owner = |task: &Task| task.sender.role == Role::Owner;
        let of_owner = self.tasks.iter().position(is_of_owner);
        let of_guest = (self.guests < THREADS - 1).then_some(0);
        let task = self.tasks.remove(of_owner.or(of_guest)?)?;
        self.guests += usize::from(!is_of_owner(&task));
        let is_own = |other: &Task| other.sender.outbox.is(&task.sender.outbox);
        let all = std::mem::take(&mut self.tasks);
        let (own, others): (VecDeque<Task>, VecDeque<Task>) = all.into_iter().partition(is_own);
        self.tasks.extend(others);
        self.tasks.extend(own);
        Some(task)
    }
}

/// Threads with their tasks.
#[derive(Clone, Default)]
pub(super) struct Desk(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    arrived: Condvar,
}

impl Desk {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(super) fn start() -> std::io::Result<Desk> {
        let desk = Desk::default();
        for _ in 0..THREADS {
            let own = desk.clone();
            let thread = thread::Builder::new().name("drawing".to_string());
            thread.spawn(move || {
                loop {
                    own.work();
                }
            })?;
        }
        let own = desk.clone();
        let thread = thread::Builder::new().name("deadlines".to_string());
        thread.spawn(move || own.supervise())?;
        Ok(desk)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task. Returns false if too many wait.
    pub(super) fn push(&self, task: Task) -> bool {
        let mut state = self.lock();
        let own = state
            .tasks
            .iter()
            .filter(|other| other.sender.outbox.is(&task.sender.outbox));
        if state.tasks.len() >= MOST_WAITING || own.count() >= MOST_OF_PAGE {
            return false;
        }
        state.tasks.push_back(task);
        self.0.arrived.notify_all();
        true
    }

    /// Waits for a task and carries it out.
    fn work(&self) {
        let mut state = self.lock();
        let task = loop {
            match state.take() {
                Some(task) => break task,
                None => {
                    let woken = self.0.arrived.wait(state);
                    state = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        };
        let Task {
            id,
            tool,
            sender: Sender { outbox, role },
            deadline,
            run,
        } = task;
        let number = state.next;
        state.next += 1;
        state.running.push(Running {
            number,
            since: Instant::now(),
            deadline,
            id: id.clone(),
            outbox: outbox.clone(),
        });
        self.0.arrived.notify_all();
        drop(state);
        let answer = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(answer)) => result(&id, tool, answer),
            Ok(Err(line)) => error(&id, &line),
            Err(_) => error(&id, "internal error"),
        };
        let mut state = self.lock();
        if role != Role::Owner {
            state.guests -= 1;
            // Another guest's task may start now.
            self.0.arrived.notify_all();
        }
        let before = state.running.len();
        state.running.retain(|running| running.number != number);
        // The supervisor has answered a task that is no longer listed.
        if state.running.len() < before {
            outbox.send(&answer);
        }
    }

    /// Answers tasks that take too long.
    fn supervise(&self) {
        let mut state = self.lock();
        loop {
            let left = |running: &Running| running.deadline.saturating_sub(running.since.elapsed());
            let late = |running: &Running| left(running).is_zero();
            for running in state.running.iter().filter(|running| late(running)) {
                let line = format!("no answer within {} seconds", running.deadline.as_secs());
                running.outbox.send(&error(&running.id, &line));
            }
            state.running.retain(|running| !late(running));
            let next = state.running.iter().map(left).min();
            state = match next {
                Some(left) => {
                    let left = left.max(Duration::from_millis(1));
                    let woken = self.0.arrived.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let woken = self.0.arrived.wait(state);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(role: Role) -> Sender {
        Sender {
            outbox: Outbox::default(),
            role,
        }
    }

    #[test]
    fn pages_take_turns_and_guests_use_one_thread() {
        let desk = Desk::default();
        let add = |id: u64, sender: &Sender| {
            let task = Task {
                id: Value::from(id),
                tool: "thumbnail",
                sender: sender.clone(),
                deadline: DEADLINE,
                run: Box::new(|| Ok(Value::Null)),
            };
            assert!(desk.push(task));
        };
        let take = |ends: bool| {
            let mut state = desk.lock();
            let id = state.take().map(|task| task.id);
            state.guests -= usize::from(ends);
            id.as_ref().and_then(Value::as_u64)
        };
        let (first, second) = (sender(Role::Watch), sender(Role::Watch));
        for id in 0..3 {
            add(id, &first);
        }
        for id in 10..12 {
            add(id, &second);
        }
        assert_eq!(take(true), Some(0));
        assert_eq!(take(true), Some(10));
        assert_eq!(take(false), Some(1));
        assert_eq!(take(false), None, "the other thread is the owner's");
        add(20, &sender(Role::Owner));
        assert_eq!(take(false), Some(20));
    }

    #[test]
    fn one_page_cannot_fill_the_queue() {
        // Without its threads, the desk only collects tasks.
        let desk = Desk::default();
        let fill = |sender: &Sender| {
            let task = || Task {
                id: Value::Null,
                tool: "thumbnail",
                sender: sender.clone(),
                deadline: DEADLINE,
                run: Box::new(|| Ok(Value::Null)),
            };
            (0..MOST_WAITING).filter(|_| desk.push(task())).count()
        };
        assert_eq!(fill(&sender(Role::Watch)), MOST_OF_PAGE);
        assert_eq!(fill(&sender(Role::Watch)), MOST_OF_PAGE);
        let all: usize = (0..20).map(|_| fill(&sender(Role::Watch))).sum();
        assert_eq!(all, MOST_WAITING - 2 * MOST_OF_PAGE);
    }

    #[test]
    fn late_tasks_get_an_error_and_others_their_answer() {
        let desk = Desk::start().unwrap();
        let senders = [sender(Role::Owner), sender(Role::Watch)];
        for (sender, [pause, deadline]) in senders.iter().zip([[400, 100], [0, 60_000]]) {
            let task = Task {
                id: serde_json::json!(pause),
                tool: "export",
                sender: sender.clone(),
                deadline: Duration::from_millis(deadline),
                run: Box::new(move || {
                    thread::sleep(Duration::from_millis(pause));
                    Ok(serde_json::json!({}))
                }),
            };
            assert!(desk.push(task));
        }
        // Long after the late task has ended, and until both pages are told.
        thread::sleep(Duration::from_millis(700));
        for _ in 0..1000 {
            if senders.iter().all(|page| !page.outbox.waiting().is_empty()) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let told = senders.map(|page| page.outbox.waiting());
        assert_eq!(told[0].len(), 1, "one error, and no answer after it");
        assert!(told[0][0].contains("no answer within"), "{}", told[0][0]);
        assert!(told[1][0].contains("\"result\""), "{}", told[1][0]);
    }
}
