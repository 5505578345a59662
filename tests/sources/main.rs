//! Tests of the sources: layers, lengths, style, links of pages, and manifests of crates. They need
//! no other part of omnigo.

mod layers;
mod manifests;
mod pages;
mod scripts;
mod style;
