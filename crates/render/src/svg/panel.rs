//! One position on its board, as a part of a picture.

use std::collections::HashMap;

use super::element::Svg;
use super::geometry::Geometry;
use super::names::Beside;
use super::points::{is_ruled, points_of};
use super::sketch::sketch;
use super::texts::{names, texts};
use super::theme::{Palette, stone};
use super::{Labels, MOST_EDGES, Position, Shading, Style, TooLarge, font};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::goban::Goban;
use omnigo_graph::layout::Place;

/// Board prepared for drawing, once or several times.
pub(super) struct Panel<'a> {
    pub(super) goban: &'a Goban,
    pub(super) geometry: Geometry,
    pub(super) palette: Palette,
    pub(super) labels: Labels,
    /// True if coordinates around the board name its vertices.
    pub(super) ruled: bool,
    /// Text on each point, or `None`.
    texts: Vec<Option<String>>,
    /// Names beside the points, if some are too long to stand on them.
    pub(super) beside: Option<Beside>,
    /// Full name of each point.
    names: Vec<String>,
}

impl<'a> Panel<'a> {
    pub(super) fn new(goban: &'a Goban, style: Style) -> Result<Panel<'a>, TooLarge> {
        let edges = goban.graph.edges();
        if edges > MOST_EDGES {
            return Err(TooLarge::edges(edges, goban));
        }
        let ruled = is_ruled(goban);
        let around = ruled && style.labels != Labels::None;
        let mut geometry = Geometry::new(sketch(goban), around);
        let edges = geometry.edges.len() + geometry.wraps.len();
        if edges > MOST_EDGES {
            return Err(TooLarge::edges(edges, goban));
        }
        let mut texts = if ruled {
            vec![None; geometry.places.len()]
        } else {
            texts(goban, style.labels)
        };
        let beside = Beside::of(&mut geometry, &texts);
        if beside.is_some() {
            // Only the weights of a Mango set stay on the points.
            for text in &mut texts {
                let below = text.as_ref().and_then(|text| text.split_once('\n'));
                *text = below.map(|(_, weight)| weight.to_string());
            }
        }
        Ok(Panel {
            goban,
            geometry,
            palette: style.theme.palette(),
            labels: style.labels,
            ruled,
            texts,
            beside,
            names: names(goban),
        })
    }

    pub(super) fn size(&self) -> (f64, f64) {
        (self.geometry.width, self.geometry.height)
    }

    /// Returns the space between the panels of a strip.
    pub(super) fn gap(&self) -> f64 {
        self.geometry.radius
    }

    /// Splits a caption into lines no wider than the panel, unless a single word is wider.
    pub(super) fn caption_lines(&self, caption: &str) -> Vec<String> {
        let (size, most) = (self.caption_size(), self.geometry.width);
        let mut lines: Vec<String> = Vec::new();
        for word in caption.split_whitespace() {
            match lines.last_mut() {
                Some(line) if font::width(&format!("{line} {word}"), size) <= most => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_string()),
            }
        }
        lines
    }

    /// Returns the height of `lines` lines below a panel.
    pub(super) fn caption_height(&self, lines: usize) -> f64 {
        self.caption_size() * (0.5 + 1.7 * lines as f64)
    }

    fn caption_size(&self) -> f64 {
        (self.geometry.radius * 0.8).max(8.0)
    }

    /// Defines the gradients that all panels use.
    pub(super) fn define(&self, svg: &mut Svg) {
        svg.begin("defs", &[]);
        let [from, to] = self.palette.ground;
        svg.begin(
            "linearGradient",
            &[
                ("id", "wood".into()),
                ("x1", 0.0.into()),
                ("y1", 0.0.into()),
                ("x2", 1.0.into()),
                ("y2", 1.0.into()),
            ],
        );
        for (offset, color) in [(0.0, from), (1.0, to)] {
            svg.leaf(
                "stop",
                &[("offset", offset.into()), ("stop-color", color.into())],
            );
        }
        svg.end();
        for color in Color::all(Color::MAX) {
            let [light, body, shade, _] = stone(color);
            svg.begin(
                "radialGradient",
                &[
                    ("id", (&color.to_string()).into()),
                    ("cx", 0.36.into()),
                    ("cy", 0.32.into()),
                    ("r", 0.72.into()),
                ],
            );
            for (offset, color) in [(0.0, light), (0.55, body), (1.0, shade)] {
                svg.leaf(
                    "stop",
                    &[("offset", offset.into()), ("stop-color", color.into())],
                );
            }
            svg.end();
        }
        svg.end();
    }

