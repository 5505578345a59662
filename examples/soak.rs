//! Soak test: thousands of games over pipes at high speed, with the commands of servers and client
//! programs. It watches memory and accounts for every reply.
//!
//! `cargo run --release --example soak -- target/release/omnigo 3000 1500 64`. The arguments are
//! the engine, the number of games, a limit in seconds, and MiB for the tree. The test ends at the
//! first of the two limits. Memory grows until trees have reached their limit, so a small one gives
//! an earlier plateau. The exit status is 1 if a reply was missing, out of order, or malformed, or
//! if memory grew by more than 5 %.

mod engines;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitCode};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use omnigo::playout::Random;

type Outcome<T> = Result<T, String>;

/// Maximum wait for a reply. No reply may take this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Seconds per move on the simulated clocks.
const SECONDS_A_MOVE: f64 = 10.0;

/// An engine behind pipes. A thread reads its replies.
struct Engine {
    child: Child,
    input: ChildStdin,
    replies: Receiver<String>,
    /// True if the simulated client ends its lines with CR and LF.
    crlf: bool,
    /// True if it numbers its commands.
    numbered: bool,
    /// Number of the latest command.
    id: u32,
    /// Number of answered commands.
    commands: u64,
    /// Longest time of a burst.
    slowest: Duration,
}

impl Engine {
    /// Starts the engine with a tree of `memory` MiB.
    fn start(path: &str, memory: u32) -> Outcome<Engine> {
        let memory = memory.to_string();
        let options = ["--playouts", "12", "--threads", "1", "--memory", &memory];
        let (child, input, output) = engines::start(path, &options)?;
        let (sender, replies) = channel();
        std::thread::spawn(move || {
            let mut reply = String::new();
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if line.is_empty() {
                    let _ = sender.send(std::mem::take(&mut reply));
                } else {
                    let _ = writeln!(reply, "{line}");
                }
            }
        });
        Ok(Engine {
            child,
            input,
            replies,
            crlf: false,
            numbered: false,
            id: 0,
            commands: 0,
            slowest: Duration::ZERO,
        })
    }

    /// Sends a line that gets no reply.
    fn send(&mut self, line: &str) -> Outcome<()> {
        let end = if self.crlf { "\r\n" } else { "\n" };
        self.input
            .write_all(format!("{line}{end}").as_bytes())
            .map_err(|error| format!("'{line}' cannot be sent: {error}"))
    }

    /// Sends commands in one burst. Returns their replies in order, without sign and id.
    fn burst(&mut self, commands: &[String]) -> Outcome<Vec<Result<String, String>>> {
        let start = Instant::now();
        let mut text = String::new();
        let first = self.id + 1;
        for command in commands {
            self.id += 1;
            if self.numbered {
                let _ = write!(text, "{} ", self.id);
            }
            text.push_str(command);
            text.push_str(if self.crlf { "\r\n" } else { "\n" });
        }
        let sent = self.input.write_all(text.as_bytes());
        sent.map_err(|error| format!("{commands:?} cannot be sent: {error}"))?;
        let mut replies = Vec::with_capacity(commands.len());
        for (number, command) in (first..).zip(commands) {
            let reply = self.replies.recv_timeout(PATIENCE);
            let reply = reply.map_err(|error| format!("'{command}': no reply: {error}"))?;
            let mark = if self.numbered {
                number.to_string()
            } else {
                String::new()
            };
            let text = |sign: &str| {
                reply
                    .strip_prefix(&format!("{sign}{mark} "))
                    .map(str::trim_end)
            };
            // The first line of an analysis has only its sign.
            let analysis = || reply.strip_prefix(&format!("={mark}\n")).map(str::trim_end);
            replies.push(match (text("=").or_else(analysis), text("?")) {
                (Some(text), _) => Ok(text.to_string()),
                (None, Some(text)) => Err(text.to_string()),
                (None, None) => return Err(format!("'{command}': reply {reply:?} out of order")),
            });
        }
        self.commands += commands.len() as u64;
        self.slowest = self.slowest.max(start.elapsed());
        Ok(replies)
    }

    /// Returns the reply to a command that must succeed.
    fn ask(&mut self, command: &str) -> Outcome<String> {
        let mut replies = self.burst(&[command.to_string()])?;
        match replies.pop() {
            Some(Ok(text)) => Ok(text),
            Some(Err(text)) => Err(format!("'{command}' fails: {text}")),
            None => Err(format!("'{command}': no reply")),
        }
    }

    /// Closes the connection and waits until the engine has exited.
    fn disconnect(mut self) -> Outcome<()> {
        drop(self.input);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.child.try_wait() {
                Ok(Some(_)) => return Ok(()),
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(error) => return Err(error.to_string()),
            }
        }
        let _ = self.child.kill();
        Err("the engine stays after its client has gone".into())
    }
}

/// One game, played by a simulated client.
struct Game<'a> {
    engine: &'a mut Engine,
    random: &'a mut Random,
    /// Commands that the engine lists.
    listed: &'a [String],
}

