//! Progress of long tasks on standard error: a bar or a spinner, with bounds and time. It is silent
//! if standard error is no terminal, and it disappears at the end.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two drawings.
const REDRAWN: Duration = Duration::from_millis(125);

/// Progress of one task. Dropping the value clears its line.
#[derive(Debug)]
pub struct Task(ProgressBar);

impl Task {
    /// Starts a task of unknown length, with its time limit, if any.
    pub fn open(limit: Option<Duration>) -> Task {
        let limit = limit.map_or_else(String::new, |limit| {
            format!(" of {} s", (limit.as_secs_f64() * 10.0).round() / 10.0)
        });
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let form = format!("{{spinner}} {{elapsed}}{limit}  {{wide_msg}}");
        Task::start(bar, &form)
    }

    /// Starts a task of many steps. [`Task::step`] tells their number.
    pub fn of_steps() -> Task {
        // A length of 0 would show a full bar until the first step.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Task::start(
            bar,
            "{elapsed} [{bar:24}] {pos} of {len}, {eta} left  {wide_msg}",
        )
    }

    fn start(bar: ProgressBar, form: &str) -> Task {
        let style = ProgressStyle::with_template(form);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style.progress_chars("#>."));
        // Without a terminal, no thread is started.
        if !bar.is_hidden() {
            bar.enable_steady_tick(REDRAWN);
        }
        Task(bar)
    }

    /// Returns true if a person sees the progress.
    pub fn is_shown(&self) -> bool {
        !self.0.is_hidden()
    }

    /// Shows this text after the time.
    pub fn note(&self, text: String) {
        self.0.set_message(text);
    }

    /// Runs `print`, which may write lines to standard error. They stand above the progress.
    pub fn above(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }

    /// Clears the line for good, before other text follows.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }

    /// Shows that `done` of `of` steps are done.
    pub fn step(&self, done: usize, of: usize) {
        self.0.set_length(of as u64);
        self.0.set_position(done as u64);
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.end();
    }
}
