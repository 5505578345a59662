//! Plays every transcript under `gtp-tests/` against the binary and compares the answers.
//! `gtp-tests/README.md` describes the format. `OMNIGO_BLESS=1 cargo test --test program`
//! rewrites the answers.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::piped;

/// Maximum wait for an answer. No answer may take this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A line of a transcript, with the lines that belong to it.
enum Item {
    /// A comment, a blank line, or a command without an answer.
    Text(String),
    /// An action of the client at this point, invisible to the engine.
    Act { line: String, act: Act },
    /// A command and its expected answer.
    Exchange {
        command: String,
        line: usize,
        expected: Option<Expected>,
    },
}

/// An action of a client other than sending lines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// The client's following lines end in CR and LF.
    Crlf,
    /// The client waits until all its commands are answered.
    Wait,
    /// The client pauses for this time.
    Pause(Duration),
}

impl Act {
    fn parse(text: &str) -> Option<Act> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["crlf"] => Some(Act::Crlf),
            ["wait"] => Some(Act::Wait),
            ["pause", seconds] => {
                let seconds = seconds.parse().ok()?;
                Duration::try_from_secs_f64(seconds).ok().map(Act::Pause)
            }
            _ => None,
        }
    }
}

/// An expected answer: the text of the answer without trailing blanks.
#[derive(Clone, Debug, PartialEq)]
struct Expected {
    text: String,
    /// True if `*` in the text matches anything.
    open: bool,
}

struct Transcript {
    options: Vec<String>,
    items: Vec<Item>,
}

