//! Random graphs. A seed gives the same graph on every machine.

use super::basic::circle;
use super::lattices::triangular_rows;
use super::named::circulant_edges;
use super::rng::{Random, number, probability, seeded};
use super::{Family, Recipe};
use crate::Graph;
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::Drawing;
use crate::spec::SpecError;
use omnigo_base::hash::FastSet;
use omnigo_base::text::quote;
use omnigo_base::union_find::UnionFind;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "gnp",
        "N,P[,SEED]",
        "Erdős–Rényi graph: each pair of N vertices is joined with probability P.",
        gnp,
    )
    .joined_by(","),
    Family::row(
        "gnm",
        "N,M[,SEED]",
        "Random graph of N vertices with M edges, all choices equally likely.",
        gnm,
    )
    .joined_by(","),
    Family::row(
        "regular",
        "N,D[,SEED]",
        "Random graph of N vertices with D neighbors each.",
        regular,
    )
    .joined_by(","),
    Family::row(
        "smallworld",
        "N,K,P[,SEED]",
        "Watts–Strogatz graph: a ring in which each vertex is joined to the K nearest. Each edge is rewired with probability P.",
        small_world,
    )
    .joined_by(","),
    Family::row(
        "barabasi",
        "N,M[,SEED]",
        "Barabási–Albert graph: each new vertex is joined to M earlier ones, preferably those with many neighbors.",
        barabasi,
    )
    .joined_by(","),
    Family::row(
        "randomtree",
        "N[,SEED]",
        "Random tree of N vertices, all labeled trees equally likely.",
        random_tree,
    )
    .joined_by(","),
    Family::row(
        "thinned",
        "WxH,P[,SEED]",
        "Triangular lattice without some edges: each is missing with probability P, as long as the rest stays connected.",
        thinned,
    )
    .joined_by(","),
];

fn gnp(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with N from 1 and P from 0 to 1");
    let ([n, p], seed) = seeded(text).ok_or_else(refuse)?;
    let n = number(n).filter(|&n| n > 0).ok_or_else(refuse)?;
    let (p, decimal) = probability(p).ok_or_else(refuse)?;
    family.limit(text, n)?;
    let arguments = format!("{n},{decimal},{seed}");
    let whole = quote(&format!("{}:{arguments}", family.name));
    let size = Size {
        vertices: n,
        edges: 0,
    };
    Ok(Recipe::new(arguments, size, move || {
        let mut random = Random::new(seed);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for b in 1..n as usize {
            for first in (0..b).step_by(64) {
                let mut word = random.word(p);
                if b - first < 64 {
                    word &= (1 << (b - first)) - 1;
                }
                while word != 0 {
                    edges.push((first + word.trailing_zeros() as usize, b));
                    word &= word - 1;
                }
            }
            if edges.len() > Graph::MAX_EDGES {
                return Err(SpecError::TooManyEdges(whole.clone()));
            }
        }
        Ok(BoardParts::new(n as usize, edges))
    }))
}

fn gnm(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with N from 1 and M from 0 to the number of pairs");
    let ([n, m], seed) = seeded(text).ok_or_else(refuse)?;
    let n = number(n).filter(|&n| n > 0).ok_or_else(refuse)?;
    let m = number(m).ok_or_else(refuse)?;
    family.limit(text, n)?;
    let pairs = n * (n - 1) / 2;
    if m > pairs {
        return Err(refuse());
    }
    let size = Size {
        vertices: n,
        edges: m,
    };
    Ok(Recipe::new(format!("{n},{m},{seed}"), size, move || {
        let mut random = Random::new(seed);
        // If there are more edges than gaps, draw the missing pairs instead, so that few draws are
        // repeated.
        let few = m.min(pairs - m) as usize;
        let mut drawn: FastSet<(usize, usize)> = FastSet::default();
        while drawn.len() < few {
            let (a, b) = (random.index(n as usize), random.index(n as usize));
            if a != b {
                drawn.insert((a.min(b), a.max(b)));
            }
        }
        let n = n as usize;
        Ok(if m as usize == few {
            BoardParts::new(n, drawn)
        } else {
            let all = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
            BoardParts::new(n, all.filter(|pair| !drawn.contains(pair)))
        })
    }))
}

