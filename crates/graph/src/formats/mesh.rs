//! Meshes: corners with coordinates, and faces whose sides are the edges. The formats of polyhedra
//! share this part. Sides are merged from time to time, so that they take no more memory than the
//! edges.

use super::raw_graph::{Excess, RawGraph};
use crate::Graph;

/// Graph that grows by corners and faces.
#[derive(Default)]
pub(super) struct Mesh {
    draft: RawGraph,
    places: Vec<[f64; 3]>,
    /// Sides with the lower corner first. A side between two faces comes once from each.
    sides: Vec<(u16, u16)>,
    /// First and latest corner of the open face, and its number of corners.
    open: Option<(u16, u16, usize)>,
}

impl Mesh {
    /// Adds a corner and returns its index.
    pub(super) fn add(&mut self, at: [f64; 3]) -> Result<u16, Excess> {
        let corner = self.draft.add()?;
        self.places.push(at);
        Ok(corner)
    }

    /// Returns the number of corners.
    pub(super) fn corners(&self) -> usize {
        self.places.len()
    }

    /// Adds a corner to the open face, or begins a face.
    pub(super) fn step(&mut self, corner: u16) -> Result<(), Excess> {
        let Some((first, last, corners)) = self.open else {
            self.open = Some((corner, corner, 1));
            return Ok(());
        };
        self.open = Some((first, corner, corners + 1));
        self.side(last, corner)
    }

    /// Ends the open face. `ring` joins its last corner to its first. A ring of two corners is a
    /// single side.
    pub(super) fn close(&mut self, ring: bool) -> Result<(), Excess> {
        match self.open.take() {
            Some((first, last, corners)) if ring && corners > 2 => self.side(last, first),
            _ => Ok(()),
        }
    }

    fn side(&mut self, a: u16, b: u16) -> Result<(), Excess> {
        self.sides.push((a.min(b), a.max(b)));
        if self.sides.len() > 4 * Graph::MAX_EDGES {
            self.merge();
            if self.sides.len() > Graph::MAX_EDGES {
                return Err(Excess::Edges);
            }
        }
        Ok(())
    }

    fn merge(&mut self) {
        self.sides.sort_unstable();
        self.sides.dedup();
    }

    /// Adds a one-line warning.
    pub(super) fn warn(&mut self, warning: String) {
        self.draft.warnings.push(warning);
    }

    /// Returns the graph. These formats require coordinates, so all zeros mean none.
    pub(super) fn finish(mut self) -> Result<RawGraph, Excess> {
        self.merge();
        if self.places.iter().any(|at| *at != [0.0; 3]) {
            for (corner, at) in (0..).zip(self.places) {
                self.draft.place(corner, at);
            }
        }
        for (a, b) in self.sides {
            self.draft.edge(a, b, None)?;
        }
        Ok(self.draft)
    }
}
