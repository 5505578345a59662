//! What the vertices still to come see of those already colored: the steps of the frontier method.
//!
//! Vertices are colored one by one in some order. Vertices to come that have the same colored neighbors cannot be told
//! apart; such a *class* is one bit of every mask of a state. A step colors one vertex: its class loses it, and every class
//! splits into the part adjacent to the vertex and the rest. On a grid the classes are single vertices, one a column; on a
//! complete graph there is one class, on a complete bipartite graph there are two.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The most classes that a mask holds.
pub(super) const MOST_CLASSES: usize = 64;

/// One vertex to color, as states see it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Classes before.
    pub(super) before: usize,
    /// Classes afterwards.
    pub(super) after: usize,
    /// The class of the vertex before, as a mask of one bit; 0 where no neighbor is colored yet.
    pub(super) own: u64,
    /// Classes afterwards that are adjacent to the vertex.
    pub(super) adjacent: u64,
    /// What becomes of the masks, eight bits at a time.
    tables: Vec<[u64; 256]>,
}

impl Step {
    /// The classes afterwards that come from these classes before.
    #[inline]
    pub(super) fn carry(&self, mask: u64) -> u64 {
        let bytes = mask.to_le_bytes();
        let parts = self.tables.iter().zip(bytes);
        parts.fold(0, |carried, (table, byte)| carried | table[byte as usize])
    }
}

/// Follows the classes along an order of the vertices.
pub(super) struct Classes<'a> {
    graph: &'a Graph,
    colored: Vec<bool>,
    /// The members of each class.
    members: Vec<Vec<Vertex>>,
    /// The class of each vertex, [`NONE`] for colored vertices and those without a colored neighbor.
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

    /// Number of classes.
    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// A member of each class, the class that has waited longest first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.members
            .iter()
            .filter_map(|class| class.first().copied())
    }

    /// The number of classes there would be after coloring `vertex`.
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

    /// Colors `vertex`. For each class afterwards, in order: its class before ([`None`] for vertices that had no colored
    /// neighbor), and whether it is adjacent.
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

    /// The class of a vertex to come, where it has a colored neighbor.
    fn class(&self, vertex: Vertex) -> Option<usize> {
        Some(self.class_of[vertex.index()]).filter(|&class| class != NONE)
    }
}

/// The steps of coloring the vertices in this order; `None` where there are more than [`MOST_CLASSES`] classes at once.
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
