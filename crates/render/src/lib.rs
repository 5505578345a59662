//! Rendering of positions as text, SVG, PNG, and PDF.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

pub mod format;
mod lattice;
pub mod pdf;
pub mod png;
pub mod section;
pub mod svg;
pub mod text;
