//! Decoding of the bytes of a file.
//!
//! In some encodings, the second byte of a letter is that of `\` or `]`. A file must therefore be
//! decoded before even its moves can be found.

use std::ops::Range;

use encoding_rs::{BIG5, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// Encodings to try if a file names none, the most likely first.
const UNSAID: [&Encoding; 4] = [WINDOWS_1252, GB18030, SHIFT_JIS, BIG5];

/// Start of the property that names an encoding.
const PROPERTY: &[u8] = b"CA[";

/// Maximum length of the name of an encoding, in bytes. Bounds the time for a file without `]`.
const LONGEST_NAME: usize = 64;

/// Returns the texts that the bytes may stand for. Valid UTF-8 gives one text, and so does an
/// encoding given by a byte-order mark or the `CA` property. Otherwise there are several guesses.
/// If the games of a file name several encodings, each game has its own.
pub(super) fn readings(bytes: Vec<u8>) -> Vec<String> {
    let parts = parts(&bytes);
    if parts.len() < 2 {
        return readings_of_one(bytes);
    }
    let parts = parts.into_iter().map(|part| {
        let part = bytes.get(part).unwrap_or_default();
        readings_of_one(part.to_vec())
    });
    let parts: Vec<Vec<String>> = parts.collect();
    let count = parts.iter().map(Vec::len).max().unwrap_or(0);
    // A part with a certain reading has it in each reading of the file.
    let reading = |number: usize| {
        let texts = parts
            .iter()
            .filter_map(|part| part.get(number).or(part.last()));
        texts.map(String::as_str).collect()
    };
    (0..count).map(reading).collect()
}

/// Returns the parts of a file in different encodings, each from the start of a game. A game that
/// names no encoding has that of the game before. A file in one encoding is one part.
fn parts(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut latest: Option<&Encoding> = None;
    // Last `(`, if only spaces follow, and last `(` of `(;`.
    let (mut open, mut game) = (None, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => open = Some(at),
            b';' => game = open.take().unwrap_or(game),
            b'C' => {
                open = None;
                let Some(found) = bytes.get(at..).and_then(declared_here) else {
                    continue;
                };
                // Its letters are bytes of ASCII, and may look like the start of a game.
                if found == ISO_2022_JP {
                    return Vec::new();
                }
                if latest.is_some_and(|latest| latest != found) {
                    starts.push(game);
                }
                latest = Some(found);
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => open = None,
        }
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect()
}

/// Returns the texts that bytes in one encoding may stand for.
fn readings_of_one(bytes: Vec<u8>) -> Vec<String> {
    let declared = declared(&bytes);
    // ISO-2022-JP writes its letters in ASCII bytes, so it would pass as UTF-8.
    if declared == Some(ISO_2022_JP) {
        return vec![ISO_2022_JP.decode(&bytes).0.into_owned()];
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return vec![text],
        Err(error) => error.into_bytes(),
    };
    let marked = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding);
    // Ignore a `CA` property that names UTF-8, because these bytes are not valid UTF-8.
    let encodings = match marked.or(declared.filter(|&encoding| encoding != UTF_8)) {
        Some(encoding) => vec![encoding],
        None => UNSAID.to_vec(),
    };
    let text = |encoding: &'static Encoding| encoding.decode(&bytes).0.into_owned();
    encodings.into_iter().map(text).collect()
}

/// Returns true if a name is that of an encoding.
pub(super) fn is_known(name: &str) -> bool {
    Encoding::for_label(name.as_bytes()).is_some()
}

/// Returns the encoding that the bytes name first, or `None`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let at = bytes
        .windows(PROPERTY.len())
        .position(|window| window == PROPERTY)?;
    declared_here(bytes.get(at..)?)
}

/// Returns the encoding that the property at the start of the bytes names, or `None`.
fn declared_here(bytes: &[u8]) -> Option<&'static Encoding> {
    let value = bytes.strip_prefix(PROPERTY)?;
    let value = value.get(..LONGEST_NAME).unwrap_or(value);
    Encoding::for_label(value.split(|&byte| byte == b']').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_own_encoding() {
        let bytes = b"(;CA[GBK]PB[\xc4\xe3])( \n;CA[Shift_JIS]PB[\x83\x5c];C[(])(;PB[\x83\x5c])\
            (;FF[4]CA[UTF-8]PB[\xc3\xa9](;B[aa])(;B[ba]))(;CA[UTF-8]PB[\xc3\xa9])";
        let text = "(;CA[GBK]PB[\u{4f60}])( \n;CA[Shift_JIS]PB[\u{30bd}];C[(])(;PB[\u{30bd}])\
            (;FF[4]CA[UTF-8]PB[\u{e9}](;B[aa])(;B[ba]))(;CA[UTF-8]PB[\u{e9}])";
        assert_eq!(readings(bytes.to_vec()), [text]);
    }

    #[test]
    fn one_encoding_is_one_part() {
        assert_eq!(
            readings(b"(;SZ[9])(;CA[GBK]PB[\xc4\xe3])".to_vec()).len(),
            1
        );
        assert_eq!(readings(b"(;PB[\xc4\xe3])".to_vec()).len(), UNSAID.len());
        let iso = b"(;CA[ISO-2022-JP]PB[\x1b$B(;\x1b(B])(;CA[GBK])";
        assert_eq!(readings(iso.to_vec()).len(), 1);
    }

    #[test]
    fn parts_of_unknown_encoding_keep_all_guesses() {
        // The second byte of the letter in Big5 is that of `\`.
        let bytes = b"(;CA[UTF-8]PB[\xb3\x5c];B[aa])(;CA[GBK]PB[\xc4\xe3])".to_vec();
        let found = readings(bytes);
        assert_eq!(found.len(), UNSAID.len());
        assert!(found.iter().all(|text| text.ends_with("PB[\u{4f60}])")));
        assert!(found.iter().any(|text| !text.contains("\\]")));
    }

    #[test]
    fn an_encoding_within_one_game_changes_nothing_before_the_game() {
        let bytes = b"(;CA[GBK]PB[\xc4\xe3])(;PW[\x83\x5c]CA[Shift_JIS])";
        let text = "(;CA[GBK]PB[\u{4f60}])(;PW[\u{30bd}]CA[Shift_JIS])";
        assert_eq!(readings(bytes.to_vec()), [text]);
    }
}
