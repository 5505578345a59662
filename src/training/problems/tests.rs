//! Tests of the reader, of every kind of problem, and of their agreement with the judge of games.

use std::collections::{HashMap, HashSet};

use super::reader::{Fight, Goal, Reader};
use super::*;
use crate::board::Chains;
use crate::board::grid::Grid;
use crate::board::region::flood;
use crate::game::Game;
use crate::rules::presets;
use crate::search::{Status, judge};
use crate::tactics::ladder::Ladders;
use crate::vertex::Vertex;

/// Returns a board and a fight. Capitals are safe stones, other letters the stones of the fight,
/// `-` its empty points, and `.` all other empty points. The prey is white.
fn fight(rows: &str) -> (GridBoard, Fight) {
    let rows: Vec<&str> = rows.split_whitespace().rev().collect();
    let symbols: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    let grid = Grid::new(rows[0].len(), rows.len()).unwrap();
    let mut board = GridBoard::new(grid, 2).unwrap();
    let stones: Vec<_> = symbols.iter().map(|&it| Color::from_symbol(it)).collect();
    board.set_position(&stones);
    let is_safe = |symbol: &char| symbol.is_uppercase() || *symbol == '.';
    let with = |symbol| symbols.iter().position(|&it| it == symbol).map(Vertex::at);
    let points = symbols.iter().enumerate();
    let fight = Fight {
        area: points
            .filter(|(_, symbol)| !is_safe(symbol))
            .map(|(point, _)| Vertex::at(point))
            .collect(),
        defender: Color::WHITE,
        prey: with('o').unwrap(),
        inside: with('x'),
        safe: symbols.iter().map(is_safe).collect(),
    };
    (board, fight)
}

/// Returns the kinds of a fight in which White is to move, among those that reading proves.
fn kinds(rows: &str) -> Vec<Kind> {
    let (board, fight) = fight(rows);
    let chains = [Some(fight.prey), fight.inside];
    let chains = chains.map(|stone| stone.map_or(0, |stone| board.chain_size(stone)));
    let drawn = Drawn {
        board,
        fight,
        chains,
        owners: Vec::new(),
    };
    let proved = Kind::ALL.into_iter();
    proved
        .filter(|&kind| is_of_kind(kind, &drawn, Color::WHITE).unwrap())
        .collect()
}

#[test]
fn fights_have_their_known_kinds() {
    let three = "....... ....... XXXXXXX XoooooX Xo---oX";
    assert_eq!(kinds(three), [Kind::Unsettled]);
    let four = "........ ........ XXXXXXXX XooooooX Xo----oX";
    assert_eq!(kinds(four), []);
    let square = "....... XXXXXX. XooooX. Xo--oX. Xo--oX.";
    assert_eq!(kinds(square), [Kind::Dead]);
    let bent_four = "...... XXX... ooX... -oXXX. xoooX. -x-oX.";
    assert_eq!(kinds(bent_four), [Kind::Ko, Kind::BentFour]);
    let seki = "....... XXXXXXX XoooooX Xo-o-oX XoxxxoX";
    assert_eq!(kinds(seki), [Kind::Seki]);
    let race = "....X.O... ....X.O... XXXXXOOOOO X-oooxxx-O";
    assert_eq!(kinds(race), [Kind::Unsettled, Kind::Semeai]);
    let shared = "...XO.... ...XO.... XXXOOOO.. oooxxO... ooo-xO... ooo-xO...";
    assert_eq!(kinds(shared), [Kind::Seki]);
    // White can capture the black stone at the left in a ko. With the ko, it has a second eye.
    let ko = "......... XXXXXXX.. XxooooX.. x-xo-oX.. XxooooX.. XXXXXXX..";
    assert_eq!(kinds(ko), [Kind::Ko]);
}

/// The reference implementation of [`Reader::reaches`], without a table. `None` after too many
/// positions.
struct Slow<'a> {
    fight: &'a Fight,
    favored: Color,
    line: Vec<(Goal, Vec<Option<Color>>, Color)>,
    left: usize,
}

