//! Order of the automorphism group.
//!
//! Twins are vertices with the same neighbors, apart from themselves; they can be exchanged freely.
//! Each class of twins contributes a factorial to the order. It is then replaced by one vertex,
//! whose color encodes the size of the class.
//!
//! In the remaining graph, vertices are fixed one after another until color refinement
//! distinguishes all others. For each fixed vertex, consider its orbit under the automorphisms that
//! keep the earlier ones. The order is the product of the sizes of these orbits (orbit-stabilizer
//! theorem). To find an orbit, a search tries, for each vertex of the same color, to find an
//! automorphism that maps the fixed vertex to it.

use num_bigint::BigUint;

use crate::Graph;
use omnigo_base::hash::{FastMap, scatter};
use omnigo_base::union_find::UnionFind;

/// Returns the order of the automorphism group in decimal, or `None` if computing it would take too
/// long.
///
/// ```
/// use omnigo_graph::measures::automorphisms;
/// use omnigo_graph::spec::Spec;
/// let order = |text: &str| automorphisms(&text.parse::<Spec>().unwrap().build().unwrap().graph);
/// assert_eq!(order("hypercube:4").as_deref(), Some("384"));
/// assert_eq!(order("complete:5").as_deref(), Some("120"));
/// ```
pub fn automorphisms(graph: &Graph) -> Option<String> {
    let mut left = WORK;
    let (quotient, mut order) = without_twins(Colored::of(graph), &mut left)?;
    let mut search = Search {
        graph: &quotient,
        left,
    };
    for orbit in search.orbits()? {
        order *= orbit;
    }
    Some(order.to_string())
}

/// Maximum number of arcs to examine, about one second.
const WORK: u64 = 150_000_000;

/// Graph with vertex colors that automorphisms must keep.
struct Colored {
    neighbors: Vec<Vec<u32>>,
    colors: Vec<u64>,
}

impl Colored {
    fn of(graph: &Graph) -> Colored {
        let row = |v| {
            graph
                .neighbors(v)
                .iter()
                .map(|u| u.index() as u32)
                .collect()
        };
        Colored {
            neighbors: graph.all().map(row).collect(),
            colors: vec![0; graph.vertices()],
        }
    }

    fn vertices(&self) -> usize {
        self.colors.len()
    }

    /// Returns the number of vertices and arcs.
    fn size(&self) -> u64 {
        let arcs = self.neighbors.iter().map(Vec::len).sum::<usize>();
        (self.vertices() + arcs) as u64
    }
}

/// Mixes the bits of a number, so that sums of mixed numbers identify multisets, even of zeros.
fn mixed(x: u64) -> u64 {
    scatter(x.wrapping_add(1))
}

/// Replaces each class of twins by one vertex until there are no twins. Also returns the number of
/// permutations within the classes. Returns `None` if `left` steps do not suffice.
fn without_twins(mut graph: Colored, left: &mut u64) -> Option<(Colored, BigUint)> {
    let mut order = BigUint::from(1u32);
    loop {
        let n = graph.vertices();
        *left = left.checked_sub(2 * graph.size())?;
        // Twins that are not adjacent have the same neighbors. Adjacent twins do too, if each is
        // counted among its own neighbors.
        let mut representative: Vec<u32> = (0..n as u32).collect();
        let mut sizes: FastMap<u32, (u64, u64)> = FastMap::default();
        for touching in [false, true] {
            let mut classes: std::collections::HashMap<(u64, Vec<u32>), u32> = Default::default();
            // The loop changes the list that it reads.
            #[allow(clippy::needless_range_loop)]
            for v in 0..n {
                if representative[v] != v as u32 || sizes.contains_key(&(v as u32)) {
                    continue;
                }
                let mut row = graph.neighbors[v].clone();
                if touching {
                    let place = row.partition_point(|&u| u < v as u32);
                    row.insert(place, v as u32);
                }
                let first = *classes.entry((graph.colors[v], row)).or_insert(v as u32);
                if first != v as u32 {
                    representative[v] = first;
                    let (size, kind) = sizes.entry(first).or_insert((1, u64::from(touching)));
                    *size += 1;
                    *kind = u64::from(touching);
                    order *= *size;
                }
            }
        }
        let kept: Vec<usize> = (0..n).filter(|&v| representative[v] == v as u32).collect();
        if kept.len() == n {
            return Some((graph, order));
        }
        let mut number = vec![u32::MAX; n];
        for (new, &old) in kept.iter().enumerate() {
            number[old] = new as u32;
        }
        let row = |&v: &usize| -> Vec<u32> {
            let rows = graph.neighbors[v].iter().map(|&u| number[u as usize]);
            rows.filter(|&u| u != u32::MAX).collect()
        };
        let color = |&v: &usize| {
            let (size, kind) = sizes.get(&(v as u32)).copied().unwrap_or((1, 0));
            mixed(graph.colors[v] ^ mixed(2 * size + kind))
        };
        graph = Colored {
            neighbors: kept.iter().map(row).collect(),
            colors: kept.iter().map(color).collect(),
        };
    }
}

struct Search<'a> {
    graph: &'a Colored,
    /// Work that may still be done.
    left: u64,
}

/// Color of each vertex. Vertices that automorphisms can exchange while keeping all fixed vertices
/// have the same color.
type Colors = Vec<u64>;

