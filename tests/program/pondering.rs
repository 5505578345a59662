//! Pondering: only if requested, and no longer than until the next line.

use std::time::Duration;

use crate::talk::Talk;

const SMALL: [&str; 8] = [
    "--graph",
    "grid:5",
    "--playouts",
    "50",
    "--threads",
    "1",
    "--seed",
    "1",
];

/// Time in which a pondering engine makes far more than a hundred playouts.
const WHILE: Duration = Duration::from_millis(700);

fn start(ponders: bool) -> Talk {
    let mut options = SMALL.to_vec();
    options.extend(ponders.then_some("--ponder"));
    Talk::new(&options)
}

/// Returns the root visits of the search for White's reply, including those kept in the tree.
fn visits_afterwards(mut talk: Talk) -> u32 {
    talk.ask("genmove w\n");
    let told = talk.ask("gomill-explain_last_move\n");
    let visits = told.trim_start_matches("= ").split(' ').next().unwrap();
    let visits = visits.parse().unwrap();
    talk.quit();
    visits
}

#[test]
fn does_not_ponder_by_default() {
    let mut talk = start(false);
    assert_eq!(talk.ask("kata-get-param ponderingEnabled\n"), "= false\n\n");
    talk.ask("genmove b\n");
    std::thread::sleep(WHILE);
    assert!(visits_afterwards(talk) <= 100);
}

#[test]
fn the_next_search_reuses_pondering() {
    let mut talk = start(true);
    assert_eq!(talk.ask("kata-get-param ponderingEnabled\n"), "= true\n\n");
    talk.ask("genmove b\n");
    std::thread::sleep(WHILE);
    assert!(visits_afterwards(talk) > 100);
}

#[test]
fn does_not_ponder_while_a_line_is_queued() {
    for line in ["", "# a comment", "17"] {
        let mut talk = start(true);
        talk.ask(&format!("genmove b\n{line}\n"));
        std::thread::sleep(WHILE);
        assert!(visits_afterwards(talk) <= 100, "{line:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_line_ends_pondering() {
    for line in [
        "",
        "   ",
        "# a comment",
        "# interrupt",
        "17",
        "\r",
        "\t",
        "name",
    ] {
        let mut talk = start(true);
        talk.ask("genmove b\n");
        std::thread::sleep(Duration::from_millis(100));
        talk.send(&format!("{line}\n"));
        talk.wait_until_idle(line);
        if line == "name" {
            talk.answer();
        }
        talk.quit();
    }
}

#[test]
fn commands_during_pondering_are_answered() {
    let mut talk = start(true);
    for line in [
        "play w pass\n",
        "undo\n",
        "boardsize 5\n",
        "clear_board\n",
        "genmove w\n",
        "genmove w\n",
        "kata-genmove_analyze w 10\n",
        "time_left b 0 0\n",
        "kgs-genmove_cleanup b\n",
        "set_ruleset chinese\n",
        "set_graph torus:4x4\n",
        "kata-search_analyze_cancellable b\n",
        "final_status_list dead\n",
        "kata-set-param ponderingEnabled false\n",
    ] {
        talk.ask("genmove b\n");
        std::thread::sleep(Duration::from_millis(20));
        let answer = talk.ask(line);
        assert!(answer.starts_with('='), "{line:?}: {answer:?}");
    }
    talk.ask("genmove b\n");
    talk.quit();
}

#[test]
fn quit_and_end_of_input_end_pondering() {
    let mut talk = start(true);
    talk.ask("genmove b\n");
    std::thread::sleep(Duration::from_millis(20));
    talk.quit();
    let mut talk = start(true);
    talk.ask("genmove b\n");
    std::thread::sleep(Duration::from_millis(20));
    talk.close();
}
