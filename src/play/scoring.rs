//! End of a game: dead stones on which the players agree, and the result.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::board::asks;
use super::room::{Ended, Room};
use super::state::{by_color, number, position_text};
use crate::color::Color;
use crate::engine::{Engine, Status};
use crate::graph::Graph;
use crate::notation::vertex_list;
use crate::points::Points;
use crate::vertex::Vertex;

/// Marks of dead stones.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoring {
    dead: BTreeSet<Vertex>,
    /// The engine's own judgment.
    judged: BTreeSet<Vertex>,
    seki: Vec<Vertex>,
    /// Stones that cannot be captured.
    locked: BTreeSet<Vertex>,
    accepted: BTreeSet<Color>,
    scores: Vec<Points>,
    owners: Vec<Option<Color>>,
    result: String,
    /// Reason why the engine does not accept the marks.
    objection: Option<String>,
}

/// Maximum difference of any score from the engine's judgment at which it accepts, in half points.
const TOLERANCE: Points = Points::from_halves(1);

impl Scoring {
    /// Returns the engine's judgment of its position.
    fn of(engine: &Engine) -> Scoring {
        let mut scoring = Scoring::default();
        for (status, stones) in engine.judged_chains() {
            match status {
                Status::Dead => scoring.judged.extend(stones),
                Status::Seki => scoring.seki.extend(stones),
                Status::Alive => {}
            }
        }
        for color in Color::all(engine.rules().colors) {
            let chains = engine.unconditional_life(color).unwrap_or_default();
            scoring.locked.extend(chains.into_iter().flatten());
        }
        scoring.dead = scoring.judged.clone();
        scoring.count(engine);
        scoring
    }

    fn agreed(&self, engine: &Engine, dead: &BTreeSet<Vertex>) -> Option<(Vec<Points>, String)> {
        let dead: Vec<Vertex> = dead.iter().copied().collect();
        let seki = self.seki.iter().copied();
        let seki: Vec<Vertex> = seki.filter(|v| !dead.contains(v)).collect();
        let (scores, outcome) = engine.agreed(&dead, &seki).ok()?;
        Some((scores, outcome.to_string()))
    }

    /// Counts the position with the present marks.
    fn count(&mut self, engine: &Engine) {
        if let Some((scores, result)) = self.agreed(engine, &self.dead) {
            (self.scores, self.result) = (scores, result);
        }
        self.owners = owners(&engine.goban().graph, &engine.stones(), &self.dead);
    }

    /// Marks the chain of a stone. With it go the chains of its color in the same region, unless
    /// `alone`. Returns false if there is no stone, or it cannot be captured.
    fn mark(&mut self, engine: &Engine, vertex: Vertex, dead: Option<bool>, alone: bool) -> bool {
        let stones = engine.stones();
        let at = |v: Vertex| stones.get(v.index()).copied().flatten();
        let Some(color) = at(vertex).filter(|_| !self.locked.contains(&vertex)) else {
            return false;
        };
        let dies = dead.unwrap_or(!self.dead.contains(&vertex));
        let before = self.dead.clone();
        let passes = |v: Vertex| match at(v) {
            Some(other) if other == color => true,
            // Living stones of others bound a region.
            Some(_) => !alone && before.contains(&v),
            None => !alone,
        };
        for v in reach(&engine.goban().graph, vertex, passes) {
            if at(v) == Some(color) && !self.locked.contains(&v) {
                match dies {
                    true => self.dead.insert(v),
                    false => self.dead.remove(&v),
                };
            }
        }
        self.accepted.clear();
        self.objection = None;
        self.count(engine);
        true
    }

