//! A game: board, ruleset and history. The one place where rules meet boards.
//!
//! Legality, repetition, passes, counters and the end are written here once, over [`Board`].

mod end;
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

use crate::board::Board;
use crate::color::Color;
use crate::rules::{Points, Referee, Ruleset, Stuck};
use crate::vertex::{Move, Vertex};
use history::History;
use tally::Tally;

/// One turn, with what it takes to take it back.
#[derive(Clone, Debug)]
struct Turn {
    color: Color,
    mv: Move,
    /// Stones that left the board, the placed one too where it was suicide.
    removed: Box<[(Vertex, Color)]>,
    /// Colours that had passed since the latest placement, before this turn.
    passed_before: u8,
}

/// A game on some board, from its starting position to the present one.
///
/// ```
/// use omnigo::board::grid::{Grid, GridBoard};
/// use omnigo::color::Color;
/// use omnigo::game::Game;
/// use omnigo::rules::{Points, presets};
/// use omnigo::vertex::{Move, Vertex};
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
pub struct Game<B: Board> {
    board: B,
    rules: Ruleset,
    komi: Points,
    /// Points that each colour has before anything is counted.
    initial: [Points; Color::MAX],
    /// Black's handicap stones in the start.
    handicap: u32,
    /// True if Black's moves before White's first count as handicap stones too.
    handicap_moves: bool,
    /// The colouring in which the history begins.
    start: Vec<Option<Color>>,
    /// Who moves first in it.
    first: Color,
    /// Whether that is because the rules say so.
    follows: bool,
    turns: Vec<Turn>,
    history: History,
    tally: Tally,
    /// The color that resigned; that ended the game.
    resigned: Option<Color>,
}

impl<B: Board> Game<B> {
    /// A new game from the position on `board`, with `first` to move.
    pub fn new(board: B, rules: Ruleset, komi: Points, first: Color) -> Game<B> {
        let start = board.position();
        let history = History::new(board.hash(), first);
        let follows = first == rules.first;
        Game {
            board,
            rules,
            komi,
            initial: [Points::ZERO; Color::MAX],
            handicap: 0,
            handicap_moves: true,
            start,
            first,
            follows,
            turns: Vec::new(),
            history,
            tally: Tally::default(),
            resigned: None,
        }
    }

    /// The present position.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The rules in force.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Replaces the rules; position and history stay and are judged anew.
    pub fn set_rules(&mut self, rules: Ruleset) {
        let recount = self.rules.button != rules.button;
        self.rules = rules;
        self.follow_rules();
        if recount {
            self.recount_passes();
        }
    }

    /// At the start of a game whose first player is that of the rules: lets theirs begin, who may have changed.
    fn follow_rules(&mut self) {
        if self.turns.is_empty() && self.follows && self.first != self.rules.first {
            self.first = self.rules.first;
            self.history = History::new(self.board.hash(), self.first);
        }
    }

    /// Passes mean something else under other rules.
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

    /// The komi.
    pub fn komi(&self) -> Points {
        self.komi
    }

    /// Replaces the komi.
    pub fn set_komi(&mut self, komi: Points) {
        self.komi = komi;
    }

    /// The points that each colour has before anything is counted; komi is not among them.
    pub fn initial_scores(&self) -> &[Points; Color::MAX] {
        &self.initial
    }

    /// Gives each colour so many points before anything is counted.
    pub fn set_initial_scores(&mut self, initial: [Points; Color::MAX]) {
        self.initial = initial;
    }

    /// How many stones of the start are Black's handicap; a new start has none.
    pub fn set_handicap(&mut self, stones: u32) {
        self.handicap = stones;
    }

    /// Black's handicap stones in the start.
    pub fn handicap(&self) -> u32 {
        self.handicap
    }

    /// Sets whether two or more moves of Black before White's first count as handicap stones.
    pub fn set_handicap_moves(&mut self, count: bool) {
        self.handicap_moves = count;
    }

    /// Returns the number of Black's handicap stones: those of the start, and Black's moves before
    /// White's first.
    ///
    /// Servers, bridges and game records place handicap stones with `play`. A single move of
    /// Black is the first move of an even game. A start with white stones has no handicap moves.
    pub fn handicap_stones(&self) -> u32 {
        let placed = self.turns.iter().filter(|turn| turn.mv != Move::Pass);
        let before = placed.take_while(|turn| turn.color == Color::BLACK);
        let moves = before.count();
        let counts = self.handicap_moves && self.rules.colors == 2 && moves > 1;
        let white = |stone: &Option<Color>| stone.is_some_and(|color| color != Color::BLACK);
        if !counts || self.start.iter().any(white) {
            return self.handicap;
        }
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        self.handicap.saturating_add(moves)
    }