/// Starts with a circulant graph and exchanges the ends of random pairs of edges, about ten times
/// per edge.
fn regular(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with D below N, and N or D even");
    let ([n, d], seed) = seeded(text).ok_or_else(refuse)?;
    let (n, d) = (number(n).ok_or_else(refuse)?, number(d).ok_or_else(refuse)?);
    if d >= n || n % 2 == 1 && d % 2 == 1 {
        return Err(refuse());
    }
    family.limit(text, n)?;
    let size = Size {
        vertices: n,
        edges: n * d / 2,
    };
    Ok(Recipe::new(format!("{n},{d},{seed}"), size, move || {
        let (n, d) = (n as usize, d as usize);
        let half = (d % 2 == 1).then_some(n / 2);
        let jumps: Vec<usize> = (1..=d / 2).chain(half).collect();
        let mut edges: Vec<(usize, usize)> = circulant_edges(n, &jumps).collect();
        let key = |a: usize, b: usize| (a.min(b), a.max(b));
        let mut known = Pairs::of_edges(n, &edges);
        let mut random = Random::new(seed);
        const EXCHANGES: usize = 10;
        // With millions of edges, fewer exchanges save much time and cost little randomness.
        let exchanges = 2 * edges.len() + ((EXCHANGES - 2) * edges.len()).min(2_000_000);
        for _ in 0..exchanges {
            let (i, j) = (random.index(edges.len()), random.index(edges.len()));
            let turned = random.below(2) == 1;
            let (Some(&(a, b)), Some(&(c, d))) = (edges.get(i), edges.get(j)) else {
                continue;
            };
            let (c, d) = if turned { (d, c) } else { (c, d) };
            let new = [key(a, d), key(c, b)];
            if a == c || b == d || a == d || b == c || new.iter().any(|&pair| known.has(pair)) {
                continue;
            }
            for old in [key(a, b), key(c, d)] {
                known.set(old, false);
            }
            for pair in new {
                known.set(pair, true);
            }
            for (place, pair) in [i, j].into_iter().zip(new) {
                if let Some(edge) = edges.get_mut(place) {
                    *edge = pair;
                }
            }
        }
        Ok(BoardParts::new(n, edges))
    }))
}

fn small_world(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with K even and below N, and P from 0 to 1");
    let ([n, k, p], seed) = seeded(text).ok_or_else(refuse)?;
    let (n, k) = (number(n).ok_or_else(refuse)?, number(k).ok_or_else(refuse)?);
    let (p, decimal) = probability(p).ok_or_else(refuse)?;
    if k >= n || k % 2 == 1 {
        return Err(refuse());
    }
    family.limit(text, n)?;
    let size = Size {
        vertices: n,
        edges: n * k / 2,
    };
    Ok(Recipe::new(
        format!("{n},{k},{decimal},{seed}"),
        size,
        move || {
            let n = n as usize;
            let jumps: Vec<usize> = (1..=k as usize / 2).collect();
            let mut edges: Vec<(usize, usize)> = circulant_edges(n, &jumps).collect();
            let key = |a: usize, b: usize| (a.min(b), a.max(b));
            let mut known = Pairs::of_edges(n, &edges);
            let mut random = Random::new(seed);
            for edge in &mut edges {
                let (a, b) = *edge;
                if !random.happens(p) {
                    continue;
                }
                // If almost no vertex is free, the edge may stay.
                const DRAWS: usize = 100;
                let mut drawn = (0..DRAWS).map(|_| random.index(n));
                let free = drawn.find(|&new| new != a && !known.has(key(a, new)));
                let Some(new) = free else { continue };
                known.set(key(a, b), false);
                known.set(key(a, new), true);
                *edge = (a, new);
            }
            Ok(BoardParts::new(n, edges).pictured(Drawing::new(circle(n).collect())))
        },
    ))
}

/// Set of pairs of vertices that are edges. Dense graphs are queried many times for most pairs, so
/// small graphs use one bit per pair.
enum Pairs {
    Bits(usize, Vec<u64>),
    Set(FastSet<(usize, usize)>),
}

impl Pairs {
    /// Returns the edges as pairs, the lower vertex first.
    fn of_edges(vertices: usize, edges: &[(usize, usize)]) -> Pairs {
        let mut pairs = Pairs::of(vertices);
        for &(a, b) in edges {
            pairs.set((a.min(b), a.max(b)), true);
        }
        pairs
    }

