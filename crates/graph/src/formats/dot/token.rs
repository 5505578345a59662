//! Tokenizer of DOT.

use std::borrow::Cow;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, satisfy};
use nom::combinator::{opt, recognize};
use nom::{IResult, Parser};

use super::super::parse_error::ParseError;
use super::super::words::end;

/// Token of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A brace, bracket, edge operator, or other sign, and the slice of the text where it was
    /// found.
    Sign(&'a str, &'a str),
    /// A name, number, or quoted text.
    Id {
        /// Content without quotes or angle brackets.
        text: Cow<'a, str>,
        /// Slice of the input where it was found; the first piece if `+` joined several.
        place: &'a str,
        /// True if it was in double quotes, so that it cannot be a keyword.
        quoted: bool,
    },
}

impl<'a> Token<'a> {
    /// Returns the slice of the input where the token was found.
    pub(super) fn place(&self) -> &'a str {
        match self {
            Token::Sign(_, place) | Token::Id { place, .. } => place,
        }
    }

    /// Returns true if the token is this keyword, in any case.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        match self {
            Token::Id { text, quoted, .. } => !quoted && text.eq_ignore_ascii_case(word),
            Token::Sign(..) => false,
        }
    }
}

/// Tokens of a text, with one token of lookahead.
pub(super) struct Tokens<'a> {
    text: &'a str,
    rest: &'a str,
    next: Option<Option<Token<'a>>>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            rest: text,
            next: None,
        }
    }

    /// Returns the next token without consuming it, or `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        let next = match self.next.take() {
            Some(next) => next,
            None => self.scan()?,
        };
        self.next = Some(next.clone());
        Ok(next)
    }

    /// Consumes and returns the next token, or returns `None` at the end.
    pub(super) fn take(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        match self.next.take() {
            Some(next) => Ok(next),
            None => self.scan(),
        }
    }

    fn scan(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        self.skip()?;
        if self.rest.is_empty() {
            return Ok(None);
        }
        let first = match self.piece() {
            Some(token) => token,
            None => {
                return Err(ParseError::found(
                    self.text,
                    self.rest,
                    "a name, a text in closed quotes or a sign of DOT",
                ));
            }
        };
        // Plus signs join texts in quotes.
        let Token::Id {
            mut text,
            place,
            quoted: true,
        } = first
        else {
            return Ok(Some(first));
        };
        loop {
            self.skip()?;
            let Some(rest) = self.rest.strip_prefix('+') else {
                break;
            };
            self.rest = rest;
            self.skip()?;
            match self.piece() {
                Some(Token::Id {
                    text: more,
                    quoted: true,
                    ..
                }) => text.to_mut().push_str(&more),
                _ => return Err(ParseError::found(self.text, self.rest, "a text in quotes")),
            }
        }
        Ok(Some(Token::Id {
            text,
            place,
            quoted: true,
        }))
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), ParseError> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//")
                || (self.rest.starts_with('#') && self.is_at_line_start())
            {
                let line_end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = self.rest.get(line_end..).unwrap_or_default();
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                let Some(place) = comment.find("*/") else {
                    return Err(ParseError::found(self.text, end(self.text), "*/"));
                };
                self.rest = comment.get(place + 2..).unwrap_or_default();
            } else {
                return Ok(());
            }
        }
    }

    fn is_at_line_start(&self) -> bool {
        let read = self.text.len() - self.rest.len();
        let before = self.text.get(..read).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    fn piece(&mut self) -> Option<Token<'a>> {
        let input = self.rest;
        let (rest, token) = if input.starts_with('"') {
            quoted(input)?
        } else if input.starts_with('<') {
            html(input)?
        } else {
            plain(input).ok()?
        };
        self.rest = rest;
        Some(token)
    }
}

fn plain(input: &str) -> IResult<&str, Token<'_>> {
    let digits = || take_while1(|c: char| c.is_ascii_digit());
    let number = recognize((
        opt(char('-')),
        alt((
            recognize((char('.'), digits())),
            recognize((
                digits(),
                opt((char('.'), take_while(|c: char| c.is_ascii_digit()))),
            )),
        )),
    ));
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
    let name = recognize((
        satisfy(letter),
        take_while(move |c: char| letter(c) || c.is_ascii_digit()),
    ));
    let id = |place| Token::Id {
        text: Cow::Borrowed(place),
        place,
        quoted: false,
    };
    let sign = alt((
        tag("--"),
        tag("->"),
        tag("{"),
        tag("}"),
        tag("["),
        tag("]"),
        tag(";"),
        tag(","),
        tag("="),
        tag(":"),
    ));
    alt((
        alt((number, name)).map(id),
        sign.map(|sign| Token::Sign(sign, sign)),
    ))
    .parse(input)
}

/// Reads a text in double quotes, or returns `None` if it is not closed. A backslash escapes a
/// quote or a backslash, and joins the lines at the end of a line. Other backslashes are kept.
fn quoted(input: &str) -> Option<(&str, Token<'_>)> {
    let body = input.strip_prefix('"')?;
    let mut text = String::new();
    let mut chars = body.char_indices();
    let end = loop {
        match chars.next()? {
            (place, '"') => break place,
            (_, '\\') => match chars.next()?.1 {
                c @ ('"' | '\\') => text.push(c),
                '\n' => {}
                '\r' if chars.as_str().starts_with('\n') => {
                    chars.next();
                }
                c => text.extend(['\\', c]),
            },
            (_, c) => text.push(c),
        }
    };
    let rest = body.get(end + 1..)?;
    let place = input.get(..input.len() - rest.len())?;
    let text = Cow::Owned(text);
    Some((
        rest,
        Token::Id {
            text,
            place,
            quoted: true,
        },
    ))
}

/// Reads a text in angle brackets, which may be nested, or returns `None` if it is not closed.
fn html(input: &str) -> Option<(&str, Token<'_>)> {
    let mut depth = 0usize;
    for (place, c) in input.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (place, rest) = input.split_at_checked(place + 1)?;
            let text = place.get(1..place.len() - 1)?;
            return Some((
                rest,
                Token::Id {
                    text: Cow::Borrowed(text),
                    place,
                    quoted: false,
                },
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new(text);
        let mut found = Vec::new();
        while let Some(token) = tokens.take().unwrap() {
            found.push(match token {
                Token::Sign(sign, _) => sign.to_string(),
                Token::Id { text, .. } => format!("'{text}'"),
            });
        }
        found
    }

    #[test]
    fn reads_words_texts_numbers_and_comments() {
        assert_eq!(
            list(
                "# top\ngraph{a--\"b \\\"c\\\\\" /* { */ -- -1.5 // }\n d2:n = <x <b>y</b>> + }"
                    .replace(" +", "")
                    .as_str()
            ),
            [
                "'graph'",
                "{",
                "'a'",
                "--",
                "'b \"c\\'",
                "--",
                "'-1.5'",
                "'d2'",
                ":",
                "'n'",
                "=",
                "'x <b>y</b>'",
                "}"
            ]
        );
        assert_eq!(list("\"a\" + \"b\\\nc\""), ["'abc'"]);
        assert_eq!(
            list("1--2->.5;3,"),
            ["'1'", "--", "'2'", "->", "'.5'", ";", "'3'", ","]
        );
    }

    #[test]
    fn rejects_unfinished_tokens() {
        for text in ["\"a", "/* x", "<a<b>", "@", "\"a\" + b", "\"\\"] {
            assert!(Tokens::new(text).take().is_err(), "{text}");
        }
    }
}
