//! One game of the engine against itself.
//!
//! Most moves are searched quickly and only played; the others are searched well, with noise at the root, and recorded: what
//! a search thinks of moves is worth learning only where it has looked, while who wins in the end is learned from whole games
//! (playout cap randomisation, Wu 2019).

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::super::format::{Row, SHARES};
use super::super::view::View;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::net::features::komi_input;
use crate::playout::{Chance, Style};
use crate::points::Points;
use crate::rules::Ruleset;
use crate::search::tree::Proof;
use crate::search::{self, Choice, Guidance, Limits, Noise, Question, Searcher, Settings, Verdict};
use crate::vertex::{Move, Vertex};

/// Memory of a game's search trees.
const MEMORY: usize = 16 << 20;
/// Concentration of the noise, all moves together (Wu 2019).
const CONCENTRATION: f32 = 10.83;
/// Moves after which a game is counted as it stands: so many for each point, and so many more.
const MOST_PER_POINT: usize = 5;
const MOST_BEYOND: usize = 50;
/// Of visits that a pass gets late in a game whatever it is worth, one in so many of the root's.
const PASS_SHARE: u32 = 32;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The network; playouts alone decide without one.
    pub guidance: Option<Guidance>,
    /// The rules: area, as it stands.
    pub rules: Ruleset,
    /// Playouts of a recorded move.
    pub playouts: u64,
    /// Visits of the others.
    pub quick_playouts: u64,
    /// Share of the moves that are recorded.
    pub recorded: f64,
    /// Share of noise at the root of those.
    pub noise: f64,
    /// First moves that are drawn.
    pub drawn_moves: usize,
    /// They are drawn in proportion to visits^(1/temperature).
    pub temperature: f64,
    /// Random moves at the start at most.
    pub random_moves: u32,
    /// Chance to win below which a player gives up.
    pub resign_below: f64,
    /// Share of the games in which nobody does.
    pub played_out: f64,
}

/// A game that was played, and its rows.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves in turn, Black first.
    pub moves: Vec<Move>,
    /// How many of them were given.
    pub begun: usize,
    /// How many of those that follow were random.
    pub random: usize,
    /// What Black won by, in points, komi included; `None` where somebody gave up.
    pub margin: Option<Points>,
    /// Who won.
    pub winner: Option<Color>,
    /// The recorded positions.
    pub rows: Vec<Row>,
}

/// Whether something of this chance happens.
fn happens(chance: &mut Chance, share: f64) -> bool {
    (chance.below(1 << 24) as f64) < share * f64::from(1 << 24)
}

