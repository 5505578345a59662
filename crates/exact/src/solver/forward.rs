//! Forward proofs for a game: tries goals one after the other, with each player as the holder.

use super::{FEW_POINTS, Interval, Solver};
use crate::dfpn::{
    Aim, MOST_POINTS, Means, NO_POINT, ProofResult, Prover, SmallGraph, State, stone_sets,
};
use crate::limits::Stopped;
use crate::solver_rules::{CounterUse, ScoredPosition, SolverRules};
use crate::symmetry::maps;
use omnigo_base::color::Color;
use omnigo_base::hash::FastSet;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;
use omnigo_core::rules::{End, Ko, Passing, Scoring, Suicide};
use omnigo_core::system::cores;

/// Forward proofs, and their results so far.
pub(super) struct Forward {
    prover: Prover,
    area: bool,
    suicide: bool,
    superko: bool,
    scored_position: ScoredPosition,
    /// By color: the least goal known to be unprovable from `root`.
    hopeless: [i32; 2],
    /// By color: the greatest goal proved from `root`.
    reached: [Option<i32>; 2],
    /// The position and player to which these results belong.
    root: Option<(Vec<Option<Color>>, Color)>,
}

/// Number of nodes per goal in the first round.
pub(super) const FIRST: u64 = 1 << 13;
/// Number of nodes to find a proof again that a line needs.
const AGAIN: u64 = 1 << 18;
/// Maximum number of moves in a line.
pub(super) const MOST_TURNS: usize = 400;

impl Forward {
    /// Creates the searches of a game. Returns `None` if forward proofs do not support its rules or
    /// board.
    pub(super) fn of<B: BareBoard>(
        game: &Game<B>,
        solver_rules: &SolverRules,
        scored_position: ScoredPosition,
        memory: usize,
    ) -> Option<Forward> {
        let (board, rules) = (game.board(), game.rules());
        let points = board.points();
        let plain = match solver_rules.counters {
            CounterUse::Unused => board.has_chains() && board.placements() == points,
            CounterUse::Passes | CounterUse::Points => false,
        };
        let ends = match (rules.passing, rules.end) {
            (Passing::Free, End::Passes) => true,
            (Passing::Free | Passing::Never | Passing::Prisoners, _) => false,
        };
        let area = match rules.scoring {
            Scoring::Area => true,
            Scoring::Stones => false,
            Scoring::Territory | Scoring::None => return None,
        };
        let ones = (0..points).all(|i| board.weight(Vertex::at(i)) == 1);
        if !plain || !ends || !ones || points > MOST_POINTS {
            return None;
        }
        let graph = SmallGraph::of(board, &maps(board))?;
        // The number of all positions bounds the table size.
        let bytes = 3usize.saturating_pow(points as u32).saturating_mul(64);
        Some(Forward {
            prover: Prover::new(graph, bytes.min(memory / 4))?,
            area,
            suicide: rules.suicide == Suicide::Allowed,
            superko: match rules.ko {
                Ko::Positional | Ko::Situational => true,
                Ko::Simple => false,
            },
            scored_position,
            hopeless: [i32::MAX; 2],
            reached: [None; 2],
            root: None,
        })
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.prover.bytes()
    }

    /// Returns the aim of a holder that tries to reach `goal`, counted from its side. Returns
    /// `None` if the agreement on dead stones does not allow it.
    fn aim(&self, holder: Color, goal: i32) -> Option<Aim> {
        let worst = match self.scored_position {
            ScoredPosition::Stands => false,
            ScoredPosition::Worst(color) if color == holder => true,
            ScoredPosition::Worst(_) => return None,
        };
        Some(Aim {
            goal,
            area: self.area,
            suicide: self.suicide,
            endless: self.suicide && !self.superko,
            worst,
        })
    }
}

/// Converts a position to a state with the given holder.
fn state_of(position: &[Option<Color>], holder: Color, to_move: Color) -> State {
    let stones = stone_sets(position);
    State {
        holder: stones[holder.index()],
        other: stones[holder.other().index()],
        turn: to_move == holder,
        ko: NO_POINT,
    }
}

