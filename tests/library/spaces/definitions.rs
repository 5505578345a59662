//! Space boards, compared with the definitions set by set.

use super::*;
use omnigo::board::{BareBoard, Playouts};

#[test]
fn closures_connectedness_and_neighbors_match_the_definitions() {
    let mut random = Random::new(1);
    for _ in 0..1500 {
        let (space, literal) = random_space(&mut random);
        for subset in 0..1 << literal.points {
            let members: Vec<Vertex> = list(subset).into_iter().map(Vertex::at).collect();
            assert_eq!(
                set(&space.closure(&members)),
                literal.closure[subset as usize]
            );
            assert_eq!(
                space.is_connected(&members),
                literal.connected[subset as usize]
            );
        }
        let mut expected = Vec::new();
        for (b, &second) in literal.placements.iter().enumerate() {
            for (a, &first) in literal.placements[..b].iter().enumerate() {
                let joined = literal.go_connected(&[first, second]);
                assert_eq!(space.joined(a, b), joined);
                if joined {
                    expected.push((a as u16, b as u16));
                }
            }
        }
        let mut pairs = space.pairs(100).unwrap();
        pairs.sort_unstable();
        expected.sort_unstable();
        assert_eq!(pairs, expected);
    }
}

#[test]
fn every_placement_matches_the_definitions() {
    let mut random = Random::new(2);
    let (mut placed, mut taken, mut suicides, mut eyes) = (0, 0, 0, 0);
    for case in 0..3000 {
        let (space, literal) = random_space(&mut random);
        let mut board = SpaceBoard::new(Arc::new(space), 2).unwrap();
        let mut colors = [0; 2];
        // Every other game starts from a set-up. It may have colored points that belong to no
        // stone, and groups without liberties.
        let set_up = case % 2 == 1;
        if set_up {
            for x in 0..literal.points {
                if random.percent(50) {
                    colors[random.below(2)] |= 1 << x;
                }
            }
            board.set_position(&literal.coloring(colors));
        }
        for turn in 0..20 {
            let all: Set = (1 << literal.points) - 1;
            let empty = all & !(colors[0] | colors[1]);
            let legal: Vec<usize> = (0..literal.placements.len())
                .filter(|&i| literal.placements[i] & empty == literal.placements[i])
                .collect();
            let vacant: Vec<usize> = board.vacant().iter().map(|at| at.index()).collect();
            assert_eq!(vacant, legal);
            if legal.is_empty() {
                break;
            }
            let (player, number) = (random.below(2), random.pick(&legal));
            let at = Vertex::at(number);
            let then = literal.play(colors, player, literal.placements[number]);
            let preview = board.preview(color(player), at);
            let plays = board.playable(color(player), at);
            let eye = board.is_eye(color(player), at);
            let mut gone = [0; 2];
            board.place(color(player), at, |x, c| gone[c.index()] |= 1 << x.index());
            assert_eq!(
                text(&board.position()),
                text(&literal.coloring(then)),
                "{literal:?} {colors:?} {player} {number}"
            );
            assert_eq!(board.hash(), preview.hash);
            assert_eq!(gone[1 - player], colors[1 - player] & !then[1 - player]);
            assert_eq!(
                gone[player],
                (colors[player] | literal.placements[number]) & !then[player]
            );
            assert_eq!(preview.captured, gone[1 - player].count_ones() as usize);
            assert_eq!(preview.lost, gone[player].count_ones() as usize);
            // A playout avoids placements that lose the stone, and eyes. An eye is a placement that
            // the opponent cannot make without losing the stone. Neither side captures anything by
            // it.
            let theirs = literal.play(colors, 1 - player, literal.placements[number]);
            let takes = |then: [Set; 2], who: usize| then[1 - who] != colors[1 - who];
            let closed =
                theirs[1 - player] & literal.placements[number] == 0 && !takes(theirs, 1 - player);
            assert_eq!(eye, closed && !takes(then, player));
            let stays = then[player] & literal.placements[number] != 0;
            assert_eq!(plays, then != colors && stays && !eye);
            eyes += usize::from(eye);
            let mut fresh = board.clone();
            fresh.set_position(&board.position());
            assert_eq!(fresh.hash(), board.hash());
            placed += 1;
            taken += usize::from(preview.captured > 0);
            suicides += usize::from(preview.suicide);
            colors = then;
            // Proposition 2: after a turn, every colored point belongs to a stone. After a set-up,
            // this holds from the first turn on.
            for (c, own) in colors.iter().enumerate() {
                let inside = literal.stones(*own).iter().fold(0, |a, s| a | s);
                assert_eq!(inside, *own, "turn {turn}, color {c}");
            }
            // Proposition 3: strings are go-connected.
            for own in colors {
                for stone in literal.stones(own) {
                    let string = literal.string(stone, own);
                    assert!(literal.go_connected(&string));
                }
            }
        }
    }
    assert!(
        placed > 10_000 && taken > 500 && suicides > 500 && eyes > 100,
        "{placed} {taken} {suicides} {eyes}"
    );
}