impl Transcript {
    fn parse(text: &str) -> Result<Transcript, String> {
        let mut options = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            if let Some(words) = line.strip_prefix("#!") {
                options.extend(words.split_whitespace().map(str::to_string));
                items.push(Item::Text(line.to_string()));
            } else if let Some(text) = line.strip_prefix("#:") {
                let act = Act::parse(text)
                    .ok_or_else(|| format!("line {}: expected crlf, wait or pause", index + 1))?;
                items.push(Item::Act {
                    line: line.to_string(),
                    act,
                });
            } else if line.starts_with("#=") || line.starts_with("#?") {
                let mut answer = line[1..].to_string();
                while let Some((_, more)) = lines.next_if(|(_, line)| line.starts_with("#  ")) {
                    answer.push('\n');
                    answer.push_str(&more[3..]);
                }
                let Some(Item::Exchange {
                    expected: expected @ None,
                    ..
                }) = items.last_mut()
                else {
                    return Err(format!("line {}: an answer without a command", index + 1));
                };
                let open = answer[1..].starts_with('~');
                if open {
                    answer.remove(1);
                }
                *expected = Some(Expected {
                    text: trimmed(&answer),
                    open,
                });
            } else if is_answered(line) {
                items.push(Item::Exchange {
                    command: line.to_string(),
                    line: index + 1,
                    expected: None,
                });
            } else {
                items.push(Item::Text(line.to_string()));
            }
        }
        Ok(Transcript { options, items })
    }

    /// Sends the input to the binary. `answered` counts the answers received so far.
    fn send(&self, mut input: impl Write, answered: &AtomicUsize) -> std::io::Result<()> {
        let (mut end, mut asked, mut text) = ("\n", 0, String::new());
        for item in &self.items {
            match item {
                Item::Text(line) => text.push_str(&format!("{line}{end}")),
                Item::Exchange { command, .. } => {
                    asked += 1;
                    text.push_str(&format!("{command}{end}"));
                }
                Item::Act { act: Act::Crlf, .. } => end = "\r\n",
                Item::Act { act: Act::Wait, .. } => {
                    input.write_all(std::mem::take(&mut text).as_bytes())?;
                    // A missing answer is reported by the comparison.
                    let begun = Instant::now();
                    while answered.load(Ordering::Acquire) < asked && begun.elapsed() < PATIENCE {
                        thread::sleep(Duration::from_millis(1));
                    }
                }
                Item::Act {
                    act: Act::Pause(time),
                    ..
                } => {
                    input.write_all(std::mem::take(&mut text).as_bytes())?;
                    thread::sleep(*time);
                }
            }
        }
        input.write_all(text.as_bytes())
    }

    /// Returns the transcript with these answers. Open answers that still match are kept.
    fn blessed(&self, answers: &[String]) -> String {
        let mut answers = answers.iter();
        let mut text = String::new();
        for item in &self.items {
            match item {
                Item::Text(line) | Item::Act { line, .. } => {
                    text.push_str(&format!("{line}\n"));
                }
                Item::Exchange {
                    command, expected, ..
                } => {
                    text.push_str(&format!("{command}\n"));
                    let Some(answer) = answers.next() else {
                        continue;
                    };
                    let (answer, open) = match expected {
                        Some(expected) if expected.open && matches(expected, answer) => {
                            (&expected.text, "~")
                        }
                        _ => (answer, ""),
                    };
                    let (mark, rest) = answer.split_at(1);
                    let shown = format!("#{mark}{open}{rest}").replace('\n', "\n#  ");
                    text.push_str(&shown);
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// Returns true if a line contains a command, that is, more than a comment, blanks, and an id.
fn is_answered(line: &str) -> bool {
    let code = line.split('#').next().unwrap_or_default().trim();
    code.chars().any(|c| !c.is_ascii_digit())
}

fn trimmed(answer: &str) -> String {
    answer
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

fn matches(expected: &Expected, answer: &str) -> bool {
    if expected.open {
        glob(&expected.text, answer)
    } else {
        expected.text == answer
    }
}

/// Returns true if `text` matches `pattern`, in which `*` matches anything.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

/// Runs the binary in the folder of the transcript, so that relative paths work.
fn answers(transcript: &Transcript, folder: &Path) -> Result<Vec<String>, String> {
    let mut child = piped()
        .args(&transcript.options)
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = child.stdin.take().ok_or("no pipe to it")?;
    let output = child.stdout.take().ok_or("no pipe from it")?;
    let answered = AtomicUsize::new(0);
    let output = thread::scope(|scope| {
        // A session that ends early closes the pipe. Missing answers are reported later.
        scope.spawn(|| transcript.send(input, &answered));
        let mut text = String::new();
        let mut lines = BufReader::new(output);
        loop {
            let before = text.len();
            match lines.read_line(&mut text) {
                Ok(0) => return Ok(text),
                Ok(_) if &text[before..] == "\n" => {
                    answered.fetch_add(1, Ordering::Release);
                }
                Ok(_) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    })?;
    let status = child.wait().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("the engine ended with {status}"));
    }
    let answers: Vec<String> = output.split_terminator("\n\n").map(trimmed).collect();
    match answers
        .iter()
        .find(|answer| !answer.starts_with(['=', '?']))
    {
        Some(stray) => Err(format!("output that is no answer: {stray}")),
        None => Ok(answers),
    }
}

/// Returns the differences as an error, one per line.
fn run(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let transcript = Transcript::parse(&text)?;
    let folder = path.parent().ok_or("no folder")?;
    let answers = answers(&transcript, folder)?;
    if std::env::var_os("OMNIGO_BLESS").is_some() {
        let blessed = transcript.blessed(&answers);
        return if blessed == text {
            Ok(())
        } else {
            fs::write(path, blessed).map_err(|error| error.to_string())
        };
    }
    let mut given = answers.iter();
    let mut problems = Vec::new();
    for item in &transcript.items {
        let Item::Exchange {
            command,
            line,
            expected,
        } = item
        else {
            continue;
        };
        let answer = given.next();
        match (expected, answer.map_or("(no answer)", String::as_str)) {
            // After `quit`.
            (None, _) if answer.is_none() => {}
            (None, answer) => problems.push(format!(
                "{line}: {command}: no answer expected, got {answer}"
            )),
            (Some(expected), answer) if !matches(expected, answer) => {
                problems.push(format!(
                    "{line}: {command}\n  expected {}\n  answered {answer}",
                    expected.text
                ));
            }
            (Some(_), _) => {}
        }
    }
    problems.extend(given.map(|answer| format!("one answer too many: {answer}")));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// Returns every `.gtp` file under the folder, sorted by name.
fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if entry.is_dir() {
            paths.extend(transcripts(&entry));
        } else if entry
            .extension()
            .is_some_and(|extension| extension == "gtp")
        {
            paths.push(entry);
        }
    }
    paths.sort();
    paths
}

#[test]
fn answers_match_the_transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gtp-tests");
    let paths = transcripts(&folder);
    assert!(!paths.is_empty());
    // Threads take the next path, because transcripts differ in length.
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let play = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(problem) = run(path) {
                let problem = format!("{}:\n{problem}", path.display());
                failures.lock().unwrap().push(problem);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(play);
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} transcripts:\n{}",
        failures.len(),
        paths.len(),
        failures.join("\n\n")
    );
}

/// Checks that every listed command occurs in a transcript.
#[test]
fn every_command_has_a_transcript() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gtp-tests");
    let all: String = transcripts(&folder)
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let missing: Vec<&str> = omnigo::gtp::commands::all()
        .map(|command| command.name)
        .filter(|name| {
            !all.lines()
                .any(|line| line.split_whitespace().next() == Some(name))
        })
        .collect();
    assert!(missing.is_empty(), "no transcript has {missing:?}");
}

#[test]
fn globs_match_anything_at_stars() {
    for (pattern, text, yes) in [
        ("= *", "= D4", true),
        ("= *", "= a\nb", true),
        ("= B+*", "= W+3", false),
        ("= a*b*c", "= axxbyyc", true),
        ("= a*b*c", "= axxcyyb", false),
        ("= a*a", "= a", false),
        ("= D4", "= D4", true),
        ("= D4", "= D40", false),
    ] {
        assert_eq!(glob(pattern, text), yes, "{pattern} {text}");
    }
}

#[test]
fn blessing_keeps_comments_and_open_answers() {
    let text = "#! --seed 1\n# a comment\n\nname\n#= old\ngenmove b\n#=~ *\n3\nshowboard\n";
    let transcript = Transcript::parse(text).unwrap();
    assert_eq!(transcript.options, ["--seed", "1"]);
    let answers = ["= omnigo", "= D4", "= a\n  b"].map(str::to_string);
    let blessed = transcript.blessed(&answers);
    assert_eq!(
        blessed,
        "#! --seed 1\n# a comment\n\nname\n#= omnigo\ngenmove b\n#=~ *\n3\nshowboard\n#= a\n#    b\n"
    );
    let again = Transcript::parse(&blessed).unwrap();
    assert_eq!(again.blessed(&answers), blessed);
}
