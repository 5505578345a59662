//! `omnigo analysis`: JSON queries and answers, one per line.

use serde_json::{Value, json};

use crate::process::{piped, with_input};

/// Returns the answers to these lines. Uses no network unless the options name one, so that answers
/// are equal on all processors.
fn answers(options: &[&str], lines: &[String]) -> Vec<Value> {
    let net: &[&str] = match options.contains(&"--net") {
        true => &[],
        false => &["--net", "none"],
    };
    answers_by_default(&[options, net].concat(), lines)
}

/// Returns the answers to these lines, by the built-in network unless the options say otherwise.
fn answers_by_default(options: &[&str], lines: &[String]) -> Vec<Value> {
    let mut command = piped();
    command.arg("analysis").args(options);
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = with_input(&mut command, input);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ask(query: Value) -> Vec<Value> {
    answers(&["--positions", "1"], &[query.to_string()])
}

#[test]
fn one_allowed_move_is_searched_with_all_visits() {
    let got = ask(json!({
        "id": "a", "moves": [["B", "E5"], ["W", "C3"]], "rules": "chinese", "komi": 7,
        "boardXSize": 9, "boardYSize": 9, "maxVisits": 100,
        "allowMoves": [{"player": "B", "moves": ["D4"], "untilDepth": 1}],
    }));
    assert_eq!(got[0]["rootInfo"]["visits"], 100);
    assert!(got[0]["moveInfos"][0]["visits"].as_u64().unwrap() >= 99);
    assert!(got[0]["moveInfos"][0]["scoreLead"].as_f64().unwrap() > -40.0);
}

#[test]
fn a_restriction_that_leaves_no_move_gets_a_warning_before_the_answer() {
    let got = ask(json!({
        "id": "a", "moves": [["B", "A1"]], "boardXSize": 5, "boardYSize": 5, "maxVisits": 5,
        "analyzeTurns": [0, 1],
        "allowMoves": [{"player": "W", "moves": ["A1"], "untilDepth": 1}],
    }));
    assert_eq!(got.len(), 3, "{got:?}");
    assert_eq!(got[0]["field"], "allowMoves");
    let problem = "excludes all legal moves of turn 1, ignored there";
    assert_eq!(got[0]["warning"], problem);
}

#[test]
fn visits_and_playouts_both_limit_a_search() {
    let visits = |own: Value, settings: Value| {
        let query = json!({"id": "a", "moves": [], "boardXSize": 5, "boardYSize": 5,
            "maxVisits": own, "overrideSettings": settings});
        let options = ["--positions", "1", "--playouts", "30"];
        answers(&options, &[query.to_string()])[0]["rootInfo"]["visits"].clone()
    };
    assert_eq!(visits(json!(null), json!({})), 30);
    assert_eq!(visits(json!(null), json!({"maxVisits": 40})), 40);
    assert_eq!(visits(json!(50), json!({"maxVisits": 40})), 50);
    assert_eq!(visits(json!(null), json!({"maxPlayouts": 40})), 40);
    assert_eq!(visits(json!(50), json!({"maxPlayouts": 20})), 20);
    let both = json!({"maxPlayouts": 20, "maxVisits": 40});
    assert_eq!(visits(json!(null), both), 20);
}

#[test]
fn the_view_of_the_program_holds_unless_a_query_has_its_own() {
    let query = |settings: Value| {
        let query = json!({"id": "a", "moves": [["B", "C3"]], "boardXSize": 5, "boardYSize": 5,
            "maxVisits": 20, "overrideSettings": settings});
        [query.to_string()]
    };
    let lead = |options: &[&str], settings: Value| {
        let got = answers(options, &query(settings)).remove(0);
        got["rootInfo"]["scoreLead"].as_f64().unwrap()
    };
    let black = lead(&[], json!({}));
    assert!(black > 0.0);
    for option in [
        ["--perspective", "sidetomove"],
        ["-override-config", "reportAnalysisWinratesAs=SIDETOMOVE"],
        ["-override-config", "reportAnalysisWinratesAs=WHITE"],
    ] {
        assert_eq!(lead(&option, json!({})), -black, "{option:?}");
        let own = json!({"reportAnalysisWinratesAs": "BLACK"});
        assert_eq!(lead(&option, own), black, "{option:?}");
    }
}

#[test]
fn rounded_komi_gets_a_warning_wherever_it_stands() {
    for (name, value) in [
        ("komi", json!(0.3)),
        ("ruleset", json!("chinese komi=0.3")),
        ("rules", json!({"ko": "SIMPLE", "komi": 0.3})),
    ] {
        let got = ask(
            json!({"id": "a", "moves": [], "boardXSize": 5, "boardYSize": 5,
            "maxVisits": 2, name: value}),
        );
        assert_eq!(got[0]["field"], name, "{got:?}");
        let warning = got[0]["warning"].as_str().unwrap();
        assert!(warning.contains("0.3 was rounded to 0.5"), "{warning}");
    }
}

#[test]
fn empty_profiles_are_no_profile() {
    for name in [json!(""), json!("_"), json!(null)] {
        let got = ask(
            json!({"id": "a", "moves": [], "boardXSize": 5, "boardYSize": 5,
            "maxVisits": 2, "overrideSettings": {"humanSLProfile": name}}),
        );
        assert!(got.len() == 1 && got[0]["error"].is_null(), "{got:?}");
    }
}

#[test]
fn a_wrong_board_of_the_command_line_is_told_at_the_start() {
    for options in [&[][..], &["--symmetrize", "--from", "gml"]] {
        let mut command = piped();
        command.args(["analysis", "file:no-such-file", "--net", "none"]);
        command.args(options);
        let output = with_input(&mut command, String::new());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("no-such-file"), "{told}");
    }
}

