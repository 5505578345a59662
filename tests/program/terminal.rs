//! The program at a terminal: a pseudo-terminal stands for the person's.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::process::{PROGRAM, program, send};

/// Maximum time for a text to appear. Searches that are not stopped take longer.
const LIMIT: Duration = Duration::from_secs(40);

/// Streams of the program that the terminal stands for. The others are pipes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    All,
    Output,
    Errors,
}

/// The program at a pseudo-terminal.
struct Screen {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    text: Vec<u8>,
    /// Number of bytes of `text` that earlier waits have used.
    used: usize,
}

impl Screen {
    fn start(arguments: &[&str], ends: Ends, variables: &[(&str, &str)]) -> Screen {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let keys = openpt(flags).unwrap();
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        let size = Winsize {
            ws_row: 40,
            ws_col: 100,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&keys, size).unwrap();
        let peer = || Stdio::from(ioctl_tiocgptpeer(&keys, flags).unwrap());
        let on = |end: Ends| match ends == Ends::All || ends == end {
            true => peer(),
            false => Stdio::piped(),
        };
        let input = match ends {
            Ends::All => peer(),
            Ends::Output | Ends::Errors => Stdio::null(),
        };
        let child = program()
            .args(arguments)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .envs(variables.iter().copied())
            .stdin(input)
            .stdout(on(Ends::Output))
            .stderr(on(Ends::Errors))
            .spawn()
            .unwrap();
        let keys = File::from(keys);
        let mut screen = keys.try_clone().unwrap();
        let (sender, shown) = mpsc::channel();
        thread::spawn(move || {
            let mut part = [0; 4096];
            // Linux reports an error at the end.
            while let Ok(read @ 1..) = screen.read(&mut part) {
                if sender.send(part[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Screen {
            child,
            keys,
            shown,
            text: Vec::new(),
            used: 0,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line once the prompt is there. Before, the terminal is not in the editor's mode.
    fn enter(&mut self, line: &str) {
        self.wait_for("> ");
        self.press(line);
        self.press("\r");
    }

    /// Waits until `text` appears behind the text of the wait before. Colors count as no text.
    fn wait_for(&mut self, text: &str) {
        let begun = Instant::now();
        loop {
            let fresh = &self.text[self.used..];
            let shows = |end: usize| {
                let part = String::from_utf8_lossy(&fresh[..end]);
                strip_str(&part).to_string().contains(text)
            };
            if shows(fresh.len()) {
                // Text behind it, such as a prompt, belongs to the next wait.
                let ends: Vec<usize> = (0..=fresh.len()).collect();
                self.used += ends.partition_point(|&end| !shows(end));
                return;
            }
            let left = LIMIT.saturating_sub(begun.elapsed());
            match self.shown.recv_timeout(left) {
                Ok(part) => self.text.extend(part),
                Err(_) => panic!("no {text:?} in {:?}", String::from_utf8_lossy(fresh)),
            }
        }
    }

    /// Waits for the end of the program. Returns its status and the whole text.
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        while let Ok(part) = self.shown.recv_timeout(Duration::from_millis(300)) {
            self.text.extend(part);
        }
        (status, String::from_utf8_lossy(&self.text).into_owned())
    }
}

/// Reads a stream that is no terminal to its end.
fn all(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    stream.unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Options of a session with short searches.
const SESSION: [&str; 7] = ["gtp", "--size", "5", "--net", "none", "--time", "1"];

#[test]
fn a_person_edits_lines_and_sees_a_painted_board() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap();
    let mut screen = Screen::start(&SESSION, Ends::All, &[("XDG_STATE_HOME", state)]);
    screen.wait_for("omnigo speaks GTP; try: genmove black");
    screen.enter("gemove b");
    screen.wait_for("? unknown command; did you mean 'genmove'?");
    // The key deletes the wrong letter.
    screen.enter("play b cc\u{7f}3");
    screen.wait_for("= ");
    screen.enter("showboard");
    screen.wait_for("(●)");
    screen.enter("genmove w");
    screen.wait_for("= ");
    screen.enter("help");
    screen.wait_for("help GROUP");
    screen.enter("exit");
    let (status, text) = screen.end();
    assert!(status.success());
    assert!(text.contains("\u{1b}[48;5;179m"), "{text}");
    let history = fs::read_to_string(folder.path().join("omnigo/gtp-history")).unwrap();
    assert!(history.lines().any(|line| line == "play b c3"), "{history}");
}

#[test]
fn a_line_stops_a_search_and_ctrl_d_ends_the_session() {
    let folder = tempfile::tempdir().unwrap();
    // A history that cannot be written is no problem.
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    let state = blocked.to_str().unwrap();
    let variables = [("XDG_STATE_HOME", state), ("NO_COLOR", "1")];
    let options = ["gtp", "--size", "19", "--net", "none", "--time", "300"];
    let mut screen = Screen::start(&options, Ends::All, &variables);
    screen.enter("genmove b");
    // The terminal collects a line while the search runs.
    thread::sleep(Duration::from_secs(1));
    screen.press("# interrupt\r");
    screen.wait_for("= ");
    screen.enter("showboard");
    screen.wait_for("(X)");
    screen.wait_for("> ");
    screen.press("\u{4}");
    let (status, text) = screen.end();
    assert!(status.success());
    assert!(!text.contains("\u{1b}[48;5;"), "{text}");
}

#[test]
fn ctrl_c_stops_a_search_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap();
    let options = ["gtp", "--size", "19", "--net", "none", "--time", "300"];
    let mut screen = Screen::start(&options, Ends::All, &[("XDG_STATE_HOME", state)]);
    screen.enter("genmove b");
    thread::sleep(Duration::from_secs(1));
    // The pseudo-terminal controls no process, so its key would send no signal.
    send("INT", &screen.child);
    screen.wait_for("= ");
    screen.enter("exit");
    let (status, _) = screen.end();
    assert!(status.success(), "{status}");
}

#[test]
fn a_person_who_starts_the_analysis_reads_the_form_of_a_query() {
    let options = ["analysis", "--net", "none", "--playouts", "2"];
    let mut screen = Screen::start(&options, Ends::All, &[]);
    screen.wait_for("omnigo analysis reads JSON queries, one per line; try: {");
    screen.wait_for("Ctrl-D ends it");
    // The query of the hint.
    screen.press(r#"{"id":"a","boardXSize":9,"boardYSize":9,"moves":[["B","E5"]]}"#);
    screen.press("\r");
    screen.wait_for("\"moveInfos\":[");
    screen.press("\u{4}");
    let (status, _) = screen.end();
    assert!(status.success());
}

#[test]
fn a_match_shows_a_bar_that_gives_way_to_the_summary() {
    let engine = format!("{PROGRAM} --playouts 1 --net none");
    let mut arguments = vec!["match", "grid:3", "--games", "2"];
    arguments.extend(["--black", &engine, "--white", &engine]);
    let mut screen = Screen::start(&arguments, Ends::Errors, &[]);
    let summary = all(screen.child.stdout.take());
    let (status, text) = screen.end();
    assert!(status.success());
    assert!(summary.contains("2 games: "), "{summary}");
    assert!(text.contains(" of 2"), "{text:?}");
    assert!(text.contains("Elo "), "{text:?}");
    let (_, last) = text.rsplit_once(" of 2").unwrap();
    assert!(last.contains("\u{1b}[2K"), "the bar is erased: {text:?}");
}

#[test]
fn pixels_are_refused_on_a_terminal() {
    let arguments = ["graph", "grid:3", "--to", "png"];
    let mut screen = Screen::start(&arguments, Ends::Output, &[]);
    let problem = all(screen.child.stderr.take());
    let (status, text) = screen.end();
    assert_eq!((status.code(), text.as_str()), (Some(2), ""));
    assert_eq!(
        problem,
        "error: a PNG picture cannot be shown on a terminal, expected --output FILE\n"
    );
}

#[test]
fn progress_is_drawn_and_cleared() {
    let arguments = ["count", "positions", "--graph", "grid:7"];
    let mut screen = Screen::start(&arguments, Ends::Errors, &[]);
    let answer = all(screen.child.stdout.take());
    let (status, text) = screen.end();
    assert!(status.success());
    assert!(
        answer.trim().bytes().all(|c| c.is_ascii_digit()),
        "{answer}"
    );
    assert!(text.contains(" of 49"), "{text:?}");
    let (_, last) = text.rsplit_once(" of 49").unwrap();
    assert!(last.contains("\u{1b}[2K"), "the line is erased: {text:?}");
}

#[test]
fn bytes_that_are_not_utf8_clear_the_line_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap();
    let mut screen = Screen::start(&SESSION, Ends::All, &[("XDG_STATE_HOME", state)]);
    screen.wait_for("> ");
    screen.keys.write_all(b"na\xff").unwrap();
    screen.wait_for("not valid UTF-8, the line is cleared");
    screen.enter("name");
    screen.wait_for("= omnigo");
    screen.enter("exit");
    let (status, text) = screen.end();
    assert!(status.success());
    assert_eq!(text.matches("not valid UTF-8").count(), 1, "{text}");
}
