//! Evaluations of the teacher by another program, such as `training/teacher.py` on a GPU.
//!
//! Each game waits for its evaluation. All waiting positions of one board are sent as a batch.
//! While the program computes a batch, the next positions gather, so batches grow with the number
//! of parallel games.
//!
//! The program reads requests from its standard input and writes answers to its standard output.
//! All numbers are little-endian:
//!
//! - Greeting of the program: `omnigoTE`, then three `u32`: version 1, the number of policy outputs
//!   per move (P), and the number of scores (S).
//! - Request: three `u32` for width, height, and number of positions. For each position, 19 `f32`
//!   of global inputs. For each position, a `u32` per point with the bits of the input planes, row
//!   by row from the top.
//! - Answer: for each position, `f32` in the order of [`Raw`]: `[point][P]`, `[P]`, `[3]`, `[S]`,
//!   and `[point]`.
//!
//! The program ends at the end of its input.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::arguments::command_line::CommandLine;
use crate::net::katago::{Raw, Turned};
use crate::text::quote;

/// First bytes of the program's greeting.
const MAGIC: &[u8; 8] = b"omnigoTE";
/// Version of the exchange.
const VERSION: u32 = 1;
/// Maximum number of batches that the program has not answered. With two, it never waits for the
/// next batch.
const UNANSWERED: usize = 2;
/// Maximum number of points in a batch, which limits the memory of the program.
const MOST_POINTS: usize = 1 << 19;
/// Maximum time for the greeting and for an answer.
const PATIENCE: Duration = Duration::from_secs(600);
/// Maximum time for the program to end after its input.
const FAREWELL: Duration = Duration::from_secs(5);

/// Reason why the program cannot evaluate positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// The program cannot be started.
    #[error("cannot start the evaluator '{0}': {1}")]
    Start(String, String),
    /// The greeting is missing or wrong.
    #[error("the evaluator gave no greeting of version {VERSION} for this network")]
    Greeting,
    /// The program ended, or a pipe to it broke.
    #[error("the evaluator ended before it had answered")]
    Ended,
    /// There was no answer within the time limit.
    #[error("the evaluator gave no answer within {} s", PATIENCE.as_secs())]
    Silent,
    /// An output is infinite or no number.
    #[error("the teacher's outputs are not finite numbers, expected another network or evaluator")]
    NotFinite,
    /// The program wrote something that no request asked for. Later answers would be wrong.
    #[error(
        "the evaluator wrote more than its answers, expected nothing else on its standard output"
    )]
    Surplus,
}

/// Width, height, and number of positions of a batch.
type Size = [usize; 2];

/// Position that waits for its batch.
struct Request {
    size: Size,
    bytes: Vec<u8>,
    /// Number of those bytes that hold the global inputs.
    globals: usize,
    reply: SyncSender<Raw>,
}

