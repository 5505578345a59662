//! Grid board, graph board, and naive board agree move by move in thousands of random games.

use crate::naive;

use std::sync::Arc;

use crate::naive::random::Random;
use crate::naive::spec::{at, edges_text, goban, graph_board, grid_board, naive_grid};
use crate::naive::{Naive, color, text, vertices};
use omnigo::board::graph::GraphBoard;
use omnigo::board::grid::GridBoard;
use omnigo::board::{BareBoard, Board, Playouts, Preview, flood_census};
use omnigo::color::Color;
use omnigo::graph::Graph;
use omnigo::vertex::Vertex;
use omnigo::zobrist::Zobrist;

/// Rectangles and the number of games on each, for grid board, graph board, and naive board.
const GRIDS: &[(usize, usize, usize)] = &[
    (1, 1, 20),
    (2, 1, 200),
    (1, 5, 300),
    (7, 1, 300),
    (25, 1, 60),
    (2, 2, 500),
    (2, 5, 500),
    (5, 2, 300),
    (3, 3, 600),
    (4, 3, 500),
    (5, 5, 600),
    (6, 7, 200),
    (8, 8, 100),
    (9, 9, 150),
    (13, 9, 20),
    (13, 13, 20),
    (25, 3, 20),
    (19, 19, 6),
    (25, 25, 3),
];

/// Other boards and the number of games on each, for graph board and naive board.
const GRAPHS: &[(&str, usize)] = &[
    ("torus:2x2", 100),
    ("torus:4x4", 300),
    ("torus:5x3", 300),
    ("torus:9x9", 40),
    ("cylinder:5x4", 200),
    ("cylinder:3x3", 300),
    ("king:4x4", 200),
    ("king:7x6", 60),
    ("path:1", 10),
    ("path:6", 300),
    ("path:40", 60),
    ("cycle:3", 200),
    ("cycle:7", 300),
    ("cycle:30", 60),
    ("complete:2", 100),
    ("complete:5", 300),
    ("complete:14", 100),
    ("bipartite:3x4", 300),
    ("bipartite:1x70", 10),
    ("star:5", 300),
    ("star:70", 10),
    ("wheel:6", 300),
    ("wheel:70", 10),
    ("hypercube:3", 300),
    ("hypercube:5", 100),
    ("grid3d:3x3x3", 150),
    ("grid3d:2x3x4", 150),
    ("petersen", 300),
    ("graph6:IsP@OkWHG", 100),
    ("graph6:D?{", 200),
    ("graph6:DQc", 200),
    ("edges:0-1,1-2,2-0,5", 300),
    ("edges:a,b,c,d", 50),
    ("edges:a-a,a-b,b-a,b-c,c-d,d", 200),
    ("path:3+cycle:4+petersen", 200),
    ("path:2+path:2+path:1", 300),
    ("komipath:5+cycle:5", 100),
];

/// The boards of one game.
struct Boards {
    graph: GraphBoard,
    grid: Option<GridBoard>,
    naive: Naive,
    keys: Zobrist,
    colors: usize,
}

/// Plays a random game from the empty board or from any position, which may contain chains without
/// liberties.
fn play(boards: &mut Boards, random: &mut Random) {
    let n = boards.naive.cells.len();
    let every = n / 10 + 1;
    let percent = [0, 0, 20, 60, 90, 100][random.below(6)];
    let start = random.coloring(n, boards.colors, percent);
    boards.set_position(&start);
    boards.same();
    let mut some = boards.naive.vacant();
    some.truncate(30);
    boards.same_previews(&some);
    let mut settled = false;
    let mut mover = 0;
    for ply in 0..2 * n + 4 {
        let vacant = boards.naive.vacant();
        if vacant.is_empty() {
            break;
        }
        let mut at = random.pick(&vacant);
        // Prefer points with an empty neighbor, so that the position changes more.
        for _ in 0..2 {
            let free = |&u: &usize| boards.naive.cells[u].is_none();
            if !boards.naive.neighbors[at].iter().any(free) {
                at = random.pick(&vacant);
            }
        }
        if !random.percent(10) {
            mover = (mover + 1) % boards.colors;
        }
        boards.place(color(mover), at, settled);
        settled = true;
        if ply % every == 0 {
            boards.same();
            let mut few = boards.naive.vacant();
            while few.len() > 12 {
                few.swap_remove(random.below(few.len()));
            }
            boards.same_previews(&few);
            boards.same_eyes();
        }
        if random.percent(4) {
            // Set up the current position in mid-game, as undo does.
            let now = boards.naive.cells.clone();
            boards.set_position(&now);
        }
    }
    boards.same();
}

