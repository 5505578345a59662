//! Arranges rectangles on a page, such as the components of a board or the boards of a sum.

use super::drawing::Place;

/// Coordinates that differ by less than this are equal, in edge lengths.
const EQUAL: f64 = 1e-9;

/// Target ratio of width to height, as of pages and screens. The result can differ from it.
const SHAPE: f64 = 1.5;

/// Horizontal segment of the top of the outline, from `left` to the next step.
#[derive(Clone, Copy, Debug)]
struct Step {
    left: f64,
    height: f64,
}

/// Returns the lower left corner of each rectangle of `sizes` (width and height) on a page that is
/// `width` wide. The page widens to its widest rectangle. No two rectangles overlap. Each side must
/// be longer than [`EQUAL`].
///
/// The rectangles are placed in order, each as low as possible and then as far left as possible.
/// Rectangles of one size stand in rows.
pub(crate) fn corners(sizes: &[Place], width: f64) -> Vec<Place> {
    let widest = sizes.iter().map(|size| size[0]).fold(width, f64::max) + EQUAL;
    let mut outline = vec![Step {
        left: 0.0,
        height: 0.0,
    }];
    sizes
        .iter()
        .map(|&[w, h]| {
            let (first, height) = lowest(&outline, w, widest);
            let left = outline[first].left;
            raise(&mut outline, first, left + w, height + h, widest);
            [left, height]
        })
        .collect()
}

/// Returns the width of a page for rectangles of these sizes.
pub(crate) fn page_width(sizes: &[Place]) -> f64 {
    let area: f64 = sizes.iter().map(|[w, h]| w * h).sum();
    (area * SHAPE).sqrt()
}

/// Returns the step at which a rectangle of width `w` starts, and its lower side.
fn lowest(outline: &[Step], w: f64, widest: f64) -> (usize, f64) {
    let mut best = (0, f64::MAX);
    for (first, step) in outline.iter().enumerate() {
        let right = step.left + w;
        if right > widest {
            break;
        }
        let under = outline[first..]
            .iter()
            .take_while(|next| next.left < right - EQUAL);
        let height = under.map(|next| next.height).fold(step.height, f64::max);
        if height < best.1 - EQUAL {
            best = (first, height);
        }
    }
    best
}

/// Raises the outline from step `first` to `right`.
fn raise(outline: &mut Vec<Step>, first: usize, right: f64, height: f64, widest: f64) {
    let left = outline[first].left;
    let after = first
        + outline[first..]
            .iter()
            .take_while(|next| next.left < right - EQUAL)
            .count();
    let next = outline.get(after).map_or(widest, |next| next.left);
    let rest = Step {
        left: right,
        height: outline[after - 1].height,
    };
    let rest = (next - right > EQUAL).then_some(rest);
    outline.splice(
        first..after,
        [Step { left, height }].into_iter().chain(rest),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rectangles_stand_in_rows() {
        let at = corners(&[[2.0, 1.0]; 5], 4.0);
        assert_eq!(
            at,
            [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [0.0, 2.0]]
        );
    }

    #[test]
    fn small_rectangles_stand_beside_a_large_one() {
        let sizes = [[4.0, 3.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]];
        let at = corners(&sizes, 5.0);
        assert_eq!(
            at,
            [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [4.0, 2.0], [0.0, 3.0]]
        );
    }

    #[test]
    fn a_wide_rectangle_widens_the_page() {
        let at = corners(&[[1.0, 1.0], [7.0, 1.0], [1.0, 1.0]], 2.0);
        assert_eq!(at, [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0]]);
        assert!(corners(&[], 2.0).is_empty());
    }

    #[test]
    fn rectangles_never_overlap() {
        use omnigo_base::random::Random;
        let mut random = Random::new(5);
        for _ in 0..200 {
            let mut side = || (1 + random.below(12)) as f64 / 4.0;
            let sizes: Vec<Place> = (0..40).map(|_| [side(), side()]).collect();
            let at = corners(&sizes, 9.0);
            for (i, (a, s)) in at.iter().zip(&sizes).enumerate() {
                assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[0] + s[0] < 9.0 + 1e-6);
                for (b, t) in at.iter().zip(&sizes).take(i) {
                    let apart = (0..2).any(|axis| {
                        a[axis] + s[axis] < b[axis] + 1e-6 || b[axis] + t[axis] < a[axis] + 1e-6
                    });
                    assert!(apart, "{a:?} {s:?} {b:?} {t:?}");
                }
            }
        }
    }
}
