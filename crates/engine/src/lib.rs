//! Engine: one interface to every board. Only this crate chooses the type of a game's board, and it
//! hides the type from callers.

mod analysis;
mod any_game;
mod begin;
mod build;
mod cleanup;
mod clock;
mod decision;
mod exact;
mod figures;
mod judged;
mod level;
mod moves;
mod options;
mod point_map;
mod setup;
mod time;

pub use analysis::{Analysis, AnalysisRequest, Listed, Owned};
pub use build::{EngineError, NotOrdinary};
pub use clock::{Clock, TimeSettings};
pub use decision::Decision;
pub use figures::Figures;
pub use level::Level;
pub use omnigo_core::playout::Style;
pub use omnigo_exact::{
    Answer, Bounds, KomiParameter, Progress, Report, Stopped, Theorem, Unsolvable, Wish,
};
pub use omnigo_search::{
    Candidate, Choice, Guidance, JudgedChain, Lead, NoOutput, Ownership, Parameter, Parameters,
    RawOutput, Restriction, SearchResult, Status, Variety,
};
pub use options::Options;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use any_game::AnyGame;
use build::build_game;
pub use build::check_rules;
use decision::ChoiceSettings;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::game::{Agreement, IllegalMove, Outcome, ScoreError};
use omnigo_core::rules::{DeadStones, Points, Ruleset, Scoring};
use omnigo_graph::goban::Goban;
use omnigo_search::{ANSWERED_IN, SearchRequest};
use point_map::PointMap;

/// Game, search, and clock on some board.
///
/// ```
/// use omnigo_base::color::Color;
/// use omnigo_engine::{Choice, Engine, Options};
/// use omnigo_graph::spec::Spec;
/// use omnigo_core::rules::{Points, presets};
///
/// let goban = "petersen".parse::<Spec>().unwrap().build().unwrap();
/// let rules = presets::find("tromp-taylor").unwrap().rules.clone();
/// let options = Options { playouts: Some(200), ..Options::default() };
/// let mut engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
/// assert!(matches!(engine.genmove(Color::BLACK), Choice::Move(_)));
/// assert_eq!(engine.to_move(), Color::WHITE);
/// ```
pub struct Engine {
    goban: Goban,
    game: Box<dyn AnyGame>,
    point_map: PointMap,
    options: Options,
    time: TimeSettings,
    clocks: [Clock; Color::MAX],
    stop: Arc<AtomicBool>,
    /// Number of calls of [`Engine::clear_board`]. It gives each game its own random opening.
    games: u64,
    /// True if proven values overrule the search.
    exact: bool,
    /// Result in the record of this game, and the moves after which it holds.
    recorded: Option<(String, Vec<(Color, Move)>)>,
}

impl Engine {
    /// Returns an engine with a new game on this goban (the fixed data of a board).
    ///
    /// # Errors
    /// If the rules cannot be played on this board, or are inconsistent.
    pub fn new(
        goban: Goban,
        rules: Ruleset,
        komi: Points,
        options: Options,
    ) -> Result<Engine, EngineError> {
        check_rules(&goban, &rules)?;
        let point_map = PointMap::of(&goban, &goban.start);
        let game = build_game(&goban, &point_map, rules, komi, &options);
        let time = TimeSettings::None;
        let stop = Arc::new(AtomicBool::new(false));
        Ok(Engine {
            goban,
            game,
            point_map,
            options,
            time,
            clocks: [Clock::new(time); Color::MAX],
            stop,
            games: 0,
            exact: true,
            recorded: None,
        })
    }

    /// Returns the board without its stones.
    pub fn goban(&self) -> &Goban {
        &self.goban
    }

    /// Returns the current rules.
    pub fn rules(&self) -> &Ruleset {
        self.game.rules()
    }

