//! Charts of quantities over the moves of a game, one below the other, on a white background.

use super::element::Svg;
use super::font;
use super::names::strokes;
use super::open;

/// Chart with a shared horizontal axis.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title of the picture.
    pub title: String,
    /// Title of the horizontal axis.
    pub across: String,
    /// Names of marks that are not severe, and of those that are.
    pub legend: [String; 2],
    /// The quantities from the top.
    pub curves: Vec<Curve>,
    /// Marked places.
    pub marks: Vec<Mark>,
}

/// Quantity of a chart.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Title, which names the quantity and its unit.
    pub title: String,
    /// Points from left to right. The first coordinate is at least 0.
    pub points: Vec<(f64, f64)>,
    /// Value of the line that separates the two sides.
    pub middle: f64,
    /// Lowest and highest value of the axis. `None` fits the axis to the points.
    pub range: Option<(f64, f64)>,
}

/// Marked place of a chart.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Horizontal coordinate.
    pub at: f64,
    /// Name beside the mark. A name that needs a font is left out.
    pub name: String,
    /// True for a diamond, false for a square.
    pub is_severe: bool,
}

const WIDTH: f64 = 960.0;
/// Edges of the plots.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 936.0;
/// Height of a plot.
const HEIGHT: f64 = 210.0;
/// Space above a plot, for its title.
const ABOVE: f64 = 64.0;
/// Space below the last plot, for the numbers and the title of the axis.
const BELOW: f64 = 60.0;
/// Height of capitals in units of the picture.
const TEXT: f64 = 10.0;
/// Half the size of a mark.
const MARK: f64 = 5.5;
/// Maximum number of steps of an axis.
const STEPS: f64 = 10.0;

const INK: &str = "#333333";
const GRID: &str = "#dddddd";
/// Colors that most people can distinguish (Okabe and Ito 2008): curve, mark, and severe mark.
const CURVE: &str = "#0072b2";
const PLAIN: &str = "#e69f00";
const SEVERE: &str = "#d55e00";

/// Axis between two coordinates of the picture.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Returns multiples of a round step on the axis. The step is at least `least`.
    fn ticks(&self, least: f64) -> Vec<f64> {
        let span = self.high - self.low;
        let powers = (-1..12).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power)));
        let fits = |step: &f64| *step >= least && span / step <= STEPS;
        let step = powers.into_iter().find(fits).unwrap_or(span);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }
}

