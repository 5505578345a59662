//! Lines of play that follow proven strategies.

use super::holders::FREE;
use super::open::{Field, Place};
use super::state_space::Stones;
use super::{MOST_OPEN, MOST_STEPS, Plan, Retrograde, Root};
use crate::solver_rules::Seen;

/// Maximum number of moves in a line.
const MOST_TURNS: usize = 400;

/// A move: the point of a placement, or `None` for a pass.
type Turn = Option<u32>;

impl Retrograde {
    /// Returns a line from `root` in which both players follow their plans. A player has no plan if
    /// it has nothing left to lose; it passes, or plays the first legal placement if passing is
    /// illegal. The line may end early, for example if `is_over` returns true.
    pub(crate) fn line(
        &self,
        root: &Root,
        plans: [Option<&Plan>; 2],
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Turn> {
        let mut place = Place {
            stones: root.stones,
            mover: root.mover,
            ko: FREE,
        };
        let mut history = root.history.clone();
        history.push((place.stones, place.mover));
        let (mut line, mut passed) = (Vec::new(), root.passed);
        while line.len() < MOST_TURNS && !is_over() {
            let step = match plans.get(usize::from(place.mover)) {
                Some(Some(plan)) => self.step(plan, place, passed, &history),
                _ if plans.iter().flatten().any(|plan| plan.can_pass()) => {
                    Some((None, place.passed()))
                }
                _ => {
                    let mut steps = self.placements(place);
                    steps.find(|(_, next)| self.is_new(*next, &history))
                }
            };
            let Some((turn, next)) = step else { break };
            line.push(turn);
            if turn.is_none() && passed {
                break;
            }
            passed = turn.is_none();
            place = next;
            history.push((place.stones, place.mover));
        }
        line
    }

    fn placements(&self, place: Place) -> impl Iterator<Item = (Turn, Place)> {
        let steps = self
            .state_space
            .placements(place.stones, usize::from(place.mover), place.ko);
        steps.into_iter().map(move |(at, stones, ko)| {
            let next = Place {
                stones,
                mover: 1 - place.mover,
                ko,
            };
            (Some(at), next)
        })
    }

    fn is_new(&self, place: Place, history: &[(Stones, u8)]) -> bool {
        history.iter().all(|&(stones, mover)| {
            stones != place.stones
                || match self.seen {
                    Seen::Positions => false,
                    Seen::Situations => mover != place.mover,
                }
        })
    }

    /// Returns the next move of the player to move by its plan.
    fn step(
        &self,
        plan: &Plan,
        place: Place,
        passed: bool,
        history: &[(Stones, u8)],
    ) -> Option<(Turn, Place)> {
        let state_space = &self.state_space;
        let of = |place: Place| state_space.state(place.stones, usize::from(place.mover), place.ko);
        let state = of(place)?;
        let number = state_space.base(state).0 / 2;
        let wins_by_passes = plan.end.winner_by_passes(number) == Some(place.mover);
        if wins_by_passes && passed {
            return Some((None, place.passed()));
        }
        let pass = wins_by_passes.then(|| (None, place.passed()));
        let mut steps = pass.into_iter().chain(self.placements(place));
        if plan.holders.holder(state) == Some(place.mover) {
            let moves = plan
                .holders
                .moves(state_space, &plan.end, &plan.avoided, state);
            let &(_, best) = moves.first()?;
            return steps.find(|(_, next)| of(*next) == Some(best));
        }
        steps
            .filter(|(turn, next)| turn.is_none() || self.is_new(*next, history))
            .find(|(_, next)| {
                let holder = of(*next).and_then(|next| plan.holders.holder(next));
                holder.map_or_else(
                    || {
                        let (end, holders) = (&plan.end, &plan.holders);
                        let field =
                            Field::of(state_space, end, holders, self.seen, *next, MOST_OPEN);
                        let winner = field.and_then(|mut field| {
                            let found = field.winner(history, MOST_STEPS, &mut |_| Ok(()));
                            found.ok().flatten()
                        });
                        winner == Some(place.mover)
                    },
                    |holder| holder == place.mover,
                )
            })
    }
}
