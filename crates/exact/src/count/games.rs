//! Counting games: the simple paths in the game graph that start at the empty position.
//!
//! Under positional superko, with two passes ending the game, games correspond one to one to these
//! paths. (J. Tromp and G. Farnebäck, "Combinatorics of Go", 2007.) Passes only choose the player
//! to move. So 1x1 has one game, 1x2 has nine, and 2x2 has 386,356,909,593.
//!
//! The continuations depend only on the position and on the set of unvisited positions that can be
//! reached through unvisited ones. This pair is the key of a table, so paths need not be enumerated
//! one by one. A set is one integer. The table stores whole keys, so an entry is never mistaken for
//! another. A full table overwrites old entries. The first moves are counted once per class under
//! the symmetries of the graph and of the colors.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl};
use std::sync::Arc;

use num_bigint::BigUint;

use super::budget::Budget;
use super::game_graph::GameGraph;
use super::symmetry::orbits;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Number of games of a graph, and the length of the longest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// Number of games.
    pub count: u128,
    /// Number of placements in the longest game.
    pub longest: u32,
}

/// Reason why the games were not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// There are more games than the limit.
    #[error("more than {0}")]
    More(u128),
    /// The graph has too many positions for the table, and no limit was given that would end the
    /// count.
    #[error(
        "the games of a graph of {vertices} vertices reach at least {positions} positions, expected at most {MOST_POSITIONS} or a limit"
    )]
    Large {
        /// Number of vertices of the graph.
        vertices: usize,
        /// Lower bound of the number of positions.
        positions: BigUint,
    },
    /// The number of games exceeds 128 bits.
    #[error("more than 2^128 games, expected a smaller graph or a limit")]
    Overflow,
    /// The memory is exhausted. The number is a proven lower bound.
    #[error("at least {0} games, then out of memory, expected a smaller graph or limit")]
    Memory(u128),
    /// The stop flag was set or the deadline passed. The number is a proven lower bound.
    #[error("at least {0} games, not finished in time")]
    Stopped(u128),
}

/// Maximum number of positions for the table: a set of them must fit in 128 bits.
pub const MOST_POSITIONS: usize = 128;

/// Counts the games of a graph under positional superko with suicide allowed, up to `limit`.
///
/// # Errors
/// There are more games than `limit`, the graph has too many positions and there is no limit, or
/// the budget is exhausted.
pub fn games(
    graph: &Arc<Graph>,
    limit: Option<u128>,
    budget: &Budget<'_>,
) -> Result<Games, GamesError> {
    // Every position ends at least one game of its own: the one that places its stones one by one.
    let positions = super::bounds(graph, 2).0;
    if let Some(limit) = limit
        && positions > BigUint::from(limit)
    {
        return Err(GamesError::More(limit));
    }
    let large = || GamesError::Large {
        vertices: graph.vertices(),
        positions: positions.clone(),
    };
    if limit.is_none() && positions > BigUint::from(MOST_POSITIONS) {
        return Err(large());
    }
    let graph = &Arc::new(without_isolated(graph));
    let mut game_graph = GameGraph::new(graph).ok_or_else(large)?;
    let mut next: Vec<Vec<u32>> = Vec::new();
    while next.len() < game_graph.found() && game_graph.found() <= MOST_POSITIONS {
        next.push(game_graph.next(next.len() as u32));
    }
    let found = game_graph.found();
    if found > MOST_POSITIONS {
        return match limit {
            Some(limit) => walk(game_graph, limit, budget),
            None => Err(large()),
        };
    }
    let first = orbits(graph, &game_graph, &next[0]);
    if found <= 64 {
        Paths::<u64>::count(&next, &first, limit, budget)
    } else {
        Paths::<u128>::count(&next, &first, limit, budget)
    }
}

