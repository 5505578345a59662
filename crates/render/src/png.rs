//! Conversion of SVG pictures to PNG.

use std::borrow::Cow;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::svg::INSTEAD;

/// Maximum number of pixels of a picture. Drawing that many takes 160 MB of memory.
const MOST_PIXELS: f64 = 40e6;
/// Minimum width of a picture in pixels, as far as [`LARGEST`] permits, so that small boards are
/// not tiny.
const LEAST_WIDTH: f64 = 800.0;
/// Maximum number of pixels per SVG unit when a small picture is enlarged.
const LARGEST: f64 = 2.5;
/// Maximum length of the longer side of a picture that is enlarged, in pixels.
const LONGEST: f64 = 4000.0;

/// Error: a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The text is not SVG.
    #[error("cannot draw: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has no extent.
    #[error("cannot draw a picture of size zero")]
    Empty,
    /// The pixels cannot be encoded.
    #[error("cannot write PNG: {0}")]
    Encoding(String),
}

/// Returns an SVG text as PNG. The SVG gives the size; small pictures are enlarged, and huge ones
/// are reduced.
///
/// ```
/// use omnigo_render::png::png;
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// assert!(png(svg).unwrap().starts_with(b"\x89PNG"));
/// assert!(png("no picture").is_err());
/// ```
///
/// # Errors
/// If the text is not SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    draw(svg, None)
}

/// Returns an SVG text as PNG, `width` pixels wide. Pictures of too many pixels are reduced.
///
/// ```
/// use omnigo_render::png::png_of_width;
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// // The width follows the first 16 bytes.
/// assert_eq!(png_of_width(svg, 100).unwrap()[16..24], [0, 0, 0, 100, 0, 0, 0, 50]);
/// ```
///
/// # Errors
/// If the text is not SVG.
pub fn png_of_width(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    draw(svg, Some(width))
}

/// Returns a warning if a picture has texts that only a font can draw. A PNG or PDF, which
/// `format` names, is drawn without fonts, so it shows the aliases of these vertices.
pub fn font_warning(svg: &str, format: &str) -> Option<String> {
    let (names, stand) = match svg.matches(INSTEAD).count() {
        0 => return None,
        1 => ("1 name has".to_string(), "its alias stands"),
        many => (format!("{many} names have"), "their aliases stand"),
    };
    Some(format!(
        "{names} letters that only a font can draw, {stand} in the {format}; an SVG shows all letters"
    ))
}

/// Returns a picture that needs no font: strokes stand for the texts that need one.
pub(super) fn without_fonts(svg: &str) -> Cow<'_, str> {
    if !svg.contains(INSTEAD) {
        return Cow::Borrowed(svg);
    }
    let shown = svg.replace(INSTEAD, "");
    // Contents and attributes are escaped, so this finds tags only.
    Cow::Owned(shown.replace("<text ", "<text display=\"none\" "))
}

fn draw(svg: &str, wide: Option<u32>) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(&without_fonts(svg), &Options::default())?;
    let (width, height) = (
        f64::from(tree.size().width()),
        f64::from(tree.size().height()),
    );
    let enlarged = match wide {
        Some(wide) => f64::from(wide) / width,
        None => {
            let most = (LONGEST / width.max(height)).max(1.0);
            (LEAST_WIDTH / width).clamp(1.0, LARGEST).min(most)
        }
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
