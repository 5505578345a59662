//! Graphs made from other graphs. An operator precedes its operands in parentheses:
//! `line(petersen)`, `product(path:3,cycle:5)`. An operand that contains a comma may have
//! parentheses of its own.
//!
//! The result of an operator must be within the limits of a board. Its size is computed from those
//! of its operands before memory is allocated. Starting stones stay on their vertices.

use super::operands::{operand, operand_before, split};
use super::operation::{Whole, one, pair_labels, part_of, recipe};
use super::readings::{pick, symmetrize};
use super::{Family, Recipe, products};
use crate::Graph;
use crate::faces::faces;
use crate::measures::components;
use crate::model::board_parts::{BoardParts, FreeLabels, Labels, Size};
use crate::model::cells::Cells;
use crate::model::drawing::{Drawing, Place};
use crate::model::goban::Goban;
use crate::planar::Embedding;
use crate::spec::{Spec, SpecError};
use omnigo_base::color::Color;
use omnigo_base::text::quote;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "line",
        "(SPEC)",
        "Line graph: one vertex per edge, adjacent if the edges share an end.",
        |family, text| one(family, text, line),
    )
    .operator(),
    Family::row(
        "complement",
        "(SPEC)",
        "Complement: same vertices, adjacent if they were not adjacent.",
        |family, text| one(family, text, complement),
    )
    .operator(),
    Family::row(
        "dual",
        "(SPEC)",
        "Dual of a planar graph: one vertex per face, adjacent if the faces share an edge.",
        |family, text| one(family, text, dual),
    )
    .operator(),
    Family::row(
        "subdivide",
        "(SPEC)",
        "Graph with a new vertex in the middle of each edge, numbered after the old ones.",
        |family, text| one(family, text, subdivide),
    )
    .operator(),
    Family::row(
        "product",
        "(SPEC,SPEC)",
        "Cartesian product: pairs of vertices, adjacent if one component is equal and the other adjacent.",
        |family, text| products::read(family, text, products::Kind::Cartesian),
    )
    .operator(),
    Family::row(
        "strong",
        "(SPEC,SPEC)",
        "Strong product: pairs of vertices, adjacent if each component is equal or adjacent.",
        |family, text| products::read(family, text, products::Kind::Strong),
    )
    .operator(),
    Family::row(
        "lexicographic",
        "(SPEC,SPEC)",
        "Lexicographic product: pairs of vertices, adjacent if the first components are adjacent, or equal with adjacent second components.",
        |family, text| products::read(family, text, products::Kind::Lexicographic),
    )
    .operator(),
    Family::row(
        "remove",
        "(SPEC,V,U-V,...)",
        "Graph without the vertices V and the edges U-V.",
        |family, text| with_names(family, text, remove),
    )
    .operator(),
    Family::row(
        "quotient",
        "(SPEC,U=V,...)",
        "Graph in which U and V are merged into one vertex.",
        |family, text| with_names(family, text, quotient),
    )
    .operator(),
    Family::row(
        "komi",
        "(SPEC,N)",
        "Graph and a separate komi path of N vertices, 2 or more, as in SPEC+komipath:N.",
        komi,
    )
    .operator(),
    Family::row(
        "symmetrize",
        "(SPEC)",
        "Graph of a file, with arcs in one or both directions read as edges.",
        symmetrize,
    )
    .operator(),
    Family::row(
        "pick",
        "(SPEC,N)",
        "Graph number N, counted from 1, of a file with several graphs.",
        pick,
    )
    .operator(),
];

fn line(whole: &Whole, goban: &Goban) -> Result<BoardParts, SpecError> {
    let graph = &goban.graph;
    let pairs = graph.all().map(|v| {
        let degree = graph.degree(v) as u64;
        degree * degree.saturating_sub(1) / 2
    });
    whole.fits(graph.edges() as u64, pairs.sum())?;
    let list: Vec<(usize, usize)> = goban.graph.pairs().collect();
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices()];
    for (number, &(a, b)) in list.iter().enumerate() {
        for end in [a, b] {
            if let Some(at) = at.get_mut(end) {
                at.push(number);
            }
        }
    }
    let meeting = at.iter().flat_map(|numbers| {
        let pairs = numbers.iter().enumerate();
        pairs.flat_map(move |(i, &b)| numbers.iter().take(i).map(move |&a| (a, b)))
    });
    let name = |v: usize| goban.names.label(Vertex::at(v));
    let labels = pair_labels(list.iter().map(|&(a, b)| (name(a), name(b))));
    let part = BoardParts {
        labels,
        ..BoardParts::new(list.len(), meeting)
    };
    Ok(match middles(goban, &list) {
        Some(places) => part.drawn(Drawing::new(places)),
        None => part,
    })
}

