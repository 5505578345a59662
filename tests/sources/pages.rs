//! Checks of the pages: links, the list of the book, and translations.
//!
//! Every relative link and anchor must resolve. The book must list all pages of `docs/`.
//! Translations show the commands of the English pages.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders below `docs/` with translated pages. The English rules of style do not apply to them.
pub(crate) const TRANSLATIONS: &[&str] = &["ja", "ko", "zh"];
/// Maximum number of characters of a translated sentence, without links and code.
const CHARACTERS: usize = 90;
/// Least share of letters of a translated page, in percent, that are not Latin.
const FOREIGN_LETTERS: usize = 50;
/// Maximum number of lines of a page without a table of contents.
const SCREEN: usize = 60;
/// Folders without pages of the repository.
const SKIPPED: &[&str] = &["target", "node_modules", ".git"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all Markdown files of a folder and the folders in it.
fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Tests whether the page is a translation.
pub(crate) fn is_translation(path: &Path) -> bool {
    let docs = root().join("docs");
    let below = path.strip_prefix(&docs).ok();
    let first = below.and_then(|path| path.components().next());
    first.is_some_and(|folder| {
        TRANSLATIONS
            .iter()
            .any(|name| folder.as_os_str() == Path::new(name))
    })
}

/// Splits a page into its prose and its code blocks.
fn split(text: &str) -> (String, Vec<Vec<String>>) {
    let (mut prose, mut blocks, mut fenced) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            if fenced {
                blocks.push(Vec::new());
            }
            prose.push('\n');
        } else if let (true, Some(block)) = (fenced, blocks.last_mut()) {
            block.push(line.to_string());
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    (prose, blocks)
}

/// Returns the prose without its code spans. A span ends in its own paragraph.
fn without_spans(prose: &str) -> String {
    let paragraph = |text: &str| text.split('`').step_by(2).collect::<Vec<_>>().join("x");
    let all: Vec<String> = prose.split("\n\n").map(paragraph).collect();
    all.join("\n\n")
}

/// Returns the targets of the links and pictures of a page.
fn links(text: &str) -> Vec<String> {
    let prose = without_spans(&split(text).0);
    let mut found = Vec::new();
    for (opening, closing) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in prose.match_indices(opening) {
            let rest = &prose[at + opening.len()..];
            let target = &rest[..rest.find(closing).unwrap_or(rest.len())];
            // A title may follow the target.
            found.extend(target.split_whitespace().next().map(str::to_string));
        }
    }
    found
}

/// Returns the anchor of a heading: lower case, hyphens for spaces, and no other signs.
fn anchor(heading: &str) -> String {
    // The target of a link in a heading is no part of the anchor.
    let mut text = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let sign = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    };
    text.trim()
        .to_lowercase()
        .chars()
        .filter_map(sign)
        .collect()
}

/// Returns the anchors of a page. Equal headings get numbers.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut found = BTreeSet::new();
    for line in split(text).0.lines().filter(|line| line.starts_with('#')) {
        let name = anchor(line.trim_start_matches('#'));
        let count = counts.entry(name.clone()).or_default();
        found.insert(match *count {
            0 => name,
            number => format!("{name}-{number}"),
        });
        *count += 1;
    }
    found
}

/// Joins a path and a relative path, and resolves `..`. `None` if it leaves the root.
fn joined(folder: &Path, target: &str) -> Option<PathBuf> {
    let mut path = folder.to_path_buf();
    for part in Path::new(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => return None,
        }
    }
    path.starts_with(root()).then_some(path)
}

/// Returns the problem of a link on a page, if it has one.
fn problem(page: &Path, text: &str, link: &str) -> Option<String> {
    if ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| link.starts_with(scheme))
    {
        return None;
    }
    let (file, part) = link
        .split_once('#')
        .map_or((link, None), |(file, part)| (file, Some(part)));
    let target = if file.is_empty() {
        page.to_path_buf()
    } else {
        match joined(page.parent()?, file) {
            Some(path) => path,
            None => return Some(format!("'{link}' leaves the repository")),
        }
    };
    if !target.exists() {
        return Some(format!("'{link}': no such file"));
    }
    let part = part?;
    let other = if file.is_empty() {
        text.to_string()
    } else {
        fs::read_to_string(&target).ok()?
    };
    let missing = !anchors(&other).contains(part);
    missing.then(|| format!("'{link}': no such heading"))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

#[test]
fn every_relative_link_and_anchor_resolves() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages_of(&root()) {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            count += 1;
            let problem = problem(&page, &text, &link);
            wrong.extend(problem.map(|problem| format!("{}: {problem}", shown(&page))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 200, "{count} links found");
}

#[test]
fn the_book_lists_every_page_of_docs() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let text = fs::read_to_string(&summary).unwrap();
    let listed: Vec<PathBuf> = links(&text)
        .iter()
        .filter_map(|link| joined(&docs, link))
        .collect();
    let pages = pages_of(&docs);
    let missing: Vec<String> = pages
        .iter()
        .filter(|page| **page != summary && !listed.contains(page))
        .map(|page| shown(page))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
    let mut unique = listed.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
}

