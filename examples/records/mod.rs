//! Games in records of `omnigo match`.

use omnigo::graph::goban::Goban;
use omnigo::record::json::{self, GraphGame};

/// Passes every game of these files to `take`, in order.
///
/// # Errors
/// A line that names the file and the reason, if a file cannot be read or holds another text.
pub fn read(
    paths: impl Iterator<Item = String>,
    mut take: impl FnMut(GraphGame),
) -> Result<(), String> {
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("'{path}': {error}"))?;
        let mut known: Option<Goban> = None;
        // The last line of a match that was killed may be cut short.
        for line in text.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
            let game = json::parse(line, known.as_ref());
            let game = game.map_err(|error| format!("'{path}': {error}"))?;
            known = Some(game.goban.clone());
            take(game);
        }
    }
    Ok(())
}

/// Returns true if Black won the game, and false if White did. `None` without a winner.
pub fn black_won(game: &GraphGame) -> Option<bool> {
    match game.result.as_deref()?.as_bytes().first()? {
        b'B' => Some(true),
        b'W' => Some(false),
        _ => None,
    }
}
