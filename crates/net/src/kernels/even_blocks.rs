//! Division of rows or tiles into blocks that the registers can hold.

/// A number of rows or tiles, divided into the fewest blocks of at most a limit. Their sizes differ
/// by at most one.
#[derive(Clone, Copy)]
pub(crate) struct EvenBlocks {
    /// Number of blocks.
    pub(crate) count: usize,
    size: usize,
    /// Number of blocks with one row more.
    longer: usize,
}

impl EvenBlocks {
    /// Divides `rows` rows. The limit must be positive.
    #[inline(always)]
    pub(crate) fn new(rows: usize, limit: usize) -> EvenBlocks {
        let count = rows.div_ceil(limit);
        EvenBlocks {
            count,
            size: rows / count.max(1),
            longer: rows % count.max(1),
        }
    }

    /// Returns the number of rows of a block.
    #[inline(always)]
    pub(crate) fn rows(&self, block: usize) -> usize {
        self.size + usize::from(block < self.longer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_even_and_hold_all_rows() {
        for limit in 1..=12 {
            for rows in 0..100 {
                let blocks = EvenBlocks::new(rows, limit);
                let sizes: Vec<usize> = (0..blocks.count).map(|block| blocks.rows(block)).collect();
                assert_eq!(sizes.iter().sum::<usize>(), rows);
                assert_eq!(sizes.len(), rows.div_ceil(limit));
                let (least, most) = (sizes.iter().min(), sizes.iter().max());
                assert!(most.is_none_or(|&most| most <= limit && most - least.unwrap() <= 1));
            }
        }
    }
}