/// Returns the midpoints of the edges if all edges are straight lines and all midpoints differ,
/// else `None`.
fn middles(goban: &Goban, edges: &[(usize, usize)]) -> Option<Vec<Place>> {
    let drawing = goban
        .drawing
        .as_ref()
        .filter(|drawing| drawing.wraps.is_empty())?;
    let middle = |&(a, b): &(usize, usize)| {
        let (a, b) = (drawing.places.get(a)?, drawing.places.get(b)?);
        Some([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0])
    };
    let places: Vec<Place> = edges.iter().map(middle).collect::<Option<_>>()?;
    // The two diagonals of a cell would have the same midpoint.
    distinct(&places).then_some(places)
}

/// Returns true if all locations differ, rounded to a billionth of the size of the drawing.
fn distinct(places: &[Place]) -> bool {
    let (low, high) = places
        .iter()
        .flatten()
        .fold((f64::MAX, f64::MIN), |(low, high), &part| {
            (low.min(part), high.max(part))
        });
    let grid = (high - low) * 1e-9;
    let mut sorted: Vec<[i64; 2]> = places
        .iter()
        .map(|place| place.map(|part| ((part - low) / grid).round() as i64))
        .collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair.first() != pair.last())
}

fn complement(whole: &Whole, goban: &Goban) -> Result<BoardParts, SpecError> {
    let graph = &goban.graph;
    let n = graph.vertices() as u64;
    let pairs = n * n.saturating_sub(1) / 2;
    whole.fits(n, pairs - graph.edges() as u64)?;
    let n = graph.vertices();
    let apart = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let apart = apart.filter(|&(a, b)| !graph.adjacent(Vertex::at(a), Vertex::at(b)));
    let base = part_of(goban);
    let drawing = base.drawing.as_ref().map(|drawing| Drawing {
        solid: drawing.solid.clone(),
        ..Drawing::new(drawing.places.to_vec())
    });
    Ok(BoardParts {
        edges: BoardParts::new(n, apart).edges,
        drawing,
        ..base
    })
}

fn dual(whole: &Whole, goban: &Goban) -> Result<BoardParts, SpecError> {
    let graph = &goban.graph;
    if components(graph).0 != 1 || graph.edges() == 0 {
        return Err(whole.refuse("expected a connected planar graph with an edge"));
    }
    // Use the drawing of the board if it has no crossings, else any embedding. Different embeddings
    // of a graph may have different duals.
    let drawn = goban.drawing.as_ref();
    let faces = match drawn.and_then(|drawing| drawn_faces(graph, drawing)) {
        Some(faces) => faces,
        None => match Embedding::of(graph) {
            Some(embedding) => embedding.faces(),
            None => return Err(whole.refuse("expected a planar graph")),
        },
    };
    whole.fits(faces.len() as u64, graph.edges() as u64)?;
    let mut side = omnigo_base::hash::FastMap::default();
    for (number, face) in faces.iter().enumerate() {
        let next = face.iter().cycle().skip(1);
        for (&a, &b) in face.iter().zip(next) {
            side.insert((a, b), number);
        }
    }
    let pairs = goban.graph.pairs().filter_map(|(a, b)| {
        let (a, b) = (Vertex::at(a), Vertex::at(b));
        Some((*side.get(&(a, b))?, *side.get(&(b, a))?))
    });
    Ok(BoardParts::new(faces.len(), pairs.collect::<Vec<_>>()))
}

/// Returns the faces of a connected graph in its drawing, or `None` if straight edges cross. In a
/// drawing that is not known to be planar, counts the faces: only an embedding in the plane has
/// `2 - vertices + edges` of them.
fn drawn_faces(graph: &Graph, drawing: &Drawing) -> Option<Vec<Vec<Vertex>>> {
    if !drawing.planar && (drawing.solid.is_some() || !drawing.wraps.is_empty()) {
        return None;
    }
    let faces = faces(&drawing.rotation(graph));
    let is_plane = faces.len() + graph.vertices() == graph.edges() + 2;
    (drawing.planar || is_plane).then_some(faces)
}

