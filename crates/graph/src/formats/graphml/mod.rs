//! GraphML: XML in which `key` elements declare attributes. `data` elements inside nodes and edges
//! give their values. yEd stores coordinates and names in shapes inside `data`. This module also
//! reads GEXF, which writes attributes in another way.

mod elements;
mod write;

use elements::File;
pub(super) use write::write;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;

/// Maximum nesting depth of elements; no known graph nests deeper.
const DEEPEST: usize = 64;

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    read_as(input, "graphml")
}

/// Reads GEXF, the format of Gephi.
pub(super) fn read_gexf(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    read_as(input, "gexf")
}

fn read_as(input: &Input<'_>, root: &'static str) -> Result<RawGraph, ParseError> {
    let mut file = File::new(input, root);
    let mut reader = Reader::from_str(input.text);
    loop {
        file.offset = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let offset = reader.error_position() as usize;
            ParseError::at(
                input.text,
                offset,
                format!(
                    "{}, expected XML of {root}",
                    super::one_line(&error.to_string())
                ),
            )
        })?;
        match event {
            Event::Start(element) => {
                file.start(&element)?;
                if file.owner.len() > DEEPEST {
                    return Err(file.fault(format!(
                        "elements nested more than {DEEPEST} deep, expected at most {DEEPEST}"
                    )));
                }
            }
            Event::Empty(element) => {
                file.start(&element)?;
                file.end()?;
            }
            Event::End(_) => file.end()?,
            Event::Text(text) => {
                let piece = text.xml10_content();
                file.text(&piece);
            }
            Event::CData(text) => file.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let whole = format!("&{name};");
                match quick_xml::escape::unescape(&whole) {
                    Ok(piece) => file.text(&piece),
                    // Refuse entities that a file defines: nested ones can expand to a huge text.
                    Err(_) => {
                        return Err(file.fault(format!(
                            "'{}', expected a predefined entity",
                            omnigo_base::text::quote(&whole)
                        )));
                    }
                }
            }
            Event::Eof if file.owner.is_empty() => break,
            Event::Eof => {
                return Err(file.fault(format!("the end of the file, expected </{root}>")));
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if file.graphs == 0 {
        return Err(ParseError::at(
            input.text,
            input.text.len(),
            format!("no graph, expected <{root}> with <graph>"),
        ));
    }
    if file.graphs < input.wanted() {
        return Err(input.missing(file.graphs));
    }
    if file.graphs > 1 {
        file.draft.warnings.extend(input.several(file.graphs));
    }
    file.finish()
}
