//! Choice of the move to play after a search: a placement, a pass, or the removal of dead stones.

use std::time::Instant;

use super::dead_stone_removal;
use super::finished;
use super::search_result::{Candidate, EQUAL_IF_DECIDED, MIN_VISITS, SearchResult, is_as_good};
use super::stage;
use super::territory_moves;
use crate::estimate::ownership::Ownership;
use crate::estimate::root_record::Lead;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::{DeadStones, End, Scoring};

/// Action of a player in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play this move.
    Move(Move),
    /// Resign.
    Resign,
}

/// Fraction of the playouts in which a color must own a point for the point to count as settled.
const SETTLED: f64 = 0.95;
/// Fraction of the playouts in which a color must own a point for the point to be probably its
/// territory.
const OWNED: f64 = 0.75;
/// Minimum number of ownership or score lead samples. With fewer, no point counts as settled and no
/// score lead as known.
const SAMPLES: u32 = 16;
/// Maximum mean result that a pass may lose if the opponent then ends the game by passing.
const MAX_PASS_LOSS: f64 = 0.1;
/// Minimum mean result that a pass in the opening must gain compared with the best placement.
const OPENING_PASS_GAIN: f64 = 0.1;
/// The same later under area rules, where some points are undecided.
const PASS_GAIN: f64 = 0.01;
/// A game counts as cycling after 3 moves per possible placement, but not before move 24
/// ([`MIN_CYCLE_MOVES`]).
const CYCLE_MOVES_PER_POINT: f64 = 3.0;
/// Number of moves before which no game counts as cycling.
const MIN_CYCLE_MOVES: f64 = 24.0;
/// Once a game cycles, a pass may lose this much more of the mean result per further round, up to
/// [`MAX_CYCLE_LOSS`]. A round has as many moves as the board has placements.
const CYCLE_LOSS_PER_ROUND: f64 = 0.2;
/// Maximum mean result that a pass may lose because the game cycles.
const MAX_CYCLE_LOSS: f64 = 0.3;

/// Returns the move of `color`.
///
/// A player without a legal move resigns if the rules make a stuck player lose, and otherwise
/// passes. The judgment of dead stones and the choice of moves that capture them end at `by`.
pub fn decide<B: Board>(
    game: &Game<B>,
    color: Color,
    result: &SearchResult,
    by: Instant,
) -> Choice {
    let Some(best) = result.best() else {
        return match game.rules().end {
            End::Stuck => Choice::Resign,
            End::Passes => Choice::Move(Move::Pass),
        };
    };
    match game.rules().end {
        End::Stuck => Choice::Move(best.mv),
        End::Passes => {
            let Some(placement) = result.best_placement() else {
                return Choice::Move(Move::Pass);
            };
            let can_pass = game.can_pass(color);
            let (placement, passes) = match game.rules().scoring {
                Scoring::Territory if result.ownership.samples() >= SAMPLES && can_pass => {
                    let useful = territory_moves::placement(game.board(), result, SETTLED);
                    let late = territory_moves::is_late(game.board(), &result.ownership, SETTLED);
                    let wins =
                        late && game.pass_would_end(color) && wins_by_passing(game, color, result);
                    let choice = useful.unwrap_or(placement);
                    let gain = pass_gain(game, EQUAL_IF_DECIDED);
                    let is_clear = best.mv == Move::Pass && best.value > choice.value + gain;
                    let passes = wins
                        || is_clear
                        || !stage::is_opening(game)
                            && useful.is_none_or(|useful| is_useless(game, result, useful, by));
                    (choice, passes)
                }
                Scoring::Area | Scoring::Stones | Scoring::Territory | Scoring::None => (
                    placement,
                    can_pass && should_pass(game, color, result, best, placement, by),
                ),
            };
            let passes = passes || (can_pass && is_cycling(game, result, placement));
            let spares = |mv| can_spare(game, color, result, placement, mv);
            if (passes || is_settled(game, result))
                && let Some(mv) = removal_move(game, color, by, spares)
            {
                return Choice::Move(mv);
            }
            if passes {
                return Choice::Move(Move::Pass);
            }
            Choice::Move(placement.mv)
        }
    }
}

