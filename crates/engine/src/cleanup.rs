//! Operations around the end of a game: ownership, captured stones, and removal of dead stones.

use std::time::{Duration, Instant};

use super::point_map::PointMap;
use super::{Analysis, AnalysisRequest, Choice, Engine};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::game::{Agreement, Outcome, ScoreError};
use omnigo_core::rules::{DeadStones, End, Points, Ruleset, Scoring};
use omnigo_graph::goban::Goban;
use omnigo_search::{MAX_JUDGE_TIME, Ownership, Restriction, Status};

/// Number of playouts behind an ownership estimate.
const SAMPLES: usize = 256;
/// Minimum absolute mean ownership, 0 to 1, at which an empty point counts as settled.
const SETTLED: f64 = 0.9;

/// Work left after all players have passed.
#[derive(Debug, Default)]
struct LeftToDo {
    /// Dead stones of the other players.
    dead: Vec<Vertex>,
    /// Placements on empty points whose owner is not settled.
    open: Vec<Move>,
    /// Placements to avoid: liberties of seki chains, unless they touch a dead stone.
    seki: Vec<Move>,
}

impl Engine {
    /// Returns true if the game is over: it ended by passes, or the rules end it because the player
    /// to move has no legal move.
    pub fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// Returns the scores and the result if the players agree that exactly the stones in `dead` are
    /// dead, and those in `seki` in seki. Both list vertices.
    ///
    /// # Errors
    /// If no points are counted and the player to move has a legal move.
    pub fn agreed(
        &self,
        dead: &[Vertex],
        seki: &[Vertex],
    ) -> Result<(Vec<Points>, Outcome), ScoreError> {
        let points = |vertices: &[Vertex]| -> Vec<Vertex> {
            match self.point_map {
                PointMap::Placements(_) => vertices.to_vec(),
                PointMap::Same => {
                    let covered = vertices.iter().flat_map(|&v| self.goban.covered(v));
                    let mut points: Vec<Vertex> = covered.collect();
                    points.sort_unstable();
                    points.dedup();
                    points
                }
            }
        };
        let agreement = Agreement {
            dead: points(dead),
            seki: points(seki),
        };
        let scores = self.game.scores(&agreement)?;
        Ok((scores, self.game.outcome(&agreement)?))
    }

    /// Returns the number of stones that each color has captured, under any ruleset.
    pub fn captured(&self) -> Vec<i64> {
        Color::all(self.rules().colors)
            .map(|color| self.game.captured(color))
            .collect()
    }

    /// Returns the color of the stone at each vertex. Where a stone covers several points, it is
    /// present if all of them have its color.
    pub fn stones(&self) -> Vec<Option<Color>> {
        stones(&self.goban, &self.position())
    }

    /// Returns the ownership of each vertex by playouts from the position, from -1 (surely another
    /// color's) to 1 (surely `color`'s). In a finished game, chains count as they are judged.
    ///
    /// The result is the same every time, unless the time limit [`MAX_JUDGE_TIME`] cuts the
    /// playouts short.
    pub fn ownership(&self, color: Color) -> Vec<f64> {
        let begun = Instant::now();
        let settled = self.game.settled_ownership(begun + MAX_JUDGE_TIME / 2);
        let owners = settled.unwrap_or_else(|| self.game.sample(SAMPLES, begun + MAX_JUDGE_TIME));
        self.ownership_of_vertices(color, &owners)
    }

    fn ownership_of_vertices(&self, color: Color, owners: &Ownership) -> Vec<f64> {
        let share = |point: Vertex| {
            let own = owners.share(point, color);
            own - others(owners, point, color, self.rules().colors)
        };
        self.goban
            .graph
            .all()
            .map(|vertex| {
                let points = match self.point_map {
                    // The game has one point per placement.
                    PointMap::Placements(_) => vec![vertex],
                    PointMap::Same => self.goban.covered(vertex),
                };
                let sum: f64 = points.iter().map(|&point| share(point)).sum();
                sum / points.len().max(1) as f64
            })
            .collect()
    }

