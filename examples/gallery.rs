//! Draws the gallery: a picture and a line for every family of boards, in `docs/gallery.md` and
//! `docs/gallery/`.
//!
//! `cargo run --release --example gallery` fails if a family has no board to show.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use omnigo::color::Color;
use omnigo::graph::families;
use omnigo::graph::goban::Goban;
use omnigo::graph::handicap::star_points;
use omnigo::graph::spec::Spec;
use omnigo::render::svg::{Labels, Position, Style, picture};

/// Boards of a size that shows the family well. A family that is missing here is shown at the first
/// size of [`sizes`] that it accepts.
const SHOWN: &[(&str, &str)] = &[
    ("grid", "grid:9"),
    ("torus", "torus:7x5"),
    ("cylinder", "cylinder:7x5"),
    ("mobius", "mobius:7x5"),
    ("klein", "klein:6x5"),
    ("projective", "projective:5x5"),
    ("king", "king:6x5"),
    ("path", "path:7"),
    ("cycle", "cycle:12"),
    ("complete", "complete:7"),
    ("bipartite", "bipartite:3x4"),
    ("star", "star:7"),
    ("wheel", "wheel:8"),
    ("tree", "tree:3,2"),
    ("hypercube", "hypercube:4"),
    ("grid3d", "grid3d:3x3x3"),
    ("gpetersen", "gpetersen:7,2"),
    ("circulant", "circulant:12,1,3"),
    ("hexhex", "hexhex:4"),
    ("honeycomb", "honeycomb:3"),
    ("edges", "edges:a-b,b-c,c-a,c-d,d-e,e-f,f-d"),
    ("graph6", "graph6:IsP@OkWHG"),
    ("sparse6", "sparse6::Fa@x^"),
    ("file", "file:examples/mango/window-9x9.json"),
    ("pick", "pick(file:examples/graphs/cubic.g6,2)"),
    ("space", "space:(grid:3),edges"),
    ("komipath", "komipath:7"),
    ("gnp", "gnp:24,0.1,1"),
    ("gnm", "gnm:24,30,1"),
    ("regular", "regular:24,3,1"),
    ("smallworld", "smallworld:24,4,0.1,1"),
    ("sunflower", "sunflower:80"),
    ("delaunay", "delaunay:60,1"),
    ("line", "line(petersen)"),
    ("product", "product(cycle:8,path:3)"),
    ("quotient", "quotient(path:9,0=8,2=6)"),
    ("komi", "komi(grid:5,7)"),
    ("remove", "remove(grid:5,C3,A1-A2)"),
    ("cubesurface", "cubesurface:3"),
    ("kagome", "kagome:2"),
    ("truncatedtrihexagonal", "truncatedtrihexagonal:2"),
    ("thinned", "thinned:6x5,0.3,1"),
];

/// Returns the arguments to try for a family whose arguments have this form.
fn sizes(form: &str) -> &'static [&'static str] {
    match form {
        "" => &[""],
        "N" | "D" => &[":4", ":6", ":3", ":2", ":12"],
        "WxH" | "AxB" => &[":5x4", ":4x4", ":6x6"],
        "AxBxC" => &[":3x3x3", ":2x2x2"],
        _ => &[
            ":40,1",
            ":24,3,1",
            ":24,2,1",
            ":5,2",
            ":12,1,3",
            ":30,0.3,1",
            ":24",
            ":4x4",
            "(grid:4)",
            "(petersen)",
            "(grid:3,path:3)",
            "(cube)",
            "(grid:4,1)",
            "(grid:4,A1)",
            ":(grid:4)",
            ":(grid:3),(path:3)",
        ],
    }
}

fn build(spec: &str) -> Option<Goban> {
    spec.parse::<Spec>().ok()?.build().ok()
}

/// Returns the board that shows a family, or `None` if no size fits.
fn board(name: &str, form: &str) -> Option<Goban> {
    let shown = SHOWN.iter().find(|(family, _)| *family == name);
    if let Some(goban) = shown.and_then(|(_, spec)| build(spec)) {
        return Some(goban);
    }
    sizes(form)
        .iter()
        .find_map(|arguments| build(&format!("{name}{arguments}")))
}

/// Returns the board's own starting position, or a few stones so that the picture looks like a
/// game.
fn position(goban: &Goban) -> Vec<Option<Color>> {
    if goban.start.iter().any(Option::is_some) {
        return goban.start.clone();
    }
    let mut points = vec![None; goban.points()];
    let vertices = goban.graph.vertices();
    for (number, share) in [(0usize, 45), (1, 52), (2, 38), (3, 60), (4, 31)] {
        let vertex = omnigo::vertex::Vertex::at(vertices * share / 100);
        let color = if number % 2 == 0 {
            Color::BLACK
        } else {
            Color::WHITE
        };
        let covered = goban.covered(vertex);
        if vertices >= 6 && covered.iter().all(|point| points[point.index()].is_none()) {
            for point in covered {
                points[point.index()] = Some(color);
            }
        }
    }
    points
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR"))?;
    let folder = docs.join("gallery");
    fs::create_dir_all(&folder)?;
    let mut page = String::from(
        "# Gallery\n\nOne board of every family with a few stones, drawn by `omnigo graph SPEC --to svg`. \
         Large boards have no vertex names.\n\
         This page is written by `cargo run --release --example gallery`.\n",
    );
    let mut missing = Vec::new();
    for (name, form, sentence) in families::list() {
        let Some(goban) = board(name, form) else {
            missing.push(name);
            continue;
        };
        let position = Position {
            points: position(&goban),
            stars: star_points(&goban),
            ..Position::default()
        };
        let style = Style {
            labels: if goban.graph.vertices() > 150 {
                Labels::None
            } else {
                Labels::Alias
            },
            ..Style::default()
        };
        let svg = picture(&goban, &position, style)?;
        let file = format!("{name}.svg");
        fs::write(folder.join(&file), svg)?;
        let spec = goban.spec.to_string();
        let (vertices, edges) = (goban.graph.vertices(), goban.graph.edges());
        write!(
            page,
            "\n## `{name}`\n\n{sentence} Here `{spec}`, {vertices} vertices, {edges} edges.\n\n\
             <img src=\"gallery/{file}\" alt=\"{spec}\" width=\"320\">\n"
        )?;
    }
    if !missing.is_empty() {
        return Err(format!("no board to show for {}", missing.join(", ")).into());
    }
    fs::write(docs.join("gallery.md"), page)?;
    Ok(())
}
