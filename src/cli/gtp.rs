//! `omnigo gtp`, the default: serves GTP on standard input and output.

use std::io::{self, BufReader, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use clap::{ArgAction, Args};

use super::args::{RulesetArgs, SearchArgs, board, position};
use super::bot::BotArgs;
use super::end::{CliError, Report};
use crate::arguments::{ConfigArgs, lag, probability, temperature, yes_or_no};
use crate::engine::{Engine, Level, Options, Style, Variety};
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::gtp::{self, Bot, Ending, Terminal};
use crate::system::{signals, tell};

/// Arguments of `omnigo gtp`.
#[derive(Debug, Args)]
pub(super) struct GtpArgs {
    /// Same as --graph.
    #[arg(value_name = "SPEC", conflicts_with_all = ["graph", "size"])]
    board: Option<Spec>,
    #[command(flatten)]
    play: PlayArgs,
}

impl GtpArgs {
    /// Returns the arguments with the board in its option.
    pub(super) fn into_play(self) -> PlayArgs {
        PlayArgs {
            graph: self.play.graph.or(self.board),
            ..self.play
        }
    }
}

/// Arguments of `omnigo` without a subcommand, which speaks GTP.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Board to play on, for example grid:9, torus:13x13, edges:a-b,b-c. Fixes the board: boardsize
    /// cannot change it.
    #[arg(
        long,
        help_heading = "Board",
        value_name = "SPEC",
        conflicts_with = "size"
    )]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Side length of the square grid at the start, 1 to 52 [default: 19].
    #[arg(long, help_heading = "Board", value_name = "N", value_parser = crate::arguments::whole::<u16>(1..=52))]
    size: Option<u16>,
    /// Stones at the start, one character per point in index order: X black, O white, . empty
    /// [default: the starting stones of the board]. The ruleset determines who moves first.
    #[arg(long, help_heading = "Board", value_name = "XO.")]
    position: Option<String>,
    #[command(flatten)]
    rules: RulesetArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Opening temperature: choose among nearly equal moves with probability proportional to
    /// visits^(1/T); 0 always plays the best move. KataGo calls it chosenMoveTemperatureEarly.
    #[arg(long, help_heading = "Style of play", value_name = "T", default_value = "0", value_parser = temperature)]
    opening_temperature: f64,
    /// Number of opening moves (both sides together) that use the temperature [default: vertices /
    /// 10].
    #[arg(
        long,
        help_heading = "Style of play",
        value_name = "N",
        value_parser = crate::arguments::whole::<u32>(..)
    )]
    opening_moves: Option<u32>,
    /// Probability that a move is drawn from the policy of a human-style network instead of the
    /// search. KataGo calls it humanSLChosenMoveProp.
    #[arg(long, help_heading = "Style of play", value_name = "P", default_value = "0", value_parser = probability)]
    human_moves: f64,
    /// Move choice in playouts: tactical, or light for random moves that fill no eye.
    #[arg(long, help_heading = "Search", value_name = "light|tactical", default_value_t = Style::Tactical)]
    style: Style,
    /// Count two or more Black moves before White's first move as handicap stones.
    #[arg(long, help_heading = "Style of play", value_name = "yes|no", default_value = "yes", value_parser = yes_or_no, action = ArgAction::Set)]
    handicap_moves: bool,
    /// Dynamic komi: compensate White for a handicap, fading to zero by mid-game. Has no effect on
    /// searches with a network.
    #[arg(long, help_heading = "Style of play", value_name = "yes|no", default_value = "no", value_parser = yes_or_no, action = ArgAction::Set)]
    dynamic_komi: bool,
    /// Win probability below which the engine may resign, after three such turns in a row with a
    /// hopeless score; 0 never resigns.
    #[arg(long, help_heading = "Style of play", alias = "resign", value_name = "P", default_value_t = Options::default().resign_below, value_parser = probability)]
    resign_below: f64,
    /// Seconds reserved per move for delays outside the search, such as a slow connection.
    #[arg(long, help_heading = "Search", value_name = "SECONDS", default_value_t = Options::default().lag, value_parser = lag)]
    lag: f64,
    /// Ponder: search during the opponent's turn, until any input arrives.
    #[arg(long, help_heading = "Search")]
    ponder: bool,
    #[command(flatten)]
    bot: BotArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Serves GTP on standard input and output.
