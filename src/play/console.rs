//! Console: GTP lines that change nothing and open no file.

use serde_json::{Value, json};

use crate::gtp::Session;
use crate::gtp::parse;
use crate::text::quote;

/// Commands that may run: the name, and the maximum number of arguments. Commands that write files
/// when an argument names one may have none.
const ALLOWED: &[(&str, usize)] = &[
    ("protocol_version", 0),
    ("name", 0),
    ("version", 0),
    ("known_command", 1),
    ("list_commands", 0),
    ("showboard", 0),
    ("position", 0),
    ("list_stones", 1),
    ("move_history", 0),
    ("last_move", 0),
    ("whose_turn", 0),
    ("legal_moves", 1),
    ("all_legal", 1),
    ("is_legal", 2),
    ("get_graph", 0),
    ("list_graphs", 0),
    ("list_vertices", 0),
    ("list_neighbors", 1),
    ("get_ruleset", 0),
    ("list_rulesets", 0),
    ("kata-get-rules", 0),
    ("get_komi", 0),
    ("get_players", 0),
    ("get_teams", 0),
    ("prisoners", 0),
    ("scores", 0),
    ("final_score", 0),
    ("final_status_list", 1),
    ("unconditional_life", 1),
    ("omnigo-territory", 0),
    ("omnigo-labels", 0),
    ("printsgf", 0),
    ("save_game", 0),
    ("cputime", 0),
];

/// Runs a line. The answer has `ok` and `text`.
pub(super) fn run(session: &mut Session, line: &str) -> Value {
    let text = parse::clean(line.as_bytes());
    let Some(request) = parse::request(&text) else {
        return json!({"ok": false, "text": "no command, expected a GTP line"});
    };
    if request.name == "help" {
        let names: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
        return json!({"ok": true, "text": names.join("\n")});
    }
    let allowed = ALLOWED.iter().find(|(name, _)| *name == request.name);
    let problem = match allowed {
        None => format!(
            "'{}' is not allowed here, expected a command of help: the page changes the game",
            quote(request.name)
        ),
        Some((name, most)) if request.arguments.len() > *most => {
            format!("{name} with too many arguments, expected at most {most}")
        }
        Some(_) => match session.run(&request) {
            Ok(text) => return json!({"ok": true, "text": text}),
            Err(failure) => failure.to_string(),
        },
    };
    json!({"ok": false, "text": problem})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Options};
    use crate::graph::spec::Spec;
    use crate::gtp::commands;
    use crate::rules::{Points, presets};

    fn session() -> Session {
        let goban = "grid:3".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let options = Options {
            memory_mib: 16,
            ..Options::default()
        };
        Session::new(
            Engine::new(goban, rules, Points::ZERO, options).unwrap(),
            true,
        )
    }

    #[test]
    fn commands_with_files_are_refused() {
        let mut session = session();
        for line in [
            "loadsgf x",
            "load_game x",
            "printsgf /tmp/x",
            "printsgf -",
            "save_game /tmp/x",
            "write_svg /tmp/x.svg",
            "set_graph file:x",
            "quit",
            "play b A1",
            "PRINTSGF x",
            "1 loadsgf x",
            "",
            "# comment",
        ] {
            let answer = run(&mut session, line);
            assert_eq!(answer["ok"], false, "{line}");
            assert!(!answer["text"].as_str().unwrap().contains('\n'), "{line}");
        }
    }

    #[test]
    fn allowed_commands_exist_and_change_nothing() {
        let mut session = session();
        for (name, most) in ALLOWED {
            assert!(commands::find(name).is_some(), "{name}");
            let before = (session.engine.position(), session.engine.turns());
            let arguments = ["", " black", " black A1"][*most];
            run(&mut session, &format!("{name}{arguments}"));
            run(&mut session, name);
            assert_eq!(
                (session.engine.position(), session.engine.turns()),
                before,
                "{name}"
            );
        }
        assert_eq!(run(&mut session, "position")["text"], ".........");
    }
}
