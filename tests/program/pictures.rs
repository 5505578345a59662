//! Pictures of boards and games: valid SVG for every kind of board, drawings of planar graphs
//! without crossings, and the commands that write pictures.

use std::path::Path;

use omnigo::color::Color;
use omnigo::graph::Graph;
use omnigo::graph::drawing::Drawing;
use omnigo::graph::families;
use omnigo::graph::goban::Goban;
use omnigo::graph::layout::{Place, layout};
use omnigo::graph::planar::Embedding;
use omnigo::graph::spec::Spec;
use omnigo::render::png::png;
use omnigo::render::svg::{
    Labels, MOST_POSITIONS, Position, Shading, Style, Theme, fits_png, picture,
};
use omnigo::vertex::Vertex;

use crate::process::omnigo;
use crate::talk::Talk;

fn goban(spec: &str) -> Goban {
    spec.parse::<Spec>().unwrap().build().unwrap()
}

/// Returns a position in which two of three points have stones, of every color in turn.
fn played(goban: &Goban, colors: usize) -> Vec<Option<Color>> {
    (0..goban.points())
        .map(|i| (i % 3 != 0).then(|| Color::from_index(i % colors).unwrap()))
        .collect()
}

const BOARDS: &[&str] = &[
    "grid:9",
    "grid:1",
    "grid:27x2",
    "torus:5x4",
    "klein:4x4",
    "mobius:5x3",
    "projective:4x4",
    "cylinder:5x3",
    "king:4x4",
    "path:7",
    "complete:6",
    "petersen",
    "grid3d:3x3x3",
    "hypercube:4",
    "honeycomb:2",
    "hexhex:3",
    "komipath:5",
    "edges:a-b,b-c,c-a,d,e-f",
    "graph6:IsP@OkWHG",
    "grid:3+cycle:5",
    "space:petersen",
    "space:(grid:3),edges,pairs",
    "file:examples/mango/window-9x9.json",
];

#[test]
fn every_board_has_a_valid_picture() {
    let looks = [
        (Labels::Alias, Theme::Light),
        (Labels::Label, Theme::Dark),
        (Labels::Index, Theme::Light),
        (Labels::None, Theme::Dark),
    ];
    for (number, spec) in BOARDS.iter().enumerate() {
        let goban = goban(spec);
        for (labels, theme) in looks {
            let position = Position {
                points: played(&goban, 2),
                last: vec![Vertex::at(0)],
                chains: vec![Vertex::at(0)],
                ..Position::default()
            };
            let svg = picture(&goban, &position, Style { theme, labels }).unwrap();
            // Rendering as PNG parses the picture as XML and SVG.
            assert!(
                number % looks.len() != labels as usize || png(&svg).is_ok(),
                "{spec}: {svg}"
            );
            let titles = svg.matches("<title>").count();
            assert_eq!(titles, goban.points() + 1, "{spec}: a name for each point");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{spec}");
            assert!(svg.lines().all(|line| !line.trim().is_empty()), "{spec}");
        }
    }
}

#[test]
fn a_picture_shows_every_edge_and_every_stone() {
    for spec in ["petersen", "grid:5", "hexhex:3", "edges:a-b,b-c,c-a,d"] {
        let goban = goban(spec);
        let points = played(&goban, 2);
        let stones = points.iter().flatten().count();
        let position = Position {
            points,
            ..Position::default()
        };
        let svg = picture(&goban, &position, Style::default()).unwrap();
        assert_eq!(svg.matches("<line ").count(), goban.graph.edges(), "{spec}");
        let filled = svg.matches("fill=\"url(#black)\"").count()
            + svg.matches("fill=\"url(#white)\"").count();
        assert_eq!(filled, stones, "{spec}");
    }
    // An edge across the side of the picture is drawn as two halves.
    let torus = goban("torus:5x5");
    let svg = picture(&torus, &Position::default(), Style::default()).unwrap();
    assert_eq!(svg.matches("<line ").count(), 50 + 10);
}

#[test]
fn draws_eight_colors_and_shading() {
    let goban = goban("grid:4");
    let position = Position {
        points: played(&goban, 8),
        ..Position::default()
    };
    let svg = picture(&goban, &position, Style::default()).unwrap();
    for color in Color::all(8) {
        assert!(svg.contains(&format!("url(#{color})")), "{color}");
    }
    let shades = [
        (Shading::Ownership(vec![Some((Color::BLACK, 0.5)); 16]), 16),
        (Shading::Visits(vec![0.0, 1.0, 0.5]), 2),
        (Shading::None, 0),
    ];
    for (shading, spots) in shades {
        let position = Position {
            shading,
            ..Position::default()
        };
        let svg = picture(&goban, &position, Style::default()).unwrap();
        assert_eq!(svg.matches("fill-opacity").count(), spots);
    }
}

