//! The command line: spellings of the board, similar words in errors, help, completions, and
//! manual pages.

use crate::process::{self, PROGRAM, omnigo, piped, run_line, with_input};

/// Returns the standard output of a command that succeeds.
fn text(line: &str) -> String {
    let output = run_line(line);
    assert!(output.status.success(), "{line}: {output:?}");
    process::text(&output.stdout)
}

/// Returns the exit status and the first line of the message.
fn refusal(line: &str) -> (Option<i32>, String) {
    let output = run_line(line);
    let problem = process::text(&output.stderr);
    let first = problem.lines().next().unwrap_or_default().to_string();
    (output.status.code(), first)
}

/// Checks that the command line is refused with such a message.
fn refuses(line: &str, expected: impl Fn(&str) -> bool) {
    let (status, problem) = refusal(line);
    assert_eq!(status, Some(2), "{line}: {problem}");
    assert!(expected(&problem), "{line}: {problem}");
}

#[test]
fn a_board_is_the_first_argument_or_an_option() {
    for (short, long) in [
        (
            "solve path:3 --ruleset tromp-taylor",
            "solve --graph path:3 --ruleset tromp-taylor",
        ),
        ("komi path:3", "komi --graph path:3"),
        (
            "life path:5 --position .X.X.",
            "life --graph path:5 --position .X.X.",
        ),
        ("count path:3 positions", "count positions --graph path:3"),
        ("count games path:2", "count games --graph path:2"),
        (
            "check path:3 1,pass,pass",
            "check --graph path:3 1,pass,pass",
        ),
        ("graph petersen --info", "graph --graph petersen --info"),
    ] {
        assert_eq!(text(short), text(long), "{short}");
    }
    for (line, part) in [
        ("solve --ruleset ggg", "required arguments"),
        (
            "solve path:3 --graph path:3 --ruleset ggg",
            "cannot be used",
        ),
        (
            "count path:3",
            "missing quantity (one of positions, games, perft, polynomial, moves)",
        ),
        ("count positions", "missing board"),
        ("count path:3 positions --graph path:3", "wrong number"),
        ("count path:3 perft", "missing depth"),
        ("check 1,pass,pass", "missing board"),
        (
            "check path:3 1,pass --graph path:3",
            "the board is given twice",
        ),
        ("gtp grid:5 --size 5", "cannot be used"),
    ] {
        refuses(line, |problem| problem.contains(part));
    }
}

#[test]
fn contradictory_options_are_wrong_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    let games = "match --black a --white b --games 2";
    for (line, part) in [
        (
            format!("{games} cube --sgf {folder}"),
            "expected --out instead",
        ),
        (format!("{games} grid:5 --handicap 300"), "no room"),
        (
            format!("{games} grid:5 --ruleset conway --komi even"),
            "count no points",
        ),
        (
            format!("selfplay --out {folder} --games 1 --ruleset japanese"),
            "all stones alive",
        ),
        ("gtp --human-moves 1".to_owned(), "human-style"),
        (
            "fit --matches a --out b --answers b".to_owned(),
            "two different files",
        ),
    ] {
        let (status, problem) = refusal(&line);
        assert_eq!(status, Some(2), "{line}: {problem}");
        assert!(problem.contains(part), "{line}: {problem}");
    }
}

