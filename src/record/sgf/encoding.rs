//! From the bytes of a file to its text.
//!
//! In some encodings the second byte of a letter is that of `\` or `]`, so that not even the moves of a file can be found
//! before it is decoded.

use encoding_rs::{BIG5, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// What a file may be where it does not say, the likeliest first.
const UNSAID: [&Encoding; 4] = [WINDOWS_1252, GB18030, SHIFT_JIS, BIG5];

/// What the file may say: UTF-8 where it is that, else by its byte-order mark or its `CA` property, else several guesses.
pub(super) fn readings(bytes: Vec<u8>) -> Vec<String> {
    let declared = declared(&bytes);
    // Its bytes are those of ASCII, and make other letters.
    if declared == Some(ISO_2022_JP) {
        return vec![ISO_2022_JP.decode(&bytes).0.into_owned()];
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return vec![text],
        Err(error) => error.into_bytes(),
    };
    let marked = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding);
    // What says that it is UTF-8 and is not says nothing.
    let encodings = match marked.or(declared.filter(|&encoding| encoding != UTF_8)) {
        Some(encoding) => vec![encoding],
        None => UNSAID.to_vec(),
    };
    let text = |encoding: &'static Encoding| encoding.decode(&bytes).0.into_owned();
    encodings.into_iter().map(text).collect()
}

/// The encoding that the file names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    const PROPERTY: &[u8] = b"CA[";
    let at = bytes.windows(PROPERTY.len()).position(|w| w == PROPERTY)?;
    let value = bytes.get(at + PROPERTY.len()..)?;
    Encoding::for_label(value.split(|&byte| byte == b']').next()?)
}
