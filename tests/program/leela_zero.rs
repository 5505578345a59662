//! Networks of Leela Zero in GTP, in JSON queries, and on other boards.

use std::path::Path;

use serde_json::Value;

use super::process::{answers, run_in, text};

/// Writes a network of one channel and one block.
fn network(path: &Path) {
    let mut text = "1\n".to_string();
    let mut number = 1_u32;
    let mut line = |count: usize, positive: bool| {
        for _ in 0..count {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f64::from(number >> 16) / 65_536.0;
            let value = if positive { value + 0.5 } else { value - 0.5 };
            text.push_str(&format!("{value:.4} "));
        }
        text.push('\n');
    };
    let mut layer = |weights: usize, outputs: usize| {
        line(weights, false);
        line(outputs, false);
        line(outputs, false);
        line(outputs, true);
    };
    // First convolution, block, and the convolution of the policy.
    layer(9 * 18, 1);
    layer(9, 1);
    layer(9, 1);
    layer(2, 2);
    line(2 * 361 * 362, false);
    line(362, false);
    // The convolution of the value: weight, bias, mean, variance.
    for positive in [false, false, false, true] {
        line(1, positive);
    }
    line(361 * 4, false);
    line(4, false);
    line(4, false);
    line(1, false);
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_network_of_leela_zero_plays() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("lz.txt"));
    let input = "kata-get-models\ngenmove b\ngenmove w\nkata-raw-nn 0\nboardsize 9\ngenmove b\n\
                 kata-set-param humanSLProfile rank_5k\nquit\n";
    let line = "gtp --net lz.txt --komi 7.5 --playouts 8 --threads 1";
    let answers = answers(folder.path(), line, input);
    assert!(
        answers[0].contains("\"name\":\"leela-zero-"),
        "{}",
        answers[0]
    );
    for number in [1, 2, 5] {
        assert!(answers[number].starts_with("= "), "{}", answers[number]);
    }
    assert!(
        answers[3].starts_with("? no network of KataGo"),
        "{}",
        answers[3]
    );
    assert!(
        answers[6].starts_with("? syntax error: humanSLProfile"),
        "{}",
        answers[6]
    );
}

/// The network has no score and no ownership. Playouts give both, at any komi.
#[test]
fn playouts_give_score_and_ownership() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("lz.txt"));
    for komi in [7.5, 0.5] {
        // Black encloses 16 squares of four points, and White cannot live in them.
        let is_open = |line: usize| line < 16 && [1, 2].contains(&(line % 4));
        let stones: Vec<String> = (0..361)
            .map(|at| (at % 19, at / 19))
            .filter(|&(x, y)| !(is_open(x) && is_open(y)))
            .map(|(x, y)| format!("[\"B\",\"({x},{y})\"]"))
            .collect();
        let query = format!(
            "{{\"id\":\"a\",\"initialStones\":[{}],\"moves\":[],\"rules\":\"tromp-taylor\",\
             \"initialPlayer\":\"W\",\"komi\":{komi},\"boardXSize\":19,\"boardYSize\":19,\
             \"maxVisits\":40,\"includeOwnership\":true}}\n",
            stones.join(",")
        );
        let line = "analysis --net lz.txt --positions 1";
        let output = run_in(folder.path(), line, &query);
        let answer: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
        // A score that counted the network's 0 would be far smaller.
        let lead = answer["rootInfo"]["scoreLead"].as_f64().unwrap();
        assert!(lead > 250.0, "{answer}");
        let ownership = answer["ownership"].as_array().unwrap();
        assert_eq!(ownership.len(), 361);
        let own: f64 = ownership.iter().filter_map(Value::as_f64).sum();
        assert!(own > 250.0, "{own}");
    }
}

#[test]
fn damaged_networks_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lz.txt");
    network(&path);
    let whole = std::fs::read_to_string(&path).unwrap();
    for (content, message) in [
        (
            whole.replacen('1', "7", 1),
            "'lz.txt': Leela Zero format version 7, expected 1 or 2",
        ),
        (
            whole.lines().take(9).collect::<Vec<_>>().join("\n"),
            "layer 'line 10': the file ends here, expected more data",
        ),
    ] {
        std::fs::write(&path, content).unwrap();
        let output = run_in(folder.path(), "gtp --net lz.txt", "quit\n");
        let problem = text(&output.stderr);
        assert!(!output.status.success());
        assert!(problem.contains(message), "{problem}");
        assert_eq!(problem.trim_end().lines().count(), 1, "{problem}");
    }
}
