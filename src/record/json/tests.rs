//! Tests of reading and writing records.

use proptest::prelude::*;

use super::*;
use crate::record::tree::Growth;

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
fn a_missing_komi_is_that_of_the_ruleset() {
    let komi = |keys: &str| {
        let text = format!(
            "{{\"kind\":\"game\",\"graph\":\"path:3\",\"ruleset\":\"ggg komi=6.5\",\"moves\":[]{keys}}}"
        );
        parse(&text, None).unwrap().komi.to_string()
    };
    assert_eq!(komi(""), "6.5");
    assert_eq!(komi(",\"komi\":null"), "6.5");
    assert_eq!(komi(",\"komi\":0"), "0");
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

/// Names and comments: quotes, line breaks, other scripts, and control characters.
fn text() -> impl Strategy<Value = String> {
    let odd = prop_oneof![
        any::<char>(),
        Just('"'),
        Just('\\'),
        Just('\n'),
        Just('\u{0}'),
    ];
    let odd = proptest::collection::vec(odd, 0..12);
    odd.prop_map(|odd| odd.into_iter().collect())
}

proptest! {
    #[test]
    fn trees_round_trip(
        moves in proptest::collection::vec((0usize..2, 0usize..5), 0..9),
        nodes in proptest::collection::vec((0usize..60, 0usize..2, 0usize..5, text(), text()), 0..40),
    ) {
        let mv = |color: usize, index: usize| {
            let colors = [Color::BLACK, Color::WHITE];
            // Index 4 is not on the board.
            let place = (index < 4).then(|| Move::Place(Vertex::at(index)));
            (colors[color], place.unwrap_or(Move::Pass))
        };
        let mut game = parse(GAME, None).unwrap();
        game.moves = moves.iter().map(|&(color, index)| mv(color, index)).collect();
        let mut tree = Growth::default();
        let mut places = vec![0];
        for (parent, color, index, name, comment) in &nodes {
            let parent = places[parent % places.len()];
            places.extend(tree.line(parent, &[mv(*color, *index)]));
            tree.write(places[places.len() - 1], name, comment);
        }
        game.tree = tree.nodes();
        let text = game.write(&Played::default()).unwrap();
        prop_assert!(text.lines().all(|line| !line.trim().is_empty()));
        let back = parse(&text, None).unwrap();
        prop_assert_eq!(&back.moves, &game.moves);
        match is_bare(&game.tree, &game.moves) {
            true => prop_assert!(back.tree.is_empty() && !text.contains("\"tree\"")),
            false => prop_assert_eq!(&back.tree, &game.tree),
        }
        prop_assert_eq!(back.write(&Played::default()).unwrap(), text);
    }
}

fn with_tree(tree: &str) -> String {
    GAME.replacen("\"result\"", &format!("\"tree\":{tree},\"result\""), 1)
}

#[test]
fn trees_are_read_in_any_form_that_is_clear() {
    let tree = |text: &str| parse(&with_tree(text), None).unwrap().tree;
    assert!(tree("null").is_empty() && tree("[]").is_empty());
    let nodes = tree(
        r#"[{"name":"start","score":1},{"parent":0,"move":["white","A1"]},
            {"parent":1,"comment":"on A1","name":null},{"parent":0,"move":["white","A1"],"comment":"again"},
            {"parent":3,"move":["black","pass"]}]"#,
    );
    let comments: Vec<&str> = nodes.iter().map(|node| node.comment.as_str()).collect();
    assert_eq!(comments, ["", "on A1\nagain", ""]);
    assert_eq!(nodes[2].parent, Some(1));
    assert_eq!(
        nodes[1].mv,
        Some((Color::WHITE, Move::Place(Vertex::at(2))))
    );
    // A line of a match that was reviewed has a tree, too.
    let line = LINE.replacen(
        "\"settings\"",
        r#""tree":[{},{"parent":0,"move":["black","0"]}],"settings""#,
        1,
    );
    assert_eq!(parse(&line, None).unwrap().tree.len(), 2);
}

#[test]
fn malformed_trees_are_rejected_with_one_line() {
    let long = format!("[{}{{}}]", "{},".repeat(500_000));
    for (tree, part) in [
        ("3", "key 'tree' is '3', expected a list of nodes"),
        ("{}", "key 'tree' is '{}', expected a list of nodes"),
        (long.as_str(), "expected at most 500000 nodes"),
        (
            r#"[{"parent":0}]"#,
            r#"node 0 of key 'tree' is '{"parent":0}', expected the start"#,
        ),
        (
            r#"[{"move":["black","a"]}]"#,
            "expected the start, without parent and move",
        ),
        (
            "[{},{}]",
            "node 1 of key 'tree' is '{}', expected a parent from 0 to 0",
        ),
        (r#"[{},{"parent":1}]"#, "expected a parent from 0 to 0"),
        (r#"[{},{"parent":-1}]"#, "expected an object such as"),
        (
            r#"[{},7]"#,
            "node 1 of key 'tree' is '7', expected an object",
        ),
        (
            r#"[{},{"parent":0,"move":["red","a"]}]"#,
            "expected one of the 2 colors of the game",
        ),
        (
            r#"[{},{"parent":0,"move":["black","z"]}]"#,
            "expected the label of a vertex, or pass",
        ),
        (
            r#"[{},{"parent":0,"move":"a"}]"#,
            "expected an object such as",
        ),
    ] {
        let error = parse(&with_tree(tree), None).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_deep_tree_is_read_and_written() {
    let one = |parent: usize| format!(r#",{{"parent":{parent},"move":["black","pass"]}}"#);
    let nodes: String = (0..100_000).map(one).collect();
    let game = parse(&with_tree(&format!("[{{}}{nodes}]")), None).unwrap();
    assert_eq!(game.tree.len(), 100_001);
    let text = game.write(&Played::default()).unwrap();
    assert_eq!(parse(&text, None).unwrap().tree, game.tree);
}
