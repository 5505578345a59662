//! Texts on the points of a board.

use super::Labels;
use super::points::owners;
use omnigo_base::vertex::Vertex;
use omnigo_graph::goban::{Goban, Surface};

/// Returns the text on each point. On a go-space, it is the name of the smallest placement around
/// the point. If that placement is also the smallest of another point, it is the point's own label
/// in parentheses. On a Mango set, the weight stands below the name.
pub(super) fn texts(goban: &Goban, labels: Labels) -> Vec<Option<String>> {
    let name = |index: usize| match labels {
        Labels::None => None,
        Labels::Alias => Some(goban.names.alias(Vertex::at(index))),
        Labels::Label => Some(goban.names.label(Vertex::at(index)).into_owned()),
        Labels::Index => Some(index.to_string()),
    };
    match &goban.surface {
        Surface::Graph => (0..goban.graph.vertices()).map(name).collect(),
        Surface::Mango(mango) if mango.is_plain() => {
            (0..goban.graph.vertices()).map(name).collect()
        }
        Surface::Mango(mango) => {
            let weights = mango.weights().iter().map(|&units| mango.unit() * units);
            weights
                .enumerate()
                .map(|(index, weight)| name(index).map(|name| format!("{name}\n{weight}")))
                .collect()
        }
        Surface::Space { space, labels: own } => owners(space)
            .into_iter()
            .enumerate()
            .map(|(point, owner)| match (labels, owner) {
                (Labels::None, _) => None,
                (Labels::Index, _) => Some(point.to_string()),
                (Labels::Alias | Labels::Label, Some(owner)) => name(owner),
                (Labels::Alias | Labels::Label, None) => {
                    let own = own.as_ref().and_then(|own| own.get(point));
                    Some(own.map_or_else(|| format!("({point})"), |label| format!("({label})")))
                }
            })
            .collect(),
    }
}

/// Returns the full name of each point: alias and label. On a go-space, this is the label of the
/// point, and up to 12 placements around it.
pub(super) fn names(goban: &Goban) -> Vec<String> {
    const MOST: usize = 12;
    let (space, labels) = match &goban.surface {
        Surface::Graph | Surface::Mango(_) => {
            return goban.graph.all().map(|v| vertex(goban, v)).collect();
        }
        Surface::Space { space, labels } => (space, labels),
    };
    let mut around: Vec<Vec<String>> = vec![Vec::new(); space.points()];
    for number in 0..space.placements() {
        for point in space.placement(number) {
            if let Some(around) = around.get_mut(point.index())
                && around.len() < MOST
            {
                around.push(goban.names.alias(Vertex::at(number)));
            }
        }
    }
    let name = |(index, placements): (usize, Vec<String>)| {
        let own = labels.as_ref().and_then(|own| own.get(index));
        let label = own.map_or_else(|| index.to_string(), String::clone);
        format!("point {label}, in placements {}", placements.join(" "))
    };
    around.into_iter().enumerate().map(name).collect()
}

fn vertex(goban: &Goban, vertex: Vertex) -> String {
    let alias = goban.names.alias(vertex);
    let label = goban.names.label(vertex);
    if label == alias.as_str() {
        alias
    } else {
        format!("{alias} {label}")
    }
}
