//! Game and search behind an object-safe interface, for any type of board.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::decision::{ChoiceSettings, Decision};
use super::exact::perfect;
use super::judged::Judged;
use super::time::end_after_search;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::board::life::{Life, stone_without_liberty};
use omnigo_core::game::{Agreement, Game, IllegalMove, LifeError, Outcome, ScoreError};
use omnigo_core::rules::{DeadStones, Points, Ruleset};
use omnigo_exact::count::{Budget, Unfinished, perft};
use omnigo_exact::{self as exact, Answer, KomiParameter, Limits as ExactLimits, Unsolvable, Wish};
use omnigo_search::{
    Choice, JudgedChain, Limits, LostTurns, MAX_JUDGE_TIME, NoOutput, Ownership, RawOutput,
    SearchRequest, SearchResult, Searcher, Settings, Watch, decide, is_lost, list_best_pass_first,
    raw_output, sample_by, settled_ownership, vary,
};

/// Operations that the engine needs from a game, independent of the board type.
pub(super) trait AnyGame: Send {
    fn rules(&self) -> &Ruleset;
    fn set_rules(&mut self, rules: Ruleset);
    fn komi(&self) -> Points;
    fn set_komi(&mut self, komi: Points);
    fn restart(&mut self, position: &[Option<Color>], first: Color);
    fn keep_first(&mut self);
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
    /// Returns a stone of this position without liberties, or `None`. Always `None` on boards where
    /// stones do not live by liberties.
    fn stone_without_liberty(&self, position: &[Option<Color>]) -> Option<Vertex>;
    fn legal_moves(&self, color: Color) -> Vec<Move>;
    fn counter(&self, color: Color) -> Points;
    fn captured(&self, color: Color) -> i64;
    fn is_over(&self) -> bool;
    fn outcome(&self, agreement: &Agreement) -> Result<Outcome, ScoreError>;
    fn scores(&self, agreement: &Agreement) -> Result<Vec<Points>, ScoreError>;
    fn judge(&self, by: Instant) -> Vec<JudgedChain>;
    fn unconditional_life(&self, color: Color) -> Result<Life, LifeError>;
    fn sample(&self, most: usize, by: Instant) -> Ownership;
    fn settled_ownership(&self, by: Instant) -> Option<Ownership>;
    fn is_guided(&self) -> bool;
    /// Returns the output of a network of KataGo for the present position.
    fn raw_output(&self, symmetry: usize, optimism: Option<f32>) -> Result<RawOutput, NoOutput>;
    /// Samples ownership after a move of `color`. `None` if the move is illegal.
    fn sample_after(&self, color: Color, mv: Move, most: usize, by: Instant) -> Option<Ownership>;
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
    fn komi_parameter(
        &self,
        rules: &Ruleset,
        limits: &ExactLimits<'_>,
        watch: &(dyn Fn(&KomiParameter) + Sync),
    ) -> Result<KomiParameter, Unsolvable>;
    fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished>;
    fn set_search(&mut self, settings: Settings);
    fn forget(&mut self);
    fn renew(&mut self);
    /// Searches and decides on a move.
    fn think(
        &mut self,
        request: SearchRequest<'_>,
        stop: &AtomicBool,
        choice_settings: ChoiceSettings,
        watch: Option<Watch<'_>>,
    ) -> Decision;
    /// Searches without a decision.
    fn study(
        &mut self,
        request: SearchRequest<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> SearchResult;
    /// Puts a pass first among the candidates if the rules count territory and the engine would
    /// pass.
    fn list_best_pass_first(&self, color: Color, result: &mut SearchResult, by: Instant);
}

/// Game with a searcher.
pub(super) struct TypedGame<B: Board> {
    pub(super) game: Game<B>,
    searcher: Searcher,
    judged: Judged,
    /// True if proven values overrule the search.
    exact: bool,
    /// Turns of this game that looked lost.
    lost_turns: LostTurns,
}

impl<B: Board> TypedGame<B> {
    /// Returns a new game from the position on `board`, with `first` to move and `initial` points
    /// for each color.
    pub(super) fn new(
        board: B,
        rules: Ruleset,
        komi: Points,
        first: Color,
        initial: [Points; Color::MAX],
        settings: Settings,
    ) -> TypedGame<B> {
        let mut game = Game::new(board, rules, komi, first);
        game.set_initial_scores(initial);
        TypedGame {
            game,
            searcher: Searcher::new(settings),
            judged: Judged::default(),
            exact: true,
            lost_turns: LostTurns::default(),
        }
    }
}

/// Maximum number of situations that a proof visits per move.
const EXACT_NODES: u64 = 200_000;
/// After a pass, 1/3 of the time for a move is reserved for finding dead stones.
const DEAD_STONE_TIME_SHARE: u32 = 3;
/// Fraction of the time for a move that a proof may take.
const EXACT_SHARE: f64 = 0.4;
/// Maximum memory of a proof, in bytes.
const EXACT_MEMORY: usize = 1 << 28;

impl<B: Board> TypedGame<B> {
    /// Returns true if the player may have to capture dead stones in answer to a pass, because
    /// otherwise they count as alive.
    fn may_clear(&self) -> bool {
        let passed = self
            .game
            .moves()
            .last()
            .is_some_and(|(_, mv)| mv == Move::Pass);
        passed && self.game.rules().dead == DeadStones::None && self.game.board().has_chains()
    }

