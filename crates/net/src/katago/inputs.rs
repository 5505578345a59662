//! Inputs of KataGo's networks, version 7: 22 planes and 19 numbers.
//!
//! Planes of the clean-up phases stay empty, because games of this program have none. Rules of
//! territory are those of KataGo's main phase: each stone that was set up or placed costs a point,
//! which stands for the prisoners.

use super::area::{area, area_without_seki};
use super::ladders::{Captured, Ladders};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::rules::{DeadStones, Ko, Ruleset, Scoring, Suicide, Tax};

/// Number of input planes.
pub const PLANES: usize = 22;
/// Number of global inputs.
pub const GLOBALS: usize = 19;

// Numbers of the planes. Those of the clean-up phases are 7, 8, 20 and 21.
/// Set at every point.
pub(super) const ON_BOARD: u32 = 0;
const OWN: u32 = 1;
const OPPONENT: u32 = 2;
/// Chains of one liberty; two and three follow.
const LIBERTIES: u32 = 3;
const BANNED: u32 = 6;
/// The latest move; four earlier ones follow.
const RECENT: u32 = 9;
/// Chains captured in a ladder now; one and two moves ago follow.
const LADDER: u32 = 14;
const LADDER_START: u32 = 17;
/// Own area; that of the opponent follows.
const AREA: u32 = 18;

// Numbers of the global inputs. Those of the clean-up phases are 12 and 13. The first five are
// passes among the latest moves.
const KOMI: usize = 5;
const SUPERKO: usize = 6;
const SUPERKO_KIND: usize = 7;
const SUICIDE: usize = 8;
const TERRITORY: usize = 9;
const TAX: usize = 10;
const TAX_ALL: usize = 11;
const PASS_ENDS: usize = 14;
/// Set if one player is assumed to be stronger; the difference follows.
const UNEVEN: usize = 15;
const ADVANTAGE: usize = 16;
const BUTTON: usize = 17;
const WAVE: usize = 18;

/// Number of recent moves that the inputs show.
const SHOWN: usize = 5;
/// Number of recent moves that [`Facts`] needs. The sixth shows whether two passes ended the game.
pub const RECENT_MOVES: usize = SHOWN + 1;
/// Points of komi beyond the size of the board that still make a difference.
const KOMI_MARGIN: f32 = 20.0;

/// A position with its history, for the inputs.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a, B: Board> {
    /// Current position.
    pub board: &'a B,
    /// Positions before the latest move and before the one before it.
    pub earlier: [&'a B; 2],
    /// Rules.
    pub rules: &'a Ruleset,
    /// Player to move.
    pub to_move: Color,
    /// Recent moves, the latest first, without repeated passes of one color.
    pub recent: &'a [(Color, Move)],
    /// Points where repetition forbids a stone.
    pub banned: &'a [Vertex],
    /// Points that White gets in addition to the stones and the territory on the board.
    pub bonus: f32,
    /// True if the button can still be taken.
    pub button: bool,
    /// Number of moves after the pass that took the button. `None` if it is not among the recent
    /// moves.
    pub button_age: Option<usize>,
    /// Assumed advantage in strength of the player to move, in doublings of playouts. Networks know
    /// it from −3 to 3.
    pub advantage: f32,
}

/// Values of the inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Planes of each point as bits, in index order.
    pub planes: Vec<u32>,
    /// Global inputs.
    pub globals: [f32; GLOBALS],
}

/// Converter of positions with its working space.
#[derive(Clone, Debug)]
pub struct Extractor<B: Board> {
    ladders: Ladders<B>,
    life_with_suicide: bool,
}

impl<B: Board> Extractor<B> {
    /// Returns a converter. `life_with_suicide` is [`Model::life_with_suicide`].
    ///
    /// [`Model::life_with_suicide`]: super::model::Model::life_with_suicide
    pub fn new(life_with_suicide: bool) -> Extractor<B> {
        Extractor {
            ladders: Ladders::default(),
            life_with_suicide,
        }
    }