#[test]
fn long_pages_have_a_table_of_contents() {
    let mut wrong = Vec::new();
    for page in pages_of(&root().join("docs")) {
        let text = fs::read_to_string(&page).unwrap();
        // Generated pages and the list of the book are tables of contents themselves.
        let listed = ["SUMMARY.md", "gtp.md", "gallery.md"]
            .iter()
            .any(|name| page.ends_with(name));
        if listed || text.lines().count() <= SCREEN {
            continue;
        }
        let head = text.split("\n## ").next().unwrap_or_default();
        if head.matches("](#").count() < 2 {
            wrong.push(shown(&page));
        }
    }
    assert!(wrong.is_empty(), "no table of contents: {wrong:?}");
}

/// Returns the lines of a block of code without indent and comments. Translations translate
/// comments.
fn code(block: &[String]) -> Vec<String> {
    let plain = |line: &String| {
        let end = line.find(" #").unwrap_or(line.len());
        line[..end].trim().to_string()
    };
    block.iter().map(plain).collect()
}

#[test]
fn the_guide_shows_lines_of_the_examples_in_python() {
    let folder = root().join("examples/python");
    let trimmed = |text: &str| -> String {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.join("\n")
    };
    let scripts: Vec<String> = ["game.py", "networkx_board.py"]
        .iter()
        .map(|name| trimmed(&fs::read_to_string(folder.join(name)).unwrap()))
        .collect();
    let page = fs::read_to_string(root().join("docs/guide/python.md")).unwrap();
    let mut count = 0;
    for part in page.split("\n```python\n").skip(1) {
        let shown = trimmed(part.split("\n```").next().unwrap_or_default());
        let found = scripts.iter().any(|script| script.contains(&shown));
        assert!(found, "not in examples/python:\n{shown}");
        count += 1;
    }
    assert!(count > 2, "{count} blocks found");
}

fn translated_pages() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let pages: Vec<PathBuf> = TRANSLATIONS
        .iter()
        .flat_map(|language| pages_of(&docs.join(language)))
        .collect();
    assert!(pages.len() >= 2 * TRANSLATIONS.len(), "{pages:?}");
    pages
}

#[test]
fn translations_show_the_commands_of_the_english_pages() {
    let mut sources = pages_of(&root().join("docs/guide"));
    sources.push(root().join("README.md"));
    let known: Vec<Vec<String>> = sources
        .iter()
        .flat_map(|page| split(&fs::read_to_string(page).unwrap()).1)
        .map(|block| code(&block))
        .collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in translated_pages() {
        for block in split(&fs::read_to_string(&page).unwrap()).1 {
            count += 1;
            if !known.contains(&code(&block)) {
                wrong.push(format!("{}:\n{}", shown(&page), block.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count >= 6 * TRANSLATIONS.len(), "{count} blocks found");
}

#[test]
fn translations_are_in_their_language_and_have_short_sentences() {
    let mut wrong = Vec::new();
    for page in translated_pages() {
        let prose = without_spans(&split(&fs::read_to_string(&page).unwrap()).0);
        let (mut letters, mut foreign) = (0, 0);
        for c in prose.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            foreign += usize::from(!c.is_ascii());
        }
        if 100 * foreign < FOREIGN_LETTERS * letters {
            wrong.push(format!("{}: {foreign} of {letters} letters", shown(&page)));
        }
        let tables = |line: &&str| !line.starts_with('|') && !line.starts_with('<');
        let plain: Vec<&str> = prose.lines().filter(tables).collect();
        for sentence in plain
            .join("\n")
            .replace(". ", "。")
            .split(['。', '！', '？'])
        {
            // A list mark, an empty line, or a link's target separates or hides text.
            let parts = sentence.split("\n\n").flat_map(|part| part.split("\n- "));
            for part in parts {
                let length = part.split('(').next().unwrap_or_default().chars().count();
                if length > CHARACTERS {
                    wrong.push(format!("{}: {length} characters: {part}", shown(&page)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tests the readers of this file.
#[test]
fn links_and_anchors_are_read_from_prose() {
    let text = "# A `b` c\n\n[x](y.md#z) `[no](no.md)`\n\n```\n[no](no.md)\n# No\n```\n\n\
                ## [Files](f.md) of *games*\n## A b c\n![p](q.png \"title\") <img src=\"r.svg\">\n";
    assert_eq!(links(text), ["y.md#z", "f.md", "q.png", "r.svg"]);
    let names: Vec<String> = anchors(text).into_iter().collect();
    assert_eq!(names, ["a-b-c", "a-b-c-1", "files-of-games"]);
    assert_eq!(anchor("第一局棋 (9×9)"), "第一局棋-99");
    let page = root().join("docs/rules.md");
    assert_eq!(problem(&page, "## A", "#a"), None);
    assert!(problem(&page, "## A", "#b").is_some());
    assert!(problem(&page, "", "missing.md").is_some());
    assert!(problem(&page, "", "../../outside.md").is_some());
    assert_eq!(problem(&page, "", "../README.md#documentation"), None);
    assert!(problem(&page, "", "../README.md#nothing").is_some());
}
