//! Games, values, and rulesets on spaces.

use super::*;
use omnigo::board::BareBoard;

#[test]
fn paid_passes_are_rejected_on_spaces_and_change_nothing() {
    let engine = |spec: &str, name: &str| {
        Engine::new(goban(spec), rules(name), Points::ZERO, Options::default())
    };
    assert!(engine("space:path:3", "famine").is_err());
    let mut space = engine("space:path:3", "topo-primitive").unwrap();
    assert!(space.set_rules(rules("conway-prisoners")).is_err());
    assert_eq!(space.rules().name, "topo-primitive");
    let mut path = engine("path:3", "famine").unwrap();
    assert!(path.set_goban(goban("space:(path:3),edges")).is_err());
    assert_eq!(path.goban().spec.to_string(), "path:3");
}

/// If pairs are stones, no placement colors an edge. A path of two then has no enclosed points and
/// owes no tax.
#[test]
fn points_without_a_possible_owner_are_not_taxed() {
    for (ruleset, score) in [
        ("tromp-taylor", "B+2"),
        ("tromp-taylor tax=all", "B+2"),
        ("tromp-taylor score=territory tax=all", "0"),
    ] {
        let rules = ruleset.parse::<RulesetText>().unwrap().rules;
        let mut board = literal_board(&goban("space:(path:2),pairs"));
        let black = Some(Color::BLACK);
        board.set_position(&[black, black, None]);
        let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        assert_eq!(game.outcome(&[]).unwrap().to_string(), score, "{ruleset}");
    }
}

#[test]
fn the_engine_plays_games_on_spaces_to_the_end() {
    for (seed, spec) in [
        "space:petersen",
        "space:(path:5),edges",
        "space:(cycle:5),pairs",
        "space:(grid:3x3),edges,pairs",
        "space:(star:4),edges",
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["topo-primitive", "topo-stone"] {
            let options = Options {
                playouts: Some(40),
                seed: seed as u64,
                memory_mib: 16,
                ..Options::default()
            };
            let mut engine = Engine::new(goban(spec), rules(name), Points::ZERO, options).unwrap();
            let (mut passes, mut turns) = (0, 0);
            while passes < 2 {
                match engine.genmove(engine.to_move()) {
                    Choice::Resign => break,
                    Choice::Move(Move::Pass) => passes += 1,
                    Choice::Move(Move::Place(_)) => passes = 0,
                }
                turns += 1;
                assert!(turns < 400, "{spec} {name}");
            }
            assert!(engine.outcome().is_ok() || passes < 2, "{spec} {name}");
        }
    }
}

/// Returns the greatest score difference that `player`, to move, can guarantee. Searches every line
/// of play under superko, with alpha-beta bounds.
fn value(
    space: &Literal,
    seen: &mut Vec<[Set; 2]>,
    player: usize,
    passed: bool,
    (mut low, high): (i32, i32),
) -> i32 {
    let now = seen[seen.len() - 1];
    let count = |c: usize| now[c].count_ones() as i32;
    let score = count(player) - count(1 - player);
    let all: Set = (1 << space.points) - 1;
    // Try the pass first. It causes most cutoffs if the mover is ahead.
    let pass = if passed {
        score
    } else {
        -value(space, seen, 1 - player, true, (-high, -low))
    };
    low = low.max(pass);
    for &placement in &space.placements {
        if low >= high {
            break;
        }
        if placement & (now[0] | now[1]) & all != 0 {
            continue;
        }
        let then = space.play(now, player, placement);
        if !seen.contains(&then) {
            seen.push(then);
            low = low.max(-value(space, seen, 1 - player, false, (-high, -low)));
            seen.pop();
        }
    }
    low
}

/// Returns true if the player to move wins without passes.
fn wins(space: &Literal, seen: &mut Vec<[Set; 2]>, player: usize) -> bool {
    let now = seen[seen.len() - 1];
    space.placements.iter().any(|&placement| {
        if placement & (now[0] | now[1]) != 0 {
            return false;
        }
        let then = space.play(now, player, placement);
        if seen.contains(&then) {
            return false;
        }
        seen.push(then);
        let loses = !wins(space, seen, 1 - player);
        seen.pop();
        loses
    })
}

