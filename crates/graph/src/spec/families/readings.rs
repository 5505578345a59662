//! Operators that change how the files of their operand are read: `symmetrize(SPEC)` and
//! `pick(SPEC,N)`.

use super::operands::{bare, enclosed, operand, split};
use super::operation::{part_of, recipe};
use super::{Family, Recipe};
use crate::formats::Reading;
use crate::model::board_parts::{BoardParts, Size};
use crate::model::goban::Goban;
use crate::spec::{Spec, SpecError};

/// Returns a board of any kind as a part that also keeps the notes of its file.
fn kept(goban: &Goban) -> BoardParts {
    BoardParts {
        notes: goban.notes.clone(),
        surface: goban.surface.clone(),
        ..part_of(goban)
    }
}

pub(super) fn symmetrize(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let inner: Spec = bare(enclosed(family, text)?).parse()?;
    let arguments = format!("({inner})");
    Ok(recipe(
        family,
        arguments,
        Size::default(),
        move |operands| {
            let reading = Reading {
                symmetrize: true,
                ..operands.reading.clone()
            };
            Ok(kept(&operands.board(&inner, &reading)?))
        },
    ))
}

pub(super) fn pick(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    let (inner, number) = split(family, text, number)?;
    if !inner.reads_files() {
        return Err(family.refuse(text, "with a file and a number, such as (file:graphs.g6,3)"));
    }
    let arguments = format!("({},{number})", operand(&inner));
    Ok(recipe(
        family,
        arguments,
        Size::default(),
        move |operands| {
            let reading = Reading {
                number: Some(number),
                ..operands.reading.clone()
            };
            Ok(kept(&operands.board(&inner, &reading)?))
        },
    ))
}
