//! Parsing of one GTP line: clean-up, then id, command, and arguments.
//!
//! The protocol prescribes the order: remove control characters except tab, remove the comment,
//! replace each tab with a space. A line that is then blank is not a command. Digits before the
//! name are the id, even directly before it (`12name`). Digits alone are not a command.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_till1;
use nom::character::complete::{char, digit1};
use nom::combinator::{opt, peek, rest};
use nom::multi::{many0, many0_count};
use nom::sequence::{preceded, terminated};

/// Command as it was written.
///
/// ```
/// use omnigo::gtp::parse::{Request, clean, request};
/// let line = clean(b"  7\tplay b D4 # a comment\r");
/// let read = request(&line).unwrap();
/// assert_eq!((read.id, read.name), (Some("7"), "play"));
/// assert_eq!(read.arguments, ["b", "D4"]);
/// assert_eq!(request("# nothing but a comment"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// Digits of the id. The answer repeats them exactly.
    pub id: Option<&'a str>,
    /// Name of the command, case-sensitive.
    pub name: &'a str,
    /// Words after the name, separated by spaces.
    pub arguments: Vec<&'a str>,
    /// Text after the name as written, because file names may contain spaces.
    pub text: &'a str,
}

/// Converts a line to text. Replaces bytes that are not UTF-8, and turns tabs into spaces. Removes
/// control characters and the byte order mark that some systems put before the first line. Keeps
/// comments, which [`request`] skips.
pub fn clean(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.chars()
        .filter(|c| *c == '\t' || !c.is_control() && *c != '\u{feff}')
        .map(|c| if c == '\t' { ' ' } else { c })
        .collect()
}

/// Returns true if a line tells the running search to answer now.
pub fn is_interrupt(text: &str) -> bool {
    text.trim() == "# interrupt"
}

/// Returns the command in a line from [`clean`], or `None` if the line contains no command.
pub fn request(text: &str) -> Option<Request<'_>> {
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    let (_, request) = command(text).ok()?;
    Some(request)
}

/// Returns the id at the beginning of a line, or `None`. Used for answers to lines that cannot be
/// read.
pub fn id(text: &str) -> Option<&str> {
    let (_, id) = leading_id(text).ok()?;
    id
}

fn leading_id(text: &str) -> IResult<&str, Option<&str>> {
    preceded(spaces, opt(digit1)).parse(text)
}

fn command(text: &str) -> IResult<&str, Request<'_>> {
    (
        terminated(leading_id, spaces),
        word,
        peek(rest),
        many0(preceded(spaces, word)),
    )
        .map(|(id, name, text, arguments)| Request {
            id,
            name,
            arguments,
            text,
        })
        .parse(text)
}

fn spaces(text: &str) -> IResult<&str, usize> {
    many0_count(char(' ')).parse(text)
}

fn word(text: &str) -> IResult<&str, &str> {
    take_till1(|c| c == ' ').parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[u8]) -> Option<(Option<String>, String, Vec<String>)> {
        let text = clean(line);
        request(&text).map(|r| {
            let arguments = r.arguments.iter().map(|a| a.to_string()).collect();
            (r.id.map(str::to_string), r.name.to_string(), arguments)
        })
    }

    fn expect(
        id: Option<&str>,
        name: &str,
        arguments: &[&str],
    ) -> Option<(Option<String>, String, Vec<String>)> {
        let arguments = arguments.iter().map(|a| a.to_string()).collect();
        Some((id.map(str::to_string), name.to_string(), arguments))
    }

    #[test]
    fn reads_commands_with_and_without_id() {
        assert_eq!(read(b"name"), expect(None, "name", &[]));
        assert_eq!(read(b"  7   name  # x\r"), expect(Some("7"), "name", &[]));
        assert_eq!(read(b"12name"), expect(Some("12"), "name", &[]));
        assert_eq!(
            read(b"0012 play\tb  D4 "),
            expect(Some("0012"), "play", &["b", "D4"])
        );
        assert_eq!(read(b"-5 name"), expect(None, "-5", &["name"]));
        let digits = "9".repeat(5000);
        let long = digits.clone() + " name";
        assert_eq!(read(long.as_bytes()), expect(Some(&digits), "name", &[]));
    }

    #[test]
    fn lines_without_a_command_are_skipped() {
        for line in [
            "",
            " ",
            "\t \r",
            "3",
            " 3 ",
            "#only comment",
            "  # x",
            "3 # name",
            "\u{1}\u{2}",
            "\u{7f}",
        ] {
            assert_eq!(read(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn control_characters_are_removed_from_words() {
        assert_eq!(read(b"na\x01me\x7f"), expect(None, "name", &[]));
        assert_eq!(read("na\u{85}me".as_bytes()), expect(None, "name", &[]));
        assert_eq!(read("\u{feff}name".as_bytes()), expect(None, "name", &[]));
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(
            read(b"na\xff\xfeme b"),
            expect(None, "na\u{fffd}\u{fffd}me", &["b"])
        );
    }

    #[test]
    fn interrupts_must_have_the_exact_form() {
        for line in ["# interrupt", "  # interrupt \r", "# interrupt\r"] {
            assert!(is_interrupt(&clean(line.as_bytes())), "{line:?}");
        }
        for line in [
            "#interrupt",
            "#  interrupt",
            "# interrupt now",
            "interrupt",
            "name # interrupt",
        ] {
            assert!(!is_interrupt(&clean(line.as_bytes())), "{line:?}");
        }
    }

    #[test]
    fn a_million_words_are_read() {
        let line = "a ".repeat(1_000_000);
        assert_eq!(request(&line).map(|r| r.arguments.len()), Some(999_999));
    }
}
