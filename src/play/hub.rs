//! All games of a server.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::MOST_GAMES;
use super::access::{Access, Role};
use super::desk::Desk;
use super::game::{Moves, Start};
use super::question::Question;
use super::queue::{Job, Queue};
use super::room::Room;
use super::socket::GAME_ENDED;
use crate::color::Color;
use crate::engine::Options;

/// Time after which a game that no page looks at is released.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);
/// Minimum memory of a game's search tree, in MiB.
const LEAST_MEMORY: usize = 16;

/// Game that runs in its own thread.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) number: u64,
    pub(super) queue: Arc<Queue>,
    pub(super) question: Arc<Question>,
}

/// First game of the server, and the start of every other game that nothing else describes.
pub(super) struct Opening {
    pub(super) start: Start,
    pub(super) moves: Moves,
    /// Level of the engine's players.
    pub(super) level: Option<usize>,
}

/// Games and services of a server.
pub(super) struct Hub {
    pub(super) access: Access,
    pub(super) desk: Desk,
    pub(super) opening: Opening,
    /// Start of the server's clock.
    pub(super) since: Instant,
    /// Number of open sockets.
    pub(super) sockets: Arc<AtomicUsize>,
    /// True once the program shall end.
    pub(super) quits: AtomicBool,
    /// True if the page may end the program.
    pub(super) is_local: bool,
    options: Options,
    games: Mutex<Games>,
}

#[derive(Default)]
struct Games {
    open: BTreeMap<u64, Handle>,
    next: u64,
}

impl Hub {
    /// Returns a hub without games. The memory of the options is for all games together.
    pub(super) fn new(
        access: Access,
        opening: Opening,
        options: Options,
        is_local: bool,
        desk: Desk,
    ) -> Hub {
        Hub {
            access,
            desk,
            opening,
            since: Instant::now(),
            sockets: Arc::default(),
            quits: AtomicBool::new(false),
            is_local,
            options,
            games: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the options of an engine with its present share of the memory.
    pub(super) fn options(&self) -> Options {
        let games = self.lock().open.len().max(1);
        Options {
            memory_mib: (self.options.memory_mib / games).max(LEAST_MEMORY),
            ..self.options.clone()
        }
    }

    /// Returns the paths of the pages for other people.
    pub(super) fn links(&self) -> Value {
        let players = Color::all(Color::MAX).map(|color| (color.to_string(), Role::Player(color)));
        let roles = players.chain([("watch".to_string(), Role::Watch)]);
        let links = roles.map(|(name, role)| (name, json!(self.access.path(role))));
        Value::Object(links.collect::<Map<String, Value>>())
    }

    /// Returns the game with this number, or the latest one. `None` if there is none.
    pub(super) fn find(&self, number: Option<u64>) -> Option<Handle> {
        let games = self.lock();
        let wanted = number.and_then(|number| games.open.get(&number));
        wanted.or_else(|| games.open.values().next_back()).cloned()
    }

    /// Starts another game, like the first one of the server.
    ///
    /// # Errors
    /// One line, if there are too many games, the system starts no thread, or the rules do not fit.
    pub(super) fn open(self: &Arc<Hub>) -> Result<Handle, String> {
        let handle = {
            let mut games = self.lock();
            if self.quits.load(Ordering::Acquire) {
                return Err("the program ends".to_string());
            }
            if games.open.len() >= MOST_GAMES {
                return Err(format!(
                    "{MOST_GAMES} games are open, the most at once: close all pages of one, and it ends {} minutes later",
                    PATIENCE.as_secs() / 60
                ));
            }
            games.next += 1;
            let handle = Handle {
                number: games.next,
                queue: Arc::new(Queue::new()),
                question: Arc::new(Question::default()),
            };
            games.open.insert(handle.number, handle.clone());
            handle
        };
        let (tell, told) = mpsc::channel();
        let (hub, own) = (Arc::clone(self), handle.clone());
        let run = move || match Room::open(hub, &own) {
            Ok(mut room) => {
                let _ = tell.send(Ok(()));
                if catch_unwind(AssertUnwindSafe(|| room.run())).is_err() {
                    room.close("the game failed");
                }
            }
            Err(line) => {
                let _ = tell.send(Err(line));
            }
        };
        let thread = thread::Builder::new().name("game".to_string());
        let started = thread
            .spawn(run)
            .map_err(|problem| format!("no thread for the game: {problem}"))
            .and_then(|_| told.recv().unwrap_or(Err("the engine failed".to_string())));
        if let Err(line) = started {
            self.remove(handle.number);
            // Another page may have found the game in the meantime, and waits for its welcome.
            handle
                .queue
                .close(GAME_ENDED, "the game could not be started");
            return Err(line);
        }
        self.share();
        Ok(handle)
    }

    /// Forgets a game.
    pub(super) fn remove(&self, number: u64) {
        self.lock().open.remove(&number);
        self.share();
    }

    /// Tells all games that their share of the memory has changed.
    fn share(&self) {
        let handles: Vec<Handle> = self.lock().open.values().cloned().collect();
        for handle in handles {
            handle.queue.push(Job::Share);
        }
    }

    /// Waits until all games have ended and all sockets are closed, at most this long.
    pub(super) fn wait_for_end(&self, longest: Duration) {
        const LOOK: Duration = Duration::from_millis(10);
        let since = Instant::now();
        while since.elapsed() < longest {
            let sockets = self.sockets.load(Ordering::Acquire);
            if sockets == 0 && self.lock().open.is_empty() {
                return;
            }
            thread::sleep(LOOK);
        }
    }

    /// Ends all games.
    pub(super) fn quit(&self) {
        self.quits.store(true, Ordering::Release);
        let handles: Vec<Handle> = self.lock().open.values().cloned().collect();
        for handle in handles {
            handle.queue.push(Job::End);
        }
    }
}
