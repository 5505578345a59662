//! GoGui extensions: position setup, move sequences, and the analysis menu.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::gtp::arguments::{Arguments, stones};
use crate::notation::move_text;
use crate::text::quote;
use crate::vertex::Move;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "gogui-version",
        "VERSION",
        "Turns on live graphics for GoGui: from now on, searches write drawing commands to standard error.",
        version,
    ),
    Command::new(
        "gogui-title",
        "",
        "Window title: engine, board, and ruleset.",
        title,
    ),
    Command::new(
        "gogui-setup",
        "COLOR VERTEX …",
        "Puts these stones on an empty board and starts a new history. Stones without liberties are accepted. Use `clear_board` first if the board has stones.",
        setup,
    ),
    Command::new(
        "gogui-setup_player",
        "COLOR",
        "Sets the color that moves first after a set-up.",
        setup_player,
    ),
    Command::new(
        "gogui-play_sequence",
        "COLOR VERTEX …",
        "Plays these moves in order. If one of them is illegal, plays none.",
        play_sequence,
    ),
    Command::new(
        "gg-undo",
        "[MOVES]",
        "Takes back this number of moves, 1 by default. If there are fewer moves, takes back none.",
        undo_moves,
    ),
    Command::new(
        "gogui-analyze_commands",
        "",
        "Entries of GoGui's analysis menu, one per line: `type/label/command`.",
        analyze_commands,
    ),
];

/// Analysis menu. The type determines how GoGui displays the answer. The command part of a line
/// must not contain another `/`.
const MENU: &[&str] = &[
    "gfx/Candidate Moves/omnigo-candidates %m",
    "var/Principal Variation/omnigo-variation",
    "sboard/Visits/omnigo-visits",
    "hpstring/Explain Last Move/gomill-explain_last_move",
    "bwboard/Territory/omnigo-territory",
    "dboard/Ownership/omnigo-ownership",
    "cboard/Status of Chains/omnigo-chain_colors",
    "plist/Legal Moves %c/all_legal %c",
    "plist/Neighbors %p/list_neighbors %p",
    "plist/Dead Stones/final_status_list dead",
    "plist/Unconditional Life %c/unconditional_life %c",
    "plist/Stones in Seki/final_status_list seki",
    "plist/Stones %c/list_stones %c",
    "eplist/Points to Avoid/omnigo-avoid",
    "pspairs/Labels/omnigo-labels",
    "string/Final Score/final_score",
    "string/Points/scores",
    "string/Prisoners/prisoners",
    "string/Board Spec/get_graph",
    "string/Ruleset/get_ruleset",
    "hstring/Position/showboard",
    "hstring/Settings/gomill-describe_engine",
    "param/Search Parameters/omnigo-param_search",
    "param/Rules/omnigo-param_rules",
    "none/Forget Search/clear_cache",
];

/// Entries of the analysis menu for SGF files, which can hold only rectangles.
const SGF_MENU: &[&str] = &["none/Load SGF/loadsgf %r", "none/Save SGF/printsgf %w"];

/// Entries of the analysis menu for files of every board.
const FILE_MENU: &[&str] = &[
    "none/Load Game/load_game %r",
    "none/Save Game/save_game %w",
    "none/Save Picture/write_svg %w",
];

fn analyze_commands(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let sgf = match session.engine.goban().rectangle {
        Some(_) => SGF_MENU,
        None => &[],
    };
    Ok([MENU, sgf, FILE_MENU].concat().join("\n"))
}

fn version(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.draws_for_gogui = true;
    Ok(String::new())
}

fn title(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let engine = &session.engine;
    Ok(format!(
        "omnigo on {}, {}",
        quote(&engine.goban().spec.to_string()),
        engine.rules()
    ))
}

