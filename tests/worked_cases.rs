//! The rule systems' worked cases, values of tiny boards by exhaustive search, and properties that hold on every board.

mod naive;

use naive::game::NaiveGame;
use naive::solve::{Play, reaches};
use naive::spec::{edges_text, goban, graph_board};
use naive::{coloring, text};
use omnigo::board::Board;
use omnigo::board::graph::GraphBoard;
use omnigo::color::Color;
use omnigo::game::{Game, IllegalMove, Outcome, ScoreError};
use omnigo::rules::{DeadStones, KomiUse, Points, Referee, Ruleset, RulesetText, presets};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

const BLACK: Color = Color::BLACK;
const WHITE: Color = Color::WHITE;

/// The systems without paid passes.
const SYSTEMS: [&str; 3] = ["ggg", "formal", "conway"];

/// A ruleset from its text.
fn rules(text: &str) -> Ruleset {
    let read = text.parse::<RulesetText>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).rules
}

/// Passes paid with prisoners: so many for Black and White at the start.
fn prisoners(black: i64, white: i64) -> Ruleset {
    rules(&format!(
        "conway pass=prisoners black-passes={black} white-passes={white}"
    ))
}

/// The same where a ruleset's text says `stuck=move-only`: who cannot place a stone loses.
fn literal_prisoners(black: i64, white: i64) -> Ruleset {
    let text = format!("{} stuck=move-only", prisoners(black, white));
    rules(&text)
}

/// Paid passes of which komi gives one side its share.
fn famine() -> Ruleset {
    match presets::find("famine") {
        Some(preset) => preset.rules.clone(),
        None => Ruleset {
            komi_use: KomiUse::Passes,
            ..prisoners(0, 0)
        },
    }
}

/// A game on the board of a spec, from that board's own start.
fn game_under(spec: &str, rules: Ruleset) -> Game<GraphBoard> {
    let goban = goban(spec);
    let keys = Zobrist::new(goban.graph.vertices(), 2);
    let mut board = graph_board(&goban.graph, 2, &keys);
    board.set_position(&goban.start);
    let first = rules.first;
    Game::new(board, rules, Points::ZERO, first)
}

fn game(spec: &str, ruleset: &str) -> Game<GraphBoard> {
    game_under(spec, rules(ruleset))
}

fn naive_game(spec: &str, rules: Ruleset) -> NaiveGame {
    let goban = goban(spec);
    let mut board = naive::spec::naive(&goban.graph);
    board.cells = goban.start;
    let first = rules.first;
    NaiveGame::new(board, rules, Points::ZERO, first)
}

/// Plays moves such as `B0 W3 Bpass`.
fn play(game: &mut Game<GraphBoard>, moves: &str) {
    for word in moves.split_whitespace() {
        let (color, mv) = read(word);
        game.play(color, mv)
            .unwrap_or_else(|error| panic!("{word} of {moves}: {error}"));
    }
}

fn read(word: &str) -> (Color, Move) {
    let (color, mv) = word.split_at(1);
    let mv = match mv {
        "pass" => Move::Pass,
        v => Move::Place(Vertex::at(v.parse().unwrap())),
    };
    (color.parse().unwrap(), mv)
}

fn check(game: &Game<GraphBoard>, word: &str) -> Result<(), IllegalMove> {
    let (color, mv) = read(word);
    game.check(color, mv)
}

fn shown(game: &Game<GraphBoard>) -> String {
    text(&game.board().position())
}

/// Black's and White's points.
fn scores(game: &Game<GraphBoard>) -> [i64; 2] {
    let scores = game.scores(&[]).unwrap();
    [scores[0].halves() / 2, scores[1].halves() / 2]
}

fn placements(game: &Game<GraphBoard>, color: Color) -> usize {
    let moves = game.legal_moves(color);
    moves.iter().filter(|mv| **mv != Move::Pass).count()
}

// Shared cases