fn subdivide(whole: &Whole, goban: &Goban) -> Result<BoardParts, SpecError> {
    let (n, m) = (goban.graph.vertices(), goban.graph.edges());
    whole.fits((n + m) as u64, 2 * m as u64)?;
    let list: Vec<(usize, usize)> = goban.graph.pairs().collect();
    let name = |v: usize| goban.names.label(Vertex::at(v));
    let mut free = FreeLabels::default();
    let old: Vec<String> = (0..n).map(|v| free.take(name(v).into_owned())).collect();
    let new = list
        .iter()
        .map(|&(a, b)| free.take(format!("{}_{}", name(a), name(b))));
    let labels: Vec<String> = old.into_iter().chain(new).collect();
    let halves = list
        .iter()
        .zip(n..)
        .flat_map(|(&(a, b), middle)| [(a, middle), (middle, b)]);
    let part = BoardParts {
        labels: Labels::Own(labels),
        start: goban.start.clone(),
        ..BoardParts::new(n + m, halves)
    };
    let all = middles(goban, &list).zip(goban.drawing.as_ref());
    let all = all.map(|(places, drawing)| {
        let places = drawing.places.iter().copied().chain(places);
        (places.collect::<Vec<_>>(), drawing.planar)
    });
    // An edge may pass through a vertex, in its middle.
    Ok(match all.filter(|(places, _)| distinct(places)) {
        Some((places, planar)) => part.drawn(Drawing {
            planar,
            ..Drawing::new(places)
        }),
        None => part,
    })
}

/// Parses an operand and the names of vertices or edges after it. The names are resolved when the
/// operand is built.
fn with_names(
    family: &Family,
    text: &str,
    make: fn(&Whole, &Goban, &[String]) -> Result<BoardParts, SpecError>,
) -> Result<Recipe, SpecError> {
    let words = |text: &str| -> Option<Vec<String>> {
        let sound = |word: &str| !word.is_empty() && !word.contains([':', '(', ')', '+']);
        let words: Vec<&str> = text.split(',').collect();
        words
            .iter()
            .all(|word| sound(word))
            .then(|| words.iter().map(|w| w.to_string()).collect())
    };
    let (inner, words) = split(family, text, words)?;
    let inner_text = operand_before(&inner, &words);
    let arguments = format!("({inner_text},{})", words.join(","));
    Ok(recipe(
        family,
        arguments,
        Size::default(),
        move |operands| {
            let goban = operands.graph(&inner)?;
            // The words name vertices of the operand.
            operands.warn(goban.names.clash());
            make(&operands.whole, &goban, &words)
        },
    ))
}

/// Splits the word at `joint` and returns the vertices named on both sides.
fn two(goban: &Goban, word: &str, joint: char) -> Option<(usize, usize)> {
    let find = |name: &str| goban.names.find(name).map(Vertex::index);
    word.match_indices(joint).find_map(|(place, _)| {
        let (a, b) = word.split_at(place);
        Some((find(a)?, find(b.get(1..)?)?))
    })
}

