//! Priors: virtual playouts that a search gives to new children before it tries them.
//!
//! Every child begins with an even prior, so that its first few results cannot rule it out (Chaslot
//! et al. 2009; "even game prior"). On boards that look like a square lattice, weights learned from
//! games supply the rest.
//!
//! On other boards, more terms are added to the learned weights. They rate captures, rescues,
//! ladders, distances to the latest moves and to the edge, and cutting points. They use only chains
//! and graph distance, so they work on every graph.
//!
//! On go-spaces and Mango sets, groups are not chains. There, previews of placements show which
//! stones are captured, saved, and lost.

mod chases;
pub mod learned;
mod survey;
mod terrain;

use chases::Chase;
pub use survey::Survey;
pub use terrain::Terrain;

use crate::board::{Board, MAX_LOCAL_DEGREE};
use crate::game::Line;
use crate::tactics::{has_two_liberties_after, is_nakade};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Virtual playouts of a move, with the number of wins among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prior {
    /// Number of virtual playouts.
    pub visits: u32,
    /// Number of wins, times [`Prior::UNIT`].
    pub wins: u32,
}

impl Prior {
    /// Value of one won playout in `wins`.
    pub const UNIT: u32 = 2;
    /// Value of a probability of 1 in `wins`, as used by [`Prior::probability`].
    pub const CERTAIN: u32 = u16::MAX as u32;

    /// Returns a prior that holds only the probability that a network gives a move, 0…1. `visits`
    /// is 0, and `wins` is the probability times [`Prior::CERTAIN`].
    pub fn probability(probability: f32) -> Prior {
        Prior {
            visits: 0,
            wins: (probability.clamp(0.0, 1.0) * Self::CERTAIN as f32) as u32,
        }
    }

