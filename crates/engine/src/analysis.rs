//! Analyses: searches that report intermediate results, with estimates for each move and the
//! ownership of each vertex.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::figures::{Figures, shrink_toward_expected};
use super::point_map::PointMap;
use super::time::{end_after_search, seconds};
use super::{Choice, Engine};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::rules::End;
use omnigo_graph::goban::Goban;
use omnigo_search::{
    Candidate, Limits, MAX_JUDGE_TIME, Ownership, Restriction, SearchRequest, SearchResult, Watch,
};

/// Request for an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisRequest {
    /// Player to move. All values are from the view of this color.
    pub color: Color,
    /// Moves that the search excludes.
    pub restrictions: Vec<Restriction>,
    /// Time between reports, at least 10 ms. `None` reports only the final result.
    pub interval: Option<Duration>,
    /// If true, the analysis runs until [`Engine::stop_signal`] is set. If false, it ends like a
    /// search for a move.
    pub endless: bool,
    /// True if [`Analysis::ownership`] will be used.
    pub ownership: bool,
    /// True if [`Analysis::ownership_after`] will be used at the end.
    pub moves_ownership: bool,
    /// Maximum number of playouts. It replaces the limits of the options and the clock.
    pub playouts: Option<u64>,
    /// Maximum seconds, used only together with `playouts`.
    pub seconds: Option<f64>,
}

impl AnalysisRequest {
    /// Returns a request limited by the options and the clock, without intermediate reports.
    pub fn for_color(color: Color) -> AnalysisRequest {
        AnalysisRequest {
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

/// Current result of an analysis.
pub struct Analysis<'a> {
    /// Result of the search.
    pub result: &'a SearchResult,
    /// The board.
    pub goban: &'a Goban,
    /// Color of the request.
    pub color: Color,
    point_map: &'a PointMap,
    /// Ownership from separate playouts, for positions where the search's own playouts are
    /// unreliable.
    sampled: Option<&'a Ownership>,
    /// Owners of a finished game.
    settled: Option<&'a Ownership>,
    /// Ownership after each of the best moves.
    after: &'a [(Move, Ownership)],
}

/// Ownership of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Owned {
    /// Mean ownership, from 1 (always owned by the request's color) to -1 (always owned by another
    /// color).
    pub mean: f64,
    /// Standard deviation between playouts.
    pub deviation: f64,
}

/// Move in an analysis report.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The move.
    pub mv: Move,
    /// Estimates for the move.
    pub figures: Figures,
    /// Prior of the move, 0…1.
    pub prior: f64,
    /// Principal variation with visits. It starts with the move itself.
    pub variation: &'a [(Move, u32)],
}

/// Minimum number of visits of a listed move in a long search. Moves below it are unreliable; they
/// are listed only to reach the minimum number of moves.
const MIN_VISITS: u32 = 10;
/// In a short search, a move is listed from 1/8 of the visits of the most visited move. Clients
/// with fast analyses, such as KaTrain with 25 visits, would see one move otherwise.
const SHORT_SEARCH_RATIO: u32 = 8;
/// Maximum ratio of visits: the most visited move may have at most 200 times the visits of a listed
/// move.
const MAX_VISIT_RATIO: u32 = 200;
/// Minimum number of playouts for a move's own score estimate. Visits kept from earlier searches
/// add no playouts, so a move can have fewer. Below it, the score of the position is used.
const MIN_SAMPLES: u32 = 8;

impl<'a> Analysis<'a> {
    /// Returns the estimates for the position.
    pub fn root(&self) -> Figures {
        let result = self.result;
        Figures::new(result.visits, result.winrate, result.lead)
    }

