//! `omnigo selfplay`: games of the engine against itself, as training data for the network.
//!
//! Reading order: [`options`] (command-line arguments), [`game`] (one game and its rows),
//! [`super::starts`] (initial positions), [`super::folder`] (storage, and resuming a stopped run),
//! [`super::parallel`] (games in parallel).

pub mod game;
pub mod options;

pub use super::boards::Boards;
pub use super::parallel::Total;
pub use options::SelfplayArgs;

use std::time::Instant;

use super::draw;
use super::folder::{Folder, FolderError, GameLine};
use super::format::Kind;
use super::parallel::{self, Finished, ParallelError};
use super::starts::{Starts, StartsError};
use crate::arguments::guidance;
use crate::points::Points;
use crate::rules::{DeadStones, End, Ruleset, Scoring};
use game::Plan;
use options::Settings;

/// Reason why games cannot be played or stored, as a message of one line.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The network or the kernel cannot be used.
    #[error("{0}")]
    Network(String),
    /// The rules do not count area with all stones alive.
    #[error(
        "the ruleset '{0}' does not score area with all stones alive, expected one such as cgos or tromp-taylor"
    )]
    Rules(String),
    /// The records cannot be used as initial positions.
    #[error("{0}")]
    Starts(#[from] StartsError),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The games cannot be played or stored.
    #[error(transparent)]
    Games(#[from] ParallelError),
}

impl SelfplayError {
    /// Returns true if the arguments are wrong, whatever the files contain.
    pub fn is_of_arguments(&self) -> bool {
        matches!(self, SelfplayError::Rules(_))
    }
}

/// Plays the games that the folder lacks.
///
/// # Errors
/// If the network, the rules, or the folder cannot be used.
pub fn run(args: &SelfplayArgs) -> Result<Total, SelfplayError> {
    let mut guidance =
        guidance(args.net.as_deref(), args.net_kernel).map_err(SelfplayError::Network)?;
    if let Some(guidance) = &mut guidance {
        guidance.everywhere = true;
    }
    let rules = &args.ruleset.rules;
    if !counts_as_it_stands(rules) {
        return Err(SelfplayError::Rules(rules.to_string()));
    }
    let starts = Starts::of(&args.run, args.from_share)?;
    let net = guidance.as_ref().and_then(|g| g.network.own());
    let net = net.map(|network| network.hash());
    if guidance.is_some() && net.is_none() {
        let problem = "self-play needs a network in omnigo's own format".to_owned();
        return Err(SelfplayError::Network(problem));
    }
    let settings = Settings::new(args, net, starts.as_ref().map(Starts::description));
    let mut folder = Folder::open(&args.run.out, Kind::Searched, &settings)?;
    folder.open_rows(&args.run.boards)?;
    let plan = Plan {
        guidance,
        rules: rules.clone(),
        playouts: args.playouts,
        quick_playouts: args.quick_playouts,
        recorded: args.recorded,
        noise: args.noise,
        drawn_moves: 0,
        temperature: args.temperature,
        random_moves: args.random_moves,
        resign_below: args.resign_below,
        played_out: args.played_out,
    };
    let play = |number| Ok(one(args, &plan, starts.as_ref(), number));
    let total = parallel::run(&mut folder, args.run.games, args.parallel, play)?;
    Ok(total)
}

/// Returns true if two colors play for area, the game ends by passes, and all stones on the board
/// count as alive.
fn counts_as_it_stands(rules: &Ruleset) -> bool {
    let area = match rules.scoring {
        Scoring::Area => true,
        Scoring::Territory | Scoring::Stones | Scoring::None => false,
    };
    let stands = match rules.dead {
        DeadStones::None => true,
        DeadStones::Agreed => false,
    };
    let ends = match rules.end {
        End::Passes => true,
        End::Stuck => false,
    };
    area && stands && ends && rules.colors == 2
}

/// Plays game `number`.
fn one(args: &SelfplayArgs, plan: &Plan, starts: Option<&Starts>, number: u32) -> Finished {
    let start = Instant::now();
    let mut random = parallel::random(args.run.seed, number);
    let size = args.run.boards.draw(&mut random);
    let board = size.board(plan.rules.colors);
    let span = 2 * i64::from(args.komi_span);
    let shift = random.below(2 * span as usize + 1) as i64 - span;
    let komi = args.komi.value.unwrap_or_else(|| size.fair_komi()) + Points::from_halves(shift);
    let drawn = args.drawn_moves.map(|n| n as usize);
    let plan = Plan {
        drawn_moves: drawn.unwrap_or((size.width + size.height) / 2),
        ..plan.clone()
    };
    let given = starts.map_or(&[][..], |starts| starts.draw(size, &mut random));
    let played = plan.play(board, komi, given, &mut random);
    let line = GameLine {
        game: number,
        board: size.to_string(),
        komi: komi.to_string(),
        result: draw::result(played.winner, played.margin),
        begun: played.begun,
        problem: None,
        random: played.random,
        moves: size.aliases(&played.moves),
        rows: played.rows.len() as u64,
        seconds: parallel::seconds_since(start),
    };
    Finished {
        line,
        size,
        rows: played.rows,
    }
}
