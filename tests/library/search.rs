//! Guarantees of the search: equal games from equal seeds, legal moves, sensible passes and
//! resignations.

use std::time::{Duration, Instant};

use omnigo::color::Color;
use omnigo::engine::{AnalysisRequest, Choice, Engine, Guidance, Options, Status, Variety};
use omnigo::graph::spec::Spec;
use omnigo::net::Weights;
use omnigo::net::kernels::Kernel;
use omnigo::rules::{Points, RulesetText};
use omnigo::vertex::{Move, Vertex};

use super::SAMPLE;

fn options(playouts: u64) -> Options {
    Options {
        playouts: Some(playouts),
        resign_below: 0.0,
        ..Options::default()
    }
}

fn engine(spec: &str, rules: &str, options: Options) -> Engine {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let rules = rules.parse::<RulesetText>().unwrap().rules;
    Engine::new(goban, rules, Points::from_halves(1), options).unwrap()
}

fn set(engine: &mut Engine, position: &str) {
    let position: Vec<Option<Color>> = position.chars().map(Color::from_symbol).collect();
    engine.set_position(&position, None);
}

/// Lets the engine play against itself and checks that every move is legal.
fn game(engine: &mut Engine, most: usize) -> Vec<Choice> {
    let mut choices = Vec::new();
    for _ in 0..most {
        let color = engine.to_move();
        let before = engine.legal_moves(color);
        let choice = engine.genmove(color);
        choices.push(choice);
        match choice {
            Choice::Move(mv) => assert!(before.contains(&mv), "{mv:?} is illegal"),
            Choice::Resign => break,
        }
        if engine.is_over() {
            break;
        }
    }
    choices
}

#[test]
fn equal_seeds_give_equal_games() {
    for (spec, rules) in [
        ("grid:7", "cgos"),
        ("torus:5x5", "ggg"),
        ("petersen", "conway"),
    ] {
        let play = |seed| {
            let options = Options {
                seed,
                ..options(60)
            };
            game(&mut engine(spec, rules, options), 30)
        };
        let first = play(1);
        assert_eq!(play(1), first, "{spec}");
        assert!(
            (2..6).any(|seed| play(seed) != first),
            "{spec}: chance does not matter"
        );
    }
}

/// Results of the search have a part for the score, so they end at 0.98 in this game.
#[test]
fn a_game_won_by_half_a_point_has_a_win_rate_of_one() {
    let mut engine = engine("grid:6x3", "tromp-taylor", options(400));
    set(&mut engine, ".XXOO.XXXOOO.XXOO.");
    let request = AnalysisRequest::for_color(Color::WHITE);
    let mut white = 0.0;
    engine.analyze(&request, &mut |analysis, _| white = analysis.root().winrate);
    assert!(white > 0.99, "{white}");
}

/// KataGo keeps its tree for such changes too, and clients make them between analyses.
#[test]
fn changed_limits_keep_the_tree() {
    let mut engine = engine("grid:7", "cgos", options(200));
    let visits = |engine: &mut Engine| engine.think(engine.to_move()).result.visits;
    assert_eq!(visits(&mut engine), 200);
    let less = Options {
        visits: Some(1000),
        ..options(50)
    };
    engine.change_options(less.clone());
    assert_eq!(visits(&mut engine), 250);
    let seed = Options { seed: 2, ..less };
    engine.change_options(seed.clone());
    assert_eq!(visits(&mut engine), 50);
    // White's points for a handicap change.
    engine.change_options(Options {
        handicap_moves: false,
        ..seed
    });
    assert_eq!(visits(&mut engine), 50);
    engine.set_options(engine.options().clone());
    assert_eq!(visits(&mut engine), 50);
}

/// The leads of the visits in a kept tree are no longer known one by one.
#[test]
fn few_visits_after_many_hardly_change_win_rates() {
    let mut engine = engine("grid:9", "tromp-taylor", options(300));
    let mut before = engine.think(Color::BLACK).result.winrate;
    engine.change_options(options(1));
    for _ in 0..10 {
        let result = engine.think(Color::BLACK).result;
        // One visit of 300 has a weight of 1/300, and values have steps of 1/1000.
        assert!(
            (result.winrate - before).abs() < 0.006,
            "{before}, {result:?}"
        );
        before = result.winrate;
    }
}

