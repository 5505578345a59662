//! Letters as strokes. They need no font, so a picture looks the same in every program.
//!
//! A glyph is an SVG path of `M`, `L`, and `Q` on a small grid. The baseline is 0, and y points up.
//! Capitals are [`CAPITAL`] high, small letters are 7 high, and descenders reach down to -3. Every
//! printable character of ASCII has a glyph, and so have the Latin letters of Europe. A text with
//! other characters needs a font; see [`has_strokes`].

use std::fmt::Write;

use super::element::number;
use super::letters::{self, Mark, Side};

/// Height of capitals and digits, in units of the grid.
pub(super) const CAPITAL: f64 = 10.0;
/// Space after a glyph, in units of the grid.
const SPACING: f64 = 2.0;
/// Width of a stroke, in units of the grid.
const STROKE: f64 = 1.25;

/// Width of a glyph, and its strokes.
type Glyph = (u8, &'static str);

/// Glyphs from `!` to `~`.
#[rustfmt::skip]
const GLYPHS: [Glyph; 94] = [
    (0, "M0 10L0 3.5M0 0L0 0.1"),
    (3, "M0 10L0 7M3 10L3 7"),
    (7, "M2 0L3 10M5 0L6 10M0 3L7 3M0.5 7L7.5 7"),
    (6, "M6 8Q5 9 3 9Q0 9 0 7Q0 5.4 3 5Q6 4.6 6 3Q6 1 3 1Q1 1 0 2M3 10.5L3 -0.5"),
    (8, "M7.5 10L0.5 0M2 10Q0 10 0 8Q0 6 2 6Q4 6 4 8Q4 10 2 10M6 4Q4 4 4 2Q4 0 6 0Q8 0 8 2Q8 4 6 4"),
    (8, "M8 0L2 6.5Q1 7.5 1 8.3Q1 10 2.8 10Q4.5 10 4.5 8.3Q4.5 7 2.5 6Q0 4.8 0 2.6Q0 0 3 0Q6.5 0 7.5 4.5"),
    (0, "M0 10L0 7"),
    (3, "M3 11Q0 8.5 0 4.5Q0 0.5 3 -2"),
    (3, "M0 11Q3 8.5 3 4.5Q3 0.5 0 -2"),
    (6, "M3 9L3 3M0.4 7.5L5.6 4.5M5.6 7.5L0.4 4.5"),
    (6, "M3 8L3 2M0 5L6 5"),
    (1, "M1 0L1 0.4Q1 -1.2 0 -2"),
    (5, "M0 4.5L5 4.5"),
    (0, "M0 0L0 0.1"),
    (5, "M5 11L0 -1.5"),
    (6, "M3 10Q0 10 0 5Q0 0 3 0Q6 0 6 5Q6 10 3 10"),
    (3, "M0 8L3 10L3 0"),
    (6, "M0 7.5Q0 10 3 10Q6 10 6 7.4Q6 5.8 4.5 4.2L0 0L6 0"),
    (6, "M0 8.5Q1 10 3 10Q5.8 10 5.8 7.7Q5.8 5.3 2.6 5.3Q6 5.3 6 2.7Q6 0 3 0Q1 0 0 1.6"),
    (6, "M4.5 0L4.5 10L0 3L6 3"),
    (6, "M5.5 10L1 10L0.5 5.6Q1.5 6.4 3 6.4Q6 6.4 6 3.2Q6 0 2.8 0Q1 0 0 1.4"),
    (6, "M5.4 9Q4.6 10 3.3 10Q0 10 0 4.6Q0 0 3 0Q6 0 6 3.1Q6 6.2 3.1 6.2Q0.6 6.2 0 3.8"),
    (6, "M0 10L6 10L2 0"),
    (6, "M3 5.4Q0.4 5.4 0.4 7.7Q0.4 10 3 10Q5.6 10 5.6 7.7Q5.6 5.4 3 5.4Q0 5.4 0 2.7Q0 0 3 0Q6 0 6 2.7Q6 5.4 3 5.4"),
    (6, "M0.6 1Q1.4 0 2.7 0Q6 0 6 5.4Q6 10 3 10Q0 10 0 6.9Q0 3.8 2.9 3.8Q5.4 3.8 6 6.2"),
    (0, "M0 6.5L0 6.4M0 0L0 0.1"),
    (1, "M0.5 6.5L0.5 6.4M1 0L1 0.4Q1 -1.2 0 -2"),
    (5, "M5 8L0 4.5L5 1"),
    (5, "M0 6L5 6M0 3L5 3"),
    (5, "M0 8L5 4.5L0 1"),
    (5, "M0 8Q0.3 10 2.6 10Q5 10 5 7.7Q5 6.3 3.5 5.2Q2.5 4.5 2.5 3.3M2.5 0L2.5 0.1"),
    (9, "M6.5 6Q6 7 4.8 7Q2.6 7 2.6 4.5Q2.6 2.4 4.4 2.4Q6.4 2.4 6.6 5L6.5 7M6.5 5Q6 2.4 7.4 2.4Q9 2.4 9 5.4Q9 10 4.6 10Q0 10 0 4.6Q0 -0.5 5 -0.5Q6.6 -0.5 7.6 0"),
    (8, "M0 0L4 10L8 0M1.4 3.4L6.6 3.4"),
    (6, "M0 0L0 10L3 10Q5.7 10 5.7 7.7Q5.7 5.4 3 5.4L0 5.4M3 5.4Q6.2 5.4 6.2 2.7Q6.2 0 3 0L0 0"),
    (7, "M7 8.2Q6 10 4 10Q0 10 0 5Q0 0 4 0Q6 0 7 1.8"),
    (7, "M0 0L0 10L2.8 10Q7 10 7 5Q7 0 2.8 0L0 0"),
    (6, "M6 10L0 10L0 0L6 0M0 5.3L5 5.3"),
    (6, "M6 10L0 10L0 0M0 5.3L5 5.3"),
    (7, "M7 8.2Q6 10 4 10Q0 10 0 5Q0 0 4 0Q7 0 7 3.2L7 4.6L4.2 4.6"),
    (7, "M0 0L0 10M7 0L7 10M0 5.3L7 5.3"),
    (0, "M0 0L0 10"),
    (4, "M4 10L4 2.6Q4 0 2 0Q0 0 0 2.2"),
    (7, "M0 0L0 10M6.6 10L0 3.8M2.6 6.3L7 0"),
    (5, "M0 10L0 0L5 0"),
    (8, "M0 0L0 10L4 3L8 10L8 0"),
    (7, "M0 0L0 10L7 0L7 10"),
    (8, "M4 10Q0 10 0 5Q0 0 4 0Q8 0 8 5Q8 10 4 10"),
    (6, "M0 0L0 10L3 10Q6.2 10 6.2 7.3Q6.2 4.6 3 4.6L0 4.6"),
    (8, "M4 10Q0 10 0 5Q0 0 4 0Q8 0 8 5Q8 10 4 10M5 2.6L8 -0.8"),
    (6, "M0 0L0 10L3 10Q6.2 10 6.2 7.4Q6.2 4.8 3 4.8L0 4.8M3.2 4.8L6.6 0"),
    (6, "M5.8 8.4Q5 10 3 10Q0.2 10 0.2 7.7Q0.2 5.9 3 5.3Q6.2 4.6 6.2 2.6Q6.2 0 3 0Q0.8 0 0 1.8"),
    (7, "M0 10L7 10M3.5 10L3.5 0"),
    (7, "M0 10L0 3.4Q0 0 3.5 0Q7 0 7 3.4L7 10"),
    (8, "M0 10L4 0L8 10"),
    (11, "M0 10L2.7 0L5.5 9L8.3 0L11 10"),
    (7, "M0 10L7 0M7 10L0 0"),
    (7, "M0 10L3.5 4.8L7 10M3.5 4.8L3.5 0"),
    (7, "M0 10L7 10L0 0L7 0"),
    (3, "M3 11L0 11L0 -2L3 -2"),
    (5, "M0 11L5 -1.5"),
    (3, "M0 11L3 11L3 -2L0 -2"),
    (6, "M0 6.5L3 10L6 6.5"),
    (6, "M0 -1.5L6 -1.5"),
    (2, "M0 10.5L2 8.5"),
    (5, "M0.4 5.8Q1 7 2.8 7Q5 7 5 4.8L5 0M5 4Q0 4.4 0 1.9Q0 0 2.1 0Q4.4 0 5 2"),
    (5, "M0 10L0 0M0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5"),
    (5, "M5 5.6Q4.3 7 2.8 7Q0 7 0 3.5Q0 0 2.8 0Q4.3 0 5 1.4"),
    (5, "M5.4 10L5.4 0M5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5"),
    (5, "M0.1 3.8L5.2 3.8Q5.2 7 2.7 7Q0 7 0 3.5Q0 0 2.8 0Q4.4 0 5 1.4"),
    (4, "M4 10Q1.6 10.4 1.6 7.8L1.6 0M0 6.8L3.6 6.8"),
    (5, "M5.4 7L5.4 0.2Q5.4 -3 2.7 -3Q1 -3 0.3 -1.9M5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5"),
    (5, "M0 10L0 0M0 4Q0.6 7 2.8 7Q5 7 5 4.4L5 0"),
    (0, "M0 7L0 0M0 9.8L0 9.9"),
    (2, "M2 7L2 -0.8Q2 -3 0 -3M2 9.8L2 9.9"),
    (5, "M0 10L0 0M4.6 7L0 2.6M1.9 4.4L5 0"),
    (1, "M0 10L0 1.4Q0 0 1.4 0"),
    (9, "M0 7L0 0M0 4Q0.4 7 2.4 7Q4.5 7 4.5 4.4L4.5 0M4.5 4Q4.9 7 6.9 7Q9 7 9 4.4L9 0"),
    (5, "M0 7L0 0M0 4Q0.6 7 2.8 7Q5 7 5 4.4L5 0"),
    (6, "M2.8 7Q0 7 0 3.5Q0 0 2.8 0Q5.6 0 5.6 3.5Q5.6 7 2.8 7"),
    (5, "M0 7L0 -3M0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5"),
    (5, "M5.4 7L5.4 -3M5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5"),
    (3, "M0 7L0 0M0 3.8Q0.5 7 3.2 7"),
    (5, "M4.6 5.8Q4 7 2.4 7Q0.2 7 0.2 5.4Q0.2 4.2 2.4 3.7Q4.9 3.2 4.9 1.8Q4.9 0 2.4 0Q0.6 0 0 1.3"),
    (4, "M1.6 9.4L1.6 1.8Q1.6 0 3.8 0.2M0 6.8L3.7 6.8"),
    (5, "M0 7L0 2.6Q0 0 2.2 0Q4.4 0 5 3M5 7L5 0"),
    (5, "M0 7L2.7 0L5.4 7"),
    (8, "M0 7L2 0L4.2 6.4L6.4 0L8.4 7"),
    (5, "M0 7L5 0M5 7L0 0"),
    (5, "M0 7L2.7 0M5.4 7L2.2 -1.4Q1.6 -3 0 -3"),
    (5, "M0.2 7L5 7L0 0L5 0"),
    (3, "M3 11Q1.4 11 1.4 9L1.4 6.5Q1.4 4.5 0 4.5Q1.4 4.5 1.4 2.5L1.4 0Q1.4 -2 3 -2"),
    (0, "M0 11L0 -2"),
    (3, "M0 11Q1.6 11 1.6 9L1.6 6.5Q1.6 4.5 3 4.5Q1.6 4.5 1.6 2.5L1.6 0Q1.6 -2 0 -2"),
    (6, "M0 4Q0.4 5.6 1.8 5.6Q2.8 5.6 3.2 4.8Q3.6 4 4.4 4Q5.6 4 6 5.6"),
];

/// Letter of a text: width, strokes, and a mark if it has one.
#[derive(Clone, Copy)]
struct Letter {
    width: f64,
    strokes: &'static str,
    mark: Option<&'static Mark>,
    /// True if a mark above must stand over the height of capitals.
    is_high: bool,
}

/// Returns the letter of a character, or `None` if it has no strokes.
fn letter(c: char) -> Option<Letter> {
    if c == ' ' {
        return Some(Letter {
            width: 1.0,
            strokes: "",
            mark: None,
            is_high: false,
        });
    }
    let index = (c as usize).checked_sub('!' as usize);
    let ascii = index.and_then(|index| GLYPHS.get(index)).copied();
    let own = ascii.map(|(width, strokes)| (f64::from(width), strokes));
    if let Some((width, strokes)) = own.or_else(|| letters::own(c)) {
        return Some(Letter {
            width,
            strokes,
            mark: None,
            is_high: !c.is_lowercase() || "bdfhklt".contains(c),
        });
    }
    let (base, mark) = letters::marked(c)?;
    letter(base).map(|letter| letter.with(base, mark))
}

impl Letter {
    /// Returns the letter with a mark. A mark above replaces the dot of i and j.
    fn with(self, base: char, mark: &'static Mark) -> Letter {
        let dotless = match (base, mark.side) {
            ('i', Side::Above) => letters::own('ı'),
            ('j', Side::Above) => letters::own('ȷ'),
            _ => None,
        };
        Letter {
            strokes: dotless.map_or(self.strokes, |(_, strokes)| strokes),
            mark: Some(mark),
            ..self
        }
    }
}

/// Returns the letters of a text, or `None` for each character without strokes.
fn read(text: &str) -> Vec<Option<Letter>> {
    let mut read: Vec<Option<Letter>> = Vec::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match (letters::combining(c), read.last_mut()) {
            (Some(mark), Some(Some(last))) if last.mark.is_none() => {
                *last = last.with(before, mark);
            }
            _ => read.push(letter(c)),
        }
        before = c;
    }
    read
}

