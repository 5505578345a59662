//! Colours of pictures.

use std::str::FromStr;

use crate::color::Color;
use crate::text::quote;

/// On which page a picture lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light wood, dark lines.
    #[default]
    Light,
    /// Dark wood, light lines.
    Dark,
    /// Plain white, black lines, for print.
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
                "theme '{}', expected light, dark or paper",
                quote(other)
            )),
        }
    }
}

/// The colours of a theme.
pub(super) struct Palette {
    /// The ground, from its upper left to its lower right corner.
    pub(super) ground: [&'static str; 2],
    /// Whether the ground has no grain.
    pub(super) is_plain: bool,
    pub(super) grain: &'static str,
    pub(super) line: &'static str,
    /// The ground of an empty vertex that bears a name.
    pub(super) node: &'static str,
    /// Names and coordinates.
    pub(super) text: &'static str,
    /// Names of less weight: what lies across a side, weights.
    pub(super) faint: &'static str,
    /// Marked chains.
    pub(super) mark: &'static str,
    /// Visits.
    pub(super) heat: &'static str,
    /// Around stones.
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
                faint: "#555555",
                mark: "#c8261d",
                heat: "#1f5fbf",
                rim: "#000000",
            },
        }
    }
}

/// Light, body and shade of a stone of this colour, and what is legible on it.
pub(super) fn stone(color: Color) -> [&'static str; 4] {
    let [black, ..] = STONES;
    STONES.get(color.index()).copied().unwrap_or(black)
}

/// In the order of the colours.
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