    /// The points that White gets for Black's handicap. A start after which White is the only one to move is a position that is
    /// being set up, and no handicap.
    pub fn handicap_bonus(&self) -> Points {
        let mut first = self.turns.iter().map(|turn| turn.color).take(2);
        if first.len() == 2 && first.all(|color| color == Color::WHITE) {
            return Points::ZERO;
        }
        self.rules.handicap_bonus(self.handicap_stones())
    }

    /// Who has taken the button, and what it is worth.
    pub fn button(&self) -> Option<(Color, Points)> {
        self.tally.button(&self.rules)
    }

    /// The colouring in which the history begins, in index order.
    pub fn start(&self) -> &[Option<Color>] {
        &self.start
    }

    /// The moves since then.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Move)> + ExactSizeIterator + '_ {
        self.turns.iter().map(|turn| (turn.color, turn.mv))
    }

    /// Every position so far with the player to move in it, the present one last. A pass repeats the position.
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

    /// Whose turn it is: the colour after the one that moved last, at the start the one that moves first.
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
        self.follows = first == self.rules.first;
        self.turns.clear();
        self.history = History::new(self.board.hash(), first);
        self.handicap = 0;
        self.tally = Tally::default();
        self.resigned = None;
    }

    /// Whether the players' passes have ended the game.
    pub fn ended_by_passes(&self) -> bool {
        self.tally.ended_by_passes(&self.rules)
    }

    /// Whether a pass by `color` would end the game.
    pub fn pass_would_end(&self, color: Color) -> bool {
        self.tally.pass_would_end(&self.rules, color)
    }

    /// Whether `color` lacks what the ruleset asks for in order to go on.
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

    /// Whether a pass by `color` is allowed and paid for.
    pub fn can_pass(&self, color: Color) -> bool {
        self.tally.can_pass(&self.rules, self.komi, color)
    }

    /// Passes that `color` may still spend where passes are paid, else stones that it has captured.
    pub fn counter(&self, color: Color) -> Points {
        self.tally.counter(&self.rules, self.komi, color)
    }

    /// Placements of `color` since the history began.
    pub fn placed(&self, color: Color) -> i64 {
        self.turns
            .iter()
            .filter(|turn| turn.color == color && turn.mv != Move::Pass)
            .count() as i64
    }

    /// Plays a move as the ruleset's referee has it: strictly, or letting through what servers let through.
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
        self.resigned = None;
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
    /// the position, as in KataGo's rules: no later move repeats an earlier one.
    pub(super) fn first_compared(&self) -> usize {
        if self.tally.button.is_none() || self.rules.first_pass().is_none() {
            return 0;
        }
        let taken = self.turns.iter().position(|turn| turn.mv == Move::Pass);
        taken.map_or(0, |turn| turn + 1)
    }

    /// Plays a move that fits the board.
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
        });
        self.history
            .push(self.board.hash(), color.next(self.rules.colors));
    }

    /// Takes the latest move back; `false` when there is none.
    pub fn undo(&mut self) -> bool {
        self.take_back(1)
    }

    /// Takes so many moves back, all or none; `false` when there are fewer.
    pub fn take_back(&mut self, moves: usize) -> bool {
        let resigned = usize::from(self.resigned.is_some() && moves > 0);
        let Some(left) = (self.turns.len() + resigned).checked_sub(moves) else {
            return false;
        };
        if resigned > 0 {
            self.resigned = None;
        }
        let mut position = None;
        while self.turns.len() > left
            && let Some(turn) = self.turns.pop()
        {
            self.history.pop();
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
        if let Some(mut position) = position {
            // A bare colouring does not say where playouts must not recapture at once: the placement that led to it does.
            let earlier = self.turns.iter().rev().find_map(|turn| {
                let at = turn.mv.vertex()?;
                Some((turn, at))
            });
            if let Some((earlier, at)) = earlier {
                earlier.rewind(&self.board, &mut position);
                self.board.set_position(&position);
                self.board.place(earlier.color, at, |_, _| {});
            } else {
                self.board.set_position(&position);
            }
        }
        self.follow_rules();
        true
    }

    /// Stones that `color` has won, in whatever way the rules use them.
    pub fn captured(&self, color: Color) -> i64 {
        self.tally.won[color.index()]
    }

    /// The placements that the rules allow `color`, in index order, then the pass where there is one; none after the end.
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
        if self.rules.may_wait(!moves.is_empty()) && self.can_pass(color) {
            moves.push(Move::Pass);
        }
        moves
    }
}

impl Turn {
    /// Takes this turn out of the colouring that it led to.
    fn rewind<B: Board>(&self, board: &B, position: &mut [Option<Color>]) {
        if let Move::Place(at) = self.mv {
            for &(point, stone) in &self.removed {
                position[point.index()] = Some(stone);
            }
            // After the removed stones: suicide lists the placed stone among them.
            board.covered(at, |point| position[point.index()] = None);
        }
    }
}
