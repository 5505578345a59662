//! `omnigo play` as browsers and other clients see it: HTTP requests, messages of a page, complete
//! games, and hostile input.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use crate::process::{omnigo, program};

/// Maximum time of any single answer. Only a hanging server exceeds it.
const PATIENCE: Duration = Duration::from_secs(120);

struct Server {
    child: Child,
    host: String,
    path: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = program()
            .arg("play")
            .args(arguments)
            .args([
                "--no-open",
                "--port",
                "0",
                "--threads",
                "1",
                "--memory",
                "64",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("board at http://").unwrap();
        let (host, rest) = address.split_once('/').unwrap();
        Server {
            child,
            host: host.to_string(),
            path: format!("/{rest}"),
        }
    }

    /// Sends these bytes, and returns the whole answer.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may close before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        let host = &self.host;
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    fn page(&self) -> Page {
        Page::open(&self.host, &self.path, json!({}))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(answer: &str) -> u16 {
    let word = answer.split(' ').nth(1).unwrap_or("0");
    word.parse().unwrap_or(0)
}

struct Page {
    socket: WebSocket<TcpStream>,
    /// All messages so far.
    seen: Vec<Value>,
    state: Value,
    ids: u64,
}

impl Page {
    /// Opens a page and says hello with further keys.
    fn open(host: &str, path: &str, hello: Value) -> Page {
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("ws://{host}{path}ws")
            .into_client_request()
            .unwrap();
        let (socket, _) = tungstenite::client::client(request, stream).unwrap();
        let mut page = Page {
            socket,
            seen: Vec::new(),
            state: Value::Null,
            ids: 0,
        };
        let mut greeting = json!({"type": "hello", "protocol": 1});
        let (keys, more) = (
            greeting.as_object_mut().unwrap(),
            hello.as_object().unwrap(),
        );
        keys.extend(more.clone());
        page.send(&greeting.to_string());
        page.until(|message| message["type"] == "state");
        page
    }

    fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    fn next(&mut self) -> Value {
        loop {
            let message = match self.socket.read() {
                // A suspended machine interrupts reads.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {
                    continue;
                }
                message => message.unwrap(),
            };
            match message {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if message["type"] == "state" {
                        self.state = message.clone();
                    }
                    self.seen.push(message.clone());
                    return message;
                }
                Message::Close(_) => return json!({"type": "closed"}),
                _ => {}
            }
        }
    }

    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let message = self.next();
            if wanted(&message) {
                return message;
            }
            assert!(Instant::now() < deadline, "no such message");
            assert_ne!(message["type"], "closed");
        }
    }

    /// Sends a command with an id of its own, and returns its answer.
    fn ask(&mut self, mut command: Value) -> Value {
        self.ids += 1;
        let id = json!(self.ids);
        command
            .as_object_mut()
            .unwrap()
            .insert("id".to_string(), id.clone());
        self.send(&command.to_string());
        let ends = ["done", "result", "refused", "error"];
        self.until(|message| {
            message["id"] == id && ends.contains(&message["type"].as_str().unwrap_or_default())
        })
    }

    /// Sends a command that changes the game, and waits for the new state.
    fn act(&mut self, command: Value) -> Value {
        let before = self.state["rev"].as_u64().unwrap();
        let answer = self.ask(command);
        assert!(
            ["done", "result"].contains(&answer["type"].as_str().unwrap()),
            "{answer}"
        );
        while self.state["rev"].as_u64().unwrap() <= before {
            self.next();
        }
        answer
    }

    /// Waits until the engine has moved and a person can move, or the game is over.
    fn settle(&mut self) {
        while self.state["phase"] == "play"
            && (self.state["thinking"] != Value::Null || self.is_engines_turn())
        {
            self.next();
        }
    }

    fn is_engines_turn(&self) -> bool {
        let players = self.state["players"].as_array().unwrap();
        let player = players
            .iter()
            .find(|p| p["color"] == self.state["to_move"])
            .unwrap();
        player["kind"] == "engine" && self.state["waits"] == false
    }

    fn console(&mut self, line: &str) -> String {
        let answer = self.ask(json!({"type": "console", "line": line}));
        answer["text"].as_str().unwrap().to_string()
    }

    fn board(&self) -> &Value {
        self.seen
            .iter()
            .rfind(|message| message["type"] == "board")
            .unwrap()
    }

    /// Returns the alias of the n-th legal vertex, counted around.
    fn legal(&self, n: usize) -> Option<String> {
        let bits = self.state["legal"].as_str().unwrap().bytes().enumerate();
        let legal: Vec<usize> = bits
            .filter(|(_, bit)| *bit == b'1')
            .map(|(i, _)| i)
            .collect();
        let index = *legal.get(n % legal.len().max(1))?;
        Some(self.board()["alias"][index].as_str().unwrap().to_string())
    }
}

/// Plays Black against the engine until the end, and checks every position.
fn complete_game(spec: &str, ruleset: &str) {
    let server = Server::start(&[spec, "--ruleset", ruleset, "--playouts", "10"]);
    let mut page = server.page();
    let mut turn = 0;
    while page.state["phase"] == "play" {
        page.settle();
        if page.state["phase"] != "play" {
            break;
        }
        assert_eq!(page.state["to_move"], "black", "{spec}");
        let rev = page.state["rev"].clone();
        // Play about half of the board, then pass.
        let vertices = page.board()["alias"].as_array().unwrap().len();
        match page.legal(turn * 7).filter(|_| turn < vertices / 3) {
            Some(vertex) => page.act(json!({"type": "play", "vertex": vertex, "rev": rev})),
            None if page.state["pass"] == true => page.act(json!({"type": "pass", "rev": rev})),
            None => {
                let vertex = page.legal(turn).unwrap();
                page.act(json!({"type": "play", "vertex": vertex, "rev": rev}))
            }
        };
        turn += 1;
        assert!(turn < 4 * vertices, "{spec}: the game has no end");
        page.settle();
        let shown = page
            .state
            .get("points")
            .unwrap_or(&page.state["stones"])
            .clone();
        assert_eq!(shown, page.console("position"), "{spec}");
    }
    if page.state["phase"] == "score" {
        page.act(json!({"type": "accept"}));
    }
    assert_eq!(page.state["phase"], "over", "{spec}: {}", page.state);
    assert!(page.state["result"].is_string(), "{spec}");
    let refused = page.ask(json!({"type": "pass"}));
    assert_eq!(refused["reason"], "game-over", "{spec}");
}

#[test]
fn complete_games_on_a_grid() {
    complete_game("grid:5", "tromp-taylor");
}

