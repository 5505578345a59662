//! A game and its search behind an object-safe face.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::board::life::{Life, dead_stone};
use crate::color::Color;
use crate::exact::count::{Budget, Unfinished, perft};
use crate::exact::{self, Answer, KomiParameter, Limits as ExactLimits, Unsolvable, Wish};
use crate::game::{Agreement, Game, IllegalMove, LifeError, Outcome, ScoreError};
use crate::rules::{DeadStones, Points, Ruleset};
use crate::search::{
    Choice, JUDGED_IN, Limits, LostTurns, Ownership, Question, Searcher, Settings, Status, Variety,
    Verdict, Watch, decide, is_lost, judge, sample, vary,
};
use crate::vertex::{Move, Vertex};

/// What an engine asks of a game on whatever board.
pub(super) trait Table: Send {
    fn rules(&self) -> &Ruleset;
    fn set_rules(&mut self, rules: Ruleset);
    fn komi(&self) -> Points;
    fn set_komi(&mut self, komi: Points);
    fn restart(&mut self, position: &[Option<Color>], first: Color);
    fn set_handicap(&mut self, stones: u32);
    fn handicap(&self) -> u32;
    fn handicap_stones(&self) -> u32;
    fn set_handicap_moves(&mut self, count: bool);
    fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove>;
    fn resign(&mut self, color: Color) -> Result<(), IllegalMove>;
    fn resigned(&self) -> Option<Color>;
    fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove>;
    fn take_back(&mut self, moves: usize) -> bool;
    fn resume(&mut self);
    fn to_move(&self) -> Color;
    fn moves(&self) -> Vec<(Color, Move)>;
    fn turns(&self) -> usize;
    fn last_move(&self) -> Option<(Color, Move)>;
    fn position(&self) -> Vec<Option<Color>>;
    fn start(&self) -> Vec<Option<Color>>;
    /// A stone of this position without liberty, where stones live by liberties.
    fn dead_stone(&self, position: &[Option<Color>]) -> Option<Vertex>;
    fn legal_moves(&self, color: Color) -> Vec<Move>;
    fn counter(&self, color: Color) -> Points;
    fn captured(&self, color: Color) -> i64;
    fn is_over(&self) -> bool;
    fn outcome(&self, agreement: &Agreement) -> Result<Outcome, ScoreError>;
    fn scores(&self, agreement: &Agreement) -> Result<Vec<Points>, ScoreError>;
    fn judge(&self) -> Vec<(Status, Vec<Vertex>)>;
    fn unconditional_life(&self, color: Color) -> Result<Life, LifeError>;
    fn sample(&self, playouts: usize) -> Ownership;
    /// The same after a move of `color`, `None` where it cannot be made.
    fn sample_after(&self, color: Color, mv: Move, playouts: usize) -> Option<Ownership>;
    fn solve(
        &self,
        color: Color,
        limits: &ExactLimits<'_>,
        wish: Wish,
    ) -> Result<Answer, Unsolvable>;
    fn keepers(
        &self,
        color: Color,
        limits: &ExactLimits<'_>,
    ) -> Result<Option<(Outcome, Vec<Move>)>, Unsolvable>;
    fn set_exact(&mut self, exact: bool);
    fn komi_parameter(&self, limits: &ExactLimits<'_>) -> Result<KomiParameter, Unsolvable>;
    fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished>;
    fn set_search(&mut self, settings: Settings);
    fn forget(&mut self);
    fn renew(&mut self);
    /// Searches and decides.
    fn think(
        &mut self,
        question: Question<'_>,
        stop: &AtomicBool,
        manner: Manner,
        watch: Option<Watch<'_>>,
    ) -> Thought;
    /// Searches and decides nothing.
    fn study(
        &mut self,
        question: Question<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> Verdict;
}

/// How a move is chosen from what a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// The chance to win below which the game is given up, 0 for never.
    pub(super) resign_below: f64,
    /// How much first moves vary.
    pub(super) variety: Variety,
    /// What they vary by.
    pub(super) seed: u64,
}

/// What a search came to.
#[derive(Debug)]
pub struct Thought {
    /// What to do.
    pub choice: Choice,
    /// What was found about the position.
    pub verdict: Verdict,
}

/// A game with a searcher.
pub(super) struct Seat<B: Board> {
    game: Game<B>,
    searcher: Searcher,
    /// Whether proven values overrule the search.
    exact: bool,
    /// Turns of this game that looked lost.
    lost_turns: LostTurns,
}

impl<B: Board> Seat<B> {
    /// Points of the largest board that is played by proof.
    fn exact_points(&self) -> usize {
        if self.game.board().has_chains() {
            EXACT_POINTS
        } else {
            EXACT_LITERAL_POINTS
        }
    }

