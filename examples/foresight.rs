//! Compares how well tactical and light playouts predict the winner on graphs.
//!
//! `cargo run --release --example foresight -- FILE.jsonl…` reads records of `omnigo match` between
//! equal players on graphs. It uses two-color games under area scoring without handicap. In
//! positions among the first 45 moves, 200 playouts of each kind estimate Black's win probability
//! at the komi of the game. The table gives the mean log loss of these estimates, where 0.693 means
//! no information.

mod records;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use omnigo::board::BareBoard;
use omnigo::board::graph::{Adjacency, GraphBoard};
use omnigo::graph::goban::Surface;
use omnigo::playout::{Begin, Random, Style, Trace, scored};
use omnigo::record::json::GraphGame;
use omnigo::rules::Scoring;

const STYLES: [Style; 2] = [Style::Tactical, Style::Light];
const PLAYOUTS: u32 = 200;
/// First position that is used, in moves from the start.
const FIRST: usize = 6;
/// Distance between used positions, in moves. It is odd, so that both colors are to move in turn.
const EVERY: usize = 7;
/// Number of moves from the start after which no position is used.
const LAST: usize = 45;
/// Moves per column of the table.
const STAGE: usize = 10;

/// Sums of one playout style over the positions of one stage.
#[derive(Clone, Copy, Default)]
struct Account {
    positions: f64,
    loss: f64,
}

type Accounts = [[Account; LAST.div_ceil(STAGE)]; STYLES.len()];

/// Returns true if Black's stones and enclosed points exceed White's by more than `komi`.
fn black_wins(end: &GraphBoard, komi: f64) -> bool {
    let census = end.census();
    let [black, white] = [0, 1].map(|color| census.stones[color] + census.enclosed[color]);
    (black - white) as f64 > komi
}

/// Returns the win probability of Black by playouts, never exactly 0 or 1.
fn judged(board: &GraphBoard, begin: Begin, style: Style, komi: f64, random: &mut Random) -> f64 {
    let mut end = board.clone();
    let mut trace = Trace::new();
    let mut wins = 0;
    for _ in 0..PLAYOUTS {
        end.clone_from(board);
        trace.clear();
        scored::play(&mut end, begin, style, random, &mut trace, || false);
        wins += u32::from(black_wins(&end, komi));
    }
    f64::from(wins + 1) / f64::from(PLAYOUTS + 2)
}

/// Adds the estimates in positions of one game to `accounts`, or returns `None` if the game has no
/// winner.
fn go_through(game: &GraphGame, accounts: &mut Accounts) -> Option<()> {
    let black_won = records::black_won(game)?;
    let adjacency = Adjacency::new(Arc::clone(&game.goban.graph));
    let mut board = GraphBoard::new(adjacency, game.rules.colors)?;
    board.set_position(&game.start);
    let komi = game.komi.halves() as f64 / 2.0;
    let mut random = Random::new(1);
    let mut last = None;
    for (number, &(color, mv)) in game.moves.iter().enumerate().take(LAST) {
        if number >= FIRST && (number - FIRST).is_multiple_of(EVERY) {
            let begin = Begin {
                to_move: color,
                last,
                colors: 2,
            };
            for (style, accounts) in STYLES.into_iter().zip(&mut *accounts) {
                let said = judged(&board, begin, style, komi, &mut random);
                let account = &mut accounts[number / STAGE];
                account.positions += 1.0;
                account.loss -= if black_won { said } else { 1.0 - said }.ln();
            }
        }
        last = mv.vertex();
        if let Some(at) = last {
            board.place(color, at, |_, _| {});
        }
        last = last.filter(|&at| board.at(at) == Some(color));
    }
    Some(())
}

fn main() -> ExitCode {
    let mut boards: BTreeMap<String, Accounts> = BTreeMap::new();
    let mut files = std::env::args().skip(1).peekable();
    if files.peek().is_none() {
        eprintln!("foresight: expected records of matches");
        return ExitCode::from(2);
    }
    let read = records::read(files, |game| {
        let counted = game.rules.scoring == Scoring::Area && game.handicap == 0;
        let two = game.rules.colors == 2;
        if counted && two && matches!(game.goban.surface, Surface::Graph) {
            let entry = boards.entry(game.goban.spec.to_string());
            go_through(&game, entry.or_default());
        }
    });
    if let Err(problem) = read {
        eprintln!("foresight: {problem}");
        return ExitCode::FAILURE;
    }
    println!("board            style     moves from 0, 10, 20, 30, 40");
    for (spec, accounts) in boards {
        for (style, accounts) in STYLES.into_iter().zip(accounts) {
            print!("{spec:16} {style:8}", style = style.to_string());
            for account in accounts {
                match account.positions {
                    0.0 => print!("     -"),
                    positions => print!(" {:5.3}", account.loss / positions),
                }
            }
            let positions: f64 = accounts.iter().map(|a| a.positions).sum();
            let loss: f64 = accounts.iter().map(|a| a.loss).sum();
            let all = loss / positions.max(1.0);
            println!("  all {all:5.3} of {positions} positions");
        }
    }
    ExitCode::SUCCESS
}
