//! The table of commands: the one place from which `list_commands`, `help`, `known_command` and the reference come.

mod admin;
mod analysis;
mod avoid;
mod count;
mod gogui;
mod graph;
mod kata;
mod parameters;
mod picture;
mod play;
mod players;
mod program;
mod records;
mod ruler;
mod rules;
mod score;
mod servers;
mod setup;
mod show;
mod solve;
mod thoughts;
mod time;
mod views;

use super::arguments::Arguments;
use super::failure::Failure;
use super::inbox::EndedBy;
use super::session::Session;

/// One command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name; case matters.
    pub name: &'static str,
    /// The form of its arguments, empty where it takes none.
    pub arguments: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// Whether it thinks, and what ends that early.
    pub search: Option<EndedBy>,
    /// Does it. The answer has no trailing line feed and may be empty.
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

    /// It goes on until anything is said.
    const fn until_any_line(self) -> Command {
        Command {
            search: Some(EndedBy::AnyLine),
            ..self
        }
    }

    /// Name and arguments as they are typed.
    pub fn usage(&self) -> String {
        if self.arguments.is_empty() {
            self.name.to_string()
        } else {
            format!("{} {}", self.name, self.arguments)
        }
    }
}

/// Commands that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its heading.
    pub title: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
}

/// Every family in the order of `list_commands`. The first command must be `protocol_version`: some clients take the
/// list to begin there.
pub const FAMILIES: &[Family] = &[
    Family {
        title: "Administration",
        commands: admin::COMMANDS,
    },
    Family {
        title: "Setting up a game",
        commands: setup::COMMANDS,
    },
    Family {
        title: "Playing",
        commands: play::COMMANDS,
    },
    Family {
        title: "Analysis",
        commands: analysis::COMMANDS,
    },
    Family {
        title: "Time",
        commands: time::COMMANDS,
    },
    Family {
        title: "Result",
        commands: score::COMMANDS,
    },
    Family {
        title: "Exact values",
        commands: solve::COMMANDS,
    },
    Family {
        title: "Board and position",
        commands: show::COMMANDS,
    },
    Family {
        title: "Graphs",
        commands: graph::COMMANDS,
    },
    Family {
        title: "Pictures",
        commands: picture::COMMANDS,
    },
    Family {
        title: "Rules",
        commands: rules::COMMANDS,
    },
    Family {
        title: "Settings in KataGo's names",
        commands: kata::COMMANDS,
    },
    Family {
        title: "Players",
        commands: players::COMMANDS,
    },
    Family {
        title: "Counting and certainty",
        commands: count::COMMANDS,
    },
    Family {
        title: "Game records",
        commands: records::COMMANDS,
    },
    Family {
        title: "The program",
        commands: program::COMMANDS,
    },
    Family {
        title: "GoGui",
        commands: gogui::COMMANDS,
    },
    Family {
        title: "Parameters, as GoGui shows them",
        commands: parameters::COMMANDS,
    },
    Family {
        title: "Findings of the search",
        commands: thoughts::COMMANDS,
    },
    Family {
        title: "Views of the position",
        commands: views::COMMANDS,
    },
    Family {
        title: "The board of a game that GoGui does not know",
        commands: ruler::COMMANDS,
    },
    Family {
        title: "Servers",
        commands: servers::COMMANDS,
    },
];

/// Every command.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// The command of this name.
pub fn find(name: &str) -> Option<&'static Command> {
    all().find(|command| command.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_as_clients_need_it() {
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
        // Sabaki and other clients switch to a form of analysis that is not spoken here when they see these.
        for name in [
            "analyze",
            "genmove_analyze",
            "kata-raw-nn",
            "heatmap",
            "gogui-sigint",
        ] {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
