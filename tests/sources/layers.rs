//! Structure of the sources: modules depend only on lower layers, only listed modules print, files
//! are short, and module names are meaningful.

use std::fs;
use std::path::{Path, PathBuf};

/// Top-level modules from the bottom to the top. A module may use itself and the modules on lower
/// lines.
const LAYERS: &[&[&str]] = &[
    &[
        "text",
        "vertex",
        "hash",
        "union_find",
        "random",
        "symmetry",
        "contents",
    ],
    &["color", "points"],
    &["zobrist"],
    &["graph"],
    &["board", "notation"],
    &["rules", "system", "patterns"],
    &["game", "tactics"],
    &["policy", "playout", "net"],
    &["search", "exact", "record"],
    &["engine"],
    &["render", "files", "replay", "progress"],
    &["arguments"],
    &["gtp", "match", "bench", "training", "review"],
    &["analysis", "play"],
    &["cli"],
    &["main"],
];

/// Number of lines of [`LAYERS`], from the bottom, that every module may use.
const FOUNDATION: usize = 3;

/// Modules that may use only the foundation and these modules, even if others are lower.
const NARROW: &[(&str, &[&str])] = &[("graph", &[]), ("rules", &[]), ("board", &["graph"])];

/// Modules that may print. `cli` and the front ends print results, `arguments` and `system` only
/// warnings.
const PRINTING: &[&str] = &[
    "gtp",
    "play",
    "match",
    "bench",
    "training",
    "arguments",
    "system",
    "cli",
    "main",
];

/// Pairs of modules: the first must not use the second, although the second is lower. The engine
/// chooses boards, and front ends do not know their type.
const BLIND: &[(&str, &str)] = &[("gtp", "board")];

/// Names without a meaning.
const EMPTY_NAMES: &[&str] = &[
    "utils", "util", "helpers", "helper", "common", "misc", "manager",
];

/// Maximum number of lines of a file, without its tests.
const MOST_LINES: usize = 500;

/// Maximum number of lines of a function outside tests.
const MOST_FUNCTION_LINES: usize = 100;

struct Source {
    /// Path relative to the repository.
    path: String,
    /// Top-level module that the file belongs to.
    room: String,
    /// Number of `super::` steps from the file to the root of the crate. 0 in a crate that is one
    /// module: its own paths name no other module.
    depth: usize,
    /// Lines of the file without comments.
    code: Vec<String>,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Returns the names of the crates under `crates/`, without `omnigo-`.
fn crates() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = sources_below(root, "src", None);
    for name in crates() {
        // A crate with the name of a module is that module. The others contain several modules.
        let module = layer(&name).map(|_| name.as_str());
        found.extend(sources_below(root, &format!("crates/{name}/src"), module));
    }
    found
}

/// Returns the sources in a folder. All of them belong to `module`, if there is one.
fn sources_below(root: &Path, folder: &str, module: Option<&str>) -> Vec<Source> {
    let base = root.join(folder);
    let mut paths = Vec::new();
    files(&base, &mut paths);
    let read = |path: PathBuf| {
        let below = path.strip_prefix(&base).unwrap();
        let mut modules: Vec<String> = below
            .with_extension("")
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        modules.pop_if(|last| last == "mod" || last == "lib");
        let text = fs::read_to_string(&path).unwrap();
        let room = module.or(modules.first().map(String::as_str));
        Source {
            path: path.strip_prefix(root).unwrap().display().to_string(),
            room: room.unwrap_or_default().to_string(),
            depth: if module.is_some() { 0 } else { modules.len() },
            code: text.lines().map(without_comment).collect(),
        }
    };
    paths.into_iter().map(read).collect()
}

