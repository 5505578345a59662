//! Command lines in README, CONTRIBUTING, and `docs/`. All of them parse, and the quick ones run
//! and print the output that the page shows. So do lines that pipe GTP into the engine.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::process::{self, text};

/// Time limit of a command. A command that takes longer is stopped, and must be one of [`SLOW`].
const LIMIT: Duration = Duration::from_secs(60);
/// Commands that may exceed the limit on a slow machine. Their output is then not compared.
const SLOW: &[&str] = &["count positions --graph grid:9"];
/// Subcommands that are run. The others need files, games, or engines.
const RUN: &[&str] = &["graph", "solve", "komi", "count", "life", "check"];
/// Folders of translations, whose commands `tests/sources/pages.rs` compares with those of the
/// English pages.
const TRANSLATIONS: &[&str] = &["ja", "ko", "zh"];
/// Words of input whose answers vary with the search. Only the number of output lines is compared.
const VARYING: &[&str] = &["genmove", "analyze", "search", "maxVisits"];
/// Placeholder words, and an argument for each.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("SPEC", "path:3"),
    ("NAME", "ggg"),
    ("FORMAT", "graph6"),
    ("KIND", "graph"),
    ("WHAT", "positions"),
    ("MOVES", "pass,pass"),
    ("COMMAND", "graph"),
    ("SHELL", "bash"),
    ("N", "2"),
    ("K", "2"),
    ("D", "2"),
];

/// Parts of the messages of a command line that a sentence shows without its arguments.
const PARTIAL: &[&str] = &[
    "required arguments were not provided",
    "a value is required for",
    "unexpected argument '[",
];

/// A command line on a page.
struct Shown {
    page: String,
    words: Vec<String>,
    /// Text that `printf` pipes into the engine; empty without a pipe.
    input: String,
    /// Output lines that the page shows.
    output: Vec<String>,
    /// True if the command is part of a sentence. It may then lack arguments.
    in_text: bool,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Splits a shell line into words. Quotes hold a word together. A pipe, a redirection, or a comment
/// ends the command.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, open) = (Some(c), true),
            (None, '|' | '>' | '#' | ';' | '&') if word.is_empty() => break,
            (None, c) if c.is_whitespace() => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, c) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns the words of a line that runs omnigo itself, without the program. `None` for any other
/// line.
fn command(line: &str) -> Option<Vec<String>> {
    let line = line.trim().trim_start_matches("exec ");
    let mut words = words(line.split("&& ").last()?);
    let program = words.first()?;
    let named = program == "omnigo" || program.ends_with("/omnigo");
    if !named || line.contains('…') || line.contains("...") {
        return None;
    }
    words.remove(0);
    Some(words)
}

/// Returns the text and the command of a line that pipes text into omnigo by `printf`.
fn piped(line: &str) -> Option<(String, Vec<String>)> {
    let rest = line.trim().strip_prefix("printf '")?;
    let (text, rest) = rest.split_once('\'')?;
    let words = command(rest.trim_start().strip_prefix('|')?)?;
    Some((text.replace("\\n", "\n"), words))
}

/// Adds the pages in a folder, except translations.
fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !TRANSLATIONS.contains(&name.as_str()) {
            add_pages(&path, pages);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    add_pages(&root().join("docs"), &mut pages);
    pages.push(root().join("README.md"));
    pages.push(root().join("CONTRIBUTING.md"));
    pages.sort();
    pages
}

/// Returns every command line on a page, in code blocks and code spans.
fn shown(path: &Path) -> Vec<Shown> {
    let text = fs::read_to_string(path).unwrap();
    let page = path.file_name().unwrap().to_string_lossy().to_string();
    let mut found = Vec::new();
    let (mut block, mut plain) = (None::<Vec<String>>, String::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            if let Some(lines) = block.take() {
                let joined = lines.join("\n").replace("\\\n", " ");
                let lines: Vec<&str> = joined.lines().collect();
                // The block is one command and its output.
                let read = |line: &str| {
                    let plain = command(line).map(|words| (String::new(), words));
                    plain.or_else(|| piped(line))
                };
                // A shortened command is no output either.
                let is_output = |line: &&str| read(line).is_none() && !line.starts_with("omnigo ");
                let output = lines.iter().skip(1).all(is_output);
                for (number, line) in lines.iter().enumerate() {
                    if let Some((input, words)) = read(line) {
                        let output = if number == 0 && output {
                            lines[1..]
                                .iter()
                                .map(|line| line.trim_end().to_string())
                                .collect()
                        } else {
                            Vec::new()
                        };
                        found.push(Shown {
                            page: page.clone(),
                            words,
                            input,
                            output,
                            in_text: false,
                        });
                    }
                }
            } else {
                block = Some(Vec::new());
            }
        } else if let Some(lines) = &mut block {
            lines.push(line.to_string());
        } else {
            plain.push_str(line);
            plain.push('\n');
        }
    }
    // A code span may continue on the next line.
    let plain = plain.replace('\n', " ");
    for span in plain.split('`').skip(1).step_by(2) {
        if let Some(words) = command(&span.replace("\\|", "|")).filter(|words| !words.is_empty()) {
            found.push(Shown {
                page: page.clone(),
                words,
                input: String::new(),
                output: Vec::new(),
                in_text: true,
            });
        }
    }
    found
}

