//! Board in the browser: a small server for the page, and the games behind it.
//!
//! Reading order:
//! - `access`, `http`: who may ask, and what is answered
//! - `socket`, `connection`, `message`: messages of a page
//! - `hub`, `queue`, `room`: games, each with an engine in a thread of its own
//! - `commands`, `thinking`, `scoring`, `question`: what pages can ask of a game
//! - `board`, `state`, `tree`: what pages are told
//!
//! The server is the only authority: pages hold no rules. It opens no files for pages.
//! `docs/play-protocol.md` describes the messages.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod access;
mod board;
mod clock;
mod commands;
mod connection;
mod console;
mod desk;
mod ending;
mod files;
mod front;
mod gallery;
mod game;
mod http;
mod hub;
mod link;
mod message;
mod pages;
mod pictures;
mod players;
mod question;
mod queue;
mod room;
mod scoring;
mod socket;
mod state;
mod thinking;
mod timing;
mod tree;
mod variations;

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use access::{Access, Role, host_text};
use connection::{Silent, Slot};
use desk::Desk;
use game::Start;
use hub::{Hub, Opening};

use crate::color::Color;
use crate::engine::Options;
use crate::graph::goban::Goban;
use crate::rules::{Points, Ruleset};
use crate::system::tell;
use crate::text::quote;

/// Version of the protocol.
const PROTOCOL: u64 = 1;
/// Maximum number of games at once.
const MOST_GAMES: usize = 8;
/// Maximum number of sockets, of sockets up to which guests are admitted, and of all connections.
/// Guests leave 4 sockets to the owner, and connections without a request give way to new ones.
const MOST_SOCKETS: usize = 16;
const MOST_GUESTS: usize = 12;
const MOST_CONNECTIONS: usize = 64;

/// Maximum time in which a closed connection frees its slot.
const CLOSING: Duration = Duration::from_millis(200);
/// Maximum time in which games end and pages are told, once the program shall end.
const END: Duration = Duration::from_secs(2);

/// First game of a server.
#[derive(Debug)]
pub enum First {
    /// A new game on a board.
    Board {
        /// Board.
        goban: Box<Goban>,
        /// Rules.
        rules: Box<Ruleset>,
        /// Points added to White's score.
        komi: Points,
    },
    /// Text of a link, which holds a whole game.
    Link(String),
}

/// Settings of a server.
#[derive(Debug)]
pub struct Settings {
    /// First game.
    pub first: First,
    /// Options of the engines. The memory is for all games together.
    pub options: Options,
    /// Level of the engine's players, from 1 to 10, or `None` for full strength.
    pub level: Option<usize>,
    /// Name or address to listen on.
    pub host: String,
    /// Port, or 0 for a free one.
    pub port: u16,
    /// True to open the browser.
    pub opens: bool,
}

/// Returns true if a text is a link of a game, or a part of one. Any other `#` belongs to the name
/// of a file.
pub fn is_link(text: &str) -> bool {
    const STARTS: [&str; 4] = ["http://", "https://", "#", "board="];
    STARTS.iter().any(|start| text.starts_with(start)) || text.contains("#board=")
}

/// Serves the page until it tells the program to end.
///
/// # Errors
/// One line, if the first game cannot be started or the address cannot be used.
pub fn serve(settings: Settings) -> Result<(), String> {
    let opening = opening(settings.first, settings.level)?;
    let (listener, address) = listen(&settings.host, settings.port)?;
    let (address, port) = (address.ip(), address.port());
    let access = Access::new(address, &settings.host, port).map_err(|e| e.to_string())?;
    let desk = Desk::start().map_err(|e| format!("no thread for drawing: {e}"))?;
    let is_local = address.is_loopback();
    let hub = Arc::new(Hub::new(access, opening, settings.options, is_local, desk));
    hub.open()?;
    announce(&hub, address, port);
    if settings.opens
        && let Some(path) = hub.access.ticket_path()
    {
        let host = host_text(reachable(address));
        // The error names a command of the system and its exit status, which help no reader.
        if open::that_detached(format!("http://{host}:{port}{path}")).is_err() {
            tell::warn("no browser could be started, open the address above by hand");
        }
    }
    accept(&hub, &listener);
    hub.wait_for_end(END);
    Ok(())
}

/// Returns the first game.
fn opening(first: First, level: Option<usize>) -> Result<Opening, String> {
    let (start, moves) = match first {
        First::Board { goban, rules, komi } => (Start::new(*goban, *rules, komi), Vec::new()),
        First::Link(text) => link::open(&text)?,
    };
    Ok(Opening {
        start,
        moves,
        level,
    })
}

fn listen(host: &str, port: u16) -> Result<(TcpListener, SocketAddr), String> {
    let wrong =
        |problem: String| format!("cannot listen on '{}', port {port}: {problem}", quote(host));
    let address = match host.parse::<IpAddr>() {
        Ok(address) => SocketAddr::new(address, port),
        Err(_) => {
            let mut found = (host, port)
                .to_socket_addrs()
                .map_err(|e| wrong(e.to_string()))?;
            found
                .next()
                .ok_or_else(|| wrong("no such address".to_string()))?
        }
    };
    let listener = TcpListener::bind(address).map_err(|error| {
        wrong(match error.kind() {
            io::ErrorKind::AddrInUse => {
                "the port is in use, expected a free one, or 0 for any".to_string()
            }
            _ => error.to_string(),
        })
    })?;
    let address = listener.local_addr().map_err(|e| wrong(e.to_string()))?;
    Ok((listener, address))
}