impl Search<'_> {
    /// Returns the sizes of the orbits of fixed vertices, or `None` if the work limit is reached.
    fn orbits(&mut self) -> Option<Vec<u64>> {
        let n = self.graph.vertices();
        let mut colors = self.graph.colors.clone();
        self.refine(&mut colors)?;
        let mut levels: Vec<(Colors, usize)> = Vec::new();
        while let Some(fixed) = ambiguous(&colors) {
            self.spend(n)?;
            let mut next = colors.clone();
            self.fix(&mut next, fixed, levels.len())?;
            levels.push((colors, fixed));
            colors = next;
        }
        // Go from the last fixed vertex to the first. Automorphisms that keep more vertices fixed
        // also apply at the earlier levels.
        let mut orbits = Vec::with_capacity(levels.len());
        let mut sets = UnionFind::new(n);
        for (depth, (colors, fixed)) in levels.iter().enumerate().rev() {
            self.spend(n)?;
            for v in (0..n).filter(|&v| colors[v] == colors[*fixed]) {
                if sets.top(v) == sets.top(*fixed) {
                    continue;
                }
                let mut left = colors.clone();
                let mut right = colors.clone();
                self.fix(&mut left, *fixed, depth)?;
                self.fix(&mut right, v, depth)?;
                if let Some(generator) = self.lead(&left, &right, depth + 1)? {
                    join(&mut sets, &generator);
                }
            }
            let orbit = sets.top(*fixed);
            let size = (0..n).filter(|&v| sets.top(v) == orbit).count();
            orbits.push(size as u64);
        }
        Some(orbits)
    }

    /// Returns an automorphism that maps the first coloring to the second, or `Some(None)` if there
    /// is none. Returns `None` if the work limit is reached.
    fn lead(&mut self, left: &Colors, right: &Colors, depth: usize) -> Option<Option<Vec<u32>>> {
        self.spend(left.len())?;
        let mut sorted = [left.clone(), right.clone()];
        for colors in &mut sorted {
            colors.sort_unstable();
        }
        if sorted[0] != sorted[1] {
            return Some(None);
        }
        let Some(fixed) = ambiguous(left) else {
            return Some(self.verified(left, right));
        };
        let mut next = left.clone();
        self.fix(&mut next, fixed, depth)?;
        for v in (0..right.len()).filter(|&v| right[v] == left[fixed]) {
            let mut other = right.clone();
            self.fix(&mut other, v, depth)?;
            if let Some(found) = self.lead(&next, &other, depth + 1)? {
                return Some(Some(found));
            }
        }
        Some(None)
    }

    /// Returns the map between vertices of equal colors if it is an automorphism. All colors must
    /// differ.
    fn verified(&self, left: &Colors, right: &Colors) -> Option<Vec<u32>> {
        let place: FastMap<u64, u32> = right.iter().copied().zip(0..).collect();
        let map: Option<Vec<u32>> = left.iter().map(|color| place.get(color).copied()).collect();
        let map = map?;
        let kept = self.graph.neighbors.iter().zip(&map).all(|(row, &image)| {
            let mut images: Vec<u32> = row.iter().map(|&u| map[u as usize]).collect();
            images.sort_unstable();
            images == self.graph.neighbors[image as usize]
        });
        let colored = self.graph.colors.iter().zip(&map);
        let same = colored
            .into_iter()
            .all(|(&color, &image)| color == self.graph.colors[image as usize]);
        (kept && same).then_some(map)
    }

    /// Gives the vertex a unique color, then refines.
    fn fix(&mut self, colors: &mut Colors, v: usize, depth: usize) -> Option<()> {
        colors[v] = mixed(colors[v] ^ mixed(depth as u64 | 1 << 63));
        self.refine(colors)
    }

    /// Splits color classes by the colors of neighbors until nothing changes.
    fn refine(&mut self, colors: &mut Colors) -> Option<()> {
        let work = colors.len() + self.graph.neighbors.iter().map(Vec::len).sum::<usize>();
        let mut count = distinct(colors);
        loop {
            self.spend(work)?;
            let next: Colors = colors
                .iter()
                .zip(&self.graph.neighbors)
                .map(|(&color, row)| {
                    let around = row.iter().map(|&u| mixed(colors[u as usize]));
                    mixed(color.wrapping_mul(3) ^ mixed(around.fold(0, u64::wrapping_add)))
                })
                .collect();
            let finer = distinct(&next);
            *colors = next;
            if finer == count {
                return Some(());
            }
            count = finer;
        }
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work as u64)?;
        Some(())
    }
}

fn distinct(colors: &Colors) -> usize {
    let mut sorted = colors.clone();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Returns the first vertex of a smallest class with more than one vertex, or `None` if all colors
/// differ.
fn ambiguous(colors: &Colors) -> Option<usize> {
    let mut sizes: FastMap<u64, usize> = FastMap::default();
    for &color in colors {
        *sizes.entry(color).or_default() += 1;
    }
    let sized = |v: &usize| sizes.get(&colors[*v]).copied().unwrap_or(0);
    (0..colors.len())
        .filter(|v| sized(v) > 1)
        .min_by_key(|v| (sized(v), *v))
}

/// Joins every vertex with its image.
fn join(sets: &mut UnionFind, map: &[u32]) {
    for (v, &image) in map.iter().enumerate() {
        sets.join(v, image as usize);
    }
}
