//! PLY: a header that describes elements and their properties, then the elements as text or in
//! binary. The elements `vertex`, `face`, and `edge` are read. Only read.

use super::Input;
use super::mesh::Mesh;
use super::parse_error::ParseError;
use super::raw_graph::{Excess, RawGraph};
use super::words::{end, excess, number, plain_words};
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// First line of a file.
const MAGIC: &str = "ply";
/// Last line of the header.
const LAST: &str = "end_header";
const FORMAT: &str = "format ascii, binary_little_endian or binary_big_endian";
const STATEMENT: &str = "format, element, property, comment, obj_info or end_header";
const PROPERTY: &str = "a type such as float, or list with two types, then a name";

/// Returns true if a text is PLY, whatever its extension.
pub(super) fn is_ply(text: &str) -> bool {
    let mut lines = text.lines();
    let known = ["format", "comment", "obj_info"];
    lines.next().is_some_and(|line| line.trim_end() == MAGIC)
        && lines
            .next()
            .and_then(|line| plain_words(line).next())
            .is_some_and(|word| known.contains(&word))
}

/// Returns the length of the header of a binary file, in bytes. `None` for any other file.
pub(super) fn binary_head(bytes: &[u8]) -> Option<usize> {
    let mut length = 0;
    let mut is_binary = false;
    for (place, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        length += line.len();
        let line = line.trim_ascii();
        if place == 0 && line != MAGIC.as_bytes() {
            return None;
        }
        is_binary |= line.starts_with(b"format") && line.windows(6).any(|part| part == b"binary");
        if line == LAST.as_bytes() {
            return is_binary.then_some(length);
        }
    }
    None
}

/// Type of a number.
#[derive(Clone, Copy)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of(name: &str) -> Option<Kind> {
        Some(match name {
            "char" | "int8" => Kind::I8,
            "uchar" | "uint8" => Kind::U8,
            "short" | "int16" => Kind::I16,
            "ushort" | "uint16" => Kind::U16,
            "int" | "int32" => Kind::I32,
            "uint" | "uint32" => Kind::U32,
            "float" | "float32" => Kind::F32,
            "double" | "float64" => Kind::F64,
            _ => return None,
        })
    }

    /// Takes a number from the beginning of these bytes; `None` if there are too few.
    fn take(self, bytes: &mut &[u8], big: bool) -> Option<f64> {
        fn first<const N: usize>(bytes: &mut &[u8], big: bool) -> Option<[u8; N]> {
            let (mut number, rest) = bytes.split_first_chunk::<N>().map(|(a, b)| (*a, b))?;
            *bytes = rest;
            if big {
                number.reverse();
            }
            Some(number)
        }
        Some(match self {
            Kind::I8 => i8::from_le_bytes(first(bytes, big)?).into(),
            Kind::U8 => u8::from_le_bytes(first(bytes, big)?).into(),
            Kind::I16 => i16::from_le_bytes(first(bytes, big)?).into(),
            Kind::U16 => u16::from_le_bytes(first(bytes, big)?).into(),
            Kind::I32 => i32::from_le_bytes(first(bytes, big)?).into(),
            Kind::U32 => u32::from_le_bytes(first(bytes, big)?).into(),
            Kind::F32 => f32::from_le_bytes(first(bytes, big)?).into(),
            Kind::F64 => f64::from_le_bytes(first(bytes, big)?),
        })
    }
}

/// Names of the list of a face's corners. Most programs write one of the first two.
const CORNERS: [&str; 7] = [
    "vertex_indices",
    "vertex_index",
    "vertex_ids",
    "vertices",
    "verts",
    "indices",
    "idx",
];

/// Meaning of a property for the graph.
#[derive(Clone, Copy)]
enum Role {
    /// Coordinate of a vertex; axis 0 is x.
    Axis(usize),
    /// Corners of a face.
    Corners,
    /// First or second end of an edge.
    End(usize),
    Other,
}

