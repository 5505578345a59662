//! Games of a match file, whose lines have settings in the place of the keys of a record.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{GameError, GraphGame, color, goban, komi, no_vertex, read_tree, rules, wrong};
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::vertex::Move;

/// Keys of a game of a match, which is a line of the match file.
#[derive(Deserialize)]
pub(super) struct MatchKeys<'a> {
    settings: MatchSettings,
    first: String,
    /// Komi of this game, if each opening has its own.
    #[serde(default)]
    komi: Option<f64>,
    moves: Vec<String>,
    /// Variations that a review has added.
    #[serde(borrow, default)]
    tree: Option<&'a RawValue>,
    result: String,
}

#[derive(Deserialize)]
struct MatchSettings {
    graph: String,
    ruleset: String,
    komi: String,
    #[serde(default)]
    handicap: u32,
}

impl MatchKeys<'_> {
    /// Returns the game.
    ///
    /// # Errors
    /// If a key has an invalid value.
    pub(super) fn game(self, present: Option<&Goban>) -> Result<GraphGame, GameError> {
        let mut warnings = Vec::new();
        let goban = goban(&self.settings.graph, None, present)?;
        let (rules, _) = rules(&self.settings.ruleset, None, &mut warnings)?;
        let first = color("first", &self.first, &rules)?;
        let mut player = first;
        let mut moves = Vec::with_capacity(self.moves.len());
        for word in &self.moves {
            let mv = if word == "pass" {
                Some(Move::Pass)
            } else {
                goban.names.find(word).map(Move::Place)
            };
            moves.push((player, mv.ok_or_else(|| no_vertex(word))?));
            player = player.next(rules.colors);
        }
        let komi = match self.komi {
            Some(points) => komi(&points.to_string())?,
            None => komi(&self.settings.komi)?,
        };
        let stones = self.settings.handicap;
        let places = handicap::given(&goban, stones as usize).ok_or_else(|| {
            wrong(
                "handicap",
                &stones.to_string(),
                "a number of stones that fits on the board",
            )
        })?;
        Ok(GraphGame {
            tree: read_tree(self.tree, &goban, &rules)?,
            komi,
            start: handicap::start(&goban, &places),
            handicap: stones,
            goban,
            rules,
            first,
            moves,
            result: Some(self.result),
            warnings,
        })
    }
}