impl Slow<'_> {
    fn reaches(
        &mut self,
        board: &GridBoard,
        goal: Goal,
        to_move: Color,
        passes: usize,
    ) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let Fight { defender, prey, .. } = *self.fight;
        let chain = |stone: Vertex| {
            let mut stones = Vec::new();
            board.for_chain(stone, |point| stones.push(point));
            stones
        };
        let is_free = |stone| chain(stone).iter().any(|at| self.fight.safe[at.index()]);
        let seeker = match goal {
            Goal::Capture | Goal::Break => defender.other(),
            Goal::Take | Goal::Clear => defender,
        };
        if board.at(prey) != Some(defender) {
            return Some(seeker != defender);
        }
        if is_free(prey) {
            return Some(goal == Goal::Clear);
        }
        if let Some(inside) = self.fight.inside
            && goal != Goal::Capture
        {
            if board.at(inside) == Some(defender.other()) {
                if is_free(inside) {
                    return Some(goal == Goal::Break);
                }
            } else if seeker == defender
                && to_move != defender
                && !self.reaches(board, Goal::Capture, defender.other(), 0)?
            {
                return Some(true);
            }
        }
        if passes == 2 {
            return Some(false);
        }
        let seeks = to_move == seeker;
        self.line.push((goal, board.position(), to_move));
        let mut found = !seeks;
        for at in self.fight.area.clone() {
            let is_retaken = passes == 0 && board.ko_point() == Some(at);
            if board.at(at).is_some()
                || board.preview(to_move, at).suicide
                || is_retaken && to_move != self.favored
            {
                continue;
            }
            let mut next = board.clone();
            next.place(to_move, at, |_, _| {});
            let repeated = (goal, next.position(), to_move.other());
            let result = if !self.line.contains(&repeated) {
                self.reaches(&next, goal, to_move.other(), 0)?
            } else if to_move == self.favored {
                seeks
            } else {
                continue;
            };
            if result == seeks {
                found = seeks;
                break;
            }
        }
        if found != seeks {
            found = self.reaches(board, goal, to_move.other(), passes + 1)?;
        }
        self.line.pop();
        Some(found)
    }
}

