//! Lines for people on standard error, and results on standard output.

use std::fmt;
use std::io::{self, Write};

/// Writes a line to standard error. Ignores errors: a reader that has left must not end the
/// program, as it does with the macro of the standard library.
pub fn line(text: fmt::Arguments<'_>) {
    // One call writes the line, so that lines of several threads stay whole.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Writes a warning, with its prefix, as one line to standard error. Ignores errors.
pub fn warn(text: impl fmt::Display) {
    line(format_args!("warning: {text}"));
}

/// Writes the reason why a command failed, with its prefix, as one line to standard error. Ignores
/// errors. The parser of the command line uses the same prefix.
pub fn error(text: impl fmt::Display) {
    line(format_args!("error: {text}"));
}

/// Writes bytes to standard output. A reader that has left, such as `head`, is no error.
///
/// # Errors
/// If the system cannot write for another reason.
pub fn output(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a line to standard error, in the form of [`format!`]. Ignores errors.
#[macro_export]
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::system::tell::line(format_args!($($text)*))
    };
}
