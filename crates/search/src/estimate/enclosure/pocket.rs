//! Exhaustive reading of a local fight on a few points. Can the attacker capture a group from
//! within? Can the group capture the attacker's stones and live?
//!
//! Both players may pass; two passes in a row end the fight. Simple ko applies, and there are no ko
//! threats. A group is therefore lost even if the attacker can capture it only by a ko that the
//! attacker takes first. An example is a bent four in the corner. A repeated position fails the
//! goal of the player who pursues it.

use omnigo_base::hash::{FastMap, FastSet};

/// Maximum number of nodes of a pocket.
pub(super) const MOST_NODES: usize = 16;
/// Maximum number of moves of a line. It limits the stack; real fights have fewer than 100 moves.
const DEEPEST: usize = 1_000;

/// Local fight, with sets of nodes as bit sets. A node is one point inside or next to the group, or
/// one chain of the group, which the fight cannot split. A captured chain becomes one empty node,
/// whatever its size.
#[derive(Clone, Debug, Default)]
pub(super) struct Pocket {
    /// Neighbors of each node.
    pub(super) neighbors: Vec<u16>,
    /// Nodes of the group under attack at the start.
    pub(super) group: u16,
    /// Chains of the group that it must keep. It is lost when one of them is captured.
    pub(super) vital: u16,
    /// The attacker's stones inside the group at the start.
    pub(super) inside: u16,
    /// Nodes next to safe stones of the attacker or to filled liberties. Attacking stones on them
    /// cannot be captured.
    pub(super) safe_for_attacker: u16,
    /// Chains of two or more stones that the group may lose.
    pub(super) large_chains: u16,
    /// True if the group might connect to friendly stones on an outside liberty.
    pub(super) may_escape: bool,
}

/// Stones of a fight and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    group: u16,
    attacker: u16,
    /// Node that ko forbids, as a bit set.
    ko: u16,
    /// True if the attacker is to move.
    attacks: bool,
    /// Number of passes in a row.
    passes: u8,
}

/// Result of reading a pocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The group is captured even if it moves first.
    Lost,
    /// The player who moves first decides the outcome, or the assumptions about refilled chains
    /// leave it unclear.
    Open,
    /// The group lives, and the attacker's stones inside can be captured even if the attacker
    /// moves first.
    Alive,
    /// The group lives but cannot capture all stones inside, even if it moves first.
    Seki,
}

/// Goal of a local search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    /// The attacker captures the group.
    Capture,
    /// The group captures all stones inside and lives.
    Clear,
}

/// Search of one pocket.
struct Reader<'a> {
    pocket: &'a Pocket,
    /// Sets of nodes on which only the number of stones matters. See [`Pocket::interchangeable`].
    interchangeable: Vec<u16>,
    /// Results that hold for good.
    known: FastMap<(Goal, Situation), bool>,
    /// Situations that the current sweep has started or found to fail, by goal.
    failed: [FastSet<Situation>; 2],
    /// Number of situations from which a goal can be reached, by goal.
    successes: [usize; 2],
    /// True if one stone of the group fills the place of a captured chain of several stones. That
    /// favors the group. Otherwise the group never plays there, which favors the attacker.
    refills: bool,
    budget: &'a mut usize,
}

impl Pocket {
    /// Reads the fight. Takes 1 from `budget` for each situation searched. Returns `None` once the
    /// budget is used up, or if the group is lost here but might escape.
    ///
    /// Each question is asked under the assumption about refilled chains that works against the
    /// outcome which the answer would prove.
    pub(super) fn read(&self, budget: &mut usize) -> Option<Outcome> {
        let pocket = self.with_separate_liberties();
        let mut reader = Reader::new(&pocket, budget);
        let start = |attacks| self.start(attacks);
        if reader.shows(Goal::Capture, start(false))? {
            return (!self.may_escape).then_some(Outcome::Lost);
        }
        reader.set_refills(false);
        if reader.shows(Goal::Capture, start(true))? {
            return Some(Outcome::Open);
        }
        if reader.shows(Goal::Clear, start(true))? {
            return Some(Outcome::Alive);
        }
        reader.set_refills(true);
        if reader.shows(Goal::Clear, start(false))? {
            return Some(Outcome::Open);
        }
        Some(Outcome::Seki)
    }