#[test]
fn complete_games_with_agreement() {
    complete_game("grid:4", "chinese");
}

#[test]
fn complete_games_on_a_torus() {
    complete_game("torus:5x5", "tromp-taylor");
}

#[test]
fn complete_games_on_petersen() {
    complete_game("petersen", "tromp-taylor");
}

#[test]
fn complete_games_on_a_go_space() {
    complete_game("space:(grid:3),edges", "topo-stone");
}

#[test]
fn hostile_requests_get_one_line() {
    let server = Server::start(&["grid:3"]);
    let (host, path) = (server.host.clone(), server.path.clone());
    let token = path.trim_matches('/');
    let port = host.split_once(':').unwrap().1.to_string();
    let request = |first: &str, headers: &str| format!("{first} HTTP/1.1\r\n{headers}\r\n");
    let ok = format!("Host: {host}\r\n");
    let with = |more: &str| format!("{ok}{more}\r\n");
    let get = format!("GET {path}");
    let socket = format!("GET {path}ws");
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let long = "x".repeat(20_000);
    let table: Vec<(u16, String)> = vec![
        (200, request(&get, &ok)),
        (200, request(&format!("HEAD {path}"), &ok)),
        (200, request(&get, &format!("Host: localhost:{port}\r\n"))),
        (101, request(&socket, &with(upgrade))),
        (
            101,
            request(
                &socket,
                &with(&format!("{upgrade}\r\nOrigin: http://{host}")),
            ),
        ),
        (
            403,
            request(
                &socket,
                &with(&format!("{upgrade}\r\nOrigin: http://evil.example")),
            ),
        ),
        (
            403,
            request(&socket, &with(&format!("{upgrade}\r\nOrigin: null"))),
        ),
        (
            403,
            request(
                &socket,
                &with(&format!("{upgrade}\r\nSec-Fetch-Mode: websocket")),
            ),
        ),
        (
            421,
            request(
                &socket,
                &format!(
                    "Host: evil.example:{port}\r\n{upgrade}\r\nOrigin: http://evil.example:{port}\r\n"
                ),
            ),
        ),
        (421, request(&get, "Host: evil.example\r\n")),
        (
            421,
            request(&get, &format!("Host: 127.0.0.1:{port}.evil.example\r\n")),
        ),
        (400, request(&get, "")),
        (400, request(&get, &format!("{ok}{ok}"))),
        (400, request(&format!("GET http://{host}{path}"), &ok)),
        (405, request(&format!("POST {path}"), &ok)),
        (405, request(&format!("DELETE {path}"), &ok)),
        (405, request(&format!("OPTIONS {path}"), &ok)),
        (400, request(&get, &with("Content-Length: 3"))),
        (400, request(&get, &with("Transfer-Encoding: chunked"))),
        (404, request("GET /", &ok)),
        (404, request("GET /favicon.ico", &ok)),
        (
            404,
            request(&format!("GET /{}x/", &token[..token.len() - 1]), &ok),
        ),
        (404, request(&format!("GET /{token}"), &ok)),
        (404, request(&format!("{get}?a=b"), &ok)),
        (404, request(&format!("{get}../{token}/style.css"), &ok)),
        (404, request(&format!("{get}js/../style.css"), &ok)),
        (404, request(&format!("{get}%2e%2e/style.css"), &ok)),
        (404, request(&format!("{get}style.css%00"), &ok)),
        (404, request(&format!("{get}/etc/passwd"), &ok)),
        (400, request(&format!("{get}style.css\0"), &ok)),
        (400, "nonsense\r\n\r\n".to_string()),
        (431, request(&format!("{get}{long}"), &ok)),
        (431, request(&get, &with(&format!("X: {long}")))),
        (
            431,
            request(&get, &format!("{ok}{}", "X: y\r\n".repeat(100))),
        ),
        (400, request(&socket, &ok)),
    ];
    for (expected, text) in table {
        let answer = match expected {
            101 => {
                let mut stream = TcpStream::connect(&host).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                stream.write_all(text.as_bytes()).unwrap();
                let mut line = String::new();
                BufReader::new(stream).read_line(&mut line).unwrap();
                line
            }
            _ => server.raw(text.as_bytes()),
        };
        let shown: String = text.chars().take(120).collect();
        assert_eq!(status(&answer), expected, "{shown:?}: {answer}");
        if expected >= 400 {
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert_eq!(body.lines().count(), 1, "{shown}");
            assert!(
                head.contains("nosniff") && !head.contains("Access-Control"),
                "{shown}"
            );
            assert!(!answer.contains(token), "the token leaks: {shown}");
        }
    }
    // The server still plays.
    assert_eq!(
        server.page().ask(json!({"type": "play", "vertex": "A1"}))["type"],
        "done"
    );
}

#[test]
fn answers_carry_the_headers_of_a_safe_page() {
    let server = Server::start(&["grid:3"]);
    let answer = server.get(&server.path);
    for header in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cache-Control: no-store",
        "Content-Type: text/html",
    ] {
        assert!(answer.contains(header), "{header}");
    }
    let script = server.get(&format!("{}style.css", server.path));
    assert!(script.contains("Content-Type: text/css"));
}

