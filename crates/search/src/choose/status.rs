//! Status of the chains at the end of the game: by playouts, and by a search if these leave a chain
//! in doubt.
//!
//! Playouts misjudge fights whose outcome depends on a few exact moves. A search reads those moves.
//! If playouts and a search name different winners, the search decides.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::estimate::judge::{JudgedChain, MAX_JUDGE_TIME, Status, judge_with_doubt};
use crate::estimate::ownership::Ownership;
use crate::grow::limits::Limits;
use crate::{Guidance, SearchResult, Searcher, Settings};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::{Agreement, Game};
use omnigo_core::rules::DeadStones;

/// Number of playouts of each of the two searches.
const PLAYOUTS: u64 = 300;
/// Approximate maximum time of the playouts and both searches together.
pub const ANSWERED_IN: Duration = Duration::from_millis(1900);
/// Maximum memory of the search tree in bytes.
const MEMORY: usize = 1 << 26;
/// Seed of the search. It is fixed, so that the status of a position is the same every time.
const SEED: u64 = 1;
/// Maximum win probability of the playouts' winner at which the search overrules them: the mean of
/// two searches, one with each color to move.
const OVERRULED: f64 = 0.4;
/// Fractions of the search's playouts in which its color must own a chain that lives. The first
/// fraction that changes the winner is used.
const SURVIVES: [f64; 3] = [0.4, 0.5, 0.6];

/// Returns every chain of the position with its status, ordered by first stones. Ends by `by`, or
/// soon after [`ANSWERED_IN`] if that is earlier.
///
/// If players agree on dead stones and playouts leave a chain in doubt, a search checks the winner.
/// The result is the same every time, unless the limits of time end the playouts or the search.
pub fn agreed_status<B: Board>(
    game: &Game<B>,
    settings: &Settings,
    by: Instant,
) -> Vec<JudgedChain> {
    let start = Instant::now();
    let (chains, in_doubt) = judge_with_doubt(game, by.min(start + MAX_JUDGE_TIME));
    let rules = game.rules();
    let can_ask =
        rules.dead == DeadStones::Agreed && rules.colors == 2 && game.board().has_chains();
    if !in_doubt.contains(&true) || !can_ask || game.resigned().is_some() {
        return chains;
    }
    let by = by.min(start + ANSWERED_IN);
    second_opinion(game, settings, &chains, &in_doubt, by).unwrap_or(chains)
}

/// Returns the status of the chains by a search, if the winner by `chains` loses in it.
fn second_opinion<B: Board>(
    game: &Game<B>,
    settings: &Settings,
    chains: &[JudgedChain],
    in_doubt: &[bool],
    by: Instant,
) -> Option<Vec<JudgedChain>> {
    let winner = winner(game, chains)?;
    // With one pass to go, the search would end the game at once and count as the playouts do.
    let mut open = game.before_passes();
    open.forget_order();
    let left = by.saturating_duration_since(Instant::now());
    let first = search(&open, winner, settings, left / 2)?;
    if first.value > 2.0 * OVERRULED {
        return None;
    }
    let left = by.saturating_duration_since(Instant::now());
    let second = search(&open, winner.other(), settings, left)?;
    if (first.value + 1.0 - second.value) / 2.0 > OVERRULED {
        return None;
    }
    let mut ownership = first.ownership;
    ownership.merge(&second.ownership);
    SURVIVES.iter().find_map(|&survives| {
        let searched = by_ownership(game.board(), &ownership, survives, (chains, in_doubt));
        let now = self::winner(game, &searched)?;
        (now != winner).then_some(searched)
    })
}

