//! Classes of uncolored vertices, and how each step of the frontier method changes them.
//!
//! The method colors the vertices one by one in some order. Two uncolored vertices with the same
//! colored neighbors are interchangeable for every state. They form a *class*, which is one bit of
//! every mask of a state. Vertices without a colored neighbor belong to no class.
//!
//! A step colors one vertex. Its class loses it, and every class splits into the part adjacent to
//! the vertex and the rest. On a grid, each class is a single vertex, one per column. A complete
//! graph has one class, and a complete bipartite graph has two.

use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Maximum number of classes in a mask.
pub(super) const MOST_CLASSES: usize = 64;

/// One step: a vertex to color, in terms of classes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Number of classes before the step.
    pub(super) before: usize,
    /// Number of classes after the step.
    pub(super) after: usize,
    /// The class of the vertex before the step, as a mask of one bit. 0 if no neighbor is colored
    /// yet.
    pub(super) own: u64,
    /// Mask of the classes after the step that are adjacent to the vertex.
    pub(super) adjacent: u64,
    /// Lookup tables for [`Step::carry`], one per eight bits of a mask.
    tables: Vec<[u64; 256]>,
}

impl Step {
    /// Converts a mask of classes before the step to the mask of classes after it.
    #[inline]
    pub(super) fn carry(&self, mask: u64) -> u64 {
        let bytes = mask.to_le_bytes();
        let parts = self.tables.iter().zip(bytes);
        parts.fold(0, |carried, (table, byte)| carried | table[byte as usize])
    }
}

/// The classes while vertices are colored in some order.
pub(super) struct Classes<'a> {
    graph: &'a Graph,
    colored: Vec<bool>,
    /// The vertices of each class.
    members: Vec<Vec<Vertex>>,
    /// The class of each vertex. [`NONE`] for colored vertices and for those without a colored
    /// neighbor.
    class_of: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl<'a> Classes<'a> {
    pub(super) fn new(graph: &'a Graph) -> Classes<'a> {
        Classes {
            graph,
            colored: vec![false; graph.vertices()],
            members: Vec::new(),
            class_of: vec![NONE; graph.vertices()],
        }
    }

    /// Returns the number of classes.
    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns one vertex of each class, starting with the oldest class.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.members
            .iter()
            .filter_map(|class| class.first().copied())
    }

    /// Returns the number of classes that would exist after coloring `vertex`.
    pub(super) fn count_after(&self, vertex: Vertex) -> usize {
        let near = self.graph.neighbors(vertex);
        let mut touched: Vec<usize> = Vec::with_capacity(near.len());
        let mut fresh = false;
        for &other in near {
            match self.class_of[other.index()] {
                NONE => fresh |= !self.colored[other.index()],
                class => touched.push(class),
            }
        }
        touched.sort_unstable();
        let own = self.class_of[vertex.index()];
        let mut count = self.members.len() + usize::from(fresh);
        if own != NONE && self.members[own].len() == 1 {
            count -= 1;
        }
        for run in touched.chunk_by(|a, b| a == b) {
            let rest = self.members[run[0]].len() - usize::from(run[0] == own);
            count += usize::from(run.len() < rest);
        }
        count
    }

    /// Colors `vertex`. Returns, for each class after this step, its class before and whether it is
    /// adjacent to `vertex`. The class before is [`None`] for vertices that had no colored
    /// neighbor.
    pub(super) fn color(&mut self, vertex: Vertex) -> Vec<(Option<usize>, bool)> {
        let own = std::mem::replace(&mut self.class_of[vertex.index()], NONE);
        self.colored[vertex.index()] = true;
        let mut fresh = Vec::new();
        let mut touched = vec![false; self.members.len()];
        for &other in self.graph.neighbors(vertex) {
            match self.class_of[other.index()] {
                NONE if self.colored[other.index()] => {}
                NONE => fresh.push(other),
                class => touched[class] = true,
            }
        }
        let mut members = Vec::with_capacity(self.members.len() + 1);
        let mut origins = Vec::with_capacity(members.capacity());
        for (class, mut old) in std::mem::take(&mut self.members).into_iter().enumerate() {
            if class == own {
                old.retain(|&v| v != vertex);
            }
            if !touched[class] {
                if !old.is_empty() {
                    members.push(old);
                    origins.push((Some(class), false));
                }
                continue;
            }
            let (adjacent, rest): (Vec<Vertex>, Vec<Vertex>) = old
                .into_iter()
                .partition(|&v| self.graph.adjacent(v, vertex));
            for (part, is_adjacent) in [(adjacent, true), (rest, false)] {
                if !part.is_empty() {
                    members.push(part);
                    origins.push((Some(class), is_adjacent));
                }
            }
        }
        if !fresh.is_empty() {
            members.push(fresh);
            origins.push((None, true));
        }
        for (class, list) in members.iter().enumerate() {
            for v in list {
                self.class_of[v.index()] = class;
            }
        }
        self.members = members;
        origins
    }

    /// Returns the class of an uncolored vertex, or `None` without a colored neighbor.
    fn class(&self, vertex: Vertex) -> Option<usize> {
        Some(self.class_of[vertex.index()]).filter(|&class| class != NONE)
    }
}

/// Returns the steps that color the vertices in this order, or `None` if there are ever more than
/// [`MOST_CLASSES`] classes.
pub(super) fn steps(graph: &Graph, order: &[Vertex]) -> Option<Vec<Step>> {
    let mut classes = Classes::new(graph);
    let mut steps = Vec::with_capacity(order.len());
    for &vertex in order {
        let before = classes.count();
        let own = classes.class(vertex).map_or(0, |class| 1 << class);
        let origins = classes.color(vertex);
        if origins.len() > MOST_CLASSES {
            return None;
        }
        let mut to = vec![0u64; before];
        let mut adjacent = 0;
        for (class, &(origin, is_adjacent)) in origins.iter().enumerate() {
            if let Some(origin) = origin {
                to[origin] |= 1 << class;
            }
            adjacent |= u64::from(is_adjacent) << class;
        }
        let table = |classes: &[u64]| {
            let mut table = [0u64; 256];
            for (byte, entry) in table.iter_mut().enumerate() {
                let set = classes.iter().enumerate();
                *entry = set
                    .filter(|(bit, _)| byte >> bit & 1 == 1)
                    .fold(0, |mask, (_, &class)| mask | class);
            }
            table
        };
        steps.push(Step {
            before,
            after: origins.len(),
            own,
            adjacent,
            tables: to.chunks(8).map(table).collect(),
        });
    }
    Some(steps)
}
