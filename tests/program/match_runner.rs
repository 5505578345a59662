//! Matches through the command line: the binary against itself, and against programs that are not
//! engines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use omnigo::policy::learned::Weights;
use serde_json::Value;

use crate::process::{self, PROGRAM, program, send};

/// Returns an engine command that runs omnigo with few playouts.
fn omnigo(seed: u32) -> String {
    format!("'{PROGRAM}' --playouts 20 --threads 1 --seed {seed}")
}

/// Returns a new folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn play(black: &str, white: &str, options: &[&str]) -> Output {
    let mut command = program();
    command.args(["match", "--black", black, "--white", white, "--json"]);
    command.args(options).output().unwrap()
}

#[track_caller]
fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the last line of an error message.
#[track_caller]
fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    text.lines().last().unwrap_or_default().to_owned()
}

fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_match_on_a_grid_is_counted_recorded_and_resumed() {
    let folder = folder("grid");
    let out = folder.join("games.jsonl");
    let sgf = folder.join("sgf");
    let run = |games: &str, more: &[&str]| {
        let mut options = vec!["--graph", "grid:5", "--komi", "6.5", "--openings", "2"];
        options.extend(["--games", games, "--out", out.to_str().unwrap()]);
        options.extend(more);
        play(&omnigo(1), &omnigo(2), &options)
    };
    let first = summary(&run(
        "3",
        &["--parallel", "2", "--sgf", sgf.to_str().unwrap()],
    ));
    assert_eq!(first["games"], 3);
    let count = |key: &str| first[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), 3);
    assert_eq!(count("draws"), 0, "half a point decides");
    for key in ["score", "elo", "elo_error", "los", "sprt"] {
        assert!(first.get(key).is_some(), "{key}");
    }
    assert_eq!(
        count("illegal") + count("crashes") + count("timeouts") + count("refused"),
        0
    );

    let mut recorded = games(&out);
    recorded.sort_by_key(|game| game["game"].as_u64());
    assert_eq!(recorded.len(), 3);
    assert_eq!(recorded[0]["swapped"], false);
    assert_eq!(recorded[1]["swapped"], true);
    let opening = |game: &Value| game["moves"].as_array().unwrap()[..2].to_vec();
    assert_eq!(opening(&recorded[0]), opening(&recorded[1]));
    assert_ne!(opening(&recorded[0]), opening(&recorded[2]));
    let record = fs::read_to_string(sgf.join("game-00002.sgf")).unwrap();
    assert!(
        record.starts_with("(;PB[omnigo ") && record.contains("SZ[5]"),
        "{record}"
    );

    // A kill in the middle of a line loses only that line.
    let whole = fs::read_to_string(&out).unwrap();
    fs::write(&out, format!("{whole}{{\"game\":4,\"eng")).unwrap();
    let resumed = run("4", &[]);
    let warnings = String::from_utf8_lossy(&resumed.stderr);
    assert!(
        warnings.contains("was cut short and is removed"),
        "{warnings}"
    );
    let second = summary(&resumed);
    assert_eq!(second["games"], 4);
    assert_eq!(games(&out).len(), 4);
    assert!(fs::read_to_string(&out).unwrap().starts_with(&whole));
    // A complete last game without its line feed stays.
    let whole = fs::read_to_string(&out).unwrap();
    fs::write(&out, whole.trim_end()).unwrap();
    assert_eq!(summary(&run("4", &[]))["games"], 4);
    assert_eq!(fs::read_to_string(&out).unwrap(), whole);

    let other = play(
        &omnigo(1),
        &omnigo(2),
        &[
            "--graph",
            "grid:5",
            "--komi",
            "7",
            "--openings",
            "2",
            "--games",
            "4",
            "--out",
            out.to_str().unwrap(),
        ],
    );
    let line = error(&other);
    assert!(line.contains("komi was 6.5 and is 7 now"), "{line}");

    fs::write(&out, "{}\n").unwrap();
    let problem = error(&run("4", &[]));
    assert!(
        problem.contains("line 1 is not a game of an earlier match: missing field"),
        "{problem}"
    );
}

/// Tolerant rules let a finished game continue. The match must not.
#[test]
fn games_end_after_two_passes() {
    let out = folder("passes").join("games.jsonl");
    let engine = |seed| format!("{} --resign-below 0", omnigo(seed));
    let options = [
        "--graph",
        "grid:3",
        "--ruleset",
        "tromp-taylor",
        "--games",
        "2",
    ];
    let output = play(
        &engine(1),
        &engine(2),
        &[&options[..], &["--out", out.to_str().unwrap()]].concat(),
    );
    assert!(output.status.success(), "{output:?}");
    for game in games(&out) {
        assert_eq!(game["ending"], "passes", "{game}");
    }
}

