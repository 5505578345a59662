//! What the playouts' knowledge is worth on graphs, and that a grid given edge by edge is played as the grid is.
//!
//! `cargo run --release --example graphs -- FOLDER [GAMES] [PLAYOUTS]` plays a match on each board, as `omnigo match` does, and
//! prints a table for `docs/performance.md`. Games are kept in the folder, a file for each board: started again, it goes on where
//! it was.

use std::path::Path;
use std::process::{Command, Stdio};

use omnigo::graph::spec::Spec;
use serde_json::Value;

/// Boards of the table. Komi is 7 on the grid, and on the others the half point at which an even game is expected to be nearest.
const BOARDS: &[&str] = &[
    "torus:9x9",
    "honeycomb:4",
    "king:9x9",
    "grid3d:5x5x5",
    "delaunay:81",
    "regular:81,4",
];

/// Random moves that open each pair of games.
const OPENINGS: &str = "2";

/// The 9x9 grid, edge by edge.
fn edges() -> Result<String, Box<dyn std::error::Error>> {
    let grid = "grid:9".parse::<Spec>()?.build()?;
    let mut edges = Vec::new();
    for vertex in grid.graph.all() {
        for near in grid.graph.neighbors(vertex).iter().filter(|&&n| n > vertex) {
            edges.push(format!("{}-{}", vertex.index(), near.index()));
        }
    }
    Ok(format!("edges:{}", edges.join(",")))
}

/// A match; its summary.
fn play(
    program: &Path,
    sides: [String; 2],
    graph: &str,
    komi: &str,
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
        .args(["--graph", graph, "--ruleset", "cgos", "--komi", komi])
        .args(["--openings", OPENINGS, "--games", games, "--out"])
        .arg(out)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the match on {graph} failed").into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A row: games, score and its interval.
fn row(name: &str, pair: &str, summary: &Value) -> String {
    let percent = |value: &Value| {
        value
            .as_f64()
            .map_or("?".into(), |v| format!("{:.1}", v * 100.0))
    };
    let interval = &summary["score_interval"];
    format!(
        "| {name} | {pair} | {} | {} % | {} to {} % |",
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
    let examples = std::env::current_exe()?;
    let built = examples
        .parent()
        .and_then(Path::parent)
        .ok_or("no folder")?;
    let program = built.join(format!("omnigo{}", std::env::consts::EXE_SUFFIX));
    println!("| board | match, {playouts} playouts each | games | score | 95 % interval |");
    println!("|---|---|---|---|---|");
    let limit = format!("--playouts {playouts}");
    for board in BOARDS {
        let out = Path::new(folder).join(format!("{}.jsonl", board.replace([':', ','], "-")));
        let sides = [limit.clone(), format!("{limit} --style light")];
        let summary = play(&program, sides, board, "0.5", &games, &out)?;
        println!(
            "{}",
            row(board, "tactical against light playouts", &summary)
        );
    }
    let out = Path::new(folder).join("edges.jsonl");
    let sides = [format!("{limit} --graph {}", edges()?), limit];
    let summary = play(&program, sides, "grid:9x9", "7", &games, &out)?;
    println!(
        "{}",
        row("grid:9x9", "as `edges:` against the grid", &summary)
    );
    Ok(())
}
