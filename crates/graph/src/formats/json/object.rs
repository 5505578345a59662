//! Reader of JSON objects from files. It reads key by key, so that an error names the key.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::formats::parse_error::ParseError;
use omnigo_base::points::Points;
use omnigo_base::text::quote;

/// Maximum number of keys of an object, more than any file format has.
const MOST_KEYS: usize = 64;

/// Keys of an object, with their values as text.
pub(in crate::formats) struct Object<'a> {
    /// The whole text; empty for an object within another object.
    text: &'a str,
    /// Keys that have not been read yet.
    left: Vec<(String, &'a RawValue)>,
    /// Keys that have been read, for later errors about them.
    taken: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads the keys of an object without parsing their values.
    pub(in crate::formats) fn read(text: &'a str) -> Result<Object<'a>, ParseError> {
        match serde_json::from_str(text) {
            Ok(object) => Ok(Object { text, ..object }),
            Err(error) => {
                let problem = message(&error);
                let problem =
                    format!("not a JSON object ({problem}), expected an object in braces");
                Err(ParseError::at(text, place(text, &error), problem))
            }
        }
    }

    /// Reads and returns the value of a key, or `None` if the key is missing. `expected` describes
    /// the value in error messages.
    pub(in crate::formats) fn take<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, ParseError> {
        let Some(at) = self.left.iter().position(|(name, _)| name == key) else {
            return Ok(None);
        };
        let (name, value) = self.left.swap_remove(at);
        self.taken.push((name, value));
        match serde_json::from_str(value.get()) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                let within = token(value.get(), place(value.get(), &error));
                let problem = refusal(key, value.get(), expected);
                Err(self.fault(value, within, problem))
            }
        }
    }

    /// Reads and returns the value of a required key.
    pub(in crate::formats) fn need<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<T, ParseError> {
        let value = self.take(key, expected)?;
        value.ok_or_else(|| {
            let problem = format!("key '{key}' is missing, expected {expected}");
            ParseError::at(self.text, self.text.len(), problem)
        })
    }

    /// Returns an error about the value of a key that has been read. `path` leads to an item of it
    /// in nested lists.
    pub(in crate::formats) fn wrong(
        &self,
        key: &str,
        path: &[usize],
        problem: impl Into<String>,
    ) -> ParseError {
        let Some((_, value)) = self.taken.iter().find(|(name, _)| name == key) else {
            return ParseError::at(self.text, 0, problem);
        };
        let mut item: &'a RawValue = value;
        for &number in path {
            let items: Vec<&'a RawValue> = serde_json::from_str(item.get()).unwrap_or_default();
            match items.get(number) {
                Some(inner) => item = inner,
                None => break,
            }
        }
        self.fault(item, 0, problem)
    }

    /// Returns an error at byte `within` of a value.
    fn fault(&self, value: &RawValue, within: usize, problem: impl Into<String>) -> ParseError {
        ParseError::at(self.text, offset(self.text, value.get()) + within, problem)
    }

    /// Returns true if the key exists and has not been read yet.
    pub(in crate::formats) fn has(&self, key: &str) -> bool {
        self.left.iter().any(|(name, _)| name == key)
    }

    /// Returns the value of a key that has not been read yet, or `None`.
    pub(in crate::formats) fn peek(&self, key: &str) -> Option<&'a RawValue> {
        let mut left = self.left.iter();
        left.find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// Returns the keys that have not been read, with their values.
    pub(in crate::formats) fn into_pairs(self) -> Vec<(String, &'a RawValue)> {
        self.left
    }

    /// Returns an error if a key has not been read.
    pub(in crate::formats) fn finish(&self, expected: &str) -> Result<(), ParseError> {
        match self.left.first() {
            None => Ok(()),
            Some((key, value)) => {
                let problem = format!("unknown key '{}', expected {expected}", quote(key));
                Err(self.fault(value, 0, problem))
            }
        }
    }
}

/// Returns the error message for a value of the wrong kind.
pub(in crate::formats) fn refusal(key: &str, value: &str, expected: &str) -> String {
    format!("key '{key}' is '{}', expected {expected}", quote(value))
}

/// Returns the message of the library without its location. Its word "expected" is replaced; here
/// the word introduces the form that the caller expects.
pub(in crate::formats) fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = message.replace(", expected", " instead of");
    match message.strip_prefix("expected ") {
        Some(missing) => quote(&format!("missing {missing}")),
        None => quote(&message),
    }
}

/// Returns the byte of the text at which the library stopped.
pub(in crate::formats) fn place(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    before + error.column().saturating_sub(1)
}

