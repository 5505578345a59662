//! Sessions of bots that run for months: logs, results, greetings, signals, and option files.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::process::{PROGRAM, piped, send, text, with_input};

/// Options of short searches with a fixed seed.
const SHORT: &str = "--graph grid:5 --playouts 10 --threads 1 --net none --resign-below 0";

/// Returns the command of a session with these options, separated by white space.
fn command(options: &str) -> Command {
    let mut command = piped();
    command.args(options.split_whitespace());
    command
}

fn run(options: &str, input: &str) -> Output {
    with_input(&mut command(options), input)
}

fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn the_json_log_has_commands_answers_times_and_searches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let options = format!("{SHORT} --log-json {} --log-size 1", path.display());
    let output = run(
        &options,
        "7 genmove b\n# hello\nfoo\nkata-search_analyze w\nquit\n",
    );
    assert!(output.status.success());
    let lines = json_lines(&path);
    assert!(lines.iter().all(|line| line["pid"].is_u64()));
    let answers: Vec<&Value> = lines.iter().filter(|line| line["ms"].is_number()).collect();
    assert_eq!(answers.len(), 4, "{lines:?}");
    assert_eq!(answers[0]["command"], "7 genmove b");
    assert!(answers[0]["answer"].as_str().unwrap().starts_with("= "));
    let search = &answers[0]["search"];
    assert_eq!(search["color"], "black");
    assert!(search["visits"].as_u64().unwrap() >= 1);
    assert!((0.0..=1.0).contains(&search["winrate"].as_f64().unwrap()));
    assert!(search["variation"][0].is_string());
    assert_eq!(answers[1]["answer"], "? unknown command");
    assert!(answers[1]["search"].is_null());
    let comments = lines.iter().filter(|line| line["command"] == "# hello");
    assert_eq!(comments.count(), 1);
    assert!(lines.iter().any(|line| line["line"].is_string()));
    assert!(lines[0]["note"].as_str().unwrap().starts_with("omnigo "));
    assert_eq!(lines.last().unwrap()["note"], "the client ends the session");
}

#[test]
fn an_unwritable_file_gets_one_warning_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none").join("file");
    let mut places = vec![missing.display().to_string()];
    if cfg!(target_os = "linux") {
        places.push("/dev/full".to_string());
    }
    for place in places {
        let options = format!("{SHORT} --log {place} --log-json {place} --results {place}");
        let input = "genmove b\nplay w resign\nclear_board\ngenmove b\nplay w resign\nquit\n";
        let output = run(&options, input);
        assert!(output.status.success(), "{place}");
        assert_eq!(text(&output.stdout).matches("= ").count(), 6);
        let errors = text(&output.stderr);
        for option in ["--log ", "--log-json ", "--results "] {
            let warning = format!("warning: {option}");
            assert_eq!(errors.matches(&warning).count(), 1, "{errors}");
        }
    }
}

#[test]
fn results_of_several_sessions_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let options = format!(
        "{SHORT} --ruleset chinese --komi 6.5 --results {}",
        path.display()
    );
    for _ in 0..2 {
        let input = "boardsize 5\nclear_board\nset_free_handicap B2 D4\ngenmove w\nplay b resign\n";
        assert!(run(&options, input).status.success());
    }
    let lines = json_lines(&path);
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert_eq!(line["board"], "grid:5x5");
        assert_eq!(line["ruleset"], "chinese");
        assert_eq!(line["komi"], 6.5);
        assert_eq!(line["handicap"], 2);
        assert_eq!(line["result"], "W+R");
        assert_eq!(line["end"], "resignation");
        assert_eq!(line["moves"].as_array().unwrap().len(), 1);
        assert_eq!(line["moves"][0][0], "white");
        assert!(line["seconds"]["white"].is_number());
        assert!(line["date"].as_str().unwrap().ends_with('Z'));
    }
}

