//! One object-safe face over every board: the place where a board type is chosen and erased.

mod analysis;
mod begin;
mod cleanup;
mod clock;
mod exact;
mod folding;
mod seat;
mod setup;
mod table;
mod time;

pub use crate::exact::{
    Answer, Bounds, KomiParameter, Progress, Report, Stopped, Theorem, Unsolvable, Wish,
};
pub use crate::search::{
    Candidate, Choice, Guidance, Lead, Ownership, Restriction, Status, Variety, Verdict,
};
pub use analysis::{Analysis, Figures, Inquiry, Listed, Owned};
pub use clock::TimeSettings;
pub use seat::{EngineError, NotOrdinary};
pub use table::Thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::color::Color;
use crate::game::{Agreement, IllegalMove, Outcome, ScoreError};
use crate::graph::goban::Goban;
pub use crate::playout::Style;
use crate::rules::{DeadStones, Points, Ruleset, Scoring, Tax};
use crate::search::{Question, Settings};
use crate::vertex::{Move, Vertex};
use clock::Clock;
use folding::Folding;
use seat::{admit, seat};
use table::{Manner, Table};

/// How an [`Engine`] thinks.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most playouts a move.
    pub playouts: Option<u64>,
    /// Most visits of the root, those kept from earlier searches included.
    pub visits: Option<u64>,
    /// Most seconds a move. Without this, without playouts and without a clock, [`Options::DEFAULT_SECONDS`] hold.
    pub seconds: Option<f64>,
    /// Threads of the search.
    pub threads: usize,
    /// Seed of all chance.
    pub seed: u64,
    /// Win rate below which the engine may resign; 0 never resigns. The expected score, the stage
    /// of the game and two more of its own turns have to agree.
    pub resign_below: f64,
    /// Memory of the search tree in MiB.
    pub memory_mib: usize,
    /// The network that is asked where it suits; without one playouts decide everywhere.
    pub guidance: Option<Guidance>,
    /// Seconds of each move that the clock keeps for what happens outside the search.
    pub lag: f64,
    /// Whether to think in the others' time.
    pub ponders: bool,
    /// How much the first moves of a game vary.
    pub variety: Variety,
    /// How playouts choose their moves.
    pub style: Style,
    /// True if two or more Black moves before White's first move count as handicap stones.
    pub handicap_moves: bool,
    /// Whether a handicap is made up for in the first part of the game, so that both sides see chances.
    pub dynamic_komi: bool,
}

impl Options {
    /// Seconds a move where nothing else bounds them.
    pub const DEFAULT_SECONDS: f64 = 2.0;

    fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            seed: self.seed,
            memory: self.memory_mib.saturating_mul(1 << 20),
            style: self.style,
            guidance: self.guidance.clone(),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            playouts: None,
            visits: None,
            seconds: None,
            threads: 1,
            seed: 1,
            resign_below: 0.05,
            memory_mib: 1024,
            guidance: None,
            lag: 0.06,
            ponders: false,
            variety: Variety::default(),
            style: Style::Tactical,
            handicap_moves: true,
            dynamic_komi: false,
        }
    }
}

/// A game, a search and a clock on some board.
///
/// ```
/// use omnigo::color::Color;
/// use omnigo::engine::{Choice, Engine, Options};
/// use omnigo::graph::spec::Spec;
/// use omnigo::rules::{Points, presets};
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
    table: Box<dyn Table>,
    folding: Folding,
    options: Options,
    time: TimeSettings,
    clocks: [Clock; Color::MAX],
    stop: Arc<AtomicBool>,
    /// Games begun by [`Engine::clear_board`], so that each has draws of its own.
    games: u64,
    /// Whether proven values overrule the search.
    exact: bool,
}

impl Engine {
    /// A new game on this goban.
    ///
    /// # Errors
    /// When the ruleset is one under which no game ends or is decided.
    pub fn new(
        goban: Goban,
        rules: Ruleset,
        komi: Points,
        options: Options,
    ) -> Result<Engine, EngineError> {
        admit(&goban, &rules)?;
        let folding = Folding::of(&goban, &goban.start);
        let table = seat(&goban, &folding, rules, komi, &options);
        let time = TimeSettings::None;
        let stop = Arc::new(AtomicBool::new(false));
        Ok(Engine {
            goban,
            table,
            folding,
            options,
            time,
            clocks: [Clock::new(time); Color::MAX],
            stop,
            games: 0,
            exact: true,
        })
    }

