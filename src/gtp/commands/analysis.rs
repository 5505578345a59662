//! Search commands that report results while they run.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::play::choice_text;
use super::search_results::with_last_search;
use super::{Command, Failure, Session};
use crate::engine::{Analysis, AnalysisRequest, Engine, Restriction};
use crate::gtp::arguments::{Arguments, playing_color};
use crate::gtp::info::{Dialect, Form};
use crate::gtp::last_search::LastSearch;
use crate::notation::read_move;
use crate::vertex::Move;

const USAGE: &str = "[COLOR] [CENTISECONDS] [KEY VALUE …]";

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "lz-analyze",
        USAGE,
        "Searches until the next input line and reports the best moves at each interval. Win probabilities are in units of 1/10000. Keys: interval, minmoves, maxmoves, avoid, allow.",
        |session, arguments| analyze(session, arguments, Dialect::Lz),
    )
    .until_any_line(),
    Command::new(
        "kata-analyze",
        USAGE,
        "Like lz-analyze, with decimals and scores. More keys, each true or false: rootInfo, ownership, ownershipStdev, pvVisits, pvEdgeVisits, noResultValue.",
        |session, arguments| analyze(session, arguments, Dialect::Kata),
    )
    .until_any_line(),
    Command::new(
        "lz-genmove_analyze",
        USAGE,
        "Plays a move like genmove. Reports the search like lz-analyze, then `play` and the move.",
        |session, arguments| genmove_analyze(session, arguments, Dialect::Lz),
    )
    .searching(),
    Command::new(
        "kata-genmove_analyze",
        USAGE,
        "Plays a move like genmove. Reports the search like kata-analyze, then `play` and the move.",
        |session, arguments| genmove_analyze(session, arguments, Dialect::Kata),
    )
    .searching(),
    Command::new(
        "kata-search",
        "[COLOR] [KEY VALUE …]",
        "Searches for a move and answers it without playing it.",
        |session, arguments| search(session, arguments, false),
    )
    .searching(),
    Command::new(
        "kata-search_cancellable",
        "[COLOR] [KEY VALUE …]",
        "Like kata-search, but the next input line cancels it. The answer is then `cancelled`.",
        |session, arguments| search(session, arguments, true),
    )
    .until_any_line(),
    Command::new(
        "kata-search_analyze",
        USAGE,
        "Like kata-genmove_analyze, without playing the move.",
        |session, arguments| search_analyze(session, arguments, false),
    )
    .searching(),
    Command::new(
        "kata-search_analyze_cancellable",
        USAGE,
        "Like kata-search_analyze, but the next input line cancels it. The last line is then `play cancelled`.",
        |session, arguments| search_analyze(session, arguments, true),
    )
    .until_any_line(),
];

/// Maximum value of the interval argument, in centiseconds, so that deadlines can be computed.
const LONGEST: f64 = 1e8;

/// Parsed arguments of an analysis.
struct Request {
    analysis_request: AnalysisRequest,
    form: Form,
}

fn analyze(
    session: &mut Session,
    arguments: Arguments<'_>,
    dialect: Dialect,
) -> Result<String, Failure> {
    let mut request = read(session, arguments, dialect)?;
    // Without a client that could stop the analysis, the options limit it.
    request.analysis_request.endless = session.output.has_client();
    tell(session, &request, |engine, analysis_request, report| {
        engine.analyze(analysis_request, report);
    });
    Ok(String::new())
}

fn genmove_analyze(
    session: &mut Session,
    arguments: Arguments<'_>,
    dialect: Dialect,
) -> Result<String, Failure> {
    let request = read(session, arguments, dialect)?;
    let choice = tell(session, &request, Engine::genmove_watched);
    Ok(format!("play {}", choice_text(session, choice)))
}

fn search(
    session: &mut Session,
    arguments: Arguments<'_>,
    cancellable: bool,
) -> Result<String, Failure> {
    let mut request = read(session, arguments, Dialect::Kata)?;
    request.analysis_request.interval = None;
    let choice = with_last_search(session, |engine, report| {
        engine.choose_watched(&request.analysis_request, report)
    });
    if cancellable && is_stopped(session) {
        return Ok("cancelled".to_string());
    }
    Ok(choice_text(session, choice))
}

fn search_analyze(
    session: &mut Session,
    arguments: Arguments<'_>,
    cancellable: bool,
) -> Result<String, Failure> {
    let request = read(session, arguments, Dialect::Kata)?;
    let choice = tell(session, &request, Engine::choose_watched);
    if cancellable && is_stopped(session) {
        return Ok("play cancelled".to_string());
    }
    Ok(format!("play {}", choice_text(session, choice)))
}

fn is_stopped(session: &Session) -> bool {
    session.engine.stop_signal().load(Ordering::Acquire)
}

