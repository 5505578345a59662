//! Life and death of what stands on the board, judged by playouts.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::enclosure;
use super::ownership::Ownership;
use super::settled::settle;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::playout::{ASK_EVERY, Begin, Chance, Style, Trace, scored};
use crate::union_find::UnionFind;
use crate::vertex::Vertex;

/// What becomes of a chain at the end of the game, from the best on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It lives.
    Alive,
    /// It lives beside enemies that live, and neither has territory there.
    Seki,
    /// It can be captured.
    Dead,
}

/// A chain is dead when its color owns its points in less than this share of the playouts.
const LIVES: f64 = 0.4;
/// A point that stays nobody's in more than this share of the playouts is a point of a seki.
const NEUTRAL: f64 = 0.5;
/// A single region of so many points lets its owner make two eyes, whoever begins.
const ROOMY: usize = 7;
/// Playouts, or fewer on large boards so that the answer does not take long.
const PLAYOUTS: usize = 512;
/// Fewer are no judgement.
const FEWEST: usize = 8;
/// Points and neighbours gone through at most, more or less: what keeps the answer quick.
const WORK: usize = 1_200_000;
/// On boards of so many points, a playout ends after one move and a quarter for each vacant vertex.
const LARGE: usize = 1_000;
/// Time that judging a position takes at most, more or less, however slow playouts are on its board.
pub const JUDGED_IN: Duration = Duration::from_millis(1200);
/// Points of a board at which a playout takes twice as long as its work says.
const FITS: usize = 5_000;

/// Who owns what after playouts from the position, each color beginning in turn; the same answer every time, unless the board
/// is so slow that [`JUDGED_IN`] ends it.
pub fn sample<B: Board>(game: &Game<B>, most: usize) -> Ownership {
    let by = Instant::now() + JUDGED_IN;
    sample_by(game.board(), game.rules().colors, most, by)
}

/// The same for any position of `colors` players, from as many playouts as end by then. Where none does, stones own their points.
pub(super) fn sample_by<B: Board>(board: &B, colors: usize, most: usize, by: Instant) -> Ownership {
    let mut ownership = sample_until(board, colors, most, || Instant::now() >= by);
    if ownership.samples() == 0 {
        ownership.add(board);
    }
    ownership
}

/// The same from as many playouts as end before `enough` says so.
pub(super) fn sample_until<B: Board>(
    board: &B,
    colors: usize,
    most: usize,
    enough: impl Fn() -> bool,
) -> Ownership {
    let mut ownership = Ownership::new(board.points(), colors);
    play_out(board, colors, most, enough, |end| ownership.add(end));
    ownership
}

/// Shows `see` how playouts from the position end, each color beginning in turn, until `enough` says so; the same playouts
/// every time, whatever moves led to the position or were taken back.
pub(super) fn play_out<B: Board>(
    board: &B,
    colors: usize,
    most: usize,
    enough: impl Fn() -> bool,
    mut see: impl FnMut(&B),
) {
    let mut chance = Chance::new(board.points() as u64);
    // Boards list vacant points in an order that tells of earlier moves.
    let mut start = board.clone();
    start.set_position(&board.position());
    let mut end = start.clone();
    let mut trace = Trace::new();
    let style = Style::Tactical.on(board);
    let work = board.playout_work().max(1);
    // A board that does not fit into the caches takes longer.
    let work = work.saturating_add(work.saturating_mul(board.points()) / FITS);
    // On sparse boards of that size, dead ends are taken and taken back for long, and each move looks at nearly every point.
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
        scored::play(&mut end, begin, style, &mut chance, &mut trace, cut);
        if enough() {
            return;
        }
        see(&end);
    }
}

/// Every chain of the position with its status, in the order of their first stones; the same answer every time, unless the board
/// is so slow that [`JUDGED_IN`] ends it.
pub fn judge<B: Board>(game: &Game<B>) -> Vec<(Status, Vec<Vertex>)> {
    judge_by(game, Instant::now() + JUDGED_IN)
}

/// The same from as many playouts as end by then.
pub(super) fn judge_by<B: Board>(game: &Game<B>, by: Instant) -> Vec<(Status, Vec<Vertex>)> {
    let board = game.board();
    let points = board.points();
    let mut ownership = sample_by(board, game.rules().colors, PLAYOUTS, by);
    // What stands empty now may be anybody's in the end.
    let is_played_out = ownership.samples() > 1;
    settle(game, &mut ownership);
    let mut chains: Vec<(Status, Vec<Vertex>)> = Vec::new();
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
        let share = stones
            .iter()
            .map(|&stone| ownership.share(stone, color))
            .sum::<f64>()
            / stones.len() as f64;
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
        enclosure::correct(board, &ownership, &mut chains);
    }
    chains
}

/// Turns living chains into seki where what they are linked to has no two eyes and no room for them, and playouts leave a
/// point empty between them and their enemies.
///
/// Chains of one color that touch the same empty region are linked. Dead stones count as empty.
fn mark_seki<B: Board>(board: &B, ownership: &Ownership, chains: &mut [(Status, Vec<Vertex>)]) {
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
    // Regions that one color encloses: a chain beside each, and its points.
    let mut enclosed: Vec<(usize, usize)> = Vec::new();
    let mut contested = vec![false; chains.len()];
    let mut seen = vec![false; points];
    for i in 0..points {
        if position[i].is_some() || seen[i] {
            continue;
        }
        seen[i] = true;
        let mut region = vec![Vertex::at(i)];
        let mut border: Vec<usize> = Vec::new();
        let mut next = 0;
        while let Some(&point) = region.get(next) {
            next += 1;
            for near in board.around(point) {
                if position[near.index()].is_some() {
                    border.push(chain_of[near.index()]);
                } else if !std::mem::replace(&mut seen[near.index()], true) {
                    region.push(near);
                }
            }
        }
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
    use crate::board::grid::{Grid, GridBoard};
    use crate::board::space::SpaceBoard;
    use crate::graph::spec::Spec;
    use crate::rules::{Points, presets};

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
        // Each placement looks at the whole space.
        assert!((FEWEST..PLAYOUTS).contains(&playouts(&space, PLAYOUTS, || false)));
    }

    #[test]
    fn playouts_end_when_time_is_up() {
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
    fn without_time_stones_live() {
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
