//! `omnigo accuracy`: accuracy of a network's moves and results on training rows.
//!
//! Rows of `omnigo label` have the win probability of a teacher instead of a winner. The network's
//! winner and win probability are then compared with the teacher's.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::MOST_BYTES;
use super::format::{Row, Rows, is_open};
use crate::arguments::{guidance, kernel_help};
use crate::board::grid::{Grid, GridBoard};
use crate::files;
use crate::net::Evaluator;
use crate::net::kernels::Kernel;
use crate::search::Guidance;
use crate::text::printable;

/// Arguments of `omnigo accuracy`.
#[derive(Debug, Args)]
pub struct AccuracyArgs {
    /// Rows written by `omnigo rows`, `omnigo selfplay`, or `omnigo label`; held-out games give an
    /// unbiased result.
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// Network file to measure [default: the built-in network].
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Kernel.
    #[arg(long, value_name = "KERNEL", help = kernel_help("Kernel"))]
    net_kernel: Option<Kernel>,
    /// Use only rows of `omnigo label` in which both sides win with at least 10 %.
    #[arg(long)]
    open: bool,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    pub json: bool,
}

/// Result of a measurement.
#[derive(Debug, Default, Serialize)]
pub struct Accuracy {
    /// Number of rows used.
    pub rows: usize,
    /// Fraction of rows whose move was the network's first choice.
    pub top1: f64,
    /// Fraction of rows whose move was among the network's first five choices.
    pub top5: f64,
    /// Mean negative logarithm of the move's policy, over the moves without suicide.
    pub policy_loss: f64,
    /// Fraction of rows with a known winner whose winner was predicted; `None` without such rows.
    /// The winner of a label is the player with a win probability above one half.
    pub winner: Option<f64>,
    /// Mean squared difference between the result (0 or 1, or the win probability of a label) and
    /// the win probability; `None` without known results.
    pub value_error: Option<f64>,
}

/// Measures the accuracy of a network.
///
/// # Errors
/// A message, if a file cannot be used or outputs of the network are not finite.
pub fn measure(arguments: &AccuracyArgs) -> Result<Accuracy, String> {
    let guidance = guidance(arguments.net.as_deref(), arguments.net_kernel)?;
    let Guidance {
        network, kernel, ..
    } = guidance.ok_or("no network to measure, expected --net FILE")?;
    let shown = printable(&arguments.rows.display().to_string());
    let bytes = files::bytes(&arguments.rows, MOST_BYTES)
        .map_err(|e| format!("cannot read '{shown}': {e}"))?;
    let file = Rows::read(&bytes).map_err(|e| format!("'{shown}': {e}"))?;
    let board = Grid::new(file.header.width, file.header.height)
        .and_then(|grid| GridBoard::new(grid, 2))
        .ok_or("the network does not support the board of the rows")?;
    let network = network
        .own()
        .ok_or("accuracy needs a network in omnigo's own format")?;
    let mut evaluator = Evaluator::new(Arc::clone(network), &board, kernel)
        .ok_or("the network does not support the board of the rows")?;
    let mut sums = Sums::default();
    let points = file.header.points();
    if !file.is_whole() || file.rows().any(|row| row.target > points) {
        return Err(format!(
            "'{shown}': a row is missing, cut short, or damaged, expected the output of omnigo rows"
        ));
    }
    let used = |row: &Row| !arguments.open || row.win.is_some_and(is_open);
    for row in file.rows().filter(used) {
        let output = evaluator.pass(&row.planes, row.komi);
        if !output.is_finite() {
            return Err(
                "the network's outputs are not finite numbers, expected another network".to_owned(),
            );
        }
        sums.add(&row, &output.policy, output.value);
    }
    if arguments.open && sums.rows == 0 {
        return Err(format!("'{shown}' has no labels of open positions"));
    }
    Ok(sums.means())
}

/// Sums over rows.
#[derive(Debug, Default)]
struct Sums {
    rows: usize,
    top1: usize,
    top5: usize,
    policy_loss: f64,
    /// Number of rows with a known result.
    known: usize,
    winner: usize,
    value_error: f64,
}

