//! Manifests of the crates: each dependency is used and has a reason in `docs/design.md`, and each
//! package has its page and licenses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the folders of the crates below `crates/`.
fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// Returns the names in the tables of dependencies of a manifest. `wanted` chooses the tables.
fn dependencies(manifest: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut listed = false;
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            listed = wanted(table.trim_end_matches(']'));
        } else if listed && line.starts_with(|c: char| c.is_ascii_lowercase()) {
            let end = line.find(|c: char| c != '-' && c != '_' && !c.is_ascii_alphanumeric());
            names.push(line[..end.unwrap_or(line.len())].to_string());
        }
    }
    names
}

/// Returns the sources below a folder.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push(path);
        }
    }
}

/// Returns the code of a crate with its tests, without lines of comments. Includes the files that
/// an attribute `path` names outside of the crate.
fn code(folder: &Path) -> String {
    let mut paths = Vec::new();
    for part in ["src", "tests", "benches", "examples"] {
        sources(&folder.join(part), &mut paths);
    }
    let mut all = String::new();
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        next += 1;
        let text = read(&path);
        for line in text.lines().map(str::trim_start) {
            if let Some(named) = line.strip_prefix("#[path = \"") {
                let other = path.with_file_name(named.trim_end_matches("\"]"));
                paths.push(other);
            } else if !line.starts_with("//") {
                all += line;
                all.push('\n');
            }
        }
    }
    all
}

/// Returns true if the code names a crate: as the start of a path, or alone after `use`.
fn names(code: &str, dependency: &str) -> bool {
    let name = dependency.replace('-', "_");
    let word = |c: char| c == '_' || c == ':' || c == '.' || c.is_ascii_alphanumeric();
    code.match_indices(&name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let is_path = after.starts_with("::") && !before.ends_with(word);
        let is_alone = before.ends_with("use ") && after.starts_with([';', ' ']);
        is_path || is_alone
    })
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for folder in crates().into_iter().chain([root()]) {
        let manifest = read(&folder.join("Cargo.toml"));
        let tables =
            |table: &str| table.ends_with("dependencies") && !table.starts_with("workspace");
        let listed = dependencies(&manifest, tables);
        assert!(!listed.is_empty(), "{}", folder.display());
        let code = code(&folder);
        for name in listed {
            if !names(&code, &name) {
                unused.push(format!("{}: {name}", folder.display()));
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn design_gives_one_reason_for_each_dependency() {
    let manifest = read(&root().join("Cargo.toml"));
    let used = dependencies(&manifest, |table| table == "workspace.dependencies");
    let design = read(&root().join("docs/design.md"));
    let section = design.split("\n## Dependencies\n").nth(1).unwrap();
    let table = section.split("\n## ").next().unwrap();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let first = row.split('|').nth(1).unwrap();
        for name in first.split('`').skip(1).step_by(2) {
            *rows.entry(name).or_default() += 1;
        }
    }
    assert!(rows.values().all(|&count| count == 1), "{rows:?}");
    let used = used.iter().map(String::as_str);
    let mut used: Vec<&str> = used.filter(|name| !name.starts_with("omnigo")).collect();
    used.sort_unstable();
    assert_eq!(used, rows.into_keys().collect::<Vec<&str>>());
}

// Windows may check links out as plain files.
#[cfg(unix)]
#[test]
fn every_package_has_a_page_and_licenses() {
    for folder in crates() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let page = read(&folder.join("README.md"));
        assert!(page.starts_with(&format!("# omnigo-{name}\n")), "{name}");
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            // Links to the texts in the root, which `cargo package` follows.
            assert_eq!(
                read(&folder.join(license)),
                read(&root().join(license)),
                "{name}: {license}"
            );
        }
    }
}
