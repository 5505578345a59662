//! Self-play: games are legal, rows match their games, seeds repeat games, and a killed run can be
//! continued in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::game::Outcome;
use omnigo::graph::spec::Spec;
use omnigo::points::Points;
use omnigo::rules::presets;
use omnigo::training::folder::GameLine;
use omnigo::training::format::{Kind, Row};
use omnigo::training::selfplay::{self, SelfplayArgs, SelfplayError, Total};

use super::training_folder::{self, games, new_folder, read_move};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    selfplay: SelfplayArgs,
}

/// Returns the path of a test's own folder, without old files.
fn folder(name: &str) -> PathBuf {
    new_folder(&format!("selfplay-{name}"))
}

fn play(out: &Path, games: u32, more: &str) -> Result<Total, SelfplayError> {
    let out = out.display().to_string();
    let games = games.to_string();
    let mut words = vec!["selfplay", "--out", &out, "--games", &games];
    let usual = "--boards 5:1,6x5:1 --playouts 12 --quick-playouts 6 --recorded 0.5";
    let usual: Vec<&str> = usual.split(' ').collect();
    for option in usual.chunks(2).filter(|option| !more.contains(option[0])) {
        words.extend(option);
    }
    words.extend(more.split(' ').filter(|word| !word.is_empty()));
    selfplay::run(&Cli::parse_from(words).selfplay)
}

/// Returns the rows of the boards of a size.
fn rows(folder: &Path, size: &str) -> Vec<Row> {
    training_folder::rows(folder, size, Kind::Searched)
}

/// Replays a recorded game by the rules and returns its outcome.
fn replay(line: &GameLine) -> (Engine, Outcome) {
    let goban = format!("grid:{}", line.board).parse::<Spec>().unwrap();
    let rules = presets::find("cgos").unwrap().rules.clone();
    let komi: Points = line.komi.parse().unwrap();
    let goban = goban.build().unwrap();
    let mut engine = Engine::new(goban, rules, komi, Options::default()).unwrap();
    for name in &line.moves {
        let mv = read_move(&engine, name);
        let color = engine.to_move();
        engine.check(color, mv).unwrap();
        engine.play(color, mv).unwrap();
    }
    let outcome = engine.outcome().unwrap();
    (engine, outcome)
}

#[test]
fn files_of_rows_are_checked_before_the_first_game() {
    let path = folder("unusable");
    // Boards of 6x5 are listed, but the first game is on 5x5.
    let options = "--boards 5:99,6x5:1";
    fs::create_dir_all(path.join("6x5.rows")).unwrap();
    let problem = play(&path, 1, options).unwrap_err().to_string();
    assert!(problem.contains("6x5.rows"), "{problem}");
    assert_eq!(games(&path).len(), 0);
    fs::remove_dir(path.join("6x5.rows")).unwrap();
    assert_eq!(play(&path, 1, options).unwrap().games, 1);
    assert!(!path.join("6x5.rows").exists());
}

#[test]
fn games_are_legal_and_rows_match_them() {
    let path = folder("legal");
    let total = play(&path, 8, "--parallel 2").unwrap();
    let games = games(&path);
    assert_eq!((total.games, games.len()), (8, 8));
    let mut over = 0;
    for game in &games {
        let (engine, outcome) = replay(game);
        assert_eq!(game.result, outcome.to_string());
        let passes = game.moves.iter().rev().take_while(|mv| *mv == "pass");
        // A game with an extreme komi may never end by passes. It is cut off after 5 moves per
        // point plus 50.
        if game.moves.len() < 5 * engine.goban().graph.vertices() + 50 {
            assert!(passes.count() >= 2, "{game:?}");
            over += 1;
        }
        assert_eq!(engine.moves().first().map(|m| m.0), Some(Color::BLACK));
    }
    assert!(over > 4, "{over} games of 8 ended by passes");
    let mut count = 0;
    for size in ["5x5", "6x5"] {
        let told: u64 = games
            .iter()
            .filter(|g| g.board == size)
            .map(|g| g.rows)
            .sum();
        let rows = rows(&path, size);
        assert_eq!(rows.len() as u64, told);
        count += told;
        for row in rows {
            assert!(row.is_open(row.target), "{row:?}");
            let all: f32 = row.shares.iter().map(|(_, share)| share).sum();
            assert!((all - 1.0).abs() < 1e-3, "{row:?}");
            assert!(row.shares.iter().all(|&(at, _)| row.is_open(at)));
            // The score is the mover's points minus the opponent's, plus the komi from the mover's
            // view.
            let owned: i64 = row.ownership.unwrap().iter().map(|&o| i64::from(o)).sum();
            let lead = owned as f32 / 100.0 + row.komi * 16.0;
            assert_eq!(row.score, Some(lead));
            assert_eq!(row.won, (lead != 0.0).then_some(lead > 0.0));
        }
    }
    assert_eq!(total.rows, count);
    assert!(count > 20);
}

