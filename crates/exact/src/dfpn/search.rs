//! Depth-first proof-number search (A. Nagai, 2002) with a table shared by all threads.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::small_graph::{NO_POINT, SmallGraph, State, each};
use super::table::{Entry, INFINITE, ProofTable};

/// The goal, and the rules that affect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    /// Margin that the holder must reach.
    pub(crate) goal: i32,
    /// True if enclosed points count, false if only stones count.
    pub(crate) area: bool,
    /// True if suicide is allowed.
    pub(crate) suicide: bool,
    /// True if the other player can cycle forever outside the certain points: under simple ko with
    /// suicide.
    pub(crate) endless: bool,
    /// True if the holder's chains are dead at the end unless they live unconditionally.
    pub(crate) worst: bool,
}

impl Aim {
    /// Returns true if the goal is met when both players pass now.
    pub(super) fn is_met(&self, graph: &SmallGraph, state: &State) -> bool {
        let holder = if self.worst {
            graph.alive(state.holder)
        } else {
            state.holder
        };
        graph.margin(holder, state.other, self.area) >= self.goal
    }

    /// Returns true if the holder's certain points guarantee the goal.
    pub(super) fn is_certain(&self, graph: &SmallGraph, state: &State, certain: u32) -> bool {
        let whole = graph.points as i32;
        let rest = whole - certain.count_ones() as i32;
        let counted = if self.area {
            certain
        } else {
            certain & state.holder
        };
        let sure = counted.count_ones() as i32 - rest;
        certain != 0 && sure >= self.goal && (!self.endless || rest == 0)
    }
}

/// Data shared by the threads of a search.
pub(super) struct Shared<'a> {
    pub(super) graph: &'a SmallGraph,
    pub(super) aim: Aim,
    /// Canonical keys of positions that the holder must not restore.
    pub(super) banned: &'a [u64],
    pub(super) table: &'a ProofTable,
    pub(super) stop: &'a AtomicBool,
    pub(super) nodes: &'a AtomicU64,
    /// Maximum number of nodes.
    pub(super) most: u64,
    /// Called regularly; returns true to stop.
    pub(super) is_over: &'a (dyn Fn() -> bool + Sync),
}

/// The state after a move, with its table entry.
#[derive(Clone, Copy)]
pub(super) struct Kid {
    pub(super) state: State,
    pub(super) key: u64,
    pub(super) entry: Entry,
    /// True if the state repeats one of the current line, so that searching it is pointless.
    repeats: bool,
    /// Point of the placement, or [`NO_POINT`] for a pass.
    pub(super) at: u8,
}

/// State of one thread of a search.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Keys of the current line.
    path: Vec<u64>,
    /// Number of keys of the line per slot. Most states can skip the comparison with the line.
    filter: Vec<u16>,
    number: u64,
    nodes: u64,
    pub(super) stopped: bool,
}

/// Maximum number of moves in a line, which bounds the stack.
const MOST_LINE: usize = 600;
/// Number of nodes between checks of the limits.
const STRIDE: u64 = 256;
/// Binary logarithm of the nodes spent on a child after which its siblings are looked up again.
const MUCH: u8 = 7;

const SLOTS: u32 = 12;

fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS)) as usize
}

