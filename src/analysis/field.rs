//! Parsing of query fields: shared helpers and lists.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::problem::{FieldWarning, QueryError};
use crate::color::Color;
use crate::engine::Restriction;
use crate::graph::goban::Goban;
use crate::notation::{move_text, read_move};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

/// Reads a field of an object with `read`. Returns `None` if it is missing or null.
///
/// # Errors
/// If `read` returns `None`. The message quotes the value and `expected`.
pub(super) fn get<T>(
    object: &Map<String, Value>,
    name: &str,
    expected: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, QueryError> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match read(value) {
            Some(read) => Ok(Some(read)),
            None => {
                let problem = format!("{}, expected {expected}", quote(&value.to_string()));
                Err(QueryError::field(name, &problem))
            }
        },
    }
}

/// Returns the color of this name, or `None` if it is not among the first `colors` colors.
pub(super) fn color(text: &str, colors: usize) -> Option<Color> {
    let color = text.parse::<Color>().ok()?;
    (color.index() < colors).then_some(color)
}

/// Example of a list of moves, for error messages.
pub(super) const PLAYED: &str = "a list like [[\"B\",\"D4\"]]";

/// Reads a field with a list of moves, each given as player and vertex.
pub(super) fn played(
    goban: &Goban,
    colors: usize,
    object: &Map<String, Value>,
    name: &str,
) -> Result<Option<Vec<(Color, Move)>>, QueryError> {
    let entries = get(object, name, PLAYED, |value| value.as_array().cloned())?;
    let one = |(number, entry): (usize, &Value)| {
        let wrong = |value: &Value, expected: &str| {
            let value = quote(&value.to_string());
            let problem = format!("number {number}: {value}, expected {expected}");
            QueryError::field(name, &problem)
        };
        let pair = entry.as_array().map(Vec::as_slice);
        let Some([player, place]) = pair else {
            return Err(wrong(entry, "a pair like [\"B\",\"D4\"]"));
        };
        let player_read = player.as_str().and_then(|text| color(text, colors));
        let place_read = place_of(goban, place);
        match (player_read, place_read) {
            (Some(player), Some(place)) => Ok((player, place)),
            (None, _) => Err(wrong(player, "a color of the game, such as \"B\"")),
            (_, None) => Err(wrong(place, "a vertex of this board or \"pass\"")),
        }
    };
    let read = |entries: Vec<Value>| entries.iter().enumerate().map(one).collect();
    entries.map(read).transpose()
}

/// Reads a vertex by any of its names, or a pass.
fn place_of(goban: &Goban, value: &Value) -> Option<Move> {
    let text = value.as_str()?;
    read_move(goban, text).or_else(|| place_at(goban, text).map(Move::Place))
}

/// Returns the vertex of a text such as `(0,13)`: the column from the left and the row from the top
/// of the alias grid.
fn place_at(goban: &Goban, text: &str) -> Option<Vertex> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let (column, row) = inner.split_once(',')?;
    let row: usize = row.trim().parse().ok()?;
    let from_below = goban.names.height().checked_sub(row.checked_add(1)?)?;
    goban
        .names
        .vertex_at(column.trim().parse().ok()?, from_below)
}

/// Returns the position with only these stones.
pub(super) fn position(
    goban: &Goban,
    stones: &[(Color, Move)],
) -> Result<Vec<Option<Color>>, QueryError> {
    let mut position = vec![None; goban.points()];
    for (number, &(color, mv)) in stones.iter().enumerate() {
        let covered: Vec<Vertex> = mv.vertex().map_or_else(Vec::new, |at| goban.covered(at));
        if covered.is_empty() {
            return Err(QueryError::field(
                "initialStones",
                "contains a pass, expected stones",
            ));
        }
        for point in covered {
            let place = position.get_mut(point.index());
            if place.is_some_and(|place| place.replace(color).is_some()) {
                let text = move_text(goban, mv);
                let problem = format!(
                    "number {number}: {text} is already covered, expected stones that do not overlap"
                );
                return Err(QueryError::field("initialStones", &problem));
            }
        }
    }
    Ok(position)
}

