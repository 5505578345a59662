//! What there is to say about a move before it is tried, as one feature from each of a few groups.
//!
//! The groups follow Coulom (*Computing Elo Ratings of Move Patterns in the Game of Go*, 2007). But for the shape, which needs
//! eight points around, and the line, which needs an edge, all of them are said in terms of chains, liberties and graph
//! distance, and so hold on every graph.

use super::patterns::Patterns;
use crate::board::{Board, DENSE};
use crate::color::Color;
use crate::policy::Terrain;
use crate::policy::chases::Chase;
use crate::policy::survey::{FAR, FATE, Survey};
use crate::vertex::Vertex;

/// Features that a group has, and where the group begins in the list of all.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: usize,
    size: usize,
}

/// Neighbours are counted up to so many.
const NEIGHBORS: usize = 4;
/// Numbers of steps by common fate: 0 to [`FATE`], and more.
const FATES: usize = FATE as usize + 1;
/// Numbers of plain steps less one.
const STEPS: usize = FAR as usize;
/// Lines are counted up to so many.
const LINES: usize = 6;

const NEIGHBORHOOD: Group = group(0, (NEIGHBORS + 1) * (NEIGHBORS + 1) * (NEIGHBORS + 1));
const LAST: Group = after(NEIGHBORHOOD, (STEPS + 1) * (FATES + 1));
const BEFORE: Group = after(LAST, STEPS + 1);
const LINE: Group = after(BEFORE, (LINES + 1) * 2);
const CAPTURE: Group = after(LINE, 9);
const RESCUE: Group = after(CAPTURE, 7);
const SELF_ATARI: Group = after(RESCUE, 4);
const ATARI: Group = after(SELF_ATARI, 9);
const CHASE: Group = after(ATARI, 4);
const EYE: Group = after(CHASE, 2);
const FEW_LIBERTIES: Group = after(EYE, 8);
const LIBERTIES: Group = after(FEW_LIBERTIES, 5);
/// The shapes come last: where there are none, all others keep their places.
const SHAPE: Group = after(LIBERTIES, crate::board::SHAPE_CLASSES + 1);
/// The larger ones after the small ones, as many as the weights know.
const PATTERN: Group = after(SHAPE, Patterns::MOST + 1);

/// Groups.
pub const GROUPS: usize = 14;
/// Groups without shapes.
pub const SHAPELESS_GROUPS: usize = GROUPS - 2;
/// Features of all groups where no larger shape is known.
pub const FEATURES: usize = PATTERN.first + 1;
/// Features of all groups but the shapes.
pub const SHAPELESS: usize = SHAPE.first;

const _: () = assert!(PATTERN.first + PATTERN.size <= 1 << 16);

const fn group(first: usize, size: usize) -> Group {
    Group { first, size }
}

const fn after(before: Group, size: usize) -> Group {
    group(before.first + before.size, size)
}

impl Group {
    #[inline(always)]
    fn at(self, number: usize) -> u16 {
        debug_assert!(number < self.size);
        (self.first + number.min(self.size - 1)) as u16
    }
}

/// A move's features, one of each group; the shapes come last.
pub type Features = [u16; GROUPS];

/// What stands around a move.
#[derive(Default)]
struct Around {
    own: usize,
    other: usize,
    empty: usize,
    /// Stones that the move captures.
    captured: usize,
    /// Whether it takes the latest stone.
    takes_last: bool,
    /// Whether what it takes stood next to a chain of its own in atari.
    saves_by_capture: bool,
    /// Size of the largest own chain in atari that the move extends.
    in_atari: usize,
    /// Size of the largest other chain that it puts in atari.
    atari: usize,
    atari_on_last: bool,
    /// Whether it extends an own chain of two liberties, and takes the third of another.
    extends_two: bool,
    leaves_two: bool,
    /// Size of the chain that the move makes.
    size: usize,
    liberties: Liberties,
}

/// A few distinct liberties.
#[derive(Default)]
struct Liberties {
    found: [Option<Vertex>; 4],
}

impl Liberties {
    fn add(&mut self, liberty: Vertex) {
        for place in &mut self.found {
            match place {
                Some(known) if *known == liberty => return,
                Some(_) => {}
                None => {
                    *place = Some(liberty);
                    return;
                }
            }
        }
    }

    fn count(&self) -> usize {
        self.found.iter().flatten().count()
    }
}