/// Returns a path of this many vertices with its edges. Each of the placements names vertices. If
/// `edges` is true, two adjacent vertices include their edge.
fn path(vertices: usize, placements: &[&[usize]], edges: bool) -> Literal {
    let points = 2 * vertices - 1;
    let opens = (0..1 << points)
        .filter(|set: &Set| {
            (0..vertices - 1).all(|e| set & 1 << (vertices + e) == 0 || (set >> e) & 3 == 3)
        })
        .collect();
    let placements = placements.iter().map(|list| {
        let ends = list.iter().fold(0, |set, v| set | 1 << v);
        let with = |e: usize| Set::from(edges && (ends >> e) & 3 == 3) << (vertices + e);
        (0..vertices - 1).fold(ends, |set, e| set | with(e))
    });
    Literal::new(points, opens, placements.collect())
}

#[test]
fn tiny_cases_have_the_documented_values() {
    let stone = |space: &Literal| value(space, &mut vec![[0, 0]], 0, false, (-9, 9));
    let primitive = |space: &Literal| wins(space, &mut vec![[0, 0]], 0);
    let singles: &[&[usize]] = &[&[0], &[1], &[2], &[3]];
    // T1: like Conway. T4: White wins. T5: Black may color both ends in one turn.
    assert!(!primitive(&path(1, &singles[..1], false)));
    assert!(!primitive(&path(2, &singles[..2], false)));
    assert!(primitive(&path(3, &singles[..3], false)));
    assert!(primitive(&path(4, singles, false)));
    assert!(!primitive(&path(3, &[&[0, 2], &[1]], false)));
    let ends = path(3, &[&[0], &[1], &[2], &[0, 2]], false);
    assert_eq!(ends.play([0, 0], 0, 0b101), [0b101, 0]);
    // Section 4.13, in the reading chosen here.
    let far = path(4, &[&[0, 3], &[1], &[2]], false);
    assert_eq!(far.play([0b10, 0], 0, 0b1001), [0b10, 0]);
    // U1, U2, U3, U4, U5.
    assert_eq!(stone(&path(3, &singles[..3], false)), 1);
    assert_eq!(stone(&path(4, singles, false)), 2);
    assert_eq!(stone(&path(1, &singles[..1], false)), 0);
    assert_eq!(stone(&path(3, &[&[0, 1], &[1, 2]], true)), 0);
    assert_eq!(
        stone(&path(3, &[&[0], &[1], &[2], &[0, 1], &[1, 2]], true)),
        2
    );
}

#[test]
fn topo_rulesets_equal_conway_and_stone_scoring() {
    let strip = |name: &str| Ruleset {
        name: "",
        ..rules(name)
    };
    assert_eq!(strip("topo-primitive"), strip("conway"));
    let stones: RulesetText = "formal score=stones".parse().unwrap();
    assert_eq!(
        strip("topo-stone"),
        Ruleset {
            name: "",
            ..stones.rules
        }
    );
}

/// The move that captures a stone, or the move that saves it, has the highest prior.
#[test]
fn captures_and_rescues_have_the_highest_prior() {
    for (spec, points) in [
        ("space:(grid:3x3),edges", 21),
        ("space:(grid:3x3),pairs", 21),
    ] {
        let options = Options {
            playouts: Some(20),
            ..Options::default()
        };
        let mut engine =
            Engine::new(goban(spec), rules("topo-stone"), Points::ZERO, options).unwrap();
        let mut position = vec![None; points];
        // A black stone in the corner, next to a white one.
        (position[0], position[1]) = (Some(Color::BLACK), Some(Color::WHITE));
        for color in [Color::WHITE, Color::BLACK] {
            engine.set_position(&position, Some(color));
            let candidates = engine.think(color).result.candidates;
            let first = candidates
                .iter()
                .max_by(|a, b| a.prior.total_cmp(&b.prior))
                .unwrap();
            let even = 1.0 / candidates.len() as f64;
            assert!(first.prior > 1.2 * even, "{spec} {color}: {first:?}");
            let Move::Place(at) = first.mv else {
                panic!("{spec}: a pass")
            };
            let covered = engine.goban().covered(at);
            assert!(
                covered.contains(&Vertex::at(3)),
                "{spec} {color}: {first:?}"
            );
        }
    }
}