impl Boards {
    fn new(graph: &Arc<Graph>, rectangle: Option<(usize, usize)>, colors: usize) -> Boards {
        let keys = Zobrist::new(graph.vertices(), colors);
        Boards {
            graph: graph_board(graph, colors, &keys),
            grid: rectangle.map(|(width, height)| grid_board(width, height, &keys)),
            naive: match rectangle {
                Some((width, height)) => naive_grid(width, height),
                None => naive::spec::naive(graph),
            },
            keys,
            colors,
        }
    }

    fn set_position(&mut self, position: &[Option<Color>]) {
        self.naive.cells = position.to_vec();
        self.graph.set_position(position);
        if let Some(grid) = &mut self.grid {
            grid.set_position(position);
        }
    }

    /// Places a stone on every board. Previews and results must equal those of the naive board.
    fn place(&mut self, color: Color, v: usize, settled: bool) {
        let before = self.naive.clone();
        let mut removed = self.naive.place(color, v);
        removed.sort_unstable();
        let naive_chain = match self.naive.cells[v] {
            Some(_) => self.naive.chain(v),
            None => Vec::new(),
        };
        // A ko: one stone captures one stone, and a single stone could capture it back.
        let ko = match (&removed[..], &naive_chain[..]) {
            ([(point, _)], [_]) if self.naive.liberties(&naive_chain) == [*point] => {
                Some(at(*point))
            }
            _ => None,
        };
        let expected = preview(&self.naive, &removed, color, v, &self.keys);
        let check = Check {
            before: &before,
            after: &self.naive,
            expected,
            removed: &removed,
            ko: settled.then_some(ko),
        };
        check.place(&mut self.graph, color, v);
        if let Some(grid) = &mut self.grid {
            check.place(grid, color, v);
        }
    }

    /// Compares everything that can be asked about the position.
    fn same(&self) {
        same_state(&self.graph, &self.naive, &self.keys);
        same_chains(&self.graph, &self.naive);
        if let Some(grid) = &self.grid {
            same_state(grid, &self.naive, &self.keys);
            same_chains(grid, &self.naive);
        }
        for color in Color::all(self.colors) {
            for v in vertices(&self.naive.vacant()) {
                if let Some(grid) = &self.grid {
                    let context = format!("{color} on {v:?} of {}", text(&self.naive.cells));
                    let eyes = (grid.is_eye(color, v), self.graph.is_eye(color, v));
                    assert_eq!(eyes.0, eyes.1, "eye: {context}");
                    let play = (grid.playable(color, v), self.graph.playable(color, v));
                    assert_eq!(play.0, play.1, "playable: {context}");
                }
            }
        }
    }

    /// Compares the previews of every color on these points.
    fn same_previews(&self, points: &[usize]) {
        for color in Color::all(self.colors) {
            for &v in points {
                let mut after = self.naive.clone();
                let removed = after.place(color, v);
                let expected = preview(&after, &removed, color, v, &self.keys);
                let context = format!("{color} on {v} of {}", text(&self.naive.cells));
                assert_eq!(self.graph.preview(color, at(v)), expected, "{context}");
                if let Some(grid) = &self.grid {
                    assert_eq!(grid.preview(color, at(v)), expected, "{context}");
                }
            }
        }
    }

    /// Compares eyes with the definition. If every chain has a liberty, a playout may play wherever
    /// the move is neither suicide nor fills an eye.
    fn same_eyes(&self) {
        for color in Color::all(self.colors) {
            for v in self.naive.vacant() {
                let context = format!("{color} on {v} of {}", text(&self.naive.cells));
                let eye = is_eye(&self.naive, color, v);
                assert_eq!(self.graph.is_eye(color, at(v)), eye, "eye: {context}");
                let free = |&u: &usize| self.naive.cells[u].is_none();
                let survives = self.naive.neighbors[v].iter().any(free) || {
                    let mut after = self.naive.clone();
                    after.place(color, v);
                    after.cells[v].is_some()
                };
                let playable = survives && !eye;
                let found = self.graph.playable(color, at(v));
                assert_eq!(found, playable, "playable: {context}");
            }
        }
    }
}