    fn of(vertices: usize) -> Pairs {
        /// Maximum number of bits (64 MiB). Larger graphs are far from complete.
        const MOST: usize = 1 << 29;
        match vertices * vertices {
            bits if bits <= MOST => Pairs::Bits(vertices, vec![0; bits.div_ceil(64)]),
            _ => Pairs::Set(FastSet::default()),
        }
    }

    fn has(&self, pair: (usize, usize)) -> bool {
        match self {
            Pairs::Bits(n, bits) => {
                let at = pair.0 * n + pair.1;
                bits.get(at / 64)
                    .is_some_and(|word| word >> (at % 64) & 1 == 1)
            }
            Pairs::Set(pairs) => pairs.contains(&pair),
        }
    }

    fn set(&mut self, pair: (usize, usize), is_edge: bool) {
        match self {
            Pairs::Bits(n, bits) => {
                let at = pair.0 * *n + pair.1;
                if let Some(word) = bits.get_mut(at / 64) {
                    *word = *word & !(1 << (at % 64)) | u64::from(is_edge) << (at % 64);
                }
            }
            Pairs::Set(pairs) if is_edge => {
                pairs.insert(pair);
            }
            Pairs::Set(pairs) => {
                pairs.remove(&pair);
            }
        }
    }
}

/// Starts with a star of M leaves.
fn barabasi(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with M from 1 and below N");
    let ([n, m], seed) = seeded(text).ok_or_else(refuse)?;
    let (n, m) = (number(n).ok_or_else(refuse)?, number(m).ok_or_else(refuse)?);
    if m == 0 || m >= n {
        return Err(refuse());
    }
    family.limit(text, n)?;
    let size = Size {
        vertices: n,
        edges: (n - m) * m,
    };
    Ok(Recipe::new(format!("{n},{m},{seed}"), size, move || {
        let (n, m) = (n as usize, m as usize);
        let mut edges: Vec<(usize, usize)> = (1..=m).map(|leaf| (0, leaf)).collect();
        // Holds every end of every edge once, so a vertex is drawn with probability proportional to
        // its degree.
        let mut ends: Vec<usize> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut random = Random::new(seed);
        for v in m + 1..n {
            let mut chosen: Vec<usize> = Vec::with_capacity(m);
            let mut known: FastSet<usize> = FastSet::default();
            while chosen.len() < m {
                let drawn = ends.get(random.index(ends.len())).copied().unwrap_or(0);
                if known.insert(drawn) {
                    chosen.push(drawn);
                }
            }
            edges.extend(chosen.iter().map(|&u| (u, v)));
            ends.extend(chosen.iter().flat_map(|&u| [u, v]));
        }
        Ok(BoardParts::new(n, edges))
    }))
}

/// Builds the tree of a random Prüfer sequence.
fn random_tree(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with N from 1");
    let ([n], seed) = seeded(text).ok_or_else(refuse)?;
    let n = number(n).filter(|&n| n > 0).ok_or_else(refuse)?;
    family.limit(text, n)?;
    let size = Size {
        vertices: n,
        edges: n - 1,
    };
    Ok(Recipe::new(format!("{n},{seed}"), size, move || {
        let n = n as usize;
        let mut random = Random::new(seed);
        let sequence: Vec<usize> = (2..n).map(|_| random.index(n)).collect();
        Ok(BoardParts::new(n, tree_of(n, &sequence)))
    }))
}

/// Returns the tree on `n` vertices with this Prüfer sequence of n−2 numbers.
fn tree_of(n: usize, sequence: &[usize]) -> Vec<(usize, usize)> {
    let mut left = vec![1usize; n];
    for &v in sequence {
        if let Some(left) = left.get_mut(v) {
            *left += 1;
        }
    }
    let degree = |left: &[usize], v: usize| left.get(v).copied().unwrap_or(0);
    let mut edges = Vec::with_capacity(n.saturating_sub(1));
    // The least leaf is either the next one in order or the vertex that has just become a leaf.
    let mut next = 0;
    let mut leaf = None;
    for &v in sequence {
        let least = leaf.take().unwrap_or_else(|| {
            while degree(&left, next) != 1 {
                next += 1;
            }
            next += 1;
            next - 1
        });
        edges.push((least, v));
        for end in [least, v] {
            if let Some(left) = left.get_mut(end) {
                *left -= 1;
            }
        }
        leaf = (degree(&left, v) == 1 && v < next).then_some(v);
    }
    let rest: Vec<usize> = (0..n).filter(|&v| degree(&left, v) == 1).collect();
    if let [a, b] = *rest {
        edges.push((a, b));
    }
    edges
}

