//! 3x3 convolutions by Winograd's minimal filtering (Lavin and Gray, 2016). A tile of 4x4 outputs
//! takes 36 products per pair of channels instead of 144.
//!
//! A tile of 4x4 outputs depends on 6x6 cells. The input transform evaluates it at six
//! interpolation points in both directions. The convolution then becomes 36 matrix products, one
//! per pair of interpolation points. The output transform gives the outputs.
//!
//! Tiles may have 3 or 4 outputs per side. Both lengths share the weights, and 3 outputs skip ∞. A
//! board is divided into tiles of both lengths ([`Tiles`]), and each pair of interpolation points
//! multiplies only the tiles that need it. With floats, the transforms cost one or two digits at
//! the end, far less than rounding to bf16.
//!
//! Reading order:
//! 1. `interpolation`: the interpolation points.
//! 2. `tiles`: the division of a board.
//! 3. `transforms`: input and output transform of a row.
//! 4. `filter`: filter transform of the weights. `packed` stores it.
//! 5. `products` and `blocks`: formats of operands, and products of tiles with weights.
//! 6. `convolve`: the whole convolution.

#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod blocks;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod convolve;
mod filter;
pub(crate) mod interpolation;
mod packed;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod products;
mod tiles;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod transforms;

#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) use convolve::{Scratch, convolve};
pub(crate) use filter::FilterTransforms;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) use products::{Floats, Products, plain};
pub(crate) use tiles::Tiles;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) use transforms::REACH;
#[cfg(test)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) use transforms::input_transform_row;
