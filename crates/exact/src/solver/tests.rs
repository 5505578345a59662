use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::limits::Limits;
use omnigo_core::board::graph::{Adjacency, GraphBoard};
use omnigo_core::rules::{Points, RulesetText};
use omnigo_graph::Graph;

fn game(graph: &Arc<Graph>, text: &str) -> Game<GraphBoard> {
    let rules: RulesetText = text.parse().unwrap();
    let board = GraphBoard::new(Adjacency::new(graph.clone()), 2).unwrap();
    Game::new(board, rules.rules, Points::ZERO, Color::BLACK)
}

#[test]
fn positions_with_dead_stones_have_the_value_of_their_best_move() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        nodes: Some(1 << 22),
        memory: 1 << 26,
        ..Limits::new(&stop)
    };
    // Three points: with one edge, without edges, and a path.
    let graphs: [&[(u16, u16)]; 3] = [&[(0, 1)], &[], &[(0, 1), (1, 2)]];
    let mut unsettled = 0;
    for edges in graphs {
        let graph = Arc::new(Graph::from_edges(3, edges).0);
        for text in ["formal", "tromp-taylor", "conway", "conway,ko=situational"] {
            for number in 0..27 {
                let stone = |i: u32| match number / 3u32.pow(i) % 3 {
                    0 => None,
                    n => Color::from_index(n as usize - 1),
                };
                let position: Vec<Option<Color>> = (0..3).map(stone).collect();
                let mut game = game(&graph, text);
                for color in [Color::BLACK, Color::WHITE] {
                    game.restart(&position, color);
                    let mut solver = Solver::new(&game, &limits, ScoredPosition::Stands);
                    unsettled += u32::from(Solver::is_unsettled(&game));
                    let sign = if color == Color::BLACK { 1 } else { -1 };
                    let ((lower, upper), stopped) = solver.value(&game, color);
                    assert!(lower == upper && stopped.is_none(), "{text} {position:?}");
                    let mut best = None;
                    for mv in game.legal_moves(color) {
                        let mut after = game.clone();
                        after.play(color, mv).unwrap();
                        let ((value, other), _) =
                            Solver::new(&after, &limits, ScoredPosition::Stands)
                                .value(&after, color.other());
                        assert_eq!(value, other);
                        best = best.max(Some(sign * value));
                    }
                    // A player without a move has lost.
                    let best = best.unwrap_or(-1);
                    assert_eq!(sign * lower, best, "{text} {position:?} {color}");
                }
            }
        }
    }
    assert!(unsettled > 30, "{unsettled}");
}
