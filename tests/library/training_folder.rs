//! Folders of training data, as tests read them.

use std::fs;
use std::path::{Path, PathBuf};

use omnigo::engine::Engine;
use omnigo::training::boards::Size;
use omnigo::training::folder::GameLine;
use omnigo::training::format::{Kind, Row, Rows};
use omnigo::vertex::Move;

/// Returns the path of a test's own folder, without old files.
pub fn new_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Returns the games of a folder by number, with times set to zero.
pub fn games(folder: &Path) -> Vec<GameLine> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games: Vec<GameLine> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    games.iter_mut().for_each(|game| game.seconds = 0.0);
    games.sort_by_key(|game| game.game);
    games
}

/// Returns the rows of the boards of a size. They must be of this kind.
pub fn rows(folder: &Path, size: &str, kind: Kind) -> Vec<Row> {
    let bytes = fs::read(folder.join(format!("{size}.rows"))).unwrap();
    let rows = Rows::read(&bytes).unwrap();
    assert_eq!(rows.header.kind, kind);
    let size: Size = size.parse().unwrap();
    assert_eq!(
        (rows.header.width, rows.header.height),
        (size.width, size.height)
    );
    rows.rows().collect()
}

/// Returns the move with this name.
pub fn read_move(engine: &Engine, name: &str) -> Move {
    match name {
        "pass" => Move::Pass,
        name => Move::Place(engine.goban().names.find(name).unwrap()),
    }
}
