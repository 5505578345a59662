//! File formats of pictures: their names, their limits, and the conversion from SVG.

use super::pdf::{PdfError, pdf};
use super::png::{PngError, font_warning, png, png_of_width};
use super::svg::{TooLarge, fits, of_width};
use omnigo_graph::goban::Goban;

/// Format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Scalable vector graphics.
    Svg,
    /// Pixels.
    Png,
    /// A page of vector graphics.
    Pdf,
}

/// Error: a picture cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Error of PNG.
    #[error(transparent)]
    Png(#[from] PngError),
    /// Error of PDF.
    #[error(transparent)]
    Pdf(#[from] PdfError),
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [PictureFormat; 3] =
        [PictureFormat::Svg, PictureFormat::Png, PictureFormat::Pdf];
    /// Extensions of all formats, for messages.
    pub const EXTENSIONS: &'static str = ".svg, .png or .pdf";

    /// Returns the name of the format, which is also its file extension.
    pub const fn name(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            PictureFormat::Png => "png",
            PictureFormat::Pdf => "pdf",
        }
    }

    /// Returns the media type of the format.
    pub const fn media(self) -> &'static str {
        match self {
            PictureFormat::Svg => "image/svg+xml",
            PictureFormat::Png => "image/png",
            PictureFormat::Pdf => "application/pdf",
        }
    }

    /// Returns true if the format is text, which may go to a terminal.
    pub const fn is_text(self) -> bool {
        matches!(self, PictureFormat::Svg)
    }

    /// Returns the format of this name, in any case, or `None`.
    ///
    /// ```
    /// use omnigo_render::format::PictureFormat;
    /// assert_eq!(PictureFormat::find("PDF"), Some(PictureFormat::Pdf));
    /// assert_eq!(PictureFormat::find("gif"), None);
    /// ```
    pub fn find(name: &str) -> Option<PictureFormat> {
        let mut all = PictureFormat::ALL.into_iter();
        all.find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format for the extension of a path, or `None`.
    pub fn of_path(path: &str) -> Option<PictureFormat> {
        let (_, ending) = path.rsplit_once('.')?;
        PictureFormat::find(ending)
    }

    /// Checks that `positions` positions on the board can be drawn in this format in a second or
    /// two.
    ///
    /// # Errors
    /// If there are too many edges.
    pub fn fits(self, goban: &Goban, positions: usize) -> Result<(), TooLarge> {
        match self {
            PictureFormat::Svg => Ok(()),
            PictureFormat::Png => fits(goban, positions, "PNG; an SVG may have more"),
            PictureFormat::Pdf => fits(goban, positions, "PDF; an SVG may have more"),
        }
    }

    /// Returns a warning if the picture has texts that this format cannot show.
    pub fn warning(self, svg: &str) -> Option<String> {
        match self {
            PictureFormat::Svg => None,
            PictureFormat::Png => font_warning(svg, "PNG"),
            PictureFormat::Pdf => font_warning(svg, "PDF"),
        }
    }

    /// Converts an SVG text to this format, `width` pixels wide if given.
    ///
    /// # Errors
    /// If the text cannot be drawn.
    pub fn encode(self, svg: &str, width: Option<u32>) -> Result<Vec<u8>, PictureError> {
        let resized = || width.map_or_else(|| svg.to_owned(), |width| of_width(svg, width));
        match (self, width) {
            (PictureFormat::Svg, _) => Ok(resized().into_bytes()),
            (PictureFormat::Png, None) => Ok(png(svg)?),
            (PictureFormat::Png, Some(width)) => Ok(png_of_width(svg, width)?),
            (PictureFormat::Pdf, _) => Ok(pdf(&resized())?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;

    #[test]
    fn every_format_has_its_own_first_bytes() {
        for (format, start) in [
            (PictureFormat::Svg, &b"<svg "[..]),
            (PictureFormat::Png, b"\x89PNG"),
            (PictureFormat::Pdf, b"%PDF-"),
        ] {
            for width in [None, Some(100)] {
                let bytes = format.encode(PICTURE, width).unwrap();
                assert!(bytes.starts_with(start), "{format:?}");
            }
            assert_eq!(PictureFormat::find(format.name()), Some(format));
            let extension = format!(".{}", format.name());
            assert!(PictureFormat::EXTENSIONS.contains(&extension));
        }
        let wide = PictureFormat::Svg.encode(PICTURE, Some(100)).unwrap();
        let wide = String::from_utf8(wide).unwrap();
        assert!(wide.contains("width=\"100\" height=\"50\""), "{wide}");
    }

    #[test]
    fn the_extension_of_a_path_names_its_format() {
        for (path, format) in [
            ("a.svg", Some(PictureFormat::Svg)),
            ("b/a.Png", Some(PictureFormat::Png)),
            ("a.b.pdf", Some(PictureFormat::Pdf)),
            ("a", None),
            ("svg", None),
            ("a.gif", None),
        ] {
            assert_eq!(PictureFormat::of_path(path), format, "{path}");
        }
    }

    #[test]
    fn large_boards_fit_only_svg() {
        let goban = "complete:300".parse::<omnigo_graph::spec::Spec>().unwrap();
        let goban = goban.build().unwrap();
        assert!(PictureFormat::Svg.fits(&goban, 1).is_ok());
        let problem = PictureFormat::Pdf.fits(&goban, 1).unwrap_err().to_string();
        assert!(problem.contains("30000 in a PDF"), "{problem}");
    }
}