#[test]
fn ratings_count_each_game_once_and_separate_conditions() {
    let folder = folder("rate");
    let record = |name: &str, black: u32, white: u32, komi: &str| {
        let out = folder.join(name);
        let path = out.to_str().unwrap();
        let options = ["--graph", "grid:3", "--games", "4", "--openings", "2"];
        let options = [&options[..], &["--komi", komi, "--out", path]].concat();
        summary(&play(&omnigo(black), &omnigo(white), &options));
        out
    };
    let rate = |files: &[&Path], more: &[&str]| {
        let mut command = program();
        command.arg("rate").args(files).args(more).output().unwrap()
    };
    let (one, two) = (
        record("a.jsonl", 1, 2, "2.5"),
        record("b.jsonl", 1, 2, "3.5"),
    );
    let found = summary(&rate(
        &[&one, &two, &one],
        &["--json", "--anchor", "--seed 1"],
    ));
    let tables = found.as_array().unwrap();
    assert_eq!(tables.len(), 2, "{found}");
    for table in tables {
        let games = table["ratings"][0]["games"].as_u64().unwrap();
        let repeated = table["repeated"].as_u64().unwrap();
        let read = if table["komi"] == "2.5" { 8 } else { 4 };
        assert_eq!(games + repeated, read, "{found}");
        assert!(read == 4 || repeated >= 4, "{found}");
        assert_eq!(table["anchored"], true);
    }
    // Games of an engine against itself do not count.
    let mirror = record("c.jsonl", 1, 1, "2.5");
    let found = summary(&rate(&[&one, &mirror], &["--json"]));
    assert_eq!(found[0]["mirrored"], 4, "{found}");
    let alone = summary(&rate(&[&one], &["--json"]));
    assert_eq!(found[0]["ratings"], alone[0]["ratings"], "{found}");
    let text = rate(&[&mirror], &[]);
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(
        text.contains("(ignored: 4 games of an engine against itself)"),
        "{text}"
    );

    let found = summary(&rate(&[&one], &["--json", "--anchor", "omnigo"]));
    assert_eq!(found[0]["anchored"], false, "{found}");
    assert_eq!(
        found[0]["ambiguous"].as_array().unwrap().len(),
        2,
        "{found}"
    );

    // The record of a match in progress, or of a match that was killed.
    let text = fs::read_to_string(&one).unwrap();
    fs::write(&one, &text[..text.len() - 20]).unwrap();
    let cut = rate(&[&one], &["--anchor", "--seed 1"]);
    assert!(cut.status.success(), "{cut:?}");
    assert!(String::from_utf8_lossy(&cut.stderr).contains("was cut short"));
}

#[test]
fn fit_learns_move_weights_from_matches_and_keeps_the_records() {
    let folder = folder("fit");
    let record = |graph: &str| {
        let out = folder.join(format!("{}.jsonl", graph.replace(':', "-")));
        let options = [
            "--graph",
            graph,
            "--games",
            "10",
            "--openings",
            "2",
            "--out",
        ];
        let options = [&options[..], &[out.to_str().unwrap()]].concat();
        summary(&play(&omnigo(1), &omnigo(2), &options));
        out
    };
    let answers = folder.join("answers.txt");
    let fit = |record: &Path, out: &Path| {
        let mut command = program();
        command.arg("fit").arg("--matches").arg(record);
        command.arg("--answers").arg(&answers);
        command.arg("--out").arg(out).output().unwrap()
    };
    let built_in = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/core/src/policy/learned/weights.bin"
    ));
    let (king, weights) = (record("king:4x4"), folder.join("weights.bin"));
    let done = fit(&king, &weights);
    assert!(done.status.success(), "{done:?}");
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        told.contains("matches before") && told.contains("matches after"),
        "{told}"
    );
    assert!(told.contains("answers in playouts: from"), "{told}");
    let found = fs::read_to_string(&answers).unwrap();
    let found: Vec<u16> = found.split_whitespace().flat_map(str::parse).collect();
    assert_eq!(found.len(), 288);
    // After ten games, some answer codes weigh more than the rest of the board, some less. Codes
    // that never occurred keep the default of 1000.
    for met in [|w: u16| w > 1000, |w: u16| w < 1000, |w: u16| w == 1000] {
        assert!(found.iter().any(|&w| met(w)), "{found:?}");
    }
    // Answers can be fitted alone, and do not depend on the fit of the weights.
    let alone = |options: &[&str]| {
        let mut command = program();
        command.arg("fit").arg("--matches").arg(&king);
        command.args(options).output().unwrap()
    };
    let again = folder.join("again.txt");
    let done = alone(&["--answers", again.to_str().unwrap()]);
    assert!(done.status.success(), "{done:?}");
    assert_eq!(fs::read(&again).unwrap(), fs::read(&answers).unwrap());
    // These runs fail: without an output file, and with options that need games of players.
    let alone_with = |option| ["--answers", "x.txt", option, "3"];
    for options in [&[][..], &alone_with("--patterns"), &alone_with("--seed")] {
        assert_eq!(alone(options).status.code(), Some(2), "{options:?}");
    }
    let read = |bytes: &[u8]| Weights::read(bytes).unwrap();
    let (new, old) = (read(&fs::read(&weights).unwrap()), read(&built_in.unwrap()));
    // Weights with shapes stay unchanged.
    assert!(new.shaped == old.shaped && new.keys == old.keys);
    assert_ne!(new.shapeless, old.shapeless);

    let before = fs::read(&king).unwrap();
    let line = error(&fit(&king, &king));
    assert!(line.contains("is a file of games"), "{line}");
    assert_eq!(fs::read(&king).unwrap(), before);
    let line = error(&fit(&record("torus:6x6"), &weights));
    assert!(line.contains("no games to learn from"), "{line}");
}