/// Puts a pass first among the candidates if the rules count territory and [`decide`] passes.
///
/// At the end of a game, moves in a player's own territory win as often as a pass, and get more
/// visits. Clients play the first candidate, and would lose a point by each such move.
pub fn list_best_pass_first<B: Board>(
    game: &Game<B>,
    color: Color,
    result: &mut SearchResult,
    by: Instant,
) {
    let counts_territory = game.rules().scoring == Scoring::Territory;
    let is_tried = result.pass().is_some_and(|pass| pass.visits > 0);
    if counts_territory && is_tried && decide(game, color, result, by) == Choice::Move(Move::Pass) {
        result.put_first(Move::Pass);
    }
}

/// Returns true if the game is finished and this placement is inside territory or a seki.
///
/// After a placement of the opponent, this is tested only where the search expects an owner. The
/// test takes as long as many playouts.
fn is_useless<B: Board>(
    game: &Game<B>,
    result: &SearchResult,
    placement: Candidate,
    by: Instant,
) -> bool {
    let Move::Place(at) = placement.mv else {
        return false;
    };
    let is_answer = matches!(game.moves().next_back(), Some((_, Move::Place(_))));
    let is_owned = || result.ownership.owner(at, OWNED).is_some();
    (!is_answer || is_owned()) && finished::is_useless(game, at, by)
}

/// Returns true if a pass wins at once, or if nothing is left to gain.
///
/// In the opening, a settled board is no reason to pass. White may lose all playouts of a handicap
/// game, but the opponent can still make mistakes.
///
/// If players agree on dead stones, an immediate win is no reason to pass. The opponent may have
/// passed by mistake or as part of a handicap. They pass once the game is finished, even if
/// playouts do not keep a seki.
fn should_pass<B: Board>(
    game: &Game<B>,
    color: Color,
    result: &SearchResult,
    best: Candidate,
    placement: Candidate,
    by: Instant,
) -> bool {
    let counted_at_once = game.rules().dead == DeadStones::None;
    if counted_at_once && game.pass_would_end(color) && wins_by_passing(game, color, result) {
        return true;
    }
    if result.ownership.samples() < SAMPLES {
        return best.mv == Move::Pass;
    }
    let Some(pass) = result.pass().filter(|pass| pass.visits >= MIN_VISITS) else {
        return false;
    };
    let hope = match game.rules().colors {
        0..=2 => result.most_promising_placement().unwrap_or(placement),
        _ => placement,
    };
    if result_as_it_stands(game, color).is_some_and(|ended| ended < hope.value - MAX_PASS_LOSS) {
        // The opponent would pass too.
        return false;
    }
    let is_free = pass.value > hope.value - EQUAL_IF_DECIDED && costs_no_point(pass, hope);
    if is_settled(game, result) && !stage::is_opening(game) {
        let clean = match game.rules().dead {
            DeadStones::Agreed => true,
            // Dead stones must be captured by play, unless they do not affect the winner.
            DeadStones::None => {
                surely_dead(game.board(), &result.ownership).is_empty() || wins(game, color, &[])
            }
        };
        return clean && (is_free || costs_nothing(game, pass.value, hope.value));
    }
    let agreed = game.rules().dead == DeadStones::Agreed;
    if agreed && is_free && !stage::is_opening(game) && is_useless(game, result, placement, by) {
        return true;
    }
    // Some points are undecided. Here a pass must be clearly better than the best placement, as in
    // a seki: by mean result, or by points if both win anyway.
    let gain = pass_gain(game, PASS_GAIN);
    let is_clear = best.mv == Move::Pass && best.value > placement.value + gain;
    is_clear || (pass.value > hope.value - EQUAL_IF_DECIDED && gains_points(pass, placement))
}

/// Returns the mean result that a pass must gain: [`OPENING_PASS_GAIN`] in the opening, where
/// short searches judge moves badly, else `later`.
fn pass_gain<B: Board>(game: &Game<B>, later: f64) -> f64 {
    match stage::is_opening(game) {
        true => OPENING_PASS_GAIN,
        false => later,
    }
}

