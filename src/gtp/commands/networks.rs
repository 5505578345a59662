//! Networks and their plain outputs, under KataGo's names.

use std::fmt::Write;

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::RawOutput;
use crate::gtp::arguments::Arguments;
use crate::gtp::models::models;
use crate::net::katago::SYMMETRIES;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kata-get-models",
        "",
        "Networks in use, as a JSON array.",
        get_models,
    ),
    Command::new(
        "kata-raw-nn",
        "[all|SYMMETRY [OPTIMISM]]",
        "Output of a network of KataGo for the position, without a search. Symmetries count from 0 to 7. OPTIMISM is the weight of the optimistic policy, by default rootPolicyOptimism.",
        raw_nn,
    ),
];

fn get_models(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(models(session.engine.options().guidance.as_ref()).to_string())
}

fn raw_nn(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let symmetries = match arguments.optional() {
        None | Some("all") => 0..SYMMETRIES,
        Some(text) => {
            let found = text.parse().ok().filter(|&number| number < SYMMETRIES);
            let number: usize =
                found.ok_or_else(|| Failure::expected("symmetry", text, "all, or 0 to 7"))?;
            number..number + 1
        }
    };
    let optimism = match arguments.optional() {
        None => None,
        Some(text) => {
            let found = text
                .parse()
                .ok()
                .filter(|share| (0.0..=1.0).contains(share));
            Some(found.ok_or_else(|| Failure::expected("optimism", text, "0 to 1"))?)
        }
    };
    let mut answer = String::new();
    for symmetry in symmetries {
        let raw = session.engine.raw_output(symmetry, optimism);
        let raw = raw.map_err(|error| Failure::Refused(error.to_string()))?;
        let width = session
            .engine
            .goban()
            .rectangle
            .map_or(1, |(width, _)| width);
        // Writing to a string does not fail.
        let _ = write(&mut answer, symmetry, &raw, width);
    }
    Ok(answer.trim_end().to_owned())
}

/// Writes an output as KataGo does: values of White, and rows from the top.
fn write(answer: &mut String, symmetry: usize, raw: &RawOutput, width: usize) -> std::fmt::Result {
    let output = &raw.output;
    let white = raw.to_move == Color::WHITE;
    let sign = if white { 1.0 } else { -1.0 };
    let (win, loss) = match white {
        true => (output.win, output.loss),
        false => (output.loss, output.win),
    };
    writeln!(answer, "symmetry {symmetry}")?;
    writeln!(answer, "whiteWin {win:.6}")?;
    writeln!(answer, "whiteLoss {loss:.6}")?;
    writeln!(answer, "noResult {:.6}", output.no_result)?;
    writeln!(answer, "whiteLead {:.3}", sign * output.lead)?;
    writeln!(answer, "whiteScoreSelfplay {:.3}", sign * output.score)?;
    writeln!(answer, "whiteScoreSelfplaySq {:.3}", output.score_square)?;
    // Networks without these outputs have −1 there.
    writeln!(answer, "varTimeLeft {:.3}", output.time.unwrap_or(-1.0))?;
    let error = output.value_error.unwrap_or(-1.0);
    writeln!(answer, "shorttermWinlossError {error:.3}")?;
    let error = output.score_error.unwrap_or(-1.0);
    writeln!(answer, "shorttermScoreError {error:.3}")?;
    let (pass, points) = raw.policy.split_last().unwrap_or((&None, &[]));
    let share = |answer: &mut String, share: &Option<f32>| match share {
        Some(share) => write!(answer, "{share:8.6} "),
        None => write!(answer, "    NAN "),
    };
    writeln!(answer, "policy")?;
    for row in points.chunks(width).rev() {
        for chance in row {
            share(answer, chance)?;
        }
        writeln!(answer)?;
    }
    write!(answer, "policyPass ")?;
    share(answer, pass)?;
    writeln!(answer)?;
    writeln!(answer, "whiteOwnership")?;
    for row in output.ownership.chunks(width).rev() {
        for owner in row {
            write!(answer, "{:9.7} ", sign * owner)?;
        }
        writeln!(answer)?;
    }
    Ok(())
}
