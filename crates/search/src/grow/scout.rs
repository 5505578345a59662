//! Scout: a short search by playouts alone, before a search that a network guides.
//!
//! Playouts often capture a group that the network rates as alive. A search by playouts is fast and
//! finds the move that kills the group, but it evaluates most other positions less accurately. So
//! it only proposes moves, whose probabilities at the root get a minimum.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::blend::Blend;
use super::limits::{Budget, Limits};
use super::tree::Tree;
use super::worker::{Shared, Worker};
use crate::estimate::margins::Margins;
use crate::estimate::ownership::Ownership;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::playout::{Random, Style};

/// Maximum number of playouts of the scout.
const PLAYOUTS: u64 = 2_000;
/// The scout takes at most 1/16 of the time of a move.
const TIME: u32 = 16;
/// Minimum number of playouts of a scout that ran out of time. Fewer say nothing about the moves.
const FEWEST: u64 = 32;
/// Maximum time of the scout if the search itself has no limit. It is short, so that analysis
/// starts at once.
const UNLIMITED: Duration = Duration::from_millis(50);
/// Maximum memory of the scout's tree in bytes: enough for [`PLAYOUTS`].
const MEMORY: usize = 64 << 20;

/// Searches the position of `shared` without its network, from now on. Returns each move at the
/// root with its share of the visits, or no moves if time allowed too few playouts.
pub(crate) fn scout<B: Board>(
    shared: &Shared<'_, B>,
    style: Style,
    random: Random,
    limits: Limits,
    stop: &AtomicBool,
) -> Vec<(Move, f32)> {
    let tree = Tree::new(MEMORY);
    let (points, colors) = (shared.game.board().points(), shared.game.rules().colors);
    let (ownership, margins, blend) = (
        Mutex::new(Ownership::new(points, colors)),
        Margins::new(shared.game.board().placements()),
        Blend::new(0.0),
    );
    let asked = [limits.playouts, limits.visits].into_iter().flatten().min();
    let most = asked.unwrap_or(PLAYOUTS).min(PLAYOUTS);
    let limits = Limits {
        playouts: Some(most),
        unguided: None,
        visits: None,
        time: match (limits.time, asked) {
            (Some(time), _) => Some(time / TIME),
            // No time limit, so that the scout finds the same moves on every machine.
            (None, Some(_)) => None,
            (None, None) => Some(UNLIMITED),
        },
        longest: None,
    };
    let budget = Budget::new(limits, 0, Instant::now(), stop);
    let alone = Shared {
        tree: &tree,
        noise: None,
        margins: &margins,
        blend: &blend,
        ownership: &ownership,
        guidance: None,
        ..*shared
    };
    Worker::new(alone, style, random).run(&budget);
    let moves = tree.children(tree.root());
    let all: u32 = moves.iter().map(|child| child.visits()).sum();
    let visits = tree.node(tree.root()).visits();
    if u64::from(visits) < most.min(FEWEST) {
        return Vec::new();
    }
    moves
        .iter()
        .map(|child| (child.mv(), child.visits() as f32 / all.max(1) as f32))
        .collect()
}
