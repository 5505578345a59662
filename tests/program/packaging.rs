//! Packages: one version everywhere, the same targets in all recipes, and the script that fills the
//! recipes for a release.

use std::fs;
use std::path::PathBuf;

/// Targets of a release. Each has one archive.
const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

/// Version of the package under test.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn documents_name_the_version() {
    let cited = format!("\nversion: {VERSION}\n");
    assert!(read("CITATION.cff").contains(&cited), "CITATION.cff");
    let heading = format!("\n## {VERSION}");
    assert!(read("CHANGELOG.md").contains(&heading), "CHANGELOG.md");
}

#[test]
fn scripts_and_workflow_have_the_same_targets() {
    for path in [
        ".github/workflows/release.yml",
        ".ci/packages",
        "packaging/fill",
    ] {
        let text = read(path);
        for target in TARGETS {
            assert!(text.contains(target), "{path}: no {target}");
        }
    }
    let recipes = ["homebrew/omnigo.rb", "scoop/omnigo.json", "aur/PKGBUILD"];
    let recipes: Vec<String> = recipes
        .iter()
        .map(|recipe| read(&format!("packaging/{recipe}")))
        .collect();
    let recipes = recipes.concat();
    for target in TARGETS {
        let checksum = format!("@SHA256:{target}@");
        assert!(recipes.contains(&checksum), "no {checksum}");
    }
}

#[test]
fn container_builds_with_the_oldest_supported_compiler() {
    let oldest = format!(
        "FROM docker.io/library/rust:{}-alpine",
        env!("CARGO_PKG_RUST_VERSION")
    );
    assert!(read("packaging/container/Containerfile").contains(&oldest));
}

/// Tests of `packaging/fill`, which needs bash.
#[cfg(unix)]
mod fill {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use serde_json::Value;

    use super::{TARGETS, VERSION, root};

    /// Address that the tests fill in.
    const ADDRESS: &str = "https://example.org/some/omnigo";

    /// Returns the checksums of a release. The n-th target has 64 times the digit n.
    fn checksums(version: &str) -> String {
        let line = |(number, target): (usize, &&str)| {
            let ending = if target.contains("windows") {
                "zip"
            } else {
                "tar.gz"
            };
            let sum = number.to_string().repeat(64);
            format!("{sum}  omnigo-{version}-{target}.{ending}\n")
        };
        TARGETS.iter().enumerate().map(line).collect()
    }

    /// Runs the script. Returns its message if it fails.
    fn fill(address: &str, sums: &str, folder: &Path) -> Result<(), String> {
        let file = folder.join("SHA256SUMS");
        fs::write(&file, sums).unwrap();
        let output = Command::new("bash")
            .arg(root().join("packaging/fill"))
            .arg(address)
            .arg(&file)
            .arg(folder.join("recipes"))
            .output()
            .unwrap();
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8(output.stderr).unwrap())
    }

    #[test]
    fn writes_address_version_and_checksums() {
        let folder = tempfile::tempdir().unwrap();
        fill(&format!("{ADDRESS}/"), &checksums("9.8.7"), folder.path()).unwrap();
        let read =
            |recipe: &str| fs::read_to_string(folder.path().join("recipes").join(recipe)).unwrap();
        let scoop: Value = serde_json::from_str(&read("scoop/omnigo.json")).unwrap();
        assert_eq!(scoop["version"], "9.8.7");
        assert_eq!(scoop["homepage"], ADDRESS);
        let windows = &scoop["architecture"]["64bit"];
        let archive = "omnigo-9.8.7-x86_64-pc-windows-msvc";
        assert_eq!(windows["extract_dir"], archive);
        assert_eq!(
            windows["url"],
            format!("{ADDRESS}/releases/download/v9.8.7/{archive}.zip")
        );
        assert_eq!(windows["hash"], "4".repeat(64));
        let formula = read("homebrew/omnigo.rb");
        for number in 0..4 {
            let sum = format!("sha256 \"{}\"", number.to_string().repeat(64));
            assert!(formula.contains(&sum), "{formula}");
        }
        let package = read("aur/PKGBUILD");
        assert!(package.contains("\npkgver=9.8.7\n"), "{package}");
        assert!(
            package.contains(&format!("\nurl='{ADDRESS}'\n")),
            "{package}"
        );
        let sum = format!("sha256sums_aarch64=('{}')", "1".repeat(64));
        assert!(package.contains(&sum), "{package}");
    }

    #[test]
    fn refuses_incomplete_releases_and_addresses() {
        let folder = tempfile::tempdir().unwrap();
        let whole = checksums(VERSION);
        let without_windows: String = whole
            .lines()
            .filter(|line| !line.contains("windows"))
            .map(|line| format!("{line}\n"))
            .collect();
        let mixed = whole.replacen(VERSION, "9.8.7", 1);
        let twice = whole.repeat(2);
        let cases = [
            (ADDRESS, without_windows, "no archive for"),
            (ADDRESS, mixed, "expected one"),
            (ADDRESS, twice, "expected one"),
            ("example.org", whole.clone(), "expected https://"),
            ("https://a b", whole.clone(), "expected https://"),
            ("https://a|b", whole, "expected https://"),
        ];
        for (address, sums, expected) in cases {
            let message = fill(address, &sums, folder.path()).unwrap_err();
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(message.contains(expected), "{message}");
        }
    }
}
