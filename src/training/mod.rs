//! `omnigo rows`, `omnigo selfplay`, `omnigo label` and `omnigo accuracy`: training data for the
//! network, and tests of its accuracy. The data come from game records, from self-play, or from a
//! teacher, with the engine's own rules and features.
//!
//! A file of games has one game per line: the result (`B+R`, `W+3.50`, `B+T`), a tab, and two SGF
//! letters per move, Black first. Each call of `omnigo rows` draws one position from every game, in
//! an order that depends on the seed. Seeds 1, 2, 3, … therefore give different passes over the
//! games. Lines whose number (from 1) is divisible by [`HELD_OUT`] are held out: they are used only
//! on request.

pub mod boards;
mod draw;
mod fit;
pub mod folder;
pub mod format;
mod games;
pub mod label;
mod measure;
pub mod parallel;
pub mod problems;
mod rows;
pub mod selfplay;
pub mod starts;
mod view;

pub use fit::{Fit, FitArgs, run as fit};
pub use measure::{Accuracy, AccuracyArgs, measure};

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::arguments::whole;
use crate::files::{self, Output};
use crate::playout::Random;
use games::Record;
use rows::Writer;

/// Every 50th game is held out: the lines whose number is divisible by 50.
pub const HELD_OUT: usize = 50;

/// Arguments of `omnigo rows`.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Game records, one per line: result, tab, moves in SGF letters.
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// File to write.
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: PathBuf,
    /// Seed for the choice of positions and for their order.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Maximum number of positions to write [default: all].
    #[arg(long, value_name = "N", value_parser = whole::<usize>(..))]
    most: Option<usize>,
    /// Use only the held-out games.
    #[arg(long)]
    held_out: bool,
}

/// Reason why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// A file cannot be read or written.
    #[error("cannot use '{path}': {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The output file is the input file.
    #[error("'{0}' is a file of games, expected another file for the output")]
    Same(PathBuf),
    /// A line is not a game.
    #[error("'{path}' line {line}: {flaw}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The error in the line.
        flaw: games::RecordError,
    },
    /// No game gives a row.
    #[error("'{0}' has no games to write rows of, expected lines of games with legal moves")]
    Empty(PathBuf),
}

/// Maximum size in bytes of a file of games or rows, because some devices never end.
const MOST_BYTES: u64 = 4 << 30;

/// Returns the text of a file of games.
fn games_text(path: &Path) -> Result<String, RowsError> {
    files::text(path, MOST_BYTES).map_err(|error| RowsError::File {
        path: path.to_owned(),
        error,
    })
}

/// Reads the text of a file of games. Returns the games to learn from and the held-out games.
fn read_games(path: &Path, text: &str) -> Result<(Vec<Record>, Vec<Record>), RowsError> {
    let (mut games, mut held_out) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let record = line.parse::<Record>().map_err(|flaw| RowsError::Line {
            path: path.to_owned(),
            line: number,
            flaw,
        })?;
        if number % HELD_OUT == 0 {
            held_out.push(record);
        } else {
            games.push(record);
        }
    }
    Ok((games, held_out))
}

/// Returns an error if `out` would overwrite `games`.
fn spare(games: &Path, out: &Path) -> Result<(), RowsError> {
    match (games.canonicalize(), out.canonicalize()) {
        (Ok(games), Ok(out)) if games == out => Err(RowsError::Same(out)),
        _ => Ok(()),
    }
}

/// Callback that receives the number of steps done and the number of all steps.
pub type Watch<'a> = &'a mut dyn FnMut(usize, usize);

/// Writes rows and returns their number.
///
/// # Errors
/// If a file cannot be used, a line is not a game, or no game gives a row. Then no file changes.
pub fn run(arguments: &RowsArgs, watch: Watch<'_>) -> Result<usize, RowsError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |error| RowsError::File { path, error }
    };
    spare(&arguments.games, &arguments.out)?;
    files::probe(&arguments.out).map_err(of(&arguments.out))?;
    let (games, held_out) = read_games(&arguments.games, &games_text(&arguments.games)?)?;
    // Few games hold none out. Training then goes on without figures of held-out games.
    let holds_none = arguments.held_out && held_out.is_empty() && !games.is_empty();
    let most = arguments.most.unwrap_or(usize::MAX);
    let may_be_empty = holds_none || most == 0;
    let mut records = if arguments.held_out { held_out } else { games };
    let mut random = Random::new(arguments.seed);
    random.shuffle(&mut records);
    let output = Output::create(&arguments.out).map_err(of(&arguments.out))?;
    let mut output = BufWriter::new(output);
    let mut writer = Writer::new();
    writer.header(&mut output).map_err(of(&arguments.out))?;
    let mut written = 0;
    for (number, record) in records.iter().enumerate() {
        watch(number, records.len());
        if written >= most {
            break;
        }
        if writer
            .row(record, &mut random, &mut output)
            .map_err(of(&arguments.out))?
        {
            written += 1;
        }
    }
    if written == 0 && !may_be_empty {
        return Err(RowsError::Empty(arguments.games.clone()));
    }
    let output = output
        .into_inner()
        .map_err(|error| of(&arguments.out)(error.into_error()))?;
    output.finish().map_err(of(&arguments.out))?;
    Ok(written)
}