    /// Writes the inputs of a position.
    pub fn extract(&mut self, facts: &Facts<'_, B>, inputs: &mut Inputs) {
        let Facts {
            board,
            to_move,
            rules,
            ..
        } = *facts;
        inputs.planes.clear();
        inputs.planes.resize(board.points(), 1 << ON_BOARD);
        inputs.globals = [0.0; GLOBALS];
        let planes = &mut inputs.planes;
        for (i, bits) in planes.iter_mut().enumerate() {
            let at = Vertex::at(i);
            if let Some(color) = board.at(at) {
                *bits |= 1 << if color == to_move { OWN } else { OPPONENT };
                let liberties = board.liberties(at, 4, &mut [Vertex::NONE; 8]) as u32;
                if (1..=3).contains(&liberties) {
                    *bits |= 1 << (LIBERTIES + liberties - 1);
                }
            }
        }
        for at in facts.banned {
            set(planes, *at, BANNED);
        }
        let pass_ends = pass_ends(facts);
        // Where players agree on dead stones, the network sees such a pass as one that does not end
        // the game, and it sees no history.
        let agreed = rules.scoring == Scoring::Area && rules.dead == DeadStones::Agreed;
        let hidden = agreed && pass_ends && !is_ending_pass(facts, 1);
        let shown = match hidden {
            true => 0,
            false => shown_moves(facts),
        };
        for (age, &(_, mv)) in (0..).zip(facts.recent.iter().take(shown)) {
            match mv {
                Move::Place(at) => set(planes, at, RECENT + age),
                Move::Pass => inputs.globals[age as usize] = 1.0,
            }
        }
        self.ladders(facts, shown, planes);
        self.area(facts, planes);
        globals(facts, &mut inputs.globals);
        inputs.globals[PASS_ENDS] = f32::from(u8::from(pass_ends && !hidden));
    }

    /// Writes the ladders of the present position and of the two before it.
    fn ladders(&mut self, facts: &Facts<'_, B>, shown: usize, planes: &mut [u32]) {
        let placed = |age: usize| !is_pass(facts, age);
        let mut found = Vec::new();
        for age in 0..3 {
            // Without a history, the position before is the present one.
            let board = match age.min(shown) {
                0 => facts.board,
                age => facts.earlier[age - 1],
            };
            if age <= shown {
                let ko = board.ko_point().filter(|_| placed(age));
                found = self.ladders.all(board, ko);
            }
            for Captured { chain, starts } in &found {
                board.for_chain(*chain, |at| set(planes, at, LADDER + age as u32));
                if age == 0 && board.at(*chain) == Some(facts.to_move.other()) {
                    for &at in starts {
                        set(planes, at, LADDER_START);
                    }
                }
            }
        }
    }

    /// Writes the area of both players. Under territory rules, it is not shown in the main phase.
    fn area(&self, facts: &Facts<'_, B>, planes: &mut [u32]) {
        let rules = facts.rules;
        if rules.scoring != Scoring::Area {
            return;
        }
        let suicide = self.life_with_suicide || rules.suicide == Suicide::Allowed;
        let owners = match rules.tax {
            Tax::None => area(facts.board, suicide),
            Tax::Seki | Tax::All => area_without_seki(facts.board, suicide),
        };
        for (bits, owner) in planes.iter_mut().zip(owners) {
            if let Some(color) = owner {
                *bits |= 1 << (AREA + u32::from(color != facts.to_move));
            }
        }
    }
}

fn set(planes: &mut [u32], at: Vertex, plane: u32) {
    if let Some(bits) = planes.get_mut(at.index()) {
        *bits |= 1 << plane;
    }
}

/// Returns true if the move `age` moves before the latest one was a pass.
fn is_pass<B: Board>(facts: &Facts<'_, B>, age: usize) -> bool {
    let found = facts.recent.get(age);
    found.is_some_and(|&(_, mv)| mv == Move::Pass)
}

/// Returns true if the move `age` moves before the latest one was a pass that counts toward the
/// end. One that takes the button does not.
fn is_ending_pass<B: Board>(facts: &Facts<'_, B>, age: usize) -> bool {
    is_pass(facts, age) && facts.button_age != Some(age)
}

/// Returns true if the latest move was a pass that counts toward the end.
fn passed<B: Board>(facts: &Facts<'_, B>) -> bool {
    let latest = facts.recent.first();
    latest.is_some_and(|&(color, _)| color != facts.to_move) && is_ending_pass(facts, 0)
}

