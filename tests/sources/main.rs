//! Tests of the sources: layers, lengths, and style. They need no other part of omnigo.

mod layers;
mod style;
