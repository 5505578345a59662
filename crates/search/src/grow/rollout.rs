//! Rollouts of a search thread: from the end of its line to the end of the game, and the count.

use super::limits::Budget;
use super::tree::WIN;
use super::worker::Worker;
use crate::estimate::results::{Results, lead, results_of};
use omnigo_base::color::Color;
use omnigo_core::board::Board;
use omnigo_core::game::{levy, score_census};
use omnigo_core::playout::last_mover::{self, Terms};
use omnigo_core::playout::scored;
use omnigo_core::rules::{Points, Scoring};

impl<B: Board> Worker<'_, B> {
    /// Plays a scored game to its end and counts it. Samples ownership if `notes_ownership`.
    pub(super) fn play_out(&mut self, notes_ownership: bool, budget: &Budget) -> Results {
        let begin = self.begin();
        let board = self.line.board_mut();
        scored::play(
            board,
            begin,
            self.style,
            &mut self.random,
            &mut self.trace,
            || budget.cuts_playouts(),
        );
        if notes_ownership {
            self.ownership.add(self.line.board());
        }
        self.count()
    }

    /// Plays a game to its end under `end=stuck`.
    pub(super) fn play_to_the_last(&mut self, budget: &Budget) -> Results {
        let rules = self.game.rules();
        let mut terms = Terms {
            passes: self.line.passes_of_the_stuck(),
            suicide: rules.suicide,
        };
        let begin = self.begin();
        self.seen.clear();
        let board = self.line.board_mut();
        let random = &mut self.random;
        let stuck = last_mover::play(
            board,
            begin,
            &mut terms,
            &mut self.seen,
            random,
            &mut self.trace,
            || budget.cuts_playouts(),
        );
        match (stuck, rules.scoring) {
            (Some(loser), Scoring::None) => {
                let mut results = [WIN; Color::MAX];
                results[loser.index()] = 0;
                results
            }
            // The playout was cut short. Room to move decides the game, and area approximates it.
            (None, Scoring::None) => {
                let census = self.line.board().census();
                let unit = self.line.board().unit();
                let room = |c: usize| {
                    let passes = terms.passes.map_or(0, |passes| passes[c]);
                    unit * (census.stones[c] + census.enclosed[c]) + Points::whole(passes)
                };
                results_of(
                    &std::array::from_fn(room),
                    rules,
                    self.game.board().points(),
                )
            }
            (_, Scoring::Area | Scoring::Stones | Scoring::Territory) => self.count(),
        }
    }

    /// Counts the position at the end of the line or of its playout, and returns the results.
    pub(super) fn count(&mut self) -> Results {
        let rules = self.game.rules();
        let mut census = self.line.board().census();
        // A finished playout leaves no chains in seki that could be told from living ones.
        levy(rules.tax, self.line.board(), &[], &mut census);
        let unit = self.line.board().unit();
        let (initial, prisoners) = (self.game.initial_scores(), self.line.prisoners());
        let count =
            |rules| score_census(&census, unit, rules, self.game.komi(), initial, prisoners);
        let mut scores = match (rules.scoring, &self.area_to_territory) {
            // Territory plus prisoners equals area minus the stones that a color has put on the
            // board. Playout stones are not subtracted: they fill territory, unlike real moves.
            (Scoring::Territory, Some(area_to_territory)) => {
                let mut scores = count(&area_to_territory.rules);
                for color in Color::all(rules.colors) {
                    let put =
                        area_to_territory.put[color.index()] + i64::from(self.line.placed(color));
                    scores[color.index()] -= Points::whole(put);
                }
                scores
            }
            (Scoring::Area | Scoring::Stones | Scoring::None | Scoring::Territory, _) => {
                count(rules)
            }
        };
        scores[Color::WHITE.index()] += self.line.handicap_bonus();
        if let Some((color, worth)) = self.line.button() {
            scores[color.index()] += worth;
        }
        self.margin = Some(lead(&scores, rules, self.to_move.index()).halves());
        if self.guide.is_none() {
            scores[Color::WHITE.index()] += self.shared.compensation;
        }
        results_of(&scores, rules, self.game.board().points())
    }
}
