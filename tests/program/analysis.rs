//! Analysis commands as clients see them: the format of the lines, the color that the figures refer
//! to, and the events that end an analysis.

use crate::talk::Talk;

/// Starts a session with one thread.
fn session(options: &[&str]) -> Talk {
    Talk::new(&[&["--threads", "1"], options].concat())
}

/// Content of a line of `kata-analyze`, parsed strictly: a segment per move, then root and
/// ownership.
#[derive(Default, Debug)]
struct Read {
    moves: Vec<Vec<(String, String)>>,
    pvs: Vec<Vec<String>>,
    ownership: Vec<f64>,
}

fn read(line: &str) -> Read {
    let mut read = Read::default();
    let (moves, rest) = match line.find(" ownership ") {
        Some(at) => (&line[..at], &line[at + " ownership ".len()..]),
        None => (line, ""),
    };
    for segment in moves.strip_prefix("info ").unwrap().split(" info ") {
        let (plain, pv) = segment.split_once(" pv ").unwrap();
        let words: Vec<&str> = plain.split(' ').collect();
        assert!(words.len().is_multiple_of(2), "{plain}");
        let pairs: Vec<(String, String)> = words
            .chunks(2)
            .map(|pair| (pair[0].to_string(), pair[1].to_string()))
            .collect();
        assert_eq!(pairs[0].0, "move");
        for (key, value) in &pairs {
            if !["move", "visits", "order"].contains(&key.as_str()) {
                let (_, decimals) = value.split_once('.').expect(key);
                assert_eq!(decimals.len(), 6, "{key} {value}");
                value.parse::<f64>().unwrap();
            }
        }
        let pv: Vec<String> = pv.split(' ').map(str::to_string).collect();
        assert_eq!(pv[0], pairs[0].1, "{segment}");
        read.moves.push(pairs);
        read.pvs.push(pv);
    }
    read.ownership = rest
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    read
}

impl Read {
    fn value(&self, key: &str) -> f64 {
        let found = self.moves[0].iter().find(|(name, _)| name == key);
        found.unwrap().1.parse().unwrap()
    }
}

/// Black owns the three left columns, White the two right ones. Both are alive.
const DIVIDED: &str = "set_position_string .XXOOX.XO.XXXO.X.XOOXXXO.\n";

#[test]
fn figures_refer_to_the_requested_color() {
    let mut talk = session(&["--graph", "grid:5", "--playouts", "400"]);
    talk.ask_lines(DIVIDED);
    let mut told = Vec::new();
    for color in ["b", "w"] {
        let answer = talk.ask_lines(&format!("kata-search_analyze {color} ownership true\n"));
        assert_eq!(answer[0], "= ");
        assert!(answer.last().unwrap().starts_with("play "));
        told.push(read(&answer[answer.len() - 2]));
    }
    let [black, white] = told.as_slice() else {
        unreachable!()
    };
    assert!(black.value("winrate") > 0.9 && white.value("winrate") < 0.1);
    assert!(black.value("scoreLead") > 3.0 && white.value("scoreLead") < -3.0);
    assert_eq!(black.ownership.len(), 25);
    // Ownership starts with the top row. Its first point is A5, which is Black's.
    assert!(black.ownership[0] > 0.5 && white.ownership[0] < -0.5);
    assert!(black.ownership[4] < -0.5 && white.ownership[4] > 0.5);
    for read in [black, white] {
        assert!((0.0..=1.0).contains(&read.value("prior")));
        assert!(read.value("lcb") <= read.value("winrate"));
    }
}

#[test]
fn analysis_continues_with_a_single_allowed_move() {
    let mut talk = session(&["--graph", "grid:9", "--komi", "7"]);
    talk.send("kata-analyze b 5 allow b d4 1\n");
    talk.line();
    let enough = (0..2000).any(|_| read(&talk.line()).value("visits") > 50.0);
    assert!(enough, "the search must not end with its first playout");
}

#[test]
fn prints_no_line_before_the_first_playout() {
    let mut talk = session(&["--graph", "grid:19"]);
    talk.send("kata-analyze b 1\n");
    talk.line();
    let first = read(&talk.line());
    assert_ne!(first.moves[0][0].1, "pass", "{first:?}");
    assert_ne!(first.value("winrate"), 0.0, "{first:?}");
}

