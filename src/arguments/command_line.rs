//! Command of an engine: words separated by white space, with quotes around words that contain it.
//! No shell is involved.

use std::fmt;
use std::str::FromStr;

use crate::text::quote;

/// Program and its arguments.
///
/// ```
/// use omnigo::arguments::command_line::CommandLine;
/// let line: CommandLine = r#"pachi -t =500 'a b' "it's""#.parse().unwrap();
/// assert_eq!(line.program(), "pachi");
/// assert_eq!(line.arguments(), ["-t", "=500", "a b", "it's"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    program: String,
    arguments: Vec<String>,
}

/// Error for a text that is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// The text contains no program.
    #[error("empty command, expected a program and its arguments")]
    Empty,
    /// A quote is not closed.
    #[error("unclosed {quote} in '{text}'")]
    Unclosed {
        /// The quote character.
        quote: char,
        /// The text.
        text: String,
    },
}

impl CommandLine {
    /// Returns the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut open: Option<char> = None;
        for c in text.chars() {
            match (open, c) {
                (Some(quote), c) if c == quote => open = None,
                (Some(_), c) => word.get_or_insert_default().push(c),
                (None, '\'' | '"') => {
                    open = Some(c);
                    word.get_or_insert_default();
                }
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                (None, c) => word.get_or_insert_default().push(c),
            }
        }
        if let Some(mark) = open {
            return Err(CommandLineError::Unclosed {
                quote: mark,
                text: quote(text),
            });
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty());
        Ok(CommandLine {
            text: text.trim().to_owned(),
            program: program.ok_or(CommandLineError::Empty)?,
            arguments: words.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let words = |text: &str| {
            let line: CommandLine = text.parse().unwrap();
            let mut words = vec![line.program().to_owned()];
            words.extend_from_slice(line.arguments());
            words
        };
        assert_eq!(words("  a\tb  c "), ["a", "b", "c"]);
        assert_eq!(words("a --x='1 2'3 ''"), ["a", "--x=1 23", ""]);
        assert_eq!(words(r#""my engine" "" '"'"#), ["my engine", "", "\""]);
        assert_eq!(words(r"C:\go\gnugo.exe -m"), [r"C:\go\gnugo.exe", "-m"]);
    }

    #[test]
    fn rejects_invalid_command_lines() {
        for text in ["", "  ", "'' a"] {
            assert_eq!(
                text.parse::<CommandLine>(),
                Err(CommandLineError::Empty),
                "{text:?}"
            );
        }
        let error = "a 'b".parse::<CommandLine>().unwrap_err();
        assert_eq!(error.to_string(), "unclosed ' in 'a 'b'");
    }
}
