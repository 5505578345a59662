//! Bounds of the same value from two runs.

/// Joins two rows of the table for one graph. Each value gets the narrower of its proved bounds.
/// Returns `new` if the rows differ in form.
pub(super) fn narrower(old: &str, new: &str) -> String {
    joined(',', old, new, |old, new| {
        joined(' ', old, new, intersection)
    })
}

/// Joins the parts of two texts. Returns `new` if their numbers of parts differ.
fn joined(between: char, old: &str, new: &str, join: impl Fn(&str, &str) -> String) -> String {
    if old.split(between).count() != new.split(between).count() {
        return new.to_string();
    }
    let parts = old.split(between).zip(new.split(between));
    let parts: Vec<String> = parts.map(|(old, new)| join(old, new)).collect();
    parts.join(&between.to_string())
}

/// Returns the values in both of two ranges such as `-1..4` or `2`. Returns `new` if there are
/// none, or if one of the texts is no range.
fn intersection(old: &str, new: &str) -> String {
    if !old.contains("..") && !new.contains("..") {
        return new.to_string();
    }
    let ends = |text: &str| {
        let (lower, upper) = text.split_once("..").unwrap_or((text, text));
        Some([
            (rank(lower)?, lower.to_string()),
            (rank(upper)?, upper.to_string()),
        ])
    };
    let (Some([a, b]), Some([c, d])) = (ends(old), ends(new)) else {
        return new.to_string();
    };
    let lower = if a.0 > c.0 { a } else { c };
    let upper = if b.0 < d.0 { b } else { d };
    if lower.0 > upper.0 {
        new.to_string()
    } else if lower.0 == upper.0 {
        lower.1
    } else {
        format!("{}..{}", lower.1, upper.1)
    }
}

/// Returns the place of a value in ascending order: numbers, or a win of White before one of Black.
fn rank(value: &str) -> Option<f64> {
    match value {
        "W" => Some(f64::NEG_INFINITY),
        "B" => Some(f64::INFINITY),
        _ => value.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_narrower_bounds() {
        let old = "EFz_,6,9,-6..1,W..B,3..61,-6..6 2 -1..6,bipartite:3x3";
        let new = "EFz_,6,9,0..6,B,-1..4,-6..6 1..3 -2..-1,bipartite:3x3";
        let both = "EFz_,6,9,0..1,B,3..4,-6..6 2 -1,bipartite:3x3";
        assert_eq!(narrower(old, new), both);
        assert_eq!(narrower(new, old), both);
        assert_eq!(narrower("a,0..inf", "a,1..2"), "a,1..2");
        assert_eq!(narrower("a,1", "a,1,2"), "a,1,2");
    }
}
