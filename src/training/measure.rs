//! `omnigo accuracy`: accuracy of a network's moves and results on rows written by `omnigo rows`.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::MOST_BYTES;
use super::format::{Row, Rows};
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
    /// Rows written by `omnigo rows` or `omnigo selfplay`; held-out games give an unbiased result.
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// Network file to measure [default: the built-in network].
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Kernel.
    #[arg(long, value_name = "KERNEL", help = kernel_help("Kernel"))]
    net_kernel: Option<Kernel>,
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
    /// Fraction of rows with a known winner whose winner was predicted.
    pub winner: f64,
    /// Mean squared difference between the result (0 or 1) and the win probability.
    pub value_error: f64,
}

/// Measures the accuracy of a network.
///
/// # Errors
/// A message, if a file cannot be used.
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
    let mut sums = Accuracy::default();
    let mut known = 0;
    let points = file.header.points();
    if !file.is_whole() || file.rows().any(|row| row.target > points) {
        return Err(format!(
            "'{shown}': a row is missing, cut short, or damaged, expected the output of omnigo rows"
        ));
    }
    for row in file.rows() {
        let output = evaluator.pass(&row.planes, row.komi);
        add(&mut sums, &mut known, &row, &output.policy, output.value);
    }
    let (rows, known) = (sums.rows.max(1) as f64, known.max(1) as f64);
    Ok(Accuracy {
        rows: sums.rows,
        top1: sums.top1 / rows,
        top5: sums.top5 / rows,
        policy_loss: sums.policy_loss / rows,
        winner: sums.winner / known,
        value_error: sums.value_error / known,
    })
}

fn add(sums: &mut Accuracy, known: &mut usize, row: &Row, policy: &[f32], value: f32) {
    let Some(&chosen) = policy.get(row.target) else {
        return;
    };
    let open = policy.iter().enumerate().filter(|&(at, _)| row.is_open(at));
    let (mut sum, mut better) = (0.0, 0);
    for (_, &logit) in open {
        sum += f64::from(logit - chosen).exp();
        better += usize::from(logit > chosen);
    }
    sums.rows += 1;
    sums.top1 += f64::from(better == 0);
    sums.top5 += f64::from(better < 5);
    sums.policy_loss += sum.ln();
    if let Some(won) = row.won {
        let probability = 1.0 / (1.0 + f64::from(-value).exp());
        *known += 1;
        sums.winner += f64::from((probability > 0.5) == won);
        sums.value_error += (f64::from(won) - probability).powi(2);
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rows         {}", self.rows)?;
        writeln!(f, "top-1        {:.2} %", self.top1 * 100.0)?;
        writeln!(f, "top-5        {:.2} %", self.top5 * 100.0)?;
        writeln!(f, "policy loss  {:.4}", self.policy_loss)?;
        writeln!(f, "winner       {:.2} %", self.winner * 100.0)?;
        write!(f, "value error  {:.4}", self.value_error)
    }
}
