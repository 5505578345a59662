//! Rendering of positions as text, SVG, and PNG.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod lattice;
pub mod png;
pub mod svg;
pub mod text;