#[test]
fn hostile_messages_get_one_line_and_change_nothing() {
    let server = Server::start(&["grid:5"]);
    let mut page = server.page();
    let rev = page.state["rev"].clone();
    let deep = format!(
        "{{\"type\":\"new\",\"x\":{}{}}}",
        "[".repeat(1000),
        "]".repeat(1000)
    );
    let texts = [
        "",
        "null",
        "7",
        "[]",
        "{",
        "{}",
        "\u{0}",
        r#"{"type":"nonsense"}"#,
        r#"{"type":null}"#,
        r#"{"type":"play"}"#,
        r#"{"type":"play","vertex":"Z99"}"#,
        r#"{"type":"play","vertex":"resign"}"#,
        r#"{"type":"play","vertex":["A1"]}"#,
        r#"{"type":"play","vertex":"\ud800"}"#,
        r#"{"type":"play","vertex":"A1","color":"mauve"}"#,
        r#"{"type":"play","vertex":"A1","color":"white"}"#,
        r#"{"type":"play","vertex":"A1","rev":99}"#,
        r#"{"type":"play","vertex":"A1","rev":-1}"#,
        r#"{"type":"undo"}"#,
        r#"{"type":"redo"}"#,
        r#"{"type":"goto","node":77}"#,
        r#"{"type":"goto","node":1e400}"#,
        r#"{"type":"delete","node":0}"#,
        r#"{"type":"promote","node":0}"#,
        r#"{"type":"comment","node":5,"text":"x"}"#,
        r#"{"type":"setup","stones":"X"}"#,
        r#"{"type":"setup","stones":"XXXXXXXXXXXXXXXXXXXXXXXXX"}"#,
        r#"{"type":"players","players":{"white":{"kind":"robot"}}}"#,
        r#"{"type":"players","players":{"mauve":{"kind":"person"}}}"#,
        r#"{"type":"players","players":{"white":{"kind":"engine","playouts":99999999999}}}"#,
        r#"{"type":"accept"}"#,
        r#"{"type":"resume"}"#,
        r#"{"type":"dead","vertex":"A1"}"#,
        r#"{"type":"new","spec":"grid:200"}"#,
        r#"{"type":"new","spec":"file:/etc/passwd"}"#,
        r#"{"type":"new","spec":"line(file:/etc/passwd)"}"#,
        r#"{"type":"new","spec":"grid:3+file:/etc/passwd"}"#,
        r#"{"type":"new","spec":"grid:0"}"#,
        r#"{"type":"new","spec":"gnp:9000,0.9,1"}"#,
        r#"{"type":"new","ruleset":"nonsense"}"#,
        r#"{"type":"new","colors":9}"#,
        r#"{"type":"new","komi":"much"}"#,
        r#"{"type":"new","handicap":1000000}"#,
        r#"{"type":"new","clock":{"main":-5}}"#,
        r#"{"type":"new","moves":["A1","A1"]}"#,
        r#"{"type":"new","link":"board=file:x"}"#,
        r#"{"type":"new","link":"nothing"}"#,
        r#"{"type":"solve","seconds":1e9}"#,
        r#"{"type":"stop","job":"x"}"#,
        r#"{"type":"import","name":"x.sgf","text":"nonsense"}"#,
        r#"{"type":"import","name":"../../x","base64":"%%%"}"#,
        r#"{"type":"import","name":"x.json","text":"{\"kind\":\"game\",\"graph\":\"file:/etc/passwd\",\"ruleset\":\"ggg\",\"moves\":[]}"}"#,
        r#"{"type":"import","name":"x.json","text":"{\"kind\":\"game\",\"graph\":\"grid:250\",\"ruleset\":\"ggg\",\"moves\":[]}"}"#,
        r#"{"type":"import","name":"x","text":""}"#,
        r#"{"type":"export","what":"/etc/passwd","format":"text"}"#,
        r#"{"type":"export","what":"position","format":"svg","width":1000000}"#,
        r#"{"type":"thumbnail","spec":"file:x"}"#,
        r#"{"type":"thumbnail","spec":"grid:9","width":9999999}"#,
        r#"{"type":"preview","spec":"line(file:x)"}"#,
        r#"{"type":"hello","protocol":99}"#,
        &deep,
    ];
    for text in texts {
        page.send(text);
        let answer = page.until(|message| {
            ["error", "refused", "done", "result"].contains(&message["type"].as_str().unwrap())
        });
        let shown: String = text.chars().take(100).collect();
        let line = answer["line"]
            .as_str()
            .or(answer["text"].as_str())
            .unwrap_or_default();
        let wrong = ["error", "refused"].contains(&answer["type"].as_str().unwrap());
        assert!(wrong, "{shown}: {answer}");
        assert!(
            !line.is_empty() && !line.contains('\n') && line.len() < 500,
            "{shown}: {line}"
        );
    }
    page.socket
        .send(Message::Binary(vec![1, 2, 3].into()))
        .unwrap();
    assert_eq!(
        page.until(|message| message["type"] == "error")["id"],
        Value::Null
    );
    for line in [
        "loadsgf x",
        "load_game x",
        "printsgf x",
        "save_game x",
        "write_svg x.svg",
        "quit",
    ] {
        let answer = page.ask(json!({"type": "console", "line": line}));
        assert_eq!(answer["ok"], false, "{line}");
    }
    let state = page.ask(json!({"type": "why", "vertex": "A1"}));
    assert_eq!(state["legal"], true);
    let mut other = server.page();
    assert_eq!(other.state["rev"], rev, "nothing changed");
    // A message over the limit closes its own socket only.
    page.socket.send(Message::text("x".repeat(2 << 20))).ok();
    let bye = page.until(|message| message["type"] == "bye");
    assert!(bye["line"].as_str().unwrap().contains("too long"));
    assert_eq!(
        other.ask(json!({"type": "play", "vertex": "A1"}))["type"],
        "done"
    );
}

#[test]
fn roles_limit_what_pages_may_do() {
    let server = Server::start(&["grid:5"]);
    let mut owner = server.page();
    let welcome = owner.seen[0].clone();
    let path = |name: &str| welcome["links"][name].as_str().unwrap().to_string();
    owner.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    let mut black = Page::open(&server.host, &path("black"), json!({}));
    let mut white = Page::open(&server.host, &path("white"), json!({}));
    let mut watch = Page::open(&server.host, &path("watch"), json!({}));
    assert_eq!(black.seen[0]["role"], "player");
    assert_eq!(black.seen[0]["color"], "black");
    assert_eq!(
        black.seen[0]["links"],
        Value::Null,
        "links are for the owner"
    );
    assert_eq!(
        white.ask(json!({"type": "play", "vertex": "A1"}))["reason"],
        "not-yours"
    );
    let cheat = json!({"type": "play", "vertex": "A1", "color": "black"});
    assert_eq!(white.ask(cheat)["reason"], "not-yours");
    assert_eq!(
        watch.ask(json!({"type": "play", "vertex": "A1"}))["reason"],
        "not-yours"
    );
    black.act(json!({"type": "play", "vertex": "C3"}));
    for page in [&mut white, &mut watch, &mut owner] {
        page.until(|message| message["type"] == "state" && message["turns"] == 1);
        assert_eq!(page.state["rev"], black.state["rev"]);
        assert_eq!(page.state["stones"], black.state["stones"]);
    }
    white.act(json!({"type": "play", "vertex": "C4"}));
    for command in [
        "undo", "genmove", "solve", "life", "analyze", "score", "resume", "quit",
    ] {
        let answer = white.ask(json!({"type": command}));
        assert_eq!(answer["reason"], "not-yours", "{command}");
    }
    assert_eq!(
        watch.ask(json!({"type": "why", "vertex": "C3"}))["reason"],
        "occupied"
    );
    assert_eq!(
        watch.ask(json!({"type": "validate", "spec": "cube"}))["valid"],
        true
    );
}