#[test]
fn marks_cover_exactly_the_given_chain() {
    let goban = goban("grid:5");
    let mut points = vec![None; 25];
    for i in [0, 1, 2, 24] {
        points[i] = Some(Color::BLACK);
    }
    points[3] = Some(Color::WHITE);
    let position = Position {
        points,
        chains: vec![Vertex::at(1)],
        ..Position::default()
    };
    let svg = picture(&goban, &position, Style::default()).unwrap();
    let marks = svg.split("class=\"chains\"").nth(1).unwrap();
    let marks = marks.split("</g>").next().unwrap();
    assert_eq!(marks.matches("<circle").count(), 3);
    assert_eq!(marks.matches("<line").count(), 2);
}

#[test]
fn labels_are_escaped_in_svg() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("space.json");
    let text = r#"{"kind":"space","points":2,"min_open":[[0],[1]],"placements":[[0],[1]],
        "labels":["<script>","&amp;\"'"],"point_labels":["</svg>","]]>"]}"#;
    std::fs::write(&path, text).unwrap();
    let svg = labeled(&goban(&format!("file:{}", path.display())));
    assert!(svg.contains("&lt;/svg&gt;"), "{svg}");
    assert!(!svg.contains("<script>"), "{svg}");
    assert!(png(&svg).is_ok());
}

/// Returns twice the signed area of a triangle, positive for a left turn.
fn turn(a: Place, b: Place, c: Place) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns the number of pairs of edges that cross, compared one by one.
fn crossings(graph: &Graph, places: &[Place]) -> usize {
    let edges: Vec<(usize, usize)> = graph.pairs().collect();
    let mut crossings = 0;
    for (i, &(a, b)) in edges.iter().enumerate() {
        for &(c, d) in &edges[i + 1..] {
            if a == c || a == d || b == c || b == d {
                continue;
            }
            let [a, b, c, d] = [a, b, c, d].map(|v| places[v]);
            let crosses =
                turn(a, b, c) * turn(a, b, d) <= 0.0 && turn(c, d, a) * turn(c, d, b) <= 0.0;
            crossings += usize::from(crosses);
        }
    }
    crossings
}

/// Returns a random planar graph. A triangulation grows by placing vertices into triangles; then
/// some edges are left out.
fn planar_graph(vertices: usize, keep: u64, seed: u64) -> Graph {
    use rand::{Rng, SeedableRng};
    let mut chance = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut triangles = vec![[0u16, 1, 2]];
    let mut edges = vec![(0, 1), (1, 2), (2, 0)];
    for v in 3..vertices as u16 {
        let number = (chance.next_u64() % triangles.len() as u64) as usize;
        let [a, b, c] = triangles[number];
        triangles[number] = [a, b, v];
        triangles.extend([[b, c, v], [a, c, v]]);
        edges.extend([(a, v), (b, v), (c, v)]);
    }
    edges.retain(|_| chance.next_u64() % 100 < keep);
    Graph::from_edges(vertices, &edges).0
}

#[test]
fn planar_graphs_are_drawn_without_crossings() {
    for spec in [
        "graph6:IsP@OkWHG+path:2",
        "hypercube:3",
        "grid:6x4",
        "cylinder:6x3",
        "wheel:9",
        "star:12",
        "path:30",
        "cycle:17",
        "honeycomb:3",
        "hexhex:3",
        "antiprism:6",
        "tree:3,3",
        "edges:0-1,1-2,2-0,2-3,3-4,4-2,4-5,5-6,6-4,0-7,7-8,8-0,1-9,9-10",
        "bipartite:2x8",
        "complete:4",
        "king:2x7",
    ] {
        let graph = goban(spec).graph;
        if Embedding::of(&graph).is_some() {
            assert_eq!(crossings(&graph, &layout(&graph)), 0, "{spec}");
        } else {
            assert!(spec.starts_with("graph6"), "{spec} is planar");
        }
    }
    for seed in 0..12 {
        for keep in [45, 60, 80, 100] {
            let vertices = 6 + 4 * seed as usize;
            let graph = planar_graph(vertices, keep, seed);
            assert!(Embedding::of(&graph).is_some());
            let crossings = crossings(&graph, &layout(&graph));
            assert_eq!(
                crossings, 0,
                "{vertices} vertices, seed {seed}, keep {keep}"
            );
        }
    }
}

