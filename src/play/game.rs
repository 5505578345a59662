//! Start of a game, as pages and links describe it.

use super::message::{MoveText, New};
use crate::color::Color;
use crate::engine::{Engine, EngineError, Options};
use crate::graph::formats::Reading;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::notation::{read_move, read_position, vertex_problem};
use crate::points::Points;
use crate::rules::{Ruleset, RulesetText};
use crate::text::quote;
use crate::vertex::Move;

/// Maximum numbers of vertices and edges of a board from a page.
pub(super) const LIMITS: [u64; 2] = [10_000, 200_000];

/// Moves of a new game, with colors where they are given.
pub(super) type Moves = Vec<(Option<Color>, Move)>;

/// Everything before the first move.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) goban: Goban,
    pub(super) rules: Ruleset,
    pub(super) komi: Points,
    pub(super) position: Vec<Option<Color>>,
    pub(super) first: Color,
    pub(super) handicap: u32,
}

impl Start {
    /// Returns the start on the board's own starting position.
    pub(super) fn new(goban: Goban, rules: Ruleset, komi: Points) -> Start {
        let position = goban.start.clone();
        let first = goban.first(&position).unwrap_or(rules.first);
        Start {
            position,
            first,
            handicap: 0,
            goban,
            rules,
            komi,
        }
    }

    /// Returns the start of the game of an engine.
    pub(super) fn of(engine: &Engine) -> Start {
        let moves = engine.moves();
        Start {
            goban: engine.goban().clone(),
            rules: engine.rules().clone(),
            komi: engine.komi(),
            position: engine.start_position(),
            first: moves.first().map_or(engine.to_move(), |(color, _)| *color),
            handicap: engine.handicap(),
        }
    }

    /// Returns the number of black stones at the start, which bounds the handicap.
    pub(super) fn black_stones(&self) -> u32 {
        let stones = self.position.iter();
        let black = stones.filter(|&&stone| stone == Some(Color::BLACK)).count();
        u32::try_from(black).unwrap_or(u32::MAX)
    }

    /// Returns an engine at the start.
    ///
    /// # Errors
    /// If the rules cannot be played on the board.
    pub(super) fn engine(&self, options: Options) -> Result<Engine, EngineError> {
        let (goban, rules) = (self.goban.clone(), self.rules.clone());
        let mut engine = Engine::new(goban, rules, self.komi, options)?;
        self.place(&mut engine);
        Ok(engine)
    }

    fn place(&self, engine: &mut Engine) {
        let usual = self.goban.first(&self.position).unwrap_or(self.rules.first);
        if self.position != self.goban.start || self.first != usual || self.handicap > 0 {
            engine.set_start(&self.position, Some(self.first), self.handicap);
        }
    }
}

/// Reads the name of a color that plays.
///
/// # Errors
/// One line, if no color of the game has this name.
pub(super) fn color(text: &str, colors: usize) -> Result<Color, String> {
    let color: Option<Color> = text.parse().ok();
    color.filter(|color| color.index() < colors).ok_or_else(|| {
        let names = Color::all(colors).map(|color| color.to_string());
        let names = crate::text::one_of(names);
        format!("color '{}', expected {names}", quote(text))
    })
}

/// Checks a number of colors.
///
/// # Errors
/// One line, if it is not from 2 to 8.
pub(super) fn colors(number: Option<usize>) -> Result<usize, String> {
    number
        .filter(|number| (2..=Color::MAX).contains(number))
        .ok_or_else(|| format!("colors, expected a number from 2 to {}", Color::MAX))
}

/// Returns a komi, rounded to halves.
///
/// # Errors
/// One line, if it is not a number.
pub(super) fn komi(number: Option<f64>) -> Result<Points, String> {
    let komi = number.and_then(Points::round_from);
    komi.map(|(komi, _)| komi)
        .ok_or_else(|| "komi, expected a number of points".to_string())
}

/// Reads the spec of a board that does not open files.
///
/// # Errors
/// One line, if it is none, opens a file, or is too large.
pub(super) fn spec(text: &str) -> Result<Spec, String> {
    let spec: Spec = text.parse().map_err(|e| format!("{e}"))?;
    if spec.reads_files() {
        return Err(format!(
            "board spec '{}', expected one without file: because the page opens no files",
            quote(text)
        ));
    }
    Ok(spec.reading(Reading {
        limits: Some(LIMITS),
        ..Reading::default()
    }))
}

/// Returns true if a board is within the limits of pages.
pub(super) fn is_within(goban: &Goban) -> bool {
    let [vertices, edges] = LIMITS;
    goban.graph.vertices() as u64 <= vertices && goban.graph.edges() as u64 <= edges
}

