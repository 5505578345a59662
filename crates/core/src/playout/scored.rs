//! Playouts of games that end by passes.

use super::{ASK_EVERY, Begin, Random, Style, Trace, move_cap};
use crate::board::Board;
use crate::tactics::answers;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Plays on from `board` until all colors in turn can only fill eyes. Appends the placements to
/// `trace`. The playout ends early if `cut` returns true.
#[inline]
pub fn play<B: Board>(
    board: &mut B,
    begin: Begin,
    style: Style,
    random: &mut Random,
    trace: &mut Trace,
    cut: impl Fn() -> bool,
) {
    let Begin {
        mut to_move,
        mut last,
        colors,
    } = begin;
    let mut left = move_cap(board);
    let mut idle = 0;
    let mut captured = 0;
    while idle < colors && left > 0 {
        let tactical = match (style, last) {
            (Style::Tactical, Some(last)) => {
                answers::answer(board, to_move, last, captured, random)
            }
            (Style::Tactical, None) | (Style::Light, _) => None,
        };
        let chosen = tactical.or_else(|| any_playable(board, to_move, style, random));
        match chosen {
            Some(at) => {
                captured = 0;
                board.place(to_move, at, |_, _| captured += 1);
                trace.push((to_move, at));
                idle = 0;
                left -= 1;
                if left.is_multiple_of(ASK_EVERY) && cut() {
                    return;
                }
            }
            None => idle += 1,
        }
        last = chosen;
        to_move = to_move.next(colors);
    }
}

/// Returns a vacant vertex that `color` may fill: the first playable one after a random start in
/// the list of vacant vertices. Returns `None` if there is no such vertex.
#[inline(always)]
fn any_playable<B: Board>(
    board: &B,
    color: Color,
    style: Style,
    random: &mut Random,
) -> Option<Vertex> {
    let vacant = board.vacant();
    let ko = board.ko_point();
    let start = random.below(vacant.len());
    let (before, after) = vacant.split_at(start);
    // If every remaining move loses a chain, the position is most likely a seki. Passing keeps it.
    let sound = |at| style == Style::Light || !answers::throws_away(board, color, at);
    after
        .iter()
        .chain(before)
        .copied()
        .find(|&at| board.playable(color, at) && Some(at) != ko && sound(at))
}

/// Plays a playout from `start` on the board `end`, with two colors and Black first. Clears `trace`
/// beforehand.
pub fn from_start<B: Board>(
    start: &B,
    end: &mut B,
    style: Style,
    random: &mut Random,
    trace: &mut Trace,
) {
    end.clone_from(start);
    trace.clear();
    play(end, Begin::FRESH, style, random, trace, || false);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::both;

    /// Returns how often White's stone on C2 is captured in 1,000 playouts that Black starts.
    fn taken<B: Board>(board: &B) -> usize {
        let (mut random, mut trace) = (Random::new(1), Trace::new());
        let dies = |_: &usize| {
            let mut end = board.clone();
            from_start(board, &mut end, Style::Tactical, &mut random, &mut trace);
            end.at(Vertex::at(7)) != Some(Color::WHITE)
        };
        (0..1000).filter(dies).count()
    }

    #[test]
    fn playouts_kill_a_chain_with_one_large_eye() {
        // White's only eye is a square four that contains all its liberties.
        let (grid, graph) = both(&[".X.X.", "XXXXX", "OOOXX", "..OXX", "..OX."]);
        for taken in [taken(&grid), taken(&graph)] {
            assert!(taken > 700, "{taken}");
        }
        // White has two eyes.
        let (grid, _) = both(&[".X.X.", "XXXXX", "OOOXX", ".OOXX", "O.OX."]);
        assert_eq!(taken(&grid), 0);
    }
}
