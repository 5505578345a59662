//! Counting games: the simple paths from the empty position in the game graph.
//!
//! Under positional superko with two passes to end, games correspond one to one to such paths (J. Tromp and G. Farnebäck,
//! "Combinatorics of Go", 2007): passes only choose who moves next. So 1x1 has one game, 1x2 nine, 2x2 386,356,909,593.
//!
//! What can still follow depends on the position and on the unvisited positions that can be reached from it without
//! visiting others. That pair is the key of a table, so paths are counted without being walked one by one: a set is a
//! word, whole keys are kept, a full table forgets, and nothing is assumed. The first moves are counted once for each
//! class under the symmetries that the graph and the colors have.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl};
use std::sync::Arc;

use num_bigint::BigUint;

use super::budget::Budget;
use super::game_graph::GameGraph;
use super::symmetry::orbits;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// The games of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// How many there are.
    pub count: u128,
    /// Placements in the longest.
    pub longest: u32,
}

/// Why games were not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// There are more than the limit.
    #[error("more than {0}")]
    More(u128),
    /// Sets of so many positions are not held, and there is no limit that would end it.
    #[error(
        "the games of a graph of {vertices} vertices run through more than {MOST_POSITIONS} positions, at least {positions} by a bound, expected fewer or a limit"
    )]
    Large {
        /// Vertices of the graph.
        vertices: usize,
        /// Positions at least.
        positions: BigUint,
    },
    /// More than 128 bits hold.
    #[error("more games than 2^128, expected fewer or a limit")]
    Overflow,
    /// The memory is spent.
    #[error("at least {0} games and no memory to go on, expected a smaller graph or limit")]
    Memory(u128),
    /// It was ended from outside or by its deadline, with so many games proved.
    #[error("at least {0} games, not finished in time")]
    Stopped(u128),
}

/// The most positions whose sets are held.
pub const MOST_POSITIONS: usize = 128;

/// Counts the games of a graph under positional superko with suicide allowed, giving up beyond `limit`.
///
/// # Errors
/// When there are more, when the graph has too many positions and there is no limit, or when the budget is spent.
pub fn games(
    graph: &Arc<Graph>,
    limit: Option<u128>,
    budget: &Budget<'_>,
) -> Result<Games, GamesError> {
    // Every position ends a game of its own, which places its stones one by one.
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

/// The graph without vertices on which nothing is ever playable.
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

/// Counts paths one by one up to the limit.
fn walk(mut graph: GameGraph, limit: u128, budget: &Budget<'_>) -> Result<Games, GamesError> {
    let mut next: Vec<Option<Vec<u32>>> = Vec::new();
    let mut visited: Vec<bool> = Vec::new();
    // The positions of the path, each with the number of its next ones already tried.
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
            if graph.bytes() > budget.memory {
                return Err(GamesError::Memory(count));
            }
        }
        let number = *here as usize;
        if next.len() <= number {
            next.resize(number + 1, None);
        }
        let following = next[number].get_or_insert_with(|| graph.next(*here));
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

/// A set of positions.
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

/// The members of a set.
fn members<S: Set>(mut set: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != S::EMPTY).then(|| {
            let lowest = set.lowest();
            set = set & !(S::FIRST << lowest as u32);
            lowest
        })
    })
}

/// What follows from a position: games, and placements of the longest.
type Tail = (u128, u32);

/// An entry of the table: the position, the set, and what follows.
type Entry<S> = Option<(u8, S, Tail)>;

/// Where an entry lies in a table of this length, a power of two.
fn slot<S: Set>(length: usize, position: usize, set: S) -> usize {
    let hash = set.mix() ^ (position as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 32) as usize & (length - 1)
}

/// Counts simple paths.
struct Paths<'a, S> {
    next: Vec<S>,
    /// A power of two entries.
    table: Vec<Entry<S>>,
    most_bits: u32,
    /// More games than this are too many.
    limit: u128,
    given: Option<u128>,
    budget: &'a Budget<'a>,
    calls: u64,
    /// Entries written.
    kept: usize,
    /// The most that followed from anything: a lower bound.
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
        // While a table grows it is there one and a half times.
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

    /// What follows from `here` through `unvisited`.
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
        // All of these are parts of different games.
        if count > self.limit {
            return Err(self.beyond());
        }
        self.proved = self.proved.max(count);
        self.keep((here as u8, ahead, (count, longest)));
        Ok((count, longest))
    }

    /// Writes an entry over what lies in its place; a table that may be full grows first.
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

    /// The unvisited positions that can be reached from `here` through unvisited ones.
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
