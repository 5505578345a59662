//! Decoding of texts that declare an encoding other than UTF-8.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::{Reading, recognize};

/// Number of bytes at the start of a text that are searched for a declared encoding.
const HEAD: usize = 1024;

/// Returns the text in UTF-8, or `None` if it is already UTF-8 or its encoding is unknown.
pub(super) fn decode(bytes: &[u8], path: &str, reading: &Reading) -> Option<String> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding != UTF_8).then(|| encoding.decode(bytes).0.into_owned());
    }
    if bytes.is_ascii() {
        return None;
    }
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let head = WINDOWS_1252.decode_without_bom_handling(head).0;
    let named = declared(&head).and_then(|name| Encoding::for_label(name.as_bytes()));
    let named = named.filter(|encoding| encoding.is_ascii_compatible());
    if let Some(encoding) = named {
        return (encoding != UTF_8)
            .then(|| encoding.decode_without_bom_handling(bytes).0.into_owned());
    }
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    // GML is Latin-1 by its definition, but usually UTF-8. Meshes have other letters only in
    // comments.
    const LATIN: [&str; 5] = ["gml", "off", "obj", "ply", "stl"];
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
    let format = reading.from.or_else(|| recognize::format(&text, path).ok());
    format
        .is_some_and(|format| LATIN.contains(&format.name))
        .then(|| text.into_owned())
}

/// Returns the encoding that XML or DOT declares, or `None`.
fn declared(head: &str) -> Option<&str> {
    let start = head.trim_start();
    let value = if start.starts_with("<?xml") {
        let declaration = start.split("?>").next()?;
        declaration.split_once("encoding")?.1
    } else {
        let (before, value) = head.split_once("charset")?;
        // An attribute of DOT comes after a brace. In other places, such as a label, `charset` is
        // ordinary text.
        if !before.contains('{') {
            return None;
        }
        value
    };
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    value.split(end).next().filter(|name| !name.is_empty())
}