/// White's kept visits have the negative of Black's lead. Black owns the left half and more.
#[test]
fn a_reply_has_the_win_rate_of_the_move_before() {
    let mut engine = engine("grid:6x3", "tromp-taylor", options(600));
    set(&mut engine, ".XX.O.XXXXOOXXX.O.");
    let first = engine.think(Color::BLACK);
    let best = first.result.candidates[0];
    engine.play(Color::BLACK, best.mv).unwrap();
    engine.change_options(options(1));
    let reply = engine.think(Color::WHITE).result;
    assert!(reply.visits > 200, "{reply:?}");
    let apart = reply.winrate + best.winrate - 1.0;
    assert!(apart.abs() < 0.006, "{apart}: {best:?}, {reply:?}");
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut engine = engine("grid:5", "tromp-taylor", options(400));
    let first = engine.think(Color::BLACK);
    assert_eq!(first.result.visits, 400);
    let Choice::Move(best) = first.choice else {
        panic!("no move")
    };
    engine.play(Color::BLACK, best).unwrap();
    assert!(
        engine.think(Color::WHITE).result.visits > 400,
        "the reply begins with what was known"
    );
    engine.clear_board();
    assert_eq!(
        engine.think(Color::BLACK).result.visits,
        400,
        "a new game begins with nothing"
    );
}

#[test]
fn threads_share_one_playout_limit() {
    let options = Options {
        threads: 2,
        ..options(2000)
    };
    let decision = engine("grid:9", "tromp-taylor", options).think(Color::BLACK);
    assert_eq!(decision.result.visits, 2000);
    assert!(
        decision
            .result
            .candidates
            .iter()
            .map(|c| c.visits)
            .sum::<u32>()
            <= 2000
    );
}

/// While one thread expands the root, the root has no children for the others. That must not end
/// the search.
#[test]
fn searches_of_several_threads_do_not_end_with_the_first_playout() {
    let options = Options {
        threads: 4,
        ..options(16)
    };
    let mut engine = engine("grid:19", "tromp-taylor", options);
    for number in 0..300 {
        engine.clear_board();
        let visits = engine.think(Color::BLACK).result.visits;
        assert!(visits >= 16, "search {number}: {visits} visits");
    }
}

#[test]
fn the_engine_moves_with_little_memory() {
    let options = Options {
        memory_mib: 1,
        ..options(30_000)
    };
    let mut engine = engine("grid:9", "tromp-taylor", options);
    assert!(matches!(
        engine.genmove(Color::BLACK),
        Choice::Move(Move::Place(_))
    ));
}

/// Two walls with two eyes each. No useful move is left.
const SETTLED: &str = ".X.XO\nXXXXO\nOOOOO\nO.O.O\nOOOOO";

#[test]
fn passes_if_no_useful_move_is_left() {
    for rules in ["tromp-taylor", "chinese", "chinese score=territory", "ggg"] {
        let mut engine = engine("grid:5", rules, options(500));
        set(&mut engine, &SETTLED.replace('\n', ""));
        assert_eq!(
            engine.genmove(Color::BLACK),
            Choice::Move(Move::Pass),
            "{rules}"
        );
        assert_eq!(
            engine.genmove(Color::WHITE),
            Choice::Move(Move::Pass),
            "{rules}"
        );
    }
}

#[test]
fn captures_dead_stones_without_agreement() {
    // Black is alive everywhere, and one white stone is dead. While it stands, White wins by komi.
    let position = "X.X.X\nXXXXX\nX...X\nX.O.X\nXXXXX";
    let mut counting = engine("grid:5", "tromp-taylor komi=0", options(800));
    set(&mut counting, &position.replace('\n', ""));
    counting.set_komi(Points::whole(22));
    assert_ne!(counting.choose(Color::BLACK), Choice::Move(Move::Pass));
    counting.play(Color::WHITE, Move::Pass).unwrap();
    assert_ne!(
        counting.choose(Color::BLACK),
        Choice::Move(Move::Pass),
        "a pass would lose"
    );
}

