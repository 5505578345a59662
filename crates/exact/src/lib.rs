//! Exact answers about games: values, komi parameters, and counts of positions and games.
//! Everything here is proved, without random search or estimates.

mod admit;
mod answer;
pub mod atlas;
mod bounds;
pub mod count;
mod cycles;
mod dfpn;
pub mod formal;
mod handicap;
mod history;
mod komi;
mod limits;
mod positions;
mod proof;
mod retrograde;
mod solve;
mod solver;
mod solver_rules;
mod symmetry;
mod theorem;

pub use answer::{Answer, Bounds, Unsolvable};
pub use komi::{KomiParameter, famine, komi_parameter, komi_parameter_watched};
pub use limits::{Limits, Progress, Report, Stopped};
pub use solve::{Wish, keepers, solve};
pub use theorem::Theorem;
