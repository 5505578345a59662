//! HTTP: reads the heads of requests, checks them, and writes answers.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::access::{Access, Admission, Role};
use super::pages;

/// Maximum size of the head of a request, in bytes.
const MOST_HEAD: usize = 16 << 10;
/// Maximum number of headers.
const MOST_HEADERS: usize = 64;
/// Maximum time until the head has arrived.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Head of a request.
#[derive(Debug, Default)]
pub(super) struct Head {
    method: String,
    target: Vec<u8>,
    /// Names in lower case, and values.
    headers: Vec<(String, String)>,
    /// Bytes after the head.
    pub(super) rest: Vec<u8>,
}

/// Answer without a page: status, and one line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) line: &'static str,
}

const fn refusal(status: u16, line: &'static str) -> Refusal {
    Refusal { status, line }
}

/// Answer to a request that passed all checks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Route {
    /// A file of the page. The body is left out for `HEAD`.
    File {
        file: &'static pages::File,
        sends_body: bool,
    },
    /// The socket of a role, with the value of `Sec-WebSocket-Key`.
    Socket { role: Role, key: String },
    /// Redirection of the opened browser to the owner's page.
    Owner,
}

impl Head {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// If the head is malformed, too large, or late. The inner error is an answer; without one the
    /// connection is lost.
    pub(super) fn read(stream: &mut TcpStream) -> Result<Head, Option<Refusal>> {
        let late = || Some(refusal(408, "the request took too long"));
        let deadline = Instant::now() + HEAD_TIME;
        let mut bytes = Vec::new();
        let mut buffer = [0u8; 4096];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(late());
            }
            stream.set_read_timeout(Some(left)).map_err(|_| None)?;
            let count = match stream.read(&mut buffer) {
                Ok(0) => return Err(None),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error)
                    if [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut]
                        .contains(&error.kind()) =>
                {
                    return Err(late());
                }
                Err(_) => return Err(None),
            };
            bytes.extend(buffer.iter().take(count));
            if let Some(head) = Head::parse(&bytes).map_err(Some)? {
                return Ok(head);
            }
            if bytes.len() > MOST_HEAD {
                return Err(Some(refusal(431, "the head is larger than 16 KiB")));
            }
        }
    }

    /// Returns the head, or `None` if it is not complete.
    fn parse(bytes: &[u8]) -> Result<Option<Head>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(refusal(431, "more than 64 headers"));
            }
            Err(_) => return Err(refusal(400, "not an HTTP request")),
        };
        if length > MOST_HEAD {
            return Err(refusal(431, "the head is larger than 16 KiB"));
        }
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        Ok(Some(Head {
            method: request.method.unwrap_or_default().to_string(),
            target: request.path.unwrap_or_default().as_bytes().to_vec(),
            headers: request
                .headers
                .iter()
                .map(|header| (header.name.to_ascii_lowercase(), text(header.value)))
                .collect(),
            rest: bytes.get(length..).unwrap_or_default().to_vec(),
        }))
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(other, _)| other == name);
        named.map(|(_, value)| value.as_str())
    }

    fn first(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// Checks a request and finds its answer. Host and origin are checked before the token.
    ///
    /// # Errors
    /// The answer to a request that is not allowed.
    pub(super) fn route(&self, access: &Access) -> Result<Route, Refusal> {
        let hosts: Vec<&str> = self.all("host").collect();
        let [host] = hosts.as_slice() else {
            return Err(refusal(400, "expected one Host header"));
        };
        if !self.target.starts_with(b"/") {
            return Err(refusal(400, "expected a path that starts with /"));
        }
        if !access.is_host(host) {
            return Err(refusal(421, "this server has another name"));
        }
        if self.method != "GET" && self.method != "HEAD" {
            return Err(refusal(405, "expected GET or HEAD"));
        }
        let has_body = self.all("content-length").any(|length| length != "0")
            || self.all("transfer-encoding").next().is_some();
        if has_body {
            return Err(refusal(400, "expected a request without a body"));
        }
        if !self.all("origin").all(|origin| access.is_origin(origin)) {
            return Err(refusal(403, "the request comes from another site"));
        }
        let path = self.target.get(1..).unwrap_or_default();
        let end = path.iter().position(|&byte| byte == b'/');
        let (first, rest) = path.split_at(end.unwrap_or(path.len()));
        let admission = access.admit(first);
        let rest = match rest.strip_prefix(b"/") {
            Some(rest) if admission.is_some() => rest,
            Some(_) | None => return Err(refusal(404, "nothing here")),
        };
        let is_page = rest.is_empty() && self.first("sec-fetch-mode") == Some("navigate");
        let site = self.first("sec-fetch-site");
        if !is_page && site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Err(refusal(403, "the request comes from another site"));
        }
        match (admission, rest) {
            (Some(Admission::Ticket), b"") if self.method == "GET" => Ok(Route::Owner),
            (Some(Admission::Token(role)), b"ws") => self.socket(role),
            (Some(Admission::Token(_)), rest) => match pages::find(rest) {
                Some(file) => Ok(Route::File {
                    file,
                    sends_body: self.method == "GET",
                }),
                None => Err(refusal(404, "nothing here")),
            },
            (Some(Admission::Ticket) | None, _) => Err(refusal(404, "nothing here")),
        }
    }

    fn socket(&self, role: Role) -> Result<Route, Refusal> {
        let has = |name: &str, word: &str| {
            let mut words = self.all(name).flat_map(|value| value.split(','));
            words.any(|other| other.trim().eq_ignore_ascii_case(word))
        };
        let key = self.first("sec-websocket-key").unwrap_or_default();
        let sound = self.method == "GET"
            && has("connection", "upgrade")
            && has("upgrade", "websocket")
            && self.first("sec-websocket-version") == Some("13")
            && data_encoding::BASE64
                .decode(key.as_bytes())
                .is_ok_and(|bytes| bytes.len() == 16);
        // For a WebSocket, a browser names the page's site only in the header Origin.
        let is_browser = self.first("sec-fetch-mode").is_some() || self.first("cookie").is_some();
        match sound {
            false => Err(refusal(400, "expected a WebSocket of version 13")),
            true if is_browser && self.first("origin").is_none() => {
                Err(refusal(403, "expected an Origin header"))
            }
            true => Ok(Route::Socket {
                role,
                key: key.to_string(),
            }),
        }
    }

    /// Returns the header `Host`, which has been checked.
    pub(super) fn host(&self) -> &str {
        self.first("host").unwrap_or_default()
    }
}