/// Returns true if every character of the text can be drawn as strokes.
pub(super) fn has_strokes(text: &str) -> bool {
    read(text).iter().all(Option::is_some)
}

/// Width of a character that only a font can draw, in units of the grid. It is an estimate: Chinese
/// characters are square, and others are at most as wide as capitals.
fn foreign(c: char) -> f64 {
    match c {
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{1100}'.. => 15.0,
        _ => 9.0,
    }
}

/// Returns the width of a text with capitals `size` high.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let sum: f64 = if has_strokes(text) {
        let read = read(text);
        read.iter().flatten().map(|l| l.width + SPACING).sum()
    } else {
        let one = |c: char| letter(c).map_or_else(|| foreign(c), |l| l.width + SPACING);
        text.chars().map(one).sum()
    };
    (sum - SPACING).max(0.0) * size / CAPITAL
}

/// Returns the width of the strokes of a text with capitals `size` high.
pub(super) fn stroke(size: f64) -> f64 {
    STROKE * size / CAPITAL
}

/// Returns the path of a text whose middle is at `x`, `y`. y points down, and capitals are `size`
/// high. Characters without strokes are drawn as question marks.
pub(super) fn path(text: &str, x: f64, y: f64, size: f64) -> String {
    let scale = size / CAPITAL;
    let letters: Vec<Letter> = read(text)
        .into_iter()
        .filter_map(|known| known.or_else(|| letter('?')))
        .collect();
    let sum: f64 = letters.iter().map(|l| l.width + SPACING).sum();
    let mut left = x - (sum - SPACING).max(0.0) * scale / 2.0;
    let bottom = y + size / 2.0;
    let mut path = String::new();
    for letter in letters {
        trace(letter.strokes, left, bottom, scale, &mut path);
        if let Some(mark) = letter.mark {
            let (right, up) = match mark.side {
                Side::Above => (0.5 * letter.width, if letter.is_high { 11.6 } else { 8.6 }),
                Side::Below => (0.5 * letter.width, 0.0),
                Side::Tail => (0.75 * letter.width, 0.0),
                Side::Corner => (letter.width, 0.0),
            };
            let (x, y) = (left + right * scale, bottom - up * scale);
            trace(mark.strokes, x, y, scale, &mut path);
        }
        left += (letter.width + SPACING) * scale;
    }
    path
}

