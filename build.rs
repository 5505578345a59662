//! Build script: passes Cargo's record of the source to the compiler, if there is one.
//!
//! `cargo package` writes the record into each package. A checkout has none. The script runs no
//! other program.

use std::fs;

/// File with the record, in the root folder of a package.
const RECORD: &str = ".cargo_vcs_info.json";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo would run the script in every build if the path of a missing file were printed.
    let Ok(record) = fs::read_to_string(RECORD) else {
        return;
    };
    println!("cargo::rerun-if-changed={RECORD}");
    let words: Vec<&str> = record.split_whitespace().collect();
    println!("cargo::rustc-env=OMNIGO_VCS_INFO={}", words.join(" "));
}
