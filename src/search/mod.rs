//! Monte-Carlo tree search with RAVE, over any board.
//!
//! Each playout walks down the tree by [`tree::Node::urgency`], plays the position out, and adds the result on the way back,
//! to the moves made and to all moves as if first (Gelly and Silver 2007). Threads share the tree (Chaslot et al. 2008) and
//! keep apart through virtual losses. With one thread, a seed, a playout limit and no network, the same moves come out
//! everywhere: the arithmetic is additions, multiplications and divisions of IEEE floats, and nothing else. With a network
//! they do on machines that compute it by the same kernel.

mod backup;
mod clearing;
mod consult;
mod decide;
mod dissent;
mod enclosure;
mod finished;
mod guide;
mod handicap;
mod judge;
mod limits;
mod margins;
mod noise;
mod opening;
mod ownership;
mod resign;
mod restriction;
mod results;
mod rollout;
mod scout;
mod settled;
mod thrift;
pub mod tree;
mod urgent;
mod verdict;
mod watch;

pub use decide::{Choice, decide};
pub use dissent::playout_percent;
pub use guide::Guidance;
pub use judge::{JUDGED_IN, Status, judge, sample};
pub use limits::Limits;
pub use margins::Lead;
pub use noise::Noise;
pub use opening::{Variety, vary};
pub use ownership::Ownership;
pub use resign::{LostTurns, is_lost};
pub use restriction::Restriction;
pub use verdict::{Candidate, Verdict};
pub use watch::Watch;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::playout::{Chance, Style};
use crate::policy::Terrain;
use crate::rules::{DeadStones, Points};
use crate::vertex::{Move, Vertex};
use dissent::Dissent;
use limits::Budget;
use margins::Margins;
use rollout::{Shared, Worker};
use tree::{Size, Tree};
use watch::Ending;

/// Playouts that find dead stones before a search.
const DEAD_SAMPLES: usize = 128;

/// The part of the time, one in so many, after which no more is copied of what is kept of a tree.
const COPYING: u32 = 4;

/// The part of the time, one in so many, after which a search begins, however much is known about dead stones by then.
const JUDGING: u32 = 2;

/// How a searcher works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// Seed of all chance.
    pub seed: u64,
    /// Memory for the tree in bytes.
    pub memory: usize,
    /// Playout style.
    pub style: Style,
    /// The network that is asked where it suits.
    pub guidance: Option<Guidance>,
}

/// What a search is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Who is to move.
    pub to_move: Color,
    /// What the answer may cost.
    pub limits: Limits,
    /// Since when time counts.
    pub start: Instant,
    /// Moves that are not looked at. Where nothing would be left they do not hold.
    pub restrictions: &'q [Restriction],
    /// Noise at the root, where a network guides the search. It begins with a tree of its own.
    pub noise: Option<Noise>,
    /// Whether a handicap is made up for early in the game. A search for a move can do with that, whoever wants to know how
    /// things are cannot.
    pub dynamic_komi: bool,
    /// True if the search ends at once where only one move can be played. An analysis goes on, and
    /// so does pondering.
    pub ends_if_forced: bool,
}

/// What the threads of a search have gathered together.
fn held(ownership: &Mutex<Ownership>) -> MutexGuard<'_, Ownership> {
    // A sum that a panic has cut short is still a sum of samples.
    ownership.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `search` in a thread of its own while this one reports to `watch` the results so far, as
/// soon as there are any.
fn watched(
    search: impl FnOnce() + Send,
    start: Instant,
    watch: Watch<'_>,
    so_far: impl Fn() -> Option<Verdict>,
) {
    let ending = Ending::default();
    thread::scope(|scope| {
        let ends = ending.on_drop();
        scope.spawn(move || {
            let _ends = ends;
            search();
        });
        let mut next = start + watch.interval;
        while !ending.wait_until(next) {
            if let Some(verdict) = so_far() {
                (watch.report)(&verdict);
            }
            // Where reporting takes longer than the interval, some are left out.
            next = (next + watch.interval).max(Instant::now());
        }
    });
}

