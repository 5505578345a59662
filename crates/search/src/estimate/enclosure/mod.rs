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

/// Maximum number of outside liberties that a chain adds to a fight of [`Outside::Few`]. With two,
/// the group has time for one answer.
const MOST_KEPT: usize = 2;

/// Maximum number of situations that are read per position, except for [`Outside::Few`], which may
/// add a quarter. They take a fraction of a second.
const SITUATIONS: usize = 100_000;

/// A fight is read with all outside liberties filled if a chain of the group survives in at most
/// this share of the playouts.
const FILLED_BELOW: f64 = 0.5;

/// Liberties of a group outside the regions that it encloses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// All of them take part in the fight.
    Empty,
    /// Safe stones of the attacker fill them. This is the worst case for the group.
    Filled,
    /// Each chain adds at most [`MOST_KEPT`], in the order of the chains. Shared ones count for
    /// all. The attacker fills the others, and its stones outside cannot be captured. This is worse
    /// for the group than the real fight.
    Few,
}

/// Numbers of situations that may still be read.
struct Budget {
    /// For all other fights.
    usual: usize,
    /// For fights with few outside liberties. They must not use up the others.
    few_liberties: usize,
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
/// Returns the indices of the chains whose status it has determined, in any order, possibly several
/// times.
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
        let mut budget = Budget {
            usual: SITUATIONS,
            few_liberties: SITUATIONS / 4,
        };
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
    fn judge(&self, color: Color, budget: &mut Budget, changes: &mut Vec<(usize, Status)>) {
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
            // The whole fight gave no result. A region may still decide about the chains around it,
            // but a seki there says nothing while the other regions are not read.
            for &number in &enclosed {
                let (points, border) = &regions[number];
                let prisoners = self.chains_on(&[points]);
                if !prisoners.is_empty()
                    && within.len() > 1
                    && let Some(pocket) = self.pocket(color, border, &[points], Outside::Empty)
                    && let Some(outcome @ (Outcome::Lost | Outcome::Alive)) =
                        pocket.read(&mut budget.usual)
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
        budget: &mut Budget,
    ) -> Option<Outcome> {
        if let Some(pocket) = self.pocket(color, members, within, Outside::Empty) {
            return pocket.read(&mut budget.usual);
        }
        // The group lives at least in seki if it does so without outside liberties.
        if members
            .iter()
            .any(|&chain| self.chains[chain].share <= FILLED_BELOW)
            && let Some(pocket) = self.pocket(color, members, within, Outside::Filled)
            && let Some(outcome @ (Outcome::Alive | Outcome::Seki)) = pocket.read(&mut budget.usual)
        {
            return Some(outcome);
        }
        // A group that lives with fewer outside liberties lives with all of them. A seki says
        // nothing, because the group may do better.
        let pocket = self.pocket(color, members, within, Outside::Few)?;
        let outcome = pocket.read(&mut budget.few_liberties)?;
        (outcome == Outcome::Alive).then_some(outcome)
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
    /// liberties. Returns `None` if the fight is too large, if it is a race, or if an outside
    /// liberty might become an eye.
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
        let fight = Fight {
            survey: self,
            color,
            members,
            inside: points.clone(),
            outside,
        };
        let safe = |near| fight.is_safe(near);
        if fight.is_race() {
            return None;
        }
        let filled = fight.add_outside_liberties(&mut points, most)?;
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
                // The group might connect to another chain of its color here.
                pocket.is_open |= self.board.around(point).any(|near| {
                    let chain = self.chain_of[near.index()];
                    let is_friend = chain.is_some_and(|it| self.chains[it].color == color);
                    is_friend && node_of(near).is_none()
                });
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
            // Once this chain is captured, a stone in its place is safe.
            let stones = self.chains[chain].stones.iter();
            if outside == Outside::Few && filled.contains(&chain)
                || stones.flat_map(|&stone| self.board.around(stone)).any(safe)
            {
                pocket.anchored |= node;
            }
            if self.chains[chain].stones.len() > 1 {
                pocket.large |= node;
            }
            if self.chains[chain].stones.len() > largest {
                largest = self.chains[chain].stones.len();
                pocket.main = node;
            }
        }
        pocket.large &= !pocket.main;
        // Reading could never capture a chain without any empty node. Filling took its liberties.
        let occupied = pocket.group | pocket.inside;
        let mut chains = pocket.near[count..].iter();
        chains.all(|near| near & !occupied != 0).then_some(pocket)
    }
}

/// A group of chains, the regions that it encloses, and its surroundings.
struct Fight<'a, B: Board> {
    survey: &'a Survey<'a, B>,
    /// Color of the group.
    color: Color,
    members: &'a [usize],
    /// Points of the enclosed regions.
    inside: Vec<Vertex>,
    outside: Outside,
}