/// Returns the turn in which the engine resigns as Black, from 1 to `most`, if White replies like
/// this to its legal moves.
fn turns_until_resigning(
    engine: &mut Engine,
    most: usize,
    reply: impl Fn(&[Move]) -> Option<Move>,
) -> Option<usize> {
    (1..=most).find(|_| {
        let resigned = engine.genmove(Color::BLACK) == Choice::Resign;
        let reply = reply(&engine.legal_moves(Color::WHITE)).unwrap();
        engine.play(Color::WHITE, reply).unwrap();
        resigned
    })
}

#[test]
fn resigns_after_three_hopeless_turns_on_a_filling_board() {
    for (resign_below, turns) in [(0.05, Some(6)), (0.0, None)] {
        let options = Options {
            resign_below,
            ..options(300)
        };
        // From the fourth turn on, a fifth of the 25 points is filled.
        let mut engine = engine("grid:5", "tromp-taylor", options);
        engine.set_komi(Points::whole(100));
        let found = turns_until_resigning(&mut engine, 7, |legal| legal.first().copied());
        assert_eq!(found, turns);
        // Resigning also works without scoring: White can pass until Black has filled everything.
        let rules = "conway-prisoners black-passes=0 white-passes=60";
        let mut engine = self::engine("grid:6", rules, engine.options().clone());
        let found = turns_until_resigning(&mut engine, 20, |_| Some(Move::Pass));
        assert_eq!(found.is_some(), turns.is_some());
    }
}

/// A captured stone buys a pass under `conway-prisoners` and nothing under `conway`. Playouts must
/// respect this.
#[test]
fn last_mover_playouts_pass_if_they_can_pay() {
    let chance = |rules| {
        let decision = engine("grid:7", rules, options(60)).think(Color::BLACK);
        decision.result.best().unwrap().value
    };
    assert_ne!(chance("conway"), chance("conway-prisoners"));
}

#[test]
fn last_mover_games_are_played_to_the_end() {
    for (spec, winner) in [
        ("path:1", "W+"),
        ("path:2", "W+"),
        ("path:3", "B+"),
        ("path:4", "B+"),
        ("cycle:4", "B+"),
    ] {
        let mut engine = engine(spec, "conway", options(1000));
        let choices = game(&mut engine, 200);
        assert!(!choices.contains(&Choice::Move(Move::Pass)), "{spec}");
        assert_eq!(engine.outcome().unwrap().to_string(), winner, "{spec}");
        assert_eq!(
            engine.genmove(engine.to_move()),
            Choice::Resign,
            "{spec}: stuck"
        );
    }
}

/// White's chain has two eyes; Black's has territory but no eyes. Without passes, White wins by
/// playing in the middle of the territory, and Black by dividing it there. Every other move loses,
/// as `omnigo solve --moves` proves.
const TERRITORY: &str = "...\nXXX\nOOO\n.O.";

/// The position in General Graph Go's commentary on its rules without passes: Black is ahead on
/// points, but loses.
const SEED: &str = ".....\nXXXXX\nOXXXX\nOOOOO\n.O.O.";

/// Sets up a position that is written from the top row down.
fn set_rows(engine: &mut Engine, rows: &str, to_move: Color) {
    let rows: Vec<&str> = rows.lines().rev().collect();
    let position: Vec<Option<Color>> = rows.concat().chars().map(Color::from_symbol).collect();
    engine.set_position(&position, Some(to_move));
}

#[test]
fn without_passes_large_territory_is_invaded_or_divided() {
    for seed in 1..=4 {
        let options = Options {
            seed,
            ..options(500)
        };
        let mut engine = engine("grid:3x4", "conway", options);
        for color in [Color::BLACK, Color::WHITE] {
            set_rows(&mut engine, TERRITORY, color);
            assert!(engine.legal_moves(color).len() > 2);
            let middle = Move::Place(Vertex::at(10));
            assert_eq!(
                engine.choose(color),
                Choice::Move(middle),
                "{color}, seed {seed}"
            );
        }
    }
}

