//! Arcs of a file that should list each edge from both of its ends.

use std::collections::HashMap;

/// Pairs of vertices, and the directions in which a file lists them. Repetitions count once.
#[derive(Default)]
pub(super) struct Arcs {
    /// For each pair, the lower vertex first: whether it is listed upward and downward.
    listed: HashMap<(u16, u16), [bool; 2]>,
}

impl Arcs {
    /// Adds an arc. Self-loops are ignored.
    pub(super) fn add(&mut self, from: u16, to: u16) {
        if from != to {
            let [up, down] = self.listed.entry((from.min(to), from.max(to))).or_default();
            match from < to {
                true => *up = true,
                false => *down = true,
            }
        }
    }

    /// Returns the least arc whose reverse is not listed, or `None` if every reverse is.
    pub(super) fn without_reverse(&self) -> Option<(u16, u16)> {
        let single = self.listed.iter().filter(|(_, [up, down])| up != down);
        let arcs =
            single.map(|(&(low, high), [up, _])| if *up { (low, high) } else { (high, low) });
        arcs.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_need_one_reverse() {
        let mut arcs = Arcs::default();
        for (from, to) in [(1, 0), (1, 0), (2, 2)] {
            arcs.add(from, to);
        }
        assert_eq!(arcs.without_reverse(), Some((1, 0)));
        arcs.add(0, 1);
        assert_eq!(arcs.without_reverse(), None);
    }
}