#[test]
fn a_player_whose_color_the_engine_plays_only_watches() {
    let server = Server::start(&["grid:3", "--ruleset", "chinese"]);
    let owner = server.page();
    let path = owner.seen[0]["links"]["white"].as_str().unwrap();
    let mut white = Page::open(&server.host, path, json!({}));
    for command in [
        json!({"type": "play", "vertex": "A1"}),
        json!({"type": "pass"}),
        json!({"type": "resign"}),
        json!({"type": "dead", "vertex": "A1"}),
    ] {
        let answer = white.ask(command.clone());
        assert_eq!(answer["reason"], "not-yours", "{command}");
    }
}

#[test]
fn a_reconnect_loses_nothing_and_repeats_nothing() {
    let server = Server::start(&["torus:5x5"]);
    let mut first = Page::open(&server.host, &server.path, json!({"page": "p1"}));
    first.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    first.act(json!({"type": "play", "vertex": "C3"}));
    let (game, rev) = (first.state["game"].clone(), first.state["rev"].clone());
    drop(first);
    // Nothing has changed, so only the state comes.
    let hello = json!({"page": "p1", "game": game, "since": rev});
    let mut again = Page::open(&server.host, &server.path, hello);
    let types: Vec<&str> = again
        .seen
        .iter()
        .map(|m| m["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["welcome", "state"]);
    assert_eq!(again.state["rev"], rev);
    // The command with id 2 is known.
    again.send(r#"{"type":"play","vertex":"A1","id":2}"#);
    let answer = again.until(|message| message["id"] == 2);
    assert_eq!(answer["repeated"], true);
    again.ids = 10;
    let mut other = server.page();
    other.act(json!({"type": "play", "vertex": "D3"}));
    let stale = again.ask(json!({"type": "play", "vertex": "A1", "rev": rev}));
    assert_eq!(stale["reason"], "stale");
    drop(again);
    let hello = json!({"page": "p1", "game": game, "since": rev});
    let again = Page::open(&server.host, &server.path, hello);
    assert_eq!(again.seen[1]["type"], "board", "the game has changed");
    assert_eq!(again.state["turns"], 2);
}

#[test]
fn variations_are_kept_as_a_tree() {
    let server = Server::start(&["petersen"]);
    let mut page = server.page();
    page.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    let aliases: Vec<String> = (0..4)
        .map(|n| page.board()["alias"][n].as_str().unwrap().into())
        .collect();
    for vertex in &aliases[..2] {
        page.act(json!({"type": "play", "vertex": vertex}));
    }
    page.act(json!({"type": "undo"}));
    page.act(json!({"type": "play", "vertex": aliases[2]}));
    let branch = page.state["node"].clone();
    page.act(json!({"type": "comment", "node": branch, "text": "<b>other</b>"}));
    page.act(json!({"type": "promote", "node": branch}));
    let tree = page
        .seen
        .iter()
        .rfind(|message| message["type"] == "tree")
        .unwrap();
    let order: Vec<u64> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n["id"].as_u64().unwrap())
        .collect();
    assert_eq!(order, [0, 1, 3, 2]);
    page.act(json!({"type": "goto", "node": 2}));
    assert_eq!(page.state["last"]["vertex"], aliases[1].as_str());
    let position = page.console("position");
    assert_eq!(page.state["stones"], position);
    page.act(json!({"type": "goto", "node": 0}));
    page.act(json!({"type": "redo"}));
    page.act(json!({"type": "delete", "node": 1}));
    assert_eq!(page.state["turns"], 0);
    assert_eq!(page.state["stones"], "..........");
}

#[test]
fn undo_against_the_engine_returns_to_the_persons_turn() {
    let server = Server::start(&["grid:5", "--playouts", "10"]);
    let mut page = server.page();
    page.act(json!({"type": "play", "vertex": "C3"}));
    page.settle();
    assert_eq!(page.state["turns"], 2);
    page.act(json!({"type": "undo"}));
    assert_eq!(
        (page.state["turns"].as_u64(), &page.state["to_move"]),
        (Some(0), &json!("black"))
    );
    page.act(json!({"type": "genmove"}));
    page.settle();
    while page.state["turns"] != 2 {
        page.next();
    }
    // At the engine's turn, navigation leaves it to the person to go on.
    page.act(json!({"type": "goto", "node": 1}));
    assert_eq!(page.state["waits"], true);
}

#[test]
fn undo_takes_back_the_move_while_the_engine_thinks() {
    let server = Server::start(&["grid:9", "--time", "3600"]);
    let mut page = server.page();
    page.act(json!({"type": "play", "vertex": "C3"}));
    page.until(|message| message["thinking"] == "white");
    // A page that joins is served during the search.
    assert_eq!(server.page().state["turns"], 1);
    assert_eq!(
        page.ask(json!({"type": "play", "vertex": "D4"}))["reason"],
        "not-yours"
    );
    page.act(json!({"type": "undo"}));
    assert_eq!(page.state["turns"], 0);
    page.act(json!({"type": "play", "vertex": "C4"}));
    page.until(|message| message["thinking"] == "white");
    page.ask(json!({"type": "genmove"}));
    page.until(|message| message["type"] == "state" && message["turns"] == 2);
    assert_eq!(page.state["to_move"], "black", "one move only");
}

#[test]
fn refused_commands_let_the_engine_go_on() {
    let server = Server::start(&["grid:9", "--time", "3600"]);
    let mut page = Page::open(&server.host, &server.path, json!({"page": "p1"}));
    let mut played = json!({"type": "play", "vertex": "C3", "rev": page.state["rev"]});
    page.act(played.clone());
    page.until(|message| message["thinking"] == "white");
    let rev = page.state["rev"].clone();
    let path = page.seen[0]["links"]["white"].as_str().unwrap();
    let mut guest = Page::open(&server.host, path, json!({}));
    // A guest who only watches cannot end the search.
    for _ in 0..5 {
        assert_eq!(guest.ask(json!({"type": "resign"}))["reason"], "not-yours");
    }
    // A command of an older revision is refused during the search.
    let stale = page.ask(json!({"type": "undo", "rev": 0}));
    assert_eq!(stale["reason"], "stale");
    // A page that was cut off may send its move again.
    let mut again = Page::open(&server.host, &server.path, json!({"page": "p1"}));
    played["id"] = json!(page.ids - 1);
    again.send(&played.to_string());
    let answer = again.until(|message| message["id"] == played["id"]);
    assert_eq!(
        (&answer["type"], &answer["repeated"]),
        (&json!("done"), &json!(true))
    );
    // A file without a game ends the search, which starts anew.
    let wrong = json!({"type": "import", "name": "x.sgf", "text": "nonsense"});
    assert_eq!(page.ask(wrong)["type"], "error");
    page.until(|message| message["type"] == "state" && message["thinking"] == "white");
    assert_eq!(
        (&page.state["rev"], &page.state["waits"]),
        (&rev, &json!(false))
    );
    page.ask(json!({"type": "genmove", "rev": rev}));
    page.until(|message| message["type"] == "state" && message["turns"] == 2);
}

#[test]
fn players_resign_while_the_engine_thinks() {
    let server = Server::start(&["grid:9", "--time", "3600"]);
    let mut owner = server.page();
    let path = owner.seen[0]["links"]["black"].as_str().unwrap();
    let mut black = Page::open(&server.host, path, json!({}));
    black.act(json!({"type": "play", "vertex": "C3"}));
    black.until(|message| message["thinking"] == "white");
    let other = json!({"type": "resign", "color": "white"});
    assert_eq!(black.ask(other)["reason"], "not-yours");
    black.act(json!({"type": "resign"}));
    owner.until(|message| message["type"] == "state" && message["phase"] == "over");
    assert_eq!(owner.state["result"], "W+R");
}

#[test]
fn analysis_runs_on_request_and_follows_the_game() {
    let server = Server::start(&["torus:5x5"]);
    let mut page = server.page();
    page.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    page.ask(json!({"type": "analyze", "on": true, "interval": 100, "ownership": true}));
    let first = page.until(|message| message["type"] == "analysis");
    assert_eq!(first["ownership"].as_array().unwrap().len(), 25);
    assert!(!first["moves"].as_array().unwrap().is_empty());
    assert!(first["moves"][0]["pv"].as_array().unwrap().len() < 20);
    page.act(json!({"type": "play", "vertex": "C3"}));
    let node = page.state["node"].clone();
    let next = page.until(|message| message["type"] == "analysis" && message["node"] == node);
    assert_eq!(next["color"], "white");
    page.send(r#"{"type":"stop"}"#);
    page.until(|message| message["type"] == "state" && message["analysis"] == false);
    // The best analysis stays in the tree, from Black's view.
    let noted = page
        .seen
        .iter()
        .rfind(|m| m["type"] == "node" && m["node"]["visits"].is_u64());
    assert!(noted.is_some());
}

#[test]
fn guests_who_ask_do_not_suppress_the_analysis() {
    let server = Server::start(&["grid:9"]);
    let mut page = server.page();
    let path = page.seen[0]["links"]["watch"].as_str().unwrap();
    let mut guest = Page::open(&server.host, path, json!({}));
    page.ask(json!({"type": "analyze", "on": true, "interval": 100}));
    page.until(|message| message["type"] == "analysis");
    let reports = |page: &Page| {
        let seen = page.seen.iter();
        seen.filter(|message| message["type"] == "analysis").count()
    };
    let before = reports(&page);
    for _ in 0..20 {
        let why = guest.ask(json!({"type": "why", "vertex": "C3"}));
        assert_eq!(why["legal"], true);
    }
    page.ask(json!({"type": "why", "vertex": "C3"}));
    // Questions wait for reports. Without that, all are answered before the second one. A page that
    // is slow to read misses some reports.
    assert!(reports(&page) >= before + 3, "{}", reports(&page));
    // More questions than reports, so each search ends early.
    for _ in 0..60 {
        guest.send(r#"{"type":"why","vertex":"C3"}"#);
    }
    page.until(|message| message["type"] == "analysis");
    // A move is still answered at once.
    page.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    page.act(json!({"type": "play", "vertex": "C3"}));
    let node = page.state["node"].clone();
    page.until(|message| message["type"] == "analysis" && message["node"] == node);
}

#[test]
fn exact_answers_come_beside_the_game() {
    let server = Server::start(&["cycle:5"]);
    let mut page = server.page();
    let answer = page.ask(json!({"type": "solve", "seconds": 60}));
    assert_eq!(answer["proved"], true, "{answer}");
    assert!(!answer["best"].as_array().unwrap().is_empty());
    let answer = page.ask(json!({"type": "count"}));
    assert_eq!(answer["proved"], true);
    assert!(
        answer["positions"]
            .as_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
            > 1
    );
    assert_eq!(page.ask(json!({"type": "komi"}))["type"], "result");
    assert!(
        page.ask(json!({"type": "life"}))["chains"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    page.act(json!({"type": "new", "spec": "grid:5"}));
    page.send(r#"{"type":"solve","id":"long","seconds":600}"#);
    assert_eq!(page.ask(json!({"type": "solve"}))["reason"], "busy");
    page.act(json!({"type": "play", "vertex": "C3"}));
    assert_eq!(
        page.ask(json!({"type": "stop", "job": "long"}))["type"],
        "done"
    );
    let bounds = page.seen.iter().find(|m| m["id"] == "long").cloned();
    let bounds = bounds.unwrap_or_else(|| {
        page.until(|message| message["id"] == "long" && message["type"] == "result")
    });
    assert!(
        bounds["lower"].is_string() || bounds["type"] == "progress",
        "{bounds}"
    );
}

#[test]
fn a_long_question_reports_its_progress() {
    // The bounds do not change for minutes.
    let server = Server::start(&["grid:4"]);
    let mut page = server.page();
    page.send(r#"{"type":"solve","id":"long","seconds":600}"#);
    let progress = page.until(|message| message["id"] == "long");
    assert_eq!(progress["type"], "progress", "{progress}");
    let text = progress["text"].as_str().unwrap();
    assert!(text.ends_with(" of 600 s"), "{text}");
    page.send(r#"{"type":"stop","job":"long","id":"end"}"#);
    page.until(|message| message["id"] == "long" && message["type"] == "result");
}

#[test]
fn a_question_ends_with_its_page() {
    let server = Server::start(&["grid:5"]);
    let mut first = server.page();
    let mut second = server.page();
    first.send(r#"{"type":"solve","id":"long","seconds":600}"#);
    // Answers come in order, so the question runs once this one is here.
    assert_eq!(first.ask(json!({"type": "count"}))["reason"], "busy");
    let other = second.ask(json!({"type": "stop", "job": "long"}));
    assert_eq!(other["reason"], "nothing", "another page has asked");
    drop(first);
    let deadline = Instant::now() + PATIENCE;
    while second.ask(json!({"type": "life"}))["reason"] == "busy" {
        assert!(Instant::now() < deadline, "the question goes on");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn players_agree_on_dead_stones() {
    let server = Server::start(&["grid:5x3", "--ruleset", "chinese"]);
    let mut page = server.page();
    let people = json!({"white": {"kind": "person"}});
    page.act(json!({"type": "players", "players": people}));
    page.act(json!({"type": "setup", "stones": ".XO...XO.X.XO..", "to_move": "black"}));
    page.act(json!({"type": "pass"}));
    page.act(json!({"type": "pass"}));
    assert_eq!(page.state["phase"], "score");
    // Whatever the engine thinks of this position, the marks of the players count.
    let live =
        |vertex: &str| json!({"type": "dead", "vertex": vertex, "dead": false, "alone": true});
    let alive = ["B1", "C1", "E2"];
    for vertex in alive {
        page.act(live(vertex));
    }
    assert_eq!(page.state["scoring"]["dead"], json!([]));
    page.act(json!({"type": "accept", "color": "black"}));
    assert_eq!(page.state["scoring"]["accepted"], json!(["black"]));
    page.act(json!({"type": "dead", "vertex": "E2", "dead": true}));
    assert_eq!(
        page.state["scoring"]["accepted"],
        json!([]),
        "a change clears the acceptances"
    );
    assert_eq!(page.state["scoring"]["owners"], "XXOOOXXOOOXXOOO");
    page.act(json!({"type": "resume"}));
    assert_eq!(
        (page.state["phase"].as_str(), page.state["turns"].as_u64()),
        (Some("play"), Some(0))
    );
    page.act(json!({"type": "pass"}));
    page.act(json!({"type": "pass"}));
    for vertex in alive {
        page.act(live(vertex));
    }
    page.act(json!({"type": "dead", "vertex": "E2", "dead": true}));
    page.act(json!({"type": "accept"}));
    assert_eq!(page.state["phase"], "over");
    assert_eq!(page.state["result"], "W+3");
}

#[test]
fn games_travel_by_link_and_file() {
    let server = Server::start(&["torus:4x4"]);
    let mut page = server.page();
    page.act(json!({"type": "players", "players": {"white": {"kind": "person"}}}));
    for vertex in ["A1", "B2", "pass", "C3"] {
        page.act(json!({"type": "play", "vertex": vertex}));
    }
    let (stones, link) = (page.state["stones"].clone(), page.state["link"].clone());
    let token = server.path.trim_matches('/');
    assert!(!link.as_str().unwrap().contains(token));
    let json_game = page.ask(json!({"type": "export", "what": "game", "format": "json"}));
    page.act(json!({"type": "new", "spec": "grid:5"}));
    page.act(json!({"type": "new", "link": link}));
    assert_eq!(page.state["stones"], stones);
    page.act(json!({"type": "new", "spec": "grid:5"}));
    page.act(json!({"type": "import", "name": "game.json", "text": json_game["text"]}));
    assert_eq!(page.state["stones"], stones);
    assert_eq!(page.board()["view"]["surface"], "torus");
    let sgf = "(;SZ[5]KM[6.5];B[aa];W[bb])";
    page.act(json!({"type": "import", "name": "game.sgf", "text": sgf}));
    assert_eq!(page.state["turns"], 2);
    let written = page.ask(json!({"type": "export", "what": "game", "format": "sgf"}));
    assert!(
        written["text"].as_str().unwrap().contains(";B[aa]"),
        "{written}"
    );
    let svg = page.ask(json!({"type": "export", "what": "position", "format": "svg"}));
    assert!(svg["text"].as_str().unwrap().starts_with("<svg"));
    let png =
        page.ask(json!({"type": "export", "what": "position", "format": "png", "width": 200}));
    assert!(png["base64"].as_str().unwrap().starts_with("iVBOR"));
    for what in ["position", "game", "graph"] {
        let pdf = page.ask(json!({"type": "export", "what": what, "format": "pdf"}));
        assert!(
            pdf["base64"].as_str().unwrap().starts_with("JVBERi"),
            "{what}"
        );
    }
    let mut positions = |every: u32| {
        let wish = json!({"type": "export", "what": "game", "format": "svg", "every": every});
        let svg = page.ask(wish)["text"].as_str().unwrap().to_string();
        svg.len()
    };
    assert!(positions(1) > positions(2), "two positions, and one");
    let wrong = json!({"type": "export", "what": "game", "format": "svg", "every": 0});
    assert_eq!(page.ask(wrong)["type"], "error");
    page.act(json!({"type": "import", "name": "triangle.txt", "text": "a b\nb c\nc a\n"}));
    assert_eq!(page.board()["alias"].as_array().unwrap().len(), 3);
    let held = page.state["link"].as_str().unwrap().to_string();
    assert!(held.starts_with("board=edges:a"), "{held}");
    page.act(json!({"type": "new", "link": held}));
    assert_eq!(page.board()["label"], json!(["a", "b", "c"]));
    let odd = "graph { \"ä\" -- b; b -- c; c -- \"ä\" }";
    page.act(json!({"type": "import", "name": "odd.dot", "text": odd}));
    assert_eq!(
        page.state["link"],
        Value::Null,
        "a spec cannot hold this name"
    );
    let graph = page.ask(json!({"type": "export", "what": "graph", "format": "graph6"}));
    assert_eq!(graph["text"].as_str().unwrap().trim(), "Bw");
    let link = link.as_str().unwrap();
    let opened = Server::start(&[&format!("http://127.0.0.1:1/secret/#{link}")]);
    assert_eq!(opened.page().state["stones"], stones);
    let opened = Server::start(&[link]);
    assert_eq!(opened.page().state["stones"], stones);
}

#[test]
fn variations_and_comments_travel_in_sgf() {
    let server = Server::start(&["grid:3"]);
    let mut page = server.page();
    let sgf = "(;SZ[5]KM[6.5]C[start];B[cc](;W[bb]C[main \\] line])(;W[dd]N[other];B[cc])(;W[ee]C[also]))";
    let answer = page.act(json!({"type": "import", "name": "game.sgf", "text": sgf}));
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("1 node cannot be played"), "{warnings}");
    assert_eq!(page.state["turns"], 2, "the end of the main line");
    let tree = |page: &Page| {
        let found = page.seen.iter().rfind(|message| message["type"] == "tree");
        found.unwrap()["nodes"].as_array().unwrap().clone()
    };
    let nodes = tree(&page);
    assert_eq!(nodes.len(), 5);
    assert_eq!(nodes[0]["comment"], "start");
    assert_eq!(nodes[2]["comment"], "main ] line");
    assert_eq!(nodes[3]["name"], "other");
    page.act(json!({"type": "goto", "node": 0}));
    page.act(json!({"type": "redo"}));
    page.act(json!({"type": "redo"}));
    assert_eq!(page.state["last"]["vertex"], "B4", "the main line");
    let written = page.ask(json!({"type": "export", "what": "game", "format": "sgf"}));
    let text = written["text"].as_str().unwrap();
    assert!(
        text.contains("C[main \\] line]") && text.contains("N[other]"),
        "{text}"
    );
    page.act(json!({"type": "new", "spec": "grid:3"}));
    page.act(json!({"type": "import", "name": "again.sgf", "text": text}));
    let plain = |nodes: Vec<Value>| -> Vec<Value> {
        let keys = |node: Value| json!([node["parent"], node["vertex"], node["comment"]]);
        nodes.into_iter().map(keys).collect()
    };
    assert_eq!(plain(tree(&page)), plain(nodes));
    // A game that restarts within is read as its main line.
    let restarts = "(;SZ[5];B[cc];AW[dd];B[bb](;W[aa])(;W[ab]))";
    let answer = page.act(json!({"type": "import", "name": "r.sgf", "text": restarts}));
    assert!(
        answer["warnings"]
            .to_string()
            .contains("only the latest part")
    );
    assert_eq!(tree(&page).len(), 3);
}

#[test]
fn variations_and_comments_travel_in_json_on_any_board() {
    let server = Server::start(&["grid:3"]);
    let mut page = server.page();
    let game = r#"{"kind":"game","graph":"torus:4x4","ruleset":"chinese","komi":1.5,
        "moves":[["black","A1"],["white","C3"]],"result":"B+R","tree":[{"comment":"start"},
        {"parent":0,"move":["black","A1"]},{"parent":1,"move":["white","B2"],"name":"other"},
        {"parent":2,"move":["black","B2"],"comment":"occupied"},
        {"parent":1,"move":["white","C3"],"comment":"two\nlines"}]}"#;
    let import = |page: &mut Page, text: &str| {
        page.act(json!({"type": "import", "name": "game.json", "text": text}))
    };
    let answer = import(&mut page, game);
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("1 node cannot be played"), "{warnings}");
    assert_eq!(page.state["last"]["vertex"], "C3", "the end of moves");
    let tree = |page: &Page| {
        let found = page.seen.iter().rfind(|message| message["type"] == "tree");
        let nodes = found.unwrap()["nodes"].as_array().unwrap();
        let keys = |node: &Value| json!([node["vertex"], node["name"], node["comment"]]);
        Value::from(nodes.iter().map(keys).collect::<Vec<Value>>())
    };
    let nodes = tree(&page);
    let expected = json!([
        [null, null, "start"],
        ["A1", null, null],
        ["B2", "other", null],
        ["C3", null, "two\nlines"]
    ]);
    assert_eq!(nodes, expected, "the order of the file");
    let wish = json!({"type": "export", "what": "game", "format": "json"});
    let written = page.ask(wish.clone());
    let text = written["text"].as_str().unwrap();
    assert!(text.contains("\"result\":\"B+R\""), "{text}");
    page.act(json!({"type": "new", "spec": "grid:3"}));
    import(&mut page, text);
    assert_eq!((tree(&page), &page.state["turns"]), (nodes, &json!(2)));
    // Elsewhere in the tree, the moves end there, and the result is not that of the file.
    page.act(json!({"type": "goto", "node": 1}));
    let written = page.ask(wish);
    let text = written["text"].as_str().unwrap();
    assert!(text.contains("\"result\":null"), "{text}");
    import(&mut page, text);
    assert_eq!(page.state["turns"], 1);
    assert_eq!(tree(&page), expected);
    let state = page.state.clone();
    let wrong = game.replace("\"parent\":1", "\"parent\":9");
    let answer = page.ask(json!({"type": "import", "name": "game.json", "text": wrong}));
    let line = answer["line"].as_str().unwrap();
    assert!(line.contains("node 2 of key 'tree'"), "{line}");
    assert!(!line.contains('\n'));
    assert_eq!(page.state["rev"], state["rev"], "nothing changes");
}

#[test]
fn several_games_run_at_once_within_the_limit() {
    let server = Server::start(&["grid:3"]);
    let new = || Page::open(&server.host, &server.path, json!({"game": "new"}));
    let mut pages: Vec<Page> = (1..8).map(|_| new()).collect();
    let mut first = Page::open(&server.host, &server.path, json!({"game": 1}));
    pages[6].act(json!({"type": "new", "spec": "cube"}));
    assert_eq!(
        first.ask(json!({"type": "why", "vertex": "A1"}))["legal"],
        true
    );
    assert_eq!(first.state["stones"], ".........");
    first.send(r#"{"type":"hello","protocol":1,"game":"new","id":7}"#);
    let answer = first.until(|message| message["id"] == 7);
    assert_eq!(answer["reason"], "limit");
    let still = first.ask(json!({"type": "why", "vertex": "A1"}));
    assert_eq!(still["legal"], true, "the page stays in its game");
}

#[test]
fn teams_win_together() {
    let server = Server::start(&["grid:3"]);
    let mut page = server.page();
    let players = |teams: [u8; 3]| {
        let person = |team: u8| json!({"kind": "person", "team": team});
        let [black, white, red] = teams.map(person);
        json!({"black": black, "white": white, "red": red})
    };
    page.act(json!({
        "type": "new", "spec": "path:9", "ruleset": "formal", "colors": 3,
        "start": "X.O....3.", "to_move": "black", "players": players([4, 2, 4]),
    }));
    assert_eq!(page.board()["ruleset"], "formal,sides=101");
    assert_eq!(page.state["players"][2]["team"], 4, "numbers of teams stay");
    for _ in 0..3 {
        page.act(json!({"type": "pass"}));
    }
    assert_eq!(page.state["result"], "B+2");
    assert_eq!(page.state["scores"]["red"], 2.0, "of each color alone");
    page.act(json!({"type": "players", "players": players([1, 2, 2])}));
    assert_eq!(page.board()["ruleset"], "formal,sides=011");
    assert_eq!(
        (&page.state["result"], &page.state["turns"]),
        (&json!("W+2"), &json!(3))
    );
    let rev = page.state["rev"].clone();
    let one = page.ask(json!({"type": "players", "players": players([1, 1, 1])}));
    assert!(one["line"].as_str().unwrap().contains("one side"), "{one}");
    assert_eq!(
        (&page.state["rev"], &page.state["result"]),
        (&rev, &json!("W+2"))
    );
    // Links and files keep the teams.
    let link = page.state["link"].clone();
    let game = page.ask(json!({"type": "export", "what": "game", "format": "json"}));
    for back in [
        json!({"type": "new", "link": link}),
        json!({"type": "import", "name": "game.json", "text": game["text"]}),
    ] {
        page.act(json!({"type": "new", "spec": "grid:3", "ruleset": "formal", "colors": 2}));
        assert_eq!(page.state["players"][1]["team"], Value::Null);
        page.act(back);
        assert_eq!(page.state["result"], "W+2");
        let teams: Vec<Value> = (0..3)
            .map(|color| page.state["players"][color]["team"].clone())
            .collect();
        assert_eq!(teams, [Value::Null, json!(1), json!(1)]);
    }
}

#[test]
fn clocks_run_and_end_games() {
    let server = Server::start(&["grid:5"]);
    let mut page = server.page();
    let people = json!({"white": {"kind": "person"}});
    page.act(json!({"type": "new", "players": people, "clock": {"main": 0.3}}));
    assert_eq!(
        page.state["clocks"][0]["running"], false,
        "clocks start with the first move"
    );
    page.act(json!({"type": "play", "vertex": "C3"}));
    assert_eq!(page.state["clocks"][1]["running"], true);
    page.until(|message| message["result"] == "B+T");
    assert_eq!(page.state["phase"], "over");
}

#[test]
fn boards_are_offered_and_checked() {
    let server = Server::start(&["grid:3"]);
    let mut page = server.page();
    let families = page.ask(json!({"type": "gallery"}));
    assert!(
        families["families"].as_array().unwrap().len() > 50,
        "{families}"
    );
    let rulesets = page.ask(json!({"type": "rules"}));
    assert!(rulesets["rulesets"].as_array().unwrap().len() > 10);
    assert!(
        page.ask(json!({"type": "formats"}))["formats"]
            .as_array()
            .unwrap()
            .len()
            > 10
    );
    let valid = page.ask(json!({"type": "validate", "spec": "Torus:7", "ruleset": "chinese"}));
    assert_eq!(
        (&valid["valid"], &valid["spec"]),
        (&json!(true), &json!("torus:7x7"))
    );
    assert!(valid["handicap"].as_u64().is_some_and(|most| most >= 2));
    assert_eq!(
        (&valid["family"], &valid["values"]),
        (&json!("torus"), &json!(["7", "7"]))
    );
    let joined = page.ask(json!({"type": "validate", "spec": "cube+cube"}));
    assert_eq!(
        (&joined["valid"], &joined["family"], &joined["values"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    let wrong = page.ask(json!({"type": "validate", "spec": "torus:"}));
    assert_eq!(wrong["valid"], false);
    let picture = page.ask(json!({"type": "thumbnail", "spec": "cube", "width": 100}));
    assert!(picture["svg"].as_str().unwrap().contains("width=\"100\""));
    let preview = page.ask(json!({"type": "preview", "spec": "dodecahedron"}));
    assert_eq!(preview["z"].as_array().unwrap().len(), 20);
}

#[test]
fn starts_fail_with_one_line() {
    let run = |arguments: &[&str]| {
        let output = omnigo(&[&["play"], arguments, &["--no-open"]].concat());
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let server = Server::start(&["grid:3"]);
    let port = server.host.split_once(':').unwrap().1;
    for (arguments, words) in [
        (&["nonsense"][..], "unknown graph family"),
        (&["grid:3", "--port", port], "port is in use"),
        (&["#board=file:x"], "opens no files"),
        (&["http://x/y"], "link"),
        (
            &["#board=cube&moves=A1.B1"],
            "vertex 'B1' is not on this board, expected one of A1 A4 B2 B3 C2 C3 D1 D4",
        ),
        (
            &["grid:3", "--host", "no.such.host.invalid"],
            "cannot listen",
        ),
    ] {
        let errors = run(arguments);
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn says_in_one_line_if_no_browser_can_be_started() {
    let mut child = program()
        .args(["play", "petersen", "--threads", "1", "--memory", "64"])
        .env("PATH", "/nonexistent")
        .env("DISPLAY", "")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("board at http://"), "{line}");
    let mut warning = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut warning).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert_eq!(
        warning,
        "warning: no browser could be started, open the address above by hand\n"
    );
    let mut more = String::new();
    errors.read_to_string(&mut more).unwrap();
    assert_eq!(more, "");
}

#[test]
fn the_ninth_game_is_refused_with_advice() {
    let server = Server::start(&["grid:3"]);
    let mut page = server.page();
    let hello = r#"{"type":"hello","protocol":1,"game":"new"}"#;
    for number in 2..=8 {
        page.send(hello);
        page.until(|message| message["type"] == "welcome" && message["game"] == number);
    }
    page.send(hello);
    let refused = page.until(|message| message["type"] == "refused");
    assert_eq!(refused["reason"], "limit");
    assert_eq!(
        refused["text"],
        "8 games are open, the most at once: close all pages of one, and it ends 10 minutes later"
    );
}

#[test]
fn the_owner_ends_the_program() {
    let mut server = Server::start(&["grid:3"]);
    let mut page = server.page();
    assert_eq!(page.seen[0]["quit"], true);
    assert_eq!(page.ask(json!({"type": "quit"}))["type"], "done");
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn pages_are_told_of_the_end_during_a_search_and_a_question() {
    let mut server = Server::start(&["grid:9", "--time", "3600"]);
    let mut page = server.page();
    let mut other = server.page();
    page.send(r#"{"type":"solve","seconds":600}"#);
    page.act(json!({"type": "play", "vertex": "C3"}));
    other.until(|message| message["thinking"] == "white");
    page.ask(json!({"type": "quit"}));
    for page in [&mut page, &mut other] {
        let bye = page.until(|message| message["type"] == "bye");
        assert_eq!(bye["line"], "omnigo has ended");
        let frame = loop {
            if let Message::Close(frame) = page.socket.read().unwrap() {
                break frame.unwrap();
            }
        };
        assert_eq!(u16::from(frame.code), 4000);
    }
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn guests_leave_room_for_the_owner() {
    let server = Server::start(&["grid:3"]);
    let owner = server.page();
    let path = owner.seen[0]["links"]["watch"].as_str().unwrap();
    let open = |path: &str| Page::open(&server.host, path, json!({}));
    let _guests: Vec<Page> = (1..12).map(|_| open(path)).collect();
    let stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let address = format!("ws://{}{path}ws", server.host);
    let request = address.into_client_request().unwrap();
    let refused = tungstenite::client::client(request, stream);
    assert!(refused.is_err(), "too many pages");
    let _more: Vec<Page> = (0..4).map(|_| open(&server.path)).collect();
}