/// Batch that the program has to answer.
struct Batch {
    size: Size,
    replies: Vec<SyncSender<Raw>>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Request>,
    unanswered: VecDeque<Batch>,
    /// True if no more requests come.
    closed: bool,
    failed: Option<RemoteError>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ready` finds something. `None` after the end.
    fn wait<T>(&self, mut ready: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(found) = ready(&mut state) {
                return Some(found);
            }
            if state.closed || state.failed.is_some() {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends all requests with an error.
    fn fail(&self, error: RemoteError) {
        let mut state = self.lock();
        state.failed.get_or_insert(error);
        // Dropping the replies wakes the games.
        state.waiting.clear();
        state.unanswered.clear();
        self.changed.notify_all();
    }
}

/// Program that evaluates positions in batches.
pub struct Remote {
    shared: Arc<Shared>,
    child: Option<Child>,
    /// Maximum time for an answer.
    patience: Duration,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").finish_non_exhaustive()
    }
}

impl Remote {
    /// Starts the program with the network's file as its last argument, and waits for its greeting.
    /// `sizes` are the numbers of policy outputs per move and of scores.
    ///
    /// # Errors
    /// If the program cannot be started, or does not give the greeting of this network.
    pub fn start(
        command: &CommandLine,
        file: &Path,
        sizes: [usize; 2],
    ) -> Result<Remote, RemoteError> {
        let failed = |error: io::Error| {
            RemoteError::Start(quote(&command.to_string()), quote(&error.to_string()))
        };
        let mut child = Command::new(command.program())
            .args(command.arguments())
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = child.stdout.take().zip(child.stdin.take());
        let mut remote = Remote::of(Some(child));
        if let Some((output, input)) = pipes {
            remote.connect(output, input, sizes)?;
        }
        Ok(remote)
    }

    fn of(child: Option<Child>) -> Remote {
        Remote {
            shared: Arc::default(),
            child,
            patience: PATIENCE,
        }
    }

    /// Starts the threads that write and read, and waits for the greeting.
    fn connect(
        &mut self,
        output: impl Read + Send + 'static,
        input: impl Write + Send + 'static,
        sizes: [usize; 2],
    ) -> Result<(), RemoteError> {
        let failed = |error: io::Error| RemoteError::Start("threads".into(), error.to_string());
        let (greeted, greeting) = mpsc::sync_channel(1);
        let shared = Arc::clone(&self.shared);
        let read = move || {
            let mut output = BufReader::with_capacity(1 << 20, output);
            let _ = greeted.send(greet(&mut output, sizes));
            read(&shared, &mut output, sizes);
        };
        thread::Builder::new().spawn(read).map_err(failed)?;
        match greeting.recv_timeout(PATIENCE) {
            Ok(true) => {}
            Ok(false) => return Err(RemoteError::Greeting),
            Err(RecvTimeoutError::Timeout) => return Err(RemoteError::Silent),
            Err(RecvTimeoutError::Disconnected) => return Err(RemoteError::Ended),
        }
        let shared = Arc::clone(&self.shared);
        let write = move || write(&shared, BufWriter::with_capacity(1 << 20, input));
        thread::Builder::new().spawn(write).map_err(failed)?;
        Ok(())
    }

    /// Evaluates a position, together with those of other threads.
    ///
    /// # Errors
    /// If the program has ended or is silent for too long.
    pub fn pass(&self, turned: &Turned<'_>) -> Result<Raw, RemoteError> {
        let globals = turned.globals.iter().flat_map(|x| x.to_le_bytes());
        let mut bytes: Vec<u8> = globals.collect();
        let globals = bytes.len();
        bytes.extend(turned.planes.iter().flat_map(|bits| bits.to_le_bytes()));
        let (reply, answer) = mpsc::sync_channel(1);
        let request = Request {
            size: [turned.width, turned.height],
            bytes,
            globals,
            reply,
        };
        {
            let mut state = self.shared.lock();
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            state.waiting.push_back(request);
        }
        self.shared.changed.notify_all();
        let answer = answer.recv_timeout(self.patience);
        answer.map_err(|error| {
            if error == RecvTimeoutError::Timeout {
                // The other games must not wait as long again.
                self.shared.fail(RemoteError::Silent);
            }
            let failed = self.shared.lock().failed.clone();
            failed.unwrap_or(RemoteError::Ended)
        })
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        let Some(child) = &mut self.child else {
            return;
        };
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if let Ok(Some(_)) = child.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Reads the greeting. Returns true if it is that of a network with these outputs.
fn greet(output: &mut impl Read, [policies, scores]: [usize; 2]) -> bool {
    let mut found = [0; 20];
    let mut expected = MAGIC.to_vec();
    for number in [VERSION, policies as u32, scores as u32] {
        expected.extend(number.to_le_bytes());
    }
    output.read_exact(&mut found).is_ok() && found[..] == expected
}

/// Takes the positions that go out together: those with the size of the oldest one.
fn gather(state: &mut State) -> Option<Vec<Request>> {
    if state.unanswered.len() >= UNANSWERED {
        return None;
    }
    let size = state.waiting.front()?.size;
    let most = (MOST_POINTS / (size[0] * size[1])).max(1);
    let (mut batch, mut rest) = (Vec::new(), VecDeque::new());
    for request in state.waiting.drain(..) {
        if request.size == size && batch.len() < most {
            batch.push(request);
        } else {
            rest.push_back(request);
        }
    }
    state.waiting = rest;
    let replies = batch.iter().map(|request| request.reply.clone()).collect();
    state.unanswered.push_back(Batch { size, replies });
    Some(batch)
}

/// Writes batches until the end.
fn write(shared: &Shared, mut input: impl Write) {
    while let Some(batch) = shared.wait(gather) {
        shared.changed.notify_all();
        if send(&mut input, &batch).is_err() {
            return shared.fail(RemoteError::Ended);
        }
    }
}

/// Writes a batch.
fn send(input: &mut impl Write, batch: &[Request]) -> io::Result<()> {
    let Some(first) = batch.first() else {
        return Ok(());
    };
    for number in [first.size[0], first.size[1], batch.len()] {
        input.write_all(&(number as u32).to_le_bytes())?;
    }
    for request in batch {
        input.write_all(&request.bytes[..request.globals])?;
    }
    for request in batch {
        input.write_all(&request.bytes[request.globals..])?;
    }
    input.flush()
}

/// Reads answers until the end.
fn read(shared: &Shared, output: &mut BufReader<impl Read>, sizes: [usize; 2]) {
    if !output.buffer().is_empty() {
        return shared.fail(RemoteError::Surplus);
    }
    let front = |state: &mut State| {
        let batch = state.unanswered.front()?;
        Some((batch.size, batch.replies.len()))
    };
    while let Some((size, count)) = shared.wait(front) {
        let answers = match receive(output, size, count, sizes) {
            Ok(Some(answers)) => answers,
            Ok(None) => return shared.fail(RemoteError::NotFinite),
            Err(_) => return shared.fail(RemoteError::Ended),
        };
        let (batch, is_surplus) = {
            let mut state = shared.lock();
            let batch = state.unanswered.pop_front();
            // What has been read until now came before the next request.
            let is_surplus = state.unanswered.is_empty() && !output.buffer().is_empty();
            (batch, is_surplus)
        };
        if is_surplus {
            return shared.fail(RemoteError::Surplus);
        }
        shared.changed.notify_all();
        for (reply, raw) in batch.into_iter().flat_map(|b| b.replies).zip(answers) {
            // A game that no longer waits needs no answer.
            let _ = reply.send(raw);
        }
    }
}

/// Reads the answers to a batch. `None` if a number is not finite.
fn receive(
    output: &mut impl Read,
    [width, height]: Size,
    count: usize,
    [policies, scores]: [usize; 2],
) -> io::Result<Option<Vec<Raw>>> {
    let points = width * height;
    let parts = [points * policies, policies, 3, scores, points];
    let mut bytes = vec![0; 4 * parts.iter().sum::<usize>()];
    let mut answers = Vec::with_capacity(count);
    for _ in 0..count {
        output.read_exact(&mut bytes)?;
        let words = bytes.as_chunks::<4>().0.iter();
        let mut numbers = words.map(|&bytes| f32::from_le_bytes(bytes));
        if !numbers.clone().all(f32::is_finite) {
            return Ok(None);
        }
        let [policy, pass, outcome, scores, ownership] =
            parts.map(|count| numbers.by_ref().take(count).collect());
        answers.push(Raw {
            policy,
            pass,
            outcome,
            scores,
            ownership,
        });
    }
    Ok(Some(answers))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a remote whose program is a thread. It answers `requests` requests; each number of
    /// an answer is the position's first global input.
    fn fake(requests: usize) -> Result<Remote, RemoteError> {
        let (mut from_remote, input) = io::pipe().unwrap();
        let (output, mut to_remote) = io::pipe().unwrap();
        thread::spawn(move || {
            let mut greeting = MAGIC.to_vec();
            for number in [VERSION, 1, 4] {
                greeting.extend(number.to_le_bytes());
            }
            to_remote.write_all(&greeting).unwrap();
            for _ in 0..requests {
                let mut header = [0; 12];
                if from_remote.read_exact(&mut header).is_err() {
                    return;
                }
                let number = |i: usize| header[4 * i] as usize;
                let (points, count) = (number(0) * number(1), number(2));
                let mut globals = vec![0; count * 19 * 4];
                from_remote.read_exact(&mut globals).unwrap();
                let mut planes = vec![0; count * points * 4];
                from_remote.read_exact(&mut planes).unwrap();
                for globals in globals.chunks(19 * 4) {
                    let answer = globals[..4].repeat(2 * points + 1 + 3 + 4);
                    to_remote.write_all(&answer).unwrap();
                }
            }
        });
        let mut remote = Remote::of(None);
        remote.connect(output, input, [1, 4])?;
        Ok(remote)
    }

    fn ask(remote: &Remote, side: usize, mark: f32) -> Result<Raw, RemoteError> {
        let mut globals = [0.0; 19];
        globals[0] = mark;
        remote.pass(&Turned {
            width: side,
            height: side,
            planes: &vec![1; side * side],
            globals: &globals,
        })
    }

    #[test]
    fn each_game_gets_the_answer_to_its_own_position() {
        let remote = fake(usize::MAX).unwrap();
        thread::scope(|scope| {
            for game in 0..40 {
                let remote = &remote;
                scope.spawn(move || {
                    for number in 0..50 {
                        let (side, mark) = (3 + game % 3, (100 * game + number) as f32);
                        let raw = ask(remote, side, mark).unwrap();
                        assert_eq!(raw.policy, vec![mark; side * side]);
                        assert_eq!(raw.ownership, raw.policy);
                        let few = [raw.pass.len(), raw.outcome.len(), raw.scores.len()];
                        assert_eq!(few, [1, 3, 4]);
                    }
                });
            }
        });
    }

    #[test]
    fn games_end_with_the_program() {
        let remote = fake(1).unwrap();
        ask(&remote, 5, 1.0).unwrap();
        for _ in 0..2 {
            assert_eq!(ask(&remote, 5, 1.0), Err(RemoteError::Ended));
        }
    }

    #[test]
    fn outputs_that_are_not_finite_end_the_games() {
        for mark in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let remote = fake(usize::MAX).unwrap();
            ask(&remote, 5, 1.0).unwrap();
            for number in [mark, 1.0] {
                assert_eq!(ask(&remote, 5, number), Err(RemoteError::NotFinite));
            }
        }
    }

    #[test]
    fn a_silent_program_fails_all_games_at_once() {
        let (mut from_remote, input) = io::pipe().unwrap();
        let (output, mut to_remote) = io::pipe().unwrap();
        let silent = thread::spawn(move || {
            let mut greeting = MAGIC.to_vec();
            for number in [VERSION, 1, 4] {
                greeting.extend(number.to_le_bytes());
            }
            to_remote.write_all(&greeting).unwrap();
            io::copy(&mut from_remote, &mut io::sink()).unwrap();
        });
        let mut remote = Remote::of(None);
        remote.connect(output, input, [1, 4]).unwrap();
        remote.patience = Duration::from_millis(20);
        assert_eq!(ask(&remote, 5, 1.0), Err(RemoteError::Silent));
        remote.patience = PATIENCE;
        assert_eq!(ask(&remote, 5, 1.0), Err(RemoteError::Silent));
        drop(remote);
        silent.join().unwrap();
    }

    #[test]
    fn another_greeting_is_refused() {
        let mut remote = Remote::of(None);
        let greeting = io::Cursor::new(b"omnigoTE\x02\0\0\0\x01\0\0\0\x04\0\0\0".to_vec());
        let connected = remote.connect(greeting, io::sink(), [1, 4]);
        assert_eq!(connected, Err(RemoteError::Greeting));
        let line = "no-such-program-of-omnigo".parse().unwrap();
        let error = Remote::start(&line, Path::new("x.bin"), [1, 4]).unwrap_err();
        assert!(error.to_string().contains("no-such-program-of-omnigo"));
    }
}
