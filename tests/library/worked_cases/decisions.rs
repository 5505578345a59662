//! Decisions on questions that the rule texts leave open.

use super::*;

// Decisions on questions that the texts leave open

#[test]
fn without_vertices_the_only_move_is_a_free_pass() {
    for ruleset in ["ggg", "formal"] {
        let mut none = game("edges:", ruleset);
        assert_eq!(none.legal_moves(BLACK), [Move::Pass]);
        play(&mut none, "Bpass Wpass");
        assert_eq!(none.outcome(&[]), Ok(Outcome::Tie));
    }
    let none = game("edges:", "conway");
    assert!(none.is_over());
    assert_eq!(none.outcome(&[]), Ok(Outcome::LastMover(WHITE)));
}

/// A lone stone that removes a chain without liberty changes the position, so it may be placed.
#[test]
fn an_isolated_vertex_is_playable_if_that_removes_a_chain() {
    for ruleset in SYSTEMS {
        let mut game = game("path:2+path:1", ruleset);
        game.restart(&coloring("OO."), BLACK);
        assert_eq!(check(&game, "B2"), Ok(()));
        play(&mut game, "B2");
        assert_eq!(shown(&game), "...");
        assert_eq!(placements(&game, WHITE), 2);
    }
}

#[test]
fn new_rules_apply_to_the_current_position() {
    let mut four = game("path:4", "formal");
    play(&mut four, "B1 W2 B3 Wpass Bpass");
    assert!(four.is_over());
    four.set_rules(rules("conway"));
    assert_eq!(shown(&four), ".X.X");
    assert_eq!(four.moves().len(), 5);
    assert_eq!(four.to_move(), WHITE);
    assert!(four.is_over(), "White, to move, is stuck");
    assert_eq!(four.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
    four.set_rules(prisoners(0, 3));
    assert!(!four.is_over());
    // White had three passes, won none, and spent one while passing was free.
    assert_eq!(four.counter(WHITE), Points::whole(2));
    assert_eq!(four.counter(BLACK), Points::ZERO, "one won, one spent");
    four.set_rules(rules("ggg"));
    assert_eq!(scores(&four), [4, 0]);
}

#[test]
fn restart_clears_history_passes_and_counters() {
    let mut two = game_under("path:2", prisoners(2, 2));
    play(&mut two, "B0 W1 Bpass");
    two.restart(&coloring("X."), WHITE);
    assert_eq!(two.to_move(), WHITE);
    assert_eq!(
        [BLACK, WHITE].map(|c| two.counter(c)),
        [Points::whole(2); 2]
    );
    assert_eq!(two.moves().len(), 0);
    assert!(!two.undo());
    assert_eq!(check(&two, "W1"), Ok(()), "`.O` is new again");
    play(&mut two, "W1");
    assert_eq!(
        check(&two, "B0"),
        Err(IllegalMove::Superko),
        "the new start is seen"
    );
}

/// The presets of paid passes, and the presets that equal an older system on graphs, if they exist.
#[test]
fn presets_equal_their_axes() {
    let alike = |name: &str, other: Ruleset| {
        if let Some(preset) = presets::find(name) {
            let renamed = Ruleset {
                name: preset.rules.name,
                ..other
            };
            assert_eq!(preset.rules, renamed, "{name}");
        }
    };
    alike("conway-prisoners", prisoners(0, 0));
    alike("topo-primitive", rules("conway"));
    alike("topo-stone", rules("formal score=stones"));
    alike("mango", rules("formal"));
    let famine_axes = Ruleset {
        komi_use: KomiUse::Passes,
        ..prisoners(0, 0)
    };
    alike("famine", famine_axes);
}

#[test]
fn presets_have_the_decided_referee_and_dead_stone_rule() {
    for (name, referee, dead) in [
        ("tromp-taylor", Referee::Tolerant, DeadStones::None),
        ("cgos", Referee::Tolerant, DeadStones::None),
        ("chinese", Referee::Tolerant, DeadStones::Agreed),
        ("new-zealand", Referee::Tolerant, DeadStones::Agreed),
        ("aga", Referee::Tolerant, DeadStones::Agreed),
        ("ggg", Referee::Strict, DeadStones::None),
        ("formal", Referee::Strict, DeadStones::None),
        ("conway", Referee::Strict, DeadStones::None),
    ] {
        let rules = rules(name);
        assert_eq!((rules.referee, rules.dead), (referee, dead), "{name}");
        assert_eq!(rules.first, BLACK, "{name}");
    }
    let refused = "conway end=passes".parse::<RulesetText>();
    assert!(refused.is_err(), "without passes, passes cannot end a game");
}

#[test]
fn komi_counts_for_white_if_points_count() {
    for ruleset in ["ggg", "formal", "tromp-taylor"] {
        let mut three = game("path:3", ruleset);
        three.set_komi(Points::from_halves(7));
        play(&mut three, "B1 Wpass Bpass");
        assert_eq!(three.outcome(&[]).unwrap().to_string(), "W+0.5");
    }
    let mut three = game("path:3", "conway");
    three.set_komi(Points::whole(100));
    play(&mut three, "B1");
    assert_eq!(three.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
}

#[test]
fn agreed_dead_stones_are_removed_before_scoring() {
    let mut four = game("path:4", "chinese");
    play(&mut four, "B1 W3 Bpass Wpass");
    assert_eq!(scores(&four), [2, 1]);
    let scores = four.scores(&[Vertex::at(3)]).unwrap();
    assert_eq!(scores, [Points::whole(4), Points::ZERO]);
    assert_eq!(shown(&four), ".X.O", "counting moves nothing");
}