impl<B: BareBoard> Solver<'_, B> {
    /// Prepares forward proofs for this game if the board has more than [`FEW_POINTS`] points.
    /// Smaller boards do not need them.
    pub(super) fn ready_forward(&mut self, game: &Game<B>) {
        if self.forward.is_none() && game.board().points() > FEW_POINTS {
            self.force_forward(game);
        }
    }

    /// Prepares forward proofs on a board of any size.
    pub(super) fn force_forward(&mut self, game: &Game<B>) {
        let memory = self.meter.memory();
        self.forward = Forward::of(game, &self.solver_rules, self.scored_position, memory);
    }

    /// Tries to narrow the interval by forward proofs with `budget` nodes per goal. The first goal
    /// is the largest possible, then bisection follows.
    pub(super) fn step_forward(
        &mut self,
        game: &Game<B>,
        color: Color,
        budget: u64,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        let Some(forward) = self.forward.as_mut().filter(|_| !Self::is_unsettled(game)) else {
            return Ok(());
        };
        let root = Some((game.board().position(), color));
        if forward.root != root {
            (forward.root, forward.hopeless, forward.reached) = (root, [i32::MAX; 2], [None; 2]);
        }
        for holder in [Color::BLACK, Color::WHITE] {
            let sign = if holder == Color::BLACK { 1 } else { -1 };
            let bound = |interval: &Interval, own: bool| {
                let value = if own == (sign == 1) {
                    interval.0
                } else {
                    interval.1
                };
                (value * sign) as i32
            };
            // In this round, goals up to `low` are reached and those from `high` on are not.
            let mut high = bound(interval, false).saturating_add(1);
            let mut first = true;
            loop {
                let low = bound(interval, true);
                let hopeless = self
                    .forward
                    .as_ref()
                    .map_or(i32::MAX, |forward| forward.hopeless[holder.index()]);
                high = high.min(hopeless);
                if low + 1 >= high {
                    break;
                }
                let goal = if first {
                    high - 1
                } else {
                    low + (high - low) / 2
                };
                first = false;
                match self.try_goal(game, color, holder, goal, budget)? {
                    ProofResult::Proved => {
                        if holder == Color::BLACK {
                            interval.0 = interval.0.max(i64::from(goal));
                        } else {
                            interval.1 = interval.1.min(-i64::from(goal));
                        }
                        self.report(*interval);
                    }
                    ProofResult::Unprovable => {
                        if let Some(forward) = &mut self.forward {
                            forward.hopeless[holder.index()] = goal;
                        }
                        high = goal;
                    }
                    ProofResult::Open => high = goal,
                }
            }
        }
        Ok(())
    }

    /// Decides whether `holder` reaches `goal`, counted from its side.
    fn try_goal(
        &mut self,
        game: &Game<B>,
        color: Color,
        holder: Color,
        goal: i32,
        budget: u64,
    ) -> Result<ProofResult, Stopped> {
        let Some(forward) = &mut self.forward else {
            return Ok(ProofResult::Unprovable);
        };
        let Some(aim) = forward.aim(holder, goal) else {
            return Ok(ProofResult::Unprovable);
        };
        let root = state_of(&game.board().position(), holder, color);
        // After a pass, the other player can end the game.
        if !root.turn && game.pass_would_end(color) {
            let ended = self.forward_margin(game, holder);
            if ended < goal {
                return Ok(ProofResult::Unprovable);
            }
        }
        let Some(forward) = &mut self.forward else {
            return Ok(ProofResult::Unprovable);
        };
        let situations = game.situations();
        let seen = situations
            .iter()
            .map(|(position, _)| state_of(position, holder, color));
        let seen: Vec<State> = if forward.superko {
            seen.collect()
        } else {
            // The position before the latest move.
            seen.rev().skip(1).take(1).collect()
        };
        let meter = &self.meter;
        let threads = match meter.nodes_left() {
            // With a single thread, the nodes do not depend on timing.
            Some(_) => 1,
            None => cores(),
        };
        let is_over = || meter.check().is_err();
        let means = Means {
            threads,
            nodes: budget.min(meter.nodes_left().unwrap_or(u64::MAX)),
            is_over: &is_over,
        };
        let black = holder == Color::BLACK;
        let (found, nodes) =
            forward
                .prover
                .prove(&root, aim, black, &seen, forward.superko, &means);
        if found == ProofResult::Proved {
            let reached = &mut forward.reached[holder.index()];
            *reached = Some(reached.map_or(goal, |best| best.max(goal)));
        }
        self.meter.add(nodes)?;
        Ok(found)
    }

    /// Returns the margin of the current position from the holder's side, by the solver's scored
    /// position of dead stones.
    fn forward_margin(&mut self, game: &Game<B>, holder: Color) -> i32 {
        let number = self.positions.number(&game.board().position());
        let margin = self.positions.margin(number) as i32;
        if holder == Color::BLACK {
            margin
        } else {
            -margin
        }
    }

    /// Returns a line from the current position to the end of the game, in which both players
    /// follow their proofs. It is shorter if time is up or if a proof is lost and not found again.
    /// Returns `None` if forward proofs did not settle the value.
    pub(super) fn forward_line(
        &mut self,
        game: &Game<B>,
        color: Color,
        value: i64,
    ) -> Option<Vec<Move>> {
        let forward = self.forward.as_mut()?;
        if forward.root != Some((game.board().position(), color)) {
            return None;
        }
        let most = game.board().points() as i64;
        let goals = [value as i32, -value as i32];
        // Each player needs a proof of the value, unless the value is the extreme that any play
        // reaches.
        let proved = [0, 1].map(|i| forward.reached[i] == Some(goals[i]));
        let settled = [value == -most, value == most];
        if !(proved[0] || settled[0]) || !(proved[1] || settled[1]) {
            return None;
        }
        let mut line = Vec::new();
        let mut game = game.clone();
        let mut mover = color;
        let mut met = FastSet::default();
        while !game.ended_by_passes() && line.len() < MOST_TURNS {
            let passed = game.pass_would_end(mover);
            // Under simple ko, a line could return to an earlier position and cycle forever.
            if self.meter.check().is_err() || !met.insert((game.board().position(), mover, passed))
            {
                break;
            }
            let guide = if proved[mover.index()] {
                mover
            } else {
                mover.other()
            };
            let goal = goals[guide.index()];
            let mut next = self.advised(&game, mover, guide, goal);
            if next.is_none()
                && self.try_goal(&game, mover, guide, goal, AGAIN) == Ok(ProofResult::Proved)
            {
                next = self.advised(&game, mover, guide, goal);
            }
            let Some(mv) = next.filter(|&mv| game.play(mover, mv).is_ok()) else {
                break;
            };
            line.push(mv);
            mover = mover.other();
        }
        Some(line)
    }

    /// Returns the best legal move that the proof of `guide` recommends.
    fn advised(&mut self, game: &Game<B>, mover: Color, guide: Color, goal: i32) -> Option<Move> {
        let forward = self.forward.as_mut()?;
        let aim = forward.aim(guide, goal)?;
        let state = state_of(&game.board().position(), guide, mover);
        let advice = forward.prover.advice(&state, aim, guide == Color::BLACK);
        let moves = advice.into_iter().map(|at| match at {
            NO_POINT => Move::Pass,
            at => Move::Place(Vertex::at(usize::from(at))),
        });
        moves.into_iter().find(|&mv| game.check(mover, mv).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::limits::Limits;
    use omnigo_core::board::graph::{Adjacency, GraphBoard};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, RulesetText};
    use omnigo_graph::connected::connected_graphs;

    fn game<B: BareBoard>(board: B, text: &str) -> Game<B> {
        let rules: RulesetText = text.parse().unwrap();
        Game::new(board, rules.rules, Points::ZERO, Color::BLACK)
    }

    /// Returns the bounds by forward proofs alone.
    fn forward<B: BareBoard>(game: &Game<B>, color: Color) -> Interval {
        let stop = AtomicBool::new(false);
        let limits = Limits {
            nodes: Some(1 << 22),
            memory: 1 << 24,
            ..Limits::new(&stop)
        };
        let mut solver = Solver::new(game, &limits, ScoredPosition::Stands);
        solver.force_forward(game);
        let most = game.board().points() as i64;
        let mut forward = (-most, most);
        let done = solver.step_forward(game, color, 1 << 14, &mut forward);
        assert!(done.is_ok());
        forward
    }

    /// Returns the bounds by forward proofs alone, and those by all methods.
    fn both<B: BareBoard>(game: &Game<B>, color: Color) -> (Interval, Interval) {
        let stop = AtomicBool::new(false);
        let limits = Limits {
            nodes: Some(1 << 22),
            memory: 1 << 24,
            ..Limits::new(&stop)
        };
        let (other, _) = Solver::new(game, &limits, ScoredPosition::Stands).value(game, color);
        (forward(game, color), other)
    }

    #[test]
    fn forward_proofs_agree_with_the_other_methods() {
        let mut narrow = 0;
        for graph in (2..=5).flat_map(connected_graphs) {
            let graph = std::sync::Arc::new(graph);
            for text in [
                "tromp-taylor",
                "tromp-taylor,suicide=no",
                "tromp-taylor,ko=situational",
                "tromp-taylor,ko=simple",
                "topo-stone",
            ] {
                let mut game = game(
                    GraphBoard::new(Adjacency::new(graph.clone()), 2).unwrap(),
                    text,
                );
                let mut color = Color::BLACK;
                for at in 0..3 {
                    let (forward, other) = both(&game, color);
                    let meet = forward.0 <= other.1 && other.0 <= forward.1;
                    assert!(meet, "{text} {graph:?} {at}: {forward:?} and {other:?}");
                    narrow += usize::from(forward.0 == forward.1);
                    let _ = game.play(color, Move::Place(Vertex::at(at)));
                    color = color.other();
                }
            }
        }
        assert!(narrow > 100, "{narrow} values found");
    }

    #[test]
    fn solves_boards_of_eleven_points_and_more_forward() {
        // Checks the line of play and the value. All of 2x6 belongs to Black.
        let long = game(
            GridBoard::new(Grid::new(6, 2).unwrap(), 2).unwrap(),
            "tromp-taylor",
        );
        let stop = AtomicBool::new(false);
        let limits = Limits {
            nodes: Some(1 << 20),
            memory: 1 << 24,
            ..Limits::new(&stop)
        };
        let mut solver = Solver::new(&long, &limits, ScoredPosition::Stands);
        assert_eq!(solver.value(&long, Color::BLACK), ((12, 12), None));
        let line = solver.forward_line(&long, Color::BLACK, 12).unwrap();
        let (mut played, mut color) = (long.clone(), Color::BLACK);
        for mv in line {
            assert_eq!(played.check(color, mv), Ok(()));
            played.play(color, mv).unwrap();
            color = color.other();
        }
        assert!(played.ended_by_passes());
        assert_eq!(played.outcome(&[]).unwrap().to_string(), "B+12");
        // On 3x4, Black gets at least 4, regardless of how longer cycles are scored.
        let short = game(
            GridBoard::new(Grid::new(4, 3).unwrap(), 2).unwrap(),
            "tromp-taylor ko=simple suicide=no",
        );
        assert_eq!(forward(&short, Color::BLACK).0, 4);
    }

    #[test]
    fn forward_proofs_solve_three_by_three() {
        let game = game(
            GridBoard::new(Grid::new(3, 3).unwrap(), 2).unwrap(),
            "tromp-taylor",
        );
        assert_eq!(both(&game, Color::BLACK), ((9, 9), (9, 9)));
    }

    /// Verifies the table of forward proofs in docs/exact.md.
    #[test]
    #[ignore = "takes a minute and memory for millions of states"]
    fn single_goals_of_larger_boards_are_proved() {
        for (width, height, text, goal, nodes) in [
            (4, 3, "tromp-taylor", 4, 28_160),
            (4, 4, "tromp-taylor", 1, 317_952),
            (7, 2, "tromp-taylor", 14, 217_088),
            (5, 3, "tromp-taylor ko=simple suicide=no", 15, 114_176),
            (8, 2, "tromp-taylor ko=simple suicide=no", 16, 1_866_240),
            (6, 3, "tromp-taylor ko=simple suicide=no", 18, 5_386_240),
        ] {
            let grid = Grid::new(width, height).unwrap();
            let game = game(GridBoard::new(grid, 2).unwrap(), text);
            let stop = AtomicBool::new(false);
            let limits = Limits {
                nodes: Some(1 << 26),
                memory: 1 << 31,
                ..Limits::new(&stop)
            };
            let mut solver = Solver::new(&game, &limits, ScoredPosition::Stands);
            solver.force_forward(&game);
            let found = solver.try_goal(&game, Color::BLACK, Color::BLACK, goal, 1 << 25);
            assert_eq!(solver.meter.nodes(), nodes, "{width}x{height} {text}");
            assert_eq!(
                found.ok(),
                Some(ProofResult::Proved),
                "{width}x{height} {text}"
            );
        }
    }
}
