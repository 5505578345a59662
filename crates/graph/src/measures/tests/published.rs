//! Tests of boards against published values: size, girth, diameter, and order of the automorphism
//! group.

use super::*;
use crate::spec::Spec;

/// Spec, vertices, edges, girth, diameter, automorphisms, bipartite, planar.
type Row = (
    &'static str,
    usize,
    usize,
    usize,
    usize,
    &'static str,
    bool,
    bool,
);

/// Marks graphs without cycles.
const NONE: usize = 0;

#[rustfmt::skip]
const PUBLISHED: &[Row] = &[
    ("path:7", 7, 6, NONE, 6, "2", true, true),
    ("cycle:12", 12, 12, 12, 6, "24", true, true),
    ("complete:5", 5, 10, 3, 1, "120", false, false),
    ("bipartite:3x3", 6, 9, 4, 2, "72", true, false),
    ("bipartite:3x4", 7, 12, 4, 2, "144", true, false),
    ("star:5", 6, 5, NONE, 2, "120", true, true),
    ("wheel:6", 7, 12, 3, 2, "12", false, true),
    ("tree:2,4", 31, 30, NONE, 8, "32768", true, true),
    ("hypercube:3", 8, 12, 4, 3, "48", true, true),
    ("hypercube:4", 16, 32, 4, 4, "384", true, false),
    ("hypercube:6", 64, 192, 4, 6, "46080", true, false),
    ("grid:9", 81, 144, 4, 16, "8", true, true),
    ("grid:3x4", 12, 17, 4, 5, "4", true, true),
    ("king:8", 64, 210, 3, 7, "8", false, false),
    ("torus:5x5", 25, 50, 4, 4, "200", false, false),
    ("torus:4x4", 16, 32, 4, 4, "384", true, false),
    ("mobius:3x2", 6, 9, 4, 2, "72", true, false),
    ("mobius:5x2", 10, 15, 4, 3, "20", true, false),
    ("petersen", 10, 15, 5, 2, "120", false, false),
    ("gpetersen:6,2", 12, 18, 3, 4, "12", false, true),
    ("gpetersen:8,3", 16, 24, 6, 4, "96", true, false),
    ("gpetersen:10,2", 20, 30, 5, 5, "120", false, true),
    ("gpetersen:10,3", 20, 30, 6, 5, "240", true, false),
    ("gpetersen:12,5", 24, 36, 6, 4, "144", true, false),
    ("circulant:13,1,3,4", 13, 39, 3, 2, "78", false, false),
    ("prism:6", 12, 18, 4, 4, "24", true, true),
    ("antiprism:5", 10, 20, 3, 3, "20", false, true),
    ("tetrahedron", 4, 6, 3, 1, "24", false, true),
    ("cube", 8, 12, 4, 3, "48", true, true),
    ("octahedron", 6, 12, 3, 2, "48", false, true),
    ("dodecahedron", 20, 30, 5, 5, "120", false, true),
    ("icosahedron", 12, 30, 3, 3, "120", false, true),
    ("truncatedtetrahedron", 12, 18, 3, 3, "24", false, true),
    ("cuboctahedron", 12, 24, 3, 3, "48", false, true),
    ("truncatedcube", 24, 36, 3, 6, "48", false, true),
    ("truncatedoctahedron", 24, 36, 4, 6, "48", true, true),
    ("rhombicuboctahedron", 24, 48, 3, 5, "48", false, true),
    ("truncatedcuboctahedron", 48, 72, 4, 9, "48", true, true),
    ("snubcube", 24, 60, 3, 4, "24", false, true),
    ("icosidodecahedron", 30, 60, 3, 5, "120", false, true),
    ("truncateddodecahedron", 60, 90, 3, 10, "120", false, true),
    ("c60", 60, 90, 5, 9, "120", false, true),
    ("rhombicosidodecahedron", 60, 120, 3, 8, "120", false, true),
    ("truncatedicosidodecahedron", 120, 180, 4, 15, "120", true, true),
    ("snubdodecahedron", 60, 150, 3, 7, "60", false, true),
    ("hexhex:5", 61, 156, 3, 8, "12", false, true),
    ("honeycomb:2", 24, 30, 6, 7, "12", true, true),
    ("sierpinski:3", 15, 27, 3, 4, "6", false, true),
    ("sierpinski:4", 42, 81, 3, 8, "6", false, true),
    ("cubesurface:1", 6, 12, 3, 2, "48", false, true),
    ("cubesurface:2", 24, 48, 3, 5, "48", false, true),
    ("line(petersen)", 15, 30, 3, 3, "120", false, false),
    ("line(complete:5)", 10, 30, 3, 2, "120", false, false),
    ("line(cube)", 12, 24, 3, 3, "48", false, true),
    ("line(honeycomb:2)", 30, 48, 3, 7, "12", false, true),
    ("kagome:2", 30, 48, 3, 7, "12", false, true),
    ("complement(petersen)", 10, 30, 3, 2, "120", false, false),
    ("dual(cube)", 6, 12, 3, 2, "48", false, true),
    ("dual(dodecahedron)", 12, 30, 3, 3, "120", false, true),
    ("dual(edges:a-b,b-c,c-a,a-d,b-d,c-d)", 4, 6, 3, 1, "24", false, true),
    ("subdivide(complete:4)", 10, 12, 6, 4, "24", true, true),
    ("product(cycle:5,path:2)", 10, 15, 4, 3, "20", false, true),
    ("product(hypercube:2,hypercube:2)", 16, 32, 4, 4, "384", true, false),
    ("strong(path:8,path:8)", 64, 210, 3, 7, "8", false, false),
    ("lexicographic(path:3,path:2)", 6, 11, 3, 2, "16", false, true),
    ("remove(complete:4,0-1)", 4, 5, 3, 2, "4", false, true),
    ("quotient(path:5,0=4)", 4, 4, 4, 2, "8", true, true),
];

#[test]
fn boards_have_the_published_measures() {
    let mut wrong = Vec::new();
    for &(text, vertices, edges, girth, diameter, automorphisms, bipartite, planar) in PUBLISHED {
        let goban = text.parse::<Spec>().and_then(|spec| spec.build());
        let graph = goban
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .graph;
        let found = Measures::of(&graph);
        let expected = Measures {
            degrees: found.degrees.clone(),
            components: 1,
            girth: (girth != NONE).then_some(girth),
            diameter: Some(diameter),
            bipartite,
            planar,
            automorphisms: Some(automorphisms.to_string()),
        };
        if found != expected || (graph.vertices(), graph.edges()) != (vertices, edges) {
            wrong.push(format!(
                "{text}: {} vertices {} edges {found:?}",
                graph.vertices(),
                graph.edges()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