/// Headers of every answer.
const COMMON: &str = "X-Content-Type-Options: nosniff\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cache-Control: no-store\r\n\
    Connection: close\r\n";

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

/// Writes an answer. Errors only lose the connection.
fn write(stream: &mut TcpStream, status: u16, headers: &str, media: &str, body: &[u8], sent: bool) {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} {}\r\n{COMMON}{headers}Content-Type: {media}\r\nContent-Length: {length}\r\n\r\n",
        reason(status)
    );
    let mut bytes = head.into_bytes();
    if sent {
        bytes.extend_from_slice(body);
    }
    let _ = stream.write_all(&bytes).and_then(|()| stream.flush());
}

/// Answers with one line.
pub(super) fn refuse(stream: &mut TcpStream, refusal: &Refusal) {
    let allow = match refusal.status {
        405 => "Allow: GET, HEAD\r\n",
        _ => "",
    };
    let body = format!("{}\n", refusal.line);
    let media = "text/plain; charset=utf-8";
    write(stream, refusal.status, allow, media, body.as_bytes(), true);
}

/// Discards what a refused client still sends, so that it can read the answer before a reset.
pub(super) fn linger(stream: &mut TcpStream) {
    const MOST: usize = 64 << 10;
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let (mut buffer, mut left) = ([0u8; 4096], MOST);
    while left > 0 {
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => left = left.saturating_sub(count),
            Ok(0) | Err(_) => return,
        }
    }
}

