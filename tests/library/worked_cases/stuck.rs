//! Cases of the systems in which a player without a move loses: Conway's rule, paid passes, famine.

use super::*;

// Conway's rule: a player without a move loses

#[test]
fn c1_to_c4_go_to_the_last_mover() {
    let one = game("path:1", "conway");
    assert!(one.is_over() && one.is_stuck(BLACK));
    assert_eq!(one.outcome(&[]), Ok(Outcome::LastMover(WHITE)));

    let mut two = game("path:2", "conway");
    play(&mut two, "B0 W1");
    assert!(two.is_over());
    assert_eq!(two.outcome(&[]), Ok(Outcome::LastMover(WHITE)));

    let mut three = game("path:3", "conway");
    play(&mut three, "B1");
    assert_eq!(three.outcome(&[]), Ok(Outcome::LastMover(BLACK)));

    let mut four = game("path:4", "conway");
    play(&mut four, "B1 W2");
    assert_eq!(shown(&four), ".XO.");
    assert_eq!(four.outcome(&[]), Err(ScoreError::Undecided));
    assert_eq!(four.scores(&[]), Err(ScoreError::Undecided));
    play(&mut four, "B3");
    assert_eq!(shown(&four), ".X.X");
    assert_eq!(check(&four, "W2"), Err(IllegalMove::Superko));
    assert_eq!(four.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
    let mut four = game("path:4", "conway");
    play(&mut four, "B1 W3 B2");
    assert_eq!(shown(&four), ".XX.");
    assert_eq!(four.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
}

#[test]
fn tiny_boards_have_the_expected_conway_winners() {
    for (spec, winner) in [
        ("edges:", "W"),
        ("complete:1", "W"),
        ("complete:2", "W"),
        ("path:3", "B"),
        ("complete:3", "W"),
        ("path:4", "B"),
        ("cycle:4", "B"),
        ("path:2+path:2", "W"),
    ] {
        assert_eq!(black_wins(spec, &rules("conway")), winner == "B", "{spec}");
    }
}

#[test]
fn c5_black_wins_five_in_a_row() {
    assert!(reaches(&game("path:5", "conway"), 1));
}

// Passes paid with prisoners

#[test]
fn p1_to_p3_a_pass_in_hand_decides() {
    for (black, white, winner, literal) in [
        (0, 0, WHITE, WHITE),
        (1, 0, BLACK, WHITE),
        (1, 1, WHITE, WHITE),
    ] {
        let wins = black_wins("path:1", &prisoners(black, white));
        assert_eq!(wins, winner == BLACK, "{black} {white}");
        let wins = black_wins("path:1", &literal_prisoners(black, white));
        assert_eq!(wins, literal == BLACK, "{black} {white}");
    }
    assert!(black_wins("path:2", &prisoners(1, 0)));
    assert!(!black_wins("path:3", &prisoners(0, 1)));
    assert!(black_wins("path:3", &literal_prisoners(0, 1)));
}

#[test]
fn p2_black_keeps_a_pass_and_moves_last() {
    let mut two = game_under("path:2", prisoners(1, 0));
    play(&mut two, "Bpass W0 B1");
    assert_eq!(shown(&two), ".X");
    assert_eq!(check(&two, "W0"), Err(IllegalMove::Superko));
    assert_eq!(check(&two, "Wpass"), Err(IllegalMove::NoPrisoner));
    assert_eq!(two.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
    // Black has spent its pass and won a prisoner.
    assert_eq!(two.counter(BLACK), Points::whole(1));
}

#[test]
fn p4_suicide_pays_the_opponent() {
    let mut five = game_under("path:5", prisoners(0, 1));
    play(&mut five, "B0 W3 B1 Wpass");
    assert_eq!(five.counter(WHITE), Points::ZERO);
    play(&mut five, "B2");
    assert_eq!(five.counter(WHITE), Points::whole(3));
    assert_eq!(five.counter(BLACK), Points::ZERO);
    five.undo();
    assert_eq!(five.counter(WHITE), Points::ZERO);
    five.undo();
    assert_eq!(five.counter(WHITE), Points::whole(1));
}

// Famine

fn famine_game(spec: &str, komi: Points) -> Game<GraphBoard> {
    let mut game = game_under(spec, famine());
    game.set_komi(komi);
    game
}

#[test]
fn f1_to_f4_tiny_boards_have_the_expected_komi() {
    for (spec, komi) in [
        ("complete:1", -1),
        ("complete:2", -1),
        ("complete:3", -1),
        ("path:3", 0),
        ("path:4", 1),
        ("star:3", 1),
        ("cycle:4", 0),
    ] {
        for (komi, wins) in [
            (komi - 1, true),
            (komi, true),
            (komi + 1, false),
            (komi + 2, false),
        ] {
            let found = reaches(&famine_game(spec, Points::whole(komi)), 1);
            assert_eq!(found, wins, "{spec}, komi {komi}");
            let mut naive = naive_game(spec, famine());
            naive.komi = Points::whole(komi);
            assert_eq!(reaches(&naive, 1), wins, "{spec}, komi {komi}");
        }
    }
}

#[test]
fn f5_half_a_pass_buys_one() {
    let mut four = famine_game("path:4", Points::from_halves(1));
    assert_eq!(four.counter(WHITE).to_string(), "0.5");
    play(&mut four, "B1 Wpass");
    assert_eq!(four.counter(WHITE).to_string(), "-0.5");
    play(&mut four, "B2");
    assert_eq!(check(&four, "Wpass"), Err(IllegalMove::NoPrisoner));
    let black = famine_game("path:4", Points::from_halves(-3));
    assert_eq!([BLACK, WHITE].map(|c| black.counter(c).halves()), [3, 0]);
}

#[test]
fn f6_half_komi_plays_like_the_next_whole_one() {
    assert!(!reaches(&famine_game("path:4", Points::from_halves(3)), 1));
    for spec in [
        "path:1",
        "path:2",
        "path:3",
        "complete:3",
        "path:4",
        "cycle:4",
    ] {
        for komi in 1..4 {
            for sign in [1, -1] {
                let whole = Points::whole(sign * komi);
                let half = Points::from_halves(sign * (2 * komi - 1));
                let wins = reaches(&famine_game(spec, whole), 1);
                assert_eq!(reaches(&famine_game(spec, half), 1), wins, "{spec} {half}");
                let (black, white) = if sign > 0 { (0, komi) } else { (komi, 0) };
                assert_eq!(
                    black_wins(spec, &prisoners(black, white)),
                    wins,
                    "{spec} {whole}"
                );
            }
        }
    }
}

#[test]
fn more_passes_never_hurt_their_owner() {
    for spec in ["path:1", "path:2", "path:3", "complete:3", "path:2+path:1"] {
        let wins = |black, white| black_wins(spec, &prisoners(black, white));
        for black in 0..3 {
            for white in 0..3 {
                let now = wins(black, white);
                assert!(!now || wins(black + 1, white), "{spec} {black} {white}");
                assert!(now || !wins(black, white + 1), "{spec} {black} {white}");
            }
        }
    }
}
