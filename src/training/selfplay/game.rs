//! One self-play game.
//!
//! Most moves use a quick search and are only played. The others use a full search with noise at
//! the root and are recorded (playout cap randomization, Wu 2019). The policy needs the visits of a
//! full search; the value needs the results of many games.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::super::draw::{self, happens, random_move};
use super::super::format::{Row, SHARES};
use super::super::starts::begin;
use super::super::view::View;
use crate::board::Board;
use crate::board::region::flood;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::bonus;
use crate::net::features::komi_input;
use crate::playout::{Random, Style};
use crate::points::Points;
use crate::rules::Ruleset;
use crate::search::tree::Proof;
use crate::search::{
    self, Choice, Guidance, Limits, Noise, SearchRequest, SearchResult, Searcher, Settings,
};
use crate::vertex::{Move, Vertex};

/// Memory of a game's search trees, in bytes.
const MEMORY: usize = 16 << 20;
/// Total concentration of the Dirichlet noise over all moves (Wu 2019).
const CONCENTRATION: f32 = 10.83;
/// A game ends after 5 moves per point plus [`MOST_BEYOND`], without those from a record. It is
/// then counted with all stones alive.
const MOST_PER_POINT: usize = 5;
/// Moves in addition to those per point.
const MOST_BEYOND: usize = 50;
/// Late in a game, the search gives the pass at least 1/32 of the root's visits, whatever its
/// value.
const PASS_SHARE: u32 = 32;

/// Settings of self-play games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The network; `None` for a search with playouts alone.
    pub guidance: Option<Guidance>,
    /// The rules: area scoring, all stones alive.
    pub rules: Ruleset,
    /// Playouts per recorded move.
    pub playouts: u64,
    /// Visits per other move, including those kept from the previous search.
    pub quick_playouts: u64,
    /// Fraction of moves that are recorded.
    pub recorded: f64,
    /// Fraction of noise in the root policy of recorded moves.
    pub noise: f64,
    /// Number of opening moves that are drawn.
    pub drawn_moves: usize,
    /// Temperature of these moves: the probability is proportional to visits^(1/temperature).
    pub temperature: f64,
    /// Maximum number of random moves at the start.
    pub random_moves: u32,
    /// Win probability below which a player resigns.
    pub resign_below: f64,
    /// Fraction of games without resignation.
    pub played_out: f64,
}

/// A finished game and its rows.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves in order, Black first.
    pub moves: Vec<Move>,
    /// Number of moves at the start that come from a record.
    pub begun: usize,
    /// Number of random moves after those.
    pub random: usize,
    /// Black's final score lead in points, komi included; `None` after a resignation.
    pub margin: Option<Points>,
    /// The winner; `None` after a draw.
    pub winner: Option<Color>,
    /// The recorded positions.
    pub rows: Vec<Row>,
}

/// Returns the winner by resignation or by Black's lead.
fn winner(resigned: Option<Color>, margin: Option<Points>) -> Option<Color> {
    match resigned {
        Some(loser) => Some(loser.other()),
        None => margin.and_then(draw::winner),
    }
}

/// Adds the end of the game to a recorded position, from the view of its player.
fn with_end(
    (color, row): (Color, Row),
    winner: Option<Color>,
    margin: Option<Points>,
    owners: Option<&[Option<Color>]>,
) -> Row {
    let black = if color == Color::BLACK { 0.5 } else { -0.5 };
    let owned = |owner: &Option<Color>| match *owner {
        None => 0,
        Some(owner) if owner == color => 100,
        Some(_) => -100,
    };
    Row {
        won: winner.map(|winner| winner == color),
        score: margin.map(|margin| margin.halves() as f32 * black),
        ownership: owners.map(|all| all.iter().map(owned).collect()),
        ..row
    }
}

