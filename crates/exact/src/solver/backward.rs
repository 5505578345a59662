//! Retrograde analysis for a game, with bisection over the goals.

use super::{Interval, Solver};
use crate::dfpn::{SmallGraph, stone_sets};
use crate::limits::Stopped;
use crate::retrograde::{Effort, MOST_POINTS, Plan, Retrograde, Root};
use crate::solver_rules::{CounterUse, ScoredPosition, SolverRules};
use crate::symmetry::maps;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;
use omnigo_core::rules::{End, Passing, Scoring, Suicide};
use omnigo_core::system::cores;

/// Status of the retrograde analysis.
pub(super) enum Backward {
    /// Not started.
    Unasked,
    /// It does not support these rules or this board, or would need too much memory.
    Unfit,
    /// All positions are known.
    Ready(Box<Ready>),
}

/// A board with all of its positions.
pub(super) struct Ready {
    retrograde: Retrograde,
    /// By position: Black's margin if the game ended there.
    margins: Vec<i64>,
    /// Possible margins in ascending order.
    goals: Vec<i64>,
    /// Positions of open states, from decisions about `root`.
    open: Vec<u32>,
    /// The stones and the player of the latest decision.
    root: Option<([u32; 2], u8)>,
    /// By color: the latest plan from `root`, with Black's goal that it reaches or prevents.
    plans: [Option<(i64, Plan)>; 2],
}

impl Backward {
    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Backward::Unasked | Backward::Unfit => 0,
            Backward::Ready(ready) => {
                ready.retrograde.bytes() + 2 * ready.margins.len() * size_of::<i64>()
            }
        }
    }
}

/// Returns true if the analysis supports the rules and the board.
fn fits<B: BareBoard>(game: &Game<B>, solver_rules: &SolverRules) -> bool {
    let (board, rules) = (game.board(), game.rules());
    let points = board.points();
    let plain = match solver_rules.counters {
        CounterUse::Unused => board.has_chains() && board.placements() == points,
        CounterUse::Passes | CounterUse::Points => false,
    };
    let ends = match (rules.passing, rules.end, rules.scoring) {
        (Passing::Free, End::Passes, Scoring::Area | Scoring::Stones) => true,
        (Passing::Never, End::Stuck, Scoring::None) => true,
        (Passing::Free | Passing::Never | Passing::Prisoners, _, _) => false,
    };
    plain && ends && solver_rules.superko.is_some() && points <= MOST_POINTS
}

/// Converts the current position and history of a game.
fn root_of<B: BareBoard>(game: &Game<B>, color: Color) -> Root {
    let history = game.situations().into_iter();
    Root {
        stones: stone_sets(&game.board().position()),
        mover: color.index() as u8,
        passed: game.pass_would_end(color),
        history: history
            .map(|(position, to_move)| (stone_sets(&position), to_move.index() as u8))
            .collect(),
    }
}

