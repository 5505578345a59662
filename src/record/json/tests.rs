//! Tests of reading and writing records.

use super::*;

const GAME: &str = r#"{"kind":"game","graph":"edges:a-b,b-A1,A1-d","ruleset":"ggg suicide=no","komi":-0.5,"players":2,
    "start":"X...","first":"white","moves":[["white","A1"],["black","pass"]],"result":null,"engine":{"name":"x"}}"#;

/// Line of a match file.
const LINE: &str = r#"{"game":1,"result":"B+1","first":"black","moves":["A1","pass","B1"],"settings":{"graph":"path:3","ruleset":"tromp-taylor","komi":"0"}}"#;

#[test]
fn records_round_trip() {
    let game = parse(GAME, None).unwrap();
    assert_eq!(
        game.moves,
        [
            (Color::WHITE, Move::Place(Vertex::at(2))),
            (Color::BLACK, Move::Pass)
        ],
        "a label wins"
    );
    assert_eq!(
        (game.first, game.komi),
        (Color::WHITE, Points::from_halves(-1))
    );
    let text = game.write(&Played::default()).unwrap();
    assert!(text.lines().all(|line| !line.trim().is_empty()));
    let back = parse(&text, None).unwrap();
    assert_eq!(back.write(&Played::default()).unwrap(), text);
    assert_eq!(back.goban.graph, game.goban.graph);
    assert_eq!(
        (back.start, back.moves, back.rules),
        (game.start, game.moves, game.rules)
    );
}

#[test]
fn records_contain_boards_from_files_and_open_no_file() {
    let board = r#"{"nodes":[{"id":"x","x":0,"y":0},{"id":"y","x":1,"y":0,"stone":"white"}],"edges":[{"source":"x","target":"y"}]}"#;
    let with = |board: &str| {
        format!(
            r#"{{"kind":"game","graph":"file:none.dot",{board}"ruleset":"ggg","moves":[["black","x"]]}}"#
        )
    };
    let game = parse(&with(&format!("\"board\":{board},")), None).unwrap();
    assert_eq!(game.goban.spec.to_string(), "file:none.dot");
    assert_eq!(game.start, [None, Some(Color::WHITE)]);
    let again = parse(&game.write(&Played::default()).unwrap(), None).unwrap();
    assert_eq!(
        (again.goban.graph, again.goban.drawing),
        (game.goban.graph.clone(), game.goban.drawing.clone())
    );
    let error = parse(&with(""), None).unwrap_err().to_string();
    assert!(
        error.contains("expected this board to be set first"),
        "{error}"
    );
    assert!(parse(&with(""), Some(&game.goban)).is_ok());
}

#[test]
fn games_of_matches_are_read_as_records() {
    let game = parse(&format!("{LINE}\n{LINE}\n"), None).unwrap();
    assert_eq!(game.moves[2], (Color::BLACK, Move::Place(Vertex::at(1))));
    assert_eq!(game.result.as_deref(), Some("B+1"));
    assert_eq!(game.warnings, ["several games, only the first is read"]);
}

#[test]
fn errors_in_games_of_matches_are_reported() {
    for (from, to, part) in [
        (
            "\"komi\":\"0\"",
            "\"komi\":\"0\",\"handicap\":\"two\"",
            "invalid type: string \"two\"",
        ),
        ("\"first\"", "\"fist\"", "missing field `first`"),
        ("tromp-taylor", "taylor", "key 'ruleset' is 'taylor'"),
    ] {
        assert!(LINE.contains(from), "{from}");
        let error = parse(&LINE.replacen(from, to, 1), None).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(part), "{error}");
        let is_shape = !part.starts_with("key");
        assert_eq!(
            error.contains("as written by omnigo match"),
            is_shape,
            "{error}"
        );
    }
}

#[test]
fn invalid_records_are_rejected_with_one_line() {
    for (from, to, part) in [
        (
            "\"game\"",
            "\"gam\"",
            "key 'kind' is 'gam', expected \"game\"",
        ),
        ("edges:a-b", "edge:a-b", "key 'graph' is 'edge:a-b"),
        (
            "ggg ",
            "gg ",
            "key 'ruleset' is 'gg suicide=no', expected a ruleset: unknown ruleset",
        ),
        (
            "-0.5",
            "0.25",
            "key 'komi' is '0.25', expected a number of points in steps of 0.5",
        ),
        (
            "\"players\":2",
            "\"players\":9",
            "key 'players' is '9', expected",
        ),
        (
            "X...",
            "X..",
            "key 'start' is 'X..', expected a character for each of 4 points",
        ),
        (
            "\"first\":\"white\"",
            "\"first\":\"red\"",
            "key 'first' is 'red', expected one of the 2 colors",
        ),
        (
            "\"A1\"",
            "\"z\"",
            "key 'moves' is 'z', expected the label of a vertex, or pass",
        ),
        (
            "\"moves\"",
            "\"move\"",
            "not a game in JSON: missing field `moves`",
        ),
        ("{\"kind\"", "[\"kind\"", "not a game in JSON: "),
    ] {
        assert!(GAME.contains(from), "{from}");
        let error = parse(&GAME.replacen(from, to, 1), None)
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(parse("", None).is_err());
}