/// Sends the browser to a path of this server.
pub(super) fn redirect(stream: &mut TcpStream, path: &str) {
    let location = format!("Location: {path}\r\n");
    let media = "text/plain; charset=utf-8";
    write(stream, 303, &location, media, b"", true);
}

/// Answers with a file of the page. `host` is the checked header `Host`.
pub(super) fn send_file(stream: &mut TcpStream, file: &pages::File, host: &str, sends_body: bool) {
    // `'self'` does not cover sockets in all browsers.
    let policy = format!(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data: blob:; connect-src 'self' ws://{host}; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'\r\n"
    );
    write(stream, 200, &policy, file.media, file.bytes, sends_body);
}

/// Accepts a socket.
pub(super) fn upgrade(stream: &mut TcpStream, key: &str) -> io::Result<()> {
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        Access::new("127.0.0.1".parse().unwrap(), "127.0.0.1", 4000).unwrap()
    }

    fn route(access: &Access, first_line: &str, headers: &str) -> Result<Route, Refusal> {
        let text = format!("{first_line} HTTP/1.1\r\n{headers}\r\n");
        Head::parse(text.as_bytes())?.unwrap().route(access)
    }

    const HOST: &str = "Host: 127.0.0.1:4000\r\n";

    #[test]
    fn requests_need_the_right_host_token_and_method() {
        let access = access();
        let page = access.path(Role::Owner);
        let get = format!("GET {page}");
        assert!(route(&access, &get, HOST).is_ok());
        let cases: [(u16, &str, &str); 12] = [
            (421, &get, "Host: evil.example:4000\r\n"),
            (400, &get, ""),
            (
                400,
                &get,
                "Host: 127.0.0.1:4000\r\nHost: 127.0.0.1:4000\r\n",
            ),
            (400, "GET http://127.0.0.1:4000/", HOST),
            (405, &format!("POST {page}"), HOST),
            (405, &format!("OPTIONS {page}"), HOST),
            (
                403,
                &get,
                "Host: 127.0.0.1:4000\r\nOrigin: http://evil.example\r\n",
            ),
            (403, &get, "Host: 127.0.0.1:4000\r\nOrigin: null\r\n"),
            (400, &get, "Host: 127.0.0.1:4000\r\nContent-Length: 5\r\n"),
            (404, "GET /", HOST),
            (404, "GET /AAAAAAAAAAAAAAAAAAAAAA/", HOST),
            (404, &format!("GET {page}?x=1"), HOST),
        ];
        for (status, first_line, headers) in cases {
            let found = route(&access, first_line, headers);
            assert_eq!(found.unwrap_err().status, status, "{first_line} {headers}");
        }
    }

    #[test]
    fn paths_are_compared_as_bytes() {
        let access = access();
        let page = access.path(Role::Owner);
        for rest in [
            "../Cargo.toml",
            "js/../style.css",
            "%2e%2e/style.css",
            "./style.css",
            "/style.css",
            "style.css/",
            "STYLE.CSS",
            "style.css%00",
            "js//board.js",
            "ws/",
        ] {
            let found = route(&access, &format!("GET {page}{rest}"), HOST);
            assert_eq!(found.unwrap_err().status, 404, "{rest}");
        }
    }

    #[test]
    fn other_sites_may_only_open_the_page() {
        let access = access();
        let page = access.path(Role::Owner);
        let from = |site: &str, mode: &str| {
            format!("{HOST}Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\n")
        };
        let get = format!("GET {page}");
        assert!(route(&access, &get, &from("cross-site", "navigate")).is_ok());
        assert!(route(&access, &get, &from("cross-site", "no-cors")).is_err());
        let style = format!("GET {page}style.css");
        assert!(route(&access, &style, &from("cross-site", "navigate")).is_err());
        assert!(route(&access, &style, &from("same-site", "no-cors")).is_err());
    }
}
