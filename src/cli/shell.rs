//! `omnigo completions` and `omnigo man`: help outside the program.

use std::any::TypeId;
use std::fs;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::definitions;
use super::end::{CliError, Report};
use super::output::write;
use crate::graph::formats::FORMATS;
use crate::graph::spec::Spec;
use crate::render::format::PictureFormat;
use crate::rules::presets;
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
    let with_values = |command: clap::Command| {
        let name = command.get_name().to_string();
        command.mut_args(|option| with_values(option, &name))
    };
    let mut command = with_values(definitions()).mut_subcommands(with_values);
    generate(arguments.shell, &mut command, "omnigo", &mut script);
    write(None, &script)?;
    Ok(Report::done())
}

/// Returns an option of a command for completion: with its values, if they have names. Other
/// options offer files only if their value can be one.
fn with_values(option: Arg, command: &str) -> Arg {
    if !option.get_action().takes_values() || !option.get_possible_values().is_empty() {
        return option;
    }
    let values = values(&option, command);
    if !values.is_empty() {
        return option.value_parser(PossibleValuesParser::new(values));
    }
    let parsed = option.get_value_parser().type_id();
    let files = [
        TypeId::of::<PathBuf>(),
        TypeId::of::<String>(),
        TypeId::of::<Spec>(),
    ];
    match files.iter().any(|file| parsed == *file) {
        true => option,
        false => option.value_hint(ValueHint::Other),
    }
}

/// Names of [`Kernel::ALL`]. Definitions of the command line need static texts.
///
/// [`Kernel::ALL`]: crate::net::kernels::Kernel::ALL
const KERNELS: [&str; 9] = [
    "portable",
    "neon",
    "avx2",
    "avx2int16",
    "avx2vnni",
    "avx512",
    "avx512bf16",
    "avx512int16",
    "amx",
];

/// Returns the named values of an option, which its parser knows. Empty if there are none.
fn values(option: &Arg, command: &str) -> Vec<&'static str> {
    match (option.get_long().unwrap_or_default(), command) {
        ("theme", _) => vec!["light", "dark", "paper"],
        ("labels", _) => vec!["alias", "label", "index", "none"],
        ("style", _) => vec!["light", "tactical"],
        ("first", _) => vec!["black", "white"],
        ("net-kernel", _) => KERNELS.into(),
        ("ruleset", _) => {
            let names = presets::all().iter().map(|preset| preset.rules.name);
            names.collect()
        }
        ("to", "graph") => {
            let written = FORMATS.iter().filter(|format| format.is_written());
            let pictures = PictureFormat::ALL.map(PictureFormat::name);
            written.map(|format| format.name).chain(pictures).collect()
        }
        _ if option.get_value_parser().type_id() == TypeId::of::<bool>() => vec!["yes", "no"],
        _ => Vec::new(),
    }
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
    // The page of a subcommand is its help, so the subcommand `help` needs none.
    let mut command = definitions().disable_help_subcommand(true);
    command.build();
    let commands: Vec<clap::Command> = std::iter::once(command.clone())
        .chain(command.get_subcommands().cloned())
        .collect();
    let page = |command: clap::Command| {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let name = format!("{name}.1");
        let mut page = Vec::new();
        Man::new(command)
            .source(concat!("omnigo ", env!("CARGO_PKG_VERSION")))
            .render(&mut page)
            .map_err(CliError::failed)?;
        Ok((name, page))
    };
    commands.into_iter().map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kernels_are_offered() {
        let names = crate::net::kernels::Kernel::ALL.map(|kernel| kernel.to_string());
        assert_eq!(names, KERNELS);
    }

    #[test]
    fn offered_values_are_valid() {
        let mut offered = 0;
        let all = definitions();
        for command in all.get_subcommands() {
            for option in command.get_arguments() {
                for value in values(option, command.get_name()) {
                    let long = option.get_long().unwrap();
                    let words = [command.get_name(), &format!("--{long}={value}")];
                    let checked = command.clone().try_get_matches_from(words);
                    if let Err(error) = checked {
                        let kind = error.kind();
                        let wrong = kind == clap::error::ErrorKind::ValueValidation;
                        assert!(!wrong, "{} {long} {value}: {error}", command.get_name());
                    }
                    offered += 1;
                }
            }
        }
        assert!(offered > 100, "{offered}");
    }

    #[test]
    fn pages_name_the_version_and_each_other() {
        let pages = pages().unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        let source = format!("\"omnigo {}\"", env!("CARGO_PKG_VERSION"));
        for (name, page) in &pages {
            let page = String::from_utf8_lossy(page);
            assert!(page.contains(&source), "{name}: {page}");
            let is_reference = |line: &&str| line.starts_with("omnigo\\-") && line.ends_with("(1)");
            for line in page.lines().filter(is_reference) {
                let named = line.replace('\\', "").replace("(1)", ".1");
                assert!(names.contains(&named.trim()), "{name}: {line}");
            }
        }
    }
}
