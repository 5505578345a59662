//! Pictures of boards (`omnigo graph SPEC --to svg|png`) and of games (`omnigo record GAME --to
//! svg|png`).

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};

use crate::color::Color;
use crate::files::replace;
use crate::graph::goban::Goban;
use crate::graph::handicap::star_points;
use crate::notation::{read_position, vertex_problem};
use crate::render::png::{font_warning, png, png_of_width};
use crate::render::svg::{Labels, Position, Style, Theme, fits_png, of_width, picture};
use crate::system::tell;
use crate::system::tell::output;
use crate::text::printable;
use crate::vertex::Vertex;

/// Format of a picture of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Scalable vector graphics.
    Svg,
    /// Pixels.
    Png,
}

impl PictureFormat {
    /// Returns the format of this name, in any case, or `None`.
    pub fn find(name: &str) -> Option<PictureFormat> {
        <PictureFormat as ValueEnum>::from_str(name, true).ok()
    }

    /// Returns the format for the extension of a path, or `None`.
    pub fn of_path(path: &str) -> Option<PictureFormat> {
        let (_, ending) = path.rsplit_once('.')?;
        PictureFormat::find(ending)
    }

    /// Checks that `positions` positions on the board can be drawn in this format.
    ///
    /// # Errors
    /// A one-line message if there are too many edges.
    pub fn fits(self, goban: &Goban, positions: usize) -> Result<(), String> {
        match self {
            PictureFormat::Svg => Ok(()),
            PictureFormat::Png => fits_png(goban, positions).map_err(|e| e.to_string()),
        }
    }

    /// Checks that the picture may go to `out`, or to standard output if there is none. Text may
    /// go to a terminal, pixels would garble it.
    ///
    /// # Errors
    /// A one-line message, if `terminal` is true and standard output would get pixels.
    pub fn goes_to(self, out: Option<&Path>, terminal: bool) -> Result<(), String> {
        match (self, out) {
            (PictureFormat::Png, None) if terminal => Err(
                "a PNG picture cannot be shown on a terminal, expected --output FILE".to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// Converts SVG text to this format, `width` pixels wide if given. Warns on standard error
    /// about characters without a font.
    ///
    /// # Errors
    /// A one-line message if the text cannot be drawn.
    pub fn encode(self, svg: String, width: Option<u32>) -> Result<Vec<u8>, String> {
        if self == PictureFormat::Png
            && let Some(warning) = font_warning(&svg)
        {
            tell!("warning: {warning}");
        }
        match (self, width) {
            (PictureFormat::Svg, None) => Ok(svg.into_bytes()),
            (PictureFormat::Svg, Some(width)) => Ok(of_width(&svg, width).into_bytes()),
            (PictureFormat::Png, None) => png(&svg).map_err(|e| e.to_string()),
            (PictureFormat::Png, Some(width)) => {
                png_of_width(&svg, width).map_err(|e| e.to_string())
            }
        }
    }
}

/// Content and style of a picture of a board.
#[derive(Debug, Args)]
pub struct PictureArgs {
    /// Stones in a picture, one character per point in index order: X black, O white, . empty
    /// [default: the starting stones of the board].
    #[arg(long, help_heading = "Pictures", value_name = "XO.")]
    position: Option<String>,
    /// Stones whose chains are marked in a picture.
    #[arg(
        long,
        help_heading = "Pictures",
        value_name = "VERTEX,...",
        value_delimiter = ','
    )]
    mark: Vec<String>,
    #[command(flatten)]
    style: StyleArgs,
}

/// Style of a picture.
#[derive(Debug, Args)]
pub struct StyleArgs {
    /// Names on the vertices in a picture: alias, label, index or none [default: label if the
    /// board was given labels, else alias].
    #[arg(long, help_heading = "Pictures", value_name = "NAMES", value_parser = labels)]
    labels: Option<Labels>,
    /// Theme of a picture: light (light wood), dark (dark wood), or paper (plain white).
    #[arg(long, help_heading = "Pictures", value_name = "THEME", default_value = "light", value_parser = theme)]
    theme: Theme,
    /// Width of a picture in pixels [default: set by the size of stones].
    #[arg(long, help_heading = "Pictures", value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=20_000))]
    pub width: Option<u32>,
}

fn labels(text: &str) -> Result<Labels, String> {
    text.parse()
}

fn theme(text: &str) -> Result<Theme, String> {
    text.parse()
}

impl StyleArgs {
    /// Returns the style of a picture of this board.
    pub fn style(&self, goban: &Goban) -> Style {
        Style {
            theme: self.theme,
            labels: self.labels.unwrap_or_else(|| Labels::of(goban)),
        }
    }
}

/// Writes to the file, or to standard output if there is none.
///
/// # Errors
/// A one-line message, which names the file.
pub fn write(out: Option<&Path>, bytes: &[u8]) -> Result<(), String> {
    match out {
        None => output(bytes).map_err(|e| e.to_string()),
        Some(path) => replace(path, bytes).map_err(|error| unwritable(path, &error)),
    }
}

/// Returns the message about a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = printable(&path.display().to_string());
    format!("cannot write '{path}': {error}")
}

impl PictureArgs {
    /// Returns the picture of a board that the arguments describe.
    ///
    /// # Errors
    /// A one-line message if an argument does not fit the board.
    pub fn draw(&self, goban: &Goban, format: PictureFormat) -> Result<Vec<u8>, String> {
        let stones = match &self.position {
            None => goban.start.clone(),
            Some(text) => read_position(goban, Color::MAX, text).map_err(|e| e.to_string())?,
        };
        let find = |name: &String| {
            let vertex = goban.names.find(name);
            vertex.ok_or_else(|| vertex_problem(goban, name))
        };
        let marked = self
            .mark
            .iter()
            .map(find)
            .collect::<Result<Vec<Vertex>, _>>()?;
        let position = Position {
            points: stones,
            stars: star_points(goban),
            chains: marked,
            ..Position::default()
        };
        format.fits(goban, 1)?;
        let svg = picture(goban, &position, self.style.style(goban)).map_err(|e| e.to_string())?;
        format.encode(svg, self.style.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_stay_off_the_terminal() {
        let problem = PictureFormat::Png.goes_to(None, true).unwrap_err();
        assert!(problem.contains("--output"), "{problem}");
        let file = Some(Path::new("a.png"));
        for (format, out, terminal) in [
            (PictureFormat::Png, file, true),
            (PictureFormat::Png, None, false),
            (PictureFormat::Svg, None, true),
        ] {
            assert_eq!(format.goes_to(out, terminal), Ok(()));
        }
    }
}
