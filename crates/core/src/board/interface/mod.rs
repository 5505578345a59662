//! Interface of all boards, in layers. Code that needs only a lower layer names only that layer.
//!
//! Reading order:
//! 1. `bare`: the board alone, as rules and games need it.
//! 2. `chains`: chains and liberties, as tactics need them.
//! 3. `shapes`: surroundings of points, as patterns need them.
//! 4. `playouts`: the moves that playouts make.

mod bare;
mod chains;
mod playouts;
mod shapes;

pub use bare::{BareBoard, Census, Preview, flood_census};
pub use chains::Chains;
pub use playouts::Playouts;
pub use shapes::Shapes;

/// A board with all layers of the interface. A type that implements the layers is a board.
pub trait Board: BareBoard + Chains + Shapes + Playouts {}

impl<B: BareBoard + Chains + Shapes + Playouts> Board for B {}