    /// Returns true if the group keeps its vital chains even if the attacker moves first. Like
    /// [`Pocket::read`], takes from `budget` and returns `None` once it is used up.
    pub(super) fn survives(&self, budget: &mut usize) -> Option<bool> {
        let pocket = self.with_separate_liberties();
        let mut reader = Reader::new(&pocket, budget);
        reader.set_refills(false);
        Some(!reader.shows(Goal::Capture, self.start(true))?)
    }

    /// Returns the situation at the start. `attacks` is true if the attacker moves first.
    fn start(&self, attacks: bool) -> Situation {
        Situation {
            group: self.group,
            attacker: self.inside,
            ko: 0,
            attacks,
            passes: 0,
        }
    }

    /// Returns true if one of the vital chains is captured.
    fn is_lost(&self, now: Situation) -> bool {
        now.group & self.vital != self.vital
    }

    /// Returns the pocket without the edges between outside liberties of a vital chain. No
    /// result depends on them: a stone of the group joins that chain on either liberty, and one of
    /// the attacker cannot be captured.
    fn with_separate_liberties(&self) -> Pocket {
        let vital = self.vital.trailing_zeros() as usize;
        let beside = self.neighbors.get(vital).copied().unwrap_or(0);
        let separate = beside & self.safe_for_attacker & !self.group;
        let mut pocket = self.clone();
        for node in nodes(separate) {
            pocket.neighbors[node] &= !separate;
        }
        pocket
    }

    /// Returns sets of empty nodes with equal neighbors, such as outside liberties of one chain.
    /// Only the number of stones on them matters.
    fn interchangeable(&self) -> Vec<u16> {
        let empty = self.all() & !(self.group | self.inside) & self.safe_for_attacker;
        let mut sets: Vec<(u16, u16)> = Vec::new();
        for node in nodes(empty) {
            let neighbors = self.neighbors[node];
            match sets.iter_mut().find(|(others, _)| *others == neighbors) {
                Some((_, set)) => *set |= 1 << node,
                None => sets.push((neighbors, 1 << node)),
            }
        }
        sets.retain(|(_, set)| set.count_ones() > 1);
        sets.into_iter().map(|(_, set)| set).collect()
    }

    fn all(&self) -> u16 {
        u16::MAX >> (16 - self.neighbors.len().clamp(1, 16))
    }

    /// Returns the union of the neighbors of these nodes.
    fn neighbors_of(&self, set: u16) -> u16 {
        nodes(set).fold(0, |found, node| found | self.neighbors[node])
    }

    /// Returns the chain that contains `node` among these stones.
    fn chain(&self, stones: u16, node: u16) -> u16 {
        let mut chain = node;
        loop {
            let next = chain | (self.neighbors_of(chain) & stones);
            if next == chain {
                return chain;
            }
            chain = next;
        }
    }

    /// Returns the situation after a stone is placed on `node`, or `None` if the node is occupied,
    /// forbidden by ko, or suicide. `refills` is that of [`Reader`].
    fn place(&self, before: Situation, node: u16, refills: bool) -> Option<Situation> {
        let is_barred = !before.attacks && !refills && node & self.large_chains != 0;
        if is_barred || node & (before.group | before.attacker | before.ko) != 0 {
            return None;
        }
        let (mut own, mut other) = match before.attacks {
            true => (before.attacker, before.group),
            false => (before.group, before.attacker),
        };
        own |= node;
        let mut captured = 0;
        let mut beside = self.neighbors[node.trailing_zeros() as usize] & other;
        while beside != 0 {
            let chain = self.chain(other, beside & beside.wrapping_neg());
            beside &= !chain;
            let safe = !before.attacks && chain & self.safe_for_attacker != 0;
            if !safe && self.neighbors_of(chain) & self.all() & !(own | other) == 0 {
                captured |= chain;
            }
        }
        other &= !captured;
        let chain = self.chain(own, node);
        let liberties = self.neighbors_of(chain) & self.all() & !(own | other);
        let safe = before.attacks && chain & self.safe_for_attacker != 0;
        if liberties == 0 && !safe {
            return None;
        }
        let single = captured.count_ones() == 1 && chain == node && liberties == captured && !safe;
        let (group, attacker) = match before.attacks {
            true => (other, own),
            false => (own, other),
        };
        Some(Situation {
            group,
            attacker,
            ko: if single { captured } else { 0 },
            attacks: !before.attacks,
            passes: 0,
        })
    }
}

