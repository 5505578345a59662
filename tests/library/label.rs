//! Labels of a teacher: games are legal, rows hold the teacher's outputs, and a killed run can be
//! continued in its folder. The teacher is a small random network.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use omnigo::arguments::guidance;
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::graph::spec::Spec;
use omnigo::notation::read_position;
use omnigo::rules::presets;
use omnigo::training::folder::GameLine;
use omnigo::training::format::{Kind as RowKind, Row};
use omnigo::training::label::{self, LabelArgs, LabelError, Total};
use omnigo::training::problems::Kind;

use super::SAMPLE as TEACHER;
use super::training_folder::{self, games, new_folder, read_move};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    label: LabelArgs,
}

/// Returns the path of a test's own folder, without old files.
fn folder(name: &str) -> PathBuf {
    new_folder(&format!("label-{name}"))
}

fn label(out: &Path, games: u32, more: &str) -> Result<Total, LabelError> {
    let out = out.display().to_string();
    let games = games.to_string();
    let mut words = vec!["label", "--out", &out, "--games", &games];
    for option in [["--boards", "5:1,6x5:1"], ["--teacher", TEACHER]] {
        if !more.contains(option[0]) {
            words.extend(option);
        }
    }
    words.extend(more.split(' ').filter(|word| !word.is_empty()));
    label::run(&Cli::parse_from(words).label)
}

/// Returns the rows of the boards of a size.
fn rows(folder: &Path, size: &str) -> Vec<Row> {
    training_folder::rows(folder, size, RowKind::Labeled)
}

/// Returns an engine with the teacher at the start of a game.
fn engine(game: &GameLine, rules: &str) -> Engine {
    let goban = format!("grid:{}", game.board).parse::<Spec>().unwrap();
    let rules = presets::find(rules).unwrap().rules.clone();
    let options = Options {
        guidance: guidance(Some(Path::new(TEACHER)), None).unwrap(),
        ..Options::default()
    };
    let komi = game.komi.parse().unwrap();
    Engine::new(goban.build().unwrap(), rules, komi, options).unwrap()
}

#[test]
fn every_row_holds_the_outputs_of_the_teacher() {
    let path = folder("outputs");
    let total = label(
        &path,
        6,
        "--recorded 1 --random-moves 0 --handicap 0 --parallel 2",
    )
    .unwrap();
    let games = games(&path);
    assert_eq!((total.games, games.len()), (6, 6));
    let mut count = 0;
    for size in ["5x5", "6x5"] {
        let rows = rows(&path, size);
        let told: u64 = games
            .iter()
            .filter(|g| g.board == size)
            .map(|g| g.rows)
            .sum();
        assert_eq!(rows.len() as u64, told);
        count += told;
        for row in &rows {
            assert!(row.is_open(row.target), "{row:?}");
            assert!((0.0..=1.0).contains(&row.win.unwrap()));
            assert_eq!(row.won, None);
            let all: f32 = row.shares.iter().map(|(_, share)| share).sum();
            assert!((all - 1.0).abs() < 2e-3, "{row:?}");
            assert!(row.shares.iter().all(|&(at, _)| row.is_open(at)));
            assert!(row.shares.is_sorted_by(|a, b| a.1 >= b.1));
            assert_eq!(row.target, row.shares[0].0);
        }
    }
    assert_eq!(total.rows, count);
    // The first game that ended on a board has the first rows. Compare each of them with the
    // outputs in all symmetries.
    let text = fs::read_to_string(path.join("games.jsonl")).unwrap();
    let first: GameLine = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let mut engine = engine(&first, "cgos");
    let rows = rows(&path, &first.board);
    let mut rows = rows.iter();
    for (number, name) in first.moves.iter().enumerate() {
        let mv = read_move(&engine, name);
        let color = engine.to_move();
        let row = rows.next().unwrap();
        let equal = |symmetry| {
            let raw = engine.raw_output(symmetry, None).unwrap();
            (raw.output.win - row.win.unwrap()).abs() < 1e-4
                && (raw.output.lead - row.score.unwrap()).abs() <= 1.0 / 32.0 + 1e-3
        };
        assert!((0..8).any(equal), "move {number}: {row:?}");
        engine.play(color, mv).unwrap();
    }
}

#[test]
fn a_killed_run_can_be_continued() {
    let whole = folder("whole");
    let total = label(&whole, 5, "").unwrap();
    let cut = folder("cut");
    label(&cut, 3, "").unwrap();
    let lines = fs::read(cut.join("games.jsonl")).unwrap();
    fs::write(cut.join("games.jsonl"), &lines[..lines.len() - 9]).unwrap();
    assert_eq!(label(&cut, 5, "").unwrap(), total);
    assert_eq!(games(&cut), games(&whole));
    for size in ["5x5", "6x5"] {
        if whole.join(format!("{size}.rows")).exists() {
            assert_eq!(rows(&cut, size), rows(&whole, size));
        }
    }
}

