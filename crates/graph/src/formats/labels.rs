//! Labels for the names of a file.

use crate::model::board_parts::FreeLabels;
use crate::model::names::is_label;

/// Turns names into labels. Invalid names are changed as little as possible, and no two labels are
/// equal. Also returns the number of changed names and the first of them with its label.
pub(super) fn labels(names: Vec<String>) -> (Vec<String>, Option<(usize, String, String)>) {
    let mut free = FreeLabels::default();
    let mut taken = vec![None; names.len()];
    // Assign the names that can stay unchanged first, so that no changed name takes their labels.
    for (name, label) in names.iter().zip(&mut taken) {
        if is_label(name) && free.is_free(name) {
            *label = Some(free.take(name.clone()));
        }
    }
    let mut changed: Option<(usize, String, String)> = None;
    let labels = names.into_iter().zip(taken).map(|(name, label)| {
        label.unwrap_or_else(|| {
            let label = free.take(label_of(&name));
            match &mut changed {
                Some((count, ..)) => *count += 1,
                None => changed = Some((1, name, label.clone())),
            }
            label
        })
    });
    let labels: Vec<String> = labels.collect();
    (labels, changed)
}

/// Returns the valid label that is closest to a name.
fn label_of(name: &str) -> String {
    /// Maximum length in bytes to which a long name is cut.
    const KEPT: usize = 200;
    let mut label: String = name
        .trim()
        .replace(", ", ",")
        .chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() || c == '#' {
                '_'
            } else {
                c
            }
        })
        .collect();
    while label.len() > KEPT {
        label.pop();
    }
    if is_label(&label) {
        label
    } else {
        format!("{label}_")
    }
}
