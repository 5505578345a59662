//! `omnigo completions` and `omnigo man`: help outside the program.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::definitions;
use super::end::{CliError, Report};
use super::output::write;
use crate::text::printable;

/// Arguments of `omnigo completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell that reads the script.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Arguments of `omnigo man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Folder for a page of the program and a page of each subcommand. It is created if it is
    /// missing [default: print the page of the program].
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the script of a shell.
pub(super) fn completions(arguments: &CompletionsArgs) -> Result<Report, CliError> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut definitions(), "omnigo", &mut script);
    write(None, &script)?;
    Ok(Report::done())
}

/// Prints the manual page, or writes all pages.
pub(super) fn man(arguments: &ManArgs) -> Result<Report, CliError> {
    let pages = pages()?;
    let Some(folder) = &arguments.folder else {
        let main = pages.first().map(|(_, page)| page.as_slice());
        write(None, main.unwrap_or_default())?;
        return Ok(Report::done());
    };
    fs::create_dir_all(folder).map_err(|error| {
        format!(
            "cannot create '{}': {error}",
            printable(&folder.display().to_string())
        )
    })?;
    for (name, page) in pages {
        write(Some(&folder.join(name)), page)?;
    }
    Ok(Report::done())
}

/// Returns the file name and the text of each page, that of the program first.
fn pages() -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let mut command = definitions();
    command.build();
    let subcommands = command.get_subcommands();
    let subcommands = subcommands.filter(|sub| sub.get_name() != "help").cloned();
    let commands: Vec<clap::Command> = std::iter::once(command.clone())
        .chain(subcommands)
        .collect();
    let page = |command: clap::Command| {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let name = format!("{name}.1");
        let mut page = Vec::new();
        Man::new(command)
            .render(&mut page)
            .map_err(CliError::failed)?;
        Ok((name, page))
    };
    commands.into_iter().map(page).collect()
}
