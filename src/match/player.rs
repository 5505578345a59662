//! Engine of a match: its process, which is restarted after a fault, and the commands of a game.

use std::collections::HashSet;

use super::MatchError;
use super::answer::Answer;
use super::options::Plan;
use super::process::{Fault, Process};
use super::record::About;
use super::side::Side;
use crate::color::Color;
use crate::graph::spec::Spec;
use crate::rules::Points;
use crate::text::quote;

/// Maximum side of a square board that every engine is expected to accept with `boardsize`.
const COMMON: usize = 25;

/// Reason why a command has no useful answer.
pub(super) enum Failure {
    /// The engine has ended or stopped responding.
    Gone(Fault),
    /// The engine answered with a failure.
    Refused(String),
}

/// One of the two engines.
pub(super) struct Player<'p> {
    plan: &'p Plan,
    side: Side,
    /// `None` before the first game and after a fault.
    running: Option<Running>,
}

struct Running {
    process: Process,
    about: About,
    listed: HashSet<String>,
    /// True if the engine's graph was compared with the referee's.
    compared: bool,
}

impl<'p> Player<'p> {
    /// Returns a player whose engine starts with the first game.
    pub(super) fn new(plan: &'p Plan, side: Side) -> Player<'p> {
        Player {
            plan,
            side,
            running: None,
        }
    }

    /// Returns the engine's name and version.
    pub(super) fn about(&self) -> About {
        let running = self.running.as_ref();
        running.map_or_else(About::default, |running| running.about.clone())
    }

    /// Returns true if the engine lists this command.
    pub(super) fn lists(&self, command: &str) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| running.listed.contains(command))
    }

    /// Sets up the next game. Starts a new process if there is none or the old one fails.
    pub(super) fn prepare(&mut self, komi: Points) -> Result<(), MatchError> {
        if let Some(running) = &mut self.running
            && running.set_up(self.plan, komi).is_ok()
        {
            return Ok(());
        }
        self.running = None;
        let command = self.plan.commands.of(self.side);
        let process = Process::start(command, self.plan.timeout);
        let process = process.map_err(|problem| MatchError::Start {
            side: self.side,
            command: command.to_string(),
            problem,
        })?;
        let ready = Running::new(process).and_then(|mut running| {
            running.set_up(self.plan, komi)?;
            Ok(running)
        });
        self.running = Some(ready.map_err(|problem| MatchError::Setup {
            side: self.side,
            command: command.to_string(),
            problem,
        })?);
        Ok(())
    }

    /// Sends a command and waits for the answer.
    pub(super) fn ask(&mut self, command: &str) -> Result<String, Failure> {
        let Some(running) = &mut self.running else {
            return Err(Failure::Gone(Fault::Ended(String::new())));
        };
        match running.process.ask(command) {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(text)) => Err(Failure::Refused(text)),
            Err(fault) => {
                self.running = None;
                Err(Failure::Gone(fault))
            }
        }
    }

    /// Sends a move to the engine.
    pub(super) fn play(&mut self, color: Color, mv: &str) -> Result<(), Failure> {
        self.ask(&format!("play {} {mv}", letter(color))).map(drop)
    }

    /// Requests a move from the engine.
    pub(super) fn genmove(&mut self, color: Color) -> Result<String, Failure> {
        self.ask(&format!("genmove {}", letter(color)))
    }

    /// Sends the remaining time to the engine, if it lists `time_left`.
    pub(super) fn time_left(&mut self, color: Color, left: &str) -> Result<(), Failure> {
        if !self.lists("time_left") {
            return Ok(());
        }
        match self.ask(&format!("time_left {} {left}", letter(color))) {
            // An engine that refuses the command uses its own clock.
            Ok(_) | Err(Failure::Refused(_)) => Ok(()),
            Err(gone) => Err(gone),
        }
    }
}

