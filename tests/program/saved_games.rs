//! Games that are saved and loaded: their format and their handicap.

use std::fs;
use std::path::Path;

use crate::process::{piped, text, with_input};

/// Returns the answers to these commands.
fn talk(commands: String) -> String {
    let mut command = piped();
    command.args(["--playouts", "10", "--threads", "1"]);
    text(&with_input(&mut command, commands).stdout)
}

#[test]
fn saved_games_keep_the_compensation_for_handicap() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("handicap");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (sgf, json) = (path("game.sgf"), path("game.json"));
    let answers = talk(format!(
        "set_graph grid:9\nset_ruleset chinese\nkomi 0\nfixed_handicap 3\nplay w pass\nfinal_score\n\
         printsgf {sgf}\nsave_game {json}\nclear_board\nloadsgf {sgf}\nfinal_score\n\
         clear_board\nload_game {json}\nfinal_score\nquit\n"
    ));
    let scores: Vec<&str> = answers.lines().filter(|l| l.contains("B+")).collect();
    // All points of the board, minus one for each handicap stone.
    assert_eq!(scores, ["= B+78"; 3], "{answers}");
    assert!(fs::read_to_string(&sgf).unwrap().contains("HA[3]"));
    // Black may nevertheless move first, and set-up stones during the game do not reduce the
    // handicap.
    for (text, score, first) in [
        ("(;SZ[9]HA[2]AB[cc][gg]PL[B])", "B+79", "black"),
        ("(;SZ[9]HA[2]AB[cc][gg];W[ee];AE[ee];W[])", "B+79", "white"),
    ] {
        fs::write(&sgf, text).unwrap();
        let answers = talk(format!(
            "set_graph grid:9\nset_ruleset chinese\nkomi 0\nloadsgf {sgf}\nprintsgf {sgf}\nloadsgf {sgf}\n\
             play b pass\nfinal_score\nloadsgf {sgf}\nsave_game {sgf}.json\nquit\n"
        ));
        let saved = fs::read_to_string(format!("{sgf}.json")).unwrap();
        assert!(answers.contains(score), "{text}: {answers}");
        assert!(saved.contains(&format!("\"first\":\"{first}\"")), "{saved}");
    }
    // A handicap of more stones than the start has is rejected.
    let text = fs::read_to_string(&json).unwrap();
    let wrong = text.replace("\"handicap\":3", "\"handicap\":4");
    assert_ne!(text, wrong);
    fs::write(&json, wrong).unwrap();
    let refused = talk(format!("load_game {json}\nquit\n"));
    assert!(refused.contains("key 'handicap' is '4'"), "{refused}");
}

#[test]
fn save_game_writes_the_format_of_the_name() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("format");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (sgf, json, torus) = (path("a.Sgf"), path("a.json"), path("torus.sgf"));
    let answers = talk(format!(
        "set_graph grid:5x4\nkomi 2.5\nplay b c3\nsave_game {sgf}\nsave_game {json}\n\
         clear_board\nload_game {sgf}\nget_komi\nmove_history\n\
         set_graph torus:5\nsave_game {torus}\nquit\n"
    ));
    let read = |path: &str| fs::read_to_string(path).unwrap();
    assert!(read(&sgf).starts_with("(;GM[1]FF[4]"), "{}", read(&sgf));
    assert!(read(&sgf).contains("SZ[5:4]KM[2.5]"), "{}", read(&sgf));
    assert!(read(&json).starts_with("{\"kind\":\"game\""));
    assert!(answers.contains("= 2.5"), "{answers}");
    let refused = "torus.sgf': the board is torus:5x5, expected a rectangle";
    assert!(answers.contains(refused), "{answers}");
    assert!(!Path::new(&torus).exists());
}
