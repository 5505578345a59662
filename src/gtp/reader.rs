//! Reader thread: reads input while a command runs, and splits it into lines.
//!
//! Lines that arrive together enter the [`Inbox`] together.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::thread;

use super::inbox::{EndedBy, Inbox, Line, MAX_LINE};
use super::parse;
use crate::system::tell;

/// Maximum number of input bytes whose lines enter the inbox together.
const MAX_CHUNK: usize = 1 << 16;

/// Starts a thread that reads `input` to its end. `searches` returns the input that stops a
/// command's search, or `None` for a command without a search.
///
/// # Errors
/// If the system cannot start a thread.
pub fn start(
    mut input: impl BufRead + Send + 'static,
    inbox: Arc<Inbox>,
    searches: fn(&str) -> Option<EndedBy>,
) -> io::Result<()> {
    let read = move || {
        let mut begun = Begun::default();
        let ended = loop {
            match read_lines(&mut input, &mut begun) {
                Ok(Some(lines)) => inbox.deliver(lines, searches),
                Ok(None) => break true,
                Err(error) => {
                    tell::warn(format_args!("reading commands failed: {error}"));
                    break false;
                }
            }
        };
        inbox.close(ended);
    };
    thread::Builder::new()
        .name("gtp-reader".into())
        .spawn(read)
        .map(drop)
}

/// Line whose end has not arrived yet.
#[derive(Default)]
struct Begun {
    /// First [`MAX_LINE`] bytes of the line.
    bytes: Vec<u8>,
    too_long: bool,
    /// True if some part of the line has arrived, possibly empty.
    any: bool,
}

impl Begun {
    fn extend(&mut self, part: &[u8]) {
        let room = MAX_LINE - self.bytes.len();
        self.too_long |= part.len() > room;
        self.bytes.extend(part.iter().take(room));
        self.any = true;
    }

    /// Returns the whole line without its line feed, and resets to an empty line.
    fn finish(&mut self) -> Line {
        let Begun {
            bytes, too_long, ..
        } = std::mem::take(self);
        // Text after a comment sign does not matter, so such a line is complete.
        if too_long && !bytes.contains(&b'#') {
            let head = parse::clean(bytes.get(..64).unwrap_or(&bytes));
            return Line::TooLong {
                id: parse::id(&head).map(str::to_string),
            };
        }
        Line::Text(parse::clean(&bytes))
    }
}

/// Returns at least one line, all that end in the next chunk of input, or `None` at the end of
/// input. The last line needs no line feed.
fn read_lines(input: &mut impl BufRead, begun: &mut Begun) -> io::Result<Option<Vec<Line>>> {
    let mut lines = Vec::new();
    while lines.is_empty() {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(begun.any.then(|| vec![begun.finish()]));
        }
        let chunk = chunk.get(..MAX_CHUNK).unwrap_or(chunk);
        for part in chunk.split_inclusive(|&byte| byte == b'\n') {
            match part.split_last() {
                Some((b'\n', line)) => {
                    begun.extend(line);
                    lines.push(begun.finish());
                }
                _ => begun.extend(part),
            }
        }
        let used = chunk.len();
        input.consume(used);
    }
    Ok(Some(lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor, Read};

    fn lines(input: impl BufRead + Send + 'static) -> Vec<Line> {
        let inbox = Inbox::new(Arc::default());
        start(input, Arc::clone(&inbox), |_| None).unwrap();
        std::iter::from_fn(|| inbox.next()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_string())
    }

    #[test]
    fn lines_are_read_in_order_and_the_last_needs_no_ending() {
        let read = lines(Cursor::new(b"name\r\n\n# x\nplay b\xff\nquit".to_vec()));
        assert_eq!(
            read,
            [
                text("name"),
                text(""),
                text("# x"),
                text("play b\u{fffd}"),
                text("quit")
            ]
        );
        assert_eq!(lines(Cursor::new(Vec::new())), []);
    }

    #[test]
    fn an_oversized_line_is_skipped_completely() {
        let endless = |start: &'static [u8], byte: u8| {
            BufReader::new(
                start
                    .chain(io::repeat(byte).take(MAX_LINE as u64 + 9))
                    .chain(&b"\nname\n"[..]),
            )
        };
        let id = Some("12".to_string());
        assert_eq!(
            lines(endless(b"12 play ", b'a')),
            [Line::TooLong { id }, text("name")]
        );
        let read = lines(endless(b"version # ", b'x'));
        assert!(matches!(&read[0], Line::Text(t) if t.starts_with("version # xx")));
        assert_eq!(read[1], text("name"));
    }

    #[test]
    fn lines_that_arrive_together_are_delivered_together() {
        let mut input = BufReader::new((&b"genmove b\n\nna"[..]).chain(&b"me\nquit"[..]));
        let mut begun = Begun::default();
        let mut next = || read_lines(&mut input, &mut begun).unwrap();
        assert_eq!(next(), Some(vec![text("genmove b"), text("")]));
        assert_eq!(next(), Some(vec![text("name")]));
        assert_eq!(next(), Some(vec![text("quit")]));
        assert_eq!(next(), None);
    }
}
