//! Links: a game as the text behind `#` in an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::game::{self, Moves, Start};
use super::message::MoveText;
use super::state::position_text;
use crate::color::Color;
use crate::notation::{move_alias, read_position};
use crate::rules::RulesetText;
use crate::text::quote;
use crate::vertex::Move;

/// Characters that stay as they are in a value.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b':')
    .remove(b',')
    .remove(b'(')
    .remove(b')');
/// Maximum length of a link, in bytes.
const MOST_LINK: usize = 1 << 20;

/// Game in a link. All values are unchecked text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) board: String,
    pub(super) rules: Option<String>,
    pub(super) komi: Option<String>,
    pub(super) colors: Option<String>,
    pub(super) start: Option<String>,
    pub(super) first: Option<String>,
    pub(super) handicap: Option<String>,
    /// Color, if it is given, and vertex of each move.
    pub(super) moves: Vec<(Option<String>, String)>,
}

impl Link {
    /// Reads a whole address, or the text behind `#` with or without it.
    ///
    /// # Errors
    /// One line, if the text holds no board.
    pub(super) fn read(text: &str) -> Result<Link, String> {
        let wrong = |problem: &str| format!("link '{}': {problem}", quote(text));
        if text.len() > MOST_LINK {
            return Err(wrong("expected at most 1 MiB"));
        }
        // Everything before `#` names a server, perhaps with a token, and is dropped.
        let text = text.trim();
        let fragment = text.split_once('#').map_or(text, |(_, behind)| behind);
        let mut link = Link::default();
        for pair in fragment.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| wrong("expected KEY=VALUE, joined by &"))?;
            let value = percent_decode_str(value)
                .decode_utf8()
                .map_err(|_| wrong("expected UTF-8"))?
                .into_owned();
            match key {
                "board" => link.board = value,
                "rules" => link.rules = Some(value),
                "komi" => link.komi = Some(value),
                "colors" => link.colors = Some(value),
                "start" => link.start = Some(value),
                "first" => link.first = Some(value),
                "handicap" => link.handicap = Some(value),
                "moves" => {
                    let words = value.split('.').filter(|word| !word.is_empty());
                    link.moves = words
                        .map(|word| match word.split_once(':') {
                            Some((color, vertex)) => (Some(color.to_string()), vertex.to_string()),
                            None => (None, word.to_string()),
                        })
                        .collect();
                }
                // Newer versions may add keys.
                _ => {}
            }
        }
        if link.board.is_empty() {
            return Err(wrong("expected board=SPEC"));
        }
        Ok(link)
    }

    /// Returns the start of the game on a board that was built from [`Link::board`].
    ///
    /// # Errors
    /// One line, if a value is wrong.
    pub(super) fn start(&self, goban: crate::graph::goban::Goban) -> Result<Start, String> {
        let text = self.rules.as_deref().unwrap_or("tromp-taylor");
        let ruleset: RulesetText = text.parse().map_err(|e| format!("{e}"))?;
        let mut rules = ruleset.rules;
        if let Some(colors) = &self.colors {
            rules.colors = game::colors(colors.parse().ok())?;
        }
        let komi = match &self.komi {
            Some(text) => game::komi(text.parse().ok())?,
            None => ruleset.komi.unwrap_or_default(),
        };
        let mut start = Start::new(goban, rules, komi);
        if let Some(text) = &self.start {
            start.position =
                read_position(&start.goban, start.rules.colors, text).map_err(|e| e.to_string())?;
        }
        if let Some(text) = &self.handicap {
            let most = start.black_stones();
            let stones = text.parse().ok().filter(|&stones| stones <= most);
            start.handicap = stones.ok_or_else(|| {
                format!(
                    "handicap '{}', expected 0 to {most}, the black stones of the start",
                    quote(text)
                )
            })?;
        }
        if let Some(text) = &self.first {
            start.first = game::color(text, start.rules.colors)?;
        } else if self.start.is_some() {
            let first = start.goban.first(&start.position);
            start.first = first.unwrap_or(start.rules.first);
        }
        Ok(start)
    }
}

