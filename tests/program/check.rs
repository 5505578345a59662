//! `omnigo check`: the test cases of the formal rules, run through the binary.

use std::process::Output;

use serde_json::{Value, json};

use crate::process::omnigo;

fn check(arguments: &[&str]) -> Output {
    omnigo(&[&["check"], arguments].concat())
}

/// Returns the exit status and the JSON answer.
fn judged(graph: &str, moves: &str) -> (i32, Value) {
    let output = check(&["--graph", graph, "--json", moves]);
    let status = output.status.code().unwrap();
    (status, serde_json::from_slice(&output.stdout).unwrap())
}

fn is_game(graph: &str, moves: &str, black: i64, white: i64, winner: &str) {
    let (status, answer) = judged(graph, moves);
    assert_eq!(status, 0, "{moves}: {answer}");
    assert_eq!(answer["valid"], json!(true));
    assert_eq!(
        [&answer["black"], &answer["white"], &answer["winner"]],
        [&json!(black), &json!(white), &json!(winner)],
        "{graph} {moves}"
    );
    assert_eq!(
        [&answer["failed_at"], &answer["condition"]],
        [&Value::Null; 2]
    );
}

fn is_no_game(graph: &str, moves: &str, failed_at: Option<usize>, condition: &str) {
    let (status, answer) = judged(graph, moves);
    assert_eq!(status, 1, "{moves}: {answer}");
    assert_eq!(answer["valid"], json!(false));
    assert_eq!(answer["failed_at"], json!(failed_at), "{graph} {moves}");
    assert_eq!(answer["condition"], json!(condition), "{graph} {moves}");
    for key in ["black", "white", "winner"] {
        assert_eq!(answer[key], Value::Null);
    }
}

const DEFINED: &str = "mu((b_i,c_i,p_i),m_i) = (b_i+1,c_i+1,p_i+1)";
const UNSEEN: &str = "b_j != b_i+1 for all j <= i";
const RUNNING: &str = "p_i < 2";
const FINISHED: &str = "p_n = 2";

#[test]
fn t1_t2_points_that_no_color_reaches_do_not_count() {
    is_game("path:3", "pass,pass", 0, 0, "tie");
    is_game("edges:0-1,1-2,3", "1,pass,pass", 3, 0, "black");
    is_game("path:3", "pass,1,pass,pass", 0, 3, "white");
}

#[test]
fn t3_rejects_a_turn_after_two_passes() {
    is_no_game("path:3", "pass,pass,pass", Some(2), RUNNING);
    is_no_game("path:3", "pass,pass,1", Some(2), RUNNING);
    is_no_game("path:3", "1,pass,pass,1", Some(3), RUNNING);
}

#[test]
fn t4_captured_points_become_liberties() {
    is_game("complete:2", "pass,1,0,pass,pass", 2, 0, "black");
    is_game("complete:3", "0,1,2,pass,pass", 3, 0, "black");
}

#[test]
fn t5_scores_games_that_are_played_out() {
    is_game("path:4", "1,pass,2,pass,pass", 4, 0, "black");
    is_game("complete:2", "pass,pass", 0, 0, "tie");
}

#[test]
fn names_the_violated_condition() {
    is_no_game("path:3", "1,1,pass,pass", Some(1), DEFINED);
    is_no_game("complete:2", "0,1,0,pass,pass", Some(2), UNSEEN);
    is_no_game("path:3", "1,0,pass,pass", Some(1), UNSEEN);
    is_no_game("path:3", "", None, FINISHED);
    is_no_game("path:3", "1,pass", None, FINISHED);
    is_no_game("path:3", "pass,1,pass", None, FINISHED);
}

#[test]
fn aliases_and_labels_name_vertices() {
    is_game("grid:2x1", "pass,B1,a1,PASS,pass", 2, 0, "black");
    is_game("edges:p-q", "pass,q,p,pass,pass", 2, 0, "black");
}

#[test]
fn text_output_names_the_failed_condition_and_move() {
    let said = |moves: &str| {
        let output = check(&["--graph", "path:3", moves]);
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        said("1,pass,pass"),
        "a game: black 3 white 0, winner black\n"
    );
    assert_eq!(
        said("1,1"),
        "not a game: mu((b_i,c_i,p_i),m_i) = (b_i+1,c_i+1,p_i+1) fails at m_1 = B1: the point is not empty\n"
    );
    assert_eq!(
        said("1"),
        "not a game: p_n = 2 fails: the sequence does not end with two passes in a row\n"
    );
}

#[test]
fn wrong_arguments_exit_with_status_2() {
    for arguments in [
        &["--graph", "path:3", "x,pass"][..],
        &["--graph", "path:3", "1,,pass"],
        &["--graph", "nowhere:3", "pass"],
        &["--graph", "space:path:3", "pass,pass"],
        &[
            "--graph",
            "file:examples/mango/window-9x9.json",
            "pass,pass",
        ],
        &["--graph", "path:3"],
        &["pass,pass"],
    ] {
        let output = check(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn ignores_starting_stones_with_a_warning() {
    let output = check(&["--graph", "komipath:3", "1,pass,pass"]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "a game: black 3 white 0, winner black\n");
    let warned = String::from_utf8(output.stderr).unwrap();
    assert!(warned.contains("empty board"), "{warned}");
    let plain = check(&["--graph", "path:3", "1,pass,pass"]);
    assert!(plain.stderr.is_empty());
}

#[test]
fn names_missing_and_separated_moves() {
    for (arguments, part) in [
        (
            &["path:3"][..],
            "missing moves, expected MOVES such as 1,pass,pass",
        ),
        (&["1,pass,pass"], "missing board"),
        (
            &["path:3", "1", "pass", "pass"],
            "moves in 3 arguments, expected one, separated by commas: 1,pass,pass",
        ),
        (
            &["--graph", "path:3", "1", "pass"],
            "moves in 2 arguments, expected one, separated by commas: 1,pass",
        ),
    ] {
        let output = check(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let problem = String::from_utf8(output.stderr).unwrap();
        assert!(problem.contains(part), "{problem}");
    }
}
