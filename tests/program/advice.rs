//! Advice for users in the FAQ, in troubleshooting, and in the guide: the messages are those of the
//! engine, and the options exist.

use std::fs;
use std::path::PathBuf;

use crate::process::{piped, text, with_input};

/// Options of other engines that a page warns of.
const FOREIGN: &[&str] = &["--mode gtp", "--gtp"];
/// Command lines to which an option of a page may belong.
const LINES: &[&str] = &[
    "",
    "analysis",
    "play",
    "graph petersen",
    "solve --graph petersen --ruleset ggg",
    "match --black a --white b --games 1",
];

fn page(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("docs").join(name)).unwrap()
}

/// Runs the engine in an empty folder. Returns its output and errors together.
fn run(line: &str, input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = piped();
    command
        .args(line.split_whitespace())
        .current_dir(folder.path());
    let output = with_input(&mut command, input);
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn troubleshooting_quotes_messages_of_the_engine() {
    let page = page("troubleshooting.md");
    let cases = [
        ("--mode gtp", "", "unexpected argument"),
        ("--log missing/omnigo.log", "", "' cannot be written"),
        ("graph file:missing.graphml --info", "", "invalid file"),
        ("", "nonsense\n", "unknown command"),
        (
            "",
            "boardsize 53\n",
            "unacceptable size: 53, expected 1 to 52",
        ),
        (
            "--graph torus:13x13",
            "boardsize 9\n",
            "unacceptable size: 9, expected 13: the command line fixes the board",
        ),
        (
            "--size 9",
            "play b A1\nplay w A1\n",
            "illegal move: occupied",
        ),
        (
            "--size 9",
            "play b A2\nplay b B1\nplay w A1\n",
            "illegal move: suicide of a single stone",
        ),
        (
            "--size 9",
            "play b Z9\n",
            "syntax error: vertex 'Z9' is not on this board,",
        ),
        (
            "--size 9",
            "play b A1\nfixed_handicap 2\n",
            "board not empty",
        ),
    ];
    for (line, input, message) in cases {
        assert!(page.contains(message), "not on the page: {message}");
        let found = run(line, input);
        assert!(found.contains(message), "{message}, found:\n{found}");
    }
    // Each machine lacks at least one of the kernels of other processors.
    let lacking = ["neon", "amx"].map(|kernel| run(&format!("--net-kernel {kernel}"), ""));
    let message = "this machine cannot run the kernel";
    assert!(page.contains(message));
    assert!(lacking.iter().any(|found| found.contains(message)));
}

#[test]
fn the_faq_is_true_of_komi_and_strict_rules() {
    let page = page("faq.md");
    let answers = run("", "set_ruleset chinese\nget_komi\nget_ruleset\n");
    assert!(answers.contains("= 0\n\n= chinese\n"), "{answers}");
    let rounded = "komi 6.3 was rounded to 6.5";
    assert!(page.contains(rounded));
    assert!(run("", "komi 6.3\n").contains(rounded));
    // Black may retake the ko at C2 only where `play` is tolerant.
    let ko = "play b b1\nplay w c1\nplay b a2\nplay w d2\nplay b b3\nplay w c3\nplay b c2\n\
              play w b2\nplay b c2\n";
    let strict = "chinese,play=strict";
    assert!(page.contains(strict));
    assert!(!run("--size 5 --ruleset chinese", ko).contains('?'));
    assert!(run(&format!("--size 5 --ruleset {strict}"), ko).contains("? illegal move: ko"));
}

#[test]
fn options_on_pages_for_users_exist() {
    let pages = [
        "faq.md",
        "troubleshooting.md",
        "clients.md",
        "guide/installation.md",
        "guide/first-game.md",
        "guide/bot.md",
        "guide/analysis.md",
        "guide/graphs.md",
        "guide/exact.md",
        "guide/python.md",
    ];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for name in pages {
        let text = page(name);
        for span in text.split('`').skip(1).step_by(2) {
            if !span.starts_with("--") || FOREIGN.contains(&span) {
                continue;
            }
            count += 1;
            let known = LINES.iter().any(|line| {
                let words: Vec<String> = line
                    .split_whitespace()
                    .chain(span.split_whitespace())
                    .map(str::to_string)
                    .collect();
                // A value may be a placeholder or missing, but the option must exist.
                match omnigo::cli::parses(&words) {
                    Ok(()) => true,
                    Err(problem) => !problem.contains("unexpected argument"),
                }
            });
            if !known {
                wrong.push(format!("{name}: {span}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 50, "{count} options found");
}
