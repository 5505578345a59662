//! Not wasting moves where territory is counted.
//!
//! A stone inside settled territory costs a point there, which a search that is after wins does not notice. So such moves are
//! left out here, and among the others a pass is weighed by points: where nothing gains any, the game is over.

use super::margins::Lead;
use super::ownership::Ownership;
use super::verdict::{Candidate, RARE, SAME, VISITS, Verdict, is_decided};
use crate::board::Board;
use crate::vertex::{Move, Vertex};

/// A move that loses so many points against a pass is worse than the pass.
const LOSS: f64 = 0.25;
/// A pass is weighed once no more than one point in so many is empty and open.
const LATE: usize = 8;

/// The placement to make where territory is counted, `None` where every one is better left alone.
pub(super) fn placement<B: Board>(board: &B, verdict: &Verdict, settled: f64) -> Option<Candidate> {
    let placements = || {
        let candidates = verdict.candidates.iter();
        candidates.filter(|candidate| candidate.mv != Move::Pass)
    };
    let best = *placements().next()?;
    let tried = || placements().filter(|c| c.visits >= VISITS);
    let open = tried().find(|c| is_open(board, &verdict.ownership, c.mv, settled));
    let pass = verdict.pass().filter(|pass| pass.visits >= VISITS);
    let otherwise = open
        .copied()
        .into_iter()
        .chain(pass)
        .map(|candidate| candidate.mean)
        .reduce(f64::max);
    if otherwise.is_none_or(|mean| best.mean > mean + SAME) {
        // Something depends on it, whatever it costs.
        return Some(best);
    }
    let open = *open?;
    let choice = if is_decided(open.mean) {
        let near = tried().filter(|c| {
            c.visits >= open.visits / RARE
                && c.mean + SAME > open.mean
                && is_open(board, &verdict.ownership, c.mv, settled)
        });
        near.copied()
            .max_by(|a, b| surely(a.lead).total_cmp(&surely(b.lead)))
            .unwrap_or(open)
    } else {
        open
    };
    let loses = is_late(board, &verdict.ownership, settled)
        && pass.is_some_and(|pass| {
            let worse = match choice.lead {
                Some(choice) => surely(pass.lead) > choice.mean + LOSS,
                None => false,
            };
            worse && pass.mean + SAME > choice.mean
        });
    (!loses).then_some(choice)
}

/// Whether playouts leave open whose the points of this placement are.
fn is_open<B: Board>(board: &B, ownership: &Ownership, mv: Move, settled: f64) -> bool {
    let mut open = false;
    if let Move::Place(at) = mv {
        board.covered(at, |point| {
            open |= ownership.owner(point, settled).is_none()
        });
    }
    open
}

/// Whether so little is open that a pass can be right. Before, what playouts say about single points is chance. Stones do not
/// count: a player with nothing but its own eyes to fill sees a whole group of its own in doubt.
pub(super) fn is_late<B: Board>(board: &B, ownership: &Ownership, settled: f64) -> bool {
    let points = board.points();
    let open = (0..points)
        .map(Vertex::at)
        .filter(|&point| board.at(point).is_none() && ownership.owner(point, settled).is_none());
    open.count() * LATE <= points
}

/// Points that the playouts won at least, by two standard errors.
fn surely(lead: Option<Lead>) -> f64 {
    lead.map_or(f64::NEG_INFINITY, |lead| {
        lead.mean - 2.0 * lead.deviation / f64::from(lead.samples.max(1)).sqrt()
    })
}
