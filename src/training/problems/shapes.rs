//! Random fights: eyes with stones inside, and groups beside each other at an edge.

use std::ops::RangeInclusive;

use super::draft::{Draft, Role};
use super::reader::Fight;
use crate::board::grid::GridBoard;
use crate::color::Color;
use crate::playout::Random;
use crate::training::boards::Size;
use crate::vertex::Vertex;

/// Maximum number of empty points of a fight. More take too long to read.
const MOST_EMPTY: usize = 9;
/// Maximum number of outside liberties of a group around an eye.
const MOST_OUTSIDE: usize = 2;
/// Numbers of points of an eye.
const EYE: RangeInclusive<usize> = 3..=7;
/// Numbers of points of an eye that may hold a bent four.
const CORNER: RangeInclusive<usize> = 4..=6;
/// Percentage of positions in which the prey has no territory outside the fight.
const ALONE: usize = 15;

/// A drawn position with a fight.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The board.
    pub board: GridBoard,
    /// The fight.
    pub fight: Fight,
    /// Number of stones of the prey, and of the largest chain that it could capture.
    pub chains: [usize; 2],
    /// Owner of each point outside the fight. `None` for its points.
    pub owners: Vec<Option<Color>>,
}

/// Draws a group of `defender` around an eye. With `corner`, a bent four is likely: the eye is in a
/// corner, with more stones inside and no liberties outside.
pub fn eye(size: Size, defender: Color, corner: bool, random: &mut Random) -> Option<Drawn> {
    let hunter = defender.other();
    let mut draft = Draft::new(size);
    let eye = eye_points(&draft, size, corner, random)?;
    let inner = if corner { 50 } else { 10 * random.below(8) };
    for &point in &eye {
        let stone = match random.below(100) {
            chance if chance < inner => Some(hunter),
            chance if chance < inner + 8 => Some(defender),
            _ => None,
        };
        draft.set(point, Role::Fight, stone);
    }
    // The group: all points beside the eye, and most that touch its corners.
    let mut group = Vec::new();
    for &point in &eye {
        let mut ring = draft.around(point);
        ring.extend(
            draft
                .diagonal(point)
                .into_iter()
                .filter(|_| !random.percent(12)),
        );
        for near in ring {
            if draft.role(near) == Role::Free {
                draft.set(near, Role::Fight, Some(defender));
                group.push(near);
            }
        }
    }
    // The hunter's stones around it, with gaps that are outside liberties.
    let gaps = if corner {
        0
    } else {
        random.below(MOST_OUTSIDE + 1)
    };
    let mut border: Vec<usize> = group
        .iter()
        .flat_map(|&point| draft.around(point))
        .collect();
    border.retain(|&point| draft.role(point) == Role::Free);
    border.sort_unstable();
    border.dedup();
    random.shuffle(&mut border);
    let gaps: Vec<usize> = border.iter().copied().take(gaps).collect();
    for &gap in &gaps {
        draft.set(gap, Role::Fight, None);
    }
    for &point in &border {
        draft.set_if_free(point, Role::Outside, Some(hunter));
    }
    for point in gaps.into_iter().chain(group) {
        let near = draft.around(point).into_iter().chain(draft.diagonal(point));
        for near in near.collect::<Vec<_>>() {
            draft.set_if_free(near, Role::Outside, Some(hunter));
        }
    }
    // The prey owns the far side of the board, along the axis with more room.
    let place = |point: usize| [point % size.width, point / size.width];
    let room = [size.width, size.height].into_iter().enumerate();
    let room = room.map(|(axis, side)| {
        let border = draft.with_role(Role::Outside);
        let last = border.map(|point| place(point)[axis]).max().unwrap_or(0);
        (side.saturating_sub(last + 3), last, axis)
    });
    let (span, last, axis) = room.max()?;
    let cut = if span == 0 || random.percent(ALONE) {
        usize::MAX
    } else {
        last + 1 + random.below(span)
    };
    finish(draft, defender, random, |point| {
        match place(point)[axis] < cut {
            true => hunter,
            false => defender,
        }
    })
}

