//! Table of all commands. `list_commands`, `help`, `known_command`, and the reference page are
//! generated from it.

mod admin;
mod analysis;
mod avoid;
mod count;
mod gogui;
mod gogui_parameters;
mod gogui_rules;
mod graph;
mod kata;
mod networks;
mod picture;
mod play;
mod players;
mod program;
mod records;
mod rules;
mod score;
mod search_results;
mod servers;
mod setup;
mod show;
mod solve;
mod time;
mod views;

use super::arguments::Arguments;
use super::failure::Failure;
use super::inbox::EndedBy;
use super::session::Session;
use crate::text;

/// GTP command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name of the command, case-sensitive.
    pub name: &'static str,
    /// Form of the arguments, empty if there are none.
    pub arguments: &'static str,
    /// Description of the command, in one sentence.
    pub help: &'static str,
    /// Input that stops the search early, or `None` if the command does not search.
    pub search: Option<EndedBy>,
    /// Function that runs the command. The answer has no trailing line feed and may be empty.
    pub run: fn(&mut Session, Arguments<'_>) -> Result<String, Failure>,
}

impl Command {
    const fn new(
        name: &'static str,
        arguments: &'static str,
        help: &'static str,
        run: fn(&mut Session, Arguments<'_>) -> Result<String, Failure>,
    ) -> Command {
        Command {
            name,
            arguments,
            help,
            search: None,
            run,
        }
    }

    const fn searching(self) -> Command {
        Command {
            search: Some(EndedBy::Interrupt),
            ..self
        }
    }

    /// Marks a command whose search runs until any line arrives.
    const fn until_any_line(self) -> Command {
        Command {
            search: Some(EndedBy::AnyLine),
            ..self
        }
    }

    /// Returns the name and arguments as they are typed.
    pub fn usage(&self) -> String {
        if self.arguments.is_empty() {
            self.name.to_string()
        } else {
            format!("{} {}", self.name, self.arguments)
        }
    }
}

/// Group of related commands.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Heading of the group.
    pub title: &'static str,
    /// Commands of the group.
    pub commands: &'static [Command],
    /// Returns true if `list_commands` has these commands for the present board and rules.
    is_listed: fn(&Session) -> bool,
}

impl Family {
    const fn new(title: &'static str, commands: &'static [Command]) -> Family {
        Family {
            title,
            commands,
            is_listed: |_| true,
        }
    }
}

/// All groups, in the order of `list_commands`. The first command must be `protocol_version`: some
/// clients expect the list to start there.
pub const FAMILIES: &[Family] = &[
    Family::new("Administration", admin::COMMANDS),
    Family::new("Setting up a game", setup::COMMANDS),
    Family::new("Playing", play::COMMANDS),
    Family::new("Analysis", analysis::COMMANDS),
    Family::new("Time", time::COMMANDS),
    Family::new("Result", score::COMMANDS),
    Family::new("Exact values", solve::COMMANDS),
    Family::new("Board and position", show::COMMANDS),
    Family::new("Graphs", graph::COMMANDS),
    Family::new("Pictures", picture::COMMANDS),
    Family::new("Rules", rules::COMMANDS),
    Family::new("Settings under KataGo's names", kata::COMMANDS),
    Family::new("Networks", networks::COMMANDS),
    Family::new("Players", players::COMMANDS),
    Family::new("Counts and unconditional life", count::COMMANDS),
    Family::new("Game records", records::COMMANDS),
    Family::new("Program", program::COMMANDS),
    Family::new("GoGui", gogui::COMMANDS),
    Family::new("Parameter dialogs of GoGui", gogui_parameters::COMMANDS),
    Family::new("Search results", search_results::COMMANDS),
    Family::new("Views of the position", views::COMMANDS),
    Family {
        is_listed: gogui_rules::are_needed,
        ..Family::new("Boards and rules unknown to GoGui", gogui_rules::COMMANDS)
    },
    Family::new("Servers", servers::COMMANDS),
];

/// Returns the commands that `list_commands` has for the present board and rules.
fn listed(session: &Session) -> impl Iterator<Item = &'static Command> {
    let families = FAMILIES.iter().filter(|family| (family.is_listed)(session));
    families.flat_map(|family| family.commands)
}

/// Returns all commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// Alias and command. Aliases are for people: `list_commands` has only the commands.
const ALIASES: &[(&str, &str)] = &[("exit", "quit")];

/// Returns the command with this name or alias, or `None`.
pub fn find(name: &str) -> Option<&'static Command> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, name)| name);
    all().find(|command| command.name == name)
}

/// Returns all names and aliases of commands.
fn names() -> impl Iterator<Item = &'static str> {
    let aliases = ALIASES.iter().map(|&(alias, _)| alias);
    all().map(|command| command.name).chain(aliases)
}

/// Returns the name or alias most similar to an unknown command, or `None` if none is close.
pub fn nearest(name: &str) -> Option<&'static str> {
    text::nearest(name, names())
}

/// Returns the group whose heading is this text or starts with these words, in any case, or `None`.
fn group(words: &str) -> Option<&'static Family> {
    let words = words.to_lowercase();
    FAMILIES.iter().find(|family| {
        let title = family.title.to_lowercase();
        let rest = title.strip_prefix(&words);
        !words.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Returns the texts that [`group`] finds: the first words of each heading, and all its words.
fn group_names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| {
        let title = family.title;
        let blanks = title.match_indices(' ').map(|(blank, _)| blank);
        blanks.chain([title.len()]).map(move |end| &title[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_table_suits_clients() {
        assert_eq!(all().next().unwrap().name, "protocol_version");
        let mut names: Vec<&str> = all().map(|c| c.name).collect();
        names.sort_unstable();
        assert!(
            names.windows(2).all(|pair| pair[0] != pair[1]),
            "a name twice"
        );
        for command in all() {
            assert!(
                command
                    .name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
            );
            assert!(
                command.help.ends_with('.') && !command.help.contains('\n'),
                "{}",
                command.name
            );
            assert!(!command.arguments.contains('\n'));
        }
        // If they see these names, Sabaki and other clients switch to analysis formats that omnigo
        // does not support.
        for name in ["analyze", "genmove_analyze", "heatmap", "gogui-sigint"] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn aliases_are_not_listed() {
        for (alias, name) in ALIASES {
            assert_eq!(find(alias).unwrap().name, *name);
            assert!(all().all(|command| command.name != *alias));
            assert_eq!(nearest(&alias.to_uppercase()), Some(*alias));
        }
    }

    #[test]
    fn groups_are_found_by_their_first_words() {
        let title = |words: &str| group(words).map(|family| family.title);
        assert_eq!(title("time"), Some("Time"));
        assert_eq!(title("setting up"), Some("Setting up a game"));
        assert_eq!(title("Game records"), Some("Game records"));
        assert_eq!(title("tim"), None);
        assert_eq!(title(""), None);
        assert!(group_names().all(|name| group(name).is_some()));
        for name in ["Time", "Game", "Game records"] {
            assert!(group_names().any(|known| known == name), "{name}");
        }
    }
}
