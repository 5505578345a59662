//! Reading of an engine's answers from its standard output, within size limits.

use std::io::{self, BufRead};

/// Maximum size in bytes of an answer, including the lines before it.
pub(super) const MAX_ANSWER: usize = 1 << 20;

/// Answer of an engine: its text, or the text of a failure.
pub(super) type Answer = Result<String, String>;

/// Reads the next answer: `=` or `?`, an id that is skipped, and the text up to an empty line.
/// Lines before the mark, such as a greeting, are skipped. Returns `None` at the end of the output.
///
/// # Errors
/// If the output cannot be read, or with [`io::ErrorKind::InvalidData`] if the answer exceeds
/// [`MAX_ANSWER`].
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Answer>> {
    let mut budget = MAX_ANSWER;
    let (success, mut text) = loop {
        let Some(line) = read_line(input, &mut budget)? else {
            return Ok(None);
        };
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix('=') {
            break (true, first_line(rest));
        }
        if let Some(rest) = line.strip_prefix('?') {
            break (false, first_line(rest));
        }
    };
    loop {
        match read_line(input, &mut budget)? {
            Some(line) if line.trim().is_empty() => break,
            Some(line) => {
                text.push('\n');
                text.push_str(line.trim_end());
            }
            // The output ended within an answer.
            None => return Ok(None),
        }
    }
    let text = text.trim_end().to_owned();
    Ok(Some(if success { Ok(text) } else { Err(text) }))
}

/// Returns the text after the mark, without white space and without the id, which the runner never
/// sends.
fn first_line(rest: &str) -> String {
    rest.trim_start_matches(|c: char| c.is_ascii_digit())
        .trim()
        .to_owned()
}

/// Reads a line and returns it without its line ending; `None` at the end of the input.
fn read_line(input: &mut impl BufRead, budget: &mut usize) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let limit = *budget as u64 + 1;
    let read = io::Read::take(&mut *input, limit).read_until(b'\n', &mut line)?;
    if read > *budget {
        let problem = format!("more than {} MiB", MAX_ANSWER >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    *budget -= read;
    let text = String::from_utf8_lossy(&line);
    Ok((read > 0).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut output: &[u8]) -> Vec<Answer> {
        let mut answers = Vec::new();
        while let Some(answer) = read(&mut output).unwrap() {
            answers.push(answer);
        }
        answers
    }

    #[test]
    fn reads_answers_in_every_framing() {
        let output = b"= a\n\n=7 b\r\n\r\n? no such\n\n=\n\n= \nc\n d\n\nbanner\n\n\n  =e\n \n=cut";
        let expected = ["a", "b", "", "", "\nc\n d", "e"];
        let found = all(output);
        assert_eq!(found.len(), 6);
        for (found, expected) in found.iter().zip(expected) {
            match found {
                Ok(text) => assert_eq!(text, expected),
                Err(text) => assert_eq!(text, "no such"),
            }
        }
    }

    #[test]
    fn rejects_oversized_answers() {
        let mut long = b"= ".to_vec();
        long.resize(MAX_ANSWER + 10, b'x');
        let error = read(&mut long.as_slice()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let greetings = b"hello\n".repeat(MAX_ANSWER / 6 + 1);
        assert!(read(&mut greetings.as_slice()).is_err());
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        let answers = all(b"= \xff\xfe\x00\n\n");
        assert_eq!(answers, [Ok("\u{fffd}\u{fffd}\0".to_owned())]);
    }
}
