//! Finite go-spaces: a topology, and the open sets that a stone may cover (Segerman, *Topological
//! Go*).
//!
//! A finite topology is stored as its minimal open sets: `U_x` is the smallest open set that
//! contains x. The closure of a set A is `{x : U_x meets A}`. In the comparability graph, x and y
//! are joined if `x ∈ U_y` or `y ∈ U_x`. A set is connected if it is connected in this graph.
//!
//! The union of two connected closed sets is connected exactly if they meet. Play therefore needs
//! only the connected pieces of each placement's closure. They are computed once, here.

mod rows;
mod topology;

use rows::Rows;
pub use topology::Topology;

use omnigo_base::vertex::Vertex;

/// Go-space: points with their minimal open sets, and placements, the open sets that one move may
/// color.
///
/// ```
/// use omnigo_graph::space::{Space, Topology};
/// use omnigo_base::vertex::Vertex;
/// // The Sierpinski space: 0 is open, 1 is not.
/// let topology = Topology::MinOpen(vec![vec![0], vec![0, 1]]);
/// let space = Space::new(2, &topology, &[vec![0]]).unwrap();
/// assert_eq!(space.closure(&[Vertex::at(0)]), [Vertex::at(0), Vertex::at(1)]);
/// let refused = Space::new(2, &topology, &[vec![1]]).unwrap_err().to_string();
/// assert_eq!(refused, "placement 0 is [1], which is not open: it contains point 1, but not all of its smallest open set [0, 1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// The smallest open set of each point.
    min_open: Rows,
    /// The closure of each point.
    closures: Rows,
    /// The points comparable to each point, without the point itself.
    comparable: Rows,
    /// The points of each placement.
    placements: Rows,
    /// The connected pieces of the placements' closures, placement after placement.
    pieces: Rows,
    /// Index of the first piece of each placement.
    first_piece: Box<[u32]>,
    /// For each placement of several pieces: the placements that touch all of its pieces.
    partners: Rows,
    /// True for each point that some placement covers.
    covered: Box<[bool]>,
}

/// Error: the sets do not form a go-space, or the space is too large. Messages have one line and
/// name the offending set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    /// More points or placements than a board can have vertices.
    #[error("{0} {1}, expected at most {most}", most = Vertex::LIMIT)]
    TooMany(usize, &'static str),
    /// The sets are too large or too many to be checked in reasonable time.
    #[error("too many points in {0}, expected fewer")]
    TooLarge(&'static str),
    /// A set contains a point that does not exist.
    #[error("{set} contains point {point}, expected points below {points}")]
    NoPoint {
        /// Name of the set.
        set: String,
        /// Index of the set among those of its kind.
        number: usize,
        /// The point.
        point: usize,
        /// Number of points.
        points: usize,
    },
    /// The number of minimal open sets differs from the number of points.
    #[error("min_open has {sets} sets, expected one for each of {points} points")]
    SetCount {
        /// Number of sets.
        sets: usize,
        /// Number of points.
        points: usize,
    },
    /// The minimal open set of a point does not contain the point.
    #[error("min_open of point {point} is {set}, which lacks {point}")]
    Lacks {
        /// The point.
        point: usize,
        /// Its set.
        set: String,
    },
    /// A minimal open set contains another point, but only part of that point's minimal open set.
    #[error(
        "min_open of point {point} is {set}, which contains {other} but not all of {inner}, the min_open of {other}"
    )]
    NotInside {
        /// The point.
        point: usize,
        /// Its set.
        set: String,
        /// The other point in it.
        other: usize,
        /// The other point's set.
        inner: String,
    },
    /// The sets are not a base.
    #[error(
        "invalid base: the sets containing point {point} intersect in {meet}, expected a union of sets of the base"
    )]
    NoBase {
        /// The point.
        point: usize,
        /// Intersection of all members of the base that contain the point.
        meet: String,
    },
    /// A list of open sets is incomplete.
    #[error("invalid opens: {what} is {set}, which is not listed")]
    NotListed {
        /// Origin of the missing set.
        what: String,
        /// The missing set.
        set: String,
    },
    /// A placement is empty.
    #[error(
        "placement {0} is empty, expected a set of points: a stone without points could never be captured"
    )]
    EmptyPlacement(usize),
    /// A placement is not open.
    #[error(
        "placement {placement} is {set}, which is not open: it contains point {point}, but not all of its smallest open set {inner}"
    )]
    NotOpen {
        /// Index of the placement.
        placement: usize,
        /// Its points.
        set: String,
        /// A point in it.
        point: usize,
        /// The smallest open set that contains this point.
        inner: String,
    },
    /// Two placements are equal.
    #[error("placements {0} and {1} are both {2}, expected different sets")]
    Twice(usize, usize, String),
}

