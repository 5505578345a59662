//! The message `state`: the current position of a game.

use serde_json::{Map, Value, json};

use super::room::{Phase, Room};
use super::{link, players};
use crate::color::Color;
use crate::game::IllegalMove;
use crate::notation::move_text;
use crate::points::Points;
use crate::vertex::{Move, Vertex};

/// Returns a number of points for JSON.
pub(super) fn number(points: Points) -> Value {
    // The text of a number of points is always a number.
    let number: f64 = points.to_string().parse().unwrap_or_default();
    json!(number)
}

/// Returns one character for each point or vertex.
pub(super) fn position_text(points: &[Option<Color>]) -> String {
    let symbol = |point: &Option<Color>| point.map_or('.', Color::symbol);
    points.iter().map(symbol).collect()
}

/// Returns an object from color to number.
pub(super) fn by_color(values: impl IntoIterator<Item = Value>) -> Value {
    let names = Color::all(Color::MAX).map(|color| color.to_string());
    Value::Object(names.zip(values).collect())
}

/// Returns the word for a reason in messages.
pub(super) fn reason(illegal: IllegalMove) -> &'static str {
    match illegal {
        IllegalMove::NoVertex => "no-vertex",
        IllegalMove::NoPlayer => "no-player",
        IllegalMove::Occupied => "occupied",
        IllegalMove::NoEffect => "no-effect",
        IllegalMove::Suicide => "suicide",
        IllegalMove::Ko => "ko",
        IllegalMove::Superko => "superko",
        IllegalMove::NoPass => "no-pass",
        IllegalMove::NoPrisoner => "no-prisoner",
        IllegalMove::NoResignation => "no-resignation",
        IllegalMove::GameOver => "game-over",
    }
}

/// Returns the message.
pub(super) fn describe(room: &Room) -> Value {
    let engine = &room.session.engine;
    let goban = engine.goban();
    let colors = engine.rules().colors;
    let to_move = engine.to_move();
    let stones = engine.stones();
    let plays = room.phase() == Phase::Play;
    let legal = match plays {
        true => engine.legal_moves(to_move),
        false => Vec::new(),
    };
    let mut bits = vec![b'0'; goban.graph.vertices()];
    for vertex in legal.iter().filter_map(|mv| mv.vertex()) {
        if let Some(bit) = bits.get_mut(vertex.index()) {
            *bit = b'1';
        }
    }
    let is_ko = |&v: &Vertex| {
        let open = stones.get(v.index()) == Some(&None) && bits.get(v.index()) == Some(&b'0');
        open && matches!(
            engine.check(to_move, Move::Place(v)),
            Err(IllegalMove::Ko | IllegalMove::Superko)
        )
    };
    let ko: Vec<usize> = match plays {
        true => goban.graph.all().filter(is_ko).map(Vertex::index).collect(),
        false => Vec::new(),
    };
    let last = engine.last_move().map(|(color, mv)| {
        let covered = mv.vertex().map(|v| goban.covered(v)).unwrap_or_default();
        let covered: Vec<usize> = covered.into_iter().map(Vertex::index).collect();
        json!({"color": color.to_string(), "vertex": move_text(goban, mv), "covered": covered})
    });
    let ended = room.ended();
    let scoring = ended.and_then(|ended| ended.scoring.as_ref());
    let scores = ended.and_then(|ended| ended.scores.clone());
    let waits = plays && !room.engine_moves && room.thinking.is_none() && room.is_engine(to_move);
    let mut state = Map::new();
    let mut set = |key: &str, value: Value| state.insert(key.to_string(), value);
    set("type", json!("state"));
    set("game", json!(room.front.number));
    set("rev", json!(room.front.rev));
    set("node", json!(room.record.tree.current()));
    set("phase", json!(room.phase().name()));
    set("stones", json!(position_text(&stones)));
    if goban.space().is_some() {
        set("points", json!(position_text(&engine.position())));
    }
    set("to_move", json!(to_move.to_string()));
    set("legal", json!(String::from_utf8_lossy(&bits)));
    set("pass", json!(legal.contains(&Move::Pass)));
    set("ko", json!(ko));
    set("last", json!(last));
    set("turns", json!(engine.turns()));
    let captured = engine.captured().into_iter();
    set("captured", by_color(captured.map(|count| json!(count))));
    set(
        "counters",
        by_color(engine.prisoners().into_iter().map(number)),
    );
    set("players", players::describe(&room.players));
    set(
        "thinking",
        json!(room.thinking.map(|color| color.to_string())),
    );
    set("waits", json!(waits));
    let clocks = room.clocks.as_ref();
    set(
        "clocks",
        clocks.map_or(Value::Null, |clocks| clocks.describe(colors)),
    );
    set("analysis", json!(room.analysis.is_some()));
    set(
        "scoring",
        scoring.map_or(Value::Null, |scoring| scoring.describe(room)),
    );
    set(
        "result",
        json!(ended.and_then(|ended| ended.result.clone())),
    );
    set(
        "scores",
        scores.map_or(Value::Null, |scores| {
            by_color(scores.into_iter().map(number))
        }),
    );
    set("undo", json!(room.record.tree.current() != 0));
    set("redo", json!(room.record.tree.has_next()));
    set(
        "link",
        json!(link::write(&room.record.start, &engine.moves())),
    );
    Value::Object(state)
}
