//! The board under the stones: background, lines, coordinates, and marked chains.

use super::element::{Svg, number};
use super::panel::Panel;
use super::{Labels, Position};
use omnigo_base::vertex::Vertex;
use omnigo_graph::layout::Place;
use omnigo_graph::names::column_letters;

/// Maximum number of lines in the grain of the wood.
const MAX_GRAIN_LINES: usize = 48;

impl Panel<'_> {
    /// Draws a wooden board.
    pub(super) fn draw_wood(&self, svg: &mut Svg) {
        let (width, height) = self.size();
        let radius = self.geometry.radius;
        svg.leaf(
            "rect",
            &[
                ("width", width.into()),
                ("height", height.into()),
                ("rx", (radius * 0.35).into()),
                ("fill", "url(#wood)".into()),
            ],
        );
        if self.palette.is_plain {
            return;
        }
        let lines = ((height / (radius * 0.9)) as usize).clamp(4, MAX_GRAIN_LINES);
        let mut grain = String::new();
        for line in 0..lines {
            // Irregular lines that are the same every time. Multiples of primes modulo 1000
            // scatter.
            let jitter = |k: usize| ((line * 7919 + k * 104_729) % 1000) as f64 / 1000.0 - 0.5;
            let step = height / lines as f64;
            let y = (line as f64 + 0.5 + 0.7 * jitter(0)) * step;
            let bend = |k: usize| (y + 0.8 * step * jitter(k)).clamp(0.0, height);
            grain.push_str(&format!(
                "M0 {}C{} {} {} {} {} {}",
                number(bend(1)),
                number(width * 0.33),
                number(bend(2)),
                number(width * 0.66),
                number(bend(3)),
                number(width),
                number(bend(4))
            ));
        }
        svg.leaf(
            "path",
            &[
                ("d", (&grain).into()),
                ("fill", "none".into()),
                ("stroke", self.palette.grain.into()),
                ("stroke-opacity", 0.22.into()),
                ("stroke-width", (radius * 0.09).into()),
            ],
        );
    }

    /// Draws lines between adjacent vertices. A line that wraps ends halfway to the label of its
    /// other vertex.
    pub(super) fn edges(&self, svg: &mut Svg) {
        let geometry = &self.geometry;
        // Use thinner lines if there are many edges per vertex.
        let edges_per_vertex = geometry.edges.len() as f64 / geometry.places.len().max(1) as f64;
        let share = (3.0 / edges_per_vertex.max(1e-9)).powf(0.75).min(1.0);
        let thickness = (geometry.radius * 0.085).max(0.5) * share;
        svg.begin(
            "g",
            &[
                ("class", "edges".into()),
                ("stroke", self.palette.line.into()),
                ("stroke-width", thickness.into()),
                ("stroke-linecap", "round".into()),
            ],
        );
        // Draw distant edges first and more faintly.
        let mut order: Vec<(f64, (usize, usize))> = geometry
            .edges
            .iter()
            .map(|&(a, b)| {
                let depth = |v: usize| {
                    let depths = geometry.depth.as_ref();
                    depths.and_then(|d| d.get(v)).copied().unwrap_or(0.0)
                };
                ((depth(a) + depth(b)) / 2.0, (a, b))
            })
            .collect();
        order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        for (depth, (a, b)) in order {
            let faint = (depth > 0.0).then_some(("stroke-opacity", 1.0 - 0.65 * depth));
            self.edge(svg, (a, b), faint.as_slice());
        }
        for &(ends, beside) in &geometry.wraps {
            for (end, [x, y]) in ends.into_iter().zip(beside) {
                let from = geometry.at(end);
                line(svg, from, [(from[0] + x) / 2.0, (from[1] + y) / 2.0], &[]);
            }
        }
        svg.end();
        if let Some((width, height)) = self.goban.rectangle
            && width > 1
            && height > 1
        {
            let [left, bottom] = geometry.at(0);
            let [right, top] = geometry.at(width * height - 1);
            svg.leaf(
                "rect",
                &[
                    ("x", left.into()),
                    ("y", top.into()),
                    ("width", (right - left).into()),
                    ("height", (bottom - top).into()),
                    ("fill", "none".into()),
                    ("stroke", self.palette.line.into()),
                    ("stroke-width", (thickness * 1.7).into()),
                ],
            );
        }
    }

    /// Draws one edge, as a straight line unless it needs a curve.
    fn edge(&self, svg: &mut Svg, (a, b): (usize, usize), more: &[(&str, f64)]) {
        let (from, to) = (self.geometry.at(a), self.geometry.at(b));
        match self.geometry.bends.get(&(a, b)) {
            None => line(svg, from, to, more),
            Some(control) => {
                let [[x1, y1], [x, y], [x2, y2]] =
                    [from, *control, to].map(|place| place.map(number));
                let path = format!("M{x1} {y1}Q{x} {y} {x2} {y2}");
                let mut attributes = vec![("d", (&path).into()), ("fill", "none".into())];
                attributes.extend(more.iter().map(|&(key, value)| (key, value.into())));
                svg.leaf("path", &attributes);
            }
        }
    }

    /// Draws letters below and above the board, and numbers at both sides, if the board is ruled.
    pub(super) fn coordinates(&self, svg: &mut Svg) {
        if !self.ruled || self.labels == Labels::None {
            return;
        }
        let geometry = &self.geometry;
        let (width, height) = (self.goban.names.width(), self.goban.names.height());
        let at = |column: usize, row: usize| {
            let vertex = self.goban.names.vertex_at(column, row);
            vertex.map_or([0.0, 0.0], |vertex| geometry.at(vertex.index()))
        };
        let size = geometry.radius * 0.6;
        let out = geometry.margin - geometry.radius * 0.75;
        svg.begin("g", &[("class", "coordinates".into())]);
        for column in 0..width {
            let [x, y] = at(column, 0);
            let [_, top] = at(column, height - 1);
            let letters = column_letters(column);
            let size = if letters.len() > 1 { size * 0.8 } else { size };
            self.write(svg, &letters, [x, y + out], size, self.palette.text);
            self.write(svg, &letters, [x, top - out], size, self.palette.text);
        }
        for row in 0..height {
            let [x, y] = at(0, row);
            let [right, _] = at(width - 1, row);
            let digits = (row + 1).to_string();
            self.write(svg, &digits, [x - out, y], size, self.palette.text);
            self.write(svg, &digits, [right + out, y], size, self.palette.text);
        }
        svg.end();
    }

    /// Draws marked chains: a band that joins their stones, and a ring around each stone.
    pub(super) fn chains(&self, svg: &mut Svg, position: &Position) {
        let Some(marked) = self.marked(position) else {
            return;
        };
        let radius = self.geometry.radius;
        svg.begin(
            "g",
            &[
                ("class", "chains".into()),
                ("stroke", self.palette.mark.into()),
                ("fill", "none".into()),
            ],
        );
        let is_marked = |v: usize| marked.get(v).copied().unwrap_or(false);
        let color = |v: usize| position.points.get(v).copied().flatten();
        for &(a, b) in &self.geometry.edges {
            if is_marked(a) && is_marked(b) && color(a) == color(b) {
                let band = [("stroke-width", radius * 0.9), ("stroke-opacity", 0.75)];
                self.edge(svg, (a, b), &band);
            }
        }
        for index in (0..self.geometry.places.len()).filter(|&v| is_marked(v)) {
            let [x, y] = self.geometry.at(index);
            svg.leaf(
                "circle",
                &[
                    ("cx", x.into()),
                    ("cy", y.into()),
                    ("r", (radius * 1.06).into()),
                    ("stroke-width", (radius * 0.2).into()),
                ],
            );
        }
        svg.end();
    }

    /// Returns true for each vertex with a stone of a marked chain, or `None` if no chain is
    /// marked.
    fn marked(&self, position: &Position) -> Option<Vec<bool>> {
        if position.chains.is_empty() {
            return None;
        }
        let mut marked = vec![false; self.geometry.places.len()];
        let color = |v: Vertex| position.points.get(v.index()).copied().flatten();
        let starts = position.chains.iter();
        for start in starts.flat_map(|&vertex| self.goban.covered(vertex)) {
            let Some(own) = color(start) else { continue };
            let mut stack = vec![start];
            while let Some(v) = stack.pop() {
                match marked.get_mut(v.index()) {
                    Some(seen) if !*seen => *seen = true,
                    _ => continue,
                }
                match self.goban.space() {
                    None => {
                        let neighbors = self.goban.graph.neighbors(v).iter().copied();
                        stack.extend(neighbors.filter(|&u| color(u) == Some(own)));
                    }
                    Some(space) => {
                        let comparable = space.comparable(v).iter().copied();
                        stack.extend(comparable.filter(|&u| color(u) == Some(own)));
                    }
                }
            }
        }
        Some(marked)
    }
}

/// Draws a straight line.
fn line(svg: &mut Svg, [x1, y1]: Place, [x2, y2]: Place, more: &[(&str, f64)]) {
    let mut attributes = vec![
        ("x1", x1.into()),
        ("y1", y1.into()),
        ("x2", x2.into()),
        ("y2", y2.into()),
    ];
    attributes.extend(more.iter().map(|&(key, value)| (key, value.into())));
    svg.leaf("line", &attributes);
}