/// Returns the graph without its isolated vertices, on which no placement is ever possible.
fn without_isolated(graph: &Graph) -> Graph {
    let kept: Vec<Vertex> = graph.all().filter(|&v| graph.degree(v) > 0).collect();
    let place = |v: &Vertex| kept.binary_search(v).unwrap_or(0) as u16;
    let edges: Vec<(u16, u16)> = kept
        .iter()
        .flat_map(|v| graph.neighbors(*v).iter().map(move |u| (v, u)))
        .filter(|(v, u)| v < u)
        .map(|(v, u)| (place(v), place(u)))
        .collect();
    Graph::from_edges(kept.len(), &edges).0
}

/// Counts paths one by one, up to the limit.
fn walk(mut graph: GameGraph, limit: u128, budget: &Budget<'_>) -> Result<Games, GamesError> {
    let mut next: Vec<Option<Vec<u32>>> = Vec::new();
    // Bytes of the lists in `next`.
    let mut lists = 0;
    let mut visited: Vec<bool> = Vec::new();
    // The positions of the path, each with the number of successors already tried.
    let mut path: Vec<(u32, usize)> = vec![(0, 0)];
    let mut count = 1u128;
    let mut longest = 0;
    visited.push(true);
    let mut steps = 0u64;
    while let Some((here, tried)) = path.last_mut() {
        if count > limit {
            return Err(GamesError::More(limit));
        }
        steps += 1;
        if steps.is_multiple_of(1024) {
            if budget.is_over() {
                return Err(GamesError::Stopped(count));
            }
            let own = next.capacity() * size_of::<Option<Vec<u32>>>() + lists;
            if graph.bytes() + own > budget.memory {
                return Err(GamesError::Memory(count));
            }
        }
        let number = *here as usize;
        if next.len() <= number {
            next.resize(number + 1, None);
        }
        let following = next[number].get_or_insert_with(|| {
            let list = graph.next(*here);
            lists += list.capacity() * size_of::<u32>();
            list
        });
        let Some(&to) = following.get(*tried) else {
            visited[number] = false;
            path.pop();
            continue;
        };
        *tried += 1;
        if visited.len() <= to as usize {
            visited.resize(to as usize + 1, false);
        }
        if !visited[to as usize] {
            visited[to as usize] = true;
            path.push((to, 0));
            count += 1;
            longest = longest.max(path.len() as u32 - 1);
        }
    }
    Ok(Games { count, longest })
}

/// A set of positions, one bit each.
trait Set:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Send
    + Sync
{
    const EMPTY: Self;
    const FIRST: Self;
    fn lowest(self) -> usize;
    fn mix(self) -> u64;
}

impl Set for u64 {
    const EMPTY: u64 = 0;
    const FIRST: u64 = 1;
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }
    fn mix(self) -> u64 {
        let wide = u128::from(self ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
        (wide >> 64) as u64 ^ wide as u64
    }
}

impl Set for u128 {
    const EMPTY: u128 = 0;
    const FIRST: u128 = 1;
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }
    fn mix(self) -> u64 {
        (self as u64).mix().rotate_left(32) ^ ((self >> 64) as u64).mix()
    }
}

/// Returns the members of a set, in ascending order.
fn members<S: Set>(mut set: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != S::EMPTY).then(|| {
            let lowest = set.lowest();
            set = set & !(S::FIRST << lowest as u32);
            lowest
        })
    })
}

/// Totals of the continuations of a position: the number of games, and the placements in the
/// longest.
type Tail = (u128, u32);

/// An entry of the table: the position, the set, and the totals.
type Entry<S> = Option<(u8, S, Tail)>;

/// Returns the index of an entry in a table of this length, a power of two.
fn slot<S: Set>(length: usize, position: usize, set: S) -> usize {
    let hash = set.mix() ^ (position as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 32) as usize & (length - 1)
}

/// Counter of simple paths.
struct Paths<'a, S> {
    next: Vec<S>,
    /// The table. Its length is a power of two.
    table: Vec<Entry<S>>,
    most_bits: u32,
    /// Maximum number of games. A higher count is an error.
    limit: u128,
    given: Option<u128>,
    budget: &'a Budget<'a>,
    calls: u64,
    /// Number of entries written.
    kept: usize,
    /// Largest number of games found after any position: a lower bound of the total.
    proved: u128,
}