impl Sums {
    /// Adds a row, and the network's outputs for its position. `value` is the logit of the win
    /// probability.
    fn add(&mut self, row: &Row, policy: &[f32], value: f32) {
        let Some(&chosen) = policy.get(row.target) else {
            return;
        };
        let open = policy.iter().enumerate().filter(|&(at, _)| row.is_open(at));
        let (mut sum, mut better) = (0.0, 0);
        for (_, &logit) in open {
            sum += f64::from(logit - chosen).exp();
            better += usize::from(logit > chosen);
        }
        self.rows += 1;
        self.top1 += usize::from(better == 0);
        self.top5 += usize::from(better < 5);
        self.policy_loss += sum.ln();
        let result = row.won.map(f64::from).or(row.win.map(f64::from));
        if let Some(result) = result {
            let probability = 1.0 / (1.0 + f64::from(-value).exp());
            self.known += 1;
            self.winner += usize::from((probability > 0.5) == (result > 0.5));
            self.value_error += (result - probability).powi(2);
        }
    }

    /// Returns the means.
    fn means(&self) -> Accuracy {
        let rows = self.rows.max(1) as f64;
        let known = |sum: f64| (self.known > 0).then(|| sum / self.known as f64);
        Accuracy {
            rows: self.rows,
            top1: self.top1 as f64 / rows,
            top5: self.top5 as f64 / rows,
            policy_loss: self.policy_loss / rows,
            winner: known(self.winner as f64),
            value_error: known(self.value_error),
        }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rows         {}", self.rows)?;
        writeln!(f, "top-1        {:.2} %", self.top1 * 100.0)?;
        writeln!(f, "top-5        {:.2} %", self.top5 * 100.0)?;
        writeln!(f, "policy loss  {:.4}", self.policy_loss)?;
        match self.winner {
            Some(winner) => writeln!(f, "winner       {:.2} %", winner * 100.0)?,
            None => writeln!(f, "winner       unknown")?,
        }
        match self.value_error {
            Some(error) => write!(f, "value error  {error:.4}"),
            None => write!(f, "value error  unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the means over positions of one point with these results. The network gives the
    /// player to move a win probability of 3/4.
    fn accuracy(rows: &[(Option<bool>, Option<f32>)]) -> Accuracy {
        let mut sums = Sums::default();
        for &(won, win) in rows {
            let row = Row {
                planes: vec![1],
                target: 1,
                won,
                win,
                ..Row::default()
            };
            sums.add(&row, &[0.0, 1.0], 3f32.ln());
        }
        sums.means()
    }

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-6)
    }

    #[test]
    fn labels_have_the_winner_and_the_win_probability_of_the_teacher() {
        let found = accuracy(&[(None, Some(0.65)), (None, Some(0.55)), (None, Some(0.25))]);
        assert!(is_near(found.winner, 2.0 / 3.0), "{found:?}");
        // The errors are 0.1, 0.2, and 0.5.
        assert!(is_near(found.value_error, 0.1), "{found:?}");
        let text = found.to_string();
        assert!(
            text.contains("winner       66.67 %\nvalue error  0.1000"),
            "{text}"
        );
    }

    #[test]
    fn games_have_winners_and_draws_are_left_out() {
        let found = accuracy(&[(Some(true), None), (Some(false), None), (None, None)]);
        assert_eq!((found.rows, found.top1), (3, 1.0));
        assert!(is_near(found.winner, 0.5), "{found:?}");
        assert!(
            is_near(found.value_error, (0.0625 + 0.5625) / 2.0),
            "{found:?}"
        );
    }

    #[test]
    fn results_are_unknown_without_winners() {
        let found = accuracy(&[(None, None)]);
        assert_eq!((found.winner, found.value_error), (None, None));
        assert!(
            found
                .to_string()
                .ends_with("winner       unknown\nvalue error  unknown")
        );
        let json = serde_json::to_value(&found).unwrap();
        assert!(json["winner"].is_null() && json["value_error"].is_null());
    }
}
