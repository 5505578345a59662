//! Positions as SVG pictures: a wooden background, lines, stones, names, and marks, on any board.
//!
//! Letters are drawn as strokes, so a picture needs no font. Only names with letters beyond the
//! Latin alphabets are texts in a font of the viewer. Each point also has its name as a
//! title, which browsers show under the pointer and programs can read. The same position gives the
//! same text.

mod apart;
mod bent;
mod beside;
mod board;
mod chart;
mod element;
mod font;
mod geometry;
mod letters;
mod names;
mod nearest;
mod panel;
mod points;
mod sketch;
mod texts;
mod theme;

pub use chart::{Chart, Curve, Mark, chart};
pub(super) use names::INSTEAD;
pub use theme::Theme;

use std::str::FromStr;

use element::Svg;
use omnigo_base::color::Color;
use omnigo_base::text::{did_you_mean, quote};
use omnigo_base::vertex::Vertex;
use omnigo_graph::goban::Goban;
use panel::Panel;

/// Names on the vertices. Boards such as rectangles have coordinates around them instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// GTP alias, which the engine prints.
    #[default]
    Alias,
    /// Name that the source of the board gives.
    Label,
    /// Index, from 0.
    Index,
    /// No names, and no coordinates.
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
                "labels '{}', expected alias, label, index or none{}",
                quote(other),
                did_you_mean(other, ["alias", "label", "index", "none"])
            )),
        }
    }
}

impl Labels {
    /// Returns the names of a picture for which the user chose none: the labels if the source of
    /// the board gives them, else the aliases.
    pub fn of(goban: &Goban) -> Labels {
        match goban.names.are_given() {
            true => Labels::Label,
            false => Labels::Alias,
        }
    }
}

/// Style of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Colors.
    pub theme: Theme,
    /// Names on the vertices.
    pub labels: Labels,
}

/// Shading under the stones.
#[derive(Clone, Debug, Default)]
pub enum Shading {
    /// No shading.
    #[default]
    None,
    /// Owner of each vertex at the end, and how certain this is, from 0 to 1.
    Ownership(Vec<Option<(Color, f64)>>),
    /// Visits of each vertex, as a fraction from 0 to 1 of the most visited one.
    Visits(Vec<f64>),
}

/// Position and the marks on it.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// A stone or `None` for each point, in index order.
    pub points: Vec<Option<Color>>,
    /// Vertices that have a dot while they are empty.
    pub stars: Vec<Vertex>,
    /// Points that the last move covered: its vertex, or several points on a go-space.
    pub last: Vec<Vertex>,
    /// Numbers on stones: point and number.
    pub numbers: Vec<(Vertex, usize)>,
    /// Vertices whose chains are marked.
    pub chains: Vec<Vertex>,
    /// Shading under the stones.
    pub shading: Shading,
}

/// Error: a board is too large to draw.
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

/// Maximum number of edges in a picture.
pub const MOST_EDGES: usize = 200_000;
/// Maximum number of edges in a PNG. Each takes at least 0.05 ms to draw, and drawing cannot be
/// interrupted.
pub const MOST_PNG_EDGES: usize = 30_000;
/// Maximum number of positions in a picture. Each has its frame, caption, and stones, even on a
/// small board.
pub const MOST_POSITIONS: usize = 5_000;

/// Returns a picture of one position.
///
/// ```
/// use omnigo_graph::spec::Spec;
/// use omnigo_render::svg::{Position, Style, picture};
/// let goban = "petersen".parse::<Spec>().unwrap().build().unwrap();
/// let svg = picture(&goban, &Position::default(), Style::default()).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("<title>petersen</title>"));
/// assert_eq!(svg.matches("<line ").count(), 15);
/// ```
///
/// # Errors
/// If the board has more than [`MOST_EDGES`] edges.
pub fn picture(goban: &Goban, position: &Position, style: Style) -> Result<String, TooLarge> {
    let panel = Panel::new(goban, style)?;
    let (width, height) = panel.size();
    let mut svg = open(width, height, &goban.spec.to_string());
    panel.define(&mut svg);
    panel.draw(&mut svg, position, [0.0, 0.0], &[]);
    Ok(svg.finish())
}

/// Points and lines of a board as in its pictures, for programs that draw it themselves.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Location of each point in pixels, with y pointing up.
    pub places: Vec<[f64; 2]>,
    /// Lines between points.
    pub edges: Vec<(usize, usize)>,
    /// Edges across a side: the two ends, and the location at which each end shows the other.
    pub wraps: Vec<([usize; 2], [[f64; 2]; 2])>,
    /// Location of each vertex: of a point, or of the middle of a placement.
    pub vertices: Vec<[f64; 2]>,
    /// Radius of a stone in pixels.
    pub radius: f64,
}

/// Returns the points and lines of a board. On go-spaces these are the points and their order, on
/// other boards the vertices and edges.
///
/// # Errors
/// If the board has more than [`MOST_EDGES`] edges.
pub fn outline(goban: &Goban) -> Result<Outline, TooLarge> {
    if goban.graph.edges() > MOST_EDGES {
        return Err(TooLarge::edges(goban.graph.edges(), goban));
    }
    let drawn = geometry::Geometry::new(sketch::sketch(goban), false);
    let up = |[x, y]: [f64; 2]| [x, drawn.height - y];
    let places: Vec<[f64; 2]> = drawn.places.iter().copied().map(up).collect();
    Ok(Outline {
        vertices: points::middles(goban, &places, drawn.radius),
        places,
        wraps: drawn
            .wraps
            .iter()
            .map(|&(ends, beside)| (ends, beside.map(up)))
            .collect(),
        radius: drawn.radius,
        edges: drawn.edges,
    })
}

/// Checks that `positions` positions on the board can be drawn as a PNG in a second or two.
///
/// # Errors
/// If they have more than [`MOST_PNG_EDGES`] edges in total.
pub fn fits_png(goban: &Goban, positions: usize) -> Result<(), TooLarge> {
    fits(goban, positions, "PNG; an SVG may have more")
}

/// Checks the limit of [`fits_png`] for another format.
pub(super) fn fits(goban: &Goban, positions: usize, format: &'static str) -> Result<(), TooLarge> {
    let number = goban.graph.edges().saturating_mul(positions);
    if number <= MOST_PNG_EDGES {
        return Ok(());
    }
    Err(TooLarge {
        most: MOST_PNG_EDGES,
        format,
        ..TooLarge::edges(number, goban)
    })
}

/// Returns a picture of [`picture`] or [`strip`] that is shown `wide` pixels wide.
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

/// Position of a strip, with a caption.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Position to draw.
    pub position: Position,
    /// Text below the position, or an empty text. It is split into lines if it is wider than the
    /// picture.
    pub caption: String,
}

/// Returns a picture of several positions on the same board, in rows from the left, `columns` in
/// each.
///
/// # Errors
/// If there are more than [`MOST_POSITIONS`] positions, or more than [`MOST_EDGES`] edges in total.
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

/// Opens the root element of a picture of this size.
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
