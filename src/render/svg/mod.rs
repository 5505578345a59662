//! Positions as pictures in SVG: a wooden ground, lines, stones, names and marks, on any board.
//!
//! Letters are drawn as strokes, so that a picture needs no font; each point has its name as a title too, which browsers
//! show under the pointer and programs can read. The same position gives the same text.

mod apart;
mod bent;
mod board;
mod element;
mod font;
mod geometry;
mod nearest;
mod panel;
mod points;
mod sketch;
mod texts;
mod theme;

pub use theme::Theme;

use std::str::FromStr;

use crate::color::Color;
use crate::graph::goban::Goban;
use crate::text::quote;
use crate::vertex::Vertex;
use element::Svg;
use panel::Panel;

/// What is written on the vertices of boards other than rectangles, which have coordinates around them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// The GTP alias, which the engine prints.
    #[default]
    Alias,
    /// The name that the source gives.
    Label,
    /// The number from 0.
    Index,
    /// Nothing, not even coordinates.
    None,
}

impl FromStr for Labels {
    type Err = String;

    fn from_str(text: &str) -> Result<Labels, String> {
        match text {
            "alias" => Ok(Labels::Alias),
            "label" => Ok(Labels::Label),
            "index" => Ok(Labels::Index),
            "none" => Ok(Labels::None),
            other => Err(format!(
                "labels '{}', expected alias, label, index or none",
                quote(other)
            )),
        }
    }
}

/// How a picture looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Its colours.
    pub theme: Theme,
    /// What is written on vertices.
    pub labels: Labels,
}

/// What lies under the stones.
#[derive(Clone, Debug, Default)]
pub enum Shading {
    /// Nothing.
    #[default]
    None,
    /// Who owns each vertex at the end, and how surely: a share from 0 to 1 a vertex.
    Ownership(Vec<Option<(Color, f64)>>),
    /// How much each vertex was looked at: a share from 0 to 1 of the most visited one, by vertex.
    Visits(Vec<f64>),
}

/// A position and what is marked on it.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// A stone or nothing for each point, in index order.
    pub points: Vec<Option<Color>>,
    /// Vertices that bear a dot while they are empty.
    pub stars: Vec<Vertex>,
    /// The points that the latest move covered: its vertex, on a go-space several.
    pub last: Vec<Vertex>,
    /// Numbers on stones: point and number.
    pub numbers: Vec<(Vertex, usize)>,
    /// Vertices whose chains are marked.
    pub chains: Vec<Vertex>,
    /// What lies under the stones.
    pub shading: Shading,
}

/// A board is too large to draw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number} {what} in '{board}', expected at most {most} in a {format}")]
pub struct TooLarge {
    number: usize,
    what: &'static str,
    most: usize,
    format: &'static str,
    board: String,
}

impl TooLarge {
    fn edges(number: usize, goban: &Goban) -> TooLarge {
        TooLarge {
            number,
            what: "edges",
            most: MOST_EDGES,
            format: "picture",
            board: quote(&goban.spec.to_string()),
        }
    }
}

/// Edges of a board that is drawn.
pub const MOST_EDGES: usize = 200_000;
/// Edges of a picture in pixels: each takes a twentieth of a millisecond and more, and nothing can interrupt it.
pub const MOST_PNG_EDGES: usize = 30_000;
/// Positions in one picture: each has its frame, captions and stones, however small the board is.
pub const MOST_POSITIONS: usize = 5_000;

/// A picture of one position.
///
/// ```
/// use omnigo::graph::spec::Spec;
/// use omnigo::render::svg::{Position, Style, picture};
/// let goban = "petersen".parse::<Spec>().unwrap().build().unwrap();
/// let svg = picture(&goban, &Position::default(), Style::default()).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("<title>petersen</title>"));
/// assert_eq!(svg.matches("<line ").count(), 15);
/// ```
///
/// # Errors
/// Where the board has more than [`MOST_EDGES`] edges.
pub fn picture(goban: &Goban, position: &Position, style: Style) -> Result<String, TooLarge> {
    let panel = Panel::new(goban, style)?;
    let (width, height) = panel.size();
    let mut svg = open(width, height, &goban.spec.to_string());
    panel.define(&mut svg);
    panel.draw(&mut svg, position, [0.0, 0.0], &[]);
    Ok(svg.finish())
}

