//! Many short lists of points in two arrays.

use omnigo_base::vertex::Vertex;

/// Lists of points, stored consecutively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    offsets: Box<[u32]>,
    items: Box<[Vertex]>,
}

impl Default for Rows {
    fn default() -> Rows {
        Rows::new(Vec::new())
    }
}

impl Rows {
    pub(super) fn new(lists: Vec<Vec<Vertex>>) -> Rows {
        let mut offsets = Vec::with_capacity(lists.len() + 1);
        offsets.push(0);
        let mut items = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        for list in lists {
            items.extend(list);
            offsets.push(items.len() as u32);
        }
        Rows {
            offsets: offsets.into_boxed_slice(),
            items: items.into_boxed_slice(),
        }
    }

    /// Returns the number of points in all lists together.
    pub(super) fn items(&self) -> usize {
        self.items.len()
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    pub(super) fn row(&self, number: usize) -> &[Vertex] {
        match self.offsets.get(number..number + 2) {
            Some(&[from, to]) => &self.items[from as usize..to as usize],
            _ => &[],
        }
    }
}
