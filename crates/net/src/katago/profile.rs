//! Profiles of players, for networks that imitate people, and the inputs of their encoder.
//!
//! These networks learned from games with the ranks of both players, the time system, the date, and
//! the source. A profile fills these facts in. Names and values are those of KataGo.

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use omnigo_base::color::Color;
use omnigo_base::text::quote;

/// Number of facts about the players and their game.
pub const FACTS: usize = 192;

// Numbers of the facts. Of each pair, the first is that of the player to move.
const HUMAN: usize = 0;
/// Own rank; that of the opponent follows. The number of ones is the number of the rank.
const RANK: usize = 6;
const RANK_LENGTH: usize = 34;
const UNRATED: usize = RANK + 2 * RANK_LENGTH;
const UNKNOWN_TIME: usize = 75;
const BYO_YOMI: usize = 79;
const MAIN_TIME: usize = 82;
const PERIOD_TIME: usize = 83;
const PERIODS: usize = 84;
const CANADIAN_MOVES: usize = 85;
const AREA: usize = 86;
/// Cosine and sine of the date for each of the [`CYCLES`].
const DATE: usize = 87;
const SOURCE: usize = DATE + 2 * CYCLES;

/// Number of cycles that show the date.
const CYCLES: usize = 32;
/// Days of the shortest cycle.
const SHORTEST: f64 = 7.0;
/// Quotient of the longest and the shortest cycle.
const CYCLE_SPAN: f64 = 80_000.0;

// Sources of games.
const KGS: usize = 2;
const GOGOD: usize = 5;
const GO4GO: usize = 6;

/// Number of dan ranks. The kyu ranks follow them.
const DANS: u8 = 9;
/// Number of the weakest rank: 20 kyu.
const MOST_RANK: u8 = 29;
/// Days from 1 January 1970 to 1 September 2016, before people learned from programs.
const BEFORE: i32 = 17_045;
/// Days from 1 January 1970 to 1 March 2020.
const AFTER: i32 = 18_322;
/// First and last year of a profile of professionals.
const YEARS: [u16; 2] = [1800, 2023];
/// Last year whose professional games come from the collection GoGoD.
const GOGOD_UNTIL: u16 = 2020;

/// Amateur rank. 9 dan is 1, 1 dan is 9, 1 kyu is 10, and 20 kyu is 29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rank(u8);

impl Rank {
    /// Reads a rank such as `5k`.
    fn read(text: &str) -> Option<Rank> {
        (1..=MOST_RANK)
            .map(Rank)
            .find(|rank| rank.to_string() == text)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.checked_sub(DANS) {
            None | Some(0) => write!(f, "{}d", DANS + 1 - self.0),
            Some(kyu) => write!(f, "{kyu}k"),
        }
    }
}

/// Players whom a network imitates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Amateurs.
    Amateurs {
        /// True if they play as people did before they learned from programs.
        before: bool,
        /// Ranks of Black and of White.
        ranks: [Rank; 2],
    },
    /// Professionals of a year.
    Professionals(u16),
}

/// Profile of the players whom a network imitates.
///
/// ```
/// use omnigo_net::katago::Profile;
///
/// let profile: Profile = "preaz_3d_12k".parse().unwrap();
/// assert_eq!(profile.to_string(), "preaz_3d_12k");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile(Kind);

/// Error: the text is not the name of a profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "profile '{0}', expected rank_RANK or preaz_RANK with one or two ranks from 20k to 9d, or \
     proyear_YEAR from 1800 to 2023"
)]
pub struct ParseProfileError(String);

/// Error: a profile and a network do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The network needs a profile.
    #[error("a human-style network needs --human-profile, such as rank_5k")]
    Missing,
    /// The network has no encoder of profiles.
    #[error("--human-profile needs --net with a human-style network, which imitates players")]
    Unused,
}

impl Profile {
    /// Returns true if a name stands for no profile, as an empty name and `_` do in KataGo.
    pub fn is_no_profile(name: &str) -> bool {
        matches!(name, "" | "_")
    }
}

impl FromStr for Profile {
    type Err = ParseProfileError;

    fn from_str(text: &str) -> Result<Profile, ParseProfileError> {
        let kind = match text.split_once('_') {
            Some(("proyear", year)) => {
                let [first, last] = YEARS;
                let mut years = first..=last;
                let year = years.find(|known| known.to_string() == year);
                year.map(Kind::Professionals)
            }
            Some((start @ ("rank" | "preaz"), ranks)) => {
                let (black, white) = ranks.split_once('_').unwrap_or((ranks, ranks));
                let ranks = Rank::read(black).zip(Rank::read(white));
                ranks.map(|(black, white)| Kind::Amateurs {
                    before: start == "preaz",
                    ranks: [black, white],
                })
            }
            _ => None,
        };
        kind.map(Profile)
            .ok_or_else(|| ParseProfileError(quote(text)))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Professionals(year) => write!(f, "proyear_{year}"),
            Kind::Amateurs { before, ranks } => {
                let [black, white] = ranks;
                write!(f, "{}_{black}", if before { "preaz" } else { "rank" })?;
                match black == white {
                    true => Ok(()),
                    false => write!(f, "_{white}"),
                }
            }
        }
    }
}

