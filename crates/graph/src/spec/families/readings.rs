//! Operators that change how the files of their operand are read: `symmetrize(SPEC)` and
//! `pick(SPEC,N)`.

use super::operands::{operand, split};
use super::operation::{Whole, one_read, part_of};
use super::{Family, Recipe};
use crate::formats::Reading;
use crate::model::board_parts::{BoardParts, Size};
use crate::model::goban::Goban;
use crate::spec::SpecError;
use omnigo_base::text::quote;

/// Returns the board as a part that also keeps the notes of its file.
fn kept(goban: &Goban) -> BoardParts {
    BoardParts {
        notes: goban.notes.clone(),
        ..part_of(goban)
    }
}

pub(super) fn symmetrize(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let read = |reading: &Reading| Reading {
        symmetrize: true,
        ..reading.clone()
    };
    one_read(family, text, read, |_, goban| Ok(kept(goban)))
}

pub(super) fn pick(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    let (inner, number) = split(family, text, number)?;
    if !inner.reads_files() {
        return Err(family.refuse(text, "with a file and a number, such as (file:graphs.g6,3)"));
    }
    let arguments = format!("({},{number})", operand(&inner));
    let whole = Whole(quote(&format!("{}{arguments}", family.name)));
    Ok(Recipe::of_others(
        arguments,
        Size::default(),
        move |reading| {
            let reading = Reading {
                number: Some(number),
                ..reading.clone()
            };
            Ok(kept(&whole.graph(&inner, &reading)?))
        },
    ))
}
