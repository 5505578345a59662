//! Life and death of the chains on the board, judged by playouts.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::certain_points::assign_certain_points;
use super::enclosure;
use super::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::board::region::flood;
use omnigo_core::game::Game;
use omnigo_core::playout::{ASK_EVERY, Begin, Random, Style, Trace, scored};

/// Status of a chain at the end of the game, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The chain lives.
    Alive,
    /// The chain lives next to living opposing chains, and neither side has territory there.
    Seki,
    /// The chain can be captured.
    Dead,
}

/// Status of a chain, and its stones in ascending order.
pub type JudgedChain = (Status, Vec<Vertex>);

/// A chain is dead if its color owns its points in less than this fraction of the playouts.
const LIVES: f64 = 0.4;
/// A chain is in doubt if the fraction of playouts in which its color owns its points is between
/// this and 1 minus this.
const DOUBT: f64 = 0.1;
/// A point without an owner in more than this fraction of the playouts belongs to a seki.
const NEUTRAL: f64 = 0.5;
/// Minimum number of points of a single enclosed region in which its owner can make two eyes,
/// whichever color moves first.
const ROOMY: usize = 7;
/// Maximum number of playouts per judgment. Large boards get fewer, so that the judgment stays
/// fast.
const PLAYOUTS: usize = 512;
/// Minimum number of playouts per judgment, even on large boards.
const FEWEST: usize = 8;
/// Approximate number of points and neighbors visited per judgment. Limits the number of playouts.
const WORK: usize = 1_200_000;
/// Minimum number of points of a board on which a playout ends after 5/4 moves per empty vertex.
const LARGE: usize = 1_000;
/// Approximate maximum time of a judgment, even if playouts are slow on the board.
pub const MAX_JUDGE_TIME: Duration = Duration::from_millis(1200);
/// Board size, in points, at which cache misses double the estimated cost of a playout.
const FITS: usize = 5_000;

/// Returns the ownership after at most `most` playouts from the position, but at least 8. The
/// colors take turns at moving first.
///
/// The result is the same every time, unless the board is so slow that [`MAX_JUDGE_TIME`] ends the
/// playouts.
pub fn sample<B: Board>(game: &Game<B>, most: usize) -> Ownership {
    let by = Instant::now() + MAX_JUDGE_TIME;
    sample_by(game.board(), game.rules().colors, most, by)
}

/// Like [`sample`], for any position of `colors` players, with the playouts that end before `by`.
/// If there are none, the stones on the board own their points.
pub fn sample_by<B: Board>(board: &B, colors: usize, most: usize, by: Instant) -> Ownership {
    let mut ownership = sample_until(board, colors, most, || Instant::now() >= by);
    if ownership.samples() == 0 {
        ownership.add(board);
    }
    ownership
}

/// Like [`sample_by`], with the playouts that end before `enough` returns true. There may be none.
pub(crate) fn sample_until<B: Board>(
    board: &B,
    colors: usize,
    most: usize,
    enough: impl Fn() -> bool,
) -> Ownership {
    let mut ownership = Ownership::new(board.points(), colors);
    play_out(board, colors, most, enough, |end| ownership.add(end));
    ownership
}

