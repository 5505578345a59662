//! `omnigo review`: the mistakes it finds, what it keeps of a file, and its refusals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use omnigo::record::tree::TreeNode;
use omnigo::record::{json, sgf};
use serde_json::Value;

use crate::process::{piped, program, with_input};

/// Writes a file into the folder of these tests, and returns its path.
fn file(name: &str, content: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// Reviews a file without a network, by one thread.
fn run(path: &Path, options: &str) -> Output {
    program()
        .arg("review")
        .arg(path)
        .args(["--net", "none", "--threads", "1"])
        .args(options.split_whitespace())
        .output()
        .unwrap()
}

fn text(path: &Path, options: &str) -> String {
    let output = run(path, options);
    let problem = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{options}: {problem}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the key `review` of a document.
fn found(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap();
    document["review"].clone()
}

/// Returns the exit status and the one line that states the reason.
fn refusal(path: &Path, options: &str) -> (Option<i32>, String) {
    let output = run(path, options);
    assert!(output.stdout.is_empty(), "{options}");
    let problem = String::from_utf8(output.stderr).unwrap();
    assert_eq!(problem.trim_end().lines().count(), 1, "{problem}");
    (output.status.code(), problem)
}

/// Checks that the review ends with this status and a message that contains `part`.
fn refuses(path: &Path, options: &str, status: i32, part: &str) {
    let (found, problem) = refusal(path, options);
    assert_eq!(found, Some(status), "{options}: {problem}");
    assert!(problem.contains(part), "{part}: {problem}");
}

/// Game in which both sides are alive. White wins by half a point until White fills an own eye.
const FILLED_EYE: &str = "(;GM[1]FF[4]SZ[5]KM[5.5]RU[Chinese]RE[B+19.5]PB[J. Doe \\] x]\
    AB[aa][ba][ca][ab][cb][ac][bc][cc][ad][cd][be][ce]AW[da][db][eb][dc][dd][de][ee]PL[B]\
    C[Own words];B[];W[ea]N[oops]XX[7][8];B[ed](;W[];C[end])(;W[ec]C[a try]))";

#[test]
fn the_worst_move_fills_an_own_eye() {
    let path = file("eye.sgf", FILLED_EYE);
    let found = found(&text(&path, "--playouts 200 --json"));
    assert_eq!(found["worst"][0], 2, "{found}");
    let worst = &found["moves"][1];
    assert_eq!(worst["color"], "white");
    assert_eq!(worst["move"], "E5");
    assert_eq!(worst["grade"], "blunder");
    assert!(worst["pointsLost"].as_f64().unwrap() > 15.0, "{worst}");
    assert!(worst["winrateLost"].as_f64().unwrap() > 0.5, "{worst}");
    assert_eq!(found["white"]["blunders"], 1);
    assert_eq!(found["black"]["blunders"], 0);
    // All values are Black's.
    let value = |estimate: &Value| estimate["winrate"].as_f64().unwrap();
    assert!(value(&worst["before"]) < 0.2 && value(&worst["after"]) > 0.8);
    assert_eq!(found["moves"].as_array().unwrap().len(), 4);
    assert_eq!(found["komi"], 5.5);
    assert_eq!(found["ruleset"], "chinese");
}

#[test]
fn the_name_of_the_file_chooses_the_format() {
    let path = file("named.sgf", FILLED_EYE);
    let write = |name: &str, options: &str| {
        let out = file(name, "");
        let options = format!("--playouts 2 {options} --out {}", out.display());
        let summary = text(&path, &options);
        assert!(summary.starts_with("Black: "), "{summary}");
        fs::read_to_string(out).unwrap()
    };
    assert_eq!(found(&write("named.JSON", ""))["komi"], 5.5);
    assert!(write("named.svg", "").starts_with("<svg "));
    let pdf = file("named.pdf", "");
    let options = format!("--playouts 2 --out {}", pdf.display());
    assert!(text(&path, &options).starts_with("Black: "));
    let bytes = fs::read(&pdf).unwrap();
    assert!(bytes.starts_with(b"%PDF-1."));
    let parts = String::from_utf8_lossy(&bytes);
    assert!(parts.contains("/Count 2"), "the graph and the game");
    for (name, options) in [("same.sgf", ""), ("named", ""), ("other.json", "--to sgf")] {
        assert!(write(name, options).starts_with("(;"), "{name}");
    }
}

#[test]
fn a_file_called_sgf_never_gets_json() {
    let torus = r#"{"kind":"game","graph":"torus:3x3","ruleset":"cgos","moves":[]}"#;
    let path = file("called.json", torus);
    let out = path.with_file_name("called.sgf");
    let part = "called.sgf': the board is torus:3x3, expected a rectangle";
    refuses(&path, &format!("--out {}", out.display()), 2, part);
    assert!(!out.exists());
}

#[test]
fn sgf_gets_notes_and_keeps_everything_else() {
    let path = file("kept.sgf", FILLED_EYE);
    let reviewed = text(&path, "--playouts 200");
    let summary = "Worst moves: 2 white E5 (";
    assert!(reviewed.contains(summary), "{reviewed}");
    let (before, blunder) = reviewed.split_once("W[ea]").unwrap();
    let (blunder, _) = blunder.split_once("B[ed]").unwrap();
    assert!(before.ends_with("(;"), "the move begins a branch: {before}");
    assert!(
        blunder.contains("BM[2]") && blunder.contains("V["),
        "{blunder}"
    );
    assert!(
        reviewed.contains("C[Better than E5: win rate"),
        "{reviewed}"
    );
    for kept in [
        "GM[1]FF[4]SZ[5]KM[5.5]RU[Chinese]RE[B+19.5]PB[J. Doe \\] x]",
        "C[Own words\n\nReview by omnigo",
        "N[oops]XX[7][8]",
        "C[end]",
        "(;W[ec]C[a try])",
    ] {
        assert!(reviewed.contains(kept), "{kept}: {reviewed}");
    }
    let (old, new) = (
        sgf::parse(FILLED_EYE).unwrap(),
        sgf::parse(&reviewed).unwrap(),
    );
    assert_eq!(old, new, "the main line stays");
    assert_eq!(text(&path, "--playouts 200"), reviewed, "deterministic");
    assert_ne!(text(&path, "--playouts 150 --seed 9"), reviewed);
    let again = file("kept-again.sgf", &reviewed);
    assert_eq!(text(&again, "--playouts 200"), reviewed, "nothing twice");
}

#[test]
fn games_with_handicap_setups_and_odd_moves_are_reviewed() {
    let path = file(
        "handicap.sgf",
        "(;SZ[9]HA[2]KM[0.5]RU[japanese]RE[W+R]AB[cc][gg];W[ee];B[ce];W[ee];B[];AE[ee]AW[ff];\
         B[ef];B[fe];W[])",
    );
    let output = run(&path, "--playouts 20 --json");
    assert_eq!(output.status.code(), Some(0));
    let problem = String::from_utf8(output.stderr).unwrap();
    assert!(problem.contains("move 3, white: occupied"), "{problem}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["kind"], "review", "it cannot be loaded as a game");
    assert_eq!(document["review"]["moves"].as_array().unwrap().len(), 7);
    assert_eq!(document["review"]["ruleset"], "japanese");
    let again = text(&path, "--playouts 20");
    let old = sgf::parse(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(sgf::parse(&again).unwrap(), old);
    // A game of moves alone becomes a record that can be loaded.
    let path = file("plain.sgf", "(;SZ[9]RE[B+T];B[ee];W[cc];B[])");
    let document = text(&path, "--playouts 20 --json --komi 6.5 --ruleset aga");
    let game = json::parse(&document, None).unwrap();
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.komi.to_string(), "6.5");
    assert_eq!(game.result.as_deref(), Some("B+T"));
}

#[test]
fn json_games_on_a_torus_keep_their_keys() {
    let path = file(
        "torus.json",
        "{\"kind\":\"game\",\"graph\":\"torus:5x5\",\"foreign\":{\"b\":1.500,\"a\":[]},\
         \"ruleset\":\"tromp-taylor\",\"komi\":0.5,\
         \"moves\":[[\"black\",\"C3\"],[\"white\",\"C4\"],[\"black\",\"B4\"]],\"result\":\"B+R\"}",
    );
    let document = text(&path, "--playouts 50");
    assert!(
        document.contains("\"foreign\":{\"b\":1.500,\"a\":[]}"),
        "{document}"
    );
    let game = json::parse(&document, None).unwrap();
    assert_eq!((game.moves.len(), game.result.as_deref()), (3, Some("B+R")));
    let found = found(&document);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    assert!(moves[0]["before"]["lead"].is_number(), "{found}");
    assert!(!moves[0]["variation"].as_array().unwrap().is_empty());
    // A review replaces an older one.
    let path = file("torus-again.json", &document);
    assert_eq!(text(&path, "--playouts 50"), document);
    refuses(&path, "--to sgf", 2, "torus:5x5, expected a rectangle");
}

#[test]
fn variations_in_json_are_kept_and_joined_by_those_of_the_review() {
    let game = r#"{"kind":"game","graph":"SPEC","ruleset":"chinese","komi":5.5,"first":"black",
        "start":".XXOOX.XO.XXXO.X.XOOXXXO.","moves":[["black","pass"],["white","E5"]],
        "tree":[{"comment":"Own words"},{"parent":0,"move":["black","pass"]},
            {"parent":0,"move":["black","E3"],"comment":"a try"}]}"#;
    let texts =
        |nodes: &[TreeNode]| -> String { nodes.iter().map(|node| node.comment.as_str()).collect() };
    let path = file("eye.json", &game.replace("SPEC", "grid:5"));
    let document = text(&path, "--playouts 200 --json");
    let record = json::parse(&document, None).unwrap();
    assert_eq!(record.moves.len(), 2);
    let all = texts(&record.tree);
    for part in [
        "Own words\nReview by omnigo",
        "a try",
        "Blunder: loses",
        "Better than E5: win rate",
    ] {
        assert!(all.contains(part), "{part}: {document}");
    }
    assert_eq!(record.tree[1].mv, Some(record.moves[0]), "the order stays");
    let others = record.tree.iter().filter(|node| node.parent == Some(0));
    assert!(others.count() >= 2);
    // A second review adds nothing that is there.
    let again = file("eye-again.json", &document);
    assert_eq!(text(&again, "--playouts 200 --json"), document);
    // SGF gets the variations of the file, too.
    let written = text(&path, "--playouts 200 --to sgf");
    assert!(written.contains("C[a try]"), "{written}");
    assert_eq!(sgf::parse(&written).unwrap().steps.len(), 2);
    // And JSON those of an SGF file.
    let record = json::parse(&text(&file("eye-tree.sgf", FILLED_EYE), "--json"), None).unwrap();
    let all = texts(&record.tree);
    assert!(all.contains("Own words") && all.contains("a try"), "{all}");
    let wrong = game.replace("SPEC", "grid:5").replace("E3", "Z9");
    let path = file("eye-wrong.json", &wrong);
    refuses(&path, "", 1, "node 2 of key 'tree'");
}

#[test]
fn games_on_spaces_and_mango_boards_are_reviewed() {
    for (name, board, ruleset) in [
        ("space.json", "space:(path:4),edges", "topo-stone"),
        ("mango.json", "file:examples/mango/window-9x9.json", "mango"),
        ("conway.json", "petersen", "conway"),
    ] {
        let path = file(name, "");
        let mut engine = piped();
        engine
            .args(["--playouts", "10", "--net", "none", "--threads", "1"])
            .args(["--graph", board, "--ruleset", ruleset]);
        let save = format!("genmove b\ngenmove w\nsave_game {}\nquit\n", path.display());
        let output = with_input(&mut engine, save);
        assert!(output.status.success(), "{name}");
        let document = text(&path, "--playouts 10");
        let old = json::parse(&fs::read_to_string(&path).unwrap(), None).unwrap();
        assert_eq!(json::parse(&document, None).unwrap().moves, old.moves);
        let found = found(&document);
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 2, "{name}");
        if ruleset == "conway" {
            assert!(moves[0]["pointsLost"].is_null(), "no points are counted");
        }
    }
}

#[test]
fn a_game_of_a_collection_is_chosen() {
    let path = file(
        "two.sgf",
        "(;SZ[5]KM[1]RU[cgos];B[cc])\n(;SZ[7]KM[1]RU[cgos];B[cc];W[dd])",
    );
    let second = text(&path, "--game 2 --playouts 10");
    assert!(second.starts_with("(;SZ[7]"), "{second}");
    let output = run(&path, "--playouts 10");
    let problem = String::from_utf8(output.stderr).unwrap();
    assert!(
        problem.contains("2 games, the first is reviewed"),
        "{problem}"
    );
    let (_, problem) = refusal(&path, "--game 3");
    assert!(
        problem.contains("no game 3, expected a number from 1 to 2"),
        "{problem}"
    );
    let line = "{\"kind\":\"game\",\"graph\":\"path:3\",\"ruleset\":\"ggg\",\"moves\":[]}\n";
    let path = file("three.json", &line.repeat(3));
    assert_eq!(
        found(&text(&path, "--game 3 --playouts 10"))["moves"],
        Value::Array(vec![])
    );
    assert!(refusal(&path, "--game 4").1.contains("from 1 to 3"));
}

#[test]
fn pictures_show_both_curves() {
    let path = file("picture.sgf", FILLED_EYE);
    let folder = path.parent().unwrap().display().to_string();
    for end in ["svg", "png"] {
        let image = format!("{folder}/graph.{end}");
        let out = format!("{folder}/reviewed.sgf");
        let options = format!("--playouts 100 --picture {image} --output {out}");
        let summary = text(&path, &options);
        assert!(summary.starts_with("Black: 2 moves, "), "{summary}");
        assert!(
            fs::read_to_string(&out)
                .unwrap()
                .contains("Worst moves: 2 white")
        );
        let bytes = fs::read(&image).unwrap();
        if end == "png" {
            assert!(bytes.starts_with(b"\x89PNG"));
            continue;
        }
        let svg = String::from_utf8(bytes).unwrap();
        for title in [
            "Win rate of Black (%)",
            "Score lead of Black (points)",
            "2 E5",
        ] {
            assert!(svg.contains(&format!("<title>{title}</title>")), "{title}");
        }
        assert!(omnigo::render::png::png(&svg).is_ok());
        assert_eq!(text(&path, "--playouts 100 --to svg"), svg);
    }
}

#[test]
fn the_time_of_a_review_is_limited() {
    let moves: String = ["B[aa]", "W[bb]", "B[cc]", "W[dd]", "B[ee]", "W[ff]"]
        .map(|m| format!(";{m}"))
        .concat();
    let path = file("timed.sgf", &format!("(;SZ[9]KM[7]RU[cgos]{moves})"));
    let begun = Instant::now();
    let found = found(&text(&path, "--seconds 1 --json"));
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(found["complete"], true);
    assert_eq!(found["seconds"], 1.0);
    assert!(found["playouts"].is_null());
}

#[test]
fn bad_input_gets_one_line() {
    let good = file("good.sgf", "(;SZ[5]KM[1]RU[cgos];B[cc])");
    let record = |rest: &str| {
        format!("{{\"kind\":\"game\",\"graph\":\"path:3\",\"ruleset\":\"ggg\",{rest}}}")
    };
    let occupied = record("\"moves\":[[\"black\",\"1\"],[\"white\",\"1\"]]");
    let colors = record("\"players\":3,\"moves\":[]");
    for (path, options, status, part) in [
        (
            PathBuf::from("no-such.sgf"),
            "",
            1,
            "cannot review 'no-such.sgf'",
        ),
        (file("empty.sgf", ""), "", 1, "no game"),
        (file("broken.sgf", "(;SZ[5];B[zz])"), "", 1, "node 2: B[zz]"),
        (
            file("occupied.json", &occupied),
            "",
            1,
            "move 2, white 1: occupied",
        ),
        (
            file("colors.json", &colors),
            "",
            1,
            "a game of 3 colors, expected 2",
        ),
        (
            file("text.json", "{\"kind\":1}"),
            "",
            1,
            "not a game in JSON",
        ),
        (
            good.clone(),
            "--picture x.gif",
            2,
            "ends in .svg, .png or .pdf",
        ),
        (
            good.clone(),
            "--mistake-points 9",
            2,
            "--mistake-points 9, expected at most",
        ),
        (
            good.clone(),
            "--mistake-rate 0",
            2,
            "expected a probability above 0",
        ),
        (
            good.clone(),
            "--out /no/such/folder/x.sgf --playouts 2",
            1,
            "cannot write",
        ),
    ] {
        refuses(&path, options, status, part);
    }
    assert_eq!(fs::read(&good).unwrap(), b"(;SZ[5]KM[1]RU[cgos];B[cc])");
    for wrong in [
        "--playouts 0",
        "--time 0",
        "--to gif",
        "--json --to sgf",
        "--game 0",
    ] {
        assert_eq!(run(&good, wrong).status.code(), Some(2), "{wrong}");
    }
    assert!(text(Path::new("--help"), "").contains("omnigo review game.sgf"));
}

#[test]
fn a_review_never_destroys_its_game() {
    let game = "(;SZ[3]KM[1]RU[cgos];B[bb])";
    let record = r#"{"kind":"game","graph":"grid:3","ruleset":"cgos","moves":[["black","B2"]]}"#;
    // The ending of a path says nothing about the content.
    let (sgf, json) = (file("kept.svg", game), file("kept.json", record));
    let (sgf_path, json_path) = (sgf.display(), json.display());
    for (path, options, part) in [
        (&sgf, format!("--picture {sgf_path}"), "is the game"),
        (
            &sgf,
            format!("--to svg --out {sgf_path}"),
            "is the game, which has another format",
        ),
        (
            &json,
            format!("--to sgf --out {json_path}"),
            "is the game, which has another format",
        ),
        (
            &sgf,
            "--picture both.svg --out both.svg".to_string(),
            "is the file of --out",
        ),
    ] {
        refuses(path, &options, 2, part);
    }
    assert_eq!(fs::read_to_string(&sgf).unwrap(), game);
    assert_eq!(fs::read_to_string(&json).unwrap(), record);
    // One game would replace several.
    for (name, one) in [("kept-all.sgf", game), ("kept-all.jsonl", record)] {
        let all = format!("{one}\n").repeat(3);
        let path = file(name, &all);
        let to = if one == game { "sgf" } else { "json" };
        let options = format!("--game 2 --playouts 2 --to {to} --out {}", path.display());
        refuses(&path, &options, 2, "is the file of 3 games");
        assert_eq!(fs::read_to_string(&path).unwrap(), all);
    }
    // The same game with its review may replace the file.
    let options = format!("--playouts 2 --to sgf --out {sgf_path}");
    let output = run(&sgf, &options);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let reviewed = fs::read_to_string(&sgf).unwrap();
    assert!(reviewed.contains("C[Review by omnigo"), "{reviewed}");
    let output = run(&json, &format!("--playouts 2 --out {json_path}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let reviewed: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(reviewed["moves"][0][1], "B2");
    assert_eq!(reviewed["review"]["moves"][0]["move"], "B2");
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_first_search() {
    let moves = ";B[aa];W[bb]".repeat(1000);
    let path = file("endless.sgf", &format!("(;SZ[9]KM[7]RU[cgos]{moves})"));
    let begun = Instant::now();
    refuses(
        &path,
        "--out /no/such/folder/x.sgf --time 5",
        1,
        "cannot write '/no/such/folder/x.sgf'",
    );
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_file_of_illegal_moves_gives_few_warnings() {
    let moves = ";B[aa]".repeat(100);
    let path = file("occupied.sgf", &format!("(;SZ[3]KM[7]RU[cgos]{moves})"));
    let output = run(&path, "--playouts 1");
    assert_eq!(output.status.code(), Some(0));
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert_eq!(warnings.lines().count(), 11, "{warnings}");
    let last = "warning: 89 more illegal moves, played as in the file\n";
    assert!(warnings.ends_with(last), "{warnings}");
}
