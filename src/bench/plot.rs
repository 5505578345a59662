//! SVG plots with a logarithmic axis.

use std::fmt::Write;

/// A line of a plot.
pub(super) struct Series {
    /// Name in the legend.
    pub(super) name: &'static str,
    /// Points from left to right. Both coordinates are positive.
    pub(super) points: Vec<(f64, f64)>,
}

/// One plot of the drawing.
pub(super) struct Panel {
    /// Title, which names the quantity of the vertical axis.
    pub(super) title: &'static str,
    pub(super) series: Vec<Series>,
}

/// Colors that most people can distinguish (Okabe and Ito 2008).
const COLORS: [&str; 5] = ["#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7"];

const WIDTH: f64 = 760.0;
/// Right edge of the plot area. The legend is to the right of it.
const RIGHT: f64 = 600.0;
const LEFT: f64 = 70.0;
const HEIGHT: f64 = 250.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 30.0;

/// An axis between two pixel coordinates.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + part * (self.to - self.from)
    }

    /// Returns round values on the axis: 1, 2, and 5 times powers of ten, or multiples of such a
    /// step on a linear axis.
    fn ticks(&self) -> Vec<f64> {
        let span = self.high - self.low;
        if !self.logarithmic {
            let steps = (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power)));
            let step = steps.into_iter().find(|step| span / step <= 6.0);
            let step = step.unwrap_or(span);
            let first = (self.low / step).ceil() as i64;
            let last = (self.high / step).floor() as i64;
            return (first..=last).map(|n| n as f64 * step).collect();
        }
        let values = (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power)));
        values
            .filter(|value| (self.low..=self.high).contains(value))
            .collect()
    }
}

/// Returns the least and the greatest value, or 1 and 2 without values.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low <= high { (low, high) } else { (1.0, 2.0) }
}

/// Draws the panels below each other, with one shared logarithmic horizontal axis titled `across`.
/// The vertical axis is logarithmic if the values differ by more than a factor of 4. Otherwise it
/// is linear from 0.
pub(super) fn drawing(across: &str, panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len() as f64 + 24.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#333\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let all = || panels.iter().flat_map(|panel| &panel.series);
    let (low, high) = span(all().flat_map(|series| series.points.iter().map(|point| point.0)));
    for (number, panel) in panels.iter().enumerate() {
        let top = HEIGHT * number as f64;
        let x = Axis {
            low: low / 1.15,
            high: high * 1.15,
            from: LEFT,
            to: RIGHT,
            logarithmic: true,
        };
        let points = panel.series.iter().flat_map(|series| &series.points);
        let (least, most) = span(points.map(|point| point.1));
        let logarithmic = most > 4.0 * least;
        let y = Axis {
            low: if logarithmic { least / 1.3 } else { 0.0 },
            high: most * if logarithmic { 1.3 } else { 1.15 },
            from: top + HEIGHT - BOTTOM,
            to: top + TOP,
            logarithmic,
        };
        draw(&mut svg, panel, &x, &y);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{across}</text>\n</svg>",
        (LEFT + RIGHT) / 2.0,
        height - 8.0
    );
    svg
}

fn draw(svg: &mut String, panel: &Panel, x: &Axis, y: &Axis) {
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.0}\" font-weight=\"bold\">{}</text>",
        y.to - 12.0,
        panel.title
    );
    for tick in y.ticks() {
        let at = y.place(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            grouped(tick)
        );
    }
    for tick in x.ticks() {
        let at = x.place(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#eee\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y.to,
            y.from,
            y.from + 16.0,
            grouped(tick)
        );
    }
    let series = panel.series.iter().zip(COLORS.iter().cycle());
    for (number, (series, color)) in series.enumerate() {
        let mut path = String::new();
        for &(across, up) in &series.points {
            let (across, up) = (x.place(across), y.place(up));
            let _ = write!(path, "{across:.1},{up:.1} ");
            let _ = writeln!(
                svg,
                "<circle cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"3\" fill=\"{color}\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            path.trim_end()
        );
        let at = y.to + 12.0 + 20.0 * number as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{:.0}\" x2=\"{:.0}\" y1=\"{at:.0}\" y2=\"{at:.0}\" stroke=\"{color}\" stroke-width=\"3\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            RIGHT + 14.0,
            RIGHT + 32.0,
            RIGHT + 38.0,
            at + 4.0,
            series.name
        );
    }
}

/// Formats a round number with commas between thousands.
fn grouped(value: f64) -> String {
    if value < 1.0 && value > 0.0 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (number, digit) in digits.chars().enumerate() {
        if number > 0 && (digits.len() - number).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        let axis = |low, high, logarithmic| Axis {
            low,
            high,
            from: 0.0,
            to: 100.0,
            logarithmic,
        };
        assert_eq!(axis(25.0, 600.0, true).ticks(), [50.0, 100.0, 200.0, 500.0]);
        assert_eq!(
            axis(0.0, 46.0, false).ticks(),
            [0.0, 10.0, 20.0, 30.0, 40.0]
        );
        assert_eq!(axis(10.0, 1000.0, true).place(100.0), 50.0);
        assert_eq!(axis(0.0, 50.0, false).place(10.0), 20.0);
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(grouped(0.5), "0.5");
    }

    #[test]
    fn a_plot_contains_its_labels() {
        let series = Series {
            name: "torus",
            points: vec![(25.0, 90_000.0), (2500.0, 900.0)],
        };
        let panel = Panel {
            title: "playouts",
            series: vec![series],
        };
        let svg = drawing("vertices", &[panel]);
        assert!(
            svg.contains(">torus<") && svg.contains(">playouts<") && svg.contains(">vertices<")
        );
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
