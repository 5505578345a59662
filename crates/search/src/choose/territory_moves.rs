//! Move choice under territory scoring.
//!
//! A search that maximizes wins ignores small point losses, such as a stone inside settled
//! territory. This module drops such moves and passes when no move gains points.

use super::search_result::{
    Candidate, EQUAL_IF_DECIDED, MIN_VISITS, SearchResult, VISIT_RATIO, is_decided,
};
use crate::estimate::ownership::Ownership;
use crate::estimate::root_record::Lead;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;

/// A move is worse than a pass if it loses more than this many points against the pass.
const LOSS: f64 = 0.25;
/// Weigh a pass by points only when at most 1/8 of all points are empty and undecided.
const LATE: usize = 8;

/// Returns the placement to play under territory scoring, or `None` if no placement is worth
/// playing. A point is decided if one color owns it in at least a fraction `settled` of the
/// playouts.
pub(crate) fn placement<B: Board>(
    board: &B,
    result: &SearchResult,
    settled: f64,
) -> Option<Candidate> {
    let placements = || {
        let candidates = result.candidates.iter();
        candidates.filter(|candidate| candidate.mv != Move::Pass)
    };
    let best = *placements().next()?;
    let tried = || placements().filter(|c| c.visits >= MIN_VISITS);
    let open = tried().find(|c| is_open(board, &result.ownership, c.mv, settled));
    let pass = result.pass().filter(|pass| pass.visits >= MIN_VISITS);
    let otherwise = open
        .copied()
        .into_iter()
        .chain(pass)
        .map(|candidate| candidate.value)
        .reduce(f64::max);
    if otherwise.is_none_or(|value| best.value > value + EQUAL_IF_DECIDED) {
        // The win probability depends on this move, so its cost in points does not matter.
        return Some(best);
    }
    let open = *open?;
    let choice = if is_decided(open.value) {
        let near = tried().filter(|c| {
            c.visits >= open.visits / VISIT_RATIO
                && c.value + EQUAL_IF_DECIDED > open.value
                && is_open(board, &result.ownership, c.mv, settled)
        });
        near.copied()
            .max_by(|a, b| surely(a.lead).total_cmp(&surely(b.lead)))
            .unwrap_or(open)
    } else {
        open
    };
    let loses = is_late(board, &result.ownership, settled)
        && pass.is_some_and(|pass| {
            let worse = match choice.lead {
                Some(choice) => surely(pass.lead) > choice.mean + LOSS,
                None => false,
            };
            worse && pass.value + EQUAL_IF_DECIDED > choice.value
        });
    (!loses).then_some(choice)
}

/// Returns true if playouts leave at least one point of this placement undecided.
fn is_open<B: Board>(board: &B, ownership: &Ownership, mv: Move, settled: f64) -> bool {
    let mut open = false;
    if let Move::Place(at) = mv {
        board.covered(at, |point| {
            open |= ownership.owner(point, settled).is_none()
        });
    }
    open
}

/// Returns true if few enough points are undecided for a pass to be right.
///
/// Earlier in the game, playouts decide single points at random. Stones do not count: if a player
/// can only fill its own eyes, playouts leave its whole group undecided.
pub(crate) fn is_late<B: Board>(board: &B, ownership: &Ownership, settled: f64) -> bool {
    let points = board.points();
    let open = (0..points)
        .map(Vertex::at)
        .filter(|&point| board.at(point).is_none() && ownership.owner(point, settled).is_none());
    open.count() * LATE <= points
}

/// Returns a lower bound of the score lead in points: the mean minus two standard errors. Returns
/// negative infinity without a lead.
fn surely(lead: Option<Lead>) -> f64 {
    lead.map_or(f64::NEG_INFINITY, |lead| {
        lead.mean - 2.0 * lead.deviation / f64::from(lead.samples.max(1)).sqrt()
    })
}