    /// Returns up to `most` moves, best first: the first `least`, but at least one, then those with
    /// enough visits.
    pub fn moves(&self, least: usize, most: usize) -> Vec<Listed<'a>> {
        let candidates = &self.result.candidates;
        let top = candidates.iter().map(|c| c.visits).max().unwrap_or(0);
        let least_visits = MIN_VISITS.min(top.div_ceil(SHORT_SEARCH_RATIO)).max(1);
        let has_enough_visits = |visits: u32| {
            visits >= least_visits && u64::from(visits) * u64::from(MAX_VISIT_RATIO) >= top.into()
        };
        let first = candidates.iter().enumerate().take(most);
        let listed = first.filter(|(order, candidate)| {
            *order < least.max(1) || has_enough_visits(candidate.visits)
        });
        let variations = &self.result.variations;
        listed
            .map(|(order, candidate)| Listed {
                mv: candidate.mv,
                figures: self.figures_of(candidate),
                prior: candidate.prior,
                variation: variations.get(order).map_or(&[], |v| v.as_slice()),
            })
            .collect()
    }

    /// Returns the moves that [`Analysis::moves`] lists, or a pass if there is none. Then the game
    /// is over, or no placement is legal.
    pub fn moves_or_pass(&self, least: usize, most: usize) -> Vec<Listed<'a>> {
        let mut moves = self.moves(least, most);
        if moves.is_empty() {
            moves.push(Listed {
                mv: Move::Pass,
                figures: self.root(),
                prior: 1.0,
                variation: &[],
            });
        }
        moves
    }

    /// Returns the estimates for a move. A move without visits shows the position's values.
    fn figures_of(&self, candidate: &Candidate) -> Figures {
        if candidate.visits == 0 {
            return Figures {
                visits: 0,
                lcb: 0.0,
                ..self.root()
            };
        }
        let position = self.result.lead;
        let own = candidate.lead;
        let own = own.filter(|lead| lead.samples >= MIN_SAMPLES.min(candidate.visits));
        let edge = candidate.winrate - self.result.winrate;
        let own = own.map(|own| shrink_toward_expected(own, position, edge));
        Figures::new(candidate.visits, candidate.winrate, own.or(position))
    }

    /// Returns the ownership of each vertex at the end of playouts, in index order. A network that
    /// guides the search contributes its estimate. In a finished game, chains count as they are
    /// judged, so a seki stays.
    ///
    /// On a go-space (`docs/rules.md`, Go-spaces), a stone gets the mean of the points it covers.
    pub fn ownership(&self) -> Vec<Owned> {
        let own = &self.result.ownership;
        // If a pass is best, all other moves are mistakes, which distort ownership from the
        // search's playouts.
        let passes = self.result.best().is_none_or(|best| best.mv == Move::Pass);
        let sampled = self.sampled.filter(|_| passes || own.samples() == 0);
        self.owned(self.settled.or(sampled).unwrap_or(own))
    }

    /// Returns the ownership of each vertex after a move. `None` during the search, if it was not
    /// requested, or if `mv` was not sampled.
    pub fn ownership_after(&self, mv: Move) -> Option<Vec<Owned>> {
        let found = self.after.iter().find(|(after, _)| *after == mv);
        found.map(|(_, ownership)| self.owned(ownership))
    }

    /// Returns the mean and the deviation of the ownership of each vertex, in index order.
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
            .map(|vertex| match self.point_map {
                // The game has the board's points; a stone covers several.
                PointMap::Same => of_points(&self.goban.covered(vertex)),
                // Each placement is one point of the game.
                PointMap::Placements(_) => of_points(&[vertex]),
            })
            .collect()
    }
}

/// Playouts for the position's ownership may take 1/4 of the time limit before the search, those
/// for single moves another 1/4 after it.
const OWNERSHIP_TIME_DIVISOR: u32 = 4;
/// Number of separate playouts for the ownership of a position.
const SAMPLES: usize = 64;
/// Boards up to this many points always get separate ownership playouts.
const SAMPLED_BOARD: usize = 64;
/// Maximum number of moves whose ownership is sampled.
const MOVES_SAMPLED: usize = 32;
/// Minimum time between two reports, because users cannot read faster.
const MIN_INTERVAL: Duration = Duration::from_millis(10);
/// Polling interval of a finished endless analysis.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

impl Engine {
    /// Runs an analysis. Calls `report` with `false` at every interval, and with `true` at the end.
    pub fn analyze(
        &mut self,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) {
        self.watched(Instant::now(), request, report, false);
    }

    /// Returns the limits of an analysis or a move.
    pub(super) fn limits_for(&self, request: &AnalysisRequest) -> Limits {
        match (request.endless, request.playouts) {
            (true, playouts) => Limits {
                playouts,
                ..Limits::default()
            },
            (false, playouts @ Some(_)) => Limits {
                playouts,
                time: request.seconds.map(seconds),
                ..Limits::default()
            },
            (false, None) => self.limits(request.color),
        }
    }