    /// A new game from the position on `board`, with `first` to move and `initial` points for each colour.
    pub(super) fn new(
        board: B,
        rules: Ruleset,
        komi: Points,
        first: Color,
        initial: [Points; Color::MAX],
        settings: Settings,
    ) -> Seat<B> {
        let mut game = Game::new(board, rules, komi, first);
        game.set_initial_scores(initial);
        Seat {
            game,
            searcher: Searcher::new(settings),
            exact: true,
            lost_turns: LostTurns::default(),
        }
    }
}

/// Boards of at most so many points are played by proof as far as it goes.
const EXACT_POINTS: usize = 10;
/// So too where groups are no chains: the edges of a graph are points of its go-space.
const EXACT_LITERAL_POINTS: usize = 15;
/// Situations that a proof may look at before a move.
const EXACT_NODES: u64 = 200_000;
/// The part of the time for a move, one in so many, that is kept after a pass for finding dead stones …
const CLEARING: u32 = 3;
/// … and that it may take beyond the search elsewhere.
const BESIDE: u32 = 10;
/// Share of the time for a move that a proof may take.
const EXACT_SHARE: f64 = 0.4;
/// Memory that it may take, in bytes.
const EXACT_MEMORY: usize = 1 << 28;

impl<B: Board> Seat<B> {
    /// Whether dead stones may be taken off in answer to a pass, since they would count as they stand.
    fn may_clear(&self) -> bool {
        let passed = self
            .game
            .moves()
            .last()
            .is_some_and(|(_, mv)| mv == Move::Pass);
        passed && self.game.rules().dead == DeadStones::None && self.game.board().has_chains()
    }

    /// The value and the moves that keep it, where the board is small and that is soon proved.
    fn prove(
        &self,
        color: Color,
        limits: Limits,
        stop: &AtomicBool,
        start: Instant,
    ) -> Option<(Outcome, Vec<Move>)> {
        // A pass after one's own pass changes nothing: there is nothing to be proved about it.
        let again = self.game.moves().last() == Some((color, Move::Pass));
        if !self.exact || again || self.game.board().points() > self.exact_points() {
            return None;
        }
        let time = limits
            .time
            .map(|time| time.mul_f64(EXACT_SHARE).saturating_sub(start.elapsed()));
        let limits = ExactLimits {
            time,
            // Not by time alone, so that the same seed gives the same game.
            nodes: Some(EXACT_NODES),
            memory: EXACT_MEMORY.min(self.searcher.settings().memory),
            stop,
            report: None,
        };
        exact::keepers(&self.game, color, &limits).ok().flatten()
    }
}

/// The search's choice where it keeps the proven value, else the most visited move that does.
fn perfect(
    choice: Choice,
    color: Color,
    value: Outcome,
    moves: &[Move],
    verdict: &Verdict,
) -> Choice {
    match choice {
        Choice::Move(mv) if moves.contains(&mv) => choice,
        Choice::Resign if value.winner().is_some_and(|winner| winner != color) => choice,
        Choice::Move(_) | Choice::Resign => {
            let visited = verdict.candidates.iter().map(|candidate| candidate.mv);
            let best = visited
                .chain(moves.iter().copied())
                .find(|mv| moves.contains(mv));
            best.map_or(choice, Choice::Move)
        }
    }
}

impl<B: Board> Table for Seat<B> {
    fn rules(&self) -> &Ruleset {
        self.game.rules()
    }

    fn set_rules(&mut self, rules: Ruleset) {
        self.game.set_rules(rules);
        self.searcher.forget();
    }

    fn komi(&self) -> Points {
        self.game.komi()
    }

    fn set_komi(&mut self, komi: Points) {
        if komi != self.game.komi() {
            self.game.set_komi(komi);
            self.searcher.forget();
        }
    }

    fn restart(&mut self, position: &[Option<Color>], first: Color) {
        self.game.restart(position, first);
        self.lost_turns = LostTurns::default();
        self.searcher.renew();
    }

    fn set_handicap(&mut self, stones: u32) {
        self.game.set_handicap(stones);
    }

    fn handicap(&self) -> u32 {
        self.game.handicap()
    }

    fn handicap_stones(&self) -> u32 {
        self.game.handicap_stones()
    }

    fn set_handicap_moves(&mut self, count: bool) {
        self.game.set_handicap_moves(count);
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(color, mv)
    }

    fn resign(&mut self, color: Color) -> Result<(), IllegalMove> {
        self.game.resign(color)
    }

    fn resigned(&self) -> Option<Color> {
        self.game.resigned()
    }

    fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        match self.game.reopened() {
            Some(game) => game.check(color, mv),
            None => self.game.check(color, mv),
        }
    }

    fn take_back(&mut self, moves: usize) -> bool {
        let done = self.game.take_back(moves);
        self.lost_turns.truncate(self.game.moves().len());
        done
    }

    fn resume(&mut self) {
        self.game.resume();
        self.searcher.forget();
    }

    fn to_move(&self) -> Color {
        self.game.to_move()
    }

    fn moves(&self) -> Vec<(Color, Move)> {
        self.game.moves().collect()
    }

    fn turns(&self) -> usize {
        self.game.moves().len()
    }

    fn last_move(&self) -> Option<(Color, Move)> {
        self.game.moves().next_back()
    }

    fn position(&self) -> Vec<Option<Color>> {
        self.game.board().position()
    }

