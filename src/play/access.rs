//! Access to the server: tokens with their roles, and the addresses under which it is reached.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::BASE64URL_NOPAD;
use subtle::ConstantTimeEq;

use crate::color::Color;

/// Rights of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// May do everything.
    Owner,
    /// Plays one color.
    Player(Color),
    /// Only watches.
    Watch,
}

impl Role {
    /// Returns the name of the role in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Player(_) => "player",
            Role::Watch => "watch",
        }
    }

    /// Returns the color of a player.
    pub(super) fn color(self) -> Option<Color> {
        match self {
            Role::Player(color) => Some(color),
            Role::Owner | Role::Watch => None,
        }
    }
}

/// Length of a token, in bytes of the random source of the system.
const TOKEN_BYTES: usize = 16;
/// Lifetime of the ticket for the opened browser. Other users of the machine can read its address.
const TICKET_LIFE: Duration = Duration::from_secs(30);

/// Usual port of HTTP. Browsers leave it out of the headers `Host` and `Origin`.
const HTTP: u16 = 80;

/// Error: the system has no random source.
#[derive(Debug, thiserror::Error)]
#[error("the system's random source failed: {0}")]
pub struct NoRandomness(getrandom::Error);

/// Returns a new token.
fn token() -> Result<String, NoRandomness> {
    let mut bytes = [0u8; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

/// Purpose of the first part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// A token.
    Token(Role),
    /// The ticket of the opened browser, which leads to the owner's page once.
    Ticket,
}

/// Tokens, ticket, and addresses of a server.
pub(super) struct Access {
    tokens: Vec<(String, Role)>,
    ticket: Mutex<Option<(String, Instant)>>,
    hosts: Hosts,
}

/// Values of the header `Host` that name this server.
struct Hosts {
    exact: Vec<String>,
    /// Port of a server that listens on all addresses. Any numeric address with this port is
    /// accepted: DNS rebinding needs a name.
    any_number: Option<u16>,
}

impl Access {
    /// Returns fresh tokens for a server on this address. `name` is the host as the user wrote it.
    pub(super) fn new(address: IpAddr, name: &str, port: u16) -> Result<Access, NoRandomness> {
        let roles = [Role::Owner, Role::Watch].into_iter();
        let players = Color::all(Color::MAX).map(Role::Player);
        let tokens = roles
            .chain(players)
            .map(|role| token().map(|token| (token, role)))
            .collect::<Result<Vec<_>, NoRandomness>>()?;
        let mut names = vec![host_text(address), name.to_string()];
        if address.is_loopback() || address.is_unspecified() {
            names.extend(["localhost".to_string(), "127.0.0.1".to_string()]);
        }
        let mut exact: Vec<String> = names
            .iter()
            .map(|name| format!("{}:{port}", name.to_ascii_lowercase()))
            .collect();
        if port == HTTP {
            exact.extend(names.iter().map(|name| name.to_ascii_lowercase()));
        }
        Ok(Access {
            tokens,
            ticket: Mutex::new(Some((token()?, Instant::now()))),
            hosts: Hosts {
                exact,
                any_number: address.is_unspecified().then_some(port),
            },
        })
    }

    /// Returns true if the header `Host` names this server.
    pub(super) fn is_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if self.hosts.exact.contains(&host) {
            return true;
        }
        self.hosts.any_number.is_some_and(|port| {
            let address: Option<SocketAddr> = host.parse().ok();
            match address {
                Some(address) => address.port() == port,
                None => port == HTTP && is_number(&host),
            }
        })
    }

    /// Returns true if the header `Origin` names this server.
    pub(super) fn is_origin(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://");
        host.is_some_and(|host| self.is_host(host))
    }

    /// Returns the meaning of the first part of a path, or `None`. Takes the same time for every
    /// text of the same length.
    pub(super) fn admit(&self, text: &[u8]) -> Option<Admission> {
        let mut found = None;
        for (token, role) in &self.tokens {
            if bool::from(token.as_bytes().ct_eq(text)) {
                found = Some(Admission::Token(*role));
            }
        }
        let ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((ticket, since)) = ticket.as_ref()
            && bool::from(ticket.as_bytes().ct_eq(text))
            && since.elapsed() < TICKET_LIFE
        {
            found = Some(Admission::Ticket);
        }
        found
    }

    /// Ends the life of the ticket. Returns false if it has been used.
    pub(super) fn use_ticket(&self) -> bool {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        ticket.take().is_some()
    }

    /// Returns the path with the ticket, which is valid from now on, or `None` if it was used.
    pub(super) fn ticket_path(&self) -> Option<String> {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, since) = ticket.as_mut()?;
        *since = Instant::now();
        Some(format!("/{text}/"))
    }

    /// Returns the path of the page of a role.
    pub(super) fn path(&self, role: Role) -> String {
        let found = self.tokens.iter().find(|(_, other)| *other == role);
        found.map_or_else(String::new, |(token, _)| format!("/{token}/"))
    }
}