/// Returns the start of the word or number that ends at this byte. For any other character, returns
/// the byte itself.
fn token(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes().get(..=end).unwrap_or_default();
    match bytes.split_last() {
        Some((b'"', before)) => before.iter().rposition(|&c| c == b'"').unwrap_or(end),
        Some((last, before)) if is_word(*last) => before
            .iter()
            .rposition(|&c| !is_word(c))
            .map_or(0, |at| at + 1),
        _ => end,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Returns the byte at which a piece of the text begins.
pub(in crate::formats) fn offset(text: &str, piece: &str) -> usize {
    let offset = (piece.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    if offset <= text.len() { offset } else { 0 }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<'a>(PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Pairs<'a> {
            type Value = Object<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object<'a>, M::Error> {
                let mut pairs: Vec<(String, &'a RawValue)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if pairs.iter().any(|(other, _)| *other == key) {
                        return Err(M::Error::custom(format!("duplicate key '{}'", quote(&key))));
                    }
                    if pairs.len() == MOST_KEYS {
                        return Err(M::Error::custom("too many keys"));
                    }
                    pairs.push((key, value));
                }
                Ok(Object {
                    text: "",
                    left: pairs,
                    taken: Vec::new(),
                })
            }
        }

        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

/// Coordinates of one location. Three are used; the list may hold a fourth, to distinguish four
/// coordinates from a longer list.
pub(in crate::formats) type Coordinates = List<f64, 4>;

/// List of at most `MOST` items. A longer list is rejected before it takes memory.
pub(in crate::formats) struct List<T, const MOST: usize>(pub(in crate::formats) Vec<T>);

impl<T, const MOST: usize> AsRef<[T]> for List<T, MOST> {
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T, const MOST: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Items<T, MOST> {
            type Value = List<T, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST} items")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Self::Value, S::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == MOST {
                        return Err(S::Error::custom("too many items"));
                    }
                    items.push(item);
                }
                Ok(List(items))
            }
        }

        deserializer.deserialize_seq(Items(PhantomData))
    }
}

/// Lists of numbers, with at most `MOST` lists and numbers in total.
pub(in crate::formats) struct Lists<const MOST: usize>(pub(in crate::formats) Vec<Vec<usize>>);

impl<'de, const MOST: usize> Deserialize<'de> for Lists<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Number of items that may still follow.
        struct Left(usize);

        impl Left {
            fn one<E: Error>(&mut self) -> Result<(), E> {
                self.0 = self
                    .0
                    .checked_sub(1)
                    .ok_or_else(|| E::custom("too many items"))?;
                Ok(())
            }
        }

        struct Rows(Left);

        impl<'de> Visitor<'de> for Rows {
            type Value = Vec<Vec<usize>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of lists of numbers")
            }

            fn visit_seq<S: SeqAccess<'de>>(mut self, mut seq: S) -> Result<Self::Value, S::Error> {
                let mut rows = Vec::new();
                while let Some(row) = seq.next_element_seed(Row(&mut self.0))? {
                    self.0.one()?;
                    rows.push(row);
                }
                Ok(rows)
            }
        }

        struct Row<'l>(&'l mut Left);

        impl<'de> DeserializeSeed<'de> for Row<'_> {
            type Value = Vec<usize>;

            fn deserialize<D: Deserializer<'de>>(self, row: D) -> Result<Vec<usize>, D::Error> {
                row.deserialize_seq(self)
            }
        }

        impl<'de> Visitor<'de> for Row<'_> {
            type Value = Vec<usize>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of numbers")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Vec<usize>, S::Error> {
                let mut row = Vec::new();
                while let Some(number) = seq.next_element()? {
                    self.0.one()?;
                    row.push(number);
                }
                Ok(row)
            }
        }

        deserializer.deserialize_seq(Rows(Left(MOST))).map(Lists)
    }
}

/// Decimal number, parsed from its text so that it is not rounded.
pub(in crate::formats) struct Decimal(pub(in crate::formats) Points);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        text.parse().map(Decimal).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_key_and_the_location() {
        let text = "{\"a\": [1, 2, 3],\n \"b\": [[1], [2, \"ü\", 3]], \"c\": 0.10, \"d\": [7,8]}";
        let mut object = Object::read(text).unwrap();
        let list: Result<Option<List<u8, 2>>, ParseError> = object.take("a", "two numbers");
        assert_eq!(
            list.err().unwrap().to_string(),
            "line 1, column 15: key 'a' is '[1, 2, 3]', expected two numbers"
        );
        let list: Result<Option<Vec<Vec<u8>>>, ParseError> = object.take("b", "numbers");
        assert_eq!(
            list.err().unwrap().to_string(),
            "line 2, column 17: key 'b' is '[[1], [2, \"ü\", 3]]', expected numbers"
        );
        assert_eq!(object.take::<u8>("z", "a number").unwrap(), None);
        assert_eq!(
            object.need::<u8>("z", "a number").unwrap_err().to_string(),
            "line 2, column 49: key 'z' is missing, expected a number"
        );
        let tenth: Decimal = object.need("c", "a number").unwrap();
        assert_eq!(tenth.0.to_string(), "0.1");
        assert_eq!(
            object.finish("a or c").unwrap_err().to_string(),
            "line 2, column 43: unknown key 'd', expected a or c"
        );
        let _: Vec<u8> = object.need("d", "numbers").unwrap();
        assert_eq!(
            object.wrong("d", &[1], "eight").to_string(),
            "line 2, column 46: eight"
        );
        assert_eq!(
            object.wrong("d", &[5], "none").to_string(),
            "line 2, column 43: none"
        );
    }

    #[test]
    fn rejects_anything_but_an_object_with_one_line() {
        for (text, column) in [
            ("{", 1),
            ("[1]", 1),
            ("{\"a\":1,\"a\":2}", 13),
            ("{\"a\":1} x", 9),
            ("{a:1}", 2),
            ("", 1),
        ] {
            let error = Object::read(text).err().unwrap().to_string();
            let start = format!("line 1, column {column}: not a JSON object (");
            assert!(error.starts_with(&start), "{text}: {error}");
            assert!(error.contains("), expected "), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
