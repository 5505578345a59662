//! Facts about the end of a search line that the inputs need.

use super::inputs::{Facts, RECENT_MOVES};
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::rules::{Button, Ko, Points, Scoring, Suicide};

/// Collector of facts with its working space.
#[derive(Clone, Debug)]
pub struct Collector<B: Board> {
    /// Positions one and two moves before the game's present one.
    before: [B; 2],
    /// Positions one and two moves before the end of the line.
    earlier: [B; 2],
    /// Number of passes of the game.
    passes: usize,
    recent: Vec<(Color, Move)>,
    banned: Vec<Vertex>,
}

impl<B: Board> Collector<B> {
    /// Returns a collector for lines of this game.
    pub fn new(game: &Game<B>) -> Collector<B> {
        let before = [game.board_before(1), game.board_before(2)];
        Collector {
            earlier: before.clone(),
            before,
            passes: game.moves().filter(|&(_, mv)| mv == Move::Pass).count(),
            recent: Vec::new(),
            banned: Vec::new(),
        }
    }

    /// Returns the facts of the position at the end of the line. `path` holds the moves of the
    /// line, from the latest back, and `legal` the legal placements.
    pub fn collect<'a>(
        &'a mut self,
        line: &'a Line<'_, B>,
        path: &[Option<Vertex>],
        legal: &[Vertex],
    ) -> Facts<'a, B> {
        let game = line.game();
        let to_move = line.to_move();
        let mut color = to_move;
        let own = path.iter().map(|mv| {
            color = color.other();
            (color, mv.map_or(Move::Pass, Move::Place))
        });
        self.recent.clear();
        self.recent
            .extend(own.chain(game.moves().rev()).take(RECENT_MOVES));
        self.look_back(line, path);
        self.ban(line, legal);
        let rules = game.rules();
        let passes = self.passes + path.iter().filter(|mv| mv.is_none()).count();
        let latest_is_pass = self.recent.first().is_some_and(|r| r.1 == Move::Pass);
        let has_button = rules.button != Button::None;
        Facts {
            board: line.board(),
            earlier: [&self.earlier[0], &self.earlier[1]],
            rules,
            to_move,
            recent: &self.recent,
            banned: &self.banned,
            bonus: bonus(line),
            button: has_button && line.button().is_none(),
            took_button: has_button && passes == 1 && latest_is_pass,
        }
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

/// Returns the points that White gets in addition to those on the board: komi, the compensation for
/// a handicap, and the button. Under territory rules, each stone that was set up or placed gives
/// the opponent a point.
fn bonus<B: Board>(line: &Line<'_, B>) -> f32 {
    let game = line.game();
    let rules = game.rules();
    let mut bonus = rules.scored_komi(game.komi()) + game.handicap_bonus();
    if let Some((color, worth)) = line.button() {
        bonus = match color {
            Color::WHITE => bonus + worth,
            _ => bonus - worth,
        };
    }
    if rules.scoring == Scoring::Territory {
        let stones = |color: Color| {
            let set_up = game.start().iter().filter(|&&stone| stone == Some(color));
            set_up.count() as i64 + game.placed(color) + i64::from(line.placed(color))
        };
        bonus += Points::whole(stones(Color::BLACK) - stones(Color::WHITE));
    }
    bonus.halves() as f32 / 2.0
}