impl<'a> Reader<'a> {
    fn new(pocket: &'a Pocket, budget: &'a mut usize) -> Self {
        Reader {
            pocket,
            interchangeable: pocket.interchangeable(),
            known: FastMap::default(),
            failed: Default::default(),
            successes: [0; 2],
            refills: true,
            budget,
        }
    }

    fn set_refills(&mut self, refills: bool) {
        // Answers change only if there is a chain that the group could refill.
        if self.pocket.large_chains != 0 && self.refills != refills {
            self.known.clear();
        }
        self.refills = refills;
    }

    /// Returns these empty nodes with only the first of each interchangeable set.
    fn without_equals(&self, empty: u16) -> u16 {
        self.interchangeable.iter().fold(empty, |rest, equals| {
            let free = rest & equals;
            rest & !(free & free.wrapping_sub(1))
        })
    }

    /// Moves stones to the first nodes of each interchangeable set, so that equal situations are
    /// the same.
    fn in_order(&self, mut situation: Situation) -> Situation {
        for &equals in &self.interchangeable {
            let [attacker, group] = [situation.attacker, situation.group];
            let (attackers, defenders) = (
                (attacker & equals).count_ones() as usize,
                (group & equals).count_ones() as usize,
            );
            situation.attacker &= !equals;
            situation.group &= !equals;
            for (place, node) in nodes(equals).enumerate() {
                if place < attackers {
                    situation.attacker |= 1 << node;
                } else if place < attackers + defenders {
                    situation.group |= 1 << node;
                }
            }
        }
        situation
    }

    /// Returns true if the player who pursues the goal can reach it. Returns `None` if the budget
    /// is used up, or if a line is too long.
    ///
    /// A repeated situation counts as a failure. Each sweep therefore treats situations that are
    /// still in progress as failures. Successes do not depend on these assumptions. Sweeps repeat
    /// until one finds no new success.
    fn shows(&mut self, goal: Goal, start: Situation) -> Option<bool> {
        loop {
            self.failed[goal as usize].clear();
            let before = self.successes[goal as usize];
            if self.visit(goal, start, 0)? {
                return Some(true);
            }
            if self.successes[goal as usize] == before {
                let failed = self.failed[goal as usize].drain();
                self.known
                    .extend(failed.map(|situation| ((goal, situation), false)));
                return Some(false);
            }
        }
    }

    /// Returns true if the goal is reached from this situation, as far as the current sweep can
    /// tell. `depth` is the number of moves since the start.
    fn visit(&mut self, goal: Goal, now: Situation, depth: usize) -> Option<bool> {
        let lost = self.pocket.is_lost(now);
        let settled = match goal {
            Goal::Capture if lost => Some(true),
            Goal::Clear if lost => Some(false),
            Goal::Clear if now.attacker & !self.pocket.safe_for_attacker == 0 => {
                let attack = Situation {
                    attacks: true,
                    passes: 0,
                    ..now
                };
                if !self.shows(Goal::Capture, attack)? {
                    Some(true)
                } else if now.passes > 1 {
                    Some(false)
                } else {
                    None
                }
            }
            Goal::Capture | Goal::Clear => (now.passes > 1).then_some(false),
        };
        if let Some(settled) = settled {
            return Some(settled);
        }
        if let Some(&known) = self.known.get(&(goal, now)) {
            return Some(known);
        }
        if !self.failed[goal as usize].insert(now) {
            return Some(false);
        }
        *self.budget = self.budget.checked_sub(1)?;
        if depth == DEEPEST {
            return None;
        }
        let seeker = now.attacks == (goal == Goal::Capture);
        let pass = Situation {
            ko: 0,
            attacks: !now.attacks,
            passes: now.passes + 1,
            ..now
        };
        let empty = self.pocket.all() & !(now.group | now.attacker);
        let places: Vec<Situation> = nodes(self.without_equals(empty))
            .filter_map(|node| self.pocket.place(now, 1 << node, self.refills))
            .map(|next| self.in_order(next))
            .collect();
        // A pass is the most likely defense, so the defender tries it first. The player who pursues
        // the goal tries it last.
        let order = (!seeker).then_some(pass).into_iter().chain(places);
        let mut found = !seeker;
        for next in order.chain(seeker.then_some(pass)) {
            if self.visit(goal, next, depth + 1)? == seeker {
                found = seeker;
                break;
            }
        }
        if found {
            self.failed[goal as usize].remove(&now);
            self.known.insert((goal, now), true);
            self.successes[goal as usize] += 1;
        }
        Some(found)
    }
}

