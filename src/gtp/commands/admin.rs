//! Administrative commands: identification, the command list, and `quit`.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::text::{did_you_mean, quote, wrap};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "protocol_version",
        "",
        "Protocol version: 2.",
        protocol_version,
    ),
    Command::new("name", "", "Name of the engine.", name),
    Command::new("version", "", "Version of the engine.", version),
    Command::new(
        "known_command",
        "NAME",
        "Tests whether a command exists: `true` or `false`.",
        known_command,
    ),
    Command::new(
        "list_commands",
        "",
        "Names of all commands, one per line.",
        list_commands,
    ),
    Command::new(
        "help",
        "[NAME|GROUP]",
        "Usage and description of one command, of the commands of a group such as `time`, or of all commands.",
        help,
    ),
    Command::new(
        "gogui-interrupt",
        "",
        "Does nothing. Its presence tells clients that the line `# interrupt` stops a running search.",
        gogui_interrupt,
    ),
    Command::new(
        "quit",
        "",
        "Stops a running search and ends the session. `exit` does the same.",
        quit,
    ),
];

fn protocol_version(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok("2".to_string())
}

fn name(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.name.clone())
}

fn version(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(env!("CARGO_PKG_VERSION").to_string())
}

fn known_command(_: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let name = arguments.word("command", "the name of a command")?;
    Ok(super::find(name).is_some().to_string())
}

fn list_commands(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let names: Vec<&str> = super::listed(session).map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn help(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let line = |command: &Command| format!("{}: {}", command.usage(), command.help);
    let words = arguments.rest();
    let Some(&name) = words.first() else {
        return Ok(match session.terminal {
            Some(_) => overview(),
            None => super::all().map(line).collect::<Vec<_>>().join("\n"),
        });
    };
    if let Some(command) = super::find(name) {
        return Ok(line(command));
    }
    if let Some(family) = super::group(&words.join(" ")) {
        let lines: Vec<String> = family.commands.iter().map(line).collect();
        return Ok(lines.join("\n"));
    }
    let known = || super::names().chain(super::group_names());
    // A group can have several words. A word after the name of a command has no effect.
    let whole = did_you_mean(&words.join(" "), known());
    let near = if whole.is_empty() {
        did_you_mean(name, known())
    } else {
        whole
    };
    Err(Failure::Syntax(format!(
        "unknown command '{}', expected a name from list_commands, or a group such as time{}",
        quote(name),
        near
    )))
}

/// Returns the names of all commands in their groups, for people.
fn overview() -> String {
    /// Maximum number of columns, which fits every terminal.
    const WIDTH: usize = 78;
    let groups = super::FAMILIES.iter().map(|family| {
        let names = family.commands.iter().map(|command| command.name);
        format!("{}\n{}", family.title, wrap(names, WIDTH, 2))
    });
    let end = "help NAME describes a command, help GROUP the commands of a group.";
    let lines: Vec<String> = groups.chain([end.to_string()]).collect();
    format!("\n{}", lines.join("\n"))
}

fn gogui_interrupt(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(String::new())
}

fn quit(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.finished = true;
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::graph::spec::Spec;
    use crate::gtp::Terminal;
    use crate::gtp::parse::request;
    use crate::rules::{Points, presets};

    fn session(terminal: Option<Terminal>) -> Session {
        let goban = Spec::grid(3, 3).unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let options = Options {
            memory_mib: 16,
            ..Options::default()
        };
        let engine = crate::engine::Engine::new(goban, rules, Points::ZERO, options).unwrap();
        Session {
            terminal,
            ..Session::new(engine, false)
        }
    }

    fn ask(session: &mut Session, line: &str) -> Result<String, String> {
        let answer = session.run(&request(line).unwrap());
        answer.map_err(|failure| failure.to_string())
    }

    #[test]
    fn commands_for_unknown_boards_are_listed_only_there() {
        let mut session = session(None);
        let name = "gogui-rules_board_size";
        let lists = |session: &mut Session| {
            let names = ask(session, "list_commands").unwrap();
            names.lines().any(|listed| listed == name)
        };
        assert!(!lists(&mut session), "GoGui would clear its board");
        let known = ask(&mut session, &format!("known_command {name}"));
        assert_eq!(known, Ok("true".to_string()));
        ask(&mut session, "set_graph petersen").unwrap();
        assert!(lists(&mut session));
        ask(&mut session, "boardsize 9").unwrap();
        assert!(!lists(&mut session));
        ask(&mut session, "set_ruleset conway").unwrap();
        assert!(lists(&mut session));
    }

    #[test]
    fn people_get_groups_and_suggestions() {
        let mut person = session(Some(Terminal { colors: false }));
        let help = ask(&mut person, "help").unwrap();
        assert!(help.starts_with("\nAdministration\n  protocol_version"));
        assert!(help.lines().all(|line| line.chars().count() <= 78));
        for command in super::super::all() {
            assert!(help.split_whitespace().any(|word| word == command.name));
        }
        let failure = ask(&mut person, "gemove b").unwrap_err();
        assert_eq!(failure, "unknown command; did you mean 'genmove'?");
        assert_eq!(ask(&mut person, "xyzzy").unwrap_err(), "unknown command");
        let failure = ask(&mut person, "Exit").unwrap_err();
        assert_eq!(failure, "unknown command; did you mean 'exit'?");
        for (typed, near) in [
            ("tims", "Time"),
            ("Exit", "exit"),
            ("game recordx", "Game records"),
            ("gemove b", "genmove"),
        ] {
            let failure = ask(&mut person, &format!("help {typed}")).unwrap_err();
            let end = format!("or a group such as time; did you mean '{near}'?");
            assert!(failure.ends_with(&end), "{failure}");
        }
        assert_eq!(ask(&mut person, "exit").unwrap(), "");
        assert!(person.finished);
    }

    #[test]
    fn clients_get_plain_answers() {
        let mut client = session(None);
        assert_eq!(ask(&mut client, "gemove b").unwrap_err(), "unknown command");
        let help = ask(&mut client, "help").unwrap();
        assert!(help.starts_with("protocol_version: "));
        assert!(help.lines().all(|line| line.contains(": ")));
        let time = ask(&mut client, "help time").unwrap();
        assert!(time.lines().any(|line| line.starts_with("time_left ")));
        assert_eq!(
            ask(&mut client, "help gemove").unwrap_err(),
            "syntax error: unknown command 'gemove', expected a name from list_commands, or a group such as time; did you mean 'genmove'?"
        );
    }

    #[test]
    fn people_see_a_board_with_the_last_move() {
        let mut person = session(Some(Terminal { colors: false }));
        ask(&mut person, "play b B2").unwrap();
        let board = ask(&mut person, "showboard").unwrap();
        assert!(board.contains("2 .(X). 2"), "{board}");
        assert!(!board.contains('\u{1b}'));
        let mut client = session(None);
        ask(&mut client, "play b B2").unwrap();
        let plain = ask(&mut client, "showboard").unwrap();
        assert!(plain.contains("2 . X . 2"), "{plain}");
        assert_eq!(board.replace(".(X).", ". X ."), format!("\n{plain}"));
        person.terminal = Some(Terminal { colors: true });
        let painted = ask(&mut person, "showboard").unwrap();
        assert!(painted.contains("\u{1b}["), "{painted}");
    }
}
