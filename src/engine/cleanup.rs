//! What players ask around the end of a game: who owns what, what was captured, and how the dead come off the board.

use super::folding::Folding;
use super::{Analysis, Choice, Engine, Inquiry};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::rules::{DeadStones, End, Ruleset, Scoring};
use crate::search::Ownership;
use crate::vertex::{Move, Vertex};

/// Playouts behind a view of who owns what.
const SAMPLES: usize = 256;

impl Engine {
    /// Whether the game is over: by passes, or because the player to move is stuck where that decides.
    pub fn is_over(&self) -> bool {
        self.table.is_over()
    }

    /// Stones won by each color that plays, whatever the ruleset does with them.
    pub fn captured(&self) -> Vec<i64> {
        Color::all(self.rules().colors)
            .map(|color| self.table.captured(color))
            .collect()
    }

    /// The color of the stone at each vertex. Where stones cover several points, one stands where all of them have its color.
    pub fn stones(&self) -> Vec<Option<Color>> {
        stones(&self.goban, &self.position())
    }

    /// Who owns each point after playouts from the position, from -1 (another's for sure) to 1 (`color`'s for sure), a number
    /// a vertex; the same answer every time.
    pub fn ownership(&self, color: Color) -> Vec<f64> {
        let sampled = self.table.sample(SAMPLES);
        let share = |point: Vertex| {
            let own = sampled.share(point, color);
            own - others(&sampled, point, color, self.rules().colors)
        };
        self.goban
            .graph
            .all()
            .map(|vertex| {
                let points = match self.folding {
                    Folding::Placements(_) => vec![vertex],
                    Folding::Same => self.goban.covered(vertex),
                };
                let sum: f64 = points.iter().map(|&point| share(point)).sum();
                sum / points.len().max(1) as f64
            })
            .collect()
    }

    /// Decides on a move as [`Engine::genmove_watched`] does and plays it, taking everything dead off before a pass: afterwards
    /// all stones on the board count as alive. A game that passes have ended goes on.
    pub fn genmove_cleanup(
        &mut self,
        inquiry: &Inquiry,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let rules = self.rules().clone();
        match rules.end {
            // Nothing is counted there, so nothing has to be cleared up.
            End::Stuck => return self.genmove_watched(inquiry, report),
            End::Passes => {}
        }
        self.table.resume();
        self.table.set_rules(as_it_stands(&rules));
        let resign_below = std::mem::replace(&mut self.options.resign_below, 0.0);
        let choice = self.genmove_watched(inquiry, report);
        self.options.resign_below = resign_below;
        self.table.set_rules(rules);
        choice
    }

    /// Plays these moves, all or none.
    ///
    /// # Errors
    /// The number of the first move that is refused, from 0, and why; then nothing changes.
    pub fn play_all(
        &mut self,
        moves: &[(Color, Move)],
    ) -> Result<(), (usize, crate::game::IllegalMove)> {
        // A pass repeated by its color adds no turn, so that counting the moves played would take back too many.
        let turns = self.table.turns();
        for (number, &(color, mv)) in moves.iter().enumerate() {
            if let Err(reason) = self.table.play(color, mv) {
                self.table.take_back(self.table.turns() - turns);
                return Err((number, reason));
            }
        }
        Ok(())
    }

    /// Forgets what earlier searches found.
    pub fn forget_search(&mut self) {
        self.table.forget();
    }

    /// Forgets them and what chance they had taken, so that the next search is as the first of a game.
    pub fn renew_search(&mut self) {
        self.table.renew();
    }

    /// Takes back so many moves, all or none; `false` when there are fewer.
    pub fn undo_all(&mut self, moves: usize) -> bool {
        self.table.take_back(moves)
    }
}

/// The same game in which nobody agrees about dead stones, and stones on the board count.
fn as_it_stands(rules: &Ruleset) -> Ruleset {
    Ruleset {
        dead: DeadStones::None,
        scoring: match rules.scoring {
            Scoring::Territory => Scoring::Area,
            other @ (Scoring::Area | Scoring::Stones | Scoring::None) => other,
        },
        ..rules.clone()
    }
}

/// How often a color other than `color` owned the point.
fn others(sampled: &Ownership, point: Vertex, color: Color, colors: usize) -> f64 {
    Color::all(colors)
        .filter(|&other| other != color)
        .map(|other| sampled.share(point, other))
        .sum()
}

/// The color of the stone at each vertex of this position of the goban.
fn stones(goban: &Goban, position: &[Option<Color>]) -> Vec<Option<Color>> {
    goban
        .graph
        .all()
        .map(|vertex| {
            let covered = goban.covered(vertex);
            let mut colors = covered
                .iter()
                .map(|point| position.get(point.index()).copied().flatten());
            let first = colors.next().flatten();
            first.filter(|_| colors.all(|color| color == first))
        })
        .collect()
}
