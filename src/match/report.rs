//! Report of a match: counts, progress, and a summary as text or JSON.

use std::collections::HashSet;
use std::fmt::{self, Display, Write as _};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::options::Settings;
use super::record::{About, Ending, GameLine};
use super::side::{PerSide, Side};
use super::statistics::{Score, Sprt, SprtDecision, elo_of_rate};
use crate::progress::Task;
use crate::system::tell;
use crate::text::counted;

/// Faults of one engine. Each fault except a late move lost a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Illegal moves and answers that are not moves.
    pub illegal: u64,
    /// Legal moves of the opponent that the engine refused.
    pub refused: u64,
    /// Unexpected ends of its process.
    pub crashes: u64,
    /// Missing answers.
    pub timeouts: u64,
    /// Games lost on time.
    pub lost_on_time: u64,
    /// Moves for which the engine exceeded its clock.
    pub late: u64,
}

/// Counts of the games of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchTotals {
    /// Score of the engine of `--black`.
    pub score: Score,
    /// Faults of each engine.
    pub faults: PerSide<Faults>,
    /// Names and versions of the engines in the latest game.
    pub engines: Option<PerSide<About>>,
    /// Games won by the engine with Black.
    black_wins: u64,
    /// Games without a fault that repeat the moves of an earlier game with the same colors and
    /// komi.
    pub duplicates: u64,
    seen: HashSet<u64>,
    asked: PerSide<u64>,
    seconds: PerSide<f64>,
    moves: u64,
}

impl MatchTotals {
    /// Counts a game.
    pub fn add(&mut self, game: &GameLine) {
        match game.winner {
            Some(Side::Black) => self.score.wins += 1,
            Some(Side::White) => self.score.losses += 1,
            None => self.score.draws += 1,
        }
        if game
            .winner
            .is_some_and(|side| (side == Side::Black) != game.swapped)
        {
            self.black_wins += 1;
        }
        let mut hasher = DefaultHasher::new();
        (game.content(), game.swapped).hash(&mut hasher);
        // A game that ended by a fault repeats none.
        if game.fault.is_none() && !self.seen.insert(hasher.finish()) {
            self.duplicates += 1;
        }
        if let Some(side) = game.fault {
            let faults = self.faults.of_mut(side);
            match game.ending {
                Ending::Illegal => faults.illegal += 1,
                Ending::Refused => faults.refused += 1,
                Ending::Crash => faults.crashes += 1,
                Ending::Timeout => faults.timeouts += 1,
                Ending::Time => faults.lost_on_time += 1,
                Ending::Passes | Ending::Stuck | Ending::Resignation | Ending::MoveLimit => {}
            }
        }
        for side in Side::ALL {
            self.faults.of_mut(side).late += u64::from(*game.late.of(side));
            *self.asked.of_mut(side) += u64::from(*game.asked.of(side));
            *self.seconds.of_mut(side) += game.seconds.of(side);
        }
        self.moves += game.moves.len() as u64;
        self.engines = Some(game.engines.clone());
    }

    /// Returns the average seconds per move of an engine, or `None` without moves.
    fn pace(&self, side: Side) -> Option<f64> {
        let asked = *self.asked.of(side);
        (asked > 0).then(|| self.seconds.of(side) / asked as f64)
    }
}

/// State of a sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    state: SprtDecision,
}

impl SprtReport {
    fn new(test: Sprt, score: &Score) -> SprtReport {
        SprtReport {
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: Sprt::ALPHA,
            beta: Sprt::ALPHA,
            llr: test.llr(score),
            lower: -Sprt::bound(),
            upper: Sprt::bound(),
            state: test.decision(score),
        }
    }
}

/// Summary of a match. `--json` prints it as an object; otherwise it is text.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'m> {
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// Fraction of the points.
    score: Option<f64>,
    score_interval: Option<(f64, f64)>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_interval: (Option<f64>, Option<f64>),
    los: f64,
    sprt: Option<SprtReport>,
    /// Number of games requested.
    planned: u32,
    illegal: u64,
    refused: u64,
    crashes: u64,
    timeouts: u64,
    lost_on_time: u64,
    late: u64,
    faults: PerSide<Faults>,
    duplicates: u64,
    black_wins: u64,
    moves_per_game: Option<f64>,
    seconds_per_move: PerSide<Option<f64>>,
    engines: Option<PerSide<About>>,
    settings: &'m Settings,
}

