//! `omnigo count`, `omnigo life`, and related commands: their output and exit status.

use serde_json::{Value, json};

use crate::process::{piped, run_line};

fn text(arguments: &str) -> String {
    let output = run_line(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}");
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_string()
}

fn object(arguments: &str) -> Value {
    serde_json::from_str(&text(&format!("{arguments} --json"))).unwrap()
}

/// Returns the exit status and the one line that states the reason.
fn refusal(arguments: &str) -> (Option<i32>, String) {
    let output = run_line(arguments);
    let problem = String::from_utf8(output.stderr).unwrap();
    assert_eq!(problem.trim_end().lines().count(), 1, "{problem}");
    (output.status.code(), problem)
}

/// Checks that the arguments are refused as wrong, with a message that contains `part`.
fn refuses(arguments: &str, part: &str) {
    let (status, problem) = refusal(arguments);
    assert_eq!(status, Some(2), "{arguments}: {problem}");
    assert!(problem.contains(part), "{arguments}: {problem}");
}

#[test]
fn count_prints_known_values() {
    assert_eq!(text("count positions --graph grid:3"), "12675");
    assert_eq!(text("count positions --graph petersen --colors 1"), "1023");
    assert_eq!(text("count games --graph path:3"), "907");
    assert_eq!(text("count games --graph path:3 --limit 907"), "907");
    assert_eq!(text("count perft --graph path:2 --depth 1"), "3");
    assert_eq!(
        text("count perft --graph path:2 --depth 1 --ruleset conway"),
        "2"
    );
    assert_eq!(
        text("count perft --graph path:3 --depth 1 --position .X. --ruleset ggg,first=white"),
        "1"
    );
    assert_eq!(
        text("count polynomial --graph complete:4"),
        "4k^3 + 6k^2 + 4k + 1"
    );
    assert!(text("count moves --graph path:3").contains("moves: 42"));
}

#[test]
fn count_prints_json() {
    let answer = object("count positions --graph grid:3 --colors 2");
    assert_eq!(answer["graph"], "grid:3x3");
    assert_eq!(answer["what"], "positions");
    assert_eq!(answer["colors"], 2);
    assert_eq!(answer["count"], "12675");
    assert!(answer["seconds"].is_number());
    let games = object("count games --graph path:2");
    assert_eq!(
        (&games["what"], &games["count"]),
        (&json!("games"), &json!("9"))
    );
    assert_eq!(games["longest"], 2);
    let perft = object("count perft --graph path:2 --depth 2");
    assert_eq!(perft["count"], "7");
    assert_eq!(object("count moves --graph path:2")["positions"], "5");
    let polynomial = object("count polynomial --graph path:2 --colors 5");
    assert_eq!(polynomial["coefficients"], json!(["1", "2"]));
    assert_eq!(polynomial["count"], "11");
}