/// Moves of a finished game on 9x9 under Japanese rules. White has just passed.
const FINISHED: &str = "G5 D5 E5 E4 E6 F4 G4 G3 D6 C5 C6 F5 F6 G6 D4 D3 H3 H6 F3 C4 E3 D4 G2 F7 E8 F8
    B6 B5 H8 E7 D8 D7 C7 G8 H7 G7 H9 H5 H4 A6 B8 E2 F2 A8 F9 B7 C8 A7 G9 D2 E1 D1 F1 B2 B9 A5 A9 J2 J5
    pass";

fn finished(visits: u64) -> Value {
    let colors = ["B", "W"].into_iter().cycle();
    let moves: Vec<[&str; 2]> = colors
        .zip(FINISHED.split_whitespace())
        .map(|(color, mv)| [color, mv])
        .collect();
    json!({
        "id": "a", "moves": moves, "rules": "japanese", "komi": 6.5,
        "boardXSize": 9, "boardYSize": 9, "maxVisits": visits,
    })
}

#[test]
fn a_pass_comes_first_if_other_moves_fill_own_territory() {
    let got = ask(finished(100));
    let infos = got[0]["moveInfos"].as_array().unwrap();
    let moves: Vec<&str> = infos.iter().map(|i| i["move"].as_str().unwrap()).collect();
    assert_eq!(moves[0], "pass", "{moves:?}");
    assert!(moves.len() > 1, "{moves:?}");
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(
            (&info["order"], &info["pv"][0]),
            (&json!(order), &info["move"])
        );
    }
}

#[test]
fn a_time_limit_does_not_end_an_analysis_that_has_a_clear_move() {
    let mut query = finished(300);
    query["overrideSettings"] = json!({"maxTime": 300.0});
    let got = ask(query);
    assert_eq!(got[0]["rootInfo"]["visits"], 300);
}

#[test]
fn a_short_analysis_lists_more_than_one_move() {
    let got = ask(json!({
        "id": "a", "moves": [["B", "E5"]], "rules": "chinese", "komi": 7,
        "boardXSize": 9, "boardYSize": 9, "maxVisits": 25,
    }));
    let infos = got[0]["moveInfos"].as_array().unwrap();
    assert!(infos.len() > 1, "{infos:?}");
}

#[test]
fn a_query_is_answered_for_each_turn() {
    let got = answers(
        &["--positions", "2"],
        &[json!({
            "id": "a", "moves": [["B", "E5"], ["W", "C3"], ["b", "pass"]], "rules": "tromp-taylor", "komi": 7,
            "boardXSize": 9, "boardYSize": 9, "analyzeTurns": [0, 2, 3], "maxVisits": 40,
            "includeOwnership": true, "includePolicy": true, "includePVVisits": true,
        })
        .to_string()],
    );
    let mut turns: Vec<u64> = got
        .iter()
        .map(|a| a["turnNumber"].as_u64().unwrap())
        .collect();
    turns.sort_unstable();
    assert_eq!(turns, [0, 2, 3]);
    for answer in &got {
        assert_eq!(answer["id"], "a");
        assert_eq!(answer["isDuringSearch"], false);
        assert_eq!(answer["rootInfo"]["visits"], 40);
        let player = if answer["turnNumber"] == 3 { "W" } else { "B" };
        assert_eq!(answer["rootInfo"]["currentPlayer"], player);
        assert_eq!(answer["ownership"].as_array().unwrap().len(), 81);
        let policy = answer["policy"].as_array().unwrap();
        assert_eq!(policy.len(), 82);
        let best = &answer["moveInfos"][0];
        for key in [
            "move",
            "visits",
            "winrate",
            "scoreLead",
            "scoreMean",
            "scoreStdev",
            "scoreSelfplay",
            "utility",
            "utilityLcb",
            "lcb",
            "prior",
            "order",
            "weight",
            "pv",
            "pvVisits",
            "edgeVisits",
        ] {
            assert!(!best[key].is_null(), "{key}");
        }
        assert_eq!(best["pv"][0], best["move"]);
        assert_eq!(
            best["pv"].as_array().unwrap().len(),
            best["pvVisits"].as_array().unwrap().len()
        );
    }
    // E5 has index 40, counted in rows from the top. It is occupied after the first move.
    let after = got.iter().find(|a| a["turnNumber"] == 2).unwrap();
    assert_eq!(after["policy"][40], -1.0);
}

