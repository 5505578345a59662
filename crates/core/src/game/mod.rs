//! A game: board, ruleset, and history. This is the only place where rules and boards meet.
//!
//! Legality, repetition, passes, counters, and the end are implemented here once, for every
//! [`Board`](crate::board::Board).

mod end;
mod handicap;
mod history;
mod legal;
mod life;
pub mod line;
mod score;
mod tally;
mod tax;

pub use legal::IllegalMove;
pub use life::LifeError;
pub use line::Line;
pub use score::{Agreement, Outcome, ScoreError, score_census};
pub use tax::levy;

use crate::board::BareBoard;
use crate::rules::{Points, Referee, Ruleset, Stuck};
use history::History;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use tally::Tally;

/// One turn, with the data needed to undo it.
#[derive(Clone, Debug)]
struct Turn {
    color: Color,
    mv: Move,
    /// Stones that left the board. After suicide, they include the placed stone.
    removed: Box<[(Vertex, Color)]>,
    /// Colors that had passed since the latest placement before this turn, one bit each.
    passed_before: u8,
    /// The color that had resigned before this turn. The turn continued the game.
    resigned_before: Option<Color>,
}

/// A game on some board, from its starting position to the current one.
///
/// ```
/// use omnigo_core::board::grid::{Grid, GridBoard};
/// use omnigo_base::color::Color;
/// use omnigo_core::game::Game;
/// use omnigo_core::rules::{Points, presets};
/// use omnigo_base::vertex::{Move, Vertex};
///
/// // A path of two vertices under Conway's rule: White recaptures, and Black may not repeat.
/// let board = GridBoard::new(Grid::new(2, 1).unwrap(), 2).unwrap();
/// let rules = presets::find("conway").unwrap().rules.clone();
/// let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
/// game.play(Color::BLACK, Move::Place(Vertex::at(0))).unwrap();
/// game.play(Color::WHITE, Move::Place(Vertex::at(1))).unwrap();
/// assert!(game.legal_moves(Color::BLACK).is_empty());
/// assert_eq!(game.outcome(&[]).unwrap().to_string(), "W+");
/// ```
#[derive(Clone, Debug)]
pub struct Game<B: BareBoard> {
    board: B,
    rules: Ruleset,
    komi: Points,
    /// Points added to each color's score, without komi.
    initial: [Points; Color::MAX],
    /// Number of Black's handicap stones in the start.
    handicap: u32,
    /// True if Black's moves before White's first count as handicap stones too.
    handicap_moves: bool,
    /// The position in which the history begins.
    start: Vec<Option<Color>>,
    /// The color that moves first from `start`.
    first: Color,
    /// True if `first` is that of the rules. Until the first move, [`Game::set_rules`] then updates
    /// it.
    first_follows_rules: bool,
    turns: Vec<Turn>,
    history: History,
    tally: Tally,
    /// The color that resigned, which ended the game.
    resigned: Option<Color>,
}

impl<B: BareBoard> Game<B> {
    /// Starts a game from the position on `board`, with `first` to move.
    pub fn new(board: B, rules: Ruleset, komi: Points, first: Color) -> Game<B> {
        let start = board.position();
        let history = History::new(board.hash(), first);
        let first_follows_rules = first == rules.first;
        Game {
            board,
            rules,
            komi,
            initial: [Points::ZERO; Color::MAX],
            handicap: 0,
            handicap_moves: true,
            start,
            first,
            first_follows_rules,
            turns: Vec::new(),
            history,
            tally: Tally::default(),
            resigned: None,
        }
    }

    /// Returns the current position.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Replaces the rules. Position and history stay and are evaluated under the new rules.
    pub fn set_rules(&mut self, rules: Ruleset) {
        let recount = self.rules.button != rules.button;
        self.rules = rules;
        self.follow_rules();
        if recount {
            self.recount_passes();
        }
    }

