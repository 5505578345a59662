//! Exact answers about games: no search by chance, no estimate.

pub mod formal;
