//! JSON objects from files, read key by key, so that a refusal names the key.

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

use super::formats::fault::Fault;
use crate::points::Points;
use crate::text::quote;

/// More keys than any kind of file has.
const MOST_KEYS: usize = 64;

/// The keys of an object, with their values as text.
pub(super) struct Object<'a> {
    /// The whole text, empty for an object within another.
    text: &'a str,
    /// What nobody has taken.
    left: Vec<(String, &'a RawValue)>,
    /// What was taken, for refusals that come later.
    taken: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads an object without looking into its values.
    pub(super) fn read(text: &'a str) -> Result<Object<'a>, Fault> {
        match serde_json::from_str(text) {
            Ok(object) => Ok(Object { text, ..object }),
            Err(error) => {
                let problem = message(&error);
                let problem = format!("no JSON object, {problem}; expected one in braces");
                Err(Fault::at(text, place(text, &error), problem))
            }
        }
    }

    /// The value of a key, if it is there; `expected` says what the value should be.
    pub(super) fn take<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, Fault> {
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

    /// The value of a key that has to be there.
    pub(super) fn need<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<T, Fault> {
        let value = self.take(key, expected)?;
        value.ok_or_else(|| {
            let problem = format!("key '{key}' is missing, expected {expected}");
            Fault::at(self.text, self.text.len(), problem)
        })
    }

    /// A problem of the value of a key that was taken; `path` leads to an item of it, in lists of lists.
    pub(super) fn wrong(&self, key: &str, path: &[usize], problem: impl Into<String>) -> Fault {
        let Some((_, value)) = self.taken.iter().find(|(name, _)| name == key) else {
            return Fault::at(self.text, 0, problem);
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

    /// A problem at a byte of a value.
    fn fault(&self, value: &RawValue, within: usize, problem: impl Into<String>) -> Fault {
        Fault::at(self.text, offset(self.text, value.get()) + within, problem)
    }

    /// Whether the key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.left.iter().any(|(name, _)| name == key)
    }

    /// The keys that nobody took, with their values.
    pub(super) fn into_pairs(self) -> Vec<(String, &'a RawValue)> {
        self.left
    }

    /// Refuses keys that nobody took.
    pub(super) fn finish(&self, expected: &str) -> Result<(), Fault> {
        match self.left.first() {
            None => Ok(()),
            Some((key, value)) => {
                let problem = format!("unknown key '{}', expected {expected}", quote(key));
                Err(self.fault(value, 0, problem))
            }
        }
    }
}

/// The value of a key is not what was expected.
pub(super) fn refusal(key: &str, value: &str, expected: &str) -> String {
    format!("key '{key}' is '{}', expected {expected}", quote(value))
}

/// What the library says, without the place, and with the word "expected" left for what is expected here.
pub(super) fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    quote(&message.replace(", expected", " instead of"))
}

/// The byte of a text at which the library stopped.
pub(super) fn place(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    before + error.column().saturating_sub(1)
}

/// Where the word or number begins that ends at this byte; the byte itself at any other sign.
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

/// Where a piece of the text begins.
pub(super) fn offset(text: &str, piece: &str) -> usize {
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
                        return Err(M::Error::custom(format!("key '{}' twice", quote(&key))));
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

/// Coordinates of one place: three are used, and one more is told apart from a longer list.
pub(super) type Coordinates = List<f64, 4>;

/// A list of at most `MOST` items: a longer one is refused before it takes memory.
pub(super) struct List<T, const MOST: usize>(pub(super) Vec<T>);

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

/// Lists of numbers, at most `MOST` lists and numbers together.
pub(super) struct Lists<const MOST: usize>(pub(super) Vec<Vec<usize>>);

impl<'de, const MOST: usize> Deserialize<'de> for Lists<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// What may still come.
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

/// A decimal number, taken from its text so that nothing is rounded.
pub(super) struct Decimal(pub(super) Points);

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
    fn refusals_name_the_key_and_the_place() {
        let text = "{\"a\": [1, 2, 3],\n \"b\": [[1], [2, \"ü\", 3]], \"c\": 0.10, \"d\": [7,8]}";
        let mut object = Object::read(text).unwrap();
        let list: Result<Option<List<u8, 2>>, Fault> = object.take("a", "two numbers");
        assert_eq!(
            list.err().unwrap().to_string(),
            "line 1, column 15: key 'a' is '[1, 2, 3]', expected two numbers"
        );
        let list: Result<Option<Vec<Vec<u8>>>, Fault> = object.take("b", "numbers");
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
    fn what_is_no_object_is_refused_on_one_line() {
        for (text, column) in [
            ("{", 1),
            ("[1]", 1),
            ("{\"a\":1,\"a\":2}", 13),
            ("{\"a\":1} x", 9),
            ("{a:1}", 2),
            ("", 1),
        ] {
            let error = Object::read(text).err().unwrap().to_string();
            let start = format!("line 1, column {column}: no JSON object, ");
            assert!(error.starts_with(&start), "{text}: {error}");
            assert!(error.contains("; expected "), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
