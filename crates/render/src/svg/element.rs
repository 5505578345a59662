//! Text of an SVG: numbers, escapes, and tags.

use std::fmt::{self, Write};

/// Coordinate that prints with at most two decimals.
pub(super) struct Number(f64);

/// Returns `value` as a coordinate.
pub(super) fn number(value: f64) -> Number {
    Number(value)
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An SVG with a missing number is invalid, so print 0 for values that are not finite.
        let value = if self.0.is_finite() { self.0 } else { 0.0 };
        let text = format!("{value:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// Returns a text as XML holds it. Characters that XML cannot hold, and all other control
/// characters, become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// SVG under construction.
#[derive(Default)]
pub(super) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

/// Value of an attribute.
pub(super) enum Value<'a> {
    Number(f64),
    Text(&'a str),
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Value::Number(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Value::Text(value)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(value: &'a String) -> Self {
        Value::Text(value)
    }
}

impl Svg {
    fn tag(&mut self, name: &str, attributes: &[(&str, Value<'_>)], end: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{:width$}<{name}", "", width = self.open.len());
        for (key, value) in attributes {
            let _ = match value {
                Value::Number(value) => write!(self.text, " {key}=\"{}\"", number(*value)),
                Value::Text(value) => write!(self.text, " {key}=\"{}\"", escape(value)),
            };
        }
        self.text.push_str(end);
        self.text.push('\n');
    }

    /// Writes an element without content.
    pub(super) fn leaf(&mut self, name: &str, attributes: &[(&str, Value<'_>)]) {
        self.tag(name, attributes, "/>");
    }

    /// Writes a text in a font.
    pub(super) fn text(&mut self, attributes: &[(&str, Value<'_>)], content: &str) {
        let end = format!(">{}</text>", escape(content));
        self.tag("text", attributes, &end);
    }

    /// Opens an element; [`Svg::end`] closes it.
    pub(super) fn begin(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes the last element that is open.
    pub(super) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "{:width$}</{name}>", "", width = self.open.len());
        }
    }

    /// Writes a title, which viewers show as the name of the element that contains it.
    pub(super) fn title(&mut self, title: &str) {
        let depth = self.open.len();
        let _ = writeln!(self.text, "{:depth$}<title>{}</title>", "", escape(title));
    }

    /// Closes all open elements and returns the text.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (1.0, "1"),
            (-0.001, "0"),
            (2.345, "2.35"),
            (10.0, "10"),
            (-7.5, "-7.5"),
            (f64::NAN, "0"),
        ] {
            assert_eq!(number(value).to_string(), text);
        }
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(
            escape("</svg><script>\"&'\u{1}"),
            "&lt;/svg&gt;&lt;script&gt;&quot;&amp;&#39;\u{fffd}"
        );
    }
}
