//! Properties of a node: names and values in its text.

use std::ops::Range;

use super::SgfError;
use super::outline::Warnings;
use crate::text::quote;

/// Property in the text of a node.
pub(super) struct Property<'a> {
    /// Text before the name that belongs to no property.
    other: &'a str,
    /// Name as written. Empty if the first value has none, or for text after the last value.
    written: &'a str,
    /// Name as format 4 has it.
    pub(super) name: String,
    /// Bytes of each value without its brackets, in the text of the node.
    pub(super) values: Vec<Range<usize>>,
}

/// Returns the name of a property as format 4 has it. Format 3 has longer names, of which only the
/// capitals count. Some programs write names in small letters alone.
fn short_name(name: &str) -> String {
    match name.contains(|c: char| c.is_ascii_uppercase()) {
        true => name.chars().filter(|c| !c.is_ascii_lowercase()).collect(),
        false => name.to_ascii_uppercase(),
    }
}

/// Returns the properties in the text of a node, and the text after the last one, if any.
pub(super) fn find(text: &str) -> Vec<Property<'_>> {
    let mut found: Vec<Property> = Vec::new();
    let mut from = 0;
    loop {
        let rest = text.get(from..).unwrap_or_default();
        let bracket = rest.find('[');
        let before = rest.get(..bracket.unwrap_or(rest.len()));
        let before = before.unwrap_or_default().trim();
        // A bracket without a name holds another value of the previous property.
        if !before.is_empty() || bracket.is_some() && found.is_empty() {
            let other = match bracket {
                Some(_) => without_name(before),
                None => before,
            };
            let written = before.get(other.len()..).unwrap_or_default();
            found.push(Property {
                other,
                written,
                name: short_name(written),
                values: Vec::new(),
            });
        }
        let Some(bracket) = bracket else {
            return found;
        };
        let start = from + bracket + 1;
        let end = start + closing(text.get(start..).unwrap_or_default());
        if let Some(property) = found.last_mut() {
            property.values.push(start..end);
        }
        from = end + 1;
    }
}

/// Returns the properties of a node: names and values.
///
/// # Errors
/// If a move has no value.
pub(super) fn read(
    text: &str,
    node: usize,
    warnings: &mut Warnings,
) -> Result<Vec<(String, Vec<String>)>, SgfError> {
    let mut read = Vec::new();
    for property in find(text) {
        left_out(property.other, node, warnings)?;
        let (written, name) = (property.written, property.name);
        if !written.is_empty() && !written.contains(|c: char| c.is_ascii_uppercase()) {
            let (written, name) = (quote(written), quote(&name));
            let line = format!("node {node}: '{written}' is read as {name}");
            warnings.tell("name", line);
        }
        if !name.is_empty() && !property.values.is_empty() {
            let values = property.values.into_iter();
            let values = values.map(|bytes| value(text.get(bytes).unwrap_or_default()));
            read.push((name, values.collect()));
        }
    }
    Ok(read)
}

/// Returns a text without a name of a property at its end.
pub(super) fn without_name(text: &str) -> &str {
    let text = text.trim_end();
    text.trim_end_matches(|c: char| c.is_ascii_alphanumeric())
}

/// Adds a warning about text that belongs to no property. A move without a value is an error.
fn left_out(text: &str, node: usize, warnings: &mut Warnings) -> Result<(), SgfError> {
    let text = text.trim();
    if let Some(name) = text
        .split_whitespace()
        .find(|word| matches!(*word, "B" | "W"))
    {
        let problem = format!("{name} without a value");
        return Err(SgfError::Node { node, problem });
    }
    if !text.is_empty() {
        let line = format!(
            "node {node}: '{}' does not belong to a property, ignored",
            quote(text)
        );
        warnings.tell("text", line);
    }
    Ok(())
}

/// Returns the place of the bracket that ends a value, or the length of the text.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    let ends = |(_, byte): &(usize, u8)| {
        let ends = *byte == b']' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    };
    let mut bytes = text.bytes().enumerate();
    bytes.find(ends).map_or(text.len(), |(at, _)| at)
}

/// Returns the value between two brackets without its escapes. Line breaks of all systems become
/// line feeds.
pub(super) fn value(text: &str) -> String {
    let mut value = String::new();
    let mut escaped = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if !escaped => escaped = true,
            '\n' | '\r' => {
                let other = if sign == '\n' { '\r' } else { '\n' };
                signs.next_if_eq(&other);
                // An escaped line break stands for none.
                if !escaped {
                    value.push('\n');
                }
                escaped = false;
            }
            sign => {
                escaped = false;
                value.push(sign);
            }
        }
    }
    value
}
