//! Input without anything to work on, and output that cannot be written. Both are told in one line,
//! before any work, and no file changes.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::process::{PROGRAM, with_input};
use crate::process::{omnigo, text};

/// Runs a command that fails with status 1. Returns its message.
fn failure(words: &[&str]) -> String {
    let output = omnigo(words);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {told}");
    assert!(output.stdout.is_empty(), "{words:?}: {output:?}");
    assert_eq!(told.lines().count(), 1, "{words:?}: {told}");
    told
}

/// Writes a file into a folder and returns its path.
fn file(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.display().to_string()
}

#[test]
fn nothing_is_learned_from_files_without_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let out = file(folder, "out", "old");
    let empty = file(folder, "empty", "");
    let without_moves = file(folder, "without_moves", &"B+R\t\n".repeat(100));
    let illegal = file(folder, "illegal", &"B+R\ttttttt\n".repeat(100));
    for (games, options) in [
        (&empty, &[][..]),
        (&without_moves, &[]),
        (&illegal, &[]),
        (&without_moves, &["--positions", "0"]),
    ] {
        let told = failure(&[&["fit", games, "--out", &out], options].concat());
        assert!(
            told.contains("has no moves to learn from, expected"),
            "{told}"
        );
    }
    for (games, options) in [
        (&empty, &[][..]),
        (&empty, &["--held-out"]),
        (&without_moves, &[]),
        (&without_moves, &["--held-out"]),
    ] {
        let told = failure(&[&["rows", games, "--out", &out], options].concat());
        assert!(told.contains("has no games to write rows of"), "{told}");
    }
    for games in [&empty, &without_moves] {
        let words = ["selfplay", "--from-records", games, "--boards", "19"];
        let told = failure(&[&words[..], &["--games", "1", "--out", &out]].concat());
        assert!(told.contains("has no games to start from"), "{told}");
    }
    let told = failure(&["rate", &empty]);
    assert!(told.contains("no games in these records"), "{told}");
    failure(&["accuracy", &empty]);
    failure(&["review", &empty, "--out", &out]);
    failure(&["record", &empty, "--to", "svg", "--out", &out]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 4);
}

#[test]
fn few_games_hold_none_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = file(folder.path(), "games", "B+R\tpddd\n");
    let out = folder.path().join("out").display().to_string();
    let output = omnigo(&["rows", &games, "--held-out", "--out", &out]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stderr).trim(), "0 rows");
    assert_eq!(fs::read(&out).unwrap().len(), 16, "the header alone");
}

/// Returns a line of a match on a graph. Numbers 9 and 10 are games of a held-out opening.
fn game(number: u32, moves: &str) -> String {
    format!(
        r#"{{"game":{number},"opening":1,"first":"black","moves":[{moves}],"settings":{{"graph":"king:4x4"}}}}"#
    ) + "\n"
}

