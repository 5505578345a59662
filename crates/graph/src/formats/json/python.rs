//! Numbers that Python writes into JSON although JSON does not have them.

use std::borrow::Cow;

/// Each non-finite number, and a quoted placeholder of the same length. No attribute accepts the
/// placeholder as a number. Equal lengths keep the columns of later errors.
const NUMBERS: [(&str, &str); 3] = [
    ("NaN", "\"-\""),
    ("-Infinity", "\"-------\""),
    ("Infinity", "\"------\""),
];

/// Returns a text of the same length without these numbers outside of strings, and how many there
/// were.
pub(super) fn without_non_finite(text: &str) -> (Cow<'_, str>, usize) {
    if !NUMBERS.iter().any(|(number, _)| text.contains(number)) {
        return (text.into(), 0);
    }
    let mut out = String::with_capacity(text.len());
    let mut count = 0;
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let found = NUMBERS.iter().filter(|_| !in_string);
        let found = found.copied().find(|(number, _)| rest.starts_with(number));
        let (length, written) = match found {
            Some((number, word)) => (number.len(), word),
            None => {
                let length = sign.len_utf8();
                (length, rest.get(..length).unwrap_or_default())
            }
        };
        count += usize::from(found.is_some());
        out.push_str(written);
        rest = rest.get(length..).unwrap_or_default();
        in_string ^= sign == '"' && !escaped;
        escaped = in_string && sign == '\\' && !escaped;
    }
    (out.into(), count)
}

#[cfg(test)]
mod tests {
    use super::without_non_finite;

    #[test]
    fn numbers_in_strings_stay() {
        let text = r#"{"NaN":"a\"NaN","w":[NaN,-Infinity,Infinity],"b\\":NaN}"#;
        let (plain, count) = without_non_finite(text);
        let expected = r#"{"NaN":"a\"NaN","w":["-","-------","------"],"b\\":"-"}"#;
        assert_eq!((plain.as_ref(), count), (expected, 4));
        assert_eq!(without_non_finite("{}").1, 0);
    }
}
