//! Exact answers about games: no search by chance, no estimate.

mod answer;
pub mod atlas;
mod bounds;
mod contest;
pub mod count;
mod cycles;
mod dfpn;
pub mod formal;
mod history;
mod komi;
mod limits;
mod positions;
mod proof;
mod retrograde;
mod solve;
mod solver;
mod symmetry;
mod theorem;

pub use answer::{Answer, Bounds, Unsolvable};
pub use komi::{KomiParameter, komi_parameter};
pub use limits::{Limits, Progress, Report, Stopped};
pub use solve::{Wish, keepers, solve};
pub use theorem::Theorem;