impl Game<'_> {
    /// Returns true if the engine has the command.
    fn has(&self, command: &str) -> bool {
        self.listed.iter().any(|name| name == command)
    }

    /// Returns a random one of the words.
    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.random.below(words.len())]
    }

    /// Returns true with probability 1/n.
    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    /// Plays a game and returns the number of moves.
    fn play(&mut self) -> Outcome<u32> {
        self.engine.crlf = self.one_in(3);
        self.engine.numbered = self.one_in(2);
        let graph = self.one_in(4);
        let board = if graph {
            let spec = self.pick(&[
                "torus:9x9",
                "petersen",
                "cycle:30",
                "hypercube:5",
                "grid3d:4x4x4",
                "edges:a-b,b-c,c-a,c-d",
            ]);
            format!("set_graph {spec}")
        } else {
            let side = 9 + self.random.below(17);
            match self.random.below(4) {
                0 => format!("boardsize {side} {}", 9 + self.random.below(17)),
                1 => format!("rectangular_boardsize {side} 9"),
                _ => format!("boardsize {side}"),
            }
        };
        let komi = format!("{}.5", self.random.below(9));
        let ruleset = self.pick(&["chinese", "cgos", "aga", "new-zealand", "ggg"]);
        let setup: Vec<String> = [
            board,
            format!("komi {komi}"),
            format!("set_ruleset {ruleset}"),
            "clear_board".into(),
        ]
        .into();
        for (command, reply) in setup.iter().zip(self.engine.burst(&setup)?) {
            reply.map_err(|text| format!("'{command}' fails: {text}"))?;
        }
        self.clock()?;
        let mut color = 0;
        let moves = 6 + self.random.below(40) as u32;
        for turn in 0..moves {
            let mover = ["b", "w"][color];
            let mv = self.turn(mover)?;
            match mv.as_str() {
                "resign" => break,
                "pass" => {}
                mv => self.check_vertex(mv)?,
            }
            color = 1 - color;
            if turn % 8 == 5 {
                self.noise()?;
            }
        }
        let answer = self.engine.ask("get_komi")?;
        if answer != komi {
            return Err(format!("get_komi: {answer} and not {komi}"));
        }
        self.end()?;
        Ok(moves)
    }

    /// Sends random time settings.
    fn clock(&mut self) -> Outcome<()> {
        let settings = match self.random.below(7) {
            0 => "time_settings 0 0 0",
            1 => "time_settings 600 30 5",
            2 => "time_settings 0 1 1",
            3 if self.has("kgs-time_settings") => "kgs-time_settings byoyomi 600 30 5",
            4 if self.has("kata-time_settings") => {
                "kata-time_settings fischer-capped 300 30 600 -1"
            }
            5 if self.has("kgs-time_settings") => "kgs-time_settings none",
            _ => "time_settings 0 1 0",
        };
        self.engine.ask(settings).map(drop)
    }

    /// Returns the engine's move. The request varies like those of different clients.
    fn turn(&mut self, mover: &str) -> Outcome<String> {
        // Include clocks at zero and below.
        let left = ["0 0", "-1 0", "0.01 0", "30 1", "280 0", "5 3"][self.random.below(6)];
        let mut commands = vec![format!("time_left {mover} {left}")];
        let command = match self.random.below(8) {
            0 if self.has("kata-genmove_analyze") => "kata-genmove_analyze",
            1 if self.has("lz-genmove_analyze") => "lz-genmove_analyze",
            2 => "kgs-genmove_cleanup",
            _ => "genmove",
        };
        let arguments = if command.ends_with("analyze") {
            " 10"
        } else {
            ""
        };
        commands.push(format!("{command} {mover}{arguments}"));
        if self.one_in(4) && self.has("kata-analyze") {
            // The next command stops this analysis at once.
            commands.insert(0, format!("kata-analyze {mover} 1"));
        }
        let replies = self.engine.burst(&commands)?;
        if self.one_in(5) {
            // The interrupt comes too late and never gets an answer.
            self.engine.send("# interrupt")?;
        }
        let Some(Ok(text)) = replies.last() else {
            return Err(format!("{commands:?}: {replies:?}"));
        };
        let mv = match command.ends_with("analyze") {
            true => text
                .lines()
                .find_map(|line| line.strip_prefix("play "))
                .unwrap_or("no play line"),
            false => text,
        };
        Ok(mv.to_string())
    }

    /// Checks that the text has the form of a vertex.
    fn check_vertex(&mut self, mv: &str) -> Outcome<()> {
        let mut letters = mv.chars();
        let column = letters
            .next()
            .is_some_and(|c| c.is_ascii_uppercase() && c != 'I');
        let row = letters.as_str().parse::<u32>().is_ok();
        if column && row {
            Ok(())
        } else {
            Err(format!("'{mv}' is not a move"))
        }
    }

    /// Sends lines and commands that other clients mix in.
    fn noise(&mut self) -> Outcome<()> {
        for line in ["", "   ", "# a comment", "7", "\t# interrupt"] {
            if self.one_in(2) {
                self.engine.send(line)?;
            }
        }
        let commands = [
            "showboard",
            "undo",
            "play b z99",
            "play w",
            "nonsense",
            "gg-undo 1",
            "name",
            "protocol_version",
            "gogui-rules_board",
            "gogui-rules_legal_moves",
            "omnigo-territory",
            "known_command genmove",
            "list_commands",
            "gogui-play_sequence b pass w pass b pass",
            "final_status_list dead",
            "cputime",
            "boardsize 0",
            "komi nan",
        ];
        self.some(6, &commands)
    }

    /// Sends commands that clients use at the end of a game.
    fn end(&mut self) -> Outcome<()> {
        let commands = [
            "final_score",
            "final_status_list dead",
            "final_status_list alive",
            "kgs-game_over",
            "cgos-gameover B+3.5",
        ];
        self.some(2, &commands)
    }

    /// Sends this number of random commands in one burst. They may fail.
    fn some(&mut self, number: usize, commands: &[&str]) -> Outcome<()> {
        let commands: Vec<String> = (0..number)
            .map(|_| self.pick(commands).to_string())
            .collect();
        self.engine.burst(&commands).map(drop)
    }
}