#[test]
fn misspelled_words_get_a_suggestion_in_the_same_line() {
    for (line, beginning, end) in [
        (
            "solve tours:3 --ruleset ggg",
            "error: invalid value 'tours:3' for ",
            "; did you mean 'torus'?",
        ),
        (
            "komi path:3 --ruleset famin",
            "error: invalid value 'famin' for '--ruleset <NAME>': unknown ruleset 'famin', expected tromp-taylor, ",
            "; did you mean 'famine'?",
        ),
        (
            "komi path:3 --ruleset ggg,suicde=no",
            "error: ",
            "; did you mean 'suicide'?",
        ),
        (
            "komi path:3 --ruleset ggg,ko=simplee",
            "error: ",
            "; did you mean 'simple'?",
        ),
        (
            "graph grid:3 --to svg --theme drak",
            "error: ",
            "expected light, dark or paper; did you mean 'dark'?",
        ),
        (
            "graph grid:3 --to svg --labels labels",
            "error: ",
            "; did you mean 'label'?",
        ),
        (
            "graph grid:3 --to gaph6",
            "error: ",
            "; did you mean 'graph6'?",
        ),
        (
            "graph grid:3 --from edgelst",
            "error: ",
            "; did you mean 'edgelist'?",
        ),
        (
            "count path:3 positionz",
            "error: ",
            "unknown quantity 'positionz', expected one of positions, games, perft, polynomial, \
             moves; did you mean 'positions'?",
        ),
        ("graph 9x9", "error: ", "; did you mean 'grid:9x9'?"),
        (
            "graph boards/own.graphml",
            "error: ",
            "; did you mean 'file:boards/own.graphml'?",
        ),
    ] {
        refuses(line, |problem| {
            problem.starts_with(beginning) && problem.ends_with(end)
        });
    }
    let (_, problem) = refusal("graph edges:hub-left --to svg --mark hubb");
    assert!(problem.ends_with("; did you mean 'hub'?"), "{problem}");
    let (_, problem) = refusal("komi xyzzyq:3");
    assert!(!problem.contains("did you mean"), "{problem}");
}

#[test]
fn people_read_given_labels_and_programs_only_labels() {
    let board = "edges:hub-left,hub-right";
    let solved = text(&format!("solve {board} --ruleset tromp-taylor"));
    assert!(solved.starts_with("B+3\nline A1 (hub)"), "{solved}");
    let json = text(&format!("solve {board} --ruleset tromp-taylor --json"));
    assert!(json.contains("\"pv\":[\"hub\""), "{json}");
    let life = text("life edges:a-b,b-c,c-d,d-e --position .X.X.");
    assert_eq!(life, "black B1 (b)\nblack A2 (d)\n");
    let check = omnigo(&["check", board, "hub,hub"]);
    let check = String::from_utf8(check.stdout).unwrap();
    assert!(check.contains("m_1 = A1 (hub): "), "{check}");
    // Indices and coordinates are not labels that a user gave.
    let plain = text("life path:5 --position .X.X.");
    assert_eq!(plain, "black B1\nblack A2\n");
}

#[test]
fn pictures_show_given_labels() {
    for (board, labels) in [
        ("edges:hub-left,hub-right", "label"),
        ("petersen", "alias"),
        ("grid:3", "alias"),
    ] {
        let plain = text(&format!("graph {board} --to svg"));
        let chosen = text(&format!("graph {board} --to svg --labels {labels}"));
        assert_eq!(plain, chosen, "{board}");
    }
    let other = text("graph edges:hub-left,hub-right --to svg --labels alias");
    assert_ne!(other, text("graph edges:hub-left,hub-right --to svg"));
}