impl Plan {
    /// Plays a game that begins with moves of another, as far as the rules allow them.
    pub fn play<B: Board>(
        &self,
        board: B,
        komi: Points,
        given: &[Move],
        chance: &mut Chance,
    ) -> Played {
        let mut game = Game::new(board, self.rules.clone(), komi, Color::BLACK);
        let allowed = |&&mv: &&Move| game.play(game.to_move(), mv).is_ok();
        let begun = given.iter().take_while(allowed).count();
        let mut searcher = Searcher::new(Settings {
            threads: 1,
            seed: chance.word(),
            memory: MEMORY,
            style: Style::Tactical,
            guidance: self.guidance.clone(),
        });
        let mut view = View::new();
        let random = chance.below(self.random_moves as usize + 1);
        let resign_below = if happens(chance, self.played_out) {
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
            if number < random
                && let Some(mv) = random_move(&game, color, chance)
            {
                if game.play(color, mv).is_err() {
                    break;
                }
                random_moves += 1;
                continue;
            }
            let records = happens(chance, self.recorded);
            let verdict = self.search(&mut searcher, &game, color, records);
            let by = Instant::now() + search::JUDGED_IN;
            let lost = search::is_lost(&game, &verdict, resign_below);
            let resigns = lost_turns.note(&game, color, lost);
            let mv = match search::decide(&game, color, &verdict, by) {
                Choice::Move(mv) if !resigns || mv == Move::Pass => mv,
                Choice::Move(_) | Choice::Resign => {
                    resigned = Some(color);
                    break;
                }
            };
            let decided = verdict.best().is_none_or(|best| best.mv != mv);
            let mv = if decided || number >= self.drawn_moves {
                mv
            } else {
                self.draw(&verdict, chance).unwrap_or(mv)
            };
            if records {
                let points = game.board().points();
                let place = |mv: Move| mv.vertex().map_or(points, Vertex::index);
                let mut shares = shares(&verdict, place);
                if decided || shares.is_empty() {
                    // What ends a game well, or what is the only thing to do, is no matter of visits.
                    shares = vec![(place(mv), 1.0)];
                }
                let row = Row {
                    planes: view.of(&game, color),
                    komi: komi_input(komi, color),
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
            None => margin(&game),
        };
        let winner = match (resigned, margin) {
            (Some(loser), _) => Some(loser.other()),
            (None, Some(margin)) if margin > Points::ZERO => Some(Color::BLACK),
            (None, Some(margin)) if margin < Points::ZERO => Some(Color::WHITE),
            (None, _) => None,
        };
        let owners = margin.map(|_| owners(game.board()));
        let told = |(color, row): (Color, Row)| {
            let black = if color == Color::BLACK { 1 } else { -1 };
            let owned = |owner: &Option<Color>| match *owner {
                None => 0,
                Some(owner) if owner == color => 100,
                Some(_) => -100,
            };
            Row {
                won: winner.map(|winner| winner == color),
                score: margin.map(|margin| margin.halves() * black),
                ownership: owners.as_ref().map(|all| all.iter().map(owned).collect()),
                ..row
            }
        };
        Played {
            moves,
            begun,
            random: random_moves,
            margin,
            winner,
            rows: rows.into_iter().map(told).collect(),
        }
    }

    /// Searches the position, well where it is recorded.
    fn search<B: Board>(
        &self,
        searcher: &mut Searcher,
        game: &Game<B>,
        to_move: Color,
        records: bool,
    ) -> Verdict {
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
            // A tree that was grown for another purpose would put its visits where nobody asked for them.
            searcher.forget();
        }
        let noise = Noise {
            share: self.noise as f32,
            concentration: CONCENTRATION,
        };
        let question = Question {
            to_move,
            limits,
            start: Instant::now(),
            restrictions: &[],
            noise: (records && self.noise > 0.0).then_some(noise),
            dynamic_komi: false,
            ends_if_forced: true,
        };
        searcher.answer(game, question, &AtomicBool::new(false), None)
    }

    /// Draws a placement by its visits.
    fn draw(&self, verdict: &Verdict, chance: &mut Chance) -> Option<Move> {
        let placements = verdict.candidates.iter();
        let open =
            |c: &&search::Candidate| c.visits > 0 && c.mv != Move::Pass && c.proof != Proof::Loss;
        let most = f64::from(verdict.candidates.first()?.visits.max(1));
        let weight =
            |c: &search::Candidate| (f64::from(c.visits) / most).powf(1.0 / self.temperature);
        let weighted: Vec<(Move, f64)> =
            placements.filter(open).map(|c| (c.mv, weight(c))).collect();
        let all: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let mut left = chance.below(1 << 24) as f64 / f64::from(1 << 24) * all;
        for &(mv, weight) in &weighted {
            if left < weight {
                return Some(mv);
            }
            left -= weight;
        }
        weighted.last().map(|&(mv, _)| mv)
    }
}

/// A random placement.
fn random_move<B: Board>(game: &Game<B>, color: Color, chance: &mut Chance) -> Option<Move> {
    let mut moves = game.legal_moves(color);
    moves.retain(|&mv| mv != Move::Pass);
    moves.get(chance.below(moves.len())).copied()
}

/// How a search spread its visits, the largest share first; `place` numbers moves.
fn shares(verdict: &Verdict, place: impl Fn(Move) -> usize) -> Vec<(usize, f32)> {
    let tried = verdict.visits / PASS_SHARE + 1;
    let best = verdict.best().map(|best| best.mv);
    let counted = |c: &&search::Candidate| {
        // A pass that is merely tried, as every pass is late in a game, says nothing.
        c.visits > 0 && (c.mv != Move::Pass || c.visits > tried || best == Some(Move::Pass))
    };
    let mut visits: Vec<(usize, u32)> = verdict
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

/// What Black wins by in the present position.
fn margin<B: Board>(game: &Game<B>) -> Option<Points> {
    match game.scores(&[]).ok()?.as_slice() {
        &[black, white] => Some(black - white),
        _ => None,
    }
}

/// Who owns each point of the position as area counts it: stones their points, empty regions whoever alone borders on them.
pub fn owners<B: Board>(board: &B) -> Vec<Option<Color>> {
    let mut owners: Vec<Option<Color>> = (0..board.points())
        .map(|point| board.at(Vertex::at(point)))
        .collect();
    let mut seen = vec![false; board.points()];
    for start in (0..board.points()).map(Vertex::at) {
        if board.at(start).is_some() || seen[start.index()] {
            continue;
        }
        let (mut region, mut borders) = (vec![start], Vec::new());
        seen[start.index()] = true;
        let mut next = 0;
        while let Some(&point) = region.get(next) {
            next += 1;
            for near in board.around(point) {
                match board.at(near) {
                    Some(color) => borders.push(color),
                    None if !seen[near.index()] => {
                        seen[near.index()] = true;
                        region.push(near);
                    }
                    None => {}
                }
            }
        }
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
