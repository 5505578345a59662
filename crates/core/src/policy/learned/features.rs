//! Features of a move for the learned weights: one feature from each of several groups.
//!
//! The groups follow Coulom (*Computing Elo Ratings of Move Patterns in the Game of Go*, 2007). The
//! shape needs eight surrounding points, and the line needs an edge. All other groups use only
//! chains, liberties, and graph distance, so they work on every graph.

use super::patterns::Patterns;
use crate::board::{Board, MAX_LOCAL_DEGREE};
use crate::policy::Terrain;
use crate::policy::chases::Chase;
use crate::policy::survey::{FAR, FATE, Survey};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Index range of a group in the list of all features.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: usize,
    size: usize,
}

/// Counts of neighbors are capped at 4.
const NEIGHBORS: usize = 4;
/// Number of common-fate distances from 0 to [`FATE`]. The value `FATES` stands for larger
/// distances.
const FATES: usize = FATE as usize + 1;
/// Maximum plain distance. Distances have `STEPS + 1` values, from 0 to `STEPS`.
const STEPS: usize = FAR as usize;
/// Lines are capped at 6.
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
/// Shapes come after all other groups, so that the indices of the others do not change without
/// them.
const SHAPE: Group = after(LIBERTIES, crate::board::SHAPE_CLASSES + 1);
/// Larger shapes come last. Their number depends on the weights.
const PATTERN: Group = after(SHAPE, Patterns::MOST + 1);

/// Number of groups.
pub const GROUPS: usize = 14;
/// Number of groups without shapes.
pub const SHAPELESS_GROUPS: usize = GROUPS - 2;
/// Number of features of all groups if no larger shape is known.
pub const FEATURES: usize = PATTERN.first + 1;
/// Number of features of all groups without shapes.
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

/// Features of a move, one per group. The shapes come last.
pub type Features = [u16; GROUPS];

/// Stones and liberties around a move.
#[derive(Default)]
struct Around {
    own: usize,
    other: usize,
    empty: usize,
    /// Number of stones that the move captures.
    captured: usize,
    /// True if the move captures the latest stone.
    takes_last: bool,
    /// True if a captured chain is next to an own chain in atari.
    saves_by_capture: bool,
    /// Size of the largest own chain in atari that the move extends.
    in_atari: usize,
    /// Size of the largest other chain that the move puts in atari.
    atari: usize,
    atari_on_last: bool,
    /// True if the move extends an own chain with two liberties. `leaves_two`: true if it takes the
    /// third liberty of another chain.
    extends_two: bool,
    leaves_two: bool,
    /// Size of the chain that the move forms.
    size: usize,
    liberties: Liberties,
}

/// Up to four distinct liberties.
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

/// Returns true if a chain of `color` in atari is next to the chain of `stone`. Only the first few
/// stones of the chain are examined (see `LOOKS`).
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

/// Returns the features of a legal placement of `color`. `survey` must be a survey of this board
/// for `color`.
pub fn of<B: Board>(
    board: &B,
    color: Color,
    at: Vertex,
    terrain: &Terrain,
    survey: &Survey<B>,
    patterns: &Patterns,
) -> Features {
    let around = match board.degree(at) {
        0..=MAX_LOCAL_DEGREE => look_around(board, color, at, survey.last()),
        _ => Around::default(),
    };
    let few = |count: usize| count.min(NEIGHBORS);
    let neighborhood = (few(around.own) * (NEIGHBORS + 1) + few(around.other)) * (NEIGHBORS + 1)
        + few(around.empty);
    // A vacant point is never 0 steps from a placement, so 0 stands for a missing placement.
    let steps = |which| usize::from(survey.steps(which, at).unwrap_or(0));
    let fate = survey.fate(at).map_or(FATES, usize::from);
    // Without an edge, all points count as far from it.
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