/// Returns true if a pass would end the game, or the main phase under territory rules.
fn pass_ends<B: Board>(facts: &Facts<'_, B>) -> bool {
    !facts.button && passed(facts)
}

/// Returns the number of recent moves that the network sees. Colors must alternate, and after two
/// passes the history starts anew with the second of them.
fn shown_moves<B: Board>(facts: &Facts<'_, B>) -> usize {
    let mut mover = facts.to_move;
    let alternate = facts.recent.iter().take_while(|&&(color, _)| {
        mover = mover.other();
        color == mover
    });
    let alternate = alternate.count().min(SHOWN);
    let ends = |age: usize| is_ending_pass(facts, age);
    let ended = (0..SHOWN).find(|&age| ends(age) && ends(age + 1));
    match ended {
        Some(age) => alternate.min(age + 1),
        None => alternate,
    }
}

/// Writes the global inputs that follow from rules and komi.
fn globals<B: Board>(facts: &Facts<'_, B>, globals: &mut [f32; GLOBALS]) {
    let rules = facts.rules;
    let points = facts.board.points();
    let most = points as f32 + KOMI_MARGIN;
    let komi = match facts.to_move == Color::WHITE {
        true => facts.bonus,
        false => -facts.bonus,
    };
    let komi = komi.clamp(-most, most);
    globals[KOMI] = komi / 20.0;
    (globals[SUPERKO], globals[SUPERKO_KIND]) = match rules.ko {
        Ko::Simple => (0.0, 0.0),
        Ko::Positional => (1.0, 0.5),
        Ko::Situational => (1.0, -0.5),
    };
    let number = |is: bool| f32::from(u8::from(is));
    globals[SUICIDE] = number(rules.suicide == Suicide::Allowed);
    globals[TERRITORY] = number(rules.scoring == Scoring::Territory);
    globals[TAX] = number(rules.tax != Tax::None);
    globals[TAX_ALL] = number(rules.tax == Tax::All);
    globals[UNEVEN] = number(facts.advantage != 0.0);
    globals[ADVANTAGE] = facts.advantage / 2.0;
    globals[BUTTON] = number(facts.button);
    if rules.scoring == Scoring::Area {
        globals[WAVE] = wave(komi, points);
    }
}

