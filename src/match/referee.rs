//! One game of a match. The referee keeps the board and the rules; the engines choose the moves.

use std::time::Instant;

use super::MatchError;
use super::clock::GameClock;
use super::halt::Halt;
use super::komi::Komi;
use super::options::{Plan, Scorer};
use super::player::{Failure, Player, letter};
use super::process::Fault;
use super::record::{Ending, GameLine};
use super::schedule;
use super::side::{PerSide, Side};
use crate::color::Color;
use crate::engine::Engine;
use crate::notation::{move_alias, move_text, read_move};
use crate::rules::End;
use crate::text::quote;
use crate::vertex::Move;

/// Board and two players that play one game after another.
pub(super) struct Referee<'p> {
    plan: &'p Plan,
    engine: Engine,
    players: PerSide<Player<'p>>,
    halt: &'p Halt,
}

/// Result of a game.
struct GameEnd {
    winner: Option<Color>,
    result: String,
    ending: Ending,
    fault: Option<Side>,
    detail: Option<String>,
    scored_by: Scorer,
}

/// State and measurements of a game.
struct Course {
    game: u32,
    opening: usize,
    clocks: Option<PerSide<GameClock>>,
    asked: PerSide<u32>,
    seconds: PerSide<f64>,
    late: PerSide<u32>,
}

/// Action that an engine chooses.
enum Wish {
    Play(Move),
    Resign,
}

