//! Komi of a match: the same number in all games, or in each pair of games the one that makes its opening even.
//!
//! On most graphs nobody knows what the first move is worth. Where komi is far off, whoever has the better side wins, both
//! games of each pair are shared, and the match says nothing about the engines. How much that is depends on who plays: playouts
//! that choose at random make less of the first move, above all where vertices have many neighbors.

use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::engine::{Engine, Inquiry, Options};
use crate::playout::Style;
use crate::rules::{Points, Scoring};

/// What `--komi` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Komi {
    /// The same in every game.
    Fixed(Points),
    /// What our own search makes of each opening, with playouts of this style.
    Even(Style),
}

/// Playouts of each look at an opening. They are what makes it the same on every machine, so no clock ends them.
const PLAYOUTS: u64 = 1000;
/// Looks: the first is one without komi, and who is far ahead plays for no points.
const LOOKS: usize = 3;

impl Komi {
    /// Komi of the game that has just been opened on the referee's board. Even komi ends in a half, so that nobody ties.
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

    /// Whether games under these rules have such a komi.
    pub(super) fn fits(self, scoring: Scoring) -> bool {
        match (self, scoring) {
            (Komi::Fixed(_), _) => true,
            (Komi::Even(_), Scoring::Area | Scoring::Territory | Scoring::Stones) => true,
            (Komi::Even(_), Scoring::None) => false,
        }
    }
}

/// The komi, ending in a half, that leaves the player to move nothing to be ahead by.
fn even(referee: &mut Engine) -> Points {
    let color = referee.to_move();
    let inquiry = Inquiry {
        playouts: Some(PLAYOUTS),
        ..Inquiry::about(color)
    };
    let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
    let mut komi = 0.0;
    for _ in 0..LOOKS {
        referee.set_komi(halved(komi));
        let mut lead = 0.0;
        referee.analyze(&inquiry, &mut |analysis, _| lead = analysis.root().lead);
        komi = referee.komi().halves() as f64 / 2.0 + sign * lead;
    }
    halved(komi)
}

/// The nearest number of points that ends in a half.
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
            _ => Err("expected a number of points in halves, even or even:light"),
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
    fn even_komi_is_what_the_board_is_worth() {
        // All of 3x3 is Black's after a stone in the middle.
        let mut small = referee("grid:3");
        small
            .play(Color::BLACK, Move::Place(Vertex::at(4)))
            .unwrap();
        let komi = Komi::Even(Style::Tactical).of(&mut small).halves();
        assert!((11..=19).contains(&komi), "{komi}");
        // White's first move turns it around.
        let mut small = referee("grid:3");
        small.play(Color::BLACK, Move::Pass).unwrap();
        small
            .play(Color::WHITE, Move::Place(Vertex::at(4)))
            .unwrap();
        let komi = Komi::Even(Style::Tactical).of(&mut small).halves();
        assert!((-19..=-11).contains(&komi), "{komi}");
        // The same again, and never a whole number.
        let mut torus = [referee("torus:7x7"), referee("torus:7x7")];
        let [one, other] = torus
            .each_mut()
            .map(|board| Komi::Even(Style::Tactical).of(board));
        assert_eq!(one, other);
        assert_eq!(one.halves().rem_euclid(2), 1);
    }

    #[test]
    fn light_playouts_make_less_of_the_first_move() {
        let komi = |style| Komi::Even(style).of(&mut referee("grid3d:4x4x4")).halves();
        assert!(komi(Style::Light) < komi(Style::Tactical));
        // The referee thinks as before.
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
