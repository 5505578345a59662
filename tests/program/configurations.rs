//! Configurations of bridges in `examples/bots`: they have the form that the bridge reads, their
//! commands start the engine, and `docs/clients.md` shows them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::{piped, with_input};

/// Keys of gtp2ogs 9 that the file may use.
const OGS_KEYS: &[&str] = &[
    "apikey",
    "bot",
    "allowed_board_sizes",
    "allowed_time_control_systems",
    "allowed_correspondence_settings",
    "max_games_per_player",
    "greeting",
    "farewell",
];
/// Keys that the Python client of CGOS requires for each engine; `Name` before 2023.
const CGOS_KEYS: &[&str] = &[
    "Name",
    "CommandLine",
    "ServerHost",
    "ServerPort",
    "ServerUser",
    "ServerPassword",
    "NumberOfGames",
];
/// Keys of kgsGtp that the file may use.
const KGS_KEYS: &[&str] = &[
    "name",
    "password",
    "room",
    "mode",
    "engine",
    "rules",
    "rules.boardSize",
    "rules.time",
    "reconnect",
    "undo",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn file(name: &str) -> String {
    fs::read_to_string(root().join("examples/bots").join(name)).unwrap()
}

/// Reads the JSON5 file, which is JSON with lines of comments.
fn ogs() -> Value {
    let text = file("gtp2ogs.json5");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    serde_json::from_str(&lines.collect::<Vec<_>>().join("\n")).unwrap()
}

/// Returns the values of lines `key=value`, with blanks around the parts removed.
fn properties(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.ends_with(':'))
        .map(|line| {
            let (key, value) = line.split_once('=').unwrap();
            (key.trim().to_string(), value.trim().to_string())
        })
        .collect()
}

/// Returns the words of the three commands, each as its bridge splits them.
fn commands() -> Vec<Vec<String>> {
    let split = |text: &str| text.split_whitespace().map(str::to_string).collect();
    let listed = ogs()["bot"]["command"].as_array().unwrap().clone();
    vec![
        listed
            .iter()
            .map(|word| word.as_str().unwrap().to_string())
            .collect(),
        split(&properties(&file("kgsgtp.properties"))["engine"]),
        split(&properties(&file("cgos.cfg"))["CommandLine"]),
    ]
}

#[test]
fn commands_of_bridges_start_the_engine() {
    for words in commands() {
        assert_eq!(words[0], "/path/to/omnigo");
        let output = with_input(piped().args(&words[1..]), "name\nquit\n");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        let answers = String::from_utf8_lossy(&output.stdout).to_string();
        assert_eq!(answers, "= omnigo\n\n= \n\n", "{words:?}: {errors}");
    }
}

#[test]
fn configurations_have_the_keys_of_their_bridges() {
    let ogs = ogs();
    for key in ogs.as_object().unwrap().keys() {
        assert!(OGS_KEYS.contains(&key.as_str()), "gtp2ogs.json5: {key}");
    }
    assert!(ogs["apikey"].is_string() && ogs["greeting"]["en"].is_string());

    for key in properties(&file("kgsgtp.properties")).keys() {
        assert!(KGS_KEYS.contains(&key.as_str()), "kgsgtp.properties: {key}");
    }

    let text = file("cgos.cfg");
    let sections: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.ends_with(':') && !line.starts_with('#'))
        .collect();
    assert_eq!(sections, ["Common:", "GTPEngine:"]);
    let (common, engine) = text.split_once("GTPEngine:").unwrap();
    assert!(properties(common).contains_key("KillFile"));
    let engine = properties(engine);
    for key in CGOS_KEYS {
        assert!(engine.contains_key(*key), "cgos.cfg: {key} is missing");
    }
    assert!(engine["NumberOfGames"].parse::<u32>().unwrap() > 0);
}

#[test]
fn the_page_of_clients_shows_the_configurations() {
    let page = fs::read_to_string(root().join("docs/clients.md")).unwrap();
    for entry in fs::read_dir(root().join("examples/bots")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = Path::new(path.file_name().unwrap());
        assert!(page.contains(text.trim()), "{} differs", name.display());
    }
}