#[test]
fn rejects_counts_that_are_impossible() {
    let (status, problem) = refusal("count games --graph path:3 --limit 906");
    assert_eq!((status, problem.trim()), (Some(1), "error: more than 906"));
    for (arguments, part) in [
        ("count positions --graph grid:25", "MiB"),
        ("count games --graph grid:4", "131069"),
        ("count moves --graph grid:5", "16 vertices"),
    ] {
        let output = run_line(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let problem = String::from_utf8(output.stderr).unwrap();
        assert!(problem.contains(part), "{arguments}: {problem}");
    }
    assert_eq!(
        refusal("count positions --graph space:(path:3),edges").0,
        Some(2)
    );
    for arguments in [
        "count polynomial --graph grid:25 --json",
        "count moves --graph grid:5 --json",
    ] {
        let output = run_line(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["count"].is_null(), "{answer}");
    }
    refuses(
        "count moves --graph path:2 --colors 3",
        "expected 2 for moves",
    );
    for (arguments, part) in [
        (
            "count positions --graph path:2 --depth 2",
            "only with perft",
        ),
        (
            "count games --graph path:2 --ruleset ggg",
            "only with perft",
        ),
        (
            "count moves --graph path:2 --position X.",
            "only with perft",
        ),
        (
            "count perft --graph path:2 --depth 1 --limit 9",
            "--limit has an effect only with games, not with perft",
        ),
    ] {
        let output = run_line(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && told.contains(part), "{told}");
    }
    for wrong in [
        "count perft --graph grid:3",
        "count perft --graph grid:3 --depth 2 --colors 1",
        "count games --graph path:2 --colors 3",
        "count games --graph grid:3 --limit -1",
        "count perft --graph grid:3 --depth -1",
        "count positions --graph grid:3 --colors -1",
        "count --graph grid:3",
        "count positions",
    ] {
        assert_eq!(run_line(wrong).status.code(), Some(2), "{wrong}");
    }
    let unfinished = run_line("count games --graph path:5 --seconds 0.05 --json");
    assert_eq!(unfinished.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&unfinished.stdout).unwrap();
    assert!(
        answer["count"].is_null() && answer["lower"].is_string(),
        "{answer}"
    );
}

#[test]
fn perft_counts_sequences_of_three_colors() {
    // Computed by hand. With three colors, the third player on an edge may capture the stone of
    // either color. With two, Black would repeat the position after the first move, or would have
    // to capture an own stone.
    assert_eq!(text("count perft --graph path:2 --depth 3"), "8");
    assert_eq!(
        text("count perft --graph path:2 --depth 3 --colors 3"),
        "15"
    );
}

#[test]
fn symmetrize_turns_arcs_into_edges() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arcs.dot");
    std::fs::write(&file, "digraph { a -> b; b -> c }").unwrap();
    let graph = format!("--graph file:{}", file.display());
    let solve = format!("solve {graph} --ruleset ggg");
    assert!(refusal(&solve).1.contains("--symmetrize"));
    let solved = text(&format!("{solve} --symmetrize"));
    assert!(solved.starts_with("B+3\nline B1"), "{solved}");
    assert_eq!(text(&format!("komi {graph} --symmetrize")), "0");
    assert_eq!(text(&format!("count positions {graph} --symmetrize")), "15");
    assert_eq!(text(&format!("life {graph} --symmetrize")), "");
}

#[test]
fn json_gives_the_reason_for_a_missing_value() {
    for (arguments, part) in [
        (
            "solve --graph grid:9 --ruleset tromp-taylor --json",
            "at most 64",
        ),
        ("solve --graph path:4 --ruleset japanese --json", "judgment"),
        ("komi --graph grid:9 --json", "at most 64"),
    ] {
        let output = run_line(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["lower"].is_null() && answer["upper"].is_null());
        assert!(
            answer["reason"].as_str().unwrap().contains(part),
            "{answer}"
        );
    }
    refuses(
        "solve --graph path:3 --ruleset ggg --first red",
        "--first red, expected black or white",
    );
}

#[test]
fn an_unfinished_komi_names_the_reason() {
    let line = "komi grid:4 --seconds 0.05";
    let output = run_line(line);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.trim_end().ends_with(": out of time"), "{shown}");
    let output = run_line(&format!("{line} --json"));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("out of time; "), "{reason}");
}

#[test]
fn fair_komi_is_the_value_of_the_empty_board() {
    for (graph, ruleset, komi) in [
        ("grid:3", "tromp-taylor", "9"),
        ("path:4", "topo-stone", "2"),
        ("path:3", "tromp-taylor,score=territory", "2"),
        ("path:3", "famine", "0"),
    ] {
        let arguments = format!("komi --graph {graph} --ruleset {ruleset}");
        assert_eq!(text(&arguments), komi, "{arguments}");
    }
    let answer = object("komi --graph cycle:4 --ruleset tromp-taylor");
    assert_eq!((&answer["komi"], &answer["lower"]), (&json!(1), &json!(1)));
    refuses(
        "komi --graph path:3 --ruleset conway",
        "has no komi, expected famine",
    );
}

#[test]
fn komi_uses_the_settings_of_its_ruleset() {
    for (ruleset, komi) in [
        ("famine", "1"),
        ("famine,suicide=no", "1"),
        ("famine,komi=2", "1"),
    ] {
        assert_eq!(text(&format!("komi path:4 --ruleset {ruleset}")), komi);
    }
    for (ruleset, expected) in [
        ("famine,white-passes=3", "expected black-passes=0"),
        ("famine,first=white", "expected first=black"),
        ("famine,stuck=move-only", "expected stuck=move-or-pass"),
    ] {
        for json in ["", " --json"] {
            refuses(&format!("komi path:3 --ruleset {ruleset}{json}"), expected);
        }
    }
}