impl<B: BareBoard> Solver<'_, B> {
    /// Explores all positions, on the first call only.
    fn ready_backward(&mut self, game: &Game<B>) -> Result<(), Stopped> {
        if !matches!(self.backward, Backward::Unasked) {
            return Ok(());
        }
        self.backward = Backward::Unfit;
        if !fits(game, &self.solver_rules) {
            return Ok(());
        }
        let (board, rules) = (game.board(), game.rules());
        let Some(seen) = self.solver_rules.superko else {
            return Ok(());
        };
        let maps = maps(board);
        let Some(graph) = SmallGraph::of(board, &maps) else {
            return Ok(());
        };
        let root = stone_sets(&board.position());
        let suicide = rules.suicide == Suicide::Allowed;
        self.meter.hold(self.bytes());
        let memory = self.meter.memory();
        let meter = &mut self.meter;
        let explored = Retrograde::explore(
            graph.clone(),
            &maps,
            suicide,
            seen,
            root,
            memory,
            &mut |nodes| meter.add(nodes),
        )?;
        let Some(retrograde) = explored else {
            return Ok(());
        };
        let area = rules.scoring == Scoring::Area;
        let weighs_one = (0..board.points()).all(|i| board.weight(Vertex::at(i)) == 1);
        let plain = self.scored_position == ScoredPosition::Stands && weighs_one;
        let mut margins = Vec::with_capacity(retrograde.positions());
        for number in 0..retrograde.positions() as u32 {
            if number.is_multiple_of(1 << 12) {
                self.meter.check()?;
            }
            let stones = retrograde.stones(number);
            margins.push(match (self.solver_rules.is_last_mover(), plain) {
                (true, _) => 0,
                (false, true) => i64::from(graph.margin(stones[0], stones[1], area)),
                (false, false) => self.positions.count(stones),
            });
        }
        let mut goals = margins.clone();
        goals.sort_unstable();
        goals.dedup();
        self.backward = Backward::Ready(Box::new(Ready {
            retrograde,
            margins,
            goals,
            open: Vec::new(),
            root: None,
            plans: [None, None],
        }));
        Ok(())
    }

    /// Decides whether Black reaches a goal. Returns `None` if retrograde analysis cannot tell.
    pub(super) fn decide_backward(
        &mut self,
        game: &Game<B>,
        color: Color,
        goal: i64,
    ) -> Result<Option<bool>, Stopped> {
        if Self::is_unsettled(game) {
            return Ok(None);
        }
        self.ready_backward(game)?;
        let Backward::Ready(ready) = &mut self.backward else {
            return Ok(None);
        };
        let root = root_of(game, color);
        let black_wins: Option<Vec<bool>> = (!self.solver_rules.is_last_mover())
            .then(|| ready.margins.iter().map(|&margin| margin >= goal).collect());
        let place = Some((root.stones, root.mover));
        if ready.root != place {
            (ready.root, ready.open, ready.plans) = (place, Vec::new(), [None, None]);
        }
        let meter = &mut self.meter;
        let effort = match meter.nodes_left() {
            // With a single thread, the nodes do not depend on timing. Leave most of them to other
            // methods.
            Some(nodes) => Effort {
                threads: 1,
                steps: nodes / 8,
            },
            None => Effort {
                threads: cores(),
                steps: u64::MAX,
            },
        };
        let mut tick = |nodes| meter.add(nodes);
        let (retrograde, black_wins) = (&ready.retrograde, black_wins.as_deref());
        let hinted = !ready.open.is_empty();
        let mut found = retrograde.decide(&root, black_wins, &mut ready.open, effort, &mut tick)?;
        if found.is_none() && hinted {
            // The positions left from earlier goals may have closed more than necessary. Try again
            // without them.
            ready.open.clear();
            found = retrograde.decide(&root, black_wins, &mut ready.open, effort, &mut tick)?;
        }
        Ok(found.map(|(reached, plan)| {
            let winner = usize::from(!reached);
            ready.plans[winner] = plan.map(|plan| (goal, plan));
            reached
        }))
    }

    /// Returns a line of perfect play from the current position, whose value is known. Returns
    /// `None` if retrograde analysis does not settle it.
    pub(super) fn backward_line(
        &mut self,
        game: &Game<B>,
        color: Color,
        value: i64,
    ) -> Result<Option<Vec<Move>>, Stopped> {
        if Self::is_unsettled(game) {
            return Ok(None);
        }
        self.ready_backward(game)?;
        let Backward::Ready(ready) = &self.backward else {
            return Ok(None);
        };
        let above = ready.goals.iter().copied().find(|&goal| goal > value);
        let goals = if self.solver_rules.is_last_mover() {
            [(value > 0).then_some(1), (value < 0).then_some(1)]
        } else {
            [
                ready
                    .goals
                    .first()
                    .is_some_and(|&least| least < value)
                    .then_some(value),
                above,
            ]
        };
        for (player, goal) in goals.iter().enumerate() {
            let Backward::Ready(ready) = &self.backward else {
                return Ok(None);
            };
            let here =
                ready.root == Some((stone_sets(&game.board().position()), color.index() as u8));
            let known = ready.plans[player].as_ref().map(|(goal, _)| *goal);
            if let Some(goal) = *goal
                && (!here || known != Some(goal))
                && self.decide_backward(game, color, goal)? != Some(player == 0)
            {
                return Ok(None);
            }
        }
        let Backward::Ready(ready) = &self.backward else {
            return Ok(None);
        };
        let plan = |player: usize| {
            let plan = ready.plans[player].as_ref();
            plan.filter(|(goal, _)| goals[player] == Some(*goal))
                .map(|(_, plan)| plan)
        };
        let turns = ready
            .retrograde
            .line(&root_of(game, color), [plan(0), plan(1)], &|| {
                self.meter.check().is_err()
            });
        let (mut game, mut color, mut line) = (game.clone(), color, Vec::new());
        for turn in turns {
            let mv = turn.map_or(Move::Pass, |at| Move::Place(Vertex::at(at as usize)));
            if game.ended_by_passes() || game.play(color, mv).is_err() {
                break;
            }
            line.push(mv);
            color = color.other();
        }
        Ok(Some(line))
    }

    /// Narrows the interval by retrograde analysis.
    pub(super) fn step_backward(
        &mut self,
        game: &Game<B>,
        color: Color,
        interval: &mut Interval,
    ) -> Result<(), Stopped> {
        if Self::is_unsettled(game) {
            return Ok(());
        }
        self.ready_backward(game)?;
        let Backward::Ready(ready) = &self.backward else {
            return Ok(());
        };
        if self.solver_rules.is_last_mover() {
            if interval.0 < interval.1
                && let Some(reached) = self.decide_backward(game, color, 1)?
            {
                self.settle(game, reached, 1, interval);
                self.report(*interval);
            }
            return Ok(());
        }
        let goals = ready.goals.clone();
        // Goals before index `from` are reached, and those from `to` on are not.
        let mut from = goals.partition_point(|&goal| goal <= interval.0);
        let mut to = goals.partition_point(|&goal| goal <= interval.1);
        if let Some(&least) = goals.first() {
            interval.0 = interval.0.max(least);
        }
        if let Some(&most) = to.checked_sub(1).and_then(|last| goals.get(last)) {
            interval.1 = interval.1.min(most);
        }
        from = from.max(1);
        while let Some(&goal) = goals.get((from + to) / 2).filter(|_| from < to) {
            let middle = (from + to) / 2;
            match self.decide_backward(game, color, goal)? {
                Some(true) => {
                    interval.0 = interval.0.max(goal);
                    from = middle + 1;
                }
                Some(false) => {
                    if let Some(&below) = middle.checked_sub(1).and_then(|i| goals.get(i)) {
                        interval.1 = interval.1.min(below);
                    }
                    to = middle;
                }
                None => return Ok(()),
            }
            self.report(*interval);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::limits::Limits;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::graph::{Adjacency, GraphBoard};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, RulesetText};
    use omnigo_graph::Graph;
    use omnigo_graph::connected::connected_graphs;

    const RULES: [&str; 7] = [
        "tromp-taylor",
        "tromp-taylor,suicide=no",
        "tromp-taylor,ko=situational",
        "topo-stone",
        "conway",
        "conway,suicide=no",
        "conway,ko=situational",
    ];

    fn game(graph: &Arc<Graph>, text: &str) -> Game<GraphBoard> {
        let rules: RulesetText = text.parse().unwrap();
        let board = GraphBoard::new(Adjacency::new(graph.clone()), 2).unwrap();
        Game::new(board, rules.rules, Points::ZERO, Color::BLACK)
    }

    /// Plays random moves and compares, in each position, every goal that retrograde analysis
    /// decides with the value by the other methods. Returns the numbers of decided and undecided
    /// goals.
    fn compare(mut game: Game<GraphBoard>, turns: usize, mut seed: u64) -> (usize, usize) {
        let stop = AtomicBool::new(false);
        let limits = Limits {
            nodes: Some(1 << 22),
            memory: 1 << 26,
            ..Limits::new(&stop)
        };
        let (mut decided, mut open) = (0, 0);
        let mut color = Color::BLACK;
        let start = game.clone();
        for _ in 0..turns {
            let mut backward = Solver::new(&start, &limits, ScoredPosition::Stands);
            backward.ready_backward(&start).unwrap();
            let mut others = Solver::new(&game, &limits, ScoredPosition::Stands);
            others.backward = Backward::Unfit;
            let ((lower, upper), _) = others.value(&game, color);
            let most = game.board().points() as i64;
            let last = backward.solver_rules.is_last_mover();
            for goal in if last { 1..=1 } else { 1 - most..=most } {
                match backward.decide_backward(&game, color, goal) {
                    Ok(Some(reached)) => {
                        decided += 1;
                        let agrees = if reached { upper >= goal } else { lower < goal };
                        let moves = game.situations();
                        assert!(
                            agrees,
                            "goal {goal} reached: {reached}, value {lower}..{upper}, {:?} {moves:?}",
                            game.rules()
                        );
                    }
                    Ok(None) | Err(_) => open += 1,
                }
            }
            let legal = game.legal_moves(color);
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let Some(&mv) = legal.get((seed >> 33) as usize % legal.len().max(1)) else {
                break;
            };
            game.play(color, mv).unwrap();
            color = color.other();
            if game.ended_by_passes() {
                break;
            }
        }
        (decided, open)
    }

    fn sweep(most: usize, games: u64, turns: usize) {
        let (mut decided, mut open) = (0, 0);
        for graph in (1..=most).flat_map(connected_graphs) {
            let graph = Arc::new(graph);
            for text in RULES {
                for seed in 0..games {
                    let found = compare(game(&graph, text), turns, seed);
                    decided += found.0;
                    open += found.1;
                }
            }
        }
        assert!(decided > 20 * open, "{decided} decided, {open} open");
    }

    #[test]
    fn goals_after_random_histories_agree_with_the_other_methods() {
        sweep(4, 2, 6);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn goals_after_many_histories_agree_with_the_other_methods() {
        sweep(5, 3, 10);
    }

    #[test]
    fn backward_analysis_solves_three_by_four() {
        let grid = Grid::new(4, 3).unwrap();
        let rules: RulesetText = "tromp-taylor".parse().unwrap();
        let board = GridBoard::new(grid, 2).unwrap();
        let mut game = Game::new(board, rules.rules, Points::ZERO, Color::BLACK);
        let stop = AtomicBool::new(false);
        let limits = Limits::new(&stop);
        let mut solver = Solver::new(&game, &limits, ScoredPosition::Stands);
        let mut interval = (-12, 12);
        assert_eq!(
            solver.step_backward(&game, Color::BLACK, &mut interval),
            Ok(())
        );
        assert_eq!(interval, (4, 4));
        let line = solver
            .backward_line(&game, Color::BLACK, 4)
            .unwrap()
            .unwrap();
        let (mut played, mut color) = (game.clone(), Color::BLACK);
        for mv in line {
            played.play(color, mv).unwrap();
            color = color.other();
        }
        assert!(played.ended_by_passes());
        assert_eq!(played.outcome(&[]).unwrap().to_string(), "B+4");
        // After a first stone in the corner, White takes the whole board.
        game.play(Color::BLACK, Move::Place(Vertex::at(0))).unwrap();
        let mut interval = (-12, 12);
        assert_eq!(
            solver.step_backward(&game, Color::WHITE, &mut interval),
            Ok(())
        );
        assert_eq!(interval, (-12, -12));
    }
}
