//! Conditions under which the solver supports a game.

use super::answer::Unsolvable;
use super::positions::Positions;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;
use omnigo_core::rules::{
    Bonus, Button, DeadStones, End, Ko, Passing, Points, Scoring, Stuck, Suicide, Tax,
};

/// Maximum number of points if prisoners count.
const MOST_TERRITORY: usize = 36;

/// A reason why the solver does not support a game, and what it supports instead.
struct Obstacle {
    reason: &'static str,
    expected: &'static str,
}

/// Checks that positions of this game have values and that the solver supports them.
pub(super) fn admit<B: BareBoard>(game: &Game<B>) -> Result<(), Unsolvable> {
    let rules = game.rules();
    if rules.colors != 2 {
        return Err(Unsolvable::Players(rules.colors));
    }
    if game.resigned().is_some() {
        return Err(Unsolvable::Resigned);
    }
    let points = game.board().points();
    let most = match rules.scoring {
        Scoring::Area | Scoring::Stones | Scoring::None => Positions::<B>::MOST_POINTS,
        // There can be as many prisoners as positions.
        Scoring::Territory => MOST_TERRITORY,
    };
    if points > most {
        return Err(Unsolvable::TooLarge { points, most });
    }
    let mut obstacles = Vec::new();
    let mut refuse = |reason, expected| obstacles.push(Obstacle { reason, expected });
    match rules.dead {
        DeadStones::None => {}
        DeadStones::Agreed if game.board().has_chains() => {}
        DeadStones::Agreed => refuse("dead stones cannot be proved on this board", "dead=none"),
    }
    match rules.scoring {
        Scoring::Territory if game.board().unit() != Points::whole(1) => refuse(
            "with score=territory, prisoners count whole points",
            "a board with integer weights",
        ),
        Scoring::Territory | Scoring::Area | Scoring::Stones | Scoring::None => {}
    }
    match (rules.scoring, rules.tax) {
        (Scoring::None, _) | (_, Tax::None) => {}
        (_, Tax::Seki | Tax::All) => refuse(
            "seki is a matter of judgment without an exact value",
            "tax=none",
        ),
    }
    match (rules.scoring, rules.button) {
        (Scoring::None, _) | (_, Button::None) => {}
        (_, Button::HalfPoint) => refuse("the solver does not support the button", "button=no"),
    }
    match (rules.scoring, rules.bonus, rules.suicide) {
        (Scoring::None, _, _) | (_, Bonus::None, _) | (_, _, Suicide::Forbidden) => {}
        (_, Bonus::AllButOne | Bonus::All, Suicide::Allowed) => {
            if game.open_handicap(game.to_move()).is_some() {
                refuse(
                    "with suicide=yes, the handicap bonus can grow with each move of Black before White's first",
                    "bonus=0",
                );
            }
        }
    }
    match (rules.ko, rules.passing, rules.scoring) {
        (Ko::Positional | Ko::Situational, _, _) => {}
        (Ko::Simple, Passing::Prisoners, _) => refuse(
            "with pass=prisoners and ko=simple, play can cycle forever with more and more passes",
            "ko=positional",
        ),
        (Ko::Simple, Passing::Free | Passing::Never, Scoring::Territory) => refuse(
            "with score=territory and ko=simple, play can cycle forever with more and more prisoners",
            "ko=positional",
        ),
        (
            Ko::Simple,
            Passing::Free | Passing::Never,
            Scoring::Area | Scoring::Stones | Scoring::None,
        ) => {}
    }
    match (rules.end, rules.passing, rules.stuck) {
        (End::Passes, Passing::Prisoners, _) => refuse(
            "with pass=prisoners and end=passes, a player may have no legal turn",
            "end=stuck",
        ),
        (End::Passes, Passing::Free | Passing::Never, Stuck::MoveOnly) => refuse(
            "with stuck=move-only and end=passes, a player may have no legal turn",
            "stuck=move-or-pass",
        ),
        (End::Passes, Passing::Free | Passing::Never, Stuck::MoveOrPass) | (End::Stuck, _, _) => {}
    }
    match (rules.end, rules.scoring) {
        (End::Passes, _) | (End::Stuck, Scoring::None) => {}
        // All methods assume that more legal moves never hurt a player. A stuck player whose points
        // count may be glad of it.
        (End::Stuck, Scoring::Area | Scoring::Stones | Scoring::Territory) => refuse(
            "with end=stuck, the solver does not support counted points",
            "score=none",
        ),
    }
    if obstacles.is_empty() {
        return Ok(());
    }
    let all =
        |field: fn(&Obstacle) -> &'static str| obstacles.iter().map(field).collect::<Vec<_>>();
    Err(Unsolvable::Rules(format!(
        "{}, expected {}",
        all(|obstacle| obstacle.reason).join("; "),
        all(|obstacle| obstacle.expected).join(",")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::color::Color;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::RulesetText;

    fn game(rules: &str) -> Game<GridBoard> {
        let rules: RulesetText = rules.parse().unwrap();
        let board = GridBoard::new(Grid::new(2, 2).unwrap(), 2).unwrap();
        Game::new(board, rules.rules, Points::ZERO, Color::BLACK)
    }

    #[test]
    fn refuses_counted_points_where_a_stuck_player_ends_the_game() {
        for rules in ["conway,score=area", "conway-prisoners,score=stones"] {
            let problem = admit(&game(rules)).unwrap_err().to_string();
            assert!(problem.ends_with("expected score=none"), "{problem}");
        }
        assert_eq!(admit(&game("conway")), Ok(()));
    }

    #[test]
    fn names_all_settings_at_once() {
        let problem = admit(&game("japanese")).unwrap_err().to_string();
        let expected = "expected tax=none,ko=positional";
        assert!(problem.ends_with(expected), "{problem}");
        assert_eq!(admit(&game("japanese,tax=none,ko=positional")), Ok(()));
    }

    #[test]
    fn refuses_a_resigned_game() {
        let mut game = game("tromp-taylor");
        game.resign(Color::WHITE).unwrap();
        assert_eq!(admit(&game), Err(Unsolvable::Resigned));
    }
}
