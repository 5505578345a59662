//! `omnigo record`: a game as a strip of positions, each with the moves that led to it.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::end::{CliError, Report};
use super::output::{check, write};
use super::picture::{StyleArgs, check_target, encode, format_parser};
use crate::color::Color;
use crate::engine::{Engine, Options};
use crate::files::is_same;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::move_text;
use crate::progress::Task;
use crate::record::json::{self, GraphGame};
use crate::record::sgf::{self, GameRecord, Step};
use crate::record::{file, is_json};
use crate::render::format::PictureFormat;
use crate::render::section::Sections;
use crate::render::svg::{Frame, strip};
use crate::replay::{Illegal, carry_out};
use crate::rules::{Points, Ruleset, presets};
use crate::system::tell;
use crate::text::quote;

/// Arguments of `omnigo record`.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Game to draw: SGF, or JSON for any board, as save_game and a match write it.
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// Format to write [default: from the file extension].
    #[arg(long, value_name = "FORMAT", ignore_case = true, value_parser = format_parser())]
    to: Option<PictureFormat>,
    /// File to write [default: standard output].
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of moves from one position to the next [default: enough for twelve positions].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..))]
    every: Option<u32>,
    /// Number of positions per row.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = crate::arguments::whole::<u32>(1..=100))]
    columns: u32,
    #[command(flatten)]
    style: StyleArgs,
}

impl RecordArgs {
    /// Returns the format chosen by `--to` or by the file extension.
    fn format(&self) -> Result<PictureFormat, CliError> {
        let path = self.out.as_ref().map(|path| path.to_string_lossy());
        let chosen = self.to.or_else(|| PictureFormat::of_path(path.as_deref()?));
        chosen.ok_or_else(|| match path {
            Some(path) => CliError::Arguments(format!(
                "--out '{}', expected a file that ends in {}, or --to FORMAT",
                quote(&path),
                PictureFormat::EXTENSIONS
            )),
            None => CliError::arguments("missing format, expected --to svg, --to png or --to pdf"),
        })
    }
}

/// Game from either kind of record.
struct Game {
    goban: Goban,
    rules: Ruleset,
    start: Vec<Option<Color>>,
    /// Number of black stones in `start` that are a handicap.
    handicap: u32,
    first: Option<Color>,
    steps: Vec<Step>,
    warnings: Vec<String>,
}

impl Game {
    fn read(path: &Path) -> Result<Game, String> {
        let bytes = file::contents(path).map_err(|error| error.to_string())?;
        if is_json(&bytes) {
            let game = json::read(path, None).map_err(|error| error.to_string())?;
            return Ok(game.into());
        }
        let record = sgf::read(path).map_err(|error| error.to_string())?;
        Game::of_rectangle(record)
    }

    /// Returns a game in SGF. Its moves were played even if its rules forbid them, so the most
    /// tolerant ruleset is used.
    fn of_rectangle(record: GameRecord) -> Result<Game, String> {
        let spec = Spec::grid(record.width, record.height).map_err(|error| error.to_string())?;
        let rules = presets::find("tromp-taylor").ok_or("no such ruleset")?;
        Ok(Game {
            goban: spec.build().map_err(|error| error.to_string())?,
            rules: rules.rules.clone(),
            start: record.start,
            handicap: record.handicap.unwrap_or(0),
            first: record.to_move,
            steps: record.steps,
            warnings: record.warnings,
        })
    }
}

impl From<GraphGame> for Game {
    fn from(game: GraphGame) -> Game {
        let moves = game.moves.into_iter();
        Game {
            goban: game.goban,
            rules: game.rules,
            start: game.start,
            handicap: game.handicap,
            first: Some(game.first),
            steps: moves.map(|(color, mv)| Step::Play(color, mv)).collect(),
            warnings: game.warnings,
        }
    }
}

/// Draws the game.
///
/// # Errors
/// A one-line message if the file holds no game that can be played, or if the picture cannot be
/// written.
pub fn run(arguments: &RecordArgs) -> Result<Report, CliError> {
    let fail = |problem: String| {
        let path = arguments.game.display().to_string();
        format!("cannot read '{}': {problem}", quote(&path))
    };
    let format = arguments.format()?;
    check_target(format, arguments.out.as_deref(), io::stdout().is_terminal())?;
    if let Some(out) = arguments
        .out
        .as_deref()
        .filter(|out| is_same(out, &arguments.game))
    {
        let out = quote(&out.display().to_string());
        let problem = format!("--out '{out}' is the game, expected another file");
        return Err(CliError::Arguments(problem));
    }
    check(arguments.out.as_deref())?;
    let game = Game::read(&arguments.game).map_err(fail)?;
    for warning in &game.warnings {
        tell::warn(warning);
    }
    let frames = frames(&game, arguments.every.map(|n| n as usize)).map_err(fail)?;
    format
        .fits(&game.goban, frames.len())
        .map_err(CliError::failed)?;
    let task = Task::open(None);
    task.note(format!("drawing {} positions", frames.len()));
    let columns = arguments.columns as usize;
    let style = arguments.style.style(&game.goban);
    let svg = strip(&game.goban, &frames, columns, style).map_err(|e| e.to_string())?;
    let picture = encode(format, &svg, arguments.style.width)?;
    drop(task);
    write(arguments.out.as_deref(), &picture)?;
    Ok(Report::done())
}

