//! Draws the gallery: a picture and a line for every family of boards, in `docs/gallery.md` and
//! `docs/gallery/`.
//!
//! `cargo run --release --example gallery` fails if a family has no board to show.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use omnigo::color::Color;
use omnigo::graph::families::{self, gallery};
use omnigo::graph::goban::Goban;
use omnigo::graph::handicap::star_points;
use omnigo::render::svg::{Labels, Position, Style, picture};

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
        let Some(goban) = gallery::example(name, form) else {
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