#[test]
fn s1_nothing_is_playable_on_isolated_vertices() {
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
fn s2_captures_back_and_forth_on_two_vertices() {
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
fn s5_the_last_point_captures_before_it_suffocates() {
    for ruleset in SYSTEMS {
        let mut game = game("complete:3", ruleset);
        play(&mut game, "B0 W1 B2");
        assert_eq!(shown(&game), "X.X", "{ruleset}");
        assert_eq!(game.counter(BLACK), Points::whole(1));
    }
}

#[test]
fn s6_dead_groups_of_the_start_go_with_the_first_move_wherever_it_is() {
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
fn g4_g5_captures_and_an_isolated_vertex() {
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
fn t1_t2_regions_without_stones_count_for_nobody() {
    let mut three = game("path:3", "formal");
    play(&mut three, "Bpass Wpass");
    assert_eq!(scores(&three), [0, 0]);
    assert_eq!(three.outcome(&[]).unwrap().to_string(), "0");

    let mut four = game("path:3+path:1", "formal");
    play(&mut four, "B1 Wpass Bpass");
    assert_eq!(scores(&four), [3, 0]);
}

#[test]
fn t3_two_passes_are_the_end() {
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
fn t4_the_captured_points_are_liberties() {
    let mut two = game("path:2", "formal");
    two.restart(&coloring(".O"), BLACK);
    play(&mut two, "B0");
    assert_eq!(shown(&two), "X.");
    let mut three = game("complete:3", "formal");
    play(&mut three, "B0 W1 B2");
    assert_eq!(shown(&three), "X.X");
}

// Conway's rule: whoever cannot move loses

#[test]
fn c1_to_c4_by_hand() {
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

/// Whether Black, moving first, moves last.
fn black_wins(spec: &str, rules: &Ruleset) -> bool {
    let answer = reaches(&game_under(spec, rules.clone()), 1);
    let naive = reaches(&naive_game(spec, rules.clone()), 1);
    assert_eq!(answer, naive, "{spec} under {rules}");
    answer
}

#[test]
fn conway_results_of_tiny_boards() {
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
fn c5_five_in_a_row_is_a_win_without_an_advantage() {
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
fn p2_by_hand() {
    let mut two = game_under("path:2", prisoners(1, 0));
    play(&mut two, "Bpass W0 B1");
    assert_eq!(shown(&two), ".X");
    assert_eq!(check(&two, "W0"), Err(IllegalMove::Superko));
    assert_eq!(check(&two, "Wpass"), Err(IllegalMove::NoPrisoner));
    assert_eq!(two.outcome(&[]), Ok(Outcome::LastMover(BLACK)));
    // Black has used the pass up and won a prisoner.
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
fn f1_to_f4_the_komi_of_tiny_boards() {
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
fn f6_half_komi_is_the_next_whole_one() {
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

// Values

/// Checks that best play of both ends with this margin, for the crate's game and for the naive one.
fn has_value<G: Play>(game: &G, value: i64, context: &str) {
    assert!(reaches(game, 2 * value), "{context}: less than {value}");
    assert!(
        !reaches(game, 2 * value + 1),
        "{context}: more than {value}"
    );
}

#[test]
fn values_of_tiny_boards() {
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
fn five_in_a_row_is_even() {
    has_value(&game("path:5", "formal"), 0, "path:5");
}

/// Every graph of at most four vertices: who moves last, and that moving first is no harm where passing is free.
#[test]
fn every_graph_of_four_vertices_is_as_the_naive_game_has_it() {
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
fn some_graphs_of_five_vertices_are_as_the_naive_game_has_them() {
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

// The seed's position on five rows

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

/// White, who has three eyes in one group, outlasts Black's two: whatever Black does, Black is stuck first or loses the
/// whole group. Searched until one of the groups is gone.
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

// Decisions on what the texts leave open

#[test]
fn without_vertices_there_is_no_move_but_a_free_pass() {
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

/// A lone stone that takes a dead group with it changes the board, and so may be placed.
#[test]
fn with_dead_groups_about_even_an_isolated_vertex_is_playable() {
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
fn new_rules_judge_the_present_position() {
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
    // Three at the start, none won, one spent while passing was free.
    assert_eq!(four.counter(WHITE), Points::whole(2));
    assert_eq!(four.counter(BLACK), Points::ZERO, "one won, one spent");
    four.set_rules(rules("ggg"));
    assert_eq!(scores(&four), [4, 0]);
}

#[test]
fn a_new_start_forgets_history_passes_and_counters() {
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

/// The presets of paid passes, and those that mean an older system on graphs, where they exist.
#[test]
fn presets_are_the_axes_that_they_stand_for() {
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
fn presets_stand_where_the_decisions_put_them() {
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
fn komi_counts_for_white_and_only_where_points_count() {
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
fn agreed_dead_stones_are_taken_off_before_counting() {
    let mut four = game("path:4", "chinese");
    play(&mut four, "B1 W3 Bpass Wpass");
    assert_eq!(scores(&four), [2, 1]);
    let scores = four.scores(&[Vertex::at(3)]).unwrap();
    assert_eq!(scores, [Points::whole(4), Points::ZERO]);
    assert_eq!(shown(&four), ".X.O", "counting moves nothing");
}