/// Returns true if a move with the mean result `value` costs nothing compared with a move with
/// `best`.
///
/// With more than two colors, mean results are small and games cycle more easily. Win
/// probabilities then do not show that a game is open, so the threshold is always
/// [`EQUAL_IF_DECIDED`].
fn costs_nothing<B: Board>(game: &Game<B>, value: f64, best: f64) -> bool {
    match game.rules().colors {
        0..=2 => is_as_good(value, best),
        _ => value > best - EQUAL_IF_DECIDED,
    }
}

/// Returns the result of `color` if all players pass now: 0, ½, or 1.
///
/// Returns `None` if players agree on dead stones, because stones then do not count as they stand.
/// Also returns `None` with more than two colors, because the next players to pass need not gain by
/// it.
fn result_as_it_stands<B: Board>(game: &Game<B>, color: Color) -> Option<f64> {
    match game.rules().dead {
        DeadStones::None if game.rules().colors > 2 => None,
        DeadStones::Agreed => None,
        DeadStones::None => {
            let outcome = game.outcome(&[]).ok()?;
            Some(match outcome.winner() {
                Some(winner) => f64::from(u8::from(game.rules().are_allies(winner, color))),
                None => 0.5,
            })
        }
    }
}

/// Returns true if `one` costs less than half a point compared with `other`, with a safety margin
/// of two standard errors. Returns false if either score lead is unknown.
///
/// Under area scoring, this holds if nothing is left to gain, even where win probabilities differ
/// for other reasons.
fn costs_no_point(one: Candidate, other: Candidate) -> bool {
    lead_over(other, one).is_some_and(|(lead, margin)| lead + margin < 0.5)
}

/// Returns true if `one` gains more than half a point compared with `other`, with the same margin.
fn gains_points(one: Candidate, other: Candidate) -> bool {
    lead_over(one, other).is_some_and(|(lead, margin)| lead - margin > 0.5)
}

/// Returns by how many points `one` leads `other`, and two standard errors of that. `None` if
/// either score lead is unknown.
fn lead_over(one: Candidate, other: Candidate) -> Option<(f64, f64)> {
    let known = |candidate: Candidate| candidate.lead.filter(|lead| lead.samples >= SAMPLES);
    let (one, other) = (known(one)?, known(other)?);
    let error = |lead: Lead| lead.deviation * lead.deviation / f64::from(lead.samples);
    let margin = 2.0 * (error(one) + error(other)).sqrt();
    Some((one.mean - other.mean, margin))
}

/// Returns true if the game is cycling and the pass loses little enough. The allowed loss grows
/// with the length of the game.
///
/// A search never repeats a position. But on some boards, such as cycles, no stone is ever
/// permanently alive. Stones are captured and recaptured through thousands of positions, while both
/// players see equal win probabilities. Games in which some points become settled end long before.
fn is_cycling<B: Board>(game: &Game<B>, result: &SearchResult, placement: Candidate) -> bool {
    let placements = game.board().placements().max(1) as f64;
    let beyond =
        game.moves().count() as f64 - MIN_CYCLE_MOVES.max(CYCLE_MOVES_PER_POINT * placements);
    let price = (beyond / placements * CYCLE_LOSS_PER_ROUND).min(MAX_CYCLE_LOSS);
    price > 0.0
        && result
            .pass()
            .is_some_and(|pass| pass.visits >= MIN_VISITS && pass.value + price >= placement.value)
}

/// Returns true if playouts leave no point undecided.
fn is_settled<B: Board>(game: &Game<B>, result: &SearchResult) -> bool {
    let settled = |i: usize| result.ownership.owner(Vertex::at(i), SETTLED).is_some();
    result.ownership.samples() >= SAMPLES && (0..game.board().points()).all(settled)
}

/// Returns a move that leads to the capture of dead stones and for which `spares` returns true.
/// Returns `None` if there is no such move, or if players agree on dead stones.
fn removal_move<B: Board>(
    game: &Game<B>,
    color: Color,
    by: Instant,
    spares: impl Fn(Move) -> bool,
) -> Option<Move> {
    match game.rules().dead {
        DeadStones::None => dead_stone_removal::next(game, color, by, spares),
        DeadStones::Agreed => None,
    }
}