/// Returns the process after it has searched for half a second.
#[cfg(unix)]
fn searching(options: &str) -> std::process::Child {
    use std::io::Read;
    let mut child = command(options).spawn().unwrap();
    let input = child.stdin.as_mut().unwrap();
    // The first answer shows that the session has started and listens to signals.
    input.write_all(b"protocol_version\n").unwrap();
    let mut answer = [0; 5];
    let output = child.stdout.as_mut().unwrap();
    output.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"= 2\n\n");
    let input = child.stdin.as_mut().unwrap();
    input.write_all(b"genmove b\nname\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    child
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_with_complete_files() {
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let (log, results) = (folder.path().join("log"), folder.path().join("results"));
        let options = format!(
            "--graph grid:9 --time 600 --threads 1 --net none --log-json {} --results {}",
            log.display(),
            results.display()
        );
        let mut child = searching(&options);
        // The end of input would end the session too, so the pipe stays open.
        let input = child.stdin.take();
        send(signal, &child);
        let begun = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert!(begun.elapsed().as_secs() < 30);
        assert_eq!(output.status.code(), Some(128 + number));
        let answer = text(&output.stdout);
        assert!(
            answer.starts_with("= ") && answer.ends_with("\n\n"),
            "{answer}"
        );
        assert!(!answer.contains("omnigo"), "the waiting command is dropped");
        let log = json_lines(&log);
        let note = format!("signal {number} ends the session");
        assert_eq!(log.last().unwrap()["note"], note);
        let results = json_lines(&results);
        assert_eq!(results.len(), 1);
        assert_eq!(results[0]["end"], "left");
        assert_eq!(results[0]["moves"].as_array().unwrap().len(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_started_by_nohup_survives_a_hangup() {
    let script = format!("trap '' HUP; exec '{PROGRAM}' --graph grid:5 --net none");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"protocol_version\n").unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    assert_eq!(line, "= 2\n");
    send("HUP", &child);
    std::thread::sleep(std::time::Duration::from_millis(200));
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_ends_a_session() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    if u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap() & 1 != 0 {
        // The tests were started by a program such as nohup, so the session ignores it too.
        return;
    }
    let mut child = searching("--graph grid:9 --time 600 --threads 1 --net none");
    let input = child.stdin.take();
    send("HUP", &child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(129));
    drop(input);
}

#[test]
fn a_closed_pipe_ends_a_session_without_an_error() {
    let mut child = command(SHORT).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"name\nname\n");
    assert!(child.wait().unwrap().success());
    drop(input);
}

#[test]
fn each_bridge_gets_the_greeting_in_its_own_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.toml");
    let words = "greeting = \"Hello, have a good game\"\nfarewell = \"Thanks for the game\"\n";
    std::fs::write(&path, words).unwrap();
    let options = format!("{SHORT} --config {}", path.display());
    let (greeting, farewell) = ("DISCUSSION:Hello, have a good game", "DISCUSSION:Thanks");

    // gtp2ogs reads standard error. A game that is sent again is greeted once.
    let output = run(
        &options,
        "play b c3\ngenmove w\nplay b b2\ngenmove w\nclear_board\nplay b c3\nplay w d3\n\
         play b b2\ngenmove w\nplay b resign\nclear_board\ngenmove b\nquit\n",
    );
    let errors = text(&output.stderr);
    assert_eq!(errors.matches(greeting).count(), 2, "{errors}");
    assert_eq!(errors.matches(farewell).count(), 1, "{errors}");

    // kgsGtp sends answers to messages.
    let input = "genmove b\nkgs-chat game visitor hi\nkgs-game_over\nkgs-chat game visitor bye\n";
    let answers = text(&run(&options, input).stdout);
    assert!(answers.contains("= Hello, have a good game visitor, this is omnigo"));
    assert!(
        answers.contains("= Thanks for the game visitor"),
        "{answers}"
    );

    // CGOS keeps comments. Its farewell comes with the pass that ends the game.
    let input = "cgos-genmove_analyze b\nplay w pass\ncgos-genmove_analyze b\n";
    let answers = text(&run(&options, input).stdout);
    let comment = "\"comment\":\"Hello, have a good game\"";
    assert_eq!(answers.matches(comment).count(), 1, "{answers}");

    let silent = run(SHORT, input);
    assert!(!text(&silent.stdout).contains("comment"));
    assert!(!text(&silent.stderr).contains("DISCUSSION"));
}

#[test]
fn the_written_file_sets_up_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.toml");
    let out = format!("config --out {}", path.display());
    assert!(run(&out, "").status.success());
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text(&run("config", "").stdout).trim_end(),
        written.trim_end()
    );
    let input = "kata-get-param maxPlayouts\nquit\n";
    let with = written.replace("# playouts = N", "playouts = 12");
    assert_ne!(with, written);
    std::fs::write(&path, with).unwrap();
    for (options, playouts) in [("", "= 12\n"), ("--playouts 13", "= 13\n")] {
        let options = format!("gtp --config {} {options}", path.display());
        let output = run(&options, input);
        assert!(output.status.success());
        assert!(text(&output.stdout).starts_with(playouts));
    }
    std::fs::write(&path, "[gtp]\nplayout = 5\n").unwrap();
    let output = run(&format!("--config {}", path.display()), "");
    assert_eq!(output.status.code(), Some(2));
    let expected = format!(
        "error: '{}' line 2: unknown key 'playout', expected 'playouts'\n",
        path.display()
    );
    assert_eq!(text(&output.stderr), expected);
}

#[test]
fn openings_vary_with_the_seed_and_can_be_repeated() {
    let game = |seed: &str| {
        let options = format!(
            "--graph grid:9 --playouts 30 --threads 1 --net none --opening-temperature 2 --seed {seed}"
        );
        text(&run(&options, &"genmove b\ngenmove w\n".repeat(4)).stdout)
    };
    let games: Vec<String> = ["1", "2", "3", "4"].map(game).to_vec();
    assert_eq!(games[0], game("1"));
    assert!(games.iter().any(|other| *other != games[0]), "{games:?}");
}