impl<'p> Referee<'p> {
    /// Returns a referee without a game. Games stop early once `halt` is set.
    pub(super) fn new(plan: &'p Plan, halt: &'p Halt) -> Result<Referee<'p>, MatchError> {
        Ok(Referee {
            plan,
            engine: plan.referee()?,
            players: PerSide::new(|side| Player::new(plan, side)),
            halt,
        })
    }

    /// Plays a game to its end. Returns `None` if it was stopped.
    pub(super) fn play(&mut self, game: u32) -> Result<Option<GameLine>, MatchError> {
        self.engine.clear_board();
        let plan = self.plan;
        if plan.settings.handicap > 0 {
            let stones = plan.settings.handicap;
            self.engine.set_handicap(&plan.start(), stones);
        }
        let first = self.engine.to_move();
        let settings = &self.plan.settings;
        schedule::play_opening(&mut self.engine, game, settings.openings, settings.seed);
        let opening = self.engine.moves();
        let komi = plan.komi.of(&mut self.engine);
        self.engine.set_komi(komi);
        for side in Side::ALL {
            self.players.of_mut(side).prepare(komi)?;
        }
        let engines = PerSide::new(|side| self.players.of(side).about());
        let begin = Instant::now();
        let mut course = Course {
            game,
            opening: opening.len(),
            clocks: self
                .plan
                .time
                .map(|time| PerSide::new(|_| GameClock::new(time))),
            asked: PerSide::default(),
            seconds: PerSide::default(),
            late: PerSide::default(),
        };
        let mut game_end = None;
        for (color, mv) in opening {
            for side in Side::ALL {
                if game_end.is_none() {
                    game_end = self.tell(side, game, color, mv);
                }
            }
        }
        let game_end = loop {
            if let Some(game_end) = game_end.or_else(|| self.end(game)) {
                break game_end;
            }
            if self.halt.is_raised() {
                return Ok(None);
            }
            game_end = self.turn(&mut course);
        };
        let millis = |seconds: f64| (seconds * 1e3).round() / 1e3;
        let names = &self.engine.goban().names;
        Ok(Some(GameLine {
            game,
            engines,
            swapped: schedule::swapped(game),
            result: game_end.result,
            winner: game_end.winner.map(|color| schedule::side_of(color, game)),
            ending: game_end.ending,
            fault: game_end.fault,
            detail: game_end.detail,
            scored_by: game_end.scored_by,
            first: first.to_string(),
            opening: course.opening,
            komi: matches!(plan.komi, Komi::Even(_)).then_some(komi.halves() as f64 / 2.0),
            moves: self
                .engine
                .moves()
                .into_iter()
                .map(|(_, mv)| move_alias(names, mv))
                .collect(),
            asked: course.asked,
            seconds: PerSide::new(|side| millis(*course.seconds.of(side))),
            late: course.late,
            total_seconds: millis(begin.elapsed().as_secs_f64()),
            settings: self.plan.settings.clone(),
        }))
    }

    /// Returns the end of the game if the rules or the move limit end the game now.
    fn end(&mut self, game: u32) -> Option<GameEnd> {
        // A game that is over may still list moves: tolerant rules let it continue.
        let to_move = self.engine.to_move();
        if self.engine.is_over() || self.engine.legal_moves(to_move).is_empty() {
            let ending = match self.engine.rules().end {
                End::Stuck => Ending::Stuck,
                End::Passes => Ending::Passes,
            };
            return Some(self.score(game, ending));
        }
        let moves = self.engine.turns();
        let most = self.plan.settings.max_moves as usize;
        (moves >= most).then(|| self.score(game, Ending::MoveLimit))
    }

    /// Plays one move. Returns the end of the game if it ends the game by resignation, time, or a
    /// fault.
    fn turn(&mut self, course: &mut Course) -> Option<GameEnd> {
        let game = course.game;
        let color = self.engine.to_move();
        let side = schedule::side_of(color, game);
        let player = self.players.of_mut(side);
        if let Some(clocks) = &course.clocks {
            let clock = clocks.of(side);
            let limited = self.plan.time.is_some_and(|time| time.limited());
            if limited && let Err(failure) = player.time_left(color, &clock.time_left()) {
                return Some(faulty(side, game, failure, Ending::Illegal));
            }
        }
        let start = Instant::now();
        let answer = player.genmove(color);
        let spent = start.elapsed().as_secs_f64();
        *course.asked.of_mut(side) += 1;
        *course.seconds.of_mut(side) += spent;
        let answer = match answer {
            Ok(answer) => answer,
            Err(failure) => return Some(faulty(side, game, failure, Ending::Illegal)),
        };
        if let Some(clocks) = &mut course.clocks {
            let late = clocks.of_mut(side).charge(spent);
            if late > 0.0 {
                *course.late.of_mut(side) += 1;
            }
            let tolerance = self.plan.settings.time_tolerance;
            if tolerance.is_some_and(|tolerance| late > tolerance) {
                let detail = format!("{late:.2} s late");
                return Some(forfeit(side, game, Ending::Time, detail));
            }
        }
        let mv = match self.read(&answer) {
            Some(Wish::Play(mv)) => mv,
            Some(Wish::Resign) => {
                let winner = color.other();
                return Some(GameEnd {
                    winner: Some(winner),
                    result: format!("{}+R", letter(winner).to_ascii_uppercase()),
                    ending: Ending::Resignation,
                    fault: None,
                    detail: None,
                    scored_by: Scorer::Referee,
                });
            }
            None => {
                let detail = format!("'{}' is not a move", quote(&answer));
                return Some(forfeit(side, game, Ending::Illegal, detail));
            }
        };
        // Check strictly first, because the ruleset's own `play` may accept illegal moves, as
        // servers do.
        let allowed = self.engine.check(color, mv);
        if let Err(reason) = allowed.and_then(|()| self.engine.play(color, mv)) {
            let detail = format!("'{}': {reason}", quote(&answer));
            return Some(forfeit(side, game, Ending::Illegal, detail));
        }
        self.tell(side.other(), game, color, mv)
    }

    /// Sends a move to an engine. Returns the end of the game if the engine does not accept it.
    fn tell(&mut self, side: Side, game: u32, color: Color, mv: Move) -> Option<GameEnd> {
        let word = move_text(self.engine.goban(), mv);
        let told = self.players.of_mut(side).play(color, &word);
        let failure = told.err()?;
        let failure = match failure {
            Failure::Refused(text) => Failure::Refused(format!("{word}: {text}")),
            gone => gone,
        };
        Some(faulty(side, game, failure, Ending::Refused))
    }

    /// Parses an answer to `genmove`. `None` if it is not a move.
    fn read(&self, answer: &str) -> Option<Wish> {
        let word = answer.split_whitespace().next()?;
        if word.eq_ignore_ascii_case("resign") {
            return Some(Wish::Resign);
        }
        read_move(self.engine.goban(), word).map(Wish::Play)
    }

    /// Scores the current position, or asks the engine that has to score.
    fn score(&mut self, game: u32, ending: Ending) -> GameEnd {
        let scorer = self.plan.settings.score;
        let mut detail = None;
        if let Some(side) = scorer.side() {
            let heard = match self.players.of_mut(side).ask("final_score") {
                Ok(answer) => read_score(&answer).ok_or(answer),
                Err(Failure::Refused(text)) => Err(text),
                Err(Failure::Gone(fault)) => {
                    return faulty(side, game, Failure::Gone(fault), Ending::Crash);
                }
            };
            match heard {
                Ok((winner, result)) => {
                    return GameEnd {
                        winner,
                        result,
                        ending,
                        fault: None,
                        detail: None,
                        scored_by: scorer,
                    };
                }
                Err(answer) => detail = Some(format!("'{}' is not a score", quote(&answer))),
            }
        }
        let (winner, result) = match self.engine.outcome() {
            Ok(outcome) => (outcome.winner(), outcome.to_string()),
            // This happens only if no points are counted and the move limit was reached.
            Err(_) => (None, "0".to_owned()),
        };
        GameEnd {
            winner,
            result,
            ending,
            fault: None,
            detail,
            scored_by: Scorer::Referee,
        }
    }
}