    /// Runs an analysis whose time begins at `start`, and decides on a move if `decides` is true.
    /// Without a decision, the search answers a stop sooner.
    fn watched(
        &mut self,
        start: Instant,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
        decides: bool,
    ) -> Option<Choice> {
        let mut limits = self.limits_for(request);
        // Separate playouts for ownership are part of the time for a move.
        let given = limits.time.filter(|_| decides);
        if request.moves_ownership && given.is_some() {
            let part = |time: Duration| time - time / OWNERSHIP_TIME_DIVISOR;
            limits.time = limits.time.map(part);
            limits.longest = limits.longest.map(part);
        }
        let search_request = SearchRequest {
            to_move: request.color,
            limits,
            start,
            restrictions: &request.restrictions,
            noise: None,
            analyzes: !decides,
            ponders: false,
            // A pure analysis reports true values, without dynamic komi.
            dynamic_komi: decides && self.options.dynamic_komi,
            // If restrictions leave one move, search it anyway, so that the report has values.
            ends_early: decides && request.restrictions.is_empty(),
        };
        let ownership_by = match limits.time {
            Some(time) => start + time / OWNERSHIP_TIME_DIVISOR,
            None => Instant::now() + MAX_JUDGE_TIME,
        };
        let settled = match request.ownership {
            true => self.game.settled_ownership(ownership_by),
            false => None,
        };
        let needs_samples = request.ownership && settled.is_none() && self.needs_samples();
        let sampled = needs_samples.then(|| self.game.sample(SAMPLES, ownership_by));
        let (goban, point_map) = (&self.goban, &self.point_map);
        let mut tell = |result: &SearchResult, after: &[(Move, Ownership)], last: bool| {
            let analysis = Analysis {
                result,
                goban,
                color: request.color,
                point_map,
                sampled: sampled.as_ref(),
                settled: settled.as_ref(),
                after,
            };
            report(&analysis, last);
        };
        let mut report_so_far = |result: &SearchResult| tell(result, &[], false);
        let every = request.interval.map(|interval| interval.max(MIN_INTERVAL));
        let watch = every.map(|interval| Watch {
            interval,
            report: &mut report_so_far,
        });
        let choice_settings = self.choice_settings();
        let (choice, result) = if decides {
            let decision = self
                .game
                .think(search_request, &self.stop, choice_settings, watch);
            (Some(decision.choice), decision.result)
        } else {
            let mut result = self.game.study(search_request, &self.stop, watch);
            if !request.endless {
                let by = Instant::now() + MAX_JUDGE_TIME;
                self.game
                    .list_best_pass_first(request.color, &mut result, by);
            }
            (None, result)
        };
        if request.endless {
            // The search is finished, but the client decides when the analysis ends.
            self.repeat_until_stopped(every, || tell(&result, &[], false));
        }
        let after_by = match given {
            Some(time) => Some(end_after_search(start, time)),
            None => request.endless.then(|| Instant::now() + MAX_JUDGE_TIME),
        };
        let after = match request.moves_ownership {
            true => self.sample_candidates(request, &result, after_by),
            false => Vec::new(),
        };
        tell(&result, &after, true);
        choice
    }

    /// Calls `report` at every interval, or never if it is `None`, until the engine is stopped.
    fn repeat_until_stopped(&self, interval: Option<Duration>, mut report: impl FnMut()) {
        let mut next = Instant::now();
        while !self.stop.load(Ordering::Acquire) {
            if let Some(interval) = interval.filter(|_| Instant::now() >= next) {
                report();
                next += interval;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Returns true if ownership needs playouts of its own, because those of a search are
    /// unreliable. On a half-full board a pass can be best. On a small board the tree can contain
    /// every game, and the search may run no playouts.
    fn needs_samples(&self) -> bool {
        let position = self.game.position();
        let empty = position.iter().filter(|point| point.is_none()).count();
        empty * 2 <= position.len()
            || position.len() <= SAMPLED_BOARD
            || self.game.rules().end == End::Stuck
    }

    /// Samples the ownership after each of the best candidates, until `by` or until a limited
    /// analysis is stopped. The client of an endless analysis has stopped it already, and waits for
    /// the ownership.
    fn sample_candidates(
        &self,
        request: &AnalysisRequest,
        result: &SearchResult,
        by: Option<Instant>,
    ) -> Vec<(Move, Ownership)> {
        let is_stopped = || !request.endless && self.stop.load(Ordering::Acquire);
        let candidates = result.candidates.iter();
        candidates
            .filter(|candidate| candidate.visits > 0)
            .take(MOVES_SAMPLED)
            .take_while(|_| !is_stopped() && by.is_none_or(|by| Instant::now() < by))
            .filter_map(|&Candidate { mv, .. }| {
                let by = by.unwrap_or_else(|| Instant::now() + MAX_JUDGE_TIME);
                let ownership = self.game.sample_after(request.color, mv, SAMPLES, by)?;
                Some((mv, ownership))
            })
            .collect()
    }

    /// Runs an analysis and decides on a move. Reports as [`Engine::analyze`] does.
    pub fn choose_watched(
        &mut self,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let choice = self.watched(Instant::now(), request, report, true);
        choice.unwrap_or(Choice::Move(Move::Pass))
    }

    /// Chooses and plays a move as [`Engine::genmove`] does. Reports as [`Engine::analyze`] does.
    pub fn genmove_watched(
        &mut self,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        self.genmove_since(Instant::now(), request, report)
    }

    /// Like [`Engine::genmove_watched`], for a move whose time begins at `start`.
    pub(super) fn genmove_since(
        &mut self,
        start: Instant,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let choice = self.watched(start, request, report, true);
        self.make(
            request.color,
            choice.unwrap_or(Choice::Move(Move::Pass)),
            start,
        )
    }
}