/// Returns the lowest and highest value of the axis of a curve.
fn range(curve: &Curve) -> (f64, f64) {
    if let Some(range) = curve.range {
        return range;
    }
    let values = curve.points.iter().map(|point| point.1);
    let values = values.filter(|value| value.is_finite());
    let (low, high) = values.fold((curve.middle, curve.middle), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let space = (0.1 * (high - low)).max(1.0);
    (low - space, high + space)
}

/// Returns the chart as SVG.
pub fn chart(chart: &Chart) -> String {
    let plots = chart.curves.len() as f64;
    let height = 30.0 + plots * (ABOVE + HEIGHT) + BELOW;
    let mut svg = open(WIDTH, height, &chart.title);
    svg.leaf(
        "rect",
        &[
            ("width", WIDTH.into()),
            ("height", height.into()),
            ("fill", "#ffffff".into()),
        ],
    );
    text(&mut svg, &chart.title, [LEFT, 22.0], 0.0, 1.2 * TEXT);
    legend(&mut svg, chart);
    let points = chart.curves.iter().flat_map(|curve| &curve.points);
    let last = points.fold(1.0f64, |last, point| last.max(point.0));
    let x = Axis {
        low: 0.0,
        high: last,
        from: LEFT,
        to: RIGHT,
    };
    for (number, curve) in chart.curves.iter().enumerate() {
        let top = 30.0 + ABOVE + number as f64 * (ABOVE + HEIGHT);
        let (low, high) = range(curve);
        let y = Axis {
            low,
            high,
            from: top + HEIGHT,
            to: top,
        };
        svg.begin("g", &[]);
        svg.title(&curve.title);
        grid(&mut svg, curve, &x, &y);
        line(&mut svg, curve, &x, &y);
        marks(&mut svg, &chart.marks, curve, &x, &y);
        svg.end();
    }
    let middle = 0.5 * (LEFT + RIGHT);
    text(&mut svg, &chart.across, [middle, height - 16.0], 0.5, TEXT);
    svg.finish()
}

/// Draws a text whose middle line is at `at`. `part` of its width stands to the left of it.
fn text(svg: &mut Svg, text: &str, at: [f64; 2], part: f64, size: f64) {
    let middle = at[0] + (0.5 - part) * font::width(text, size);
    strokes(svg, text, [middle, at[1]], size, INK, Some("#ffffff"));
}

fn legend(svg: &mut Svg, chart: &Chart) {
    let mut right = RIGHT;
    for (name, is_severe) in chart.legend.iter().zip([false, true]).rev() {
        if chart.marks.iter().all(|mark| mark.is_severe != is_severe) {
            continue;
        }
        text(svg, name, [right, 22.0], 1.0, TEXT);
        right -= font::width(name, TEXT) + 14.0;
        shape(svg, [right, 22.0], is_severe, name);
        right -= 24.0;
    }
}

fn rule(svg: &mut Svg, from: [f64; 2], to: [f64; 2], color: &str, width: f64) {
    svg.leaf(
        "line",
        &[
            ("x1", from[0].into()),
            ("y1", from[1].into()),
            ("x2", to[0].into()),
            ("y2", to[1].into()),
            ("stroke", color.into()),
            ("stroke-width", width.into()),
        ],
    );
}

/// Draws the title, the axes, and their numbers.
fn grid(svg: &mut Svg, curve: &Curve, x: &Axis, y: &Axis) {
    text(svg, &curve.title, [LEFT, y.to - 20.0], 0.0, TEXT);
    for tick in x.ticks(1.0) {
        let at = x.place(tick);
        rule(svg, [at, y.to], [at, y.from], GRID, 1.0);
        text(svg, &tick.to_string(), [at, y.from + 16.0], 0.5, TEXT);
    }
    for tick in y.ticks(0.5) {
        let at = y.place(tick);
        rule(svg, [LEFT, at], [RIGHT, at], GRID, 1.0);
        text(svg, &tick.to_string(), [LEFT - 10.0, at], 1.0, TEXT);
    }
    let middle = y.place(curve.middle);
    rule(svg, [LEFT, middle], [RIGHT, middle], INK, 1.5);
}

/// Draws the curve, and the area between it and the middle.
fn line(svg: &mut Svg, curve: &Curve, x: &Axis, y: &Axis) {
    use std::fmt::Write;
    let mut path = String::new();
    for point in &curve.points {
        // Writing to a string cannot fail.
        let _ = write!(path, " {:.1},{:.1}", x.place(point.0), y.place(point.1));
    }
    let path = path.trim_start();
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else {
        return;
    };
    let middle = y.place(curve.middle);
    let (from, to) = (x.place(first.0), x.place(last.0));
    let area = format!("{from:.1},{middle:.1} {path} {to:.1},{middle:.1}");
    svg.leaf(
        "polygon",
        &[
            ("points", (&area).into()),
            ("fill", CURVE.into()),
            ("fill-opacity", 0.15.into()),
        ],
    );
    svg.leaf(
        "polyline",
        &[
            ("points", path.into()),
            ("fill", "none".into()),
            ("stroke", CURVE.into()),
            ("stroke-width", 2.0.into()),
            ("stroke-linejoin", "round".into()),
        ],
    );
}

/// Draws the marks on the curve, each with its name where it covers no other name.
fn marks(svg: &mut Svg, marks: &[Mark], curve: &Curve, x: &Axis, y: &Axis) {
    /// Distances of a name from its mark to try, in units of the picture.
    const TRIALS: [f64; 6] = [-18.0, 18.0, -34.0, 34.0, -50.0, 50.0];
    let mut taken: Vec<[f64; 3]> = Vec::new();
    for mark in marks {
        let Some(point) = curve.points.iter().find(|point| point.0 == mark.at) else {
            continue;
        };
        let at = [x.place(point.0), y.place(point.1)];
        shape(svg, at, mark.is_severe, &mark.name);
        if !font::has_strokes(&mark.name) {
            continue;
        }
        let half = 0.5 * font::width(&mark.name, TEXT);
        let middle = at[0].min(RIGHT - half).max(LEFT + half);
        let is_free = |row: f64| {
            let inside = row > y.to + TEXT && row < y.from - TEXT;
            let meets = |other: &[f64; 3]| {
                (other[0] - middle).abs() < other[2] + half + 4.0
                    && (other[1] - row).abs() < 1.5 * TEXT
            };
            inside && !taken.iter().any(meets)
        };
        let rows = TRIALS.into_iter().map(|distance| at[1] + distance);
        if let Some(row) = rows.into_iter().find(|&row| is_free(row)) {
            text(svg, &mark.name, [middle, row], 0.5, TEXT);
            taken.push([middle, row, half]);
        }
    }
}

fn shape(svg: &mut Svg, [x, y]: [f64; 2], is_severe: bool, name: &str) {
    let (size, color) = match is_severe {
        true => (1.3 * MARK, SEVERE),
        false => (MARK, PLAIN),
    };
    let corners = match is_severe {
        true => [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)],
        false => [(-size, -size), (size, -size), (size, size), (-size, size)],
    };
    let corners = corners.map(|(across, down)| format!("{:.1},{:.1}", x + across, y + down));
    svg.begin("g", &[]);
    svg.title(name);
    svg.leaf(
        "polygon",
        &[
            ("points", (&corners.join(" ")).into()),
            ("fill", color.into()),
            ("stroke", INK.into()),
            ("stroke-width", 1.5.into()),
        ],
    );
    svg.end();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::png;

    fn of(points: Vec<(f64, f64)>, marks: Vec<Mark>) -> String {
        let curve = |title: &str, range| Curve {
            title: title.to_string(),
            points: points.clone(),
            middle: 0.0,
            range,
        };
        chart(&Chart {
            title: "title".to_string(),
            across: "move".to_string(),
            legend: ["mistake".to_string(), "blunder".to_string()],
            curves: vec![curve("one", Some((-10.0, 10.0))), curve("two", None)],
            marks,
        })
    }

    fn mark(at: f64, is_severe: bool) -> Mark {
        Mark {
            at,
            name: format!("mark {at}"),
            is_severe,
        }
    }

    #[test]
    fn charts_of_every_length_are_valid_pictures() {
        for length in [0, 1, 2, 300] {
            let points = (0..length).map(|n| (f64::from(n), f64::from(n % 7) - 3.0));
            let svg = of(points.collect(), vec![mark(1.0, true), mark(9.0, false)]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{length}");
            assert!(png(&svg).is_ok(), "{length}");
            let present = [1, 9].into_iter().filter(|&at| at < length).count();
            // Each mark on both curves, two marks of the legend, and two lines in the middle.
            assert_eq!(
                svg.matches("stroke-width=\"1.5\"/>").count(),
                2 * present + 4
            );
            assert!(svg.contains("<title>one</title>"));
        }
    }

    #[test]
    fn marks_without_a_place_are_left_out() {
        let svg = of(vec![(0.0, 0.0), (1.0, 1.0)], vec![mark(5.0, true)]);
        assert!(!svg.contains("mark 5"));
    }

    #[test]
    fn numbers_of_an_axis_are_round() {
        let axis = |low, high| Axis {
            low,
            high,
            from: 0.0,
            to: 1.0,
        };
        assert_eq!(axis(0.0, 3.0).ticks(1.0), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(
            axis(-12.0, 31.0).ticks(0.5),
            [-10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]
        );
        assert!(axis(0.0, 1e6).ticks(1.0).len() <= 11);
    }
}
