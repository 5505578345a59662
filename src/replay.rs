//! Conversion between game records and engines.

use std::collections::HashSet;
use std::fmt;

use crate::color::Color;
use crate::engine::{Engine, Options};
use crate::graph::goban::Goban;
use crate::graph::{Graph, handicap};
use crate::notation::{move_label, move_text};
use crate::record::json::{GraphGame, Played};
use crate::record::sgf::{GameRecord, Step, set_up};
use crate::vertex::{Move, Vertex};

/// Returns the game of an engine, from its start or its latest set-up position.
pub fn game(engine: &Engine) -> GraphGame {
    let moves = engine.moves();
    let first = moves.first().map_or(engine.to_move(), |(color, _)| *color);
    GraphGame {
        goban: engine.goban().clone(),
        rules: engine.rules().clone(),
        komi: engine.komi(),
        start: engine.start_position(),
        handicap: engine.handicap(),
        first,
        moves,
        tree: Vec::new(),
        result: engine.result(),
        warnings: Vec::new(),
    }
}

/// Returns the game of an engine on a rectangle of two colors, as [`game`] does.
pub fn sgf(engine: &Engine, width: usize, height: usize) -> GameRecord {
    let moves = engine.moves();
    let first = moves.first().map_or(engine.to_move(), |(color, _)| *color);
    let start = engine.start_position();
    // Without this property, a start of black stones alone is read as a handicap.
    let told = engine.handicap() > 0 || handicap::counted(&start) > 0;
    GameRecord {
        width,
        height,
        komi: Some(engine.komi()),
        rules: Some(engine.rules().to_string()),
        result: engine.result(),
        start,
        handicap: told.then_some(engine.handicap()),
        // Without this property, Black moves first, or White after a handicap.
        to_move: (first != Color::BLACK || engine.handicap() > 0).then_some(first),
        steps: moves
            .into_iter()
            .map(|(color, mv)| Step::Play(color, mv))
            .collect(),
        warnings: Vec::new(),
    }
}

/// Returns the settings of an engine, in the form that records store.
pub fn played(engine: &Engine) -> Played {
    let options = engine.options();
    Played {
        name: env!("CARGO_PKG_NAME").to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        playouts: options.playouts,
        seconds: options.seconds,
        threads: options.threads,
        seed: options.seed,
        resign_below: options.resign_below,
        memory_mib: options.memory_mib,
    }
}

/// Returns a new engine in the position before move number `before`, counted from 1.
///
/// # Errors
/// One line, if a move cannot be played, or the rules do not fit the board.
pub fn engine(game: &GraphGame, before: usize, options: Options) -> Result<Engine, String> {
    let (goban, rules) = (game.goban.clone(), game.rules.clone());
    let mut engine =
        Engine::new(goban, rules, game.komi, options).map_err(|error| error.to_string())?;
    play(&mut engine, game, before)?;
    Ok(engine)
}

/// Checks that a record of the game can be played again. This fails if the rules were changed after
/// moves that the new rules forbid.
///
/// # Errors
/// One line, if a move cannot be played.
pub fn rehearse(game: &GraphGame) -> Result<(), String> {
    engine(game, usize::MAX, Options::replaying()).map(drop)
}

/// Sets an engine to the position before move number `before`, counted from 1, and discards its
/// game. On an error the engine stays unchanged, because another engine plays the moves first.
///
/// # Errors
/// One line, if a move cannot be played, or the rules do not fit the board.
pub fn put_on(stage: &mut Engine, game: &GraphGame, before: usize) -> Result<(), String> {
    let options = Options {
        handicap_moves: stage.options().handicap_moves,
        ..Options::replaying()
    };
    engine(game, before, options)?;
    let begun = stage.begin(game.goban.clone(), game.rules.clone(), game.komi);
    begun.map_err(|error| error.to_string())?;
    play(stage, game, before)
}