/// Parses an answer to `final_score` into winner and text. `None` if it is not a score.
fn read_score(answer: &str) -> Option<(Option<Color>, String)> {
    let word = answer.split_whitespace().next()?.to_ascii_uppercase();
    if ["0", "DRAW", "JIGO"].contains(&word.as_str()) {
        return Some((None, "0".to_owned()));
    }
    let (letter, margin) = word.split_once('+')?;
    let color = match letter {
        "B" => Color::BLACK,
        "W" => Color::WHITE,
        _ => return None,
    };
    if margin.is_empty() {
        return Some((Some(color), word));
    }
    let points: f64 = margin
        .parse()
        .ok()
        .filter(|p: &f64| p.is_finite() && *p >= 0.0)?;
    Some(if points == 0.0 {
        (None, "0".to_owned())
    } else {
        (Some(color), word)
    })
}

/// Returns the end of the game for an engine that loses by its own fault.
fn forfeit(side: Side, game: u32, ending: Ending, detail: String) -> GameEnd {
    let winner = schedule::color_of(side.other(), game);
    let how = if ending == Ending::Time { 'T' } else { 'F' };
    GameEnd {
        winner: Some(winner),
        result: format!("{}+{how}", letter(winner).to_ascii_uppercase()),
        ending,
        fault: Some(side),
        detail: Some(detail),
        scored_by: Scorer::Referee,
    }
}

/// Returns the end of the game for an engine whose answer failed.
fn faulty(side: Side, game: u32, failure: Failure, refusal: Ending) -> GameEnd {
    let (ending, detail) = match failure {
        Failure::Refused(text) => (refusal, quote(&text)),
        Failure::Gone(fault) => {
            let ending = match fault {
                Fault::Silent(_) => Ending::Timeout,
                Fault::TooLong => Ending::Illegal,
                Fault::Ended(_) => Ending::Crash,
            };
            (ending, fault.to_string())
        }
    };
    forfeit(side, game, ending, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_scores_of_engines() {
        let winner = |text: &str| read_score(text).map(|(winner, _)| winner);
        assert_eq!(winner("B+3.5"), Some(Some(Color::BLACK)));
        assert_eq!(winner("w+12 (something)"), Some(Some(Color::WHITE)));
        assert_eq!(winner("B+"), Some(Some(Color::BLACK)));
        assert_eq!(winner("W+0.0"), Some(None));
        assert_eq!(winner("0"), Some(None));
        for text in ["", "?", "B", "X+3", "B+x", "B+nan", "B+-1", "3.5"] {
            assert_eq!(winner(text), None, "{text:?}");
        }
    }
}