/// Builds the board of a spec that does not open files.
///
/// # Errors
/// One line, if there is none or it is too large.
pub(super) fn board(text: &str) -> Result<Goban, String> {
    let goban = spec(text)?.build().map_err(|e| e.to_string())?;
    let [vertices, edges] = LIMITS;
    let (has_vertices, has_edges) = (goban.graph.vertices(), goban.graph.edges());
    match is_within(&goban) {
        false => Err(format!(
            "'{}' has {has_vertices} vertices and {has_edges} edges, expected at most {vertices} and {edges}",
            quote(text)
        )),
        true if has_vertices == 0 => Err(format!("'{}' has no vertices", quote(text))),
        true => Ok(goban),
    }
}

/// Returns the start that `new` describes. What it leaves out stays as in `before`.
///
/// # Errors
/// One line, if a value is wrong.
pub(super) fn begin(new: &New, before: &Start) -> Result<Start, String> {
    let goban = match &new.spec {
        Some(text) => board(text)?,
        None => before.goban.clone(),
    };
    let ruleset: Option<RulesetText> = match &new.ruleset {
        Some(text) => Some(text.parse().map_err(|e| format!("{e}"))?),
        None => None,
    };
    let named_komi = ruleset.as_ref().and_then(|ruleset| ruleset.komi);
    let mut rules = ruleset.map_or_else(|| before.rules.clone(), |ruleset| ruleset.rules);
    if let Some(number) = new.colors {
        rules.colors = colors(Some(number))?;
    }
    let stones = new.handicap.unwrap_or(0);
    let komi = match (new.komi, named_komi) {
        (Some(number), _) => komi(Some(number))?,
        (None, Some(komi)) => komi,
        (None, None) if stones > 1 => Points::from_halves(1),
        (None, None) if new.ruleset.is_some() || new.spec.is_some() => Points::ZERO,
        (None, None) => before.komi,
    };
    let mut start = Start::new(goban, rules, komi);
    if stones > 1 {
        let places = handicap::given(&start.goban, stones)
            .ok_or_else(|| format!("handicap {stones}, expected fewer stones on this board"))?;
        start.position = handicap::start(&start.goban, &places);
        start.handicap = u32::try_from(stones).unwrap_or(u32::MAX);
        start.first = Color::WHITE;
    }
    if let Some(text) = &new.start {
        start.position =
            read_position(&start.goban, start.rules.colors, text).map_err(|e| e.to_string())?;
        let first = start.goban.first(&start.position);
        start.first = first.unwrap_or(start.rules.first);
        let most = start.black_stones();
        if start.handicap > most {
            return Err(format!(
                "handicap {stones}, expected 0 to {most}, the black stones of the start"
            ));
        }
    }
    if let Some(text) = &new.to_move {
        start.first = color(text, start.rules.colors)?;
    }
    Ok(start)
}

/// Reads the moves of a new game.
///
/// # Errors
/// One line, if a text is not a move.
pub(super) fn moves(start: &Start, texts: &[MoveText]) -> Result<Moves, String> {
    let colors = start.rules.colors;
    let one = |text: &MoveText| -> Result<(Option<Color>, Move), String> {
        match text {
            MoveText::Plain(vertex) => Ok((None, one_move(start, vertex)?)),
            MoveText::Colored(name, vertex) => {
                Ok((Some(color(name, colors)?), one_move(start, vertex)?))
            }
        }
    };
    texts.iter().map(one).collect()
}

fn one_move(start: &Start, text: &str) -> Result<Move, String> {
    read_move(&start.goban, text).ok_or_else(|| vertex_problem(&start.goban, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_that_open_files_are_refused_at_any_depth() {
        for text in [
            "file:/etc/passwd",
            "FILE:x",
            "grid:3+file:x",
            "line(file:x)",
            "LINE(File:x)",
            "product(path:3,(file:x))",
            "pick(file:x,2)",
            "space:(file:x),edges",
            "symmetrize(file:x)",
        ] {
            let problem = board(text).unwrap_err();
            assert!(problem.contains("opens no files"), "{text}: {problem}");
        }
    }

    #[test]
    fn a_start_with_too_few_stones_has_no_handicap() {
        let before = Start::new(
            board("grid:9").unwrap(),
            crate::rules::presets::find("aga").unwrap().rules.clone(),
            Points::ZERO,
        );
        let empty = New {
            handicap: Some(2),
            start: Some(".".repeat(81)),
            ..New::default()
        };
        let problem = begin(&empty, &before).unwrap_err();
        assert!(problem.contains("expected 0 to 0"), "{problem}");
        let placed = New {
            start: None,
            ..empty
        };
        assert_eq!(begin(&placed, &before).unwrap().black_stones(), 2);
    }

    #[test]
    fn large_boards_are_refused() {
        for text in [
            "grid:101x100",
            "complete:700",
            "line(grid:100x101)",
            "complement(path:1000)",
            "line(line(grid:90))",
            "product(grid:100,grid:100)",
            "grid:60+grid:90",
        ] {
            let problem = board(text).unwrap_err();
            assert!(!problem.contains('\n'), "{text}");
        }
        assert!(board("grid:100").is_ok());
    }
}