/// Returns true if the player can spare a turn for `mv` instead of the best placement.
///
/// Settled points describe the positions after the best moves. They may be settled only because the
/// search expects a threat to be answered now. In that case the turn is not free. The test
/// therefore uses the win probability of `mv` if the search has tried it. Otherwise it uses a pass
/// that does not end the game, or else any other move.
fn can_spare<B: Board>(
    game: &Game<B>,
    color: Color,
    result: &SearchResult,
    placement: Candidate,
    mv: Move,
) -> bool {
    let keeps = |candidate: &Candidate| costs_nothing(game, candidate.value, placement.value);
    let tried = || result.candidates.iter().filter(|c| c.visits >= MIN_VISITS);
    let one = |mv: Move| tried().find(|c| c.mv == mv);
    let pass = || one(Move::Pass).filter(|_| !game.pass_would_end(color));
    match one(mv).or_else(pass) {
        Some(candidate) => keeps(candidate),
        None => tried().any(|c| c.mv != placement.mv && keeps(c)),
    }
}

/// Returns true if ending the game now is a win for `color`. Only what is certain counts for
/// `color`.
fn wins_by_passing<B: Board>(game: &Game<B>, color: Color, result: &SearchResult) -> bool {
    match game.rules().dead {
        DeadStones::None => wins(game, color, &[]),
        DeadStones::Agreed => {
            if result.ownership.samples() < SAMPLES {
                return false;
            }
            // Own stones count as dead unless they are surely alive. Stones of other colors count
            // as alive unless they are surely dead.
            let mut dead = Vec::new();
            for i in 0..game.board().points() {
                let point = Vertex::at(i);
                let Some(stone) = game.board().at(point) else {
                    continue;
                };
                let own = result.ownership.share(game.board().chain(point), color);
                if (stone == color && own < SETTLED) || (stone != color && own >= SETTLED) {
                    dead.push(point);
                }
            }
            wins(game, color, &dead)
        }
    }
}

/// Returns true if the side of `color` wins the position after the removal of the `dead` stones.
fn wins<B: Board>(game: &Game<B>, color: Color, dead: &[Vertex]) -> bool {
    let winner = game.outcome(dead).ok().and_then(|outcome| outcome.winner());
    winner.is_some_and(|winner| game.rules().are_allies(winner, color))
}

