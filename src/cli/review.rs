//! `omnigo review`: the mistakes of a whole game.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::{FileRulesetArgs, ResourceArgs};
use super::end::{CliError, Report, Status};
use super::output::{check, write};
use super::picture::{check_target, encode};
use crate::arguments::{points_above_0, probability, seconds};
use crate::engine::{Engine, Options};
use crate::files::is_same;
use crate::progress::Task;
use crate::record::file;
use crate::render::format::PictureFormat;
use crate::render::pdf::pages;
use crate::render::svg::{Labels, Style, strip};
use crate::review::{Choices, Game, Loss, Review, Settings, json, picture, positions, review, sgf};
use crate::system::ctrl_c::raise_on_ctrl_c;
use crate::system::tell;
use crate::text::quote;

/// Number of positions in a row of a picture of the game.
const COLUMNS: usize = 3;

/// Format of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReviewFormat {
    /// The game with comments and variations.
    Sgf,
    /// The game with the key `review`.
    Json,
    /// Graph of win rate and score. A PDF also has the game.
    Picture(PictureFormat),
}

impl ReviewFormat {
    /// Returns the format of this name, in any case, or `None`.
    fn find(name: &str) -> Option<ReviewFormat> {
        match name.to_ascii_lowercase().as_str() {
            "sgf" => Some(ReviewFormat::Sgf),
            "json" => Some(ReviewFormat::Json),
            name => PictureFormat::find(name).map(ReviewFormat::Picture),
        }
    }

    /// Returns the parser of `--to`.
    fn parser() -> impl TypedValueParser<Value = ReviewFormat> {
        let pictures = PictureFormat::ALL.map(PictureFormat::name);
        PossibleValuesParser::new(["sgf", "json"].into_iter().chain(pictures))
            .try_map(|name| ReviewFormat::find(&name).ok_or("expected the name of a format"))
    }
}

/// Arguments of `omnigo review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Game to review: SGF, or JSON for any board, as save_game and a match write it.
    #[arg(value_name = "GAME")]
    path: PathBuf,
    /// Number of the game in a file with several games [default: 1].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..))]
    game: Option<u32>,
    /// Format to write; svg and png are the graph of win rate and score, pdf has the graph and the
    /// game. Without it, the file extension of --out decides [default: sgf, or json for boards that
    /// are not rectangles].
    #[arg(long, value_name = "FORMAT", ignore_case = true, value_parser = ReviewFormat::parser())]
    to: Option<ReviewFormat>,
    /// Write JSON, like --to json.
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// File to write [default: standard output]. The summary then goes to standard output.
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write the graph of win rate and score, to a file that ends in .svg, .png or .pdf.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    rules: FileRulesetArgs,
    /// Maximum number of playouts per position [default: 500, unless there is a time limit].
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::whole::<u64>(1..))]
    playouts: Option<u64>,
    /// Maximum seconds per position.
    #[arg(long, help_heading = "Search", value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Maximum seconds for all positions together.
    #[arg(long, help_heading = "Search", value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<f64>,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    losses: LossArgs,
    /// Maximum number of moves of a variation.
    #[arg(long, value_name = "N", default_value_t = Settings::VARIATION as u32, value_parser = crate::arguments::whole::<u32>(1..=32))]
    variation: u32,
}

/// Losses that make a mistake.
#[derive(Debug, Args)]
struct LossArgs {
    /// Points lost by a mistake.
    #[arg(long, help_heading = "Mistakes", value_name = "POINTS", default_value_t = Loss::MISTAKE.points, value_parser = points_above_0)]
    mistake_points: f64,
    /// Win probability lost by a mistake, from 0 to 1.
    #[arg(long, help_heading = "Mistakes", value_name = "P", default_value_t = Loss::MISTAKE.winrate, value_parser = probability)]
    mistake_rate: f64,
    /// Points lost by a blunder.
    #[arg(long, help_heading = "Mistakes", value_name = "POINTS", default_value_t = Loss::BLUNDER.points, value_parser = points_above_0)]
    blunder_points: f64,
    /// Win probability lost by a blunder, from 0 to 1.
    #[arg(long, help_heading = "Mistakes", value_name = "P", default_value_t = Loss::BLUNDER.winrate, value_parser = probability)]
    blunder_rate: f64,
}

