//! Captures and rescues in playouts, in terms of chains and liberties alone, so that they hold on every graph.

use super::{Chance, roots};
use crate::board::{Board, DENSE, breathes, fills_an_eye, vital_point};
use crate::color::Color;
use crate::vertex::Vertex;

/// How often a tactical answer is looked for, in percent: playouts that always answer repeat the same mistake.
const ANSWER: usize = 90;

/// How often chains of two liberties are looked at, in percent.
const SHORT: usize = 50;

/// Stones that a capture takes where it may leave room for two eyes.
const ROOM: usize = 3;

/// A move for `color` that captures, or saves a chain in atari, around the stone that was just placed at `last` and captured so
/// many; failing that, one that keeps what it took from becoming two eyes, or that the shapes around it suggest.
#[inline]
pub(super) fn answer<B: Board>(
    board: &B,
    color: Color,
    last: Vertex,
    captured: usize,
    chance: &mut Chance,
) -> Option<Vertex> {
    let mut options = Options::default();
    board.at(last)?;
    if board.degree(last) > DENSE {
        return None;
    }
    // The stone just placed stands in atari: take it.
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
    if options.count == 0 && chance.percent(SHORT) {
        fight(board, color, last, &mut options);
    }
    if options.count == 0 {
        let mut codes = [(Vertex::NONE, 0); DENSE];
        if let Some(count) = board.rooted(color, last, &mut codes) {
            let at = roots::draw(&codes[..count], chance)?;
            options.add_playable(board, color, at);
            return (options.count > 0 && breathes(board, color, at)).then_some(at);
        }
        let mut found = [Vertex::NONE; 8];
        let count = board.suggested(last, &mut found);
        for &at in &found[..count] {
            if breathes(board, color, at) {
                options.add_playable(board, color, at);
            }
        }
    }
    if options.count == 0 || !chance.percent(ANSWER) {
        return None;
    }
    Some(options.moves[chance.below(options.count)])
}

/// Ways out of atari for the chain of `stone`: run where that gains liberties, capture what surrounds it.
fn rescue<B: Board>(
    board: &B,
    color: Color,
    stone: Vertex,
    liberty: Vertex,
    options: &mut Options,
) {
    if board.degree(liberty) <= DENSE && breathes(board, color, liberty) {
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

/// Moves where liberties are short around the stone that was just placed at `last`: an atari on its chain of two liberties,
/// and room for own chains of two next to it.
fn fight<B: Board>(board: &B, color: Color, last: Vertex, options: &mut Options) {
    let mut found = [Vertex::NONE; 8];
    if board.liberties(last, 3, &mut found) == 2 {
        for &at in &found[..2] {
            if board.degree(at) <= DENSE && breathes(board, color, at) {
                options.add_playable(board, color, at);
            }
        }
    }
    for stone in board.around(last) {
        if board.at(stone) == Some(color) && board.liberties(stone, 3, &mut found) == 2 {
            for &at in &found[..2] {
                let mut vacant = board.around(at).filter(|&near| board.at(near).is_none());
                // Two, so that the chain has more liberties than before.
                if vacant.nth(1).is_some() {
                    options.add_playable(board, color, at);
                }
            }
        }
    }
}

/// Whether a stone of `color` at `at` leaves a chain of its own with one liberty and captures nothing.
#[inline]
pub(super) fn throws_away<B: Board>(board: &B, color: Color, at: Vertex) -> bool {
    if board.degree(at) > DENSE {
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
    // A lone stone thrown in is a tool, and so is a chain that keeps an eye one; another chain lost is not.
    friends && !breathes(board, color, at) && !fills_an_eye(board, color, at)
}

/// A few candidate moves.
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

    /// How often each placement is Black's answer to the stone on `last` in 1,000 tries, in the order of the points.
    fn answers<B: Board>(board: &B, last: usize) -> Vec<(usize, usize)> {
        let mut chance = Chance::new(1);
        let mut counts = vec![0; board.points()];
        for _ in 0..1000 {
            if let Some(at) = answer(board, Color::BLACK, Vertex::at(last), 0, &mut chance) {
                counts[at.index()] += 1;
            }
        }
        counts
            .into_iter()
            .enumerate()
            .filter(|&(_, n)| n > 0)
            .collect()
    }

    /// The one answer to a position, on both boards; it is given nine times in ten.
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
    fn a_stone_in_atari_is_taken() {
        let rows = [".....", ".....", ".XOX.", "..X..", "....."];
        assert_eq!(only_answer(rows, 12), 17);
    }

    #[test]
    fn a_chain_in_atari_runs() {
        let rows = [".....", ".....", ".OXO.", "..O..", "....."];
        assert_eq!(only_answer(rows, 13), 17);
    }

    #[test]
    fn a_chain_that_cannot_run_captures_what_holds_it() {
        // D1 would leave C1 and D1 without a liberty; the stone on B1 can be taken.
        let rows = [".....", ".....", ".....", ".XOO.", ".OX.O"];
        assert_eq!(only_answer(rows, 7), 0);
    }

    #[test]
    fn short_chains_are_fought_over() {
        // The stone on C3 has two liberties, D3 and C4, and nothing is in atari.
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
        // C2 leaves B2 two liberties, A2 and B3: on either it has more.
        let rows = [".....", ".....", ".....", ".XO..", ".O..."];
        let found = answers(&diagram::grid(&rows), 7);
        for liberty in [5, 11] {
            assert!(found.iter().any(|(at, _)| *at == liberty), "{found:?}");
        }
    }

    #[test]
    fn chains_are_not_thrown_away_but_stones_may_be() {
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
    fn where_there_is_no_lattice_cuts_are_answered_and_empty_sides_seldom() {
        // Black's stones on B3 and D3 are joined, or cut, on C2 and C4, where White's stone on C3 points.
        let rows = [
            "......", "......", "......", ".XOX..", "......", "......", "......",
        ];
        let at = |column: usize, row: usize| row * 6 + column;
        let found = answers(&diagram::graph("king:6x7", &stones(&rows)), at(2, 3));
        let count = |place| found.iter().find(|f| f.0 == place).map_or(0, |f| f.1);
        for cut in [at(2, 2), at(2, 4)] {
            assert!(count(cut) > 2 * count(at(1, 2)), "{found:?}");
        }
        // A stone alone: its eight sides have some three times the weight of all the rest.
        let rows = [
            "......", "......", "......", "..O...", "......", "......", "......",
        ];
        let found = answers(&diagram::graph("king:6x7", &stones(&rows)), at(2, 3));
        let all: usize = found.iter().map(|f| f.1).sum();
        assert!((680..830).contains(&all), "{found:?}");
    }

    #[test]
    fn answers_are_found_where_there_is_no_grid() {
        let found = answers(&diagram::graph("cycle:8", &stones(&[".XOO.X.."])), 3);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [4]);
    }
}
