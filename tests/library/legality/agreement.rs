//! Random games of the crate, compared with the naive game.

use super::*;
use crate::naive::random_games;
use omnigo::board::BareBoard;

#[test]
fn every_ruleset_agrees_with_the_naive_game() {
    let mut random = Random::new(1);
    for spec in BOARDS {
        let goban = goban(spec);
        let n = goban.graph.vertices();
        for rules in rulesets() {
            for _ in 0..10 {
                let start = start(&mut random, n);
                let plies = 12 + 4 * n;
                play(
                    &mut graph_table(&goban.graph, &rules, &start),
                    &mut random,
                    plies,
                    &[],
                );
                if let Some((width, height)) = goban.rectangle {
                    let board = grid_board(width, height, &keys(n));
                    let naive = naive::spec::naive_grid(width, height);
                    let mut table = Table::new(board, naive, rules.clone(), &start);
                    play(&mut table, &mut random, plies, &[]);
                }
            }
        }
    }
}

#[test]
fn a_rules_change_applies_to_the_existing_history() {
    let mut random = Random::new(2);
    for spec in BOARDS {
        let graph = goban(spec).graph;
        for rules in rulesets() {
            for _ in 0..4 {
                let start = start(&mut random, graph.vertices());
                let mut table = graph_table(&graph, &rules, &start);
                play(&mut table, &mut random, 40, &rulesets());
            }
        }
    }
}

/// Plays long games under superko on boards with hundreds of positions.
#[test]
fn legality_agrees_in_long_superko_games() {
    let mut random = Random::new(3);
    for spec in ["grid:2x2", "grid:5x1", "grid:2x3", "star:4", "complete:5"] {
        let graph = goban(spec).graph;
        for ko in ["positional", "situational"] {
            let rules = rules(&format!("formal ko={ko}"));
            for _ in 0..4 {
                let empty = vec![None; graph.vertices()];
                let mut table = graph_table(&graph, &rules, &empty);
                for _ in 0..250 {
                    let color = match random.percent(30) {
                        true => table.game.to_move().other(),
                        false => table.game.to_move(),
                    };
                    let moves = table.game.legal_moves(color);
                    let Some(&last) = moves.last() else { break };
                    let mv = match moves.len() {
                        1 => last,
                        many => moves[random.below(many - 1)],
                    };
                    table.play(color, mv);
                    table.compare();
                }
                while !table.past.is_empty() {
                    table.undo();
                }
            }
        }
    }
}

/// Boards with keys of few bits, so that nearly all hashes collide, give the same verdicts and the
/// same reasons.
#[test]
fn hash_collisions_never_change_a_verdict() {
    let mut random = Random::new(4);
    for spec in BOARDS {
        let goban = goban(spec);
        let n = goban.graph.vertices();
        for rules in rulesets() {
            for bits in [0, 1, 2, 3, 5] {
                let few = Zobrist::with_bits(n, 2, bits);
                let start = start(&mut random, n);
                let mut narrow = graph_board(&goban.graph, 2, &few);
                narrow.set_position(&start);
                let mut narrow = Game::new(narrow, rules.clone(), Points::ZERO, rules.first);
                let mut wide = graph_table(&goban.graph, &rules, &start).game;
                let mut grid = goban.rectangle.map(|(width, height)| {
                    let mut board = grid_board(width, height, &few);
                    board.set_position(&start);
                    Game::new(board, rules.clone(), Points::ZERO, rules.first)
                });
                for _ in 0..6 + 3 * n {
                    for color in [BLACK, WHITE] {
                        let legal = wide.legal_moves(color);
                        assert_eq!(narrow.legal_moves(color), legal, "{bits} bits, {spec}");
                        for v in 0..n {
                            let verdict = wide.check(color, place(v));
                            assert_eq!(narrow.check(color, place(v)), verdict);
                            if let Some(grid) = &grid {
                                assert_eq!(grid.check(color, place(v)), verdict);
                            }
                        }
                    }
                    let Some((color, mv)) = random_games::turn(&wide, &mut random) else {
                        break;
                    };
                    wide.play(color, mv).unwrap();
                    narrow.play(color, mv).unwrap();
                    if let Some(grid) = &mut grid {
                        grid.play(color, mv).unwrap();
                    }
                    if random.percent(10) {
                        assert!(wide.undo() && narrow.undo());
                        grid.iter_mut().for_each(|g| assert!(g.undo()));
                    }
                }
            }
        }
    }
}

/// A search line obeys the same rules as the game that it continues. Under simple ko it also avoids
/// longer cycles, like positional superko.
#[test]
fn a_search_line_allows_the_same_moves_as_the_game() {
    let mut random = Random::new(5);
    for spec in BOARDS {
        let graph = goban(spec).graph;
        for rules in rulesets() {
            let start = start(&mut random, graph.vertices());
            let mut game = graph_table(&graph, &rules, &start).game;
            for _ in 0..random.below(10) {
                if let Some((color, mv)) = random_games::turn(&game, &mut random) {
                    game.play(color, mv).unwrap();
                }
            }
            let mut line = Line::new(&game, game.to_move());
            for round in 0..4 {
                if round > 0 {
                    line.reset(game.to_move());
                }
                let mut then = game.clone();
                for _ in 0..12 {
                    let color = then.to_move();
                    assert_eq!(line.to_move(), color);
                    assert_eq!(line.board().position(), then.board().position());
                    assert_eq!(line.ended_by_passes(), then.ended_by_passes());
                    assert_eq!(line.can_pass(), then.can_pass(color));
                    assert_eq!(line.counter(color), then.counter(color));
                    if then.ended_by_passes() {
                        break;
                    }
                    let mut judge = then.clone();
                    if rules.ko == Ko::Simple {
                        judge.set_rules(Ruleset {
                            ko: Ko::Positional,
                            ..rules.clone()
                        });
                    }
                    for &v in then.board().vacant() {
                        let allowed = judge.check(color, Move::Place(v)).is_ok();
                        assert!(!allowed || then.check(color, Move::Place(v)).is_ok());
                        assert_eq!(line.is_legal(v), allowed, "{spec} under {rules}");
                    }
                    let Some((_, mv)) = random_games::turn(&then, &mut random) else {
                        break;
                    };
                    let again = then.moves().last() == Some((color, Move::Pass));
                    if mv == Move::Pass && again {
                        break;
                    }
                    line.play(mv);
                    then.play(color, mv).unwrap();
                }
            }
        }
    }
}
