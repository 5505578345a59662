//! Exact answers about the current position, in a thread of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::commands::{Done, Fault};
use super::message::{error, result};
use super::queue::Sender;
use super::room::Room;
use super::socket::Outbox;
use crate::color::Color;
use crate::engine::{Engine, Options, Progress, Wish};
use crate::exact::count::{Budget, bounds, positions};
use crate::notation::move_text;
use crate::record::json::GraphGame;
use crate::replay;

/// Time limit without `seconds`, and the maximum of it, in seconds.
const USUAL: f64 = 60.0;
const LONGEST: f64 = 600.0;
/// Minimum time between two messages about the progress.
const PAUSE: Duration = Duration::from_millis(500);
/// Time after which a message about the progress comes even without new figures.
const TICK: Duration = Duration::from_secs(1);

/// Kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Solve,
    Komi,
    Count,
    Life,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Solve => "solve",
            Kind::Komi => "komi",
            Kind::Count => "count",
            Kind::Life => "life",
        }
    }
}

/// Question of a game that is running, if any.
#[derive(Default)]
pub(super) struct Question(Mutex<Option<Running>>);

/// Running question of a page.
struct Running {
    id: Value,
    outbox: Outbox,
    stop: Arc<AtomicBool>,
}

impl Question {
    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the question.
    pub(super) fn stop(&self) {
        self.stop_if(|_| true);
    }

    /// Ends the question if a page has asked it with this id. Returns false otherwise.
    pub(super) fn stop_job(&self, outbox: &Outbox, id: &Value) -> bool {
        self.stop_if(|running| running.outbox.is(outbox) && running.id == *id)
    }

    /// Ends the question of a page that leaves, because its answer would reach no page.
    pub(super) fn leave(&self, outbox: &Outbox) {
        self.stop_if(|running| running.outbox.is(outbox));
    }

    fn stop_if(&self, ends: impl Fn(&Running) -> bool) -> bool {
        let running = self.lock();
        let found = running.as_ref().filter(|running| ends(running));
        if let Some(running) = found {
            running.stop.store(true, Ordering::Release);
        }
        found.is_some()
    }
}

/// Everything that a question needs.
struct Task {
    kind: Kind,
    id: Value,
    outbox: Outbox,
    game: GraphGame,
    options: Options,
    time: Duration,
    stop: Arc<AtomicBool>,
    begun: Instant,
    shown: Mutex<Shown>,
}

/// Progress of a question that its page knows.
struct Shown {
    /// Latest figures, or empty without any.
    figures: String,
    /// Time of the latest message.
    at: Instant,
}

