//! Programs that evaluate the teacher of `omnigo label`, and fail in every way: labeling ends with
//! one line, leaves no process behind, and loses no game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;
use omnigo::arguments::guidance;
use omnigo::net::Weights;
use omnigo::training::format::Kind;
use omnigo::training::label::{self, LabelArgs, LabelError, Total};

use super::SAMPLE as TEACHER;
use super::training_folder::{games, new_folder, rows};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    label: LabelArgs,
}

/// Size in bytes of a request with one position of 5x5.
const REQUEST: usize = 12 + 19 * 4 + 25 * 4;

/// Returns the numbers of policy outputs per move and of scores.
fn sizes() -> [usize; 2] {
    let found = guidance(Some(Path::new(TEACHER)), None).unwrap().unwrap();
    match found.network {
        Weights::KataGo(network) => network.output_sizes(),
        other => panic!("expected a network of KataGo: {other:?}"),
    }
}

/// Size in bytes of the answer to a position of 5x5.
fn answer() -> usize {
    let [policies, scores] = sizes();
    4 * (25 * policies + policies + 3 + scores + 25)
}

/// Returns shell code that prints the greeting.
fn greeting() -> String {
    let [policies, scores] = sizes();
    let number = |number: usize| format!("\\{number:03o}\\000\\000\\000");
    let numbers = [1, policies, scores].map(number).concat();
    format!("printf 'omnigoTE{numbers}'")
}

/// Returns shell code that answers a number of requests with zeros.
fn zeros(requests: usize) -> String {
    let answer = answer();
    format!(
        "n=0; while [ $n -lt {requests} ]; do n=$((n+1)); \
         [ $(dd bs={REQUEST} count=1 iflag=fullblock 2>/dev/null | wc -c) = {REQUEST} ] || exit; \
         head -c {answer} /dev/zero; done"
    )
}

/// Labels games on 5x5 with a shell script as the evaluator.
fn label(out: &Path, games: u32, script: &str) -> Result<Total, LabelError> {
    fs::create_dir_all(out).unwrap();
    let (file, pid) = (out.join("evaluator.sh"), out.join("pid"));
    fs::write(&file, format!("echo $$ > '{}'\n{script}\n", pid.display())).unwrap();
    let (out, games) = (out.display().to_string(), games.to_string());
    let evaluator = format!("sh '{}'", file.display());
    let words = [
        ["--out", &out],
        ["--games", &games],
        ["--boards", "5"],
        ["--teacher", TEACHER],
        ["--evaluator", &evaluator],
    ];
    let result = label::run(&Cli::parse_from(["label"].into_iter().chain(words.concat())).label);
    let pid = fs::read_to_string(&pid).unwrap();
    // Not every system has the program `kill`, but each shell has the command.
    let mut alive = Command::new("sh");
    let line = format!("kill -0 {}", pid.trim());
    alive.args(["-c", &line]).stderr(Stdio::null());
    assert!(
        !alive.status().unwrap().success(),
        "{script}: a process is left"
    );
    result
}

/// Returns the path of a test's own folder, without old files.
fn folder(name: &str) -> PathBuf {
    new_folder(&format!("evaluator-{name}"))
}

#[test]
fn failures_end_with_one_line() {
    let path = folder("failures");
    let (greeting, answer) = (greeting(), answer());
    let half = answer / 2;
    let nan = format!("head -c {answer} /dev/zero | tr '\\0' '\\377'");
    let longer = format!("head -c {} /dev/zero", answer + 1);
    let wait = "cat > /dev/null";
    for (script, part) in [
        ("exit 3".into(), "no greeting"),
        (
            "echo 'Loading the network, please wait …'".into(),
            "no greeting",
        ),
        ("tr '\\0' '\\377' < /dev/zero".into(), "no greeting"),
        (greeting.clone(), "ended before"),
        (format!("exec <&-; {greeting}; sleep 0.2"), "ended before"),
        (format!("{greeting}; head -c 9; kill -9 $$"), "ended before"),
        (
            format!("{greeting}; head -c 9 > /dev/null; head -c {half} /dev/zero"),
            "ended before",
        ),
        (
            // One write, so that the reader sees all of it.
            format!("{}more'; {wait}", greeting.trim_end_matches('\'')),
            "more than its answers",
        ),
        (
            format!("{greeting}; cat /dev/zero"),
            "more than its answers",
        ),
        (
            format!(
                "{greeting}; {}; head -c 9 > /dev/null; {longer}; {wait}",
                zeros(3)
            ),
            "more than its answers",
        ),
        (
            format!("{greeting}; head -c 9 > /dev/null; {nan}; {wait}"),
            "not finite",
        ),
    ] {
        let problem = label(&path, 2, &script).unwrap_err().to_string();
        assert!(problem.contains(part), "{script}: {problem}");
        assert!(!problem.contains('\n'), "{problem}");
    }
    assert!(games(&path).is_empty());
}

#[test]
fn a_run_continues_after_its_evaluator_was_killed() {
    let (whole, cut) = (folder("whole"), folder("cut"));
    let answers = |number| format!("{}; {}", greeting(), zeros(number));
    let total = label(&whole, 3, &answers(usize::MAX >> 1)).unwrap();
    for number in [5, 12] {
        let problem = label(&cut, 3, &answers(number)).unwrap_err().to_string();
        assert!(problem.contains("ended before"), "{problem}");
    }
    assert!(games(&cut).len() < 3);
    assert_eq!(label(&cut, 3, &answers(usize::MAX >> 1)).unwrap(), total);
    assert_eq!(games(&cut), games(&whole));
    assert_eq!(
        rows(&cut, "5x5", Kind::Labeled),
        rows(&whole, "5x5", Kind::Labeled)
    );
}

#[test]
fn a_program_that_ignores_the_end_of_its_input_is_killed() {
    let script = format!("exec <&-; {}; exec sleep 1000", greeting());
    let problem = label(&folder("deaf"), 1, &script).unwrap_err();
    assert!(problem.to_string().contains("ended before"), "{problem}");
}
