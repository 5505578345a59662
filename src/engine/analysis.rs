//! Searches that somebody watches.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::folding::Folding;
use super::time::seconds;
use super::{Choice, Engine};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::rules::End;
use crate::search::{Candidate, Lead, Limits, Ownership, Question, Restriction, Verdict, Watch};
use crate::vertex::{Move, Vertex};

/// What an analysis is asked.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Whose move is looked for; all figures are as this color sees them.
    pub color: Color,
    /// Moves that are left out.
    pub restrictions: Vec<Restriction>,
    /// Time between reports, a hundredth of a second at least; without one there is only the last.
    pub interval: Option<Duration>,
    /// Whether it goes on until [`Engine::stop_signal`] is raised, or ends as a search for a move does.
    pub endless: bool,
    /// Whether [`Analysis::ownership`] will be asked for.
    pub ownership: bool,
    /// Whether [`Analysis::ownership_after`] will be asked for, at the end.
    pub moves_ownership: bool,
    /// Most playouts, instead of what the options and the clock say.
    pub playouts: Option<u64>,
    /// Most seconds beside these playouts.
    pub seconds: Option<f64>,
}

impl Inquiry {
    /// Within the options and the clock, without reports.
    pub fn about(color: Color) -> Inquiry {
        Inquiry {
            color,
            restrictions: Vec::new(),
            interval: None,
            endless: false,
            ownership: false,
            moves_ownership: false,
            playouts: None,
            seconds: None,
        }
    }
}

/// What an analysis has found so far.
pub struct Analysis<'a> {
    /// What the search found.
    pub verdict: &'a Verdict,
    /// The board.
    pub goban: &'a Goban,
    /// Who asked.
    pub color: Color,
    folding: &'a Folding,
    /// Who owns what where the search's own playouts do not tell.
    sampled: Option<&'a Ownership>,
    /// Who owns what after moves that are told.
    after: &'a [(Move, Ownership)],
}

/// Who owns a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Owned {
    /// Mean: 1 where it is always the asking color's, -1 where it is always another's.
    pub mean: f64,
    /// Standard deviation between playouts.
    pub deviation: f64,
}

/// Figures about a position or a move, as the asking color sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Playouts behind them.
    pub visits: u32,
    /// Chance to win, 0…1.
    pub winrate: f64,
    /// What the chance to win is at least, with 95 % confidence in the playouts.
    pub lcb: f64,
    /// Points ahead at the end of playouts, komi included; 0 where nothing is counted.
    pub lead: f64,
    /// Standard deviation of that between playouts.
    pub deviation: f64,
}

/// A move worth telling.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The move.
    pub mv: Move,
    /// What is thought of it.
    pub figures: Figures,
    /// Its share of what was expected of all moves at first, 0…1.
    pub prior: f64,
    /// The expected moves with their visits; the first is the move itself.
    pub variation: &'a [(Move, u32)],
}

/// Moves of fewer visits say little: they are listed where nothing better is.
const FEW: u32 = 10;
/// So are those of less than one visit in so many of the best move's.
const RARE: u32 = 200;
/// Fewer playouts than this say little about the score; a move that has visits from earlier searches may have had fewer in this.
const LEAST_SAMPLES: u32 = 8;
/// Half the width of a confidence interval in standard errors.
const CONFIDENCE: f64 = 1.96;

impl Figures {
    fn new(visits: u32, winrate: f64, lead: Option<Lead>) -> Figures {
        let n = f64::from(visits.max(1));
        // The quarter over n keeps a run of wins from looking certain.
        let error = ((winrate * (1.0 - winrate) + 0.25 / n) / n).sqrt();
        let lead = lead.unwrap_or_default();
        Figures {
            visits,
            winrate,
            lcb: (winrate - CONFIDENCE * error).max(0.0),
            lead: lead.mean,
            deviation: lead.deviation,
        }
    }
}

