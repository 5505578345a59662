//! Translation of a group and its surroundings into the nodes of a [`Pocket`].

use super::pocket::{MOST_NODES, Pocket};
use super::survey::Survey;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Fraction of the playouts in which a chain must survive to count as safe.
pub(super) const SAFE: f64 = 0.8;
/// Maximum number of outside liberties of a group that is read.
const MOST_OUTSIDE: usize = 5;
/// Maximum number of outside liberties that a chain adds to a fight of [`Outside::Few`]. With two,
/// the group has time for one answer.
const MOST_KEPT: usize = 2;

/// Liberties of a group outside the regions that it encloses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outside {
    /// All of them take part in the fight.
    Empty,
    /// Safe stones of the attacker fill them. This is the worst case for the group.
    Filled,
    /// Each chain adds at most [`MOST_KEPT`], in the order of the chains. Shared ones count for
    /// all. The attacker fills the others, and its stones outside cannot be captured. This is worse
    /// for the group than the real fight.
    Few,
}

/// A group of chains, the regions that it encloses, and its surroundings.
pub(super) struct Fight<'a, B: Board> {
    pub(super) survey: &'a Survey<'a, B>,
    /// Color of the group.
    pub(super) color: Color,
    /// Chains of the group.
    pub(super) members: &'a [usize],
    /// Points of the enclosed regions.
    pub(super) inside: Vec<Vertex>,
    pub(super) outside: Outside,
    /// True if the group is lost when any of its chains is captured. Otherwise it may lose all but
    /// the largest.
    pub(super) keeps_all: bool,
}

/// Points that take part in a fight. Those inside come first, then the outside liberties.
struct FightPoints {
    points: Vec<Vertex>,
    /// Members whose other outside liberties the attacker has filled.
    filled: Vec<usize>,
}

impl<B: Board> Fight<'_, B> {
    /// Returns the nodes of the fight. Returns `None` if the fight is too large, if it is a race,
    /// or if an outside liberty might become an eye.
    pub(super) fn pocket(&self) -> Option<Pocket> {
        let all = self.fight_points()?;
        let mut pocket = Pocket::default();
        self.add_points(&all, &mut pocket)?;
        self.add_chains(&all, &mut pocket);
        // A capture needs a move on the last liberty. If filling took all liberties of a chain,
        // reading could never capture it.
        let occupied = pocket.group | pocket.inside;
        let mut chains = pocket.neighbors[all.points.len()..].iter();
        chains
            .all(|neighbors| neighbors & !occupied != 0)
            .then_some(pocket)
    }

    /// Returns the points that take part, or `None` if there are too many or the fight is a race.
    fn fight_points(&self) -> Option<FightPoints> {
        let inside = self.inside.len();
        let most = (inside + MOST_OUTSIDE).min(MOST_NODES.saturating_sub(self.members.len()));
        if inside > most || self.is_race() {
            return None;
        }
        let mut points = self.inside.clone();
        let filled = self.add_outside_liberties(&mut points, most)?;
        Some(FightPoints { points, filled })
    }

    /// Adds a node for each point. Returns `None` if an outside liberty might become an eye.
    fn add_points(&self, all: &FightPoints, pocket: &mut Pocket) -> Option<()> {
        let board = self.survey.board;
        for (node, &point) in all.points.iter().enumerate() {
            let neighbors = board.around(point).filter_map(|it| self.node(all, it));
            pocket
                .neighbors
                .push(neighbors.fold(0, |set, it| set | 1 << it));
            if self.survey.chain_of[point.index()].is_some() {
                pocket.inside |= 1 << node;
            }
            if node < self.inside.len() {
                continue;
            }
            // An eye is impossible on a point next to a safe stone of the attacker.
            if !board.around(point).any(|near| self.is_safe(near)) {
                return None;
            }
            pocket.safe_for_attacker |= 1 << node;
            // The group might connect to another chain of its color here.
            pocket.may_escape |= board.around(point).any(|near| {
                let chain = self.survey.chain_on(near);
                let is_friend = chain.is_some_and(|chain| chain.color == self.color);
                is_friend && self.node(all, near).is_none()
            });
        }
        Some(())
    }

    /// Adds a node for each chain of the group, after those of the points.
    fn add_chains(&self, all: &FightPoints, pocket: &mut Pocket) {
        let board = self.survey.board;
        let count = all.points.len();
        let mut largest = 0;
        for (place, &chain) in self.members.iter().enumerate() {
            let node = 1 << (count + place);
            let mut set = 0;
            for (point, neighbors) in pocket.neighbors[..count].iter().enumerate() {
                if neighbors & node != 0 {
                    set |= 1 << point;
                }
            }
            pocket.neighbors.push(set);
            pocket.group |= node;
            let stones = self.survey.chains[chain].stones;
            let mut around = stones.iter().flat_map(|&stone| board.around(stone));
            let is_filled = self.outside == Outside::Few && all.filled.contains(&chain);
            // Once this chain is captured, a stone in its place is safe.
            if is_filled || around.any(|near| self.is_safe(near)) {
                pocket.safe_for_attacker |= node;
            }
            if stones.len() > 1 {
                pocket.large_chains |= node;
            }
            if stones.len() > largest {
                largest = stones.len();
                pocket.vital = node;
            }
        }
        if self.keeps_all {
            pocket.vital = pocket.group;
        }
        pocket.large_chains &= !pocket.vital;
    }

    /// Returns the node of a point or of the member on it, or `None` if it takes no part.
    fn node(&self, all: &FightPoints, point: Vertex) -> Option<usize> {
        let member = self.survey.chain_of[point.index()].and_then(|chain| {
            let place = self.members.iter().position(|&member| member == chain)?;
            Some(all.points.len() + place)
        });
        member.or_else(|| all.points.iter().position(|&it| it == point))
    }

    /// Returns true if the point is outside and has a stone of the attacker that counts as safe.
    /// With [`Outside::Few`], all stones outside do.
    fn is_safe(&self, point: Vertex) -> bool {
        self.survey.chain_on(point).is_some_and(|chain| {
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
            let chain = self.survey.chain_on(near);
            let is_foreign = chain.is_some_and(|chain| chain.color != self.color);
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