/// Returns the value of the wave that tells how komi and the number of points decide about ties.
///
/// With an even number of points, ties need an even komi. A half point there turns ties into wins;
/// half points elsewhere hardly matter.
fn wave(komi: f32, points: usize) -> f32 {
    let odd = (points % 2) as f32;
    let below = ((komi - odd) / 2.0).floor() * 2.0 + odd;
    let above = (komi - below).clamp(0.0, 2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::katago::Collector;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::{Game, Line};
    use omnigo_core::rules::{Points, RulesetText, presets};

    /// A game on a square, and the inputs of its present position.
    struct Table {
        side: usize,
        game: Game<GridBoard>,
    }

    impl Table {
        fn new(side: usize, rules: &str, komi: Points) -> Table {
            let board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
            let rules = presets::find(rules).unwrap().rules.clone();
            Table {
                side,
                game: Game::new(board, rules, komi, Color::BLACK),
            }
        }

        /// Returns the point of a text such as `C3`.
        fn at(&self, text: &str) -> Vertex {
            let (column, row) = text.split_at(1);
            let column = usize::from(column.as_bytes()[0] - b'A');
            Vertex::at((row.parse::<usize>().unwrap() - 1) * self.side + column)
        }

        fn set(&mut self, black: &str, white: &str) {
            let mut position = vec![None; self.side * self.side];
            for (texts, color) in [(black, Color::BLACK), (white, Color::WHITE)] {
                for text in texts.split_whitespace() {
                    position[self.at(text).index()] = Some(color);
                }
            }
            self.game.restart(&position, Color::BLACK);
        }

        fn play(&mut self, moves: &str) {
            for text in moves.split_whitespace() {
                let mv = match text {
                    "pass" => Move::Pass,
                    _ => Move::Place(self.at(text)),
                };
                self.game.play(self.game.to_move(), mv).unwrap();
            }
        }

        /// Returns the inputs after the last `moves` moves were played in a search.
        fn inputs_after(&self, moves: usize) -> Inputs {
            let mut before = self.game.clone();
            let mut path: Vec<_> = self.game.moves().rev().take(moves).collect();
            assert!(before.take_back(moves));
            let mut line = Line::new(&before, before.to_move());
            for &(_, mv) in path.iter().rev() {
                line.play(mv);
            }
            let mut legal: Vec<_> = line.placements().collect();
            legal.sort_unstable();
            let path: Vec<_> = path.drain(..).map(|(_, mv)| mv.vertex()).collect();
            let mut collector = Collector::new(&before);
            let facts = collector.collect(&line, &path, &legal);
            let mut inputs = Inputs::default();
            Extractor::new(false).extract(&facts, &mut inputs);
            inputs
        }

        fn inputs(&self) -> Inputs {
            self.inputs_after(0)
        }

        /// Returns the names of the points of a plane.
        fn plane(&self, inputs: &Inputs, plane: u32) -> String {
            let points = inputs.planes.iter().enumerate();
            let set = points.filter(|(_, bits)| *bits >> plane & 1 == 1);
            let names = set.map(|(i, _)| {
                let column = char::from(b'A' + (i % self.side) as u8);
                format!("{column}{}", i / self.side + 1)
            });
            names.collect::<Vec<_>>().join(" ")
        }
    }

    #[test]
    fn stones_and_liberties() {
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        table.set("A1 C3 C4", "B1 E5 E1 E2");
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, OWN), "A1 C3 C4");
        assert_eq!(table.plane(&inputs, OPPONENT), "B1 E1 E2 E5");
        assert_eq!(table.plane(&inputs, LIBERTIES), "A1");
        assert_eq!(table.plane(&inputs, LIBERTIES + 1), "B1 E5");
        assert_eq!(table.plane(&inputs, LIBERTIES + 2), "E1 E2");
        assert_eq!(table.plane(&inputs, ON_BOARD).split(' ').count(), 25);
    }

    #[test]
    fn an_advantage_in_strength_is_half_a_doubling_a_unit() {
        let table = Table::new(5, "tromp-taylor", Points::ZERO);
        let line = Line::new(&table.game, Color::BLACK);
        for (advantage, expected) in [(0.0, [0.0, 0.0]), (-1.5, [1.0, -0.75]), (3.0, [1.0, 1.5])] {
            let mut collector = Collector::new(&table.game);
            let facts = Facts {
                advantage,
                ..collector.collect(&line, &[], &[])
            };
            let mut inputs = Inputs::default();
            Extractor::new(false).extract(&facts, &mut inputs);
            assert_eq!(inputs.globals[15..17], expected);
        }
    }

    #[test]
    fn kos_are_banned_until_a_pass() {
        for rules in ["chinese", "tromp-taylor", "japanese"] {
            let mut table = Table::new(5, rules, Points::ZERO);
            table.set("B1 A2 B3", "C1 D2 C3 B2");
            // Black takes the ko.
            table.play("C2");
            for played in 0..2 {
                let inputs = table.inputs_after(played);
                assert_eq!(table.plane(&inputs, BANNED), "B2", "{rules}");
                assert_eq!(table.plane(&inputs, RECENT), "C2");
            }
            table.play("pass pass");
            let inputs = table.inputs_after(2);
            // A pass lifts the ban of a simple ko, but superko still forbids the old position.
            let banned = if rules == "tromp-taylor" { "B2" } else { "" };
            assert_eq!(table.plane(&inputs, BANNED), banned, "{rules}");
            assert_eq!(inputs.globals[..3], [1.0, 0.0, 0.0], "{rules}");
        }
    }

    #[test]
    fn recent_moves_alternate_and_end_with_the_game() {
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        table.play("A1 B1 C1 D1 pass E1 A5");
        for played in [0, 3, 7] {
            let inputs = table.inputs_after(played);
            let found: Vec<String> = (0..5).map(|i| table.plane(&inputs, RECENT + i)).collect();
            assert_eq!(found, ["A5", "E1", "", "D1", "C1"]);
            assert_eq!(inputs.globals[..5], [0.0, 0.0, 1.0, 0.0, 0.0]);
            assert_eq!(inputs.globals[PASS_ENDS], 0.0);
        }
        table.play("pass");
        let inputs = table.inputs();
        assert_eq!(inputs.globals[PASS_ENDS], 1.0);
        assert_eq!(table.plane(&inputs, RECENT + 1), "A5");
        table.play("pass");
        let inputs = table.inputs();
        assert_eq!(inputs.globals[..5], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(table.plane(&inputs, RECENT + 2), "");
        // A move out of turn hides the moves before it.
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        for text in ["A1", "B1"] {
            let at = table.at(text);
            table.game.play(Color::BLACK, Move::Place(at)).unwrap();
        }
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, RECENT), "B1");
        assert_eq!(table.plane(&inputs, RECENT + 1), "");
    }

    #[test]
    fn the_pass_that_takes_the_button_ends_nothing() {
        let rules: RulesetText = "tromp-taylor,button=yes".parse().unwrap();
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let mut table = Table {
            side: 5,
            game: Game::new(board, rules.rules, Points::ZERO, Color::BLACK),
        };
        for (moves, button, ends, passes) in [
            ("C3 C4", 1.0, 0.0, [0.0, 0.0, 0.0]),
            ("pass", 0.0, 0.0, [1.0, 0.0, 0.0]),
            // The pair has the pass that took the button, so the history stays.
            ("pass", 0.0, 1.0, [1.0, 1.0, 0.0]),
            ("A1 A2 pass", 0.0, 1.0, [1.0, 0.0, 0.0]),
        ] {
            table.play(moves);
            for played in 0..2 {
                let inputs = table.inputs_after(played);
                let globals = &inputs.globals;
                assert_eq!(globals[..3], passes, "{moves}");
                assert_eq!(
                    [globals[BUTTON], globals[PASS_ENDS]],
                    [button, ends],
                    "{moves}"
                );
            }
            if moves == "pass" && ends == 1.0 {
                let inputs = table.inputs();
                assert_eq!(table.plane(&inputs, RECENT + 2), "C4");
            }
        }
    }

    #[test]
    fn a_repeated_pass_changes_nothing() {
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        table.play("A1 B1 pass");
        let once = table.inputs();
        table.game.play(Color::BLACK, Move::Pass).unwrap();
        assert_eq!(table.inputs(), once);
        assert_eq!(table.plane(&once, RECENT + 1), "B1");
    }

    #[test]
    fn history_is_hidden_after_the_pass_for_the_button_where_players_agree() {
        let mut table = Table::new(5, "aga-button", Points::ZERO);
        // The first pass takes the button, so only the second one counts toward the end.
        table.play("C3 C4 pass pass");
        for played in 0..3 {
            let inputs = table.inputs_after(played);
            assert_eq!(inputs.globals[..3], [0.0; 3]);
            assert_eq!(inputs.globals[PASS_ENDS], 0.0);
            assert_eq!(table.plane(&inputs, RECENT + 2), "");
        }
    }

    #[test]
    fn history_is_hidden_where_players_agree_and_a_pass_would_end_the_game() {
        let mut table = Table::new(5, "chinese", Points::ZERO);
        table.play("C3 pass");
        let inputs = table.inputs();
        assert_eq!(inputs.globals[..2], [0.0, 0.0]);
        assert_eq!(inputs.globals[PASS_ENDS], 0.0);
        assert_eq!(table.plane(&inputs, RECENT + 1), "");
        let mut table = Table::new(5, "japanese", Points::ZERO);
        table.play("C3 pass");
        let inputs = table.inputs();
        assert_eq!(inputs.globals[..2], [1.0, 0.0]);
        assert_eq!(inputs.globals[PASS_ENDS], 1.0);
        assert_eq!(table.plane(&inputs, RECENT + 1), "C3");
    }

    #[test]
    fn ladders_now_and_before() {
        let mut table = Table::new(7, "tromp-taylor", Points::ZERO);
        // White's stone at B1 can only crawl along the edge if Black plays B2. If Black plays C1,
        // it runs to the stone at F5.
        table.set("A1 A2 A3", "B1 F5");
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, LADDER), "B1");
        assert_eq!(table.plane(&inputs, LADDER_START), "B2");
        // Without a history, the earlier positions are the present one.
        assert_eq!(table.plane(&inputs, LADDER + 1), "B1");
        assert_eq!(table.plane(&inputs, LADDER + 2), "B1");
        table.play("B2 C1");
        for played in 0..3 {
            let inputs = table.inputs_after(played);
            assert_eq!(table.plane(&inputs, LADDER), "B1 C1");
            assert_eq!(table.plane(&inputs, LADDER + 1), "B1");
            assert_eq!(table.plane(&inputs, LADDER + 2), "B1");
        }
        // A stone on its way breaks it.
        table.set("A1 A2 A3", "B1 C2 F5");
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, LADDER), "");
        assert_eq!(table.plane(&inputs, LADDER_START), "");
    }

    #[test]
    fn area_follows_the_tax() {
        // Black lives in the corner by two eyes. White's chain beside it encloses the rest.
        let (black, white) = ("A2 B2 C2 D2 D1 B1", "A3 B3 C3 D3 E3 E2 E1");
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        table.set(black, white);
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, AREA), "A1 B1 C1 D1 A2 B2 C2 D2");
        let owned = table.plane(&inputs, AREA + 1);
        assert_eq!(owned.split(' ').count(), 17, "{owned}");
        let mut table = Table::new(5, "japanese", Points::ZERO);
        table.set(black, white);
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, AREA), "");
        assert_eq!(table.plane(&inputs, AREA + 1), "");
        // Regions of one color are area, and the points between the colors are not.
        let mut table = Table::new(5, "tromp-taylor", Points::ZERO);
        table.set("A2 B2 C2 C1", "A4 B4 C4 D4 E4");
        let inputs = table.inputs();
        assert_eq!(table.plane(&inputs, AREA), "A1 B1 C1 A2 B2 C2");
        assert_eq!(
            table.plane(&inputs, AREA + 1),
            "A4 B4 C4 D4 E4 A5 B5 C5 D5 E5"
        );
    }

    #[test]
    fn rules_and_komi() {
        let global = |rules: &str, komi: i64, moves: &str| {
            let mut table = Table::new(5, rules, Points::from_halves(komi));
            table.play(moves);
            table.inputs().globals
        };
        let tromp = global("tromp-taylor", 15, "");
        assert_eq!(tromp[KOMI], -7.5 / 20.0);
        assert_eq!([tromp[SUPERKO], tromp[SUPERKO_KIND]], [1.0, 0.5]);
        assert_eq!([tromp[SUICIDE], tromp[TERRITORY]], [1.0, 0.0]);
        let zealand = global("new-zealand", 15, "C3");
        assert_eq!(zealand[KOMI], 7.5 / 20.0);
        assert_eq!([zealand[SUPERKO], zealand[SUPERKO_KIND]], [1.0, -0.5]);
        let japan = global("japanese", 13, "C3 C2 B2 pass B3");
        // Three placements of Black and one of White move two points to White.
        assert_eq!(japan[KOMI], 8.5 / 20.0);
        assert_eq!([japan[SUPERKO], japan[SUICIDE]], [0.0, 0.0]);
        assert_eq!([japan[TERRITORY], japan[TAX]], [1.0, 1.0]);
        assert_eq!([japan[TAX_ALL], japan[WAVE]], [0.0, 0.0]);
        assert_eq!(global("tromp-taylor", 400, "")[KOMI], -45.0 / 20.0);
        // Three stones of Black and one of White in a set-up do so too, but not under area rules.
        for (rules, komi) in [("japanese", 8.5), ("chinese", 6.5)] {
            let mut table = Table::new(5, rules, Points::from_halves(13));
            table.set("A1 C3 C4", "B1");
            assert_eq!(table.inputs().globals[KOMI], -komi / 20.0, "{rules}");
        }
    }

    #[test]
    fn the_wave_peaks_half_a_point_above_a_tie() {
        for (komi, points, expected) in [
            (7.0, 25, 0.0),
            (7.5, 25, 0.5),
            (8.0, 25, 0.0),
            (8.5, 25, -0.5),
            (-7.0, 25, 0.0),
            (-7.5, 25, -0.5),
            (6.0, 36, 0.0),
            (6.5, 36, 0.5),
            (7.25, 36, -0.25),
        ] {
            assert_eq!(wave(komi, points), expected, "{komi} on {points}");
        }
    }
}