#[test]
fn shells_and_manuals_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&format!("completions {shell}"));
        for word in ["omnigo", "solve", "ruleset", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = text("man");
    assert!(page.contains(".TH omnigo 1"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("new/man1");
    assert_eq!(text(&format!("man {}", target.display())), "");
    for name in ["omnigo.1", "omnigo-solve.1", "omnigo-man.1"] {
        let page = std::fs::read_to_string(target.join(name)).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
}

#[test]
fn closed_pipes_end_no_task() {
    // A warning that has no reader.
    let mut child = piped()
        .args(["count", "positions", "--graph", "edges:a-b,a-b"])
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"5\n");
    // A summary that has no reader.
    let engine = format!("{PROGRAM} gtp --playouts 1 --net none");
    let mut child = piped()
        .args(["match", "grid:3", "--games", "1", "--black", &engine])
        .args(["--white", &engine])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problem}");
    assert!(!problem.contains("pipe"), "{problem}");
}

#[test]
fn a_negative_number_may_follow_its_option() {
    let value = |komi: &str| text(&format!("solve path:3 {komi}"));
    assert!(value("--komi -3.5").starts_with("B+6.5\n"));
    for same in ["--komi=-3.5", "--ruleset tromp-taylor,komi=-3.5"] {
        assert_eq!(value("--komi -3.5"), value(same), "{same}");
    }
    assert_eq!(value("--komi -.5"), value("--komi=-0.5"));
    // Every other command takes a negative komi in the same way, and then names another problem.
    for (line, end) in [
        ("gtp --komi -3.5 --threads 0", "from 1 to 1024"),
        ("--komi -.5 --threads -1", "from 1 to 1024"),
        ("analysis --komi -3.5 --threads -1", "from 1 to 1024"),
        (
            "benchmark --komi -3.5 --time -1",
            "expected seconds above 0, at most 86400",
        ),
        ("play --komi -3.5 --port -1", "from 0 to 65535"),
        ("review a.sgf --komi -3.5 --playouts -1", "1 or more"),
        (
            "selfplay --out a --games 1 --komi -3.5 --seed -1",
            "0 or more",
        ),
        ("match --games 1 --komi -3.5 --parallel -1", "from 1 to 256"),
        (
            "match --games 1 --komi -inf",
            "in steps of 0.5, even or even:light",
        ),
        ("solve path:3 --komi -inf", "expected a finite number"),
        ("rate a.jsonl --elo -1e999", "expected a finite number"),
        ("rows a.txt --out b --most -1", "0 or more"),
        ("record a.sgf --to svg --every -1", "1 or more"),
        ("bench --time -1", "expected seconds above 0, at most 86400"),
    ] {
        refuses(line, |problem| problem.ends_with(end));
    }
}

#[test]
fn searches_of_a_student_need_games_of_the_student() {
    let line = "label --teacher none.bin.gz --out t --games 1 --searched 1 --student-share 0";
    refuses(line, |problem| problem.ends_with("--student-share above 0"));
}

#[test]
fn a_network_needs_the_benchmark_of_networks() {
    for (options, needed) in [
        (
            "--net none.bin",
            "--net needs 'bench net', the only benchmark of a network",
        ),
        (
            "--net-kernel portable",
            "--net-kernel needs 'bench net', the only benchmark of kernels",
        ),
    ] {
        refuses(&format!("bench cost {options} --time 1"), |problem| {
            problem.contains(needed)
        });
    }
}

#[test]
fn only_the_chosen_kernels_are_measured() {
    let answer = text("bench net --net-kernel portable --time 0.001 --json");
    let report: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let speeds = report["evaluations"].as_array().unwrap();
    assert_eq!(speeds.len(), 3, "{answer}");
    for speed in speeds {
        assert_eq!(speed["kernel"], "portable");
        let number = |key: &str| speed[key].as_f64().unwrap();
        let (shortest, mean) = (
            number("shortest_pass_us"),
            1e6 / number("passes_per_second"),
        );
        assert!(shortest > 0.0 && shortest <= mean * 1.001, "{speed}");
    }
}

#[test]
fn a_time_beyond_the_range_is_refused_with_both_bounds() {
    let a_day = "expected seconds above 0, at most 86400";
    let timeout = "expected seconds above 0, at most 1000000";
    let tolerance = "expected seconds from 0 to 1000000";
    for (line, end) in [
        ("bench --time 1e30", a_day),
        ("bench cost --time 86401", a_day),
        ("bench net --time 1e30", a_day),
        ("benchmark --time 1e30 --net none --threads 1", a_day),
        ("match --games 1 --timeout 1e30", timeout),
        ("match --games 1 --timeout 1e7", timeout),
        ("match --games 1 --timeout 0", timeout),
        (
            "match --games 1 --time-settings 1,1,1 --time-tolerance 1e30",
            tolerance,
        ),
        (
            "match --games 1 --time-settings 0,1,1 --time-tolerance 1e7",
            tolerance,
        ),
    ] {
        refuses(line, |problem| problem.ends_with(end));
    }
}

#[test]
fn solve_uses_tromp_taylor_rules_by_default() {
    let named = text("solve cycle:4 --ruleset tromp-taylor");
    assert_eq!(text("solve cycle:4"), named);
    assert_ne!(text("solve cycle:4 --komi 0.5"), named);
}

#[test]
fn every_error_begins_with_the_same_word() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none").display().to_string();
    for (line, status) in [
        ("gtp --size 5 --position X".to_string(), 2),
        (format!("gtp file:{missing}"), 2),
        (format!("graph file:{missing}"), 2),
        (format!("graph path:3 --to svg --out {missing}/a.svg"), 1),
        (format!("review {missing}"), 1),
        (format!("record {missing} --to svg"), 1),
        (format!("rate {missing}"), 1),
        (format!("gtp --net {missing}"), 1),
        (format!("gtp --config {missing}"), 2),
        ("bench --out a.svg net".to_string(), 2),
        ("nonsense".to_string(), 2),
    ] {
        let (found, problem) = refusal(&line);
        assert_eq!(found, Some(status), "{line}: {problem}");
        assert!(problem.starts_with("error: "), "{line}: {problem}");
    }
}

