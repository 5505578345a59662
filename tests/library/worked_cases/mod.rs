//! Worked cases of the rule systems, values of tiny boards by exhaustive search, and properties of
//! every board.

mod decisions;
use crate::naive;
mod scored;
mod stuck;
mod values;

use crate::naive::game::NaiveGame;
use crate::naive::solve::{Play, reaches};
use crate::naive::spec::{edges_text, goban, graph_board};
use crate::naive::{coloring, text};
use omnigo::board::BareBoard;
use omnigo::board::graph::GraphBoard;
use omnigo::color::Color;
use omnigo::game::{Game, IllegalMove, Outcome, ScoreError};
use omnigo::rules::{DeadStones, KomiUse, Points, Referee, Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

const BLACK: Color = Color::BLACK;
const WHITE: Color = Color::WHITE;

/// Systems without paid passes.
const SYSTEMS: [&str; 3] = ["ggg", "formal", "conway"];

/// Returns a ruleset from its text.
fn rules(text: &str) -> Ruleset {
    let read = text.parse::<RulesetText>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).rules
}

/// Returns a ruleset in which prisoners pay for passes, with these initial passes for Black and
/// White.
fn prisoners(black: i64, white: i64) -> Ruleset {
    rules(&format!(
        "conway pass=prisoners black-passes={black} white-passes={white}"
    ))
}

/// Returns the ruleset of [`prisoners`] with `stuck=move-only`: a player without a legal placement
/// loses.
fn literal_prisoners(black: i64, white: i64) -> Ruleset {
    let text = format!("{} stuck=move-only", prisoners(black, white));
    rules(&text)
}

/// Returns a ruleset with paid passes, of which komi gives one side its share.
fn famine() -> Ruleset {
    match presets::find("famine") {
        Some(preset) => preset.rules.clone(),
        None => Ruleset {
            komi_use: KomiUse::Passes,
            ..prisoners(0, 0)
        },
    }
}

/// Returns a game on the board of a spec, from the board's own start.
fn game_under(spec: &str, rules: Ruleset) -> Game<GraphBoard> {
    let goban = goban(spec);
    let keys = Zobrist::new(goban.graph.vertices(), 2);
    let mut board = graph_board(&goban.graph, 2, &keys);
    board.set_position(&goban.start);
    let first = rules.first;
    Game::new(board, rules, Points::ZERO, first)
}

fn game(spec: &str, ruleset: &str) -> Game<GraphBoard> {
    game_under(spec, rules(ruleset))
}

fn naive_game(spec: &str, rules: Ruleset) -> NaiveGame {
    let goban = goban(spec);
    let mut board = naive::spec::naive(&goban.graph);
    board.cells = goban.start;
    let first = rules.first;
    NaiveGame::new(board, rules, Points::ZERO, first)
}

/// Plays moves such as `B0 W3 Bpass`.
fn play(game: &mut Game<GraphBoard>, moves: &str) {
    for word in moves.split_whitespace() {
        let (color, mv) = read(word);
        game.play(color, mv)
            .unwrap_or_else(|error| panic!("{word} of {moves}: {error}"));
    }
}

fn read(word: &str) -> (Color, Move) {
    let (color, mv) = word.split_at(1);
    let mv = match mv {
        "pass" => Move::Pass,
        v => Move::Place(Vertex::at(v.parse().unwrap())),
    };
    (color.parse().unwrap(), mv)
}

fn check(game: &Game<GraphBoard>, word: &str) -> Result<(), IllegalMove> {
    let (color, mv) = read(word);
    game.check(color, mv)
}

fn shown(game: &Game<GraphBoard>) -> String {
    text(&game.board().position())
}

/// Returns Black's and White's points.
fn scores(game: &Game<GraphBoard>) -> [i64; 2] {
    let scores = game.scores(&[]).unwrap();
    [scores[0].halves() / 2, scores[1].halves() / 2]
}

fn placements(game: &Game<GraphBoard>, color: Color) -> usize {
    let moves = game.legal_moves(color);
    moves.iter().filter(|mv| **mv != Move::Pass).count()
}

/// Returns true if Black, moving first, makes the last move. The crate's game and the naive game
/// must agree.
fn black_wins(spec: &str, rules: &Ruleset) -> bool {
    let answer = reaches(&game_under(spec, rules.clone()), 1);
    let naive = reaches(&naive_game(spec, rules.clone()), 1);
    assert_eq!(answer, naive, "{spec} under {rules}");
    answer
}