impl<'a> Analysis<'a> {
    /// What is thought of the position.
    pub fn root(&self) -> Figures {
        Figures::new(self.verdict.visits, self.verdict.mean, self.verdict.lead)
    }

    /// The moves that have been looked at well enough, the best first; at least `least` and at most `most` where there are so
    /// many.
    pub fn moves(&self, least: usize, most: usize) -> Vec<Listed<'a>> {
        let candidates = &self.verdict.candidates;
        let top = candidates.iter().map(|c| c.visits).max().unwrap_or(0);
        let worth =
            |visits: u32| visits >= FEW && u64::from(visits) * u64::from(RARE) >= top.into();
        let root = self.root();
        let listed = candidates.iter().enumerate().filter(|(order, candidate)| {
            *order < most && (*order < least.max(1) || worth(candidate.visits))
        });
        let known = |candidate: &Candidate| {
            let own = candidate.lead;
            own.filter(|lead| lead.samples >= LEAST_SAMPLES.min(candidate.visits))
        };
        let figures = |candidate: &Candidate| match candidate.visits {
            0 => Figures {
                visits: 0,
                lcb: 0.0,
                ..root
            },
            visits => Figures::new(
                visits,
                candidate.mean,
                known(candidate).or(self.verdict.lead),
            ),
        };
        listed
            .map(|(order, candidate)| Listed {
                mv: candidate.mv,
                figures: figures(candidate),
                prior: candidate.prior,
                variation: self
                    .verdict
                    .variations
                    .get(order)
                    .map_or(&[], |v| v.as_slice()),
            })
            .collect()
    }

    /// Who owns each vertex at the end of playouts, and as a network judges it where one guides the search, in index order. The
    /// stones of a go-space own what they cover on average.
    pub fn ownership(&self) -> Vec<Owned> {
        let own = &self.verdict.ownership;
        // Where passing is best, the playouts of a search are those of its mistakes.
        let passes = self.verdict.best().is_none_or(|best| best.mv == Move::Pass);
        let sampled = self.sampled.filter(|_| passes || own.samples() == 0);
        self.owned(sampled.unwrap_or(own))
    }

    /// The same after a move; `None` where nobody asked for it, or a search is still under way.
    pub fn ownership_after(&self, mv: Move) -> Option<Vec<Owned>> {
        let found = self.after.iter().find(|(after, _)| *after == mv);
        found.map(|(_, ownership)| self.owned(ownership))
    }

    fn owned(&self, ownership: &Ownership) -> Vec<Owned> {
        let of_points = |points: &[Vertex]| {
            let count = points.len().max(1) as f64;
            let mine = points.iter().map(|&p| ownership.expected(p, self.color));
            let mine = mine.sum::<f64>() / count;
            let nobody = points.iter().map(|&p| ownership.nobody_expected(p));
            let nobody = nobody.sum::<f64>() / count;
            if ownership.samples() == 0 {
                return Owned::default();
            }
            let others = (1.0 - mine - nobody).max(0.0);
            let mean = mine - others;
            Owned {
                mean,
                deviation: (mine + others - mean * mean).max(0.0).sqrt(),
            }
        };
        self.goban
            .graph
            .all()
            .map(|vertex| match self.folding {
                Folding::Same => of_points(&self.goban.covered(vertex)),
                Folding::Placements(_) => of_points(&[vertex]),
            })
            .collect()
    }
}

/// Playouts that tell who owns what where a search's own do not.
const SAMPLES: usize = 64;
/// Boards of so many points are small.
const SMALL: usize = 64;
/// Moves after which that is found out at most.
const MOVES_SAMPLED: usize = 32;
/// Shortest time between two reports: more would be written than anybody reads.
const SHORTEST: Duration = Duration::from_millis(10);
/// How often an ended analysis looks whether it may answer.
const REST: Duration = Duration::from_millis(2);