/// Simulates a client that closes the connection in the middle of a command.
fn break_off(path: &str, memory: u32, random: &mut Random) -> Outcome<()> {
    let mut engine = Engine::start(path, memory)?;
    engine.ask("boardsize 19")?;
    engine.ask("time_settings 0 10 1")?;
    let last: &[u8] = match random.below(5) {
        0 => b"genmove b\n",
        1 => b"play b d",
        2 => b"showboard\nshowboard\nquit\nshowboard\n",
        3 => b"kata-analyze b 1\n",
        _ => b"genmove b\nquit\n",
    };
    engine
        .input
        .write_all(last)
        .map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_millis(random.below(60) as u64));
    if random.below(2) == 0
        && let Some(mut output) = engine.child.stdout.take()
    {
        let _ = output.read(&mut [0; 16]);
    }
    engine.disconnect()
}

/// Plays up to `games` games within `limit`. Compares the memory of the first and the last third.
fn soak(path: &str, games: u32, limit: Duration, memory: u32) -> Outcome<()> {
    let start = Instant::now();
    let mut random = Random::new(1);
    let mut engine = Engine::start(path, memory)?;
    let listed: Vec<String> = engine
        .ask("list_commands")?
        .lines()
        .map(str::to_string)
        .collect();
    let (mut played, mut moves, mut broken_off) = (0, 0, 0);
    // Memory after each game, in KiB.
    let mut used: Vec<u64> = Vec::new();
    while played < games && start.elapsed() < limit {
        let mut game = Game {
            engine: &mut engine,
            random: &mut random,
            listed: &listed,
        };
        moves += game
            .play()
            .map_err(|problem| format!("game {}: {problem}", played + 1))?;
        played += 1;
        used.extend(engines::memory(&engine.child).ok());
        if played % 20 == 0 {
            break_off(path, memory, &mut random)?;
            broken_off += 1;
        }
    }
    let (commands, slowest) = (engine.commands, engine.slowest);
    engine.burst(&["quit".to_string()])?;
    engine.disconnect()?;
    let hours = f64::from(moves) * SECONDS_A_MOVE / 3600.0;
    println!(
        "{played} games, {moves} moves, {hours:.0} simulated hours, {commands} commands answered in order, {broken_off} clients gone in mid-command, {:.0} s; slowest burst {:.0} ms",
        start.elapsed().as_secs_f64(),
        slowest.as_secs_f64() * 1000.0,
    );
    let third = used.len() / 3;
    let highest = |part: &[u64]| part.iter().max().copied().unwrap_or(0) as f64;
    let (early, late) = (highest(&used[..third]), highest(&used[2 * third..]));
    if third == 0 {
        println!("memory is unknown: fewer than 3 games, or the system does not report it");
        return Ok(());
    }
    println!(
        "memory: at most {:.1} MiB in the first third, {:.1} MiB in the last, {:+.1} %",
        early / 1024.0,
        late / 1024.0,
        (late / early - 1.0) * 100.0
    );
    if late > early * 1.05 {
        return Err("memory grew by more than 5 %".into());
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments
        .first()
        .map_or("target/release/omnigo", String::as_str);
    let number = |index: usize, default: u32| match arguments.get(index) {
        None => Some(default),
        Some(text) => text.parse().ok(),
    };
    let (Some(games), Some(seconds), Some(memory)) =
        (number(1, 3000), number(2, 1500), number(3, 64))
    else {
        eprintln!("soak: expected ENGINE GAMES SECONDS MIB");
        return ExitCode::from(2);
    };
    match soak(path, games, Duration::from_secs(u64::from(seconds)), memory) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("soak: {problem}");
            ExitCode::FAILURE
        }
    }
}
