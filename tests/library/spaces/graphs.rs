//! Spaces that are graphs, played as spaces and as graphs.

use super::*;
use omnigo::board::{BareBoard, Playouts};

/// Returns all graphs on `n` labeled vertices, as specs.
fn graphs(n: usize) -> impl Iterator<Item = String> {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    (0..1u32 << pairs.len()).map(move |choice| {
        let chosen = (0..pairs.len()).filter(|i| choice & 1 << i != 0);
        let edges: Vec<(usize, usize)> = chosen.map(|i| pairs[i]).collect();
        naive::spec::edges_text(n, &edges)
    })
}

#[test]
fn a_graph_as_a_space_plays_like_the_graph_in_every_position() {
    let mut eyes = 0;
    for n in 1..=4 {
        for spec in graphs(n) {
            let goban = goban(&format!("space:({spec})"));
            let mut graph = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), 2).unwrap();
            let mut space = literal_board(&goban);
            for number in 0..3usize.pow(n as u32) {
                let mut points: Vec<Option<Color>> = (0..n)
                    .map(|v| {
                        Color::from_index(number / 3usize.pow(v as u32) % 3)
                            .filter(|c| c.index() < 2)
                    })
                    .collect();
                graph.set_position(&points);
                points.resize(goban.points(), None);
                space.set_position(&points);
                assert_eq!(
                    space.census(),
                    flood_census(&graph),
                    "{spec} {}",
                    text(&points)
                );
                let vacant: Vec<Vertex> = space.vacant().to_vec();
                for at in vacant {
                    for player in [Color::BLACK, Color::WHITE] {
                        let (own, theirs) =
                            (graph.preview(player, at), graph.preview(player.other(), at));
                        let eye = theirs.suicide && theirs.captured == 0 && own.captured == 0;
                        assert_eq!(space.is_eye(player, at), eye, "{spec} {}", text(&points));
                        eyes += usize::from(eye && !own.suicide);
                        let (mut a, mut b) = (graph.clone(), space.clone());
                        let (mut left, mut gone) = (Vec::new(), Vec::new());
                        assert_eq!(
                            graph.preview(player, at).lost,
                            space.preview(player, at).lost
                        );
                        a.place(player, at, |v, c| left.push((v, c)));
                        b.place(player, at, |v, c| gone.push((v, c)));
                        assert_eq!(a.position(), b.position()[..n], "{spec} {at:?}");
                        left.sort_unstable();
                        gone.sort_unstable();
                        assert_eq!(left, gone);
                    }
                }
            }
        }
    }
    assert!(eyes > 100, "{eyes}");
}

#[test]
fn the_recognized_and_the_literal_board_agree_in_games() {
    let mut random = Random::new(3);
    let mut turns = 0;
    for game in 0..1200 {
        let n = 2 + random.below(7);
        let percent = 20 + random.below(60);
        let edges = random.edges(n, percent);
        let spec = format!("space:({})", naive::spec::edges_text(n, &edges));
        let goban = goban(&spec);
        assert!(goban.space().unwrap().is_graph());
        let name = ["topo-primitive", "topo-stone", "formal", "ggg"][game % 4];
        let options = Options::default();
        let mut engine = Engine::new(goban.clone(), rules(name), Points::ZERO, options).unwrap();
        let mut literal = Game::new(
            literal_board(&goban),
            rules(name),
            Points::ZERO,
            Color::BLACK,
        );
        // The equivalent ruleset on the graph itself.
        let plain = match name {
            "topo-primitive" => "conway",
            other => other,
        };
        let adjacency = Adjacency::new(Arc::clone(&goban.graph));
        let board = GraphBoard::new(adjacency, 2).unwrap();
        let mut graph = Game::new(board, rules(plain), Points::ZERO, Color::BLACK);
        for _ in 0..40 {
            let player = literal.to_move();
            let moves = literal.legal_moves(player);
            assert_eq!(engine.legal_moves(player), moves, "{spec}");
            assert_eq!(graph.legal_moves(player), moves, "{spec}");
            assert_eq!(engine.outcome().ok(), literal.outcome(&[]).ok());
            assert_eq!(graph.outcome(&[]).ok(), literal.outcome(&[]).ok());
            assert_eq!(engine.scores().ok(), literal.scores(&[]).ok());
            let placements: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| *mv != Move::Pass)
                .collect();
            let Some(&mv) = [&placements, &moves]
                .into_iter()
                .find_map(|list| match list.len() {
                    0 => None,
                    many => list.get(random.below(many)),
                })
            else {
                break;
            };
            engine.play(player, mv).unwrap();
            literal.play(player, mv).unwrap();
            graph.play(player, mv).unwrap();
            assert_eq!(engine.position(), literal.board().position());
            assert_eq!(
                engine.prisoners(),
                [Color::BLACK, Color::WHITE].map(|c| literal.counter(c))
            );
            turns += 1;
        }
        while engine.undo() {
            assert!(literal.undo());
            assert_eq!(engine.position(), literal.board().position());
        }
    }
    assert!(turns > 3000, "{turns}");
}

#[test]
fn a_colored_edge_is_played_literally_until_the_board_is_cleared() {
    let goban = goban("space:path:3");
    let options = Options::default();
    let mut engine = Engine::new(goban, rules("topo-stone"), Points::ZERO, options).unwrap();
    let white = Some(Color::WHITE);
    engine.set_position(&[None, None, None, white, white], None);
    assert_eq!(engine.outcome().unwrap().to_string(), "W+2");
    engine
        .play(Color::BLACK, Move::Place(Vertex::at(1)))
        .unwrap();
    assert_eq!(text(&engine.position()), ".X...");
    assert!(engine.undo());
    assert_eq!(text(&engine.position()), "...OO");
    engine.clear_board();
    assert_eq!(text(&engine.position()), ".....");
    engine
        .play(Color::BLACK, Move::Place(Vertex::at(0)))
        .unwrap();
    assert_eq!(text(&engine.position()), "X....");
}
