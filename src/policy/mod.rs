//! What a search believes about a move before it has tried it: virtual playouts for new children.
//!
//! Every child begins with an even prior, which keeps the first few results from ruling it out (Chaslot et al. 2009; in the
//! field "even game prior"). Captures, rescues, ladders, nearness to the latest moves, distance from the edge and, where
//! boards have them, local shapes add to it. But for the shapes all of this is said in terms of chains and graph distance, and
//! so holds on every graph. Where groups are no chains, on go-spaces and Mango sets, previews of placements say what is taken,
//! saved and lost.

mod chases;

use chases::{Chase, Chases};

use crate::board::Board;
use crate::color::Color;
use crate::game::Line;
use crate::vertex::Vertex;

/// Virtual playouts of a move and how many of them were won, in [`Prior::UNIT`]ths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prior {
    /// How many.
    pub visits: u32,
    /// How many won, times [`Prior::UNIT`].
    pub wins: u32,
}

impl Prior {
    /// A won playout.
    pub const UNIT: u32 = 2;
    /// A chance of 1, as [`Prior::chance`] has it.
    pub const CERTAIN: u32 = u16::MAX as u32;

    /// No virtual playouts, but the chance that a network gives a move, 0…1; kept in [`Prior::CERTAIN`]ths as wins.
    pub fn chance(chance: f32) -> Prior {
        Prior {
            visits: 0,
            wins: (chance.clamp(0.0, 1.0) * Self::CERTAIN as f32) as u32,
        }
    }

    /// What every move begins with.
    fn level() -> Prior {
        let mut prior = Prior::default();
        prior.even(EVEN);
        prior
    }

    fn good(&mut self, visits: u32) {
        self.visits += visits;
        self.wins += Self::UNIT * visits;
    }

    fn bad(&mut self, visits: u32) {
        self.visits += visits;
    }

    fn even(&mut self, visits: u32) {
        self.visits += visits;
        self.wins += Self::UNIT * visits / 2;
    }
}

/// Vertices of more neighbours get no tactical prior: on dense boards it would cost more than playouts.
const DENSE: usize = 32;
/// Of more moves the outcomes are not looked at: each look may go over the whole board.
const PREVIEWED: usize = 512;
const EVEN: u32 = 10;
const NEAR: [u32; 4] = [24, 24, 22, 8];
const CAPTURE: u32 = 15;
const CAPTURE_CHAIN: u32 = 30;
const RESCUE: u32 = 15;
const SELF_ATARI: u32 = 10;
const SHAPE: u32 = 10;
const LADDER_CAPTURES: u32 = 15;
const LADDER_SAVES: u32 = 10;
const LADDER_RUNS: u32 = 10;
const FILLS_EYE: u32 = 40;
const EMPTY_AREA: u32 = 10;
/// Stones within this distance make an area not empty.
const AREA: u8 = 3;

/// What the shape of a board says about its vertices, found once.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// Steps from the nearest vertex of low degree, 1 on it; 0 where the board has no edge. On a grid: the line.
    lines: Vec<u8>,
}

impl Terrain {
    /// Looks at the empty shape of a board.
    pub fn of<B: Board>(board: &B) -> Terrain {
        let points = board.points();
        let degrees: Vec<usize> = (0..points)
            .map(|i| board.around(Vertex::at(i)).count())
            .collect();
        let most = degrees.iter().copied().max().unwrap_or(0);
        let mut lines = vec![0u8; points];
        let mut queue: Vec<Vertex> = (0..points)
            .filter(|&i| degrees[i] < most)
            .map(Vertex::at)
            .collect();
        // An edge is thin: where most vertices are of low degree, degree says nothing about lines.
        if queue.len() * 2 > points && points > 16 {
            return Terrain { lines };
        }
        for v in &queue {
            lines[v.index()] = 1;
        }
        let mut next = 0;
        while let Some(&v) = queue.get(next) {
            next += 1;
            for u in board.around(v) {
                if lines[u.index()] == 0 {
                    lines[u.index()] = lines[v.index()].saturating_add(1);
                    queue.push(u);
                }
            }
        }
        Terrain { lines }
    }
}

/// Working space for priors.
#[derive(Clone, Debug)]
pub struct Scratch<B: Board> {
    distance: Vec<u8>,
    reach: Vec<u8>,
    queue: Vec<Vertex>,
    chases: Chases<B>,
}

impl<B: Board> Default for Scratch<B> {
    fn default() -> Self {
        Scratch {
            distance: Vec::new(),
            reach: Vec::new(),
            queue: Vec::new(),
            chases: Chases::default(),
        }
    }
}

/// Fills `scratch.distance`: steps from `from`, where steps inside a chain are free, up to `most`; more reads 255.
fn common_fate_distance<B: Board>(board: &B, from: Vertex, most: u8, scratch: &mut Scratch<B>) {
    let distance = &mut scratch.distance;
    distance.clear();
    distance.resize(board.points(), u8::MAX);
    scratch.queue.clear();
    distance[from.index()] = 0;
    scratch.queue.push(from);
    board.for_chain(from, |stone| {
        if stone != from {
            distance[stone.index()] = 0;
            scratch.queue.push(stone);
        }
    });
    let mut next = 0;
    while let Some(&v) = scratch.queue.get(next) {
        next += 1;
        let step = distance[v.index()] + 1;
        if step > most {
            continue;
        }
        for u in board.around(v) {
            if distance[u.index()] != u8::MAX {
                continue;
            }
            if board.at(u).is_some() {
                board.for_chain(u, |stone| {
                    distance[stone.index()] = step;
                    scratch.queue.push(stone);
                });
            } else {
                distance[u.index()] = step;
                scratch.queue.push(u);
            }
        }
    }
}

