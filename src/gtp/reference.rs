//! Reference page of all commands, generated from the command table.

use std::fmt::Write;

use super::commands::{self, Command};
use crate::graph::families;
use crate::rules::presets;

/// Returns the Markdown text of `docs/gtp.md`: every command, board family, and ruleset.
pub fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    for family in commands::FAMILIES {
        page.push_str(&format!(
            "\n## {}\n\n| command | description |\n|---|---|\n",
            family.title
        ));
        for command in family.commands {
            row(&mut page, &usage(command), command.help);
        }
    }
    page.push_str("\n## Families of boards\n\n| spec | board |\n|---|---|\n");
    for (form, sentence, others) in families::forms() {
        let also = match others.as_slice() {
            [] => String::new(),
            names => format!(" Also `{}`.", names.join("`, `")),
        };
        row(
            &mut page,
            &format!("`{form}`"),
            &format!("{sentence}{also}"),
        );
    }
    page.push_str("\n`A+B` is the disjoint union of the boards A and B. Names ignore case, `-`, `_`, and `_graph` at the end.\n");
    page.push_str("\n## Rulesets\n\n| name | rules |\n|---|---|\n");
    for preset in presets::all() {
        row(&mut page, &format!("`{}`", preset.rules.name), preset.about);
    }
    page
}

const INTRODUCTION: &str = "\
# GTP commands

This page is generated from the table of commands. `OMNIGO_BLESS=1 cargo test --lib reference` rewrites it.

An input line has the form `[id] command [arguments]`. An answer starts with `=`, or with `?` if the command failed. Then
come the id, a space, the text, and an empty line. `#` starts a comment. The comment line `# interrupt` stops a running
search, which then answers as usual.

A vertex is a column letter (without I) and a row number, such as `D4`, in upper or lower case. The label of a vertex in
the source of the board also works. Colors are `black`, `white`, `b`, and `w`, and more after `set_players`. Extra
arguments are ignored, except by commands that read a list, options, or a file name. A failed command changes nothing. Its
error text quotes the wrong input and states what was expected.
";

fn usage(command: &Command) -> String {
    format!("`{}`", command.usage())
}

/// Appends a table row. Escapes vertical bars, which would end a cell.
fn row(page: &mut String, left: &str, right: &str) {
    let escape = |text: &str| text.replace('|', "\\|");
    // Writing to a string cannot fail.
    let _ = writeln!(page, "| {} | {} |", escape(left), escape(right));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_page_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/gtp.md");
        let page = reference();
        if std::env::var_os("OMNIGO_BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            written.replace("\r\n", "\n"),
            page,
            "run: OMNIGO_BLESS=1 cargo test --lib reference"
        );
    }
}
