//! Number of edges that the first lines of a file announce.

/// Announced number of edges.
#[derive(Clone, Copy)]
pub(super) enum Announced {
    /// Number of lines with edges, of edges, or of ends at which edges are listed. Programs differ
    /// in this.
    Loosely(u64),
    /// Number of edges, each of which the file lists from both ends.
    FromBothEnds(u64),
}

impl Announced {
    /// Returns a warning if the file has another number of edges. `edges` counts edges between
    /// different vertices once, `loops` self-loops, and `lines` every edge that is listed.
    pub(super) fn warning(
        self,
        source: &str,
        edges: u64,
        loops: u64,
        lines: u64,
    ) -> Option<String> {
        let (count, fits) = match self {
            Announced::Loosely(count) => {
                let twice = 2 * edges;
                let known = [lines, edges, edges + loops, twice, twice + loops];
                (count, known.contains(&count))
            }
            Announced::FromBothEnds(count) => {
                let is_half = count.checked_mul(2) == Some(lines);
                let known = [edges, edges + loops];
                (count, known.contains(&count) || is_half)
            }
        };
        let told = || format!("{source} announces {count} edges, but {edges} were read");
        (!fits).then(told)
    }
}
