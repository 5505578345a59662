//! Values of tiny boards, and a position of five rows.

use super::*;
use omnigo::board::BareBoard;

// Values

/// Checks that perfect play gives Black this score lead, in either implementation of the game.
fn has_value<G: Play>(game: &G, value: i64, context: &str) {
    assert!(reaches(game, 2 * value), "{context}: less than {value}");
    assert!(
        !reaches(game, 2 * value + 1),
        "{context}: more than {value}"
    );
}

#[test]
fn tiny_boards_have_the_expected_values() {
    for (spec, area, stones) in [
        ("edges:", 0, 0),
        ("complete:1", 0, 0),
        ("complete:2", 0, 0),
        ("path:3", 3, 1),
        ("complete:3", 0, 0),
        ("path:4", 4, 2),
        ("cycle:4", 1, 1),
    ] {
        for (ruleset, value) in [
            ("formal", area),
            ("ggg", area),
            ("tromp-taylor play=strict", area),
            ("formal score=stones", stones),
        ] {
            let context = format!("{spec} under {ruleset}");
            has_value(&game(spec, ruleset), value, &context);
            has_value(&naive_game(spec, rules(ruleset)), value, &context);
        }
    }
    has_value(&game("complete:4", "formal"), 1, "complete:4");
}

#[test]
fn five_in_a_row_is_a_tie() {
    has_value(&game("path:5", "formal"), 0, "path:5");
}

/// For every graph of at most four vertices, both implementations agree about the last mover.
/// Moving first is never a disadvantage if passing is free.
#[test]
fn graphs_of_four_vertices_agree_with_the_naive_game() {
    for n in 0..=4 {
        let pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect();
        for set in 0..1usize << pairs.len() {
            let chosen = pairs.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            let edges: Vec<(usize, usize)> = chosen.map(|(_, &pair)| pair).collect();
            let spec = edges_text(n, &edges);
            black_wins(&spec, &rules("conway"));
            assert!(reaches(&game(&spec, "formal"), 0), "{spec}");
            if n < 4 {
                black_wins(&spec, &prisoners(1, 1));
                black_wins(&spec, &famine());
                for ruleset in ["formal", "ggg", "formal suicide=no", "formal score=stones"] {
                    for target in -2 * n as i64..=2 * n as i64 {
                        let wins = reaches(&game(&spec, ruleset), target);
                        let naive = reaches(&naive_game(&spec, rules(ruleset)), target);
                        assert_eq!(wins, naive, "{spec} under {ruleset}, {target}");
                    }
                }
            }
        }
    }
}

#[test]
fn some_graphs_of_five_vertices_agree_with_the_naive_game() {
    for spec in [
        "star:4",
        "cycle:4+path:1",
        "edges:0-1,1-2,2-3,1-4",
        "edges:0-1,1-2,2-0,0-3,1-4",
        "edges:0-1,1-2,2-3,3-0,0-2,3-4",
    ] {
        black_wins(spec, &rules("conway"));
    }
}

// The position of five rows from General Graph Go's commentary

/// Rows from the top.
const SEED: [&str; 5] = [".....", "XXXXX", "OXXXX", "OOOOO", ".O.O."];

fn seed_game(ruleset: &str, first: Color) -> Game<GraphBoard> {
    let mut game = game("grid:5x5", ruleset);
    let rows: Vec<&str> = SEED.iter().rev().copied().collect();
    game.restart(&coloring(&rows.concat()), first);
    game
}

#[test]
fn black_wins_the_seed_position_by_points() {
    let mut game = seed_game("ggg", BLACK);
    assert_eq!(scores(&game), [14, 11]);
    play(&mut game, "Bpass Wpass");
    assert_eq!(game.outcome(&[]).unwrap().to_string(), "B+3");
}

/// White has three eyes in one chain and outlasts Black, who has two. For every line of play, Black
/// is stuck first or loses the whole chain. The search ends when one of the chains is gone.
#[test]
fn white_wins_the_seed_position_by_moves() {
    fn white_wins(game: &mut Game<GraphBoard>, budget: &mut usize) -> bool {
        *budget -= 1;
        let at = |game: &Game<GraphBoard>, v: usize| game.board().at(Vertex::at(v));
        if at(game, 15) != Some(BLACK) || at(game, 5) != Some(WHITE) {
            return at(game, 5) == Some(WHITE);
        }
        let mover = game.to_move();
        let moves = game.legal_moves(mover);
        let found = moves.iter().any(|&mv| {
            game.play(mover, mv).unwrap();
            let wins = white_wins(game, budget);
            assert!(game.undo());
            wins == (mover == WHITE)
        });
        found == (mover == WHITE)
    }
    for first in [BLACK, WHITE] {
        let mut budget = 20_000_000;
        assert!(
            white_wins(&mut seed_game("conway", first), &mut budget),
            "{first} first"
        );
    }
}