impl LossArgs {
    /// Returns the losses of a mistake and of a blunder.
    fn losses(&self) -> Result<(Loss, Loss), CliError> {
        for (name, mistake, blunder) in [
            ("points", self.mistake_points, self.blunder_points),
            ("rate", self.mistake_rate, self.blunder_rate),
        ] {
            if mistake > blunder {
                return Err(CliError::Arguments(format!(
                    "--mistake-{name} {mistake}, expected at most --blunder-{name} {blunder}"
                )));
            }
        }
        let mistake = Loss {
            points: self.mistake_points,
            winrate: self.mistake_rate,
        };
        let blunder = Loss {
            points: self.blunder_points,
            winrate: self.blunder_rate,
        };
        for (name, rate) in [
            ("mistake", self.mistake_rate),
            ("blunder", self.blunder_rate),
        ] {
            if rate <= 0.0 {
                let problem = format!("--{name}-rate {rate}, expected a probability above 0");
                return Err(CliError::Arguments(problem));
            }
        }
        Ok((mistake, blunder))
    }
}

/// Reviews the game.
///
/// # Errors
/// One line, if the file holds no game that can be reviewed, the arguments do not fit it, or the
/// review cannot be written.
pub(super) fn run(arguments: ReviewArgs) -> Result<Report, CliError> {
    let settings = arguments.settings()?;
    let image = arguments.image()?;
    let fail = |problem: &dyn std::fmt::Display| {
        let path = arguments.path.display().to_string();
        format!("cannot review '{}': {problem}", quote(&path))
    };
    let bytes = file::contents(&arguments.path).map_err(|error| fail(&error))?;
    let choices = Choices {
        game: arguments.game.map(|number| number as usize),
        ruleset: arguments.rules.ruleset.clone(),
        komi: arguments.rules.komi.value,
    };
    let game = Game::read(bytes, &choices).map_err(|error| fail(&error))?;
    for warning in &game.warnings {
        tell::warn(warning);
    }
    let format = arguments.format(&game)?;
    if let ReviewFormat::Picture(format) = format {
        check_target(format, arguments.out.as_deref(), io::stdout().is_terminal())?;
    }
    arguments.check_files(format, &game)?;
    let options = Options {
        playouts: settings.playouts,
        seconds: settings.seconds,
        resign_below: 0.0,
        ..arguments.resources.options()?
    };
    let mut engine = game.engine(options).map_err(|error| fail(&error))?;
    raise_on_ctrl_c(engine.stop_signal());
    let task = Task::of_steps();
    let mut progress = |done: usize, all: usize| task.step(done, all);
    let found = review(&mut engine, &game, settings, &mut progress);
    drop(task);
    let found = found.map_err(|error| fail(&error))?;
    for warning in &found.warnings {
        tell::warn(warning);
    }
    if let Some((path, format)) = image {
        write(Some(path), &encode(format, &picture(&game, &found), None)?)?;
    }
    let document = document(format, &game, &found, &engine)?;
    write(arguments.out.as_deref(), &document)?;
    let text = match arguments.out {
        Some(_) => found.summary(&game.goban),
        None => String::new(),
    };
    let status = match found.is_complete() {
        true => Status::Complete,
        false => Status::Unfinished(format!(
            "interrupted after {} of {} moves",
            found.moves.len(),
            found.total
        )),
    };
    Ok(Report { text, status })
}

/// Returns the review in a format that fits the board.
fn document(
    format: ReviewFormat,
    game: &Game,
    review: &Review,
    engine: &Engine,
) -> Result<Vec<u8>, CliError> {
    match format {
        ReviewFormat::Sgf => {
            let text = sgf(game, review).ok_or_else(|| no_rectangle(game, "--to sgf"))?;
            Ok(text.into_bytes())
        }
        ReviewFormat::Json => Ok(json(game, review, engine)?.into_bytes()),
        ReviewFormat::Picture(PictureFormat::Pdf) => pdf(game, review),
        ReviewFormat::Picture(format) => encode(format, &picture(game, review), None),
    }
}

