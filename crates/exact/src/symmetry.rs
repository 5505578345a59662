//! Automorphisms of a board: permutations of the points that preserve adjacency.

use omnigo_base::vertex::Vertex;
use omnigo_core::board::BareBoard;

/// An automorphism, prepared for positions of two bits per point.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    /// For each group of four points, the images of their 256 positions.
    images: Vec<[u128; 256]>,
}

/// Maximum number of automorphisms. Each one costs time for every position.
const MOST: usize = 63;
/// Maximum number of steps of the search for automorphisms.
const MOST_STEPS: usize = 100_000;

impl Symmetry {
    fn new(to: &[usize]) -> Symmetry {
        let images = to
            .chunks(4)
            .map(|four| {
                std::array::from_fn(|position| {
                    let digits = four.iter().enumerate();
                    digits.fold(0u128, |image, (i, &to)| {
                        image | ((position >> (2 * i) & 3) as u128) << (2 * to)
                    })
                })
            })
            .collect();
        Symmetry { images }
    }

    /// Returns the image of a position.
    pub(super) fn apply(&self, code: u128) -> u128 {
        let mut rest = code;
        let mut image = 0;
        for images in &self.images {
            image |= images[(rest & 255) as usize];
            rest >>= 8;
        }
        image
    }
}

/// Returns some automorphisms of the board without the identity, prepared for positions.
pub(super) fn symmetries<B: BareBoard>(board: &B) -> Vec<Symmetry> {
    maps(board).iter().map(|to| Symmetry::new(to)).collect()
}

/// Finds some automorphisms without the identity, each as a list of the images of all points. The
/// search assigns images point by point.
///
/// Together with the identity, they form a group. So all positions that they map to each other have
/// the same least image. If there are too many, only those are kept that fix enough of the first
/// points. Boards without chains have no known automorphisms, because there stones do not depend on
/// adjacency.
pub(super) fn maps<B: BareBoard>(board: &B) -> Vec<Vec<usize>> {
    if !board.has_chains() {
        return Vec::new();
    }
    let points = board.points();
    let touches: Vec<Vec<bool>> = (0..points)
        .map(|a| {
            let mut row = vec![false; points];
            board
                .around(Vertex::at(a))
                .for_each(|b| row[b.index()] = true);
            row
        })
        .collect();
    let degree = |p: usize| board.degree(Vertex::at(p));
    let weight = |p: usize| board.weight(Vertex::at(p));
    let mut found = Vec::new();
    let mut to: Vec<usize> = Vec::new();
    let mut used = vec![false; points];
    // The next image to try for each assigned point, and for the point after them.
    let mut next = vec![0];
    let mut steps = 0;
    while let Some(image) = next.last_mut() {
        let from = to.len();
        steps += 1;
        if found.len() > MOST || steps > MOST_STEPS {
            // Images are tried in ascending order, so all automorphisms that fix one more point
            // have been found.
            let moved = to.iter().enumerate().position(|(p, &q)| p != q);
            let fixed = moved.map_or(points, |first| first + 1);
            found.retain(|map: &Vec<usize>| {
                map.iter().take(fixed).enumerate().all(|(p, &q)| p == q)
            });
            break;
        }
        let fits = |&image: &usize| {
            !used[image]
                && degree(image) == degree(from)
                && weight(image) == weight(from)
                && to
                    .iter()
                    .enumerate()
                    .all(|(p, &q)| touches[p][from] == touches[q][image])
        };
        let chosen = if from < points {
            (*image..points).find(fits)
        } else {
            None
        };
        if from == points && to.iter().enumerate().any(|(p, &q)| p != q) {
            found.push(to.clone());
        }
        match chosen {
            Some(chosen) => {
                *image = chosen + 1;
                used[chosen] = true;
                to.push(chosen);
                next.push(0);
            }
            None => {
                next.pop();
                if let Some(last) = to.pop() {
                    used[last] = false;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::graph::{Adjacency, GraphBoard};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_graph::spec::Spec;

    #[test]
    fn maps_form_a_group_even_if_their_number_is_limited() {
        for (text, count) in [
            ("complete:4", 23),
            ("complete:8", 23),
            ("cycle:12", 23),
            ("cycle:40", 1),
            ("star:9", 23),
            ("hypercube:4", 23),
            ("path:9", 1),
        ] {
            let graph = text.parse::<Spec>().unwrap().build().unwrap().graph;
            let board = GraphBoard::new(Adjacency::new(graph), 2).unwrap();
            let mut maps = maps(&board);
            assert_eq!(maps.len(), count, "{text}");
            maps.push((0..board.points()).collect());
            for a in &maps {
                for b in &maps {
                    let both: Vec<usize> = a.iter().map(|&p| b[p]).collect();
                    assert!(maps.contains(&both), "{text} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_square_has_seven_symmetries_besides_the_identity() {
        let square = GridBoard::new(Grid::new(4, 4).unwrap(), 2).unwrap();
        let found = symmetries(&square);
        assert_eq!(found.len(), 7);
        // A stone in the corner has four images, and a full board one.
        let mut corners: Vec<u128> = found.iter().map(|map| map.apply(1)).collect();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners, [1, 1 << 6, 1 << 24, 1 << 30]);
        let full = 0xaaaa_aaaa;
        assert!(found.iter().all(|map| map.apply(full) == full));
        let long = GridBoard::new(Grid::new(5, 2).unwrap(), 2).unwrap();
        assert_eq!(symmetries(&long).len(), 3);
    }
}
