//! Life, death, and seki of groups that enclose stones of their opponent, by local reading.
//!
//! Playouts misjudge nakade shapes, sekis, and bent fours. Each of them depends on moves that a
//! player must not make. If safe stones surround a group that encloses only a few points, all moves
//! on these points can be read.

mod pocket;

use super::judge::Status;
use super::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use pocket::{MOST_NODES, Outcome, Pocket};

/// Fraction of the playouts in which a chain must survive to count as safe.
const SAFE: f64 = 0.8;
/// Maximum number of outside liberties of a group that is read.
const MOST_OUTSIDE: usize = 5;

/// Maximum number of situations that are read per position. They take a fraction of a second.
const SITUATIONS: usize = 100_000;

/// A chain counts as dead without reading if it survives in at most this share of the playouts.
const DEAD: f64 = 0.5;

/// Liberties of a group outside the regions that it encloses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// They take part in the fight.
    Empty,
    /// Safe stones of the attacker fill them. This is the worst case for the group.
    Filled,
}

/// Chain of a position.
struct Chain<'a> {
    color: Color,
    stones: &'a [Vertex],
    /// Fraction of the playouts in which its color owns it.
    share: f64,
}

/// Position with its chains.
struct Survey<'a, B: Board> {
    board: &'a B,
    chains: Vec<Chain<'a>>,
    /// Index of the chain on each point, or `None` without a stone.
    chain_of: Vec<Option<usize>>,
}

/// Corrects the status of groups that enclose opposing stones, and the status of these stones.
/// Returns the indices of the chains that it has read, in any order, possibly several times.
///
/// Changes nothing with other than two colors, or on boards without chains.
pub(crate) fn correct<B: Board>(
    board: &B,
    ownership: &Ownership,
    found: &mut [(Status, Vec<Vertex>)],
) -> Vec<usize> {
    if board.colors() != 2 || !board.has_chains() {
        return Vec::new();
    }
    let changes = {
        let survey = Survey::of(board, ownership, found);
        let mut changes = Vec::new();
        let mut budget = SITUATIONS;
        for color in [Color::BLACK, Color::WHITE] {
            survey.judge(color, &mut budget, &mut changes);
        }
        changes
    };
    for &(chain, status) in &changes {
        found[chain].0 = status;
    }
    changes.into_iter().map(|(chain, _)| chain).collect()
}