#[test]
fn games_begin_with_handicaps_records_and_random_moves() {
    let path = folder("starts");
    label(&path, 4, "--handicap 1 --boards 5 --random-moves 0").unwrap();
    for game in games(&path) {
        assert_eq!(
            game.moves.get(1).map(String::as_str),
            Some("pass"),
            "{game:?}"
        );
    }
    let path = folder("territory");
    label(&path, 2, "--ruleset japanese --handicap 0").unwrap();
    for game in games(&path) {
        let mut engine = engine(&game, "japanese");
        for name in &game.moves {
            let mv = read_move(&engine, name);
            engine.play(engine.to_move(), mv).unwrap();
        }
    }
    let records = Path::new(env!("CARGO_TARGET_TMPDIR")).join("label-records.txt");
    fs::write(&records, "B+R\tppdddppdqfnc\n").unwrap();
    let path = folder("records");
    let options = format!(
        "--boards 19 --recorded 0.01 --from-share 1 --from-records {}",
        records.display()
    );
    label(&path, 1, &options).unwrap();
    let games = games(&path);
    let record = ["Q4", "D16", "D4", "Q16", "R14", "O17"];
    assert_eq!(games[0].begun, record.len());
    assert_eq!(games[0].moves[..record.len()], record);
}

#[test]
fn open_positions_keep_their_komi() {
    let path = folder("even");
    let options = "--recorded 1 --random-moves 0 --handicap 0 --boards 5";
    label(&path, 4, &format!("{options} --even 1")).unwrap();
    let usual = folder("uneven");
    label(&usual, 4, options).unwrap();
    // The win probabilities of the random teacher are near one half.
    let seen = |path: &Path| {
        let games = games(path).into_iter();
        games
            .map(|game| (game.komi, game.moves))
            .collect::<Vec<_>>()
    };
    assert_eq!(seen(&path), seen(&usual));
    let again = label(&path, 5, options).unwrap_err().to_string();
    assert!(again.contains("other settings"), "{again}");
}

#[test]
fn positions_of_searches_are_labeled() {
    let options = "--recorded 0 --random-moves 0 --handicap 0 --noise 0 --student-share 1 --temperature 5 --boards 6";
    let usual = folder("unsearched");
    assert_eq!(label(&usual, 2, options).unwrap().rows, 0);
    let path = folder("searched");
    let searched = format!("{options} --searched 1 --visits 12 --search-positions 3");
    let total = label(&path, 3, &searched).unwrap();
    let moves: usize = games(&path).iter().map(|game| game.moves.len()).sum();
    assert!(total.rows > 0 && total.rows <= 3 * moves as u64, "{total}");
    // Rows lie off the game, so their boards differ from those of its positions.
    let mut seen: HashSet<Vec<bool>> = HashSet::new();
    for game in games(&path) {
        let mut engine = engine(&game, "cgos");
        for name in &game.moves {
            let mv = read_move(&engine, name);
            engine.play(engine.to_move(), mv).unwrap();
            seen.insert(engine.position().iter().map(Option::is_some).collect());
        }
    }
    let rows = rows(&path, "6x6");
    assert!(rows.iter().all(|row| row.is_open(row.target)));
    // Planes 1 and 2 are the stones.
    let taken = |bits: &u32| bits & 0b110 != 0;
    let off = |row: &&Row| !seen.contains(&row.planes.iter().map(taken).collect::<Vec<_>>());
    let off = rows.iter().filter(off).count();
    assert!(off > 20, "{off} of {}", rows.len());
    // A run with searches continues like any other, and only with the same settings.
    let short = folder("searched-short");
    label(&short, 2, &searched).unwrap();
    assert_eq!(label(&short, 3, &searched).unwrap(), total);
    assert_eq!(games(&short), games(&path));
    let again = label(&path, 4, options).unwrap_err().to_string();
    assert!(again.contains("other settings"), "{again}");
}

