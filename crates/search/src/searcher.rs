//! Searcher that keeps its tree while it follows a game.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::choose::search_result::SearchResult;
use crate::estimate::advantage::{Advantage, HandicapAdvantage};
use crate::estimate::certain_points::assign_certain_points;
use crate::estimate::handicap;
use crate::estimate::ownership::Ownership;
use crate::estimate::results::ScorePart;
use crate::estimate::root_record::RootRecord;
use crate::grow::agreement::Agreement;
use crate::grow::blend::Blend;
use crate::grow::cache::Cache;
use crate::grow::guide::Guidance;
use crate::grow::limits::{Budget, Limits};
use crate::grow::restriction::Restriction;
use crate::grow::symmetry::Twins;
use crate::grow::tree::{Node, Size, Tree};
use crate::grow::watch::{Watch, watched};
use crate::grow::worker::{Shared, Worker};
use crate::parameters::Parameters;
use crate::request::{SearchRequest, Settings};
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::playout::Random;
use omnigo_core::policy::Terrain;
use omnigo_core::rules::{DeadStones, Points, Scoring};

/// Estimating dynamic komi and copying the kept tree stop after 1/4 of the time limit.
const COPYING_DIVISOR: u32 = 4;

/// Sampling dead stones stops after 1/2 of the time limit. The search follows.
const JUDGING_DIVISOR: u32 = 2;

/// Maximum number of lines of all batches together. Each needs a thread. More threads than that
/// evaluate their positions one by one.
const MOST_LINES: usize = 256;

/// With a network, evaluations take 1/8 of the memory, and trees the rest.
const CACHE_SHARE: usize = 8;

/// Locks the ownership that the threads of a search share.
fn lock_ownership(ownership: &Mutex<Ownership>) -> MutexGuard<'_, Ownership> {
    // If a thread panicked, the sum may be incomplete, but it is still a sum of samples.
    ownership.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the moves at the root that are equivalent to others, if the parameters leave them out.
fn twins<B: Board>(
    game: &Game<B>,
    to_move: Color,
    restrictions: &[Restriction],
    parameters: Option<Parameters>,
) -> Twins {
    match parameters.is_some_and(|found| found.root_symmetry_pruning) {
        true => Twins::at_root(game, to_move, restrictions),
        false => Twins::default(),
    }
}

/// Conditions of a search. A tree must not hold results of different ones.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Conditions {
    /// True if results are those of the game, without dynamic komi.
    even: bool,
    /// Size of the wide noise at the root. Visits of an analysis with noise must not choose a move.
    wide_noise: f64,
    /// Difference in strength that the network is told.
    advantage: Advantage,
}

/// Tree kept from a search, with the position at its root.
#[derive(Debug)]
pub(crate) struct KeptTree {
    pub(crate) tree: Tree,
    to_move: Color,
    /// Moves of the game up to that position.
    moves: Vec<(Color, Move)>,
    conditions: Conditions,
    /// Mean score lead of its visits for the player to move, as a share of the points, −1…1.
    share: f64,
}

/// Seeds of one search, one for each thread.
#[derive(Clone, Copy, Debug)]
struct Seeds(u64);

impl Seeds {
    /// Returns the random numbers of a thread.
    fn random(self, thread: u64) -> Random {
        Random::new(
            self.0
                .wrapping_add(thread.wrapping_mul(0xd1b5_4a32_d192_ed03)),
        )
    }
}

/// Searcher that keeps its tree while it follows a game.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    pub(crate) kept_tree: Option<KeptTree>,
    /// Evaluations by the network, for the present rules.
    pub(crate) cache: Cache,
    terrain: Option<Terrain>,
    pool: Option<rayon::ThreadPool>,
    /// Assumed difference in strength, if this is a handicap game.
    pub(crate) handicap: HandicapAdvantage,
    /// Number of searches so far. Gives each search its own random numbers.
    searches: u64,
}

