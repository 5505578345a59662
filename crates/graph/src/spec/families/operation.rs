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

/// Parses the only operand of an operator. Also returns the arguments of the canonical spec.
pub(super) fn only(family: &Family, text: &str) -> Result<(Spec, String), SpecError> {
    let inner: Spec = bare(enclosed(family, text)?).parse()?;
    let arguments = format!("({inner})");
    Ok((inner, arguments))
}

/// Returns the recipe of an operator with one operand.
pub(super) fn one(
    family: &Family,
    text: &str,
    make: fn(&Whole, &Goban) -> Result<BoardParts, SpecError>,
) -> Result<Recipe, SpecError> {
    let (inner, arguments) = only(family, text)?;
    Ok(recipe(
        family,
        arguments,
        Size::default(),
        move |operands| {
            let goban = operands.graph(&inner)?;
            make(&operands.whole, &goban)
        },
    ))
}

/// Returns the recipe of an operation of this size. `build` builds the operands that it needs; the
/// result takes over their warnings.
pub(super) fn recipe(
    family: &Family,
    arguments: String,
    size: Size,
    build: impl Fn(&mut Operands<'_>) -> Result<BoardParts, SpecError> + Send + Sync + 'static,
) -> Recipe {
    let whole = quote(&format!("{}{arguments}", family.name));
    Recipe::of_others(arguments, size, move |reading| {
        let mut operands = Operands {
            whole: Whole(whole.clone()),
            reading,
            warnings: Vec::new(),
        };
        let mut part = build(&mut operands)?;
        part.warnings.splice(..0, operands.warnings);
        Ok(part)
    })
}

/// Operands of an operation while it is built.
pub(super) struct Operands<'a> {
    pub(super) whole: Whole,
    /// Options for reading files.
    pub(super) reading: &'a Reading,
    /// Warnings about the operands built so far.
    warnings: Vec<String>,
}

impl Operands<'_> {
    /// Builds an operand. Returns an error if it is a go-space or a Mango board.
    pub(super) fn graph(&mut self, spec: &Spec) -> Result<Goban, SpecError> {
        let goban = self.board(spec, self.reading)?;
        match goban.surface {
            Surface::Graph => Ok(goban),
            Surface::Space { .. } | Surface::Mango(_) => {
                let problem = "expected the spec of a graph, not of a go-space or a Mango board";
                Err(self.whole.refuse(problem))
            }
        }
    }

    /// Builds an operand of any kind with these options for reading files. A warning about its
    /// names is not taken over, because the result has names of its own.
    pub(super) fn board(&mut self, spec: &Spec, reading: &Reading) -> Result<Goban, SpecError> {
        let goban = spec.clone().reading(reading.clone()).build()?;
        let clash = goban.names.clash();
        let warnings = goban.warnings.iter();
        let warnings = warnings.filter(|&warning| Some(warning) != clash.as_ref());
        self.warnings.extend(warnings.cloned());
        Ok(goban)
    }

    /// Adds a warning about an operand.
    pub(super) fn warn(&mut self, warning: Option<String>) {
        self.warnings.extend(warning);
    }
}

/// Text of an operation, for messages.
pub(super) struct Whole(String);

impl Whole {
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

/// Returns the graph as a part that keeps the names and cells of its vertices. The warnings are
/// those of the [`Operands`].
pub(super) fn part_of(goban: &Goban) -> BoardParts {
    let labels = goban.graph.all().map(|v| goban.names.label(v).into_owned());
    let part = BoardParts {
        labels: Labels::Own(labels.collect()),
        start: goban.start.clone(),
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
