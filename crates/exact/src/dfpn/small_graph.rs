//! A small graph as bit sets: adjacency, connected sets, and automorphisms.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::BareBoard;

/// Maximum number of points, so that a state with its ko point fits in a key of 63 bits.
pub(crate) const MOST_POINTS: usize = 28;

/// Method that finds the neighbors of a set.
#[derive(Clone, Debug)]
enum Steps {
    /// A rectangle numbered row by row: shifts.
    Rectangle {
        width: u32,
        not_first: u32,
        not_last: u32,
    },
    /// Any graph: point by point.
    Lists,
}

/// A graph of at most [`MOST_POINTS`] points.
#[derive(Clone, Debug)]
pub(crate) struct SmallGraph {
    pub(super) points: usize,
    /// The set of all points.
    pub(super) all: u32,
    /// The neighbors of each point.
    pub(super) near: Vec<u32>,
    steps: Steps,
    /// Added to all keys. Different searches can share a table without conflicts.
    salt: u64,
    /// For each automorphism except the identity: the images of the 256 subsets of each group of
    /// eight points.
    maps: Vec<[[u32; 256]; 4]>,
    /// For each of these automorphisms: the image of each point, and of [`NO_POINT`].
    images: Vec<[u8; 32]>,
}

/// Returns the elements of a set, lowest first.
pub(super) fn each(set: u32) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let bit = rest.trailing_zeros();
        rest &= rest - 1;
        Some(bit)
    })
}

/// Returns the sets of Black's and White's stones of a position, by the index of the color.
pub(crate) fn stone_sets(position: &[Option<Color>]) -> [u32; 2] {
    [Color::BLACK, Color::WHITE].map(|color| {
        let stones = position.iter().enumerate();
        stones
            .filter(|(_, stone)| **stone == Some(color))
            .fold(0, |set, (i, _)| set | 1 << i)
    })
}

impl SmallGraph {
    /// Creates the graph of a board, with these of its automorphisms. Returns `None` if it has no
    /// points or too many.
    pub(crate) fn of<B: BareBoard>(board: &B, symmetries: &[Vec<usize>]) -> Option<SmallGraph> {
        if board.points() > MOST_POINTS {
            return None;
        }
        let near = |i: usize| {
            let around = board.around(Vertex::at(i)).map(Vertex::index);
            around.filter(|&j| j != i).fold(0, |set, j| set | 1 << j)
        };
        let near = (0..board.points()).map(near).collect();
        let width = board.rectangle().map(|(width, _)| width);
        SmallGraph::new(near, width, symmetries)
    }

    /// Creates the graph in which point i has the neighbors `near[i]`, with some of its
    /// automorphisms. `width` is given if it is a rectangle. Returns `None` if it has no points or
    /// too many.
    fn new(near: Vec<u32>, width: Option<usize>, symmetries: &[Vec<usize>]) -> Option<SmallGraph> {
        let points = near.len();
        if points == 0 || points > MOST_POINTS {
            return None;
        }
        let all = (1u32 << points) - 1;
        let column = |x: usize, width: usize| {
            (0..points)
                .filter(|i| i % width == x)
                .fold(0u32, |set, i| set | 1 << i)
        };
        let steps = match width {
            Some(width) if width > 1 => Steps::Rectangle {
                width: width as u32,
                not_first: all & !column(0, width),
                not_last: all & !column(width - 1, width),
            },
            Some(_) | None => Steps::Lists,
        };
        let maps = symmetries.iter().map(|to| {
            std::array::from_fn(|eight| {
                std::array::from_fn(|subset| {
                    each(subset as u32)
                        .filter_map(|bit| to.get(8 * eight + bit as usize))
                        .fold(0u32, |image, &to| image | 1 << to)
                })
            })
        });
        let images = symmetries.iter().map(|to| {
            std::array::from_fn(|point| to.get(point).map_or(NO_POINT, |&image| image as u8))
        });
        Some(SmallGraph {
            points,
            all,
            steps,
            salt: 0,
            maps: maps.collect(),
            images: images.collect(),
            near,
        })
    }

