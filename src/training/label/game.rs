//! One game, whose positions a teacher labels.
//!
//! Teacher and student play by their policies alone, with random moves among them. So the games
//! reach the positions that the student meets, and the mistakes that it makes there.

use std::sync::Arc;

use super::super::draw::{self, fraction, happens, random_move};
use super::super::format::{Row, SHARES, is_open};
use super::super::problems::Problem;
use super::super::starts::begin;
use super::super::view::View;
use super::explore::{Explorer, Searches, shares};
use super::remote::{Remote, RemoteError};
use super::teacher::{Label, Teacher, distribution};
use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::features::komi_input;
use crate::net::katago::KataGo;
use crate::net::kernels::Kernel;
use crate::net::{Evaluator, Network, bonus};
use crate::playout::Random;
use crate::points::Points;
use crate::rules::Ruleset;
use crate::vertex::{Move, Vertex};

/// A game ends after 2 moves per point plus [`MOST_BEYOND`], without those from a record.
const MOST_PER_POINT: usize = 2;
/// Moves in addition to those per point.
const MOST_BEYOND: usize = 30;
/// Maximum number of moves after a generated position. In most games, its fight has ended by then.
const MOST_AFTER_PROBLEM: usize = 40;
/// Handicaps have 2 to this number of stones.
const MOST_HANDICAP: usize = 5;
/// Greatest distance of a changed komi from the teacher's lead, in half points.
const SPREAD: usize = 2;

/// Settings of labeled games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The teacher.
    pub teacher: Arc<KataGo>,
    /// Program that evaluates the teacher instead of omnigo's kernels.
    pub remote: Option<Arc<Remote>>,
    /// The student.
    pub student: Arc<Network>,
    /// Kernel of both networks.
    pub kernel: Kernel,
    /// The rules.
    pub rules: Ruleset,
    /// Fraction of positions that are labeled.
    pub recorded: f64,
    /// Probability that the student plays the moves of a color.
    pub student_share: f64,
    /// Temperature of the moves.
    pub temperature: f64,
    /// Fraction of random moves.
    pub noise: f64,
    /// Maximum number of random moves at the start.
    pub random_moves: u32,
    /// Fraction of games with a handicap.
    pub handicap: f64,
    /// Probability that the komi of a decided position becomes even, when the teacher sees it.
    pub even: f64,
    /// Fraction of labeled decided positions that are kept.
    pub decided: f64,
    /// The student's searches, if it searches at all.
    pub searches: Option<Searches>,
}

/// Start of a labeled game.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The first moves of a record, or none.
    Moves(&'a [Move]),
    /// A generated position. Its komi replaces that of the game.
    Problem(&'a Problem),
}

impl Start<'_> {
    /// Returns the game at its start, and the number of moves from a record.
    fn begin<B: Board>(self, board: B, rules: &Ruleset, komi: Points) -> (Game<B>, usize) {
        match self {
            Start::Moves(moves) => begin(board, rules, komi, moves),
            Start::Problem(problem) => {
                let mut game = Game::new(board, rules.clone(), problem.komi, Color::BLACK);
                game.restart(&problem.stones, problem.to_move);
                // Under territory rules, White also gets points for Black's stones.
                let all = bonus(&Line::new(&game, problem.to_move));
                game.set_komi(problem.komi - (all - problem.komi));
                (game, 0)
            }
        }
    }

    /// Returns the maximum number of moves of a game, including `begun` moves from a record.
    fn most_moves(self, begun: usize, points: usize) -> usize {
        match self {
            Start::Moves(_) => begun + MOST_PER_POINT * points + MOST_BEYOND,
            Start::Problem(_) => MOST_AFTER_PROBLEM,
        }
    }
}