#[test]
fn options_replace_only_a_file_of_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, more: &str| {
        let line = format!("config --out {} {more}", path(name).display());
        refusal(&line)
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(write("new.toml", "").0, Some(0));
    let options = read("new.toml");
    for (name, content) in [
        ("game.sgf", "(;SZ[9])"),
        ("notes.toml", "# my notes\n"),
        ("other.toml", "[package]\nname = \"x\"\n"),
    ] {
        std::fs::write(path(name), content).unwrap();
        let (status, problem) = write(name, "");
        assert_eq!(status, Some(2), "{problem}");
        assert!(problem.contains("--force"), "{problem}");
        assert_eq!(read(name), content);
        assert_eq!(write(name, "--force").0, Some(0));
        assert_eq!(read(name), options);
    }
    for content in ["", "playouts = 5\n", &options] {
        std::fs::write(path("old.toml"), content).unwrap();
        assert_eq!(write("old.toml", "").0, Some(0), "{content}");
        assert_eq!(read("old.toml"), options);
    }
}

#[test]
fn reasons_name_the_expected_form_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    for (command, name, content) in [
        ("rate ", "a.jsonl", "x\n"),
        ("rate ", "b.jsonl", "{\"game\":\"one\"}\n"),
        ("rate ", "c.jsonl", "{\"game\":1}\n"),
        ("gtp --config ", "a.toml", "playouts\n"),
        ("gtp --config ", "b.toml", "[gtp\n"),
        ("gtp --config ", "c.toml", "playouts = [1\n"),
        ("review ", "a.json", "{\"kind\":1}"),
        ("graph file:", "b.json", "{x"),
        ("graph file:", "c.json", "{\"kind\":\"space\",\"points\":[}"),
    ] {
        let path = file(name, content);
        let (_, problem) = refusal(&format!("{command}{path}"));
        assert!(problem.starts_with("error: "), "{problem}");
        assert!(problem.matches("expected ").count() < 2, "{problem}");
    }
    let (_, problem) = refusal(&format!("rate {}", file("d.jsonl", "{\"game\":\"x\"}\n")));
    assert!(
        problem.contains(" line 1 is not a game of an earlier match: invalid type: string"),
        "{problem}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_are_too_long_are_refused_before_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("atlas.csv");
    // A file of zeros that takes no room on the disk.
    let long = std::fs::File::create(&path).unwrap();
    let (file, folder) = (path.display(), folder.path().display());
    for (bytes, line) in [
        (1 << 30, format!("rate {file}")),
        (4 << 30, format!("rows {file} --out {folder}/rows")),
        (4 << 30, format!("fit {file} --out {folder}/weights")),
        (
            4 << 30,
            format!("fit --matches {file} --answers {folder}/answers"),
        ),
        (4 << 30, format!("accuracy {file}")),
        (64 << 20, format!("atlas --vertices 1 --out {folder}")),
        (1 << 20, format!("gtp --config {file}")),
    ] {
        long.set_len(bytes + 1).unwrap();
        let (status, problem) = refusal(&line);
        assert!(status == Some(1) || status == Some(2), "{line}: {problem}");
        let mib: u64 = bytes >> 20;
        let reason = format!("the file is too long, expected at most {mib} MiB");
        assert!(
            problem.starts_with("error: ") && problem.ends_with(&reason),
            "{problem}"
        );
    }
}

