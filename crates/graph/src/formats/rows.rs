//! Signs of lists of neighbors, trees, and other texts among lines that could also be an edge list.

use std::collections::{HashMap, HashSet};

use super::words::words;

/// Column of the weight in an edge list, from 0.
const WEIGHT: usize = 2;

/// Returns the lines of a text that are neither empty nor comments.
fn data(text: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']))
}

/// Splits a line `NAME: …` or `NAME : …` at the first colon before white space or the end of the
/// line. `None` for other lines.
pub(super) fn split_at_colon(line: &str) -> Option<(&str, &str)> {
    let mut colons = line.match_indices(':');
    let (head, rest) = colons.find_map(|(place, _)| {
        let rest = line.get(place + 1..)?;
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        ends.then_some((line.get(..place)?, rest))
    })?;
    let mut names = words(head);
    (names.next().is_some() && names.next().is_none()).then_some((head, rest))
}

/// Returns true if every line begins with `NAME:`.
pub(super) fn all_have_colons(text: &str) -> bool {
    let mut lines = data(text).peekable();
    lines.peek().is_some() && lines.all(|line| split_at_colon(line).is_some())
}

/// Returns true if every line begins with `NAME:` and the list of its neighbors follows.
///
/// Lines `NAME: NAME NUMBER` stay edges with weights, unless the number may be a name. It may be
/// one if a vertex has a number as its name, or if a neighbor has a line of its own.
pub(super) fn have_colons(text: &str) -> bool {
    if !all_have_colons(text) {
        return false;
    }
    let rows = || data(text).filter_map(split_at_colon);
    let heads: HashSet<&str> = rows().map(|(head, _)| head.trim()).collect();
    let is_weighted = |(_, row): (&str, &str)| {
        let names: Vec<&str> = words(row).collect();
        let is_number = |name: &&str| name.parse::<f64>().is_ok();
        matches!(names.as_slice(), [name, weight] if !is_number(name) && is_number(weight))
    };
    let recurs = rows().any(|(_, row)| words(row).any(|name| heads.contains(name)));
    recurs || !rows().all(is_weighted)
}

/// Possible meaning of lines without colons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// Edges with optional weights.
    Edges,
    /// The neighbors of a vertex in each line.
    Neighbors,
    /// Both readings have signs against them.
    Unclear,
}

/// Returns how lines without colons can be read, in a file that could be an edge list.
///
/// In a list of neighbors, each vertex has one line. As an edge list, such a file would have
/// weights that are names of vertices. It would also repeat the name of a connected vertex alone on
/// a line, or each edge from its other end.
pub(super) fn reading(text: &str) -> Reading {
    let mut rows: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in data(text) {
        let line = line.split('#').next().unwrap_or_default();
        let mut names = words(line);
        let Some(head) = names.next() else { continue };
        // Only edges have attributes in braces.
        if line.contains('{') || rows.insert(head, names.collect()).is_some() {
            return Reading::Edges;
        }
    }
    let others = || rows.values().flatten();
    let weights: Vec<&str> = rows
        .values()
        .flat_map(|row| row.iter().skip(WEIGHT - 1))
        .copied()
        .collect();
    if weights.is_empty() {
        return Reading::Edges;
    }
    let named: HashSet<&str> = others().copied().collect();
    let repeats = rows
        .iter()
        .any(|(head, row)| row.is_empty() && named.contains(head));
    let has = |from: &str, to: &str| rows.get(from).is_some_and(|row| row.contains(&to));
    let is_complete = named.iter().all(|name| rows.contains_key(name));
    let lengths: HashSet<usize> = rows.values().map(Vec::len).collect();
    let is_mutual = || {
        let mut pairs = rows
            .iter()
            .flat_map(|(head, row)| row.iter().map(move |to| (head, to)));
        lengths.len() > 1 && pairs.all(|(head, to)| has(to, head))
    };
    if is_complete && (repeats || is_mutual()) {
        return Reading::Neighbors;
    }
    let ends: HashSet<&str> = rows
        .iter()
        .flat_map(|(head, row)| [Some(head), row.first()])
        .flatten()
        .copied()
        .collect();
    match repeats && weights.iter().all(|word| ends.contains(word)) {
        true => Reading::Unclear,
        false => Reading::Edges,
    }
}

/// Returns true if a text is YAML, such as `a: [b, c]`, or `a:` with lines `- b` below it.
pub(super) fn is_yaml(text: &str) -> bool {
    let first = data(text).next().unwrap_or_default();
    if first == "---" || text.trim_start().starts_with("%YAML") {
        return true;
    }
    let is_list = |line: &str| {
        let list = split_at_colon(line).map(|(_, rest)| rest.trim());
        list.is_some_and(|list| list.starts_with('[') && list.ends_with(']'))
    };
    let mut is_below = false;
    data(text).any(|line| {
        let is_item = is_below && (line.starts_with("- ") || line == "-");
        is_below = line.ends_with(':');
        is_item || is_list(line)
    })
}

/// Returns true if a text begins with a tree in Newick form, such as `(A,(B,C));`. The semicolon
/// must end its line, because tables may have `(0, 1);(1, 1)`.
pub(super) fn is_newick(text: &str) -> bool {
    let text = text.trim_start();
    let Some((tree, rest)) = text.split_once(';').filter(|_| text.starts_with('(')) else {
        return false;
    };
    let line = rest.lines().next().unwrap_or_default();
    let mut depth = 0usize;
    let mut closed = 0usize;
    for sign in tree.chars() {
        match sign {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => {
                depth -= 1;
                closed += usize::from(depth == 0);
            }
            _ => {}
        }
    }
    depth == 0 && closed == 1 && line.trim().is_empty()
}
