//! The omnigo program; see `omnigo --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    omnigo::cli::run()
}
