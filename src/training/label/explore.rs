//! Searches of the student in labeled games.
//!
//! A search evaluates positions that games do not reach: bad moves and the replies to them. A
//! network that errs there misleads the search. So the teacher also labels such positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::super::draw;
use crate::board::Board;
use crate::game::Game;
use crate::net::kernels::Kernel;
use crate::net::{Network, Weights};
use crate::playout::{Random, Style};
use crate::search::{Guidance, Limits, SearchResult, Searcher, Settings};
use crate::vertex::Move;

/// Memory of a game's search trees and evaluations, in bytes. Enough for 200 visits on 19x19.
const MEMORY: usize = 16 << 20;
/// Minimum number of visits of a search. A single visit has no variations.
const LEAST_VISITS: u64 = 4;

/// Settings of the student's searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searches {
    /// Probability that the student searches before a move.
    pub share: f64,
    /// Maximum number of visits. Each search draws its number.
    pub visits: u64,
    /// Maximum number of labeled positions of each search.
    pub positions: u16,
}

/// Searcher for the student's moves of a game.
pub struct Explorer {
    searches: Searches,
    searcher: Searcher,
}

impl Explorer {
    /// Returns the searcher of a game.
    pub fn new(
        searches: Searches,
        student: &Arc<Network>,
        kernel: Kernel,
        random: &mut Random,
    ) -> Explorer {
        let network = Weights::Omnigo(Arc::clone(student));
        Explorer {
            searches,
            searcher: Searcher::new(Settings {
                threads: 1,
                seed: random.word(),
                memory: MEMORY,
                style: Style::Tactical,
                guidance: Some(Guidance::new(network, kernel, true)),
            }),
        }
    }

    /// Searches the present position of a game, or decides not to. No visits are kept from earlier
    /// searches.
    pub fn search<B: Board>(
        &mut self,
        game: &Game<B>,
        random: &mut Random,
    ) -> Option<SearchResult> {
        if !draw::happens(random, self.searches.share) {
            return None;
        }
        let span = self.searches.visits.saturating_sub(LEAST_VISITS) as usize;
        let limits = Limits {
            playouts: Some(LEAST_VISITS + random.below(span + 1) as u64),
            ..Limits::default()
        };
        let (stop, start) = (AtomicBool::new(false), Instant::now());
        self.searcher.forget_tree();
        let found = self
            .searcher
            .think(game, game.to_move(), limits, &stop, start);
        Some(found)
    }

    /// Draws moves that lead to positions of a search, without repetitions. Each is the beginning
    /// of a variation.
    pub fn lines(&self, result: &SearchResult, random: &mut Random) -> Vec<Vec<Move>> {
        let weight = |line: &Vec<(Move, u32)>| {
            // The square root favors moves with few visits. Most of them are bad moves.
            line.first().map_or(0.0, |&(_, n)| f64::from(n).sqrt())
        };
        let weighted = result.variations.iter().map(|line| (line, weight(line)));
        let weighted: Vec<_> = weighted.filter(|&(_, weight)| weight > 0.0).collect();
        let mut lines: Vec<Vec<Move>> = Vec::new();
        for _ in 0..self.searches.positions {
            let Some(line) = draw::weighted(&weighted, random) else {
                break;
            };
            let length = 1 + random.below(line.len());
            let moves: Vec<Move> = line[..length].iter().map(|&(mv, _)| mv).collect();
            if !lines.contains(&moves) {
                lines.push(moves);
            }
        }
        lines
    }
}

/// Returns each visited move's share of the visits of a search.
pub fn shares(result: &SearchResult) -> Vec<(Move, f32)> {
    let share = |visits: u32| visits as f32 / result.visits.max(1) as f32;
    let visited = result.candidates.iter().filter(|c| c.visits > 0);
    visited.map(|c| (c.mv, share(c.visits))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::color::Color;
    use crate::rules::presets;
    use crate::training::boards::Size;

    #[test]
    fn lines_lead_to_different_positions_of_the_search() {
        let rules = presets::find("cgos").unwrap().rules.clone();
        let (width, height) = (7, 7);
        let size = Size { width, height };
        let komi = size.fair_komi();
        let game = Game::new(size.board(rules.colors), rules, komi, Color::BLACK);
        let student = Network::built_in().unwrap();
        let mut random = Random::new(5);
        let searches = Searches {
            share: 1.0,
            visits: 60,
            positions: 30,
        };
        let kernel = Kernel::Portable;
        let mut explorer = Explorer::new(searches, &student, kernel, &mut random);
        let mut lengths = HashSet::new();
        for _ in 0..3 {
            let found = explorer.search(&game, &mut random).unwrap();
            assert!((4..=60).contains(&found.visits), "{}", found.visits);
            let lines = explorer.lines(&found, &mut random);
            let different: HashSet<_> = lines.iter().collect();
            assert_eq!(different.len(), lines.len());
            assert!(!lines.is_empty());
            for line in &lines {
                let begins = |variation: &Vec<(Move, u32)>| {
                    let moves = variation.iter().map(|(mv, _)| mv);
                    moves.take(line.len()).eq(line)
                };
                assert!(found.variations.iter().any(begins), "{line:?}");
            }
            lengths.extend(lines.iter().map(Vec::len));
        }
        assert!(lengths.len() > 1, "{lengths:?}");
        explorer.searches.share = 0.0;
        assert!(explorer.search(&game, &mut random).is_none());
    }
}
