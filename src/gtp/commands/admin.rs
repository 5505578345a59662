//! Administrative commands: identification, the command list, and `quit`.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::text::quote;

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
        "[NAME]",
        "Usage and description of one command, or of all commands.",
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
        "Stops a running search and ends the session.",
        quit,
    ),
];

fn protocol_version(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok("2".to_string())
}

fn name(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok("omnigo".to_string())
}

fn version(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(env!("CARGO_PKG_VERSION").to_string())
}

fn known_command(_: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let name = arguments.word("command", "the name of a command")?;
    Ok(super::find(name).is_some().to_string())
}

fn list_commands(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let names: Vec<&str> = super::all().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn help(_: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let line = |command: &Command| format!("{}: {}", command.usage(), command.help);
    match arguments.optional() {
        None => Ok(super::all().map(line).collect::<Vec<_>>().join("\n")),
        Some(name) => match super::find(name) {
            Some(command) => Ok(line(command)),
            None => Err(Failure::Syntax(format!(
                "unknown command '{}', expected a name from list_commands",
                quote(name)
            ))),
        },
    }
}

fn gogui_interrupt(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(String::new())
}

fn quit(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.finished = true;
    Ok(String::new())
}