/// Expected result of one placement.
struct Check<'a> {
    before: &'a Naive,
    after: &'a Naive,
    expected: Preview,
    removed: &'a [(usize, Color)],
    /// The ko point, or `None` if it is not known.
    ko: Option<Option<Vertex>>,
}

impl Check<'_> {
    fn place<B: Board>(&self, board: &mut B, color: Color, v: usize) {
        let context = format!("{color} on {v} of {}", text(&self.before.cells));
        assert_eq!(board.preview(color, at(v)), self.expected, "{context}");
        let mut removed = Vec::new();
        board.place(color, at(v), |v, c| removed.push((v.index(), c)));
        removed.sort_unstable();
        assert_eq!(removed, self.removed, "{context}");
        assert_eq!(board.position(), self.after.cells, "{context}");
        assert_eq!(board.hash(), self.expected.hash, "{context}");
        if let Some(ko) = self.ko {
            assert_eq!(board.ko_point(), ko, "ko: {context}");
        }
    }
}

fn preview(
    after: &Naive,
    removed: &[(usize, Color)],
    color: Color,
    v: usize,
    keys: &Zobrist,
) -> Preview {
    let lost = removed.iter().filter(|(_, c)| *c == color).count();
    Preview {
        hash: after.hash(keys),
        captured: removed.len() - lost,
        lost,
        suicide: after.cells[v].is_none(),
    }
}

fn same_state<B: Board>(board: &B, naive: &Naive, keys: &Zobrist) {
    let context = text(&naive.cells);
    assert_eq!(board.position(), naive.cells);
    assert_eq!(board.hash(), naive.hash(keys), "{context}");
    let mut vacant = board.vacant().to_vec();
    vacant.sort_unstable();
    assert_eq!(vacant, vertices(&naive.vacant()), "{context}");
    let census = naive.census();
    assert_eq!(board.census(), census, "{context}");
    assert_eq!(flood_census(board), census, "flooded: {context}");
    for v in 0..naive.cells.len() {
        let mut around: Vec<Vertex> = board.around(at(v)).collect();
        around.sort_unstable();
        let mut neighbors = vertices(&naive.neighbors[v]);
        neighbors.sort_unstable();
        assert_eq!(around, neighbors);
    }
}

fn same_chains<B: Board>(board: &B, naive: &Naive) {
    let mut done = vec![false; naive.cells.len()];
    for v in 0..naive.cells.len() {
        if naive.cells[v].is_none() {
            assert_eq!(board.sole_liberty(at(v)), None);
            assert_eq!(board.chain_size(at(v)), 0);
        }
        if done[v] || naive.cells[v].is_none() {
            continue;
        }
        let naive_chain = naive.chain(v);
        let liberties = vertices(&naive.liberties(&naive_chain));
        let chain = board.chain(at(v));
        assert!(naive_chain.contains(&chain.index()));
        for &stone in &naive_chain {
            done[stone] = true;
            let context = format!("{stone} of {}", text(&naive.cells));
            let stone = at(stone);
            assert_eq!(board.chain(stone), chain, "{context}");
            assert_eq!(board.chain_size(stone), naive_chain.len(), "{context}");
            let sole = match liberties[..] {
                [only] => Some(only),
                _ => None,
            };
            assert_eq!(board.sole_liberty(stone), sole, "{context}");
            let mut members = Vec::new();
            board.for_chain(stone, |member| members.push(member));
            members.sort_unstable();
            assert_eq!(members, vertices(&naive_chain), "{context}");
            for most in [1, 2, 3, 8, 100] {
                let mut found = [Vertex::NONE; 8];
                let count = board.liberties(stone, most, &mut found);
                assert_eq!(count, liberties.len().min(most).min(8), "{context}");
                let mut found = found[..count].to_vec();
                found.sort_unstable();
                found.dedup();
                assert_eq!(found.len(), count, "twice: {context}");
                assert!(found.iter().all(|v| liberties.contains(v)), "{context}");
            }
        }
    }
}