/// In nested triangles, a barycentric layout leaves no room in the middle. Schnyder's layout, which
/// counts faces, does.
#[test]
fn vertices_of_nested_triangles_stay_apart() {
    // The newest vertex and two others form the triangle around the next one.
    let mut edges = vec![(0, 1), (1, 2), (2, 0)];
    for v in 3..90u16 {
        edges.extend([(v, v - 1), (v, v - 2), (v, 0)]);
    }
    let fan = Graph::from_edges(90, &edges).0;
    for graph in [fan, planar_graph(120, 100, 7)] {
        let places = layout(&graph);
        assert_eq!(crossings(&graph, &places), 0);
        let side = |axis: usize| {
            let all = || (0..places.len()).map(|v| places[v][axis]);
            all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
        };
        let longer = side(0).max(side(1));
        assert!(side(0).min(side(1)) > 0.3 * longer, "it is flat");
        for (v, [x, y]) in places.iter().enumerate() {
            for (u, other) in places.iter().enumerate().take(v) {
                let apart = (x - other[0]).hypot(y - other[1]);
                assert!(apart > longer / 1000.0, "{u} and {v}");
            }
        }
    }
}

#[test]
fn layouts_are_deterministic_and_separate_all_vertices() {
    for spec in [
        "petersen",
        "torus:7x7",
        "bipartite:5x6",
        "grid:40x40",
        "star:300",
        "edges:a,b,c,d-e",
        "cycle:9+cycle:9+path:1",
    ] {
        let graph = goban(spec).graph;
        let places = layout(&graph);
        assert_eq!(places, layout(&graph), "{spec}");
        let mut rounded: Vec<[i64; 2]> = places
            .iter()
            .map(|place| place.map(|x| (x * 1000.0).round() as i64))
            .collect();
        rounded.sort_unstable();
        rounded.dedup();
        assert_eq!(rounded.len(), graph.vertices(), "{spec}: places differ");
    }
}

