//! Facts about the end of a search line that the inputs need.

use super::inputs::{Facts, RECENT_MOVES};
use crate::bonus;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::rules::{Button, Ko, Suicide};

/// Collector of facts with its working space.
#[derive(Clone, Debug)]
pub struct Collector<B: Board> {
    /// Positions one and two moves before the game's present one.
    before: [B; 2],
    /// Positions one and two moves before the end of the line.
    earlier: [B; 2],
    /// Number of the game's first pass among its moves, from 0. `None` without a pass.
    first_pass: Option<usize>,
    recent: Vec<(Color, Move)>,
    banned: Vec<Vertex>,
}

/// Returns the number of turns that the latest `count` moves of a game take, with repeated passes
/// of one color.
fn turns_back<B: Board>(game: &Game<B>, count: usize) -> usize {
    let (mut later, mut kept) = (None, 0);
    for (age, turn) in game.moves().rev().enumerate() {
        let is_repeated = turn.1 == Move::Pass && later == Some(turn);
        if !is_repeated && kept == count {
            return age;
        }
        kept += usize::from(!is_repeated);
        later = Some(turn);
    }
    game.moves().len()
}

impl<B: Board> Collector<B> {
    /// Returns a collector for lines of this game.
    pub fn new(game: &Game<B>) -> Collector<B> {
        let before = [1, 2].map(|count| game.board_before(turns_back(game, count)));
        Collector {
            earlier: before.clone(),
            before,
            first_pass: game.moves().position(|(_, mv)| mv == Move::Pass),
            recent: Vec::new(),
            banned: Vec::new(),
        }
    }

    /// Returns the facts of the position at the end of the line, for players of equal strength.
    /// `path` holds the moves of the line, from the latest back, and `legal` the legal placements.
    pub fn collect<'a>(
        &'a mut self,
        line: &'a Line<'_, B>,
        path: &[Option<Vertex>],
        legal: &[Vertex],
    ) -> Facts<'a, B> {
        let game = line.game();
        let button_age = self.note_recent(line, path);
        self.look_back(line, path);
        self.ban(line, legal);
        let rules = game.rules();
        let has_button = rules.button != Button::None;
        Facts {
            board: line.board(),
            earlier: [&self.earlier[0], &self.earlier[1]],
            rules,
            to_move: line.to_move(),
            recent: &self.recent,
            banned: &self.banned,
            bonus: bonus(line).halves() as f32 / 2.0,
            button: has_button && line.button().is_none(),
            button_age: button_age.filter(|_| has_button),
            advantage: 0.0,
        }
    }

    /// Sets the recent moves at the end of the line. Returns the age of the first pass if it is one
    /// of them. A repeated pass of one color changes nothing, so it is left out.
    fn note_recent(&mut self, line: &Line<'_, B>, path: &[Option<Vertex>]) -> Option<usize> {
        let moves = line.game().moves();
        let first_pass = match self.first_pass {
            Some(number) => Some(path.len() + moves.len() - 1 - number),
            None => path.iter().rposition(Option::is_none),
        };
        let mut color = line.to_move();
        let own = path.iter().map(|mv| {
            color = color.other();
            (color, mv.map_or(Move::Pass, Move::Place))
        });
        self.recent.clear();
        let mut age_of_first = None;
        for (age, turn) in own.chain(moves.rev()).enumerate() {
            let is_repeated = turn.1 == Move::Pass && self.recent.last() == Some(&turn);
            if !is_repeated && self.recent.len() == RECENT_MOVES {
                break;
            }
            if !is_repeated {
                self.recent.push(turn);
            }
            if first_pass == Some(age) {
                age_of_first = self.recent.len().checked_sub(1);
            }
        }
        age_of_first
    }

    /// Sets the positions one and two moves before the end of the line. `path` begins with the
    /// latest move.
    fn look_back(&mut self, line: &Line<'_, B>, path: &[Option<Vertex>]) {
        let first = match path.len() % 2 {
            0 => line.to_move(),
            _ => line.to_move().other(),
        };
        for (back, board) in (1..).zip(&mut self.earlier) {
            let Some(kept) = path.len().checked_sub(back) else {
                if let Some(before) = self.before.get(back - path.len() - 1) {
                    board.clone_from(before);
                }
                continue;
            };
            board.clone_from(line.game().board());
            let mut color = first;
            for mv in path.iter().rev().take(kept) {
                if let Some(at) = mv.filter(|&at| board.has_room(at)) {
                    board.place(color, at, |_, _| {});
                }
                color = color.other();
            }
        }
    }

    /// Sets the points where repetition forbids a stone.
    fn ban(&mut self, line: &Line<'_, B>, legal: &[Vertex]) {
        let (board, rules) = (line.board(), line.game().rules());
        self.banned.clear();
        let placed = self.recent.first().is_some_and(|r| r.1 != Move::Pass);
        self.banned.extend(board.ko_point().filter(|_| placed));
        if rules.ko == Ko::Simple {
            return;
        }
        let vacant = board.vacant().iter().copied();
        self.banned.extend(vacant.filter(|&at| {
            let illegal = legal.binary_search(&at).is_err();
            illegal && !line.is_legal(at) && {
                let preview = board.preview(line.to_move(), at);
                let several = rules.suicide == Suicide::Allowed && preview.lost > 1;
                !preview.suicide || several
            }
        }));
    }
}