impl<'m> Summary<'m> {
    /// Returns the summary of these games.
    pub fn new(
        totals: &MatchTotals,
        sprt: Option<Sprt>,
        planned: u32,
        settings: &'m Settings,
    ) -> Self {
        let score = totals.score;
        let interval = score.rate_interval();
        let elo = |rate: f64| Some(elo_of_rate(rate)).filter(|elo| elo.is_finite());
        let sum =
            |count: fn(&Faults) -> u64| Side::ALL.iter().map(|&s| count(totals.faults.of(s))).sum();
        Summary {
            games: score.games(),
            wins: score.wins,
            losses: score.losses,
            draws: score.draws,
            score: score.rate(),
            score_interval: interval,
            elo: score.elo(),
            elo_error: score.elo_error(),
            elo_interval: (
                interval.and_then(|(low, _)| elo(low)),
                interval.and_then(|(_, high)| elo(high)),
            ),
            los: score.los(),
            sprt: sprt.map(|test| SprtReport::new(test, &score)),
            planned,
            illegal: sum(|f| f.illegal),
            refused: sum(|f| f.refused),
            crashes: sum(|f| f.crashes),
            timeouts: sum(|f| f.timeouts),
            lost_on_time: sum(|f| f.lost_on_time),
            late: sum(|f| f.late),
            faults: totals.faults,
            duplicates: totals.duplicates,
            black_wins: totals.black_wins,
            moves_per_game: (score.games() > 0).then(|| totals.moves as f64 / score.games() as f64),
            seconds_per_move: PerSide::new(|side| totals.pace(side)),
            engines: totals.engines.clone(),
            settings,
        }
    }
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings;
        let name = |side: Side| {
            let known = self.engines.as_ref().map(|engines| engines.of(side).text());
            let known = known.filter(|name| !name.is_empty());
            known.map_or_else(|| side.to_string(), |name| format!("{name} ({side})"))
        };
        writeln!(
            f,
            "{} against {} on {}, {}, komi {}",
            name(Side::Black),
            name(Side::White),
            crate::text::quote(&settings.graph),
            settings.ruleset,
            settings.komi
        )?;
        let (wins, losses, draws) = (self.wins, self.losses, self.draws);
        write!(
            f,
            "{}: {wins} won, {losses} lost, {draws} drawn",
            counted(self.games, "game")
        )?;
        if let (Some(score), Some((low, high))) = (self.score, self.score_interval) {
            let percent = [score, low, high].map(|share| format!("{:.1}", 100.0 * share));
            let [score, low, high] = percent;
            write!(f, "; score {score} % (95 %: {low} to {high})")?;
        }
        write!(f, "\nElo {}", elo_text(self.elo, self.elo_error))?;
        if self.elo_error.is_none() && self.games > 0 {
            // If the normal interval of Elo is unbounded, use the interval of the score.
            let (low, high) = self.elo_interval;
            let end = |elo: Option<f64>| elo.map_or("?".to_owned(), |elo| format!("{elo:+.0}"));
            write!(f, " (95 %: {} to {})", end(low), end(high))?;
        }
        writeln!(f, ", LOS {:.1} %", 100.0 * self.los)?;
        if let Some(test) = &self.sprt {
            writeln!(
                f,
                "SPRT {} .. {}: {}",
                test.elo0,
                test.elo1,
                sprt_text(test)
            )?;
        }
        write!(
            f,
            "Black won {} of {}",
            self.black_wins,
            counted(wins + losses, "decided game")
        )?;
        if let Some(moves) = self.moves_per_game {
            write!(f, "; {moves:.0} moves per game")?;
        }
        if self.duplicates > 0 {
            write!(
                f,
                "; {} repeated an earlier game, so the true errors are larger",
                self.duplicates
            )?;
        }
        for side in Side::ALL {
            write!(f, "\n{side}:")?;
            if let Some(pace) = self.seconds_per_move.of(side) {
                write!(f, " {pace:.3} s per move;")?;
            }
            let faults = self.faults.of(side);
            let counts = [
                (faults.illegal, "illegal"),
                (faults.refused, "refused"),
                (faults.crashes, "crashes"),
                (faults.timeouts, "timeouts"),
                (faults.lost_on_time, "lost on time"),
                (faults.late, "late moves"),
            ];
            let counts: Vec<String> = counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{what} {count}"))
                .collect();
            let counts = if counts.is_empty() {
                "no faults".to_owned()
            } else {
                counts.join(", ")
            };
            write!(f, " {counts}")?;
        }
        Ok(())
    }
}