/// Returns the stones on points that surely belong to another color, with their colors, in index
/// order.
pub(crate) fn surely_dead<B: Board>(board: &B, ownership: &Ownership) -> Vec<(Vertex, Color)> {
    (0..board.points())
        .map(Vertex::at)
        .filter_map(|point| board.at(point).map(|stone| (point, stone)))
        .filter(|&(point, stone)| {
            ownership
                .owner(point, SETTLED)
                .is_some_and(|owner| owner != stone)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grow::tree::Proof;
    use omnigo_core::board::BareBoard;
    use std::time::Duration;

    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    /// Game in which White has just threatened the corner. Black must answer at A8 or lose the
    /// corner. White's stone on D6 is dead.
    const THREAT: &str = "C9 G7 F4 H4 C4 G4 F3 G2 F6 F7 E7 E8 D7 F2 E2 E1 G6 H6 H7 H8 D2 G5 F5 D8 C8 C7 C6 B7 B6 B8 B9
        D6 E6 D1 C1 G3 F1 G1 A7 J7 E1 D9";
    /// Final position of this game if Black answers, from the top row down.
    const ANSWERED: &str = "
        .XXOOOOO.
        XXXOOOOOO
        XXXXXOOOO
        XXXXXXXOO
        XXXXXXOOO
        XXXXXXOOO
        XXXXXXOOO
        XXXXXXOOO
        .XXXXXOO.";

    fn empty() -> GridBoard {
        GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap()
    }

    fn vertex(name: &str) -> Vertex {
        let (column, row) = name.split_at(1);
        let x = "ABCDEFGHJ".find(column).unwrap();
        Vertex::at(9 * (row.parse::<usize>().unwrap() - 1) + x)
    }

    fn candidate(mv: Move, visits: u32, value: f64) -> Candidate {
        Candidate {
            mv,
            visits,
            value,
            winrate: value,
            proof: Proof::Open,
            prior: 0.1,
            lead: None,
        }
    }

    fn position(rows: &str) -> Vec<Option<Color>> {
        let rows: Vec<&str> = rows.split_whitespace().collect();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        cells.map(Color::from_symbol).collect()
    }

    /// Returns the game in which White has just threatened, under these rules.
    fn threatened(rules: &str) -> Game<GridBoard> {
        let rules = presets::find(rules).unwrap().rules.clone();
        let mut game = Game::new(empty(), rules, Points::from_halves(14), Color::BLACK);
        for (name, color) in THREAT
            .split_whitespace()
            .zip([Color::BLACK, Color::WHITE].into_iter().cycle())
        {
            game.play(color, Move::Place(vertex(name))).unwrap();
        }
        game
    }

    /// Returns the settled position under these rules, with `komi` half points of komi.
    fn settled(rules: &str, komi: i64) -> Game<GridBoard> {
        let rules = presets::find(rules).unwrap().rules.clone();
        let mut board = empty();
        board.set_position(&position(ANSWERED));
        Game::new(board, rules, Points::from_halves(komi), Color::BLACK)
    }

    /// Returns the ownership after 20 playouts for each of these final positions.
    fn owned(ends: &[&[Option<Color>]]) -> Ownership {
        let mut ownership = Ownership::new(81, 2);
        for end in ends {
            let mut board = empty();
            board.set_position(end);
            (0..20).for_each(|_| ownership.add(&board));
        }
        ownership
    }

    fn decided_soon(game: &Game<GridBoard>, color: Color, result: &SearchResult) -> Choice {
        let by = Instant::now() + Duration::from_secs(60);
        decide(game, color, result, by)
    }

    fn result(candidates: Vec<Candidate>, ownership: &Ownership) -> SearchResult {
        SearchResult {
            visits: candidates.iter().map(|c| c.visits).sum(),
            value: candidates[0].value,
            winrate: candidates[0].winrate,
            share: 0.0,
            candidates,
            lead: None,
            variations: Vec::new(),
            ownership: ownership.clone(),
        }
    }

    #[test]
    fn answers_a_threat_before_capturing_dead_stones() {
        let game = threatened("cgos");
        let [answer, capture] = ["A8", "D5"].map(|name| Move::Place(vertex(name)));
        let ownership = owned(&[&position(ANSWERED)]);
        let decided = |others: &[Candidate]| {
            let mut candidates = vec![candidate(answer, 7747, 0.97)];
            candidates.extend(others);
            decided_soon(&game, Color::BLACK, &result(candidates, &ownership))
        };
        let pass = |value| candidate(Move::Pass, 250, value);
        let taken = |visits, value| candidate(capture, visits, value);
        for urgent in [
            vec![pass(0.02)],
            vec![pass(0.02), taken(3, 0.96)],
            vec![pass(0.96), taken(30, 0.02)],
            vec![],
        ] {
            assert_eq!(decided(&urgent), Choice::Move(answer), "{urgent:?}");
        }
        let other = candidate(Move::Place(vertex("J1")), 30, 0.96);
        for free in [
            vec![pass(0.02), taken(30, 0.96)],
            vec![pass(0.96), taken(3, 0.02)],
            vec![other, taken(3, 0.02)],
        ] {
            assert_eq!(decided(&free), Choice::Move(capture), "{free:?}");
        }
    }

    #[test]
    fn does_not_pass_in_an_undecided_game() {
        let [quiet, better] = ["J9", "A9"].map(|name| Move::Place(vertex(name)));
        let ownership = owned(&[&position(ANSWERED)]);
        // Black has 48 points and White 33. With komi 7, Black wins if all stones count.
        for rules in ["cgos", "chinese"] {
            let game = settled(rules, 14);
            let decided = |most: f64, hope: f64, pass: f64, gain: Option<f64>| {
                let lead = |mean: f64| {
                    gain.is_some().then_some(Lead {
                        mean,
                        deviation: 1.0,
                        samples: 400,
                    })
                };
                let mut candidates = vec![
                    candidate(quiet, 3600, most),
                    candidate(better, 2600, hope),
                    candidate(Move::Pass, 1500, pass),
                ];
                candidates[1].lead = lead(gain.unwrap_or(0.0));
                candidates[2].lead = lead(0.0);
                decided_soon(&game, Color::BLACK, &result(candidates, &ownership))
            };
            let passes = Choice::Move(Move::Pass);
            let plays = Choice::Move(quiet);
            assert_eq!(decided(0.877, 0.899, 0.872, None), plays, "{rules}");
            assert_eq!(decided(0.22, 0.24, 0.22, None), plays, "{rules}");
            assert_eq!(decided(0.877, 0.874, 0.876, None), passes, "{rules}");
            // The loss does not matter if the game is decided, or if no point is lost.
            assert_eq!(decided(0.97, 0.97, 0.96, None), passes, "{rules}");
            assert_eq!(decided(0.877, 0.882, 0.872, Some(0.2)), passes, "{rules}");
            assert_eq!(decided(0.877, 0.882, 0.872, Some(1.0)), plays, "{rules}");
            assert_eq!(decided(0.877, 0.910, 0.872, Some(0.2)), plays, "{rules}");
        }
    }

    #[test]
    fn does_not_pass_if_a_second_pass_would_lose() {
        let placement = Move::Place(vertex("J9"));
        let ownership = owned(&[&position(ANSWERED)]);
        let decided = |rules: &str, komi: i64, value: f64| {
            let game = settled(rules, komi);
            let candidates = vec![
                candidate(placement, 700, value),
                candidate(Move::Pass, 50, value),
            ];
            decided_soon(&game, Color::BLACK, &result(candidates, &ownership))
        };
        let (passes, plays) = (Choice::Move(Move::Pass), Choice::Move(placement));
        assert_eq!(decided("cgos", 29, 0.98), passes);
        assert_eq!(decided("cgos", 31, 0.98), plays);
        // With komi 15, ending the game now is a draw. With komi 15.5 and a win rate of 0.03, Black
        // loses anyway.
        assert_eq!(decided("cgos", 30, 0.98), plays);
        assert_eq!(decided("cgos", 30, 0.5), passes);
        assert_eq!(decided("cgos", 31, 0.03), passes);
        // Agreement removes dead stones, so the position alone does not show the winner.
        assert_eq!(decided("chinese", 31, 0.98), passes);
    }

    #[test]
    fn a_pass_in_the_opening_needs_a_clear_gain() {
        let placement = Move::Place(vertex("H5"));
        let (black, white) = ([Some(Color::BLACK); 81], [Some(Color::WHITE); 81]);
        let ownership = owned(&[&black, &white]);
        for rules in ["japanese", "chinese"] {
            let rules = presets::find(rules).unwrap().rules.clone();
            let game = Game::new(empty(), rules, Points::ZERO, Color::BLACK);
            let decided = |pass: f64| {
                let candidates = vec![
                    candidate(Move::Pass, 110, pass),
                    candidate(placement, 20, 0.06),
                ];
                decided_soon(&game, Color::BLACK, &result(candidates, &ownership))
            };
            assert_eq!(decided(0.1), Choice::Move(placement));
            assert_eq!(decided(0.2), Choice::Move(Move::Pass));
        }
    }

    #[test]
    fn an_unvisited_move_does_not_replace_a_decisive_one() {
        let game = threatened("japanese");
        let [answer, open] = ["A8", "A1"].map(|name| Move::Place(vertex(name)));
        let mut other = position(ANSWERED);
        other[vertex("A1").index()] = Some(Color::WHITE);
        let ownership = owned(&[&position(ANSWERED), &other]);
        let candidates = vec![
            candidate(answer, 772, 0.489),
            candidate(Move::Pass, 25, 0.066),
            candidate(open, 0, 0.5),
        ];
        let found = decided_soon(&game, Color::BLACK, &result(candidates, &ownership));
        assert_eq!(found, Choice::Move(answer));
    }
}