    /// Returns the number of points.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// Returns all neighbors of the points of `set`.
    #[inline]
    pub(super) fn touch(&self, set: u32) -> u32 {
        match self.steps {
            Steps::Rectangle {
                width,
                not_first,
                not_last,
            } => {
                ((set << 1) & not_first | (set >> 1) & not_last | set << width | set >> width)
                    & self.all
            }
            Steps::Lists => {
                let mut touched = 0;
                let mut rest = set;
                while rest != 0 {
                    touched |= self.near[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
                touched
            }
        }
    }

    /// Returns the points of `within` that are connected to `from` inside `within`. `from` must be
    /// a subset of `within`.
    #[inline]
    pub(super) fn flood(&self, from: u32, within: u32) -> u32 {
        let mut reached = from;
        loop {
            let more = (reached | self.touch(reached)) & within;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Returns the key of a state: the least key among its images under the automorphisms.
    #[inline]
    pub(super) fn canonical(&self, state: &State) -> u64 {
        let mut least = self.key(state.holder, state.other, state.ko);
        for (map, images) in self.maps.iter().zip(&self.images) {
            let image = |set: u32| {
                map[0][(set & 255) as usize]
                    | map[1][(set >> 8 & 255) as usize]
                    | map[2][(set >> 16 & 255) as usize]
                    | map[3][(set >> 24) as usize]
            };
            let ko = images[usize::from(state.ko & 31)];
            least = least.min(self.key(image(state.holder), image(state.other), ko));
        }
        least << 1 | u64::from(state.turn) | self.salt
    }

    /// Returns the maximum number of different searches that can share a table.
    pub(super) fn salts(&self) -> usize {
        1 << (64 - (2 * self.points + 6)).min(16)
    }

    /// Sets the number of the search, below [`SmallGraph::salts`], which becomes part of all keys.
    pub(super) fn set_salt(&mut self, number: usize) {
        self.salt = (number as u64) << (2 * self.points + 6);
    }

    /// Returns the key of the stones alone, without the player to move and the ko point.
    pub(super) fn stones_key(&self, state: &State) -> u64 {
        self.canonical(&State {
            turn: false,
            ko: NO_POINT,
            ..*state
        })
    }

    #[inline]
    fn key(&self, holder: u32, other: u32, ko: u8) -> u64 {
        u64::from(ko) | (u64::from(holder) | u64::from(other) << self.points) << 5
    }
}

/// Marks the absence of a ko point.
pub(crate) const NO_POINT: u8 = 31;

/// A state: the stones of the holder and of the other player, the player to move, and the point
/// where simple ko forbids recapture. The holder is the player who must reach a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) holder: u32,
    pub(crate) other: u32,
    /// True if the holder is to move.
    pub(crate) turn: bool,
    pub(crate) ko: u8,
}

impl State {
    /// Returns the state after a pass: the same stones, the other player to move, and no ko point.
    pub(super) fn passed(self) -> State {
        State {
            turn: !self.turn,
            ko: NO_POINT,
            ..self
        }
    }
}

impl SmallGraph {
    /// Returns the state after a placement, or `None` if it is illegal: an occupied point, a ko
    /// recapture, forbidden suicide, or a move without effect.
    #[inline]
    pub(crate) fn place(&self, state: &State, at: u32, suicide: bool) -> Option<State> {
        if u32::from(state.ko) == at {
            return None;
        }
        let (own, foe) = if state.turn {
            (state.holder, state.other)
        } else {
            (state.other, state.holder)
        };
        let bit = 1u32 << at;
        let near = self.near[at as usize];
        let mut own = own | bit;
        let mut empty = self.all & !(own | foe);
        let mut taken = 0;
        let mut rest = near & foe;
        while rest != 0 {
            let chain = self.flood(rest & rest.wrapping_neg(), foe);
            rest &= !chain;
            if self.touch(chain) & empty == 0 {
                taken |= chain;
            }
        }
        let foe = foe & !taken;
        empty |= taken;
        let mut ko = NO_POINT;
        if near & empty == 0 || taken != 0 {
            let chain = self.flood(bit, own);
            let liberties = self.touch(chain) & empty;
            if liberties == 0 {
                // Suicide of a single stone would not change the position.
                if !suicide || chain == bit {
                    return None;
                }
                own &= !chain;
            } else if chain == bit && taken.count_ones() == 1 && liberties == taken {
                ko = taken.trailing_zeros() as u8;
            }
        }
        let (holder, other) = if state.turn { (own, foe) } else { (foe, own) };
        Some(State {
            holder,
            other,
            turn: !state.turn,
            ko,
        })
    }

    /// Returns the points of stones `holder` minus those of `other`. Enclosed points count if
    /// `area` is true.
    pub(crate) fn margin(&self, mut holder: u32, mut other: u32, area: bool) -> i32 {
        if area {
            let empty = self.all & !(holder | other);
            let by_holder = self.flood(self.touch(holder) & empty, empty);
            let by_other = self.flood(self.touch(other) & empty, empty);
            holder |= by_holder & !by_other;
            other |= by_other & !by_holder;
        }
        holder.count_ones() as i32 - other.count_ones() as i32
    }

    /// Returns the points that are certain to belong to the player with stones `own` in the end.
    /// These are the unconditionally alive chains, and the regions around them in which the other
    /// player cannot live. See the module documentation of `dfpn`.
    pub(super) fn certain(&self, own: u32) -> u32 {
        let alive = self.alive(own);
        if alive == 0 {
            return 0;
        }
        let beside = self.touch(alive);
        let mut certain = alive;
        let mut rest = self.all & !alive;
        while rest != 0 {
            let region = self.flood(rest & rest.wrapping_neg(), self.all & !alive);
            rest &= !region;
            let inner = region & !beside;
            let secure = match inner.count_ones() {
                0 => true,
                1 => self.near[inner.trailing_zeros() as usize].count_ones() >= 2,
                _ => false,
            };
            if secure {
                certain |= region;
            }
        }
        certain
    }

    /// Returns the holder's moves that secure its certain points, best first. In regions with
    /// stones of the other player, it plays empty points next to its alive stones, then the other
    /// empty points. If there are none, it passes.
    pub(super) fn securing(&self, state: &State, certain: u32) -> Vec<u8> {
        let alive = self.alive(state.holder);
        let beside = self.touch(alive);
        let (mut places, mut last) = (Vec::new(), Vec::new());
        let mut rest = certain & !alive;
        while rest != 0 {
            let region = self.flood(rest & rest.wrapping_neg(), certain & !alive);
            rest &= !region;
            let empty = region & !(state.holder | state.other);
            if region & state.other != 0 {
                places.extend(each(empty & beside).map(|at| at as u8));
                last.extend(each(empty & !beside).map(|at| at as u8));
            }
        }
        places.append(&mut last);
        if places.is_empty() {
            places.push(NO_POINT);
        }
        places
    }

    /// Returns the stones that live unconditionally (Benson). Every point of a vital region must be
    /// adjacent to the chain.
    pub(super) fn alive(&self, own: u32) -> u32 {
        let mut regions = [0u32; 32];
        let mut around = [0u32; 32];
        let mut count = 0;
        let outside = self.all & !own;
        let mut rest = outside;
        while rest != 0 {
            let region = self.flood(rest & rest.wrapping_neg(), outside);
            rest &= !region;
            regions[count] = region;
            around[count] = self.touch(region) & own;
            count += 1;
        }
        if count < 2 {
            return 0;
        }
        let mut alive = own;
        loop {
            // A region is no eye if it touches a chain that is not in the set.
            let mut next = 0;
            let mut rest = alive;
            while rest != 0 {
                let chain = self.flood(rest & rest.wrapping_neg(), own);
                rest &= !chain;
                let beside = self.touch(chain);
                let mut eyes = 0;
                for i in 0..count {
                    if regions[i] & !beside == 0 && around[i] & !alive == 0 {
                        eyes += 1;
                    }
                }
                if eyes >= 2 {
                    next |= chain;
                }
            }
            if next == alive {
                return alive;
            }
            alive = next;
        }
    }
}
