//! Operations on boards: their operands as graphs, their limits, and parts of their results.

use super::operands::{bare, enclosed};
use super::{Family, Recipe};
use crate::Graph;
use crate::formats::Reading;
use crate::model::board_parts::{Aliases, BoardParts, FreeLabels, Labels, Size};
use crate::model::cells::Cells;
use crate::model::goban::{Goban, Surface};
use crate::spec::{Spec, SpecError};
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Parses the only operand of an operator.
pub(super) fn one(
    family: &Family,
    text: &str,
    make: fn(&Whole, &Goban) -> Result<BoardParts, SpecError>,
) -> Result<Recipe, SpecError> {
    one_read(family, text, Reading::clone, make)
}

/// Parses the only operand of an operator that reads its files as `read` says.
pub(super) fn one_read(
    family: &Family,
    text: &str,
    read: fn(&Reading) -> Reading,
    make: fn(&Whole, &Goban) -> Result<BoardParts, SpecError>,
) -> Result<Recipe, SpecError> {
    let inner: Spec = bare(enclosed(family, text)?).parse()?;
    let arguments = format!("({inner})");
    let whole = Whole(quote(&format!("{}{arguments}", family.name)));
    Ok(Recipe::of_others(
        arguments,
        Size::default(),
        move |reading| make(&whole, &whole.graph(&inner, &read(reading))?),
    ))
}

/// Text of an operation, for messages.
pub(super) struct Whole(pub(super) String);

impl Whole {
    /// Builds the board of an operand. Returns an error if it is a go-space or a Mango board.
    pub(super) fn graph(&self, spec: &Spec, reading: &Reading) -> Result<Goban, SpecError> {
        let goban = spec.clone().reading(reading.clone()).build()?;
        match goban.surface {
            Surface::Graph => Ok(goban),
            Surface::Space { .. } | Surface::Mango(_) => {
                Err(self.refuse("expected the spec of a graph, not of a go-space or a Mango board"))
            }
        }
    }

    pub(super) fn refuse(&self, problem: &str) -> SpecError {
        SpecError::Operand {
            text: self.0.clone(),
            problem: problem.to_string(),
        }
    }

    /// Returns an error if the result would be too large.
    pub(super) fn fits(&self, vertices: u64, edges: u64) -> Result<(), SpecError> {
        if vertices > Vertex::LIMIT as u64 {
            Err(SpecError::TooManyVertices(self.0.clone()))
        } else if edges > Graph::MAX_EDGES as u64 {
            Err(SpecError::TooManyEdges(self.0.clone()))
        } else {
            Ok(())
        }
    }
}

/// Returns the board as a part that keeps the names and cells of its vertices.
pub(super) fn part_of(goban: &Goban) -> BoardParts {
    let labels = goban.graph.all().map(|v| goban.names.label(v).into_owned());
    let part = BoardParts {
        labels: Labels::Own(labels.collect()),
        start: goban.start.clone(),
        warnings: goban.warnings.clone(),
        drawing: goban.drawing.clone(),
        ..BoardParts::new(goban.graph.vertices(), goban.graph.pairs())
    };
    if goban.names.follow_a_drawing() {
        let cells = Cells::of_names(&goban.names, goban.graph.all());
        BoardParts {
            cells: Some(cells),
            ..part
        }
    } else {
        BoardParts {
            aliases: Aliases::Columns(goban.names.width()),
            ..part
        }
    }
}

/// Returns different labels for pairs of vertices, made from the labels of both.
pub(super) fn pair_labels<'a>(
    pairs: impl Iterator<Item = (std::borrow::Cow<'a, str>, std::borrow::Cow<'a, str>)>,
) -> Labels {
    let mut free = FreeLabels::default();
    Labels::Own(pairs.map(|(a, b)| free.take(format!("{a}_{b}"))).collect())
}