/// Returns the positions after every `every` moves, and the last one. A position that was set up,
/// such as a problem, comes first.
fn frames(game: &Game, every: Option<usize>) -> Result<Vec<Frame>, String> {
    let goban = &game.goban;
    let options = Options::replaying();
    let mut engine = Engine::new(goban.clone(), game.rules.clone(), Points::ZERO, options)
        .map_err(|e| e.to_string())?;
    engine.set_position(&game.start, game.first);
    let moves = game
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Play(..)))
        .count();
    let mut sections = Sections::new(moves, every);
    if moves > 0 && game.handicap == 0 && game.start != goban.start {
        sections.start(goban, engine.position());
    }
    let mut number = 0;
    let mut odd = Illegal::default();
    for step in &game.steps {
        match step {
            Step::Play(color, mv) => {
                number += 1;
                if goban.rectangle.is_none() {
                    engine.play(*color, *mv).map_err(|illegal| {
                        let mv = move_text(goban, *mv);
                        format!("move {number}, {color} {mv}: {illegal}")
                    })?;
                } else if let Some(illegal) = carry_out(&mut engine, *color, *mv) {
                    let mv = move_text(goban, *mv);
                    odd.add(format_args!("move {number}, {color} {mv}: {illegal}"));
                }
                sections.add(goban, *mv, || engine.position());
            }
            Step::Setup { points, to_move } => {
                let mut position = engine.position();
                sgf::set_up(&mut position, points);
                let next = to_move.unwrap_or(engine.to_move());
                engine.set_position(&position, Some(next));
            }
        }
    }
    for warning in odd.into_lines() {
        tell::warn(warning);
    }
    Ok(sections.finish(goban, || engine.position()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::Vertex;

    fn drawn(text: &str, every: usize) -> Vec<Frame> {
        let game = Game::of_rectangle(sgf::parse(text).unwrap()).unwrap();
        frames(&game, Some(every)).unwrap()
    }

    fn captions(frames: &[Frame]) -> Vec<&str> {
        frames.iter().map(|frame| frame.caption.as_str()).collect()
    }

    #[test]
    fn captions_and_numbers_cover_every_move() {
        // White captures at A5 and then fills that point.
        let frames = drawn("(;SZ[5];B[aa];W[ba];B[ee];W[ab];B[dd];W[];B[ed];W[aa])", 4);
        assert_eq!(
            captions(&frames),
            ["moves 1-4, 1 at A5", "moves 5-8, 6 pass"]
        );
        let passes = drawn("(;SZ[5];B[aa];W[];B[];W[bb];B[];W[cc])", 6);
        assert_eq!(captions(&passes), ["moves 1-6, 2-3 pass, 5 pass"]);
        let numbers: Vec<usize> = frames[0].position.numbers.iter().map(|n| n.1).collect();
        assert_eq!(numbers, [3, 4, 2], "in the order of their vertices");
    }

    #[test]
    fn a_game_without_moves_shows_its_start() {
        let frames = drawn("(;SZ[5]AB[cc])", 10);
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].caption, "start");
        assert_eq!(frames[0].position.points.iter().flatten().count(), 1);
    }

    #[test]
    fn a_problem_shows_its_position_first() {
        let frames = drawn("(;SZ[5]AB[cc]AW[dd];B[ee];W[aa])", 1);
        assert_eq!(captions(&frames), ["start", "move 1", "move 2"]);
        assert_eq!(frames[0].position.points.iter().flatten().count(), 2);
        // The stones of a handicap are no problem.
        let game = drawn("(;SZ[9]HA[2]AB[cc][gg];W[ee])", 1);
        assert_eq!(captions(&game), ["move 1"]);
    }

    #[test]
    fn draws_games_on_any_board_under_their_rules() {
        let drawn = |text: &str| {
            let game = json::parse(text, None).unwrap();
            frames(&game.into(), Some(3)).unwrap()
        };
        let frames = drawn(
            r#"{"kind":"game","graph":"edges:a-b,b-c,c-a,c-d","ruleset":"ggg","players":3,
                "moves":[["black","a"],["white","b"],["red","d"],["black","pass"]]}"#,
        );
        assert_eq!(captions(&frames), ["moves 1-3", "move 4, 4 pass"]);
        assert_eq!(frames[0].position.last, [Vertex::at(3)]);
        // A stone on an edge covers the points at both ends too.
        let frames = drawn(
            r#"{"kind":"game","graph":"space:(path:4),edges","ruleset":"topo-stone",
                "moves":[["black","0-1"],["white","3"]]}"#,
        );
        assert_eq!(captions(&frames), ["moves 1-2"]);
        let numbers = &frames[0].position.numbers;
        assert_eq!(numbers.iter().filter(|(_, number)| *number == 1).count(), 3);
        assert_eq!(frames[0].position.last.len(), 1);
    }
}