pub(super) fn run(arguments: PlayArgs) -> Result<Report, CliError> {
    let pinned = arguments.graph.is_some();
    let side = arguments.size.map_or(19, usize::from);
    let spec = match arguments.graph {
        Some(spec) => spec,
        None => Spec::grid(side, side).map_err(CliError::arguments)?,
    };
    let mut goban = board(&spec, &arguments.reading)?;
    let (rules, komi) = arguments.rules.parts();
    if let Some(text) = &arguments.position {
        // Store the position as the start of the board, so that `clear_board` restores it.
        goban.start = position(&goban, rules.colors, text)?;
    }
    let level = arguments.search.level;
    let options = Options {
        resign_below: arguments.resign_below,
        lag: arguments.lag,
        ponders: arguments.ponder,
        variety: Variety {
            temperature: arguments.opening_temperature,
            moves: arguments.opening_moves,
            imitation: arguments.human_moves,
            ..Variety::default()
        },
        style: arguments.style,
        handicap_moves: arguments.handicap_moves,
        dynamic_komi: arguments.dynamic_komi,
        ..arguments.search.options()?
    };
    if options.variety.imitation > 0.0 && !options.imitates() {
        return Err(CliError::arguments(
            "--human-moves needs --net with a human-style network",
        ));
    }
    let options = match level.and_then(Level::new) {
        Some(level) => level.limit(options),
        None => options,
    };
    if let Some(level) = level.filter(|_| options.variety.imitation > 0.0)
        && !options.imitates()
    {
        return Err(CliError::arguments(format!(
            "--human-moves needs a network, but --level {level} uses none, expected a higher level"
        )));
    }
    let engine = Engine::new(goban, rules, komi, options).map_err(CliError::arguments)?;
    // Lizgoban waits for this line.
    tell!("GTP ready");
    let served = serve(engine, pinned, arguments.bot.bot());
    match served {
        // A controller that closes the pipe ends the session normally.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Report::done()),
        // Results and logs are written. Scripts expect the exit status of the signal.
        Ok(Ending::Signal(number)) => std::process::exit(signals::status(number)),
        other => other.map(|_| Report::done()).map_err(CliError::failed),
    }
}

/// Line for a person who starts the program without a controller.
const HINT: &str = "omnigo speaks GTP; try: genmove black, showboard, help, quit; `omnigo play` opens a board in the browser";

/// Reader and writer of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Partner {
    /// A program behind pipes or files.
    Client,
    /// A person who types commands, while a program or a file receives the answers.
    Typist,
    /// A person at a terminal.
    Person,
}

impl Partner {
    /// Returns the partner of a session whose input or output is a terminal.
    fn of(input: bool, output: bool) -> Partner {
        match (input, output) {
            (true, true) => Partner::Person,
            (true, false) => Partner::Typist,
            (false, _) => Partner::Client,
        }
    }
}

/// Serves the partner of this process.
fn serve(engine: Engine, pinned: bool, bot: Bot) -> io::Result<Ending> {
    let partner = Partner::of(io::stdin().is_terminal(), io::stdout().is_terminal());
    if partner != Partner::Client {
        tell!("{HINT}");
    }
    let terminal = (partner == Partner::Person).then(|| Terminal {
        colors: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
    });
    // The console of other systems edits lines itself.
    #[cfg(unix)]
    if let Some(Terminal { colors }) = terminal
        && let Some((input, output)) = super::console::open(colors)
    {
        // Ctrl-C is a key of the editor, and a signal while the program answers.
        let bot = Bot {
            ctrl_c_stops_searches: true,
            ..bot
        };
        return gtp::serve_person(engine, pinned, input, output, bot, terminal);
    }
    let input = BufReader::new(io::stdin());
    gtp::serve_person(engine, pinned, input, io::stdout().lock(), bot, terminal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_at_a_terminal_gets_forms_for_people() {
        assert_eq!(Partner::of(true, true), Partner::Person);
        assert_eq!(Partner::of(true, false), Partner::Typist);
        assert_eq!(Partner::of(false, true), Partner::Client);
        assert_eq!(Partner::of(false, false), Partner::Client);
    }
}
