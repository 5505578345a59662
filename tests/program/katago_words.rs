//! Command lines in KataGo's style, as clients type them.

use std::process::Output;

use crate::process::{piped, text, with_input};

/// A small network in KataGo's format.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/samples/katago.bin");

/// Runs a command line in a folder and sends it the input.
fn run(folder: &std::path::Path, options: &[&str], input: &str) -> Output {
    with_input(piped().args(options).current_dir(folder), input)
}

#[test]
fn gtp_starts_with_a_file_of_katago() {
    let folder = tempfile::tempdir().unwrap();
    let config = "logDir = gtp_logs\nrules = japanese\nmaxVisits = 40\nnumSearchThreads = 6\n\
                  allowResignation = false\nnnMaxBatchSize = 64\n";
    std::fs::write(folder.path().join("gtp.cfg"), config).unwrap();
    let options = ["gtp", "-config", "gtp.cfg", "--name", "KataGo (omnigo)"];
    let input = "name\nkata-get-rules\nboardsize 9\ngenmove b\nquit\n";
    let output = run(folder.path(), &options, input);
    let (answers, warnings) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{warnings}");
    assert!(answers.starts_with("= KataGo (omnigo)\n\n"), "{answers}");
    assert!(answers.contains("\"scoring\":\"TERRITORY\""), "{answers}");
    assert!(!answers.contains("\n?"), "{answers}");
    for key in ["logDir", "nnMaxBatchSize"] {
        let line = format!("setting '{key}' of KataGo has no effect");
        assert_eq!(warnings.matches(&line).count(), 1, "{warnings}");
    }
    assert_eq!(warnings.matches("has no effect").count(), 2, "{warnings}");
}

#[test]
fn search_parameters_of_katago_are_applied() {
    let folder = tempfile::tempdir().unwrap();
    let config = "cpuctExploration = 0.9\nuseLcbForSelection = true\nuseGraphSearch = true\n";
    std::fs::write(folder.path().join("gtp.cfg"), config).unwrap();
    let overrides = "lcbStdevs=4.5,useLcbForSelection=false";
    let options = ["gtp", "-config", "gtp.cfg", "-override-config", overrides];
    let input = "kata-get-param cpuctExploration\nkata-get-param useLcbForSelection\n\
                 kata-get-param lcbStdevs\nkata-get-param fpuReductionMax\nquit\n";
    let output = run(folder.path(), &options, input);
    let warnings = text(&output.stderr);
    assert_eq!(
        text(&output.stdout),
        "= 0.9\n\n= false\n\n= 4.5\n\n= 0.5\n\n= \n\n"
    );
    assert!(warnings.contains("'useGraphSearch' of KataGo has no effect"));
    assert_eq!(warnings.matches("has no effect").count(), 1, "{warnings}");
    // Without a network there is nothing to set.
    let options = ["gtp", "--net", "none", "-config", "gtp.cfg"];
    let output = run(
        folder.path(),
        &options,
        "kata-get-param cpuctExploration\nquit\n",
    );
    let told =
        "? syntax error: parameter 'cpuctExploration', expected a name from kata-list-params";
    assert!(text(&output.stdout).starts_with(told));
}

#[test]
fn analysis_starts_as_katrain_starts_katago() {
    let folder = tempfile::tempdir().unwrap();
    let config = "maxVisits = 30\nnumAnalysisThreads = 2\nnumSearchThreadsPerAnalysisThread = 16\n";
    std::fs::write(folder.path().join("analysis.cfg"), config).unwrap();
    let options = [
        "analysis",
        "-config",
        "analysis.cfg",
        "-analysis-threads",
        "1",
        "-override-config",
        "homeDataDir=/nowhere,maxVisits=20",
        "-model",
        SAMPLE,
    ];
    let query = "{\"id\":\"a\",\"moves\":[],\"rules\":\"chinese\",\"komi\":7,\"boardXSize\":9,\
                 \"boardYSize\":9}\n";
    let output = run(folder.path(), &options, query);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["id"], "a");
    assert_eq!(answer["rootInfo"]["visits"], 20);
    assert!(text(&output.stderr).contains("'homeDataDir' of KataGo has no effect"));
}

/// Both names stand for one rule, so the later setting counts.
#[test]
fn old_and_new_names_of_a_rule_replace_each_other() {
    let folder = tempfile::tempdir().unwrap();
    for (file, override_, bonus) in [
        (
            "whiteHandicapBonus = N-1",
            "whiteBonusPerHandicapStone=0",
            "0",
        ),
        (
            "whiteBonusPerHandicapStone = 0",
            "whiteHandicapBonus=N-1",
            "N-1",
        ),
        (
            "whiteHandicapBonus = N-1",
            "whiteBonusPerHandicapStone=1",
            "N",
        ),
    ] {
        std::fs::write(folder.path().join("gtp.cfg"), format!("{file}\n")).unwrap();
        let options = ["gtp", "-config", "gtp.cfg", "-override-config", override_];
        let output = run(folder.path(), &options, "kata-get-rules\nquit\n");
        let answer = text(&output.stdout);
        let found = format!("\"whiteHandicapBonus\":\"{bonus}\"");
        assert!(answer.contains(&found), "{override_}: {answer}");
    }
}

