//! Compares network values with playout results: how far apart they are, and which of the two
//! predicts the winner better.
//!
//! `cargo run --release --example blend -- FILE.jsonl…` reads records of `omnigo match` on
//! rectangles. It uses two-color games under area scoring that have a winner and no handicap. In up
//! to 4 positions per game, it asks for two estimates of the win probability of the player to move.
//! One comes from the network, the other from a search of 300 tactical playouts without the
//! network.
//!
//! The table has one row per band of the gap between the two estimates. A row gives the number of
//! positions, how often the estimates name different winners, and how often the playouts are right
//! then. It also gives the mean log loss of four estimates, where 0.693 means no information:
//! - the network,
//! - the playouts,
//! - 4/5 network and 1/5 playouts,
//! - the mixture with the playout share of `omnigo::search::playout_percent`.

mod records;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use omnigo::board::BareBoard;
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::engine::{Engine, Options};
use omnigo::net::features::{RECENT_MOVES, Situation};
use omnigo::net::kernels::Kernel;
use omnigo::net::{Evaluation, Evaluator, Network};
use omnigo::playout::Random;
use omnigo::record::json::GraphGame;
use omnigo::rules::Scoring;
use omnigo::search::{Parameters, playout_percent};
use omnigo::vertex::{Move, Vertex};

const PLAYOUTS: u64 = 300;
/// Maximum number of positions per game, drawn at random after the first `FIRST` moves.
const POSITIONS: usize = 4;
const FIRST: usize = 6;
/// Upper ends of the bands of the gap between the two estimates, in percent, exclusive.
const BANDS: [u64; 4] = [20, 40, 60, 101];
/// Estimates are clamped to at most this probability, so that one wrong estimate cannot dominate
/// the mean loss.
const SUREST: f64 = 0.99;
const JUDGES: usize = 4;

/// Sums over the positions of one band.
#[derive(Clone, Copy, Default)]
struct Account {
    positions: u32,
    /// Positions in which the two name different winners, and those of them in which the playouts
    /// are right.
    split: u32,
    playouts_right: u32,
    loss: [f64; JUDGES],
}

impl Account {
    fn add(&mut self, network: f64, played: f64, won: bool) {
        let mix = |share: f64| share * played + (1.0 - share) * network;
        let apart = ((network - played).abs() * 100.0) as u64;
        let share = playout_percent(&Parameters::omnigo(), apart) as f64 / 100.0;
        self.positions += 1;
        if (network > 0.5) != (played > 0.5) {
            self.split += 1;
            self.playouts_right += u32::from((played > 0.5) == won);
        }
        for (loss, said) in self
            .loss
            .iter_mut()
            .zip([network, played, mix(0.2), mix(share)])
        {
            let said = said.clamp(1.0 - SUREST, SUREST);
            *loss -= if won { said } else { 1.0 - said }.ln();
        }
    }

    fn merge(&mut self, other: &Account) {
        self.positions += other.positions;
        self.split += other.split;
        self.playouts_right += other.playouts_right;
        for (loss, other) in self.loss.iter_mut().zip(other.loss) {
            *loss += other;
        }
    }
}

/// Returns the network's win probability of the player to move.
fn judged(engine: &Engine, board: &GridBoard, evaluator: &mut Evaluator<GridBoard>) -> f64 {
    let (mut legal, mut can_pass) = (Vec::new(), false);
    for mv in engine.legal_moves(engine.to_move()) {
        match mv {
            Move::Place(at) => legal.push(at),
            Move::Pass => can_pass = true,
        }
    }
    let moves = engine.moves();
    let latest = moves.iter().rev().take(RECENT_MOVES);
    let recent: Vec<Option<Vertex>> = latest.map(|(_, mv)| mv.vertex()).collect();
    let situation = Situation {
        to_move: engine.to_move(),
        recent: &recent,
        legal: &legal,
    };
    let mut evaluation = Evaluation::default();
    evaluator.evaluate(board, situation, engine.komi(), can_pass, &mut evaluation);
    f64::from(evaluation.win)
}

/// Adds the estimates in positions of one game to `accounts`, or returns `None` if the game is not
/// of the kind that is used.
fn go_through(
    game: GraphGame,
    network: &Arc<Network>,
    random: &mut Random,
    accounts: &mut [Account],
) -> Option<()> {
    let black_won = records::black_won(&game)?;
    let counted = game.rules.scoring == Scoring::Area;
    let plain = game.handicap == 0 && game.start.iter().all(Option::is_none);
    if !counted || !plain || game.rules.colors != 2 || game.moves.len() <= FIRST {
        return None;
    }
    let (width, height) = game.goban.rectangle?;
    let mut board = GridBoard::new(Grid::new(width, height)?, 2)?;
    let mut evaluator = Evaluator::new(Arc::clone(network), &board, Kernel::best())?;
    let options = Options {
        playouts: Some(PLAYOUTS),
        resign_below: 0.0,
        ..Options::default()
    };
    let mut engine = Engine::new(game.goban, game.rules, game.komi, options).ok()?;
    let mut turns: Vec<usize> = (0..POSITIONS)
        .map(|_| FIRST + random.below(game.moves.len() - FIRST))
        .collect();
    turns.sort_unstable();
    turns.dedup();
    for (turn, &(color, mv)) in game.moves.iter().enumerate() {
        if turns.contains(&turn) {
            board.set_position(&engine.position());
            let network = judged(&engine, &board, &mut evaluator);
            engine.forget_search();
            let played = engine.think(color).result.value;
            let apart = ((network - played).abs() * 100.0) as u64;
            let band = BANDS.iter().position(|&end| apart < end)?;
            accounts[band].add(network, played, (color.index() == 0) == black_won);
        }
        engine.play(color, mv).ok()?;
    }
    Some(())
}

fn main() -> ExitCode {
    let mut boards: BTreeMap<String, [Account; BANDS.len()]> = BTreeMap::new();
    let mut files = std::env::args().skip(1).peekable();
    if files.peek().is_none() {
        eprintln!("blend: expected records of matches");
        return ExitCode::from(2);
    }
    let Some(network) = Network::built_in() else {
        eprintln!("blend: this program has no network");
        return ExitCode::FAILURE;
    };
    let (mut random, mut left_out) = (Random::new(1), 0);
    let read = records::read(files, |game| {
        let accounts = boards.entry(game.goban.spec.to_string()).or_default();
        if go_through(game, &network, &mut random, accounts).is_none() {
            left_out += 1;
        }
    });
    if let Err(problem) = read {
        eprintln!("blend: {problem}");
        return ExitCode::FAILURE;
    }
    println!(
        "board        apart    positions  split  playouts right  network  playouts  a fifth  shares"
    );
    for (spec, accounts) in boards {
        let mut all = Account::default();
        let mut from = 0;
        for (account, end) in accounts.iter().zip(BANDS) {
            show(&spec, &format!("{from}–{} %", end - 1), account);
            all.merge(account);
            from = end;
        }
        show(&spec, "all", &all);
    }
    if left_out > 0 {
        eprintln!("blend: {left_out} games of other kinds left out");
    }
    ExitCode::SUCCESS
}

fn show(spec: &str, band: &str, account: &Account) {
    let Account {
        positions,
        split,
        playouts_right,
        loss,
    } = account;
    let mean = |loss: f64| loss / f64::from((*positions).max(1));
    let [network, played, fifth, shares] = loss.map(mean);
    println!(
        "{spec:12} {band:9}{positions:9} {split:6} {playouts_right:15} {network:8.3} {played:9.3} {fifth:8.3} {shares:7.3}"
    );
}