    /// Chooses and plays a move as [`Engine::genmove_watched`] does, but captures all dead stones
    /// before it passes. Afterwards all stones on the board count as alive. A game that ended by
    /// passes continues.
    ///
    /// Judging the position takes at most half of the time for the move, and the search the rest.
    pub fn genmove_cleanup(
        &mut self,
        request: &AnalysisRequest,
        report: &mut dyn FnMut(&Analysis<'_>, bool),
    ) -> Choice {
        let start = Instant::now();
        let rules = self.rules().clone();
        match rules.end {
            // This ending counts no points, so no dead stones have to be removed.
            End::Stuck => return self.genmove_watched(request, report),
            End::Passes => {}
        }
        self.game.resume();
        let time = self.limits_for(request).time;
        let left = self.left_to_clean_up(request.color, start, time);
        if left.dead.is_empty() && left.open.is_empty() {
            return self.make(request.color, Choice::Move(Move::Pass), start);
        }
        let mut request = request.clone();
        // Without dead stones, play only where the owner is unsettled, or pass. Otherwise score by
        // area and avoid seki, so that the search captures.
        let restriction = if left.dead.is_empty() {
            let moves = left.open.iter().copied().chain([Move::Pass]);
            Restriction::new(request.color, moves.collect(), true, 1)
        } else {
            self.game.set_rules(as_it_stands(&rules));
            Restriction::new(request.color, left.seki, false, 1)
        };
        request.restrictions.push(restriction);
        // A player who cleans up never resigns.
        let resign_below = std::mem::replace(&mut self.options.resign_below, 0.0);
        let choice = self.genmove_since(start, &request, report);
        self.options.resign_below = resign_below;
        self.game.set_rules(rules);
        choice
    }

    /// Returns the work left for `color` after the game has ended by passes.
    ///
    /// Judging chains may last until 1/4 of the move time from `start`, and sampling owners until
    /// 1/2. Without a time limit, each gets [`MAX_JUDGE_TIME`].
    fn left_to_clean_up(&self, color: Color, start: Instant, time: Option<Duration>) -> LeftToDo {
        let deadline = |part: u32| match time {
            Some(time) => start + time / part,
            None => Instant::now() + MAX_JUDGE_TIME,
        };
        let graph = &self.goban.graph;
        let position = self.stones();
        let mut left = LeftToDo::default();
        let mut beside_dead = vec![false; graph.vertices()];
        let mut beside_seki = vec![false; graph.vertices()];
        for (status, stones) in self.judged_chains_by(deadline(4)) {
            let beside = match status {
                Status::Dead => &mut beside_dead,
                Status::Seki => &mut beside_seki,
                Status::Alive => continue,
            };
            for stone in stones {
                let owner = position.get(stone.index()).copied().flatten();
                if status == Status::Dead && owner == Some(color) {
                    continue;
                }
                if status == Status::Dead {
                    left.dead.push(stone);
                }
                for &near in graph.neighbors(stone) {
                    beside[near.index()] = true;
                }
            }
        }
        let sampled = self.game.sample(SAMPLES, deadline(2));
        let owners = self.ownership_of_vertices(color, &sampled);
        for vertex in graph.all().filter(|v| position[v.index()].is_none()) {
            let at = vertex.index();
            if beside_seki[at] && !beside_dead[at] {
                left.seki.push(Move::Place(vertex));
            } else if owners[at].abs() < SETTLED {
                left.open.push(Move::Place(vertex));
            }
        }
        left
    }
}

/// Returns the rules without agreement about dead stones and with all stones on the board counted.
fn as_it_stands(rules: &Ruleset) -> Ruleset {
    Ruleset {
        dead: DeadStones::None,
        scoring: match rules.scoring {
            Scoring::Territory => Scoring::Area,
            other @ (Scoring::Area | Scoring::Stones | Scoring::None) => other,
        },
        ..rules.clone()
    }
}

/// Returns the fraction of playouts in which a color other than `color` owned the point.
fn others(sampled: &Ownership, point: Vertex, color: Color, colors: usize) -> f64 {
    Color::all(colors)
        .filter(|&other| other != color)
        .map(|other| sampled.share(point, other))
        .sum()
}

/// Returns the color of the stone at each vertex in a position of the goban.
fn stones(goban: &Goban, position: &[Option<Color>]) -> Vec<Option<Color>> {
    goban
        .graph
        .all()
        .map(|vertex| {
            let covered = goban.covered(vertex);
            let mut colors = covered
                .iter()
                .map(|point| position.get(point.index()).copied().flatten());
            let first = colors.next().flatten();
            first.filter(|_| colors.all(|color| color == first))
        })
        .collect()
}
