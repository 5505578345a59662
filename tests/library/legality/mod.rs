//! Legal moves of a game, compared with a naive game that stores every situation, and tested with
//! colliding hashes.

mod agreement;
mod cases;
use crate::naive;

use std::sync::Arc;

use crate::naive::game::NaiveGame;
use crate::naive::random::Random;
use crate::naive::spec::{goban, graph_board, grid_board};
use crate::naive::{Naive, color, coloring, text};
use omnigo::board::Board;
use omnigo::color::Color;
use omnigo::game::{Game, IllegalMove, Line};
use omnigo::graph::Graph;
use omnigo::rules::{Ko, Points, Referee, Ruleset, RulesetText};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

/// Boards small enough for superko to matter.
const BOARDS: &[&str] = &[
    "grid:1x1",
    "grid:2x1",
    "grid:1x3",
    "grid:5x1",
    "grid:2x2",
    "grid:2x3",
    "grid:3x3",
    "path:4",
    "cycle:3",
    "cycle:4",
    "cycle:5",
    "complete:3",
    "complete:4",
    "star:3",
    "star:4",
    "wheel:4",
    "bipartite:2x3",
    "path:2+path:2",
    "cycle:4+path:1",
    "edges:0-1,1-2,2-0,2-3",
    "petersen",
];

const BLACK: Color = Color::BLACK;
const WHITE: Color = Color::WHITE;

fn rules(text: &str) -> Ruleset {
    let read = text.parse::<RulesetText>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).rules
}

/// Returns every repetition rule with and without suicide, and rulesets in which passes are paid or
/// impossible.
fn rulesets() -> Vec<Ruleset> {
    let mut all = Vec::new();
    for ko in ["positional", "situational", "simple"] {
        for suicide in ["yes", "no"] {
            all.push(rules(&format!("formal ko={ko} suicide={suicide}")));
        }
    }
    let more = [
        "conway",
        "conway ko=situational suicide=no",
        "conway pass=prisoners black-passes=1 white-passes=1.5",
        "conway pass=prisoners stuck=move-only white-passes=2 ko=situational",
    ];
    all.extend(more.into_iter().map(rules));
    all
}

fn place(v: usize) -> Move {
    Move::Place(Vertex::at(v))
}

/// State that undo must restore.
#[derive(Debug, PartialEq)]
struct Snapshot {
    position: String,
    hash: u64,
    counters: [i64; 2],
    to_move: Color,
    over: (bool, bool),
    legal: [Vec<Move>; 2],
    passable: [bool; 2],
    moves: Vec<(Color, Move)>,
}

impl Snapshot {
    fn of<B: Board>(game: &Game<B>) -> Snapshot {
        let both = [BLACK, WHITE];
        Snapshot {
            position: text(&game.board().position()),
            hash: game.board().hash(),
            counters: both.map(|c| game.counter(c).halves()),
            to_move: game.to_move(),
            over: (game.ended_by_passes(), game.is_over()),
            legal: both.map(|c| game.legal_moves(c)),
            passable: both.map(|c| game.can_pass(c)),
            moves: game.moves().collect(),
        }
    }
}

/// A game, the naive game, and the states to return to by undo.
struct Table<B: Board> {
    game: Game<B>,
    naive: NaiveGame,
    past: Vec<(Snapshot, NaiveGame)>,
}

impl<B: Board> Table<B> {
    fn new(mut board: B, mut naive: Naive, rules: Ruleset, position: &naive::Coloring) -> Self {
        board.set_position(position);
        naive.cells = position.clone();
        let first = rules.first;
        let komi = Points::whole(0);
        Table {
            game: Game::new(board, rules.clone(), komi, first),
            naive: NaiveGame::new(naive, rules, komi, first),
            past: Vec::new(),
        }
    }

