//! The Go Text Protocol, version 2: the engine as other programs see it.
//!
//! Reading order: [`parse`] (a line), [`reader`] (the thread that reads lines), [`inbox`] (where they wait), [`session`]
//! (the loop), [`response`] (an answer), [`commands`] (the table of all commands, one file a family). The protocol knows
//! an [`Engine`](crate::engine::Engine) and never which kind of board is behind it.

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
pub mod commands;
pub mod failure;
pub mod found;
pub mod inbox;
pub mod info;
pub mod output;
pub mod parse;
pub mod reader;
mod reference;
pub mod response;
pub mod session;
pub mod teams;

pub use reference::reference;
pub use session::{Session, serve};
