//! Names on points and beside them. Texts are strokes, which need no font. A text with letters that
//! have no strokes is written in a font of the viewer.

use super::beside;
use super::element::Svg;
use super::font;
use super::geometry::Geometry;
use super::panel::Panel;
use omnigo_base::vertex::Vertex;
use omnigo_graph::layout::Place;

/// Attributes of strokes that stand for a text in a font where no fonts exist. A PNG shows
/// them instead of the text.
pub(crate) const INSTEAD: &str = " class=\"instead\" display=\"none\"";
/// Fonts that viewers try, in order. The last one is generic, so every viewer has it.
const FONTS: &str = "Noto Sans, DejaVu Sans, Helvetica, Arial, sans-serif";
/// Height of capitals of such fonts, as a fraction of the font size.
const CAPITALS: f64 = 0.72;
/// Maximum number of characters of a name that stands on its point.
const LONGEST_INSIDE: usize = 4;
/// Maximum width of a name on its point, as a multiple of the height of its capitals.
const WIDEST_INSIDE: f64 = 4.2;
/// Height of capitals of names beside points, in pixels, in a picture that is [`COMMON`] wide.
const HEIGHT: f64 = 9.5;
/// Width of a picture on a screen or a page, in pixels.
const COMMON: f64 = 800.0;
/// Maximum height of these capitals, as a fraction of the radius of stones, if more than
/// [`HEIGHT`].
const HIGHEST: f64 = 0.8;
/// Maximum width of such a name, as a multiple of its height. A longer name is cut.
const WIDEST: f64 = 16.0;
/// Height of a name with marks and descenders, as a multiple of the height of its capitals.
const LINE: f64 = 1.5;
/// Space around names at the border of a picture, in pixels.
const BORDER: f64 = 5.0;

/// Names that stand beside their points.
pub(super) struct Beside {
    /// Name of each point and its middle.
    names: Vec<Option<(String, Place)>>,
    /// Height of capitals.
    size: f64,
}

impl Beside {
    /// Places the names if some of them are too long for their points, and grows the picture to
    /// hold them. All names then stand beside their points. Returns `None` if all are short.
    pub(super) fn of(geometry: &mut Geometry, texts: &[Option<String>]) -> Option<Beside> {
        let first = |text: &Option<String>| {
            let text = text.as_deref()?;
            Some(text.split('\n').next().unwrap_or(text).to_string())
        };
        let mut names: Vec<Option<String>> = texts.iter().map(first).collect();
        let is_long = |name: &String| {
            name.chars().count() > LONGEST_INSIDE || font::width(name, 1.0) > WIDEST_INSIDE
        };
        if !names.iter().flatten().any(is_long) {
            return None;
        }
        for name in names.iter_mut().flatten() {
            *name = cut(name, WIDEST);
        }
        let widths = names.iter().flatten().map(|name| font::width(name, HEIGHT));
        let wide = geometry.width + widths.fold(0.0, f64::max);
        let most = (HIGHEST * geometry.radius).max(HEIGHT);
        let size = (HEIGHT * wide / COMMON).clamp(HEIGHT, most);
        let sizes: Vec<Option<[f64; 2]>> = names
            .iter()
            .map(|name| {
                let name = name.as_deref()?;
                Some([font::width(name, size) + 0.4 * size, LINE * size])
            })
            .collect();
        let mut places = beside::places(geometry, &sizes);
        // The picture must hold all names.
        let [mut low, mut high] = [[0.0, 0.0], [geometry.width, geometry.height]];
        for (at, size) in places.iter().zip(&sizes) {
            let Some(size) = size else { continue };
            for (axis, (low, high)) in low.iter_mut().zip(&mut high).enumerate() {
                let (Some(x), Some(side)) = (at.get(axis), size.get(axis)) else {
                    continue;
                };
                *low = low.min(x - side / 2.0 - BORDER);
                *high = high.max(x + side / 2.0 + BORDER);
            }
        }
        geometry.grow(low, high);
        for place in &mut places {
            *place = [place[0] - low[0], place[1] - low[1]];
        }
        let names = names
            .into_iter()
            .zip(places)
            .map(|(name, place)| Some((name?, place)))
            .collect();
        Some(Beside { names, size })
    }
}

/// Returns a name that is at most `most` times as wide as its capitals are high. A longer one is
/// cut and ends in two dots.
fn cut(name: &str, most: f64) -> String {
    if font::width(name, 1.0) <= most {
        return name.to_string();
    }
    let mut cut = String::new();
    for c in name.chars() {
        cut.push(c);
        if font::width(&cut, 1.0) > most - 1.0 {
            cut.pop();
            break;
        }
    }
    cut + ".."
}