/// Returns a PDF of two pages: the graph, and the game as several positions. On a board that is too
/// large for the second page, warns on standard error.
fn pdf(game: &Game, review: &Review) -> Result<Vec<u8>, CliError> {
    let graph = picture(game, review);
    let goban = &game.goban;
    let frames = positions(game).map_err(CliError::failed)?;
    let style = Style {
        labels: Labels::of(goban),
        ..Style::default()
    };
    let drawn = PictureFormat::Pdf
        .fits(goban, frames.len())
        .and_then(|()| strip(goban, &frames, COLUMNS, style));
    let game = match drawn {
        Ok(game) => game,
        Err(problem) => {
            tell::warn(format_args!("{problem}; the PDF has only the graph"));
            return encode(PictureFormat::Pdf, &graph, None);
        }
    };
    if let Some(warning) = PictureFormat::Pdf.warning(&game) {
        tell::warn(warning);
    }
    pages(&[&graph, &game]).map_err(CliError::failed)
}

/// Returns the refusal of SGF for another board. `chosen_by` is the option that asks for SGF.
fn no_rectangle(game: &Game, chosen_by: &str) -> CliError {
    let board = quote(&game.goban.spec.to_string());
    CliError::Arguments(format!(
        "{chosen_by}: the board is {board}, expected a rectangle of at most 52x52; --to json fits \
         any board"
    ))
}

impl ReviewArgs {
    fn settings(&self) -> Result<Settings, CliError> {
        let (mistake, blunder) = self.losses.losses()?;
        let timed = self.time.is_some() || self.seconds.is_some();
        Ok(Settings {
            playouts: self.playouts.or((!timed).then_some(Settings::PLAYOUTS)),
            seconds: self.time,
            total: self.seconds,
            mistake,
            blunder,
            variation: self.variation as usize,
        })
    }

    /// Returns the format to write.
    ///
    /// # Errors
    /// If SGF is asked for and the board is not a rectangle. This is reported before the first
    /// search.
    fn format(&self, game: &Game) -> Result<ReviewFormat, CliError> {
        let usual = match game.is_rectangle() {
            true => ReviewFormat::Sgf,
            false => ReviewFormat::Json,
        };
        let (format, chosen_by) = match self.to.or(self.json.then_some(ReviewFormat::Json)) {
            Some(format) => (format, "--to sgf".to_string()),
            None => {
                let path = self.out.as_ref().map(|path| path.to_string_lossy());
                let path = path.unwrap_or_default();
                let extension = path.rsplit_once('.').map(|(_, extension)| extension);
                let format = extension.and_then(ReviewFormat::find).unwrap_or(usual);
                (format, format!("--out '{}'", quote(&path)))
            }
        };
        match format {
            ReviewFormat::Sgf if !game.is_rectangle() => Err(no_rectangle(game, &chosen_by)),
            format => Ok(format),
        }
    }

    /// Checks that the files can be written, before the first search. Refuses to write over the
    /// file of the game, except with the same game and its review if it is the only one there.
    fn check_files(&self, format: ReviewFormat, game: &Game) -> Result<(), CliError> {
        let kept = match game.is_json() {
            true => ReviewFormat::Json,
            false => ReviewFormat::Sgf,
        };
        let refuse = |option: &str, path: &Path, what: &str| {
            let path = quote(&path.display().to_string());
            let problem = format!("{option} '{path}' is {what}, expected another file");
            Err(CliError::Arguments(problem))
        };
        if let Some(path) = &self.picture {
            if is_same(path, &self.path) {
                return refuse("--picture", path, "the game");
            }
            if self.out.as_deref().is_some_and(|out| is_same(path, out)) {
                return refuse("--picture", path, "the file of --out");
            }
        }
        if let Some(path) = &self.out
            && is_same(path, &self.path)
        {
            if format != kept {
                return refuse("--out", path, "the game, which has another format");
            }
            if game.games > 1 {
                let what = format!("the file of {} games, and one is written", game.games);
                return refuse("--out", path, &what);
            }
        }
        check(self.picture.as_deref())?;
        check(self.out.as_deref())?;
        Ok(())
    }

    /// Returns the path and the format of the picture that comes with the review.
    fn image(&self) -> Result<Option<(&Path, PictureFormat)>, CliError> {
        let Some(path) = self.picture.as_deref() else {
            return Ok(None);
        };
        let text = path.display().to_string();
        match PictureFormat::of_path(&text) {
            Some(format) => Ok(Some((path, format))),
            None => Err(CliError::Arguments(format!(
                "--picture '{}', expected a file that ends in {}",
                quote(&text),
                PictureFormat::EXTENSIONS
            ))),
        }
    }
}
