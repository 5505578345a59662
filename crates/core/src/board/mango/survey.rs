//! Realms of one color. A realm is a connected region of empty points and own stones. Its stones
//! live if the weights of its empty points suffice.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_base::zobrist::Zobrist;
use omnigo_graph::Graph;
use omnigo_graph::mango::Mango;

/// No realm, no parent, or not yet reached.
const NONE: u32 = u32::MAX;

/// Totals of the empty points and the stones of a realm or of a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// Sum of the weights of the empty points, in units.
    sum: i64,
    pub(super) stones: u32,
    /// Exclusive or of the Zobrist keys of the stones.
    pub(super) hash: u64,
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.sum += other.sum;
        self.stones += other.stones;
        self.hash ^= other.hash;
    }

    fn minus(self, other: Totals) -> Totals {
        Totals {
            sum: self.sum - other.sum,
            stones: self.stones - other.stones,
            hash: self.hash ^ other.hash,
        }
    }

    /// Returns true if no stone in it is dead.
    pub(super) fn lives(self, mango: &Mango) -> bool {
        self.stones == 0 || mango.gives_life(self.sum)
    }
}

/// Stones of a color that die after a placement of this color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Losses {
    /// No stones.
    None,
    /// The stones of the placed stone's realm. The totals exclude the new stone.
    Realm(Totals),
    /// Unknown, because stones of other realms are already dead.
    Elsewhere,
}

/// The realms of one color in a position, found by depth-first search.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    realms: Vec<Totals>,
    /// Number of realms with dead stones.
    dead_realms: usize,
    /// Realm of each point.
    realm_of: Box<[u32]>,
    /// Position of each point in the order of the search.
    order: Box<[u32]>,
    /// Parent of each point in the search tree.
    parent: Box<[u32]>,
    /// Lowest search position reached by an edge from each subtree (Tarjan's low-link).
    low: Box<[u32]>,
    /// Totals of the subtree of each point.
    below: Box<[Totals]>,
    /// The points in search order. Kept to save allocations.
    walk: Vec<Vertex>,
    /// Index of the next neighbor to visit from each point.
    next: Box<[u32]>,
}

impl Survey {
    pub(super) fn new(points: usize) -> Survey {
        let none = || vec![NONE; points].into_boxed_slice();
        Survey {
            realms: Vec::new(),
            dead_realms: 0,
            realm_of: none(),
            order: none(),
            parent: none(),
            low: none(),
            below: vec![Totals::default(); points].into_boxed_slice(),
            walk: Vec::with_capacity(points),
            next: none(),
        }
    }

    /// Finds the realms of `color`.
    pub(super) fn update(
        &mut self,
        color: Color,
        cells: &[Option<Color>],
        keys: &Zobrist,
        graph: &Graph,
        mango: &Mango,
    ) {
        let in_realm = |v: Vertex| cells[v.index()].is_none_or(|stone| stone == color);
        self.realms.clear();
        self.walk.clear();
        self.order.fill(NONE);
        self.parent.fill(NONE);
        self.realm_of.fill(NONE);
        for root in graph.all() {
            if !in_realm(root) || self.order[root.index()] != NONE {
                continue;
            }
            let number = self.realms.len() as u32;
            let from = self.walk.len();
            self.reach(root);
            let mut at = root.index();
            loop {
                let neighbors = graph.neighbors(Vertex::at(at));
                if let Some(&near) = neighbors.get(self.next[at] as usize) {
                    self.next[at] += 1;
                    if in_realm(near) && self.order[near.index()] == NONE {
                        self.reach(near);
                        self.parent[near.index()] = at as u32;
                        at = near.index();
                    }
                } else if self.parent[at] != NONE {
                    at = self.parent[at] as usize;
                } else {
                    break;
                }
            }
            let mut whole = Totals::default();
            for place in (from..self.walk.len()).rev() {
                let v = self.walk[place];
                let own = match cells[v.index()] {
                    Some(_) => Totals {
                        sum: 0,
                        stones: 1,
                        hash: keys.key(color, v),
                    },
                    None => Totals {
                        sum: mango.weights()[v.index()],
                        stones: 0,
                        hash: 0,
                    },
                };
                whole.add(own);
                self.realm_of[v.index()] = number;
                self.sum_up(v, own, graph, in_realm);
            }
            self.realms.push(whole);
        }
        self.dead_realms = self.realms.iter().filter(|r| !r.lives(mango)).count();
    }

    fn reach(&mut self, v: Vertex) {
        let i = v.index();
        self.order[i] = self.walk.len() as u32;
        self.next[i] = 0;
        self.walk.push(v);
    }

    /// Computes `below` and `low` of a point. Needs those of its subtree, so call in reverse search
    /// order.
    fn sum_up(&mut self, v: Vertex, own: Totals, graph: &Graph, in_realm: impl Fn(Vertex) -> bool) {
        let i = v.index();
        let mut below = own;
        let mut low = self.order[i];
        for &near in graph.neighbors(v).iter().filter(|&&near| in_realm(near)) {
            let j = near.index();
            if self.parent[j] == i as u32 {
                below.add(self.below[j]);
                low = low.min(self.low[j]);
            } else if self.parent[i] != j as u32 {
                low = low.min(self.order[j]);
            }
        }
        self.below[i] = below;
        self.low[i] = low;
    }

    /// Returns true if the stone of this color on `at` is dead.
    pub(super) fn is_dead(&self, at: Vertex, mango: &Mango) -> bool {
        let realm = self.realms.get(self.realm_of[at.index()] as usize);
        realm.is_some_and(|realm| !realm.lives(mango))
    }

    /// Returns true if a stone of a realm other than `realm` is dead.
    fn other_realm_dead(&self, realm: Totals, mango: &Mango) -> bool {
        self.dead_realms > usize::from(!realm.lives(mango))
    }

    /// Returns the stones of this color that die after one is placed on the empty point `at`.
    pub(super) fn losses(&self, at: Vertex, mango: &Mango) -> Losses {
        let realm = self.realms[self.realm_of[at.index()] as usize];
        if self.other_realm_dead(realm, mango) {
            Losses::Elsewhere
        } else if mango.gives_life(realm.sum - mango.weights()[at.index()]) {
            Losses::None
        } else {
            Losses::Realm(realm)
        }
    }

    /// Returns true if every stone of this color still lives after another color plays on the empty
    /// point `at`.
    pub(super) fn lives_without(&self, at: Vertex, graph: &Graph, mango: &Mango) -> bool {
        let i = at.index();
        let realm = self.realms[self.realm_of[i] as usize];
        if self.other_realm_dead(realm, mango) {
            return false;
        }
        let mut rest = Totals {
            sum: realm.sum - mango.weights()[i],
            ..realm
        };
        for near in graph.neighbors(at) {
            let j = near.index();
            if self.parent[j] == i as u32 && self.low[j] >= self.order[i] {
                // This subtree was connected to the rest only through the point.
                if !self.below[j].lives(mango) {
                    return false;
                }
                rest = rest.minus(self.below[j]);
            }
        }
        rest.lives(mango)
    }
}
