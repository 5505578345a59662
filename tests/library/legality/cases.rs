//! Positions worked out by hand.

use super::*;
use omnigo::board::BareBoard;

fn game(spec: &str, text: &str, position: &str) -> Game<impl Board + use<>> {
    let graph = goban(spec).graph;
    let board = graph_board(&graph, 2, &keys(graph.vertices()));
    let rules = rules(text);
    let first = rules.first;
    let mut game = Game::new(board, rules, Points::ZERO, first);
    game.restart(&coloring(position), first);
    game
}

#[test]
fn simple_ko_forbids_only_the_position_before_the_last_turn() {
    // Rows from the bottom: `.XO.`, then `XO.O`.
    let position = ".XO.XO.O";
    for (ko, after_passes) in [
        ("simple", true),
        ("positional", false),
        ("situational", false),
    ] {
        let mut game = game("grid:4x2", &format!("formal ko={ko}"), position);
        game.play(BLACK, place(6)).unwrap();
        assert_eq!(text(&game.board().position()), ".XO.X.XO", "{ko}");
        let verdict = game.check(WHITE, place(5));
        let reason = match ko {
            "simple" => IllegalMove::Ko,
            _ => IllegalMove::Superko,
        };
        assert_eq!(verdict, Err(reason), "{ko}");
        game.play(WHITE, Move::Pass).unwrap();
        game.play(BLACK, Move::Pass).unwrap();
        assert!(game.legal_moves(WHITE).is_empty(), "the game is over");
        assert!(game.undo());
        // After one pass, the position before the last turn is the current one.
        let verdict = game.check(WHITE, place(5));
        assert_eq!(verdict.is_ok(), after_passes, "{ko}");
    }
}

/// The suicide restores the empty board, but with the other player to move.
#[test]
fn situational_superko_compares_the_player_to_move() {
    for (ko, verdict) in [
        ("situational", Ok(())),
        ("positional", Err(IllegalMove::Superko)),
        ("simple", Ok(())),
    ] {
        let mut game = game("path:2", &format!("formal ko={ko}"), "..");
        game.play(BLACK, place(0)).unwrap();
        game.play(WHITE, Move::Pass).unwrap();
        assert_eq!(game.check(BLACK, place(1)), verdict, "{ko}");
    }
}

/// White's suicide of two stones restores the start with Black to move. This situation is new
/// unless White passed first.
#[test]
fn situational_superko_remembers_situations_after_passes() {
    for (pass_first, verdict) in [(false, Ok(())), (true, Err(IllegalMove::Superko))] {
        let mut game = game("path:6", "formal ko=situational first=white", ".X..X.");
        if pass_first {
            game.play(WHITE, Move::Pass).unwrap();
        }
        game.play(WHITE, place(2)).unwrap();
        game.play(BLACK, Move::Pass).unwrap();
        assert_eq!(game.check(WHITE, place(3)), verdict);
        game.set_rules(rules("formal ko=positional"));
        assert_eq!(game.check(WHITE, place(3)), Err(IllegalMove::Superko));
    }
}

/// Situational superko allows all moves that positional superko allows, and some more.
#[test]
fn positional_superko_is_stricter_than_situational_superko() {
    let mut random = Random::new(6);
    let graph = goban("path:4").graph;
    let mut differences = 0;
    for _ in 0..400 {
        let empty = vec![None; 4];
        let mut table = graph_table(&graph, &rules("formal ko=situational"), &empty);
        for _ in 0..20 {
            let color = table.game.to_move();
            let moves = table.game.legal_moves(color);
            if moves.is_empty() {
                break;
            }
            let mut strict = table.game.clone();
            strict.set_rules(rules("formal ko=positional"));
            let narrower = strict.legal_moves(color);
            assert!(narrower.iter().all(|mv| moves.contains(mv)));
            differences += usize::from(narrower.len() < moves.len());
            let mv = random.pick(&moves);
            table.play(color, mv);
        }
    }
    assert!(differences > 0);
}

#[test]
fn illegal_moves_have_the_expected_reasons() {
    let mut game = game("path:3", "formal suicide=no", "...");
    assert_eq!(game.check(BLACK, place(3)), Err(IllegalMove::NoVertex));
    assert_eq!(game.check(color(2), place(0)), Err(IllegalMove::NoPlayer));
    assert_eq!(game.check(color(2), Move::Pass), Err(IllegalMove::NoPlayer));
    game.play(BLACK, place(1)).unwrap();
    assert_eq!(game.check(WHITE, place(1)), Err(IllegalMove::Occupied));
    assert_eq!(game.check(WHITE, place(0)), Err(IllegalMove::NoEffect));
    game.play(WHITE, Move::Pass).unwrap();
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.check(WHITE, place(0)), Err(IllegalMove::GameOver));
    assert_eq!(game.check(WHITE, place(1)), Err(IllegalMove::Occupied));

    let game = self::game("path:5", "formal suicide=no", "XX.O.");
    assert_eq!(game.check(BLACK, place(2)), Err(IllegalMove::Suicide));
    let game = self::game("path:5", "conway", "XX.O.");
    assert_eq!(game.check(BLACK, place(2)), Ok(()));
    assert_eq!(game.check(BLACK, Move::Pass), Err(IllegalMove::NoPass));
    let game = self::game("path:5", "conway pass=prisoners", "XX.O.");
    assert_eq!(game.check(BLACK, Move::Pass), Err(IllegalMove::NoPrisoner));
}