/// A finished game and its labeled positions.
#[derive(Clone, Debug)]
pub struct Labeled {
    /// The moves in order. Black is first, except in some generated positions.
    pub moves: Vec<Move>,
    /// Number of moves at the start that come from a record.
    pub begun: usize,
    /// Number of random moves.
    pub random: usize,
    /// The komi at the end.
    pub komi: Points,
    /// Black's final score lead in points, komi included; `None` if the game was cut off.
    pub margin: Option<Points>,
    /// The labeled positions.
    pub rows: Vec<Row>,
}

/// Reason why a game cannot be labeled.
#[derive(Debug, thiserror::Error)]
pub enum LabeledError {
    /// The teacher has no label.
    #[error(transparent)]
    Teacher(#[from] RemoteError),
    /// The student's weights are too large.
    #[error("the student's outputs are not finite numbers, expected another network")]
    Student,
}

/// The kinds of moves of a game.
struct Script {
    /// True for colors whose moves the student plays.
    student: [bool; 2],
    /// Number of random moves at the start.
    random: usize,
    /// Number of passes of White at the start, which make a handicap of Black's moves.
    passes: usize,
}

impl Plan {
    /// Draws the kinds of moves of a game. Games from records and generated positions have no
    /// handicap, and the latter no random moves at the start.
    fn script(&self, start: Start<'_>, begun: usize, random: &mut Random) -> Script {
        let is_problem = matches!(start, Start::Problem(_));
        let student = [0, 1].map(|_| happens(random, self.student_share));
        let most = if is_problem {
            0
        } else {
            self.random_moves as usize
        };
        // The square favors games with few random moves.
        let moves = (fraction(random).powi(2) * (most + 1) as f64) as usize;
        let handicap = begun == 0 && !is_problem && happens(random, self.handicap);
        let passes = if handicap {
            1 + random.below(MOST_HANDICAP - 1)
        } else {
            0
        };
        Script {
            student,
            random: moves,
            passes,
        }
    }

    /// Plays a game and labels positions of it. Moves from a record are played up to the first
    /// illegal one. `None` if a network cannot evaluate the board.
    ///
    /// # Errors
    /// If the program that computes the teacher fails, or outputs of a network are not finite.
    pub fn play<B: Board>(
        &self,
        board: B,
        komi: Points,
        start: Start<'_>,
        random: &mut Random,
    ) -> Result<Option<Labeled>, LabeledError> {
        let remote = self.remote.as_ref();
        let networks = Teacher::new(&self.teacher, &board, self.kernel, remote).zip(
            Evaluator::new(Arc::clone(&self.student), &board, self.kernel),
        );
        let Some((mut teacher, mut student)) = networks else {
            return Ok(None);
        };
        let (mut game, begun) = start.begin(board, &self.rules, komi);
        let script = self.script(start, begun, random);
        let mut explorer = self
            .searches
            .map(|searches| Explorer::new(searches, &self.student, self.kernel, random));
        let mut view = View::new();
        let most = start.most_moves(begun, game.board().points());
        let (mut rows, mut random_moves) = (Vec::new(), 0);
        // Number of moves at the latest change of the komi, so that a move has one at most.
        let mut changed = None;
        while !game.is_over() && game.moves().len() < most {
            let color = game.to_move();
            let number = game.moves().len() - begun;
            let moves = game.legal_moves(color);
            if moves.is_empty() {
                break;
            }
            if color == Color::WHITE && number / 2 < script.passes {
                if game.play(color, Move::Pass).is_err() {
                    break;
                }
                continue;
            }
            let opening = number < script.random;
            let records = !opening && happens(random, self.recorded);
            let by_student = script.student[color.index().min(1)];
            let label = match records || !by_student {
                true => Some(teacher.label(&game, &moves, random)?),
                false => None,
            };
            let at = Some(game.moves().len());
            if let Some(label) = label.as_ref().filter(|_| changed != at)
                && let Some(komi) = evened(self.even, &game, label, random)
            {
                game.set_komi(komi);
                changed = at;
                continue;
            }
            let komi = komi_input(bonus(&Line::new(&game, color)), color);
            let planes = (records || by_student).then(|| view.of(&game, color));
            let kept = |label: &&Label| records && is_kept(self.decided, label, random);
            if let (Some(label), Some(planes)) = (label.as_ref().filter(kept), &planes) {
                rows.push(row(label, planes.clone(), komi, game.board().points()));
            }
            let found = explorer.as_mut().filter(|_| by_student && !opening);
            let found = found.and_then(|explorer| explorer.search(&game, random));
            if let (Some(explorer), Some(found)) = (&explorer, &found) {
                for line in explorer.lines(found, random) {
                    rows.extend(self.branch(&game, &line, &mut teacher, &mut view, random)?);
                }
            }
            let guess = (opening || happens(random, self.noise))
                .then(|| random_move(&game, color, random))
                .flatten();
            random_moves += usize::from(guess.is_some());
            let policy = match (&label, &planes) {
                _ if guess.is_some() => Vec::new(),
                (Some(label), _) if !by_student => draw::sharpened(&label.policy, self.temperature),
                (_, Some(planes)) => {
                    // A search takes outputs that are not finite for neutral ones, so check here.
                    let output = student.pass(planes, komi);
                    if !output.is_finite() {
                        return Err(LabeledError::Student);
                    }
                    let searched = found.as_ref().map(shares);
                    let policy = || distribution(&output.policy, &moves, 1.0);
                    draw::sharpened(&searched.unwrap_or_else(policy), self.temperature)
                }
                (_, None) => Vec::new(),
            };
            let mv = guess.or_else(|| draw::weighted(&policy, random));
            match mv.map(|mv| game.play(color, mv)) {
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            }
        }
        Ok(Some(Labeled {
            moves: game.moves().map(|(_, mv)| mv).collect(),
            begun,
            random: random_moves,
            komi: game.komi(),
            margin: game.is_over().then(|| draw::margin(&game)).flatten(),
            rows,
        }))
    }

