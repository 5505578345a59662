//! Locations of handicap stones.
//!
//! Plain square boards use the fixed handicap points of GTP, for up to 4 or 9 stones. All other
//! handicaps are spread. Each stone is placed as far as possible from the earlier ones and never
//! next to one, so every stone keeps all its liberties. Ties are broken by the higher degree, then
//! by the lower index.
//!
//! Vertices near the rim (the vertices of less than maximum degree) are excluded while enough
//! others remain. On grids, this leaves the third line and above. The cost is one breadth-first
//! search per stone.

use std::collections::VecDeque;

use crate::Graph;
use crate::model::goban::Goban;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Returns the maximum number of fixed handicap stones on a square board of side `size`; 0 if fixed
/// handicaps are not defined.
pub fn most_fixed(size: usize) -> usize {
    match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// Returns the points of a fixed handicap in order, or `None` if the board does not define one with
/// this number of stones.
///
/// ```
/// use omnigo_graph::spec::Spec;
/// use omnigo_graph::handicap::fixed;
/// let goban = "grid:9".parse::<Spec>().unwrap().build().unwrap();
/// let names: Vec<String> = fixed(&goban, 4).unwrap().iter().map(|&v| goban.names.alias(v)).collect();
/// assert_eq!(names, ["C3", "G7", "C7", "G3"]);
/// ```
pub fn fixed(goban: &Goban, stones: usize) -> Option<Vec<Vertex>> {
    let size = square(goban)?;
    if stones < 2 || stones > most_fixed(size) {
        return None;
    }
    let low = if size <= 12 { 2 } else { 3 };
    let high = size - 1 - low;
    let middle = size / 2;
    let mut places = vec![(low, low), (high, high), (low, high), (high, low)];
    if stones >= 6 {
        places.extend([(low, middle), (high, middle)]);
    }
    if stones >= 8 {
        places.extend([(middle, low), (middle, high)]);
    }
    // An odd number of stones ends with the center.
    places.truncate(stones - usize::from(stones >= 5 && stones % 2 == 1));
    if places.len() < stones {
        places.push((middle, middle));
    }
    Some(
        places
            .into_iter()
            .map(|(column, row)| Vertex::at(row * size + column))
            .collect(),
    )
}

/// Returns the vertices of `stones` handicap stones: the fixed ones if defined, else spread
/// vertices. Returns fewer if the board does not have enough room.
pub fn places(goban: &Goban, stones: usize) -> Vec<Vertex> {
    fixed(goban, stones).unwrap_or_else(|| spread(&goban.graph, stones))
}

/// Returns the handicap of a set-up position for which no number is given. This is the number of
/// its stones if there are two or more and all are black, else 0.
pub fn counted(position: &[Option<Color>]) -> u32 {
    let mut stones = position.iter().flatten();
    let count = stones.clone().count();
    match u32::try_from(count) {
        Ok(count) if count > 1 && stones.all(|&color| color == Color::BLACK) => count,
        Ok(_) | Err(_) => 0,
    }
}

/// Returns the handicap of a starting position that is said to contain `claimed` handicap stones.
/// This is `claimed`, or 0 if Black has fewer stones.
pub fn held(start: &[Option<Color>], claimed: u32) -> u32 {
    let black = start.iter().filter(|&&point| point == Some(Color::BLACK));
    if black.count() < claimed as usize {
        0
    } else {
        claimed
    }
}

/// Returns the vertices of handicap stones at the start of a game, as in [`places`]. `None` if
/// there is not enough room, if the board is not empty, or on go-spaces, where a stone covers
/// several points.
pub fn given(goban: &Goban, stones: usize) -> Option<Vec<Vertex>> {
    let bare = goban.space().is_none() && goban.start.iter().all(Option::is_none);
    match stones {
        0 => Some(Vec::new()),
        _ if !bare || stones > goban.graph.vertices() => None,
        _ => Some(places(goban, stones)).filter(|places| places.len() == stones),
    }
}

/// Returns the starting stones of the board with Black's stones added at `places`.
pub fn start(goban: &Goban, places: &[Vertex]) -> Vec<Option<Color>> {
    let mut start = goban.start.clone();
    for place in places {
        if let Some(point) = start.get_mut(place.index()) {
            *point = Some(Color::BLACK);
        }
    }
    start
}

/// Returns the points that a diagram marks: those of the largest fixed handicap.
pub fn star_points(goban: &Goban) -> Vec<Vertex> {
    square(goban)
        .and_then(|size| fixed(goban, most_fixed(size)))
        .unwrap_or_default()
}

fn square(goban: &Goban) -> Option<usize> {
    goban
        .rectangle
        .filter(|(width, height)| width == height)
        .map(|(width, _)| width)
}

/// Returns at most `stones` vertices (and at most 1000) that are far from each other. No two are
/// adjacent, and all have neighbors.
pub fn spread(graph: &Graph, stones: usize) -> Vec<Vertex> {
    // Each stone scans every vertex. Without this limit, an absurdly large handicap would block the
    // client.
    let stones = stones.min(1000);
    let degree = |v: Vertex| graph.degree(v);
    let greatest = graph.all().map(degree).max().unwrap_or(0);
    let mut rim = Distances::new(graph.vertices());
    rim.approach(graph, graph.all().filter(|&v| degree(v) < greatest));
    for from_rim in [2, 1, 0] {
        let allowed: Vec<Vertex> = graph
            .all()
            .filter(|&v| degree(v) > 0 && rim.of(v) >= from_rim)
            .collect();
        let chosen = spread_over(graph, &allowed, stones);
        if chosen.len() >= stones || from_rim == 0 {
            return chosen;
        }
    }
    Vec::new()
}

fn spread_over(graph: &Graph, allowed: &[Vertex], stones: usize) -> Vec<Vertex> {
    let mut distances = Distances::new(graph.vertices());
    let mut chosen = Vec::new();
    while chosen.len() < stones {
        let best = allowed
            .iter()
            .copied()
            .filter(|&v| distances.of(v) >= 2)
            .max_by_key(|&v| (distances.of(v), graph.degree(v), std::cmp::Reverse(v)));
        let Some(best) = best else { break };
        distances.approach(graph, [best]);
        chosen.push(best);
    }
    chosen
}

/// Distance of every vertex from the nearest vertex of a growing set.
struct Distances(Vec<u32>);

impl Distances {
    fn new(vertices: usize) -> Distances {
        Distances(vec![u32::MAX; vertices])
    }

    fn of(&self, vertex: Vertex) -> u32 {
        self.0.get(vertex.index()).copied().unwrap_or(u32::MAX)
    }

    /// Adds `sources` to the set.
    fn approach(&mut self, graph: &Graph, sources: impl IntoIterator<Item = Vertex>) {
        let mut queue: VecDeque<(Vertex, u32)> = sources.into_iter().map(|v| (v, 0)).collect();
        while let Some((vertex, distance)) = queue.pop_front() {
            match self.0.get_mut(vertex.index()) {
                Some(known) if *known > distance => *known = distance,
                _ => continue,
            }
            for &next in graph.neighbors(vertex) {
                if self.of(next) > distance + 1 {
                    queue.push_back((next, distance + 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn goban(spec: &str) -> Goban {
        spec.parse::<Spec>().unwrap().build().unwrap()
    }

    fn fixed_names(spec: &str, stones: usize) -> Option<String> {
        let goban = goban(spec);
        let places = fixed(&goban, stones)?;
        Some(
            places
                .iter()
                .map(|&v| goban.names.alias(v))
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    #[test]
    fn fixed_handicap_follows_the_protocol() {
        for (stones, places) in [
            (2, "D4 Q16"),
            (3, "D4 Q16 D16"),
            (4, "D4 Q16 D16 Q4"),
            (5, "D4 Q16 D16 Q4 K10"),
            (6, "D4 Q16 D16 Q4 D10 Q10"),
            (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
            (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        ] {
            assert_eq!(fixed_names("grid:19", stones).as_deref(), Some(places));
        }
        assert_eq!(fixed_names("grid:13", 4).as_deref(), Some("D4 K10 D10 K4"));
        assert_eq!(fixed_names("grid:8", 4).as_deref(), Some("C3 F6 C6 F3"));
        assert_eq!(fixed_names("grid:7", 3).as_deref(), Some("C3 E5 C5"));
    }

    #[test]
    fn fixed_handicap_is_limited_to_suitable_boards() {
        for (spec, stones) in [
            ("grid:19", 1),
            ("grid:19", 10),
            ("grid:8", 5),
            ("grid:7", 5),
            ("grid:6", 2),
            ("grid:9x7", 2),
            ("torus:9x9", 2),
        ] {
            assert_eq!(fixed_names(spec, stones), None, "{spec} {stones}");
        }
    }

    #[test]
    fn spread_stones_keep_their_liberties() {
        for spec in [
            "torus:9x9",
            "petersen",
            "cycle:12",
            "complete:5",
            "star:5",
            "grid:9x7",
            "edges:a-b,c-d,e",
        ] {
            let goban = goban(spec);
            let graph = &goban.graph;
            let all = spread(graph, graph.vertices());
            for (i, &a) in all.iter().enumerate() {
                assert!(graph.degree(a) > 0, "{spec}");
                assert!(
                    all.iter()
                        .skip(i + 1)
                        .all(|&b| a != b && !graph.adjacent(a, b)),
                    "{spec}"
                );
            }
            assert_eq!(spread(graph, 1).len(), 1, "{spec}");
        }
        assert_eq!(spread(&goban("complete:5").graph, 3).len(), 1);
        assert_eq!(spread(&goban("edges:a,b").graph, 2).len(), 0);
    }

    #[test]
    fn handicap_stones_need_enough_room() {
        let given = |spec, stones| given(&goban(spec), stones);
        assert_eq!(given("torus:9x9", 0), Some(Vec::new()));
        assert_eq!(given("torus:9x9", 3).map(|places| places.len()), Some(3));
        assert_eq!(given("grid:9", 2), fixed(&goban("grid:9"), 2));
        for (spec, stones) in [("path:4", 4), ("grid:5", usize::MAX), ("space:path:4", 1)] {
            assert_eq!(given(spec, stones), None, "{spec}");
        }
        let board = goban("grid:9");
        let start = start(&board, &[Vertex::at(3), Vertex::at(5)]);
        assert!(start[3].is_some() && start[5].is_some());
        assert_eq!([1, 2, 3].map(|claimed| held(&start, claimed)), [1, 2, 0]);
    }

    #[test]
    fn on_rectangles_handicap_stones_start_on_the_third_line() {
        let goban = goban("grid:9x7");
        let names: Vec<String> = spread(&goban.graph, 2)
            .iter()
            .map(|&v| goban.names.alias(v))
            .collect();
        assert_eq!(names, ["C3", "G5"]);
    }
}