#[test]
fn reading_agrees_with_the_reference() {
    let mut random = Random::new(11);
    let mut results: HashMap<(Goal, bool), usize> = HashMap::new();
    let size = Size {
        width: 8,
        height: 8,
    };
    for number in 0..1_200 {
        let drawn = match number % 2 {
            0 => shapes::eye(size, Color::BLACK, false, &mut random),
            _ => shapes::strip(size, Color::BLACK, &mut random),
        };
        let Some(Drawn { board, fight, .. }) = drawn else {
            continue;
        };
        let empty = fight.area.iter().filter(|&&at| board.at(at).is_none());
        if empty.count() > 4 {
            continue;
        }
        for goal in [Goal::Capture, Goal::Break, Goal::Take, Goal::Clear] {
            for (first, favored) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let [first, favored] = [first, favored].map(|it| [Color::BLACK, Color::WHITE][it]);
                let mut slow = Slow {
                    fight: &fight,
                    favored,
                    line: Vec::new(),
                    left: 20_000,
                };
                if let Some(expected) = slow.reaches(&board, goal, first, 0) {
                    let found = Reader::new(&fight, favored).reaches(&board, goal, first);
                    assert_eq!(
                        found,
                        Some(expected),
                        "{goal:?} {first} {favored} {fight:?}"
                    );
                    *results.entry((goal, expected)).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(results.len(), 8, "{results:?}");
    assert!(results.values().all(|&count| count > 25), "{results:?}");
}

/// Maximum number of points of an empty region beside a fight. In a larger one, an invader could
/// live.
const OPEN: usize = 40;

fn largest_region(board: &GridBoard) -> usize {
    let mut seen = vec![false; board.points()];
    let mut region = Vec::new();
    let is_empty = |point| board.at(point).is_none();
    let starts = (0..board.points()).map(Vertex::at);
    let sizes = starts.map(|start| {
        if !is_empty(start) || seen[start.index()] {
            return 0;
        }
        flood(board, start, &mut region, &mut seen, is_empty, |_| {});
        region.len()
    });
    sizes.max().unwrap()
}

fn board_of(problem: &Problem, size: Size) -> GridBoard {
    let mut board = size.board(2);
    board.set_position(&problem.stones);
    board
}

#[test]
fn every_kind_is_drawn_on_boards_of_all_sizes() {
    for (width, height) in [(7, 7), (9, 9), (13, 9), (9, 13), (19, 19)] {
        let size = Size { width, height };
        for kind in Kind::ALL {
            let draw = |seed| generate(kind, size, &mut Random::new(seed));
            let problems: Vec<Problem> = (0..4).filter_map(draw).collect();
            assert!(problems.len() > 3, "{kind} on {size}: {}", problems.len());
            let different: HashSet<_> = problems.iter().map(|it| &it.stones).collect();
            assert_eq!(different.len(), problems.len(), "{kind} on {size}");
            for problem in &problems {
                let board = board_of(problem, size);
                let open = largest_region(&board);
                assert!(kind == Kind::Ladder || open <= OPEN, "{open}: {problem:?}");
                for at in (0..width * height).map(Vertex::at) {
                    let count = board.liberties(at, 1, &mut [Vertex::NONE; 8]);
                    assert!(board.at(at).is_none() || count > 0, "{problem:?}");
                }
            }
            assert_eq!(draw(3), draw(3), "the seed decides");
        }
    }
    let players: HashSet<_> = (0..20)
        .filter_map(|seed| {
            let size = Size {
                width: 9,
                height: 9,
            };
            generate(Kind::Unsettled, size, &mut Random::new(seed))
        })
        .map(|problem| problem.to_move)
        .collect();
    assert_eq!(players.len(), 2);
}

#[test]
fn boards_too_small_for_a_kind_get_another() {
    let size = Size {
        width: 5,
        height: 5,
    };
    let mut random = Random::new(1);
    for kind in [Kind::Ladder, Kind::Seki, Kind::Semeai] {
        assert_eq!(generate(kind, size, &mut random), None, "{kind}");
    }
    let kinds: Kinds = "ladder:9,dead:1".parse().unwrap();
    for _ in 0..5 {
        let problem = draw_any(&kinds, size, &mut random).unwrap();
        assert_eq!(problem.kind, Kind::Dead);
    }
    let kinds: Kinds = "ladder".parse().unwrap();
    assert_eq!(draw_any(&kinds, size, &mut random), None);
}

/// Returns the number of problems of a kind whose prey has this status, by the judge of finished
/// games. The second number counts all problems.
fn judged(kind: Kind, status: Status) -> (usize, usize) {
    let size = Size {
        width: 9,
        height: 9,
    };
    let rules = presets::find("chinese").unwrap().rules.clone();
    let (mut agreed, mut count) = (0, 0);
    let mut random = Random::new(21);
    for _ in 0..20 {
        let defender = Color::BLACK;
        let found = (0..TRIES).find_map(|_| {
            let drawn = match kind {
                Kind::BentFour => shapes::eye(size, defender, true, &mut random),
                _ if random.percent(50) => shapes::eye(size, defender, false, &mut random),
                _ => shapes::strip(size, defender, &mut random),
            };
            drawn.filter(|drawn| is_of_kind(kind, drawn, defender) == Some(true))
        });
        let drawn = found.unwrap();
        let game = Game::new(drawn.board, rules.clone(), Points::ZERO, defender);
        let chains = judge(&game);
        let prey = chains
            .iter()
            .find(|(_, stones)| stones.contains(&drawn.fight.prey));
        agreed += usize::from(prey.unwrap().0 == status);
        count += 1;
    }
    (agreed, count)
}

#[test]
fn the_judge_of_games_agrees() {
    for (kind, status) in [
        (Kind::Dead, Status::Dead),
        (Kind::BentFour, Status::Dead),
        (Kind::Seki, Status::Seki),
    ] {
        let (agreed, count) = judged(kind, status);
        println!("{kind}: {agreed} of {count}");
        assert!(10 * agreed >= 8 * count, "{kind}: {agreed} of {count}");
    }
}

#[test]
fn half_of_the_ladders_are_broken() {
    let size = Size {
        width: 13,
        height: 13,
    };
    let mut holding = 0;
    for seed in 0..100 {
        let problem = generate(Kind::Ladder, size, &mut Random::new(seed)).unwrap();
        let board = board_of(&problem, size);
        let mut ladders = Ladders::default();
        ladders.set_board(&board);
        let points = (0..169).map(Vertex::at);
        let mut stones = points.filter(|&at| board.at(at).is_some());
        holding += usize::from(
            stones.any(|at| ladders.capture(at).is_some() && ladders::path(&board, at).is_some()),
        );
    }
    assert!((30..=75).contains(&holding), "{holding} of 100");
}