impl Room {
    /// Starts a question about the current position.
    pub(super) fn ask(
        &mut self,
        sender: &Sender,
        id: &Value,
        kind: Kind,
        seconds: Option<f64>,
    ) -> Result<Done, Fault> {
        let seconds = seconds.unwrap_or(USUAL);
        if !(0.0..=LONGEST).contains(&seconds) {
            let line = format!("seconds {seconds}, expected 0 to {LONGEST}");
            return Err(Fault::Wrong(line));
        }
        if self.question.lock().is_some() {
            let text = "another question of this game is running".to_string();
            return Err(Fault::Refused("busy", text));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let begun = Instant::now();
        let options = self.hub.options();
        let task = Task {
            kind,
            id: id.clone(),
            outbox: sender.outbox.clone(),
            game: replay::game(self.engine()),
            options: Options {
                memory_mib: (options.memory_mib / 2).max(16),
                ..options
            },
            time: Duration::from_secs_f64(seconds),
            stop: Arc::clone(&stop),
            begun,
            shown: Mutex::new(Shown {
                figures: String::new(),
                at: begun,
            }),
        };
        *self.question.lock() = Some(Running {
            id: id.clone(),
            outbox: sender.outbox.clone(),
            stop,
        });
        let question = Arc::clone(&self.question);
        let run = move || {
            let answer = catch_unwind(AssertUnwindSafe(|| task.answer_with_progress()));
            let answer = match answer {
                Ok(Ok(answer)) => result(&task.id, task.kind.name(), answer),
                Ok(Err(line)) => error(&task.id, &line),
                Err(_) => error(&task.id, "internal error"),
            };
            *question.lock() = None;
            task.outbox.send(&answer);
        };
        let thread = thread::Builder::new().name("question".to_string());
        if let Err(problem) = thread.spawn(run) {
            *self.question.lock() = None;
            return Err(Fault::Wrong(format!(
                "no thread for the question: {problem}"
            )));
        }
        Ok(Done::Later)
    }
}

impl Task {
    /// Answers the question, and reports that it is running.
    fn answer_with_progress(&self) -> Result<Value, String> {
        thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let report = move || {
                while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.tell(None);
                }
            };
            // Without a thread, only new figures are reported.
            let _ = thread::Builder::new().spawn_scoped(scope, report);
            let answer = self.answer();
            drop(end);
            answer
        })
    }

    fn answer(&self) -> Result<Value, String> {
        let mut engine = replay::engine(&self.game, usize::MAX, self.options.clone())?;
        engine.set_stop_signal(Arc::clone(&self.stop));
        match self.kind {
            Kind::Solve => self.solve(&engine),
            Kind::Komi => self.komi(&engine),
            Kind::Count => self.count(&engine),
            Kind::Life => life(&engine),
        }
    }

    fn solve(&self, engine: &Engine) -> Result<Value, String> {
        let report = |progress: Progress| {
            let Progress {
                lower,
                upper,
                nodes,
            } = progress;
            self.tell(Some(format!("{lower}..{upper}, {nodes} positions, ")));
        };
        let wish = Wish {
            pv: true,
            moves: true,
        };
        let answer = engine.solve(Some(self.time), wish, Some(&report));
        let answer = answer.map_err(|e| e.to_string())?;
        let goban = engine.goban();
        let (lower, upper) = (
            answer.bounds.lower.to_string(),
            answer.bounds.upper.to_string(),
        );
        let value = answer.bounds.value().map(|value| value.to_string());
        let best = answer.moves.iter().filter(|(_, bounds)| {
            answer.bounds.value().is_some() && bounds.value() == answer.bounds.value()
        });
        let best: Vec<String> = best.map(|&(mv, _)| move_text(goban, mv)).collect();
        let line: Vec<String> = answer.pv.iter().map(|&mv| move_text(goban, mv)).collect();
        let text = match &value {
            Some(value) => value.clone(),
            None => {
                let why = answer
                    .stopped
                    .map_or(String::new(), |why| format!(": {why}"));
                format!("between {lower} and {upper}{why}")
            }
        };
        Ok(json!({
            "text": text, "value": value, "lower": lower, "upper": upper, "best": best,
            "pv": line, "proved": value.is_some(),
        }))
    }

    fn komi(&self, engine: &Engine) -> Result<Value, String> {
        let found = engine
            .komi_parameter(Some(self.time))
            .map_err(|e| e.to_string())?;
        let value = found.value();
        let upper = found
            .upper
            .map_or("unknown".to_string(), |upper| upper.to_string());
        let text = match value {
            Some(value) => format!("the komi parameter is {value}"),
            None => format!("the komi parameter is between {} and {upper}", found.lower),
        };
        Ok(json!({
            "text": text, "value": value, "lower": found.lower, "upper": found.upper,
            "proved": value.is_some(),
        }))
    }

    fn count(&self, engine: &Engine) -> Result<Value, String> {
        let graph = engine.ordinary_graph().map_err(|e| e.to_string())?;
        let budget = Budget {
            memory: self.options.memory_mib << 20,
            stop: &self.stop,
            deadline: Instant::now().checked_add(self.time),
            progress: None,
        };
        let colors = u32::try_from(engine.rules().colors).unwrap_or(2);
        match positions(graph, colors, &budget) {
            Ok(count) => {
                let count = count.to_string();
                Ok(json!({
                    "text": format!("{count} legal positions"), "positions": count, "proved": true,
                }))
            }
            Err(why) => {
                let (lower, upper) = bounds(graph, colors);
                Ok(json!({
                    "text": format!("between {lower} and {upper} legal positions: {why}"),
                    "positions": Value::Null, "lower": lower.to_string(),
                    "upper": upper.to_string(), "proved": false,
                }))
            }
        }
    }

    /// Sends the progress with the latest figures, unless a message was sent a moment ago.
    fn tell(&self, figures: Option<String>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(figures) = figures {
            shown.figures = figures;
        }
        if shown.at.elapsed() < PAUSE {
            return;
        }
        shown.at = Instant::now();
        let (now, most) = (self.begun.elapsed().as_secs(), self.time.as_secs());
        let text = format!("{}{now} of {most} s", shown.figures);
        self.outbox.send(&json!({
            "type": "progress", "id": self.id, "tool": self.kind.name(), "text": text,
        }));
    }
}

fn life(engine: &Engine) -> Result<Value, String> {
    let names = &engine.goban().names;
    let mut chains = Vec::new();
    for color in Color::all(engine.rules().colors) {
        let alive = engine.unconditional_life(color);
        for chain in alive.map_err(|problem| engine.life_problem(problem))? {
            let stones: Vec<String> = chain.iter().map(|&v| names.alias(v)).collect();
            chains.push(json!({"color": color.to_string(), "stones": stones}));
        }
    }
    Ok(json!({"chains": chains}))
}