/// Replaces placeholders by arguments. Also returns true if there were any.
fn filled(words: &[String]) -> (Vec<String>, bool) {
    let mut replaced = false;
    let fill = |word: &String| match PLACEHOLDERS.iter().find(|(name, _)| name == word) {
        Some((_, argument)) => {
            replaced = true;
            (*argument).to_string()
        }
        None => word.clone(),
    };
    (words.iter().map(fill).collect(), replaced)
}

#[test]
fn every_command_line_parses() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for shown in pages().iter().flat_map(|page| shown(page)) {
        let (words, _) = filled(&shown.words);
        // A text may name a subcommand alone, without its arguments.
        if words.len() < 2 {
            continue;
        }
        count += 1;
        if let Err(problem) = omnigo::cli::parses(&words)
            && !(shown.in_text && PARTIAL.iter().any(|part| problem.contains(part)))
        {
            wrong.push(format!(
                "{}: {}\n{problem}",
                shown.page,
                shown.words.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 40, "{count} command lines found");
}

/// Runs a command in an empty folder and sends it the input. Returns success, output, and errors.
/// `None` if it takes too long.
fn run(words: &[String], input: &str) -> Option<(bool, String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let mut child = process::piped()
        .args(words)
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    // A full pipe would stop the command.
    let outputs = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let outputs = (read(outputs.0), read(outputs.1));
    // A command that reads no input may end before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let end = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > end {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let text = |output: JoinHandle<Vec<u8>>| text(&output.join().unwrap());
    Some((status.success(), text(outputs.0), text(outputs.1)))
}

/// Reads a stream to its end in a thread.
fn read(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Tells which commands were stopped, and fails if one of them is not known to be slow.
fn report_skipped(skipped: &[String]) {
    for line in skipped {
        println!(
            "skipped: omnigo {line}, it took more than {} s",
            LIMIT.as_secs()
        );
    }
    let unknown: Vec<&String> = skipped
        .iter()
        .filter(|line| !SLOW.contains(&line.as_str()))
        .collect();
    assert!(unknown.is_empty(), "too slow, and not in SLOW: {unknown:?}");
}

#[test]
fn slow_commands_are_few_and_shown_by_a_page() {
    assert!(SLOW.len() < 4, "{SLOW:?}");
    let lines: Vec<String> = pages()
        .iter()
        .flat_map(|page| shown(page))
        .map(|shown| shown.words.join(" "))
        .collect();
    for slow in SLOW {
        assert!(lines.iter().any(|line| line == slow), "{slow}");
    }
}

#[test]
fn quick_command_lines_print_the_documented_output() {
    let (mut ran, mut skipped) = (0, Vec::new());
    for shown in pages().iter().flat_map(|page| shown(page)) {
        if shown.in_text || !shown.input.is_empty() {
            // A sentence may show only a part of a command.
            continue;
        }
        let (words, replaced) = filled(&shown.words);
        let quick = words
            .first()
            .is_some_and(|word| RUN.contains(&word.as_str()));
        let files = words
            .iter()
            .any(|word| word.contains("file:") || word.contains("FILE"));
        if !quick || replaced || files || words.len() < 2 {
            continue;
        }
        let line = words.join(" ");
        let Some((done, output, problem)) = run(&words, "") else {
            skipped.push(line);
            continue;
        };
        assert!(done, "{}: {line}\n{output}{problem}", shown.page);
        if !shown.output.is_empty() {
            let expected = shown.output.join("\n");
            assert_eq!(
                output.trim_end(),
                expected.trim_end(),
                "{}: {line}",
                shown.page
            );
        }
        ran += 1;
    }
    report_skipped(&skipped);
    assert!(ran > 5, "{ran} command lines ran");
}

#[test]
fn piped_lines_succeed_and_print_the_documented_output() {
    let (mut ran, mut skipped) = (0, Vec::new());
    for shown in pages().iter().flat_map(|page| shown(page)) {
        if shown.input.is_empty() {
            continue;
        }
        let line = format!(
            "{}: {:?} {}",
            shown.page,
            shown.input,
            shown.words.join(" ")
        );
        let Some((done, output, problem)) = run(&shown.words, &shown.input) else {
            skipped.push(line);
            continue;
        };
        assert!(done, "{line}\n{problem}");
        let failure = output.lines().find(|answer| answer.starts_with('?'));
        assert_eq!(failure, None, "{line}");
        ran += 1;
        if shown.output.is_empty() {
            continue;
        }
        let expected = shown.output.join("\n");
        let lines = |text: &str| -> Vec<String> {
            let lines = text.trim_end().lines();
            lines.map(|line| line.trim_end().to_string()).collect()
        };
        let (found, expected) = (lines(&output), lines(&expected));
        if VARYING.iter().any(|word| shown.input.contains(word)) {
            assert_eq!(found.len(), expected.len(), "{line}\n{output}");
        } else {
            assert_eq!(found, expected, "{line}");
        }
    }
    report_skipped(&skipped);
    assert!(ran > 5, "{ran} lines ran");
}

#[test]
fn the_readme_counts_the_rulesets() {
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let count = omnigo::rules::presets::all().len();
    assert!(page.contains(&format!("[{count} rulesets](")), "{count}");
}
