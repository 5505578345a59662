//! Rows of the table in its file.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use num_bigint::BigUint;

use super::{CliError, Listed, graphs, trouble};
use crate::cli::output;
use crate::exact::atlas::COLUMNS;
use crate::exact::count::bounds;
use crate::files;
use crate::graph::connected::MOST_VERTICES;
use crate::graph::isomorphism::automorphisms;
use crate::system::tell;
use crate::text::{printable, quote};

/// Maximum size of a table in bytes, far beyond all graphs that it can list.
const MOST_BYTES: u64 = 64 << 20;

/// Reads the rows of a table by graph. Skips an incomplete last line, and damaged rows with a
/// warning.
pub(super) fn read(path: &Path) -> Result<BTreeMap<String, String>, CliError> {
    let text = match files::text(path, MOST_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(trouble("read", path, &error)),
    };
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut lines = whole.lines();
    let header = COLUMNS.join(",");
    match lines.next() {
        None => return Ok(BTreeMap::new()),
        Some(first) if first == header => {}
        Some(first) => {
            return Err(CliError::Arguments(format!(
                "'{}' begins with '{}', expected an atlas table or a new file",
                printable(&path.display().to_string()),
                quote(first)
            )));
        }
    }
    let lines: Vec<&str> = lines.collect();
    // The first character of a graph6 text is the number of vertices plus 63.
    let sizes = lines.iter().filter_map(|line| line.bytes().next());
    let sizes = sizes.map(|first| usize::from(first.saturating_sub(63)));
    let most = sizes.filter(|&n| n <= MOST_VERTICES).max().unwrap_or(0);
    let known: BTreeMap<String, Listed> = graphs(most)
        .into_iter()
        .map(|listed| (listed.0.clone(), listed))
        .collect();
    let mut rows = BTreeMap::new();
    let mut damaged = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let text = line.split(',').next().unwrap_or_default();
        match damage(line, known.get(text)) {
            None => {
                rows.insert(text.to_owned(), (*line).to_owned());
            }
            // The header is line 1.
            Some(column) => damaged.push((number + 2, column)),
        }
    }
    if let Some((line, column)) = damaged.first() {
        tell::warn(format!(
            "'{}': {} damaged rows are dropped, the first is line {line} with a wrong {column}",
            printable(&path.display().to_string()),
            damaged.len()
        ));
    }
    Ok(rows)
}

/// Returns the first column of a row that cannot be right, or `None` if all are plausible. `listed`
/// is the graph of the row, if the atlas contains it.
fn damage(line: &str, listed: Option<&Listed>) -> Option<&'static str> {
    let fields: Vec<&str> = line.split(',').collect();
    let Ok(fields) = <[&str; COLUMNS.len()]>::try_from(fields) else {
        return Some("number of columns");
    };
    let Some((_, graph, name)) = listed else {
        return Some(COLUMNS[0]);
    };
    let vertices = graph.vertices() as i64;
    let number = |text: &str| text.parse::<i64>().ok();
    let margin = |text: &str| number(text).filter(|value| value.abs() <= vertices);
    let winner = |text: &str| match text {
        "W" => Some(-1),
        "B" => Some(1),
        _ => None,
    };
    // The komi parameter is at most n - c - 1, with one component.
    let komi = |text: &str| number(text).filter(|value| (-1..=vertices - 2).contains(value));
    let (least, most) = bounds(graph, 2);
    let positions = |text: &str| {
        let count = text.parse::<BigUint>();
        count.is_ok_and(|count| least <= count && count <= most)
    };
    // Every first placement is legal, except on an isolated vertex. The pass comes last.
    let moves = if vertices == 1 {
        1
    } else {
        vertices as usize + 1
    };
    let fits = [
        true,
        fields[1] == graph.vertices().to_string(),
        fields[2] == graph.edges().to_string(),
        automorphisms(graph).is_some_and(|number| fields[3] == number.to_string()),
        positions(fields[4]),
        is_range(fields[5], margin),
        is_range(fields[6], margin),
        is_range(fields[7], winner),
        is_range(fields[8], komi),
        fields[9].split(' ').count() == moves
            && fields[9].split(' ').all(|value| is_range(value, margin)),
        fields[10] == name,
    ];
    let wrong = fits.iter().position(|fits| !fits)?;
    COLUMNS.get(wrong).copied()
}

/// Returns true if the text is a value or a range such as `-1..4`.
fn is_range(text: &str, value: impl Fn(&str) -> Option<i64>) -> bool {
    match text.split_once("..") {
        None => value(text).is_some(),
        Some((lower, upper)) => match (value(lower), value(upper)) {
            (Some(lower), Some(upper)) => lower < upper,
            (Some(_) | None, _) => false,
        },
    }
}

/// Replaces the table atomically. A killed run leaves the old table or the new one.
pub(super) fn write(path: &Path, lines: impl Iterator<Item = String>) -> Result<(), CliError> {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    output::write(Some(path), text).map_err(CliError::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_checked_by_column() {
        let known = graphs(3);
        let checked = |line: &str| {
            let text = line.split(',').next().unwrap();
            damage(line, known.iter().find(|listed| listed.0 == text))
        };
        let row = "Bo,3,2,2,15,3,1,B,0,3 -3 -3 -3,path:3";
        assert_eq!(checked(row), None);
        assert_eq!(checked(&row.replace(",3,1,", ",0..3,-1..1,")), None);
        for (old, new, column) in [
            ("Bo,", "Bg,", "graph6"),
            (",3,2,", ",4,2,", "vertices"),
            (",2,2,", ",3,2,", "edges"),
            (",2,2,", ",2,6,", "automorphisms"),
            (",15,", ",150,", "positions"),
            (",3,1,", ",4,1,", "area_psk"),
            (",3,1,", ",3,x,", "stones_psk"),
            (",B,", ",B..W,", "conway_psk"),
            (",0,", ",2,", "famine_komi_psk"),
            ("3 -3 -3 -3", "3 -3 -3", "area_first_moves_psk"),
            ("path:3", "<b>", "name"),
            (",path:3", "", "number of columns"),
        ] {
            assert_eq!(checked(&row.replace(old, new)), Some(column), "{new}");
        }
    }

    #[test]
    fn the_published_table_has_no_damaged_rows() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/atlas/atlas.csv");
        let text = std::fs::read_to_string(path).unwrap();
        let rows = read(Path::new(path)).unwrap();
        assert_eq!(rows.len(), text.lines().count() - 1);
    }
}
