//! Colors of pictures.

use std::str::FromStr;

use omnigo_base::color::Color;
use omnigo_base::text::{did_you_mean, quote};

/// Color theme, which depends on the page around a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light wood with dark lines.
    #[default]
    Light,
    /// Dark wood with light lines.
    Dark,
    /// Plain white with black lines, for print.
    Paper,
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Theme, String> {
        match text {
            "light" => Ok(Theme::Light),
            "dark" => Ok(Theme::Dark),
            "paper" => Ok(Theme::Paper),
            other => Err(format!(
                "theme '{}', expected light, dark or paper{}",
                quote(other),
                did_you_mean(other, ["light", "dark", "paper"])
            )),
        }
    }
}

/// Colors of a theme.
pub(super) struct Palette {
    /// Background, from its upper left to its lower right corner.
    pub(super) ground: [&'static str; 2],
    /// True if the background has no grain.
    pub(super) is_plain: bool,
    pub(super) grain: &'static str,
    pub(super) line: &'static str,
    /// Background of an empty vertex with a name.
    pub(super) node: &'static str,
    /// Names and coordinates.
    pub(super) text: &'static str,
    /// Ground under names that cover lines.
    pub(super) halo: &'static str,
    /// Names of the other ends of edges across a side.
    pub(super) faint: &'static str,
    /// Marked chains.
    pub(super) mark: &'static str,
    /// Visits.
    pub(super) heat: &'static str,
    /// Border of stones.
    pub(super) rim: &'static str,
}

impl Theme {
    pub(super) const fn palette(self) -> Palette {
        match self {
            Theme::Light => Palette {
                ground: ["#edc98b", "#ddae63"],
                is_plain: false,
                grain: "#a9752f",
                line: "#3d2912",
                node: "#f6dfae",
                text: "#35230f",
                halo: "#e8c07d",
                faint: "#7a5a2e",
                mark: "#c8261d",
                heat: "#1f5fbf",
                rim: "#1c1208",
            },
            Theme::Dark => Palette {
                ground: ["#4a3a28", "#33271a"],
                is_plain: false,
                grain: "#1d150d",
                line: "#c7a873",
                node: "#5a4832",
                text: "#f0dcb4",
                halo: "#3f3222",
                faint: "#b5986a",
                mark: "#ff6a5a",
                heat: "#6fa8ff",
                rim: "#8d7a5c",
            },
            Theme::Paper => Palette {
                ground: ["#ffffff", "#ffffff"],
                is_plain: true,
                grain: "#ffffff",
                line: "#000000",
                node: "#ffffff",
                text: "#000000",
                halo: "#ffffff",
                faint: "#555555",
                mark: "#c8261d",
                heat: "#1f5fbf",
                rim: "#000000",
            },
        }
    }
}

/// Returns the highlight, body, and shade of a stone of this color, and the color of text on it.
pub(super) fn stone(color: Color) -> [&'static str; 4] {
    let [black, ..] = STONES;
    STONES.get(color.index()).copied().unwrap_or(black)
}

/// Highlight, body, shade, and text of stones, in the order of colors.
const STONES: [[&str; 4]; Color::MAX] = [
    ["#6b6b6b", "#262626", "#070707", "#ffffff"],
    ["#ffffff", "#f4f2ee", "#c9c4ba", "#1a1a1a"],
    ["#f08a7c", "#c8372d", "#8a1a14", "#ffffff"],
    ["#86b4f0", "#2f6bc4", "#173f82", "#ffffff"],
    ["#8fd49a", "#33914a", "#17602a", "#ffffff"],
    ["#fff0a0", "#ecc92e", "#b08f0c", "#1a1a1a"],
    ["#c8a2e6", "#8346b5", "#542478", "#ffffff"],
    ["#ffc48a", "#ec8222", "#ab5208", "#1a1a1a"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_read() {
        assert_eq!("dark".parse(), Ok(Theme::Dark));
        assert_eq!("paper".parse(), Ok(Theme::Paper));
        let error = "Dark\n".parse::<Theme>().unwrap_err();
        assert!(error.contains("expected light, dark or paper") && !error.contains('\n'));
    }
}
