//! `omnigo benchmark`: the options with which this machine searches fastest.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use serde::Serialize;

use super::duration;
use crate::engine::{AnalysisRequest, Engine, EngineError, Options};
use crate::graph::goban::Goban;
use crate::net::kernels::Kernel;
use crate::points::Points;
use crate::rules::Ruleset;
use crate::search::Guidance;

/// More threads must raise the speed by this factor. Each thread weakens a search of equal size a
/// little, because it cannot wait for the results of the others.
const WORTH: f64 = 1.05;
/// Each doubling of a batch must raise the speed by this factor. The lines of a batch do not know
/// each other's results either.
const BATCH_WORTH: f64 = 1.1;
/// Numbers of positions per pass to try.
const BATCHES: [usize; 2] = [2, 4];
/// Times per move in seconds for which the report tells the visits.
const TIMES: [u32; 4] = [1, 2, 5, 10];

/// Measurements of a machine on one board.
#[derive(Debug, Serialize)]
pub struct MachineReport {
    /// Canonical spec.
    pub board: String,
    /// Name of the network, or `none` if no network guides searches here.
    pub network: String,
    /// One row for each kernel with one thread, then the recommended kernel with more threads, then
    /// the recommended number of threads with batches.
    pub rows: Vec<Row>,
    /// Recommended number of threads.
    pub threads: usize,
    /// Recommended kernel, or `None` without a network.
    pub kernel: Option<String>,
    /// Recommended number of positions per pass of the network.
    pub batch: usize,
    /// Visits per second with the recommended options.
    pub per_second: f64,
}

/// Speed of a search of the first position.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Kernel, or `None` without a network.
    pub kernel: Option<String>,
    /// Number of threads.
    pub threads: usize,
    /// Maximum number of positions per pass of the network.
    pub batch: usize,
    /// Visits per second of wall time.
    pub per_second: f64,
}

/// Measures searches of `seconds` seconds each, with 1, 2, 4, … and at most `most` threads. With
/// `kernel`, only that one. Tries batches of several positions with networks that know them, unless
/// the guidance already has some.
///
/// # Errors
/// If the engine does not play this board under these rules.
pub fn run(
    goban: &Goban,
    rules: &Ruleset,
    guidance: Option<&Guidance>,
    kernel: Option<Kernel>,
    most: usize,
    seconds: f64,
) -> Result<MachineReport, EngineError> {
    let engine = |kernel: Option<Kernel>, threads: usize, batch: usize| {
        let guidance = guidance.map(|guidance| Guidance {
            kernel: kernel.unwrap_or(guidance.kernel),
            batch,
            ..guidance.clone()
        });
        let options = Options {
            threads,
            guidance: guidance.filter(|_| kernel.is_some()),
            ..Options::default()
        };
        Engine::new(goban.clone(), rules.clone(), Points::ZERO, options)
    };
    let measure = |mut engine: Engine, kernel: Option<Kernel>, threads: usize, batch: usize| Row {
        kernel: kernel.map(|kernel| kernel.to_string()),
        threads,
        batch,
        per_second: speed(&mut engine, seconds),
    };
    let mut rows: Vec<(Option<Kernel>, Row)> = Vec::new();
    let mut batch = guidance.map_or(1, |guidance| guidance.batch);
    // A kernel that another one replaces is not measured.
    let used = |asked: Kernel| guidance.map_or(asked, |one| one.network.kernel_for(asked));
    let wanted = |one: Kernel| kernel.map_or(used(one), used) == one;
    for one in Kernel::available().filter(|&one| wanted(one)) {
        let engine = engine(Some(one), 1, batch)?;
        // The built-in network is used only on some boards, and with kernels that are fast enough.
        if engine.is_guided() {
            rows.push((Some(one), measure(engine, Some(one), 1, batch)));
        }
    }
    let guided = !rows.is_empty();
    if !guided {
        batch = 1;
        rows.push((None, measure(engine(None, 1, 1)?, None, 1, 1)));
    }
    let fastest = rows
        .iter()
        .max_by(|one, other| one.1.per_second.total_cmp(&other.1.per_second));
    let kernel = fastest.and_then(|(kernel, _)| *kernel);
    let mut best = fastest.map_or(0.0, |(_, row)| row.per_second);
    let mut threads = 1;
    for count in counts(most) {
        let row = measure(engine(kernel, count, batch)?, kernel, count, batch);
        if row.per_second > best * WORTH {
            (best, threads) = (row.per_second, count);
        }
        rows.push((kernel, row));
    }
    let knows_batches = guidance.is_some_and(|guidance| guided && guidance.knows_batches());
    let tried = if knows_batches && batch == 1 {
        &BATCHES[..]
    } else {
        &[]
    };
    for &count in tried {
        let row = measure(engine(kernel, threads, count)?, kernel, threads, count);
        let doublings = (count / batch).ilog2();
        if row.per_second > best * BATCH_WORTH.powi(doublings as i32) {
            (best, batch) = (row.per_second, count);
        }
        rows.push((kernel, row));
    }
    Ok(MachineReport {
        board: goban.spec.to_string(),
        network: guidance
            .filter(|_| guided)
            .map_or_else(|| "none".to_string(), |guidance| guidance.network.name()),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        threads,
        kernel: kernel.map(|kernel| kernel.to_string()),
        batch,
        per_second: best,
    })
}

