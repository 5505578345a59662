//! Measures whether resigning is safe. Plays games to the end and counts:
//! - positions in which the engine would have resigned,
//! - those of them that it won anyway,
//! - lost games that it would have resigned.
//!
//! ```sh
//! cargo run --release --example resignations -- 50 100 grid:9 grid:13
//! ```
//!
//! The arguments are games per board and handicap, playouts per move, and boards. Each board is
//! played even and with two and four handicap stones. Games are seeded: without a network, the same
//! arguments play the same games.

use std::env;
use std::thread;

use omnigo::arguments::guidance;
use omnigo::engine::{Choice, Engine, Options, Variety};
use omnigo::graph::handicap;
use omnigo::graph::spec::Spec;
use omnigo::rules::{Points, presets};
use omnigo::vertex::Move;

/// Numbers of handicap stones; each board is played with each of them.
const HANDICAPS: [usize; 3] = [0, 2, 4];
/// Maximum number of moves per point. A longer game is ended and its current position scored.
const MOST_PER_POINT: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: usize,
    /// Positions in which a player would have resigned, and those of them that this player won.
    resigned: usize,
    won_after: usize,
    /// Games with a winner and a loser, and those of them that the loser would have resigned.
    lost: usize,
    lost_resigned: usize,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.games += other.games;
        self.resigned += other.resigned;
        self.won_after += other.won_after;
        self.lost += other.lost;
        self.lost_resigned += other.lost_resigned;
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize, default| {
        arguments
            .get(at)
            .map_or(default, |text: &String| text.parse().unwrap())
    };
    let (games, playouts) = (number(0, 34), number(1, 100));
    let boards = arguments.get(2..).filter(|boards| !boards.is_empty());
    let default = ["grid:9".to_string(), "grid:13".to_string()];
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let mut total = Counts::default();
    for board in boards.unwrap_or(&default) {
        for stones in HANDICAPS {
            let counts = thread::scope(|scope| {
                let workers: Vec<_> = (0..threads)
                    .map(|worker| {
                        scope.spawn(move || {
                            let mut counts = Counts::default();
                            for seed in (worker..games).step_by(threads) {
                                counts.add(play(board, stones, playouts as u64, seed as u64));
                            }
                            counts
                        })
                    })
                    .collect();
                let mut counts = Counts::default();
                for worker in workers {
                    counts.add(worker.join().unwrap());
                }
                counts
            });
            print(&format!("{board}, {stones} handicap stones"), counts);
            total.add(counts);
        }
    }
    print("all", total);
}

fn print(name: &str, counts: Counts) {
    let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    println!(
        "{name}: {} games; {} positions would have been resigned, {} of them won ({:.1} %); {} of {} losers would have \
         resigned ({:.0} %)",
        counts.games,
        counts.resigned,
        counts.won_after,
        percent(counts.won_after, counts.resigned),
        counts.lost_resigned,
        counts.lost,
        percent(counts.lost_resigned, counts.lost),
    );
}

/// Plays one game of the engine against itself and returns its counts.
fn play(board: &str, stones: usize, playouts: u64, seed: u64) -> Counts {
    let goban = board.parse::<Spec>().unwrap().build().unwrap();
    let places = handicap::places(&goban, stones);
    let rules = presets::find("chinese").unwrap().rules.clone();
    let options = Options {
        playouts: Some(playouts),
        seed: seed + 1,
        guidance: guidance(None, None).unwrap(),
        variety: Variety {
            temperature: 1.0,
            ..Variety::default()
        },
        ..Options::default()
    };
    let komi = Points::from_halves(if stones == 0 { 15 } else { 1 });
    let mut engine = Engine::new(goban, rules, komi, options).unwrap();
    if stones > 0 {
        let start = handicap::start(engine.goban(), &places);
        engine.set_handicap(&start, stones as u32);
    }
    let mut resigned = [0; 2];
    let most = MOST_PER_POINT * engine.position().len();
    while !engine.is_over() && engine.moves().len() < most {
        let color = engine.to_move();
        let decision = engine.think(color);
        let mv = match decision.choice {
            Choice::Move(mv) => mv,
            Choice::Resign => {
                resigned[color.index()] += 1;
                let placement = decision.result.best_placement();
                placement.map_or(Move::Pass, |candidate| candidate.mv)
            }
        };
        if engine.play(color, mv).is_err() {
            break;
        }
    }
    let winner = engine.outcome().ok().and_then(|outcome| outcome.winner());
    let mut counts = Counts {
        games: 1,
        resigned: resigned.iter().sum(),
        ..Counts::default()
    };
    if let Some(winner) = winner {
        counts.won_after = resigned[winner.index()];
        counts.lost = 1;
        counts.lost_resigned = usize::from(resigned[winner.other().index()] > 0);
    }
    counts
}