/// Maximum number of points in all sets of one kind together.
const MOST_ENTRIES: usize = 2_000_000;
/// Maximum number of steps for building a space.
const MOST_WORK: usize = 1 << 27;

impl Space {
    /// Builds the space with these points, topology, and placements, after checking them.
    ///
    /// # Errors
    /// Names the set that violates the conditions of a topology, or the placement that is empty,
    /// repeated, or not open.
    pub fn new(
        points: usize,
        topology: &Topology,
        placements: &[Vec<usize>],
    ) -> Result<Space, SpaceError> {
        if points > Vertex::LIMIT {
            return Err(SpaceError::TooMany(points, "points"));
        }
        if placements.len() > Vertex::LIMIT {
            return Err(SpaceError::TooMany(placements.len(), "placements"));
        }
        let min_open = Rows::new(topology.min_open(points)?);
        let placements = topology::sets(placements, points, "placement", "placements")?;
        check_placements(&min_open, &placements)?;
        let mut transposed: Vec<Vec<Vertex>> = vec![Vec::new(); points];
        for x in 0..points {
            for y in min_open.row(x) {
                transposed[y.index()].push(Vertex::at(x));
            }
        }
        let comparable = transposed.iter().enumerate().map(|(x, closure)| {
            let mut row: Vec<Vertex> = closure.iter().chain(min_open.row(x)).copied().collect();
            row.retain(|y| y.index() != x);
            row.sort_unstable();
            row.dedup();
            row
        });
        let comparable = Rows::new(comparable.collect());
        let mut covered = vec![false; points].into_boxed_slice();
        for point in placements.iter().flatten() {
            covered[point.index()] = true;
        }
        let mut space = Space {
            min_open,
            closures: Rows::new(transposed),
            comparable,
            placements: Rows::new(placements),
            pieces: Rows::default(),
            first_piece: Box::default(),
            partners: Rows::default(),
            covered,
        };
        space.find_pieces()?;
        space.find_partners()?;
        Ok(space)
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.min_open.len()
    }

    /// Returns the number of placements.
    pub fn placements(&self) -> usize {
        self.placements.len()
    }

    /// Returns the smallest open set that contains `point`, ascending.
    pub fn min_open(&self, point: Vertex) -> &[Vertex] {
        self.min_open.row(point.index())
    }

    /// Returns the points that placement `number` covers, ascending. Empty if there is no such
    /// placement.
    pub fn placement(&self, number: usize) -> &[Vertex] {
        self.placements.row(number)
    }

    /// Returns the connected pieces of the closure of placement `number`.
    pub fn pieces(&self, number: usize) -> impl ExactSizeIterator<Item = &[Vertex]> {
        let range = match self.first_piece.get(number..number + 2) {
            Some(&[from, to]) => from as usize..to as usize,
            _ => 0..0,
        };
        range.map(|piece| self.pieces.row(piece))
    }

    /// Returns the points comparable to `point`, without itself. Their smallest open set contains
    /// `point`, or they lie in that of `point`.
    pub fn comparable(&self, point: Vertex) -> &[Vertex] {
        self.comparable.row(point.index())
    }

    /// Returns true if some placement covers the point.
    pub fn is_covered(&self, point: Vertex) -> bool {
        self.covered.get(point.index()).copied().unwrap_or(false)
    }

