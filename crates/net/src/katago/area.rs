//! Area as KataGo's networks see it: unconditionally living chains with their territory, and other
//! stones and regions of one color.
//!
//! Unconditional life is Benson's (1976). A region counts for a chain if each of its empty points
//! is next to the chain. If suicide is legal, its stones of the other color must be too.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Owner of each point, in index order.
pub(super) type Owners = Vec<Option<Color>>;

/// A connected set of points without stones of a color.
#[derive(Debug, Default)]
struct Region {
    points: Vec<Vertex>,
    /// Chains that are next to every point that counts.
    vital: Vec<Vertex>,
    /// Points without a neighboring stone of the color.
    inside: usize,
    /// True if the region has stones of the other color.
    invaded: bool,
    /// True if all chains around the region live.
    safe: bool,
}

/// Returns the regions of a color.
fn regions<B: Board>(board: &B, color: Color, suicide: bool) -> Vec<Region> {
    let mut seen = vec![false; board.points()];
    let mut found = Vec::new();
    for i in 0..board.points() {
        let start = Vertex::at(i);
        if seen[i] || board.at(start) == Some(color) {
            continue;
        }
        seen[i] = true;
        let mut region = Region {
            points: vec![start],
            safe: true,
            ..Region::default()
        };
        let mut first = true;
        let mut next = 0;
        while let Some(&at) = region.points.get(next) {
            next += 1;
            let mut chains = Vec::new();
            for near in board.around(at) {
                if board.at(near) == Some(color) {
                    chains.push(board.chain(near));
                } else if !seen[near.index()] {
                    seen[near.index()] = true;
                    region.points.push(near);
                }
            }
            let stone = board.at(at).is_some();
            region.invaded |= stone;
            region.inside += usize::from(chains.is_empty());
            if stone && !suicide {
                continue;
            }
            if first {
                chains.sort_unstable();
                chains.dedup();
                region.vital = chains;
                first = false;
            } else {
                region.vital.retain(|chain| chains.contains(chain));
            }
        }
        found.push(region);
    }
    found
}

/// Writes the area of a color over the area found so far.
fn mark<B: Board>(board: &B, color: Color, suicide: bool, owners: &mut Owners) {
    let mut regions = regions(board, color, suicide);
    let points = (0..board.points()).map(Vertex::at);
    let mut alive: Vec<Vertex> = points
        .filter(|&at| board.at(at) == Some(color) && board.chain(at) == at)
        .collect();
    if alive.is_empty() {
        return;
    }
    loop {
        let before = alive.len();
        alive.retain(|chain| {
            let eyes = regions.iter().filter(|region| region.safe);
            eyes.filter(|region| region.vital.contains(chain)).count() >= 2
        });
        if alive.len() == before {
            break;
        }
        for region in regions.iter_mut().filter(|region| region.safe) {
            region.safe = region.points.iter().all(|&at| {
                let mut chains = board.around(at).filter(|&u| board.at(u) == Some(color));
                chains.all(|u| alive.contains(&board.chain(u)))
            });
        }
    }
    for &chain in &alive {
        board.for_chain(chain, |stone| owners[stone.index()] = Some(color));
    }
    for region in &regions {
        let certain = region.safe && (region.inside <= 1 || !region.invaded);
        for &at in &region.points {
            // Territory of the other color's living chains has a higher rank than a region whose
            // own chains may die.
            let owner = &mut owners[at.index()];
            if certain || (!region.invaded && owner.is_none()) {
                *owner = Some(color);
            }
        }
    }
}

/// Returns the area of both colors. Every stone outside the area of living chains belongs to its
/// own color.
pub(super) fn area<B: Board>(board: &B, suicide: bool) -> Owners {
    let mut owners = vec![None; board.points()];
    mark(board, Color::BLACK, suicide, &mut owners);
    mark(board, Color::WHITE, suicide, &mut owners);
    for (i, owner) in owners.iter_mut().enumerate() {
        *owner = owner.or(board.at(Vertex::at(i)));
    }
    owners
}

/// Returns the area without the territory of groups in seki. A group is in seki if it touches an
/// empty point of neither color, or if one of its stones is in atari. Its stones still count.
pub(super) fn area_without_seki<B: Board>(board: &B, suicide: bool) -> Owners {
    let area = area(board, suicide);
    let mut seki = vec![false; area.len()];
    let mut group = Vec::new();
    for (i, owner) in area.iter().enumerate() {
        let at = Vertex::at(i);
        let Some(color) = owner.filter(|_| !seki[i]) else {
            continue;
        };
        let open = |u: Vertex| board.at(u).is_none() && area[u.index()].is_none();
        let in_atari = board.at(at) == Some(color) && board.sole_liberty(at).is_some();
        if !in_atari && !board.around(at).any(open) {
            continue;
        }
        seki[i] = true;
        group.push(at);
        while let Some(at) = group.pop() {
            for near in board.around(at) {
                let j = near.index();
                if area[j] == Some(color) && !seki[j] {
                    seki[j] = true;
                    group.push(near);
                }
            }
        }
    }
    let kept = |i: usize| !seki[i] || board.at(Vertex::at(i)) == area[i];
    (0..area.len())
        .map(|i| area[i].filter(|_| kept(i)))
        .collect()
}
