//! Lines of long files, read one at a time.
//!
//! Records of games grow for months. Reading them line by line takes the memory of the longest
//! line, and a file without line breaks is refused before it fills the memory.

use std::io::{self, BufRead, Read};

/// Maximum length of a line in bytes. A game of a thousand moves per point on the largest board
/// fits.
const LONGEST: usize = 1 << 29;

/// Reader of whole lines.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    longest: usize,
    number: usize,
    whole: u64,
}

impl<R: BufRead> Lines<R> {
    /// Returns a reader that begins at the present place of `input`.
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            line: Vec::new(),
            longest: LONGEST,
            number: 0,
            whole: 0,
        }
    }

    /// Returns the number of the next line, from 1, and its text without the line feed. `None` at
    /// the end and for a last line without a line feed, which [`Lines::cut`] returns.
    ///
    /// # Errors
    /// If the file cannot be read, or the line is too long.
    pub fn next_line(&mut self) -> io::Result<Option<(usize, &[u8])>> {
        self.line.clear();
        self.number += 1;
        let limit = self.longest as u64 + 1;
        let read = Read::take(&mut self.input, limit).read_until(b'\n', &mut self.line)?;
        match self.line.split_last() {
            Some((b'\n', line)) => {
                self.whole += read as u64;
                Ok(Some((self.number, line)))
            }
            _ if read > self.longest => {
                let (number, mib) = (self.number, self.longest >> 20);
                let problem = format!("line {number} is too long, expected at most {mib} MiB");
                Err(io::Error::other(problem))
            }
            _ => Ok(None),
        }
    }

    /// Returns the number of bytes of the lines before.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// Returns the last line without a line feed, or nothing, once [`Lines::next_line`] has
    /// returned `None`.
    pub fn cut(&self) -> &[u8] {
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_numbered_and_a_cut_one_is_left() {
        let mut lines = Lines::new(&b"one\n\nthree\r\nfo"[..]);
        for (number, text) in [(1, &b"one"[..]), (2, b""), (3, b"three\r")] {
            assert_eq!(lines.next_line().unwrap(), Some((number, text)));
        }
        assert_eq!(lines.next_line().unwrap(), None);
        assert_eq!((lines.whole(), lines.cut()), (12, &b"fo"[..]));
        let mut none = Lines::new(&b""[..]);
        assert_eq!(none.next_line().unwrap(), None);
        assert_eq!((none.whole(), none.cut()), (0, &b""[..]));
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        let mut lines = Lines::new(Read::chain(&b"12345678\n"[..], endless));
        lines.longest = 8;
        assert!(lines.next_line().unwrap().is_some());
        let problem = lines.next_line().unwrap_err().to_string();
        assert!(problem.starts_with("line 2 is too long"), "{problem}");
        assert!(lines.line.capacity() < 1 << 16);
    }
}