#[test]
fn analysis_continues_until_the_next_input_line() {
    for abort in ["name\n", "\n", "# interrupt\n", "#\n", "17\n"] {
        let mut talk = session(&["--graph", "grid:9"]);
        talk.send("5 kata-analyze b 3\n");
        assert_eq!(talk.line(), "=5 ");
        for _ in 0..3 {
            assert!(!read(&talk.line()).pvs.is_empty());
        }
        talk.send(abort);
        while !talk.line().is_empty() {}
        assert_eq!(
            talk.ask_lines("8 protocol_version\n"),
            if abort == "name\n" {
                ["= omnigo"]
            } else {
                ["=8 2"]
            }
        );
    }
}

#[test]
fn end_of_input_ends_an_analysis() {
    let mut talk = session(&["--graph", "grid:9"]);
    talk.send("lz-analyze b 2\n");
    assert_eq!(talk.line(), "= ");
    assert!(talk.line().starts_with("info move "));
    talk.end_input();
    while !talk.line().is_empty() {}
    talk.wait();
}

#[test]
fn an_analysis_without_interval_prints_one_line() {
    let mut talk = session(&["--graph", "grid:5"]);
    talk.send("kata-analyze\n");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let answer = talk.ask_lines("name\n");
    assert_eq!(answer.len(), 2, "{answer:?}");
    read(&answer[1]);
    // An analysis of a position with only one result does not end by itself either.
    talk.lines();
    talk.ask_lines("set_graph complete:1\n");
    talk.send("kata-analyze b 1\n");
    std::thread::sleep(std::time::Duration::from_millis(50));
    let answer = talk.ask_lines("name\n");
    assert!(answer.len() >= 2, "{answer:?}");
    assert_eq!(talk.lines(), ["= omnigo"]);
}

#[test]
fn other_lines_do_not_stop_a_move_search() {
    let mut talk = session(&["--graph", "grid:5", "--playouts", "3000"]);
    talk.send("kata-genmove_analyze b 1\nprotocol_version\n\nlist_commands\n");
    let answer = talk.lines();
    let read = read(&answer[answer.len() - 2]);
    assert!(read.value("visits") > 300.0, "{answer:?}");
    let played = answer.last().unwrap().strip_prefix("play ").unwrap();
    assert_eq!(talk.lines(), ["= 2"]);
    talk.lines();
    assert_eq!(
        talk.ask_lines(&format!("is_legal w {played}\n")),
        ["= 0"],
        "the move stands"
    );
}

#[test]
fn a_kept_tree_reports_for_the_player_to_move() {
    // The player who moves first owns the whole board. Afterwards White is to move, and the root
    // agrees with its moves.
    let mut talk = session(&[
        "--graph",
        "edges:a-b,b-c,c-d,d-a,d-e",
        "--playouts",
        "2000",
        "--seed",
        "1",
    ]);
    talk.ask_lines("genmove b\n");
    let answer = talk.ask_lines("kata-search_analyze w rootInfo true ownership true\n");
    let after = |mark: &str| -> f64 {
        let (_, rest) = answer[1].split_once(mark).unwrap();
        let (_, rest) = rest.split_once(" winrate ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(after("info move") < 0.2, "{answer:?}");
    assert!(after("rootInfo") < 0.2, "{answer:?}");
    // If the tree holds every game, there are few playouts or none. Ownership must be reported
    // nevertheless.
    let (_, owners) = answer[1].split_once(" ownership ").unwrap();
    let mut owners = owners.split(' ').map(|owner| owner.parse::<f64>().unwrap());
    assert!(owners.any(|owner| owner.abs() > 0.2), "{answer:?}");
}

#[test]
fn reg_genmove_does_not_depend_on_earlier_searches() {
    let mut talk = session(&["--graph", "grid:7", "--net", "none", "--playouts", "60"]);
    talk.ask_lines("play b D4\n");
    let answers: Vec<Vec<String>> = (0..6).map(|_| talk.ask_lines("reg_genmove w\n")).collect();
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
    talk.ask_lines("kata-search_analyze w 1\n");
    assert_eq!(talk.ask_lines("reg_genmove w\n"), answers[0]);
}

#[test]
fn quit_does_not_wait_for_queued_searches() {
    let mut talk = session(&["--graph", "grid:9", "--net", "none", "--time", "600"]);
    talk.send("genmove b\ngenmove w\ngenmove b\n");
    std::thread::sleep(std::time::Duration::from_millis(500));
    talk.send("quit\n");
    // Three searches would take half an hour.
    talk.wait();
}
