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
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::points::Points;
use crate::text::quote;

/// More keys than any kind of file has.
const MOST_KEYS: usize = 64;

/// The keys of an object that have not been taken, with their values as text.
pub(super) struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Reads an object without looking into its values.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Object<'a>, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not valid UTF-8".to_string())?;
        serde_json::from_str(text)
            .map_err(|error| format!("it is no JSON object, {}", quote(&error.to_string())))
    }

    /// The value of a key, if it is there; `expected` says what the value should be.
    pub(super) fn take<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, String> {
        let Some(place) = self.0.iter().position(|(name, _)| name == key) else {
            return Ok(None);
        };
        let (_, value) = self.0.swap_remove(place);
        match serde_json::from_str(value.get()) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(refusal(key, value.get(), expected)),
        }
    }

    /// The value of a key that has to be there.
    pub(super) fn need<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<T, String> {
        self.take(key, expected)?
            .ok_or_else(|| format!("key '{key}' is missing, expected {expected}"))
    }

    /// Whether the key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// The keys that nobody took, with their values.
    pub(super) fn into_pairs(self) -> Vec<(String, &'a RawValue)> {
        self.0
    }

    /// Refuses keys that nobody took.
    pub(super) fn finish(self, expected: &str) -> Result<(), String> {
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(format!(
                "unknown key '{}', expected {expected}",
                quote(&key)
            )),
        }
    }
}

/// The value of a key is not what was expected.
pub(super) fn refusal(key: &str, value: &str, expected: &str) -> String {
    format!("key '{key}' is '{}', expected {expected}", quote(value))
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
                Ok(Object(pairs))
            }
        }

        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

/// A list of at most `MOST` items: a longer one is refused before it takes memory.
pub(super) struct List<T, const MOST: usize>(pub(super) Vec<T>);

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
    fn refusals_name_the_key() {
        let mut object = Object::read(br#" {"a": [1, 2, 3], "b": "x", "c": 0.10} "#).unwrap();
        let list: Result<Option<List<u8, 2>>, String> = object.take("a", "two numbers");
        assert_eq!(
            list.err().unwrap(),
            "key 'a' is '[1, 2, 3]', expected two numbers"
        );
        assert_eq!(object.take::<u8>("z", "a number").unwrap(), None);
        assert_eq!(
            object.need::<u8>("z", "a number").unwrap_err(),
            "key 'z' is missing, expected a number"
        );
        let tenth: Decimal = object.need("c", "a number").unwrap();
        assert_eq!(tenth.0.to_string(), "0.1");
        assert_eq!(
            object.finish("a or c").unwrap_err(),
            "unknown key 'b', expected a or c"
        );
    }

    #[test]
    fn what_is_no_object_is_refused_on_one_line() {
        for text in ["{", "[1]", "{\"a\":1,\"a\":2}", "{\"a\":1} x", "{a:1}"] {
            let error = Object::read(text.as_bytes()).err().unwrap();
            assert!(error.starts_with("it is no JSON object, "), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        assert_eq!(
            Object::read(b"{\"\xff\":1}").err().unwrap(),
            "it is not valid UTF-8"
        );
    }
}
