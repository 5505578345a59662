//! Names for the engines in records, as short as possible while unique.

use std::collections::{BTreeMap, BTreeSet};

use crate::arguments::command_line::CommandLine;
use crate::r#match::record::GameLine;
use crate::r#match::side::Side;
use crate::text::printable;

/// Identity of an engine in records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Contender {
    /// The whole command.
    pub(super) command: String,
    /// The engine's answers to `name` and `version`.
    pub(super) about: String,
    /// Time settings of the engine.
    clock: Option<String>,
}

impl Contender {
    pub(super) fn of(line: &GameLine, side: Side) -> Contender {
        let settings = &line.settings;
        let command = match side {
            Side::Black => &settings.black,
            Side::White => &settings.white,
        };
        Contender {
            command: command.clone(),
            about: line.engines.of(side).text(),
            clock: settings.time_settings.clone(),
        }
    }

    /// Returns the command and the clock. The path of the program keeps only its last `folders`
    /// folders.
    fn name(&self, folders: usize, with_about: bool) -> String {
        let (program, arguments) = match self.command.parse::<CommandLine>() {
            Ok(line) => (line.program().to_owned(), line.arguments().join(" ")),
            Err(_) => (self.command.clone(), String::new()),
        };
        let parts: Vec<&str> = program.split(['/', '\\']).collect();
        let kept = parts.get(parts.len().saturating_sub(folders + 1)..);
        let program = kept.unwrap_or_default().join("/");
        let mut name = printable(format!("{program} {arguments}").trim());
        if with_about {
            name += &format!(" [{}]", printable(&self.about));
        }
        if let Some(clock) = &self.clock {
            name += &format!(" at {clock}");
        }
        name
    }
}

/// Returns a unique name for each engine, with as few folders as possible.
pub(super) fn names(all: &BTreeSet<Contender>) -> BTreeMap<Contender, String> {
    let deepest = |c: &Contender| c.command.matches(['/', '\\']).count();
    let most = all.iter().map(deepest).max().unwrap_or(0);
    all.iter()
        .map(|contender| {
            let others = || all.iter().filter(|other| *other != contender);
            let clashes = |folders, with_about| {
                let name = contender.name(folders, with_about);
                others().any(|other| other.name(folders, with_about) == name)
            };
            // Engines that differ only in name and version are builds of the same program in the
            // same place.
            let with_about = clashes(most, false);
            let folders = (0..most).find(|&folders| !clashes(folders, with_about));
            let name = contender.name(folders.unwrap_or(most), with_about);
            (contender.clone(), name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(command: &str, about: &str, clock: Option<&str>) -> Contender {
        Contender {
            command: command.to_owned(),
            about: about.to_owned(),
            clock: clock.map(str::to_owned),
        }
    }

    #[test]
    fn names_have_the_fewest_folders_that_distinguish_engines() {
        let all = [
            contender("/usr/games/gnugo --level 10", "GNU Go 3.8", None),
            contender("/with/bin/omnigo --net none", "omnigo 1", None),
            contender("/without/bin/omnigo --net none", "omnigo 1", None),
            contender("/bin/omnigo", "omnigo 1", None),
            contender("/bin/omnigo", "omnigo 2", None),
            contender("pachi", "Pachi", Some("0,1,1")),
            contender("pachi", "Pachi", Some("0,2,1")),
        ];
        let names = names(&all.iter().cloned().collect());
        let found: Vec<&str> = all.iter().map(|c| names[c].as_str()).collect();
        assert_eq!(
            found,
            [
                "gnugo --level 10",
                "with/bin/omnigo --net none",
                "without/bin/omnigo --net none",
                "omnigo [omnigo 1]",
                "omnigo [omnigo 2]",
                "pachi at 0,1,1",
                "pachi at 0,2,1",
            ]
        );
    }
}