#[test]
fn white_wins_the_commentary_position_moving_first_or_second() {
    for first in [Color::BLACK, Color::WHITE] {
        let mut engine = engine("grid:5", "conway", options(400));
        set_rows(&mut engine, SEED, first);
        let Choice::Move(Move::Place(opening)) = engine.choose(first) else {
            panic!("no placement");
        };
        assert!(
            (20..25).contains(&opening.index()),
            "{first} plays at {opening:?}"
        );
        game(&mut engine, 400);
        assert_eq!(engine.outcome().unwrap().to_string(), "W+", "{first} first");
    }
}

/// Returns the first moves of three consecutive games.
fn openings(variety: Variety, seed: u64) -> Vec<Vec<Choice>> {
    let options = Options {
        seed,
        variety,
        ..options(80)
    };
    let mut engine = engine("torus:5x5", "cgos", options);
    let mut games = Vec::new();
    for _ in 0..3 {
        engine.clear_board();
        games.push(game(&mut engine, 6));
    }
    games
}

#[test]
fn temperature_varies_openings_and_a_seed_repeats_them() {
    let hot = Variety {
        temperature: 2.0,
        moves: Some(3),
        ..Variety::default()
    };
    let games = openings(hot, 5);
    assert_eq!(games, openings(hot, 5), "one seed, the same games");
    assert_ne!(games, openings(hot, 6));
    assert!(
        games[0] != games[1] || games[1] != games[2],
        "games of one session differ"
    );
    let plain = openings(Variety::default(), 5);
    assert!(plain[0] == plain[1] && plain[1] == plain[2]);
    let never = Variety {
        temperature: 2.0,
        moves: Some(0),
        ..Variety::default()
    };
    assert_eq!(plain, openings(never, 5), "no moves, nothing drawn");
    let cold = Variety {
        temperature: 0.0,
        moves: Some(100),
        ..Variety::default()
    };
    assert_eq!(plain, openings(cold, 5));
}

#[test]
fn dynamic_komi_compensates_a_handicap_early() {
    // Compare White's win probability with and without dynamic komi, with four handicap stones on
    // the board.
    for spec in ["grid:9", "torus:8x8"] {
        let mean = |dynamic_komi: bool, played: usize| {
            let options = Options {
                dynamic_komi,
                ..options(200)
            };
            let mut engine = engine(spec, "cgos", options);
            let mut position = engine.position();
            for at in [20, 24, 48, 52] {
                position[at] = Some(Color::BLACK);
            }
            engine.set_handicap(&position, 4);
            for _ in 0..played {
                let color = engine.to_move();
                let mv = engine.legal_moves(color)[0];
                engine.play(color, mv).unwrap();
            }
            engine.think(Color::WHITE).result.value
        };
        let (with, without) = (mean(true, 0), mean(false, 0));
        assert!(
            without < 0.25 && with > without + 0.15,
            "{spec}: {with} {without}"
        );
        // In the second half of the game, the dynamic komi is zero.
        let late = engine(spec, "cgos", options(1)).position().len() / 2;
        assert_eq!(mean(true, late), mean(false, late), "{spec}");
    }
}

#[test]
fn dynamic_komi_has_no_effect_without_handicap() {
    let play = |dynamic_komi| {
        let options = Options {
            dynamic_komi,
            ..options(60)
        };
        game(&mut engine("grid:5", "cgos", options), 8)
    };
    assert_eq!(play(true), play(false));
}

/// Returns an `edges:` spec of the rectangle.
fn edges(width: usize, height: usize) -> String {
    let mut edges = Vec::new();
    for at in 0..width * height {
        if at % width + 1 < width {
            edges.push(format!("{}-{}", at, at + 1));
        }
        if at / width + 1 < height {
            edges.push(format!("{}-{}", at, at + width));
        }
    }
    format!("edges:{}", edges.join(","))
}

#[test]
fn a_grid_edge_by_edge_is_played_as_the_grid_is() {
    for (width, height, moves) in [(9, 9, 14), (5, 4, 30), (7, 3, 30)] {
        let play = |spec: &str| game(&mut engine(spec, "cgos", options(60)), moves);
        let as_grid = play(&format!("grid:{width}x{height}"));
        assert_eq!(as_grid, play(&edges(width, height)), "{width}x{height}");
        assert!(as_grid.len() > 10);
    }
}

