//! Decoding of the bytes of a file.
//!
//! In some encodings, the second byte of a letter is that of `\` or `]`. A file must therefore be
//! decoded before even its moves can be found.

use encoding_rs::{BIG5, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// Encodings to try if a file names none, the most likely first.
const UNSAID: [&Encoding; 4] = [WINDOWS_1252, GB18030, SHIFT_JIS, BIG5];

/// Returns the texts that the bytes may stand for. Valid UTF-8 gives one text, and so does an
/// encoding given by a byte-order mark or the `CA` property. Otherwise there are several guesses.
pub(super) fn readings(bytes: Vec<u8>) -> Vec<String> {
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

/// Returns the encoding that the file names, or `None`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    const PROPERTY: &[u8] = b"CA[";
    let at = bytes.windows(PROPERTY.len()).position(|w| w == PROPERTY)?;
    let value = bytes.get(at + PROPERTY.len()..)?;
    Encoding::for_label(value.split(|&byte| byte == b']').next()?)
}
