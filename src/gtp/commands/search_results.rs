//! Commands for search results, reported with a move or requested afterwards.

use std::time::Duration;

use serde::Serialize;

use super::avoid::analysis_request;
use super::play::choice_text;
use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::{Analysis, AnalysisRequest, Choice, Engine};
use crate::gtp::arguments::{Arguments, alias_rows};
use crate::gtp::info::ownership_grid;
use crate::gtp::last_search::LastSearch;
use crate::notation::move_text;
use crate::system::tell;
use crate::text::four_decimals;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "cgos-genmove_analyze",
        "COLOR",
        "Plays a move like genmove. Answers a line of JSON for CGOS, then `play` and the move.",
        cgos_genmove_analyze,
    )
    .searching(),
    Command::new(
        "gomill-explain_last_move",
        "",
        "Result of the last search: visits, win probability, score lead, and expected moves.",
        explain,
    ),
    Command::new(
        "omnigo-candidates",
        "COLOR",
        "Searches without playing and draws the best moves for GoGui: percentages of visits, colors, and a summary.",
        candidates,
    )
    .searching(),
    Command::new(
        "omnigo-variation",
        "",
        "Moves that the last search expects.",
        variation,
    ),
    Command::new(
        "omnigo-visits",
        "",
        "Visits of each vertex as the next move in the last search, in rows from the top.",
        visits,
    ),
];

/// Time between two drawings while GoGui waits for a move.
const DRAWING: Duration = Duration::from_millis(500);

/// Runs a search without intermediate reports, and stores its result in the session.
pub(super) fn with_last_search<T>(
    session: &mut Session,
    search: impl FnOnce(&mut Engine, &mut dyn FnMut(&Analysis<'_>, bool)) -> T,
) -> T {
    let mut last_search = None;
    let mut report =
        |analysis: &Analysis<'_>, _: bool| last_search = Some(LastSearch::of(analysis));
    let answer = search(&mut session.engine, &mut report);
    session.last_search = last_search;
    answer
}

/// Plays a move as `genmove` does and stores the search result. If GoGui is connected, draws during
/// the search.
pub(super) fn genmove(session: &mut Session, color: Color) -> Choice {
    let draws = session.draws_for_gogui;
    let analysis_request = AnalysisRequest {
        interval: draws.then_some(DRAWING),
        ..analysis_request(session, color)
    };
    let mut last_search = None;
    let mut report = |analysis: &Analysis<'_>, last: bool| {
        let now = LastSearch::of(analysis);
        if draws && !last {
            draw(&now.drawing(analysis.goban));
        }
        last_search = Some(now);
    };
    let choice = session
        .engine
        .genmove_watched(&analysis_request, &mut report);
    if draws {
        draw("CLEAR");
    }
    session.last_search = last_search;
    choice
}

/// Writes live graphics to standard error: drawing commands, ended by an empty line.
fn draw(commands: &str) {
    tell!("gogui-gfx:\n{commands}\n");
}

/// Data that CGOS shows to spectators. All values are from the view of the color to move.
#[derive(Serialize)]
struct Report {
    winrate: f64,
    score: f64,
    visits: u32,
    moves: Vec<Reported>,
    ownership: String,
    /// Comment for the server's record of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

#[derive(Serialize)]
struct Reported {
    #[serde(rename = "move")]
    mv: String,
    winrate: f64,
    score: f64,
    prior: f64,
    /// Expected moves after this move.
    pv: String,
    visits: u32,
}

impl Report {
    fn of(analysis: &Analysis<'_>) -> Report {
        let name = |mv| move_text(analysis.goban, mv);
        let root = analysis.root();
        let moves = analysis.moves(1, 20).into_iter().map(|listed| {
            let after = listed.variation.iter().skip(1);
            let after: Vec<String> = after.map(|&(mv, _)| name(mv)).collect();
            Reported {
                mv: name(listed.mv),
                winrate: four_decimals(listed.figures.winrate),
                score: four_decimals(listed.figures.lead),
                prior: four_decimals(listed.prior),
                pv: after.join(" "),
                visits: listed.figures.visits,
            }
        });
        let ownership = ownership_grid(analysis);
        Report {
            winrate: four_decimals(root.winrate),
            score: four_decimals(root.lead),
            visits: root.visits,
            moves: moves.collect(),
            ownership: ownership.iter().map(|(mean, _)| level(*mean)).collect(),
            comment: None,
        }
    }
}

/// Encodes a mean from -1 to 1 as one of 63 characters, from `A` to `+`: letters, digits, and `+`.
fn level(mean: f64) -> char {
    const LEVELS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    let last = LEVELS.len() - 1;
    let index = ((mean.clamp(-1.0, 1.0) + 1.0) / 2.0 * last as f64).round() as usize;
    char::from(LEVELS.get(index).copied().unwrap_or(b'+'))
}

fn cgos_genmove_analyze(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let analysis_request = AnalysisRequest {
        ownership: true,
        ..analysis_request(session, color)
    };
    let mut told = None;
    let mut report = |analysis: &Analysis<'_>, _: bool| {
        told = Some((Report::of(analysis), LastSearch::of(analysis)));
    };
    let choice = session
        .engine
        .genmove_watched(&analysis_request, &mut report);
    if let Some((mut report, last_search)) = told {
        report.comment = session.greetings.comment(&session.engine, choice);
        // Serialization of numbers and text never fails.
        if let Ok(line) = serde_json::to_string(&report) {
            session.output.line(&line);
        }
        session.last_search = Some(last_search);
    }
    Ok(format!("play {}", choice_text(session, choice)))
}

fn candidates(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let analysis_request = analysis_request(session, color);
    with_last_search(session, |engine, report| {
        engine.analyze(&analysis_request, report)
    });
    let goban = session.engine.goban();
    Ok(session
        .last_search
        .as_ref()
        .map(|last_search| last_search.drawing(goban))
        .unwrap_or_default())
}

/// Returns the latest search result, or an error if it is not about the current board.
fn latest(session: &Session) -> Result<&LastSearch, Failure> {
    let board = session.engine.goban().spec.to_string();
    let last_search = session
        .last_search
        .as_ref()
        .filter(|last_search| last_search.board == board);
    last_search.ok_or_else(|| {
        Failure::Refused("no search on this board yet, expected genmove first".to_string())
    })
}

fn explain(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(latest(session)?.sentence(session.engine.goban()))
}

fn variation(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let last_search = latest(session)?;
    let first = last_search
        .variation()
        .first()
        .map(|&mv| (last_search.color, mv));
    // Skip a move that has been played since the search.
    let played = first.is_some() && session.engine.last_move() == first;
    let moves = last_search.variation().iter().skip(usize::from(played));
    let moves: Vec<String> = moves.map(|&mv| move_text(goban, mv)).collect();
    Ok(moves.join(" "))
}

fn visits(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let last_search = latest(session)?;
    alias_rows(session.engine.goban(), "\"\"", |vertex| {
        let tried = last_search
            .moves
            .iter()
            .find(|tried| tried.mv.vertex() == Some(vertex));
        tried.map_or("\"\"".to_string(), |tried| tried.figures.visits.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn ownership_has_63_levels() {
        let levels = [-1.0, -0.999, 0.0, 0.999, 1.0, -3.0, 7.0].map(level);
        assert_eq!(levels, ['A', 'A', 'f', '+', '+', 'A', '+']);
        let all: std::collections::BTreeSet<char> =
            (-31..=31).map(|i| level(f64::from(i) / 31.0)).collect();
        assert_eq!(all.len(), 63);
    }
}