fn setup(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let colors = session.engine.rules().colors;
    let placed = stones(&mut arguments, goban, colors)?;
    let mut position = session.engine.position();
    if position.iter().any(Option::is_some) {
        return Err(Failure::BoardNotEmpty);
    }
    for (color, vertex) in placed {
        goban.put(&mut position, vertex, color);
    }
    session.engine.set_position(&position, None);
    Ok(String::new())
}

fn setup_player(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    if session.engine.turns() > 0 {
        return Err(Failure::Refused(format!(
            "{color} cannot move first after other moves, expected gogui-setup_player before the first move"
        )));
    }
    let position = session.engine.position();
    // Without handicap, Black moves first: these stones are a position, not a handicap.
    let handicap = match color {
        Color::BLACK => 0,
        _ => session.engine.handicap(),
    };
    session.engine.set_start(&position, Some(color), handicap);
    Ok(String::new())
}

fn play_sequence(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let colors = session.engine.rules().colors;
    let mut moves: Vec<(Color, Move)> = Vec::new();
    while !arguments.is_empty() {
        let color = arguments.color(colors)?;
        let mv = arguments.mv(session.engine.goban())?;
        moves.push((color, mv));
    }
    session
        .engine
        .play_all(&moves)
        .map_err(|(number, reason)| {
            let at = moves.get(number).map_or(String::new(), |&(color, mv)| {
                format!("{color} {}: ", move_text(session.engine.goban(), mv))
            });
            Failure::IllegalMove(format!("move {}, {at}{reason}", number + 1))
        })?;
    Ok(String::new())
}

fn undo_moves(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a number of moves";
    let moves = match arguments.optional() {
        None => 1,
        Some(text) if !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()) => {
            // A number with too many digits exceeds the length of any game.
            text.parse().unwrap_or(usize::MAX)
        }
        Some(text) => return Err(Failure::expected("moves", text, EXPECTED)),
    };
    if session.engine.undo_moves(moves) {
        Ok(String::new())
    } else {
        Err(Failure::CannotUndo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Options};
    use crate::graph::spec::Spec;
    use crate::gtp::commands::find;
    use crate::gtp::parse::request;
    use crate::rules::{Points, presets};

    #[test]
    fn the_menu_is_valid_for_gogui() {
        const TYPES: &[&str] = &[
            "bwboard", "cboard", "dboard", "sboard", "plist", "pspairs", "pstring", "hpstring",
            "string", "hstring", "var", "varb", "varw", "varc", "eplist", "param", "gfx", "none",
        ];
        let mut labels = Vec::new();
        for line in MENU.iter().chain(SGF_MENU).chain(FILE_MENU) {
            let [kind, label, command] = line.split('/').collect::<Vec<_>>()[..] else {
                panic!("{line}: expected three fields");
            };
            assert!(TYPES.contains(&kind), "{line}");
            assert!(
                !labels.contains(&label),
                "{line}: GoGui drops a label that it has"
            );
            labels.push(label);
            let name = command.split(' ').next().unwrap();
            assert!(find(name).is_some(), "{line}: no such command");
        }
    }

    #[test]
    fn the_menu_has_only_commands_that_work_on_the_board() {
        for (board, holds_sgf) in [("grid:9", true), ("petersen", false), ("torus:9x9", false)] {
            let goban = board.parse::<Spec>().unwrap().build().unwrap();
            let rules = presets::find("tromp-taylor").unwrap().rules.clone();
            let options = Options {
                memory_mib: 16,
                ..Options::default()
            };
            let engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
            let mut session = Session::new(engine, true);
            let request = request("gogui-analyze_commands").unwrap();
            let menu = session.run(&request).unwrap();
            assert_eq!(menu.contains("sgf"), holds_sgf, "{board}: {menu}");
            for entry in menu.lines() {
                let command = entry.split('/').nth(2).unwrap();
                let name = command.split(' ').next().unwrap();
                assert!(find(name).is_some(), "{entry}");
            }
            for name in ["load_game %r", "save_game %w", "write_svg %w"] {
                assert!(menu.contains(name), "{board}: {menu}");
            }
        }
    }
}