fn elo_text(elo: Option<f64>, error: Option<f64>) -> String {
    match (elo, error) {
        (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
        (Some(elo), None) => format!("{elo:+.1} ± ?"),
        (None, _) => "?".to_owned(),
    }
}

fn sprt_text(test: &SprtReport) -> String {
    let SprtReport {
        llr,
        lower,
        upper,
        state,
        ..
    } = test;
    format!("LLR {llr:.2} in ({lower:.2}, {upper:.2}), {}", state.name())
}

/// Progress on standard error: a bar on a terminal, or one line per game.
#[derive(Debug)]
pub struct Progress {
    planned: u32,
    sprt: Option<Sprt>,
    task: Task,
}

impl Progress {
    /// Returns the progress of a match of `planned` games.
    pub fn new(planned: u32, sprt: Option<Sprt>) -> Progress {
        Progress {
            planned,
            sprt,
            task: Task::of_steps(),
        }
    }

    /// Prints a text on its own line.
    pub fn say(&self, text: &str) {
        self.task.above(|| tell!("{text}"));
    }

    /// Prints a warning on its own line.
    pub fn warn(&self, text: impl Display) {
        self.task.above(|| tell::warn(text));
    }

    /// Reports a finished game that the totals already contain.
    pub fn game(&self, game: &GameLine, totals: &MatchTotals) {
        let mut text = format!(
            "game {}: {} by {}",
            game.game,
            game.result,
            game.ending.reason()
        );
        let _ = write!(
            text,
            ", {}, {:.1} s",
            counted(game.moves.len() as u64, "move"),
            game.total_seconds
        );
        if let Some(side) = game.fault {
            let _ = write!(text, ", fault of {side}");
        }
        if let Some(detail) = &game.detail {
            let _ = write!(text, " ({detail})");
        }
        if !self.task.is_shown() {
            let (games, counts) = (totals.score.games(), self.counts(totals));
            self.say(&format!("{text} | {games}/{}  {counts}", self.planned));
        } else if game.detail.is_some() {
            self.say(&text);
        }
        self.show(totals);
    }

    /// Shows the counts after the bar.
    pub fn show(&self, totals: &MatchTotals) {
        let games = usize::try_from(totals.score.games()).unwrap_or(usize::MAX);
        self.task.step(games, self.planned as usize);
        self.task.note(self.counts(totals));
    }

    /// Clears the bar, before the summary.
    pub fn end(&self) {
        self.task.end();
    }

    /// Returns wins, losses, and draws, with what follows from them.
    fn counts(&self, totals: &MatchTotals) -> String {
        let score = &totals.score;
        let (wins, losses, draws) = (score.wins, score.losses, score.draws);
        let mut text = format!("+{wins} -{losses} ={draws}");
        if let Some(rate) = score.rate() {
            let _ = write!(text, "  {:.1} %", 100.0 * rate);
        }
        let elo = elo_text(score.elo(), score.elo_error());
        let _ = write!(text, "  Elo {elo}  LOS {:.1} %", 100.0 * score.los());
        if let Some(test) = self.sprt {
            let _ = write!(text, "  {}", sprt_text(&SprtReport::new(test, score)));
        }
        text
    }
}
