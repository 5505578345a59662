//! Text of `omnigo --version`: version, kernel, network, and the source of the build.
//!
//! The source is known if the builder named it, or if Cargo recorded it in a package. The build
//! never asks a version control system.

use std::env;
use std::sync::OnceLock;

use serde_json::Value;

use crate::net::Weights;
use crate::net::kernels::Kernel;
use crate::text::printable;

/// Version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Commit named by the builder. It takes precedence over [`RECORD`].
const COMMIT: Option<&str> = option_env!("OMNIGO_COMMIT");
/// Cargo's record of the source as JSON. The build script passes it on.
const RECORD: Option<&str> = option_env!("OMNIGO_VCS_INFO");
/// Time of the latest change of the source in seconds since 1970, as reproducible builds set it.
const SECONDS: Option<&str> = option_env!("SOURCE_DATE_EPOCH");
/// Last year of four digits. Later dates count as unknown.
const LAST_YEAR: u64 = 9999;

/// Returns the text of `--version` after the name of the program.
///
/// Command lines without `--version` get the bare version, so they need not read the network.
pub(super) fn long() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    if env::args_os().any(|word| word == "--version") {
        TEXT.get_or_init(|| {
            let network = Weights::built_in().map_or("none".to_owned(), |weights| weights.name());
            let mut lines = vec![
                VERSION.to_owned(),
                format!("kernel {}", Kernel::best()),
                format!("network {network}"),
            ];
            lines.extend(commit(COMMIT, RECORD).map(|commit| format!("commit {commit}")));
            lines.extend(SECONDS.and_then(date).map(|date| format!("date {date}")));
            lines.join("\n")
        })
    } else {
        VERSION
    }
}

/// Returns the commit that the builder named, otherwise that of Cargo's record.
fn commit(named: Option<&str>, record: Option<&str>) -> Option<String> {
    let named = named.map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = named {
        return Some(printable(name));
    }
    let record: Value = serde_json::from_str(record?).ok()?;
    let git = &record["git"];
    let mut commit = printable(git["sha1"].as_str()?);
    if git["dirty"] == true {
        commit.push_str(" with local changes");
    }
    Some(commit)
}

/// Returns the date in UTC of a time in seconds since 1970. `None` if the text is not such a time,
/// or after [`LAST_YEAR`].
fn date(seconds: &str) -> Option<String> {
    let mut days = seconds.trim().parse::<u64>().ok()? / 86_400;
    let mut year = 1970;
    while days >= 365 + leap_days(year) {
        days -= 365 + leap_days(year);
        year += 1;
        if year > LAST_YEAR {
            return None;
        }
    }
    let february = 28 + leap_days(year);
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    Some(format!("{year}-{month:02}-{:02}", days + 1))
}

/// Returns 1 in leap years of the Gregorian calendar, otherwise 0.
fn leap_days(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    u64::from(leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builders_and_packages_name_the_commit() {
        let record = r#"{ "git": { "sha1": "00ff" }, "path_in_vcs": "" }"#;
        assert_eq!(commit(None, Some(record)).as_deref(), Some("00ff"));
        assert_eq!(commit(Some(" "), Some(record)).as_deref(), Some("00ff"));
        assert_eq!(
            commit(Some("12ab\n"), Some(record)).as_deref(),
            Some("12ab")
        );
        let dirty = r#"{ "git": { "sha1": "00ff", "dirty": true }, "path_in_vcs": "" }"#;
        let changed = Some("00ff with local changes");
        assert_eq!(commit(None, Some(dirty)).as_deref(), changed);
    }

    #[test]
    fn missing_and_damaged_records_name_no_commit() {
        for record in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"git":{}}"#,
            r#"{"git":{"sha1":1}}"#,
        ] {
            assert_eq!(commit(None, Some(record)), None, "{record}");
        }
        assert_eq!(commit(None, None), None);
    }

    #[test]
    fn dates_follow_the_gregorian_calendar() {
        let cases = [
            ("0", "1970-01-01"),
            ("86399", "1970-01-01"),
            ("68169600", "1972-02-29"),
            ("951782400", "2000-02-29"),
            ("951868800", "2000-03-01"),
            ("1767225599", "2025-12-31"),
            (" 1767225600\n", "2026-01-01"),
            ("4107542400", "2100-03-01"),
            ("253402300799", "9999-12-31"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(date(seconds).as_deref(), Some(expected), "{seconds}");
        }
        for wrong in [
            "",
            "-1",
            "1.5",
            "today",
            "253402300800",
            "18446744073709551615",
        ] {
            assert_eq!(date(wrong), None, "{wrong}");
        }
    }
}
