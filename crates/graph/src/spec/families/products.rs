//! Products of two graphs. Vertex (a, b) has the index a·|B| + b.

use super::operands::{bare, operand, split};
use super::operation::{Whole, pair_labels, recipe};
use super::{Family, Recipe};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::{Drawing, Place};
use crate::model::goban::Goban;
use crate::spec::{Spec, SpecError};
use omnigo_base::vertex::Vertex;

/// Condition for pairs to be adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One component is equal, and the other is adjacent.
    Cartesian,
    /// As Cartesian, or both components are adjacent.
    Strong,
    /// The first components are adjacent, or they are equal and the second components are adjacent.
    Lexicographic,
}

/// Parses two operands.
pub(super) fn read(family: &Family, text: &str, kind: Kind) -> Result<Recipe, SpecError> {
    let (first, second) = split(family, text, |text| bare(text).parse::<Spec>().ok())?;
    let arguments = format!("({},{})", operand(&first), operand(&second));
    let size = Size {
        vertices: first.size().vertices.saturating_mul(second.size().vertices),
        edges: 0,
    };
    Ok(recipe(family, arguments, size, move |operands| {
        let (first, second) = (operands.graph(&first)?, operands.graph(&second)?);
        make(&operands.whole, &first, &second, kind)
    }))
}

fn make(whole: &Whole, first: &Goban, second: &Goban, kind: Kind) -> Result<BoardParts, SpecError> {
    let count = |goban: &Goban| (goban.graph.vertices() as u64, goban.graph.edges() as u64);
    let ((n, m), (k, l)) = (count(first), count(second));
    // Products of numbers below 2¹⁶ and 2²² do not overflow.
    let size = match kind {
        Kind::Cartesian => n * l + k * m,
        Kind::Strong => n * l + k * m + 2 * m * l,
        Kind::Lexicographic => n * l + k * k * m,
    };
    whole.fits(n * k, size)?;
    let (n, k) = (n as usize, k as usize);
    let within = (0..n).flat_map(|a| {
        second
            .graph
            .pairs()
            .map(move |(b, d)| (a * k + b, a * k + d))
    });
    let mut all: Vec<(usize, usize)> = within.collect();
    for (a, c) in first.graph.pairs() {
        match kind {
            Kind::Cartesian | Kind::Strong => all.extend((0..k).map(|b| (a * k + b, c * k + b))),
            Kind::Lexicographic => {
                all.extend((0..k).flat_map(|b| (0..k).map(move |d| (a * k + b, c * k + d))));
            }
        }
        if kind == Kind::Strong {
            let across = second.graph.pairs();
            all.extend(across.flat_map(|(b, d)| [(a * k + b, c * k + d), (a * k + d, c * k + b)]));
        }
    }
    let name = |goban: &Goban, v: usize| goban.names.label(Vertex::at(v)).into_owned();
    let pairs = (0..n).flat_map(|a| (0..k).map(move |b| (a, b)));
    let labels = pair_labels(
        pairs
            .clone()
            .map(|(a, b)| (name(first, a).into(), name(second, b).into())),
    );
    let part = BoardParts {
        labels,
        ..BoardParts::new(n * k, all)
    };
    Ok(match drawing(first, second) {
        Some(drawing) => part.drawn(drawing),
        None => part,
    })
}

/// Draws copies of the second graph at the locations of the first. The copies do not overlap if
/// neighbors of the first graph are at least 1 apart. If both graphs lie on a horizontal line,
/// draws a grid.
fn drawing(first: &Goban, second: &Goban) -> Option<Drawing> {
    let (outer, inner) = (first.drawing.as_ref()?, second.drawing.as_ref()?);
    if !outer.wraps.is_empty() || !inner.wraps.is_empty() {
        return None;
    }
    let ([low, high], [inner_low, inner_high]) = (outer.bounds()?, inner.bounds()?);
    let flat = |low: Place, high: Place| high[1] - low[1] < 1e-9;
    let both_flat = flat(low, high) && flat(inner_low, inner_high);
    let turned = |&[x, y]: &Place| if both_flat { [y, x] } else { [x, y] };
    let span = if both_flat {
        0.0
    } else {
        (inner_high[0] - inner_low[0]).max(inner_high[1] - inner_low[1]) + 1.0
    };
    let scale = span.max(1.0);
    let places = outer.places.iter().flat_map(|place| {
        inner.places.iter().map(move |beside| {
            let [dx, dy] = turned(beside);
            [scale * place[0] + dx, scale * place[1] + dy]
        })
    });
    Drawing::derived(places)
}
