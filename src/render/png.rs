//! Pictures as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of a picture at most: 160 MB while it is drawn.
const MOST_PIXELS: f64 = 40e6;
/// Pictures are drawn at least so wide, so that small boards are no stamps.
const LEAST_WIDTH: f64 = 800.0;
/// Pixels for a unit of the SVG at most.
const LARGEST: f64 = 2.5;

/// A picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The text is no SVG.
    #[error("cannot draw: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has no extent.
    #[error("cannot draw a picture without extent")]
    Empty,
    /// The pixels cannot be packed.
    #[error("cannot write PNG: {0}")]
    Encoding(String),
}

/// The picture of an SVG text in pixels: as large as it says, small ones larger, huge ones smaller.
///
/// ```
/// use omnigo::render::png::png;
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// assert!(png(svg).unwrap().starts_with(b"\x89PNG"));
/// assert!(png("no picture").is_err());
/// ```
///
/// # Errors
/// Where the text is no SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    draw(svg, None)
}

/// The picture of an SVG text, so many pixels wide.
///
/// ```
/// use omnigo::render::png::png_of_width;
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// // The width stands behind the head of 16 bytes.
/// assert_eq!(png_of_width(svg, 100).unwrap()[16..24], [0, 0, 0, 100, 0, 0, 0, 50]);
/// ```
///
/// # Errors
/// Where the text is no SVG.
pub fn png_of_width(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    draw(svg, Some(width))
}

fn draw(svg: &str, wide: Option<u32>) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let (width, height) = (
        f64::from(tree.size().width()),
        f64::from(tree.size().height()),
    );
    let enlarged = match wide {
        Some(wide) => f64::from(wide) / width,
        None => (LEAST_WIDTH / width).clamp(1.0, LARGEST),
    };
    let scale = enlarged.min((MOST_PIXELS / (width * height)).sqrt());
    let pixels = |side: f64| (side * scale).round().max(1.0) as u32;
    let mut pixmap = Pixmap::new(pixels(width), pixels(height)).ok_or(PngError::Empty)?;
    let transform = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    pixmap
        .encode_png()
        .map_err(|problem| PngError::Encoding(problem.to_string()))
}
