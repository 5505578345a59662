//! Operators that change how the files of their operand are read: `symmetrize(SPEC)` and
//! `pick(SPEC,N)`.

use super::operands::{operand, split};
use super::operation::{only, part_of, recipe};
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

/// Returns the recipe of a board whose files are read in another way.
fn reread(
    family: &Family,
    arguments: String,
    inner: Spec,
    change: impl Fn(&mut Reading) + Send + Sync + 'static,
) -> Recipe {
    recipe(family, arguments, Size::default(), move |operands| {
        let mut reading = operands.reading.clone();
        change(&mut reading);
        Ok(kept(&operands.board(&inner, &reading)?))
    })
}

pub(super) fn symmetrize(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let (inner, arguments) = only(family, text)?;
    Ok(reread(family, arguments, inner, |reading| {
        reading.symmetrize = true
    }))
}

pub(super) fn pick(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    let (inner, number) = split(family, text, number)?;
    if !inner.reads_files() {
        return Err(family.refuse(text, "with a file and a number, such as (file:graphs.g6,3)"));
    }
    let arguments = format!("({},{number})", operand(&inner));
    Ok(reread(family, arguments, inner, move |reading| {
        reading.number = Some(number)
    }))
}