struct Property {
    role: Role,
    kind: Kind,
    /// Type of the number of items if the property is a list.
    count: Option<Kind>,
}

/// Kind of items, such as vertices.
struct Element<'a> {
    name: &'a str,
    count: u64,
    properties: Vec<Property>,
}

/// Form of the numbers after the header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Binary { big: bool },
}

/// Reads the header. Returns its last word, too.
fn head(text: &str) -> Result<(Form, Vec<Element<'_>>, &str), ParseError> {
    let mut form = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut lines = text.lines();
    let magic = lines.next().unwrap_or(end(text));
    if magic.trim_end() != MAGIC {
        return Err(ParseError::found(text, magic, MAGIC));
    }
    for line in lines {
        let mut words = plain_words(line);
        let Some(key) = words.next() else { continue };
        let mut next = || words.next().unwrap_or(end(line));
        match key {
            "comment" | "obj_info" => {}
            "format" => {
                let word = next();
                form = Some(match word {
                    "ascii" => Form::Text,
                    "binary_little_endian" => Form::Binary { big: false },
                    "binary_big_endian" => Form::Binary { big: true },
                    _ => return Err(ParseError::found(text, word, FORMAT)),
                });
            }
            "element" => {
                let name = next();
                let count = number(text, next(), "the number of these elements")?;
                elements.push(Element {
                    name,
                    count,
                    properties: Vec::new(),
                });
            }
            "property" => {
                let Some(element) = elements.last_mut() else {
                    return Err(ParseError::found(
                        text,
                        key,
                        "an element before its properties",
                    ));
                };
                let kind = |word: &str| {
                    Kind::of(word).ok_or_else(|| ParseError::found(text, word, PROPERTY))
                };
                let word = next();
                let (count, kind) = match word {
                    "list" => (Some(kind(next())?), kind(next())?),
                    word => (None, kind(word)?),
                };
                let role = match (element.name, next(), count) {
                    (_, "", _) => return Err(ParseError::found(text, end(line), PROPERTY)),
                    ("vertex", "x", None) => Role::Axis(0),
                    ("vertex", "y", None) => Role::Axis(1),
                    ("vertex", "z", None) => Role::Axis(2),
                    ("face", name, Some(_)) if CORNERS.contains(&name) => Role::Corners,
                    ("edge", "vertex1", None) => Role::End(0),
                    ("edge", "vertex2", None) => Role::End(1),
                    _ => Role::Other,
                };
                element.properties.push(Property { role, kind, count });
            }
            LAST => match form {
                Some(form) => return Ok((form, elements, key)),
                None => return Err(ParseError::found(text, key, FORMAT)),
            },
            _ => return Err(ParseError::found(text, key, STATEMENT)),
        }
    }
    Err(ParseError::found(text, end(text), LAST))
}