impl Plan {
    /// Plays a game. It begins with the moves `given`, up to the first illegal one.
    pub fn play<B: Board>(
        &self,
        board: B,
        komi: Points,
        given: &[Move],
        random: &mut Random,
    ) -> Played {
        let (mut game, begun) = begin(board, &self.rules, komi, given);
        let mut searcher = Searcher::new(Settings {
            threads: 1,
            seed: random.word(),
            memory: MEMORY,
            style: Style::Tactical,
            guidance: self.guidance.clone(),
        });
        let mut view = View::new();
        let most_random = random.below(self.random_moves as usize + 1);
        let resign_below = if happens(random, self.played_out) {
            0.0
        } else {
            self.resign_below
        };
        let most = begun + MOST_PER_POINT * game.board().points() + MOST_BEYOND;
        let mut rows: Vec<(Color, Row)> = Vec::new();
        let mut resigned = None;
        let mut lost_turns = search::LostTurns::default();
        let mut random_moves = 0;
        while !game.is_over() && game.moves().len() < most {
            let color = game.to_move();
            let number = game.moves().len() - begun;
            if number < most_random
                && let Some(mv) = random_move(&game, color, random)
            {
                if game.play(color, mv).is_err() {
                    break;
                }
                random_moves += 1;
                continue;
            }
            let records = happens(random, self.recorded);
            let result = self.search(&mut searcher, &game, color, records);
            let by = Instant::now() + search::MAX_JUDGE_TIME;
            let lost = search::is_lost(&game, &result, resign_below);
            let resigns = lost_turns.note(&game, color, lost);
            let mv = match search::decide(&game, color, &result, by) {
                Choice::Move(mv) if !resigns || mv == Move::Pass => mv,
                Choice::Move(_) | Choice::Resign => {
                    resigned = Some(color);
                    break;
                }
            };
            let decided = result.best().is_none_or(|best| best.mv != mv);
            let mv = if decided || number >= self.drawn_moves {
                mv
            } else {
                self.draw(&result, random).unwrap_or(mv)
            };
            if records {
                let points = game.board().points();
                let place = |mv: Move| mv.vertex().map_or(points, Vertex::index);
                let mut shares = shares(&result, place);
                if decided || shares.is_empty() {
                    // If the final decision differs from the search's best move, or if no move has
                    // visits, the visits say nothing about the move. Record only the move itself.
                    shares = vec![(place(mv), 1.0)];
                }
                let row = Row {
                    planes: view.of(&game, color),
                    komi: komi_input(bonus(&Line::new(&game, color)), color),
                    target: place(mv),
                    shares,
                    ..Row::default()
                };
                rows.push((color, row));
            }
            if game.play(color, mv).is_err() {
                break;
            }
        }
        let moves = game.moves().map(|(_, mv)| mv).collect();
        let margin = match resigned {
            Some(_) => None,
            None => draw::margin(&game),
        };
        let winner = winner(resigned, margin);
        let owners = margin.map(|_| owners(game.board()));
        let finish = |row| with_end(row, winner, margin, owners.as_deref());
        Played {
            moves,
            begun,
            random: random_moves,
            margin,
            winner,
            rows: rows.into_iter().map(finish).collect(),
        }
    }

    /// Searches the position: a full search if it is recorded, otherwise a quick one.
    fn search<B: Board>(
        &self,
        searcher: &mut Searcher,
        game: &Game<B>,
        to_move: Color,
        records: bool,
    ) -> SearchResult {
        let limits = if records {
            Limits {
                playouts: Some(self.playouts),
                ..Limits::default()
            }
        } else {
            Limits {
                visits: Some(self.quick_playouts),
                ..Limits::default()
            }
        };
        if records {
            // Discard the tree of earlier searches, so that its visits do not affect the recorded
            // shares.
            searcher.forget_tree();
        }
        let noise = Noise {
            share: self.noise as f32,
            concentration: CONCENTRATION,
        };
        let request = SearchRequest {
            to_move,
            limits,
            start: Instant::now(),
            restrictions: &[],
            noise: (records && self.noise > 0.0).then_some(noise),
            analyzes: false,
            ponders: false,
            dynamic_komi: false,
            ends_early: true,
        };
        searcher.search(game, request, &AtomicBool::new(false), None)
    }

    /// Draws a placement with probability proportional to visits^(1/temperature). `None` if no
    /// placement has visits, except proven losses.
    fn draw(&self, result: &SearchResult, random: &mut Random) -> Option<Move> {
        let open =
            |c: &&search::Candidate| c.visits > 0 && c.mv != Move::Pass && c.proof != Proof::Loss;
        let open = result.candidates.iter().filter(open);
        let visits: Vec<(Move, f32)> = open.map(|c| (c.mv, c.visits as f32)).collect();
        draw::weighted(&draw::sharpened(&visits, self.temperature), random)
    }
}

/// Returns each move's share of the search's visits, the largest first. `place` maps moves to their
/// numbers.
fn shares(result: &SearchResult, place: impl Fn(Move) -> usize) -> Vec<(usize, f32)> {
    let tried = result.visits / PASS_SHARE + 1;
    let best = result.best().map(|best| best.mv);
    let counted = |c: &&search::Candidate| {
        // Ignore a pass that has only the visits that every pass gets late in a game.
        c.visits > 0 && (c.mv != Move::Pass || c.visits > tried || best == Some(Move::Pass))
    };
    let mut visits: Vec<(usize, u32)> = result
        .candidates
        .iter()
        .filter(counted)
        .map(|c| (place(c.mv), c.visits))
        .collect();
    visits.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
    visits.truncate(SHARES);
    let all: u32 = visits.iter().map(|&(_, visits)| visits).sum();
    let share = |(at, visits)| (at, visits as f32 / all.max(1) as f32);
    visits.into_iter().map(share).collect()
}

/// Returns the owner of each point under area scoring. A stone owns its point, and a color owns an
/// empty region if only its stones border on it.
pub fn owners<B: Board>(board: &B) -> Vec<Option<Color>> {
    let mut owners: Vec<Option<Color>> = (0..board.points())
        .map(|point| board.at(Vertex::at(point)))
        .collect();
    let mut seen = vec![false; board.points()];
    for start in (0..board.points()).map(Vertex::at) {
        if board.at(start).is_some() || seen[start.index()] {
            continue;
        }
        let (mut region, mut borders) = (Vec::new(), Vec::new());
        let is_empty = |point| board.at(point).is_none();
        flood(board, start, &mut region, &mut seen, is_empty, |stone| {
            borders.extend(board.at(stone));
        });
        if let Some(&first) = borders.first()
            && borders.iter().all(|&color| color == first)
        {
            for point in region {
                owners[point.index()] = Some(first);
            }
        }
    }
    owners
}
