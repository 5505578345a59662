//! A small graph as bit sets: what touches what, which sets are connected, what maps it on itself.

/// The most points: a state with its ko point is a key of 63 bits.
pub(in crate::exact) const MOST_POINTS: usize = 28;

/// How a set's neighbors are found.
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
pub(in crate::exact) struct Shape {
    pub(super) points: usize,
    /// All points.
    pub(super) all: u32,
    /// The neighbors of each point.
    pub(super) near: Vec<u32>,
    steps: Steps,
    /// What is added to keys, so that searches for different things share a table.
    salt: u64,
    /// For each map of the graph on itself, other than the identity, the images of the 256 subsets of each eight points.
    maps: Vec<[[u32; 256]; 4]>,
    /// For each of these maps the image of each point, and of none.
    images: Vec<[u8; 32]>,
}

/// The bits of a set, lowest first.
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

impl Shape {
    /// The graph in which point i touches `near[i]`, with some maps of it on itself; `width` where it is a rectangle.
    /// `None` where it has too many points.
    pub(in crate::exact) fn new(
        near: Vec<u32>,
        width: Option<usize>,
        symmetries: &[Vec<usize>],
    ) -> Option<Shape> {
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
        Some(Shape {
            points,
            all,
            steps,
            salt: 0,
            maps: maps.collect(),
            images: images.collect(),
            near,
        })
    }

    /// The number of points.
    pub(in crate::exact) fn points(&self) -> usize {
        self.points
    }

    /// The points next to a point of `set`.
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

    /// The points of `within` that a walk inside `within` joins to `from`, which is part of it.
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

    /// The least key among a state's images, where `key` spells a state from its two sets and its ko point.
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

    /// How many searches for different things can share a table.
    pub(super) fn salts(&self) -> usize {
        1 << (64 - (2 * self.points + 6)).min(16)
    }

    /// Keys are those of the search with this number, below [`Shape::salts`].
    pub(super) fn set_salt(&mut self, number: usize) {
        self.salt = (number as u64) << (2 * self.points + 6);
    }

    /// The same for stones alone.
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

/// Where there is no ko.
pub(in crate::exact) const NO_POINT: u8 = 31;

/// Where two players stand: the stones of the one who tries to hold a goal and the other's, whose turn it is, and the
/// point where simple ko forbids to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::exact) struct State {
    pub(in crate::exact) holder: u32,
    pub(in crate::exact) other: u32,
    /// Whether it is the holder's turn.
    pub(in crate::exact) turn: bool,
    pub(in crate::exact) ko: u8,
}

impl State {
    /// The same stones with the other player to move and no ko: what a pass leads to.
    pub(super) fn passed(self) -> State {
        State {
            turn: !self.turn,
            ko: NO_POINT,
            ..self
        }
    }
}

impl Shape {
    /// What a placement makes of a state, `None` where it is forbidden: taken points, the ko, suicide unless allowed, and
    /// moves without effect.
    #[inline]
    pub(in crate::exact) fn place(&self, state: &State, at: u32, suicide: bool) -> Option<State> {
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
                // A lone stone would leave the position as it was.
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

    /// The points of stones `holder` less those of `other` as the board stands; enclosed points count where `area`.
    pub(in crate::exact) fn margin(&self, mut holder: u32, mut other: u32, area: bool) -> i32 {
        if area {
            let empty = self.all & !(holder | other);
            let by_holder = self.flood(self.touch(holder) & empty, empty);
            let by_other = self.flood(self.touch(other) & empty, empty);
            holder |= by_holder & !by_other;
            other |= by_other & !by_holder;
        }
        holder.count_ones() as i32 - other.count_ones() as i32
    }

    /// Points that are certain to be those of the player with stones `own` in the end, however the other plays: the chains
    /// that live unconditionally, and around them what the other cannot live in. See the module's documentation.
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

    /// What the holder, who is to move, does to take what is certain: places a stone beside its living stones in a region
    /// where the other has stones, on the region's last empty point where there is no other, else passes.
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

    /// The stones that live unconditionally (Benson), every point of a vital region beside the chain.
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
            // A region next to a chain that is not in the set is no eye.
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