    /// Compares all answers about legality with the naive game.
    fn compare(&self) {
        let (game, naive) = (&self.game, &self.naive);
        let context = format!("{} under {}", text(&naive.board.cells), game.rules());
        assert_eq!(game.board().position(), naive.board.cells, "{context}");
        assert_eq!(game.to_move(), naive.to_move(), "{context}");
        assert_eq!(game.ended_by_passes(), naive.ended_by_passes(), "{context}");
        for color in [BLACK, WHITE] {
            let legal = naive.legal_moves(color);
            assert_eq!(game.legal_moves(color), legal, "{color}: {context}");
            assert_eq!(game.counter(color).halves(), naive.counter(color));
            for v in 0..naive.board.cells.len() {
                let allowed = legal.contains(&place(v));
                let verdict = game.check(color, place(v));
                assert_eq!(verdict.is_ok(), allowed, "{color} {v}: {context}");
                if naive.board.cells[v].is_some() {
                    assert_eq!(verdict, Err(IllegalMove::Occupied));
                }
            }
            // A further pass has no effect and is never rejected.
            let again = naive.latest == Some((color, Move::Pass));
            let pass = game.check(color, Move::Pass).is_ok();
            assert_eq!(pass, again || legal.contains(&Move::Pass), "{context}");
            let placeable = !naive.placements(color).is_empty();
            let stuck = !placeable
                && (game.rules().stuck == omnigo::rules::Stuck::MoveOnly || !game.can_pass(color));
            assert_eq!(game.is_stuck(color), stuck, "{color}: {context}");
        }
    }

    fn play(&mut self, color: Color, mv: Move) {
        self.past
            .push((Snapshot::of(&self.game), self.naive.clone()));
        let turns = self.game.moves().len();
        self.game.play(color, mv).unwrap();
        self.naive.play(color, mv);
        if self.game.moves().len() == turns {
            self.past.pop();
        }
    }

    fn undo(&mut self) {
        let (snapshot, naive) = self.past.pop().unwrap();
        // The rules may have changed since the move. Compare legality under the rules of that time.
        let now = self.game.rules().clone();
        assert!(self.game.undo());
        self.game.set_rules(naive.rules.clone());
        assert_eq!(Snapshot::of(&self.game), snapshot);
        self.game.set_rules(now.clone());
        self.naive = naive;
        self.naive.rules = now;
    }
}

/// Plays at random, with many captures, passes, moves out of turn, undone moves, and changes of
/// rules.
fn play<B: Board>(table: &mut Table<B>, random: &mut Random, plies: usize, switch: &[Ruleset]) {
    table.compare();
    for _ in 0..plies {
        let color = match random.percent(15) {
            true => table.game.to_move().other(),
            false => table.game.to_move(),
        };
        let moves = table.game.legal_moves(color);
        let places: Vec<Move> = moves.iter().copied().filter(|m| *m != Move::Pass).collect();
        if moves.is_empty() || random.percent(8) {
            for _ in 0..random.below(4).min(table.past.len()) {
                table.undo();
                table.compare();
            }
        } else if random.percent(12) || places.is_empty() {
            table.play(color, random.pick(&moves));
        } else {
            table.play(color, random.pick(&places));
        }
        if !switch.is_empty() && random.percent(10) {
            let rules = Ruleset {
                first: table.game.rules().first,
                ..switch[random.below(switch.len())].clone()
            };
            table.game.set_rules(rules.clone());
            table.naive.rules = rules;
        }
        table.compare();
    }
    while !table.past.is_empty() {
        table.undo();
    }
    table.compare();
    assert!(!table.game.undo());
}

fn keys(vertices: usize) -> Zobrist {
    Zobrist::new(vertices, 2)
}

fn graph_table(graph: &Arc<Graph>, rules: &Ruleset, start: &naive::Coloring) -> Table<impl Board> {
    let board = graph_board(graph, 2, &keys(graph.vertices()));
    Table::new(board, naive::spec::naive(graph), rules.clone(), start)
}

/// Returns an empty start in most cases, else any position, which may contain chains without
/// liberties.
fn start(random: &mut Random, vertices: usize) -> naive::Coloring {
    let percent = random.pick(&[0, 0, 0, 50, 80]);
    random.coloring(vertices, 2, percent)
}
