//! Cases that hold under all systems, and those of the systems that count points.

use super::*;

// Shared cases

#[test]
fn s1_isolated_vertices_are_not_playable() {
    for ruleset in SYSTEMS {
        for spec in [
            "path:1",
            "complete:1",
            "edges:a-a",
            "edges:a,b,c",
            "cycle:1",
        ] {
            let game = game(spec, ruleset);
            for color in [BLACK, WHITE] {
                assert_eq!(placements(&game, color), 0, "{spec} under {ruleset}");
            }
            assert_eq!(check(&game, "B0"), Err(IllegalMove::NoEffect));
        }
    }
}

#[test]
fn s2_superko_stops_recaptures_on_two_vertices() {
    for ruleset in SYSTEMS {
        let mut game = game("complete:2", ruleset);
        play(&mut game, "B0");
        assert_eq!(shown(&game), "X.");
        play(&mut game, "W1");
        assert_eq!(shown(&game), ".O");
        assert_eq!(check(&game, "B0"), Err(IllegalMove::Superko));
    }
}

#[test]
fn s3_suicide_of_one_stone_is_illegal() {
    for ruleset in SYSTEMS {
        let mut game = game("path:3", ruleset);
        play(&mut game, "B1");
        assert_eq!(check(&game, "W0"), Err(IllegalMove::NoEffect));
        assert_eq!(check(&game, "W2"), Err(IllegalMove::NoEffect));
    }
}

#[test]
fn s4_suicide_of_three_stones_is_legal() {
    for ruleset in ["ggg", "formal"] {
        let mut game = game("path:5", ruleset);
        play(&mut game, "B0 W3 B1 Wpass B2");
        assert_eq!(shown(&game), "...O.", "{ruleset}");
    }
    let mut game = game("path:5", "conway");
    game.restart(&coloring("XX.O."), BLACK);
    play(&mut game, "B2");
    assert_eq!(shown(&game), "...O.");
}

#[test]
fn s5_captures_come_before_suicide() {
    for ruleset in SYSTEMS {
        let mut game = game("complete:3", ruleset);
        play(&mut game, "B0 W1 B2");
        assert_eq!(shown(&game), "X.X", "{ruleset}");
        assert_eq!(game.counter(BLACK), Points::whole(1));
    }
}

#[test]
fn s6_any_first_move_removes_chains_without_liberty() {
    let rulesets = SYSTEMS.map(rules).into_iter();
    for rules in rulesets.chain([prisoners(0, 0), famine()]) {
        for color in [BLACK, WHITE] {
            let mut game = game_under("edges:0-1,1-2,3", rules.clone());
            game.restart(&coloring("OOO."), color);
            play(
                &mut game,
                &format!("{}3", if color == BLACK { "B" } else { "W" }),
            );
            assert_eq!(shown(&game), "....", "{rules}");
            game.undo();
            assert_eq!(shown(&game), "OOO.", "{rules}");
            assert!(game.check(color, Move::Place(Vertex::at(3))).is_ok());
        }
    }
}

// General Graph Go

#[test]
fn g1_to_g3_regions_without_stones_count_for_both() {
    let mut one = game("path:1", "ggg");
    play(&mut one, "Bpass Wpass");
    assert!(one.is_over());
    assert_eq!(scores(&one), [1, 1]);
    assert_eq!(one.outcome(&[]), Ok(Outcome::Tie));

    let mut three = game("path:3", "ggg");
    play(&mut three, "Bpass Wpass");
    assert_eq!(scores(&three), [3, 3]);

    let mut center = game("path:3", "ggg");
    play(&mut center, "B1 Wpass Bpass");
    assert_eq!(scores(&center), [3, 0]);
    assert_eq!(center.outcome(&[]).unwrap().to_string(), "B+3");
}

#[test]
fn g4_g5_scores_include_captures_and_isolated_vertices() {
    let mut two = game("path:2", "ggg");
    play(&mut two, "B0 W1 Bpass Wpass");
    assert_eq!(scores(&two), [0, 2]);
    assert_eq!(two.outcome(&[]).unwrap().to_string(), "W+2");

    let mut four = game("path:3+path:1", "ggg");
    play(&mut four, "B1 Wpass Bpass");
    assert_eq!(scores(&four), [4, 1]);
}

#[test]
fn g6_the_komi_path_is_worth_its_length() {
    for (length, worth) in [(2, 0), (3, 3), (4, 4), (9, 9)] {
        let game = game(&format!("komipath:{length}"), "ggg");
        let [black, white] = scores(&game);
        assert_eq!(white - black, worth, "length {length}");
    }
    let beside = game("path:3+komipath:5", "ggg");
    assert_eq!(scores(&beside), [3, 3 + 5]);
}

// The formal rules

#[test]
fn t1_t2_regions_without_stones_do_not_count() {
    let mut three = game("path:3", "formal");
    play(&mut three, "Bpass Wpass");
    assert_eq!(scores(&three), [0, 0]);
    assert_eq!(three.outcome(&[]).unwrap().to_string(), "0");

    let mut four = game("path:3+path:1", "formal");
    play(&mut four, "B1 Wpass Bpass");
    assert_eq!(scores(&four), [3, 0]);
}

#[test]
fn t3_two_passes_end_the_game() {
    let mut over = game("path:3", "formal");
    play(&mut over, "Bpass Wpass");
    assert_eq!(check(&over, "B0"), Err(IllegalMove::GameOver));
    assert_eq!(check(&over, "Bpass"), Err(IllegalMove::GameOver));
    assert!(over.legal_moves(BLACK).is_empty());
    assert_eq!(
        over.play(BLACK, Move::Place(Vertex::at(0))),
        Err(IllegalMove::GameOver)
    );
    assert_eq!(over.moves().len(), 2);
    over.undo();
    play(&mut over, "W1 Bpass");
    assert!(!over.is_over(), "a move between two passes");
}

#[test]
fn t4_captured_points_become_liberties() {
    let mut two = game("path:2", "formal");
    two.restart(&coloring(".O"), BLACK);
    play(&mut two, "B0");
    assert_eq!(shown(&two), "X.");
    let mut three = game("complete:3", "formal");
    play(&mut three, "B0 W1 B2");
    assert_eq!(shown(&three), "X.X");
}
