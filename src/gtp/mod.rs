//! Go Text Protocol (GTP), version 2: the interface of the engine for other programs.
//!
//! Reading order:
//! - [`parse`]: one line
//! - [`reader`]: the thread that reads lines
//! - [`inbox`]: their queue
//! - [`session`]: the command loop
//! - [`response`]: an answer
//! - [`commands`]: the table of all commands, with one file per family
//! - [`bot`]: logs, results, and greetings of long-running bots
//!
//! The code uses an [`Engine`](crate::engine::Engine) and does not depend on the type of the board.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

pub mod arguments;
pub mod bot;
pub mod commands;
mod events;
pub mod failure;
pub mod greetings;
pub mod inbox;
pub mod info;
pub mod last_search;
pub mod log;
pub mod models;
pub mod output;
pub mod parse;
pub mod reader;
mod reference;
pub mod response;
pub mod results;
pub mod session;
pub mod teams;
pub mod warning_file;

pub use bot::{Bot, Ending};
pub use reference::reference;
pub use session::{Session, Terminal, serve, serve_person};