/// Returns the line without a `//` comment. Ignores `//` inside a string.
fn without_comment(line: &str) -> String {
    let mut quoted = false;
    let mut before = ' ';
    for (i, c) in line.char_indices() {
        match c {
            '"' if before != '\\' && before != '\'' => quoted = !quoted,
            '/' if before == '/' && !quoted => return line[..i - 1].to_string(),
            _ => {}
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    line.to_string()
}

fn identifier_part(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// Returns the identifier at the start of a text, without `r#`.
fn identifier(text: &str) -> &str {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let end = text.find(|c: char| !identifier_part(c));
    &text[..end.unwrap_or(text.len())]
}

/// Returns the first identifiers of a use path. At an opening brace, returns those of all entries:
/// `{a::b, c}` gives `a` and `c`.
fn heads(path: &str) -> Vec<&str> {
    let Some(list) = path.trim_start().strip_prefix('{') else {
        return vec![identifier(path)];
    };
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (i, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                heads.push(identifier(list[start..i].trim_start()));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// Returns the top-level modules that a source names, by `crate::`, by the name of a crate, or by
/// `super`.
fn arrows(source: &Source) -> Vec<String> {
    arrows_with(source, &crates())
}

fn arrows_with(source: &Source, crates: &[String]) -> Vec<String> {
    let tests = |line: &&String| line.trim_start().starts_with("mod tests {");
    let inline = source.code.iter().position(|line| tests(&line));
    let lines = |range: &[String]| range.join("\n");
    let whole = lines(&source.code);
    let outside = lines(&source.code[..inline.unwrap_or(source.code.len())]);
    let up = "super::".repeat(source.depth);
    let mut found = Vec::new();
    let mut roots = vec![("omnigo::".to_string(), &whole)];
    if source.depth > 0 {
        roots.extend([("crate::".to_string(), &whole), (up, &outside)]);
    }
    let word = |c: char| c == '_' || c == ':' || c == '$' || c.is_ascii_alphanumeric();
    for name in crates {
        let root = format!("omnigo_{name}");
        if layer(name).is_none() {
            roots.push((root + "::", &whole));
        } else if whole.match_indices(&root).any(|(i, _)| {
            !whole[..i].ends_with(word) && !whole[i + root.len()..].starts_with(identifier_part)
        }) {
            found.push(name.clone());
        }
    }
    for (root, text) in &roots {
        for (i, _) in text.match_indices(root.as_str()) {
            if !text[..i].ends_with(word) {
                found.extend(
                    heads(&text[i + root.len()..])
                        .into_iter()
                        .map(str::to_string),
                );
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

#[test]
fn modules_depend_only_on_lower_layers() {
    let sources = sources();
    let rooms: Vec<String> = sources.iter().map(|source| source.room.clone()).collect();
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|source| !source.room.is_empty()) {
        let (room, path) = (source.room.as_str(), &source.path);
        let Some(own) = layer(room) else {
            wrong.push(format!(
                "{path}: module '{room}' has no place in the layers"
            ));
            continue;
        };
        for arrow in arrows(source).iter().filter(|arrow| *arrow != room) {
            let narrow = NARROW.iter().find(|(name, _)| *name == room);
            let allowed = match (layer(arrow), narrow) {
                // An item at the root of the crate that is not a module.
                (None, _) => !rooms.contains(arrow),
                (Some(other), Some((_, few))) => {
                    other < FOUNDATION || few.contains(&arrow.as_str())
                }
                (Some(other), None) => other < own,
            };
            if !allowed || BLIND.contains(&(room, arrow.as_str())) {
                wrong.push(format!("{path}: {room} uses {arrow}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_specs_of_graphs_know_families() {
    let spec = "crates/graph/src/spec/";
    let mut wrong = Vec::new();
    for source in sources() {
        if !source.path.starts_with("crates/graph/src/")
            || source.path.starts_with(spec)
            || is_test(&source)
            || source.path == "crates/graph/src/lib.rs"
        {
            continue;
        }
        for (i, line) in without_tests(&source.code).iter().enumerate() {
            let names = ["spec::", "families::", "Spec::"];
            if names.iter().any(|name| line.contains(name)) {
                wrong.push(format!("{}:{}: {}", source.path, i + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_listed_modules_print() {
    let mut wrong = Vec::new();
    for source in sources() {
        if PRINTING.contains(&source.room.as_str()) {
            continue;
        }
        for (i, line) in source.code.iter().enumerate() {
            let prints = ["println!", "print!", "dbg!", "tell!", "tell::"]
                .iter()
                .any(|p| line.contains(p));
            if prints {
                wrong.push(format!("{}:{}: {}", source.path, i + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_function_writes_lines_to_standard_error() {
    const TELL: &str = "crates/core/src/system/tell.rs";
    let mut writers = Vec::new();
    for source in sources() {
        // Also finds writers of several lines, such as `writeln!(`, then `io::stderr(),`.
        let writes = |line: &&String| {
            let direct = [
                "eprint",
                "io::stderr().write",
                "io::stderr(),",
                "io::stderr().lock",
            ];
            direct.iter().any(|text| line.contains(text))
        };
        let found = source.code.iter().filter(writes).count();
        if found > 0 {
            writers.push((source.path, found));
        }
    }
    assert_eq!(writers, [(TELL.to_string(), 1)], "use `tell!`");
}

#[test]
fn prefixes_of_lines_for_people_come_from_one_file() {
    const TELL: &str = "crates/core/src/system/tell.rs";
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| source.path != TELL) {
        for (i, line) in without_tests(&source.code).iter().enumerate() {
            let prefixes = ["\"warning: ", "\"error: ", "\"omnigo: "];
            if prefixes.iter().any(|prefix| line.contains(prefix)) {
                wrong.push(format!("{}:{}: {}", source.path, i + 1, line.trim()));
            }
        }
    }
    let wrong = wrong.join("\n");
    assert!(
        wrong.is_empty(),
        "use `tell::warn` or `tell::error`:\n{wrong}"
    );
}

#[test]
fn source_files_stay_within_the_line_limit() {
    let long: Vec<String> = sources()
        .iter()
        .map(|source| (source, without_tests(&source.code).len()))
        .filter(|&(_, lines)| lines > MOST_LINES)
        .map(|(source, lines)| {
            format!(
                "{}: {lines} lines without tests, expected at most {MOST_LINES}",
                source.path
            )
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Returns the lines before the module `tests`, or all lines if there is none.
fn without_tests(code: &[String]) -> &[String] {
    let tests = code
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod tests {"));
    &code[..tests.unwrap_or(code.len())]
}

/// Returns true if the whole file is a test.
fn is_test(source: &Source) -> bool {
    let path = Path::new(&source.path);
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn functions_are_of_comfortable_length() {
    let mut long = Vec::new();
    for source in sources().into_iter().filter(|source| !is_test(source)) {
        let code = without_tests(&source.code);
        for (start, line) in code.iter().enumerate() {
            let body = line.trim_start();
            let indent = line.len() - body.len();
            let is_function = [
                "fn ",
                "pub fn ",
                "pub(",
                "unsafe fn ",
                "async fn ",
                "const fn ",
            ]
            .iter()
            .any(|head| body.starts_with(head))
                && body.contains("fn ");
            // A declaration without a body ends with a semicolon.
            let head = code[start..]
                .iter()
                .find(|line| line.ends_with('{') || line.ends_with(';'));
            if !is_function || head.is_none_or(|line| line.ends_with(';')) {
                continue;
            }
            let end = format!("{}}}", " ".repeat(indent));
            let length = code[start..].iter().position(|line| *line == end);
            if let Some(length) = length.filter(|&length| length > MOST_FUNCTION_LINES) {
                long.push(format!(
                    "{}:{}: {length} lines, expected at most {MOST_FUNCTION_LINES}",
                    source.path,
                    start + 1
                ));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn module_names_are_meaningful() {
    let mut wrong = Vec::new();
    for source in sources() {
        let path = Path::new(&source.path).with_extension("");
        let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        let declared = source.code.iter().filter_map(|line| {
            let (_, name) = line.split_once("mod ")?;
            Some(identifier(name).to_string())
        });
        for name in parts.chain(declared) {
            if EMPTY_NAMES.contains(&name.as_str()) {
                wrong.push(format!("{}: {name}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tests the parser of this file: code that counts as a dependency, and code that does not.
#[test]
fn dependencies_are_read_from_code() {
    let source = |depth: usize, text: &str| Source {
        path: String::new(),
        room: String::new(),
        depth,
        code: text.lines().map(without_comment).collect(),
    };
    let crates = ["base", "core", "graph", "net"].map(str::to_string);
    let found = |depth, text: &str| arrows_with(&source(depth, text), &crates).join(" ");
    assert_eq!(found(0, "use crate::board::Board;"), "");
    assert_eq!(found(0, "use omnigo_core::board::Board;"), "board");
    assert_eq!(
        found(
            2,
            "use omnigo_base::{color::Color, text};\nuse omnigo_graph as graph;"
        ),
        "color graph text"
    );
    assert_eq!(
        found(1, "omnigo_net::features::komi(); omnigo_network();"),
        "net"
    );
    assert_eq!(found(1, "use crate::board::Board;"), "board");
    assert_eq!(
        found(
            1,
            "pub(crate) use crate::{game::Game,\n    rules::{self, Ko}, text};"
        ),
        "game rules text"
    );
    assert_eq!(found(1, "let quoted = crate::text::quote(text);"), "text");
    assert_eq!(found(1, "use crate::r#match::Referee;"), "match");
    assert_eq!(
        found(1, "//! See [`crate::game`].\nlet x = 1; // crate::gtp"),
        ""
    );
    assert_eq!(found(2, "use super::super::game::Game;"), "game");
    assert_eq!(found(2, "use super::game::Game;"), "");
    assert_eq!(found(1, "use super::game::Game;"), "game");
    assert_eq!(
        found(1, "#[cfg(test)]\nmod tests {\n    use super::*;\n}"),
        ""
    );
    assert_eq!(
        without_comment(r#"let a = "http://x"; // y"#),
        r#"let a = "http://x"; "#
    );
}
