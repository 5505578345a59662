//! Commands that end a game, agree on its end, or take the end back.

use super::access::Role;
use super::commands::{Done, Fault, refused};
use super::room::{Phase, Room};
use crate::color::Color;
use crate::vertex::Move;

impl Room {
    /// Ends the game by a resignation.
    pub(super) fn resign(&mut self, role: Role, color: Option<&str>) -> Result<Done, Fault> {
        let color = match (role, color) {
            // The owner resigns for a person, also while the engine has the move.
            (Role::Owner, None) => {
                let mut colors = Color::all(self.players.len());
                let to_move = self.engine().to_move();
                let person = colors.find(|&color| !self.is_engine(color));
                person
                    .filter(|_| self.is_engine(to_move))
                    .unwrap_or(to_move)
            }
            _ => self.color(role, color)?,
        };
        if self.players.len() != 2 {
            let text = "resignation needs a game of two players";
            return Err(refused("no-resignation", text));
        }
        if self.phase() == Phase::Over {
            return Err(refused("game-over", "the game is over"));
        }
        self.lose(color, "R");
        Ok(Done::Changed)
    }

    /// Accepts the marks of dead stones.
    pub(super) fn agree(&mut self, role: Role, color: Option<&str>) -> Result<Done, Fault> {
        if self.phase() != Phase::Score {
            return Err(refused("phase", "there is nothing to accept now"));
        }
        let color = match (role, color) {
            (Role::Owner, None) => None,
            _ => Some(self.color(role, color)?),
        };
        if color.is_some_and(|color| self.is_engine(color)) {
            return Err(refused("not-yours", "the engine accepts for its own color"));
        }
        self.accept(color);
        Ok(Done::Changed)
    }

    /// Takes back the end of the game: the last passes, or a resignation.
    pub(super) fn resume(&mut self) -> Result<Done, Fault> {
        if self.phase() == Phase::Play {
            return Err(refused("phase", "the game is not over"));
        }
        if matches!(self.ended(), Some(ended) if matches!(ended.lost, Some((_, "T")))) {
            // The clock would end the game again at once.
            return Err(refused("game-over", "the game was lost on time"));
        }
        let mut node = self.record.tree.current();
        self.ends.remove(&node);
        if self.engine().is_over() {
            while let Some((_, Move::Pass)) = self.record.tree.mv(node)
                && let Some(parent) = self.record.tree.parent(node)
            {
                node = parent;
            }
        }
        self.travel(node)
    }
}