#[test]
fn figures_are_from_the_view_of_black_by_default() {
    // Black owns the whole board. White is to move.
    let query = |settings: Value| {
        json!({"id": 1, "boardXSize": 5, "boardYSize": 5, "rules": "japanese", "maxVisits": 60, "moves": [],
            "initialStones": [["B", "B3"], ["B", "C3"], ["B", "D3"], ["B", "C2"], ["B", "C4"]],
            "initialPlayer": "W", "includeOwnership": true, "overrideSettings": settings})
    };
    let black = &ask(query(json!({})))[0];
    assert!(
        black["rootInfo"]["winrate"].as_f64().unwrap() > 0.8,
        "{black}"
    );
    assert!(black["rootInfo"]["scoreLead"].as_f64().unwrap() > 5.0);
    assert!(black["ownership"][12].as_f64().unwrap() > 0.5);
    let mover = &ask(query(json!({"reportAnalysisWinratesAs": "SIDETOMOVE"})))[0];
    assert!(mover["rootInfo"]["winrate"].as_f64().unwrap() < 0.2);
    assert!(mover["ownership"][12].as_f64().unwrap() < -0.5);
}

#[test]
fn supports_any_board_and_any_rules() {
    let got = ask(
        json!({"id": "g", "graph": "edges:a-b,b-c,c-d,d-a,d-e", "ruleset": "ggg suicide=no",
        "moves": [["B", "a"]], "maxVisits": 30, "includeOwnership": true}),
    );
    assert_eq!(got.len(), 1, "{got:?}");
    // Aliases fill a rectangle of width 3: five vertices and one location without a vertex.
    assert_eq!(got[0]["ownership"].as_array().unwrap().len(), 6);
    let got = ask(
        json!({"id": "f", "graph": "path:4", "ruleset": "famine", "komi": 1, "moves": [], "maxVisits": 50}),
    );
    assert_eq!(got[0]["rootInfo"]["scoreLead"], 0.0);
}

