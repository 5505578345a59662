//! Human-style networks: profiles on the command line, in GTP, and in JSON queries.

use std::path::Path;

use super::process::{answers, run_in, text};

/// Writes a network of two channels in KataGo's text format, version 15. With an encoder, it
/// imitates players.
pub(crate) fn network(path: &Path, encodes: bool) {
    let mut text = format!(
        "tiny 15 22 19\n20 20 20 20 40 0.25 30\n{} 0 0 0 0 0 0 0\ntrunk 1 2 2 2 0 2\n0 0 0 0 0 0\n",
        u8::from(encodes)
    );
    let mut number = 0_u32;
    let mut floats = |text: &mut String, count: usize| {
        for _ in 0..count {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f64::from(number >> 16) / 65_536.0 - 0.5;
            text.push_str(&format!("{value:.4} "));
        }
        text.push('\n');
    };
    let mut layer = |text: &mut String, line: &str, count: usize| {
        text.push_str(line);
        text.push('\n');
        floats(text, count);
    };
    // A normalization of two channels: means of 0, variances of 1.
    let norm = "n 2 0.001 0 0\n0 0 1 1\na ACTIVATION_MISH\n";
    let activation = "a ACTIVATION_MISH\n";
    layer(&mut text, "stem 1 1 22 2 1 1", 44);
    layer(&mut text, "globals 19 2", 38);
    if encodes {
        layer(&mut text, "encoder 192 m1 192 2", 384);
        layer(&mut text, "b1 2", 2);
        text.push_str(activation);
        layer(&mut text, "m2 2 2", 4);
        layer(&mut text, "b2 2", 2);
        text.push_str(activation);
        layer(&mut text, "m3 2 2", 4);
    }
    text.push_str("ordinary_block block\n");
    for _ in 0..2 {
        text.push_str(norm);
        layer(&mut text, "c 1 1 2 2 1 1", 4);
    }
    text.push_str(norm);
    text.push_str("policy\n");
    layer(&mut text, "p1 1 1 2 2 1 1", 4);
    layer(&mut text, "g1 1 1 2 2 1 1", 4);
    text.push_str(norm);
    layer(&mut text, "bias 6 2", 12);
    text.push_str(norm);
    layer(&mut text, "p2 1 1 2 2 1 1", 4);
    layer(&mut text, "pass 6 2", 12);
    layer(&mut text, "b3 2", 2);
    text.push_str(activation);
    layer(&mut text, "m4 2 2", 4);
    text.push_str("value\n");
    layer(&mut text, "v1 1 1 2 2 1 1", 4);
    text.push_str(norm);
    layer(&mut text, "m5 6 2", 12);
    layer(&mut text, "b4 2", 2);
    text.push_str(activation);
    layer(&mut text, "m6 2 3", 6);
    layer(&mut text, "b5 3", 3);
    layer(&mut text, "m7 2 6", 12);
    layer(&mut text, "b6 6", 6);
    layer(&mut text, "own 1 1 2 1 1 1", 2);
    std::fs::write(path, text).unwrap();
}

/// A folder with the networks `human.txt` and `plain.txt`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("human.txt"), true);
    network(&folder.path().join("plain.txt"), false);
    folder
}

#[test]
fn a_profile_belongs_to_a_human_style_network() {
    let folder = folder();
    let missing = "a human-style network needs --human-profile, such as rank_5k";
    let unused = "--human-profile needs --net with a human-style network";
    for command in ["gtp", "analysis", "benchmark grid:5"] {
        for (options, message) in [
            ("--net human.txt", missing),
            ("--net plain.txt --human-profile rank_5k", unused),
            ("--net none --human-profile rank_5k", unused),
            ("--human-profile rank_5k", unused),
            (
                "--net human.txt --human-profile rank_5x",
                "profile 'rank_5x', expected rank_RANK or",
            ),
        ] {
            let output = run_in(folder.path(), &format!("{command} {options}"), "quit\n");
            let problem = text(&output.stderr);
            assert!(!output.status.success(), "{command} {options}");
            assert!(problem.contains(message), "{command} {options}: {problem}");
        }
    }
    let words = "gtp -model human.txt -override-config humanSLProfile=preaz_3d";
    let output = run_in(
        folder.path(),
        words,
        "kata-get-param humanSLProfile\nquit\n",
    );
    assert!(text(&output.stdout).starts_with("= preaz_3d\n\n"));
}