/// Draws the connected points of an eye.
fn eye_points(draft: &Draft, size: Size, corner: bool, random: &mut Random) -> Option<Vec<usize>> {
    // Half of the eyes are in a corner, most others at an edge.
    let place = if corner { 0 } else { random.below(20) };
    let middle = |side: usize, random: &mut Random| 3 + random.below(side.saturating_sub(6));
    let start = match place {
        0..10 => [0, 0],
        10..17 => [middle(size.width, random), 0],
        _ => [middle(size.width, random), middle(size.height, random)],
    };
    let (wide, high) = (4, 3);
    let inside = |point: usize| {
        let (x, y) = (point % size.width, point / size.width);
        x.abs_diff(start[0]) < wide
            && y.abs_diff(start[1]) < high
            && x >= start[0].saturating_sub(1)
    };
    let mut eye = vec![draft.at(start.map(|it| it as isize))?];
    let counts = if corner { CORNER } else { EYE };
    let count = counts.start() + random.below(counts.end() - counts.start() + 1);
    while eye.len() < count {
        let from = eye[random.below(eye.len())];
        let near = draft.around(from);
        let next = near[random.below(near.len())];
        if inside(next) && !eye.contains(&next) {
            eye.push(next);
        }
    }
    Some(eye)
}

/// Draws two groups beside each other at an edge. Safe stones of the hunter enclose the left one,
/// and safe stones of `defender` the right one.
pub fn strip(size: Size, defender: Color, random: &mut Random) -> Option<Drawn> {
    let hunter = defender.other();
    let mut draft = Draft::new(size);
    let height = 1 + random.below(3);
    let halves = [2 + random.below(3), 2 + random.below(3)];
    let length = halves[0] + halves[1];
    let start = random.below((size.width + 1).checked_sub(length)?.min(5));
    let middle = start + halves[0];
    let own = [defender, hunter];
    let share = 45 + random.below(35);
    for x in start..start + length {
        for y in 0..height {
            let color = own[usize::from(x >= middle)];
            let stone = match random.below(100) {
                chance if chance < share => Some(color),
                chance if chance < share + 5 => Some(color.other()),
                _ => None,
            };
            draft.set(draft.at([x as isize, y as isize])?, Role::Fight, stone);
        }
    }
    let (left, right) = (start as isize - 1, (start + length) as isize);
    for x in left..=right {
        let color = if x < middle as isize {
            hunter
        } else {
            defender
        };
        if let Some(point) = draft.at([x, height as isize]) {
            draft.set(point, Role::Outside, Some(color));
        }
    }
    for y in 0..height as isize {
        for (x, color) in [(left, hunter), (right, defender)] {
            if let Some(point) = draft.at([x, y]) {
                draft.set(point, Role::Outside, Some(color));
            }
        }
    }
    finish(draft, defender, random, |point| {
        match point % size.width < middle {
            true => hunter,
            false => defender,
        }
    })
}

/// Fills the rest of the board and finds the groups of the fight. `None` if the position does not
/// fit the board, or if the fight is over.
fn finish(
    mut draft: Draft,
    defender: Color,
    random: &mut Random,
    owner: impl Fn(usize) -> Color,
) -> Option<Drawn> {
    draft.fill(&owner, random);
    let board = draft.board(&owner)?;
    let area: Vec<Vertex> = draft.with_role(Role::Fight).map(Vertex::at).collect();
    let empty = area.iter().filter(|at| draft.stone(at.index()).is_none());
    let (prey, stones) = draft.largest_chain(&board, defender)?;
    let inside = draft.largest_chain(&board, defender.other());
    if empty.count() > MOST_EMPTY {
        return None;
    }
    let points = draft.points();
    let is_outside = |point: usize| draft.role(point) == Role::Outside;
    let owners = (0..points).map(|point| is_outside(point).then(|| owner(point)));
    let owners = owners.collect();
    let fight = Fight {
        area,
        defender,
        prey,
        inside: inside.map(|(stone, _)| stone),
        safe: (0..points).map(is_outside).collect(),
    };
    Some(Drawn {
        board,
        fight,
        chains: [stones, inside.map_or(0, |(_, stones)| stones)],
        owners,
    })
}