/// Returns the color in GTP notation.
pub(super) fn letter(color: Color) -> char {
    if color == Color::BLACK { 'b' } else { 'w' }
}

impl Running {
    fn new(mut process: Process) -> Result<Running, String> {
        let mut optional = |command: &str| -> Result<Answer, String> {
            let answer = process.ask(command);
            answer.map_err(|fault| format!("{fault} after the command '{command}'"))
        };
        let line = |answer: Answer| quote(answer.unwrap_or_default().trim());
        let about = About {
            name: line(optional("name")?),
            version: line(optional("version")?),
        };
        let commands = optional("list_commands")?.unwrap_or_default();
        Ok(Running {
            process,
            about,
            listed: commands.split_whitespace().map(str::to_owned).collect(),
            compared: false,
        })
    }

    /// Sends a command that must succeed.
    fn demand(&mut self, command: &str) -> Result<String, String> {
        match self.process.ask(command) {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(text)) => Err(format!("refuses '{}': {}", quote(command), quote(&text))),
            Err(fault) => Err(format!("{fault} after the command '{}'", quote(command))),
        }
    }

    fn lists(&self, command: &str) -> bool {
        self.listed.contains(command)
    }

    /// Sets board, rules, komi, clock, and handicap of a new game.
    fn set_up(&mut self, plan: &Plan, komi: Points) -> Result<(), String> {
        self.set_board(plan)?;
        if plan.settings.ruleset_told && self.lists("set_ruleset") {
            self.demand(&format!("set_ruleset {}", plan.settings.ruleset))?;
        }
        self.demand("clear_board")?;
        self.demand(&format!("komi {komi}"))?;
        if let Some(time) = plan.time
            && self.lists("time_settings")
        {
            let (main, period, stones) = (time.main, time.period, time.stones);
            self.demand(&format!("time_settings {main} {period} {stones}"))?;
        }
        if !plan.handicap.is_empty() {
            let names = &plan.goban.names;
            let places: Vec<String> = plan.handicap.iter().map(|&v| names.alias(v)).collect();
            self.demand(&format!("set_free_handicap {}", places.join(" ")))?;
        }
        Ok(())
    }

    fn set_board(&mut self, plan: &Plan) -> Result<(), String> {
        let any = self.lists("set_graph");
        match plan.goban.rectangle {
            Some((w, h)) if w == h && (w <= COMMON || !any) => {
                self.demand(&format!("boardsize {w}"))?;
            }
            Some((w, h)) if w.max(h) <= COMMON && self.lists("rectangular_boardsize") => {
                self.demand(&format!("rectangular_boardsize {w} {h}"))?;
            }
            _ if any => return self.set_graph(plan),
            _ => {
                let spec = quote(&plan.settings.graph);
                return Err(format!("cannot play on {spec}: it does not list set_graph"));
            }
        }
        self.compare(plan)
    }

    /// Sets a board that is not a plain grid, unless the engine already has it.
    fn set_graph(&mut self, plan: &Plan) -> Result<(), String> {
        let spec = &plan.settings.graph;
        if self.lists("get_graph") && self.demand("get_graph")? == *spec {
            return Ok(());
        }
        self.demand(&format!("set_graph {spec}")).map(drop)
    }

    /// Checks that the engine plays on the same graph. An engine with another graph of the same
    /// advertised size would keep it at `boardsize`.
    fn compare(&mut self, plan: &Plan) -> Result<(), String> {
        if self.compared || !self.lists("get_graph") {
            return Ok(());
        }
        self.compared = true;
        let text = self.demand("get_graph")?;
        if text.contains("file:") {
            return Ok(());
        }
        let found = text.parse::<Spec>().ok().and_then(|spec| spec.build().ok());
        match found {
            Some(goban) if goban.graph != plan.goban.graph => Err(format!(
                "plays on {}, expected {}",
                quote(&text),
                quote(&plan.settings.graph)
            )),
            _ => Ok(()),
        }
    }
}