/// Returns an address under which other programs reach a server.
fn reachable(address: IpAddr) -> IpAddr {
    match address.is_unspecified() {
        true => IpAddr::V4(Ipv4Addr::LOCALHOST),
        false => address,
    }
}

/// Returns the address under which other machines reach a server.
fn outward(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    // Connecting a datagram socket chooses the own address, without sending.
    let chosen = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    chosen.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

/// Prints the addresses. Ignores errors: a closed output must not end the server.
fn announce(hub: &Hub, address: IpAddr, port: u16) {
    let mut out = io::stdout().lock();
    let line = |address: IpAddr, role: Role| {
        format!(
            "http://{}:{port}{}",
            host_text(address),
            hub.access.path(role)
        )
    };
    let _ = writeln!(out, "board at {}", line(reachable(address), Role::Owner));
    if !address.is_loopback() {
        let colors = hub.opening.start.rules.colors;
        for color in Color::all(colors) {
            let _ = writeln!(
                out,
                "{color} at {}",
                line(outward(address), Role::Player(color))
            );
        }
        let _ = writeln!(out, "watch at {}", line(outward(address), Role::Watch));
        tell::warn(format_args!(
            "every machine that reaches {} can ask this server, and all messages can be read on the way",
            host_text(address)
        ));
    }
    let _ = out.flush();
}

fn accept(hub: &Arc<Hub>, listener: &TcpListener) {
    let (open, silent) = (Arc::new(AtomicUsize::new(0)), Silent::default());
    let end = listener.local_addr();
    if let Ok(end) = end {
        watch_for_end(hub, end);
    }
    for stream in listener.incoming() {
        if hub.quits.load(Ordering::Acquire) {
            return;
        }
        let Ok(mut stream) = stream else {
            // The system has no more connections to give. Do not ask it in a tight loop.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(slot) = free_slot(&open, &silent) else {
            let refusal = http::Refusal {
                status: 503,
                line: "too many connections",
            };
            let _ = stream.set_write_timeout(Some(Duration::from_millis(100)));
            http::refuse(&mut stream, &refusal);
            continue;
        };
        let Ok(entry) = silent.add(&stream) else {
            continue;
        };
        let own = Arc::clone(hub);
        let thread = thread::Builder::new().name("connection".to_string());
        // Without a thread, the connection closes and its slot is free again.
        let _ = thread.spawn(move || {
            let _slot = slot;
            connection::serve(&own, stream, entry);
        });
    }
}

/// Takes a slot for a connection. If all are taken, closes the oldest connection that has sent no
/// request. Returns `None` if there is none.
fn free_slot(open: &Arc<AtomicUsize>, silent: &Silent) -> Option<Slot> {
    let free = || Slot::take(open, MOST_CONNECTIONS);
    if let Some(slot) = free() {
        return Some(slot);
    }
    if !silent.close_oldest() {
        return None;
    }
    let since = Instant::now();
    loop {
        thread::sleep(Duration::from_millis(1));
        match free() {
            None if since.elapsed() < CLOSING => {}
            slot => return slot,
        }
    }
}

/// Wakes the accepting thread once the page has told the program to end.
fn watch_for_end(hub: &Arc<Hub>, address: SocketAddr) {
    let hub = Arc::clone(hub);
    let address = SocketAddr::new(reachable(address.ip()), address.port());
    // Without this thread, Ctrl-C still ends the program.
    let _ = thread::Builder::new().spawn(move || {
        while !hub.quits.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(200));
        }
        // Let the answer leave first.
        thread::sleep(Duration::from_millis(200));
        let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_connections_give_way_to_new_ones() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (open, silent) = (Arc::new(AtomicUsize::new(0)), Silent::default());
        let connect = || {
            let near = TcpStream::connect(address).unwrap();
            (near, listener.accept().unwrap().0)
        };
        let slots: Vec<Slot> = (0..MOST_CONNECTIONS)
            .map(|_| free_slot(&open, &silent).unwrap())
            .collect();
        assert!(
            free_slot(&open, &silent).is_none(),
            "all have sent requests"
        );
        let (_near, far) = connect();
        let entry = silent.add(&far).unwrap();
        let waiting = thread::spawn(move || {
            let mut far = far;
            let ended = http::Head::read(&mut far);
            drop((entry, slots));
            ended.is_err()
        });
        assert!(free_slot(&open, &silent).is_some());
        assert!(waiting.join().unwrap());
        assert!(!silent.close_oldest(), "none is left");
    }

    #[test]
    fn file_names_with_a_hash_are_no_links() {
        for text in [
            "http://x/#board=grid:9",
            "https://x/#board=a",
            "#board=a",
            "board=a",
        ] {
            assert!(is_link(text), "{text}");
        }
        for text in ["file:b#1.edgelist", "grid:9", "petersen"] {
            assert!(!is_link(text), "{text}");
        }
    }
}