impl<B: Board> Fight<'_, B> {
    /// Returns true if the point is outside and has a stone of the attacker that counts as safe.
    /// With [`Outside::Few`], all stones outside do.
    fn is_safe(&self, point: Vertex) -> bool {
        let chain = self.survey.chain_of[point.index()].map(|chain| &self.survey.chains[chain]);
        chain.is_some_and(|chain| {
            let counts = chain.share >= SAFE || self.outside == Outside::Few;
            counts && chain.color != self.color && !self.inside.contains(&point)
        })
    }

    /// Returns each point next to a member, with the member.
    fn around(&self) -> impl Iterator<Item = (usize, Vertex)> {
        self.members.iter().flat_map(move |&chain| {
            let stones = self.survey.chains[chain].stones.iter();
            let points = stones.flat_map(|&stone| self.survey.board.around(stone));
            points.map(move |point| (chain, point))
        })
    }

    /// Returns true if an opposing chain outside is not safe. The fight is a race then.
    fn is_race(&self) -> bool {
        self.around().any(|(_, near)| {
            let other = self.survey.chain_of[near.index()];
            let is_foreign = other.is_some_and(|it| self.survey.chains[it].color != self.color);
            is_foreign && !self.inside.contains(&near) && !self.is_safe(near)
        })
    }

    /// Adds the outside liberties that take part in the fight. Returns the members with filled
    /// ones, or `None` if more than `most` points take part.
    fn add_outside_liberties(&self, points: &mut Vec<Vertex>, most: usize) -> Option<Vec<usize>> {
        let mut filled = Vec::new();
        // Number of liberties that the latest member keeps.
        let mut latest = (usize::MAX, 0);
        for (chain, near) in self.around() {
            if self.survey.chain_of[near.index()].is_some() || points.contains(&near) {
                continue;
            }
            if latest.0 != chain {
                latest = (chain, 0);
            }
            let is_filled = match self.outside {
                Outside::Empty => false,
                Outside::Filled => true,
                Outside::Few => {
                    latest.1 == MOST_KEPT
                        || !self.survey.board.around(near).any(|it| self.is_safe(it))
                }
            };
            if is_filled {
                filled.push(chain);
                continue;
            }
            if points.len() == most {
                return None;
            }
            points.push(near);
            latest.1 += 1;
        }
        Some(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::{MAX_JUDGE_TIME, Status, judge, judge_with_doubt};
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::rules::{Points, presets};
    use std::time::Instant;

    fn game_of(rows: &str) -> Game<GridBoard> {
        let rows: Vec<&str> = rows.split_whitespace().collect();
        let (width, height) = (rows[0].len(), rows.len());
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = presets::find("japanese").unwrap().rules.clone();
        Game::new(board, rules, Points::ZERO, Color::BLACK)
    }

    /// Returns the status, the color, and the first stone of each chain.
    fn statuses(rows: &str) -> Vec<(Status, Color, Vertex)> {
        let game = game_of(rows);
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
    fn a_group_that_lives_with_few_outside_liberties_kills_the_stones_inside() {
        let rows = "
            .........
            .X.XXXXX.
            ..X.OOOX.
            ..X.O.XOO
            ..X.OOXO.
            ..X.O.XOO
            ..X.OOOX.
            ...XXXXX.
            .........";
        // Playouts disagree about these chains, so only reading settles them.
        let (chains, in_doubt) = judge_with_doubt(&game_of(rows), Instant::now() + MAX_JUDGE_TIME);
        for ((status, stones), in_doubt) in chains.iter().zip(in_doubt) {
            let expected = match stones[0].index() {
                // Black's stones from G4 to G6, and White's chains.
                33 => Status::Dead,
                22 | 34 => Status::Alive,
                _ => continue,
            };
            assert_eq!((*status, in_doubt), (expected, false), "{stones:?}");
        }
    }

    #[test]
    fn a_chain_whose_liberties_are_filled_can_be_captured() {
        // White's stone on B1 has one liberty, on A1. Black captures it and connects there.
        let rows = "
            ......... ......... ......... ......... .........
            .XXXXX... XXOOOXXXX .XO.OOOOO .OXX.O.O.";
        assert_eq!(dead(rows), [1]);
    }

    #[test]
    fn captured_stones_give_way_to_safe_ones() {
        // Black captures C1 or G1 and connects E1 there.
        let rows = "
            ........... ........... ...........
            ..XXXXX.... ..XOOOX.... ..XO.OX.... ..XOOOX....
            ..XO.OX.... ..XOOOX.... .XXO.OXX... .XO.X.OX...";
        assert!(!dead(rows).contains(&4));
    }

    #[test]
    fn stones_inside_do_not_protect_a_captured_chain() {
        // Black's three stones would be captured if they took White's stone on G4.
        let rows = "
            .X.XXX. .XXXOOO ..X.OX. ..X.OXO ..X.OX. ..XXOOO ...XXX.";
        assert_eq!(dead(rows), [0; 0]);
    }

    #[test]
    fn a_group_can_connect_to_friends() {
        // White's stones from A2 to C2 connect on A3 or on D1.
        let rows = "
            XXX...... OOX...... .OX...... OOX...... .OX......
            OOX...... .XXXXXXXX OOOXOOOOO .XO.O.O.O";
        assert!(!dead(rows).contains(&2));
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