impl Searcher {
    /// Creates a searcher without a tree.
    pub fn new(settings: Settings) -> Searcher {
        Searcher {
            cache: Cache::new(settings.memory / CACHE_SHARE),
            settings,
            kept_tree: None,
            terrain: None,
            pool: None,
            handicap: HandicapAdvantage::default(),
            searches: 0,
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns true if a network guides searches of this game.
    pub fn is_guided<B: Board>(&self, game: &Game<B>) -> bool {
        let guidance = self.settings.guidance.as_ref();
        guidance.is_some_and(|guidance| guidance.guides(game))
    }

    /// Replaces the settings and forgets the tree.
    pub fn set_settings(&mut self, settings: Settings) {
        // The terrain does not depend on settings, and takes long to compute on large boards.
        *self = Searcher {
            terrain: self.terrain.take(),
            handicap: std::mem::take(&mut self.handicap),
            ..Searcher::new(settings)
        };
    }

    /// Returns the size of the tree that the latest search kept.
    pub fn size(&self) -> Size {
        self.kept_tree
            .as_ref()
            .map_or_else(Size::default, |kept_tree| kept_tree.tree.size())
    }

    /// Forgets the tree and the evaluations of the network. Required when the rules, the komi, or
    /// the start of the game change.
    pub fn forget(&mut self) {
        self.forget_tree();
        self.cache = Cache::new(self.settings.memory / CACHE_SHARE);
    }

    /// Forgets the tree, so that the next search counts no earlier visits.
    pub fn forget_tree(&mut self) {
        self.kept_tree = None;
    }

    /// Forgets everything and counts searches from 0 again, as for a new game.
    pub fn renew(&mut self) {
        self.forget();
        self.handicap = HandicapAdvantage::default();
        self.searches = 0;
    }

    /// Searches the position with `to_move` to move, without restrictions, noise, or dynamic komi.
    /// Ends at once if only one move can be played.
    pub fn think<B: Board>(
        &mut self,
        game: &Game<B>,
        to_move: Color,
        limits: Limits,
        stop: &AtomicBool,
        start: Instant,
    ) -> SearchResult {
        let request = SearchRequest {
            to_move,
            limits,
            start,
            restrictions: &[],
            noise: None,
            analyzes: false,
            ponders: false,
            dynamic_komi: false,
            ends_early: true,
        };
        self.search(game, request, stop, None)
    }

    /// Returns the conditions of a search. A tree of other conditions is not kept.
    fn conditions<B: Board>(
        &mut self,
        game: &Game<B>,
        request: &SearchRequest<'_>,
        compensation: Points,
        parameters: Option<Parameters>,
    ) -> Conditions {
        Conditions {
            even: compensation == Points::ZERO,
            wide_noise: parameters.map_or(0.0, |found| found.noise_at_root(request.analyzes)),
            advantage: self.advantage(game, request),
        }
    }

    /// Returns the part of the results for the score, in a search that may use the kept tree.
    fn score_part<B: Board>(&self, game: &Game<B>, to_move: Color) -> ScorePart {
        let guidance = self.settings.guidance.as_ref();
        let guidance = guidance.filter(|_| self.is_guided(game));
        match game.rules().scoring {
            Scoring::None => ScorePart::No,
            _ if !guidance.is_none_or(Guidance::knows_score) => ScorePart::Even,
            Scoring::Area | Scoring::Stones | Scoring::Territory => {
                // The lead hardly changes from move to move.
                let of_player = |kept: &KeptTree| match kept.to_move == to_move {
                    true => Some(kept.share),
                    false => (game.rules().colors == 2).then_some(-kept.share),
                };
                ScorePart::Lead(self.kept_tree.as_ref().and_then(of_player))
            }
        }
    }

    /// Searches a position, and reports intermediate results to `watch`.
    pub fn search<B: Board>(
        &mut self,
        game: &Game<B>,
        request: SearchRequest<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> SearchResult {
        let (to_move, start) = (request.to_move, request.start);
        let (restrictions, noise) = (request.restrictions, request.noise);
        if !restrictions.is_empty() || noise.is_some() {
            // The kept tree holds restricted moves, or probabilities without noise.
            self.forget_tree();
        }
        let is_guided = self.is_guided(game);
        let limits = request.limits.with_guidance(is_guided);
        // True after 1/`part` of the time limit, or after a stop.
        let spent = |part: u32| {
            let by = limits.time.map(|time| start + time / part);
            move || stop.load(Relaxed) || by.is_some_and(|by| Instant::now() >= by)
        };
        let compensation = match request.dynamic_komi && !is_guided {
            true => handicap::dynamic_komi(game, spent(COPYING_DIVISOR)),
            false => Points::ZERO,
        };
        let guidance = self.settings.guidance.as_ref().filter(|_| is_guided);
        let parameters = guidance.map(|guidance| guidance.parameters);
        let conditions = self.conditions(game, &request, compensation, parameters);
        self.keep_tree_under(conditions);
        let twins = twins(game, to_move, restrictions, parameters);
        self.create_pool();
        let part = self.score_part(game, to_move);
        let tree = self.tree_for(game, to_move, &twins, spent(COPYING_DIVISOR));
        let known = self.terrain.take();
        let terrain = known.unwrap_or_else(|| Terrain::of(game.board()));
        let points = game.board().points();
        let ownership = Mutex::new(Ownership::new(points, game.rules().colors));
        let record = RootRecord::new(game.board().placements(), points);
        let (blend, center) = (Blend::new(parameters), OnceLock::new());
        let agreement = Agreement::at_root(game, spent(JUDGING_DIVISOR));
        let kept = tree.node(tree.root()).visits();
        let budget = Budget::new(limits, kept, start, stop);
        let seeds = self.next_seeds();
        let guidance = self.settings.guidance.as_ref().filter(|_| is_guided);
        let batches =
            guidance.and_then(|one| one.batches(game.board(), self.threads(), self.most_lines()));
        let shared = Shared {
            game,
            to_move,
            tree: &tree,
            terrain: &terrain,
            agreement: &agreement,
            compensation,
            restrictions,
            twins: &twins,
            noise,
            wide_noise: conditions.wide_noise,
            advantage: conditions.advantage,
            ends_early: request.ends_early,
            record: &record,
            blend: &blend,
            ownership: &ownership,
            cache: &self.cache,
            guidance,
            batches: batches.as_ref(),
            center: &center,
        };
        let parameters = shared.guidance.map(|guidance| &guidance.parameters);
        let result = |ownership| SearchResult::of(&tree, ownership, &record, part, parameters);
        match watch {
            Some(watch) => watched(
                || self.run_threads(shared, seeds, &budget),
                start,
                watch,
                || {
                    let mut moves = tree.children(tree.root()).iter();
                    let has_ended = |child: &Node| record.has_ended(child.index(), child.visits());
                    let known = kept > 0 || budget.has_result() && moves.any(has_ended);
                    known.then(|| result(lock_ownership(&ownership).clone()))
                },
            ),
            None => self.run_threads(shared, seeds, &budget),
        }
        let mut ownership = lock_ownership(&ownership).clone();
        assign_certain_points(game, &mut ownership);
        let result = result(ownership);
        self.terrain = Some(terrain);
        if restrictions.is_empty() {
            self.kept_tree = Some(KeptTree {
                tree,
                to_move,
                moves: game.moves().collect(),
                conditions,
                share: result.share,
            });
        }
        self.note_choice(&request, &result);
        result
    }

    /// Records the win probability of a search that chose a move.
    fn note_choice(&mut self, request: &SearchRequest<'_>, result: &SearchResult) {
        if !request.analyzes && !request.ponders && result.visits > 0 {
            self.handicap.note(request.to_move, result.winrate);
        }
    }

    /// Returns the difference in strength that the network is told.
    fn advantage<B: Board>(&mut self, game: &Game<B>, request: &SearchRequest<'_>) -> Advantage {
        let guidance = self.settings.guidance.as_ref();
        let guidance = guidance.filter(|one| one.knows_advantage() && one.guides(game));
        let player = match request.ponders {
            true => request.to_move.other(),
            false => request.to_move,
        };
        match guidance.map(|guidance| &guidance.parameters) {
            None => Advantage::default(),
            Some(one) if one.playout_doubling_advantage != 0.0 || request.analyzes => {
                one.advantage(player)
            }
            Some(one) => {
                let per_point = one.dynamic_playout_doubling_advantage_cap_per_opp_lead;
                self.handicap.next(game, per_point)
            }
        }
    }

    /// Forgets the kept tree if it grew under other conditions.
    fn keep_tree_under(&mut self, conditions: Conditions) {
        let kept = self.kept_tree.as_ref();
        if kept.is_some_and(|kept| kept.conditions != conditions) {
            self.forget_tree();
        }
    }

    /// Returns the seeds of the next search.
    fn next_seeds(&mut self) -> Seeds {
        let seed = self.settings.seed ^ self.searches.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.searches += 1;
        Seeds(seed)
    }

    /// Runs all threads of a search until the budget is spent.
    fn run_threads<B: Board>(&self, shared: Shared<'_, B>, seeds: Seeds, budget: &Budget<'_>) {
        let style = self.settings.style;
        let worker = |line: u64| Worker::new(shared, style, seeds.random(line));
        let lines = match shared.batches {
            Some(_) => self.most_lines(),
            None => self.threads(),
        };
        if shared.batches.is_some() {
            worker(lines as u64).run_first(budget);
        }
        match self.pool(lines) {
            Some(pool) => pool.scope(|scope| {
                for line in 1..lines as u64 {
                    let worker = &worker;
                    scope.spawn(move |_| worker(line).run(budget));
                }
                worker(0).run(budget);
            }),
            None => worker(0).run(budget),
        }
    }

    /// Returns the number of threads of a search, at least 1.
    fn threads(&self) -> usize {
        self.settings.threads.max(1)
    }

    /// Returns the maximum number of lines that are searched at once. Each is a thread of the pool,
    /// and needs a core only between its evaluations.
    fn most_lines(&self) -> usize {
        let guidance = self.settings.guidance.as_ref();
        let lines = guidance.map_or(1, Guidance::lines_per_thread);
        let threads = self.threads();
        threads.max(MOST_LINES.min(threads.saturating_mul(lines)))
    }

    /// Creates the pool of threads if the settings need one.
    fn create_pool(&mut self) {
        let lines = self.most_lines();
        if lines > 1 && self.pool.is_none() {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(lines);
            self.pool = pool.build().ok();
        }
    }

    /// Returns the pool of threads. `None` for one thread, or if its creation failed.
    fn pool(&self, lines: usize) -> Option<&rayon::ThreadPool> {
        if lines == 1 { None } else { self.pool.as_ref() }
    }

    /// Returns the part of the kept tree that belongs to the present position, or a new tree. Moves
    /// of `twins` are left out of a copied root. Copying stops once `enough` returns true.
    fn tree_for<B: Board>(
        &mut self,
        game: &Game<B>,
        to_move: Color,
        twins: &Twins,
        enough: impl Fn() -> bool,
    ) -> Tree {
        let guidance = self.settings.guidance.as_ref();
        let guidance = guidance.filter(|guidance| guidance.guides(game));
        let cached = guidance.map_or(0, |_| self.settings.memory / CACHE_SHARE);
        // Half for each tree: while a subtree is copied, the old tree still exists.
        let bytes = (self.settings.memory - cached) / 2;
        let parameters = guidance.map(|guidance| &guidance.parameters);
        let new_tree = || Tree::guided_by(parameters, bytes);
        let Some(KeptTree {
            tree,
            to_move: mut turn,
            moves,
            ..
        }) = self.kept_tree.take()
        else {
            return new_tree();
        };
        let now: Vec<(Color, Move)> = game.moves().collect();
        if game.rules().dead == DeadStones::Agreed
            && now.last().is_some_and(|&(_, mv)| mv == Move::Pass)
        {
            // In the kept tree, another pass ends the game. In a search from here, it does not.
            return new_tree();
        }
        let Some(since) = now.strip_prefix(moves.as_slice()) else {
            return new_tree();
        };
        let mut root = tree.root();
        for &(color, mv) in since {
            let found = tree
                .children(root)
                .iter()
                .position(|child| child.mv() == mv);
            match found {
                Some(number) if color == turn => root = tree.child(root, number),
                _ => return new_tree(),
            }
            turn = turn.next(game.rules().colors);
        }
        if turn != to_move {
            new_tree()
        } else if root == tree.root() {
            tree
        } else {
            tree.subtree_without(root, bytes, |mv| twins.contains(mv), enough)
        }
    }
}