/// Marks in `scratch.reach` the points within [`AREA`] steps of a stone.
fn settled_area<B: Board>(board: &B, scratch: &mut Scratch<B>) {
    let reach = &mut scratch.reach;
    reach.clear();
    reach.resize(board.points(), u8::MAX);
    scratch.queue.clear();
    for (i, steps) in reach.iter_mut().enumerate() {
        if board.at(Vertex::at(i)).is_some() {
            *steps = 0;
            scratch.queue.push(Vertex::at(i));
        }
    }
    let mut next = 0;
    while let Some(&v) = scratch.queue.get(next) {
        next += 1;
        let step = reach[v.index()] + 1;
        if step > AREA {
            continue;
        }
        for u in board.around(v) {
            if reach[u.index()] == u8::MAX {
                reach[u.index()] = step;
                scratch.queue.push(u);
            }
        }
    }
}

/// Writes to `priors` one prior for each of `moves`, placements of the player to move in `line` after `last`.
pub fn priors<B: Board>(
    line: &Line<'_, B>,
    last: Option<Vertex>,
    moves: &[Vertex],
    terrain: &Terrain,
    scratch: &mut Scratch<B>,
    priors: &mut Vec<Prior>,
) {
    let board = line.board();
    let color = line.to_move();
    if !board.has_chains() {
        let prior = |&at: &Vertex| match moves.len() {
            0..=PREVIEWED => by_outcome(board, color, at),
            _ => Prior::level(),
        };
        priors.clear();
        priors.extend(moves.iter().map(prior));
        return;
    }
    if let Some(last) = last {
        common_fate_distance(board, last, NEAR.len() as u8 - 1, scratch);
    }
    settled_area(board, scratch);
    // A ladder is an affair of two.
    scratch.chases.clear();
    if line.game().rules().colors == 2 {
        scratch.chases.read(board, color);
    }
    priors.clear();
    priors.extend(moves.iter().map(|&at| {
        let mut prior = Prior::level();
        if last.is_some()
            && let Some(&weight) = NEAR.get(scratch.distance[at.index()] as usize)
        {
            prior.good(weight);
        }
        tactical(board, color, at, &mut prior);
        if board.has_shape(at) {
            prior.good(SHAPE);
        }
        match scratch.chases.of(at) {
            Chase::None => {}
            Chase::Runs => prior.bad(LADDER_RUNS),
            Chase::Captures => prior.good(LADDER_CAPTURES),
            Chase::Saves => prior.good(LADDER_SAVES),
        }
        if scratch.reach[at.index()] == u8::MAX {
            match terrain.lines[at.index()] {
                0 => {}
                1 | 2 => prior.bad(EMPTY_AREA),
                3 | 4 => prior.good(EMPTY_AREA),
                _ => {}
            }
        }
        prior
    }));
}

/// Adds what captures, ataris and eyes say.
fn tactical<B: Board>(board: &B, color: Color, at: Vertex, prior: &mut Prior) {
    if board.is_eye(color, at) {
        prior.bad(FILLS_EYE);
        return;
    }
    if board.degree(at) > DENSE {
        return;
    }
    let mut captured = 0;
    let mut saves = false;
    for near in board.around(at) {
        if let Some(stone) = board.at(near)
            && board.sole_liberty(near) == Some(at)
        {
            if stone == color {
                saves = true;
            } else {
                captured += board.chain_size(near);
            }
        }
    }
    match captured {
        0 => {}
        1 => prior.good(CAPTURE),
        _ => prior.good(CAPTURE_CHAIN),
    }
    if captured == 0 {
        let liberties = liberties_after(board, color, at);
        if liberties < 2 {
            prior.bad(SELF_ATARI);
        } else if saves {
            prior.good(RESCUE);
        }
    }
}

/// What a placement does to the whole board, where there are no chains to look at: what it takes and what it costs, and what
/// another color would take there.
fn by_outcome<B: Board>(board: &B, color: Color, at: Vertex) -> Prior {
    let mut prior = Prior::level();
    let own = board.preview(color, at);
    let mut others = Color::all(board.colors()).filter(|&other| other != color);
    match own.captured {
        0 if board.is_eye(color, at) => prior.bad(FILLS_EYE),
        0 if own.lost > 0 => prior.bad(SELF_ATARI),
        0 if others.any(|other| board.preview(other, at).captured > 0) => prior.good(RESCUE),
        0 => {}
        1 => prior.good(CAPTURE),
        _ => prior.good(CAPTURE_CHAIN),
    }
    prior
}

/// Liberties of the chain that a stone of `color` at `at` would belong to, captures aside, counted up to two.
fn liberties_after<B: Board>(board: &B, color: Color, at: Vertex) -> usize {
    let mut first = None;
    let mut second = |liberty: Vertex| match first {
        _ if liberty == at => false,
        None => {
            first = Some(liberty);
            false
        }
        Some(found) => found != liberty,
    };
    for near in board.around(at) {
        let mut found = [Vertex::NONE; 8];
        let count = match board.at(near) {
            None => {
                found[0] = near;
                1
            }
            Some(stone) if stone == color => board.liberties(near, 3, &mut found),
            Some(_) => 0,
        };
        if found[..count].iter().any(|&liberty| second(liberty)) {
            return 2;
        }
    }
    usize::from(first.is_some())
}

/// The prior of a pass: even where it would end the game, for its true value is one visit away; else a last resort.
pub fn pass<B: Board>(line: &Line<'_, B>) -> Prior {
    const LAST_RESORT: u32 = 10;
    let mut prior = Prior::level();
    if !line.pass_would_end() {
        prior.bad(LAST_RESORT);
    }
    prior
}