    /// Draws the position with its upper left corner at `at`.
    pub(super) fn draw(&self, svg: &mut Svg, position: &Position, at: Place, caption: &[String]) {
        let shift = format!(
            "translate({} {})",
            super::element::number(at[0]),
            super::element::number(at[1])
        );
        svg.begin(
            "g",
            &[("class", "board".into()), ("transform", (&shift).into())],
        );
        self.draw_wood(svg);
        self.edges(svg);
        self.shading(svg, &position.shading);
        self.coordinates(svg);
        self.chains(svg, position);
        self.across(svg, position);
        self.points(svg, position);
        self.names_beside(svg);
        let (size, x) = (self.caption_size(), self.geometry.width / 2.0);
        for (number, line) in caption.iter().enumerate() {
            let y = self.geometry.height
                + (self.caption_height(number) + self.caption_height(number + 1)) / 2.0;
            // Gray is legible on white and on black pages.
            self.write(svg, line, [x, y], size, "#808080");
        }
        svg.end();
    }

    /// Draws every point: an empty vertex with its name, or a stone with its marks.
    fn points(&self, svg: &mut Svg, position: &Position) {
        let numbers: HashMap<Vertex, usize> = position.numbers.iter().copied().collect();
        svg.begin("g", &[("class", "points".into())]);
        for index in 0..self.geometry.places.len() {
            let vertex = Vertex::at(index);
            let at = self.geometry.at(index);
            let color = position.points.get(index).copied().flatten();
            let class = color.map_or("empty".to_string(), |color| color.to_string());
            svg.begin("g", &[("class", (&class).into())]);
            svg.title(self.names.get(index).map_or("", String::as_str));
            match color {
                Some(color) => {
                    let number = numbers.get(&vertex).copied();
                    let last = position.last.contains(&vertex);
                    self.stone(svg, vertex, at, color, number, last);
                }
                None => self.empty(svg, position, index, at),
            }
            svg.end();
        }
        svg.end();
    }

    /// Returns the text on a point, or `None`.
    fn label(&self, index: usize) -> Option<&str> {
        self.texts.get(index)?.as_deref()
    }

    /// Draws the other end of each edge across a side: its stone, small and faint, or the name of
    /// the empty vertex.
    fn across(&self, svg: &mut Svg, position: &Position) {
        if self.geometry.wraps.is_empty() {
            return;
        }
        let radius = self.geometry.radius;
        svg.begin("g", &[("class", "across".into())]);
        for &(ends, beside) in &self.geometry.wraps {
            let [a, b] = ends;
            for ((from, to), [x, y]) in [(a, b), (b, a)].into_iter().zip(beside) {
                let here = self.geometry.at(from);
                let at = [
                    here[0] + 0.72 * (x - here[0]),
                    here[1] + 0.72 * (y - here[1]),
                ];
                if let Some(color) = position.points.get(to).copied().flatten() {
                    let fill = format!("url(#{color})");
                    svg.leaf(
                        "circle",
                        &[
                            ("cx", at[0].into()),
                            ("cy", at[1].into()),
                            ("r", (radius * 0.42).into()),
                            ("fill", (&fill).into()),
                            ("fill-opacity", 0.75.into()),
                        ],
                    );
                } else if self.labels != Labels::None {
                    let name = match self.labels {
                        Labels::Alias | Labels::None => self.goban.names.alias(Vertex::at(to)),
                        Labels::Label => self.goban.names.label(Vertex::at(to)).into_owned(),
                        Labels::Index => to.to_string(),
                    };
                    let name = (name.as_str(), to);
                    self.write_within(svg, name, at, radius * 0.45, self.palette.faint);
                }
            }
        }
        svg.end();
    }

    fn empty(&self, svg: &mut Svg, position: &Position, index: usize, at: Place) {
        let radius = self.geometry.radius;
        let circle = |svg: &mut Svg, radius: f64, fill: &str, stroke: Option<&str>| {
            let mut attributes = vec![
                ("cx", at[0].into()),
                ("cy", at[1].into()),
                ("r", radius.into()),
                ("fill", fill.into()),
            ];
            if let Some(stroke) = stroke {
                attributes.push(("stroke", stroke.into()));
                attributes.push(("stroke-width", (radius * 0.07).max(0.4).into()));
            }
            svg.leaf("circle", &attributes);
        };
        match self.label(index) {
            Some(label) => {
                let node = radius * 0.68;
                circle(svg, node, self.palette.node, Some(self.palette.line));
                self.write_within(svg, (label, index), at, node, self.palette.text);
            }
            None if self.beside.is_some() => {
                let node = radius * 0.5;
                circle(svg, node, self.palette.node, Some(self.palette.line));
            }
            None if position.stars.contains(&Vertex::at(index)) => {
                circle(svg, radius * 0.19, self.palette.line, None)
            }
            None if self.ruled => {}
            None => circle(svg, radius * 0.16, self.palette.line, None),
        }
        if position.last.contains(&Vertex::at(index)) {
            circle(svg, radius * 0.4, "none", Some(self.palette.mark));
        }
    }

