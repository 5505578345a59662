//! Correction of irregular properties, before the library reads their values.

use sgf_parse::SgfProp;
use sgf_parse::go::Prop;

use super::outline::Warnings;
use super::{SgfError, encoding, properties};
use crate::text::quote;

/// Properties that describe the file or the game. Of several in one node, the first counts.
const SINGLE: [&str; 8] = ["GM", "FF", "CA", "SZ", "KM", "HA", "RU", "RE"];

/// Returns the properties of a node, after correcting irregular ones.
pub(super) fn properties(
    text: &str,
    node: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Prop>, SgfError> {
    let mut properties = Vec::new();
    let mut present: Vec<&str> = Vec::new();
    let mut duplicates: Vec<&str> = Vec::new();
    for (name, mut values) in properties::read(text, node, warnings)? {
        if let Some(single) = SINGLE.iter().copied().find(|single| *single == name) {
            if present.contains(&single) {
                if !duplicates.contains(&single) {
                    duplicates.push(single);
                }
                continue;
            }
            present.push(single);
        }
        let first = values.first().map_or("", |value| value.trim()).to_string();
        match name.as_str() {
            "GM" if matches!(first.as_str(), "" | "1") => {}
            "GM" => {
                return Err(SgfError::Value {
                    node,
                    property: name,
                    value: quote(&first),
                    expected: "GM[1] (Go)".to_string(),
                });
            }
            "CA" if !first.is_empty() && !encoding::is_known(&first) => {
                let value = quote(&first);
                let line = format!("node {node}: CA[{value}] is not a known encoding, ignored");
                warnings.tell("CA", line);
            }
            "B" | "W" | "HA" | "PL" => values = trimmed(&values),
            "AB" | "AW" | "AE" => {
                values = trimmed(&values);
                values.retain(|value| !value.is_empty());
                if values.is_empty() {
                    let line = format!("node {node}: {name}[] has no vertices, ignored");
                    warnings.tell("points", line);
                    continue;
                }
            }
            "SZ" if first.is_empty() => {
                warnings.tell("SZ", "SZ[] is read as 19x19".to_string());
                continue;
            }
            "SZ" => values = vec![size(&first)],
            // Komi is parsed in this module, because the library knows fewer notations.
            "KM" => {
                properties.push(Prop::Unknown(name, values));
                continue;
            }
            _ => {}
        }
        properties.push(Prop::new(name, values));
    }
    if !duplicates.is_empty() {
        let line = format!(
            "node {node}: duplicate {}, the first one counts",
            duplicates.join(", ")
        );
        warnings.tell("duplicate", line);
    }
    Ok(properties)
}

fn trimmed(values: &[String]) -> Vec<String> {
    let values = values.iter();
    values.map(|value| value.trim().to_string()).collect()
}

/// Returns a size in the notation of the format; some programs write `9x9`.
fn size(text: &str) -> String {
    let sides = text.split_once(['x', 'X', '*', '×', ':']);
    let side = |text: &str| text.trim().parse::<u8>().ok();
    match sides.map(|(width, height)| (side(width), side(height))) {
        Some((Some(width), Some(height))) if width == height => width.to_string(),
        Some((Some(width), Some(height))) => format!("{width}:{height}"),
        _ => text.to_string(),
    }
}