/// Returns start and moves of the game in a link.
///
/// # Errors
/// One line, if a value is wrong, or the board opens a file or is too large.
pub(super) fn open(text: &str) -> Result<(Start, Moves), String> {
    let link = Link::read(text)?;
    let start = link.start(game::board(&link.board)?)?;
    let texts: Vec<MoveText> = link
        .moves
        .into_iter()
        .map(|(color, vertex)| match color {
            Some(color) => MoveText::Colored(color, vertex),
            None => MoveText::Plain(vertex),
        })
        .collect();
    let moves = game::moves(&start, &texts)?;
    Ok((start, moves))
}

/// Returns the link of a game, or `None` if its board came from a file.
pub(super) fn write(start: &Start, moves: &[(Color, Move)]) -> Option<String> {
    let goban = &start.goban;
    if goban.spec.reads_files() {
        return None;
    }
    let coded = |text: &str| utf8_percent_encode(text, KEPT).to_string();
    let mut link = format!("board={}", coded(&goban.spec.to_string()));
    let rules = start.rules.to_string();
    if rules != "tromp-taylor" {
        link += &format!("&rules={}", coded(&rules.replace(' ', ",")));
    }
    if start.komi != crate::points::Points::ZERO {
        link += &format!("&komi={}", start.komi);
    }
    if start.rules.colors != 2 {
        link += &format!("&colors={}", start.rules.colors);
    }
    if start.position != goban.start {
        link += &format!("&start={}", position_text(&start.position));
    }
    let usual = goban.first(&start.position).unwrap_or(start.rules.first);
    if start.first != usual {
        link += &format!("&first={}", start.first);
    }
    if start.handicap > 0 {
        link += &format!("&handicap={}", start.handicap);
    }
    let mut turn = start.first;
    let mut words = Vec::with_capacity(moves.len());
    for &(color, mv) in moves {
        let vertex = move_alias(&goban.names, mv);
        words.push(match color == turn {
            true => vertex,
            false => format!("{color}:{vertex}"),
        });
        turn = color.next(start.rules.colors);
    }
    if !words.is_empty() {
        link += &format!("&moves={}", words.join("."));
    }
    Some(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::spec::Spec;
    use crate::rules::Points;
    use crate::vertex::Vertex;

    #[test]
    fn links_return_to_the_same_game() {
        for (spec, ruleset) in [
            ("torus:7x7", "tromp-taylor"),
            ("edges:a-b,b-c,c@0.5/-1", "ggg,suicide=no"),
            ("space:(grid:3),edges", "topo-stone"),
        ] {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            let rules = ruleset.parse::<RulesetText>().unwrap().rules;
            let start = Start::new(goban, rules, Points::from_halves(13));
            let moves = [
                (Color::BLACK, Move::Place(Vertex::at(1))),
                (Color::BLACK, Move::Pass),
                (Color::WHITE, Move::Pass),
            ];
            let text = write(&start, &moves).unwrap();
            let whole = format!("http://127.0.0.1:1/secret/#{text}");
            let link = Link::read(&whole).unwrap();
            assert_eq!(link, Link::read(&text).unwrap());
            assert!(!format!("{link:?}").contains("secret"));
            let goban = link.board.parse::<Spec>().unwrap().build().unwrap();
            let again = link.start(goban).unwrap();
            assert_eq!(write(&again, &moves).unwrap(), text, "{spec}");
            assert_eq!(link.moves.len(), 3);
            assert_eq!(link.moves[1].0.as_deref(), Some("black"));
        }
    }

    #[test]
    fn the_handicap_of_a_link_stands_on_the_board() {
        for (text, expected) in [
            ("board=path:3&start=X.X&handicap=2", Ok(2)),
            ("board=path:3&start=X.X&handicap=3", Err("expected 0 to 2")),
            ("board=path:3&handicap=4000000000", Err("expected 0 to 0")),
            ("board=path:3&handicap=x", Err("handicap 'x'")),
        ] {
            match (open(text), expected) {
                (Ok((start, _)), Ok(stones)) => assert_eq!(start.handicap, stones, "{text}"),
                (Err(line), Err(part)) => assert!(line.contains(part), "{line}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn wrong_links_get_one_line() {
        for text in ["", "#", "http://x/", "board", "rules=ggg", "board=%ff"] {
            let problem = Link::read(text).unwrap_err();
            assert!(
                problem.starts_with("link '") && !problem.contains('\n'),
                "{text}"
            );
        }
    }
}
