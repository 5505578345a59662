//! Help of the whole program: subcommands in groups, then the options of GTP.

use clap::{Arg, ArgAction, Command};

use super::definitions;
use crate::text::wrap;

/// Groups of subcommands, in the order of use.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["play", "gtp", "analysis", "match", "rate"]),
    ("Boards and games", &["graph", "record", "review", "check"]),
    (
        "Exact answers",
        &["solve", "komi", "count", "life", "atlas", "perfect"],
    ),
    (
        "Training",
        &["rows", "selfplay", "label", "fit", "accuracy"],
    ),
    (
        "Program",
        &["config", "benchmark", "bench", "completions", "man"],
    ),
];

/// Returns the command line whose help lists the subcommands in groups.
pub(super) fn command() -> Command {
    /// Number of columns before the description of a subcommand.
    const INDENT: usize = 15;
    /// Maximum number of columns of a line.
    const WIDTH: usize = 80;
    let mut command = definitions();
    let style = *command.get_styles().get_header();
    let mut groups = String::new();
    for (title, names) in GROUPS {
        groups.push_str(&format!("{style}{title}:{style:#}\n"));
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let about = wrap(about.split(' '), WIDTH, INDENT);
            // The name takes the place of the first blanks.
            let name = format!("  {name:<width$}", width = INDENT - 2);
            groups.push_str(&format!("{name}{}\n", about.trim_start()));
        }
        groups.push('\n');
    }
    let names = command.get_subcommands().map(|sub| sub.get_name());
    let names: Vec<String> = names.map(str::to_string).collect();
    for name in names {
        command = command.mut_subcommand(name, |sub| {
            sub.hide(true).disable_help_flag(true).arg(help_flag())
        });
    }
    command
        .override_usage("omnigo [OPTIONS]\n       omnigo COMMAND [OPTIONS]")
        .subcommand_help_heading("Help")
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{{all-args}}{{after-help}}"
        ))
}

/// Returns the option `--help` of a subcommand. It always prints the compact form. Otherwise an
/// option with described values would spread out all options of its subcommand.
fn help_flag() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .help("Print help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_of_every_subcommand_is_compact() {
        for name in GROUPS.iter().flat_map(|(_, names)| names.iter().copied()) {
            for flag in ["-h", "--help"] {
                let answer = command().try_get_matches_from(["omnigo", name, flag]);
                let help = answer.unwrap_err().to_string();
                assert!(help.contains("-h, --help"), "{name}: {help}");
                assert!(!help.contains("Possible values:"), "{name}: {help}");
                assert!(
                    !help
                        .lines()
                        .any(|line| line.starts_with("      ") && line.trim().is_empty()),
                    "{name}: {help}"
                );
            }
        }
    }

    #[test]
    fn usage_names_subcommands() {
        let usage = "Usage: omnigo [OPTIONS]\n       omnigo COMMAND [OPTIONS]\n";
        let help = command().render_help().to_string();
        assert!(help.contains(usage), "{help}");
        let refused = command().try_get_matches_from(["omnigo", "nonsense"]);
        let problem = refused.unwrap_err().to_string();
        assert!(problem.contains(usage), "{problem}");
    }

    #[test]
    fn help_lists_every_subcommand_once() {
        let all = definitions();
        let mut all: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
        let listed = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let mut listed: Vec<&str> = listed.collect();
        all.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, all);
        let help = command().render_help().to_string();
        for name in listed {
            let line = format!("\n  {name} ");
            assert_eq!(help.matches(&line).count(), 1, "{name}: {help}");
        }
        assert!(help.contains("\nExact answers:\n"), "{help}");
        assert!(help.contains("\nExamples:\n"), "{help}");
    }

    #[test]
    fn examples_parse() {
        let root = definitions();
        let subcommands = root.get_subcommands().chain([&root]);
        let mut examples = 0;
        for command in subcommands {
            let text = command.get_after_help().map(ToString::to_string);
            for line in text.unwrap_or_default().lines() {
                let Some(line) = line.strip_prefix("  omnigo ") else {
                    continue;
                };
                // Two blanks begin an explanation, the other marks the part for the shell.
                let mut line = line;
                for end in ["  ", " | ", " < ", " > "] {
                    line = line.split(end).next().unwrap();
                }
                let words = quoted_words(line);
                crate::cli::parses(&words).unwrap_or_else(|problem| panic!("{words:?}: {problem}"));
                examples += 1;
            }
        }
        assert!(examples > 30, "{examples}");
    }

    /// Splits a line at blanks outside single quotes.
    fn quoted_words(line: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '\'' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                c => words.iter_mut().last().unwrap().push(c),
            }
        }
        words
    }
}