impl<S: Set> Paths<'_, S> {
    fn count(
        next: &[Vec<u32>],
        first: &[(u32, u128)],
        limit: Option<u128>,
        budget: &Budget<'_>,
    ) -> Result<Games, GamesError> {
        let set = |list: &Vec<u32>| {
            let bits = list.iter().map(|&to| S::FIRST << to);
            bits.fold(S::EMPTY, |all, bit| all | bit)
        };
        // While the table grows, the old half exists too: 3/2 of its size in total.
        let most = (budget.memory / size_of::<Entry<S>>() * 2 / 3).max(2);
        let mut paths = Paths {
            next: next.iter().map(set).collect(),
            table: vec![None; 1 << 10],
            most_bits: most.ilog2(),
            limit: limit.unwrap_or(u128::MAX),
            given: limit,
            budget,
            calls: 0,
            kept: 0,
            proved: 0,
        };
        let all = next.iter().enumerate();
        let unvisited = all.fold(S::EMPTY, |all, (i, _)| all | S::FIRST << i as u32);
        let mut count = 1u128;
        let mut longest = 0;
        for &(to, times) in first {
            let left = unvisited & !S::FIRST & !(S::FIRST << to);
            let (games, most) = paths.follow(to as usize, left)?;
            let games = games.checked_mul(times).ok_or_else(|| paths.beyond())?;
            count = count.checked_add(games).ok_or_else(|| paths.beyond())?;
            longest = longest.max(most + 1);
            paths.proved = paths.proved.max(count);
        }
        match limit {
            Some(limit) if count > limit => Err(GamesError::More(limit)),
            Some(_) | None => Ok(Games { count, longest }),
        }
    }

    fn beyond(&self) -> GamesError {
        self.given.map_or(GamesError::Overflow, GamesError::More)
    }

    /// Returns the totals of the paths from `here` through `unvisited`.
    fn follow(&mut self, here: usize, unvisited: S) -> Result<Tail, GamesError> {
        let ahead = self.reachable(here, unvisited);
        if ahead == S::EMPTY {
            return Ok((1, 0));
        }
        self.calls += 1;
        if self.calls.is_multiple_of(4096) && self.budget.is_over() {
            return Err(GamesError::Stopped(self.proved.max(1)));
        }
        let at = slot(self.table.len(), here, ahead);
        if let Some((position, set, tail)) = self.table[at]
            && position as usize == here
            && set == ahead
        {
            return Ok(tail);
        }
        let mut count = 1u128;
        let mut longest = 0;
        for to in members(self.next[here] & ahead) {
            let (games, most) = self.follow(to, ahead & !(S::FIRST << to as u32))?;
            count = count.checked_add(games).ok_or_else(|| self.beyond())?;
            longest = longest.max(most + 1);
        }
        // Each of these paths belongs to a different game.
        if count > self.limit {
            return Err(self.beyond());
        }
        self.proved = self.proved.max(count);
        self.keep((here as u8, ahead, (count, longest)));
        Ok((count, longest))
    }

    /// Writes an entry and overwrites an old one in the same slot. Doubles the table first if it
    /// may be full and memory allows.
    fn keep(&mut self, entry: (u8, S, Tail)) {
        self.kept += 1;
        if self.kept > self.table.len() && self.table.len() < 1 << self.most_bits {
            let mut larger: Vec<Entry<S>> = vec![None; 2 * self.table.len()];
            for entry in self.table.drain(..).flatten() {
                let at = slot(larger.len(), entry.0 as usize, entry.1);
                larger[at] = Some(entry);
            }
            self.table = larger;
        }
        let at = slot(self.table.len(), entry.0 as usize, entry.1);
        self.table[at] = Some(entry);
    }

    /// Returns the positions that can be reached from `here` through unvisited positions.
    fn reachable(&self, here: usize, unvisited: S) -> S {
        let mut reached = S::EMPTY;
        let mut fresh = self.next[here] & unvisited;
        while fresh != S::EMPTY {
            reached |= fresh;
            let mut further = S::EMPTY;
            for position in members(fresh) {
                further |= self.next[position];
            }
            fresh = further & unvisited & !reached;
        }
        reached
    }
}