/// Plays a move of a record on a rectangle, even if it is illegal, as the SGF standard requires.
/// Returns `None` for a legal move, or the reason why the move is illegal. An illegal placement
/// puts down the stone and removes chains without liberties, the opponent's first. The resulting
/// position becomes the start of a new game.
pub fn carry_out(engine: &mut Engine, color: Color, mv: Move) -> Option<String> {
    let illegal = engine.play(color, mv).err()?;
    let mut position = engine.position();
    if let Move::Place(vertex) = mv {
        if let Some(point) = position.get_mut(vertex.index()) {
            *point = Some(color);
        }
        let graph = &engine.goban().graph;
        let mut around: Vec<Vertex> = graph.neighbors(vertex).to_vec();
        around.push(vertex);
        for chain in around {
            let own = position.get(chain.index()).copied().flatten() == Some(color);
            if !own || chain == vertex {
                take_off(graph, &mut position, chain);
            }
        }
    }
    let handicap = handicap::held(&position, engine.handicap_stones());
    engine.set_start(&position, Some(color.other()), handicap);
    Some(illegal.to_string())
}

/// Sets the engine to the position before move number `before`, counted from 1. Returns a warning
/// if the rules forbid some of the moves.
///
/// # Errors
/// One line, if the rules do not fit the board.
pub fn put_sgf_on(
    engine: &mut Engine,
    goban: Goban,
    record: &GameRecord,
    before: usize,
) -> Result<Option<String>, String> {
    if engine.goban().rectangle != goban.rectangle {
        engine.set_goban(goban).map_err(|error| error.to_string())?;
    }
    if let Some(komi) = record.komi {
        engine.set_komi(komi);
    }
    start_sgf(engine, record);
    let mut number = 0;
    let mut forced: Option<(String, usize)> = None;
    for step in &record.steps {
        match step {
            Step::Play(color, mv) => {
                number += 1;
                if number >= before {
                    break;
                }
                if let Some(illegal) = carry_out(engine, *color, *mv) {
                    let mv = move_text(engine.goban(), *mv);
                    let first = || (format!("move {number}, {color} {mv}: {illegal}"), 0);
                    forced.get_or_insert_with(first).1 += 1;
                }
            }
            Step::Setup { points, to_move } => change_position(engine, record, points, *to_move),
        }
    }
    if number < before {
        engine.end_by_result(record.result.as_deref());
    }
    Ok(forced.map(|(first, moves)| {
        let all = match moves {
            1 => String::new(),
            _ => format!(", the first of {moves} illegal moves"),
        };
        format!("{first}{all}: played as in the file, and the game restarts there")
    }))
}

/// Lines about illegal moves of a file that are played all the same.
#[derive(Debug, Default)]
pub struct Illegal {
    lines: Vec<String>,
    /// Number of moves without a line.
    more: usize,
}

impl Illegal {
    /// Maximum number of moves with a line of their own.
    pub const MOST: usize = 10;

    /// Adds a move with its reason.
    pub fn add(&mut self, line: impl fmt::Display) {
        match self.lines.len() < Illegal::MOST {
            true => self.lines.push(format!("{line}, played as in the file")),
            false => self.more += 1,
        }
    }

    /// Returns the lines, with one for all further moves.
    pub fn into_lines(self) -> impl Iterator<Item = String> {
        let more = (self.more > 0).then(|| match self.more {
            1 => "1 more illegal move, played as in the file".to_string(),
            more => format!("{more} more illegal moves, played as in the file"),
        });
        self.lines.into_iter().chain(more)
    }
}

/// Sets an engine that has the board of a record to its start.
pub fn start_sgf(engine: &mut Engine, record: &GameRecord) {
    engine.clear_board();
    let first_mover = record.steps.iter().find_map(|step| match step {
        Step::Play(color, _) => Some(*color),
        Step::Setup { .. } => None,
    });
    let to_move = record.to_move.or(first_mover);
    let handicap = stones_of(record, &record.start, record.to_move, 0);
    engine.set_start(&record.start, to_move, handicap);
}