    /// Replaces the rules. Keeps the board, position, history, komi, and number of players.
    ///
    /// # Errors
    /// If the rules cannot be played here. Nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), EngineError> {
        let rules = Ruleset {
            colors: self.game.rules().colors,
            ..rules
        };
        check_rules(&self.goban, &rules)?;
        self.recorded = self.recorded.take().filter(|_| rules == *self.game.rules());
        self.game.set_rules(rules);
        Ok(())
    }

    /// Returns the komi.
    pub fn komi(&self) -> Points {
        self.game.komi()
    }

    /// Replaces the komi.
    pub fn set_komi(&mut self, komi: Points) {
        self.recorded = self.recorded.take().filter(|_| komi == self.komi());
        self.game.set_komi(komi);
    }

    /// Returns the settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces the settings. The next search begins with a new tree and restarted random numbers.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        self.game.set_search(self.options.settings());
        self.game.set_handicap_moves(self.options.handicap_moves);
    }

    /// Replaces the settings. Keeps the tree if only limits and choices of moves change, as KataGo
    /// does.
    pub fn change_options(&mut self, options: Options) {
        // Moves that count as a handicap change the scores.
        let is_same_game = options.handicap_moves == self.options.handicap_moves;
        match is_same_game && options.settings() == self.options.settings() {
            true => self.options = options,
            false => self.set_options(options),
        }
    }

    /// Returns the position in index order.
    pub fn position(&self) -> Vec<Option<Color>> {
        self.point_map.to_goban(self.game.position())
    }

    /// Returns the position before the first of [`Engine::moves`].
    pub fn start_position(&self) -> Vec<Option<Color>> {
        self.point_map.to_goban(self.game.start())
    }

    /// Returns a stone of this position without liberties, or `None`. Always `None` on boards where
    /// stones do not live by liberties.
    pub fn stone_without_liberty(&self, position: &[Option<Color>]) -> Option<Vertex> {
        self.game
            .stone_without_liberty(&self.point_map.to_game(position))
    }

    /// Returns true if a network guides searches of the present game.
    pub fn is_guided(&self) -> bool {
        self.game.is_guided()
    }

    /// Returns the output of a network of KataGo for the present position, turned by a symmetry.
    /// The optimistic policy has the weight `optimism`, 0…1, by default that at the root of a
    /// search.
    ///
    /// # Errors
    /// If there is no such network, or if it does not know the board or the rules.
    pub fn raw_output(
        &self,
        symmetry: usize,
        optimism: Option<f32>,
    ) -> Result<RawOutput, NoOutput> {
        self.game.raw_output(symmetry, optimism)
    }

    /// Returns, for each color, the passes it can still spend, or the number of stones it has
    /// captured.
    pub fn prisoners(&self) -> Vec<Points> {
        Color::all(self.game.rules().colors)
            .map(|color| self.game.counter(color))
            .collect()
    }

    /// Returns the engine's judgment of the stones, or an empty one if the rules need none.
    fn agreement(&self) -> Agreement {
        let rules = self.game.rules();
        let mut agreement = Agreement::default();
        if rules.dead == DeadStones::None || rules.scoring == Scoring::None {
            return agreement;
        }
        for (status, stones) in self.game.judge(Instant::now() + ANSWERED_IN) {
            match status {
                Status::Dead => agreement.dead.extend(stones),
                Status::Seki => agreement.seki.extend(stones),
                Status::Alive => {}
            }
        }
        agreement
    }

    /// Returns the result of the current position. Dead stones are removed first if the rules say
    /// so.
    ///
    /// # Errors
    /// If no points are counted and the player to move has a legal move.
    pub fn outcome(&self) -> Result<Outcome, ScoreError> {
        self.game.outcome(&self.agreement())
    }

    /// Returns the scores in order of the colors under the current rules, with komi added to
    /// White's score. They agree with [`Engine::outcome`].
    ///
    /// # Errors
    /// If no points are counted.
    pub fn scores(&self) -> Result<Vec<Points>, ScoreError> {
        self.game.scores(&self.agreement())
    }

    /// Returns the chains of this status, each as a list of stones.
    pub fn chains_with_status(&self, status: Status) -> Vec<Vec<Vertex>> {
        let judged = self.judged_chains().into_iter();
        judged
            .filter(|(found, _)| *found == status)
            .map(|(_, stones)| stones)
            .collect()
    }

    /// Returns all chains with their status, each as a list of stones.
    pub fn judged_chains(&self) -> Vec<JudgedChain> {
        self.judged_chains_by(Instant::now() + ANSWERED_IN)
    }

    /// Like [`Engine::judged_chains`], with the playouts that end before `by`.
    fn judged_chains_by(&self, by: Instant) -> Vec<JudgedChain> {
        let chains = self.game.judge(by).into_iter();
        match (self.goban.space(), &self.point_map) {
            (Some(space), PointMap::Same) => {
                // The game judges single points, but users name stones, which may cover several
                // points. The worst status among its points is the status of a stone.
                let (mut judged, position) = (vec![None; space.points()], self.position());
                for (found, points) in chains {
                    for point in points {
                        judged[point.index()] = Some(found);
                    }
                }
                let of_stone = |number: usize| {
                    let points = space.placement(number);
                    let color = |point: &Vertex| position.get(point.index()).copied().flatten();
                    let first = color(points.first()?)?;
                    let all = points
                        .iter()
                        .map(|point| judged[point.index()].filter(|_| color(point) == Some(first)));
                    all.collect::<Option<Vec<Status>>>()?.into_iter().max()
                };
                (0..space.placements())
                    .filter_map(|number| Some((of_stone(number)?, vec![Vertex::at(number)])))
                    .collect()
            }
            (Some(_), PointMap::Placements(_)) | (None, _) => chains.collect(),
        }
    }

    /// Chooses a move for `color` without playing it and without changing the clock.
    pub fn choose(&mut self, color: Color) -> Choice {
        self.think(color).choice
    }

    /// Chooses a move, plays it, and subtracts its time from the clock of `color`.
    pub fn genmove(&mut self, color: Color) -> Choice {
        let start = Instant::now();
        let decision = self.think(color);
        self.make(color, decision.choice, start)
    }

    /// Plays a chosen move, and subtracts the time since `start` from the clock.
    fn make(&mut self, color: Color, choice: Choice, start: Instant) -> Choice {
        if let Choice::Move(mv) = choice
            && let Err(reason) = self.game.play(color, mv)
        {
            // Requests for a move after the end get a pass, which strict rules then refuse.
            debug_assert!(
                reason == IllegalMove::GameOver,
                "own move {mv:?} refused: {reason}"
            );
        }
        if let Some(clock) = self.clocks.get_mut(color.index()) {
            clock.charge(start.elapsed().as_secs_f64());
        }
        choice
    }

    /// Searches the position with `color` to move, within the limits of the clock and the options.
    pub fn think(&mut self, color: Color) -> Decision {
        let start = Instant::now();
        let search_request = SearchRequest {
            to_move: color,
            limits: self.limits(color),
            start,
            restrictions: &[],
            noise: None,
            analyzes: false,
            ponders: false,
            dynamic_komi: self.options.dynamic_komi,
            ends_early: true,
        };
        self.game
            .think(search_request, &self.stop, self.choice_settings(), None)
    }

    /// Discards the results of earlier searches.
    pub fn forget_search(&mut self) {
        self.game.forget();
    }

    /// Discards the results of earlier searches and resets the random numbers. The next search is
    /// like the first of a game.
    pub fn renew_search(&mut self) {
        self.game.renew();
    }

    /// Returns the settings for choosing a move from a search result.
    fn choice_settings(&self) -> ChoiceSettings {
        let mut variety = self.options.variety;
        if !self.options.imitates() || !self.game.is_guided() {
            variety.imitation = 0.0;
        }
        ChoiceSettings {
            resign_below: self.options.resign_below,
            variety,
            seed: self.options.seed ^ self.games.wrapping_mul(0xd1b5_4a32_d192_ed03),
        }
    }

    /// Returns the stop signal. While it is set, searches end as soon as they start. The caller
    /// that sets it must clear it.
    pub fn stop_signal(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}
