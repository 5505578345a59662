//! Captures and rescues in playouts. The code uses only chains and liberties, so it works on every
//! graph.

use super::{has_two_liberties_after, is_nakade, vital_point};
use crate::board::{Board, MAX_LOCAL_DEGREE};
use crate::patterns::neighborhoods;
use omnigo_base::color::Color;
use omnigo_base::random::Random;
use omnigo_base::vertex::Vertex;

/// Probability, in percent, of playing a tactical answer that was found. Playouts that always
/// answer repeat the same mistake.
const ANSWER: usize = 90;

/// Probability, in percent, of examining chains with two liberties.
const SHORT: usize = 50;

/// Minimum number of captured stones that may leave space for two eyes.
const ROOM: usize = 3;

/// Returns an answer of `color` to the stone just placed at `last`, which captured `captured`
/// stones. Returns `None` if there is no answer, or at random.
///
/// The answer comes from the first of these groups that contains a move:
/// - captures of the chain of that stone, and rescues of adjacent own chains in atari,
/// - the vital point of the eye that the capture created,
/// - ataris and extensions of chains with two liberties (see `SHORT`),
/// - moves suggested by local shapes, or by codes on boards that are not square lattices.
#[inline]
pub(crate) fn answer<B: Board>(
    board: &B,
    color: Color,
    last: Vertex,
    captured: usize,
    random: &mut Random,
) -> Option<Vertex> {
    let mut options = Options::default();
    board.at(last)?;
    if board.degree(last) > MAX_LOCAL_DEGREE {
        return None;
    }
    // The stone just placed is in atari: capture it.
    if let Some(liberty) = board.sole_liberty(last) {
        options.add_playable(board, color, liberty);
    }
    for stone in board.around(last) {
        if board.at(stone) == Some(color)
            && let Some(liberty) = board.sole_liberty(stone)
        {
            rescue(board, color, stone, liberty, &mut options);
        }
    }
    if options.count == 0
        && captured >= ROOM
        && let Some(at) = vital_point(board, last)
    {
        options.add_playable(board, color, at);
    }
    if options.count == 0 && random.percent(SHORT) {
        fight(board, color, last, &mut options);
    }
    if options.count == 0 {
        let mut codes = [(Vertex::NONE, 0); MAX_LOCAL_DEGREE];
        if let Some(count) = board.neighborhood_codes(color, last, &mut codes) {
            let at = neighborhoods::draw(&codes[..count], random)?;
            options.add_playable(board, color, at);
            return (options.count > 0 && has_two_liberties_after(board, color, at)).then_some(at);
        }
        let mut found = [Vertex::NONE; 8];
        let count = board.suggested(last, &mut found);
        for &at in &found[..count] {
            if has_two_liberties_after(board, color, at) {
                options.add_playable(board, color, at);
            }
        }
    }
    if options.count == 0 || !random.percent(ANSWER) {
        return None;
    }
    Some(options.moves[random.below(options.count)])
}

/// Adds ways to save the chain of `stone` from atari: extending where this gains liberties, and
/// capturing surrounding chains.
fn rescue<B: Board>(
    board: &B,
    color: Color,
    stone: Vertex,
    liberty: Vertex,
    options: &mut Options,
) {
    if board.degree(liberty) <= MAX_LOCAL_DEGREE && has_two_liberties_after(board, color, liberty) {
        options.add_playable(board, color, liberty);
    }
    let mut seen = 0;
    board.for_chain(stone, |member| {
        if seen > 24 {
            return;
        }
        for other in board.around(member) {
            seen += 1;
            if board.at(other).is_some_and(|c| c != color)
                && let Some(liberty) = board.sole_liberty(other)
            {
                options.add_playable(board, color, liberty);
            }
        }
    });
}

/// Adds moves near the stone just placed at `last` where chains have two liberties: ataris on its
/// chain, and extensions of adjacent own chains.
fn fight<B: Board>(board: &B, color: Color, last: Vertex, options: &mut Options) {
    let mut found = [Vertex::NONE; 8];
    if board.liberties(last, 3, &mut found) == 2 {
        for &at in &found[..2] {
            if board.degree(at) <= MAX_LOCAL_DEGREE && has_two_liberties_after(board, color, at) {
                options.add_playable(board, color, at);
            }
        }
    }
    for stone in board.around(last) {
        if board.at(stone) == Some(color) && board.liberties(stone, 3, &mut found) == 2 {
            for &at in &found[..2] {
                let mut vacant = board.around(at).filter(|&near| board.at(near).is_none());
                // Extending uses up one liberty, so the new stone needs two empty neighbors to gain
                // any.
                if vacant.nth(1).is_some() {
                    options.add_playable(board, color, at);
                }
            }
        }
    }
}

/// Returns true if a stone of `color` at `at` leaves an own chain with one liberty and captures
/// nothing.
#[inline]
pub(crate) fn throws_away<B: Board>(board: &B, color: Color, at: Vertex) -> bool {
    if board.degree(at) > MAX_LOCAL_DEGREE {
        return false;
    }
    let mut vacant = 0;
    let mut friends = false;
    for near in board.around(at) {
        match board.at(near) {
            None => vacant += 1,
            Some(other) => friends |= other == color,
        }
        if vacant > 1 {
            return false;
        }
    }
    // Throwing in a lone stone can be useful, and so can a nakade. Losing any other chain is not.
    friends && !has_two_liberties_after(board, color, at) && !is_nakade(board, color, at)
}