    fn stone(
        &self,
        svg: &mut Svg,
        vertex: Vertex,
        at: Place,
        color: Color,
        number: Option<usize>,
        last: bool,
    ) {
        let radius = self.geometry.radius;
        let [.., ink] = stone(color);
        svg.leaf(
            "circle",
            &[
                ("cx", (at[0] + 0.06 * radius).into()),
                ("cy", (at[1] + 0.1 * radius).into()),
                ("r", (radius * 0.99).into()),
                ("fill", "#000".into()),
                ("fill-opacity", 0.28.into()),
            ],
        );
        let fill = format!("url(#{color})");
        svg.leaf(
            "circle",
            &[
                ("cx", at[0].into()),
                ("cy", at[1].into()),
                ("r", (radius * 0.97).into()),
                ("fill", (&fill).into()),
                ("stroke", self.palette.rim.into()),
                ("stroke-width", (radius * 0.04).into()),
            ],
        );
        match number {
            Some(number) => {
                let number = number.to_string();
                let text = (number.as_str(), vertex.index());
                self.write_within(svg, text, at, radius * 0.78, ink);
            }
            None => {
                if let Some(label) = self.label(vertex.index()) {
                    let text = (label, vertex.index());
                    self.write_within(svg, text, at, radius * 0.66, ink);
                }
            }
        }
        if last {
            // Draw the ring around the text on the stone.
            let written = number.is_some() || self.label(vertex.index()).is_some();
            let ring = if written { 0.82 } else { 0.5 };
            svg.leaf(
                "circle",
                &[
                    ("class", "last".into()),
                    ("cx", at[0].into()),
                    ("cy", at[1].into()),
                    ("r", (radius * ring).into()),
                    ("fill", "none".into()),
                    ("stroke", ink.into()),
                    ("stroke-width", (radius * 0.11).into()),
                ],
            );
        }
    }

    fn shading(&self, svg: &mut Svg, shading: &Shading) {
        let radius = self.geometry.radius;
        let points = points_of(self.goban);
        let spot = |svg: &mut Svg, vertex: usize, color: &str, share: f64| {
            let point = match &points {
                Some(points) => points.get(&vertex).copied(),
                None => Some(vertex),
            };
            let Some(point) = point else { return };
            let [x, y] = self.geometry.at(point);
            svg.leaf(
                "circle",
                &[
                    ("cx", x.into()),
                    ("cy", y.into()),
                    ("r", (radius * 1.02).into()),
                    ("fill", color.into()),
                    ("fill-opacity", share.clamp(0.0, 1.0).into()),
                ],
            );
        };
        match shading {
            Shading::None => {}
            Shading::Ownership(owners) => {
                svg.begin("g", &[("class", "ownership".into())]);
                for (index, owner) in owners.iter().enumerate() {
                    if let Some((color, share)) = owner {
                        let [_, body, ..] = stone(*color);
                        spot(svg, index, body, 0.7 * share);
                    }
                }
                svg.end();
            }
            Shading::Visits(shares) => {
                svg.begin("g", &[("class", "visits".into())]);
                for (index, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                    spot(svg, index, self.palette.heat, 0.12 + 0.68 * share);
                }
                svg.end();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_graph::spec::Spec;

    #[test]
    fn captions_are_no_wider_than_the_picture() {
        let goban = "grid:9".parse::<Spec>().unwrap().build().unwrap();
        let panel = Panel::new(&goban, Style::default()).unwrap();
        let caption =
            "moves 51-100, 52 at E2, 59 at D3, 63 at C6, 77 at A1, 90 at 12, 95 pass, and 3 more";
        let lines = panel.caption_lines(caption);
        assert!((2..=4).contains(&lines.len()), "{lines:?}");
        assert_eq!(lines.join(" "), caption);
        let widest = lines
            .iter()
            .map(|line| font::width(line, panel.caption_size()));
        assert!(widest.fold(0.0, f64::max) <= panel.size().0);
        assert!(panel.caption_lines("").is_empty());
    }
}
