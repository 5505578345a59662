//! Exact results about the engine's game.

use std::sync::Arc;
use std::time::Duration;

use super::any_game::TypedGame;
use super::point_map::PointMap;
use super::{Choice, Engine, NotOrdinary, SearchResult};
use omnigo_base::color::Color;
use omnigo_base::text::quote;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::{LifeError, Outcome};
use omnigo_core::rules::Ruleset;
use omnigo_exact::count::{Budget, Unfinished};
use omnigo_exact::{Answer, KomiParameter, Limits, Report, Unsolvable, Wish, famine};
use omnigo_graph::Graph;

/// Moves are proven on boards with at most this many points.
const EXACT_POINTS: usize = 10;
/// Limit for boards whose groups are not chains. There, the points include the edges of a graph.
const EXACT_LITERAL_POINTS: usize = 15;

impl<B: Board> TypedGame<B> {
    /// Returns the maximum number of points of a board on which moves are proven.
    pub(super) fn exact_points(&self) -> usize {
        if self.game.board().has_chains() {
            EXACT_POINTS
        } else {
            EXACT_LITERAL_POINTS
        }
    }
}

impl Engine {
    /// Returns the value of the current position, including its history, with the moves that `wish`
    /// requests. `time` and the memory option limit the search. `report` receives the bounds proven
    /// so far.
    ///
    /// # Errors
    /// If the position has no value that could be computed.
    pub fn solve(
        &self,
        time: Option<Duration>,
        wish: Wish,
        report: Option<Report<'_>>,
    ) -> Result<Answer, Unsolvable> {
        let limits = self.exact_limits(time, report);
        self.game.solve(self.game.to_move(), &limits, wish)
    }

    /// Returns the value of the current position and the moves of `color` that keep it. `None` if a
    /// search of `nodes` situations does not prove the value.
    ///
    /// # Errors
    /// If the position has no value that could be computed.
    pub fn keepers(
        &self,
        color: Color,
        nodes: u64,
    ) -> Result<Option<(Outcome, Vec<Move>)>, Unsolvable> {
        let limits = Limits {
            nodes: Some(nodes),
            ..self.exact_limits(None, None)
        };
        self.game.keepers(color, &limits)
    }

    /// Sets whether proven values overrule the search on small boards, which is the default. A new
    /// board or ruleset keeps the setting.
    pub fn set_exact(&mut self, exact: bool) {
        self.exact = exact;
        self.game.set_exact(exact);
    }

    /// Returns the komi parameter of the board. It does not depend on the current rules and
    /// position.
    ///
    /// # Errors
    /// If the famine rules cannot be played on the board, or it is too large.
    pub fn komi_parameter(&self, time: Option<Duration>) -> Result<KomiParameter, Unsolvable> {
        self.komi_parameter_watched(&famine()?, time, &|_| {})
    }

    /// Computes the komi parameter under a variant of the famine rules. Calls `watch` with each new
    /// bound.
    ///
    /// # Errors
    /// As for [`Engine::komi_parameter`], or if the komi parameter is not defined under `rules`.
    pub fn komi_parameter_watched(
        &self,
        rules: &Ruleset,
        time: Option<Duration>,
        watch: &(dyn Fn(&KomiParameter) + Sync),
    ) -> Result<KomiParameter, Unsolvable> {
        if let (Some(_), PointMap::Same) = (self.goban.space(), &self.point_map) {
            let reason =
                "the komi parameter is defined on graphs, not on go-spaces: it needs paid passes";
            return Err(Unsolvable::Rules(reason.to_owned()));
        }
        let limits = self.exact_limits(time, None);
        self.game.komi_parameter(rules, &limits, watch)
    }

    fn exact_limits<'a>(
        &'a self,
        time: Option<Duration>,
        report: Option<Report<'a>>,
    ) -> Limits<'a> {
        Limits {
            time,
            nodes: None,
            memory: self.options.memory_mib.saturating_mul(1 << 20),
            stop: &self.stop,
            report,
        }
    }

    /// Returns the chains of `color` that cannot be captured even if it always passes, each as a
    /// list of stones.
    ///
    /// # Errors
    /// If stones do not live by adjacent empty vertices, or a stone has no liberty.
    pub fn unconditional_life(&self, color: Color) -> Result<Vec<Vec<Vertex>>, LifeError> {
        Ok(self.game.unconditional_life(color)?.chains)
    }

    /// Returns the number of legal sequences of exactly `depth` turns from the current position.
    ///
    /// # Errors
    /// If the budget is spent first.
    pub fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished> {
        self.game.perft(depth, budget)
    }

    /// Returns the graph of a board for ordinary Go: stones occupy single vertices and live by
    /// adjacent empty ones.
    ///
    /// # Errors
    /// If the board is of another kind.
    pub fn ordinary_graph(&self) -> Result<&Arc<Graph>, NotOrdinary> {
        self.goban
            .ordinary_graph()
            .ok_or_else(|| NotOrdinary::new(&self.goban))
    }

    /// Explains in one line why unconditional life is undefined here, with the names of this board.
    pub fn life_problem(&self, error: LifeError) -> String {
        match error {
            LifeError::NoLiberties => {
                let board = quote(&self.goban.spec.to_string());
                format!("{error}, not {board}")
            }
            LifeError::StoneWithoutLiberty(stone) => {
                format!("at {}: {error}", self.goban.names.alias(stone))
            }
        }
    }
}

/// Returns the search's choice if it keeps the proven value, otherwise the best move of the search
/// that does.
pub(super) fn perfect(
    choice: Choice,
    color: Color,
    value: Outcome,
    moves: &[Move],
    result: &SearchResult,
) -> Choice {
    match choice {
        Choice::Move(mv) if moves.contains(&mv) => choice,
        Choice::Resign if value.winner().is_some_and(|winner| winner != color) => choice,
        Choice::Move(_) | Choice::Resign => {
            let visited = result.candidates.iter().map(|candidate| candidate.mv);
            let best = visited
                .chain(moves.iter().copied())
                .find(|mv| moves.contains(mv));
            best.map_or(choice, Choice::Move)
        }
    }
}
