//! `--version`, `-V`, and the GTP command `version`.

use omnigo::net::Weights;
use omnigo::net::kernels::Kernel;

use crate::process::{piped, text, with_input};

/// Version of the package under test.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the program with these arguments and this input, and returns its standard output.
fn output(arguments: &[&str], input: &str) -> String {
    let output = with_input(piped().args(arguments), input);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    text(&output.stdout)
}

#[test]
fn long_version_names_kernel_network_and_source() {
    let text = output(&["--version"], "");
    let network = Weights::built_in().unwrap().name();
    let start = format!(
        "omnigo {VERSION}\nkernel {}\nnetwork {network}\n",
        Kernel::best()
    );
    let source = text.strip_prefix(&start).expect(&text);
    // The settings of the build are also visible to its tests.
    let known = |setting: Option<&str>| setting.is_some_and(|text| !text.trim().is_empty());
    let mut expected = Vec::new();
    if known(option_env!("OMNIGO_COMMIT")) || known(option_env!("OMNIGO_VCS_INFO")) {
        expected.push("commit");
    }
    if known(option_env!("SOURCE_DATE_EPOCH")) {
        expected.push("date");
    }
    let found: Vec<&str> = source
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn short_version_is_one_line() {
    assert_eq!(output(&["-V"], ""), format!("omnigo {VERSION}\n"));
}

#[test]
fn gtp_version_is_a_bare_number() {
    let answer = output(&[], "version\nquit\n");
    assert_eq!(answer.lines().next(), Some(format!("= {VERSION}").as_str()));
}