/// Lizgoban writes its board size into this list, which has a blank after the comma.
#[test]
fn gtp_starts_as_lizgoban_starts_katago() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gtp.cfg"), "maxVisits = 8\n").unwrap();
    let start = [
        "gtp",
        "-override-config",
        "analysisPVLen=50, defaultBoardSize=13",
        "-model",
        SAMPLE,
        "-config",
        "gtp.cfg",
    ];
    let board = |more: &[&str]| {
        let options: Vec<&str> = start.iter().chain(more).copied().collect();
        let output = run(folder.path(), &options, "showboard\nquit\n");
        let warnings = text(&output.stderr);
        assert!(output.status.success(), "{warnings}");
        assert_eq!(warnings.matches("has no effect").count(), 1, "{warnings}");
        let answers = text(&output.stdout);
        answers.lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(board(&[]), "= grid:13x13, tromp-taylor, komi 0");
    // Typed options win.
    assert_eq!(board(&["--size", "7"]), "= grid:7x7, tromp-taylor, komi 0");
    let torus = board(&["--graph", "torus:5x5"]);
    assert_eq!(torus, "= torus:5x5, tromp-taylor, komi 0");
    let wrong = ["gtp", "-override-config", "defaultBoardSize=x"];
    let output = run(folder.path(), &wrong, "");
    let told = text(&output.stderr);
    assert!(!output.status.success() && told.contains("defaultBoardSize 'x'"));
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn wrong_command_lines_of_katago_get_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot.toml"), "[gtp]\nplayouts = 5\n").unwrap();
    std::fs::write(folder.path().join("gtp.cfg"), "maxVisits = 0\n").unwrap();
    std::fs::write(folder.path().join("camel.cfg"), "maxVisits = 9\n").unwrap();
    for (options, message) in [
        (
            &["gtp", "-config", "bot.toml"][..],
            "'bot.toml' line 1: '[gtp]' is TOML, expected KataGo's format",
        ),
        (
            &["gtp", "-config", "gtp.cfg"],
            "'gtp.cfg' line 1: maxVisits '0': ",
        ),
        (
            &["gtp", "--config", "camel.cfg"],
            "'camel.cfg' line 1: 'maxVisits' is a key of KataGo's format, expected TOML",
        ),
        (
            &["gtp", "-override-config", "maxVisits=3,cpuctExploration=-1"],
            "-override-config: cpuctExploration '-1', expected a number from 0 to 10",
        ),
        (&["gtp", "-model"], "-model has no value"),
        (
            &["solve", "path:3", "-override-config", "maxVisits=3"],
            "this command takes no settings of KataGo",
        ),
        (&["gtp", "-model", "missing.bin.gz"], "cannot read"),
    ] {
        let output = run(folder.path(), options, "");
        let found = text(&output.stderr);
        assert!(!output.status.success(), "{options:?}");
        assert!(found.contains(message), "{options:?}: {found}");
        assert_eq!(found.lines().count(), 1, "{options:?}: {found}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_without_a_writer_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for (options, status) in [
        (&["gtp", "-config", "pipe"][..], 2),
        (&["gtp", "--config", "pipe"][..], 2),
        (&["gtp", "-model", "pipe"][..], 1),
        (&["rate", "pipe"][..], 1),
    ] {
        let output = run(folder.path(), options, "");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{options:?}: {told}");
        assert!(told.contains("a named pipe, expected a file"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

/// Returns the probabilities of the legal moves in an answer of `kata-raw-nn`, with the pass.
fn policy(answer: &str) -> Vec<f64> {
    let start = answer.find("\npolicy\n").unwrap();
    let end = answer.find("\nwhiteOwnership").unwrap();
    let words = answer[start..end].split_whitespace();
    let numbers = words.filter_map(|word| word.parse::<f64>().ok());
    numbers
        .filter(|probability| probability.is_finite())
        .collect()
}

#[test]
fn the_raw_output_mixes_the_optimistic_policy() {
    let folder = tempfile::tempdir().unwrap();
    crate::human_style::network(&folder.path().join("plain.txt"), false);
    let options = ["gtp", "--net", "plain.txt", "--net-kernel", "portable"];
    let input = "boardsize 5\nplay b B2\nplay w C4\nkata-raw-nn 3 0\nkata-raw-nn 3 1\n\
                 kata-raw-nn 3 0.5\nkata-raw-nn 3\nkata-set-param rootPolicyOptimism 0.5\n\
                 kata-raw-nn 3\nkata-raw-nn 3 1.01\nkata-raw-nn 3 x\nquit\n";
    let output = run(folder.path(), &options, input);
    let answers = text(&output.stdout);
    let answers: Vec<&str> = answers.trim_end().split("\n\n").collect();
    let raw = |number: usize| policy(answers[3 + number]);
    let (plain, hopeful, mixed) = (raw(0), raw(1), raw(2));
    assert_eq!(plain.len(), 24);
    // The logits are mixed, so the probabilities are in proportion to geometric means.
    let means: Vec<f64> = plain
        .iter()
        .zip(&hopeful)
        .map(|(a, b)| (a * b).sqrt())
        .collect();
    let sum: f64 = means.iter().sum();
    for (found, mean) in mixed.iter().zip(&means) {
        assert!((found - mean / sum).abs() < 1e-4, "{found} {}", mean / sum);
    }
    let gaps = plain.iter().zip(&hopeful).map(|(a, b)| (a - b).abs());
    assert!(gaps.fold(0.0, f64::max) > 1e-3, "{plain:?} {hopeful:?}");
    // Without a weight, that of the root counts.
    assert_ne!(raw(3), mixed);
    assert_eq!(raw(5), mixed);
    for answer in &answers[9..11] {
        assert!(
            answer.starts_with("? ") && answer.contains("0 to 1"),
            "{answer}"
        );
    }
}

/// The network of `-model` guides searches and analyses, whatever else a line of KataGo's says.
#[test]
fn models_of_katago_play_and_analyze() {
    let folder = tempfile::tempdir().unwrap();
    crate::human_style::network(&folder.path().join("plain.txt"), false);
    std::fs::write(
        folder.path().join("gtp.cfg"),
        "maxVisits = 8\nrules = chinese\n",
    )
    .unwrap();
    let options = [
        "gtp",
        "-model",
        "plain.txt",
        "-config",
        "gtp.cfg",
        "-override-config",
        "numSearchThreads=1",
    ];
    let input = "kata-get-models\nboardsize 9\ngenmove b\nkata-raw-nn 0\nkata-raw-nn all\nquit\n";
    let output = run(folder.path(), &options, input);
    let (answers, warnings) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{warnings}");
    assert!(answers.contains("\"name\":\"tiny\""), "{answers}");
    assert!(answers.contains("\npolicyPass "), "{answers}");
    for symmetry in 0..8 {
        let count = answers.matches(&format!("symmetry {symmetry}\n")).count();
        assert_eq!(count, 1 + usize::from(symmetry == 0), "{answers}");
    }
    assert!(
        !answers.contains("\n?") && !warnings.contains("has no effect"),
        "{warnings}"
    );
    let options = ["analysis", "-model", "plain.txt", "-config", "gtp.cfg"];
    let query = r#"{"id":"1","moves":[["B","D4"]],"rules":"chinese","boardXSize":9,"boardYSize":9,"komi":7,"includePolicy":true}"#;
    let output = run(folder.path(), &options, &format!("{query}\n"));
    let answers = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answer: serde_json::Value = serde_json::from_str(answers.trim()).unwrap();
    assert_eq!(answer["rootInfo"]["visits"], 8, "{answer}");
    assert_eq!(answer["policy"].as_array().map(Vec::len), Some(82));
}

/// LizzieYzy sets this noise, so that analyses show more moves.
#[test]
fn noise_of_analyses_spreads_their_visits() {
    let folder = tempfile::tempdir().unwrap();
    let queries: String = [("a", 0.0), ("b", 3.0)]
        .map(|(id, noise)| {
            format!(
                "{{\"id\":\"{id}\",\"moves\":[[\"B\",\"E5\"]],\"rules\":\"chinese\",\"boardXSize\":9,\
                 \"boardYSize\":9,\"maxVisits\":60,\"overrideSettings\":\
                 {{\"analysisWideRootNoise\":{noise}}}}}\n"
            )
        })
        .concat();
    let output = run(folder.path(), &["analysis", "--threads", "1"], &queries);
    let visited = |id: &str| {
        let answers = text(&output.stdout);
        let line = answers
            .lines()
            .find(|line| line.contains(&format!("\"id\":\"{id}\"")));
        let answer: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
        let moves = answer["moveInfos"].as_array().unwrap();
        moves.iter().filter(|one| one["visits"] != 0).count()
    };
    let (plain, noisy) = (visited("a"), visited("b"));
    assert!(noisy > plain + 5, "{noisy} {plain}");
    let input = "kata-set-param analysisWideRootNoise 0.04\nkata-get-param analysisWideRootNoise\n\
                 kata-get-param wideRootNoise\nkata-set-param analysisWideRootNoise 6\nquit\n";
    let output = run(folder.path(), &["gtp"], input);
    let answers = text(&output.stdout);
    assert!(
        answers.starts_with("= \n\n= 0.04\n\n= 0\n\n? "),
        "{answers}"
    );
}