#[test]
fn a_komi_without_value_keeps_its_bounds() {
    let line = "komi grid:2 --ruleset tromp-taylor,ko=simple";
    let output = run_line(&format!("{line} --json"));
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let bounds = (&answer["lower"], &answer["upper"]);
    assert_eq!(bounds, (&json!(-4), &json!(4)), "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("cycle"));
    let output = run_line(line);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.starts_with("unsolved -4..4: under ko=simple"),
        "{shown}"
    );
}

#[test]
fn one_move_without_a_value_hides_no_other() {
    let output = run_line("solve grid:2 --ruleset tromp-taylor,ko=simple --moves --json");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves = answer["moves"].as_array().unwrap();
    let bounds = |number: usize| [&moves[number]["lower"], &moves[number]["upper"]];
    assert_eq!(bounds(0), ["W+4", "B+4"], "{answer}");
    // The pass comes last.
    assert_eq!(bounds(4), ["W+4", "0"], "{answer}");
}

#[test]
fn a_small_memory_bounds_the_search_with_histories() {
    let output = run_line("solve grid:8 --ruleset conway --memory 16 --seconds 60 --json");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "out of memory");
}

#[test]
fn theorems_bound_values_from_the_empty_start() {
    let output = run_line("solve --graph cycle:10 --ruleset tromp-taylor --seconds 0.1 --json");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["lower"], "0");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("first player"), "{reason}");
    let answer = object("solve --graph path:5 --ruleset tromp-taylor");
    assert_eq!(answer["result"], "0");
    assert_eq!(answer["pv"], json!(["pass", "pass"]));
    // Black can own at most eight points.
    assert!(text("solve --graph grid:3 --ruleset famine --komi 8").starts_with("W+\n"));
    // The theorem decides without a search.
    let answer = object("solve --graph grid:3 --ruleset famine --komi 8 --moves");
    assert_eq!(answer["nodes"], 0);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 9);
    assert_eq!(
        (&answer["pv_ends"], &answer["pv"][1]),
        (&json!(true), &json!("pass"))
    );
    assert_eq!(answer["pv"].as_array().unwrap().len(), 16);
    let output = run_line("komi --graph grid:3 --seconds 0.1 --json");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["upper"], 7);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("n - c - 1"), "{reason}");
    // Each component takes one point from the bound, and no vertices leave -1.
    for (graph, upper) in [
        ("path:3+path:4", 4),
        ("path:3+path:3+path:2", 4),
        ("graph6:?", -1),
    ] {
        let output = run_line(&format!("komi --graph {graph} --seconds 1e-9 --json"));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let bound = answer.get("upper").or(answer.get("komi"));
        assert_eq!(bound, Some(&json!(upper)), "{graph}: {answer}");
    }
    // A set-up position, or a start with stones, is not an empty start.
    let later = "solve --graph path:3 --ruleset tromp-taylor --position .X. --first white --json";
    let output = run_line(later);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["result"], &answer["reason"]),
        (&json!("B+3"), &Value::Null)
    );
}

#[test]
fn principal_variations_reach_the_end_within_the_limits() {
    let answer = object("solve --graph grid:2x6 --ruleset tromp-taylor --seconds 60 --memory 256");
    assert_eq!(
        (&answer["result"], &answer["pv_ends"]),
        (&json!("B+12"), &json!(true))
    );
    let line = answer["pv"].as_array().unwrap();
    assert!(line.ends_with(&[json!("pass"), json!("pass")]), "{line:?}");
}