impl fmt::Debug for Access {
    /// Hides the tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Access")
    }
}

/// Returns true if a text is a numeric address as it stands in a URL, without a port.
fn is_number(host: &str) -> bool {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    match inner {
        Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok(),
    }
}

/// Returns an address as it stands in a URL.
pub(super) fn host_text(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_names_are_hosts() {
        let access = Access::new("127.0.0.1".parse().unwrap(), "127.0.0.1", 4000).unwrap();
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"] {
            assert!(access.is_host(host), "{host}");
            assert!(access.is_origin(&format!("http://{host}")), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost:4001",
            "evil.example:4000",
            "localhost.evil.example:4000",
            "192.168.0.7:4000",
        ] {
            assert!(!access.is_host(host), "{host}");
            assert!(!access.is_origin(&format!("http://{host}")), "{host}");
        }
        assert!(!access.is_origin("https://localhost:4000"));
        assert!(!access.is_origin("null"));
    }

    #[test]
    fn a_server_on_all_addresses_accepts_numbers_only() {
        let access = Access::new("0.0.0.0".parse().unwrap(), "0.0.0.0", 4000).unwrap();
        assert!(access.is_host("192.168.0.7:4000"));
        assert!(!access.is_host("rebound.example:4000"));
        assert!(!access.is_host("192.168.0.7:80"));
        assert!(!access.is_host("192.168.0.7"));
    }

    #[test]
    fn browsers_leave_out_the_usual_port() {
        let access = Access::new("0.0.0.0".parse().unwrap(), "0.0.0.0", 80).unwrap();
        for host in [
            "192.168.0.7",
            "192.168.0.7:80",
            "[fe80::1]",
            "127.0.0.1",
            "localhost",
        ] {
            assert!(access.is_host(host), "{host}");
            assert!(access.is_origin(&format!("http://{host}")), "{host}");
        }
        for host in [
            "rebound.example",
            "fe80::1",
            "192.168.0.7:81",
            "[192.168.0.7]",
            "",
        ] {
            assert!(!access.is_host(host), "{host}");
        }
    }

    #[test]
    fn tokens_have_roles_and_tickets_work_once() {
        let access = Access::new("127.0.0.1".parse().unwrap(), "127.0.0.1", 4000).unwrap();
        let owner = access.path(Role::Owner);
        let inner = owner.trim_matches('/');
        assert_eq!(inner.len(), 22, "128 bits");
        let admitted = access.admit(inner.as_bytes());
        assert_eq!(admitted, Some(Admission::Token(Role::Owner)));
        assert_eq!(access.admit(b"x"), None);
        assert_eq!(access.admit(b""), None);
        let ticket = access.ticket_path().unwrap();
        let admitted = access.admit(ticket.trim_matches('/').as_bytes());
        assert_eq!(admitted, Some(Admission::Ticket));
        assert!(access.use_ticket());
        assert!(!access.use_ticket());
        assert_eq!(access.admit(ticket.trim_matches('/').as_bytes()), None);
    }
}
