//! Options of `omnigo gtp` for bots that run for months.

use std::path::PathBuf;

use clap::Args;

use crate::gtp::Bot;
use crate::gtp::greetings::Greetings;
use crate::gtp::log::SessionLog;
use crate::gtp::results::Results;
use crate::gtp::warning_file::WarningFile;

/// Logs, results, and greetings of a session.
#[derive(Debug, Args)]
pub(super) struct BotArgs {
    /// Append all input and output to this file.
    #[arg(long, help_heading = "Bots and option files", value_name = "FILE")]
    log: Option<PathBuf>,
    /// Append all input and output to this file as JSON lines, with times and the figures of
    /// searches.
    #[arg(long, help_heading = "Bots and option files", value_name = "FILE")]
    log_json: Option<PathBuf>,
    /// Size in MiB at which a log begins a new file. The five latest old files remain, as FILE.1 to
    /// FILE.5 [default: unlimited].
    #[arg(long, help_heading = "Bots and option files", value_name = "MIB", value_parser = crate::arguments::whole::<u32>(1..=1_048_576))]
    log_size: Option<u32>,
    /// Append one JSON line for each game of the engine to this file: result, moves, and time used.
    #[arg(long, help_heading = "Bots and option files", value_name = "FILE")]
    results: Option<PathBuf>,
    /// Text for the opponent at the engine's first move of a game, at most 200 characters.
    #[arg(long, help_heading = "Bots and option files", value_name = "TEXT", value_parser = words)]
    greeting: Option<String>,
    /// Text for the opponent at the end of a game, at most 200 characters.
    #[arg(long, help_heading = "Bots and option files", value_name = "TEXT", value_parser = words)]
    farewell: Option<String>,
    /// Name that the GTP command name answers. Some clients offer more to names that begin with
    /// KataGo [default: omnigo].
    #[arg(long, help_heading = "Bots and option files", value_name = "TEXT", value_parser = words)]
    name: Option<String>,
}

impl BotArgs {
    /// Returns the settings of a session that ends on signals. Opens the files, with a warning for
    /// each that cannot be written.
    pub(super) fn bot(self) -> Bot {
        let limit = self.log_size.map(|mib| u64::from(mib) << 20);
        let log = self.log.map(|path| WarningFile::new("--log", &path, limit));
        let json = self
            .log_json
            .map(|path| WarningFile::new("--log-json", &path, limit));
        Bot {
            log: SessionLog::new(log, json),
            results: self.results.map(|path| Results::new(&path)),
            greetings: Greetings::new(self.greeting, self.farewell),
            name: self.name,
            ends_on_signals: true,
            ctrl_c_stops_searches: false,
        }
    }
}

/// Parses a text for the opponent.
fn words(text: &str) -> Result<String, String> {
    let text = text.trim();
    let length = text.chars().count();
    if (1..=Greetings::LONGEST).contains(&length) && !text.chars().any(char::is_control) {
        Ok(text.to_string())
    } else {
        let most = Greetings::LONGEST;
        Err(format!("expected one line of 1 to {most} characters"))
    }
}