#[test]
fn a_wrong_number_names_the_accepted_numbers() {
    for (line, end) in [
        ("--playouts 1e3", "expected a whole number, 1 or more"),
        ("--memory 1GB", "expected a whole number from 16 to 1048576"),
        ("--size 9x9", "expected a whole number from 1 to 52"),
        ("--threads 0", "expected a whole number from 1 to 1024"),
        ("--opening-moves x", "expected a whole number, 0 or more"),
        (
            "play --port 99999",
            "expected a whole number from 0 to 65535",
        ),
        ("play --port x", "expected a whole number from 0 to 65535"),
        (
            "--playouts 99999999999999999999",
            "expected a whole number from 1 to 18446744073709551615",
        ),
        (
            "--seed 18446744073709551616",
            "expected a whole number from 0 to 18446744073709551615, or random",
        ),
        (
            "count games path:3 --limit 340282366920938463463374607431768211456",
            "expected a whole number from 0 to 340282366920938463463374607431768211455",
        ),
        (
            "count perft path:3 --depth 4294967296",
            "expected a whole number from 0 to 4294967295",
        ),
        ("--resign-below x", "expected a probability from 0 to 1"),
        ("--lag x", "expected seconds from 0 to 3600"),
        ("--opening-temperature x", "expected a number from 0 to 10"),
        ("solve path:3 --seconds x", "expected seconds above 0"),
        (
            "match --black a --white b --games 1 --komi 1e7",
            "expected points from -1000000 to 1000000 in steps of 0.5, even or even:light",
        ),
        (
            "count perft path:3 --depth x",
            "expected a whole number, 0 or more",
        ),
        ("analysis --seed x", "expected a whole number, 0 or more"),
        (
            "match --black a --white b --games two",
            "expected a whole number from 1 to 10000000",
        ),
        (
            "graph path:3 --to svg --width 0",
            "expected a whole number from 16 to 20000",
        ),
    ] {
        refuses(line, |problem| problem.ends_with(end));
    }
}

#[test]
fn help_is_grouped_and_wrapped() {
    let help = text("--help");
    for title in [
        "Play:",
        "Exact answers:",
        "Board:",
        "Rules:",
        "Search:",
        "Examples:",
    ] {
        assert!(help.lines().any(|line| line == title), "{title}: {help}");
    }
    let help = text("solve --help");
    for title in ["Board:", "Rules:", "Limits:", "Examples:"] {
        assert!(help.lines().any(|line| line == title), "{title}: {help}");
    }
    assert!(help.contains("omnigo solve grid:3 --ruleset tromp-taylor"));
    assert!(
        help.lines().all(|line| line.chars().count() <= 100),
        "{help}"
    );
}

#[test]
fn the_atlas_ends_after_the_whole_time_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display();
    let line = format!("atlas --vertices 6 --seconds 60 --total-seconds 0.3 --out {out}");
    let (status, problem) = refusal(&line);
    assert_eq!(status, Some(1));
    assert!(
        problem.starts_with("error: the time is up: ") && problem.contains("continues from there"),
        "{problem}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn help_and_answers_on_a_full_disk_are_failures() {
    for line in [
        "--help",
        "--version",
        "man",
        "completions bash",
        "config",
        "analysis",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let mut command = piped();
        command.args(line.split(' ')).stdout(full.unwrap());
        let output = with_input(&mut command, "{}\n");
        assert_eq!(output.status.code(), Some(1), "{line}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("error: No space left"), "{line}: {told}");
        assert_eq!(told.lines().count(), 1, "{line}: {told}");
    }
}

#[test]
fn paths_with_line_breaks_are_told_in_one_line() {
    for words in [
        ["man", "/dev/null/a\nb"],
        ["config", "--out=/dev/null/a\nb"],
        ["gtp", "--config=/dev/null/a\nb"],
        ["gtp", "-config=/dev/null/a\nb"],
    ] {
        let output = omnigo(&words);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told.lines().count(), 1, "{words:?}: {told}");
        assert!(!output.status.success());
    }
}