/// Changes the position of an engine as a later [`Step::Setup`] of the record says.
pub fn change_position(
    engine: &mut Engine,
    record: &GameRecord,
    points: &[(Vertex, Option<Color>)],
    to_move: Option<Color>,
) {
    let mut position = engine.position();
    set_up(&mut position, points);
    let next = to_move.unwrap_or(engine.to_move());
    let stones = stones_of(record, &position, to_move, engine.handicap_stones());
    engine.set_start(&position, Some(next), stones);
}

/// Returns the handicap of a position that the record sets up, in which Black already has `before`
/// handicap stones. The handicap that the record gives counts. Otherwise a set-up of black stones
/// alone is a handicap, unless the record says that Black moves next.
fn stones_of(
    record: &GameRecord,
    position: &[Option<Color>],
    to_move: Option<Color>,
    before: u32,
) -> u32 {
    let held = handicap::held(position, record.handicap.unwrap_or(0).max(before));
    match record.handicap {
        None if held == 0 && to_move != Some(Color::BLACK) => handicap::counted(position),
        None | Some(_) => held,
    }
}

/// Removes the chain at a vertex if it has no liberty.
fn take_off(graph: &Graph, position: &mut [Option<Color>], vertex: Vertex) {
    let at = |position: &[Option<Color>], v: Vertex| position.get(v.index()).copied().flatten();
    let Some(color) = at(position, vertex) else {
        return;
    };
    let mut seen = HashSet::from([vertex]);
    let mut chain = vec![vertex];
    let mut next = 0;
    while let Some(&stone) = chain.get(next) {
        next += 1;
        for &neighbor in graph.neighbors(stone) {
            match at(position, neighbor) {
                None => return,
                Some(other) if other == color && seen.insert(neighbor) => chain.push(neighbor),
                Some(_) => {}
            }
        }
    }
    for stone in chain {
        if let Some(point) = position.get_mut(stone.index()) {
            *point = None;
        }
    }
}