#[test]
fn nothing_is_learned_from_matches_without_moves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (out, answers) = (file(folder, "out", "old"), file(folder, "answers", "old"));
    let stones = r#""A1","B3","D4","A4","C1""#;
    for (name, content, expected) in [
        ("empty", String::new(), "no games to learn from"),
        ("opening", game(1, r#""A1""#), "no moves to learn from"),
        ("held", game(9, stones), "no moves to learn from"),
        (
            "one",
            game(1, r#""A1","pass","B3""#),
            "no playout answers to learn from",
        ),
    ] {
        let matches = file(folder, name, &content);
        let words = [
            "fit",
            "--matches",
            &matches,
            "--out",
            &out,
            "--answers",
            &answers,
        ];
        let told = failure(&words);
        assert!(told.contains(expected), "{name}: {told}");
        for path in [&out, &answers] {
            assert_eq!(fs::read_to_string(path).unwrap(), "old", "{name}");
        }
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_input_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = file(folder.path(), "wrong", "no game, no board");
    let out = folder.path().join("absent").join("out");
    let out = out.display().to_string();
    let other = file(folder.path(), "other", "");
    let board = format!("file:{wrong}");
    for words in [
        &["fit", &wrong][..],
        &["fit", &wrong, "--matches", &wrong, "--answers", &other],
        &["rows", &wrong],
        &["record", &wrong, "--to", "pdf"],
        &["graph", &board, "--to", "svg"],
        &["graph", &board, "--info"],
    ] {
        let told = failure(&[words, &["--out", &out]].concat());
        let problem = told.strip_prefix("error: cannot ").unwrap_or_default();
        assert!(problem.contains(&out), "{words:?}: {told}");
    }
    let told = failure(&["fit", "--matches", &wrong, "--answers", &out]);
    assert!(told.contains(&out), "{told}");
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let begun = Instant::now();
    let out = "/no/such/folder/cost.svg";
    let told = failure(&["bench", "cost", "--time", "5", "--out", out]);
    assert!(
        told.contains("cannot write '/no/such/folder/cost.svg'"),
        "{told}"
    );
    assert!(begun.elapsed() < Duration::from_secs(60));

    // Folders stand where files belong.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir_all(path("atlas/atlas.html")).unwrap();
    let told = failure(&["atlas", "--vertices", "2", "--out", &path("atlas")]);
    assert!(
        told.contains("atlas.html': a folder, expected a file"),
        "{told}"
    );
    assert!(!Path::new(&path("atlas/atlas.csv")).exists());

    fs::create_dir_all(path("sgf/game-00001.sgf")).unwrap();
    let players = ["match", "--black", "absent", "--white", "absent"];
    let told = failure(&[&players[..], &["--games", "1", "--sgf", &path("sgf")]].concat());
    assert!(
        told.contains("game-00001.sgf': a folder, expected a file"),
        "{told}"
    );
}

/// Runs a command in a folder where no file may exceed one block, 512 or 1024 bytes, as if the disk
/// were full.
#[cfg(target_os = "linux")]
fn without_space(folder: &Path, line: &str, input: &str) -> std::process::Output {
    use std::process::{Command, Stdio};
    // Ignoring the signal of the limit makes a write beyond it an error.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$@\"";
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh", PROGRAM])
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    with_input(&mut command, input)
}

/// Returns the names and contents of all files in a folder, sorted by name.
#[cfg(target_os = "linux")]
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap())
    });
    let mut files: Vec<_> = entries.collect();
    files.sort();
    files
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_old_game_and_leaves_no_part_of_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let save = ["save_game g.json", "printsgf g.sgf", "write_svg g.svg"];
    let saved = save.map(|line| line.split(' ').nth(1).unwrap());
    for name in saved {
        file(folder, name, "old");
    }
    let before = contents(folder);
    let mut input = "boardsize 19\n".to_string();
    // Every chain is beside an empty column.
    for (column, color) in "BCEFHJLMOPRS".chars().zip(["b", "w"].into_iter().cycle()) {
        for row in 1..20 {
            input += &format!("play {color} {column}{row}\n");
        }
    }
    let played = input.lines().count();
    input += &save.map(|line| format!("{line}\n")).concat();
    // A new name, and a device that is always full.
    input += "save_game new.json\nsave_game /dev/full\nprintsgf /dev/full\nname\n";
    let output = without_space(folder, "--net none", &input);
    let answers = text(&output.stdout);
    let answers: Vec<&str> = answers.split_terminator("\n\n").collect();
    for name in saved.iter().copied().chain(["new.json"]) {
        let failed = format!("? cannot save file: '{name}': File too large");
        let count = answers.iter().filter(|a| a.starts_with(&failed)).count();
        assert_eq!(count, 1, "{name}: {answers:?}");
    }
    let full = "? cannot save file: '/dev/full': No space left on device";
    let count = answers.iter().filter(|a| a.starts_with(full)).count();
    assert_eq!(count, 2, "{answers:?}");
    assert!(answers.iter().all(|answer| !answer.contains('\n')));
    assert_eq!(answers.len(), played + 7);
    assert_eq!(answers.last(), Some(&"= omnigo"));
    assert_eq!(contents(folder), before);
    // With space, the same session writes all four files.
    let mut command = crate::process::piped();
    let output = with_input(command.args(["--net", "none"]).current_dir(folder), &input);
    assert!(output.status.success(), "{output:?}");
    let after = contents(folder);
    assert_eq!(after.len(), 4);
    assert!(after.iter().all(|(_, content)| content.len() > 1024));
}

#[cfg(target_os = "linux")]
#[test]
fn commands_on_a_full_disk_fail_in_one_line_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    file(folder, "a.sgf", "(;SZ[9]KM[7]RU[chinese];B[cc];W[dd])");
    let before = contents(folder);
    for line in [
        "graph grid:19 --to svg --out",
        "graph grid:19 --to png --out",
        "graph grid:19 --to gml --out",
        "record a.sgf --to pdf --out",
        "review a.sgf --playouts 4 --net none --out",
        "config --out",
    ] {
        for (out, problem) in [
            ("out.sgf", "cannot write 'out.sgf': File too large"),
            ("/dev/full", "cannot write '/dev/full': No space left"),
        ] {
            let output = without_space(folder, &format!("{line} {out}"), "");
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{line} {out}: {told}");
            assert!(output.stdout.is_empty(), "{line} {out}: {output:?}");
            let expected = format!("error: {problem}");
            assert!(told.starts_with(&expected), "{line} {out}: {told}");
            assert_eq!(told.lines().count(), 1, "{line} {out}: {told}");
            assert_eq!(contents(folder), before, "{line} {out}");
        }
    }
}