/// Whether a picture with so many positions on the board can be had in pixels in a second or two.
///
/// # Errors
/// Where the board has more than [`MOST_PNG_EDGES`] edges, all together.
pub fn fits_png(goban: &Goban, positions: usize) -> Result<(), TooLarge> {
    let number = goban.graph.edges().saturating_mul(positions);
    if number <= MOST_PNG_EDGES {
        return Ok(());
    }
    Err(TooLarge {
        most: MOST_PNG_EDGES,
        format: "PNG; an SVG takes more",
        ..TooLarge::edges(number, goban)
    })
}

/// A picture as [`picture`] or [`strip`] gives it, shown so many pixels wide.
pub fn of_width(svg: &str, wide: u32) -> String {
    let side = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse::<f64>().ok()
    };
    let (Some(width), Some(height)) = (side("width"), side("height")) else {
        return svg.to_string();
    };
    let high = element::number(height * f64::from(wide) / width.max(1.0));
    svg.replacen(
        &format!(" width=\"{width}\" height=\"{height}\""),
        &format!(" width=\"{wide}\" height=\"{high}\""),
        1,
    )
}

/// One position of a strip, with a text below it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The position.
    pub position: Position,
    /// The text below it, empty for none; in several lines where it is wider than the picture.
    pub caption: String,
}

/// A picture of several positions on the same board, in rows from the left, `columns` in each.
///
/// # Errors
/// Where there are more than [`MOST_POSITIONS`] positions, or the board has more than [`MOST_EDGES`] edges, all together.
pub fn strip(
    goban: &Goban,
    frames: &[Frame],
    columns: usize,
    style: Style,
) -> Result<String, TooLarge> {
    let edges = goban.graph.edges().saturating_mul(frames.len());
    if edges > MOST_EDGES {
        return Err(TooLarge::edges(edges, goban));
    }
    if frames.len() > MOST_POSITIONS {
        return Err(TooLarge {
            number: frames.len(),
            what: "positions",
            most: MOST_POSITIONS,
            format: "picture",
            board: quote(&goban.spec.to_string()),
        });
    }
    let panel = Panel::new(goban, style)?;
    let (width, height) = panel.size();
    let captions: Vec<Vec<String>> = frames
        .iter()
        .map(|frame| panel.caption_lines(&frame.caption))
        .collect();
    let lines = captions.iter().map(Vec::len).max().unwrap_or(0);
    let (gap, below) = (panel.gap(), panel.caption_height(lines));
    let columns = columns.clamp(1, frames.len().max(1));
    let rows = frames.len().div_ceil(columns);
    let (step, fall) = (width + gap, height + below + gap);
    let mut svg = open(
        columns as f64 * step - gap,
        rows as f64 * fall - gap,
        &goban.spec.to_string(),
    );
    panel.define(&mut svg);
    for (number, (frame, caption)) in frames.iter().zip(&captions).enumerate() {
        let at = [
            (number % columns) as f64 * step,
            (number / columns) as f64 * fall,
        ];
        panel.draw(&mut svg, &frame.position, at, caption);
    }
    Ok(svg.finish())
}

/// The root of a picture of this size.
fn open(width: f64, height: f64, title: &str) -> Svg {
    let (width, height) = (width.ceil().max(1.0), height.ceil().max(1.0));
    let view = format!("0 0 {width} {height}");
    let mut svg = Svg::default();
    svg.begin(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg".into()),
            ("width", width.into()),
            ("height", height.into()),
            ("viewBox", (&view).into()),
        ],
    );
    svg.title(title);
    svg
}
