//! Rating table of several programs. The first plays a match against each of the others, then
//! `omnigo rate` fits ratings to all games.
//!
//! ```sh
//! cargo build --release && cargo run --release --example ladder -- FOLDER grid:13 16 \
//!   "omnigo --net none --playouts 4000 --threads 1 --ruleset cgos" \
//!   "gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead --positional-superko" \
//!   "pachi …" "fuego …"
//! ```
//!
//! The games use area rules with positional superko, komi 7, and paired openings of two random
//! moves. They are kept in the folder, one file per pairing, and a later run continues from them.

mod built;

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "expected FOLDER GRAPH GAMES and the commands of two engines or more";

/// Plays the missing games of a match and returns the path of its record.
fn play(
    program: &Path,
    folder: &Path,
    graph: &str,
    games: &str,
    [black, white]: [&str; 2],
) -> Result<PathBuf, Box<dyn Error>> {
    // The words make the file easy to find. The hash of the whole commands gives each pairing its
    // own file.
    let pairing = format!("{graph} {black} {white}");
    let mut hasher = DefaultHasher::new();
    pairing.hash(&mut hasher);
    let words: String = pairing
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(80)
        .collect();
    let out = folder.join(format!("{words}-{:016x}.jsonl", hasher.finish()));
    let status = Command::new(program)
        .args(["match", "--black", black, "--white", white])
        .args(["--graph", graph, "--ruleset", "cgos", "--komi", "7"])
        .args(["--openings", "2", "--games", games, "--out"])
        .arg(&out)
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit())
        .status()?;
    if status.success() {
        Ok(out)
    } else {
        Err(format!("the match of '{black}' against '{white}' failed").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, graph, games, first, others @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    if others.is_empty() {
        return Err(USAGE.into());
    }
    std::fs::create_dir_all(folder)?;
    let program = built::omnigo()?;
    let mut records = Vec::new();
    for other in others {
        let sides = [first.as_str(), other.as_str()];
        records.push(play(&program, Path::new(folder), graph, games, sides)?);
    }
    let rated = Command::new(&program).arg("rate").args(&records).status()?;
    if rated.success() {
        Ok(())
    } else {
        Err("the games could not be rated".into())
    }
}
