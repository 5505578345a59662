//! Scripts: every Python script compiles, and every shell script can be read. Without Python 3.10
//! or bash, a test prints one line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folders of the repository with scripts.
const FOLDERS: [&str; 7] = [
    ".ci",
    "cluster",
    "examples",
    "packaging",
    "suites",
    "tests",
    "training",
];

/// Compiles the scripts that are its arguments. A warning is an error. Writes no files.
const COMPILE: &str = "\
import sys
for path in sys.argv[1:]:
    with open(path, encoding='utf-8') as script:
        compile(script.read(), path, 'exec')";

/// Adds the files below a folder whose path satisfies `wanted`.
fn collect(folder: &Path, wanted: &impl Fn(&Path) -> bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, wanted, found);
        } else if wanted(&path) {
            found.push(path);
        }
    }
}

/// Returns the scripts whose path satisfies `wanted`.
fn scripts(wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &wanted, &mut found);
    }
    found
}

/// Returns true if a command can be started and succeeds.
fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Returns the complaints of a command about scripts.
fn complaints(command: &mut Command, scripts: &[PathBuf]) -> String {
    let output = command.args(scripts).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        assert!(told.is_empty(), "{told}");
    } else {
        assert!(!told.is_empty());
    }
    told
}

/// Returns the complaints of Python about scripts.
fn compile(scripts: &[PathBuf]) -> String {
    let mut python = Command::new("python3");
    complaints(python.args(["-B", "-W", "error", "-c", COMPILE]), scripts)
}

#[test]
fn python_scripts_compile() {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !succeeds(Command::new("python3").args(["-c", is_new])) {
        println!("skipped: there is no Python 3.10 or newer");
        return;
    }
    let found = scripts(|path| path.extension().is_some_and(|end| end == "py"));
    assert!(found.len() > 50, "{}", found.len());
    assert_eq!(compile(&found), "");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let wrong = folder.join("wrong.py");
    fs::write(&wrong, "print('a' 'b'\n").unwrap();
    assert!(compile(&[wrong]).contains("SyntaxError"));
}

#[test]
fn shell_scripts_can_be_read() {
    if !succeeds(Command::new("bash").arg("--version")) {
        println!("skipped: bash is not installed");
        return;
    }
    let is_shell = |path: &Path| {
        let start = fs::read(path).unwrap_or_default();
        start.starts_with(b"#!/usr/bin/env bash") || start.starts_with(b"#!/bin/bash")
    };
    let found = scripts(is_shell);
    assert!(found.len() > 8, "{}", found.len());
    for script in &found {
        let told = complaints(Command::new("bash").arg("-n"), std::slice::from_ref(script));
        assert_eq!(told, "", "{}", script.display());
    }
}