    /// Returns the smallest closed set that contains `set`, ascending.
    pub fn closure(&self, set: &[Vertex]) -> Vec<Vertex> {
        let mut closure: Vec<Vertex> = set
            .iter()
            .flat_map(|point| self.closures.row(point.index()))
            .copied()
            .collect();
        closure.sort_unstable();
        closure.dedup();
        closure
    }

    /// Returns true if `set` is connected. The empty set is.
    pub fn is_connected(&self, set: &[Vertex]) -> bool {
        self.components(set).len() <= 1
    }

    /// Returns the connected components of a set of points.
    fn components(&self, set: &[Vertex]) -> Vec<Vec<Vertex>> {
        let mut left: Vec<Vertex> = set.to_vec();
        left.sort_unstable();
        left.dedup();
        let mut open = vec![true; left.len()];
        let mut components = Vec::new();
        for start in 0..left.len() {
            if !std::mem::replace(&mut open[start], false) {
                continue;
            }
            let mut component = vec![left[start]];
            let mut next = 0;
            while let Some(&point) = component.get(next) {
                next += 1;
                for other in self.comparable(point) {
                    if let Ok(place) = left.binary_search(other)
                        && std::mem::replace(&mut open[place], false)
                    {
                        component.push(*other);
                    }
                }
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }

    fn find_pieces(&mut self) -> Result<(), SpaceError> {
        let (mut entries, mut work) = (0, 0);
        let mut pieces = Vec::new();
        let mut first = vec![0u32];
        for number in 0..self.placements() {
            for point in self.placement(number) {
                work += self.closures.row(point.index()).len();
            }
            let closure = self.closure(self.placement(number));
            entries += closure.len();
            for &point in &closure {
                work += self.comparable(point).len();
            }
            if entries > MOST_ENTRIES || work > MOST_WORK {
                return Err(SpaceError::TooLarge("the closures of the placements"));
            }
            pieces.extend(self.components(&closure));
            first.push(pieces.len() as u32);
        }
        self.pieces = Rows::new(pieces);
        self.first_piece = first.into_boxed_slice();
        Ok(())
    }

    fn find_partners(&mut self) -> Result<(), SpaceError> {
        let apart: Vec<bool> = (0..self.placements())
            .map(|number| self.pieces(number).len() > 1)
            .collect();
        if !apart.contains(&true) {
            return Ok(());
        }
        let mut partners = vec![Vec::new(); apart.len()];
        for (a, b) in self.pairs(MOST_ENTRIES)? {
            for (one, other) in [(a, b), (b, a)] {
                if apart[one as usize] {
                    partners[one as usize].push(Vertex::at(other as usize));
                }
            }
        }
        self.partners = Rows::new(partners);
        Ok(())
    }

    /// Returns the placements whose union with placement `number` has a connected closure. They are
    /// stored only for placements with several pieces; empty for all others.
    pub fn partners(&self, number: usize) -> &[Vertex] {
        self.partners.row(number)
    }

    /// Returns true if the closure of the union of two placements is connected.
    pub fn joined(&self, a: usize, b: usize) -> bool {
        // Pieces of one placement never meet each other, so pieces and their intersections form a
        // bipartite graph.
        let (left, right): (Vec<_>, Vec<_>) = (self.pieces(a).collect(), self.pieces(b).collect());
        let meet = |p: &[Vertex], q: &[Vertex]| {
            let (few, many) = if p.len() < q.len() { (p, q) } else { (q, p) };
            few.iter().any(|point| many.binary_search(point).is_ok())
        };
        let mut reached = (vec![false; left.len()], vec![false; right.len()]);
        let mut queue = vec![(true, 0)];
        if let Some(first) = reached.0.first_mut() {
            *first = true;
        }
        while let Some((on_left, i)) = queue.pop() {
            let (from, to, marks) = if on_left {
                (&left, &right, &mut reached.1)
            } else {
                (&right, &left, &mut reached.0)
            };
            let Some(piece) = from.get(i) else { continue };
            for (j, other) in to.iter().enumerate() {
                if !marks[j] && meet(piece, other) {
                    marks[j] = true;
                    queue.push((!on_left, j));
                }
            }
        }
        reached.0.iter().chain(&reached.1).all(|&mark| mark)
    }

    /// Returns the pairs of placements that touch: those whose union has a connected closure, lower
    /// number first.
    ///
    /// # Errors
    /// If there are more than `most` pairs, or if finding them would take too long.
    pub fn pairs(&self, most: usize) -> Result<Vec<(u16, u16)>, SpaceError> {
        let too_large = SpaceError::TooLarge("pairs of placements that touch");
        let mut around: Vec<Vec<u16>> = vec![Vec::new(); self.points()];
        let mut pairs = Vec::new();
        let mut stamps = vec![usize::MAX; self.placements()];
        let mut work = 0;
        for b in 0..self.placements() {
            let single = self.pieces(b).len() == 1;
            for &point in self.pieces(b).flatten() {
                work += around[point.index()].len();
                if work > MOST_WORK || pairs.len() > most {
                    return Err(too_large);
                }
                // Closed sets with a connected union have a common point.
                for &a in &around[point.index()] {
                    let seen = std::mem::replace(&mut stamps[a as usize], b) == b;
                    if seen {
                        continue;
                    }
                    if single && self.pieces(a as usize).len() == 1 {
                        pairs.push((a, b as u16));
                        continue;
                    }
                    let size = |i: usize| self.pieces(i).map(<[Vertex]>::len).sum::<usize>();
                    let a_pieces = self.pieces(a as usize).len();
                    work += size(a as usize) * self.pieces(b).len() + size(b) * a_pieces;
                    if self.joined(a as usize, b) {
                        pairs.push((a, b as u16));
                    }
                }
            }
            for &point in self.pieces(b).flatten() {
                around[point.index()].push(b as u16);
            }
        }
        if pairs.len() > most {
            return Err(too_large);
        }
        Ok(pairs)
    }

    /// Returns true if this is ordinary Go on the graph of [`Space::pairs`].
    ///
    /// That requires two conditions. Every placement is a single point. The smallest open set of
    /// each point that no placement covers contains, besides the point itself, only covered points.
    /// Then strings are chains, and empty regions are those of the graph.
    pub fn is_graph(&self) -> bool {
        (0..self.placements()).all(|number| self.placement(number).len() == 1)
            && (0..self.points()).map(Vertex::at).all(|point| {
                self.is_covered(point)
                    || self
                        .min_open(point)
                        .iter()
                        .all(|&other| other == point || self.is_covered(other))
            })
    }

    /// Returns true if scanning the whole space once per placement is fast. Play needs this where
    /// it recomputes positions point by point.
    pub fn is_light(&self) -> bool {
        const HEAVIEST: usize = 1 << 28;
        let rows = [&self.pieces, &self.placements, &self.partners];
        let one = self.points() + rows.map(Rows::items).iter().sum::<usize>();
        self.placements().saturating_mul(one) <= HEAVIEST
    }
}

/// Checks that every placement is non-empty, open, and given once.
fn check_placements(min_open: &Rows, placements: &[Vec<Vertex>]) -> Result<(), SpaceError> {
    let mut known = std::collections::HashMap::with_capacity(placements.len());
    let mut work = 0;
    for (number, placement) in placements.iter().enumerate() {
        if placement.is_empty() {
            return Err(SpaceError::EmptyPlacement(number));
        }
        for &point in placement {
            let inner = min_open.row(point.index());
            work += inner.len();
            if work > MOST_WORK {
                return Err(SpaceError::TooLarge("the placements"));
            }
            if inner.iter().any(|y| placement.binary_search(y).is_err()) {
                return Err(SpaceError::NotOpen {
                    placement: number,
                    set: topology::show(placement),
                    point: point.index(),
                    inner: topology::show(inner),
                });
            }
        }
        if let Some(first) = known.insert(placement, number) {
            return Err(SpaceError::Twice(first, number, topology::show(placement)));
        }
    }
    Ok(())
}