    /// Returns the proven value and the moves that keep it. `None` if the board is too large or the
    /// proof exceeds its limits.
    fn prove(
        &self,
        color: Color,
        limits: Limits,
        stop: &AtomicBool,
        start: Instant,
    ) -> Option<(Outcome, Vec<Move>)> {
        // A pass after the player's own pass changes nothing, so there is nothing to prove.
        let again = self.game.moves().last() == Some((color, Move::Pass));
        if !self.exact || again || self.game.board().points() > self.exact_points() {
            return None;
        }
        let time = limits
            .time
            .map(|time| time.mul_f64(EXACT_SHARE).saturating_sub(start.elapsed()));
        let limits = ExactLimits {
            time,
            // Limit the number of situations too, so that the same seed gives the same game.
            nodes: Some(EXACT_NODES),
            memory: EXACT_MEMORY.min(self.searcher.settings().memory),
            stop,
            report: None,
        };
        exact::keepers(&self.game, color, &limits).ok().flatten()
    }
}

impl<B: Board> AnyGame for TypedGame<B> {
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

    fn keep_first(&mut self) {
        self.game.keep_first();
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

    fn stone_without_liberty(&self, position: &[Option<Color>]) -> Option<Vertex> {
        let mut board = self.game.board().clone();
        board.set_position(position);
        board
            .has_chains()
            .then(|| stone_without_liberty(&board))
            .flatten()
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

    fn judge(&self, by: Instant) -> Vec<JudgedChain> {
        self.judged.status(&self.game, self.searcher.settings(), by)
    }

    fn unconditional_life(&self, color: Color) -> Result<Life, LifeError> {
        self.game.unconditional_life(color)
    }

    fn sample(&self, most: usize, by: Instant) -> Ownership {
        sample_by(self.game.board(), self.rules().colors, most, by)
    }

    fn settled_ownership(&self, by: Instant) -> Option<Ownership> {
        settled_ownership(&self.game, by)
    }

    fn is_guided(&self) -> bool {
        self.searcher.is_guided(&self.game)
    }

    fn raw_output(&self, symmetry: usize, optimism: Option<f32>) -> Result<RawOutput, NoOutput> {
        let guidance = self.searcher.settings().guidance.as_ref();
        raw_output(guidance, &self.game, symmetry, optimism)
    }

    fn sample_after(&self, color: Color, mv: Move, most: usize, by: Instant) -> Option<Ownership> {
        let mut game = self.game.clone();
        game.play(color, mv).ok()?;
        Some(sample_by(game.board(), game.rules().colors, most, by))
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

    fn komi_parameter(
        &self,
        rules: &Ruleset,
        limits: &ExactLimits<'_>,
        watch: &(dyn Fn(&KomiParameter) + Sync),
    ) -> Result<KomiParameter, Unsolvable> {
        exact::komi_parameter_watched(self.game.board(), rules, limits, watch)
    }

    fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished> {
        perft(&self.game, depth, budget)
    }

    fn set_search(&mut self, settings: Settings) {
        self.judged = Judged::default();
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
        request: SearchRequest<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> SearchResult {
        let reopened = self.game.reopened();
        let game = reopened.as_ref().unwrap_or(&self.game);
        // In the search tree, a second pass ends the game, and no move is a resignation.
        let differs = reopened.is_some() || self.game.resigned().is_some();
        if differs {
            self.searcher.forget_tree();
        }
        let result = self.searcher.search(game, request, stop, watch);
        if differs {
            self.searcher.forget_tree();
        }
        result
    }

    fn list_best_pass_first(&self, color: Color, result: &mut SearchResult, by: Instant) {
        let reopened = self.game.reopened();
        list_best_pass_first(reopened.as_ref().unwrap_or(&self.game), color, result, by);
    }

    fn think(
        &mut self,
        mut request: SearchRequest<'_>,
        stop: &AtomicBool,
        choice_settings: ChoiceSettings,
        watch: Option<Watch<'_>>,
    ) -> Decision {
        let color = request.to_move;
        // Proofs cover all moves, so they cannot respect restrictions.
        let has_ended = self.game.ended_by_passes() || self.game.resigned().is_some();
        let proved = if request.restrictions.is_empty() && !has_ended {
            self.prove(color, request.limits, stop, request.start)
        } else {
            None
        };
        let asked = request.limits;
        if self.may_clear() {
            // After a pass, reserve time for finding dead stones that would count as alive.
            let part = |time: Duration| time - time / DEAD_STONE_TIME_SHARE;
            request.limits.time = asked.time.map(part);
            request.limits.longest = asked.longest.map(part);
        }
        let start = request.start;
        let result = self.study(request, stop, watch);
        let by = match asked.time {
            // Without a pass, the search has used its time, so only a small addition is left.
            Some(time) => end_after_search(start, time),
            None => Instant::now() + MAX_JUDGE_TIME,
        };
        let reopened = self.game.reopened();
        if reopened.is_none() && has_ended {
            // The end is final. Only the loser of a resigned game has something to resign.
            let choice = match self.game.resigned() == Some(color) {
                true => Choice::Resign,
                false => Choice::Move(Move::Pass),
            };
            return Decision { choice, result };
        }
        let game = reopened.as_ref().unwrap_or(&self.game);
        let ChoiceSettings {
            resign_below,
            variety,
            seed,
        } = choice_settings;
        let lost = is_lost(game, &result, resign_below);
        let resigns = self.lost_turns.note(game, color, lost);
        let choice = match decide(game, color, &result, by) {
            Choice::Move(mv) if resigns && mv != Move::Pass => Choice::Resign,
            // The search detects repetitions by hash only. The game makes the exact check.
            Choice::Move(mv) if game.check(color, mv).is_err() => {
                let legal = result
                    .candidates
                    .iter()
                    .find(|c| game.check(color, c.mv).is_ok());
                legal.map_or(Choice::Resign, |c| Choice::Move(c.mv))
            }
            choice => vary(game, color, &result, choice, variety, seed),
        };
        let choice = match proved {
            Some((value, moves)) => perfect(choice, color, value, &moves, &result),
            None => choice,
        };
        Decision { choice, result }
    }
}
