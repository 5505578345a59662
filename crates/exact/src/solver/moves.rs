//! Values of the moves of a position, the moves that keep its value, and principal variations.

use super::{FEW_POINTS, Solver};
use crate::answer::{Answer, Bounds};
use crate::limits::Stopped;
use crate::solve::Wish;
use crate::theorem::{self, Theorem};
use omnigo_base::color::Color;
use omnigo_base::hash::FastSet;
use omnigo_base::vertex::Move;
use omnigo_core::board::BareBoard;
use omnigo_core::game::{Game, Outcome};

/// Maximum number of moves of a line that a theorem gives.
const LONGEST: usize = 400;

impl<B: BareBoard> Solver<'_, B> {
    /// Returns the proven bounds of the value with `color` to move. Adds the bounds after each move
    /// and a principal variation if `wish` includes them.
    pub(crate) fn answer(&mut self, game: &Game<B>, color: Color, wish: Wish) -> Answer {
        let (interval, mut stopped) = self.value(game, color);
        let mut answer = Answer {
            bounds: self.bounds(interval),
            pv: Vec::new(),
            pv_ends: false,
            moves: Vec::new(),
            nodes: 0,
            stopped,
            theorem: self.theorem(game, color, interval),
        };
        if answer.theorem == Some(Theorem::Passes) && interval.0 == interval.1 {
            // The player to move loses after every move.
            if wish.moves {
                let legal = game.legal_moves(color).into_iter();
                answer.moves = legal.map(|mv| (mv, answer.bounds)).collect();
            }
            if wish.pv {
                answer.pv = outlasted(game, color);
                answer.pv_ends = ends(game, color, &answer.pv);
            }
            return answer;
        }
        if wish.moves {
            for mv in game.legal_moves(color) {
                // After a limit, later moves get trivial bounds. Other reasons concern one move.
                let (interval, ended) = match stopped.filter(|stopped| stopped.is_limit()) {
                    None => self.after(game, color, mv),
                    Some(limit) => (self.trivial(game), Some(limit)),
                };
                stopped = ended;
                answer.moves.push((mv, self.bounds(interval)));
            }
        }
        if wish.pv && answer.stopped.is_none() {
            answer.pv = self.variation(game, color, interval.0);
            answer.pv_ends = ends(game, color, &answer.pv);
        }
        answer.nodes = self.meter.nodes();
        answer
    }

    /// Returns the theorem that gives one of these bounds, if one does.
    fn theorem(&self, game: &Game<B>, color: Color, found: super::Interval) -> Option<Theorem> {
        let (bounds, theorem) =
            theorem::bounds(game, &self.solver_rules, self.scored_position, color)?;
        (found.0 == bounds.0 || found.1 == bounds.1).then_some(theorem)
    }

    /// Returns the proven bounds of the value after a move, or trivial bounds if it is illegal.
    fn after(
        &mut self,
        game: &Game<B>,
        color: Color,
        mv: Move,
    ) -> (super::Interval, Option<Stopped>) {
        let mut next = game.clone();
        match next.play(color, mv) {
            Ok(()) => self.value(&next, color.other()),
            Err(_) => (self.trivial(game), None),
        }
    }

    /// Returns a line of moves that keep the value, as long as time allows.
    fn variation(&mut self, game: &Game<B>, color: Color, value: i64) -> Vec<Move> {
        let theorem = self.theorem(game, color, (value, value));
        if theorem == Some(Theorem::FirstPlayer) {
            // The first player ties by passing, and the other player has nothing better.
            return vec![Move::Pass, Move::Pass];
        }
        if let Some(line) = self.forward_line(game, color, value) {
            return line;
        }
        if game.board().points() > FEW_POINTS
            && let Ok(Some(line)) = self.backward_line(game, color, value)
        {
            return line;
        }
        let mut game = game.clone();
        let mut color = color;
        let mut moves = Vec::new();
        let mut met = FastSet::default();
        'moves: while !game.ended_by_passes() {
            let passed = game.pass_would_end(color);
            // Under simple ko, a line could return to an earlier position and cycle forever.
            // Paid passes change only the counters, and come to an end.
            let counters = self.solver_rules.counters_of(&game);
            let state = (game.board().position(), color, passed, counters);
            if self.meter.check().is_err() || !met.insert(state) {
                break;
            }
            // A pass that keeps the value ends the line soonest.
            let mut legal = game.legal_moves(color);
            if legal.last() == Some(&Move::Pass) {
                legal.rotate_right(1);
            }
            for mv in legal {
                match self.keeps(&game, color, mv, value) {
                    Ok(true) if game.play(color, mv).is_ok() => {
                        moves.push(mv);
                        color = color.other();
                        continue 'moves;
                    }
                    Err(stopped) if stopped.is_limit() => break 'moves,
                    // If play can cycle forever, this move does not guarantee the value.
                    Ok(_) | Err(_) => {}
                }
            }
            break;
        }
        moves
    }

    /// Returns the proven bounds of the value with `color` to move.
    pub(crate) fn bounded(&mut self, game: &Game<B>, color: Color) -> (Bounds, Option<Stopped>) {
        let (interval, stopped) = self.value(game, color);
        (self.bounds(interval), stopped)
    }

    /// Returns the value with `color` to move and all moves that keep it. `None` if any of this is
    /// not proved.
    pub(crate) fn keepers(&mut self, game: &Game<B>, color: Color) -> Option<(Outcome, Vec<Move>)> {
        let (interval, stopped) = self.value(game, color);
        if stopped.is_some() {
            return None;
        }
        if self.theorem(game, color, interval) == Some(Theorem::Passes) {
            let lost = self.solver_rules.outcome(interval.0);
            return Some((lost, game.legal_moves(color)));
        }
        let mut kept = Vec::new();
        for mv in game.legal_moves(color) {
            match self.keeps(game, color, mv, interval.0) {
                Ok(true) => kept.push(mv),
                Err(stopped) if stopped.is_limit() => return None,
                Ok(false) | Err(_) => {}
            }
        }
        Some((self.solver_rules.outcome(interval.0), kept))
    }

    /// Returns true if a move of `color` is legal and keeps the value.
    fn keeps(
        &mut self,
        game: &Game<B>,
        color: Color,
        mv: Move,
        value: i64,
    ) -> Result<bool, Stopped> {
        let mut next = game.clone();
        if next.play(color, mv).is_err() {
            return Ok(false);
        }
        let goal = match color {
            Color::BLACK => value,
            _ => self.above(game, value),
        };
        let reached = self.reaches(&next, color.other(), goal)?;
        Ok(reached == (color == Color::BLACK))
    }
}