    fn start(&self) -> Vec<Option<Color>> {
        self.game.start().to_vec()
    }

    fn dead_stone(&self, position: &[Option<Color>]) -> Option<Vertex> {
        let mut board = self.game.board().clone();
        board.set_position(position);
        board.has_chains().then(|| dead_stone(&board)).flatten()
    }

    fn legal_moves(&self, color: Color) -> Vec<Move> {
        match self.game.reopened() {
            Some(game) => game.legal_moves(color),
            None => self.game.legal_moves(color),
        }
    }

    fn counter(&self, color: Color) -> Points {
        self.game.counter(color)
    }

    fn captured(&self, color: Color) -> i64 {
        self.game.captured(color)
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn outcome(&self, agreement: &Agreement) -> Result<Outcome, ScoreError> {
        self.game.agreed_outcome(agreement)
    }

    fn scores(&self, agreement: &Agreement) -> Result<Vec<Points>, ScoreError> {
        self.game.agreed_scores(agreement)
    }

    fn judge(&self) -> Vec<(Status, Vec<Vertex>)> {
        judge(&self.game)
    }

    fn unconditional_life(&self, color: Color) -> Result<Life, LifeError> {
        self.game.unconditional_life(color)
    }

    fn sample(&self, playouts: usize) -> Ownership {
        sample(&self.game, playouts)
    }

    fn sample_after(&self, color: Color, mv: Move, playouts: usize) -> Option<Ownership> {
        let mut game = self.game.clone();
        game.play(color, mv).ok()?;
        Some(sample(&game, playouts))
    }

    fn solve(
        &self,
        color: Color,
        limits: &ExactLimits<'_>,
        wish: Wish,
    ) -> Result<Answer, Unsolvable> {
        exact::solve(&self.game, color, limits, wish)
    }

    fn keepers(
        &self,
        color: Color,
        limits: &ExactLimits<'_>,
    ) -> Result<Option<(Outcome, Vec<Move>)>, Unsolvable> {
        exact::keepers(&self.game, color, limits)
    }

    fn set_exact(&mut self, exact: bool) {
        self.exact = exact;
    }

    fn komi_parameter(&self, limits: &ExactLimits<'_>) -> Result<KomiParameter, Unsolvable> {
        exact::komi_parameter(self.game.board(), limits)
    }

    fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished> {
        perft(&self.game, depth, budget)
    }

    fn set_search(&mut self, settings: Settings) {
        self.searcher.set_settings(settings);
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }

    fn renew(&mut self) {
        self.searcher.renew();
    }

    fn study(
        &mut self,
        question: Question<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> Verdict {
        match self.game.reopened() {
            Some(game) => {
                // The tree takes a second pass for the end of the game.
                self.searcher.forget();
                let verdict = self.searcher.answer(&game, question, stop, watch);
                self.searcher.forget();
                verdict
            }
            None => self.searcher.answer(&self.game, question, stop, watch),
        }
    }

    fn think(
        &mut self,
        mut question: Question<'_>,
        stop: &AtomicBool,
        manner: Manner,
        watch: Option<Watch<'_>>,
    ) -> Thought {
        let color = question.to_move;
        // What a question leaves out is the asker's business: proofs are about all moves.
        let proved = if question.restrictions.is_empty() && !self.game.ended_by_passes() {
            self.prove(color, question.limits, stop, question.start)
        } else {
            None
        };
        let asked = question.limits;
        if self.may_clear() {
            // After a pass, dead stones that would count are looked for beside the search.
            let part = |time: Duration| time - time / CLEARING;
            question.limits.time = asked.time.map(part);
            question.limits.longest = asked.longest.map(part);
        }
        let start = question.start;
        let verdict = self.study(question, stop, watch);
        let by = match asked.time {
            // The search has used its time where something is cleared up without a pass: then there is little more of it.
            Some(time) => (start + time).max(Instant::now() + time / BESIDE),
            None => Instant::now() + JUDGED_IN,
        };
        let reopened = self.game.reopened();
        if reopened.is_none() && self.game.ended_by_passes() {
            let choice = Choice::Move(Move::Pass);
            return Thought { choice, verdict };
        }
        let game = reopened.as_ref().unwrap_or(&self.game);
        let Manner {
            resign_below,
            variety,
            seed,
        } = manner;
        let lost = is_lost(game, &verdict, resign_below);
        let resigns = self.lost_turns.note(game, color, lost);
        let choice = match decide(game, color, &verdict, by) {
            Choice::Move(mv) if resigns && mv != Move::Pass => Choice::Resign,
            // The search told repetitions by hash alone. The game has the last word.
            Choice::Move(mv) if game.check(color, mv).is_err() => {
                let legal = verdict
                    .candidates
                    .iter()
                    .find(|c| game.check(color, c.mv).is_ok());
                legal.map_or(Choice::Resign, |c| Choice::Move(c.mv))
            }
            choice => vary(game, color, &verdict, choice, variety, seed),
        };
        let choice = match proved {
            Some((value, moves)) => perfect(choice, color, value, &moves, &verdict),
            None => choice,
        };
        Thought { choice, verdict }
    }
}