/// Returns true if `v` is an eye, by the definition of the eye rule. All neighbors have one color
/// and are joined by chains and by corners that hold no opposing stone. Without any corners, it is
/// enough that each chain has another point surrounded by its color.
fn is_eye(naive: &Naive, color: Color, v: usize) -> bool {
    let around = &naive.neighbors[v];
    let walled = |p: usize| {
        naive.neighbors[p]
            .iter()
            .all(|&u| naive.cells[u] == Some(color))
    };
    if around.is_empty() || !walled(v) {
        return false;
    }
    let chains: Vec<Vec<usize>> = around.iter().map(|&u| naive.chain(u)).collect();
    let corners = |a: usize, b: usize| {
        let of_a = naive.neighbors[around[a]].iter().copied();
        of_a.filter(move |x| *x != v && naive.neighbors[around[b]].contains(x))
    };
    let mut joined = vec![0];
    let mut next = 0;
    while let Some(&a) = joined.get(next) {
        next += 1;
        for (b, stone) in around.iter().enumerate() {
            let free = |x: usize| naive.cells[x].is_none_or(|c| c == color);
            let one = chains[a].contains(stone) || corners(a, b).any(free);
            if one && !joined.contains(&b) {
                joined.push(b);
            }
        }
    }
    if joined.len() == around.len() {
        return true;
    }
    let indices = 0..around.len();
    let cornered = indices.clone().any(|a| {
        indices
            .clone()
            .any(|b| a != b && corners(a, b).next().is_some())
    });
    let company = |naive_chain: &Vec<usize>| {
        let mut beside = naive_chain.iter().flat_map(|&s| &naive.neighbors[s]);
        beside.any(|&p| p != v && naive.cells[p].is_none() && walled(p))
    };
    !cornered && chains.iter().all(company)
}

fn play_grids(mine: impl Fn(usize) -> bool) {
    for (i, &(width, height, games)) in GRIDS.iter().enumerate().filter(|(i, _)| mine(*i)) {
        let goban = goban(&format!("grid:{width}x{height}"));
        let mut boards = Boards::new(&goban.graph, Some((width, height)), 2);
        let mut random = Random::new(1000 + i as u64);
        for _ in 0..games {
            play(&mut boards, &mut random);
        }
    }
}

#[test]
fn boards_agree_on_grids() {
    play_grids(|i| i % 2 == 0);
}

#[test]
fn boards_agree_on_more_grids() {
    play_grids(|i| i % 2 == 1);
}

#[test]
fn boards_agree_on_graphs() {
    for (i, (spec, games)) in GRAPHS.iter().enumerate() {
        let mut boards = Boards::new(&goban(spec).graph, None, 2);
        let mut random = Random::new(2000 + i as u64);
        for _ in 0..*games {
            play(&mut boards, &mut random);
        }
    }
}

/// The naive board keeps the loops and parallel edges that the graph drops.
#[test]
fn boards_agree_on_random_graphs() {
    let mut random = Random::new(3000);
    for round in 0..200 {
        let n = 1 + random.below(16);
        let percent = random.pick(&[5, 20, 40, 70, 100]);
        let edges = random.edges(n, percent);
        let goban = goban(&edges_text(n, &edges));
        assert_eq!(goban.graph.vertices(), n);
        let mut boards = Boards::new(&goban.graph, None, 2);
        let own = Naive::new(n, &edges);
        for v in 0..n {
            let mut simple = own.neighbors[v].clone();
            simple.sort_unstable();
            simple.dedup();
            simple.retain(|&u| u != v);
            let found: Vec<usize> = boards.graph.around(at(v)).map(|u| u.index()).collect();
            assert_eq!(found, simple, "round {round}");
        }
        for _ in 0..6 {
            play(&mut boards, &mut random);
        }
    }
}