fn thinned(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with sides from 1 and P from 0 to 1");
    let ([sides, p], seed) = seeded(text).ok_or_else(refuse)?;
    let (w, h) = sides.split_once(['x', 'X']).unwrap_or((sides, sides));
    let side = |text| number(text).filter(|&side| side > 0).ok_or_else(refuse);
    let (w, h) = (side(w)?, side(h)?);
    let (p, decimal) = probability(p).ok_or_else(refuse)?;
    family.limit(text, w.max(h))?;
    let size = Size {
        vertices: w * h,
        edges: 0,
    };
    Ok(Recipe::new(
        format!("{w}x{h},{decimal},{seed}"),
        size,
        move || {
            let part = triangular_rows([w as usize, h as usize]);
            let mut random = Random::new(seed);
            let mut edges = part.edges.clone();
            for i in (1..edges.len()).rev() {
                edges.swap(i, random.index(i + 1));
            }
            let mut joined = UnionFind::new(part.vertices);
            edges.retain(|&(a, b)| {
                let needed = joined.join(usize::from(a), usize::from(b));
                // Draw for every edge, so that the choices are independent.
                let missing = random.happens(p);
                needed || !missing
            });
            Ok(BoardParts { edges, ..part })
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn pruefer_sequences_give_their_trees() {
        // Prüfer's own form of the code: the sequence 3, 3, 3, 4 counted from 0.
        let edges = tree_of(6, &[3, 3, 3, 4]);
        assert_eq!(edges, [(0, 3), (1, 3), (2, 3), (3, 4), (4, 5)]);
        assert_eq!(tree_of(4, &[0, 0]), [(1, 0), (2, 0), (0, 3)]);
        assert_eq!(tree_of(2, &[]), [(0, 1)]);
        assert!(tree_of(1, &[]).is_empty());
    }

    /// Returns the degrees of a graph without self-loops and parallel edges, in ascending order.
    fn degrees(text: &str) -> Vec<usize> {
        let board = text.parse::<Spec>().unwrap().build().unwrap();
        assert!(board.warnings.is_empty(), "{text}: {:?}", board.warnings);
        let graph = &board.graph;
        let mut degrees: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
        degrees.sort_unstable();
        degrees
    }

    /// Rewiring draws until it finds a free vertex. Complete graphs have none, so it must give up.
    #[test]
    fn rewiring_ends_in_complete_and_nearly_complete_graphs() {
        for n in [3, 11, 101, 1001] {
            let text = format!("smallworld:{n},{},1", n - 1);
            assert_eq!(degrees(&text), vec![n - 1; n], "{text}");
        }
        for n in [8, 100, 1000] {
            // Each vertex has one free vertex at the start.
            let degrees = degrees(&format!("smallworld:{n},{},1", n - 2));
            assert_eq!(degrees.iter().sum::<usize>(), n * (n - 2), "{n}");
            assert!(degrees.iter().any(|&degree| degree != n - 2), "{n}");
        }
        let text = "smallworld:1000,998,0";
        assert_eq!(degrees(text), vec![998; 1000], "{text}");
    }

    #[test]
    fn dense_regular_graphs_keep_their_degrees_up_to_the_limit_of_edges() {
        for (n, d) in [(100, 98), (100, 99), (101, 100), (1000, 500)] {
            assert_eq!(degrees(&format!("regular:{n},{d}")), vec![d; n], "{n},{d}");
        }
        // The limit is 4,000,000 edges. The first two have 3,997,378 and 3,995,964.
        assert_eq!(degrees("regular:2828,2827"), vec![2827; 2828]);
        assert_eq!(degrees("smallworld:2828,2826,1").len(), 2828);
        for text in [
            "regular:2829,2828",
            "smallworld:2829,2828,1",
            "regular:65535,124",
        ] {
            let problem = text.parse::<Spec>().err().unwrap().to_string();
            assert!(problem.starts_with("too many edges in '"), "{problem}");
        }
    }
}