#[test]
fn games_start_in_generated_positions() {
    let path = folder("problems");
    let options = "--boards 7x7:1,9x8:1 --recorded 1 --random-moves 5 --handicap 1 --problems 1";
    let total = label(&path, 28, options).unwrap();
    let all = games(&path);
    let mut kinds: HashMap<Kind, usize> = HashMap::new();
    for game in &all {
        let problem = game.problem.as_ref().unwrap();
        *kinds.entry(problem.kind).or_default() += 1;
        // There are neither passes of a handicap nor random moves at the start.
        assert!(game.moves.len() <= 40 && game.random <= 5, "{game:?}");
        let mut engine = engine(game, "cgos");
        let text = &problem.position;
        let stones = read_position(engine.goban(), 2, text).unwrap();
        let first: Color = problem.first.parse().unwrap();
        engine.set_position(&stones, Some(first));
        for (turn, name) in game.moves.iter().enumerate() {
            let mv = read_move(&engine, name);
            let color = [first, first.other()][turn % 2];
            engine.play(color, mv).unwrap();
        }
    }
    assert_eq!(kinds.len(), Kind::ALL.len(), "{kinds:?}");
    assert_eq!(all.iter().map(|game| game.rows).sum::<u64>(), total.rows);
    // The first game that ended on a board has the first rows, and the first is of its position.
    let text = fs::read_to_string(path.join("games.jsonl")).unwrap();
    let first: GameLine = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let problem = first.problem.unwrap();
    let own = if problem.first == "black" { 'X' } else { 'O' };
    let rows = rows(&path, &first.board);
    let planes = rows[0]
        .planes
        .iter()
        .map(|bits| (bits & 2 != 0, bits & 4 != 0));
    let stones = problem
        .position
        .chars()
        .map(|it| (it == own, it != own && it != '.'));
    assert!(planes.eq(stones), "own and opposing stones");
    // A run continues with the same positions, and only with the same kinds.
    let cut = folder("problems-cut");
    label(&cut, 9, options).unwrap();
    assert_eq!(label(&cut, 28, options).unwrap(), total);
    assert_eq!(games(&cut), all);
    let again = label(&path, 29, &format!("{options} --problem-kinds ko"));
    let again = again.unwrap_err().to_string();
    assert!(again.contains("other settings"), "{again}");
}

#[test]
fn a_part_of_the_games_starts_in_chosen_kinds() {
    let path = folder("some-problems");
    let options = "--boards 7 --recorded 0 --problems 0.5 --problem-kinds seki:1,dead:2";
    label(&path, 40, options).unwrap();
    let kinds = games(&path).into_iter();
    let kinds: Vec<_> = kinds.map(|game| game.problem.map(|it| it.kind)).collect();
    let count = |kind| kinds.iter().filter(|&&other| other == kind).count();
    let [without, seki, dead] = [None, Some(Kind::Seki), Some(Kind::Dead)].map(count);
    assert_eq!(without + seki + dead, 40, "{kinds:?}");
    assert!(
        (10..=30).contains(&without) && seki > 0 && dead > seki,
        "{kinds:?}"
    );
}

#[test]
fn rejects_settings_that_do_not_fit() {
    let path = folder("other");
    label(&path, 1, "").unwrap();
    let message = |more: &str| label(&path, 2, more).unwrap_err().to_string();
    assert!(message("--seed 2").contains("it was started with other settings"));
    assert!(message("--ruleset conway").contains("the teacher does not know the ruleset"));
    assert!(message("--teacher /nowhere.bin").contains("/nowhere.bin"));
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/src/weights.bin");
    assert!(message(&format!("--teacher {own}")).contains("no network of KataGo"));
    assert!(message(&format!("--student {TEACHER}")).contains("omnigo's own format"));
}

#[test]
fn files_of_others_stay_and_a_run_without_games_may_change() {
    let path = folder("foreign");
    fs::create_dir_all(&path).unwrap();
    let rows = path.join("5x5.rows");
    for foreign in [&b"omnigoTR\x02\0"[..], b"notes on a board of five", b"x"] {
        fs::write(&rows, foreign).unwrap();
        let problem = label(&path, 1, "--boards 5").unwrap_err().to_string();
        assert!(
            problem.contains("no rows of this folder's games"),
            "{problem}"
        );
        assert_eq!(fs::read(&rows).unwrap(), foreign);
    }
    // A writer that was stopped in its first game leaves a part of its rows.
    fs::write(&rows, b"omnigoTR\x03\0").unwrap();
    label(&path, 1, "--boards 5 --seed 2").unwrap();
    let again = label(&path, 2, "--boards 5").unwrap_err().to_string();
    assert!(again.contains("other settings"), "{again}");
    let before = fs::read(&rows).unwrap();
    fs::write(&rows, &before[..before.len() - 1]).unwrap();
    let short = label(&path, 2, "--boards 5 --seed 2").unwrap_err();
    assert!(short.to_string().contains("lacks some of the"), "{short}");
}