    /// Returns true if the engine accepts the marks, and keeps its objection otherwise.
    fn suits(&mut self, engine: &Engine) -> bool {
        let Some((judged, _)) = self.agreed(engine, &self.judged) else {
            return true;
        };
        let differs = |(a, b): (&Points, &Points)| *a - *b > TOLERANCE || *b - *a > TOLERANCE;
        if !self.scores.iter().zip(&judged).any(differs) {
            return true;
        }
        let goban = engine.goban();
        let other = |a: &BTreeSet<Vertex>, b: &BTreeSet<Vertex>| {
            vertex_list(goban, a.difference(b).copied().take(8))
        };
        let alive = other(&self.dead, &self.judged);
        let dead = other(&self.judged, &self.dead);
        let claims = [(alive, "alive"), (dead, "dead")];
        let claims = claims.iter().filter(|(list, _)| !list.is_empty());
        let claims: Vec<String> = claims.map(|(list, how)| format!("{list} {how}")).collect();
        self.objection = Some(format!("the engine holds {}", claims.join(" and ")));
        false
    }

    /// Returns the keys of `scoring`.
    pub(super) fn describe(&self, room: &Room) -> Value {
        let names = &room.engine().goban().names;
        let list = |vertices: &BTreeSet<Vertex>| -> Vec<String> {
            vertices.iter().map(|&v| names.alias(v)).collect()
        };
        let accepted: Vec<String> = self.accepted.iter().map(Color::to_string).collect();
        json!({
            "dead": list(&self.dead),
            "locked": list(&self.locked),
            "owners": position_text(&self.owners),
            "scores": by_color(self.scores.iter().copied().map(number)),
            "result": self.result,
            "accepted": accepted,
            "objection": self.objection,
        })
    }
}

