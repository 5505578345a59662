//! One connection: a request, or a socket with the messages of a page.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::access::Role;
use super::desk::{DEADLINE, Task};
use super::http::{self, Head, Refusal, Route};
use super::hub::{Handle, Hub};
use super::message::{Command, Hello, Message, New, error, refused};
use super::queue::{Job, Sender};
use super::socket::{self, Outbox};
use super::{MOST_GUESTS, MOST_SOCKETS, PROTOCOL, gallery};

/// Serves a connection until it ends. `entry` lists it until its request has arrived.
pub(super) fn serve(hub: &Arc<Hub>, mut stream: TcpStream, entry: Entry) {
    let head = Head::read(&mut stream);
    drop(entry);
    let head = match head {
        Ok(head) => head,
        Err(Some(refusal)) => {
            http::refuse(&mut stream, &refusal);
            return http::linger(&mut stream);
        }
        Err(None) => return,
    };
    let (role, key) = match head.route(&hub.access) {
        Err(refusal) => {
            http::refuse(&mut stream, &refusal);
            return http::linger(&mut stream);
        }
        Ok(Route::File { file, sends_body }) => {
            return http::send_file(&mut stream, file, head.host(), sends_body);
        }
        Ok(Route::Owner) => {
            let refusal = Refusal {
                status: 404,
                line: "nothing here",
            };
            return match hub.access.use_ticket() {
                true => http::redirect(&mut stream, &hub.access.path(Role::Owner)),
                false => http::refuse(&mut stream, &refusal),
            };
        }
        Ok(Route::Socket { role, key }) => (role, key),
    };
    let most = match role {
        Role::Owner => MOST_SOCKETS,
        Role::Player(_) | Role::Watch => MOST_GUESTS,
    };
    let Some(_slot) = Slot::take(&hub.sockets, most) else {
        let refusal = Refusal {
            status: 503,
            line: "too many pages are open",
        };
        return http::refuse(&mut stream, &refusal);
    };
    let mut page = Page {
        hub: Arc::clone(hub),
        outbox: Outbox::default(),
        role,
        game: None,
    };
    if http::upgrade(&mut stream, &key).is_ok() {
        let outbox = page.outbox.clone();
        // A connection that cannot be served is closed, and the page tries again.
        let _ = socket::serve(&stream, head.rest, &outbox, &mut |text| page.message(text));
    }
}

/// One of a limited number of slots. Dropping it frees it, even in a panic.
pub(super) struct Slot(Arc<AtomicUsize>);

