//! A neural network that guides search on rectangles: what it sees, what it computes, how fast.
//!
//! [`features`] turns a position into the planes that the network was trained on; the same code writes the training data.

mod bf16;
mod evaluator;
pub mod features;
mod file;
mod functions;
mod heads;
mod interpolation;
pub mod kernels;
mod layer;
mod network;
pub mod shape;
mod tiles;

pub use evaluator::{Evaluation, Evaluator};
pub use file::{NetError, Sides};
pub use network::{Network, Output};
