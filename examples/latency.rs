//! Measures the delay of `kata-analyze` lines and of the answer to a stop, over a pipe while all
//! cores search.
//!
//! `cargo build --release && cargo run --release --example latency -- 19 10 100`.
//! The arguments are the side of the board, the interval in centiseconds, and the number of lines.
//! A stop is sent ten times.

mod built;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the median, the 99th percentile, and the maximum in one line, in milliseconds.
fn summary(mut seconds: Vec<f64>) -> String {
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * (seconds.len().saturating_sub(1)) as f64) as usize;
        seconds.get(index).map_or(f64::NAN, |s| s * 1e3)
    };
    format!(
        "median {:.2} ms, 99 % below {:.2} ms, longest {:.2} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Result<Vec<u32>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let numbers = numbers?;
    let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
    let (side, centiseconds, lines) = (number(0, 19), number(1, 10), number(2, 100));
    let engine = built::omnigo()?;
    let mut child = Command::new(engine)
        .args(["--size", &side.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no pipe")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
    let mut line = String::new();
    let mut next = |line: &mut String| -> std::io::Result<Instant> {
        line.clear();
        match output.read_line(line)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(Instant::now()),
        }
    };
    // Wait for the first answer, because the start of the program is not part of the measurement.
    writeln!(input, "name")?;
    next(&mut line)?;
    next(&mut line)?;
    let interval = Duration::from_millis(u64::from(centiseconds) * 10);
    let mut late = Vec::new();
    let start = Instant::now();
    writeln!(input, "kata-analyze b {centiseconds} ownership true")?;
    next(&mut line)?;
    for number in 1..=lines {
        let arrived = next(&mut line)?;
        late.push((arrived - start).as_secs_f64() - (interval * number).as_secs_f64());
    }
    let mut stopped = Vec::new();
    for _ in 0..10 {
        let asked = Instant::now();
        writeln!(input, "protocol_version")?;
        while !line.starts_with("= 2") {
            next(&mut line)?;
        }
        stopped.push(asked.elapsed().as_secs_f64());
        next(&mut line)?;
        writeln!(input, "kata-analyze b {centiseconds}")?;
        std::thread::sleep(Duration::from_millis(300));
    }
    writeln!(input, "quit")?;
    child.wait()?;
    println!("{side}x{side}, a line every {} ms", interval.as_millis());
    println!("  lines after their time:  {}", summary(late));
    println!("  answers after a stop:    {}", summary(stopped));
    Ok(())
}