    /// Returns the row of the position after some more moves. `None` if they end the game, or if
    /// the position is not kept.
    fn branch<B: Board>(
        &self,
        game: &Game<B>,
        line: &[Move],
        teacher: &mut Teacher<B>,
        view: &mut View<B>,
        random: &mut Random,
    ) -> Result<Option<Row>, RemoteError> {
        let mut game = game.clone();
        for &mv in line {
            if game.play(game.to_move(), mv).is_err() {
                return Ok(None);
            }
        }
        let color = game.to_move();
        let moves = game.legal_moves(color);
        if game.is_over() || moves.is_empty() {
            return Ok(None);
        }
        let label = teacher.label(&game, &moves, random)?;
        if !is_kept(self.decided, &label, random) {
            return Ok(None);
        }
        let komi = komi_input(bonus(&Line::new(&game, color)), color);
        let planes = view.of(&game, color);
        Ok(Some(row(&label, planes, komi, game.board().points())))
    }
}

/// Returns true if a labeled position becomes a row. `decided` is the fraction of decided positions
/// that do.
fn is_kept(decided: f64, label: &Label, random: &mut Random) -> bool {
    // Without the option, a game draws no further random numbers.
    decided >= 1.0 || is_open(label.win) || happens(random, decided)
}

/// Returns another komi for a decided position, within [`SPREAD`] of the teacher's lead. `None`
/// keeps the komi. `even` is the probability of a change.
fn evened<B: Board>(
    even: f64,
    game: &Game<B>,
    label: &Label,
    random: &mut Random,
) -> Option<Points> {
    if even <= 0.0 || is_open(label.win) || !happens(random, even) {
        return None;
    }
    let shift = random.below(2 * SPREAD + 1) as i64 - SPREAD as i64;
    // A lead of more points than the board has would be a mistake of the teacher.
    let points = game.board().points();
    let most = 2.0 * points as f32;
    let lead = (2.0 * label.lead).clamp(-most, most).round() as i64;
    let lead = if game.to_move() == Color::BLACK {
        lead
    } else {
        -lead
    };
    let most = Points::whole(points as i64);
    let komi = game.komi() + Points::from_halves(lead + shift);
    Some(komi.clamp(-most, most))
}

/// Returns the row of a labeled position.
fn row(label: &Label, planes: Vec<u32>, komi: f32, points: usize) -> Row {
    let place = |mv: Move| mv.vertex().map_or(points, Vertex::index);
    let mut shares: Vec<(usize, f32)> = label
        .policy
        .iter()
        .map(|&(mv, share)| (place(mv), share))
        .collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(SHARES);
    let percent = |&owner: &f32| (owner * 100.0).round() as i8;
    Row {
        planes,
        komi,
        target: shares.first().map_or(points, |&(at, _)| at),
        won: None,
        win: Some(label.win),
        score: Some(label.lead),
        ownership: Some(label.ownership.iter().map(percent).collect()),
        shares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::presets;
    use crate::training::boards::Size;
    use crate::training::problems::{Kind, generate};

    fn label(win: f32, lead: f32) -> Label {
        Label {
            win,
            lead,
            ..Label::default()
        }
    }

    #[test]
    fn the_komi_of_a_problem_counts_all_points_of_white() {
        let (width, height) = (9, 8);
        let size = Size { width, height };
        let problem = generate(Kind::Seki, size, &mut Random::new(2)).unwrap();
        for name in ["cgos", "japanese", "aga-button"] {
            let rules = presets::find(name).unwrap().rules.clone();
            let board = size.board(rules.colors);
            let (game, begun) = Start::Problem(&problem).begin(board, &rules, Points::ZERO);
            assert_eq!(
                bonus(&Line::new(&game, problem.to_move)),
                problem.komi,
                "{name}"
            );
            assert_eq!((game.start(), begun), (&problem.stones[..], 0));
            assert_eq!(game.to_move(), problem.to_move);
        }
    }

    #[test]
    fn a_fraction_of_the_decided_positions_is_kept() {
        let mut random = Random::new(9);
        let mut kept = |decided, win| {
            let all = (0..400).filter(|_| is_kept(decided, &label(win, 0.0), &mut random));
            all.count()
        };
        for win in [0.02, 0.99] {
            assert_eq!(kept(1.0, win), 400);
            assert!((80..=160).contains(&kept(0.3, win)));
            assert_eq!(kept(0.0, win), 0);
        }
        for win in [0.1, 0.5, 0.9] {
            assert_eq!(kept(0.0, win), 400);
        }
    }

    #[test]
    fn the_komi_of_a_decided_position_becomes_even() {
        let rules = presets::find("cgos").unwrap().rules.clone();
        let board = Size {
            width: 5,
            height: 5,
        }
        .board(rules.colors);
        let mut game = Game::new(board, rules, Points::whole(6), Color::BLACK);
        let mut random = Random::new(4);
        let near = |found: Option<Points>, middle: i64| {
            let distance = found.unwrap() - Points::whole(middle);
            distance >= -Points::whole(1) && distance <= Points::whole(1)
        };
        for _ in 0..20 {
            assert!(near(evened(1.0, &game, &label(0.99, 7.2), &mut random), 13));
            assert!(near(
                evened(1.0, &game, &label(0.02, -9.0), &mut random),
                -3
            ));
            assert_eq!(evened(1.0, &game, &label(0.6, 7.0), &mut random), None);
            assert_eq!(evened(0.0, &game, &label(0.99, 7.0), &mut random), None);
        }
        let far = evened(1.0, &game, &label(1.0, f32::MAX), &mut random);
        assert_eq!(far, Some(Points::whole(25)));
        game.play(Color::BLACK, Move::Pass).unwrap();
        assert!(near(evened(1.0, &game, &label(0.99, 7.0), &mut random), -1));
        let mut changed = |_: &i32| evened(0.5, &game, &label(1.0, 3.0), &mut random).is_some();
        let changes = (0..400).filter(|i| changed(i)).count();
        assert!((140..=260).contains(&changes), "{changes}");
    }
}