/// A tolerant referee accepts repetition, suicide of several stones, and moves after the end. It
/// rejects every other illegal move.
#[test]
fn a_tolerant_referee_rejects_only_impossible_moves() {
    let strict = "formal suicide=no";
    let tolerant = "formal suicide=no play=tolerant";
    for (text, referee) in [(strict, Referee::Strict), (tolerant, Referee::Tolerant)] {
        let lets_through = referee == Referee::Tolerant;
        let mut suicide = game("path:5", text, "XX.O.");
        assert_eq!(suicide.rules().referee, referee);
        assert_eq!(suicide.play(BLACK, place(2)).is_ok(), lets_through);

        let mut repetition = game("path:2", text, "..");
        repetition.play(BLACK, place(0)).unwrap();
        repetition.play(WHITE, place(1)).unwrap();
        assert_eq!(repetition.play(BLACK, place(0)).is_ok(), lets_through);

        let mut over = game("path:3", text, "...");
        over.play(BLACK, Move::Pass).unwrap();
        over.play(WHITE, Move::Pass).unwrap();
        assert!(over.is_over());
        assert_eq!(over.play(BLACK, place(1)).is_ok(), lets_through);

        let mut empty_gesture = game("path:3", text, ".X.");
        assert_eq!(
            empty_gesture.play(WHITE, place(0)),
            Err(IllegalMove::NoEffect)
        );
        assert_eq!(
            empty_gesture.play(WHITE, place(1)),
            Err(IllegalMove::Occupied)
        );
        assert_eq!(
            empty_gesture.play(WHITE, place(9)),
            Err(IllegalMove::NoVertex)
        );
    }
}

/// A rejected move leaves everything unchanged.
#[test]
fn rejected_moves_change_nothing() {
    let mut game = game("path:5", "conway", "XX.O.");
    game.play(BLACK, place(2)).unwrap();
    let before = Snapshot::of(&game);
    for mv in [place(0), place(3), place(77), Move::Pass] {
        for color in [BLACK, WHITE, color(5)] {
            if game.check(color, mv).is_err() {
                game.play(color, mv).unwrap_err();
                assert_eq!(Snapshot::of(&game), before);
            }
        }
    }
}

/// A second pass in a row by one color has no effect and no cost, and does not end the game.
#[test]
fn a_second_pass_in_a_row_changes_nothing() {
    let mut game = game("path:3", "formal", "...");
    game.play(BLACK, Move::Pass).unwrap();
    let once = Snapshot::of(&game);
    game.play(BLACK, Move::Pass).unwrap();
    // An entry of the history that changes nothing else.
    let mut twice = Snapshot::of(&game);
    assert_eq!(twice.moves.pop(), Some((BLACK, Move::Pass)));
    assert_eq!(twice, once);
    game.undo();
    assert_eq!(Snapshot::of(&game), once);
    game.play(BLACK, Move::Pass).unwrap();
    assert!(!game.is_over());
    game.play(WHITE, Move::Pass).unwrap();
    assert!(game.is_over());

    let paid = "conway pass=prisoners black-passes=1";
    let mut game = self::game("path:3", paid, "...");
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.counter(BLACK), Points::ZERO);
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.counter(BLACK), Points::ZERO);
}

/// Before the first move, changing the first player also changes the player to move at the start.
/// Situational superko compares with that start.
#[test]
fn changing_the_first_player_applies_from_the_start() {
    let mut game = game("path:2", "formal ko=situational", "X.");
    assert_eq!(game.to_move(), BLACK);
    game.set_rules(rules("formal ko=situational first=white"));
    assert_eq!(game.to_move(), WHITE);
    game.play(WHITE, place(1)).unwrap();
    // Black's capture restores `X.` with White to move, like the start.
    assert_eq!(game.check(BLACK, place(0)), Err(IllegalMove::Superko));
    // If Black had moved first, `X.` with White to move would be new.
    let mut game = self::game("path:2", "formal ko=situational", "X.");
    game.play(WHITE, place(1)).unwrap();
    assert_eq!(game.check(BLACK, place(0)), Ok(()));
    game.set_rules(rules("formal ko=positional"));
    assert_eq!(game.check(BLACK, place(0)), Err(IllegalMove::Superko));
}

/// Three passes end the game, each by another color. Every color can capture every other color.
#[test]
fn three_passes_end_a_game_of_three_colors() {
    let graph = goban("star:3").graph;
    let board = graph_board(&graph, 3, &Zobrist::new(4, 3));
    let three = Ruleset {
        colors: 3,
        ..rules("formal")
    };
    let mut game = Game::new(board, three, Points::ZERO, BLACK);
    let red = color(2);
    game.play(BLACK, place(1)).unwrap();
    assert_eq!(game.to_move(), WHITE);
    game.play(WHITE, place(2)).unwrap();
    game.play(red, place(3)).unwrap();
    assert_eq!(game.to_move(), BLACK);
    game.play(BLACK, Move::Pass).unwrap();
    game.play(WHITE, Move::Pass).unwrap();
    assert!(!game.is_over());
    game.play(red, place(0)).unwrap();
    assert_eq!(text(&game.board().position()), "3..3");
    assert_eq!(game.counter(red), Points::whole(2));
    for color in [BLACK, WHITE, red] {
        assert!(!game.is_over());
        game.play(color, Move::Pass).unwrap();
    }
    assert!(game.is_over());
    assert_eq!(game.outcome(&[]).unwrap().winner(), Some(red));
}
