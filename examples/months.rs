//! Memory test: 100,000 games on 9×9 in one session, as a bot plays in months.
//!
//! `cargo run --release --example months -- target/release/omnigo months.jsonl 100000`. The
//! arguments are the engine, a file of measurements, and the number of games. Each game has 8
//! playouts a move and no network.
//!
//! After every 1,000 games the test appends a line of JSON to the file. A test that was stopped
//! goes on after the games in its file, in a new process of the engine. At the end it compares, for
//! each process, the memory after 1,000 games with the memory after its last game. The exit status
//! is 1 if a process has grown by more than 5 %, or if the engine fails.

mod engines;

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitCode};

use serde::{Deserialize, Serialize};

type Outcome<T> = Result<T, String>;

/// Number of games between two measurements.
const STEP: u32 = 1000;
/// Maximum number of moves of a game.
const LONGEST: u32 = 300;
/// Maximum growth of memory after the first 1,000 games.
const GROWTH: f64 = 0.05;

/// Measurement of memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measurement {
    /// Number of the engine's process, from 1.
    process: u32,
    /// Number of games of this process.
    games: u32,
    /// Number of games of all processes.
    total: u32,
    moves: u64,
    /// Resident memory in KiB.
    memory_kib: u64,
}

/// Engine behind pipes.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Outcome<Engine> {
        let options = "--playouts 8 --threads 1 --net none --size 9 --ruleset chinese --komi 7.5";
        let options: Vec<&str> = options.split(' ').collect();
        let (child, input, output) = engines::start(path, &options)?;
        Ok(Engine {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Returns the answer to a command that must succeed.
    fn ask(&mut self, command: &str) -> Outcome<String> {
        let failed = |problem: String| format!("'{command}': {problem}");
        self.input
            .write_all(format!("{command}\n").as_bytes())
            .map_err(|error| failed(error.to_string()))?;
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            match self.output.read_line(&mut answer) {
                Ok(0) => return Err(failed("the engine has ended".into())),
                Ok(_) => {}
                Err(error) => return Err(failed(error.to_string())),
            }
        }
        match answer.strip_prefix("= ") {
            Some(text) => Ok(text.trim().to_string()),
            None => Err(failed(format!("the answer is {answer:?}"))),
        }
    }

    /// Plays a game with its own random numbers. Returns the number of moves.
    fn game(&mut self, number: u32) -> Outcome<u64> {
        for command in ["boardsize 9", "clear_board", "time_settings 0 0 0"] {
            self.ask(command)?;
        }
        self.ask(&format!("set_random_seed {number}"))?;
        let (mut passes, mut moves) = (0, 0);
        while passes < 2 && moves < LONGEST {
            let color = if moves % 2 == 0 { "b" } else { "w" };
            let answer = self.ask(&format!("genmove {color}"))?;
            moves += 1;
            match answer.as_str() {
                "resign" => break,
                "pass" => passes += 1,
                _ => passes = 0,
            }
        }
        self.ask("kgs-game_over")?;
        Ok(u64::from(moves))
    }
}

/// Returns the measurements of earlier runs. A line that was cut short is skipped.
fn read(path: &Path) -> Outcome<Vec<Measurement>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read '{}': {error}", path.display()))?;
    let lines = text.lines();
    Ok(lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

fn append(path: &Path, measurement: &Measurement) -> Outcome<()> {
    let line = serde_json::to_string(measurement).map_err(|error| error.to_string())?;
    // A line feed before the line keeps it apart from one that was cut short.
    let text = format!("\n{line}\n");
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// Plays the games that are missing in the file.
fn play(engine: &str, path: &Path, games: u32) -> Outcome<Vec<Measurement>> {
    let mut measurements = read(path)?;
    let last = measurements.last();
    let (mut total, process) = last.map_or((0, 1), |last| (last.total, last.process + 1));
    if total > 0 {
        println!("{total} games played before");
    }
    if total >= games {
        return Ok(measurements);
    }
    let mut engine = Engine::start(engine)?;
    let (mut played, mut moves) = (0, 0);
    while total < games {
        let step = STEP.min(games - total);
        for _ in 0..step {
            total += 1;
            played += 1;
            moves += engine
                .game(total)
                .map_err(|problem| format!("game {total}: {problem}"))?;
        }
        let measurement = Measurement {
            process,
            games: played,
            total,
            moves,
            memory_kib: engines::memory(&engine.child)?,
        };
        append(path, &measurement)?;
        if played == STEP {
            let mib = measurement.memory_kib as f64 / 1024.0;
            println!("game {total}: {mib:.1} MiB");
        }
        measurements.push(measurement);
    }
    engine.ask("quit")?;
    Ok(measurements)
}

/// Returns a line for each process, and true if none has grown.
fn summary(measurements: &[Measurement]) -> (String, bool) {
    let (mut text, mut steady) = (String::new(), true);
    for part in measurements.chunk_by(|one, other| one.process == other.process) {
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            continue;
        };
        let growth = last.memory_kib as f64 / first.memory_kib as f64 - 1.0;
        steady &= growth <= GROWTH;
        let verdict = match () {
            () if last.games < 2 * STEP => "too few games to compare",
            () if growth <= GROWTH => "within 5 %",
            () => "beyond 5 %",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "process {}: {} games, {:.1} MiB after game {}, {:.1} MiB at the end, {:+.1} %, {verdict}",
            last.process,
            last.games,
            first.memory_kib as f64 / 1024.0,
            first.games,
            last.memory_kib as f64 / 1024.0,
            growth * 100.0,
        );
    }
    (text, steady)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let games = match arguments.get(2) {
        None => Some(100_000),
        Some(text) => text.parse().ok().filter(|&games: &u32| games > 0),
    };
    let (Some(engine), Some(file), Some(games)) = (arguments.first(), arguments.get(1), games)
    else {
        eprintln!("months: expected ENGINE FILE [GAMES]");
        return ExitCode::from(2);
    };
    match play(engine, Path::new(file), games) {
        Ok(measurements) => {
            let (text, steady) = summary(&measurements);
            print!("{text}");
            if steady {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(problem) => {
            eprintln!("months: {problem}");
            ExitCode::FAILURE
        }
    }
}
