//! Tests of the sources: layers, lengths, style, and links of pages. They need no other part of
//! omnigo.

mod layers;
mod pages;
mod style;