/// Returns a line of [`Theorem::Passes`]: `color` places stones while it can, and the other player
/// passes. The line ends when `color` is stuck, or after [`LONGEST`] moves.
fn outlasted<B: BareBoard>(game: &Game<B>, color: Color) -> Vec<Move> {
    let (mut game, mut moves) = (game.clone(), Vec::new());
    while moves.len() < LONGEST {
        let legal = game.legal_moves(color);
        // Suicide would undo earlier moves, and a placement that adds a stone is shorter.
        let stones = |game: &Game<B>| game.board().position().iter().flatten().count();
        let adds = |mv: &Move| {
            let mut next = game.clone();
            *mv != Move::Pass && next.play(color, *mv).is_ok() && stones(&next) > stones(&game)
        };
        let found = legal.iter().copied().find(adds);
        let Some(mv) = found.or(legal.last().copied()) else {
            break;
        };
        for (color, mv) in [(color, mv), (color.other(), Move::Pass)] {
            if game.play(color, mv).is_err() {
                return moves;
            }
            moves.push(mv);
        }
    }
    moves
}

/// Returns true if these moves end the game.
fn ends<B: BareBoard>(game: &Game<B>, color: Color, moves: &[Move]) -> bool {
    let (mut game, mut color) = (game.clone(), color);
    for &mv in moves {
        if game.play(color, mv).is_err() {
            return false;
        }
        color = color.other();
    }
    game.is_over()
}