/// A small set of candidate moves.
struct Options {
    moves: [Vertex; 8],
    count: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            moves: [Vertex::NONE; 8],
            count: 0,
        }
    }
}

impl Options {
    #[inline]
    fn add_playable<B: Board>(&mut self, board: &B, color: Color, at: Vertex) {
        if self.count < self.moves.len()
            && !self.moves[..self.count].contains(&at)
            && board.ko_point() != Some(at)
            && board.playable(color, at)
        {
            self.moves[self.count] = at;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::{self, both, stones};

    /// Returns Black's answers to the stone on `last` in 1,000 tries, with their counts, sorted by
    /// point.
    fn answers<B: Board>(board: &B, last: usize) -> Vec<(usize, usize)> {
        let mut random = Random::new(1);
        let mut counts = vec![0; board.points()];
        for _ in 0..1000 {
            if let Some(at) = answer(board, Color::BLACK, Vertex::at(last), 0, &mut random) {
                counts[at.index()] += 1;
            }
        }
        counts
            .into_iter()
            .enumerate()
            .filter(|&(_, n)| n > 0)
            .collect()
    }

    /// Returns the only answer to a position and checks that both boards agree. It is played in 90
    /// % of all tries.
    #[track_caller]
    fn only_answer(rows: [&str; 5], last: usize) -> usize {
        let (grid, graph) = both(&rows);
        let found = answers(&grid, last);
        assert_eq!(found, answers(&graph, last));
        let [(at, count)] = found[..] else {
            panic!("{found:?}");
        };
        assert!((850..950).contains(&count), "{found:?}");
        at
    }

    #[test]
    fn a_stone_in_atari_is_captured() {
        let rows = [".....", ".....", ".XOX.", "..X..", "....."];
        assert_eq!(only_answer(rows, 12), 17);
    }

    #[test]
    fn a_chain_in_atari_extends() {
        let rows = [".....", ".....", ".OXO.", "..O..", "....."];
        assert_eq!(only_answer(rows, 13), 17);
    }

    #[test]
    fn a_chain_that_cannot_extend_captures_an_attacker() {
        // D1 would leave C1 and D1 without a liberty. The stone on B1 can be captured.
        let rows = [".....", ".....", ".....", ".XOO.", ".OX.O"];
        assert_eq!(only_answer(rows, 7), 0);
    }

    #[test]
    fn answers_are_near_chains_of_two_liberties() {
        // The stone on C3 has two liberties, D3 and C4, and no chain is in atari.
        let rows = [".....", ".....", ".XO..", "..X..", "....."];
        let (grid, graph) = both(&rows);
        let found = answers(&grid, 12);
        assert_eq!(found, answers(&graph, 12));
        for liberty in [13, 17] {
            let count = found
                .iter()
                .find(|(at, _)| *at == liberty)
                .map_or(0, |f| f.1);
            assert!(count > 150, "{found:?}");
        }
        // C2 leaves B2 with two liberties, A2 and B3. A move on either one gains liberties.
        let rows = [".....", ".....", ".....", ".XO..", ".O..."];
        let found = answers(&diagram::grid(&rows), 7);
        for liberty in [5, 11] {
            assert!(found.iter().any(|(at, _)| *at == liberty), "{found:?}");
        }
    }

    #[test]
    fn avoids_self_atari_of_chains_but_not_of_single_stones() {
        let (grid, graph) = both(&[".....", ".....", "O....", "XO...", ".O.O."]);
        let throws = |at: usize| {
            let at = Vertex::at(at);
            let found = throws_away(&grid, Color::BLACK, at);
            assert_eq!(found, throws_away(&graph, Color::BLACK, at));
            found
        };
        assert!(throws(0), "A2 has no liberty but A1");
        assert!(!throws(12), "free on all sides");
        assert!(!throws(4), "a lone stone in atari");
    }

    #[test]
    fn without_a_lattice_cuts_are_answered_more_than_empty_sides() {
        // Black's stones on B4 and D4 can be joined or cut on C3 and C5. White's stone on C4 is
        // next to both points.
        let rows = [
            "......", "......", "......", ".XOX..", "......", "......", "......",
        ];
        let at = |column: usize, row: usize| row * 6 + column;
        let found = answers(&diagram::graph("king:6x7", &stones(&rows)), at(2, 3));
        let count = |place| found.iter().find(|f| f.0 == place).map_or(0, |f| f.1);
        for cut in [at(2, 2), at(2, 4)] {
            assert!(count(cut) > 2 * count(at(1, 2)), "{found:?}");
        }
        // A lone stone: its eight neighbors have about three times the weight of the rest of the
        // board.
        let rows = [
            "......", "......", "......", "..O...", "......", "......", "......",
        ];
        let found = answers(&diagram::graph("king:6x7", &stones(&rows)), at(2, 3));
        let all: usize = found.iter().map(|f| f.1).sum();
        assert!((680..830).contains(&all), "{found:?}");
    }

    #[test]
    fn answers_are_found_without_a_grid() {
        let found = answers(&diagram::graph("cycle:8", &stones(&[".XOO.X.."])), 3);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [4]);
    }
}
