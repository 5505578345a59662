//! One WebSocket: a thread that writes what waits for a page, and the loop that reads its messages.
//!
//! Reader and writer hold a WebSocket each over the same connection. Every write goes out as a
//! whole under one lock, so the reader's answers to pings never mix with messages.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::error::CapacityError;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// Close codes: the game is gone, and the whole program ends.
pub(super) const GAME_ENDED: u16 = 1001;
pub(super) const PROGRAM_ENDED: u16 = 4000;
/// Maximum size of a message from a page, in bytes.
pub(super) const MOST_MESSAGE: usize = 1 << 20;
/// Maximum size of all messages that wait for a page, in bytes. A page that reads more slowly loses
/// its connection.
const MOST_WAITING: usize = 64 << 20;
/// Time between two pings.
const PING: Duration = Duration::from_secs(10);
/// Time without any message or pong after which a connection is given up.
const SILENCE: Duration = Duration::from_secs(30);
/// Maximum time for one write.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// Maximum number of messages a second from one page, and the number that may come at once.
const RATE: f64 = 50.0;
const BURST: f64 = 100.0;

/// Messages that wait for a page. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Outbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<Waiting>,
    ready: Condvar,
}

#[derive(Default)]
struct Waiting {
    queue: VecDeque<Arc<str>>,
    bytes: usize,
    /// Latest analysis report. A newer one replaces it.
    report: Option<String>,
    /// Close code and the line to send before.
    closing: Option<(u16, String)>,
    /// Time of the latest ping.
    pinged: Option<Instant>,
    /// True if nothing more is sent.
    closed: bool,
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message.
    pub(super) fn send(&self, message: &Value) {
        self.send_text(message.to_string().into());
    }

    /// Sends the text of a message.
    pub(super) fn send_text(&self, text: Arc<str>) {
        let mut waiting = self.lock();
        if waiting.closed || waiting.closing.is_some() {
            return;
        }
        waiting.bytes += text.len();
        waiting.queue.push_back(text);
        if waiting.bytes > MOST_WAITING {
            waiting.queue.clear();
            waiting.bytes = 0;
            waiting.closing = Some((1008, "the page reads too slowly".to_string()));
        }
        self.0.ready.notify_all();
    }

    /// Sends an analysis report, or replaces the one that waits.
    pub(super) fn report(&self, message: &Value) {
        let mut waiting = self.lock();
        if !waiting.closed {
            waiting.report = Some(message.to_string());
            self.0.ready.notify_all();
        }
    }

    /// Drops a report that waits, because it belongs to another position.
    pub(super) fn drop_report(&self) {
        self.lock().report = None;
    }

    /// Closes the connection after the messages that wait and this line.
    pub(super) fn close(&self, code: u16, line: &str) {
        let mut waiting = self.lock();
        if waiting.closing.is_none() {
            waiting.closing = Some((code, line.to_string()));
        }
        self.0.ready.notify_all();
    }

    /// Returns the messages that wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> Vec<Arc<str>> {
        self.lock().queue.iter().cloned().collect()
    }

    /// Returns the line with which the connection closes.
    #[cfg(test)]
    pub(super) fn closing(&self) -> Option<String> {
        self.lock().closing.as_ref().map(|(_, line)| line.clone())
    }

    /// Ends the writer without another message.
    fn end(&self) {
        self.lock().closed = true;
        self.0.ready.notify_all();
    }

    /// Returns true if both send to the same page.
    pub(super) fn is(&self, other: &Outbox) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Next work of the writer.
enum Due {
    Text(Arc<str>),
    Ping,
    Close(u16, String),
    End,
}

impl Outbox {
    fn next(&self) -> Due {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return Due::End;
            }
            // Pings go out between messages too, because their answers show that the page lives.
            let since = *waiting.pinged.get_or_insert_with(Instant::now);
            if since.elapsed() >= PING && waiting.closing.is_none() {
                waiting.pinged = Some(Instant::now());
                return Due::Ping;
            }
            if let Some(text) = waiting.queue.pop_front() {
                waiting.bytes = waiting.bytes.saturating_sub(text.len());
                return Due::Text(text);
            }
            if let Some((code, line)) = waiting.closing.take() {
                waiting.closed = true;
                return Due::Close(code, line);
            }
            if let Some(report) = waiting.report.take() {
                return Due::Text(report.into());
            }
            let left = PING.saturating_sub(since.elapsed());
            let left = left.max(Duration::from_millis(1));
            let woken = self.0.ready.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Both directions of a connection. Writes are whole.
struct Duplex {
    reading: TcpStream,
    writing: Arc<Mutex<Writing>>,
    /// True if the next write is a close frame, after which no frame may follow.
    closes: bool,
}

struct Writing {
    stream: TcpStream,
    is_closed: bool,
}

impl Read for Duplex {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reading.read(buffer)
    }
}