/// Returns the requested turns, each with its priority. The default is the position after the last
/// move.
pub(super) fn turns(
    object: &Map<String, Value>,
    moves: usize,
) -> Result<Vec<(usize, i64)>, QueryError> {
    let list = |value: &Value| value.as_array().cloned();
    let priority = get(object, "priority", "a whole number", Value::as_i64)?.unwrap_or(0);
    let whole = |value: &Value| value.as_array()?.iter().map(Value::as_i64).collect();
    let priorities: Option<Vec<i64>> = get(object, "priorities", "a list of whole numbers", whole)?;
    let Some(turns) = get(object, "analyzeTurns", "a list of turns", list)? else {
        if priorities.is_some() {
            let problem = "given without analyzeTurns, expected priority";
            return Err(QueryError::field("priorities", problem));
        }
        return Ok(vec![(moves, priority)]);
    };
    if turns.is_empty() {
        let problem = "empty, expected at least one turn";
        return Err(QueryError::field("analyzeTurns", problem));
    }
    if let Some(list) = &priorities
        && list.len() != turns.len()
    {
        let (given, turns) = (list.len(), turns.len());
        let problem = format!("{given} priorities, expected one for each of the {turns} turns");
        return Err(QueryError::field("priorities", &problem));
    }
    let mut read = Vec::with_capacity(turns.len());
    // Answer a repeated turn only once, because clients count the answers.
    let mut seen = HashSet::new();
    for (number, value) in turns.iter().enumerate() {
        let turn = value.as_u64().and_then(|turn| usize::try_from(turn).ok());
        let turn = turn.filter(|&turn| turn <= moves).ok_or_else(|| {
            let value = quote(&value.to_string());
            let problem = format!("{value}, expected turns from 0 to {moves}");
            QueryError::field("analyzeTurns", &problem)
        })?;
        let own = priorities
            .as_ref()
            .and_then(|list| list.get(number).copied());
        if seen.insert(turn) {
            read.push((turn, own.unwrap_or(priority)));
        }
    }
    Ok(read)
}

/// Reads the moves to avoid, and the moves to which the search is limited. Adds a warning about
/// each unknown key.
///
/// # Errors
/// If a list is malformed, or if the search cannot follow all of them.
pub(super) fn restrictions(
    goban: &Goban,
    colors: usize,
    object: &Map<String, Value>,
    warnings: &mut Vec<FieldWarning>,
) -> Result<Vec<Restriction>, QueryError> {
    const KEYS: [&str; 3] = ["player", "moves", "untilDepth"];
    const EXPECTED: &str = "a list like [{\"player\":\"B\",\"moves\":[\"D4\"],\"untilDepth\":1}]";
    let mut all = Vec::new();
    for (name, only) in [("avoidMoves", false), ("allowMoves", true)] {
        let one = |value: &Value| {
            let moves = value.get("moves")?.as_array()?.iter();
            let moves: Vec<Move> = moves.map(|v| place_of(goban, v)).collect::<Option<_>>()?;
            let color = color(value.get("player")?.as_str()?, colors)?;
            let depth = usize::try_from(value.get("untilDepth")?.as_u64()?).ok()?;
            if depth == 0 || only && moves.is_empty() {
                return None;
            }
            Some(Restriction::new(color, moves, only, depth))
        };
        let list = |value: &Value| {
            value
                .as_array()?
                .iter()
                .map(one)
                .collect::<Option<Vec<_>>>()
        };
        all.extend(get(object, name, EXPECTED, list)?.unwrap_or_default());
        let items = object
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let keys = items.filter_map(Value::as_object).flat_map(Map::keys);
        let unknown: BTreeSet<&String> = keys.filter(|key| !KEYS.contains(&key.as_str())).collect();
        for key in unknown {
            let problem = format!("'{}' is unknown, ignored", quote(key));
            warnings.push(FieldWarning::new(name, problem));
        }
    }
    if !Restriction::fit_together(&all) {
        const FEW: &str = "cannot be combined with another item of allowMoves or avoidMoves, \
                           expected one item of allowMoves, or any number of items of avoidMoves";
        return Err(QueryError::field("allowMoves", FEW));
    }
    Ok(all)
}
