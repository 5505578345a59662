//! Exhaustive reading of a small fight between two groups.
//!
//! A fight takes place on a few points. Its prey is surrounded by safe stones of the hunter. The
//! hunter's own stones inside, if any, are surrounded by the prey. Every move on these points is
//! read, and so are passes.

use crate::board::Board;
use crate::color::Color;
use crate::hash::{FastMap, FastSet};
use crate::vertex::Vertex;

/// Maximum number of positions that a reader reads.
const POSITIONS: usize = 30_000;
/// Maximum number of moves of a line, including passes.
const DEEPEST: usize = 40;

/// Points and groups of a fight.
#[derive(Clone, Debug)]
pub struct Fight {
    /// Points where moves are read.
    pub area: Vec<Vertex>,
    /// Owner of the prey.
    pub defender: Color,
    /// A stone of the prey.
    pub prey: Vertex,
    /// A stone of the hunter that the prey could capture.
    pub inside: Option<Vertex>,
    /// True for points whose stones are safe. A chain that reaches one escapes.
    pub safe: Vec<bool>,
}

/// Goals of a player in a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The hunter captures the prey.
    Capture,
    /// The hunter captures the prey, or its own stone inside escapes.
    Break,
    /// The prey captures the stone inside and survives.
    Take,
    /// The prey captures the stone inside and survives, or it escapes.
    Clear,
}

impl Goal {
    /// Returns true if the prey pursues the goal.
    fn is_of_prey(self) -> bool {
        match self {
            Goal::Capture | Goal::Break => false,
            Goal::Take | Goal::Clear => true,
        }
    }
}

/// A position in a line of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    /// Hash of the stones.
    stones: u64,
    to_move: Color,
    /// Number of passes in a row, from 0 to 2.
    passes: u8,
    /// Point where a capture would retake a ko.
    ko: Option<Vertex>,
}

/// Reader of a fight.
#[derive(Debug)]
pub struct Reader<'a> {
    fight: &'a Fight,
    /// Player who may retake every ko at once. The other may not.
    favored: Color,
    known: FastMap<(Goal, Situation), bool>,
    /// Stones and player of the present line.
    line: FastSet<(Goal, u64, Color)>,
    /// Number of repetitions so far. A result that a repetition may have caused is not kept.
    repetitions: usize,
    left: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader in whose lines one player, `favored`, wins every ko.
    pub fn new(fight: &'a Fight, favored: Color) -> Reader<'a> {
        Reader {
            fight,
            favored,
            known: FastMap::default(),
            line: FastSet::default(),
            repetitions: 0,
            left: POSITIONS,
        }
    }

    /// Returns true if the player who pursues the goal reaches it when `first` moves first. `None`
    /// if that takes too many positions.
    pub fn reaches<B: Board>(&mut self, board: &B, goal: Goal, first: Color) -> Option<bool> {
        self.visit(&mut board.clone(), goal, first, 0, 0)
    }

    /// Returns the player who pursues a goal.
    fn seeker(&self, goal: Goal) -> Color {
        match goal.is_of_prey() {
            true => self.fight.defender,
            false => self.fight.defender.other(),
        }
    }

    fn visit<B: Board>(
        &mut self,
        board: &mut B,
        goal: Goal,
        to_move: Color,
        passes: u8,
        depth: usize,
    ) -> Option<bool> {
        if let Some(reached) = self.reached(board, goal, to_move, depth)? {
            return Some(reached);
        }
        if passes == 2 {
            return Some(false);
        }
        let stones = board.hash();
        let ko = board.ko_point().filter(|_| passes == 0);
        let situation = Situation {
            stones,
            to_move,
            passes,
            ko,
        };
        if let Some(&known) = self.known.get(&(goal, situation)) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        if depth >= DEEPEST {
            return None;
        }
        let before = self.repetitions;
        let seeks = to_move == self.seeker(goal);
        // After passes, the position may be there already.
        let is_new = self.line.insert((goal, stones, to_move));
        let best = self.best(board, goal, situation, depth, seeks);
        if is_new {
            self.line.remove(&(goal, stones, to_move));
        }
        let best = best?;
        if self.repetitions == before {
            self.known.insert((goal, situation), best);
        }
        Some(best)
    }

    /// Returns the result of the best move.
    fn best<B: Board>(
        &mut self,
        board: &mut B,
        goal: Goal,
        now: Situation,
        depth: usize,
        seeks: bool,
    ) -> Option<bool> {
        let other = now.to_move.other();
        let fight = self.fight;
        for &at in &fight.area {
            let is_banned = now.ko == Some(at) && now.to_move != self.favored;
            if board.at(at).is_some() || is_banned {
                continue;
            }
            let result = board.with_trial_move(now.to_move, at, |next| {
                if self.line.contains(&(goal, next.hash(), other)) {
                    self.repetitions += 1;
                    // The favored player wins by repetition, and the other may not repeat.
                    return Some(match now.to_move == self.favored {
                        true => seeks,
                        false => !seeks,
                    });
                }
                self.visit(next, goal, other, 0, depth + 1)
            });
            // Suicide has no result.
            if let Some(result) = result
                && result? == seeks
            {
                return Some(seeks);
            }
        }
        self.visit(board, goal, other, now.passes + 1, depth + 1)
    }

    /// Returns whether the goal is reached, if the stones on the board decide that. The outer
    /// `None` is that of [`Reader::reaches`].
    fn reached<B: Board>(
        &mut self,
        board: &mut B,
        goal: Goal,
        to_move: Color,
        depth: usize,
    ) -> Option<Option<bool>> {
        let fight = self.fight;
        let (defender, hunter) = (fight.defender, fight.defender.other());
        if board.at(fight.prey) != Some(defender) {
            return Some(Some(!goal.is_of_prey()));
        }
        if self.escapes(board, fight.prey) {
            return Some(Some(goal == Goal::Clear));
        }
        let Some(inside) = fight.inside.filter(|_| goal != Goal::Capture) else {
            return Some(None);
        };
        if board.at(inside) == Some(hunter) {
            let escapes = self.escapes(board, inside);
            return Some(escapes.then_some(goal == Goal::Break));
        }
        // After the capture, the hunter may still kill the prey.
        if !goal.is_of_prey() || to_move != hunter {
            return Some(None);
        }
        let captured = self.visit(board, Goal::Capture, hunter, 0, depth + 1)?;
        Some((!captured).then_some(true))
    }

    fn escapes<B: Board>(&self, board: &B, stone: Vertex) -> bool {
        let mut escapes = false;
        board.for_chain(stone, |point| escapes |= self.fight.safe[point.index()]);
        escapes
    }
}
