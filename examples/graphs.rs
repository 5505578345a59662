//! Measures the strength of tactical against light playouts on graphs, with equal numbers of
//! playouts.
//!
//! `cargo run --release --example graphs -- FOLDER [GAMES] [PLAYOUTS]` plays a match on each board,
//! like `omnigo match`. It prints a table for `docs/performance.md`. Games are kept in the folder,
//! one file per board, and a later run continues from them.

mod built;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Boards of the table.
const BOARDS: &[&str] = &[
    "torus:9x9",
    "honeycomb:4",
    "king:9x9",
    "grid3d:5x5x5",
    "delaunay:81",
    "regular:81,4",
];

/// Komi that makes each opening even between light playouts, because the value of the first move is
/// unknown on these boards. There are no ties, and every opening is played with both colors.
const KOMI: &str = "even:light";
/// Number of random moves that open each pair of games.
const OPENINGS: &str = "2";

/// Plays a match and returns its summary.
fn play(
    program: &Path,
    sides: [String; 2],
    graph: &str,
    games: &str,
    out: &Path,
) -> Result<Value, Box<dyn std::error::Error>> {
    let command = |options: &str| {
        format!(
            "'{}' --threads 1 --net none --ruleset cgos {options}",
            program.display()
        )
    };
    let [black, white] = sides.map(|options| command(&options));
    let output = Command::new(program)
        .args(["match", "--json", "--black", &black, "--white", &white])
        .args(["--graph", graph, "--ruleset", "cgos", "--komi", KOMI])
        .args(["--openings", OPENINGS, "--games", games, "--out"])
        .arg(out)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the match on {graph} failed").into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Returns a table row: games, score, and the interval of the score.
fn row(name: &str, summary: &Value) -> String {
    let percent = |value: &Value| {
        value
            .as_f64()
            .map_or("?".into(), |v| format!("{:.1}", v * 100.0))
    };
    let interval = &summary["score_interval"];
    format!(
        "| {name} | {} | {} % | {} to {} % |",
        summary["games"],
        percent(&summary["score"]),
        percent(&interval[0]),
        percent(&interval[1])
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("expected a folder for the games")?;
    let argument =
        |at: usize, default: &str| arguments.get(at).map_or(default.to_owned(), Clone::clone);
    let (games, playouts) = (argument(1, "40"), argument(2, "400"));
    std::fs::create_dir_all(folder)?;
    let program = built::omnigo()?;
    println!("| board, {playouts} playouts each | games | score | 95 % interval |");
    println!("|---|---|---|---|");
    let limit = format!("--playouts {playouts}");
    for board in BOARDS {
        let out = Path::new(folder).join(format!("{}.jsonl", board.replace([':', ','], "-")));
        let sides = [limit.clone(), format!("{limit} --style light")];
        let summary = play(&program, sides, board, &games, &out)?;
        println!("{}", row(board, &summary));
    }
    Ok(())
}