/// Numbers after the header, one by one.
struct Numbers<'a> {
    text: &'a str,
    form: Form,
    words: std::str::SplitWhitespace<'a>,
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    /// Returns the next number and its word, which is empty in binary.
    fn next(&mut self, kind: Kind, of: &str) -> Result<(f64, &'a str), ParseError> {
        let (word, found) = match self.form {
            Form::Text => {
                let word = self.words.next().unwrap_or(end(self.text));
                (word, word.parse().ok())
            }
            Form::Binary { big } => (end(self.text), kind.take(&mut self.bytes, big)),
        };
        match found {
            Some(number) => Ok((number, word)),
            None => Err(self.fault(word, &format!("a number of the element '{}'", quote(of)))),
        }
    }

    /// Returns a whole number below `limit`.
    fn whole(
        &mut self,
        kind: Kind,
        of: &str,
        limit: u64,
        expected: &str,
    ) -> Result<u64, ParseError> {
        let (found, word) = self.next(kind, of)?;
        match found.fract() == 0.0 && found >= 0.0 && found < limit as f64 {
            true => Ok(found as u64),
            false => Err(match self.form {
                Form::Text => self.fault(word, expected),
                Form::Binary { .. } => {
                    let problem = format!("{found} in the binary part, expected {expected}");
                    ParseError::at(self.text, self.text.len(), problem)
                }
            }),
        }
    }

    fn fault(&self, word: &str, expected: &str) -> ParseError {
        ParseError::found(self.text, word, expected)
    }

    /// Reports what follows the last element.
    fn finish(mut self) -> Result<(), ParseError> {
        const EXPECTED: &str = "the end of the file after the last element";
        if let Some(word) = self.words.next().filter(|_| self.form == Form::Text) {
            return Err(self.fault(word, EXPECTED));
        }
        match self.bytes.len() {
            0 => Ok(()),
            more => {
                let problem = format!("{more} more bytes, expected {EXPECTED}");
                Err(ParseError::at(self.text, self.text.len(), problem))
            }
        }
    }
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let (form, elements, last) = head(text)?;
    let fault = |excess: Excess| self::excess(text, last, excess);
    let total = elements.iter().filter(|element| element.name == "vertex");
    let total = total.fold(0u64, |sum, element| sum.saturating_add(element.count));
    if total == 0 {
        return Err(ParseError::found(
            text,
            last,
            "element vertex, and its number",
        ));
    }
    if total > Vertex::LIMIT as u64 {
        return Err(fault(Excess::Vertices));
    }
    let expected = format!("the index of a vertex from 0 to {}", total - 1);
    let after = (last.as_ptr() as usize + last.len()).saturating_sub(text.as_ptr() as usize);
    let mut numbers = Numbers {
        text,
        form,
        words: plain_words(text.get(after..).unwrap_or_default()),
        bytes: input.binary.unwrap_or_default(),
    };
    let mut mesh = Mesh::default();
    for element in &elements {
        let name = element.name;
        if !matches!(name, "vertex" | "face" | "edge") {
            let (name, source) = (quote(name), input.source);
            mesh.warn(format!("element '{name}' of {source} is ignored"));
        }
        // Items without properties take no space, so their number could be anything.
        if element.properties.is_empty() && name != "vertex" {
            continue;
        }
        for _ in 0..element.count {
            let mut at = [0.0; 3];
            let mut ends = [None; 2];
            for property in &element.properties {
                let kind = property.kind;
                if let Some(count) = property.count {
                    let size = u64::from(u32::MAX) + 1;
                    let items = numbers.whole(count, name, size, "the length of a list")?;
                    for _ in 0..items {
                        match property.role {
                            Role::Corners => {
                                let corner = numbers.whole(kind, name, total, &expected)?;
                                mesh.step(corner as u16).map_err(fault)?;
                            }
                            _ => drop(numbers.next(kind, name)?),
                        }
                    }
                    mesh.close(true).map_err(fault)?;
                    continue;
                }
                match property.role {
                    Role::Axis(axis) => {
                        let (number, word) = numbers.next(kind, name)?;
                        if !number.is_finite() {
                            return Err(numbers.fault(word, "finite coordinates"));
                        }
                        if let Some(place) = at.get_mut(axis) {
                            *place = number;
                        }
                    }
                    Role::End(place) => {
                        let corner = numbers.whole(kind, name, total, &expected)?;
                        if let Some(end) = ends.get_mut(place) {
                            *end = Some(corner as u16);
                        }
                    }
                    Role::Corners | Role::Other => drop(numbers.next(kind, name)?),
                }
            }
            if name == "vertex" {
                mesh.add(at).map_err(fault)?;
            }
            if let [Some(a), Some(b)] = ends {
                mesh.step(a).and_then(|()| mesh.step(b)).map_err(fault)?;
                mesh.close(false).map_err(fault)?;
            }
        }
    }
    numbers.finish()?;
    mesh.finish().map_err(fault)
}