fn look_around<B: Board>(board: &B, color: Color, at: Vertex, last: Option<Vertex>) -> Around {
    let mut around = Around {
        size: 1,
        ..Around::default()
    };
    let last = last.filter(|&last| board.at(last).is_some());
    let is_last = |near| last.is_some_and(|last| board.chain(last) == board.chain(near));
    for near in board.around(at) {
        let mut found = [Vertex::NONE; 8];
        match board.at(near) {
            None => {
                around.empty += 1;
                around.liberties.add(near);
            }
            Some(stone) if stone == color => {
                around.own += 1;
                around.size += board.chain_size(near);
                let count = board.liberties(near, 5, &mut found);
                for &liberty in found[..count].iter().filter(|&&liberty| liberty != at) {
                    around.liberties.add(liberty);
                }
                match count {
                    1 => around.in_atari = around.in_atari.max(board.chain_size(near)),
                    2 => around.extends_two = true,
                    _ => {}
                }
            }
            Some(_) => {
                around.other += 1;
                match board.liberties(near, 4, &mut found) {
                    1 => {
                        around.captured += board.chain_size(near);
                        around.takes_last |= is_last(near);
                        around.saves_by_capture |= touches_atari(board, color, near);
                        around.liberties.add(near);
                    }
                    2 => {
                        around.atari = around.atari.max(board.chain_size(near));
                        around.atari_on_last |= is_last(near);
                    }
                    3 => around.leaves_two = true,
                    _ => {}
                }
            }
        }
    }
    around
}

/// Whether a chain of `color` in atari stands next to the chain of the stone on `stone`, as far as a few stones tell.
fn touches_atari<B: Board>(board: &B, color: Color, stone: Vertex) -> bool {
    const LOOKS: usize = 24;
    let mut looks = 0;
    let mut touches = false;
    board.for_chain(stone, |member| {
        if looks > LOOKS || touches {
            return;
        }
        for near in board.around(member) {
            looks += 1;
            touches |= board.at(near) == Some(color) && board.sole_liberty(near).is_some();
        }
    });
    touches
}

/// The features of a legal placement of `color`, told by a look over the board that was made for it.
pub fn of<B: Board>(
    board: &B,
    color: Color,
    at: Vertex,
    terrain: &Terrain,
    survey: &Survey<B>,
    patterns: &Patterns,
) -> Features {
    let around = match board.degree(at) {
        0..=DENSE => look_around(board, color, at, survey.last()),
        _ => Around::default(),
    };
    let few = |count: usize| count.min(NEIGHBORS);
    let neighborhood = (few(around.own) * (NEIGHBORS + 1) + few(around.other)) * (NEIGHBORS + 1)
        + few(around.empty);
    // No point is no steps away from a placement and still vacant.
    let steps = |which| usize::from(survey.steps(which, at).unwrap_or(0));
    let fate = survey.fate(at).map_or(FATES, usize::from);
    // Without an edge all points are far from it.
    let line = match terrain.line(at) {
        0 => LINES,
        line => usize::from(line).min(LINES),
    };
    let big = |size: usize| usize::from(size > 1);
    let liberties = around.liberties.count();
    let capture = match around.captured {
        0 => 0,
        captured => {
            1 + big(captured) * 4
                + usize::from(around.saves_by_capture) * 2
                + usize::from(around.takes_last)
        }
    };
    let rescue = match (around.in_atari, liberties) {
        (0, _) => 0,
        (size, liberties) => big(size) * 3 + liberties.clamp(1, 3),
    };
    let self_atari = match (around.captured, liberties, around.size) {
        (0, 0 | 1, 1) => 1,
        (0, 0 | 1, 2 | 3) => 2,
        (0, 0 | 1, _) => 3,
        _ => 0,
    };
    let atari = match around.atari {
        0 => 0,
        size => {
            1 + big(size) * 4 + usize::from(liberties > 1) * 2 + usize::from(around.atari_on_last)
        }
    };
    let chase = match survey.chase(at) {
        Chase::None => 0,
        Chase::Runs => 1,
        Chase::Captures => 2,
        Chase::Saves => 3,
    };
    let few_liberties = usize::from(around.leaves_two) * 4
        + match (around.extends_two, liberties) {
            (false, _) => 0,
            (true, 0..=2) => 1,
            (true, 3) => 2,
            (true, _) => 3,
        };
    let shape = match board.shape(color, at) {
        Some(class) => 1 + usize::from(class),
        None => 0,
    };
    let pattern = match terrain.windows() {
        Some(windows) => patterns
            .find(board, windows, color, at)
            .map_or(0, |number| 1 + usize::from(number)),
        None => 0,
    };
    [
        NEIGHBORHOOD.at(neighborhood),
        LAST.at(steps(0) * (FATES + 1) + fate),
        BEFORE.at(steps(1)),
        LINE.at(line * 2 + usize::from(survey.is_quiet(at))),
        CAPTURE.at(capture),
        RESCUE.at(rescue),
        SELF_ATARI.at(self_atari),
        ATARI.at(atari),
        CHASE.at(chase),
        EYE.at(usize::from(board.is_eye(color, at))),
        FEW_LIBERTIES.at(few_liberties),
        LIBERTIES.at(liberties),
        SHAPE.at(shape),
        PATTERN.at(pattern),
    ]
}