#[test]
fn equal_seeds_give_equal_games_for_any_number_of_threads() {
    let of = |name, more| {
        let path = folder(name);
        play(&path, 3, more).unwrap();
        games(&path)
    };
    let first = of("seed-1", "");
    assert_eq!(first, of("seed-1-again", "--parallel 3"));
    assert_ne!(first, of("seed-2", "--seed 2"));
}

#[test]
fn a_killed_run_can_be_continued() {
    let whole = folder("whole");
    play(&whole, 6, "").unwrap();
    let cut = folder("cut");
    play(&cut, 4, "").unwrap();
    // The line of the fourth game is cut short, and half a row follows its rows.
    let lines = fs::read(cut.join("games.jsonl")).unwrap();
    fs::write(cut.join("games.jsonl"), &lines[..lines.len() - 9]).unwrap();
    for size in ["5x5", "6x5"] {
        let file = cut.join(format!("{size}.rows"));
        if let Ok(mut bytes) = fs::read(&file) {
            bytes.extend([7; 50]);
            fs::write(&file, bytes).unwrap();
        }
    }
    assert_eq!(play(&cut, 6, "").unwrap(), play(&whole, 6, "").unwrap());
    assert_eq!(games(&cut), games(&whole));
    for size in ["5x5", "6x5"] {
        assert_eq!(rows(&cut, size), rows(&whole, size));
    }
    // Existing games count and stay unchanged.
    assert_eq!(play(&cut, 2, "").unwrap().games, 6);
}

#[test]
fn players_resign_if_allowed() {
    let path = folder("resign");
    play(
        &path,
        4,
        "--playouts 120 --quick-playouts 110 --resign-below 0.3 --played-out 0",
    )
    .unwrap();
    let games = games(&path);
    assert!(games.iter().any(|game| game.result.ends_with("+R")));
    for game in games.iter().filter(|game| game.result.ends_with("+R")) {
        replay(game);
    }
    for size in ["5x5", "6x5"] {
        if path.join(format!("{size}.rows")).exists() {
            for row in rows(&path, size) {
                assert_eq!(row.score.is_some(), row.ownership.is_some());
                assert!(row.score.is_some() || row.won.is_some());
            }
        }
    }
}

#[test]
fn games_on_19x19_start_late_in_recorded_games() {
    let path = folder("records");
    let records = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selfplay-records.txt");
    fs::write(&records, "B+R\tppdddppdqfnc\nW+R\tdddpppcc\n").unwrap();
    let options = format!(
        "--boards 19:1,5:1 --playouts 2 --quick-playouts 2 --resign-below 1 --played-out 0 --random-moves 0 --from-records {} --from-share 0.6",
        records.display()
    );
    play(&path, 12, &options).unwrap();
    let games = games(&path);
    let (large, small): (Vec<&GameLine>, Vec<&GameLine>) =
        games.iter().partition(|game| game.board == "19x19");
    assert!(large.len() > 2 && small.len() > 2, "{games:?}");
    let begins = [
        &["Q4", "D16", "D4", "Q16", "R14", "O17"][..],
        &["D16", "D4", "Q4", "C17"],
    ];
    for game in large {
        let from = begins[usize::from(game.moves[0] == "D16")];
        assert!(game.begun * 10 >= from.len() * 6 - 9, "{game:?}");
        assert_eq!(game.moves[..game.begun], from[..game.begun], "{game:?}");
        replay(game);
    }
    assert!(small.iter().all(|game| game.begun == 0));
    // Other records, and another share of them, are different settings.
    let message = |more: &str| play(&path, 13, more).unwrap_err().to_string();
    let other = options.replace("19:1,5:1", "13:1,5:1");
    assert!(
        message(&other)
            .starts_with("records are of 19x19, which is not among the boards 13x13:1,5x5:1")
    );
    let other = options.replace("0.6", "0.7");
    assert!(message(&other).contains("started with other settings"));
    fs::write(&records, "B+R\tpp\n").unwrap();
    assert!(message(&options).contains("started with other settings"));
    fs::write(&records, "").unwrap();
    assert!(message(&options).ends_with("has no games to start from"));
    fs::write(&records, "B+R\tpz\n").unwrap();
    assert!(message(&options).contains("line 1: invalid move 'pz'"));
}

#[test]
fn rejects_settings_that_do_not_fit() {
    let path = folder("other");
    play(&path, 1, "").unwrap();
    let message = |more| play(&path, 2, more).unwrap_err().to_string();
    assert!(message("--seed 2").ends_with(
        "it was started with other settings or another network, expected the same ones or another folder"
    ));
    assert!(message("--net none").contains("another network"));
    assert!(message("--ruleset japanese").contains("does not score area with all stones alive"));
    assert!(message("--net /nowhere.bin").contains("/nowhere.bin"));
    fs::remove_file(path.join("5x5.rows")).ok();
    fs::remove_file(path.join("6x5.rows")).ok();
    assert!(message("").contains("it lacks some of the"));
}