/// Plays out the position until `enough` returns true, and passes each final board to `see`. The
/// colors take turns at moving first.
///
/// The playouts are the same every time. They do not depend on the moves that led to the position
/// or were undone.
pub(crate) fn play_out<B: Board>(
    board: &B,
    colors: usize,
    most: usize,
    enough: impl Fn() -> bool,
    mut see: impl FnMut(&B),
) {
    let mut random = Random::new(board.points() as u64);
    // Rebuild the board from its stones. The order of its list of empty points depends on earlier
    // moves and would change the playouts.
    let mut start = board.clone();
    start.set_position(&board.position());
    let mut end = start.clone();
    let mut trace = Trace::new();
    let style = Style::Tactical.on(board);
    let work = board.playout_work().max(1);
    // A board that does not fit into the caches takes longer.
    let work = work.saturating_add(work.saturating_mul(board.points()) / FITS);
    // On sparse boards of this size, stones in dead ends are captured and recaptured many times.
    // Each move also scans nearly every point.
    let moves = if board.points() < LARGE {
        usize::MAX
    } else {
        start.vacant().len() * 5 / 4
    };
    for number in 0..(WORK / work).clamp(FEWEST, most.max(FEWEST)) {
        end.clone_from(&start);
        trace.clear();
        let to_move = Color::from_index(number % colors).unwrap_or(Color::BLACK);
        let begin = Begin {
            to_move,
            last: None,
            colors,
        };
        let asked = Cell::new(0);
        let cut = || {
            asked.set(asked.get() + 1);
            asked.get() * ASK_EVERY > moves || enough()
        };
        scored::play(&mut end, begin, style, &mut random, &mut trace, cut);
        if enough() {
            return;
        }
        see(&end);
    }
}

/// Returns every chain of the position with its status, ordered by first stones. The result is the
/// same every time, unless the board is so slow that [`MAX_JUDGE_TIME`] ends the playouts.
pub fn judge<B: Board>(game: &Game<B>) -> Vec<JudgedChain> {
    judge_by(game, Instant::now() + MAX_JUDGE_TIME)
}

/// Like [`judge`], with the playouts that end before `by`.
pub fn judge_by<B: Board>(game: &Game<B>, by: Instant) -> Vec<JudgedChain> {
    judge_with_doubt(game, by).0
}

/// Like [`judge_by`]. Also returns, for each chain, whether it is in doubt: the playouts disagree
/// about its life, and no reading of its surroundings has settled it.
pub(crate) fn judge_with_doubt<B: Board>(
    game: &Game<B>,
    by: Instant,
) -> (Vec<JudgedChain>, Vec<bool>) {
    let board = game.board();
    let points = board.points();
    let mut ownership = sample_by(board, game.rules().colors, PLAYOUTS, by);
    // A single sample may be the current position, which does not show who will own the empty
    // points.
    let is_played_out = ownership.samples() > 1;
    assign_certain_points(game, &mut ownership);
    let mut chains: Vec<JudgedChain> = Vec::new();
    let mut in_doubt = Vec::new();
    let mut seen = vec![false; points];
    for i in 0..points {
        let point = Vertex::at(i);
        let Some(color) = board.at(point) else {
            continue;
        };
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        let mut stones = Vec::new();
        board.for_chain(point, |stone| stones.push(stone));
        stones.sort_unstable();
        for stone in &stones {
            seen[stone.index()] = true;
        }
        let share = ownership.mean_share(&stones, color);
        in_doubt.push(is_played_out && share > DOUBT && share < 1.0 - DOUBT);
        chains.push((
            if share < LIVES {
                Status::Dead
            } else {
                Status::Alive
            },
            stones,
        ));
    }
    if is_played_out {
        mark_seki(board, &ownership, &mut chains);
        enclosure::correct(board, &ownership, &mut chains, &mut in_doubt);
    }
    (chains, in_doubt)
}