    /// The board without its stones.
    pub fn goban(&self) -> &Goban {
        &self.goban
    }

    /// Replaces the board; a new game starts under the present ruleset and komi.
    ///
    /// # Errors
    /// When the ruleset in force cannot be played on it; then nothing changes.
    pub fn set_goban(&mut self, goban: Goban) -> Result<(), EngineError> {
        let (rules, komi) = (self.table.rules().clone(), self.table.komi());
        self.begin(goban, rules, komi)
    }

    /// The rules in force.
    pub fn rules(&self) -> &Ruleset {
        self.table.rules()
    }

    /// Lets so many colors play; a new game starts on the present board under the present ruleset and komi.
    ///
    /// # Errors
    /// When so many cannot play here; then nothing changes.
    pub fn set_players(&mut self, players: usize) -> Result<(), EngineError> {
        let rules = Ruleset {
            colors: players,
            ..self.table.rules().clone()
        };
        admit(&self.goban, &rules)?;
        self.folding = Folding::of(&self.goban, &self.goban.start);
        let komi = self.table.komi();
        self.table = seat(&self.goban, &self.folding, rules, komi, &self.options);
        self.table.set_exact(self.exact);
        self.clear_board();
        Ok(())
    }

    /// Replaces the rules; board, position, history, komi and the number of players stay.
    ///
    /// # Errors
    /// When the ruleset cannot be played here; then nothing changes.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), EngineError> {
        let rules = Ruleset {
            colors: self.table.rules().colors,
            ..rules
        };
        admit(&self.goban, &rules)?;
        self.table.set_rules(rules);
        if self.table.turns() == 0
            && let Some(first) = self.goban.first(&self.position())
            && first != self.table.to_move()
        {
            // What the board says about its own start holds under every ruleset.
            let start = self.goban.start.clone();
            self.restart(&start, first);
        }
        Ok(())
    }

    /// The komi.
    pub fn komi(&self) -> Points {
        self.table.komi()
    }

    /// Replaces the komi.
    pub fn set_komi(&mut self, komi: Points) {
        self.table.set_komi(komi);
    }

    /// How the engine thinks.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces how the engine thinks.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        self.table.set_search(self.options.settings());
        self.table.set_handicap_moves(self.options.handicap_moves);
    }

    /// Back to the goban's own start; the clocks start anew.
    pub fn clear_board(&mut self) {
        let start = self.goban.start.clone();
        self.restart(&start, self.first(&start));
        self.restart_clocks();
        self.games += 1;
    }

    /// Begins a game from this position of the goban, on the board that suits it.
    fn restart(&mut self, position: &[Option<Color>], first: Color) {
        let folding = Folding::of(&self.goban, position);
        if !folding.is_like(&self.folding) {
            let (rules, komi) = (self.table.rules().clone(), self.table.komi());
            self.table = seat(&self.goban, &folding, rules, komi, &self.options);
            self.table.set_exact(self.exact);
            self.folding = folding;
        }
        self.table.restart(&self.folding.fold(position), first);
    }

    /// Who moves first in this position: the board may say so for its own start, the ruleset says so elsewhere.
    fn first(&self, position: &[Option<Color>]) -> Color {
        let first = self.goban.first(position);
        first.unwrap_or(self.table.rules().first)
    }

    /// Plays as the `play` command does: strict or tolerant after the ruleset.
    ///
    /// # Errors
    /// When the move is refused; then nothing changes.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.table.play(color, mv)
    }

    /// Whether the rules allow the move, strictly.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.table.check(color, mv)
    }

    /// Takes the latest move back; `false` when there is none.
    pub fn undo(&mut self) -> bool {
        self.table.take_back(1)
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.table.to_move()
    }

    /// How many moves were made since the start or the latest set-up.
    pub fn turns(&self) -> usize {
        self.table.turns()
    }

    /// The latest of them.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.table.last_move()
    }

    /// The moves since the start or the latest set-up.
    pub fn moves(&self) -> Vec<(Color, Move)> {
        self.table.moves()
    }

    /// The position in index order.
    pub fn position(&self) -> Vec<Option<Color>> {
        self.folding.unfold(self.table.position())
    }

    /// The position in which [`Engine::moves`] began.
    pub fn start_position(&self) -> Vec<Option<Color>> {
        self.folding.unfold(self.table.start())
    }

    /// A stone of this position that has no liberty, where stones live by liberties.
    pub fn dead_stone(&self, position: &[Option<Color>]) -> Option<Vertex> {
        self.table.dead_stone(&self.folding.fold(position))
    }

    /// Placements that the rules allow in index order, then pass where it is allowed.
    pub fn legal_moves(&self, color: Color) -> Vec<Move> {
        self.table.legal_moves(color)
    }

    /// Passes that may still be spent, or stones captured, by each color that plays.
    pub fn prisoners(&self) -> Vec<Points> {
        Color::all(self.table.rules().colors)
            .map(|color| self.table.counter(color))
            .collect()
    }

    /// What the engine's judgement says about the stones, where the ruleset wants any.
    fn agreement(&self) -> Agreement {
        let rules = self.table.rules();
        let nothing = (rules.dead, rules.tax) == (DeadStones::None, Tax::None);
        if nothing || rules.scoring == Scoring::None {
            return Agreement::default();
        }
        let mut agreement = Agreement::default();
        for (status, stones) in self.table.judge() {
            match (status, rules.dead) {
                (Status::Dead, DeadStones::Agreed) => agreement.dead.extend(stones),
                (Status::Seki, _) => agreement.seki.extend(stones),
                (Status::Dead, DeadStones::None) | (Status::Alive, _) => {}
            }
        }
        agreement
    }

    /// The result of the present position, dead stones taken off where the ruleset says so.
    ///
    /// # Errors
    /// Where nothing is counted and the player to move can go on.
    pub fn outcome(&self) -> Result<Outcome, ScoreError> {
        self.table.outcome(&self.agreement())
    }

    /// The scores of the colors in order under the ruleset in force, komi on White's side; they agree with
    /// [`Engine::outcome`].
    ///
    /// # Errors
    /// Where nothing is counted.
    pub fn scores(&self) -> Result<Vec<Points>, ScoreError> {
        self.table.scores(&self.agreement())
    }

    /// The chains of this status, each a list of stones.
    pub fn chains_with_status(&self, status: Status) -> Vec<Vec<Vertex>> {
        let judged = self.judged_chains().into_iter();
        judged
            .filter(|(found, _)| *found == status)
            .map(|(_, stones)| stones)
            .collect()
    }

    /// All chains, each a list of stones, with what is judged of them.
    pub fn judged_chains(&self) -> Vec<(Status, Vec<Vertex>)> {
        let chains = self.table.judge().into_iter();
        match (self.goban.space(), &self.folding) {
            (Some(space), Folding::Same) => {
                // Judged point by point; what users can name is the stones made of such points, and of one that has several
                // the worst decides.
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
            (Some(_), Folding::Placements(_)) | (None, _) => chains.collect(),
        }
    }

    /// Decides on a move for `color` without playing it or touching the clock.
    pub fn choose(&mut self, color: Color) -> Choice {
        self.think(color).choice
    }

    /// Decides on a move and plays it; its time is charged to the clock of `color`.
    pub fn genmove(&mut self, color: Color) -> Choice {
        let start = Instant::now();
        let thought = self.think(color);
        self.make(color, thought.choice, start)
    }

    /// Plays what was chosen and charges the time since `start` for it.
    fn make(&mut self, color: Color, choice: Choice, start: Instant) -> Choice {
        if let Choice::Move(mv) = choice
            && let Err(reason) = self.table.play(color, mv)
        {
            // Whoever asks for moves after the end gets passes, which strict rules do not play.
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

    /// Searches the position with `color` to move, within the clock and the options.
    pub fn think(&mut self, color: Color) -> Thought {
        let start = Instant::now();
        let question = Question {
            to_move: color,
            limits: self.limits(color),
            start,
            restrictions: &[],
            noise: None,
            dynamic_komi: self.options.dynamic_komi,
            ends_if_forced: true,
        };
        self.table.think(question, &self.stop, self.manner(), None)
    }

    /// How a move is chosen from what a search found.
    fn manner(&self) -> Manner {
        Manner {
            resign_below: self.options.resign_below,
            variety: self.options.variety,
            seed: self.options.seed ^ self.games.wrapping_mul(0xd1b5_4a32_d192_ed03),
        }
    }

    /// While it is raised, searches end as soon as they have begun. Whoever raises it lowers it.
    pub fn stop_signal(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}