/// Returns the nodes of a set in ascending order.
fn nodes(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let node = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(node)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::random::Random;

    /// Returns a group around the points of an eye on a square lattice, with `outside` outside
    /// liberties. In `rows`, `.` is an empty point, `x` is a stone of the attacker, and blanks are
    /// outside the eye.
    fn eye(rows: &[&str], outside: usize) -> Pocket {
        let mut places = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, sign) in row.chars().enumerate().filter(|(_, sign)| *sign != ' ') {
                places.push((x, y, sign));
            }
        }
        let count = places.len();
        let group = 1 << count;
        let mut pocket = Pocket {
            group,
            vital: group,
            ..Pocket::default()
        };
        for (i, &(x, y, sign)) in places.iter().enumerate() {
            let mut neighbors = group;
            for (j, &(u, v, _)) in places.iter().enumerate() {
                if x.abs_diff(u) + y.abs_diff(v) == 1 {
                    neighbors |= 1 << j;
                }
            }
            pocket.neighbors.push(neighbors);
            pocket.inside |= u16::from(sign == 'x') << i;
        }
        pocket.neighbors.push(group - 1);
        for _ in 0..outside {
            let node = pocket.neighbors.len();
            pocket.neighbors.push(group);
            pocket.neighbors[count] |= 1 << node;
            pocket.safe_for_attacker |= 1 << node;
        }
        pocket
    }

    #[test]
    fn shapes_have_their_known_status() {
        // Three stones in a row next to two empty points: the player who moves first loses.
        for outside in [0, 2] {
            assert_eq!(
                eye(&[". .", "xxx"], outside).read(&mut 100_000),
                Some(Outcome::Seki)
            );
        }
        // A bulky five with four stones in it is dead.
        assert_eq!(
            eye(&["xx ", "xx."], 0).read(&mut 100_000),
            Some(Outcome::Lost)
        );
        // A stone at the end of four points in a row is captured.
        assert_eq!(eye(&["x..."], 0).read(&mut 100_000), Some(Outcome::Alive));
        // Three empty points: the vital point decides.
        assert_eq!(eye(&["..."], 0).read(&mut 100_000), Some(Outcome::Open));
        assert_eq!(eye(&["...."], 0).read(&mut 100_000), Some(Outcome::Alive));
    }

    /// A chain of two stones next to safe stones of the attacker, and a group with one eye. If the
    /// attacker moves first, it captures the chain and keeps the place.
    #[test]
    fn the_group_cannot_refill_the_place_of_two_stones() {
        let mut pocket = Pocket {
            // An eye, an empty point, a stone of the attacker, an outside liberty, two chains.
            neighbors: vec![1 << 4, 0b11_0100, 0b11_0010, 1 << 4, 0b1111, 0b110],
            group: 0b11_0000,
            vital: 1 << 4,
            inside: 1 << 2,
            safe_for_attacker: 1 << 3 | 1 << 5,
            large_chains: 1 << 5,
            may_escape: false,
        };
        assert_eq!(pocket.read(&mut 100_000), Some(Outcome::Open));
        // A single stone could be replaced, which captures both stones of the attacker.
        pocket.large_chains = 0;
        pocket.safe_for_attacker = 1 << 3;
        assert_eq!(pocket.read(&mut 100_000), Some(Outcome::Alive));
    }

    /// Returns whether the goal can be reached, by repeated passes over all situations that follow
    /// from the start. The reference implementation of [`Reader::shows`], without merging equal
    /// nodes.
    fn shows_slowly(pocket: &Pocket, goal: Goal, start: Situation, refills: bool) -> bool {
        let moves = |now: Situation| {
            let empty = pocket.all() & !(now.group | now.attacker);
            let pass = Situation {
                ko: 0,
                attacks: !now.attacks,
                passes: now.passes + 1,
                ..now
            };
            let places = nodes(empty).filter_map(|node| pocket.place(now, 1 << node, refills));
            places.chain([pass]).collect::<Vec<_>>()
        };
        let mut found: FastMap<Situation, bool> = FastMap::default();
        let mut rest = vec![start];
        while let Some(now) = rest.pop() {
            if found.contains_key(&now) {
                continue;
            }
            let lost = pocket.is_lost(now);
            let has_cleared = !lost && now.attacker & !pocket.safe_for_attacker == 0;
            let reached = match goal {
                Goal::Capture => lost,
                Goal::Clear if has_cleared => {
                    let attack = Situation {
                        attacks: true,
                        passes: 0,
                        ..now
                    };
                    !shows_slowly(pocket, Goal::Capture, attack, refills)
                }
                Goal::Clear => false,
            };
            found.insert(now, reached);
            if !lost && !reached && now.passes < 2 {
                rest.extend(moves(now));
            }
        }
        loop {
            let mut changed = false;
            let open: Vec<Situation> = found
                .iter()
                .filter(|&(now, &reached)| !reached && now.passes < 2 && !pocket.is_lost(*now))
                .map(|(&now, _)| now)
                .collect();
            for now in open {
                let seeks = now.attacks == (goal == Goal::Capture);
                let mut after = moves(now).into_iter().map(|next| found[&next]);
                let reached = match seeks {
                    true => after.any(|reached| reached),
                    false => after.all(|reached| reached),
                };
                if reached {
                    found.insert(now, true);
                    changed = true;
                }
            }
            if !changed {
                return found[&start];
            }
        }
    }

    #[test]
    fn reading_agrees_with_the_reference() {
        let mut random = Random::new(3);
        let mut outcomes = FastSet::default();
        for _ in 0..1_000 {
            // Up to five points inside, up to two outside liberties, and one or two chains.
            let (inside, outside) = (1 + random.below(5), random.below(3));
            let (count, chains) = (inside + outside, 1 + random.below(2));
            let points = (1 << count) - 1;
            let group = ((1 << chains) - 1) << count;
            let mut pocket = Pocket {
                neighbors: vec![0; count + chains],
                group,
                vital: 1 << count,
                safe_for_attacker: points & !((1 << inside) - 1),
                ..Pocket::default()
            };
            let keeps_all = random.percent(30);
            if keeps_all {
                pocket.vital = group;
            }
            for set in [&mut pocket.large_chains, &mut pocket.safe_for_attacker] {
                if random.percent(50) {
                    *set |= group & !pocket.vital;
                }
            }
            for a in 0..count {
                for b in 0..a {
                    if random.percent(40) {
                        join(&mut pocket, a, b);
                    }
                }
                for chain in 0..chains {
                    // The first chain has all outside liberties.
                    let is_near = a >= inside && chain == 0;
                    if is_near || random.percent(80 - 20 * chain) {
                        join(&mut pocket, a, count + chain);
                    }
                }
                if a < inside && random.percent(50) {
                    pocket.inside |= 1 << a;
                }
            }
            let has_liberty = |neighbors: &u16| neighbors & !(pocket.inside | group) != 0;
            if !pocket.neighbors[count..].iter().all(has_liberty) {
                continue;
            }
            let slow = |goal, attacks, refills| {
                shows_slowly(&pocket, goal, pocket.start(attacks), refills)
            };
            let survives = !slow(Goal::Capture, true, false);
            let expected = if slow(Goal::Capture, false, true) {
                Outcome::Lost
            } else if !survives {
                Outcome::Open
            } else if slow(Goal::Clear, true, false) {
                Outcome::Alive
            } else if slow(Goal::Clear, false, true) {
                Outcome::Open
            } else {
                Outcome::Seki
            };
            assert_eq!(pocket.read(&mut 100_000), Some(expected), "{pocket:?}");
            assert_eq!(pocket.survives(&mut 100_000), Some(survives), "{pocket:?}");
            outcomes.insert((format!("{expected:?}"), chains, keeps_all && chains > 1));
        }
        // Each outcome with one chain, and with two of which one or both are vital.
        assert_eq!(outcomes.len(), 12, "{outcomes:?}");
    }

    fn join(pocket: &mut Pocket, one: usize, other: usize) {
        pocket.neighbors[one] |= 1 << other;
        pocket.neighbors[other] |= 1 << one;
    }

    #[test]
    fn a_group_that_might_escape_is_not_lost() {
        let mut pocket = eye(&["xx ", "xx."], 0);
        pocket.may_escape = true;
        assert_eq!(pocket.read(&mut 100_000), None);
    }
}