impl Engine {
    /// Searches as it is asked to and tells `report` about it: at every interval, and at the end, with `true`.
    pub fn analyze(&mut self, inquiry: &Inquiry, report: &mut dyn FnMut(&Analysis<'_>, bool)) {
        self.watched(inquiry, report, false);
    }

    /// Searches, and decides on a move where that is wanted: a stop is answered sooner without.
    fn watched(
        &mut self,
        inquiry: &Inquiry,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
        decides: bool,
    ) -> Option<Choice> {
        let start = Instant::now();
        let limits = match (inquiry.endless, inquiry.playouts) {
            (true, playouts) => Limits {
                playouts,
                ..Limits::default()
            },
            (false, playouts @ Some(_)) => Limits {
                playouts,
                time: inquiry.seconds.map(seconds),
                ..Limits::default()
            },
            (false, None) => self.limits(inquiry.color),
        };
        let question = Question {
            to_move: inquiry.color,
            limits,
            start,
            restrictions: &inquiry.restrictions,
            noise: None,
            // Whoever looks on is told how things are.
            dynamic_komi: decides && self.options.dynamic_komi,
            ends_if_forced: decides,
        };
        // Where the board is half full a pass can be the best move, and then the search's own playouts mislead. On a small board
        // there may be none: its tree can hold every game.
        let position = self.table.position();
        let empty = position.iter().filter(|point| point.is_none()).count();
        let late = empty * 2 <= position.len()
            || position.len() <= SMALL
            || self.table.rules().end == End::Stuck;
        let sampled = (inquiry.ownership && late).then(|| self.table.sample(SAMPLES));
        let (goban, folding) = (&self.goban, &self.folding);
        let mut tell = |verdict: &Verdict, after: &[(Move, Ownership)], last: bool| {
            let analysis = Analysis {
                verdict,
                goban,
                color: inquiry.color,
                folding,
                sampled: sampled.as_ref(),
                after,
            };
            report(&analysis, last);
        };
        let mut report_so_far = |verdict: &Verdict| tell(verdict, &[], false);
        let every = inquiry.interval.map(|interval| interval.max(SHORTEST));
        let watch = every.map(|interval| Watch {
            interval,
            report: &mut report_so_far,
        });
        let manner = self.manner();
        let (choice, verdict) = if decides {
            let thought = self.table.think(question, &self.stop, manner, watch);
            (Some(thought.choice), thought.verdict)
        } else {
            (None, self.table.study(question, &self.stop, watch))
        };
        let mut next = Instant::now();
        while inquiry.endless && !self.stop.load(Ordering::Acquire) {
            // There is nothing more to find out, but whoever asked says when it is enough.
            if let Some(interval) = every.filter(|_| Instant::now() >= next) {
                tell(&verdict, &[], false);
                next += interval;
            }
            thread::sleep(REST);
        }
        let candidates = verdict.candidates.iter();
        let after: Vec<(Move, Ownership)> = candidates
            .filter(|candidate| inquiry.moves_ownership && candidate.visits > 0)
            .take(MOVES_SAMPLED)
            .filter_map(|&Candidate { mv, .. }| {
                let ownership = self.table.sample_after(inquiry.color, mv, SAMPLES)?;
                Some((mv, ownership))
            })
            .collect();
        tell(&verdict, &after, true);
        choice
    }

    /// Searches as it is asked to and decides on a move, while somebody watches.
    pub fn choose_watched(
        &mut self,
        inquiry: &Inquiry,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let choice = self.watched(inquiry, report, true);
        choice.unwrap_or(Choice::Move(Move::Pass))
    }

    /// Looks for a move as [`Engine::genmove`] does and plays it, while somebody watches.
    pub fn genmove_watched(
        &mut self,
        inquiry: &Inquiry,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let start = Instant::now();
        let choice = self.choose_watched(inquiry, report);
        self.make(inquiry.color, choice, start)
    }
}