/// Searches the position with `to_move` to move. `None` if that takes longer than `time`, since a
/// shorter search is not reliable.
fn search<B: Board>(
    game: &Game<B>,
    to_move: Color,
    settings: &Settings,
    time: Duration,
) -> Option<SearchResult> {
    let mut guidance = settings.guidance.clone();
    if let Some(Guidance { parameters, .. }) = &mut guidance {
        *parameters = parameters.judging();
    }
    let mut searcher = Searcher::new(Settings {
        threads: 1,
        seed: SEED,
        memory: settings.memory.min(MEMORY),
        guidance,
        ..settings.clone()
    });
    let limits = Limits {
        playouts: Some(PLAYOUTS),
        time: Some(time),
        ..Limits::default()
    };
    let running = AtomicBool::new(false);
    let start = Instant::now();
    let result = searcher.think(game, to_move, limits, &running, start);
    // A search with an obvious best move may end before all playouts.
    (start.elapsed() < time).then_some(result)
}

/// Returns the winner if these chains are dead or in seki. `None` for a tie.
fn winner<B: Board>(game: &Game<B>, chains: &[JudgedChain]) -> Option<Color> {
    let mut agreement = Agreement::default();
    for (status, stones) in chains {
        match status {
            Status::Dead => agreement.dead.extend(stones),
            Status::Seki => agreement.seki.extend(stones),
            Status::Alive => {}
        }
    }
    game.agreed_outcome(&agreement).ok()?.winner()
}

/// Returns the chains with the status that the ownership of a search gives those in doubt. A chain
/// that the search does not kill keeps its seki.
fn by_ownership<B: Board>(
    board: &B,
    ownership: &Ownership,
    survives: f64,
    (chains, in_doubt): (&[JudgedChain], &[bool]),
) -> Vec<JudgedChain> {
    let status = |old: Status, stones: &[Vertex]| {
        let color = stones.first().and_then(|&stone| board.at(stone));
        let share = color.map_or(0.0, |color| ownership.mean_share(stones, color));
        match old {
            _ if share < survives => Status::Dead,
            Status::Seki => Status::Seki,
            Status::Alive | Status::Dead => Status::Alive,
        }
    };
    chains
        .iter()
        .zip(in_doubt)
        .map(|((old, stones), &in_doubt)| {
            let new = if in_doubt { status(*old, stones) } else { *old };
            (new, stones.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::playout::Style;
    use omnigo_core::rules::{Points, presets};

    #[test]
    fn the_search_overrules_the_playouts() {
        // White's group in the lower left has too few liberties. Playouts save it.
        let rows = "
            ......OOX.XXXO.....
            ....OOOXXXXOOOO....
            .OOOXXXXOOOOXXXOO..
            OOXX..XO.OOXXO.XO..
            OX....XO.OOOX..XO..
            OXX...XXO.OXX.XXXO.
            OOX....XO.OOX.OXO..
            OX...XXOOOXOX.OXO..
            OX...XOOXOXXX.OXOOO
            XX..X.XXXXXOOOOOXXO
            ..X.X.XOX....X.X..X
            .X....XOX..OX.XX.X.
            .OOOOOO.OXXXOXXOX..
            X.O..XO.OXOOOOOOXXX
            .OX.OXO.OXOXO..XOXO
            .XX..XXOOXXXO...OOO
            ....X..OXXXO.O.O...
            .....X.O..XOO......
            ..........XXO......";
        let mut board = GridBoard::new(Grid::new(19, 19).unwrap(), 2).unwrap();
        let cells = rows.split_whitespace().rev().flat_map(str::chars);
        board.set_position(&cells.map(Color::from_symbol).collect::<Vec<_>>());
        let rules = presets::find("japanese").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let settings = Settings {
            threads: 1,
            seed: 1,
            memory: MEMORY,
            style: Style::Tactical,
            guidance: None,
        };
        let by = Instant::now() + Duration::from_secs(100);
        let (chains, in_doubt) = judge_with_doubt(&game, by);
        assert_eq!(winner(&game, &chains), Some(Color::WHITE));
        let searched = second_opinion(&game, &settings, &chains, &in_doubt, by).unwrap();
        assert_eq!(winner(&game, &searched), Some(Color::BLACK));
        let no_time = second_opinion(&game, &settings, &chains, &in_doubt, Instant::now());
        assert_eq!(no_time, None);
    }
}