/// A tree, and the position at its root.
#[derive(Debug)]
struct Grown {
    tree: Tree,
    to_move: Color,
    /// Moves of the game up to there.
    moves: Vec<(Color, Move)>,
    /// Whether its results are those of the game, with nothing made up for.
    even: bool,
}

/// A search tree that follows a game.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    grown: Option<Grown>,
    terrain: Option<Terrain>,
    pool: Option<rayon::ThreadPool>,
    /// Searches made, so that each has its own chance.
    searches: u64,
}

impl Searcher {
    /// A searcher without a tree.
    pub fn new(settings: Settings) -> Searcher {
        Searcher {
            settings,
            grown: None,
            terrain: None,
            pool: None,
            searches: 0,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the settings and forgets the tree.
    pub fn set_settings(&mut self, settings: Settings) {
        // What the board looks like does not depend on settings, and takes long to find out on large boards.
        *self = Searcher {
            terrain: self.terrain.take(),
            ..Searcher::new(settings)
        };
    }

    /// How large the tree is that the latest search left.
    pub fn size(&self) -> Size {
        self.grown
            .as_ref()
            .map_or_else(Size::default, |grown| grown.tree.size())
    }

    /// Forgets the tree: the rules, the komi or the start of the game changed.
    pub fn forget(&mut self) {
        self.grown = None;
    }

    /// Forgets the tree and counts searches from the beginning, as for a new game.
    pub fn renew(&mut self) {
        self.grown = None;
        self.searches = 0;
    }

    /// Thinks about the position with `to_move` to move.
    pub fn think<B: Board>(
        &mut self,
        game: &Game<B>,
        to_move: Color,
        limits: Limits,
        stop: &AtomicBool,
        start: Instant,
    ) -> Verdict {
        let question = Question {
            to_move,
            limits,
            start,
            restrictions: &[],
            noise: None,
            dynamic_komi: false,
            ends_if_forced: true,
        };
        self.answer(game, question, stop, None)
    }

    /// Thinks about a position, and lets somebody watch.
    pub fn answer<B: Board>(
        &mut self,
        game: &Game<B>,
        question: Question<'_>,
        stop: &AtomicBool,
        watch: Option<Watch<'_>>,
    ) -> Verdict {
        let Question {
            to_move,
            limits,
            start,
            restrictions,
            noise,
            dynamic_komi,
            ends_if_forced,
        } = question;
        if !restrictions.is_empty() || noise.is_some() {
            // What was left out for one question is missing in the next, and what was expected without noise would stay.
            self.forget();
        }
        // Whether so much of the time is over, one part in so many.
        let spent = |part: u32| {
            let by = limits.time.map(|time| start + time / part);
            move || stop.load(Relaxed) || by.is_some_and(|by| Instant::now() >= by)
        };
        let compensation = if dynamic_komi {
            handicap::compensation(game, spent(COPYING))
        } else {
            Points::ZERO
        };
        let even = compensation == Points::ZERO;
        if self.grown.as_ref().is_some_and(|grown| grown.even != even) {
            // Results of an evened game and true ones do not mix.
            self.forget();
        }
        let tree = self.tree_for(game, to_move, spent(COPYING));
        let terrain = self
            .terrain
            .take()
            .unwrap_or_else(|| Terrain::of(game.board()));
        let ownership = Mutex::new(Ownership::new(game.board().points(), game.rules().colors));
        let margins = Margins::new(game.board().placements());
        let dissent = Dissent::default();
        let dead = self.dead_at_root(game, spent(JUDGING));
        let kept = tree.node(tree.root()).visits();
        let budget = Budget::new(limits, kept, start, stop);
        let seed = self.settings.seed ^ self.searches.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.searches += 1;
        let threads = self.settings.threads.max(1);
        let guidance = self.settings.guidance.as_ref();
        let mut shared = Shared {
            game,
            to_move,
            tree: &tree,
            terrain: &terrain,
            dead: &dead,
            compensation,
            restrictions,
            noise,
            ends_if_forced,
            margins: &margins,
            dissent: &dissent,
            ownership: &ownership,
            guidance: guidance.filter(|guidance| guidance.suits(game)),
            proposed: &[],
        };
        let chance_of = |thread: u64| {
            Chance::new(seed.wrapping_add(thread.wrapping_mul(0xd1b5_4a32_d192_ed03)))
        };
        let style = self.settings.style;
        let proposed = if shared.guidance.is_some() && noise.is_none() {
            scout::scout(
                &shared,
                style,
                chance_of(threads as u64),
                limits,
                start,
                stop,
            )
        } else {
            Vec::new()
        };
        shared.proposed = &proposed;
        let worker = |thread: u64| Worker::new(shared, style, chance_of(thread)).run(&budget);
        let search = || match self.pool(threads) {
            Some(pool) => pool.scope(|scope| {
                for thread in 1..threads as u64 {
                    let worker = &worker;
                    scope.spawn(move |_| worker(thread));
                }
                worker(0);
            }),
            None => worker(0),
        };
        match watch {
            Some(watch) => watched(search, start, watch, || {
                let known = kept > 0 || budget.has_result();
                known.then(|| Verdict::of(&tree, held(&ownership).clone(), &margins))
            }),
            None => search(),
        }
        let mut ownership = held(&ownership).clone();
        settled::settle(game, &mut ownership);
        let verdict = Verdict::of(&tree, ownership, &margins);
        self.terrain = Some(terrain);
        if restrictions.is_empty() {
            self.grown = Some(Grown {
                tree,
                to_move,
                moves: game.moves().collect(),
                even,
            });
        }
        verdict
    }

    /// Stones that players would agree are dead, where the ruleset has them agree and the game is far enough.
    fn dead_at_root<B: Board>(
        &self,
        game: &Game<B>,
        enough: impl Fn() -> bool,
    ) -> Vec<(Vertex, Color)> {
        let board = game.board();
        let late = board.vacant().len() * 5 <= board.placements() * 3
            || game.moves().last().is_some_and(|m| m.1 == Move::Pass);
        match game.rules().dead {
            DeadStones::Agreed if late => {
                let colors = game.rules().colors;
                let sampled = judge::sample_until(board, colors, DEAD_SAMPLES, enough);
                decide::surely_dead(board, &sampled)
            }
            DeadStones::Agreed | DeadStones::None => Vec::new(),
        }
    }

    /// Where more than one thread works: a pool of so many, made once.
    fn pool(&self, threads: usize) -> Option<&rayon::ThreadPool> {
        if threads == 1 {
            None
        } else {
            self.pool.as_ref()
        }
    }

    /// The part of the tree grown so far that belongs to the present position, as far as copied before `enough` says so, or
    /// a new tree.
    fn tree_for<B: Board>(
        &mut self,
        game: &Game<B>,
        to_move: Color,
        enough: impl Fn() -> bool,
    ) -> Tree {
        let threads = self.settings.threads;
        if threads > 1 && self.pool.is_none() {
            self.pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .ok();
        }
        // Half each: while a subtree is copied, the old tree is there as well.
        let bytes = self.settings.memory / 2;
        let Some(Grown {
            tree,
            to_move: mut turn,
            moves,
            even: _,
        }) = self.grown.take()
        else {
            return Tree::new(bytes);
        };
        let now: Vec<(Color, Move)> = game.moves().collect();
        if game.rules().dead == DeadStones::Agreed
            && now.last().is_some_and(|&(_, mv)| mv == Move::Pass)
        {
            // The tree took a second pass for the end of the game; from here on it is not.
            return Tree::new(bytes);
        }
        let Some(since) = now.strip_prefix(moves.as_slice()) else {
            return Tree::new(bytes);
        };
        let mut root = tree.root();
        for &(color, mv) in since {
            let found = tree
                .children(root)
                .iter()
                .position(|child| child.mv() == mv);
            match found {
                Some(number) if color == turn => root = tree.child(root, number),
                _ => return Tree::new(bytes),
            }
            turn = turn.next(game.rules().colors);
        }
        if turn != to_move {
            Tree::new(bytes)
        } else if root == tree.root() {
            tree
        } else {
            tree.subtree(root, bytes, enough)
        }
    }
}