    /// Returns the even prior that every move begins with.
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

/// Maximum number of moves whose outcomes are previewed. A preview may visit the whole board.
const PREVIEWED: usize = 512;
const EVEN: u32 = 10;
const NEAR: [u32; survey::FATE as usize + 1] = [24, 24, 22, 8];
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
/// Virtual wins of a move with learned probability 1, when other terms are added. Other moves get
/// this times the square root of their probability, as in Pachi.
const LEARNED: f32 = 60.0;
/// Virtual wins of a move with learned probability 1, when the learned weights are used alone.
const LEARNED_ALONE: f32 = 160.0;

/// Working space for priors.
#[derive(Clone, Debug)]
pub struct Scratch<B: Board> {
    survey: Survey<B>,
    probabilities: Vec<f32>,
}

impl<B: Board> Default for Scratch<B> {
    fn default() -> Self {
        Scratch {
            survey: Survey::default(),
            probabilities: Vec::new(),
        }
    }
}

impl<B: Board> Scratch<B> {
    /// Computes the survey of the board and the learned probabilities of these moves.
    fn look(
        &mut self,
        line: &Line<'_, B>,
        recent: [Option<Vertex>; 2],
        moves: &[Vertex],
        terrain: &Terrain,
    ) {
        let (board, color) = (line.board(), line.to_move());
        self.survey.look(board, color, recent);
        let Scratch {
            survey,
            probabilities,
        } = self;
        learned::probabilities(board, color, moves, terrain, survey, probabilities);
    }
}

/// Writes to `priors` one prior for each of `moves`, which are placements of the player to move in
/// `line`. `recent` holds the two latest moves, the latest first, as far as they are placements.
pub fn priors<B: Board>(
    line: &Line<'_, B>,
    recent: [Option<Vertex>; 2],
    moves: &[Vertex],
    terrain: &Terrain,
    scratch: &mut Scratch<B>,
    priors: &mut Vec<Prior>,
) {
    let board = line.board();
    let color = line.to_move();
    priors.clear();
    if !board.has_chains() {
        let prior = |&at: &Vertex| match moves.len() {
            0..=PREVIEWED => by_outcome(board, color, at),
            _ => Prior::level(),
        };
        priors.extend(moves.iter().map(prior));
        return;
    }
    scratch.look(line, recent, moves, terrain);
    let Scratch {
        survey,
        probabilities,
    } = scratch;
    // The weights include larger shapes on lattices, so they are used alone there.
    let alone = terrain.is_lattice() && !probabilities.is_empty();
    priors.extend(moves.iter().enumerate().map(|(number, &at)| {
        let mut prior = Prior::level();
        let is_eye = board.is_eye(color, at);
        // The learned weights do not cover passes. If only eyes are left, they would get all the
        // probability, so eyes get none.
        let probability = probabilities.get(number).filter(|_| !is_eye);
        let learned = probability.map_or(0.0, |probability| probability.sqrt());
        if alone {
            prior.good((LEARNED_ALONE * learned).round() as u32);
            if is_eye {
                prior.bad(FILLS_EYE);
            }
        } else {
            prior.good((LEARNED * learned).round() as u32);
            by_hand(board, color, at, terrain, survey, &mut prior);
        }
        prior
    }));
}

/// Adds terms that are not learned: distance to the latest move, tactics, cutting points, ladders,
/// and lines.
fn by_hand<B: Board>(
    board: &B,
    color: Color,
    at: Vertex,
    terrain: &Terrain,
    survey: &Survey<B>,
    prior: &mut Prior,
) {
    if let Some(steps) = survey.fate(at) {
        prior.good(NEAR[usize::from(steps)]);
    }
    tactical(board, color, at, prior);
    if board.has_shape(at) {
        prior.good(SHAPE);
    }
    match survey.chase(at) {
        Chase::None => {}
        Chase::Runs => prior.bad(LADDER_RUNS),
        Chase::Captures => prior.good(LADDER_CAPTURES),
        Chase::Saves => prior.good(LADDER_SAVES),
    }
    if survey.is_quiet(at) {
        match terrain.line(at) {
            0 => {}
            1 | 2 => prior.bad(EMPTY_AREA),
            3 | 4 => prior.good(EMPTY_AREA),
            _ => {}
        }
    }
}

/// Adds terms for captures, ataris, and eyes.
fn tactical<B: Board>(board: &B, color: Color, at: Vertex, prior: &mut Prior) {
    if board.is_eye(color, at) {
        prior.bad(FILLS_EYE);
        return;
    }
    if board.degree(at) > MAX_LOCAL_DEGREE {
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
        if !has_two_liberties_after(board, color, at) {
            if !is_nakade(board, color, at) {
                prior.bad(SELF_ATARI);
            }
        } else if saves {
            prior.good(RESCUE);
        }
    }
}

/// Returns the prior of a placement on a board without chains. It depends on the stones captured
/// and lost, and on captures by another color at the same place.
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

/// Returns the prior of a pass. It is even if the pass would end the game, because one visit then
/// finds its true value. Otherwise it makes the pass a last resort.
pub fn pass<B: Board>(line: &Line<'_, B>) -> Prior {
    const LAST_RESORT: u32 = 10;
    let mut prior = Prior::level();
    if !line.pass_would_end() {
        prior.bad(LAST_RESORT);
    }
    prior
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::{self, both};
    use crate::game::Game;
    use crate::rules::presets;
    use omnigo_base::points::Points;

    /// Returns the prior from tactics alone of a black stone on a point. Checks that a 5×5 grid
    /// (top row first) and the same graph agree.
    #[track_caller]
    fn prior(rows: [&str; 5], at: usize) -> Prior {
        let (grid, graph) = both(&rows);
        let (mut prior, mut changed) = (Prior::level(), Prior::level());
        tactical(&grid, Color::BLACK, Vertex::at(at), &mut prior);
        tactical(&graph, Color::BLACK, Vertex::at(at), &mut changed);
        assert_eq!((prior.visits, prior.wins), (changed.visits, changed.wins));
        prior
    }

    /// Returns the number of playouts and of wins that a prior has beyond a level one.
    #[track_caller]
    fn added(rows: [&str; 5], at: usize) -> (u32, u32) {
        let (prior, level) = (prior(rows, at), Prior::level());
        let won = (prior.wins - level.wins) / Prior::UNIT;
        (prior.visits - level.visits, won)
    }

    #[test]
    fn priors_favor_captures_and_rescues_over_eyes_and_self_atari() {
        let one = [".....", ".....", ".XOX.", "..X..", "....."];
        assert_eq!(added(one, 17), (CAPTURE, CAPTURE));
        let two = [".....", ".....", ".XOX.", ".XOX.", "..X.."];
        assert_eq!(added(two, 17), (CAPTURE_CHAIN, CAPTURE_CHAIN));
        let caught = [".....", ".....", ".OXO.", "..O..", "....."];
        assert_eq!(added(caught, 17), (RESCUE, RESCUE));
        let throw_in = [".....", ".....", ".....", "O....", ".O..."];
        assert_eq!(added(throw_in, 0), (SELF_ATARI, 0));
        let eye = [".....", ".....", ".....", "XX...", ".X..."];
        assert_eq!(added(eye, 0), (FILLS_EYE, 0));
        assert_eq!(added(eye, 18), (0, 0));
    }

    /// Returns the priors of Black's placements on the empty points of a position, in index order.
    fn all<B: Board>(board: B) -> Vec<(Vertex, Prior)> {
        let rules = presets::find("chinese").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let terrain = Terrain::of(game.board());
        let line = Line::new(&game, Color::BLACK);
        let mut moves = game.board().vacant().to_vec();
        moves.sort_unstable();
        let mut found = Vec::new();
        let recent = [None; 2];
        priors(
            &line,
            recent,
            &moves,
            &terrain,
            &mut Scratch::default(),
            &mut found,
        );
        moves.into_iter().zip(found).collect()
    }

    #[test]
    fn on_lattices_priors_use_only_weights_and_favor_no_bad_move() {
        // Black has two eyes, on A1 and A5, and empty points between them.
        let rows = [".X...", "XX...", ".X.O.", "XX...", ".X..."];
        let (grid, graph) = both(&rows);
        let found = all(grid);
        assert_eq!(found, all(graph));
        let good = |at: usize| {
            let (_, prior) = found.iter().find(|(v, _)| v.index() == at).unwrap();
            (prior.visits - EVEN, prior.wins - Prior::UNIT * EVEN / 2)
        };
        assert_eq!(good(0), (FILLS_EYE, 0));
        assert_eq!(good(20), (FILLS_EYE, 0));
        // A move next to the stone gains more than one on the edge. All virtual playouts of good
        // moves are wins.
        assert!(good(12).0 > good(4).0, "{found:?}");
        assert_eq!(good(12).1, Prior::UNIT * good(12).0);
        // Seki: a player who fills the shared point loses the stones. It is the only move left, but
        // still not a good one.
        let seki = [".XXOO", "XXXOO", "XX.OO", "XXXOO", "XXXO."];
        let found = all(diagram::grid(&seki));
        let between = found.iter().find(|(v, _)| v.index() == 12).unwrap().1;
        assert!(between.visits - EVEN < 40, "{between:?}");
    }
}
