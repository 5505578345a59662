//! Life, death, and seki of groups that enclose stones of their opponent, by local reading.
//!
//! Playouts misjudge nakade shapes, sekis, and bent fours. Each of them depends on moves that a
//! player must not make. If safe stones surround a group that encloses only a few points, all moves
//! on these points can be read.

mod fight;
mod pocket;
mod survey;

use super::judge::{JudgedChain, Status};
use super::ownership::Ownership;
use fight::{Fight, Outside, SAFE};
use omnigo_base::color::Color;
use omnigo_core::board::Board;
use pocket::{Outcome, Pocket};
use survey::{Group, Region, Survey};

/// Maximum number of situations that are read per position, except for [`Outside::Few`], which may
/// add a quarter. They take a fraction of a second.
const SITUATIONS: usize = 200_000;

/// A fight is read with all outside liberties filled if a chain of the group survives in at most
/// this share of the playouts.
const FILLED_BELOW: f64 = 0.5;

/// Numbers of situations that may still be read.
struct Budget {
    /// For all other fights.
    usual: usize,
    /// For fights with few outside liberties. They must not use up the others.
    few_liberties: usize,
    /// For groups in doubt without opposing stones inside.
    doubts: usize,
}

/// Corrects the status of groups that enclose opposing stones, and the status of these stones.
/// Clears `in_doubt` for the chains whose status reading has determined. These include groups in
/// doubt without opposing stones inside, if the player who moves first makes no difference.
///
/// Changes nothing with other than two colors, or on boards without chains.
pub(crate) fn correct<B: Board>(
    board: &B,
    ownership: &Ownership,
    found: &mut [JudgedChain],
    in_doubt: &mut [bool],
) {
    if board.colors() != 2 || !board.has_chains() {
        return;
    }
    let changes = {
        let survey = Survey::of(board, ownership, found);
        let mut changes = Vec::new();
        let mut budget = Budget {
            usual: SITUATIONS,
            few_liberties: SITUATIONS / 4,
            doubts: SITUATIONS / 4,
        };
        let mut groups = survey.groups();
        // Small fights first, because one large fight can use up the budget.
        groups.sort_by_key(Group::size);
        for group in &groups {
            let prisoners = survey.chains_in(&group.regions);
            if !prisoners.is_empty() {
                survey.judge(group, &prisoners, &mut budget, &mut changes);
            } else if group.members.iter().any(|&chain| in_doubt[chain]) {
                survey.confirm(group, found, &mut budget, &mut changes);
            }
        }
        changes
    };
    for (chain, status) in changes {
        found[chain].0 = status;
        in_doubt[chain] = false;
    }
}