impl Profile {
    /// Profile for measurements of speed, where the players do not matter.
    pub const ANY: Profile = Profile(Kind::Amateurs {
        before: false,
        ranks: [Rank(DANS); 2],
    });

    /// Returns the inputs of the encoder for a position with `to_move` to move, on a board of
    /// `points` points, 192 numbers.
    pub fn facts(&self, to_move: Color, points: usize) -> Vec<f32> {
        let mut facts = vec![0.0; FACTS];
        let (mut ranks, days, source) = match self.0 {
            Kind::Amateurs { before, ranks } => (ranks, if before { BEFORE } else { AFTER }, KGS),
            Kind::Professionals(year) => {
                let source = if year <= GOGOD_UNTIL { GOGOD } else { GO4GO };
                ([Rank(1); 2], first_of_june(year), source)
            }
        };
        if to_move == Color::WHITE {
            ranks.reverse();
        }
        for (number, rank) in ranks.into_iter().enumerate() {
            facts[HUMAN + number] = 1.0;
            let ones = &mut facts[RANK + number * RANK_LENGTH..][..usize::from(rank.0)];
            ones.fill(1.0);
        }
        // Seconds of main time and of a period, and the number of periods.
        let (main, period, periods) = match self.0 {
            Kind::Amateurs { .. } => {
                // It is unknown whether the game was rated.
                facts[UNRATED] = 0.5;
                facts[BYO_YOMI] = 1.0;
                (1200.0, 30.0, 5.0)
            }
            Kind::Professionals(_) => {
                facts[UNKNOWN_TIME] = 1.0;
                (0.0, 0.0, 0.0)
            }
        };
        let logarithm = |number: f64, middle: f64, factor: f64| factor * (number.ln() - middle);
        facts[MAIN_TIME] = logarithm(main + 60.0, 6.5, 0.4) as f32;
        facts[PERIOD_TIME] = logarithm(period + 1.0, 3.0, 0.3) as f32;
        facts[PERIODS] = logarithm(periods + 2.0, 1.5, 0.5) as f32;
        facts[CANADIAN_MOVES] = logarithm(2.0, 1.5, 0.25) as f32;
        facts[AREA] = logarithm(points as f64 / 361.0, 0.0, 0.5) as f32;
        let growth = CYCLE_SPAN.powf(1.0 / (CYCLES - 1) as f64);
        let mut cycle = SHORTEST;
        for pair in facts[DATE..SOURCE].chunks_exact_mut(2) {
            let angle = f64::from(days) / cycle * TAU;
            pair.copy_from_slice(&[angle.cos() as f32, angle.sin() as f32]);
            cycle *= growth;
        }
        facts[SOURCE + source] = 1.0;
        facts
    }
}