    /// Keeps the first player of this start when the rules change, because the board or the user
    /// chose it. Otherwise a first player equal to that of the rules follows them.
    pub fn keep_first(&mut self) {
        self.first_follows_rules = false;
    }

    /// Updates the first player after a change of the rules. This happens only before the first
    /// move, and only if the first player followed the old rules.
    fn follow_rules(&mut self) {
        if self.turns.is_empty() && self.first_follows_rules && self.first != self.rules.first {
            self.first = self.rules.first;
            self.history = History::new(self.board.hash(), self.first);
        }
    }

    /// Recomputes passes and the button, because passes have another meaning under other rules.
    fn recount_passes(&mut self) {
        self.tally = Tally {
            won: self.tally.won,
            ..Tally::default()
        };
        let mut before = None;
        for turn in &mut self.turns {
            turn.passed_before = self.tally.passed;
            match turn.mv {
                Move::Place(_) => self.tally.place(),
                Move::Pass if before == Some((turn.color, Move::Pass)) => {}
                Move::Pass => self.tally.pass(&self.rules, turn.color),
            }
            before = Some((turn.color, turn.mv));
        }
    }

    /// Returns the komi.
    pub fn komi(&self) -> Points {
        self.komi
    }

    /// Replaces the komi.
    pub fn set_komi(&mut self, komi: Points) {
        self.komi = komi;
    }

    /// Returns the points that are added to each color's score, without komi.
    pub fn initial_scores(&self) -> &[Points; Color::MAX] {
        &self.initial
    }

    /// Sets the points that are added to each color's score, without komi.
    pub fn set_initial_scores(&mut self, initial: [Points; Color::MAX]) {
        self.initial = initial;
    }

    /// Returns the color that has taken the button and the button's value, or `None`.
    pub fn button(&self) -> Option<(Color, Points)> {
        self.tally.button(&self.rules)
    }

    /// Returns the position in which the history begins, in index order.
    pub fn start(&self) -> &[Option<Color>] {
        &self.start
    }