/// Changes the status of living chains to seki if two conditions hold. First, the group of the
/// chain has neither two enclosed regions nor one that is large enough for two eyes. Second,
/// playouts leave a point empty in a region between the chain and an opponent.
///
/// Chains of one color that touch the same empty region form a group. Dead stones count as empty.
fn mark_seki<B: Board>(board: &B, ownership: &Ownership, chains: &mut [JudgedChain]) {
    let points = board.points();
    let mut position = board.position();
    let mut chain_of = vec![usize::MAX; points];
    for (number, (status, stones)) in chains.iter().enumerate() {
        for stone in stones {
            match status {
                Status::Dead => position[stone.index()] = None,
                Status::Alive | Status::Seki => chain_of[stone.index()] = number,
            }
        }
    }
    let mut groups = UnionFind::new(chains.len());
    // Regions that one color encloses: an adjacent chain of each, and the number of points.
    let mut enclosed: Vec<(usize, usize)> = Vec::new();
    let mut contested = vec![false; chains.len()];
    let mut seen = vec![false; points];
    for i in 0..points {
        if position[i].is_some() || seen[i] {
            continue;
        }
        let (mut region, mut border) = (Vec::new(), Vec::new());
        let is_empty = |point: Vertex| position[point.index()].is_none();
        let start = Vertex::at(i);
        flood(board, start, &mut region, &mut seen, is_empty, |stone| {
            border.push(chain_of[stone.index()]);
        });
        border.sort_unstable();
        border.dedup();
        let color = |number: usize| {
            chains[number]
                .1
                .first()
                .and_then(|&stone| position[stone.index()])
        };
        let left_empty = region
            .iter()
            .any(|&point| ownership.nobody(point) > NEUTRAL);
        let one_color = border
            .windows(2)
            .all(|pair| color(pair[0]) == color(pair[1]));
        if let (true, Some(&number)) = (one_color, border.first()) {
            enclosed.push((number, region.len()));
        }
        let mut first = [None; Color::MAX];
        for &number in &border {
            contested[number] |= !one_color && left_empty;
            let Some(color) = color(number) else { continue };
            match first[color.index()] {
                None => first[color.index()] = Some(number),
                Some(other) => {
                    groups.join(other, number);
                }
            }
        }
    }
    let mut group_lives = vec![(0, 0); chains.len()];
    for (number, points) in enclosed {
        let (regions, room) = &mut group_lives[groups.top(number)];
        *regions += 1;
        *room += points;
    }
    for (number, (status, _)) in chains.iter_mut().enumerate() {
        let (regions, room) = group_lives[groups.top(number)];
        let lives_alone = regions > 1 || room >= ROOMY;
        if *status == Status::Alive && contested[number] && !lives_alone {
            *status = Status::Seki;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::board::space::SpaceBoard;
    use omnigo_core::rules::{Points, presets};
    use omnigo_graph::spec::Spec;

    fn playouts<B: Board>(board: &B, most: usize, enough: impl Fn() -> bool) -> usize {
        let mut seen = 0;
        play_out(board, 2, most, enough, |_| seen += 1);
        seen
    }

    #[test]
    fn large_boards_are_judged_by_fewer_playouts() {
        let grid = |side| GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
        assert_eq!(playouts(&grid(9), PLAYOUTS, || false), PLAYOUTS);
        assert!((100..PLAYOUTS).contains(&playouts(&grid(25), PLAYOUTS, || false)));
        let goban = "space:(grid:5),edges".parse::<Spec>().unwrap().build();
        let space = goban.unwrap().space().unwrap().clone();
        let space = SpaceBoard::new(space, 2).unwrap();
        // Each placement scans the whole space.
        assert!((FEWEST..PLAYOUTS).contains(&playouts(&space, PLAYOUTS, || false)));
    }

    #[test]
    fn playouts_stop_when_time_is_up() {
        let board = GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap();
        assert_eq!(playouts(&board, PLAYOUTS, || true), 0);
        let left = std::cell::Cell::new(100);
        let enough = || left.replace(left.get() - 1) <= 0;
        let seen = playouts(&board, PLAYOUTS, enough);
        assert!((1..100).contains(&seen), "{seen}");
        let nothing = sample_until(&board, 2, PLAYOUTS, || true);
        assert_eq!(nothing.owner(Vertex::at(0), 0.5), None);
    }

    #[test]
    fn without_time_all_stones_are_alive() {
        let mut board = GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap();
        board.place(Color::BLACK, Vertex::at(0), |_, _| {});
        board.place(Color::WHITE, Vertex::at(1), |_, _| {});
        board.place(Color::BLACK, Vertex::at(40), |_, _| {});
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::ZERO, Color::WHITE);
        let judged = judge_by(&game, Instant::now());
        assert!(judged.iter().all(|(status, _)| *status == Status::Alive));
    }
}
