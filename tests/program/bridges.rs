//! Whole games over the traffic of the bridges to OGS and KGS, with lost connections.
//!
//! The bot plays against an engine of the library, which also checks every move.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use omnigo::color::Color;
use omnigo::engine::{Choice, Engine, Options};
use omnigo::graph::spec::Spec;
use omnigo::notation::{move_text, read_move};
use omnigo::rules::{Points, presets};
use omnigo::vertex::Move;
use serde_json::Value;

use crate::process::piped;

/// Number of moves after which the opponent passes, so that games end.
const PLAYED: usize = 90;
/// Maximum number of moves of a game.
const LONGEST: usize = 250;

/// Bot behind the pipes of a bridge.
struct Bot {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Line ending of the bridge.
    ending: &'static str,
    listed: Vec<String>,
}

impl Bot {
    /// Starts a bot as both bridges do. `results` is its record of games.
    fn start(results: &Path, ending: &'static str) -> Bot {
        let mut child = piped()
            .args("--playouts 8 --threads 1 --net none --resign-below 0".split(' '))
            .args(["--ruleset", "chinese-ogs", "--results"])
            .arg(results)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut bot = Bot {
            child,
            input,
            output,
            ending,
            listed: Vec::new(),
        };
        let listed = bot.ask("list_commands");
        bot.listed = listed.split_whitespace().map(str::to_string).collect();
        bot
    }

    /// Sends commands in one burst. Returns their answers, which must be successes.
    fn burst(&mut self, commands: &[String]) -> Vec<String> {
        let lines: Vec<String> = commands
            .iter()
            .map(|command| format!("{command}{}", self.ending))
            .collect();
        self.input.write_all(lines.concat().as_bytes()).unwrap();
        let mut answers = Vec::new();
        for command in commands {
            let mut answer = String::new();
            while !answer.ends_with("\n\n") {
                let read = self.output.read_line(&mut answer).unwrap();
                assert_ne!(read, 0, "{command}: the end after {answer:?}");
            }
            let text = answer.strip_prefix("= ");
            let text = text.unwrap_or_else(|| panic!("{command}: {answer}"));
            answers.push(text.trim().to_string());
        }
        answers
    }

    fn ask(&mut self, command: &str) -> String {
        self.burst(&[command.to_string()]).remove(0)
    }

    /// Ends the bot without a chance to write.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes the pipe, as a bridge that has crashed.
    fn leave(self) {
        let Bot {
            mut child, input, ..
        } = self;
        drop(input);
        assert!(child.wait().unwrap().success());
    }