fn play(engine: &mut Engine, game: &GraphGame, before: usize) -> Result<(), String> {
    engine.set_start(&game.start, Some(game.first), game.handicap);
    let moves = game.moves.iter().take(before.saturating_sub(1));
    for (number, &(color, mv)) in (1usize..).zip(moves) {
        engine.play(color, mv).map_err(|illegal| {
            let word = move_label(&game.goban.names, mv);
            format!("move {number}, {color} {word}: {illegal}")
        })?;
    }
    if before > game.moves.len() {
        engine.end_by_result(game.result.as_deref());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json::parse;

    #[test]
    fn illegal_moves_are_carried_out() {
        for (start, color, at, position) in [
            // On an occupied point.
            ("X........", Color::WHITE, 0, "O........"),
            // Suicide of one stone, and of two stones.
            (".O.O.....", Color::BLACK, 0, ".O.O....."),
            (".XOOO....", Color::BLACK, 0, "..OOO...."),
            // A stone that replaces one stone and captures another.
            ("XO.O.....", Color::WHITE, 0, "OO.O....."),
        ] {
            let line = format!(
                r#"{{"kind":"game","graph":"grid:3","ruleset":"ggg suicide=no","start":"{start}","moves":[]}}"#
            );
            let game = parse(&line, None).unwrap();
            let mut stage = engine(&game, usize::MAX, Options::default()).unwrap();
            assert!(carry_out(&mut stage, color, Move::Place(Vertex::at(at))).is_some());
            let text: String = stage
                .position()
                .iter()
                .map(|point| point.map_or('.', Color::symbol))
                .collect();
            assert_eq!(text, position, "{start}");
            assert_eq!(stage.to_move(), color.other());
        }
    }

    #[test]
    fn games_with_illegal_moves_are_reported() {
        let text = r#"{"kind":"game","graph":"grid:2","ruleset":"conway-prisoners","moves":[["white","pass"]]}"#;
        let problem = rehearse(&parse(text, None).unwrap()).unwrap_err();
        assert!(problem.starts_with("move 1, white pass"), "{problem}");
        let free = text.replace("conway-prisoners", "chinese");
        assert_eq!(rehearse(&parse(&free, None).unwrap()), Ok(()));
    }

    #[test]
    fn games_of_every_kind_of_board_are_replayed() {
        for (spec, ruleset, players) in [
            ("grid:4", "tromp-taylor", 2),
            ("petersen", "conway", 2),
            ("cycle:7", "famine", 2),
            ("komipath:5", "ggg", 2),
            ("space:(grid:2x3),edges", "topo-stone", 2),
            ("wheel:6", "tromp-taylor", 4),
        ] {
            let line = format!(
                r#"{{"kind":"game","graph":"{spec}","ruleset":"{ruleset}","players":{players},"moves":[]}}"#
            );
            let options = Options {
                playouts: Some(20),
                memory_mib: 1,
                ..Options::default()
            };
            let mut first =
                engine(&parse(&line, None).unwrap(), usize::MAX, options.clone()).unwrap();
            for _ in 0..12 {
                if !first.is_over() {
                    first.genmove(first.to_move());
                }
            }
            let text = game(&first).write(&played(&first)).unwrap();
            let record = parse(&text, None).unwrap();
            let second = engine(&record, usize::MAX, options.clone()).unwrap();
            assert_eq!(second.moves(), first.moves(), "{spec}");
            assert_eq!(second.position(), first.position(), "{spec}");
            assert_eq!(second.to_move(), first.to_move(), "{spec}");
            assert_eq!(second.is_over(), first.is_over(), "{spec}");
            assert_eq!(
                game(&second).write(&played(&first)).unwrap(),
                text,
                "{spec}"
            );
            let mut third = engine(&parse(&line, None).unwrap(), 1, options).unwrap();
            put_on(&mut third, &record, 3).unwrap();
            assert_eq!(third.moves().len(), record.moves.len().min(2), "{spec}");
        }
    }

    #[test]
    fn results_of_records_stay_until_the_game_goes_on() {
        for result in ["B+T", "W+3.5", "0", "Void", "W+R"] {
            let line = format!(
                r#"{{"kind":"game","graph":"grid:3","ruleset":"ggg","moves":[["black","B2"]],"result":"{result}"}}"#
            );
            let record = parse(&line, None).unwrap();
            let mut stage = engine(&record, usize::MAX, Options::default()).unwrap();
            assert_eq!(game(&stage).result.as_deref(), Some(result));
            assert_eq!(
                engine(&record, 1, Options::default()).unwrap().result(),
                None
            );
            if result != "W+R" {
                stage
                    .play(Color::WHITE, Move::Place(Vertex::at(0)))
                    .unwrap();
                assert_eq!(game(&stage).result, None, "{result}");
            }
        }
        let unknown = r#"{"kind":"game","graph":"grid:3","ruleset":"ggg","moves":[],"result":"?"}"#;
        let stage = engine(&parse(unknown, None).unwrap(), 1, Options::default()).unwrap();
        assert_eq!(stage.result(), None);
    }

    #[test]
    fn errors_name_the_impossible_move() {
        let line = r#"{"kind":"game","graph":"path:3","ruleset":"ggg","moves":[["black","1"],["white","1"]]}"#;
        let error = engine(&parse(line, None).unwrap(), usize::MAX, Options::default())
            .err()
            .unwrap();
        assert_eq!(error, "move 2, white 1: occupied");
        assert_eq!(Color::BLACK.to_string(), "black");
    }

    #[test]
    fn a_file_of_illegal_moves_gives_few_lines() {
        for (moves, lines) in [(0, 0), (10, 10), (11, 11), (100_000, 11)] {
            let mut odd = Illegal::default();
            (0..moves).for_each(|number| odd.add(format_args!("move {number}, black: occupied")));
            let found: Vec<String> = odd.into_lines().collect();
            assert_eq!(found.len(), lines);
            if moves == 100_000 {
                assert_eq!(found[0], "move 0, black: occupied, played as in the file");
                assert_eq!(found[10], "99990 more illegal moves, played as in the file");
            }
        }
    }
}
