//! Counting of legal positions, games, and move sequences, on any graph.
//!
//! A position is legal if every chain has a liberty. [`positions`] counts the legal positions for a
//! given number of colors. [`polynomial`] counts them for all numbers of colors at once. Its result
//! is the Go polynomial of the graph (G. E. Farr, "The Go polynomials of a graph", 2003).
//!
//! Both color the vertices one by one. For each state of the colored part that can affect the rest,
//! they keep the number of colorings that produce it. The cost grows with the width of the graph,
//! not with its size. Components are counted separately and their counts multiplied.

mod budget;
mod coloring_count;
mod cut;
mod frontier;
mod game_graph;
mod games;
mod order;
mod perft;
mod state;
mod symmetry;

pub use budget::{Budget, CountError, Progress};
pub use game_graph::{MoveStatistics, statistics};
pub use games::{Games, GamesError, MOST_POSITIONS, games};
pub use perft::{Unfinished, perft};

use num_bigint::{BigInt, BigUint};

use coloring_count::{ColoringCount, Limbs, Polynomial};
use cut::Step;
use frontier::Halt;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Returns the number of legal positions with stones of `colors` colors, including the empty one.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use omnigo_exact::count::{Budget, positions};
/// use omnigo_graph::spec::Spec;
///
/// let stop = AtomicBool::new(false);
/// let budget = Budget { memory: 1 << 28, stop: &stop, deadline: None, progress: None };
/// let graph = "grid:3".parse::<Spec>().unwrap().build().unwrap().graph;
/// assert_eq!(positions(&graph, 2, &budget).unwrap(), 12_675u32.into());
/// ```
///
/// # Errors
/// The graph is too wide for the budget, or time is over.
pub fn positions(graph: &Graph, colors: u32, budget: &Budget<'_>) -> Result<BigUint, CountError> {
    let mut product = BigUint::from(1u32);
    for part in components(graph) {
        let steps = plan(&part, budget)?;
        let most = BigUint::from(u64::from(colors) + 1).pow(part.vertices() as u32);
        product *= match most.bits().div_ceil(64) {
            0 | 1 => integer::<1>(&steps, colors, budget)?,
            2 => integer::<2>(&steps, colors, budget)?,
            3 => integer::<3>(&steps, colors, budget)?,
            4 | 5 => integer::<5>(&steps, colors, budget)?,
            6..=8 => integer::<8>(&steps, colors, budget)?,
            _ => with_any_key::<BigUint>(&steps, colors, colors as usize, budget)?,
        };
    }
    Ok(product)
}

/// Returns the coefficients of the Go polynomial of the graph, starting with the constant. Its
/// value at k is the number of legal positions with stones of k colors.
///
/// # Errors
/// The graph is too wide for the budget, or time is over.
pub fn polynomial(graph: &Graph, budget: &Budget<'_>) -> Result<Vec<BigInt>, CountError> {
    let mut product = Polynomial(vec![BigInt::from(1)]);
    for part in components(graph) {
        let steps = plan(&part, budget)?;
        let factor: Polynomial = with_any_key(&steps, (), usize::MAX, budget)?;
        product = &product * &factor;
    }
    Ok(product.0)
}

/// Returns a lower and an upper bound of the number of legal positions, in negligible time. Lower:
/// with stones of one color, every proper subset of a connected graph can hold them. Upper: no
/// legal position fills a component.
pub fn bounds(graph: &Graph, colors: u32) -> (BigUint, BigUint) {
    let (k, two) = (BigUint::from(colors), BigUint::from(2u32));
    let mut bounds = (BigUint::from(1u32), BigUint::from(1u32));
    for part in components(graph) {
        let n = part.vertices() as u32;
        bounds.0 *= &k * (two.pow(n) - &two) + 1u32;
        bounds.1 *= (&k + 1u32).pow(n) - k.pow(n);
    }
    bounds
}

fn integer<const L: usize>(
    steps: &[Step],
    colors: u32,
    budget: &Budget<'_>,
) -> Result<BigUint, CountError> {
    let count: Limbs<L> = with_any_key(steps, colors, colors as usize, budget)?;
    Ok(BigUint::from(&count))
}

/// Counts with the smallest key size that holds all states.
fn with_any_key<T: ColoringCount>(
    steps: &[Step],
    colors: T::Colors,
    most_colors: usize,
    budget: &Budget<'_>,
) -> Result<T, CountError> {
    let too_wide = CountError::Wide {
        vertices: steps.len(),
    };
    // On rectangles, the largest states have about 14 masks.
    const MASKS: usize = 14;
    let widest = steps.iter().map(|step| step.after).max().unwrap_or(0);
    let mut done = Err(Halt::Key);
    if widest * MASKS < 2 * 63 {
        done = frontier::run::<2, T>(steps, colors, most_colors, budget);
    }
    if let Err(Halt::Key) = done {
        done = frontier::run::<4, T>(steps, colors, most_colors, budget);
    }
    if let Err(Halt::Key) = done {
        done = frontier::run::<32, T>(steps, colors, most_colors, budget);
    }
    done.map_err(|halt| match halt {
        Halt::Key => too_wide,
        Halt::Budget(error) => error,
    })
}

/// Returns the steps in a good order, or an error if they would need far too much memory.
fn plan(part: &Graph, budget: &Budget<'_>) -> Result<Vec<Step>, CountError> {
    let wide = || CountError::Wide {
        vertices: part.vertices(),
    };
    let order = order::good(part).ok_or_else(wide)?;
    // The count starts unless the estimate exceeds the memory by more than a factor of 2³.
    const DOUBT: u32 = 3;
    // Bytes per state: keys of two words, numbers of three, one byte of the table, one third of the
    // slots empty, and two layers.
    const STATE: usize = 128;
    let room = (budget.memory / STATE).max(1).ilog2();
    if order.most > room + DOUBT {
        // The least power of two with which the condition above holds.
        let bytes = (order.most - DOUBT) + STATE.ilog2();
        return Err(CountError::Costly {
            classes: order.classes,
            exponent: bytes.saturating_sub(20),
            limit: budget.mib(),
        });
    }
    let steps = cut::steps(part, &order.vertices).ok_or_else(wide)?;
    Ok(steps)
}

/// Returns the connected components as graphs of their own. The order of the vertices is kept.
fn components(graph: &Graph) -> Vec<Graph> {
    let mut place = vec![0; graph.vertices()];
    let mut parts = Vec::new();
    for members in graph.components() {
        for (index, member) in members.iter().enumerate() {
            place[member.index()] = index;
        }
        let mut edges = Vec::new();
        for &member in &members {
            let later = graph
                .neighbors(member)
                .iter()
                .filter(|&&near| near > member);
            edges.extend(
                later.map(|near: &Vertex| {
                    (place[member.index()] as u16, place[near.index()] as u16)
                }),
            );
        }
        parts.push(Graph::from_edges(members.len(), &edges).0);
    }
    parts
}