#[test]
fn a_closed_pipe_causes_no_error_message() {
    for line in [
        "solve --graph path:3 --ruleset tromp-taylor",
        "graph grid:5 --to svg",
        "graph grid:5 --info",
        "check --graph path:3 1,pass,pass",
        "bench --help",
        "--help",
        "count positions --graph path:3",
        "life --graph path:5 --position .X.X.",
        "komi --graph path:3",
        "perfect --vertices 1 --positions 1 --playouts 2",
        "completions bash",
        "man",
    ] {
        let mut child = piped().args(line.split_whitespace()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
    }
}

#[test]
fn errors_name_the_accepted_input() {
    for (arguments, expected) in [
        ("solve --graph grid:9 --ruleset tromp-taylor", "at most 64"),
        ("komi --graph grid:19", "at most 64"),
        ("count positions --graph grid:19", "MiB"),
        ("count moves --graph grid:5", "at most 16 vertices"),
        (
            "count games --graph grid:3 --limit -1",
            "a whole number, 0 or more",
        ),
        (
            "atlas --vertices 8 --out nowhere",
            "expected 1 to 7 vertices",
        ),
        (
            "life --graph grid:2 --position XXXX",
            "a stone has no liberty",
        ),
        (
            "solve --graph grid:3 --ruleset tromp-taylor --seconds -1",
            "seconds above 0",
        ),
    ] {
        let output = run_line(arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments}");
        let problem = String::from_utf8(output.stderr).unwrap();
        let first = problem.lines().next().unwrap_or_default();
        assert!(first.contains(expected), "{arguments}: {problem}");
    }
}

#[test]
fn life_lists_unconditionally_alive_chains() {
    assert_eq!(
        text("life --graph path:5 --position .X.X."),
        "black B1\nblack A2"
    );
    // A list of no chains is empty for programs. People get a line on standard error.
    let none = run_line("life --graph path:4 --position .X.O");
    assert!(none.status.success() && none.stdout.is_empty(), "{none:?}");
    let told = String::from_utf8(none.stderr).unwrap();
    assert_eq!(told, "no chain is unconditionally alive\n");
    assert_eq!(
        text("life --graph path:4 --position .X.O --ruleset tromp-taylor,suicide=no"),
        "black B1"
    );
    let answer = object("life --graph edges:a-b,b-c,c-d,d-e --position .X.X.");
    assert_eq!(answer["black"], json!([["b"], ["d"]]));
    assert_eq!(answer["white"], json!([]));
    let (status, problem) = refusal("life --graph path:3 --position OX.");
    assert_eq!(status, Some(2));
    assert!(
        problem.contains("A1") && problem.contains("has no liberty"),
        "{problem}"
    );
    assert_eq!(refusal("life --graph path:3 --position OX").0, Some(2));
    assert_eq!(
        refusal("life --graph space:(path:3),edges --position .....").0,
        Some(2)
    );
}

/// Returns the table of the atlas of graphs with at most four vertices.
fn atlas(folder: &std::path::Path) -> Vec<String> {
    let out = folder.display();
    text(&format!("atlas --vertices 4 --seconds 60 --out {out}"));
    let table = std::fs::read_to_string(folder.join("atlas.csv")).unwrap();
    table.lines().map(str::to_string).collect()
}

#[test]
fn the_atlas_has_hand_computed_values_and_resumes_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    // The program creates the folder.
    let folder = folder.path().join("atlas");
    let lines = atlas(&folder);
    assert_eq!(lines.len(), 1 + 1 + 1 + 2 + 6);
    let named = |name: &str| -> Vec<String> {
        let found = lines
            .iter()
            .find(|line| line.split(',').next_back() == Some(name));
        let line = found.unwrap_or_else(|| panic!("{name} in {lines:?}"));
        line.split(',').map(str::to_string).collect()
    };
    // The columns are positions, area, stones, Conway, komi. The values come from the documents of
    // the rule systems and were computed by hand.
    for (name, values) in [
        ("path:1", ["1", "0", "0", "W", "-1"]),
        ("path:2", ["5", "0", "0", "W", "-1"]),
        ("path:3", ["15", "3", "1", "B", "0"]),
        ("complete:3", ["19", "0", "0", "W", "-1"]),
        ("path:4", ["41", "4", "2", "B", "1"]),
        ("cycle:4", ["57", "1", "1", "B", "0"]),
    ] {
        assert_eq!(named(name)[4..9], values, "{name}");
    }
    // The center of three in a row is worth three points, an end nothing.
    let moves = named("path:3")[9].clone();
    assert_eq!(moves.split(' ').count(), 4, "{moves}");
    assert!(moves.split(' ').any(|value| value == "3"), "{moves}");
    let page = std::fs::read_to_string(folder.join("atlas.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains("10 connected graphs"),
        "{page}"
    );

    // After a kill the table has fewer rows, and the last one is cut short.
    let table = folder.join("atlas.csv");
    let kept = lines[..4].join("\n") + "\n" + &lines[4][..5];
    std::fs::write(&table, kept).unwrap();
    assert_eq!(atlas(&folder), lines);
    // A damaged row is computed again.
    let damaged = lines.join("\n").replace(",path:3", ",<b>") + "\n";
    std::fs::write(&table, damaged).unwrap();
    assert_eq!(atlas(&folder), lines);
    std::fs::write(&table, "something,else\n1,2\n").unwrap();
    let out = folder.display();
    refuses(&format!("atlas --vertices 2 --out {out}"), "something,else");
}

/// Returns the ends of a range such as `-1..4`, or twice a value that is proved. A win of White
/// comes before one of Black.
fn ends(text: &str) -> [f64; 2] {
    let number = |text: &str| match text {
        "W" => f64::NEG_INFINITY,
        "B" => f64::INFINITY,
        number => number.parse().unwrap(),
    };
    let (lower, upper) = text.split_once("..").unwrap_or((text, text));
    [number(lower), number(upper)]
}

#[test]
fn the_atlas_gives_bounds_for_values_it_did_not_prove() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display();
    let rows = |options: &str, end: &str| -> Vec<Vec<String>> {
        let told = text(&format!("atlas --vertices 3 --out {out} {options}"));
        assert!(told.starts_with(end), "{told}");
        let table = std::fs::read_to_string(folder.path().join("atlas.csv")).unwrap();
        let fields = |line: &str| line.split(',').map(str::to_string).collect();
        table.lines().skip(1).map(fields).collect()
    };
    // No search ends in a nanosecond. Theorems alone give the bounds.
    let open = rows("--seconds 1e-9", "4 graphs, 4 with unsettled values");
    let path = open.iter().find(|row| row[10] == "path:3").unwrap();
    assert_eq!(path[4..8], ["15", "0..3", "0..2", "W..B"], "{path:?}");
    assert_eq!(path[9], ["-3..3"; 4].join(" "), "{path:?}");
    // Without `--retry` they stay, whatever the time.
    let kept = rows("--seconds 60", "4 graphs, 4 with unsettled values");
    assert_eq!(kept, open);
    let proved = rows("--seconds 60 --retry", "4 graphs, 0 with unsettled values");
    assert_eq!(proved.len(), open.len());
    for (open, proved) in open.iter().zip(&proved) {
        assert_eq!(open[..5], proved[..5], "the counts are the same");
        assert_eq!(open[10], proved[10]);
        for (column, value) in proved.iter().enumerate().take(10).skip(5) {
            let values = open[column].split(' ').zip(value.split(' '));
            for (bounds, value) in values {
                assert!(!value.contains(".."), "{proved:?}");
                let ([lower, upper], [value, _]) = (ends(bounds), ends(value));
                assert!(lower <= value && value <= upper, "{open:?} {proved:?}");
                assert_eq!(bounds.contains(".."), lower < upper, "{open:?}");
            }
        }
    }
}

/// On graphs of up to three vertices, and on boards derived from them, the engine keeps every
/// proven value.
#[test]
fn the_engine_keeps_proven_values_on_all_kinds_of_boards() {
    let answer = object("perfect --vertices 3 --positions 2 --playouts 300 --nodes 100000");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for row in rows {
        assert_eq!(row["graphs"], 4);
        assert!(row["judged"].as_u64().unwrap() > 0, "{row}");
        assert_eq!(row["engine"], row["judged"], "{row}");
    }
    let kinds = |kind: &str| rows.iter().filter(|row| row["board"] == kind).count();
    let kinds = ["graph", "edges", "pairs", "degrees", "odd", "two"].map(kinds);
    assert_eq!(kinds, [9, 2, 2, 1, 1, 1]);
    let one = object("perfect --vertices 2 --positions 2 --playouts 100 --board two");
    assert_eq!(one["rows"].as_array().unwrap().len(), 1);
    assert_eq!(one["rows"][0]["ruleset"], "mango");
}