/// Boards on which playouts are slow.
const SLOW: [&str; 3] = ["gnp:4000,0.001", "randomtree:2000", "thinned:100x100,1"];

#[test]
fn judging_dead_stones_takes_at_most_two_seconds() {
    for spec in SLOW {
        let mut engine = engine(spec, "japanese", options(1));
        engine
            .play(Color::BLACK, Move::Place(Vertex::at(0)))
            .unwrap();
        let start = Instant::now();
        engine.chains_with_status(Status::Dead);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(2), "{spec}: {took:?}");
    }
    // One judgment gives all statuses.
    let mut engine = engine("space:(grid:19),edges,pairs", "tromp-taylor", options(1));
    engine
        .play(Color::BLACK, Move::Place(Vertex::at(0)))
        .unwrap();
    let start = Instant::now();
    assert_eq!(engine.judged_chains().len(), 1);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn samples_of_ownership_leave_time_for_the_search() {
    // Under this ruleset, separate playouts show who owns the points.
    let mut engine = engine(SLOW[0], "famine", Options::default());
    let request = AnalysisRequest {
        playouts: Some(1_000_000),
        seconds: Some(1.0),
        ownership: true,
        ..AnalysisRequest::for_color(Color::BLACK)
    };
    let mut visits = 0;
    engine.analyze(&request, &mut |analysis, _| visits = analysis.result.visits);
    assert!(visits > 1, "{visits}");
}

#[test]
fn the_reply_to_a_pass_respects_the_clock() {
    replies_in_time("tromp-taylor", |engine| {
        engine.genmove(Color::BLACK);
    });
}

#[test]
fn cleaning_up_respects_the_clock() {
    replies_in_time("japanese", |engine| {
        engine.genmove_cleanup(&AnalysisRequest::for_color(Color::BLACK), &mut |_, _| {});
    });
}

/// Checks on slow boards that Black's reply to a pass takes no longer than one second a move.
fn replies_in_time(rules: &str, reply: impl Fn(&mut Engine)) {
    for spec in SLOW {
        let mut engine = engine(spec, rules, Options::default());
        engine.time_settings(0.0, 1.0, 1);
        engine.genmove(Color::BLACK);
        engine.play(Color::WHITE, Move::Pass).unwrap();
        let start = Instant::now();
        reply(&mut engine);
        let took = start.elapsed();
        // The limit is one second. The rest allows for a busy machine.
        assert!(took < Duration::from_millis(1800), "{spec}: {took:?}");
    }
}

/// Black has four groups and White has two, so group tax costs Black four points more. White wins
/// by one point.
#[test]
fn playouts_pay_the_group_tax() {
    let mut engine = engine("grid:7", "stone-scoring", options(300));
    engine.set_komi(Points::whole(6));
    set(
        &mut engine,
        ".X.XXXXXXXXXXXOOOOOOO.OO.OOOOOOOOOOXXXXXXX.X.XXXX",
    );
    assert_eq!(engine.outcome().unwrap().to_string(), "W+1");
    let mut white = 0.0;
    let request = AnalysisRequest::for_color(Color::WHITE);
    engine.analyze(&request, &mut |analysis, _| white = analysis.root().winrate);
    assert!(white > 0.8, "{white}");
}

/// A search keeps the tree of an analysis. With noise, its visits do not tell the best move.
#[test]
fn trees_of_analyses_with_noise_choose_no_move() {
    let visits = |noise: f64| {
        let network = Weights::read(SAMPLE.as_ref()).unwrap();
        let mut guidance = Guidance::new(network, Kernel::Portable, true);
        guidance.parameters.analysis_wide_root_noise = noise;
        let options = Options {
            guidance: Some(guidance),
            threads: 1,
            ..options(40)
        };
        let mut engine = engine("grid:5", "chinese", options);
        let color = engine.to_move();
        let request = AnalysisRequest::for_color(color);
        let mut analyzed = Vec::new();
        for _ in 0..2 {
            engine.analyze(&request, &mut |analysis, _| {
                analyzed.push(analysis.root().visits)
            });
        }
        (analyzed, engine.think(color).result.visits)
    };
    assert_eq!(visits(0.0), (vec![40, 80], 120));
    assert_eq!(visits(0.5), (vec![40, 80], 40));
}