/// Returns the numbers of threads to try after 1: powers of two, and the largest number.
fn counts(most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = std::iter::successors(Some(2), |count| Some(count * 2))
        .take_while(|&count| count < most)
        .collect();
    counts.extend((most > 1).then_some(most));
    counts
}

/// Returns the visits per second of a search of the present position.
fn speed(engine: &mut Engine, seconds: f64) -> f64 {
    let request = AnalysisRequest {
        endless: true,
        ..AnalysisRequest::for_color(engine.to_move())
    };
    let stop = engine.stop_signal();
    stop.store(false, Ordering::Relaxed);
    let alarm = Arc::clone(&stop);
    let start = Instant::now();
    let timer = thread::spawn(move || {
        thread::sleep(duration(seconds));
        alarm.store(true, Ordering::Relaxed);
    });
    let mut visits = 0;
    engine.analyze(&request, &mut |analysis, _| visits = analysis.root().visits);
    let elapsed = start.elapsed().as_secs_f64();
    let _ = timer.join();
    stop.store(false, Ordering::Relaxed);
    f64::from(visits) / elapsed.max(1e-6)
}

impl fmt::Display for MachineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "board {}, network {}", self.board, self.network)?;
        writeln!(f)?;
        let with_batches = self.rows.iter().any(|row| row.batch > 1);
        let head = if with_batches { "   batch" } else { "" };
        writeln!(
            f,
            "{:<11} {:>7}{head} {:>12}",
            "kernel", "threads", "visits/s"
        )?;
        for row in &self.rows {
            let kernel = row.kernel.as_deref().unwrap_or("-");
            let (threads, rate) = (row.threads, row.per_second);
            let batch = match with_batches {
                true => format!(" {:>7}", row.batch),
                false => String::new(),
            };
            writeln!(f, "{kernel:<11} {threads:>7}{batch} {rate:>12.0}")?;
        }
        writeln!(f)?;
        write!(f, "recommended: --threads {}", self.threads)?;
        if let Some(kernel) = &self.kernel {
            write!(f, " --net-kernel {kernel}")?;
        }
        if self.batch > 1 {
            write!(f, " --net-batch {}", self.batch)?;
        }
        for seconds in TIMES {
            let visits = self.per_second * f64::from(seconds);
            write!(f, "\n{seconds:>3} s a move: --visits {visits:.0}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::spec::Spec;
    use crate::rules::presets;

    #[test]
    fn threads_are_powers_of_two_up_to_the_number_of_cores() {
        assert!(counts(1).is_empty());
        assert_eq!(counts(2), [2usize]);
        assert_eq!(counts(6), [2usize, 4, 6]);
        assert_eq!(counts(16), [2usize, 4, 8, 16]);
    }

    #[test]
    fn boards_without_a_network_have_a_row_for_each_number_of_threads() {
        let goban = "petersen".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let report = run(&goban, &rules, None, None, 2, 0.02).unwrap();
        let threads: Vec<usize> = report.rows.iter().map(|row| row.threads).collect();
        assert_eq!(threads, [1, 2]);
        assert!(report.rows.iter().all(|row| row.per_second > 0.0));
        assert_eq!(
            (report.network.as_str(), report.kernel.clone()),
            ("none", None)
        );
        let text = report.to_string();
        assert!(text.contains("recommended: --threads "), "{text}");
        assert!(!text.contains("--net-kernel"), "{text}");
    }
}