impl<'a, B: Board> Survey<'a, B> {
    fn of(
        board: &'a B,
        ownership: &Ownership,
        found: &'a [(Status, Vec<Vertex>)],
    ) -> Survey<'a, B> {
        let mut chain_of = vec![None; board.points()];
        let mut chains = Vec::with_capacity(found.len());
        for (number, (_, stones)) in found.iter().enumerate() {
            let color = stones.first().and_then(|&stone| board.at(stone));
            let color = color.unwrap_or(Color::BLACK);
            let sum: f64 = stones
                .iter()
                .map(|&stone| ownership.share(stone, color))
                .sum();
            for stone in stones {
                chain_of[stone.index()] = Some(number);
            }
            chains.push(Chain {
                color,
                stones,
                share: sum / stones.len().max(1) as f64,
            });
        }
        Survey {
            board,
            chains,
            chain_of,
        }
    }

    /// Returns the points connected to `start` over points without a stone of `color`, and the
    /// adjacent chains of `color`. Returns `None` if there are more than `most` points.
    fn enclosed(
        &self,
        start: Vertex,
        color: Color,
        most: usize,
    ) -> Option<(Vec<Vertex>, Vec<usize>)> {
        let (mut points, mut border) = (vec![start], Vec::new());
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            for near in self.board.around(point) {
                match self.chain_of[near.index()] {
                    Some(chain) if self.chains[chain].color == color => border.push(chain),
                    _ if points.contains(&near) => {}
                    _ if points.len() == most => return None,
                    _ => points.push(near),
                }
            }
        }
        border.sort_unstable();
        border.dedup();
        Some((points, border))
    }

    /// Reads each group of `color` that encloses opposing stones. Adds the chains whose status this
    /// determines to `changes`.
    fn judge(&self, color: Color, budget: &mut usize, changes: &mut Vec<(usize, Status)>) {
        // Regions enclosed only by stones of this color, with the adjacent chains.
        let mut regions: Vec<(Vec<Vertex>, Vec<usize>)> = Vec::new();
        let mut seen = vec![false; self.board.points()];
        let mut groups = UnionFind::new(self.chains.len());
        for point in (0..self.board.points()).map(Vertex::at) {
            let own = |chain: usize| self.chains[chain].color == color;
            if seen[point.index()] || self.chain_of[point.index()].is_some_and(own) {
                continue;
            }
            let Some((points, border)) = self.enclosed(point, color, MOST_NODES) else {
                continue;
            };
            for &point in &points {
                seen[point.index()] = true;
            }
            for pair in border.windows(2) {
                groups.join(pair[0], pair[1]);
            }
            regions.push((points, border));
        }
        // Chains of each group and the regions that it encloses, by the group's representative.
        let mut members_of: Vec<Vec<usize>> = vec![Vec::new(); self.chains.len()];
        for (number, chain) in self.chains.iter().enumerate() {
            if chain.color == color {
                members_of[groups.top(number)].push(number);
            }
        }
        let mut enclosed_by: Vec<Vec<usize>> = vec![Vec::new(); self.chains.len()];
        for (number, (_, border)) in regions.iter().enumerate() {
            if let Some(&chain) = border.first() {
                enclosed_by[groups.top(chain)].push(number);
            }
        }
        for (members, enclosed) in members_of.into_iter().zip(enclosed_by) {
            let within: Vec<&Vec<Vertex>> =
                enclosed.iter().map(|&number| &regions[number].0).collect();
            let prisoners = self.chains_on(&within);
            if prisoners.is_empty() {
                continue;
            }
            if let Some(outcome) = self.read(color, &members, &within, budget) {
                self.apply(outcome, &members, &prisoners, changes);
                continue;
            }
            // The fight is too large. A region may still decide about the chains around it, but a
            // seki there says nothing while the other regions are not read.
            for &number in &enclosed {
                let (points, border) = &regions[number];
                let prisoners = self.chains_on(&[points]);
                if !prisoners.is_empty()
                    && within.len() > 1
                    && let Some(pocket) = self.pocket(color, border, &[points], Outside::Empty)
                    && let Some(outcome @ (Outcome::Lost | Outcome::Alive)) = pocket.read(budget)
                {
                    self.apply(outcome, border, &prisoners, changes);
                }
            }
        }
    }

    /// Reads the fight over these chains of `color` and the regions that they enclose. Returns
    /// `None` if it cannot be read.
    fn read(
        &self,
        color: Color,
        members: &[usize],
        within: &[&Vec<Vertex>],
        budget: &mut usize,
    ) -> Option<Outcome> {
        if let Some(pocket) = self.pocket(color, members, within, Outside::Empty) {
            return pocket.read(budget);
        }
        if members.iter().all(|&chain| self.chains[chain].share > DEAD) {
            return None;
        }
        // The group lives at least in seki if it does so without outside liberties.
        let pocket = self.pocket(color, members, within, Outside::Filled)?;
        let outcome = pocket.read(budget)?;
        matches!(outcome, Outcome::Alive | Outcome::Seki).then_some(outcome)
    }

    /// Adds the statuses that follow from an outcome for these chains and their prisoners.
    fn apply(
        &self,
        outcome: Outcome,
        members: &[usize],
        prisoners: &[usize],
        changes: &mut Vec<(usize, Status)>,
    ) {
        let survives = |&chain: &usize| self.chains[chain].share >= SAFE;
        let (group, inside) = match outcome {
            Outcome::Open => return,
            Outcome::Lost => (Status::Dead, Status::Alive),
            Outcome::Alive => (Status::Alive, Status::Dead),
            // Both live. Reading cannot tell two eyes inside from a seki.
            Outcome::Seki if members.iter().chain(prisoners).all(survives) => return,
            Outcome::Seki => (Status::Seki, Status::Seki),
        };
        changes.extend(members.iter().map(|&chain| (chain, group)));
        changes.extend(prisoners.iter().map(|&chain| (chain, inside)));
    }

    fn chains_on(&self, regions: &[&Vec<Vertex>]) -> Vec<usize> {
        let points = regions.iter().flat_map(|points| points.iter());
        let mut chains: Vec<usize> = points
            .filter_map(|point| self.chain_of[point.index()])
            .collect();
        chains.sort_unstable();
        chains.dedup();
        chains
    }

    /// Returns the local fight over a group: its chains, the enclosed regions, and its outside
    /// liberties. Returns `None` if the fight is too large, or if the group might live or escape
    /// outside.
    fn pocket(
        &self,
        color: Color,
        members: &[usize],
        within: &[&Vec<Vertex>],
        outside: Outside,
    ) -> Option<Pocket> {
        let mut points: Vec<Vertex> = within
            .iter()
            .flat_map(|points| points.iter().copied())
            .collect();
        let inner = points.len();
        let most = (inner + MOST_OUTSIDE).min(MOST_NODES.saturating_sub(members.len()));
        if inner > most {
            return None;
        }
        for &chain in members {
            for &stone in self.chains[chain].stones {
                for near in self.board.around(stone) {
                    let vacant = self.chain_of[near.index()].is_none();
                    if vacant && outside == Outside::Empty && !points.contains(&near) {
                        if points.len() == most {
                            return None;
                        }
                        points.push(near);
                    }
                }
            }
        }
        let safe = |near: Vertex| {
            let chain = self.chain_of[near.index()];
            chain.is_some_and(|chain| {
                self.chains[chain].color != color && self.chains[chain].share >= SAFE
            })
        };
        // Opposing chains next to the group on the outside must be safe. Otherwise the fight is a
        // race.
        for &chain in members {
            for &stone in self.chains[chain].stones {
                for near in self.board.around(stone) {
                    let other = self.chain_of[near.index()];
                    let foreign = other.is_some_and(|other| self.chains[other].color != color);
                    if foreign && !points[..inner].contains(&near) && !safe(near) {
                        return None;
                    }
                }
            }
        }
        let mut pocket = Pocket::default();
        let count = points.len();
        let node_of = |near: Vertex| {
            let member = self.chain_of[near.index()].and_then(|chain| {
                let place = members.iter().position(|&member| member == chain)?;
                Some(count + place)
            });
            member.or_else(|| points.iter().position(|&point| point == near))
        };
        for (node, &point) in points.iter().enumerate() {
            let mut set = 0;
            for near in self.board.around(point) {
                if let Some(other) = node_of(near) {
                    set |= 1 << other;
                }
            }
            pocket.near.push(set);
            if self.chain_of[point.index()].is_some() {
                pocket.inside |= 1 << node;
            }
            if node >= inner {
                // An eye is impossible on a point next to a safe stone of the attacker.
                if !self.board.around(point).any(safe) {
                    return None;
                }
                pocket.anchored |= 1 << node;
            }
        }
        let mut largest = 0;
        for (place, &chain) in members.iter().enumerate() {
            let node = 1 << (count + place);
            let mut set = 0;
            for (point, near) in pocket.near[..count].iter().enumerate() {
                if near & node != 0 {
                    set |= 1 << point;
                }
            }
            pocket.near.push(set);
            pocket.group |= node;
            // The worst case again: once this chain is captured, a stone in its place is safe.
            let stones = self.chains[chain].stones.iter();
            if outside == Outside::Filled
                && stones.flat_map(|&stone| self.board.around(stone)).any(safe)
            {
                pocket.anchored |= node;
            }
            if self.chains[chain].stones.len() > largest {
                largest = self.chains[chain].stones.len();
                pocket.main = node;
            }
        }
        Some(pocket)
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::{Status, judge};
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::rules::{Points, presets};

    /// Returns the status, the color, and the first stone of each chain.
    fn statuses(rows: &str) -> Vec<(Status, Color, Vertex)> {
        let rows: Vec<&str> = rows.split_whitespace().collect();
        let (width, height) = (rows[0].len(), rows.len());
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = presets::find("japanese").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let chains = judge(&game).into_iter();
        chains
            .map(|(status, stones)| (status, game.board().at(stones[0]).unwrap(), stones[0]))
            .collect()
    }

    fn dead(rows: &str) -> Vec<usize> {
        let dead = statuses(rows).into_iter();
        dead.filter(|(status, ..)| *status == Status::Dead)
            .map(|(.., stone)| stone.index())
            .collect()
    }

    #[test]
    fn three_stones_in_a_row_make_seki() {
        let rows = "
            .......
            OO.....
            .OOOOO.
            OO...OO
            OXXXXXO
            OX.X.XO
            .XOOOX.";
        assert_eq!(dead(rows), [0; 0]);
        let seki = statuses(rows).into_iter();
        let seki = seki.filter(|(status, ..)| *status == Status::Seki).count();
        assert_eq!(seki, 2, "Black's chain and the three stones inside");
    }

    #[test]
    fn a_false_eye_can_be_seki() {
        let rows = "
            .XXX...
            OOOXXXX
            .XOOO.X
            OXX.O.X
            OXOOO.X
            OOOXXXX
            .XXX...";
        assert_eq!(dead(rows), [0; 0]);
    }

    #[test]
    fn bent_fours_in_the_corner_are_dead() {
        let rows = "
            .O.XOX.O.
            OXXXOXXXO
            .X.OO..X.
            XX.OO.OXX
            OOO.OOOOO
            XXOO.O.XX
            .X.OOO.X.
            OXXXOXXXO
            .O.XOX.O.";
        let black: Vec<_> = statuses(rows)
            .into_iter()
            .filter(|(_, color, _)| *color == Color::BLACK)
            .collect();
        assert!(
            black.iter().all(|(status, ..)| *status == Status::Dead),
            "{black:?}"
        );
    }

    #[test]
    fn bent_threes_in_two_corners_are_seki() {
        let rows = "
            OO.XOOX..
            OXXX.OX.O
            .OOOOOX..
            OOXXXXX..
            XX.....XX
            ..XXXXXOO
            ..XOOOOO.
            ..XO.XXXO
            ..XOOX.OO";
        // Only the stone on J8 is dead.
        assert_eq!(dead(rows), [71]);
    }

    #[test]
    fn a_seki_does_not_depend_on_outside_liberties() {
        let rows = "
            ...XXX.
            XXXXOOO
            X..OOX.
            X..OXXO
            X..OOX.
            XXXXOOO
            ...XXX.";
        // The white stone on G4 is dead or not: Black has to capture it with four stones in a seki.
        assert!(
            !dead(rows).contains(&Vertex::at(24).index()),
            "{:?}",
            dead(rows)
        );
    }

    #[test]
    fn neighbors_with_two_eyes_each_are_not_in_seki() {
        let rows = "OOOOO O.O.O OOOOO XXXXO .X.XO";
        let alive = |(status, ..): (Status, Color, Vertex)| status == Status::Alive;
        assert!(statuses(rows).into_iter().all(alive));
    }

    #[test]
    fn a_shared_last_liberty_is_no_seki() {
        // White takes all of Black's group on A1. If Black takes three stones there, White kills
        // it on A2.
        let rows = "
            ...OXX.X.
            .O.OOXX..
            ..O.OOX..
            OO.OXX...
            XOOOXXX..
            XXXXOX.XX
            OXXXOOXXO
            OOXOOOOOO
            .XXXO.O..";
        let found = statuses(rows);
        let black = found.iter().find(|(.., first)| first.index() == 1);
        assert_eq!(
            black.map(|(status, ..)| *status),
            Some(Status::Dead),
            "{found:?}"
        );
    }
}