/// Returns the vertices that can be reached from `start`.
fn reach(graph: &Graph, start: Vertex, passes: impl Fn(Vertex) -> bool) -> Vec<Vertex> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(v) = open.pop() {
        for &next in graph.neighbors(v) {
            if !seen.contains(&next) && passes(next) {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    seen.into_iter().collect()
}

/// Returns the color that each vertex counts for: that of its living stone, or the only color whose
/// living stones border its region.
pub(super) fn owners(
    graph: &Graph,
    stones: &[Option<Color>],
    dead: &BTreeSet<Vertex>,
) -> Vec<Option<Color>> {
    let living = |v: Vertex| {
        let stone = stones.get(v.index()).copied().flatten();
        stone.filter(|_| !dead.contains(&v))
    };
    let mut owners: Vec<Option<Color>> = graph.all().map(living).collect();
    let mut seen = BTreeSet::new();
    for start in graph.all() {
        if living(start).is_some() || seen.contains(&start) {
            continue;
        }
        let region = reach(graph, start, |v| living(v).is_none());
        let around = region.iter().flat_map(|&v| graph.neighbors(v));
        let colors: BTreeSet<Color> = around.filter_map(|&v| living(v)).collect();
        let owner = colors.first().copied().filter(|_| colors.len() == 1);
        for v in region {
            seen.insert(v);
            if let Some(slot) = owners.get_mut(v.index()) {
                *slot = owner;
            }
        }
    }
    owners
}

impl Room {
    /// Ends the game at the current node: players agree on dead stones, or the position counts as
    /// it is.
    pub(super) fn finish(&mut self) {
        let engine = self.engine();
        let mut ended = Ended {
            scores: engine.scores().ok(),
            ..Ended::default()
        };
        if asks(engine.rules()) {
            ended.scoring = Some(Scoring::of(engine));
        } else {
            ended.settled = true;
            ended.result = engine.outcome().ok().map(|outcome| outcome.to_string());
        }
        let node = self.record.tree.current();
        self.ends.insert(node, ended);
        if Color::all(self.players.len()).all(|color| self.is_engine(color)) {
            self.accept(None);
        }
    }

    /// Marks dead stones. Returns false if there is nothing to mark.
    pub(super) fn mark(&mut self, vertex: Vertex, dead: Option<bool>, alone: bool) -> bool {
        let node = self.record.tree.current();
        let engine = &self.session.engine;
        let ended = self.ends.get_mut(&node).filter(|ended| !ended.settled);
        let scoring = ended.and_then(|ended| ended.scoring.as_mut());
        scoring.is_some_and(|scoring| scoring.mark(engine, vertex, dead, alone))
    }

    /// Accepts the marks for a color, or for all persons, and settles the result once everybody
    /// has accepted.
    pub(super) fn accept(&mut self, color: Option<Color>) {
        let colors = Color::all(self.players.len());
        let (engines, persons): (Vec<Color>, Vec<Color>) =
            colors.partition(|&color| self.is_engine(color));
        let node = self.record.tree.current();
        let engine = &self.session.engine;
        let Some(ended) = self.ends.get_mut(&node) else {
            return;
        };
        let Some(scoring) = &mut ended.scoring else {
            return;
        };
        match color {
            Some(color) => scoring.accepted.extend([color]),
            None => scoring.accepted.extend(persons.iter().copied()),
        }
        if !engines.is_empty() && scoring.suits(engine) {
            scoring.accepted.extend(engines.iter().copied());
        }
        let everybody = engines.iter().chain(&persons);
        if everybody
            .into_iter()
            .all(|color| scoring.accepted.contains(color))
        {
            ended.settled = true;
            ended.result = Some(scoring.result.clone());
            ended.scores = Some(scoring.scores.clone());
        }
    }

    /// Returns the answer of `score`: the count of the position as if the game ended here.
    pub(super) fn estimate(&self) -> Result<Value, String> {
        let engine = self.engine();
        let names = &engine.goban().names;
        if asks(engine.rules()) {
            return Ok(Scoring::of(engine).describe(self));
        }
        let scores = engine.scores().map_err(|e| e.to_string())?;
        let result = engine.outcome().map_err(|e| e.to_string())?.to_string();
        let owners = owners(&engine.goban().graph, &engine.stones(), &BTreeSet::new());
        let judged = engine.chains_with_status(Status::Dead);
        let judged: Vec<String> = judged.iter().flatten().map(|&v| names.alias(v)).collect();
        Ok(json!({
            "dead": [],
            "judged": judged,
            "owners": position_text(&owners),
            "scores": by_color(scores.into_iter().map(number)),
            "result": result,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::graph::spec::Spec;
    use crate::notation::read_position;
    use crate::rules::{Points, presets};

    fn engine(spec: &str, position: &str) -> Engine {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let options = Options {
            playouts: Some(20),
            memory_mib: 16,
            ..Options::default()
        };
        let position = read_position(&goban, 2, position).unwrap();
        let mut engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
        engine.set_position(&position, Some(Color::BLACK));
        engine
    }

    #[test]
    fn marks_take_the_chains_of_the_region_and_counting_follows() {
        // A wall of White, and two single black stones on its right.
        let engine = engine("grid:5x3", ".XO.X.XO...XOX.");
        let mut scoring = Scoring::of(&engine);
        scoring.dead.clear();
        scoring.count(&engine);
        let stone = |name: &str| engine.goban().names.find(name).unwrap();
        assert!(scoring.mark(&engine, stone("E1"), Some(true), false));
        let dead: Vec<Vertex> = scoring.dead.iter().copied().collect();
        assert_eq!(dead, [stone("E1"), stone("D3")]);
        assert_eq!(position_text(&scoring.owners), "XXOOOXXOOOXXOOO");
        assert_eq!(scoring.result, "W+3");
        assert!(scoring.mark(&engine, stone("E1"), None, true));
        assert_eq!(scoring.dead.len(), 1, "the chain alone");
        assert!(!scoring.mark(&engine, stone("E2"), None, true), "no stone");
    }

    #[test]
    fn the_engine_objects_to_false_marks() {
        let engine = engine("grid:5x3", ".XO...XO...XO..");
        let mut scoring = Scoring::of(&engine);
        assert!(scoring.suits(&engine));
        let stone = engine.goban().names.find("B1").unwrap();
        assert!(scoring.mark(&engine, stone, Some(true), true));
        assert!(!scoring.suits(&engine));
        let objection = scoring.objection.clone().unwrap();
        assert!(
            objection.contains("B1") && objection.contains("alive"),
            "{objection}"
        );
    }
}