#[test]
fn gtp_changes_the_profile() {
    let folder = folder();
    let line = "gtp --net human.txt --human-profile rank_5k --playouts 20 --threads 1";
    let input = "boardsize 9\nkata-get-models\nkata-raw-nn 0\nkata-set-param humanSLProfile \
                 proyear_1900\nkata-get-param humanSLProfile\nkata-raw-nn 0\ngenmove b\n\
                 kata-set-param humanSLProfile rank_30k\nkata-get-param humanSLProfile\nquit\n";
    let answers = answers(folder.path(), line, input);
    assert!(
        answers[1].contains("\"usesHumanSLProfile\":true"),
        "{}",
        answers[1]
    );
    assert!(answers[2].starts_with("= symmetry 0\n"), "{}", answers[2]);
    assert_eq!(answers[4], "= proyear_1900");
    assert_ne!(answers[5], answers[2]);
    assert!(answers[6].starts_with("= "), "{}", answers[6]);
    let refused = "? syntax error: humanSLProfile 'rank_30k', expected a profile such as rank_5k";
    assert!(answers[7].starts_with(refused), "{}", answers[7]);
    assert_eq!(answers[8], "= proyear_1900");
}

#[test]
fn moves_are_drawn_from_the_policy() {
    let folder = folder();
    // The network gives all points of an empty board the same probability.
    let moves: std::collections::BTreeSet<String> = (1..=6)
        .map(|seed| {
            let line = format!(
                "gtp --net human.txt --human-profile rank_5k --human-moves 1 --playouts 20 \
                 --threads 1 --size 9 --seed {seed}"
            );
            let output = run_in(folder.path(), &line, "genmove b\nquit\n");
            assert!(output.status.success(), "{}", text(&output.stderr));
            text(&output.stdout)
        })
        .collect();
    assert!(moves.len() >= 3, "{moves:?}");
    assert!(moves.iter().all(|answer| answer.starts_with("= ")));
    let line = "gtp --net human.txt --human-profile rank_5k";
    let input = "kata-set-param humanSLChosenMoveProp 0.5\nkata-get-param humanSLChosenMoveProp\n\
                 kata-set-param humanSLChosenMoveProp 1.5\nquit\n";
    let answers = answers(folder.path(), line, input);
    assert_eq!(answers[1], "= 0.5");
    assert!(answers[2].starts_with("? syntax error: humanSLChosenMoveProp '1.5'"));
    for (line, expected) in [
        (
            "gtp --net plain.txt --human-moves 1".to_owned(),
            "--human-moves needs --net with a human-style",
        ),
        (
            format!("{line} --human-moves 1 --level 5"),
            "--level 5 uses none, expected a higher level",
        ),
    ] {
        let output = run_in(folder.path(), &line, "quit\n");
        assert!(!output.status.success());
        let problem = text(&output.stderr);
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn queries_change_the_profile() {
    let folder = folder();
    let query = |id: &str, profile: &str| {
        format!(
            "{{\"id\":\"{id}\",\"moves\":[[\"B\",\"E5\"],[\"W\",\"C3\"]],\"rules\":\"chinese\",\"komi\":7,\"boardXSize\":9,\
             \"boardYSize\":9,\"maxVisits\":5,\"includePolicy\":true,\
             \"overrideSettings\":{{\"humanSLProfile\":\"{profile}\"}}}}\n"
        )
    };
    let input = [
        query("a", "rank_20k"),
        query("b", "rank_9d"),
        query("c", "rank_x"),
    ]
    .concat();
    let line = "analysis --net human.txt --human-profile rank_5k --positions 1 --seed 1";
    let output = run_in(folder.path(), line, &input);
    let answers = text(&output.stdout);
    let find = |id: &str| {
        let mut lines = answers.lines();
        let id = format!("\"id\":\"{id}\"");
        let line = lines.find(|line| line.contains(&id)).unwrap();
        serde_json::from_str::<serde_json::Value>(line).unwrap()
    };
    assert!(find("a")["policy"].is_array(), "{answers}");
    assert_ne!(find("a")["policy"], find("b")["policy"]);
    assert_eq!(find("c")["field"], "overrideSettings");
    let line = "analysis --net plain.txt --positions 1";
    let output = run_in(folder.path(), line, &query("d", "rank_5k"));
    let answer = text(&output.stdout);
    let problem = "humanSLProfile rank_5k, expected --net with a human-style network";
    assert!(answer.contains(problem), "{answer}");
}
