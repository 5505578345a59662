//! Packed copies of KataGo's networks in the folder of `--net-cache`.

use std::fs;
use std::path::Path;

use super::human_style::network;
use super::process::{run_in, text};

/// Returns the answers and the warnings of a session.
fn session(folder: &Path, cache: &str) -> (String, String) {
    let line = format!("gtp --net plain.txt --net-kernel portable --net-cache {cache}");
    let input = "boardsize 9\nplay b D4\nkata-raw-nn 0\nquit\n";
    let output = run_in(folder, &line, input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    let warnings: Vec<&str> = told.lines().filter(|&line| line != "GTP ready").collect();
    (text(&output.stdout), warnings.join("\n"))
}

fn copies(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_copy_is_written_read_and_replaced_if_damaged() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("plain.txt"), false);
    let cache = folder.path().join("cache");
    let (answers, warnings) = session(folder.path(), "cache");
    assert!(answers.contains("whiteWin"), "{answers}");
    assert_eq!(warnings, "");
    let [copy] = &copies(&cache)[..] else {
        panic!("{:?}", copies(&cache));
    };
    let name = copy.file_name().unwrap().to_string_lossy();
    assert!(name.starts_with("omnigo-net-3-portable-"), "{name}");
    let content = fs::read(copy).unwrap();
    let (again, warnings) = session(folder.path(), "cache");
    assert_eq!((&again, warnings.as_str()), (&answers, ""));
    // A damaged copy is named once and written anew.
    let mut damaged = content.clone();
    damaged[content.len() / 2] ^= 1;
    fs::write(copy, &damaged).unwrap();
    let (again, warnings) = session(folder.path(), "cache");
    assert_eq!(again, answers);
    assert!(
        warnings.starts_with("warning: ignored the packed network"),
        "{warnings}"
    );
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert_eq!(fs::read(copy).unwrap(), content);
    // Another network has another copy.
    let text = fs::read_to_string(folder.path().join("plain.txt")).unwrap();
    let text = text.replacen("tiny", "other", 1);
    fs::write(folder.path().join("plain.txt"), text).unwrap();
    let (again, warnings) = session(folder.path(), "cache");
    assert_eq!((&again, warnings.as_str()), (&answers, ""));
    assert_eq!(copies(&cache).len(), 2);
}

#[test]
fn a_folder_that_cannot_be_written_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("plain.txt"), false);
    fs::write(folder.path().join("taken"), "a file").unwrap();
    let (answers, warnings) = session(folder.path(), "taken");
    assert!(answers.contains("whiteWin"), "{answers}");
    assert!(
        warnings.starts_with("warning: cannot write the packed network")
            && warnings.contains("expected the name of a folder"),
        "{warnings}"
    );
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
}