/// Runs a search and writes a line at every interval and one with the final result. An endless
/// analysis that has written a line does not write the final result.
fn tell<T>(
    session: &mut Session,
    request: &Request,
    search: impl FnOnce(&mut Engine, &AnalysisRequest, &mut dyn FnMut(&Analysis<'_>, bool)) -> T,
) -> T {
    let Request {
        analysis_request,
        form,
    } = request;
    let stop = session.engine.stop_signal();
    let Session {
        engine,
        output,
        last_search,
        ..
    } = session;
    let mut told = false;
    let mut report = |analysis: &Analysis<'_>, last: bool| {
        if last {
            *last_search = Some(LastSearch::of(analysis));
        }
        if last && told && analysis_request.endless {
            return;
        }
        told = true;
        if !output.line(&form.line(analysis)) {
            // The output is broken, so stop the search.
            stop.store(true, Ordering::Release);
        }
    };
    search(engine, analysis_request, &mut report)
}

fn read(
    session: &Session,
    mut arguments: Arguments<'_>,
    dialect: Dialect,
) -> Result<Request, Failure> {
    let engine = &session.engine;
    let mut words = arguments.rest();
    let mut color = engine.to_move();
    if let Some((first, rest)) = words.split_first()
        && let Some(named) = playing_color(first, engine.rules().colors)
    {
        (color, words) = (named, rest);
    }
    let mut request = Request {
        analysis_request: AnalysisRequest::for_color(color),
        form: Form::of(dialect),
    };
    if let Some((first, rest)) = words.split_first()
        && first.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
    {
        request.analysis_request.interval = interval(first)?;
        words = rest;
    }
    while let Some((key, rest)) = words.split_first() {
        words = option(session, &mut request, key, rest)?;
    }
    request.analysis_request.ownership = request.form.ownership || request.form.ownership_deviation;
    if !Restriction::fit_together(&request.analysis_request.restrictions) {
        return Err(Failure::Syntax(
            "allow with another allow or avoid, expected one allow, or any number of avoid"
                .to_string(),
        ));
    }
    request
        .analysis_request
        .restrictions
        .extend(super::avoid::restriction(session, color));
    Ok(request)
}

/// Reads the value of `key` from the front of `words`. Returns the remaining words.
fn option<'a>(
    session: &Session,
    request: &mut Request,
    key: &str,
    words: &'a [&'a str],
) -> Result<&'a [&'a str], Failure> {
    let Request {
        analysis_request,
        form,
    } = request;
    let mut arguments = Arguments::new(words);
    let kata = form.dialect == Dialect::Kata;
    match key {
        "interval" => {
            analysis_request.interval = interval(arguments.word("interval", CENTISECONDS)?)?;
        }
        "minmoves" => form.least = arguments.number("minmoves", MOVES)?,
        "maxmoves" => form.most = arguments.number::<usize>("maxmoves", MOVES)?.max(1),
        "avoid" | "allow" => {
            let color = arguments.color(session.engine.rules().colors)?;
            let moves = moves(session, arguments.word("vertices", "vertices like D4,Q16")?)?;
            let depth: NonZeroUsize = arguments.number("depth", "a number of moves, 1 or more")?;
            let only = key == "allow";
            let restriction = Restriction::new(color, moves, only, depth.get());
            analysis_request.restrictions.push(restriction);
        }
        "rootInfo" if kata => form.root = switch(&mut arguments, key)?,
        "ownership" if kata => form.ownership = switch(&mut arguments, key)?,
        "ownershipStdev" if kata => form.ownership_deviation = switch(&mut arguments, key)?,
        "pvVisits" if kata => form.pv_visits = switch(&mut arguments, key)?,
        "pvEdgeVisits" if kata => form.pv_edge_visits = switch(&mut arguments, key)?,
        "noResultValue" if kata => form.no_result = switch(&mut arguments, key)?,
        "movesOwnership" | "movesOwnershipStdev" if kata => {
            // Accept `false`, because clients send it to detect support. The search tracks
            // ownership only for the position, not for each move.
            if switch(&mut arguments, key)? {
                return Err(Failure::Refused(format!(
                    "{key} true, expected false: ownership is reported for the position, not for each move"
                )));
            }
        }
        _ => {
            let kata_keys =
                ", rootInfo, ownership, ownershipStdev, pvVisits, pvEdgeVisits, noResultValue";
            let expected = format!(
                "a color, centiseconds, interval, minmoves, maxmoves, avoid, allow{}",
                if kata { kata_keys } else { "" }
            );
            return Err(Failure::expected("key", key, &expected));
        }
    }
    Ok(arguments.rest())
}

const CENTISECONDS: &str = "hundredths of a second, 0 or more";
const MOVES: &str = "a number of moves";

fn interval(text: &str) -> Result<Option<Duration>, Failure> {
    match text.parse::<f64>() {
        Ok(0.0) => Ok(None),
        Ok(value) if value.is_finite() && value > 0.0 => {
            let interval = Duration::from_secs_f64(value.min(LONGEST) / 100.0);
            Ok(Some(interval))
        }
        _ => Err(Failure::expected("interval", text, CENTISECONDS)),
    }
}

fn switch(arguments: &mut Arguments<'_>, key: &str) -> Result<bool, Failure> {
    const EXPECTED: &str = "true or false";
    let text = arguments.word(key, EXPECTED)?;
    text.to_ascii_lowercase()
        .parse()
        .map_err(|_| Failure::expected(key, text, EXPECTED))
}

fn moves(session: &Session, list: &str) -> Result<Vec<Move>, Failure> {
    let goban = session.engine.goban();
    list.split(',')
        // Clients of Leela Zero also send `resign`, which no analysis lists.
        .filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("resign"))
        .map(|word| {
            let problem = || {
                Failure::expected(
                    "vertex",
                    word,
                    "vertices of this board or pass, such as D4,Q16",
                )
            };
            read_move(goban, word).ok_or_else(problem)
        })
        .collect()
}