    fn quit(mut self) {
        self.ask("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Game as the server knows it.
struct Server {
    engine: Engine,
    bot: Color,
    /// Free handicap stones of Black.
    handicap: Vec<String>,
}

impl Server {
    fn new(ruleset: &str, bot: Color) -> Server {
        let goban = "grid:9".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find(ruleset).unwrap().rules.clone();
        let options = Options {
            playouts: Some(8),
            resign_below: 0.0,
            seed: 7,
            ..Options::default()
        };
        let komi = Points::round_from(6.5).unwrap().0;
        let engine = Engine::new(goban, rules, komi, options).unwrap();
        Server {
            engine,
            bot,
            handicap: Vec::new(),
        }
    }

    fn set_handicap(&mut self, stones: &[&str]) {
        let goban = self.engine.goban();
        let mut position = goban.start.clone();
        for stone in stones {
            let Some(Move::Place(at)) = read_move(goban, stone) else {
                panic!("{stone}");
            };
            assert_eq!(position[at.index()].replace(Color::BLACK), None, "{stone}");
        }
        self.engine.set_handicap(&position, stones.len() as u32);
        self.handicap = stones.iter().map(|stone| stone.to_lowercase()).collect();
    }

    fn moves(&self) -> usize {
        self.engine.turns()
    }

    fn text(&self, mv: Move) -> String {
        move_text(self.engine.goban(), mv).to_lowercase()
    }

    /// Returns the commands that send the moves so far. `name` writes a color as the bridge does.
    fn plays(&self, name: fn(Color) -> &'static str) -> Vec<String> {
        let moves = self.engine.moves().into_iter();
        let play = |(color, mv)| format!("play {} {}", name(color), self.text(mv));
        moves.map(play).collect()
    }

    /// Sends the handicap and the moves so far, and fails if the bot then has another position.
    /// `name` writes a color as the bridge does.
    fn resume(&self, bot: &mut Bot, name: fn(Color) -> &'static str) {
        if !self.handicap.is_empty() {
            bot.ask(&format!("set_free_handicap {}", self.handicap.join(" ")));
        }
        for play in self.plays(name) {
            bot.ask(&play);
        }
        self.compare(bot);
    }

    /// Plays the bot's answer, which must be a legal move.
    fn take(&mut self, answer: &str) {
        let mv = read_move(self.engine.goban(), answer).unwrap_or_else(|| panic!("{answer}"));
        let legal = self.engine.check(self.bot, mv);
        assert!(
            legal.is_ok() || self.engine.is_over(),
            "{answer}: {legal:?}"
        );
        self.engine.play(self.bot, mv).unwrap();
    }

    /// Returns the opponent's move and plays it.
    fn opponent(&mut self) -> Move {
        let color = self.bot.next(2);
        let mut choice = Choice::Move(Move::Pass);
        if self.moves() < PLAYED {
            choice = self.engine.choose(color);
        }
        let Choice::Move(mv) = choice else {
            panic!("a resignation");
        };
        self.engine.play(color, mv).unwrap();
        mv
    }

    fn is_over(&self) -> bool {
        let moves = self.engine.moves();
        matches!(moves.as_slice(), [.., (_, Move::Pass), (_, Move::Pass)])
    }

    /// Fails if the bot has another position.
    fn compare(&self, bot: &mut Bot) {
        let stone = |color: Option<Color>| match color {
            Some(Color::BLACK) => 'X',
            Some(_) => 'O',
            None => '.',
        };
        let expected: String = self.engine.position().into_iter().map(stone).collect();
        assert_eq!(bot.ask("position"), expected);
    }
}

fn record(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn full(color: Color) -> &'static str {
    if color == Color::BLACK {
        "black"
    } else {
        "white"
    }
}

fn short(color: Color) -> &'static str {
    if color == Color::BLACK { "b" } else { "w" }
}

/// Sends the state of a game as gtp2ogs does at the beginning and after each reconnection.
fn load_ogs(bot: &mut Bot, server: &Server) {
    assert!(
        bot.listed
            .iter()
            .any(|name| name == "kata-list_time_settings")
    );
    let systems = bot.ask("kata-list_time_settings");
    assert!(systems.contains("fischer-capped"));
    for command in [
        "boardsize 9",
        "clear_board",
        "komi 6.5",
        "kata-set-rules chinese",
    ] {
        bot.ask(command);
    }
    server.resume(bot, full);
}

/// Returns the clock of a game on OGS, before move `number`.
fn ogs_clock(number: usize) -> Vec<String> {
    let lines = match number % 4 {
        0 => [
            "kata-time_settings fischer-capped 300 30 600 -1",
            "time_left black 280 0",
            "time_left white 300 0",
        ],
        1 => [
            "kgs-time_settings byoyomi 600 30 5",
            "time_left black 30 3",
            "time_left white 600 0",
        ],
        2 => [
            "kgs-time_settings canadian 600 300 25",
            "time_left black 290 24",
            "time_left white 600 0",
        ],
        _ => [
            "time_settings 0 30 1",
            "time_left black 30 1",
            "time_left white 30 1",
        ],
    };
    lines.map(str::to_string).to_vec()
}

/// Plays a game through gtp2ogs. The process is killed, and the connection lost, several times.
fn ogs_game(results: &Path, bot_color: Color, handicap: &[&str]) {
    let mut server = Server::new("chinese", bot_color);
    if !handicap.is_empty() {
        server.set_handicap(handicap);
    }
    let mut bot = Bot::start(results, "\r\n");
    load_ogs(&mut bot, &server);
    let mut turn = server.engine.to_move();
    while !server.is_over() && server.moves() < LONGEST {
        if turn == bot_color {
            let mut commands = ogs_clock(server.moves());
            commands.push(format!("genmove {}", full(turn)));
            let answer = bot.burst(&commands).pop().unwrap();
            server.take(&answer);
        } else {
            let mv = server.opponent();
            bot.ask(&format!("play {} {}", full(turn), server.text(mv)));
        }
        turn = turn.next(2);
        match server.moves() {
            5 | 23 => {
                bot.kill();
                bot = Bot::start(results, "\r\n");
                load_ogs(&mut bot, &server);
            }
            // The connection was lost for a moment: the same process gets the state again.
            10 | 11 | 31 => load_ogs(&mut bot, &server),
            _ => {}
        }
    }
    server.compare(&mut bot);
    assert!(server.is_over(), "no end after {LONGEST} moves");
    bot.quit();
    let lines = record(results);
    let line = lines.last().unwrap();
    assert_eq!(line["end"], "passes");
    assert!(line["result"].is_string());
    assert_eq!(line["handicap"], handicap.len());
    assert_eq!(line["moves"].as_array().unwrap().len(), server.moves());
    assert!(line["seconds"][full(bot_color)].is_number());
    assert_eq!(line["seconds"].as_object().unwrap().len(), 1);
}

#[test]
fn games_through_gtp2ogs_survive_lost_connections() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    ogs_game(&results, Color::BLACK, &[]);
    ogs_game(&results, Color::WHITE, &["c3", "g7"]);
    assert_eq!(record(&results).len(), 2, "one line for each game");
}

/// Sends the beginning of a game as kgsGtp does.
fn load_kgs(bot: &mut Bot, server: &Server) {
    let clock = "kgs-time_settings byoyomi 1200 30 5";
    // The challenge, then the game.
    for command in ["name", "version", "boardsize 9", clock, "kgs-rules chinese"] {
        bot.ask(command);
    }
    for command in ["boardsize 9", "clear_board", "komi 6.5", clock] {
        bot.ask(command);
    }
    server.resume(bot, short);
}

#[test]
fn a_game_through_kgsgtp_survives_lost_connections_and_a_dispute() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let mut server = Server::new("chinese-ogs", Color::BLACK);
    let mut bot = Bot::start(&results, "\n");
    load_kgs(&mut bot, &server);
    let stones = bot.ask("place_free_handicap 3");
    let stones: Vec<&str> = stones.split_whitespace().collect();
    assert_eq!(stones.len(), 3);
    server.set_handicap(&stones);
    server.compare(&mut bot);
    let mut turn = Color::WHITE;
    let mut undone = false;
    while !server.is_over() && server.moves() < LONGEST {
        if turn == Color::BLACK {
            bot.ask("time_left b 1100 0");
            let answer = bot.ask("genmove b");
            server.take(&answer);
        } else {
            let mv = server.opponent();
            bot.ask(&format!("play w {}", server.text(mv)));
        }
        turn = turn.next(2);
        if server.moves() == 8 && !undone {
            // The opponent takes back a move: its own and the answer.
            undone = true;
            for _ in 0..2 {
                bot.ask("undo");
                assert!(server.engine.undo());
            }
        }
        if server.moves() == 15 {
            // The bridge has ended. The next one resumes the game.
            bot.leave();
            bot = Bot::start(&results, "\n");
            load_kgs(&mut bot, &server);
        }
    }
    assert!(server.is_over(), "no end after {LONGEST} moves");
    for stone in bot.ask("final_status_list dead").split_whitespace() {
        let Some(Move::Place(at)) = read_move(server.engine.goban(), stone) else {
            panic!("{stone}");
        };
        assert!(
            server.engine.position()[at.index()].is_some(),
            "{stone} is no stone"
        );
    }
    // A dispute: the bot captures dead stones, while the opponent passes.
    for _ in 0..LONGEST {
        let answer = bot.ask("kgs-genmove_cleanup b");
        if answer == "pass" {
            break;
        }
        assert!(
            read_move(server.engine.goban(), &answer).is_some(),
            "{answer}"
        );
        bot.ask("play w pass");
    }
    let chat = bot.ask("kgs-chat game visitor thank you");
    assert!(chat.starts_with("visitor, this is omnigo"));
    bot.ask("kgs-game_over");
    bot.leave();
    let lines = record(&results);
    assert_eq!(lines.len(), 2, "one line for each process: {lines:?}");
    assert_eq!(
        (
            &lines[0]["end"],
            lines[0]["moves"].as_array().unwrap().len()
        ),
        (&"left".into(), 15)
    );
    assert!(
        ["passes", "server"]
            .iter()
            .any(|end| lines[1]["end"] == *end)
    );
    assert_eq!(lines[1]["opponent"], "visitor");
    assert_eq!(lines[1]["handicap"], 3);
    assert!(lines[1]["moves"].as_array().unwrap().len() >= server.moves());
}
