//! Measures how well playouts judge positions: their estimate of Black's score lead against the
//! final score.
//!
//! `cargo run --release --example judges -- games.txt 200` reads 200 games on 19x19 that ended with
//! a score. Each line is a game in the format of `omnigo rows`. Positions are judged after 60 and
//! 120 moves, 100 and 50 moves before the end, and at the end. There are three judges: 64 tactical
//! playouts, 64 light playouts in lock step, and 512 of them. Komi differs among the records and is
//! taken as 6.5, so part of the error comes from the records. The spread is the standard deviation
//! of the error.

use std::process::ExitCode;
use std::time::Instant;

use omnigo::board::grid::{Grid, GridBoard};
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::playout::{Random, lockstep};
use omnigo::points::Points;
use omnigo::rules::presets;
use omnigo::search;
use omnigo::vertex::{Move, Vertex};

const SIDE: usize = 19;
/// Minimum number of moves. Shorter games were resigned, even if the record gives a score.
const SHORTEST: usize = 150;

/// A game that ended with a score.
struct Record {
    /// Black's score lead on the board, without komi.
    lead: f64,
    moves: Vec<Move>,
}

impl Record {
    fn read(line: &str) -> Option<Record> {
        let (result, moves) = line.split_once('\t')?;
        let (winner, margin) = result.split_once('+')?;
        let margin: f64 = margin.parse().ok()?;
        let margin = if winner == "B" { margin } else { -margin };
        let place = |letters: &[u8]| match letters {
            b"tt" => Some(Move::Pass),
            &[x @ b'a'..=b's', y @ b'a'..=b's'] => {
                let (x, y) = (usize::from(x - b'a'), usize::from(y - b'a'));
                Some(Move::Place(Vertex::at(y * SIDE + x)))
            }
            _ => None,
        };
        let moves: Option<Vec<Move>> = moves.as_bytes().chunks(2).map(place).collect();
        Some(Record {
            lead: margin + 6.5,
            moves: moves.filter(|moves| moves.len() >= SHORTEST)?,
        })
    }
}

/// Name of a judge, and a function that estimates Black's score lead.
type Judge = (&'static str, fn(&Game<GridBoard>) -> f64);

const JUDGES: [Judge; 3] = [
    ("64 tactical", |game| {
        let found = search::sample(game, 64);
        let points = (0..SIDE * SIDE).map(Vertex::at);
        let lead = |at| found.share(at, Color::BLACK) - found.share(at, Color::WHITE);
        points.map(lead).sum()
    }),
    ("64 light", |game| light(game, 64)),
    ("512 light", |game| light(game, 512)),
];

fn light(game: &Game<GridBoard>, count: usize) -> f64 {
    let Some(start) = lockstep::Start::of(game.board(), None) else {
        return 0.0;
    };
    let margins = lockstep::sample(&start, count, &mut Random::new(1)).margins;
    margins.iter().map(|&m| f64::from(m)).sum::<f64>() / margins.len() as f64
}

/// Sums over games.
#[derive(Clone, Copy, Default)]
struct Account {
    games: f64,
    error: f64,
    square: f64,
    right: f64,
    seconds: f64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = match arguments.first().map(std::fs::read_to_string) {
        Some(Ok(text)) => text,
        Some(Err(error)) => return refuse(&error.to_string()),
        None => return refuse("usage: judges GAMES [COUNT]"),
    };
    let most = match arguments.get(1).map(|count| count.parse()) {
        Some(Ok(count)) => count,
        None => 200,
        Some(Err(_)) => return refuse("the count is not a number"),
    };
    let grid = Grid::new(SIDE, SIDE).and_then(|grid| GridBoard::new(grid, 2));
    let (Some(board), Some(chinese)) = (grid, presets::find("chinese")) else {
        return refuse("no board of 19x19");
    };
    let mut accounts = [[Account::default(); JUDGES.len()]; 5];
    for record in text.lines().filter_map(Record::read).take(most) {
        let end = record.moves.len();
        for (accounts, at) in accounts.iter_mut().zip([60, 120, end - 100, end - 50, end]) {
            let komi = Points::from_halves(13);
            let rules = chinese.rules.clone();
            let mut game = Game::new(board.clone(), rules, komi, Color::BLACK);
            let mut moves = record.moves[..at].iter();
            if moves.any(|&mv| game.play(game.to_move(), mv).is_err()) {
                continue;
            }
            for (account, (_, judge)) in accounts.iter_mut().zip(JUDGES) {
                let start = Instant::now();
                let lead = judge(&game);
                account.seconds += start.elapsed().as_secs_f64();
                let error = lead - record.lead;
                account.games += 1.0;
                account.error += error;
                account.square += error * error;
                account.right += f64::from(u8::from((lead > 6.5) == (record.lead > 6.5)));
            }
        }
    }
    println!("after        judge        games  spread  winner     ms");
    let stages = ["60 moves", "120 moves", "100 to go", "50 to go", "the end"];
    for (stage, accounts) in stages.iter().zip(accounts) {
        for ((name, _), account) in JUDGES.iter().zip(accounts) {
            let n = account.games.max(1.0);
            let mean = account.error / n;
            let spread = (account.square / n - mean * mean).max(0.0).sqrt();
            println!(
                "{stage:12} {name:12} {:5} {spread:7.1} {:6.1}% {:6.2}",
                account.games,
                100.0 * account.right / n,
                1000.0 * account.seconds / n
            );
        }
    }
    ExitCode::SUCCESS
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("judges: {why}");
    ExitCode::from(2)
}