fn remove(whole: &Whole, goban: &Goban, words: &[String]) -> Result<BoardParts, SpecError> {
    let n = goban.graph.vertices();
    let mut kept = vec![true; n];
    let mut cut = omnigo_base::hash::FastSet::default();
    for word in words {
        if let Some(v) = goban.names.find(word) {
            if let Some(kept) = kept.get_mut(v.index()) {
                *kept = false;
            }
            continue;
        }
        let (a, b) = two(goban, word, '-').unwrap_or((0, 0));
        if a == b || !goban.graph.adjacent(Vertex::at(a), Vertex::at(b)) {
            let word = quote(word);
            return Err(whole.refuse(&format!(
                "'{word}' is neither a vertex nor an edge of this graph"
            )));
        }
        cut.insert((a.min(b), a.max(b)));
    }
    let left: Vec<usize> = (0..n).filter(|&v| kept.get(v) == Some(&true)).collect();
    let mut number = vec![0; n];
    for (new, &old) in left.iter().enumerate() {
        if let Some(number) = number.get_mut(old) {
            *number = new;
        }
    }
    let stays = |v: usize| kept.get(v) == Some(&true);
    let renamed = |v: usize| number.get(v).copied().unwrap_or(0);
    let rest = goban
        .graph
        .pairs()
        .filter(|edge| !cut.contains(edge) && stays(edge.0) && stays(edge.1));
    let rest = rest.map(|(a, b)| (renamed(a), renamed(b)));
    let vertices = || left.iter().map(|&v| Vertex::at(v));
    let drawing = goban.drawing.as_ref().map(|drawing| {
        let wraps = drawing.wraps.iter().filter(|wrap| {
            let [a, b] = wrap.ends.map(Vertex::index);
            stays(a) && stays(b) && !cut.contains(&(a.min(b), a.max(b)))
        });
        let wraps = wraps.map(|&wrap| crate::model::drawing::Wrap {
            ends: wrap.ends.map(|end| Vertex::at(renamed(end.index()))),
            ..wrap
        });
        let solid = drawing.solid.as_ref();
        Drawing {
            solid: solid.map(|solid| left.iter().filter_map(|&v| solid.get(v)).copied().collect()),
            wraps: wraps.collect(),
            planar: drawing.planar,
            ..Drawing::new(
                left.iter()
                    .filter_map(|&v| drawing.places.get(v))
                    .copied()
                    .collect(),
            )
        }
    });
    // The remaining vertices keep their cells; removed vertices leave gaps.
    let shaped = goban.names.follow_a_drawing() || goban.drawing.is_some();
    let named = vertices().map(|v| goban.names.label(v).into_owned());
    Ok(BoardParts {
        labels: Labels::Own(named.collect()),
        start: left
            .iter()
            .map(|&v| goban.start.get(v).copied().flatten())
            .collect(),
        drawing,
        cells: shaped.then(|| Cells::of_names(&goban.names, vertices())),
        ..BoardParts::new(left.len(), rest)
    })
}

fn quotient(whole: &Whole, goban: &Goban, words: &[String]) -> Result<BoardParts, SpecError> {
    let n = goban.graph.vertices();
    // The representative of a class is its least vertex.
    let mut classes = UnionFind::new(n);
    for word in words {
        let Some((a, b)) = two(goban, word, '=') else {
            let word = quote(word);
            return Err(whole.refuse(&format!(
                "'{word}' is not a pair of vertices, expected a form such as A1=B2"
            )));
        };
        let (a, b) = (classes.top(a), classes.top(b));
        classes.join(a.min(b), a.max(b));
    }
    let first: Vec<usize> = (0..n).map(|v| classes.top(v)).collect();
    let left: Vec<usize> = first
        .iter()
        .copied()
        .enumerate()
        .filter(|(v, class)| v == class)
        .map(|(v, _)| v)
        .collect();
    let renamed = |v: usize| {
        left.binary_search(&first.get(v).copied().unwrap_or(v))
            .unwrap_or(0)
    };
    // A stone stands on the merged vertex if one stands on any of its vertices.
    let mut start: Vec<Option<Color>> = vec![None; left.len()];
    for (v, &stone) in goban.start.iter().enumerate() {
        let Some(merged) = start.get_mut(renamed(v)) else {
            continue;
        };
        if merged.is_some() && stone.is_some() && *merged != stone {
            let name = goban.names.label(Vertex::at(v));
            let problem = format!(
                "'{}' has a stone of another color than a vertex merged with it",
                quote(&name)
            );
            return Err(whole.refuse(&format!("{problem}, expected one color")));
        }
        *merged = merged.or(stone);
    }
    let merged = goban.graph.pairs().map(|(a, b)| (renamed(a), renamed(b)));
    let labels = left
        .iter()
        .map(|&v| goban.names.label(Vertex::at(v)).into_owned());
    // Merged vertices may be far apart, so the drawing is not kept.
    Ok(BoardParts {
        labels: Labels::Own(labels.collect()),
        start,
        ..BoardParts::new(left.len(), merged.collect::<Vec<_>>())
    })
}

fn komi(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let path = |text: &str| format!("komipath:{text}").parse::<Spec>().ok();
    let (inner, path) = split(family, text, path)?;
    let length = path.to_string().split_off("komipath:".len());
    let arguments = format!("({},{length})", operand(&inner));
    let size = inner.size().plus(path.size());
    Ok(recipe(family, arguments, size, move |operands| {
        let (board, path) = (operands.graph(&inner)?, operands.graph(&path)?);
        Ok(BoardParts::union(vec![part_of(&board), part_of(&path)]))
    }))
}