impl Write for Duplex {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if writing.is_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        writing.is_closed = self.closes;
        writing.stream.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn config() -> WebSocketConfig {
    let mut config = WebSocketConfig::default();
    config.read_buffer_size = 16 << 10;
    config.write_buffer_size = 0;
    config.max_message_size = Some(MOST_MESSAGE);
    config.max_frame_size = Some(MOST_MESSAGE);
    config
}

fn write_all(mut socket: WebSocket<Duplex>, outbox: &Outbox, stream: &TcpStream) {
    loop {
        let sent = match outbox.next() {
            Due::Text(text) => socket.send(Message::text(&*text)),
            Due::Ping => socket.send(Message::Ping(Vec::<u8>::new().into())),
            Due::Close(code, line) => {
                let bye = json!({"type": "bye", "line": line}).to_string();
                let _ = socket.send(Message::text(bye));
                let frame = CloseFrame {
                    code: code.into(),
                    // The reason of a close frame has at most 123 bytes.
                    reason: line.chars().take(30).collect::<String>().into(),
                };
                let _ = socket.close(Some(frame));
                let _ = socket.flush();
                break;
            }
            Due::End => break,
        };
        if sent.is_err() {
            break;
        }
    }
    outbox.end();
    // Reading may go on for a moment, so that the close frame arrives before a reset.
    let _ = stream.shutdown(Shutdown::Write);
    thread::sleep(Duration::from_millis(50));
    let _ = stream.shutdown(Shutdown::Both);
}

/// Serves a socket until it ends. `rest` holds bytes that were read after the request. `handle`
/// receives the text of each message.
///
/// # Errors
/// If the connection cannot be split or no thread can be started.
pub(super) fn serve(
    stream: &TcpStream,
    rest: Vec<u8>,
    outbox: &Outbox,
    handle: &mut dyn FnMut(&str),
) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.set_nodelay(true)?;
    let writing = Arc::new(Mutex::new(Writing {
        stream: stream.try_clone()?,
        is_closed: false,
    }));
    let duplex = || -> io::Result<Duplex> {
        Ok(Duplex {
            reading: stream.try_clone()?,
            writing: Arc::clone(&writing),
            closes: false,
        })
    };
    let writer = WebSocket::from_raw_socket(duplex()?, Role::Server, Some(config()));
    let (own, end) = (outbox.clone(), stream.try_clone()?);
    let thread = thread::Builder::new().name("page".to_string());
    thread.spawn(move || write_all(writer, &own, &end))?;
    let reader = WebSocket::from_partially_read(duplex()?, rest, Role::Server, Some(config()));
    read_all(reader, outbox, handle);
    outbox.end();
    Ok(())
}

fn read_all(mut socket: WebSocket<Duplex>, outbox: &Outbox, handle: &mut dyn FnMut(&str)) {
    let (mut allowance, mut last) = (BURST, Instant::now());
    loop {
        let read = socket.read();
        // Every frame counts, because the server answers pings and binary frames too.
        if read.is_ok() {
            allowance = (allowance + last.elapsed().as_secs_f64() * RATE).min(BURST);
            last = Instant::now();
            if allowance < 1.0 {
                thread::sleep(Duration::from_secs_f64((1.0 - allowance) / RATE));
            }
            allowance -= 1.0;
        }
        match read {
            Ok(Message::Text(text)) => handle(text.as_str()),
            Ok(Message::Binary(_)) => {
                let line = "binary message, expected text with a JSON object";
                outbox.send(&json!({"type": "error", "id": null, "line": line}));
            }
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
            Ok(Message::Close(_)) => {
                // The answer waits in the socket until it is flushed.
                socket.get_mut().closes = true;
                let _ = socket.flush();
                return;
            }
            Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                let line = format!("message too long, expected at most {MOST_MESSAGE} bytes");
                outbox.close(1009, &line);
                return drain(&mut socket);
            }
            Err(Error::Utf8(_)) => {
                outbox.close(1007, "message is not UTF-8, expected text");
                return drain(&mut socket);
            }
            Err(Error::Protocol(_)) => {
                outbox.close(1002, "not a WebSocket frame, expected a masked text frame");
                return drain(&mut socket);
            }
            Err(_) => return,
        }
    }
}

/// Discards input for a moment, so that the other side can read the close frame.
fn drain(socket: &mut WebSocket<Duplex>) {
    let stream = &mut socket.get_mut().reading;
    let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
    let (mut buffer, deadline) = ([0u8; 4096], Instant::now() + Duration::from_secs(2));
    while Instant::now() < deadline && matches!(stream.read(&mut buffer), Ok(1..)) {}
}
