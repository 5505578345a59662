//! Neural network that guides the search on rectangles: input features, layers, and kernels.
//!
//! [`features`] converts a position to the input planes that the network was trained on. The same
//! code writes the training data. [`katago`] evaluates positions with networks of KataGo, and
//! [`leela`] with those of Leela Zero.

mod bf16;
mod bonus;
mod evaluator;
pub mod features;
mod file;
mod functions;
mod heads;
pub mod katago;
pub mod kernels;
mod layer;
pub mod layout;
pub mod leela;
mod network;
mod weights;
mod winograd;

pub use bonus::bonus;
pub use evaluator::{Evaluation, Evaluator};
pub use file::{NetError, Sides};
pub use network::{Network, Output};
pub use weights::Weights;