#[test]
fn the_command_line_draws_boards() {
    let output = omnigo(&["graph", "torus:5", "--to", "svg"]);
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"<svg"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("petersen.png");
    let file = path.to_str().unwrap();
    let output = omnigo(&[
        "graph",
        "petersen",
        "--to",
        "png",
        "--out",
        file,
        "--position",
        "XO........",
        "--mark",
        "A1",
        "--theme",
        "dark",
        "--labels",
        "label",
    ]);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty());
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    for (arguments, part) in [
        (
            &["graph", "grid:3", "--to", "svg", "--position", "X"][..],
            "has 1 character, expected 9",
        ),
        (
            &["graph", "grid:3", "--to", "svg", "--mark", "Z9"],
            "vertex 'Z9'",
        ),
        (
            &[
                "graph",
                "grid:3",
                "--to",
                "svg",
                "--out",
                "nowhere/at/all.svg",
            ],
            "nowhere/at/all.svg",
        ),
        (&["graph", "complete:700", "--to", "svg"], "244650 edges"),
    ] {
        let output = omnigo(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && message.contains(part),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn boards_and_games_are_drawn_as_pdf() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.PDF");
    let file = path.to_str().unwrap();
    let game = "gtp-tests/protocol/game.sgf";
    for words in [
        &["graph", "petersen", "--out", file][..],
        &["record", game, "--out", file],
        &[
            "record", game, "--to", "PDF", "--width", "300", "--out", file,
        ],
    ] {
        let output = omnigo(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"%PDF-1."), "{words:?}");
        std::fs::remove_file(&path).unwrap();
    }
    let output = omnigo(&["graph", "complete:500", "--to", "pdf"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("30000 in a PDF"), "{message}");
}

#[test]
fn wrong_options_of_pictures_have_the_status_of_wrong_arguments() {
    for (words, part) in [
        ("--to svg --position X", "error: --position: "),
        ("--to png --mark Z9", "error: --mark: vertex 'Z9' "),
        ("--to svg --mark A1,Z9", "error: --mark: vertex 'Z9' "),
        (
            "--out board.gif",
            "error: the file extension of 'board.gif' ",
        ),
    ] {
        let line = format!("graph grid:3 {words}");
        let output = omnigo(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{line}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with(part), "{line}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn a_session_writes_the_format_that_the_name_means() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut talk = Talk::new(&["--size", "5", "--net", "none"]);
    for (name, start) in [
        ("a.svg", &b"<svg "[..]),
        ("a.png", b"\x89PNG"),
        ("a.pdf", b"%PDF-1."),
        ("plain", b"<svg "),
    ] {
        let answer = talk.ask(&format!("write_svg {}\n", path(name).display()));
        assert_eq!(answer.trim(), "=", "{name}");
        assert!(
            std::fs::read(path(name)).unwrap().starts_with(start),
            "{name}"
        );
    }
    for name in ["a.jpg", "a.GIF", "a.webp"] {
        let answer = talk.ask(&format!("write_svg {}\n", path(name).display()));
        assert!(answer.starts_with("? syntax error: file '"), "{answer}");
        let expected = "expected a name that ends in .svg, .png or .pdf";
        assert!(answer.trim().ends_with(expected), "{answer}");
        assert!(!path(name).exists(), "{name}");
    }
}

/// Returns the width and height of a PNG.
fn pixels(png: &[u8]) -> [u32; 2] {
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn the_command_line_applies_paper_theme_and_width() {
    let board = ["graph", "grid:5", "--theme", "paper", "--width", "300"];
    let draw = |format: &str| omnigo(&[&board[..], &["--to", format]].concat()).stdout;
    assert_eq!(pixels(&draw("png")), [300, 300]);
    let svg = String::from_utf8(draw("svg")).unwrap();
    let root = svg.lines().next().unwrap();
    assert!(
        root.contains(" width=\"300\" height=\"300\" viewBox="),
        "{root}"
    );
    assert!(!svg.contains("stroke-opacity"), "paper has no grain");
    let output = omnigo(&["graph", "grid:5", "--to", "png", "--width", "0"]);
    assert!(!output.status.success());
}

#[test]
fn png_pictures_have_an_edge_limit() {
    let dense = goban("complete:300");
    assert!(fits_png(&goban("complete:100"), 1).is_ok());
    assert!(fits_png(&goban("complete:100"), 10).is_err());
    let problem = fits_png(&dense, 1).unwrap_err().to_string();
    assert!(
        problem.contains("44850 edges") && problem.contains("30000 in a PNG"),
        "{problem}"
    );
    assert!(picture(&dense, &Position::default(), Style::default()).is_ok());
    let output = omnigo(&["graph", "complete:500", "--to", "png"]);
    assert!(!output.status.success() && output.stdout.is_empty());
}

#[test]
fn the_command_line_draws_games() {
    let game = "gtp-tests/protocol/game.sgf";
    let output = omnigo(&[
        "record",
        game,
        "--to",
        "svg",
        "--every",
        "2",
        "--columns",
        "2",
    ]);
    assert!(output.status.success(), "{output:?}");
    let svg = String::from_utf8(output.stdout).unwrap();
    assert!(svg.matches("<g class=\"board\"").count() > 1);
    assert!(png(&svg).is_ok());
    // The name of the file can choose the format.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.PNG");
    let output = omnigo(&["record", game, "--out", path.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    for (words, part) in [
        (&["record", game][..], "missing format, expected --to svg"),
        (
            &["record", game, "--out", "game.gif"],
            "--out 'game.gif', expected a file that ends in .svg, .png or .pdf, or --to FORMAT",
        ),
    ] {
        let output = omnigo(words);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(part), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // Illegal moves are drawn as the file has them.
    let output = omnigo(&["record", "gtp-tests/protocol/occupied.sgf", "--to", "svg"]);
    assert!(output.status.success(), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("move 2, white A3: occupied"), "{message}");
    // A picture never replaces its game.
    let same = ["gtp-tests/protocol/occupied.sgf", "--to", "svg", "--out"];
    let words = [&["record"], &same[..], &same[..1]].concat();
    let output = omnigo(&words);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("is the game, expected another file"),
        "{message}"
    );
    let output = omnigo(&["record", "gtp-tests/protocol/broken.sgf", "--to", "svg"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("broken.sgf'") && message.lines().count() == 1,
        "{message}"
    );
    // A long game is rejected even on a small board, so that the size of a picture is bounded.
    let long = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long.sgf");
    let moves = ";B[];W[]".repeat(MOST_POSITIONS);
    std::fs::write(&long, format!("(;SZ[1]{moves})")).unwrap();
    let long = long.to_str().unwrap();
    let output = omnigo(&["record", long, "--to", "svg", "--every", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("positions in 'grid:1x1'") && message.lines().count() == 1,
        "{message}"
    );
}

/// Arguments to try with every family.
const ARGUMENTS: &[&str] = &[
    "",
    ":1",
    ":2",
    ":3",
    ":5",
    ":7",
    ":12",
    ":30",
    ":120",
    ":5x4",
    ":8x8",
    ":2x2x2",
    ":3x3x3",
    ":40,1",
    ":60,2",
    ":24,3,1",
    ":12,1,3",
    ":12,5",
    ":3,3",
    ":30,0.3,1",
    ":24,4,0.1,1",
    ":6x5,0.3,1",
    "(grid:4)",
    "(petersen)",
    "(penrose:3)",
    "(grid:3,path:3)",
    "(grid:4,B2)",
    "(path:9,0=8)",
    "(grid:3,3)",
    ":(grid:3),edges",
];

/// Boards on which stones used to overlap, and some boards given as text.
const CROWDED: &[&str] = &[
    "edges:p-v0,v0-q,p-v1,v1-q,p-v2,v2-q,p-v3,v3-q,p-v4,v4-q,p-v5,v5-q",
    "star:34",
    "star:200",
    "wheel:40",
    "complete:30",
    "bipartite:8x8",
    "gnp:100,0.2",
    "gnp:400,0.05",
    "hypercube:6",
    "hypercube:7",
    "diamond:3x3x3",
    "barabasi:60,2",
    "path:400",
    "cycle:300",
    "tree:7,3",
    "graph6:IsP@OkWHG+star:50",
];

/// Returns the center and radius of every stone of a picture.
fn stones(svg: &str) -> Vec<[f64; 3]> {
    let attribute = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    svg.lines()
        .filter(|line| line.contains("<circle") && line.contains("fill=\"url(#black)\""))
        .map(|line| ["cx", "cy", "r"].map(|name| attribute(line, name)))
        .collect()
}

/// Draws a stone on every point, without names.
fn full(goban: &Goban) -> String {
    let position = Position {
        points: vec![Some(Color::BLACK); goban.points()],
        ..Position::default()
    };
    let style = Style {
        labels: Labels::None,
        ..Style::default()
    };
    picture(goban, &position, style).unwrap()
}

/// Draws a stone on every point. Fails if stones overlap or are too small to see.
fn stones_are_apart(goban: &Goban, name: &str) {
    let svg = full(goban);
    // On boards that wrap around, small copies of stones at the sides are outside this group.
    let stones: Vec<[f64; 3]> = stones(svg.split("class=\"points\"").nth(1).unwrap());
    assert_eq!(stones.len(), goban.points(), "{name}");
    let apart = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let mut least = f64::MAX;
    for (i, &a) in stones.iter().enumerate() {
        for &b in &stones[..i] {
            least = least.min(apart(a, b));
        }
    }
    let Some(&[_, _, radius]) = stones.first() else {
        return;
    };
    // Coordinates are rounded to two decimals.
    assert!(least >= 2.0 * radius - 0.03, "{name}: {least} of {radius}");
    let across: Vec<[Vertex; 2]> = match &goban.drawing {
        Some(drawing) => drawing.wraps.iter().map(|wrap| wrap.ends).collect(),
        None => Vec::new(),
    };
    if goban.space().is_some() || stones.len() > 400 || stones.len() < 3 {
        return;
    }
    let is_across = |a: usize, b: usize| {
        across.iter().any(|ends| {
            *ends == [Vertex::at(a), Vertex::at(b)] || *ends == [Vertex::at(b), Vertex::at(a)]
        })
    };
    let mut lengths: Vec<f64> = goban
        .graph
        .pairs()
        .filter(|&(a, b)| !is_across(a, b))
        .map(|(a, b)| apart(stones[a], stones[b]))
        .collect();
    if lengths.is_empty() {
        return;
    }
    lengths.sort_unstable_by(f64::total_cmp);
    let median = lengths[lengths.len() / 2];
    let side = |axis: usize| {
        let all = || stones.iter().map(|stone| stone[axis]);
        all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min) + median
    };
    let each = (side(0) * side(1) / stones.len() as f64).sqrt();
    // A crowded picture has room for stones 2/5 as wide as the side of the square per point. On
    // planar graphs, points move only as far as no edges cross, so stones may be smaller.
    let is_planar = Embedding::of(&goban.graph).is_some();
    let wanted = if is_planar {
        0.025 * median
    } else {
        (0.4 * median).min(0.4 * each)
    };
    assert!(
        2.0 * radius >= wanted,
        "{name}: stones {} wide, edges {median} long, a side of {each} for each",
        2.0 * radius
    );
}

#[test]
fn overlapping_points_of_a_drawing_are_moved_apart() {
    let mut board = goban("path:12");
    let place = |i: usize| [i as f64, if i == 7 { 0.0 } else { (i % 3) as f64 }];
    let mut places: Vec<Place> = (0..12).map(place).collect();
    // One point is almost on another.
    places[5] = [places[4][0] + 0.001, places[4][1]];
    board.drawing = Some(Drawing::new(places));
    stones_are_apart(&board, "two points in one place");
}

/// Returns the width of the lines between the points of a board.
fn width_of_edges(spec: &str) -> f64 {
    let svg = picture(&goban(spec), &Position::default(), Style::default()).unwrap();
    let (_, group) = svg.split_once("class=\"edges\"").unwrap();
    let (_, width) = group.split_once("stroke-width=\"").unwrap();
    width.split('"').next().unwrap().parse().unwrap()
}

#[test]
fn more_edges_per_vertex_make_thinner_lines() {
    for family in [
        ["complete:5", "complete:10", "complete:20", "complete:40"],
        ["gnp:60,0.1", "gnp:60,0.2", "gnp:60,0.4", "gnp:60,0.8"],
    ] {
        let widths = family.map(width_of_edges);
        for (thick, thin) in widths.iter().zip(&widths[1..]) {
            assert!(thin < thick, "{family:?}: {widths:?}");
        }
        // 8 to 10 times as many edges per vertex have lines less than 0.3 times as wide.
        assert!(widths[3] < 0.3 * widths[0], "{family:?}: {widths:?}");
        assert!(widths[3] > 0.0, "{family:?}: {widths:?}");
    }
    // Boards of up to three edges per vertex have lines of full width.
    assert_eq!(width_of_edges("path:5"), width_of_edges("complete:5"));
    assert_eq!(width_of_edges("path:5"), width_of_edges("complete:7"));
}

#[test]
fn points_between_two_hubs_are_separate_and_large_enough() {
    for leaves in [2, 3, 6, 20, 40] {
        let ribbons: Vec<String> = (0..leaves).map(|i| format!("p-v{i},v{i}-q")).collect();
        for spec in [
            format!("bipartite:2x{leaves}"),
            format!("edges:{}", ribbons.join(",")),
        ] {
            let board = goban(&spec);
            stones_are_apart(&board, &spec);
            let position = Position {
                points: vec![Some(Color::BLACK); board.points()],
                ..Position::default()
            };
            let svg = picture(&board, &position, Style::default()).unwrap();
            let stones = stones(svg.split("class=\"points\"").nth(1).unwrap());
            assert_eq!(stones.len(), leaves + 2, "{spec}");
            // A name of two letters is legible in a circle 20 pixels wide.
            assert!(
                stones.iter().all(|&[.., r]| r >= 10.0),
                "{spec}: {stones:?}"
            );
        }
    }
}

#[test]
fn components_are_arranged_in_rows_without_touching() {
    let cycle = |name: &str, n: usize| -> String {
        let edges = (0..n).map(|i| format!("{name}{i}-{name}{}", (i + 1) % n));
        edges.collect::<Vec<_>>().join(",")
    };
    let many = |count: usize, of: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..count).map(of).collect();
        format!("edges:{}", parts.join(","))
    };
    for (spec, least, most) in [
        (many(40, &|i| format!("a{i}-b{i}")), 1.0, 2.0),
        (many(9, &|i| cycle(&format!("c{i}x"), 3)), 0.8, 2.0),
        (many(30, &|i| cycle(&format!("c{i}x"), 3 + i)), 1.0, 2.0),
        (many(100, &|i| format!("s{i}")), 0.8, 2.0),
        // One long component sets the width, and the others share rows.
        (
            format!(
                "{},{}",
                many(1, &|_| path(60)),
                &many(50, &|i| format!("a{i}-b{i}"))[6..]
            ),
            4.0,
            60.0,
        ),
    ] {
        let board = goban(&spec);
        let places = layout(&board.graph);
        let boxes = boxes_of_components(&board.graph, &places);
        for (i, [low, high]) in boxes.iter().enumerate() {
            for [other_low, other_high] in &boxes[..i] {
                let apart = (0..2).any(|axis| {
                    low[axis] > other_high[axis] + 0.5 || other_low[axis] > high[axis] + 0.5
                });
                assert!(apart, "{spec}");
            }
        }
        let [width, height] =
            size(&picture(&board, &Position::default(), Style::default()).unwrap());
        let shape = width / height;
        assert!(shape >= least && shape <= most, "{spec}: {width}x{height}");
    }
}

/// Returns the edges of a path of `n` vertices.
fn path(n: usize) -> String {
    let edges = (1..n).map(|i| format!("p{}-p{i}", i - 1));
    edges.collect::<Vec<_>>().join(",")
}

/// Returns the lower left and the upper right corner of each component.
fn boxes_of_components(graph: &Graph, places: &[Place]) -> Vec<[Place; 2]> {
    let mut component: Vec<usize> = (0..graph.vertices()).collect();
    // Vertices of an edge get the lower number until nothing changes.
    loop {
        let before = component.clone();
        for (a, b) in graph.pairs() {
            let low = component[a].min(component[b]);
            (component[a], component[b]) = (low, low);
        }
        if component == before {
            break;
        }
    }
    let of = |v: usize| {
        let members = (0..component.len()).filter(|&u| component[u] == v);
        members.fold([[f64::MAX; 2], [f64::MIN; 2]], |[low, high], u| {
            let bound =
                |f: fn(f64, f64) -> f64, old: Place| [0, 1].map(|i| f(old[i], places[u][i]));
            [bound(f64::min, low), bound(f64::max, high)]
        })
    };
    let first = (0..component.len()).filter(|&v| component[v] == v);
    first.map(of).collect()
}

#[test]
fn stones_never_overlap() {
    for spec in CROWDED {
        stones_are_apart(&goban(spec), spec);
    }
    for (name, ..) in families::list() {
        let mut drawn = 0;
        for arguments in ARGUMENTS {
            let spec = format!("{name}{arguments}");
            let board = spec.parse::<Spec>().ok().and_then(|spec| spec.build().ok());
            if let Some(board) =
                board.filter(|board| board.points() <= 1500 && board.graph.edges() <= 20_000)
            {
                stones_are_apart(&board, &spec);
                drawn += 1;
            }
        }
        assert!(
            drawn > 0 || ["edges", "graph6", "sparse6", "file", "pick"].contains(&name),
            "{name}"
        );
    }
}

/// Returns the width and height of an SVG.
fn size(svg: &str) -> [f64; 2] {
    let root = svg.lines().next().unwrap();
    ["width", "height"].map(|name| {
        let (_, rest) = root.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    })
}

/// Returns the least and greatest coordinates of each name beside a point.
fn names_beside(svg: &str) -> Vec<[Place; 2]> {
    let Some((_, names)) = svg.split_once("<g class=\"names\">") else {
        return Vec::new();
    };
    let paths = names.lines().filter(|line| line.contains("<path "));
    // The halo of each name comes before the name.
    paths
        .skip(1)
        .step_by(2)
        .map(|line| {
            let (_, path) = line.split_once(" d=\"").unwrap();
            let path = path.split('"').next().unwrap();
            let numbers = path.split(['M', 'L', 'Q', ' ']).filter(|n| !n.is_empty());
            let numbers: Vec<f64> = numbers.map(|n| n.parse().unwrap()).collect();
            let bound = |axis: usize, fold: fn(f64, f64) -> f64| {
                numbers.iter().skip(axis).step_by(2).copied().reduce(fold)
            };
            [f64::min, f64::max].map(|fold| [0, 1].map(|axis| bound(axis, fold).unwrap()))
        })
        .collect()
}

fn labeled(goban: &Goban) -> String {
    let style = Style {
        labels: Labels::Label,
        ..Style::default()
    };
    picture(goban, &Position::default(), style).unwrap()
}

#[test]
fn long_names_stand_beside_their_points() {
    let mut spec = "edges:".to_string();
    for i in 0..60 {
        for step in [1, 7] {
            let to = (i + step) % 60;
            spec += &format!("Crossing{i}-Crossing{to},");
        }
    }
    let svg = labeled(&goban(spec.trim_end_matches(',')));
    let names = names_beside(&svg);
    assert_eq!(names.len(), 60);
    let [width, height] = size(&svg);
    let mut overlaps = 0;
    for (i, [low, high]) in names.iter().enumerate() {
        let inside = low[0] > 0.0 && low[1] > 0.0 && high[0] < width && high[1] < height;
        assert!(inside, "{low:?} to {high:?} in {width}x{height}");
        // From the top of the C to the bottom of the g.
        let capitals = (high[1] - low[1]) / 1.3;
        assert!(capitals * 800.0 / width >= 9.0, "{capitals} of {width}");
        overlaps += names[..i]
            .iter()
            .filter(|[a, b]| (0..2).all(|axis| a[axis] < high[axis] && low[axis] < b[axis]))
            .count();
    }
    // Each point has 16 places for its name. Now and then all of them touch another name.
    assert!(overlaps <= 2, "{overlaps} names overlap");
    // Short names stand on their points.
    assert!(names_beside(&labeled(&goban("edges:a-b,b-c,c-A10"))).is_empty());
    // A very long name is cut, and the title has all of it.
    let long = "x".repeat(200);
    let svg = labeled(&goban(&format!("edges:a-{long}")));
    assert!(size(&svg)[0] < 800.0 && svg.contains(&long));
}

#[test]
fn letters_of_all_scripts_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letters.txt");
    std::fs::write(&path, "Köln Łódź\nŁódź Ελλάς\nΕλλάς 日本\n").unwrap();
    let spec = format!("file:{}", path.display());
    let draw = |format: &str| omnigo(&["graph", &spec, "--labels", "label", "--to", format]);
    let svg = String::from_utf8(draw("svg").stdout).unwrap();
    // Latin letters are strokes, and others are texts in a font.
    for (name, texts) in [("Köln", 0), ("Łódź", 0), ("Ελλάς", 1), ("日本", 1)] {
        assert_eq!(
            svg.matches(&format!(">{name}</text>")).count(),
            texts,
            "{name}"
        );
    }
    assert!(svg.contains("sans-serif"));
    let picture = draw("png");
    assert!(picture.stdout.starts_with(b"\x89PNG"));
    let warning = String::from_utf8(picture.stderr).unwrap();
    assert!(warning.contains("2 names have letters"), "{warning}");
    assert_eq!(warning.lines().count(), 1, "{warning}");
    // The PNG is that of a picture in which the aliases stand for the texts.
    let hidden = svg.replace(" class=\"instead\" display=\"none\"", "");
    let strokes: Vec<&str> = hidden
        .lines()
        .filter(|line| !line.contains("<text "))
        .collect();
    assert_eq!(png(&svg).unwrap(), png(&strokes.join("\n")).unwrap());
    // Without the strokes, these names would be missing.
    let missing = svg.replace(" class=\"instead\"", "");
    assert_ne!(png(&svg).unwrap(), png(&missing).unwrap());
}

/// A tree with four more edges has a long outer face, which left most of the picture empty.
#[test]
fn trees_with_a_few_more_edges_fill_the_picture() {
    use rand::{Rng, SeedableRng};
    for seed in 1..4 {
        let mut chance = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut spec = "edges:100-103,200-203,400-403,500-503".to_string();
        for v in 1..600u64 {
            let first = v.saturating_sub(8);
            let parent = first + chance.next_u64() % (v - first);
            let more = [100, 200, 400, 500].contains(&parent) && v == parent + 3;
            if !more {
                spec += &format!(",{parent}-{v}");
            }
        }
        let goban = goban(&spec);
        stones_are_apart(&goban, "a tree with four more edges");
        let svg = full(&goban);
        let [width, height] = size(&svg);
        assert!(width.max(height) <= 4000.0, "{width}x{height}");
        let cells = stones(&svg).into_iter().map(|[x, y, radius]| {
            assert!(radius >= 2.0, "{radius}");
            [x / width, y / height].map(|share| (share * 20.0) as usize)
        });
        let used: std::collections::HashSet<[usize; 2]> = cells.collect();
        assert!(used.len() >= 140, "{} of 400 cells", used.len());
    }
}

#[test]
fn pictures_have_at_most_4000_pixels_a_side() {
    for spec in [
        "cycle:4000",
        "path:3000",
        "grid:2x700",
        "star:3000",
        "gnp:2000,0.001",
    ] {
        let svg = picture(&goban(spec), &Position::default(), Style::default()).unwrap();
        let [width, height] = size(&svg);
        assert!(width.max(height) <= 4000.0, "{spec}: {width}x{height}");
    }
    let board = goban("cycle:4000");
    let position = Position {
        points: vec![Some(Color::BLACK); 4000],
        ..Position::default()
    };
    let svg = picture(&board, &position, Style::default()).unwrap();
    assert!(stones(&svg).iter().all(|[.., radius]| *radius > 1.0));
    // A narrow picture is enlarged less.
    let narrow =
        png(&picture(&goban("grid:2x150"), &Position::default(), Style::default()).unwrap());
    assert!(pixels(&narrow.unwrap()).iter().all(|&side| side <= 4000));
}

/// Each of these took from 10 to 60 seconds.
#[test]
fn drawing_large_boards_has_a_work_limit() {
    let start = std::time::Instant::now();
    for spec in [
        "dual(delaunay:2000)",
        "dual(penrose:60)",
        "randomtree:20000",
        "regular:20000,3",
    ] {
        let svg = picture(&goban(spec), &Position::default(), Style::default()).unwrap();
        assert!(!svg.contains("NaN"), "{spec}");
    }
    // Many components share one limit.
    let many = (0..100).map(|seed| format!("gnm:400,404,{seed}"));
    let many = goban(&many.collect::<Vec<_>>().join("+"));
    assert_eq!(layout(&many.graph).len(), 40_000);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn info_says_if_a_measure_is_not_computed() {
    let output = omnigo(&["graph", "regular:60000,3", "--info"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("girth: 3\ndiameter: not computed\n"),
        "{text}"
    );
    let output = omnigo(&["graph", "regular:60000,3", "--info", "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\"diameter\": null"), "{text}");
    // Complete bipartite graphs have no shorter cycles to look for.
    let output = omnigo(&["graph", "bipartite:1500x1500", "--info"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("girth: 4\ndiameter: 2\n"), "{text}");
}
