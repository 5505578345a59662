//! Unconditional life: chains that cannot be captured even if their owner always passes.
//!
//! D. B. Benson, "Life in the game of Go" (1976). A *region* of a color is a connected set of points that are not of that
//! color, as large as possible. It is *vital* to a chain that it touches when all the points that an attacker would have
//! to leave empty are liberties of the chain ([`Vital`]). The chains that live unconditionally are the greatest set such
//! that each has two vital regions and every chain around those regions is in the set. It is found by throwing out, until
//! nothing changes, chains with fewer than two vital regions and regions that touch a chain thrown out.
//!
//! Why it holds on any graph: take the first capture of a chain of the set. The move that makes it takes the chain's last
//! liberty, which lies in one of its vital regions at most. In another one, all chains around still stand, and no point
//! beside the chain is empty. Under [`Vital::EveryPoint`] the region is therefore full of attackers, none of whom has a
//! liberty, which is no position after a legal move. Under [`Vital::EmptyPoints`] the same follows because no attacker
//! there can have left the board. Cost: points plus edges.

use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// Which points of a region must be liberties of a chain, or become so when emptied, for the region to be vital to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vital {
    /// All of its points: attackers may take their own stones off by suicide, or capture each other where several colors
    /// attack. On the path `.X.O` the region right of `X` is not vital to it, although it touches the only empty
    /// point there: White fills it, loses both stones by suicide, and comes again.
    EveryPoint,
    /// Its empty points, as in the textbook: attackers' stones stay, because there is one attacker without suicide.
    EmptyPoints,
}

/// What lives unconditionally of one color.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// The living chains, each ascending, in the order of their first stones.
    pub chains: Vec<Vec<Vertex>>,
    /// The regions vital to one of them, each ascending, in the order of their first points. Whatever attackers place in
    /// them can be captured.
    pub regions: Vec<Vec<Vertex>>,
}

/// The chains of `color` that live unconditionally.
///
/// The board must have chains ([`Board::has_chains`]), and every stone on it a liberty: see [`dead_stone`].
///
/// ```
/// use omnigo::board::Board;
/// use omnigo::board::grid::{Grid, GridBoard};
/// use omnigo::board::life::{Vital, unconditional_life};
/// use omnigo::color::Color;
///
/// let mut board = GridBoard::new(Grid::new(5, 1).unwrap(), 2).unwrap();
/// let position: Vec<Option<Color>> = ".X.X.".chars().map(Color::from_symbol).collect();
/// board.set_position(&position);
/// assert_eq!(unconditional_life(&board, Color::BLACK, Vital::EveryPoint).chains.len(), 2);
/// ```
pub fn unconditional_life<B: Board>(board: &B, color: Color, vital: Vital) -> Life {
    let points = board.points();
    let (chains, chain_of) = components(board, |at| board.at(at) == Some(color));
    let (regions, _) = components(board, |at| board.at(at) != Some(color));

    // For each region the chains around it, and whether it is vital to them.
    let mut around: Vec<Vec<(usize, bool)>> = Vec::with_capacity(regions.len());
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); chains.len()];
    let mut eyes = vec![0usize; chains.len()];
    let mut latest = vec![Vertex::NONE; chains.len()];
    let mut liberties = vec![0usize; chains.len()];
    for (number, region) in regions.iter().enumerate() {
        let mut border: Vec<usize> = Vec::new();
        let mut needed = 0;
        for &point in region {
            let counts = match vital {
                Vital::EveryPoint => true,
                Vital::EmptyPoints => board.at(point).is_none(),
            };
            needed += usize::from(counts);
            for near in board.around(point) {
                let chain = chain_of[near.index()];
                if board.at(near) != Some(color) || latest[chain] == point {
                    continue;
                }
                latest[chain] = point;
                // No region holds so many points: a chain met for the first time has no count yet.
                if liberties[chain] == 0 {
                    border.push(chain);
                    liberties[chain] = 1;
                }
                liberties[chain] += usize::from(counts);
            }
        }
        let mut neighbors = Vec::with_capacity(border.len());
        for chain in border {
            let is_vital = needed > 0 && liberties[chain] - 1 == needed;
            liberties[chain] = 0;
            eyes[chain] += usize::from(is_vital);
            touching[chain].push(number);
            neighbors.push((chain, is_vital));
        }
        around.push(neighbors);
    }

    let mut safe = vec![true; chains.len()];
    let mut sound = vec![true; regions.len()];
    let mut doomed: Vec<usize> = (0..chains.len()).filter(|&chain| eyes[chain] < 2).collect();
    for &chain in &doomed {
        safe[chain] = false;
    }
    while let Some(chain) = doomed.pop() {
        for &region in &touching[chain] {
            if !std::mem::replace(&mut sound[region], false) {
                continue;
            }
            for &(other, is_vital) in &around[region] {
                eyes[other] -= usize::from(is_vital);
                if safe[other] && eyes[other] < 2 {
                    safe[other] = false;
                    doomed.push(other);
                }
            }
        }
    }

    debug_assert_eq!(chain_of.len(), points);
    let serves = |region: usize| sound[region] && around[region].iter().any(|&(_, vital)| vital);
    Life {
        regions: keep(regions, serves),
        chains: keep(chains, |chain| safe[chain]),
    }
}

/// A stone without liberty, which only a position from outside can hold.
pub fn dead_stone<B: Board>(board: &B) -> Option<Vertex> {
    let mut alive = vec![false; board.points()];
    let mut open: Vec<Vertex> = Vec::new();
    for at in (0..board.points()).map(Vertex::at) {
        if board.at(at).is_some() && board.around(at).any(|near| board.at(near).is_none()) {
            alive[at.index()] = true;
            open.push(at);
        }
    }
    while let Some(stone) = open.pop() {
        for near in board.around(stone) {
            if board.at(near) == board.at(stone)
                && !std::mem::replace(&mut alive[near.index()], true)
            {
                open.push(near);
            }
        }
    }
    let mut stones = (0..board.points()).map(Vertex::at);
    stones.find(|&at| board.at(at).is_some() && !alive[at.index()])
}

/// The connected sets of points that `belong`, each ascending, and for each point the number of its set.
fn components<B: Board>(
    board: &B,
    belong: impl Fn(Vertex) -> bool,
) -> (Vec<Vec<Vertex>>, Vec<usize>) {
    let mut number_of = vec![usize::MAX; board.points()];
    let mut sets: Vec<Vec<Vertex>> = Vec::new();
    for index in 0..board.points() {
        let start = Vertex::at(index);
        if number_of[index] != usize::MAX || !belong(start) {
            continue;
        }
        number_of[index] = sets.len();
        let mut set = vec![start];
        let mut next = 0;
        while let Some(&point) = set.get(next) {
            next += 1;
            for near in board.around(point) {
                if number_of[near.index()] == usize::MAX && belong(near) {
                    number_of[near.index()] = sets.len();
                    set.push(near);
                }
            }
        }
        set.sort_unstable();
        sets.push(set);
    }
    (sets, number_of)
}

/// The sets whose numbers are wanted.
fn keep(sets: Vec<Vec<Vertex>>, wanted: impl Fn(usize) -> bool) -> Vec<Vec<Vertex>> {
    let numbered = sets.into_iter().enumerate();
    numbered
        .filter_map(|(number, set)| wanted(number).then_some(set))
        .collect()
}
