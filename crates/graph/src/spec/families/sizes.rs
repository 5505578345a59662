//! Families whose arguments are sizes: numbers joined by `x` or by a comma.

use nom::bytes::complete::tag_no_case;
use nom::character::complete::digit1;
use nom::combinator::all_consuming;
use nom::multi::separated_list1;
use nom::{IResult, Parser};

use super::{Family, Recipe};
use crate::model::board_parts::{BoardParts, Size};
use crate::spec::SpecError;

/// Parses `N` sizes of at least `least` each. `count` predicts the size of the part that `draw`
/// builds.
pub(super) fn sizes<const N: usize>(
    family: &Family,
    text: &str,
    least: u64,
    count: fn([u64; N]) -> Size,
    draw: fn([usize; N]) -> BoardParts,
) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, &format!("with numbers from {least}"));
    let sizes: [u64; N] = read(family, text)
        .ok_or_else(refuse)?
        .try_into()
        .map_err(|_| refuse())?;
    recipe(family, text, sizes, least, count, draw)
}

/// Same as [`sizes`] from 1, but a single number stands for all sides.
pub(super) fn sides<const N: usize>(
    family: &Family,
    text: &str,
    count: fn([u64; N]) -> Size,
    draw: fn([usize; N]) -> BoardParts,
) -> Result<Recipe, SpecError> {
    match read(family, text).as_deref() {
        Some(&[side]) => recipe(family, text, [side; N], 1, count, draw),
        _ => sizes(family, text, 1, count, draw),
    }
}

fn recipe<const N: usize>(
    family: &Family,
    text: &str,
    sizes: [u64; N],
    least: u64,
    count: fn([u64; N]) -> Size,
    draw: fn([usize; N]) -> BoardParts,
) -> Result<Recipe, SpecError> {
    if sizes.iter().any(|&size| size < least) {
        return Err(family.refuse(text, &format!("with numbers from {least}")));
    }
    // No family has fewer vertices than any of its sizes. After this check, products of three sizes
    // do not overflow.
    for size in sizes {
        family.limit(text, size)?;
    }
    Ok(Recipe::new(
        sizes.map(|size| size.to_string()).join(family.joint),
        count(sizes),
        move || Ok(draw(sizes.map(|size| size as usize))),
    ))
}

/// Same as [`sizes`], but returns an error with the text `also` unless the sizes are `sound`.
pub(super) fn sound_sizes<const N: usize>(
    family: &Family,
    text: &str,
    (sound, also): (fn([u64; N]) -> bool, &str),
    count: fn([u64; N]) -> Size,
    draw: fn([usize; N]) -> BoardParts,
) -> Result<Recipe, SpecError> {
    let read: Option<[u64; N]> = read(family, text).and_then(|sizes| sizes.try_into().ok());
    match read {
        Some(read) if sound(read) => sizes(family, text, 0, count, draw),
        _ => Err(family.refuse(text, also)),
    }
}

/// Parses numbers joined by the separator of the family. A number that is too large becomes
/// `u64::MAX`, which every family rejects.
pub(super) fn read(family: &Family, text: &str) -> Option<Vec<u64>> {
    let list: IResult<&str, Vec<&str>> =
        all_consuming(separated_list1(tag_no_case(family.joint), digit1)).parse(text);
    let (_, digits) = list.ok()?;
    Some(
        digits
            .into_iter()
            .map(|digits| digits.parse().unwrap_or(u64::MAX))
            .collect(),
    )
}
