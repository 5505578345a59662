//! Differences in strength that a network of KataGo is told.

use omnigo::color::Color;
use omnigo::engine::{AnalysisRequest, Engine, Guidance, Options, Parameter};
use omnigo::graph::spec::Spec;
use omnigo::net::Weights;
use omnigo::net::kernels::Kernel;
use omnigo::rules::{Points, RulesetText};

use super::SAMPLE;

/// Number of playouts of a search.
const PLAYOUTS: u64 = 40;
/// Setting for handicap games.
const DYNAMIC: &str = "dynamicPlayoutDoublingAdvantageCapPerOppLead";
/// That setting with KataGo's default.
const HANDICAP: &[(&str, &str)] = &[(DYNAMIC, "0.045")];

/// Returns an engine on 9×9 with komi 0.5, with Black to move.
fn engine(settings: &[(&str, &str)]) -> Engine {
    let goban = "grid:9".parse::<Spec>().unwrap().build().unwrap();
    let rules = "japanese".parse::<RulesetText>().unwrap().rules;
    let network = Weights::read(SAMPLE.as_ref()).unwrap();
    let mut guidance = Guidance::new(network, Kernel::Portable, true);
    for (name, value) in settings {
        let parameter = Parameter::find(name).unwrap();
        parameter.set(&mut guidance.parameters, value).unwrap();
    }
    let options = Options {
        playouts: Some(PLAYOUTS),
        guidance: Some(guidance),
        ..Options::default()
    };
    Engine::new(goban, rules, Points::from_halves(1), options).unwrap()
}

/// Returns the win probability of the player to move in an analysis.
fn analyzed(engine: &mut Engine) -> f64 {
    let request = AnalysisRequest::for_color(engine.to_move());
    let mut found = 0.0;
    engine.analyze(&request, &mut |analysis, _| found = analysis.root().winrate);
    found
}

/// Returns the mean result of the player to move in a search that chooses a move.
fn chosen(engine: &mut Engine) -> f64 {
    engine.think(engine.to_move()).result.value
}

fn advantage<'a>(doublings: &'a str, player: &'a str) -> [(&'a str, &'a str); 2] {
    [
        ("playoutDoublingAdvantage", doublings),
        ("playoutDoublingAdvantagePla", player),
    ]
}

#[test]
fn the_advantage_is_that_of_a_color_or_of_the_player_to_move() {
    let even = [
        analyzed(&mut engine(&[])),
        analyzed(&mut engine(&advantage("0", "WHITE"))),
    ];
    assert_eq!(even[0], even[1]);
    // Equal differences give equal searches.
    let ahead = ["1.5 empty", "1.5 BLACK", "-1.5 w"].map(|text| {
        let (doublings, player) = text.split_once(' ').unwrap();
        let mut engine = engine(&advantage(doublings, player));
        let raw = engine.raw_output(0, None).unwrap().output.win;
        (analyzed(&mut engine), chosen(&mut engine), raw)
    });
    assert_eq!(ahead[0], ahead[1]);
    assert_eq!(ahead[0], ahead[2]);
    let raw = engine(&[]).raw_output(0, None).unwrap().output.win;
    assert_ne!(ahead[0].0, even[0]);
    assert_ne!(ahead[0].2, raw);
    let behind = analyzed(&mut engine(&advantage("-1.5", "B")));
    assert_ne!(behind, even[0]);
    assert_ne!(behind, ahead[0].0);
}

/// With komi 0.5 on 9×9, White is behind, so a move is chosen as if White were stronger.
#[test]
fn handicap_games_may_have_an_advantage_except_in_analyses() {
    assert_eq!(analyzed(&mut engine(HANDICAP)), analyzed(&mut engine(&[])));
    // The limit is 0.625: `estimate/advantage.rs` has the formula.
    let found = chosen(&mut engine(HANDICAP));
    assert_eq!(found, chosen(&mut engine(&advantage("0.625", "WHITE"))));
    assert_ne!(found, chosen(&mut engine(&[])));
    // A fixed difference counts before that of handicap games.
    let fixed = ("playoutDoublingAdvantage", "-1");
    let both = [fixed, (DYNAMIC, "0.3")];
    assert_eq!(chosen(&mut engine(&[fixed])), chosen(&mut engine(&both)));
}

/// Evaluations with different advantages must not mix in one tree.
#[test]
fn a_tree_is_kept_only_for_the_same_difference() {
    let visits = |settings: &[(&str, &str)]| {
        let mut engine = engine(settings);
        let color = engine.to_move();
        analyzed(&mut engine);
        u64::from(engine.think(color).result.visits)
    };
    assert_eq!(visits(&[]), 2 * PLAYOUTS);
    assert_eq!(visits(HANDICAP), PLAYOUTS);
    assert_eq!(visits(&advantage("1", "EMPTY")), 2 * PLAYOUTS);
    // Two analyses in a row work for different players.
    let next = |player| {
        let mut engine = engine(&advantage("1", player));
        analyzed(&mut engine);
        let request = AnalysisRequest::for_color(Color::BLACK);
        let mut best = None;
        engine.analyze(&request, &mut |analysis, _| {
            best = Some(analysis.moves(1, 1)[0].mv);
        });
        engine.play(Color::BLACK, best.unwrap()).unwrap();
        let mut found = 0;
        let request = AnalysisRequest::for_color(Color::WHITE);
        engine.analyze(&request, &mut |analysis, _| found = analysis.root().visits);
        u64::from(found) > PLAYOUTS
    };
    assert!(!next("EMPTY"));
    assert!(next("BLACK"));
}
