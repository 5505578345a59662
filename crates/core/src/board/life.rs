//! Unconditional life: chains that cannot be captured even if their owner always passes.
//!
//! D. B. Benson, "Life in the game of Go" (1976). A *region* of a color is a maximal connected set
//! of points that are not stones of that color. It is *vital* to an adjacent chain if all points
//! that an attacker would have to leave empty are liberties of the chain ([`Vital`]). The
//! unconditionally alive chains are the greatest set that satisfies two conditions. Each chain has
//! two vital regions, and every chain around those regions is in the set. To find the set, the
//! algorithm removes chains with fewer than two vital regions, and regions adjacent to a removed
//! chain. It repeats this until nothing changes.
//!
//! The proof holds on any graph. Consider the first capture of a chain in the set. The capturing
//! move takes the chain's last liberty, which lies in at most one of its vital regions. In another
//! vital region, all surrounding chains are still on the board, and no point next to the chain is
//! empty.
//! - With [`Vital::EveryPoint`], this region is therefore full of attacking stones, none of which
//!   has a liberty. No legal move leaves such a position.
//! - With [`Vital::EmptyPoints`], the same follows because no attacking stone there can have left
//!   the board.
//!
//! Cost: the number of points plus the number of edges.

use crate::board::BareBoard;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Points of a region that must be liberties of a chain, or become liberties when emptied, for the
/// region to be vital to the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vital {
    /// All points of the region. Attackers may remove their own stones by suicide. If several
    /// colors attack, they may also capture each other. Example: on the path `.X.O`, the region
    /// right of `X` is not vital to it, although `X` touches the only empty point there. White
    /// fills the region, loses both stones by suicide, and can attack again.
    EveryPoint,
    /// The empty points of the region, as in the textbook. Attacking stones stay on the board,
    /// because there is a single attacker and suicide is illegal.
    EmptyPoints,
}

/// The unconditionally alive chains of one color, with their regions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// The alive chains, each in ascending order, sorted by their first stones.
    pub chains: Vec<Vec<Vertex>>,
    /// The regions vital to one of the chains, each in ascending order, sorted by their first
    /// points. Any stone that attackers place in them can be captured.
    pub regions: Vec<Vec<Vertex>>,
}

/// Returns the chains of `color` that are unconditionally alive.
///
/// The board must have chains ([`BareBoard::has_chains`]), and every stone on it must have a
/// liberty (see [`stone_without_liberty`]).
///
/// ```
/// use omnigo_core::board::BareBoard;
/// use omnigo_core::board::grid::{Grid, GridBoard};
/// use omnigo_core::board::life::{Vital, unconditional_life};
/// use omnigo_base::color::Color;
///
/// let mut board = GridBoard::new(Grid::new(5, 1).unwrap(), 2).unwrap();
/// let position: Vec<Option<Color>> = ".X.X.".chars().map(Color::from_symbol).collect();
/// board.set_position(&position);
/// assert_eq!(unconditional_life(&board, Color::BLACK, Vital::EveryPoint).chains.len(), 2);
/// ```
pub fn unconditional_life<B: BareBoard>(board: &B, color: Color, vital: Vital) -> Life {
    let (chains, chain_of) = components(board, |at| board.at(at) == Some(color));
    let (regions, _) = components(board, |at| board.at(at) != Some(color));

    // Per region: the chains around it, and whether the region is vital to each.
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
                // Counts start at 1, so 0 means that this region meets the chain for the first
                // time.
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
    let mut unsafe_chains: Vec<usize> =
        (0..chains.len()).filter(|&chain| eyes[chain] < 2).collect();
    for &chain in &unsafe_chains {
        safe[chain] = false;
    }
    while let Some(chain) = unsafe_chains.pop() {
        for &region in &touching[chain] {
            if !std::mem::replace(&mut sound[region], false) {
                continue;
            }
            for &(other, is_vital) in &around[region] {
                eyes[other] -= usize::from(is_vital);
                if safe[other] && eyes[other] < 2 {
                    safe[other] = false;
                    unsafe_chains.push(other);
                }
            }
        }
    }

    let serves = |region: usize| sound[region] && around[region].iter().any(|&(_, vital)| vital);
    Life {
        regions: keep(regions, serves),
        chains: keep(chains, |chain| safe[chain]),
    }
}

/// Returns a stone whose chain has no liberty, or `None`. Only positions set from outside can
/// contain one.
pub fn stone_without_liberty<B: BareBoard>(board: &B) -> Option<Vertex> {
    let mut has_liberty = vec![false; board.points()];
    let mut open: Vec<Vertex> = Vec::new();
    for at in (0..board.points()).map(Vertex::at) {
        if board.at(at).is_some() && board.around(at).any(|near| board.at(near).is_none()) {
            has_liberty[at.index()] = true;
            open.push(at);
        }
    }
    while let Some(stone) = open.pop() {
        for near in board.around(stone) {
            if board.at(near) == board.at(stone)
                && !std::mem::replace(&mut has_liberty[near.index()], true)
            {
                open.push(near);
            }
        }
    }
    let mut stones = (0..board.points()).map(Vertex::at);
    stones.find(|&at| board.at(at).is_some() && !has_liberty[at.index()])
}

/// Returns the connected sets of points for which `belong` is true, each in ascending order. Also
/// returns the number of its set for each point.
fn components<B: BareBoard>(
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

/// Returns the sets whose numbers satisfy `wanted`.
fn keep(sets: Vec<Vec<Vertex>>, wanted: impl Fn(usize) -> bool) -> Vec<Vec<Vertex>> {
    let numbered = sets.into_iter().enumerate();
    numbered
        .filter_map(|(number, set)| wanted(number).then_some(set))
        .collect()
}