/// Returns the days from 1 January 1970 to 1 June of a year. Earlier dates are negative.
fn first_of_june(year: u16) -> i32 {
    // In June, the leap day of the year itself has passed.
    let leap_days = |year: i32| year / 4 - year / 100 + year / 400;
    let year = i32::from(year);
    365 * (year - 1970) + leap_days(year) - leap_days(1970) + 151
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> Profile {
        text.parse().unwrap()
    }

    fn assert_near(found: f32, expected: f32, what: &str) {
        assert!(
            (found - expected).abs() < 1e-5,
            "{what}: {found}, expected {expected}"
        );
    }

    /// Returns the numbers of the facts in a range that are 1. All others there must be 0.
    fn ones(facts: &[f32], range: std::ops::Range<usize>) -> Vec<usize> {
        assert!(range.clone().all(|i| [0.0, 1.0].contains(&facts[i])));
        range.filter(|&i| facts[i] == 1.0).collect()
    }

    #[test]
    fn names_are_those_of_katago() {
        for text in [
            "rank_5k",
            "rank_9d",
            "preaz_20k",
            "preaz_1d",
            "preaz_1k",
            "rank_3d_12k",
            "proyear_1800",
            "proyear_2023",
        ] {
            assert_eq!(profile(text).to_string(), text);
        }
        assert_eq!(profile("rank_5k_5k"), profile("rank_5k"));
        for text in [
            "",
            "_",
            "rank",
            "rank_",
            "rank_0k",
            "rank_21k",
            "rank_10d",
            "rank_5K",
            "rank_5k_",
            "rank_5k_4k_3k",
            "RANK_5k",
            "proyear_1799",
            "proyear_2024",
            "proyear_02000",
            "proyear_+2000",
            "pro_2000",
            "rank_5k\n",
        ] {
            let line = text.parse::<Profile>().unwrap_err().to_string();
            assert!(line.contains("expected rank_RANK"), "{line}");
            assert!(!line.contains('\n'), "{line}");
        }
    }

    // Values of the next tests follow from KataGo's `SGFMetadata::fillMetadataRow` and
    // `SGFMetadata::getProfile` by hand.

    /// Profile of KGS amateurs: 1200 s, then 5 periods of 30 s, and unknown ratedness.
    #[test]
    fn facts_of_amateurs() {
        let facts = profile("rank_5k").facts(Color::BLACK, 361);
        assert_eq!(facts.len(), 192);
        // Both are human, and their ranks are known.
        assert_eq!(facts[..6], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        // 9d is 1, so 1k is 10 and 5k is 14: 14 ones for each player.
        let ranks: Vec<usize> = (6..20).chain(40..54).collect();
        assert_eq!(ones(&facts, 6..74), ranks);
        assert_eq!(facts[74], 0.5);
        // Of seven time systems, the fifth is byo-yomi.
        assert_eq!(facts[75..82], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        // ln(1200 + 60) = 7.138867, and 0.4 · (7.138867 − 6.5) = 0.255547.
        assert_near(facts[82], 0.255_547, "main time");
        // ln(30 + 1) = 3.433987, and 0.3 · 0.433987 = 0.130196.
        assert_near(facts[83], 0.130_196, "period");
        // ln(5 + 2) = 1.945910, and 0.5 · 0.445910 = 0.222955.
        assert_near(facts[84], 0.222_955, "periods");
        // ln(0 + 2) = 0.693147, and 0.25 · −0.806853 = −0.201713.
        assert_near(facts[85], -0.201_713, "Canadian moves");
        assert_near(facts[86], 0.0, "area");
        // 1 March 2020 is day 18322, a Sunday. 18322 = 7 · 2617 + 3, so the angle is 3/7 of a turn.
        assert_near(facts[87], -0.900_969, "cosine of the week");
        assert_near(facts[88], 0.433_884, "sine of the week");
        // The longest cycle has 7 · 80000 days: 18322 / 560000 of a turn is 0.205572 radians.
        assert_near(facts[149], 0.978_944, "cosine of the longest cycle");
        assert_near(facts[150], 0.204_128, "sine of the longest cycle");
        // The source KGS is 2.
        assert_eq!(ones(&facts, 151..192), [153]);
    }

    /// Ranks are those of Black and White, and the inputs begin with the player to move.
    #[test]
    fn facts_follow_the_player_to_move() {
        let profile = profile("preaz_3d_12k");
        // 3d is 7, and 12k is 21.
        for (to_move, own, other) in [(Color::BLACK, 7, 21), (Color::WHITE, 21, 7)] {
            let facts = profile.facts(to_move, 81);
            let ranks: Vec<usize> = (6..6 + own).chain(40..40 + other).collect();
            assert_eq!(ones(&facts, 6..74), ranks);
            // 0.5 · ln(81 / 361) = 0.5 · −1.494429.
            assert_near(facts[86], -0.747_214, "area");
            // 1 September 2016 is day 17045 = 7 · 2435, a Thursday like day 0.
            assert_near(facts[87], 1.0, "cosine of the week");
            assert_near(facts[88], 0.0, "sine of the week");
            // 17045 / 560000 of a turn is 0.191244 radians.
            assert_near(facts[149], 0.981_768, "cosine of the longest cycle");
            assert_near(facts[150], 0.190_081, "sine of the longest cycle");
            assert_eq!(ones(&facts, 151..192), [153]);
        }
    }

    /// Professionals have rank 1, an unknown time system without times, and rated games.
    #[test]
    fn facts_of_professionals() {
        for (text, source, days) in [
            // 170 years of 365 days back, 41 leap days, and 151 days to June.
            ("proyear_1800", 5, -170 * 365 - 41 + 151),
            // 50 years, 13 leap days with that of 2020 itself.
            ("proyear_2020", 5, 50 * 365 + 13 + 151),
            ("proyear_2021", 6, 51 * 365 + 13 + 151),
            ("proyear_2023", 6, 53 * 365 + 13 + 151),
        ] {
            let facts = profile(text).facts(Color::WHITE, 169);
            assert_eq!(ones(&facts, 0..82), [0, 1, 6, 40, 75], "{text}");
            // 0.4 · (ln 60 − 6.5), 0.3 · (ln 1 − 3), 0.5 · (ln 2 − 1.5), 0.25 · (ln 2 − 1.5).
            assert_near(facts[82], -0.962_262, text);
            assert_near(facts[83], -0.9, text);
            assert_near(facts[84], -0.403_426, text);
            assert_near(facts[85], -0.201_713, text);
            // 0.5 · ln(169 / 361).
            assert_near(facts[86], -0.379_490, text);
            let turn = f64::from(days) * TAU / 560_000.0;
            assert_near(facts[149], turn.cos() as f32, text);
            assert_near(facts[150], turn.sin() as f32, text);
            assert_eq!(ones(&facts, 151..192), [151 + source], "{text}");
        }
    }
}