impl<B: Board> Survey<'_, B> {
    /// Reads a group that encloses the chains `prisoners`. Adds the chains whose status this
    /// determines to `changes`.
    fn judge(
        &self,
        group: &Group,
        prisoners: &[usize],
        budget: &mut Budget,
        changes: &mut Vec<(usize, Status)>,
    ) {
        if let Some(outcome) = self.read(group, budget) {
            self.apply(outcome, &group.members, prisoners, changes);
        } else if group.regions.len() > 1 {
            for region in &group.regions {
                self.judge_region(group.color, region, budget, changes);
            }
        }
    }

    /// Reads a group without opposing stones inside. Adds its chains to `changes` if the group is
    /// lost although it moves first, or if all of them survive although the opponent does.
    fn confirm(
        &self,
        group: &Group,
        found: &[JudgedChain],
        budget: &mut Budget,
        changes: &mut Vec<(usize, Status)>,
    ) {
        let (color, members) = (group.color, &group.members);
        let fight = self.fight(color, members, &group.regions, Outside::Empty);
        let outcome = fight.pocket().and_then(|it| it.read(&mut budget.doubts));
        if outcome == Some(Outcome::Lost) {
            self.apply(Outcome::Lost, members, &[], changes);
            return;
        }
        let fight = Fight {
            keeps_all: true,
            ..fight
        };
        let survives = fight
            .pocket()
            .and_then(|it| it.survives(&mut budget.doubts));
        if survives == Some(true) {
            let judged = members.iter().filter(|&&it| found[it].0 != Status::Seki);
            changes.extend(judged.map(|&chain| (chain, Status::Alive)));
        }
    }

    /// Reads the fight over one region of a group whose whole fight gave no result. It may decide
    /// about the chains around it. A seki says nothing while the other regions are not read.
    fn judge_region(
        &self,
        color: Color,
        region: &Region,
        budget: &mut Budget,
        changes: &mut Vec<(usize, Status)>,
    ) {
        let regions = std::slice::from_ref(region);
        let prisoners = self.chains_in(regions);
        if !prisoners.is_empty()
            && let Some(pocket) = self.pocket(color, &region.border, regions, Outside::Empty)
            && let Some(outcome @ (Outcome::Lost | Outcome::Alive)) = pocket.read(&mut budget.usual)
        {
            self.apply(outcome, &region.border, &prisoners, changes);
        }
    }

    /// Reads the fight over a group and the regions that it encloses. Returns `None` if it cannot
    /// be read.
    fn read(&self, group: &Group, budget: &mut Budget) -> Option<Outcome> {
        let pocket = |outside| self.pocket(group.color, &group.members, &group.regions, outside);
        if let Some(pocket) = pocket(Outside::Empty) {
            return pocket.read(&mut budget.usual);
        }
        let often_dies = |&chain: &usize| self.chains[chain].share <= FILLED_BELOW;
        // The group lives at least in seki if it does so without outside liberties.
        if group.members.iter().any(often_dies)
            && let Some(pocket) = pocket(Outside::Filled)
            && let Some(outcome @ (Outcome::Alive | Outcome::Seki)) = pocket.read(&mut budget.usual)
        {
            return Some(outcome);
        }
        // A group that lives with fewer outside liberties lives with all of them. A seki says
        // nothing, because the group may do better.
        let outcome = pocket(Outside::Few)?.read(&mut budget.few_liberties)?;
        (outcome == Outcome::Alive).then_some(outcome)
    }

    /// Returns the fight over these chains of `color` and these regions. See [`Fight::pocket`].
    fn pocket(
        &self,
        color: Color,
        members: &[usize],
        regions: &[Region],
        outside: Outside,
    ) -> Option<Pocket> {
        self.fight(color, members, regions, outside).pocket()
    }

    /// Returns the fight in which the group may lose all chains but the largest.
    fn fight<'a>(
        &'a self,
        color: Color,
        members: &'a [usize],
        regions: &[Region],
        outside: Outside,
    ) -> Fight<'a, B> {
        let inside = regions.iter().flat_map(|region| region.points.iter());
        Fight {
            survey: self,
            color,
            members,
            inside: inside.copied().collect(),
            outside,
            keeps_all: false,
        }
    }

    /// Adds the statuses that follow from an outcome for these chains and their prisoners.
    fn apply(
        &self,
        outcome: Outcome,
        members: &[usize],
        prisoners: &[usize],
        changes: &mut Vec<(usize, Status)>,
    ) {
        let survives = |&chain: &usize| self.chains[chain].share >= SAFE;
        let (group, inside) = match outcome {
            Outcome::Open => return,
            Outcome::Lost => (Status::Dead, Status::Alive),
            Outcome::Alive => (Status::Alive, Status::Dead),
            // Both live. Reading cannot tell two eyes inside from a seki.
            Outcome::Seki if members.iter().chain(prisoners).all(survives) => return,
            Outcome::Seki => (Status::Seki, Status::Seki),
        };
        changes.extend(members.iter().map(|&chain| (chain, group)));
        changes.extend(prisoners.iter().map(|&chain| (chain, inside)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::{MAX_JUDGE_TIME, Status, judge, judge_with_doubt};
    use super::*;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::rules::{Points, presets};
    use std::time::Instant;

    fn game_of(rows: &str) -> Game<GridBoard> {
        let rows: Vec<&str> = rows.split_whitespace().collect();
        let (width, height) = (rows[0].len(), rows.len());
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = presets::find("japanese").unwrap().rules.clone();
        Game::new(board, rules, Points::ZERO, Color::BLACK)
    }

    /// Returns the status, the color, and the first stone of each chain.
    fn statuses(rows: &str) -> Vec<(Status, Color, Vertex)> {
        let game = game_of(rows);
        let chains = judge(&game).into_iter();
        chains
            .map(|(status, stones)| (status, game.board().at(stones[0]).unwrap(), stones[0]))
            .collect()
    }

    /// Returns the status of the chain whose first stone has this index.
    fn status_of(rows: &str, first: usize) -> Option<Status> {
        let mut chains = statuses(rows).into_iter();
        let chain = chains.find(|(.., stone)| stone.index() == first);
        chain.map(|(status, ..)| status)
    }

    fn dead(rows: &str) -> Vec<usize> {
        let dead = statuses(rows).into_iter();
        dead.filter(|(status, ..)| *status == Status::Dead)
            .map(|(.., stone)| stone.index())
            .collect()
    }

    #[test]
    fn three_stones_in_a_row_make_seki() {
        let rows = "
            .......
            OO.....
            .OOOOO.
            OO...OO
            OXXXXXO
            OX.X.XO
            .XOOOX.";
        assert_eq!(dead(rows), [0; 0]);
        let seki = statuses(rows).into_iter();
        let seki = seki.filter(|(status, ..)| *status == Status::Seki).count();
        assert_eq!(seki, 2, "Black's chain and the three stones inside");
    }

    #[test]
    fn a_false_eye_can_be_seki() {
        let rows = "
            .XXX...
            OOOXXXX
            .XOOO.X
            OXX.O.X
            OXOOO.X
            OOOXXXX
            .XXX...";
        assert_eq!(dead(rows), [0; 0]);
    }

    #[test]
    fn bent_fours_in_the_corner_are_dead() {
        let rows = "
            .O.XOX.O.
            OXXXOXXXO
            .X.OO..X.
            XX.OO.OXX
            OOO.OOOOO
            XXOO.O.XX
            .X.OOO.X.
            OXXXOXXXO
            .O.XOX.O.";
        let black: Vec<_> = statuses(rows)
            .into_iter()
            .filter(|(_, color, _)| *color == Color::BLACK)
            .collect();
        assert!(
            black.iter().all(|(status, ..)| *status == Status::Dead),
            "{black:?}"
        );
    }

    #[test]
    fn bent_threes_in_two_corners_are_seki() {
        let rows = "
            OO.XOOX..
            OXXX.OX.O
            .OOOOOX..
            OOXXXXX..
            XX.....XX
            ..XXXXXOO
            ..XOOOOO.
            ..XO.XXXO
            ..XOOX.OO";
        // Only the stone on J8 is dead.
        assert_eq!(dead(rows), [71]);
    }

    #[test]
    fn a_seki_does_not_depend_on_outside_liberties() {
        let rows = "
            ...XXX.
            XXXXOOO
            X..OOX.
            X..OXXO
            X..OOX.
            XXXXOOO
            ...XXX.";
        // The white stone on G4 is dead or not: Black has to capture it with four stones in a seki.
        assert!(
            !dead(rows).contains(&Vertex::at(24).index()),
            "{:?}",
            dead(rows)
        );
    }

    #[test]
    fn a_group_that_lives_with_few_outside_liberties_kills_the_stones_inside() {
        let rows = "
            .........
            .X.XXXXX.
            ..X.OOOX.
            ..X.O.XOO
            ..X.OOXO.
            ..X.O.XOO
            ..X.OOOX.
            ...XXXXX.
            .........";
        // Playouts disagree about these chains, so only reading settles them.
        let (chains, in_doubt) = judge_with_doubt(&game_of(rows), Instant::now() + MAX_JUDGE_TIME);
        for ((status, stones), in_doubt) in chains.iter().zip(in_doubt) {
            let expected = match stones[0].index() {
                // Black's stones from G4 to G6, and White's chains.
                33 => Status::Dead,
                22 | 34 => Status::Alive,
                _ => continue,
            };
            assert_eq!((*status, in_doubt), (expected, false), "{stones:?}");
        }
    }

    #[test]
    fn small_fights_are_read_first() {
        // The fight over twelve points in the lower left uses up the budget.
        let rows = "
            .XOOOX.
            OX.X.XO
            OXXXXXO
            OO...OO
            .OOOOO.
            OOOOOOO
            XXXXXO.
            ....XO.
            .O..XOO
            ....XO.";
        let seki = statuses(rows).into_iter();
        let seki = seki.filter(|(status, ..)| *status == Status::Seki).count();
        assert_eq!(
            seki, 2,
            "Black's chain at the top and the three stones inside"
        );
    }

    #[test]
    fn a_square_of_four_points_is_dead() {
        // Playouts let the group live in most cases.
        let rows = ".........
            .XXXXXX..
            .XOOOOX..
            .XO..OX..
            .XO..OX..
            .XOOOOX..
            .XXXXXX..
            .........
            .........";
        assert_eq!(dead(rows), [29]);
    }

    #[test]
    fn reading_confirms_groups_that_need_no_move() {
        // Black's group around six points needs no move, and that around five does. Playouts
        // disagree about both.
        let six = "OX...XO.O OX...XOOO OXXXXXO.O OOOOOOOOO";
        let five = "OX...XO.O OX..XXOOO OXXXXOO.O OOOOOOOOO";
        for (rows, is_settled) in [(six, true), (five, false)] {
            let rows = format!("{rows} .........");
            let (chains, in_doubt) =
                judge_with_doubt(&game_of(&rows), Instant::now() + MAX_JUDGE_TIME);
            let group = chains
                .iter()
                .position(|(_, stones)| stones[0].index() == 19);
            let group = group.unwrap();
            assert_eq!(
                (chains[group].0, in_doubt[group]),
                (Status::Alive, !is_settled),
                "{rows}"
            );
        }
    }

    #[test]
    fn a_chain_whose_liberties_are_filled_can_be_captured() {
        // White's stone on B1 has one liberty, on A1. Black captures it and connects there.
        let rows = "
            ......... ......... ......... ......... .........
            .XXXXX... XXOOOXXXX .XO.OOOOO .OXX.O.O.";
        assert_eq!(dead(rows), [1]);
    }

    #[test]
    fn captured_stones_give_way_to_safe_ones() {
        // Black captures C1 or G1 and connects E1 there.
        let rows = "
            ........... ........... ...........
            ..XXXXX.... ..XOOOX.... ..XO.OX.... ..XOOOX....
            ..XO.OX.... ..XOOOX.... .XXO.OXX... .XO.X.OX...";
        assert!(!dead(rows).contains(&4));
    }

    #[test]
    fn stones_inside_do_not_protect_a_captured_chain() {
        // Black's three stones would be captured if they took White's stone on G4.
        let rows = "
            .X.XXX. .XXXOOO ..X.OX. ..X.OXO ..X.OX. ..XXOOO ...XXX.";
        assert_eq!(dead(rows), [0; 0]);
    }

    #[test]
    fn a_group_can_connect_to_friends() {
        // White's stones from A2 to C2 connect on A3 or on D1.
        let rows = "
            XXX...... OOX...... .OX...... OOX...... .OX......
            OOX...... .XXXXXXXX OOOXOOOOO .XO.O.O.O";
        assert!(!dead(rows).contains(&2));
    }

    #[test]
    fn six_stones_inside_die_if_their_owner_must_fill_its_liberties() {
        // White lets Black capture first, and lives with a second eye in the corner.
        let rows = "
            .XXXXX. XXOOOOO X.O.XX. X.OXXXO X.OOXO. XXXOOOO ..XXXX.";
        assert_eq!(status_of(rows, 18), Some(Status::Dead));
    }

    #[test]
    fn an_eye_does_not_break_a_seki_without_other_liberties() {
        // If Black plays on G3, White captures everything on G5, since G1 is no liberty of Black.
        let rows = "
            .XOOOOO .XXXOXX .X.OOX. .X.OXXX OOOOXO. .OOOXOO O.OOXO.";
        for first in [4, 5] {
            assert_eq!(status_of(rows, first), Some(Status::Seki));
        }
    }

    #[test]
    fn neighbors_with_two_eyes_each_are_not_in_seki() {
        let rows = "OOOOO O.O.O OOOOO XXXXO .X.XO";
        let alive = |(status, ..): (Status, Color, Vertex)| status == Status::Alive;
        assert!(statuses(rows).into_iter().all(alive));
    }

    #[test]
    fn a_shared_last_liberty_is_no_seki() {
        // White takes all of Black's group on A1. If Black takes three stones there, White kills
        // it on A2.
        let rows = "
            ...OXX.X.
            .O.OOXX..
            ..O.OOX..
            OO.OXX...
            XOOOXXX..
            XXXXOX.XX
            OXXXOOXXO
            OOXOOOOOO
            .XXXO.O..";
        assert_eq!(status_of(rows, 1), Some(Status::Dead));
    }
}
