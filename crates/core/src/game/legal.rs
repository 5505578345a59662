//! Legality of moves.

use super::Game;
use crate::board::BareBoard;
use crate::rules::{Ko, Passing, Stuck, Suicide};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};

/// Reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is no such vertex.
    #[error("no such vertex")]
    NoVertex,
    /// This color does not take part in the game.
    #[error("no such player")]
    NoPlayer,
    /// The vertex is occupied.
    #[error("occupied")]
    Occupied,
    /// The move would only remove its own stone.
    #[error("suicide of a single stone")]
    NoEffect,
    /// The move would remove its own chain, which the rules forbid.
    #[error("suicide")]
    Suicide,
    /// The move would restore the position before the opponent's move.
    #[error("ko")]
    Ko,
    /// The move would restore an earlier position.
    #[error("superko")]
    Superko,
    /// The rules do not allow passes.
    #[error("the rules do not allow passes")]
    NoPass,
    /// The player cannot pay for the pass.
    #[error("no prisoner left to pay for the pass")]
    NoPrisoner,
    /// Resignation would leave several players.
    #[error("resignation needs a game of two players")]
    NoResignation,
    /// The game has ended, or the player to move is stuck and thereby ends it.
    #[error("the game is over")]
    GameOver,
}

impl IllegalMove {
    /// Returns true if a tolerant referee accepts the move anyway.
    pub(super) fn is_tolerable(self) -> bool {
        match self {
            IllegalMove::Suicide
            | IllegalMove::Ko
            | IllegalMove::Superko
            | IllegalMove::GameOver => true,
            IllegalMove::NoVertex
            | IllegalMove::NoPlayer
            | IllegalMove::Occupied
            | IllegalMove::NoEffect
            | IllegalMove::NoPass
            | IllegalMove::NoPrisoner
            | IllegalMove::NoResignation => false,
        }
    }
}

impl<B: BareBoard> Game<B> {
    /// Checks whether the rules allow the move, as a strict referee would. Otherwise returns the
    /// reason.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color.index() >= self.rules.colors {
            return Err(IllegalMove::NoPlayer);
        }
        if let Move::Place(at) = mv {
            if at.index() >= self.board.placements() {
                return Err(IllegalMove::NoVertex);
            }
            if !self.board.has_room(at) {
                return Err(IllegalMove::Occupied);
            }
        }
        if self.resigned.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if mv == Move::Pass && self.repeats_pass(color) {
            return Ok(());
        }
        if self.ended_by_passes() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Place(at) => self.check_placement(color, at),
            Move::Pass => self.check_pass(color),
        }
    }

    pub(super) fn check_pass(&self, color: Color) -> Result<(), IllegalMove> {
        if !self.can_pass(color) {
            return Err(match self.rules.passing {
                Passing::Never => IllegalMove::NoPass,
                Passing::Free | Passing::Prisoners => IllegalMove::NoPrisoner,
            });
        }
        match self.rules.stuck {
            Stuck::MoveOrPass => Ok(()),
            Stuck::MoveOnly if self.is_stuck(color) => Err(IllegalMove::GameOver),
            Stuck::MoveOnly => Ok(()),
        }
    }

    /// Checks whether the rules allow a stone of `color` on the vacant vertex `at`. Ignores whether
    /// the game is over.
    pub(super) fn check_placement(&self, color: Color, at: Vertex) -> Result<(), IllegalMove> {
        let preview = self.board.preview(color, at);
        if preview.lost > 0
            && preview.hash == self.board.hash()
            && self.recurs(color, at, self.history.len() - 1)
        {
            return Err(IllegalMove::NoEffect);
        }
        if preview.suicide && self.rules.suicide == Suicide::Forbidden {
            return Err(IllegalMove::Suicide);
        }
        let next = color.next(self.rules.colors);
        match self.rules.ko {
            Ko::Simple => {
                let recurs = self.latest_move_of_others(color).is_some_and(|turn| {
                    self.history.hash_back(self.turns.len() - turn) == Some(preview.hash)
                        && self.recurs(color, at, turn)
                });
                match recurs {
                    true => Err(IllegalMove::Ko),
                    false => Ok(()),
                }
            }
            Ko::Positional => self.check_unseen(color, at, preview.hash, None),
            Ko::Situational => self.check_unseen(color, at, preview.hash, Some(next)),
        }
    }

    /// Returns the index of the turn that simple ko protects from `color`. It is the latest turn.
    /// If several other players have moved since the last turn of `color`, it is the one before
    /// their passes at the end.
    fn latest_move_of_others(&self, color: Color) -> Option<usize> {
        let mut latest = self.turns.len().checked_sub(1)?;
        while let Some(before) = latest.checked_sub(1)
            && self.turns[latest].mv == Move::Pass
            && self.turns[latest].color != color
            && ![color, self.turns[latest].color].contains(&self.turns[before].color)
        {
            latest = before;
        }
        Some(latest)
    }

    fn check_unseen(
        &self,
        color: Color,
        at: Vertex,
        hash: u64,
        next: Option<Color>,
    ) -> Result<(), IllegalMove> {
        let first = self.first_compared();
        let repeats = self
            .history
            .seen(hash, next)
            .take_while(|&index| index >= first)
            .any(|index| self.recurs(color, at, index));
        if repeats {
            Err(IllegalMove::Superko)
        } else {
            Ok(())
        }
    }

    /// Returns true if a stone of `color` at `at` leads to the position of situation `index`.
    /// Compares the positions themselves, so hash collisions do no harm.
    fn recurs(&self, color: Color, at: Vertex, index: usize) -> bool {
        let mut then = self.board.position();
        for turn in self.turns.iter().skip(index).rev() {
            turn.rewind(&self.board, &mut then);
        }
        let mut board = self.board.clone();
        board.place(color, at, |_, _| {});
        board.position() == then
    }
}
