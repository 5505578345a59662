//! One board of every family, for galleries.

use crate::model::goban::Goban;
use crate::spec::Spec;

/// Boards of a size that shows the family well. A family that is missing here is shown at the first
/// size of [`sizes`] that it accepts.
const SHOWN: &[(&str, &str)] = &[
    ("grid", "grid:9"),
    ("torus", "torus:7x5"),
    ("cylinder", "cylinder:7x5"),
    ("mobius", "mobius:7x5"),
    ("klein", "klein:6x5"),
    ("projective", "projective:5x5"),
    ("king", "king:6x5"),
    ("path", "path:7"),
    ("cycle", "cycle:12"),
    ("complete", "complete:7"),
    ("bipartite", "bipartite:3x4"),
    ("star", "star:7"),
    ("wheel", "wheel:8"),
    ("tree", "tree:3,2"),
    ("hypercube", "hypercube:4"),
    ("grid3d", "grid3d:3x3x3"),
    ("gpetersen", "gpetersen:7,2"),
    ("circulant", "circulant:12,1,3"),
    ("hexhex", "hexhex:4"),
    ("honeycomb", "honeycomb:3"),
    ("edges", "edges:a-b,b-c,c-a,c-d,d-e,e-f,f-d"),
    ("graph6", "graph6:IsP@OkWHG"),
    ("sparse6", "sparse6::Fa@x^"),
    ("file", "file:examples/mango/window-9x9.json"),
    ("pick", "pick(file:examples/graphs/cubic.g6,2)"),
    ("space", "space:(grid:3),edges"),
    ("komipath", "komipath:7"),
    ("gnp", "gnp:24,0.1,1"),
    ("gnm", "gnm:24,30,1"),
    ("regular", "regular:24,3,1"),
    ("smallworld", "smallworld:24,4,0.1,1"),
    ("sunflower", "sunflower:80"),
    ("delaunay", "delaunay:60,1"),
    ("line", "line(petersen)"),
    ("product", "product(cycle:8,path:3)"),
    ("quotient", "quotient(path:9,0=8,2=6)"),
    ("komi", "komi(grid:5,7)"),
    ("remove", "remove(grid:5,C3,A1-A2)"),
    ("cubesurface", "cubesurface:3"),
    ("kagome", "kagome:2"),
    ("truncatedtrihexagonal", "truncatedtrihexagonal:2"),
    ("thinned", "thinned:6x5,0.3,1"),
];

/// Returns the arguments to try for a family whose arguments have this form.
fn sizes(form: &str) -> &'static [&'static str] {
    match form {
        "" => &[""],
        "N" | "D" => &[":4", ":6", ":3", ":2", ":12"],
        "WxH" | "AxB" => &[":5x4", ":4x4", ":6x6"],
        "AxBxC" => &[":3x3x3", ":2x2x2"],
        _ => &[
            ":40,1",
            ":24,3,1",
            ":24,2,1",
            ":5,2",
            ":12,1,3",
            ":30,0.3,1",
            ":24",
            ":4x4",
            "(grid:4)",
            "(petersen)",
            "(grid:3,path:3)",
            "(cube)",
            "(grid:4,1)",
            "(grid:4,A1)",
            ":(grid:4)",
            ":(grid:3),(path:3)",
        ],
    }
}

fn build(spec: &str) -> Option<Goban> {
    spec.parse::<Spec>().ok()?.build().ok()
}

/// Returns the board that shows a family whose arguments have this form, or `None` if no size fits.
/// The boards of `file` and `pick` exist only in the source folder of omnigo.
pub fn example(name: &str, form: &str) -> Option<Goban> {
    let shown = SHOWN.iter().find(|(family, _)| *family == name);
    if let Some(goban) = shown.and_then(|(_, spec)| build(spec)) {
        return Some(goban);
    }
    let opens = |(_, spec): &(&str, &str)| spec.contains("file:");
    if shown.is_some_and(opens) {
        return None;
    }
    sizes(form)
        .iter()
        .find_map(|arguments| build(&format!("{name}{arguments}")))
}