impl<'a> Worker<'a> {
    /// Creates a worker. Workers with different numbers search in different orders.
    pub(super) fn new(shared: &'a Shared<'a>, number: u64) -> Worker<'a> {
        Worker {
            shared,
            path: Vec::new(),
            filter: vec![0; 1 << SLOTS],
            number,
            nodes: 0,
            stopped: false,
        }
    }

    /// Evaluates a state without search. `mine` and `theirs` are the certain points of the holder
    /// and of the other player.
    fn judge(&self, state: &State, mine: u32, theirs: u32) -> Entry {
        let Shared { graph, aim, .. } = self.shared;
        if aim.is_certain(graph, state, mine) {
            return Entry::PROVED;
        }
        let counted = if aim.area {
            theirs
        } else {
            theirs & state.other
        };
        let most = graph.points as i32 - (theirs.count_ones() + counted.count_ones()) as i32;
        if most < aim.goal {
            return Entry::DISPROVED;
        }
        // Estimate the distance to the goal. In two rounds, each player gets the empty points next
        // to its points only. The points that the holder then lacks set the proof number.
        let (mut holder, mut other) = (state.holder, state.other);
        for _ in 0..2 {
            let empty = graph.all & !(holder | other);
            let by_holder = graph.touch(holder) & empty;
            let by_other = graph.touch(other) & empty;
            holder |= by_holder & !by_other;
            other |= by_other & !by_holder;
        }
        let lead = holder.count_ones() as i32 - other.count_ones() as i32;
        let lack = (aim.goal - lead).max(0) as u32;
        Entry {
            proof: 1 + 4 * lack,
            disproof: 1,
            effort: 0,
            height: u8::MAX,
        }
    }

    /// Returns the states after all moves of a state.
    pub(super) fn kids(&self, state: &State) -> Vec<Kid> {
        let Shared {
            graph, aim, table, ..
        } = self.shared;
        let empty = graph.all & !(state.holder | state.other);
        let mut kids: Vec<Kid> = Vec::with_capacity(empty.count_ones() as usize + 1);
        let mut push = |next: State, at: u8| {
            let key = graph.canonical(&next);
            if kids.iter().all(|kid| kid.key != key) {
                kids.push(Kid {
                    state: next,
                    key,
                    entry: Entry::DISPROVED,
                    repeats: false,
                    at,
                });
            }
        };
        for at in each(empty) {
            // The holder never needs suicide. Without it, a proof is also valid where suicide is
            // forbidden.
            let Some(next) = graph.place(state, at, aim.suicide && !state.turn) else {
                continue;
            };
            if !state.turn || !self.is_banned(&next) {
                push(next, at as u8);
            }
        }
        // Passing while the count does not suit the player loses at once, because the other player
        // passes too.
        if aim.is_met(graph, state) == state.turn {
            push(state.passed(), NO_POINT);
        }
        std::hint::black_box(kids.iter().fold(0, |all, kid| all ^ table.fetch(kid.key)));
        let (mine, theirs) = (OnceCell::new(), OnceCell::new());
        let certain = |stones: u32, before: u32, known: &OnceCell<u32>| {
            if stones == before {
                *known.get_or_init(|| graph.certain(stones))
            } else {
                graph.certain(stones)
            }
        };
        for kid in &mut kids {
            if self.filter[slot(kid.key)] != 0 && self.path.contains(&kid.key) {
                kid.repeats = true;
                continue;
            }
            kid.entry = table.find(kid.key).unwrap_or_else(|| {
                let next = kid.state;
                let mine = certain(next.holder, state.holder, &mine);
                let theirs = certain(next.other, state.other, &theirs);
                let entry = self.judge(&next, mine, theirs);
                table.store(kid.key, entry);
                entry
            });
        }
        kids
    }

    fn is_banned(&self, next: &State) -> bool {
        let banned = self.shared.banned;
        !banned.is_empty() && banned.contains(&self.shared.graph.stones_key(next))
    }

    /// Searches a state until its proof or disproof number reaches its threshold.
    pub(super) fn work(&mut self, state: &State, key: u64, proof: u32, disproof: u32) -> Entry {
        self.nodes += 1;
        let begun = self.nodes;
        if self.nodes.is_multiple_of(STRIDE) {
            self.look();
        }
        let mut kids = self.kids(state);
        self.path.push(key);
        self.filter[slot(key)] += 1;
        let entry = loop {
            let mut entry = sum_up(state.turn, &kids);
            let settled = entry.proof == 0 || entry.disproof == 0;
            let enough = entry.proof >= proof || entry.disproof >= disproof;
            if settled || enough || self.stopped {
                entry.effort = (self.nodes - begun + 1).ilog2() as u8;
                break entry;
            }
            let (best, second) = self.choose(state.turn, &kids);
            let Some(kid) = kids.get(best).copied() else {
                break entry;
            };
            // The player to move minimizes one number. The other number is the sum over all moves.
            let (near, far) = kid.entry.numbers(state.turn);
            let (most_near, most_far) = if state.turn {
                (proof, disproof)
            } else {
                (disproof, proof)
            };
            let (_, sum) = entry.numbers(state.turn);
            // Allow a quarter more than the second best, so that the search does not alternate
            // between two moves all the time.
            let near = most_near
                .min(second.saturating_add(second / 4).saturating_add(1))
                .max(near + 1)
                .min(INFINITE);
            let far = if most_far == INFINITE {
                INFINITE
            } else {
                (most_far.saturating_sub(sum) + far).min(INFINITE)
            };
            let (proof, disproof) = if state.turn { (near, far) } else { (far, near) };
            // A line that is too long counts against the holder, like one that repeats a state.
            let done = match self.path.len() {
                ..MOST_LINE => self.work(&kid.state, kid.key, proof, disproof),
                _ => Entry::DISPROVED,
            };
            if let Some(kid) = kids.get_mut(best) {
                kid.entry = done;
            }
            if done.effort >= MUCH {
                // Results for one move may have changed the entries of others.
                let open = |kid: &&mut Kid| kid.entry.proof != 0 && kid.entry.disproof != 0;
                for kid in kids.iter_mut().filter(open) {
                    kid.entry = self.shared.table.find(kid.key).unwrap_or(kid.entry);
                }
            }
        };
        self.path.pop();
        self.filter[slot(key)] -= 1;
        if !self.stopped {
            self.shared.table.store(key, entry);
        }
        entry
    }

    /// Returns the index of the most promising move and the number of the second best.
    fn choose(&self, turn: bool, kids: &[Kid]) -> (usize, u32) {
        let (mut best, mut least, mut second) = (usize::MAX, (u32::MAX, u32::MAX), u32::MAX);
        for (index, kid) in kids.iter().enumerate() {
            let (near, far) = kid.entry.numbers(turn);
            if far == 0 || kid.repeats {
                continue;
            }
            // Threads other than the first see slightly different numbers.
            let bias = if self.number == 0 {
                0
            } else {
                near / 8 * (slot(kid.key ^ self.number << 32) as u32 & 3) / 2
            };
            let worth = (near.saturating_add(bias), far);
            if worth < least {
                (second, least, best) = (least.0, worth, index);
            } else {
                second = second.min(worth.0);
            }
        }
        (best, second)
    }

    /// Updates the shared node count and checks whether the search must stop.
    fn look(&mut self) {
        let shared = self.shared;
        let nodes = shared.nodes.fetch_add(STRIDE, Ordering::Relaxed) + STRIDE;
        if nodes >= shared.most || shared.stop.load(Ordering::Relaxed) || (shared.is_over)() {
            self.stopped = true;
        }
    }
}

/// Computes the numbers of a state from those of its moves.
fn sum_up(turn: bool, kids: &[Kid]) -> Entry {
    let (mut least, mut sum) = (INFINITE, 0u32);
    let (mut lowest, mut highest) = (u8::MAX, 0u8);
    for kid in kids {
        let (near, far) = kid.entry.numbers(turn);
        least = least.min(near);
        sum = sum.saturating_add(far);
        if kid.entry.proof == 0 {
            lowest = lowest.min(kid.entry.height);
            highest = highest.max(kid.entry.height);
        }
    }
    let (near, far) = match (least, sum) {
        (0, _) => (0, INFINITE),
        (_, 0) => (INFINITE, 0),
        (least, sum) => (least, sum.min(INFINITE - 1)),
    };
    let (proof, disproof) = if turn { (near, far) } else { (far, near) };
    Entry {
        proof,
        disproof,
        effort: 0,
        height: if turn { lowest } else { highest }.saturating_add(1),
    }
}