#[test]
fn handicap_is_compensated_as_the_rules_say() {
    let query = |rules: &str| {
        let stones: Vec<Value> = ["B2", "D2", "C3", "B4", "D4"]
            .iter()
            .map(|at| json!(["B", at]))
            .collect();
        json!({"id": "h", "boardXSize": 5, "boardYSize": 5, "rules": rules, "moves": [["W", "pass"], ["B", "pass"]],
            "initialStones": stones, "maxVisits": 5})
    };
    let lead = |rules: &str| {
        ask(query(rules))[0]["rootInfo"]["scoreLead"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(lead("tromp-taylor"), 25.0);
    assert_eq!(lead("chinese"), 20.0);
    assert_eq!(lead("aga"), 21.0);
}

#[test]
fn first_moves_of_black_are_a_handicap_unless_the_query_says_otherwise() {
    const STONES: [&str; 5] = ["B2", "D2", "C3", "B4", "D4"];
    let lead = |moves: Vec<[&str; 2]>, rules: &str, more: Value| {
        // After a pass of each color, Black owns all 25 points.
        let end = [["W", "pass"], ["B", "pass"]];
        let moves: Vec<_> = moves.into_iter().chain(end).collect();
        let mut query = json!({"id": "h", "boardXSize": 5, "boardYSize": 5, "rules": rules,
            "moves": moves, "maxVisits": 5});
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let got = ask(query);
        assert_eq!(got.len(), 1, "{got:?}");
        got[0]["rootInfo"]["scoreLead"].as_f64().unwrap()
    };
    let stones = || STONES.map(|at| ["B", at]).to_vec();
    let assume = |value: bool| json!({"overrideSettings": {"assumeMultipleStartingBlackMovesAreHandicap": value}});
    // White gets a point for each stone under Chinese rules, one fewer under AGA rules.
    for (rules, points) in [("chinese", 20.0), ("aga", 21.0), ("tromp-taylor", 25.0)] {
        assert_eq!(lead(stones(), rules, json!({})), points, "{rules}");
        assert_eq!(lead(stones(), rules, assume(true)), points, "{rules}");
        assert_eq!(lead(stones(), rules, assume(false)), 25.0, "{rules}");
    }
    // The bonus of a query replaces that of its rules.
    for (bonus, points) in [("0", 25.0), ("N-1", 21.0), ("N", 20.0)] {
        let given = json!({"whiteHandicapBonus": bonus});
        assert_eq!(lead(stones(), "chinese", given.clone()), points, "{bonus}");
        assert_eq!(lead(stones(), "tromp-taylor", given), points, "{bonus}");
    }
    // White may pass between the stones. A stone of White ends the handicap.
    let passes = STONES.iter().flat_map(|&at| [["B", at], ["W", "pass"]]);
    let passes = passes.take(9).collect();
    assert_eq!(lead(passes, "chinese", json!({})), 20.0);
    let mut even = stones();
    even.insert(1, ["W", "A1"]);
    even.extend([["B", "A2"], ["B", "B1"]]);
    assert_eq!(lead(even, "chinese", json!({})), 25.0);
}

#[test]
fn uses_the_requested_player_and_turns() {
    let query = json!({"id": "p", "moves": [["B", "A1"], ["B", "E5"]], "initialPlayer": "W",
        "boardXSize": 5, "boardYSize": 5, "maxVisits": 5, "analyzeTurns": [2, 0, 1, 1]});
    let got = ask(query);
    assert_eq!(got.len(), 3, "{got:?}");
    for (turn, player) in [(0, "W"), (1, "W"), (2, "W")] {
        let answer = got.iter().find(|a| a["turnNumber"] == turn).unwrap();
        assert_eq!(answer["rootInfo"]["currentPlayer"], player, "turn {turn}");
    }
}

#[test]
fn a_finished_game_continues_under_tolerant_rules() {
    let got = ask(json!({"id": "o", "moves": [["B", "pass"], ["W", "pass"]],
        "boardXSize": 5, "boardYSize": 5, "maxVisits": 5}));
    assert_ne!(got[0]["moveInfos"][0]["move"], "pass", "{got:?}");
}

#[test]
fn under_strict_rules_a_finished_game_belongs_to_its_stones() {
    let black = ["A3", "B3", "C3", "D3", "E3", "B1"].map(|at| json!(["B", at]));
    let stones: Vec<Value> = black.into_iter().chain([json!(["W", "D5"])]).collect();
    let got = ask(json!({"id": "e", "moves": [["B", "pass"], ["W", "pass"]],
        "initialStones": stones, "initialPlayer": "B", "ruleset": "ggg", "boardXSize": 5,
        "boardYSize": 5, "maxVisits": 20, "includeOwnership": true}));
    assert_eq!(got[0]["moveInfos"][0]["move"], "pass");
    let owners: Vec<f64> = serde_json::from_value(got[0]["ownership"].clone()).unwrap();
    // The white stone keeps D5, and its region has no owner.
    let expected = [
        [0.0, 0.0, 0.0, -1.0, 0.0],
        [0.0; 5],
        [1.0; 5],
        [1.0; 5],
        [1.0; 5],
    ];
    assert_eq!(owners, expected.concat());
    assert_eq!(got[0]["rootInfo"]["scoreLead"], 14.0);
}

#[test]
fn under_stone_scoring_empty_points_have_no_owner() {
    let got = ask(
        json!({"id": "s", "moves": [["B", "pass"], ["W", "pass"]], "initialStones":
        [["B", "A2"], ["B", "B2"], ["B", "C2"], ["W", "A3"]], "initialPlayer": "B",
        "ruleset": "ggg score=stones", "boardXSize": 3, "boardYSize": 3, "maxVisits": 20,
        "includeOwnership": true}),
    );
    let owners: Vec<f64> = serde_json::from_value(got[0]["ownership"].clone()).unwrap();
    assert_eq!(owners, [-1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(got[0]["rootInfo"]["scoreLead"], 2.0);
}

#[test]
fn proofs_decide_the_win_rate() {
    // White captures Black's stone and leaves no legal move.
    let got = ask(json!({"id": "p", "graph": "path:2", "ruleset": "conway",
        "moves": [["B", "A1"]], "maxVisits": 100}));
    assert_eq!(
        got[0]["moveInfos"][0]["winrate"], 0.0,
        "Black's view: {got:?}"
    );
    assert_eq!(got[0]["rootInfo"]["winrate"], 0.0, "Black's view: {got:?}");
}

/// Returns queries of openings with few visits, with and without the noise at the root that KaTrain
/// requests.
fn short_queries() -> Vec<String> {
    let openings = [
        json!([]),
        json!([["B", "E5"]]),
        json!([["B", "D4"], ["W", "F6"], ["B", "C6"]]),
    ];
    let mut queries = Vec::new();
    for (side, visits, komi) in [
        (9, 25, 7.5),
        (9, 40, 6.5),
        (13, 20, 5.5),
        (13, 60, 7.5),
        (19, 20, 7.5),
    ] {
        for (moves, noise) in openings.iter().zip([0.04, 0.0, 0.04]) {
            queries.push(
                json!({"id": format!("{side} {visits} {moves}"), "moves": moves, "komi": komi,
                "rules": "chinese", "boardXSize": side, "boardYSize": side, "maxVisits": visits,
                "overrideSettings": {"wideRootNoise": noise}})
                .to_string(),
            );
        }
    }
    queries
}

#[test]
fn win_rate_and_score_agree_after_few_visits() {
    for net in [&[][..], &["--net", "none"]] {
        for answer in answers_by_default(net, &short_queries()) {
            let moves = answer["moveInfos"].as_array().unwrap();
            for figures in moves.iter().chain([&answer["rootInfo"]]) {
                let number = |key: &str| figures[key].as_f64().unwrap();
                let (edge, lead) = (number("winrate") - 0.5, number("scoreLead"));
                assert!(edge * lead >= 0.0, "{}: {figures}", answer["id"]);
            }
        }
    }
}

#[test]
fn moves_of_equal_win_rate_have_similar_scores_after_few_visits() {
    for net in [&[][..], &["--net", "none"]] {
        for answer in answers_by_default(net, &short_queries()) {
            let moves = answer["moveInfos"].as_array().unwrap();
            let number = |figures: &Value, key: &str| figures[key].as_f64().unwrap();
            for one in moves {
                for other in moves {
                    let apart = |key| (number(one, key) - number(other, key)).abs();
                    if apart("winrate") < 0.02 {
                        assert!(apart("scoreLead") < 7.0, "{}: {one} {other}", answer["id"]);
                    }
                }
            }
        }
    }
}

#[test]
fn reports_during_a_search_have_moves() {
    let got = ask(
        json!({"id": "d", "moves": [], "boardXSize": 19, "boardYSize": 19,
        "maxVisits": 50, "reportDuringSearchEvery": 0.01}),
    );
    for report in &got {
        let moves = report["moveInfos"].as_array().unwrap();
        assert!(!moves.is_empty(), "{report}");
    }
}

#[test]
fn accepts_rules_in_the_formats_of_katago() {
    let lead = |rules: Value, komi: Value| {
        let stones: Vec<Value> = ["B2", "D2", "C3", "B4", "D4"]
            .iter()
            .map(|at| json!(["B", at]))
            .collect();
        let got = ask(
            json!({"id": "r", "boardXSize": 5, "boardYSize": 5, "initialStones": stones,
            "moves": [["W", "pass"], ["B", "pass"]], "rules": rules, "komi": komi, "maxVisits": 5}),
        );
        got[0]["rootInfo"]["scoreLead"].as_f64().unwrap()
    };
    // Black owns all 25 points.
    let area = lead(json!("tromp-taylor"), json!(3));
    assert_eq!(area, 22.0);
    let object = json!({"ko": "SIMPLE", "scoring": "AREA", "komi": 3});
    assert_eq!(lead(object, json!(null)), area);
    assert_eq!(lead(json!("koSIMPLEscoreAREAtaxNONEsui0"), json!(3)), area);
    let territory = lead(json!("japanese"), json!(3));
    assert_ne!(territory, area);
    for short in ["jp", "ko"] {
        assert_eq!(lead(json!(short), json!(3)), territory, "{short}");
    }
}

#[test]
fn messages_truncate_long_words() {
    let long = "x".repeat(1000);
    let got = ask(
        json!({"id": "l", "moves": [], "boardXSize": 5, "boardYSize": 5, "maxVisits": 5,
        long.clone(): 1, "overrideSettings": {long.clone(): 1}}),
    );
    assert_eq!(got.len(), 3, "{got:?}");
    assert!(
        got.iter()
            .all(|a| a["warning"].is_null() || a.to_string().len() < 300)
    );
    for (name, value) in [("analyzeTurns", json!([long])), ("id", json!([long]))] {
        let mut query = json!({"id": "l", "moves": [], "boardXSize": 5, "boardYSize": 5});
        query[name] = value;
        let error = ask(query)[0]["error"].to_string();
        assert!(error.len() < 200, "{error}");
    }
}

#[test]
fn errors_name_the_field() {
    let good = json!({"id": "q", "moves": [], "boardXSize": 5, "boardYSize": 5, "maxVisits": 5});
    let with = |name: &str, value: Value| {
        let mut query = good.clone();
        query[name] = value;
        query
    };
    for (query, field) in [
        (with("moves", json!([["B", "Z9"]])), "moves"),
        (with("moves", json!([["B", "A1"], ["W", "A1"]])), "moves"),
        (with("moves", json!("E5")), "moves"),
        (with("boardXSize", json!(0)), "boardXSize"),
        (with("boardYSize", json!(null)), "boardYSize"),
        (with("rules", json!("klingon")), "rules"),
        (with("rules", json!({"komi": "x"})), "rules"),
        (with("ruleset", json!("ggg pass=never")), "ruleset"),
        (with("graph", json!("moebius")), "graph"),
        (with("komi", json!("x")), "komi"),
        (with("maxVisits", json!(0)), "maxVisits"),
        (with("analyzeTurns", json!([1])), "analyzeTurns"),
        (with("analyzeTurns", json!([])), "analyzeTurns"),
        (with("priorities", json!([1, 2])), "priorities"),
        (with("priorities", json!([1.5])), "priorities"),
        (
            with("initialStones", json!([["B", "pass"]])),
            "initialStones",
        ),
        (
            with("initialStones", json!([["B", "A1"], ["W", "A1"]])),
            "initialStones",
        ),
        (with("avoidMoves", json!([{"player": "B"}])), "avoidMoves"),
        (
            with(
                "avoidMoves",
                json!([{"player": "B", "moves": ["A1"], "untilDepth": 0}]),
            ),
            "avoidMoves",
        ),
        (
            with(
                "allowMoves",
                json!([{"player": "B", "moves": [], "untilDepth": 1}]),
            ),
            "allowMoves",
        ),
        (
            with(
                "allowMoves",
                json!([
                    {"player": "B", "moves": ["A1"], "untilDepth": 1},
                    {"player": "W", "moves": ["B1"], "untilDepth": 2},
                ]),
            ),
            "allowMoves",
        ),
        (with("includeOwnership", json!("yes")), "includeOwnership"),
        (
            with("overrideSettings", json!({"maxTime": -1})),
            "overrideSettings",
        ),
        (
            with("overrideSettings", json!({"cpuctExploration": 11})),
            "overrideSettings",
        ),
        (
            with("overrideSettings", json!({"useUncertainty": "maybe"})),
            "overrideSettings",
        ),
        (with("id", json!(null)), "id"),
    ] {
        let got = ask(query.clone());
        assert_eq!(got.len(), 1, "{query}: {got:?}");
        assert_eq!(got[0]["field"], field, "{query}: {got:?}");
        assert!(got[0]["error"].is_string());
    }
    for (moves, part) in [
        (json!([["B", "A1"], ["W", "Z9"]]), r#"number 1: \"Z9\""#),
        (json!([["X", "A1"]]), r#"number 0: \"X\""#),
        (json!([["B"]]), r#"number 0: [\"B\"]"#),
        (json!([["B", "A1"], ["W", "A1"]]), "number 1: occupied"),
    ] {
        let got = ask(with("moves", moves)).remove(0).to_string();
        assert!(
            got.contains(&part.replace(r#"\""#, r#"\\\""#)) || got.contains(part),
            "{got}"
        );
    }
    for given in [1, 3] {
        let mut query = with("analyzeTurns", json!([0, 0]));
        query["priorities"] = json!(vec![0; given]);
        let got = ask(query).remove(0).to_string();
        let part = format!("{given} priorities, expected one for each of the 2 turns");
        assert!(got.contains(&part), "{got}");
    }
    for line in ["nonsense", "[]", "{", "3", "\u{0}"] {
        let got = answers(&[], &[line.to_string()]);
        assert!(got[0]["error"].is_string(), "{line}: {got:?}");
    }
    let got = ask(with("temperature", json!(2)));
    assert_eq!(got.len(), 2);
    assert!(
        got.iter()
            .any(|a| a["warning"].is_string() && a["field"] == "temperature")
    );
}

#[test]
fn actions_are_echoed_and_end_searches() {
    let endless = |id: &str, visits: Value| {
        json!({"id": id, "moves": [], "boardXSize": 9, "boardYSize": 9, "maxVisits": visits})
            .to_string()
    };
    let got = answers(
        &["--positions", "1"],
        &[
            json!({"id": "v", "action": "query_version"}).to_string(),
            json!({"id": "c", "action": "clear_cache"}).to_string(),
            endless("first", json!(1_000_000_000)),
            endless("second", json!(1e30)),
            json!({"id": "t", "action": "terminate", "terminateId": "second"}).to_string(),
            json!({"id": "x", "action": "dance"}).to_string(),
            json!({"id": "all", "action": "terminate_all"}).to_string(),
        ],
    );
    let about = |id: &str| got.iter().filter(|a| a["id"] == id).collect::<Vec<_>>();
    assert!(about("v")[0]["version"].is_string());
    assert_eq!(about("c")[0]["action"], "clear_cache");
    for id in ["first", "second"] {
        assert_eq!(about(id).len(), 1);
        assert!(about(id)[0]["field"].is_null(), "no error: {got:?}");
    }
    assert_eq!(about("t")[0]["terminateId"], "second");
    assert_eq!(about("x")[0]["field"], "action");
    assert_eq!(about("all")[0]["action"], "terminate_all");
}

#[test]
fn high_priorities_come_first_and_searches_report_progress() {
    let query = |id: &str, priority: i64| {
        json!({"id": id, "moves": [], "boardXSize": 7, "boardYSize": 7, "maxVisits": 300, "priority": priority})
            .to_string()
    };
    let reporting = json!({"id": "r", "moves": [], "boardXSize": 9, "boardYSize": 9, "maxVisits": 1500,
        "reportDuringSearchEvery": 0.01});
    let got = answers(
        &["--positions", "1"],
        &[
            reporting.to_string(),
            query("low", -1),
            query("high", 5),
            query("middle", 0),
        ],
    );
    let ended: Vec<&str> = got
        .iter()
        .filter(|a| a["isDuringSearch"] == false)
        .map(|a| a["id"].as_str().unwrap())
        .collect();
    // Either of the first two queries may start first. The others had to wait.
    let place = |id: &str| ended.iter().position(|other| *other == id).unwrap();
    assert!(place("high") < place("middle"), "{ended:?}");
    assert!(
        got.iter()
            .any(|a| a["isDuringSearch"] == true && a["id"] == "r")
    );
}

#[test]
fn unknown_keys_of_restrictions_cause_a_warning() {
    let query = json!({
        "id": "a", "moves": [], "boardXSize": 5, "boardYSize": 5, "maxVisits": 2,
        "avoidMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 1, "foo": 1}],
    });
    let got = answers(&[], &[query.to_string()]);
    assert_eq!(got[0]["field"], "avoidMoves");
    assert_eq!(got[0]["warning"], "'foo' is unknown, ignored");
    assert!(got[1]["moveInfos"].is_array(), "{got:?}");
}

#[test]
fn answers_queries_of_katrain() {
    let query = |id: &str, moves: Value, next_move: bool| {
        json!({
            "id": id, "rules": "japanese", "priority": 1, "analyzeTurns": [moves.as_array().unwrap().len()], "maxVisits": 60,
            "komi": 6.5, "boardXSize": 9, "boardYSize": 9, "includeOwnership": !next_move,
            "includeMovesOwnership": !next_move, "includePolicy": !next_move,
            "initialStones": [["B", "C3"], ["B", "G7"]], "initialPlayer": "W", "moves": moves,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0},
            "reportDuringSearchEvery": 1.0,
            "avoidMoves": [{"moves": ["A1", "B1", "C3"], "player": "B", "untilDepth": 1}],
        })
        .to_string()
    };
    let got = answers(
        &["--positions", "1"],
        &[
            query("QUERY:1", json!([["W", "E5"]]), false),
            query("QUERY:2", json!([["W", "E5"], ["B", "E5"]]), true),
            query("QUERY:3", json!([["W", "E5"], ["B", "pass"]]), true),
            json!({"action": "terminate", "terminateId": "QUERY:99", "id": "QUERY:4"}).to_string(),
        ],
    );
    assert!(
        got.iter().all(|answer| answer["warning"].is_null()),
        "{got:?}"
    );
    // Each query gets exactly one answer that is not a partial result.
    let last = |id: &str| {
        let mut last = got
            .iter()
            .filter(|a| a["id"] == id && a["isDuringSearch"] != true);
        let answer = last.next().unwrap();
        assert!(last.next().is_none(), "{id}");
        answer
    };
    let answer = last("QUERY:1");
    assert_eq!(answer["turnNumber"], 1);
    assert_eq!(answer["rootInfo"]["currentPlayer"], "B");
    for key in [
        "visits",
        "winrate",
        "scoreLead",
        "utility",
        "scoreSelfplay",
        "lcb",
    ] {
        assert!(answer["rootInfo"][key].is_number(), "{key}: {answer}");
    }
    assert_eq!(answer["ownership"].as_array().unwrap().len(), 81);
    assert_eq!(answer["policy"].as_array().unwrap().len(), 82);
    let infos = answer["moveInfos"].as_array().unwrap();
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], order);
        assert!(
            !["A1", "B1", "C3"].contains(&info["move"].as_str().unwrap()),
            "{info}"
        );
        let owners = info["ownership"].as_array().unwrap();
        assert_eq!(owners.len(), 81);
        assert!(
            owners
                .iter()
                .all(|owner| owner.as_f64().unwrap().abs() <= 1.0)
        );
    }
    let refused = last("QUERY:2");
    assert!(
        refused["error"].as_str().unwrap().contains("Illegal move"),
        "{refused}"
    );
    assert!(last("QUERY:3")["ownership"].is_null());
    assert!(last("QUERY:3")["moveInfos"][0]["ownership"].is_null());
    assert_eq!(last("QUERY:4")["action"], "terminate");
}

#[test]
fn accepts_coordinates_by_column_and_row_from_the_top() {
    let got = ask(
        json!({"id": "p", "boardXSize": 5, "boardYSize": 3, "rules": "chinese", "maxVisits": 5, "includePolicy": true,
        "initialStones": [["B", "(0,0)"], ["W", "(4, 2)"]], "moves": [["B", "(1,2)"]]}),
    );
    let policy = got[0]["policy"].as_array().unwrap();
    let taken: Vec<usize> = (0..15).filter(|&at| policy[at] == -1.0).collect();
    for at in [0, 14, 11] {
        assert!(taken.contains(&at), "{policy:?}");
    }
    for place in [
        "(5,0)",
        "(0,3)",
        "(-1,0)",
        "(0)",
        "(,)",
        "(1,99999999999999999999)",
    ] {
        let got =
            ask(json!({"id": "p", "boardXSize": 5, "boardYSize": 3, "moves": [["B", place]]}));
        assert_eq!(got[0]["field"], "moves", "{place}: {got:?}");
    }
}

#[test]
fn an_oversized_line_gets_one_error() {
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(17 << 20));
    let good = json!({"id": "q", "moves": [], "boardXSize": 5, "boardYSize": 5, "maxVisits": 5})
        .to_string();
    let deep = "[".repeat(100_000);
    let got = answers(&["--positions", "1"], &[long, deep, good]);
    assert_eq!(got.len(), 3, "{}", got.len());
    assert!(got[0]["error"].as_str().unwrap().contains("longer than"));
    assert!(got[1]["error"].is_string());
    assert_eq!(got[2]["id"], "q");
    assert!(got[2]["error"].is_null());
}

#[test]
fn search_parameters_change_the_analysis() {
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/src/weights.bin");
    let query = |settings: Value| {
        let query = json!({"id": 1, "boardXSize": 5, "boardYSize": 5, "rules": "chinese",
            "komi": 7, "maxVisits": 40, "moves": [], "overrideSettings": settings});
        [query.to_string()]
    };
    let network = ["--net", weights, "--net-kernel", "portable"];
    let ask = |options: &[&str], settings: Value| {
        let options = [&network, options].concat();
        answers(&options, &query(settings))[0]["moveInfos"].clone()
    };
    let plain = ask(&[], json!({}));
    assert_eq!(
        ask(&["--net-parameters", "cpuctExploration=1.1"], json!({})),
        plain
    );
    for (name, value) in [
        ("cpuctExploration", "4"),
        ("rootPolicyTemperature", "5"),
        ("rootFpuReductionMax", "0"),
    ] {
        let item = format!("{name}={value}");
        let typed = ask(&["--net-parameters", &item], json!({}));
        assert_ne!(typed, plain, "{item}");
        assert_eq!(ask(&["-override-config", &item], json!({})), typed);
        let number: f64 = value.parse().unwrap();
        assert_eq!(ask(&[], json!({name: number})), typed, "{item}");
    }
}

#[test]
fn a_given_network_guides_the_analysis() {
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/src/weights.bin");
    let lines = [
        json!({"id": 1, "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "komi": 7, "maxVisits": 12, "moves": [["B", "E5"]],
            "includeOwnership": true, "includePolicy": true}),
        // The network cannot evaluate this graph, so the search works without it.
        json!({"id": 2, "graph": "petersen", "rules": "tromp-taylor", "maxVisits": 12, "moves": []}),
        json!({"id": 3, "action": "query_models"}),
    ]
    .map(|line| line.to_string());
    let guided = answers(&["--net", weights, "--net-kernel", "portable"], &lines);
    let plain = answers(&[], &lines);
    let by_id = |answers: &[Value], id: u64| {
        let found = answers.iter().find(|answer| answer["id"] == id);
        found.cloned().unwrap()
    };
    let (seen, unseen) = (by_id(&guided, 1), by_id(&plain, 1));
    assert_eq!(seen["ownership"].as_array().unwrap().len(), 81, "{seen}");
    // The policy of a network sums to 1 over all moves and the pass.
    let chances = seen["policy"].as_array().unwrap();
    let sum: f64 = chances
        .iter()
        .filter_map(Value::as_f64)
        .filter(|&chance| chance > 0.0)
        .sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    assert_ne!(seen["policy"], unseen["policy"]);
    assert_eq!(
        by_id(&guided, 2)["moveInfos"],
        by_id(&plain, 2)["moveInfos"]
    );
    let models = |answers| by_id(answers, 3)["models"].as_array().unwrap().len();
    assert_eq!((models(&guided), models(&plain)), (1, 0));
}

#[test]
fn the_log_has_queries_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let lines = ["no query", r#"{"id":"a","action":"query_version"}"#].map(String::from);
    let got = answers(&["--log", path.to_str().unwrap()], &lines);
    let log = std::fs::read_to_string(&path).unwrap();
    let starting_with = |mark| log.lines().filter_map(move |line| line.strip_prefix(mark));
    assert!(starting_with("> ").eq(lines.iter().map(String::as_str)));
    let logged = starting_with("< ").map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert!(got.len() == 2 && logged.eq(got), "{log}");
}