#[test]
fn boards_agree_with_more_than_two_colors() {
    let specs = [
        "grid:4x4",
        "grid:7x6",
        "torus:4x4",
        "king:4x4",
        "path:9",
        "cycle:12",
        "complete:9",
        "bipartite:4x5",
        "star:8",
        "wheel:9",
        "petersen",
        "hypercube:4",
        "path:4+cycle:5+path:1",
    ];
    for (i, spec) in specs.into_iter().enumerate() {
        for colors in [1, 3, 4, 8] {
            let mut boards = Boards::new(&goban(spec).graph, None, colors);
            let mut random = Random::new(4000 + 10 * i as u64 + colors as u64);
            for _ in 0..40 {
                play(&mut boards, &mut random);
            }
        }
    }
}

#[test]
fn enough_games_and_boards_are_compared() {
    let grids = GRIDS.iter().map(|(_, _, games)| games);
    let graphs = GRAPHS.iter().map(|(_, games)| games);
    assert!(grids.chain(graphs).sum::<usize>() >= 10_000);
    assert!(GRIDS.len() + GRAPHS.len() >= 20);
}

/// A playout starts with such a copy, into a board that held another position.
#[test]
fn clone_from_replaces_the_state_of_a_used_board() {
    let graph = goban("torus:5x4").graph;
    let mut random = Random::new(5000);
    for _ in 0..200 {
        let mut boards = Boards::new(&graph, None, 2);
        let start = random.coloring(20, 2, 50);
        boards.set_position(&start);
        let mut used = boards.graph.clone();
        for _ in 0..10 {
            let v = random.pick(used.vacant());
            used.place(color(random.below(2)), v, |_, _| {});
        }
        used.clone_from(&boards.graph);
        same_state(&used, &boards.naive, &boards.keys);
        same_chains(&used, &boards.naive);
        assert_eq!(used.vacant(), boards.graph.vacant());
        let v = random.pick(used.vacant());
        used.place(Color::BLACK, v, |_, _| {});
        boards.place(Color::BLACK, v.index(), false);
        same_state(&used, &boards.naive, &boards.keys);
        same_chains(&used, &boards.naive);
    }
}

/// The graph board does not precompute the corners of a hub with many branches. The hub has none,
/// so the other eyes of the chains count.
#[test]
fn eyes_of_hubs_follow_the_eye_rule() {
    for branches in [3, 60, 70, 200] {
        let mut edges = Vec::new();
        for i in 0..branches {
            edges.push((0, 2 * i + 1));
            edges.push((2 * i + 1, 2 * i + 2));
        }
        let n = 2 * branches + 1;
        let graph = goban(&edges_text(n, &edges)).graph;
        let mut boards = Boards::new(&graph, None, 2);
        // Every branch has an eye at its tip, so the hub is a second eye for all of them.
        let mut position: Vec<Option<Color>> = (0..n)
            .map(|v| (v % 2 == 1).then_some(Color::BLACK))
            .collect();
        boards.set_position(&position);
        assert!(is_eye(&boards.naive, Color::BLACK, 0));
        assert!(
            boards.graph.is_eye(Color::BLACK, at(0)),
            "{branches} branches"
        );
        position[2] = Some(Color::WHITE);
        boards.set_position(&position);
        assert!(!is_eye(&boards.naive, Color::BLACK, 0));
        assert!(
            !boards.graph.is_eye(Color::BLACK, at(0)),
            "{branches} branches"
        );
    }
}

#[test]
fn accepts_a_board_without_vertices() {
    let mut boards = Boards::new(&goban("edges:").graph, None, 2);
    boards.set_position(&[]);
    boards.same();
    assert_eq!(boards.graph.hash(), 0);
}

#[test]
fn rejects_unsupported_sizes_and_color_counts() {
    use omnigo::board::graph::Adjacency;
    use omnigo::board::grid::Grid;
    for (width, height) in [(0, 5), (5, 0), (26, 1), (1, 26)] {
        assert!(Grid::new(width, height).is_none());
    }
    for colors in [0, 3] {
        assert!(GridBoard::new(Grid::new(3, 3).unwrap(), colors).is_none());
    }
    for colors in [0, 9] {
        let shape = Adjacency::new(goban("path:2").graph);
        assert!(GraphBoard::new(shape, colors).is_none());
    }
}