impl Panel<'_> {
    /// Draws the names beside the points.
    pub(super) fn names_beside(&self, svg: &mut Svg) {
        let Some(beside) = &self.beside else { return };
        svg.begin("g", &[("class", "names".into())]);
        for (index, name) in beside.names.iter().enumerate() {
            let Some((name, at)) = name else { continue };
            let halo = Some(self.palette.halo);
            let instead = self.instead(index);
            let text = Text {
                name,
                instead,
                halo,
            };
            self.put(svg, &text, *at, beside.size, self.palette.text);
        }
        svg.end();
    }

    /// Returns the name of a point in ASCII: the alias of the vertex, or the index of a point of a
    /// go-space.
    fn instead(&self, index: usize) -> String {
        match self.goban.space() {
            Some(_) => index.to_string(),
            None => self.goban.names.alias(Vertex::at(index)),
        }
    }

    /// Draws a text, centered at `at`.
    pub(super) fn write(&self, svg: &mut Svg, text: &str, at: Place, size: f64, color: &str) {
        let text = Text {
            name: text,
            instead: text.to_string(),
            halo: None,
        };
        self.put(svg, &text, at, size, color);
    }

    fn put(&self, svg: &mut Svg, text: &Text<'_>, at: Place, size: f64, color: &str) {
        if font::has_strokes(text.name) {
            strokes(svg, text.name, at, size, color, text.halo);
            return;
        }
        let halo = 0.35 * size;
        let mut attributes = vec![
            ("x", at[0].into()),
            ("y", (at[1] + size / 2.0).into()),
            ("font-family", FONTS.into()),
            ("font-size", (size / CAPITALS).into()),
            ("text-anchor", "middle".into()),
            ("fill", color.into()),
        ];
        if let Some(ground) = text.halo {
            attributes.extend([
                ("stroke", ground.into()),
                ("stroke-width", halo.into()),
                ("stroke-linejoin", "round".into()),
                ("paint-order", "stroke".into()),
            ]);
        }
        svg.text(&attributes, text.name);
        svg.begin(
            "g",
            &[("class", "instead".into()), ("display", "none".into())],
        );
        strokes(svg, &text.instead, at, size, color, text.halo);
        svg.end();
    }

    /// Draws the name of a point inside a circle, at most 0.85 radii high. A long text is drawn
    /// smaller, and cut if it would be too small to read.
    pub(super) fn write_within(
        &self,
        svg: &mut Svg,
        (text, index): (&str, usize),
        at: Place,
        radius: f64,
        color: &str,
    ) {
        if let Some((name, below)) = text.split_once('\n') {
            // Two lines: the name, and the weight below it.
            let [x, y] = at;
            let (up, down) = ([x, y - 0.42 * radius], [x, y + 0.38 * radius]);
            self.write_within(svg, (name, index), up, 0.62 * radius, color);
            self.write_within(svg, (below, index), down, 0.62 * radius, color);
            return;
        }
        const LEAST: f64 = 0.24;
        let room = 1.7 * radius;
        let fit = |text: &str, most: f64| {
            let width = font::width(text, 1.0).max(0.1);
            (room / width.hypot(1.0)).min(most)
        };
        let most = 0.85 * radius;
        let mut text = text.to_string();
        let mut cut: Vec<char> = text.chars().take(24).collect();
        while fit(&text, most) < LEAST * radius && cut.len() > 2 {
            cut.pop();
            text = cut.iter().collect::<String>() + "..";
        }
        let size = fit(&text, most);
        let instead = self.instead(index);
        let size = if font::has_strokes(&text) {
            size
        } else {
            size.min(fit(&instead, most))
        };
        let text = Text {
            name: &text,
            instead,
            halo: None,
        };
        self.put(svg, &text, at, size, color);
    }
}

/// Text of a picture.
struct Text<'a> {
    name: &'a str,
    /// Text where no fonts exist, if the name has letters without strokes.
    instead: String,
    /// Color of the ground around the letters, if they may cover lines.
    halo: Option<&'static str>,
}

/// Draws a text as strokes, centered at `at`.
pub(super) fn strokes(
    svg: &mut Svg,
    text: &str,
    at: Place,
    size: f64,
    color: &str,
    halo: Option<&str>,
) {
    let path = font::path(text, at[0], at[1], size);
    let width = font::stroke(size);
    let under = halo.map(|ground| (ground, width + 0.4 * size));
    for (color, width) in under.into_iter().chain([(color, width)]) {
        svg.leaf(
            "path",
            &[
                ("d", (&path).into()),
                ("fill", "none".into()),
                ("stroke", color.into()),
                ("stroke-width", width.into()),
                ("stroke-linecap", "round".into()),
                ("stroke-linejoin", "round".into()),
            ],
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("Crossing12", WIDEST), "Crossing12");
        let long = cut(&"Wide".repeat(60), WIDEST);
        assert!(long.ends_with("..") && font::width(&long, 1.0) <= WIDEST);
    }
}