impl Slot {
    /// Takes a slot, or returns `None` if `most` are taken.
    pub(super) fn take(taken: &Arc<AtomicUsize>, most: usize) -> Option<Slot> {
        let slot = Slot(Arc::clone(taken));
        (taken.fetch_add(1, Ordering::AcqRel) < most).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Connections whose request has not arrived, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Silent(Arc<Mutex<VecDeque<Arc<TcpStream>>>>);

impl Silent {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. Dropping the entry removes it.
    ///
    /// # Errors
    /// If the system gives no second handle of the connection.
    pub(super) fn add(&self, stream: &TcpStream) -> io::Result<Entry> {
        let stream = Arc::new(stream.try_clone()?);
        self.lock().push_back(Arc::clone(&stream));
        Ok(Entry(self.clone(), stream))
    }

    /// Closes the oldest connection, whose thread then frees its slot. Returns false if all
    /// requests have arrived.
    pub(super) fn close_oldest(&self) -> bool {
        let oldest = self.lock().pop_front();
        oldest.is_some_and(|stream| stream.shutdown(Shutdown::Both).is_ok())
    }
}

/// Entry of a connection in [`Silent`].
pub(super) struct Entry(Silent, Arc<TcpStream>);

impl Drop for Entry {
    fn drop(&mut self) {
        let Entry(silent, own) = self;
        silent.lock().retain(|stream| !Arc::ptr_eq(stream, own));
    }
}

/// Page behind a socket. It leaves its game when it is dropped, even by a panic.
struct Page {
    hub: Arc<Hub>,
    outbox: Outbox,
    role: Role,
    game: Option<Handle>,
}

impl Page {
    fn sender(&self) -> Sender {
        Sender {
            outbox: self.outbox.clone(),
            role: self.role,
        }
    }

    fn fail(&self, id: &Value, line: &str) {
        self.outbox.send(&error(id, line));
    }

    fn refuse(&self, id: &Value, reason: &str, text: &str) {
        self.outbox.send(&refused(id, None, reason, text));
    }

    /// Answers a message, or hands it to the game.
    fn message(&mut self, text: &str) {
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(answer) => return self.outbox.send(&answer),
        };
        let id = message.id.clone();
        if !message.command.is_open_to(self.role) {
            return self.refuse(&id, "not-yours", "your role does not allow this");
        }
        match message.command {
            Command::Hello(hello) => self.hello(&id, hello),
            Command::Gallery => self.desk(id, "gallery", || Ok(gallery::families())),
            Command::Rules => self.desk(id, "rules", || Ok(gallery::rulesets())),
            Command::Formats => self.desk(id, "formats", || Ok(gallery::formats())),
            Command::Validate { spec, ruleset } => self.desk(id, "validate", move || {
                Ok(gallery::validate(&spec, ruleset.as_deref()))
            }),
            Command::Thumbnail { spec, width, theme } => self.desk(id, "thumbnail", move || {
                gallery::thumbnail(&spec, width, theme.as_deref())
            }),
            Command::Preview { spec } => {
                self.desk(id, "preview", move || gallery::preview(&spec));
            }
            Command::Quit if self.hub.is_local => {
                self.outbox.send(&json!({"type": "done", "id": id}));
                self.hub.quit();
            }
            Command::Quit => self.refuse(&id, "not-yours", "only a local page ends the program"),
            Command::Stop { job: Some(job) } => {
                let stopped = self
                    .game
                    .as_ref()
                    .is_some_and(|game| game.question.stop_job(&self.outbox, &job));
                match stopped {
                    true => self.outbox.send(&json!({"type": "done", "id": id})),
                    false => self.refuse(&id, "nothing", "no such question is running"),
                }
            }
            _ => {
                let job = Job::Command(self.sender(), Box::new(message));
                match &self.game {
                    None => self.fail(&id, "expected hello before any other message"),
                    Some(game) if game.queue.push(job) => {}
                    Some(_) => self.refuse(
                        &id,
                        "busy",
                        "the game is busy or was released: try again later",
                    ),
                }
            }
        }
    }

    fn hello(&mut self, id: &Value, hello: Hello) {
        if hello.protocol != PROTOCOL {
            let line = format!("protocol {}, expected {PROTOCOL}", hello.protocol);
            return self.fail(id, &line);
        }
        let wants_new = hello.game == "new";
        if wants_new && self.role != Role::Owner {
            return self.refuse(id, "not-yours", "only the owner opens games");
        }
        // A game that is being released takes no page, and is not found again.
        for _ in 0..2 {
            let present = match wants_new {
                true => None,
                false => self.hub.find(hello.game.as_u64()),
            };
            let (game, is_new) = match present {
                Some(game) => (game, false),
                None => match self.hub.open() {
                    Ok(game) => (game, true),
                    Err(line) => return self.refuse(id, "limit", &line),
                },
            };
            if self.join(game, is_new, id, &hello) {
                return;
            }
        }
        self.refuse(id, "busy", "the game was released, say hello again");
    }

    /// Joins a game, and leaves the present one. Returns false if the game takes no page.
    fn join(&mut self, game: Handle, is_new: bool, id: &Value, hello: &Hello) -> bool {
        let link = hello.link.clone();
        if let Some(link) = link.filter(|_| is_new && self.role == Role::Owner) {
            let new = New {
                link: Some(link),
                ..New::default()
            };
            let message = Message {
                id: Value::Null,
                rev: None,
                command: Command::New(Box::new(new)),
            };
            game.queue
                .push(Job::Command(self.sender(), Box::new(message)));
        }
        // A hello refused until here leaves the page in its game. Joining a game again needs
        // leaving it first, so a page that is refused as busy is in no game.
        self.leave();
        let job = Job::Join(self.sender(), Box::new(hello.clone()), id.clone());
        let joins = game.queue.push(job);
        self.game = joins.then_some(game);
        joins
    }

    /// Adds a task for the threads that need no game.
    fn desk(
        &self,
        id: Value,
        tool: &'static str,
        run: impl FnOnce() -> Result<Value, String> + Send + 'static,
    ) {
        let task = Task {
            id: id.clone(),
            tool,
            sender: self.sender(),
            deadline: DEADLINE,
            run: Box::new(run),
        };
        if !self.hub.desk.push(task) {
            self.refuse(&id, "busy", "too many requests wait: try again later");
        }
    }

    /// Leaves the game.
    fn leave(&mut self) {
        if let Some(game) = self.game.take() {
            // The game may be searching, and would look at the job later.
            game.question.leave(&self.outbox);
            game.queue.push(Job::Leave(self.outbox.clone()));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.leave();
    }
}
