//! Pictures of boards (`omnigo graph SPEC --to svg|png|pdf`) and of games (`omnigo record GAME --to
//! svg|png|pdf`).

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::position;
use super::end::CliError;
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::graph::handicap::star_points;
use crate::notation::{label_suggestion, vertex_problem};
use crate::render::format::PictureFormat;
use crate::render::svg::{Labels, Position, Style, Theme, picture};
use crate::system::tell;
use crate::vertex::Vertex;

/// Returns the parser of an option that names the format of a picture.
pub fn format_parser() -> impl TypedValueParser<Value = PictureFormat> {
    let names = PictureFormat::ALL.map(PictureFormat::name);
    PossibleValuesParser::new(names)
        .try_map(|name| PictureFormat::find(&name).ok_or("expected the name of a format"))
}

/// Checks that a picture may go to `out`, or to standard output if there is none. Text may go to a
/// terminal, other bytes would garble it.
///
/// # Errors
/// A one-line message, if `terminal` is true and standard output would get bytes that are no text.
pub fn check_target(
    format: PictureFormat,
    out: Option<&Path>,
    terminal: bool,
) -> Result<(), CliError> {
    if format.is_text() || out.is_some() || !terminal {
        return Ok(());
    }
    let name = format.name().to_uppercase();
    Err(CliError::Arguments(format!(
        "a {name} picture cannot be shown on a terminal, expected --output FILE"
    )))
}

/// Converts SVG text to a format, `width` pixels wide if given. Warns on standard error about
/// characters without a font.
///
/// # Errors
/// A one-line message if the text cannot be drawn.
pub fn encode(format: PictureFormat, svg: &str, width: Option<u32>) -> Result<Vec<u8>, CliError> {
    if let Some(warning) = format.warning(svg) {
        tell::warn(warning);
    }
    format.encode(svg, width).map_err(CliError::failed)
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
    #[arg(long, help_heading = "Pictures", value_name = "PIXELS", value_parser = crate::arguments::whole::<u32>(16..=20_000))]
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

impl PictureArgs {
    /// Returns the picture of a board that the arguments describe.
    ///
    /// # Errors
    /// A one-line message if an argument does not fit the board.
    pub fn draw(&self, goban: &Goban, format: PictureFormat) -> Result<Vec<u8>, CliError> {
        let stones = match &self.position {
            None => goban.start.clone(),
            Some(text) => position(goban, Color::MAX, text)?,
        };
        let find = |name: &String| {
            let vertex = goban.names.find(name);
            vertex.ok_or_else(|| {
                let problem = vertex_problem(goban, name) + &label_suggestion(goban, name);
                CliError::Arguments(format!("--mark: {problem}"))
            })
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
        format.fits(goban, 1).map_err(CliError::failed)?;
        let svg = picture(goban, &position, self.style.style(goban));
        let svg = svg.map_err(CliError::failed)?;
        encode(format, &svg, self.style.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_stay_off_the_terminal() {
        let file = Some(Path::new("a.png"));
        for format in [PictureFormat::Png, PictureFormat::Pdf] {
            let problem = check_target(format, None, true).unwrap_err().to_string();
            assert!(problem.contains("--output"), "{problem}");
            assert!(check_target(format, file, true).is_ok());
            assert!(check_target(format, None, false).is_ok());
        }
        assert!(check_target(PictureFormat::Svg, None, true).is_ok());
    }
}