/// Appends the path of a glyph with its origin at `left`, `bottom`.
fn trace(strokes: &str, left: f64, bottom: f64, scale: f64, path: &mut String) {
    let mut across = true;
    let mut digits = String::new();
    let finish = |digits: &mut String, across: bool, path: &mut String| {
        if let Ok(value) = digits.parse::<f64>() {
            let place = if across {
                left + value * scale
            } else {
                bottom - value * scale
            };
            let _ = write!(path, "{}", number(place));
        }
        digits.clear();
    };
    for c in strokes.chars() {
        match c {
            ' ' => {
                finish(&mut digits, across, path);
                across = !across;
                path.push(' ');
            }
            'M' | 'L' | 'Q' => {
                finish(&mut digits, across, path);
                across = true;
                path.push(c);
            }
            digit => digits.push(digit),
        }
    }
    finish(&mut digits, across, path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_well_formed_and_within_its_box() {
        for (index, (width, strokes)) in GLYPHS.iter().enumerate() {
            let c = (b'!' + index as u8) as char;
            for stroke in strokes.split(['M', 'L']).skip(1) {
                for place in stroke.split('Q') {
                    let numbers: Vec<f64> =
                        place.split(' ').map(|word| word.parse().unwrap()).collect();
                    assert!(numbers.len() == 2 || numbers.len() == 4, "{c}: {place}");
                    for pair in numbers.chunks(2) {
                        let inside = pair[0] >= 0.0 && pair[0] <= f64::from(*width) + 1.0;
                        assert!(inside && (-3.0..=11.0).contains(&pair[1]), "{c}: {place}");
                    }
                }
            }
        }
    }

    #[test]
    fn texts_are_centered() {
        assert_eq!(path("I", 5.0, 5.0, 10.0), "M5 10L5 0");
        assert_eq!(width("II", 10.0), 2.0);
        assert_eq!(width("", 10.0), 0.0);
    }

    #[test]
    fn latin_letters_have_strokes_and_others_do_not() {
        let latin1 = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
        let latin2 = "ĄŁĽŚŠŞŤŹŽŻąłľśšşťźžżŔĂĹĆČĘĚĎĐŃŇŐŘŮŰŢŕăĺćčęěďđńňőřůűţ";
        for c in latin1.chars().chain(latin2.chars()) {
            assert!(has_strokes(&c.to_string()), "{c}");
        }
        assert_ne!(path("é", 3.0, 5.0, 10.0), path("ü", 3.0, 5.0, 10.0));
        assert_eq!(path("e\u{301}", 3.0, 5.0, 10.0), path("é", 3.0, 5.0, 10.0));
        assert!(!path("í", 3.0, 5.0, 10.0).starts_with(&path("i", 3.0, 5.0, 10.0)));
        for text in ["日", "Ελλάς", "Жo", "\u{fffd}"] {
            assert!(!has_strokes(text), "{text}");
            assert!(width(text, 10.0) > 0.0);
        }
    }
}