#[test]
fn load_game_restores_handicap_and_even_komi() {
    let folder = folder("loaded");
    let (out, saved) = (folder.join("games.jsonl"), folder.join("saved.json"));
    let options = ["--graph", "torus:5x5", "--handicap", "2", "--games", "1"];
    let options = [&options[..], &["--komi", "even:light", "--out"]].concat();
    let options = [&options[..], &[out.to_str().unwrap()]].concat();
    summary(&play(&omnigo(1), &omnigo(2), &options));
    let game = games(&out).remove(0);
    assert_eq!(game["settings"]["komi"], "even:light");
    let komi = game["komi"].as_f64().unwrap();
    assert!(komi.fract() != 0.0, "{komi}");
    let input = folder.join("input.gtp");
    let (from, to) = (out.display(), saved.display());
    fs::write(&input, format!("load_game {from}\nsave_game {to}\nquit\n")).unwrap();
    let mut command = program();
    command.stdin(fs::File::open(&input).unwrap());
    let answers = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(!answers.contains('?'), "{answers}");
    let loaded: Value = serde_json::from_str(&fs::read_to_string(&saved).unwrap()).unwrap();
    assert_eq!(loaded["komi"].as_f64(), Some(komi));
    let start = loaded["start"].as_str().unwrap();
    assert_eq!(start.matches('X').count(), 2, "{start}");
    assert_eq!(loaded["first"], "white");
    assert_eq!(loaded["handicap"], 2);
    let moves = game["moves"].as_array().unwrap().len();
    assert_eq!(loaded["moves"].as_array().unwrap().len(), moves);
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_prints_its_summary() {
    let out = folder("interrupt").join("games.jsonl");
    let mut command = program();
    command.args(["match", "--black", &omnigo(1), "--white", &omnigo(2)]);
    command.args(["--json", "--games", "100000", "--graph", "grid:3"]);
    command.args(["--openings", "2", "--out", out.to_str().unwrap()]);
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let running = command.spawn().unwrap();
    let begun = std::time::Instant::now();
    while !fs::read_to_string(&out).is_ok_and(|text| text.contains('\n')) {
        assert!(begun.elapsed().as_secs() < 120, "no game was played");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    send("INT", &running);
    let output = running.wait_with_output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(error(&output).contains("interrupted after"), "{output:?}");
    let played = found["games"].as_u64().unwrap();
    assert!((1..100_000).contains(&played), "{found}");
    assert_eq!(games(&out).len() as u64, played);
    assert_eq!(found["crashes"], 0);
}

#[test]
#[cfg(unix)]
fn engines_stopped_by_an_interrupt_do_not_lose() {
    let out = folder("interrupted-engines").join("games.jsonl");
    let out = out.to_str().unwrap();
    // The second engine exits at its third `genmove`, and interrupts the match a moment later.
    let mortal = "sh -c 'n=0; while read -r line; do case $line in genmove*) n=$((n+1)); \
         if [ $n = 3 ]; then (sleep 0.05; kill -INT $PPID) > /dev/null 2>&1 & exit; fi; printf \"= pass\\n\\n\";; \
         *) printf \"=\\n\\n\";; esac; done'";
    let options = ["--graph", "grid:5", "--games", "9", "--out", out];
    let output = play(&omnigo(1), mortal, &options);
    assert!(error(&output).contains("interrupted after"), "{output:?}");
    let played = games(Path::new(out));
    assert!(
        played.iter().all(|game| game["fault"].is_null()),
        "{played:?}"
    );
}

#[test]
fn two_matches_cannot_write_the_same_file() {
    let path = folder("in-use").join("games.jsonl");
    let held = std::fs::File::create(&path).unwrap();
    held.lock().unwrap();
    let out = path.to_str().unwrap();
    let options = ["--games", "1", "--graph", "path:3", "--out", out];
    let second = play(&omnigo(1), &omnigo(2), &options);
    assert!(!second.status.success());
    assert!(
        error(&second).contains("is in use by another match"),
        "{second:?}"
    );
    drop(held);
    assert!(play(&omnigo(1), &omnigo(2), &options).status.success());
    assert_eq!(games(&path).len(), 1);
}

#[test]
fn plays_a_match_on_a_torus_under_ggg_rules() {
    let options = ["--graph", "torus:4x4", "--ruleset", "ggg", "--games", "2"];
    let found = summary(&play(&omnigo(1), &omnigo(2), &options));
    assert_eq!(found["games"], 2);
    assert_eq!(found["illegal"], 0);
    assert_eq!(found["settings"]["graph"], "torus:4x4");
    assert_eq!(found["settings"]["komi"], "0");
}

#[test]
fn black_has_a_handicap_in_every_game() {
    let folder = folder("handicap");
    let out = folder.join("games.jsonl");
    let sgf = folder.join("sgf");
    let run = |handicap: &str| {
        let mut options = vec!["--graph", "grid:7", "--games", "2", "--max-moves", "6"];
        options.extend(["--handicap", handicap, "--out", out.to_str().unwrap()]);
        options.extend(["--sgf", sgf.to_str().unwrap()]);
        play(&omnigo(1), &omnigo(2), &options)
    };
    assert_eq!(summary(&run("3"))["games"], 2);
    for game in games(&out) {
        assert_eq!(game["first"], "white");
        assert_eq!(game["settings"]["handicap"], 3);
    }
    let text = fs::read_to_string(sgf.join("game-00001.sgf")).unwrap();
    assert!(text.contains("HA[3]") && text.contains("AB["), "{text}");
    assert!(error(&run("2")).contains("handicap was 3 and is 2 now"));
    assert!(error(&run("0")).contains("handicap was 3 and is none now"));
    let even = folder.join("even.jsonl");
    fs::write(
        &even,
        fs::read_to_string(&out)
            .unwrap()
            .replace(",\"handicap\":3", ""),
    )
    .unwrap();
    fs::rename(&even, &out).unwrap();
    assert!(error(&run("3")).contains("handicap was none and is 3 now"));
    let wrong = play(
        &omnigo(1),
        &omnigo(2),
        &["--graph", "path:4", "--games", "1", "--handicap", "4"],
    );
    assert_eq!(wrong.status.code(), Some(2), "wrong arguments");
    let problem = String::from_utf8_lossy(&wrong.stderr);
    assert!(problem.contains("no room for this number of handicap stones"));
}

#[test]
fn the_last_mover_wins_games_without_scores() {
    let folder = folder("conway");
    let out = folder.join("games.jsonl");
    let options = [
        "--graph",
        "path:4",
        "--ruleset",
        "conway",
        "--games",
        "2",
        "--out",
        out.to_str().unwrap(),
    ];
    let found = summary(&play(&omnigo(1), &omnigo(2), &options));
    assert_eq!((&found["games"], &found["illegal"]), (&2.into(), &0.into()));
    for game in games(&out) {
        assert_eq!(game["ending"], "stuck");
        assert!(
            ["B+", "W+"].contains(&game["result"].as_str().unwrap()),
            "{game}"
        );
    }
}

#[test]
fn unusable_engine_commands_stop_the_match() {
    let common = ["--graph", "grid:5", "--games", "2", "--timeout", "1"];
    let line = error(&play(&omnigo(1), "no-such-program-here", &common));
    assert!(
        line.contains("cannot start the --white engine 'no-such-program-here'"),
        "{line}"
    );
    // The reason comes before the last line of the message.
    let line = error(&play(&omnigo(1), &(omnigo(2) + " --level 33"), &common));
    assert!(
        line.contains("'33' for '--level <N>': expected a"),
        "{line}"
    );
    let output = process::omnigo(&["match", "--black", "a 'b", "--white", "c", "--games", "1"]);
    assert_eq!(output.status.code(), Some(2), "wrong arguments");
}

#[cfg(unix)]
mod scripts {
    use super::*;

    /// Returns an engine command. Commands that match `case` run its shell code; all others
    /// succeed.
    fn script(case: &str) -> String {
        let rest = "*) printf \"= \\n\\n\";;";
        format!("sh -c 'while read -r c; do case \"$c\" in {case} {rest} esac; done'")
    }

    #[test]
    fn programs_that_echo_or_exit_stop_the_match() {
        let common = ["--graph", "grid:5", "--games", "2", "--timeout", "1"];
        let line = error(&play("cat", &omnigo(1), &common));
        assert!(
            line.contains("'cat' gave no answer within 1 s after the command 'name'"),
            "{line}"
        );
        let line = error(&play("true", &omnigo(1), &common));
        assert!(
            line.contains("'true' ended after the command 'name'"),
            "{line}"
        );
        let line = error(&play("sh -c 'echo oh no >&2'", &omnigo(1), &common));
        assert!(line.contains("ended (it said: oh no)"), "{line}");
    }

    #[test]
    fn an_engine_without_set_graph_plays_only_on_grids() {
        let options = ["--graph", "torus:4x4", "--games", "2", "--timeout", "5"];
        let line = error(&play(&script(""), &omnigo(1), &options));
        assert!(
            line.ends_with("cannot play on torus:4x4: it does not list set_graph"),
            "{line}"
        );
    }

    #[track_caller]
    fn loses(case: &str, key: &str) {
        let options = ["--graph", "grid:5", "--games", "4", "--timeout", "1"];
        let found = summary(&play(&script(case), &omnigo(1), &options));
        assert_eq!(found["losses"], 4, "{found}");
        assert_eq!(found[key], 4, "{found}");
        assert_eq!(found["faults"]["black"][key], 4, "{found}");
        assert_eq!(found["elo"], Value::Null);
        assert_eq!(found["elo_interval"][0], Value::Null);
        assert_eq!(found["duplicates"], 0, "a forfeit repeats no game");
        assert_eq!(found["score"], 0.0);
    }

    #[test]
    fn faults_lose_games_and_are_counted() {
        loses("genmove*) exit 3;;", "crashes");
        loses("genmove*) ;;", "timeouts");
        loses("genmove*) printf \"= Z99\\n\\n\";;", "illegal");
        loses("genmove*) printf \"? cannot\\n\\n\";;", "illegal");
        // The engine always plays A1, so its second move there is illegal at the latest.
        loses("genmove*) printf \"= A1\\n\\n\";;", "illegal");
        loses(
            "genmove*) printf \"= pass\\n\\n\";; play*) printf \"? no\\n\\n\";;",
            "refused",
        );
    }

    #[test]
    fn resigning_is_not_a_fault_and_sprt_stops_early() {
        let resign = script("genmove*) printf \"= resign\\n\\n\";;");
        let options = ["--graph", "grid:5", "--games", "1000", "--sprt", "-200,0"];
        let found = summary(&play(&resign, &omnigo(1), &options));
        assert_eq!(found["sprt"]["state"], "accept-h0");
        assert!(found["games"].as_u64().unwrap() < 20, "{found}");
        assert_eq!(found["wins"], 0);
        assert_eq!(found["faults"]["black"]["illegal"], 0);
    }

    #[test]
    fn an_engine_can_score_the_games() {
        let judge =
            script("genmove*) printf \"= pass\\n\\n\";; final_score) printf \"= W+99.5\\n\\n\";;");
        let options = [
            "--graph",
            "grid:5",
            "--games",
            "1",
            "--score",
            "white",
            "--max-moves",
            "3",
        ];
        let found = summary(&play(&omnigo(1), &judge, &options));
        assert_eq!((&found["games"], &found["losses"]), (&1.into(), &1.into()));
    }

    #[test]
    fn late_moves_are_counted_and_lose_beyond_a_given_tolerance() {
        let slow = script(
            "list_commands) printf \"= time_settings\\n\\n\";; genmove*) sleep 0.2; printf \"= pass\\n\\n\";;",
        );
        let common = [
            "--graph",
            "grid:3",
            "--games",
            "1",
            "--time-settings",
            "0,0.1,1",
            "--max-moves",
            "3",
        ];
        let found = summary(&play(&slow, &omnigo(1), &common));
        assert!(
            found["faults"]["black"]["late"].as_u64().unwrap() > 0,
            "{found}"
        );
        assert_eq!(found["lost_on_time"], 0);
        let mut strict = common.to_vec();
        strict.extend(["--time-tolerance", "0.05"]);
        let found = summary(&play(&slow, &omnigo(1), &strict));
        assert_eq!(
            (&found["losses"], &found["lost_on_time"]),
            (&1.into(), &1.into())
        );
    }
}