    /// Returns the moves since the start.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Move)> + ExactSizeIterator + '_ {
        self.turns.iter().map(|turn| (turn.color, turn.mv))
    }

    /// Returns every position so far with the player to move, the current one last. A pass repeats
    /// the position.
    pub fn situations(&self) -> Vec<(Vec<Option<Color>>, Color)> {
        let mut position = self.board.position();
        let mut to_move = self.to_move();
        let mut situations = vec![(position.clone(), to_move)];
        for (index, turn) in self.turns.iter().enumerate().rev() {
            turn.rewind(&self.board, &mut position);
            to_move = match index
                .checked_sub(1)
                .and_then(|before| self.turns.get(before))
            {
                Some(before) => before.color.next(self.rules.colors),
                None => self.first,
            };
            situations.push((position.clone(), to_move));
        }
        situations.reverse();
        situations
    }

    /// Returns the position before the latest `turns` turns. It is the start if there are fewer.
    pub fn board_before(&self, turns: usize) -> B {
        let kept = self.turns.len().saturating_sub(turns);
        // Play the turn before that position again, so that the board knows its ko.
        let again = kept.saturating_sub(1);
        let mut position = self.board.position();
        for turn in self.turns.iter().skip(again).rev() {
            turn.rewind(&self.board, &mut position);
        }
        let mut board = self.board.clone();
        board.set_position(&position);
        for turn in self.turns.iter().take(kept).skip(again) {
            if let Move::Place(at) = turn.mv {
                board.place(turn.color, at, |_, _| {});
            }
        }
        board
    }

    /// Returns the player to move: the color after the one that moved last, or the first player at
    /// the start.
    pub fn to_move(&self) -> Color {
        self.turns
            .last()
            .map_or(self.first, |turn| turn.color.next(self.rules.colors))
    }

    /// Replaces the position and begins a new history with `first` to move.
    pub fn restart(&mut self, position: &[Option<Color>], first: Color) {
        self.board.set_position(position);
        self.start = position.to_vec();
        self.first = first;
        self.first_follows_rules = first == self.rules.first;
        self.turns.clear();
        self.history = History::new(self.board.hash(), first);
        self.handicap = 0;
        self.tally = Tally::default();
        self.resigned = None;
    }

    /// Returns true if passes have ended the game.
    pub fn ended_by_passes(&self) -> bool {
        self.tally.ended_by_passes(&self.rules)
    }

    /// Returns true if a pass by `color` would end the game.
    pub fn pass_would_end(&self, color: Color) -> bool {
        self.tally.pass_would_end(&self.rules, color)
    }

    /// Returns true if `color` is stuck: it has none of the options that the rules require to
    /// continue.
    pub fn is_stuck(&self, color: Color) -> bool {
        let can_pass = match self.rules.stuck {
            Stuck::MoveOrPass => self.can_pass(color),
            Stuck::MoveOnly => false,
        };
        !can_pass
            && !self
                .board
                .vacant()
                .iter()
                .any(|&v| self.check_placement(color, v).is_ok())
    }

    /// Returns true if `color` may pass and can pay for it.
    pub fn can_pass(&self, color: Color) -> bool {
        self.tally.can_pass(&self.rules, self.komi, color)
    }

    /// Returns the counter of `color`. If passes are paid, this is the number of passes that it may
    /// still spend. Otherwise it is the number of stones credited to it, as in [`Game::captured`].
    pub fn counter(&self, color: Color) -> Points {
        self.tally.counter(&self.rules, self.komi, color)
    }

    /// Returns the number of placements of `color` since the history began.
    pub fn placed(&self, color: Color) -> i64 {
        self.turns
            .iter()
            .filter(|turn| turn.color == color && turn.mv != Move::Pass)
            .count() as i64
    }

    /// Plays a move if the referee accepts it. A strict referee rejects every illegal move. A
    /// tolerant referee also accepts repetition, suicide of several stones, and moves after the
    /// end.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let verdict = self.check(color, mv);
        match (verdict, self.rules.referee) {
            (Err(reason), Referee::Strict) => return Err(reason),
            (Err(reason), Referee::Tolerant) if !reason.is_tolerable() => return Err(reason),
            (Err(IllegalMove::GameOver), Referee::Tolerant) => {
                let verdict = match mv {
                    Move::Place(at) => self.check_placement(color, at),
                    Move::Pass => self.check_pass(color),
                };
                if let Err(reason) = verdict
                    && !reason.is_tolerable()
                {
                    return Err(reason);
                }
            }
            (Ok(()) | Err(_), _) => {}
        }
        self.play_unchecked(color, mv);
        Ok(())
    }

    /// Returns true if a pass by `color` now would follow its own pass. Such a pass is an entry of
    /// the history that changes nothing else.
    pub(super) fn repeats_pass(&self, color: Color) -> bool {
        let last = self.turns.last();
        last.is_some_and(|turn| turn.mv == Move::Pass && turn.color == color)
    }

    /// Returns the index of the first situation that superko compares. Taking the button changes
    /// the position, as in KataGo's rules, so no later move repeats an earlier position.
    pub(super) fn first_compared(&self) -> usize {
        if self.tally.button.is_none() || self.rules.first_pass().is_none() {
            return 0;
        }
        let taken = self.turns.iter().position(|turn| turn.mv == Move::Pass);
        taken.map_or(0, |turn| turn + 1)
    }

    /// Plays a move that fits the board, without checking the rules.
    fn play_unchecked(&mut self, color: Color, mv: Move) {
        let mut removed = Vec::new();
        let passed_before = self.tally.passed;
        match mv {
            Move::Place(at) => {
                self.board.place(color, at, |point, stone| {
                    self.tally.remove(&self.rules, color, stone);
                    removed.push((point, stone));
                });
                self.tally.place();
            }
            Move::Pass if self.repeats_pass(color) => {}
            Move::Pass => self.tally.pass(&self.rules, color),
        }
        self.turns.push(Turn {
            color,
            mv,
            removed: removed.into_boxed_slice(),
            passed_before,
            resigned_before: self.resigned.take(),
        });
        self.history
            .push(self.board.hash(), color.next(self.rules.colors));
    }

    /// Undoes the latest move. Returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        self.take_back(1)
    }

    /// Undoes `moves` moves. A resignation counts as a move. If there are fewer, undoes none and
    /// returns `false`.
    pub fn take_back(&mut self, moves: usize) -> bool {
        let earlier = self.turns.iter().map(|turn| turn.resigned_before);
        let resignations = earlier.chain([self.resigned]).flatten().count();
        if moves > self.turns.len() + resignations {
            return false;
        }
        let mut position = None;
        for _ in 0..moves {
            if self.resigned.take().is_some() {
                continue;
            }
            let Some(turn) = self.turns.pop() else { break };
            self.history.pop();
            self.resigned = turn.resigned_before;
            for &(_, stone) in &turn.removed {
                self.tally.restore(&self.rules, turn.color, stone);
            }
            self.tally.passed = turn.passed_before;
            match turn.mv {
                Move::Pass if self.repeats_pass(turn.color) => {}
                Move::Pass => self.tally.take_pass_back(turn.color),
                Move::Place(_) => {
                    let position = position.get_or_insert_with(|| self.board.position());
                    turn.rewind(&self.board, position);
                }
            }
        }
        if let Some(position) = position {
            self.rebuild(position);
        }
        self.follow_rules();
        true
    }

    /// Rebuilds the board, so that the order of its vacant points no longer depends on earlier or
    /// undone moves. Playouts with the same seed are then the same.
    pub fn forget_order(&mut self) {
        self.rebuild(self.board.position());
    }

    /// Sets up this position on the board, in which the latest turn has ended.
    fn rebuild(&mut self, mut position: Vec<Option<Color>>) {
        // A position alone does not show the ko point, which playouts need. So replay the latest
        // placement.
        let latest = self.turns.iter().rev().find_map(|turn| {
            let at = turn.mv.vertex()?;
            Some((turn, at))
        });
        if let Some((latest, at)) = latest {
            latest.rewind(&self.board, &mut position);
            self.board.set_position(&position);
            self.board.place(latest.color, at, |_, _| {});
        } else {
            self.board.set_position(&position);
        }
    }

    /// Returns the number of stones credited to `color`: its captures, and the opponent's suicides.
    /// The rules decide how they are used.
    pub fn captured(&self, color: Color) -> i64 {
        self.tally.won[color.index()]
    }

    /// Returns the legal placements of `color` in index order, then the pass if it is legal. Empty
    /// after the end. A pass that only repeats the color's own is not listed for its own sake.
    pub fn legal_moves(&self, color: Color) -> Vec<Move> {
        if self.resigned.is_some() || self.ended_by_passes() {
            return Vec::new();
        }
        let mut vertices: Vec<Vertex> = self.board.vacant().to_vec();
        vertices.sort_unstable();
        let mut moves: Vec<Move> = vertices
            .into_iter()
            .filter(|&v| self.check_placement(color, v).is_ok())
            .map(Move::Place)
            .collect();
        if self.rules.allows_pass(!moves.is_empty()) && self.can_pass(color) {
            moves.push(Move::Pass);
        }
        moves
    }
}

impl Turn {
    /// Undoes this turn in the position that it led to.
    fn rewind<B: BareBoard>(&self, board: &B, position: &mut [Option<Color>]) {
        if let Move::Place(at) = self.mv {
            for &(point, stone) in &self.removed {
                position[point.index()] = Some(stone);
            }
            // Clear the placed stone last, because suicide lists it among the removed stones.
            board.covered(at, |point| position[point.index()] = None);
        }
    }
}
