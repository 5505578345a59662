//! `omnigo label`: positions with the outputs of a teacher, as training data for the network.
//!
//! Reading order: [`options`] (command-line arguments), [`game`] (one game and its rows),
//! [`explore`] (the student's searches), and [`mod@teacher`] (the teacher's outputs). [`remote`]
//! computes them in another program, and [`super::folder`] stores the rows and resumes a stopped
//! run.

pub mod explore;
pub mod game;
pub mod options;
pub mod remote;
pub mod teacher;

pub use super::parallel::Total;
pub use options::LabelArgs;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::boards::Size;
use super::draw;
use super::folder::{Folder, FolderError, GameLine};
use super::format::Kind;
use super::parallel::{self, Finished, ParallelError};
use super::problems::ProblemLine;
use super::starts::{Starts, StartsError};
use crate::arguments::guidance;
use crate::net::katago::{KataGo, content_hash};
use crate::net::kernels::Kernel;
use crate::net::{Network, Weights};
use crate::playout::Random;
use crate::points::Points;
use crate::rules::{End, Ruleset};
use crate::text::quote;
use game::{Plan, Start};
use options::Settings;
use remote::{Remote, RemoteError};

/// Reason why positions cannot be labeled, as a message of one line.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A network or the kernel cannot be used.
    #[error("{0}")]
    Network(String),
    /// The teacher does not know the rules.
    #[error(
        "the teacher does not know the ruleset '{0}', expected one such as cgos, chinese or japanese"
    )]
    Rules(String),
    /// The program that computes the teacher cannot be used.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// The records cannot be used as initial positions.
    #[error("{0}")]
    Starts(#[from] StartsError),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The student should search, but plays no moves.
    #[error("--searched needs games of the student, expected --student-share above 0")]
    NoSearches,
    /// The games cannot be played or stored.
    #[error(transparent)]
    Games(#[from] ParallelError),
}

impl LabelError {
    /// Returns true if the arguments are wrong, whatever the files contain.
    pub fn is_of_arguments(&self) -> bool {
        matches!(self, LabelError::Rules(_) | LabelError::NoSearches)
    }
}

/// Plays the games that the folder lacks, and labels their positions.
///
/// # Errors
/// If a network, the rules, or the folder cannot be used.
pub fn run(args: &LabelArgs) -> Result<Total, LabelError> {
    if args.searches().is_some() && args.student_share == 0.0 {
        return Err(LabelError::NoSearches);
    }
    let (teacher, kernel) = teacher(&args.teacher, args.net_kernel)?;
    let student = student(args.student.as_deref(), args.net_kernel)?;
    let rules = &args.ruleset.rules;
    if !is_taught(rules) {
        return Err(LabelError::Rules(rules.to_string()));
    }
    let starts = Starts::of(&args.run, args.from_share)?;
    let described = starts.as_ref().map(Starts::description);
    let hash = File::open(&args.teacher).and_then(content_hash);
    let hash = hash.map_err(|error| {
        let path = quote(&args.teacher.display().to_string());
        LabelError::Network(format!("cannot read '{path}': {error}"))
    })?;
    let name = format!("{} {hash:016x}", teacher.name());
    let settings = Settings::new(args, &name, student.hash(), described);
    let mut folder = Folder::open(&args.run.out, Kind::Labeled, &settings)?;
    folder.open_rows(&args.run.boards)?;
    let remote = match &args.evaluator {
        Some(command) => Some(Remote::start(
            command,
            &args.teacher,
            teacher.output_sizes(),
        )?),
        None => None,
    };
    let plan = Plan {
        teacher,
        remote: remote.map(Arc::new),
        student,
        kernel,
        rules: rules.clone(),
        recorded: args.recorded,
        student_share: args.student_share,
        temperature: args.temperature,
        noise: args.noise,
        random_moves: args.random_moves,
        handicap: args.handicap,
        even: args.even,
        decided: args.decided,
        searches: args.searches(),
    };
    let play = |number| one(args, &plan, starts.as_ref(), number);
    let total = parallel::run(&mut folder, args.run.games, args.parallel, play)?;
    Ok(total)
}

/// Reads the teacher. Returns it with its kernel.
fn teacher(file: &Path, kernel: Option<Kernel>) -> Result<(Arc<KataGo>, Kernel), LabelError> {
    let found = guidance(Some(file), kernel).map_err(LabelError::Network)?;
    match found.map(|found| (found.network, found.kernel)) {
        Some((Weights::KataGo(network), kernel)) if !network.imitates() => Ok((network, kernel)),
        Some(_) | None => Err(LabelError::Network(
            "the teacher is no network of KataGo that plays for itself, expected another file"
                .into(),
        )),
    }
}

/// Reads the student, or takes the built-in network.
fn student(file: Option<&Path>, kernel: Option<Kernel>) -> Result<Arc<Network>, LabelError> {
    let found = guidance(file, kernel).map_err(LabelError::Network)?;
    let own = found.as_ref().and_then(|found| found.network.own());
    own.cloned().ok_or_else(|| {
        LabelError::Network("the student needs a network in omnigo's own format".into())
    })
}

/// Returns true if the teacher knows the rules, and the game ends by passes.
fn is_taught(rules: &Ruleset) -> bool {
    let ends = match rules.end {
        End::Passes => true,
        End::Stuck => false,
    };
    ends && KataGo::knows(rules)
}

/// Plays game `number`.
fn one(
    args: &LabelArgs,
    plan: &Plan,
    starts: Option<&Starts>,
    number: u32,
) -> Result<Finished, ParallelError> {
    let began = Instant::now();
    let mut random = parallel::random(args.run.seed, number);
    let size = args.run.boards.draw(&mut random);
    let board = size.board(plan.rules.colors);
    let komi = komi(size, &mut random);
    let problem = args.problem(size, &mut random);
    let start = match &problem {
        Some(problem) => Start::Problem(problem),
        None => Start::Moves(starts.map_or(&[], |starts| starts.draw(size, &mut random))),
    };
    let played = plan.play(board, komi, start, &mut random);
    let played = played.map_err(|error| ParallelError::Game(error.to_string()))?;
    let Some(played) = played else {
        unreachable!("both networks evaluate rectangles of 5x5 to 19x19")
    };
    let result = played.margin.map_or_else(
        || "?".to_owned(),
        |margin| draw::result(draw::winner(margin), Some(margin)),
    );
    let line = GameLine {
        game: number,
        board: size.to_string(),
        komi: played.komi.to_string(),
        result,
        begun: played.begun,
        problem: problem.as_ref().map(ProblemLine::of),
        random: played.random,
        moves: size.aliases(&played.moves),
        rows: played.rows.len() as u64,
        seconds: parallel::seconds_since(began),
    };
    Ok(Finished {
        line,
        size,
        rows: played.rows,
    })
}

/// Draws the komi of a game. Most are near the fair komi. Some are so far away that they decide the
/// game.
fn komi(size: Size, random: &mut Random) -> Points {
    let points = size.width * size.height;
    let span = match random.below(10) {
        0..6 => 4,
        6..9 => points / 10,
        _ => points / 3,
    };
    // Half points, `span` points in either direction.
    let shift = random.below(4 * span + 1) as i64 - 2 * span as i64;
    size.fair_komi() + Points::from_halves(shift)
}
