//! The parts of `docs/style.md` that a program can check: short lines and sentences, and plain words.

use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of columns of a comment line.
const COLUMNS: usize = 100;
/// Maximum number of words of a sentence.
const WORDS: usize = 25;
/// Pages whose text comes from tables in the code.
const GENERATED: &[&str] = &["gtp.md", "gallery.md"];
/// Phrases that make a sentence a riddle, and words with a plainer or an American form.
const AVOIDED: &[&str] = &[
    "so many",
    "so much",
    "whoever",
    "nobody",
    "somebody",
    "anybody",
    "nothing but",
    "in place of",
    "more or less",
    "gainsay",
    "gainsays",
    "hundredths",
    "thus",
    "colour",
    "colours",
    "neighbour",
    "neighbours",
    "behaviour",
    "centre",
    "recognise",
    "recognised",
    "normalise",
    "normalised",
    "optimise",
    "optimised",
    "judgement",
];
/// Words that a comment on an item must not begin with: the noun or the verb comes first.
const OPENINGS: &[&str] = &["What", "Where", "How", "Who", "Whose", "Which", "Whether"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
}

/// A paragraph of prose, and the number of its first line.
struct Paragraph {
    line: usize,
    /// The marks of a comment, such as `///`; empty on pages.
    marks: String,
    text: String,
}

/// Returns the paragraphs of a text whose lines have been split into marks and prose. Code fences,
/// tables, headings and list marks end a paragraph.
fn paragraphs<'a>(lines: impl Iterator<Item = Option<(&'a str, &'a str)>>) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut open, mut fenced) = (false, false);
    for (number, line) in lines.enumerate() {
        let Some((marks, prose)) = line else {
            (open, fenced) = (false, false);
            continue;
        };
        let prose = prose.trim();
        if prose.starts_with("```") {
            fenced = !fenced;
            open = false;
            continue;
        }
        let table = prose.starts_with('|') || prose.starts_with('#') || prose.starts_with('<');
        if fenced || prose.is_empty() || table {
            open = false;
            continue;
        }
        let (head, rest) = prose.split_once(' ').unwrap_or((prose, ""));
        let listed = ["-", "*"].contains(&head)
            || head
                .strip_suffix('.')
                .is_some_and(|n| n.parse::<u32>().is_ok());
        let text = if listed { rest } else { prose };
        match found
            .last_mut()
            .filter(|last| open && !listed && last.marks == marks)
        {
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            None => found.push(Paragraph {
                line: number + 1,
                marks: marks.to_string(),
                text: text.to_string(),
            }),
        }
        open = true;
    }
    found
}

/// Returns the sentences of a paragraph. A sentence ends at a mark before a space and a capital.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices(['.', '!', '?', ':']) {
        let end = at + mark.len();
        let rest = text[end..].trim_start_matches(['*', '"', ')', '`']);
        let next = rest.strip_prefix(' ').unwrap_or_default();
        let capital = |c: char| c.is_uppercase() || c.is_ascii_digit() || "`*([\"".contains(c);
        // Names of programs that begin with a small letter.
        let named = ["omnigo ", "michi"]
            .iter()
            .any(|name| next.starts_with(name));
        if named || next.starts_with(capital) {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found
}

/// Returns the number of words of a sentence. A code span is one word.
fn words(sentence: &str) -> usize {
    let spans = sentence.split('`').enumerate();
    let plain: Vec<&str> = spans
        .map(|(number, text)| if number % 2 == 0 { text } else { "x" })
        .collect();
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    plain.concat().split_whitespace().filter(is_word).count()
}

/// Returns the avoided phrase that a paragraph contains outside of code spans.
fn avoided(text: &str) -> Option<&'static str> {
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    let letters: String = prose
        .join(" ")
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let all: Vec<&str> = letters.split_whitespace().collect();
    let text = format!(" {} ", all.join(" "));
    let phrases = AVOIDED.iter().copied();
    phrases
        .into_iter()
        .find(|phrase| text.contains(&format!(" {phrase} ")))
}

fn check(path: &Path, paragraphs: &[Paragraph], wrong: &mut Vec<String>) {
    let root = root();
    let shown = path.strip_prefix(&root).unwrap().display();
    for paragraph in paragraphs {
        let at = format!("{shown}:{}", paragraph.line);
        for sentence in sentences(&paragraph.text) {
            if words(sentence) > WORDS {
                wrong.push(format!("{at}: {} words: {sentence}", words(sentence)));
            }
        }
        if let Some(phrase) = avoided(&paragraph.text) {
            wrong.push(format!("{at}: '{phrase}': {}", paragraph.text));
        }
        let first = paragraph.text.split_whitespace().next().unwrap_or_default();
        let documents = paragraph.marks == "///" || paragraph.marks == "//!";
        if documents && OPENINGS.contains(&first) {
            wrong.push(format!("{at}: begins with '{first}': {}", paragraph.text));
        }
    }
}

/// Splits a line of a source file into the marks and the prose of its comment.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let marks = ["///", "//!", "//"]
        .into_iter()
        .find(|marks| line.starts_with(marks))?;
    Some(line.split_at(marks.len()))
}

#[test]
fn comments_are_short_and_plain() {
    let mut sources = Vec::new();
    for folder in ["src", "crates", "tests", "benches", "examples", "fuzz"] {
        files(&root().join(folder), "rs", &mut sources);
    }
    let mut wrong = Vec::new();
    for path in sources
        .iter()
        .filter(|path| !path.ends_with("tests/sources/style.rs"))
    {
        let text = fs::read_to_string(path).unwrap();
        check(path, &paragraphs(text.lines().map(comment)), &mut wrong);
        let mut fenced = false;
        for (number, line) in text.lines().enumerate() {
            let prose = comment(line).map(|(_, prose)| prose.trim());
            fenced ^= prose.is_some_and(|prose| prose.starts_with("```"));
            if prose.is_some() && !fenced && line.chars().count() > COLUMNS {
                wrong.push(format!("{}:{}: too wide", path.display(), number + 1));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} places\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn pages_are_short_and_plain() {
    let mut pages = Vec::new();
    files(&root().join("docs"), "md", &mut pages);
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    let mut wrong = Vec::new();
    for path in &pages {
        let name = path.file_name().unwrap().to_string_lossy();
        // The style guide quotes what it advises against. Pages in other languages have rules of
        // their own in `pages.rs`.
        let foreign = crate::pages::is_translation(path);
        if GENERATED.contains(&name.as_ref()) || name == "style.md" || foreign {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().map(|line| Some(("", line)));
        check(path, &paragraphs(lines), &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "{} places\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
