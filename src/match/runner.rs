//! Runner of a match: plays games in parallel, and counts and records them.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::MatchError;
use super::halt::Halt;
use super::options::{MatchArgs, Plan};
use super::record::{Ending, GameLine, Record};
use super::referee::Referee;
use super::report::{MatchTotals, Progress, Summary};
use super::sgf;
use super::statistics::SprtDecision;
use crate::system::tell;

/// Plays the match that the options describe, and prints its summary. A match that an error or
/// Ctrl-C ends early has a summary too. After Ctrl-C, engines finish their current moves.
///
/// # Errors
/// If options contradict each other, an engine cannot be started or set up, a file cannot be used,
/// or Ctrl-C ended the match.
pub fn run(args: &MatchArgs) -> Result<(), MatchError> {
    let (plan, warnings) = Plan::new(args)?;
    let mut keeper = Keeper::new(args, &plan)?;
    for warning in &warnings {
        keeper.progress.warn(warning);
    }
    let pending: Vec<u32> = (1..=args.games)
        .filter(|game| !keeper.done.contains(game))
        .collect();
    let halt = Halt::on_ctrl_c();
    let played = if keeper.decided() {
        Ok(())
    } else {
        play(&plan, &pending, args, &mut keeper, &halt)
    };
    keeper.progress.end();
    if played.is_ok() || keeper.totals.score.games() > 0 {
        keeper.summarize(&plan)?;
    }
    if played.is_ok() && halt.is_interrupted() && !keeper.is_complete() {
        return Err(MatchError::Interrupted {
            played: keeper.totals.score.games(),
            planned: args.games,
        });
    }
    played
}

/// Counts and records finished games.
struct Keeper<'a> {
    args: &'a MatchArgs,
    totals: MatchTotals,
    progress: Progress,
    record: Option<Record>,
    /// Numbers of the games that were recorded earlier.
    done: HashSet<u32>,
    /// True if games were recorded earlier, perhaps by other engines, and no new game has been
    /// added.
    resumed: bool,
}

impl<'a> Keeper<'a> {
    fn new(args: &'a MatchArgs, plan: &Plan) -> Result<Keeper<'a>, MatchError> {
        if let Some(folder) = &args.sgf {
            sgf::prepare(folder)?;
        }
        let mut totals = MatchTotals::default();
        let mut done = HashSet::new();
        let mut record = None;
        if let Some(path) = &args.out {
            let mut file = Record::open(path, &plan.settings, |game| {
                totals.add(game);
                done.insert(game.game);
            })?;
            // A record with a wrong line writes no game.
            if let Some(folder) = args.sgf.as_ref().filter(|_| !done.is_empty()) {
                file.each(path, &plan.settings, |game| sgf::write(folder, plan, game))?;
            }
            record = Some(file);
        }
        let progress = Progress::new(args.games, args.sprt);
        if !done.is_empty() {
            progress.say(&format!("games played before: {}", done.len()));
        }
        let resumed = !done.is_empty();
        Ok(Keeper {
            args,
            totals,
            progress,
            record,
            done,
            resumed,
        })
    }

    /// Returns true if the sequential test needs no more games.
    fn decided(&self) -> bool {
        let test = self.args.sprt;
        test.is_some_and(|test| test.decision(&self.totals.score) != SprtDecision::Continue)
    }

    /// Returns true if no games are left to play.
    fn is_complete(&self) -> bool {
        self.decided() || self.totals.score.games() >= u64::from(self.args.games)
    }

    /// Counts and records a finished game.
    fn keep(&mut self, game: &GameLine, plan: &Plan) -> Result<(), MatchError> {
        if let (Some(record), Some(path)) = (&mut self.record, &self.args.out) {
            record.append(game, path)?;
        }
        if let Some(folder) = &self.args.sgf {
            sgf::write(folder, plan, game)?;
        }
        if self.resumed && self.totals.engines.as_ref() != Some(&game.engines) {
            let warning = "the engines differ from those of the games played before";
            self.progress.warn(warning);
        }
        self.resumed = false;
        let repeated = self.totals.duplicates;
        self.totals.add(game);
        self.progress.game(game, &self.totals);
        if repeated == 0 && self.totals.duplicates > 0 {
            self.progress.warn(format_args!(
                "game {} repeats an earlier one and adds no information; use --openings to vary the games",
                game.game
            ));
        }
        Ok(())
    }

    fn summarize(&self, plan: &Plan) -> Result<(), MatchError> {
        let args = self.args;
        let summary = Summary::new(&self.totals, args.sprt, args.games, &plan.settings);
        let text = if args.json {
            serde_json::to_string(&summary)?
        } else {
            summary.to_string()
        };
        tell::output(format!("{text}\n").as_bytes())?;
        Ok(())
    }
}

/// Plays the pending games.
fn play(
    plan: &Plan,
    pending: &[u32],
    args: &MatchArgs,
    keeper: &mut Keeper<'_>,
    halt: &Halt,
) -> Result<(), MatchError> {
    let workers = usize::from(args.parallel).min(pending.len());
    let next = AtomicUsize::new(0);
    let mut result = Ok(());
    keeper.progress.show(&keeper.totals);
    thread::scope(|scope| {
        let (sender, reports) = mpsc::channel();
        for _ in 0..workers {
            let sender = sender.clone();
            let job = || work(plan, pending, &next, halt, sender);
            if let Err(problem) = thread::Builder::new().spawn_scoped(scope, job) {
                halt.end();
                result = Err(problem.into());
            }
        }
        drop(sender);
        for report in reports {
            // Ignore games that end after the test has decided, because short games end first and
            // would bias the result.
            if keeper.decided() {
                continue;
            }
            let kept = report.and_then(|game| keeper.keep(&game, plan));
            if kept.is_err() || keeper.decided() {
                halt.end();
            }
            if result.is_ok() {
                result = kept;
            }
        }
    });
    result
}

/// Plays pending games, one after another, with one referee.
fn work(
    plan: &Plan,
    pending: &[u32],
    next: &AtomicUsize,
    halt: &Halt,
    reports: Sender<Result<GameLine, MatchError>>,
) {
    let mut referee = match Referee::new(plan, halt) {
        Ok(referee) => referee,
        Err(error) => {
            let _ = reports.send(Err(error));
            return;
        }
    };
    while !halt.is_raised() {
        let Some(&game) = pending.get(next.fetch_add(1, Relaxed)) else {
            return;
        };
        let report = match referee.play(game) {
            Ok(Some(line)) if line.ending == Ending::Crash && halt.has_ended_engines() => return,
            Ok(Some(line)) => Ok(line),
            Ok(None) => return,
            Err(MatchError::Setup { .. }) if halt.has_ended_engines() => return,
            Err(error) => Err(error),
        };
        let failed = report.is_err();
        if reports.send(report).is_err() || failed {
            return;
        }
    }
}
