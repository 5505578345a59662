//! The plots of the atlas: one HTML page with inline SVG and no external files.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::exact::atlas::COLUMNS;

const WIDTH: i64 = 640;
const HEIGHT: i64 = 300;
const LEFT: i64 = 60;
const BOTTOM: i64 = 40;

/// Points of a plot: the number of rows at each pair of coordinates.
type Cloud = BTreeMap<(i64, i64), u32>;

/// Returns the HTML page for these rows of the table.
pub(super) fn page(lines: &[String], command: &str) -> String {
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split(',').collect()).collect();
    let vertices: Vec<i64> = {
        let mut sizes: Vec<i64> = rows
            .iter()
            .filter_map(|row| number(row, "vertices"))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    let mut body = String::new();
    let mut section = |title: &str, note: &str, drawing: String| {
        let _ = write!(body, "<h2>{title}</h2>\n<p>{note}</p>\n{drawing}\n");
    };
    for (column, title) in [
        ("area_psk", "Area value by edges"),
        ("stones_psk", "Stone value by edges"),
        ("famine_komi_psk", "Famine komi by edges"),
    ] {
        for &n in &vertices {
            let cloud = cloud(&rows, n, column);
            if cloud.len() > 1 {
                let title = format!("{title}, {n} vertices");
                section(
                    &title,
                    &legend(&rows, n, column),
                    scatter(&cloud, "edges", column),
                );
            }
        }
    }
    section(
        "Who wins Conway's rule",
        "Number of graphs by winner, with Black moving first.",
        winners(&rows, &vertices),
    );
    section(
        "Legal positions",
        "Minimum and maximum over all graphs of each size.",
        position_table(&rows, &vertices),
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Atlas of small graphs</title>\n\
         <style>body{{font:16px/1.5 sans-serif;max-width:720px;margin:2em auto;padding:0 1em;color:#222}}\
         svg{{width:100%;height:auto;background:#fafafa;border:1px solid #ddd}}text{{font:12px sans-serif;fill:#444}}\
         circle{{fill:#2a6f97;fill-opacity:.75}}line{{stroke:#ccc}}td,th{{padding:.2em .8em;text-align:right}}\
         code{{background:#f0f0f0;padding:.1em .3em}}</style></head>\n<body><h1>Atlas of small graphs</h1>\n\
         <p>{count} connected graphs, computed by <code>{command}</code>. Values are Black's, moving first on the empty board, under \
         positional superko. Graphs without a settled value are missing from the plots. The line below each heading counts them.</p>\n\
         {body}</body></html>\n",
        count = rows.len()
    )
}

fn field<'a>(row: &[&'a str], column: &str) -> Option<&'a str> {
    let at = COLUMNS.iter().position(|name| *name == column)?;
    row.get(at).copied()
}

fn number(row: &[&str], column: &str) -> Option<i64> {
    field(row, column)?.parse().ok()
}

fn of_size<'a, 'b>(rows: &'a [Vec<&'b str>], n: i64) -> impl Iterator<Item = &'a Vec<&'b str>> {
    rows.iter()
        .filter(move |row| number(row, "vertices") == Some(n))
}

fn cloud(rows: &[Vec<&str>], n: i64, column: &str) -> Cloud {
    let mut cloud = Cloud::new();
    for row in of_size(rows, n) {
        if let (Some(edges), Some(value)) = (number(row, "edges"), number(row, column)) {
            *cloud.entry((edges, value)).or_default() += 1;
        }
    }
    cloud
}

fn legend(rows: &[Vec<&str>], n: i64, column: &str) -> String {
    let all = of_size(rows, n).count();
    let known = of_size(rows, n)
        .filter(|row| number(row, column).is_some())
        .count();
    format!(
        "{known} graphs. The area and the number of a circle show how many graphs it stands for. {} not settled.",
        all - known
    )
}

/// Converts `value` to a coordinate on an axis that maps `low` to `from` and `high` to `to`.
fn place(value: i64, low: i64, high: i64, from: i64, to: i64) -> i64 {
    from + (value - low) * (to - from) / (high - low).max(1)
}

fn scatter(cloud: &Cloud, across: &str, up: &str) -> String {
    let xs = || cloud.keys().map(|&(x, _)| x);
    let ys = || cloud.keys().map(|&(_, y)| y);
    let (left, right) = (xs().min().unwrap_or(0) - 1, xs().max().unwrap_or(0) + 1);
    let (low, high) = (ys().min().unwrap_or(0) - 1, ys().max().unwrap_or(0) + 1);
    let x = |value| place(value, left, right, LEFT, WIDTH - 20);
    let y = |value| place(value, low, high, HEIGHT - BOTTOM, 15);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{up} by {across}\">\n"
    );
    for value in low + 1..high {
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{value}</text>",
            WIDTH - 20,
            LEFT - 8,
            y(value) + 4,
            at = y(value),
        );
    }
    for value in left + 1..right {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
            x(value),
            HEIGHT - BOTTOM + 18
        );
    }
    for (&(across, up), &count) in cloud {
        let radius = f64::from(count).sqrt() * 4.0 + 3.0;
        let _ = writeln!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius:.1}\"/>",
            x(across),
            y(up)
        );
        if count > 1 {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" style=\"fill:#fff\">{count}</text>",
                x(across),
                y(up) + 4
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{across}</text></svg>",
        WIDTH / 2,
        HEIGHT - 6
    );
    svg
}

fn winners(rows: &[Vec<&str>], vertices: &[i64]) -> String {
    let mut table = String::from(
        "<table><tr><th>vertices</th><th>Black</th><th>White</th><th>open</th></tr>\n",
    );
    for &n in vertices {
        let won = |by: &str| {
            let rows = of_size(rows, n);
            rows.filter(|row| field(row, "conway_psk") == Some(by))
                .count()
        };
        let (black, white) = (won("B"), won("W"));
        let open = of_size(rows, n).count() - black - white;
        let _ = writeln!(
            table,
            "<tr><td>{n}</td><td>{black}</td><td>{white}</td><td>{open}</td></tr>"
        );
    }
    table + "</table>"
}

fn position_table(rows: &[Vec<&str>], vertices: &[i64]) -> String {
    let mut table = String::from("<table><tr><th>vertices</th><th>fewest</th><th>most</th></tr>\n");
    for &n in vertices {
        let counts = || of_size(rows, n).filter_map(|row| number(row, "positions"));
        if let (Some(fewest), Some(most)) = (counts().min(), counts().max()) {
            let _ = writeln!(
                table,
                "<tr><td>{n}</td><td>{fewest}</td><td>{most}</td></tr>"
            );
        }
    }
    table + "</table>"
}
