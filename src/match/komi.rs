//! Komi of a match: one number for all games, or a fair komi for each opening.
//!
//! On most graphs the value of the first move is unknown. With a very wrong komi, the better side
//! wins every game. Each pair of games is then split, and the match gives no information about the
//! engines. The fair komi depends on the players. Random playouts value the first move less,
//! especially on graphs of high degree.

use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::engine::{AnalysisRequest, Engine, Options};
use crate::playout::Style;
use crate::rules::{Points, Scoring};

/// Value of the option `--komi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Komi {
    /// One komi for all games.
    Fixed(Points),
    /// Komi that our own search estimates as fair for each opening, with playouts of this style.
    Even(Style),
}

/// Number of playouts per estimate. No clock limits them, so the komi is the same on every machine.
const PLAYOUTS: u64 = 1000;
/// Number of estimates, each with the komi of the one before. The first uses a komi of 0.5, and a
/// search that is far ahead does not maximize points.
const LOOKS: usize = 3;

impl Komi {
    /// Returns the komi of the game whose opening is on the referee's board. Even komi has a half
    /// point, so no game is tied.
    pub(super) fn of(self, referee: &mut Engine) -> Points {
        match self {
            Komi::Fixed(points) => points,
            Komi::Even(style) => {
                let options = referee.options().clone();
                referee.set_options(Options {
                    style,
                    ..options.clone()
                });
                let komi = even(referee);
                referee.set_options(options);
                komi
            }
        }
    }

    /// Returns true if this komi can be used with these rules.
    pub(super) fn fits(self, scoring: Scoring) -> bool {
        match (self, scoring) {
            (Komi::Fixed(_), _) => true,
            (Komi::Even(_), Scoring::Area | Scoring::Territory | Scoring::Stones) => true,
            (Komi::Even(_), Scoring::None) => false,
        }
    }
}

/// Returns the fair komi for the current position, with a half point: neither player has a score
/// lead.
fn even(referee: &mut Engine) -> Points {
    let color = referee.to_move();
    let analysis_request = AnalysisRequest {
        playouts: Some(PLAYOUTS),
        ..AnalysisRequest::for_color(color)
    };
    let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
    let mut komi = 0.0;
    for _ in 0..LOOKS {
        referee.set_komi(halved(komi));
        let mut lead = 0.0;
        referee.analyze(&analysis_request, &mut |analysis, _| {
            lead = analysis.root().lead
        });
        komi = referee.komi().halves() as f64 / 2.0 + sign * lead;
    }
    halved(komi)
}

/// Rounds to a number of points with a half.
fn halved(points: f64) -> Points {
    Points::from_halves(2 * points.floor() as i64 + 1)
}

impl FromStr for Komi {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Komi, Self::Err> {
        match text {
            "even" => return Ok(Komi::Even(Style::Tactical)),
            "even:light" => return Ok(Komi::Even(Style::Light)),
            _ => {}
        }
        let value: Option<f64> = text.parse().ok();
        match value.and_then(Points::round_from) {
            Some((komi, false)) => Ok(Komi::Fixed(komi)),
            _ => {
                Err("expected points from -1000000 to 1000000 in steps of 0.5, even or even:light")
            }
        }
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Komi::Fixed(points) => points.fmt(f),
            Komi::Even(Style::Tactical) => f.write_str("even"),
            Komi::Even(Style::Light) => f.write_str("even:light"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::rules::presets;
    use crate::vertex::{Move, Vertex};

    fn referee(spec: &str) -> Engine {
        let goban = spec.parse::<crate::graph::spec::Spec>().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let options = Options {
            memory_mib: 16,
            threads: 1,
            ..Options::default()
        };
        Engine::new(goban.build().unwrap(), rules, Points::ZERO, options).unwrap()
    }

    #[test]
    fn even_komi_equals_the_expected_lead() {
        // After a stone in the middle, Black owns all of 3x3.
        let mut small = referee("grid:3");
        small
            .play(Color::BLACK, Move::Place(Vertex::at(4)))
            .unwrap();
        let komi = Komi::Even(Style::Tactical).of(&mut small).halves();
        assert!((11..=19).contains(&komi), "{komi}");
        // With White's stone first, White owns everything.
        let mut small = referee("grid:3");
        small.play(Color::BLACK, Move::Pass).unwrap();
        small
            .play(Color::WHITE, Move::Place(Vertex::at(4)))
            .unwrap();
        let komi = Komi::Even(Style::Tactical).of(&mut small).halves();
        assert!((-19..=-11).contains(&komi), "{komi}");
        // The result is reproducible and never an integer.
        let mut torus = [referee("torus:7x7"), referee("torus:7x7")];
        let [one, other] = torus
            .each_mut()
            .map(|board| Komi::Even(Style::Tactical).of(board));
        assert_eq!(one, other);
        assert_eq!(one.halves().rem_euclid(2), 1);
    }

    #[test]
    fn light_playouts_value_the_first_move_less() {
        let komi = |style| Komi::Even(style).of(&mut referee("grid3d:4x4x4")).halves();
        assert!(komi(Style::Light) < komi(Style::Tactical));
        // The referee's own settings are unchanged.
        let mut referee = referee("grid:3");
        Komi::Even(Style::Light).of(&mut referee);
        assert_eq!(referee.options().style, Style::Tactical);
    }

    #[test]
    fn komi_is_a_number_or_even() {
        for text in ["even", "even:light"] {
            let komi: Komi = text.parse().unwrap();
            assert!(matches!(komi, Komi::Even(_)) && komi.to_string() == text);
            assert!(!komi.fits(Scoring::None));
        }
        assert_eq!("-6.5".parse(), Ok(Komi::Fixed(Points::from_halves(-13))));
        for text in ["", "fair", "even:", "even:heavy", "6.3", "nan", "1e99"] {
            assert!(text.parse::<Komi>().is_err(), "{text}");
        }
    }
}
