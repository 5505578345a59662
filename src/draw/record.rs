//! A game as a strip of positions, each with the moves that led to it, as books show games.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;

use super::{PictureFormat, StyleArgs, write};
use crate::color::Color;
use crate::engine::{Engine, Options};
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::gtp::arguments::move_text;
use crate::gtp::handicap::star_points;
use crate::record::sgf::{self, GameRecord, Step};
use crate::render::svg::{Frame, Position, strip};
use crate::rules::{Points, presets};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// Positions of a game where nothing else is asked for.
const POSITIONS: usize = 12;
/// Moves below a position that are not to be seen on it.
const REMARKS: usize = 6;

/// What `omnigo record` takes.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// A game in SGF.
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// Format to write.
    #[arg(long, value_name = "FORMAT")]
    to: PictureFormat,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Moves from one position to the next [default: as many as give twelve positions].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Positions in a row.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    columns: u32,
    #[command(flatten)]
    style: StyleArgs,
}

/// Draws the game.
///
/// # Errors
/// One line, where the file holds no game that can be played, or the picture cannot be written.
pub fn run(arguments: &RecordArgs) -> Result<(), String> {
    let fail = |problem: String| {
        let path = arguments.game.display().to_string();
        format!("cannot read '{}': {problem}", quote(&path))
    };
    let record = sgf::read(&arguments.game).map_err(|e| fail(e.to_string()))?;
    for warning in &record.warnings {
        eprintln!("warning: {warning}");
    }
    let spec = Spec::grid(record.width, record.height).map_err(|e| fail(e.to_string()))?;
    let goban = spec.build().map_err(|e| fail(e.to_string()))?;
    let frames = frames(&goban, &record, arguments.every.map(|n| n as usize)).map_err(fail)?;
    let columns = arguments.columns as usize;
    let svg =
        strip(&goban, &frames, columns, arguments.style.style()).map_err(|e| e.to_string())?;
    write(arguments.out.as_deref(), &arguments.to.encode(svg)?)
}

/// The positions after every so many moves, and the last one.
fn frames(goban: &Goban, record: &GameRecord, every: Option<usize>) -> Result<Vec<Frame>, String> {
    let rules = presets::find("tromp-taylor").ok_or("no such ruleset")?;
    let options = Options {
        memory_mib: 16,
        ..Options::default()
    };
    let mut engine = Engine::new(goban.clone(), rules.rules.clone(), Points::ZERO, options)
        .map_err(|e| e.to_string())?;
    engine.set_position(&record.start, record.to_move);
    let moves = record
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Play(..)))
        .count();
    let every = every.unwrap_or(moves.div_ceil(POSITIONS)).max(1);
    let mut frames = Vec::new();
    let mut section = Section::default();
    let mut number = 0;
    for step in &record.steps {
        match step {
            Step::Play(color, mv) => {
                number += 1;
                engine.play(*color, *mv).map_err(|illegal| {
                    let mv = move_text(goban, *mv);
                    format!("move {number}, {color} {mv}: {illegal}")
                })?;
                section.moves.push((number, *mv));
                if section.moves.len() == every {
                    frames.push(section.frame(goban, engine.position()));
                    section = Section::default();
                }
            }
            Step::Setup { points, to_move } => {
                let mut position = engine.position();
                for (vertex, point) in points {
                    if let Some(place) = position.get_mut(vertex.index()) {
                        *place = *point;
                    }
                }
                let next = to_move.unwrap_or(engine.to_move());
                engine.set_position(&position, Some(next));
            }
        }
    }
    if !section.moves.is_empty() || frames.is_empty() {
        frames.push(section.frame(goban, engine.position()));
    }
    Ok(frames)
}

/// Moves between two positions.
#[derive(Default)]
struct Section {
    moves: Vec<(usize, Move)>,
}

impl Section {
    /// The position with the numbers of these moves; what is not to be seen on it is told below.
    fn frame(&self, goban: &Goban, points: Vec<Option<Color>>) -> Frame {
        // The first move at a vertex gives the number, as in books; the later ones are told.
        let mut first: HashMap<Vertex, usize> = HashMap::new();
        let mut remarks = Vec::new();
        for &(number, mv) in &self.moves {
            match mv {
                Move::Pass => remarks.push(format!("{number} pass")),
                Move::Place(vertex) => {
                    let stands = points.get(vertex.index()).is_some_and(Option::is_some);
                    match first.get(&vertex) {
                        Some(earlier) => remarks.push(format!("{number} at {earlier}")),
                        None if stands => {
                            first.insert(vertex, number);
                        }
                        None => remarks.push(format!("{number} at {}", goban.names.alias(vertex))),
                    }
                }
            }
        }
        if let Some(more) = remarks.len().checked_sub(REMARKS).filter(|&more| more > 0) {
            remarks.truncate(REMARKS);
            remarks.push(format!("and {more} more"));
        }
        let span = match (self.moves.first(), self.moves.last()) {
            (Some((from, _)), Some((to, _))) if from == to => format!("move {from}"),
            (Some((from, _)), Some((to, _))) => format!("moves {from}-{to}"),
            _ => "start".to_string(),
        };
        let last = self.moves.last().and_then(|(_, mv)| mv.vertex());
        let mut numbers: Vec<(Vertex, usize)> = first.into_iter().collect();
        numbers.sort_unstable();
        remarks.insert(0, span);
        Frame {
            caption: remarks.join(", "),
            position: Position {
                points,
                stars: star_points(goban),
                last,
                numbers,
                ..Position::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, every: usize) -> Vec<Frame> {
        let record = sgf::parse(text).unwrap();
        let spec = Spec::grid(record.width, record.height).unwrap();
        frames(&spec.build().unwrap(), &record, Some(every)).unwrap()
    }

    #[test]
    fn a_strip_tells_every_move() {
        // White captures at A5 and fills it.
        let frames = drawn("(;SZ[5];B[aa];W[ba];B[ee];W[ab];B[dd];W[];B[ed];W[aa])", 4);
        let captions: Vec<&str> = frames.iter().map(|f| f.caption.as_str()).collect();
        assert_eq!(captions, ["moves 1-4, 1 at A5", "moves 5-8, 6 pass"]);
        let numbers: Vec<usize> = frames[0].position.numbers.iter().map(|n| n.1).collect();
        assert_eq!(numbers, [3, 4, 2], "in the order of their vertices");
    }

    #[test]
    fn a_game_without_moves_is_its_start() {
        let frames = drawn("(;SZ[5]AB[cc])", 10);
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].caption, "start");
        assert_eq!(frames[0].position.points.iter().flatten().count(), 1);
    }
}
